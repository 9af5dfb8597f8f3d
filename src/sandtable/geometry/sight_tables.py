"""What the judges of lines of sight look up: effects by symbol, slopes by height, lines as a tree."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sandtable.geometry.hexes import DIRECTIONS, STEPS, Hex, from_offset, line_words, opposite, ring, to_offset
from sandtable.geometry.lines import CORNERS

if TYPE_CHECKING:
    from sandtable.geometry.board import Board

    Layer = bytes | bytearray

# What an obstacle does to a line; the values of SymbolSight's table.
CLEAR = 0
BLOCKS = 1
BLOCKS_BESIDE_LOWER = 2
BLOCKS_NEAR_LOWER = 3
ONE_ALLOWED = 4

AREA = 8
"""Area code a has the code AREA + a in the table and in an Obstruction."""

LEVELS = 4
CODES = 8
NO_SIDE = 255
"""The top of a hexside that carries nothing."""

NO_HEIGHT = -32768
"""The same where tops are 16-bit numbers."""

HIGHEST = 10_000
"""How far the heights of a board may lie apart: the table of slopes has a row for each height, both ways."""

OFF_MAP = 65535
"""The top of a hex off the board, whose lines end there."""

_ROW = 3 * LEVELS * CODES
LOWEST = -(1 << 30)
_ENDS = 6  # marks a node of the line tree where a line ends; the other keys are directions


# --- symbols


def fan() -> array[int]:
    """What a line needs to know of the three sides it leaves hexes by, 16 numbers for each middle side from 0 to 3.

    The steps through the sides and the corners before the middle side, after it and one more, as axial coordinates;
    the numbers of the sides and of the next.
    """
    numbers = array("i")
    for middle in range(4):
        sides = [(middle + turn) % 6 for turn in (-1, 0, 1, 2)]
        for d in sides[:3]:
            numbers.extend(STEPS[d])
        for corner in CORNERS[middle : middle + 3]:
            numbers.extend(corner)
        numbers.extend(sides)
    return numbers


def check_layer(name: str, layer: Layer, length: int, below: int) -> None:
    if len(layer) != length:
        raise ValueError(f"the {name} of this board have {length} bytes, not {len(layer)}")
    if max(layer) >= below:
        raise ValueError(f"the {name} go up to {below - 1}, not {max(layer)}")


def side_symbols(board: Board, levels: Layer, side_codes: Layer) -> bytes:
    """Code and level of every side in one byte, 0 where it is bare. A side on the edge has the level of its one hex and
    is noted from the guard hex beyond it too: a line along the edge comes upon it from there.
    """
    symbols = bytearray(8 * board.size)
    for h in board.hexes:
        for d in DIRECTIONS:
            n = board.neighbor(h, d)
            code = side_codes[8 * h + d]
            if n and code != side_codes[8 * n + opposite(d)]:
                raise ValueError(f"side {d} of hex {h} has code {code}, but another one seen from hex {n}")
            if code:
                symbols[8 * h + d] = code * LEVELS + (min(levels[h], levels[n]) if n else levels[h])
                if not n:
                    symbols[8 * _beyond(board, h, d) + opposite(d)] = symbols[8 * h + d]
    return bytes(symbols)


def _beyond(board: Board, h: int, d: int) -> int:
    """The guard hex beyond a side on the edge."""
    col = (h // (board.height + 2) + 1) & 1
    here = from_offset(col, 0)
    end_col, row = to_offset(Hex(here.q + STEPS[d][0], here.r + STEPS[d][1]))
    return h + (end_col - col) * (board.height + 2) + row


def effect_rows(table: Mapping[tuple[int, int, int, int], int], clear_lengthwise: frozenset[int]) -> bytes:
    """The table as a row per pair of levels: effects of sides crossed, of sides met lengthwise, of areas."""
    rows = bytearray(LEVELS * LEVELS * _ROW)
    for (lower, upper, code, level), effect in table.items():
        is_area = code > AREA
        kind = code - AREA if is_area else code
        if not (0 <= lower <= upper < LEVELS and 0 <= level < LEVELS and 0 < kind < CODES):
            raise ValueError(f"no case {(lower, upper, code, level)}")
        if effect not in range(3 if is_area else 5):
            raise ValueError(f"no effect {effect} for code {code}")
        if lower == upper and effect in (BLOCKS_BESIDE_LOWER, BLOCKS_NEAR_LOWER):
            raise ValueError(f"effect {effect} needs a lower end, and both ends are on level {lower}")
        at = (lower * LEVELS + upper) * _ROW + kind * LEVELS + level
        if is_area:
            rows[at + 64] = effect
        else:
            rows[at] = effect
            rows[at + 32] = CLEAR if kind in clear_lengthwise else effect
    return bytes(rows)


# --- slopes


@lru_cache(maxsize=8)
def slope_table(highest: int, radius: int) -> array[int]:
    """Slopes by height difference and twice the distance, as integers in the exact order of the fractions.

    Two different fractions with denominators up to 2 * radius differ by at least 1 / (2 * radius) ** 2, so multiplied
    by that square and rounded down they still differ, and equal ones stay equal.
    """
    scale = (2 * radius) ** 2
    slopes = array("i")
    for rise in range(-highest, highest + 1):
        # the first half step is to a side of the origin's own hex, which hides nothing
        slopes.extend((0, LOWEST))
        slopes.extend(rise * scale // half_steps for half_steps in range(2, 2 * radius + 1))
    return slopes


@lru_cache(maxsize=8)
def beyond_table(highest_ground: int, highest: int, radius: int) -> array[int]:
    """The steepest slope at which a hex farther than a distance can appear, by eye level and distance."""
    columns, slopes = 2 * radius + 1, slope_table(highest, radius)
    beyond = array("i")
    for eye in range(highest_ground + 1):
        row = (highest_ground - eye + highest) * columns
        beyond.extend(slopes[row + 2 * min(depth + 1, radius)] for depth in range(radius + 1))
    return beyond


@lru_cache(maxsize=8)
def placed_tree(radius: int, stride: int) -> tuple[array[int], array[int]]:
    """The line tree with ids relative to an origin in an even and in an odd column.

    Three numbers per node: the id to add, 16 times the depth plus 8 at the end of a line plus the side entered by,
    and where the next node outside this subtree stands.
    """
    even, odd = array("i"), array("i")
    for q, r, meta, skip in _line_tree(radius):
        even.extend((q * stride + r + (q - (q & 1)) // 2, meta, 3 * skip))
        odd.extend((q * stride + r + (q + 1 - (q + 1 & 1)) // 2, meta, 3 * skip))
    return even, odd


def _line_tree(radius: int) -> list[list[int]]:
    """All lines up to the radius as one depth-first list of nodes q, r, meta, skip; lines share their beginnings."""
    root: dict[int, Any] = {}
    for away in range(1, radius + 1):
        for target in ring(Hex(0, 0), away):
            for word in line_words(target.q, target.r):
                node = root
                for d in word:
                    node = node.setdefault(d, {})
                node[_ENDS] = True
    nodes: list[list[int]] = []
    _flatten(root, Hex(0, 0), 1, nodes)
    return nodes


def _flatten(parent: dict[int, Any], place: Hex, depth: int, nodes: list[list[int]]) -> None:
    for d in DIRECTIONS:
        if d not in parent:
            continue
        there = Hex(place.q + STEPS[d][0], place.r + STEPS[d][1])
        node = [there.q, there.r, 16 * depth + (8 if _ENDS in parent[d] else 0) + opposite(d), 0]
        nodes.append(node)
        _flatten(parent[d], there, depth + 1, nodes)
        node[3] = len(nodes)
