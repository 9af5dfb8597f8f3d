"""Columns: the units of a division that stand hex by hex follow each other along the way.

A column is planned on what its side knows; what the truth has in store meets each unit on its own way.

Rules: PB-MOVE-120, PB-MOVE-121, PB-MOVE-122, PB-MOVE-123.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.geometry.reach import Reacher
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.formations import chain
from sandtable.rulesets.panzer_battles.model import TRAVEL, Position, Unit, with_units
from sandtable.rulesets.panzer_battles.movement import modes, moves, paths
from sandtable.rulesets.panzer_battles.movement.costs import Mobility, layers
from sandtable.rulesets.panzer_battles.movement.orders import MoveColumn
from sandtable.rulesets.panzer_battles.movement.stacking import has_road_room, has_room
from sandtable.rulesets.panzer_battles.operations import holds_bridge
from sandtable.rulesets.panzer_battles.orders import ChangeMode, Move
from sandtable.rulesets.panzer_battles.parameters import column
from sandtable.rulesets.panzer_battles.refusals import own, refuse

DIVISIONS = ("division", "brigade")
BY_ROAD = Mobility(column("motorized"), travels=True, weight="medium")
"""How the ways of a column are measured (PB-MOVE-121)."""

NO_WAY = 1_000_000
"""Farther than any way on a map."""


def division_of(position: Position, unit: Unit) -> str:
    """The division or brigade that a unit belongs to, or the highest organization above it.

    Rules: PB-MOVE-120.
    """
    above = list(chain(position, unit.formation))
    return next((one.id for one in above if one.level in DIVISIONS), above[-1].id)


def _of_one_division(position: Position, side: SideId, place: HexId) -> str:
    """The division whose units alone are in a hex; empty where there are several or none (PB-MOVE-122)."""
    there = {division_of(position, unit) for unit in index.at(position, place) if unit.side == side}
    return there.pop() if len(there) == 1 else ""


def members(position: Position, side: SideId, start: HexId, goal: HexId) -> list[Unit]:
    """The units that would march from a hex, from it on hex by hex, those with the shortest way to the goal first.

    Rules: PB-MOVE-121, PB-MOVE-122.
    """
    board, division = position.ground.board, _of_one_division(position, side, start)
    found, edge = [start], [start]
    while edge and division:
        beside = {HexId(place) for here in edge for place in board.neighbors(here)} - set(found)
        edge = sorted(place for place in beside if _of_one_division(position, side, place) == division)
        found += edge
    units = [unit for place in found for unit in index.at(position, place) if unit.side == side]
    able = [
        unit
        for unit in units
        if not holds_bridge(unit) and moves.cannot_move(position, side, _traveling(position, side, unit)) is None
    ]
    far = _far(position, goal)
    return sorted(able, key=lambda unit: (far[unit.hex], unit.id)) if division else []


def _far(position: Position, goal: HexId) -> list[int]:
    """How far each hex is from a goal by the cheapest way on wheels, roads used.

    Rules: PB-MOVE-121.
    """
    sources = (position.sides, position.features, position.weather)
    kept: dict[HexId, list[int]] = position.derived.part("ways of columns", sources, dict)
    if goal not in kept:
        board = position.ground.board
        reacher = position.ground.once("column reacher", lambda: Reacher(board))
        costs = reacher.flood([goal], layers(position, BY_ROAD).with_roads, bytes(board.size))
        # a march is planned goal by goal: the last one is enough to remember
        kept.clear()
        kept[goal] = [cost if cost >= 0 else NO_WAY for cost in costs]
    return kept[goal]


def _traveling(position: Position, side: SideId, unit: Unit) -> Unit:
    """A unit in Travel Mode, where it can be."""
    if unit.mode == TRAVEL or modes.check_change(position, side, ChangeMode(unit.id, TRAVEL)) is not None:
        return unit
    return replace(unit, mode=TRAVEL, mp=modes.points_after(position, unit, TRAVEL))


class Routes:
    """The ways of the units of a column, each looked for once.

    Those ahead make room as they go: a way is looked for as if its unit took none, from before anybody has marched.
    """

    def __init__(self, position: Position) -> None:
        self._position = position
        self._known: dict[UnitId, paths.Ways] = {}

    def to(self, unit: Unit, goal: HexId) -> Iterator[tuple[HexId, int]]:
        """The whole way of a unit to a goal, however many points it takes: each hex with what it costs while nobody is
        in it.
        """
        if unit.id not in self._known:
            eager = replace(unit, mp=paths.FAR, strength=0)
            self._known[unit.id] = paths.ways(with_units(self._position, (eager,)), eager)
        spent = 0
        for to, so_far in self._known[unit.id].priced(goal):
            yield to, so_far - spent
            spent = so_far


def _way(position: Position, unit: Unit, goal: HexId, ahead: int, routes: Routes) -> tuple[HexId, ...]:
    """As much of its way to a goal as a unit can go now without coming nearer to it than the unit ahead.

    Rules: PB-MOVE-121.
    """
    spent, here, far, held = 0, unit.hex, _far(position, goal), index.occupancy(position)
    way: list[HexId] = []
    for to, cost in routes.to(unit, goal):
        if far[to] < ahead:
            break
        if held.at(to):
            cost = paths.step(position, unit, here, to).cost
            if not has_room(position, to, (unit,)):
                break
            if position.ground.board.roads[to] and not has_road_room(position, to, unit):
                break
        if cost <= 0 or spent + cost > unit.mp:
            break
        spent, here = spent + cost, to
        way.append(to)
    return tuple(way)


def plan(position: Position, side: SideId, start: HexId, goal: HexId, routes: Routes | None = None) -> MoveColumn:
    """The march of a column from a hex to a goal, as far as its side can foresee it."""
    routes = routes or Routes(position)
    ids: list[UnitId] = []
    ways: list[tuple[HexId, ...]] = []
    ahead = 0
    for unit in members(position, side, start, goal):
        traveler = _traveling(position, side, unit)
        position = with_units(position, (traveler,))
        way = _way(position, traveler, goal, ahead, routes)
        last = way[-1] if way else traveler.hex
        ahead = _far(position, goal)[last]
        position = with_units(position, (replace(traveler, hex=last),))
        if way:
            ids.append(unit.id)
            ways.append(way)
    return MoveColumn(tuple(ids), tuple(ways))


def check_column(position: Position, side: SideId, order: MoveColumn) -> Refusal | None:
    """Rules: PB-MOVE-120, PB-MOVE-121."""
    if not order.units or len(order.units) != len(order.paths) or len(set(order.units)) < len(order.units):
        return refuse("PB-MOVE-120", "nobody of one division can march there in a column")
    for id, path in zip(order.units, order.paths, strict=True):
        unit = own(position, side, id)
        if isinstance(unit, Refusal):
            return unit
        traveler = _traveling(position, side, unit)
        position = with_units(position, (traveler,))
        refusal = moves.check_move(position, side, Move((id,), path))
        if refusal is not None:
            return refusal
        position = with_units(position, (replace(traveler, hex=path[-1]),))
    return None


def setting_out(position: Position, side: SideId, order: MoveColumn) -> Position:
    """The column before its first step, everybody in Travel Mode who can be."""
    return with_units(position, tuple(_traveling(position, side, position.units[id]) for id in order.units))


def marches(order: MoveColumn) -> tuple[Move, ...]:
    """The moves of which a march consists, the head's first."""
    return tuple(Move((id,), path) for id, path in zip(order.units, order.paths, strict=True))


