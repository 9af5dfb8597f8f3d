"""Lines of sight by levels: the words of a target elevation table, and lines that one hex alone can block."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sandtable.geometry.board import Board
from sandtable.geometry.grid import HexId
from sandtable.geometry.sight import (
    AREA,
    BLOCKS,
    BLOCKS_BESIDE_LOWER,
    BLOCKS_NEAR_LOWER,
    CLEAR,
    ONE_ALLOWED,
    SymbolSight,
)

ELEVATIONS: Mapping[str, int] = MappingProxyType({"ground": 0, "slope": 1, "hilltop": 2})
"""The levels by the names that head a target elevation table."""

EFFECTS: Mapping[str, int] = MappingProxyType(
    {
        "B": BLOCKS,
        "behind_lower": BLOCKS_BESIDE_LOWER,
        "near_ground": BLOCKS_NEAR_LOWER,
        "O1": ONE_ALLOWED,
        ".": CLEAR,
    }
)
"""What an entry of the table does to a line: it always obstructs, only on a side of the lower end's hex, only up to the
middle from the lower end, only a second time, or never.
"""


def past_hex(board: Board, place: HexId) -> SymbolSight:
    """Lines that nothing but what lies in one hex can block."""
    areas = bytearray(board.size)
    areas[place] = 1
    return SymbolSight(board, bytes(board.size), bytes(8 * board.size), areas, {(0, 0, AREA + 1, 0): BLOCKS})
