"""What a battle is fought on and never changes in it: the board, the scenario and the options chosen."""

from __future__ import annotations

import msgspec

from sandtable.kernel.ids import HexId, SideId
from sandtable.play.ground import Battleground


class Options(msgspec.Struct, frozen=True):
    """The named switches of a battle.

    Rules: P44-4.07, P44-15.01, P44-15.02, P44-15.03, P44-15.04, P44-15.05.
    """

    fog: bool = False
    individual_panic: bool = False
    cumulative_cover: bool = False
    ranging_in: bool = False
    mounted_fire: bool = False
    alternating_first: bool = False


class Ground(Battleground[Options]):
    """The fixed part of a battle."""

    __slots__ = ()


def registered(ground: Ground, side: SideId) -> frozenset[HexId]:
    """The hexes a side registered before play (P44-11.04)."""
    labels = ground.scenario.sections.registered.get(side, ())
    return ground.once(("registered", side), lambda: frozenset(map(ground.board.parse, labels)))


def exits(ground: Ground, side: SideId) -> dict[HexId, int]:
    """The edge hexes where a side may leave the map, with the points for it (P44-12.07)."""

    def make() -> dict[HexId, int]:
        entries = [entry for entry in ground.scenario.sections.exits if entry.side == side]
        return {HexId(ground.board.parse(label)): entry.points for entry in entries for label in entry.hexes}

    return ground.once(("exits", side), make)
