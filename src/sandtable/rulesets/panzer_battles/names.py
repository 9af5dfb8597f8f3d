"""What things are called: units, hexes, sides, losses."""

from __future__ import annotations

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.play.words import numbered, so_many
from sandtable.rulesets.panzer_battles.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_battles.model import Position

COMPONENTS = {
    "men": ("man", "men"),
    "guns": ("gun", "guns"),
    "vehicles": ("vehicle", "vehicles"),
}


def place_name(position: Position, place: HexId) -> str:
    """A hex as players name it: its label and the name printed there, if any."""
    if not position.ground.board.is_on(place):
        return "off the map"
    name = position.ground.scenario.sheet.names.get(place, "")
    label = position.ground.board.label(place)
    return f"{label} ({name})" if name else label


def side_title(position: Position, side: SideId) -> str:
    """A side as the scenario calls it."""
    return {one.id: one.title for one in position.ground.scenario.sides}.get(side, side)


def unit_name(position: Position, id: UnitId) -> str:
    """A unit as players name it: its own name if the side knows it, else its type and number."""
    if id == NOBODY:
        return "an enemy nobody sees"
    if not 0 <= id < len(position.units):
        return "nobody"
    unit = position.units[id]
    if unit.kind == UNKNOWN:
        return "an enemy nobody sees"
    return unit.title or numbered(unit.of.name, id)


def losses_text(kind: str, lost: int) -> str:
    """Losses as a number with their component (PB-FIRE-62)."""
    return so_many(lost, *COMPONENTS[KINDS[kind].component])
