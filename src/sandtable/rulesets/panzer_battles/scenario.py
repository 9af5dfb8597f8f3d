"""What Panzer Battles adds to board and scenario files, and what it objects to in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from sandtable.content import ContentError, HexLabel, Option, Problem, Scenario, SideName, Vocabulary
from sandtable.content.shapes import Id, Title
from sandtable.rulesets.panzer_battles.kinds import KINDS, UNIT_TYPES
from sandtable.rulesets.panzer_battles.model import SIDES
from sandtable.rulesets.panzer_battles.movement.costs import BRIDGE_BEARS
from sandtable.rulesets.panzer_battles.parameter_sections import (
    CROSSINGS,
    MOVE_CLASSES,
    PROHIBITED,
    TERRAINS,
    Clock,
)
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, column, overridden

LEVELS = ("army_group", "army", "corps", "division", "brigade", "regiment", "battalion", "company")
"""The levels of organizations from the top (PB-OOB-1)."""

ROADS = frozenset({"primary", "secondary", "trail"})

Grade = Literal["A", "B", "C", "D", "E", "F"]
Strength = Annotated[int, msgspec.Meta(ge=0, le=999, description="a whole number from 0 to 999")]
Fatigue = Annotated[int, msgspec.Meta(ge=0, le=150, description="a whole number from 0 to 150")]
Score = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000, description="a whole number up to a million")]
Visibility = Annotated[int, msgspec.Meta(ge=1, le=20, description="a whole number of hexes from 1 to 20")]


class UnitDetails(msgspec.Struct, frozen=True):
    """What a [[units]] entry may add; strength and full strength of 0 are those of the type.

    Rules: PB-OOB-6.
    """

    formation: str = ""
    quality: Grade = "C"
    strength: Strength = 0
    full: Strength = 0
    fatigue: Fatigue = 0
    mode: Literal["deployed", "travel"] = "deployed"
    fixed: bool = False


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
    visibility: Annotated[tuple[Visibility, ...], msgspec.Meta(min_length=1)] = (20,)
    condition: Literal["normal", "soft", "mud", "snow", "frozen"] = "normal"
    ownership: dict[SideName, tuple[HexLabel, ...]] = {}
    formations: tuple[FormationEntry, ...] = ()
    parameters: dict[str, Any] = {}


BattleScenario = Scenario[Sections, UnitDetails]

OPTIONS = (Option("fog", default=True, title="Fog of war (PB-SPOT-19)"),)


def scenario_problems(scenario: BattleScenario) -> Iterator[Problem]:
    """What is wrong with a scenario for Panzer Battles."""
    yield from _thresholds(scenario)
    yield from _formations(scenario)
    yield from _units(scenario)
    yield from _stacks(scenario)
    yield from _objectives(scenario)
    if scenario.sections.parameters:
        try:
            overridden(scenario.sections.parameters, scenario.file)
        except ContentError as error:
            yield from error.problems


def _thresholds(scenario: BattleScenario) -> Iterator[Problem]:
    """Levels of victory out of order (PB-VIC-11)."""
    levels = msgspec.structs.astuple(scenario.sections.thresholds)
    if list(levels) != sorted(set(levels)):
        yield Problem("", "[thresholds]", "expected major_defeat < minor_defeat < minor_victory < major_victory")


def _formations(scenario: BattleScenario) -> Iterator[Problem]:
    """Organizations with no such parent, of another side or level, twice, or under themselves.

    Rules: PB-OOB-1.
    """
    known: dict[str, FormationEntry] = {}
    for number, entry in enumerate(scenario.sections.formations, 1):
        where = f"[[formations]] #{number}"
        if entry.id in known:
            yield Problem("", f"{where} 'id'", f"'{entry.id}' stands twice")
        parent = known.get(entry.parent)
        known[entry.id] = entry
        if not entry.parent:
            continue
        if parent is None:
            yield Problem("", f"{where} 'parent'", f"no organization '{entry.parent}' stands before it")
        elif parent.side != entry.side:
            yield Problem("", f"{where} 'parent'", f"'{entry.parent}' is of the other side")
        elif LEVELS.index(parent.level) >= LEVELS.index(entry.level):
            yield Problem("", f"{where} 'level'", f"a {entry.level} can't be under a {parent.level}")


def _units(scenario: BattleScenario) -> Iterator[Problem]:
    """Units that have no place, no organization, or stand where they could never have come.

    Rules: PB-MOVE-7, PB-MOVE-35, PB-OOB-6.
    """
    board, sides = scenario.board, {one.id: one.side for one in scenario.sections.formations}
    for unit in scenario.units:
        kind, details = KINDS[unit.type], unit.details
        if sides.get(details.formation) != unit.side:
            yield Problem(
                "", unit.where, f"'formation': {unit.side} has no organization '{details.formation}' (PB-OOB-6)"
            )
        if kind.move_class not in MOVE_CLASSES:
            yield Problem("", unit.where, f"'type': {kind.name} is for rules that are not there yet")
            continue
        if unit.hex is None or unit.arrival is not None or unit.aboard is not None:
            yield Problem("", unit.where, "expected 'at': units begin on the map")
            continue
        full = details.full or kind.full
        if details.strength > full:
            yield Problem("", unit.where, f"'strength': expected at most {full}, its full strength")
        carried_on_foot = kind.is_carried and details.mode == "deployed"
        col = column("foot" if carried_on_foot else kind.move_class)
        terrain, label = board.terrain[unit.hex], board.label(unit.hex)
        is_prohibited = DEFAULTS.movement.terrain[terrain][col] == PROHIBITED
        if is_prohibited and not (board.roads[unit.hex] and details.mode == "travel"):
            yield Problem("", unit.where, f"{terrain} in hex {label} is prohibited to it (PB-MOVE-7)")


def _stacks(scenario: BattleScenario) -> Iterator[Problem]:
    """Both sides in one hex (PB-STK-9)."""
    owners: dict[int, str] = {}
    for unit in scenario.units:
        if unit.hex is not None and owners.setdefault(unit.hex, unit.side) != unit.side:
            label = scenario.board.label(unit.hex)
            yield Problem("", unit.where, f"hex {label} holds units of both sides (PB-STK-9)")


def _objectives(scenario: BattleScenario) -> Iterator[Problem]:
    """Objectives that are nobody's, and owners of what is no objective (PB-VIC-3)."""
    board = scenario.board
    owned = [board.parse(label) for labels in scenario.sections.ownership.values() for label in labels]
    prizes = [place for one in scenario.objectives for place in one.hexes]
    for place in sorted(set(prizes) - set(owned)):
        yield Problem("", "[ownership]", f"the objective in hex {board.label(place)} is nobody's (PB-VIC-3)")
    for place in sorted(set(owned) - set(prizes)):
        yield Problem("", "[ownership]", f"there is no objective in hex {board.label(place)} (PB-VIC-3)")


VOCABULARY: Vocabulary[Sections, UnitDetails] = Vocabulary(
    system="panzer_battles",
    sections=Sections,
    unit_details=UnitDetails,
    terrains=frozenset(TERRAINS),
    unit_types=UNIT_TYPES,
    hexsides=frozenset(CROSSINGS) | frozenset(BRIDGE_BEARS),
    sides=frozenset(SIDES),
    options=OPTIONS,
    road_kinds=ROADS,
    in_meters=True,
    problems=scenario_problems,
)
