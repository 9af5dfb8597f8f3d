"""What a unit can still do before its side's player turn is over, be it in the open step or in a later one."""

from __future__ import annotations

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId
from sandtable.rulesets.panzerblitz_3d import assault, fire, sequence
from sandtable.rulesets.panzerblitz_3d.mobility import moving_refusal, step_of
from sandtable.rulesets.panzerblitz_3d.model import Position, Unit

_NUMBERS = {step.key: number for number, step in enumerate(sequence.PLAYER_TURN)}


def _over(position: Position, step: str) -> Refusal | None:
    """That a step is behind the side in this player turn."""
    if _NUMBERS.get(position.step, -1) <= _NUMBERS[step]:
        return None
    row = sequence.BY_KEY[step]
    return Refusal(RuleId(row.rule), f"the step is over: {row.title.lower()}")


def no_move(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit will not move any more in this player turn, or None (PB3-509)."""
    return _over(position, step_of(unit)) or moving_refusal(position, unit)


def no_fire(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit will not be given a target any more in this player turn, or None (PB3-505)."""
    return _over(position, sequence.FIRE) or fire.designating_refusal(position, unit)


def no_assault(position: Position, unit: Unit) -> Refusal | None:
    """Why infantry will not close assault any more in this player turn, or None (PB3-505)."""
    return _over(position, sequence.ASSAULT) or assault.assaulting_refusal(unit)
