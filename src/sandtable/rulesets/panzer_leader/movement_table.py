"""The numbers of movement as their file has them: crossings, quick-time, overruns, opportunity fire.

Rules: PL-401, PL-604, PL-621, PL-631, PL-1003, PL-1006, PL-1602, PL-1605.
"""

from __future__ import annotations

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer_leader.kinds import TABLES


class Crossing(msgspec.Struct, frozen=True):
    """A step that takes a die: it succeeds up to the best one."""

    title: str
    best: int


class QuickTime(msgspec.Struct, frozen=True):
    """Quick-time: what it may spend, what each hex costs, where it needs a road, and the best die to stay in order."""

    rule: str
    allowance: int
    cost: int
    only_by_road: frozenset[str]
    best: int


class OverrunNumbers(msgspec.Struct, frozen=True):
    """What a swamp costs along a road without its rate, and how many columns the odds shift."""

    rule: str
    swamp_cost: int
    shift: int


class OpportunityNumbers(msgspec.Struct, frozen=True):
    """The part of its allowance that a mover can spend in sight before it is fired at."""

    rule: str
    divisor: int


class MovementTable(msgspec.Struct, frozen=True):
    """All of tables/movement.toml."""

    system: str
    rule: str
    road_limit: int
    least: int
    crossings: dict[str, Crossing]
    quick: QuickTime
    overrun: OverrunNumbers
    opportunity: OpportunityNumbers


NUMBERS = read_table(TABLES / "movement.toml", MovementTable)
