"""What air strikes and anti-aircraft fire are worth, and the chances of the air.

Rules: PB-AIR-10, PB-AIR-13, PB-AIR-18, PB-AIR-26.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.rulesets.panzer_battles.fire.values import (
    FireContext,
    Firer,
    FireValue,
    Target,
    cover,
    defense,
    has_cover,
    is_hard,
    quality_pct,
)
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.losses import probability
from sandtable.rulesets.panzer_battles.results.struck import fatigue_level
from sandtable.rulesets.panzer_battles.tallying import HALF, Tallying

LOWEST_VISIBILITY, CLEAR = 1, 5
"""From which to which visibility availability depends on it (PB-AIR-35)."""


def flak_range_factor(distance: int) -> float:
    """What distance leaves of anti-aircraft fire; in the hex itself all of it.

    Rules: PB-AIR-10, PB-AIR-11.
    """
    return 1 / (2 * distance + 1)


def _crew(value: Tallying, firer: Firer, parameters: Parameters) -> None:
    value.percent(f"quality {firer.quality}", quality_pct(firer.quality, parameters), "PB-FIRE-25")
    level = fatigue_level(firer.fatigue, parameters)
    value.percent(f"{level} fatigue", parameters.fatigue.fire_pct[level], "PB-FIRE-26")


def flak_value(firer: Firer, distance: int, parameters: Parameters, *, flies_low: bool) -> Tallying:
    """The value of a unit's fire at aircraft over a hex that far away; men are counted by tens.

    Rules: PB-AIR-12, PB-AIR-13, PB-AIR-15, PB-FIRE-23, PB-OOB-14.
    """
    kind = firer.kind
    barrels = firer.strength / 10 if kind.is_men else firer.strength
    crew = f"{firer.strength} men / 10" if kind.is_men else str(firer.strength)
    value = Tallying("Anti-aircraft fire", kind.aa * barrels, f"aa {kind.aa} x {crew}", "PB-AIR-13")
    value.times(f"range {distance}", flak_range_factor(distance), "PB-AIR-10")
    _crew(value, firer, parameters)
    if firer.disrupted or firer.low_ammo or firer.mode == "travel":
        value.times("Disrupted, low on ammunition or in Travel Mode", HALF, "PB-AIR-12")
    if kind.has("heavy_aa") and flies_low:
        value.times("heavy guns at low-flying aircraft", float(parameters.misc.heavy_aa_low_fly_factor), "PB-AIR-15")
    return value


def strike_value(
    aircraft: Firer, target: Target, context: FireContext, parameters: Parameters, *, halved: bool = False
) -> FireValue:
    """What an air strike is worth: range, height, hexside, armor and crowd count for nothing.

    Rules: PB-AIR-18, PB-AIR-19, PB-AIR-41.
    """
    hard = is_hard(target, context.fort)
    attack, sort = (aircraft.hard, "hard") if hard else (aircraft.soft, "soft")
    value = Tallying("Strike value", attack * aircraft.strength, f"{sort} attack x {aircraft.strength}", "PB-AIR-18")
    value.times("air attack", parameters.air.strike_attack_multiplier, "PB-AIR-18")
    _crew(value, aircraft, parameters)
    if aircraft.disrupted:
        value.times("Disrupted", HALF, "PB-AIR-16")
    if halved:
        value.times("only detached units spotted", HALF, "PB-AIR-41")
    if has_cover(target):
        cover(value, target, context, parameters)
    if target.broken:
        value.times("the target is Broken and lies low", parameters.misc.broken_fire_factor, "PB-FIRE-55")
    guard = defense(target, context, parameters)
    return FireValue(value.value / guard.value, value.value, guard.value, (value.tally(), guard.tally()))


def recon_chance(
    distance: int, terrain_pct: int, aircraft: int, quality: str, parameters: Parameters, *, disrupted: bool = False
) -> Fraction:
    """How likely air recon finds who is in a hex that far from its target.

    Rules: PB-AIR-26, PB-AIR-30.
    """
    chance = Fraction(100, distance + 1) * Fraction(100 + terrain_pct, 100)
    chance *= Fraction(aircraft, aircraft + parameters.air.recon_strength_constant)
    chance *= Fraction(parameters.quality.air_recon_pct[quality], 100)
    return probability(chance / 2 if disrupted else chance)


def interdiction_chance(side: str, units: int, terrain_pct: int, parameters: Parameters, *, twilight: bool) -> Fraction:
    """How likely aircraft of a side find units on the march in a hex.

    Rules: PB-AIR-37.
    """
    pct = Fraction(parameters.air.interdiction_pct.of(side) * units * (100 + terrain_pct), 100)
    return probability(pct / 2 if twilight else pct)


def availability(side: str, visibility: int, parameters: Parameters, *, low_visibility: bool) -> Fraction:
    """How likely an air unit is available again.

    Rules: PB-AIR-32, PB-AIR-35, PB-OPT-7.
    """
    pct = Fraction(parameters.air.availability_pct.of(side))
    if low_visibility:
        step = min(CLEAR, max(LOWEST_VISIBILITY, visibility))
        pct *= Fraction(getattr(parameters.air.low_visibility_availability_pct, f"v{step}"), 100)
    return probability(pct)
