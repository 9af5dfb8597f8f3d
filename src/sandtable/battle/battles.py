"""All the battles of one store: opening, listing, seats and tokens, deleting, records in and out."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Collection
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.battle import observation
from sandtable.battle.authority import Battle, Clock
from sandtable.battle.history import History
from sandtable.battle.ledger import (
    Body,
    Ledger,
    LedgerError,
    LoggedOrder,
    Rules,
    Viewers,
    absorb,
    blank,
    line_of,
    row_of,
)
from sandtable.battle.library import Library, PlayableScenario, record_problem, restored
from sandtable.battle.observation import way_out
from sandtable.battle.observed import Card
from sandtable.battle.saves import Saved
from sandtable.battle.seats import Seat, new_token, seating_problem, spectator, token_hash
from sandtable.battle.storage.rows import BattleStore, Charter, StoredEntry
from sandtable.kernel import codec, replay
from sandtable.kernel.engine import all_viewers, begin
from sandtable.kernel.replay import FORMAT, Header, Record

SETUP_SEAT = "set-up"
"""Who the first entry belongs to; no seat can bear the name of its commands, which hold a colon."""

DAMAGED = "the log of this battle is damaged or was changed from outside, so it can't be trusted"

SEALED, OPEN = "sealed", "open"
"""Whether the dice of a battle are a secret of the server, or came with a record somebody has."""


log = logging.getLogger(__name__)

CHANGED = "the file of its scenario was changed or removed after the battle began, and no copy of it was kept"
UNREADABLE = "this version of the program has no rules for its scenario, or can't read it any more"


class BattlesError(Exception):
    """What was asked for can't be done; the message is one sentence."""


def milliseconds() -> int:
    """The time of day."""
    return time.time_ns() // 1_000_000


def new_name() -> str:
    """A name for a battle or a secret for its dice that nobody can guess."""
    return secrets.token_hex(16)


