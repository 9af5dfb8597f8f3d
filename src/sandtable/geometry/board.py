"""The board: terrain, elevation, roads and hexside features of a map of hexes, fixed once built."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from types import MappingProxyType
from typing import Any
from weakref import WeakValueDictionary

from sandtable.geometry.hexes import (
    DIRECTIONS,
    Hex,
    format_label,
    line,
    opposite,
    parse_label,
    ring,
    to_offset,
)

HexId = int
"""(col + 1) * (height + 2) + (row + 1): an index into flat layers with a guard ring of one hex around the map."""

OFF_BOARD = 0
"""A guard hex, never a real one: what `neighbor` and `hex_at` answer beyond the edge."""

NO_FEATURES: frozenset[str] = frozenset()
SideKey = tuple[HexId, int]

Heights = bytes | memoryview
"""Levels of 0 to 255 as bytes, or meters as a view of 16-bit numbers that can't be written to."""


class Grid:
    """The places of a map of one size: ids, neighbors and coordinates, shared by every board of that size.

    Tuples, because games read them more than anything else and a number read from an array is made anew each time:
    `neighbor` is 1.6 times and `distance` 1.3 times as fast as from arrays. They stay small because every table
    points to the same number for a hex, and a hex inside the map has one row for both tables of neighbors.
    """

    __slots__ = ("__weakref__", "around", "hexes", "mask", "neighbor_table", "q", "r")

    def __init__(self, width: int, height: int) -> None:
        stride = height + 2
        ids = tuple(range((width + 2) * stride))
        columns = [ids[at + 1 : at + 1 + height] for at in range(stride, stride * (width + 1), stride)]
        self.hexes = tuple(chain.from_iterable(zip(*columns, strict=True)))
        self.mask = bytes(stride) + (b"\0" + b"\1" * height + b"\0") * width + bytes(stride)
        self.neighbor_table = _neighbor_rows(columns, height)
        self.around = tuple(row if all(row) else tuple(n for n in row if n) for row in self.neighbor_table)
        # guard hexes have coordinates too, so that a distance to one is still the true distance
        self.q = tuple(chain.from_iterable((q,) * stride for q in range(-1, width + 1)))
        rows = tuple(range(-1 - (width + 1) // 2, height + 2))
        starts = ((width + 1) // 2 - (q - (q & 1)) // 2 for q in range(-1, width + 1))
        self.r = tuple(chain.from_iterable(rows[start : start + stride] for start in starts))


def _neighbor_rows(columns: list[tuple[HexId, ...]], height: int) -> tuple[tuple[HexId, ...], ...]:
    """The six neighbors of every hex, a whole column at a time; guard hexes have none."""
    nowhere: tuple[tuple[HexId, ...], ...] = ((OFF_BOARD,) * 6,)
    beyond = (OFF_BOARD,) * height
    rows = list(nowhere * (height + 2))
    for c, column in enumerate(columns):
        left = columns[c - 1] if c else beyond
        right = columns[c + 1] if c + 1 < len(columns) else beyond
        if c & 1:
            east, west = (right, _lower(right)), (_lower(left), left)
        else:
            east, west = (_upper(right), right), (left, _upper(left))
        rows += nowhere
        rows += zip(_upper(column), *east, _lower(column), *west, strict=True)
        rows += nowhere
    return tuple(rows) + nowhere * (height + 2)


def _upper(column: tuple[HexId, ...]) -> tuple[HexId, ...]:
    return (OFF_BOARD, *column[:-1])


def _lower(column: tuple[HexId, ...]) -> tuple[HexId, ...]:
    return (*column[1:], OFF_BOARD)


_grids: WeakValueDictionary[tuple[int, int], Grid] = WeakValueDictionary()


def _grid(width: int, height: int) -> Grid:
    grid = _grids.get((width, height))
    if grid is None:
        grid = _grids[width, height] = Grid(width, height)
    return grid


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True, repr=False)
class Board:
    """A map of hexes whose layers are indexed by HexId; two boards are equal only when they are the same object."""

    id: str
    title: str
    width: int
    height: int
    terrain: tuple[str, ...]
    elevation: Heights
    """Levels as bytes; meters, given as an array of 16-bit numbers or a view of one, are kept as a view."""
    roads: bytes
    hexsides: Mapping[SideKey, frozenset[str]]
    features: Mapping[HexId, frozenset[str]]
    road_kinds: Mapping[SideKey, str] = field(default_factory=dict)
    """The kind of a stretch of road, where it has one, from either of its hexes."""

    size: int = field(init=False)
    hexes: tuple[HexId, ...] = field(init=False)
    neighbor_table: tuple[tuple[HexId, ...], ...] = field(init=False)
    _around: tuple[tuple[HexId, ...], ...] = field(init=False)
    _q: tuple[int, ...] = field(init=False)
    _r: tuple[int, ...] = field(init=False)
    _grid: Grid = field(init=False)
    _digest: str = field(init=False)

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"board {self.id}: {self.width} by {self.height} hexes is no map")
        grid = _grid(self.width, self.height)
        self._set("size", len(grid.mask))
        self._set("_grid", grid)
        self._set("hexes", grid.hexes)
        self._set("neighbor_table", grid.neighbor_table)
        self._set("_around", grid.around)
        self._set("_q", grid.q)
        self._set("_r", grid.r)
        self._set("elevation", _fixed(self.elevation))
        self._check_layers()
        self._check_roads()
        shared: dict[frozenset[str], frozenset[str]] = {}
        self._set("hexsides", MappingProxyType(self._mirrored_sides(shared)))
        self._set("features", MappingProxyType(self._checked_features(shared)))
        self._set("road_kinds", MappingProxyType(self._mirrored_kinds()))
        self._set("_digest", "")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _id_at(self, place: Hex) -> HexId:
        return self.hex_at(*to_offset(place))

    def _check_layers(self) -> None:
        for name in ("terrain", "elevation", "roads"):
            length = len(getattr(self, name))
            if length != self.size:
                raise ValueError(f"board {self.id}: {name} has {length} entries, the map has {self.size}")
        if bytes(map(bool, self.terrain)) != self._grid.mask:
            h = next(h for h, on in enumerate(self._grid.mask) if on != bool(self.terrain[h]))
            raise ValueError(f"board {self.id}: terrain belongs on every hex of the map and nowhere else ({h})")

    def _check_roads(self) -> None:
        for h, exits in enumerate(self.roads):
            if not exits:
                continue
            for d in DIRECTIONS:
                if not exits >> d & 1:
                    continue
                n = self.neighbor_table[h][d]
                if not n:
                    raise ValueError(f"board {self.id}: the road in hex {h} leaves the map")
                if not self.roads[n] >> opposite(d) & 1:
                    raise ValueError(
                        f"board {self.id}: the road from {self.label(h)} does not go on in {self.label(n)}"
                    )
            if exits >> 6:
                raise ValueError(f"board {self.id}: {exits} is no set of road exits (hex {h})")

    def _mirrored_sides(self, shared: dict[frozenset[str], frozenset[str]]) -> dict[SideKey, frozenset[str]]:
        """Every side from both of its hexes; sides alike share one set, which would otherwise be most of their size."""
        sides: dict[SideKey, frozenset[str]] = {}
        for side, keys in sorted(self.hexsides.items()):
            h, d = side
            if not self.is_on(h) or d not in DIRECTIONS:
                raise ValueError(f"board {self.id}: no hexside {side}")
            features = frozenset(keys)
            if not features:
                continue
            features = shared.setdefault(features, features)
            mirror = (self.neighbor_table[h][d], opposite(d))
            if sides.setdefault(side, features) != features:
                raise ValueError(f"board {self.id}: hexside {side} and its mirror {mirror} carry different features")
            if mirror[0]:
                sides[mirror] = features
        return sides

    def _checked_features(self, shared: dict[frozenset[str], frozenset[str]]) -> dict[HexId, frozenset[str]]:
        checked: dict[HexId, frozenset[str]] = {}
        for h, keys in sorted(self.features.items()):
            if not self.is_on(h):
                raise ValueError(f"board {self.id}: features on {h}, which is off the map")
            if features := frozenset(keys):
                checked[h] = shared.setdefault(features, features)
        return checked

    def _mirrored_kinds(self) -> dict[SideKey, str]:
        kinds: dict[SideKey, str] = {}
        for side, kind in sorted(self.road_kinds.items()):
            h, d = side
            if not self.is_on(h) or d not in DIRECTIONS or not self.has_road(h, d) or not kind:
                raise ValueError(f"board {self.id}: no road for the kind {kind!r} at {side}")
            if kinds.setdefault(side, kind) != kind:
                raise ValueError(f"board {self.id}: the road at {side} is both {kinds[side]} and {kind}")
            kinds[self.neighbor_table[h][d], opposite(d)] = kind
        return kinds

    @classmethod
    def build(
        cls,
        id: str,
        width: int,
        height: int,
        *,
        title: str = "",
        base: str = "clear",
        terrain: Mapping[HexId | str, str] | None = None,
        elevation: Mapping[HexId | str, int] | None = None,
        meters: bool = False,
        roads: Iterable[Sequence[HexId | str]] = (),
        road_kinds: Mapping[str, Iterable[Sequence[HexId | str]]] | None = None,
        hexsides: Mapping[tuple[HexId | str, int], Iterable[str]] | None = None,
        features: Mapping[HexId | str, Iterable[str]] | None = None,
    ) -> Board:
        """A board of one base terrain with the exceptions given; hexes are ids or labels, roads the hexes they join,
        those of a kind by their kind.
        """
        blank = cls._blank(id, title, width, height, base)
        keys, exits = list(blank.terrain), bytearray(blank.size)
        heights: bytearray | array[int] = array("h", bytes(2 * blank.size)) if meters else bytearray(blank.size)
        for place, key in (terrain or {}).items():
            keys[blank._resolve(place)] = key
        for place, level in (elevation or {}).items():
            heights[blank._resolve(place)] = level
        for road in roads:
            blank._lay_road([blank._resolve(place) for place in road], exits)
        kinds: dict[SideKey, str] = {}
        for kind, paths in (road_kinds or {}).items():
            for path in paths:
                kinds |= dict.fromkeys(blank._lay_road([blank._resolve(place) for place in path], exits), kind)
        sides = {(blank._resolve(place), d): frozenset(marks) for (place, d), marks in (hexsides or {}).items()}
        marked = {blank._resolve(place): frozenset(marks) for place, marks in (features or {}).items()}
        levels = memoryview(heights) if isinstance(heights, array) else bytes(heights)
        return cls(id, title or id, width, height, tuple(keys), levels, bytes(exits), sides, marked, kinds)

    @classmethod
    def _blank(cls, id: str, title: str, width: int, height: int, base: str) -> Board:
        column = ("", *[base] * height, "")
        guard = ("",) * len(column)
        terrain = guard + column * width + guard
        return cls(id, title, width, height, terrain, bytes(len(terrain)), bytes(len(terrain)), {}, {})

    def _resolve(self, place: HexId | str) -> HexId:
        if isinstance(place, str):
            return self.parse(place)
        if not self.is_on(place):
            raise ValueError(f"board {self.id}: {place} is off the map")
        return place

    def _lay_road(self, road: Sequence[HexId], exits: bytearray) -> list[SideKey]:
        stretches = []
        for here, there in pairwise(road):
            d = self.direction(here, there)
            if d < 0:
                raise ValueError(f"board {self.id}: no road joins {self.label(here)} and {self.label(there)}")
            exits[here] |= 1 << d
            exits[there] |= 1 << opposite(d)
            stretches.append((here, d))
        return stretches

    def is_on(self, h: HexId) -> bool:
        """Whether an id names a hex of the map."""
        return 0 < h < self.size and self.terrain[h] != ""

    def neighbor(self, h: HexId, d: int) -> HexId:
        """The hex one step away, or 0 beyond the edge."""
        return self.neighbor_table[h][d]

    def neighbors(self, h: HexId) -> tuple[HexId, ...]:
        """The adjacent hexes of the map in order of direction."""
        return self._around[h]

    def direction(self, a: HexId, b: HexId) -> int:
        """The direction of the step from a to b, or -1 when they are not adjacent hexes of the map."""
        row = self.neighbor_table[a]
        return row.index(b) if b and b in row else -1

    def distance(self, a: HexId, b: HexId) -> int:
        """The number of steps from one hex to the other."""
        # written out because games call this more than anything else: three times as fast as max() of abs()
        qs, rs = self._q, self._r
        q, r = qs[a] - qs[b], rs[a] - rs[b]
        if q >= 0:
            if r >= 0:
                return q + r
            return q if q > -r else -r
        if r < 0:
            return -q - r
        return r if r > -q else -q

    def within(self, h: HexId, radius: int) -> tuple[HexId, ...]:
        """The hexes of the map at most that far away, the hex itself first, then ring by ring clockwise from north."""
        center = self.axial(h)
        rings = (ring(center, away) for away in range(radius + 1))
        return tuple(n for circle in rings for n in map(self._id_at, circle) if n)

    def line(self, a: HexId, b: HexId) -> tuple[HexId, ...]:
        """The hexes a straight line crosses, ends included, 0 where it leaves the map; ties as in `hexes.line`."""
        return tuple(map(self._id_at, line(self.axial(a), self.axial(b))))

    def hex_at(self, col: int, row: int) -> HexId:
        """The hex in a column and row counted from 0, or 0 when that is off the map."""
        if 0 <= col < self.width and 0 <= row < self.height:
            return (col + 1) * (self.height + 2) + row + 1
        return OFF_BOARD

    def col_row(self, h: HexId) -> tuple[int, int]:
        """The column and row of a hex, counted from 0."""
        col, row = divmod(h, self.height + 2)
        return col - 1, row - 1

    def axial(self, h: HexId) -> Hex:
        """The axial coordinates of a hex."""
        return Hex(self._q[h], self._r[h])

    @property
    def coordinates(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The axial coordinates q and r of every id, the guard ring's too."""
        return self._q, self._r

    def from_axial(self, place: Hex) -> HexId:
        """The hex at axial coordinates, or 0 when that is off the map."""
        return self._id_at(place)

    def rim_at(self, place: Hex) -> HexId:
        """The id of the hex at axial coordinates that is on the map or one hex beyond its edge: the guard ring has true
        distances too.
        """
        col, row = to_offset(place)
        return (col + 1) * (self.height + 2) + row + 1

    def label(self, h: HexId) -> str:
        """The printed label of a hex: CCRR, or CCCRRR on a map more than 99 hexes wide or high."""
        if not self.is_on(h):
            raise ValueError(f"board {self.id}: {h} is off the map")
        return format_label(*self.col_row(h), digits=self.label_digits)

    @property
    def label_digits(self) -> int:
        """How many digits a label has for the column, and as many for the row."""
        return 2 if max(self.width, self.height) <= 99 else 3

    def parse(self, label: str) -> HexId:
        """The hex that a label names; ValueError when it names none of this map."""
        h = self.hex_at(*parse_label(label))
        if not h:
            raise ValueError(f"board {self.id}: {label} is off the map")
        return h

    def side_features(self, h: HexId, d: int) -> frozenset[str]:
        """What lies on the side of a hex that faces a direction."""
        return self.hexsides.get((h, d), NO_FEATURES)

    def has_road(self, h: HexId, d: int) -> bool:
        """Whether a road leaves the hex in a direction."""
        return self.roads[h] >> d & 1 == 1

    def road_kind(self, h: HexId, d: int) -> str:
        """The kind of the road that leaves the hex in a direction; empty when it has none or there is no road."""
        return self.road_kinds.get((h, d), "")

    def has_feature(self, h: HexId, key: str) -> bool:
        """Whether a hex carries a feature."""
        return key in self.features.get(h, NO_FEATURES)

    @property
    def in_meters(self) -> bool:
        """Whether elevation is in meters; otherwise it is in levels."""
        return isinstance(self.elevation, memoryview)

    @property
    def digest(self) -> str:
        """The SHA-256 of everything on the map that play can depend on, made once; the title is not part of it."""
        if not self._digest:
            total = hashlib.sha256()
            for piece in self._canonical():
                total.update(piece.encode("ascii"))
            self._set("_digest", total.hexdigest())
        return self._digest

    def _canonical(self) -> Iterator[str]:
        """The JSON of a list of everything, in pieces: as one text it would be larger than the board."""
        yield _json([self.id, self.width, self.height])[:-1]
        yield ","
        yield from _json_list(self.terrain)
        yield "," + _json([_as_bytes(self.elevation).hex(), self.roads.hex()])[1:-1] + ","
        yield from _json_list([h, d, sorted(keys)] for (h, d), keys in sorted(self.hexsides.items()))
        yield ","
        yield from _json_list([h, sorted(keys)] for h, keys in sorted(self.features.items()))
        # what came to boards later is named only where there is some of it, so that older boards keep their digests
        later: dict[str, object] = {}
        if self.road_kinds:
            later["road kinds"] = [[h, d, kind] for (h, d), kind in sorted(self.road_kinds.items())]
        if self.in_meters:
            later["meters"] = True
        yield f",{_json(later)}]" if later else "]"

    def __repr__(self) -> str:
        return f"<Board {self.id} {self.width}x{self.height}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # neither proxies nor views can be pickled, and everything derived is cheap to derive again
        heights = array("h", self.elevation) if self.in_meters else self.elevation
        sparse = (dict(self.hexsides), dict(self.features), dict(self.road_kinds))
        return Board, (self.id, self.title, self.width, self.height, self.terrain, heights, self.roads, *sparse)


def _fixed(heights: Heights | bytearray | array[int]) -> Heights:
    """Heights as a board keeps them: nobody else can change them."""
    if isinstance(heights, bytes | bytearray):
        return bytes(heights)
    view = memoryview(heights)
    if view.format != "h":
        raise ValueError(f"heights in meters are 16-bit numbers, not of the format {view.format!r}")
    return view if isinstance(view.obj, bytes) else memoryview(view.tobytes()).cast("h")


def _as_bytes(heights: Heights) -> bytes:
    """Heights as the same bytes on every machine: 16-bit numbers with the lower half first."""
    if isinstance(heights, bytes):
        return heights
    numbers = array("h", heights)
    if sys.byteorder == "big":  # pragma: no cover - a matter of the machine
        numbers.byteswap()
    return numbers.tobytes()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _json_list(items: Iterable[object]) -> Iterator[str]:
    """The JSON of a list, a thousand items at a time."""
    rest, between = iter(items), "["
    while some := list(islice(rest, 1000)):
        yield between + _json(some)[1:-1]
        between = ","
    yield "]" if between == "," else "[]"
