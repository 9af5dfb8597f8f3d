"""A number built factor by factor, each a line with its rule.

Only + - x / are used, in the order of the calls, so that every machine gets the same number.
"""

from __future__ import annotations

from sandtable.kernel.ids import RuleId
from sandtable.kernel.trace import Line, Tally

HALF, QUARTER = 0.5, 0.25
POINTS_LEFT = "Movement points left"


def shown(number: float) -> str:
    """A number as it is read aloud: at most three digits behind the point, none where it is whole."""
    return f"{number:.3f}".rstrip("0").rstrip(".")


def points_left(points: int, cost: int, rule: str, whose: str = "") -> Tally:
    """What is left of movement points after a cost, and whose they are where an order costs several units.

    Rules: PB-MOVE-1.
    """
    lines = (Line("movement points", points, RuleId("PB-MOVE-1")), Line("the cost", -cost, RuleId(rule)))
    return Tally(f"{POINTS_LEFT}, {whose}" if whose else POINTS_LEFT, points - cost, lines)


class Tallying:
    """A value under construction and the lines that explain it."""

    __slots__ = ("lines", "title", "value")

    def __init__(self, title: str, value: float, label: str, rule: str) -> None:
        self.title = title
        self.value = value
        self.lines = [Line(label, shown(value), RuleId(rule))]

    def times(self, label: str, factor: float, rule: str) -> None:
        """The value is multiplied; a factor of 1 leaves no line."""
        if factor != 1:
            self.value *= factor
            self.lines.append(Line(label, f"x{shown(factor)}", RuleId(rule)))

    def over(self, label: str, divisor: float, rule: str) -> None:
        """The value is divided; a divisor of 1 leaves no line."""
        if divisor != 1:
            self.value /= divisor
            self.lines.append(Line(label, f"/{shown(divisor)}", RuleId(rule)))

    def percent(self, label: str, pct: float, rule: str) -> None:
        """The value grows or shrinks by so many percent."""
        if pct:
            self.value *= 1 + pct / 100
            self.lines.append(Line(label, f"{'+' if pct > 0 else ''}{shown(pct)}%", RuleId(rule)))

    def plus(self, label: str, number: float, rule: str) -> None:
        """Something is added to the value."""
        if number:
            self.value += number
            self.lines.append(Line(label, f"+{shown(number)}", RuleId(rule)))

    def tally(self) -> Tally:
        """The value with everything that made it."""
        return Tally(self.title, shown(self.value), tuple(self.lines))
