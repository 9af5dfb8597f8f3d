"""How reports and scouting are told: what was found comes into sight by itself."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.spotting.events import Reported, Scouted
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, telling


@telling.version(Reported)
def _reported(event: Reported, before: Position, after: Position, side: SideId) -> Reported | None:
    return None if is_fogged(after) else event


@telling.version(Scouted)
def _scouted(event: Scouted, before: Position, after: Position, side: SideId) -> Scouted | None:
    if not is_fogged(after):
        return event
    return replace(event, found=()) if event.side == side else None
