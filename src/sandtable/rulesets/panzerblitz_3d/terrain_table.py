"""The terrain effects table as its file has it.

Rules: PB3-205.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzerblitz_3d.kinds import TABLES


class Costs(msgspec.Struct, frozen=True):
    """Half points by mobility; -1 is forbidden."""

    truck: int
    vehicle: int
    nonvehicle: int


class Terrain(msgspec.Struct, frozen=True):
    """One row of the terrain effects table; `up` is the cost of entering it from a lower level."""

    title: str
    letter: str
    level: int
    cost: Costs
    drm: int
    hidden: bool
    overrun_ok: bool
    armored: bool = False
    up: Costs | None = None


class Hilltop(msgspec.Struct, frozen=True):
    """What a hilltop is: any of these base terrains at this level."""

    title: str
    level: int
    base: tuple[str, ...]


class Gully(msgspec.Struct, frozen=True):
    """What leaving a gully hex costs beyond the hex that is entered, and the terrains it can't be in."""

    title: str
    leaving: Costs
    never: tuple[str, ...]


class Ford(msgspec.Struct, frozen=True):
    """A ford takes the place of the terrain around it."""

    title: str
    cost: Costs
    drm: int
    hidden: bool
    overrun_ok: bool


class TerrainTable(msgspec.Struct, frozen=True):
    """The whole terrain effects table."""

    system: str
    rule: str
    road_cost: int
    halved_levels: tuple[int, ...]
    """Fire at a hex of these levels is halved (PB3-807)."""
    terrain: dict[str, Terrain]
    hilltop: Hilltop
    gully: Gully
    ford: Ford


@cache
def terrain_table() -> TerrainTable:
    """The terrain effects table (PB3-205)."""
    return read_table(TABLES / "terrain.toml", TerrainTable)


TERRAIN: Mapping[str, Terrain] = MappingProxyType(terrain_table().terrain)
