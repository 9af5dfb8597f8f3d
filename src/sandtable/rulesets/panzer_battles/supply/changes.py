"""What the events of supply do to a position, and what moving does to the supply of a unit."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import UnitId
from sandtable.rulesets.panzer_battles.changing import changes
from sandtable.rulesets.panzer_battles.model import Position, Unit, with_units
from sandtable.rulesets.panzer_battles.supply.artillery import needs_setup
from sandtable.rulesets.panzer_battles.supply.events import LinesTraced, Supplied
from sandtable.rulesets.panzer_battles.supply.fuel import burned


@changes.on(LinesTraced)
def _lines_traced(position: Position, event: LinesTraced) -> Position:
    cut = frozenset(event.isolated)
    own = (unit for unit in position.units if unit.side == event.side)
    changed = [replace(unit, isolated=unit.id in cut) for unit in own if unit.isolated != (unit.id in cut)]
    supply = dict(sorted({**position.supply, event.side: event.value}.items()))
    return with_units(position, changed, supply=position.supply if supply == position.supply else supply)


@changes.on(Supplied)
def _supplied(position: Position, event: Supplied) -> Position:
    fields: dict[UnitId, dict[str, Any]] = {}
    for ids, change in (
        (event.low_ammo, {"low_ammo": True}),
        (event.replenished, {"low_ammo": False}),
        (event.unavailable, {"unavailable": True}),
        (event.available, {"unavailable": False}),
        (event.unstocked, {"stockpiled": False}),
        (event.set_up, {"setup_required": False}),
        (event.low_fuel, {"low_fuel": True}),
        (event.refueled, {"low_fuel": False}),
    ):
        for id in ids:
            fields.setdefault(id, {}).update(change)
    for id, points in zip(event.columns, event.stores, strict=True):
        fields.setdefault(id, {})["stores"] = points
    if event.refueling:
        for unit in position.units:
            if unit.side == event.side and unit.has_burned:
                fields.setdefault(unit.id, {})["has_burned"] = False
    return with_units(position, [replace(position.units[id], **change) for id, change in sorted(fields.items())])


def on_the_way(position: Position, unit: Unit) -> dict[str, Any]:
    """What a step does to the supply of a unit: it burns fuel, and what a battery had in place it has no more.

    Rules: PB-SUP-31, PB-SUP-40, PB-SUP-50.
    """
    return {**burned(unit), **moved_guns(position, unit)}


def moved_guns(position: Position, unit: Unit) -> dict[str, Any]:
    """What being elsewhere does to a battery, by itself or in a truck: it has left its stockpile, and is not set up.

    Rules: PB-SUP-40, PB-SUP-50.
    """
    found: dict[str, Any] = {}
    if unit.stockpiled:
        found["stockpiled"] = False
    if needs_setup(position.ground, unit):
        found["setup_required"] = True
    return found
