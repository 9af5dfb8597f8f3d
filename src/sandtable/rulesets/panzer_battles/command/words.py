"""Command in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles.command.events import StaffsRestored
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import side_title, unit_name


def _restored(event: StaffsRestored, position: Position) -> str:
    if not event.hexes:
        return f"{side_title(position, event.side)} has a headquarters again"
    return f"Formed anew: {listed(unit_name(position, id) for id in event.units)}"


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {StaffsRestored: _restored}
