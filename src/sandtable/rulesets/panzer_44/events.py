"""What can happen, each with who may know of it. Without fog of war only plots are kept from the enemy.

Rules: P44-4.07, P44-5.08.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType

from sandtable.kernel.events import DISCERNED, EVERYBODY, Event
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import OWN_SIDE, PUBLIC_VERSION, WITNESSES, public_version
from sandtable.rulesets.panzer_44.model import Hit, Occasion, Plot, Ranging, Unit, Work

# --- the turn -------------------------------------------------------------------------------------------------------


class TurnBegan(Event, frozen=True):
    """A Game-Turn has begun (P44-5.01)."""

    audience = EVERYBODY

    turn: int
    side: SideId


class StepBegan(Event, frozen=True):
    """A step of the turn has begun, or a side's part of one."""

    audience = EVERYBODY

    step: str
    side: SideId = SideId("")


class TurnEnded(Event, frozen=True):
    """Panic is over, and so are the orders of the turn (P44-6.07)."""

    audience = EVERYBODY


class BattleEnded(Event, frozen=True):
    """The battle is decided (P44-14.02)."""

    audience = EVERYBODY

    winner: SideId
    level: str
    reasons: tuple[str, ...]


class UnitPlaced(Event, frozen=True):
    """A unit was set up in a hex."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId


# --- plots ----------------------------------------------------------------------------------------------------------


class Plotted(Event, frozen=True):
    """An order was written down, in place of what the unit or support had before."""

    audience = OWN_SIDE

    side: SideId
    plot: Plot


class Unplotted(Event, frozen=True):
    """An order was struck out."""

    audience = OWN_SIDE

    side: SideId
    unit: UnitId = NOBODY
    support: str = ""


class PlotSealed(Event, frozen=True):
    """A side has committed itself to its plot (P44-5.08)."""

    audience = OWN_SIDE

    side: SideId
    commitment: str
    nonce: str


class PlotsOpened(Event, frozen=True):
    """Both plots are open and have been checked against their commitments; what was not lawful is no order."""

    audience = public_version(reveals=True)

    plots: tuple[Plot, ...]
    commitments: Mapping[SideId, str]
    nonces: Mapping[SideId, str]


class OrderVoid(Event, frozen=True):
    """A plotted order was not lawful, or does not match its commitment, and is no order (P44-5.08)."""

    audience = OWN_SIDE

    side: SideId
    plot: Plot
    reason: str
    rule: RuleId


# --- panic ----------------------------------------------------------------------------------------------------------


class DigitsDrawn(Event, frozen=True):
    """The digits that make units of a side or group panic in this turn (P44-6.03)."""

    audience = EVERYBODY

    side: SideId
    group: str
    digits: tuple[int, ...]


class Panicked(Event, frozen=True):
    """A unit has panicked: its order is cancelled, and it freezes or bolts; `roll` is 0 where none was made."""

    audience = WITNESSES

    unit: UnitId
    roll: int
    panic: str


class Steadied(Event, frozen=True):
    """A unit that was to bolt was pinned or disrupted, and stays where it is (P44-6.06)."""

    audience = WITNESSES

    unit: UnitId


class BoltRolled(Event, frozen=True):
    """The direction in which a unit bolts."""

    audience = WITNESSES

    unit: UnitId
    roll: int


# --- fire and its results -------------------------------------------------------------------------------------------


class VictimAsked(Event, frozen=True):
    """A side is to name whom its unit fires at (P44-8.01)."""

    audience = PUBLIC_VERSION

    side: SideId
    unit: UnitId


class FireWasted(Event, frozen=True):
    """A unit's fire hit nobody: no lawful target was in its hex (P44-8.01, P44-8.10)."""

    audience = PUBLIC_VERSION

    side: SideId
    unit: UnitId
    hex: HexId


class AttackRolled(Event, frozen=True):
    """One attack: who or what attacked whom, the die, the column, and the result; `manner` says how."""

    audience = PUBLIC_VERSION

    manner: str
    target: UnitId
    roll: int
    reduction: int
    column: int
    result: str
    rule: RuleId
    attacker: UnitId = NOBODY
    lines: tuple[Line, ...] = ()


