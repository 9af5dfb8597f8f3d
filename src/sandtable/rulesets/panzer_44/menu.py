"""How a player meets the orders of Panzer '44: who acts, what pointing at the map means, and a few words beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import Field, Reminder, Selection, Target
from sandtable.kernel.state import View
from sandtable.play.rows import Actors, Aim, Label
from sandtable.rulesets.panzer_44 import direct, fire, movement, overrun, plotting, reactions, setup
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44.describe import place_name, plot_words, unit_name
from sandtable.rulesets.panzer_44.model import PATTERNS, Plot, Position, Unit
from sandtable.rulesets.panzer_44.plots import has_order
from sandtable.rulesets.panzer_44.refusals import refuse
from sandtable.rulesets.panzer_44.stacks import enemies_at, kind_of, passengers, units_at

SETUP, PLOT, TARGET, MOVEMENT, OPPORTUNITY = "setup", "plot", "target", "movement", "opportunity"

# --- who acts -------------------------------------------------------------------------------------------------------


def units_in(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units that could have something to do."""
    if step == SETUP:
        return setup.placeable(position, side)
    if step == PLOT:
        return [unit for unit in position.units if unit.side == side and unit.hex]
    return movement.movers(position, side) if step == MOVEMENT else []


def picked_units(position: Position, ids: tuple[UnitId, ...]) -> list[Unit]:
    """The units among picked pieces, those still to be placed included."""
    own = [position.units[id] for id in ids if 0 <= id < len(position.units)]
    return [unit for unit in own if unit.hex or setup.awaits_setup(unit)]


