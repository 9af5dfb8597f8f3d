"""A battle's log folded into what the authority needs: the state, what each viewer has noticed, which commands are in.

Folding applies recorded events and never the rules, so what was shown once is shown again after a restart, byte for
byte. An undo is an entry like any other: the log only grows, and the lines that stand are those not taken back.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.battle.memory import remembering
from sandtable.battle.observation import (
    Glance,
    Observation,
    Own,
    Picture,
    Public,
    Step,
    glances,
    knowledge,
    noticed,
    picture,
    public,
    released,
    taken_back,
)
from sandtable.battle.storage.rows import Row, Snapshot, link
from sandtable.kernel import codec, replay
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.engine import Played
from sandtable.kernel.events import Draw, Frame, Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.replay import Header
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import State


class LedgerError(Exception):
    """A log that is not what it was when it was written; the message names the entry."""


class Rules:
    """Under which rules, on what scenario, with what header a battle is played; spectators wait `delay` whole turns."""

    def __init__(self, ruleset: AnyRuleset, scenario: Any, header: Header, delay: int = 1) -> None:
        self.ruleset = remembering(ruleset)
        self.scenario = scenario
        self.header = header
        self.delay = delay

    @cached_property
    def opening(self) -> State[Any]:
        """The table before the first event."""
        return self.ruleset.setup(self.scenario, dict(self.header.options), DiceKey(self.header.seed or ""))


class Line(msgspec.Struct, frozen=True):
    """One order that stands, with all it caused."""

    side: SideId | None
    order: msgspec.Raw
    draws: tuple[Draw, ...]
    events: tuple[msgspec.Raw, ...]
    flow: tuple[msgspec.Raw, ...]


class Body(msgspec.Struct, frozen=True):
    """What an entry says: a line is added, or (`back` is its index) one is taken back and those after it stand anew."""

    lines: tuple[Line, ...]
    back: int = 0


class Mark(msgspec.Struct, frozen=True):
    """Under which number a side noticed a line, and how far it had come before."""

    number: int
    prior: int


class Reply(msgspec.Struct, frozen=True):
    """What is needed to answer a command a second time: what it asked and the number of the sender's observation."""

    asked: str
    number: int


class Spectators(msgspec.Struct, frozen=True):
    """What spectators have been told, what waits, and the pictures of the table at the start of each turn."""

    told: tuple[Observation, ...] = ()
    waiting: tuple[Public, ...] = ()
    pictures: tuple[Picture, ...] = ()
    shown: Picture | None = None


class Ledger(msgspec.Struct, frozen=True):
    """A log, folded. `marks` holds how each side noticed each standing line, `fresh` the last thing each side noticed
    that was not taken back."""

    state: State[Any]
    entries: int
    chain: str
    lines: tuple[Line, ...] = ()
    marks: tuple[dict[SideId, Mark], ...] = ()
    logs: dict[SideId, tuple[Observation, ...]] = {}
    fresh: dict[SideId, int] = {}
    spectators: Spectators = Spectators()
    replies: dict[str, Reply] = {}

    def number(self, side: SideId) -> int:
        """The number of the side's latest observation."""
        return self.logs[side][-1].number


def line_of(played: Played[Any]) -> Line:
    """A played order as it is written down."""
    return Line(played.side, _raw(played.order), played.draws, _raws(played.events), _raws(played.state.flow))


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(codec.encode(value))


def _raws(values: tuple[object, ...]) -> tuple[msgspec.Raw, ...]:
    return tuple(_raw(value) for value in values)


def row_of(battle: str, ledger: Ledger, seat: str, command: str, at: int, body: Body) -> Row:
    """The entry that comes next in a log."""
    text = codec.encode(body).decode()
    chain = link(ledger.chain, ledger.entries, seat, command, at, text)
    return Row(battle, ledger.entries, seat, command, at, text, chain)


def blank(rules: Rules) -> Ledger:
    """The ledger of a log without entries; its chain starts with the header, as in `kernel.replay`."""
    return Ledger(rules.opening, 0, codec.digest(rules.header))


# reading lines


def order_of(rules: Rules, line: Line) -> Order:
    """The order of a line that a side gave."""
    order: Order = codec.decode(bytes(line.order), rules.ruleset.info.orders)
    return order


def _frames(rules: Rules, line: Line) -> tuple[Frame, ...]:
    return tuple(codec.decode(bytes(raw), rules.ruleset.info.frames) for raw in line.flow)


