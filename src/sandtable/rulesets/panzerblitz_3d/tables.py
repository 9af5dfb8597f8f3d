"""The tables of combat, movement and artillery as the files beside this one list them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.mechanics.results import ResultsTable
from sandtable.rulesets.panzerblitz_3d.kinds import TABLES

NOTHING, DISPERSED, DOUBLE, DESTROYED = "-", "D", "DD", "X"
NOT_ALLOWED = "not_allowed"


class WeaponEffect(msgspec.Struct, frozen=True):
    """What a weapon class is multiplied by against armored targets near and far, and against others (PB3-803)."""

    weapon: str
    armored_near: str
    armored_far: str
    others: str


class WeaponEffects(msgspec.Struct, frozen=True):
    rule: str
    row: tuple[WeaponEffect, ...]


class Modifier(msgspec.Struct, frozen=True):
    """A die modifier that is no terrain's (PB3-812)."""

    key: str
    title: str
    drm: int


class Modifiers(msgspec.Struct, frozen=True):
    rule: str
    row: tuple[Modifier, ...]


class Elevation(msgspec.Struct, frozen=True):
    """What obstructs between two levels (PB3-702)."""

    firer: str
    target: str
    brown: str
    orange: str
    green_or_gray: str


class Elevations(msgspec.Struct, frozen=True):
    rule: str
    row: tuple[Elevation, ...]


class Crt(msgspec.Struct, frozen=True):
    rule: str
    columns: tuple[str, ...]
    rows: dict[int, tuple[str, ...]]


class CombatTables(msgspec.Struct, frozen=True):
    """Every table of combat.toml."""

    system: str
    crt: Crt
    wec: WeaponEffects
    drm: Modifiers
    target_elevation: Elevations


@cache
def combat_tables() -> CombatTables:
    """The tables of combat."""
    return read_table(TABLES / "combat.toml", CombatTables)


@cache
def results_table() -> ResultsTable:
    """The combat results table (PB3-814)."""
    crt = combat_tables().crt
    return ResultsTable(crt.columns, crt.rows)


class Battery(msgspec.Struct, frozen=True):
    """A battery off the map: its attack factor, and how many fire missions it has unless the scenario says otherwise.

    Rules: PB3-305.
    """

    name: str
    attack: int
    missions: int


class Scatter(msgspec.Struct, frozen=True):
    """Where fire falls that nobody observes: a die up to `on_target` falls as plotted, otherwise so many hexes off by
    the die of distance, 0 being a miss.

    Rules: PB3-1203.
    """

    rule: str
    on_target: int
    distance: dict[int, int]


class ArtilleryTable(msgspec.Struct, frozen=True):
    """Every table of artillery.toml."""

    system: str
    rule: str
    weapon: str
    """The weapon class that batteries fire with, at far range (PB3-1206)."""
    battery: dict[str, Battery]
    scatter: Scatter


@cache
def artillery_table() -> ArtilleryTable:
    """The tables of artillery."""
    return read_table(TABLES / "artillery.toml", ArtilleryTable)


BATTERIES: Mapping[str, Battery] = MappingProxyType(artillery_table().battery)
