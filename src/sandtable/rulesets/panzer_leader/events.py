"""What can happen on a Panzer Leader table, and nothing else can change it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.kernel.events import EVERYBODY, Event
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import OWN_SIDE, PUBLIC_VERSION, WITNESSES, public_version, witnesses
from sandtable.rulesets.panzer_leader.contacts import AccountsKnown as AccountsKnown
from sandtable.rulesets.panzer_leader.contacts import ContactMoved as ContactMoved
from sandtable.rulesets.panzer_leader.contacts import ContactsForgotten as ContactsForgotten
from sandtable.rulesets.panzer_leader.contacts import MovedOutOfSight as MovedOutOfSight
from sandtable.rulesets.panzer_leader.contacts import SightLost as SightLost
from sandtable.rulesets.panzer_leader.contacts import UnitsSighted as UnitsSighted
from sandtable.rulesets.panzer_leader.model import Mission, Mover, Sighting


class StepBegan(Event, frozen=True):
    """A step of the sequence of play has begun; in one that is not `open` the rules do all and nobody decides."""

    audience = PUBLIC_VERSION

    step: str
    side: SideId
    turn: int
    open: bool = True


class SegmentBegan(Event, frozen=True):
    """A player segment has begun: the counts of PL-511 start anew and old sightings and smoke are gone."""

    audience = EVERYBODY

    side: SideId
    turn: int
    segment: int


class SegmentEnded(Event, frozen=True):
    """A player segment is over: its owner's units are face-up again (PL-508)."""

    audience = EVERYBODY

    side: SideId


class UnitPlaced(Event, frozen=True):
    """A unit stands on a hex where it did not walk to."""

    audience = PUBLIC_VERSION

    unit: UnitId
    hex: HexId
    facing: int = 0
    facedown: bool = False


class UnitMoved(Event, frozen=True):
    """A unit has gone along a path; the mover's account is as given. Passengers and riders go with it."""

    audience = PUBLIC_VERSION

    unit: UnitId
    path: tuple[HexId, ...]
    mover: Mover


class MoveEnded(Event, frozen=True):
    """A unit's move is over for this segment."""

    audience = WITNESSES

    unit: UnitId
    why: str = ""


class MoveHalted(Event, frozen=True):
    """In the fog a move halts for a moment: enemies may fire who have watched it, if there are any. Its own side is
    told so whether or not anybody is asked (PL-1507, PL-1601).
    """

    audience = public_version(reveals=True, pauses=True)

    unit: UnitId
    side: SideId


class MoveResumed(Event, frozen=True):
    """The moment is over: nobody could fire, nobody wanted to, or he has fired (PL-1601)."""

    audience = public_version()

    unit: UnitId
    side: SideId


class MoverSet(Event, frozen=True):
    """The account of the moving unit is as given."""

    audience = PUBLIC_VERSION

    mover: Mover


class CrossingTried(Event, frozen=True):
    """A unit tried a stream hex or a cliff side (PL-621, PL-631)."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId
    die: int
    crossed: bool
    rule: str


class UnitExited(Event, frozen=True):
    """A unit has left the map; where that is not allowed it counts as destroyed (PL-1504). `points` are those that the
    way out gives for each unit.
    """

    audience = EVERYBODY

    unit: UnitId
    allowed: bool
    points: int = 0


class UnitLoaded(Event, frozen=True):
    """A passenger is aboard a carrier."""

    audience = witnesses("carrier", "passenger")

    carrier: UnitId
    passenger: UnitId
    mover: Mover | None = None


class UnitUnloaded(Event, frozen=True):
    """A passenger stands in its carrier's hex; `assaults` is the hex it dropped off to assault, if any (PL-1606)."""

    audience = witnesses("carrier", "passenger")

    carrier: UnitId
    passenger: UnitId
    mover: Mover | None = None
    forced: bool = False
    assaults: HexId = NOWHERE


class FortEntered(Event, frozen=True):
    """A unit is inside a fortification."""

    audience = WITNESSES

    unit: UnitId
    fort: UnitId


class FortLeft(Event, frozen=True):
    """A unit stands outside the fortification it was in."""

    audience = WITNESSES

    unit: UnitId
    fort: UnitId


class FortCaptured(Event, frozen=True):
    """An empty fortification has changed hands (PL-1323)."""

    audience = EVERYBODY

    fort: UnitId
    side: SideId


