"""Opportunity fire: units that were plotted for it may fire at enemies on the move, which stops those it hits.

Rules: P44-5.06, P44-8.02, P44-8.03, P44-8.04, P44-8.05, P44-8.08.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.ids import RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_44 import fire
from sandtable.rulesets.panzer_44.events import MoveHalted, MoveSpent, OccasionGiven, OpportunityTaken
from sandtable.rulesets.panzer_44.frames import Journey, OpportunityFrame
from sandtable.rulesets.panzer_44.model import OPPORTUNITY, Occasion, Position, Unit
from sandtable.rulesets.panzer_44.orders import FireOnOpportunity, Pass
from sandtable.rulesets.panzer_44.pieces import enemy_of
from sandtable.rulesets.panzer_44.plots import has_order, plots_of
from sandtable.rulesets.panzer_44.refusals import not_yours, refuse
from sandtable.rulesets.panzer_44.results import inflict, is_stopped, roll_attack
from sandtable.rulesets.panzer_44.stacks import is_fit, kind_of

RULE = RuleId("P44-8.03")
ENTERS, LOADS, UNLOADS, OVERRUNS = "enters", "loads", "unloads", "overruns"
WORDS = {ENTERS: "has come up", LOADS: "loads", UNLOADS: "unloads", OVERRUNS: "is about to overrun"}
"""What gives an occasion, in words."""

MANNER = "opportunity fire"


def cannot_react(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit may not fire on opportunity at all, or None; a pin does not bar it (P44-8.05)."""
    if unit.panic:
        return refuse("P44-6.04", "it has panicked, which cancels its order")
    if not has_order(position, unit, OPPORTUNITY):
        return refuse("P44-8.03", "it was not plotted for opportunity fire")
    if unit.fired:
        return refuse("P44-8.02", "it has fired in this turn")
    if not is_fit(unit):
        return refuse("P44-8.05", "a disrupted unit does not fire")
    return None


def occasion_of(position: Position) -> Occasion:
    """The occasion that is reacted to."""
    assert position.occasion is not None
    return position.occasion


def reactors(position: Position, occasion: Occasion) -> Iterator[Unit]:
    """The units that may fire at a mover now."""
    mover = position.units[occasion.unit]
    for plot in plots_of(position, enemy_of(mover.side), OPPORTUNITY):
        unit = position.units[plot.unit]
        if cannot_react(position, unit) is None and fire.no_shot(position, unit, mover) is None:
            yield unit


def _is_open(position: Position, occasion: Occasion) -> bool:
    """Whether anybody can fire at a mover, which must be on the map, and some roll would do anything to it."""
    mover = position.units[occasion.unit]
    return bool(mover.hex) and any(fire.aimed(position, unit, mover).can_harm for unit in reactors(position, occasion))


def give_occasion(resolution: Resolution[Position], unit: UnitId, manner: str) -> None:
    """The enemy may fire now, if anybody can; under fog the mover can't tell whether anybody could."""
    position, occasion = resolution.position, Occasion(unit, manner)
    mover = position.units[unit]
    if position.ground.options.fog:
        resolution.emit(MoveHalted(unit, mover.side))
    if _is_open(position, occasion):
        side = enemy_of(mover.side)
        resolution.emit(OccasionGiven(side, unit, manner))
        resolution.push(OpportunityFrame(side))


def decide(position: Position, frame: OpportunityFrame) -> tuple[Decision, ...]:
    """The other side may fire or let it pass."""
    occasion = occasion_of(position)
    name = kind_of(position.units[occasion.unit]).name
    prompt = f"Fire at the {name} that {WORDS[occasion.manner]}, or hold your fire."
    return (Decision(frame.side, "opportunity", RULE, prompt, optional=True),)


# --- the orders -----------------------------------------------------------------------------------------------------


def check_fire(position: Position, side: SideId, order: FireOnOpportunity) -> Refusal | None:
    """Why the unit can't fire at the mover, or None."""
    refusal = not_yours(position, side, order.unit)
    if refusal is not None:
        return refusal
    unit, mover = position.units[order.unit], position.units[occasion_of(position).unit]
    return cannot_react(position, unit) or fire.no_shot(position, unit, mover)


def opportunity_odds(position: Position, order: FireOnOpportunity) -> fire.Odds:
    """The numbers of the shot."""
    return fire.aimed(position, position.units[order.unit], position.units[occasion_of(position).unit])


def resolve_fire(resolution: Resolution[Position], side: SideId, order: FireOnOpportunity) -> None:
    """The unit has fired, and the result holds at once; a mover that is stopped goes no farther (P44-8.04), but has
    entered the hex all the same, and others may fire at it too (P44-8.03).
    """
    occasion = occasion_of(resolution.position)
    odds = opportunity_odds(resolution.position, order)
    resolution.emit(OpportunityTaken(order.unit))
    result = roll_attack(resolution, MANNER, occasion.unit, odds, "P44-8.03", order.unit)
    inflict(resolution, occasion.unit, result)
    resolution.pop()
    if is_stopped(resolution.position, occasion.unit):
        end_move(resolution, occasion.unit)
    if _is_open(resolution.position, occasion):
        resolution.push(OpportunityFrame(side))


def explain_fire(position: Position, side: SideId, order: FireOnOpportunity) -> tuple[Tally, ...]:
    odds = opportunity_odds(position, order)
    return odds.superiority, odds.reduction


def fire_options(position: Position, side: SideId, frame: OpportunityFrame) -> Iterator[FireOnOpportunity]:
    for unit in reactors(position, occasion_of(position)):
        yield FireOnOpportunity(unit.id)


def resolve_pass(resolution: Resolution[Position], side: SideId, order: Pass) -> None:
    """Nobody fires at this occasion, or for the rest of the move."""
    resolution.pop()
    top = resolution.top
    if order.rest and isinstance(top, Journey):
        resolution.goto(replace(top, ignored=True))


def pass_options(position: Position, side: SideId, frame: OpportunityFrame) -> Iterator[Pass]:
    yield Pass()
    if occasion_of(position).manner == ENTERS:
        yield Pass(rest=True)


def end_move(resolution: Resolution[Position], unit: UnitId) -> None:
    """A unit's move is over: it goes no farther, and does not do what it set out to."""
    top = resolution.top
    if isinstance(top, Journey) and top.unit == unit:
        resolution.pop()
    if resolution.position.units[unit].hex:
        resolution.emit(MoveSpent(unit))
