"""What hexes and hexsides cost, cover and block, as the chart beside this file lists them.

Rules: P44-2.01, P44-2.02, P44-2.03, P44-2.04, P44-2.05, P44-2.06, P44-2.07.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer_44.kinds import TABLES

CLEAR, TOWN, WOODS, HILLTOP, SWAMP = "clear", "town", "woods", "hilltop", "swamp"
STREAM, CREST, SLOPE, RIVER, BRIDGE = "stream", "crest", "slope", "river", "bridge"
CROSSED_BY_BRIDGES = frozenset({STREAM, RIVER})
"""The hexsides that may hold a bridge (P44-2.10)."""


class Costs(msgspec.Struct, frozen=True):
    """What a step costs in half-points by mobility (P44-1.06)."""

    hard: int
    soft: int
    foot: int

    def of(self, mobility: str) -> int:
        """The cost to a mobility; a unit in tow moves at its carrier's (P44-12.06)."""
        cost: int = getattr(self, mobility)
        return cost


class HexTerrain(Costs, frozen=True, kw_only=True):
    """A terrain: its cost to enter, what it takes off an attacker's die, and whether it blocks sight."""

    title: str
    die_reduction: int
    blocks: bool


class HexsideTerrain(Costs, frozen=True, kw_only=True):
    """What runs along a hexside: what crossing adds, the cover behind it, whether it blocks sight and lets pass."""

    title: str
    die_reduction: int
    blocks: bool
    passable: bool = True


class _Position(msgspec.Struct, frozen=True):
    die_reduction: int


class _Terrain(msgspec.Struct, frozen=True):
    system: str
    rule: str
    hex: dict[str, HexTerrain]
    hexside: dict[str, HexsideTerrain]
    road: Costs
    bridge: Costs
    improved_position: _Position


@cache
def _table() -> _Terrain:
    return read_table(TABLES / "terrain.toml", _Terrain)


TERRAIN: Mapping[str, HexTerrain] = MappingProxyType(_table().hex)
HEXSIDES: Mapping[str, HexsideTerrain] = MappingProxyType(_table().hexside)
ROAD_COST = _table().road
BRIDGE_COST = _table().bridge
POSITION_REDUCTION = _table().improved_position.die_reduction
"""What an Improved Position takes off the attacker's die (P44-13.06)."""
