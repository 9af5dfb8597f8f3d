"""The authority over one battle: it judges orders, writes them down, and only then lets anybody know."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import RLock
from typing import Any, NamedTuple, TypeVar

from sandtable.battle import observation
from sandtable.battle.faults import write_down
from sandtable.battle.history import History
from sandtable.battle.ledger import (
    UNDO,
    Body,
    Ledger,
    LedgerError,
    Rules,
    entered,
    fold,
    line_of,
    played_lines,
    row_of,
    snapshot_of,
)
from sandtable.battle.observation import (
    Answer,
    Belief,
    Field,
    Ground,
    Log,
    Menu,
    Observation,
    Past,
    Preview,
    Progress,
    Sight,
    Table,
    Trace,
    Whole,
    way_out,
)
from sandtable.battle.seats import Seat
from sandtable.battle.storage.store import Charter, Conflict, Row, Store, StoreError
from sandtable.battle.undo import Undoing
from sandtable.kernel import codec, replay
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import Played, submit
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import LEAVES, SAMPLES
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import Outcome, View

SNAPSHOT_EVERY = 50
RETRIES = 5
"""How often an order is judged anew because another process wrote first; then the sender must try again."""

LONGEST_COMMAND = 64

log = logging.getLogger(__name__)

T = TypeVar("T")
Clock = Callable[[], int]
"""The time in milliseconds, for the log alone: no rule asks for it and no player is told."""


class Denied(Exception):
    """There is no such seat at this battle, or it may not ask that; the message is one sentence."""


class Untold(Exception):
    """The rules could not answer a question; the message is one fixed sentence."""


class Pending(NamedTuple):
    """An entry that is judged but not yet written: nobody may know of it. `after` is the ledger it will lead to."""

    seat: Seat
    command: str
    row: Row
    previous: str
    status: str
    after: Ledger


class Battle:
    """One battle. Everything public takes a seat's name and answers with what that seat may know.

    One thread at a time gives orders; looking is possible from any thread at any time, because the ledger is replaced
    as a whole.
    """

    def __init__(
        self, charter: Charter, rules: Rules, seats: tuple[Seat, ...], store: Store, ledger: Ledger, clock: Clock
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
        self._history = History(rules)
        self._tables: dict[str, tuple[Ledger, Table]] = {}
        pinned, here = charter.rules_version, rules.ruleset.info.rules_version
        self._pinned = "" if pinned == here else f"the battle is played under rules {pinned}; this program has {here}"

    # looking

    @way_out
    def view(self, seat: str) -> Sight:
        """The table as that seat may know it, with its position."""
        ledger, side = self._ledger, self._seat(seat).side
        if side is None:
            return self._watched(ledger)
        can_undo = self._undoing.body(ledger, side) is not None
        return observation.sight(self.rules.ruleset, ledger.state, side, ledger.number(side), can_undo=can_undo)

    @way_out
    def table(self, seat: str) -> Table:
        """The table as that seat sees it; made once for all who sit there."""
        ledger, side = self._ledger, self._seat(seat).side
        known = self._tables.get(seat)
        if known is None or known[0] is not ledger:
            if side is None:
                table: Table = self._watched(ledger)
            else:
                can_undo = self._undoing.body(ledger, side) is not None
                latest = ledger.logs[side][-1]
                table = observation.table(self.rules.ruleset, ledger.state, side, latest, can_undo=can_undo)
            known = self._tables[seat] = (ledger, table)
        return known[1]

    def _watched(self, ledger: Ledger) -> Sight:
        """The table as spectators may know it."""
        number = len(ledger.spectators.told)
        if self._outcome(ledger) is not None:
            return observation.open_sight(self.rules.ruleset, ledger.state, number)
        return observation.spectators_sight(number, ledger.spectators.shown)

    @way_out
    def progress(self) -> Progress:
        """How far the battle is."""
        return observation.progress(self.rules.ruleset, self._ledger.state)

    @way_out
    def events(self, seat: str, since: int = 0) -> tuple[Observation, ...]:
        """What that seat has noticed after the observation of that number."""
        side = self._seat(seat).side
        told = self._ledger.spectators.told if side is None else self._ledger.logs[side]
        # numbers count from 1 without a gap, so that they are places too
        return told[max(0, since) :]

    @way_out
    def menu(self, seat: str, selection: Selection) -> Menu:
        """What that seat can do with what it has selected; nothing for a spectator."""
        ledger, side = self._ledger, self._seat(seat).side
        if side is None:
            return Menu(len(ledger.spectators.told))
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
            return Preview(len(ledger.spectators.told), refusal=observation.denial("a spectator gives no orders"))
        number = ledger.number(side)
        try:
            return observation.preview(self.rules.ruleset, ledger.state, side, number, order, leaves, samples)
        except Exception as error:
            self._blame("a preview", error)
            return Preview(number, refusal=observation.denial(observation.NO_ODDS))

    @way_out
    def trace(self, seat: str, a: HexId, b: HexId) -> Trace:
        """Whether one hex sees another, as far as that seat can tell."""
        return self._answered(seat, lambda view: observation.trace(self.rules.ruleset, view, a, b))

    @way_out
    def field(self, seat: str, units: tuple[UnitId, ...]) -> Field:
        """What these units of that seat see between them; all of them when none is named."""
        return self._answered(seat, lambda view: observation.field(self.rules.ruleset, view, units))

    @way_out
    def ground(self, seat: str, place: HexId) -> Ground:
        """What that seat knows of a hex."""
        return self._answered(seat, lambda view: observation.ground(self.rules.ruleset, view, place))

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

    def _answered(self, seat: str, answer: Callable[[View[Any]], T]) -> T:
        """What the rules answer on the seat's view; Untold when they fail."""
        view = self.knowledge(seat)
        try:
            return answer(view)
        except Exception as error:
            self._blame("a question", error)
            raise Untold("that could not be answered") from None

    @way_out
    def as_seen(self, seat: str, number: int) -> Past:
        """The table as that seat saw it when it noticed the thing of that number, or of the nearest there is."""
        ledger, side = self._ledger, self._seat(seat).side
        if side is None:
            return self.as_it_was(seat, number)
        last = ledger.number(side)
        number = max(1, min(number, last))
        # lines the side did not notice left its view as it was, so the latest noticed one tells the table
        index = max(n for n, marks in enumerate(ledger.marks) if side in marks and marks[side].number <= number)
        state, seen = self._history.states(ledger)[index], ledger.logs[side][number - 1]
        return observation.as_seen(self.rules.ruleset, state, side, seen, last)

    @way_out
    def as_it_was(self, seat: str, number: int) -> Past:
        """The true table after the order of that number, or the nearest there is; Denied before the end."""
        ledger, ended = self._ledger, self._outcome(self._ledger)
        self._seat(seat)
        if ended is None:
            raise Denied("the whole of a battle is shown after its end")
        states, ruleset = self._history.states(ledger), self.rules.ruleset
        last = len(states) - 1
        number = max(0, min(number, last))
        events = tuple(codec.decode(bytes(raw), ruleset.info.events) for raw in ledger.lines[number].events)
        return observation.as_it_was(ruleset, ended, states[number], events, number, last)

    @way_out
    def export(self, seat: str) -> Log | Whole:
        """The full record once the battle is over; before, that seat's own account of it."""
        ledger = self._ledger
        self._seat(seat)
        if self._outcome(ledger) is not None:
            return observation.whole(self._record(ledger))
        return observation.log_of(self.rules.header, self.view(seat), self.events(seat))

    # for the authority's own use

    def recall(self) -> None:
        """Looking back is quick from now on: the states of the battle are folded, which may take a while."""
        self._history.states(self._ledger)

    def cut(self, number: int) -> replay.Record | None:
        """The record of a battle that is over up to one of its orders, for another to go on from; None without it."""
        ledger = self._ledger
        if self._outcome(ledger) is None or not 0 <= number < len(ledger.lines):
            return None
        record, state = self._record(ledger), self._history.states(ledger)[number]
        outcome = self.rules.ruleset.outcome(state)
        return replay.Record(record.header, record.entries[: number + 1], codec.digest(state), outcome)

    @property
    def sides(self) -> tuple[SideId, ...]:
        """The sides of the battle."""
        return self.rules.ruleset.sides(self._ledger.state)

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self._outcome(self._ledger) is not None

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
    def submit(self, seat: str, order: Order, expected: int, command: str) -> Answer:
        """The order is carried out and durable, or nothing has changed and the answer says why."""
        return self._command(lambda: self.prepare(seat, order, expected, command))

    @way_out
    def undo(self, seat: str, expected: int, command: str) -> Answer:
        """The seat's latest order is taken back by a new entry, or nothing has changed and the answer says why."""
        return self._command(lambda: self.prepare_undo(seat, expected, command))

    def _command(self, prepare: Callable[[], Pending | Answer]) -> Answer:
        with self._turnstile:
            tries = 0
            while True:
                pending, tries = prepare(), tries + 1
                if isinstance(pending, Answer):
                    return pending
                try:
                    self._store.append(pending.row, pending.previous, pending.status).result()
                except StoreError as error:
                    if not isinstance(error, Conflict) or tries == RETRIES:
                        return self.failed(pending, error)
                    self.doubt()
                else:
                    return self.settle(pending)

    def prepare(self, seat: str, order: Order, expected: int, command: str) -> Pending | Answer:
        """The order, judged and resolved but not yet true; or the answer, when nothing is to be written."""
        place = self.seats.get(seat)
        asked = codec.encode(order)
        settled = self._without_writing(place, expected, command, asked)
        if isinstance(settled, Answer):
            return settled
        place, side, ledger = settled
        try:
            played = submit(self.rules.ruleset, ledger.state, side, order)
            if not isinstance(played, Refusal):
                status = "running" if self.rules.ruleset.outcome(played.state) is None else "over"
                return self._pending(place, command, ledger, Body((line_of(played),)), status, played)
        except Exception as error:
            self._blame("an order", error)
            played = observation.denial("the rules could not carry out this order; nothing was changed")
        return observation.refused(command, ledger.number(side), played)

    def prepare_undo(self, seat: str, expected: int, command: str) -> Pending | Answer:
        """The undo, judged but not yet true; or the answer, when nothing is to be written."""
        settled = self._without_writing(self.seats.get(seat), expected, command, UNDO)
        if isinstance(settled, Answer):
            return settled
        place, side, ledger = settled
        body = self._undoing.body(ledger, side)
        if body is None:
            reason = "your latest order can't be taken back: it drew dice, told you something or passed the turn"
            return observation.refused(command, ledger.number(side), observation.denial(reason))
        return self._pending(place, command, ledger, body, "running", None)

    def settle(self, pending: Pending) -> Answer:
        """The entry is durable, so now it is true and its sender may know."""
        before, ledger = self._ledger, pending.after
        self._undoing.settled(before, ledger)
        self._ledger = ledger
        if ledger.entries % SNAPSHOT_EVERY == 0:
            self._keep_snapshot(ledger)
        return self._again(pending.seat, pending.command, ledger)

    def _keep_snapshot(self, ledger: Ledger) -> None:
        """A snapshot is on its way to the store. It is a cache: an order that is durable does not fail with it."""
        try:
            self._store.keep(self.id, snapshot_of(ledger))
        except Exception as error:
            self._blame("a snapshot", error)

    def failed(self, pending: Pending, error: StoreError) -> Answer:
        """The entry was not acknowledged by the store: whether it is there will be looked up before the next order."""
        self._is_doubtful = True
        assert pending.seat.side is not None
        return observation.unavailable(pending.command, self._ledger.number(pending.seat.side), str(error))

    def doubt(self) -> None:
        """Before the next order, the log is asked for what others have written."""
        self._is_doubtful = True

    def catch_up(self) -> None:
        """What others have written to the log is true here too."""
        try:
            self._ledger = fold(self.rules, self._ledger, self._store.rows(self.id, self._ledger.entries))
        except LedgerError as error:
            log.error("battle %s: %s", self.id, error)
            raise StoreError("the log of this battle was changed from outside; it takes no orders") from None
        self._is_doubtful = False

    def _without_writing(
        self, place: Seat | None, expected: int, command: str, asked: bytes
    ) -> Answer | tuple[Seat, SideId, Ledger]:
        """The answer to a command that needs no entry; otherwise who orders, for which side, on what."""
        if place is None or place.side is None:
            return observation.refused(command, 0, observation.denial("this seat gives no orders"))
        side = place.side
        if self._is_doubtful and not self._store.trouble:
            # after a failed disk the log may show what never reached it, so nothing is confirmed from there
            try:
                self.catch_up()
            except StoreError as error:
                return observation.unavailable(command, self._ledger.number(side), str(error))
        ledger = self._ledger
        number = ledger.number(side)
        reply = ledger.replies.get(_stored(place, command))
        if reply is not None and reply.asked == codec.digest(asked.decode()):
            return self._again(place, command, ledger)
        reason = ""
        if reply is not None:
            reason = "this command was used for another order"
        elif not 1 <= len(command) <= LONGEST_COMMAND or not command.isprintable():
            reason = f"a command has a name of 1 to {LONGEST_COMMAND} printable characters"
        elif self._pinned:
            reason = self._pinned
        if reason:
            return observation.refused(command, number, observation.denial(reason))
        if expected != number:
            return observation.stale(command, self.view(place.name))
        if self._store.trouble:
            return observation.unavailable(command, number, self._store.trouble)
        return place, side, ledger

    def _pending(
        self, place: Seat, command: str, ledger: Ledger, body: Body, status: str, played: Played[Any] | None
    ) -> Pending:
        """The entry to write. Whatever noticing it needs is done before: what can't be told is never written."""
        row = row_of(self.id, ledger, place.name, _stored(place, command), self._clock(), body)
        return Pending(place, command, row, ledger.chain, status, entered(self.rules, ledger, row, body, played))

    def _again(self, place: Seat, command: str, ledger: Ledger) -> Answer:
        """The answer to a command that is in the log: the same every time, in every process."""
        assert place.side is not None
        reply = ledger.replies[_stored(place, command)]
        return observation.accepted(command, ledger.logs[place.side][reply.number - 1])

    def _blame(self, what: str, error: Exception) -> None:
        write_down(log, f"battle {self.id}: the rules failed on {what}", error)

    def _seat(self, name: str) -> Seat:
        seat = self.seats.get(name)
        if seat is None:
            raise Denied("there is no such seat at this battle")
        return seat

    def _outcome(self, ledger: Ledger) -> Outcome | None:
        return self.rules.ruleset.outcome(ledger.state)

    def _record(self, ledger: Ledger) -> replay.Record:
        opening, *orders = played_lines(self.rules, ledger)
        recorder = replay.Recorder(self.rules.header, opening)
        for played in orders:
            recorder.add(played)
        recorder.state = ledger.state
        return recorder.record(self._outcome(ledger))


def _stored(place: Seat, command: str) -> str:
    """A command as the log knows it: no seat can meet, or guess at, the commands of another."""
    return f"{place.name}:{command}"
