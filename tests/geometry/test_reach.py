"""Movement reach: against a textbook search, and the compiled kernel against the interpreted one."""

from itertools import pairwise
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geometry import Board, compiled, interpreted, reach
from tests.geometry.oracles import cheapest, random_costs, random_flags

KERNELS = [pytest.param(reach, id="in use"), pytest.param(interpreted("reach"), id="interpreted")]
seeds = st.integers(0, 10**6)
sizes = st.tuples(st.integers(1, 11), st.integers(1, 11))
both = pytest.mark.parametrize("kernel", KERNELS)


def case(seed: int, size: tuple[int, int]) -> tuple[Board, bytes, bytes, bytes]:
    board = Board.build("b", *size)
    return board, random_costs(seed, board), random_flags(seed + 1, board), random_costs(seed + 2, board)


def flat(board: Board, cost: int = 1) -> tuple[bytes, bytes]:
    """One cost for every step, no flags."""
    return bytes([cost]) * (8 * board.size), bytes(board.size)


@both
@given(seeds, sizes, st.integers(0, 25), st.integers(0, 3), st.data())
def test_reach_finds_exactly_the_hexes_within_the_allowance(
    kernel: ModuleType, seed: int, size: tuple[int, int], allowance: int, zone_cost: int, data: st.DataObject
) -> None:
    board, costs, flags, alternate = case(seed, size)
    source = data.draw(st.sampled_from(board.hexes))
    found = kernel.Reacher(board).reach(source, allowance, costs, flags, alternate, zone_cost)
    known = cheapest(board, [source], costs, flags, alternate, zone_cost)
    assert found.as_dict() == {h: cost for h, cost in known.items() if cost <= allowance}
    assert list(found.costs) == sorted(found.costs)
    assert list(found.items()) == list(zip(found, found.costs, strict=True))
    assert found.hexes[0] == source
    assert len(found) == len(found.hexes)
    for h in board.hexes:
        assert found.cost(h) == found.as_dict().get(h, -1)
        assert (h in found) == (found.cost(h) >= 0)


@both
@given(seeds, sizes, st.data())
def test_every_path_is_a_chain_of_steps_that_costs_what_reach_says(
    kernel: ModuleType, seed: int, size: tuple[int, int], data: st.DataObject
) -> None:
    board, costs, flags, alternate = case(seed, size)
    source = data.draw(st.sampled_from(board.hexes))
    found = kernel.Reacher(board).reach(source, 20, costs, flags, alternate, 2)
    for goal, cost in found.items():
        path = found.path_to(goal)
        assert path[-1:] == ([goal] if goal != source else [])
        spent = 0
        for here, there in pairwise([source, *path]):
            layer = alternate if flags[there] & 8 else costs
            spent += layer[8 * here + board.direction(here, there)] + (2 if flags[there] & 2 else 0)
            assert not flags[there] & 1
        assert spent == cost
        assert not any(flags[h] & 4 for h in path[:-1])


@given(seeds, sizes, st.lists(st.tuples(st.integers(0, 120), st.integers(0, 30)), min_size=1, max_size=6))
def test_the_compiled_kernel_and_the_interpreted_one_are_equal_to_the_last_tie(
    seed: int, size: tuple[int, int], calls: list[tuple[int, int]]
) -> None:
    board, costs, flags, alternate = case(seed, size)
    sources = [board.hexes[at % len(board.hexes)] for at, _ in calls]
    allowances = [allowance for _, allowance in calls]
    results = []
    for kernel in (reach, interpreted("reach")):
        reacher = kernel.Reacher(board)
        many = reacher.reach_many(sources, allowances, costs, flags, alternate, 1)
        again = [reacher.reach(*call, costs, flags, alternate, 1) for call in zip(sources, allowances, strict=True)]
        assert [one.as_dict() for one in many] == [one.as_dict() for one in again]
        paths = [[one.path_to(h) for h in one] for one in many]
        routes = [reacher.path(sources[0], goal, costs, flags, alternate, 1) for goal in board.hexes]
        fields = [reacher.flood(source, costs, flags, alternate, 1) for source in sources]
        results.append(([list(one.items()) for one in many], paths, routes, fields))
    assert results[0] == results[1]


