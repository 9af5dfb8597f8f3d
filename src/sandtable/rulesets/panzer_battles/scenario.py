"""What Panzer Battles adds to board and scenario files, and what it objects to in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from sandtable.content import ContentError, HexLabel, Option, Problem, Scenario, ScenarioUnit, SideName, Vocabulary
from sandtable.content.shapes import FileName, Id, Title
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.play.words import mixed
from sandtable.rulesets.panzer_battles import schedule
from sandtable.rulesets.panzer_battles.engineers.wiring import Wire, wiring_problems
from sandtable.rulesets.panzer_battles.environment import header
from sandtable.rulesets.panzer_battles.environment.header import Environment
from sandtable.rulesets.panzer_battles.facing import Facing
from sandtable.rulesets.panzer_battles.features import MINEFIELD, WORKS, FeatureEntry
from sandtable.rulesets.panzer_battles.kinds import (
    AIRCRAFT,
    FLAG_TITLES,
    KINDS,
    SHIPS,
    UNIT_TYPES,
    UnitKind,
    men_equivalents,
)
from sandtable.rulesets.panzer_battles.model import SIDES, Unit
from sandtable.rulesets.panzer_battles.movement.carrying import can_carry, load, room_for
from sandtable.rulesets.panzer_battles.movement.costs import (
    BRIDGE_BEARS,
    ENGINEER_BRIDGE,
    FERRY,
    FULL_BRIDGE,
    FULL_FERRY,
    RAISED,
)
from sandtable.rulesets.panzer_battles.movement.modes import has_rail
from sandtable.rulesets.panzer_battles.parameter_sections import (
    CROSSINGS,
    MOVE_CLASSES,
    PROHIBITED,
    TERRAINS,
    Clock,
)
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, Parameters, column, parameters_of
from sandtable.rulesets.panzer_battles.supply.sources import SourceEntry
from sandtable.rulesets.panzer_battles.supply.sources import problems as source_problems

LEVELS = ("army_group", "army", "corps", "division", "brigade", "regiment", "battalion", "company")
"""The levels of organizations from the top (PB-OOB-1)."""

ROADS = frozenset({"primary", "secondary", "trail", "rail", "primary_rail", "secondary_rail", "trail_rail"})
"""Roads and rail lines; where both cross one hexside, the names of both (PB-MAP-5)."""

WATERS = frozenset({"water", "shallow_water"})

Grade = Literal["A", "B", "C", "D", "E", "F"]
Strength = Annotated[int, msgspec.Meta(ge=0, le=999, description="a whole number from 0 to 999")]
Fatigue = Annotated[int, msgspec.Meta(ge=0, le=150, description="a whole number from 0 to 150")]
Score = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000, description="a whole number up to a million")]


class UnitDetails(msgspec.Struct, frozen=True):
    """What a [[units]] entry may add; strength and full strength of 0 are those of the type, a unit of no mode is
    deployed on the map and travels when it arrives. Here alone batteries get their stockpiles.

    Rules: PB-OOB-6, PB-SUP-48.
    """

    formation: str = ""
    quality: Grade = "C"
    strength: Strength = 0
    full: Strength = 0
    fatigue: Fatigue = 0
    mode: Literal["", "deployed", "travel", "rail"] = ""
    fixed: bool = False
    disrupted: bool = False
    broken: bool = False
    low_ammo: bool = False
    low_fuel: bool = False
    unavailable: bool = False
    stockpiled: bool = False
    on_foot: bool = False
    flags: tuple[str, ...] = ()
    arrival: schedule.Arrival = schedule.BY_ROAD
    facing: Facing | None = None


class FormationEntry(msgspec.Struct, frozen=True):
    """An organization of the order of battle, under its parent (PB-OOB-1)."""

    id: Id
    title: Title
    side: SideName
    level: Literal["army_group", "army", "corps", "division", "brigade", "regiment", "battalion", "company"]
    parent: str = ""


class Thresholds(msgspec.Struct, frozen=True):
    """The scores at which a battle is won or lost, from the first side's view (PB-VIC-11)."""

    major_defeat: Score
    minor_defeat: Score
    minor_victory: Score
    major_victory: Score


