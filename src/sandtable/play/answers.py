"""The questions of a ruleset that its orderbook answers, in the same words in every room."""

from __future__ import annotations

from typing import Generic, TypeVar

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.forecast import Sequel
from sandtable.kernel.ids import SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Reminder, Selection, Target, Verb
from sandtable.kernel.state import State, View
from sandtable.kernel.trace import Tally
from sandtable.play import menu
from sandtable.play.choices import Choices
from sandtable.play.orderbook import Orderbook

P = TypeVar("P")


class OrderbookAnswers(Generic[P]):
    """A ruleset as far as its orderbook can speak for it; a room answers the rest, and otherwise where it must."""

    book: Orderbook[P]

    def check(self, view: View[P], order: Order) -> Refusal | None:
        return self.book.check(view, order)

    def options(self, view: View[P], decision: Decision) -> Choices[P]:
        return Choices(self.book, view, decision)

    def menu(self, view: View[P], selection: Selection) -> tuple[Verb, ...]:
        return menu.menu(self.book, view, selection)

    def why_not(self, view: View[P], verb: str, selection: Selection, target: Selection) -> Refusal | None:
        return menu.why_not(self.book, view, verb, selection, target)

    def resolve(self, resolution: Resolution[P], side: SideId, order: Order) -> None:
        self.book.resolve(resolution, side, order)

    def explain(self, view: View[P], order: Order) -> tuple[Tally, ...]:
        return self.book.explain(view, order)

    def sequel(self, view: View[P], order: Order) -> Sequel:
        return self.book.sequel(view, order)

    def order_text(self, order: Order, view: View[P]) -> str:
        return self.book.text(order, view.position)

    def reminders(self, view: View[P]) -> tuple[Reminder, ...]:
        return menu.reminders(self.book, view)

    def plans(self, view: View[P]) -> tuple[Target, ...]:
        """Nothing is written down for later."""
        return ()

    def believed(self, view: View[P]) -> State[P]:
        """Nothing stands where nothing is known."""
        return State(view.position, view.flow, DiceKey("forecast"))
