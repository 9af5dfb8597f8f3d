"""What the events of riding and walking do to a position."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, UnitId
from sandtable.rulesets.panzer_battles.changing import changes
from sandtable.rulesets.panzer_battles.model import Position, Unit, with_units
from sandtable.rulesets.panzer_battles.movement import events as e
from sandtable.rulesets.panzer_battles.supply.changes import moved_guns

MOVED: dict[str, Any] = {"moved": True, "concealed": False, "digging_in": False, "operation": "", "progress": 0}
"""What boarding and setting down make of all who take part: they have moved, which ends their work.

Rules: PB-MOVE-48, PB-MOVE-49, PB-MOVE-103, PB-ENG-7.
"""


def _moved(position: Position, id: UnitId, mp: int) -> Unit:
    """A unit that has boarded or set down, or was, for a third of its allowance: guns must set up again.

    Rules: PB-GEN-17, PB-MOVE-48, PB-SUP-40.
    """
    unit = position.units[id]
    return replace(unit, mp=mp, thirds=unit.thirds + 1, **MOVED, **moved_guns(position, unit))


@changes.on(e.Boarded)
def _boarded(position: Position, event: e.Boarded) -> Position:
    """Who has boarded has moved, and its work is over (PB-ENG-7, PB-MOVE-48, PB-MOVE-103)."""
    pairs = zip((event.carrier, *event.units), event.mp, strict=True)
    paid = [_moved(position, id, mp) for id, mp in pairs]
    return with_units(position, (paid[0], *(replace(unit, carrier=event.carrier) for unit in paid[1:])))


@changes.on(e.Dismounted)
def _dismounted(position: Position, event: e.Dismounted) -> Position:
    units = [
        replace(_moved(position, id, mp), carrier=NOBODY) for id, mp in zip(event.units, event.mp[1:], strict=True)
    ]
    if event.is_shaken:
        return with_units(position, [replace(unit, disrupted=not unit.broken) for unit in units])
    carrier = _moved(position, event.carrier, event.mp[0])
    return with_units(position, (carrier, *units))


@changes.on(e.WentOnFoot)
def _went_on_foot(position: Position, event: e.WentOnFoot) -> Position:
    return with_units(position, (replace(position.units[event.unit], on_foot=True, mp=event.mp),))


@changes.on(e.Remounted)
def _remounted(position: Position, event: e.Remounted) -> Position:
    return with_units(position, [replace(position.units[id], on_foot=False) for id in event.units])
