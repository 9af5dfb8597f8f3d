"""Where the units of a side want to go, and how far it is: to what is worth taking, over the water that bars the way
there, and off the map where that pays.

Rules: PB-AI-3, PB-AI-5.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from sandtable.geometry.hexes import DIRECTIONS
from sandtable.geometry.reach import Reacher
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.engineers.ferries import BOAT_WATERS
from sandtable.rulesets.panzer_battles.engineers.states import is_engineer
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.movement.costs import Mobility, allowance, layers, mobility
from sandtable.rulesets.panzer_battles.victory import exits, objective_points

STRIDE = 9
"""So many points make a hex of open ground."""

NO_WAY = 1_000_000
"""Farther than anything that can be walked to."""

SHUNNED, SHUNNING = 5, 4 * STRIDE
"""A landing nearer than so many hexes to a known enemy is shunned, by so many points for each hex."""

IN_TIME = 1
"""So many turns before it would be too late a unit sets out for an exit."""


class Crossing(NamedTuple):
    """Where a side goes over the water: the hex on its own bank, and that on the other."""

    near: HexId
    far: HexId


class Fields:
    """What is known of the ways of a side as long as it wants the same and the waters stay as they are."""

    __slots__ = ("banks", "crossings", "exits", "prizes")

    def __init__(self) -> None:
        self.prizes: dict[Mobility, array[int]] = {}
        self.exits: dict[Mobility, array[int]] = {}
        self.banks: dict[tuple[Mobility, HexId], array[int]] = {}
        self.crossings: dict[int, Crossing | None] = {}


def _fields(position: Position, side: SideId) -> Fields:
    return position.derived.part(("ways", side), (position.owners, position.sides), Fields)


def _flood(position: Position, way: Mobility, sources: Sequence[HexId]) -> array[int]:
    board = position.ground.board
    reacher: Reacher = position.ground.once("reacher", lambda: Reacher(board))
    return reacher.flood(tuple(sources), layers(position, way).with_roads, bytes(board.size))


# --- what is worth taking -----------------------------------------------------------------------------------------


def wanted(position: Position, side: SideId) -> list[HexId]:
    """The objectives that a side does not own and that are worth something."""
    points = objective_points(position.ground)
    return position.derived.part(
        ("wanted", side),
        (position.owners,),
        lambda: [place for place, owner in position.owners.items() if owner != side and points[place]],
    )


def away(position: Position, side: SideId, way: Mobility, place: HexId) -> int:
    """How far a hex is from the nearest objective that a side wants, in movement points by the way that it moves; where
    no way leads there, how far it is from where the side goes over the water; 0 when nothing is wanted.
    """
    prizes = wanted(position, side)
    if not prizes:
        return 0
    cost = _to_prizes(position, side, way, prizes)[place]
    return cost if cost >= 0 else NO_WAY + _to_water(position, side, way, place, prizes)


def _to_prizes(position: Position, side: SideId, way: Mobility, prizes: list[HexId]) -> array[int]:
    kept = _fields(position, side).prizes
    if way not in kept:
        kept[way] = _flood(position, way, prizes)
    return kept[way]


def _to_water(position: Position, side: SideId, way: Mobility, place: HexId, prizes: list[HexId]) -> int:
    """How far a hex is from the crossing of a side, or in a straight line from what it wants."""
    site, board = crossing(position, side), position.ground.board
    if site is not None:
        kept = _fields(position, side).banks
        if (way, site.near) not in kept:
            kept[way, site.near] = _flood(position, way, (site.near,))
        cost = kept[way, site.near][place]
        if cost >= 0:
            return cost
    return STRIDE * min(board.distance(place, prize) for prize in prizes)


# --- over the water -----------------------------------------------------------------------------------------------


def crossing(position: Position, side: SideId) -> Crossing | None:
    """Where the engineers of a side take it over the water, chosen anew each turn: near to them and to what it wants,
    and far from known enemies; None where no water bars the way, or nobody could take it over.

    Rules: PB-ENG-33, PB-ENG-53.
    """
    kept = _fields(position, side).crossings
    if position.turn not in kept:
        kept[position.turn] = _crossing(position, side)
    return kept[position.turn]


def _crossing(position: Position, side: SideId) -> Crossing | None:
    prizes = wanted(position, side)
    crews = [unit for unit in on_map(position, side) if is_engineer(unit) and not unit.broken]
    if not crews or not prizes:
        return None
    way = mobility(crews[0], DEPLOYED)
    beyond = _to_prizes(position, side, way, prizes)
    if all(beyond[unit.hex] >= 0 for unit in crews):
        return None
    before = _flood(position, way, [unit.hex for unit in crews if beyond[unit.hex] < 0])
    banks = [bank for bank in _banks(position.ground) if before[bank.near] >= 0 and beyond[bank.far] >= 0]

    def length(bank: Crossing) -> int:
        return before[bank.near] + beyond[bank.far] + _peril(position, side, bank)

    return min(banks, key=lambda bank: (length(bank), bank), default=None)


def _banks(ground: Ground) -> list[Crossing]:
    """Every hexside with water on which boats go, from both sides."""
    board = ground.board

    def make() -> list[Crossing]:
        return [
            Crossing(HexId(place), HexId(board.neighbor(place, direction)))
            for place in board.hexes
            for direction in DIRECTIONS
            if board.neighbor(place, direction) and board.side_features(place, direction) & BOAT_WATERS
        ]

    return ground.once("banks", make)


def _peril(position: Position, side: SideId, bank: Crossing) -> int:
    """How much the enemies that are known near a landing speak against it, in points."""
    near = index.near(position, enemy_of(side), bank.far, SHUNNED - 1)
    return sum(SHUNNING * (SHUNNED - position.ground.board.distance(bank.far, foe.hex)) for foe in near)


# --- off the map --------------------------------------------------------------------------------------------------


def own_exits(position: Position, side: SideId) -> list[HexId]:
    """The Exit Objectives by which a side leaves the map.

    Rules: PB-VIC-7.
    """
    return sorted(place for place in exits(position.ground) if position.owners.get(place) == side)


def to_exit(position: Position, unit: Unit, place: HexId) -> int:
    """How far a hex is from the nearest exit of a unit's side by the way that it moves; -1 where there is no way."""
    places = own_exits(position, unit.side)
    if not places:
        return -1
    kept, way = _fields(position, unit.side).exits, mobility(unit)
    if way not in kept:
        kept[way] = _flood(position, way, places)
    return kept[way][place]


def is_leaving(position: Position, unit: Unit) -> bool:
    """Whether it is time for a unit to set out for an exit: it comes there before the battle ends, and not much before.

    Rules: PB-AI-3, PB-VIC-8.
    """
    far = to_exit(position, unit, unit.hex)
    if far < 0 or unit.of.has("hq"):
        return False
    turns = max(1, -(-far // max(1, allowance(position, unit))))
    left = position.ground.scenario.turns - position.turn + 1
    return 0 <= left - turns <= IN_TIME


def ahead(position: Position, unit: Unit, place: HexId) -> int:
    """How far a hex is from where a unit wants to go, in movement points."""
    if is_leaving(position, unit):
        far = to_exit(position, unit, place)
        return far if far >= 0 else NO_WAY
    return away(position, unit.side, mobility(unit), place)


# --- enemies ------------------------------------------------------------------------------------------------------


def nearest_enemy(position: Position, side: SideId, place: HexId, within: int) -> int:
    """How far the nearest known enemy of a side is from a hex, if he is not farther than that; else one hex more."""
    board = position.ground.board
    near = index.near(position, enemy_of(side), place, within)
    return min((board.distance(place, foe.hex) for foe in near), default=within + 1)
