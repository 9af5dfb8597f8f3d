"""The orders that make one unit of several, and several of one, and that put units under another command."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import UnitId


class Combine(Order, frozen=True):
    """Make one unit of platoons of a company; the first keeps its name (PB-UNIT-19)."""

    units: tuple[UnitId, ...]


class CombineAll(Order, frozen=True):
    """Combine all who can be combined in the hex of a unit (PB-UNIT-31)."""

    unit: UnitId


class BreakDown(Order, frozen=True):
    """Take one of its parts out of a combined unit (PB-UNIT-29)."""

    unit: UnitId


class Attach(Order, frozen=True):
    """Give an organization of a unit, or with none named the unit itself, to another corps (PB-OOB-10)."""

    unit: UnitId
    organization: str
    to: str
