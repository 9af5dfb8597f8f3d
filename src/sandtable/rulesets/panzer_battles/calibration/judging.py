"""The table of engagements, the means that play gives, and whether they lie in their bands."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from math import sqrt
from typing import Final, NamedTuple

from sandtable.play.system import Calibrated
from sandtable.rulesets.panzer_battles.calibration.engagements import ENGAGEMENTS
from sandtable.rulesets.panzer_battles.calibration.field import Bout
from sandtable.rulesets.panzer_battles.calibration.scripts import Engagement
from sandtable.rulesets.panzer_battles.model import SIDES
from sandtable.rulesets.panzer_battles.version import TABLES

WITHIN, OUTSIDE, DIFFERENT, NOT_PLAYED = "within", "outside", "different", "not played"
"""In its band; out of it; in it but otherwise than the rules were tuned; of rules that are not there yet."""

ERRORS: Final = 3
"""By so many standard errors a mean must leave its band, or its tuned result, before it counts."""

APART: Final = 0.15
"""By so much of the tuned result a mean may differ."""


class Row(NamedTuple):
    """A line of the table: what is measured in which engagement, its band, and the result it was tuned to."""

    id: str
    situation: str
    measure: str
    low: float
    high: float
    result: float


@cache
def rows() -> tuple[Row, ...]:
    """The table; where no situation stands it is that of the line before."""
    found: list[Row] = []
    lines = csv.reader(TABLES.joinpath("engagements.csv").read_text("utf-8").splitlines()[1:])
    for id, situation, measure, low, high, result in lines:
        told = situation or found[-1].situation
        found.append(Row(id, told, measure, float(low), float(high), float(result)))
    return tuple(found)


class Sample:
    """What was measured so far: how often, the sum and the sum of squares."""

    __slots__ = ("_count", "_squares", "_sum")

    def __init__(self) -> None:
        self._count, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self._count += 1
        self._sum += value
        self._squares += value * value

    @property
    def mean(self) -> float:
        return self._sum / self._count

    @property
    def error(self) -> float:
        """The standard error of the mean; what never happened may still happen once in so many runs."""
        spread = max(0.0, self._squares / self._count - self.mean * self.mean)
        return max(1 / self._count, sqrt(spread / self._count))


def samples(id: str, engagement: Engagement, runs: int, seed: str) -> dict[str, Sample]:
    """What the runs of an engagement measured; where it is by lot who begins, either side begins half of them."""
    found: dict[str, Sample] = {}
    for run in range(runs):
        begins = engagement.begins or SIDES[run % 2]
        for name, value in engagement.script(Bout(engagement.setting, f"{seed} {id} {run}", begins)).items():
            found.setdefault(name, Sample()).add(value)
    return found


def verdict(row: Row, mean: float, error: float) -> str:
    """Whether a mean lies in its band, and near what the numbers were tuned to."""
    if max(row.low - mean, mean - row.high) > ERRORS * error:
        return OUTSIDE
    off = abs(mean - row.result)
    return DIFFERENT if off > APART * row.result and off > ERRORS * error else WITHIN


def calibrated(runs: int, seed: str, only: str) -> Iterator[Calibrated]:
    """Every measure of the engagements whose ids begin so, as the rules give it now."""
    kept: tuple[str, dict[str, Sample]] = ("", {})
    for row in rows():
        if not row.id.startswith(only):
            continue
        engagement = ENGAGEMENTS.get(row.id)
        if engagement is None:
            yield Calibrated(*row, None, None, NOT_PLAYED)
            continue
        if kept[0] != row.id:
            kept = row.id, samples(row.id, engagement, runs, seed)
        found = kept[1][row.measure]
        yield Calibrated(*row, found.mean, found.error, verdict(row, found.mean, found.error))