def _step(rules: Rules, before: State[Any], line: Line) -> Step:
    """The line's events, applied."""
    position, trail, events = before.position, [], []
    for raw in line.events:
        event = codec.decode(bytes(raw), rules.ruleset.info.events)
        position = rules.ruleset.apply(position, event)
        events.append(event)
        trail.append(position)
    key = DiceKey(before.dice.seed, before.dice.number + 1)
    return Step(State(position, _frames(rules, line), key), tuple(events), tuple(trail))


def state_after(rules: Rules, before: State[Any], line: Line) -> State[Any]:
    """The state that a line leads to."""
    return _step(rules, before, line).state


def state_before(rules: Rules, ledger: Ledger, index: int) -> State[Any]:
    """The state in which the line of that index was ordered."""
    state = rules.opening
    for line in ledger.lines[:index]:
        state = _step(rules, state, line).state
    return state


def played_lines(rules: Rules, ledger: Ledger) -> list[Played[Any]]:
    """The lines that stand, as the kernel records them; positions are left out."""
    result: list[Played[Any]] = []
    for line in ledger.lines:
        order = None if line.side is None else order_of(rules, line)
        events = tuple(codec.decode(bytes(raw), rules.ruleset.info.events) for raw in line.events)
        state: State[Any] = State(None, _frames(rules, line), DiceKey(""))
        result.append(Played(state, line.side, order, line.draws, events, ()))
    return result


# folding


def fold(rules: Rules, ledger: Ledger, rows: list[Row]) -> Ledger:
    """The ledger after those entries; LedgerError at the first that is not what was written."""
    for row in rows:
        try:
            ledger = absorb(rules, ledger, row)
        except LedgerError:
            raise
        except Exception as error:
            raise LedgerError(f"entry {row.number} can't be read: {type(error).__name__}: {error}") from error
    return ledger


def absorb(rules: Rules, ledger: Ledger, row: Row) -> Ledger:
    """The ledger after one more entry, which is checked against those before it."""
    if row.number != ledger.entries:
        raise LedgerError(f"entry {ledger.entries} is missing: entry {row.number} follows")
    if row.chain != link(ledger.chain, row.number, row.seat, row.command, row.at, row.body):
        raise LedgerError(f"entry {row.number} is not the one that was written: its hash chain is broken")
    return entered(rules, ledger, row, codec.decode(row.body.encode(), Body))


def entered(rules: Rules, ledger: Ledger, row: Row, body: Body, played: Played[Any] | None = None) -> Ledger:
    """The ledger after an entry that says `body`; `played` spares applying events that were applied a moment ago."""
    ledger = replace(ledger, entries=row.number + 1, chain=row.chain)
    if body.back:
        return _take_back(rules, ledger, row, body)
    return _add(rules, ledger, row, body.lines[0], played)


def _add(rules: Rules, ledger: Ledger, row: Row, line: Line, played: Played[Any] | None) -> Ledger:
    """The line stands, and every side has noticed what it could."""
    before = ledger.state
    step = _step(rules, before, line) if played is None else Step(played.state, played.events, played.trail)
    logs, fresh, marks = dict(ledger.logs), dict(ledger.fresh), dict[SideId, Mark]()
    seen_by = glances(rules.ruleset, step)
    for side, glance in seen_by.items():
        own = _own(rules, before, line, side, played) if side == line.side else None
        latest = logs[side][-1] if side in logs else None
        seen = noticed(rules.ruleset, glance, latest, own)
        if seen is not None:
            logs[side] = (*logs.get(side, ()), seen)
            marks[side] = Mark(seen.number, fresh.get(side, 0))
            fresh[side] = seen.number
    ledger = replace(
        ledger,
        state=step.state,
        lines=(*ledger.lines, line),
        marks=(*ledger.marks, marks),
        logs=logs,
        fresh=fresh,
        spectators=_watched(rules, ledger, step, [*seen_by.values()]),
    )
    return ledger if line.side is None else _answered(ledger, row, line.side, bytes(line.order))


def _own(rules: Rules, before: State[Any], line: Line, side: SideId, played: Played[Any] | None) -> Own:
    order = order_of(rules, line) if played is None or played.order is None else played.order
    return Own(order, knowledge(rules.ruleset, before, side))


def _answered(ledger: Ledger, row: Row, side: SideId, asked: bytes) -> Ledger:
    reply = Reply(codec.digest(asked.decode()), ledger.number(side))
    return replace(ledger, replies={**ledger.replies, row.command: reply})


