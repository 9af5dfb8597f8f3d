"""How the events of command are told."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, telling


@telling.version(StaffsRestored)
def _restored(event: StaffsRestored, before: Position, after: Position, side: SideId) -> StaffsRestored:
    """The enemy, who knows that a headquarters was lost, hears that there is one again."""
    return event if not is_fogged(after) or event.side == side else replace(event, hexes=(), strengths=())
