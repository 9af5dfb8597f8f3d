"""Fire into a whole hex: who may, who watches for the guns, what each unit there gets of it, and how it is carried out.

Rules: PB-FIRE-2, PB-FIRE-11, PB-CRT-20.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.command.control import is_detached
from sandtable.rulesets.panzer_battles.engineers import rubble
from sandtable.rulesets.panzer_battles.facing import covers
from sandtable.rulesets.panzer_battles.fire import counterbattery
from sandtable.rulesets.panzer_battles.fire.eligibility import cannot_fire
from sandtable.rulesets.panzer_battles.fire.events import Bombarded, Suffered
from sandtable.rulesets.panzer_battles.fire.situations import Shot, surroundings, worked_out
from sandtable.rulesets.panzer_battles.fire.values import indirect_limit
from sandtable.rulesets.panzer_battles.model import DEPLOYED, Position, Unit, men
from sandtable.rulesets.panzer_battles.movement.carrying import is_external, is_passenger
from sandtable.rulesets.panzer_battles.movement.costs import WATERS
from sandtable.rulesets.panzer_battles.refusals import refuse
from sandtable.rulesets.panzer_battles.results.losses import nominal_loss, toll
from sandtable.rulesets.panzer_battles.results.suffering import after_loss, is_unseen
from sandtable.rulesets.panzer_battles.spotting import concealment
from sandtable.rulesets.panzer_battles.spotting.levels import UNSPOTTED, level, observers
from sandtable.rulesets.panzer_battles.supply.artillery import cannot_fire_indirect


def may_spot(unit: Unit) -> bool:
    """Whether a unit may direct the fire of guns: it is steady and has kept still, and is no partisan nor passenger.

    Rules: PB-FIRE-3, PB-FIRE-4, PB-FIRE-5, PB-MOVE-63.
    """
    is_still = not unit.moved and not unit.fired
    return is_still and not unit.broken and not unit.has("partisan") and unit.carrier == NOBODY


def fire_spotters(position: Position, side: SideId, place: HexId) -> list[Unit]:
    """The units of a side, of whatever organization, that direct fire into a hex.

    Rules: PB-FIRE-2, PB-FIRE-6.
    """
    return [unit for unit in observers(position, side, place) if may_spot(unit)]


def no_spotter(position: Position, side: SideId, place: HexId) -> Refusal | None:
    """Why nobody of a side directs fire into a hex.

    Rules: PB-FIRE-2, PB-FIRE-3, PB-FIRE-4, PB-FIRE-5.
    """
    watching = list(observers(position, side, place))
    if any(map(may_spot, watching)):
        return None
    if not watching:
        return refuse("PB-FIRE-2", "nobody sees the hex who could direct the fire")
    steady = [unit for unit in watching if not unit.broken]
    if not steady:
        return refuse("PB-FIRE-3", "whoever sees the hex is Broken")
    if all(unit.has("partisan") for unit in steady):
        return refuse("PB-FIRE-5", "partisans do not direct fire")
    return refuse("PB-FIRE-4", "whoever could direct the fire has moved or fired this turn")


def cannot_bombard(position: Position, unit: Unit) -> Refusal | None:
    """What in the unit itself keeps it from firing indirectly.

    Rules: PB-FIRE-2, PB-FIRE-8, PB-OOB-13.
    """
    if not unit.of.has("indirect"):
        return refuse("PB-FIRE-2", "it does not fire indirectly")
    if unit.mode != DEPLOYED:
        return refuse("PB-FIRE-2", "nobody fires indirectly on the march")
    return cannot_fire_indirect(position, unit) or cannot_fire(position, unit)


def is_known_target(position: Position, side: SideId, place: HexId) -> bool:
    """Whether a side knows of an enemy in a hex, of whatever kind.

    Rules: PB-SPOT-17.
    """
    enemies = (unit for unit in index.at(position, place) if unit.side != side)
    return place in position.unknowns or any(level(position, unit) != UNSPOTTED for unit in enemies)


def no_bombardment(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't fire indirectly into that hex.

    Rules: PB-FIRE-2, PB-FIRE-13, PB-FIRE-19, PB-FIRE-21, PB-OPT-6.
    """
    board = position.ground.board
    if not board.is_on(place):
        return refuse("PB-FIRE-2", "that is off the map")
    distance, reach = board.distance(unit.hex, place), unit.of.indirect_range
    if distance > reach:
        return refuse("PB-FIRE-2", f"its indirect range is {reach} hexes", f"{distance} hexes away")
    if any(other.side == unit.side for other in index.at(position, place)):
        return refuse("PB-FIRE-13", "units of your own side are there")
    if not covers(board, unit, place):
        return refuse("PB-FIRE-21", "it does not face there")
    if position.shells.get(place, 0) + men(unit, position.parameters) > indirect_limit(position.parameters):
        return refuse("PB-FIRE-19", "as much has been fired into that hex as may be in one turn")
    if position.ground.options.fire_by_map:
        return None
    if not is_known_target(position, unit.side, place):
        return refuse("PB-SPOT-17", "no enemy is known to be there")
    return no_spotter(position, unit.side, place)


