"""An assault carried out: the answer to it, both sides' losses, retreat and advance.

Rules: PB-ASLT-37, PB-ASLT-42.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import features, victory
from sandtable.rulesets.panzer_battles.assault.eligibility import assault_cost, defenders_of, is_overrun
from sandtable.rulesets.panzer_battles.assault.retreat import lose, retreat
from sandtable.rulesets.panzer_battles.assault.situations import (
    HEDGE_ROW,
    as_fighter,
    circumstances,
    exposed_to_answers,
    features_between,
)
from sandtable.rulesets.panzer_battles.assault.values import assault_value, attackers_disruption, shares
from sandtable.rulesets.panzer_battles.deception.effects import uncover
from sandtable.rulesets.panzer_battles.engineers import entering
from sandtable.rulesets.panzer_battles.engineers.mines import spend_charges
from sandtable.rulesets.panzer_battles.events import AssaultBegun, AssaultDecided, Losses, Stepped
from sandtable.rulesets.panzer_battles.fire import opportunity
from sandtable.rulesets.panzer_battles.fire.situations import as_struck
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of
from sandtable.rulesets.panzer_battles.movement.boarding import shake_off
from sandtable.rulesets.panzer_battles.movement.carrying import passengers
from sandtable.rulesets.panzer_battles.movement.minefields import explode
from sandtable.rulesets.panzer_battles.movement.paths import is_cut
from sandtable.rulesets.panzer_battles.movement.stacking import has_room
from sandtable.rulesets.panzer_battles.names import COMPONENTS
from sandtable.rulesets.panzer_battles.orders import Assault
from sandtable.rulesets.panzer_battles.reinforcements import releases
from sandtable.rulesets.panzer_battles.results.losses import Interval, assault_interval, casualty_value, rounded
from sandtable.rulesets.panzer_battles.results.suffering import suffer
from sandtable.rulesets.panzer_battles.spotting import concealment

Bench = Resolution[Position]


def resolve_assault(resolution: Bench, side: SideId, order: Assault) -> None:
    """The assault has been made, the hex is won or not, and who sees an enemy by it is fixed no more (PB-SPOT-36)."""
    start = resolution.position
    foes = tuple(unit.id for unit in defenders_of(start, side, order.hex))
    overruns = is_overrun(defenders_of(start, side, order.hex))
    _begin(resolution, side, order, foes, overruns=overruns)
    shake_off(resolution, [resolution.position.units[id] for id in (*order.units, *foes)])
    _draw_fire(resolution, order)
    attackers = tuple(id for id in order.units if _is_fit(resolution.position.units[id]))
    if attackers and overruns:
        for id in foes:
            lose(resolution, resolution.position.units[id], 100, "PB-ASLT-8")
    elif attackers:
        _fight(resolution, attackers, foes, order.hex)
    won = _is_won(resolution.position, attackers, foes)
    if attackers and not overruns:
        _use_charges(resolution, attackers, order.hex)
    if won:
        came_from = frozenset(start.units[id].hex for id in attackers)
        retreat(resolution, tuple(id for id in foes if resolution.position.units[id].hex), came_from)
    cost, hurt = (_lost(start, resolution.position, ids) for ids in (order.units, foes))
    resolution.emit(AssaultDecided(side, order.hex, won, cost, hurt))
    if won and not defenders_of(resolution.position, side, order.hex):
        _advance(resolution, attackers, order.hex)
    releases.alarm(resolution)


def _lost(start: Position, now: Position, ids: Sequence[UnitId]) -> Losses:
    """What units have lost in all, with those aboard and with who was captured: men, guns and vehicles apart.

    Rules: PB-ASLT-54.
    """
    units = [start.units[id] for id in ids]
    everybody = [one for unit in units for one in (unit, *passengers(start, unit))]
    lost = dict.fromkeys(COMPONENTS, 0)
    for unit in everybody:
        lost[unit.of.component] += unit.strength - now.units[unit.id].strength
    return tuple((component, count) for component, count in lost.items() if count)


def _begin(resolution: Bench, side: SideId, order: Assault, foes: tuple[UnitId, ...], *, overruns: bool) -> None:
    """The attackers have paid and shown themselves, and the defenders have been found.

    Rules: PB-ASLT-7, PB-ASLT-8, PB-ASLT-56, PB-SPOT-31.
    """
    before = resolution.position
    units = [before.units[id] for id in order.units]
    costs = [assault_cost(before, unit, order.hex, overruns=overruns) for unit in units]
    # what the order did not foresee, because it did not know of a defender, takes what there is
    left = tuple(max(0, unit.mp - cost) for unit, cost in zip(units, costs, strict=True))
    resolution.emit(AssaultBegun(side, order.units, order.hex, left, foes))
    concealment.settle(resolution, before)


def _is_fit(unit: Unit) -> bool:
    """Whether a unit is still able to attack (PB-ASLT-4)."""
    return bool(unit.hex) and not unit.is_shaken


def _draw_fire(resolution: Bench, order: Assault) -> None:
    """The enemy has answered once to each attacking hex.

    Rules: PB-OPF-1.
    """
    position = resolution.position
    for unit in exposed_to_answers(position, [position.units[id] for id in order.units]):
        opportunity.draw_fire(resolution, unit.id, by_moving=True)


def _fight(resolution: Bench, attackers: Sequence[UnitId], foes: Sequence[UnitId], place: HexId) -> None:
    """Both sides have had their losses at once.

    Rules: PB-ASLT-37, PB-ASLT-38, PB-ASLT-39, PB-ASLT-40, PB-ASLT-41.
    """
    position, parameters = resolution.position, resolution.position.parameters
    ours, theirs = [position.units[id] for id in attackers], [position.units[id] for id in foes]
    context = circumstances(position, ours, place)
    storm, stand = (
        [as_fighter(position, unit, place) for unit in ours],
        [as_fighter(position, unit, place, ours) for unit in theirs],
    )
    value = assault_value(storm, stand, context, parameters)
    on_theirs, on_ours = (
        assault_interval(value.on_defenders, parameters),
        assault_interval(value.on_attackers, parameters),
    )
    hurt = _losses(resolution, on_theirs, shares(stand, parameters), theirs)
    cost = _losses(resolution, on_ours, shares(storm, parameters), ours)
    for unit, loss in zip(theirs, hurt, strict=True):
        suffer(resolution, unit, as_struck(unit), loss)
    shock = attackers_disruption(context, parameters)
    for unit, loss in zip(ours, cost, strict=True):
        suffer(resolution, unit, as_struck(unit), loss, multiplier=shock, attacks=True)


def _losses(resolution: Bench, between: Interval, parts: Sequence[float], units: Sequence[Unit]) -> list[int]:
    """The nominal losses of a side: one casualty value, shared out and rounded by lot (PB-ASLT-38)."""
    alternative = resolution.position.ground.options.alternative_assault
    value = casualty_value(resolution, between, units[0].id, alternative=alternative)
    return [rounded(resolution, value * part, "PB-ASLT-38", unit.id) for unit, part in zip(units, parts, strict=True)]


def _use_charges(resolution: Bench, attackers: Sequence[UnitId], place: HexId) -> None:
    """Attackers with charges have used some against a bunker or pillbox, whatever came of it.

    Rules: PB-ASLT-36.
    """
    if features.find(resolution.position, place, features.BUNKER, features.PILLBOX) is None:
        return
    for unit in [resolution.position.units[id] for id in attackers]:
        if unit.hex and unit.has("demolition"):
            spend_charges(resolution, unit, "PB-ASLT-36")


def _is_won(position: Position, attackers: Sequence[UnitId], foes: Sequence[UnitId]) -> bool:
    """Whether no defender is left in order while an attacker is, or no defender at all while an attacker is.

    Rules: PB-ASLT-42, PB-ASLT-43.
    """
    left = [position.units[id] for id in foes if position.units[id].hex]
    ours = [position.units[id] for id in attackers if position.units[id].hex]
    if not left:
        return bool(ours)
    return all(unit.is_shaken for unit in left) and not all(unit.is_shaken for unit in ours)


def _advance(resolution: Bench, attackers: Sequence[UnitId], place: HexId) -> None:
    """The attackers in order have moved in, as far as there is room, and may be fired at once.

    Rules: PB-ASLT-52, PB-ASLT-53, PB-ASLT-27.
    """
    first: UnitId | None = None
    won = resolution.position
    for id in attackers:
        before = resolution.position
        unit = before.units[id]
        if not _is_fit(unit) or not has_room(before, place, (unit,)) or is_cut(won, before, id, place):
            continue
        crossed = HEDGE_ROW in features_between(before, unit.hex, place)
        is_vulnerable = unit.vulnerable or (crossed and unit.of.is_vehicles)
        resolution.emit(Stepped(id, place, unit.mp, vulnerable=is_vulnerable, start=unit.hex))
        concealment.settle(resolution, before)
        victory.capture(resolution, id)
        explode(resolution, id)
        entering.begin(resolution, id, unit.hex)
        first = id if first is None else first
    if first is not None:
        uncover(resolution, place, enemy_of(resolution.position.units[first].side))
        opportunity.draw_fire(resolution, first, by_moving=True)
