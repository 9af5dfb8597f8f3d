"""What a player can order of air units."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId


class CallStrike(Order, frozen=True):
    """Call an air strike on a hex for the start of the next turn (PB-AIR-5)."""

    unit: UnitId
    hex: HexId


class CallCarpet(Order, frozen=True):
    """Call heavy bombers to a hex for the start of the next turn (PB-AIR-22)."""

    unit: UnitId
    hex: HexId


class CallRecon(Order, frozen=True):
    """Call air reconnaissance of a hex for the start of the next turn (PB-AIR-25)."""

    unit: UnitId
    hex: HexId


AnyCall = CallStrike | CallCarpet | CallRecon
