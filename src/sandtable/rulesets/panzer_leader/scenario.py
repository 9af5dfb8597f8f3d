"""What Panzer Leader adds to board and scenario files, and what it objects to in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import msgspec

from sandtable.content import HexLabel, Option, Problem, Scenario, ScenarioUnit, SideName, Vocabulary
from sandtable.geometry.board import Board
from sandtable.rulesets.panzer_leader.forts import fort_problems
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_leader.stacks import STACK_LIMIT
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN, terrain_table
from sandtable.rulesets.panzer_leader.works import mine_problems

Level = Literal["marginal", "tactical", "decisive"]
Positive = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Facing = Annotated[int, msgspec.Meta(ge=0, le=5)]


class UnitDetails(msgspec.Struct, frozen=True):
    """What a [[units]] entry may add: the way a gun points, and whether a landing unit lies face-down."""

    facing: Facing = 0
    facedown: bool = False


class AircraftEntry(msgspec.Struct, frozen=True):
    """An aircraft of a side, its load, and the turn from which it can be used (PL-308)."""

    type: Literal["typhoon", "p47", "l5"]
    side: SideName
    ordnance: Literal["", "bombs", "rockets"] = ""
    turn: Positive = 1


class NavalMissionEntry(msgspec.Struct, frozen=True):
    """Naval fire written before the battle (PL-510)."""

    side: SideName
    hex: HexLabel
    points: Positive
    turn: Positive = 1


class Naval(msgspec.Struct, frozen=True):
    """Naval attack points per turn (PL-1121), and what was written before the battle."""

    points: dict[SideName, Positive] = {}
    missions: tuple[NavalMissionEntry, ...] = ()


class Landing(msgspec.Struct, frozen=True):
    """Amphibious landings: the die on which a swimming tank is lost, and all higher ones (PL-1406)."""

    dd_loss: Annotated[int, msgspec.Meta(ge=1, le=7)] = 6


class Exit(msgspec.Struct, frozen=True):
    """Edge hexes where a side may leave the map, and the points each counting unit scores by it."""

    side: SideName
    hexes: tuple[HexLabel, ...]
    points: Annotated[int, msgspec.Meta(ge=0)] = 1


class Condition(msgspec.Struct, frozen=True):
    """What earns a side a victory of some level; all parts that are given must be met.

    `hold` asks for control of `count` of the hexes (0: all), `destroy` and `exit` for that many units, `occupy` for
    `units` units on the hexes of a map part.
    """

    side: SideName
    level: Level
    title: str = ""
    hold: tuple[HexLabel, ...] = ()
    count: Annotated[int, msgspec.Meta(ge=0)] = 0
    destroy: Annotated[int, msgspec.Meta(ge=0)] = 0
    exit: Annotated[int, msgspec.Meta(ge=0)] = 0
    occupy: tuple[HexLabel, ...] = ()
    units: Annotated[int, msgspec.Meta(ge=0)] = 1


class Otherwise(msgspec.Struct, frozen=True):
    """Who wins when nobody has met a condition."""

    side: SideName
    level: Level = "marginal"


class Victory(msgspec.Struct, frozen=True):
    """How a battle is judged (PL-1501); silence leaves it to points (PL-1505)."""

    loss_points: Annotated[int, msgspec.Meta(ge=0)] = 1
    fort_points: Annotated[int, msgspec.Meta(ge=0)] = 0
    objective_points: Annotated[int, msgspec.Meta(ge=0)] = 5
    marginal: Positive = 1
    tactical: Positive = 5
    decisive: Positive = 10
    handicap: dict[SideName, int] = {}
    exits: tuple[Exit, ...] = ()
    conditions: tuple[Condition, ...] = ()
    otherwise: Otherwise | None = None


class Setup(msgspec.Struct, frozen=True):
    """Who places units in their zones before the battle, in this order; `in_sight` lets the last do so in enemy
    sight, `open` lets the sides see each other while they set up, fog or not (PL-1506, PL-1507).
    """

    order: tuple[SideName, ...] = ()
    in_sight: bool = False
    open: bool = False


class Sections(msgspec.Struct, frozen=True):
    """The sections of a Panzer Leader scenario beyond those every system has."""

    mines: tuple[HexLabel, ...] = ()
    blocks: tuple[HexLabel, ...] = ()
    aircraft: tuple[AircraftEntry, ...] = ()
    naval: Naval = Naval()
    landing: Landing = Landing()
    victory: Victory = Victory()
    setup: Setup = Setup()
    control: dict[SideName, tuple[HexLabel, ...]] = {}


PanzerLeaderScenario = Scenario[Sections, UnitDetails]

HEXSIDES = frozenset({"green", "brown", "orange", "cliff"})
"""The symbols a hexside may carry, one at a time (PL-203)."""

OPTIONS = (
    Option("fog", title="Fog of war (PL-1507)"),
    Option("opportunity_fire", title="Opportunity fire (PL-1601)"),
    Option("quick_time", title="Infantry quick-time (PL-1605)"),
    Option("panzerblitz_assault", title="Panzerblitz assault (PL-1606)"),
    Option("turret_fire", title="Turreted units fire and move (PL-1607)"),
    Option("field_of_fire", title="Artillery field of fire (PL-1608)"),
    Option("smoke", title="Smoke (PL-1609)"),
    Option("naval_fire", title="Naval fire (PL-1121)"),
)


def board_problems(board: Board) -> Iterator[Problem]:
    """What is wrong with a board for Panzer Leader.

    Rules: PL-201, PL-202, PL-203.
    """
    hilltop = terrain_table().hilltop
    for place in board.hexes:
        key, level = board.terrain[place], board.elevation[place]
        lawful = {TERRAIN[key].level} | ({hilltop.level} if key in hilltop.base else set())
        if level not in lawful:
            wanted = " or ".join(map(str, sorted(lawful)))
            yield Problem("", f"hex {board.label(place)}", f"{key} at elevation {level}; expected {wanted} (PL-202)")
        if board.has_feature(place, "bridge") and key != "stream":
            yield Problem("", f"hex {board.label(place)}", f"a bridge on {key}; expected stream (PL-201)")
    for (place, direction), symbols in board.hexsides.items():
        # each side is told from its lower hex, one on the edge of the map from its only one
        if len(symbols) > 1 and not 0 < board.neighbor(place, direction) < place:
            names = ", ".join(sorted(symbols))
            yield Problem(
                "", f"hex {board.label(place)} side {direction}", f"{names}; a side carries one symbol (PL-203)"
            )


def scenario_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """What is wrong with a scenario for Panzer Leader."""
    yield from _nation_problems(scenario)
    yield from _stack_problems(scenario)
    yield from _transport_problems(scenario)
    yield from _terrain_problems(scenario)
    yield from _works_problems(scenario)
    yield from _landing_problems(scenario)
    yield from _setup_problems(scenario)
    yield from _zone_problems(scenario)


def _nation_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Units in the other army: Germans on the Allied side or the other way round (PL-104, PL-307)."""
    for unit in scenario.units:
        kind = KINDS[unit.type]
        if kind.nation != "any" and kind.is_german != (unit.side == "german"):
            yield Problem("", unit.where, f"a {kind.name} is not {unit.side} (PL-307)")


