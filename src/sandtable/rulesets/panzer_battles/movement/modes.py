"""Travel Mode: entering it, leaving it, and what that costs.

Rules: PB-MOVE-21, PB-MOVE-26.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles.events import ModeChanged
from sandtable.rulesets.panzer_battles.features import RAIL_DAMAGE, find
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import DEPLOYED, RAIL, TRAVEL, Position, Unit, men, on_map
from sandtable.rulesets.panzer_battles.movement.carrying import passengers
from sandtable.rulesets.panzer_battles.movement.costs import RAIL_LINES, allowance, moves_as, part_cost
from sandtable.rulesets.panzer_battles.movement.orders import ChangeRail
from sandtable.rulesets.panzer_battles.movement.stacking import has_room, is_overfull
from sandtable.rulesets.panzer_battles.orders import ChangeMode
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import Parameters, column
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.tallying import POINTS_LEFT
from sandtable.rulesets.panzer_battles.terrain import terrain_at

OF_OTHERS = {DEPLOYED: "deploys", TRAVEL: "goes over to Travel Mode", RAIL: "boards a train"}
OF_TRAINS = {**OF_OTHERS, DEPLOYED: "halts", RAIL: "gets under way"}
"""What is told of who is in another mode.

Rules: PB-MOVE-21, PB-MOVE-56.
"""


def other_mode(unit: Unit) -> str:
    """The mode that a unit is not in."""
    return DEPLOYED if unit.mode != DEPLOYED else TRAVEL


def change_fraction(unit: Unit, mode: str, parameters: Parameters) -> tuple[Fraction, str]:
    """The part of its allowance that a change of mode costs a unit, and the rule that says so.

    Rules: PB-MOVE-26, PB-MOVE-28, PB-MOVE-29, PB-MOVE-30.
    """
    kind, costs = unit.of, parameters.costs
    if RAIL in (unit.mode, mode):
        return costs.rail_change, "PB-MOVE-30"
    if kind.has("towed"):
        if kind.has("heavy") or kind.has("siege"):
            return costs.heavy_towed_travel_change, "PB-MOVE-28"
        return costs.towed_travel_change, "PB-MOVE-29"
    return (costs.enter_travel if mode == TRAVEL else costs.leave_travel), "PB-MOVE-26"


def change_cost(position: Position, unit: Unit, mode: str) -> int:
    """The movement points that a change of mode costs a unit."""
    return part_cost(position, unit, change_fraction(unit, mode, position.parameters)[0])


def points_after(position: Position, unit: Unit, mode: str) -> int:
    """What a unit has left after a change of mode: the same share of its new allowance as of the old.

    Rules: PB-MOVE-126.
    """
    left = unit.mp - change_cost(position, unit, mode)
    return left * allowance(position, unit, mode) // allowance(position, unit)


def _prohibits(position: Position, unit: Unit, mode: str) -> bool:
    """Whether the terrain under a unit is prohibited to the class it would move in."""
    terrain = terrain_at(position, unit.hex)
    return position.parameters.movement.terrain[terrain][column(moves_as(unit, mode))] == PROHIBITED


def on_rails(position: Position, side: SideId) -> int:
    """The men-equivalents of a side in Rail Mode; trains of their own do not count.

    Rules: PB-MOVE-32, PB-MOVE-56.
    """
    riding = (unit for unit in on_map(position, side) if unit.mode == RAIL and not unit.has("rail_unit"))
    return sum(men(unit, position.parameters) for unit in riding)


def no_rail(position: Position, unit: Unit, mode: str) -> Refusal | None:
    """Why a unit can't board a train, or leave it, where it is; trains of their own are no burden to the railways.

    Rules: PB-MOVE-25, PB-MOVE-30, PB-MOVE-31, PB-MOVE-32, PB-MOVE-56, PB-STK-2, PB-STK-11.
    """
    if is_overfull(position, unit.hex):
        return refuse("PB-MOVE-25", "the hex is over its stacking limit")
    if mode != RAIL:
        has_place = has_room(position, unit.hex, (replace(unit, mode=mode),))
        return None if has_place else refuse("PB-STK-2", "there is no room for it beside the line")
    if passengers(position, unit):
        return refuse("PB-MOVE-30", "those it carries board trains for themselves")
    if not has_rail(position.ground.board, unit.hex) or find(position, unit.hex, RAIL_DAMAGE):
        return refuse("PB-MOVE-31", "there is no rail line here, or it is damaged")
    if unit.has("rail_unit"):
        return None
    capacity = position.parameters.misc.rail_capacity.of(unit.side)
    if on_rails(position, unit.side) + men(unit, position.parameters) > capacity:
        return refuse("PB-MOVE-32", f"the railways of its side carry {capacity} men at once")
    return None


def has_rail(board: Board, place: HexId) -> bool:
    """Whether a rail line runs through a hex (PB-MOVE-31)."""
    return any(board.road_kind(place, direction) in RAIL_LINES for direction in DIRECTIONS)


def check_change(position: Position, side: SideId, order: ChangeMode) -> Refusal | None:
    """Rules: PB-MOVE-26, PB-MOVE-35, PB-MOVE-36, PB-MOVE-37, PB-MOVE-56, PB-MOVE-60."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    if order.mode not in OF_OTHERS:
        return refuse("PB-MOVE-21", "there is no such mode")
    if unit.of.component == SHIPS:
        return refuse("PB-MOVE-60", "a ship has no other mode")
    if unit.has("rail_unit") and order.mode == TRAVEL:
        return refuse("PB-MOVE-56", "it moves in Rail Mode only")
    if unit.mode == order.mode:
        return refuse("PB-MOVE-21", "it is in that mode already")
    cost, rule = (
        change_cost(position, unit, order.mode),
        change_fraction(unit, order.mode, position.parameters),
    )
    if unit.mp < cost:
        return refuse(rule[1], "it has not the movement points left", f"{cost} needed, {unit.mp} left")
    if RAIL in (unit.mode, order.mode):
        refusal = no_rail(position, unit, order.mode)
        if refusal is not None or order.mode == RAIL:
            return refusal
    if not _prohibits(position, unit, order.mode):
        return None
    if order.mode == DEPLOYED:
        return None if unit.of.has("towed") else refuse("PB-MOVE-36", "it can't deploy where only the road lets it in")
    if position.ground.board.roads[unit.hex]:
        return None
    return refuse("PB-MOVE-36", "its vehicles can't be brought here without a road")