def resolve_column(resolution: Resolution[Position], side: SideId, order: MoveColumn) -> None:
    """Each unit has marched behind the one ahead, as far as the truth and the room left let it.

    Rules: PB-MOVE-120, PB-MOVE-121.
    """
    for id, path in zip(order.units, order.paths, strict=True):
        unit = resolution.position.units[id]
        change = ChangeMode(id, TRAVEL)
        if unit.mode != TRAVEL and modes.check_change(resolution.position, side, change) is None:
            modes.resolve_change(resolution, side, change)
        way = _open_way(resolution.position, side, id, path)
        if way and moves.cannot_move(resolution.position, side, resolution.position.units[id]) is None:
            moves.resolve_move(resolution, side, Move((id,), way))


def _open_way(position: Position, side: SideId, id: UnitId, path: tuple[HexId, ...]) -> tuple[HexId, ...]:
    """The way as far as no friends who did not get on are in it; none for who is lost."""
    unit = position.units[id]
    if not unit.hex:
        return ()
    for number, place in enumerate(path):
        friends = any(other.side == side for other in index.at(position, place))
        if friends and not has_room(position, place, (unit,)):
            return path[:number]
    return path


def column_offers(position: Position, side: SideId, unit: Unit) -> Iterator[MoveColumn]:
    """The marches of the column of a unit to the road hexes that its head could come to; worked out once for all who
    ask before anything changes.
    """
    known = position.derived.answers("columns", position.units)
    if unit.id not in known:
        known[unit.id] = tuple(_marches(position, side, unit))
    yield from known[unit.id]


def _marches(position: Position, side: SideId, unit: Unit) -> Iterator[MoveColumn]:
    if len(members(position, side, unit.hex, unit.hex)) < 2:
        return
    head, routes = _traveling(position, side, unit), Routes(position)
    goals = (goal for goal in paths.goals(with_units(position, (head,)), head) if position.ground.board.roads[goal])
    marches = (plan(position, side, unit.hex, goal, routes) for goal in goals)
    # ways to different goals may end where the points do; a march as planned is lawful if anybody goes
    yield from {order.paths[0][-1]: order for order in marches if order.units}.values()
