"""The badges that Panzer Battles' pieces wear."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.kernel.ids import NOBODY, RuleId
from sandtable.kernel.questions import GRADES, SHAKEN, SPENT, Badge
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.model import RAIL, Position, Unit
from sandtable.rulesets.panzer_battles.operations import MINING, RUBBLE, holds_bridge, is_at, is_building
from sandtable.rulesets.panzer_battles.results.struck import fatigue_level

FATIGUE: tuple[Badge, ...] = tuple(
    Badge(f"{level}_fatigue", f"{level} fatigue", RuleId("PB-FAT-12"), tone=color)
    for level, color in zip(("low", "medium", "high", "maximum"), GRADES, strict=True)
)
"""The levels of fatigue, each shown in its color; who has none wears no badge.

Rules: PB-FAT-12.
"""

BADGES: tuple[Badge, ...] = (
    Badge("broken", "Broken", RuleId("PB-FIRE-64"), "B", SHAKEN),
    Badge("disrupted", "Disrupted", RuleId("PB-FIRE-64"), "D", SHAKEN),
    Badge("travel", "in Travel Mode", RuleId("PB-MOVE-21"), "T"),
    Badge("digging", "digging in", RuleId("PB-MOVE-102"), "d"),
    Badge("bridge_ops", "Bridge Ops", RuleId("PB-ENG-35"), "b"),
    Badge("has_bridge", "Has Bridge", RuleId("PB-ENG-40"), "H"),
    Badge("mining", "clearing or laying", RuleId("PB-ENG-23"), "c"),
    Badge("vulnerable", "Vulnerable", RuleId("PB-MOVE-89"), "V"),
    Badge("fixed", "fixed", RuleId("PB-MOVE-98"), "F"),
    Badge("rail", "in Rail Mode", RuleId("PB-OOB-16"), "R"),
    Badge("carrying", "CARRYING", RuleId("PB-MOVE-47"), "C"),
    Badge("carried", "is carried", RuleId("PB-MOVE-49"), "c"),
    Badge("on_foot", "On Foot", RuleId("PB-MOVE-67"), "W"),
    Badge("deception", "DECEPTION", RuleId("PB-DEC-1"), "?"),
    Badge("isolated", "Isolated", RuleId("PB-SUP-17"), "I"),
    Badge("low_ammo", "Low Ammo", RuleId("PB-SUP-26"), "A"),
    Badge("low_fuel", "Low Fuel", RuleId("PB-SUP-33"), "L"),
    Badge("unavailable", "Unavailable", RuleId("PB-SUP-28"), "U"),
    Badge("setup_required", "Setup Required", RuleId("PB-SUP-40"), "S"),
    Badge("stockpiled", "Stockpiled", RuleId("PB-SUP-49"), "P"),
    Badge("out_of_command", "Out of Command", RuleId("PB-CMD-17"), "O"),
    Badge("fired", "has fired", RuleId("PB-UNIT-6")),
    Badge("spent", "no movement points left", RuleId("PB-MOVE-124"), "0", SPENT),
    *FATIGUE,
)

BY_KEY = {badge.key: badge for badge in BADGES}


def badges_of(position: Position, unit: Unit) -> tuple[str, ...]:
    """What has become of a unit, as keys of the badges it wears."""
    is_known = position.knows(unit.side)
    worn = {
        "broken": unit.broken,
        "disrupted": unit.disrupted,
        "travel": unit.is_traveling,
        "digging": unit.digging_in,
        "bridge_ops": is_building(unit),
        "has_bridge": holds_bridge(unit),
        "mining": is_at(unit, *MINING, RUBBLE),
        "vulnerable": unit.vulnerable,
        "fixed": unit.fixed,
        "rail": unit.mode == RAIL,
        "carrying": is_known and any(other.carrier == unit.id for other in index.at(position, unit.hex)),
        "carried": unit.carrier != NOBODY,
        "on_foot": unit.on_foot,
        "deception": is_known and unit.has("deception"),
        "isolated": unit.isolated,
        "low_ammo": unit.low_ammo,
        "low_fuel": unit.low_fuel,
        "unavailable": unit.unavailable,
        "setup_required": unit.setup_required,
        "stockpiled": unit.stockpiled,
        "out_of_command": unit.out_of_command,
        "fired": unit.fired,
        "spent": is_known and not unit.mp,
        f"{fatigue_level(unit.fatigue, position.parameters)}_fatigue": is_known and unit.fatigue > 0,
    }
    return tuple(key for key, holds in worn.items() if holds)


def titles(badges: Iterable[str]) -> tuple[str, ...]:
    """The badges in words."""
    return tuple(BY_KEY[key].title for key in badges)


def tone_of(badges: Iterable[str]) -> str:
    """The tone of the first badge that says what a unit can do; fatigue has a color beside it."""
    return next((tone for key in badges if (tone := BY_KEY[key].tone) in (SHAKEN, SPENT)), "")
