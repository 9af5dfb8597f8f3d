"""Why there is no way into a hex: which rule keeps a unit out of it.

Rules: PB-MOVE-7.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import (
    BRIDGE_BEARS,
    LANDING,
    RAILS,
    SEA,
    WATER,
    WATERS,
    Crossing,
    Mobility,
    crossing,
    mobility,
    rail_cost,
)
from sandtable.rulesets.panzer_battles.movement.stacking import has_road_room
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.refusals import refuse
from sandtable.rulesets.panzer_battles.terrain import features_on, terrain_at

TOO_HEAVY = {"medium": "PB-MOVE-90", "heavy": "PB-MOVE-91"}
"""Which rule keeps a weight off a bridge that does not bear it."""


def no_way(position: Position, unit: Unit, here: HexId, to: HexId, company: Sequence[Unit] = ()) -> Refusal:
    """Why a unit can't take a step into a neighboring hex that it can't take."""
    board, way = position.ground.board, mobility(unit)
    direction = board.direction(here, to)
    step = Crossing(here, direction, features_on(position, here, direction), position.weather.condition)
    rule, reason = _barred(position, unit, way, step, to, company)
    return refuse(rule, reason, board.label(to))


def _barred(
    position: Position, unit: Unit, way: Mobility, step: Crossing, to: HexId, company: Sequence[Unit]
) -> tuple[str, str]:
    if way.way == RAILS:
        return "PB-MOVE-41", _no_rails(position, step, to)
    if way.way in (SEA, LANDING):
        return _no_water(position, way, step, to)
    across = _no_crossing(position, way, step)
    if across:
        return across
    if not _is_prohibited(position, way, to):
        # nothing else is left that could keep it where it is
        return "PB-MOVE-35", "it leaves this ground by the road that led there, in Travel Mode"
    if not position.ground.board.has_road(step.place, step.direction):
        return "PB-MOVE-7", "the ground lets it not pass"
    if not way.travels:
        return "PB-MOVE-35", "only the road leads there, in Travel Mode"
    if not has_road_room(position, to, unit, company):
        return "PB-STK-4", f"a road takes no more than {position.parameters.stacking.road} men"
    return "PB-MOVE-35", "only the road leads there, and that does not take it"


def _no_rails(position: Position, step: Crossing, to: HexId) -> str:
    """What keeps a train out of a hex (PB-MOVE-41)."""
    if rail_cost(position.ground, step) == PROHIBITED:
        return "no sound rail line leads there"
    if features.find(position, to, features.RAIL_DAMAGE, features.BROKEN_BRIDGE):
        return "the rail line is damaged there"
    return "an enemy controls the rail line there"


def _no_water(position: Position, way: Mobility, step: Crossing, to: HexId) -> tuple[str, str]:
    """What keeps a ship out of a hex."""
    terrain = position.ground.board.terrain[to]
    if terrain not in WATERS:
        return "PB-MOVE-60", "ships keep to the water"
    if way.way == SEA and terrain != WATER:
        return "PB-MOVE-61", "the water is too shallow for it"
    if step.features:
        return "PB-MOVE-62", "it can't cross what lies in the water there"
    return "PB-MOVE-61", "it may not come so near to land"


def _no_crossing(position: Position, way: Mobility, step: Crossing) -> tuple[str, str] | None:
    """What of the hexside alone keeps a unit back; None when nothing does."""
    if crossing(step.features, way, position.parameters, step.condition) != PROHIBITED:
        return None
    bridges = [one for one in step.features if one in BRIDGE_BEARS]
    if not way.travels and bridges:
        return "PB-MOVE-34", "bridges are crossed in Travel Mode"
    if not way.travels and "ford" in step.features:
        return "PB-MOVE-96", "fords are crossed in Travel Mode"
    if bridges:
        return TOO_HEAVY[way.weight], "the bridge does not bear it"
    return "PB-MOVE-7", "it can't cross what lies between"


def _is_prohibited(position: Position, way: Mobility, place: HexId) -> bool:
    """Whether a hex is no ground for a class but on a road."""
    return position.parameters.movement.terrain[terrain_at(position, place)][way.column] == PROHIBITED
