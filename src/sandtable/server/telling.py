"""What a seat may know, put into the words of the wire: tables, log lines, menus and the answers to questions.

Everything here is made of a seat's own observations and view; nothing takes the truth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.battle.observation import Observation, Seen, Sight
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.kernel.ruleset import AnyRuleset, Target, Verb
from sandtable.kernel.state import View
from sandtable.kernel.trace import Line
from sandtable.server import messages as m

NOBODYS = SideId("")
"""The side of a spectator."""

QUICK_LEAVES = 150
"""Odds of at most so many falls of the dice are worked out on the spot; others are handed to a process of their own."""


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


def table(ruleset: AnyRuleset, sides: tuple[SideId, ...], turns: int, sight: Sight, view: View[Any] | None) -> m.Table:
    """A seat's table; `view` is None for a spectator."""
    side = NOBODYS if sight.side is None else sight.side
    return m.Table(
        side=side,
        turn=sight.turn,
        turns=turns,
        step="" if view is None else step(view),
        pieces=sight.pieces,
        decisions=sight.decisions,
        waiting_for=() if view is None or sight.outcome is not None else waited_for(view, sides),
        standing=() if view is None else ruleset.standing(view),
        can_undo=sight.can_undo,
        outcome=sight.outcome,
    )


def step(view: View[Any]) -> str:
    """Where play stands, in the system's own words: its name for the open decision, or for the step play is in."""
    if view.decisions:
        return view.decisions[0].kind
    for frame in reversed(view.flow):
        if name := getattr(frame, "step", ""):
            return str(name)
    return ""


def waited_for(view: View[Any], sides: tuple[SideId, ...]) -> tuple[SideId, ...]:
    """Who has to decide, as far as the viewer can tell from his own decisions."""
    return (view.side,) if view.decisions else tuple(side for side in sides if side != view.side)


def verb_cards(ruleset: AnyRuleset, view: View[Any], verbs: tuple[Verb, ...]) -> tuple[m.VerbCard, ...]:
    """The menu as a client shows it."""
    return tuple(
        m.VerbCard(
            verb.key,
            verb.title,
            verb.hotkey,
            tuple(_target_card(ruleset, view, target) for target in verb.targets),
            verb.refusal,
        )
        for verb in verbs
    )


def _target_card(ruleset: AnyRuleset, view: View[Any], target: Target) -> m.TargetCard:
    path = getattr(target.order, "path", ())
    return m.TargetCard(
        order=msgspec.to_builtins(target.order, str_keys=True),
        hex=target.hex,
        units=target.units,
        side=target.side,
        note=target.note,
        text=ruleset.order_text(target.order, view),
        path=path if isinstance(path, tuple) else (),
    )


def quick_forecast(ruleset: AnyRuleset, view: View[Any], order: Order) -> Forecast | Refusal | None:
    """The exact odds of an order, the refusal it would meet, or None when working them out takes too long."""
    found = forecast(ruleset, view, order, leaves=QUICK_LEAVES, samples=1)
    return None if isinstance(found, Forecast) and not found.exact else found


def encode(message: Any) -> bytes:
    """A message as it is sent: the fields in their order, so that equal messages are equal bytes."""
    return _ENCODER.encode(message)


_ENCODER = msgspec.json.Encoder()


def forecast_from(data: bytes) -> Forecast | Refusal:
    """The answer of a process that worked out the odds: a forecast has branches, a refusal has none."""
    if b'"branches":' in data[:16]:
        return msgspec.json.decode(data, type=Forecast)
    return msgspec.json.decode(data, type=Refusal)
