"""Headquarters that were lost are formed anew.

Rules: PB-CMD-27.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, HexId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.formations import chain
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.movement.stacking import has_room
from sandtable.rulesets.panzer_battles.results.losses import probability


def place_for(position: Position, post: Unit) -> HexId | None:
    """Where a lost headquarters may be formed anew: with the unit of its organization that is nearest to where it was
    lost, has no enemy beside it and leaves room for it.

    Rules: PB-CMD-27, PB-STK-2.
    """
    enemy, board = enemy_of(post.side), position.ground.board
    whole = replace(post, strength=post.full, mode=DEPLOYED, carrier=NOBODY)
    fit = [
        unit
        for unit in on_map(position, post.side)
        if post.formation in {one.id for one in chain(position, unit.formation)}
        and not any(index.adjacent(position, enemy, unit.hex))
        and has_room(position, unit.hex, (whole,))
    ]
    nearest = min(fit, key=lambda unit: (board.distance(unit.hex, post.lost_at), unit.id), default=None)
    return None if nearest is None else nearest.hex


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
