"""The order of battle: each side's units by arm, with the strength that is left of what it had.

Enemy units out of sight are counted among those not identified: that there are so many is no secret, what they are is.

Rules: PL-1503, PL-1507.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.questions import Formation
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_leader.badges import ARM_OF, ARMS, formation_key
from sandtable.rulesets.panzer_leader.describe import aircraft_piece, has_piece, side_title
from sandtable.rulesets.panzer_leader.model import DESTROYED, EXITED, IN_PLAY, SIDES, Position


def sides_for(viewer: SideId) -> tuple[SideId, ...]:
    """Both sides, the viewer's own first."""
    return tuple(sorted(SIDES, key=lambda side: side != viewer))


def tree(view: View[Position]) -> tuple[Formation, ...]:
    """The order of battle of both sides as the side knows it, its own first."""
    return tuple(_army(view.position, side, view.side) for side in sides_for(view.side))


def _army(position: Position, side: SideId, viewer: SideId) -> Formation:
    arms = tuple(_arms(position, side, viewer))
    left, initial = (sum(getattr(arm, field) for arm in arms) for field in ("left", "initial"))
    return Formation(side, side_title(position, side), side, left, initial, children=arms)


def _arms(position: Position, side: SideId, viewer: SideId) -> Iterator[Formation]:
    """A side's arms in the order of the table, those it has nothing of left out."""
    left, initial = dict[str, int](), dict[str, int]()
    shown: dict[str, list[UnitId]] = {}
    for arm, id, is_left, is_shown in _strengths(position, side, viewer):
        initial[arm] = initial.get(arm, 0) + 1
        left[arm] = left.get(arm, 0) + is_left
        if is_shown:
            shown.setdefault(arm, []).append(id)
    for key, title, _ in ARMS:
        if key in initial:
            units = tuple(shown.get(key, ()))
            yield Formation(formation_key(side, key), title, side, left[key], initial[key], units)


def _strengths(position: Position, side: SideId, viewer: SideId) -> Iterator[tuple[str, UnitId, bool, bool]]:
    """Of each unit and aircraft of a side: its arm, the number of its piece, whether it is left, whether it shows."""
    for unit in position.units:
        if unit.side == side:
            is_left = unit.fate not in (DESTROYED, EXITED)
            yield ARM_OF[unit.kind], unit.id, is_left, has_piece(unit, viewer)
    for plane in position.aircraft:
        if plane.side == side:
            yield "aircraft", aircraft_piece(position, plane.id), plane.fate == IN_PLAY, bool(plane.hex)
