"""Everything that crosses the wire, typed once: the server decodes with these, the client's TypeScript comes from them.

The routes, all below `/api`; a refusal is a Fault with a status of 400 to 429:

    GET    house                     House
    GET    systems                   SystemCard[]
    GET    scenarios                 ScenarioCard[]
    GET    scenarios/{id}/briefings  Briefing[] of every side, for whoever may open battles; with ?options=name:value,…
                                     none when units may be out of sight in such a battle
    GET    boards/{digest}           BoardSheet; it never changes, so it may be kept for ever
    GET    rules/{system}            RuleCard[]
    GET    counters/{system}         CounterCard[]
    GET    battles                   BattleCard[]   on a public server only those that the given token opens
    POST   battles                   NewBattle -> BattleKeys
    POST   battles/import            a record or a save (4 MiB at most) -> BattleKeys; a record with
                                     ?seats=side:player,side:player, a save with its passphrase, if it has one, in the
                                     header x-passphrase, as UTF-8 in base64
    DELETE battles/{id}              nothing
    POST   battles/{id}/keys         BattleKeys     House.local only
    GET    battles/{id}/scenario     ScenarioCard of a battle that has its own version of the scenario (BattleCard.kept)
    GET    battles/{id}/tutorial     Tutorial, for the seat that it guides
    GET    battles/{id}/record       the whole record after the end; before it, what the seat has seen
    GET    battles/{id}/salvage      the record of a battle that can't be opened, as far as it can be read
                                     (BattleCard.readable)
    POST   battles/{id}/save         Saving -> a sealed save from which the battle can be taken up again
    POST   battles/{id}/branch       Branching -> BattleKeys; number as in a full AskReplay of an ended battle;
                                     of a running one as in AskReplay, if it is the caller's alone and nothing is hidden
    POST   battles/{id}/watch        BattleKeys with a spectator's token
    POST   battles/{id}/invite       Inviting -> BattleKeys: the token of an invitation to a friend's seat
    POST   battles/{id}/join         Joining -> BattleKeys; the invitation's token is given up for one of one's own
    SOCKET battles/{id}/play         ClientMessage one way, ServerMessage the other

A socket carries one JSON object in each text frame of at most 64 KiB, tagged by `type`. Snapshot, Update and Pong hold
the viewer's own sequence number, so that a client that lost the line asks for what it missed and no more. It counts
what the viewer noticed, and it is what `based_on` wants. An order is JSON tagged by `order`: the client sends back what
a menu gave it and never looks inside.

How a client proves who it is: it opens the socket with no token in the address and no cookie, and says Hello with its
token within ten seconds. The token of a hot-seat game opens several seats: Hello names the side to look at, and
TakeSeat turns the same socket to another one (answered by a Snapshot). With a token that opens one seat, `side` may be
empty. REST calls take a token as `Authorization: Bearer TOKEN`; on a public server, opening, importing and deleting
battles and inviting to them takes the operator's secret in its place, and a Fault that `needs` it says so. On a server
of one's own (House.local) only `record` and `join` need a token, and `keys` hands out those of the human seats again.

A line that can't go on is closed after a Trouble: 4400 no proper Hello, 4401 the token opens no seat here, 4404 no
such battle, 4409 another protocol, 4410 the battle was deleted, 4429 too much at once, 1009 a frame too large, 1012 the
server stops.
"""

from __future__ import annotations

import msgspec

from sandtable.battle.observed import ChatLine, HexReport, LogLine, Menu, Past, Preview, Table, TableChange, ToldStep
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.questions import Formation, Query, Report, UnitCard
from sandtable.kernel.ruleset import Reminder, Selection, SightLine
from sandtable.server.lobby_messages import BattleCard as BattleCard
from sandtable.server.lobby_messages import BattleKeys as BattleKeys
from sandtable.server.lobby_messages import BoardCard as BoardCard
from sandtable.server.lobby_messages import BoardSheet as BoardSheet
from sandtable.server.lobby_messages import Branching as Branching
from sandtable.server.lobby_messages import Briefing as Briefing
from sandtable.server.lobby_messages import CounterCard as CounterCard
from sandtable.server.lobby_messages import Fault as Fault
from sandtable.server.lobby_messages import House as House
from sandtable.server.lobby_messages import Inviting as Inviting
from sandtable.server.lobby_messages import Joining as Joining
from sandtable.server.lobby_messages import NewBattle as NewBattle
from sandtable.server.lobby_messages import OptionCard as OptionCard
from sandtable.server.lobby_messages import PlayerCard as PlayerCard
from sandtable.server.lobby_messages import RuleCard as RuleCard
from sandtable.server.lobby_messages import Saving as Saving
from sandtable.server.lobby_messages import ScenarioCard as ScenarioCard
from sandtable.server.lobby_messages import SeatChoice as SeatChoice
from sandtable.server.lobby_messages import SideCard as SideCard
from sandtable.server.lobby_messages import SystemCard as SystemCard

