"""Lines of sight over heights: against fractions, and compiled against interpreted."""

from array import array
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geometry import Board, Hex, hexes, interpreted, slope_sight
from sandtable.geometry.sight_tables import NO_HEIGHT
from tests.geometry.oracles import (
    overlooks,
    random_relief,
)

KERNELS = [pytest.param(slope_sight, id="in use"), pytest.param(interpreted("slope_sight"), id="interpreted")]
both = pytest.mark.parametrize("kernel", KERNELS)
seeds = st.integers(0, 10**6)
sizes = st.tuples(st.integers(1, 11), st.integers(1, 11))


@both
@given(seeds, sizes, st.integers(1, 12), st.data())
def test_slope_sight_is_every_line_compared_as_fractions(
    kernel: ModuleType, seed: int, size: tuple[int, int], radius: int, data: st.DataObject
) -> None:
    relief = random_relief(seed, *size)
    board, judge = relief.board, kernel.SlopeSight(*relief, radius)
    origin = data.draw(st.sampled_from(board.hexes))
    mask = judge.visible(origin)
    assert [h for h in range(board.size) if mask[h]] == sorted(
        h for h in board.hexes if board.distance(origin, h) <= radius and overlooks(relief, origin, h)
    )


@both
@given(seeds, sizes, st.integers(1, 12), st.integers(1, 3), st.data())
def test_from_eye_to_eye_what_touches_the_line_hides_and_the_sides_of_both_ends_do_not(
    kernel: ModuleType, seed: int, size: tuple[int, int], radius: int, eyes: int, data: st.DataObject
) -> None:
    relief = random_relief(seed, *size)
    board = relief.board
    judge = kernel.SlopeSight(*relief, radius, eyes=eyes).with_heights({})
    origin = data.draw(st.sampled_from(board.hexes))
    mask = judge.visible(origin)
    expected = [h for h in board.hexes if board.distance(origin, h) <= radius and overlooks(relief, origin, h, eyes)]
    assert [h for h in range(board.size) if mask[h]] == sorted(expected)
    assert all(judge.visible(h)[origin] for h in expected)


