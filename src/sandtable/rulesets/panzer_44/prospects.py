"""The odds of orders in closed form, and what known enemies may do while one is carried out.

Each shot that is lawful is weighed exactly. A unit fires once, so the worst that all can do is that each takes its best
shot.

Rules: P44-8.02, P44-8.03, P44-8.04, P44-9.05.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Arrival, Branch, Forecast, Reaction, TooManyFallsError, branches
from sandtable.kernel.ids import UnitId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import View
from sandtable.play.reactions import Shot, Way, distinct, worst_of_each
from sandtable.rulesets.panzer_44 import direct, fire, orders, reactions
from sandtable.rulesets.panzer_44.describe import place_name, unit_name
from sandtable.rulesets.panzer_44.frames import OpportunityFrame
from sandtable.rulesets.panzer_44.insight import branches_of
from sandtable.rulesets.panzer_44.model import EXITED, Position
from sandtable.rulesets.panzer_44.results import is_stopped
from sandtable.rulesets.panzer_44.tables import DELAYED_PANIC, NO_EFFECT

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
    tally = ruleset.explain(view, order)
    try:
        is_through = partial(_is_through, unit=order.unit)
        way = Way(ruleset, view, order, OpportunityFrame, orders.Pass(), is_through)
    except TooManyFallsError:
        return Forecast((Branch("mines and dice decide", "1/1"),), tally, exact=False, dice=1)
    shots = [shot for window in way.windows for shot in _shots(window.state.position, window.frame)]
    arrival = Arrival(str(way.unhindered), str(way.unhindered * worst_of_each(shots)))
    return Forecast(branches(way.weights), tally, dice=way.dice, reactions=distinct(shots), arrival=arrival)


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
        yield Shot(reaction, stops)
