# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=False, nonecheck=False, auto_pickle=False
"""Lines of sight past the symbols on the hexsides and hexes that a line meets.

One source for two uses: interpreted as it stands, or compiled with the C types that `sight.pxd` adds; the results are
the same. Sight over heights is in `slope_sight.py`, sight judged at points in `point_sight.py`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sandtable.geometry.hexes import STEPS, Hex, to_offset
from sandtable.geometry.lines import Meet, Trace, line_meets, trace
from sandtable.geometry.sight_tables import (
    AREA,
    BLOCKS,
    BLOCKS_BESIDE_LOWER,
    BLOCKS_NEAR_LOWER,
    CLEAR,
    CODES,
    LEVELS,
    ONE_ALLOWED,
    check_layer,
    effect_rows,
    fan,
    side_symbols,
)

if TYPE_CHECKING:
    from sandtable.geometry.board import Board
    from sandtable.geometry.grid import HexId

    Layer = bytes | bytearray
    Heights = Layer | memoryview | array[int]
    Mask = bytes

__all__ = [
    "AREA",
    "BLOCKS",
    "BLOCKS_BESIDE_LOWER",
    "BLOCKS_NEAR_LOWER",
    "CLEAR",
    "ONE_ALLOWED",
    "Meet",
    "Obstruction",
    "SymbolSight",
    "Trace",
    "line_meets",
    "trace",
]

MEMORY = 12 << 20
"""How many bytes a SymbolSight remembers of what it has seen, unless told otherwise."""


class Obstruction(NamedTuple):
    """Why a line is blocked: the effect and code, and the side (direction -1: the whole hex) and place that did it."""

    effect: int
    code: int
    hex: HexId
    direction: int
    place_times_2: int
    places: int


class SymbolSight:
    """Sight past symbols: each hexside carries a code, each hex a level and an area code, and a table judges them.

    `side_codes` holds 8 bytes per hex, 6 of them used, alike seen from either hex of a side; codes are 1 to 7, 0 is
    bare. `table` gives the effect for (lower level of the two ends, upper level, code, level of the obstacle), CLEAR
    where it says nothing. The level of a side is the lower of its hexes' levels; an area code a is looked up as AREA
    + a and blocks when the line meets a side of its hex, except in the two end hexes. BLOCKS_BESIDE_LOWER blocks on a
    side of the lower end's hex, or in an area hex adjacent to it; BLOCKS_NEAR_LOWER blocks up to the middle place
    counted from the lower end; ONE_ALLOWED blocks at the second place. Codes in `clear_lengthwise` do nothing where
    the line runs along them. A side on the edge of the board is met like any other, and adjacent hexes always see each
    other. Sight is mutual whatever the table says. Nothing farther than `farthest` is seen, when that is given.

    Each line is followed anew, hex by hex, so nothing is kept but what was seen from the hexes asked about: a bit per
    hex as far as sight goes, and the latest of them as bytes, the oldest forgotten beyond `memory` bytes in all.
    """

    def __init__(
        self,
        board: Board,
        levels: Heights,
        side_codes: Layer,
        area_codes: Layer,
        table: Mapping[tuple[int, int, int, int], int],
        clear_lengthwise: Iterable[int] = (),
        farthest: int | None = None,
        memory: int = MEMORY,
    ) -> None:
        levels = bytes(tuple(levels))  # a view of wider numbers would give its bytes, not its numbers
        check_layer("levels", levels, board.size, LEVELS)
        check_layer("side codes", side_codes, 8 * board.size, CODES)
        check_layer("area codes", area_codes, board.size, CODES)
        if farthest is not None and farthest < 1:
            raise ValueError(f"sight can't end at {farthest} hexes")
        self.size = board.size
        self._stride = board.height + 2
        self._width = board.width
        self._height = board.height
        whole = board.width + board.height
        self._farthest = whole if farthest is None or farthest > whole else farthest
        self._is_limited = self._farthest < whole
        q, r = board.coordinates
        self._q, self._r = array("i", q), array("i", r)
        self._fan = fan()
        self._levels = levels
        self._on_board = bytes(map(bool, board.terrain))
        # lines are followed over cells, laid out by axial coordinates: there a step is the same from every hex
        self._column = board.height + board.width // 2 + 3
        self._origin = self._column + board.width // 2 + 2
        self._steps = array("i", [q * self._column + r for q, r in STEPS])
        self._cells = self._laid_out(side_symbols(board, levels, side_codes), area_codes)
        self._effects = effect_rows(table, frozenset(clear_lengthwise))
        self._lower = self._row = self._allowed = self._first = self._last = 0
        # what was seen from a hex: as bits, in the order in which they were last made use of, and as bytes
        self._packed: list[bytes | None] = [None] * board.size
        self._order: dict[HexId, None] = {}
        self._spread: dict[HexId, Mask] = {}
        self._spread_room = memory // 3
        self._packed_room = self._packed_free = memory - memory // 3

    def _laid_out(self, sides: bytes, area_codes: Layer) -> bytes:
        """Eight bytes for each cell: what its six sides carry, and its area; 0 for nothing, code and level together."""
        cells = bytearray(8 * self._column * (self._width + 2))
        for h in range(self.size):
            at = 8 * self._cell(h)
            cells[at : at + 6] = sides[8 * h : 8 * h + 6]
            if area_codes[h] and self._is_on(h):
                cells[at + 6] = area_codes[h] * LEVELS + self._levels[h]
        return bytes(cells)

    def sees(self, a: HexId, b: HexId) -> bool:
        """Whether the line between two hexes is clear."""
        self._check_hex(a)
        self._check_hex(b)
        known = self._packed[a]
        if self._is_limited and self._distance(a, b) > self._farthest:
            return False
        if known is not None:
            return self._bit(known, a, b) != 0
        return self._judge(a, b) == 0 if a < b else self._judge(b, a) == 0

    def sees_each(self, a: HexId, hexes: Iterable[HexId]) -> list[HexId]:
        """Those of the hexes that have a clear line to this one: many in one call."""
        seen: list[HexId] = []
        for b in hexes:
            if self.sees(a, b):
                seen.append(b)
        return seen

    def visible(self, a: HexId) -> Mask:
        """A byte per HexId, 1 for every hex with a clear line to this one, itself included."""
        self._check_hex(a)
        mask: Mask | None = self._spread.get(a)
        if mask is None:
            mask = self._spread_out(self._look(a), self._begin(a))
            if len(mask) <= self._spread_room:
                while (len(self._spread) + 1) * len(mask) > self._spread_room:
                    del self._spread[next(iter(self._spread))]
                self._spread[a] = mask
        return mask

    def visible_from(self, sources: Iterable[HexId]) -> Mask:
        """A byte per HexId, 1 for every hex that any of the sources sees: a whole side in one call."""
        union = 0
        for source in sources:
            self._check_hex(source)
            union |= int.from_bytes(self._look(source), "little") << self._begin(source)
        return self._spread_out(union.to_bytes((self.size + 7) // 8, "little"), 0)

    def why(self, a: HexId, b: HexId) -> Obstruction | None:
        """What blocks the line from a to b, or None when it is clear or too long; places are counted from a."""
        self._check_hex(a)
        self._check_hex(b)
        first, second = (a, b) if a < b else (b, a)
        if not 1 < self._distance(a, b) <= self._farthest or self._judge(first, second) == 0:
            return None
        places, flat = line_meets(self._q[second] - self._q[first], self._r[second] - self._r[first])
        found = self._blocking_side(first, second, places, flat) or self._blocking_area(first, second, places, flat)
        return found if a < b else found._replace(place_times_2=2 * places + 2 - found.place_times_2)

    def _blocking_side(self, a: HexId, b: HexId, places: int, flat: list[int]) -> Obstruction | None:
        """The first side that blocks the line, the way back or a second one that is allowed once included."""
        self._prepare(a, b)
        for i in range(0, len(flat), 4):
            q, r, d, place = flat[i], flat[i + 1], flat[i + 2], flat[i + 3]
            cell = self._cell(a) + q * self._column + r
            symbol = self._cells[8 * cell + d]
            if not symbol:
                continue
            effect = self._effects[self._row + symbol + 32 * (place & 1)]
            near = place if self._lower == self._cell(a) else 2 * places + 2 - place
            is_near = effect == BLOCKS_NEAR_LOWER and near <= places + 1
            if self._side_blocks(symbol, place, cell, cell + self._steps[d]) or is_near:
                h = self._hex_at(self._q[a] + q, self._r[a] + r)
                if not self._is_on(h):  # a side on the edge is named from its one hex
                    h = self._hex_at(self._q[a] + q + STEPS[d][0], self._r[a] + r + STEPS[d][1])
                    d = (d + 3) % 6
                return Obstruction(effect, symbol // LEVELS, h, d, place, places)
        return None

    def _blocking_area(self, a: HexId, b: HexId, places: int, flat: list[int]) -> Obstruction:
        """The first area that blocks the line: there is one, since the line is blocked and no side does it."""
        met: dict[HexId, int] = {}
        for i in range(0, len(flat), 4):
            for dq, dr in ((0, 0), STEPS[flat[i + 2]]):
                h = self._hex_at(self._q[a] + flat[i] + dq, self._r[a] + flat[i + 1] + dr)
                symbol = self._cells[8 * self._cell(h) + 6]
                if symbol and h != a and h != b and self._area_blocks(symbol, self._cell(h)):
                    met.setdefault(h, flat[i + 3])
        h = next(iter(met))
        symbol = self._cells[8 * self._cell(h) + 6]
        effect = self._effects[self._row + 64 + symbol]
        return Obstruction(effect, symbol // LEVELS + AREA, h, -1, met[h], places)

    def _cell(self, h: HexId) -> int:
        """Where a hex stands among the cells, one of the guard ring too."""
        return self._q[h] * self._column + self._r[h] + self._origin

    def _hex_at(self, q: int, r: int) -> HexId:
        """The id at axial coordinates, in the guard ring too."""
        col, row = to_offset(Hex(q, r))
        return (col + 1) * self._stride + row + 1

    def _is_on(self, h: HexId) -> bool:
        return 0 < h < self.size and self._on_board[h] != 0

    def _check_hex(self, h: HexId) -> None:
        if not self._is_on(h):
            raise ValueError(f"hex {h} is off the board")

    def _distance(self, a: HexId, b: HexId) -> int:
        q, r = self._q[a] - self._q[b], self._r[a] - self._r[b]
        if q < 0:
            q, r = -q, -r
        return q + r if r >= 0 else q if q > -r else -r

    # what was seen from a hex, as bits from the first id of the first column within sight

    def _begin(self, a: HexId) -> HexId:
        first = a // self._stride - self._farthest
        return first * self._stride if first > 1 else self._stride

    def _bit(self, known: bytes, a: HexId, b: HexId) -> int:
        at = b - self._begin(a)
        return known[at >> 3] >> (at & 7) & 1

    def _look(self, a: HexId) -> bytes:
        """What a hex sees, as bits; looked up, or found out and kept."""
        known = self._packed[a]
        if known is not None:
            del self._order[a]
            self._order[a] = None
            return known
        found = self._find(a)
        if len(found) <= self._packed_room:
            self._packed_free -= len(found)
            while self._packed_free < 0:
                oldest = next(iter(self._order))
                del self._order[oldest]
                self._packed_free += len(self._packed[oldest] or b"")
                self._packed[oldest] = None
            self._packed[a] = found
            self._order[a] = None
        return found

    def _find(self, a: HexId) -> bytes:
        stride, farthest, begin = self._stride, self._farthest, self._begin(a)
        last = a // stride + farthest
        if last > self._width:
            last = self._width
        end = (last + 1) * stride
        bits = bytearray((end - begin + 7) // 8)
        packed, limited = self._packed, self._is_limited
        for column in range(begin, end, stride):
            for b in range(column + 1, column + 1 + self._height):
                if limited and self._distance(a, b) > farthest:
                    continue
                known = packed[b]
                if known is not None:  # sight is mutual
                    clear = self._bit(known, b, a)
                elif a < b:
                    clear = 1 - self._judge(a, b)
                else:
                    clear = 1 - self._judge(b, a)
                bits[(b - begin) >> 3] |= clear << ((b - begin) & 7)
        return bytes(bits)

    def _spread_out(self, bits: bytes, begin: HexId) -> Mask:
        mask = bytearray(self.size)
        for i in range(len(bits)):
            eight = bits[i]
            h = begin + 8 * i
            while eight:
                if eight & 1:
                    mask[h] = 1
                h += 1
                eight >>= 1
        return bytes(mask)

    # the line, followed from the lesser id to the greater

    def _prepare(self, a: HexId, b: HexId) -> None:
        """The row of the table for two ends, and nothing met yet."""
        lower, upper = self._levels[a], self._levels[b]
        if lower > upper:
            lower, upper, self._lower = upper, lower, self._cell(b)
        else:
            self._lower = self._cell(a)
        self._row = (lower * 4 + upper) * 96
        self._allowed = self._first = self._last = 0

    def _middle(self, dq: int, dr: int) -> int:
        """Where in the fan the side stands that faces a line most, 0 to 3; no line goes left, where lesser ids are."""
        if dr >= 0:
            return 32 if dq >= dr else 48
        if dq + dr >= 0:
            return 16 if -dr >= dq + dr else 32
        return 0 if -dq - dr >= dq else 16

    def _judge(self, a: HexId, b: HexId) -> int:
        """1 when something blocks the line, 0 when it is clear; a is the lesser id.

        The line leaves each hex through one of three sides, the middle one of which faces it most, or through one of
        the two corners between them: which one, the hands of the corners tell, as in `lines.line_meets`.
        """
        dq, dr = self._q[b] - self._q[a], self._r[b] - self._r[a]
        if dq <= 1 and -1 <= dr <= 1 and -1 <= dq + dr <= 1:
            return 0
        self._prepare(a, b)
        fan = self._middle(dq, dr)
        # the three sides, where a step through each of them leads and by how much it turns the hand
        u, v, w = self._fan[fan + 12], self._fan[fan + 13], self._fan[fan + 14]
        step_u, step_v, step_w = self._steps[u], self._steps[v], self._steps[w]
        turn_u = 3 * (dq * self._fan[fan + 1] - dr * self._fan[fan])
        turn_v = 3 * (dq * self._fan[fan + 3] - dr * self._fan[fan + 2])
        turn_w = 3 * (dq * self._fan[fan + 5] - dr * self._fan[fan + 4])
        first = dq * self._fan[fan + 7] - dr * self._fan[fan + 6]
        second = dq * self._fan[fan + 9] - dr * self._fan[fan + 8]
        third = dq * self._fan[fan + 11] - dr * self._fan[fan + 10]
        start, end = self._cell(a), self._cell(b)
        place, cell, hand = 0, start, 0
        while cell != end:
            place += 2
            if hand + first >= 0:
                corner, side, step, turn = hand + first, u, step_u, turn_u
            elif hand + second >= 0:
                corner, side, step, turn = hand + second, v, step_v, turn_v
            else:
                corner, side, step, turn = -1, w, step_w, turn_w
            if corner:
                symbol = self._cells[8 * cell + side]
                if symbol and self._side_blocks(symbol, place, cell, cell + step):
                    return 1
            else:
                # on through the left or the right hex, or along the side between them to the far one
                is_left = side == u
                corner = hand + turn + (second if is_left else third)
                if self._corner_blocks(fan + 12 if is_left else fan + 13, place, cell, corner == 0, end):
                    return 1
                if corner == 0:
                    place += 2
                    hand += turn
                    cell += step
                if corner <= 0:
                    step, turn = (step_v, turn_v) if is_left else (step_w, turn_w)
            hand += turn
            cell += step
            symbol = self._cells[8 * cell + 6]
            if symbol and cell != end and self._area_blocks(symbol, cell):
                return 1
        # the middle place is known only now that all are counted
        if self._lower == start:
            return 1 if self._first and self._first <= place // 2 + 1 else 0
        return 1 if self._last >= place // 2 + 1 else 0

    def _side_blocks(self, symbol: int, place: int, cell: int, other: int) -> int:
        """Whether a side that carries something blocks the line by itself; what depends on other sides is noted."""
        effect = self._effects[self._row + symbol + 32 * (place & 1)]
        if effect == 1:
            return 1
        if effect == 2:
            return 1 if cell == self._lower or other == self._lower else 0
        if effect == 3:
            if self._first == 0:
                self._first = place
            self._last = place
        elif effect == 4:
            if self._allowed and self._allowed != place:
                return 1
            self._allowed = place
        return 0

    def _corner_blocks(self, at: int, place: int, cell: int, is_lengthwise: bool, end: int) -> int:
        """Whether one of the sides or hexes that meet at a corner blocks the line; where it runs on along the side
        between left and right, those at the other end, before the far hex, too.
        """
        u, v, w = self._fan[at], self._fan[at + 1], self._fan[at + 2]
        left, right = cell + self._steps[u], cell + self._steps[v]
        symbol = self._cells[8 * cell + u]
        if symbol and self._side_blocks(symbol, place, cell, left):
            return 1
        symbol = self._cells[8 * cell + v]
        if symbol and self._side_blocks(symbol, place, cell, right):
            return 1
        symbol = self._cells[8 * left + w]
        if symbol and self._side_blocks(symbol, place + 1 if is_lengthwise else place, left, right):
            return 1
        if is_lengthwise:
            far = left + self._steps[v]
            symbol = self._cells[8 * left + v]
            if symbol and self._side_blocks(symbol, place + 2, left, far):
                return 1
            symbol = self._cells[8 * right + u]
            if symbol and self._side_blocks(symbol, place + 2, right, far):
                return 1
        symbol = self._cells[8 * left + 6]
        if symbol and left != end and self._area_blocks(symbol, left):
            return 1
        symbol = self._cells[8 * right + 6]
        return 1 if symbol and right != end and self._area_blocks(symbol, right) else 0

    def _area_blocks(self, symbol: int, cell: int) -> int:
        effect = self._effects[self._row + 64 + symbol]
        return 1 if effect == 1 or (effect == 2 and self._is_beside_lower(cell)) else 0

    def _is_beside_lower(self, cell: int) -> bool:
        """Whether a cell is adjacent to that of the lower end."""
        away = cell - self._lower if cell > self._lower else self._lower - cell
        return away == 1 or away == self._column or away == self._column - 1
