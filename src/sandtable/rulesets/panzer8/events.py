"""What happens on a PANZER8 table, and who may know of it.

An element that lies hidden (P8-15.01) is seen as soon as it moves or fires, so only what it does without stirring is
kept from the enemy.
"""

from __future__ import annotations

from sandtable.kernel.events import DISCERNED, EVERYBODY, Event
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.trace import Line
from sandtable.play.fog import PUBLIC_VERSION, WITNESSES, witnesses
from sandtable.rulesets.panzer8.model import Effect, Element, Work

# --- the sequence of play


class TurnBegan(Event, frozen=True):
    """A player turn has begun (P8-4.01)."""

    audience = EVERYBODY

    side: SideId
    turn: int
    half: int


class StepBegan(Event, frozen=True):
    """A phase of the turn has begun."""

    audience = EVERYBODY

    step: str
    side: SideId


class TurnEnded(Event, frozen=True):
    """Smoke and effects that end with the turn are gone (P8-4.05)."""

    audience = EVERYBODY

    half: int


class BattleEnded(Event, frozen=True):
    """The battle is over (P8-14.01)."""

    audience = EVERYBODY

    winner: SideId
    level: str
    reasons: tuple[str, ...]


# --- event cards


class DeckShuffled(Event, frozen=True):
    """All cards of a deck are in it again (P8-13.01)."""

    audience = EVERYBODY

    deck: SideId


class CardDrawn(Event, frozen=True):
    """A card was turned over (P8-4.02)."""

    audience = EVERYBODY

    card: str
    side: SideId
    deck: SideId


class EffectBegan(Event, frozen=True):
    """A card works from now on; on an element that lies hidden, its owner alone knows on which."""

    audience = PUBLIC_VERSION

    card: str
    side: SideId
    until: int
    unit: UnitId = NOBODY


class EffectSpent(Event, frozen=True):
    """A card has worked once and for all."""

    audience = EVERYBODY

    card: str
    side: SideId


class StragglersFound(Event, frozen=True):
    """One lost element less counts for recovery (card E17)."""

    audience = EVERYBODY

    side: SideId


class DieCast(Event, frozen=True):
    """A die that decided something by itself."""

    audience = WITNESSES

    unit: UnitId
    rule: RuleId
    roll: int
    passed: bool


# --- actions


class ActionTaken(Event, frozen=True):
    """The element has used an action (P8-4.03)."""

    audience = WITNESSES

    unit: UnitId
    action: str


class Reacted(Event, frozen=True):
    """The element has used a reaction (P8-5.01)."""

    audience = WITNESSES

    unit: UnitId


class Shown(Event, frozen=True):
    """The element has stirred or fired, so that nobody can overlook it any more (P8-15.01)."""

    audience = EVERYBODY

    unit: UnitId
    has_moved: bool = False
    has_fired: bool = False


class Placed(Event, frozen=True):
    """An element was set up in a hex, with whoever is aboard (P8-4.01)."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId
    facing: int


class Moved(Event, frozen=True):
    """The element entered a hex from another, its `start`; `spent` is the cost of its move so far, in thirds of a
    point.
    """

    audience = WITNESSES

    unit: UnitId
    hex: HexId
    facing: int
    spent: int
    start: HexId = NOWHERE


class Stopped(Event, frozen=True):
    """The element could not go on, or went back to the last empty hex it left (P8-6.12)."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId
    barred: HexId = NOWHERE


class Turned(Event, frozen=True):
    """The element faces another way."""

    audience = WITNESSES

    unit: UnitId
    facing: int


class Mounted(Event, frozen=True):
    """A friend went aboard or was taken in tow (P8-6.10)."""

    audience = WITNESSES

    unit: UnitId
    passenger: UnitId
    spent: int


class Dismounted(Event, frozen=True):
    """A passenger stands on its own feet again; `spent` is -1 when its carrier was shot from under it."""

    audience = WITNESSES

    unit: UnitId
    passenger: UnitId
    hex: HexId
    spent: int


class SmokeLaid(Event, frozen=True):
    """Smoke stands on a hex to the end of a player turn (P8-12.01)."""

    audience = EVERYBODY

    hex: HexId
    until: int


class BatteryCalled(Event, frozen=True):
    """A battery off the map fired; its impact may have drifted (P8-12.03). Whose eyes directed it may be unknown."""

    audience = PUBLIC_VERSION

    unit: UnitId
    side: SideId
    battery: str
    aimed: HexId
    hex: HexId
    roll: int
    total: int


class StruckFromAir(Event, frozen=True):
    """Aircraft were called on a hex and came or did not (P8-12.05); `battery` names those an observer called."""

    audience = EVERYBODY

    side: SideId
    hex: HexId
    roll: int
    arrived: bool
    battery: str = ""


