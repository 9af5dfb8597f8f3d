"""Who is where, and how many may be.

Rules: PB3-401, PB3-402, PB3-404, PB3-405, PB3-406.
"""

from __future__ import annotations

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS, KINDS, UnitKind
from sandtable.rulesets.panzerblitz_3d.model import Position, Unit
from sandtable.rulesets.panzerblitz_3d.scenario import STACK_LIMITS

NO_UNITS: tuple[Unit, ...] = ()


def kind(unit: Unit) -> UnitKind:
    """The printed type of a unit."""
    return KINDS[unit.kind]


class Occupancy:
    """Who is where: units by hex in order of hexes, and the units of each side on the table in order of numbers."""

    __slots__ = ("active", "by_hex", "places", "riders")

    def __init__(self, units: tuple[Unit, ...]) -> None:
        by_hex: dict[HexId, list[Unit]] = {}
        self.active: dict[SideId, tuple[Unit, ...]] = {SideId(side): () for side in STACK_LIMITS}
        sides: dict[SideId, list[Unit]] = {side: [] for side in self.active}
        self.riders: dict[UnitId, tuple[Unit, ...]] = {}
        for unit in units:
            if unit.carrier != NOBODY:
                self.riders[unit.carrier] = (*self.riders.get(unit.carrier, ()), unit)
            if unit.hex:
                by_hex.setdefault(unit.hex, []).append(unit)
                sides[unit.side].append(unit)
        self.by_hex = {place: tuple(by_hex[place]) for place in sorted(by_hex)}
        self.active = {side: tuple(some) for side, some in sides.items()}
        self.places = {side: tuple(dict.fromkeys([unit.hex for unit in some])) for side, some in sides.items()}


def occupancy(position: Position) -> Occupancy:
    """Who is where on the table."""
    kept = position.derived.parts.get("occupancy")
    if kept is not None and kept[0][0] is position.units:
        known: Occupancy = kept[1]
        return known
    return position.derived.of("occupancy", position.units, Occupancy)


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
    return occupancy(position).by_hex


def units_at(position: Position, place: HexId) -> tuple[Unit, ...]:
    """Every unit in a hex, passengers and garrisons included."""
    return occupancy(position).by_hex.get(place, NO_UNITS)


def active(position: Position, side: SideId) -> tuple[Unit, ...]:
    """The side's units on the table."""
    return occupancy(position).active.get(side, NO_UNITS)


def places_of(position: Position, side: SideId) -> tuple[HexId, ...]:
    """The hexes in which a side has units, in order of their numbers."""
    return occupancy(position).places[side]


def is_outside(unit: Unit) -> bool:
    """Whether a unit is a counter of its own in its hex, neither aboard a carrier nor inside a fort."""
    return unit.carrier == NOBODY and unit.fort == NOBODY


def counters_at(position: Position, place: HexId, side: SideId) -> tuple[Unit, ...]:
    """The side's counters in a hex as an attacker counts them: neither passengers nor garrisons, but forts."""
    return tuple([unit for unit in units_at(position, place) if unit.side == side and is_outside(unit)])


def has_enemy(position: Position, place: HexId, side: SideId) -> bool:
    """Whether the hex holds a unit of the other side that bars the way; an empty fort does not (PB3-606)."""
    return any(unit.side != side and unit.kind not in FORTS for unit in units_at(position, place))


def passenger_of(position: Position, carrier: UnitId) -> Unit | None:
    """The unit that a carrier carries, if any."""
    return next(iter(occupancy(position).riders.get(carrier, ())), None)


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
