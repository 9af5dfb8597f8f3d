"""Riding, breaking down and walking: what happens to movers beside their steps; their own side knows of it."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import SideId, UnitId
from sandtable.play.fog import PUBLIC_VERSION


class Boarded(Event, frozen=True):
    """Units of a side ride on another; `mp` is what is left to the carrier and then to each of them (PB-MOVE-47)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-47"

    side: SideId
    carrier: UnitId
    units: tuple[UnitId, ...]
    mp: tuple[int, ...]


class Dismounted(Event, frozen=True):
    """Units of a side ride no more, by order or because their carrier is gone; `mp` is as for boarding.

    Rules: PB-MOVE-47, PB-MOVE-53, PB-MOVE-54.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-47"

    side: SideId
    carrier: UnitId
    units: tuple[UnitId, ...]
    mp: tuple[int, ...]
    is_shaken: bool = False


class WentOnFoot(Event, frozen=True):
    """A unit of a side has left its vehicles behind and walks (PB-MOVE-67)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-67"

    side: SideId
    unit: UnitId
    mp: int


class Remounted(Event, frozen=True):
    """Units of a side that walked have their vehicles again (PB-MOVE-68)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-68"

    side: SideId
    units: tuple[UnitId, ...]


MovementEvent = Boarded | Dismounted | WentOnFoot | Remounted