class Sections(msgspec.Struct, frozen=True):
    """The sections of a Panzer Battles scenario beyond those every system has."""

    thresholds: Thresholds
    clock: Clock = "06:00"
    environment: Environment = Environment()
    ownership: dict[SideName, tuple[HexLabel, ...]] = {}
    formations: tuple[FormationEntry, ...] = ()
    features: tuple[FeatureEntry, ...] = ()
    wired: tuple[Wire, ...] = ()
    supply_sources: tuple[SourceEntry, ...] = ()
    releases: tuple[schedule.ReleaseEntry, ...] = ()
    fixings: tuple[schedule.FixingEntry, ...] = ()
    withdrawals: tuple[schedule.WithdrawalEntry, ...] = ()
    exit_multipliers: dict[HexLabel, Annotated[float, msgspec.Meta(gt=0, le=100)]] = {}
    fanatical: tuple[schedule.Nation, ...] = ()
    parameter_file: FileName = ""
    parameters: dict[str, Any] = {}


BattleScenario = Scenario[Sections, UnitDetails]

ADVANTAGES = (0, 25, 50, 75, 100, -25, -50, -75, -100)
"""How much the first side is favored, or with less than nothing the second, a hundred being a quarter (PB-FIRE-71)."""

ABSENT = {
    "manual_defensive_fire": "there is no manual defensive fire: all fire in the enemy's turn is automatic (PB-OPT-3)"
}
"""The options that the manual names and the game does not have, with what is said to who asks for them.

Rules: PB-GEN-6, PB-OPT-3.
"""

OPTIONS = (
    Option("fog", default=True, title="Fog of war (PB-SPOT-19)"),
    Option("programmed_weather", title="Programmed weather, where the scenario has it (PB-ENV-23)"),
    Option("artillery_setup", title="Artillery must set up after it has moved (PB-SUP-40)"),
    Option("counterbattery", title="Counter-battery fire (PB-FIRE-60)"),
    Option("fire_by_map", title="Indirect fire by the map (PB-OPT-6)"),
    Option("low_visibility_air", title="Fewer air missions when sight is short (PB-AIR-35)"),
    Option("explicit_supply", title="Supply columns on the map (PB-OPT-8)"),
    Option("alternative_fire", title="Alternative calculation for fire (PB-CRT-19)"),
    Option("alternative_assault", title="Alternative calculation for assaults (PB-CRT-19)"),
    Option("quality_fatigue", title="Better troops rest better (PB-OPT-12)"),
    Option("broken_at_maximum", title="Units break at maximum fatigue only (PB-OPT-15)"),
    Option("automatic_arrival", title="The computer places your arrivals (PB-OPT-16)"),
    Option(
        "advantage",
        default=0,
        values=ADVANTAGES,
        title="Advantage of the first side, 100 is a quarter (PB-FIRE-71)",
    ),
)
"""The optional rules (PB-OPT-1 to PB-OPT-16); what the manual names and the game does not have is not among them.

Rules: PB-OPT-3, PB-OPT-13, PB-OPT-14, PB-FIRE-71.
"""


def scenario_problems(scenario: BattleScenario) -> Iterator[Problem]:
    """What is wrong with a scenario for Panzer Battles."""
    numbers = DEFAULTS
    try:
        numbers = parameters_of(scenario)
    except ContentError as error:
        yield from error.problems
    yield from _thresholds(scenario)
    yield from _long_crossings(scenario)
    yield from _formations(scenario)
    yield from _units(scenario, numbers)
    yield from _loads(scenario, numbers)
    yield from _stacks(scenario)
    yield from _crowds(scenario, numbers)
    yield from _objectives(scenario)
    yield from _features(scenario)
    yield from wiring_problems(scenario.board, scenario.sections.wired)
    yield from source_problems(scenario.board, scenario.sections.supply_sources)
    yield from schedule.problems(scenario)
    yield from header.problems(scenario, numbers.weather.visibility_max_cap)


