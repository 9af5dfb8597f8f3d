"""A counter in words: what each number printed on it means for a player who has not learned them yet.

Rules: P8-2.01, P8-2.02, P8-2.03.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sandtable.kernel.ids import RuleId
from sandtable.play.counters import CounterCard, CounterValue
from sandtable.rulesets.panzer8.kinds import KIND_TITLES, KINDS, UNKNOWN, ElementKind, flag_titles
from sandtable.rulesets.panzer8.movement_table import RATES


@cache
def counters() -> tuple[CounterCard, ...]:
    """Every type of element in words."""
    return tuple(CounterCard(kind.key, kind.name, _brief(kind), tuple(_values(kind))) for kind in KINDS.values())


def _brief(kind: ElementKind) -> str:
    if kind.key == UNKNOWN:
        return "of a type not known"
    fires = [f"AP {kind.ap} to {kind.ap_range} hexes"] if kind.ap else []
    fires += [f"HESA {kind.hesa} to {kind.hesa_range} hexes"] if kind.hesa else []
    return f"{KIND_TITLES[kind.kind]}, {', '.join(fires) or 'no weapon'}, defense {kind.defense}"


def _values(kind: ElementKind) -> Iterator[CounterValue]:
    if kind.key == UNKNOWN:
        yield CounterValue("Type", "not known", "it lies hidden", RuleId("P8-15.01"))
        return
    if kind.ap:
        reach = f"armor-piercing fire at vehicles, up to {kind.ap_range} hexes; harder beyond half of that"
        yield CounterValue("AP", str(kind.ap), reach, RuleId("P8-8.01"))
    if kind.hesa:
        what = "high explosive" if kind.has("he") else "small arms"
        yield CounterValue("HESA", str(kind.hesa), f"{what}, up to {kind.hesa_range} hexes", RuleId("P8-8.01"))
    yield CounterValue("Defense", str(kind.defense), "added to the target's die", RuleId("P8-8.02"))
    rates = RATES[kind.move]
    pace = f"hexes of a full move in the open, {rates.road} on roads"
    yield CounterValue("Movement", str(rates.open), pace, RuleId("P8-6.01"))
    arc = "fires to its front only" if kind.is_front_only else "fires all around"
    yield CounterValue("Arc", "", arc, RuleId("P8-7.06"))
    for flag in sorted(kind.flags):
        yield CounterValue("Ability", "", flag_titles()[flag], RuleId("P8-2.03"))
