"""A battle's log folded into what the authority needs: the state, how far each viewer has come, what can be taken back.

Folding applies recorded events and never the rules, so what was shown once is shown again after a restart, byte for
byte. An undo is an entry like any other: the log only grows, and the orders that stand are those not taken back. Of the
log itself a ledger holds only the tail; what is older is folded again from the store (`battle.history`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.battle.observation import Account, Change, Noticed, Own, Witness, knowledge, noticed, taken_back, turn
from sandtable.battle.observed import Observation
from sandtable.battle.storage.rows import StoredEntry, link
from sandtable.kernel import codec
from sandtable.kernel.engine import all_viewers, undoable
from sandtable.kernel.events import DiceKey, Draw, Event, Frame, Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.replay import Header
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import Outcome, Played, State
from sandtable.kernel.telling import introduced, retold

TAIL = 512
"""How many observations of each viewer, and how many replies at most, are held in memory."""

FARTHEST_UNDO = 64
"""An order can be taken back while at most so many stand after it."""

Viewers = Callable[[AnyRuleset, State[Any]], tuple[SideId, ...]]


class LedgerError(Exception):
    """A log that is not what it was when it was written; the message names the entry."""


def nobody(ruleset: AnyRuleset, state: State[Any]) -> tuple[SideId, ...]:
    """Nobody notices anything: for games that are only counted, between players who look at the table. Where units may
    be out of sight they are told all the same what happens, or they would remember nothing.
    """
    return ruleset.sides(state) if ruleset.hides(state.position) else ()


class Rules:
    """Under which rules, on what scenario, with what header a battle is played, and who is told of it; spectators wait
    `delay` whole turns. `content` holds the files of the scenario, where they are kept."""

    def __init__(
        self,
        ruleset: AnyRuleset,
        scenario: Any,
        header: Header,
        delay: int = 1,
        viewers: Viewers = all_viewers,
        content: str = "",
    ) -> None:
        self.ruleset = ruleset
        self.scenario = scenario
        self.header = header
        self.delay = delay
        self.content = content
        self._viewers = viewers

    @cached_property
    def opening(self) -> State[Any]:
        """The table before the first event."""
        return self.known(self.ruleset.setup(self.scenario, dict(self.header.options), DiceKey(self.header.seed or "")))

    def known(self, state: State[Any], before: Mapping[SideId, Any] | None = None) -> State[Any]:
        """The state in which every viewer knows what he may know of it, and remembers what he knew before."""
        return introduced(self.ruleset, state, self._viewers(self.ruleset, state), before or {})

    @property
    def is_only_counted(self) -> bool:
        """Whether nobody notices anything, and nothing can be taken back."""
        return self._viewers is nobody

    @cached_property
    def sides(self) -> tuple[SideId, ...]:
        return self.ruleset.sides(self.opening)


class LoggedOrder(msgspec.Struct, frozen=True):
    """One order that stands, with all it caused."""

    side: SideId | None
    order: msgspec.Raw
    draws: tuple[Draw, ...]
    events: tuple[msgspec.Raw, ...]
    flow: tuple[msgspec.Raw, ...]


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry says: an order is added, or (`back` is its index) one is taken back and those after it stand anew.

    `number` is the one under which the sender noticed it, so that a repeated command can be answered from the entry.
    """

    lines: tuple[LoggedOrder, ...]
    back: int = 0
    number: int = 0


class Standing(msgspec.Struct, frozen=True):
    """An order that stands, the state it was given in, and the numbers under which viewers noticed it."""

    line: LoggedOrder
    before: State[Any]
    numbers: dict[SideId, int]


class Reply(msgspec.Struct, frozen=True):
    """What is needed to answer a command a second time: what it asked and the number of the sender's observation."""

    asked: str
    number: int


class TurnMark(NamedTuple):
    """How many entries there were before the one that began a turn."""

    turn: int
    entries: int


class Tail(msgspec.Struct, frozen=True):
    """The latest observations of each viewer, and the latest replies by command; those before them stand apart, since
    the others are copied with every entry.
    """

    logs: dict[SideId, tuple[Observation, ...]] = {}
    replies: dict[str, Reply] = {}
    earlier: dict[str, Reply] = {}

    def reply(self, command: str) -> Reply | None:
        """The reply to a command, as far as it is held."""
        return self.replies.get(command) or self.earlier.get(command)


