"""The lawful orders of a decision, produced as they are asked for, and one of them by lot.

A random pick is fair to units, not to orders: a unit with a hundred moves has no greater share than one with two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.state import View
from sandtable.play.orderbook import Orderbook, of_side
from sandtable.play.rows import Row

P = TypeVar("P")

TRIES = 6
"""How many units a random pick looks at before it turns to something else."""

VARIETY = 8
"""How many orders of one sort a random pick chooses among."""

SPECIAL = 5
"""One in so many random picks looks beyond the first row of the step."""


class Choices(Generic[P]):
    """The lawful orders of one decision."""

    def __init__(self, book: Orderbook[P], view: View[P], decision: Decision) -> None:
        self.book, self.position, self.side, self.kind = book, view.position, view.side, decision.kind
        self.rows = book.in_step(decision.kind)
        self.frame, self.is_reaction = view.flow[-1], len(view.flow) > 1

    def __iter__(self) -> Iterator[Order]:
        for unit in self.units():
            yield from self.of(unit)
        yield from self.others()
        yield from self.endings()

    def units(self) -> Iterable[Any]:
        """The side's units that could have something to do."""
        by = self.rows.of_units[0].by if self.rows.of_units else None
        return () if by is None else by.everybody(self.position, self.side, self.kind)

    def of(self, unit: Any) -> Iterator[Order]:
        """What one unit can do."""
        for row in self.rows.of_units:
            yield from row.options(self.position, self.side, unit)

    def is_able(self, unit: Any) -> bool:
        """Whether a menu offers the unit anything, be it more than a player need try."""
        for row in self.rows.of_units:
            offers = row.options if row.offers is None else row.offers
            for _ in offers(self.position, self.side, unit):
                return True
        return False

    def others(self) -> Iterator[Order]:
        """What the side can do with what need not be picked, and as such."""
        for row in self.rows.others:
            if not row.by_hand:
                yield from self._of_all(row)

    def endings(self) -> Iterator[Order]:
        """The end of the step, where it may end."""
        for row in self.rows.closing:
            yield from self._of_all(row)

    def _of_all(self, row: Row[P]) -> Iterator[Order]:
        position, side = self.position, self.side
        if row.by is None:
            yield from of_side(row, position, side, self.frame)
            return
        for actor in row.by.everybody(position, side, self.kind):
            yield from row.options(position, side, actor)

    def pick(self, dice: PromptDice) -> Order:
        """One lawful order by the dice: a random unit's random order; when a few units have none, something else, or
        the end of the step. Of a reaction's few answers any is as likely.
        """
        if self.is_reaction:
            return _one(dice, self)
        units = self.book.likely(self.position, self.side, self.kind)
        start = dice.below(len(units) + 1)
        if start < len(units):
            for step in range(min(TRIES, len(units))):
                order = self._pick_for(units[(start + step) % len(units)], dice)
                if order is not None:
                    return order
        others = list(islice(self.others(), VARIETY))
        if others:
            return others[dice.below(len(others))]
        for order in self.endings():
            return order
        return _one(dice, self)

    def _pick_for(self, unit: Any, dice: PromptDice) -> Order | None:
        """A random order of one unit, or None when it has none."""
        rows = self.rows.of_units
        if not unit.hex:
            rows = self.rows.entering
        elif dice.below(SPECIAL):
            rows = rows[:1]
        elif len(rows) > 1:
            rows = rows[1:]
        for row in rows:
            if row.pick is not None:
                order = row.pick(self.position, self.side, unit, dice)
                if order is not None:
                    return order
                continue
            some = list(islice(row.options(self.position, self.side, unit), VARIETY))
            if some:
                return some[dice.below(len(some))]
        return None


def _one(dice: PromptDice, orders: Iterable[Order]) -> Order:
    some = list(islice(orders, VARIETY))
    return some[dice.below(len(some))]
