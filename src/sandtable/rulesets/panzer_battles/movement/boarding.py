"""Boarding and setting down, and what becomes of passengers whose carrier is hit.

Rules: PB-MOVE-47, PB-MOVE-48, PB-MOVE-55.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import mixed
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import RAIL, Position, Unit
from sandtable.rulesets.panzer_battles.movement.carrying import (
    can_carry,
    carries_inside,
    is_external,
    load,
    passengers,
    room_for,
)
from sandtable.rulesets.panzer_battles.movement.costs import mobility, part_cost
from sandtable.rulesets.panzer_battles.movement.events import Boarded, Dismounted
from sandtable.rulesets.panzer_battles.movement.orders import Carry, Uncarry
from sandtable.rulesets.panzer_battles.movement.stacking import has_room
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.operations import BRIDGING, is_at
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.results.suffering import forfeit
from sandtable.rulesets.panzer_battles.tallying import points_left
from sandtable.rulesets.panzer_battles.terrain import terrain_at

Bench = Resolution[Position]


def carry_cost(position: Position, unit: Unit) -> int:
    """What boarding or setting down costs a unit, be it carrier or passenger (PB-MOVE-48)."""
    return part_cost(position, unit, position.parameters.carry.carry_cost_fraction)


def is_unfit(position: Position, unit: Unit) -> Refusal | None:
    """What keeps a unit from boarding or setting down whoever it is with.

    Rules: PB-ENG-43, PB-MOVE-12, PB-MOVE-48, PB-MOVE-55, PB-MOVE-98.
    """
    if unit.is_shaken:
        return refuse(
            "PB-MOVE-55", "Disrupted and Broken units neither board nor set down", unit_name(position, unit.id)
        )
    if unit.fixed:
        return refuse("PB-MOVE-98", "it is fixed and may not move yet", unit_name(position, unit.id))
    if is_at(unit, *BRIDGING):
        return refuse("PB-MOVE-12", "it has a bridge in hand", unit_name(position, unit.id))
    cost = carry_cost(position, unit)
    if unit.mp < cost:
        return refuse("PB-MOVE-48", "it has not the movement points left", f"{cost} needed, {unit.mp} left")
    return None


def may_stand(position: Position, unit: Unit, carrier: Unit) -> bool:
    """Whether a unit could be by itself where its carrier is (PB-MOVE-55)."""
    costs = position.parameters.movement.terrain[terrain_at(position, carrier.hex)]
    by_road = unit.is_traveling and bool(position.ground.board.roads[carrier.hex])
    return by_road or costs[mobility(unit).column] != PROHIBITED


def no_ride(position: Position, carrier: Unit, unit: Unit) -> Refusal | None:
    """Why a unit can't board a carrier.

    Rules: PB-MOVE-30, PB-MOVE-45, PB-MOVE-47, PB-MOVE-55, PB-UNIT-11.
    """
    if unit.hex != carrier.hex:
        return refuse("PB-MOVE-47", "passengers and carrier are in one hex")
    if unit.id == carrier.id or passengers(position, unit) or not room_for(carrier, unit, position.parameters):
        what = "it can't carry such a unit" if carries_inside(carrier) else "only men of foot type ride on the outside"
        return refuse("PB-MOVE-45", what, unit_name(position, unit.id))
    if unit.is_immobile:
        return refuse("PB-UNIT-11", "it never moves", unit_name(position, unit.id))
    if RAIL in (unit.mode, carrier.mode):
        return refuse("PB-MOVE-30", "who is on a train leaves it first")
    if not may_stand(position, unit, carrier):
        return refuse("PB-MOVE-55", "it could not be in this hex by itself")
    return is_unfit(position, unit)


def check_carry(position: Position, side: SideId, order: Carry) -> Refusal | None:
    """Rules: PB-MOVE-46, PB-MOVE-47, PB-MOVE-48, PB-MOVE-55."""
    carrier = own(position, side, order.carrier)
    if isinstance(carrier, Refusal):
        return carrier
    if not can_carry(carrier):
        return refuse("PB-MOVE-47", "it carries nobody")
    refusal = is_unfit(position, carrier)
    if refusal is not None:
        return refusal
    if not order.units or len(set(order.units)) < len(order.units):
        return refuse("PB-MOVE-47", "somebody is to board, and nobody twice")
    boarding: list[Unit] = []
    for id in order.units:
        unit = own(position, side, id)
        refusal = unit if isinstance(unit, Refusal) else no_ride(position, carrier, unit)
        if refusal is not None:
            return refusal
        assert isinstance(unit, Unit)
        boarding.append(unit)
    taken = load(carrier, [*passengers(position, carrier), *boarding], position.parameters)
    return refuse("PB-MOVE-46", "there is not so much room", f"{mixed(taken)} of it") if taken > 1 else None


def resolve_carry(resolution: Bench, side: SideId, order: Carry) -> None:
    """The units ride on their carrier (PB-MOVE-47)."""
    position = resolution.position
    points = tuple(
        position.units[id].mp - carry_cost(position, position.units[id]) for id in (order.carrier, *order.units)
    )
    resolution.emit(Boarded(side, order.carrier, order.units, points))


def check_uncarry(position: Position, side: SideId, order: Uncarry) -> Refusal | None:
    """Rules: PB-MOVE-47, PB-MOVE-48, PB-MOVE-55."""
    carrier = own(position, side, order.carrier)
    return carrier if isinstance(carrier, Refusal) else no_landing(position, side, carrier)


def no_landing(position: Position, side: SideId, carrier: Unit) -> Refusal | None:
    """Why a carrier can't set everybody down where it is; who comes from a ship has not counted there before.

    Rules: PB-MOVE-47, PB-MOVE-55, PB-STK-2, PB-STK-3.
    """
    aboard = passengers(position, carrier)
    if not aboard:
        return refuse("PB-MOVE-47", "it carries nobody")
    for unit in (carrier, *aboard):
        refusal = is_unfit(position, unit)
        if refusal is not None:
            return refusal
    if not all(may_stand(position, unit, carrier) for unit in aboard):
        return refuse("PB-MOVE-55", "who is set down could not be in this hex")
    landed = [replace(unit, carrier=NOBODY) for unit in aboard]
    if carrier.of.component == SHIPS and not has_room(position, carrier.hex, landed):
        return refuse("PB-STK-2", f"no more than {position.parameters.stacking.max} men fit into a hex")
    return None


def resolve_uncarry(resolution: Bench, side: SideId, order: Uncarry) -> None:
    """Everybody is set down (PB-MOVE-47)."""
    position = resolution.position
    carrier = position.units[order.carrier]
    units = [carrier, *passengers(position, carrier)]
    points = tuple(unit.mp - carry_cost(position, unit) for unit in units)
    resolution.emit(Dismounted(side, carrier.id, tuple(unit.id for unit in units[1:]), points))


def carry_options(position: Position, side: SideId, unit: Unit) -> Iterator[Carry]:
    """Every carrier in its hex that a unit could board."""
    for carrier in index.at(position, unit.hex):
        order = Carry((unit.id,), carrier.id)
        if can_carry(carrier) and check_carry(position, side, order) is None:
            yield order


def uncarry_options(position: Position, side: SideId, unit: Unit) -> Iterator[Uncarry]:
    if no_landing(position, side, unit) is None:
        yield Uncarry(unit.id)


def explain_carry(position: Position, side: SideId, order: Carry) -> tuple[Tally, ...]:
    """How much of the room is taken, and what boarding leaves each of them.

    Rules: PB-MOVE-46, PB-MOVE-48.
    """
    carrier = position.units[order.carrier]
    aboard = [*passengers(position, carrier), *(position.units[id] for id in order.units)]
    lines = tuple(
        Line(unit_name(position, unit.id), mixed(load(carrier, (unit,), position.parameters)), RuleId("PB-MOVE-46"))
        for unit in aboard
    )
    room = Tally("Room taken", mixed(load(carrier, aboard, position.parameters)), lines)
    return (room, *_carry_costs(position, [carrier, *(position.units[id] for id in order.units)]))


def explain_uncarry(position: Position, side: SideId, order: Uncarry) -> tuple[Tally, ...]:
    """What setting down leaves the carrier and each of its passengers (PB-MOVE-48)."""
    carrier = position.units[order.carrier]
    return tuple(_carry_costs(position, [carrier, *passengers(position, carrier)]))


def _carry_costs(position: Position, units: list[Unit]) -> Iterator[Tally]:
    for unit in units:
        yield points_left(unit.mp, carry_cost(position, unit), "PB-MOVE-48", unit_name(position, unit.id))


def shake_off(resolution: Bench, carriers: list[Unit]) -> None:
    """Whoever rides on the outside of vehicles in an assault is lost before it is resolved.

    Rules: PB-MOVE-50, PB-ASLT-10.
    """
    for carrier in carriers:
        for unit in passengers(resolution.position, carrier):
            if is_external(resolution.position, unit):
                forfeit(resolution, unit, unit.strength)
