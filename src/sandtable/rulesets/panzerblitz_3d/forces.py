"""The order of battle: each side's units by arm, with the strength that is left of what it had.

Enemy units out of sight are counted among those not identified: that there are so many is no secret, what they are is.

Rules: PB3-1301, PB3-1303.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.questions import Formation
from sandtable.kernel.state import View
from sandtable.rulesets.panzerblitz_3d.badges import ARM_OF, ARMS, formation_key
from sandtable.rulesets.panzerblitz_3d.describe import has_piece, side_title
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, EXITED, SIDES, Position


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
    for unit in position.units:
        if unit.side != side:
            continue
        arm = ARM_OF[unit.kind]
        initial[arm] = initial.get(arm, 0) + 1
        left[arm] = left.get(arm, 0) + (unit.fate not in (DESTROYED, EXITED))
        if has_piece(unit, viewer):
            shown.setdefault(arm, []).append(unit.id)
    for key, title in ARMS:
        if key in initial:
            units = tuple(shown.get(key, ()))
            yield Formation(formation_key(side, key), title, side, left[key], initial[key], units)
