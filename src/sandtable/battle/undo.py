"""What each side could take back now, kept up as the log grows instead of worked out anew."""

from __future__ import annotations

from threading import Lock
from typing import Any

from sandtable.battle.ledger import Body, Ledger, LoggedOrder, Rules, Standing, line_of, order_of
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import State


class Without:
    """What would stand if an order were taken back: the orders after it, carried out without it, as far as they are."""

    def __init__(self, undone: Standing) -> None:
        self.undone = undone
        self.later: tuple[LoggedOrder, ...] = ()
        self.instead: tuple[LoggedOrder, ...] = ()
        self.state: State[Any] = undone.before

    def is_of(self, undone: Standing, later: tuple[LoggedOrder, ...]) -> bool:
        """Whether this is about that order, and what follows it begins with what was carried out here."""
        return self.undone is undone and all(a is b for a, b in zip(self.later, later, strict=False))

    def redo(self, rules: Rules, later: tuple[LoggedOrder, ...]) -> bool:
        """Whether the orders after it can be carried out without it, and no dice fall then."""
        for line in later[len(self.later) :]:
            order = order_of(rules, line)
            assert line.side is not None
            assert order is not None
            played = submit(rules.ruleset, self.state, line.side, order)
            if isinstance(played, Refusal) or played.draws or line.draws:
                return False
            self.later, self.instead = (*self.later, line), (*self.instead, line_of(played))
            self.state = played.state
        return True


class Undoing:
    """Whether and how a side's latest order may be taken back. It depends on nothing but what the side was told.

    Orders of others that the side has not noticed do not stand in the way, or the refusal would betray them: they are
    carried out again without the one that is taken back.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._without: dict[SideId, Without] = {}
        self._answers: dict[SideId, tuple[Ledger, Body | None]] = {}
        self._lock = Lock()

    def body(self, ledger: Ledger, side: SideId) -> Body | None:
        """The entry that takes back the side's latest order, or None when it may not be taken back."""
        with self._lock:
            known = self._answers.get(side)
            if known is None or known[0] is not ledger:
                known = self._answers[side] = (ledger, self._body(ledger, side))
        return known[1]

    def _body(self, ledger: Ledger, side: SideId) -> Body | None:
        indexes = ledger.takeable.get(side)
        if not indexes or ledger.outcome is not None:
            return None
        index = indexes[-1]
        undone = ledger.standing(index)
        place = len(ledger.recent) - (ledger.lines - index)
        later = tuple(one.line for one in ledger.recent[place + 1 :])
        without = self._without.get(side)
        if without is None or not without.is_of(undone, later) or len(without.later) > len(later):
            without = self._without[side] = Without(undone)
        if not without.redo(self._rules, later):
            return None
        return Body(without.instead, index, ledger.number(side) + 1)
