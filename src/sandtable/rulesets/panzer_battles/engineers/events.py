"""What engineers and diggers do to the ground, and who may know of it."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from sandtable.kernel.events import EVERYBODY, Event
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import PUBLIC_VERSION
from sandtable.rulesets.panzer_battles.features import BARRIERS
from sandtable.rulesets.panzer_battles.model import Feature


class MinesTouched(Event, frozen=True):
    """Mines have gone off under a unit; `lines` are the combat value (PB-MOVE-81)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-MOVE-81"
    tone: ClassVar[str] = "act"

    unit: UnitId
    hex: HexId
    lines: tuple[Line, ...] = ()


class FeatureChanged(Event, frozen=True):
    """What lies in a hex is another thing: built, vacated, cleared or fallen in; None is nothing.

    Rules: PB-MAP-9.
    """

    audience = PUBLIC_VERSION

    hex: HexId
    old: Feature | None = None
    new: Feature | None = None

    @property
    def cites(self) -> str:
        """The rule: mines and obstacles give way to nobody but who clears them (PB-ENG-24)."""
        return "PB-ENG-24" if self.old is not None and self.old.kind in BARRIERS else "PB-MAP-9"


class WorkChanged(Event, frozen=True):
    """A unit has begun or ended a work: `operation` names it, `digging_in` tells whether it digs, `progress` how long
    it has been at it, `mp` and `thirds` what it has left and paid (PB-ENG-7), `by_itself` that nobody ordered it.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-ENG-7"

    unit: UnitId
    operation: str = ""
    digging_in: bool = False
    mp: int = 0
    thirds: int = 0
    progress: int = 0
    by_itself: bool = False


class WorkProgressed(Event, frozen=True):
    """Units of a side have been at their work for one turn more (PB-ENG-26, PB-ENG-50)."""

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-ENG-7"

    side: SideId
    units: tuple[UnitId, ...]


class SideChanged(Event, frozen=True):
    """What lies on a hexside is another thing; `what` says how it came about (PB-MAP-4)."""

    audience = EVERYBODY
    cites: ClassVar[str] = "PB-MAP-4"

    hex: HexId
    direction: int
    features: tuple[str, ...]
    what: str = ""


RAIL_LINE: Final = "rail"
FERRY_BOAT: Final = "ferry"
"""What is destroyed other than by the charges of engineers."""


class DamageTried(Event, frozen=True):
    """A unit has tried to destroy a bridge or ditch, or what else is named; `mp` is what it has left (PB-ENG-10)."""

    audience = PUBLIC_VERSION
    tone: ClassVar[str] = "act"

    unit: UnitId
    hex: HexId
    mp: int = 0
    thirds: int = 0
    done: bool = False
    what: Literal["", "rail", "ferry"] = ""

    @property
    def cites(self) -> str:
        """The rule by which that is destroyed.

        Rules: PB-ENG-10, PB-MOVE-87, PB-MOVE-94.
        """
        return {RAIL_LINE: "PB-MOVE-87", FERRY_BOAT: "PB-MOVE-94"}.get(self.what, "PB-ENG-10")


EngineerEvent = MinesTouched | FeatureChanged | WorkChanged | WorkProgressed | SideChanged | DamageTried
