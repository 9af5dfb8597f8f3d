"""The authority at scale: generated Panzer Leader battles on 200 by 150 hexes, fog and opportunity fire on, at 200 to
2,000 units, played by lot in memory with both seats told after every order.

What is held to a budget: processor time of an order carried out and told at 1,000 units and how it grows with their
number, the bytes of an update, and at the 5,000th order a snapshot, an undo and the memory that the battle takes.

The growth is that of the same orders among more units: in fights apart from each other, of which there are more in a
larger battle, a side gives in each step as many orders for each of its units at every size, and orders are counted over
the second turn of both sides. Smaller battles are played with several seeds. How the first orders of two armies that
stand the denser the more they are grow, which are other orders at every size, is printed beside it.

    python -m bench.scale --units 1000 --orders 5000
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from math import log
from statistics import mean, median
from time import thread_time
from typing import Any

from bench import scale_battle
from bench.both_seats import BothSeats, alone, held_to, memory
from bench.geometry import on_compiled
from bench.harness import Entry, as_table, progress
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_leader.model import Position
from sandtable.rulesets.panzer_leader.orders import EndPhase, WriteMission
from sandtable.server import collecting
from sandtable.server.play import telling

SIDES = (SideId("allied"), SideId("german"))
SIZES = (200, 500, 1_000, 2_000)
ORDERS = 5_000
WARM, COUNTED = 200, 400
"""Orders that are played before any is counted, and how many of the next or, in the long battle, of the last are."""

SEEDS = {200: 8, 500: 4, 1_000: 2, 2_000: 1}
"""With how many seeds a battle of fights is played at each size in a round."""

GROWTH_ROUNDS = 3
"""How often the growth is measured, each time with other seeds: a machine that is slower for a while falsifies one."""

STEP_SHARE = 0.12
"""How many orders a side gives in a step for each of its units, if so many are to be given."""

ORDER_BUDGET, GROWTH_BUDGET = 8.0, 0.3
UPDATE_BUDGET, SNAPSHOT_BUDGET = 4.0, 300.0
UNDO_BUDGET, MEMORY_BUDGET = 20.0, 150.0


class Table(BothSeats):
    """A battle with a client at both seats, played by lot."""

    def __init__(self, scenario: Any, seed: str = "scale") -> None:
        super().__init__(scale_battle.SYSTEM, scenario, SIDES, seed)
        self.kinds: Counter[str] = Counter()
        self.ends: list[float] = []

    def play(self, *, on_paper: bool = False) -> float:
        """An order by lot is carried out and told to both seats; the milliseconds that took."""
        side, order = self._choice(on_paper)
        self.kinds[type(order).__name__] += 1
        return self.give(side, order)

    def turn(self) -> list[float]:
        """Both sides have played a turn; what each of the orders took, the ends of steps aside."""
        turn, took = self._position.turn, list[float]()
        while self._position.turn == turn:
            took += self._step()
        return took

    def _step(self) -> list[float]:
        """Who decides has given his share of orders, the other's reactions between them, and ended the step."""
        step, took, given = self._place, list[float](), 0
        while self._place == step and given < round(len(self._position.units) / 2 * STEP_SHARE):
            side, order = self._choice(on_paper=False)
            if isinstance(order, EndPhase):
                break
            given += len(self.battle.ledger.state.flow) == 1
            self.kinds[type(order).__name__] += 1
            took.append(self.give(side, order))
        while self._place == step and len(self.battle.ledger.state.flow) > 1:
            took.append(self.play())
        if self._place == step:
            self.ends.append(self.give(self._decision.side, EndPhase()))
        return took

    @property
    def _decision(self) -> Decision:
        return self.battle.rules.ruleset.decisions(self.battle.ledger.state)[0]

    @property
    def _position(self) -> Position:
        position: Position = self.battle.ledger.state.position
        return position

    @property
    def _place(self) -> tuple[int, str]:
        """Where in the sequence of play the battle stands."""
        return self._position.segment, self._position.step

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
        decision = self._decision
        options = ruleset.options(ruleset.view(state, decision.side), decision)
        picked: Order = EndPhase()
        for attempt in range(40):
            picked = options.pick(PromptDice(f"try {attempt}", self.orders))
            if isinstance(picked, WriteMission) if on_paper else not isinstance(picked, EndPhase):
                return decision.side, picked
        end = ruleset.check(ruleset.view(state, decision.side), EndPhase()) is None
        return decision.side, EndPhase() if end else picked