def laid_over(data: st.DataObject, board: Board) -> dict[int, int]:
    """Costs to lay over some hexes of a board."""
    prices = st.sampled_from((0, 1, 2, 5, 50, 51, 254, 255))
    return data.draw(st.dictionaries(st.sampled_from(board.hexes), prices, max_size=8))


@both
@given(seeds, sizes, st.integers(0, 40), st.integers(0, 3), st.integers(0, 15), st.data())
def test_steps_from_zone_to_zone_and_costs_laid_over_the_layers_are_those_of_a_textbook_search(
    kernel: ModuleType,
    seed: int,
    size: tuple[int, int],
    allowance: int,
    zone_cost: int,
    zone_to_zone: int,
    data: st.DataObject,
) -> None:
    board, costs, flags, alternate = case(seed, size)
    source, goal = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
    entering = laid_over(data, board)
    terms = (costs, flags, alternate, zone_cost, zone_to_zone, entering)
    known = cheapest(board, [source], *terms)
    reacher = kernel.Reacher(board)
    found = reacher.reach(source, allowance, *terms)
    assert found.as_dict() == {h: cost for h, cost in known.items() if cost <= allowance}
    assert [one.as_dict() for one in reacher.reach_many([source], [10**6], *terms)] == [known]
    assert list(reacher.flood(source, *terms)) == [known.get(h, -1) for h in range(board.size)]
    path = reacher.path(source, goal, *terms)
    assert (path is not None) == (goal in known)
    spent = 0
    for here, there in pairwise([source, *(path or ())]):
        layer = alternate if flags[there] & 8 else costs
        step = layer[8 * here + board.direction(here, there)]
        assert step != 255
        times = zone_to_zone if flags[here] & flags[there] & 16 else 1
        assert times
        spent += entering.get(there, step) * times + (zone_cost if flags[there] & 2 else 0)
    assert path is None or spent == known[goal]
    # nothing of it is left for the next search
    assert reacher.reach(source, allowance, costs, flags).as_dict() == {
        h: cost for h, cost in cheapest(board, [source], costs, flags, costs, 0).items() if cost <= allowance
    }


@given(seeds, sizes, st.integers(0, 15), st.data())
def test_with_zones_and_laid_costs_too_the_compiled_kernel_and_the_interpreted_one_are_equal_to_the_last_tie(
    seed: int, size: tuple[int, int], zone_to_zone: int, data: st.DataObject
) -> None:
    board, costs, flags, alternate = case(seed, size)
    terms = (costs, flags, alternate, 1, zone_to_zone, laid_over(data, board))
    source = data.draw(st.sampled_from(board.hexes))
    results = []
    for kernel in (reach, interpreted("reach")):
        reacher = kernel.Reacher(board)
        found = reacher.reach(source, 60, *terms)
        routes = [reacher.path(source, goal, *terms) for goal in board.hexes]
        results.append((list(found.items()), [found.path_to(h) for h in found], routes, reacher.flood(source, *terms)))
    assert results[0] == results[1]


@both
def test_a_unit_that_begins_in_a_zone_pays_for_the_next_one(kernel: ModuleType) -> None:
    board = Board.build("b", 1, 4)
    costs, _ = flat(board, 2)
    a, b, c, d = board.hexes
    flags = bytearray(board.size)
    flags[a] = flags[b] = flags[d] = reach.IN_ZONE
    reacher = kernel.Reacher(board)
    assert reacher.reach(a, 99, costs, flags, zone_to_zone=3).as_dict() == {a: 0, b: 6, c: 8, d: 10}
    assert reacher.reach(a, 99, costs, flags, zone_to_zone=0).as_dict() == {a: 0}
    assert reacher.reach(a, 99, costs, flags).as_dict() == {a: 0, b: 2, c: 4, d: 6}
    # the dear step is what the laid cost is multiplied by, and nothing can be laid over a step that is forbidden
    assert reacher.reach(a, 99, costs, flags, zone_to_zone=3, entering={b: 5}).cost(b) == 15
    assert reacher.reach(a, 99, b"\xff" * len(costs), flags, entering={b: 5}).as_dict() == {a: 0}


