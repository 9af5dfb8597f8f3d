"""Who lies hidden, and from whom.

Rules: P8-15.01.
"""

from __future__ import annotations

from sandtable.kernel.ids import NOBODY, SPECTATORS, SideId, UnitId
from sandtable.rulesets.panzer8 import cover
from sandtable.rulesets.panzer8.kinds import COMMANDER, ENGINEERS, INFANTRY, WEAPON
from sandtable.rulesets.panzer8.model import SETUP, SIDES, UNSEEN, Element, Position, enemy_of, kind_of, on_table
from sandtable.rulesets.panzer8.sight import sees

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
    if not lies_hidden(position, element):
        return False
    near = SMALL_SEEN_AT if kind_of(element).kind in SMALL else OTHERS_SEEN_AT
    distance = position.ground.board.distance
    return not any(
        distance(one.hex, element.hex) <= near and sees(position, one.hex, element.hex)
        for one in on_table(position, side)
    )


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
    return position.derived.part(_HIDDEN[side], sources, lambda: _hidden(position, side))


_HIDDEN = {side: f"hidden from {side}" for side in SIDES}


def _hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    foes = on_table(position, enemy_of(side))
    known = {one.id for one in position.elements if one.fate == UNSEEN and one.side != side}
    lying = frozenset(one.id for one in foes if is_hidden(position, one, side)) | known
    # who is aboard lies hidden with his carrier
    return lying | {one.id for one in position.elements if one.carrier in lying}


def has_hidden(position: Position, side: SideId) -> bool:
    """Whether any enemy element lies hidden from a side: he knows how many there are, so this is no secret."""
    return bool(hidden(position, side))
