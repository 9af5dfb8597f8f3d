"""What the start of a turn brought a side, gathered from the events that told it.

Rules: PB-CMD-29, PB-TURN-2.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Event
from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles.air.events import AirUnitsReadied
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.deception.events import DeceptionRecalled
from sandtable.rulesets.panzer_battles.environment.events import WeatherChanged
from sandtable.rulesets.panzer_battles.model import SIDES, News, Position
from sandtable.rulesets.panzer_battles.movement.events import Remounted
from sandtable.rulesets.panzer_battles.reinforcements.events import (
    ArrivalsAnnounced,
    UnitsFixed,
    UnitsReleased,
    UnitsWithdrawn,
)
from sandtable.rulesets.panzer_battles.supply.events import LinesTraced, Supplied

WEATHER = "weather"

TOPICS: dict[type[Event], dict[str, str]] = {
    ArrivalsAnnounced: {"units": "arrivals"},
    UnitsReleased: {"units": "released"},
    UnitsFixed: {"units": "fixed"},
    UnitsWithdrawn: {"units": "withdrawn"},
    LinesTraced: {"isolated": "isolated"},
    e.CommandTested: {"out": "out_of_command"},
    StaffsRestored: {"units": "restored"},
    Supplied: {
        "low_ammo": "low_ammo",
        "unavailable": "unavailable",
        "unstocked": "unstocked",
        "low_fuel": "low_fuel",
        "replenished": "replenished",
        "available": "available",
        "set_up": "set_up",
        "refueled": "refueled",
    },
    e.Recovered: {"units": "recovered"},
    e.Rested: {"units": "rested"},
    Remounted: {"units": "remounted"},
    DeceptionRecalled: {"units": "recalled"},
    AirUnitsReadied: {"available": "air_available", "recovered": "air_recovered"},
}
"""The events of a turn's start, with the topics that each of their fields is about."""


def noted(before: Position, event: Event, after: Position) -> Position:
    """The position after an event, with what it is news of for the side whose turn begins.

    Rules: PB-CMD-29.
    """
    if isinstance(event, e.TurnBegan):
        return _turned(after, event.side)
    if isinstance(event, WeatherChanged):
        found = News(WEATHER, weather=before.weather)
        return _with(after, {side: (found,) for side in SIDES if after.knows(side)})
    topics = TOPICS.get(type(event))
    if topics is None:
        return after
    side: SideId = event.side  # type: ignore[attr-defined]
    if side != after.active or not after.knows(side):
        return after
    fields: list[tuple[str, Any]] = [(topic, getattr(event, field)) for field, topic in topics.items()]
    return _with(after, {side: tuple(News(topic, units) for topic, units in fields if units)})


def _with(position: Position, more: dict[SideId, tuple[News, ...]]) -> Position:
    told = {side: (*position.news.get(side, ()), *found) for side, found in more.items() if found}
    return replace(position, news=dict(sorted({**position.news, **told}.items()))) if told else position


def _turned(position: Position, side: SideId) -> Position:
    """What is still news when a turn begins: nothing in that of the first side, the weather in that of the second."""
    if not position.news:
        return position
    if side == position.first:
        return replace(position, news={})
    kept = tuple(one for one in position.news.get(side, ()) if one.topic == WEATHER)
    rest = {one: found for one, found in position.news.items() if one != side}
    return replace(position, news=dict(sorted({**rest, side: kept}.items())) if kept else rest)
