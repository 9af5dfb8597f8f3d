"""Rest: units that had a quiet turn are less tired."""

from __future__ import annotations

from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import clock, features
from sandtable.rulesets.panzer_battles.events import Rested
from sandtable.rulesets.panzer_battles.model import Position, Unit, on_map
from sandtable.rulesets.panzer_battles.operations import is_building

QUALITY_REST = {"A": 150, "B": 125, "C": 100, "D": 75, "E": 50, "F": 25}
"""The percentage of the rest that troops of each quality find by the optional rule; the rule and not the data says it.

Rules: PB-OPT-12, PB-FAT-13.
"""


def had_quiet(position: Position, unit: Unit) -> bool:
    """Whether a unit has neither moved nor fought since the start of its last turn, nobody has attacked it, and it
    neither digs in nor builds a bridge nor is among mines; who holds a bridge rests.

    Rules: PB-FAT-2, PB-FAT-8, PB-FAT-10, PB-FAT-14.
    """
    if unit.moved or unit.fired or unit.assaulted or unit.attacked or unit.digging_in or is_building(unit):
        return False
    return features.minefield_at(position, unit.hex) is None


def rest_value(position: Position) -> int:
    """The rest of a turn: twice as much by night.

    Rules: PB-FAT-9, PB-ENV-33.
    """
    misc = position.parameters.misc
    by_night = clock.is_night(position.minutes, position.parameters)
    return misc.rest_value * (misc.rest_night_multiplier if by_night else 1)


def _rest_pct(position: Position, unit: Unit) -> int:
    """The percentage of the rest that a unit finds; by the optional rule better troops find more.

    Rules: PB-FAT-13, PB-OPT-12.
    """
    return QUALITY_REST[unit.quality] if position.ground.options.quality_fatigue else 100


def most_rest(position: Position, unit: Unit) -> int:
    """The most fatigue that a unit can lose in a turn.

    Rules: PB-FAT-9, PB-FAT-13, PB-OPT-12.
    """
    return 2 * rest_value(position) * _rest_pct(position, unit) // 100


def nominal_rest(position: Position, unit: Unit) -> int:
    """The fatigue that an air unit loses in a turn: the nominal rest, by no lot.

    Rules: PB-FAT-11, PB-AIR-34.
    """
    return rest_value(position) * _rest_pct(position, unit) // 100


def rest(resolution: Resolution[Position]) -> None:
    """Tired units of the active side that had quiet have rested.

    Rules: PB-FAT-8, PB-FAT-9.
    """
    position = resolution.position
    tired = [unit for unit in on_map(position, position.active) if unit.fatigue and had_quiet(position, unit)]
    lost = [resolution.roll("PB-FAT-9", unit.id, most_rest(position, unit) + 1) - 1 for unit in tired]
    left = [(unit, unit.fatigue - less) for unit, less in zip(tired, lost, strict=True)]
    fresher = [(unit.id, max(0, fatigue)) for unit, fatigue in left if fatigue < unit.fatigue]
    if fresher:
        resolution.emit(
            Rested(position.active, tuple(id for id, _ in fresher), tuple(fatigue for _, fatigue in fresher))
        )
