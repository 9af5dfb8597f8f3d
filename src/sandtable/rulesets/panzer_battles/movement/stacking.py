"""How much fits into a hex, in men-equivalents, ships and trains.

Rules: PB-STK-1, PB-STK-7.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import RAIL, Position, Unit, men
from sandtable.rulesets.panzer_battles.movement.carrying import is_passenger, passengers
from sandtable.rulesets.panzer_battles.refusals import refuse


def men_in(position: Position, place: HexId, without: Iterable[Unit] = ()) -> int:
    """The men-equivalents of all known units in a hex but some.

    Rules: PB-STK-1, PB-FIRE-41.
    """
    left_out = {unit.id for unit in without}
    return sum(men(unit, position.parameters) for unit in index.at(position, place) if unit.id not in left_out)


def is_at_sea(position: Position, unit: Unit) -> bool:
    """Whether a unit is a ship or aboard one."""
    carrier = position.units[unit.carrier] if is_passenger(unit) else unit
    return carrier.of.component == SHIPS


def stacked(position: Position, units: Iterable[Unit]) -> int:
    """What units count for the limit of a hex: neither trains nor ships with who is aboard; aircraft and deployed
    deception units are in no hex.

    Rules: PB-STK-2, PB-STK-3, PB-STK-8.
    """
    counted = (unit for unit in units if unit.mode != RAIL and not is_at_sea(position, unit))
    return sum(men(unit, position.parameters) for unit in counted)


def _all(position: Position, units: Iterable[Unit]) -> list[Unit]:
    """Units and whoever rides on them."""
    return [one for unit in units for one in (unit, *passengers(position, unit))]


def has_room(position: Position, place: HexId, movers: Iterable[Unit]) -> bool:
    """Whether units may stand in a hex beside those that do.

    Rules: PB-STK-2, PB-STK-3, PB-STK-5, PB-STK-6, PB-STK-7, PB-STK-11.
    """
    coming = _all(position, movers)
    ids = {unit.id for unit in coming}
    together = [*coming, *(unit for unit in index.at(position, place) if unit.id not in ids)]
    limits = position.parameters.stacking
    ships = [unit for unit in together if unit.of.component == SHIPS]
    trains = [unit for unit in together if unit.mode == RAIL]
    if any(unit.mode == RAIL for unit in coming):
        return sum(men(unit, position.parameters) for unit in trains) <= limits.road
    if any(unit.of.component == SHIPS for unit in coming):
        return len(ships) <= limits.ships_per_hex
    return stacked(position, together) <= limits.max


def no_room(position: Position, place: HexId, movers: Sequence[Unit]) -> Refusal | None:
    """That units find no room in a hex beside those that stand there, and by which limit.

    Rules: PB-STK-2, PB-STK-5, PB-STK-6.
    """
    if has_room(position, place, movers):
        return None
    limits, label = position.parameters.stacking, position.ground.board.label(place)
    if any(unit.mode == RAIL for unit in movers):
        return refuse("PB-STK-5", f"no more than {limits.road} men on trains fit into a hex", label)
    if any(unit.of.component == SHIPS for unit in movers):
        return refuse("PB-STK-6", f"no more than {limits.ships_per_hex} ships fit into a hex", label)
    return refuse("PB-STK-2", f"no more than {limits.max} men fit into a hex", label)


def is_overfull(position: Position, place: HexId) -> bool:
    """Whether more stand in a hex than may (PB-STK-11)."""
    return stacked(position, index.at(position, place)) > position.parameters.stacking.max


def crowding(position: Position) -> dict[HexId, int]:
    """What the units of each hex count for its limit."""
    crowds: dict[HexId, int] = position.derived.follow("crowds", position.units, lambda units: {}, _uncounted)
    for place, _ in index.occupancy(position).items():
        if place not in crowds:
            crowds[place] = stacked(position, index.at(position, place))
    return crowds


def _uncounted(old: dict[HexId, int], changed: list[tuple[Unit, Unit]], now: Sequence[Unit]) -> dict[HexId, int]:
    """The hexes in which nobody has changed."""
    touched = {place for pair in changed for place in (pair[0].hex, pair[1].hex)}
    return {place: count for place, count in old.items() if place not in touched}


def has_road_room(position: Position, place: HexId, mover: Unit, company: Iterable[Unit] = ()) -> bool:
    """Whether a unit may use the road into a hex beside those of its side that stand there, and those that come with
    it: whom it storms there leaves it the road.

    Rules: PB-STK-4, PB-ASLT-6.
    """
    coming = _all(position, {unit.id: unit for unit in (mover, *company)}.values())
    ids = {unit.id for unit in coming}
    there = (unit for unit in index.at(position, place) if unit.id not in ids and unit.side == mover.side)
    return stacked(position, (*coming, *there)) <= position.parameters.stacking.road
