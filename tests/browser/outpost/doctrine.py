"""As much as a server needs to play the toy by itself: what does nothing more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from tests.kit import toy

NOTHING_MORE: dict[str, Order] = {
    "bid": toy.Bid(1),
    "move": toy.EndMoves(),
    "dodge": toy.Pass(),
    "press": toy.Pass(),
}


class Doctrine:
    """Does as little as it may."""

    def candidates(self, view: View[Any], decision: Decision) -> Iterable[Iterable[Candidate]]:
        return ()

    def value(self, state: State[Any], view: View[Any]) -> int:
        return 0

    def estimate(self, view: View[Any], order: Order) -> None:
        """Every order is played out."""

    def ending(self, view: View[Any], decision: Decision) -> Order:
        return NOTHING_MORE[decision.kind]
