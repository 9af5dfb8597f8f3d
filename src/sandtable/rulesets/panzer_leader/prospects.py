"""What a unit can still do before its side's segment is over, be it in the open step or in a later one."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId
from sandtable.rulesets.panzer_leader import artillery, assault, fire, mobility
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import Position, Unit
from sandtable.rulesets.panzer_leader.sequence import STEPS

_NUMBERS = {step.key: number for number, step in enumerate(STEPS)}


def _over(position: Position, step: str) -> Refusal | None:
    """That a step is behind the side in this segment."""
    if _NUMBERS.get(position.step, -1) <= _NUMBERS[step]:
        return None
    return Refusal(RuleId(STEPS[_NUMBERS[step]].rule), f"the step is over: {STEPS[_NUMBERS[step]].title.lower()}")


def no_move(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit will not move any more in this segment, or None.

    Rules: PL-506, PL-507.
    """
    step = "vehicle movement" if KINDS[unit.kind].is_vehicle else "foot movement"
    return _over(position, step) or mobility.cannot_move(replace(position, step=step), unit.side, unit.id)


def no_fire(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit will not fire directly any more in this segment, or None.

    Rules: PL-504.
    """
    return _over(position, "direct fire") or fire.firing_refusal(position, unit)


def no_mission(position: Position, unit: Unit) -> Refusal | None:
    """Why a battery can't be ordered to fire any more in this segment, or None.

    Rules: PL-501.
    """
    return _over(position, "indirect orders") or artillery.battery_refusal(position, unit)


def no_assault(position: Position, unit: Unit) -> Refusal | None:
    """Why infantry will not close assault any more in this segment, or None.

    Rules: PL-507.
    """
    return _over(position, "close assault") or assault.assaulting_refusal(position, unit)
