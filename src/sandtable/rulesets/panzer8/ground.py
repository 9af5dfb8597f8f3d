"""What a battle is fought on and never changes in it: the board, the scenario and the options chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.geometry.board import Board
from sandtable.kernel import codec
from sandtable.kernel.ids import HexId

if TYPE_CHECKING:
    from sandtable.content import Scenario


class Options(msgspec.Struct, frozen=True):
    """The named switches of a battle.

    Rules: P8-15.01, P8-15.02, P8-15.03, P8-15.04.
    """

    hidden_setup: bool = False
    engineering: bool = False
    own_decks: bool = False
    elite: bool = False


class Ground(codec.Fixed):
    """The fixed part of a battle. `cache` holds what is derived from it alone, such as sight and movement costs."""

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


def dug_in(ground: Ground) -> frozenset[HexId]:
    """The hexes with dug-in positions (P8-3.03)."""
    kept = ground.cache.get("dug in")
    if kept is None:
        kept = ground.cache["dug in"] = frozenset(map(ground.board.parse, ground.scenario.sections.dug_in))
    places: frozenset[HexId] = kept
    return places
