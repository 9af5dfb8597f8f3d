"""The work that a unit has in hand: what it is called, and to which side of its hex it is done.

Rules: PB-ENG-7.
"""

from __future__ import annotations

from sandtable.geometry.hexes import opposite
from sandtable.rulesets.panzer_battles.model import Unit

CLEARING, LAYING, RUBBLE, WIRING = "clearing", "laying", "rubble", "wiring"
BUILDING, HOLDING, DISMANTLING = "building", "holding", "dismantling"
PONTOON_BUILDING, PONTOON_HOLDING, PONTOON_DISMANTLING = "pontoon building", "pontoon holding", "pontoon dismantling"

MINING = (CLEARING, LAYING)
"""Work among mines, in which nobody fires or storms.

Rules: PB-ENG-23, PB-ENG-28.
"""

BRIDGING = (
    BUILDING, HOLDING, DISMANTLING, PONTOON_BUILDING, PONTOON_HOLDING, PONTOON_DISMANTLING, WIRING
)  # fmt: skip
STANDING = (HOLDING, DISMANTLING, PONTOON_HOLDING, PONTOON_DISMANTLING)
"""Work on a bridge that can be used (PB-ENG-43, PB-ENG-47)."""

HELD = {DISMANTLING: HOLDING, PONTOON_DISMANTLING: PONTOON_HOLDING}
"""What is left of the taking up of a bridge when that is broken off."""

TITLES = {
    CLEARING: "clearing mines",
    LAYING: "laying mines",
    RUBBLE: "clearing rubble",
    WIRING: "Bridge Ops",
    BUILDING: "Bridge Ops",
    PONTOON_BUILDING: "Bridge Ops",
    DISMANTLING: "Bridge Ops",
    PONTOON_DISMANTLING: "Bridge Ops",
    HOLDING: "Has Bridge",
    PONTOON_HOLDING: "Has Bridge",
}
"""What the map says of a unit at work.

Rules: PB-ENG-35, PB-ENG-40.
"""


def toward(kind: str, direction: int) -> str:
    """The name of a work that is done to one side of the hex."""
    return f"{kind}:{direction}"


def kind_of(unit: Unit) -> str:
    """What sort of work a unit is at; empty for none."""
    return unit.operation.partition(":")[0]


def is_at(unit: Unit, *kinds: str) -> bool:
    """Whether a unit is at a work of one of these kinds."""
    return bool(unit.operation) and kind_of(unit) in kinds


def holds_bridge(unit: Unit) -> bool:
    """Whether a unit does no more about a bridge than hold it (PB-ENG-43)."""
    return is_at(unit, HOLDING, PONTOON_HOLDING)


def is_building(unit: Unit) -> bool:
    """Whether a unit works on a bridge, and does not merely hold one (PB-ENG-35)."""
    return is_at(unit, *BRIDGING) and not holds_bridge(unit)


def direction_of(unit: Unit) -> int:
    """To which side of its hex a unit's work on a bridge is done."""
    return int(unit.operation.partition(":")[2])


def after_change(unit: Unit) -> str:
    """What a unit is at after a change of its mode, in which nobody works: a bridge that stands is held, be it that it
    was being taken up; all else is over.

    Rules: PB-ENG-6, PB-ENG-41.
    """
    if not is_at(unit, *STANDING):
        return ""
    kind = kind_of(unit)
    return toward(HELD.get(kind, kind), direction_of(unit))


def after_step(unit: Unit, direction: int, *, retreats: bool, afloat: bool = False) -> str:
    """What a unit is at after a step: its bridge is held from the other end by who crosses it of his own will, or from
    the middle of a pontoon, on which he stands afloat; all else is over.

    Rules: PB-ENG-7, PB-ENG-41, PB-ENG-46, PB-ENG-50.
    """
    if retreats or not holds_bridge(unit):
        return ""
    kind, end = kind_of(unit), direction_of(unit)
    is_over_it = direction == end or (afloat and direction == opposite(end))
    boards = kind == PONTOON_HOLDING and not afloat
    return toward(kind, direction if boards else opposite(direction)) if is_over_it else ""
