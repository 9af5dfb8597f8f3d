"""Hexes as axial coordinates: neighbors, distances, rings, lines, hexsides and printed labels.

Hexes are flat-topped. Directions run 0 to 5 clockwise from north, so a die of 1 to 6 is direction + 1. In offset
terms the column is q and odd columns are pushed half a hex down: row = r + (q - (q & 1)) // 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

N: Final = 0
NE: Final = 1
SE: Final = 2
S: Final = 3
SW: Final = 4
NW: Final = 5

DIRECTIONS: Final = range(6)
DIRECTION_NAMES: Final = ("N", "NE", "SE", "S", "SW", "NW")
STEPS: Final = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

_PRINTED = re.compile(r"(\d\d)(\d\d)|(\d\d\d)(\d\d\d)", re.ASCII)
_PAIR = re.compile(r"(-?\d{1,9}),(-?\d{1,9})", re.ASCII)


class Hex(NamedTuple):
    """A hex by its axial coordinates."""

    q: int
    r: int


class HexSide(NamedTuple):
    """A hexside as its two hexes in ascending order, so that both hexes name it alike."""

    first: Hex
    second: Hex

    @classmethod
    def between(cls, a: Hex, b: Hex) -> HexSide:
        """The side that two neighbors share; ValueError when they are not neighbors."""
        if distance(a, b) != 1:
            raise ValueError(f"{a} and {b} share no hexside")
        return cls(a, b) if a < b else cls(b, a)

    @classmethod
    def of(cls, h: Hex, direction: int) -> HexSide:
        """The side of a hex that faces a direction."""
        return cls.between(h, neighbor(h, direction))

    @property
    def direction(self) -> int:
        """The direction of the side as seen from its first hex."""
        return direction(self.first, self.second)


def opposite(direction: int) -> int:
    """The direction that points the other way."""
    return (direction + 3) % 6


def neighbor(h: Hex, direction: int) -> Hex:
    """The hex one step away."""
    dq, dr = STEPS[direction]
    return Hex(h.q + dq, h.r + dr)


def neighbors(h: Hex) -> tuple[Hex, ...]:
    """The six adjacent hexes in order of direction."""
    return tuple(Hex(h.q + dq, h.r + dr) for dq, dr in STEPS)


def direction(a: Hex, b: Hex) -> int:
    """The direction of the step from a to b, or -1 when they are not adjacent."""
    step = (b.q - a.q, b.r - a.r)
    return STEPS.index(step) if step in STEPS else -1


def distance(a: Hex, b: Hex) -> int:
    """The number of steps from one hex to the other."""
    dq, dr = b.q - a.q, b.r - a.r
    return max(abs(dq), abs(dr), abs(dq + dr))


def ring(center: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes at exactly that distance, clockwise from due north."""
    if radius < 0:
        raise ValueError(f"a ring has no radius {radius}")
    if radius == 0:
        return (center,)
    return tuple(_walk_ring(center, radius))


def _walk_ring(center: Hex, radius: int) -> Iterator[Hex]:
    here = Hex(center.q, center.r - radius)
    for turn in DIRECTIONS:
        for _ in range(radius):
            yield here
            here = neighbor(here, (turn + 2) % 6)


def line_words(dq: int, dr: int) -> tuple[tuple[int, ...], ...]:
    """The straight line to an offset as words of directions: one word, or two when the line runs along hexsides.

    A line uses at most two directions, adjacent ones, and meets one hex at each distance. Where it runs exactly
    between two hexes, the first word takes the step with the lower direction number and the second word the step with
    the higher.
    """
    n = max(abs(dq), abs(dr), abs(dq + dr))
    low, high, highs = _components(dq, dr, n)
    down: list[int] = []
    up: list[int] = []
    for i in range(n):
        # steps in the high direction after i steps: highs * i / n, rounded; halves down in one word and up in the other
        down.append(high if _half_down(highs * (i + 1), n) > _half_down(highs * i, n) else low)
        up.append(high if _half_up(highs * (i + 1), n) > _half_up(highs * i, n) else low)
    return (tuple(down),) if down == up else (tuple(down), tuple(up))


def _components(dq: int, dr: int, n: int) -> tuple[int, int, int]:
    """The two directions of a line, lower number first, and how many of its n steps go in the higher one."""
    for d in DIRECTIONS[:5]:
        along, across = _coefficients(dq, dr, d)
        if along >= 0 and across >= 0:
            return d, d + 1, n - along
    # between northwest and north, where the numbers wrap around
    return 0, 5, _coefficients(dq, dr, 5)[0]


def _coefficients(dq: int, dr: int, d: int) -> tuple[int, int]:
    """An offset as so many steps in a direction and so many in the next, exactly: two adjacent steps span the grid."""
    (dx, dy), (ex, ey) = STEPS[d], STEPS[(d + 1) % 6]
    return dq * ey - dr * ex, dx * dr - dy * dq


def _half_down(numerator: int, n: int) -> int:
    return -((n - 2 * numerator) // (2 * n))


def _half_up(numerator: int, n: int) -> int:
    return (2 * numerator + n) // (2 * n)


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """The hexes a straight line crosses, both ends included, one at each distance.

    Where the line runs exactly between two hexes, it takes the one reached by the step with the lower direction
    number; so a line and its reverse may differ there. `line_words` gives both choices.
    """
    here = a
    hexes = [here]
    for step in line_words(b.q - a.q, b.r - a.r)[0]:
        here = neighbor(here, step)
        hexes.append(here)
    return tuple(hexes)


def from_offset(col: int, row: int) -> Hex:
    """The hex in a column and row, both counted from 0."""
    return Hex(col, row - (col - (col & 1)) // 2)


def to_offset(h: Hex) -> tuple[int, int]:
    """The column and row of a hex, both counted from 0."""
    return h.q, h.r + (h.q - (h.q & 1)) // 2


def format_label(col: int, row: int, digits: int = 2) -> str:
    """The printed label of a column and row counted from 0: CCRR, or CCCRRR with three digits."""
    if not (0 <= col < 10**digits - 1 and 0 <= row < 10**digits - 1):
        raise ValueError(f"column {col}, row {row} has no label of {digits} digits each")
    return f"{col + 1:0{digits}d}{row + 1:0{digits}d}"


def parse_label(text: str) -> tuple[int, int]:
    """The column and row, counted from 0, that a label names: CCRR or CCCRRR counted from 1, or x,y counted from 0."""
    text = text.strip()
    if printed := _PRINTED.fullmatch(text):
        col, row = (int(part) for part in printed.groups() if part is not None)
        if col and row:
            return col - 1, row - 1
    elif pair := _PAIR.fullmatch(text.replace(" ", "")):
        return int(pair[1]), int(pair[2])
    raise ValueError(f"not a hex label: {text!r} (CCRR, CCCRRR or x,y)")
