"""What a 3D PanzerBlitz player can order."""

from __future__ import annotations

import msgspec

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId, UnitId


class PlaceUnit(Order, frozen=True):
    """Put a unit on a hex during setup, or bring a reinforcement onto one."""

    unit: UnitId
    hex: HexId


class EndPhase(Order, frozen=True):
    """Finish the present step of the sequence of play."""


class ChooseFirst(Order, frozen=True):
    """Say who is first player of this game turn."""

    side: SideId


class PlotFire(Order, frozen=True):
    """Write down that a battery fires at a hex."""

    battery: int
    hex: HexId


class CancelPlot(Order, frozen=True):
    """Strike out what was written for a battery."""

    battery: int


class Assign(Order, frozen=True):
    """Write down that units are to fire at opportunity in this game turn."""

    units: tuple[UnitId, ...]


class Unassign(Order, frozen=True):
    """Strike units from those that are to fire at opportunity."""

    units: tuple[UnitId, ...]


class SealPlot(Order, frozen=True):
    """Leave the notes as they are: nothing more is written in this step."""


class DesignateTarget(Order, frozen=True):
    """Name enemy units of a hex as the target of these units."""

    firers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]


class CancelShot(Order, frozen=True):
    """Strike out the shot in which a unit takes part."""

    unit: UnitId


class MoveUnit(Order, frozen=True):
    """Move a unit along a path of hexes."""

    unit: UnitId
    path: tuple[HexId, ...]


class LeaveMap(Order, frozen=True):
    """Take a unit off the map from the edge hex it stands on."""

    unit: UnitId


class LoadUnit(Order, frozen=True):
    """Take a unit of the same hex aboard a carrier."""

    carrier: UnitId
    passenger: UnitId


class UnloadUnit(Order, frozen=True):
    """Set a carrier's passenger down in the carrier's hex."""

    carrier: UnitId


class EnterFort(Order, frozen=True):
    """Take a unit into the fort of its hex."""

    unit: UnitId


class LeaveFort(Order, frozen=True):
    """Take a unit out of its fort onto the same hex."""

    unit: UnitId


class OverrunRun(msgspec.Struct, frozen=True):
    """One vehicle's part in an overrun: its path, which ends with the target hex and the exit hex."""

    unit: UnitId
    path: tuple[HexId, ...]


class Overrun(Order, frozen=True):
    """Drive vehicles through an enemy-held hex; dropped riders may assault it afterwards (PB3-1608)."""

    hex: HexId
    runs: tuple[OverrunRun, ...]
    drop: tuple[UnitId, ...] = ()


class CloseAssault(Order, frozen=True):
    """Assault an adjacent hex with infantry."""

    units: tuple[UnitId, ...]
    hex: HexId


class OpportunityFire(Order, frozen=True):
    """Fire together at the unit that is moving in sight."""

    firers: tuple[UnitId, ...]


class Pass(Order, frozen=True):
    """Let the chance to fire go by; with `rest`, every other that the move under way gives as well."""

    rest: bool = False