PROTOCOL = 4


# --- what a client says ----------------------------------------------------------------------------------------------


class ClientBase(msgspec.Struct, frozen=True, tag_field="type", tag=True, forbid_unknown_fields=True):
    """Something a client says over its socket."""


class Hello(ClientBase, frozen=True):
    """The first word: who speaks, for which side, and what the client has seen so far, 0 and "" for nothing."""

    protocol: int
    since: int = 0
    view_hash: str = ""
    token: str = ""
    side: SideId = SideId("")


class TakeSeat(ClientBase, frozen=True):
    """From now on this socket looks and acts for another side that its token opens; the answer is a Snapshot."""

    side: SideId


class Ping(ClientBase, frozen=True):
    """Is the line alive, and is my table the present one?"""

    ask: int


class Submit(ClientBase, frozen=True):
    """An order, based on the number of the view it was made from; the command id makes a repeat harmless."""

    command: str
    based_on: int
    order: msgspec.Raw


class Undo(ClientBase, frozen=True):
    """Take the latest order back."""

    command: str
    based_on: int


class AskMenu(ClientBase, frozen=True):
    """What can be done with this selection?"""

    ask: int
    selection: Selection


class AskPreview(ClientBase, frozen=True):
    """What would come of this order?"""

    ask: int
    order: msgspec.Raw


class AskSight(ClientBase, frozen=True):
    """Does a see b?"""

    ask: int
    a: HexId
    b: HexId


class AskSeen(ClientBase, frozen=True):
    """What do these units see? All of the side's when none is named."""

    ask: int
    units: tuple[UnitId, ...] = ()


class AskHex(ClientBase, frozen=True):
    """What is to be known of a hex: its facts, who sees it, who threatens it, or would threaten that unit there."""

    ask: int
    hex: HexId
    unit: UnitId = NOBODY


class AskReady(ClientBase, frozen=True):
    """Who of the side can still be told to do something?"""

    ask: int


class AskCard(ClientBase, frozen=True):
    """All that is known of a unit."""

    ask: int
    unit: UnitId


class AskWhyNot(ClientBase, frozen=True):
    """Why can't what is picked do that to the units or the hex of the target? The verb is a key of the menu."""

    ask: int
    verb: str
    selection: Selection
    target: Selection


class AskTree(ClientBase, frozen=True):
    """The order of battle of every side."""

    ask: int


class AskQueries(ClientBase, frozen=True):
    """What can be marked on the map now?"""

    ask: int


class AskQuery(ClientBase, frozen=True):
    """Which hexes and units does the highlight of that key mark?"""

    ask: int
    key: str


class AskReports(ClientBase, frozen=True):
    """Which reports are there?"""

    ask: int


class AskReport(ClientBase, frozen=True):
    """The report of that kind."""

    ask: int
    kind: str


class AskLog(ClientBase, frozen=True):
    """At most so many lines of the log, those that come right before the line of that number; the answer is a LogPage.

    Lines are numbered from 1; 0 asks for the latest.
    """

    ask: int
    before: int
    most: int = 200


class AskReplay(ClientBase, frozen=True):
    """The table as it was after an entry of the viewer's own numbering; the full view is given after the end only.

    A full replay steps through every order of the battle and counts those, from 0 for the set-up.
    """

    ask: int
    sequence: int
    full: bool = False


class AskChat(ClientBase, frozen=True):
    """At most so many lines that were said to "all" or to one's own "side", right before the line of that number; 0
    asks for the latest, and the answer is a ChatPage."""

    ask: int
    to: str
    before: int = 0
    most: int = 50


class Say(ClientBase, frozen=True):
    """Something to be said to "all" or to one's own "side"; the answer is SayAnswer or a Trouble."""

    ask: int
    to: str
    text: str


class CancelThinking(ClientBase, frozen=True):
    """Let the computer play its quickest order now."""


ClientMessage = (
    Hello
    | TakeSeat
    | Ping
    | Submit
    | Undo
    | AskMenu
    | AskPreview
    | AskSight
    | AskSeen
    | AskHex
    | AskReady
    | AskCard
    | AskWhyNot
    | AskTree
    | AskQueries
    | AskQuery
    | AskReports
    | AskReport
    | AskLog
    | AskReplay
    | AskChat
    | Say
    | CancelThinking
)


# --- what the server says --------------------------------------------------------------------------------------------


