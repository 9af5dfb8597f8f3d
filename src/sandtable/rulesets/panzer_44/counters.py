"""A counter in words: what each number printed on it means for a player who has not learned them yet.

Rules: P44-3.01, P44-3.02, P44-3.03.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sandtable.kernel.ids import RuleId
from sandtable.play.counters import CounterCard, CounterValue
from sandtable.play.words import so_many
from sandtable.rulesets.panzer_44.kinds import (
    KINDS,
    MOBILITY_TITLES,
    UNKNOWN,
    WEAPON_TITLES,
    UnitKind,
    flag_titles,
)


@cache
def counters() -> tuple[CounterCard, ...]:
    """Every type of unit in words."""
    return tuple(CounterCard(kind.key, kind.name, _brief(kind), tuple(_values(kind))) for kind in KINDS.values())


def _brief(kind: UnitKind) -> str:
    if kind.key == UNKNOWN:
        return "of a type not known"
    reach = so_many(kind.range, "hex", "hexes")
    fires = f"attack {kind.attack} ({WEAPON_TITLES[kind.weapon]}) to {reach}" if kind.is_armed else "unarmed"
    pace = so_many(kind.ma, "movement point", "movement points")
    return f"{fires}, defense {kind.defense} ({kind.target} target), {pace}"


def _values(kind: UnitKind) -> Iterator[CounterValue]:
    if kind.key == UNKNOWN:
        yield CounterValue("Type", "not known", "it is out of sight", RuleId("P44-4.07"))
        return
    if kind.is_armed:
        meaning = f"attack strength of a {WEAPON_TITLES[kind.weapon]}; range and the target's defense change it"
        yield CounterValue("Attack", f"{kind.attack}{kind.weapon}", meaning, RuleId("P44-3.02"))
        yield CounterValue("Range", str(kind.range), "how many hexes it fires at most", RuleId("P44-3.05"))
    meaning = f"subtracted from the attack; it is a {kind.target} target"
    yield CounterValue("Defense", str(kind.defense), meaning, RuleId("P44-9.03"))
    pace = f"movement points; {MOBILITY_TITLES[kind.mobility]}"
    yield CounterValue("Movement", str(kind.ma), pace, RuleId("P44-12.01"))
    if kind.carries:
        yield CounterValue("Carries", str(kind.carries), "a foot unit or a gun", RuleId("P44-4.04"))
    for flag in sorted(kind.flags):
        yield CounterValue("Ability", "", flag_titles()[flag], RuleId("P44-3.01"))
