"""Counter-battery: guns that fire out of sight may be found by the enemy.

Rules: PB-FIRE-60, PB-OPT-5.
"""

from __future__ import annotations

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.fire.chances import counterbattery_chance
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of, men
from sandtable.rulesets.panzer_battles.spotting.events import Reported
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level

WIDENING = (5, 10, 20, 40)
"""How far an enemy is looked for, step by step: most stand near."""


def nearest_enemy(position: Position, unit: Unit) -> int | None:
    """How far the nearest enemy of a unit is, if one is in reach of counter-battery."""
    board, most = position.ground.board, position.parameters.combat.counterbattery_max_range
    for radius in (*(step for step in WIDENING if step < most), most):
        near = index.near(position, enemy_of(unit.side), unit.hex, radius)
        distance = min((board.distance(unit.hex, foe.hex) for foe in near), default=None)
        if distance is not None:
            return distance
    return None


def search(resolution: Resolution[Position], id: UnitId) -> None:
    """Guns that fired and that nobody sees are found, or not.

    Rules: PB-FIRE-60, PB-SPOT-24.
    """
    position = resolution.position
    unit = position.units[id]
    if not position.ground.options.counterbattery or not unit.of.has("indirect") or level(position, unit) == SPOTTED:
        return
    distance, enemy = nearest_enemy(position, unit), enemy_of(unit.side)
    if distance is None:
        return
    chance = counterbattery_chance(men(unit, position.parameters), distance, enemy, position.parameters)
    if chance and resolution.chance(chance, "PB-FIRE-60", id):
        resolution.emit(Reported(enemy, (id,), SPOTTED))
