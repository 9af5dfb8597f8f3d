"""Headquarters that were lost are formed anew.

Rules: PB-CMD-27.
"""

from __future__ import annotations

from sandtable.kernel.ids import HexId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.formations import chain
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.results.losses import probability


def place_for(position: Position, post: Unit) -> HexId | None:
    """Where a lost headquarters may be formed anew: with a unit of its organization that has no enemy beside it, the
    one with the lowest id; nobody knows any more from where it would be near.

    Rules: PB-CMD-27.
    """
    enemy = enemy_of(post.side)
    for unit in on_map(position, post.side):
        under = {one.id for one in chain(position, unit.formation)}
        if post.formation in under and not any(index.adjacent(position, enemy, unit.hex)):
            return unit.hex
    return None


def restore(resolution: Resolution[Position]) -> None:
    """Every lost headquarters of the active side has been tested, and those that passed are on the map again.

    Rules: PB-CMD-18, PB-CMD-27.
    """
    position = resolution.position
    misc, grades = position.parameters.misc, position.parameters.quality.numeric
    found: list[tuple[Unit, HexId, int]] = []
    for post in position.units:
        if post.side != position.active or not post.gone or not post.of.has("hq"):
            continue
        place = place_for(position, post)
        chance = probability(misc.hq_restore_pct_per_quality * grades[post.quality])
        if place is None or not resolution.chance(chance, "PB-CMD-27", post.id):
            continue
        low, high = misc.hq_restore_strength_pct
        pct = low + resolution.roll("PB-CMD-27", post.id, high - low + 1) - 1
        found.append((post, place, max(1, post.full * pct // 100)))
    if found:
        ids, places, strengths = zip(*((post.id, place, men) for post, place, men in found), strict=True)
        resolution.emit(StaffsRestored(position.active, ids, places, strengths))
