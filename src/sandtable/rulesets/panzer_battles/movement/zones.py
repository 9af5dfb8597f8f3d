"""Zones of control: the hexes around a unit in which the enemy moves more slowly.

Rules: PB-ZOC-1, PB-ZOC-2.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.geometry.hexes import DIRECTIONS
from sandtable.geometry.reach import IN_ZONE
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.facing import covers
from sandtable.rulesets.panzer_battles.model import NO_FACING, RAIL, SIDES, Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import BRIDGE_BEARS, CLIMBING, SWIMMING, SWUM, way_of
from sandtable.rulesets.panzer_battles.terrain import obstacles_on

BARRIERS = frozenset({"river", "canal", "at_ditch", "cliff"})
"""Hexsides that hardly anybody crosses but by a bridge or ford (PB-ZOC-11)."""

NONE: frozenset[str] = frozenset()

WAYS_ACROSS = frozenset({*BRIDGE_BEARS, "ford"})


def has_zone(unit: Unit) -> bool:
    """Whether a unit exerts a zone of control.

    Rules: PB-ZOC-4, PB-ZOC-5, PB-ZOC-6, PB-ZOC-8, PB-ZOC-9, PB-ZOC-10.
    """
    kind = unit.of
    if unit.mode == RAIL or unit.carrier != NOBODY:
        return False
    if unit.broken or unit.concealed or kind.has("hq") or kind.has("supply") or unit.has("partisan"):
        return False
    return not kind.has("transport") or kind.assault > 0


def barriers_to(unit: Unit) -> frozenset[str]:
    """The hexsides that a unit does not cross by itself: all but none of commandos, and no water of who swims.

    Rules: PB-ZOC-11, PB-MOVE-57, PB-MOVE-59.
    """
    way = way_of(unit, unit.mode)
    return NONE if way == CLIMBING else BARRIERS - SWUM if way == SWIMMING else BARRIERS


def zone_around(position: Position, place: HexId, barriers: frozenset[str] = BARRIERS) -> tuple[HexId, ...]:
    """The hexes that a unit in a hex controls to whom these hexsides are barriers: not beyond them, and no water.

    Rules: PB-ZOC-1, PB-ZOC-11.
    """
    kept: dict[tuple[HexId, frozenset[str]], tuple[HexId, ...]] = position.derived.part(
        "zones around", (position.sides, position.weather), dict
    )
    zone = kept.get((place, barriers))
    if zone is None:
        zone = kept[place, barriers] = tuple(_zone(position, place, barriers))
    return zone


def zone_of(position: Position, unit: Unit) -> Iterable[HexId]:
    """The hexes that a unit with a zone controls: none that it does not face.

    Rules: PB-ZOC-7.
    """
    around = zone_around(position, unit.hex, barriers_to(unit))
    if unit.facing == NO_FACING:
        return around
    return [place for place in around if covers(position.ground.board, unit, place)]


def _zone(position: Position, place: HexId, barriers: frozenset[str]) -> list[HexId]:
    board = position.ground.board
    zone = []
    for direction in DIRECTIONS:
        other, features = HexId(board.neighbor(place, direction)), obstacles_on(position, place, direction)
        is_barred = bool(features & barriers) and not features & WAYS_ACROSS
        if other and not is_barred and board.terrain[other] != "water":
            zone.append(other)
    return zone


def is_controlled(position: Position, side: SideId, place: HexId, only: frozenset[UnitId] | None = None) -> bool:
    """Whether a hex is in the zone of control of a side, or of some of its units alone."""
    beside = (unit for unit in index.adjacent(position, side, place) if only is None or unit.id in only)
    return any(has_zone(unit) and place in zone_of(position, unit) for unit in beside)


def zone_flags(position: Position, side: SideId) -> bytes:
    """A byte per hex, IN_ZONE for those in the zone of control of a side."""
    return position.derived.part(
        _FLAGS[side], (position.units, position.sides, position.weather), lambda: _zone_flags(position, side)
    )


_FLAGS = {side: f"zones of {side}" for side in SIDES}


def _zone_flags(position: Position, side: SideId) -> bytes:
    flags = bytearray(position.ground.board.size)
    for unit in position.units:
        if unit.hex and unit.side == side and has_zone(unit):
            for place in zone_of(position, unit):
                flags[place] = IN_ZONE
    return bytes(flags)
