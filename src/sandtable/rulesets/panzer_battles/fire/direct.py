"""Direct fire: who may fire at whom, what it costs, and how it is carried out.

Rules: PB-FIRE-1, PB-FIRE-12, PB-FIRE-16.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.fire import opportunity
from sandtable.rulesets.panzer_battles.fire.costs import cannot_pay, fire_cost
from sandtable.rulesets.panzer_battles.fire.eligibility import attack, cannot_fire, no_shot
from sandtable.rulesets.panzer_battles.fire.orders import KeepFiring
from sandtable.rulesets.panzer_battles.fire.situations import shot
from sandtable.rulesets.panzer_battles.fire.striking import fire
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.carrying import is_external, is_passenger
from sandtable.rulesets.panzer_battles.orders import Fire
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.reinforcements import releases
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level


def cannot_afford(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't fire direct once more this turn.

    Rules: PB-FIRE-14, PB-FIRE-17, PB-FIRE-18.
    """
    return cannot_pay(position, unit, fire_cost(position, unit))


def check_fire(position: Position, side: SideId, order: Fire | KeepFiring) -> Refusal | None:
    """Rules: PB-FIRE-1, PB-FIRE-8, PB-FIRE-14, PB-MOVE-49, PB-SPOT-18."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    refusal = cannot_fire(position, unit) or cannot_afford(position, unit)
    if refusal is not None:
        return refusal
    if not 0 <= order.target < len(position.units):
        return refuse("PB-FIRE-1", "there is no such unit")
    target = position.units[order.target]
    if target.side == side:
        return refuse("PB-FIRE-13", "that is a unit of your own side")
    if target.gone:
        return refuse("PB-UNIT-8", "it is gone")
    if is_passenger(target) and not is_external(position, target):
        return refuse("PB-MOVE-49", "who rides inside another unit is no target apart from it")
    if not target.hex or level(position, target) != SPOTTED:
        return refuse("PB-SPOT-18", "nobody sees what there is to fire at")
    return no_shot(position, unit, target)


def resolve_fire(resolution: Resolution[Position], side: SideId, order: Fire) -> None:
    """The unit fires and is shown by it; then the enemy may answer, and who sees him do it is fixed no more.

    Rules: PB-FIRE-57, PB-SPOT-31, PB-SPOT-36, PB-OPF-11.
    """
    unit = resolution.position.units[order.unit]
    fire(resolution, order.unit, order.target, cost=fire_cost(resolution.position, unit))
    opportunity.draw_fire(resolution, order.unit, by_moving=False)
    releases.alarm(resolution)


def resolve_keep_firing(resolution: Resolution[Position], side: SideId, order: KeepFiring) -> None:
    """The unit fires as long as it can at that target, and each time the enemy may answer.

    Rules: PB-FIRE-22.
    """
    again = Fire(order.unit, order.target)
    resolve_fire(resolution, side, again)
    while check_fire(resolution.position, side, again) is None:
        resolve_fire(resolution, side, again)


# --- what can be ordered --------------------------------------------------------------------------------------------


def targets(position: Position, unit: Unit) -> list[Unit]:
    """The enemies that a unit could fire at from where it is."""
    reach = max(unit.of.soft_range, unit.of.hard_range)
    near = index.near(position, enemy_of(unit.side), unit.hex, min(reach, position.visibility))
    seen = (foe for foe in near if level(position, foe) == SPOTTED and no_shot(position, unit, foe) is None)
    return sorted(seen, key=lambda foe: foe.id)


def keep_firing_options(position: Position, side: SideId, unit: Unit) -> Iterator[KeepFiring]:
    """Nothing that a computer player need try: it fires again if it wants to."""
    return iter(())


def keep_firing_offers(position: Position, side: SideId, unit: Unit) -> Iterator[KeepFiring]:
    """To keep firing at every target that the unit has."""
    return (KeepFiring(one.unit, one.target) for one in fire_options(position, side, unit))


def fire_options(position: Position, side: SideId, unit: Unit) -> Iterator[Fire]:
    """A fire at every target that the unit has."""
    if cannot_fire(position, unit) is None and cannot_afford(position, unit) is None:
        for foe in targets(position, unit):
            yield Fire(unit.id, foe.id)


def explain_fire(position: Position, side: SideId, order: Fire | KeepFiring) -> tuple[Tally, ...]:
    """The fire value and the defense, as far as the side knows them."""
    return shot(position, position.units[order.unit], position.units[order.target]).value.tallies


def best_target(position: Position, unit: Unit, place: HexId) -> UnitId | None:
    """The unit of a hex that a fire is worth most against, of those that can be fired at where there are any.

    Rules: PB-FIRE-10.
    """
    known = [foe for foe in index.at(position, place) if foe.side != unit.side]
    seen = [foe for foe in known if level(position, foe) == SPOTTED]
    there = [foe for foe in seen if no_shot(position, unit, foe) is None] or seen or known
    ranked = [(shot(position, unit, foe).value.cv if attack(position, unit, foe) else 0.0, -foe.id) for foe in there]
    return UnitId(-max(ranked)[1]) if ranked else None
