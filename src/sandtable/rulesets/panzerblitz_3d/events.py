"""What can happen on a 3D PanzerBlitz table, and nothing else can change it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.kernel.events import DISCERNED, EVERYBODY, Event
from sandtable.kernel.ids import NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import OWN_SIDE, PUBLIC_VERSION, WITNESSES, public_version, witnesses
from sandtable.rulesets.panzerblitz_3d.model import Mover, Shot, Unit


class TurnBegan(Event, frozen=True):
    """A game turn has begun: what units did in the last one is forgotten, and its barrages have lifted."""

    audience = EVERYBODY

    turn: int


class InitiativeRolled(Event, frozen=True):
    """Both sides have rolled; the winner is nobody on a tie (PB3-501)."""

    audience = EVERYBODY

    german: int
    russian: int
    winner: SideId


class FirstChosen(Event, frozen=True):
    """The winner of the initiative has said who is first player (PB3-501)."""

    audience = EVERYBODY

    side: SideId


class StepBegan(Event, frozen=True):
    """A step of the sequence of play has begun; `side` is whose it is, nobody's when both decide or nobody does."""

    audience = EVERYBODY

    step: str
    side: SideId
    turn: int


class PlayerTurnBegan(Event, frozen=True):
    """A player turn has begun (PB3-505, PB3-506)."""

    audience = EVERYBODY

    side: SideId
    turn: int


class PlayerTurnEnded(Event, frozen=True):
    """A player turn is over: the dispersed units of its owner have served (PB3-905)."""

    audience = EVERYBODY

    side: SideId


class TurnEnded(Event, frozen=True):
    """A game turn is over: dispersed units that have served recover (PB3-507, PB3-905)."""

    audience = EVERYBODY

    turn: int


class UnitPlaced(Event, frozen=True):
    """A unit stands on a hex where it did not walk to."""

    audience = PUBLIC_VERSION

    unit: UnitId
    hex: HexId


class PlotWritten(Event, frozen=True):
    """A battery's target stands in the side's secret notes (PB3-502)."""

    audience = OWN_SIDE

    side: SideId
    battery: int
    hex: HexId


class PlotStruck(Event, frozen=True):
    """A battery's target is struck from the notes."""

    audience = OWN_SIDE

    side: SideId
    battery: int


class Assigned(Event, frozen=True):
    """Units stand in the side's notes for opportunity fire (PB3-503)."""

    audience = OWN_SIDE

    side: SideId
    units: tuple[UnitId, ...]


class Unassigned(Event, frozen=True):
    """Units are struck from the notes for opportunity fire."""

    audience = OWN_SIDE

    side: SideId
    units: tuple[UnitId, ...]


class NotesSealed(Event, frozen=True):
    """A side writes nothing more in this step."""

    audience = OWN_SIDE

    side: SideId


class AssignmentsRevealed(Event, frozen=True):
    """The units of both sides that may fire at opportunity in this game turn are laid open (PB3-503)."""

    audience = public_version(reveals=True)

    units: tuple[UnitId, ...]


class BatteryFired(Event, frozen=True):
    """A battery has fired: on the plotted hex, scattered, off the map or nowhere (PB3-1202 to PB3-1205).

    `seen` tells that an observer saw the plotted hex; `dice` are those of the scatter table, none when it was seen. The
    enemy is told no more than where it fell.
    """

    audience = PUBLIC_VERSION

    battery: int
    plotted: HexId
    hex: HexId
    seen: bool
    dice: tuple[int, ...] = ()
    rule: str = "PB3-1203"


class HexShelled(Event, frozen=True):
    """Artillery has fallen in a hex, which blocks lines of sight for the rest of the game turn (PB3-708)."""

    audience = EVERYBODY

    hex: HexId


class ShotDesignated(Event, frozen=True):
    """A target is designated (PB3-505)."""

    audience = OWN_SIDE

    side: SideId
    shot: Shot


class ShotStruck(Event, frozen=True):
    """A designated target is struck out."""

    audience = OWN_SIDE

    side: SideId
    unit: UnitId


class ShotLost(Event, frozen=True):
    """A designated target was gone before the fire came, and the shot is lost (PB3-508)."""

    audience = OWN_SIDE

    side: SideId
    firers: tuple[UnitId, ...]
    hex: HexId
    rule: str = "PB3-508"


class AttackRolled(Event, frozen=True, kw_only=True):
    """An attack was resolved: who attacked what, at which odds, how the die fell and what the table says.

    `side` is the attacker, nobody for mines.
    """

    audience = PUBLIC_VERSION

    side: SideId
    how: str
    attackers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]
    strength: int
    defense: int
    odds: str
    drm: int
    die: int
    result: str
    rule: str
    lines: tuple[Line, ...] = ()


class AttackFailed(Event, frozen=True):
    """An attack came to nothing because what is in the hex proved too strong (PB3-811, PB3-1207)."""

    audience = PUBLIC_VERSION

    side: SideId
    how: str
    attackers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]
    rule: str = "PB3-811"


class UnitsFired(Event, frozen=True):
    """These units have fired or assaulted in this game turn (PB3-801)."""

    audience = PUBLIC_VERSION

    units: tuple[UnitId, ...]
    at_opportunity: bool = False


