"""What things are called: units, hexes, sides, losses."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.play.words import listed, numbered, so_many
from sandtable.rulesets.panzer_battles.features import MINEFIELD, WORKS
from sandtable.rulesets.panzer_battles.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_battles.model import Feature, Position

COMPASS = ("north", "northeast", "southeast", "south", "southwest", "northwest")
"""The six directions as players name them, from 0 (PB-MAP-1)."""

COMPONENTS = {
    "men": ("man", "men"),
    "guns": ("gun", "guns"),
    "vehicles": ("vehicle", "vehicles"),
    "ships": ("ship", "ships"),
    "aircraft": ("aircraft", "aircraft"),
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
        return "an unseen enemy"
    if not 0 <= id < len(position.units):
        return "nobody"
    unit = position.units[id]
    if unit.kind == UNKNOWN:
        return "an unseen enemy"
    return unit.title or numbered(unit.of.name, id)


GRADES = {"A": "Elite", "B": "Superior", "C": "Average", "D": "Below Average", "E": "Inferior", "F": "Abysmal"}
"""What each quality is called.

Rules: PB-MOR-1.
"""

EFFECTS = {"": "", "D": ", Disrupted", "B": ", Broken", "X": ", eliminated"}
"""What a result newly does to a unit (PB-FIRE-62)."""


def strength_text(kind: str, strength: int) -> str:
    """A strength, or what is lost of one, as a number with its component (PB-FIRE-62)."""
    return so_many(strength, *COMPONENTS[KINDS[kind].component])


def losses_text(losses: Iterable[tuple[str, int]], none: str) -> str:
    """What several units lost, each component as a number by itself; `none` when they lost nothing (PB-FIRE-62)."""
    return listed((so_many(lost, *COMPONENTS[component]) for component, lost in losses), none)


def result_text(kind: str, lost: int, result: str) -> str:
    """What came of a combat for a unit, as the map shows it: its loss, and what it newly is (PB-FIRE-62)."""
    loss = strength_text(kind, lost)
    return f"{loss}/{result}" if result else loss


FEATURES = {
    "improved": "improved position",
    "trench": "trench",
    "bunker": "bunker",
    "pillbox": "pillbox",
    "minefield": "minefield",
    "obstacle": "obstacle",
    "congestion": "congestion",
    "rubble": "RUBBLE",
    "cleared_rubble": "Rubble, cleared",
    "rail_damage": "damaged rail line",
    "pontoon": "pontoon bridge",
    "broken_bridge": "bridge, damaged",
    "wired": "WIRED bridge",
}


SIDE_WORDS = {"ferry": "FERRY", "used_ferry": "Ferry", "wired": "Wired"}
"""Hexsides that are written in a way of their own.

Rules: PB-MOVE-95, PB-ENG-15, PB-ENG-62.
"""


def side_words(feature: str) -> str:
    """What lies on a hexside, in words."""
    return SIDE_WORDS.get(feature, feature.replace("_", " "))


ROADS = {"primary": "Primary road", "secondary": "Secondary road", "trail": "Trail", "rail": "Rail line"}
"""Roads and rail lines in words.

Rules: PB-MAP-5.
"""


def road_titles(kind: str) -> tuple[str, ...]:
    """What a stretch of that kind is: a road, a rail line, or both beside each other."""
    return tuple(ROADS[part] for part in kind.split("_"))


def feature_title(feature: Feature) -> str:
    """A feature in words: a work in capitals while it has its full value, a minefield with its strength.

    Rules: PB-MOVE-109, PB-MOVE-72.
    """
    title = FEATURES[feature.kind]
    if feature.kind in WORKS:
        return f"{title}, vacated" if feature.vacated else title.upper()
    return f"{title} of strength {feature.strength}" if feature.kind == MINEFIELD else title
