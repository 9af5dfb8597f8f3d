"""Which way units look that have a facing, and what that covers.

Rules: PB-MAP-11.
"""

from __future__ import annotations

from typing import Literal

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import STEPS
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.model import NO_FACING, Unit

Facing = Literal["up", "up_right", "down_right", "down", "down_left", "up_left"]
FACINGS: tuple[Facing, ...] = ("up", "up_right", "down_right", "down", "down_left", "up_left")
"""The facings by direction (PB-MAP-1)."""


def covers(board: Board, unit: Unit, place: HexId) -> bool:
    """Whether a unit faces a hex: the line to it and the facing form no more than a right angle.

    Rules: PB-MAP-11.
    """
    if unit.facing == NO_FACING:
        return True
    here, there, ahead = board.axial(unit.hex), board.axial(place), STEPS[unit.facing]
    q, r = there.q - here.q, there.r - here.r
    # the inner product of both in the plane, in whole numbers
    return 3 * q * ahead[0] + (2 * r + q) * (2 * ahead[1] + ahead[0]) >= 0
