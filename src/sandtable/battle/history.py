"""The states a battle has been through, folded when somebody first looks back and kept up as the log grows."""

from __future__ import annotations

from typing import Any

from sandtable.battle.ledger import Ledger, Line, Rules, state_after
from sandtable.kernel.state import State


class History:
    """The state after each standing line of a ledger; an undo throws away what followed the order."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known: tuple[tuple[Line, ...], tuple[State[Any], ...]] = ((), ())

    def states(self, ledger: Ledger) -> tuple[State[Any], ...]:
        """The state after each line."""
        lines, states = self._known
        same = 0
        for mine, its in zip(lines, ledger.lines, strict=False):
            if mine is not its:
                break
            same += 1
        folded = [*states[:same]]
        for line in ledger.lines[same:]:
            folded.append(state_after(self._rules, folded[-1] if folded else self._rules.opening, line))
        # replaced as a whole, because another thread may be folding too
        self._known = (ledger.lines, tuple(folded))
        return self._known[1]
