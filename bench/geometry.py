"""Bench entries of the map kernels: reach, floods and visible sets on two maps, against C, scipy, networkx and tcod."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from bench.harness import Contender, Entry, entries, progress, take_turns
from sandtable.geometry import (
    Board,
    PointSight,
    Reach,
    Reacher,
    SlopeSight,
    SymbolSight,
    compiled,
    interpreted,
    opposite,
)
from sandtable.geometry.reach import COSTS_MORE, FORBIDDEN, MAY_NOT_ENTER, MUST_STOP

MAPS = {"60x40": (60, 40), "200x150": (200, 150)}
SOURCES = 1000
ALLOWANCE = 24
ZONE_COST = 2
RADIUS = 20

CLEAR, WOODS, TOWN, ROUGH, WATER = range(5)
ENTER = (2, 8, 1, 5, FORBIDDEN)
ROAD, STREAM, HEDGE = 1, 4, 1


class Ground(NamedTuple):
    """A synthetic map with everything that the kernels read, and 1,000 different hexes to start from."""

    board: Board
    costs: bytes
    flags: bytes
    ground: bytes
    top: bytes
    side_tops: bytes
    sources: tuple[int, ...]


def smooth(rng: Random, width: int, height: int, reach: int) -> dict[tuple[int, int], float]:
    """Values from 0 to 1, evenly spread and alike in nearby places: the rank of local means of noise."""
    noise = [[rng.random() for _ in range(height + 2 * reach)] for _ in range(width + 2 * reach)]
    span = 2 * reach + 1
    columns = [[sum(column[y : y + span]) for y in range(height)] for column in noise]
    means = {(x, y): sum(columns[x + i][y] for i in range(span)) for x in range(width) for y in range(height)}
    return {place: rank / len(means) for rank, place in enumerate(sorted(means, key=means.__getitem__))}


@cache
def ground(width: int, height: int) -> Ground:
    rng = Random(width * 1000 + height)
    board = Board.build("bench", width, height)
    cover, hills, lakes = (smooth(rng, width, height, reach) for reach in (2, 4, 3))
    kinds, levels = bytearray(board.size), bytearray(board.size)
    for h in board.hexes:
        place = board.col_row(h)
        wooded = WOODS if cover[place] > 0.7 else ROUGH if cover[place] < 0.1 else CLEAR
        kinds[h] = WATER if lakes[place] > 0.985 else TOWN if rng.random() < 0.03 else wooded
        levels[h] = min(3, int(4 * hills[place] ** 2))
    sides, tops = lay_sides(rng, board, kinds, levels)
    costs = bytearray(b"\xff" * (8 * board.size))
    for h in board.hexes:
        for d, n in enumerate(board.neighbor_table[h]):
            if n and kinds[n] != WATER:
                costs[8 * h + d] = 1 if sides[8 * h + d] == ROAD + 10 else ENTER[kinds[n]] + sides[8 * h + d]
    flags = enemy_flags(rng, board, kinds)
    high = bytes(level + (kind in (WOODS, TOWN)) for level, kind in zip(levels, kinds, strict=True))
    free = [h for h in board.hexes if not flags[h] and kinds[h] != WATER]
    return Ground(board, bytes(costs), bytes(flags), bytes(levels), high, tops, tuple(rng.sample(free, SOURCES)))


def lay_sides(rng: Random, board: Board, kinds: bytearray, levels: bytearray) -> tuple[bytearray, bytes]:
    """What each side adds to the cost, ROAD + 10 for a road, and the tops of the hedges."""
    sides, tops = bytearray(8 * board.size), bytearray(b"\xff" * (8 * board.size))

    def both(layer: bytearray, h: int, d: int, value: int) -> None:
        layer[8 * h + d] = layer[8 * board.neighbor(h, d) + opposite(d)] = value

    for h in board.hexes:
        for d in (0, 1, 2):
            n, chance = board.neighbor(h, d), rng.random()
            if n and chance < 0.05:
                both(sides, h, d, STREAM)
            elif n and chance < 0.09:
                both(sides, h, d, HEDGE)
                both(tops, h, d, min(levels[h], levels[n]) + 1)
    for _ in range(board.width // 12):
        h = board.hex_at(rng.randrange(board.width), 0)
        while h:
            d = rng.choice((2, 3, 4))
            d = d if board.neighbor(h, d) else 3
            if board.neighbor(h, d):
                both(sides, h, d, ROAD + 10)
            h = board.neighbor(h, d)
    return sides, bytes(tops)


def enemy_flags(rng: Random, board: Board, kinds: bytearray) -> bytes:
    """Enemy units, one to sixty hexes, whose hexes can't be entered and whose zones cost more and stop movement."""
    flags = bytearray(board.size)
    enemies = rng.sample([h for h in board.hexes if kinds[h] != WATER], board.width * board.height // 60)
    for enemy in enemies:
        for n in board.neighbors(enemy):
            flags[n] |= COSTS_MORE | MUST_STOP
    for enemy in enemies:
        flags[enemy] |= MAY_NOT_ENTER
    return bytes(flags)


# --- the C twin ------------------------------------------------------------------------------------------------------


class Scratch(ctypes.Structure):
    _fields_ = [("size", ctypes.c_int32), ("base", ctypes.c_int32)] + [
        (name, ctypes.c_void_p) for name in ("steps", "odd", "value", "came", "head", "entry", "link")
    ]


class ReliefC(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in ("size", "stride", "columns", "highest", "count")] + [
        (name, ctypes.c_void_p) for name in ("even", "odd", "slopes", "beyond", "cells")
    ]


@cache
def library() -> ctypes.CDLL:
    """The C twin, built on the spot with the flags that the kernels are built with."""
    folder = tempfile.mkdtemp(prefix="bench-kernels-")
    target = Path(folder, "kernels.so")
    source = Path(__file__).with_name("kernels.c")
    subprocess.run(["cc", "-O3", "-fPIC", "-shared", "-o", str(target), str(source)], check=True)
    return ctypes.CDLL(str(target))


def address(data: Any) -> int:
    """Where the bytes of an array, or of a bytes object that the caller keeps alive, begin."""
    if isinstance(data, array):
        return data.buffer_info()[0]
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def ints(count: int) -> array[int]:
    return array("i", bytes(4 * count))


class CTwin:
    """The C kernels over one map; buffers are kept here for as long as C may use them."""

    def __init__(self, m: Ground) -> None:
        self.map, self.lib, size = m, library(), m.board.size
        twin = interpreted("reach").Reacher(m.board)
        self.buffers = [twin._steps, twin._odd, array("i", twin._fresh), ints(size), ints(512)]
        self.buffers += [ints(6 * size + 1), ints(6 * size + 1)]
        self.scratch = Scratch(size, 1 << 30, *map(address, self.buffers))
        self.hexes, self.spent, self.came, self.field = (ints(2_000_000) for _ in range(4))
        self.layers = (m.costs, m.flags, m.costs)
        sight = interpreted("slope_sight").SlopeSight(m.board, m.ground, m.top, m.side_tops, RADIUS)
        self.keep = [sight._even, sight._odd, sight._slopes, sight._beyond, sight._cells]
        heading = (size, m.board.height + 2, sight._columns, sight._highest, len(sight._even))
        self.relief = ReliefC(*heading, *map(address, self.keep))
        self.mask = array("B", bytes(size))

    def reach(self, sources: Sequence[int], keep: int = 0) -> int:
        batch = array("i", sources)
        layers = (ctypes.c_void_p(address(layer)) for layer in self.layers)
        out = (ctypes.c_void_p(address(buffer)) for buffer in (self.hexes, self.spent, self.came))
        head = (ctypes.byref(self.scratch), ctypes.c_void_p(address(batch)), len(batch), ALLOWANCE)
        return int(self.lib.reach_all(*head, *layers, ZONE_COST, keep, *out))

    def reach_side(self, sources: Sequence[int]) -> int:
        return self.reach(sources, keep=1)

    def flood(self, sources: Sequence[int]) -> None:
        batch = array("i", sources)
        layers = (ctypes.c_void_p(address(layer)) for layer in self.layers)
        out = (ctypes.c_void_p(address(buffer)) for buffer in (self.hexes, self.spent, self.came, self.field))
        head = (ctypes.byref(self.scratch), ctypes.c_void_p(address(batch)), len(batch))
        self.lib.flood_all(*head, *layers, ZONE_COST, *out)

    def visible(self, sources: Sequence[int], apart: int = 1) -> bytes:
        batch = array("i", sources)
        head = (ctypes.byref(self.relief), ctypes.c_void_p(address(batch)), len(batch), apart)
        self.lib.visible_all(*head, ctypes.c_void_p(address(self.mask)))
        return self.mask.tobytes()

    def visible_side(self, sources: Sequence[int]) -> bytes:
        return self.visible(sources, apart=0)


# --- other peers -----------------------------------------------------------------------------------------------------


def peer(name: str) -> Any:
    """The module of a peer, or None when it is not installed here."""
    try:
        return import_module(name)
    except ImportError:
        progress(f"  {name}: not installed, skipped")
        return None


def edges(m: Ground) -> Iterator[tuple[int, int, int]]:
    """The map as a graph: zones folded into the edges, no way on from a hex that stops movement."""
    for h in m.board.hexes:
        if m.flags[h] & MUST_STOP:
            continue
        for d, n in enumerate(m.board.neighbor_table[h]):
            cost = m.costs[8 * h + d]
            if n and cost != FORBIDDEN and not m.flags[n] & MAY_NOT_ENTER:
                yield h, n, cost + (ZONE_COST if m.flags[n] & COSTS_MORE else 0)


def scipy_search(m: Ground, limit: float) -> Callable[[int], Any] | None:
    sparse, graphs = peer("scipy.sparse"), peer("scipy.sparse.csgraph")
    if sparse is None or graphs is None:
        return None
    heads, tails, weights = zip(*edges(m), strict=True)
    graph = sparse.csr_matrix((weights, (heads, tails)), shape=(m.board.size, m.board.size))
    return lambda source: graphs.dijkstra(graph, indices=source, limit=limit)


def networkx_search(m: Ground, cutoff: int | None) -> Callable[[int], Any] | None:
    networkx = peer("networkx")
    if networkx is None:
        return None
    graph = networkx.DiGraph()
    graph.add_nodes_from(m.board.hexes)
    graph.add_weighted_edges_from(edges(m))
    return lambda source: networkx.single_source_dijkstra_path_length(graph, source, cutoff=cutoff)


def tcod_view(m: Ground) -> Callable[[int], Any] | None:
    """tcod's field of view on a square grid, see-through or not: a simpler task, so a landmark of speed only."""
    maps, constants, numpy = peer("tcod.map"), peer("tcod.constants"), peer("numpy")
    if maps is None or constants is None or numpy is None:
        return None
    clear = numpy.array([a == b for a, b in zip(m.ground, m.top, strict=True)]).reshape(m.board.width + 2, -1)
    symmetric, stride = constants.FOV_SYMMETRIC_SHADOWCAST, m.board.height + 2
    return lambda h: maps.compute_fov(clear, divmod(h, stride), radius=RADIUS, algorithm=symmetric)


def each(call: Callable[[int], Any]) -> Callable[[Sequence[int]], None]:
    def run(sources: Sequence[int]) -> None:
        for source in sources:
            call(source)

    return run


def agree(name: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise AssertionError(f"{name} found another result")


# --- entries ---------------------------------------------------------------------------------------------------------


def check_reach(m: Ground, reacher: Reacher, twin: CTwin, scipy: Any, networkx: Any) -> None:
    for i, source in enumerate(m.sources[:200]):
        found = reacher.reach(source, ALLOWANCE, m.costs, m.flags, None, ZONE_COST)
        n = twin.reach([source])
        agree("C", (found.hexes, found.costs), (twin.hexes[:n], twin.spent[:n]))
        if scipy and i < 20:
            costs = scipy(source)
            agree("scipy", found.as_dict(), {h: int(costs[h]) for h in m.board.hexes if costs[h] <= ALLOWANCE})
        if networkx and i < 20:
            agree("networkx", found.as_dict(), networkx(source))


def reach_one(size: str) -> Iterator[Entry]:
    m = ground(*MAPS[size])
    reacher, twin = Reacher(m.board), CTwin(m)
    scipy, networkx = scipy_search(m, ALLOWANCE), networkx_search(m, ALLOWANCE)
    check_reach(m, reacher, twin, scipy, networkx)
    ours = each(lambda source: reacher.reach(source, ALLOWANCE, m.costs, m.flags, None, ZONE_COST))
    contenders = {"sandtable": Contender(ours, SOURCES), "C": Contender(twin.reach, SOURCES)}
    if scipy:
        contenders["scipy"] = Contender(each(scipy), 200)
    if networkx:
        contenders["networkx"] = Contender(each(networkx), 50)
    seconds = take_turns(contenders, m.sources)
    yield from entries(f"reach-one-{size}", "us/call", 1e6, seconds, {"C": 1.5, "scipy": 0.1})


def reach_side(size: str) -> Iterator[Entry]:
    m = ground(*MAPS[size])
    reacher, twin, allowances = Reacher(m.board), CTwin(m), [ALLOWANCE] * SOURCES

    def ours(sources: Sequence[int]) -> list[Reach]:
        return reacher.reach_many(sources, allowances[: len(sources)], m.costs, m.flags, None, ZONE_COST)

    found = ours(m.sources)
    n = twin.reach_side(m.sources)
    joined = [h for one in found for h in one.hexes], [c for one in found for c in one.costs]
    agree("C", joined, (list(twin.hexes[:n]), list(twin.spent[:n])))
    contenders = {"sandtable": Contender(ours, SOURCES), "C": Contender(twin.reach_side, SOURCES)}
    seconds = take_turns(contenders, m.sources)
    yield from entries(f"reach-side-{size}", "ms/1000", 1e3 * SOURCES, seconds, {"C": 1.5})


def flood(size: str) -> Iterator[Entry]:
    m = ground(*MAPS[size])
    reacher, twin = Reacher(m.board), CTwin(m)
    scipy, networkx = scipy_search(m, float("inf")), networkx_search(m, None)
    for i, source in enumerate(m.sources[:20]):
        field = reacher.flood(source, m.costs, m.flags, None, ZONE_COST)
        twin.flood([source])
        agree("C", field, twin.field[: m.board.size])
        if scipy and i < 3:
            costs = scipy(source)
            agree("scipy", list(field), [-1 if cost == float("inf") else int(cost) for cost in costs])
        if networkx and i < 3:
            agree("networkx", {h: cost for h, cost in enumerate(field) if cost >= 0}, networkx(source))
    # every round uses other sources: 1,000 in all
    chunk = SOURCES // 8
    ours = each(lambda source: reacher.flood(source, m.costs, m.flags, None, ZONE_COST))
    contenders = {"sandtable": Contender(ours, chunk), "C": Contender(twin.flood, chunk)}
    if scipy:
        contenders["scipy"] = Contender(each(scipy), 20)
    if networkx:
        contenders["networkx"] = Contender(each(networkx), 2)
    seconds = take_turns(contenders, m.sources)
    yield from entries(f"flood-{size}", "us/call", 1e6, seconds, {"C": 1.5, "scipy": 0.25})


def sight(size: str, name: str) -> Iterator[Entry]:
    m = ground(*MAPS[size])
    judge, twin, view = SlopeSight(m.board, m.ground, m.top, m.side_tops, RADIUS), CTwin(m), tcod_view(m)
    oracle = interpreted("slope_sight").SlopeSight(m.board, m.ground, m.top, m.side_tops, RADIUS)
    for i, source in enumerate(m.sources[:200]):
        seen = judge.visible(source)
        agree("C", seen, twin.visible([source]))
        if i < 10:
            agree("the interpreted twin", seen, oracle.visible(source))
    agree("C", judge.visible_from(m.sources), twin.visible_side(m.sources))
    one_by_one = name == "sight-one"
    ours, theirs = (each(judge.visible), twin.visible) if one_by_one else (judge.visible_from, twin.visible_side)
    contenders = {"sandtable": Contender(ours, SOURCES), "C": Contender(theirs, SOURCES)}
    if view:
        contenders["tcod"] = Contender(each(view) if one_by_one else united(view), SOURCES)
    seconds = take_turns(contenders, m.sources)
    unit, scale = ("us/call", 1e6) if one_by_one else ("ms/1000", 1e3 * SOURCES)
    targets = {"C": 1.5} if one_by_one else {"C": 1.5, "tcod": 1 / 3}
    note = "tcod: square cells, no heights, no hexsides; a landmark, not the same task"
    yield from entries(f"{name}-{size}", unit, scale, seconds, targets, note)


def united(view: Callable[[int], Any]) -> Callable[[Sequence[int]], Any]:
    def run(sources: Sequence[int]) -> Any:
        union = view(sources[0])
        for source in sources[1:]:
            union |= view(source)
        return union

    return run


SYMBOL_EFFECTS = {
    (lower, upper, code, level): effect
    for lower in range(4)
    for upper in range(lower, 4)
    for level in range(4)
    for code, effect in ((1, int(level >= upper)), (2, 0 if lower else 3 * (upper > lower)), (9, int(level >= upper)))
}


def symbols() -> Iterator[Entry]:
    """Every pair of hexes of a 40x30 map judged once, against a budget of a microsecond each."""
    m = ground(40, 30)
    codes = bytes((top != 255) for top in m.side_tops)
    towns = bytes(top > low for top, low in zip(m.top, m.ground, strict=True))
    oracle = interpreted("sight").SymbolSight(m.board, m.ground, codes, towns, SYMBOL_EFFECTS)
    first = SymbolSight(m.board, m.ground, codes, towns, SYMBOL_EFFECTS)
    for source in m.sources[:5]:
        agree("the interpreted twin", first.visible(source), oracle.visible(source))

    def whole_board(_: Sequence[int]) -> None:
        judge = SymbolSight(m.board, m.ground, codes, towns, SYMBOL_EFFECTS)
        for h in m.board.hexes:
            judge.visible(h)

    pairs = len(m.board.hexes) * (len(m.board.hexes) - 1) // 2
    seconds = take_turns({"sandtable": Contender(whole_board, 1)}, m.sources, rounds=5)["sandtable"]
    against_budget = {"sandtable": [one / pairs for one in seconds], "budget": [1e-6] * len(seconds)}
    yield from entries("sight-symbols-40x30", "us/pair", 1e6, against_budget, {"budget": 1.0})


POINTS_BUDGET = 1e-3
"""Seconds for all that one hex sees as far as 60 hexes: up to 10,000 lines of up to 59 points each."""

FAR = 60
"""As far as anybody sees in the system that judges lines at points."""


def points() -> Iterator[Entry]:
    """What a hex sees within 60 hexes on the large map, lines judged at points, against a budget."""
    size = "200x150"
    m = ground(200, 150)
    thickets = bytes(top > low for top, low in zip(m.top, m.ground, strict=True))
    oracle = interpreted("point_sight").PointSight(m.board, m.ground, m.top, thickets, FAR)
    first = PointSight(m.board, m.ground, m.top, thickets, FAR)
    agree("the interpreted twin", first.visible(m.sources[0]), oracle.visible(m.sources[0]))

    def fresh(sources: Sequence[int]) -> None:
        judge = PointSight(m.board, m.ground, m.top, thickets, FAR)
        for source in sources:
            judge.visible(source)

    some = 40
    seconds = take_turns({"sandtable": Contender(fresh, some)}, m.sources, rounds=5)["sandtable"]
    against_budget = {"sandtable": seconds, "budget": [POINTS_BUDGET] * len(seconds)}
    yield from entries(f"sight-points-{size}", "us/call", 1e6, against_budget, {"budget": 1.0})


def on_compiled(run: Callable[[], Iterable[Entry]]) -> Callable[[], list[Entry]]:
    def checked() -> list[Entry]:
        if not compiled():
            raise AssertionError("the compiled kernels are not loaded: build them first")
        return list(run())

    return checked


def _all() -> Iterator[tuple[str, Callable[[], Iterator[Entry]]]]:
    for size in MAPS:
        yield f"reach-one-{size}", partial(reach_one, size)
        yield f"reach-side-{size}", partial(reach_side, size)
        yield f"flood-{size}", partial(flood, size)
        yield f"sight-one-{size}", partial(sight, size, "sight-one")
        yield f"sight-side-{size}", partial(sight, size, "sight-side")
    yield "sight-symbols-40x30", symbols
    yield "sight-points-200x150", points


ENTRIES: dict[str, Callable[[], list[Entry]]] = {name: on_compiled(run) for name, run in _all()}
