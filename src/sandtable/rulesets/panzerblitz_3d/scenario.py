"""What 3D PanzerBlitz adds to board and scenario files, and what it objects to in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from sandtable.content import HexLabel, Option, Problem, Scenario, ScenarioUnit, SideName, Vocabulary
from sandtable.geometry.board import Board
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS, KINDS, UNIT_TYPES, can_carry
from sandtable.rulesets.panzerblitz_3d.terrain import FORD, GULLY, HEXSIDES, ground_of, may_stand
from sandtable.rulesets.panzerblitz_3d.terrain_table import TERRAIN, terrain_table

Level = Literal["marginal", "tactical", "decisive"]
Positive = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]

STACK_LIMITS = {"german": 3, "russian": 2}
"""Units of a side in one hex (PB3-401)."""


class UnitDetails(msgspec.Struct, frozen=True):
    """What a [[units]] entry may add: that the unit is a forward observer although it is no command post (PB3-1201)."""

    observer: bool = False


class BatteryEntry(msgspec.Struct, frozen=True):
    """A battery off the map, and how many fire missions it has; 0 leaves that to the table (PB3-305)."""

    side: SideName
    type: Literal["ob_81", "ob_105", "ob_122", "ob_150", "ob_rocket"]
    missions: Count = 0
    name: str = ""


class Exit(msgspec.Struct, frozen=True):
    """Edge hexes where a side may leave the map, and the points each unit scores by it."""

    side: SideName
    hexes: tuple[HexLabel, ...]
    points: Count = 1


class Condition(msgspec.Struct, frozen=True):
    """What earns a side a victory of some level; all parts that are given must be met.

    `hold` asks for `count` of the hexes (0: all), `destroy` and `exit` for that many units.
    """

    side: SideName
    level: Level
    title: str = ""
    hold: tuple[HexLabel, ...] = ()
    count: Count = 0
    destroy: Count = 0
    exit: Count = 0


class Otherwise(msgspec.Struct, frozen=True):
    """Who wins when nobody has met a condition."""

    side: SideName
    level: Level = "marginal"


class Victory(msgspec.Struct, frozen=True):
    """How a battle is judged (PB3-1301); silence leaves it to points (PB3-1302)."""

    loss_points: Count = 1
    objective_points: Count = 5
    marginal: Positive = 1
    tactical: Positive = 5
    decisive: Positive = 10
    handicap: dict[SideName, int] = {}
    exits: tuple[Exit, ...] = ()
    conditions: tuple[Condition, ...] = ()
    otherwise: Otherwise | None = None


class Setup(msgspec.Struct, frozen=True):
    """Who places units in their zones before the battle, in this order (PB3-1303)."""

    order: tuple[SideName, ...] = ()


class Sections(msgspec.Struct, frozen=True):
    """The sections of a 3D PanzerBlitz scenario beyond those every system has."""

    batteries: tuple[BatteryEntry, ...] = ()
    mines: tuple[HexLabel, ...] = ()
    blocks: tuple[HexLabel, ...] = ()
    victory: Victory = Victory()
    setup: Setup = Setup()
    control: dict[SideName, tuple[HexLabel, ...]] = {}


PanzerblitzScenario = Scenario[Sections, UnitDetails]

OPTIONS = (
    Option("fog", title="Fog of war (PB3-1303)"),
    Option("hill_exceptions", title="Hill exceptions (PB3-1601)"),
    Option("deep_modifier", title="Deep modifier (PB3-1602)"),
    Option("published_4_1", title="Published 4-1 column (PB3-1603)"),
    Option("hilltop_cover", title="Hilltop woods and towns obstruct (PB3-1604)"),
    Option("indirect_fire", title="On-board indirect fire (PB3-1605)"),
    Option("works", title="Mines, blocks and forts (PB3-1606)"),
    Option("all_wrecks", title="All destroyed units leave markers (PB3-1607)"),
    Option("panzerblitz_assault", title="Panzerblitz assault (PB3-1608)"),
)


def board_problems(board: Board) -> Iterator[Problem]:
    """What is wrong with a board for 3D PanzerBlitz.

    Rules: PB3-201, PB3-202, PB3-203.
    """
    table = terrain_table()
    for place in board.hexes:
        key, level, where = board.terrain[place], board.elevation[place], f"hex {board.label(place)}"
        lawful = {TERRAIN[key].level} | ({table.hilltop.level} if key in table.hilltop.base else set())
        if level not in lawful:
            wanted = " or ".join(map(str, sorted(lawful)))
            yield Problem("", where, f"{key} at elevation {level}; expected {wanted} (PB3-202)")
        if board.has_feature(place, GULLY) and (key in table.gully.never or level):
            yield Problem("", where, f"a gully in {key} at elevation {level} (PB3-201)")
        if board.has_feature(place, FORD) and not board.has_feature(place, GULLY):
            yield Problem("", where, "a ford without a gully (PB3-201)")
    for (place, direction), symbols in board.hexsides.items():
        # each side is told from its lower hex, one on the edge of the map from its only one
        if len(symbols) > 1 and not 0 < board.neighbor(place, direction) < place:
            names = ", ".join(sorted(symbols))
            yield Problem(
                "", f"hex {board.label(place)} side {direction}", f"{names}; a side carries one symbol (PB3-203)"
            )


def scenario_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """What is wrong with a scenario for 3D PanzerBlitz."""
    yield from _nation_problems(scenario)
    yield from _stack_problems(scenario)
    yield from _transport_problems(scenario)
    yield from _terrain_problems(scenario)
    yield from _works_problems(scenario)
    yield from _setup_problems(scenario)
    yield from _zone_problems(scenario)


def _nation_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """Units in the other army: ids of types and sides are the same words (PB3-304)."""
    for unit in scenario.units:
        if KINDS[unit.type].nation != unit.side:
            yield Problem("", unit.where, f"a {KINDS[unit.type].name} is not {unit.side} (PB3-304)")


def _stack_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """Overstacked or mixed hexes (PB3-401, PB3-405, PB3-606)."""
    board, heights, owners = scenario.board, dict[int, int](), dict[int, str]()
    for unit in scenario.units:
        if unit.hex is None or unit.arrival is not None or unit.aboard or unit.inside or unit.type in FORTS:
            continue
        limit = STACK_LIMITS[unit.side]
        heights[unit.hex] = heights.get(unit.hex, 0) + 1
        if heights[unit.hex] == limit + 1:
            yield Problem("", unit.where, f"hex {board.label(unit.hex)} holds more than {limit} units (PB3-401)")
        if owners.setdefault(unit.hex, unit.side) != unit.side:
            yield Problem("", unit.where, f"both sides stand in hex {board.label(unit.hex)} (PB3-606)")


def _transport_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """Passengers their carrier can't take, garrisons of what is no fort or that are too many for it.

    Rules: PB3-405, PB3-621, PB3-1606.
    """
    carried: set[str] = set()
    garrisons: dict[str, int] = {}
    for unit in scenario.units:
        if unit.aboard is not None:
            carrier = scenario.unit(unit.aboard).type
            if not can_carry(carrier, unit.type):
                names = f"a {KINDS[carrier].name} can't carry a {KINDS[unit.type].name}"
                yield Problem("", unit.where, f"'aboard': {names} (PB3-621)")
            if unit.aboard in carried:
                yield Problem("", unit.where, f"'aboard': {unit.aboard} carries another unit already (PB3-621)")
            carried.add(unit.aboard)
        if unit.inside is not None:
            if scenario.unit(unit.inside).type not in FORTS:
                yield Problem("", unit.where, f"'inside': {unit.inside} is no fort (PB3-1606)")
            limit = STACK_LIMITS[unit.side]
            garrisons[unit.inside] = garrisons.get(unit.inside, 0) + 1
            if garrisons[unit.inside] == limit + 1:
                yield Problem("", unit.where, f"'inside': {unit.inside} holds more than {limit} units (PB3-405)")


def _terrain_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """Units that begin where their kind can't be, or could come in nowhere else (PB3-205, PB3-607)."""
    board = scenario.board
    for unit in scenario.units:
        kind = KINDS[unit.type]
        if unit.aboard or kind.is_work:
            continue
        places = unit.arrival.hexes if unit.arrival is not None else (unit.hex,) if unit.hex is not None else ()
        if places and not any(may_stand(board, kind.mobility, HexId(place)) for place in places):
            place = HexId(places[0])
            where = f"{ground_of(board, place).title.lower()} in hex {board.label(place)}"
            yield Problem("", unit.where, f"{where} is forbidden to it (PB3-205)")