class HitsApplied(Event, frozen=True):
    """All of direct fire is resolved; its results follow (P44-5.10)."""

    audience = EVERYBODY


class Pinned(Event, frozen=True):
    audience = WITNESSES

    unit: UnitId


class PanicDelayed(Event, frozen=True):
    """A unit will panic in the next Panic Determination Phase (P44-10.02)."""

    audience = WITNESSES

    unit: UnitId


class Disrupted(Event, frozen=True):
    """A unit is disrupted to a level (P44-10.03, P44-10.05)."""

    audience = WITNESSES

    unit: UnitId
    level: int


class Destroyed(Event, frozen=True):
    """A unit is gone, and its passenger with it; a vehicle leaves a wreck in the hex (P44-10.04). Losses are public."""

    audience = EVERYBODY

    unit: UnitId
    hex: HexId
    wreck: bool


class PinRemoved(Event, frozen=True):
    audience = WITNESSES

    unit: UnitId


class RecoveryRolled(Event, frozen=True):
    """A disrupted unit tried to recover (P44-10.08)."""

    audience = WITNESSES

    unit: UnitId
    roll: int
    recovered: bool


# --- movement -------------------------------------------------------------------------------------------------------


class MoveBegan(Event, frozen=True):
    """It is this unit that moves now (P44-12.02)."""

    audience = WITNESSES

    unit: UnitId


class Moved(Event, frozen=True):
    """A unit has entered a hex from another, its `start`, and its passenger with it; `spent` is all it has paid in this
    turn. Who did not see it before it came is not told where it set out.
    """

    audience = public_version()

    unit: UnitId
    hex: HexId
    spent: int
    start: HexId = NOWHERE


class MoveHalted(Event, frozen=True):
    """A mover is where enemies may fire at it, whether any does or not."""

    audience = public_version(reveals=True, pauses=True)

    unit: UnitId
    side: SideId


class Barred(Event, frozen=True):
    """A unit could not go on: enemies that it had not seen are in the hex."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId


class OccasionGiven(Event, frozen=True):
    """A side may fire on opportunity at a mover (P44-8.03)."""

    audience = PUBLIC_VERSION

    side: SideId
    unit: UnitId
    manner: str


class OpportunityTaken(Event, frozen=True):
    """A unit has used its opportunity fire (P44-8.03)."""

    audience = WITNESSES

    unit: UnitId


class OverrunMade(Event, frozen=True):
    """A unit drives at the enemies in a hex (P44-12.04)."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId


class MoveSpent(Event, frozen=True):
    """A unit's move is over (P44-12.05)."""

    audience = WITNESSES

    unit: UnitId


class Loaded(Event, frozen=True):
    audience = WITNESSES

    unit: UnitId
    passenger: UnitId
    spent: int


class Unloaded(Event, frozen=True):
    audience = WITNESSES

    unit: UnitId
    passenger: UnitId
    spent: int


class LeftMap(Event, frozen=True):
    """A unit has left the map at an exit, its passenger with it (P44-12.07)."""

    audience = EVERYBODY

    unit: UnitId
    hex: HexId


class GroundTaken(Event, frozen=True):
    """A hex that counts has changed hands; everybody hears of that (P44-14.02)."""

    audience = EVERYBODY

    hex: HexId
    side: SideId


# --- works ----------------------------------------------------------------------------------------------------------


class WorkAdvanced(Event, frozen=True):
    """Engineers have worked for so many turns running (P44-13.05, P44-13.07)."""

    audience = PUBLIC_VERSION

    side: SideId
    work: Work


class WorkEnded(Event, frozen=True):
    """Engineers have left their work, or finished it."""

    audience = PUBLIC_VERSION

    side: SideId
    unit: UnitId


class MinesLowered(Event, frozen=True):
    """The mines of a hex are a grade weaker, or gone."""

    audience = EVERYBODY

    hex: HexId
    grade: str


