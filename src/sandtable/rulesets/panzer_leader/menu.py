"""What Panzer Leader adds to the menu: to whom a verb means something, what bars a unit from it, what there is to
fill in, and which order it is to point at a hex or a counter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import Field, Selection
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    engineers,
    fire,
    movement,
    naval,
    opportunity,
    orders,
    overrun,
    victory,
)
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.missions import NEXT_SEGMENT, is_ordered
from sandtable.rulesets.panzer_leader.model import RESERVE, Aircraft, Position, Unit
from sandtable.rulesets.panzer_leader.orders import OverrunRun
from sandtable.rulesets.panzer_leader.stacks import fort_at, passenger_of, units_at
from sandtable.rulesets.panzer_leader.terrain import terrain_key
from sandtable.rulesets.panzer_leader.weapons import is_fixed_gun

Bar = Callable[[Position, SideId, Unit], Refusal | None]
Point = Callable[[Position, SideId, Sequence[Any], Selection], Order | Refusal]

# --- to whom a verb means something ---------------------------------------------------------------------------------


def waits(position: Position, unit: Unit) -> bool:
    """Whether a unit is still to be placed, or can be placed anew."""
    return position.step in ("setup", "landing") or unit.fate == RESERVE


def is_armored(position: Position, unit: Unit) -> bool:
    """Whether a unit is armor and no fortification."""
    return KINDS[unit.kind].armored and not KINDS[unit.kind].is_work


def has_fort(position: Position, unit: Unit) -> bool:
    """Whether a unit is at a fortification."""
    return fort_at(position, unit.hex) is not None


def carries(position: Position, unit: Unit) -> bool:
    """Whether a unit has a passenger."""
    return passenger_of(position, unit.id) is not None


def can_work(position: Position, unit: Unit) -> bool:
    """Whether a unit is an engineer or has a task by its type."""
    return any(KINDS[unit.kind].has(flag) for flag in ("eng", "flail", "bridge"))


def is_at_work(position: Position, unit: Unit) -> bool:
    """Whether a unit has a task in hand."""
    return engineers.work_of(position, unit.id) is not None


def has_mission(position: Position, unit: Unit) -> bool:
    """Whether a unit has been ordered to fire in its next segment."""
    return is_ordered(position, unit, position.segment + NEXT_SEGMENT)


def can_turn(position: Position, unit: Unit) -> bool:
    """Whether a unit is a gun that can be turned now."""
    return any(True for _ in fire.facing_options(position, unit.side, unit))


def has_way_out(position: Position, unit: Unit) -> bool:
    """Whether the scenario lets the unit's side leave the map anywhere."""
    return any(way.side == unit.side for way in victory.terms(position).exits)


def has_ships(position: Position, side: SideId) -> bool:
    """Whether ships take part on that side (PL-1121)."""
    ships = position.ground.scenario.sections.naval.points
    return position.ground.options.naval_fire and (side in ships or side in position.naval)


# --- what bars a unit -----------------------------------------------------------------------------------------------


def barred_by(refusal: Bar | None = None) -> Bar:
    """What bars a unit: it is not there, it is dispersed, or what the section of the order has against it.

    Rules: PL-902, PL-1506.
    """

    def bars(position: Position, side: SideId, unit: Unit) -> Refusal | None:
        if not unit.hex:
            return Refusal(RuleId("PL-1506"), "the unit is not on the table")
        if unit.dispersed:
            return Refusal(RuleId("PL-902"), "a dispersed unit may do nothing until it recovers")
        return None if refusal is None else refusal(position, side, unit)

    return bars


# --- what there is to fill in ---------------------------------------------------------------------------------------


def points_form(position: Position, side: SideId, actors: Sequence[Any]) -> tuple[Field, ...]:
    """How many naval points to use (PL-1121)."""
    left = naval.points_to_fire(position, side)
    if left < naval.SMALLEST_LOT:
        return ()
    return (Field("points", "Points", least=naval.SMALLEST_LOT, most=left, default=left),)


def facing_form(position: Position, side: SideId, units: Sequence[Unit]) -> tuple[Field, ...]:
    """Which way a gun is to point when it is placed (PL-1608)."""
    if len(units) != 1 or not position.ground.options.field_of_fire or not is_fixed_gun(KINDS[units[0].kind]):
        return ()
    return (Field("facing", "Facing", most=5, default=units[0].facing),)


# --- pointing -------------------------------------------------------------------------------------------------------


