"""Lines of sight: the exact trace, symbols and slopes against naive twins, and compiled against interpreted."""

import re
import tracemalloc
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geometry import Board, Hex, compiled, hexes, interpreted, sight
from tests.geometry.oracles import (
    BROWN,
    GREEN,
    ORANGE,
    Country,
    Side,
    coded,
    leader_table,
    los,
    meets,
    random_country,
)

KERNELS = [pytest.param(sight, id="in use"), pytest.param(interpreted("sight"), id="interpreted")]
both = pytest.mark.parametrize("kernel", KERNELS)
seeds = st.integers(0, 10**6)
sizes = st.tuples(st.integers(1, 11), st.integers(1, 11))
densities = st.sampled_from((0.02, 0.06, 0.15, 0.4))
NOTHING: Mapping[Any, int] = {}


def symbol_sight(kernel: ModuleType, country: Country) -> Any:
    return kernel.SymbolSight(country.board, *coded(country), leader_table(), [4])


# --- the trace -------------------------------------------------------------------------------------------------------


def named(board: Board, side: Side) -> tuple[int, int]:
    a, b = sorted(map(board.from_axial, side))
    if a:
        return a, board.direction(a, b)
    off = next(h for h in side if not board.from_axial(h))
    return b, hexes.direction(board.axial(b), off)


@pytest.mark.rule("PL-704", "PL-710")
@both
@given(sizes, st.data())
def test_a_trace_lists_the_places_and_sides_that_exact_geometry_gives(
    kernel: ModuleType, size: tuple[int, int], data: st.DataObject
) -> None:
    board = Board.build("b", *size)
    a, b = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
    trace = kernel.trace(board, a, b)
    places, met = meets(board.axial(a), board.axial(b)) if a != b else (0, ())
    assert trace.places == places
    assert [(m.place_times_2, m.kind, set(m.sides)) for m in trace.meets] == [
        (2 * m.place, m.kind, {named(board, side) for side in m.sides}) for m in met
    ]
    owners = {board.from_axial(h) for m in met for side in m.sides for h in side} - {0}
    assert set(trace.hexes) == owners | {a}
    assert len(set(trace.hexes)) == len(trace.hexes)


@pytest.mark.rule("PL-709")
@both
def test_a_corner_is_one_place_and_a_lengthwise_side_half_a_place_on(kernel: ModuleType) -> None:
    board = Board.build("b", 5, 5)
    a, b = board.from_axial(Hex(1, 1)), board.from_axial(Hex(2, 2))
    trace = kernel.trace(board, a, b)
    assert trace.places == 2
    assert [(m.place_times_2, m.kind, len(m.sides)) for m in trace.meets] == [
        (2, "point", 2),
        (3, "run", 1),
        (4, "point", 2),
    ]
    assert len(trace.hexes) == 4


@given(st.integers(-40, 40), st.integers(-40, 40))
def test_a_line_back_meets_the_same_places_in_reverse(dq: int, dr: int) -> None:
    places, there = sight.line_meets(dq, dr)
    same, back = sight.line_meets(-dq, -dr)
    assert same == places

    def sides(flat: Sequence[int], place_of: Callable[[int], int], q0: int, r0: int) -> set[tuple[hexes.HexSide, int]]:
        records = [flat[i : i + 4] for i in range(0, len(flat), 4)]
        return {(hexes.HexSide.of(Hex(q + q0, r + r0), d), place_of(place)) for q, r, d, place in records}

    assert sides(there, lambda place: place, 0, 0) == sides(back, lambda place: 2 * places + 2 - place, dq, dr)
    assert interpreted("sight").line_meets(dq, dr) == (places, there)


@pytest.mark.rule("PL-710")
@given(st.integers(-9, 9), st.integers(-9, 9))
def test_far_lines_meet_what_exact_geometry_gives(dq: int, dr: int) -> None:
    places, flat = sight.line_meets(dq, dr)
    records = {
        (Fraction(flat[i + 3], 2), hexes.HexSide.of(Hex(*flat[i : i + 2]), flat[i + 2])) for i in range(0, len(flat), 4)
    }
    n, met = meets(Hex(0, 0), Hex(dq, dr)) if dq or dr else (0, ())
    assert (places, records) == (n, {(m.place, hexes.HexSide.between(*side)) for m in met for side in m.sides})


