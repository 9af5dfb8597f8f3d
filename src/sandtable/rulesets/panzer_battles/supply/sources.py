"""Where supply comes from, and how much of it there is.

Rules: PB-SUP-1, PB-SUP-3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from sandtable.content import HexLabel, Problem, SideName
from sandtable.geometry.board import Board
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import Position

WATERS = frozenset({"water", "shallow_water"})
"""What is no ground (PB-MAP-10)."""

Percent = Annotated[int, msgspec.Meta(ge=0, le=100, description="a percentage from 0 to 100")]


class SourceEntry(msgspec.Struct, frozen=True):
    """A [[supply_sources]] entry: a hex from which a side is supplied, with its own value (PB-SUP-3)."""

    side: SideName
    hex: HexLabel
    value: Percent


def problems(board: Board, entries: Iterable[SourceEntry]) -> Iterator[Problem]:
    """Two sources of a side in one hex, and sources in the water."""
    taken: set[tuple[str, str]] = set()
    for number, entry in enumerate(entries, 1):
        where = f"[[supply_sources]] #{number} 'hex'"
        if (entry.side, entry.hex) in taken:
            yield Problem("", where, f"{entry.side} has a source in hex {entry.hex} already (PB-SUP-3)")
        taken.add((entry.side, entry.hex))
        if board.terrain[board.parse(entry.hex)] in WATERS:
            yield Problem("", where, f"hex {entry.hex} is water (PB-SUP-3)")


def sources(ground: Ground, side: SideId) -> Mapping[HexId, int]:
    """The Supply Sources of a side with their values; none where the edge of the map supplies it.

    Rules: PB-SUP-3, PB-SUP-4.
    """
    entries: tuple[SourceEntry, ...] = ground.scenario.sections.supply_sources
    return ground.once(
        ("sources", side),
        lambda: {HexId(ground.board.parse(one.hex)): one.value for one in entries if one.side == side},
    )


def edge(ground: Ground) -> tuple[HexId, ...]:
    """The ground hexes along the edge of the map.

    Rules: PB-SUP-5.
    """
    board = ground.board

    def is_source(place: int) -> bool:
        return board.terrain[place] not in WATERS and len(list(board.neighbors(place))) < len(DIRECTIONS)

    return ground.once("edge", lambda: tuple(HexId(place) for place in board.hexes if is_source(place)))


def global_value(position: Position, side: SideId) -> int:
    """The Global Supply Value of a side now: the header's, or what the last midnight made of it.

    Rules: PB-SUP-1, PB-SUP-2.
    """
    return position.supply.get(side, position.parameters.supply.everywhere.of(side))


def usable(position: Position, side: SideId) -> dict[HexId, int]:
    """The hexes that supply a side now, with their values: none that an enemy stands on.

    Rules: PB-SUP-4, PB-SUP-5, PB-SUP-6, PB-SUP-8.
    """
    own = sources(position.ground, side)
    found = own if own else dict.fromkeys(edge(position.ground), global_value(position, side))
    held = index.occupancy(position)
    return {
        place: value for place, value in found.items() if all(position.units[id].side == side for id in held.at(place))
    }
