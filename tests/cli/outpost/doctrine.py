"""What the toy tells computer players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from tests.kit import toy


class Doctrine:
    def candidates(self, view: View[Any], decision: Decision) -> Iterable[Iterable[Candidate]]:
        yield [
            Candidate(order)
            for order in toy.TOY._candidates(view)
            if isinstance(order, toy.Shoot) and self._fits(view, order)
        ]
        if decision.kind == "bid":
            yield [Candidate(toy.Bid(2), 1)]

    def _fits(self, view: View[Any], order: Order) -> bool:
        return toy.TOY.check(view, order) is None

    def value(self, state: State[Any], view: View[Any]) -> int:
        foes = [unit for unit in state.position.units if unit.side != view.side]
        return -10 * len(foes)

    def estimate(self, view: View[Any], order: Order) -> None:
        """Every order is played out."""

    def ending(self, view: View[Any], decision: Decision) -> Order:
        return {"bid": toy.Bid(1), "move": toy.EndMoves()}.get(decision.kind, toy.Pass())
