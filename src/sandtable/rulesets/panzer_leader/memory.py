"""What a side remembers: enemies out of sight where it last saw them, and whose the ground was when it last knew.

A contact is no unit: nothing is judged by it, and it obstructs nothing. It is forgotten when the side sees, in a later
turn, that nobody is there any more, when the unit is in sight again, and when it is known to be lost. Ground belongs
to the owner a side last saw in it, and to itself when it has taken it; what changed hands unseen it does not know.

Rules: PL-1502, PL-1507.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.kernel.ids import SPECTATORS, HexId, SideId, UnitId
from sandtable.rulesets.panzer_leader import victory
from sandtable.rulesets.panzer_leader.kinds import UNKNOWN
from sandtable.rulesets.panzer_leader.model import SIDES, Contact, Position
from sandtable.rulesets.panzer_leader.stacks import occupancy, units_at


def contact_with(known: Position, id: UnitId) -> Contact | None:
    """What a side will remember of an enemy that it loses sight of now; None when it did not see him on the table."""
    unit = known.units[id]
    if not unit.hex:
        return None
    before = known.contacts.get(id)
    if unit.kind == UNKNOWN and before is not None:
        # a glimpse does not show what it is, but who it was is known by his number
        unit = replace(before.unit, hex=unit.hex)
    return Contact(unit, known.turn)


def without(known: Position, ids: Iterable[UnitId]) -> Position:
    """The position in which these contacts are forgotten; the very same when there are none."""
    gone = known.contacts.keys() & ids
    if not gone:
        return known
    return replace(known, contacts={id: one for id, one in known.contacts.items() if id not in gone})


def known_control(
    position: Position, side: SideId, hidden: Collection[UnitId], before: Position | None
) -> Mapping[HexId, SideId]:
    """Whose each hex is as far as a side knows; the very mapping of the table when that is how it is. After the end
    everybody knows.

    Rules: PL-1502, PL-1507.
    """
    control, units = position.control, position.units
    remembered = _public_owners(position) if before is None else before.control
    if control is remembered or position.over:
        return control

    def unless_shown(known: Owners, sources: Any) -> Owners | None:
        """The same as long as nobody comes to stand, or into sight, where the side does not know the owner."""
        if known.is_news or sources[0] is not control or sources[1] is not remembered:
            return None
        arrived = {new.hex for _, new in position.derived.changes(sources[3], units)}
        if sources[2] is not hidden:
            arrived.update([units[id].hex for id in sources[2] - hidden])
        return known if arrived.isdisjoint(known.unlearned) else None

    return position.derived.part(
        _OWNERS[side],
        (control, remembered, hidden, units),
        lambda: _owners(position, side, hidden, remembered),
        unless_shown,
    ).known


class Owners(NamedTuple):
    """Whose each hex is as far as a side knows, where it does not know that somebody else has come to own it, and
    whether it knows more than it remembered.
    """

    known: Mapping[HexId, SideId]
    unlearned: Collection[HexId]
    is_news: bool


_OWNERS = {side: f"owners known to {side}" for side in (*SIDES, SPECTATORS)}


def _owners(position: Position, side: SideId, hidden: Collection[UnitId], remembered: Mapping[HexId, SideId]) -> Owners:
    control = position.control
    others = {place: owner for place, owner in control.items() if remembered.get(place) != owner}
    stood_in = occupancy(position).by_hex.keys() & others.keys()
    learned = {
        place: owner
        for place, owner in others.items()
        if owner == side or (place in stood_in and shows_owner(position, place, owner, hidden))
    }
    if len(learned) == len(others):
        return Owners(control, (), True)
    if not learned:
        return Owners(remembered, others.keys(), False)
    return Owners(dict(sorted({**remembered, **learned}.items())), others.keys() - learned.keys(), True)


def shows_owner(position: Position, place: HexId, owner: SideId, hidden: Collection[UnitId]) -> bool:
    """Whether somebody who can own ground stands in the owner's hex and is not hidden.

    Rules: PL-1502, PL-1503.
    """
    return any(
        unit.side == owner and victory.counts(unit) and unit.id not in hidden for unit in units_at(position, place)
    )


def _public_owners(position: Position) -> Mapping[HexId, SideId]:
    """Whose ground is before anybody has looked: as the scenario says."""
    cache = position.ground.cache
    if "public owners" not in cache:
        board, sections = position.ground.board, position.ground.scenario.sections
        owned = ((HexId(board.parse(label)), side) for side, labels in sections.control.items() for label in labels)
        cache["public owners"] = {place: SideId(side) for place, side in sorted(owned)}
    owners: Mapping[HexId, SideId] = cache["public owners"]
    return owners
