"""Lines of sight judged at points: against a literal twin in fractions, and compiled against interpreted."""

from __future__ import annotations

import random
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geometry import Board, Hex, HexId, interpreted, point_sight

KERNELS = [pytest.param(point_sight, id="in use"), pytest.param(interpreted("point_sight"), id="interpreted")]
both = pytest.mark.parametrize("kernel", KERNELS)
seeds = st.integers(0, 10**6)
sizes = st.tuples(st.integers(1, 11), st.integers(1, 11))
RADIUS = 9


class Country(NamedTuple):
    """Ground, what stands on it, and thickets, by hex."""

    board: Board
    ground: bytes
    top: bytes
    thickets: bytes

    def sight(self, kernel: ModuleType, radius: int = RADIUS) -> Any:
        return kernel.PointSight(self.board, self.ground, self.top, self.thickets, radius)


def random_country(seed: int, width: int, height: int) -> Country:
    lots, board = random.Random(seed), Board.build("b", width, height)
    ground = bytes(lots.choice((0, 0, 0, 1, 2)) if board.is_on(h) else 0 for h in range(board.size))
    wild = lots.choice((0.1, 0.3, 0.8))
    thickets = bytes(lots.choice((1, 2)) if board.is_on(h) and lots.random() < wild else 0 for h in range(board.size))
    top = bytes(low + (1 if thick else 0) for low, thick in zip(ground, thickets, strict=True))
    return Country(board, ground, top, thickets)


def owners(q: Fraction, r: Fraction) -> list[Hex]:
    """The hexes whose cell holds a point, their sides included."""
    near = [Hex(int(q // 1) + x, int(r // 1) + y) for x in (-1, 0, 1, 2) for y in (-1, 0, 1, 2)]
    found = []
    for one in near:
        a, b = q - one.q, r - one.r
        c = -a - b
        if max(abs(a - b), abs(b - c), abs(c - a)) <= 1:
            found.append(one)
    return found


def literally(country: Country, a: HexId, b: HexId, radius: int = RADIUS) -> bool:
    """P8-7.01 to P8-7.03 as they are written."""
    board, start, end = country.board, country.board.axial(a), country.board.axial(b)
    n = board.distance(a, b)
    if n <= 1 or n > radius:
        return n <= 1
    clear, line = True, [a, b]
    for i in range(1, n):
        t = Fraction(i, n)
        cells = owners(start.q + t * (end.q - start.q), start.r + t * (end.r - start.r))
        here = [board.from_axial(one) for one in cells]
        on_board = [h for h in here if h]
        line += on_board or [0]
        height = (1 - t) * country.ground[a] + t * country.ground[b]
        clear &= not on_board or any(country.top[h] <= height for h in on_board)
    kinds = {country.thickets[h] for h in line}
    if len(kinds) == 1 and kinds != {0}:
        return n <= point_sight.THICK
    return clear


@pytest.mark.rule("P8-7.01", "P8-7.02", "P8-7.03")
@both
@given(seeds, sizes, st.data())
def test_point_sight_is_the_rule_to_the_letter(
    kernel: ModuleType, seed: int, size: tuple[int, int], data: st.DataObject
) -> None:
    country = random_country(seed, *size)
    judge = country.sight(kernel)
    for _ in range(12):
        a, b = (data.draw(st.sampled_from(country.board.hexes)) for _ in range(2))
        assert judge.sees(a, b) == literally(country, a, b)


@pytest.mark.parametrize("seed", range(3))
def test_point_sight_is_the_rule_on_every_pair_of_a_board(seed: int) -> None:
    country = random_country(seed, 6, 5)
    judge = country.sight(point_sight)
    for a in country.board.hexes:
        seen = judge.visible(a)
        assert [bool(seen[b]) for b in country.board.hexes] == [literally(country, a, b) for b in country.board.hexes]


@both
@given(seeds, sizes)
def test_it_is_the_same_whether_asked_by_pair_or_by_hex_and_from_either_end(
    kernel: ModuleType, seed: int, size: tuple[int, int]
) -> None:
    country = random_country(seed, *size)
    pairs, masks, twin = country.sight(kernel), country.sight(kernel), country.sight(interpreted("point_sight"))
    hexes = country.board.hexes
    for a in hexes[:: max(1, len(hexes) // 6)]:
        mask = masks.visible(a)
        assert masks.visible(a) is mask
        assert mask == twin.visible(a)
        assert sum(mask) == sum(mask[h] for h in hexes)
        for b in hexes:
            assert pairs.sees(a, b) == pairs.sees(b, a) == masks.sees(a, b) == bool(mask[b])


@both
@given(sizes, st.data())
def test_the_points_of_a_line_lie_where_exact_geometry_puts_them(
    kernel: ModuleType, size: tuple[int, int], data: st.DataObject
) -> None:
    board = Board.build("b", *size)
    a, b = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
    start, end, n = board.axial(a), board.axial(b), board.distance(a, b)
    expected = [
        {board.from_axial(h) for h in owners(*(x + Fraction(i, n) * (y - x) for x, y in zip(start, end, strict=True)))}
        for i in range(1, n)
    ]
    assert [{point.hex, point.other} for point in kernel.points(board, a, b)] == expected


@both
def test_layers_of_another_size_and_no_radius_are_refused(kernel: ModuleType) -> None:
    board = Board.build("b", 3, 3)
    fit, short = bytes(board.size), bytes(4)
    for layers in ((short, fit, fit), (fit, short, fit), (fit, fit, short)):
        with pytest.raises(ValueError, match="not 4"):
            kernel.PointSight(board, *layers, 5)
    with pytest.raises(ValueError, match="can't end at 0"):
        kernel.PointSight(board, fit, fit, fit, 0)


@both
def test_only_so_many_hexes_are_remembered(kernel: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    twin = interpreted("point_sight")
    monkeypatch.setattr(twin, "KEPT", 1)
    country = random_country(1, 3, 3)
    judge = country.sight(twin if kernel is twin else kernel)
    first, second = country.board.hexes[:2]
    mask = judge.visible(first)
    judge.visible(second)
    assert judge.visible(first) == mask
