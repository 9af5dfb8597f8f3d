"""The orders of movement beside moves and changes of mode."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId


class Carry(Order, frozen=True):
    """Let units board a carrier in their hex (PB-MOVE-47)."""

    units: tuple[UnitId, ...]
    carrier: UnitId


class Uncarry(Order, frozen=True):
    """Set down everybody who rides on a unit (PB-MOVE-47)."""

    carrier: UnitId


class ChangeRail(Order, frozen=True):
    """Board a train, or leave it (PB-MOVE-30)."""

    unit: UnitId


class GoOnFoot(Order, frozen=True):
    """Leave the vehicles behind and walk (PB-MOVE-67)."""

    unit: UnitId


class MoveColumn(Order, frozen=True):
    """Send units of a division one behind the other, each along its way (PB-MOVE-120)."""

    units: tuple[UnitId, ...]
    paths: tuple[tuple[HexId, ...], ...]