def in_place(make: Callable[[Unit], Order]) -> Point:
    """An order that a unit carries out where it stands: to point anywhere else means nothing."""

    def point(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
        if target.hex != units[0].hex:
            return Refusal(RuleId("PL-601"), "a unit does that where it stands")
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


def _aimed_at(position: Position, side: SideId, target: Selection) -> tuple[UnitId, ...] | Refusal:
    """The counters that are meant: the one pointed at; in a town, or without one, all enemies of the hex.

    Rules: PL-802.
    """
    counters = tuple(unit.id for unit in fire.counters_under_fire(position, side, target.hex))
    if target.units and not (terrain_key(position, target.hex) == "town" and target.units[0] in counters):
        return target.units[:1]
    return counters or Refusal(RuleId("PL-802"), "no enemy can be seen in that hex")


def direct_fire(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """Fire of all who are picked at what is pointed at."""
    aimed = _aimed_at(position, side, target)
    if isinstance(aimed, Refusal):
        return aimed
    return orders.DirectFire(tuple(unit.id for unit in units), target.hex, aimed)


def naval_fire(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    """All points that are left at what is pointed at."""
    aimed = _aimed_at(position, side, target)
    if isinstance(aimed, Refusal):
        return aimed
    return orders.NavalFire(naval.points_left(position, side), target.hex, aimed)


def naval_mission(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    """All points that are left on the hex, if they still come down before the battle ends."""
    points = naval.points_to_fire(position, side)
    if points >= naval.SMALLEST_LOT and not naval.may_write(position):
        return Refusal(naval.NAVAL, "it would come down after the last turn")
    return orders.WriteNavalMission(points, target.hex)


def antiair_fire(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """Fire of all who are picked at the aircraft that is pointed at, or over the hex."""
    over = [plane for plane in position.aircraft if plane.hex == target.hex and plane.side != side]
    chosen = [plane for plane in over if piece_of(position, plane) in target.units] if target.units else over
    if not chosen:
        return Refusal(RuleId("PL-1207"), "there is no enemy aircraft there")
    return orders.FireAtAircraft(tuple(unit.id for unit in units), chosen[0].id)


def piece_of(position: Position, plane: Aircraft) -> UnitId:
    """The number of an aircraft among the pieces."""
    return UnitId(len(position.units) + plane.id)


def flight(position: Position, side: SideId, planes: Sequence[Aircraft], target: Selection) -> Order | Refusal:
    """The flight of the first who can fly, else of the first."""
    flights = [orders.FlyTo(plane.id, target.hex) for plane in planes]
    return next((order for order in flights if air.check_fly(position, side, order) is None), flights[0])


def air_strike(position: Position, side: SideId, planes: Sequence[Aircraft], target: Selection) -> Order | Refusal:
    """The attack of the first aircraft beside the hex, else of the first, with the last weapon it has left."""
    aimed = _aimed_at(position, side, target)
    if isinstance(aimed, Refusal):
        return aimed
    board = position.ground.board
    beside = [plane for plane in planes if plane.hex and board.distance(plane.hex, target.hex) == 1]
    plane = (beside or planes)[0]
    weapons = [weapon.key for weapon in air.weapons_left(plane)]
    return orders.AirAttack((orders.AirSortie(plane.id, weapons[-1] if weapons else ""),), target.hex, aimed)


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
        return Refusal(RuleId("PL-641"), "there is nobody in that hex to take aboard")
    return orders.LoadUnit(units[0].id, passengers[0])


def leave_map(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """The first leaves the map, if the scenario lets it leave here."""
    if target.hex != units[0].hex or victory.exit_of(position, side, units[0].hex) is None:
        return Refusal(RuleId("PL-1504"), "it may not leave the map from there")
    return orders.LeaveMap(units[0].id)


def begin_work(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
    """The task that the hex suggests: to clear what lies beside the unit, or to blow or block what it stands on."""
    unit, task = units[0], engineers.CLEAR
    if target.hex == unit.hex:
        stands_on_bridge = engineers.has_permanent_bridge(position, unit.hex)
        task = engineers.DEMOLISH if stands_on_bridge else engineers.BLOCK
    return orders.BeginWork(unit.id, task, target.hex)


def opportunity_fire(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    """Nothing: whoever may react is offered the mover, and there is nothing else to fire at (PL-1602)."""
    return Refusal(opportunity.RULE, "only the unit that is moving can be fired at now")


def mission_bar(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What bars a unit from being ordered to fire indirectly."""
    return artillery.battery_refusal(position, unit)