class AttackRolled(Event, frozen=True, kw_only=True):
    """An attack was resolved: who attacked what, at which odds, how the die fell and what the table says.

    `group` is the group of PL-511; firers of a fire attack become `fired`; targets are marked as attacked in the group.
    `unseen` tells the side that attacked that more was attacked than it sees (PL-1507).
    """

    audience = PUBLIC_VERSION

    group: str
    how: str
    attackers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]
    strength: str
    defense: int
    odds: str
    drm: int
    die: int
    result: str
    rule: str
    lines: tuple[Line, ...] = ()
    unseen: bool = False


class AttackFailed(Event, frozen=True):
    """An attack came to nothing because more stands in the hex than its side saw (PL-832, PL-1507)."""

    audience = OWN_SIDE

    side: SideId
    how: str
    attackers: tuple[UnitId, ...]
    hex: HexId


class UnitsFired(Event, frozen=True):
    """These units have fired and are `fired` (PL-504); a close assault gives nobody away (PL-723)."""

    audience = PUBLIC_VERSION

    units: tuple[UnitId, ...]
    closely: bool = False


class UnitDispersed(Event, frozen=True):
    """A unit is dispersed (PL-902)."""

    audience = WITNESSES

    unit: UnitId
    rule: str = "PL-902"


class UnitRecovered(Event, frozen=True):
    """A dispersed unit turns face-up with its side's segment that ends now (PL-905)."""

    audience = WITNESSES

    unit: UnitId
    rule: str = "PL-905"


class UnitDestroyed(Event, frozen=True):
    """A unit is removed (PL-901); `wreck` is the hex in which it leaves one, if any (PL-908)."""

    audience = EVERYBODY

    unit: UnitId
    wreck: HexId = NOWHERE
    rule: str = "PL-901"


class Sighted(Event, frozen=True):
    """Units that fired are marked as spotted by those who saw them (PL-722)."""

    audience = PUBLIC_VERSION

    sightings: tuple[Sighting, ...]


class MissionWritten(Event, frozen=True):
    """A mission stands in the side's secret notes (PL-1102)."""

    audience = PUBLIC_VERSION

    mission: Mission


class MissionStruck(Event, frozen=True):
    """A mission was struck out of the side's secret notes before anybody acted on it (PL-1102)."""

    audience = OWN_SIDE

    side: SideId
    mission: Mission


class MissionFired(Event, frozen=True):
    """A due mission came down on its hex, beside it or nowhere (PL-1105); who fired it is struck from the notes."""

    audience = PUBLIC_VERSION

    mission: Mission
    hex: HexId
    scattered: bool = False
    die: int = 0


class MissionsEnded(Event, frozen=True):
    """The due missions of a side that were not carried out can't be any more (PL-1104)."""

    audience = OWN_SIDE

    side: SideId


class HexShelled(Event, frozen=True):
    """Indirect fire has hit a hex this segment (PL-804); `in_vain` when it attacked nobody there (PL-1107), which whose
    fire it is is told.
    """

    audience = PUBLIC_VERSION

    hex: HexId
    in_vain: bool = False


class SmokeLaid(Event, frozen=True):
    """Smoke lies in a hex through the given segment (PL-1609)."""

    audience = EVERYBODY

    hex: HexId
    until: int


class NavalSpent(Event, frozen=True):
    """A side has used naval points (PL-1121)."""

    audience = EVERYBODY

    side: SideId
    points: int


class NavalRefilled(Event, frozen=True):
    """The naval points of a turn are as given."""

    audience = EVERYBODY

    points: Mapping[SideId, int]


class AircraftFlew(Event, frozen=True):
    """An aircraft is over a hex."""

    audience = EVERYBODY

    aircraft: UnitId
    hex: HexId


class AircraftShotAt(Event, frozen=True):
    """Anti-aircraft fire was resolved; the result is "X", "abort" or "-" (PL-1207)."""

    audience = PUBLIC_VERSION

    aircraft: UnitId
    firers: tuple[UnitId, ...]
    strength: int
    die: int
    result: str


class AircraftAttacked(Event, frozen=True):
    """Aircraft have used weapons on a hex: each is (aircraft, weapon)."""

    audience = EVERYBODY

    used: tuple[tuple[UnitId, str], ...]
    hex: HexId = NOWHERE


class AirPhaseEnded(Event, frozen=True):
    """A side's fighter-bombers are off the map until its next air phase; observers stay over their hexes (PL-1206)."""

    audience = EVERYBODY

    side: SideId


