"""Where a unit can go and by which way, as far as its side knows.

Rules: PB-MOVE-2, PB-MOVE-116, PB-MOVE-118.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from sandtable.geometry.reach import ALTERNATE, FORBIDDEN, MAY_NOT_ENTER, Reach, Reacher
from sandtable.kernel.ids import HexId, UnitId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.costs import allowance, layers, mobility
from sandtable.rulesets.panzer_battles.movement.stacking import has_road_room, has_room
from sandtable.rulesets.panzer_battles.movement.zones import is_controlled, zone_flags


class Step(NamedTuple):
    """What a step costs a unit: before and after what a zone of control makes of it; 0 where there is no way."""

    plain: int
    cost: int


NO_WAY = Step(0, 0)


def zone_factor(position: Position) -> int:
    """By how much a step from zone to zone is multiplied, in whole numbers.

    Rules: PB-ZOC-3.
    """
    return ceil(position.parameters.movement.zoc_to_zoc_multiplier)


def step(position: Position, unit: Unit, place: HexId, to: HexId, only: frozenset[UnitId] | None = None) -> Step:
    """What entering an adjacent hex costs a unit by the zones of control of its enemies, or of some of them alone.

    Rules: PB-MOVE-5, PB-MOVE-6, PB-STK-4, PB-ZOC-3.
    """
    direction = position.ground.board.direction(place, to)
    if direction < 0:
        return NO_WAY
    found = layers(position.ground, mobility(unit))
    layer = found.with_roads if has_road_room(position, to, unit) else found.without
    plain = layer[8 * place + direction]
    if plain == FORBIDDEN:
        return NO_WAY
    enemy = enemy_of(unit.side)
    in_zones = is_controlled(position, enemy, place, only) and is_controlled(position, enemy, to, only)
    return Step(plain, plain * zone_factor(position) if in_zones else plain)


def is_within(position: Position, unit: Unit, spent: int, cost: int) -> bool:
    """Whether a unit can pay for a step after what it has spent on the way; a fresh one may always enter one hex.

    Rules: PB-MOVE-1, PB-MOVE-8.
    """
    if spent + cost <= unit.mp:
        return True
    is_fresh = not spent and unit.mp == allowance(unit, position.parameters)
    return is_fresh and position.parameters.movement.min_one_hex


def _reacher(position: Position) -> Reacher:
    board = position.ground.board
    return position.ground.once("reacher", lambda: Reacher(board))


def _flags(position: Position, unit: Unit) -> bytes:
    """What the layers do not know: zones, enemies in the way, full hexes and full roads."""
    enemy = enemy_of(unit.side)
    flags = bytearray(zone_flags(position, enemy))
    for place, ids in index.occupancy(position).items():
        if position.units[ids[0]].side == enemy or not has_room(position, place, (unit,)):
            flags[place] |= MAY_NOT_ENTER
        elif not has_road_room(position, place, unit):
            flags[place] |= ALTERNATE
    return bytes(flags)


def reach(position: Position, unit: Unit) -> Reach:
    """Every hex that a unit can come to with the points it has, and a cheapest way there.

    Rules: PB-MOVE-5, PB-MOVE-118, PB-STK-2, PB-STK-4, PB-ZOC-3, PB-ZOC-13.
    """
    answers = position.derived.answers("reach", position.units)
    asked = unit.id, unit.hex
    found: Reach | None = answers.get(asked)
    if found is None:
        costs = layers(position.ground, mobility(unit))
        found = answers[asked] = _reacher(position).reach(
            unit.hex,
            unit.mp,
            costs.with_roads,
            _flags(position, unit),
            costs.without,
            zone_to_zone=zone_factor(position),
        )
    return found


def way(position: Position, unit: Unit, goal: HexId) -> tuple[HexId, ...]:
    """The hexes on a cheapest way to a goal, or the goal alone when it is out of reach."""
    found = reach(position, unit)
    return tuple(HexId(h) for h in found.path_to(goal)) if goal in found else (goal,)


def goals(position: Position, unit: Unit) -> list[HexId]:
    """Every hex that a unit can be ordered to: those in reach, and for a fresh one those beside it.

    Rules: PB-MOVE-8, PB-MOVE-118.
    """
    found = reach(position, unit)
    places = [HexId(h) for h in found if h != unit.hex]
    if is_within(position, unit, 0, unit.mp + 1):
        beside = (HexId(h) for h in position.ground.board.neighbors(unit.hex))
        places += [place for place in beside if place not in found and may_enter(position, unit, place)]
    return places


def may_enter(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether nothing but its points keeps a unit out of the hex beside it."""
    if step(position, unit, unit.hex, place) is NO_WAY or not has_room(position, place, (unit,)):
        return False
    return not any(other.side != unit.side for other in index.at(position, place))
