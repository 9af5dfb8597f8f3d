"""Landing from the air: where it ends, and what it costs.

Rules: PB-REIN-6, PB-REIN-13.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.features import minefield_at
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.reinforcements.entries import Entry
from sandtable.rulesets.panzer_battles.schedule import GLIDER
from sandtable.rulesets.panzer_battles.terrain import terrain_at

DEADLY = frozenset({"water", "impassible"})
WET = frozenset({"marsh", "swamp"})
BAD_FOR_GLIDERS = frozenset({"rough", "village", "town", "city", "industrial", "orchard", "forest", "jungle"})
WHOLE = 100


class Losses(NamedTuple):
    """Between which percentages of its strength a unit loses by landing."""

    low: int
    high: int


def terrain_losses(by: str, terrain: str, parameters: Parameters) -> int:
    """The most that bad terrain costs who lands in it, in percent; 0 for good terrain.

    Rules: PB-REIN-8, PB-REIN-9.
    """
    airborne = parameters.airborne
    if terrain in WET:
        return airborne.marsh_swamp_max_pct
    return airborne.glider_bad_terrain_max_pct if by == GLIDER and terrain in BAD_FOR_GLIDERS else 0


def losses(by: str, terrain: str, distance: int, mines: int, parameters: Parameters) -> Losses:
    """What landing costs in a hex that no enemy holds, so far from where it was aimed at.

    Rules: PB-REIN-7, PB-REIN-11, PB-REIN-12.
    """
    if terrain in DEADLY:
        return Losses(WHOLE, WHOLE)
    airborne = parameters.airborne
    least = distance * airborne.scatter_pct_per_hex + mines * airborne.mine_pct_per_strength
    return Losses(least, least + (terrain_losses(by, terrain, parameters) or airborne.normal_max_pct))


def losses_in(position: Position, entry: Entry, place: HexId) -> Losses:
    """What landing costs the units of an entry in a hex that no enemy holds, by its terrain and mines and by how far it
    is from where they aimed at.

    Rules: PB-REIN-12.
    """
    field = minefield_at(position, place)
    distance = position.ground.board.distance(place, entry.hex)
    mines = field.strength if field else 0
    return losses(entry.arrival.by, terrain_at(position, place), distance, mines, position.parameters)


def scattered(resolution: Resolution[Position], unit: Unit, entry: Entry) -> HexId:
    """The hex where a unit comes down that was aimed at that of its entry (PB-REIN-6)."""
    if not entry.arrival.scatter:
        return entry.hex
    board = resolution.position.ground.board
    near = [HexId(place) for place in board.hexes if board.distance(place, entry.hex) <= entry.arrival.scatter]
    return near[resolution.roll("PB-REIN-6", unit.id, len(near)) - 1]


class Landing(NamedTuple):
    """Where a unit ends up that came down, and between which percentages it loses."""

    hex: HexId
    losses: Losses


def landing(resolution: Resolution[Position], unit: Unit, entry: Entry) -> Landing:
    """Where a unit comes down and what that costs it; who comes down on an enemy gets away beside him, if he can.

    Rules: PB-REIN-10, PB-REIN-12.
    """
    position, by = resolution.position, entry.arrival.by
    place = scattered(resolution, unit, entry)
    if not _is_held(position, unit.side, place):
        return Landing(place, losses_in(position, entry, place))
    beside = [HexId(one) for one in position.ground.board.neighbors(place)]
    free = [one for one in beside if terrain_at(position, one) not in DEADLY and not _is_held(position, unit.side, one)]
    if not free:
        return Landing(place, Losses(WHOLE, WHOLE))
    refuge = free[resolution.roll("PB-REIN-10", unit.id, len(free)) - 1]
    least = position.parameters.airborne.enemy_hex_pct
    worst = least + terrain_losses(by, terrain_at(position, refuge), position.parameters)
    return Landing(refuge, Losses(least, worst))


def _is_held(position: Position, side: SideId, place: HexId) -> bool:
    return any(other.side != side for other in index.at(position, place))


def lost_by(resolution: Resolution[Position], unit: Unit, bounds: Losses) -> float:
    """The percentage that a unit loses, each between the bounds equally likely; no more than all of it.

    Rules: PB-REIN-13.
    """
    low, high = bounds
    if low == high:
        return float(min(low, WHOLE))
    return min(float(WHOLE), low + (high - low) * resolution.uniform("PB-REIN-13", unit.id))
