"""What lies in a hex and takes a part of the allowance of whoever enters: mines, obstacles, congestion, ferries.

Rules: PB-MOVE-73, PB-MOVE-75, PB-MOVE-77, PB-MOVE-82.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import NOBODYS, Feature, Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import FULL_FERRY, part_cost
from sandtable.rulesets.panzer_battles.movement.minefields import clears_mines, has_lane

WHOLE = Fraction(1)
NOTHING = Fraction(0)
SHALLOW_WATER = "shallow_water"
LYING = frozenset({features.MINEFIELD, features.OBSTACLE, features.CONGESTION})
"""The features that cost a part of the allowance."""


def least(position: Position, unit: Unit, place: HexId) -> int:
    """The fewest points that entering a hex costs a unit, whatever its terrain; 0 where nothing lies in it.

    Rules: PB-MOVE-73, PB-MOVE-74, PB-MOVE-75, PB-MOVE-77, PB-MOVE-82, PB-MOVE-97.
    """
    found = position.features.get(place, features.NONE)
    parts = [part(position, unit, place, one) for one in found if one.kind in LYING]
    if position.ground.board.has_feature(place, FULL_FERRY) and unit.of.component != SHIPS:
        parts.append(WHOLE)
    return part_cost(position, unit, max(parts)) if parts else 0


def part(position: Position, unit: Unit, place: HexId, feature: Feature) -> Fraction:
    """The part of its allowance that one thing in a hex costs a unit."""
    costs = position.parameters.costs
    if feature.kind == features.CONGESTION:
        return WHOLE if feature.side in (NOBODYS, unit.side) else NOTHING
    if feature.kind == features.OBSTACLE:
        is_shallow = position.ground.board.terrain[place] == SHALLOW_WATER
        return Fraction(position.parameters.misc.obstacle_shallow_water_fraction) if is_shallow else WHOLE
    if unit.is_traveling and has_lane(position, place, unit.side):
        return NOTHING
    if clears_mines(unit):
        return costs.mine_clearer_entry
    return feature.strength * costs.minefield_per_strength


def floors(position: Position, unit: Unit) -> dict[HexId, int]:
    """The hexes in which something lies that a unit has to pay for, with the fewest points it costs."""
    lying = [place for place, found in position.features.items() if any(one.kind in LYING for one in found)]
    ferries = (HexId(place) for place, words in position.ground.board.features.items() if FULL_FERRY in words)
    found = {place: least(position, unit, place) for place in (*lying, *ferries)}
    return {place: points for place, points in found.items() if points}
