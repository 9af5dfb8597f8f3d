"""`sandtable record`: what a record holds, whether it is true, and the whole of it to read or to work on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from sandtable import registry
from sandtable.battle.library import PlayableScenario
from sandtable.battle.observation import told_steps
from sandtable.battle.observed import Observation
from sandtable.cli.files import read_bytes, write_bytes
from sandtable.cli.screen import columns, print_json
from sandtable.cli.trouble import CommandError, printable
from sandtable.kernel import codec, replay
from sandtable.kernel.ids import SideId
from sandtable.kernel.replay import Entry, Record
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import Outcome, State, View
from sandtable.kernel.telling import introduced, known_position, retold
from sandtable.lab.tables import open_table


def read_record(path: Path) -> Record:
    """The record in a file."""
    data = read_bytes(path, codec.MOST_BYTES)
    if not data.strip():
        raise CommandError(f"{path}: the file is empty")
    try:
        return replay.read(data)
    except codec.CodecError as error:
        if _format(data) not in (None, replay.FORMAT):
            raise CommandError(f"{path}: {error}") from None
        # how it was found out is a programmer's matter
        raise CommandError(f"{path}: this is no record of a battle, or only a part of one") from None


class _Dated(msgspec.Struct):
    format: int


class _Headed(msgspec.Struct):
    header: _Dated


def _format(data: bytes) -> int | None:
    """The format that a record says it has; None for what is no record."""
    try:
        codec.guard(data)
        return msgspec.json.decode(data, type=_Headed).header.format
    except (codec.CodecError, msgspec.MsgspecError):
        return None


def table_of(record: Record, scenario: str | None) -> PlayableScenario:
    """The scenario a record was played with, shipped or in the file given; CommandError when it is not the same one."""
    header = record.header
    if header.system not in registry.SYSTEMS:
        raise CommandError(f"the record is of a system that is not here: {header.system[:40]!r}")
    if scenario is None and ("/" in header.scenario or header.scenario.endswith(".toml")):
        # a stranger's file does not choose which files are opened
        raise CommandError(f"the record names its scenario {header.scenario[:40]!r}, which is no id")
    table = open_table(scenario or header.scenario)
    if table.system != header.system:
        raise CommandError(f"the record is of {header.system}, the scenario of {table.system}")
    if table.digest != header.scenario_digest:
        raise CommandError(
            f"the record was played with another version of the scenario {header.scenario[:40]!r}, of its board "
            "or of a file that it names"
        )
    return table


def show(asked: argparse.Namespace) -> int:
    """The main facts of a record stand on stdout; its orders are not checked."""
    record = read_record(Path(asked.file))
    header = record.header
    facts: dict[str, Any] = {
        "system": header.system,
        "scenario": header.scenario,
        "rules_version": header.rules_version,
        "options": header.options,
        "seed": header.seed,
        "orders": max(0, len(record.entries) - 1),
        "draws": sum(len(entry.draws) for entry in record.entries),
        "digest": record.digest,
        "outcome": record.outcome,
    }
    if asked.json:
        print_json(facts)
        return 0
    outcome = record.outcome
    facts["options"] = ", ".join(f"{name}={value}" for name, value in header.options.items()) or "as the scenario says"
    facts["outcome"] = f"{outcome.winner or 'a draw'}, {outcome.level}" if outcome else "not over yet"
    print("\n".join(columns([(f"{name.replace('_', ' ')}:", value) for name, value in facts.items()])))
    return 0


def verify(asked: argparse.Namespace) -> int:
    """Whether the rules give the record byte for byte stands on stdout; the exit code is 2 when they do not."""
    record = read_record(Path(asked.file))
    table = table_of(record, asked.scenario)
    verdict = replay.verify(table.ruleset, table.scenario, record)
    if asked.json:
        print_json(verdict)
        return 0 if verdict.holds else 2
    if not verdict.holds:
        raise CommandError(f"the record does not hold: {verdict.problem}")
    print(f"the record holds: {verdict.entries - 1} orders, the same under the rules byte for byte")
    return 0


def export(asked: argparse.Namespace) -> int:
    """The whole record stands on stdout or in a file, as JSON lines or as a log to read."""
    record = read_record(Path(asked.file))
    table = table_of(record, asked.scenario)
    make = {"jsonl": _json_lines, "text": _text_lines}[asked.format]
    lines = "".join(f"{line}\n" for line in make(table, record, asked.side))
    if asked.out:
        write_bytes(Path(asked.out), lines.encode())
    else:
        print(lines, end="")
    return 0


HEADING = "heading"
"""The tone of the sentence with which a turn, or a side's part of it, begins."""


class Sentence(NamedTuple):
    """What the log says of an event, and how the line is marked."""

    text: str
    tone: str


