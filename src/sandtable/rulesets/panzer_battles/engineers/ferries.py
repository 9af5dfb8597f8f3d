"""Over water by ferry, or in the boats of engineers.

Rules: PB-MOVE-93, PB-ENG-53, PB-ENG-56.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.engineers.bridges import is_ground
from sandtable.rulesets.panzer_battles.engineers.events import SideChanged
from sandtable.rulesets.panzer_battles.engineers.orders import FerryAcross
from sandtable.rulesets.panzer_battles.engineers.states import is_boat_crew, is_engineer
from sandtable.rulesets.panzer_battles.events import Bumped
from sandtable.rulesets.panzer_battles.model import TRAVEL, Position, Unit
from sandtable.rulesets.panzer_battles.movement import moves
from sandtable.rulesets.panzer_battles.movement.carrying import is_held
from sandtable.rulesets.panzer_battles.movement.costs import (
    FERRY,
    FOOT,
    FULL_BRIDGE,
    FULL_FERRY,
    USED_FERRY,
    WATER,
    allowance,
    moves_as,
)
from sandtable.rulesets.panzer_battles.movement.stacking import has_room
from sandtable.rulesets.panzer_battles.operations import BRIDGING, MINING, is_at
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import column
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.spotting import scouting
from sandtable.rulesets.panzer_battles.tallying import points_left
from sandtable.rulesets.panzer_battles.terrain import features_on, terrain_at

BOAT_WATERS = frozenset({"river", "canal"})
MEN_IN_BOATS = frozenset({"ski", "bicycle", "horse"})
"""The classes that fit into a boat if they are of men; who goes on foot does with his mortars (PB-ENG-53)."""


def ready_again(sides: Mapping[int, frozenset[str]]) -> Mapping[int, frozenset[str]]:
    """Hexsides on which every ferry is free again.

    Rules: PB-MOVE-93, PB-MOVE-95, PB-TURN-2.
    """
    if not any(USED_FERRY in found for found in sides.values()):
        return sides
    return {key: (found - {USED_FERRY}) | {FERRY} if USED_FERRY in found else found for key, found in sides.items()}


def cannot_embark(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What in a unit keeps it from going over water by boat.

    Rules: PB-MOVE-93, PB-ENG-53.
    """
    if is_held(position, unit):
        return refuse("PB-MOVE-98", "it is fixed and may not move yet")
    if unit.is_shaken or unit.mode != TRAVEL:
        return refuse("PB-MOVE-93", "only a unit in Travel Mode and in good order goes over by boat")
    if is_at(unit, *BRIDGING):
        return refuse("PB-ENG-43", "it has a bridge in hand")
    if unit.mp < allowance(position, unit):
        return refuse("PB-MOVE-93", "it takes the whole of an unspent allowance")
    return None


def fits_in_boats(unit: Unit) -> bool:
    """Whether a unit leaves nothing behind when it goes by boat.

    Rules: PB-ENG-53.
    """
    how = moves_as(unit, unit.mode)
    return how == FOOT or (unit.of.is_men and how in MEN_IN_BOATS)


def _crews(position: Position, unit: Unit, place: HexId) -> list[Unit]:
    """Who could ferry a unit to a hex: engineers at either end, or itself.

    Rules: PB-ENG-53, PB-ENG-54, PB-ENG-55.
    """
    there = [*index.at(position, unit.hex), *index.at(position, place)]
    friends = (one for one in there if one.side == unit.side)
    crews = [one for one in friends if is_boat_crew(one) and one.mp >= allowance(position, one)]
    return [*crews, unit] if is_engineer(unit) else crews


