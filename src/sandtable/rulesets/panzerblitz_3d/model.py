"""What lies on a 3D PanzerBlitz table: units, batteries off the map, notes, markers and the ground they stand on.

Everything here is frozen; mappings are never changed in place. Movement points are counted in halves (PB3-602).

Rules: PB3-101, PB3-103.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.play.derived import Derived
from sandtable.rulesets.panzerblitz_3d.ground import Ground
from sandtable.rulesets.panzerblitz_3d.kinds import UNKNOWN

GERMAN = SideId("german")
RUSSIAN = SideId("russian")
SIDES = (GERMAN, RUSSIAN)
NO_SIDE = SideId("")
"""Nobody's: the side on turn while nobody is, and that of mines."""

# Where a unit off the table is.
IN_PLAY, RESERVE, DESTROYED, EXITED, UNSEEN = "", "reserve", "destroyed", "exited", "unseen"

# The kinds of attack; a defender is attacked at most once in each of the first three per player turn.
FIRE, OVERRUN, ASSAULT, OPPORTUNITY, ARTILLERY, MINE = "fire", "overrun", "assault", "opportunity", "artillery", "mine"


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One counter: where it is and what has become of it.

    `attacked` names the kinds of attack it has met in this player turn; `unloaded` tells that it was set down in it,
    `mined` that it has run onto mines; `assaults` is the overrun hex that a rider who dropped off may assault; `worth`
    are the points of the way by which it left the map.

    Rules: PB3-103, PB3-802, PB3-905, PB3-1005, PB3-1021, PB3-1301, PB3-1606, PB3-1608.
    """

    id: UnitId
    kind: str
    side: SideId
    hex: HexId = NOWHERE
    fate: str = IN_PLAY
    fired: bool = False
    moved: bool = False
    of_assigned: bool = False
    of_used: bool = False
    dispersed: bool = False
    served: bool = False
    unloaded: bool = False
    mined: bool = False
    attacked: tuple[str, ...] = ()
    assaults: HexId = NOWHERE
    carrier: UnitId = NOBODY
    fort: UnitId = NOBODY
    observer: bool = False
    name: str = ""
    worth: int = 0


class BatteryState(msgspec.Struct, frozen=True, gc=False):
    """A battery off the map and the fire missions it has left (PB3-305)."""

    id: int
    kind: str
    side: SideId
    missions: int
    name: str = ""


class Plot(msgspec.Struct, frozen=True, gc=False):
    """A secret note: a battery is to fire at a hex in this game turn (PB3-502)."""

    battery: int
    hex: HexId


class Shot(msgspec.Struct, frozen=True, gc=False):
    """A designated target: these units fire together at those of a hex (PB3-505, PB3-508)."""

    firers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]


class Mover(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The unit that is moving now: where it started, what it has spent, and how long each enemy has watched it.

    `on_road` tells that it has used the road rate, after which it can't overrun any more.

    Rules: PB3-603, PB3-1002, PB3-1102, PB3-1103.
    """

    unit: UnitId
    start: HexId
    spent: int = 0
    hexes: int = 0
    exposure: Mapping[UnitId, int] = {}
    on_road: bool = False


class Contact(msgspec.Struct, frozen=True):
    """An enemy out of sight as he was when a side last saw him, and the turn of that (PB3-1303)."""

    unit: Unit
    turn: int


class Position(msgspec.Struct, frozen=True):
    """Everything on the table and in the notes at one moment. `contacts` are a side's memory: in the truth there are
    none. `winner` has won the initiative, `first` is the first player of the game turn, `phasing` the side on turn.
    """

    ground: Ground
    turn: int
    units: tuple[Unit, ...]
    winner: SideId = NO_SIDE
    first: SideId = NO_SIDE
    phasing: SideId = NO_SIDE
    batteries: tuple[BatteryState, ...] = ()
    plots: tuple[Plot, ...] = ()
    assigned: tuple[UnitId, ...] = ()
    sealed: tuple[SideId, ...] = ()
    shots: tuple[Shot, ...] = ()
    barrages: tuple[HexId, ...] = ()
    mines: tuple[HexId, ...] = ()
    blocks: tuple[HexId, ...] = ()
    wrecks: Mapping[HexId, int] = {}
    control: Mapping[HexId, SideId] = {}
    mover: Mover | None = None
    contacts: Mapping[UnitId, Contact] = {}
    scores: Mapping[SideId, int] = {}
    step: str = "setup"
    over: bool = False
    derived: Derived = msgspec.field(default_factory=Derived)

    def unit(self, id: UnitId) -> Unit:
        return self.units[id]


@cache
def unseen(id: UnitId, side: SideId) -> Unit:
    """A unit of which a side knows no more than that there is one; always the same, so that it counts as unchanged."""
    return Unit(id, UNKNOWN, side, fate=UNSEEN)
