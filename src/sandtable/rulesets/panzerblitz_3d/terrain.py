"""What the terrain effects table says of each hex.

A hilltop is any of its base terrains at level 2; gully and ford are features of a hex.

Rules: PB3-201, PB3-202, PB3-205, PB3-206, PB3-208.
"""

from __future__ import annotations

from sandtable.geometry.board import Board, SideKey
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzerblitz_3d.terrain_table import TERRAIN, Ford, Terrain, terrain_table

GROUND_LEVEL, SLOPE_LEVEL, HILLTOP_LEVEL = 0, 1, 2
GULLY, FORD = "gully", "ford"
GREEN, GRAY, BROWN, ORANGE = "green", "gray", "brown", "orange"
HEXSIDES = frozenset({GREEN, GRAY, BROWN, ORANGE})
"""The symbols of hexsides (PB3-203)."""

FORBIDDEN = -1


def is_ford(board: Board, place: HexId) -> bool:
    """Whether the hex is a ford."""
    return board.has_feature(place, FORD)


def is_gully(board: Board, place: HexId) -> bool:
    """Whether the hex is a gully hex without a ford, so that it hides and is hard to leave (PB3-605, PB3-707)."""
    return board.has_feature(place, GULLY) and not board.has_feature(place, FORD)


def ground_of(board: Board, place: HexId) -> Terrain | Ford:
    """The row of the table that holds for a hex."""
    return terrain_table().ford if is_ford(board, place) else TERRAIN[board.terrain[place]]


def is_closed(board: Board, place: HexId) -> bool:
    """Whether nobody enters a hex, along a road or off it (PB3-607)."""
    cost = ground_of(board, place).cost
    return max(cost.truck, cost.vehicle, cost.nonvehicle) == FORBIDDEN


def may_stand(board: Board, mobility: str, place: HexId) -> bool:
    """Whether units of a mobility can be in a hex at all: on a road also where the ground is forbidden to them.

    Rules: PB3-205, PB3-604, PB3-607.
    """
    cost: int = getattr(ground_of(board, place).cost, mobility)
    return cost != FORBIDDEN or (bool(board.roads[place]) and not is_closed(board, place))


def is_hiding(board: Board, place: HexId) -> bool:
    """Whether units in the hex are hidden until they are spotted (PB3-711)."""
    return ground_of(board, place).hidden


def is_town(board: Board, place: HexId) -> bool:
    """Whether units in the hex count as armored and are one target (PB3-302, PB3-802)."""
    return TERRAIN[board.terrain[place]].armored


def suggested_symbols(board: Board) -> dict[SideKey, str]:
    """The symbol that the terrain on both sides suggests for each hexside, from either of its hexes: for whoever draws
    a map, who may do otherwise. Sides that suggest none are left out.

    Rules: PB3-204.
    """
    found: dict[SideKey, str] = {}
    for here in board.hexes:
        for d in DIRECTIONS:
            there = board.neighbor(here, d)
            symbol = _suggested(board, HexId(here), HexId(there), d) if there else ""
            if symbol:
                found[here, d] = symbol
    return found


def _suggested(board: Board, here: HexId, there: HexId, d: int) -> str:
    kinds, levels = {board.terrain[here], board.terrain[there]}, {board.elevation[here], board.elevation[there]}
    if len(levels) > 1 and HILLTOP_LEVEL in levels:
        return ORANGE
    if kinds <= {"woods", "slope_woods"}:
        return GREEN
    if kinds == {"town"}:
        return GRAY
    if levels == {SLOPE_LEVEL}:
        common = (board.neighbor(here, (d + 5) % 6), board.neighbor(here, (d + 1) % 6))
        hilltops = [bool(one) and board.elevation[one] == HILLTOP_LEVEL for one in common]
        return BROWN if hilltops[0] == hilltops[1] else ""
    return ""