def _watched(rules: Rules, ledger: Ledger, step: Step, seen_by: list[Glance]) -> Spectators:
    """The spectators after an order: news wait until `delay` whole turns have passed, or until the end."""
    spectators, ruleset = ledger.spectators, rules.ruleset
    news = public(ruleset, seen_by)
    waiting, pictures = (*spectators.waiting, news), spectators.pictures
    is_new_turn = not ledger.lines or news.turn != ledger.spectators.waiting[-1].turn
    if is_new_turn:
        pictures = (*pictures, picture(ruleset, seen_by))
    # the latest order always waits, so that an undo finds it here
    due = 0
    if ruleset.outcome(step.state) is not None:
        due = len(waiting)
    elif is_new_turn:
        due = sum(one.turn + rules.delay < news.turn for one in waiting)
    ripe = [one for one in pictures if one.turn + rules.delay < news.turn]
    return Spectators(
        (*spectators.told, *released(waiting[:due], len(spectators.told))),
        waiting[due:],
        pictures[len(ripe) :],
        ripe[-1] if ripe else spectators.shown,
    )


def _take_back(rules: Rules, ledger: Ledger, row: Row, body: Body) -> Ledger:
    """The line is gone and those after it stand anew; who had noticed it knows."""
    undone, mover = ledger.marks[body.back], ledger.lines[body.back].side
    assert mover is not None  # line 0 is the set-up, and an index of 0 is no undo
    state = state_before(rules, ledger, body.back)
    for line in body.lines:
        state = _step(rules, state, line).state
    logs, fresh = dict(ledger.logs), dict(ledger.fresh)
    for side, log in ledger.logs.items():
        mark = undone.get(side)
        seen = taken_back(rules.ruleset, state, side, log[-1], mark.number if mark else 0, mover)
        if seen is not None:
            logs[side] = (*log, seen)
            fresh[side] = seen.number
    fresh[mover] = undone[mover].prior
    index = body.back - len(ledger.lines)
    waiting = ledger.spectators.waiting
    ledger = replace(
        ledger,
        state=state,
        lines=(*ledger.lines[: body.back], *body.lines),
        marks=(*ledger.marks[: body.back], *ledger.marks[body.back + 1 :]),
        logs=logs,
        fresh=fresh,
        spectators=replace(ledger.spectators, waiting=(*waiting[:index], *waiting[len(waiting) + index + 1 :])),
    )
    return _answered(ledger, row, mover, UNDO)


UNDO = b"undo"
"""What an undo asks, where an order has its JSON."""


# snapshots


class _Kept(msgspec.Struct, frozen=True):
    state: msgspec.Raw
    entries: int
    chain: str
    lines: tuple[Line, ...]
    marks: tuple[dict[SideId, Mark], ...]
    logs: dict[SideId, tuple[Observation, ...]]
    fresh: dict[SideId, int]
    spectators: Spectators
    replies: dict[str, Reply]


def snapshot_of(ledger: Ledger) -> Snapshot:
    """The ledger as it can be kept beside its log."""
    fields = {name: getattr(ledger, name) for name in _Kept.__struct_fields__ if name != "state"}
    body = codec.encode(_Kept(state=_raw(ledger.state), **fields)).decode()
    return Snapshot(ledger.entries, ledger.chain, codec.digest(body), body)


def from_snapshot(rules: Rules, snapshot: Snapshot) -> Ledger | None:
    """The ledger that was kept, or None when it can't be read: the log then tells everything."""
    try:
        kept: _Kept = codec.decode(snapshot.body.encode(), _Kept)
        state = replay.load(rules.ruleset, bytes(kept.state), ground(rules.opening.position))
    except codec.CodecError:
        return None
    fields = {name: getattr(kept, name) for name in kept.__struct_fields__ if name != "state"}
    return Ledger(state=state, **fields)


def ground(position: Any) -> codec.Fixed | None:
    """The fixed part of a position, which is stored as a digest alone."""
    values = (getattr(position, name) for name in position.__struct_fields__)
    return next((value for value in values if isinstance(value, codec.Fixed)), None)


def restored(rules: Rules, rows: list[Row], head: tuple[int, str], snapshot: Snapshot | None) -> Ledger:
    """The ledger of a whole log, with the help of a snapshot if one fits; LedgerError when the log was changed."""
    start = blank(rules)
    previous = start.chain
    for number, row in enumerate(rows):
        if row.number != number or row.chain != link(previous, number, row.seat, row.command, row.at, row.body):
            raise LedgerError(f"entry {number} is not the one that was written: its hash chain is broken")
        previous = row.chain
    if head != (len(rows), previous):
        raise LedgerError(f"the log ends after {len(rows)} entries, but {head[0]} were written")
    if snapshot is not None and 0 < snapshot.number <= len(rows) and rows[snapshot.number - 1].chain == snapshot.chain:
        start = from_snapshot(rules, snapshot) or start
    return fold(rules, start, rows[start.entries :])