def _thresholds(scenario: BattleScenario) -> Iterator[Problem]:
    """Levels of victory out of order (PB-VIC-11)."""
    levels = msgspec.structs.astuple(scenario.sections.thresholds)
    if list(levels) != sorted(set(levels)):
        yield Problem("", "[thresholds]", "expected major_defeat < minor_defeat < minor_victory < major_victory")


def _long_crossings(scenario: BattleScenario) -> Iterator[Problem]:
    """Long bridges and ferries that lie on land (PB-MAP-6)."""
    board = scenario.board
    for place, words in board.features.items():
        for word in sorted({FULL_BRIDGE, FULL_FERRY} & words):
            if board.terrain[place] != "water":
                where = f"hex {board.label(place)} is no water"
                yield Problem("", "'board'", f"the {word.replace('_', ' ')} is not in a Water hex: {where} (PB-MAP-6)")


def _formations(scenario: BattleScenario) -> Iterator[Problem]:
    """Organizations with no such parent, of another side or level, twice, or under themselves.

    Rules: PB-OOB-1.
    """
    known: dict[str, FormationEntry] = {}
    parents = {entry.id: entry.parent for entry in scenario.sections.formations}
    for number, entry in enumerate(scenario.sections.formations, 1):
        where = f"[[formations]] #{number}"
        if entry.id in known:
            yield Problem("", f"{where} 'id'", f"'{entry.id}' stands twice")
        parent = known.get(entry.parent)
        known[entry.id] = entry
        if not entry.parent:
            continue
        if entry.id in _above(entry.id, parents):
            yield Problem("", f"{where} 'parent'", f"'{entry.id}' is under itself (PB-OOB-1)")
        elif parent is None:
            yield Problem("", f"{where} 'parent'", f"no organization '{entry.parent}' stands before it")
        elif parent.side != entry.side:
            yield Problem("", f"{where} 'parent'", f"'{entry.parent}' is of the other side")
        elif LEVELS.index(parent.level) >= LEVELS.index(entry.level):
            yield Problem("", f"{where} 'level'", f"a {entry.level} can't be under a {parent.level}")


def _above(id: str, parents: dict[str, str]) -> list[str]:
    """The organizations over one, up to the top, or to where they begin anew."""
    above: list[str] = []
    while (id := parents.get(id, "")) and id not in above:
        above.append(id)
    return above


def _units(scenario: BattleScenario, numbers: Parameters) -> Iterator[Problem]:
    """Units that have no place, no organization, or stand where they could never have come.

    Rules: PB-MOVE-7, PB-MOVE-31, PB-MOVE-35, PB-OOB-6.
    """
    board, sides = scenario.board, {one.id: one.side for one in scenario.sections.formations}
    for unit in scenario.units:
        kind, details = KINDS[unit.type], unit.details
        is_air = kind.component == AIRCRAFT
        if sides.get(details.formation) != unit.side and (details.formation or not is_air):
            unknown = f"{unit.side} has no organization '{details.formation}' (PB-OOB-6)"
            yield Problem("", f"{unit.where} 'formation'", unknown)
        for flag in details.flags:
            if flag not in FLAG_TITLES:
                yield Problem("", f"{unit.where} 'flags'", f"unknown flag '{flag}' (PB-OOB-6)")
        if is_air:
            if unit.hex is not None or unit.arrival is not None or unit.aboard is not None:
                yield Problem("", unit.where, "expected no place: air units are off the map (PB-AIR-1)")
            continue
        full = details.full or kind.full
        if details.strength > full:
            yield Problem("", f"{unit.where} 'strength'", f"expected at most {full}, its full strength")
        if unit.aboard is not None:
            continue
        if unit.arrival is None and (unit.hex is None or unit.inside is not None):
            yield Problem("", unit.where, "expected 'at', 'arrives' or 'aboard': nobody is set up by its player")
            continue
        place, key = _comes_to(unit)
        if place is None:
            continue
        terrain, label = board.terrain[place], board.label(place)
        if not _bears(scenario, place, kind, details, numbers, travels=unit.arrival is not None):
            yield Problem("", f"{unit.where} '{key}'", f"{terrain} in hex {label} is prohibited to it (PB-MOVE-7)")
        elif _by_rail(kind, details) and not has_rail(board, HexId(place)):
            yield Problem("", f"{unit.where} '{key}'", f"there is no rail line in hex {label} (PB-MOVE-31)")