def armies() -> list[Entry]:
    """What an order costs two armies of each size, the denser the larger, and the bytes of an update."""
    costs: dict[int, list[float]] = {}
    updates: list[int] = []
    for units in SIZES:
        table = Table(scale_battle.scenario(units))
        for _ in range(WARM):
            table.play()
        table.updates.clear()
        costs[units] = [table.play() for _ in range(COUNTED)]
        if units == 1_000:
            updates = table.updates
    means = {units: mean(found) for units, found in costs.items()}
    grown = f"two armies, the denser the larger: {_told(means)}, exponent {_exponent(means):.2f}"
    progress(f"    {grown}, not held to anything")
    sizes = [size / 1000 for size in updates]
    note = f"mean of random orders, both told; {grown}"
    return [
        held_to("scale-order-1000", costs[1_000], means[1_000], "ms", ORDER_BUDGET, note),
        held_to("scale-update", sizes, median(sizes), "kB", UPDATE_BUDGET, "median of what a seat is sent an order"),
    ]


def growth() -> list[Entry]:
    """The exponent by which the mean cost of the same orders grows from the fewest units to the most, the median of the
    rounds.
    """
    rounds = [{units: mean(counted(units, number)) for units in SEEDS} for number in range(GROWTH_ROUNDS)]
    exponents = [_exponent(means) for means in rounds]
    note = "; ".join(_told(means) for means in rounds)
    return [held_to("scale-growth", exponents, median(exponents), "exponent", GROWTH_BUDGET, note)]


def counted(units: int, number: int) -> list[float]:
    """What orders took in the second turn of both sides, in the battles of fights of the size that a round plays;
    Python's collector waits as it does in a server.
    """
    costs, ends, kinds, events = list[float](), list[float](), Counter[str](), 0
    for seed in range(number * SEEDS[units], (number + 1) * SEEDS[units]):
        table = Table(scale_battle.fights(units), f"fights {seed}")
        with collecting.waiting():
            table.turn()
            table.kinds.clear()
            table.ends.clear()
            before = table.battle.ledger.entries
            costs += table.turn()
        kinds += table.kinds
        ends += table.ends
        given = (entry for entry in table.battle.record().entries[before:] if b"EndPhase" not in bytes(entry.order))
        events += sum(len(entry.events) for entry in given)
    progress(
        f"    {units} in fights: {mean(costs):.2f} ms, {events / len(costs):.2f} events an order of {len(costs)}, "
        f"{mean(ends):.1f} ms an end of a step: "
        + ", ".join(f"{kind} {number / len(costs):.0%}" for kind, number in kinds.most_common())
    )
    return costs


def _told(means: dict[int, float]) -> str:
    return ", ".join(f"{units}: {cost:.2f} ms" for units, cost in means.items())


def _exponent(means: dict[int, float]) -> float:
    least, most = min(means), max(means)
    return log(means[most] / means[least]) / log(most / least)


def age(units: int = 1_000, orders: int = ORDERS) -> list[Entry]:
    """A snapshot, an undo and the memory of a battle at its 5,000th order."""
    before = memory()
    table = Table(scale_battle.scenario(units))
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
    name: on_compiled(run)
    for name, run in {"scale-order": armies, "scale-growth": growth, "scale-snapshot": alone(age)}.items()
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
