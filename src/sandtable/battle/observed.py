"""The values that leave a battle: what a viewer may have, typed once for the authority, the wire and the client.

They are built from what a viewer was told instead of stripped from what is true (`battle.observation` makes them, and
nothing else does). Numbers count what that viewer has noticed: an order he can't notice advances nothing he can see.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from sandtable.battle.seats import Kind
from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.forecast import Forecast, Reaction
from sandtable.kernel.ids import NOWHERE, SPECTATORS, HexId, RuleId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, UnitCard
from sandtable.kernel.replay import Header, Record
from sandtable.kernel.ruleset import Piece, Reminder, SightLine, Target, Verb
from sandtable.kernel.state import Outcome
from sandtable.kernel.trace import Line, Tally


class Observed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a viewer may have."""


def wire(value: Observed) -> bytes:
    """The bytes that are sent; nothing but an observed value has any."""
    if not isinstance(value, Observed):
        raise TypeError(f"{type(value).__name__} may not leave the battle")
    return codec.encode(value)


# what happened


class LogLine(Observed, frozen=True):
    """One thing that happened, as a sentence with the lines behind it and what to show on the map.

    `kind` is the system's word for the event, "undone" or "unseen" (a whole turn); `tone` is how the line is marked,
    `brief` what came of it in a word or two, `start` where its path sets out and `side` whose part of the turn begins
    (see `Marks`); `sequence` is the number of the observation it belongs to, `undone` that of the one which this line
    says was taken back.
    """

    text: str
    kind: str
    hex: HexId = NOWHERE
    units: tuple[UnitId, ...] = ()
    path: tuple[HexId, ...] = ()
    lines: tuple[Line, ...] = ()
    rule: RuleId = RuleId("")
    tone: str = ""
    brief: str = ""
    start: HexId = NOWHERE
    side: SideId = SPECTATORS
    sequence: int = 0
    turn: int = 0
    mine: bool = False
    undone: int = 0


class ToldStep(Observed, frozen=True):
    """One event as the viewer was told it: its line in the log, if it has one, the pieces that are new or other than
    before, and the ids of those that are gone."""

    line: LogLine | None = None
    changed: tuple[Piece, ...] = ()
    gone: tuple[UnitId, ...] = ()


class Observation(Observed, frozen=True):
    """What a viewer noticed of one order; `digest` binds it to all he was told before.

    `order` is the text of the viewer's own order; `undone` is the number of the observation that was taken back.
    """

    number: int
    turn: int
    digest: str
    steps: tuple[ToldStep, ...] = ()
    mine: bool = False
    order: str = ""
    undone: int = 0

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """What the log says of it."""
        return tuple(step.line for step in self.steps if step.line is not None)


class Standpoint(Observed, frozen=True, omit_defaults=False):
    """Where a viewer stands: the number of his latest observation, and the digest that binds all he was told."""

    number: int
    digest: str


class LogPart(Observed, frozen=True):
    """Some lines of a viewer's log that follow each other; `first` is the number of the first, counted from 1."""

    first: int
    lines: tuple[LogLine, ...] = ()


# the table


class Table(Observed, frozen=True, omit_defaults=False):
    """What a seat sees: everything a client draws but the board; the side of a spectator is empty.

    `step` is where play stands in the system's own words, `waiting_for` who has to decide as far as the viewer can
    tell, `plans` what his side has written down, each with the order that strikes it out and whether it `stays`.
    """

    side: SideId = SPECTATORS
    turn: int = 0
    step: str = ""
    pieces: tuple[Piece, ...] = ()
    decisions: tuple[Decision, ...] = ()
    waiting_for: tuple[SideId, ...] = ()
    standing: tuple[Tally, ...] = ()
    plans: tuple[Target, ...] = ()
    can_undo: bool = False
    outcome: Outcome | None = None


class TableChange(Observed, frozen=True):
    """What of a table, its pieces aside, is other than before; what is absent is as it was."""

    turn: int | UnsetType = UNSET
    step: str | UnsetType = UNSET
    decisions: tuple[Decision, ...] | UnsetType = UNSET
    waiting_for: tuple[SideId, ...] | UnsetType = UNSET
    standing: tuple[Tally, ...] | UnsetType = UNSET
    plans: tuple[Target, ...] | UnsetType = UNSET
    can_undo: bool | UnsetType = UNSET
    outcome: Outcome | UnsetType | None = UNSET


UNKNOWN = TableChange()
"""Nothing is known of how a table was before."""


class Sight(Table, frozen=True):
    """The table with all the viewer knows of it, to reckon with; `number` is that of his latest observation and
    `digest` binds it to all he was told. A spectator has no position before the end.
    """

    number: int = 0
    digest: str = ""
    position: msgspec.Raw | None = None
    flow: msgspec.Raw | None = None


