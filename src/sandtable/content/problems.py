"""What is wrong with a data file, said once, in words its author can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

import msgspec

MAX_PROBLEMS: Final = 200
"""A file that is wrong all over is not worth more messages than a person will read."""

_LISTED: Final = 12
_CLIP: Final = 40


class Problem(msgspec.Struct, frozen=True):
    """One thing to mend: the file, the table and key in it, and what was expected there."""

    file: str
    where: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.message) if part)


class ContentError(ValueError):
    """A file can't be used, for the reasons listed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class Findings:
    """The problems of one file, gathered while it is read so that all of them are reported together."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.count = 0
        self._problems: list[Problem] = []

    def add(self, where: object, message: str) -> None:
        """Note that something is wrong at a place in the file."""
        self.take((Problem(self.file, str(where), message),))

    def take(self, problems: Iterable[Problem]) -> None:
        """Note problems found elsewhere, for example in a board that a scenario names."""
        for problem in problems:
            self.count += 1
            if self.count <= MAX_PROBLEMS:
                self._problems.append(problem if problem.file else msgspec.structs.replace(problem, file=self.file))

    def add_unknown(self, where: object, noun: str, value: str, allowed: Iterable[str]) -> None:
        """Note a name that nothing bears, with the nearest name that something does."""
        # the search for a near name is the dear part of a message, so it is left out once nobody will read the message
        advice = suggestion(value, allowed) if self.count < MAX_PROBLEMS else ""
        self.add(where, f"unknown {noun} {quoted(value)}{advice}")

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems in the order found; the last one counts those that were left out."""
        more = self.count - len(self._problems)
        if not more:
            return tuple(self._problems)
        return (*self._problems, Problem(self.file, "", f"{more:,} more problems are not listed"))

    def raise_if_any(self) -> None:
        """Refuse the file when anything was found."""
        if self.count:
            raise ContentError(self.problems)


def suggestion(value: str, allowed: Iterable[str]) -> str:
    """The end of a message about an unknown name: the name probably meant, or the names there are."""
    names = sorted(allowed)
    near = difflib.get_close_matches(value[:_CLIP], names, n=1)
    if near:
        return f"; did you mean {quoted(near[0])}?"
    if not names:
        return "; none is allowed here"
    more = ", …" if len(names) > _LISTED else ""
    return "; expected one of " + ", ".join(map(quoted, names[:_LISTED])) + more


def clean(text: str) -> str:
    """A piece of a file on one line and of bounded length, whatever is in it."""
    return repr(text[:_CLIP])[1:-1] + ("…" if len(text) > _CLIP else "")


def quoted(text: str) -> str:
    """A piece of a file in quotes."""
    return f"'{clean(text)}'"


def shown(value: object) -> str:
    """A value of a file as a message quotes it."""
    match value:
        case str():
            return quoted(value)
        case bool():
            return str(value).lower()
        case int():
            # a long number is named by its length: writing it out could take longer than reading the file
            return str(value) if value.bit_length() < 64 else f"a number of {value.bit_length()} bits"
        case float():
            return str(value)
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            # all that TOML has left
            return f"a date or time ({value})"