class PositionBuilt(Event, frozen=True):
    audience = EVERYBODY

    hex: HexId


# --- indirect fire and air --------------------------------------------------------------------------------------------


class ShellsFell(Event, frozen=True):
    """Indirect fire has come down: aimed at a hex, it fell on another or off the map (0).

    `origin` is the hex of a battery on the map, which everybody hears (P44-11.08); the enemy is not told at what it
    was aimed, nor the dice.
    """

    audience = PUBLIC_VERSION

    side: SideId
    pattern: str
    hex: HexId
    unit: UnitId = NOBODY
    support: str = ""
    origin: HexId = NOWHERE
    aimed: HexId = NOWHERE
    observed: bool = False
    accuracy: int = 0
    roll: int = 0
    direction: int = 0


class RangedIn(Event, frozen=True):
    """How well a battery has ranged in (P44-15.03)."""

    audience = PUBLIC_VERSION

    side: SideId
    battery: str
    ranging: Ranging


class SortieFlown(Event, frozen=True):
    """An aircraft attacked a hex or was driven off (P44-11.10)."""

    audience = EVERYBODY

    side: SideId
    support: str
    hex: HexId
    roll: int
    attacks: bool
    flak: bool


class SortieHeld(Event, frozen=True):
    """An aircraft saw nobody to mark its target, and comes again (P44-11.10)."""

    audience = PUBLIC_VERSION

    side: SideId
    support: str
    hex: HexId


# --- what a viewer sees and loses sight of ----------------------------------------------------------------------------


class UnitsSighted(Event, frozen=True):
    """Units have come into the viewer's sight, or look otherwise than he knew."""

    audience = DISCERNED

    units: tuple[Unit, ...]
    contacts: tuple[UnitId, ...] = ()


class SightLost(Event, frozen=True):
    """Units have gone out of the viewer's sight; he remembers where they were."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


class ContactsForgotten(Event, frozen=True):
    """The viewer sees that nobody is there any more."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


class AccountsKnown(Event, frozen=True):
    """What the viewer knows of orders, hits, works and movers that hang on what he sees."""

    audience = DISCERNED

    plots: tuple[Plot, ...] | UnsetType = UNSET
    sealed: Mapping[SideId, str] | UnsetType = UNSET
    nonces: Mapping[SideId, str] | UnsetType = UNSET
    asking: UnitId | UnsetType = UNSET
    shot: tuple[UnitId, ...] | UnsetType = UNSET
    hits: tuple[Hit, ...] | UnsetType = UNSET
    moving: UnitId | UnsetType = UNSET
    underway: bool | UnsetType = UNSET
    occasion: Occasion | UnsetType | None = UNSET
    works: tuple[Work, ...] | UnsetType = UNSET
    ranging: Mapping[str, Ranging] | UnsetType = UNSET

    @property
    def changes(self) -> dict[str, Any]:
        """The accounts that are given."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in fields.items() if value is not UNSET}


AnyEvent = (
    TurnBegan
    | StepBegan
    | TurnEnded
    | BattleEnded
    | UnitPlaced
    | Plotted
    | Unplotted
    | PlotSealed
    | PlotsOpened
    | OrderVoid
    | DigitsDrawn
    | Panicked
    | Steadied
    | BoltRolled
    | VictimAsked
    | FireWasted
    | AttackRolled
    | HitsApplied
    | Pinned
    | PanicDelayed
    | Disrupted
    | Destroyed
    | PinRemoved
    | RecoveryRolled
    | MoveBegan
    | Moved
    | MoveHalted
    | Barred
    | OccasionGiven
    | OpportunityTaken
    | OverrunMade
    | MoveSpent
    | Loaded
    | Unloaded
    | LeftMap
    | GroundTaken
    | WorkAdvanced
    | WorkEnded
    | MinesLowered
    | PositionBuilt
    | ShellsFell
    | RangedIn
    | SortieFlown
    | SortieHeld
    | UnitsSighted
    | SightLost
    | ContactsForgotten
    | AccountsKnown
)
