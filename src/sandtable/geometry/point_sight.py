# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# cython: annotation_typing=False, infer_types=False, nonecheck=False, auto_pickle=False
"""Lines of sight judged at points: as many between two hexes as there are steps from one to the other.

Each point lies in one hex, or on the hexside of two. One source for two uses: interpreted as it stands, or compiled
with the C types that `point_sight.pxd` adds; the results are the same.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from sandtable.geometry.hexes import STEPS

if TYPE_CHECKING:
    from sandtable.geometry.board import Board
    from sandtable.geometry.grid import HexId

    Layer = bytes | bytearray
    Mask = bytes

KEPT = 4096
"""How many hexes a PointSight remembers the sight of."""

THICK = 2
"""As far one sees inside one and the same thicket."""


class LinePoint(NamedTuple):
    """A point of a line: the hex it lies in, or the two whose common side it lies on; 0 is off the board."""

    hex: HexId
    other: HexId


class PointSight:
    """Sight over heights: a hex is seen when at no point between rises what stands there above the straight line from
    ground to ground. On a hexside both hexes must rise above it; off the board nothing stands.

    Hexes of one thicket class (0: none) from end to end are seen through as far as THICK hexes and no farther, whatever
    their heights. Adjacent hexes always see each other. Nothing beyond the radius is seen.
    """

    def __init__(self, board: Board, ground: Layer, top: Layer, thickets: Layer, radius: int) -> None:
        for name, layer in (("ground", ground), ("top", top), ("thickets", thickets)):
            if len(layer) != board.size:
                raise ValueError(f"the {name} of this board has {board.size} bytes, not {len(layer)}")
        if radius < 1:
            raise ValueError(f"sight can't end at {radius} hexes")
        self.size = board.size
        self._stride = board.height + 2
        self._board = board
        self._radius = radius
        self._ground = bytes(ground)
        self._top = bytes(top)
        self._thickets = bytes(thickets)
        self._on = bytes(1 if board.is_on(h) else 0 for h in range(board.size))
        q, r = board.coordinates
        self._q, self._r = array("i", q), array("i", r)
        self._step_q, self._step_r = array("i", (q for q, _ in STEPS)), array("i", (r for _, r in STEPS))
        self._kept: dict[int, bytes] = {}

    def sees(self, a: HexId, b: HexId) -> bool:
        """Whether one hex sees the other."""
        kept = self._kept.get(a)
        if kept is not None:
            return bool(kept[b])
        return self._judge(a, b) != 0

    def visible(self, a: HexId) -> Mask:
        """A byte per HexId, 1 for every hex that this one sees, itself included."""
        kept = self._kept.get(a)
        if kept is None:
            kept = self._look(a)
            if len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[a] = kept
        return kept

    def _look(self, a: HexId) -> bytes:
        mask = bytearray(self.size)
        for b in range(self.size):
            if self._on[b] and self._judge(a, b):
                mask[b] = 1
        return bytes(mask)

    def _judge(self, a: HexId, b: HexId) -> int:
        """1 when the one sees the other, both on the board."""
        dq = self._q[b] - self._q[a]
        dr = self._r[b] - self._r[a]
        n = max(abs(dq), abs(dr), abs(dq + dr))
        if n <= 1:
            return 1
        if n > self._radius:
            return 0
        low = 0
        highs = 0
        high = 5
        d = 0
        while d < 5:
            # the line lies between two adjacent directions: so many steps in the one and so many in the other
            along = dq * self._step_r[d + 1] - dr * self._step_q[d + 1]
            across = self._step_q[d] * dr - self._step_r[d] * dq
            if along >= 0 and across >= 0:
                low = d
                high = d + 1
                highs = n - along
                break
            d += 1
        else:
            highs = dq * self._step_r[0] - dr * self._step_q[0]
        low_q = self._step_q[low]
        low_r = self._step_r[low]
        high_q = self._step_q[high]
        high_r = self._step_r[high]
        thicket = self._thickets[a] if self._thickets[a] == self._thickets[b] else 0
        here = self._ground[a]
        there = self._ground[b]
        clear = 1
        for i in range(1, n):
            twice = 2 * highs * i
            k = (twice + n) // (2 * n)
            first = self._place(a, low_q * (i - k) + high_q * k, low_r * (i - k) + high_r * k)
            second = first
            if (twice + n) % (2 * n) == 0:
                k -= 1
                second = self._place(a, low_q * (i - k) + high_q * k, low_r * (i - k) + high_r * k)
            # the rim of the board is ragged by half a hex, so never both lie beyond it
            if not first:
                first = second
            elif not second:
                second = first
            top = self._top[first] if self._top[first] < self._top[second] else self._top[second]
            if top * n > (n - i) * here + i * there:
                clear = 0
            if thicket and (self._thickets[first] != thicket or self._thickets[second] != thicket):
                thicket = 0
            if not clear and not thicket:
                return 0
        if thicket:
            return 1 if n <= 2 else 0
        return clear

    def _place(self, a: HexId, q: int, r: int) -> int:
        """The hex so far from another, 0 off the board."""
        column = self._q[a] + q
        row = self._r[a] + r + column // 2
        if row < 0 or row >= self._stride - 2:
            return 0
        h = (column + 1) * self._stride + row + 1
        return h if h < self.size and self._on[h] else 0


def points(board: Board, a: HexId, b: HexId) -> list[LinePoint]:
    """The points of the line between two hexes, in order, without its ends."""
    start, end = board.axial(a), board.axial(b)
    dq, dr = end.q - start.q, end.r - start.r
    n = max(abs(dq), abs(dr), abs(dq + dr))
    found: list[LinePoint] = []
    for i in range(1, n):
        places = _rounded(dq * i, dr * i, n)
        first, *others = (board.from_axial(type(start)(start.q + q, start.r + r)) for q, r in places)
        found.append(LinePoint(first, others[0] if others else first))
    return found


def _rounded(q: int, r: int, n: int) -> list[tuple[int, int]]:
    """The hexes nearest to a point given in n-ths: one, or two when it lies on their common side."""
    column, row = q // n, r // n
    near = [(column + x, row + y) for x in (0, 1) for y in (0, 1)]
    away = {place: _norm(place[0] * n - q, place[1] * n - r) for place in near}
    least = min(away.values())
    return [place for place in near if away[place] == least]


def _norm(q: int, r: int) -> int:
    """The square of a distance on the plane, in a fixed unit."""
    return q * q + q * r + r * r
