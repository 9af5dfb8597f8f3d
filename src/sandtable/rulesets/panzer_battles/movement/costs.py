"""What a step costs: terrain, hexside and elevation by class and ground condition, or the road.

Rules: PB-MOVE-5, PB-MOVE-7, PB-GEN-15.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import DIRECTIONS, opposite
from sandtable.geometry.reach import FORBIDDEN
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import DEPLOYED, RAIL, TRAVEL, Position, Unit, is_hard
from sandtable.rulesets.panzer_battles.parameter_sections import MOVE_CLASSES, PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import Parameters, column
from sandtable.rulesets.panzer_battles.terrain import FREEZING, FROZEN, STREAM, counts_as, features_on, terrain_at

FOOT = "foot"
PLAIN_ROAD = "secondary"
"""What a road of no kind counts as."""

ROAD_TABLE = {"rail": "rail_bed", "primary_rail": "primary", "secondary_rail": "secondary", "trail_rail": "trail"}
"""Kinds of road whose costs stand under another name: in Travel Mode one drives on the bed of a rail line, or on the
road beside it.
"""

RAIL_LINES = frozenset(ROAD_TABLE)
"""Kinds of road that are a rail line, or have one beside them (PB-MAP-5)."""

UNSCALED_ROAD = "primary"
"""The road that ignores the ground condition.

Rules: PB-MOVE-39, PB-ENV-11.
"""

ENGINEER_BRIDGE = "engineer_bridge"
BRIDGE_BEARS = {
    "light_bridge": frozenset({"light"}),
    "medium_bridge": frozenset({"light", "medium"}),
    "heavy_bridge": frozenset({"light", "medium", "heavy"}),
    "rail_bridge": frozenset({"light"}),
    ENGINEER_BRIDGE: frozenset({"light", "medium", "heavy"}),
}
"""What crosses a bridge: infantry, then guns and unarmored vehicles, then everything.

Rules: PB-MOVE-90, PB-MOVE-91, PB-MOVE-92, PB-ENG-40.
"""

NO_WEIGHT: frozenset[str] = frozenset()

FERRY, USED_FERRY, DAMAGED_BRIDGE = "ferry", "used_ferry", "damaged_bridge"
"""Hexsides that nobody crosses but by boat, this turn or not, and what is left of a bridge."""

RAISED, FULL_FERRY, FULL_BRIDGE = "raised", "full_ferry", "full_bridge"
"""What a board may say of a hex: its road or rail lies on an embankment, or it is water with a ferry or a long bridge.

Rules: PB-MAP-5, PB-MAP-6.
"""

EMBANKMENT, WATER = "embankment", "water"
WATERS = frozenset({WATER, "shallow_water"})
SWUM = frozenset({"river", "canal"})
"""The hexsides that amphibious units swim through (PB-MOVE-57)."""

WHOLE_ALLOWANCE = FORBIDDEN - 1
"""What stands in a layer for a step that costs the whole allowance of whoever takes it (PB-MOVE-75)."""
LEAST = 1
"""No step is free, whatever the tables say; so much a step costs over which a part of the allowance is laid."""

SHAPING = frozenset({features.RUBBLE, features.CLEARED_RUBBLE, features.PONTOON, features.BROKEN_BRIDGE})
"""The features that change what steps into and out of their hex cost by terrain and road."""

ON_WHEELS = frozenset({"motorized", "halftrack", "tracked"})


class Mobility(NamedTuple):
    """All about a unit that its costs depend on: the column of its class, whether it travels, and its weight."""

    column: int
    travels: bool
    weight: str
    way: str = ""


RAILS, SEA, LANDING, SWIMMING, CLIMBING = "rails", "sea", "landing", "swimming", "climbing"
"""Ways to move beside that on land: on rails, at sea and up to the shore, through rivers, over any hexside.

