"""What known enemies may do to a unit on its way: the shots that a move invites, and its chance to arrive all the same.

Fire at a mover is outside the count of PL-511 and each unit fires once, so a shot is the same whoever has fired before.

Rules: PL-1601, PL-1602, PL-1603, PL-1604.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast
from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import View
from sandtable.play import joint_fire
from sandtable.play.joint_fire import Goals, JointFire
from sandtable.rulesets.panzer_leader import describe, opportunity, orders
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow
from sandtable.rulesets.panzer_leader.model import Position
from sandtable.rulesets.panzer_leader.stacks import passenger_of
from sandtable.rulesets.panzer_leader.workings import Attack


def _goals_of_move(position: Position, order: orders.MoveUnit) -> Goals:
    return {order.unit: order.path[-1]}


def _goals_of_overrun(position: Position, order: orders.Overrun) -> Goals:
    return {run.unit: run.path[-1] for run in order.runs}


def _goals_of_unloading(position: Position, order: orders.UnloadUnit) -> Goals:
    place, passenger = position.units[order.carrier].hex, passenger_of(position, order.carrier)
    assert passenger is not None
    return {order.carrier: place, passenger.id: place}


GOALS: dict[type[Order], Callable[[Position, Any], Goals]] = {
    orders.MoveUnit: _goals_of_move,
    orders.Overrun: _goals_of_overrun,
    orders.UnloadUnit: _goals_of_unloading,
}
"""The orders that enemies may answer with opportunity fire (PL-1602)."""


def odds(ruleset: Ruleset[Position], view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order that known enemies may answer with opportunity fire; None when none of them can.

    Rules: PL-1601, PL-1602.
    """
    goals_of = GOALS.get(type(order))
    if goals_of is None or not view.position.ground.options.opportunity_fire:
        return None
    return joint_fire.odds(OPPORTUNITY_FIRE, ruleset, view, order, goals_of(view.position, order))


def _likeness(position: Position, side: SideId, firers: tuple[UnitId, ...]) -> tuple[str, int] | None:
    """Fire at the same odds with the same modifier is the same fire; None where it is not lawful.

    Rules: PL-831, PL-1604.
    """
    attack = opportunity.attack(position, side, tuple(position.units[id] for id in firers))
    return (attack.odds, attack.drm) if isinstance(attack, Attack) else None


def _words(position: Position, firers: tuple[UnitId, ...], unit: UnitId) -> str:
    who, whom = describe.unit_names(position, firers), describe.unit_name(position, unit)
    return f"{who} may fire at {whom} in {describe.place_name(position, position.units[unit].hex)}"


OPPORTUNITY_FIRE: Final[JointFire[Position]] = JointFire(
    window=OpportunityWindow,
    passing=orders.Pass(),
    fire=orders.OpportunityFire,
    place=lambda position, id: position.units[id].hex,
    is_unharmed=lambda position, id: bool(position.units[id].hex) and not position.units[id].dispersed,
    words=_words,
    explain=opportunity.explain_opportunity,
    likeness=_likeness,
    # those who have not fired yet may still do so in the same place
    afterwards=lambda window: [(window, Fraction(1))],
)
