"""The one exit: everything that leaves a battle for a player or a spectator is made here, and only here.

Observations, tables, menus, previews, lines of sight, answers, errors, undo, looks back, exports and the list of
battles are made from what a viewer was told, event by event, and from the position he knows by it; nothing is redacted
here a second time. Dice leave inside events alone, never as draws. `EXITS` lists the ways out, and the twin worlds of
the tests go through every one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from sandtable.battle.flickers import without_flickers
from sandtable.battle.observed import (
    Belief,
    Card,
    ChatLine,
    ChatPart,
    CommandAnswer,
    FieldOfView,
    Forces,
    HexReport,
    Highlight,
    Highlights,
    LineOfSight,
    Log,
    LogLine,
    LogPart,
    Menu,
    Observation,
    Past,
    Preview,
    Progress,
    ReadyUnits,
    ReportList,
    SeatCard,
    Sight,
    Standpoint,
    Table,
    TableChange,
    ToldStep,
    UnitReport,
    Whole,
    WhyNot,
    WrittenReport,
)
from sandtable.battle.seats import Seat
from sandtable.battle.storage.rows import StoredChat
from sandtable.kernel import codec
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Event, Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOBODY, SPECTATORS, HexId, RuleId, SideId, UnitId
from sandtable.kernel.replay import Header, Record
from sandtable.kernel.ruleset import AnyRuleset, PieceChanges, Selection, Target, Verb
from sandtable.kernel.state import Knowledge, Outcome, State, Told, View
from sandtable.kernel.telling import known_position

AUTHORITY = RuleId("BATTLE")
"""The rule cited when the authority itself refuses: stale, not your seat, the store is away."""

NO_ODDS = "the odds of this order can't be told"

UNSEEN_TURN = "Nothing was seen of the enemy's turn."

NO_CHANGES = PieceChanges((), ())

Exit = TypeVar("Exit", bound=Callable[..., Any])

EXITS: dict[str, Callable[..., Any]] = {}
"""Every way out of a battle by name, such as "Battle.view"."""


def way_out(method: Exit) -> Exit:
    """The method is in the list of exits."""
    EXITS[method.__qualname__] = method
    return method


# noticing


class Account(msgspec.Struct, frozen=True):
    """How far a viewer has come: how many observations and lines of the log he has, what binds them, what he knew then
    of the sequence of play, and of whose turn he has seen nothing yet."""

    number: int = 0
    lines: int = 0
    digest: str = ""
    bearing: str = ""
    unseen: SideId = SPECTATORS


class Own(NamedTuple):
    """The viewer's own order and the view he gave it on."""

    order: Order
    view: View[Any]


class Change(NamedTuple):
    """An order carried out or taken back: the states before and after it."""

    before: State[Any]
    after: State[Any]


class Witness(NamedTuple):
    """A viewer and how far he has come."""

    side: SideId
    account: Account


class Noticed(NamedTuple):
    """What a viewer noticed, and how far he has come by it."""

    observation: Observation
    account: Account


def knowledge(ruleset: AnyRuleset, state: State[Any], side: SideId) -> View[Any]:
    """The view a side decides on: what computer players are given."""
    return ruleset.view(state, side)


def bearing(ruleset: AnyRuleset, state: State[Any], view: View[Any]) -> str:
    """What two views of the same sequence of play, decisions and outcome have in common."""
    return codec.digest([view.flow, view.decisions, ruleset.outcome(state)])


def noticed(
    ruleset: AnyRuleset, change: Change, witness: Witness, told: tuple[Told, ...], own: Own | None
) -> tuple[Noticed, ...]:
    """What a viewer notices of an order: nothing when it was none of his own, he was told nothing, and the sequence of
    play is where he knew it to be; more than one thing when it was carried out with pauses.

    Whether anybody was asked in a pause is not his to know, so that what follows is told as if somebody had been.
    """
    side, account = witness
    view = ruleset.view(change.after, side)
    bears = bearing(ruleset, change.after, view)
    if own is None and account.number and not told and bears == account.bearing:
        return ()
    known, found = known_position(ruleset, change.before, side), list[Noticed]()
    for part in parts(told):
        bore = "" if part and _pauses(part[-1]) else bears
        digest = codec.digest([account.digest, [one.event for one in part], bore])
        words = "" if own is None else ruleset.order_text(own.order, own.view)
        seen = Observation(account.number + 1, view.turn, digest, mine=own is not None, order=words)
        steps, unseen = _with_unseen_turns(told_steps(ruleset, known, view, part, seen), account.unseen, view, ruleset)
        seen = replace(seen, steps=steps)
        account = Account(seen.number, account.lines + len(seen.lines), digest, bore, unseen)
        found.append(Noticed(seen, account))
        known, own = part[-1].known if part else known, None
    return tuple(found)


