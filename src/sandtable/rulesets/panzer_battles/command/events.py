"""What happens to headquarters beside their tests."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.play.fog import PUBLIC_VERSION


class StaffsRestored(Event, frozen=True):
    """Headquarters that were lost are formed anew, Disrupted and out of command; the enemy hears that they are, and
    not where nor how strong.

    Rules: PB-CMD-18, PB-CMD-27.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-CMD-27"

    side: SideId
    units: tuple[UnitId, ...]
    hexes: tuple[HexId, ...] = ()
    strengths: tuple[int, ...] = ()


CommandEvent = StaffsRestored
