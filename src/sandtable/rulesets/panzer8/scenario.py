"""What PANZER8 adds to board and scenario files, and what it objects to in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from sandtable.content import HexLabel, Option, Problem, Scenario, SideName, Vocabulary
from sandtable.geometry.board import Board
from sandtable.rulesets.panzer8.kinds import COMMANDER, KINDS, OBSERVER, UNKNOWN
from sandtable.rulesets.panzer8.movement import may_stand
from sandtable.rulesets.panzer8.sight import GREATEST_VISIBILITY
from sandtable.rulesets.panzer8.support import STONKS
from sandtable.rulesets.panzer8.terrain import FEATURES, HEXSIDES

Facing = Annotated[int, msgspec.Meta(ge=0, le=5)]
Quality = Annotated[int, msgspec.Meta(ge=-1, le=1)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=100)]
Visibility = Annotated[int, msgspec.Meta(ge=1, le=GREATEST_VISIBILITY)]

HIGHEST_LEVEL = 3
"""Ground has levels 0 to 3 (P8-3.01)."""


class ElementDetails(msgspec.Struct, frozen=True):
    """What a [[units]] entry may add: facing, quality, and for an observer whether he hangs on a telephone.

    Rules: P8-2.04, P8-12.03, P8-15.04.
    """

    facing: Facing = 0
    quality: Quality = 0
    elite: bool = False
    telephone: bool = False


class BatteryEntry(msgspec.Struct, frozen=True):
    """A battery off the map or aircraft, and how often it fires or they come (P8-12.03, P8-12.05)."""

    side: SideName
    type: Literal["bat_81", "bat_105", "bat_150", "air_bomb"]
    stonks: Positive = STONKS


class Condition(msgspec.Struct, frozen=True):
    """What wins a battle at its turn limit: `count` of the hexes (0: all) are the side's."""

    side: SideName
    title: str
    hold: tuple[HexLabel, ...]
    count: Annotated[int, msgspec.Meta(ge=0)] = 0


class Victory(msgspec.Struct, frozen=True):
    """How a battle is judged at its turn limit; silence leaves it to points (P8-14.03)."""

    conditions: tuple[Condition, ...] = ()
    otherwise: SideName | Literal[""] = ""


class Setup(msgspec.Struct, frozen=True):
    """Which sides set up in their zones, one after the other (P8-4.01)."""

    order: tuple[SideName, ...] = ()


class Sections(msgspec.Struct, frozen=True):
    """The sections of a PANZER8 scenario beyond those every system has."""

    visibility: Visibility = GREATEST_VISIBILITY
    mud: bool = False
    dug_in: tuple[HexLabel, ...] = ()
    mines: tuple[HexLabel, ...] = ()
    batteries: tuple[BatteryEntry, ...] = ()
    victory: Victory = Victory()
    control: dict[SideName, tuple[HexLabel, ...]] = {}
    setup: Setup = Setup()
    breaking: dict[SideName, Positive] = {}


Panzer8Scenario = Scenario[Sections, ElementDetails]

OPTIONS = (
    Option("hidden_setup", title="Hidden set-up (P8-15.01)"),
    Option("engineering", title="Engineering (P8-15.02)"),
    Option("own_decks", title="A deck for each side (P8-15.03)"),
    Option("elite", title="Elite troops (P8-15.04)"),
)


def board_problems(board: Board) -> Iterator[Problem]:
    """What is wrong with a board for PANZER8.

    Rules: P8-3.01.
    """
    for place in board.hexes:
        if board.elevation[place] > HIGHEST_LEVEL:
            where, level = f"hex {board.label(place)}", board.elevation[place]
            yield Problem("", where, f"elevation {level}; expected 0 to {HIGHEST_LEVEL} (P8-3.01)")


def scenario_problems(scenario: Panzer8Scenario) -> Iterator[Problem]:
    """What is wrong with a scenario for PANZER8."""
    yield from _crowding(scenario)
    yield from _zones(scenario)
    yield from _passengers(scenario)
    yield from _impassable(scenario)
    yield from _details(scenario)


