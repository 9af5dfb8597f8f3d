"""Looking back: older parts of a battle are folded again from the nearest ledger that was kept, and from the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from threading import Lock
from typing import Any

from msgspec.structs import replace

from sandtable.battle.ledger import (
    Ledger,
    LedgerError,
    LoggedOrder,
    Rules,
    absorbed,
    blank,
    body_of,
    events_of,
    frames_of,
    news_since,
    order_of,
    replayed,
)
from sandtable.battle.observation import at_pause, log_part, parts
from sandtable.battle.observed import LogLine, LogPart, Observation
from sandtable.battle.snapshots import from_snapshot, is_due, is_worth_keeping
from sandtable.battle.storage.rows import BattleStore, StoredEntry, link
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import Played, State
from sandtable.kernel.telling import retold

PAGE = 100
"""Entries that are read from the store at once."""

LEAD = 200
"""A ledger made anew is folded from at least so many entries before, so that it has a tail."""

CURSORS = 8
"""Ledgers of the past that are remembered, so that stepping on from one costs one entry."""


class History:
    """The past of one battle. `frames` are its kept ledgers, thinned with age as the stored snapshots are."""

    def __init__(self, rules: Rules, store: BattleStore, battle: str) -> None:
        self._rules = rules
        self._store = store
        self._battle = battle
        self._frames: dict[int, Ledger] = {}
        self._cursors: dict[int, Ledger] = {}
        self._truth = Truth(rules)
        self._lock = Lock()

    # frames

    def note(self, ledger: Ledger) -> None:
        """The ledger is kept if it is due, and those that became too many are not."""
        if is_due(ledger.entries):
            frames = {**self._frames, ledger.entries: ledger.bare}
            newest = max(frames)
            # replaced as a whole, because another thread may be looking
            self._frames = {n: one for n, one in frames.items() if is_worth_keeping(n, newest)}

    def _nearest(self, fits: Callable[[Ledger], bool]) -> Ledger:
        """The latest known ledger that fits, where all those before one that fits do too; the blank one when no other
        does.
        """
        known = [*self._frames.values(), *self._cursors.values()]
        found = max(filter(fits, known), key=lambda one: one.entries, default=blank(self._rules))
        numbers = [n for n in self._store.snapshot_numbers(self._battle) if n > found.entries and n not in self._frames]
        while numbers:
            middle = len(numbers) // 2
            ledger = stored(self._rules, self._store, self._battle, numbers[middle])
            if ledger is not None and fits(ledger):
                found, numbers = ledger, numbers[middle + 1 :]
            else:
                numbers = numbers[:middle]
        return found

    def _walk(self, ledger: Ledger, entries: int) -> Iterator[Ledger]:
        """The ledger after each entry that follows, until there are so many."""
        while ledger.entries < entries:
            rows = self._store.rows(self._battle, ledger.entries, min(PAGE, entries - ledger.entries))
            if not rows:
                return
            for row in rows:
                ledger = absorbed(self._rules, ledger, row)
                self.note(ledger)
                yield ledger

    def _remember(self, ledger: Ledger) -> Ledger:
        with self._lock:
            cursors = {**self._cursors, ledger.entries: ledger}
            while len(cursors) > CURSORS:
                del cursors[next(iter(cursors))]
            self._cursors = cursors
        return ledger

    def restored(self) -> Ledger:
        """The ledger of the whole log with its tail, with the help of a snapshot if one fits; LedgerError when the log
        was changed.
        """
        previous, number = blank(self._rules).chain, 0
        for row in self._rows():
            if row.number != number or row.chain != link(previous, number, row.seat, row.command, row.at, row.body):
                raise LedgerError(f"entry {number} is not the one that was written: its hash chain is broken")
            previous, number = row.chain, number + 1
        entries, chain = self._store.head(self._battle)
        ledger = self.at(max(number, entries))
        # somebody else may have written meanwhile; what was read before must be a part of it all the same
        if (ledger.entries, ledger.chain) != (entries, chain) or number > entries:
            raise LedgerError(f"the log ends after {number} entries, but {entries} were written")
        return ledger

    # what was seen

    def at(self, entries: int) -> Ledger:
        """The ledger as it was after so many entries, with a tail."""
        start = max(0, entries - LEAD)
        found = self._nearest(lambda one: one.entries <= start)
        for ledger in self._walk(found, entries):
            found = ledger
        return found

    def noticed(self, now: Ledger, viewer: SideId, number: int) -> tuple[Ledger, Observation]:
        """The ledger in which a viewer noticed the thing of that number, and what it was."""
        before = self._nearest(lambda one: one.entries < now.entries and one.number(viewer) < number)
        for ledger in self._walk(before, now.entries):
            if ledger.number(viewer) >= number:
                news = news_since(ledger, viewer, before.number(viewer))
                part = number - news[0].number
                return self._remembered_part(before, self._remember(ledger), viewer, part), news[part]
            before = ledger
        raise LedgerError(f"there is no observation {number}")

    def _remembered_part(self, before: Ledger, ledger: Ledger, viewer: SideId, part: int) -> Ledger:
        """The ledger as a viewer knew it when he had noticed that part of its latest entry."""
        if part == ledger.number(viewer) - before.number(viewer) - 1:
            return ledger
        (row,) = self._store.rows(self._battle, ledger.entries - 1, 1)
        told = replayed(self._rules, before.state, body_of(row).lines[0]).told[viewer]
        return replace(ledger, state=at_pause(ledger.state, viewer, parts(told)[part]))

    def observations(self, now: Ledger, viewer: SideId, since: int) -> tuple[Observation, ...]:
        """All that a viewer has noticed after that number."""
        found: list[Observation] = []
        known = since
        for ledger in self._walk(self._nearest(lambda one: one.number(viewer) <= since), now.entries):
            found += news_since(ledger, viewer, known)
            known = max(known, ledger.number(viewer))
        return tuple(found)

    def page(self, now: Ledger, viewer: SideId, before: int, most: int) -> LogPart:
        """The lines of a viewer's log right before the line of that number, at most so many."""
        last = min(before, now.account(viewer).lines + 1) - 1
        first = max(1, last - most + 1)
        part = _from_tail(now, viewer, first, last)
        if part is not None:
            return part
        lines: list[LogLine] = []
        start = self._nearest(lambda one: one.account(viewer).lines < first)
        had, known = start.account(viewer).lines, start.number(viewer)
        for ledger in self._walk(start, now.entries):
            lines += [line for seen in news_since(ledger, viewer, known) for line in seen.lines]
            had, known = ledger.account(viewer).lines, ledger.number(viewer)
            if had >= last:
                break
        end = len(lines) - (had - last)
        return log_part(first, lines[max(0, end - (last - first + 1)) : end])

    # what was true

    def orders(self, entries: int) -> tuple[LoggedOrder, ...]:
        """The orders that stood after so many entries, from the store."""
        lines: list[LoggedOrder] = []
        for row in islice(self._rows(), entries):
            body = body_of(row)
            if body.back:
                lines[body.back :] = body.lines
            else:
                lines += body.lines
        return tuple(lines)

    def _rows(self) -> Iterator[StoredEntry]:
        since = 0
        while rows := self._store.rows(self._battle, since, PAGE):
            yield from rows
            since += len(rows)

    def truth(self, entries: int) -> Truth:
        """The true states of a battle as it was after so many entries."""
        with self._lock:
            if self._truth.entries != entries:
                self._truth = Truth(self._rules, entries, self.orders(entries))
            return self._truth


