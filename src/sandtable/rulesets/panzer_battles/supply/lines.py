"""Lines of communication: which hexes a side can reach from its sources past the enemy.

Rules: PB-SUP-10.
"""

from __future__ import annotations

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import DIRECTIONS, opposite
from sandtable.geometry.reach import FORBIDDEN, MAY_NOT_ENTER, Reacher
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.engineers.states import is_boat_crew
from sandtable.rulesets.panzer_battles.model import SIDES, Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.costs import (
    FERRY,
    FOOT,
    LEAST,
    USED_FERRY,
    Mobility,
    is_open_water,
    layers,
)
from sandtable.rulesets.panzer_battles.movement.minefields import has_lane
from sandtable.rulesets.panzer_battles.movement.zones import zone_flags
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import column
from sandtable.rulesets.panzer_battles.supply.sources import usable
from sandtable.rulesets.panzer_battles.terrain import features_on

ON_FOOT = Mobility(column(FOOT), travels=True, weight="light")
"""How supply moves: as men do, by bridges and fords, and by road through any terrain.

Rules: PB-SUP-12, PB-SUP-13, PB-SUP-14.
"""

FERRIED = frozenset({"river", "canal"})
"""The hexsides over which engineers ferry supplies (PB-SUP-15)."""

BOATS = frozenset({FERRY, USED_FERRY})
"""A ferry, which supplies use whether or not it has gone over this turn (PB-SUP-12)."""

NONE = -1
"""The value of a hex to which there is no line."""

Field = list[int]


def barred(position: Position, side: SideId) -> bytes:
    """A flag per hex, set where the enemy or a minefield bars the lines of a side; its own units keep their hex open.

    Rules: PB-MOVE-84, PB-SUP-10, PB-SUP-11, PB-SUP-13, PB-SUP-16.
    """
    zones = zone_flags(position, enemy_of(side))
    flags = bytearray(MAY_NOT_ENTER if here else 0 for here in zones)
    for unit in position.units:
        if unit.hex:
            flags[unit.hex] = 0 if unit.side == side else MAY_NOT_ENTER
    if position.parameters.misc.minefield_blocks_supply:
        for place in position.features:
            if features.minefield_at(position, place) and not has_lane(position, place, side):
                flags[place] = MAY_NOT_ENTER
    return bytes(flags)


def field(position: Position, side: SideId) -> Field:
    """The best supply value that can be traced to each hex, NONE where there is no line.

    Rules: PB-SUP-4, PB-SUP-7, PB-SUP-8, PB-SUP-10.
    """
    keys = (position.units, position.sides, position.features, position.supply, position.weather)
    return position.derived.part(_KEYS[side], keys, lambda: _field(position, side))


_KEYS = {side: f"supply of {side}" for side in SIDES}


def _field(position: Position, side: SideId) -> Field:
    board, flags = position.ground.board, barred(position, side)
    reacher = position.ground.once("supply reacher", lambda: Reacher(board))
    costs = _ways(position)
    open_sources = {place: value for place, value in usable(position, side).items() if not flags[place]}
    values = [NONE] * board.size
    for value in sorted(set(open_sources.values()), reverse=True):
        starts = [place for place, here in open_sources.items() if here == value and values[place] == NONE]
        if not starts:
            continue
        for place, cost in enumerate(reacher.flood(starts, costs, flags)):
            if cost >= 0 and values[place] == NONE:
                values[place] = value
    return values


def _ways(position: Position) -> bytes:
    """The costs of all steps for supplies: those of men who travel, and over a ferry as if there were a bridge.

    Rules: PB-SUP-12.
    """
    costs = layers(position, ON_FOOT).with_roads
    return position.derived.part("supply ways", (costs, position.sides), lambda: _with_ferries(position, costs))


def _with_ferries(position: Position, costs: bytes) -> bytes:
    board, terrain = position.ground.board, position.parameters.movement.terrain
    drawn: frozenset[tuple[int, int]] = position.ground.once("ferries", lambda: _ferries(board))
    sides = [side for side in drawn if features_on(position, HexId(side[0]), side[1]) & BOATS]
    now = bytearray(costs)
    for place, direction in sides:
        ends = (place, board.neighbor(place, direction))
        if all(terrain[board.terrain[end]][ON_FOOT.column] != PROHIBITED for end in ends):
            now[8 * place + direction] = LEAST
    return bytes(now) if sides else costs


def _ferries(board: Board) -> frozenset[tuple[int, int]]:
    """The hexsides of a board with a ferry, seen from both sides; none are made in play."""
    sides = ((place, direction) for place in board.hexes for direction in DIRECTIONS)
    return frozenset(side for side in sides if board.neighbor(*side) and board.side_features(*side) & BOATS)


def traced(position: Position, unit: Unit) -> int:
    """The best supply value that a unit can trace a line to, NONE when it can to none. Its own hex is always free, even
    the water that it was ferried to, and engineers beyond a river bring the line to its bank.

    Rules: PB-ENG-56, PB-SUP-11, PB-SUP-13, PB-SUP-15.
    """
    values, board = field(position, unit.side), position.ground.board
    found, costs = values[unit.hex], _ways(position)
    # nothing goes on over open water, but who was ferried there is as near to its banks as they are to him
    afloat = is_open_water(board, unit.hex)
    if found == NONE:
        # mines around it bar its own source to others alone
        found = usable(position, unit.side).get(unit.hex, NONE)
    for direction in DIRECTIONS:
        beside = HexId(board.neighbor(unit.hex, direction))
        if not beside or values[beside] <= found:
            continue
        way = 8 * unit.hex + direction if afloat else 8 * beside + opposite(direction)
        if costs[way] != FORBIDDEN or _is_ferried(position, unit, beside, direction):
            found = values[beside]
    return found


def _is_ferried(position: Position, unit: Unit, beside: HexId, direction: int) -> bool:
    """Whether engineers in a hex beside a unit ferry its supplies over the river between them.

    Rules: PB-SUP-15.
    """
    if not features_on(position, unit.hex, direction) & FERRIED:
        return False
    return any(is_boat_crew(one) for one in index.at(position, beside) if one.side == unit.side)
