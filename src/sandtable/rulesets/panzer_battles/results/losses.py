"""Losses, fatigue and morale as they are drawn: casualty value, rounding, finishing off, check.

Numbers with a fraction are computed with + - x / alone, in the order written, so that every machine gets the same.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any, NamedTuple

import msgspec

from sandtable.kernel.ids import NOBODY, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.struck import Struck, fatigue_factor, morale, morale_base

DIE = 6
"""The faces of a die (PB-GEN-13)."""

NONE, DISRUPTED, BROKEN, ELIMINATED = "", "D", "B", "X"
"""What a combat newly did to a unit, as the map shows it (PB-FIRE-62)."""


class Interval(NamedTuple):
    """The least and the greatest casualty value of a combat."""

    low: float
    high: float


class Toll(NamedTuple):
    """What a combat did to a unit: what it lost, how it stands afterwards, and what is new about that."""

    lost: int
    strength: int
    fatigue: int
    disrupted: bool
    broken: bool
    effect: str = NONE


def interval(cv: float, lcv: int, hcv: int, parameters: Parameters) -> Interval:
    """Between which casualty values a combat value lies.

    Rules: PB-CRT-1, PB-CRT-2.
    """
    baseline = parameters.combat.baseline
    return Interval(lcv * cv / baseline, hcv * cv / baseline)


def fire_interval(cv: float, parameters: Parameters) -> Interval:
    """Between which casualty values a fire lies; mines and air strikes count as fire.

    Rules: PB-FIRE-56, PB-CRT-2.
    """
    return interval(cv, parameters.combat.fire_lcv, parameters.combat.fire_hcv, parameters)


def assault_interval(cv: float, parameters: Parameters) -> Interval:
    """Between which casualty values an assault lies.

    Rules: PB-ASLT-37, PB-CRT-2.
    """
    return interval(cv, parameters.combat.assault_lcv, parameters.combat.assault_hcv, parameters)


def casualty_value(
    resolution: Resolution[Any], between: Interval, actor: UnitId = NOBODY, *, alternative: bool = False
) -> float:
    """A number drawn between the two; the alternative calculation takes the mean of two.

    Rules: PB-CRT-3, PB-CRT-19.
    """
    low, high = between
    value = low + (high - low) * resolution.uniform("PB-CRT-3", actor)
    if alternative:
        value = (value + (low + (high - low) * resolution.uniform("PB-CRT-19", actor))) / 2
    return value


def rounded(resolution: Resolution[Any], value: float, rule: str, actor: UnitId = NOBODY) -> int:
    """The value rounded up as likely as its fraction says, otherwise down.

    Rules: PB-GEN-11, PB-GEN-14, PB-CRT-4.
    """
    whole = floor(value)
    return whole + (resolution.uniform(rule, actor) < value - whole)


def nominal_loss(
    resolution: Resolution[Any], between: Interval, actor: UnitId = NOBODY, *, alternative: bool = False
) -> int:
    """The loss in men that a combat causes.

    Rules: PB-CRT-3, PB-CRT-4.
    """
    value = casualty_value(resolution, between, actor, alternative=alternative)
    return rounded(resolution, value, "PB-CRT-4", actor)


def strength_lost(resolution: Resolution[Any], unit: Struck, loss: int, parameters: Parameters, actor: UnitId) -> int:
    """What a nominal loss takes from a unit: men one by one, a vehicle or gun for ten men, never more than it has.

    Rules: PB-CRT-6, PB-CRT-7, PB-CRT-8, PB-CRT-9.
    """
    if unit.is_men:
        return min(loss, unit.strength)
    lost, rest = divmod(loss, parameters.stacking.men_per_vehicle_or_gun)
    if rest and resolution.chance(Fraction(rest, parameters.stacking.men_per_vehicle_or_gun), "PB-CRT-7", actor):
        lost += 1
    return min(lost, unit.strength)


def survival(unit: Struck, lost: int, parameters: Parameters) -> Fraction:
    """How likely a unit that has just lost so many is still there: a handful of men may scatter.

    Rules: PB-CRT-10, PB-CRT-16, PB-CRT-17, PB-CRT-18.
    """
    left = unit.strength - lost
    if left <= 0:
        return Fraction(0)
    few = parameters.misc.finish_off_men
    if not unit.is_men or not lost or unit.is_hq or left >= few:
        return Fraction(1)
    if unit.full < few:
        return Fraction(left, unit.full)
    return probability(left * parameters.misc.finish_off_survival_pct_per_man)


def probability(pct: int | Fraction) -> Fraction:
    """A percentage as a probability: above 100 certain, below 0 impossible.

    Rules: PB-GEN-18.
    """
    return min(Fraction(1), max(Fraction(0), Fraction(pct) / 100))


def check_chance(unit: Struck, loss: int, multiplier: Fraction, parameters: Parameters) -> Fraction:
    """How likely a loss makes a unit check its morale.

    Rules: PB-CRT-13, PB-CRT-14.
    """
    felt = loss * multiplier
    return felt / (felt + morale_base(unit.size, parameters)) if felt else Fraction(0)


def toll(
    resolution: Resolution[Any],
    unit: Struck,
    loss: int,
    parameters: Parameters,
    actor: UnitId = NOBODY,
    *,
    multiplier: Fraction = Fraction(1),
    attacks: bool = False,
) -> Toll:
    """What a nominal loss does to a unit: losses, finishing off, fatigue, morale check. Who attacks in an assault tires
    twice as fast; the multiplier is that of the disruption alone.

    Rules: PB-CRT-9, PB-CRT-10, PB-CRT-11, PB-FIRE-57.
    """
    lost = strength_lost(resolution, unit, loss, parameters, actor)
    stays = survival(unit, lost, parameters)
    if not stays or (stays < 1 and not resolution.chance(stays, "PB-CRT-16", actor)):
        return Toll(unit.strength, 0, unit.fatigue, unit.disrupted, unit.broken, ELIMINATED)
    gained = fatigue_gained(resolution, unit, loss, parameters, actor, attacks=attacks)
    fatigue = min(parameters.fatigue.max, unit.fatigue + gained)
    after = msgspec.structs.replace(unit, strength=unit.strength - lost, fatigue=fatigue)
    effect = _shaken(resolution, after, check_chance(unit, loss, multiplier, parameters), parameters, actor)
    return Toll(
        lost,
        after.strength,
        fatigue,
        effect == DISRUPTED or (unit.disrupted and effect != BROKEN),
        effect == BROKEN or unit.broken,
        effect,
    )


def fatigue_gained(
    resolution: Resolution[Any], unit: Struck, loss: int, parameters: Parameters, actor: UnitId, *, attacks: bool
) -> int:
    """The fatigue that a loss brings, counted before it is turned into vehicles.

    Rules: PB-FAT-3, PB-FAT-4, PB-FAT-5, PB-FAT-6, PB-FAT-7, PB-CRT-12.
    """
    most = fatigue_factor(unit.size, parameters) * loss
    if not most:
        return 0
    gained = resolution.roll("PB-FAT-3", actor, most + 1) - 1
    return gained * parameters.fatigue.assault_attack_multiplier if attacks else gained


def _shaken(resolution: Resolution[Any], unit: Struck, chance: Fraction, parameters: Parameters, actor: UnitId) -> str:
    """What a morale check, if there is one, newly does to a unit; its fatigue is that of after the combat.

    Rules: PB-CRT-13, PB-MOR-9, PB-MOR-10, PB-MOR-15.
    """
    if not chance or not resolution.chance(chance, "PB-CRT-13", actor):
        return NONE
    passes = resolution.roll("PB-MOR-10", actor, DIE) <= morale(unit, parameters)
    return NONE if passes else on_failure(unit, parameters)


def on_failure(unit: Struck, parameters: Parameters) -> str:
    """What becomes of a unit that fails its check: Disrupted, then Broken.

    Rules: PB-MOR-11, PB-MOR-12, PB-MOR-13, PB-MOR-14.
    """
    if unit.broken:
        return NONE
    if not unit.disrupted:
        return DISRUPTED
    exhausted = unit.fatigue >= parameters.fatigue.max
    return BROKEN if exhausted or not parameters.misc.broken_requires_max_fatigue else NONE
