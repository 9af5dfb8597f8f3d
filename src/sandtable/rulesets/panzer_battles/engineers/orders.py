"""What engineers and diggers can be ordered to do."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId


class DigIn(Order, frozen=True):
    """Dig in, or stop digging (PB-MOVE-102)."""

    unit: UnitId


class ClearMines(Order, frozen=True):
    """Clear mines, an obstacle or rubble, or stop clearing (PB-ENG-27, PB-ENG-57)."""

    unit: UnitId


class LayMines(Order, frozen=True):
    """Lay mines, or stop laying them (PB-ENG-28)."""

    unit: UnitId


class DamageRail(Order, frozen=True):
    """Damage the rail line in the hex (PB-MOVE-87)."""

    unit: UnitId


class Demolish(Order, frozen=True):
    """Damage the bridge or ditch toward a neighboring hex, or blow the wired bridge in it (PB-ENG-10)."""

    unit: UnitId
    hex: HexId


class BuildBridge(Order, frozen=True):
    """Begin a bridge toward a neighboring hex, or a pontoon bridge over it (PB-ENG-35)."""

    unit: UnitId
    hex: HexId


class DismantleBridge(Order, frozen=True):
    """Begin to take up the bridge that the unit holds (PB-ENG-44)."""

    unit: UnitId


class AbandonBridge(Order, frozen=True):
    """Give up the bridge that the unit builds or holds (PB-ENG-45)."""

    unit: UnitId


class WireBridge(Order, frozen=True):
    """Begin to wire the full-hex bridge that the unit stands on (PB-ENG-58)."""

    unit: UnitId


class FerryAcross(Order, frozen=True):
    """Go over water to a neighboring hex by a ferry or in the boats of engineers (PB-MOVE-93, PB-ENG-53)."""

    unit: UnitId
    hex: HexId


class DestroyFerry(Order, frozen=True):
    """Destroy the ferry toward a neighboring hex (PB-MOVE-94)."""

    unit: UnitId
    hex: HexId
