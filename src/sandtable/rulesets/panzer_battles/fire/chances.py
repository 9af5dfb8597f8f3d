"""Chances around a fire: opportunity fire, counter-battery, rubble."""

from __future__ import annotations

from fractions import Fraction

from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.losses import probability

SHORT, MEDIUM, LONG = "short", "medium", "long"
NOT, NEAR, MIDWAY, ANYWHERE = "N", "S", "M", "L"
"""The settings of opportunity fire: never, within a third of the range, within two thirds, always (PB-OPF-5)."""


def limit(setting: str, reach: int) -> int:
    """The farthest hex that a setting lets a unit of that range fire at.

    Rules: PB-OPF-5, PB-OPF-6.
    """
    return {NOT: 0, NEAR: max(1, reach // 3), MIDWAY: max(1, 2 * reach // 3), ANYWHERE: reach}[setting]


def band(distance: int, reach: int) -> str:
    """Whether a target is near, midway or far for a weapon of that range.

    Rules: PB-OPF-4, PB-OPF-6.
    """
    if distance <= limit(NEAR, reach):
        return SHORT
    return MEDIUM if distance <= limit(MIDWAY, reach) else LONG


def opportunity_chance(
    quality: str, distance: int, reach: int, parameters: Parameters, *, at_fire: bool = False
) -> Fraction:
    """How likely a unit takes the opportunity to fire at one that moves, assaults or, less likely, fires.

    Rules: PB-OPF-4.
    """
    combat = parameters.combat
    bands = {
        SHORT: combat.opfire_band_pct.short,
        MEDIUM: combat.opfire_band_pct.medium,
        LONG: combat.opfire_band_pct.long,
    }
    pct = Fraction(
        combat.opfire_base_pct * bands[band(distance, reach)] * parameters.quality.opfire_pct[quality], 10_000
    )
    return probability(pct * combat.opfire_fire_trigger_pct / 100 if at_fire else pct)


def counterbattery_chance(men: int, nearest_enemy: int, enemy_side: str, parameters: Parameters) -> Fraction:
    """How likely guns that fire give themselves away to the enemy.

    Rules: PB-FIRE-60.
    """
    if nearest_enemy > parameters.combat.counterbattery_max_range:
        return Fraction(0)
    share = Fraction(men, parameters.stacking.road * nearest_enemy)
    return probability(share * parameters.combat.counterbattery_pct.of(enemy_side))


def rubble_chance(fire_value: float, parameters: Parameters) -> float:
    """How likely an indirect fire of that value leaves rubble.

    Rules: PB-FIRE-61, PB-MOVE-70.
    """
    return min(1.0, fire_value / 1000 * parameters.misc.rubble_pct_per_1000_fire / 100)
