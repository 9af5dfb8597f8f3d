"""What a system answers. Five rulesets implement this protocol; nothing else in the house knows a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey, Event, Order
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Badge, Formation, Query, Report, UnitCard
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Outcome, State, View
from sandtable.kernel.trace import Line, Tally

if TYPE_CHECKING:
    from sandtable.kernel.forecast import Forecast, Reaction, Sequel

P = TypeVar("P")


class Info(msgspec.Struct, frozen=True):
    """A system's name card, the types its records are made of, and the badges its pieces wear."""

    key: str
    title: str
    rules_version: str
    prefix: str
    position: Any
    orders: Any
    events: Any
    frames: Any
    badges: tuple[Badge, ...] = ()


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """One counter as a client draws it: the same fields for every system; badges and counter are keys of its lists."""

    id: UnitId
    side: SideId
    hex: HexId
    title: str
    mark: str
    corners: tuple[str, str, str, str] = ("", "", "", "")
    letter: str = ""
    states: tuple[str, ...] = ()
    kind: str = "unit"
    carrier: UnitId | None = None
    facing: int | None = None
    note: str = ""
    formation: str = ""
    badges: tuple[str, ...] = ()
    tone: str = ""
    counter: str = ""
    name: str = ""
    """The unit's id in the scenario, told to its own side alone: what a tutorial calls it."""
    last_seen: int = 0
    """The turn in which an enemy who is out of sight now was last seen there; 0 for whatever is in sight."""


class PieceChanges(NamedTuple):
    """How a table of pieces becomes another: those that are new or other than before, and the ids of those gone."""

    changed: tuple[Piece, ...]
    gone: tuple[UnitId, ...]


class Marks(NamedTuple):
    """Where an event happened, to whom, why; its line's tone (heading, phase, act, loss, left, contact), its result.

    `start` is where a path sets out, if that is known; `side` is whose part of the turn a heading or a phase begins.
    """

    hex: HexId = NOWHERE
    units: tuple[UnitId, ...] = ()
    path: tuple[HexId, ...] = ()
    lines: tuple[Line, ...] = ()
    rule: RuleId = RuleId("")
    tone: str = ""
    brief: str = ""
    start: HexId = NOWHERE
    side: SideId = SPECTATORS


