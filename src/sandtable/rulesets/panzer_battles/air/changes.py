"""What happens to a position in the air."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, HexId
from sandtable.rulesets.panzer_battles.air.events import AirUnitsReadied, Interdicted, MissionCalled, MissionFlown
from sandtable.rulesets.panzer_battles.changing import changed, changes
from sandtable.rulesets.panzer_battles.fire.changes import after_suffering, with_losses
from sandtable.rulesets.panzer_battles.fire.events import Suffered
from sandtable.rulesets.panzer_battles.model import ELIMINATED, WITHDRAWN, Mission, Position, with_units


@changes.on(MissionCalled)
def _called(position: Position, event: MissionCalled) -> Position:
    mission = Mission(event.unit, event.side, event.hex, event.kind, event.halved)
    return replace(position, missions=(*position.missions, mission))


@changes.on(AirUnitsReadied)
def _readied(position: Position, event: AirUnitsReadied) -> Position:
    fatigue = dict(zip(event.rested, event.fatigue, strict=True))
    now = {}
    for unit in position.units:
        if unit.side == event.side and unit.of.has("air"):
            better: dict[str, Any] = {"fired": False, "fatigue": fatigue.get(unit.id, unit.fatigue)}
            if unit.id in event.available:
                better["unavailable"] = False
            if unit.id in event.recovered:
                better |= {"disrupted": unit.broken, "broken": False}
            now[unit.id] = replace(unit, **better)
    return with_units(position, [unit for id, unit in now.items() if unit != position.units[id]])


def _with_wrecks(position: Position, place: HexId, count: int) -> dict[str, Any]:
    return {"wrecks": {**position.wrecks, place: position.wrecks.get(place, 0) + count}} if count else {}


@changes.on(MissionFlown)
def _flown(position: Position, event: MissionFlown) -> Position:
    crashed = (Suffered(event.unit, event.aircraft, event.side, event.lost),) if event.lost else ()
    others = with_losses(position, (*event.struck, *crashed)) | _with_wrecks(position, event.hex, event.wrecks)
    units = [after_suffering(position, one) for one in event.struck]
    if event.unit != NOBODY:
        others["missions"] = tuple(one for one in position.missions if one.unit != event.unit)
        state: dict[str, Any] = {"disrupted": event.disrupted, "broken": event.broken}
        private: dict[str, Any] = {
            "strength": event.strength,
            "fatigue": event.fatigue,
            "unavailable": event.flew,
            "fired": event.flew,
            "away": WITHDRAWN if event.removed and event.strength else "",
        }
        if not event.strength:
            state["gone"] = ELIMINATED
        units.append(changed(position, event.unit, private, **state))
    return with_units(position, units, **others)


@changes.on(Interdicted)
def _interdicted(position: Position, event: Interdicted) -> Position:
    others = with_losses(position, event.struck) | _with_wrecks(position, event.hex, event.wrecks)
    units = [after_suffering(position, one) for one in event.struck]
    # who is gone has nothing left to lose
    hit = [
        replace(unit, mp=event.mp) if unit.id == event.unit and unit.hex and position.knows(unit.side) else unit
        for unit in units
    ]
    return with_units(position, hit, **others)
