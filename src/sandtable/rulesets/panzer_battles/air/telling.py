"""How the air is told: calls and readiness to their own side; that aircraft come, everybody sees below them.

Rules: PB-AIR-3.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, SideId
from sandtable.rulesets.panzer_battles.air.events import AirUnitsReadied, Interdicted, MissionCalled, MissionFlown
from sandtable.rulesets.panzer_battles.fire.telling import told_results
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, shows, telling, to_its_side

telling.version(MissionCalled)(to_its_side)
telling.version(AirUnitsReadied)(to_its_side)


@telling.version(MissionFlown)
def _flown(event: MissionFlown, before: Position, after: Position, side: SideId) -> MissionFlown | None:
    """A mission that came to nothing on the ground is its own side's business; of others everybody knows the losses."""
    if not is_fogged(after):
        return event
    told = replace(event, struck=told_results(event.struck, side), lines=())
    if event.side == side:
        return told
    if not event.flew:
        return None
    return replace(
        told, unit=NOBODY, strength=0, fatigue=0, disrupted=False, broken=False, removed=False, called=NOWHERE
    )


@telling.version(Interdicted)
def _interdicted(event: Interdicted, before: Position, after: Position, side: SideId) -> Interdicted | None:
    """Of a march that nobody of it sees the side of the aircraft learns no more than that something burns there.

    Rules: PB-FIRE-63, PB-SPOT-18, PB-UNIT-15.
    """
    if not is_fogged(after):
        return event
    told = replace(event, struck=told_results(event.struck, side), lines=())
    if before.units[event.unit].side == side:
        return told
    is_seen = shows(before, event.unit, side) or shows(after, event.unit, side) or event.wrecks
    return replace(told, unit=NOBODY, mp=0) if is_seen else None
