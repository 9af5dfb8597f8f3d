"""Rest: units that had a quiet turn are less tired."""

from __future__ import annotations

from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles.events import Rested
from sandtable.rulesets.panzer_battles.model import Position, Unit, on_map


def had_quiet(unit: Unit) -> bool:
    """Whether a unit has done nothing since the start of its last turn, and nobody has attacked it.

    Rules: PB-FAT-2, PB-FAT-8, PB-FAT-10, PB-FAT-14.
    """
    return not unit.has_acted and not unit.attacked


def rest_value(position: Position) -> int:
    """The rest of a turn: twice as much by night.

    Rules: PB-FAT-9, PB-ENV-33.
    """
    misc = position.parameters.misc
    by_night = clock.is_night(position.minutes, position.parameters)
    return misc.rest_value * (misc.rest_night_multiplier if by_night else 1)


def rest(resolution: Resolution[Position]) -> None:
    """Tired units of the active side that had quiet have rested.

    Rules: PB-FAT-8, PB-FAT-9.
    """
    position = resolution.position
    most = 2 * rest_value(position)
    tired = [unit for unit in on_map(position, position.active) if unit.fatigue and had_quiet(unit)]
    left = [(unit, unit.fatigue - resolution.roll("PB-FAT-9", unit.id, most + 1) + 1) for unit in tired]
    fresher = [(unit.id, max(0, fatigue)) for unit, fatigue in left if fatigue < unit.fatigue]
    if fresher:
        resolution.emit(
            Rested(position.active, tuple(id for id, _ in fresher), tuple(fatigue for _, fatigue in fresher))
        )