def _works_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """Works although the scenario plays without them, and two forts in one hex (PB3-1606)."""
    sections, taken = scenario.sections, set[int]()
    forts = [unit for unit in scenario.units if unit.type in FORTS]
    if (forts or sections.mines or sections.blocks) and not scenario.options["works"]:
        yield Problem("", "[options]", "mines, blocks and forts need 'works = true' (PB3-1606)")
    for unit in forts:
        if unit.hex is None or unit.hex in taken:
            yield Problem("", unit.where, "a fort needs a hex of its own (PB3-1606)")
        else:
            taken.add(unit.hex)


def _setup_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """Units that nobody would place, and hexes where both sides could (PB3-1303)."""
    board, placers = scenario.board, scenario.sections.setup.order
    zones = {"russian": set(scenario.zone("german")), "german": set(scenario.zone("russian"))}
    for unit in scenario.units:
        if _waits(unit) and unit.side not in placers:
            yield Problem("", unit.where, f"has no place, but 'setup.order' leaves {unit.side} out (PB3-1303)")
        if unit.hex is not None and unit.hex in zones[unit.side]:
            yield Problem("", unit.where, f"stands in the enemy's zone in hex {board.label(unit.hex)} (PB3-1303)")
    shared = zones["russian"] & zones["german"]
    if shared:
        yield Problem("", "[[zones]]", f"hex {board.label(min(shared))} is in zones of both sides (PB3-1303)")


