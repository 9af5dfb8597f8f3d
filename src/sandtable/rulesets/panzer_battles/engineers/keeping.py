"""What becomes of works and markers by itself when a player turn ends.

Rules: PB-FIRE-68, PB-MOVE-78.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged
from sandtable.rulesets.panzer_battles.model import Feature, Position


def end_turn(resolution: Resolution[Position]) -> None:
    """Works that nobody of their side holds are vacated, and congestion has eased where the side that it is for stood.

    Rules: PB-FIRE-68, PB-MOVE-78, PB-MOVE-79.
    """
    position = resolution.position
    for place, found in position.features.items():
        there = {unit.side for unit in index.at(position, place)}
        for one in found:
            if one.kind in features.WORKS and not one.vacated and one.side not in there:
                resolution.emit(FeatureChanged(place, one, replace(one, vacated=True)))
            if one.kind == features.CONGESTION and one.side == position.active and one.side in there:
                resolution.emit(FeatureChanged(place, one, _eased(one, position.parameters.misc.congestion_expiration)))


def _eased(marker: Feature, expiration: int) -> Feature | None:
    """A congestion marker one turn later; None when it is gone.

    Rules: PB-MOVE-78.
    """
    count = marker.count + 1
    return None if expiration and count >= expiration else replace(marker, count=count)
