"""A generated battle in memory with a client at both seats, who are told after every order; and budgets as entries."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

from bench.harness import Entry
from sandtable import registry
from sandtable.battle.authority import Battle
from sandtable.battle.library import PlayableScenario, files_digest
from sandtable.battle.memory import open_battle
from sandtable.battle.observation import difference
from sandtable.battle.observed import TableChange
from sandtable.battle.seats import human
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.server import messages as m
from sandtable.server.play import telling


class Told(NamedTuple):
    """How far a seat's client is, and its table without the pieces."""

    number: int
    around: TableChange


class BothSeats:
    """A battle with a client at both seats."""

    def __init__(self, system: str, scenario: Any, sides: tuple[SideId, ...], seed: str) -> None:
        ruleset = registry.ruleset(system)
        self.playable = PlayableScenario(ruleset, scenario, files_digest(scenario), scenario.title)
        self.seats = tuple(human(side) for side in sides)
        self.battle: Battle = open_battle(self.playable, self.seats, {}, seed)
        self.sides = sides
        self.told = {side: Told(self.battle.standpoint(side).number, self.battle.situation(side)) for side in sides}
        self.orders = 0
        self.updates: list[int] = []

    def give(self, side: SideId, order: Order) -> float:
        """An order is carried out and told to both seats; the milliseconds that took."""
        number, self.orders = self.battle.standpoint(side).number, self.orders + 1
        begin = thread_time()
        answer = self.battle.submit(side, order, number, f"order {self.orders}")
        if answer.verdict != "accepted":
            raise AssertionError(f"a picked order was not carried out: {answer}")
        self.tell()
        return (thread_time() - begin) * 1000

    def tell(self) -> None:
        """Both seats have been sent what is new to them."""
        for side in self.sides:
            before = self.told[side]
            news = self.battle.latest(side, before.number)
            if news:
                after = self.battle.situation(side)
                steps = tuple(step for seen in news for step in seen.steps)
                update = m.Update(news[-1].number, news[-1].digest, steps, difference(before.around, after))
                self.updates.append(len(telling.encode(update)))
                self.told[side] = Told(news[-1].number, after)


def held_to(name: str, each: list[float], value: float, unit: str, budget: float, note: str) -> Entry:
    """A value held to a fixed budget."""
    ratio = value / budget
    spread = (min(each) / budget, max(each) / budget)
    return Entry(name, value, unit, {"budget": ratio}, ratio, spread, 1.0, ratio <= 1, note)


def alone(run: Callable[[], list[Entry]]) -> Callable[[], list[Entry]]:
    """The run measures in a process of its own, which holds nothing that others have left."""

    def measured() -> list[Entry]:
        with ProcessPoolExecutor(1, get_context("spawn")) as worker:
            return worker.submit(run).result()

    return measured


def memory() -> float:
    """The memory that this process holds, in MB; 0 where that can't be read."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0
