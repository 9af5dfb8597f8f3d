"""What Panzer '44 adds to board and scenario files, and what it objects to in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from sandtable.content import HexLabel, Id, Option, Problem, Scenario, SideName, UnitTypeName, Vocabulary, find_hex
from sandtable.geometry.board import Board
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_44.kinds import HOWITZER, KINDS, UNKNOWN
from sandtable.rulesets.panzer_44.tables import BATTERIES, PANIC, SORTIES
from sandtable.rulesets.panzer_44.terrain import BRIDGE, CROSSED_BY_BRIDGES, HEXSIDES, SLOPE, TERRAIN, TOWN

PanicLevel = Annotated[int, msgspec.Meta(ge=0, le=PANIC.level_max)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=100)]
Points = Annotated[int, msgspec.Meta(ge=0, le=1_000)]
Accuracy = Annotated[int, msgspec.Meta(ge=0, le=6)]

STACK_LIMIT = 3
"""So many units of a side may be in a hex (P44-4.01)."""

VISIBILITY = 20
"""How far one sees unless the scenario says otherwise (P44-4.07)."""

EXIT_POINTS = 3
"""What each unit exited is worth unless the scenario says otherwise (P44-14.02)."""


class UnitDetails(msgspec.Struct, frozen=True):
    """What a [[units]] entry may add: its panic group, and the accuracy number of its indirect fire.

    Rules: P44-6.01, P44-11.03.
    """

    group: str = ""
    accuracy: Accuracy = 1


class Group(msgspec.Struct, frozen=True):
    """Units with a Panic Level of their own: those that name it, and all of these types or nations (P44-6.01)."""

    id: Id
    title: str
    side: SideName
    level: PanicLevel
    nations: tuple[str, ...] = ()
    types: tuple[UnitTypeName, ...] = ()


class VisibilityEntry(msgspec.Struct, frozen=True):
    """How far one sees from a turn on (P44-4.07)."""

    turn: Positive
    hexes: Positive


class BatteryEntry(msgspec.Struct, frozen=True):
    """Artillery off the map and how often it fires; an accuracy of 0 is the table's (P44-11.09)."""

    side: SideName
    type: str
    missions: Positive
    accuracy: Accuracy = 0


class SortieEntry(msgspec.Struct, frozen=True):
    """Aircraft and how often they come (P44-11.10)."""

    side: SideName
    type: str
    count: Positive = 1


class Mines(msgspec.Struct, frozen=True):
    """The mined hexes by grade (P44-13.01)."""

    hasty: tuple[HexLabel, ...] = ()
    preventative: tuple[HexLabel, ...] = ()
    defensive: tuple[HexLabel, ...] = ()


class Exit(msgspec.Struct, frozen=True):
    """Edge hexes where a side may leave the map, and what each of its units that does so is worth (P44-12.07)."""

    side: SideName
    hexes: tuple[HexLabel, ...]
    points: Points = EXIT_POINTS


class Setup(msgspec.Struct, frozen=True):
    """Who places units in his zone before the battle, in this order."""

    order: tuple[SideName, ...] = ()


class Condition(msgspec.Struct, frozen=True):
    """A task of a side: `count` of the hexes are its own at the end (0: all), or so many of its units have exited."""

    side: SideName
    title: str
    hold: tuple[HexLabel, ...] = ()
    count: Points = 0
    exit: Points = 0


class Presence(msgspec.Struct, frozen=True):
    """What each unit of a side is worth that is in an area at the end; an area is hexes and rectangles of them."""

    side: SideName
    title: str
    area: tuple[str, ...]
    points: Points


class Victory(msgspec.Struct, frozen=True):
    """How a battle is judged; silence leaves it to points (P44-14.02).

    Rules: P44-14.01.
    """

    conditions: tuple[Condition, ...] = ()
    otherwise: SideName | None = None
    presence: tuple[Presence, ...] = ()
    losses: bool = True


