"""Battles of the toy in a store, and players that order by lot."""

from __future__ import annotations

from typing import Any

from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.library import PlayableScenario
from sandtable.battle.memory import MemoryStore as MemoryStore
from sandtable.battle.observed import CommandAnswer
from sandtable.battle.seats import Seat, human, spectator
from sandtable.battle.storage.rows import BattleStore
from sandtable.battle.storage.store import Store, open_store
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from tests.kit.toy import BLUE, LINE, RED, TOY

WATCHER = "watcher"
SEATS: tuple[Seat, ...] = (human(RED), human(BLUE), spectator(WATCHER))


class Shelf:
    """A library of toys: one ruleset, scenarios by name, one digest, so that twins differ in nothing but secrets."""

    def __init__(self, ruleset: Any = TOY, **scenarios: Any) -> None:
        self.ruleset = ruleset
        self.scenarios = {"line": LINE, **scenarios}

    def find(self, system: str, scenario: str) -> PlayableScenario:
        if system != "toy":
            raise LookupError(system)
        return PlayableScenario(self.ruleset, self.scenarios[scenario], "digest", "Outpost Line")


class Count:
    """A clock that goes on by one millisecond each time it is read, and names that are counted."""

    def __init__(self) -> None:
        self.now = 0

    def time(self) -> int:
        self.now += 1
        return self.now

    def name(self) -> str:
        self.now += 1
        return f"name{self.now:028d}"


def battles(store: BattleStore, shelf: Shelf | None = None) -> Battles:
    """A battles with counted time; names stay random, because several halls may share a store."""
    return Battles(store, shelf or Shelf(), Count().time)


def new_battle(store: BattleStore, seed: str = "seed", turns: int = 6, **more: Any) -> Battle:
    """A battle of the toy on the line."""
    return battles(store).create("toy", "line", SEATS, {"turns": turns}, seed, **more)


def reopened(battle: Battle, url: str, shelf: Shelf | None = None) -> tuple[Store, Battle]:
    """The battle as another process finds it."""
    store = open_store(url)
    return store, battles(store, shelf).open(battle.id)


def lot(battle: Battle, number: int) -> tuple[SideId, Order] | None:
    """An open decision and a lawful order for it, chosen by lot; None when the battle is over."""
    ruleset, state = battle.rules.ruleset, battle.ledger.state
    decisions = ruleset.decisions(state)
    if not decisions:
        return None
    dice = PromptDice("lots", number)
    decision = decisions[dice.below(len(decisions))]
    return decision.side, ruleset.options(ruleset.view(state, decision.side), decision).pick(dice)


def order_by_lot(battle: Battle, number: int) -> CommandAnswer | None:
    """One more order, chosen by lot and accepted; None when the battle is over."""
    chosen = lot(battle, number)
    if chosen is None:
        return None
    side, order = chosen
    answer = battle.submit(side, order, battle.ledger.number(side), f"c{number}")
    assert answer.verdict == "accepted", answer
    return answer


def play_by_lot(battle: Battle, most: int = 1000, start: int = 0) -> int:
    """So many orders, or all until the end; how many there were."""
    for number in range(start, start + most):
        if order_by_lot(battle, number) is None:
            return number - start
    return most