Rules: PB-MOVE-41, PB-MOVE-57, PB-MOVE-59, PB-MOVE-60, PB-MOVE-61.
"""


def way_of(unit: Unit, mode: str) -> str:
    """The way in which a unit moves in a mode; empty for that of everybody on land.

    Rules: PB-MOVE-41, PB-MOVE-57, PB-MOVE-59, PB-MOVE-60.
    """
    if mode == RAIL:
        return RAILS
    if unit.of.component == SHIPS:
        return LANDING if unit.has("transport_naval") else SEA
    if unit.has("commando"):
        return CLIMBING
    return SWIMMING if unit.has("amphibious") and mode == TRAVEL else ""


def walks(unit: Unit, mode: str) -> bool:
    """Whether carried men go on their own feet: deployed, or with their vehicles left behind.

    Rules: PB-UNIT-10, PB-MOVE-67.
    """
    return unit.of.is_carried and (mode == DEPLOYED or unit.on_foot) and mode != RAIL


def moves_as(unit: Unit, mode: str) -> str:
    """The class a unit moves in: carried men walk unless they travel; ships and trains have none on land.

    Rules: PB-UNIT-10.
    """
    return FOOT if walks(unit, mode) or unit.of.move_class not in MOVE_CLASSES else unit.of.move_class


def mobility(unit: Unit, mode: str = "") -> Mobility:
    """How a unit moves in its mode or in another."""
    mode = mode or unit.mode
    travels = mode != DEPLOYED
    rides = unit.of.is_carried and not walks(unit, mode)
    armored = "heavy" if is_hard(unit) else "medium"
    weight = "light" if unit.of.is_men and not rides else armored
    return Mobility(column(moves_as(unit, mode)), travels, weight, way_of(unit, mode))


FIRE_ABILITY = 6
"""The points of a unit that never moves: just enough for three direct fires or two indirect ones.

