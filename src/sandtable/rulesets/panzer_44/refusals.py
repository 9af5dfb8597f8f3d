"""Refusals that every part of the room makes."""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId, SideId, UnitId
from sandtable.rulesets.panzer_44.model import Position


def refuse(rule: str, reason: str) -> Refusal:
    """A refusal that cites a rule of this system."""
    return Refusal(RuleId(rule), reason)


def not_yours(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a side has no say over a unit: it is none of its own on the table."""
    if not 0 <= unit < len(position.units) or position.units[unit].side != side:
        return refuse("P44-5.04", "that is no unit of yours")
    return None if position.units[unit].hex else refuse("P44-10.04", "it is not on the map")