def _crowding(scenario: Panzer8Scenario) -> Iterator[Problem]:
    """Two elements in one hex, and elements with no place (P8-1.05)."""
    board, taken = scenario.board, dict[int, str]()
    for unit in scenario.units:
        if unit.aboard is not None:
            continue
        if unit.arrival is not None or (unit.hex is None and unit.side not in scenario.sections.setup.order):
            yield Problem("", unit.where, "an element begins on the map, or its side is in 'setup.order' (P8-1.05)")
            continue
        if unit.hex is None:
            continue
        if unit.hex in taken:
            yield Problem("", unit.where, f"hex {board.label(unit.hex)} holds two elements (P8-1.05)")
        taken[unit.hex] = unit.id


def _zones(scenario: Panzer8Scenario) -> Iterator[Problem]:
    """Zones that are too small, that two sides share, or that are missing (P8-1.05, P8-4.01)."""
    zones = {side: frozenset(scenario.zone(side)) for side in scenario.sections.setup.order}
    for side, zone in zones.items():
        own = sum(unit.side == side and unit.aboard is None for unit in scenario.units)
        if len(zone) < own:
            yield Problem("", "[setup]", f"{side} has {own} elements for a zone of {len(zone)} hexes (P8-1.05)")
        if any(zone & other for name, other in zones.items() if name > side):
            yield Problem("", "[[zones]]", "no hex is in the zones of both sides (P8-1.05)")


def _passengers(scenario: Panzer8Scenario) -> Iterator[Problem]:
    """Passengers their carrier can't take (P8-2.03, P8-6.10)."""
    carried: set[str] = set()
    for unit in scenario.units:
        if unit.aboard is None:
            continue
        carrier, rider = KINDS[scenario.unit(unit.aboard).type], KINDS[unit.type]
        if not carrier.has("tow") or not rider.is_on_foot:
            yield Problem("", unit.where, f"'aboard': a {carrier.name} can't carry a {rider.name} (P8-6.10)")
        if unit.aboard in carried:
            yield Problem("", unit.where, f"'aboard': {unit.aboard} carries another element already (P8-2.03)")
        carried.add(unit.aboard)


def _impassable(scenario: Panzer8Scenario) -> Iterator[Problem]:
    """Elements on ground they could never have entered (P8-6.01)."""
    board = scenario.board
    for unit in scenario.units:
        if unit.hex is None or unit.aboard is not None or may_stand(board, KINDS[unit.type], unit.hex):
            continue
        what, label = FEATURES[board.terrain[unit.hex]].title.lower(), board.label(unit.hex)
        yield Problem("", unit.where, f"{what} in hex {label} is impassable to it (P8-6.01)")


def _details(scenario: Panzer8Scenario) -> Iterator[Problem]:
    """Telephones of others than observers, batteries nobody can call, and sides without a commander."""
    for unit in scenario.units:
        if unit.details.telephone and KINDS[unit.type].kind != OBSERVER:
            yield Problem("", unit.where, "'telephone' is for forward observers (P8-12.03)")
    for number, battery in enumerate(scenario.sections.batteries, 1):
        if not any(unit.side == battery.side and KINDS[unit.type].kind == OBSERVER for unit in scenario.units):
            yield Problem("", f"[[batteries]] #{number}", f"{battery.side} has no observer to call it (P8-12.03)")
    for side in scenario.sides:
        if not any(unit.side == side.id and KINDS[unit.type].kind == COMMANDER for unit in scenario.units):
            yield Problem("", "[[units]]", f"{side.id} has no commander (P8-2.02)")


VOCABULARY: Vocabulary[Sections, ElementDetails] = Vocabulary(
    system="panzer8",
    sections=Sections,
    unit_details=ElementDetails,
    terrains=frozenset(FEATURES),
    unit_types=frozenset(KINDS) - {UNKNOWN},
    hexsides=frozenset(HEXSIDES),
    features=frozenset({"bridge"}),
    sides=frozenset({"allied", "german"}),
    options=OPTIONS,
    problems=scenario_problems,
    board_problems=board_problems,
)