class Truth:
    """The orders of a battle, and the true states after them: nobody is told anything here."""

    def __init__(self, rules: Rules, entries: int = 0, lines: tuple[LoggedOrder, ...] = ()) -> None:
        self.entries = entries
        self.lines = lines
        self._rules = rules
        self._states: dict[int, State[Any]] = {}

    def state(self, index: int) -> State[Any]:
        """The state after the order of that index; before the first one, that of the opening."""
        known = max((n for n in self._states if n <= index), default=-1)
        opening = self._rules.opening
        state = self._states[known] if known >= 0 else State(opening.position, opening.flow, opening.dice)
        for number in range(known + 1, index + 1):
            line = self.lines[number]
            state, _ = retold(self._rules.ruleset, state, events_of(self._rules, line), frames_of(self._rules, line))
        kept = {n: one for n, one in self._states.items() if n % PAGE == 0}
        # the latest for the next step, and some on the way for whoever jumps back
        self._states = {**kept, index: state}
        return state

    def played(self) -> list[Played[Any]]:
        """The orders as the kernel records them; positions are left out."""
        found: list[Played[Any]] = []
        for line in self.lines:
            state: State[Any] = State(None, frames_of(self._rules, line), DiceKey(""))
            order = order_of(self._rules, line)
            found.append(Played(state, line.side, order, line.draws, events_of(self._rules, line)))
        return found


def recent_lines(now: Ledger, viewer: SideId, most: int) -> LogPart:
    """The latest lines of a viewer's log that are at hand, at most so many."""
    lines = [line for seen in now.tail.logs.get(viewer, ()) for line in seen.lines][-most:]
    return log_part(now.account(viewer).lines - len(lines) + 1, lines)


def _from_tail(now: Ledger, viewer: SideId, first: int, last: int) -> LogPart | None:
    """Those lines, if the tail of the ledger still holds them."""
    if last < first:
        return log_part(first)
    lines: list[LogLine] = []
    wanted = now.account(viewer).lines - first + 1
    for seen in reversed(now.tail.logs.get(viewer, ())):
        lines[:0] = seen.lines
        if len(lines) >= wanted:
            start = len(lines) - wanted
            return log_part(first, lines[start : start + last - first + 1])
    return None


def stored(rules: Rules, store: BattleStore, battle: str, number: int) -> Ledger | None:
    """The ledger of a stored snapshot, if it is of this past."""
    snapshot, rows = store.snapshot(battle, number), store.rows(battle, number - 1, 1)
    if snapshot is None or not rows or rows[0].chain != snapshot.chain:
        return None
    return from_snapshot(rules, snapshot)
