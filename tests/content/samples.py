"""A toy system's vocabulary and one good file of each kind, for the tests to spoil."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

import msgspec
import pytest

from sandtable.content import (
    ContentError,
    FileName,
    HexLabel,
    Nothing,
    Option,
    Problem,
    Scenario,
    SideName,
    TerrainName,
    UnitName,
    UnitTypeName,
    Vocabulary,
    load_scenario,
    load_sheet,
)


class Hold(msgspec.Struct, frozen=True, tag="hold", tag_field="goal"):
    hex: HexLabel
    points: int = 1


class Exit(msgspec.Struct, frozen=True, tag="exit", tag_field="goal"):
    edge: Literal["N", "S"]


class Victory(msgspec.Struct, frozen=True):
    margin: Annotated[int, msgspec.Meta(ge=1, le=99)]
    attacker: SideName
    goals: tuple[Hold | Exit, ...] = ()


class Sections(msgspec.Struct, frozen=True):
    victory: Victory
    hero: UnitName | None = None
    replacements: dict[SideName, tuple[UnitTypeName, ...]] = {}
    frozen: tuple[TerrainName, ...] = ()
    numbers: FileName = ""
    songs: tuple[FileName, ...] = ()


class Details(msgspec.Struct, frozen=True):
    quality: Annotated[int, msgspec.Meta(ge=-1, le=1)] = 0


def overstacked(scenario: Scenario[Any, Any]) -> Iterable[Problem]:
    """More than two units begin in one hex: the kind of check that only a system can make."""
    standing: dict[int, int] = {}
    for unit in scenario.units:
        if unit.hex is not None:
            standing[unit.hex] = standing.get(unit.hex, 0) + 1
            if standing[unit.hex] == 3:
                yield Problem("", unit.where, f"overstacked: three units in {scenario.board.label(unit.hex)}")


TOY: Vocabulary[Sections, Details] = Vocabulary(
    system="toy",
    sections=Sections,
    unit_details=Details,
    terrains=frozenset({"clear", "woods", "town", "stream"}),
    unit_types=frozenset({"g_panther", "g_rifle", "a_sherman", "a_rifle", "fort"}),
    hexsides=frozenset({"green", "cliff"}),
    features=frozenset({"bridge", "hilltop"}),
    sides=frozenset({"allied", "german"}),
    nations=frozenset({"us", "british", "german"}),
    options=(Option("fog", False), Option("weather", "dry", ("dry", "snow")), Option("delay", 1, (1, 2))),
    road_kinds=frozenset({"track", "paved"}),
    problems=overstacked,
)
PLAIN: Vocabulary[Nothing, Nothing] = Vocabulary("plain", Nothing, Nothing, TOY.terrains, TOY.unit_types)

METRIC: Vocabulary[Nothing, Nothing] = msgspec.structs.replace(
    PLAIN, hexsides=TOY.hexsides, features=TOY.features, road_kinds=TOY.road_kinds, in_meters=True
)

BOARD = '''format = 1
kind = "board"
id = "vire"
title = "Vire-le-Sec"
width = 6
height = 5

terrain = """
......
.w..w.
..tt..
.ss...
......
"""

elevation = """
000000
010000
000000
000020
000000
"""

roads = [
  ["edge:NW", "0101", "0102", "0202", "0303", "0403", "0504"],
  ["0303", "0304", "0305", "edge:S"],
]

[legend]
"." = "clear"
w = "woods"
t = "town"
s = "stream"

[hexsides]
green = ["0202-0302", "0502-0501"]
cliff = ["0504-0505", "0601-edge:NE"]

[features]
bridge = ["0304"]
hilltop = ["0504"]

[names]
"0303" = "Vire-le-Sec"
'''

METERS = '''format = 1
kind = "board"
id = "alps"
title = "The Alps"
width = 4
height = 3
terrain = """
....
.w..
....
"""
elevation_meters = """
   0  -12  450  451
1200 1300 4807    0
  -5    0    0 -400
"""
roads = [["0101", "0102"], ["0103", "0203"]]

[legend]
"." = "clear"
w = "woods"

[road_kinds]
track = [["0102", "0103"], ["edge:N", "0301", "0302"]]
paved = [["0103", "0202"]]
'''

SCENARIO = """format = 1
kind = "scenario"
id = "crossroads"
system = "toy"
title = "Crossroads"
summary = "A road cross in a village."
board = "vire"
turns = 8
first = "allied"
tutorial = true
difficulty = "easy"
minutes = 30
hero = "queen"

[options]
fog = true
weather = "snow"

[[sides]]
id = "allied"
title = "Allied"
nations = ["us", "british"]
briefing = "Take the village."

[[sides]]
id = "german"
title = "German"
nations = ["german"]

[[units]]
type = "a_sherman"
side = "allied"
at = ["0101", "0102", "0202"]
count = 3

[[units]]
id = "carrier"
type = "a_sherman"
side = "allied"
arrives = { turn = 3, at = ["0101", "0102"] }

[[units]]
type = "a_rifle"
side = "allied"
aboard = "carrier"

[[units]]
id = "queen"
type = "g_panther"
side = "german"
at = "0403"
name = "Panther of Lt. Weiss"
quality = 1

[[units]]
id = "bunker"
type = "fort"
side = "german"
at = "0303"

[[units]]
type = "g_rifle"
side = "german"
inside = "bunker"

[[units]]
id = "reserve"
type = "g_rifle"
side = "german"
count = 2

[[zones]]
side = "german"
hexes = ["0401:0605", "0303"]
title = "East of the stream"

[[objectives]]
hexes = ["0303", "0403"]
title = "Vire-le-Sec"
points = 10

[[objectives]]
hex = "0304"
title = "Bridge"

[victory]
margin = 5
attacker = "allied"
goals = [{ goal = "hold", hex = "0303" }, { goal = "exit", edge = "N" }]

[replacements]
german = ["g_rifle"]
"""

SHEETS = {"vire": load_sheet(BOARD.encode(), TOY)}


def scenario(text: str = SCENARIO) -> Scenario[Sections, Details]:
    return load_scenario(text.encode(), TOY, SHEETS, "bocage.toml")


def spoiled(good: str, *changes: tuple[str, str]) -> str:
    """A file with each change made once; a change that finds nothing to change is an error of the test."""
    for old, new in changes:
        assert old in good, f"{old!r} is not in the file"
        good = good.replace(old, new, 1)
    return good


def problems_of(action: Callable[[], object]) -> list[str]:
    """The messages of the ContentError that an action must raise."""
    with pytest.raises(ContentError) as raised:
        action()
    return [str(problem) for problem in raised.value.problems]
