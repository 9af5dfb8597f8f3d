"""Batches: the same games whoever plays them, and shares with honest intervals."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable import registry
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Selection
from sandtable.lab import batch
from sandtable.lab.batch import Game, Result, game_seed, play_game, run_batch, summarize, wilson
from sandtable.lab.tables import LabError
from tests.cli.kit import toy_system

__all__ = ["toy_system"]

RED, BLUE = SideId("red"), SideId("blue")


def games(scenario: Path | str, count: int, sides: tuple[str, str] = ("red", "blue")) -> list[Game]:
    who = {SideId(sides[0]): "random", SideId(sides[1]): "greedy"}
    return [Game(str(scenario), {}, who, game_seed("seed", index), 8) for index in range(count)]


def timeless(results: Any) -> list[Result]:
    return [msgspec.structs.replace(result, cpu_seconds=0.0) for result in results]


@pytest.fixture(autouse=True)
def no_tables_kept() -> None:
    batch._table.cache_clear()


def test_a_game_is_played_to_its_end(toy_system: Path) -> None:
    result = play_game(games(toy_system, 1)[0])
    assert result.level in ("marginal", "decisive")
    assert result.orders > 0
    assert 1 <= result.turns <= 7
    assert len(result.digest) == 32


def test_the_same_seed_gives_the_same_game(toy_system: Path) -> None:
    game = games(toy_system, 1)[0]
    assert timeless([play_game(game)]) == timeless([play_game(game)])


def test_games_of_one_batch_differ(toy_system: Path) -> None:
    assert len({result.digest for result in run_batch(games(toy_system, 8))}) > 1


def test_any_executor_gives_the_same_results_in_the_same_order(toy_system: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        pooled = timeless(run_batch(games(toy_system, 6), pool))
    assert pooled == timeless(run_batch(games(toy_system, 6)))


def test_a_process_pool_gives_the_same_results() -> None:
    some = games("pl-first-platoon", 3, ("allied", "german"))
    with ProcessPoolExecutor(2) as pool:
        pooled = timeless(run_batch(some, pool))
    assert pooled == timeless(run_batch(some))


def test_a_game_of_too_many_orders_is_broken_off(toy_system: Path) -> None:
    game = msgspec.structs.replace(games(toy_system, 1)[0], most_orders=3)
    result = play_game(game)
    assert (result.winner, result.level, result.orders) == (None, "unfinished", 3)
    summary = summarize([result], (RED, BLUE))
    assert (summary.unfinished, summary.draws.count) == (1, 0)


def test_a_player_that_breaks_the_rules_is_named(toy_system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        def choose(self, *_: Any) -> Any:
            from tests.kit.toy import Press

            return Press()

    monkeypatch.setattr(registry, "player", lambda name, system: Cheat())
    with pytest.raises(LabError, match=r"in game seed/0 the random player's order 1 for red is not lawful: .*TOY-1"):
        play_game(games(toy_system, 1)[0])


def test_the_summary_adds_up() -> None:
    results = [
        Result("a", RED, "decisive", 4, 40, "", 0.5),
        Result("b", BLUE, "marginal", 6, 20, "", 0.25),
        Result("c", RED, "marginal", 6, 60, "", 0.25),
        Result("d", None, "draw", 6, 40, "", 1.0),
    ]
    summary = summarize(results, (RED, BLUE))
    assert (summary.wins[RED].count, summary.wins[BLUE].count, summary.draws.count) == (2, 1, 1)
    assert (summary.mean_turns, summary.mean_orders) == (5.5, 40.0)
    assert (summary.cpu_seconds, summary.orders_per_cpu_second) == (2.0, 80.0)
    assert summary.levels == {"decisive": 1, "draw": 1, "marginal": 2}


def test_no_games_add_up_to_nothing() -> None:
    summary = summarize([], (RED,))
    assert (summary.games, summary.mean_turns, summary.orders_per_cpu_second) == (0, 0.0, 0.0)
    assert summary.wins[RED] == wilson(0, 0)


@pytest.mark.parametrize(
    # the examples of Newcombe (1998), table I, method 3, to four decimals
    ("count", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_wilsons(count: int, trials: int, low: float, high: float) -> None:
    share = wilson(count, trials)
    assert (share.low, share.high) == pytest.approx((low, high), abs=5.1e-5)


@given(st.integers(1, 500), st.data())
def test_the_interval_holds_the_share_and_mirrors(trials: int, data: Any) -> None:
    count = data.draw(st.integers(0, trials))
    share, rest = wilson(count, trials), wilson(trials - count, trials)
    assert 0 <= share.low <= share.share <= share.high <= 1
    assert share.low == pytest.approx(1 - rest.high, abs=2e-6)


def test_the_menu_of_the_toy_has_an_ending(toy_system: Path) -> None:
    from sandtable.kernel.engine import begin
    from sandtable.lab.tables import ending, open_table

    table = open_table(str(toy_system))
    state = begin(table.ruleset, table.scenario, {}, "1").state
    view = table.ruleset.view(state, RED)
    assert ending(table.ruleset, view) is None
    assert any(verb.targets for verb in table.ruleset.menu(view, Selection()))
