"""Who is where, and how many may be.

Rules: PB3-401, PB3-402, PB3-404, PB3-405, PB3-406.
"""

from __future__ import annotations

from operator import attrgetter

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS, KINDS, UnitKind
from sandtable.rulesets.panzerblitz_3d.model import Position, Unit
from sandtable.rulesets.panzerblitz_3d.scenario import STACK_LIMITS

NO_UNITS: tuple[Unit, ...] = ()


def kind(unit: Unit) -> UnitKind:
    """The printed type of a unit."""
    return KINDS[unit.kind]


class Occupancy:
    """Who is where: units by hex, those of each side on the table in order of numbers; and who rides, by carrier."""

    __slots__ = ("_active", "_in_order", "_places", "_units", "by_hex", "riders")

    def __init__(
        self,
        units: tuple[Unit, ...],
        by_hex: dict[HexId, tuple[Unit, ...]],
        riders: dict[UnitId, tuple[UnitId, ...]],
        active: dict[SideId, tuple[Unit, ...]],
    ) -> None:
        self._units, self.by_hex, self.riders, self._active = units, by_hex, riders, active
        self._places: dict[SideId, tuple[HexId, ...]] = {}
        self._in_order: dict[HexId, tuple[Unit, ...]] | None = None

    def in_order(self) -> dict[HexId, tuple[Unit, ...]]:
        """The units by hex in order of hexes: whoever goes through them finds the same, however the map came about."""
        if self._in_order is None:
            self._in_order = {place: self.by_hex[place] for place in sorted(self.by_hex)}
        return self._in_order

    def active(self, side: SideId) -> tuple[Unit, ...]:
        """The side's units on the table."""
        known = self._active.get(side)
        if known is None:
            known = self._active[side] = tuple([unit for unit in self._units if unit.side == side and unit.hex])
        return known

    def places(self, side: SideId) -> tuple[HexId, ...]:
        """Where they stand, in order of their numbers."""
        known = self._places.get(side)
        if known is None:
            known = self._places[side] = tuple(dict.fromkeys([unit.hex for unit in self.active(side)]))
        return known

    def changed(self, changes: list[tuple[Unit, Unit]], units: tuple[Unit, ...]) -> Occupancy:
        """The same with old units taken out and new ones put in."""
        by_hex, riders, active = self.by_hex.copy(), self.riders, self._active.copy()
        for old, new in changes:
            active.pop(new.side, None)
            if old.carrier != new.carrier:
                riders = _riders_of(units)
            if old.hex:
                left = tuple([unit for unit in by_hex.pop(old.hex) if unit.id != old.id])
                if left:
                    by_hex[old.hex] = left
        for _, new in changes:
            if new.hex:
                there = by_hex.get(new.hex)
                by_hex[new.hex] = tuple(sorted((*there, new), key=_number)) if there else (new,)
        return Occupancy(units, by_hex, riders, active)


_number = attrgetter("id")


def _riders_of(units: tuple[Unit, ...]) -> dict[UnitId, tuple[UnitId, ...]]:
    found: dict[UnitId, tuple[UnitId, ...]] = {}
    for unit in units:
        if unit.carrier != NOBODY:
            found[unit.carrier] = (*found.get(unit.carrier, ()), unit.id)
    return found


def _occupancy_of(units: tuple[Unit, ...]) -> Occupancy:
    by_hex: dict[HexId, list[Unit]] = {}
    for unit in units:
        if unit.hex:
            by_hex.setdefault(unit.hex, []).append(unit)
    return Occupancy(units, {place: tuple(stack) for place, stack in by_hex.items()}, _riders_of(units), {})


def occupancy(position: Position) -> Occupancy:
    """Who is where on the table."""
    kept = position.derived.parts.get("occupancy")
    if kept is not None and kept[0][0] is position.units:
        known: Occupancy = kept[1]
        return known
    return position.derived.follow("occupancy", position.units, _occupancy_of, Occupancy.changed)


def own_unit(position: Position, side: SideId, id: UnitId) -> Unit | None:
    """The unit of that number if it is the side's and on the table, whatever number an order may hold."""
    if not 0 <= id < len(position.units):
        return None
    unit = position.units[id]
    return unit if unit.hex and unit.side == side else None


def named_units(position: Position, side: SideId, ids: tuple[UnitId, ...]) -> tuple[Unit, ...] | None:
    """The side's units on the table with these ids, or None when one is none of them, or is named twice."""
    found = [own_unit(position, side, id) for id in ids]
    units = tuple([unit for unit in found if unit is not None])
    return units if units and len(units) == len(ids) == len(set(ids)) else None


def stacks(position: Position) -> dict[HexId, tuple[Unit, ...]]:
    """All units by hex in order of hexes, passengers and garrisons included."""
    return occupancy(position).in_order()


def units_at(position: Position, place: HexId) -> tuple[Unit, ...]:
    """Every unit in a hex, passengers and garrisons included."""
    return occupancy(position).by_hex.get(place, NO_UNITS)


def active(position: Position, side: SideId) -> tuple[Unit, ...]:
    """The side's units on the table."""
    return occupancy(position).active(side)


def places_of(position: Position, side: SideId) -> tuple[HexId, ...]:
    """The hexes in which a side has units, in order of their numbers."""
    return occupancy(position).places(side)


def is_outside(unit: Unit) -> bool:
    """Whether a unit is a counter of its own in its hex, neither aboard a carrier nor inside a fort."""
    return unit.carrier == NOBODY and unit.fort == NOBODY


def counters_at(position: Position, place: HexId, side: SideId) -> tuple[Unit, ...]:
    """The side's counters in a hex as an attacker counts them: neither passengers nor garrisons, but forts."""
    return tuple([unit for unit in units_at(position, place) if unit.side == side and is_outside(unit)])


def has_enemy(position: Position, place: HexId, side: SideId) -> bool:
    """Whether the hex holds a unit of the other side that bars the way; an empty fort does not (PB3-606)."""
    return any(unit.side != side and unit.kind not in FORTS for unit in units_at(position, place))


def passengers_of(position: Position, carrier: UnitId) -> list[Unit]:
    """All that a carrier carries."""
    return [position.units[id] for id in occupancy(position).riders.get(carrier, ())]


def passenger_of(position: Position, carrier: UnitId) -> Unit | None:
    """The unit that a carrier carries, if any."""
    for unit in passengers_of(position, carrier):
        return unit
    return None


def garrison(position: Position, fort: UnitId) -> tuple[Unit, ...]:
    """The units inside a fort."""
    return tuple([unit for unit in units_at(position, position.units[fort].hex) if unit.fort == fort])


def fort_at(position: Position, place: HexId) -> Unit | None:
    """The fort in a hex, if any; there is never more than one."""
    return next((unit for unit in units_at(position, place) if unit.kind in FORTS), None)


def limit_of(side: SideId) -> int:
    """How many units of a side may be in a hex.

    Rules: PB3-401.
    """
    return STACK_LIMITS[side]


def height(position: Position, place: HexId) -> int:
    """How much of the stacking limit a hex has used up: counters and wrecks; a carrier with its passenger is one, and
    mines, blocks and forts are none.

    Rules: PB3-402, PB3-405.
    """
    counters = [unit for unit in units_at(position, place) if is_outside(unit) and unit.kind not in FORTS]
    return len(counters) + position.wrecks.get(place, 0)


def has_room(position: Position, place: HexId, side: SideId, arriving: int = 1) -> bool:
    """Whether that many more counters of a side may end their move in a hex.

    Rules: PB3-401, PB3-402, PB3-404, PB3-406.
    """
    return height(position, place) + arriving <= limit_of(side)
