"""A counter in words: what each number of a unit type means for a player who has not learned them yet.

Rules: PB-UNIT-2, PB-UNIT-4, PB-UNIT-5.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sandtable.kernel.ids import RuleId
from sandtable.play.counters import CounterCard, CounterValue
from sandtable.rulesets.panzer_battles.kinds import FLAG_TITLES, KINDS, TYPE_TITLES, UNKNOWN, UnitKind


@cache
def counters() -> tuple[CounterCard, ...]:
    """Every unit type in words."""
    return tuple(CounterCard(kind.key, kind.name, _brief(kind), tuple(_values(kind))) for kind in KINDS.values())


def _brief(kind: UnitKind) -> str:
    if kind.key == UNKNOWN:
        return "of a type not known"
    fires = [f"soft {kind.soft} (range {kind.soft_range})"] if kind.soft_range else []
    fires += [f"hard {kind.hard} (range {kind.hard_range})"] if kind.hard_range else []
    return f"{TYPE_TITLES[kind.type]}, full {kind.full} {kind.component}, {', '.join(fires) or 'no weapon'}"


def _values(kind: UnitKind) -> Iterator[CounterValue]:
    if kind.key == UNKNOWN:
        yield CounterValue("Type", "not known", "something is there", RuleId("PB-SPOT-17"))
        return
    each = "per ten men" if kind.is_men else f"per {kind.component.removesuffix('s')}"
    yield CounterValue("Strength", str(kind.full), f"{kind.component} at full strength", RuleId("PB-UNIT-2"))
    if kind.soft_range:
        reach = f"attack {each} at men, guns and trucks, up to {kind.soft_range} hexes"
        yield CounterValue("Soft", str(kind.soft), reach, RuleId("PB-UNIT-4"))
    if kind.hard_range:
        reach = f"attack {each} at armor and bunkers, up to {kind.hard_range} hexes"
        yield CounterValue("Hard", str(kind.hard), reach, RuleId("PB-UNIT-5"))
    if kind.indirect_range:
        reach = "hexes that it reaches with a spotter's help"
        yield CounterValue("Indirect", str(kind.indirect_range), reach, RuleId("PB-FIRE-2"))
    shell = "what fire and assault are divided by" + (" while carried" if kind.is_carried else "")
    yield CounterValue("Defense", str(kind.defense), shell, RuleId("PB-FIRE-56"))
    yield CounterValue(
        "Assault", str(kind.assault), "value per man, a vehicle or gun counts as ten", RuleId("PB-ASLT-11")
    )
    pace = f"movement points of quality C, {kind.move_class.replace('_', ' ')}"
    yield CounterValue("Movement", str(kind.ma), pace, RuleId("PB-MOVE-5"))
    if kind.command_range:
        yield CounterValue("Command", str(kind.command_range), "hexes that its orders reach", RuleId("PB-CMD-3"))
    if kind.aa:
        yield CounterValue("AA", str(kind.aa), f"attack at aircraft, {kind.aa_range} hexes far", RuleId("PB-UNIT-4"))
    for flag in sorted(kind.flags):
        yield CounterValue("Ability", "", FLAG_TITLES[flag], RuleId("PB-UNIT-4"))
