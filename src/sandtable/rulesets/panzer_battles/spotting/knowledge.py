"""What a side makes of enemies it sees, and of those it has seen.

Rules: PB-UNIT-16, PB-UNIT-18, PB-SPOT-21.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import SPECTATORS, SideId, UnitId
from sandtable.rulesets.panzer_battles.kinds import GUNS, KINDS
from sandtable.rulesets.panzer_battles.model import (
    ELIMINATED,
    LOST_UNSEEN,
    Intel,
    Position,
    Unit,
    is_hard,
    unseen,
)
from sandtable.rulesets.panzer_battles.results.notation import least, midpoint, notation
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, is_watched, levels
from sandtable.rulesets.panzer_battles.spotting.sight import look, looks


def known_strength(unit: Unit) -> int:
    """The strength that a side takes a spotted enemy to have: the middle of its notation, no more than its type has
    unless it looks like more, as combined units do.

    Rules: PB-UNIT-16, PB-CRT-21.
    """
    if not unit.strength:
        return 0
    return min(midpoint(unit.strength), max(KINDS[unit.kind].full, least(unit.strength)))


def masked(unit: Unit) -> Unit:
    """A unit as the enemy sees it: its type and what shows of its state; quality C stands for what he can't tell.

    Rules: PB-UNIT-16, PB-UNIT-18, PB-CRT-21.
    """
    return Unit(
        unit.id,
        unit.kind,
        unit.side,
        unit.hex,
        known_strength(unit),
        unit.of.full,
        disrupted=unit.disrupted,
        broken=unit.broken,
        mode=unit.mode,
        vulnerable=unit.vulnerable,
        gone=unit.gone,
        carrier=unit.carrier,
        facing=unit.facing,
        digging_in=unit.digging_in,
        operation=unit.operation,
        on_foot=unit.on_foot,
    )


def own(unit: Unit) -> Unit:
    """A unit as its own side knows it: whether it is concealed, or was lost in sight, would betray who watches it."""
    if unit.gone == LOST_UNSEEN:
        return replace(unit, gone=ELIMINATED, concealed=False)
    return replace(unit, concealed=False) if unit.concealed else unit


def as_known(position: Position, unit: Unit, viewer: SideId) -> Unit:
    """A unit as a viewer may know it under fog; spectators see what its enemy sees.

    Rules: PB-DEC-12.
    """
    if unit.side == viewer:
        return own(unit)
    if unit.gone == ELIMINATED or (unit.hex and levels(position)[unit.id] == SPOTTED):
        return masked(unit)
    return unseen(unit.id, unit.side)


def category(unit: Unit) -> str:
    """What sort of unit it was, as a marker says; trucks and ships are of none.

    Rules: PB-SPOT-21.
    """
    if unit.of.has("hq"):
        return "HQ"
    if unit.of.component == GUNS:
        return "gun"
    if is_hard(unit):
        return "armor"
    return "infantry" if unit.of.is_men else "unknown"


def marker(position: Position, unit: Unit, viewer: SideId) -> Intel:
    """What a viewer remembers of an enemy that goes out of sight (PB-SPOT-21)."""
    watched = viewer == SPECTATORS or is_watched(position, viewer, unit.hex)
    return Intel(unit.id, unit.side, unit.hex, category(unit), notation(unit.strength), position.turn, watched)


def arrived(before: Position, after: Position, viewer: SideId) -> list[Unit]:
    """The units of a viewer that may see otherwise than before an event: who moved, rallied, broke, or got down."""
    return [
        new
        for old, new in after.derived.changes(before.units, after.units)
        if new.side == viewer and new.hex and (old.hex, old.broken, old.carrier) != (new.hex, new.broken, new.carrier)
    ]


def stale(known: Position, before: Position, after: Position, viewer: SideId) -> list[UnitId]:
    """The markers of a viewer that an event has made stale; where everybody sees as before, those alone are looked at
    that his units may have come to see.

    Rules: PB-SPOT-21.
    """
    if not known.intel:
        return []
    marked = list(known.intel.items())
    is_alike = before.turn == after.turn and before.visibility == after.visibility and looks(before) is looks(after)
    if is_alike:
        masks = [look(after, unit.hex) for unit in arrived(before, after, viewer)]
        marked = [(id, one) for id, one in marked if any(mask[one.hex] for mask in masks)] if masks else []
    return [id for id, one in marked if is_stale(after, one, viewer)]


def is_stale(position: Position, intel: Intel, viewer: SideId) -> bool:
    """Whether a marker tells nothing any more: too old, or its hex is in sight again; where it was in sight all along
    the marker goes in a later turn.

    Rules: PB-SPOT-21.
    """
    if intel.watched and position.turn == intel.turn:
        return False
    if position.turn - intel.turn >= position.parameters.misc.intel_marker_turns:
        return True
    return viewer == SPECTATORS or is_watched(position, viewer, intel.hex)
