"""What a seat may know, put into the words of the wire: tables, log lines, menus and the answers to questions.

Everything here is made of what left the battle by its one exit; nothing takes a view, let alone the truth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from sandtable.battle import observation
from sandtable.battle.observation import Observation, Seen
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.forecast import Forecast
from sandtable.kernel.ids import NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import Target
from sandtable.kernel.trace import Line
from sandtable.server import messages as m

NOBODYS = SideId("")
"""The side of a spectator."""


class _Marks(msgspec.Struct):
    """The fields of an event that a map can show, by the names that all systems give them."""

    event: str = ""
    hex: int = NOWHERE
    path: tuple[int, ...] = ()
    unit: int | None = None
    units: tuple[int, ...] = ()
    carrier: int | None = None
    passenger: int | None = None
    attackers: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    rule: str = ""


def log_lines(observations: Iterable[Observation]) -> tuple[m.LogLine, ...]:
    """The sentences of the battle log for what a viewer noticed."""
    return tuple(line for observation in observations for line in _lines(observation))


def _lines(observation: Observation) -> Iterable[m.LogLine]:
    if observation.undone:
        text = "You took an order back." if observation.mine else "An order was taken back."
        yield _dated(m.LogLine(text, "undone"), observation)
    for seen in observation.events:
        if seen.text:
            yield _dated(_line(seen), observation)


def _dated(line: m.LogLine, observation: Observation) -> m.LogLine:
    return replace(line, sequence=observation.number, turn=observation.turn, mine=observation.mine)


def _line(seen: Seen) -> m.LogLine:
    try:
        marks = msgspec.json.decode(seen.event, type=_Marks)
    except msgspec.MsgspecError:
        # an event that means something else by one of those fields: the sentence still stands
        return m.LogLine(seen.text, "event")
    units = [marks.unit, marks.carrier, marks.passenger, *marks.units, *marks.attackers, *marks.targets]
    return m.LogLine(
        text=seen.text,
        kind=marks.event,
        hex=HexId(marks.hex),
        units=tuple(UnitId(id) for id in dict.fromkeys(units) if id is not None and id >= 0),
        path=marks.path,
        lines=marks.lines,
        rule=RuleId(marks.rule),
    )


def table(seen: observation.Table, turns: int) -> m.Table:
    """A seat's table as a client draws it."""
    return m.Table(
        side=NOBODYS if seen.side is None else seen.side,
        turn=seen.turn,
        turns=turns,
        step=seen.step,
        pieces=seen.pieces,
        decisions=seen.decisions,
        waiting_for=seen.waiting_for,
        standing=seen.standing,
        can_undo=seen.can_undo,
        outcome=seen.outcome,
    )


def verb_cards(menu: observation.Menu) -> tuple[m.VerbCard, ...]:
    """The menu as a client shows it."""
    return tuple(
        m.VerbCard(verb.key, verb.title, verb.hotkey, tuple(map(_target_card, verb.targets, texts)), verb.refusal)
        for verb, texts in zip(menu.verbs, menu.texts, strict=True)
    )


def _target_card(target: Target, text: str) -> m.TargetCard:
    return m.TargetCard(
        # a client gets the order as JSON either way; turning it into a dictionary first takes longer than sending it
        order=cast(m.OrderJson, target.order),
        hex=target.hex,
        units=target.units,
        side=target.side,
        note=target.note,
        text=text,
        path=target.path,
    )


def encode(message: Any) -> bytes:
    """A message as it is sent: the fields in their order, so that equal messages are equal bytes."""
    return _ENCODER.encode(message)


_ENCODER = msgspec.json.Encoder()


def forecast_from(data: bytes) -> Forecast | Refusal:
    """The answer of a process that worked out the odds: a forecast has branches, a refusal has none."""
    if b'"branches":' in data[:16]:
        return msgspec.json.decode(data, type=Forecast)
    return msgspec.json.decode(data, type=Refusal)
