"""Recovery of shaken units at the start of their turn."""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.command.control import modified_range, range_test
from sandtable.rulesets.panzer_battles.events import Recovered
from sandtable.rulesets.panzer_battles.fire.situations import as_struck
from sandtable.rulesets.panzer_battles.formations import chain, headquarters
from sandtable.rulesets.panzer_battles.model import Position, Unit, on_map
from sandtable.rulesets.panzer_battles.results.losses import DIE
from sandtable.rulesets.panzer_battles.results.struck import morale

ANYHOW = Fraction(1, 2)
"""How likely a unit comes to its test though its headquarters does not reach it (PB-CMD-20, PB-CMD-23)."""


def is_top(position: Position, unit: Unit) -> bool:
    """Whether a unit is a headquarters that the order of battle puts under no other.

    Rules: PB-CMD-25.
    """
    if not unit.of.has("hq"):
        return False
    above = {one.id for one in list(chain(position, unit.formation))[1:]}
    return not any(one.of.has("hq") and one.side == unit.side and one.formation in above for one in position.units)


def reached(position: Position, unit: Unit) -> Fraction:
    """How likely the headquarters of a unit reaches it; 0 when it is out of command or gone.

    Rules: PB-CMD-1, PB-CMD-20, PB-CMD-23, PB-CMD-25.
    """
    if is_top(position, unit):
        return Fraction(1)
    post = headquarters(position, unit)
    if post is None or post.out_of_command:
        return Fraction(0)
    distance = position.ground.board.distance(unit.hex, post.hex)
    return range_test(modified_range(post, position.parameters), distance)


def recovery_chance(reach: Fraction, value: int) -> Fraction:
    """How likely a unit of that morale recovers whose headquarters reaches it so likely.

    Rules: PB-CMD-22, PB-CMD-23.
    """
    return (reach + (1 - reach) * ANYHOW) * Fraction(min(DIE, max(0, value)), DIE)


def can_recover(position: Position, unit: Unit) -> bool:
    """Whether a unit tests for recovery: shaken, and not Broken and exhausted at once.

    Rules: PB-CMD-19.
    """
    exhausted = unit.fatigue >= position.parameters.fatigue.max
    return unit.is_shaken and not (unit.broken and exhausted)


def _recovers(resolution: Resolution[Position], unit: Unit) -> bool:
    """Rules: PB-CMD-20, PB-CMD-21, PB-CMD-23."""
    position = resolution.position
    reach = reached(position, unit)
    if not (reach and resolution.chance(reach, "PB-CMD-20", unit.id)) and not resolution.chance(
        ANYHOW, "PB-CMD-23", unit.id
    ):
        return False
    value = morale(as_struck(unit), position.parameters, recovering=True)
    return resolution.roll("PB-CMD-21", unit.id, DIE) <= value


def recover(resolution: Resolution[Position]) -> None:
    """Every shaken unit of the active side has tried to recover by one step.

    Rules: PB-CMD-19, PB-CMD-24.
    """
    position = resolution.position
    better: list[UnitId] = []
    for unit in on_map(position, position.active):
        if can_recover(position, unit) and _recovers(resolution, unit):
            better.append(unit.id)
    if better:
        resolution.emit(Recovered(position.active, tuple(better)))
