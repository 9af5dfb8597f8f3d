"""How much fits into a hex, in men-equivalents.

Rules: PB-STK-1, PB-STK-7.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.model import Position, Unit, men


def men_in(position: Position, place: HexId, without: Iterable[Unit] = ()) -> int:
    """The men-equivalents of all known units in a hex but some.

    Rules: PB-STK-1, PB-FIRE-41.
    """
    left_out = {unit.id for unit in without}
    return sum(men(unit, position.parameters) for unit in index.at(position, place) if unit.id not in left_out)


def has_room(position: Position, place: HexId, movers: Iterable[Unit]) -> bool:
    """Whether units may stand in a hex beside those that do.

    Rules: PB-STK-2, PB-STK-7, PB-STK-11.
    """
    movers = tuple(movers)
    added = sum(men(unit, position.parameters) for unit in movers)
    return men_in(position, place, movers) + added <= position.parameters.stacking.max


def has_road_room(position: Position, place: HexId, mover: Unit) -> bool:
    """Whether a unit may use the road into a hex beside those that stand there.

    Rules: PB-STK-4.
    """
    total = men_in(position, place, (mover,)) + men(mover, position.parameters)
    return total <= position.parameters.stacking.road
