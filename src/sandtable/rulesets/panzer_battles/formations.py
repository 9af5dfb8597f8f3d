"""The order of battle: organizations as a tree, with their headquarters.

Rules: PB-OOB-1, PB-OOB-3, PB-OOB-4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sandtable.kernel.ids import SideId, UnitId
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.scenario import FormationEntry


def formations(ground: Ground) -> Mapping[str, FormationEntry]:
    """Every organization by its key."""
    return ground.once("formations", lambda: {one.id: one for one in ground.scenario.sections.formations})


def below(position: Position, key: str) -> list[str]:
    """The organizations that are directly under another now."""
    return [child for child in formations(position.ground) if parent(position, child) == key]


def listed_under(position: Position, key: str) -> str:
    """Where the order of battle lists the units of an organization itself: apart from those of the ones below it."""
    known = formations(position.ground)
    above: frozenset[str] = position.derived.part(
        "superiors", (known, position.attachments), lambda: frozenset(parent(position, child) for child in known)
    )
    return f"{key} troops" if key in above else key


def parent(position: Position, key: str) -> str:
    """The organization that another is under now; empty for the top.

    Rules: PB-OOB-10.
    """
    return position.attachments.get(key) or formations(position.ground)[key].parent


def own_attachments(position: Position, side: SideId) -> dict[str, str]:
    """The organizations of a side that are under another than the order of battle says, with that one."""
    known = formations(position.ground)
    return {key: to for key, to in position.attachments.items() if known[key].side == side}


def chain(position: Position, key: str) -> Iterator[FormationEntry]:
    """An organization and those above it, up to the top."""
    known = formations(position.ground)
    while key:
        yield known[key]
        key = parent(position, key)


LEVEL_MARKS = {
    **{"company": "I", "battalion": "II", "regiment": "III", "brigade": "X", "division": "XX", "corps": "XXX"},
    **{"army": "XXXX", "army_group": "XXXX"},
}
"""What the counter of a headquarters shows of its level.

Rules: PB-OOB-2.
"""


def level_mark(position: Position, unit: Unit) -> str:
    """The mark of the level that a headquarters commands; empty for anybody else.

    Rules: PB-OOB-2.
    """
    return LEVEL_MARKS[formations(position.ground)[unit.formation].level] if unit.of.has("hq") else ""


def is_fanatical(position: Position, unit: Unit) -> bool:
    """Whether a unit is of a nation that gives no ground.

    Rules: PB-OOB-7.
    """
    return unit.of.nation in position.ground.scenario.sections.fanatical


def headquarters(position: Position, unit: Unit) -> Unit | None:
    """The unit that commands another: the headquarters of the nearest organization above it that has one on the map.

    A headquarters is commanded from above its own organization.

    Rules: PB-OOB-3, PB-OOB-4, PB-OOB-5.
    """
    above = list(chain(position, unit.formation))
    if unit.of.has("hq"):
        above = above[1:]
    posts = _posts(position)
    post = next((posts[unit.side, one.id] for one in above if (unit.side, one.id) in posts), None)
    return position.units[post] if post is not None and position.units[post].hex else None


def _posts(position: Position) -> dict[tuple[SideId, str], UnitId]:
    """The headquarters of each organization of each side, as far as they are known."""

    def make(units: Sequence[Unit]) -> dict[tuple[SideId, str], UnitId]:
        return {(one.side, one.formation): one.id for one in units if one.of.has("hq")}

    def update(
        old: dict[tuple[SideId, str], UnitId], changed: list[tuple[Unit, Unit]], now: Sequence[Unit]
    ) -> dict[tuple[SideId, str], UnitId] | None:
        is_same = all(was.kind == one.kind and was.formation == one.formation for was, one in changed)
        return old if is_same else None

    return position.derived.follow("posts", position.units, make, update)
