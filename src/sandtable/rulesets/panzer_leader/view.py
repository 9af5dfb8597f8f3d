"""The one door out: what a side may know of the table and of what happens on it.

Hidden are the enemy's written missions, what his face-down landing units are, and, with fog of war, his units that
are out of sight or unspotted in cover. Losses and the owners of ground are public, because points are.

Rules: PL-1102, PL-1401, PL-1507.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from operator import is_

from msgspec.structs import replace

from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOBODY, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.rulesets.panzer_leader import air, landing, sequence, sight
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader.changes import unflipped
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, OverrunFrame, StepFrame
from sandtable.rulesets.panzer_leader.ground import has_sea
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_leader.model import RESERVE, UNSEEN, Mover, Position, Sighting, Unit
from sandtable.rulesets.panzer_leader.terrain import is_concealing

_latest: list[tuple[State[Position], View[Position]]] = []


def view(state: State[Position], side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them; the latest is kept, for it is asked for twice."""
    for known_state, kept in _latest:
        if known_state is state and kept.side == side:
            return kept
    made = _view(state, side)
    _latest[:] = [(state, made)]
    return made


def _view(state: State[Position], side: SideId) -> View[Position]:
    decisions = sequence.decisions(state)
    if decisions and decisions[0].side != side:
        decisions = ()
    position, flow = known_position(state.position, side), state.flow
    if len(flow) > 1:
        flow = tuple(_known_frame(frame, position, side) for frame in flow)
    if not decisions and _is_enemy_step(position, side):
        position, flow = replace(position, step=""), (StepFrame(""),)
    return View(side, position.turn, position, flow, decisions)


def _is_enemy_step(position: Position, side: SideId) -> bool:
    """Whether the enemy is at a step that the fog hides: that he passed another over would tell what he can't do."""
    return position.ground.options.fog and position.phasing != side and position.step != "setup"


def _known_frame(frame: Frame, position: Position, side: SideId) -> Frame:
    """A frame without what the other side plans: where its unit goes next, and which unseen guns could fire."""
    match frame:
        case Journey() if frame.path and not frame.overruns and position.units[frame.unit].side != side:
            return replace(frame, path=())
        case OpportunityWindow() if frame.side != side:
            return replace(frame, firers=_in_sight(position, frame.firers))
        case OverrunFrame() if position.phasing != side:
            # an overrun is declared, but nobody declares what is out of sight
            return replace(
                frame,
                runs=tuple(run for run in frame.runs if position.units[run.unit].fate != UNSEEN),
                through=_in_sight(position, frame.through),
                drop=_in_sight(position, frame.drop),
            )
    return frame


def _in_sight(position: Position, units: tuple[UnitId, ...]) -> tuple[UnitId, ...]:
    return tuple(id for id in units if position.units[id].fate != UNSEEN)


def known_position(position: Position, side: SideId) -> Position:
    """The position as a side believes it to be; the very same object when nothing is hidden from it."""
    own = [mission for mission in position.missions if mission.side == side]
    if len(own) < len(position.missions):
        position = replace(position, missions=tuple(own))
    if has_sea(position.ground):
        position = _with_faces_down(position, side)
    if position.ground.options.fog:
        position = _fogged(position, side)
    return position


def _with_faces_down(position: Position, side: SideId) -> Position:
    """The enemy's landing units, at sea or waiting for it, are counters without a face, and what they carry is unseen.

    Rules: PL-1401, PL-1507.
    """
    waiting = landing.sea_arrivals(position)
    faceless = {
        unit.id
        for unit in position.units
        if unit.side != side
        and unit.kind != UNKNOWN
        and (unit.facedown or (unit.fate == RESERVE and unit.name in waiting))
    }
    if not faceless:
        return position
    return replace(
        position,
        units=tuple(
            _unseen(unit.id, unit.side)
            if unit.carrier in faceless
            else replace(unit, kind=UNKNOWN, name="", facing=0)
            if unit.id in faceless
            else unit
            for unit in position.units
        ),
    )


@cache
def _unseen(id: UnitId, side: SideId) -> Unit:
    """A unit of which a side knows no more than that there is one; always the same, so that it counts as unchanged."""
    return Unit(id, UNKNOWN, side, fate=UNSEEN)


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
    """The enemy units a side can't see, those that have not arrived yet included; none without fog of war.

    The latest are remembered for each side: most events of an order leave everybody where he is.
    """
    if not position.ground.options.fog:
        return frozenset()
    sources = (position.units, position.aircraft, position.sightings, position.smoke, position.bridges_down)
    known = position.ground.cache.get(("hidden", side))
    if known is not None and all(map(is_, known[0], sources)):
        latest: frozenset[UnitId] = known[1]
        return latest
    hidden = _hidden(position, side)
    position.ground.cache["hidden", side] = (sources, hidden)
    return hidden


def _hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    mask = sight.visible_mask(position, side)
    enemies = [unit for unit in position.units if unit.side != side]
    return frozenset(
        [
            unit.id
            for unit in enemies
            if unit.fate == RESERVE or (unit.hex and not is_visible(position, unit, side, mask))
        ]
    )


