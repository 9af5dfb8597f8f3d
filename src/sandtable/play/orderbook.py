"""The orders of a room, one row for each kind: everything that anybody asks about an order is read off its row.

Menus, the choices of computer players, refusals and texts are all derived from the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Frame, Order
from sandtable.kernel.forecast import Sequel
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Reminder
from sandtable.kernel.state import View
from sandtable.kernel.trace import Tally
from sandtable.play.rows import Row

P = TypeVar("P")


def of_side(row: Row[P], position: P, side: SideId, frame: Frame) -> Iterator[Order]:
    """The options of an order that no piece is given."""
    return row.options(position, side, frame) if row.reacts else row.options(position, side)


def no_losses(position: Any, side: SideId, step: str) -> Iterable[Reminder]:
    """Nothing is lost by ending a step."""
    return ()


class StepRows(NamedTuple):
    """The rows of one step: of pieces that must be picked, those of them for pieces still to come, all others, and
    those that end the step.
    """

    of_units: tuple[Row[Any], ...]
    entering: tuple[Row[Any], ...]
    others: tuple[Row[Any], ...]
    closing: tuple[Row[Any], ...]

    @property
    def all(self) -> tuple[Row[Any], ...]:
        return (*self.of_units, *self.others, *self.closing)


class Orderbook(Generic[P]):
    """The rows of a room and what it takes to read them.

    `not_yet` refuses a side that has nothing to decide, `not_yours` one that orders somebody else's pieces about.
    `likely` are the units that a random player looks at in a step, `idle` those of whom a player is reminded before he
    ends it, by the names that `named` gives them; `losses` is what he throws away by ending it.
    """

    def __init__(
        self,
        rows: Iterable[Row[P]],
        *,
        not_yet: Refusal,
        not_yours: Refusal,
        is_on: Callable[[P, HexId], bool],
        likely: Callable[[P, SideId, str], list[Any]],
        idle: Callable[[P, SideId, str], list[Any]],
        named: Callable[[P, UnitId], str],
        losses: Callable[[P, SideId, str], Iterable[Reminder]] = no_losses,
    ) -> None:
        self.rows = tuple(rows)
        self.not_yet, self.not_yours = not_yet, not_yours
        self.is_on, self.likely, self.idle, self.named = is_on, likely, idle, named
        self.losses = losses
        self._rows = {row.order: row for row in self.rows}
        self._steps = {step: self._rows_of(step) for row in self.rows for step in row.steps}

    def _rows_of(self, step: str) -> StepRows:
        rows = [row for row in self.rows if step in row.steps]
        units = tuple(row for row in rows if row.by is not None and row.by.must_be_picked)
        return StepRows(
            units,
            tuple(row for row in units if row.enters),
            tuple(row for row in rows if row not in units and not row.verb.closes),
            tuple(row for row in rows if row.verb.closes),
        )

    @property
    def orders(self) -> Any:
        """The union of all kinds of order."""
        return reduce(or_, self._rows)

    @property
    def verbs(self) -> frozenset[str]:
        """The keys of every verb a menu can hold."""
        return frozenset(row.verb.key for row in self.rows)

    @property
    def steps(self) -> frozenset[str]:
        """The kinds of decision that orders answer."""
        return frozenset(self._steps)

    def of(self, order: Order) -> Row[P]:
        """The row of an order."""
        return self._rows[type(order)]

    def in_step(self, step: str) -> StepRows:
        """The rows of the orders that can answer a kind of decision."""
        return self._steps[step]

    def check(self, view: View[P], order: Order) -> Refusal | None:
        """The refusal that an order would meet, judged on what the side knows."""
        row = self._rows[type(order)]
        for decision in view.decisions:
            if decision.kind in row.steps:
                return row.check(view.position, view.side, order)
        return out_of_step(view) if view.decisions else self.not_yet

    def resolve(self, resolution: Resolution[P], side: SideId, order: Order) -> None:
        """The order is carried out as far as the next decision."""
        self._rows[type(order)].resolve(resolution, side, order)

    def explain(self, view: View[P], order: Order) -> tuple[Tally, ...]:
        """The tallies behind an order's odds."""
        return self._rows[type(order)].explain(view.position, view.side, order)

    def sequel(self, view: View[P], order: Order) -> Sequel:
        """What the order leads to later, and what to warn of before it is given."""
        row = self._rows[type(order)]
        return Sequel(row.later(view, order), row.warns(view.position, view.side, order))

    def text(self, order: Order, position: P) -> str:
        """The order as one short line."""
        return self._rows[type(order)].words(position, order)


def out_of_step(view: View[Any]) -> Refusal:
    """The refusal of an order that fits no open decision."""
    decision = view.decisions[0]
    return Refusal(decision.rule, f"that order does not belong to this step: {decision.kind}")
