"""The order that deploys a deception unit."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId


class DeployDeception(Order, frozen=True):
    """Send a deception unit out of sight to a hex, or from one to another (PB-DEC-2)."""

    unit: UnitId
    hex: HexId
