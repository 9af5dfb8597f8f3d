"""Sending deception units out.

Rules: PB-DEC-2, PB-DEC-5.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import clock, index
from sandtable.rulesets.panzer_battles.deception.events import DeceptionDeployed, DeceptionPrevented
from sandtable.rulesets.panzer_battles.deception.orders import DeployDeception
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.refusals import NOT_YOURS, refuse

WATERS = frozenset({"water", "shallow_water", "impassible"})


def deceivers(position: Position, side: SideId) -> list[Unit]:
    """The deception units of a side, available and deployed.

    Rules: PB-DEC-1, PB-DEC-5.
    """
    return [
        unit for unit in position.units if unit.side == side and (unit.hex or unit.posted) and unit.has("deception")
    ]


def place_of(unit: Unit) -> HexId:
    """Where a deception unit is, with a counter or without."""
    return unit.posted or unit.hex


def reach(position: Position, unit: Unit) -> int:
    """How far a deception unit can be sent: farther from its counter than from a hex where it is deployed.

    Rules: PB-DEC-4.
    """
    deception = position.parameters.deception
    times = deception.redeploy_multiplier if unit.posted else deception.deploy_multiplier
    return times * deception.range.of(unit.side)


def cannot_deploy(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What in a deception unit itself keeps it from being sent out.

    Rules: PB-DEC-1, PB-DEC-2, PB-DEC-3, PB-DEC-4, PB-MOVE-49.
    """
    if not unit.has("deception"):
        return refuse("PB-DEC-1", "it is no deception unit")
    if unit.carrier != NOBODY:
        return refuse("PB-MOVE-49", "it is carried")
    if unit.has_acted:
        return refuse("PB-DEC-3", "it has moved or been deployed this turn")
    if unit.posted and not clock.is_midnight_turn(position.ground, position.minutes):
        return refuse("PB-DEC-2", "it can be sent elsewhere at midnight only")
    if not reach(position, unit):
        return refuse("PB-DEC-4", "its side has no means of deception")
    return None


def check_deploy(position: Position, side: SideId, order: DeployDeception) -> Refusal | None:
    """Rules: PB-DEC-2, PB-DEC-3, PB-DEC-4, PB-DEC-7."""
    if not 0 <= order.unit < len(position.units):
        return refuse("PB-GEN-3", "there is no such unit")
    unit = position.units[order.unit]
    if unit.side != side:
        return NOT_YOURS
    if not place_of(unit):
        return refuse("PB-UNIT-8", "it is off the map")
    refusal = cannot_deploy(position, side, unit)
    if refusal is not None:
        return refusal
    board = position.ground.board
    if not board.is_on(order.hex) or board.terrain[order.hex] in WATERS:
        return refuse("PB-DEC-7", "it works on land")
    far = board.distance(place_of(unit), order.hex)
    if far > reach(position, unit):
        return refuse("PB-DEC-4", f"it can be sent {reach(position, unit)} hexes far", f"{far} hexes away")
    if any(other.side != side for other in index.at(position, order.hex)):
        return refuse("PB-DEC-7", "an enemy is there")
    return None


def resolve_deploy(resolution: Resolution[Position], side: SideId, order: DeployDeception) -> None:
    """The unit works unseen in the hex, unless an enemy turns out to be there (PB-DEC-7)."""
    there = index.at(resolution.position, order.hex)
    kind = DeceptionPrevented if any(other.side != side for other in there) else DeceptionDeployed
    resolution.emit(kind(side, order.unit, order.hex))


def deploy_options(position: Position, side: SideId, unit: Unit) -> Iterator[DeployDeception]:
    """Every hex that a deception unit can be sent to."""
    if cannot_deploy(position, side, unit) is not None:
        return
    board, far = position.ground.board, reach(position, unit)
    for place in board.hexes:
        if board.distance(place, place_of(unit)) <= far:
            order = DeployDeception(unit.id, HexId(place))
            if check_deploy(position, side, order) is None:
                yield order


def picked(position: Position, ids: tuple[UnitId, ...]) -> list[Unit]:
    """The deception units among picked pieces."""
    units = (position.units[id] for id in ids if 0 <= id < len(position.units))
    return [unit for unit in units if unit.hex and unit.has("deception")]
