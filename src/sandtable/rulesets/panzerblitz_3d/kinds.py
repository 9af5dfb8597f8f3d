"""The printed counters, as the table beside this file lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from sandtable.content import read_table

TABLES = files("sandtable.rulesets.panzerblitz_3d") / "tables"

UNKNOWN = "unknown"
"""The type of an enemy of whom a side knows no more than that he exists."""

INFANTRY_WEAPON, ANTI_TANK, HIGH_EXPLOSIVE, MORTAR, CARRIER, UNARMED = "I", "A", "H", "M", "C", "-"


class UnitKind(msgspec.Struct, frozen=True):
    """A type of counter as printed: attack factor, weapon class, range, defense factor and movement allowance.

    Rules: PB3-102, PB3-301, PB3-302, PB3-303, PB3-304.
    """

    key: str
    nation: str
    name: str
    attack: int
    weapon: str
    range: int
    defense: int
    movement: int
    mobility: str
    armored: bool
    flags: frozenset[str] = frozenset()
    nato: str = "infantry"
    source: str = "P"

    def has(self, flag: str) -> bool:
        return flag in self.flags

    @property
    def is_vehicle(self) -> bool:
        """Whether it has an engine or horses (PB3-303)."""
        return self.mobility in ("truck", "vehicle")

    @property
    def is_work(self) -> bool:
        """Whether it is a thing on the ground and no troops: a fort."""
        return self.mobility == "none"

    @property
    def is_armored_vehicle(self) -> bool:
        """Whether it is an armored vehicle, which leaves a wreck (PB3-302, PB3-403)."""
        return self.armored and self.is_vehicle


class _Units(msgspec.Struct, frozen=True):
    system: str
    rule: str
    flags: dict[str, str]
    unit: tuple[UnitKind, ...]


@cache
def _table() -> _Units:
    return read_table(TABLES / "units.toml", _Units)


_UNSEEN = UnitKind(UNKNOWN, "any", "Unseen unit", 0, UNARMED, 0, 1, 0, "nonvehicle", armored=False, nato="unknown")

UNIT_TYPES: Mapping[str, UnitKind] = MappingProxyType({kind.key: kind for kind in _table().unit})
"""The printed types by key (PB3-304)."""
KINDS: Mapping[str, UnitKind] = MappingProxyType({**UNIT_TYPES, UNKNOWN: _UNSEEN})
"""The same with the type that stands for a unit of which a side knows no more than that there is one (PB3-1303)."""
FLAG_TITLES: Mapping[str, str] = MappingProxyType(_table().flags)
"""What each flag of a unit type says about it."""


def _kinds(is_one: Callable[[UnitKind], bool]) -> frozenset[str]:
    return frozenset(key for key, kind in KINDS.items() if is_one(kind))


# What is asked of a unit many times for each order is read off its kind.
VEHICLES = _kinds(lambda kind: kind.is_vehicle)
INFANTRY = _kinds(lambda kind: kind.has("inf"))
ENGINEERS = _kinds(lambda kind: kind.has("eng"))
CAVALRY = _kinds(lambda kind: kind.has("cav"))
FORTS = _kinds(lambda kind: kind.has("fort"))
COMMAND_POSTS = _kinds(lambda kind: kind.has("fo"))
ARMORED = _kinds(lambda kind: kind.armored)
ARMORED_VEHICLES = _kinds(lambda kind: kind.is_armored_vehicle)
ARMED = _kinds(lambda kind: kind.attack > 0)
OVERRUNNERS = _kinds(lambda kind: kind.is_armored_vehicle and kind.attack > 0 and not kind.has("spa"))
"""Who may overrun: armed armored vehicles that are no self-propelled artillery (PB3-1001, PB3-1004)."""
HALFTRACKS = _kinds(lambda kind: kind.has("ht"))


def can_carry(carrier: str, passenger: str) -> bool:
    """Whether a unit type may carry another: carriers any unit that is no vehicle, armored vehicles that are no
    self-propelled artillery an infantry unit.

    Rules: PB3-621.
    """
    by, who = KINDS[carrier], KINDS[passenger]
    if who.is_vehicle or who.is_work:
        return False
    if by.has("c"):
        return True
    return by.is_armored_vehicle and not by.has("spa") and who.has("inf")