class UnitDispersed(Event, frozen=True):
    """A unit is dispersed and has lost its opportunity fire (PB3-902, PB3-906)."""

    audience = WITNESSES

    unit: UnitId
    rule: str = "PB3-902"


class UnitDestroyed(Event, frozen=True):
    """A unit is removed (PB3-901); `wreck` is the hex in which it leaves one, if any (PB3-403)."""

    audience = EVERYBODY

    unit: UnitId
    wreck: HexId = NOWHERE
    rule: str = "PB3-901"


class UnitMoved(Event, frozen=True):
    """A unit has gone along a path; the mover's account is as given. Passengers and riders go with it."""

    audience = PUBLIC_VERSION

    unit: UnitId
    path: tuple[HexId, ...]
    mover: Mover


class MoveEnded(Event, frozen=True):
    """A unit's move is over for this player turn."""

    audience = WITNESSES

    unit: UnitId
    why: str = ""


class MoveHalted(Event, frozen=True):
    """In the fog a move halts for a moment: enemies may fire who have watched it, if there are any. Its own side is
    told so whether or not anybody is asked (PB3-1104, PB3-1303).
    """

    audience = public_version(reveals=True, pauses=True)

    unit: UnitId
    side: SideId


class MoveResumed(Event, frozen=True):
    """The moment is over: nobody could fire, nobody wanted to, or he has fired (PB3-1104)."""

    audience = public_version()

    unit: UnitId
    side: SideId


class UnitExited(Event, frozen=True):
    """A unit has left the map; where that is not allowed it counts as destroyed (PB3-1301). `points` are those that the
    way out gives for each unit.
    """

    audience = EVERYBODY

    unit: UnitId
    allowed: bool
    points: int = 0


class UnitLoaded(Event, frozen=True):
    """A passenger is aboard a carrier, and both have spent their player turn on it (PB3-622)."""

    audience = witnesses("carrier", "passenger")

    carrier: UnitId
    passenger: UnitId


class UnitUnloaded(Event, frozen=True):
    """A passenger stands in its carrier's hex; `assaults` is the hex it dropped off to assault, if any (PB3-1608)."""

    audience = witnesses("carrier", "passenger")

    carrier: UnitId
    passenger: UnitId
    forced: bool = False
    assaults: HexId = NOWHERE


class FortEntered(Event, frozen=True):
    """A unit is inside a fort."""

    audience = WITNESSES

    unit: UnitId
    fort: UnitId


class FortLeft(Event, frozen=True):
    """A unit stands outside the fort it was in."""

    audience = WITNESSES

    unit: UnitId
    fort: UnitId


class MineEntered(Event, frozen=True):
    """A unit has run onto mines: it stops and may not attack in this player turn (PB3-1606)."""

    audience = WITNESSES

    unit: UnitId


class ControlTaken(Event, frozen=True):
    """A hex is held by a side (PB3-1302); under fog its enemy learns it when he sees who took it (PB3-1303)."""

    audience = PUBLIC_VERSION

    hex: HexId
    side: SideId


class ContactMoved(Event, frozen=True):
    """An enemy has come into a side's sight along the path it saw of his move (PB3-1303)."""

    audience = DISCERNED

    unit: Unit
    path: tuple[HexId, ...]
    mover: Mover


class UnitsSighted(Event, frozen=True):
    """Units that a side could not see, or not as they are, are in its sight (PB3-1303); `contacts` are those among them
    that it did not see before.
    """

    audience = DISCERNED

    units: tuple[Unit, ...]
    contacts: tuple[UnitId, ...] = ()


class SightLost(Event, frozen=True):
    """Units that a side saw are out of its sight; it remembers where they were (PB3-1303)."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


class ContactsForgotten(Event, frozen=True):
    """Where a side last saw these units it sees nobody now (PB3-1303)."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


class AccountsKnown(Event, frozen=True):
    """What a side knows of a move and of ground has changed with what it sees (PB3-1303)."""

    audience = DISCERNED

    mover: Mover | msgspec.UnsetType | None = msgspec.UNSET
    control: Mapping[HexId, SideId] | msgspec.UnsetType = msgspec.UNSET


class BattleEnded(Event, frozen=True):
    """The last turn is over."""

    audience = EVERYBODY

    scores: Mapping[SideId, int] = msgspec.field(default_factory=dict)


AnyEvent = (
    TurnBegan
    | InitiativeRolled
    | FirstChosen
    | StepBegan
    | PlayerTurnBegan
    | PlayerTurnEnded
    | TurnEnded
    | UnitPlaced
    | PlotWritten
    | PlotStruck
    | Assigned
    | Unassigned
    | NotesSealed
    | AssignmentsRevealed
    | BatteryFired
    | HexShelled
    | ShotDesignated
    | ShotStruck
    | ShotLost
    | AttackRolled
    | AttackFailed
    | UnitsFired
    | UnitDispersed
    | UnitDestroyed
    | UnitMoved
    | MoveEnded
    | MoveHalted
    | MoveResumed
    | UnitExited
    | UnitLoaded
    | UnitUnloaded
    | FortEntered
    | FortLeft
    | MineEntered
    | ControlTaken
    | ContactMoved
    | UnitsSighted
    | SightLost
    | ContactsForgotten
    | AccountsKnown
    | BattleEnded
)
