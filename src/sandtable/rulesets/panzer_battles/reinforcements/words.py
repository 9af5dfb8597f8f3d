"""The events of reinforcements as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.kernel.ids import UnitId
from sandtable.play.words import does, listed
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.reinforcements import events as e


def _all(position: Position, ids: tuple[UnitId, ...]) -> str:
    return listed(unit_name(position, id) for id in ids)


SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    e.ArrivalsAnnounced: lambda x, p: f"Reinforcements may arrive: {_all(p, x.units)}",
    e.Arrived: lambda x, p: does([unit_name(p, x.unit)], f"arrives in {place_name(p, x.hex)}"),
    e.ArrivalPutOff: lambda x, p: f"{_all(p, x.units)} can't arrive in {place_name(p, x.hex)}: {x.reason}",
    e.ArrivalProtected: lambda x, p: (
        f"broken by the arrival in {place_name(p, x.hex)}: {_all(p, x.units) or 'nobody in sight'}"
    ),
    e.UnitsReleased: lambda x, p: f"free to move: {_all(p, x.units)}",
    e.UnitsFixed: lambda x, p: f"fixed{' for the night' if x.tonight else ''}: {_all(p, x.units)}",
    e.UnitsWithdrawn: lambda x, p: f"withdrawn from the map: {_all(p, x.units)}",
    e.UnitsExited: lambda x, p: does((unit_name(p, id) for id in x.units), f"leaves the map by {place_name(p, x.hex)}"),
}
