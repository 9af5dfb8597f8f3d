"""How an assault may end, worked out beforehand.

The units of a side share one casualty value, so their fates hang together. For a given casualty value they are
independent, and what a unit suffers is linear between two casualty values at which its share is a whole number of men;
so a sum over a few points in each such piece is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Final, NamedTuple

from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.losses import BROKEN, Interval, check_chance, survival
from sandtable.rulesets.panzer_battles.results.odds import failures, strength_losses
from sandtable.rulesets.panzer_battles.results.struck import Struck

POINTS: Final = (
    (-0.9602898564975363, 0.1012285362903763),
    (-0.7966664774136267, 0.2223810344533745),
    (-0.5255324099163290, 0.3137066458778873),
    (-0.1834346424956498, 0.3626837833783620),
    (0.1834346424956498, 0.3626837833783620),
    (0.5255324099163290, 0.3137066458778873),
    (0.7966664774136267, 0.2223810344533745),
    (0.9602898564975363, 0.1012285362903763),
)
"""Where and with which weight Gauss and Legendre look at a piece from -1 to 1: exact for sixteen units of a side."""


class Fate(NamedTuple):
    """How likely a unit is in good order after a nominal loss, how likely gone, and how likely out of its hex if its
    side must leave that.
    """

    good: float
    gone: float
    away: float


Capture = Callable[[int, bool], float]
"""How likely nothing is left of who can't retreat, by what the assault has left of him and whether he is Broken."""


class SideFate(NamedTuple):
    """How likely none of a side is left in good order, how likely none is left at all, and how likely none is left that
    would still be in the hex after a retreat.
    """

    none_good: float
    none_left: float
    none_stays: float


def fate(
    unit: Struck,
    loss: int,
    multiplier: Fraction,
    parameters: Parameters,
    *,
    attacks: bool,
    capture: Capture | None = None,
) -> Fate:
    """What a nominal loss leaves of a unit; `capture` is that of one that can't retreat.

    Rules: PB-CRT-10, PB-CRT-13, PB-CRT-15, PB-ASLT-46.
    """
    check = check_chance(unit, loss, multiplier, parameters)
    effects = {effect: check * p for effect, p in failures(unit, loss, parameters, attacks=attacks).items()}
    broken = Fraction(unit.broken) or effects.get(BROKEN, Fraction(0))
    shaken = Fraction(unit.disrupted or unit.broken) or sum(effects.values(), Fraction(0))
    left, captured = Fraction(0), 0.0
    for lost, share in strength_losses(unit, loss, parameters).items():
        stays = share * survival(unit, lost, parameters)
        left += stays
        if capture is not None and stays:
            rest = unit.strength - lost
            captured += stays * (broken * capture(rest, True) + (shaken - broken) * capture(rest, False))
    good = float(left * (1 - shaken))
    return Fate(good, float(1 - left), 1 - good if capture is None else float(1 - left) + captured)


def side_fate(
    units: Sequence[Struck],
    shares: Sequence[float],
    between: Interval,
    parameters: Parameters,
    *,
    multiplier: Fraction = Fraction(1),
    attacks: bool = False,
    alternative: bool = False,
    captures: Sequence[Capture | None] = (),
) -> SideFate:
    """What a side's casualty value leaves of it; by the alternative calculation it is the mean of two. There is a
    capture for each unit that can't retreat.

    Rules: PB-ASLT-38, PB-ASLT-39, PB-ASLT-46, PB-CRT-19.
    """
    fates = [
        [
            fate(unit, loss, multiplier, parameters, attacks=attacks, capture=capture)
            for loss in range(ceil(between.high * share) + 2)
        ]
        for unit, share, capture in zip(units, shares, captures or [None] * len(units), strict=True)
    ]

    def at(value: float) -> SideFate:
        none_good = none_left = none_stays = 1.0
        for row, share in zip(fates, shares, strict=True):
            loss = floor(value * share)
            part = value * share - loss
            none_good *= 1 - (row[loss].good * (1 - part) + row[loss + 1].good * part)
            none_left *= row[loss].gone * (1 - part) + row[loss + 1].gone * part
            none_stays *= row[loss].away * (1 - part) + row[loss + 1].away * part
        return SideFate(none_good, none_left, none_stays)

    cuts = _pieces(shares, between)
    return _mean(at, cuts, between) if not alternative else _peaked_mean(at, cuts, between)


def _pieces(shares: Sequence[float], between: Interval) -> list[float]:
    """The casualty values at which some unit's share is a whole number, within the interval, and its ends."""
    cuts = {between.low, between.high}
    for share in shares:
        for loss in range(floor(between.low * share) + 1, ceil(between.high * share)):
            cuts.add(min(between.high, max(between.low, loss / share)))
    return sorted(cuts)


def _mean(at: Callable[[float], SideFate], cuts: list[float], between: Interval) -> SideFate:
    """The mean over the interval."""
    width = between.high - between.low
    if not width:
        return at(between.low)
    none_good = none_left = none_stays = 0.0
    for low, high in pairwise(cuts):
        middle, half = (low + high) / 2, (high - low) / 2
        for place, weight in POINTS:
            here = at(middle + half * place)
            none_good += here.none_good * weight * half
            none_left += here.none_left * weight * half
            none_stays += here.none_stays * weight * half
    return SideFate(none_good / width, none_left / width, none_stays / width)


def _peaked_mean(at: Callable[[float], SideFate], cuts: list[float], between: Interval) -> SideFate:
    """The mean of where the mean of two draws lies: most likely in the middle, hardly ever at the ends (PB-CRT-19)."""
    width, middle = between.high - between.low, (between.low + between.high) / 2

    def weighed(value: float) -> SideFate:
        here, weight = at(value), 2 - 4 * abs(value - middle) / width
        return SideFate(here.none_good * weight, here.none_left * weight, here.none_stays * weight)

    return _mean(weighed, sorted({*cuts, middle}), between) if width else at(middle)


def success(attackers: SideFate, defenders: SideFate) -> float:
    """How likely the assault succeeds: all defenders shaken while one attacker is not, or none of them left while
    one attacker is.

    Rules: PB-ASLT-42, PB-ASLT-43.
    """
    shaken = defenders.none_good - defenders.none_left
    return shaken * (1 - attackers.none_good) + defenders.none_left * (1 - attackers.none_left)


def entered(attackers: SideFate, defenders: SideFate) -> float:
    """How likely the attackers move in: no defender is left in the hex, and an attacker is in order.

    Rules: PB-ASLT-46, PB-ASLT-52.
    """
    return defenders.none_stays * (1 - attackers.none_good)
