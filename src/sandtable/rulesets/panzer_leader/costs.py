"""What a step from hex to hex costs and where it may not be taken, laid out flat for the search of `geometry.reach`.

Layers depend on the ground, on the bridges that stand and on the type of unit alone, so they are made once. Flags
depend on who stands where; of those only the hexes that have changed are done anew.

Rules: PL-209, PL-214, PL-401, PL-406, PL-603 to PL-616, PL-621, PL-631, PL-633, PL-1003, PL-1605.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from sandtable.geometry.hexes import DIRECTIONS
from sandtable.geometry.reach import ALTERNATE, FORBIDDEN, MAY_NOT_ENTER, MUST_STOP, Reacher
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId
from sandtable.rulesets.panzer_leader.ground import Ground
from sandtable.rulesets.panzer_leader.kinds import FORTS, KINDS, TANK_BRIDGES
from sandtable.rulesets.panzer_leader.model import SIDES, Position, Unit
from sandtable.rulesets.panzer_leader.movement_table import NUMBERS
from sandtable.rulesets.panzer_leader.stacks import STACK_LIMIT, occupancy, units_at
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN, terrain_table
from sandtable.rulesets.panzer_leader.ways import Crossings

QUICK = "quick"
"""The gait of infantry that goes two hexes and may end dispersed (PL-1605)."""


ROAD_COST = terrain_table().road_cost
STREAM, CLIFF = RuleId("PL-631"), RuleId("PL-621")

Bridges = tuple[tuple[HexId, ...], tuple[HexId, ...]]
"""Printed bridges that are down, and tank bridges that lie in streams."""


class Layers(NamedTuple):
    """The costs of all steps for one type of unit: along roads, off roads, and borne by roads without their rate.

    Each holds eight bytes per hex, one for each direction in which the hex is left, in half points.
    """

    road: bytes
    plain: bytes
    carried: bytes
    road_crossings: Crossings
    plain_crossings: Crossings


def reacher(ground: Ground) -> Reacher:
    """The search over this board."""
    found: Reacher | None = ground.cache.get("movement.reacher")
    if found is None:
        found = ground.cache["movement.reacher"] = Reacher(ground.board)
    return found


class Mobility(NamedTuple):
    """All that the cost of a step depends on in a unit type."""

    terrain: str
    is_vehicle: bool
    climbs: bool
    bridges: bool
    is_slow: bool


@cache
def mobility_of(kind: str) -> Mobility:
    """How a unit type moves.

    Rules: PL-303, PL-304, PL-604, PL-621, PL-1333.
    """
    printed = KINDS[kind]
    return Mobility(
        printed.mobility, printed.is_vehicle, printed.is_infantry, printed.has("bridge"), printed.movement == 1
    )


def layers(position: Position, bridges: Bridges, kind: str, gait: str = "") -> Layers:
    """The cost layers of a unit type while these bridges stand."""
    kept = position.ground.cache
    key = ("movement.layers", bridges, mobility_of(kind), gait)
    made: Layers | None = kept.get(key)
    if made is None:
        made = kept[key] = _make_layers(position.ground, bridges, mobility_of(kind), gait)
    return made


def _make_layers(ground: Ground, bridges: Bridges, mobility: Mobility, gait: str) -> Layers:
    board = ground.board
    terrain = _standing_terrain(ground, bridges)
    road, plain, carried = (bytearray([FORBIDDEN]) * (8 * board.size) for _ in range(3))
    road_crossings: Crossings = {}
    plain_crossings: Crossings = {}
    for here in board.hexes:
        for d in DIRECTIONS:
            there = board.neighbor(here, d)
            if not there:
                continue
            at, side = 8 * here + d, board.side_features(here, d)
            has_road = board.has_road(here, d) and "stream" not in (terrain[here], terrain[there])
            plain[at], rolls = _off_road(mobility, terrain[here], terrain[there], side, gait)
            if rolls:
                plain_crossings[at] = rolls
            if has_road:
                # PL-615: at the road rate nothing else about the hex and the side counts
                road[at] = NUMBERS.quick.cost if gait == QUICK else min(ROAD_COST, plain[at])
                carried[at] = _borne(mobility, terrain[there], plain[at])
            else:
                road[at] = carried[at] = plain[at]
                if rolls:
                    road_crossings[at] = rolls
    return Layers(bytes(road), bytes(plain), bytes(carried), road_crossings, plain_crossings)


def _standing_terrain(ground: Ground, bridges: Bridges) -> list[str]:
    """The terrain of every hex as play sees it: a bridge that stands makes its hex clear (PL-633)."""
    down, laid = bridges
    terrain = list(ground.board.terrain)
    for place in ground.board.hexes:
        if terrain[place] == "stream":
            printed = ground.board.has_feature(place, "bridge") and place not in down
            if printed or place in laid:
                terrain[place] = "clear"
    return terrain


def _off_road(
    mobility: Mobility, here: str, there: str, side: frozenset[str], gait: str
) -> tuple[int, tuple[RuleId, ...]]:
    """The cost of a step without any road and the dice it takes; FORBIDDEN where it can't be taken.

    Rules: PL-209, PL-604, PL-606, PL-621, PL-631, PL-632, PL-1333, PL-1401, PL-1605.
    """
    cost: int = getattr(TERRAIN[there], mobility.terrain, -1)
    if there == "stream" and mobility.bridges:
        cost = TERRAIN[there].nonvehicle
    if cost < 0 or (here == "sea" and there != "beach") or ("green" in side and mobility.is_vehicle):
        return FORBIDDEN, ()
    if gait == QUICK:
        barred = there in NUMBERS.quick.only_by_road or "cliff" in side or here == "sea"
        return (FORBIDDEN if barred else NUMBERS.quick.cost), ()
    rolls: tuple[RuleId, ...] = ()
    if "cliff" in side:
        if not mobility.climbs:
            return FORBIDDEN, ()
        rolls = (CLIFF,)
    if there == "stream" and not mobility.is_vehicle:
        rolls += (STREAM,)
    # with a cost no higher than the whole allowance, the first hex is always within it and a dear one is the last
    return (min(cost, NUMBERS.least) if mobility.is_slow else cost), rolls


def _borne(mobility: Mobility, there: str, plain: int) -> int:
    """The cost of a step along a road without its rate: over green sides and through swamps all the same.

    Rules: PL-1003.
    """
    if there == "swamp" and mobility.is_vehicle:
        return NUMBERS.overrun.swamp_cost
    cost: int = getattr(TERRAIN[there], mobility.terrain, -1)
    return cost if cost >= 0 else plain


class Obstacles:
    """What stands in a side's way, as flags by hex, and the bridges that stand, with the layers that they make."""

    __slots__ = ("bridges", "flags", "layers")

    def __init__(self, flags: bytearray, bridges: Bridges, layers: dict[tuple[str, str], Layers]) -> None:
        self.flags, self.bridges, self.layers = flags, bridges, layers


