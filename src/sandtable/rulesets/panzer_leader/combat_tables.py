"""The tables of combat as their file has them: results, weapons, die modifiers, anti-aircraft fire, elevations.

Rules: PL-210, PL-801, PL-833, PL-836.
"""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer_leader.kinds import TABLES


class WeaponEffect(msgspec.Struct, frozen=True):
    """One row of the weapons effectiveness chart; multipliers are exact fractions or "not_allowed"."""

    weapon: str
    mode: str
    near_limit: str | int
    armored_near: str = ""
    armored_far: str = ""
    nonarmored: str = ""
    nonarmored_star: str = ""
    aircraft_near: str = ""
    aircraft_far: str = ""


class AirEffect(msgspec.Struct, frozen=True):
    """The multipliers of one class of aircraft weapon."""

    armored: str
    nonarmored: str


class DieModifier(msgspec.Struct, frozen=True):
    """A die modifier that does not come from terrain alone."""

    key: str
    title: str
    drm: int
    attacks: tuple[str, ...]
    terrain: tuple[str, ...] = ()


class AntiAirRow(msgspec.Struct, frozen=True):
    """Results by die for anti-aircraft strength up to `max`."""

    max: int
    results: tuple[str, ...]


class ElevationRow(msgspec.Struct, frozen=True):
    """What obstructs a line of sight between two levels."""

    firer: str
    target: str
    green_ground: str
    green_slope: str
    green_hilltop: str
    brown: str
    orange_or_cliff: str
    town_ground: str
    town_hilltop: str


class _Crt(msgspec.Struct, frozen=True):
    rule: str
    columns: tuple[str, ...]
    rows: dict[int, tuple[str, ...]]


class _Wec(msgspec.Struct, frozen=True):
    rule: str
    row: tuple[WeaponEffect, ...]


class _AirWeapons(msgspec.Struct, frozen=True):
    rule: str
    I: AirEffect  # noqa: E741
    A: AirEffect
    H: AirEffect


class _Drm(msgspec.Struct, frozen=True):
    rule: str
    row: tuple[DieModifier, ...]


class _AntiAir(msgspec.Struct, frozen=True):
    rule: str
    row: tuple[AntiAirRow, ...]


class _Elevation(msgspec.Struct, frozen=True):
    rule: str
    columns: tuple[str, ...]
    row: tuple[ElevationRow, ...]


class CombatTables(msgspec.Struct, frozen=True):
    """All tables of tables/combat.toml."""

    system: str
    crt: _Crt
    wec: _Wec
    air_weapons: _AirWeapons
    drm: _Drm
    antiair: _AntiAir
    target_elevation: _Elevation


@cache
def combat_tables() -> CombatTables:
    """The combat tables as read from their file."""
    return read_table(TABLES / "combat.toml", CombatTables)
