"""What the events of deception do to a position."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOWHERE
from sandtable.rulesets.panzer_battles.changing import changed, changes
from sandtable.rulesets.panzer_battles.deception import events as e
from sandtable.rulesets.panzer_battles.model import ELIMINATED, Position, with_units


@changes.on(e.DeceptionDeployed)
def _deployed(position: Position, event: e.DeceptionDeployed) -> Position:
    sent = {"hex": NOWHERE, "posted": event.hex, "moved": True, "concealed": False, "digging_in": False}
    return with_units(position, (replace(position.units[event.unit], **sent),))


@changes.on(e.DeceptionPrevented)
def _prevented(position: Position, event: e.DeceptionPrevented) -> Position:
    return with_units(position, (replace(position.units[event.unit], moved=True),))


@changes.on(e.DeceptionRecalled)
def _recalled(position: Position, event: e.DeceptionRecalled) -> Position:
    units = [position.units[id] for id in event.units]
    return with_units(position, [replace(unit, hex=unit.posted, posted=NOWHERE) for unit in units])


@changes.on(e.DeceptionFound)
def _found(position: Position, event: e.DeceptionFound) -> Position:
    lost = position.losses.get(event.side, {})
    tally = {**lost, event.kind: lost.get(event.kind, 0) + event.lost}
    losses = {**position.losses, event.side: tally}
    if not position.knows(event.side):
        return replace(position, losses=losses)
    unit = replace(position.units[event.unit], posted=NOWHERE, gone=ELIMINATED, strength=0)
    return with_units(position, (unit,), losses=losses)


@changes.on(e.Misled)
def _misled(position: Position, event: e.Misled) -> Position:
    unit = position.units[event.unit]
    return with_units(position, (changed(position, event.unit, {"mp": 0}, disrupted=not unit.broken),))