class Sections(msgspec.Struct, frozen=True):
    """The sections of a Panzer '44 scenario beyond those every system has."""

    panic: dict[SideName, PanicLevel] = {}
    groups: tuple[Group, ...] = ()
    visibility: tuple[VisibilityEntry, ...] = ()
    batteries: tuple[BatteryEntry, ...] = ()
    sorties: tuple[SortieEntry, ...] = ()
    mines: Mines = Mines()
    mined_roads: bool = False
    positions: tuple[HexLabel, ...] = ()
    control: dict[SideName, tuple[HexLabel, ...]] = {}
    attacker: SideName | None = None
    registered: dict[SideName, tuple[HexLabel, ...]] = {}
    exits: tuple[Exit, ...] = ()
    setup: Setup = Setup()
    victory: Victory = Victory()


Panzer44Scenario = Scenario[Sections, UnitDetails]

OPTIONS = (
    Option("fog", title="Fog of war (P44-4.07)"),
    Option("individual_panic", title="Individual panic (P44-15.01)"),
    Option("cumulative_cover", title="Cumulative cover (P44-15.02)"),
    Option("ranging_in", title="Ranging in (P44-15.03)"),
    Option("mounted_fire", title="Firing while mounted (P44-15.04)"),
    Option("alternating_first", title="Alternating First Player (P44-15.05)"),
)


def area_hexes(board: Board, area: Iterable[str]) -> Iterator[HexId]:
    """The hexes of labels and rectangles such as 0101:0510; 0 for every corner that is no hex of the board."""
    for text in area:
        corners = [find_hex(board, label) for label in text.split(":", 1)]
        if not all(corners):
            yield HexId(0)
            continue
        columns, rows = zip(*map(board.col_row, corners), strict=True)
        for column in range(min(columns), max(columns) + 1):
            for row in range(min(rows), max(rows) + 1):
                yield HexId(board.hex_at(column, row))


def board_problems(board: Board) -> Iterator[Problem]:
    """What is wrong with a board for Panzer '44.

    Rules: P44-2.02, P44-2.10, P44-2.11.
    """
    for (place, direction), marks in board.hexsides.items():
        other = board.neighbor(place, direction)
        if other and other < place:
            continue
        where = f"hex {board.label(place)} side {direction}"
        kinds = marks - {BRIDGE}
        if len(kinds) > 1:
            yield Problem("", where, f"{' and '.join(sorted(kinds))}; a side is one of them (P44-2.02)")
        if BRIDGE in marks and not kinds & CROSSED_BY_BRIDGES:
            yield Problem("", where, "a bridge over no stream or river (P44-2.10)")
        if BRIDGE in marks and not board.has_road(place, direction):
            yield Problem("", where, "a bridge without a road (P44-2.10)")
        if SLOPE in marks and (not other or board.elevation[place] == board.elevation[other]):
            yield Problem("", where, "a slope between hexes of the same elevation has no low side (P44-2.11)")


def scenario_problems(scenario: Panzer44Scenario) -> Iterator[Problem]:
    """What is wrong with a scenario for Panzer '44."""
    yield from _stacks(scenario)
    yield from _passengers(scenario)
    yield from _places(scenario)
    yield from _names(scenario)
    yield from _works(scenario)


def _stacks(scenario: Panzer44Scenario) -> Iterator[Problem]:
    """Overfull and mixed hexes (P44-4.01, P44-4.02)."""
    board, heights, owners = scenario.board, dict[int, int](), dict[int, str]()
    for unit in scenario.units:
        if unit.hex is None or unit.aboard is not None:
            continue
        heights[unit.hex] = heights.get(unit.hex, 0) + 1
        if heights[unit.hex] == STACK_LIMIT + 1:
            message = f"hex {board.label(unit.hex)} holds more than {STACK_LIMIT} units (P44-4.01)"
            yield Problem("", unit.where, message)
        if owners.setdefault(unit.hex, unit.side) != unit.side:
            yield Problem("", unit.where, f"both sides stand in hex {board.label(unit.hex)} (P44-4.02)")


def _passengers(scenario: Panzer44Scenario) -> Iterator[Problem]:
    """Passengers their carrier can't take (P44-4.04)."""
    carried: set[str] = set()
    for unit in scenario.units:
        if unit.aboard is None:
            continue
        carrier, rider = KINDS[scenario.unit(unit.aboard).type], KINDS[unit.type]
        if not carrier.carries or not rider.can_be_carried:
            yield Problem("", unit.where, f"'aboard': {carrier.name} can't carry {rider.name} (P44-4.04)")
        if unit.aboard in carried:
            yield Problem("", unit.where, f"'aboard': {unit.aboard} carries another unit already (P44-4.04)")
        carried.add(unit.aboard)


