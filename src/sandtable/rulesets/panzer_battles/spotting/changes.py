"""What reports and scouting do to a position."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.rulesets.panzer_battles.changing import changed, changes
from sandtable.rulesets.panzer_battles.model import Position, with_units
from sandtable.rulesets.panzer_battles.spotting.events import Reported, Scouted


@changes.on(Reported)
def _reported(position: Position, event: Reported) -> Position:
    known = position.sightings.get(event.side, {})
    better = {id: max(event.level, known.get(id, 0)) for id in event.units}
    return replace(position, sightings={**position.sightings, event.side: {**known, **better}})


@changes.on(Scouted)
def _scouted(position: Position, event: Scouted) -> Position:
    scouts = [changed(position, id, {"scouted": True}) for id in event.units]
    found = [replace(position.units[id], concealed=False) for id in event.found]
    return with_units(position, (*scouts, *found))
