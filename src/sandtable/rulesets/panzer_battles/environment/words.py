"""The weather in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles.environment.events import WeatherChanged
from sandtable.rulesets.panzer_battles.model import Position, Weather


def ground_text(weather: Weather) -> str:
    """The condition of the ground, and the storm after it.

    Rules: PB-ENV-21.
    """
    return f"{weather.condition}, storm" if weather.storm else weather.condition


def changes_of(before: Weather, after: Weather) -> tuple[str, ...]:
    """What is other about the weather, in a few words each.

    Rules: PB-ENV-7.
    """
    found = []
    if before.condition != after.condition:
        found.append(f"the ground is {after.condition}")
    if before.storm != after.storm:
        found.append("a storm rages" if after.storm else "the storm is over")
    if before.nominal != after.nominal:
        found.append(f"visibility by day {'falls' if after.nominal < before.nominal else 'rises'} to {after.nominal}")
    return tuple(found)


def _changed(event: WeatherChanged, position: Position) -> str:
    """The position is that of after the event: what the weather is now."""
    now = Weather(event.condition, event.storm, event.nominal, event.trend)
    sky = ["a storm rages"] if now.storm else []
    return listed([f"the ground is {now.condition}", *sky, f"visibility by day {now.nominal}"])


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {WeatherChanged: _changed}
