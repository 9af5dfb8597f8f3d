"""Who rides on whom: transports, ships, and vehicles with men on the outside.

Rules: PB-MOVE-42, PB-MOVE-43, PB-MOVE-44, PB-UNIT-14.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor

from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.kinds import GUNS, MEN, SHIPS, VEHICLES
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.parameters import Parameters

NO_ROOM = Fraction(0)


def is_passenger(unit: Unit) -> bool:
    """Whether a unit rides on another."""
    return unit.carrier != NOBODY


def passengers(position: Position, carrier: Unit) -> list[Unit]:
    """Who rides on a unit on the map."""
    return [unit for unit in index.at(position, carrier.hex) if unit.carrier == carrier.id]


def is_held(position: Position, unit: Unit) -> bool:
    """Whether a unit, or anybody who rides on it, is fixed and may not move yet (PB-MOVE-98)."""
    return unit.fixed or any(one.fixed for one in passengers(position, unit))


def carries_inside(carrier: Unit) -> bool:
    """Whether a unit takes its load inside, as trucks and ships do."""
    return carrier.of.has("transport") or carrier.of.component == SHIPS


def is_external(position: Position, unit: Unit) -> bool:
    """Whether a unit rides on the outside of vehicles.

    Rules: PB-MOVE-44.
    """
    return is_passenger(unit) and not carries_inside(position.units[unit.carrier])


def riders(position: Position, carrier: Unit) -> list[Unit]:
    """Who rides on the outside of a unit."""
    return [] if carries_inside(carrier) else passengers(position, carrier)


def can_carry(carrier: Unit) -> bool:
    """Whether a unit could carry anybody at all (PB-UNIT-14)."""
    return carries_inside(carrier) or carrier.of.component == VEHICLES


def room_for(carrier: Unit, unit: Unit, parameters: Parameters) -> Fraction:
    """How much of such a unit one vehicle or ship of a carrier takes; nothing where it takes none.

    Rules: PB-MOVE-42, PB-MOVE-43, PB-MOVE-44, PB-MOVE-45.
    """
    carry, component = parameters.carry, unit.of.component
    if carrier.of.component == SHIPS:
        by_component = {MEN: carry.naval_men, GUNS: carry.naval_guns, VEHICLES: carry.naval_vehicles}
        return Fraction(by_component.get(component, 0))
    if carrier.of.has("transport"):
        by_component = {MEN: carry.transport_men_per_vehicle, GUNS: carry.transport_guns_per_vehicle}
        return Fraction(by_component.get(component, 0))
    is_foot = component == MEN and unit.of.move_class == "foot" and not unit.of.is_carried
    return Fraction(carry.external_men_per_vehicle) if is_foot else NO_ROOM


def load(carrier: Unit, units: Iterable[Unit], parameters: Parameters) -> Fraction:
    """How much of the room of a carrier some units take, each in proportion; above 1 is too much.

    Rules: PB-MOVE-46.
    """
    parts = [Fraction(unit.strength) / (room_for(carrier, unit, parameters) * carrier.strength) for unit in units]
    return sum(parts, Fraction(0))


def left_aboard(unit: Unit, taken: Fraction) -> int:
    """What is left of a load that takes so much more than the room there is.

    Rules: PB-MOVE-54.
    """
    return floor(unit.strength / taken)
