"""One view of a state for a side, however often it is asked for."""

from __future__ import annotations

from typing import Any, cast

from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import State, View

KEPT = 6
"""How many views a battle keeps: those of the table before an order and after it, for up to three sides."""


class RememberingRuleset:
    """A system's rules that remember the latest views they made.

    An order is judged on a view, noticed by both sides, shown to both and perhaps taken back: all that asks for the
    same few views. A state never changes, so a view is found again by the identity of its state.
    """

    def __init__(self, ruleset: AnyRuleset) -> None:
        self._ruleset = ruleset
        self._views: tuple[tuple[State[Any], SideId, View[Any]], ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ruleset, name)

    def view(self, state: State[Any], side: SideId) -> View[Any]:
        """What the side may know of the state."""
        for known, viewer, view in self._views:
            if known is state and viewer == side:
                return view
        made = self._ruleset.view(state, side)
        # replaced as a whole, because other threads may be looking
        self._views = ((state, side, made), *self._views[: KEPT - 1])
        return made


def remembering(ruleset: AnyRuleset) -> AnyRuleset:
    """The rules, remembering what they showed."""
    return cast(AnyRuleset, RememberingRuleset(ruleset))
