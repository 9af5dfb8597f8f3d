"""What air units do at the start of their side's turn: recover, rest, and become available.

Rules: PB-AIR-32, PB-AIR-36.
"""

from __future__ import annotations

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.air.events import AirUnitsReadied
from sandtable.rulesets.panzer_battles.air.units import air_units
from sandtable.rulesets.panzer_battles.air.values import availability
from sandtable.rulesets.panzer_battles.command.rest import had_quiet, nominal_rest
from sandtable.rulesets.panzer_battles.fire.situations import as_struck
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.results.losses import DIE
from sandtable.rulesets.panzer_battles.results.struck import morale


def ready(resolution: Resolution[Position]) -> None:
    """Air units of the active side have recovered, rested and become available, each as the dice would have it.

    Rules: PB-AIR-32, PB-AIR-33, PB-AIR-34, PB-AIR-35, PB-FAT-11.
    """
    position = resolution.position
    side, parameters = position.active, position.parameters
    available, recovered, rested = list[UnitId](), list[UnitId](), dict[UnitId, int]()
    low = position.ground.options.low_visibility_air
    for unit in air_units(position, side):
        if unit.is_shaken:
            value = morale(as_struck(unit), parameters, recovering=True)
            if resolution.roll("PB-AIR-33", unit.id, DIE) <= value:
                recovered.append(unit.id)
        elif unit.unavailable:
            chance = availability(side, position.visibility, parameters, low_visibility=low)
            if resolution.chance(chance, "PB-AIR-32", unit.id):
                available.append(unit.id)
        if unit.fatigue and had_quiet(position, unit):
            rested[unit.id] = max(0, unit.fatigue - nominal_rest(position, unit))
    if air_units(position, side):
        resolution.emit(
            AirUnitsReadied(side, tuple(available), tuple(recovered), tuple(rested), tuple(rested.values()))
        )
