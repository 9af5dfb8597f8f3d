# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=False, nonecheck=False, auto_pickle=False
"""Lines of sight over heights: what rises above a line hides what lies behind it.

One source for two uses: interpreted as it stands, or compiled with the C types that `slope_sight.pxd` adds; the results
are the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sandtable.geometry.hexes import DIRECTIONS, opposite
from sandtable.geometry.sight_tables import (
    HIGHEST,
    LOWEST,
    NO_HEIGHT,
    NO_SIDE,
    OFF_MAP,
    beyond_table,
    placed_tree,
    slope_table,
)

if TYPE_CHECKING:
    from sandtable.geometry.board import Board, SideKey
    from sandtable.geometry.grid import HexId

    Heights = bytes | bytearray | memoryview | array[int]
    Mask = bytes


class SlopeSight:
    """Sight over heights: a hex is seen when nothing between rises above the line from the origin's ground to its
    ground.

    A hex between stands in the way with its top, half-way between two hexes a hexside does with its own (NO_SIDE:
    nothing); the sides of the origin do not. Where the line runs exactly between two hexes, it is enough that one way
    is clear. A line that leaves the board is blocked. Nothing beyond the radius is seen.

    Heights are bytes, or 16-bit numbers in which NO_SIDE is NO_HEIGHT. They differ by 10,000 at most, counted from
    the lowest ground, or from `lowest` where changes may dig deeper than that. Where `eyes` are above the ground, lines
    run from eye to eye, what they touch hides too, and the sides of the hex looked at hide no more than the origin's.
    """

    def __init__(
        self,
        board: Board,
        ground: Heights,
        top: Heights,
        side_tops: Heights,
        radius: int,
        lowest: int | None = None,
        eyes: int = 0,
    ) -> None:
        if not 0 < radius < 128:
            raise ValueError(f"a radius of {radius} is not between 1 and 127")
        for name, layer, length in (("ground", ground, 1), ("top", top, 1), ("side tops", side_tops, 8)):
            if len(layer) != length * board.size:
                raise ValueError(f"the {name} of this board has {length * board.size} heights, not {len(layer)}")
        self.size = board.size
        self._board, self._eyes = board, eyes
        self._stride = board.height + 2
        self._columns = 2 * radius + 1
        deepest = min(ground[h] for h in board.hexes)
        self._lowest = deepest if lowest is None or lowest > deepest else lowest
        # six side tops, ground and top: all that a step looks at lies together
        cells = array("H", [OFF_MAP]) * (8 * board.size)
        no_side = NO_SIDE if isinstance(side_tops, bytes | bytearray) else NO_HEIGHT
        for h in board.hexes:
            self._check_cell(h, ground[h], top[h])
            sides = [0 if side == no_side else self._above(side) for side in side_tops[8 * h : 8 * h + 6]]
            cells[8 * h : 8 * h + 8] = array("H", (*sides, ground[h] - self._lowest + eyes, top[h] - self._lowest))
        self._cells = cells
        highest = max(max(cells[8 * h : 8 * h + 8]) for h in board.hexes)
        self._set_tables(highest, max(cells[8 * h + 6] for h in board.hexes))
        self._even, self._odd = placed_tree(radius, self._stride)
        self._horizon = array("i", bytes(4 * (radius + 1)))
        # what differs from the cells, which all judges of the same ground share: where, and what is there instead
        self._places = self._values = array("i")

    def _check_cell(self, h: HexId, ground: int, top: int) -> None:
        if not self._lowest <= ground <= top or top - self._lowest > HIGHEST:
            raise ValueError(
                f"hex {h} has ground {ground} and top {top}; expected {self._lowest} to {self._lowest + HIGHEST}"
            )

    def _above(self, side: int) -> int:
        """The top of a side over the lowest ground; one that is no higher never hides anything, as if it were not."""
        if side - self._lowest > HIGHEST:
            raise ValueError(f"a side has the top {side}; expected {self._lowest + HIGHEST} at most")
        return side - self._lowest if side > self._lowest else 0

    def _set_tables(self, highest: int, highest_ground: int) -> None:
        self._highest, self._highest_ground = highest, highest_ground
        self._slopes = slope_table(highest, self._columns // 2)
        self._beyond = beyond_table(highest_ground, highest, self._columns // 2)

    def with_heights(
        self,
        hexes: Mapping[HexId, tuple[int, int]],
        side_tops: Mapping[SideKey, int | None] | None = None,
    ) -> SlopeSight:
        """A judge of the same ground with other heights in places: (ground, top) by hex, tops by side or None for
        nothing there. It adds to the changes this one has, keeps nothing but changes, and takes time by their number.
        """
        changes = dict(zip(self._places, self._values, strict=True))
        highest, highest_ground = self._highest, self._highest_ground
        for h, (ground, top) in hexes.items():
            self._check_place(h)
            self._check_cell(h, ground, top)
            eye, above = ground - self._lowest + self._eyes, top - self._lowest
            changes[8 * h + 6], changes[8 * h + 7] = eye, above
            highest, highest_ground = max(highest, eye, above), max(highest_ground, eye)
        for (h, d), side in (side_tops or {}).items():
            self._check_place(h)
            if d not in DIRECTIONS:
                raise ValueError(f"hex {h} has no side {d}")
            other = self._board.neighbor(h, d)
            above = 0 if side is None else self._above(side)
            changes[8 * h + d] = above
            if other:
                changes[8 * other + opposite(d)] = above
            highest = max(highest, above)
        derived = SlopeSight.__new__(SlopeSight)
        derived._derive(self, highest, highest_ground, changes)
        return derived

    def _derive(self, base: SlopeSight, highest: int, highest_ground: int, changes: dict[int, int]) -> None:
        self.size, self._board, self._stride, self._columns = base.size, base._board, base._stride, base._columns
        self._lowest, self._cells, self._even, self._odd = base._lowest, base._cells, base._even, base._odd
        self._horizon, self._eyes = base._horizon, base._eyes
        self._set_tables(highest, highest_ground)
        self._places, self._values = array("i", changes), array("i", changes.values())

    def visible(self, origin: HexId) -> Mask:
        """A byte per HexId, 1 for every hex that the origin sees, itself included."""
        self._check_place(origin)
        mask = bytearray(self.size)
        self._swap()
        self._mark(origin, mask)
        self._swap()
        return bytes(mask)

    def visible_from(self, sources: Iterable[HexId]) -> Mask:
        """A byte per HexId, 1 for every hex that any of the sources sees: a whole side in one call."""
        mask = bytearray(self.size)
        places = tuple(sources)
        for source in places:
            self._check_place(source)
        self._swap()
        for source in places:
            self._mark(source, mask)
        self._swap()
        return bytes(mask)

    def _check_place(self, h: HexId) -> None:
        if not 0 < h < self.size or self._cells[8 * h + 7] == OFF_MAP:
            raise ValueError(f"hex {h} is off the board")

    def _swap(self) -> None:
        """The changes take the place of what the cells held, and the next time what they held comes back."""
        places, values = self._places, self._values
        for i in range(len(places)):
            at, value = places[i], values[i]
            values[i] = self._cells[at]
            self._cells[at] = value

    def _mark(self, origin: HexId, mask: bytearray) -> None:
        """Every hex the origin sees is marked; the walk visits each shared beginning of lines once."""
        nodes = self._odd if origin // self._stride - 1 & 1 else self._even
        cells, slopes, beyond, horizon = self._cells, self._slopes, self._beyond, self._horizon
        columns, eye = self._columns, cells[8 * origin + 6]
        level = (self._highest - eye) * columns
        limit, is_raised = eye * (columns // 2 + 1), self._eyes != 0
        mask[origin] = 1
        horizon[0] = LOWEST
        i, end = 0, len(nodes)
        while i < end:
            h = origin + nodes[i]
            meta = nodes[i + 1]
            cell = 8 * h
            top = cells[cell + 7]
            if top == 65535:
                i = nodes[i + 2]
                continue
            depth = meta >> 4
            rise = horizon[depth - 1]
            side = cells[cell + (meta & 7)]
            at = level + 2 * depth
            slope = slopes[at - 1 + side * columns]
            hidden = rise + 1 if is_raised else slope if slope > rise else rise
            mask[h] |= (meta >> 3) & (slopes[at + cells[cell + 6] * columns] >= hidden)
            if slope > rise:
                rise = slope
            slope = slopes[at + top * columns]
            if slope > rise:
                rise = slope
            if rise > beyond[limit + depth]:
                i = nodes[i + 2]
            else:
                horizon[depth] = rise
                i += 3
