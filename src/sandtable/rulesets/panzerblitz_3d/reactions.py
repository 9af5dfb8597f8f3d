"""What known enemies may do to a unit on its way: the shots that a move invites, and its chance to arrive all the same.

The way is walked by the rules on the world as the mover's side believes it, once with nobody firing; at every window
each fire that is lawful is carried out by the rules under every fall of its dice. Each unit fires once and only one
attack is made at a moment, so a shot is the same whoever has fired before: what the enemies can do at worst follows
from these shots alone.

Rules: PB3-1102, PB3-1104, PB3-1105.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from sandtable.kernel.dice import Dice
from sandtable.kernel.engine import Played, carry_out
from sandtable.kernel.events import Event, Order
from sandtable.kernel.forecast import (
    Arrival,
    Branch,
    Forecast,
    Reaction,
    branches,
    every_fall,
)
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State, View
from sandtable.rulesets.panzerblitz_3d import describe, opportunity, orders
from sandtable.rulesets.panzerblitz_3d.combat import Attack
from sandtable.rulesets.panzerblitz_3d.frames import OpportunityWindow
from sandtable.rulesets.panzerblitz_3d.model import Position

MOST_FIRERS = 6
"""So many enemies may share out their fire in every way there is; what more of them can do is bounded."""

Goals = Mapping[UnitId, HexId]
"""Where the units of an order are to stand when it has been carried through."""


def _goals_of_move(position: Position, order: orders.MoveUnit) -> Goals:
    return {order.unit: order.path[-1]}


def _goals_of_overrun(position: Position, order: orders.Overrun) -> Goals:
    return {run.unit: run.path[-1] for run in order.runs}


GOALS: dict[type[Order], Callable[[Position, Any], Goals]] = {
    orders.MoveUnit: _goals_of_move,
    orders.Overrun: _goals_of_overrun,
}
"""The orders that enemies may answer with opportunity fire (PB3-1104)."""


class Window:
    """A chance to fire at the mover: by whom, how likely each lawful fire leaves it unharmed, and what follows when
    nobody fires.
    """

    def __init__(self, state: State[Position], frame: OpportunityWindow) -> None:
        self.state, self.frame = state, frame
        self.unharmed: dict[frozenset[UnitId], Fraction] = {}
        self.later: list[tuple[Window | bool, Fraction]] = []


def odds(ruleset: Ruleset[Position], view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order that known enemies may answer with opportunity fire; None when none of them can.

    Rules: PB3-1102, PB3-1104.
    """
    goals_of = GOALS.get(type(order))
    if goals_of is None or not opportunity.is_awaited(view.position, view.side):
        return None
    way = _Way(ruleset, view, goals_of(view.position, order))
    start = way.followed(partial(carry_out, ruleset, ruleset.believed(view), view.side, order), (), 0, Fraction(1))
    if not way.windows:
        return None
    reactions = tuple(_reactions(way))
    return Forecast(
        branches(way.weights),
        ruleset.explain(view, order),
        dice=way.dice,
        reactions=reactions,
        arrival=_arrival(way, start),
    )


class _Way:
    """The way as it goes when nobody fires: the windows met, what comes of the order, and how many dice it throws."""

    def __init__(self, ruleset: Ruleset[Position], view: View[Position], goals: Goals) -> None:
        self.ruleset, self.view, self.goals = ruleset, view, goals
        self.windows: list[Window] = []
        self.weights: defaultdict[str, Fraction] = defaultdict(Fraction)
        self.dice = 0

    def followed(
        self, play: Callable[[Dice], Played[Position]], before: tuple[Event, ...], thrown: int, share: Fraction
    ) -> list[tuple[Window | bool, Fraction]]:
        """What comes next with which chance: a window, or the end of the order and whether it was carried through."""
        found: list[tuple[Window | bool, Fraction]] = []
        for played, chance in every_fall(play):
            events, dice, frame = (*before, *played.events), thrown + len(played.draws), played.state.flow[-1]
            if not isinstance(frame, OpportunityWindow):
                self.weights[self.ruleset.result(events, self.view)] += share * chance
                self.dice = max(self.dice, dice)
                found.append((self._is_through(played.state.position), chance))
                continue
            window = Window(played.state, frame)
            self.windows.append(window)
            letting_go = partial(carry_out, self.ruleset, window.state, frame.side, orders.Pass())
            window.later = self.followed(letting_go, events, dice, share * chance)
            found.append((window, chance))
        return found

    def _is_through(self, position: Position) -> bool:
        return all(position.units[id].hex == place for id, place in self.goals.items()) and self.is_unharmed(position)

    def is_unharmed(self, position: Position) -> bool:
        """Whether all who are to arrive are on the table and in good order."""
        return all(position.units[id].hex and not position.units[id].dispersed for id in self.goals)

    def fired(self, window: Window, order: orders.OpportunityFire) -> Iterator[tuple[Resolution[Position], Fraction]]:
        """The fire as the rules resolve it under every fall of the dice; the mover has not gone on yet."""

        def play(dice: Dice) -> Resolution[Position]:
            resolution = Resolution(window.state, dice, self.ruleset.apply)
            self.ruleset.resolve(resolution, window.frame.side, order)
            return resolution

        return every_fall(play)


