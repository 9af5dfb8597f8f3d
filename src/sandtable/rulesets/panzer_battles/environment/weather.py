"""How the weather goes on: visibility turn by turn, the ground and storms day by day.

Rules: PB-ENV-1, PB-ENV-5.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles.environment.calendar import Day, later
from sandtable.rulesets.panzer_battles.environment.header import Environment, program_of
from sandtable.rulesets.panzer_battles.environment.program import Forecast, Program, in_force
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import Position, Weather
from sandtable.rulesets.panzer_battles.parameter_sections import CONDITIONS
from sandtable.rulesets.panzer_battles.results.losses import probability

PERCENT = 100
EITHER_WAY = 2
"""Visibility is as likely to begin to rise as to fall."""


def header_of(ground: Ground) -> Environment:
    """What the scenario says of the environment."""
    header: Environment = ground.scenario.sections.environment
    return header


def program(ground: Ground) -> Program:
    """The programmed weather of a battle; none without the option.

    Rules: PB-ENV-23, PB-OPT-2.
    """
    if not ground.options.programmed_weather:
        return ()
    greatest = ground.parameters.weather.visibility_max_cap
    return ground.once("program", lambda: program_of(ground.scenario, greatest))


def farthest(ground: Ground) -> int:
    """The farthest that anybody will ever see in a battle."""
    header = header_of(ground)
    return max(header.visibility, header.bounds[1], *(one.visibility[1] for one in program(ground)))


def visibility(ground: Ground, weather: Weather, minutes: int) -> int:
    """How far one sees in a turn that begins then: a hex by night and in a storm, half as far at dawn and dusk.

    Rules: PB-ENV-2, PB-ENV-3, PB-ENV-4, PB-ENV-17.
    """
    numbers = ground.parameters.weather
    nominal = min(weather.nominal, numbers.visibility_max_cap)
    if weather.storm:
        return numbers.storm_visibility
    if clock.is_night(minutes, ground.parameters):
        return numbers.night_visibility
    return max(1, nominal // 2) if clock.is_twilight(ground, minutes) else nominal


def day_at(ground: Ground, minutes: int) -> Day:
    """The day on which a turn begins."""
    return later(header_of(ground).day, minutes // clock.DAY)


def forecast_at(ground: Ground, minutes: int) -> Forecast | None:
    """What the program says of the day on which a turn begins; None where the scenario's header holds.

    Rules: PB-ENV-24, PB-ENV-28.
    """
    return in_force(program(ground), day_at(ground, minutes))


def next_weather(resolution: Resolution[Position], turn: int, minutes: int) -> Weather:
    """The weather of a game turn that begins then; that of the first is the header's, unless a program holds.

    Rules: PB-ENV-5, PB-ENV-9, PB-ENV-26, PB-TURN-9.
    """
    position = resolution.position
    weather, forecast = position.weather, forecast_at(position.ground, minutes)
    if turn == 1:
        return weather if forecast is None else _programmed(resolution, forecast)
    if clock.is_midnight_turn(position.ground, minutes):
        weather = _new_day(resolution, weather) if forecast is None else _programmed(resolution, forecast)
    bounds = header_of(position.ground).bounds if forecast is None else forecast.visibility
    return _tending(resolution, weather, bounds)


def _new_day(resolution: Resolution[Position], weather: Weather) -> Weather:
    """The weather of a day that is not programmed: a condition of those allowed, and the storm may be over.

    Rules: PB-ENV-8, PB-ENV-9, PB-ENV-15, PB-ENV-22.
    """
    position = resolution.position
    allowed = header_of(position.ground).allowed
    if len(allowed) > 1:
        number = resolution.roll("PB-ENV-9", NOBODY, len(allowed))
        weather = replace(weather, condition=allowed[number - 1])
    if weather.storm:
        goes_on = probability(position.parameters.weather.storm_continue_pct)
        weather = replace(weather, storm=resolution.chance(goes_on, "PB-ENV-22", NOBODY))
    return weather


def _programmed(resolution: Resolution[Position], forecast: Forecast) -> Weather:
    """The weather of a day as its line has it: the ground by its percentages, visibility, and perhaps a storm.

    Rules: PB-ENV-26.
    """
    drawn = resolution.roll("PB-ENV-26", NOBODY, PERCENT)
    condition = next(name for name, least in _steps(forecast) if drawn <= least)
    low, high = forecast.visibility
    nominal = low if low == high else low + resolution.roll("PB-ENV-26", NOBODY, high - low + 1) - 1
    storm = bool(forecast.storm_pct) and resolution.chance(probability(forecast.storm_pct), "PB-ENV-26", NOBODY)
    return Weather(condition, storm, nominal)


def _steps(forecast: Forecast) -> list[tuple[str, int]]:
    """The conditions with the highest of a hundred that brings each."""
    total, steps = 0, []
    for name, pct in zip(CONDITIONS, forecast.conditions, strict=True):
        total += pct
        steps.append((name, total))
    return steps


def _tending(resolution: Resolution[Position], weather: Weather, bounds: tuple[int, int]) -> Weather:
    """The weather with visibility a hex farther or nearer where it tends to; it stops at its bounds.

    Rules: PB-ENV-5, PB-ENV-6.
    """
    low, high = bounds
    if low == high:
        return replace(weather, nominal=low, trend=0) if weather.nominal != low or weather.trend else weather
    numbers, trend = resolution.position.parameters.weather, weather.trend
    if not trend:
        if resolution.chance(probability(numbers.visibility_change_pct), "PB-ENV-6", NOBODY):
            trend = -1 if resolution.roll("PB-ENV-6", NOBODY, EITHER_WAY) == 1 else 1
    elif not resolution.chance(probability(numbers.visibility_continue_pct), "PB-ENV-6", NOBODY):
        trend = 0
    nominal = min(high, max(low, weather.nominal + trend))
    is_at_bound = (trend < 0 and nominal == low) or (trend > 0 and nominal == high)
    return replace(weather, nominal=nominal, trend=0 if is_at_bound else trend)
