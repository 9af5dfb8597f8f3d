"""What each event does to a position: the truth, or what a viewer knows."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles.air import changes as _air  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.changing import changed, changes
from sandtable.rulesets.panzer_battles.command import changes as _command  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.command.news import noted
from sandtable.rulesets.panzer_battles.deception import changes as _deception  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.engineers import changes as _engineers  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.engineers.ferries import ready_again
from sandtable.rulesets.panzer_battles.environment import changes as _environment  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.features import PONTOON, find
from sandtable.rulesets.panzer_battles.fire import changes as _fire  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.model import (
    DEPLOYED,
    ELIMINATED,
    LOST_UNSEEN,
    RAIL,
    TRAVEL,
    Position,
    Result,
    Sightings,
    enemy_of,
    men,
    unseen,
    with_units,
)
from sandtable.rulesets.panzer_battles.movement import changes as _movement  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.movement.carrying import passengers
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.operations import after_change, after_step
from sandtable.rulesets.panzer_battles.organization import changes as _organization  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.reinforcements import changes as _reinforcements  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.results.losses import ELIMINATED as DESTROYED
from sandtable.rulesets.panzer_battles.spotting import changes as _spotting  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.spotting.knowledge import marker
from sandtable.rulesets.panzer_battles.supply import changes as _supply  # noqa: F401 - registers
from sandtable.rulesets.panzer_battles.supply.changes import moved_guns, on_the_way
from sandtable.rulesets.panzer_battles.supply.fuel import burned


@changes.on(e.TurnBegan)
def _turn_began(position: Position, event: e.TurnBegan) -> Position:
    return replace(
        position,
        active=event.side,
        turn=event.turn,
        minutes=event.minutes,
        visibility=event.visibility,
        shots={},
        shells={},
        sides=ready_again(position.sides),
        sightings=_lasting(position, event.side),
    )


def _lasting(position: Position, side: SideId) -> Sightings:
    """The sightings that are left when the turn of a side begins: its enemy's are over (PB-SPOT-25)."""
    over = enemy_of(side)
    if over not in position.sightings:
        return position.sightings
    return {one: found for one, found in position.sightings.items() if one != over}


@changes.on(e.CommandTested)
def _command_tested(position: Position, event: e.CommandTested) -> Position:
    posts = [unit for unit in position.units if unit.hex and unit.side == event.side and unit.of.has("hq")]
    return with_units(
        position,
        [
            replace(unit, out_of_command=unit.id in event.out)
            for unit in posts
            if unit.out_of_command != (unit.id in event.out)
        ],
    )


@changes.on(e.Recovered)
def _recovered(position: Position, event: e.Recovered) -> Position:
    units = [position.units[id] for id in event.units]
    return with_units(position, [replace(unit, disrupted=unit.broken, broken=False) for unit in units])


@changes.on(e.Rested)
def _rested(position: Position, event: e.Rested) -> Position:
    pairs = zip(event.units, event.fatigue, strict=True)
    return with_units(position, [replace(position.units[id], fatigue=fatigue) for id, fatigue in pairs])


FRESH: dict[str, Any] = {
    **{"thirds": 0, "moved": False, "fired": False, "attacked": False, "assaulted": False, "vulnerable": False},
    **{"halves": 0, "scouted": False, "has_shot": False, "stirred": False},
}
"""What a new turn forgets of the last (PB-TURN-2)."""


@changes.on(e.PointsRestored)
def _points_restored(position: Position, event: e.PointsRestored) -> Position:
    own = (unit for unit in position.units if (unit.hex or unit.posted) and unit.side == event.side)
    rested = ((unit, replace(unit, mp=allowance(position, unit), **FRESH)) for unit in own)
    return with_units(position, [new for old, new in rested if old != new])


@changes.on(e.Concealed)
def _concealed(position: Position, event: e.Concealed) -> Position:
    return with_units(position, [replace(position.units[id], concealed=True) for id in event.units])


@changes.on(e.Stepped)
def _stepped(position: Position, event: e.Stepped) -> Position:
    unit = position.units[event.unit]
    direction = position.ground.board.direction(unit.hex, event.to)
    afloat = find(position, unit.hex, PONTOON) is not None
    work = after_step(unit, direction, retreats=event.retreats, afloat=afloat)
    private = {"mp": event.mp, "moved": True, "concealed": event.concealed, "progress": 0} | on_the_way(position, unit)
    shown = {"hex": event.to, "vulnerable": event.vulnerable, "digging_in": False, "operation": work}
    moved = changed(position, event.unit, private, **shown)
    aboard = passengers(position, unit)
    riders = [
        changed(
            position,
            rider.id,
            {"concealed": event.concealed, "moved": True} | moved_guns(position, rider),
            hex=event.to,
        )
        for rider in aboard
    ]
    return with_units(position, (moved, *riders))


@changes.on(e.Bumped)
def _bumped(position: Position, event: e.Bumped) -> Position:
    mover = changed(position, event.unit, {"mp": event.mp, "moved": True})
    revealed = [replace(position.units[id], concealed=False) for id in event.revealed]
    return with_units(position, (mover, *revealed))


@changes.on(e.MoveStopped)
def _move_stopped(position: Position, event: e.MoveStopped) -> Position:
    tried = event.units if event.spent else ()
    return with_units(position, [changed(position, id, {"mp": 0, "moved": True}) for id in tried])


