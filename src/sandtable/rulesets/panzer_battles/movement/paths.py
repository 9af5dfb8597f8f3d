"""Where a unit can go and by which way, as far as its side knows.

Rules: PB-MOVE-2, PB-MOVE-116, PB-MOVE-118.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.geometry.hexes import DIRECTIONS, opposite
from sandtable.geometry.reach import ALTERNATE, FORBIDDEN, IN_ZONE, MAY_NOT_ENTER, Reach, Reacher
from sandtable.kernel.ids import HexId, UnitId
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.kinds import SHIPS
from sandtable.rulesets.panzer_battles.model import RAIL, Position, Unit, enemy_of, with_units
from sandtable.rulesets.panzer_battles.movement import entry
from sandtable.rulesets.panzer_battles.movement.carrying import passengers
from sandtable.rulesets.panzer_battles.movement.costs import (
    LEAST,
    WHOLE_ALLOWANCE,
    Layers,
    allowance,
    layers,
    mobility,
    storm_factor,
)
from sandtable.rulesets.panzer_battles.movement.minefields import clears_mines
from sandtable.rulesets.panzer_battles.movement.stacking import crowding, has_road_room, has_room, stacked
from sandtable.rulesets.panzer_battles.movement.zones import is_controlled, zone_flags
from sandtable.rulesets.panzer_battles.operations import PONTOON_HOLDING, direction_of, holds_bridge, is_at


class Step(NamedTuple):
    """What a step costs a unit: by the ground alone, by zones of control as well, and by what lies in the hex; 0 where
    there is no way.
    """

    plain: int
    normal: int
    cost: int


NO_WAY = Step(0, 0, 0)

FAR = 2000
"""More points than any unit has: with so many the way to a goal is found, of which it goes as much as it can."""

DETOUR_ALLOWED = 4
"""So many hexes more than the limit a way may always have (PB-MOVE-116)."""


def zone_factor(position: Position) -> Fraction:
    """By how much a step from zone to zone is multiplied.

    Rules: PB-ZOC-3.
    """
    return position.parameters.movement.zoc_to_zoc_multiplier


def step(
    position: Position,
    unit: Unit,
    place: HexId,
    to: HexId,
    only: frozenset[UnitId] | None = None,
    company: Sequence[Unit] = (),
) -> Step:
    """What entering an adjacent hex costs a unit by the zones of control of its enemies, or of some of them alone; the
    road has to take all of its company that comes with it.

    Rules: PB-MOVE-5, PB-MOVE-6, PB-MOVE-75, PB-MOVE-82, PB-STK-4, PB-ZOC-3.
    """
    direction = position.ground.board.direction(place, to)
    if direction < 0:
        return NO_WAY
    found = layers(position, mobility(unit), calm=True)
    layer = found.with_roads if has_road_room(position, to, unit, company) else found.without
    plain = layer[8 * place + direction]
    if plain == FORBIDDEN or (unit.mode == RAIL and is_rail_barred(position, unit, to, only)):
        return NO_WAY
    if plain == WHOLE_ALLOWANCE:
        whole = allowance(position, unit)
        return Step(whole, whole, whole)
    enemy = enemy_of(unit.side)
    in_zones = is_controlled(position, enemy, place, only) and is_controlled(position, enemy, to, only)
    product = plain * storm_factor(position)
    plain, zones = max(LEAST, ceil(product)), zone_factor(position)
    # rounded up once, after everything that multiplies it
    normal = max(LEAST, ceil(product * zones)) if in_zones else plain
    return Step(plain, normal, max(normal, entry.least(position, unit, to)))


def is_cut(before: Position, now: Position, id: UnitId, to: HexId) -> bool:
    """Whether a step that a unit could take before can't be taken now: the bridge that it led over is down.

    Rules: PB-ENG-60, PB-ENG-63.
    """
    if now.sides is before.sides and now.features is before.features:
        return False
    unit = now.units[id]
    edge = 8 * unit.hex + now.ground.board.direction(unit.hex, to)
    return layers(now, mobility(unit)).with_roads[edge] == FORBIDDEN


def is_rail_barred(position: Position, unit: Unit, place: HexId, only: frozenset[UnitId] | None = None) -> bool:
    """Whether trains can't run into a hex: the line is damaged, or an enemy controls it and no friend is there.

    Rules: PB-MOVE-41.
    """
    if features.find(position, place, features.RAIL_DAMAGE):
        return True
    friends = any(other.side == unit.side for other in index.at(position, place))
    return not friends and is_controlled(position, enemy_of(unit.side), place, only)


def is_within(position: Position, unit: Unit, spent: int, cost: int) -> bool:
    """Whether a unit can pay for a step after what it has spent on the way; a fresh one may always enter one hex.

    Rules: PB-MOVE-1, PB-MOVE-8.
    """
    if spent + cost <= unit.mp:
        return True
    is_fresh = not spent and unit.mp == allowance(position, unit)
    return is_fresh and position.parameters.movement.min_one_hex


def _reacher(position: Position) -> Reacher:
    board = position.ground.board
    return position.ground.once("reacher", lambda: Reacher(board))


def _flags(position: Position, unit: Unit) -> bytes:
    """What the layers do not know: zones, enemies in the way, full hexes and full roads."""
    enemy = enemy_of(unit.side)
    flags = bytearray(zone_flags(position, enemy))
    full = dict(_full(position, unit))
    for place, ids in index.occupancy(position).items():
        flags[place] |= MAY_NOT_ENTER if position.units[ids[0]].side == enemy else full.get(place, 0)
    if unit.mode == RAIL:
        for place in map(HexId, position.ground.board.hexes):
            if position.ground.board.roads[place] and is_rail_barred(position, unit, place):
                flags[place] |= MAY_NOT_ENTER
    return bytes(flags)


def _full(position: Position, unit: Unit) -> Iterator[tuple[HexId, int]]:
    """The hexes that are full for a unit, or whose roads are, with what that means for its way.

    Rules: PB-STK-2, PB-STK-4.
    """
    own = {one.hex for one in (position.units[unit.id], unit)}
    crowds = crowding(position)
    if unit.mode == RAIL or unit.of.component == SHIPS:
        own = set(crowds)
    coming, limits = stacked(position, (unit, *passengers(position, unit))), position.parameters.stacking
    for place, count in crowds.items():
        if place in own:
            # whoever is there already does not come on top of himself, and trains and ships are counted otherwise
            is_full, is_busy = not has_room(position, place, (unit,)), not has_road_room(position, place, unit)
        else:
            is_full, is_busy = count + coming > limits.max, count + coming > limits.road
        if is_full or is_busy:
            yield place, MAY_NOT_ENTER if is_full else ALTERNATE


def _laid_over(position: Position, unit: Unit, flags: bytes) -> tuple[Layers, bytes]:
    """Layers and flags for a search that knows what lies in hexes. What that costs is not multiplied from zone to zone
    as the ground is: so around such hexes the zones are worked into the layers and taken out of the flags; and around
    all hexes in a zone where storm or zones are no whole multiples, which is rounded up step by step.

    Rules: PB-MOVE-6, PB-MOVE-82, PB-ZOC-3.
    """
    way, times, storm = mobility(unit), zone_factor(position), Fraction(storm_factor(position))
    costs, floors = layers(position, way), entry.floors(position, unit)
    board, marks = position.ground.board, bytearray(flags)
    is_whole = times.denominator == storm.denominator == 1
    zones = [] if is_whole else [HexId(h) for h in board.hexes if flags[h] & IN_ZONE]
    if not floors and not zones:
        return costs, flags
    edges: dict[int, tuple[Fraction, HexId]] = {}
    for place in {*floors, *zones}:
        for direction in DIRECTIONS:
            beside = HexId(board.neighbor(place, direction))
            if beside:
                factor = storm * times if flags[place] & flags[beside] & IN_ZONE else storm
                edges[8 * place + direction] = (factor, beside)
                edges[8 * beside + opposite(direction)] = (factor, place)
        marks[place] &= ~IN_ZONE
    laid = []
    for layer, calm in zip(costs, layers(position, way, calm=True), strict=True):
        now = bytearray(layer)
        for edge, (factor, to) in edges.items():
            if layer[edge] != FORBIDDEN:
                now[edge] = min(FORBIDDEN - 1, max(LEAST, ceil(calm[edge] * factor), floors.get(to, 0)))
        laid.append(bytes(now))
    return Layers(*laid), bytes(marks)


def _search(position: Position, unit: Unit, *, around_mines: bool) -> Reach:
    flags = _flags(position, unit)
    if around_mines:
        marks = bytearray(flags)
        for place in position.features:
            if features.minefield_at(position, place):
                marks[place] |= MAY_NOT_ENTER
        flags = bytes(marks)
    costs, flags = _laid_over(position, unit, flags)
    return _reacher(position).reach(
        unit.hex,
        unit.mp,
        costs.with_roads,
        flags,
        costs.without,
        zone_to_zone=ceil(zone_factor(position)),
    )


def reach(position: Position, unit: Unit, *, around_mines: bool = False) -> Reach:
    """Every hex that a unit can come to with the points it has, and a cheapest way there; through known mines too,
    unless it is to go around them.

    Rules: PB-MOVE-5, PB-MOVE-117, PB-MOVE-118, PB-STK-2, PB-STK-4, PB-ZOC-3, PB-ZOC-13.
    """
    sources = (position.units, position.sides, position.features)
    answers: dict[object, Reach] = position.derived.part("reach", sources, dict)
    asked = unit.id, unit.hex, around_mines
    found = answers.get(asked)
    if found is None:
        found = answers[asked] = _search(position, unit, around_mines=around_mines)
    return found


class Ways(NamedTuple):
    """The ways of a unit: those with the points it has, and around known mines for who does not clear them."""

    open: Reach
    around: Reach

    def to(self, goal: HexId) -> tuple[HexId, ...]:
        """The hexes on a cheapest way to a goal, around mines where there is such a way; the goal alone when it is out
        of reach.

        Rules: PB-MOVE-117.
        """
        return tuple(HexId(h) for h in self._best(goal).path_to(goal)) if goal in self.open else (goal,)

    def priced(self, goal: HexId) -> list[tuple[HexId, int]]:
        """The same way with the points spent at each hex; nothing when the goal is out of reach."""
        found = self._best(goal)
        return [(HexId(h), found.cost(h)) for h in found.path_to(goal)] if goal in self.open else []

    def _best(self, goal: HexId) -> Reach:
        return self.around if goal in self.around else self.open


def ways(position: Position, unit: Unit) -> Ways:
    """The ways of a unit from where it is."""
    found = reach(position, unit)
    if not clears_mines(unit) and any(features.minefield_at(position, place) for place in position.features):
        return Ways(found, reach(position, unit, around_mines=True))
    return Ways(found, found)


def way(position: Position, unit: Unit, goal: HexId) -> tuple[HexId, ...]:
    """The hexes on a cheapest way of a unit to a goal, or over the bridge that it holds; the goal alone when it is out
    of reach.

    Rules: PB-MOVE-117, PB-ENG-41.
    """
    if holds_bridge(unit):
        return over_bridge(position, unit).get(goal, (goal,))
    return ways(position, unit).to(goal)


def over_bridge(position: Position, unit: Unit) -> dict[HexId, tuple[HexId, ...]]:
    """The ways of a unit over the bridge that it holds, by where they end: a pontoon has a hex of its own, in which it
    may stop and turn back.

    Rules: PB-ENG-41, PB-ENG-43, PB-ENG-50.
    """
    board, direction = position.ground.board, direction_of(unit)
    ahead = HexId(board.neighbor(unit.hex, direction))
    if features.find(position, unit.hex, features.PONTOON):
        back = HexId(board.neighbor(unit.hex, opposite(direction)))
        return {ahead: (ahead,), back: (back,)}
    if is_at(unit, PONTOON_HOLDING):
        far = HexId(board.neighbor(ahead, direction))
        return {ahead: (ahead,), far: (ahead, far)}
    return {ahead: (ahead,)}


def _can_walk(position: Position, unit: Unit, path: Sequence[HexId]) -> bool:
    """Whether a unit can go a way as far as its side knows."""
    spent, here = 0, unit.hex
    for to in path:
        cost = step(position, unit, here, to).cost
        is_free = all(other.side == unit.side for other in index.at(position, to))
        if not cost or not is_free or not has_room(position, to, (unit,)) or not is_within(position, unit, spent, cost):
            return False
        spent, here = spent + cost, to
    return True


def step_costs(position: Position, unit: Unit, path: Sequence[HexId]) -> list[int]:
    """What each step of a way costs a unit of the position; ways to many goals share their first steps."""
    sources = (position.units, position.sides, position.features, position.weather)
    known: dict[tuple[UnitId, HexId, HexId], int] = position.derived.part("steps", sources, dict)
    costs, here = [], unit.hex
    for to in path:
        key = unit.id, here, to
        if key not in known:
            known[key] = step(position, unit, here, to).cost
        costs.append(known[key])
        here = to
    return costs


def is_detour(position: Position, start: HexId, path: Sequence[HexId]) -> bool:
    """Whether a way is so much longer than the straight line that it is no direct path.

    Rules: PB-MOVE-116.
    """
    straight = position.ground.board.distance(start, path[-1])
    return len(path) > position.parameters.movement.detour_limit * straight + DETOUR_ALLOWED


def far_way(position: Position, unit: Unit, goal: HexId) -> tuple[HexId, ...]:
    """The hexes on a cheapest way to a goal however many points it takes; none where there is no way at all.

    Rules: PB-MOVE-2, PB-MOVE-116.
    """
    eager = replace(unit, mp=FAR)
    found = way(with_units(position, (eager,)), eager, goal)
    return found if position.ground.board.direction(unit.hex, found[0]) >= 0 else ()


def goals(position: Position, unit: Unit) -> list[HexId]:
    """Every hex that a unit can be ordered to: those in reach, and for a fresh one those beside it; for who holds a
    bridge that alone.

    Rules: PB-MOVE-8, PB-MOVE-118, PB-ENG-41.
    """
    if holds_bridge(unit):
        return [goal for goal, path in over_bridge(position, unit).items() if _can_walk(position, unit, path)]
    found = reach(position, unit)
    places = [HexId(h) for h in found if h != unit.hex]
    if unit.mp == allowance(position, unit):
        beside = (HexId(h) for h in position.ground.board.neighbors(unit.hex))
        others = (place for place in beside if place not in found and may_enter(position, unit, place))
        places += [
            place for place in others if is_within(position, unit, 0, step(position, unit, unit.hex, place).cost)
        ]
    return places


def may_enter(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether nothing but its points keeps a unit out of the hex beside it."""
    if step(position, unit, unit.hex, place) is NO_WAY or not has_room(position, place, (unit,)):
        return False
    return not any(other.side != unit.side for other in index.at(position, place))
