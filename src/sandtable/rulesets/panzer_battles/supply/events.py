"""What supply does at the start of a side's turn."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import SideId, UnitId
from sandtable.play.fog import PUBLIC_VERSION


class LinesTraced(Event, frozen=True):
    """The supply value of a side for the day, and which of its units are cut off in this turn.

    Rules: PB-SUP-2, PB-SUP-17.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-SUP-17"

    side: SideId
    value: int
    isolated: tuple[UnitId, ...] = ()


class Supplied(Event, frozen=True):
    """What the supply of a side brought its units, and what it did not; `stores` are the points that the columns named
    have left, `refueling` tells that fuel was tested for the day.

    Rules: PB-SUP-21, PB-SUP-25, PB-SUP-27, PB-SUP-32, PB-SUP-35, PB-SUP-41, PB-SUP-49, PB-OPT-9.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-SUP-21"

    side: SideId
    low_ammo: tuple[UnitId, ...] = ()
    replenished: tuple[UnitId, ...] = ()
    unavailable: tuple[UnitId, ...] = ()
    available: tuple[UnitId, ...] = ()
    unstocked: tuple[UnitId, ...] = ()
    set_up: tuple[UnitId, ...] = ()
    low_fuel: tuple[UnitId, ...] = ()
    refueled: tuple[UnitId, ...] = ()
    refueling: bool = False
    columns: tuple[UnitId, ...] = ()
    stores: tuple[int, ...] = ()


SupplyEvent = LinesTraced | Supplied