def _comes_to(unit: ScenarioUnit[UnitDetails]) -> tuple[int | None, str]:
    """The hex in which a unit begins or arrives, with the key that names it; none for who comes down or slips in where
    he can.

    Rules: PB-REIN-1, PB-REIN-6, PB-REIN-16.
    """
    if unit.arrival is None:
        return unit.hex, "at"
    finds_its_place = unit.details.arrival.by in (*schedule.FROM_THE_AIR, schedule.INFILTRATION)
    return None if finds_its_place else unit.arrival.hexes[0], "arrives"


def _by_rail(kind: UnitKind, details: UnitDetails) -> bool:
    """Whether a unit begins in Rail Mode, as trains do unless they say otherwise (PB-MOVE-56)."""
    return details.mode == "rail" or (kind.has("rail_unit") and details.mode != "deployed")


def _bears(
    scenario: BattleScenario, place: int, kind: UnitKind, details: UnitDetails, numbers: Parameters, *, travels: bool
) -> bool:
    """Whether a unit may be in a hex in its mode, which is Travel Mode for who arrives, unless it says otherwise.

    Rules: PB-MOVE-7, PB-MOVE-35, PB-MOVE-56, PB-MOVE-60, PB-REIN-5.
    """
    board = scenario.board
    if kind.move_class not in MOVE_CLASSES:
        return board.terrain[place] in WATERS if kind.move_class == "naval" else bool(board.roads[place])
    mode = details.mode or ("travel" if travels else "deployed")
    carried_on_foot = kind.is_carried and (details.on_foot or mode == "deployed")
    col = column("foot" if carried_on_foot else kind.move_class)
    is_prohibited = numbers.movement.terrain[board.terrain[place]][col] == PROHIBITED
    return not is_prohibited or (bool(board.roads[place]) and mode != "deployed")


def _loads(scenario: BattleScenario, numbers: Parameters) -> Iterator[Problem]:
    """Passengers of what can't carry them, and more of them than there is room for.

    Rules: PB-MOVE-42, PB-MOVE-43, PB-MOVE-44, PB-MOVE-46.
    """
    known = {unit.id: unit for unit in scenario.units}
    aboard: dict[str, list[ScenarioUnit[UnitDetails]]] = {}
    for unit in scenario.units:
        if unit.aboard is not None:
            aboard.setdefault(unit.aboard, []).append(unit)
    for id, passengers in aboard.items():
        carrier, fitting = _afresh(known[id]), []
        for one in passengers:
            if can_carry(carrier) and room_for(carrier, _afresh(one), numbers):
                fitting.append(_afresh(one))
            else:
                yield Problem("", f"{one.where} 'aboard'", f"'{id}' takes no such unit (PB-MOVE-42)")
        taken = load(carrier, fitting, numbers)
        if taken > 1:
            last = passengers[-1].where
            yield Problem("", f"{last} 'aboard'", f"'{id}' has not so much room: {mixed(taken)} of it (PB-MOVE-46)")


def _afresh(unit: ScenarioUnit[UnitDetails]) -> Unit:
    """A unit with the strength that it begins with."""
    full = unit.details.full or KINDS[unit.type].full
    return Unit(UnitId(0), unit.type, SideId(unit.side), strength=unit.details.strength or full, full=full)