def resolve_change(resolution: Resolution[Position], side: SideId, order: ChangeMode) -> None:
    """The unit is in the other mode; doing so shows it to whoever looks.

    Rules: PB-MOVE-26, PB-SPOT-31.
    """
    position = resolution.position
    unit = position.units[order.unit]
    paid = change_fraction(unit, order.mode, position.parameters)[0]
    points = points_after(position, unit, order.mode)
    by_rail = RAIL in (unit.mode, order.mode)
    resolution.emit(ModeChanged(unit.id, order.mode, points, unit.thirds + (paid > 0), by_rail))


def change_options(position: Position, side: SideId, unit: Unit) -> Iterator[ChangeMode]:
    """The change between Travel Mode and none that is open to a unit."""
    order = ChangeMode(unit.id, other_mode(unit))
    if unit.mode != RAIL and check_change(position, side, order) is None:
        yield order


def mode_words(unit: Unit, mode: str, *, by_rail: bool = False) -> str:
    """What a unit does that changes to a mode, be it by boarding a train or leaving it; trains of their own do not
    board themselves.

    Rules: PB-MOVE-21, PB-MOVE-30, PB-MOVE-56.
    """
    if unit.has("rail_unit"):
        return OF_TRAINS.get(mode, mode)
    return "leaves the train" if by_rail and mode != RAIL else OF_OTHERS.get(mode, mode)


def change_words(unit: Unit, mode: str) -> str:
    """What a unit would do that changes from the mode it is in to another."""
    return mode_words(unit, mode, by_rail=RAIL in (unit.mode, mode))


def rail_words(unit: Unit) -> str:
    """What a unit does that changes from or to Rail Mode."""
    return change_words(unit, rail_change(unit).mode)


def rail_change(unit: Unit) -> ChangeMode:
    """The change into Rail Mode, or out of it."""
    return ChangeMode(unit.id, DEPLOYED if unit.mode == RAIL else RAIL)


def no_rail_change(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """Why a unit can neither board a train nor leave it."""
    return check_change(position, side, rail_change(unit))


def check_rail(position: Position, side: SideId, order: ChangeRail) -> Refusal | None:
    """Rules: PB-MOVE-30, PB-MOVE-31, PB-MOVE-32."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else no_rail_change(position, side, unit)


def resolve_rail(resolution: Resolution[Position], side: SideId, order: ChangeRail) -> None:
    """The unit is in Rail Mode, or no more (PB-MOVE-30)."""
    resolve_change(resolution, side, rail_change(resolution.position.units[order.unit]))


def rail_options(position: Position, side: SideId, unit: Unit) -> Iterator[ChangeRail]:
    if no_rail_change(position, side, unit) is None:
        yield ChangeRail(unit.id)


def explain_change(position: Position, side: SideId, order: ChangeMode) -> tuple[Tally, ...]:
    """What the change costs and leaves."""
    unit = position.units[order.unit]
    rule = change_fraction(unit, order.mode, position.parameters)[1]
    lines = (
        Line("movement points", unit.mp, RuleId("PB-MOVE-1")),
        Line("the change", -change_cost(position, unit, order.mode), RuleId(rule)),
        Line("allowance before", allowance(position, unit), RuleId("PB-MOVE-126")),
        Line("allowance after", allowance(position, unit, order.mode), RuleId("PB-MOVE-126")),
    )
    return (Tally(POINTS_LEFT, points_after(position, unit, order.mode), lines),)


def explain_rail(position: Position, side: SideId, order: ChangeRail) -> tuple[Tally, ...]:
    """What boarding a train or leaving it costs, and how many men the railways carry with it.

    Rules: PB-MOVE-30, PB-MOVE-32.
    """
    unit = position.units[order.unit]
    change = rail_change(unit)
    points = explain_change(position, side, change)
    if change.mode != RAIL or unit.has("rail_unit"):
        return points
    aboard, boarding = on_rails(position, side), men(unit, position.parameters)
    lines = (
        Line("in Rail Mode already", aboard, RuleId("PB-MOVE-32")),
        Line("boards now", boarding, RuleId("PB-STK-1")),
        Line("carried at most", position.parameters.misc.rail_capacity.of(side), RuleId("PB-MOVE-32")),
    )
    return (*points, Tally("Men on the railways", aboard + boarding, lines))
