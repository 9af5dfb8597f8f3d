"""Carriers and their passengers.

Rules: PB3-621, PB3-622.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzerblitz_3d import victory
from sandtable.rulesets.panzerblitz_3d.events import UnitLoaded, UnitUnloaded
from sandtable.rulesets.panzerblitz_3d.journeys import begin_move
from sandtable.rulesets.panzerblitz_3d.kinds import VEHICLES, can_carry
from sandtable.rulesets.panzerblitz_3d.mobility import VEHICLE_STEP, account
from sandtable.rulesets.panzerblitz_3d.model import Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import LoadUnit, UnloadUnit
from sandtable.rulesets.panzerblitz_3d.stacks import has_room, kind, own_unit, passenger_of, units_at

WHO, HOW = RuleId("PB3-621"), RuleId("PB3-622")


def _spent(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't give a whole player turn to loading, or None.

    Rules: PB3-601, PB3-622.
    """
    name = kind(unit).name
    if unit.fired or unit.dispersed or unit.of_assigned:
        return Refusal(HOW, f"{name} has fired, is dispersed or waits for an opportunity")
    if unit.moved or unit.unloaded or account(position, unit) is not None:
        return Refusal(HOW, f"{name} has moved already, and loading takes a whole player turn")
    return None


def check_load(position: Position, side: SideId, order: LoadUnit) -> Refusal | None:
    """Why the carrier can't take the unit aboard, or None.

    Rules: PB3-621, PB3-622.
    """
    carrier, passenger = own_unit(position, side, order.carrier), own_unit(position, side, order.passenger)
    if carrier is None or passenger is None or carrier.hex != passenger.hex:
        return Refusal(WHO, "carrier and passenger must be units of yours in one hex")
    if position.step != VEHICLE_STEP:
        return Refusal(RuleId("PB3-509"), "units are loaded while vehicles move")
    if not can_carry(carrier.kind, passenger.kind):
        return Refusal(WHO, f"a {kind(carrier).name} can't carry a {kind(passenger).name}")
    if passenger_of(position, carrier.id) is not None:
        return Refusal(WHO, f"{kind(carrier).name} carries a unit already")
    if passenger.carrier != NOBODY or passenger.fort != NOBODY or carrier.fort != NOBODY:
        return Refusal(WHO, "nobody is loaded out of a fort or from another carrier")
    return _spent(position, carrier) or _spent(position, passenger)


def resolve_load(resolution: Resolution[Position], side: SideId, order: LoadUnit) -> None:
    """The passenger is aboard; both have done nothing else in this player turn."""
    begin_move(resolution, order.carrier)
    resolution.emit(UnitLoaded(order.carrier, order.passenger))


def load_options(position: Position, side: SideId, unit: Unit) -> Iterator[LoadUnit]:
    """What a carrier can take aboard where it stands."""
    if unit.kind not in VEHICLES:
        return
    for other in units_at(position, unit.hex):
        order = LoadUnit(unit.id, other.id)
        if check_load(position, side, order) is None:
            yield order


def check_unload(position: Position, side: SideId, order: UnloadUnit) -> Refusal | None:
    """Why the carrier can't set its passenger down, or None.

    Rules: PB3-404, PB3-622, PB3-902.
    """
    carrier = own_unit(position, side, order.carrier)
    passenger = None if carrier is None else passenger_of(position, carrier.id)
    if carrier is None or passenger is None:
        return Refusal(WHO, "there is no such carrier of yours with a passenger")
    if position.step != VEHICLE_STEP:
        return Refusal(RuleId("PB3-509"), "units are unloaded while vehicles move")
    if carrier.dispersed:
        return Refusal(RuleId("PB3-902"), f"{kind(carrier).name} is dispersed")
    if passenger.moved:
        return Refusal(HOW, f"{kind(passenger).name} was loaded in this player turn, which took all of it")
    if not has_room(position, carrier.hex, side):
        return Refusal(RuleId("PB3-404"), "the hex is full")
    return None


def resolve_unload(resolution: Resolution[Position], side: SideId, order: UnloadUnit) -> None:
    """The passenger stands beside its carrier, which may move on.

    Rules: PB3-622, PB3-1302.
    """
    passenger = passenger_of(resolution.position, order.carrier)
    assert passenger is not None
    resolution.emit(UnitUnloaded(order.carrier, passenger.id))
    victory.take_control(resolution, passenger.hex, side)


def unload_options(position: Position, side: SideId, unit: Unit) -> Iterator[UnloadUnit]:
    """What a carrier can set down where it stands."""
    order = UnloadUnit(unit.id)
    if unit.kind in VEHICLES and check_unload(position, side, order) is None:
        yield order
