"""The authority over one battle: it judges orders, writes them down, and only then lets anybody know."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from threading import RLock
from typing import Any, NamedTuple

from sandtable.battle import observation
from sandtable.battle.asking import Asking
from sandtable.battle.chatting import Chatting
from sandtable.battle.chatting import Denied as Denied
from sandtable.battle.faults import write_down
from sandtable.battle.history import History, recent_lines
from sandtable.battle.ledger import (
    UNDO,
    Body,
    Ledger,
    LedgerError,
    Rules,
    absorbed,
    body_of,
    entered,
    events_of,
    line_of,
    released,
    reply_of,
    row_of,
    told_of,
)
from sandtable.battle.observation import way_out
from sandtable.battle.observed import (
    Belief,
    CommandAnswer,
    Log,
    LogPart,
    Menu,
    Observation,
    Past,
    Preview,
    Progress,
    Sight,
    Standpoint,
    Table,
    TableChange,
    Whole,
)
from sandtable.battle.seats import Seat
from sandtable.battle.snapshots import is_due, outdated, snapshot_of
from sandtable.battle.storage.rows import BattleStore, Charter, Conflict, StoredEntry, StoreError
from sandtable.battle.undo import Undoing
from sandtable.kernel import codec, replay
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import LEAVES, SAMPLES
from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import Played, View

RETRIES = 5
"""How often an order is judged anew because another process wrote first; then the sender must try again."""

LONGEST_PAGE = 200
"""Lines of the log that are given out at once."""

LONGEST_COMMAND = 64

STOPPED = (
    "the battle was begun under version {pinned} of the rules and this program has version {here}: "
    "it can be looked at, but not played on"
)

log = logging.getLogger(__name__)

Clock = Callable[[], int]
"""The time in milliseconds, for the log alone: no rule asks for it and no player is told."""


class Pending(NamedTuple):
    """An entry that is judged but not yet written: nobody may know of it. `after` is the ledger it will lead to, and
    `number` the one under which its sender will notice it."""

    seat: Seat
    command: str
    row: StoredEntry
    previous: str
    status: str
    after: Ledger
    number: int


Command = Generator[Pending, StoreError | None, CommandAnswer]
"""A command being carried out: it yields each entry that is to be written, is sent the error or None, and returns the
answer."""


class Battle(Asking, Chatting):
    """One battle. Everything public takes a seat's name and answers with what that seat may know.

    One thread at a time gives orders; looking is possible from any thread at any time, because the ledger is replaced
    as a whole.
    """

    def __init__(
        self,
        charter: Charter,
        rules: Rules,
        seats: tuple[Seat, ...],
        store: BattleStore,
        ledger: Ledger,
        clock: Clock,
        history: History | None = None,
    ) -> None:
        self.id = charter.id
        self.rules = rules
        self.seats = {seat.name: seat for seat in seats}
        self._store = store
        self._ledger = ledger
        self._clock = clock
        self._turnstile = RLock()
        self._is_doubtful = False
        self._undoing = Undoing(rules)
        self._history = history or History(rules, store, charter.id)
        self._situations: dict[str, tuple[Ledger, TableChange]] = {}
        self._turns: dict[int, Ledger] = {}
        pinned, here = charter.rules_version, rules.ruleset.info.rules_version
        self.stopped = "" if pinned == here else STOPPED.format(pinned=pinned, here=here)

    # looking

    def _shown(self, seat: str) -> tuple[Ledger, SideId]:
        """The log as far as a seat has been told of it, and the viewer who sits there."""
        side = self._seat(seat).side
        return (self._ledger, side) if side is not None else (self._released(), SPECTATORS)

    def _released(self) -> Ledger:
        """The log as far as spectators have been told of it."""
        now = self._ledger
        entries = released(now)
        if entries == now.entries:
            return now
        if entries not in self._turns:
            self._turns = {**self._turns, entries: self._history.at(entries)}
        return self._turns[entries]

    @way_out
    def view(self, seat: str) -> Sight:
        """The table as that seat may know it, with its position."""
        ledger, viewer = self._shown(seat)
        shown, account = self.table(seat), ledger.account(viewer)
        if viewer == SPECTATORS and ledger.outcome is None:
            return observation.spectators_sight(shown, account)
        return observation.sight(self.rules.ruleset, ledger.state, shown, account)

    @way_out
    def table(self, seat: str) -> Table:
        """The table as that seat sees it; a spectator sees nothing before the first turn is released, and everything
        after the end."""
        ledger, viewer = self._shown(seat)
        if not ledger.entries:
            return observation.NO_TABLE
        if viewer == SPECTATORS and ledger.outcome is not None:
            return observation.open_table(self.rules.ruleset, ledger.state)
        return observation.table(self.rules.ruleset, ledger.state, viewer, self.situation(seat))

    @way_out
    def situation(self, seat: str) -> TableChange:
        """All that a seat's table shows besides its pieces; made once for all who sit there."""
        ledger, viewer = self._shown(seat)
        known = self._situations.get(seat)
        if known is None or known[0] is not ledger:
            can_undo = viewer != SPECTATORS and self._undoing.body(ledger, viewer) is not None
            made = observation.NOTHING_YET
            if ledger.entries:
                made = observation.situation(self.rules.ruleset, ledger.state, viewer, can_undo=can_undo)
            known = self._situations[seat] = (ledger, made)
        return known[1]

    @way_out
    def progress(self) -> Progress:
        """How far the battle is."""
        return observation.progress(self.rules.ruleset, self._ledger.state)

    @way_out
    def standpoint(self, seat: str) -> Standpoint:
        """Where that seat stands in what it is told."""
        ledger, viewer = self._shown(seat)
        return observation.standpoint(ledger.account(viewer))

    @way_out
    def events(self, seat: str, since: int = 0) -> tuple[Observation, ...]:
        """What that seat has noticed after the observation of that number."""
        ledger, viewer = self._shown(seat)
        told = told_of(self.rules, ledger, viewer, since)
        return self._history.observations(ledger, viewer, max(0, since)) if told is None else told

    @way_out
    def latest(self, seat: str, since: int) -> tuple[Observation, ...] | None:
        """As `events`, if it is at hand; None when it would have to be looked up."""
        ledger, viewer = self._shown(seat)
        return told_of(self.rules, ledger, viewer, since)

    @way_out
    def recent_log(self, seat: str) -> LogPart:
        """The latest lines of that seat's log, as many as are at hand and fit on a page."""
        ledger, viewer = self._shown(seat)
        return recent_lines(ledger, viewer, LONGEST_PAGE)

    @way_out
    def log(self, seat: str, before: int = 0, most: int = LONGEST_PAGE) -> LogPart:
        """The lines of that seat's log right before the line of that number; the latest for 0."""
        ledger, viewer = self._shown(seat)
        before = before if before > 0 else ledger.account(viewer).lines + 1
        return self._history.page(ledger, viewer, before, max(1, min(most, LONGEST_PAGE)))

    @way_out
    def menu(self, seat: str, selection: Selection) -> Menu:
        """What that seat can do with what it has selected; nothing for a spectator."""
        ledger, side = self._ledger, self._seat(seat).side
        if side is None:
            return Menu(self.standpoint(seat).number)
        try:
            return observation.menu(self.rules.ruleset, ledger.state, side, ledger.number(side), selection)
        except Exception as error:
            self._blame("a menu", error)
            return Menu(ledger.number(side))

    @way_out
    def preview(self, seat: str, order: Order, leaves: int = LEAVES, samples: int = SAMPLES) -> Preview:
        """The odds of an order, computed in the world as that seat believes it to be."""
        ledger, side = self._ledger, self._seat(seat).side
        if side is None:
            return Preview(self.standpoint(seat).number, refusal=observation.denial("a spectator gives no orders"))
        number = ledger.number(side)
        try:
            return observation.preview(self.rules.ruleset, ledger.state, side, number, order, leaves, samples)
        except Exception as error:
            self._blame("a preview", error)
            return Preview(number, refusal=observation.denial(observation.NO_ODDS))

    @way_out
    def belief(self, seat: str) -> Belief:
        """The world as that seat believes it to be, for a process that works something out for it."""
        return observation.belief(self.rules.header, self.knowledge(seat))

    @way_out
    def knowledge(self, seat: str) -> View[Any]:
        """The view that a computer player at that seat decides on."""
        side = self._seat(seat).side
        if side is None:
            raise Denied("that is not for spectators")
        return observation.knowledge(self.rules.ruleset, self._ledger.state, side)

    @way_out
    def as_seen(self, seat: str, number: int) -> Past:
        """The table as that seat saw it when it noticed the thing of that number, or of the nearest there is."""
        ledger, viewer = self._shown(seat)
        if viewer == SPECTATORS:
            return self.as_it_was(seat, number)
        last = ledger.number(viewer)
        then, seen = self._history.noticed(ledger, viewer, max(1, min(number, last)))
        return observation.as_seen(self.rules.ruleset, then.state, viewer, seen, last)

    @way_out
    def as_it_was(self, seat: str, number: int) -> Past:
        """The true table after the order of that number, or the nearest there is; Denied before the end."""
        ledger = self._ledger
        self._seat(seat)
        if ledger.outcome is None:
            raise Denied("the whole of a battle is shown after its end")
        truth, last = self._history.truth(ledger.entries), ledger.lines - 1
        number = max(0, min(number, last))
        events = events_of(self.rules, truth.lines[number])
        change = observation.Change(truth.state(number - 1), truth.state(number))
        return observation.as_it_was(self.rules.ruleset, ledger.outcome, change, events, number, last)

    @way_out
    def export(self, seat: str) -> Log | Whole:
        """The full record once the battle is over; before, that seat's own account of it."""
        self._seat(seat)
        if self._ledger.outcome is not None:
            return observation.whole(self.record())
        return observation.log_of(self.rules.header, self.view(seat), self.events(seat))

    # for the authority's own use

    def record(self) -> replay.Record:
        """The battle as the kernel records it, the truth and the seed in it."""
        ledger = self._ledger
        battle = self._history.truth(ledger.entries).played()
        return replay.recorded(self.rules.header, battle, ledger.state, ledger.outcome)

    def cut(self, number: int) -> replay.Record | None:
        """The record of a battle that is over up to one of its orders, for another to go on from; None without it."""
        ledger = self._ledger
        if ledger.outcome is None or not 0 <= number < ledger.lines:
            return None
        record, state = self.record(), self._history.truth(ledger.entries).state(number)
        outcome = self.rules.ruleset.outcome(state)
        return replay.Record(record.header, record.entries[: number + 1], codec.digest(state), outcome)

    def cut_as_seen(self, seat: str, number: int) -> replay.Record | None:
        """The record of a running battle up to what that seat noticed under that number, for another to go on from;
        None where anything is hidden from any side."""
        ledger, side = self._ledger, _side_of(self._seat(seat))
        then, _ = self._history.noticed(ledger, side, max(1, min(number, ledger.number(side))))
        truth = codec.encode(then.state.position)
        if any(codec.encode(then.state.known.positions[one]) != truth for one in self.sides):
            return None
        battle = self._history.truth(then.entries).played()
        return replay.recorded(self.rules.header, battle, then.state, then.outcome)

    @property
    def sides(self) -> tuple[SideId, ...]:
        """The sides of the battle."""
        return self.rules.sides

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self._ledger.outcome is not None

    @property
    def ledger(self) -> Ledger:
        """The truth: for the authority's own use, never for a player."""
        return self._ledger

    def order_from(self, data: bytes) -> Order:
        """The order in a message, or a CodecError that says where the message goes wrong."""
        order: Order = codec.decode(data, self.rules.ruleset.info.orders)
        return order

    # ordering

    @way_out
    def submit(self, seat: str, order: Order, expected: int, command: str) -> CommandAnswer:
        """The order is carried out and durable, or nothing has changed and the answer says why."""
        return self._carry_out(self.ordering(seat, order, expected, command))

    @way_out
    def undo(self, seat: str, expected: int, command: str) -> CommandAnswer:
        """The seat's latest order is taken back by a new entry, or nothing has changed and the answer says why."""
        return self._carry_out(self.undoing(seat, expected, command))

    def _carry_out(self, command: Command) -> CommandAnswer:
        """The answer to a command, whose entries are written while this thread waits."""
        with self._turnstile:
            wanted = advanced(command)
            while isinstance(wanted, Pending):
                try:
                    self._store.append(wanted.row, wanted.previous, wanted.status).result()
                except StoreError as error:
                    wanted = advanced(command, error)
                else:
                    wanted = advanced(command)
            return wanted

    def ordering(self, seat: str, order: Order, expected: int, command: str) -> Command:
        """An order on its way."""
        return self._command(lambda: self._prepare(seat, order, expected, command))

    def undoing(self, seat: str, expected: int, command: str) -> Command:
        """An undo on its way."""
        return self._command(lambda: self._prepare_undo(seat, expected, command))

    def _command(self, prepare: Callable[[], Pending | CommandAnswer]) -> Command:
        """What was judged is written; what met another writer is judged anew, a few times."""
        tries = 0
        while True:
            pending, tries = prepare(), tries + 1
            if isinstance(pending, CommandAnswer):
                return pending
            error = yield pending
            if error is None:
                return self._settle(pending)
            self._is_doubtful = True
            if not isinstance(error, Conflict) or tries == RETRIES:
                number = self._ledger.number(_side_of(pending.seat))
                return observation.unavailable(pending.command, number, str(error))

    def _prepare(self, seat: str, order: Order, expected: int, command: str) -> Pending | CommandAnswer:
        """The order, judged and resolved but not yet true; or the answer, when nothing is to be written."""
        place = self.seats.get(seat)
        asked = codec.encode(order)
        settled = self._without_writing(place, expected, command, asked)
        if isinstance(settled, CommandAnswer):
            return settled
        place, side, ledger = settled
        try:
            played = submit(self.rules.ruleset, ledger.state, side, order)
            if not isinstance(played, Refusal):
                status = "running" if self.rules.ruleset.outcome(played.state) is None else "over"
                body = Body((line_of(played),), number=ledger.number(side) + 1)
                return self._pending(place, command, ledger, body, status, played)
        except Exception as error:
            self._blame("an order", error)
            played = observation.denial("the rules could not carry out this order; nothing was changed")
        return self._refused(place, command, asked, played)

    def _prepare_undo(self, seat: str, expected: int, command: str) -> Pending | CommandAnswer:
        """The undo, judged but not yet true; or the answer, when nothing is to be written."""
        settled = self._without_writing(self.seats.get(seat), expected, command, UNDO)
        if isinstance(settled, CommandAnswer):
            return settled
        place, side, ledger = settled
        body = self._undoing.body(ledger, side)
        if body is None:
            reason = "your latest order can't be taken back: it drew dice, told you something or passed the turn"
            return self._refused(place, command, UNDO, observation.denial(reason))
        return self._pending(place, command, ledger, body, "running", None)

    def _settle(self, pending: Pending) -> CommandAnswer:
        """The entry is durable, so now it is true and its sender may know."""
        self._advance(pending.after)
        if is_due(pending.after.entries):
            self._keep_snapshot(pending.after)
        return observation.accepted(pending.command, pending.number)

    def _advance(self, ledger: Ledger) -> None:
        """The ledger is the present one; where a turn began is remembered until spectators have been told of it."""
        before, self._ledger = self._ledger, ledger
        if ledger.turns != before.turns:
            marks = {mark.entries for mark in ledger.turns}
            turns = {**self._turns, before.entries: before}
            self._turns = {entries: one for entries, one in turns.items() if entries in marks}
        self._history.note(ledger)

    def _keep_snapshot(self, ledger: Ledger) -> None:
        """A snapshot is on its way to the store. It is a cache: an order that is durable does not fail with it."""
        try:
            self._store.keep(self.id, snapshot_of(ledger), outdated(ledger.entries))
        except Exception as error:
            self._blame("a snapshot", error)

    def catch_up(self) -> None:
        """What others have written to the log is true here too."""
        try:
            for row in self._store.rows(self.id, self._ledger.entries):
                self._advance(absorbed(self.rules, self._ledger, row))
        except LedgerError as error:
            log.error("battle %s: %s", self.id, error)
            raise StoreError("the log of this battle was changed from outside; it takes no orders") from None
        self._is_doubtful = False

    def _without_writing(
        self, place: Seat | None, expected: int, command: str, asked: bytes
    ) -> CommandAnswer | tuple[Seat, SideId, Ledger]:
        """The answer to a command that needs no entry; otherwise who orders, for which side, on what."""
        if place is None or place.side is None:
            return observation.refused(command, 0, observation.denial("this seat gives no orders"))
        side, was_doubtful = place.side, self._is_doubtful
        try:
            if was_doubtful and not self._store.trouble:
                # after a failed disk the log may show what never reached it, so nothing is confirmed from there
                self.catch_up()
            ledger = self._ledger
            number = ledger.number(side)
            # the store is asked only where an answer would be "stale", or where it has refused to write
            known = self._known(place, command, asked, older=expected != number or was_doubtful)
        except StoreError as error:
            return observation.unavailable(command, self._ledger.number(side), str(error))
        if known is not None:
            return known
        reason = self.stopped
        if not 1 <= len(command) <= LONGEST_COMMAND or not command.isprintable():
            reason = f"a command has a name of 1 to {LONGEST_COMMAND} printable characters"
        if reason:
            return observation.refused(command, number, observation.denial(reason))
        if expected != number:
            return observation.stale(command, number)
        if self._store.trouble:
            return observation.unavailable(command, number, self._store.trouble)
        return place, side, ledger

    def _known(self, place: Seat, command: str, asked: bytes, *, older: bool) -> CommandAnswer | None:
        """The answer to a command that is in the log; looked up in the store when it may be an older one."""
        name = _stored(place, command)
        reply = self._ledger.tail.reply(name)
        if reply is None and older and not self._store.trouble:
            row = self._store.entry_of(self.id, name)
            reply = None if row is None else reply_of(body_of(row))
        if reply is None:
            return None
        if reply.asked == codec.digest(asked.decode()):
            return observation.accepted(command, reply.number)
        reason = "this command was used for another order"
        return observation.refused(command, self._ledger.number(_side_of(place)), observation.denial(reason))

    def _refused(self, place: Seat, command: str, asked: bytes, refusal: Refusal) -> CommandAnswer:
        """The refusal, unless the command was carried out long ago."""
        try:
            known = self._known(place, command, asked, older=True)
        except StoreError:
            known = None
        return known or observation.refused(command, self._ledger.number(_side_of(place)), refusal)

    def _pending(
        self, place: Seat, command: str, ledger: Ledger, body: Body, status: str, played: Played[Any] | None
    ) -> Pending:
        """The entry to write. Whatever noticing it needs is done before: what can't be told is never written."""
        row = row_of(self.id, ledger, place.name, _stored(place, command), self._clock(), body)
        after = entered(self.rules, ledger, row, body, played)
        return Pending(place, command, row, ledger.chain, status, after, body.number)

    def _blame(self, what: str, error: Exception) -> None:
        write_down(log, f"battle {self.id}: the rules failed on {what}", error)

    def _now(self) -> int:
        return self._clock()

    def _seat(self, name: str) -> Seat:
        seat = self.seats.get(name)
        if seat is None:
            raise Denied("there is no such seat at this battle")
        return seat


def advanced(command: Command, error: StoreError | None = None) -> Pending | CommandAnswer:
    """What a command wants next after its entry was written, or was not: another one, or nothing more but this
    answer."""
    try:
        return command.send(error)
    except StopIteration as done:
        answer: CommandAnswer = done.value
        return answer


def _side_of(seat: Seat) -> SideId:
    assert seat.side is not None
    return seat.side


def _stored(place: Seat, command: str) -> str:
    """A command as the log knows it: no seat can meet, or guess at, the commands of another."""
    return f"{place.name}:{command}"
