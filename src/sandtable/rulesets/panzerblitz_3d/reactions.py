"""What known enemies may do to a unit on its way: the shots that a move invites, and its chance to arrive all the same.

Each unit fires once and only one attack is made at a moment, so a shot is the same whoever has fired before.

Rules: PB3-1102, PB3-1104, PB3-1105.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast
from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.ruleset import Ruleset
from sandtable.kernel.state import View
from sandtable.play import joint_fire
from sandtable.play.joint_fire import Goals, JointFire
from sandtable.rulesets.panzerblitz_3d import describe, opportunity, orders
from sandtable.rulesets.panzerblitz_3d.frames import OpportunityWindow
from sandtable.rulesets.panzerblitz_3d.model import Position
from sandtable.rulesets.panzerblitz_3d.workings import Attack


def _goals_of_move(position: Position, order: orders.MoveUnit) -> Goals:
    return {order.unit: order.path[-1]}


def _goals_of_overrun(position: Position, order: orders.Overrun) -> Goals:
    return {run.unit: run.path[-1] for run in order.runs}


GOALS: dict[type[Order], Callable[[Position, Any], Goals]] = {
    orders.MoveUnit: _goals_of_move,
    orders.Overrun: _goals_of_overrun,
}
"""The orders that enemies may answer with opportunity fire (PB3-1104)."""


def odds(ruleset: Ruleset[Position], view: View[Position], order: Order) -> Forecast | None:
    """The forecast of an order that known enemies may answer with opportunity fire; None when none of them can.

    Rules: PB3-1102, PB3-1104.
    """
    goals_of = GOALS.get(type(order))
    if goals_of is None or not opportunity.is_awaited(view.position, view.side):
        return None
    return joint_fire.odds(OPPORTUNITY_FIRE, ruleset, view, order, goals_of(view.position, order))


def _likeness(position: Position, side: SideId, firers: tuple[UnitId, ...]) -> tuple[str, int] | None:
    """Fire at the same odds with the same modifier is the same fire; None where it is not lawful.

    Rules: PB3-811, PB3-1105.
    """
    attack = opportunity.opportunity_attack(position, side, tuple(position.units[id] for id in firers))
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
    afterwards=lambda window: window.later,
)
