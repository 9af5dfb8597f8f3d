"""The authority over one battle: it judges orders, writes them down, and only then lets anybody know."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from threading import RLock
from typing import Any, NamedTuple

from sandtable.battle import observation
from sandtable.battle.ledger import (
    UNDO,
    Body,
    Ledger,
    LedgerError,
    Rules,
    absorb,
    fold,
    line_of,
    order_of,
    played_lines,
    row_of,
    snapshot_of,
    state_before,
)
from sandtable.battle.observation import Answer, Log, Menu, Observation, Preview, Sight, Whole
from sandtable.battle.seats import Seat
from sandtable.battle.store import Charter, Conflict, Row, Store, StoreError
from sandtable.kernel import codec, replay
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import Played, submit, undoable
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import AnyRuleset, Selection
from sandtable.kernel.state import Outcome, State

SNAPSHOT_EVERY = 50
RETRIES = 5
"""How often an order is judged anew because another process wrote first; then the sender must try again."""

LONGEST_COMMAND = 64

log = logging.getLogger(__name__)

Clock = Callable[[], int]
"""The time in milliseconds, for the log alone: no rule asks for it and no player is told."""


class Denied(Exception):
    """There is no such seat at this battle."""


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
        self._before: tuple[Ledger, State[Any]] | None = None
        self._undo_answers: dict[SideId, tuple[Ledger, Body | None]] = {}
        pinned, here = charter.rules_version, rules.ruleset.info.rules_version
        self._pinned = "" if pinned == here else f"the battle is played under rules {pinned}; this program has {here}"

    # looking

    def view(self, seat: str) -> Sight:
        """The table as that seat may know it."""
        ledger, side = self._ledger, self._seat(seat).side
        ruleset = self.rules.ruleset
        if side is not None:
            can_undo = self._undo(ledger, side) is not None
            return observation.sight(ruleset, ledger.state, side, ledger.number(side), can_undo=can_undo)
        if self._outcome(ledger) is not None:
            return observation.open_sight(ruleset, ledger.state, len(ledger.gallery.told))
        return observation.gallery_sight(len(ledger.gallery.told), ledger.gallery.shown)

    def events(self, seat: str, since: int = 0) -> tuple[Observation, ...]:
        """What that seat has noticed after the observation of that number."""
        side = self._seat(seat).side
        told = self._ledger.gallery.told if side is None else self._ledger.logs[side]
        # numbers count from 1 without a gap, so that they are places too
        return told[max(0, since) :]

    def menu(self, seat: str, selection: Selection) -> Menu:
        """What that seat can do with what it has selected; nothing for a spectator."""
        ledger, side = self._ledger, self._seat(seat).side
        if side is None:
            return Menu(len(ledger.gallery.told))
        try:
            return observation.menu(self.rules.ruleset, ledger.state, side, ledger.number(side), selection)
        except Exception as error:
            self._blame("a menu", error)
            return Menu(ledger.number(side))

    def preview(self, seat: str, order: Order) -> Preview:
        """The odds of an order, computed in the world as that seat believes it to be."""
        ledger, side = self._ledger, self._seat(seat).side
        if side is None:
            return Preview(len(ledger.gallery.told), refusal=observation.denial("a spectator gives no orders"))
        try:
            return observation.preview(self.rules.ruleset, ledger.state, side, ledger.number(side), order)
        except Exception as error:
            self._blame("a preview", error)
            return Preview(ledger.number(side), refusal=observation.denial("the odds of this order can't be told"))

    def export(self, seat: str) -> Log | Whole:
        """The full record once the battle is over; before, that seat's own account of it."""
        ledger = self._ledger
        self._seat(seat)
        if self._outcome(ledger) is not None:
            return observation.whole(self._record(ledger))
        return observation.log_of(self.rules.header, self.view(seat), self.events(seat))

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

    def submit(self, seat: str, order: Order, expected: int, command: str) -> Answer:
        """The order is carried out and durable, or nothing has changed and the answer says why."""
        return self._command(lambda: self.prepare(seat, order, expected, command))

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
        body = self._undo(ledger, side)
        if body is None:
            reason = "your latest order can't be taken back: it drew dice, told you something or passed the turn"
            return observation.refused(command, ledger.number(side), observation.denial(reason))
        return self._pending(place, command, ledger, body, "running", None)

    def settle(self, pending: Pending) -> Answer:
        """The entry is durable, so now it is true and its sender may know."""
        before, ledger = self._ledger, pending.after
        self._before = (ledger, before.state) if len(ledger.lines) > len(before.lines) else None
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
        return Pending(place, command, row, ledger.chain, status, absorb(self.rules, ledger, row, played))

    def _again(self, place: Seat, command: str, ledger: Ledger) -> Answer:
        """The answer to a command that is in the log: the same every time, in every process."""
        assert place.side is not None
        reply = ledger.replies[_stored(place, command)]
        return observation.accepted(command, ledger.logs[place.side][reply.number - 1])

    def _blame(self, what: str, error: Exception) -> None:
        """The operator knows where the rules failed; the text of the error may hold secrets and is for debugging."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        kind = type(error).__name__
        log.error("battle %s: the rules failed on %s: %s in %s:%s", self.id, what, kind, place.filename, place.lineno)
        log.debug("battle %s: in full", self.id, exc_info=error)

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

    # undo

    def _undo(self, ledger: Ledger, side: SideId) -> Body | None:
        """The entry that takes back a side's latest order, or None when it may not be taken back."""
        key, body = self._undo_answers.get(side, (None, None))
        if key is not ledger:
            body = self._undo_body(ledger, side)
            self._undo_answers[side] = (ledger, body)
        return body

    def _undo_body(self, ledger: Ledger, side: SideId) -> Body | None:
        """As above, worked out. It depends on nothing but what the side knows.

        Orders of others that the side has not noticed do not stand in the way, or the refusal would betray them: they
        are carried out again without the one that is taken back.
        """
        index = next((n for n in range(len(ledger.lines) - 1, 0, -1) if ledger.lines[n].side == side), 0)
        if not index or ledger.marks[index][side].number != ledger.fresh[side] or self._outcome(ledger) is not None:
            return None
        ruleset, line = self.rules.ruleset, ledger.lines[index]
        before, after = self._states_around(ledger, index)
        played = Played(after, side, order_of(self.rules, line), line.draws, (), ())
        if not undoable(ruleset, before, played) or _turn(ruleset, before, side) != _turn(ruleset, after, side):
            return None
        return self._without(ledger, before, index)

    def _without(self, ledger: Ledger, before: State[Any], index: int) -> Body | None:
        """The entry that takes back the line of that index, with the lines after it carried out anew."""
        state, lines = before, []
        for later in ledger.lines[index + 1 :]:
            assert later.side is not None
            played = submit(self.rules.ruleset, state, later.side, order_of(self.rules, later))
            if isinstance(played, Refusal) or played.draws or later.draws:
                return None
            lines.append(line_of(played))
            state = played.state
        return Body(tuple(lines), index)

    def _states_around(self, ledger: Ledger, index: int) -> tuple[State[Any], State[Any]]:
        """The states before and after a line: remembered for the latest, folded for others."""
        if self._before is not None and self._before[0] is ledger and index == len(ledger.lines) - 1:
            return self._before[1], ledger.state
        return state_before(self.rules, ledger, index), state_before(self.rules, ledger, index + 1)


def _turn(ruleset: AnyRuleset, state: State[Any], side: SideId) -> int:
    return observation.knowledge(ruleset, state, side).turn


def _stored(place: Seat, command: str) -> str:
    """A command as the log knows it: no seat can meet, or guess at, the commands of another."""
    return f"{place.name}:{command}"
