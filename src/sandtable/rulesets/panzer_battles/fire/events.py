"""What happens in indirect fire and around it, and who may know of it."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import PUBLIC_VERSION, public_version
from sandtable.rulesets.panzer_battles.names import result_text


class Suffered(msgspec.Struct, frozen=True):
    """What a fire on a whole hex did to one unit in it; `seen` tells that its enemy saw it.

    Rules: PB-CRT-20, PB-FIRE-63.
    """

    unit: UnitId
    kind: str
    side: SideId
    lost: int
    strength: int = 0
    fatigue: int = 0
    disrupted: bool = False
    broken: bool = False
    result: str = ""
    seen: bool = True


class Bombarded(Event, frozen=True):
    """A unit fired indirectly into a hex, with what came of it for everybody there; wrecks are seen burning from afar.

    Rules: PB-FIRE-11, PB-FIRE-63.
    """

    # how steady those are whom it hits comes out by it
    audience = public_version(reveals=True)
    cites: ClassVar[str] = "PB-FIRE-11"
    tone: ClassVar[str] = "act"

    unit: UnitId
    hex: HexId
    start: HexId = NOWHERE
    mp: int = 0
    halves: int = 0
    opportunity: bool = False
    struck: tuple[Suffered, ...] = ()
    wrecks: int = 0
    lines: tuple[Line, ...] = ()

    @property
    def brief(self) -> str:
        """The losses as the map shows them (PB-FIRE-62)."""
        return ", ".join(result_text(one.kind, one.lost, one.result) for one in self.struck)


class FirePolicySet(Event, frozen=True):
    """A side has settled at what it takes opportunities to fire: for some units, or for all where none is named.

    Rules: PB-OPF-7.
    """

    audience = PUBLIC_VERSION
    cites: ClassVar[str] = "PB-OPF-7"

    side: SideId
    units: tuple[UnitId, ...]
    settings: str


FireEvent = Bombarded | FirePolicySet