class WorkBegan(Event, frozen=True):
    """Engineers have begun to clear something (P8-15.02)."""

    audience = WITNESSES

    unit: UnitId
    hex: HexId
    direction: int
    half: int


class WorkEnded(Event, frozen=True):
    """Engineers are done, or have left their work."""

    audience = WITNESSES

    unit: UnitId


class ObstacleCleared(Event, frozen=True):
    """A mined hex is clear, or an obstacle is breached."""

    audience = EVERYBODY

    hex: HexId
    direction: int


class GroundTaken(Event, frozen=True):
    """An objective hex was entered by a side that did not hold it (P8-14.03)."""

    audience = EVERYBODY

    hex: HexId
    side: SideId


# --- attacks and their results


class AttackRolled(Event, frozen=True):
    """Two dice were thrown against each other; `difference` is the attacker's total less the target's.

    `manner` is one of hesa, ap, hunt, charge, overrun, stonk, air, sniper, mines and bail (passengers of a lost
    carrier). `result` is what befalls the target, `backfire` what befalls the attacker.
    """

    audience = witnesses("target")

    manner: str
    target: UnitId
    attack_roll: int
    defense_roll: int
    difference: int
    result: str
    rule: RuleId
    attacker: UnitId = NOBODY
    backfire: str = ""
    lines: tuple[Line, ...] = ()


class Suppressed(Event, frozen=True):
    """The element is suppressed (P8-9.02)."""

    audience = WITNESSES

    unit: UnitId


class Lost(Event, frozen=True):
    """The element is out of action; a vehicle leaves a wreck in the hex, which everybody sees (P8-9.01)."""

    audience = EVERYBODY

    unit: UnitId
    wreck: HexId = NOWHERE


class FellBack(Event, frozen=True):
    """The element went away from what harmed it (P8-9.04)."""

    audience = WITNESSES

    unit: UnitId
    path: tuple[HexId, ...]


class RecoveryRolled(Event, frozen=True):
    """A suppressed element tried to recover (P8-9.06)."""

    audience = WITNESSES

    unit: UnitId
    roll: int
    total: int
    result: str
    lines: tuple[Line, ...] = ()


class CommanderRallied(Event, frozen=True):
    """A commander helps those around him to recover (P8-9.08)."""

    audience = WITNESSES

    unit: UnitId


class CombatDeclared(Event, frozen=True):
    """Close combat will be fought (P8-4.04)."""

    audience = EVERYBODY

    attacker: UnitId
    defender: UnitId
    manner: str


class CombatEnded(Event, frozen=True):
    """A declared combat was fought, or there is nobody left to fight it; without a defender, all of the attacker's."""

    audience = EVERYBODY

    attacker: UnitId
    defender: UnitId = NOBODY


class OccasionGiven(Event, frozen=True):
    """The enemies of an element are asked whether they react to what it did (P8-5.02)."""

    audience = EVERYBODY

    unit: UnitId
    manner: str
    target: UnitId = NOBODY


class AdvanceOffered(Event, frozen=True):
    """The winner of a close combat may enter a hex (P8-11.11)."""

    audience = EVERYBODY

    unit: UnitId
    hex: HexId


# --- what comes into sight and goes out of it


class ElementsSighted(Event, frozen=True):
    """Enemy elements have come into the viewer's sight, or look otherwise than he knew."""

    audience = DISCERNED

    elements: tuple[Element, ...]


class SightLost(Event, frozen=True):
    """Enemy elements are hidden from the viewer again."""

    audience = DISCERNED

    units: tuple[UnitId, ...]


class AccountsKnown(Event, frozen=True):
    """What a viewer knows of effects, works and who acted last, once those they are about are known or not any more."""

    audience = DISCERNED

    effects: tuple[Effect, ...] | None = None
    works: tuple[Work, ...] | None = None
    latest: UnitId | None = None
    doing: str | None = None
    urgent: UnitId | None = None


AnyEvent = (
    TurnBegan
    | StepBegan
    | TurnEnded
    | BattleEnded
    | DeckShuffled
    | CardDrawn
    | EffectBegan
    | EffectSpent
    | StragglersFound
    | DieCast
    | ActionTaken
    | Reacted
    | Placed
    | Shown
    | Moved
    | Stopped
    | Turned
    | Mounted
    | Dismounted
    | SmokeLaid
    | BatteryCalled
    | StruckFromAir
    | WorkBegan
    | WorkEnded
    | ObstacleCleared
    | GroundTaken
    | AttackRolled
    | Suppressed
    | Lost
    | FellBack
    | RecoveryRolled
    | CommanderRallied
    | CombatDeclared
    | CombatEnded
    | OccasionGiven
    | AdvanceOffered
    | ElementsSighted
    | SightLost
    | AccountsKnown
)
