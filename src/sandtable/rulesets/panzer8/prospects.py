"""What known enemies may do while an order is carried out: the shots that it invites, and the chance that it goes
through all the same.

Each shot that is lawful is weighed in closed form (P8-8.05). An enemy reacts once, so the worst that all of them can do
is that each takes the shot that is most likely to stop the action.

Rules: P8-5.01, P8-5.02, P8-5.04, P8-5.06, P8-8.05.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction, TooManyFallsError, branches
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import View
from sandtable.play.reactions import Shot, Way, distinct, worst_of_each
from sandtable.rulesets.panzer8 import fire, orders, reactions
from sandtable.rulesets.panzer8.describe import element_name, place_name
from sandtable.rulesets.panzer8.frames import Journey, ReactionFrame
from sandtable.rulesets.panzer8.model import Position
from sandtable.rulesets.panzer8.outlook import chances
from sandtable.rulesets.panzer8.results import NONE
from sandtable.rulesets.panzer8.stacks import kind_of

MOVING = (orders.Move, orders.MoveAndFire, orders.TankHunt, orders.Charge, orders.Overrun, orders.Fire)
"""The orders that give enemies an occasion (P8-5.02)."""
QUIET = (orders.Pass, orders.ReactByPivot, orders.Evade)
"""Reactions without dice; what the enemy goes on to do, a shot perhaps, is his secret."""


def odds(ruleset: Ruleset[Position], view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order that known enemies may answer with fire, or whose own dice fall after they were asked;
    None for one without dice.
    """
    if isinstance(order, QUIET) and any(isinstance(frame, Journey) for frame in view.flow):
        return Forecast((Branch("the enemy goes on", "1/1"),), (), exact=False)
    if not isinstance(order, MOVING):
        return None
    try:
        # what counts here is whether a shot stops the action; dice of its own do not
        way = Way(ruleset, view, order, ReactionFrame, orders.Pass(), lambda position: True)
    except TooManyFallsError:
        return None
    shots = list(_shots_on(way))
    if not shots and not way.dice:
        return None
    arrival = Arrival("1", str(worst_of_each(shots))) if shots and isinstance(order, orders.Move) else None
    tally = ruleset.explain(view, order)
    return Forecast(branches(way.weights), tally, dice=way.dice, reactions=distinct(shots), arrival=arrival)


def _shots_on(way: Way[Position]) -> Iterator[Shot]:
    """The shots that known enemies may fire on a way.

    However the dice of a shot fall, the answers to it are the same but for a target that is gone: the first window of
    each depth stands for all.
    """
    depth = 0
    for window in way.windows:
        if window.depth == depth:
            depth += 1
            yield from _shots(window.state.position, window.frame)


def _shots(position: Position, frame: ReactionFrame) -> Iterator[Shot]:
    """The shots that known enemies may fire at the acting element now."""
    cause = position.elements[reactions.occasion_of(position).unit]
    for order in reactions.fire_options(position, frame.side, frame):
        firer = position.elements[order.unit]
        contest = fire.contest(position, fire.standing(firer), cause, order.ammo)
        found = chances(contest.modifier, order.ammo, is_armor=kind_of(cause).kind == "afv")
        name = f"{element_name(position, firer.id)} fires from {place_name(position, firer.hex)}"
        results = tuple(Branch(result, f"{count}/100", result == NONE) for result, count in found.items() if count)
        tallies = (contest.attack, contest.defense)
        reaction = Reaction(frame.side, (firer.id,), cause.hex, f"{name} ({order.ammo})", results, tallies)
        yield Shot(reaction, Fraction(100 - found[NONE], 100))
