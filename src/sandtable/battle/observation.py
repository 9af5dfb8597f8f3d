"""The one exit: everything that leaves a battle for a player or a spectator is made here, and only here.

Views, events, sentences, menus, previews, lines of sight, answers, errors, undo, looks back, exports and the list of
battles are `Observed` values, built from what a viewer may know instead of stripped from what is true. Numbers count
what that viewer has noticed: an order he can't notice advances nothing he can see. Dice leave inside events alone,
never as draws. `EXITS` lists the ways out, and the twin worlds of the tests go through every one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import msgspec

from sandtable.battle.seats import Kind, Seat
from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision, Refusal
from sandtable.kernel.events import Event, Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.replay import Header, Record
from sandtable.kernel.ruleset import AnyRuleset, Piece, Selection, SightLine, Threat, Verb
from sandtable.kernel.state import Outcome, State, View
from sandtable.kernel.trace import Line, Tally

AUTHORITY = RuleId("BATTLE")
"""The rule cited when the authority itself refuses: stale, not your seat, the store is away."""


NO_ODDS = "the odds of this order can't be told"

Exit = TypeVar("Exit", bound=Callable[..., Any])

EXITS: dict[str, Callable[..., Any]] = {}
"""Every way out of a battle by name, such as "Battle.view"."""


def way_out(method: Exit) -> Exit:
    """The method is in the list of exits."""
    EXITS[method.__qualname__] = method
    return method


class Observed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something a viewer may have."""


class Seen(Observed, frozen=True):
    """One event as the viewer may know it, and the sentence of the log that tells it."""

    event: msgspec.Raw
    text: str


class Observation(Observed, frozen=True):
    """What a viewer noticed of one order; `view` is the digest of his view after it.

    `order` is the text of the viewer's own order; `undone` is the number of the observation that was taken back.
    """

    number: int
    turn: int
    view: str
    events: tuple[Seen, ...] = ()
    mine: bool = False
    order: str = ""
    undone: int = 0


class Table(Observed, frozen=True):
    """The table as a viewer sees it at one moment; `number` is that of his latest observation.

    `step` is where play stands in the system's own words, `waiting_for` who has to decide as far as the viewer can
    tell. A spectator knows neither before the end: he sees the pieces that every side sees.
    """

    number: int
    turn: int
    view: str
    side: SideId | None = None
    pieces: tuple[Piece, ...] = ()
    decisions: tuple[Decision, ...] = ()
    can_undo: bool = False
    outcome: Outcome | None = None
    step: str = ""
    waiting_for: tuple[SideId, ...] = ()
    standing: tuple[Tally, ...] = ()


class Sight(Table, frozen=True):
    """The table with all the viewer knows of it, to reckon with; a spectator has no `position` before the end."""

    position: msgspec.Raw | None = None
    flow: msgspec.Raw | None = None


