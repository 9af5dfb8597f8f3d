"""Supply at the start of a side's turn: lines of communication first, then shells, ammunition and fuel.

Rules: PB-SUP-17, PB-SUP-20, PB-TURN-2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.clock import is_midnight_turn
from sandtable.rulesets.panzer_battles.model import Position, Unit, on_map, with_units
from sandtable.rulesets.panzer_battles.results.losses import probability
from sandtable.rulesets.panzer_battles.supply import ammunition, artillery, columns, fuel
from sandtable.rulesets.panzer_battles.supply.events import LinesTraced, Supplied
from sandtable.rulesets.panzer_battles.supply.sources import global_value
from sandtable.rulesets.panzer_battles.supply.values import is_cut_off, value_of

PERCENT = 100


def trace(resolution: Resolution[Position]) -> None:
    """The active side has its supply value for the day, and its units that have no line are Isolated for the turn.

    Rules: PB-SUP-2, PB-SUP-17.
    """
    position = resolution.position
    side, numbers = position.active, position.parameters.supply
    value, spread = global_value(position, side), numbers.variation.of(side)
    if spread and is_midnight_turn(position.ground, position.minutes):
        drawn = numbers.everywhere.of(side) - spread + resolution.roll("PB-SUP-2", NOBODY, 2 * spread + 1) - 1
        value = min(PERCENT, max(0, drawn))
    own = on_map(position, side)
    cut = tuple(unit.id for unit in own if is_cut_off(position, unit))
    if value != global_value(position, side) or cut != tuple(unit.id for unit in own if unit.isolated):
        resolution.emit(LinesTraced(side, value, cut))


class _Testing:
    """The tests of one side in one turn: what came of them, and the position in which columns have given of theirs."""

    def __init__(self, resolution: Resolution[Position]) -> None:
        self.resolution = resolution
        self.position = resolution.position
        self.found: dict[str, list[UnitId]] = {}

    def note(self, result: str, unit: Unit) -> None:
        self.found.setdefault(result, []).append(unit.id)

    def passes(self, unit: Unit, value: Fraction, rule: str) -> bool:
        """Whether a unit is supplied by that value; what it gets by a column is the column's no more (PB-OPT-9)."""
        if not value or not self.resolution.chance(value, rule, unit.id):
            return False
        if self.position.ground.options.explicit_supply and not unit.of.has("naval"):
            column = columns.column_for(self.position, unit)
            if column is not None:
                left = max(0, column.stores - columns.points_for(self.position, unit))
                self.position = with_units(self.position, (replace(column, stores=left),))
        return True

    def chance(self, likely: Fraction, rule: str, unit: Unit) -> bool:
        return bool(likely) and self.resolution.chance(likely, rule, unit.id)


def supply(resolution: Resolution[Position]) -> None:
    """The units of the active side have been tested for shells, ammunition and fuel, and guns have been set up.

    Rules: PB-SUP-21, PB-SUP-27, PB-SUP-32, PB-SUP-41.
    """
    testing = _Testing(resolution)
    before = resolution.position
    midnight = is_midnight_turn(before.ground, before.minutes)
    own = on_map(before, before.active)
    if before.ground.options.explicit_supply:
        filled = ((unit, columns.refilled(before, unit)) for unit in own if columns.is_column(unit))
        changed = [replace(unit, stores=points) for unit, points in filled if points != unit.stores]
        testing.position = with_units(before, changed)
    for unit in own:
        if artillery.is_artillery(unit):
            _test_shells(testing, unit)
        else:
            _test_ammunition(testing, unit)
    for unit in own:
        _test_setup(testing, unit)
    for unit in own:
        _test_fuel(testing, unit, midnight=midnight)
    _emit(resolution, testing, midnight=midnight)


def _test_shells(testing: _Testing, unit: Unit) -> None:
    """A battery that fired, or that was out of shells, has been tested.

    Rules: PB-SUP-20, PB-SUP-27, PB-SUP-49.
    """
    value = ammunition.shells_value(testing.position, unit)
    if unit.unavailable:
        if testing.passes(unit, value, "PB-SUP-27"):
            testing.note("available", unit)
    elif unit.fired and not testing.passes(unit, value, "PB-SUP-27"):
        testing.note("unstocked" if unit.stockpiled else "unavailable", unit)


def _test_ammunition(testing: _Testing, unit: Unit) -> None:
    """A unit that fired, or that was low, has been tested.

    Rules: PB-SUP-20, PB-SUP-21, PB-SUP-22, PB-SUP-25.
    """
    position = testing.position
    if unit.low_ammo:
        if not unit.isolated and testing.chance(ammunition.brought(position, unit), "PB-SUP-25", unit):
            testing.note("replenished", unit)
    elif ammunition.can_run_low(unit) and not (
        testing.passes(unit, value_of(position, unit), "PB-SUP-21")
        or testing.chance(ammunition.brought(position, unit), "PB-SUP-22", unit)
    ):
        testing.note("low_ammo", unit)


def _test_setup(testing: _Testing, unit: Unit) -> None:
    """A battery that had quiet may be ready: the one test of a hundred that is passed by its own number.

    Rules: PB-SUP-41, PB-GEN-12.
    """
    if artillery.can_set_up(unit):
        pct = artillery.setup_pct(unit, unit.side, testing.position.parameters)
        if testing.resolution.roll("PB-SUP-41", unit.id, PERCENT) <= pct:
            testing.note("set_up", unit)


def _test_fuel(testing: _Testing, unit: Unit, *, midnight: bool) -> None:
    """A unit that burned fuel has been tested at midnight, and one that is low may have been refueled.

    Rules: PB-SUP-20, PB-SUP-32, PB-SUP-35.
    """
    position = testing.position
    if unit.low_fuel:
        likely = probability(PERCENT if midnight else position.parameters.supply.refuel_pct.of(unit.side))
        if not unit.isolated and fuel.is_reached(position, unit) and testing.chance(likely, "PB-SUP-35", unit):
            testing.note("refueled", unit)
    elif (
        midnight
        and unit.has_burned
        and not (
            testing.passes(unit, value_of(position, unit), "PB-SUP-32")
            or (not unit.isolated and fuel.is_reached(position, unit))
        )
    ):
        testing.note("low_fuel", unit)


def _emit(resolution: Resolution[Position], testing: _Testing, *, midnight: bool) -> None:
    before = resolution.position
    moved = [unit for unit in on_map(before, before.active) if testing.position.units[unit.id].stores != unit.stores]
    stores = tuple(testing.position.units[unit.id].stores for unit in moved)
    found: dict[str, Any] = {result: tuple(ids) for result, ids in testing.found.items()}
    refueling = midnight and any(unit.has_burned for unit in on_map(before, before.active))
    if found or moved or refueling:
        ids = tuple(unit.id for unit in moved)
        resolution.emit(Supplied(before.active, refueling=refueling, columns=ids, stores=stores, **found))
