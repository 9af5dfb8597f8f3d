"""What each event does to the table: one small function per event, and nothing else changes a position."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.play.changes import Changes
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader import memory
from sandtable.rulesets.panzer_leader.kinds import OBSERVER, VEHICLES, aircraft_kinds
from sandtable.rulesets.panzer_leader.missions import batteries
from sandtable.rulesets.panzer_leader.model import (
    DESTROYED,
    EXITED,
    IN_PLAY,
    Aircraft,
    Mine,
    Mover,
    Position,
    Sighting,
    Unit,
    Work,
    unseen,
)
from sandtable.rulesets.panzer_leader.pieces import with_unit, with_units
from sandtable.rulesets.panzer_leader.stacks import passengers_of, riders

K = TypeVar("K")
V = TypeVar("V")

table: Changes[Position] = Changes()
change, apply = table.on, table.apply


def _with(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    return {**mapping, key: value}


def _without(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    return {k: v for k, v in mapping.items() if k != key}


@change(e.StepBegan)
def _step_began(position: Position, event: e.StepBegan) -> Position:
    return replace(position, step=event.step if event.open else position.step, mover=None, landed=())


@change(e.SegmentBegan)
def _segment_began(position: Position, event: e.SegmentBegan) -> Position:
    """The counts of PL-511 start anew; sightings older than the previous segment and spent smoke are gone."""
    rested = [
        replace(unit, attacked=(), moved=False, transported=False, assaults=NOWHERE)
        for unit in position.units
        if unit.moved or unit.attacked or unit.transported
    ]
    return with_units(
        position,
        rested,
        turn=event.turn,
        segment=event.segment,
        phasing=event.side,
        shelled=(),
        sightings=tuple(s for s in position.sightings if s.segment >= event.segment - 1),
        smoke=_lasting(position.smoke, event.segment),
        missions=tuple(mission for mission in position.missions if mission.due >= event.segment),
        mover=None,
        step="",
    )


def _lasting(smoke: Mapping[HexId, int], segment: int) -> Mapping[HexId, int]:
    """The smoke that still lies in a segment; the very same mapping when none has gone."""
    left = {place: until for place, until in smoke.items() if until >= segment}
    return left if len(left) < len(smoke) else smoke


@change(e.SegmentEnded)
def _segment_ended(position: Position, event: e.SegmentEnded) -> Position:
    """PL-508, PL-905: the owner's units are face-up; a unit dispersed in the enemy's segment has sat out its own."""
    recovered = [
        replace(unit, fired=False, dispersed=0)
        for unit in position.units
        if unit.side == event.side and (unit.fired or unit.dispersed)
    ]
    return with_units(position, recovered, mover=None)


@change(e.UnitRecovered)
def _unit_recovered(position: Position, event: e.UnitRecovered) -> Position:
    """It is told of; the end of the segment turns up all that were inverted."""
    return position


@change(e.UnitPlaced)
def _unit_placed(position: Position, event: e.UnitPlaced) -> Position:
    changed = [
        replace(position.units[event.unit], hex=event.hex, fate=IN_PLAY, facing=event.facing, facedown=event.facedown)
    ]
    changed += [replace(unit, hex=event.hex, fate=IN_PLAY) for unit in passengers_of(position, event.unit)]
    return with_units(position, changed)


@change(e.UnitMoved)
def _unit_moved(position: Position, event: e.UnitMoved) -> Position:
    unit = position.units[event.unit]
    place = event.path[-1]
    moved = [replace(unit, hex=place, last_fired=0)]
    if unit.kind in VEHICLES:
        for id in riders(position).get(unit.id, ()):
            moved.append(replace(position.units[id], hex=place, transported=True))
    return with_units(
        position,
        moved,
        mover=event.mover,
        sightings=_unless_of(position.sightings, unit.id),
        missions=_missions_without(position, unit.id),
    )


def _unless_of(sightings: tuple[Sighting, ...], unit: UnitId) -> tuple[Sighting, ...]:
    """The sightings of others; the very same when the unit is in none."""
    kept = [s for s in sightings if s.unit != unit] if sightings else sightings
    return tuple(kept) if len(kept) < len(sightings) else sightings


def _missions_without(position: Position, unit: UnitId) -> tuple[Any, ...]:
    """PL-1104, PL-910: a unit that moves, loads, is dispersed or is lost drops out of its missions."""
    if unit not in batteries(position):
        return position.missions
    kept = (replace(mission, firers=tuple(id for id in mission.firers if id != unit)) for mission in position.missions)
    return tuple(mission for mission in kept if mission.firers or mission.naval)


@change(e.MoverSet)
def _mover_set(position: Position, event: e.MoverSet) -> Position:
    return replace(position, mover=event.mover)


@change(e.MoveEnded)
def _move_ended(position: Position, event: e.MoveEnded) -> Position:
    mover = None if position.mover is not None and position.mover.unit == event.unit else position.mover
    return with_units(position, (replace(position.units[event.unit], moved=True),), mover=mover)


@change(e.MoveHalted)
def _move_halted(position: Position, event: e.MoveHalted) -> Position:
    return position


@change(e.MoveResumed)
def _move_resumed(position: Position, event: e.MoveResumed) -> Position:
    return position


@change(e.CrossingTried)
def _crossing_tried(position: Position, event: e.CrossingTried) -> Position:
    return position


@change(e.UnitExited)
def _unit_exited(position: Position, event: e.UnitExited) -> Position:
    fate = EXITED if event.allowed else DESTROYED
    gone = [position.units[event.unit], *passengers_of(position, event.unit)]
    for unit in gone:
        position = _gone(position, unit.id)
    return with_units(position, [replace(position.units[unit.id], fate=fate, worth=event.points) for unit in gone])


def _gone(position: Position, id: UnitId) -> Position:
    """The unit is off the table and out of every list that names it; what it was about nobody learns by that.

    Rules: PL-1507.
    """
    unit = position.units[id]
    lost = Unit(id, unit.kind, unit.side, fate=DESTROYED, facedown=unit.facedown, name=unit.name)
    position = memory.without(position, (id,))
    mover = None if position.mover is not None and position.mover.unit == id else position.mover
    return with_units(
        position,
        (lost,),
        mover=mover,
        missions=_missions_without(position, id),
        sightings=_sightings_without(position, id),
        works=tuple(work for work in position.works if work.unit != id),
        mines=unflipped(position.mines, (id,)),
    )


def unflipped(mines: Mapping[HexId, Mine], lifters: Collection[UnitId]) -> Mapping[HexId, Mine]:
    """The minefields without mention of these units; the very same mapping when they lift none."""
    if not any(mine.flipped_by in lifters for mine in mines.values()):
        return mines
    return {
        place: replace(mine, flipped_by=NOBODY) if mine.flipped_by in lifters else mine for place, mine in mines.items()
    }


def _sightings_without(position: Position, id: UnitId) -> tuple[Any, ...]:
    """PL-722, PL-723: a lost or dispersed witness watches no longer; a sighting without witnesses is over."""
    kept = (replace(s, witnesses=tuple(w for w in s.witnesses if w != id)) for s in position.sightings if s.unit != id)
    return tuple(s for s in kept if s.witnesses)


@change(e.UnitLoaded)
def _unit_loaded(position: Position, event: e.UnitLoaded) -> Position:
    position = with_unit(position, event.passenger, carrier=event.carrier, transported=True)
    missions = _missions_without(position, event.passenger)
    return replace(position, missions=missions, mover=event.mover or position.mover)


@change(e.UnitUnloaded)
def _unit_unloaded(position: Position, event: e.UnitUnloaded) -> Position:
    position = with_unit(position, event.passenger, carrier=NOBODY, transported=True, assaults=event.assaults)
    return replace(position, mover=event.mover or position.mover)


@change(e.FortEntered)
def _fort_entered(position: Position, event: e.FortEntered) -> Position:
    return with_unit(position, event.unit, fort=event.fort)


@change(e.FortLeft)
def _fort_left(position: Position, event: e.FortLeft) -> Position:
    return with_unit(position, event.unit, fort=NOBODY)


@change(e.FortCaptured)
def _fort_captured(position: Position, event: e.FortCaptured) -> Position:
    return with_unit(position, event.fort, side=event.side)


@change(e.AttackRolled)
def _attack_rolled(position: Position, event: e.AttackRolled) -> Position:
    return with_units(
        position,
        [
            replace(position.units[id], attacked=(*position.units[id].attacked, event.group))
            for id in event.targets
            if event.group and event.group not in position.units[id].attacked
        ],
    )


@change(e.AttackFailed)
def _attack_failed(position: Position, event: e.AttackFailed) -> Position:
    return position


@change(e.UnitsFired)
def _units_fired(position: Position, event: e.UnitsFired) -> Position:
    shown = {} if event.closely else {"last_fired": position.segment}
    return with_units(position, [replace(position.units[id], fired=True, **shown) for id in event.units])


@change(e.UnitDispersed)
def _unit_dispersed(position: Position, event: e.UnitDispersed) -> Position:
    """PL-904: a second dispersal changes nothing, not even when it happened."""
    unit = position.units[event.unit]
    if unit.dispersed:
        return position
    witnessed = tuple(replace(s, witnesses=tuple(w for w in s.witnesses if w != unit.id)) for s in position.sightings)
    return with_units(
        position,
        (replace(unit, dispersed=position.segment),),
        missions=_missions_without(position, unit.id),
        sightings=tuple(s for s in witnessed if s.witnesses),
    )


@change(e.UnitDestroyed)
def _unit_destroyed(position: Position, event: e.UnitDestroyed) -> Position:
    position = _gone(position, event.unit)
    if event.wreck:
        wrecks = _with(position.wrecks, event.wreck, position.wrecks.get(event.wreck, 0) + 1)
        position = replace(position, wrecks=wrecks)
    return position


@change(e.Sighted)
def _sighted(position: Position, event: e.Sighted) -> Position:
    again = {sighting.unit for sighting in event.sightings}
    kept = tuple(s for s in position.sightings if s.unit not in again)
    return replace(position, sightings=kept + event.sightings)


@change(e.MissionWritten)
def _mission_written(position: Position, event: e.MissionWritten) -> Position:
    return replace(position, missions=(*position.missions, event.mission))


@change(e.MissionStruck)
def _mission_struck(position: Position, event: e.MissionStruck) -> Position:
    at = position.missions.index(event.mission)
    return replace(position, missions=position.missions[:at] + position.missions[at + 1 :])


@change(e.MissionFired)
def _mission_fired(position: Position, event: e.MissionFired) -> Position:
    """Batteries of the same mission that hold their fire stay in the notes."""
    fired, kept, found = event.mission, [], False
    for mission in position.missions:
        if found or replace(mission, firers=fired.firers) != fired or not set(fired.firers) <= set(mission.firers):
            kept.append(mission)
            continue
        found = True
        holding = tuple(id for id in mission.firers if id not in fired.firers)
        if holding:
            kept.append(replace(mission, firers=holding))
    return replace(position, missions=tuple(kept))


@change(e.MissionsEnded)
def _missions_ended(position: Position, event: e.MissionsEnded) -> Position:
    return replace(
        position,
        missions=tuple(
            replace(m, held=True) if m.side == event.side and m.due == position.segment else m
            for m in position.missions
        ),
    )


@change(e.HexShelled)
def _hex_shelled(position: Position, event: e.HexShelled) -> Position:
    return replace(position, shelled=(*position.shelled, event.hex))


@change(e.SmokeLaid)
def _smoke_laid(position: Position, event: e.SmokeLaid) -> Position:
    return replace(position, smoke=_with(position.smoke, event.hex, event.until))


@change(e.NavalSpent)
def _naval_spent(position: Position, event: e.NavalSpent) -> Position:
    left = position.naval.get(event.side, 0) - event.points
    return replace(position, naval=_with(position.naval, event.side, left))


@change(e.NavalRefilled)
def _naval_refilled(position: Position, event: e.NavalRefilled) -> Position:
    return replace(position, naval=dict(event.points))


def _with_aircraft(position: Position, id: UnitId, **changes: Any) -> Position:
    fleet: list[Aircraft] = list(position.aircraft)
    fleet[id] = replace(fleet[id], **changes)
    return replace(position, aircraft=tuple(fleet))


@change(e.AircraftFlew)
def _aircraft_flew(position: Position, event: e.AircraftFlew) -> Position:
    return _with_aircraft(position, event.aircraft, hex=event.hex, flown=position.segment)


@change(e.AircraftShotAt)
def _aircraft_shot_at(position: Position, event: e.AircraftShotAt) -> Position:
    """PL-1208: X loses the aircraft; an abort sends it off the map for good."""
    if event.result == "X":
        return _with_aircraft(position, event.aircraft, hex=NOWHERE, fate=DESTROYED)
    if event.result == "abort":
        return _with_aircraft(position, event.aircraft, hex=NOWHERE, fate=EXITED)
    return _with_aircraft(position, event.aircraft, shot_at=position.segment)


@change(e.AircraftAttacked)
def _aircraft_attacked(position: Position, event: e.AircraftAttacked) -> Position:
    for id, weapon in event.used:
        if weapon == "mg":
            left = position.aircraft[id].strafes - 1
            position = _with_aircraft(position, id, attacked=event.hex, strafes=left)
        else:
            position = _with_aircraft(position, id, attacked=event.hex, ordnance="")
    return position


@change(e.AirPhaseEnded)
def _air_phase_ended(position: Position, event: e.AirPhaseEnded) -> Position:
    """PL-1206: an observer's hex of this air phase is its post until the next."""
    kinds = aircraft_kinds()
    fleet = tuple(
        replace(plane, hex=NOWHERE, attacked=NOWHERE)
        if plane.side == event.side and kinds[plane.kind].role != OBSERVER
        else plane
        for plane in position.aircraft
    )
    return replace(position, aircraft=fleet)