class WorkBegan(Event, frozen=True):
    """A unit has a task in hand, after so many failures at it; it counts from the given segment on."""

    audience = WITNESSES

    unit: UnitId
    task: str
    hex: HexId
    tries: int = 0
    since: int = 0


class WorkAdvanced(Event, frozen=True):
    """A task is at a stage, after so many failures at it; the next one counts from the given segment on."""

    audience = WITNESSES

    unit: UnitId
    stage: int
    tries: int = 0
    since: int = 0


class WorkEnded(Event, frozen=True):
    """A unit's task is over, done or given up; `die` is 0 when none was rolled."""

    audience = WITNESSES

    unit: UnitId
    task: str
    done: bool
    die: int = 0


class MineLaid(Event, frozen=True):
    """A minefield lies in a hex, turned over when an engineer is lifting it."""

    audience = PUBLIC_VERSION

    hex: HexId
    flipped_by: UnitId = NOBODY


class MineLifted(Event, frozen=True):
    """A minefield is gone."""

    audience = EVERYBODY

    hex: HexId


class BlockPlaced(Event, frozen=True):
    """A block lies in a hex."""

    audience = PUBLIC_VERSION

    hex: HexId
    by: UnitId = NOBODY


class BlockRemoved(Event, frozen=True):
    """A block is gone."""

    audience = EVERYBODY

    hex: HexId


class BridgeDestroyed(Event, frozen=True):
    """A bridge is down and its hex is a stream (PL-1331)."""

    audience = EVERYBODY

    hex: HexId


class BridgeLaid(Event, frozen=True):
    """A tank bridge, which is the given reserve unit, lies in a stream hex (PL-1333)."""

    audience = EVERYBODY

    unit: UnitId
    hex: HexId
    side: SideId


class FacingSet(Event, frozen=True):
    """A gun points in a direction (PL-1608)."""

    audience = WITNESSES

    unit: UnitId
    facing: int


class UnitRevealed(Event, frozen=True):
    """A face-down landing unit shows what it is (PL-1401)."""

    audience = witnesses("unit", reveals=True)

    unit: UnitId
    kind: str = ""
    name: str = ""


class UnitLanded(Event, frozen=True):
    """A unit has come ashore, and units that were ashore before it may not move any more in this step (PL-1404)."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId


class ControlTaken(Event, frozen=True):
    """A hex belongs to a side (PL-1502); under fog its enemy learns it when he sees who took it (PL-1507)."""

    audience = PUBLIC_VERSION

    hex: HexId
    side: SideId


class DieCast(Event, frozen=True):
    """A die that is no attack: survival at sea, quick-time, a charge."""

    audience = WITNESSES

    what: str
    die: int
    passed: bool
    rule: str
    unit: UnitId = NOBODY
    hex: HexId = NOWHERE


class BattleEnded(Event, frozen=True):
    """The last turn is over."""

    audience = EVERYBODY

    scores: Mapping[SideId, int] = msgspec.field(default_factory=dict)


AnyEvent = (
    StepBegan
    | SegmentBegan
    | SegmentEnded
    | UnitPlaced
    | UnitMoved
    | MoveEnded
    | MoveHalted
    | MoveResumed
    | MoverSet
    | CrossingTried
    | UnitExited
    | UnitLoaded
    | UnitUnloaded
    | FortEntered
    | FortLeft
    | FortCaptured
    | AttackRolled
    | AttackFailed
    | UnitsFired
    | UnitDispersed
    | UnitRecovered
    | UnitDestroyed
    | Sighted
    | MissionWritten
    | MissionStruck
    | MissionFired
    | MissionsEnded
    | HexShelled
    | SmokeLaid
    | NavalSpent
    | NavalRefilled
    | AircraftFlew
    | AircraftShotAt
    | AircraftAttacked
    | AirPhaseEnded
    | WorkBegan
    | WorkAdvanced
    | WorkEnded
    | MineLaid
    | MineLifted
    | BlockPlaced
    | BlockRemoved
    | BridgeDestroyed
    | BridgeLaid
    | FacingSet
    | UnitRevealed
    | UnitLanded
    | ControlTaken
    | DieCast
    | ContactMoved
    | MovedOutOfSight
    | UnitsSighted
    | SightLost
    | ContactsForgotten
    | AccountsKnown
    | BattleEnded
)