def parts(told: tuple[Told, ...]) -> tuple[tuple[Told, ...], ...]:
    """What a viewer was told of an order, cut after every pause: each part is an observation."""
    ends = [n for n, one in enumerate(told, 1) if _pauses(one)]
    if not ends or ends[-1] != len(told):
        ends.append(len(told))
    return tuple(told[start:end] for start, end in zip([0, *ends], ends, strict=False))


def _pauses(told: Told) -> bool:
    return type(told.event).audience.pauses


def at_pause(state: State[Any], side: SideId, part: tuple[Told, ...]) -> State[Any]:
    """The state after an order, with no more known to a viewer than when he had noticed that part of it."""
    return replace(state, known=Knowledge({**state.known.positions, side: part[-1].known}))


def told_steps(
    ruleset: AnyRuleset, known: Any, view: View[Any], told: tuple[Told, ...], seen: Observation
) -> tuple[ToldStep, ...]:
    """What he was told since he knew that position, event by event; what shows neither in the log nor on the map is no
    step. The view and the observation are those after the order."""
    steps = []
    for event, after in told:
        changes = NO_CHANGES if after is known else ruleset.piece_changes(known, after, view.side)
        line = _line(ruleset, event, replace(view, position=after), seen)
        if line is not None or changes.changed or changes.gone:
            steps.append(ToldStep(line, changes.changed, changes.gone))
        known = after
    return without_flickers(steps)


def _with_unseen_turns(
    steps: tuple[ToldStep, ...], unseen: SideId, view: View[Any], ruleset: AnyRuleset
) -> tuple[tuple[ToldStep, ...], SideId]:
    """The steps, with a line after every turn of the enemy of which the viewer saw nothing, and of whose turn he has
    seen nothing yet. It is made of what he was told and so tells nothing more."""
    if view.side == SPECTATORS or not ruleset.hides(view.position):
        return steps, SPECTATORS
    found = list[ToldStep]()
    for step in steps:
        tone = step.line.tone if step.line else ""
        if step.line and tone == "heading":
            if unseen not in (SPECTATORS, view.side):
                found.append(ToldStep(LogLine(UNSEEN_TURN, "unseen", sequence=step.line.sequence, turn=step.line.turn)))
            unseen = step.line.side
        elif tone != "phase":
            unseen = SPECTATORS
        found.append(step)
    return tuple(found), unseen


def _line(ruleset: AnyRuleset, event: Event, view: View[Any], seen: Observation) -> LogLine | None:
    """The event as a line of the log, None for bookkeeping."""
    text = ruleset.describe(event, view)
    if not text:
        return None
    marks = ruleset.marks(event)
    return LogLine(text, _kind(event), *marks, sequence=seen.number, turn=seen.turn, mine=seen.mine)


def _kind(event: Event) -> str:
    return str(type(event).__struct_config__.tag)


def taken_back(ruleset: AnyRuleset, change: Change, witness: Witness, undone: int, mover: SideId) -> Noticed | None:
    """What a viewer notices of an undo, or None when he had noticed nothing of the order and nothing changes for
    him."""
    side, account = witness
    view = ruleset.view(change.after, side)
    bears = bearing(ruleset, change.after, view)
    known = known_position(ruleset, change.before, side)
    if not undone and known == view.position and bears == account.bearing:
        return None
    changes = ruleset.piece_changes(known, view.position, side)
    mine, number = side == mover, account.number + 1
    text = "You took an order back." if mine else "An order was taken back."
    line = LogLine(text, "undone", sequence=number, turn=view.turn, mine=mine, undone=undone) if undone else None
    digest = codec.digest([account.digest, undone, changes, bears])
    steps = (ToldStep(line, changes.changed, changes.gone),)
    seen = Observation(number, view.turn, digest, steps, mine=mine, undone=undone)
    return Noticed(seen, Account(number, account.lines + len(seen.lines), digest, bears, account.unseen))