class Ledger(msgspec.Struct, frozen=True):
    """A log, folded. `recent` holds the latest standing orders from the oldest that may still be taken back, `takeable`
    the indexes of those that each side may take back, the latest last."""

    state: State[Any]
    entries: int
    chain: str
    lines: int = 0
    accounts: dict[SideId, Account] = {}
    recent: tuple[Standing, ...] = ()
    takeable: dict[SideId, tuple[int, ...]] = {}
    turns: tuple[TurnMark, ...] = ()
    outcome: Outcome | None = None
    tail: Tail = Tail()

    def number(self, side: SideId) -> int:
        """The number of the side's latest observation."""
        return self.account(side).number

    def account(self, side: SideId) -> Account:
        """How far a viewer has come."""
        return self.accounts.get(side, Account())

    def standing(self, index: int) -> Standing:
        """One of the latest standing orders."""
        return self.recent[index - self.lines]

    @property
    def bare(self) -> Ledger:
        """The ledger without its tail: what is enough to go on from here."""
        return replace(self, tail=Tail())


def line_of(played: Played[Any]) -> LoggedOrder:
    """A played order as it is written down."""
    return LoggedOrder(played.side, _raw(played.order), played.draws, _raws(played.events), _raws(played.state.flow))


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(codec.encode(value))


def _raws(values: tuple[object, ...]) -> tuple[msgspec.Raw, ...]:
    return tuple(_raw(value) for value in values)


def row_of(battle: str, ledger: Ledger, seat: str, command: str, at: int, body: Body) -> StoredEntry:
    """The entry that comes next in a log."""
    text = codec.encode(body).decode()
    chain = link(ledger.chain, ledger.entries, seat, command, at, text)
    return StoredEntry(battle, ledger.entries, seat, command, at, text, chain)


def body_of(row: StoredEntry) -> Body:
    """What an entry says."""
    body: Body = codec.decode(row.body.encode(), Body)
    return body


def reply_of(body: Body) -> Reply:
    """How the command of an entry is answered."""
    asked = UNDO if body.back else bytes(body.lines[0].order)
    return Reply(codec.digest(asked.decode()), body.number)


UNDO = b"undo"
"""What an undo asks, where an order has its JSON."""


def blank(rules: Rules) -> Ledger:
    """The ledger of a log without entries; its chain starts with the header, as in `kernel.replay`."""
    return Ledger(rules.opening, 0, codec.digest(rules.header))


# reading lines


def order_of(rules: Rules, line: LoggedOrder) -> Order | None:
    """The order of a line; None for the set-up."""
    if line.side is None:
        return None
    order: Order = codec.decode(bytes(line.order), rules.ruleset.info.orders)
    return order


def events_of(rules: Rules, line: LoggedOrder) -> tuple[Event, ...]:
    """What the line caused."""
    return tuple(codec.decode(bytes(raw), rules.ruleset.info.events) for raw in line.events)


def frames_of(rules: Rules, line: LoggedOrder) -> tuple[Frame, ...]:
    """Where the line left the sequence of play."""
    return tuple(codec.decode(bytes(raw), rules.ruleset.info.frames) for raw in line.flow)


def replayed(rules: Rules, before: State[Any], line: LoggedOrder) -> Played[Any]:
    """The line as it was carried out: its events applied and told, the rules not asked."""
    events = events_of(rules, line)
    state, told = retold(rules.ruleset, before, events, frames_of(rules, line))
    return Played(state, line.side, order_of(rules, line), line.draws, events, told)


# folding


def fold(rules: Rules, ledger: Ledger, rows: list[StoredEntry]) -> Ledger:
    """The ledger after those entries; LedgerError at the first that is not what was written."""
    for row in rows:
        ledger = absorbed(rules, ledger, row)
    return ledger


def absorbed(rules: Rules, ledger: Ledger, row: StoredEntry) -> Ledger:
    """As `absorb`, with a LedgerError for whatever goes wrong."""
    try:
        return absorb(rules, ledger, row)
    except LedgerError:
        raise
    except Exception as error:
        raise LedgerError(f"entry {row.number} can't be read: {type(error).__name__}: {error}") from error


