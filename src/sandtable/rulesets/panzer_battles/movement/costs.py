"""What a step costs: terrain, hexside and elevation by class and ground condition, or the road.

Rules: PB-MOVE-5, PB-MOVE-7, PB-GEN-15.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from sandtable.geometry.hexes import DIRECTIONS
from sandtable.geometry.reach import FORBIDDEN
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit, is_hard
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import Parameters, column

FOOT = "foot"
PLAIN_ROAD = "secondary"
"""What a road of no kind counts as."""

UNSCALED_ROAD = "primary"
"""The road that ignores the ground condition (PB-MOVE-39)."""

BRIDGE_BEARS = {
    "light_bridge": frozenset({"light"}),
    "medium_bridge": frozenset({"light", "medium"}),
    "heavy_bridge": frozenset({"light", "medium", "heavy"}),
}
"""What crosses a bridge: infantry, then guns and unarmored vehicles, then everything.

Rules: PB-MOVE-90, PB-MOVE-91, PB-MOVE-92.
"""

ON_WHEELS = frozenset({"motorized", "halftrack", "tracked"})


class Mobility(NamedTuple):
    """All about a unit that its costs depend on: the column of its class, whether it travels, and its weight."""

    column: int
    travels: bool
    weight: str


def moves_as(unit: Unit, mode: str) -> str:
    """The class a unit moves in: carried men walk unless they travel.

    Rules: PB-UNIT-10.
    """
    return FOOT if unit.of.is_carried and mode == DEPLOYED else unit.of.move_class


def mobility(unit: Unit, mode: str = "") -> Mobility:
    """How a unit moves in its mode or in another."""
    mode = mode or unit.mode
    travels = mode != DEPLOYED
    rides = unit.of.is_carried and travels
    armored = "heavy" if is_hard(unit) else "medium"
    weight = "light" if unit.of.is_men and not rides else armored
    return Mobility(column(moves_as(unit, mode)), travels, weight)


def allowance(unit: Unit, parameters: Parameters, mode: str = "") -> int:
    """The movement allowance of a unit in its mode or in another, by its quality.

    Rules: PB-MOVE-15, PB-MOVE-16, PB-MOVE-17, PB-MOVE-18, PB-MOVE-19, PB-MOVE-20, PB-GEN-16, PB-UNIT-10.
    """
    mode = mode or unit.mode
    kind, quality = unit.of, parameters.quality
    base = parameters.misc.foot_speed if kind.is_carried and mode == DEPLOYED else kind.ma
    is_towed_away = (kind.is_carried or kind.has("towed")) and mode != DEPLOYED and kind.move_class in ON_WHEELS
    by_grade = quality.move_pct_vehicle if kind.is_vehicles or is_towed_away else quality.move_pct_other
    return max(1, base * (100 + by_grade[unit.quality]) // 100)


def share(part: object, whole: int) -> int:
    """A fraction of an allowance, rounded up to whole points.

    Rules: PB-GEN-15.
    """
    return ceil(part * whole)  # type: ignore[operator]


def _scaled(cost: int, percent: int) -> int:
    return cost * percent // 100


def crossing(ground: Ground, way: Mobility, place: HexId, direction: int) -> int:
    """What the hexside itself costs, before the ground condition: 0 for a bare one, PROHIBITED for one that bars.

    Rules: PB-MOVE-34, PB-MOVE-88, PB-MOVE-96.
    """
    features = ground.board.side_features(place, direction)
    if not features:
        return 0
    if way.travels and any(way.weight in BRIDGE_BEARS[one] for one in features if one in BRIDGE_BEARS):
        return 0
    table = ground.parameters.movement.hexside
    if way.travels and "ford" in features:
        return table["ford"][way.column]
    costs = [table[one][way.column] for one in features if one in table and one != "ford"]
    return PROHIBITED if PROHIBITED in costs else sum(costs)


def road_cost(ground: Ground, way: Mobility, place: HexId, direction: int) -> int:
    """What a step along the road costs; PROHIBITED where there is none to use.

    Rules: PB-MOVE-22, PB-MOVE-35, PB-MOVE-38, PB-MOVE-39.
    """
    board, movement = ground.board, ground.parameters.movement
    if not way.travels or not board.has_road(place, direction):
        return PROHIBITED
    if crossing(ground, way, place, direction) == PROHIBITED:
        return PROHIBITED
    kind = board.road_kind(place, direction) or PLAIN_ROAD
    cost = movement.road[kind][way.column]
    if kind == UNSCALED_ROAD:
        return cost
    return _scaled(cost, movement.condition_pct[ground.scenario.sections.condition][way.column])


def field_cost(ground: Ground, way: Mobility, place: HexId, direction: int) -> int:
    """What a step off the road costs; PROHIBITED where there is no way.

    Rules: PB-MOVE-5, PB-MOVE-9, PB-MOVE-35.
    """
    board, movement = ground.board, ground.parameters.movement
    other, col = board.neighbor(place, direction), way.column
    entering, leaving = movement.terrain[board.terrain[other]][col], movement.terrain[board.terrain[place]][col]
    across = crossing(ground, way, place, direction)
    if PROHIBITED in (entering, leaving, across):
        return PROHIBITED
    levels = max(0, board.elevation[other] - board.elevation[place]) // movement.elevation_level_m
    percent = movement.condition_pct[ground.scenario.sections.condition][col]
    climbing = levels * movement.elevation_up.cost[col]
    return _scaled(entering, percent) + _scaled(across, percent) + _scaled(climbing, percent)


class Layers(NamedTuple):
    """Costs for a search: with roads, and without them for hexes whose road is full."""

    with_roads: bytes
    without: bytes


def layers(ground: Ground, way: Mobility) -> Layers:
    """The costs of all steps for one way to move, made once for a battle."""
    return ground.once(("costs", way), lambda: _layers(ground, way))


def _layers(ground: Ground, way: Mobility) -> Layers:
    board = ground.board
    roads, fields = bytearray([FORBIDDEN]) * (8 * board.size), bytearray([FORBIDDEN]) * (8 * board.size)
    for place in board.hexes:
        for direction in DIRECTIONS:
            if not board.neighbor(place, direction):
                continue
            field = field_cost(ground, way, HexId(place), direction)
            road = road_cost(ground, way, HexId(place), direction)
            costs = [cost for cost in (field, road) if cost != PROHIBITED]
            if field != PROHIBITED:
                fields[8 * place + direction] = min(field, FORBIDDEN - 1)
            if costs:
                roads[8 * place + direction] = min(*costs, FORBIDDEN - 1)
    return Layers(bytes(roads), bytes(fields))


def is_road_only(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a hex is one that the unit can enter by Road Movement alone.

    Rules: PB-MOVE-35, PB-FIRE-29.
    """
    terrain = position.ground.board.terrain[place]
    return position.parameters.movement.terrain[terrain][mobility(unit).column] == PROHIBITED