def exposed(position: Position, units: Iterable[Unit]) -> list[Unit]:
    """Those of the units that fire on their hex can hit: who rides inside a transport or ship suffers with it alone.

    Rules: PB-MOVE-49, PB-CRT-20.
    """
    return [unit for unit in units if not is_passenger(unit) or is_external(position, unit)]


class Salvo(NamedTuple):
    """A fire into a hex worked out: the units there, and what each gets of it."""

    targets: tuple[Unit, ...]
    shots: tuple[Shot, ...]
    shares: tuple[float, ...]

    @property
    def value(self) -> float:
        """The fire value as the units in the hex share it (PB-MOVE-70)."""
        return sum(shot.value.value * share for shot, share in zip(self.shots, self.shares, strict=True))


def salvo(position: Position, unit: Unit, place: HexId) -> Salvo:
    """The indirect fire of a unit into a hex, as far as the enemies there are known.

    Rules: PB-FIRE-7, PB-FIRE-11, PB-FIRE-30, PB-FIRE-31, PB-CRT-20.
    """
    targets = tuple(exposed(position, (other for other in index.at(position, place) if other.side != unit.side)))
    everybody = sum(men(target, position.parameters) for target in targets)
    watch = fire_spotters(position, unit.side, place)
    distance = position.ground.board.distance(unit.hex, place)
    shots, shares = [], []
    for target in targets:
        context = replace(
            surroundings(position, target, distance),
            indirect=True,
            by_map=not watch,
            detached_only=all(_is_known_detached(position, spotter) for spotter in watch),
            enemy_turn=position.active != unit.side,
        )
        share = men(target, position.parameters) / everybody
        shots.append(worked_out(position, unit, target, context, share))
        shares.append(share)
    return Salvo(targets, tuple(shots), tuple(shares))


def _is_known_detached(position: Position, spotter: Unit) -> bool:
    """Whether a spotter is detached; of an enemy whose organization is not known that can't be told (PB-FIRE-7)."""
    return bool(spotter.formation) and is_detached(position, spotter)


def suffering(resolution: Resolution[Position], target: Unit, found: Shot, actor: UnitId) -> Suffered:
    """What a fire did to one unit, drawn by lot, and whether its enemy learns of it: without fog always.

    Rules: PB-CRT-11, PB-CRT-20, PB-FIRE-63, PB-SPOT-19.
    """
    position = resolution.position
    loss = nominal_loss(resolution, found.interval, actor, alternative=position.ground.options.alternative_fire)
    result = toll(resolution, found.struck, loss, position.parameters, actor, multiplier=found.multiplier)
    return Suffered(
        target.id,
        target.kind,
        target.side,
        result.lost,
        result.strength,
        result.fatigue,
        result.disrupted,
        result.broken,
        result.effect,
        not is_unseen(position, target),
    )


def wrecked(struck: tuple[Suffered, ...], position: Position) -> int:
    """The wrecks that a fire leaves: of vehicles on land (PB-UNIT-15)."""
    hit = [(one.lost, position.units[one.unit]) for one in struck]
    on_land = [(lost, unit) for lost, unit in hit if position.ground.board.terrain[unit.hex] not in WATERS]
    return sum(lost for lost, unit in on_land if unit.of.is_vehicles)


def with_passengers(resolution: Resolution[Position], targets: Iterable[Unit], struck: Iterable[Suffered]) -> None:
    """Who rode on units that a fire into their hex has hit has had his share of their losses.

    Rules: PB-MOVE-53, PB-MOVE-54, PB-UNIT-8.
    """
    for target, one in zip(targets, struck, strict=True):
        if one.lost:
            after_loss(resolution, target, unseen=not one.seen)


def bombard(resolution: Resolution[Position], id: UnitId, place: HexId, *, cost: int | None) -> bool:
    """One indirect fire is resolved against everybody in the hex, seen or not; `cost` is None for opportunity fire.
    Whether it hit anything.

    Rules: PB-FIRE-11, PB-FIRE-57, PB-FIRE-60, PB-FIRE-61, PB-CRT-20, PB-OPF-3, PB-FIRE-20.
    """
    before = resolution.position
    unit, found = before.units[id], salvo(before, before.units[id], place)
    struck = tuple(
        suffering(resolution, target, shot, id) for target, shot in zip(found.targets, found.shots, strict=True)
    )
    lines = tuple(line for shot in found.shots for tally in shot.value.tallies for line in tally.lines)
    paid = (unit.mp, unit.halves) if cost is None else (unit.mp - cost, unit.halves + 1)
    resolution.emit(Bombarded(id, place, unit.hex, *paid, cost is None, struck, wrecked(struck, before), lines))
    concealment.settle(resolution, before)
    with_passengers(resolution, found.targets, struck)
    if found.targets:
        rubble.after_fire(resolution, place, found.value, id, found.targets[0].side)
    counterbattery.search(resolution, id)
    return any(one.lost or one.result for one in struck)
