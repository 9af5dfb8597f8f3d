"""Whom a side may order about, and how a refusal is worded."""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, RuleId, SideId, UnitId
from sandtable.rulesets.panzer_battles.model import Position, Unit


def refuse(rule: str, reason: str, detail: str = "") -> Refusal:
    """A refusal that cites a rule."""
    return Refusal(RuleId(rule), reason, detail)


NOT_YOURS = refuse("PB-GEN-3", "that is not a unit of your side")


def own(position: Position, side: SideId, id: UnitId, *, may_ride: bool = False) -> Unit | Refusal:
    """The unit of the side with that id, if it stands on the map and, unless it may, rides on nobody (PB-MOVE-49)."""
    if not 0 <= id < len(position.units):
        return refuse("PB-GEN-3", "there is no such unit")
    unit = position.units[id]
    if unit.side != side:
        return NOT_YOURS
    if unit.carrier != NOBODY and not may_ride:
        return refuse("PB-MOVE-49", "it is carried")
    return unit if unit.hex else refuse("PB-UNIT-8", "it is off the map")