# --- symbols ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-701", "PL-702", "PL-704", "PL-705", "PL-706", "PL-707", "PL-708", "PL-709", "PL-710")
@both
@given(seeds, sizes, densities, st.data())
def test_symbol_sight_is_the_literal_algorithm(
    kernel: ModuleType, seed: int, size: tuple[int, int], density: float, data: st.DataObject
) -> None:
    country = random_country(seed, *size, density=density)
    board, judge = country.board, symbol_sight(kernel, country)
    for _ in range(12):
        a, b = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
        expected = los(country, board.axial(a), board.axial(b))
        assert judge.sees(a, b) == expected
        assert (judge.why(a, b) is None) == expected


@pytest.mark.rule("PL-710")
@pytest.mark.parametrize("seed", range(4))
def test_symbol_sight_is_the_literal_algorithm_on_every_pair_of_a_board(seed: int) -> None:
    country = random_country(seed, 7, 6, density=0.12)
    board, judge = country.board, symbol_sight(sight, country)
    for a in board.hexes:
        seen = judge.visible(a)
        assert [seen[b] for b in board.hexes] == [los(country, board.axial(a), board.axial(b)) for b in board.hexes]


@pytest.mark.rule("PL-711")
@both
@given(seeds, sizes, densities)
def test_sight_is_mutual_whether_asked_by_pair_or_by_hex(
    kernel: ModuleType, seed: int, size: tuple[int, int], density: float
) -> None:
    country = random_country(seed, *size, density=density)
    board, pairs, masks = country.board, symbol_sight(kernel, country), symbol_sight(kernel, country)
    some = board.hexes[:: max(1, len(board.hexes) // 7)]
    for a in some:
        mask = masks.visible(a)
        assert len(mask) == board.size
        assert masks.visible(a) is mask
        assert mask[a] == 1
        assert sum(mask) == sum(mask[h] for h in board.hexes)
        for b in board.hexes:
            assert pairs.sees(a, b) == pairs.sees(b, a) == masks.sees(a, b) == masks.sees(b, a) == bool(mask[b])
    union = masks.visible_from(some)
    assert list(union) == [max(masks.visible(a)[h] for a in some) for h in range(board.size)]
    assert masks.visible_from([]) == bytes(board.size)


@given(seeds, sizes, densities)
def test_compiled_and_interpreted_symbol_sight_agree_on_every_pair_and_every_reason(
    seed: int, size: tuple[int, int], density: float
) -> None:
    country = random_country(seed, *size, density=density)
    board = country.board
    one, two = symbol_sight(sight, country), symbol_sight(interpreted("sight"), country)
    for a in board.hexes[:: max(1, len(board.hexes) // 5)]:
        assert [one.why(a, b) for b in board.hexes] == [two.why(a, b) for b in board.hexes]
        assert one.visible(a) == two.visible(a)


@both
@given(seeds, sizes, densities, st.data())
def test_a_reason_names_an_obstacle_that_the_line_meets(
    kernel: ModuleType, seed: int, size: tuple[int, int], density: float, data: st.DataObject
) -> None:
    country = random_country(seed, *size, density=density)
    board, judge = country.board, symbol_sight(kernel, country)
    levels, sides, areas = coded(country)
    table = leader_table()
    for _ in range(10):
        a, b = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
        reason = judge.why(a, b)
        if reason is None:
            continue
        trace = kernel.trace(board, a, b)
        ends = sorted((levels[a], levels[b]))
        assert reason.places == trace.places
        if reason.direction < 0:
            assert reason.hex in trace.hexes
            assert reason.code == sight.AREA + areas[reason.hex]
            level = levels[reason.hex]
        else:
            other = board.neighbor(reason.hex, reason.direction)
            met = {m.place_times_2: m.sides for m in trace.meets}[reason.place_times_2]
            assert {(reason.hex, reason.direction), (other, hexes.opposite(reason.direction))} & set(met)
            assert reason.code == sides[8 * reason.hex + reason.direction]
            level = min(levels[reason.hex], levels[other])
        assert reason.effect == table[*ends, reason.code, level]
        back = judge.why(b, a)
        assert back._replace(place_times_2=2 * back.places + 2 - back.place_times_2) == reason


def strip(
    kernel: ModuleType,
    sides: Mapping[tuple[int, int], int] = NOTHING,
    towns: Iterable[int] = (),
    levels: Mapping[int, int] = NOTHING,
) -> tuple[list[int], Any]:
    """Sight on a strip of hexes in a slanting row, with codes by (hex, next hex), towns and levels by place."""
    board = Board.build("b", 8, 8)
    row = [board.from_axial(Hex(i, 2)) for i in range(8)]
    codes, areas, heights = bytearray(8 * board.size), bytearray(board.size), bytearray(board.size)
    for (i, j), code in sides.items():
        d = board.direction(row[i], row[j])
        codes[8 * row[i] + d] = codes[8 * row[j] + hexes.opposite(d)] = code
    for i in towns:
        areas[row[i]] = 1
    for i, level in levels.items():
        heights[row[i]] = level
    return row, kernel.SymbolSight(board, heights, codes, areas, leader_table(), [4])


@pytest.mark.rule("PL-707")
@both
def test_a_second_place_of_a_symbol_that_is_allowed_once_blocks(kernel: ModuleType) -> None:
    row, judge = strip(kernel, {(1, 2): ORANGE}, levels={0: 2})
    assert judge.why(row[0], row[3]) is None
    row, judge = strip(kernel, {(1, 2): ORANGE, (2, 3): ORANGE}, levels={0: 2})
    assert judge.why(row[0], row[3]) == (sight.ONE_ALLOWED, ORANGE, row[2], hexes.SE, 6, 3)


@pytest.mark.rule("PL-709")
@both
def test_near_the_lower_end_means_up_to_the_middle_place(kernel: ModuleType) -> None:
    for at, blocked in ((0, True), (1, True), (2, True), (3, False), (4, False)):
        row, judge = strip(kernel, {(at, at + 1): BROWN}, levels={5: 2})
        assert judge.sees(row[0], row[5]) != blocked
        assert judge.sees(row[5], row[0]) != blocked
        row, judge = strip(kernel, {(4 - at, 5 - at): BROWN}, levels={0: 2})
        assert judge.sees(row[0], row[5]) != blocked


@pytest.mark.rule("PL-708")
@both
def test_beside_the_lower_end_means_its_own_side_or_the_area_next_to_it(kernel: ModuleType) -> None:
    row, judge = strip(kernel, {(0, 1): GREEN}, levels={4: 1})
    assert judge.why(row[0], row[4]) == (sight.BLOCKS_BESIDE_LOWER, GREEN, row[0], hexes.SE, 2, 4)
    assert judge.why(row[4], row[0]).place_times_2 == 8
    assert strip(kernel, {(1, 2): GREEN}, levels={4: 1})[1].sees(row[0], row[4])
    assert not strip(kernel, towns=[1], levels={4: 1})[1].sees(row[0], row[4])
    assert strip(kernel, towns=[2], levels={4: 1})[1].sees(row[0], row[4])
    assert strip(kernel, towns=[0, 4], levels={4: 1})[1].sees(row[0], row[4])
    assert strip(kernel, towns=[0, 1], sides={(0, 1): GREEN})[1].sees(row[0], row[1])


@pytest.mark.rule("PL-203", "PL-705")
@pytest.mark.parametrize(
    ("width", "height", "ends", "side"),
    [
        (3, 1, ("0101", "0301"), ("0201", hexes.N)),
        (4, 2, ("0202", "0402"), ("0302", hexes.S)),
        (5, 3, ("0101", "0501"), ("0401", hexes.N)),
        (5, 3, ("0101", "0301"), ("0101", hexes.NE)),
    ],
)
@both
def test_a_side_on_the_edge_of_the_board_obstructs_a_line_along_it_or_past_its_corner(
    kernel: ModuleType, width: int, height: int, ends: tuple[str, str], side: tuple[str, int]
) -> None:
    board = Board.build("b", width, height)
    (a, b), (place, d) = map(board.parse, ends), side
    codes = bytearray(8 * board.size)
    bare = kernel.SymbolSight(board, bytes(board.size), codes, bytes(board.size), leader_table())
    assert bare.sees(a, b)
    codes[8 * board.parse(place) + d] = GREEN
    judge = kernel.SymbolSight(board, bytes(board.size), codes, bytes(board.size), leader_table())
    assert not judge.sees(a, b)
    assert judge.why(a, b)[:4] == judge.why(b, a)[:4] == (sight.BLOCKS, GREEN, board.parse(place), d)


@both
def test_many_lines_from_one_hex_are_judged_in_one_call(kernel: ModuleType) -> None:
    country = random_country(4, 9, 7)
    board, judge = country.board, symbol_sight(kernel, country)
    for a in board.hexes[::5]:
        assert judge.sees_each(a, board.hexes) == [b for b in board.hexes if judge.sees(a, b)]
    assert judge.sees_each(board.hexes[0], ()) == []


@both
def test_levels_may_come_as_wider_numbers(kernel: ModuleType) -> None:
    country = random_country(1, 6, 6)
    levels, *others = coded(country)
    wide = memoryview(array("h", list(levels)))
    judge = kernel.SymbolSight(country.board, wide, *others, leader_table(), [4])
    assert judge.visible(country.board.hexes[0]) == symbol_sight(kernel, country).visible(country.board.hexes[0])
    wide[9] = -1
    with pytest.raises(ValueError, match="range"):
        kernel.SymbolSight(country.board, wide, *others, leader_table(), [4])


@both
def test_a_large_board_has_room_for_all_its_lines(kernel: ModuleType) -> None:
    country = random_country(3, 40, 30, density=0.03)
    board, judge = country.board, symbol_sight(kernel, country)
    corner = board.hexes[0]
    mask = judge.visible(corner)
    for b in board.hexes[::149]:
        assert bool(mask[b]) == los(country, board.axial(corner), board.axial(b))


@both
@given(seeds, sizes, densities, st.integers(1, 9), st.sampled_from((0, 60, 300, 10**6)), st.data())
def test_a_farthest_distance_and_less_memory_change_nothing_within_sight(
    kernel: ModuleType,
    seed: int,
    size: tuple[int, int],
    density: float,
    farthest: int,
    memory: int,
    data: st.DataObject,
) -> None:
    country = random_country(seed, *size, density=density)
    board, whole = country.board, symbol_sight(kernel, country)
    near = kernel.SymbolSight(board, *coded(country), leader_table(), [4], farthest=farthest, memory=memory)
    asked = [data.draw(st.sampled_from(board.hexes)) for _ in range(6)]
    for a in asked:
        expected = [int(board.distance(a, b) <= farthest and whole.sees(a, b)) for b in board.hexes]
        if data.draw(st.booleans()):
            mask = near.visible(a)
            assert [mask[b] for b in board.hexes] == expected
            assert sum(mask) == sum(expected)
        assert [int(near.sees(a, b)) for b in board.hexes] == expected
        assert [near.why(a, b) for b in board.hexes] == [
            whole.why(a, b) if board.distance(a, b) <= farthest else None for b in board.hexes
        ]
    union = near.visible_from(asked)
    assert list(union) == [max(near.visible(a)[h] for a in asked) for h in range(board.size)]


@both
def test_what_was_seen_is_kept_in_bounds_and_the_latest_of_it_as_it_was(kernel: ModuleType) -> None:
    country = random_country(5, 12, 9)
    board = country.board
    # room for three masks of bytes, and for half of the hexes as bits
    judge = kernel.SymbolSight(board, *coded(country), leader_table(), [4], memory=9 * board.size)
    masks = {h: judge.visible(h) for h in board.hexes}
    latest = board.hexes[-1]
    assert judge.visible(latest) is masks[latest]
    oldest = board.hexes[0]
    assert judge.visible(oldest) == masks[oldest]
    assert judge.visible(oldest) is not masks[oldest]


@pytest.mark.skipif(not compiled(), reason="interpreted it takes minutes")
def test_a_hundred_sources_on_a_board_of_30000_hexes_take_less_than_10_megabytes() -> None:
    board = Board.build("b", 200, 150)
    towns = bytearray(board.size)
    for h in board.hexes[::53]:
        towns[h] = 1
    tracemalloc.start()
    try:
        judge = sight.SymbolSight(board, bytes(board.size), bytes(8 * board.size), towns, {(0, 0, 9, 0): 1})
        for h in board.hexes[::300]:
            judge.visible(h)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 10_000_000


def symbol_layers(**changes: Any) -> tuple[Any, ...]:
    board = Board.build("b", 3, 3)
    layers = {"levels": bytes(25), "side_codes": bytes(200), "area_codes": bytes(25), "table": {}}
    return (board, *(layers | changes).values())


@both
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"levels": bytes(24)}, "levels of this board have 25 bytes, not 24"),
        ({"levels": b"\4" * 25}, "levels go up to 3"),
        ({"side_codes": b"\x08" * 200}, "side codes go up to 7"),
        ({"side_codes": bytes(8 * 6 + 3) + b"\1" + bytes(200 - 52)}, "side 3 of hex 6 has code 1, but another"),
        ({"area_codes": bytes(3)}, "area codes of this board have 25 bytes"),
        ({"table": {(1, 0, 1, 0): 1}}, "no case"),
        ({"table": {(0, 4, 1, 0): 1}}, "no case"),
        ({"table": {(0, 1, 0, 0): 1}}, "no case"),
        ({"table": {(0, 1, 8, 0): 1}}, "no case"),
        ({"table": {(0, 1, 16, 0): 1}}, "no case"),
        ({"table": {(0, 1, 1, 4): 1}}, "no case"),
        ({"table": {(0, 1, 1, 0): 5}}, "no effect 5"),
        ({"table": {(0, 1, 9, 0): 3}}, "no effect 3 for code 9"),
        ({"table": {(1, 1, 1, 0): 2}}, "needs a lower end"),
        ({"clear_lengthwise": (), "farthest": 0}, "sight can't end at 0"),
    ],
)
def test_symbols_that_make_no_sense_are_refused(kernel: ModuleType, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kernel.SymbolSight(*symbol_layers(**changes))


@both
def test_symbol_sight_is_asked_about_hexes_of_the_board_only(kernel: ModuleType) -> None:
    judge = kernel.SymbolSight(*symbol_layers())
    for off in (0, -1, 4, 5, 9, 20, 24, 25, 10**6):
        for ask, places in ((judge.sees, (6, off)), (judge.why, (off, 6)), (judge.visible, (off,))):
            with pytest.raises(ValueError, match="off the board"):
                ask(*places)


def test_what_judges_a_line_never_calls_back_into_python() -> None:
    """A method that the types leave out is called as Python calls it, which takes longer than many a line."""
    typed = Path(sight.__file__).with_name("sight.pxd").read_text(encoding="ascii")
    seldom = {"_blocking_side", "_blocking_area", "_hex_at", "_laid_out"}
    private = {name for name in vars(interpreted("sight").SymbolSight) if re.fullmatch("_[a-z][a-z_]*", name)}
    called = {name for name in private if callable(vars(interpreted("sight").SymbolSight)[name])} - seldom
    assert {"_is_on", "_judge"} <= called
    assert [name for name in sorted(called) if f" {name}(self" not in typed] == []
