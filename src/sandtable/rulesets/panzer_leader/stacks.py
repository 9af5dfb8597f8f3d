"""Who is where, and how many may be.

Rules: PL-401, PL-402, PL-403, PL-404.
"""

from __future__ import annotations

from itertools import compress
from operator import is_not

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.rulesets.panzer_leader.kinds import KINDS, UnitKind
from sandtable.rulesets.panzer_leader.model import Position, Unit

STACK_LIMIT = 4
"""At most four units in a hex, at all times (PL-401)."""

NO_UNITS: tuple[Unit, ...] = ()

_KEPT = 64
_FEW = 8
_stacks: dict[int, tuple[tuple[Unit, ...], dict[HexId, tuple[Unit, ...]]]] = {}


def kind(unit: Unit) -> UnitKind:
    """The printed type of a unit."""
    return KINDS[unit.kind]


def own_unit(position: Position, side: SideId, id: UnitId) -> Unit | None:
    """The unit of that number if it is the side's and on the table, whatever number an order may hold."""
    if not 0 <= id < len(position.units):
        return None
    unit = position.units[id]
    return unit if unit.hex and unit.side == side else None


def stacks(position: Position) -> dict[HexId, tuple[Unit, ...]]:
    """All units by hex in order of hexes, passengers and fort garrisons included; remembered for as long as the units
    stay the same.
    """
    units = position.units
    kept = _stacks.get(id(units))
    # the tuple is kept with its map, so its id can't pass to another tuple while the map is here
    if kept is not None:
        return kept[1]
    by_hex = _derived(units)
    if len(_stacks) >= _KEPT:
        del _stacks[next(iter(_stacks))]
    _stacks[id(units)] = (units, by_hex)
    return by_hex


def _derived(units: tuple[Unit, ...]) -> dict[HexId, tuple[Unit, ...]]:
    """The map of the units, made from the latest one when only a few of them have changed since."""
    if _stacks:
        before, known = next(reversed(_stacks.values()))
        if len(before) == len(units):
            changed = changed_units(before, units)
            if len(changed) <= _FEW:
                return _with_changes(known, changed)
    by_hex: dict[HexId, tuple[Unit, ...]] = {}
    for unit in units:
        place = unit.hex
        if place:
            by_hex[place] = (*by_hex[place], unit) if place in by_hex else (unit,)
    return _in_order(by_hex)


def _in_order(by_hex: dict[HexId, tuple[Unit, ...]]) -> dict[HexId, tuple[Unit, ...]]:
    """The map with its hexes in order: whoever goes through it finds the same, however the map came about."""
    return {place: by_hex[place] for place in sorted(by_hex)}


def changed_units(before: tuple[Unit, ...], now: tuple[Unit, ...]) -> list[tuple[Unit, Unit]]:
    """The units that are no longer what they were, each as it was and as it is."""
    return list(compress(zip(before, now, strict=True), map(is_not, before, now)))


def _with_changes(
    known: dict[HexId, tuple[Unit, ...]], changed: list[tuple[Unit, Unit]]
) -> dict[HexId, tuple[Unit, ...]]:
    """The map with old units taken out and new ones put in; hexes and the units of each stay in order, as if made
    anew.
    """
    by_hex = known.copy()
    is_in_order = True
    for old, new in changed:
        place = old.hex
        if place and place == new.hex:
            # it stays where it was, in its old place among the others
            by_hex[place] = tuple([new if unit is old else unit for unit in by_hex[place]])
        elif place:
            left = tuple([unit for unit in by_hex[place] if unit is not old])
            if left:
                by_hex[place] = left
            else:
                del by_hex[place]
    for old, new in changed:
        place = new.hex
        if place and place != old.hex:
            there = by_hex.get(place)
            by_hex[place] = (new,) if there is None else tuple(sorted((*there, new), key=_by_id))
            is_in_order = is_in_order and there is not None
    return by_hex if is_in_order else _in_order(by_hex)


def _by_id(unit: Unit) -> UnitId:
    return unit.id


def units_at(position: Position, place: HexId) -> tuple[Unit, ...]:
    """Every unit in a hex, passengers and garrisons included."""
    kept = _stacks.get(id(position.units))
    return (stacks(position) if kept is None else kept[1]).get(place, NO_UNITS)


def side_at(position: Position, place: HexId, side: SideId) -> tuple[Unit, ...]:
    """The side's units in a hex, passengers and garrisons included."""
    return tuple([unit for unit in units_at(position, place) if unit.side == side])


def counters_at(position: Position, place: HexId, side: SideId) -> tuple[Unit, ...]:
    """The side's counters in a hex as an attacker counts them: neither passengers nor garrisons, but forts."""
    return tuple([unit for unit in units_at(position, place) if unit.side == side and is_outside(unit)])


def is_outside(unit: Unit) -> bool:
    """Whether a unit is a counter of its own in its hex, neither aboard a carrier nor inside a fort."""
    return unit.carrier == NOBODY and unit.fort == NOBODY


def has_enemy(position: Position, place: HexId, side: SideId) -> bool:
    """Whether the hex holds a unit of the other side that bars the way; an empty fort and a tank bridge do not.

    Rules: PL-605, PL-907, PL-1323.
    """
    return any(
        unit.side != side and not (KINDS[unit.kind].is_work and not garrison(position, unit.id))
        for unit in units_at(position, place)
    )


def passenger_of(position: Position, carrier: UnitId) -> Unit | None:
    """The unit that a carrier carries, if any."""
    unit = position.units[carrier]
    for other in units_at(position, unit.hex):
        if other.carrier == carrier:
            return other
    return None


def garrison(position: Position, fort: UnitId) -> tuple[Unit, ...]:
    """The units inside a fort."""
    return tuple([unit for unit in units_at(position, position.units[fort].hex) if unit.fort == fort])


def fort_at(position: Position, place: HexId) -> Unit | None:
    """The fort in a hex, if any; there is never more than one (PL-1321)."""
    for unit in units_at(position, place):
        if KINDS[unit.kind].is_fort:
            return unit
    return None


def height(position: Position, place: HexId) -> int:
    """How much of the stacking limit a hex has used up: units of both sides, wrecks, a block, a fort with all in it.

    Rules: PL-402, PL-403, PL-404.
    """
    counters = sum(
        1 for unit in units_at(position, place) if is_outside(unit) and not KINDS[unit.kind].is_temporary_bridge
    )
    return counters + position.wrecks.get(place, 0) + (place in position.blocks)


def has_room(position: Position, place: HexId, arriving: int = 1) -> bool:
    """Whether that many more counters fit into a hex (PL-401)."""
    return height(position, place) + arriving <= STACK_LIMIT


def active(position: Position, side: SideId) -> list[Unit]:
    """The side's units on the table."""
    return [unit for unit in position.units if unit.hex and unit.side == side]
