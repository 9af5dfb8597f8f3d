"""Who is where, and how many may be.

Rules: PL-401, PL-402, PL-403, PL-404.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.rulesets.panzer_leader.kinds import FORTS, KINDS, TANK_BRIDGES, WORKS, UnitKind
from sandtable.rulesets.panzer_leader.model import Position, Unit

STACK_LIMIT = 4
"""At most four units in a hex, at all times (PL-401)."""

Riders = dict[UnitId, tuple[UnitId, ...]]
"""Who rides, by carrier."""

NO_UNITS: tuple[Unit, ...] = ()

FEW = 4
"""So many are exchanged one by one among a side's units."""

MANY = 64
"""With so many changes at once, who is where is worked out anew."""


def kind(unit: Unit) -> UnitKind:
    """The printed type of a unit."""
    return KINDS[unit.kind]


def own_unit(position: Position, side: SideId, id: UnitId) -> Unit | None:
    """The unit of that number if it is the side's and on the table, whatever number an order may hold."""
    if not 0 <= id < len(position.units):
        return None
    unit = position.units[id]
    return unit if unit.hex and unit.side == side else None


class Troops:
    """A side's units on the table in order of their numbers, and what is worked out of them when it is asked for."""

    __slots__ = ("_eyes", "_places", "units")

    def __init__(self, units: tuple[Unit, ...]) -> None:
        self.units = units
        self._places: dict[HexId, None] | None = None
        self._eyes: tuple[tuple[Unit, ...], tuple[HexId, ...]] | None = None

    def exchanged(self, old: Unit, new: Unit) -> Troops | None:
        """The same with one of them as he is now; None where the one he was is not known as the same object."""
        units = list(self.units)
        for n, unit in enumerate(units):
            if unit is old:
                units[n] = new
                return Troops(tuple(units))
        return None

    def places(self) -> dict[HexId, None]:
        """Where they stand, in order of their numbers and quick to look up."""
        if self._places is None:
            self._places = dict.fromkeys([unit.hex for unit in self.units])
        return self._places

    def eyes(self) -> tuple[tuple[Unit, ...], tuple[HexId, ...]]:
        """Those of them who look about, and from where: all but works."""
        if self._eyes is None:
            eyes = tuple([unit for unit in self.units if unit.kind not in WORKS])
            self._eyes = eyes, tuple([unit.hex for unit in eyes])
        return self._eyes


class Occupancy:
    """Who is where: units by hex, those of each side on the table, tank bridges laid; and what hardly ever changes: who
    rides, by carrier, and whose and of what kinds the units are, on the table or not.
    """

    __slots__ = ("_in_order", "_members", "_troops", "_units", "bridges", "by_hex", "riders")

    def __init__(
        self,
        units: tuple[Unit, ...],
        by_hex: dict[HexId, tuple[Unit, ...]],
        bridges: frozenset[HexId],
        riders: Riders,
        troops: dict[SideId, Troops],
        members: dict[tuple[SideId, frozenset[str] | None], tuple[UnitId, ...]],
    ) -> None:
        self._units, self.by_hex, self.bridges, self.riders = units, by_hex, bridges, riders
        self._troops, self._members = troops, members
        self._in_order: dict[HexId, tuple[Unit, ...]] | None = None

    def in_order(self) -> dict[HexId, tuple[Unit, ...]]:
        """The units by hex in order of hexes: whoever goes through them finds the same, however the map came about."""
        if self._in_order is None:
            self._in_order = {place: self.by_hex[place] for place in sorted(self.by_hex)}
        return self._in_order

    def members(self, side: SideId, kinds: frozenset[str] | None = None) -> Iterable[Unit]:
        """The side's units, or those of some kinds, on the table or not, in order of their numbers."""
        ids = self._members.get((side, kinds))
        if ids is None:
            own = [unit for unit in self._units if unit.side == side]
            ids = tuple([unit.id for unit in own if kinds is None or unit.kind in kinds])
            self._members[side, kinds] = ids
        return map(self._units.__getitem__, ids)

    def troops(self, side: SideId) -> Troops:
        """The side's units on the table."""
        known = self._troops.get(side)
        if known is None:
            known = self._troops[side] = Troops(tuple([unit for unit in self.members(side) if unit.hex]))
        return known

    def changed(self, changes: list[tuple[Unit, Unit]], units: tuple[Unit, ...]) -> Occupancy:
        """The same with old units taken out and new ones put in."""
        by_hex, troops, members = self.by_hex.copy(), self._troops.copy(), self._members
        bridges, riders, is_few = self.bridges, self.riders, len(changes) <= FEW
        come: list[tuple[HexId, Unit]] = []
        for old, new in changes:
            # each field is read once: this is asked after every event
            here, place, side, kind = old.hex, new.hex, new.side, new.kind
            if here:
                _take_out(by_hex, here, old, new, place)
            if place and place != here:
                come.append((place, new))
            known = troops.pop(side, None)
            if old.side != side or old.kind != kind:
                troops.pop(old.side, None)
                members = {}
            elif known is not None and is_few and here and place:
                exchanged = known.exchanged(old, new)
                if exchanged is not None:
                    troops[side] = exchanged
            if old.carrier != new.carrier:
                riders = _riders_of(units)
            if kind in TANK_BRIDGES or old.kind in TANK_BRIDGES:
                bridges = _laid_bridges(units)
        for place, new in come:
            there = by_hex.get(place)
            by_hex[place] = tuple(sorted((*there, new), key=by_id)) if there else (new,)
        return Occupancy(units, by_hex, bridges, riders, troops, members)