def _reactions(way: _Way) -> Iterator[Reaction]:
    """The fire of all who may fire, at each place where they may."""
    for window in way.windows:
        position, firers = window.state.position, window.frame.firers
        place = position.units[window.frame.unit].hex
        order = orders.OpportunityFire(firers)
        who, whom = describe.unit_names(position, firers), describe.unit_name(position, window.frame.unit)
        yield Reaction(
            window.frame.side,
            firers,
            place,
            f"{who} may fire at {whom} in {describe.place_name(position, place)}",
            _results(way, window, order),
            opportunity.explain_opportunity(position, window.frame.side, order),
        )


def _results(way: _Way, window: Window, order: orders.OpportunityFire) -> tuple[Branch, ...]:
    weights: defaultdict[str, Fraction] = defaultdict(Fraction)
    for resolution, chance in way.fired(window, order):
        weights[way.ruleset.result(tuple(resolution.events), way.view)] += chance
    return branches(weights)


# --- the chance to arrive -------------------------------------------------------------------------------------------


def _arrival(way: _Way, start: list[tuple[Window | bool, Fraction]]) -> Arrival:
    """The chance that all arrive in good order if nobody fires, and at the least, however the known enemies fire."""
    unhindered = _unhindered(start)
    firers = {id for window in way.windows for id in window.frame.firers}
    if len(firers) > MOST_FIRERS:
        together = (_unharmed(way, window, window.frame.firers) for window in way.windows)
        # nobody fires twice, and no shot is better than that of all together
        return Arrival(str_of(unhindered), str_of(unhindered * min(together) ** len(firers)), exact=False)
    for window in way.windows:
        window.unharmed = dict(_shots(way, window))
    return Arrival(str_of(unhindered), str_of(_worst(start, frozenset(), {})))


def str_of(chance: Fraction) -> str:
    """The chance as "n/d"."""
    return f"{chance.numerator}/{chance.denominator}"


def _unhindered(ways: list[tuple[Window | bool, Fraction]]) -> Fraction:
    return sum(
        (chance * (_unhindered(next.later) if isinstance(next, Window) else next) for next, chance in ways), Fraction(0)
    )


def _shots(way: _Way, window: Window) -> Iterator[tuple[frozenset[UnitId], Fraction]]:
    """Every lawful choice of firers with the chance that their fire leaves the mover unharmed.

    Fire at the same odds with the same modifier is the same fire.

    Rules: PB3-811, PB3-1105.
    """
    position, side, firers = window.state.position, window.frame.side, window.frame.firers
    alike: dict[tuple[str, int], Fraction] = {}
    for count in range(1, len(firers) + 1):
        for some in combinations(firers, count):
            attack = opportunity.opportunity_attack(position, side, tuple(position.units[id] for id in some))
            if isinstance(attack, Attack):
                key = (attack.odds, attack.drm)
                if key not in alike:
                    alike[key] = _unharmed(way, window, some)
                yield frozenset(some), alike[key]


def _unharmed(way: _Way, window: Window, firers: tuple[UnitId, ...]) -> Fraction:
    shots = way.fired(window, orders.OpportunityFire(firers))
    return sum((chance for shot, chance in shots if way.is_unharmed(shot.position)), Fraction(0))


def _worst(
    ways: list[tuple[Window | bool, Fraction]],
    fired: frozenset[UnitId],
    known: dict[tuple[int, frozenset[UnitId]], Fraction],
) -> Fraction:
    """The chance to arrive when the enemies who have not fired yet do the worst they can from here on."""
    return sum(
        (chance * (_worst_at(next, fired, known) if isinstance(next, Window) else next) for next, chance in ways),
        Fraction(0),
    )


def _worst_at(
    window: Window, fired: frozenset[UnitId], known: dict[tuple[int, frozenset[UnitId]], Fraction]
) -> Fraction:
    key = (id(window), fired)
    if key not in known:
        least = _worst(window.later, fired, known)
        for firers, unharmed in window.unharmed.items():
            if not firers & fired:
                least = min(least, unharmed * _worst(window.later, fired | firers, known))
        known[key] = least
    return known[key]
