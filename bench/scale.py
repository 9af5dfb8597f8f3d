"""The authority at scale: a generated Panzer Leader battle on 200 by 150 hexes, fog and opportunity fire on, at 200 to
2,000 units, played by lot in memory with both seats told after every order.

What is held to a budget: processor time of an order carried out and told at 1,000 units and how it grows with their
number, the bytes of an update, and at the 5,000th order a snapshot, an undo and the memory that the battle takes.

    python -m bench.scale --units 1000 --orders 5000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from math import log
from statistics import mean, median
from time import thread_time

from bench import scale_battle
from bench.both_seats import BothSeats, held_to, memory
from bench.geometry import on_compiled
from bench.harness import Entry, as_table, progress
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_leader.orders import EndPhase, WriteMission
from sandtable.server.play import telling

SIDES = (SideId("allied"), SideId("german"))
SIZES = (200, 500, 1_000, 2_000)
ORDERS = 5_000
WARM, COUNTED = 200, 400
"""Orders that are played before any is counted, and how many of the next or, in the long battle, of the last are."""

ORDER_BUDGET, GROWTH_BUDGET = 8.0, 0.3
UPDATE_BUDGET, SNAPSHOT_BUDGET = 4.0, 300.0
UNDO_BUDGET, MEMORY_BUDGET = 20.0, 150.0


class Table(BothSeats):
    """A battle of so many units with a client at both seats."""

    def __init__(self, units: int) -> None:
        super().__init__(scale_battle.SYSTEM, scale_battle.scenario(units), SIDES, "scale")

    def play(self, *, on_paper: bool = False) -> float:
        """An order by lot is carried out and told to both seats; the milliseconds that took."""
        return self.give(*self._choice(on_paper))

    def undo(self) -> float | None:
        """The latest order is taken back and both seats know; the milliseconds that took, None when it may not be."""
        side = next((one for one in SIDES if self.told[one].around.can_undo), None)
        if side is None:
            return None
        begin = thread_time()
        answer = self.battle.undo(side, self.battle.standpoint(side).number, f"undo {self.orders}")
        if answer.verdict != "accepted":
            raise AssertionError(f"what may be undone was not: {answer}")
        self.tell()
        return (thread_time() - begin) * 1000

    def snapshot(self, side: SideId) -> int:
        """The bytes of all that a client needs who has nothing yet."""
        return len(telling.encode(self.battle.table(side))) + len(telling.encode(self.battle.log(side)))

    def _choice(self, on_paper: bool) -> tuple[SideId, Order]:
        """A lawful order by lot; phases end seldom, so that most of the units act, or at once to come to written
        orders.
        """
        ruleset, state = self.battle.rules.ruleset, self.battle.ledger.state
        decision = ruleset.decisions(state)[0]
        options = ruleset.options(ruleset.view(state, decision.side), decision)
        picked: Order = EndPhase()
        for attempt in range(40):
            picked = options.pick(PromptDice(f"try {attempt}", self.orders))
            if isinstance(picked, WriteMission) if on_paper else not isinstance(picked, EndPhase):
                return decision.side, picked
        end = ruleset.check(ruleset.view(state, decision.side), EndPhase()) is None
        return decision.side, EndPhase() if end else picked


def growth() -> list[Entry]:
    """What an order costs at each size, and the exponent by which that grows from the smallest to the largest."""
    costs: dict[int, list[float]] = {}
    updates: list[int] = []
    for units in SIZES:
        table = Table(units)
        for _ in range(WARM):
            table.play()
        table.updates.clear()
        costs[units] = [table.play() for _ in range(COUNTED)]
        progress(f"    {units} units: {mean(costs[units]):.2f} ms an order")
        if units == 1_000:
            updates = table.updates
    means = {units: mean(found) for units, found in costs.items()}
    exponent = log(means[SIZES[-1]] / means[SIZES[0]]) / log(SIZES[-1] / SIZES[0])
    told = ", ".join(f"{units}: {cost:.2f} ms" for units, cost in means.items())
    sizes = [size / 1000 for size in updates]
    return [
        held_to("scale-order-1000", costs[1_000], means[1_000], "ms", ORDER_BUDGET, "mean of random orders, both told"),
        held_to("scale-growth", [exponent], exponent, "exponent", GROWTH_BUDGET, told),
        held_to("scale-update", sizes, median(sizes), "kB", UPDATE_BUDGET, "median of what a seat is sent an order"),
    ]


def age(units: int = 1_000, orders: int = ORDERS) -> list[Entry]:
    """A snapshot, an undo and the memory of a battle at its 5,000th order."""
    before = memory()
    table = Table(units)
    while table.orders < orders:
        table.play()
        if table.orders % 1000 == 0:
            progress(f"    {table.orders} orders")
    snapshots = [table.snapshot(side) / 1000 for side in SIDES]
    held, undone = memory() - before, list[float]()
    while len(undone) < 5:
        table.play(on_paper=True)
        cost = table.undo()
        undone += [] if cost is None else [cost]
    note = f"{units} units, after {orders} orders"
    return [
        held_to("scale-snapshot", snapshots, max(snapshots), "kB", SNAPSHOT_BUDGET, note),
        held_to("scale-undo", undone, median(undone), "ms", UNDO_BUDGET, note),
        held_to("scale-memory", [held], held, "MB", MEMORY_BUDGET, f"{note}, all that the process grew by"),
    ]


ENTRIES: dict[str, Callable[[], list[Entry]]] = {
    name: on_compiled(run) for name, run in {"scale-order": growth, "scale-snapshot": age}.items()
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--units", type=int, default=1_000)
    parser.add_argument("--orders", type=int, default=ORDERS)
    asked = parser.parse_args()
    found = age(asked.units, asked.orders)
    print(as_table(found))
    return 0 if all(one.met for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
