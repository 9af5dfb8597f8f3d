# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=False, nonecheck=False, auto_pickle=False
"""Lines of sight: the exact trace of a line over hexsides, and two judges of what it can pass.

`SymbolSight` judges the symbols on the hexsides and hexes a line meets; `SlopeSight` judges heights along it. One
source for two uses: interpreted as it stands, or compiled with the C types that `sight.pxd` adds; the results are the
same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable.geometry.hexes import DIRECTIONS, STEPS, Hex, line_words, opposite, ring

if TYPE_CHECKING:
    from sandtable.geometry.board import Board, HexId, SideKey

    Layer = bytes | bytearray
    Heights = Layer | memoryview
    Mask = bytes

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

_ROW = 3 * LEVELS * CODES
_LOWEST = -(1 << 30)
_ENDS = 6  # marks a node of the line tree where a line ends; the other keys are directions


class Meet(NamedTuple):
    """One place of a line: what it meets at a point, or the side it runs along from there to the next place."""

    place_times_2: int
    kind: str
    sides: tuple[SideKey, ...]


class Trace(NamedTuple):
    """All that a line meets between two hexes: its places are numbered from 1 and counted from the first hex."""

    places: int
    meets: tuple[Meet, ...]
    hexes: tuple[HexId, ...]


class Obstruction(NamedTuple):
    """Why a line is blocked: the effect and code, and the side (direction -1: the whole hex) and place that did it."""

    effect: int
    code: int
    hex: HexId
    direction: int
    place_times_2: int
    places: int


def line_meets(dq: int, dr: int) -> tuple[int, list[int]]:
    """How many places the line to an offset has, and the sides it meets as q, r, direction and twice the place, in
    order.

    The line is followed from hex to hex. It leaves each through the side whose corners lie on either hand, or through
    a corner, which is one place and meets the three sides there; from a corner it may run along the side between the
    next two hexes, whose place is half-way between its corners. All of it is exact: a corner's hand is the sign of a
    cross product.
    """
    sides: list[int] = []
    return _walk(dq, dr, sides), sides


def _walk(dq: int, dr: int, sides: list[int]) -> int:
    step_q = [0, 1, 1, 0, -1, -1]
    step_r = [-1, -1, 0, 1, 1, 0]
    # corner k of a hex, times 3, is the counterclockwise end of its side k; its hand is hand[k] more than the center's
    corner_q = [-1, 1, 2, 1, -1, -2, -1]
    corner_r = [-1, -2, -1, 1, 2, 1, -1]
    hand = [0, 0, 0, 0, 0, 0, 0]
    for k in range(7):
        hand[k] = dq * corner_r[k] - dr * corner_q[k]
    place = q = r = 0
    while q != dq or r != dr:
        center = 3 * (dq * r - dr * q)
        d = 0
        while center + hand[d] >= 0 or center + hand[d + 1] < 0:
            d += 1
        e = d + 1 if d < 5 else 0
        f = e + 1 if e < 5 else 0
        place += 1
        left_q, left_r = q + step_q[d], r + step_r[d]
        sides += (q, r, d, 2 * place)
        if center + hand[d + 1] > 0:
            q, r = left_q, left_r
            continue
        right_q, right_r = q + step_q[e], r + step_r[e]
        sides += (q, r, e, 2 * place)
        # beyond the corner lies the side between the left and the right hex: which hand has its far end?
        far = 3 * (dq * left_r - dr * left_q) + hand[f]
        if far == 0:
            sides += (left_q, left_r, f, 2 * place + 1)
            place += 1
            sides += (left_q, left_r, e, 2 * place)
            sides += (right_q, right_r, d, 2 * place)
            q, r = left_q + step_q[e], left_r + step_r[e]
        else:
            sides += (left_q, left_r, f, 2 * place)
            q, r = (left_q, left_r) if far > 0 else (right_q, right_r)
    return place


def trace(board: Board, a: HexId, b: HexId) -> Trace:
    """The places of the straight line from center to center, the sides met at each, and the hexes whose sides they are.

    A side is named from its hex with the lower id, or from the one that is on the board; both ends are among the hexes.
    """
    start, end = board.axial(a), board.axial(b)
    places, flat = line_meets(end.q - start.q, end.r - start.r)
    records = [
        (flat[i + 3], _side_key(board, Hex(start.q + flat[i], start.r + flat[i + 1]), flat[i + 2]))
        for i in range(0, len(flat), 4)
    ]
    meets: list[Meet] = []
    hexes: dict[HexId, None] = {a: None}
    for place, group in groupby(records, key=lambda record: record[0]):
        sides = tuple(side for _, side in group)
        meets.append(Meet(place, "run" if place & 1 else "point", sides))
        for h, d in sides:
            hexes.update({h: None, board.neighbor(h, d): None})
    hexes.pop(0, None)
    return Trace(places, tuple(meets), tuple(hexes))


def _side_key(board: Board, place: Hex, d: int) -> SideKey:
    here = board.from_axial(place)
    there = board.from_axial(Hex(place.q + STEPS[d][0], place.r + STEPS[d][1]))
    return (here, d) if here and (here < there or not there) else (there, opposite(d))


class SymbolSight:
    """Sight past symbols: each hexside carries a code, each hex a level and an area code, and a table judges them.

    `side_codes` holds 8 bytes per hex, 6 of them used, alike seen from either hex of a side; codes are 1 to 7, 0 is
    bare. `table` gives the effect for (lower level of the two ends, upper level, code, level of the obstacle), CLEAR
    where it says nothing. The level of a side is the lower of its hexes' levels; an area code a is looked up as AREA
    + a and blocks when the line meets a side of its hex, except in the two end hexes. BLOCKS_BESIDE_LOWER blocks on a
    side of the lower end's hex, or in an area hex adjacent to it; BLOCKS_NEAR_LOWER blocks up to the middle place
    counted from the lower end; ONE_ALLOWED blocks at the second place. Codes in `clear_lengthwise` do nothing where
    the line runs along them. Sides on the edge of the board are bare, and adjacent hexes always see each other. Sight
    is mutual whatever the table says.
    """

    def __init__(
        self,
        board: Board,
        levels: Heights,
        side_codes: Layer,
        area_codes: Layer,
        table: Mapping[tuple[int, int, int, int], int],
        clear_lengthwise: Iterable[int] = (),
    ) -> None:
        levels = bytes(tuple(levels))  # a view of wider numbers would give its bytes, not its numbers
        _check_layer("levels", levels, board.size, LEVELS)
        _check_layer("side codes", side_codes, 8 * board.size, CODES)
        _check_layer("area codes", area_codes, board.size, CODES)
        self.size = board.size
        self._stride = board.height + 2
        self._width = board.width
        self._height = board.height
        self._hexes = array("i", sorted(board.hexes))
        self._levels = levels
        self._sides = _side_symbols(board, levels, side_codes)
        self._areas = bytes(
            area_codes[h] * LEVELS + levels[h] if area_codes[h] and board.is_on(h) else 0 for h in range(board.size)
        )
        self._effects = _effect_rows(table, frozenset(clear_lengthwise))
        # where in the pool the template of (parity of the column, columns right, rows down) begins; 0 is not made yet
        self._starts = array("i", bytes(4 * 2 * board.width * (2 * board.height - 1)))
        self._pool = array("i", bytes(4 * 4096))
        self._used = 1
        self._masks: list[Mask | None] = [None] * board.size

    def sees(self, a: HexId, b: HexId) -> bool:
        """Whether the line between two hexes is clear."""
        self._check_hex(a)
        self._check_hex(b)
        mask = self._masks[a]
        if mask is not None:
            return mask[b] != 0
        return self._judge(a, b) == 0 if a < b else self._judge(b, a) == 0

    def visible(self, a: HexId) -> Mask:
        """A byte per HexId, 1 for every hex with a clear line to this one, itself included; kept for the next time."""
        self._check_hex(a)
        mask = self._masks[a]
        if mask is None:
            mask = self._masks[a] = self._look(a)
        return mask

    def visible_from(self, sources: Iterable[HexId]) -> Mask:
        """A byte per HexId, 1 for every hex that any of the sources sees: a whole side in one call."""
        union = 0
        for source in sources:
            union |= int.from_bytes(self.visible(source), "little")
        return union.to_bytes(self.size, "little")

    def why(self, a: HexId, b: HexId) -> Obstruction | None:
        """What blocks the line from a to b, or None when it is clear; places are counted from a."""
        self._check_hex(a)
        self._check_hex(b)
        first, second = (a, b) if a < b else (b, a)
        at = self._judge(first, second)
        if at == 0:
            return None
        start = self._template(first, second)
        places, side_end = self._pool[start], self._pool[start + 1]
        meta = self._pool[at + 1]
        place = meta >> 3
        lower, upper = sorted((self._levels[a], self._levels[b]))
        row = (lower * LEVELS + upper) * _ROW
        if at < side_end:
            side = 8 * first + self._pool[at]
            symbol, h, d = self._sides[side], side >> 3, side & 7
            effect = self._effects[row + symbol + 8 * (meta & 4)]
            code = symbol // LEVELS
        else:
            h, d = first + self._pool[at], -1
            symbol = self._areas[h]
            effect = self._effects[row + 64 + symbol]
            code = symbol // LEVELS + AREA
        return Obstruction(effect, code, h, d, place if a < b else 2 * places + 2 - place, places)

    def _check_hex(self, h: HexId) -> None:
        if not self._stride <= h < self.size - self._stride or not 0 < h % self._stride <= self._height:
            raise ValueError(f"hex {h} is off the board")

    def _look(self, a: HexId) -> Mask:
        mask = bytearray(self.size)
        hexes, masks = self._hexes, self._masks
        for i in range(len(hexes)):
            b = hexes[i]
            known = masks[b]
            if known is not None:  # sight is mutual
                mask[b] = known[a]
            elif a < b:
                mask[b] = self._judge(a, b) == 0
            else:
                mask[b] = self._judge(b, a) == 0
        return bytes(mask)

    def _judge(self, a: HexId, b: HexId) -> int:
        """Where in the pool the record that blocks the line stands, or 0 when it is clear; a is the lesser id."""
        i = self._template(a, b)
        places = self._pool[i]
        end = self._pool[i + 1]
        last = self._pool[i + 2]
        i += 3
        lower, upper, lower_end, base = self._levels[a], self._levels[b], 1, 8 * a
        if lower > upper:
            lower, upper, lower_end = upper, lower, 2
        row = (lower * 4 + upper) * 96
        allowed = 0
        while i < end:
            symbol = self._sides[base + self._pool[i]]
            if symbol:
                meta = self._pool[i + 1]
                effect = self._effects[row + symbol + 8 * (meta & 4)]
                if effect:
                    place = meta >> 3
                    if effect == 1 or (effect == 2 and meta & lower_end):
                        return i
                    if effect == 3:
                        if lower_end == 2:
                            place = 2 * places + 2 - place
                        if place <= places + 1:
                            return i
                    elif effect == 4:
                        if allowed and allowed != place:
                            return i
                        allowed = place
            i += 2
        while i < last:
            symbol = self._areas[a + self._pool[i]]
            if symbol:
                effect = self._effects[row + 64 + symbol]
                if effect == 1 or (effect == 2 and self._pool[i + 1] & lower_end):
                    return i
            i += 2
        return 0

    def _template(self, a: HexId, b: HexId) -> int:
        """Where in the pool the template of the line stands; lines alike but for where they begin share one."""
        stride = self._stride
        col_a, col_b = a // stride, b // stride
        across, down = col_b - col_a, (b - col_b * stride) - (a - col_a * stride)
        # ids count columns from 1
        parity = col_a + 1 & 1
        at = (parity * self._width + across) * (2 * self._height - 1) + down + self._height - 1
        start = self._starts[at]
        if start == 0:
            start = self._make_template(across, down - (parity + across) // 2, parity)
            self._starts[at] = start
        return start

    def _make_template(self, dq: int, dr: int, parity: int) -> int:
        """Records of two numbers: how far off the side or area stands, and what holds there whatever the symbol.

        The second is 8 times twice the place, plus 4 for a side met lengthwise, plus 1 and 2 when it is beside the
        first or the second end. A heading gives the places and the ends of the sides and of the areas.
        """
        flat: list[int] = []
        areas: dict[tuple[int, int], int] = {}
        near = max(abs(dq), abs(dr), abs(dq + dr)) <= 1
        places = 0 if near else _walk(dq, dr, flat)
        sides: list[int] = []
        for i in range(0, len(flat), 4):
            q, r, d, place = flat[i], flat[i + 1], flat[i + 2], flat[i + 3]
            other_q, other_r = q + STEPS[d][0], r + STEPS[d][1]
            meta = 8 * place + 4 * (place & 1)
            for owner_q, owner_r in ((q, r), (other_q, other_r)):
                if owner_q == 0 and owner_r == 0:
                    meta |= 1
                elif owner_q == dq and owner_r == dr:
                    meta |= 2
                elif (owner_q, owner_r) not in areas:
                    areas[owner_q, owner_r] = place
            sides.append(8 * self._offset(q, r, parity) + d)
            sides.append(meta)
        start = self._used
        end = start + 3 + len(sides)
        record = [places, end, end + 2 * len(areas), *sides]
        for (q, r), place in areas.items():
            beside = 1 if max(abs(q), abs(r), abs(q + r)) == 1 else 0
            q_left, r_left = dq - q, dr - r
            if max(abs(q_left), abs(r_left), abs(q_left + r_left)) == 1:
                beside += 2
            record.append(self._offset(q, r, parity))
            record.append(8 * place + beside)
        self._store(record)
        return start

    def _offset(self, q: int, r: int, parity: int) -> int:
        """What to add to the id of the first hex, whose column has that parity, to get the hex at an axial offset."""
        col = q + parity
        return q * self._stride + r + (col - (col & 1)) // 2

    def _store(self, record: list[int]) -> None:
        used, length = self._used, len(self._pool)
        if used + len(record) > length:
            pool = array("i", bytes(4 * 2 * (length + len(record))))
            pool[:length] = self._pool
            self._pool = pool
        for i in range(len(record)):
            self._pool[used + i] = record[i]
        self._used = used + len(record)


def _check_layer(name: str, layer: Layer, length: int, below: int) -> None:
    if len(layer) != length:
        raise ValueError(f"the {name} of this board have {length} bytes, not {len(layer)}")
    if max(layer) >= below:
        raise ValueError(f"the {name} go up to {below - 1}, not {max(layer)}")


def _side_symbols(board: Board, levels: Layer, side_codes: Layer) -> bytes:
    """Code and level of every side in one byte, 0 where it is bare or on the edge."""
    symbols = bytearray(8 * board.size)
    for h in board.hexes:
        for d in DIRECTIONS:
            n = board.neighbor(h, d)
            code = side_codes[8 * h + d]
            if not n:
                continue
            if code != side_codes[8 * n + opposite(d)]:
                raise ValueError(f"side {d} of hex {h} has code {code}, but another one seen from hex {n}")
            if code:
                symbols[8 * h + d] = code * LEVELS + min(levels[h], levels[n])
    return bytes(symbols)


def _effect_rows(table: Mapping[tuple[int, int, int, int], int], clear_lengthwise: frozenset[int]) -> bytes:
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


class SlopeSight:
    """Sight over heights: a hex is seen when nothing between rises above the line from the origin's ground to its
    ground.

    A hex between stands in the way with its top, half-way between two hexes a hexside does with its own (NO_SIDE:
    nothing); the sides of the origin do not. Where the line runs exactly between two hexes, it is enough that one way
    is clear. A line that leaves the board is blocked. Nothing beyond the radius is seen.
    """

    def __init__(self, board: Board, ground: Layer, top: Layer, side_tops: Layer, radius: int) -> None:
        if not 0 < radius < 128:
            raise ValueError(f"a radius of {radius} is not between 1 and 127")
        for name, layer, length in (("ground", ground, 1), ("top", top, 1), ("side tops", side_tops, 8)):
            if len(layer) != length * board.size:
                raise ValueError(f"the {name} of this board has {length * board.size} bytes, not {len(layer)}")
        self.size = board.size
        self._stride = board.height + 2
        cells = bytearray(b"\xff" * (8 * board.size))
        for h in board.hexes:
            if ground[h] > top[h] or top[h] == 255:
                raise ValueError(f"hex {h} has ground {ground[h]} and top {top[h]}")
            # a side of height 0 never rises above any ground seen past it, so it stands for a side that carries nothing
            cells[8 * h : 8 * h + 6] = side_tops[8 * h : 8 * h + 6].replace(b"\xff", b"\0")
            cells[8 * h + 6], cells[8 * h + 7] = ground[h], top[h]
        # six side tops, ground and top: all that a step looks at lies together; a top of 255 is off the board
        self._cells = bytes(cells)
        self._columns = 2 * radius + 1
        highest = max(max(cells[8 * h : 8 * h + 8]) for h in board.hexes)
        self._highest = highest
        self._slopes = _slope_table(highest, radius)
        self._beyond = _beyond_table(max(ground[h] for h in board.hexes), highest, radius, self._slopes)
        self._even, self._odd = _placed_tree(radius, self._stride)
        self._horizon = array("i", bytes(4 * (radius + 1)))

    def visible(self, origin: HexId) -> Mask:
        """A byte per HexId, 1 for every hex that the origin sees, itself included."""
        mask = bytearray(self.size)
        self._mark(origin, mask)
        return bytes(mask)

    def visible_from(self, sources: Iterable[HexId]) -> Mask:
        """A byte per HexId, 1 for every hex that any of the sources sees: a whole side in one call."""
        mask = bytearray(self.size)
        for source in sources:
            self._mark(source, mask)
        return bytes(mask)

    def _mark(self, origin: HexId, mask: bytearray) -> None:
        """Every hex the origin sees is marked; the walk visits each shared beginning of lines once."""
        if not 0 < origin < self.size or self._cells[8 * origin + 7] == 255:
            raise ValueError(f"hex {origin} is off the board")
        nodes = self._odd if origin // self._stride - 1 & 1 else self._even
        cells, slopes, beyond, horizon = self._cells, self._slopes, self._beyond, self._horizon
        columns, eye = self._columns, cells[8 * origin + 6]
        level = (self._highest - eye) * columns
        limit = eye * (columns // 2 + 1)
        mask[origin] = 1
        horizon[0] = _LOWEST
        i, end = 0, len(nodes)
        while i < end:
            h = origin + nodes[i]
            meta = nodes[i + 1]
            cell = 8 * h
            top = cells[cell + 7]
            if top == 255:
                i = nodes[i + 2]
                continue
            depth = meta >> 4
            rise = horizon[depth - 1]
            side = cells[cell + (meta & 7)]
            at = level + 2 * depth
            slope = slopes[at - 1 + side * columns]
            if slope > rise:
                rise = slope
            mask[h] |= (meta >> 3) & (slopes[at + cells[cell + 6] * columns] >= rise)
            slope = slopes[at + top * columns]
            if slope > rise:
                rise = slope
            if rise > beyond[limit + depth]:
                i = nodes[i + 2]
            else:
                horizon[depth] = rise
                i += 3


def _slope_table(highest: int, radius: int) -> array[int]:
    """Slopes by height difference and twice the distance, as integers in the exact order of the fractions.

    Two different fractions with denominators up to 2 * radius differ by at least 1 / (2 * radius) ** 2, so multiplied
    by that square and rounded down they still differ, and equal ones stay equal.
    """
    scale = (2 * radius) ** 2
    slopes = array("i")
    for rise in range(-highest, highest + 1):
        # the first half step is to a side of the origin's own hex, which hides nothing
        slopes.extend((0, _LOWEST))
        slopes.extend(rise * scale // half_steps for half_steps in range(2, 2 * radius + 1))
    return slopes


def _beyond_table(highest_ground: int, highest: int, radius: int, slopes: array[int]) -> array[int]:
    """The steepest slope at which a hex farther than a distance can appear, by eye level and distance."""
    columns = 2 * radius + 1
    beyond = array("i")
    for eye in range(highest_ground + 1):
        row = (highest_ground - eye + highest) * columns
        beyond.extend(slopes[row + 2 * min(depth + 1, radius)] for depth in range(radius + 1))
    return beyond


@lru_cache(maxsize=8)
def _placed_tree(radius: int, stride: int) -> tuple[array[int], array[int]]:
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
