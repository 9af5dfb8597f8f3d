"""What lies on a Panzer '44 table: units, written orders, wrecks, mines, positions, and the ground they are on.

Everything here is frozen; mappings are never changed in place. Movement is counted in half-points (P44-1.06).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer_44.ground import Ground
from sandtable.rulesets.panzer_44.kinds import UNKNOWN

ALLIED, GERMAN = SideId("allied"), SideId("german")
SIDES = (ALLIED, GERMAN)
"""The two sides (P44-1.01)."""

IN_PLAY, RESERVE, LOST, EXITED, UNSEEN = "", "reserve", "lost", "exited", "unseen"
"""What has become of a unit."""

FROZEN, BOLTING = "frozen", "bolting"
"""What a panicked unit does (P44-6.05)."""

DIRECT, OPPORTUNITY, INDIRECT, MOVE, CLEARING, DIGGING = "direct", "opportunity", "indirect", "move", "clear", "dig"
MISSION, SORTIE = "mission", "sortie"
"""The kinds of plotted order; the last two are of off-board support (P44-5.03, P44-5.04)."""

TIGHT, LOOSE = "tight", "loose"
PATTERNS = (TIGHT, LOOSE)
"""How shells are laid (P44-11.01)."""

LOADED, UNLOADED = "loaded", "unloaded"


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A platoon, section or battery: where it is, and what has become of it.

    `spent` is what it has paid in this turn, in half-points; `moved` tells that it has moved or tried to in this turn,
    `handled` whether it was loaded or unloaded in it; `fired` that it has fired on opportunity. `exit` is the hex where
    it has left the map.

    Rules: P44-1.02, P44-3.01, P44-10.03, P44-10.06.
    """

    id: UnitId
    kind: str
    side: SideId
    hex: HexId = NOWHERE
    fate: str = IN_PLAY
    disruption: int = 0
    pinned: bool = False
    delayed: bool = False
    panic: str = ""
    carrier: UnitId = NOBODY
    spent: int = 0
    moved: bool = False
    handled: str = ""
    fired: bool = False
    accuracy: int = 1
    group: str = ""
    name: str = ""
    exit: HexId = NOWHERE


class Plot(msgspec.Struct, frozen=True, omit_defaults=True):
    """One written order: of a unit, or of an off-board battery or sortie that `support` names (P44-5.04)."""

    side: SideId
    kind: str
    unit: UnitId = NOBODY
    hex: HexId = NOWHERE
    pattern: str = ""
    support: str = ""


class Battery(msgspec.Struct, frozen=True):
    """Artillery off the map, and how many missions it has left (P44-11.09)."""

    name: str
    side: SideId
    kind: str
    accuracy: int
    left: int


class Sortie(msgspec.Struct, frozen=True):
    """An aircraft over the battlefield, which attacks once (P44-11.10)."""

    name: str
    side: SideId
    kind: str
    flown: bool = False


class Hit(msgspec.Struct, frozen=True):
    """A result of direct fire that is applied when all of it has been resolved (P44-5.10)."""

    unit: UnitId
    result: str


class Work(msgspec.Struct, frozen=True):
    """What engineers are at, and for how many turns running (P44-13.05, P44-13.07)."""

    unit: UnitId
    kind: str
    hex: HexId
    turns: int


NEVER = -1
"""No turn at all."""


class Heard(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whose battery fired indirectly from a hex, in which turn last, and in which before that (P44-11.08)."""

    side: SideId
    turn: int
    before: int = NEVER


class Ranging(msgspec.Struct, frozen=True):
    """On which hex a battery fired last, for how many turns running, and whether it was on target (P44-15.03)."""

    hex: HexId
    turns: int
    turn: int
    on_target: bool


class Contact(msgspec.Struct, frozen=True):
    """An enemy that a side remembers where it last saw him, and the turn of that (P44-4.07)."""

    unit: Unit
    turn: int


class Occasion(msgspec.Struct, frozen=True):
    """A mover that gives the enemy an occasion for opportunity fire, and by what (P44-8.03)."""

    unit: UnitId
    manner: str


class Position(msgspec.Struct, frozen=True):
    """Everything on the table at one moment.

    `active` is whose part of a phase it is. `sealed` and `nonces` are the commitments to the plots and what opens them;
    `opened` tells that they are open (P44-5.08). `asking` is the unit whose player is to name a victim (P44-8.01),
    `shot` those that have fired in the phase. `moving` is the unit that moves (P44-12.02), `underway` tells that
    somebody has been ordered to. `heard` tells where batteries fired indirectly, and in which turns (P44-11.08).
    """

    ground: Ground
    turn: int
    units: tuple[Unit, ...]
    step: str = ""
    active: SideId = SideId("")
    plots: tuple[Plot, ...] = ()
    sealed: Mapping[SideId, str] = {}
    nonces: Mapping[SideId, str] = {}
    opened: bool = False
    asking: UnitId = NOBODY
    shot: tuple[UnitId, ...] = ()
    hits: tuple[Hit, ...] = ()
    moving: UnitId = NOBODY
    underway: bool = False
    occasion: Occasion | None = None
    wrecks: tuple[HexId, ...] = ()
    mines: Mapping[HexId, str] = {}
    positions: tuple[HexId, ...] = ()
    works: tuple[Work, ...] = ()
    batteries: tuple[Battery, ...] = ()
    sorties: tuple[Sortie, ...] = ()
    heard: Mapping[HexId, Heard] = {}
    ranging: Mapping[str, Ranging] = {}
    control: Mapping[HexId, SideId] = {}
    contacts: Mapping[UnitId, Contact] = {}
    winner: SideId = SideId("")
    level: str = ""
    reasons: tuple[str, ...] = ()
    derived: Derived = msgspec.field(default_factory=Derived)


@cache
def unseen(id: UnitId, side: SideId) -> Unit:
    """A unit of which a side knows no more than that there is one."""
    return Unit(id, UNKNOWN, side, fate=UNSEEN)