Rules: PB-UNIT-11.
"""

FROST_ON_VEHICLES = 2
"""So many times the Frozen Penalty is taken from the allowance of vehicles (PB-ENV-32)."""


def allowance(position: Position, unit: Unit, mode: str = "") -> int:
    """The movement allowance of a unit in its mode or in another: by its quality, its fuel and the frost, all factors
    multiplied first and rounded down once.

    Rules: PB-MOVE-15, PB-MOVE-16, PB-MOVE-17, PB-MOVE-18, PB-MOVE-19, PB-MOVE-20, PB-GEN-16, PB-UNIT-10, PB-UNIT-11,
    PB-SUP-33, PB-SUP-34, PB-ENV-32.
    """
    if unit.is_immobile:
        return FIRE_ABILITY
    mode = mode or unit.mode
    kind, parameters = unit.of, position.parameters
    if mode == RAIL:
        return parameters.movement.rail.rail_allowance
    on_foot, quality = walks(unit, mode), parameters.quality
    base = parameters.misc.foot_speed if on_foot else kind.ma
    rides = (kind.is_carried and not on_foot) or (kind.has("towed") and mode != DEPLOYED)
    is_towed_away = rides and kind.move_class in ON_WHEELS
    by_grade = quality.move_pct_vehicle if kind.is_vehicles or is_towed_away else quality.move_pct_other
    product = base * (100 + by_grade[unit.quality])
    frost = parameters.frozen.penalty_pct.of(unit.side) if position.weather.condition == FROZEN else 0
    cold = max(0, 100 - FROST_ON_VEHICLES * frost) if kind.is_vehicles else 100
    tanks = 2 if unit.low_fuel and not on_foot else 1
    return max(1, product * cold // (100 * 100 * tanks))


def share(part: object, whole: int) -> int:
    """A fraction of an allowance, rounded up to whole points.

    Rules: PB-GEN-15.
    """
    return ceil(part * whole)  # type: ignore[operator]


THIRDS = 3
"""So many actions for a third of its allowance a unit has in a turn that does nothing else (PB-GEN-17)."""


def part_cost(position: Position, unit: Unit, part: Fraction) -> int:
    """What an action for a part of its allowance costs a unit now: the third of three for a third each, the rest.

    Rules: PB-GEN-15, PB-GEN-17.
    """
    cost = share(part, allowance(position, unit))
    is_last = part * THIRDS == 1 and unit.thirds == THIRDS - 1 and has_paid_thirds_alone(position, unit)
    return min(cost, unit.mp) if is_last and unit.mp else cost


def has_paid_thirds_alone(position: Position, unit: Unit) -> bool:
    """Whether all that a unit has spent this turn are thirds of its allowance, as fires cost, and boarding and setting
    down, which count as moves.

    Rules: PB-GEN-17, PB-MOVE-48.
    """
    if unit.halves:
        return False
    whole = allowance(position, unit)
    return not unit.moved or unit.mp + unit.thirds * share(position.parameters.costs.fire, whole) == whole


def _scaled(cost: int | Fraction, percent: int) -> int:
    return floor(cost * percent / 100) if isinstance(cost, Fraction) else cost * percent // 100


def crossing(features: frozenset[str], way: Mobility, parameters: Parameters, condition: str) -> int | Fraction:
    """What a hexside with such features costs, before the percentage of the ground condition: 0 for a bare one,
    PROHIBITED for one that bars.

    Rules: PB-MOVE-34, PB-MOVE-88, PB-MOVE-96, PB-ENG-42.
    """
    if not features:
        return 0
    if way.travels and any(way.weight in BRIDGE_BEARS[one] for one in features if one in BRIDGE_BEARS):
        return 0
    table = parameters.movement.hexside
    costs = [_side_cost(one, way, parameters, condition) for one in features if one in table and one != "ford"]
    straight = PROHIBITED if PROHIBITED in costs else sum(costs)
    # a ford is for what could not be crossed otherwise: over ice, or a mere stream, nobody need use it
    ford = table["ford"][way.column] if way.travels and "ford" in features else PROHIBITED
    return min((cost for cost in (straight, ford) if cost != PROHIBITED), default=PROHIBITED)


def _side_cost(feature: str, way: Mobility, parameters: Parameters, condition: str) -> int | Fraction:
    """What one feature of a hexside costs: men, riders and horses walk over the ice of streams and rivers, vehicles
    have half the trouble with a stream.

    Rules: PB-MOVE-5, PB-ENV-13.
    """
    cost = parameters.movement.hexside[feature][way.column]
    if condition != FROZEN or feature not in FREEZING:
        return cost
    if MOVE_CLASSES[way.column] not in ON_WHEELS:
        return 0
    return Fraction(cost, 2) if feature == STREAM else cost


HEDGES_AND_BANKS = frozenset({"hedge", "hedge_row", "dike", "embankment"})
"""What a road leads through, where water and cliffs need a bridge or ford (PB-MOVE-38)."""


def bridge_fails(features: frozenset[str], way: Mobility) -> bool:
    """Whether the road ends at a hexside whose bridge is down, or bears no such weight, and that has no ford either.

    Rules: PB-MOVE-34, PB-MOVE-90, PB-MOVE-91, PB-ENG-14.
    """
    bridges = [one for one in features if one in BRIDGE_BEARS or one == DAMAGED_BRIDGE]
    return (
        bool(bridges)
        and "ford" not in features
        and not any(way.weight in BRIDGE_BEARS.get(one, NO_WEIGHT) for one in bridges)
    )


class Crossing(NamedTuple):
    """A step as its costs see it: from where, in which direction, over what, and how the ground is."""

    place: HexId
    direction: int
    features: frozenset[str]
    condition: str


def road_cost(ground: Ground, way: Mobility, step: Crossing) -> int:
    """What a step along the road costs; PROHIBITED where there is none to use.

    Rules: PB-MOVE-22, PB-MOVE-35, PB-MOVE-38, PB-MOVE-39.
    """
    board = ground.board
    if not way.travels or not board.has_road(step.place, step.direction):
        return PROHIBITED
    barring = step.features - HEDGES_AND_BANKS
    if bridge_fails(barring, way) or crossing(barring, way, ground.parameters, step.condition) == PROHIBITED:
        return PROHIBITED
    return _road(ground.parameters, way, board.road_kind(step.place, step.direction) or PLAIN_ROAD, step.condition)


def _road(parameters: Parameters, way: Mobility, kind: str, condition: str) -> int:
    kind = ROAD_TABLE.get(kind, kind)
    cost = parameters.movement.road[kind][way.column]
    percent = 100 if kind == UNSCALED_ROAD else parameters.movement.condition_pct[condition][way.column]
    return max(LEAST, _scaled(cost, percent))


def field_cost(ground: Ground, way: Mobility, step: Crossing) -> int:
    """What a step off the road costs; PROHIBITED where there is no way.

    Rules: PB-ENV-10, PB-MOVE-5, PB-MOVE-9, PB-MOVE-35, PB-MOVE-40, PB-MOVE-97.
    """
    board, movement = ground.board, ground.parameters.movement
    place, other, col = step.place, board.neighbor(step.place, step.direction), way.column
    entering, leaving = (movement.terrain[counts_as(board.terrain[one], step.condition)][col] for one in (other, place))
    across = crossing(step.features, way, ground.parameters, step.condition)
    if way.travels and board.has_feature(other, FULL_FERRY):
        return LEAST
    if leaving == PROHIBITED and is_open_water(board, place):
        leaving = LEAST
    if PROHIBITED in (entering, leaving, across):
        return PROHIBITED
    if board.has_feature(other, RAISED):
        across += movement.hexside[EMBANKMENT][col]
    levels = max(0, board.elevation[other] - board.elevation[place]) // movement.elevation_level_m
    percent = movement.condition_pct[step.condition][col]
    climbing = levels * movement.elevation_up.cost[col]
    return max(LEAST, _scaled(entering, percent) + _scaled(across, percent) + _scaled(climbing, percent))


def rail_cost(ground: Ground, step: Crossing) -> int:
    """What a step along a rail line costs in Rail Mode; PROHIBITED where there is none or its bridge is down.

    Rules: PB-MOVE-41.
    """
    if ground.board.road_kind(step.place, step.direction) not in RAIL_LINES:
        return PROHIBITED
    table = ground.parameters.movement.hexside
    is_barred = DAMAGED_BRIDGE in step.features or any(
        table[one][0] == PROHIBITED for one in step.features if one in table
    )
    is_bridged = any(one in BRIDGE_BEARS for one in step.features)
    return PROHIBITED if is_barred and not is_bridged else ground.parameters.movement.rail.rail_mode_cost


def sea_cost(ground: Ground, way: Mobility, step: Crossing) -> int:
    """What a step costs a ship; PROHIBITED on land, over dikes, and near the shore for all but landing craft.

    Rules: PB-MOVE-60, PB-MOVE-61, PB-MOVE-62, PB-MAP-10.
    """
    board = ground.board
    other = board.neighbor(step.place, step.direction)
    is_landing = way.way == LANDING
    if step.features or board.terrain[other] not in (WATERS if is_landing else {WATER}):
        return PROHIBITED
    if not is_landing and any(board.terrain[beside] not in WATERS for beside in board.neighbors(other)):
        return PROHIBITED
    return ground.parameters.movement.naval.water


def takes_all(ground: Ground, way: Mobility, step: Crossing) -> bool:
    """Whether a step that is barred to others can be taken by swimmers or climbers for their whole allowance.

    Rules: PB-MOVE-57, PB-MOVE-58, PB-MOVE-59.
    """
    if way.way == CLIMBING:
        return field_cost(ground, way, step._replace(features=frozenset())) != PROHIBITED
    board = ground.board
    other = board.neighbor(step.place, step.direction)
    without = step._replace(features=step.features - SWUM)
    if board.terrain[other] not in WATERS:
        return field_cost(ground, way, without) != PROHIBITED
    is_near_land = any(board.terrain[beside] not in WATERS for beside in board.neighbors(other))
    return is_near_land and crossing(without.features, way, ground.parameters, step.condition) != PROHIBITED


def is_open_water(board: Board, place: int) -> bool:
    """Whether a hex is water without a road over it: who was ferried there leaves it as he likes.

    Rules: PB-MOVE-97, PB-ENG-56.
    """
    return board.terrain[place] == WATER and not board.roads[place]


class Layers(NamedTuple):
    """Costs for a search: with roads, and without them for hexes whose road is full."""

    with_roads: bytes
    without: bytes


def layers(position: Position, way: Mobility, *, calm: bool = False) -> Layers:
    """The costs of all steps for one way to move, or what they were without the storm: made once for a battle and a
    ground condition, and mended where hexsides have changed or the ground has.
    """
    ground, condition = position.ground, position.weather.condition
    storm = position.weather.storm and not calm
    made: Layers = ground.once(("costs", way, condition), lambda: _layers(ground, way, condition))
    if storm:
        dry = made
        made = ground.once(("costs", way, condition, "storm"), lambda: _in_storm(dry, ground.parameters))
    if not position.sides and not position.features:
        return made
    sources = (position.sides, position.features, made)
    return position.derived.part(("costs", way, storm), sources, lambda: _mended(position, way, made, storm=storm))


def storm_factor(position: Position) -> Fraction | int:
    """By how much the weather multiplies what a step costs (PB-ENV-16)."""
    return position.parameters.movement.storm_multiplier if position.weather.storm else 1


class StepSorts(NamedTuple):
    """The steps of a board by what their costs depend on: the number of each step's sort, and a step of each sort."""

    numbers: array[int]
    examples: tuple[tuple[HexId, int], ...]