@both
def test_what_can_not_be_laid_over_is_refused_and_leaves_no_trace(kernel: ModuleType) -> None:
    board = Board.build("b", 4, 4)
    costs, flags = flat(board)
    a, b, *_ = board.hexes
    reacher = kernel.Reacher(board)
    for entering, message in (
        ({b: 9, 0: 1}, "hex 0 is off the board"),
        ({b: 9, a: 256}, "can't cost 256"),
        ({b: -1}, "can't cost -1"),
    ):
        for ask in (reacher.reach, reacher.path):
            with pytest.raises(ValueError, match=message):
                ask(a, b, costs, flags, entering=entering)
    with pytest.raises(ValueError, match="off the board"):
        reacher.reach(0, 5, costs, flags, entering={b: 9})
    with pytest.raises(ValueError, match="off the board"):
        reacher.reach_many([a, 0], [5, 5], costs, flags, entering={b: 9})
    for times in (-1, 16):
        with pytest.raises(ValueError, match=f"can't cost {times} times"):
            reacher.reach(a, 5, costs, flags, zone_to_zone=times)
    assert reacher.reach(a, 5, costs, flags, entering={a: 1}).cost(b) == 1


@both
def test_the_dearest_steps_on_a_large_board_stay_within_the_numbers(kernel: ModuleType) -> None:
    board = Board.build("b", 2, 400)
    costs, _ = flat(board, 254)
    flags = bytes([reach.IN_ZONE]) * board.size
    field = kernel.Reacher(board).flood(board.hexes[0], costs, flags, None, 255, 15)
    assert field[board.hexes[-2]] == 399 * 254 * 15
    large = Board.build("b", 400, 400)
    costs, _ = flat(large, 254)
    first, second = large.hexes[0], large.neighbor(large.hexes[0], 3)
    assert kernel.Reacher(large).path(first, second, costs, bytes(large.size), None, 255, 15) == [second]


@both
@given(seeds, sizes, st.integers(0, 15), st.data())
def test_more_allowance_never_reaches_less_nor_changes_a_path(
    kernel: ModuleType, seed: int, size: tuple[int, int], allowance: int, data: st.DataObject
) -> None:
    board, costs, flags, alternate = case(seed, size)
    source = data.draw(st.sampled_from(board.hexes))
    reacher = kernel.Reacher(board)
    less = reacher.reach(source, allowance, costs, flags, alternate, 1)
    more = reacher.reach(source, allowance + 5, costs, flags, alternate, 1)
    assert [(h, less.cost(h), less.path_to(h)) for h in less] == [(h, more.cost(h), more.path_to(h)) for h in less]


@both
@given(seeds, sizes, st.data())
def test_a_flood_measures_every_hex_from_the_nearest_source(
    kernel: ModuleType, seed: int, size: tuple[int, int], data: st.DataObject
) -> None:
    board, costs, flags, alternate = case(seed, size)
    sources = data.draw(st.lists(st.sampled_from(board.hexes), min_size=1, max_size=3))
    known = cheapest(board, sources, costs, flags, alternate, 3)
    field = kernel.Reacher(board).flood([*sources, sources[0]], costs, flags, alternate, 3)
    assert list(field) == [known.get(h, -1) for h in range(board.size)]


@both
@given(seeds, sizes, st.data())
def test_a_path_is_a_cheapest_one_or_none(
    kernel: ModuleType, seed: int, size: tuple[int, int], data: st.DataObject
) -> None:
    board, costs, flags, alternate = case(seed, size)
    source, goal = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
    reacher = kernel.Reacher(board)
    path = reacher.path(source, goal, costs, flags, alternate)
    found = reacher.reach(source, 10**6, costs, flags, alternate)
    assert path == (found.path_to(goal) if goal in found else None)
    assert (path == []) == (source == goal)


