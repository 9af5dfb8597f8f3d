"""What comes to light other than by looking, and who may know of it."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import SideId, UnitId
from sandtable.play.fog import PUBLIC_VERSION


class Reported(Event, frozen=True):
    """A side knows of enemies until its turn ends although nobody of it sees them: by air recon, dust, sound.

    Rules: PB-SPOT-24, PB-SPOT-25.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-SPOT-24"

    side: SideId
    units: tuple[UnitId, ...]
    level: int


class Scouted(Event, frozen=True):
    """Units have looked for concealed enemies; those found are concealed no longer.

    Rules: PB-SPOT-23.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-SPOT-23"

    side: SideId
    units: tuple[UnitId, ...]
    found: tuple[UnitId, ...] = ()


SpottingEvent = Reported | Scouted
