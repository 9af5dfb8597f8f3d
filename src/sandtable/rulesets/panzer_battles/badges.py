"""The badges that Panzer Battles' pieces wear."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.kernel.ids import RuleId
from sandtable.kernel.questions import SHAKEN, SPENT, Badge
from sandtable.rulesets.panzer_battles.model import Position, Unit

BADGES: tuple[Badge, ...] = (
    Badge("broken", "Broken", RuleId("PB-FIRE-64"), "B", SHAKEN),
    Badge("disrupted", "Disrupted", RuleId("PB-FIRE-64"), "D", SHAKEN),
    Badge("travel", "in Travel Mode", RuleId("PB-MOVE-21"), "T"),
    Badge("vulnerable", "Vulnerable", RuleId("PB-MOVE-89"), "V"),
    Badge("fixed", "fixed", RuleId("PB-MOVE-98"), "F"),
    Badge("fired", "has fired", RuleId("PB-UNIT-6"), "f"),
    Badge("spent", "no movement points left", RuleId("PB-MOVE-124"), "0", SPENT),
)

BY_KEY = {badge.key: badge for badge in BADGES}


def badges_of(position: Position, unit: Unit) -> tuple[str, ...]:
    """What has become of a unit, as keys of the badges it wears."""
    is_known = position.knows(unit.side)
    worn = {
        "broken": unit.broken,
        "disrupted": unit.disrupted,
        "travel": unit.is_traveling,
        "vulnerable": unit.vulnerable,
        "fixed": unit.fixed,
        "fired": unit.fired,
        "spent": is_known and not unit.mp,
    }
    return tuple(key for key, holds in worn.items() if holds)


def titles(badges: Iterable[str]) -> tuple[str, ...]:
    """The badges in words."""
    return tuple(BY_KEY[key].title for key in badges)


def tone_of(badges: Iterable[str]) -> str:
    """The tone of the first badge that has one."""
    return next((tone for key in badges if (tone := BY_KEY[key].tone)), "")