class Menu(Observed, frozen=True):
    """What can be done with the selected units or hex; `texts` tells each target of each verb as an order in words."""

    number: int
    verbs: tuple[Verb, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()


class Preview(Observed, frozen=True):
    """The odds of an order as its side may compute them, or the refusal it would meet; `text` is the order in words."""

    number: int
    forecast: Forecast | None = None
    refusal: Refusal | None = None
    text: str = ""


class Trace(Observed, frozen=True):
    """Whether one hex sees another, as far as the viewer can tell."""

    line: SightLine


class Field(Observed, frozen=True):
    """The hexes that some of the viewer's units see between them."""

    hexes: tuple[HexId, ...]


class Ground(Observed, frozen=True):
    """What the viewer knows of a hex: what the rules say of it, who sees it, which known enemies threaten it."""

    facts: tuple[Line, ...]
    watchers: tuple[UnitId, ...]
    threats: tuple[Threat, ...]


class Past(Observed, frozen=True):
    """The table as it was when something was noticed, and what that was; `last` is the latest number there is."""

    number: int
    last: int
    table: Table
    news: Observation


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


class Progress(Observed, frozen=True):
    """How far a battle is, which every side knows."""

    turn: int
    outcome: Outcome | None = None


class Answer(Observed, frozen=True):
    """What became of a command: "accepted" with what its sender noticed, "refused" with the reason, "stale" with the
    present view, or "unavailable": perhaps stored, perhaps not, and the same command may be sent again."""

    command: str
    verdict: str
    number: int
    observation: Observation | None = None
    refusal: Refusal | None = None
    sight: Sight | None = None


class Log(Observed, frozen=True):
    """A battle as one viewer has seen it so far, to keep or to send."""

    header: Header
    side: SideId | None
    observations: tuple[Observation, ...]
    sight: Sight


class Whole(Observed, frozen=True):
    """The full record of a battle that is over, seed included, so that everybody can verify every die."""

    record: Record


class Place(Observed, frozen=True):
    """A seat as everybody may know it."""

    name: str
    kind: Kind
    side: SideId | None = None
    player: str = ""


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
    places: tuple[Place, ...]


def wire(value: Observed) -> bytes:
    """The bytes that are sent; nothing but an observed value has any."""
    if not isinstance(value, Observed):
        raise TypeError(f"{type(value).__name__} may not leave the battle")
    return codec.encode(value)


# noticing


class Step(NamedTuple):
    """An order carried out, as far as noticing it needs: the state after it and each event with the position then."""

    state: State[Any]
    events: tuple[Event, ...]
    trail: tuple[Any, ...]


class Own(NamedTuple):
    """The viewer's own order and the view he gave it on."""

    order: Order
    view: View[Any]


def knowledge(ruleset: AnyRuleset, state: State[Any], side: SideId) -> View[Any]:
    """The view a side decides on: what computer players are given."""
    return ruleset.view(state, side)


def view_digest(view: View[Any]) -> str:
    """What two equal views have in common and two different ones have not."""
    return codec.digest(view)


class Glance(NamedTuple):
    """What a side can make of an order: its view after it, and each event as it may know it or None."""

    view: View[Any]
    events: tuple[Event | None, ...]


def glances(ruleset: AnyRuleset, step: Step) -> dict[SideId, Glance]:
    """What each side can make of an order."""
    happened = [*zip(step.events, step.trail, strict=True)]
    return {
        side: Glance(
            ruleset.view(step.state, side),
            tuple(ruleset.redact(event, position, side) for event, position in happened),
        )
        for side in ruleset.sides(step.state)
    }


def noticed(ruleset: AnyRuleset, glance: Glance, latest: Observation | None, own: Own | None) -> Observation | None:
    """What a side notices of an order, or None when it was none of its own and left its view as it was."""
    view = glance.view
    digest = view_digest(view)
    events = tuple(_told(ruleset, event, view) for event in glance.events if event is not None)
    if own is None and latest is not None and not events and digest == latest.view:
        return None
    number = latest.number + 1 if latest is not None else 1
    text = ruleset.order_text(own.order, own.view) if own is not None else ""
    return Observation(number, view.turn, digest, events, own is not None, text)


def _told(ruleset: AnyRuleset, event: Event, view: View[Any]) -> Seen:
    return Seen(msgspec.Raw(codec.encode(event)), ruleset.describe(event, view))


def taken_back(
    ruleset: AnyRuleset, state: State[Any], side: SideId, latest: Observation, undone: int, mover: SideId
) -> Observation | None:
    """What a side notices of an undo, or None when it had noticed nothing of the order and nothing changes for it."""
    view = ruleset.view(state, side)
    digest = view_digest(view)
    if not undone and digest == latest.view:
        return None
    return Observation(latest.number + 1, view.turn, digest, mine=side == mover, undone=undone)


# the spectators


class Public(Observed, frozen=True):
    """What every side noticed of one order, waiting for the turns that must pass before spectators hear of it."""

    turn: int
    events: tuple[Seen, ...]


class Picture(Observed, frozen=True):
    """The pieces that every side saw when a turn began."""

    turn: int
    pieces: tuple[Piece, ...]


def public(ruleset: AnyRuleset, glances: Iterable[Glance]) -> Public:
    """The events that every side was shown in the same form, told in words that every side was told."""
    sides = [*glances]
    seen = []
    for forms in zip(*(glance.events for glance in sides), strict=True):
        first = forms[0]
        if first is None or any(form != first for form in forms):
            continue
        told = [_told(ruleset, first, glance.view) for glance in sides]
        seen.append(told[0] if all(one.text == told[0].text for one in told) else Seen(told[0].event, ""))
    return Public(sides[0].view.turn, tuple(seen))


def picture(ruleset: AnyRuleset, glances: Iterable[Glance]) -> Picture:
    """The pieces that look the same in every side's view."""
    views = [glance.view for glance in glances]
    pieces, *others = ([*ruleset.pieces(view)] for view in views)
    return Picture(views[0].turn, tuple(piece for piece in pieces if all(piece in other for other in others)))


def released(waiting: Iterable[Public], number: int) -> tuple[Observation, ...]:
    """Waiting news as spectators get it, numbered on from what they have; orders nobody else noticed are no news."""
    told = (one for one in waiting if one.events)
    return tuple(Observation(n, one.turn, "", one.events) for n, one in enumerate(told, number + 1))


# looking


def sight(ruleset: AnyRuleset, state: State[Any], side: SideId, number: int, *, can_undo: bool) -> Sight:
    """The table as a side knows it, with its position."""
    view = ruleset.view(state, side)
    return Sight(
        **_table(ruleset, state, view, can_undo=can_undo),
        number=number,
        view=view_digest(view),
        position=msgspec.Raw(codec.encode(view.position)),
        flow=msgspec.Raw(codec.encode(view.flow)),
    )


def table(ruleset: AnyRuleset, state: State[Any], side: SideId, latest: Observation, *, can_undo: bool) -> Table:
    """The table as a side sees it; what it has not noticed since its latest observation has not changed its view."""
    view = ruleset.view(state, side)
    return Table(**_table(ruleset, state, view, can_undo=can_undo), number=latest.number, view=latest.view)


def _table(ruleset: AnyRuleset, state: State[Any], view: View[Any], *, can_undo: bool) -> dict[str, Any]:
    outcome = ruleset.outcome(state)
    return {
        "turn": view.turn,
        "side": view.side,
        "pieces": ruleset.pieces(view),
        "decisions": view.decisions,
        "can_undo": can_undo,
        "outcome": outcome,
        "step": step(view),
        "waiting_for": () if outcome is not None else _waited_for(view, ruleset.sides(state)),
        "standing": ruleset.standing(view),
    }


def step(view: View[Any]) -> str:
    """Where play stands, in the system's own words: its name for the open decision, or for the step play is in."""
    if view.decisions:
        return view.decisions[0].kind
    for frame in reversed(view.flow):
        if name := getattr(frame, "step", ""):
            return str(name)
    return ""


def _waited_for(view: View[Any], sides: tuple[SideId, ...]) -> tuple[SideId, ...]:
    """Who has to decide, as far as the viewer can tell from his own decisions."""
    return (view.side,) if view.decisions else tuple(side for side in sides if side != view.side)


def spectators_sight(number: int, latest: Picture | None) -> Sight:
    """The table as spectators know it while the battle goes on; nothing before the first picture is released."""
    if latest is None:
        return Sight(number, 0, codec.digest([]))
    return Sight(number, latest.turn, codec.digest(latest), pieces=latest.pieces)


def open_sight(ruleset: AnyRuleset, state: State[Any], number: int) -> Sight:
    """The whole truth, for spectators of a battle that is over."""
    outcome = ruleset.outcome(state)
    if outcome is None:
        raise ValueError("the truth is shown after the end")
    view = _truth(ruleset, state)
    return Sight(
        number=number,
        turn=view.turn,
        view=view_digest(view),
        pieces=ruleset.pieces(view),
        position=msgspec.Raw(codec.encode(view.position)),
        flow=msgspec.Raw(codec.encode(view.flow)),
        outcome=outcome,
    )


def _truth(ruleset: AnyRuleset, state: State[Any]) -> View[Any]:
    """Any side's view with the true position in it."""
    return msgspec.structs.replace(ruleset.view(state, ruleset.sides(state)[0]), position=state.position)


def menu(ruleset: AnyRuleset, state: State[Any], side: SideId, number: int, selection: Selection) -> Menu:
    """What the side can do, judged on its view."""
    view = ruleset.view(state, side)
    verbs = ruleset.menu(view, selection)
    texts = tuple(tuple(ruleset.order_text(target.order, view) for target in verb.targets) for verb in verbs)
    return Menu(number, verbs, texts)


def preview(
    ruleset: AnyRuleset, state: State[Any], side: SideId, number: int, order: Order, leaves: int, samples: int
) -> Preview:
    """The odds, computed in the world as the side believes it to be."""
    view = ruleset.view(state, side)
    text, odds = ruleset.order_text(order, view), forecast(ruleset, view, order, leaves, samples)
    return Preview(number, refusal=odds, text=text) if isinstance(odds, Refusal) else Preview(number, odds, text=text)


def with_odds(asked: Preview, odds: Forecast | Refusal | None) -> Preview:
    """The preview with what a process worked out that was given a belief and nothing else; None when it failed."""
    refusal = odds if isinstance(odds, Refusal) else None if odds is not None else denial(NO_ODDS)
    return msgspec.structs.replace(asked, forecast=odds if isinstance(odds, Forecast) else None, refusal=refusal)


def trace(ruleset: AnyRuleset, view: View[Any], a: HexId, b: HexId) -> Trace:
    """The line from one hex to another as the side can judge it."""
    return Trace(ruleset.sight(view, a, b))


def field(ruleset: AnyRuleset, view: View[Any], units: tuple[UnitId, ...]) -> Field:
    """What these units of the side see; all of them when none is named."""
    return Field(ruleset.seen(view, units))


def ground(ruleset: AnyRuleset, view: View[Any], place: HexId) -> Ground:
    """What the side knows of a hex."""
    return Ground(ruleset.hex_facts(view, place), ruleset.watchers(view, place), ruleset.threats(view, place))


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


def progress(ruleset: AnyRuleset, state: State[Any]) -> Progress:
    """The turn, which is the same for every side, and the outcome."""
    return Progress(ruleset.view(state, ruleset.sides(state)[0]).turn, ruleset.outcome(state))


# looking back


def as_seen(ruleset: AnyRuleset, state: State[Any], side: SideId, seen: Observation, last: int) -> Past:
    """The table as a side saw it when it noticed something; there is nothing to decide in the past."""
    shown = table(ruleset, state, side, seen, can_undo=False)
    return Past(seen.number, last, msgspec.structs.replace(shown, decisions=(), waiting_for=()), seen)


def as_it_was(
    ruleset: AnyRuleset, ended: Outcome | None, state: State[Any], events: tuple[Event, ...], number: int, last: int
) -> Past:
    """The true table after an order of a battle that is over, and what came of that order."""
    if ended is None:
        raise ValueError("the truth is shown after the end")
    view = msgspec.structs.replace(_truth(ruleset, state), decisions=())
    shown = Table(
        number=number,
        turn=view.turn,
        view="",
        pieces=ruleset.pieces(view),
        outcome=ruleset.outcome(state),
        step=step(view),
        standing=ruleset.standing(view),
    )
    told = tuple(_told(ruleset, event, view) for event in events)
    return Past(number, last, shown, Observation(number, view.turn, "", told))


# answering


def accepted(command: str, observation: Observation) -> Answer:
    """The order is in the log for good; made of the observation alone, so a repeated command has the same answer."""
    return Answer(command, "accepted", observation.number, observation)


def refused(command: str, number: int, refusal: Refusal) -> Answer:
    """Nothing was changed."""
    return Answer(command, "refused", number, refusal=refusal)


def stale(command: str, view: Sight) -> Answer:
    """Nothing was changed: the sender looked at an older table than there is."""
    refusal = Refusal(AUTHORITY, "the order was given on an older view of the table; here is the present one")
    return Answer(command, "stale", view.number, refusal=refusal, sight=view)


def unavailable(command: str, number: int, reason: str) -> Answer:
    """The order was not acknowledged; the same command may be sent again."""
    return Answer(command, "unavailable", number, refusal=Refusal(AUTHORITY, reason))


def denial(reason: str) -> Refusal:
    """A refusal by the authority, in fixed words."""
    return Refusal(AUTHORITY, reason)


# exporting


def sealed_header(header: Header) -> Header:
    """The header without the seed: the commitment stays."""
    return msgspec.structs.replace(header, seed=None)


def log_of(header: Header, view: Sight, observations: tuple[Observation, ...]) -> Log:
    """A viewer's own account of a battle that is not over."""
    return Log(sealed_header(header), view.side, observations, view)


def whole(record: Record) -> Whole:
    """The full record, once the battle is over."""
    if record.outcome is None:
        raise ValueError("the full record is given out after the end")
    return Whole(record)


def card(id: str, title: str, header: Header, status: str, dice: str, created: int, seats: Iterable[Seat]) -> Card:
    """The battle as a list shows it."""
    places = tuple(Place(seat.name, seat.kind, seat.side, seat.player) for seat in seats)
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
        places,
    )
