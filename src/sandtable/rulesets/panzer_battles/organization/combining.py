"""What becomes of units that are combined, and of one that is broken down.

The senior part keeps its id and stands for all; the others are off the map until they are taken out again, so nobody
is given an id in battle.

Rules: PB-UNIT-19, PB-UNIT-29.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.kernel.ids import NOWHERE, UnitId
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import COMBINED, Position, Unit
from sandtable.rulesets.panzer_battles.operations import BRIDGING, is_at
from sandtable.rulesets.panzer_battles.parameters import Parameters

CONDITIONS = tuple(
    field.name
    for field in msgspec.structs.fields(Unit)
    if field.type is bool and field.name not in ("concealed", "stockpiled", "fixed_tonight")
)
"""What a combined unit suffers if one of its parts does (PB-UNIT-23)."""

GOOD_FOR_ALL_ONLY = ("concealed", "stockpiled")
SPENT = ("thirds", "halves")
LEFT = ("mp", "supplied_until", "progress")
"""What a combined unit has as little of as one of its parts (PB-UNIT-23, PB-UNIT-24)."""

SHARED = (*CONDITIONS, *GOOD_FOR_ALL_ONLY, *SPENT, *LEFT, "fatigue", "fixed_tonight", "mode", "facing")
"""What a part that is taken out has of the whole (PB-UNIT-30)."""


def count(unit: Unit) -> int:
    """Of how many units one consists.

    Rules: PB-UNIT-7, PB-UNIT-28.
    """
    return 1 + len(unit.parts)


def _weighted(units: Sequence[Unit], values: Sequence[int]) -> tuple[int, int]:
    """The sum of values by strength, and the strength of all."""
    pairs = zip(units, values, strict=True)
    return sum(unit.strength * value for unit, value in pairs), sum(unit.strength for unit in units)


def mean_fatigue(units: Sequence[Unit]) -> int:
    """The fatigue of several units together, halves rounded up.

    Rules: PB-UNIT-25.
    """
    whole, strength = _weighted(units, [unit.fatigue for unit in units])
    return (2 * whole + strength) // (2 * strength)


def mean_quality(units: Sequence[Unit], parameters: Parameters) -> str:
    """The quality of several units together: their mean, and of two grades the worse.

    Rules: PB-UNIT-27.
    """
    numeric = parameters.quality.numeric
    whole, strength = _weighted(units, [numeric[unit.quality] for unit in units])
    return {number: grade for grade, number in numeric.items()}[whole // strength]


def _blend(units: Sequence[Unit]) -> tuple[tuple[str, int], ...]:
    """How much of each type is in several units, in proportion; nothing where all are of one type.

    Rules: PB-UNIT-26.
    """
    shares = [(unit, unit.blend or ((unit.kind, 1),)) for unit in units]
    scale = lcm(*(sum(part for _, part in blend) for _, blend in shares))
    found: dict[str, int] = {}
    for unit, blend in shares:
        whole = sum(part for _, part in blend)
        for kind, part in blend:
            found[kind] = found.get(kind, 0) + unit.strength * part * scale // whole
    return tuple(found.items()) if len(found) > 1 else ()


def combined(units: Sequence[Unit], parameters: Parameters) -> Unit:
    """The unit that several become: the worst of their conditions, the fewest points, all of their strength.

    Rules: PB-UNIT-23, PB-UNIT-24, PB-UNIT-26.
    """
    senior, *others = units
    state: dict[str, Any] = {name: any(getattr(unit, name) for unit in units) for name in CONDITIONS}
    state |= {name: all(getattr(unit, name) for unit in units) for name in GOOD_FOR_ALL_ONLY}
    state |= {name: max(getattr(unit, name) for unit in units) for name in SPENT}
    state |= {name: min(getattr(unit, name) for unit in units) for name in LEFT}
    # who is fixed for longer than the night holds the others with him
    state["fixed_tonight"] = state["fixed"] and all(unit.fixed_tonight for unit in units if unit.fixed)
    state["disrupted"] = state["disrupted"] and not state["broken"]
    return replace(
        senior,
        strength=sum(unit.strength for unit in units),
        full=sum(unit.full for unit in units),
        fatigue=mean_fatigue(units),
        quality=mean_quality(units, parameters),
        parts=(*senior.parts, *(id for unit in others for id in (unit.id, *unit.parts))),
        blend=_blend(units),
        **state,
    )


def is_part(position: Position, id: UnitId) -> bool:
    """Whether another stands for a unit.

    Rules: PB-UNIT-19.
    """
    return position.units[id].away == COMBINED


def put_away(unit: Unit) -> Unit:
    """A part whose senior stands for it."""
    return replace(unit, hex=NOWHERE, away=COMBINED, parts=(), blend=())


def own_quality(ground: Ground, unit: Unit) -> str:
    """The quality that the order of battle gives a unit."""
    grades: dict[str, str] = ground.once(
        "qualities", lambda: {one.id: one.details.quality for one in ground.scenario.units}
    )
    return grades[unit.name]


def broken_down(position: Position, unit: Unit) -> tuple[Unit, Unit]:
    """A combined unit without its last part, and that part: its even share of strength, and the state of all; a bridge
    in hand stays with the others.

    Rules: PB-UNIT-30, PB-ENG-7.
    """
    *rest, last = unit.parts
    part, parts = position.units[last], count(unit)
    strength, full = unit.strength // parts, unit.full // parts
    state = {name: getattr(unit, name) for name in SHARED}
    work = "" if is_at(unit, *BRIDGING) else unit.operation
    taken = replace(part, hex=unit.hex, away="", strength=strength, full=full, operation=work, **state)
    left = replace(unit, strength=unit.strength - strength, full=unit.full - full, parts=tuple(rest))
    if not rest:
        left = replace(left, blend=(), quality=own_quality(position.ground, unit))
    return left, taken
