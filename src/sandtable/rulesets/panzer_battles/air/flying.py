"""Air missions as they are flown at the start of a turn: interception, anti-aircraft fire, then the strike.

Rules: PB-AIR-2, PB-AIR-8.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.air.events import (
    ABORTED,
    CANCELED,
    DONE,
    INTERCEPTED,
    NOTHING,
    SHOT_DOWN,
    MissionFlown,
)
from sandtable.rulesets.panzer_battles.air.units import CARPET, RECON
from sandtable.rulesets.panzer_battles.air.values import flak_value, recon_chance, strike_value
from sandtable.rulesets.panzer_battles.engineers import rubble
from sandtable.rulesets.panzer_battles.fire.events import Suffered
from sandtable.rulesets.panzer_battles.fire.shelling import exposed, suffering, with_passengers, wrecked
from sandtable.rulesets.panzer_battles.fire.situations import Shot, as_struck, as_target, surroundings
from sandtable.rulesets.panzer_battles.fire.values import Firer
from sandtable.rulesets.panzer_battles.ground import Ground
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import DEPLOYED, RAIL, TRAVEL, Mission, Position, Unit, enemy_of, men
from sandtable.rulesets.panzer_battles.movement.costs import is_road_only
from sandtable.rulesets.panzer_battles.results.losses import ELIMINATED, fire_interval, nominal_loss, probability, toll
from sandtable.rulesets.panzer_battles.spotting import concealment
from sandtable.rulesets.panzer_battles.spotting.events import Reported
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, UNKNOWN, UNSPOTTED, level
from sandtable.rulesets.panzer_battles.terrain import terrain_at

Sky = Resolution[Position]


def as_flyer(unit: Unit) -> Firer:
    """An air unit as the formulas see it."""
    kind = unit.of
    return Firer(
        kind, unit.side, unit.strength, unit.full, kind.soft, kind.hard, unit.quality, unit.fatigue, DEPLOYED,
        disrupted=unit.disrupted,
    )  # fmt: skip


def as_gunner(position: Position, unit: Unit) -> Firer:
    """A unit that fires at aircraft; guns that are confined to the road fire as if they were on the march.

    Rules: PB-AIR-12, PB-MOVE-37.
    """
    is_confined = unit.of.has("towed") and is_road_only(position, unit, unit.hex)
    return replace(as_flyer(unit), mode=TRAVEL if is_confined else unit.mode, low_ammo=unit.low_ammo)


def fly(resolution: Sky) -> None:
    """Every mission that the active side has called is flown, or not; who flies but one is gone after it.

    Rules: PB-AIR-2, PB-AIR-6, PB-AIR-24, PB-ENV-19, PB-TURN-2.
    """
    for mission in resolution.position.missions:
        if mission.side == resolution.position.active:
            _fly(resolution, mission)


def _fly(resolution: Sky, mission: Mission) -> None:
    position = resolution.position
    unit = position.units[mission.unit]
    place = _target_hex(resolution, mission)
    if position.weather.storm or not place:
        outcome = CANCELED if position.weather.storm else NOTHING
        resolution.emit(_flown(mission, unit, mission.hex, outcome, flew=False))
        return
    if _is_intercepted(resolution, unit):
        resolution.emit(_flown(mission, unit, place, INTERCEPTED))
        return
    hit, lost, lines = _through_flak(resolution, unit, place)
    if not hit.strength:
        resolution.emit(_flown(mission, hit, place, SHOT_DOWN, lost, lines=lines))
    elif hit.broken:
        resolution.emit(_flown(mission, hit, place, ABORTED, lost, lines=lines))
    elif mission.kind == RECON:
        resolution.emit(_flown(mission, hit, place, DONE, lost, lines=lines))
        _look_around(resolution, hit, place)
    else:
        _strike(resolution, mission, hit, place, lost, lines)


def _flown(
    mission: Mission,
    unit: Unit,
    place: HexId,
    outcome: str,
    lost: int = 0,
    struck: tuple[Suffered, ...] = (),
    wrecks: int = 0,
    lines: tuple[Line, ...] = (),
    *,
    flew: bool = True,
) -> MissionFlown:
    called = NOWHERE if place == mission.hex else mission.hex
    return MissionFlown(
        mission.side, unit.id, place, mission.kind, unit.kind, outcome, lost, unit.strength, unit.fatigue,
        unit.disrupted, unit.broken, flew, _is_spent(unit, outcome), struck, wrecks, lines, called,
    )  # fmt: skip


def _is_spent(unit: Unit, outcome: str) -> bool:
    """Whether an air unit that flies but one mission has flown it: one that was canceled or intercepted it has yet to.

    Rules: PB-AIR-24, PB-AIR-44.
    """
    return unit.has("single_use") and outcome not in (CANCELED, NOTHING, INTERCEPTED)


def enemies_at(position: Position, unit: Unit, place: HexId) -> list[Unit]:
    """The enemies of an air unit that bombs on a hex can hit."""
    return exposed(position, (other for other in index.at(position, place) if other.side != unit.side))


def _target_hex(resolution: Sky, mission: Mission) -> HexId:
    """The hex that a mission goes to: where it was called, or of a strike that finds nobody there a hex beside it.
    Carpet bombs scatter.

    Rules: PB-AIR-7, PB-AIR-23.
    """
    position, board = resolution.position, resolution.position.ground.board
    unit = position.units[mission.unit]
    if mission.kind == RECON:
        return mission.hex
    if mission.kind == CARPET:
        around = board.within(mission.hex, position.parameters.air.carpet_scatter_hexes)
        return HexId(around[resolution.roll("PB-AIR-23", mission.unit, len(around)) - 1])
    if enemies_at(position, unit, mission.hex):
        return mission.hex
    beside = {
        HexId(place): sum(men(foe, position.parameters) for foe in foes)
        for place in board.neighbors(mission.hex)
        if (foes := [foe for foe in enemies_at(position, unit, HexId(place)) if level(position, foe) != UNSPOTTED])
    }
    return max(beside, key=lambda place: (beside[place], -place), default=HexId(0))


def interception_chance(position: Position, unit: Unit) -> Fraction:
    """How likely the enemy's fighters send an air unit home.

    Rules: PB-AIR-44, PB-AIR-45.
    """
    air = position.parameters.air
    pct = Fraction(air.interception_pct.of(enemy_of(unit.side)))
    return probability(pct * air.jet_interception_fraction if unit.has("jet") else pct)


def _is_intercepted(resolution: Sky, unit: Unit) -> bool:
    """Rules: PB-AIR-44."""
    chance = interception_chance(resolution.position, unit)
    return bool(chance) and resolution.chance(chance, "PB-AIR-44", unit.id)


# --- anti-aircraft fire ---------------------------------------------------------------------------------------------


def longest_flak(ground: Ground) -> int:
    """The farthest that anything in a battle fires at aircraft, be it known or not, and on the map or still to come.

    Rules: PB-AIR-9.
    """
    units = ground.scenario.units
    return ground.once("longest flak", lambda: max((KINDS[unit.type].aa_range for unit in units), default=0))


def flies_low(unit: Unit) -> bool:
    """Whether an air unit flies so low that light guns reach it (PB-AIR-14)."""
    return not (unit.has("recon_air") or unit.has("heavy_bomber"))


def gunners(position: Position, unit: Unit, place: HexId) -> list[Unit]:
    """The enemies that fire at an air unit over a hex, by id; they need not see it.

    Rules: PB-AIR-9, PB-AIR-14, PB-AIR-25, PB-CMD-2.
    """
    board = position.ground.board
    near = index.near(position, enemy_of(unit.side), place, longest_flak(position.ground))
    found = [
        gun
        for gun in near
        if gun.of.aa
        and board.distance(gun.hex, place) <= gun.of.aa_range
        and not (gun.broken or gun.mode == RAIL or gun.carrier != NOBODY)
        and (gun.of.has("heavy_aa") or flies_low(unit))
    ]
    return sorted(found, key=lambda gun: gun.id)


def _through_flak(resolution: Sky, unit: Unit, place: HexId) -> tuple[Unit, int, tuple[Line, ...]]:
    """The air unit after all anti-aircraft fire, what it lost, and what the fire was worth.

    Rules: PB-AIR-9, PB-AIR-13, PB-AIR-16, PB-CRT-8.
    """
    position, parameters = resolution.position, resolution.position.parameters
    board, before, lines = position.ground.board, unit.strength, list[Line]()
    for gun in gunners(position, unit, place):
        value = flak_value(
            as_gunner(position, gun), board.distance(gun.hex, place), parameters, flies_low=flies_low(unit)
        )
        lines += value.tally().lines
        loss = nominal_loss(resolution, fire_interval(value.value / unit.of.defense, parameters), gun.id)
        result = toll(resolution, as_struck(unit), loss, parameters, gun.id)
        unit = replace(
            unit,
            strength=result.strength,
            fatigue=result.fatigue,
            disrupted=result.disrupted,
            broken=result.broken,
        )
        if result.effect == ELIMINATED:
            unit = replace(unit, strength=0)
            break
    return unit, before - unit.strength, tuple(lines)


# --- the strike -----------------------------------------------------------------------------------------------------


def strike_shot(
    position: Position, aircraft: Firer, target: Unit, *, halved: bool, share: float, multiplier: Fraction
) -> Shot:
    """An air strike on one unit worked out.

    Rules: PB-AIR-18.
    """
    context = replace(surroundings(position, target, 0), indirect=True)
    value = strike_value(aircraft, as_target(position, target), context, position.parameters, halved=halved)
    between = fire_interval(value.cv * share, position.parameters)
    return Shot(value, between, as_struck(target), multiplier)


def pick_by_size(resolution: Sky, units: Sequence[Unit], rule: str, actor: UnitId) -> Unit:
    """One of the units by lot, the larger the likelier.

    Rules: PB-AIR-17.
    """
    parameters = resolution.position.parameters
    reached = list(accumulate(men(unit, parameters) for unit in units))
    lot = resolution.roll(rule, actor, reached[-1]) if len(units) > 1 else 1
    return units[bisect_left(reached, lot)]


def _strike(resolution: Sky, mission: Mission, unit: Unit, place: HexId, lost: int, lines: tuple[Line, ...]) -> None:
    """The aircraft have struck one unit of the hex, or with carpet bombs everybody in it.

    Rules: PB-AIR-17, PB-AIR-18, PB-AIR-20, PB-AIR-21, PB-AIR-22, PB-AIR-23.
    """
    before = resolution.position
    is_carpet = mission.kind == CARPET
    there = exposed(before, index.at(before, place)) if is_carpet else enemies_at(before, unit, place)
    targets = there if is_carpet else [pick_by_size(resolution, there, "PB-AIR-17", unit.id)]
    everybody = sum(men(target, before.parameters) for target in targets)
    shock = Fraction(before.parameters.air.carpet_disruption_multiplier if is_carpet else 1)
    struck, worth = list[Suffered](), 0.0
    for target in targets:
        share = men(target, before.parameters) / everybody
        shot = strike_shot(before, as_flyer(unit), target, halved=mission.halved, share=share, multiplier=shock)
        struck.append(suffering(resolution, target, shot, unit.id))
        lines = (*lines, *(line for tally in shot.value.tallies for line in tally.lines))
        worth += shot.value.value * share
    hits = tuple(struck)
    resolution.emit(_flown(mission, unit, place, DONE, lost, hits, wrecked(hits, before), lines))
    concealment.settle(resolution, before)
    with_passengers(resolution, targets, hits)
    if targets:
        rubble.after_fire(resolution, place, worth, unit.id, targets[0].side)


def _look_around(resolution: Sky, unit: Unit, place: HexId) -> None:
    """Air recon has found enemies hex by hex, in detail or not.

    Rules: PB-AIR-26, PB-AIR-27, PB-AIR-28, PB-AIR-29.
    """
    position, board = resolution.position, resolution.position.ground.board
    near = index.near(position, enemy_of(unit.side), place, position.visibility)
    detail, glimpsed = list[UnitId](), list[UnitId]()
    for there in sorted({foe.hex for foe in near}):
        terrain = position.parameters.terrain.combat_pct[terrain_at(position, there)]
        chance = recon_chance(
            board.distance(place, there), terrain, unit.strength, unit.quality, position.parameters,
            disrupted=unit.disrupted,
        )  # fmt: skip
        if resolution.chance(chance, "PB-AIR-26", unit.id):
            is_clear = resolution.chance(Fraction(1, 2), "PB-AIR-27", unit.id)
            for foe in enemies_at(position, unit, there):
                (detail if is_clear and not foe.concealed else glimpsed).append(foe.id)
    for found, how in ((detail, SPOTTED), (glimpsed, UNKNOWN)):
        if found:
            resolution.emit(Reported(unit.side, tuple(found), how))
