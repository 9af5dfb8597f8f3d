"""Countryside drawn by a fixed seed: hills, streams, woods, fields, villages and the roads between them.

A `Land` is laid out step by step and then made into a board; the same steps and the same seed give the same board.
Places are labels as a board prints them, distances are hexes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from math import cos, exp, hypot, pi, sin, sqrt
from random import Random

from sandtable.content import MapSheet
from sandtable.content.model import Season
from sandtable.geometry import DIRECTIONS, Board, HexId, opposite

WATERS = ("stream", "river", "canal", "gully")
UNBRIDGED = 400
"""What crossing water costs a road that looks for its way: a bridge is built where nothing else helps."""
FORDED = 3
"""What it costs a trail that goes through the water, or a railway, which has bridges of its own."""
SHARED = 60
"""What running along another kind of road costs one that looks for its way."""
STEEP = 0.6
"""What a meter of climbing costs it, in hexes."""
OPEN = ("clear", "grass", "field")

Curve = Callable[[float, float], float]
"""How far a point is on one side of a line or, below 0, on the other."""


class Land:
    """A map in the making."""

    def __init__(self, id: str, title: str, width: int, height: int, season: Season = "summer") -> None:
        self.board = Board.build(id, width, height, title=title)
        self.season: Season = season
        self.random = Random(id)
        self.terrain = dict.fromkeys(map(HexId, self.board.hexes), "clear")
        self.meters = dict.fromkeys(self.terrain, 0.0)
        self.sides: dict[tuple[HexId, int], set[str]] = {}
        self.roads: dict[str, list[list[HexId]]] = {}
        self.names: dict[HexId, str] = {}
        self.at = {place: self._point(place) for place in self.terrain}

    def _point(self, place: HexId) -> tuple[float, float]:
        """Where a hex is: 1 is the distance from one hex to the next."""
        label, digits = self.board.label(place), self.board.label_digits
        column, row = int(label[:digits]) - 1, int(label[digits:]) - 1
        return column * sqrt(3) / 2, row + (column & 1) / 2

    def hex(self, label: str) -> HexId:
        return HexId(self.board.parse(label))

    def _away(self, place: HexId, label: str) -> float:
        (x, y), (a, b) = self.at[place], self.at[self.hex(label)]
        return hypot(x - a, y - b)

    # --- heights --------------------------------------------------------------------------------------------------

    def rolling(self, base: float, swing: float, length: float) -> None:
        """Ground that rises and falls by so much over waves of about that length."""
        waves = [
            (self.random.uniform(0, 2 * pi), self.random.uniform(0.6, 1.6), self.random.uniform(0, 2 * pi))
            for _ in range(6)
        ]
        for place, (x, y) in self.at.items():
            rise = sum(
                sin((x * cos(turn) + y * sin(turn)) * 2 * pi * pace / length + phase) for turn, pace, phase in waves
            )
            self.meters[place] += base + swing * rise / 3

    def hill(self, label: str, height: float, spread: float) -> None:
        """A rounded hill."""
        for place in self.at:
            self.meters[place] += height * exp(-((self._away(place, label) / spread) ** 2))

    def ridge(self, start: str, end: str, height: float, spread: float) -> None:
        """A long hill from one hex to another."""
        (a, b), (c, d) = self.at[self.hex(start)], self.at[self.hex(end)]
        length = hypot(c - a, d - b) ** 2
        for place, (x, y) in self.at.items():
            along = max(0.0, min(1.0, ((x - a) * (c - a) + (y - b) * (d - b)) / length))
            off = hypot(x - a - along * (c - a), y - b - along * (d - b))
            self.meters[place] += height * exp(-((off / spread) ** 2))

    def valley(self, line: Curve, depth: float, width: float) -> None:
        """The ground falls towards a line."""
        for place, (x, y) in self.at.items():
            self.meters[place] -= depth * exp(-((line(x, y) / width) ** 2))

    # --- water ----------------------------------------------------------------------------------------------------

    def water(self, kind: str, line: Curve, within: Callable[[float, float], bool] = lambda x, y: True) -> None:
        """A stream or river along the hexsides that a line goes between, as far as it is within."""
        for place, (x, y) in self.at.items():
            for direction in DIRECTIONS[:3]:
                other = HexId(self.board.neighbor(place, direction))
                if not other or not within(x, y) or not within(*self.at[other]):
                    continue
                if (line(x, y) > 0) != (line(*self.at[other]) > 0):
                    self.add(kind, place, other)

    def add(self, kind: str, place: HexId, other: HexId) -> None:
        """Something lies on the side between two hexes."""
        direction = self.board.direction(place, other)
        self.sides.setdefault((place, direction), set()).add(kind)
        self.sides.setdefault((other, opposite(direction)), set()).add(kind)

    def between(self, place: HexId, other: HexId) -> set[str]:
        """What lies on the side between two hexes."""
        return self.sides.get((place, self.board.direction(place, other)), set())

    # --- what grows and what is built -----------------------------------------------------------------------------

    def patch(self, kind: str, label: str, radius: float, over: Sequence[str] = OPEN) -> None:
        """A patch with a ragged edge."""
        bumps = [(self.random.uniform(0, 2 * pi), self.random.uniform(0.1, 0.3)) for _ in range(4)]
        a, b = self.at[self.hex(label)]
        for place, (x, y) in self.at.items():
            ragged = sum(
                size * sin((n + 2) * (x - a + 1.7 * (y - b)) / 2 + turn) for n, (turn, size) in enumerate(bumps)
            )
            if hypot(x - a, y - b) <= radius * (1 + ragged) and self.terrain[place] in over:
                self.terrain[place] = kind

    def strew(self, kind: str, share: float, over: Sequence[str] = ("clear",)) -> None:
        """A share of the open hexes, here and there."""
        for place in self.at:
            if self.terrain[place] in over and self.random.random() < share:
                self.terrain[place] = kind

    def village(self, label: str, name: str, hexes: int, kind: str = "village", fields: float = 0.0) -> None:
        """Houses grown around a hex, with fields about them."""
        if fields:
            self.patch("field", label, fields, ("clear", "grass"))
        built = [self.hex(label)]
        while len(built) < hexes:
            grown = HexId(self.random.choice(self.board.neighbors(self.random.choice(built))))
            if grown not in built:
                built.append(grown)
        self.terrain.update(dict.fromkeys(built, kind))
        self.names[self.hex(label)] = name

    def hedges(self, kind: str, share: float, spare: Iterable[str] = ()) -> None:
        """Hedges on that share of the sides of open hexes."""
        spared = {self.hex(label) for label in spare}
        for place in self.at:
            for direction in DIRECTIONS[:3]:
                other = HexId(self.board.neighbor(place, direction))
                if not other or {place, other} & spared or self.random.random() >= share:
                    continue
                if {self.terrain[place], self.terrain[other]} <= {*OPEN, "orchard"} and not self.between(place, other):
                    self.add(kind, place, other)

    # --- roads ----------------------------------------------------------------------------------------------------

    def road(self, kind: str, *stops: str, bridge: str = "medium_bridge") -> None:
        """A road by way of these hexes; bridges stand where it crosses water, and no hedge stands across it."""
        for start, end in pairwise(map(self.hex, stops)):
            way = self._way(kind, start, end, FORDED if bridge == "ford" or kind == "rail" else UNBRIDGED)
            self.roads.setdefault(kind, []).append(way)
            for place, other in pairwise(way):
                found = self.between(place, other)
                if found & set(WATERS) and not any(one.endswith(("bridge", "ford")) for one in found):
                    self.add(bridge, place, other)
                for one in ("hedge", "hedge_row"):
                    found.discard(one)
                    self.between(other, place).discard(one)

    def _way(self, kind: str, start: HexId, end: HexId, wet: int) -> list[HexId]:
        best: dict[HexId, float] = {start: 0.0}
        came: dict[HexId, HexId] = {}
        queue = [(0.0, start)]
        laid = {
            frozenset(pair): name for name, roads in self.roads.items() for road in roads for pair in pairwise(road)
        }
        while queue:
            cost, place = heappop(queue)
            if place == end:
                break
            if cost > best[place]:
                continue
            for other in map(HexId, self.board.neighbors(place)):
                found = cost + self._stretch(place, other, laid.get(frozenset((place, other))), kind, wet)
                if found < best.get(other, float("inf")):
                    best[other], came[other] = found, place
                    heappush(queue, (found, other))
        way = [end]
        while way[-1] != start:
            way.append(came[way[-1]])
        return way[::-1]

    def _stretch(self, place: HexId, other: HexId, laid: str | None, kind: str, wet: int) -> float:
        if laid == kind:
            return 0.3
        found = self.between(place, other)
        is_wet = found & set(WATERS) and not any(one.endswith("bridge") for one in found)
        ground = {"forest": 2.5, "marsh": 5.0, "swamp": 8.0, "water": 50.0, "rough": 2.0}.get(self.terrain[other], 1.0)
        climb = STEEP * abs(self.meters[place] - self.meters[other]) / 5
        return ground + climb + (wet if is_wet else 0) + (SHARED if laid else 0)

    # --- the board ------------------------------------------------------------------------------------------------

    def sheet(self) -> MapSheet:
        """The map as a board with its names; roads that reach the edge go on beyond it."""
        board = self.board
        meters = array("h", bytes(2 * board.size))
        for place, height in self.meters.items():
            meters[place] = round(height)
        roads, kinds, ends = bytearray(board.size), {}, set()
        for kind, ways in self.roads.items():
            for way in ways:
                for place, other in pairwise(way):
                    direction = board.direction(place, other)
                    roads[place] |= 1 << direction
                    roads[other] |= 1 << opposite(direction)
                    if kind != "rail" or (place, direction) not in kinds:
                        kinds[place, direction] = kinds[other, opposite(direction)] = kind
                for edge in (way[0], way[-1]):
                    out = [d for d in DIRECTIONS if not board.neighbor(edge, d)]
                    if out:
                        ends.add((edge, out[len(out) // 2]))
        return MapSheet(
            Board(
                board.id,
                board.title,
                board.width,
                board.height,
                tuple(self.terrain.get(HexId(h), "") for h in range(board.size)),
                memoryview(meters),
                bytes(roads),
                {side: frozenset(found) for side, found in self.sides.items() if found},
                {},
                kinds,
            ),
            dict(sorted(self.names.items())),
            tuple(sorted(ends)),
            self.season,
        )


def meander(start: float, slope: float, *waves: tuple[float, float, float], across: bool = False) -> Curve:
    """A line from north to south (or across the map) that winds: its place at 0, its slope, and its waves, each with
    size, length and shift."""

    def line(x: float, y: float) -> float:
        along, off = (x, y) if across else (y, x)
        return off - start - slope * along - sum(size * sin(2 * pi * along / length + by) for size, length, by in waves)

    return line
