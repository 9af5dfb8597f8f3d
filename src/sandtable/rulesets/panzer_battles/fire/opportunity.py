"""Opportunity fire: automatic, unlimited, at whoever enters a hex or fires in sight of a weapon.

Rules: PB-OPF-1, PB-OPF-3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.facing import covers
from sandtable.rulesets.panzer_battles.fire.chances import opportunity_chance
from sandtable.rulesets.panzer_battles.fire.eligibility import cannot_fire, fire_range, no_shot
from sandtable.rulesets.panzer_battles.fire.policy import farthest
from sandtable.rulesets.panzer_battles.fire.shelling import bombard, cannot_bombard, may_spot
from sandtable.rulesets.panzer_battles.fire.striking import fire
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level
from sandtable.rulesets.panzer_battles.spotting.sight import sees


class Chance(NamedTuple):
    """A unit that may take the opportunity to fire, how likely it does, and whether it fires indirectly."""

    unit: Unit
    chance: Fraction
    indirect: bool = False


SPOTTERS_NEAR = 2
"""So near a spotter of indirect opportunity fire is to the mover (PB-OPF-9)."""


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


def chances(position: Position, target: Unit, *, by_moving: bool) -> list[Chance]:
    """The enemies of a unit that may fire at it because it moved or fired, by id.

    Rules: PB-OPF-2, PB-OPF-4, PB-OPF-10.
    """
    if not target.hex or level(position, target) != SPOTTED:
        return []
    found = list(_direct(position, target, by_moving=by_moving))
    if by_moving:
        found += _indirect(position, target, {one.unit.id for one in found})
    return sorted(found, key=lambda one: one.unit.id)


def _direct(position: Position, target: Unit, *, by_moving: bool) -> Iterator[Chance]:
    """Those who see the unit themselves, as far as their settings let them fire.

    Rules: PB-OPF-2, PB-OPF-4, PB-OPF-5.
    """
    reach = min(longest_range(position.ground), position.visibility)
    board = position.ground.board
    for unit in index.near(position, enemy_of(target.side), target.hex, reach):
        if not may_answer(unit) or cannot_fire(position, unit) or no_shot(position, unit, target):
            continue
        distance, own_reach = board.distance(unit.hex, target.hex), fire_range(position, unit, target)
        if distance <= farthest(position, unit, target, own_reach):
            chance = opportunity_chance(unit.quality, distance, own_reach, position.parameters, at_fire=not by_moving)
            yield Chance(unit, chance)


def batteries(position: Position, side: SideId) -> tuple[UnitId, ...]:
    """The units of a side that fire indirectly, wherever they are."""
    return position.derived.follow(
        f"batteries of {side}",
        position.units,
        lambda units: tuple(one.id for one in units if one.side == side and one.of.has("indirect")),
        lambda old, changed, units: None if any(was.kind != unit.kind for was, unit in changed) else old,
    )


def _indirect(position: Position, target: Unit, taken: set[UnitId]) -> Iterator[Chance]:
    """Guns out of sight, where somebody near the mover directs them.

    Rules: PB-OPF-9, PB-FIRE-32.
    """
    side, board = enemy_of(target.side), position.ground.board
    near = index.near(position, side, target.hex, SPOTTERS_NEAR)
    if not any(may_spot(unit) and sees(position, unit.hex, target.hex) for unit in near):
        return
    for id in batteries(position, side):
        unit = position.units[id]
        distance, reach = board.distance(unit.hex, target.hex), unit.of.indirect_range
        # what is out of range is left out first: that is most of a large army
        if distance > reach or not unit.hex or id in taken:
            continue
        if not may_answer(unit) or unit.has_shot or cannot_bombard(position, unit):
            continue
        if covers(board, unit, target.hex) and distance <= farthest(position, unit, target, reach):
            yield Chance(unit, opportunity_chance(unit.quality, distance, reach, position.parameters), indirect=True)


def draw_fire(resolution: Resolution[Position], id: UnitId, *, by_moving: bool) -> bool:
    """Everybody who may has tested and fired at the unit; whether any of it hit.

    Rules: PB-OPF-1, PB-OPF-3, PB-OPF-8, PB-OPF-10, PB-OPF-11, PB-OPF-12.
    """
    is_hit = False
    position = resolution.position
    for unit, chance, indirect in chances(position, position.units[id], by_moving=by_moving):
        place = resolution.position.units[id].hex
        if not place or not resolution.chance(chance, "PB-OPF-4", unit.id):
            continue
        if indirect:
            is_hit = bombard(resolution, unit.id, place, cost=None) or is_hit
        else:
            is_hit = bool(fire(resolution, unit.id, id, cost=None)) or is_hit
    return is_hit