class Past(Observed, frozen=True, omit_defaults=False):
    """The table as it was when something was noticed, and the steps that led there from the one before; `last` is the
    latest number there is."""

    number: int
    last: int
    table: Table
    steps: tuple[ToldStep, ...] = ()


class Progress(Observed, frozen=True):
    """How far a battle is, which every side knows."""

    turn: int
    outcome: Outcome | None = None


# answers to questions


class Menu(Observed, frozen=True, omit_defaults=False):
    """What can be done with the selected units or hex."""

    number: int
    verbs: tuple[Verb, ...] = ()


class Preview(Observed, frozen=True, omit_defaults=False):
    """The odds of an order as its side may compute them, or the refusal it would meet; `text` is the order in words.

    `as_known` tells that there may be units out of sight: the odds hold as far as the side knows the table.
    """

    number: int
    forecast: Forecast | None = None
    refusal: Refusal | None = None
    text: str = ""
    as_known: bool = False


class LineOfSight(Observed, frozen=True):
    """Whether one hex sees another, as far as the viewer can tell."""

    line: SightLine


class FieldOfView(Observed, frozen=True):
    """The hexes that some of the viewer's units see between them."""

    hexes: tuple[HexId, ...]


class HexReport(Observed, frozen=True, omit_defaults=False):
    """What the viewer knows of a hex: what the rules say of it, who sees it, which known enemies threaten it."""

    facts: tuple[Line, ...]
    watchers: tuple[UnitId, ...]
    threats: tuple[Reaction, ...]


class ReadyUnits(Observed, frozen=True):
    """The viewer's units that can still be told to do something, what he would leave undone by ending the step, and
    whether to end it is all that he can do, as far as he knows."""

    units: tuple[UnitId, ...] = ()
    reminders: tuple[Reminder, ...] = ()
    idle: bool = False


class UnitReport(Observed, frozen=True):
    """What the viewer knows of a unit; nothing when he knows of no such unit."""

    card: UnitCard | None = None


class WhyNot(Observed, frozen=True):
    """The refusal that an order would meet; nothing when it would meet none."""

    refusal: Refusal | None = None


class Forces(Observed, frozen=True):
    """The orders of battle as far as the viewer knows them."""

    formations: tuple[Formation, ...] = ()


class Highlights(Observed, frozen=True):
    """What the viewer can have marked on his map; none is worked out yet."""

    queries: tuple[Query, ...] = ()


class Highlight(Observed, frozen=True):
    """What is to be marked; nothing when there is no such highlight."""

    query: Query | None = None


class ReportList(Observed, frozen=True):
    """The reports the viewer can have; none is written yet."""

    reports: tuple[Report, ...] = ()


class WrittenReport(Observed, frozen=True):
    """A report; nothing when there is none of that kind."""

    report: Report | None = None


class Belief(Observed, frozen=True):
    """The world as one side believes it to be, with the names of what it stands on: all that a worker process gets."""

    system: str
    scenario: str
    options: dict[str, Any]
    side: SideId
    turn: int
    position: msgspec.Raw
    flow: msgspec.Raw
    decisions: tuple[Decision, ...]


class CommandAnswer(Observed, frozen=True):
    """What became of a command: "accepted" with the number under which its sender noticed it, "refused" with the
    reason, "stale" because the sender has noticed more since, or "unavailable": perhaps stored, perhaps not, and the
    same command may be sent again."""

    command: str
    verdict: str
    number: int
    refusal: Refusal | None = None


# exports and lists


class Log(Observed, frozen=True):
    """A battle as one viewer has seen it so far, to keep or to send."""

    header: Header
    side: SideId | None
    observations: tuple[Observation, ...]
    sight: Sight


class Whole(Observed, frozen=True):
    """The full record of a battle that is over, seed included, so that everybody can verify every die."""

    record: Record


class ChatLine(Observed, frozen=True):
    """Something that was said; `number` counts the lines to its audience, `to` is "all" or "side"."""

    number: int
    to: str
    side: SideId
    text: str
    called: str = ""


class ChatPart(Observed, frozen=True):
    """What was said, in order."""

    lines: tuple[ChatLine, ...]


class SeatCard(Observed, frozen=True):
    """A seat as everybody may know it."""

    name: str
    kind: Kind
    side: SideId | None = None
    player: str = ""
    called: str = ""


class Card(Observed, frozen=True):
    """A battle in a list. It holds no count and no time of an order: those would tell of hidden ones."""

    id: str
    title: str
    system: str
    rules_version: str
    scenario: str
    status: str
    dice: str
    commitment: str
    created: int
    seats: tuple[SeatCard, ...]
