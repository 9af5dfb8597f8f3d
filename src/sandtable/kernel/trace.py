"""Numbers that explain themselves: a tally is a total with the named, rule-cited lines that made it."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from sandtable.kernel.ids import RuleId

Amount = int | str
"""A number as it is shown and stored: an int, or a text such as "27/2", "2-1" or "x1/2"."""


def amount(number: int | Fraction) -> Amount:
    """The number as an int when it is whole, otherwise as an exact "n/d"."""
    if isinstance(number, int):
        return number
    return number.numerator if number.denominator == 1 else f"{number.numerator}/{number.denominator}"


class Line(msgspec.Struct, frozen=True, gc=False):
    """One named step of a calculation and the rule that asks for it."""

    label: str
    value: Amount
    rule: RuleId


class Tally(msgspec.Struct, frozen=True, gc=False):
    """A number with everything that made it, in order."""

    title: str
    total: Amount
    lines: tuple[Line, ...] = ()
