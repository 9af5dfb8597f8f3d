"""Campaigns against the store and the authority: each counts what went wrong, and each has a broken build to find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Thread
from typing import Any, NamedTuple

import sqlalchemy as sa

from sandtable.battle.authority import Battle
from sandtable.battle.observed import CommandAnswer, Observation, wire
from sandtable.battle.storage import schema
from sandtable.battle.storage.rows import Charter, Conflict, StoredEntry, link
from sandtable.battle.storage.store import Store
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import SideId
from tests.battle.kit import SEATS, WATCHER
from tests.kit.toy import SIDES

# messages that are doubled, dropped, delayed and overtaken


class Message(NamedTuple):
    side: SideId
    order: Any
    expected: int
    command: str


class Client:
    """One side's player: he sends an order until he has an answer, then decides on the next."""

    def __init__(self, side: SideId) -> None:
        self.side = side
        self.current: Message | None = None
        self.answers: dict[str, CommandAnswer] = {}
        self.refusals: set[str] = set()
        self.differing = 0

    def decide(self, battle: Battle, number: int) -> Message | None:
        """The order he is sending: the one without an answer, or a new one if he has a decision."""
        if self.current is None:
            ruleset = battle.rules.ruleset
            view = ruleset.view(battle.ledger.state, self.side)
            if view.decisions:
                order = ruleset.options(view, view.decisions[0]).pick(PromptDice(f"client {self.side}", number))
                self.current = Message(self.side, order, battle.view(self.side).number, f"m{number}")
        return self.current

    def hear(self, answer: CommandAnswer) -> None:
        """An answer arrived, perhaps for the second time."""
        if answer.verdict == "accepted":
            first = self.answers.setdefault(answer.command, answer)
            self.differing += wire(first) != wire(answer)
        else:
            self.refusals.add(answer.command)
        if self.current is not None and self.current.command == answer.command:
            self.current = None


class Traffic(NamedTuple):
    """What a campaign of messages found: orders accepted, entered twice, missing, entered although refused."""

    sent: int
    accepted: int
    doubled: int
    missing: int
    phantoms: int
    differing: int


def hostile_channel(battle: Battle, store: Store, start: int, restart: Callable[[Battle], Battle]) -> Traffic:
    """A battle played to its end over a channel that doubles, drops, delays and reorders in both directions."""
    clients = {side: Client(side) for side in SIDES}
    orders: list[Message] = []
    replies: list[tuple[SideId, CommandAnswer]] = []
    dice, sent, tick = PromptDice(f"channel {start}"), 0, start
    while not battle.is_over:
        tick += 1
        for client in clients.values():
            message = client.decide(battle, tick)
            if message is not None and dice.below(3):
                orders.append(message)
                sent += 1
        if orders:
            at = dice.below(len(orders))
            message = orders[at]
            fate = dice.below(10)
            if fate != 9:  # nine in ten arrive, two in ten stay in the channel and arrive again
                replies.append((message.side, battle.submit(*message)))
            if fate not in (7, 8):
                orders.pop(at)
        if replies:
            side, answer = replies.pop(dice.below(len(replies)))
            if dice.below(10) < 8:
                clients[side].hear(answer)
        if dice.below(40) == 0:
            battle = restart(battle)
    entered = Counter(row.command for row in store.rows(battle.id))
    accepted = {f"{client.side}:{command}" for client in clients.values() for command in client.answers}
    refused = {f"{client.side}:{command}" for client in clients.values() for command in client.refusals}
    return Traffic(
        sent,
        len(accepted),
        sum(count - 1 for count in entered.values()),
        len(accepted - set(entered)),
        len(refused & set(entered)),
        sum(client.differing for client in clients.values()),
    )


# two writers on one log


class UncheckedStore(Store):
    """A broken build: it takes the next free number instead of checking that the log is where the writer saw it."""

    @property
    def append_statement(self) -> Any:
        entry = schema.entry.c
        mine = {name: sa.bindparam(f"its_{name}") for name in StoredEntry.__struct_fields__ if name != "number"}
        following = sa.select(sa.func.max(entry.number) + 1).where(entry.battle == mine["battle"]).scalar_subquery()
        statement = sa.insert(schema.entry).values(number=following, **mine).inline()
        return statement.execution_options(preserve_rowcount=True)


class Contest(NamedTuple):
    """What concurrent writers left: entries, conflicts they met, numbers or links that do not fit, doubled commands."""

    entries: int
    conflicts: int
    broken: int
    doubled: int


def contest(stores: list[Store], each: int, twice: bool) -> Contest:
    """Several writers append to one battle, each retrying on a conflict; `twice` lets two of them share commands."""
    id = "contest"
    first = StoredEntry(id, 0, "red", "first", 0, "{}", link("start", 0, "red", "first", 0, "{}"))
    stores[0].create(Charter(id, "", "toy", "1", "{}", "sealed", 1, 0), SEATS, (first,)).result()
    conflicts: list[int] = []

    def write(store: Store, name: str) -> None:
        for number in range(each):
            command = f"{name}:{number}"
            for attempt in range(1000):
                entries, chain = store.head(id)
                if attempt and any(row.command == command for row in store.rows(id)):
                    break
                made = link(chain, entries, "red", command, 0, "{}")
                try:
                    store.append(StoredEntry(id, entries, "red", command, 0, "{}", made), chain, "running").result()
                    break
                except Conflict:
                    conflicts.append(1)

    names = ["same", "same", "third", "fourth"] if twice else ["one", "two", "three", "four"]
    threads = [Thread(target=write, args=pair) for pair in zip(stores, names, strict=False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = stores[0].rows(id)
    broken, previous = 0, "start"
    for number, row in enumerate(rows):
        broken += row.number != number
        broken += row.chain != link(previous, row.number, row.seat, row.command, row.at, row.body)
        previous = row.chain
    doubled = sum(count - 1 for count in Counter(row.command for row in rows).values())
    return Contest(len(rows), len(conflicts), broken, doubled)


# viewers who are cut off and come back

Feed = Callable[[Battle, str, int], tuple[Observation, ...]]


def honest_feed(battle: Battle, seat: str, since: int) -> tuple[Observation, ...]:
    return battle.events(seat, since)


def forgetful_feed(battle: Battle, seat: str, since: int) -> tuple[Observation, ...]:
    """A broken build: who comes back after a cut misses the first thing that happened meanwhile."""
    return battle.events(seat, since)[1 if since % 5 == 4 else 0 :]


def reconnecting(
    battle: Battle, play: Callable[[Battle, int], Any], restart: Callable[[Battle], Battle], feed: Feed
) -> tuple[int, int]:
    """How many viewers were cut off, and how many ended up with other bytes than one who never was."""
    kept: dict[str, list[bytes]] = {seat: [] for seat in (*SIDES, WATCHER)}
    dice, cuts = PromptDice("cuts"), 0
    for number in range(10_000):
        if play(battle, number) is None:
            break
        if dice.below(9) == 0:
            battle = restart(battle)
        for seat, had in kept.items():
            news = [wire(one) for one in feed(battle, seat, len(had))]
            if dice.below(3) == 0:
                cuts += 1
                news = news[: dice.below(len(news) + 1)]  # the rest was lost on the way
            had += news
    for seat, had in kept.items():
        had += [wire(one) for one in feed(battle, seat, len(had))]
    differing = sum(had != [wire(one) for one in battle.events(seat)] for seat, had in kept.items())
    return cuts, differing
