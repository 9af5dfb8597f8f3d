"""What a side can order. Hexes are ids of the board, units their numbers."""

from __future__ import annotations

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, UnitId
from sandtable.rulesets.panzer_44.model import TIGHT


class PlaceUnit(Order, frozen=True):
    """Set a unit up in a hex of the side's zone."""

    unit: UnitId
    hex: HexId


class EndSetup(Order, frozen=True):
    """The side's units stand where they are to begin."""


class PlotDirectFire(Order, frozen=True):
    """Write down that units fire at an enemy in a hex (P44-5.03)."""

    units: tuple[UnitId, ...]
    hex: HexId


class PlotOpportunityFire(Order, frozen=True):
    """Write down that units lie in wait for movers (P44-5.06)."""

    units: tuple[UnitId, ...]


class PlotIndirectFire(Order, frozen=True):
    """Write down that a howitzer or mortar lays shells on a hex (P44-11.01)."""

    unit: UnitId
    hex: HexId
    pattern: str = TIGHT


class PlotMove(Order, frozen=True):
    """Write down that units move; where to is decided when they do (P44-5.05)."""

    units: tuple[UnitId, ...]


class PlotClear(Order, frozen=True):
    """Write down that engineers clear the mines of a hex (P44-13.05)."""

    unit: UnitId
    hex: HexId


class PlotDig(Order, frozen=True):
    """Write down that engineers dig an Improved Position where they are (P44-13.07)."""

    unit: UnitId


class PlotMission(Order, frozen=True):
    """Write down a mission of a battery off the map (P44-11.09)."""

    battery: str
    hex: HexId
    pattern: str = TIGHT


class PlotSortie(Order, frozen=True):
    """Write down an attack from the air (P44-11.10)."""

    sortie: str
    hex: HexId


class Unplot(Order, frozen=True):
    """Strike out the order of a unit."""

    unit: UnitId


class UnplotSupport(Order, frozen=True):
    """Strike out the order of a battery off the map or of a sortie."""

    support: str


class SealPlot(Order, frozen=True):
    """The side's plot is written; the nonce is mixed into its commitment (P44-5.08)."""

    nonce: str = ""


class NameTarget(Order, frozen=True):
    """The enemy in the plotted hex that is fired at (P44-8.01)."""

    target: UnitId


class Move(Order, frozen=True):
    """Go along a path of adjacent hexes (P44-12.01)."""

    unit: UnitId
    path: tuple[HexId, ...]


class Overrun(Order, frozen=True):
    """Go along a path, then overrun the soft targets in the next hex (P44-12.04)."""

    unit: UnitId
    hex: HexId
    path: tuple[HexId, ...] = ()


class LeaveMap(Order, frozen=True):
    """Go along a path to an exit, then leave the map (P44-12.07)."""

    unit: UnitId
    path: tuple[HexId, ...] = ()


class Load(Order, frozen=True):
    """Take a unit in the same hex aboard or in tow (P44-4.04)."""

    unit: UnitId
    passenger: UnitId


class Unload(Order, frozen=True):
    """Set the passenger down in the carrier's hex (P44-4.05)."""

    unit: UnitId


class EndMovement(Order, frozen=True):
    """Every unit that must move has moved, and no other is to."""


class FireOnOpportunity(Order, frozen=True):
    """Fire at the mover (P44-8.03)."""

    unit: UnitId


class Pass(Order, frozen=True):
    """Hold fire; with `rest`, for the rest of this unit's move."""

    rest: bool = False
