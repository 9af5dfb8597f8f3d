"""Who may act in a step of Panzer Leader: all that could have something to do, and those a random player looks at."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.kernel.ids import NOBODY, SideId, UnitId
from sandtable.play.rows import Actors
from sandtable.rulesets.panzer_leader import artillery
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, Aircraft, Position, Unit
from sandtable.rulesets.panzer_leader.stacks import occupancy

ENTERING = ("setup", "landing", "vehicle movement", "foot movement")
"""The steps in which units come onto the table (PL-1401, PL-1506)."""

# The kinds of unit that have business in a step where not all have: others do nothing there, or only what few battles
# see.
BUSINESS: dict[str, frozenset[str]] = {
    "indirect orders": artillery.BATTERIES,
    "direct fire": frozenset(key for key, kind in KINDS.items() if kind.attack),
    "anti-aircraft": frozenset(key for key, kind in KINDS.items() if kind.has("aa")),
    "vehicle movement": frozenset(key for key, kind in KINDS.items() if kind.is_vehicle),
    "foot movement": frozenset(key for key, kind in KINDS.items() if not kind.is_vehicle and not kind.is_work),
    "close assault": frozenset(key for key, kind in KINDS.items() if kind.is_infantry),
}


def units_in(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units that could have something to do in a step."""
    waiting = step in ENTERING
    return [unit for unit in position.units if unit.side == side and (unit.hex or (waiting and unit.fate == RESERVE))]


def picked_units(position: Position, ids: tuple[UnitId, ...]) -> list[Unit]:
    """The units among picked pieces."""
    return [position.units[id] for id in ids if 0 <= id < len(position.units)]


def aircraft_in(position: Position, side: SideId, step: str) -> Iterable[Aircraft]:
    """The aircraft of the battle."""
    return position.aircraft


def picked_aircraft(position: Position, ids: tuple[UnitId, ...]) -> list[Aircraft]:
    """The aircraft among picked pieces: as pieces they are numbered after the units."""
    first = len(position.units)
    return [position.aircraft[id - first] for id in ids if first <= id < first + len(position.aircraft)]


UNITS: Actors[Position] = Actors(units_in, picked_units)
AIRCRAFT: Actors[Position] = Actors(aircraft_in, picked_aircraft, must_be_picked=False)


def likely(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units whose kind has business in a step and that are not past doing it."""
    return [
        unit
        for unit in occupancy(position).members(side, BUSINESS.get(step))
        if not unit.moved and not unit.dispersed and (unit.hex or unit.fate == RESERVE)
    ]


def idle(position: Position, side: SideId, step: str) -> list[Unit]:
    """The units of whom a player is reminded before he ends a step: nobody who has set out already, nor in setup, where
    all stand somewhere when it can end.
    """
    under_way = NOBODY if position.mover is None else position.mover.unit
    return [] if step == "setup" else [unit for unit in likely(position, side, step) if unit.id != under_way]
