"""The charts of fire, panic, recovery, mines and support, as the files beside this one list them.

Rules: P44-9.01, P44-9.02, P44-9.10, P44-10.08, P44-13.01, P44-11.09, P44-11.10.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer_44.kinds import TABLES

NO_EFFECT, PIN, DELAYED_PANIC, DESTROYED = "-", "Pin", "P", "D4"
DISRUPTIONS: Mapping[str, int] = MappingProxyType({"D1": 1, "D2": 2, "D3": 3, DESTROYED: 4})
"""How much disruption each result adds (P44-10.03, P44-10.04)."""

LEAST_SUPERIORITY, GREATEST_SUPERIORITY = -3, 8
"""The outermost columns of the Combat Results Table (P44-8.10, P44-9.04)."""

LOWEST_ROLL = -3
"""What every lower modified roll is read as (P44-9.07)."""


class ProcedureLine(msgspec.Struct, frozen=True):
    """One line of the Attack Procedure Chart: which steps a weapon takes against a target type (P44-9.01)."""

    weapon: str
    target: str
    range: bool
    defense: bool
    subtract: int
    terrain: bool
    allowed: bool


class RangeBand(msgspec.Struct, frozen=True):
    """One line of the Range Attenuation Table (P44-9.02)."""

    least: int
    most: int
    factor: int
    change: int


class _Procedure(msgspec.Struct, frozen=True):
    system: str
    rule: str
    line: tuple[ProcedureLine, ...]
    range: tuple[RangeBand, ...]


class _ResultRow(msgspec.Struct, frozen=True):
    roll: int
    results: tuple[str, ...]


class _Results(msgspec.Struct, frozen=True):
    system: str
    rule: str
    columns: tuple[int, ...]
    row: tuple[_ResultRow, ...]
    removal: dict[str, tuple[int, ...]]


class Panic(msgspec.Struct, frozen=True):
    """How many digits there are to draw from, the highest level, and which rolls freeze or bolt a unit (P44-6.05)."""

    system: str
    rule: str
    digits: int
    level_max: int
    freeze: tuple[int, ...]
    bolt: tuple[int, ...]


class MineGrade(msgspec.Struct, frozen=True):
    """A grade of minefield with its fixed superiority (P44-13.01)."""

    title: str
    superiority: int


class _Mines(msgspec.Struct, frozen=True):
    system: str
    rule: str
    grade: dict[str, MineGrade]


class BatteryKind(msgspec.Struct, frozen=True):
    """A type of off-board battery (P44-11.09)."""

    name: str
    strength: int
    accuracy: int


class SortieKind(msgspec.Struct, frozen=True):
    """A type of aircraft (P44-11.10)."""

    name: str
    strength: int


class Strike(msgspec.Struct, frozen=True):
    """The rolls with which a sortie attacks, and those under flak (P44-11.10, P44-11.11)."""

    attacks: tuple[int, ...]
    under_flak: tuple[int, ...]


class _Support(msgspec.Struct, frozen=True):
    system: str
    rule: str
    battery: dict[str, BatteryKind]
    sortie: dict[str, SortieKind]
    strike: Strike


@cache
def _procedure() -> _Procedure:
    return read_table(TABLES / "procedure.toml", _Procedure)


@cache
def _results() -> _Results:
    return read_table(TABLES / "results.toml", _Results)


@cache
def _support() -> _Support:
    return read_table(TABLES / "support.toml", _Support)


LINES: Mapping[tuple[str, str], ProcedureLine] = MappingProxyType(
    {(line.weapon, line.target): line for line in _procedure().line}
)
RANGES = _procedure().range
RESULTS: Mapping[tuple[int, int], str] = MappingProxyType(
    {
        (row.roll, column): result
        for row in _results().row
        for column, result in zip(_results().columns, row.results, strict=True)
    }
)
"""The result of each modified roll and superiority (P44-9.10)."""

REMOVAL: Mapping[int, tuple[int, ...]] = MappingProxyType(
    {DISRUPTIONS[level]: rolls for level, rolls in _results().removal.items()}
)
"""The rolls that end each level of disruption (P44-10.08)."""

PANIC = read_table(TABLES / "panic.toml", Panic)
GRADES: Mapping[str, MineGrade] = MappingProxyType(read_table(TABLES / "mines.toml", _Mines).grade)
GRADE_ORDER = tuple(GRADES)
"""The grades from the weakest to the strongest (P44-13.05)."""

BATTERIES: Mapping[str, BatteryKind] = MappingProxyType(_support().battery)
SORTIES: Mapping[str, SortieKind] = MappingProxyType(_support().sortie)
STRIKE = _support().strike


def range_band(distance: int) -> RangeBand:
    """The line of the Range Attenuation Table for a range (P44-9.02)."""
    return next(band for band in RANGES if band.least <= distance <= band.most)


def result_of(roll: int, reduction: int, superiority: int) -> str:
    """What the Combat Results Table says to a roll less its reduction at a superiority.

    Rules: P44-9.04, P44-9.07, P44-9.10.
    """
    return RESULTS[max(LOWEST_ROLL, roll - reduction), min(GREATEST_SUPERIORITY, superiority)]