def _waits(unit: ScenarioUnit[UnitDetails]) -> bool:
    """Whether a unit has no place yet and must be set up."""
    return unit.hex is None and unit.arrival is None and unit.aboard is None


def _zone_problems(scenario: PanzerblitzScenario) -> Iterator[Problem]:
    """Zones in which not all who have to be set up find a place (PB3-205, PB3-401, PB3-1303)."""
    board, units = scenario.board, scenario.units
    taken = Counter([unit.hex for unit in units if not (unit.aboard or unit.inside or unit.type in FORTS)])
    for side in filter(scenario.zone, scenario.sections.setup.order):
        zone, waiting = scenario.zone(side), [unit for unit in units if unit.side == side and _waits(unit)]
        room = sum(max(0, STACK_LIMITS[side] - taken[place]) for place in zone)
        if len(waiting) > room:
            yield Problem("", "[[zones]]", f"{side} has {len(waiting)} units to set up and room for {room} (PB3-401)")
        for unit in waiting:
            kind = KINDS[unit.type]
            if not any(may_stand(board, kind.mobility, place) for place in zone):
                yield Problem("", unit.where, f"no hex of the zone bears a {kind.name} (PB3-205)")


VOCABULARY: Vocabulary[Sections, UnitDetails] = Vocabulary(
    system="panzerblitz_3d",
    sections=Sections,
    unit_details=UnitDetails,
    terrains=frozenset(TERRAIN),
    unit_types=frozenset(UNIT_TYPES),
    hexsides=HEXSIDES,
    features=frozenset({GULLY, FORD}),
    sides=frozenset({"german", "russian"}),
    nations=frozenset({"german", "russian"}),
    options=OPTIONS,
    problems=scenario_problems,
    board_problems=board_problems,
)
