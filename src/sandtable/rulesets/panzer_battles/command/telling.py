"""How the events of command are told."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.model import ELIMINATED, Position
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, telling


@telling.version(StaffsRestored)
def _restored(event: StaffsRestored, before: Position, after: Position, side: SideId) -> StaffsRestored | None:
    """The enemy hears that there is a headquarters again where he knows that it was lost (PB-FIRE-63)."""
    if not is_fogged(after) or event.side == side:
        return event
    missed = tuple(id for id in event.units if before.units[id].gone == ELIMINATED)
    return replace(event, units=missed, hexes=(), strengths=()) if missed else None