def _stacks(scenario: BattleScenario) -> Iterator[Problem]:
    """Both sides in one hex (PB-STK-9)."""
    owners: dict[int, str] = {}
    for unit in scenario.units:
        if unit.hex is not None and owners.setdefault(unit.hex, unit.side) != unit.side:
            label = scenario.board.label(unit.hex)
            yield Problem("", f"{unit.where} 'at'", f"hex {label} holds units of both sides (PB-STK-9)")


def _crowds(scenario: BattleScenario, numbers: Parameters) -> Iterator[Problem]:
    """More men or ships in a hex than may be there; trains do not count, nor who is aboard a ship.

    Rules: PB-STK-2, PB-STK-3, PB-STK-6.
    """
    kinds = {unit.id: KINDS[unit.type] for unit in scenario.units}
    crowds: dict[int, int] = {}
    fleets: dict[int, int] = {}
    for unit in scenario.units:
        if unit.hex is None or _by_rail(kinds[unit.id], unit.details):
            continue
        if SHIPS in (kinds[unit.id].component, kinds[unit.aboard or unit.id].component):
            fleets[unit.hex] = fleets.get(unit.hex, 0) + (unit.aboard is None)
        else:
            men = men_equivalents(kinds[unit.id], _afresh(unit).strength, numbers)
            crowds[unit.hex] = crowds.get(unit.hex, 0) + men
    limits = numbers.stacking
    for found, limit, what, rule in (
        (crowds, limits.max, "men", "PB-STK-2"),
        (fleets, limits.ships_per_hex, "ships", "PB-STK-6"),
    ):
        for place, count in found.items():
            if count > limit:
                label = scenario.board.label(place)
                yield Problem("", "[[units]]", f"hex {label} holds {count} {what} and may hold {limit} ({rule})")


def _objectives(scenario: BattleScenario) -> Iterator[Problem]:
    """Objectives that are nobody's, and owners of what is no objective (PB-VIC-3)."""
    board = scenario.board
    owned = [board.parse(label) for labels in scenario.sections.ownership.values() for label in labels]
    prizes = [place for one in scenario.objectives for place in one.hexes]
    for place in sorted(set(prizes) - set(owned)):
        yield Problem("", "[ownership]", f"the objective in hex {board.label(place)} is nobody's (PB-VIC-3)")
    for place in sorted(set(owned) - set(prizes)):
        yield Problem("", "[ownership]", f"there is no objective in hex {board.label(place)} (PB-VIC-3)")


def _features(scenario: BattleScenario) -> Iterator[Problem]:
    """Works and mines of no side, and two features of a sort in one hex.

    Rules: PB-MOVE-85.
    """
    taken: set[tuple[str, str]] = set()
    for number, entry in enumerate(scenario.sections.features, 1):
        where = f"[[features]] #{number}"
        sort = "work" if entry.kind in WORKS else entry.kind
        if sort in ("work", MINEFIELD) and entry.side is None:
            yield Problem("", f"{where} 'side'", f"expected the side that a {entry.kind} belongs to (PB-MOVE-85)")
        for label in entry.hexes:
            if (label, sort) in taken:
                yield Problem("", f"{where} 'hexes'", f"hex {label} has a {sort} already")
            taken.add((label, sort))


VOCABULARY: Vocabulary[Sections, UnitDetails] = Vocabulary(
    system="panzer_battles",
    sections=Sections,
    unit_details=UnitDetails,
    terrains=frozenset(TERRAINS),
    unit_types=UNIT_TYPES,
    hexsides=frozenset(CROSSINGS) | (frozenset(BRIDGE_BEARS) - {ENGINEER_BRIDGE}) | {FERRY},
    features=frozenset({RAISED, FULL_BRIDGE, FULL_FERRY}),
    sides=frozenset(SIDES),
    options=OPTIONS,
    absent=ABSENT,
    road_kinds=ROADS,
    off_map=frozenset(key for key, kind in KINDS.items() if kind.component == AIRCRAFT),
    in_meters=True,
    problems=scenario_problems,
)
