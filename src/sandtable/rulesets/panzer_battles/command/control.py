"""Headquarters: how far they reach, and whether they are in command this turn.

Rules: PB-CMD-1, PB-CMD-5.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.ids import SideId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.events import CommandTested
from sandtable.rulesets.panzer_battles.formations import formations, headquarters
from sandtable.rulesets.panzer_battles.model import Position, Unit, on_map
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.scenario import LEVELS
from sandtable.rulesets.panzer_battles.supply.values import value_of

ON_THE_MARCH = Fraction(3, 4)
"""What Travel Mode leaves of a command range (PB-CMD-4)."""


def nominal_range(unit: Unit, parameters: Parameters) -> int:
    """How far a headquarters reaches by its type and quality.

    Rules: PB-CMD-3, PB-CMD-6.
    """
    return max(0, unit.of.command_range + parameters.quality.command_range_add[unit.quality])


def modified_range(unit: Unit, parameters: Parameters) -> Fraction:
    """How far a headquarters reaches in its present state; that it has moved counts for nothing more.

    Rules: PB-CMD-4, PB-CMD-5.
    """
    if unit.broken:
        return Fraction(0)
    reach = Fraction(nominal_range(unit, parameters))
    if unit.disrupted:
        reach /= 2
    return reach * ON_THE_MARCH if unit.is_traveling else reach


def range_test(reach: Fraction, distance: int) -> Fraction:
    """How likely the word of a headquarters arrives.

    Rules: PB-CMD-13, PB-CMD-14, PB-CMD-20, PB-CMD-26.
    """
    return reach / (reach + distance) if reach else Fraction(0)


def command_chance(supply: Fraction, superior: Fraction, reach: Fraction, distance: int) -> Fraction:
    """How likely a headquarters will be in command whose superior will be so likely.

    Rules: PB-CMD-16.
    """
    return supply + (1 - supply) * superior * range_test(reach, distance)


def is_detached(position: Position, unit: Unit) -> bool:
    """Whether a unit is out of reach of its headquarters, or has none.

    Rules: PB-CMD-7, PB-CMD-8, PB-CMD-9, PB-MOVE-64.
    """
    if unit.of.has("hq") or unit.has("partisan"):
        return False
    post = headquarters(position, unit)
    if post is None:
        return True
    return position.ground.board.distance(unit.hex, post.hex) > nominal_range(post, position.parameters)


def posts(position: Position, side: SideId) -> list[Unit]:
    """The headquarters of a side on the map, from the highest level down; an enemy's may be of a level not known.

    Rules: PB-CMD-10.
    """
    levels = {one.id: LEVELS.index(one.level) for one in formations(position.ground).values()}
    found = [unit for unit in on_map(position, side) if unit.of.has("hq")]
    return sorted(found, key=lambda unit: (levels.get(unit.formation, len(LEVELS)), unit.id))


def test(resolution: Resolution[Position]) -> None:
    """Every headquarters of the active side is in command or not until its next turn.

    Rules: PB-CMD-10, PB-CMD-11, PB-CMD-12, PB-CMD-13, PB-CMD-15.
    """
    position = resolution.position
    side, in_command = position.active, set()
    tested = posts(position, side)
    for post in tested:
        if resolution.chance(value_of(position, post), "PB-CMD-11", post.id):
            in_command.add(post.id)
            continue
        superior = headquarters(position, post)
        if superior is not None and superior.id in in_command:
            reach = modified_range(superior, position.parameters)
            distance = position.ground.board.distance(post.hex, superior.hex)
            if resolution.chance(range_test(reach, distance), "PB-CMD-13", post.id):
                in_command.add(post.id)
    if tested:
        resolution.emit(CommandTested(side, tuple(post.id for post in tested if post.id not in in_command)))
