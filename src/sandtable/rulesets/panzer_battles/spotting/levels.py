"""Spotting levels: how much each side sees of each enemy unit, counted by those who have it in sight.

The counts are kept up to date from the units that changed; one look from a hex serves both directions (PB-SPOT-10).

Rules: PB-SPOT-13, PB-SPOT-20.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.play.derived import differing
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.model import SIDES, TRUTH, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.carrying import is_external, is_passenger
from sandtable.rulesets.panzer_battles.spotting.sight import look, looks

UNSPOTTED, UNKNOWN, SPOTTED = 0, 1, 2


class Spotters:
    """By unit: how many steady enemies have its hex in sight, and how many Broken ones."""

    __slots__ = ("broken", "steady")

    def __init__(self, steady: array[int], broken: array[int]) -> None:
        self.steady, self.broken = steady, broken

    def copy(self) -> Spotters:
        return Spotters(self.steady[:], self.broken[:])

    def count(self, unit: Unit, spotter: Unit, change: int) -> None:
        """One who spots the unit more, or less."""
        (self.broken if spotter.broken else self.steady)[unit.id] += change


def in_line(position: Position, side: SideId, place: HexId) -> Iterator[Unit]:
    """The units of a side that are in a clear line to a hex within visibility."""
    mask = look(position, place)
    return (unit for unit in index.near(position, side, place, position.visibility) if mask[unit.hex])


def observers(position: Position, side: SideId, place: HexId) -> Iterator[Unit]:
    """The units of a side that have a hex in sight within visibility, Broken ones too, but no passengers."""
    return (unit for unit in in_line(position, side, place) if unit.carrier == NOBODY)


def is_watched(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a unit of the side that is not Broken has the hex in sight."""
    return any(not unit.broken for unit in observers(position, side, place))


def spotters(position: Position) -> Spotters:
    """Who is in whose sight, as numbers."""
    sources = (position.units, position.visibility, looks(position))
    return position.derived.part("spotters", sources, lambda: _counted(position), lambda *old: _updated(position, *old))


def _counted(position: Position) -> Spotters:
    """The counts made from scratch."""
    nobody = array("H", [0]) * len(position.units)
    found = Spotters(nobody, nobody[:])
    for unit in position.units:
        if unit.hex:
            _count_for(position, found, unit)
    return found


def _count_for(position: Position, found: Spotters, unit: Unit) -> None:
    for spotter in observers(position, enemy_of(unit.side), unit.hex):
        found.count(unit, spotter, 1)


def _updated(position: Position, old: Spotters, sources: tuple[object, ...]) -> Spotters | None:
    """The counts made of older ones; None when everybody sees otherwise than before."""
    units, visibility, seen = sources
    if visibility != position.visibility or seen is not looks(position):
        return None
    changes = position.derived.changes(units, position.units)  # type: ignore[arg-type]
    pairs: list[tuple[Unit, Unit]] = [
        (was, unit)
        for was, unit in changes
        if (was.hex, was.broken, was.carrier) != (unit.hex, unit.broken, unit.carrier)
    ]
    if not pairs:
        return old
    found, changed = old.copy(), {unit.id for _, unit in pairs}
    for was, unit in pairs:
        for spotter, change in ((was, -1), (unit, 1)):
            if spotter.hex and spotter.carrier == NOBODY:
                # who rides sees nothing, but is seen
                for enemy in in_line(position, enemy_of(unit.side), spotter.hex):
                    if enemy.id not in changed:
                        found.count(enemy, spotter, change)
    for _, unit in pairs:
        found.steady[unit.id] = found.broken[unit.id] = 0
        if unit.hex:
            _count_for(position, found, unit)
    return found


def level(position: Position, unit: Unit) -> int:
    """How much the enemy sees of a unit: nothing, that it is there, or what it is. Whatever enemy a viewer knows of
    under fog, he sees.

    Rules: PB-SPOT-14, PB-SPOT-15, PB-SPOT-24, PB-SPOT-25, PB-SPOT-27.
    """
    if position.viewer != TRUTH and unit.side != position.viewer:
        return SPOTTED if unit.hex else UNSPOTTED
    if is_passenger(unit) and not is_external(position, unit):
        return UNSPOTTED
    reported = position.sightings.get(enemy_of(unit.side))
    by_report = reported.get(unit.id, UNSPOTTED) if reported else UNSPOTTED
    if unit.concealed:
        return by_report
    counts = spotters(position)
    if counts.steady[unit.id]:
        return SPOTTED
    return max(by_report, UNKNOWN) if counts.broken[unit.id] else by_report


Levels = bytes
"""A level for every unit."""


def levels(position: Position) -> Levels:
    """The level of every unit."""
    return position.derived.part(
        "levels",
        (position.units, spotters(position), position.sightings),
        lambda: bytes([level(position, unit) for unit in position.units]),
        lambda *old: _leveled(position, *old),
    )


def _leveled(position: Position, old: Levels, sources: tuple[object, ...]) -> Levels | None:
    """The levels made of older ones: of the units that changed, are counted otherwise, or were reported."""
    units, counts, sightings = sources
    assert isinstance(counts, Spotters)
    changed: list[tuple[Unit, Unit]] = position.derived.changes(units, position.units)  # type: ignore[arg-type]
    if any((was.kind, was.blend) != (unit.kind, unit.blend) for was, unit in changed):
        # what becomes of a carrier shows or hides whoever is aboard
        return None
    now = spotters(position)
    doubtful = {unit.id for _, unit in changed}
    if counts is not now:
        doubtful.update(map(UnitId, differing(counts.steady, now.steady)))
        doubtful.update(map(UnitId, differing(counts.broken, now.broken)))
    if sightings is not position.sightings:
        for side in SIDES:
            doubtful.update(sightings.get(side, {}))  # type: ignore[attr-defined]
            doubtful.update(position.sightings.get(side, {}))
    found = [(id, level(position, position.units[id])) for id in doubtful]
    found = [(id, one) for id, one in found if old[id] != one]
    if not found:
        return old
    made = bytearray(old)
    for id, one in found:
        made[id] = one
    return bytes(made)


def spotted_enemies(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemies that a side sees in detail."""
    return _enemies_at(position, side, SPOTTED)


def unknown_enemies(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemies of which a side knows that they are there, and not what they are."""
    return _enemies_at(position, side, UNKNOWN)


def _enemies_at(position: Position, side: SideId, wanted: int) -> frozenset[UnitId]:
    found, units = levels(position), position.units

    def make() -> frozenset[UnitId]:
        return frozenset(unit.id for unit in units if unit.side != side and found[unit.id] == wanted)

    def update(old: frozenset[UnitId], sources: tuple[Levels]) -> frozenset[UnitId]:
        places = [UnitId(id) for id in differing(sources[0], found) if units[id].side != side]
        more = [id for id in places if found[id] == wanted]
        fewer = [id for id in places if sources[0][id] == wanted]
        return old.difference(fewer).union(more) if more or fewer else old

    return position.derived.part(_AT_LEVEL[side, wanted], (found,), make, update)


_AT_LEVEL = {(side, wanted): f"{wanted} to {side}" for side in SIDES for wanted in (UNKNOWN, SPOTTED)}
