"""The printed counters: unit types and aircraft types, read from the tables beside this file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

from sandtable.content import read_table

TABLES = files("sandtable.rulesets.panzer_leader") / "tables"

UNKNOWN = "n_unknown"
"""The kind a side believes a face-down landing unit of the enemy to be."""


OBSERVER = "observer"
"""The role of an aircraft that sights for indirect fire and has no weapon."""


class UnitKind(msgspec.Struct, frozen=True):
    """A type of counter as printed.

    Rules: PL-102, PL-301, PL-302, PL-303, PL-304, PL-307.
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
        """Whether it has an engine or draught animals (PL-303)."""
        return self.mobility in ("truck", "vehicle")

    @property
    def is_infantry(self) -> bool:
        """Whether it is of infantry type (PL-306)."""
        return "inf" in self.flags

    @property
    def is_fort(self) -> bool:
        return "fort" in self.flags

    @property
    def is_temporary_bridge(self) -> bool:
        return "tempbridge" in self.flags

    @property
    def is_work(self) -> bool:
        """Whether it is a thing on the ground and no troops: a fortification or a tank bridge."""
        return self.mobility == "none"

    @property
    def is_soft_carrier(self) -> bool:
        """Whether it is a truck or wagon: a carrier without weapon, which never spots, controls or counts as a loss."""
        return self.weapon == "C"

    @property
    def is_german(self) -> bool:
        return self.nation == "german"


class AirWeapon(msgspec.Struct, frozen=True):
    """One weapon of an aircraft: its strength, its class, and how often it can be used in a game."""

    strength: int
    weapon: str
    uses: int
    key: str = "mg"


class AircraftKind(msgspec.Struct, frozen=True):
    """A type of aircraft.

    Rules: PL-308.
    """

    key: str
    nation: str
    name: str
    role: str
    source: str = "P"
    guns: AirWeapon | None = None
    ordnance: tuple[AirWeapon, ...] = ()


class _Units(msgspec.Struct, frozen=True):
    system: str
    rule: str
    flags: dict[str, str]
    unit: tuple[UnitKind, ...]


class _AircraftTable(msgspec.Struct, frozen=True):
    system: str
    rule: str
    aircraft: tuple[AircraftKind, ...]


@cache
def unit_kinds() -> Mapping[str, UnitKind]:
    """Every unit type by key, and the unknown type that stands for a face-down counter at sea (PL-1401, PL-1402)."""
    table = read_table(TABLES / "units.toml", _Units)
    unknown = UnitKind(UNKNOWN, "any", "Unidentified unit", 0, "-", 0, 8, 0, "vehicle", armored=True, nato="unknown")
    return MappingProxyType({kind.key: kind for kind in (*table.unit, unknown)})


@cache
def flag_titles() -> Mapping[str, str]:
    """What each flag of a unit type says about it."""
    return MappingProxyType(read_table(TABLES / "units.toml", _Units).flags)


@cache
def aircraft_kinds() -> Mapping[str, AircraftKind]:
    """Every aircraft type by key."""
    table = read_table(TABLES / "aircraft.toml", _AircraftTable)
    return MappingProxyType({kind.key: kind for kind in table.aircraft})


KINDS: Mapping[str, UnitKind] = dict(unit_kinds())


def _kinds(is_one: Callable[[UnitKind], bool]) -> frozenset[str]:
    return frozenset(key for key, kind in KINDS.items() if is_one(kind))


# What is asked of a unit many times for each order is read off its kind.
VEHICLES = _kinds(lambda kind: kind.is_vehicle)
INFANTRY = _kinds(lambda kind: kind.is_infantry)
WORKS = _kinds(lambda kind: kind.is_work)
FORTS = _kinds(lambda kind: kind.is_fort)
TANK_BRIDGES = _kinds(lambda kind: kind.is_temporary_bridge)
BRIDGELAYERS = _kinds(lambda kind: kind.has("bridge"))
FLAILS = _kinds(lambda kind: kind.has("flail"))
ARMED = _kinds(lambda kind: kind.attack > 0)
