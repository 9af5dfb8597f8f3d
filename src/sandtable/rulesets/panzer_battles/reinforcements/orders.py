"""The orders that bring units in and off the map."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import UnitId


class Arrive(Order, frozen=True):
    """Bring in a unit that is due, and all that come with it to the same hex (PB-REIN-1)."""

    unit: UnitId


class RemoveFromMap(Order, frozen=True):
    """Leave the map for good by a friendly Exit Objective (PB-VIC-7)."""

    unit: UnitId
