"""What the events of riding and walking do to a position."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_battles.changing import changes
from sandtable.rulesets.panzer_battles.model import Position, with_units
from sandtable.rulesets.panzer_battles.movement import events as e


@changes.on(e.Boarded)
def _boarded(position: Position, event: e.Boarded) -> Position:
    """Who has boarded has moved, and its work is over (PB-ENG-7, PB-MOVE-48, PB-MOVE-103)."""
    pairs = zip((event.carrier, *event.units), event.mp, strict=True)
    paid = [replace(position.units[id], mp=mp, moved=True, concealed=False) for id, mp in pairs]
    riding: dict[str, Any] = {"carrier": event.carrier, "operation": "", "digging_in": False, "progress": 0}
    return with_units(position, (paid[0], *(replace(unit, **riding) for unit in paid[1:])))


@changes.on(e.Dismounted)
def _dismounted(position: Position, event: e.Dismounted) -> Position:
    units = [
        replace(position.units[id], carrier=NOBODY, mp=mp, moved=True, concealed=False)
        for id, mp in zip(event.units, event.mp[1:], strict=True)
    ]
    if event.is_shaken:
        return with_units(position, [replace(unit, disrupted=not unit.broken) for unit in units])
    carrier = replace(position.units[event.carrier], mp=event.mp[0], moved=True, concealed=False)
    return with_units(position, (carrier, *units))


@changes.on(e.WentOnFoot)
def _went_on_foot(position: Position, event: e.WentOnFoot) -> Position:
    return with_units(position, (replace(position.units[event.unit], on_foot=True, mp=event.mp),))


@changes.on(e.Remounted)
def _remounted(position: Position, event: e.Remounted) -> Position:
    return with_units(position, [replace(position.units[id], on_foot=False) for id in event.units])