# looking


def log_part(first: int, lines: Iterable[LogLine] = ()) -> LogPart:
    """Lines of a viewer's log, from the line of that number on."""
    return LogPart(first, tuple(lines))


def standpoint(account: Account) -> Standpoint:
    """Where a viewer stands."""
    return Standpoint(account.number, account.digest)


def situation(ruleset: AnyRuleset, state: State[Any], side: SideId, *, can_undo: bool) -> TableChange:
    """All that a table shows besides its pieces."""
    view, outcome = ruleset.view(state, side), ruleset.outcome(state)
    return TableChange(
        turn=view.turn,
        step=ruleset.step(view),
        decisions=view.decisions,
        waiting_for=() if outcome is not None else _waited_for(view, ruleset.sides(state)),
        standing=ruleset.standing(view),
        plans=_plans(ruleset, view),
        can_undo=can_undo,
        outcome=outcome,
    )


def _plans(ruleset: AnyRuleset, view: View[Any]) -> tuple[Target, ...]:
    """What a side has written down, each with whether it could be struck out now."""
    if view.side == SPECTATORS:
        return ()
    plans = ruleset.plans(view)
    if not [plan for plan in plans if not plan.stays]:
        return plans
    return tuple(
        plan if plan.stays or ruleset.check(view, plan.order) is None else replace(plan, stays=True) for plan in plans
    )


NO_TABLE = Table()
NOTHING_YET = TableChange(
    turn=0, step="", decisions=(), waiting_for=(), standing=(), plans=(), can_undo=False, outcome=None
)
"""What spectators see before the first turn is released."""


def _waited_for(view: View[Any], sides: tuple[SideId, ...]) -> tuple[SideId, ...]:
    """Who has to decide, as far as a side can tell from its own decisions; a spectator can't."""
    if view.side == SPECTATORS:
        return ()
    return (view.side,) if view.decisions else tuple(side for side in sides if side != view.side)


def table(ruleset: AnyRuleset, state: State[Any], side: SideId, around: TableChange) -> Table:
    """The whole table as a viewer sees it."""
    pieces = ruleset.pieces(ruleset.view(state, side))
    return Table(side=side, pieces=pieces, **msgspec.structs.asdict(around))


def difference(before: TableChange, after: TableChange) -> TableChange:
    """What of a situation is other than before."""
    old, new = msgspec.structs.asdict(before), msgspec.structs.asdict(after)
    return TableChange(**{name: value for name, value in new.items() if old[name] != value})


def sight(ruleset: AnyRuleset, state: State[Any], shown: Table, account: Account) -> Sight:
    """The table as a side knows it, with its position."""
    view = ruleset.view(state, shown.side)
    return Sight(
        **msgspec.structs.asdict(shown),
        number=account.number,
        digest=account.digest,
        position=msgspec.Raw(codec.encode(view.position)),
        flow=msgspec.Raw(codec.encode(view.flow)),
    )


def spectators_sight(shown: Table, account: Account) -> Sight:
    """The table as spectators know it while the battle goes on."""
    return Sight(**msgspec.structs.asdict(shown), number=account.number, digest=account.digest)


def open_table(ruleset: AnyRuleset, state: State[Any]) -> Table:
    """The whole truth, for spectators of a battle that is over."""
    outcome = ruleset.outcome(state)
    if outcome is None:
        raise ValueError("the truth is shown after the end")
    view = _truth(ruleset, state)
    return Table(
        turn=view.turn,
        step=ruleset.step(view),
        pieces=ruleset.pieces(view),
        standing=ruleset.standing(view),
        outcome=outcome,
    )


def _truth(ruleset: AnyRuleset, state: State[Any]) -> View[Any]:
    """Any side's view with the true position in it, and nothing to decide."""
    return replace(ruleset.view(state, ruleset.sides(state)[0]), position=state.position, decisions=())


