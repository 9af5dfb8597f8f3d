"""What happens in the air, and who may know of it."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import PUBLIC_VERSION, public_version
from sandtable.rulesets.panzer_battles.air.units import CARPET, STRIKE
from sandtable.rulesets.panzer_battles.fire.events import Suffered
from sandtable.rulesets.panzer_battles.names import result_text


class MissionCalled(Event, frozen=True):
    """An air unit is called to a hex; its own side alone knows.

    Rules: PB-AIR-2, PB-AIR-3.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-AIR-2"
    tone: ClassVar[str] = "act"

    side: SideId
    unit: UnitId
    hex: HexId
    kind: str
    halved: bool = False


class AirUnitsReadied(Event, frozen=True):
    """At the start of a turn: air units that are available again, that have recovered by one step, that have rested.

    Rules: PB-AIR-32, PB-AIR-33, PB-AIR-34.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-AIR-32"

    side: SideId
    available: tuple[UnitId, ...] = ()
    recovered: tuple[UnitId, ...] = ()
    rested: tuple[UnitId, ...] = ()
    fatigue: tuple[int, ...] = ()


CANCELED, NOTHING, INTERCEPTED, SHOT_DOWN, ABORTED, DONE = (
    "canceled", "nothing there", "intercepted", "shot down", "aborted", "done"
)  # fmt: skip
"""How missions end; the first two leave the unit available (PB-AIR-6, PB-AIR-7)."""

FAILURES = {
    CANCELED: "PB-AIR-6",
    NOTHING: "PB-AIR-7",
    INTERCEPTED: "PB-AIR-44",
    SHOT_DOWN: "PB-AIR-13",
    ABORTED: "PB-AIR-16",
}
"""By which rule missions come to nothing."""

DIVERSIONS = {STRIKE: "PB-AIR-7", CARPET: "PB-AIR-23"}
"""By which rule missions go to another hex than the one they were called to."""


class MissionFlown(Event, frozen=True):
    """How an air mission went: `outcome` in a word, what flak did to the aircraft, and what they did to the hex. It was
    `called` elsewhere if that hex is named.

    Rules: PB-AIR-7, PB-AIR-8, PB-AIR-13, PB-AIR-16, PB-AIR-23, PB-AIR-44.
    """

    audience = public_version(reveals=True)
    tone: ClassVar[str] = "act"

    side: SideId
    unit: UnitId
    hex: HexId
    kind: str
    aircraft: str
    outcome: str
    lost: int = 0
    strength: int = 0
    fatigue: int = 0
    disrupted: bool = False
    broken: bool = False
    flew: bool = True
    removed: bool = False
    struck: tuple[Suffered, ...] = ()
    wrecks: int = 0
    lines: tuple[Line, ...] = ()
    called: HexId = NOWHERE

    @property
    def cites(self) -> str:
        """The rule: of what it came to nothing by, of how it came to another hex, or that of the strike."""
        return FAILURES.get(self.outcome) or (DIVERSIONS[self.kind] if self.called else "PB-AIR-8")

    @property
    def brief(self) -> str:
        """The losses as the map shows them (PB-FIRE-62)."""
        return ", ".join(result_text(one.kind, one.lost, one.result) for one in self.struck)


class Interdicted(Event, frozen=True):
    """Aircraft on the prowl have struck units on the march; `mp` is what the unit has left.

    Rules: PB-AIR-37, PB-AIR-38, PB-AIR-39.
    """

    audience = public_version(reveals=True)
    cites: ClassVar[str] = "PB-AIR-37"
    tone: ClassVar[str] = "act"

    side: SideId
    hex: HexId
    aircraft: str
    struck: tuple[Suffered, ...]
    wrecks: int = 0
    unit: UnitId = NOBODY
    mp: int = 0
    lines: tuple[Line, ...] = ()

    @property
    def brief(self) -> str:
        """The losses as the map shows them (PB-FIRE-62)."""
        return ", ".join(result_text(one.kind, one.lost, one.result) for one in self.struck)


AirEvent = MissionCalled | AirUnitsReadied | MissionFlown | Interdicted
