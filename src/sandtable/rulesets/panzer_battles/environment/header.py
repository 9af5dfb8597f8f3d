"""What a scenario says of the environment, and what is objected to in it.

Rules: PB-ENV-1, PB-ENV-2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from sandtable.content import ContentError, Problem, Scenario
from sandtable.content.shapes import FileName
from sandtable.rulesets.panzer_battles.environment.calendar import Day, day_of, is_day
from sandtable.rulesets.panzer_battles.environment.program import Program, read_program
from sandtable.rulesets.panzer_battles.parameter_sections import CONDITIONS

Visibility = Annotated[int, msgspec.Meta(ge=1, le=100, description="a whole number of hexes from 1 to 100")]
Condition = Literal["normal", "soft", "mud", "snow", "frozen"]
Date = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}\Z", description="a day such as '1943-07-12'")]


class Environment(msgspec.Struct, frozen=True):
    """The [environment] of a scenario: the day of its first turn, visibility and ground at its start and between which
    bounds they change, whether it begins in a storm, and programmed weather: its lines, or the file that holds them.

    Rules: PB-ENV-1, PB-ENV-2, PB-ENV-9, PB-ENV-15, PB-ENV-24.
    """

    date: Date = "1943-07-05"
    visibility: Visibility = 20
    visibility_range: tuple[Visibility, Visibility] | None = None
    condition: Condition = "normal"
    conditions: tuple[Condition, Condition] | None = None
    storm: bool = False
    weather: str = ""
    weather_file: FileName = ""

    @property
    def day(self) -> Day:
        """The day of the first turn."""
        return day_of(self.date)

    @property
    def bounds(self) -> tuple[int, int]:
        """Between what visibility by day stays; without a range it never changes."""
        return self.visibility_range or (self.visibility, self.visibility)

    @property
    def allowed(self) -> tuple[str, ...]:
        """The conditions that a day may bring, in their order.

        Rules: PB-ENV-8, PB-ENV-9.
        """
        first, last = map(CONDITIONS.index, self.conditions or (self.condition, self.condition))
        return CONDITIONS[first : last + 1]


def program_of(scenario: Scenario[Any, Any], greatest: int) -> Program:
    """The weather that a scenario programs, or its weather file; ContentError names every line of it that is wrong.

    Rules: PB-ENV-23, PB-ENV-24.
    """
    environment: Environment = scenario.sections.environment
    if name := environment.weather_file:
        return read_program(scenario.files[name], name, greatest)
    return read_program(environment.weather, scenario.file, greatest)


def problems(scenario: Scenario[Any, Any], greatest: int) -> Iterator[Problem]:
    """What is wrong with an environment when no visibility may be greater than that.

    Rules: PB-ENV-2, PB-ENV-9, PB-ENV-25.
    """
    where, environment = "[environment]", scenario.sections.environment
    if environment.weather and environment.weather_file:
        yield Problem("", f"{where} 'weather_file'", "expected either 'weather' or 'weather_file', got both")
    if not is_day(environment.day):
        yield Problem("", f"{where} 'date'", f"the calendar has no {environment.date}")
    low, high = environment.bounds
    if not low <= environment.visibility <= high:
        yield Problem("", f"{where} 'visibility'", f"expected {low} to {high}, got {environment.visibility} (PB-ENV-2)")
    if high > greatest:
        yield Problem("", f"{where} 'visibility_range'", f"expected at most {greatest}, got {high} (PB-ENV-2)")
    if not environment.allowed:
        yield Problem("", f"{where} 'conditions'", "expected the least before the greatest (PB-ENV-9)")
    elif environment.condition not in environment.allowed:
        yield Problem("", f"{where} 'condition'", f"{environment.condition} is not among its conditions (PB-ENV-9)")
    try:
        program_of(scenario, greatest)
    except ContentError as error:
        yield from error.problems
