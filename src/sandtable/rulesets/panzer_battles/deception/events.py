"""What deception units do and suffer, and who may know of it."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.play.fog import PUBLIC_VERSION


class DeceptionDeployed(Event, frozen=True):
    """A deception unit of a side has no counter on the map any more and works unseen in a hex (PB-DEC-6)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-DEC-6"

    side: SideId
    unit: UnitId
    hex: HexId


class DeceptionPrevented(Event, frozen=True):
    """A deception unit of a side found its hex taken and stays where it is (PB-DEC-7)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-DEC-7"

    side: SideId
    unit: UnitId
    hex: HexId


class DeceptionRecalled(Event, frozen=True):
    """Deployed deception units of a side are counters on the map again (PB-DEC-14)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-DEC-14"

    side: SideId
    units: tuple[UnitId, ...]


class DeceptionFound(Event, frozen=True):
    """A deployed deception unit of a side was found and is lost; whoever found it knows.

    Rules: PB-DEC-11, PB-DEC-13.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-DEC-11"

    side: SideId
    unit: UnitId
    hex: HexId
    kind: str
    lost: int


class Misled(Event, frozen=True):
    """A unit in Travel Mode was sent astray: it is Disrupted and has no points left (PB-DEC-8)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-DEC-8"

    unit: UnitId
    hex: HexId


DeceptionEvent = DeceptionDeployed | DeceptionPrevented | DeceptionRecalled | DeceptionFound | Misled
