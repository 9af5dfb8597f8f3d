"""Which reinforcements come when and where, and which of them are due.

Units that come in the same turn, to the same hex and in the same way are one entry.

Rules: PB-REIN-1, PB-REIN-2.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import COMING, DUE, Position, Unit
from sandtable.rulesets.panzer_battles.reinforcements.events import ArrivalsAnnounced
from sandtable.rulesets.panzer_battles.schedule import Arrival


class Entry(NamedTuple):
    """When, where and how reinforcements come."""

    turn: int
    hex: HexId
    arrival: Arrival


def _schedule(ground: Ground) -> Mapping[str, Entry]:
    """The entry of each unit that arrives, by its name."""

    def make() -> dict[str, Entry]:
        coming = ((unit, unit.arrival) for unit in ground.scenario.units)
        return {
            unit.id: Entry(when.turn, when.hexes[0], unit.details.arrival) for unit, when in coming if when is not None
        }

    return ground.once("arrivals", make)


def entry_of(position: Position, unit: Unit) -> Entry:
    """How a unit arrives."""
    return _schedule(position.ground)[unit.name]


def waiting(position: Position, side: SideId, state: str) -> dict[Entry, list[Unit]]:
    """The reinforcements of a side in a state, by entry; who comes aboard another is not counted apart."""
    found: dict[Entry, list[Unit]] = {}
    for unit in position.units:
        if unit.away == state and unit.side == side and unit.carrier == NOBODY:
            found.setdefault(entry_of(position, unit), []).append(unit)
    return dict(sorted(found.items(), key=lambda item: (item[0].turn, item[0].hex, item[1][0].id)))


def due(position: Position, side: SideId) -> dict[Entry, list[Unit]]:
    """The reinforcements that a side may bring in now, by entry."""
    return waiting(position, side, DUE)


def are_coming(position: Position, side: SideId) -> bool:
    """Whether any reinforcements of a side are still to come."""
    return any(unit.away in (COMING, DUE) for unit in position.units if unit.side == side)


def announce(resolution: Resolution[Position]) -> None:
    """The reinforcements of the active side whose turn has come are due, as likely as their entries say.

    Rules: PB-TURN-4, PB-REIN-2.
    """
    position = resolution.position
    came: list[UnitId] = []
    for entry, units in waiting(position, position.active, COMING).items():
        if entry.turn > position.turn:
            continue
        chance = Fraction(entry.arrival.chance, 100)
        if chance == 1 or resolution.chance(chance, "PB-REIN-2", units[0].id):
            came += [unit.id for unit in units]
    if came:
        resolution.emit(ArrivalsAnnounced(position.active, tuple(came)))
