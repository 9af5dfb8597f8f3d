"""What the schedule of a scenario and the arrival and departure of units bring about; their own side knows of it."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.play.fog import PUBLIC_VERSION


class ArrivalsAnnounced(Event, frozen=True):
    """Reinforcements of a side may be brought in from now on.

    Rules: PB-TURN-4, PB-REIN-2.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-TURN-4"

    side: SideId
    units: tuple[UnitId, ...]


class Arrived(Event, frozen=True):
    """A reinforcement has come on the map, with whoever rides on it.

    Rules: PB-REIN-1, PB-REIN-5, PB-REIN-14.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-REIN-1"

    side: SideId
    unit: UnitId
    hex: HexId
    mode: str
    mp: int = 0
    concealed: bool = False
    setup_required: bool = False
    supplied_until: int = 0


class ArrivalPutOff(Event, frozen=True):
    """Reinforcements of a side could not come in this turn, and why.

    Rules: PB-REIN-16, PB-STK-9.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-REIN-16"

    side: SideId
    units: tuple[UnitId, ...]
    hex: HexId
    reason: str


class ArrivalProtected(Event, frozen=True):
    """Enemies near the place where reinforcements of a side arrived are Broken (PB-REIN-3)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-REIN-3"

    side: SideId
    hex: HexId
    units: tuple[UnitId, ...]


class UnitsReleased(Event, frozen=True):
    """Units of a side are fixed no more.

    Rules: PB-MOVE-99, PB-MOVE-100.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-100"

    side: SideId
    units: tuple[UnitId, ...]


class UnitsFixed(Event, frozen=True):
    """Units of a side are fixed, some of them for the night alone (PB-MOVE-101)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-101"

    side: SideId
    units: tuple[UnitId, ...]
    tonight: bool = False


class UnitsWithdrawn(Event, frozen=True):
    """Units of a side have left the map as the scenario wants it; they are no losses (PB-MOVE-110)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-110"

    side: SideId
    units: tuple[UnitId, ...]


class UnitsExited(Event, frozen=True):
    """Units of a side have left the map for good by an Exit Objective (PB-VIC-7)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-VIC-7"

    side: SideId
    units: tuple[UnitId, ...]
    hex: HexId


ReinforcementEvent = (
    ArrivalsAnnounced
    | Arrived
    | ArrivalPutOff
    | ArrivalProtected
    | UnitsReleased
    | UnitsFixed
    | UnitsWithdrawn
    | UnitsExited
)
