"""Cover: what a hex, the hexsides a shot crosses, works, wrecks and smoke give a target.

Rules: P8-3.03, P8-3.04, P8-3.05, P8-3.06, P8-9.01, P8-12.02.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.kernel.ids import HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer8.ground import dug_in
from sandtable.rulesets.panzer8.kinds import ARMOR, ENGINEERS, INFANTRY
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.sight import entered_across, is_in_smoke
from sandtable.rulesets.panzer8.stacks import kind_of
from sandtable.rulesets.panzer8.terrain import (
    COVER_VALUES,
    FEATURES,
    HARD_COVER,
    HEXSIDES,
    NO_COVER,
    SOFT_COVER,
)

NO_LINE = Line("no cover", 0, RuleId("P8-3.06"))


def hex_cover(position: Position, place: HexId) -> str:
    """The cover that a hex itself gives, its dug-in positions included (P8-3.03)."""
    if place in dug_in(position.ground):
        return HARD_COVER
    return FEATURES[position.ground.board.terrain[place]].cover


def side_features(position: Position, place: HexId, direction: int) -> Iterable[str]:
    """What runs along a hexside, without the obstacles that engineers have breached; a crest stays (P8-15.02)."""
    found = position.ground.board.side_features(place, direction)
    if position.breaches and is_breached(position, place, direction):
        return [key for key in found if not HEXSIDES[key].linear]
    return found


def is_breached(position: Position, place: HexId, direction: int) -> bool:
    """Whether engineers have made a gap in the obstacle on a hexside."""
    other = position.ground.board.neighbor(place, direction)
    return (place, direction) in position.breaches or (other, (direction + 3) % 6) in position.breaches


def cover(position: Position, target: Element, firer: HexId) -> Line:
    """The best cover of a target against a shot from a hex, as a line of its tally (P8-3.06)."""
    return max(_covers(position, target, firer), key=lambda line: int(line.value), default=NO_LINE)


def own_cover(position: Position, target: Element) -> Line:
    """The cover of a target's own hex alone, or smoke there: what counts against shells from above (P8-12.04)."""
    lines = [*_hex_covers(position, target)]
    if target.hex in position.smoke:
        lines.append(Line("in smoke", 2, RuleId("P8-12.04")))
    return max(lines, key=lambda line: int(line.value), default=NO_LINE)


def ground_cover(position: Position, target: Element, attacker: HexId) -> Line:
    """Cover in hand-to-hand combat: hex and hexside, soft or hard, and no smoke (P8-11.03)."""
    lines = [*_hex_covers(position, target), *_side_covers(position, target, attacker)]
    return max(lines, key=lambda line: int(line.value), default=NO_LINE)


def _covers(position: Position, target: Element, firer: HexId) -> Iterator[Line]:
    yield from _hex_covers(position, target)
    yield from _side_covers(position, target, firer)
    if is_hull_down(position, target, firer):
        yield Line("hull-down", 2, RuleId("P8-3.05"))
    if is_in_smoke(position, firer, target.hex):
        yield Line("in smoke", 2, RuleId("P8-12.02"))


def _hex_covers(position: Position, target: Element) -> Iterator[Line]:
    place = target.hex
    grade = hex_cover(position, place)
    if grade != NO_COVER:
        yield Line(f"{grade} cover", COVER_VALUES[grade], RuleId("P8-3.03"))
    if place in position.wrecks and kind_of(target).kind in (INFANTRY, ENGINEERS):
        yield Line("behind a wreck", COVER_VALUES[SOFT_COVER], RuleId("P8-9.01"))


def _side_covers(position: Position, target: Element, firer: HexId) -> Iterator[Line]:
    for direction in entered_across(position.ground.board, firer, target.hex):
        for key in side_features(position, target.hex, direction):
            grade = HEXSIDES[key].cover
            if grade != NO_COVER:
                yield Line(f"behind a {HEXSIDES[key].title.lower()}", COVER_VALUES[grade], RuleId("P8-3.04"))


def is_hull_down(position: Position, target: Element, firer: HexId) -> bool:
    """Whether only the turret of an armored vehicle shows: the shot crosses a wall or crest of its hex, and it faces
    that side or a neighboring one.

    Rules: P8-3.05.
    """
    if kind_of(target).kind != ARMOR:
        return False
    crossed = entered_across(position.ground.board, firer, target.hex)
    return any(
        (target.facing - direction) % 6 in (0, 1, 5)
        for direction in crossed
        if any(HEXSIDES[key].hull_down for key in side_features(position, target.hex, direction))
    )


def is_in_cover(position: Position, target: Element, attacker: HexId) -> bool:
    """Whether a target has cover of any grade, or smoke, against an attacker."""
    return cover(position, target, attacker) is not NO_LINE


def in_hiding(position: Position, element: Element) -> bool:
    """Whether an element stands where it can lie hidden: in cover of its hex, or behind some hexside (P8-15.01)."""
    if hex_cover(position, element.hex) != NO_COVER:
        return True
    return any(
        HEXSIDES[key].cover != NO_COVER
        for direction in range(6)
        for key in side_features(position, element.hex, direction)
    )
