"""Ammunition: who has run low after firing, and who is supplied again.

Rules: PB-SUP-21, PB-SUP-25.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.rulesets.panzer_battles.command.control import modified_range, range_test
from sandtable.rulesets.panzer_battles.formations import headquarters
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.supply.artillery import is_artillery
from sandtable.rulesets.panzer_battles.supply.values import value_of


def brought(position: Position, unit: Unit) -> Fraction:
    """How likely the headquarters of a unit brings it ammunition: 0 when it is out of command or gone.

    Rules: PB-CMD-1, PB-SUP-22, PB-SUP-25.
    """
    post = headquarters(position, unit)
    if post is None or post.out_of_command:
        return Fraction(0)
    distance = position.ground.board.distance(unit.hex, post.hex)
    return range_test(modified_range(post, position.parameters), distance)


def low_ammo_chance(supply: Fraction, reach: Fraction) -> Fraction:
    """How likely a unit that fired runs low on ammunition.

    Rules: PB-SUP-23.
    """
    return (1 - supply) * (1 - reach)


def can_run_low(unit: Unit) -> bool:
    """Whether a unit is tested for ammunition at the start of its turn.

    Rules: PB-SUP-21, PB-SUP-24, PB-SUP-29, PB-FIRE-59.
    """
    is_spared = unit.isolated or unit.has("partisan") or is_artillery(unit)
    return unit.fired and not unit.low_ammo and not is_spared


def shells_value(position: Position, unit: Unit) -> Fraction:
    """The supply value that a battery is tested by: stockpiles are further from the depots.

    Rules: PB-SUP-27, PB-SUP-49.
    """
    value = value_of(position, unit)
    return value * position.parameters.artillery.stockpiled_supply_fraction if unit.stockpiled else value
