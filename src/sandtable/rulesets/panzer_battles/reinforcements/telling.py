"""How the events of reinforcements are told: the enemy learns of them by seeing them."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.reinforcements import events as e
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, shows, telling, to_its_side

for kind in (*(e.ArrivalsAnnounced, e.ArrivalPutOff, e.UnitsReleased, e.UnitsFixed, e.UnitsWithdrawn, e.UnitsExited),):
    telling.version(kind)(to_its_side)


@telling.version(e.Arrived)
def _arrived(event: e.Arrived, before: Position, after: Position, side: SideId) -> e.Arrived | None:
    if not is_fogged(after):
        return event
    return replace(event, concealed=False) if event.side == side else None


@telling.version(e.ArrivalProtected)
def _protected(event: e.ArrivalProtected, before: Position, after: Position, side: SideId) -> e.ArrivalProtected:
    """Who was shaken by an arrival, as far as the viewer sees him."""
    if not is_fogged(after):
        return event
    return replace(event, units=tuple(id for id in event.units if shows(before, id, side)))
