"""Many games between computer players, on as many processors as there are, and what they add up to.

The games of a batch are handed to any executor of `concurrent.futures`: a process pool on one machine, or a cluster's.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from functools import lru_cache
from math import sqrt
from typing import Any

import msgspec

from sandtable.battle.library import PlayableScenario
from sandtable.battle.memory import nobody, open_battle
from sandtable.battle.seats import computer
from sandtable.kernel import codec
from sandtable.kernel.ids import SideId
from sandtable.lab.seats import computer_order, deciding, players_of
from sandtable.lab.tables import LabError, open_table

MOST_ORDERS = 20_000
"""A game of more orders than this is broken off."""

UNFINISHED = "unfinished"
CONFIDENCE = 1.959963984540054
"""The normal quantile of a 95 % interval."""


class Game(msgspec.Struct, frozen=True):
    """One game to be played: everything a worker in another process needs to know."""

    scenario: str
    options: dict[str, Any]
    seats: dict[SideId, str]
    seed: str
    budget: int
    most_orders: int = MOST_ORDERS


class Result(msgspec.Struct, frozen=True):
    """How a game went; the digest is that of its last state, so that two runs can be compared."""

    seed: str
    winner: SideId | None
    level: str
    turns: int
    orders: int
    digest: str
    cpu_seconds: float


class Share(msgspec.Struct, frozen=True):
    """How often something happened, with its 95 % confidence interval after Wilson."""

    count: int
    share: float
    low: float
    high: float


class Summary(msgspec.Struct, frozen=True):
    """What the games of a batch add up to."""

    games: int
    wins: dict[SideId, Share]
    draws: Share
    unfinished: int
    levels: dict[str, int]
    mean_turns: float
    mean_orders: float
    cpu_seconds: float
    orders_per_cpu_second: float


def game_seed(seed: str, index: int) -> str:
    """The seed of one game of a batch: the same whoever plays it and however many games there are."""
    return f"{seed}/{index}"


@lru_cache(maxsize=4)
def _table(scenario: str) -> PlayableScenario:
    return open_table(scenario)


def play_game(game: Game) -> Result:
    """The game is played to its end, or until it has had too many orders."""
    table = _table(game.scenario)
    players = players_of(table.system, game.seats)
    seats = tuple(computer(side, name) for side, name in game.seats.items())
    started = time.process_time()
    battle = open_battle(table, seats, game.options, game.seed, viewers=nobody)
    orders = 0
    while orders < game.most_orders and (side := deciding(battle)) is not None:
        answer = computer_order(battle, side, players[side], game.budget)
        if answer.refusal is not None:
            raise LabError(
                f"in game {game.seed} the {game.seats[side]} player's order {orders + 1} for {side} is not lawful: "
                f"{answer.refusal.reason} ({answer.refusal.rule})"
            )
        orders += 1
    progress = battle.progress()
    seconds = time.process_time() - started
    outcome = progress.outcome
    return Result(
        seed=game.seed,
        winner=outcome.winner if outcome else None,
        level=outcome.level if outcome else UNFINISHED,
        turns=progress.turn,
        orders=orders,
        digest=codec.digest(battle.ledger.state),
        cpu_seconds=round(seconds, 6),
    )


def run_batch(games: Iterable[Game], executor: Executor | None = None) -> Iterator[Result]:
    """The results in the order of the games, each as soon as it and those before it are known."""
    if executor is None:
        yield from map(play_game, games)
        return
    futures = [executor.submit(play_game, game) for game in games]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


def wilson(count: int, trials: int) -> Share:
    """The share of so many in so many, with its 95 % confidence interval after Wilson."""
    if not trials:
        return Share(0, 0.0, 0.0, 1.0)
    z2 = CONFIDENCE * CONFIDENCE
    share = count / trials
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = CONFIDENCE * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials)) / (1 + z2 / trials)
    # at the ends the formula gives 0 and 1 exactly; floating point misses them by a hair
    low = 0.0 if count == 0 else middle - half
    high = 1.0 if count == trials else middle + half
    return Share(count, round(share, 6), round(low, 6), round(high, 6))


def summarize(results: Iterable[Result], sides: Iterable[SideId]) -> Summary:
    """Wins, draws and means; games that were broken off count as nobody's."""
    games = list(results)
    trials = len(games)
    finished = [game for game in games if game.level != UNFINISHED]
    levels: dict[str, int] = {}
    for game in games:
        levels[game.level] = levels.get(game.level, 0) + 1
    orders = sum(game.orders for game in games)
    seconds = sum(game.cpu_seconds for game in games)
    return Summary(
        games=trials,
        wins={side: wilson(sum(game.winner == side for game in games), trials) for side in sides},
        draws=wilson(sum(game.winner is None for game in finished), trials),
        unfinished=trials - len(finished),
        levels=dict(sorted(levels.items())),
        mean_turns=round(sum(game.turns for game in games) / trials, 3) if trials else 0.0,
        mean_orders=round(orders / trials, 3) if trials else 0.0,
        cpu_seconds=round(seconds, 6),
        orders_per_cpu_second=round(orders / seconds, 1) if seconds else 0.0,
    )