def absorb(rules: Rules, ledger: Ledger, row: StoredEntry) -> Ledger:
    """The ledger after one more entry, which is checked against those before it."""
    if row.number != ledger.entries:
        raise LedgerError(f"entry {ledger.entries} is missing: entry {row.number} follows")
    if row.chain != link(ledger.chain, row.number, row.seat, row.command, row.at, row.body):
        raise LedgerError(f"entry {row.number} is not the one that was written: its hash chain is broken")
    return entered(rules, ledger, row, body_of(row))


def entered(rules: Rules, ledger: Ledger, row: StoredEntry, body: Body, played: Played[Any] | None = None) -> Ledger:
    """The ledger after an entry that says `body`; `played` spares applying events that were applied a moment ago."""
    ledger = replace(ledger, entries=row.number + 1, chain=row.chain)
    ledger = _take_back(rules, ledger, body) if body.back else _add(rules, ledger, body.lines[0], played)
    return _answered(_dated(rules, ledger), row, body)


def _add(rules: Rules, ledger: Ledger, line: LoggedOrder, played: Played[Any] | None) -> Ledger:
    """The line stands, and every viewer has noticed what he could."""
    if played is None:
        played = replayed(rules, ledger.state, line)
    change, found = Change(ledger.state, played.state), dict[SideId, tuple[Noticed, ...]]()
    for viewer, told in () if rules.is_only_counted else played.told.items():
        own = _own(rules, change.before, played) if viewer == line.side else None
        seen = noticed(rules.ruleset, change, Witness(viewer, ledger.account(viewer)), told, own)
        if seen:
            found[viewer] = seen
    if rules.is_only_counted and line.side is not None:
        # nobody notices anything, but who orders still counts his orders
        account = ledger.account(line.side)
        ledger = replace(ledger, accounts={**ledger.accounts, line.side: Account(account.number + 1)})
    numbers = {viewer: seen[0].observation.number for viewer, seen in found.items()}
    ledger = _with_news(ledger, found)
    return _with_takeable(
        replace(
            ledger,
            state=played.state,
            lines=ledger.lines + 1,
            recent=(*ledger.recent, Standing(line, change.before, numbers)),
            outcome=rules.ruleset.outcome(played.state),
        ),
        line.side,
        can_be=_may_be_taken_back(rules, change, played),
    )


def _own(rules: Rules, before: State[Any], played: Played[Any]) -> Own:
    assert played.side is not None
    assert played.order is not None
    return Own(played.order, knowledge(rules.ruleset, before, played.side))


def _may_be_taken_back(rules: Rules, change: Change, played: Played[Any]) -> bool:
    """Whether the order drew no dice, told its side nothing new, passed no decision and ended no turn."""
    if played.side is None or rules.is_only_counted or not undoable(rules.ruleset, change.before, played):
        return False
    return turn(rules.ruleset, change.before) == turn(rules.ruleset, change.after)


def _with_news(ledger: Ledger, found: dict[SideId, tuple[Noticed, ...]]) -> Ledger:
    """The ledger in which the viewers have noticed that; who noticed another's order takes none of his own back."""
    logs = dict(ledger.tail.logs)
    for viewer, seen in found.items():
        logs[viewer] = (*logs.get(viewer, ()), *(one.observation for one in seen))[-TAIL:]
    accounts = {**ledger.accounts, **{viewer: seen[-1].account for viewer, seen in found.items()}}
    passive = {viewer for viewer, seen in found.items() if not all(one.observation.mine for one in seen)}
    takeable = {side: indexes for side, indexes in ledger.takeable.items() if side not in passive}
    return replace(ledger, accounts=accounts, takeable=takeable, tail=replace(ledger.tail, logs=logs))


def _with_takeable(ledger: Ledger, side: SideId | None, *, can_be: bool) -> Ledger:
    """The ledger in which the latest order may be taken back or not; only what that needs is kept of the recent."""
    takeable = dict(ledger.takeable)
    if side is not None:
        takeable[side] = (*takeable.get(side, ()), ledger.lines - 1) if can_be else ()
    oldest = ledger.lines - 1 - FARTHEST_UNDO
    takeable = {one: tuple(n for n in indexes if n > oldest) for one, indexes in takeable.items()}
    return _trimmed(replace(ledger, takeable={one: indexes for one, indexes in takeable.items() if indexes}))


