"""Panzer Battles at scale: a generated battle on 200 by 150 hexes, fog on, at 200 to 2,000 units, played by lot in
memory with both seats told after every order.

The orders are of the same mix at every size, and a side gives the same share of orders to its units before it ends its
turn. Orders are counted over the second turn of both sides, so in the same part of the battle at every size; smaller
battles are played with several seeds, so that a few hundred orders are counted of each.

    python -m bench.pb_scale --units 1000 --orders 5000
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from math import log
from statistics import mean, median
from time import thread_time

import msgspec

from bench import pb_battle
from bench.both_seats import BothSeats, alone, held_to, memory
from bench.geometry import on_compiled
from bench.harness import Entry, progress
from sandtable import registry
from sandtable.ai.players import BUDGET
from sandtable.battle.memory import open_record
from sandtable.kernel import codec, replay
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import View
from sandtable.lab.seats import computer_order, deciding
from sandtable.rulesets.panzer_battles.assault.prospects import assault_options
from sandtable.rulesets.panzer_battles.fire.direct import fire_options
from sandtable.rulesets.panzer_battles.fire.indirect import bombard_options
from sandtable.rulesets.panzer_battles.menu import able
from sandtable.rulesets.panzer_battles.model import SIDES, Position, Unit
from sandtable.rulesets.panzer_battles.movement.modes import change_options
from sandtable.rulesets.panzer_battles.movement.moves import pick_move
from sandtable.rulesets.panzer_battles.orders import EndTurn

SEEDS = {200: 6, 500: 3, 1_000: 2, 2_000: 1}
"""With how many seeds a battle of each size is played."""

TURN_SHARE = 0.6
"""How many orders a side gives in a turn for each of its units."""

ORDERS = 5_000
TURNS = 6
"""How many starts of a turn are timed."""

ORDER_BUDGET, GROWTH_BUDGET, TURN_BUDGET = 20.0, 0.3, 1.0
GREEDY_BUDGET, MEMORY_BUDGET, RECORD_BUDGET, VERIFY_BUDGET = 10.0, 150.0, 6.0, 20.0
GREEDY_UNITS = 400

MIX = ("move", "move", "fire", "move", "bombard", "move", "fire", "move", "mode", "assault")
"""Which sort of order is given next, over and over; where none of the units looked at has one, a move."""

LOOKED_AT = 24
SHOTS = frozenset({"Fired", "Bombarded", "AssaultBegun", "Struck"})
"""The events of an order in contact with the enemy."""


class Table(BothSeats):
    """A battle of so many units with a client at both seats."""

    def __init__(self, units: int, seed: int = 0) -> None:
        super().__init__(pb_battle.SYSTEM, pb_battle.scenario(units), SIDES, f"scale {seed}")
        self.seed = seed
        self.turn_length = int(units / 2 * TURN_SHARE)
        self.kinds: Counter[str] = Counter()

    @property
    def active(self) -> SideId:
        position: Position = self.battle.ledger.state.position
        return position.active

    def play(self) -> float:
        """The next order of the mix is carried out and told to both seats; the milliseconds that took."""
        side = self.active
        order = self._choice(self.battle.knowledge(side))
        self.kinds[type(order).__name__] += 1
        return self.give(side, order)

    def end_turn(self) -> float:
        """The other side's turn has begun and both seats know; the milliseconds that took."""
        return self.give(self.active, EndTurn())

    def turn(self, most: int | None = None) -> list[float]:
        """A side has given its orders and ended its turn; what each of the orders took."""
        took = [self.play() for _ in range(self.turn_length if most is None else most)]
        self.end_turn()
        return took

    def _choice(self, view: View[Position]) -> Order:
        """A lawful order of the sort that is next, by lot."""
        lots = PromptDice(f"choice {self.seed}", self.orders)
        units = able(view.position, view.side, "")
        start = lots.below(len(units)) if units else 0
        for sort in (MIX[self.orders % len(MIX)], "move"):
            for unit in (units[(start + 7 * n) % len(units)] for n in range(min(LOOKED_AT, len(units)))):
                order = next(_orders(sort, view, unit, lots), None)
                if order is not None:
                    return order
        return registry.ruleset(pb_battle.SYSTEM).options(view, view.decisions[0]).pick(lots)


def _orders(sort: str, view: View[Position], unit: Unit, lots: PromptDice) -> Iterator[Order]:
    """Lawful orders of a sort for a unit."""
    position, side = view.position, view.side
    if sort == "move":
        move = pick_move(position, side, unit, lots)
        if move is not None:
            yield move
    else:
        options = {"fire": fire_options, "bombard": bombard_options, "mode": change_options, "assault": assault_options}
        yield from options[sort](position, side, unit)


@cache
def counted(units: int) -> list[float]:
    """What orders took in the second turn of both sides, in all battles of the size."""
    costs: list[float] = []
    kinds: Counter[str] = Counter()
    for seed in range(SEEDS[units]):
        table = Table(units, seed)
        table.turn()
        table.turn()
        table.kinds.clear()
        costs += table.turn() + table.turn()
        kinds += table.kinds
    progress(f"    {units} units: mean {mean(costs):.2f} ms, median {median(costs):.2f} ms of {len(costs)}: {kinds}")
    return costs