@change(e.WorkBegan)
def _work_began(position: Position, event: e.WorkBegan) -> Position:
    kept = tuple(work for work in position.works if work.unit != event.unit)
    return replace(position, works=(*kept, Work(event.unit, event.task, event.hex, 0, event.tries, event.since)))


@change(e.WorkAdvanced)
def _work_advanced(position: Position, event: e.WorkAdvanced) -> Position:
    return replace(
        position,
        works=tuple(
            replace(work, stage=event.stage, tries=event.tries, since=event.since) if work.unit == event.unit else work
            for work in position.works
        ),
    )


@change(e.WorkEnded)
def _work_ended(position: Position, event: e.WorkEnded) -> Position:
    return replace(position, works=tuple(work for work in position.works if work.unit != event.unit))


@change(e.MineLaid)
def _mine_laid(position: Position, event: e.MineLaid) -> Position:
    return replace(position, mines=_with(position.mines, event.hex, Mine(event.hex, event.flipped_by)))


@change(e.MineLifted)
def _mine_lifted(position: Position, event: e.MineLifted) -> Position:
    return replace(position, mines=_without(position.mines, event.hex))


@change(e.BlockPlaced)
def _block_placed(position: Position, event: e.BlockPlaced) -> Position:
    builders = position.block_builders if event.by == NOBODY else (*position.block_builders, event.by)
    return replace(position, blocks=(*position.blocks, event.hex), block_builders=builders)


