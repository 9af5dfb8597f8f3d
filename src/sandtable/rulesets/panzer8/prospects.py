"""What known enemies may do while an order is carried out: the shots that it invites, and the chance that it goes
through all the same.

The order is carried out by the rules on the world as its side believes it, with nobody reacting; at every occasion each
shot that is lawful is weighed in closed form (P8-8.05). An enemy reacts once, so the worst that all of them can do is
that each takes the shot that is most likely to stop the action.

Rules: P8-5.01, P8-5.02, P8-5.04, P8-5.06, P8-8.05.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from sandtable.kernel.engine import Played, carry_out
from sandtable.kernel.events import Event, Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction, TooManyFallsError, branches, every_fall
from sandtable.kernel.ids import UnitId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import State, View
from sandtable.rulesets.panzer8 import fire, orders, reactions
from sandtable.rulesets.panzer8.describe import element_name, place_name
from sandtable.rulesets.panzer8.frames import Journey, ReactionFrame
from sandtable.rulesets.panzer8.model import Position, kind_of
from sandtable.rulesets.panzer8.outlook import chances
from sandtable.rulesets.panzer8.results import NONE

MOST_OCCASIONS = 64
"""So many occasions on one way are looked into; more than any lawful way has."""

MOVING = (orders.Move, orders.MoveAndFire, orders.TankHunt, orders.Charge, orders.Overrun, orders.Fire)
"""The orders that give enemies an occasion (P8-5.02)."""
QUIET = (orders.Pass, orders.ReactByPivot, orders.Evade)
"""Reactions without dice; what the enemy goes on to do, a shot perhaps, is his secret."""


Falls = Iterator[tuple[Played[Position], Fraction]]
"""What an order comes to under every fall of its dice, each with its chance."""


class Shot(NamedTuple):
    """A reaction that a known enemy may fire, and how likely it stops the action, in hundredths."""

    reaction: Reaction
    unit: UnitId
    stops: int


def odds(ruleset: Ruleset[Position], view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order that known enemies may answer with fire, or whose own dice fall after they were asked;
    None for one without dice.
    """
    if isinstance(order, QUIET) and any(isinstance(frame, Journey) for frame in view.flow):
        return Forecast((Branch("the enemy goes on", "1/1"),), (), exact=False)
    if not isinstance(order, MOVING):
        return None
    way = _Way(ruleset, view)
    try:
        way.follow(carry_out_in(ruleset, ruleset.believed(view), view, order), _Trail())
    except TooManyFallsError:
        return None
    if not way.shots and not way.dice:
        return None
    worst: dict[UnitId, int] = {}
    for shot in way.shots:
        worst[shot.unit] = max(worst.get(shot.unit, 0), shot.stops)
    least = Fraction(1)
    for stops in worst.values():
        least *= Fraction(100 - stops, 100)
    shots = tuple({(s.unit, s.reaction.hex, s.reaction.text): s.reaction for s in way.shots}.values())
    return Forecast(
        branches(way.weights),
        ruleset.explain(view, order),
        dice=way.dice,
        reactions=shots,
        arrival=Arrival("1", str(least)) if shots and isinstance(order, orders.Move) else None,
    )


def carry_out_in(ruleset: Ruleset[Position], state: State[Position], view: View[Position], order: Order) -> Falls:
    """The order under every fall of its dice."""
    return every_fall(partial(carry_out, ruleset, state, view.side, order))


class _Trail(NamedTuple):
    """What has happened on a way so far: its events, dice and occasions, and the chance that it came to this."""

    events: tuple[Event, ...] = ()
    dice: int = 0
    occasions: int = 0
    share: Fraction = Fraction(1)


class _Way:
    """The order as it goes when nobody reacts: the shots it invites on the way, and what comes of it."""

    def __init__(self, ruleset: Ruleset[Position], view: View[Position]) -> None:
        self.ruleset, self.view = ruleset, view
        self.shots: list[Shot] = []
        self.weights: defaultdict[str, Fraction] = defaultdict(Fraction)
        self.dice = 0
        self._weighed: set[int] = set()

    def follow(self, falls: Falls, trail: _Trail) -> None:
        for played, chance in falls:
            events, dice = (*trail.events, *played.events), trail.dice + len(played.draws)
            frame, share = played.state.flow[-1], trail.share * chance
            if not isinstance(frame, ReactionFrame):
                self.weights[self.ruleset.result(events, self.view)] += share
                self.dice = max(self.dice, dice)
                continue
            if trail.occasions >= MOST_OCCASIONS:
                raise TooManyFallsError
            # however the dice of a shot fall, the answers to it are the same but for a target that is gone
            if trail.occasions not in self._weighed:
                self._weighed.add(trail.occasions)
                self.shots += _shots(played.state.position, frame)
            passing = partial(carry_out, self.ruleset, played.state, frame.side, orders.Pass())
            self.follow(every_fall(passing), _Trail(events, dice, trail.occasions + 1, share))


def _shots(position: Position, frame: ReactionFrame) -> Iterator[Shot]:
    """The shots that known enemies may fire at the acting element now."""
    cause = position.elements[reactions.occasion_of(position).unit]
    for order in reactions.fire_options(position, frame.side, frame):
        firer = position.elements[order.unit]
        contest = fire.contest(position, fire.standing(firer), cause, order.ammo)
        found = chances(contest.modifier, order.ammo, is_armor=kind_of(cause).kind == "afv")
        name = f"{element_name(position, firer.id)} fires from {place_name(position, firer.hex)}"
        results = tuple(Branch(result, f"{count}/100") for result, count in found.items() if count)
        tallies = (contest.attack, contest.defense)
        reaction = Reaction(frame.side, (firer.id,), cause.hex, f"{name} ({order.ammo})", results, tallies)
        yield Shot(reaction, firer.id, 100 - found[NONE])
