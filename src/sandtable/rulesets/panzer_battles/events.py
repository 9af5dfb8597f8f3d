"""What can happen on a Panzer Battles table, and who may know of it."""

from __future__ import annotations

from sandtable.kernel.events import DISCERNED, EVERYBODY, REVEALED, Event
from sandtable.kernel.ids import NOWHERE, SPECTATORS, HexId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import PUBLIC_VERSION, public_version
from sandtable.rulesets.panzer_battles.air.events import AirEvent
from sandtable.rulesets.panzer_battles.command.events import CommandEvent
from sandtable.rulesets.panzer_battles.deception.events import DeceptionEvent
from sandtable.rulesets.panzer_battles.engineers.events import EngineerEvent
from sandtable.rulesets.panzer_battles.environment.events import EnvironmentEvent
from sandtable.rulesets.panzer_battles.fire.events import FireEvent
from sandtable.rulesets.panzer_battles.model import Feature, Unit
from sandtable.rulesets.panzer_battles.movement.events import MovementEvent
from sandtable.rulesets.panzer_battles.organization.events import OrganizationEvent
from sandtable.rulesets.panzer_battles.reinforcements.events import ReinforcementEvent
from sandtable.rulesets.panzer_battles.spotting.events import SpottingEvent
from sandtable.rulesets.panzer_battles.supply.events import SupplyEvent


class TurnBegan(Event, frozen=True):
    """A player turn has begun: the clock and how far one sees.

    Rules: PB-TURN-2, PB-TURN-5.
    """

    audience = EVERYBODY

    side: SideId
    turn: int
    minutes: int
    visibility: int


class PointsRestored(Event, frozen=True):
    """The units of a side have their movement points again, and what they did last turn is past (PB-TURN-2)."""

    audience = PUBLIC_VERSION

    side: SideId


class CommandTested(Event, frozen=True):
    """The headquarters of a side have been tested; those named are out of command.

    Rules: PB-CMD-10, PB-CMD-15.
    """

    audience = PUBLIC_VERSION

    side: SideId
    out: tuple[UnitId, ...] = ()


class Recovered(Event, frozen=True):
    """Units of a side have recovered by one step: Broken ones are Disrupted, Disrupted ones in order (PB-CMD-24)."""

    audience = PUBLIC_VERSION

    side: SideId
    units: tuple[UnitId, ...]


class Rested(Event, frozen=True):
    """Units of a side are less tired than they were; `fatigue` is what each has left (PB-FAT-9)."""

    audience = PUBLIC_VERSION

    side: SideId
    units: tuple[UnitId, ...]
    fatigue: tuple[int, ...]


class Concealed(Event, frozen=True):
    """Units are concealed again (PB-SPOT-32)."""

    audience = PUBLIC_VERSION

    units: tuple[UnitId, ...]


class Stepped(Event, frozen=True):
    """A unit has entered a hex from another, its `start`, of its own will or in retreat (PB-ASLT-51); `mp` is what it
    has left (PB-MOVE-1).
    """

    audience = PUBLIC_VERSION

    unit: UnitId
    to: HexId
    mp: int = 0
    concealed: bool = False
    vulnerable: bool = False
    start: HexId = NOWHERE
    retreats: bool = False


class Bumped(Event, frozen=True):
    """A unit met an enemy whom nobody had seen, and stands where it stood; the enemy is revealed (PB-MOVE-14)."""

    audience = PUBLIC_VERSION

    unit: UnitId
    hex: HexId
    mp: int = 0
    revealed: tuple[UnitId, ...] = ()


class MoveStopped(Event, frozen=True):
    """A move ended before its goal, and why; `spent` says that the units have lost what points they had left.

    Rules: PB-MOVE-10, PB-MOVE-11, PB-ZOC-13.
    """

    audience = PUBLIC_VERSION

    side: SideId
    units: tuple[UnitId, ...]
    hex: HexId
    reason: str
    spent: bool = False


class ModeChanged(Event, frozen=True):
    """A unit is in another mode; `by_rail` tells that it boarded a train or left it.

    Rules: PB-MOVE-26, PB-MOVE-30.
    """

    audience = PUBLIC_VERSION

    unit: UnitId
    mode: str
    mp: int = 0
    thirds: int = 0
    by_rail: bool = False

    @property
    def cites(self) -> str:
        """The rule of the change: boarding a train is another matter than marching (PB-MOVE-30)."""
        return "PB-MOVE-30" if self.by_rail else "PB-MOVE-26"