def order() -> list[Entry]:
    """What an order costs with 500 units a side."""
    costs = counted(1_000)
    note = f"median of {len(costs)} orders with their fire and spotting, both told; mean {mean(costs):.2f} ms"
    return [held_to("pb-order-1000", costs, median(costs), "ms", ORDER_BUDGET, note)]


def growth() -> list[Entry]:
    """The exponent by which the mean cost of an order grows from the smallest size to the largest."""
    means = {units: mean(counted(units)) for units in SEEDS}
    least, most = min(means), max(means)
    exponent = log(means[most] / means[least]) / log(most / least)
    told = ", ".join(f"{units}: {cost:.2f} ms" for units, cost in means.items())
    return [held_to("pb-growth", [exponent], exponent, "exponent", GROWTH_BUDGET, told)]


def start_of_turn() -> list[Entry]:
    """What the start of a turn costs with 500 units a side, all that happens by itself included."""
    table = Table(1_000)
    seconds = []
    for _ in range(TURNS):
        for _ in range(60):
            table.play()
        seconds.append(table.end_turn() / 1000)
    note = f"median of {TURNS} ends and starts of a turn, both told"
    return [held_to("pb-start-of-turn", seconds, median(seconds), "s", TURN_BUDGET, note)]


def greedy_turn() -> list[Entry]:
    """What a whole turn of the greedy player costs with 200 units, its orders carried out."""
    table = Table(GREEDY_UNITS)
    battle, seconds, orders = table.battle, list[float](), 0
    player = registry.player("greedy", pb_battle.SYSTEM)
    for _ in range(2):
        side, begin = table.active, thread_time()
        while deciding(battle) == side:
            computer_order(battle, side, player, BUDGET)
            orders += 1
        seconds.append(thread_time() - begin)
    note = f"the first turn of each side, {orders} orders in all, chosen and carried out"
    return [held_to("pb-greedy-turn", seconds, max(seconds), "s CPU", GREEDY_BUDGET, note)]


class Aged:
    """A battle after many orders: what it holds of memory, the bytes of its orders, and whether its record is true."""

    def __init__(self, units: int, orders: int) -> None:
        self.note = f"{units} units, after {orders} orders"
        before = memory()
        table = Table(units)
        while table.orders < orders:
            table.turn(min(table.turn_length, orders - table.orders - 1))
            progress(f"    {table.orders} orders")
        self.memory = memory() - before
        record = table.battle.record()
        self.contacts = [len(codec.encode(one)) / 1000 for one in record.entries if SHOTS & set(map(_name, one.events))]
        self.exported = replay.write(record)
        self.playable, self.seats, self.orders = table.playable, table.seats, orders

    def verified(self) -> float:
        """The milliseconds that an order of the exported battle takes to be read, verified and taken up again."""
        begin = thread_time()
        record = replay.read(self.exported)
        battle = open_record(self.playable, record, self.seats)
        took = (thread_time() - begin) * 1000 / self.orders
        if len(record.entries) != self.orders + 1 or replay.write(battle.record()) != self.exported:
            raise AssertionError("the battle that was imported is not the one that was exported")
        return took


class _Named(msgspec.Struct):
    event: str


def _name(event: msgspec.Raw) -> str:
    return msgspec.json.decode(event, type=_Named).event


@cache
def aged(units: int = 1_000, orders: int = ORDERS) -> Aged:
    return Aged(units, orders)


def held() -> list[Entry]:
    """The memory of a battle at its 5,000th order, its log included."""
    old = aged()
    note = f"{old.note}, all that the process grew by"
    return [held_to("pb-memory", [old.memory], old.memory, "MB", MEMORY_BUDGET, note)]


def recorded() -> list[Entry]:
    """The bytes of an order in contact with the enemy."""
    old = aged()
    note = f"median of {len(old.contacts)} orders in which somebody fired or stormed; {old.note}"
    return [held_to("pb-record", old.contacts, median(old.contacts), "kB", RECORD_BUDGET, note)]


def verified() -> list[Entry]:
    """What it costs to export a long battle, read it, verify it and take it up again."""
    old = aged()
    took = old.verified()
    note = f"an order read, verified and imported; {old.note}, {len(old.exported) / 1e6:.1f} MB"
    return [held_to("pb-verify", [took], took, "ms", VERIFY_BUDGET, note)]


ENTRIES: dict[str, Callable[[], list[Entry]]] = {
    name: on_compiled(run)
    for name, run in {
        "pb-memory": alone(held),
        "pb-order-1000": order,
        "pb-growth": growth,
        "pb-start-of-turn": start_of_turn,
        "pb-greedy-turn": greedy_turn,
        "pb-record": recorded,
        "pb-verify": verified,
    }.items()
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pb_scale", description=__doc__)
    parser.add_argument("--units", type=int, default=1_000)
    parser.add_argument("--orders", type=int, default=ORDERS)
    asked = parser.parse_args()
    old = aged(asked.units, asked.orders)
    print(
        f"{old.note}: {old.memory:.0f} MB, {median(old.contacts):.2f} kB an order in contact, {old.verified():.2f} ms"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