def layers_around(position: Position, around: Obstacles, kind: str, gait: str = "") -> Layers:
    """The cost layers of a unit type among these obstacles."""
    found = around.layers.get((kind, gait))
    if found is None:
        found = around.layers[kind, gait] = layers(position, around.bridges, kind, gait)
    return found


def obstacles(position: Position, side: SideId) -> Obstacles:
    """The flags of every hex for the units of a side, and the bridges that stand."""
    markers = (position.mines, position.blocks, position.wrecks, position.bridges_down)
    return position.derived.part(
        _OBSTACLES[side],
        (position.units, *markers),
        lambda: _all_obstacles(position, side),
        lambda known, sources: _changed_obstacles(position, side, known, sources),
    )


_OBSTACLES = {side: f"obstacles of {side}" for side in SIDES}


def _all_obstacles(position: Position, side: SideId) -> Obstacles:
    flags, who = bytearray(position.ground.board.size), occupancy(position)
    for place in who.by_hex.keys() | position.mines | set(position.blocks) | position.wrecks.keys():
        flags[place] = flag(position, side, place, units_at(position, place))
    return Obstacles(flags, (position.bridges_down, tuple(sorted(who.bridges))), {})


def _changed_obstacles(position: Position, side: SideId, known: Obstacles, sources: Any) -> Obstacles | None:
    """The flags with only those hexes done anew in which a unit or a marker has changed; None when a bridge has."""
    before, mines, blocks, wrecks, down = sources
    if down is not position.bridges_down:
        return None
    places: set[HexId] = set()
    if mines is not position.mines:
        places.update(mines.keys() ^ position.mines.keys())
    if blocks is not position.blocks:
        places.update(set(blocks) ^ set(position.blocks))
    if wrecks is not position.wrecks:
        places.update([place for place, _ in wrecks.items() ^ position.wrecks.items()])
    for old, new in position.derived.changes(before, position.units):
        if not _stands_alike(old, new):
            if old.kind in TANK_BRIDGES or new.kind in TANK_BRIDGES:
                return None
            places.update((old.hex, new.hex))
    places.discard(NOWHERE)
    if not places:
        return known
    flags, by_hex = bytearray(known.flags), occupancy(position).by_hex
    for place in places:
        flags[place] = flag(position, side, place, by_hex.get(place, ()))
    return Obstacles(flags, known.bridges, known.layers)


def _stands_alike(old: Unit, new: Unit) -> bool:
    """Whether a unit that has changed is in the way as it was before."""
    return (
        old.hex == new.hex
        and old.carrier == new.carrier
        and old.fort == new.fort
        and old.side == new.side
        and old.kind == new.kind
    )


def flag(position: Position, side: SideId, place: HexId, stack: Iterable[Unit]) -> int:
    """What holds for entering a hex with this stack in it: barred, without road rate, or to stop in.

    Rules: PL-401, PL-406, PL-605, PL-612, PL-614, PL-1301, PL-1311, PL-1322.
    """
    flags = count = 0
    for unit in stack:
        if unit.carrier != NOBODY or unit.fort != NOBODY:
            continue
        if unit.kind in FORTS:
            count += 1
            flags |= ALTERNATE if unit.side == side else ALTERNATE | MUST_STOP
        elif unit.kind not in TANK_BRIDGES:
            count += 1
            if unit.side != side:
                flags |= MAY_NOT_ENTER
    count += position.wrecks.get(place, 0)
    if place in position.blocks:
        count += 1
        flags |= ALTERNATE | MUST_STOP
    if place in position.mines:
        flags |= ALTERNATE | MUST_STOP
    if count >= STACK_LIMIT:
        flags |= MAY_NOT_ENTER
    return flags | ALTERNATE if count > NUMBERS.road_limit else flags
