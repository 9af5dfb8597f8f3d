"""What each side could take back now, kept up as the log grows instead of worked out from its beginning."""

from __future__ import annotations

from threading import Lock
from typing import Any

from sandtable.battle.ledger import Body, Ledger, Line, Rules, line_of, order_of, state_after, state_before
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import Played, submit, undoable
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import State


class _Latest:
    """The latest order of a side, with the states around it and what would stand if it were taken back.

    A line that still stands at its place is the same object: an undo before it replaces all that follow.
    """

    def __init__(self, line: Line, index: int, before: State[Any], after: State[Any]) -> None:
        self.line = line
        self.index = index
        self.before = before
        self.after = after
        self.is_final: bool | None = None
        self.later: tuple[Line, ...] = ()
        self.instead: tuple[Line, ...] = ()
        self.state = before

    def redone(self, ledger: Ledger) -> int:
        """How many of the lines after the order have been carried out without it; none if one was taken back."""
        following = ledger.lines[self.index + 1 :]
        if len(following) < len(self.later) or any(a is not b for a, b in zip(self.later, following, strict=False)):
            self.later, self.instead, self.state = (), (), self.before
        return len(self.later)

    def stands_in(self, ledger: Ledger) -> bool:
        """Whether the order was not taken back, nor one before it."""
        return len(ledger.lines) > self.index and ledger.lines[self.index] is self.line


class Undoing:
    """Whether and how a side's latest order may be taken back. It depends on nothing but what the side knows.

    Orders of others that the side has not noticed do not stand in the way, or the refusal would betray them: they are
    carried out again without the one that is taken back.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._latest: dict[SideId, _Latest] = {}
        self._answers: dict[SideId, tuple[Ledger, Body | None]] = {}
        self._lock = Lock()

    def settled(self, before: Ledger, after: Ledger) -> None:
        """An entry has become true; if it was an order, the states around it are at hand."""
        index = len(before.lines)
        if len(after.lines) > index:
            line = after.lines[index]
            assert line.side is not None  # only the set-up has none, and it is settled before anybody sits down
            self._latest[line.side] = _Latest(line, index, before.state, after.state)

    def body(self, ledger: Ledger, side: SideId) -> Body | None:
        """The entry that takes back the side's latest order, or None when it may not be taken back."""
        with self._lock:
            known = self._answers.get(side)
            if known is None or known[0] is not ledger:
                known = self._answers[side] = (ledger, self._body(ledger, side))
        return known[1]

    def _body(self, ledger: Ledger, side: SideId) -> Body | None:
        index = self._index(ledger, side)
        if not index or ledger.marks[index][side].number != ledger.fresh[side]:
            return None
        if self._rules.ruleset.outcome(ledger.state) is not None:
            return None
        latest = self._around(ledger, side, index)
        if latest.is_final is None:
            latest.is_final = not self._may(latest, side)
        if latest.is_final or not self._is_redone(ledger, latest):
            return None
        return Body(latest.instead, index)

    def _index(self, ledger: Ledger, side: SideId) -> int:
        """Where the side's latest order stands; 0, which is the set-up, when it has none."""
        latest = self._latest.get(side)
        known = latest.index if latest is not None and latest.stands_in(ledger) else 0
        lines = ledger.lines
        return next((n for n in range(len(lines) - 1, known, -1) if lines[n].side == side), known)

    def _around(self, ledger: Ledger, side: SideId, index: int) -> _Latest:
        latest = self._latest.get(side)
        if latest is None or latest.index != index or not latest.stands_in(ledger):
            line, before = ledger.lines[index], state_before(self._rules, ledger, index)
            latest = self._latest[side] = _Latest(line, index, before, state_after(self._rules, before, line))
        return latest

    def _may(self, latest: _Latest, side: SideId) -> bool:
        """Whether the order drew no dice, told its side nothing, passed no decision and ended no turn."""
        ruleset, line = self._rules.ruleset, latest.line
        played = Played(latest.after, side, order_of(self._rules, line), line.draws, (), ())
        if not undoable(ruleset, latest.before, played):
            return False
        return ruleset.view(latest.before, side).turn == ruleset.view(latest.after, side).turn

    def _is_redone(self, ledger: Ledger, latest: _Latest) -> bool:
        """Whether the lines after the order can be carried out without it; those that were before are not again."""
        for later in ledger.lines[latest.index + 1 + latest.redone(ledger) :]:
            assert later.side is not None
            played = submit(self._rules.ruleset, latest.state, later.side, order_of(self._rules, later))
            if isinstance(played, Refusal) or played.draws or later.draws:
                return False
            latest.later, latest.instead = (*latest.later, later), (*latest.instead, line_of(played))
            latest.state = played.state
        return True
