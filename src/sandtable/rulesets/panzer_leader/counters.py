"""A counter in words: what each number printed on it means for a player who has not learned them yet.

Rules: PL-102, PL-301, PL-302, PL-304, PL-305, PL-308, PL-808, PL-809.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sandtable.kernel.ids import RuleId
from sandtable.play.counters import CounterCard, CounterValue
from sandtable.play.words import so_many
from sandtable.rulesets.panzer_leader.combat import DIRECT, INDIRECT
from sandtable.rulesets.panzer_leader.combat_tables import WeaponEffect, combat_tables
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN, AircraftKind, UnitKind, aircraft_kinds, flag_titles
from sandtable.rulesets.panzer_leader.weapons import NOT_ALLOWED, near_limit

CLASSES = {
    "I": "light weapons",
    "A": "armor piercing",
    "H": "high explosive",
    "(H)": "high explosive",
    "M": "mortar",
}
"""The weapon classes (PL-301)."""

SHARES = {"2": "double", "1": "full", "1/2": "half"}
"""The multipliers of the weapons effectiveness chart (PL-808)."""

GAITS = {"truck": "as a truck", "vehicle": "as a vehicle", "nonvehicle": "on foot"}
"""The columns of the terrain table (PL-304)."""

_CHART = {(row.weapon, row.mode): row for row in combat_tables().wec.row}


@cache
def counters() -> tuple[CounterCard, ...]:
    """Every type of unit and of aircraft in words."""
    units = (CounterCard(kind.key, kind.name, _brief(kind), tuple(values_of(kind.key))) for kind in KINDS.values())
    planes = (
        CounterCard(kind.key, kind.name, _air_brief(kind), tuple(_air_values(kind)))
        for kind in aircraft_kinds().values()
    )
    return (*units, *planes)


def _brief(kind: UnitKind) -> str:
    if kind.key == UNKNOWN:
        return "of a type not known"
    defense = f"defense {kind.defense}{' armored' if kind.armored else ''}"
    if kind.is_work:
        return defense
    weapon = f"attack {kind.attack} {CLASSES[kind.weapon]}, range {kind.range}" if kind.attack else "no weapon"
    return f"{weapon}, {defense}, movement {kind.movement}"


def values_of(key: str) -> Iterator[CounterValue]:
    """What is printed on a counter, and what that makes of it.

    Rules: PL-102, PL-302, PL-304, PL-307, PL-1401.
    """
    kind = KINDS[key]
    if key == UNKNOWN:
        yield CounterValue("Type", "not known", "it is told when the unit lands or is attacked", RuleId("PL-1401"))
        return
    if kind.attack:
        yield from _armament(kind)
    elif not kind.is_work:
        yield CounterValue("Attack", str(kind.attack), "it has no weapon", RuleId("PL-102"))
    target = "an armored target" if kind.armored else "a target without armor"
    yield CounterValue(
        "Defense", str(kind.defense), f"attacks are measured against it, as on {target}", RuleId("PL-302")
    )
    if not kind.is_work:
        gait = f"points a turn, {GAITS[kind.mobility]}" if kind.movement else "it has to be carried"
        yield CounterValue("Movement", str(kind.movement), gait, RuleId("PL-304"))
    for flag in sorted(kind.flags - {"star"}):
        yield CounterValue("Ability", "", flag_titles()[flag], RuleId("PL-307"))


def _armament(kind: UnitKind) -> Iterator[CounterValue]:
    """Attack strength, weapon class and range.

    Rules: PL-102, PL-301, PL-305, PL-808.
    """
    yield CounterValue("Attack", str(kind.attack), "strength of its fire, before distance and target", RuleId("PL-102"))
    yield CounterValue("Weapon", kind.weapon, _effect(kind, _CHART[kind.weapon, DIRECT]), RuleId("PL-808"))
    reach = f"fires up to {so_many(kind.range, 'hex', 'hexes')}"
    if kind.has("star"):
        twice = f"{reach}, up to {2 * kind.range} at half strength against targets without armor"
        yield CounterValue("Range", f"{kind.range}*", twice, RuleId("PL-305"))
    else:
        yield CounterValue("Range", str(kind.range), reach, RuleId("PL-102"))


def _effect(kind: UnitKind, effect: WeaponEffect) -> str:
    """What a weapon does to armor and to others.

    Rules: PL-301, PL-808, PL-809.
    """
    near, far = effect.armored_near, effect.armored_far
    limit = near_limit(kind, effect)
    if far == NOT_ALLOWED:
        armor = "can't harm armor"
    elif near == far or not 0 < limit < kind.range:
        armor = f"{SHARES[near if limit else far]} against armor"
    else:
        armor = f"{SHARES[near]} against armor up to {so_many(limit, 'hex', 'hexes')}, {SHARES[far]} beyond"
    lobbed = "; can be ordered to fire indirectly" if (kind.weapon, INDIRECT) in _CHART else ""
    return f"{CLASSES[kind.weapon]}; {armor}, {SHARES[effect.nonarmored]} against others{lobbed}"


# --- aircraft -------------------------------------------------------------------------------------------------------


def _air_brief(kind: AircraftKind) -> str:
    guns = f"machine guns {kind.guns.strength}" if kind.guns else "no weapon"
    return ", ".join((guns, *(f"{weapon.key} {weapon.strength}" for weapon in kind.ordnance)))


def _air_values(kind: AircraftKind) -> Iterator[CounterValue]:
    """Machine guns and what else may be carried.

    Rules: PL-308, PL-1205.
    """
    if kind.guns is None:
        yield CounterValue("Weapon", "none", "it observes for indirect fire", RuleId("PL-308"))
        return
    runs = so_many(kind.guns.uses, "strafing run", "strafing runs")
    yield CounterValue("Machine guns", str(kind.guns.strength), f"{runs} in a battle", RuleId("PL-1205"))
    for weapon in kind.ordnance:
        meaning = f"{CLASSES[weapon.weapon]}, if it carries them"
        yield CounterValue(weapon.key.capitalize(), str(weapon.strength), meaning, RuleId("PL-308"))
