"""The keys of a scenario file, before anything is looked up."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from sandtable.content.model import OptionValue
from sandtable.content.shapes import HexLabel, Id, NationName, SideName, Title, UnitName, UnitTypeName, refers_to

MAX_TURNS: Final = 999
MAX_UNITS: Final = 5_000

_Turn = Annotated[int, msgspec.Meta(ge=1, le=MAX_TURNS, description=f"a whole number from 1 to {MAX_TURNS}")]
_Count = Annotated[int, msgspec.Meta(ge=1, le=100, description="a whole number from 1 to 100")]
_Minutes = Annotated[int, msgspec.Meta(ge=1, le=10_000, description="a whole number from 1 to 10000")]
_Points = Annotated[int, msgspec.Meta(ge=0, le=1_000_000, description="a whole number from 0 to 1000000")]
_BoardName = Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="the id or the path of a board")]
_Area = Annotated[str, refers_to("area", "a hex such as '0405' or a rectangle such as '0101:0510'")]
Hexes = HexLabel | Annotated[tuple[HexLabel, ...], msgspec.Meta(min_length=1)]
"""One hex, or a list of them."""

Difficulty = Literal["easy", "medium", "hard"]


class SideEntry(msgspec.Struct, frozen=True):
    """The keys of a [[sides]] entry."""

    id: Id
    title: Title
    nations: tuple[NationName, ...] = ()
    briefing: str = ""


class ArrivalEntry(msgspec.Struct, frozen=True):
    """The keys of a unit's `arrives`."""

    turn: _Turn
    at: Hexes


class UnitEntry(msgspec.Struct, frozen=True):
    """The keys of a [[units]] entry; `extension` holds what the system adds to them."""

    type: UnitTypeName
    side: SideName
    id: Id | None = None
    name: str = ""
    count: _Count | None = None
    at: Hexes | None = None
    arrives: ArrivalEntry | None = None
    aboard: UnitName | None = None
    inside: UnitName | None = None
    extension: Any = None


class ZoneEntry(msgspec.Struct, frozen=True):
    """The keys of a [[zones]] entry."""

    side: SideName
    hexes: Annotated[tuple[_Area, ...], msgspec.Meta(min_length=1)]
    title: str = ""


class ObjectiveEntry(msgspec.Struct, frozen=True):
    """The keys of an [[objectives]] entry."""

    title: Title
    hex: HexLabel | None = None
    hexes: tuple[HexLabel, ...] = ()
    points: _Points | None = None


class ScenarioFile(msgspec.Struct, frozen=True):
    """The keys of a scenario file; `extension` holds the sections the system adds to them."""

    id: Id
    system: Id
    title: Title
    summary: str
    board: _BoardName
    turns: _Turn
    first: SideName
    sides: Annotated[tuple[SideEntry, ...], msgspec.Meta(min_length=2)]
    units: Annotated[tuple[UnitEntry, ...], msgspec.Meta(max_length=MAX_UNITS)]
    tutorial: bool = False
    difficulty: Difficulty = "medium"
    minutes: _Minutes = 60
    options: dict[str, OptionValue] = {}
    zones: tuple[ZoneEntry, ...] = ()
    objectives: tuple[ObjectiveEntry, ...] = ()
    extension: Any = None
