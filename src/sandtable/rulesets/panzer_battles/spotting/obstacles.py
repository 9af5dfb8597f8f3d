"""What stands in the lines from one hex to another: why they are blocked, and by which hexside a clear one ends."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from sandtable.geometry.hexes import line_words, opposite
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.movement.costs import EMBANKMENT
from sandtable.rulesets.panzer_battles.spotting.sight import (
    eye_height,
    raised_height,
    side_height,
    standing_height,
    terrain_height,
    wreck_tops,
)
from sandtable.rulesets.panzer_battles.terrain import features_on


class Obstacle(NamedTuple):
    """What stands in a line: its words, how high it is, and where."""

    words: str
    top: int
    hex: HexId
    rule: str


def obstacle(position: Position, a: HexId, b: HexId) -> Obstacle:
    """The first thing that hides one hex from another; there is one.

    Rules: PB-SPOT-7, PB-SPOT-8, PB-SPOT-9.
    """
    board = position.ground.board
    start, end = board.axial(a), board.axial(b)
    word = line_words(end.q - start.q, end.r - start.r)[0]
    return _first(position, a, b, word) or _edge(b)


def _edge(place: HexId) -> Obstacle:
    return Obstacle("the edge of the map", 0, place, "PB-SPOT-7")


def _first(position: Position, a: HexId, b: HexId, word: tuple[int, ...]) -> Obstacle | None:
    """The first thing that stands in the line from hex to hex that these directions spell; None where it is clear."""
    board, parameters = position.ground.board, position.parameters
    eyes, wrecks, place = eye_height(parameters), wreck_tops(position), a
    here, there = board.elevation[a] + eyes, board.elevation[b] + eyes
    for i, direction in enumerate(word[:-1], 1):
        before, place = place, HexId(board.neighbor(place, direction))
        if not place:
            return _edge(b)
        rise = side_height(parameters, features_on(position, place, opposite(direction)))
        top = max(board.elevation[before], board.elevation[place]) + rise
        if i > 1 and rise and top >= here + (there - here) * Fraction(2 * i - 1, 2 * len(word)):
            return Obstacle(f"hexside of {board.label(place)}", top, place, "PB-SPOT-9")
        is_raised = raised_height(position.ground, place) > terrain_height(parameters, board.terrain[place])
        top = board.elevation[place] + standing_height(position.ground, place)
        top = max(top, wrecks.get(place, (0, top))[1])
        if top >= here + (there - here) * Fraction(i, len(word)):
            what = EMBANKMENT if is_raised else board.terrain[place].replace("_", " ")
            rule = "PB-SPOT-9" if is_raised else "PB-SPOT-8"
            return Obstacle(f"{what} in {board.label(place)}", top, place, rule)
    return None


def crossed_sides(position: Position, a: HexId, b: HexId) -> list[tuple[HexId, int]]:
    """The hexsides of the second hex by which a line of sight from the first enters it: one, or two where it meets a
    corner and both lines are clear; those of all lines where none is.

    Rules: PB-SPOT-7, PB-FIRE-44.
    """
    board = position.ground.board
    start, end = board.axial(a), board.axial(b)
    words = line_words(end.q - start.q, end.r - start.r)
    if len({word[-1] for word in words}) > 1:
        words = tuple(word for word in words if _first(position, a, b, word) is None) or words
    return sorted({(b, opposite(word[-1])) for word in words})
