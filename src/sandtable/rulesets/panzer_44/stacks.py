"""Who is where.

Rules: P44-4.01.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.rulesets.panzer_44.kinds import KINDS, UnitKind
from sandtable.rulesets.panzer_44.model import Position, Unit


def kind_of(unit: Unit) -> UnitKind:
    """The type of a unit."""
    return KINDS[unit.kind]


def stacks(position: Position) -> Mapping[HexId, tuple[Unit, ...]]:
    """The units in each hex by id; passengers are aboard and do not count (P44-4.01)."""
    return position.derived.follow("stacks", position.units, _stacks, _changed_stacks)


def _stacks(units: tuple[Unit, ...]) -> dict[HexId, tuple[Unit, ...]]:
    found: dict[HexId, list[Unit]] = {}
    for unit in units:
        if unit.hex and unit.carrier == NOBODY:
            found.setdefault(unit.hex, []).append(unit)
    return {place: tuple(stack) for place, stack in found.items()}


def _changed_stacks(
    known: dict[HexId, tuple[Unit, ...]], changes: list[tuple[Unit, Unit]], units: tuple[Unit, ...]
) -> dict[HexId, tuple[Unit, ...]]:
    """The same with old units taken out and new ones put in."""
    found = known.copy()
    for old, _ in changes:
        if old.hex and old.carrier == NOBODY:
            left = tuple([unit for unit in found.pop(old.hex) if unit.id != old.id])
            if left:
                found[old.hex] = left
    for _, new in changes:
        if new.hex and new.carrier == NOBODY:
            there = found.get(new.hex)
            found[new.hex] = tuple(sorted((*there, new), key=_number)) if there else (new,)
    return found


_number = attrgetter("id")


def units_at(position: Position, place: HexId) -> tuple[Unit, ...]:
    """The units that stand in a hex, without passengers."""
    return stacks(position).get(place, ())


def enemies_at(position: Position, place: HexId, side: SideId) -> list[Unit]:
    """The enemies of a side in a hex, without passengers."""
    return [unit for unit in units_at(position, place) if unit.side != side]


def on_table(position: Position, side: SideId) -> list[Unit]:
    """The side's units on the table that are nobody's passengers."""
    return [unit for unit in position.units if unit.side == side and unit.hex and unit.carrier == NOBODY]


def passengers(position: Position, carrier: UnitId) -> list[Unit]:
    """Who is aboard."""
    return [unit for unit in position.units if unit.carrier == carrier]


def is_fit(unit: Unit) -> bool:
    """Whether a unit is on the table, neither disrupted nor panicked."""
    return bool(unit.hex) and not unit.disruption and not unit.panic
