"""What of an event a viewer may know: where each part of the rules registers how its events are told."""

from __future__ import annotations

from typing import TypeVar

from sandtable.kernel.events import Event
from sandtable.kernel.ids import SideId, UnitId
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, levels

E = TypeVar("E", bound=Event)

# no event of the room is told by who sees its units alone
telling: Redactions[Position] = Redactions(lambda position, side: ())


def is_fogged(position: Position) -> bool:
    """Whether anything is hidden (PB-SPOT-19)."""
    return position.ground.options.fog


def shows(position: Position, id: UnitId, side: SideId) -> bool:
    """Whether a viewer sees a unit: it is his own, or its enemy has it spotted."""
    return position.units[id].side == side or levels(position)[id] == SPOTTED


def own_among(position: Position, ids: tuple[UnitId, ...], side: SideId) -> tuple[UnitId, ...]:
    """Those of the units that are the viewer's."""
    return tuple(id for id in ids if position.units[id].side == side)


def to_its_side(event: E, before: Position, after: Position, side: SideId) -> E | None:
    """What a side does with its own units, as its field `side` says; what shows of it is seen."""
    return event if not is_fogged(after) or event.side == side else None  # type: ignore[attr-defined]
