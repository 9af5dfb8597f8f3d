"""What a store keeps, as plain values, and what is asked of one: worker processes and players without a database know
these."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

import msgspec

from sandtable.battle.seats import Seat
from sandtable.kernel import codec


class StoreError(Exception):
    """Something could not be stored or read; the message is one sentence that may be shown to anybody."""


class Unavailable(StoreError):
    """The database could not be reached or was busy; trying again later is right."""


class ReadOnly(StoreError):
    """Writing failed, so nothing more is written until the program is started anew."""


class Conflict(StoreError):
    """Somebody else has written that number or that command first; nothing was written."""


class Charter(msgspec.Struct, frozen=True):
    """What stays the same during a battle; `header` is the canonical JSON of the record's header, seed included."""

    id: str
    title: str
    system: str
    rules_version: str
    header: str
    dice: str
    delay: int
    created: int
    status: str = "running"


class StoredEntry(msgspec.Struct, frozen=True):
    """One entry of a log as it is stored."""

    battle: str
    number: int
    seat: str
    command: str
    at: int
    body: str
    chain: str


class StoredChat(msgspec.Struct, frozen=True):
    """Something that was said at a table: to one side, or to everybody when the audience is empty. `entries` are those
    that the log had then."""

    audience: str
    number: int
    seat: str
    at: int
    entries: int
    text: str


class StoredSnapshot(msgspec.Struct, frozen=True):
    """A folded log up to some entry: a cache that can be thrown away."""

    number: int
    chain: str
    digest: str
    body: str


def link(previous: str, number: int, seat: str, command: str, at: int, body: str) -> str:
    """The chain of an entry: it binds every column of the row to everything before it, as in `kernel.replay`."""
    return codec.digest([previous, number, seat, command, at, body])


class BattleStore(Protocol):
    """Where the logs of battles are kept: a database, or memory. What is written is durable when its future is done."""

    @property
    def trouble(self) -> str:
        """Why the store takes no orders, or nothing."""
        ...

    def create(
        self, charter: Charter, seats: tuple[Seat, ...], rows: tuple[StoredEntry, ...], content: str = ""
    ) -> Future[None]:
        """The battle will be kept with its seats, its first entries and the files of its scenario."""
        ...

    def append(self, row: StoredEntry, previous: str, status: str) -> Future[None]:
        """The entry will be the next of its battle, or the future holds a Conflict and nothing has changed."""
        ...

    def delete(self, battle: str) -> Future[None]:
        """The battle and all that belongs to it will be gone."""
        ...

    def keep(self, battle: str, snapshot: StoredSnapshot, outdated: tuple[int, ...]) -> Future[None]:
        """The snapshot will be kept with those of other numbers, except the outdated ones."""
        ...

    def seat_added(self, battle: str, seat: Seat) -> Future[None]:
        """The seat will stand at the battle."""
        ...

    def token_set(self, battle: str, names: tuple[str, ...], token: str | None) -> Future[None]:
        """Those seats will answer to the token with that hash and to no other; None for nobody's."""
        ...

    def seat_taken(self, battle: str, name: str, called: str, token: str) -> Future[None]:
        """That seat's player will be called so, and it will answer to the token with that hash and to no other."""
        ...

    def say(self, battle: str, said: StoredChat, most: int) -> Future[StoredChat]:
        """What was said will be kept under the next number of its audience, which keeps the latest so many; the number
        it is given with counts for nothing."""
        ...

    def chat(self, battle: str, audience: str, before: int, most: int, entries: int) -> list[StoredChat]:
        """What was said to an audience right before that number while the log had at most so many entries, in order."""
        ...

    def charters(self) -> list[Charter]:
        """Every battle, the oldest first."""
        ...

    def charter(self, battle: str) -> Charter | None:
        """The battle with that id, or None."""
        ...

    def content(self, battle: str) -> str:
        """The files of the scenario that a battle began with, as they were packed; nothing when they were not kept."""
        ...

    def head(self, battle: str) -> tuple[int, str]:
        """How many entries the battle has and the chain of the last, by its own row."""
        ...

    def rows(self, battle: str, since: int = 0, most: int | None = None) -> list[StoredEntry]:
        """The entries from that number on, in order, at most so many."""
        ...

    def entry_of(self, battle: str, command: str) -> StoredEntry | None:
        """The entry that a command made, or None."""
        ...

    def snapshot_numbers(self, battle: str) -> list[int]:
        """The numbers of the snapshots of a battle, in order."""
        ...

    def snapshot(self, battle: str, number: int) -> StoredSnapshot | None:
        """The snapshot of that number, if there is one and it is whole."""
        ...

    def seats(self, battle: str) -> tuple[Seat, ...]:
        """The seats of a battle, by name."""
        ...

    def seats_of(self, token: str) -> list[tuple[str, str]]:
        """The battles and seats that answer to the token with that hash."""
        ...
