"""Where a unit stands that is stopped on its way against its will: never in a hex that is full without it.

Rules: PB3-404, PB3-406.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzerblitz_3d.events import MoveEnded, UnitMoved
from sandtable.rulesets.panzerblitz_3d.model import Position
from sandtable.rulesets.panzerblitz_3d.stacks import has_room


def stop(resolution: Resolution[Position], id: UnitId, behind: Sequence[HexId], why: str) -> None:
    """The unit's move is over where it stands; or, where it was only passing through a full hex, in the last hex that
    it has left and that has room for it: no unit may end in a full one, and where it goes instead the rules leave open.

    Rules: PB3-404, PB3-406.
    """
    position = resolution.position
    unit, mover = position.units[id], position.mover
    if mover is not None and not has_room(position, unit.hex, unit.side, arriving=0):
        back = tuple(reversed(behind))
        far = next((n for n, place in enumerate(back, 1) if has_room(position, place, unit.side)), 0)
        for place in back[:far]:
            # hex by hex, as it came, so that nobody is told more of it than he sees
            resolution.emit(UnitMoved(id, (place,), mover))
    resolution.emit(MoveEnded(id, why))