@both
def test_on_open_ground_reach_is_distance(kernel: ModuleType) -> None:
    board = Board.build("b", 9, 8)
    source = board.parse("0504")
    costs, flags = flat(board)
    reacher = kernel.Reacher(board)
    assert reacher.reach(source, 3, costs, flags).as_dict() == {
        h: board.distance(source, h) for h in board.within(source, 3)
    }
    field = reacher.flood(source, costs, flags)
    assert all(field[h] == board.distance(source, h) for h in board.hexes)
    assert field[0] == -1


@both
def test_the_alternate_layer_holds_only_for_flagged_hexes(kernel: ModuleType) -> None:
    board = Board.build("b", 3, 3)
    costs, flags = flat(board, 2)
    alternate, _ = flat(board, 5)
    a, b, c = (board.parse(label) for label in ("0101", "0102", "0201"))
    marked = bytearray(flags)
    marked[b] = 8
    found = kernel.Reacher(board).reach(a, 6, costs, marked, bytearray(alternate))
    assert (found.cost(b), found.cost(c)) == (5, 2)
    assert kernel.Reacher(board).reach(a, 6, costs, marked).cost(b) == 2


@both
def test_flags_never_bind_the_source(kernel: ModuleType) -> None:
    board = Board.build("b", 3, 3)
    costs, _ = flat(board)
    source = board.parse("0202")
    flags = bytearray(board.size)
    flags[source] = 1 | 2 | 4
    assert kernel.Reacher(board).reach(source, 1, costs, flags, zone_cost=9).as_dict() == {
        source: 0,
        **dict.fromkeys(board.neighbors(source), 1),
    }


@both
def test_scratch_is_renewed_before_its_numbers_run_out(kernel: ModuleType) -> None:
    board = Board.build("b", 60, 60)
    costs, flags = flat(board, 254)
    reacher = kernel.Reacher(board)
    first = reacher.reach(board.hexes[0], 300, costs, flags).as_dict()
    # each unlimited search here takes 2 of the 1,074 million numbers, so this uses them all up twice
    route = [reacher.path(board.hexes[0], board.hexes[1], costs, flags, zone_cost=255) for _ in range(1200)]
    assert all(path == [board.hexes[1]] for path in route)
    assert reacher.reach(board.hexes[0], 300, costs, flags).as_dict() == first


@both
def test_what_can_not_be_searched_is_refused(kernel: ModuleType) -> None:
    board = Board.build("b", 4, 4)
    costs, flags = flat(board)
    source = board.hexes[0]
    reacher = kernel.Reacher(board)
    with pytest.raises(ValueError, match="cost layer of this board has 288 bytes"):
        reacher.reach(source, 1, costs[1:], flags)
    with pytest.raises(ValueError, match="cost layer"):
        reacher.reach_many([source], [1], costs, flags, costs[8:])
    with pytest.raises(ValueError, match="flags of this board have 36 bytes, not 35"):
        reacher.flood(source, costs, flags[1:])
    with pytest.raises(ValueError, match="zone can't cost"):
        reacher.reach(source, 1, costs, flags, zone_cost=256)
    with pytest.raises(ValueError, match="zone can't cost"):
        reacher.path(source, source, costs, flags, zone_cost=-1)
    with pytest.raises(ValueError, match="less than nothing"):
        reacher.reach(source, -1, costs, flags)
    for off in (0, -1, 3, board.size, 10**6):
        with pytest.raises(ValueError, match="off the board"):
            reacher.reach(off, 1, costs, flags)
        with pytest.raises(ValueError, match="off the board"):
            reacher.path(source, off, costs, flags)
    with pytest.raises(ValueError, match="zip"):
        reacher.reach_many([source, source], [1], costs, flags)
    with pytest.raises(KeyError):
        reacher.reach(source, 0, costs, flags).path_to(board.hexes[1])


def test_a_twin_is_loaded_from_source_whatever_is_in_use() -> None:
    assert str(interpreted("reach").__file__).endswith("reach.py")
    assert interpreted("reach") is interpreted("reach")
    assert compiled() == (not reach.__file__.endswith(".py"))
    with pytest.raises(ValueError, match="no kernel 'board'"):
        interpreted("board")
