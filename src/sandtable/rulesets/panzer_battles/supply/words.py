"""Supply in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.play.words import listed
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import unit_name
from sandtable.rulesets.panzer_battles.supply.events import LinesTraced, Supplied

NEWS = {
    "low_ammo": "Low on ammunition",
    "replenished": "Ammunition brought up",
    "unavailable": "Out of shells",
    "available": "Shells brought up",
    "unstocked": "Stockpile used up",
    "set_up": "Set up",
    "low_fuel": "Low on fuel",
    "refueled": "Refueled",
}
"""What supply did to the units that each field of the event names."""


def _traced(event: LinesTraced, position: Position) -> str:
    return f"Isolated: {listed(unit_name(position, id) for id in event.isolated)}" if event.isolated else ""


def _supplied(event: Supplied, position: Position) -> str:
    found = [
        f"{title}: {listed(unit_name(position, id) for id in getattr(event, field))}"
        for field, title in NEWS.items()
        if getattr(event, field)
    ]
    return "; ".join(found)


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {LinesTraced: _traced, Supplied: _supplied}