class ToldEntry(msgspec.Struct, frozen=True):
    """One entry of a record as it is told to somebody: the order in words, the turn in which it was given, the turn
    that followed, and sentences for what happened.
    """

    entry: Entry
    order: str
    turn: int
    next_turn: int
    sentences: tuple[Sentence, ...]


def tell(table: PlayableScenario, record: Record, side: str | None) -> Iterator[ToldEntry]:
    """The entries in words, to a side as far as it could know, or to somebody who may know everything."""
    ruleset = table.ruleset
    states = list(replay.states(ruleset, table.scenario, record))
    if not states:
        return
    sides = ruleset.sides(states[0])
    if side is not None and side not in sides:
        raise CommandError(f"the battle has no side {side[:40]!r}; its sides are {', '.join(sides)}")
    viewer = SideId(side) if side is not None else None
    try:
        opening = ruleset.setup(table.scenario, dict(record.header.options), states[0].dice)
        before = introduced(ruleset, opening, () if viewer is None else (viewer,), {})
        for entry, state in zip(record.entries, states, strict=True):
            told, before = _told(ruleset, entry, before, state, viewer)
            # what the enemy did unseen is not even counted
            if viewer in (None, entry.side) or told.sentences:
                yield told
    except (LookupError, ValueError, AttributeError, TypeError, AssertionError) as error:
        # a record that was edited by hand may say what no rule ever said
        raise codec.CodecError(f"the record can't be told in words: {error}") from None


def _told(
    ruleset: AnyRuleset, entry: Entry, before: State[Any], folded: State[Any], side: SideId | None
) -> tuple[ToldEntry, State[Any]]:
    """An entry in words, and the state after it with what the side knows by then."""
    events = [codec.decode(bytes(raw), ruleset.info.events) for raw in entry.events]
    after, heard = retold(ruleset, before, events, folded.flow)
    view = _view(ruleset, after, side)
    if side is None:
        said = (Sentence(ruleset.describe(event, view), ruleset.marks(event).tone) for event in events)
        sentences = tuple(sentence for sentence in said if sentence.text)
    else:
        known = known_position(ruleset, before, side)
        steps = told_steps(ruleset, known, view, heard[side], Observation(0, view.turn, ""))
        sentences = tuple(Sentence(step.line.text, step.line.tone) for step in steps if step.line)
    order, turn = "", _view(ruleset, before, side).turn
    # the other side's order is a secret: what it did stands in the events, as far as it showed
    if entry.side is not None and side in (None, entry.side):
        order = ruleset.order_text(codec.decode(bytes(entry.order), ruleset.info.orders), _view(ruleset, before, side))
    return ToldEntry(entry, order, turn, view.turn, sentences), after


def _view(ruleset: AnyRuleset, state: State[Any], side: SideId | None) -> View[Any]:
    """What a side sees, or the truth when no side is named."""
    view = ruleset.view(state, side or ruleset.sides(state)[0])
    return view if side is not None else msgspec.structs.replace(view, position=state.position)


def _json_lines(table: PlayableScenario, record: Record, side: str | None) -> Iterator[str]:
    header = record.header if side is None else msgspec.structs.replace(record.header, seed=None)
    yield codec.encode({"header": header}).decode()
    for told in tell(table, record, side):
        line: dict[str, Any] = {"number": told.entry.number, "side": told.entry.side, "turn": told.turn}
        if side is None:
            entry = told.entry
            line |= {"order": entry.order, "draws": entry.draws, "events": entry.events, "chain": entry.chain}
        yield codec.encode(
            {**line, "order_text": told.order, "text": [sentence.text for sentence in told.sentences]}
        ).decode()
    yield codec.encode({"outcome": record.outcome, "digest": record.digest}).decode()


def _text_lines(table: PlayableScenario, record: Record, side: str | None) -> Iterator[str]:
    yield printable(f"{table.scenario.title} ({registry.SYSTEMS[table.system].title})")
    turn = None
    for told in tell(table, record, side):
        is_headed = any(sentence.tone == HEADING for sentence in told.sentences)
        # a heading names its turn itself
        if told.turn != turn and not is_headed:
            yield f"Turn {told.turn}"
        turn = told.next_turn if is_headed else told.turn
        if told.entry.side is not None and told.order:
            yield "  " + printable(f"{told.entry.side}: {told.order}")
        yield from (f"{'' if tone == HEADING else '    '}{printable(text)}" for text, tone in told.sentences)
    if record.outcome is not None:
        yield printable(f"The battle is over: {_outcome_words(table, record.outcome)}")


def _outcome_words(table: PlayableScenario, outcome: Outcome) -> str:
    """Who has won and why, as the scenario calls him."""
    titles = {side.id: side.title for side in table.scenario.sides}
    won = f"{titles.get(outcome.winner, outcome.winner)} wins, {outcome.level}" if outcome.winner else "a draw"
    why = "; ".join(outcome.reasons)
    return f"{won}. {why[:1].upper()}{why[1:]}"