def menu(ruleset: AnyRuleset, state: State[Any], side: SideId, number: int, selection: Selection) -> Menu:
    """What the side can do, judged on its view, each order told in words."""
    view = ruleset.view(state, side)

    def told(target: Target) -> Target:
        return target if target.text else replace(target, text=ruleset.order_text(target.order, view))

    def worded(verb: Verb) -> Verb:
        return replace(verb, targets=tuple(map(told, verb.targets)))

    return Menu(number, tuple(map(worded, ruleset.menu(view, selection))))


def preview(
    ruleset: AnyRuleset, state: State[Any], side: SideId, number: int, order: Order, leaves: int, samples: int
) -> Preview:
    """The odds, computed in the world as the side believes it to be."""
    view = ruleset.view(state, side)
    text, odds = ruleset.order_text(order, view), forecast(ruleset, view, order, leaves, samples)
    if isinstance(odds, Refusal):
        return Preview(number, refusal=odds, text=text)
    return Preview(number, odds, text=text, as_known=ruleset.hides(view.position))


def with_odds(asked: Preview, odds: Forecast | Refusal | None) -> Preview:
    """The preview with what a process worked out that was given a belief and nothing else; None when it failed."""
    refusal = odds if isinstance(odds, Refusal) else None if odds is not None else denial(NO_ODDS)
    return replace(asked, forecast=odds if isinstance(odds, Forecast) else None, refusal=refusal)


def trace(ruleset: AnyRuleset, view: View[Any], a: HexId, b: HexId) -> LineOfSight:
    """The line from one hex to another as the side can judge it."""
    return LineOfSight(ruleset.sight(view, a, b))


def field(ruleset: AnyRuleset, view: View[Any], units: tuple[UnitId, ...]) -> FieldOfView:
    """What these units of the side see; all of them when none is named."""
    return FieldOfView(ruleset.seen(view, units))


def ground(ruleset: AnyRuleset, view: View[Any], place: HexId, unit: UnitId = NOBODY) -> HexReport:
    """What the side knows of a hex, and of the danger that a unit of it would be in there."""
    threats = ruleset.threats(view, place, unit)
    return HexReport(ruleset.hex_facts(view, place), ruleset.watchers(view, place), threats)


def ready(ruleset: AnyRuleset, view: View[Any]) -> ReadyUnits:
    """Who of the side can still act, what would be left undone, and whether there is nothing to do but to go on."""
    units, reminders = ruleset.ready(view), ruleset.reminders(view)
    return ReadyUnits(units, reminders, idle=not units and not reminders and _can_only_end(ruleset, view))


def _can_only_end(ruleset: AnyRuleset, view: View[Any]) -> bool:
    """Whether the one thing the side can do with its one open decision is to end it."""
    if len(view.decisions) != 1 or view.decisions[0].optional or view.decisions[0].sealed:
        return False
    verbs = [verb for verb in ruleset.menu(view, Selection()) if verb.targets]
    return len(verbs) == 1 and verbs[0].closes and len(verbs[0].targets) == 1


def unit(ruleset: AnyRuleset, view: View[Any], id: UnitId) -> UnitReport:
    """What the side knows of a unit."""
    return UnitReport(ruleset.card(view, id))


def why_not(ruleset: AnyRuleset, view: View[Any], verb: str, selection: Selection, target: Selection) -> WhyNot:
    """What stands in the way of doing that, as far as the side can tell."""
    return WhyNot(ruleset.why_not(view, verb, selection, target))


def forces(ruleset: AnyRuleset, view: View[Any]) -> Forces:
    """What the side knows of everybody's order of battle."""
    return Forces(ruleset.tree(view))


def highlights(ruleset: AnyRuleset, view: View[Any]) -> Highlights:
    """What the side can have marked."""
    return Highlights(ruleset.queries(view))


def highlight(ruleset: AnyRuleset, view: View[Any], key: str) -> Highlight:
    """What is marked when the side asks for that."""
    return Highlight(ruleset.query(view, key))


def reports(ruleset: AnyRuleset, view: View[Any]) -> ReportList:
    """The reports the side can have."""
    return ReportList(ruleset.reports(view))


def report(ruleset: AnyRuleset, view: View[Any], kind: str) -> WrittenReport:
    """The report of that kind, written for the side."""
    return WrittenReport(ruleset.report(view, kind))


