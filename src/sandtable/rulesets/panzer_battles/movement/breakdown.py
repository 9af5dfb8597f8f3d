"""Vehicles that break down on the way.

Rules: PB-MOVE-111, PB-MOVE-112, PB-MOVE-113.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.suffering import forfeit

SCALE = 40_000
"""A hundred vehicles of quality C on a hundred hexes of primary road lose one at a rate of 1 (PB-MOVE-114)."""


def breakdown_chance(unit: Unit, cost: int, parameters: Parameters) -> Fraction:
    """How likely a step of such a cost costs a unit of vehicles one of them; the last never breaks down.

    Rules: PB-MOVE-111, PB-MOVE-112, PB-MOVE-113, PB-MOVE-114, PB-GEN-18.
    """
    if not unit.of.is_vehicles or unit.strength < 2:
        return Fraction(0)
    rate = Fraction(parameters.misc.vehicle_breakdown.of(unit.side))
    chance = unit.strength * cost * rate / (SCALE * Fraction(parameters.quality.breakdown_q[unit.quality]))
    times = parameters.misc.low_reliability_multiplier if unit.has("low_reliability") else 1
    return min(Fraction(1), chance * times)


def break_down(resolution: Resolution[Position], unit: Unit, cost: int) -> None:
    """A vehicle of a unit that has paid so much for a step may be lost for good.

    Rules: PB-MOVE-111, PB-VIC-13.
    """
    chance = breakdown_chance(unit, cost, resolution.position.parameters)
    if chance and resolution.chance(chance, "PB-MOVE-111", unit.id):
        forfeit(resolution, unit, 1)
