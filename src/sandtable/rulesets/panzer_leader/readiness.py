"""Who can still do something in the open decision, without listing all that they can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.state import View
from sandtable.play.choices import Choices
from sandtable.rulesets.panzer_leader import fire, opportunity
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow
from sandtable.rulesets.panzer_leader.model import Position, Unit
from sandtable.rulesets.panzer_leader.orderbook import BOOK

Asked = Callable[[Position, SideId], Iterator[Unit]]

TOGETHER: dict[str, Asked] = {"direct fire": fire.shooters}
"""Steps in which all units of a side are asked at once, because each would look at all the others again."""


def ready(view: View[Position]) -> tuple[UnitId, ...]:
    """The side's units that have a lawful order in the open decision; aircraft, ships and written missions are told
    what to do without picking a unit.
    """
    if not view.decisions:
        return ()
    choices, top = Choices(BOOK, view, view.decisions[0]), view.flow[-1]
    if isinstance(top, OpportunityWindow):
        shots = opportunity.opportunity_options(view.position, view.side, top)
        return tuple(sorted({id for shot in shots for id in shot.firers}))
    asked = TOGETHER.get(choices.kind)
    if asked is not None:
        return tuple(unit.id for unit in asked(view.position, view.side))
    return tuple(unit.id for unit in choices.units() if choices.is_able(unit))
