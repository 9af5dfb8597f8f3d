"""What units do beside fighting and marching: bridges, boats, mines, works, and sending deceivers out.

Rules: PB-AI-3.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.deception import deploying
from sandtable.rulesets.panzer_battles.deception.orders import DeployDeception
from sandtable.rulesets.panzer_battles.engineers import bridges, digging, ferries, mines
from sandtable.rulesets.panzer_battles.engineers.orders import BuildBridge, ClearMines, DigIn, FerryAcross
from sandtable.rulesets.panzer_battles.engineers.states import is_boat_crew, is_engineer, may_bridge, may_clear
from sandtable.rulesets.panzer_battles.model import DEPLOYED, TRAVEL, Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.movement import modes, paths
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.operations import BUILDING, HOLDING, is_at
from sandtable.rulesets.panzer_battles.orders import ChangeMode, Move
from sandtable.rulesets.panzer_battles.ways import Crossing, ahead, crossing, nearest_enemy

IN_TOUCH = 12
"""So near a known enemy a unit that stays fortifies its hex (in hexes)."""

UNMOLESTED = 2
"""So far from known enemies mines are cleared (in hexes)."""


# --- over the water -----------------------------------------------------------------------------------------------


def crossings(position: Position, side: SideId, unit: Unit) -> list[Order]:
    """What a unit at the crossing of its side has to do there: build, wait with the boats, or go over.

    Rules: PB-ENG-33, PB-ENG-53.
    """
    site = crossing(position, side)
    if site is None or unit.hex != site.near or unit.is_shaken or unit.operation:
        return []
    if is_engineer(unit):
        return _engineering(position, side, unit, site)
    whole = unit.mp == allowance(position, unit)
    if not whole or not _has_crew(position, site, unit):
        return []
    if unit.mode != TRAVEL:
        ready = ChangeMode(unit.id, TRAVEL)
        is_free = modes.change_cost(position, unit, TRAVEL) == 0 and modes.check_change(position, side, ready) is None
        return [ready] if is_free and ferries.fits_in_boats(unit) else []
    over = FerryAcross(unit.id, site.far)
    return [over] if ferries.check_ferry(position, side, over) is None else []


def _engineering(position: Position, side: SideId, unit: Unit, site: Crossing) -> list[Order]:
    """Engineers deploy; one of them builds, and all who can as long as somebody is left for the boats."""
    if unit.mode != DEPLOYED:
        return list(modes.change_options(position, side, unit))
    order = BuildBridge(unit.id, site.far)
    if not may_bridge(unit) or bridges.check_build(position, side, order) is not None:
        return []
    others = [one for one in index.at(position, site.near) if one.id != unit.id and is_engineer(one)]
    is_building = any(is_at(one, BUILDING, HOLDING) for one in others)
    has_boats = any(not one.operation and not one.is_shaken for one in others)
    return [order] if has_boats or not is_building else []


def _has_crew(position: Position, site: Crossing, unit: Unit) -> bool:
    """Whether engineers are ready with their boats for a unit."""
    crews = (one for one in index.at(position, site.near) if one.side == unit.side and is_boat_crew(one))
    return any(one.mp >= allowance(position, one) for one in crews)


# --- mines --------------------------------------------------------------------------------------------------------


def clearing(position: Position, side: SideId, unit: Unit) -> list[Order]:
    """The clearing of the mines under a unit, or the way to mines on a road that leads its side on.

    Rules: PB-ENG-24, PB-ENG-27.
    """
    if not may_clear(unit) or unit.operation:
        return []
    if features.find(position, unit.hex, *features.BARRIERS):
        order = ClearMines(unit.id)
        return [order] if mines.check_clear(position, side, order) is None else []
    here = ahead(position, unit, unit.hex)
    found = [place for place in _mined_roads(position) if ahead(position, unit, place) < here]
    reached = set(paths.goals(position, unit)) if found else set()
    open_ = [place for place in found if place in reached and _is_quiet(position, side, place)]
    nearest = min(open_, key=lambda place: (-ahead(position, unit, place), place), default=None)
    return [] if nearest is None else [Move((unit.id,), paths.way(position, unit, nearest))]


def _mined_roads(position: Position) -> list[HexId]:
    """The hexes with a road in which mines or obstacles are known to lie."""
    roads = position.ground.board.roads
    return [place for place in position.features if roads[place] and features.find(position, place, *features.BARRIERS)]


def _is_quiet(position: Position, side: SideId, place: HexId) -> bool:
    """Whether nobody clears the hex yet, and no enemy is known beside it."""
    at_work = any(may_clear(one) for one in index.at(position, place))
    return not at_work and nearest_enemy(position, side, place, UNMOLESTED) > UNMOLESTED


# --- works and deceit ---------------------------------------------------------------------------------------------


def works(position: Position, side: SideId, unit: Unit, nearest: int, *, stays: bool) -> Iterator[Order]:
    """What a unit does that stays where it is: a position to fight from, at once where an enemy is near."""
    order = DigIn(unit.id)
    is_idle = not unit.has_acted and not unit.digging_in and not unit.of.has("hq")
    if is_idle and (stays or nearest <= IN_TOUCH) and digging.check_dig(position, side, order) is None:
        yield order


def deceptions(position: Position, side: SideId) -> Iterator[DeployDeception]:
    """Where the deceivers of a side work: as near as they come to an enemy that is known."""
    board = position.ground.board
    foes = [foe.hex for foe in on_map(position, enemy_of(side))]
    for unit in deploying.deceivers(position, side) if foes else ():
        if not unit.posted:
            options = deploying.deploy_options(position, side, unit)
            yield from sorted(options, key=lambda one: (min(board.distance(one.hex, foe) for foe in foes), one.hex))[:1]
