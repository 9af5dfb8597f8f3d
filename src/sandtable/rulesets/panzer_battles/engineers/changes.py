"""What the events of engineers do to a position."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.rulesets.panzer_battles.changing import changed, changes
from sandtable.rulesets.panzer_battles.engineers import events as e
from sandtable.rulesets.panzer_battles.features import exchanged
from sandtable.rulesets.panzer_battles.model import Position, with_units
from sandtable.rulesets.panzer_battles.terrain import with_side


@changes.on(e.MinesTouched)
def _mines_touched(position: Position, event: e.MinesTouched) -> Position:
    return with_units(position, (changed(position, event.unit, {"attacked": True}),))


@changes.on(e.FeatureChanged)
def _feature_changed(position: Position, event: e.FeatureChanged) -> Position:
    return replace(position, features=exchanged(position, event.hex, event.old, event.new))


@changes.on(e.WorkChanged)
def _work_changed(position: Position, event: e.WorkChanged) -> Position:
    private = {"mp": event.mp, "thirds": event.thirds, "progress": event.progress}
    if not event.by_itself:
        # only what is ordered is an action that reveals (PB-SPOT-31)
        private |= {"concealed": False, "stirred": True}
    shown = {"operation": event.operation, "digging_in": event.digging_in}
    return with_units(position, (changed(position, event.unit, private, **shown),))


@changes.on(e.WorkProgressed)
def _work_progressed(position: Position, event: e.WorkProgressed) -> Position:
    units = [position.units[id] for id in event.units]
    return with_units(position, [replace(unit, progress=unit.progress + 1) for unit in units])


@changes.on(e.SideChanged)
def _side_changed(position: Position, event: e.SideChanged) -> Position:
    return replace(position, sides=with_side(position, event.hex, event.direction, frozenset(event.features)))


@changes.on(e.DamageTried)
def _damage_tried(position: Position, event: e.DamageTried) -> Position:
    private = {"mp": event.mp, "thirds": event.thirds, "concealed": False}
    return with_units(position, (changed(position, event.unit, private),))
