"""The odds of orders in closed form, and what known enemies may do while one is carried out.

A move is carried out by the rules on the world as its side believes it, with nobody firing; at every occasion each shot
that is lawful is weighed exactly. A unit fires once, so the worst that all can do is that each takes its best shot.

Rules: P44-8.02, P44-8.03, P44-8.04, P44-9.05.
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
from sandtable.kernel.state import View
from sandtable.rulesets.panzer_44 import direct, fire, orders, reactions
from sandtable.rulesets.panzer_44.describe import place_name, unit_name
from sandtable.rulesets.panzer_44.frames import OpportunityFrame
from sandtable.rulesets.panzer_44.insight import branches_of
from sandtable.rulesets.panzer_44.model import EXITED, Position
from sandtable.rulesets.panzer_44.results import is_stopped
from sandtable.rulesets.panzer_44.tables import DELAYED_PANIC, NO_EFFECT

MOST_OCCASIONS = 64
"""So many occasions are looked into; a way with more is not worked out."""

MOVING = (orders.Move, orders.Overrun, orders.LeaveMap, orders.Load, orders.Unload)
"""The orders that give enemies an occasion (P44-8.03)."""

Moving = orders.Move | orders.Overrun | orders.LeaveMap | orders.Load | orders.Unload

OPEN_ENDED = {
    orders.SealPlot: "the plots are opened once both are sealed",
    orders.EndMovement: "the turn goes on",
    orders.EndSetup: "the battle goes on",
    orders.Pass: "the enemy goes on",
}
"""Orders after which play goes on by itself, with dice that are not theirs."""

HARMLESS = (NO_EFFECT, DELAYED_PANIC)
"""The results that do not stop a mover (P44-8.04)."""

Falls = Iterator[tuple[Played[Position], Fraction]]


class Shot(NamedTuple):
    """Fire that a known enemy may open on a mover, and how likely it stops it."""

    reaction: Reaction
    unit: UnitId
    stops: Fraction


def odds(ruleset: Ruleset[Position], view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order that throws dice or that known enemies may answer; None when it does what it says."""
    if type(order) in OPEN_ENDED:
        return Forecast((Branch(OPEN_ENDED[type(order)], "1/1"),), (), exact=False)
    match order:
        case orders.NameTarget():
            return _attack(ruleset, view, order, direct.named_odds(view.position, order))
        case orders.FireOnOpportunity():
            return _attack(ruleset, view, order, reactions.opportunity_odds(view.position, order))
    return _way(ruleset, view, order) if isinstance(order, MOVING) else None


def _attack(ruleset: Ruleset[Position], view: View[Position], order: Order, found: fire.Odds) -> Forecast:
    """One attack under every fall of its die."""
    return Forecast(branches_of(found), ruleset.explain(view, order), dice=1)


def _way(ruleset: Ruleset[Position], view: View[Position], order: Moving) -> Forecast | None:
    """A move, with the shots that it invites."""
    way, state = _Way(ruleset, view, order.unit), ruleset.believed(view)
    try:
        way.follow(every_fall(partial(carry_out, ruleset, state, view.side, order)), (), 0, Fraction(1))
    except TooManyFallsError:
        return Forecast((Branch("mines and dice decide", "1/1"),), ruleset.explain(view, order), exact=False, dice=1)
    worst: dict[UnitId, Fraction] = {}
    for shot in way.shots:
        worst[shot.unit] = max(worst.get(shot.unit, Fraction(0)), shot.stops)
    least = way.through
    for stops in worst.values():
        least *= 1 - stops
    shots = tuple({(s.unit, s.reaction.hex, s.reaction.text): s.reaction for s in way.shots}.values())
    arrival, tally = Arrival(str(way.through), str(least)), ruleset.explain(view, order)
    return Forecast(branches(way.weights), tally, dice=way.dice, reactions=shots, arrival=arrival)


class _Way:
    """The order as it goes when nobody fires: the shots it invites on the way, and what comes of it."""

    def __init__(self, ruleset: Ruleset[Position], view: View[Position], unit: UnitId) -> None:
        self.ruleset, self.view, self.unit = ruleset, view, unit
        self.shots: list[Shot] = []
        self.weights: defaultdict[str, Fraction] = defaultdict(Fraction)
        self.through = Fraction(0)
        self.occasions = self.dice = 0

    def follow(self, falls: Falls, before: tuple[Event, ...], thrown: int, share: Fraction) -> None:
        for played, chance in falls:
            events, dice = (*before, *played.events), thrown + len(played.draws)
            frame = played.state.flow[-1]
            if not isinstance(frame, OpportunityFrame):
                self.weights[self.ruleset.result(events, self.view)] += share * chance
                if _is_through(played.state.position, self.unit):
                    self.through += share * chance
                self.dice = max(self.dice, dice)
                continue
            self.occasions += 1
            if self.occasions > MOST_OCCASIONS:
                raise TooManyFallsError
            self.shots += _shots(played.state.position, frame)
            passing = partial(carry_out, self.ruleset, played.state, frame.side, orders.Pass())
            self.follow(every_fall(passing), events, dice, share * chance)


def _is_through(position: Position, unit: UnitId) -> bool:
    """Whether a mover was not stopped on its way."""
    return position.units[unit].fate == EXITED or not is_stopped(position, unit)


def _shots(position: Position, frame: OpportunityFrame) -> Iterator[Shot]:
    """The shots that enemies plotted for opportunity fire may take at the mover now."""
    mover = position.units[reactions.occasion_of(position).unit]
    for order in reactions.fire_options(position, frame.side, frame):
        found = reactions.opportunity_odds(position, order)
        firer = position.units[order.unit]
        name = f"{unit_name(position, firer.id)} fires from {place_name(position, firer.hex)}"
        tallies = (found.superiority, found.reduction)
        reaction = Reaction(frame.side, (firer.id,), mover.hex, name, branches_of(found), tallies)
        stops = sum((p for result, p in found.chances.items() if result not in HARMLESS), Fraction(0))
        yield Shot(reaction, firer.id, stops)