class Selection(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the player has picked or points at: units, or a hex, or nothing yet; `via` leads a way there."""

    units: tuple[UnitId, ...] = ()
    hex: HexId = NOWHERE
    via: tuple[HexId, ...] = ()


class Target(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a verb can be pointed at: the order that does it, a short annotation, its way, its words, who acts."""

    order: Order
    hex: HexId = NOWHERE
    units: tuple[UnitId, ...] = ()
    side: int | None = None
    note: str = ""
    path: tuple[HexId, ...] = ()
    text: str = ""
    actors: tuple[UnitId, ...] = ()
    brief: str = ""  # a few characters for the map
    choice: str = ""  # what tells it from the other targets of its hex
    then: HexId = NOWHERE  # the hex to point at next, where targets of one hex differ by it; its way is as it is
    warning: str = ""  # lawful, and yet to be thought over: the order is in vain or costs more than it seems
    stays: bool = False  # what is written down and can't be struck out now


class Reminder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something left to do before a step is ended, or what ending it sets off: what, by which rule, where, with whom;
    what is lost if it isn't done.
    """

    text: str
    rule: RuleId
    hex: HexId = NOWHERE
    units: tuple[UnitId, ...] = ()
    lost: bool = False
    sets_off: bool = False  # nothing is left to do: it comes about as the step ends


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something to fill in before an order is given: the value goes into the order's field of that name."""

    name: str
    title: str
    kind: str = "number"  # from least to most; or "choice", one of the choices; or "flag"
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()
    default: int | str | bool = 0


class Verb(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the menu: lawful with its targets, or greyed with the refusal that says why."""

    key: str
    title: str
    hotkey: str
    targets: tuple[Target, ...] = ()
    refusal: Refusal | None = None
    group: str = ""
    checked: bool = False  # the picked units are at it already
    confirm: str = ""  # to be asked before the order is given
    form: tuple[Field, ...] = ()
    closes: bool = False  # the order ends the step


class ProfilePoint(msgspec.Struct, frozen=True):
    """One hex of a line's cross-section: its level, what is there in words, and whether it rises above the ground."""

    hex: HexId
    level: int
    cover: str = ""
    rises: bool = False


class SightLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether one hex sees another by the engine's own trace; if not, what obstructs and the rule that says so."""

    clear: bool
    profile: tuple[ProfilePoint, ...] = ()
    reason: Line | None = None
    hex: HexId = NOWHERE
    side: int | None = None


class Options(Protocol):
    """The lawful orders of one decision, produced as they are asked for."""

    def __iter__(self) -> Iterator[Order]: ...
    def pick(self, dice: PromptDice) -> Order:
        """One lawful order, chosen by the dice; each unit of the side has a fair share."""


class Ruleset(Protocol[P]):
    """The questions the kernel and the clients ask a system."""

    info: Info

    def setup(self, scenario: Any, options: dict[str, Any], key: DiceKey) -> State[P]: ...
    def sides(self, state: State[P]) -> tuple[SideId, ...]: ...
    def decisions(self, state: State[P]) -> tuple[Decision, ...]: ...
    def view(self, state: State[P], side: SideId) -> View[P]: ...
    def check(self, view: View[P], order: Order) -> Refusal | None: ...
    def options(self, view: View[P], decision: Decision) -> Options: ...
    def menu(self, view: View[P], selection: Selection) -> tuple[Verb, ...]: ...

    def why_not(self, view: View[P], verb: str, selection: Selection, target: Selection) -> Refusal | None:
        """Why what is picked can't do that to what is pointed at; None exactly when a target of the menu covers it."""

    def pieces(self, view: View[P]) -> tuple[Piece, ...]: ...

    def piece_changes(self, before: P, after: P, side: SideId) -> PieceChanges:
        """How the pieces of one known position become those of another."""

    def resolve(self, resolution: Resolution[P], side: SideId, order: Order) -> None: ...
    def advance(self, resolution: Resolution[P]) -> None: ...
    def apply(self, position: P, event: Event) -> P: ...

    def known(self, position: P, side: SideId, before: P | None = None) -> P:
        """The position as a viewer, be it the spectators, may know it: from scratch, but for what he remembers."""

    def redact(self, event: Event, before: P, after: P, side: SideId) -> Event | None:
        """The event as a viewer may know it, the very same when nothing in it is hidden, or None."""

    def discern(self, known: P, before: P, after: P, side: SideId) -> Iterable[Event]:
        """What else came to a viewer's light or out of his sight: folding these makes `known(after, side, known)` of
        `known`, which is what he knew before with the redacted event folded in.
        """

    def hides(self, position: P) -> bool:
        """Whether units may be out of sight: what a side knows, odds included, is then what it was told so far."""

    def may_undo(self, view: View[P], order: Order) -> bool:
        """Whether the system lets an order given on this view be taken back, if nothing else speaks against it."""

    def believed(self, view: View[P]) -> State[P]:
        """A whole state in which nothing stands where the side knows of nothing: what forecasts run on."""

    def imagine(self, view: View[P], key: DiceKey) -> State[P]:
        """A whole state with what the side can't see as it may expect it: two keys, two worlds, both like its view."""

    def outcome(self, state: State[P]) -> Outcome | None: ...

    def explain(self, view: View[P], order: Order) -> tuple[Tally, ...]:
        """The tallies behind an order's odds, by the same calculation that resolves it."""

    def odds(self, view: View[P], order: Order) -> Forecast | None:
        """What the system knows of a lawful order beyond every fall of its dice: closed forms, enemies' reactions."""

    def sequel(self, view: View[P], order: Order) -> Sequel:
        """What a lawful order leads to later, and what to warn of before it is given."""

    def sight(self, view: View[P], a: HexId, b: HexId) -> SightLine:
        """The line from one hex to another as the rules judge it."""

    def seen(self, view: View[P], units: tuple[UnitId, ...]) -> tuple[HexId, ...]:
        """The hexes that these units see between them; all of the side's when none is named."""

    def watchers(self, view: View[P], place: HexId) -> tuple[UnitId, ...]:
        """The side's units that see a hex."""

    def threats(self, view: View[P], place: HexId, unit: UnitId = NOBODY) -> tuple[Reaction, ...]:
        """What known enemies could do to the hex; with an own unit named, to that unit if it stood there, with odds."""

    def standing(self, view: View[P]) -> tuple[Tally, ...]:
        """How the battle stands by the victory conditions, as far as the side may know."""

    def hex_facts(self, view: View[P], place: HexId) -> tuple[Line, ...]:
        """What the rules say of a hex: terrain, cost to enter, cover, each with its rule."""

    def ready(self, view: View[P]) -> tuple[UnitId, ...]:
        """The side's pieces that can still be told to do something in the decision that is open to it."""

    def reminders(self, view: View[P]) -> tuple[Reminder, ...]:
        """What would be left undone if the side ended its step now, what would be lost by it first."""

    def plans(self, view: View[P]) -> tuple[Target, ...]:
        """What the side has written down and not yet done, each with the order that strikes it out."""

    def card(self, view: View[P], unit: UnitId) -> UnitCard | None:
        """What the side knows of a unit; None when it knows of no such unit."""

    def tree(self, view: View[P]) -> tuple[Formation, ...]:
        """The order of battle of every side, as far as the side knows it."""

    def queries(self, view: View[P]) -> tuple[Query, ...]:
        """The highlights that can be asked for now; none is worked out yet."""

    def query(self, view: View[P], key: str) -> Query | None:
        """One of them worked out; None when there is none of that key."""

    def reports(self, view: View[P]) -> tuple[Report, ...]:
        """The reports that can be asked for; none is written yet."""

    def report(self, view: View[P], kind: str) -> Report | None:
        """One of them; None when there is none of that kind."""

    def result(self, events: tuple[Event, ...], view: View[P]) -> str:
        """What came of an order, in a few words: forecasts gather equal results into one branch."""

    def describe(self, event: Event, view: View[P]) -> str:
        """The event as a sentence of the battle log; empty for bookkeeping that tells a player nothing."""

    def marks(self, event: Event) -> Marks:
        """Where on the map the event happened, as far as it says so itself."""

    def step(self, view: View[P]) -> str:
        """Where play stands as the viewer knows it, in the system's own word; empty when he can't tell."""

    def order_text(self, order: Order, view: View[P]) -> str:
        """The order as one short line."""


AnyRuleset = Ruleset[Any]