def no_passage(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't go over to a hex by boat.

    Rules: PB-MOVE-93, PB-ENG-53, PB-ENG-55, PB-ENG-56.
    """
    board = position.ground.board
    direction = board.direction(unit.hex, place)
    if direction < 0:
        return refuse("PB-ENG-53", "boats go to a neighboring hex")
    if any(other.side != unit.side for other in index.at(position, place)):
        return refuse("PB-MOVE-14", "an enemy stands in the way")
    if not has_room(position, place, (unit,)):
        return refuse("PB-STK-2", "there is no room for it")
    if board.terrain[place] == WATER:
        return _no_water(position, unit, place)
    column_ = column(moves_as(unit, unit.mode))
    if position.parameters.movement.terrain[terrain_at(position, place)][column_] == PROHIBITED:
        return refuse("PB-MOVE-7", "the ground lets it not pass")
    across = features_on(position, unit.hex, direction)
    if FERRY in across and not unit.parts:
        return None
    if not across & BOAT_WATERS:
        return refuse("PB-ENG-53", "there is no river or canal to be crossed")
    if fits_in_boats(unit) and _crews(position, unit, place):
        return None
    if FERRY in across:
        return refuse("PB-MOVE-93", "the ferry takes no combined unit")
    if USED_FERRY in across:
        return refuse("PB-MOVE-93", "the ferry has gone over this turn")
    if not fits_in_boats(unit):
        return refuse("PB-ENG-53", "there is no ferry, and it does not fit into boats")
    return _no_crew(position, unit, place)


def _no_crew(position: Position, unit: Unit, place: HexId) -> Refusal:
    """That nobody takes a unit over, and what those lack who could.

    Rules: PB-ENG-53.
    """
    there = (*index.at(position, unit.hex), *index.at(position, place))
    if any(one.side == unit.side and is_engineer(one) for one in there):
        needed = "deployed, in good order, at no other work and with all their points"
        return refuse("PB-ENG-53", f"engineers who take others over must be {needed}")
    return refuse("PB-ENG-53", "there is no ferry, and no engineers are on either bank to take it over in boats")


def _no_water(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't be ferried into a Water hex.

    Rules: PB-ENG-56.
    """
    board = position.ground.board
    is_bridged = board.has_feature(place, FULL_BRIDGE) or features.find(position, place, features.PONTOON)
    if is_bridged or board.has_feature(place, FULL_FERRY):
        return refuse("PB-ENG-56", "there is a bridge or a ferry in that hex")
    if index.at(position, place):
        return refuse("PB-ENG-56", "one unit at a time is ferried in a Water hex")
    crews = [one for one in _crews(position, unit, place) if one.has("has_boats") and not is_at(one, *MINING)]
    if not fits_in_boats(unit) or not crews or not is_ground(position, unit.hex):
        return refuse("PB-ENG-56", "no engineers with boats could take it there")
    return None


def check_ferry(position: Position, side: SideId, order: FerryAcross) -> Refusal | None:
    """Rules: PB-MOVE-93, PB-ENG-53, PB-ENG-56."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    return cannot_embark(position, side, unit) or no_passage(position, unit, order.hex)


def passages(position: Position, unit: Unit) -> list[HexId]:
    """The neighboring hexes to which a unit could go by boat."""
    beside = (HexId(place) for place in position.ground.board.neighbors(unit.hex))
    return [place for place in beside if no_passage(position, unit, place) is None]


def shores(position: Position, unit: Unit) -> list[HexId]:
    """The neighboring hexes that lie beyond a river or canal."""
    board = position.ground.board
    beside = (HexId(place) for place in board.neighbors(unit.hex))
    return [to for to in beside if features_on(position, unit.hex, board.direction(unit.hex, to)) & BOAT_WATERS]


def is_at_water(position: Position, unit: Unit) -> bool:
    """Whether anything could go by boat from where a unit is."""
    board = position.ground.board
    return any(board.terrain[place] == WATER for place in board.neighbors(unit.hex)) or bool(shores(position, unit))


def cannot_go(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit on its bank: something in itself, or that nobody takes it over."""
    refusal = cannot_embark(position, side, unit)
    if refusal is not None or passages(position, unit):
        return refusal
    beyond = shores(position, unit)
    return no_passage(position, unit, beyond[0]) if beyond else None


def resolve_ferry(resolution: Resolution[Position], side: SideId, order: FerryAcross) -> None:
    """The unit is over the water, for all its points; the ferry is used for this turn. A crossing is a move, after
    which scouts look around.

    Rules: PB-MOVE-93, PB-MOVE-95, PB-ENG-53, PB-ENG-56, PB-SPOT-23.
    """
    position = resolution.position
    unit = position.units[order.unit]
    hidden = tuple(other.id for other in index.at(position, order.hex) if other.side != side)
    if hidden:
        resolution.emit(Bumped(unit.id, order.hex, 0, hidden))
    else:
        _take_over(resolution, unit, order.hex)
    scouting.after_move(resolution, (unit.id,))


def explain_ferry(position: Position, side: SideId, order: FerryAcross) -> tuple[Tally, ...]:
    """That the way over takes all that the unit has.

    Rules: PB-MOVE-93, PB-ENG-53.
    """
    unit = position.units[order.unit]
    rule = "PB-MOVE-93" if _goes_by_ferry(position, unit, order.hex) else "PB-ENG-53"
    return (points_left(unit.mp, unit.mp, rule),)


def _goes_by_ferry(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a unit is taken to a hex by a ferry, and not by boats (PB-MOVE-93)."""
    direction = position.ground.board.direction(unit.hex, place)
    return FERRY in features_on(position, unit.hex, direction) and not unit.parts


def _take_over(resolution: Resolution[Position], unit: Unit, place: HexId) -> None:
    """The unit is over, and a ferry that took it has gone for this turn."""
    position = resolution.position
    if _goes_by_ferry(position, unit, place):
        direction = position.ground.board.direction(unit.hex, place)
        across = features_on(position, unit.hex, direction)
        used = (across - {FERRY}) | {USED_FERRY}
        resolution.emit(SideChanged(unit.hex, direction, tuple(sorted(used)), "The ferry has gone over"))
    moves.enter(resolution, unit.id, place, unit.mp)
