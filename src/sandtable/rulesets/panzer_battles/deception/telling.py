"""How the events of deception are told: what is deployed nobody else sees, what is found its finder knows."""

from __future__ import annotations

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.deception import events as e
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, shows, telling, to_its_side

for kind in (e.DeceptionDeployed, e.DeceptionPrevented, e.DeceptionRecalled):
    telling.version(kind)(to_its_side)


@telling.version(e.DeceptionFound)
def _found(event: e.DeceptionFound, before: Position, after: Position, side: SideId) -> e.DeceptionFound:
    return event


@telling.version(e.Misled)
def _misled(event: e.Misled, before: Position, after: Position, side: SideId) -> e.Misled | None:
    return event if not is_fogged(after) or shows(after, event.unit, side) else None
