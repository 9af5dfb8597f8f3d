"""Whose move it is: one unit moves at a time, and its move begins and ends.

Rules: PL-601, PL-1605.
"""

from __future__ import annotations

from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_leader.combat import disperse
from sandtable.rulesets.panzer_leader.costs import QUICK
from sandtable.rulesets.panzer_leader.events import DieCast, MoveEnded
from sandtable.rulesets.panzer_leader.model import Position
from sandtable.rulesets.panzer_leader.movement_table import NUMBERS


def begin_move(resolution: Resolution[Position], id: UnitId) -> None:
    """No other unit is on the move: the one that was has finished (PL-601)."""
    mover = resolution.position.mover
    if mover is not None and mover.unit != id:
        end_move(resolution, mover.unit)


def end_move(resolution: Resolution[Position], id: UnitId, why: str = "") -> None:
    """The unit's move is over; one that went in quick-time has thrown its die.

    Rules: PL-601, PL-1605.
    """
    mover = resolution.position.mover
    resolution.emit(MoveEnded(id, why))
    if mover is None or mover.unit != id or mover.gait != QUICK or resolution.position.units[id].dispersed:
        return
    die = resolution.roll("PL-1605", id)
    resolution.emit(DieCast("quick-time", die, die <= NUMBERS.quick.best, "PL-1605", id))
    if die > NUMBERS.quick.best:
        disperse(resolution, id)
