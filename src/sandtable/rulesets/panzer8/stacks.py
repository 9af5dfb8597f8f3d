"""Who is where.

Rules: P8-1.05, P8-6.12.
"""

from __future__ import annotations

from operator import attrgetter

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.rulesets.panzer8.kinds import KINDS, ElementKind
from sandtable.rulesets.panzer8.model import Element, Position

Hosts = dict[UnitId, tuple[UnitId, ...]]
"""Who is aboard, by carrier."""


def kind_of(element: Element) -> ElementKind:
    """The type of an element."""
    return KINDS[element.kind]


class Table:
    """Who is where, passengers aside: the elements by hex, a mover beside the friend whose hex it passes, those of each
    side in order of their numbers; and who is aboard.

    Rules: P8-1.05, P8-6.12.
    """

    __slots__ = ("_elements", "_sides", "aboard", "by_hex")

    def __init__(
        self,
        elements: tuple[Element, ...],
        by_hex: dict[HexId, tuple[Element, ...]],
        aboard: Hosts,
        sides: dict[SideId, tuple[Element, ...]],
    ) -> None:
        self._elements, self._sides, self.by_hex, self.aboard = elements, sides, by_hex, aboard

    def of(self, side: SideId) -> tuple[Element, ...]:
        """The side's elements that stand on the table."""
        known = self._sides.get(side)
        if known is None:
            known = self._sides[side] = tuple([one for one in self._elements if one.side == side and _stands(one)])
        return known

    def changed(self, changes: list[tuple[Element, Element]], elements: tuple[Element, ...]) -> Table:
        """The same with old elements taken out and new ones put in."""
        by_hex, sides, aboard = self.by_hex.copy(), self._sides.copy(), self.aboard
        for old, new in changes:
            sides.pop(new.side, None)
            if old.carrier != new.carrier:
                aboard = _hosts(elements)
            if _stands(old):
                left = tuple([one for one in by_hex.pop(old.hex) if one.id != old.id])
                if left:
                    by_hex[old.hex] = left
        for _, new in changes:
            if _stands(new):
                there = by_hex.get(new.hex)
                by_hex[new.hex] = tuple(sorted((*there, new), key=_number)) if there else (new,)
        return Table(elements, by_hex, aboard, sides)


_number = attrgetter("id")


def _stands(element: Element) -> bool:
    """Whether an element is on the table and nobody's passenger."""
    return element.hex != NOWHERE and element.carrier == NOBODY


def _hosts(elements: tuple[Element, ...]) -> Hosts:
    aboard: Hosts = {}
    for one in elements:
        if one.carrier != NOBODY:
            aboard[one.carrier] = (*aboard.get(one.carrier, ()), one.id)
    return aboard


def _table(elements: tuple[Element, ...]) -> Table:
    by_hex: dict[HexId, tuple[Element, ...]] = {}
    for one in elements:
        if _stands(one):
            by_hex[one.hex] = (*by_hex.get(one.hex, ()), one)
    return Table(elements, by_hex, _hosts(elements), {})


def table(position: Position) -> Table:
    """Who is where on the table."""
    return position.derived.follow("table", position.elements, _table, Table.changed)


def element_at(position: Position, place: HexId) -> Element | None:
    """The element that stands in a hex, its carrier where it is aboard one."""
    there = table(position).by_hex.get(place)
    return there[-1] if there else None


def on_table(position: Position, side: SideId) -> tuple[Element, ...]:
    """The side's elements on the table that are nobody's passengers."""
    return table(position).of(side)


def in_play(position: Position, side: SideId) -> list[Element]:
    """The side's elements on the table, whether they stand or are aboard: a passenger is in its carrier's hex.

    Rules: P8-1.05.
    """
    return [one for one in position.elements if one.side == side and one.hex]


def passengers(position: Position, carrier: UnitId) -> list[Element]:
    """Who is aboard."""
    return [position.elements[id] for id in table(position).aboard.get(carrier, ())]
