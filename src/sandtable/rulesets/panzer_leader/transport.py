"""Carriers and their passengers.

Rules: PL-641, PL-642, PL-643, PL-644, PL-902.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_leader import opportunity, victory, works
from sandtable.rulesets.panzer_leader.combat import rides_outside
from sandtable.rulesets.panzer_leader.events import UnitLoaded, UnitUnloaded
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.mobility import FIRST, LAST, account, allowance, is_at_sea
from sandtable.rulesets.panzer_leader.model import Mover, Position, Unit
from sandtable.rulesets.panzer_leader.moves import begin_move
from sandtable.rulesets.panzer_leader.orders import LoadUnit, UnloadUnit
from sandtable.rulesets.panzer_leader.scenario import can_carry
from sandtable.rulesets.panzer_leader.stacks import has_room, kind, own_unit, passenger_of, units_at

ABOARD, COST, ONCE, FIRED = RuleId("PL-641"), RuleId("PL-642"), RuleId("PL-643"), RuleId("PL-644")


def handling_cost(carrier: Unit, passenger: Unit) -> int:
    """What loading or unloading costs the carrier in half points: all it has for a heavy gun, else half, rounded up.

    Rules: PL-642.
    """
    points = KINDS[carrier.kind].movement
    return 2 * points if KINDS[passenger.kind].has("hv") else (points + 1) // 2 * 2


def _cannot_handle(position: Position, carrier: Unit) -> Refusal | None:
    """Why a carrier can neither load nor unload anything now.

    Rules: PL-506, PL-601, PL-643, PL-644, PL-902.
    """
    name = kind(carrier).name
    if position.step != "vehicle movement":
        return Refusal(RuleId("PL-506"), "loading and unloading is part of vehicle movement")
    if carrier.dispersed:
        return Refusal(FIRED, f"{name} is dispersed")
    if carrier.fired and not rides_outside(carrier):
        return Refusal(FIRED, f"{name} has fired")
    if carrier.moved:
        return Refusal(RuleId("PL-601"), f"{name} has finished its move")
    if carrier.fort != NOBODY or is_at_sea(position, carrier):
        return Refusal(ABOARD, f"{name} can't do so inside a fortification or at sea")
    now = account(position, carrier)
    if now is not None and now.handled:
        return Refusal(ONCE, f"{name} has loaded or unloaded already")
    return None


def _cannot_afford(position: Position, carrier: Unit, passenger: Unit) -> Refusal | None:
    """Why the carrier has too little of its allowance left; a tank that fired and has not moved need not pay.

    Rules: PL-642, PL-644, PL-1607.
    """
    now = account(position, carrier)
    if now is None and carrier.fired:
        return None
    spent = 0 if now is None else now.spent
    if spent + handling_cost(carrier, passenger) > allowance(position, carrier):
        return Refusal(COST, f"{kind(carrier).name} has not enough movement points left")
    return None


def check_load(position: Position, side: SideId, order: LoadUnit) -> Refusal | None:
    """Why the carrier can't take the unit aboard, or None.

    Rules: PL-641, PL-642, PL-643, PL-644.
    """
    carrier, passenger = own_unit(position, side, order.carrier), own_unit(position, side, order.passenger)
    if carrier is None or passenger is None or carrier.hex != passenger.hex:
        return Refusal(ABOARD, "carrier and passenger must be units of yours in one hex")
    if not can_carry(carrier.kind, passenger.kind):
        return Refusal(ABOARD, f"a {kind(carrier).name} can't carry a {kind(passenger).name}")
    refusal = _cannot_handle(position, carrier)
    if refusal is not None:
        return refusal
    if passenger_of(position, carrier.id) is not None:
        return Refusal(ABOARD, f"{kind(carrier).name} carries a unit already")
    if passenger.carrier != NOBODY or passenger.transported:
        return Refusal(ONCE, f"{kind(passenger).name} loads, rides or unloads this segment already")
    if passenger.fort != NOBODY:
        return Refusal(RuleId("PL-1321"), f"{kind(passenger).name} is inside a fortification")
    if passenger.fired or passenger.dispersed:
        return Refusal(FIRED, f"{kind(passenger).name} has fired or is dispersed")
    return _cannot_afford(position, carrier, passenger)


def check_unload(position: Position, side: SideId, order: UnloadUnit) -> Refusal | None:
    """Why the carrier can't set its passenger down, or None.

    Rules: PL-401, PL-642, PL-643, PL-644, PL-902.
    """
    carrier = own_unit(position, side, order.carrier)
    passenger = None if carrier is None else passenger_of(position, carrier.id)
    if carrier is None or passenger is None:
        return Refusal(ABOARD, "there is no such carrier of yours with a passenger")
    refusal = _cannot_handle(position, carrier)
    if refusal is not None:
        return refusal
    if not has_room(position, carrier.hex):
        return Refusal(RuleId("PL-401"), "the hex is full")
    return _cannot_afford(position, carrier, passenger)


def _charged(position: Position, carrier: Unit, passenger: Unit, dropped: UnitId = NOBODY) -> Mover:
    """The carrier's account after it has loaded or unloaded, before its move or after it (PL-642)."""
    now = account(position, carrier) or Mover(carrier.id, carrier.hex)
    return Mover(
        carrier.id,
        now.start,
        now.spent + handling_cost(carrier, passenger),
        now.hexes,
        LAST if now.hexes else FIRST,
        now.exposure,
        now.gait,
        now.on_road,
        dropped,
    )


def resolve_load(resolution: Resolution[Position], side: SideId, order: LoadUnit) -> None:
    """The passenger is aboard, and the carrier has paid for it."""
    begin_move(resolution, order.carrier)
    position = resolution.position
    carrier, passenger = position.units[order.carrier], position.units[order.passenger]
    resolution.emit(UnitLoaded(carrier.id, passenger.id, _charged(position, carrier, passenger)))
    works.left(resolution, passenger.id, passenger.hex)


def resolve_unload(resolution: Resolution[Position], side: SideId, order: UnloadUnit) -> None:
    """The passenger stands beside its carrier, which has paid for it; enemies who have watched may fire at both.

    Rules: PL-642, PL-1502, PL-1602.
    """
    begin_move(resolution, order.carrier)
    position = resolution.position
    carrier, passenger = position.units[order.carrier], passenger_of(position, order.carrier)
    assert passenger is not None
    now = _charged(position, carrier, passenger, passenger.id)
    resolution.emit(UnitUnloaded(carrier.id, passenger.id, now))
    victory.take_control(resolution, carrier.hex, side)
    window = opportunity.halt(resolution, carrier.id)
    if window is not None:
        resolution.push(window)


def load_options(position: Position, side: SideId, unit: Unit) -> Iterator[LoadUnit]:
    """What a carrier can take aboard where it stands."""
    if not unit.hex or not KINDS[unit.kind].is_vehicle or passenger_of(position, unit.id) is not None:
        return
    for other in units_at(position, unit.hex):
        order = LoadUnit(unit.id, other.id)
        if other.id != unit.id and check_load(position, side, order) is None:
            yield order


def unload_options(position: Position, side: SideId, unit: Unit) -> Iterator[UnloadUnit]:
    """What a carrier can set down where it stands."""
    order = UnloadUnit(unit.id)
    if unit.hex and KINDS[unit.kind].is_vehicle and check_unload(position, side, order) is None:
        yield order
