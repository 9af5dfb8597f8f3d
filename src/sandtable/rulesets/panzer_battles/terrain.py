"""The ground as it is now: terrain as the weather makes it, and hexsides as engineers and bombs have left them."""

from __future__ import annotations

from sandtable.geometry.hexes import opposite
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.model import Position

FROZEN = "frozen"
COLD = frozenset({"snow", FROZEN})
"""The conditions in which wet and low ground is firm (PB-ENV-12)."""

STREAM = "stream"
FREEZING = frozenset({STREAM, "river"})
"""The hexsides that freeze over (PB-ENV-13)."""

IN_THE_COLD = {"field": "clear", "marsh": "clear", "swamp": "forest"}
"""What terrain counts as in the cold.

Rules: PB-ENV-12.
"""


def counts_as(terrain: str, condition: str) -> str:
    """What a terrain counts as for movement and combat in a ground condition.

    Rules: PB-ENV-12.
    """
    return IN_THE_COLD.get(terrain, terrain) if condition in COLD else terrain


def terrain_at(position: Position, place: HexId) -> str:
    """The terrain of a hex as the ground is now."""
    return counts_as(position.ground.board.terrain[place], position.weather.condition)


def side_key(place: HexId, direction: int) -> int:
    """How a position names the side of a hex that faces a direction."""
    return 8 * place + direction


def features_on(position: Position, place: HexId, direction: int) -> frozenset[str]:
    """What lies now on the side of a hex that faces a direction."""
    if position.sides:
        now = position.sides.get(side_key(place, direction))
        if now is not None:
            return now
    return position.ground.board.side_features(place, direction)


def obstacles_on(position: Position, place: HexId, direction: int) -> frozenset[str]:
    """What on the side of a hex protects or bars now: streams and rivers do not while they are frozen.

    Rules: PB-ENV-13.
    """
    features = features_on(position, place, direction)
    return features - FREEZING if position.weather.condition == FROZEN else features


def with_side(position: Position, place: HexId, direction: int, features: frozenset[str]) -> dict[int, frozenset[str]]:
    """The changed hexsides of a position and one more, seen from both its hexes."""
    other = HexId(position.ground.board.neighbor(place, direction))
    both = {side_key(place, direction): features, side_key(other, opposite(direction)): features}
    return dict(sorted({**position.sides, **both}.items()))
