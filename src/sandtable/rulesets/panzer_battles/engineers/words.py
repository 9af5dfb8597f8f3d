"""The events of engineers as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.rulesets.panzer_battles.engineers import events as e
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import COMPASS, feature_title, place_name, unit_name
from sandtable.rulesets.panzer_battles.operations import TITLES


def _feature(event: e.FeatureChanged, position: Position) -> str:
    where = place_name(position, event.hex)
    if event.new is None:
        return "" if event.old is None else f"{where}: {feature_title(event.old)} is no more"
    return f"{where}: {feature_title(event.new)}"


def _work(event: e.WorkChanged, position: Position) -> str:
    who = unit_name(position, event.unit)
    if event.digging_in:
        return f"{who} digs in"
    return f"{who}: {TITLES[event.operation.partition(':')[0]]}" if event.operation else f"{who} ends its work"


def _tried(event: e.DamageTried, position: Position) -> str:
    end = "succeeds" if event.done else "fails"
    return f"{unit_name(position, event.unit)} tries a demolition toward {place_name(position, event.hex)} and {end}"


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    e.MinesTouched: lambda x, p: f"{unit_name(p, x.unit)} is among mines in {place_name(p, x.hex)}",
    e.FeatureChanged: _feature,
    e.WorkChanged: _work,
    e.WorkProgressed: lambda x, p: "",
    e.SideChanged: lambda x, p: f"{x.what} {COMPASS[x.direction]} of {place_name(p, x.hex)}" if x.what else "",
    e.DamageTried: _tried,
}
