"""Where events say what they do to a position; each part of the rules registers its own."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import UnitId
from sandtable.play.changes import Changes
from sandtable.rulesets.panzer_battles.model import Position, Unit

changes: Changes[Position] = Changes()


def changed(position: Position, id: UnitId, private: dict[str, Any], **shown: Any) -> Unit:
    """A unit after what shows, and after what only its own side knows where that is known."""
    unit = position.units[id]
    return replace(unit, **shown, **private) if position.knows(unit.side) else replace(unit, **shown)