@change(e.BlockRemoved)
def _block_removed(position: Position, event: e.BlockRemoved) -> Position:
    return replace(position, blocks=tuple(place for place in position.blocks if place != event.hex))


@change(e.BridgeDestroyed)
def _bridge_destroyed(position: Position, event: e.BridgeDestroyed) -> Position:
    return replace(position, bridges_down=(*position.bridges_down, event.hex))


@change(e.BridgeLaid)
def _bridge_laid(position: Position, event: e.BridgeLaid) -> Position:
    return with_unit(position, event.unit, hex=event.hex, side=event.side, fate=IN_PLAY)


@change(e.FacingSet)
def _facing_set(position: Position, event: e.FacingSet) -> Position:
    return with_unit(position, event.unit, facing=event.facing)


@change(e.UnitRevealed)
def _unit_revealed(position: Position, event: e.UnitRevealed) -> Position:
    return with_unit(position, event.unit, facedown=False, kind=event.kind, name=event.name)


@change(e.UnitLanded)
def _unit_landed(position: Position, event: e.UnitLanded) -> Position:
    return replace(position, landed=(*position.landed, event.unit))


@change(e.ControlTaken)
def _control_taken(position: Position, event: e.ControlTaken) -> Position:
    control: dict[HexId, SideId] = _with(position.control, event.hex, event.side)
    return replace(position, control=control)


