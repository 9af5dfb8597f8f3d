"""Houses that fall in under shells and bombs.

Rules: PB-MOVE-69, PB-MOVE-70.
"""

from __future__ import annotations

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged
from sandtable.rulesets.panzer_battles.fire.chances import rubble_chance
from sandtable.rulesets.panzer_battles.model import NOBODYS, Feature, Position
from sandtable.rulesets.panzer_battles.parameter_sections import URBAN


def after_fire(
    resolution: Resolution[Position], place: HexId, value: float, actor: UnitId = NOBODY, side: SideId = NOBODYS
) -> None:
    """After indirect fire or an air strike of that value the houses of a hex may have fallen in, on a side that knows
    of it; the other has to see it, or it would tell him that he hit somebody.

    Rules: PB-MOVE-69, PB-MOVE-70, PB-MOVE-85, PB-FIRE-61, PB-FIRE-63.
    """
    position = resolution.position
    if position.ground.board.terrain[place] not in URBAN or features.find(position, place, features.RUBBLE):
        return
    if resolution.uniform("PB-MOVE-70", actor) < rubble_chance(value, position.parameters):
        old = features.find(position, place, features.CLEARED_RUBBLE)
        resolution.emit(FeatureChanged(place, old, Feature(features.RUBBLE, side)))
