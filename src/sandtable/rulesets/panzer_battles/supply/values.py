"""What a unit can count on: the supply value where it is, and whether it is cut off."""

from __future__ import annotations

from fractions import Fraction

from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.results.losses import probability
from sandtable.rulesets.panzer_battles.supply.columns import is_served
from sandtable.rulesets.panzer_battles.supply.lines import NONE, traced
from sandtable.rulesets.panzer_battles.supply.sources import global_value, sources

WITHOUT_COLUMN = Fraction(1, 2)
"""What is left of a supply value where no supply column is near (PB-OPT-9)."""


def is_exempt(position: Position, unit: Unit) -> bool:
    """Whether a unit is never cut off: ships, partisans, and airborne units that still have what they brought.

    Rules: PB-SUP-18, PB-SUP-19.
    """
    return unit.of.has("naval") or unit.has("partisan") or position.turn <= unit.supplied_until


def is_cut_off(position: Position, unit: Unit) -> bool:
    """Whether a unit has no line of communication now.

    Rules: PB-SUP-17, PB-SUP-18.
    """
    return not is_exempt(position, unit) and traced(position, unit) == NONE


def value_of(position: Position, unit: Unit) -> Fraction:
    """The supply value of a unit as a probability: that of the best source it can trace to, or the Global Supply Value.

    Rules: PB-SUP-4, PB-SUP-5, PB-SUP-7, PB-SUP-9, PB-SUP-20, PB-OPT-9.
    """
    everywhere = probability(global_value(position, unit.side))
    if unit.of.has("naval"):
        return everywhere * position.parameters.supply.naval_fraction
    if unit.isolated:
        return Fraction(0)
    best = traced(position, unit) if sources(position.ground, unit.side) else NONE
    # who is never cut off lives on what his side has
    value = everywhere if best == NONE else probability(best)
    return value if is_served(position, unit) else value * WITHOUT_COLUMN
