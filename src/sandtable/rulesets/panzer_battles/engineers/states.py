"""Who can do an engineer's work, and what keeps him from it.

Rules: PB-ENG-1, PB-ENG-2, PB-ENG-3, PB-ENG-4, PB-ENG-5.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit
from sandtable.rulesets.panzer_battles.operations import is_building
from sandtable.rulesets.panzer_battles.refusals import refuse


def is_engineer(unit: Unit) -> bool:
    """Whether a unit does all that engineers do; a bridgelayer merely lays its bridge.

    Rules: PB-ENG-1, PB-ENG-5.
    """
    return unit.has("engineer") and not unit.has("bridgelayer")


def may_clear(unit: Unit) -> bool:
    """Whether a unit can take up mines and obstacles.

    Rules: PB-ENG-2, PB-ENG-3, PB-ENG-8, PB-MOVE-86.
    """
    return unit.has("mine_clear") or unit.has("demolition")


def may_demolish(unit: Unit) -> bool:
    """Whether a unit can damage bridges and destroy ditches.

    Rules: PB-ENG-1, PB-ENG-4.
    """
    return is_engineer(unit) or unit.has("commando")


def may_bridge(unit: Unit) -> bool:
    """Whether a unit can build bridges (PB-ENG-33)."""
    return unit.has("bridge_eng")


def unfit(unit: Unit) -> Refusal | None:
    """That a unit is shaken or on the march, and so does no engineer's work.

    Rules: PB-ENG-6.
    """
    if unit.is_shaken:
        return refuse("PB-ENG-6", "it is Broken" if unit.broken else "it is Disrupted")
    return None if unit.mode == DEPLOYED else refuse("PB-ENG-6", "engineers work deployed only")


def cannot_work(position: Position, unit: Unit) -> Refusal | None:
    """What in the state of a unit keeps it from any engineer's work.

    Rules: PB-ENG-6.
    """
    refusal = unfit(unit)
    if refusal is not None:
        return refusal
    if unit.digging_in:
        return refuse("PB-ENG-6", "it is digging in")
    if unit.operation:
        return refuse("PB-ENG-6", "it has another work in hand")
    return None


def is_boat_crew(unit: Unit) -> bool:
    """Whether a unit could ferry others: engineers in good order and deployed, who of all work on bridges do no more
    than hold one.

    Rules: PB-ENG-53, PB-SUP-15.
    """
    return is_engineer(unit) and unfit(unit) is None and not is_building(unit)


def has_acted(unit: Unit, rule: str) -> Refusal | None:
    """That a unit has moved or fired this turn, for work that takes a whole one.

    Rules: PB-ENG-10, PB-ENG-28, PB-MOVE-102.
    """
    if unit.moved:
        return refuse(rule, "it has moved this turn")
    return refuse(rule, "it has fired this turn") if unit.fired else None


def each_turn(label: str, chance: Fraction, rule: str) -> tuple[Tally, ...]:
    """How likely a work is done at the start of each of its side's turns."""
    percentage = f"{float(chance):.1%}"
    return (Tally("Chance to be done, each turn", percentage, (Line(label, percentage, RuleId(rule)),)),)
