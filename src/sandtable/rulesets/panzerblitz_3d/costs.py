"""What a step from hex to hex costs and where it may not be taken, laid out flat for the search of `geometry.reach`.

Rules: PB3-205, PB3-207, PB3-210, PB3-602, PB3-604, PB3-605, PB3-606, PB3-607.
"""

from __future__ import annotations

from functools import cache
from operator import is_
from typing import Any, NamedTuple

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.geometry.reach import ALTERNATE, FORBIDDEN, MAY_NOT_ENTER, MUST_STOP, Reacher
from sandtable.kernel.ids import NOWHERE, HexId, SideId
from sandtable.rulesets.panzerblitz_3d.ground import Ground
from sandtable.rulesets.panzerblitz_3d.kinds import CAVALRY, FORTS, KINDS
from sandtable.rulesets.panzerblitz_3d.model import SIDES, Position
from sandtable.rulesets.panzerblitz_3d.stacks import occupancy, units_at
from sandtable.rulesets.panzerblitz_3d.terrain import (
    FORBIDDEN as NEVER,
)
from sandtable.rulesets.panzerblitz_3d.terrain import GREEN, GROUND_LEVEL, GULLY, ground_of, is_closed, is_gully
from sandtable.rulesets.panzerblitz_3d.terrain_table import Terrain, terrain_table

ROAD_COST = terrain_table().road_cost


class Mobility(NamedTuple):
    """All that the cost of a step depends on in a unit type; cavalry alone of the vehicles crosses green sides."""

    terrain: str
    keeps_to_roads: bool


@cache
def mobility_of(key: str) -> Mobility:
    """How a unit type moves (PB3-210, PB3-303)."""
    return Mobility(KINDS[key].mobility, KINDS[key].is_vehicle and key not in CAVALRY)


class Layers(NamedTuple):
    """The costs of all steps for one kind of mobility, along roads and off them: eight bytes per hex, one for each
    direction in which the hex is left, in half points.
    """

    road: bytes
    plain: bytes


def reacher(ground: Ground) -> Reacher:
    """The search over this board."""
    return ground.once("reacher", lambda: Reacher(ground.board))


def layers(ground: Ground, key: str) -> Layers:
    """The cost layers of a unit type."""
    mobility = mobility_of(key)
    return ground.once(("layers", mobility), lambda: _layers(ground.board, mobility))


def _layers(board: Board, mobility: Mobility) -> Layers:
    road, plain = (bytearray([FORBIDDEN]) * (8 * board.size) for _ in range(2))
    for here in board.hexes:
        for d in DIRECTIONS:
            there = board.neighbor(here, d)
            if there:
                at = 8 * here + d
                plain[at] = off_road(board, mobility, HexId(here), d)
                # the road rate takes the place of slope, woods, swamp and gully costs, but no road leads into a pond
                # (PB3-604, PB3-607)
                by_road = board.has_road(here, d) and not is_closed(board, HexId(there))
                road[at] = ROAD_COST if by_road else plain[at]
    return Layers(bytes(road), bytes(plain))


def off_road(board: Board, mobility: Mobility, here: HexId, d: int) -> int:
    """What a step without the road rate costs in half points; FORBIDDEN where it can't be taken.

    Rules: PB3-205, PB3-207, PB3-208, PB3-210, PB3-605, PB3-607.
    """
    there = HexId(board.neighbor(here, d))
    terrain = ground_of(board, there)
    costs = terrain.cost
    if isinstance(terrain, Terrain) and terrain.up is not None and board.elevation[here] == GROUND_LEVEL:
        costs = terrain.up
    cost: int = getattr(costs, mobility.terrain)
    if cost == NEVER or (mobility.keeps_to_roads and GREEN in board.side_features(here, d)):
        return FORBIDDEN
    if is_gully(board, here) and not board.has_feature(there, GULLY):
        leaving: int = getattr(terrain_table().gully.leaving, mobility.terrain)
        return cost + leaving
    return cost


def flags(position: Position, side: SideId) -> bytearray:
    """What holds for entering each hex for a side's units: barred by an enemy, without the road rate because
    somebody, be it inside a fort, or a wreck is there, or to stop in for mines and blocks.

    Rules: PB3-604, PB3-606, PB3-1606.
    """
    sources = (position.units, position.wrecks, position.mines, position.blocks)
    return position.derived.part(
        _FLAGS[side],
        sources,
        lambda: _flags(position, side),
        lambda known, before: _changed_flags(position, side, known, before),
    )


_FLAGS = {side: f"flags of {side}" for side in SIDES}


def _flags(position: Position, side: SideId) -> bytearray:
    made = bytearray(position.ground.board.size)
    for place in {*occupancy(position).by_hex, *position.wrecks, *position.mines, *position.blocks}:
        made[place] = _flag(position, side, place)
    return made


def _changed_flags(position: Position, side: SideId, known: bytearray, before: Any) -> bytearray | None:
    """The flags with only those hexes done anew in which a unit has changed; None when more than units have."""
    units, *markers = before
    if not all(map(is_, markers, (position.wrecks, position.mines, position.blocks))):
        return None
    places: set[HexId] = set()
    for old, new in position.derived.changes(units, position.units):
        if (old.hex, old.side, old.kind) != (new.hex, new.side, new.kind):
            places.update((old.hex, new.hex))
    places.discard(NOWHERE)
    if not places:
        return known
    made = known.copy()
    for place in places:
        made[place] = _flag(position, side, place)
    return made


def _flag(position: Position, side: SideId, place: HexId) -> int:
    """What holds for entering a hex as it is now."""
    flag = MUST_STOP if place in position.mines or place in position.blocks else 0
    if place in position.wrecks:
        flag |= ALTERNATE
    for unit in units_at(position, place):
        if unit.kind not in FORTS:
            flag |= ALTERNATE if unit.side == side else MAY_NOT_ENTER | ALTERNATE
    return flag