def _places(scenario: Panzer44Scenario) -> Iterator[Problem]:
    """Units that nobody would place or that come later, and hexes where both sides could set up."""
    board, placers = scenario.board, scenario.sections.setup.order
    zones = {side.id: set(scenario.zone(side.id)) for side in scenario.sides}
    for unit in scenario.units:
        if unit.arrival is not None:
            yield Problem("", unit.where, "a unit begins on the map (P44-14.01)")
        elif unit.hex is None and unit.aboard is None and (unit.side not in placers or not zones[unit.side]):
            yield Problem("", unit.where, f"has no place, and {unit.side} has no zone in 'setup.order' (P44-14.01)")
        if unit.hex is not None and any(unit.hex in zone for side, zone in zones.items() if side != unit.side):
            yield Problem("", unit.where, f"stands in the enemy's zone in hex {board.label(unit.hex)} (P44-4.02)")
    shared = set.intersection(*zones.values())
    if shared:
        yield Problem("", "[[zones]]", f"hex {board.label(min(shared))} is in zones of both sides (P44-4.02)")


def _names(scenario: Panzer44Scenario) -> Iterator[Problem]:
    """Groups, batteries, sorties and areas that do not exist."""
    sections, groups = scenario.sections, {group.id: group.side for group in scenario.sections.groups}
    for unit in scenario.units:
        group = unit.details.group
        if group and groups.get(group) != unit.side:
            yield Problem("", unit.where, f"'group': {unit.side} has no group {group} (P44-6.01)")
        if unit.details.accuracy != 1 and KINDS[unit.type].weapon != HOWITZER:
            yield Problem("", unit.where, "'accuracy' is for howitzers and mortars (P44-11.03)")
    for number, battery in enumerate(sections.batteries, 1):
        if battery.type not in BATTERIES:
            yield Problem("", f"[[batteries]] #{number}", f"'type': expected one of {', '.join(BATTERIES)} (P44-11.09)")
    for number, sortie in enumerate(sections.sorties, 1):
        if sortie.type not in SORTIES:
            yield Problem("", f"[[sorties]] #{number}", f"'type': expected one of {', '.join(SORTIES)} (P44-11.10)")
    for number, presence in enumerate(sections.victory.presence, 1):
        if not all(area_hexes(scenario.board, presence.area)):
            where = f"[[victory.presence]] #{number}"
            yield Problem("", where, "'area': expected hexes of the board or rectangles such as 0101:0510 (P44-14.02)")


def _works(scenario: Panzer44Scenario) -> Iterator[Problem]:
    """Mines where none may be or in two grades, and exits away from the edge (P44-12.07, P44-13.09)."""
    board, mines, seen = scenario.board, scenario.sections.mines, set[int]()
    for place in map(board.parse, (*mines.hasty, *mines.preventative, *mines.defensive)):
        where = f"hex {board.label(place)}"
        if place in seen:
            yield Problem("", where, "mines of two grades in one hex (P44-13.01)")
        seen.add(place)
        if not scenario.sections.mined_roads and (board.terrain[place] == TOWN or board.roads[place]):
            yield Problem("", where, "mines in a town or road hex; 'mined_roads' allows them (P44-13.09)")
    for number, exit in enumerate(scenario.sections.exits, 1):
        if any(all(board.neighbor_table[board.parse(label)]) for label in exit.hexes):
            yield Problem("", f"[[exits]] #{number}", "units leave at the edge of the map (P44-12.07)")


VOCABULARY: Vocabulary[Sections, UnitDetails] = Vocabulary(
    system="panzer_44",
    sections=Sections,
    unit_details=UnitDetails,
    terrains=frozenset(TERRAIN),
    unit_types=frozenset(KINDS) - {UNKNOWN},
    hexsides=frozenset({*HEXSIDES, BRIDGE}),
    sides=frozenset({"allied", "german"}),
    options=OPTIONS,
    problems=scenario_problems,
    board_problems=board_problems,
)
