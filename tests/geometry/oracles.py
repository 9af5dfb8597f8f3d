"""Naive twins of the kernels, written straight from the specification with fractions and dicts, and random boards."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

from sandtable.geometry import Board, hexes
from sandtable.geometry.hexes import Hex

Point = tuple[int, int]
Side = frozenset[Hex]

CORNERS = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))


def corners(h: Hex) -> set[Point]:
    return {(3 * h.q + x, 3 * h.r + y) for x, y in CORNERS}


def ends(side: Side) -> tuple[Point, Point]:
    a, b = side
    u, v = corners(a) & corners(b)
    return u, v


class Met(NamedTuple):
    place: Fraction
    kind: str
    sides: frozenset[Side]


@cache
def meets(a: Hex, b: Hex) -> tuple[int, tuple[Met, ...]]:
    """N and the ordered list of (place, kind, sides) of the line from a to b."""
    px, py = 3 * a.q, 3 * a.r
    dx, dy = 3 * b.q - px, 3 * b.r - py

    def cross(v: Point) -> int:
        return dx * (v[1] - py) - dy * (v[0] - px)

    def t(x: Fraction | int, y: Fraction | int) -> Fraction:
        return Fraction((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy)

    points: dict[Fraction, set[Side]] = {}
    runs: dict[Fraction, Side] = {}
    for side in sides_near(a, b):
        u, v = ends(side)
        cu, cv = cross(u), cross(v)
        if cu == cv == 0:
            first = min(t(*u), t(*v))
            if first > 0 and max(t(*u), t(*v)) < 1:
                runs[first] = side
        elif cu == 0 or cv == 0:
            where = t(*u) if cu == 0 else t(*v)
            if 0 < where < 1:
                points.setdefault(where, set()).add(side)
        elif (cu > 0) != (cv > 0):
            share = Fraction(cu, cu - cv)
            where = t(u[0] + share * (v[0] - u[0]), u[1] + share * (v[1] - u[1]))
            if 0 < where < 1:
                points.setdefault(where, set()).add(side)
    places = {where: Fraction(i) for i, where in enumerate(sorted(points), start=1)}
    met = [Met(places[where], "point", frozenset(sides)) for where, sides in points.items()]
    met += [Met(places[first] + Fraction(1, 2), "run", frozenset({side})) for first, side in runs.items()]
    return len(points), tuple(sorted(met, key=lambda m: m.place))


def sides_near(a: Hex, b: Hex) -> set[Side]:
    columns = range(min(a.q, b.q) - 1, max(a.q, b.q) + 2)
    rows = range(min(a.r, b.r) - 1, max(a.r, b.r) + 2)
    return {frozenset({h, n}) for q in columns for r in rows for h in [Hex(q, r)] for n in hexes.neighbors(h)}


class Country(NamedTuple):
    """A random map in the words of the specification."""

    board: Board
    levels: dict[Hex, int]
    symbols: dict[Side, str]
    towns: frozenset[Hex]


def los(country: Country, a: Hex, b: Hex) -> bool:
    """PL-710, line by line."""
    if hexes.distance(a, b) <= 1:
        return True
    level, symbol = country.levels, country.symbols
    lower, upper = min(level[a], level[b]), max(level[a], level[b])
    low = a if level[a] <= level[b] else b
    n, met = meets(a, b)
    oranges = 0
    for place, kind, sides in met:
        if any(symbol.get(s) in ("orange", "cliff") for s in sides):
            oranges += 1
        for s in sides:
            if symbol.get(s) == "brown":
                if kind == "run" and touches_orange(country, s):
                    continue
                if upper < 2:
                    return False
                counted = place if low == a else n + 1 - place
                if lower == 0 and upper == 2 and 2 * counted <= n + 1:
                    return False
            if symbol.get(s) == "green":
                g = min(level[h] for h in s)
                if g == 2 or g >= upper:
                    return False
                if lower <= g and low in s:
                    return False
    if oranges and upper < 2:
        return False
    if oranges > 1 and upper == 2 and lower < 2:
        return False
    for h in country.towns & {h for m in met for s in m.sides for h in s} - {a, b}:
        g = level[h]
        if g == 2 or g >= upper:
            return False
        if lower <= g and hexes.distance(h, low) == 1:
            return False
    return True


def touches_orange(country: Country, side: Side) -> bool:
    u, v = ends(side)
    return any({u, v} & set(ends(s)) for s, key in country.symbols.items() if key in ("orange", "cliff"))


def random_country(seed: int, width: int, height: int, *, density: float = 0.15) -> Country:
    rng = Random(seed)
    board = Board.build("country", width, height)
    levels = {board.axial(h): rng.choice((0, 0, 0, 1, 2)) for h in board.hexes}
    symbols: dict[Side, str] = {}
    for h in board.hexes:
        for n in board.neighbors(h):
            if h < n and rng.random() < density:
                symbols[frozenset({board.axial(h), board.axial(n)})] = rng.choice(("green", "brown", "orange", "cliff"))
    towns = frozenset(board.axial(h) for h in board.hexes if rng.random() < density / 3)
    return Country(board, levels, symbols, towns)


GREEN, BROWN, ORANGE, BROWN_AT_ORANGE = 1, 2, 3, 4


def leader_table() -> dict[tuple[int, int, int, int], int]:
    """PL-710 as the effects that SymbolSight knows."""
    table: dict[tuple[int, int, int, int], int] = {}
    for lower in range(3):
        for upper in range(lower, 3):
            for level in range(3):
                brown = 1 if upper < 2 else 3 if lower == 0 else 0
                orange = 1 if upper < 2 else 4 if lower < 2 else 0
                green = 1 if level == 2 or level >= upper else 2 if lower <= level else 0
                effects = {GREEN: green, BROWN: brown, BROWN_AT_ORANGE: brown, ORANGE: orange, 9: green}
                table |= {(lower, upper, code, level): effect for code, effect in effects.items()}
    return table


def coded(country: Country) -> tuple[bytes, bytes, bytes]:
    """The levels, side codes and area codes of a country as flat layers."""
    board = country.board
    levels, sides, areas = bytearray(board.size), bytearray(8 * board.size), bytearray(board.size)
    for h in board.hexes:
        place = board.axial(h)
        levels[h] = country.levels[place]
        areas[h] = place in country.towns
        for d, n in enumerate(hexes.neighbors(place)):
            side = frozenset({place, n})
            code = {None: 0, "green": GREEN, "brown": BROWN, "orange": ORANGE, "cliff": ORANGE}[
                country.symbols.get(side)
            ]
            if code == BROWN and touches_orange(country, side):
                code = BROWN_AT_ORANGE
            sides[8 * h + d] = code
    return bytes(levels), bytes(sides), bytes(areas)


def cheapest(
    board: Board,
    sources: Iterable[int],
    costs: bytes,
    flags: bytes,
    alternate: bytes,
    zone_cost: int,
    zone_to_zone: int = 1,
    entering: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """The least cost from the sources to every hex, by a textbook search with a heap."""
    starts = set(sources)
    known: dict[int, int] = {}
    queue = [(0, h, True) for h in sorted(starts)]
    while queue:
        cost, h, free = heappop(queue)
        if h in known:
            continue
        known[h] = cost
        if flags[h] & 4 and not free:
            continue
        for d in hexes.DIRECTIONS:
            n = board.neighbor(h, d)
            if not n or flags[n] & 1:
                continue
            step = alternate[8 * h + d] if flags[n] & 8 else costs[8 * h + d]
            if step != 255 and entering:
                step = entering.get(n, step)
            if step == 255:
                continue
            if flags[h] & 16 and flags[n] & 16:
                if not zone_to_zone:
                    continue
                step *= zone_to_zone
            heappush(queue, (cost + step + (zone_cost if flags[n] & 2 else 0), n, False))
    return known


def random_costs(seed: int, board: Board, choices: Iterable[int] = (0, 1, 2, 2, 2, 3, 4, 8, 255)) -> bytes:
    rng = Random(seed)
    values = tuple(choices)
    return bytes(rng.choice(values) for _ in range(8 * board.size))


def random_flags(seed: int, board: Board) -> bytes:
    rng = Random(seed)
    return bytes(rng.choice((0,) * 12 + (1, 2, 4, 6, 8, 10) + (16, 18, 16, 24)) for _ in range(board.size))


class Relief(NamedTuple):
    """A random map of heights."""

    board: Board
    ground: bytes
    top: bytes
    side_tops: bytes


def random_relief(seed: int, width: int, height: int) -> Relief:
    rng = Random(seed)
    board = Board.build("relief", width, height)
    ground = bytes(rng.choice((0, 0, 0, 1, 2, 3)) for _ in range(board.size))
    top = bytes(g + rng.choice((0, 0, 0, 0, 1, 2)) for g in ground)
    sides = bytearray(b"\xff" * (8 * board.size))
    for h in board.hexes:
        for d in hexes.DIRECTIONS:
            n = board.neighbor(h, d)
            if n and rng.random() < 0.08:
                sides[8 * h + d] = sides[8 * n + hexes.opposite(d)] = min(ground[h], ground[n]) + 1
    return Relief(board, ground, top, bytes(sides))


def overlooks(relief: Relief, a: int, b: int, eyes: int = 0) -> bool:
    """Whether either way along the line from a to b clears everything between, compared as fractions."""
    start, end = relief.board.axial(a), relief.board.axial(b)
    words = hexes.line_words(end.q - start.q, end.r - start.r)
    if eyes:
        return a == b or any(eye_to_eye(relief, a, word, eyes) for word in words)
    return a == b or any(clear_along(relief, a, word) for word in words)


def eye_to_eye(relief: Relief, a: int, word: tuple[int, ...], eyes: int) -> bool:
    """Whether nothing between touches the line from eye to eye; the sides of both ends hide nothing."""
    board, ground, top, side_tops = relief
    way, length = [a], len(word)
    for d in word:
        way.append(board.neighbor(way[-1], d) if way[-1] else 0)
    if 0 in way:
        return False
    here, there = ground[a] + eyes, ground[way[-1]] + eyes

    def height(steps: Fraction) -> Fraction:
        return here + (there - here) * steps / length

    for i in range(1, length):
        if top[way[i]] >= height(Fraction(i)):
            return False
        side = side_tops[8 * way[i] + hexes.opposite(word[i - 1])]
        if i > 1 and side != 255 and side >= height(Fraction(2 * i - 1, 2)):
            return False
    return True


def clear_along(relief: Relief, a: int, word: tuple[int, ...]) -> bool:
    board, ground, top, side_tops = relief
    way = [a]
    for d in word:
        way.append(board.neighbor(way[-1], d) if way[-1] else 0)
    if 0 in way:
        return False
    length, eye = len(word), ground[a]
    line = Fraction(ground[way[-1]] - eye, length)
    for i, h in enumerate(way[1:], start=1):
        side = side_tops[8 * h + hexes.opposite(word[i - 1])]
        if i > 1 and side != 255 and (side - eye) / Fraction(2 * i - 1, 2) > line:
            return False
        if i < length and Fraction(top[h] - eye, i) > line:
            return False
    return True
