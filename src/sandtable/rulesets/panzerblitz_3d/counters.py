"""A counter in words: what each number printed on it means for a player who has not learned them yet.

Rules: PB3-102, PB3-301, PB3-302, PB3-303, PB3-803, PB3-804.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sandtable.kernel.ids import RuleId
from sandtable.play.counters import CounterCard, CounterValue
from sandtable.play.words import so_many
from sandtable.rulesets.panzerblitz_3d.kinds import FLAG_TITLES, KINDS, UNKNOWN, UnitKind
from sandtable.rulesets.panzerblitz_3d.tables import NOT_ALLOWED, combat_tables
from sandtable.rulesets.panzerblitz_3d.weapons import near_limit

CLASSES = {"I": "light weapons", "A": "armor piercing", "H": "high explosive", "M": "mortar"}
"""The weapon classes (PB3-301)."""

SHARES = {"2": "double", "1": "full", "1/2": "half", "0.5": "half"}
"""The multipliers of the weapon effects chart (PB3-803)."""

GAITS = {"truck": "as a truck", "vehicle": "as a vehicle", "nonvehicle": "on foot"}
"""The columns of the terrain table (PB3-303)."""

_CHART = {row.weapon: row for row in combat_tables().wec.row}


@cache
def counters() -> tuple[CounterCard, ...]:
    """Every type of unit in words."""
    return tuple(CounterCard(kind.key, kind.name, _brief(kind), tuple(values_of(kind.key))) for kind in KINDS.values())


def _brief(kind: UnitKind) -> str:
    if kind.key == UNKNOWN:
        return "of a type not known"
    defense = f"defense {kind.defense}{' armored' if kind.armored else ''}"
    if kind.is_work:
        return defense
    weapon = f"attack {kind.attack} {CLASSES[kind.weapon]}, range {kind.range}" if kind.attack else "no weapon"
    return f"{weapon}, {defense}, movement {kind.movement}"


def values_of(key: str) -> Iterator[CounterValue]:
    """What is printed on a counter, and what that makes of it."""
    kind = KINDS[key]
    if key == UNKNOWN:
        yield CounterValue("Type", "not known", "it is told when the unit comes into sight", RuleId("PB3-1303"))
        return
    if kind.attack:
        reach = f"fires up to {so_many(kind.range, 'hex', 'hexes')}"
        yield CounterValue(
            "Attack", str(kind.attack), "factor of its fire, before distance and target", RuleId("PB3-102")
        )
        yield CounterValue("Weapon", kind.weapon, _effect(kind), RuleId("PB3-803"))
        yield CounterValue("Range", str(kind.range), reach, RuleId("PB3-102"))
    elif not kind.is_work:
        yield CounterValue("Attack", str(kind.attack), "it has no weapon", RuleId("PB3-102"))
    target = "an armored target" if kind.armored else "a target without armor"
    yield CounterValue(
        "Defense", str(kind.defense), f"attacks are measured against it, as on {target}", RuleId("PB3-302")
    )
    if not kind.is_work:
        gait = f"points a turn, {GAITS[kind.mobility]}" if kind.movement else "it has to be carried"
        yield CounterValue("Movement", str(kind.movement), gait, RuleId("PB3-303"))
    for flag in sorted(kind.flags):
        yield CounterValue("Ability", "", FLAG_TITLES[flag], RuleId("PB3-304"))


def _effect(kind: UnitKind) -> str:
    """What a weapon does to armor and to others (PB3-803, PB3-804)."""
    row, limit = _CHART[kind.weapon], near_limit(kind.key)
    if row.armored_far == NOT_ALLOWED:
        armor = "harms armor only by close assault"
    else:
        near = so_many(limit, "hex", "hexes")
        armor = f"{SHARES[row.armored_near]} against armor up to {near}, {SHARES[row.armored_far]} beyond"
    return f"{CLASSES[kind.weapon]}; {armor}, {SHARES[row.others]} against others"
