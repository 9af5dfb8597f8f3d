"""What 3D PanzerBlitz adds to the menu: to whom a verb means something, what bars a unit from it, and which order it is
to point at a hex or a counter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzerblitz_3d import artillery, movement, opportunity, orders, overrun, victory
from sandtable.rulesets.panzerblitz_3d.kinds import ARMED, INFANTRY, OVERRUNNERS
from sandtable.rulesets.panzerblitz_3d.model import RESERVE, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import OverrunRun
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.stacks import counters_at, fort_at, passenger_of, units_at
from sandtable.rulesets.panzerblitz_3d.terrain import is_town

Bar = Callable[[Position, SideId, Unit], Refusal | None]
Point = Callable[[Position, SideId, Sequence[Any], Selection], Order | Refusal]

# --- to whom a verb means something ---------------------------------------------------------------------------------


def waits(position: Position, unit: Unit) -> bool:
    """Whether a unit is still to be placed, or can be placed anew."""
    return position.step == "setup" or unit.fate == RESERVE


def is_armed(position: Position, unit: Unit) -> bool:
    """Whether a unit has a weapon."""
    return unit.kind in ARMED


def is_infantry(position: Position, unit: Unit) -> bool:
    """Whether a unit can close assault at all."""
    return unit.kind in INFANTRY


def can_overrun(position: Position, unit: Unit) -> bool:
    """Whether a unit can overrun at all."""
    return unit.kind in OVERRUNNERS


def is_at_fort(position: Position, unit: Unit) -> bool:
    """Whether a unit is at a fort, outside it."""
    return unit.fort == NOBODY and fort_at(position, unit.hex) is not None


def is_inside(position: Position, unit: Unit) -> bool:
    """Whether a unit is in a fort."""
    return unit.fort != NOBODY


def carries(position: Position, unit: Unit) -> bool:
    """Whether a unit has a passenger."""
    return passenger_of(position, unit.id) is not None


def has_target(position: Position, unit: Unit) -> bool:
    """Whether a unit has a designated target."""
    return any(unit.id in shot.firers for shot in position.shots)


def is_assigned(position: Position, unit: Unit) -> bool:
    """Whether a unit stands in the notes for opportunity fire."""
    return unit.id in position.assigned


def has_way_out(position: Position, unit: Unit) -> bool:
    """Whether the scenario lets the unit's side leave the map anywhere."""
    return bool(victory.ways_out(position, unit.side))


def has_plots(position: Position, nobody: None) -> bool:
    """Whether anything is plotted."""
    return bool(position.plots)


# --- what bars a unit -----------------------------------------------------------------------------------------------


def barred_by(refusal: Bar | None = None) -> Bar:
    """What bars a unit: it is not there, it is dispersed, or what the section of the order has against it.

    Rules: PB3-902, PB3-1303.
    """

    def bars(position: Position, side: SideId, unit: Unit) -> Refusal | None:
        if not unit.hex:
            return Refusal(RuleId("PB3-1303"), "the unit is not on the table")
        if unit.dispersed:
            return Refusal(RuleId("PB3-902"), "a dispersed unit may do nothing until it recovers")
        return None if refusal is None else refusal(position, side, unit)

    return bars


# --- pointing -------------------------------------------------------------------------------------------------------


def in_place(make: Callable[[Unit], Order]) -> Point:
    """An order that a unit carries out where it stands: to point anywhere else means nothing."""

    def point(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
        if target.hex != units[0].hex:
            return Refusal(RuleId("PB3-601"), "a unit does that where it stands")
        return make(units[0])

    return point


def of_all(make: Callable[[tuple[UnitId, ...], HexId], Order]) -> Point:
    """An order of all who are picked, aimed at a hex."""
    return lambda position, side, units, target: make(tuple(unit.id for unit in units), target.hex)


def of_first(make: Callable[[Unit, HexId], Order]) -> Point:
    """An order of the first who is picked, aimed at a hex."""
    return lambda position, side, units, target: make(units[0], target.hex)


def of_side(make: Callable[[], Order]) -> Point:
    """An order that is aimed at nothing."""
    return lambda position, side, actors, target: make()


def go_first(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    """To point anywhere is to go first oneself."""
    return orders.ChooseFirst(side)


def plot(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    """The first battery without a target on the hex, else the first."""
    return orders.PlotFire(artillery.still_to_plot_first(position, side)[0].id, target.hex)


def cancel_plot(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    """Nothing: what is plotted on a hex is offered, and elsewhere there is nothing to strike out."""
    return Refusal(artillery.PLOTTING, "nothing is plotted there")


def designate(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """Fire of all who are picked at what is pointed at: the one counter, or in a town and without one all of the hex.

    Rules: PB3-802.
    """
    counters = tuple(unit.id for unit in counters_at(position, target.hex, enemy_of(side)))
    firers = tuple(unit.id for unit in units)
    if target.units and not (is_town(position.ground.board, target.hex) and target.units[0] in counters):
        return orders.DesignateTarget(firers, target.hex, target.units[:1])
    if not counters:
        return Refusal(RuleId("PB3-802"), "no enemy can be seen in that hex")
    return orders.DesignateTarget(firers, target.hex, counters)


def move(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """A move of the first along a cheapest way."""
    return orders.MoveUnit(units[0].id, movement.way_to(position, units[0], target.hex))


def drive_through(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """An overrun by the first along a way that it finds, else straight through the hex."""
    unit, place, board = units[0], target.hex, position.ground.board
    refusal = overrun.target_refusal(position, side, place)
    if refusal is not None:
        return refusal
    run = next(overrun.runs_through(position, unit, place), None)
    if run is None:
        *_, before, _ = board.line(unit.hex, place)
        out = board.neighbor(place, board.direction(before, place))
        run = OverrunRun(unit.id, (*movement.way_to(position, unit, before), place, HexId(out)))
    return orders.Overrun(place, (run,))


def load(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """The first takes aboard whom one points at, or somebody of the hex."""
    others = [unit.id for unit in units_at(position, target.hex) if unit.id != units[0].id]
    passengers = target.units or others
    if not passengers:
        return Refusal(RuleId("PB3-621"), "there is nobody in that hex to take aboard")
    return orders.LoadUnit(units[0].id, passengers[0])


def leave_map(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """The first leaves the map, if the scenario lets it leave here."""
    if target.hex != units[0].hex or victory.exit_of(position, side, units[0].hex) is None:
        return Refusal(RuleId("PB3-1301"), "it may not leave the map from there")
    return orders.LeaveMap(units[0].id)


def at_mover(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    """Nothing: whoever may react is offered the mover, and there is nothing else to fire at (PB3-1104)."""
    return Refusal(opportunity.RULE, "only the unit that is moving can be fired at now")
