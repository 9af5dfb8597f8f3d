"""What lies on a Panzer Leader table: units, aircraft, markers and the ground they stand on.

Everything here is frozen; mappings are never changed in place. Movement points are counted in halves (PL-603).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer_leader.ground import Ground
from sandtable.rulesets.panzer_leader.kinds import UNKNOWN

ALLIED = SideId("allied")
GERMAN = SideId("german")
SIDES = (ALLIED, GERMAN)

# The groups of PL-511: a defender may be attacked once in each of them per segment.
MINE, FIRE, AIR, OVERRUN, ASSAULT = "mine", "fire", "air", "overrun", "assault"

# Where a unit off the table is.
IN_PLAY, RESERVE, DESTROYED, EXITED, UNSEEN = "", "reserve", "destroyed", "exited", "unseen"


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One counter: where it is and what has become of it.

    `dispersed` is the number of the segment in which it was dispersed, 0 when it is not (PL-105 keeps it apart from
    `fired`; PL-903 needs to know when). `attacked` names the groups of PL-511 in which it was attacked this segment.
    `last_fired` is the number of the segment in which it last fired from where it stands, 0 for never (PL-1206).
    `assaults` is the overrun hex that a rider who dropped off beside it may close assault in this segment, although
    it was transported (PL-1606). `worth` are the points of the way by which it left the map.

    Rules: PL-105, PL-511, PL-1501.
    """

    id: UnitId
    kind: str
    side: SideId
    hex: HexId = NOWHERE
    fate: str = IN_PLAY
    fired: bool = False
    dispersed: int = 0
    attacked: tuple[str, ...] = ()
    moved: bool = False
    transported: bool = False
    carrier: UnitId = NOBODY
    fort: UnitId = NOBODY
    facing: int = 0
    facedown: bool = False
    name: str = ""
    last_fired: int = 0
    assaults: HexId = NOWHERE
    worth: int = 0

    @property
    def is_inverted(self) -> bool:
        """Whether the counter lies inverted (PL-105)."""
        return self.fired or self.dispersed > 0


class Aircraft(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One aircraft: its load, what is left of it, and where it is in this air phase.

    `attacked` is the hex it has attacked in this air phase; `flown` and `shot_at` are the segments in which it last
    flew and was last fired at; `turn` is the one from which it can be used.

    Rules: PL-308, PL-1205.
    """

    id: UnitId
    kind: str
    side: SideId
    ordnance: str = ""
    strafes: int = 4
    hex: HexId = NOWHERE
    fate: str = IN_PLAY
    attacked: HexId = NOWHERE
    flown: int = 0
    shot_at: int = 0
    turn: int = 1


class Mission(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A written order for indirect fire, secret until it is resolved.

    `due` is the segment in which it comes down; `naval` the attack points of a naval lot, 0 for batteries. `observers`
    are aircraft that spot for it. A mission that was not carried out stays in the notes, `held`, to the end of its
    segment, because its batteries may not do anything else in it (PL-1104).

    Rules: PL-1102, PL-1105, PL-1121, PL-1609.
    """

    side: SideId
    firers: tuple[UnitId, ...]
    hex: HexId
    spotters: tuple[UnitId, ...]
    written: int
    due: int
    smoke: bool = False
    naval: int = 0
    observers: tuple[UnitId, ...] = ()
    held: bool = False


class Sighting(msgspec.Struct, frozen=True, gc=False):
    """A unit that gave itself away by firing, and the enemies who saw it and still watch it.

    Rules: PL-722, PL-723.
    """

    unit: UnitId
    hex: HexId
    segment: int
    witnesses: tuple[UnitId, ...]


class Work(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A task that engineers have in hand: how far it is and what it waits for.

    `since` is the first segment whose movement phase can count toward the next stage.

    Rules: PL-1304, PL-1305, PL-1311, PL-1331, PL-1332, PL-1333.
    """

    unit: UnitId
    task: str
    hex: HexId
    stage: int = 0
    tries: int = 0
    since: int = 0


class Mine(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A minefield; `flipped_by` is the engineer unit that is lifting it.

    Rules: PL-1301, PL-1304.
    """

    hex: HexId
    flipped_by: UnitId = NOBODY


class Mover(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The unit that is moving now: where it started, what it has spent, and how long each enemy has watched it.

    `handled` is "first" when it loaded or unloaded before it moved and "last" when it did so after. `dropped` is the
    passenger it set down where it stands now. `on_road` tells that it has used the road rate.

    Rules: PL-601, PL-642, PL-643, PL-1003, PL-1601, PL-1602.
    """

    unit: UnitId
    start: HexId
    spent: int = 0
    hexes: int = 0
    handled: str = ""
    exposure: Mapping[UnitId, int] = {}
    gait: str = ""
    on_road: bool = False
    dropped: UnitId = NOBODY


class Contact(msgspec.Struct, frozen=True):
    """An enemy out of sight as he was when a side last saw him, and the turn of that.

    Rules: PL-1507.
    """

    unit: Unit
    turn: int


class Position(msgspec.Struct, frozen=True):
    """Everything on the table at one moment. `contacts` are a side's memory: in the truth there are none."""

    ground: Ground
    turn: int
    segment: int
    phasing: SideId
    units: tuple[Unit, ...]
    aircraft: tuple[Aircraft, ...] = ()
    mines: Mapping[HexId, Mine] = {}
    blocks: tuple[HexId, ...] = ()
    wrecks: Mapping[HexId, int] = {}
    bridges_down: tuple[HexId, ...] = ()
    smoke: Mapping[HexId, int] = {}
    control: Mapping[HexId, SideId] = {}
    missions: tuple[Mission, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    works: tuple[Work, ...] = ()
    block_builders: tuple[UnitId, ...] = ()
    shelled: tuple[HexId, ...] = ()
    naval: Mapping[SideId, int] = {}
    mover: Mover | None = None
    landed: tuple[UnitId, ...] = ()
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
