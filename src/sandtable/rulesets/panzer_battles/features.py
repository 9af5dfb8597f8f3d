"""What stands in hexes beside units: works, minefields, obstacles, rubble and other markers.

Rules: PB-MAP-9, PB-MOVE-85, PB-FIRE-66.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from sandtable.content import HexLabel, SideName
from sandtable.geometry.board import Board
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles.model import NOBODYS, SIDES, Feature, Position

IMPROVED, TRENCH, BUNKER, PILLBOX = "improved", "trench", "bunker", "pillbox"
WORKS = (IMPROVED, TRENCH, BUNKER, PILLBOX)
"""Fortifications from the weakest up (PB-FIRE-66)."""

MINEFIELD, OBSTACLE, CONGESTION, RUBBLE, CLEARED_RUBBLE, RAIL_DAMAGE = (
    "minefield", "obstacle", "congestion", "rubble", "cleared_rubble", "rail_damage"
)  # fmt: skip

BARRIERS = (MINEFIELD, OBSTACLE)
"""What is cleared out of the way of movers (PB-MOVE-73, PB-ENG-24)."""

PONTOON, BROKEN_BRIDGE, WIRED = "pontoon", "broken_bridge", "wired"
"""What becomes of Water hexes and of the long bridges over them (PB-ENG-52, PB-ENG-58, PB-ENG-59)."""

FeatureKind = Literal[
    "improved", "trench", "bunker", "pillbox", "minefield", "obstacle", "congestion", "rubble", "cleared_rubble",
    "rail_damage", "pontoon", "broken_bridge", "wired",
]  # fmt: skip

Features = tuple[Feature, ...]
NONE: Features = ()


Placeable = Literal[
    "improved", "trench", "bunker", "pillbox", "minefield", "obstacle", "congestion", "rubble", "cleared_rubble",
    "rail_damage", "broken_bridge",
]  # fmt: skip
"""The kinds that a scenario may begin with."""


class FeatureEntry(msgspec.Struct, frozen=True):
    """A [[features]] entry of a scenario: the same feature in one hex or several.

    Rules: PB-MOVE-73, PB-MOVE-76, PB-MOVE-80.
    """

    kind: Placeable
    hexes: Annotated[tuple[HexLabel, ...], msgspec.Meta(min_length=1)]
    side: SideName | None = None
    strength: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    vacated: bool = False


def placed(board: Board, entries: Iterable[FeatureEntry], congestion_side: str) -> dict[HexId, Features]:
    """The features of a scenario by hex; a congestion marker of no side is for the one that the parameter data name,
    or for both.

    Rules: PB-MOVE-76.
    """
    found: dict[HexId, list[Feature]] = {}
    for entry in entries:
        by_data = congestion_side if entry.kind == CONGESTION and congestion_side in SIDES else NOBODYS
        feature = Feature(entry.kind, SideId(entry.side or by_data), entry.strength, entry.vacated)
        for label in entry.hexes:
            found.setdefault(HexId(board.parse(label)), []).append(feature)
    return {place: tuple(sorted(features)) for place, features in sorted(found.items())}


def at(position: Position, place: HexId) -> Features:
    """What stands in a hex, as far as it is known."""
    return position.features.get(place, NONE)


def find(position: Position, place: HexId, *kinds: str) -> Feature | None:
    """The first feature of a hex that is of one of these kinds."""
    return next((one for one in at(position, place) if one.kind in kinds), None)


def work_at(position: Position, place: HexId) -> Feature | None:
    """The work in a hex, if there is one.

    Rules: PB-FIRE-66.
    """
    return find(position, place, *WORKS)


def minefield_at(position: Position, place: HexId) -> Feature | None:
    """The minefield in a hex, if there is one (PB-MOVE-80)."""
    return find(position, place, MINEFIELD)


def is_pontoon_between(position: Position, water: HexId, bank: HexId) -> bool:
    """Whether a pontoon bridge joins a Water hex to a bank: its two banks lie opposite each other.

    Rules: PB-ENG-49, PB-ENG-52.
    """
    pontoon = find(position, water, PONTOON)
    return pontoon is not None and position.ground.board.direction(water, bank) % 3 == pontoon.count % 3


def exchanged(position: Position, place: HexId, old: Feature | None, new: Feature | None) -> dict[HexId, Features]:
    """The features of a position with one in the place of another in a hex; None is nothing."""
    rest = [one for one in at(position, place) if one != old]
    now = {**position.features, place: tuple(sorted([*rest, new] if new else rest))}
    return {where: features for where, features in sorted(now.items()) if features}
