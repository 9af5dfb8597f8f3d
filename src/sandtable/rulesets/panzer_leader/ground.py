"""What a battle is fought on and never changes in it: the board, the scenario and the options chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.geometry.board import Board
from sandtable.kernel import codec

if TYPE_CHECKING:
    from sandtable.content import Scenario


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


class Ground(codec.Fixed):
    """The fixed part of a battle. `cache` holds what is derived from it alone, such as lines of sight and movement
    costs.
    """

    __slots__ = ("board", "cache", "digest", "options", "scenario")

    def __init__(self, scenario: Scenario[Any, Any], options: Options) -> None:
        self.scenario = scenario
        self.board: Board = scenario.board
        self.options = options
        self.digest = codec.digest([scenario.digest, self.board.digest, options])
        self.cache: dict[Any, Any] = {}


_KEPT = 32
_grounds: dict[str, Ground] = {}


def ground_for(scenario: Scenario[Any, Any], options: Options) -> Ground:
    """The ground of a battle; battles of one scenario with the same options share it and all that is derived from
    it.
    """
    fresh = Ground(scenario, options)
    kept = _grounds.setdefault(fresh.digest, fresh)
    if len(_grounds) > _KEPT:
        del _grounds[next(iter(_grounds))]
    return kept


def has_sea(ground: Ground) -> bool:
    """Whether there is sea, without which nothing ever lands or lies face-down (PL-1401)."""
    found: bool | None = ground.cache.get("has sea")
    if found is None:
        found = ground.cache["has sea"] = "sea" in ground.board.terrain
    return found
