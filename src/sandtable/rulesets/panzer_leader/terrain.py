"""The terrain effects table and what it says of each hex.

Rules: PL-201, PL-202, PL-209, PL-213.
"""

from __future__ import annotations

from functools import cache

import msgspec

from sandtable.content import read_table
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_leader.kinds import KINDS, TABLES
from sandtable.rulesets.panzer_leader.model import Position
from sandtable.rulesets.panzer_leader.stacks import units_at

GROUND_LEVEL, SLOPE_LEVEL, HILLTOP_LEVEL = 0, 1, 2


class Terrain(msgspec.Struct, frozen=True):
    """One row of the terrain effects table; movement costs are in half points, -1 is forbidden."""

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


def has_bridge(position: Position, place: HexId) -> bool:
    """Whether a bridge that stands, printed or laid by tanks, makes the hex clear terrain (PL-633, PL-1333)."""
    if position.ground.board.terrain[place] != "stream":
        return False
    if position.ground.board.has_feature(place, "bridge") and place not in position.bridges_down:
        return True
    return any(KINDS[unit.kind].is_temporary_bridge for unit in units_at(position, place))


def terrain_key(position: Position, place: HexId) -> str:
    """The base terrain of a hex as play sees it: a bridge hex is clear for all purposes (PL-633)."""
    return "clear" if has_bridge(position, place) else position.ground.board.terrain[place]


def terrain_at(position: Position, place: HexId) -> Terrain:
    """The row of the terrain effects table that holds for a hex now."""
    return TERRAIN[terrain_key(position, place)]


def level_at(position: Position, place: HexId) -> int:
    """The elevation level of a hex: hilltop 2, slope 1, anything else 0 (PL-202)."""
    return position.ground.board.elevation[place]


def is_concealing(position: Position, place: HexId) -> bool:
    """Whether units in the hex must be spotted to be fired at from afar: woods, towns, and hexes under smoke (PL-721, PL-1609)."""
    return terrain_at(position, place).needs_spotting or place in position.smoke