def _trimmed(ledger: Ledger) -> Ledger:
    kept = ledger.lines - min((indexes[0] for indexes in ledger.takeable.values()), default=ledger.lines)
    return replace(ledger, recent=ledger.recent[len(ledger.recent) - kept :])


def _take_back(rules: Rules, ledger: Ledger, body: Body) -> Ledger:
    """The order is gone and those after it stand anew; who had noticed it knows."""
    undone, index = ledger.standing(body.back), body.back
    mover = undone.line.side
    assert mover is not None  # line 0 is the set-up, and an index of 0 is no undo
    later = ledger.recent[len(ledger.recent) - (ledger.lines - index) + 1 :]
    state, anew = undone.before, []
    for line, old in zip(body.lines, later, strict=True):
        anew.append(Standing(line, state, old.numbers))
        state = replayed(rules, state, line).state
    change, found = Change(ledger.state, state), dict[SideId, tuple[Noticed, ...]]()
    for viewer in state.known.positions:
        number = undone.numbers.get(viewer, 0)
        seen = taken_back(rules.ruleset, change, Witness(viewer, ledger.account(viewer)), number, mover)
        if seen is not None:
            found[viewer] = (seen,)
    kept = ledger.recent[: len(ledger.recent) - (ledger.lines - index)]
    takeable = {
        side: tuple(n - (n > index) for n in indexes if n != index) for side, indexes in ledger.takeable.items()
    }
    ledger = replace(
        ledger,
        state=state,
        lines=ledger.lines - 1,
        recent=(*kept, *anew),
        takeable={side: indexes for side, indexes in takeable.items() if indexes},
    )
    return _trimmed(_with_news(ledger, found))


def _answered(ledger: Ledger, row: StoredEntry, body: Body) -> Ledger:
    replies, earlier = {**ledger.tail.replies, row.command: reply_of(body)}, ledger.tail.earlier
    if len(replies) > TAIL // 2:
        replies, earlier = {}, replies
    return replace(ledger, tail=replace(ledger.tail, replies=replies, earlier=earlier))


# what spectators have been told


def _dated(rules: Rules, ledger: Ledger) -> Ledger:
    """The ledger in which it is known when the latest turns began, as spectators need it."""
    if rules.is_only_counted:
        return ledger
    now = turn(rules.ruleset, ledger.state)
    if ledger.turns and ledger.turns[-1].turn == now:
        return ledger
    turns = (*ledger.turns, TurnMark(now, ledger.entries - 1))
    return replace(ledger, turns=tuple(mark for mark in turns if mark.turn >= now - rules.delay))


def released(ledger: Ledger) -> int:
    """Of how many entries spectators have been told: of all before the turn that is `delay` turns ago, for the turns
    that are kept begin with that one; of everything after the end.
    """
    if ledger.outcome is not None:
        return ledger.entries
    return ledger.turns[0].entries if ledger.turns else 0


def news_since(ledger: Ledger, viewer: SideId, number: int) -> tuple[Observation, ...]:
    """What a viewer noticed by the latest entry, having noticed so much before."""
    return ledger.tail.logs[viewer][-(ledger.number(viewer) - number) :] if ledger.number(viewer) > number else ()


def told_of(rules: Rules, ledger: Ledger, viewer: SideId, since: int) -> tuple[Observation, ...] | None:
    """What a viewer noticed after that number; None when the tail no longer holds it."""
    if rules.is_only_counted or viewer not in ledger.state.known.positions:
        return ()
    missed = ledger.number(viewer) - max(0, since)
    log = ledger.tail.logs.get(viewer, ())
    if missed > len(log):
        return None
    return log[len(log) - missed :] if missed > 0 else ()


def ground(position: Any) -> codec.Fixed | None:
    """The fixed part of a position, which is stored as a digest alone."""
    values = (getattr(position, name) for name in position.__struct_fields__)
    return next((value for value in values if isinstance(value, codec.Fixed)), None)
