"""The events of deception as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.events import Event
from sandtable.play.words import does, listed
from sandtable.rulesets.panzer_battles.deception import events as e
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.names import place_name, unit_name

SENTENCES: dict[type[Event], Callable[[Any, Position], str]] = {
    e.DeceptionDeployed: lambda x, p: does([unit_name(p, x.unit)], f"works unseen in {place_name(p, x.hex)}"),
    e.DeceptionPrevented: lambda x, p: does([unit_name(p, x.unit)], f"finds an enemy in {place_name(p, x.hex)}"),
    e.DeceptionRecalled: lambda x, p: f"recalled: {listed(unit_name(p, id) for id in x.units)}",
    e.DeceptionFound: lambda x, p: f"a deception unit is found in {place_name(p, x.hex)}",
    e.Misled: lambda x, p: does([unit_name(p, x.unit)], f"is sent astray in {place_name(p, x.hex)}, Disrupted"),
}
