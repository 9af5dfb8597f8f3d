"""The tables of results and of recovery as their file has them.

Rules: P8-8.06, P8-8.07, P8-10.04, P8-11.09.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import msgspec

from sandtable.content import read_table
from sandtable.rulesets.panzer8.kinds import TABLES


class Thresholds(msgspec.Struct, frozen=True):
    """From which difference on each result holds; 0 where there is no such result."""

    rule: str
    out: int
    suppressed: int
    fall_back: int = 0
    no_effect: int = 0


class RecoveryThresholds(msgspec.Struct, frozen=True):
    """From which total on a recovery ends so."""

    rule: str
    no_effect: int
    recovers: int
    recovers_and_acts: int


class _Results(msgspec.Struct, frozen=True):
    system: str
    rule: str
    result: dict[str, Thresholds]
    recovery: RecoveryThresholds


@cache
def _table() -> _Results:
    return read_table(TABLES / "results.toml", _Results)


RESULTS: Mapping[str, Thresholds] = MappingProxyType(_table().result)
RECOVERY = _table().recovery
