"""What the events of reinforcements do to a position."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOWHERE
from sandtable.rulesets.panzer_battles.changing import changed, changes
from sandtable.rulesets.panzer_battles.model import (
    COMING,
    DEPLOYED,
    DUE,
    EXITED,
    RAIL,
    TRAVEL,
    WITHDRAWN,
    Position,
    Unit,
    with_units,
)
from sandtable.rulesets.panzer_battles.reinforcements import events as e
from sandtable.rulesets.panzer_battles.supply.artillery import is_artillery

MODES = {mode: mode for mode in (DEPLOYED, TRAVEL, RAIL)}
"""The very constants, since what is written leaves out what is the default by identity."""


@changes.on(e.ArrivalsAnnounced)
def _announced(position: Position, event: e.ArrivalsAnnounced) -> Position:
    return with_units(position, [replace(position.units[id], away=DUE) for id in event.units])


@changes.on(e.ArrivalPutOff)
def _put_off(position: Position, event: e.ArrivalPutOff) -> Position:
    return with_units(position, [replace(position.units[id], away=COMING) for id in event.units])


@changes.on(e.Arrived)
def _arrived(position: Position, event: e.Arrived) -> Position:
    unit = position.units[event.unit]
    fresh = [_come(rider, event) for rider in riders(position, unit)]
    arrived = replace(
        _come(unit, event),
        mode=MODES[event.mode],
        mp=event.mp,
        setup_required=event.setup_required,
    )
    return with_units(position, (arrived, *fresh))


def _come(unit: Unit, event: e.Arrived) -> Unit:
    """A unit that has come on the map, or aboard one that has: artillery as if it had moved (PB-REIN-5)."""
    moved = is_artillery(unit) and not unit.of.has("naval")
    return replace(
        unit,
        hex=event.hex,
        away="",
        concealed=event.concealed,
        thirds=0,
        moved=moved,
        supplied_until=event.supplied_until,
    )


def riders(position: Position, carrier: Unit) -> list[Unit]:
    """Who comes aboard a unit that arrives."""
    return [unit for unit in position.units if unit.carrier == carrier.id and unit.away]


@changes.on(e.ArrivalProtected)
def _protected(position: Position, event: e.ArrivalProtected) -> Position:
    return with_units(position, [changed(position, id, {}, broken=True, disrupted=False) for id in event.units])


@changes.on(e.UnitsReleased)
def _released(position: Position, event: e.UnitsReleased) -> Position:
    return with_units(position, [replace(position.units[id], fixed=False, fixed_tonight=False) for id in event.units])


@changes.on(e.UnitsFixed)
def _fixed(position: Position, event: e.UnitsFixed) -> Position:
    return with_units(
        position, [replace(position.units[id], fixed=True, fixed_tonight=event.tonight) for id in event.units]
    )


@changes.on(e.UnitsWithdrawn)
def _withdrawn(position: Position, event: e.UnitsWithdrawn) -> Position:
    """Who is withdrawn is gone, and what he was called to in the air is off (PB-MOVE-110)."""
    gone = [replace(position.units[id], hex=NOWHERE, away=WITHDRAWN) for id in event.units]
    missions = tuple([one for one in position.missions if one.unit not in event.units])
    return with_units(position, gone, missions=missions)


@changes.on(e.UnitsExited)
def _exited(position: Position, event: e.UnitsExited) -> Position:
    tally = dict(position.exits.get(event.hex, {}))
    for id in event.units:
        unit = position.units[id]
        tally[unit.kind] = tally.get(unit.kind, 0) + unit.strength
    exits = dict(sorted({**position.exits, event.hex: dict(sorted(tally.items()))}.items()))
    return with_units(
        position, [replace(position.units[id], hex=NOWHERE, away=EXITED) for id in event.units], exits=exits
    )
