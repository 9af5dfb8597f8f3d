"""Lines of sight from center to center, exactly: what they touch, what blocks them, and which hexside they enter by.

What a line touches depends only on the offset between its ends; it is worked out once for each offset.

Rules: P44-1.07, P44-7.01, P44-7.02, P44-7.03, P44-7.04, P44-7.05, P44-7.06.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import STEPS, Hex, from_offset, opposite, to_offset
from sandtable.geometry.lines import line_meets
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_44.ground import Ground
from sandtable.rulesets.panzer_44.terrain import HEXSIDES, HILLTOP, TERRAIN

UNKNOWN, BLOCKED, CLEAR = 0, 1, 2


class Offset(NamedTuple):
    """What a line to an offset touches besides its ends, as axial offsets from its start: hexes, hexsides that border
    neither end, and the directions of the target's hexsides that it enters by.
    """

    hexes: tuple[Hex, ...]
    sides: tuple[tuple[Hex, int], ...]
    entered: tuple[int, ...]


@lru_cache(maxsize=65_536)
def touched(dq: int, dr: int) -> Offset:
    """What the line to an offset touches, at a corner or along an edge too."""
    _, flat = line_meets(dq, dr)
    start, end = Hex(0, 0), Hex(dq, dr)
    hexes: dict[Hex, None] = {}
    sides: dict[tuple[Hex, int], None] = {}
    entered: dict[int, None] = {}
    for i in range(0, len(flat), 4):
        here, d = Hex(flat[i], flat[i + 1]), flat[i + 2]
        there = Hex(here.q + STEPS[d][0], here.r + STEPS[d][1])
        hexes.update({here: None, there: None})
        if end in (here, there):
            entered[d if here == end else opposite(d)] = None
        elif start not in (here, there):
            sides[here, d] = None
    between = tuple(place for place in hexes if place not in (start, end))
    return Offset(between, tuple(sides), tuple(sorted(entered)))


class _Steps(NamedTuple):
    """An offset's hexes and hexsides as differences of ids on a board, from a column of one parity."""

    hexes: tuple[int, ...]
    sides: tuple[tuple[int, int], ...]


class Sight:
    """Who sees what on one board; each pair of hexes is judged when it is first asked for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._q, self._r = board.coordinates
        self._hills = bytes(key == HILLTOP for key in board.terrain)
        self._tall = bytes(bool(key) and TERRAIN[key].blocks for key in board.terrain)
        self._taller = bytes(bool(tall) and not hill for tall, hill in zip(self._tall, self._hills, strict=True))
        walls = bytearray(board.size)
        for (place, direction), marks in board.hexsides.items():
            if any(key in HEXSIDES and HEXSIDES[key].blocks for key in marks):
                walls[place] |= 1 << direction
        self._walls = bytes(walls)
        self._steps: dict[tuple[int, int, int], _Steps] = {}
        self._kept: dict[HexId, bytearray] = {}

    def sees(self, a: HexId, b: HexId) -> bool:
        """Whether nothing blocks the line between two hexes (P44-7.01)."""
        if a > b:
            a, b = b, a
        kept = self._kept.get(a)
        if kept is None:
            kept = self._kept[a] = bytearray(self.board.size)
        judged = kept[b]
        if judged == UNKNOWN:
            judged = kept[b] = BLOCKED if self._is_blocked(a, b) else CLEAR
        return judged == CLEAR

    def _is_blocked(self, a: HexId, b: HexId) -> bool:
        """Adjacent hexes always see each other: no hex lies between, and every hexside borders one of them.

        Rules: P44-7.02, P44-7.03, P44-7.04.
        """
        steps = self._steps_between(a, b)
        if self._hills[a] and self._hills[b]:
            taller = self._taller
            return any(taller[a + step] for step in steps.hexes)
        tall, walls = self._tall, self._walls
        return any(tall[a + step] for step in steps.hexes) or any(walls[a + s] >> d & 1 for s, d in steps.sides)

    def _steps_between(self, a: HexId, b: HexId) -> _Steps:
        dq, dr, parity = self._q[b] - self._q[a], self._r[b] - self._r[a], self._q[a] & 1
        kept = self._steps.get((dq, dr, parity))
        if kept is None:
            found, stride = touched(dq, dr), self.board.height + 2
            hexes = tuple(_id_step(place, parity, stride) for place in found.hexes)
            sides = tuple((_id_step(place, parity, stride), d) for place, d in found.sides)
            kept = self._steps[dq, dr, parity] = _Steps(hexes, sides)
        return kept

    def entered_by(self, a: HexId, b: HexId) -> tuple[int, ...]:
        """The directions of the target's hexsides that the line crosses last; at a corner either (P44-7.06)."""
        return touched(self._q[b] - self._q[a], self._r[b] - self._r[a]).entered


def _id_step(place: Hex, parity: int, stride: int) -> int:
    """How far the id of a hex at an offset is from that of the start: a line never leaves the guard ring."""
    start = from_offset(parity, 0)
    column, row = to_offset(Hex(start.q + place.q, start.r + place.r))
    return (column - parity) * stride + row


def sight(ground: Ground) -> Sight:
    """Who sees what on the board of a battle."""
    return ground.once("sight", lambda: Sight(ground.board))


def sees(ground: Ground, a: HexId, b: HexId) -> bool:
    """Whether one hex sees the other, however far it is."""
    return sight(ground).sees(a, b)
