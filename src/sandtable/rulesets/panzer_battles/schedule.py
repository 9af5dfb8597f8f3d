"""What a scenario schedules: arrivals, releases, fixing, withdrawals, and exits from the map.

Rules: PB-REIN-1, PB-MOVE-100, PB-MOVE-101, PB-MOVE-110, PB-VIC-6.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from sandtable.content import Problem
from sandtable.content.shapes import Id
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.ids import HexId

if TYPE_CHECKING:
    from sandtable.rulesets.panzer_battles.scenario import BattleScenario

Percent = Annotated[int, msgspec.Meta(ge=1, le=100, description="a percentage from 1 to 100")]
Hexes = Annotated[int, msgspec.Meta(ge=0, le=50, description="a number of hexes from 0 to 50")]
Turn = Annotated[int, msgspec.Meta(ge=1, le=999, description="a turn from 1 to 999")]
Names = Annotated[tuple[Id, ...], msgspec.Meta(min_length=1)]
Nation = Literal["German", "Soviet", "American", "British"]

ROAD, PARADROP, GLIDER, AMPHIBIOUS, INFILTRATION, SEA = (
    "road", "paradrop", "glider", "amphibious", "infiltration", "sea"
)  # fmt: skip
"""How reinforcements come (PB-REIN-1)."""

FROM_THE_AIR = (PARADROP, GLIDER)


class Arrival(msgspec.Struct, frozen=True):
    """The `arrival` of a unit: how it comes, how likely, what protects it, how far it may scatter, and for how many
    turns it needs no line of communication.

    Rules: PB-REIN-2, PB-REIN-3, PB-REIN-6, PB-SUP-19.
    """

    by: Literal["road", "paradrop", "glider", "amphibious", "infiltration", "sea"] = "road"
    chance: Percent = 100
    protection: Hexes = 0
    scatter: Hexes = 0
    supplied: Annotated[int, msgspec.Meta(ge=0, le=999, description="a number of turns up to 999")] = 0


BY_ROAD = Arrival()


class ReleaseEntry(msgspec.Struct, frozen=True):
    """A [[releases]] entry: an organization is free from a turn on, or as soon as one of its units is spotted.

    Rules: PB-MOVE-100.
    """

    formation: str
    turn: Turn
    when_spotted: bool = False


class FixingEntry(msgspec.Struct, frozen=True):
    """A [[fixings]] entry: units that are fixed at the start of a turn (PB-MOVE-101)."""

    units: Names
    turn: Turn


class WithdrawalEntry(msgspec.Struct, frozen=True):
    """A [[withdrawals]] entry: units that leave the map at the start of a turn (PB-MOVE-110)."""

    units: Names
    turn: Turn


def problems(scenario: BattleScenario) -> Iterator[Problem]:
    """What is wrong with the schedule of a scenario."""
    yield from _arrivals(scenario)
    yield from _names(scenario)
    yield from _exits(scenario)


def _arrivals(scenario: BattleScenario) -> Iterator[Problem]:
    """Arrivals in several hexes, and details of one without it.

    Rules: PB-REIN-1, PB-REIN-4.
    """
    for unit in scenario.units:
        arrival, details = unit.arrival, unit.details.arrival
        if arrival is None:
            if details != BY_ROAD:
                yield Problem("", unit.where, "'arrival' is for units with 'arrives' (PB-REIN-1)")
            continue
        if len(arrival.hexes) != 1:
            yield Problem("", unit.where, "'arrives': expected one hex, which its player can't change (PB-REIN-1)")


def _names(scenario: BattleScenario) -> Iterator[Problem]:
    """Units and organizations that the schedule names and nobody knows.

    Rules: PB-MOVE-100, PB-MOVE-101, PB-MOVE-110.
    """
    sections = scenario.sections
    known = {unit.id for unit in scenario.units}
    organizations = {one.id for one in sections.formations}
    for number, release in enumerate(sections.releases, 1):
        if release.formation not in organizations:
            yield Problem("", f"[[releases]] #{number}", f"there is no organization '{release.formation}'")
    listed: tuple[tuple[str, tuple[FixingEntry | WithdrawalEntry, ...]], ...] = (
        ("fixings", sections.fixings),
        ("withdrawals", sections.withdrawals),
    )
    for header, entries in listed:
        for number, entry in enumerate(entries, 1):
            for name in entry.units:
                if name not in known:
                    yield Problem("", f"[[{header}]] #{number} 'units'", f"there is no unit '{name}'")


def exit_hexes(scenario: BattleScenario) -> frozenset[HexId]:
    """The hexes of objectives that are worth nothing at first: by them units leave the map.

    Rules: PB-VIC-6.
    """
    return frozenset(HexId(place) for one in scenario.objectives if one.points == 0 for place in one.hexes)


def _exits(scenario: BattleScenario) -> Iterator[Problem]:
    """Exit Objectives inland, and multipliers of what is none.

    Rules: PB-VIC-6, PB-VIC-8.
    """
    board, found = scenario.board, exit_hexes(scenario)
    for place in sorted(found):
        if len(list(board.neighbors(place))) == len(DIRECTIONS):
            yield Problem("", "[[objectives]]", f"the exit in hex {board.label(place)} is not on the edge (PB-VIC-6)")
    for label in scenario.sections.exit_multipliers:
        if HexId(board.parse(label)) not in found:
            yield Problem("", "'exit_multipliers'", f"there is no exit in hex {label} (PB-VIC-8)")
