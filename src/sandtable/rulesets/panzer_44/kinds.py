"""The unit types as the table beside this file lists them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from sandtable.content import read_table

TABLES = files("sandtable.rulesets.panzer_44") / "tables"

UNKNOWN = "unknown"
"""The kind of an enemy unit of which a side knows no more than that it exists."""

HARD, SOFT, FOOT, IMMOBILE = "hard", "soft", "foot", "none"
"""Mobilities, and the first two the target types (P44-3.01)."""

GUN, SMALL_ARMS, HOWITZER, UNARMED = "M", "R", "H", "none"
"""The weapon classes (P44-3.02)."""

WEAPON_TITLES: Mapping[str, str] = MappingProxyType(
    {GUN: "gun", SMALL_ARMS: "small arms", HOWITZER: "howitzer or mortar", UNARMED: "unarmed"}
)
MOBILITY_TITLES: Mapping[str, str] = MappingProxyType(
    {HARD: "hard vehicle", SOFT: "soft vehicle", FOOT: "on foot", IMMOBILE: "moves only in tow"}
)


class UnitKind(msgspec.Struct, frozen=True):
    """A type of unit: a platoon, section or battery.

    Rules: P44-3.01, P44-3.02, P44-3.03.
    """

    key: str
    name: str
    nation: str
    kind: str
    weapon: str
    defense: int
    target: str
    ma: int
    mobility: str
    attack: int = 0
    range: int = 0
    carries: int = 0
    flags: frozenset[str] = frozenset()

    @property
    def is_hard(self) -> bool:
        """Whether it is a hard target."""
        return self.target == HARD

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a hard or soft vehicle, which leaves a wreck (P44-10.04)."""
        return self.mobility in (HARD, SOFT)

    @property
    def is_armed(self) -> bool:
        """Whether it has a weapon to fire."""
        return self.weapon != UNARMED

    @property
    def is_howitzer(self) -> bool:
        """Whether it fires high explosive, direct or indirect (P44-3.02)."""
        return self.weapon == HOWITZER

    @property
    def is_engineer(self) -> bool:
        """Whether it can clear mines and dig positions (P44-13.05)."""
        return "engineers" in self.flags

    @property
    def is_infantry(self) -> bool:
        """Whether it is a foot unit with small arms (P44-15.04)."""
        return self.mobility == FOOT and self.weapon == SMALL_ARMS

    @property
    def can_be_carried(self) -> bool:
        """Whether a carrier can take it aboard or in tow (P44-4.04)."""
        return self.mobility in (FOOT, IMMOBILE)

    @property
    def allowance(self) -> int:
        """Its movement allowance in half-points (P44-1.06, P44-3.04)."""
        return 2 * self.ma


class _Units(msgspec.Struct, frozen=True):
    system: str
    rule: str
    flags: dict[str, str]
    unit: tuple[UnitKind, ...]


@cache
def unit_kinds() -> Mapping[str, UnitKind]:
    """Every type of unit by key, and the unknown one that stands for what a side can't see.

    Rules: P44-3.06.
    """
    table = read_table(TABLES / "units.toml", _Units)
    unknown = UnitKind(UNKNOWN, "Unseen unit", "any", UNKNOWN, UNARMED, 0, SOFT, 0, IMMOBILE)
    return MappingProxyType({kind.key: kind for kind in (*table.unit, unknown)})


@cache
def flag_titles() -> Mapping[str, str]:
    """What each flag of a unit type says about it."""
    return MappingProxyType(read_table(TABLES / "units.toml", _Units).flags)


KINDS = unit_kinds()
