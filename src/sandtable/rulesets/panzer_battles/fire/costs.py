"""What a fire costs, and how much may be fired from and into a hex.

Rules: PB-FIRE-14, PB-FIRE-15, PB-GEN-15, PB-GEN-17.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.rulesets.panzer_battles.fire.values import hex_limit
from sandtable.rulesets.panzer_battles.model import Position, Unit, men
from sandtable.rulesets.panzer_battles.movement.costs import allowance, part_cost, share
from sandtable.rulesets.panzer_battles.refusals import refuse


def times(position: Position, unit: Unit) -> int:
    """How many times over a unit pays for a fire: ships twice.

    Rules: PB-FIRE-15.
    """
    return position.parameters.costs.ship_fire_multiplier if unit.of.has("naval") else 1


def fire_cost(position: Position, unit: Unit) -> int:
    """What a direct fire costs a unit now.

    Rules: PB-FIRE-14, PB-FIRE-15.
    """
    return part_cost(position, unit, position.parameters.costs.fire * times(position, unit))


def bombardment_cost(position: Position, unit: Unit) -> int:
    """What an indirect fire costs a unit now: half of its allowance, or the rest for the second of two.

    Rules: PB-FIRE-14, PB-FIRE-15, PB-GEN-15, PB-GEN-17.
    """
    cost = share(position.parameters.costs.indirect_fire * times(position, unit), allowance(position, unit))
    is_last = unit.halves == 1 and not unit.thirds and not unit.moved
    return min(cost, unit.mp) if is_last else cost


def fires_left(position: Position, unit: Unit) -> str:
    """What a unit that never moves shows instead of its points: how often it can still fire this turn.

    Rules: PB-UNIT-11.
    """
    direct = unit.mp // fire_cost(position, replace(unit, thirds=0))
    if not unit.of.has("indirect"):
        return f"{direct} direct"
    return f"{direct} direct or {unit.mp // bombardment_cost(position, replace(unit, halves=0))} indirect"


def cannot_pay(position: Position, unit: Unit, cost: int) -> Refusal | None:
    """Why a unit can't fire once more this turn.

    Rules: PB-FIRE-14, PB-FIRE-17, PB-FIRE-18.
    """
    if not unit.mp or unit.mp < cost:
        return refuse("PB-FIRE-14", "it has not the movement points left", f"{max(1, cost)} needed, {unit.mp} left")
    if unit.of.has("siege") and unit.fired:
        return refuse("PB-FIRE-17", "siege guns fire once in a turn")
    total = position.shots.get(unit.hex, 0) + men(unit, position.parameters)
    if total > hex_limit(position.parameters):
        return refuse("PB-FIRE-18", "as much has been fired from this hex as may be in one turn")
    return None
