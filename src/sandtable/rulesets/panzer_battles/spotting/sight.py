"""Lines of sight over heights in meters, from eye to eye; there is no smoke that could stand in them.

Rules: PB-SPOT-1, PB-SPOT-11, PB-SPOT-5, PB-SPOT-6, PB-SPOT-7, PB-SPOT-10.
"""

from __future__ import annotations

from array import array

from sandtable.geometry.board import Board
from sandtable.geometry.sight_tables import NO_HEIGHT
from sandtable.geometry.slope_sight import SlopeSight
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.environment.weather import farthest
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.movement.costs import EMBANKMENT, RAISED
from sandtable.rulesets.panzer_battles.parameters import Parameters

MOST_BYTES = 32 * 1024 * 1024
"""How much is remembered of what hexes see."""


def terrain_height(parameters: Parameters, terrain: str) -> int:
    """How high the terrain of a hex stands in the way: what is lower than the least blocking height does not.

    Rules: PB-SPOT-3, PB-SPOT-4.
    """
    height = parameters.terrain.height_m[terrain]
    return height if height >= parameters.los.min_block_height_m else 0


def side_height(parameters: Parameters, features: frozenset[str]) -> int:
    """How high what lies on a hexside stands in the way.

    Rules: PB-SPOT-9.
    """
    heights = parameters.hexside.height_m
    height = max((heights.get(feature, 0) for feature in features), default=0)
    return height if height >= parameters.los.min_block_height_m else 0


def raised_height(ground: Ground, place: int) -> int:
    """How high a road or rail line on an embankment stands in the way.

    Rules: PB-MOVE-40, PB-SPOT-9.
    """
    is_raised = ground.board.has_feature(place, RAISED)
    return side_height(ground.parameters, frozenset({EMBANKMENT})) if is_raised else 0


def standing_height(ground: Ground, place: int) -> int:
    """How high what is part of a hex stands in the way, be it growth, houses or an embankment.

    Rules: PB-SPOT-8.
    """
    return max(terrain_height(ground.parameters, ground.board.terrain[place]), raised_height(ground, place))


def eye_height(parameters: Parameters) -> int:
    """How high above the ground a line begins and ends: the higher of eye and target, so that sight is mutual.

    Rules: PB-SPOT-5, PB-SPOT-10.
    """
    return max(parameters.los.eye_height_m, parameters.los.target_height_m, 1)


def dust_range(parameters: Parameters) -> int:
    """How far dust is seen beyond what one sees otherwise; 0 where dust counts for nothing (PB-MOVE-115)."""
    chances = parameters.misc.dust_spot_pct
    return parameters.misc.dust_spot_range if chances.allied or chances.axis else 0


def _judge(ground: Ground) -> SlopeSight:
    board, parameters = ground.board, ground.parameters
    heights = array("h", list(board.elevation))
    tops = array("h", heights)
    sides = array("h", [NO_HEIGHT]) * (8 * board.size)
    for place in board.hexes:
        tops[place] += standing_height(ground, place)
    for (place, direction), features in board.hexsides.items():
        rise, other = side_height(parameters, features), board.neighbor(place, direction)
        if rise and other:
            sides[8 * place + direction] = max(heights[place], heights[other]) + rise
    radius = max(farthest(ground), dust_range(parameters))
    return SlopeSight(board, heights, tops, sides, radius, eyes=eye_height(parameters))


Tops = dict[HexId, tuple[int, int]]
"""Hexes in which wrecks stand in the way, with ground and top."""


def wreck_tops(position: Position) -> Tops:
    """The hexes in which wrecks stand in the way higher than anything else.

    Rules: PB-SPOT-12, PB-UNIT-15.
    """
    board, parameters = position.ground.board, position.parameters
    tops: Tops = {}
    for place, count in sorted(position.wrecks.items()):
        height = standing_height(position.ground, place)
        if count > parameters.misc.wreck_block_count and parameters.misc.wreck_height_m > height:
            level = board.elevation[place]
            tops[place] = (level, level + parameters.misc.wreck_height_m)
    return tops


class Looks:
    """What hexes see with the same wrecks about, remembered."""

    __slots__ = ("_judge", "_kept", "_most", "tops")

    def __init__(self, judge: SlopeSight, board: Board, tops: Tops) -> None:
        self.tops = tops
        self._judge = judge.with_heights(tops) if tops else judge
        self._kept: dict[HexId, bytes] = {}
        self._most = max(64, MOST_BYTES // board.size)

    def look(self, place: HexId) -> bytes:
        """A byte per hex, 1 for every hex that is in a clear line."""
        kept = self._kept.get(place)
        if kept is None:
            kept = self._kept[place] = self._judge.visible(place)
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        return kept


MOST_LOOKS = 3
"""So many sets of wrecks are remembered with what hexes see among them: what is true, and what each side knows."""


def _looks(position: Position, tops: Tops) -> Looks:
    """The lines of sight among wrecks, shared by all positions in which they stand alike."""
    ground, key = position.ground, tuple(tops.items())
    shared: dict[tuple[object, ...], Looks] = ground.once("looks", dict[tuple[object, ...], Looks])
    found = shared.pop(key, None)
    if found is None:
        judge: SlopeSight = ground.once("sight", lambda: _judge(ground))
        found = Looks(judge, ground.board, tops)
        while len(shared) >= MOST_LOOKS:
            shared.pop(next(iter(shared)), None)
    shared[key] = found
    return found


def looks(position: Position) -> Looks:
    """The lines of sight of a position; the very same while no wreck stands in the way that did not before."""

    def update(old: Looks, sources: object) -> Looks:
        tops = wreck_tops(position)
        return old if old.tops == tops else _looks(position, tops)

    return position.derived.part("looks", (position.wrecks,), lambda: _looks(position, wreck_tops(position)), update)


def look(position: Position, place: HexId) -> bytes:
    """A byte per hex, 1 for every hex that a hex has a line of sight to, however far."""
    return looks(position).look(place)


def sees(position: Position, a: HexId, b: HexId) -> bool:
    """Whether one hex sees the other: in a clear line and within visibility.

    Rules: PB-SPOT-1, PB-SPOT-2.
    """
    return position.ground.board.distance(a, b) <= position.visibility and look(position, a)[b] == 1
