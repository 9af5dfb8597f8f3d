"""Interdiction: aircraft on the prowl that find units on the march.

Rules: PB-AIR-37, PB-AIR-38, PB-AIR-39.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.ids import NOBODY, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import clock, index
from sandtable.rulesets.panzer_battles.air.events import Interdicted
from sandtable.rulesets.panzer_battles.air.flying import pick_by_size, strike_shot
from sandtable.rulesets.panzer_battles.air.values import interdiction_chance
from sandtable.rulesets.panzer_battles.fire.shelling import exposed, suffering, with_passengers, wrecked
from sandtable.rulesets.panzer_battles.fire.values import Firer
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.costs import allowance, share
from sandtable.rulesets.panzer_battles.results.losses import probability
from sandtable.rulesets.panzer_battles.spotting import concealment
from sandtable.rulesets.panzer_battles.terrain import terrain_at

LEAST_VISIBILITY = 2


def on_the_march(position: Position, unit: Unit) -> list[Unit]:
    """The units of a unit's hex that are in Travel or Rail Mode; who rides inside another is part of him.

    Rules: PB-AIR-37, PB-MOVE-49.
    """
    there = exposed(position, index.at(position, unit.hex))
    return [one for one in there if one.mode != DEPLOYED and one.side == unit.side]


def chance_at(position: Position, unit: Unit) -> Fraction:
    """How likely a unit that has just entered its hex meets enemy aircraft there.

    Rules: PB-AIR-37.
    """
    parameters, minutes = position.parameters, position.minutes
    if position.weather.storm or position.visibility < LEAST_VISIBILITY or clock.is_night(minutes, parameters):
        return Fraction(0)
    marching = on_the_march(position, unit)
    if not marching:
        return Fraction(0)
    twilight = clock.is_twilight(position.ground, minutes)
    terrain = parameters.terrain.combat_pct[terrain_at(position, unit.hex)]
    return interdiction_chance(enemy_of(unit.side), len(marching), terrain, parameters, twilight=twilight)


def strike(resolution: Resolution[Position], id: UnitId) -> bool:
    """A unit that entered a hex has met enemy aircraft, or not; whether it did.

    Rules: PB-AIR-37, PB-AIR-38, PB-AIR-39, PB-MOVE-11.
    """
    before = resolution.position
    unit = before.units[id]
    chance = chance_at(before, unit) if unit.hex else Fraction(0)
    # the dice are nobody's: who is on the march does not throw them
    if not chance or not resolution.chance(chance, "PB-AIR-37", NOBODY):
        return False
    air, side = before.parameters.air, enemy_of(unit.side)
    kind = KINDS[air.interdiction_unit.of(side)]
    flight = Firer(kind, side, air.interdiction_aircraft, kind.full, kind.soft, kind.hard)
    target = pick_by_size(resolution, on_the_march(before, unit), "PB-AIR-38", NOBODY)
    shock = Fraction(air.interdiction_disruption_multiplier)
    shot = strike_shot(before, flight, target, halved=False, share=1.0, multiplier=shock)
    struck = (suffering(resolution, target, shot, NOBODY),)
    left = target.mp
    if resolution.chance(probability(air.interdiction_mp_chance_pct), "PB-AIR-39", NOBODY):
        most = share(air.interdiction_mp_max_fraction, allowance(before, target))
        left = max(0, left - resolution.roll("PB-AIR-39", NOBODY, most + 1) + 1)
    lines = tuple(line for tally in shot.value.tallies for line in tally.lines)
    wrecks = wrecked(struck, before)
    resolution.emit(Interdicted(side, target.hex, kind.key, struck, wrecks, target.id, left, lines))
    concealment.settle(resolution, before)
    with_passengers(resolution, (target,), struck)
    return True