def _stack_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Overstacked or mixed hexes (PL-401, PL-402, PL-403, PL-404, PL-406)."""
    board, heights, owners = scenario.board, dict[int, int](), dict[int, str]()
    for label in scenario.sections.blocks:
        heights[board.parse(label)] = heights.get(board.parse(label), 0) + 1
    for unit in scenario.units:
        if unit.hex is None or unit.arrival is not None or unit.aboard or unit.inside:
            continue
        heights[unit.hex] = heights.get(unit.hex, 0) + 1
        if heights[unit.hex] == STACK_LIMIT + 1:
            yield Problem("", unit.where, f"hex {board.label(unit.hex)} holds more than {STACK_LIMIT} units (PL-401)")
        if owners.setdefault(unit.hex, unit.side) != unit.side:
            yield Problem("", unit.where, f"both sides stand in hex {board.label(unit.hex)} (PL-406)")


def _transport_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Passengers their carrier can't take, garrisons of what is no fort or that are too many for it.

    Rules: PL-404, PL-641, PL-1321.
    """
    carried: set[str] = set()
    garrisons: dict[str, int] = {}
    for unit in scenario.units:
        if unit.aboard is not None:
            carrier, passenger = KINDS[scenario.unit(unit.aboard).type], KINDS[unit.type]
            if not can_carry(carrier.key, passenger.key):
                yield Problem("", unit.where, f"'aboard': a {carrier.name} can't carry a {passenger.name} (PL-641)")
            if unit.aboard in carried:
                yield Problem("", unit.where, f"'aboard': {unit.aboard} carries another unit already (PL-641)")
            carried.add(unit.aboard)
        if unit.inside is not None and not KINDS[scenario.unit(unit.inside).type].is_fort:
            yield Problem("", unit.where, f"'inside': {unit.inside} is no fortification (PL-1321)")
        if unit.inside is not None:
            garrisons[unit.inside] = garrisons.get(unit.inside, 0) + 1
            if garrisons[unit.inside] == STACK_LIMIT + 1:
                yield Problem("", unit.where, f"'inside': {unit.inside} holds more than {STACK_LIMIT} units (PL-404)")


def can_carry(carrier: str, passenger: str) -> bool:
    """Whether a unit type may carry another: carriers any non-vehicular unit, German armor but SPA one infantry-type
    unit.

    Rules: PL-641.
    """
    by, who = KINDS[carrier], KINDS[passenger]
    if who.is_vehicle or who.is_work:
        return False
    if by.has("c"):
        return True
    return by.is_german and by.armored and not by.has("spa") and who.is_infantry


