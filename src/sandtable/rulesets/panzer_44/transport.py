"""Carriers: loading and unloading of foot units and guns.

Rules: P44-4.04, P44-4.05, P44-12.06.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_44 import movement, reactions
from sandtable.rulesets.panzer_44.events import Loaded, MoveBegan, Unloaded
from sandtable.rulesets.panzer_44.model import MOVE, Position, Unit
from sandtable.rulesets.panzer_44.orders import Load, Unload
from sandtable.rulesets.panzer_44.plots import has_order
from sandtable.rulesets.panzer_44.refusals import not_yours, refuse
from sandtable.rulesets.panzer_44.scenario import STACK_LIMIT
from sandtable.rulesets.panzer_44.stacks import is_fit, kind_of, passengers, units_at

HANDLING = 2 * movement.POINT
"""What loading or unloading costs the carrier (P44-4.04)."""


def _cannot_handle(position: Position, side: SideId, carrier: UnitId) -> Refusal | None:
    """Why a carrier can't load or unload now, or None."""
    refusal = movement.cannot_move(position, side, carrier)
    if refusal is not None:
        return refusal
    if movement.left_of(position.units[carrier]) < HANDLING:
        return refuse("P44-4.04", f"loading and unloading take {movement.points(HANDLING)} points")
    return None


def _unfit_passenger(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't be loaded or unloaded because of its own state, or None."""
    if not has_order(position, unit, MOVE):
        return refuse("P44-4.04", "the passenger must be plotted to move too")
    if unit.pinned or not is_fit(unit):
        return refuse("P44-4.04", "the passenger is pinned, panicked or disrupted")
    if unit.handled:
        return refuse("P44-4.05", "nobody is both loaded and unloaded in one turn")
    return None


def check_load(position: Position, side: SideId, order: Load) -> Refusal | None:
    """Why the carrier can't take the unit aboard, or None."""
    refusal = _cannot_handle(position, side, order.unit) or not_yours(position, side, order.passenger)
    if refusal is not None:
        return refusal
    carrier, rider = position.units[order.unit], position.units[order.passenger]
    if not kind_of(carrier).carries or not kind_of(rider).can_be_carried:
        return refuse("P44-4.04", "only foot units and guns are carried, and only by carriers")
    if passengers(position, carrier.id):
        return refuse("P44-4.04", "the carrier has a passenger already")
    if rider.carrier != NOBODY or rider.hex != carrier.hex:
        return refuse("P44-4.04", "carrier and passenger must be in the same hex")
    refusal = _unfit_passenger(position, rider)
    if refusal is None and rider.moved:
        return refuse("P44-4.05", "it has moved on its own")
    return refusal


def resolve_load(resolution: Resolution[Position], side: SideId, order: Load) -> None:
    """The unit is aboard or in tow; the enemy may fire at the carrier (P44-8.03)."""
    _begin(resolution, order.unit)
    spent = resolution.position.units[order.unit].spent + HANDLING
    resolution.emit(Loaded(order.unit, order.passenger, spent))
    reactions.give_occasion(resolution, order.unit, reactions.LOADS)


def load_options(position: Position, side: SideId, unit: Unit) -> Iterator[Load]:
    if kind_of(unit).carries:
        for rider in units_at(position, unit.hex):
            order = Load(unit.id, rider.id)
            if check_load(position, side, order) is None:
                yield order


def check_unload(position: Position, side: SideId, order: Unload) -> Refusal | None:
    """Why the carrier can't set its passenger down, or None."""
    refusal = _cannot_handle(position, side, order.unit)
    if refusal is not None:
        return refusal
    aboard = passengers(position, order.unit)
    if not aboard:
        return refuse("P44-4.05", "nobody is aboard")
    refusal = _unfit_passenger(position, aboard[0])
    if refusal is None and len(units_at(position, position.units[order.unit].hex)) >= STACK_LIMIT:
        return refuse("P44-4.01", f"the hex holds {STACK_LIMIT} units already")
    return refusal


def resolve_unload(resolution: Resolution[Position], side: SideId, order: Unload) -> None:
    """The passenger stands in the carrier's hex; the enemy may fire at the carrier (P44-8.03)."""
    _begin(resolution, order.unit)
    (rider,) = passengers(resolution.position, order.unit)
    spent = resolution.position.units[order.unit].spent + HANDLING
    resolution.emit(Unloaded(order.unit, rider.id, spent))
    reactions.give_occasion(resolution, order.unit, reactions.UNLOADS)


def unload_options(position: Position, side: SideId, unit: Unit) -> Iterator[Unload]:
    if passengers(position, unit.id) and check_unload(position, side, Unload(unit.id)) is None:
        yield Unload(unit.id)


def _begin(resolution: Resolution[Position], carrier: UnitId) -> None:
    if resolution.position.moving != carrier:
        resolution.emit(MoveBegan(carrier))
