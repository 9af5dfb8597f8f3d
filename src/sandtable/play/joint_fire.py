"""What known enemies who may fire together, each once, can do to units on their way.

At every window each fire that is lawful is carried out by the rules under every fall of its dice. Nobody fires twice,
so a volley is the same whoever has fired before: what the enemies can do at worst follows from these volleys alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Generic, NamedTuple, TypeVar

from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction, TooManyFallsError, branches, every_fall
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import View
from sandtable.kernel.trace import Tally
from sandtable.play.reactions import Course, Way, Window

P = TypeVar("P")

MOST_FIRERS = 6
"""So many enemies may share out their fire in every way there is; what more of them can do is bounded."""

Goals = Mapping[UnitId, HexId]
"""Where the units of an order are to stand when it has been carried through."""

Volleys = Mapping[frozenset[UnitId], Fraction]
"""Every lawful choice of firers at a window, with the chance that their fire leaves the movers unharmed."""


class JointFire(NamedTuple, Generic[P]):
    """What a room says of fire at movers."""

    window: type[Any]
    """The frame that asks for it: it has a side, the unit that is fired at, and those who may fire."""
    passing: Order
    fire: Callable[[tuple[UnitId, ...]], Order]
    place: Callable[[P, UnitId], HexId]
    """Where a unit is, on the map or not."""
    is_unharmed: Callable[[P, UnitId], bool]
    """Whether a unit is on the table and in good order."""
    words: Callable[[P, tuple[UnitId, ...], UnitId], str]
    """Who may fire at whom, and where."""
    explain: Callable[[P, SideId, Any], tuple[Tally, ...]]
    likeness: Callable[[P, SideId, tuple[UnitId, ...]], Hashable]
    """What makes two volleys the same; None where these units may not fire together."""
    afterwards: Callable[[Window[P]], Course[P]]
    """How it goes on when some have fired at a window."""


def odds(fire: JointFire[P], ruleset: Ruleset[P], view: View[P], order: Order, goals: Goals) -> Forecast | None:
    """The forecast of an order that known enemies may answer with fire; None when none of them can."""
    try:
        way = JointWay(fire, ruleset, view, order, goals)
        if not way.windows:
            return None
        shots = tuple(_reactions(way))
    except TooManyFallsError:
        return None
    tally = ruleset.explain(view, order)
    return Forecast(branches(way.weights), tally, dice=way.dice, reactions=shots, arrival=_arrival(way))


class JointWay(Way[P]):
    """A way on which enemies may fire together."""

    def __init__(self, fire: JointFire[P], ruleset: Ruleset[P], view: View[P], order: Order, goals: Goals) -> None:
        self.fire, self.goals = fire, goals
        super().__init__(ruleset, view, order, fire.window, fire.passing, self._have_arrived)

    def _have_arrived(self, position: P) -> bool:
        place = self.fire.place
        return all(place(position, id) == goal for id, goal in self.goals.items()) and self.is_unharmed(position)

    def is_unharmed(self, position: P) -> bool:
        """Whether all who are to arrive are on the table and in good order."""
        return all(self.fire.is_unharmed(position, id) for id in self.goals)

    def fired(self, window: Window[P], firers: tuple[UnitId, ...]) -> Iterator[tuple[Resolution[P], Fraction]]:
        """The fire as the rules resolve it under every fall of the dice; the mover has not gone on yet."""
        order = self.fire.fire(firers)

        def play(dice: Dice) -> Resolution[P]:
            resolution = Resolution(window.state, dice, self.ruleset.apply)
            self.ruleset.resolve(resolution, window.frame.side, order)
            return resolution

        return every_fall(play)

    def unharmed(self, window: Window[P], firers: tuple[UnitId, ...]) -> Fraction:
        """The chance that the fire of these leaves all who are to arrive unharmed."""
        shots = self.fired(window, firers)
        return sum((chance for shot, chance in shots if self.is_unharmed(shot.position)), Fraction(0))


def _reactions(way: JointWay[P]) -> Iterator[Reaction]:
    """The fire of all who may fire, at each place where they may, once."""
    told: set[tuple[HexId, tuple[UnitId, ...]]] = set()
    for window in way.windows:
        position, frame = window.state.position, window.frame
        place = way.fire.place(position, frame.unit)
        if (place, frame.firers) in told:
            continue
        told.add((place, frame.firers))
        words = way.fire.words(position, frame.firers, frame.unit)
        tallies = way.fire.explain(position, frame.side, way.fire.fire(frame.firers))
        yield Reaction(frame.side, frame.firers, place, words, _results(way, window), tallies)


def _results(way: JointWay[P], window: Window[P]) -> tuple[Branch, ...]:
    weights: defaultdict[str, Fraction] = defaultdict(Fraction)
    for resolution, chance in way.fired(window, window.frame.firers):
        weights[way.ruleset.result(tuple(resolution.events), way.view)] += chance
    return branches(weights)


# --- the chance to arrive -------------------------------------------------------------------------------------------


def _arrival(way: JointWay[P]) -> Arrival:
    """The chance that all arrive in good order if nobody fires, and at the least, however the known enemies fire."""
    unhindered = way.unhindered
    firers = {id for window in way.windows for id in window.frame.firers}
    if len(firers) > MOST_FIRERS:
        together = (way.unharmed(window, window.frame.firers) for window in way.windows)
        # nobody fires twice, and no shot is better than that of all together
        return Arrival(_text(unhindered), _text(unhindered * min(together) ** len(firers)), exact=False)
    return Arrival(_text(unhindered), _text(_worst(way)))


def _text(chance: Fraction) -> str:
    """The chance as "n/d"."""
    return f"{chance.numerator}/{chance.denominator}"


def _volleys(way: JointWay[P], window: Window[P]) -> Volleys:
    """The lawful volleys at a window; those that are alike are worked out once."""
    position, frame, alike, found = window.state.position, window.frame, {}, {}
    for count in range(1, len(frame.firers) + 1):
        for some in combinations(frame.firers, count):
            likeness = way.fire.likeness(position, frame.side, some)
            if likeness is None:
                continue
            if likeness not in alike:
                alike[likeness] = way.unharmed(window, some)
            found[frozenset(some)] = alike[likeness]
    return found


def _worst(way: JointWay[P]) -> Fraction:
    """The chance to arrive when the enemies do the worst they can."""
    volleys = {id(window): _volleys(way, window) for window in way.windows}
    known: dict[tuple[int, frozenset[UnitId]], Fraction] = {}

    def ahead(course: Course[P], fired: frozenset[UnitId]) -> Fraction:
        chances = (chance * (at(next, fired) if isinstance(next, Window) else next) for next, chance in course)
        return sum(chances, Fraction(0))

    def at(window: Window[P], fired: frozenset[UnitId]) -> Fraction:
        key = (id(window), fired)
        if key not in known:
            least = ahead(window.later, fired)
            for firers, unharmed in volleys[id(window)].items():
                if not firers & fired:
                    least = min(least, unharmed * ahead(way.fire.afterwards(window), fired | firers))
            known[key] = least
        return known[key]

    return ahead(way.start, frozenset())
