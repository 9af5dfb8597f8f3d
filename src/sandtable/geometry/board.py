"""The board: terrain, elevation, roads and hexside features of a map of hexes, fixed once built."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from sandtable.geometry import canonical, layers
from sandtable.geometry.grid import OFF_BOARD, Grid, HexId, grid_of
from sandtable.geometry.hexes import (
    Hex,
    format_label,
    line,
    opposite,
    parse_label,
    ring,
    to_offset,
)

NO_FEATURES: Final[frozenset[str]] = frozenset()
SideKey = tuple[HexId, int]

Heights = bytes | memoryview
"""Levels of 0 to 255 as bytes, or meters as a view of 16-bit numbers that can't be written to."""


@dataclass(frozen=True, eq=False, repr=False)
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
        grid = grid_of(self.width, self.height)
        self._set("size", len(grid.mask))
        self._set("_grid", grid)
        self._set("hexes", grid.hexes)
        self._set("neighbor_table", grid.neighbor_table)
        self._set("_around", grid.around)
        self._set("_q", grid.q)
        self._set("_r", grid.r)
        self._set("elevation", _fixed(self.elevation))
        layers.check(self, grid.mask)
        shared: dict[frozenset[str], frozenset[str]] = {}
        self._set("hexsides", MappingProxyType(layers.mirrored_sides(self, shared)))
        self._set("features", MappingProxyType(layers.checked_features(self, shared)))
        self._set("road_kinds", MappingProxyType(layers.mirrored_kinds(self)))
        self._set("_digest", "")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _id_at(self, place: Hex) -> HexId:
        return self.hex_at(*to_offset(place))

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
            self._set("_digest", canonical.digest(self))
        return self._digest

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
