"""What a battle is fought on and never changes in it: the board, the scenario and the options chosen."""

from __future__ import annotations

import msgspec

from sandtable.play.ground import Battleground


class Options(msgspec.Struct, frozen=True):
    """The named switches of a battle; each optional rule is off unless the scenario or the players turn it on.

    Rules: PL-1121, PL-1507, PL-1601, PL-1605, PL-1606, PL-1607, PL-1608, PL-1609.
    """

    fog: bool = False
    opportunity_fire: bool = False
    quick_time: bool = False
    panzerblitz_assault: bool = False
    turret_fire: bool = False
    field_of_fire: bool = False
    smoke: bool = False
    naval_fire: bool = False


class Ground(Battleground[Options]):
    """The fixed part of a battle."""

    __slots__ = ()


def has_sea(ground: Ground) -> bool:
    """Whether there is sea, without which nothing ever lands or lies face-down (PL-1401)."""
    found: bool | None = ground.cache.get("has sea")
    if found is None:
        found = ground.cache["has sea"] = "sea" in ground.board.terrain
    return found
