"""Who stands where: units by hex and by neighborhood, kept up to date from the units that changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.rulesets.panzer_battles.model import Position, Unit

Occupancy = dict[HexId, tuple[UnitId, ...]]
Block = tuple[SideId, int, int]
Blocks = dict[Block, tuple[UnitId, ...]]

BLOCK = 3
"""A neighborhood is 2 to this power hexes wide and high: small enough to look at a few of them for one gun's range."""

NONE: tuple[UnitId, ...] = ()


def occupancy(position: Position) -> Occupancy:
    """The units of each hex that has any, by id."""
    return position.derived.follow("occupancy", position.units, _occupancy, _occupancy_update)


def _occupancy(units: Sequence[Unit]) -> Occupancy:
    found: dict[HexId, list[UnitId]] = {}
    for unit in units:
        if unit.hex:
            found.setdefault(unit.hex, []).append(unit.id)
    return {place: tuple(ids) for place, ids in found.items()}


def _occupancy_update(old: Occupancy, changed: list[tuple[Unit, Unit]], now: Sequence[Unit]) -> Occupancy:
    moved = [(was, unit) for was, unit in changed if was.hex != unit.hex]
    if not moved:
        return old
    found = dict(old)
    for was, unit in moved:
        if was.hex:
            _take(found, was.hex, unit.id)
        if unit.hex:
            found[unit.hex] = tuple(sorted((*found.get(unit.hex, NONE), unit.id)))
    return found


def _take(found: dict[HexId, tuple[UnitId, ...]], place: HexId, id: UnitId) -> None:
    rest = tuple(one for one in found[place] if one != id)
    if rest:
        found[place] = rest
    else:
        del found[place]


def at(position: Position, place: HexId) -> list[Unit]:
    """The units in a hex, by id."""
    return [position.units[id] for id in occupancy(position).get(place, NONE)]


def blocks(position: Position) -> Blocks:
    """The units of each side by neighborhood."""
    qs, rs = position.ground.board.coordinates

    def block(unit: Unit) -> Block:
        return unit.side, qs[unit.hex] >> BLOCK, rs[unit.hex] >> BLOCK

    def make(units: Sequence[Unit]) -> Blocks:
        found: dict[Block, list[UnitId]] = {}
        for unit in units:
            if unit.hex:
                found.setdefault(block(unit), []).append(unit.id)
        return {key: tuple(ids) for key, ids in found.items()}

    def update(old: Blocks, changed: list[tuple[Unit, Unit]], now: Sequence[Unit]) -> Blocks:
        moved = [(was, unit) for was, unit in changed if was.hex != unit.hex]
        found = dict(old) if moved else old
        for was, unit in moved:
            if was.hex:
                key = block(was)
                found[key] = tuple(one for one in found[key] if one != unit.id)
            if unit.hex:
                key = block(unit)
                found[key] = (*found.get(key, NONE), unit.id)
        return found

    return position.derived.follow("blocks", position.units, make, update)


def near(position: Position, side: SideId, place: HexId, radius: int) -> Iterator[Unit]:
    """The units of a side at most so far from a hex, in no order that means anything."""
    board, kept, units = position.ground.board, blocks(position), position.units
    qs, rs = board.coordinates
    q, r = qs[place], rs[place]
    for across in range(q - radius >> BLOCK, (q + radius >> BLOCK) + 1):
        for down in range(r - radius >> BLOCK, (r + radius >> BLOCK) + 1):
            for id in kept.get((side, across, down), NONE):
                unit = units[id]
                if board.distance(unit.hex, place) <= radius:
                    yield unit


def adjacent(position: Position, side: SideId, place: HexId) -> Iterable[Unit]:
    """The units of a side beside a hex."""
    kept, units = occupancy(position), position.units
    for beside in position.ground.board.neighbors(place):
        for id in kept.get(HexId(beside), NONE):
            if units[id].side == side:
                yield units[id]
