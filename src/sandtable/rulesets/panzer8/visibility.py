"""Who lies hidden, and from whom.

Rules: P8-15.01.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import is_
from typing import Any, NamedTuple

from sandtable.kernel.ids import NOBODY, SPECTATORS, SideId, UnitId
from sandtable.rulesets.panzer8 import cover
from sandtable.rulesets.panzer8.kinds import COMMANDER, ENGINEERS, INFANTRY, WEAPON
from sandtable.rulesets.panzer8.model import SETUP, SIDES, UNSEEN, Element, Position
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.sight import sees
from sandtable.rulesets.panzer8.stacks import kind_of, on_table, table

SMALL = (INFANTRY, ENGINEERS, COMMANDER, WEAPON)
SMALL_SEEN_AT, OTHERS_SEEN_AT = 12, 20
"""From how near an element that lies hidden is seen (P8-15.01)."""

NOBODY_HIDDEN: frozenset[UnitId] = frozenset()


def lies_hidden(position: Position, element: Element) -> bool:
    """Whether an element could lie hidden: in cover, and it has neither moved nor fired (P8-15.01)."""
    if element.has_moved or element.has_fired or not element.hex or element.carrier != NOBODY:
        return False
    return cover.in_hiding(position, element)


def is_hidden(position: Position, element: Element, side: SideId) -> bool:
    """Whether an enemy element lies hidden from a side: none of its elements that see the hex is near enough."""
    return lies_hidden(position, element) and _watcher(position, element, on_table(position, side)) == NOBODY


class Hiding(NamedTuple):
    """Who lies hidden from a side: those of whom it knows no more than that they are there, and of those who could lie
    hidden, each kept with an enemy who sees him from near enough or NOBODY, the ones whom nobody sees. When an element
    has moved, only those whom it watched need be looked at again by all.
    """

    hidden: frozenset[UnitId]
    watched: dict[UnitId, UnitId]
    unseen: frozenset[UnitId]


def hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemy elements a side can't see; spectators see what every side sees."""
    if not position.ground.options.hidden_setup:
        return NOBODY_HIDDEN
    if position.step == SETUP:
        # nobody looks over the other's shoulder, and spectators look over nobody's
        return frozenset(one.id for one in position.elements if one.side != side)
    if side == SPECTATORS:
        return hidden(position, SIDES[0]) | hidden(position, SIDES[1])
    sources = (position.elements, position.smoke, position.effects, position.breaches)
    hiding = position.derived.part(
        _HIDDEN[side],
        sources,
        lambda: _hiding(position, side),
        lambda known, before: _changed_hiding(position, side, known, before),
    )
    return hiding.hidden


_HIDDEN = {side: f"hidden from {side}" for side in SIDES}


def _hiding(position: Position, side: SideId) -> Hiding:
    foes, eyes = on_table(position, enemy_of(side)), on_table(position, side)
    watched = {one.id: _watcher(position, one, eyes) for one in foes if lies_hidden(position, one)}
    unseen = frozenset([one.id for one in position.elements if one.fate == UNSEEN and one.side != side])
    return _hiding_of(position, watched, unseen)


def _hiding_of(position: Position, watched: dict[UnitId, UnitId], unseen: frozenset[UnitId]) -> Hiding:
    """Who is aboard them lies hidden with his carrier."""
    aboard = table(position).aboard
    lying = unseen.union([id for id, watcher in watched.items() if watcher == NOBODY])
    return Hiding(lying.union(*[aboard[id] for id in lying if id in aboard]), watched, unseen)


def _watcher(position: Position, element: Element, eyes: Iterable[Element]) -> UnitId:
    """The first of some enemies who sees an element from near enough, NOBODY when none does (P8-15.01)."""
    near = SMALL_SEEN_AT if kind_of(element).kind in SMALL else OTHERS_SEEN_AT
    board = position.ground.board
    for one in eyes:
        if board.distance(one.hex, element.hex) <= near and sees(position, one.hex, element.hex):
            return one.id
    return NOBODY


def _changed_hiding(position: Position, side: SideId, known: Hiding, before: Any) -> Hiding | None:
    """The same after elements have changed; None when it is not as easy as that."""
    elements, *ground = before
    if not all(map(is_, ground, (position.smoke, position.effects, position.breaches))):
        return None
    watched, moved, eyes = known.watched.copy(), set[UnitId](), on_table(position, side)
    for old, new in position.derived.changes(elements, position.elements):
        if new.side == side:
            if old.hex != new.hex or old.carrier != new.carrier:
                moved.add(new.id)
        elif UNSEEN in (old.fate, new.fate):
            return None
        else:
            watched.pop(new.id, None)
            if lies_hidden(position, new):
                watched[new.id] = _watcher(position, new, eyes)
    movers = [one for one in eyes if one.id in moved]
    for id, watcher in watched.items():
        if watcher == NOBODY:
            watched[id] = _watcher(position, position.elements[id], movers)
        elif watcher in moved:
            watched[id] = _watcher(position, position.elements[id], eyes)
    return _hiding_of(position, watched, known.unseen)


def has_hidden(position: Position, side: SideId) -> bool:
    """Whether any enemy element lies hidden from a side: he knows how many there are, so this is no secret."""
    return bool(hidden(position, side))
