"""What a battle is fought on and never changes in it: the board, the scenario and the options chosen."""

from __future__ import annotations

import msgspec

from sandtable.play.ground import Battleground


class Options(msgspec.Struct, frozen=True):
    """The named switches of a battle; each is off unless the scenario or the players turn it on.

    Rules: PB3-1303, PB3-1601, PB3-1602, PB3-1603, PB3-1604, PB3-1605, PB3-1606, PB3-1607, PB3-1608.
    """

    fog: bool = False
    hill_exceptions: bool = False
    deep_modifier: bool = False
    published_4_1: bool = False
    hilltop_cover: bool = False
    indirect_fire: bool = False
    works: bool = False
    all_wrecks: bool = False
    panzerblitz_assault: bool = False


class Ground(Battleground[Options]):
    """The fixed part of a battle."""

    __slots__ = ()
