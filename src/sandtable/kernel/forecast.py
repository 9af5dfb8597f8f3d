"""Exact odds: the real resolver, run on the world as the side believes it, under every fall of the dice.

A system is asked first whether it knows the odds by itself. Otherwise small trees are enumerated with exact fractions;
a tree with more leaves than the limit, and one with a die of more faces than that, is sampled and says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import prod, sqrt
from typing import NamedTuple, TypeVar

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import Dice, KeyedDice
from sandtable.kernel.engine import carry_out
from sandtable.kernel.events import DiceKey, Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State, View
from sandtable.kernel.trace import Tally

P = TypeVar("P")
T = TypeVar("T")

LEAVES = 8_000
"""Enumerate up to this many falls of the dice; beyond it, sample."""

SAMPLES = 2_000

Z = 1.96
"""So many standard deviations hold 19 cases in 20."""


NO_EFFECT = "no effect"
"""What every system calls the result of an order by which nobody is harmed or changed."""


class Branch(msgspec.Struct, frozen=True, omit_defaults=True):
    """One result and how likely it is, exactly ("n/d")."""

    result: str
    probability: str
    harmless: bool = False

    @property
    def chance(self) -> Fraction:
        return Fraction(self.probability)


class Reaction(msgspec.Struct, frozen=True):
    """What a known enemy may do while the order is carried out or to what stands in a hex, or what dice an order leads
    to later: who, where, and what comes of it, as far as that is worked out.
    """

    side: SideId
    actors: tuple[UnitId, ...]
    hex: HexId
    text: str
    branches: tuple[Branch, ...] = ()
    tally: tuple[Tally, ...] = ()


class Arrival(msgspec.Struct, frozen=True):
    """How likely an order is carried through to its end, exactly ("n/d"): if nobody reacts, and at the least, whatever
    the known enemies do; `exact` tells that they can indeed bring it down to that.
    """

    unhindered: str
    at_least: str
    exact: bool = True


class Sequel(NamedTuple):
    """The dice that an order leads to later, if all stays as it is, and a warning that it is in vain or dear."""

    later: tuple[Reaction, ...] = ()
    warning: str = ""


class Forecast(msgspec.Struct, frozen=True):
    """What an order may bring: branches from likeliest to least, the tallies behind them, whether they are exact.

    Where known enemies may react, the branches are those of an order to which nobody does. A forecast without branches
    has not been worked out.
    """

    branches: tuple[Branch, ...]
    tally: tuple[Tally, ...]
    exact: bool = True
    samples: int = 0
    error: float = 0.0
    dice: int = 0
    """The most dice that are thrown; without any the order does what it says, if nobody reacts."""
    reactions: tuple[Reaction, ...] = ()
    arrival: Arrival | None = None
    later: tuple[Reaction, ...] = ()
    warning: str = ""
    certain: bool = False
    """Whether, as far as the side knows, no die is thrown for it: neither now nor by enemies nor later."""


class TooManyFallsError(Exception):
    """The dice can fall in more ways than may be enumerated; the die of a uniform number alone can."""


class _Enumerated:
    """Dice that follow a given path of faces and then fall 1, noting how many sides each die had."""

    __slots__ = ("most", "path", "sides")

    def __init__(self, path: list[int], most: int) -> None:
        self.path, self.most = path, most
        self.sides: list[int] = []

    def face(self, sides: int, actor: UnitId) -> int:
        if sides > self.most:
            raise TooManyFallsError
        depth = len(self.sides)
        self.sides.append(sides)
        if depth == len(self.path):
            self.path.append(1)
        return self.path[depth]


def forecast(
    ruleset: Ruleset[P], view: View[P], order: Order, leaves: int = LEAVES, samples: int = SAMPLES
) -> Forecast | Refusal:
    """The odds of an order as its side may compute them, or its refusal; with no samples some odds stay open."""
    refusal = ruleset.check(view, order)
    if refusal is not None:
        return refusal
    found = ruleset.odds(view, order) or _worked_out(ruleset, view, order, leaves, samples)
    later, warning = ruleset.sequel(view, order)
    certain = found.exact and not (found.dice or found.reactions or later)
    return msgspec.structs.replace(found, later=later, warning=warning, certain=certain)


def _worked_out(ruleset: Ruleset[P], view: View[P], order: Order, leaves: int, samples: int) -> Forecast:
    state, tally, dice = ruleset.believed(view), ruleset.explain(view, order), 0
    weights: defaultdict[str, Fraction] = defaultdict(Fraction)
    try:
        for played, chance in every_fall(partial(carry_out, ruleset, state, view.side, order), leaves):
            weights[ruleset.result(played.events, view)] += chance
            dice = max(dice, len(played.draws))
    except TooManyFallsError:
        return _sampled(ruleset, state, view, order, samples, tally)
    return Forecast(branches(weights), tally, dice=dice)


def every_fall(play: Callable[[Dice], T], leaves: int = LEAVES) -> Iterator[tuple[T, Fraction]]:
    """What playing brings under every fall of the dice, each with how likely it is, if there are few enough of them."""
    path: list[int] = []
    for _ in range(leaves):
        dice = _Enumerated(path, leaves)
        yield play(dice), Fraction(1, prod(dice.sides))
        path = path[: len(dice.sides)]
        while path and path[-1] == dice.sides[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1
    raise TooManyFallsError


def _sampled(
    ruleset: Ruleset[P], state: State[P], view: View[P], order: Order, samples: int, tally: tuple[Tally, ...]
) -> Forecast:
    """The odds as so many throws of the dice show them, with how far off they may be; without throws, no odds yet."""
    if not samples:
        return Forecast((), tally, exact=False, error=1.0)
    counts: Counter[str] = Counter()
    dice = 0
    for number in range(samples):
        played = carry_out(ruleset, state, view.side, order, KeyedDice(DiceKey("forecast", number)))
        counts[ruleset.result(played.events, view)] += 1
        dice = max(dice, len(played.draws))
    weights = {result: Fraction(count, samples) for result, count in counts.items()}
    error = max(_error(float(p), samples) for p in weights.values())
    return Forecast(branches(weights), tally, exact=False, samples=samples, error=error, dice=dice)


def _error(share: float, samples: int) -> float:
    """How far the truth may be from a sampled share, 19 times in 20 (Wilson's interval)."""
    spread = Z * Z / samples
    center = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / samples + spread / (4 * samples)) / (1 + spread)
    return max(share - (center - half), (center + half) - share)


def branches(weights: Mapping[str, Fraction], harmless: str = NO_EFFECT) -> tuple[Branch, ...]:
    """The results from likeliest to least, with a note on the one that harms nobody."""
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Branch(result, f"{p.numerator}/{p.denominator}", result == harmless) for result, p in ranked)
