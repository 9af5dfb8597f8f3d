"""Mounting and dismounting.

Rules: P8-6.10, P8-6.11.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, not_yours, refuse, show
from sandtable.rulesets.panzer8.close_combat import combat_of
from sandtable.rulesets.panzer8.events import Dismounted, Mounted
from sandtable.rulesets.panzer8.kinds import GUN
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.movement import step_cost
from sandtable.rulesets.panzer8.movement_table import FULL_MOVE, HANDLING
from sandtable.rulesets.panzer8.orders import Dismount, Mount
from sandtable.rulesets.panzer8.stacks import element_at, kind_of, on_table, passengers
from sandtable.rulesets.panzer8.victory import take_ground
from sandtable.rulesets.panzer8.workings import Gait


def cannot_handle(position: Position, side: SideId, carrier: Element) -> Refusal | None:
    """Why a carrier can't take anybody aboard or set him down now, or None: it may have moved half before."""
    refusal = cannot_act(position, side, carrier.id, "mount")
    if refusal is None or refusal.rule != "P8-4.03" or not _has_moved(position, carrier):
        return refusal
    return None if _goes_on(position, carrier) else refuse("P8-6.10", "it has not half its move left")


def _has_moved(position: Position, carrier: Element) -> bool:
    """Whether the latest thing that was done was a move of this carrier."""
    return position.latest == carrier.id and position.doing == "move"


def _goes_on(position: Position, carrier: Element) -> bool:
    """Whether a carrier has just moved and has half its move left, so that handling a passenger is part of its move."""
    return _has_moved(position, carrier) and carrier.spent + HANDLING <= FULL_MOVE


def check_mount(position: Position, side: SideId, order: Mount) -> Refusal | None:
    """Why the carrier can't take that friend aboard, or None."""
    refusal = not_yours(position, side, order.unit) or not_yours(position, side, order.passenger)
    if refusal is not None:
        return refusal
    carrier, rider = position.elements[order.unit], position.elements[order.passenger]
    refusal = cannot_handle(position, side, carrier) or cannot_act(position, side, rider.id, "mount")
    if refusal is not None:
        return refusal
    if not kind_of(carrier).has("tow"):
        return refuse("P8-2.03", "it neither tows nor carries")
    if passengers(position, carrier.id):
        return refuse("P8-2.03", "it carries somebody already")
    if not kind_of(rider).is_on_foot:
        return refuse("P8-6.10", "only men on foot, weapons and guns are carried or towed")
    if combat_of(position, rider.id) is not None:
        return refuse("P8-4.04", "it has declared a close combat")
    if position.ground.board.distance(carrier.hex, rider.hex) != 1:
        return refuse("P8-6.10", "the passenger must be next to the carrier")
    return None


def resolve_mount(resolution: Resolution[Position], side: SideId, order: Mount) -> None:
    """The friend is aboard; half of the carrier's move is gone."""
    show(resolution, order.passenger, moves=True)
    resolution.emit(Mounted(order.unit, order.passenger, _begin(resolution, order.unit)))


def _begin(resolution: Resolution[Position], unit: int) -> int:
    """What the carrier has spent once it has handled a passenger."""
    position = resolution.position
    carrier = position.elements[unit]
    if _goes_on(position, carrier):
        return carrier.spent + HANDLING
    begin_action(resolution, carrier.id, "handle")
    return HANDLING


def mount_options(position: Position, side: SideId, element: Element) -> Iterator[Mount]:
    if not kind_of(element).has("tow") or passengers(position, element.id):
        return
    for rider in on_table(position, side):
        order = Mount(element.id, rider.id)
        if check_mount(position, side, order) is None:
            yield order


def check_dismount(position: Position, side: SideId, order: Dismount) -> Refusal | None:
    """Why the carrier can't set its passenger down there, or None."""
    refusal = not_yours(position, side, order.unit)
    if refusal is not None:
        return refusal
    carrier, board = position.elements[order.unit], position.ground.board
    refusal = cannot_handle(position, side, carrier)
    if refusal is not None:
        return refusal
    aboard = passengers(position, carrier.id)
    if not aboard:
        return refuse("P8-6.10", "it carries nobody")
    if aboard[0].handled:
        return refuse("P8-6.10", "its passenger mounted in this turn")
    if not board.is_on(order.hex) or board.distance(carrier.hex, order.hex) != 1:
        return refuse("P8-6.10", "a passenger dismounts next to its carrier")
    if element_at(position, order.hex) is not None:
        return refuse("P8-1.05", "somebody stands there")
    if step_cost(position, _on_foot(aboard[0]), carrier.hex, board.direction(carrier.hex, order.hex)) is None:
        return refuse("P8-6.01", "that ground is impassable to its passenger")
    return None


def _on_foot(rider: Element) -> Gait:
    """How a passenger moves by itself; a gun by the row of its tow."""
    return Gait(("HD" if kind_of(rider).kind == GUN else kind_of(rider).move,))


def resolve_dismount(resolution: Resolution[Position], side: SideId, order: Dismount) -> None:
    """The passenger stands beside its carrier; half of the carrier's move is gone."""
    rider = passengers(resolution.position, order.unit)[0]
    spent = _begin(resolution, order.unit)
    resolution.emit(Dismounted(order.unit, rider.id, order.hex, spent))
    show(resolution, rider.id, moves=True)
    take_ground(resolution, rider.id)


def dismount_options(position: Position, side: SideId, element: Element) -> Iterator[Dismount]:
    if not passengers(position, element.id):
        return
    for place in position.ground.board.neighbors(element.hex):
        order = Dismount(element.id, HexId(place))
        if check_dismount(position, side, order) is None:
            yield order