class Battles:
    """The battles of a store, each opened from its log when it is first asked for."""

    def __init__(
        self,
        store: BattleStore,
        library: Library,
        clock: Clock = milliseconds,
        names: Callable[[], str] = new_name,
        viewers: Viewers = all_viewers,
    ) -> None:
        self.store = store
        self._library = library
        self._clock = clock
        self._names = names
        self._viewers = viewers
        self._open: dict[str, Battle] = {}

    # opening

    def create(
        self,
        system: str,
        scenario: str,
        seats: tuple[Seat, ...],
        options: dict[str, Any] | None = None,
        seed: str = "",
        title: str = "",
        delay: int = 1,
    ) -> Battle:
        """A new battle, durable and at its first decision."""
        table = self._table(system, scenario)
        seed = seed or self._names() + self._names()
        info = table.ruleset.info
        header = Header(
            FORMAT, system, info.rules_version, scenario, table.digest, options or {}, replay.commitment(seed), seed
        )
        try:
            opening = begin(table.ruleset, table.scenario, dict(header.options), seed)
        except ValueError as error:
            raise BattlesError(f"the battle can't be set up: {error}") from None
        return self._found(table, header, seats, [line_of(opening)], title, SEALED, delay)

    def import_record(self, record: Record, seats: tuple[Seat, ...], title: str = "", delay: int = 1) -> Battle:
        """A battle that goes on where a record ends; every entry is checked against the rules and the seed first."""
        problem = record_problem(self._library, record)
        if problem:
            raise BattlesError(problem)
        return self.adopt(record, seats, title, delay)

    def adopt(
        self,
        record: Record,
        seats: tuple[Seat, ...],
        title: str = "",
        delay: int = 1,
        dice: str = OPEN,
        content: str = "",
    ) -> Battle:
        """A battle that goes on where a record ends in which `record_problem` has found nothing; `content` holds the
        files of its scenario when they are not those of the library."""
        header = record.header
        table = restored(header.system, content) if content else self._table(header.system, header.scenario)
        lines = [
            LoggedOrder(entry.side, entry.order, entry.draws, entry.events, entry.flow) for entry in record.entries
        ]
        return self._found(table, header, seats, lines, title, dice, delay)

    def _found(
        self,
        table: PlayableScenario,
        header: Header,
        seats: tuple[Seat, ...],
        lines: list[LoggedOrder],
        title: str,
        dice: str,
        delay: int,
    ) -> Battle:
        """The battle with those lines in its log is durable and open."""
        if delay < 1:
            raise BattlesError("spectators are at least one whole turn behind")
        rules = Rules(table.ruleset, table.scenario, header, delay, self._viewers, table.content)
        ledger, id, at = blank(rules), self._names(), self._clock()
        problem = seating_problem(seats, table.ruleset.sides(ledger.state))
        if problem:
            raise BattlesError(problem)
        rows: list[StoredEntry] = []
        for number, line in enumerate(lines):
            row = row_of(id, ledger, SETUP_SEAT, f":{SETUP_SEAT} {number}", at, Body((line,)))
            rows.append(row)
            ledger = absorb(rules, ledger, row)
        status = "running" if table.ruleset.outcome(ledger.state) is None else "over"
        charter = Charter(
            id,
            title or table.title,
            header.system,
            header.rules_version,
            codec.encode(header).decode(),
            dice,
            delay,
            at,
            status,
        )
        self.store.create(charter, seats, tuple(rows), table.content).result()
        return self._keep(charter, rules, seats, ledger)

    def _keep(
        self, charter: Charter, rules: Rules, seats: tuple[Seat, ...], ledger: Ledger, history: History | None = None
    ) -> Battle:
        battle = Battle(charter, rules, seats, self.store, ledger, self._clock, history)
        for seat in seats:
            # what spectators have been told may have to be folded from the log, and here nobody waits for it
            battle.standpoint(seat.name)
        self._open[charter.id] = battle
        return battle

    def open(self, battle: str) -> Battle:
        """The battle as its log tells it; BattlesError when there is none, or when its log was changed from outside."""
        if battle in self._open:
            return self._open[battle]
        charter = self.store.charter(battle)
        if charter is None:
            raise BattlesError("there is no such battle")
        try:
            rules = self._rules(charter)
            history = History(rules, self.store, battle)
            ledger, seats = history.restored(), self.store.seats(battle)
        except (LedgerError, codec.CodecError, ValueError) as error:
            # what is wrong may tell of things that nobody at the table knows
            log.error("battle %s: %s", battle, error if isinstance(error, LedgerError) else type(error).__name__)
            raise BattlesError(DAMAGED) from error
        return self._keep(charter, rules, seats, ledger, history)

    def _rules(self, charter: Charter) -> Rules:
        header: Header = codec.decode(charter.header.encode(), Header)
        try:
            table = self._library.find(header.system, header.scenario)
        except LookupError:
            table = None
        if table is None or header.scenario_digest != table.digest:
            table = self._kept(charter.id, header)
        return Rules(table.ruleset, table.scenario, header, charter.delay, self._viewers, table.content)

    def _kept(self, battle: str, header: Header) -> PlayableScenario:
        """The scenario as it was when the battle began; its file may have been changed or removed since."""
        content = self.store.content(battle)
        if not content:
            raise BattlesError(CHANGED)
        try:
            table = restored(header.system, content)
        except LookupError:
            raise BattlesError(UNREADABLE) from None
        if table.digest != header.scenario_digest:
            raise BattlesError(CHANGED)
        return table

    def _table(self, system: str, scenario: str) -> PlayableScenario:
        try:
            return self._library.find(system, scenario)
        except LookupError:
            raise BattlesError(f"there is no scenario {scenario[:64]!r} of {system[:64]!r} here") from None

    def resume(self) -> dict[str, str]:
        """Every battle that is not over stands open again; for those that can't, the reason."""
        trouble = {}
        for charter in self.store.charters():
            if charter.status == "running":
                try:
                    self.open(charter.id)
                except BattlesError as error:
                    trouble[charter.id] = str(error)
        return trouble

    def release(self, battle: str) -> None:
        """The battle is no longer held in memory; its log opens it again."""
        self._open.pop(battle, None)

    def delete(self, battle: str) -> None:
        """The battle is gone with its log, its seats and its snapshot."""
        self.store.delete(battle).result()
        self._open.pop(battle, None)

    def saved(self, battle: str) -> Saved:
        """All that a battle can be taken up from again, the truth and the seed in it: only ever to be sealed."""
        charter, table = self.store.charter(battle), self.open(battle)
        assert charter is not None
        seats = tuple(seat for seat in self.store.seats(battle) if not seat.is_spectator)
        record = msgspec.Raw(replay.write(table.record()))
        return Saved(record, seats, charter.title, charter.delay, charter.dice, table.rules.content)

    @way_out
    def cards(self, only: Collection[str] | None = None) -> tuple[Card, ...]:
        """Every battle, or those with these ids, as anybody may know it, the oldest first."""
        if only is None:
            return tuple(self._card(charter) for charter in self.store.charters())
        found = [charter for id in only if (charter := self.store.charter(id)) is not None]
        return tuple(self._card(charter) for charter in sorted(found, key=lambda one: (one.created, one.id)))

    def _card(self, charter: Charter) -> Card:
        try:
            header: Header = codec.decode(charter.header.encode(), Header)
            seats = self.store.seats(charter.id)
        except (codec.CodecError, ValueError):
            header = Header(FORMAT, charter.system, charter.rules_version, "", "", {}, "", "")
            seats = ()
        return observation.card(charter.id, charter.title, header, charter.status, charter.dice, charter.created, seats)

    # seats

    def invite(self, battle: str, *names: str) -> str:
        """A new token for those seats; whatever token they had before is worth nothing. It is shown this once."""
        token = new_token()
        self.store.token_set(battle, names, token_hash(token)).result()
        return token

    def take(self, battle: str, name: str, called: str) -> str:
        """A new token for a seat whose player is called so; whatever token it had before is worth nothing."""
        token = new_token()
        self.store.seat_taken(battle, name, called, token_hash(token)).result()
        if battle in self._open:
            seats = self._open[battle].seats
            seats[name] = replace(seats[name], called=called)
        return token

    def leave(self, battle: str, *names: str) -> None:
        """No token opens those seats."""
        self.store.token_set(battle, names, None).result()

    def join(self, token: str) -> list[tuple[str, str]]:
        """The battles and seats a token opens."""
        return self.store.seats_of(token_hash(token))

    def watch(self, battle: str, name: str) -> str:
        """A new spectator's seat and its token."""
        table = self.open(battle)
        seat = spectator(name)
        if seating_problem((*table.seats.values(), seat), table.rules.ruleset.sides(table.ledger.state)):
            raise BattlesError("a spectator needs a name of his own")
        self.store.seat_added(battle, seat).result()
        table.seats[name] = seat
        table.standpoint(name)
        return self.invite(battle, name)
