"""Combining, breaking down and attaching as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.play.words import does, listed
from sandtable.rulesets.panzer_battles.formations import formations
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.organization import events as e


def _attached(event: e.Attached, position: Position) -> str:
    known = formations(position.ground)
    who = known[event.organization].title if event.organization else unit_name(position, event.units[0])
    return does([who], f"is attached to {known[event.to].title}")


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    e.UnitsCombined: lambda x, p: f"{listed(unit_name(p, id) for id in x.units)} combine",
    e.UnitBrokenDown: lambda x, p: does([unit_name(p, x.part)], f"is taken out of {unit_name(p, x.unit)}"),
    e.Attached: _attached,
}
