"""The board: terrain, elevation, roads and hexside features of a map of hexes, fixed once built."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from sandtable.geometry.hexes import (
    DIRECTIONS,
    STEPS,
    Hex,
    format_label,
    from_offset,
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


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True, repr=False)
class Board:
    """A map of hexes whose layers are indexed by HexId; two boards are equal only when they are the same object."""

    id: str
    title: str
    width: int
    height: int
    terrain: tuple[str, ...]
    elevation: bytes
    roads: bytes
    hexsides: Mapping[SideKey, frozenset[str]]
    features: Mapping[HexId, frozenset[str]]

    size: int = field(init=False)
    hexes: tuple[HexId, ...] = field(init=False)
    neighbor_table: tuple[tuple[int, ...], ...] = field(init=False)
    _around: tuple[tuple[int, ...], ...] = field(init=False)
    _q: tuple[int, ...] = field(init=False)
    _r: tuple[int, ...] = field(init=False)
    _digest: str = field(init=False)

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"board {self.id}: {self.width} by {self.height} hexes is no map")
        stride = self.height + 2
        self._set("size", (self.width + 2) * stride)
        self._set(
            "hexes",
            tuple((col + 1) * stride + row + 1 for row in range(self.height) for col in range(self.width)),
        )
        self._place_hexes(stride)
        self._check_layers()
        self._check_roads()
        self._set("hexsides", MappingProxyType(self._mirrored_sides()))
        self._set("features", MappingProxyType(self._checked_features()))
        self._set("_digest", "")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _place_hexes(self, stride: int) -> None:
        q, r = [0] * self.size, [0] * self.size
        # guard hexes have coordinates too, so that a distance to one is still the true distance
        for h in range(self.size):
            q[h], r[h] = from_offset(h // stride - 1, h % stride - 1)
        table: list[tuple[int, ...]] = [(OFF_BOARD,) * 6] * self.size
        for h in self.hexes:
            table[h] = tuple(self._id_at(Hex(q[h] + dq, r[h] + dr)) for dq, dr in STEPS)
        self._set("_q", tuple(q))
        self._set("_r", tuple(r))
        self._set("neighbor_table", tuple(table))
        self._set("_around", tuple(tuple(n for n in row if n) for row in table))

    def _id_at(self, place: Hex) -> HexId:
        return self.hex_at(*to_offset(place))

    def _check_layers(self) -> None:
        for name in ("terrain", "elevation", "roads"):
            length = len(getattr(self, name))
            if length != self.size:
                raise ValueError(f"board {self.id}: {name} has {length} entries, the map has {self.size}")
        on_board = frozenset(self.hexes)
        for h in range(self.size):
            if (h in on_board) != bool(self.terrain[h]):
                raise ValueError(f"board {self.id}: terrain belongs on every hex of the map and nowhere else ({h})")

    def _check_roads(self) -> None:
        for h, exits in enumerate(self.roads):
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

    def _mirrored_sides(self) -> dict[SideKey, frozenset[str]]:
        sides: dict[SideKey, frozenset[str]] = {}
        for (h, d), keys in sorted(self.hexsides.items()):
            if not self.is_on(h) or d not in DIRECTIONS:
                raise ValueError(f"board {self.id}: no hexside {(h, d)}")
            features = frozenset(keys)
            if not features:
                continue
            mirror = (self.neighbor_table[h][d], opposite(d))
            if sides.setdefault((h, d), features) != features:
                raise ValueError(f"board {self.id}: hexside {(h, d)} and its mirror {mirror} carry different features")
            if mirror[0]:
                sides[mirror] = features
        return sides

    def _checked_features(self) -> dict[HexId, frozenset[str]]:
        for h in self.features:
            if not self.is_on(h):
                raise ValueError(f"board {self.id}: features on {h}, which is off the map")
        return {h: frozenset(keys) for h, keys in sorted(self.features.items()) if keys}

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
        roads: Iterable[Sequence[HexId | str]] = (),
        hexsides: Mapping[tuple[HexId | str, int], Iterable[str]] | None = None,
        features: Mapping[HexId | str, Iterable[str]] | None = None,
    ) -> Board:
        """A board of one base terrain with the exceptions given; hexes are ids or labels, roads the hexes they join."""
        blank = cls._blank(id, title, width, height, base)
        keys, heights, exits = list(blank.terrain), bytearray(blank.size), bytearray(blank.size)
        for place, key in (terrain or {}).items():
            keys[blank._resolve(place)] = key
        for place, level in (elevation or {}).items():
            heights[blank._resolve(place)] = level
        for road in roads:
            blank._lay_road([blank._resolve(place) for place in road], exits)
        sides = {(blank._resolve(place), d): frozenset(marks) for (place, d), marks in (hexsides or {}).items()}
        marked = {blank._resolve(place): frozenset(marks) for place, marks in (features or {}).items()}
        return cls(id, title or id, width, height, tuple(keys), bytes(heights), bytes(exits), sides, marked)

    @classmethod
    def _blank(cls, id: str, title: str, width: int, height: int, base: str) -> Board:
        size, stride = (width + 2) * (height + 2), height + 2
        inside = (0 < h // stride <= width and 0 < h % stride <= height for h in range(size))
        return cls(
            id, title, width, height, tuple(base if on else "" for on in inside), bytes(size), bytes(size), {}, {}
        )

    def _resolve(self, place: HexId | str) -> HexId:
        if isinstance(place, str):
            return self.parse(place)
        if not self.is_on(place):
            raise ValueError(f"board {self.id}: {place} is off the map")
        return place

    def _lay_road(self, road: Sequence[HexId], exits: bytearray) -> None:
        for here, there in pairwise(road):
            d = self.direction(here, there)
            if d < 0:
                raise ValueError(f"board {self.id}: no road joins {self.label(here)} and {self.label(there)}")
            exits[here] |= 1 << d
            exits[there] |= 1 << opposite(d)

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

    def from_axial(self, place: Hex) -> HexId:
        """The hex at axial coordinates, or 0 when that is off the map."""
        return self._id_at(place)

    def label(self, h: HexId) -> str:
        """The printed label of a hex: CCRR, or CCCRRR on a map more than 99 hexes wide or high."""
        if not self.is_on(h):
            raise ValueError(f"board {self.id}: {h} is off the map")
        return format_label(*self.col_row(h), digits=2 if max(self.width, self.height) <= 99 else 3)

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

    def has_feature(self, h: HexId, key: str) -> bool:
        """Whether a hex carries a feature."""
        return key in self.features.get(h, NO_FEATURES)

    @property
    def digest(self) -> str:
        """The SHA-256 of everything on the map that play can depend on; the title is not part of it."""
        if not self._digest:
            text = json.dumps(self._canonical(), ensure_ascii=True, separators=(",", ":"))
            self._set("_digest", hashlib.sha256(text.encode("ascii")).hexdigest())
        return self._digest

    def _canonical(self) -> list[object]:
        return [
            self.id,
            self.width,
            self.height,
            self.terrain,
            self.elevation.hex(),
            self.roads.hex(),
            [[h, d, sorted(keys)] for (h, d), keys in sorted(self.hexsides.items())],
            [[h, sorted(keys)] for h, keys in sorted(self.features.items())],
        ]

    def __repr__(self) -> str:
        return f"<Board {self.id} {self.width}x{self.height}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # mapping proxies can't be pickled, and everything derived is cheap to derive again
        layers = (self.terrain, self.elevation, self.roads, dict(self.hexsides), dict(self.features))
        return Board, (self.id, self.title, self.width, self.height, *layers)
