"""The unit that suffers: what combat results must know of it, and the values that follow from its size and state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from sandtable.kernel.ids import RuleId
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles.parameters import Parameters

Size = Literal["platoon", "combined2", "company"]
"""What a unit counts as for fatigue and morale (PB-UNIT-7, PB-UNIT-32)."""


class Struck(msgspec.Struct, frozen=True):
    """A unit as combat results see it. `low_supply` is Low Ammo or Low Fuel; `isolated` that it began the turn so."""

    is_men: bool
    strength: int
    full: int
    quality: str = "C"
    fatigue: int = 0
    size: Size = "platoon"
    is_hq: bool = False
    disrupted: bool = False
    broken: bool = False
    low_supply: bool = False
    isolated: bool = False


def size_of(parts: int, *, is_company: bool) -> Size:
    """What a unit of so many combined parts counts as: two parts are more than a platoon, three are a company.

    Rules: PB-UNIT-7, PB-UNIT-32.
    """
    if is_company or parts >= 3:
        return "company"
    return "combined2" if parts == 2 else "platoon"


def fatigue_level(points: int, parameters: Parameters) -> str:
    """The level of fatigue that so many points are.

    Rules: PB-FAT-1.
    """
    levels = parameters.fatigue
    if points >= levels.max:
        return "maximum"
    if points >= levels.high_at:
        return "high"
    if points >= levels.medium_at:
        return "medium"
    return "low" if points else "none"


def fatigue_factor(size: Size, parameters: Parameters) -> int:
    """The most fatigue that a man lost brings to a unit of that size.

    Rules: PB-FAT-3, PB-CRT-12.
    """
    levels = parameters.fatigue
    return {
        "platoon": levels.factor_platoon,
        "combined2": levels.factor_combined2,
        "company": levels.factor_company,
    }[size]


def morale_base(size: Size, parameters: Parameters) -> int:
    """The loss at which every second unit of that size must check its morale.

    Rules: PB-CRT-13.
    """
    combat = parameters.combat
    return {
        "platoon": combat.morale_base_platoon,
        "combined2": combat.morale_base_combined2,
        "company": combat.morale_base_company,
    }[size]


def _morale_steps(unit: Struck, parameters: Parameters, *, recovering: bool) -> Iterator[tuple[str, int, str]]:
    yield f"quality {unit.quality}", parameters.quality.numeric[unit.quality], "PB-MOR-2"
    level = fatigue_level(unit.fatigue, parameters)
    if worn := parameters.fatigue.morale_sub[level]:
        rule = {"medium": "PB-MOR-3", "high": "PB-MOR-4"}.get(level, "PB-MOR-5")
        yield f"{level} fatigue", -worn, rule
    if unit.low_supply:
        yield "low ammunition or fuel", -1, "PB-MOR-6"
    # the worst troops could never rally otherwise
    if (unit.disrupted or unit.broken) and not (recovering and unit.quality == "F"):
        yield "Broken" if unit.broken else "Disrupted", -1, "PB-MOR-7"
    if unit.isolated:
        yield "isolated", -1, "PB-MOR-8"


def morale(unit: Struck, parameters: Parameters, *, recovering: bool = False) -> int:
    """The morale of a unit now: its quality less what wears it down; 0 or less is no morale at all.

    Rules: PB-MOR-2, PB-MOR-9.
    """
    return sum(value for _, value, _ in _morale_steps(unit, parameters, recovering=recovering))


def morale_tally(unit: Struck, parameters: Parameters, *, recovering: bool = False) -> Tally:
    """The morale of a unit now, with everything that made it."""
    steps = _morale_steps(unit, parameters, recovering=recovering)
    lines = tuple(Line(label, value, RuleId(rule)) for label, value, rule in steps)
    return Tally("Morale", morale(unit, parameters, recovering=recovering), lines)
