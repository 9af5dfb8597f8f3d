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


RULES = {
    "low_ammo": "PB-SUP-21",
    "replenished": "PB-SUP-25",
    "unavailable": "PB-SUP-27",
    "available": "PB-SUP-27",
    "unstocked": "PB-SUP-49",
    "set_up": "PB-SUP-41",
    "low_fuel": "PB-SUP-32",
    "refueled": "PB-SUP-35",
}
"""By which rule each field of what was supplied came about, in the order in which they are told."""


class Supplied(Event, frozen=True):
    """What the supply of a side brought its units, and what it did not; `stores` are the points that the columns named
    have left, `refueling` tells that fuel was tested for the day.

    Rules: PB-SUP-21, PB-SUP-25, PB-SUP-27, PB-SUP-32, PB-SUP-35, PB-SUP-41, PB-SUP-49, PB-OPT-9.
    """

    audience = PUBLIC_VERSION

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

    @property
    def cites(self) -> str:
        """The rule of the first thing that is told."""
        return next((rule for field, rule in RULES.items() if getattr(self, field)), "")


SupplyEvent = LinesTraced | Supplied
