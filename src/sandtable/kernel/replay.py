"""The record of a battle: what was ordered, how the dice fell, what happened.

Folding applies events; verifying re-runs the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from sandtable.kernel import codec
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.events import DiceKey, Draw, Frame
from sandtable.kernel.ids import SideId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import Outcome, Played, State
from sandtable.kernel.telling import retold

P = TypeVar("P")

FORMAT = 1


class Header(msgspec.Struct, frozen=True):
    """Which battle this is: enough to set it up again and to notice that anything has changed since."""

    format: int
    system: str
    rules_version: str
    scenario: str
    scenario_digest: str
    options: dict[str, Any]
    commitment: str
    seed: str | None = None


class Entry(msgspec.Struct, frozen=True):
    """One order and all it caused; `chain` binds it to everything before it."""

    number: int
    side: SideId | None
    order: msgspec.Raw
    draws: tuple[Draw, ...]
    events: tuple[msgspec.Raw, ...]
    flow: tuple[msgspec.Raw, ...]
    chain: str


class Record(msgspec.Struct, frozen=True):
    """A battle from its first order to its latest, with the digest of the state it leads to."""

    header: Header
    entries: tuple[Entry, ...]
    digest: str
    outcome: Outcome | None = None


class Verdict(msgspec.Struct, frozen=True):
    """Whether a record is what the rules and its seed make of its orders; if not, the first place where it isn't."""

    holds: bool
    entries: int
    problem: str = ""


def commitment(seed: str) -> str:
    """What may be published of a seed before the battle: it binds the dice and tells nothing of them."""
    return codec.digest(["sandtable seed", seed])


def entry(played: Played[Any], number: int, previous: str) -> Entry:
    """The played order as a line of the record."""
    order, events, flow = _raw(played.order), _raws(played.events), _raws(played.state.flow)
    chain = codec.digest([previous, number, played.side, order, played.draws, events, flow])
    return Entry(number, played.side, order, played.draws, events, flow, chain)


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(codec.encode(value))


def _raws(values: tuple[object, ...]) -> tuple[msgspec.Raw, ...]:
    return tuple(_raw(value) for value in values)


def recorded(header: Header, battle: Iterable[Played[P]], state: State[P], outcome: Outcome | None) -> Record:
    """The battle written down: its opening, every order, and the state that they lead to."""
    entries, previous = list[Entry](), codec.digest(header)
    for number, played in enumerate(battle):
        entries.append(entry(played, number, previous))
        previous = entries[-1].chain
    return Record(header, tuple(entries), codec.digest(state), outcome)


class _Saved(msgspec.Struct, frozen=True):
    position: msgspec.Raw
    flow: tuple[msgspec.Raw, ...]
    dice: DiceKey


def load(ruleset: Ruleset[P], data: bytes, ground: codec.Fixed | None = None) -> State[P]:
    """The state whose canonical bytes these are; `ground` is the fixed part of its position."""
    saved: _Saved = codec.decode(data, _Saved)
    position: P = codec.decode(bytes(saved.position), ruleset.info.position, ground)
    return State(position, _frames(ruleset, saved.flow), saved.dice)


def _frames(ruleset: Ruleset[P], flow: tuple[msgspec.Raw, ...]) -> tuple[Frame, ...]:
    return tuple(codec.decode(bytes(raw), ruleset.info.frames) for raw in flow)


def states(ruleset: Ruleset[P], scenario: Any, record: Record) -> Iterator[State[P]]:
    """The state after each entry, made by applying the recorded events and nothing else."""
    with _blamed("the battle can't be set up"):
        state = ruleset.setup(scenario, dict(record.header.options), DiceKey(record.header.seed or ""))
    for number, line in enumerate(record.entries):
        with _blamed(f"entry {number}"):
            events = (codec.decode(bytes(raw), ruleset.info.events) for raw in line.events)
            state, _ = retold(ruleset, state, events, _frames(ruleset, line.flow))
        yield state


@contextmanager
def _blamed(place: str) -> Iterator[None]:
    """Whatever goes wrong inside is a CodecError that names the place.

    A record is a stranger's file: its orders and events have the right types, but may say what no rule ever said, and
    the rules need not be written for that.
    """
    try:
        yield
    except codec.CodecError as error:
        raise codec.CodecError(f"{place}: {error}") from None
    except Exception as error:
        raise codec.CodecError(f"{place}: {type(error).__name__}: {error}") from error


def verify(ruleset: Ruleset[P], scenario: Any, record: Record) -> Verdict:
    """Whether re-running every order under the rules gives the record byte for byte."""
    header = record.header
    if header.seed is None:
        return Verdict(False, 0, "the record holds no seed, so its dice can't be checked yet")
    problem = _disqualified(ruleset, record, header.seed)
    if problem:
        return Verdict(False, 0, problem)
    number = 0
    try:
        with _blamed("the battle can't be set up"):
            played = begin(ruleset, scenario, dict(header.options), header.seed)
            previous = codec.digest(header)
        for number, line in enumerate(record.entries):
            with _blamed(f"entry {number}"):
                if number:
                    played = _replayed(ruleset, played.state, line)
                made = entry(played, number, previous)
            if made != line:
                return Verdict(False, number, f"entry {number}: {_difference(made, line)}")
            previous = made.chain
    except codec.CodecError as error:
        return Verdict(False, number, str(error))
    if codec.digest(played.state) != record.digest:
        return Verdict(False, len(record.entries), "the final state differs from the recorded digest")
    if ruleset.outcome(played.state) != record.outcome:
        return Verdict(False, len(record.entries), "the recorded outcome is not the one the rules give")
    return Verdict(True, len(record.entries))


def _disqualified(ruleset: Ruleset[P], record: Record, seed: str) -> str:
    """Why a record can't be re-run under these rules at all, or nothing."""
    header, info = record.header, ruleset.info
    if header.system != info.key:
        return f"it is a record of {header.system}, not of {info.key}"
    if header.rules_version != info.rules_version:
        return f"it was played under rules {header.rules_version}; these are {info.rules_version}"
    if commitment(seed) != header.commitment:
        return "the seed is not the one that was committed to"
    return "" if record.entries else "the record has no entries"


def _replayed(ruleset: Ruleset[P], state: State[P], line: Entry) -> Played[P]:
    with _blamed("the order can't be read"):
        order = codec.decode(bytes(line.order), ruleset.info.orders)
    if line.side is None:
        raise codec.CodecError("the order has no side")
    played = submit(ruleset, state, line.side, order)
    if isinstance(played, Refusal):
        raise codec.CodecError(f"the order is not lawful: {played.reason} ({played.rule})")
    return played


def _difference(made: Entry, found: Entry) -> str:
    for field in ("number", "side", "order", "draws", "events", "flow"):
        if getattr(made, field) != getattr(found, field):
            return f"the recorded {field} differ from what the rules give"
    return "the hash chain is broken"


def write(record: Record) -> bytes:
    """The record as a file: one JSON object, canonical, ending in a newline."""
    return codec.encode(record) + b"\n"


def read(data: bytes) -> Record:
    """The record in a file, or a CodecError that says what is wrong with it."""
    record: Record = codec.decode(data, Record)
    if record.header.format != FORMAT:
        raise codec.CodecError(f"the record has format {record.header.format}; this version reads format {FORMAT}")
    return record