def _fogged(position: Position, side: SideId) -> Position:
    hidden = hidden_units(position, side)
    if not hidden:
        return position
    return replace(
        position,
        units=tuple([_unseen(unit.id, unit.side) if unit.id in hidden else unit for unit in position.units]),
        mover=_known_mover(position.mover, position, side, hidden),
        sightings=_known_sightings(position.sightings, hidden),
        works=tuple(work for work in position.works if work.unit not in hidden),
        block_builders=_seen(position.block_builders, hidden),
        landed=_seen(position.landed, hidden),
        mines=unflipped(position.mines, hidden),
    )


def _known_mover(mover: Mover | None, position: Position, side: SideId, hidden: frozenset[UnitId]) -> Mover | None:
    """The moving unit's account as a side can keep it: of its own without the eyes it can't see, of an enemy in sight
    only what shows.
    """
    if mover is None or mover.unit in hidden:
        return None
    unit = position.units[mover.unit]
    if unit.side == side:
        return replace(mover, exposure={id: spent for id, spent in mover.exposure.items() if id not in hidden})
    return Mover(mover.unit, unit.hex, exposure=mover.exposure, gait=mover.gait, dropped=mover.dropped)


def _known_sightings(sightings: tuple[Sighting, ...], hidden: frozenset[UnitId]) -> tuple[Sighting, ...]:
    """Who has been seen by whom, as far as both are known."""
    kept = (
        replace(s, witnesses=tuple(id for id in s.witnesses if id not in hidden))
        for s in sightings
        if s.unit not in hidden
    )
    return tuple(s for s in kept if s.witnesses)


def known(view: View[Position]) -> Hashable:
    """Which enemy units the side sees and what it takes them for, and whether a moving unit was challenged."""
    seen = tuple((unit.id, unit.kind) for unit in view.position.units if unit.side != view.side and unit.fate != UNSEEN)
    return seen, isinstance(view.flow[-1], OpportunityWindow)


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
    e.UnitRevealed: ("unit",),
    e.DieCast: ("unit",),
}


def redact(event: Event, position: Position, side: SideId) -> Event | None:
    """The event as a side may know it, or None when it may not; `position` is the table right after it."""
    match event:
        case e.MissionWritten():
            return event if event.mission.side == side else None
        case e.MissionsEnded() if event.side != side:
            return None
        case e.StepBegan() if event.side != side and _is_enemy_step(position, side):
            return None
        case e.StepBegan(step="mines") if position.ground.options.fog:
            return None  # it begins only when somebody stands on mines, and he may be unseen
        case e.UnitPlaced(unit=unit) if event.facedown and position.units[unit].side != side:
            event = replace(event, facing=0)
        case e.MissionFired() if event.mission.side != side:
            event = replace(event, mission=replace(event.mission, spotters=(), observers=()))
    hidden = hidden_units(position, side)
    return _fogged_event(event, position, side, hidden) if hidden else event


def _fogged_event(event: Event, position: Position, side: SideId, hidden: frozenset[UnitId]) -> Event | None:
    """The event without the units the side can't see, or None when it tells of nothing else."""
    fields = _ABOUT.get(type(event))
    if fields is not None:
        return None if any(getattr(event, field) in hidden for field in fields) else event
    match event:
        case e.UnitMoved():
            return _redacted_move(event, position, side, hidden)
        case e.MoverSet():
            mover = _known_mover(event.mover, position, side, hidden)
            return None if mover is None else e.MoverSet(mover)
        case e.AttackRolled():
            return _redacted_attack(event, hidden)
        case e.UnitsFired():
            seen = _seen(event.units, hidden)
            return replace(event, units=seen) if seen else None
        case e.Sighted():
            sightings = _known_sightings(event.sightings, hidden)
            return replace(event, sightings=sightings) if sightings else None
        case e.MissionFired():
            return replace(event, mission=replace(event.mission, firers=_seen(event.mission.firers, hidden)))
        case e.MineLaid() if event.flipped_by in hidden:
            return replace(event, flipped_by=NOBODY)
        case e.BlockPlaced() if event.by in hidden:
            return replace(event, by=NOBODY)
        case e.AircraftShotAt():
            return replace(event, firers=_seen(event.firers, hidden))
    return event


def _seen(units: tuple[UnitId, ...], hidden: frozenset[UnitId]) -> tuple[UnitId, ...]:
    return tuple(id for id in units if id not in hidden)


def _redacted_move(
    event: e.UnitMoved, position: Position, side: SideId, hidden: frozenset[UnitId]
) -> e.UnitMoved | None:
    """A move as far as the side saw it: of an enemy the stretch of path in its sight, and no account of what he
    spent.
    """
    mover = _known_mover(event.mover, position, side, hidden)
    if position.units[event.unit].side == side:
        assert mover is not None
        return replace(event, mover=mover)
    mask = sight.visible_mask(position, side)
    seen = tuple(place for place in event.path if mask[place] and not is_concealing(position, place))
    if mover is not None and (not seen or seen[-1] != event.path[-1]):
        seen = (*seen, event.path[-1])
    if not seen:
        return None
    return e.UnitMoved(event.unit, seen, mover or Mover(event.unit, seen[-1]))


def _redacted_attack(event: e.AttackRolled, hidden: frozenset[UnitId]) -> e.AttackRolled | None:
    """An attack on units the side can't see is nothing it notices; attackers it can't see stay unnamed, and so do
    their strengths.
    """
    if any(id in hidden for id in event.targets):
        return None
    if any(id in hidden for id in event.attackers):
        return replace(event, attackers=(), strength="", odds="", lines=())
    return event
