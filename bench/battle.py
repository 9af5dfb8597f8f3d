"""The authority at scale: a battle of 1,000 units over 5,000 orders, in memory, both seats told after every one.

What is held to a budget: processor time of an order carried out and told, of an undo, the bytes of an update, of a
snapshot on the wire and of one in the store, and the memory that the battle takes, all at the 5,000th order.

    python -m bench.battle --units 1000 --orders 5000 --fog
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any, NamedTuple

from bench import engine
from bench.harness import Entry, as_table, progress
from sandtable.battle.authority import Battle
from sandtable.battle.library import PlayableScenario
from sandtable.battle.memory import open_battle
from sandtable.battle.observation import difference
from sandtable.battle.seats import human
from sandtable.battle.snapshots import snapshot_of
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_leader.orders import EndPhase
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.server import messages as m
from sandtable.server.play import telling

UNITS, ORDERS = 1_000, 5_000
LAST = 500
"""So many of the latest orders are counted."""

BUDGETS = {
    "battle.order": (8.0, "ms"),
    "battle.update": (4.0, "kB"),
    "battle.snapshot": (300.0, "kB"),
    "battle.stored": (300.0, "kB"),
    "battle.undo": (20.0, "ms"),
    "battle.memory": (150.0, "MB"),
}


def crowded(count: int, *, fog: bool) -> PlayableScenario:
    """A scenario that sets up so many units."""
    crowd = engine.crowd(count, fog=fog)

    class Crowd(PanzerLeader):
        def setup(self, scenario: Any, options: dict[str, Any], key: Any) -> Any:
            return State(crowd.position, crowd.flow, key)

    return PlayableScenario(Crowd(), engine.scenario("pl-meeting"), "crowd", "A crowd")


class Client(NamedTuple):
    """A seat's client: how far it is, and its table without the pieces."""

    number: int
    around: Any


def tell(battle: Battle, side: SideId, before: Client) -> tuple[Client, int]:
    """The seat has its update; how many bytes that were, 0 for none."""
    news = battle.latest(side, before.number)
    if not news:
        return before, 0
    after = battle.situation(side)
    steps = tuple(step for seen in news for step in seen.steps)
    update = m.Update(news[-1].number, news[-1].digest, steps, difference(before.around, after))
    return Client(news[-1].number, after), len(telling.encode(update))


def choice(battle: Battle, number: int) -> tuple[SideId, Order]:
    """A lawful order by lot; phases end seldom, so that most of the units act."""
    ruleset, state = battle.rules.ruleset, battle.ledger.state
    decision = ruleset.decisions(state)[0]
    options = ruleset.options(ruleset.view(state, decision.side), decision)
    for attempt in range(60):
        order = options.pick(PromptDice(f"try {attempt}", number))
        if not isinstance(order, EndPhase):
            break
    return decision.side, order


def measured(units: int, orders: int, *, fog: bool) -> dict[str, list[float]]:
    """Milliseconds, kilobytes and megabytes by name, of the latest orders."""
    before = memory()
    battle = open_battle(crowded(units, fog=fog), tuple(human(side) for side in SIDES), {"fog": fog}, "crowd")
    told = {side: Client(battle.standpoint(side).number, battle.situation(side)) for side in SIDES}
    found: dict[str, list[float]] = {name: [] for name in BUDGETS}
    for number in range(orders):
        if battle.is_over:
            break
        side, order = choice(battle, number)
        begin = thread_time()
        answer = battle.submit(side, order, battle.standpoint(side).number, f"order {number}")
        assert answer.verdict == "accepted", answer
        for one in SIDES:
            told[one], size = tell(battle, one, told[one])
            if size:
                found["battle.update"].append(size / 1000)
        found["battle.order"].append((thread_time() - begin) * 1000)
        if number % 25 == 0 and battle.situation(side).can_undo:
            begin = thread_time()
            battle.undo(side, battle.standpoint(side).number, f"undo {number}")
            told = {one: tell(battle, one, told[one])[0] for one in SIDES}
            found["battle.undo"].append((thread_time() - begin) * 1000)
        if number % 500 == 499:
            progress(f"    {number + 1} orders, {median(found['battle.order'][-LAST:]):.2f} ms")
    found["battle.memory"] = [memory() - before]
    found["battle.stored"] = [len(snapshot_of(battle.ledger).body) / 1000]
    shown = (len(telling.encode(battle.table(side))) + len(telling.encode(battle.log(side))) for side in SIDES)
    found["battle.snapshot"] = [size / 1000 for size in shown]
    return {name: values[-LAST:] for name, values in found.items()}


SIDES = (SideId("allied"), SideId("german"))


def memory() -> float:
    """The memory that this process holds, in MB; 0 where that can't be read."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


def entries(units: int, orders: int, *, fog: bool) -> list[Entry]:
    """One entry for each budget."""
    made = []
    for name, values in measured(units, orders, fog=fog).items():
        budget, unit = BUDGETS[name]
        if not values:
            continue
        value = median(values)
        spread = (min(values) / budget, max(values) / budget)
        note = f"{units} units, {orders} orders, {'fog' if fog else 'open'}"
        made.append(Entry(name, value, unit, {}, value / budget, spread, 1.0, value <= budget, note))
    return made


ENTRIES: dict[str, Callable[[], list[Entry]]] = {"battle.order": lambda: entries(UNITS, ORDERS, fog=False)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.battle", description=__doc__)
    parser.add_argument("--units", type=int, default=UNITS)
    parser.add_argument("--orders", type=int, default=ORDERS)
    parser.add_argument("--fog", action="store_true")
    asked = parser.parse_args()
    found = entries(asked.units, asked.orders, fog=asked.fog)
    print(as_table(found))
    return 0 if all(one.met for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