@given(seeds, sizes, st.integers(1, 15))
def test_compiled_and_interpreted_slope_sight_agree_and_a_side_sees_what_any_of_it_sees(
    seed: int, size: tuple[int, int], radius: int
) -> None:
    relief = random_relief(seed, *size)
    one, two = slope_sight.SlopeSight(*relief, radius), interpreted("slope_sight").SlopeSight(*relief, radius)
    some = relief.board.hexes[:: max(1, len(relief.board.hexes) // 9)]
    for origin in some:
        assert one.visible(origin) == two.visible(origin)
    union = bytes(max(one.visible(origin)[h] for origin in some) for h in range(relief.board.size))
    assert one.visible_from(some) == two.visible_from(some) == union


def in_meters(relief: Any, factor: int, offset: int) -> tuple[Any, ...]:
    """The same relief in 16-bit numbers, stretched and moved."""
    ground, top = (array("h", [factor * height + offset for height in layer]) for layer in (relief.ground, relief.top))
    sides = array("h", [NO_HEIGHT if side == 255 else factor * side + offset for side in relief.side_tops])
    return relief.board, ground, top, sides


@both
@given(seeds, sizes, st.integers(1, 12), st.integers(1, 1500), st.integers(-9000, 9000))
def test_heights_stretched_to_meters_and_moved_hide_the_same(
    kernel: ModuleType, seed: int, size: tuple[int, int], radius: int, factor: int, offset: int
) -> None:
    relief = random_relief(seed, *size)
    levels = kernel.SlopeSight(*relief, radius)
    meters = kernel.SlopeSight(*in_meters(relief, factor, offset), radius)
    for origin in relief.board.hexes[:: max(1, len(relief.board.hexes) // 5)]:
        assert meters.visible(origin) == levels.visible(origin)


@both
@given(seeds, sizes, st.integers(1, 12), st.data())
def test_changed_heights_are_those_of_a_judge_made_from_scratch(
    kernel: ModuleType, seed: int, size: tuple[int, int], radius: int, data: st.DataObject
) -> None:
    relief = random_relief(seed, *size)
    board, places = relief.board, st.sampled_from(relief.board.hexes)
    first = kernel.SlopeSight(*relief, radius, lowest=-9)
    before = [first.visible(origin) for origin in board.hexes]
    layers = [array("h", list(layer)) for layer in relief[1:]]
    layers[2] = array("h", [NO_HEIGHT if side == 255 else side for side in relief.side_tops])
    judge = first
    for _ in range(data.draw(st.integers(1, 3))):
        heights = st.tuples(st.integers(-9, 12), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair)))
        hexes_changed = data.draw(st.dictionaries(places, heights, max_size=6))
        keys = st.tuples(places, st.sampled_from(hexes.DIRECTIONS))
        sides_changed = data.draw(st.dictionaries(keys, st.none() | st.integers(-12, 20), max_size=6))
        judge = judge.with_heights(hexes_changed, sides_changed)
        for h, (ground, top) in hexes_changed.items():
            layers[0][h], layers[1][h] = ground, top
        for (h, d), side in sides_changed.items():
            value = NO_HEIGHT if side is None else side
            layers[2][8 * h + d] = value
            if board.neighbor(h, d):
                layers[2][8 * board.neighbor(h, d) + hexes.opposite(d)] = value
    scratch = kernel.SlopeSight(board, *layers, radius)
    for origin in board.hexes:
        assert judge.visible(origin) == scratch.visible(origin)
    some = board.hexes[::3]
    assert judge.visible_from(some) == scratch.visible_from(some)
    # the judge it came from has seen nothing of it
    assert [first.visible(origin) for origin in board.hexes] == before


@both
def test_a_change_that_can_not_be_is_refused_and_leaves_no_trace(kernel: ModuleType) -> None:
    board = Board.build("b", 4, 4)
    level, none = bytes(b"\5" * board.size), b"\xff" * (8 * board.size)
    judge = kernel.SlopeSight(board, level, level, none, 5)
    h = board.hexes[0]
    for hexes_changed, sides_changed, message in (
        ({h: (4, 6)}, {}, "ground 4 and top 6; expected 5 to 10005"),
        ({h: (7, 6)}, {}, "ground 7 and top 6"),
        ({h: (7, 10_006)}, {}, "top 10006"),
        ({1: (7, 7)}, {}, "hex 1 is off the board"),
        ({}, {(1, 1): 7}, "hex 1 is off the board"),
        ({}, {(h, 6): 7}, "no side 6"),
        ({}, {(h, -1): 7}, "no side -1"),
        ({}, {(h, 1): 10_006}, "a side has the top 10006"),
    ):
        with pytest.raises(ValueError, match=message):
            judge.with_heights(hexes_changed, sides_changed)
    smoke = judge.with_heights({board.hexes[5]: (5, 9)})
    with pytest.raises(ValueError, match="off the board"):
        smoke.visible_from([h, 0])
    assert sum(judge.visible(h)) == 16
    assert sum(smoke.visible(h)) < 16


@both
def test_nothing_hides_on_level_ground_and_a_hill_hides_what_lies_behind_it(kernel: ModuleType) -> None:
    board = Board.build("b", 9, 9)
    low, none = bytes(board.size), b"\xff" * (8 * board.size)
    origin = board.from_axial(Hex(1, 2))
    assert sum(kernel.SlopeSight(board, low, low, none, 20).visible(origin)) == 81
    hill = bytearray(low)
    hill[board.from_axial(Hex(3, 2))] = 1
    mask = kernel.SlopeSight(board, low, hill, none, 20).visible(origin)
    assert mask[board.from_axial(Hex(3, 2))] == 1
    assert mask[board.from_axial(Hex(5, 2))] == 0
    assert mask[board.from_axial(Hex(1, 7))] == 1


@both
@pytest.mark.parametrize(
    ("ground", "top", "sides", "radius", "message"),
    [
        (25, 25, 200, 0, "radius of 0"),
        (25, 25, 200, 128, "radius of 128"),
        (24, 25, 200, 5, "ground of this board has 25 heights, not 24"),
        (25, 26, 200, 5, "top of this board"),
        (25, 25, 25, 5, "side tops of this board has 200 heights"),
    ],
)
def test_heights_that_do_not_fit_the_board_are_refused(
    kernel: ModuleType, ground: int, top: int, sides: int, radius: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        kernel.SlopeSight(Board.build("b", 3, 3), bytes(ground), bytes(top), b"\xff" * sides, radius)


@both
def test_a_top_below_its_ground_or_an_origin_off_the_board_is_refused(kernel: ModuleType) -> None:
    board = Board.build("b", 3, 3)
    none = b"\xff" * (8 * board.size)
    with pytest.raises(ValueError, match="ground 1 and top 0"):
        kernel.SlopeSight(board, b"\1" * board.size, bytes(board.size), none, 5)
    far_apart = array("h", [0] * board.size)
    far_apart[board.hexes[0]] = 10_001
    with pytest.raises(ValueError, match="top 10001; expected 0 to 10000"):
        kernel.SlopeSight(board, bytes(board.size), far_apart, none, 5)
    with pytest.raises(ValueError, match="a side has the top 10001; expected 10000 at most"):
        kernel.SlopeSight(board, bytes(board.size), bytes(board.size), array("h", [10_001] * (8 * board.size)), 5)
    judge = kernel.SlopeSight(board, bytes(board.size), bytes(board.size), none, 5)
    for off in (0, -1, 3, board.size, 10**6):
        with pytest.raises(ValueError, match="off the board"):
            judge.visible(off)