@changes.on(e.ModeChanged)
def _mode_changed(position: Position, event: e.ModeChanged) -> Position:
    private = {"mp": event.mp, "thirds": event.thirds, "concealed": False, "stirred": True}
    kept = after_change(position.units[event.unit])
    # the very constant, since what is written leaves out what is the default by identity
    mode = {TRAVEL: TRAVEL, RAIL: RAIL}.get(event.mode, DEPLOYED)
    return with_units(position, (changed(position, event.unit, private, mode=mode, digging_in=False, operation=kept),))


@changes.on(e.Fired)
def _fired(position: Position, event: e.Fired) -> Position:
    units = [changed(position, event.target, {"attacked": True})]
    shots = position.shots
    if event.unit != NOBODY:
        firer = position.units[event.unit]
        private = {"mp": event.mp, "thirds": event.thirds, "fired": True, "concealed": False}
        private["has_shot"] = firer.has_shot or not event.opportunity
        units.append(changed(position, event.unit, private))
        if not event.opportunity and position.knows(firer.side):
            shots = {**shots, firer.hex: shots.get(firer.hex, 0) + men(firer, position.parameters)}
    return with_units(position, units, shots=shots)


@changes.on(e.AssaultBegun)
def _assault_begun(position: Position, event: e.AssaultBegun) -> Position:
    done = {"moved": True, "assaulted": True, "concealed": False}
    attackers = [
        changed(position, id, {"mp": mp, **done, **burned(position.units[id])})
        for id, mp in zip(event.units, event.mp, strict=True)
    ]
    found = [changed(position, id, {"attacked": True, "concealed": False, "fixed": False}) for id in event.revealed]
    return with_units(position, (*attackers, *found))


@changes.on(e.AssaultDecided)
def _assault_decided(position: Position, event: e.AssaultDecided) -> Position:
    return position


@changes.on(e.Struck)
def _struck(position: Position, event: e.Struck) -> Position:
    others = _lost(position, event)
    if event.unit == NOBODY:
        return replace(position, **others)
    shown: dict[str, Any] = {"disrupted": event.disrupted, "broken": event.broken}
    private: dict[str, Any] = {"fatigue": event.fatigue}
    if event.result == DESTROYED:
        shown |= {"hex": NOWHERE, "gone": LOST_UNSEEN if event.unseen else ELIMINATED, "strength": 0}
        private["lost_at"] = event.hex
    else:
        private["strength"] = event.strength
    return with_units(position, (changed(position, event.unit, private, **shown),), **others)


def _lost(position: Position, event: e.Struck) -> dict[str, Any]:
    """What a loss adds to the counts of losses and wrecks (PB-FIRE-63, PB-UNIT-15)."""
    others: dict[str, Any] = {}
    if event.lost:
        counts = position.hidden_losses if event.unseen else position.losses
        lost = counts.get(event.side, {})
        tally = {**lost, event.kind: lost.get(event.kind, 0) + event.lost}
        others["hidden_losses" if event.unseen else "losses"] = {**counts, event.side: tally}
    if event.wrecks:
        others["wrecks"] = _with_wrecks(position, event.hex, event.wrecks)
    return others


def _with_wrecks(position: Position, place: HexId, count: int) -> dict[HexId, int]:
    """Each vehicle lost on land leaves a wreck (PB-UNIT-15)."""
    return {**position.wrecks, place: position.wrecks.get(place, 0) + count}


@changes.on(e.ObjectiveTaken)
def _objective_taken(position: Position, event: e.ObjectiveTaken) -> Position:
    return replace(position, owners={**position.owners, event.hex: event.side})


@changes.on(e.BattleEnded)
def _battle_ended(position: Position, event: e.BattleEnded) -> Position:
    return replace(position, result=Result(event.score, event.level))


@changes.on(e.UnitsSeen)
def _units_seen(position: Position, event: e.UnitsSeen) -> Position:
    seen = {unit.id for unit in event.units}
    if seen.isdisjoint(position.intel):
        return with_units(position, event.units)
    intel = {id: one for id, one in position.intel.items() if id not in seen}
    return with_units(position, event.units, intel=intel)


@changes.on(e.SightLost)
def _sight_lost(position: Position, event: e.SightLost) -> Position:
    lost = [position.units[id] for id in event.units]
    intel = {**position.intel, **{unit.id: marker(position, unit, position.viewer) for unit in lost}}
    return with_units(position, [unseen(unit.id, unit.side) for unit in lost], intel=dict(sorted(intel.items())))


@changes.on(e.UnknownsSeen)
def _unknowns_seen(position: Position, event: e.UnknownsSeen) -> Position:
    return replace(position, unknowns=event.hexes)


@changes.on(e.FeaturesSeen)
def _features_seen(position: Position, event: e.FeaturesSeen) -> Position:
    known = {**position.features, **dict(zip(event.hexes, event.features, strict=True))}
    return replace(position, features={place: found for place, found in sorted(known.items()) if found})


@changes.on(e.IntelDropped)
def _intel_dropped(position: Position, event: e.IntelDropped) -> Position:
    return replace(position, intel={id: one for id, one in position.intel.items() if id not in event.units})


changes.complete(e.AnyEvent)


def apply(position: Position, event: Event) -> Position:
    """The position after an event, with what it brought the side whose turn begins."""
    return noted(position, event, changes.apply(position, event))
