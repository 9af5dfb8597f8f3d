"""Programmed weather: the lines of a weather file, each holding from its day until the day of the next.

A line is day, month and year; five percentages for Normal, Soft, Mud, Snow and Frozen; the least and the greatest
visibility; and, if there are storms, how likely one is.

Rules: PB-ENV-24.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.content import ContentError, Problem
from sandtable.rulesets.panzer_battles.environment.calendar import Day, is_day
from sandtable.rulesets.panzer_battles.parameter_sections import CONDITIONS

WITHOUT_STORM, WITH_STORM = 10, 11
"""How many numbers a line has."""

LONGEST = 10_000
"""No number of a weather file is greater."""


class Forecast(NamedTuple):
    """What the weather may be from a day on: percentages of the conditions in their order, visibility, storms."""

    since: Day
    conditions: tuple[int, ...]
    visibility: tuple[int, int]
    storm_pct: int = 0


Program = tuple[Forecast, ...]


def read_program(text: str, file: str, greatest: int) -> Program:
    """The program that a weather file holds; ContentError names every line that is wrong. No visibility is greater
    than the greatest.

    Rules: PB-ENV-24, PB-ENV-25, PB-ENV-27.
    """
    found: list[Forecast] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        wrong = list(_mistakes(words, greatest))
        if not wrong:
            forecast = _forecast(words)
            if found and forecast.since <= found[-1].since:
                wrong.append(f"expected a day after {found[-1].since}, got {forecast.since}")
            found.append(forecast)
        problems += [Problem(file, f"weather line {number}", one) for one in wrong]
    if problems:
        raise ContentError(problems)
    return tuple(found)


def _mistakes(words: Sequence[str], greatest: int) -> Iterator[str]:
    """What is wrong with the words of a line."""
    if len(words) not in (WITHOUT_STORM, WITH_STORM):
        yield f"expected {WITHOUT_STORM} numbers, or {WITH_STORM} with storms, got {len(words)}"
        return
    wrong = [word for word in words if not _is_number(word)]
    for word in wrong:
        yield f"expected a whole number without leading zeros, got '{word[:20]}' (PB-ENV-27)"
    if wrong:
        return
    forecast = _forecast(words)
    if not is_day(forecast.since):
        yield f"there is no day {words[0]} {words[1]} {words[2]}"
    if sum(forecast.conditions) != 100:
        yield f"the five conditions add to {sum(forecast.conditions)} %, not to 100 (PB-ENV-25)"
    low, high = forecast.visibility
    if not 1 <= low <= high <= greatest:
        yield f"expected a visibility from 1 to {greatest}, the least first, got {low} {high}"
    if forecast.storm_pct > 100:
        yield f"expected storms in at most 100 % of the days, got {forecast.storm_pct}"


def _is_number(word: str) -> bool:
    """Rules: PB-ENV-27."""
    is_plain = word.isascii() and word.isdecimal() and len(word) <= len(str(LONGEST))
    return is_plain and (word == "0" or not word.startswith("0"))


def _forecast(words: Sequence[str]) -> Forecast:
    day, month, year, *numbers = map(int, words)
    return Forecast(
        Day(year, month, day),
        tuple(numbers[: len(CONDITIONS)]),
        (numbers[5], numbers[6]),
        numbers[7] if len(words) == WITH_STORM else 0,
    )


def in_force(program: Program, day: Day) -> Forecast | None:
    """The line that holds on a day; None before the first.

    Rules: PB-ENV-24, PB-ENV-28.
    """
    return next((one for one in reversed(program) if one.since <= day), None)