class ServerBase(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Something the server says over a socket."""


class Snapshot(ServerBase, frozen=True):
    """The whole table as the viewer knows it at its sequence number, and the latest lines of his log; it may come at
    any time in the place of an Update.

    `first` is the number of the first of these lines: those before it are to be had by AskLog. The briefing is that of
    the seat's own side; a spectator has none.
    """

    sequence: int
    view_hash: str
    battle: BattleCard
    table: Table
    first: int
    log: tuple[LogLine, ...]
    briefing: Briefing | None


class Update(ServerBase, frozen=True):
    """What happened since, event by event, and what else of the table is other than before.

    The pieces of the table are those it had, with those of each step put in by their ids and those gone taken out.
    """

    sequence: int
    view_hash: str
    steps: tuple[ToldStep, ...]
    table: TableChange


class Accepted(ServerBase, frozen=True):
    """The order is durable."""

    command: str
    number: int


class Refused(ServerBase, frozen=True):
    """The order was not carried out, for the reason given; nothing has changed."""

    command: str
    refusal: Refusal
    number: int
    stale: bool = False


class MenuAnswer(ServerBase, frozen=True):
    """The answer to AskMenu."""

    ask: int
    menu: Menu


class PreviewAnswer(ServerBase, frozen=True):
    """The answer to AskPreview."""

    ask: int
    preview: Preview


class SightAnswer(ServerBase, frozen=True):
    """The answer to AskSight."""

    ask: int
    line: SightLine


class SeenAnswer(ServerBase, frozen=True):
    """The answer to AskSeen."""

    ask: int
    hexes: tuple[HexId, ...]


class HexAnswer(ServerBase, frozen=True):
    """The answer to AskHex."""

    ask: int
    report: HexReport


class ReadyAnswer(ServerBase, frozen=True):
    """The answer to AskReady: who can still act, what would be left undone or lost if the step were ended now, and
    whether to end it is all that can be done."""

    ask: int
    units: tuple[UnitId, ...]
    reminders: tuple[Reminder, ...]
    idle: bool


class CardAnswer(ServerBase, frozen=True):
    """The answer to AskCard; null when the viewer knows of no such unit."""

    ask: int
    card: UnitCard | None


class WhyNotAnswer(ServerBase, frozen=True):
    """The answer to AskWhyNot; null when nothing stands in the way."""

    ask: int
    refusal: Refusal | None


class TreeAnswer(ServerBase, frozen=True):
    """The answer to AskTree."""

    ask: int
    formations: tuple[Formation, ...]


class QueriesAnswer(ServerBase, frozen=True):
    """The answer to AskQueries: what can be marked, not worked out yet."""

    ask: int
    queries: tuple[Query, ...]


class QueryAnswer(ServerBase, frozen=True):
    """The answer to AskQuery; null when there is none of that key."""

    ask: int
    query: Query | None


class ReportsAnswer(ServerBase, frozen=True):
    """The answer to AskReports: what there is, not written yet."""

    ask: int
    reports: tuple[Report, ...]


class ReportAnswer(ServerBase, frozen=True):
    """The answer to AskReport; null when there is none of that kind."""

    ask: int
    report: Report | None


class LogPage(ServerBase, frozen=True):
    """The answer to AskLog; `first` is the number of its first line."""

    ask: int
    first: int
    log: tuple[LogLine, ...]


class Replayed(ServerBase, frozen=True):
    """The answer to AskReplay."""

    ask: int
    past: Past


class ChatPage(ServerBase, frozen=True):
    """The answer to AskChat."""

    ask: int
    lines: tuple[ChatLine, ...]


class SayAnswer(ServerBase, frozen=True):
    """It was said; whoever may hear it, the speaker too, is told it as Chatted."""

    ask: int


class Chatted(ServerBase, frozen=True):
    """Somebody has said something that the viewer may hear."""

    line: ChatLine


class Thinking(ServerBase, frozen=True):
    """A computer player is at work: how far it is (0 to 100) and on what."""

    side: SideId
    percent: int
    doing: str


class Pong(ServerBase, frozen=True):
    """The answer to Ping: where the viewer's table stands."""

    ask: int
    sequence: int
    view_hash: str


class Seated(ServerBase, frozen=True):
    """Who sits at the table has changed."""

    seats: tuple[SeatChoice, ...]


class Trouble(ServerBase, frozen=True):
    """Something the server could not do with what was said, in a plain sentence; the line stays open."""

    reason: str
    ask: int = 0


ServerMessage = (
    Snapshot
    | Update
    | Accepted
    | Refused
    | MenuAnswer
    | PreviewAnswer
    | SightAnswer
    | SeenAnswer
    | HexAnswer
    | ReadyAnswer
    | CardAnswer
    | WhyNotAnswer
    | TreeAnswer
    | QueriesAnswer
    | QueryAnswer
    | ReportsAnswer
    | ReportAnswer
    | LogPage
    | Replayed
    | ChatPage
    | SayAnswer
    | Chatted
    | Thinking
    | Pong
    | Seated
    | Trouble
)