@change(e.DieCast)
def _die_cast(position: Position, event: e.DieCast) -> Position:
    return position


@change(e.ContactMoved)
def _contact_moved(position: Position, event: e.ContactMoved) -> Position:
    known = with_units(replace(position, mover=event.mover), (event.unit,))
    return memory.without(known, (event.unit.id,))


@change(e.MovedOutOfSight)
def _moved_out_of_sight(position: Position, event: e.MovedOutOfSight) -> Position:
    mover = Mover(event.unit, event.path[-1])
    moved = replace(_unit_moved(position, e.UnitMoved(event.unit, event.path, mover)), mover=None)
    return _sight_lost(moved, e.SightLost((event.unit, *riders(moved).get(event.unit, ()))))


@change(e.UnitsSighted)
def _units_sighted(position: Position, event: e.UnitsSighted) -> Position:
    return memory.without(with_units(position, event.units), [unit.id for unit in event.units])


@change(e.SightLost)
def _sight_lost(position: Position, event: e.SightLost) -> Position:
    lost = {id: contact for id in event.units if (contact := memory.contact_with(position, id)) is not None}
    position = with_units(position, [unseen(id, position.units[id].side) for id in event.units])
    return replace(position, contacts=dict(sorted({**position.contacts, **lost}.items()))) if lost else position


@change(e.ContactsForgotten)
def _contacts_forgotten(position: Position, event: e.ContactsForgotten) -> Position:
    return memory.without(position, event.units)


@change(e.AccountsKnown)
def _accounts_known(position: Position, event: e.AccountsKnown) -> Position:
    accounts = ((name, getattr(event, name)) for name in event.__struct_fields__)
    return replace(position, **{name: account for name, account in accounts if account is not UNSET})


@change(e.BattleEnded)
def _battle_ended(position: Position, event: e.BattleEnded) -> Position:
    return replace(position, over=True, scores=dict(event.scores))


table.complete(e.AnyEvent)
