"""Exact odds: the real resolver, run on the world as the side believes it, under every fall of the dice.

Small trees are enumerated with exact fractions; a tree with more leaves than the limit is sampled and says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import prod, sqrt
from typing import TypeVar

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import DiceKey, KeyedDice
from sandtable.kernel.engine import Played, carry_out
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State, View
from sandtable.kernel.trace import Tally

P = TypeVar("P")

LEAVES = 8_000
"""Enumerate up to this many falls of the dice; beyond it, sample."""

SAMPLES = 2_000

Z = 1.96
"""So many standard deviations hold 19 cases in 20."""


class Branch(msgspec.Struct, frozen=True):
    """One result and how likely it is, exactly ("n/d")."""

    result: str
    probability: str

    @property
    def chance(self) -> Fraction:
        return Fraction(self.probability)


class Forecast(msgspec.Struct, frozen=True):
    """What an order may bring: branches from likeliest to least, the tallies behind them, whether they are exact."""

    branches: tuple[Branch, ...]
    tally: tuple[Tally, ...]
    exact: bool = True
    samples: int = 0
    error: float = 0.0
    dice: int = 0
    """The most dice that are thrown; without any the order does what it says."""


class _Enumerated:
    """Dice that follow a given path of faces and then fall 1, noting how many sides each die had."""

    __slots__ = ("path", "sides")

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.sides: list[int] = []

    def face(self, sides: int, actor: UnitId) -> int:
        depth = len(self.sides)
        self.sides.append(sides)
        if depth == len(self.path):
            self.path.append(1)
        return self.path[depth]


def forecast(
    ruleset: Ruleset[P], view: View[P], order: Order, leaves: int = LEAVES, samples: int = SAMPLES
) -> Forecast | Refusal:
    """The odds of an order as its side may compute them, or the refusal it would meet."""
    refusal = ruleset.check(view, order)
    if refusal is not None:
        return refusal
    state = ruleset.believed(view)
    tally = ruleset.explain(view, order)
    weights: defaultdict[str, Fraction] = defaultdict(Fraction)
    dice = 0
    for number, (played, falls) in enumerate(_leaves(ruleset, state, view.side, order)):
        if number == leaves:
            return _sampled(ruleset, state, view, order, samples, tally)
        weights[ruleset.result(played.events, view)] += Fraction(1, falls)
        dice = max(dice, len(played.draws))
    return Forecast(_branches(weights), tally, dice=dice)


def _sampled(
    ruleset: Ruleset[P], state: State[P], view: View[P], order: Order, samples: int, tally: tuple[Tally, ...]
) -> Forecast:
    """The odds as so many throws of the dice show them, with how far off they may be."""
    counts: Counter[str] = Counter()
    dice = 0
    for number in range(samples):
        played = carry_out(ruleset, state, view.side, order, KeyedDice(DiceKey("forecast", number)))
        counts[ruleset.result(played.events, view)] += 1
        dice = max(dice, len(played.draws))
    weights = {result: Fraction(count, samples) for result, count in counts.items()}
    error = max(_error(float(p), samples) for p in weights.values())
    return Forecast(_branches(weights), tally, exact=False, samples=samples, error=error, dice=dice)


def _error(share: float, samples: int) -> float:
    """How far the truth may be from a sampled share, 19 times in 20 (Wilson's interval): a little even when all samples
    agree.
    """
    spread = Z * Z / samples
    center = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / samples + spread / (4 * samples)) / (1 + spread)
    return max(share - (center - half), (center + half) - share)


def _leaves(ruleset: Ruleset[P], state: State[P], side: SideId, order: Order) -> Iterator[tuple[Played[P], int]]:
    """Every fall of the dice with what came of it and the number of equally likely falls it is one of."""
    path: list[int] = []
    while True:
        dice = _Enumerated(path)
        played = carry_out(ruleset, state, side, order, dice)
        yield played, prod(dice.sides)
        path = path[: len(dice.sides)]
        while path and path[-1] == dice.sides[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


def expectation(
    ruleset: Ruleset[P], view: View[P], order: Order, value: Callable[[State[P]], int], leaves: int = 64
) -> Fraction:
    """The expected value of the state an order leads to, as its side may compute it; the mean of so many throws when
    the dice can fall in more ways than that.
    """
    state = ruleset.believed(view)
    total = Fraction(0)
    for number, (played, falls) in enumerate(_leaves(ruleset, state, view.side, order)):
        if number == leaves:
            throws = (KeyedDice(DiceKey("forecast", throw)) for throw in range(leaves))
            ends = (carry_out(ruleset, state, view.side, order, dice).state for dice in throws)
            return Fraction(sum(map(value, ends)), leaves)
        total += Fraction(value(played.state), falls)
    return total


def _branches(weights: Mapping[str, Fraction]) -> tuple[Branch, ...]:
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Branch(result, f"{p.numerator}/{p.denominator}") for result, p in ranked)
