"""What runs in a worker process: computer players and long odds, from one side's view and nothing else.

A task holds the canonical bytes of the view and the names of the rules and the scenario, so a worker can't know more
than the side it thinks for. It can be stopped between two candidates, and it can be killed at any moment.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

import msgspec

from sandtable import registry
from sandtable.ai.players import BUDGET, Player
from sandtable.battle.ledger import ground
from sandtable.battle.library import PlayableScenario, ShippedLibrary, restored
from sandtable.battle.observed import Belief
from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.forecast import forecast
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate


class ThinkingTask(msgspec.Struct, frozen=True):
    """A decision for a computer player; `lots` has nothing to do with the dice of the battle, and `content` holds the
    files of the scenario, when the battle keeps them."""

    believed: Belief
    player: str
    lots: str
    number: int
    budget: int = BUDGET
    content: str = ""


class ForecastTask(msgspec.Struct, frozen=True):
    """What would come of an order?"""

    believed: Belief
    order: msgspec.Raw
    content: str = ""


class Stopped(Exception):
    """Nobody waits for this thought any more."""


# the worker's own desk

PROGRESS, STOP, PID = range(3)
FIELDS = 3
"""What a slot of the shared board holds: how many candidates were weighed, whether to stop, and who works on it."""

_board: Any = None


def begin(board: Any) -> None:
    """The worker shares a board with the server, leaves Ctrl-C to it and does not outlive it."""
    global _board
    _board = board
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = parent_process()
    if server is not None:
        Thread(target=_follow, args=(server,), daemon=True).start()


def _follow(server: BaseProcess) -> None:
    """The worker ends with the server, however that ends."""
    server.join()
    os._exit(0)


def _note(slot: int, field: int, value: int) -> None:
    if _board is not None:
        _board[slot * FIELDS + field] = value


def _is_stopped(slot: int) -> bool:
    return _board is not None and bool(_board[slot * FIELDS + STOP])


# tasks

Job = Callable[[bytes, int], bytes]
"""What a worker does with some bytes; the number is its slot of the board."""


def perform(job: Job, data: bytes, slot: int) -> bytes:
    """The job's result. It is known who works on it; a job that nobody waits for any more is not begun."""
    _note(slot, PID, os.getpid())
    return b"" if _is_stopped(slot) else job(data, slot)


def think(data: bytes, slot: int) -> bytes:
    """The order of a computer player as JSON; nothing when it was stopped."""
    thought = codec.decode(data, ThinkingTask)
    view, table = _view(thought.believed, thought.content)
    player = _player(thought, table, slot)
    try:
        order = player.choose(view, view.decisions[0], thought.budget, PromptDice(thought.lots, thought.number))
    except Stopped:
        return b""
    return codec.encode(order)


def foresee(data: bytes, slot: int) -> bytes:
    """The forecast of an order, or the refusal it would meet, as JSON."""
    question = codec.decode(data, ForecastTask)
    view, table = _view(question.believed, question.content)
    order = codec.decode(bytes(question.order), table.ruleset.info.orders)
    return msgspec.json.encode(forecast(table.ruleset, view, order))


def wake(data: bytes, slot: int) -> bytes:
    """The worker is there and has its rules in memory."""
    registry.ruleset(data.decode())
    return b"awake"


_library = ShippedLibrary()


def _table(system: str, scenario: str, content: str) -> PlayableScenario:
    return restored(system, content) if content else _library.find(system, scenario)


def _view(believed: Belief, content: str) -> tuple[View[Any], PlayableScenario]:
    table = _table(believed.system, believed.scenario, content)
    info = table.ruleset.info
    fixed = _ground(believed.system, believed.scenario, content, codec.encode(believed.options))
    position = codec.decode(bytes(believed.position), info.position, fixed)
    frames = codec.decode(bytes(believed.flow), tuple[msgspec.Raw, ...])
    flow = tuple(codec.decode(bytes(raw), info.frames) for raw in frames)
    return View(believed.side, believed.turn, position, flow, believed.decisions), table


@cache
def _ground(system: str, scenario: str, content: str, options: bytes) -> codec.Fixed | None:
    """What the digest in a position stands for; kept, for everything derived from it is kept with it."""
    table = _table(system, scenario, content)
    opening = table.ruleset.setup(table.scenario, msgspec.json.decode(options), DiceKey(""))
    return ground(opening.position)


def _player(thought: ThinkingTask, table: PlayableScenario, slot: int) -> Player:
    system = thought.believed.system
    player: Player = registry.player_with(
        thought.player, table.ruleset, WatchedDoctrine(registry.doctrine(system), slot)
    )
    return player


class WatchedDoctrine:
    """A system's doctrine that counts the candidates a player weighs and stops him when he is told to."""

    def __init__(self, doctrine: Any, slot: int) -> None:
        self._doctrine = doctrine
        self._slot = slot
        self._weighed = 0

    def candidates(self, view: View[Any], decision: Decision) -> Iterable[Iterable[Candidate]]:
        return (self._counted(group) for group in self._doctrine.candidates(view, decision))

    def _counted(self, group: Iterable[Candidate]) -> Iterator[Candidate]:
        for candidate in group:
            self._check()
            self._weighed += 1
            _note(self._slot, PROGRESS, self._weighed)
            yield candidate

    def _check(self) -> None:
        if _is_stopped(self._slot):
            raise Stopped

    def value(self, state: State[Any], view: View[Any]) -> int:
        self._check()
        return int(self._doctrine.value(state, view))

    def estimate(self, view: View[Any], order: Order) -> int | Fraction | None:
        self._check()
        known: int | Fraction | None = self._doctrine.estimate(view, order)
        return known

    def ending(self, view: View[Any], decision: Decision) -> Order:
        order: Order = self._doctrine.ending(view, decision)
        return order
