"""Minefields: who is spared, what they do to whoever enters, and the lanes through them.

Rules: PB-MOVE-80, PB-MOVE-81, PB-MOVE-83, PB-ENG-26.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.engineers.events import MinesTouched
from sandtable.rulesets.panzer_battles.fire.situations import as_struck, as_target
from sandtable.rulesets.panzer_battles.fire.values import base_defense
from sandtable.rulesets.panzer_battles.model import Position, Unit, men
from sandtable.rulesets.panzer_battles.movement.carrying import is_passenger
from sandtable.rulesets.panzer_battles.operations import CLEARING, is_at
from sandtable.rulesets.panzer_battles.results.losses import Interval, fire_interval, nominal_loss
from sandtable.rulesets.panzer_battles.results.struck import Struck
from sandtable.rulesets.panzer_battles.results.suffering import is_unseen, suffer
from sandtable.rulesets.panzer_battles.tallying import Tallying

SHALLOW_WATER = "shallow_water"
CLEARERS = ("mine_clear", "demolition")


def clears_mines(unit: Unit) -> bool:
    """Whether a unit knows its way among mines: engineers that do not merely lay bridges, and those with charges.

    Rules: PB-MOVE-83, PB-MOVE-86, PB-ENG-2, PB-ENG-3, PB-ENG-5.
    """
    return any(unit.has(flag) for flag in CLEARERS) or (unit.has("engineer") and not unit.has("bridgelayer"))


def has_lane(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a side has lanes through the mines of a hex: somebody has been clearing there since a turn began.

    Rules: PB-ENG-26.
    """
    return any(unit.side == side and is_at(unit, CLEARING) and unit.progress for unit in index.at(position, place))


def is_spared(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether the mines of a hex do nothing to a unit; who rides goes through lanes as his carrier does.

    Rules: PB-MOVE-83, PB-ENG-26.
    """
    goes = position.units[unit.carrier] if is_passenger(unit) else unit
    return clears_mines(unit) or (goes.is_traveling and has_lane(position, place, unit.side))


def as_far_as_mines(position: Position, units: Sequence[Unit], path: tuple[HexId, ...]) -> tuple[HexId, ...]:
    """The hexes of a way up to the first whose known mines go off under one of the units, which ends their move.

    Rules: PB-MOVE-11, PB-MOVE-81.
    """
    for number, place in enumerate(path, 1):
        if features.minefield_at(position, place) and not all(is_spared(position, unit, place) for unit in units):
            return path[:number]
    return path


class Blast(NamedTuple):
    """What the mines of a hex may do to a unit: the combat value and how it came about, and the casualty values."""

    tally: Tally
    interval: Interval
    struck: Struck


def blast(position: Position, unit: Unit, place: HexId, *, rides: bool = False) -> Blast | None:
    """The attack of a minefield on a unit that enters, or on the men on the outside of one; None without mines.

    Rules: PB-MOVE-51, PB-MOVE-80, PB-MOVE-81.
    """
    mines = features.minefield_at(position, place)
    if mines is None:
        return None
    parameters, misc = position.parameters, position.parameters.misc
    crowd = men(unit, parameters)
    target = as_target(position, unit)
    guard = misc.exterior_defense if rides else base_defense(target, parameters)
    value = Tallying("Mines", float(misc.mine_attack * mines.strength), f"strength {mines.strength}", "PB-MOVE-80")
    value.times(f"{crowd} men", crowd / 100, "PB-MOVE-81")
    value.over("defense", guard, "PB-MOVE-81")
    if rides:
        value.times("on the outside of vehicles", misc.mine_external_rider_multiplier, "PB-MOVE-51")
    if position.ground.board.terrain[place] == SHALLOW_WATER:
        value.times("shallow water", misc.mine_shallow_water_multiplier, "PB-MOVE-81")
    return Blast(value.tally(), fire_interval(value.value, parameters), as_struck(unit))


def explode(resolution: Resolution[Position], id: UnitId, *, rides: bool = False) -> bool:
    """The mines of the hex that a unit has entered have gone off under it; whether there were any for it.

    Rules: PB-MOVE-81, PB-MOVE-85.
    """
    position = resolution.position
    unit = position.units[id]
    found = blast(position, unit, unit.hex, rides=rides) if unit.hex else None
    if found is None or is_spared(position, unit, unit.hex):
        return False
    resolution.emit(MinesTouched(id, unit.hex, found.tally.lines))
    loss = nominal_loss(resolution, found.interval, id)
    suffer(resolution, unit, found.struck, loss, unseen=is_unseen(position, unit))
    return True
