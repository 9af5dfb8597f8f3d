"""A battle without a database: the same authority over a store in memory, for the console, the lab and tests."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Lock
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.ledger import Viewers, nobody
from sandtable.battle.library import PlayableScenario
from sandtable.battle.seats import Seat
from sandtable.battle.storage.rows import Charter, Conflict, StoredChat, StoredEntry, StoredSnapshot, StoreError
from sandtable.kernel.engine import all_viewers
from sandtable.kernel.replay import Record

__all__ = ["MemoryStore", "nobody", "open_battle", "open_record"]


class KeptBattle:
    """One battle in memory."""

    def __init__(self, charter: Charter, seats: tuple[Seat, ...], rows: tuple[StoredEntry, ...]) -> None:
        self.charter = charter
        self.rows = [*rows]
        self.commands = {row.command: row.number for row in rows}
        self.seats = {seat.name: seat for seat in seats}
        self.tokens: dict[str, str] = {}
        self.snapshots: dict[int, StoredSnapshot] = {}
        self.content = ""
        self.chats: dict[str, list[StoredChat]] = {}


class MemoryStore:
    """Keeps battles as long as the program runs, under the same conditions as a database does."""

    trouble = ""

    def __init__(self) -> None:
        self._battles: dict[str, KeptBattle] = {}
        self._lock = Lock()

    def close(self) -> None:
        """Nothing is left to be done."""

    # writing

    def create(
        self, charter: Charter, seats: tuple[Seat, ...], rows: tuple[StoredEntry, ...], content: str = ""
    ) -> Future[None]:
        self._battles[charter.id] = KeptBattle(charter, seats, rows)
        self._battles[charter.id].content = content
        return _done()

    def append(self, row: StoredEntry, previous: str, status: str) -> Future[None]:
        with self._lock:
            kept = self._battles.get(row.battle)
            stands = kept is not None and (len(kept.rows), kept.rows[-1].chain) == (row.number, previous)
            if kept is None or not stands or row.command in kept.commands:
                return _failed(Conflict("somebody else was faster; look again and decide anew"))
            kept.rows.append(row)
            kept.commands[row.command] = row.number
            if kept.charter.status != status:
                kept.charter = replace(kept.charter, status=status)
        return _done()

    def delete(self, battle: str) -> Future[None]:
        self._battles.pop(battle, None)
        return _done()

    def keep(self, battle: str, snapshot: StoredSnapshot, outdated: tuple[int, ...]) -> Future[None]:
        kept = self._battles.get(battle)
        if kept is not None:
            kept.snapshots = {n: one for n, one in kept.snapshots.items() if n not in outdated}
            kept.snapshots[snapshot.number] = snapshot
        return _done()

    def seat_added(self, battle: str, seat: Seat) -> Future[None]:
        self._battles[battle].seats[seat.name] = seat
        return _done()

    def token_set(self, battle: str, names: tuple[str, ...], token: str | None) -> Future[None]:
        kept = self._battles.get(battle)
        if kept is None or not all(name in kept.seats for name in names):
            return _failed(StoreError("there is no such seat"))
        kept.tokens = {name: one for name, one in kept.tokens.items() if name not in names}
        if token is not None:
            kept.tokens |= dict.fromkeys(names, token)
        return _done()

    def seat_taken(self, battle: str, name: str, called: str, token: str) -> Future[None]:
        kept = self._battles.get(battle)
        if kept is None or name not in kept.seats:
            return _failed(StoreError("there is no such seat"))
        kept.seats[name] = replace(kept.seats[name], called=called)
        kept.tokens[name] = token
        return _done()

    def say(self, battle: str, said: StoredChat, most: int) -> Future[StoredChat]:
        future: Future[StoredChat] = Future()
        with self._lock:
            lines = self._battles[battle].chats.setdefault(said.audience, [])
            said = replace(said, number=lines[-1].number + 1 if lines else 1)
            lines.append(said)
            del lines[:-most]
        future.set_result(said)
        return future

    # reading

    def charters(self) -> list[Charter]:
        return [kept.charter for kept in self._battles.values()]

    def charter(self, battle: str) -> Charter | None:
        kept = self._battles.get(battle)
        return None if kept is None else kept.charter

    def content(self, battle: str) -> str:
        kept = self._battles.get(battle)
        return "" if kept is None else kept.content

    def head(self, battle: str) -> tuple[int, str]:
        kept = self._battles.get(battle)
        return (0, "") if kept is None else (len(kept.rows), kept.rows[-1].chain)

    def rows(self, battle: str, since: int = 0, most: int | None = None) -> list[StoredEntry]:
        kept = self._battles.get(battle)
        return [] if kept is None else kept.rows[since : None if most is None else since + most]

    def entry_of(self, battle: str, command: str) -> StoredEntry | None:
        kept = self._battles.get(battle)
        return None if kept is None or command not in kept.commands else kept.rows[kept.commands[command]]

    def snapshot_numbers(self, battle: str) -> list[int]:
        kept = self._battles.get(battle)
        return [] if kept is None else sorted(kept.snapshots)

    def snapshot(self, battle: str, number: int) -> StoredSnapshot | None:
        kept = self._battles.get(battle)
        return None if kept is None else kept.snapshots.get(number)

    def seats(self, battle: str) -> tuple[Seat, ...]:
        kept = self._battles.get(battle)
        return () if kept is None else tuple(kept.seats[name] for name in sorted(kept.seats))

    def chat(self, battle: str, audience: str, before: int, most: int, entries: int) -> list[StoredChat]:
        kept = self._battles.get(battle)
        said = [] if kept is None else kept.chats.get(audience, [])
        return [one for one in said if one.number < before and one.entries <= entries][-most:]

    def seats_of(self, token: str) -> list[tuple[str, str]]:
        return [(id, name) for id, kept in self._battles.items() for name, one in kept.tokens.items() if one == token]


def _done() -> Future[None]:
    future: Future[None] = Future()
    future.set_result(None)
    return future


def _failed(error: StoreError) -> Future[None]:
    future: Future[None] = Future()
    future.set_exception(error)
    return future


class OneScenario(NamedTuple):
    """A library that holds one scenario under every name."""

    scenario: PlayableScenario

    def find(self, system: str, scenario: str) -> PlayableScenario:
        return self.scenario


def open_battle(
    scenario: PlayableScenario,
    seats: tuple[Seat, ...],
    options: dict[str, Any] | None = None,
    seed: str = "",
    viewers: Viewers = all_viewers,
) -> Battle:
    """A new battle in memory, at its first decision.

    With `viewers=nobody` no view is kept up, no observation is made and nothing can be taken back: games of which only
    the record counts cost little more than their rules.
    """
    battles = _house(scenario, viewers)
    name = str(getattr(scenario.scenario, "id", "") or scenario.title)
    return battles.create(scenario.ruleset.info.key, name, seats, options, seed)


def open_record(
    scenario: PlayableScenario, record: Record, seats: tuple[Seat, ...], viewers: Viewers = all_viewers
) -> Battle:
    """A battle in memory that goes on where a record ends; BattlesError when the record does not hold."""
    return _house(scenario, viewers).import_record(record, seats)


def _house(scenario: PlayableScenario, viewers: Viewers) -> Battles:
    return Battles(MemoryStore(), OneScenario(scenario), viewers=viewers)
