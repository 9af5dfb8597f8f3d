"""How the events of engineers are told: a side knows what its own do and own; what shows of the rest is seen."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.engineers import events as e
from sandtable.rulesets.panzer_battles.model import Position
from sandtable.rulesets.panzer_battles.spotting.features import is_among, is_public
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged, shows, telling, to_its_side

telling.version(e.WorkProgressed)(to_its_side)


@telling.version(e.MinesTouched)
def _mines_touched(event: e.MinesTouched, before: Position, after: Position, side: SideId) -> e.MinesTouched | None:
    if not is_fogged(after) or after.units[event.unit].side == side:
        return event
    return replace(event, lines=()) if shows(before, event.unit, side) else None


@telling.version(e.FeatureChanged)
def _feature_changed(
    event: e.FeatureChanged, before: Position, after: Position, side: SideId
) -> e.FeatureChanged | None:
    """What is the viewer's or nobody's, wherever he looks, and whatever is changed where his own stand, as the mines
    that they clear; the rest he discerns.

    Rules: PB-SPOT-26, PB-ENG-24.
    """
    if not is_fogged(after) or is_among(before, side, event.hex):
        return event
    known = all(one is None or is_public(one, side) for one in (event.old, event.new))
    return event if known else None


@telling.version(e.WorkChanged)
def _work_changed(event: e.WorkChanged, before: Position, after: Position, side: SideId) -> e.WorkChanged | None:
    if not is_fogged(after) or after.units[event.unit].side == side:
        return event
    seen = shows(before, event.unit, side) and shows(after, event.unit, side)
    return replace(event, mp=0, thirds=0, progress=0) if seen else None


@telling.version(e.DamageTried)
def _damage_tried(event: e.DamageTried, before: Position, after: Position, side: SideId) -> e.DamageTried | None:
    if not is_fogged(after) or after.units[event.unit].side == side:
        return event
    seen = shows(before, event.unit, side) and shows(after, event.unit, side)
    return replace(event, mp=0, thirds=0) if seen else None