def step_sorts(ground: Ground) -> StepSorts:
    """All steps of the board that cost the same however one moves; 0 is the sort of those that lead off it."""
    return ground.once("step sorts", lambda: _step_sorts(ground))


def _step_sorts(ground: Ground) -> StepSorts:
    board, level = ground.board, ground.parameters.movement.elevation_level_m
    numbers, sorts = array("H", [0]) * (8 * board.size), dict[tuple[object, ...], int]()
    examples: list[tuple[HexId, int]] = [(HexId(0), 0)]
    entered = {place: _entered(board, place) for place in board.hexes}
    heights, neighbors = board.elevation, board.neighbor_table
    for place in board.hexes:
        left = board.terrain[place], is_open_water(board, place)
        for direction, other in enumerate(neighbors[place]):
            if other:
                climb = (heights[other] - heights[place]) // level if heights[other] > heights[place] else 0
                road = board.road_kind(place, direction) if board.has_road(place, direction) else None
                key = (left, entered[other], climb, road, board.side_features(place, direction))
                number = sorts.setdefault(key, len(examples))
                if number == len(examples):
                    examples.append((HexId(place), direction))
                numbers[8 * place + direction] = number
    return StepSorts(numbers, tuple(examples))


def _entered(board: Board, place: int) -> tuple[object, ...]:
    """All about a hex that the costs of entering it depend on."""
    terrain = board.terrain[place]
    is_ashore = terrain in WATERS and any(board.terrain[beside] not in WATERS for beside in board.neighbors(place))
    return terrain, is_ashore, board.has_feature(place, RAISED), board.has_feature(place, FULL_FERRY)


