"""The movement table as its file has it. Costs are in thirds of a point.

Rules: P8-6.02, P8-6.04, P8-6.07, P8-6.09, P8-6.10.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer8.kinds import TABLES
from sandtable.rulesets.panzer8.model import THIRDS


class Rates(msgspec.Struct, frozen=True):
    """Hexes of a full move by ground, of one class of movement; 0 is impassable."""

    title: str
    road: int
    flat: int
    open: int
    rough: int
    difficult: int


class _Movement(msgspec.Struct, frozen=True):
    system: str
    rule: str
    full_move: int
    linear: int
    bua_factor: int
    handling: int
    bicycle_road: int
    rates: dict[str, Rates]


@cache
def _table() -> _Movement:
    return read_table(TABLES / "movement.toml", _Movement)


RATES: Mapping[str, Rates] = MappingProxyType(_table().rates)
FULL_MOVE = THIRDS * _table().full_move
HALF_MOVE = FULL_MOVE // 2
"""What `move and fire` and tank hunting leave for movement (P8-6.07, P8-10.01)."""
BICYCLE_ROAD = _table().bicycle_road
LINEAR = THIRDS * _table().linear
HANDLING = THIRDS * _table().handling
"""What mounting or dismounting takes of the carrier's move (P8-6.10)."""
LEAST_COST: int = FULL_MOVE // max(
    BICYCLE_ROAD, *(most for rates in RATES.values() for most in msgspec.structs.astuple(rates)[1:])
)
"""No step of anybody costs less."""
BUA_FACTOR = _table().bua_factor
"""How many times its open or road cost a built-up hex costs: our reading of the sheet's "1/2" (P8-6.04)."""
