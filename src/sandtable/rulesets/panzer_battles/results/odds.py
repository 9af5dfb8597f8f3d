"""Losses, fatigue and morale worked out beforehand, in closed form.

Rules: PB-CRT-21.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple, TypeVar

import msgspec

from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.losses import (
    BROKEN,
    DIE,
    DISRUPTED,
    ELIMINATED,
    NONE,
    Interval,
    check_chance,
    on_failure,
    survival,
)
from sandtable.rulesets.panzer_battles.results.struck import Struck, fatigue_factor, morale

K = TypeVar("K", bound=Hashable)

NARROW = 1e-4
"""An interval narrower than this is taken for its middle: the closed forms would divide by next to nothing."""

MILLION = 1_000_000


class ResultOdds(NamedTuple):
    """What a combat may do to a unit. `losses` are how likely it loses so many men, vehicles or guns, those who scatter
    afterwards not counted; `outcomes` how likely it loses so many and is newly Disrupted (D), Broken (B) or gone (X).
    """

    losses: Mapping[int, float]
    outcomes: Mapping[tuple[int, str], float]
    mean_loss: float
    any_loss: float
    disrupted: float
    broken: float
    eliminated: float


def _hat(x: float) -> float:
    return max(0.0, 1 - abs(x))


def _hat_below(x: float) -> float:
    """The area under the hat left of x."""
    if x <= -1:
        return 0.0
    if x >= 1:
        return 1.0
    return (x + 1) * (x + 1) / 2 if x <= 0 else 1 - (1 - x) * (1 - x) / 2


def _hat_moment_above(x: float) -> float:
    """The area under the hat right of x, each part times its distance from x."""
    if x >= 1:
        return 0.0
    if x <= -1:
        return -x
    return (1 - x) * (1 - x) * (1 - x) / 6 if x >= 0 else -x + (1 + x) * (1 + x) * (1 + x) / 6


def loss_chance(between: Interval, k: int, *, alternative: bool = False) -> float:
    """How likely the nominal loss is k men.

    Rules: PB-CRT-5, PB-CRT-19.
    """
    low, high = between
    width, middle = high - low, (low + high) / 2
    if width < NARROW:
        return _hat(middle - k)
    if not alternative:
        return (_hat_below(high - k) - _hat_below(low - k)) / width
    moments = _hat_moment_above(low - k) - 2 * _hat_moment_above(middle - k) + _hat_moment_above(high - k)
    return max(0.0, 4 * moments / (width * width))


def nominal_losses(between: Interval, *, alternative: bool = False) -> dict[int, float]:
    """How likely each nominal loss is that can happen.

    Rules: PB-CRT-5.
    """
    chances = {
        k: loss_chance(between, k, alternative=alternative) for k in range(floor(between.low), ceil(between.high) + 1)
    }
    return {k: chance for k, chance in chances.items() if chance}


def mean_loss(between: Interval) -> float:
    """The nominal loss to be expected.

    Rules: PB-CRT-5, PB-CRT-21.
    """
    return (between.low + between.high) / 2


def strength_losses(unit: Struck, loss: int, parameters: Parameters) -> dict[int, Fraction]:
    """How likely a nominal loss takes so much strength.

    Rules: PB-CRT-6, PB-CRT-7, PB-CRT-8, PB-CRT-9.
    """
    if unit.is_men:
        return {min(loss, unit.strength): Fraction(1)}
    lost, rest = divmod(loss, parameters.stacking.men_per_vehicle_or_gun)
    if lost >= unit.strength or not rest:
        return {min(lost, unit.strength): Fraction(1)}
    more = Fraction(rest, parameters.stacking.men_per_vehicle_or_gun)
    return {lost: 1 - more, lost + 1: more}


def failures(unit: Struck, loss: int, parameters: Parameters, *, attacks: bool = False) -> dict[str, Fraction]:
    """How likely a morale check fails after a loss, by what becomes of the unit; the fatigue of the same combat counts.

    Rules: PB-CRT-15, PB-MOR-15, PB-FAT-3.
    """
    most = fatigue_factor(unit.size, parameters) * loss
    each = parameters.fatigue.assault_attack_multiplier if attacks else 1
    result: dict[str, Fraction] = {}
    for fatigue, chance in _fatigue_after(unit, most, each, parameters).items():
        tired = msgspec.structs.replace(unit, fatigue=fatigue)
        effect = on_failure(tired, parameters)
        fails = Fraction(DIE - min(DIE, max(0, morale(tired, parameters))), DIE)
        result[effect] = result.get(effect, Fraction(0)) + chance * fails
    return result


def _fatigue_after(unit: Struck, most: int, each: int, parameters: Parameters) -> dict[int, Fraction]:
    """How likely a unit's fatigue reaches each level: the least fatigue of the level stands for it."""
    levels = parameters.fatigue
    steps = sorted({unit.fatigue, *(f for f in (levels.medium_at, levels.high_at, levels.max) if f > unit.fatigue)})
    # the gain needed to come to each step, and one that nobody can reach
    needed = [-(-(step - unit.fatigue) // each) for step in steps] + [most + 1]
    result = {}
    for step, here, beyond in zip(steps, needed, needed[1:], strict=False):
        ways = min(beyond, most + 1) - here
        if ways > 0:
            result[step] = Fraction(ways, most + 1)
    return result


def result_odds(
    unit: Struck,
    between: Interval,
    parameters: Parameters,
    *,
    multiplier: Fraction = Fraction(1),
    attacks: bool = False,
    alternative: bool = False,
) -> ResultOdds:
    """Everything that a combat may do to a unit.

    Rules: PB-CRT-5, PB-CRT-7, PB-CRT-13, PB-CRT-15, PB-CRT-16, PB-CRT-21.
    """
    losses: dict[int, float] = {}
    outcomes: dict[tuple[int, str], float] = {}
    for loss, likely in nominal_losses(between, alternative=alternative).items():
        check = check_chance(unit, loss, multiplier, parameters)
        effects = {effect: check * p for effect, p in failures(unit, loss, parameters, attacks=attacks).items()}
        for lost, share in strength_losses(unit, loss, parameters).items():
            _add(losses, lost, likely * share)
            stays = survival(unit, lost, parameters)
            _add(outcomes, (unit.strength, ELIMINATED), likely * (share * (1 - stays)))
            unshaken = Fraction(1)
            for effect, chance in effects.items():
                if effect != NONE:
                    _add(outcomes, (lost, effect), likely * (share * stays * chance))
                    unshaken -= chance
            _add(outcomes, (lost, NONE), likely * (share * stays * unshaken))
    return _summary(losses, outcomes)


def _add(chances: dict[K, float], key: K, chance: float) -> None:
    if chance:
        chances[key] = chances.get(key, 0.0) + chance


def _summary(losses: dict[int, float], outcomes: dict[tuple[int, str], float]) -> ResultOdds:
    mean = any_loss = 0.0
    for lost, chance in losses.items():
        mean += lost * chance
        any_loss += chance if lost else 0.0
    effects = {DISRUPTED: 0.0, BROKEN: 0.0, ELIMINATED: 0.0, NONE: 0.0}
    for (_, effect), chance in outcomes.items():
        effects[effect] += chance
    return ResultOdds(losses, outcomes, mean, any_loss, effects[DISRUPTED], effects[BROKEN], effects[ELIMINATED])


def exact_shares(chances: Mapping[K, float]) -> dict[K, Fraction]:
    """The chances as exact millionths that add up to one; what rounds to nothing is left out."""
    whole = {key: floor(chance * MILLION) for key, chance in chances.items()}
    rest = {key: chance * MILLION - whole[key] for key, chance in chances.items()}
    missing = MILLION - sum(whole.values())
    order = sorted(chances, key=lambda key: -rest[key])
    for n in range(missing):
        whole[order[n % len(order)]] += 1
    return {key: Fraction(count, MILLION) for key, count in whole.items() if count}