def likely(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units that are still to be seen to."""
    if step == SETUP:
        return [unit for unit in setup.placeable(position, side) if setup.awaits_setup(unit)]
    if step == PLOT:
        return plotting.unplotted(position, side)
    return [unit for unit in units_in(position, side, step) if not unit.moved]


def idle(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units of whom a player is reminded before he ends a step; who must move is reminded of that."""
    return [] if step == MOVEMENT else likely(position, side, step)


UNITS: Actors[Position] = Actors(units_in, picked_units)


def is_armed(position: Position, unit: Unit) -> bool:
    return kind_of(unit).is_armed


def is_howitzer(position: Position, unit: Unit) -> bool:
    return kind_of(unit).is_howitzer


def is_engineer(position: Position, unit: Unit) -> bool:
    return kind_of(unit).is_engineer


def is_armor(position: Position, unit: Unit) -> bool:
    return kind_of(unit).is_hard and bool(kind_of(unit).attack)


def is_carrier(position: Position, unit: Unit) -> bool:
    return bool(kind_of(unit).carries)


def ordered(kind: str) -> Callable[[Position, Unit], bool]:
    """Whether the unit has that order already."""
    return lambda position, unit: has_order(position, unit, kind)


def has_batteries(position: Position, nobody: Any) -> bool:
    return bool(position.batteries)


def has_sorties(position: Position, nobody: Any) -> bool:
    return bool(position.sorties)


def has_support(position: Position, nobody: Any) -> bool:
    return has_batteries(position, nobody) or has_sorties(position, nobody)


def has_exits(position: Position, unit: Unit) -> bool:
    return any(entry.side == unit.side for entry in position.ground.scenario.sections.exits)


Bar = Callable[[Position, SideId, UnitId], Refusal | None]


def barred(cannot: Bar) -> Callable[[Position, SideId, Unit], Refusal | None]:
    """What in the unit itself stands in the way."""
    return lambda position, side, unit: cannot(position, side, unit.id)


# --- pointing -------------------------------------------------------------------------------------------------------

Point = Callable[[Position, SideId, Sequence[Any], Selection], Order | Refusal]


def in_place(make: Callable[[Unit], Order]) -> Point:
    """An order that a unit carries out where it stands."""

    def point(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
        if target.hex != units[0].hex:
            return refuse("P44-5.04", "a unit does that where it is; point at its own hex")
        return make(units[0])

    return point


def at_hex(make: Callable[[Position, Unit, HexId], Order | Refusal]) -> Point:
    """An order aimed at a hex."""
    return lambda position, side, units, target: make(position, units[0], target.hex)


def of_side(make: Callable[[], Order]) -> Point:
    """An order that is aimed at nothing."""
    return lambda position, side, nobody, target: make()


def direct_fire_at(position: Position, unit: Unit, place: HexId) -> Order | Refusal:
    """Fire that would be wasted is lawful, but nobody means it."""
    reach = fire.out_of_reach(position, unit, place)
    return reach or plotting.in_vain(position, unit, place) or o.PlotDirectFire((unit.id,), place)


def mission_at(position: Position, side: SideId, nobody: Any, target: Selection) -> Order | Refusal:
    return o.PlotMission(next(iter(plotting.idle_batteries(position, side)), ""), target.hex)


def sortie_at(position: Position, side: SideId, nobody: Any, target: Selection) -> Order | Refusal:
    return o.PlotSortie(next(iter(plotting.idle_sorties(position, side)), ""), target.hex)


def name_at(position: Position, side: SideId, nobody: Any, target: Selection) -> Order | Refusal:
    there = enemies_at(position, target.hex, side)
    return o.NameTarget(there[0].id) if there else refuse("P44-8.01", "no enemy is seen there")


def way(position: Position, unit: Unit, place: HexId) -> tuple[HexId, ...]:
    """A cheapest way to a hex in reach, around mines where there is one; else straight at it."""
    for found in (movement.safe_reach(position, unit), movement.reach(position, unit)):
        if found.cost(place) > 0:
            return tuple(map(HexId, found.path_to(place)))
    return tuple(map(HexId, position.ground.board.line(unit.hex, place)[1:]))


def overrun_at(position: Position, unit: Unit, place: HexId) -> Order | Refusal:
    """An overrun of the hex one points at, by the way that leads there."""
    refusal = overrun.cannot_overrun(position, unit, place)
    return refusal or o.Overrun(unit.id, place, way(position, unit, place)[:-1])


def load_at(position: Position, unit: Unit, place: HexId) -> Order | Refusal:
    riders = [one for one in units_at(position, place) if kind_of(one).can_be_carried and one.id != unit.id]
    return o.Load(unit.id, riders[0].id) if riders else refuse("P44-4.04", "there is nobody to take aboard")


def only_occasion(position: Position, side: SideId, nobody: Any, target: Selection) -> Order | Refusal:
    return refuse("P44-8.03", "opportunity fire is at the unit that has given the occasion")


# --- aims -----------------------------------------------------------------------------------------------------------


def move_aim(position: Position, order: o.Move) -> Aim:
    place = order.path[-1] if order.path else position.units[order.unit].hex
    return Aim(place, path=order.path, actors=(order.unit,))


def leave_aim(position: Position, order: o.LeaveMap) -> Aim:
    return Aim(order.path[-1] if order.path else position.units[order.unit].hex, path=order.path, actors=(order.unit,))


def overrun_aim(position: Position, order: o.Overrun) -> Aim:
    return Aim(order.hex, path=(*order.path, order.hex), actors=(order.unit,))


def load_aim(position: Position, order: o.Load) -> Aim:
    return Aim(position.units[order.passenger].hex, (order.passenger,), actors=(order.unit,))


def name_aim(position: Position, order: o.NameTarget) -> Aim:
    target = position.units[order.target]
    actors = (position.asking,) if position.asking != NOBODY else ()
    return Aim(target.hex, (target.id,), actors=actors)


def occasion_aim(position: Position, order: Any) -> Aim:
    mover = position.units[reactions.occasion_of(position).unit]
    return Aim(mover.hex, (mover.id,), actors=(order.unit,))


def led(position: Position, side: SideId, unit: Unit, places: tuple[HexId, ...]) -> Iterator[o.Move]:
    """The move that goes by way of some hexes to the last of them."""
    path, at = list[HexId](), unit
    for place in places:
        path += way(position, at, place)
        at = replace(unit, hex=place)
    if path:
        yield o.Move(unit.id, tuple(path))


# --- a few words ----------------------------------------------------------------------------------------------------


def odds_label(odds: fire.Odds) -> Label:
    """The column and what comes off the die, the two numbers that all odds hang on."""
    off = f", -{odds.off_die} on the die" if odds.off_die else ""
    return Label(f"{odds.column:+d}{off}", f"{odds.column:+d}", f"{odds.column:+d}{off}")


def direct_label(position: Position, side: SideId, order: o.PlotDirectFire) -> Label:
    """The best superiority that one of the units would have over somebody in the hex."""
    found = [
        fire.aimed(position, position.units[unit], enemy)
        for unit in order.units
        for enemy in enemies_at(position, order.hex, side)
        if fire.no_attack(position, position.units[unit], enemy) is None
    ]
    best = max(found, key=lambda odds: (odds.column, -odds.off_die), default=None)
    return Label() if best is None else replace_choice(odds_label(best), names(position, order.units))


def replace_choice(label: Label, choice: str) -> Label:
    """The label with other words to choose by."""
    return Label(label.note, label.brief, f"{choice}, {label.note}")


def names(position: Position, units: tuple[UnitId, ...]) -> str:
    return ", ".join(unit_name(position, unit) for unit in units)


def units_label(position: Position, side: SideId, order: Any) -> Label:
    return Label("", "", names(position, order.units))


def move_label(position: Position, side: SideId, order: o.Move) -> Label:
    """What is left of the allowance at the end of the way."""
    unit = position.units[order.unit]
    costs = movement.steps(position, unit, order.path)
    spent = 0 if isinstance(costs, Refusal) else sum(costs)
    left = movement.points(max(0, movement.left_of(unit) - spent))
    return Label(f"{left} points left", left)


def overrun_label(position: Position, side: SideId, order: o.Overrun) -> Label:
    unit = position.units[order.unit]
    place = order.path[-1] if order.path else unit.hex
    worst = min(
        (overrun.overrun_odds(position, unit, place, enemy) for enemy in enemies_at(position, order.hex, side)),
        key=lambda odds: (odds.column, -odds.off_die),
    )
    return replace_choice(odds_label(worst), f"{unit_name(position, unit.id)} from {place_name(position, place)}")


def name_label(position: Position, side: SideId, order: o.NameTarget) -> Label:
    return replace_choice(odds_label(direct.named_odds(position, order)), unit_name(position, order.target))


def opportunity_label(position: Position, side: SideId, order: o.FireOnOpportunity) -> Label:
    return replace_choice(odds_label(reactions.opportunity_odds(position, order)), unit_name(position, order.unit))


def pattern_form(position: Position, side: SideId, actors: Any) -> tuple[Field, ...]:
    """Tight or loose."""
    return (Field("pattern", "Pattern", "choice", choices=PATTERNS, default=PATTERNS[0]),)


def mission_form(position: Position, side: SideId, actors: Any) -> tuple[Field, ...]:
    """Which battery, and in what pattern."""
    idle = tuple(plotting.idle_batteries(position, side))
    if not idle:
        return ()
    battery = Field("battery", "Battery", "choice", choices=idle, default=idle[0])
    return (battery, *pattern_form(position, side, actors))


def sortie_form(position: Position, side: SideId, actors: Any) -> tuple[Field, ...]:
    idle = tuple(plotting.idle_sorties(position, side))
    return (Field("sortie", "Sortie", "choice", choices=idle, default=idle[0]),) if idle else ()


# --- what is written and what is left to do ---------------------------------------------------------------------------


def plans(view: View[Position]) -> tuple[Target, ...]:
    """What the side has plotted, each with the order that strikes it out (P44-5.03)."""
    position, side = view.position, view.side
    if position.step != PLOT:
        return ()
    return tuple(_plan(position, plot) for plot in position.plots if plot.side == side)


def _plan(position: Position, plot: Plot) -> Target:
    text = plot_words(position, plot)
    if plot.support:
        return Target(o.UnplotSupport(plot.support), plot.hex, text=text)
    where = position.units[plot.unit].hex
    path = (where, plot.hex) if plot.hex else ()
    return Target(o.Unplot(plot.unit), plot.hex or where, text=text, path=path, actors=(plot.unit,))


def losses(position: Position, side: SideId, step: str) -> Iterator[Reminder]:
    """Units plotted to move that must still do so (P44-5.09)."""
    for unit in movement.movers(position, side) if step == MOVEMENT else ():
        if movement.must_move(position, unit):
            text = f"{unit_name(position, unit.id)} must still move"
            yield Reminder(text, RuleId("P44-5.09"), unit.hex, (unit.id,))


def reminders(view: View[Position]) -> Iterator[Reminder]:
    """The side's units that have no order yet (P44-5.03)."""
    for unit in plotting.unplotted(view.position, view.side):
        text = f"{unit_name(view.position, unit.id)} has no order"
        yield Reminder(text, RuleId("P44-5.03"), unit.hex, (unit.id,))


def has_passenger(position: Position, unit: Unit) -> bool:
    return bool(passengers(position, unit.id))


def words_of_units(verb: str) -> Callable[[Position, Any], str]:
    """An order of several units in words."""
    return lambda position, order: f"{names(position, order.units)} {verb}"


def overrun_words(position: Position, order: o.Overrun) -> str:
    start = f" from {place_name(position, order.path[-1])}" if order.path else ""
    return f"{unit_name(position, order.unit)} overruns {place_name(position, order.hex)}{start}"


def fire_words(position: Position, order: o.PlotDirectFire) -> str:
    return f"{names(position, order.units)} to fire at {place_name(position, order.hex)}"
