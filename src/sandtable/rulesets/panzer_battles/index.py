"""Who stands where: units by hex and by neighborhood, kept up to date from the units that changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.rulesets.panzer_battles.model import Position, Unit

Stacks = dict[HexId, tuple[UnitId, ...]]
Block = tuple[SideId, int, int]
Blocks = dict[Block, tuple[UnitId, ...]]

BLOCK = 3
"""A neighborhood is 2 to this power hexes wide and high: small enough to look at a few of them for one gun's range."""

NONE: tuple[UnitId, ...] = ()


STRIP = 6
"""Who stands where is kept for strips of 2 to this power hexes: to move somebody, only a strip or two is made anew."""


class Occupancy:
    """The units of each hex that has any, by id."""

    __slots__ = ("_strips",)

    def __init__(self, strips: list[Stacks]) -> None:
        self._strips = strips

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Occupancy) and self._strips == other._strips

    __hash__ = None  # type: ignore[assignment]

    def at(self, place: HexId) -> tuple[UnitId, ...]:
        """The units in a hex."""
        return self._strips[place >> STRIP].get(place, NONE)

    def items(self) -> Iterator[tuple[HexId, tuple[UnitId, ...]]]:
        """The hexes that have any, with their units."""
        return chain.from_iterable(strip.items() for strip in self._strips)

    def after(self, moved: list[tuple[Unit, Unit]]) -> Occupancy:
        """What becomes of it by units that have come from elsewhere."""
        strips = self._strips.copy()
        for number in {place >> STRIP for was, unit in moved for place in (was.hex, unit.hex) if place}:
            strips[number] = strips[number].copy()
        for was, unit in moved:
            if was.hex:
                _take(strips[was.hex >> STRIP], was.hex, unit.id)
            if unit.hex:
                stacks = strips[unit.hex >> STRIP]
                stacks[unit.hex] = tuple(sorted((*stacks.get(unit.hex, NONE), unit.id)))
        return Occupancy(strips)


def occupancy(position: Position) -> Occupancy:
    """Who stands where."""
    return position.derived.follow(
        "occupancy", position.units, lambda units: _occupancy(units, position.ground.board.size), _occupancy_update
    )


def _occupancy(units: Sequence[Unit], size: int) -> Occupancy:
    strips: list[Stacks] = [{} for _ in range((size >> STRIP) + 1)]
    for unit in units:
        if unit.hex:
            stacks = strips[unit.hex >> STRIP]
            stacks[unit.hex] = (*stacks.get(unit.hex, NONE), unit.id)
    return Occupancy(strips)


def _occupancy_update(old: Occupancy, changed: list[tuple[Unit, Unit]], now: Sequence[Unit]) -> Occupancy:
    moved = [(was, unit) for was, unit in changed if was.hex != unit.hex]
    return old.after(moved) if moved else old


def _take(found: Stacks, place: HexId, id: UnitId) -> None:
    rest = tuple(one for one in found[place] if one != id)
    if rest:
        found[place] = rest
    else:
        del found[place]


def at(position: Position, place: HexId) -> list[Unit]:
    """The units in a hex, by id."""
    return [position.units[id] for id in occupancy(position).at(place)]


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
        for id in kept.at(HexId(beside)):
            if units[id].side == side:
                yield units[id]
