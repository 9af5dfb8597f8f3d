"""Travel Mode: entering it, leaving it, and what that costs.

Rules: PB-MOVE-21, PB-MOVE-26.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles.events import ModeChanged
from sandtable.rulesets.panzer_battles.model import DEPLOYED, TRAVEL, Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import allowance, moves_as, share
from sandtable.rulesets.panzer_battles.orders import ChangeMode
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import Parameters, column
from sandtable.rulesets.panzer_battles.refusals import own, refuse

MODES = (DEPLOYED, TRAVEL)


def other_mode(unit: Unit) -> str:
    """The mode that a unit is not in."""
    return DEPLOYED if unit.is_traveling else TRAVEL


def change_fraction(unit: Unit, mode: str, parameters: Parameters) -> tuple[Fraction, str]:
    """The part of its allowance that a change of mode costs a unit, and the rule that says so.

    Rules: PB-MOVE-26, PB-MOVE-28, PB-MOVE-29.
    """
    kind, costs = unit.of, parameters.costs
    if kind.has("towed"):
        if kind.has("heavy") or kind.has("siege"):
            return costs.heavy_towed_travel_change, "PB-MOVE-28"
        return costs.towed_travel_change, "PB-MOVE-29"
    return (costs.enter_travel if mode == TRAVEL else costs.leave_travel), "PB-MOVE-26"


def change_cost(unit: Unit, mode: str, parameters: Parameters) -> int:
    """The movement points that a change of mode costs a unit."""
    return share(change_fraction(unit, mode, parameters)[0], allowance(unit, parameters))


def points_after(unit: Unit, mode: str, parameters: Parameters) -> int:
    """What a unit has left after a change of mode: the same share of its new allowance as of the old.

    Rules: PB-MOVE-126.
    """
    left = unit.mp - change_cost(unit, mode, parameters)
    return left * allowance(unit, parameters, mode) // allowance(unit, parameters)


def _prohibits(position: Position, unit: Unit, mode: str) -> bool:
    """Whether the terrain under a unit is prohibited to the class it would move in."""
    terrain = position.ground.board.terrain[unit.hex]
    return position.parameters.movement.terrain[terrain][column(moves_as(unit, mode))] == PROHIBITED


def check_change(position: Position, side: SideId, order: ChangeMode) -> Refusal | None:
    """Rules: PB-MOVE-26, PB-MOVE-35, PB-MOVE-36, PB-MOVE-37."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    if order.mode not in MODES:
        return refuse("PB-MOVE-21", "there is no such mode")
    if unit.mode == order.mode:
        return refuse("PB-MOVE-21", "it is in that mode already")
    cost, rule = (
        change_cost(unit, order.mode, position.parameters),
        change_fraction(unit, order.mode, position.parameters),
    )
    if unit.mp < cost:
        return refuse(rule[1], "it has not the movement points left", f"{cost} needed, {unit.mp} left")
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
    points = points_after(unit, order.mode, position.parameters)
    resolution.emit(ModeChanged(unit.id, order.mode, points, unit.thirds + (paid > 0)))


def change_options(position: Position, side: SideId, unit: Unit) -> Iterator[ChangeMode]:
    """The change of mode that is open to a unit."""
    order = ChangeMode(unit.id, other_mode(unit))
    if check_change(position, side, order) is None:
        yield order


def explain_change(position: Position, side: SideId, order: ChangeMode) -> tuple[Tally, ...]:
    """What the change costs and leaves."""
    unit, parameters = position.units[order.unit], position.parameters
    rule = change_fraction(unit, order.mode, parameters)[1]
    lines = (
        Line("movement points", unit.mp, RuleId("PB-MOVE-1")),
        Line("the change", -change_cost(unit, order.mode, parameters), RuleId(rule)),
        Line("allowance before", allowance(unit, parameters), RuleId("PB-MOVE-126")),
        Line("allowance after", allowance(unit, parameters, order.mode), RuleId("PB-MOVE-126")),
    )
    return (Tally("Movement points left", points_after(unit, order.mode, parameters), lines),)