def belief(header: Header, view: View[Any]) -> Belief:
    """A side's view as it is given to another process."""
    return Belief(
        header.system,
        header.scenario,
        header.options,
        view.side,
        view.turn,
        msgspec.Raw(codec.encode(view.position)),
        msgspec.Raw(codec.encode(view.flow)),
        view.decisions,
    )


def turn(ruleset: AnyRuleset, state: State[Any]) -> int:
    """The turn, which is the same for every side."""
    return ruleset.view(state, ruleset.sides(state)[0]).turn


def progress(ruleset: AnyRuleset, state: State[Any]) -> Progress:
    """The turn and the outcome."""
    return Progress(turn(ruleset, state), ruleset.outcome(state))


# looking back


def as_seen(ruleset: AnyRuleset, state: State[Any], side: SideId, seen: Observation, last: int) -> Past:
    """The table as a viewer saw it when he noticed something; there is nothing to decide in the past."""
    shown = table(ruleset, state, side, situation(ruleset, state, side, can_undo=False))
    return Past(seen.number, last, replace(shown, decisions=(), waiting_for=()), seen.steps)


def as_it_was(
    ruleset: AnyRuleset, ended: Outcome | None, change: Change, events: tuple[Event, ...], number: int, last: int
) -> Past:
    """The true table after an order of a battle that is over, and what came of that order."""
    if ended is None:
        raise ValueError("the truth is shown after the end")
    state = change.after
    view = _truth(ruleset, state)
    shown = Table(
        turn=view.turn,
        pieces=ruleset.pieces(view),
        outcome=ruleset.outcome(state),
        step=ruleset.step(view),
        standing=ruleset.standing(view),
    )
    seen, truth = Observation(number, view.turn, ""), list[Told]()
    position = change.before.position
    for event in events:
        position = ruleset.apply(position, event)
        truth.append(Told(event, position))
    return Past(number, last, shown, told_steps(ruleset, change.before.position, view, tuple(truth), seen))


# answering


def accepted(command: str, number: int) -> CommandAnswer:
    """The order is in the log for good; a repeated command has the same answer."""
    return CommandAnswer(command, "accepted", number)


def refused(command: str, number: int, refusal: Refusal) -> CommandAnswer:
    """Nothing was changed."""
    return CommandAnswer(command, "refused", number, refusal)


def stale(command: str, number: int) -> CommandAnswer:
    """Nothing was changed: the sender looked at an older table than there is."""
    refusal = Refusal(AUTHORITY, "the order was given on an older view of the table; look at the present one")
    return CommandAnswer(command, "stale", number, refusal)


def unavailable(command: str, number: int, reason: str) -> CommandAnswer:
    """The order was not acknowledged; the same command may be sent again."""
    return CommandAnswer(command, "unavailable", number, Refusal(AUTHORITY, reason))


def denial(reason: str) -> Refusal:
    """A refusal by the authority, in fixed words."""
    return Refusal(AUTHORITY, reason)


# exporting


def sealed_header(header: Header) -> Header:
    """The header without the seed: the commitment stays."""
    return replace(header, seed=None)


def log_of(header: Header, view: Sight, observations: tuple[Observation, ...]) -> Log:
    """A viewer's own account of a battle that is not over."""
    return Log(sealed_header(header), view.side or None, observations, view)


def whole(record: Record) -> Whole:
    """The full record, once the battle is over."""
    if record.outcome is None:
        raise ValueError("the full record is given out after the end")
    return Whole(record)


def chat_part(to: str, said: Iterable[StoredChat], seats: Mapping[str, Seat]) -> ChatPart:
    """What was said to an audience, with the names of those who said it."""
    return ChatPart(tuple(_chat_line(to, one, seats[one.seat]) for one in said if one.seat in seats))


def _chat_line(to: str, said: StoredChat, speaker: Seat) -> ChatLine:
    return ChatLine(said.number, to, speaker.side or SPECTATORS, said.text, speaker.called)


def card(id: str, title: str, header: Header, status: str, dice: str, created: int, seats: Iterable[Seat]) -> Card:
    """The battle as a list shows it."""
    return Card(
        id,
        title,
        header.system,
        header.rules_version,
        header.scenario,
        status,
        dice,
        header.commitment,
        created,
        tuple(SeatCard(seat.name, seat.kind, seat.side, seat.player, seat.called) for seat in seats),
    )