def _terrain_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Vehicles that begin in swamp or stream, or could come in nowhere else (PL-209)."""
    board = scenario.board
    for unit in scenario.units:
        if unit.aboard is not None or not KINDS[unit.type].is_vehicle:
            continue
        places = unit.arrival.hexes if unit.arrival is not None else (unit.hex,) if unit.hex is not None else ()
        if places and not any(bears_vehicles(board, place) for place in places):
            place = places[0]
            yield Problem("", unit.where, f"a vehicle on {board.terrain[place]} in hex {board.label(place)} (PL-209)")


def bears_vehicles(board: Board, place: int) -> bool:
    """Whether the printed ground of a hex lets a vehicle stand there: a swamp on a road, a stream on a bridge.

    Rules: PL-209, PL-613, PL-631.
    """
    terrain = board.terrain[place]
    if terrain == "stream":
        return board.has_feature(place, "bridge")
    return terrain != "swamp" or bool(board.roads[place])


def _works_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Fortifications and mines where none may be (PL-1302, PL-1321)."""
    board, sections = scenario.board, scenario.sections
    forts = [unit.hex for unit in scenario.units if KINDS[unit.type].is_fort and unit.hex is not None]
    mines, blocks = map(board.parse, sections.mines), set(map(board.parse, sections.blocks))
    for place, message in (*fort_problems(board, forts), *mine_problems(board, mines, blocks, forts)):
        yield Problem("", f"hex {board.label(place)}", message)


def _landing_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Units at sea that are crowded, far from any beach or unable to come ashore, and faces turned down on land.

    Rules: PL-1401.
    """
    board, taken = scenario.board, set[int]()
    for unit in scenario.units:
        if unit.aboard is not None:
            continue
        places = unit.arrival.hexes if unit.arrival is not None else (unit.hex,) if unit.hex is not None else ()
        at_sea = [place for place in places if board.terrain[place] == "sea"]
        for place in at_sea:
            if not any(board.terrain[shore] == "beach" for shore in board.neighbors(place)):
                yield Problem("", unit.where, f"sea hex {board.label(place)} is not next to a beach (PL-1401)")
            if unit.arrival is None and place in taken:
                yield Problem("", unit.where, f"two units in sea hex {board.label(place)} (PL-1401)")
        if at_sea and not KINDS[unit.type].movement:
            yield Problem("", unit.where, "a unit that does not move by itself lands aboard a carrier (PL-1401)")
        if unit.details.facedown and not at_sea:
            yield Problem("", unit.where, "'facedown' is for units at sea (PL-1401)")
        taken.update(at_sea if unit.arrival is None else ())


def _setup_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Units that nobody would place, and hexes where both sides could (PL-406, PL-1506)."""
    board, placers = scenario.board, scenario.sections.setup.order
    zones = {"allied": set(scenario.zone("german")), "german": set(scenario.zone("allied"))}
    for unit in scenario.units:
        if _waits(unit) and unit.side not in placers:
            yield Problem("", unit.where, f"has no place, but 'setup.order' leaves {unit.side} out (PL-1506)")
        if unit.hex is not None and unit.hex in zones[unit.side]:
            yield Problem("", unit.where, f"stands in the enemy's zone in hex {board.label(unit.hex)} (PL-406)")
    shared = zones["allied"] & zones["german"]
    if shared:
        yield Problem("", "[[zones]]", f"hex {board.label(min(shared))} is in zones of both sides (PL-406)")


def _waits(unit: ScenarioUnit[UnitDetails]) -> bool:
    """Whether a unit has no place yet and must be set up."""
    return unit.hex is None and unit.arrival is None and unit.aboard is None


def _zone_problems(scenario: PanzerLeaderScenario) -> Iterator[Problem]:
    """Zones in which not all who have to be set up find a place (PL-209, PL-401, PL-1506)."""
    board, units = scenario.board, scenario.units
    taken = Counter([unit.hex for unit in units if not unit.aboard and not unit.inside])
    taken.update(map(board.parse, scenario.sections.blocks))
    for side in filter(scenario.zone, scenario.sections.setup.order):
        zone = [place for place in scenario.zone(side) if board.terrain[place] != "sea"]
        waiting = [unit for unit in units if unit.side == side and _waits(unit)]
        room = sum(max(0, STACK_LIMIT - taken[place]) for place in zone)
        if len(waiting) > room:
            yield Problem("", "[[zones]]", f"{side} has {len(waiting)} units to set up and room for {room} (PL-401)")
        if not any(bears_vehicles(board, place) for place in zone):
            for unit in waiting:
                if KINDS[unit.type].is_vehicle:
                    yield Problem("", unit.where, f"no hex of the zone bears a {KINDS[unit.type].name} (PL-209)")


def _nations() -> Iterable[str]:
    return {kind.nation for kind in KINDS.values()} - {"any"}


VOCABULARY: Vocabulary[Sections, UnitDetails] = Vocabulary(
    system="panzer_leader",
    sections=Sections,
    unit_details=UnitDetails,
    terrains=frozenset(TERRAIN),
    unit_types=frozenset(KINDS) - {UNKNOWN},
    hexsides=HEXSIDES,
    features=frozenset({"bridge"}),
    sides=frozenset({"allied", "german"}),
    nations=frozenset(_nations()),
    options=OPTIONS,
    problems=scenario_problems,
    board_problems=board_problems,
)
