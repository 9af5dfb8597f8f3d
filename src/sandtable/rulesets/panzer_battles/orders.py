"""What a player can order."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId


class Move(Order, frozen=True):
    """Go along a path, alone or as a stack (PB-MOVE-2, PB-MOVE-10)."""

    units: tuple[UnitId, ...]
    path: tuple[HexId, ...]


class MoveLeavingBehind(Order, frozen=True):
    """Go along a path as a stack; who can't pay for a step stays where he is, and the others go on (PB-MOVE-10)."""

    units: tuple[UnitId, ...]
    path: tuple[HexId, ...]


class Fire(Order, frozen=True):
    """Fire direct at a unit in sight (PB-FIRE-1)."""

    unit: UnitId
    target: UnitId


class Assault(Order, frozen=True):
    """Storm a neighboring hex with one unit or several, from one hex or several (PB-ASLT-1)."""

    units: tuple[UnitId, ...]
    hex: HexId


class ChangeMode(Order, frozen=True):
    """Go over to Travel Mode or deploy (PB-MOVE-26)."""

    unit: UnitId
    mode: str


class EndTurn(Order, frozen=True):
    """Pass control to the other side (PB-TURN-5)."""
