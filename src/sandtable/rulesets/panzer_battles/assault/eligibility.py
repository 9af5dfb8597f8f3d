"""Who may assault, and what it costs him.

Rules: PB-ASLT-1.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.model import RAIL, Position, Unit
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.movement.carrying import is_passenger
from sandtable.rulesets.panzer_battles.movement.costs import allowance, has_paid_thirds_alone, share
from sandtable.rulesets.panzer_battles.operations import BRIDGING, MINING, is_at
from sandtable.rulesets.panzer_battles.orders import Assault
from sandtable.rulesets.panzer_battles.refusals import own, refuse


def cannot_assault(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What in the unit itself keeps it from any assault.

    Rules: PB-ASLT-4, PB-ASLT-5, PB-ASLT-6, PB-ASLT-9, PB-UNIT-13, PB-CMD-2, PB-MOVE-98, PB-FIRE-64.
    """
    kind = unit.of
    if kind.has("hq"):
        return refuse("PB-UNIT-13", "headquarters do not assault")
    if not kind.assault:
        return refuse("PB-ASLT-4", "it has no assault value")
    if kind.has("towed"):
        return refuse("PB-ASLT-5", "towed guns do not assault")
    if unit.mode == RAIL:
        return refuse("PB-MOVE-24", "units in Rail Mode do not assault")
    if unit.is_shaken:
        return refuse("PB-ASLT-4", "it is Broken" if unit.broken else "it is Disrupted")
    if unit.fixed:
        return refuse("PB-ASLT-4", "it is fixed")
    if unit.is_immobile:
        return refuse("PB-ASLT-6", "it never moves")
    if unit.digging_in or is_at(unit, *BRIDGING, *MINING):
        return refuse("PB-ASLT-4", "it has other work in hand")
    if unit.fatigue >= position.parameters.fatigue.max:
        return refuse("PB-ASLT-4", "it is exhausted")
    if unit.assaulted:
        return refuse("PB-ASLT-9", "it has assaulted this turn")
    return None


def defenders_of(position: Position, side: SideId, place: HexId) -> list[Unit]:
    """The enemies of a side in a hex, as far as they are known; who rides on them does not fight (PB-MOVE-49)."""
    return [unit for unit in index.at(position, place) if unit.side != side and not is_passenger(unit)]


def is_overrun(defenders: Sequence[Unit]) -> bool:
    """Whether nobody in a hex can fight back, by rating alone.

    Rules: PB-ASLT-8.
    """
    return bool(defenders) and not any(unit.of.assault for unit in defenders)


def assault_cost(position: Position, unit: Unit, place: HexId, *, overruns: bool) -> int:
    """What an assault costs a unit: two thirds of its allowance or the step if that is more, and the step alone where
    nobody fights back; 0 where it can't go. After a single third, as a fire costs, the rest is enough if the step costs
    no more.

    Rules: PB-ASLT-6, PB-ASLT-7, PB-ASLT-8, PB-ASLT-55, PB-GEN-17.
    """
    step = paths.step(position, unit, unit.hex, place).cost
    if not step or overruns:
        return step
    least = share(position.parameters.costs.assault_min, allowance(position, unit))
    after_one_third = unit.thirds == 1 and step <= unit.mp and has_paid_thirds_alone(position, unit)
    return max(step, min(least, unit.mp) if after_one_third else least)


def no_assault(position: Position, unit: Unit, place: HexId, *, overruns: bool) -> Refusal | None:
    """Why a unit can't assault that hex from where it is.

    Rules: PB-ASLT-1, PB-ASLT-6, PB-ASLT-7.
    """
    if position.ground.board.direction(unit.hex, place) < 0:
        return refuse("PB-ASLT-1", "an assault goes into a neighboring hex")
    cost = assault_cost(position, unit, place, overruns=overruns)
    if not cost:
        return refuse("PB-ASLT-6", "it could not move into that hex")
    if cost > unit.mp:
        return refuse("PB-ASLT-7", "it has not the movement points left", f"{cost} needed, {unit.mp} left")
    return None


def is_held(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a side knows of an enemy in a hex, of whatever kind.

    Rules: PB-ASLT-3.
    """
    return place in position.unknowns or bool(defenders_of(position, side, place))


def check_assault(position: Position, side: SideId, order: Assault) -> Refusal | None:
    """Rules: PB-ASLT-1, PB-ASLT-3, PB-ASLT-4, PB-ASLT-6, PB-ASLT-7."""
    if not position.ground.board.is_on(order.hex):
        return refuse("PB-ASLT-1", "that is off the map")
    if not order.units or len(set(order.units)) < len(order.units):
        return refuse("PB-ASLT-1", "an assault is made by one unit, or by several different ones")
    known = defenders_of(position, side, order.hex)
    overruns = is_overrun(known) and order.hex not in position.unknowns
    for id in order.units:
        unit = own(position, side, id)
        if isinstance(unit, Refusal):
            return unit
        refusal = cannot_assault(position, side, unit)
        if refusal is not None:
            return refusal
        if not is_held(position, side, order.hex):
            return refuse("PB-ASLT-3", "no enemy is known to be there")
        refusal = no_assault(position, unit, order.hex, overruns=overruns)
        if refusal is not None:
            return refusal
    return None
