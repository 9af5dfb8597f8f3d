"""The order of battle: organizations as a tree, with their headquarters.

Rules: PB-OOB-1, PB-OOB-3, PB-OOB-4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.scenario import FormationEntry


def formations(ground: Ground) -> Mapping[str, FormationEntry]:
    """Every organization by its key."""
    return ground.once("formations", lambda: {one.id: one for one in ground.scenario.sections.formations})


def listed_under(ground: Ground, key: str) -> str:
    """Where the order of battle lists the units of an organization itself: apart from those of the ones below it."""
    has_parts = any(one.parent == key for one in formations(ground).values())
    return f"{key} troops" if has_parts else key


def chain(ground: Ground, key: str) -> Iterator[FormationEntry]:
    """An organization and those above it, up to the top."""
    known = formations(ground)
    while key:
        yield known[key]
        key = known[key].parent


def headquarters(position: Position, unit: Unit) -> Unit | None:
    """The unit that commands another: the headquarters of the nearest organization above it that has one on the map.

    A headquarters is commanded from above its own organization.

    Rules: PB-OOB-3, PB-OOB-4, PB-OOB-5.
    """
    above = list(chain(position.ground, unit.formation))
    if unit.of.has("hq"):
        above = above[1:]
    posts = {one.formation: one for one in position.units if one.side == unit.side and one.of.has("hq")}
    post = next((posts[one.id] for one in above if one.id in posts), None)
    return post if post is not None and post.hex else None
