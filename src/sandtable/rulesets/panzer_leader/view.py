"""The one door out: what a side may know of the table and of what happens on it.

Hidden are the enemy's written missions, what his face-down landing units are, and, with fog of war, his units that
are out of sight or unspotted in cover. Losses are public, because points are.

Rules: PL-1102, PL-1401, PL-1507.
"""

from __future__ import annotations

from collections.abc import Hashable

from msgspec.structs import replace

from sandtable.kernel.events import Event
from sandtable.kernel.ids import NOBODY, NOWHERE, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.rulesets.panzer_leader import air, sequence, sight
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_leader.model import RESERVE, UNSEEN, Mover, Position, Unit
from sandtable.rulesets.panzer_leader.terrain import is_concealing


def view(state: State[Position], side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them."""
    decisions = sequence.decisions(state)
    if decisions and decisions[0].side != side:
        decisions = ()
    position = known_position(state.position, side)
    return View(side, position.turn, position, state.flow, decisions)


def known_position(position: Position, side: SideId) -> Position:
    """The position as a side believes it to be; the very same object when nothing is hidden from it."""
    if any(mission.side != side for mission in position.missions):
        position = replace(position, missions=tuple(m for m in position.missions if m.side == side))
    if position.ground.options.fog:
        position = _fogged(position, side)
    if any(unit.facedown and unit.side != side and unit.kind != UNKNOWN for unit in position.units):
        position = replace(
            position,
            units=tuple(
                replace(unit, kind=UNKNOWN, name="") if unit.facedown and unit.side != side else unit
                for unit in position.units
            ),
        )
    return position


def is_visible(position: Position, unit: Unit, side: SideId, mask: bytes) -> bool:
    """Whether a side can see a unit that is on the table: its own always, the enemy's in sight and, in cover, when
    spotted.

    Rules: PL-1206, PL-1507.
    """
    if unit.side == side or KINDS[unit.kind].is_work:
        return True
    if position.aircraft and air.is_sighted_from_air(position, unit, side):
        return True
    if not mask[unit.hex]:
        return False
    return not is_concealing(position, unit.hex) or sight.is_spotted(position, unit, side)


def hidden_units(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemy units a side can't see, those that have not arrived yet included; none without fog of war."""
    if not position.ground.options.fog:
        return frozenset()
    mask = sight.visible_mask(position, side)
    return frozenset(
        unit.id
        for unit in position.units
        if unit.side != side
        and (unit.fate == RESERVE or (unit.hex != NOWHERE and not is_visible(position, unit, side, mask)))
    )


def _fogged(position: Position, side: SideId) -> Position:
    hidden = hidden_units(position, side)
    if not hidden:
        return position
    units = tuple(
        Unit(unit.id, unit.kind, unit.side, fate=UNSEEN, name=unit.name) if unit.id in hidden else unit
        for unit in position.units
    )
    mover = position.mover
    return replace(
        position,
        units=units,
        mover=None if mover is not None and mover.unit in hidden else mover,
        sightings=tuple(s for s in position.sightings if s.unit not in hidden),
        works=tuple(work for work in position.works if work.unit not in hidden),
        block_builders=tuple(id for id in position.block_builders if id not in hidden),
        mines={
            place: replace(mine, flipped_by=NOBODY) if mine.flipped_by in hidden else mine
            for place, mine in position.mines.items()
        },
    )


def known(view: View[Position]) -> Hashable:
    """Which enemy units the side sees and what it takes them for."""
    return tuple((unit.id, unit.kind) for unit in view.position.units if unit.side != view.side and unit.fate != UNSEEN)


# Events that tell of one unit and mean nothing to a side that can't see it, with the fields that name the unit.
_ABOUT = {
    e.UnitPlaced: ("unit",),
    e.MoveEnded: ("unit",),
    e.CrossingTried: ("unit",),
    e.UnitLoaded: ("carrier", "passenger"),
    e.UnitUnloaded: ("carrier", "passenger"),
    e.FortEntered: ("unit",),
    e.FortLeft: ("unit",),
    e.UnitDispersed: ("unit",),
    e.UnitLanded: ("unit",),
    e.WorkBegan: ("unit",),
    e.WorkAdvanced: ("unit",),
    e.WorkEnded: ("unit",),
    e.FacingSet: ("unit",),
    e.DieCast: ("unit",),
}


def redact(event: Event, position: Position, side: SideId) -> Event | None:
    """The event as a side may know it, or None when it may not; `position` is the table right after it."""
    match event:
        case e.MissionWritten():
            return event if event.mission.side == side else None
        case e.MissionsEnded() if event.side != side:
            return None
        case e.MissionFired() if event.mission.side != side:
            return replace(event, mission=replace(event.mission, spotters=(), observers=()))
        case e.UnitPlaced(unit=unit) if event.facedown and position.units[unit].side != side:
            return event
    hidden = hidden_units(position, side)
    if not hidden:
        return event
    fields = _ABOUT.get(type(event))
    if fields is not None:
        return None if any(getattr(event, field) in hidden for field in fields) else event
    match event:
        case e.UnitMoved() | e.MoverSet():
            return _redacted_move(event, position, side, hidden)
        case e.AttackRolled():
            return _redacted_attack(event, side, position, hidden)
        case e.UnitsFired():
            seen = tuple(id for id in event.units if id not in hidden)
            return replace(event, units=seen) if seen else None
        case e.Sighted():
            sightings = tuple(s for s in event.sightings if s.unit not in hidden)
            return replace(event, sightings=sightings) if sightings else None
        case e.MineLaid() if event.flipped_by in hidden:
            return replace(event, flipped_by=NOBODY)
        case e.BlockPlaced() if event.by in hidden:
            return replace(event, by=NOBODY)
        case e.AircraftShotAt():
            return replace(event, firers=tuple(id for id in event.firers if id not in hidden))
        case e.ControlTaken() if event.side != side and not _sees_taker(event, position, side):
            return None
    return event


def _sees_taker(event: e.ControlTaken, position: Position, side: SideId) -> bool:
    mask = sight.visible_mask(position, side)
    return any(
        unit.hex == event.hex and unit.side != side and is_visible(position, unit, side, mask)
        for unit in position.units
    )


def _redacted_move(
    event: e.UnitMoved | e.MoverSet, position: Position, side: SideId, hidden: frozenset[UnitId]
) -> Event | None:
    """An enemy's move as far as the side saw it: the stretch of path in its sight, and no account of what he spent."""
    id = event.mover.unit
    if position.units[id].side == side:
        return event
    if isinstance(event, e.MoverSet):
        return None if id in hidden else event
    mask = sight.visible_mask(position, side)
    seen = tuple(place for place in event.path if mask[place] and not is_concealing(position, place))
    if id not in hidden and (not seen or seen[-1] != event.path[-1]):
        seen = (*seen, event.path[-1])
    if not seen:
        return None
    return e.UnitMoved(id, seen, Mover(id, seen[0]))


def _redacted_attack(
    event: e.AttackRolled, side: SideId, position: Position, hidden: frozenset[UnitId]
) -> Event | None:
    """An attack on units the side can't see is nothing it notices; attackers it can't see stay unnamed, and so do
    their strengths.
    """
    if any(id in hidden for id in event.targets):
        return None
    if any(id in hidden for id in event.attackers):
        return replace(event, attackers=(), strength="", odds="", lines=())
    return event