def occupancy(position: Position) -> Occupancy:
    """Who is where on the table."""
    units = position.units
    kept = position.derived.parts.get("occupancy")
    if kept is not None and kept[0][0] is units:
        known: Occupancy = kept[1]
        return known
    return position.derived.follow("occupancy", units, _occupancy_of, _changed_occupancy)


def _occupancy_of(units: tuple[Unit, ...]) -> Occupancy:
    by_hex: dict[HexId, list[Unit]] = {}
    for unit in units:
        if unit.hex:
            by_hex.setdefault(unit.hex, []).append(unit)
    stacked = {place: tuple(stack) for place, stack in by_hex.items()}
    return Occupancy(units, stacked, _laid_bridges(units), _riders_of(units), {}, {})


def _changed_occupancy(known: Occupancy, changed: list[tuple[Unit, Unit]], units: tuple[Unit, ...]) -> Occupancy | None:
    """The same after these changes; None when that would be no quicker."""
    return known.changed(changed, units) if len(changed) <= MANY else None


def _laid_bridges(units: tuple[Unit, ...]) -> frozenset[HexId]:
    return frozenset(unit.hex for unit in units if unit.hex and unit.kind in TANK_BRIDGES)


def _take_out(by_hex: dict[HexId, tuple[Unit, ...]], here: HexId, old: Unit, new: Unit, place: HexId) -> None:
    """The unit as it was is no longer in its hex; as it is, it has its old place among the others if it stays."""
    there, id = by_hex[here], old.id
    if place == here:
        by_hex[here] = (new,) if len(there) == 1 else tuple([new if unit.id == id else unit for unit in there])
    elif len(there) == 1:
        del by_hex[here]
    else:
        by_hex[here] = tuple([unit for unit in there if unit.id != id])


by_id = attrgetter("id")
"""The number of a unit, to sort by."""


def stacks(position: Position) -> dict[HexId, tuple[Unit, ...]]:
    """All units by hex in order of hexes, passengers and fort garrisons included."""
    return occupancy(position).in_order()


def units_at(position: Position, place: HexId) -> tuple[Unit, ...]:
    """Every unit in a hex, passengers and garrisons included."""
    # asked more often than anything else, so the latest is looked at without a call
    kept = position.derived.parts.get("occupancy")
    if kept is not None and kept[0][0] is position.units:
        there: tuple[Unit, ...] = kept[1].by_hex.get(place, NO_UNITS)
        return there
    return occupancy(position).by_hex.get(place, NO_UNITS)


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
        unit.side != side and not (unit.kind in WORKS and not garrison(position, unit.id))
        for unit in units_at(position, place)
    )


def passenger_of(position: Position, carrier: UnitId) -> Unit | None:
    """The unit that a carrier on the table carries, if any."""
    place = position.units[carrier].hex
    for other in passengers_of(position, carrier):
        if place and other.hex == place:
            return other
    return None


def passengers_of(position: Position, carrier: UnitId) -> list[Unit]:
    """All that a carrier carries, on the table or on the way to it."""
    return [position.units[id] for id in riders(position).get(carrier, ())]


def riders(position: Position) -> Riders:
    """Who rides: as the latest map of who is where has it, or followed by itself, since a viewer's map of a thousand
    units need not be made anew for each event that he is told.
    """
    kept = position.derived.parts.get("occupancy")
    if kept is not None and kept[0][0] is position.units:
        known: Occupancy = kept[1]
        return known.riders
    return position.derived.follow("riders", position.units, _riders_of, _changed_riders)


def _riders_of(units: tuple[Unit, ...]) -> Riders:
    found: Riders = {}
    for unit in units:
        if unit.carrier != NOBODY:
            found[unit.carrier] = (*found.get(unit.carrier, ()), unit.id)
    return found


def _changed_riders(known: Riders, changed: list[tuple[Unit, Unit]], units: tuple[Unit, ...]) -> Riders:
    """The same unless somebody has mounted or left another."""
    return known if all(old.carrier == new.carrier for old, new in changed) else _riders_of(units)


def garrison(position: Position, fort: UnitId) -> tuple[Unit, ...]:
    """The units inside a fort."""
    return tuple([unit for unit in units_at(position, position.units[fort].hex) if unit.fort == fort])


def fort_at(position: Position, place: HexId) -> Unit | None:
    """The fort in a hex, if any; there is never more than one (PL-1321)."""
    for unit in units_at(position, place):
        if unit.kind in FORTS:
            return unit
    return None


def height(position: Position, place: HexId) -> int:
    """How much of the stacking limit a hex has used up: units of both sides, wrecks, a block, a fort with all in it.

    Rules: PL-402, PL-403, PL-404.
    """
    counters = len([unit for unit in units_at(position, place) if is_outside(unit) and unit.kind not in TANK_BRIDGES])
    return counters + position.wrecks.get(place, 0) + (place in position.blocks)


def has_room(position: Position, place: HexId, arriving: int = 1) -> bool:
    """Whether that many more counters fit into a hex (PL-401)."""
    return height(position, place) + arriving <= STACK_LIMIT


def active(position: Position, side: SideId) -> tuple[Unit, ...]:
    """The side's units on the table."""
    return occupancy(position).troops(side).units


def places_of(position: Position, side: SideId) -> dict[HexId, None]:
    """The hexes in which a side has units, in order of their numbers and quick to look up."""
    return occupancy(position).troops(side).places()
