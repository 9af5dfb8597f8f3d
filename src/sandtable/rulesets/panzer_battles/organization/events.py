"""Combining, breaking down and attaching; their own side knows of it, others see what stands there."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import SideId, UnitId
from sandtable.play.fog import PUBLIC_VERSION


class UnitsCombined(Event, frozen=True):
    """Units of a side are one; the first stands for all of them.

    Rules: PB-UNIT-19, PB-UNIT-23.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-UNIT-19"

    side: SideId
    units: tuple[UnitId, ...]


class UnitBrokenDown(Event, frozen=True):
    """A part of a combined unit of a side stands for itself again.

    Rules: PB-UNIT-29, PB-UNIT-30.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-UNIT-29"

    side: SideId
    unit: UnitId
    part: UnitId


class Attached(Event, frozen=True):
    """Units of a side, or one of its organizations, are under another organization than before.

    Rules: PB-OOB-10, PB-OOB-11, PB-CMD-28.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-OOB-10"

    side: SideId
    units: tuple[UnitId, ...]
    organization: str
    to: str


OrganizationEvent = UnitsCombined | UnitBrokenDown | Attached
