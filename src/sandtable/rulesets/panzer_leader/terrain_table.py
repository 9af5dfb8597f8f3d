"""The terrain effects table as its file has it.

Rules: PL-209.
"""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer_leader.kinds import TABLES


class Terrain(msgspec.Struct, frozen=True):
    """One row of the terrain effects table; movement costs are in half points, -1 is forbidden.

    A terrain of two effects, such as the wooded slope, has the dearest cost and the summed modifiers of both.

    Rules: PL-209, PL-210, PL-211, PL-214.
    """

    title: str
    letter: str
    level: int
    truck: int
    vehicle: int
    nonvehicle: int
    drm_fire: int
    drm_air: int
    drm_overrun: int
    drm_cat: int
    drm_mine: int
    needs_spotting: bool
    overrun_ok: bool


class Hilltop(msgspec.Struct, frozen=True):
    """What a hilltop is: any of these base terrains at this level."""

    title: str
    level: int
    base: tuple[str, ...]


class TerrainTable(msgspec.Struct, frozen=True):
    """The whole terrain effects table."""

    system: str
    rule: str
    road_cost: int
    terrain: dict[str, Terrain]
    hilltop: Hilltop


@cache
def terrain_table() -> TerrainTable:
    """The terrain effects table (PL-209)."""
    return read_table(TABLES / "terrain.toml", TerrainTable)


TERRAIN = terrain_table().terrain
