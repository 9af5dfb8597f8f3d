"""Who can still do something in the open decision, without listing all that they can do."""

from __future__ import annotations

from sandtable.kernel.ids import UnitId
from sandtable.kernel.state import View
from sandtable.play.choices import Choices
from sandtable.rulesets.panzerblitz_3d import opportunity
from sandtable.rulesets.panzerblitz_3d.frames import OpportunityWindow
from sandtable.rulesets.panzerblitz_3d.model import Position
from sandtable.rulesets.panzerblitz_3d.orderbook import BOOK


def ready(view: View[Position]) -> tuple[UnitId, ...]:
    """The side's units that have a lawful order in the open decision; batteries are told what to do without picking."""
    if not view.decisions:
        return ()
    choices, top = Choices(BOOK, view, view.decisions[0]), view.flow[-1]
    if isinstance(top, OpportunityWindow):
        shots = opportunity.opportunity_options(view.position, view.side, top)
        return tuple(sorted({id for shot in shots for id in shot.firers}))
    return tuple(unit.id for unit in choices.units() if choices.is_able(unit))
