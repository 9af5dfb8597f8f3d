"""What a side remembers: enemies out of sight where it last saw them, and whose the ground was when it last knew.

A contact is no unit: nothing is judged by it, and it obstructs nothing. It is forgotten when the side sees, in a later
turn, that nobody is there any more, when the unit is in sight again, and when it is known to be lost. Ground belongs
to the owner a side last saw in it, and to itself when it has taken it; what changed hands unseen it does not know.

Rules: PB3-1302, PB3-1303.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS
from sandtable.rulesets.panzerblitz_3d.model import Contact, Position
from sandtable.rulesets.panzerblitz_3d.stacks import units_at


def contact_with(known: Position, id: UnitId) -> Contact | None:
    """What a side will remember of an enemy that it loses sight of now; None when it did not see him on the table."""
    unit = known.units[id]
    return Contact(unit, known.turn) if unit.hex else None


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
    """
    control = position.control
    remembered = _public_owners(position) if before is None else before.control
    if control is remembered or position.over:
        return control
    learned = {
        place: owner
        for place, owner in control.items()
        if remembered.get(place) == owner or owner == side or shows_owner(position, place, owner, hidden)
    }
    if len(learned) == len(control):
        return control
    return dict(sorted({**remembered, **learned}.items()))


def shows_owner(position: Position, place: HexId, owner: SideId, hidden: Collection[UnitId]) -> bool:
    """Whether somebody who can own ground stands in the owner's hex and is not hidden."""
    return any(
        unit.side == owner and unit.kind not in FORTS and unit.id not in hidden for unit in units_at(position, place)
    )


def _public_owners(position: Position) -> Mapping[HexId, SideId]:
    """Whose ground is before anybody has looked: as the scenario says."""
    return position.ground.once("public owners", lambda: owners_of_scenario(position))


def owners_of_scenario(position: Position) -> dict[HexId, SideId]:
    """Who holds what at the start, as the scenario says."""
    board, sections = position.ground.board, position.ground.scenario.sections
    return {HexId(board.parse(label)): SideId(side) for side, labels in sections.control.items() for label in labels}
