"""What the events of the environment do to a position."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.rulesets.panzer_battles.changing import changes
from sandtable.rulesets.panzer_battles.environment.events import WeatherChanged
from sandtable.rulesets.panzer_battles.model import Position, Weather


@changes.on(WeatherChanged)
def _weather_changed(position: Position, event: WeatherChanged) -> Position:
    weather = Weather(event.condition, event.storm, event.nominal, event.trend)
    return replace(position, weather=weather)
