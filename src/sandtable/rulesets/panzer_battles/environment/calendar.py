"""Days of the calendar: counted through, so that a battle may go on past midnight and past the end of a month."""

from __future__ import annotations

from typing import NamedTuple

MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Day(NamedTuple):
    """A day of the calendar; days compare as they follow each other."""

    year: int
    month: int
    day: int

    def __str__(self) -> str:
        return f"{self.year:04}-{self.month:02}-{self.day:02}"


def days_in(year: int, month: int) -> int:
    """How many days a month has."""
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and is_leap else MONTHS[month - 1]


def is_day(day: Day) -> bool:
    """Whether the calendar has such a day."""
    return 1 <= day.month <= 12 and 1 <= day.day <= days_in(day.year, day.month)


def day_of(text: str) -> Day:
    """The day that a text such as "1943-07-12" names."""
    year, month, day = map(int, text.split("-"))
    return Day(year, month, day)


def later(day: Day, days: int) -> Day:
    """The day that comes so many days after another."""
    year, month, number = day
    number += days
    while number > days_in(year, month):
        number -= days_in(year, month)
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return Day(year, month, number)
