"""What a battle is fought on and never changes in it: the board, the scenario and the options chosen."""

from __future__ import annotations

import msgspec

from sandtable.kernel.ids import HexId
from sandtable.play.ground import Battleground


class Options(msgspec.Struct, frozen=True):
    """The named switches of a battle.

    Rules: P8-15.01, P8-15.02, P8-15.03, P8-15.04.
    """

    hidden_setup: bool = False
    engineering: bool = False
    own_decks: bool = False
    elite: bool = False


class Ground(Battleground[Options]):
    """The fixed part of a battle."""

    __slots__ = ()


def dug_in(ground: Ground) -> frozenset[HexId]:
    """The hexes with dug-in positions (P8-3.03)."""
    return ground.once("dug in", lambda: frozenset(map(ground.board.parse, ground.scenario.sections.dug_in)))