def _layers(ground: Ground, way: Mobility, condition: str) -> Layers:
    board, (numbers, examples) = ground.board, step_sorts(ground)
    steps = (Crossing(*one, board.side_features(*one), condition) for one in examples[1:])
    costs = [(FORBIDDEN, FORBIDDEN), *(_both(ground, way, step) for step in steps)]
    roads, fields = zip(*costs, strict=True)
    return Layers(bytes(map(roads.__getitem__, numbers)), bytes(map(fields.__getitem__, numbers)))


def _in_storm(calm: Layers, parameters: Parameters) -> Layers:
    """Layers in which every step costs what it costs in a storm.

    Rules: PB-ENV-16, PB-MOVE-6.
    """
    costs = bytes(_stormy(cost, parameters) for cost in range(FORBIDDEN + 1))
    return Layers(calm.with_roads.translate(costs), calm.without.translate(costs))


def _stormy(cost: int, parameters: Parameters) -> int:
    if cost in (FORBIDDEN, WHOLE_ALLOWANCE):
        return cost
    return max(LEAST, min(WHOLE_ALLOWANCE - 1, ceil(cost * parameters.movement.storm_multiplier)))


def _mended(position: Position, way: Mobility, made: Layers, *, storm: bool) -> Layers:
    """Layers in which the changed hexsides, rubble, pontoons and broken bridges cost what they cost now."""
    board, condition = position.ground.board, position.weather.condition
    edges = {(HexId(key // 8), key % 8) for key in position.sides}
    for place, found in position.features.items():
        if any(one.kind in SHAPING for one in found):
            for direction in DIRECTIONS:
                beside = HexId(board.neighbor(place, direction))
                if beside:
                    edges |= {(place, direction), (beside, opposite(direction))}
    if not edges:
        return made
    roads, fields = bytearray(made.with_roads), bytearray(made.without)
    for place, direction in edges:
        step = Crossing(place, direction, features_on(position, place, direction), condition)
        both, at = _now(position, way, step), 8 * place + direction
        roads[at], fields[at] = (_stormy(cost, position.parameters) for cost in both) if storm else both
    return Layers(bytes(roads), bytes(fields))


def _now(position: Position, way: Mobility, step: Crossing) -> tuple[int, int]:
    """What a step costs as rubble, pontoons and broken bridges are now, with the help of a road and without.

    Rules: PB-MOVE-71, PB-MOVE-72, PB-ENG-52, PB-ENG-59.
    """
    ground = position.ground
    to = HexId(ground.board.neighbor(step.place, step.direction))
    if way.way == RAILS and features.find(position, to, features.BROKEN_BRIDGE):
        return FORBIDDEN, FORBIDDEN
    field, road = field_cost(ground, way, step), road_cost(ground, way, step)
    if features.find(position, to, features.RUBBLE, features.CLEARED_RUBBLE) and field != PROHIBITED:
        field *= position.parameters.misc.rubble_move_multiplier
    if features.find(position, to, features.RUBBLE, features.BROKEN_BRIDGE):
        road = PROHIBITED
    if way.travels and any(
        features.is_pontoon_between(position, *ends) for ends in ((step.place, to), (to, step.place))
    ):
        road = _road(position.parameters, way, PLAIN_ROAD, step.condition)
    return _capped(ground, way, step, field, road)


def _both(ground: Ground, way: Mobility, step: Crossing) -> tuple[int, int]:
    """What a step costs on the board as it was drawn, with the help of a road and without."""
    return _capped(ground, way, step, field_cost(ground, way, step), road_cost(ground, way, step))


def _capped(ground: Ground, way: Mobility, step: Crossing, field: int, road: int) -> tuple[int, int]:
    """The cheaper of both and the field alone, as a layer has them for a way to move; FORBIDDEN where there is none."""
    if way.way == RAILS:
        field, road = rail_cost(ground, step), PROHIBITED
    elif way.way in (SEA, LANDING):
        field, road = sea_cost(ground, way, step), PROHIBITED
    elif way.way and field == PROHIBITED and takes_all(ground, way, step):
        return (road if road != PROHIBITED else WHOLE_ALLOWANCE), WHOLE_ALLOWANCE
    costs = [cost for cost in (field, road) if cost != PROHIBITED]
    return (
        min(*costs, WHOLE_ALLOWANCE - 1) if costs else FORBIDDEN,
        min(field, WHOLE_ALLOWANCE - 1) if field != PROHIBITED else FORBIDDEN,
    )


def is_road_only(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether a hex is one that the unit can enter by Road Movement alone.

    Rules: PB-MOVE-35, PB-FIRE-29.
    """
    terrain = terrain_at(position, place)
    return position.parameters.movement.terrain[terrain][mobility(unit).column] == PROHIBITED
