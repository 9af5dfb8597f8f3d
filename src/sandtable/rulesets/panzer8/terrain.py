"""Ground, cover and height of hexes and hexsides, as the table beside this file lists them.

Rules: P8-3.01, P8-3.02, P8-3.03, P8-3.07.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer8.kinds import TABLES

FLAT, OPEN, ROUGH, DIFFICULT, BUILT_UP = "flat", "open", "rough", "difficult", "bua"
NO_COVER, SOFT_COVER, HARD_COVER = "none", "soft", "hard"
COVER_VALUES: Mapping[str, int] = MappingProxyType({NO_COVER: 0, SOFT_COVER: 1, HARD_COVER: 2})
"""What each grade of cover adds to a target's total (P8-8.02)."""

HIGH_CROPS = "high_crops"
WOODS = ("woods", "dense_woods")
Cover = Literal["none", "soft", "hard"]


class Feature(msgspec.Struct, frozen=True):
    """What stands on a hex: its ground for movement, the cover it gives, and how high it stands."""

    title: str
    letter: str
    ground: str
    cover: Cover
    height: int


class Hexside(msgspec.Struct, frozen=True):
    """What runs along a hexside: whether crossing it costs half a move, its cover, whether it hides a hull."""

    title: str
    linear: bool
    cover: Cover
    hull_down: bool


class _Terrain(msgspec.Struct, frozen=True):
    system: str
    rule: str
    feature: dict[str, Feature]
    hexside: dict[str, Hexside]


@cache
def _table() -> _Terrain:
    return read_table(TABLES / "terrain.toml", _Terrain)


FEATURES: Mapping[str, Feature] = MappingProxyType(_table().feature)
HEXSIDES: Mapping[str, Hexside] = MappingProxyType(_table().hexside)