class Fired(Event, frozen=True):
    """A unit fired at another; `lines` are the fire value and the defense.

    Rules: PB-FIRE-57, PB-OPF-8.
    """

    audience = PUBLIC_VERSION

    unit: UnitId
    target: UnitId
    hex: HexId
    start: HexId = NOWHERE
    mp: int = 0
    thirds: int = 0
    opportunity: bool = False
    lines: tuple[Line, ...] = ()


class Struck(Event, frozen=True):
    """What fire did to a unit: its losses, and its state after them. When it was `unseen` its enemy learns nothing but
    that there are new `wrecks`. It `spent` charges, says the rule by which it did.

    Rules: PB-CRT-11, PB-FIRE-62, PB-FIRE-63, PB-UNIT-15.
    """

    # how steady it is comes out by it
    audience = public_version(reveals=True)

    unit: UnitId
    hex: HexId
    lost: int
    strength: int = 0
    fatigue: int = 0
    disrupted: bool = False
    broken: bool = False
    result: str = ""
    kind: str = ""
    side: SideId = SPECTATORS
    unseen: bool = False
    wrecks: int = 0
    spent: str = ""


class AssaultBegun(Event, frozen=True):
    """Units storm a hex: `mp` is what each has left, `revealed` are the defenders they find.

    Rules: PB-ASLT-7, PB-SPOT-31.
    """

    audience = PUBLIC_VERSION

    side: SideId
    units: tuple[UnitId, ...]
    hex: HexId
    mp: tuple[int, ...] = ()
    revealed: tuple[UnitId, ...] = ()


Losses = tuple[tuple[str, int], ...]
"""What is lost, each component by itself: so many men, so many vehicles (PB-FIRE-62)."""


class AssaultDecided(Event, frozen=True):
    """How an assault went, and what it cost both sides.

    Rules: PB-ASLT-42, PB-ASLT-54.
    """

    audience = EVERYBODY

    side: SideId
    hex: HexId
    won: bool
    attackers_lost: Losses = ()
    defenders_lost: Losses = ()


class ObjectiveTaken(Event, frozen=True):
    """An objective has changed hands (PB-VIC-4)."""

    audience = EVERYBODY

    hex: HexId
    side: SideId


class BattleEnded(Event, frozen=True):
    """The battle is over (PB-TURN-10, PB-VIC-11)."""

    audience = REVEALED

    score: int
    level: str


class UnitsSeen(Event, frozen=True):
    """Units as the viewer sees them now; `contacts` are those he did not see before.

    Rules: PB-SPOT-13.
    """

    audience = DISCERNED

    units: tuple[Unit, ...]
    contacts: tuple[UnitId, ...] = ()


class SightLost(Event, frozen=True):
    """Enemies are out of the viewer's sight; he marks where they were (PB-SPOT-20, PB-SPOT-21)."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


class UnknownsSeen(Event, frozen=True):
    """The hexes in which the viewer knows of units and not of what they are (PB-SPOT-17)."""

    audience = DISCERNED

    hexes: tuple[HexId, ...]


class FeaturesSeen(Event, frozen=True):
    """What the viewer knows now of the features in some hexes, hex by hex (PB-SPOT-26)."""

    audience = DISCERNED

    hexes: tuple[HexId, ...]
    features: tuple[tuple[Feature, ...], ...]


class IntelDropped(Event, frozen=True):
    """Markers that tell nothing any more are gone (PB-SPOT-21)."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


AnyEvent = (
    AirEvent
    | FireEvent
    | SpottingEvent
    | TurnBegan
    | CommandTested
    | Recovered
    | Rested
    | PointsRestored
    | Concealed
    | Stepped
    | Bumped
    | MoveStopped
    | ModeChanged
    | Fired
    | Struck
    | AssaultBegun
    | AssaultDecided
    | ObjectiveTaken
    | BattleEnded
    | UnitsSeen
    | SightLost
    | UnknownsSeen
    | FeaturesSeen
    | IntelDropped
    | EngineerEvent
    | ReinforcementEvent
    | OrganizationEvent
    | DeceptionEvent
    | EnvironmentEvent
    | MovementEvent
    | SupplyEvent
    | CommandEvent
)
