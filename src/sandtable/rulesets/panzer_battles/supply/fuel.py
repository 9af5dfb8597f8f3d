"""Fuel: who burns it, and who is refueled.

Rules: PB-SUP-30.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.rulesets.panzer_battles.command.control import modified_range
from sandtable.rulesets.panzer_battles.formations import headquarters
from sandtable.rulesets.panzer_battles.model import RAIL, Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import moves_as
from sandtable.rulesets.panzer_battles.results.losses import probability

WITH_ENGINES = frozenset({"motorcycle", "motorized", "halftrack", "tracked"})


def needs_fuel(unit: Unit) -> bool:
    """Whether a unit lives on fuel: whatever has engines, but no headquarters.

    Rules: PB-SUP-30, PB-SUP-39.
    """
    return unit.of.move_class in WITH_ENGINES and not unit.of.has("hq")


def burns(unit: Unit) -> bool:
    """Whether a unit that moves now uses fuel: not on a train, and not where its men walk.

    Rules: PB-SUP-30, PB-SUP-31.
    """
    return needs_fuel(unit) and unit.mode != RAIL and moves_as(unit, unit.mode) in WITH_ENGINES


def burned(unit: Unit) -> dict[str, bool]:
    """What moving or assaulting changes about the fuel of a unit: once it has burned some, it is tested.

    Rules: PB-SUP-31.
    """
    return {"has_burned": True} if burns(unit) else {}


def is_reached(position: Position, unit: Unit) -> bool:
    """Whether the headquarters of a unit is in command and has it within its range as it is now.

    Rules: PB-SUP-32, PB-SUP-35.
    """
    post = headquarters(position, unit)
    if post is None or post.out_of_command:
        return False
    return position.ground.board.distance(unit.hex, post.hex) <= modified_range(post, position.parameters)


def refuel_chance(refuel_pct: int, in_command: Fraction, reach: Fraction, distance: int) -> Fraction:
    """How likely a unit is refueled in a turn that is not midnight's, whose headquarters will be in command so likely.

    Rules: PB-SUP-36, PB-SUP-37, PB-SUP-38.
    """
    return probability(refuel_pct) * in_command if distance <= reach else Fraction(0)
