"""Opportunity fire: automatic, unlimited, at whoever enters a hex or fires in sight of a weapon.

Rules: PB-OPF-1, PB-OPF-3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.fire.chances import opportunity_chance
from sandtable.rulesets.panzer_battles.fire.eligibility import cannot_fire, fire_range, no_shot
from sandtable.rulesets.panzer_battles.fire.striking import fire
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level


class Chance(NamedTuple):
    """A unit that may take the opportunity to fire, and how likely it does."""

    unit: Unit
    chance: Fraction


def longest_range(ground: Ground) -> int:
    """The farthest that anything in the battle fires direct: nobody beyond it need be looked at."""

    def make() -> int:
        kinds = [KINDS[entry.type] for entry in ground.scenario.units]
        return max(max(kind.soft_range, kind.hard_range) for kind in kinds)

    return ground.once("longest range", make)


def may_answer(unit: Unit) -> bool:
    """Whether a unit takes opportunities at all.

    Rules: PB-OPF-2, PB-FIRE-17.
    """
    return not unit.of.has("siege") and not unit.of.has("transport")


def chances(position: Position, target: Unit, *, by_moving: bool) -> Iterator[Chance]:
    """The enemies of a unit that may fire at it because it moved or fired, by id.

    Rules: PB-OPF-2, PB-OPF-4, PB-OPF-10.
    """
    if not target.hex or level(position, target) != SPOTTED:
        return
    reach = min(longest_range(position.ground), position.visibility)
    board = position.ground.board
    near = index.near(position, enemy_of(target.side), target.hex, reach)
    for unit in sorted(near, key=lambda one: one.id):
        if not may_answer(unit) or cannot_fire(position, unit) or no_shot(position, unit, target):
            continue
        distance = board.distance(unit.hex, target.hex)
        chance = opportunity_chance(
            unit.quality, distance, fire_range(unit, target), position.parameters, at_fire=not by_moving
        )
        yield Chance(unit, chance)


def draw_fire(resolution: Resolution[Position], id: UnitId, *, by_moving: bool) -> bool:
    """Everybody who may has tested and fired at the unit; whether any of it hit.

    Rules: PB-OPF-1, PB-OPF-3, PB-OPF-8, PB-OPF-10, PB-OPF-11, PB-OPF-12.
    """
    is_hit = False
    position = resolution.position
    for unit, chance in list(chances(position, position.units[id], by_moving=by_moving)):
        if resolution.position.units[id].hex and resolution.chance(chance, "PB-OPF-4", unit.id):
            is_hit = bool(fire(resolution, unit.id, id, cost=None)) or is_hit
    return is_hit
