"""A scenario as a ruleset receives it: every name checked, every hex an id, the board at hand."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

import msgspec

from sandtable.geometry import Board, HexId

S = TypeVar("S", bound=msgspec.Struct)
"""The sections a system adds to its scenarios."""

D = TypeVar("D", bound=msgspec.Struct)
"""The details a system adds to a unit."""

OptionValue = bool | int | str


class Nothing(msgspec.Struct, frozen=True):
    """The sections or details of a system that adds none."""


Season = Literal["spring", "summer", "autumn", "winter"]


class MapSheet(msgspec.Struct, frozen=True):
    """A board with what is printed on it for the eye: place names, roads that run off the map, and the colors of a
    season.
    """

    board: Board
    names: dict[HexId, str] = {}
    road_ends: tuple[tuple[HexId, int], ...] = ()
    """Edge hexes whose road leaves the map, each with the direction in which it does."""
    season: Season = "summer"


class Side(msgspec.Struct, frozen=True):
    """One of the two parties to the battle."""

    id: str
    title: str
    nations: tuple[str, ...] = ()
    briefing: str = ""


class Reinforcement(msgspec.Struct, frozen=True):
    """When a reinforcement comes, and the hexes where it may enter."""

    turn: int
    hexes: tuple[HexId, ...]


class ScenarioUnit(msgspec.Struct, Generic[D], frozen=True):
    """One unit of the order of battle, with the place where it begins.

    A unit aboard or inside another has the place of the outermost one. A unit with neither a hex nor an arrival is
    set up by its player in a zone of its side.
    """

    id: str
    type: str
    side: str
    details: D
    entry: int
    """The number of its [[units]] entry in the file, counted from 1."""
    name: str = ""
    hex: HexId | None = None
    arrival: Reinforcement | None = None
    aboard: str | None = None
    inside: str | None = None

    @property
    def where(self) -> str:
        """Its place in the file, for the `where` of a Problem."""
        return f"[[units]] #{self.entry}"


class Zone(msgspec.Struct, frozen=True):
    """Hexes where a side may set up."""

    side: str
    hexes: tuple[HexId, ...]
    title: str = ""


class Objective(msgspec.Struct, frozen=True):
    """Ground that counts; without points of its own it is worth what the system's rules say."""

    title: str
    hexes: tuple[HexId, ...]
    points: int | None = None


class Scenario(msgspec.Struct, Generic[S, D], frozen=True):
    """A battle ready to be set up."""

    id: str
    system: str
    title: str
    summary: str
    turns: int
    first: str
    sheet: MapSheet
    options: dict[str, OptionValue]
    """Every option of the system, those the file is silent about at their defaults."""
    sides: tuple[Side, ...]
    units: tuple[ScenarioUnit[D], ...]
    zones: tuple[Zone, ...]
    objectives: tuple[Objective, ...]
    sections: S
    tutorial: bool
    difficulty: str
    minutes: int
    file: str
    digest: str
    """The SHA-256 of the scenario file's bytes, and of the files it names; the board has a digest of its own."""
    files: dict[str, str] = {}
    """The text of each file beside the scenario that it names."""

    @property
    def board(self) -> Board:
        """The board of the battle."""
        return self.sheet.board

    def unit(self, id: str) -> ScenarioUnit[D]:
        """The unit with that id; KeyError when there is none."""
        for unit in self.units:
            if unit.id == id:
                return unit
        raise KeyError(id)

    def side(self, id: str) -> Side:
        """The side with that id; KeyError when there is none."""
        for side in self.sides:
            if side.id == id:
                return side
        raise KeyError(id)

    def zone(self, side: str) -> tuple[HexId, ...]:
        """All hexes where a side may set up, in ascending order."""
        return tuple(sorted({h for zone in self.zones if zone.side == side for h in zone.hexes}))
