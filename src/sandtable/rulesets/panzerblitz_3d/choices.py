"""Who may act in a step: all that could have something to do, and those a random player looks at."""

from __future__ import annotations

from sandtable.kernel.ids import SideId, UnitId
from sandtable.play.rows import Actors
from sandtable.rulesets.panzerblitz_3d.kinds import ARMED, INFANTRY, KINDS, VEHICLES
from sandtable.rulesets.panzerblitz_3d.mobility import FOOT_STEP, VEHICLE_STEP
from sandtable.rulesets.panzerblitz_3d.model import RESERVE, Position, Unit

ENTERING = ("setup", VEHICLE_STEP, FOOT_STEP)
"""The steps in which units come onto the table (PB3-1303)."""

# The kinds of unit that have business in a step; others do nothing there.
BUSINESS: dict[str, frozenset[str]] = {
    "setup": frozenset(KINDS),
    "opportunity assignment": ARMED,
    "fire": ARMED,
    VEHICLE_STEP: VEHICLES,
    FOOT_STEP: frozenset(key for key, kind in KINDS.items() if not kind.is_vehicle and not kind.is_work),
    "close assault": INFANTRY,
}
NO_KIND: frozenset[str] = frozenset()


def units_in(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units that could have something to do in a step."""
    waiting = step in ENTERING
    return [unit for unit in position.units if unit.side == side and (unit.hex or (waiting and unit.fate == RESERVE))]


def picked_units(position: Position, ids: tuple[UnitId, ...]) -> list[Unit]:
    """The units among picked pieces."""
    return [position.units[id] for id in ids if 0 <= id < len(position.units)]


UNITS: Actors[Position] = Actors(units_in, picked_units)


def likely(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units whose kind has business in a step and that are not past doing it."""
    kinds = BUSINESS.get(step, NO_KIND)
    return [
        unit
        for unit in units_in(position, side, step)
        if unit.kind in kinds and not unit.moved and not unit.dispersed and unit.id not in position.assigned
    ]


REMINDED = ("fire", VEHICLE_STEP, FOOT_STEP, "close assault")


def idle(position: Position, side: SideId, step: str) -> list[Unit]:
    """The units of whom a player is reminded before he ends a step: nobody need wait for an opportunity."""
    return likely(position, side, step) if step in REMINDED else []
