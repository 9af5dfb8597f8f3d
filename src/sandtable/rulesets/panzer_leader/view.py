"""The one door out: what a side may know of the table and of what happens on it.

Hidden are the enemy's written missions, what his face-down landing units are, and, with fog of war, his units that
are out of sight or unspotted in cover. Losses and the owners of ground are public, because points are.

Rules: PL-1102, PL-1401, PL-1507.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import is_
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzer_leader import air, landing, sequence, sight
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader.changes import unflipped
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, OverrunFrame, StepFrame
from sandtable.rulesets.panzer_leader.ground import has_sea
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_leader.model import (
    RESERVE,
    SIDES,
    UNSEEN,
    Mover,
    Position,
    Sighting,
    Unit,
    unseen,
)
from sandtable.rulesets.panzer_leader.stacks import MANY, occupancy
from sandtable.rulesets.panzer_leader.terrain import is_concealing


def view(state: State[Position], known: Position, side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them, given the position it knows."""
    decisions, flow = decisions_of(state, side), state.flow
    if len(flow) > 1:
        flow = tuple(_known_frame(frame, known, side) for frame in flow)
    if not decisions and _is_secret_step(state.position, side):
        flow = (StepFrame(""),)
    return View(side, known.turn, known, flow, decisions)


def decisions_of(state: State[Position], side: SideId) -> tuple[Decision, ...]:
    """The decisions open to a side."""
    decisions = sequence.decisions(state)
    return decisions if decisions and decisions[0].side == side else ()


def _is_secret_step(position: Position, side: SideId) -> bool:
    """Whether the enemy is at a step that the fog hides: that he passed another over would tell what he can't do."""
    if not position.ground.options.fog or position.phasing == side or position.step in ("", "setup"):
        return False
    return side == SPECTATORS or not sequence.BY_KEY[position.step].enemy_decides


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
    """The position as a viewer may know it, made from scratch; the very same object when nothing is hidden from him."""
    own = [mission for mission in position.missions if mission.side == side]
    if len(own) < len(position.missions):
        position = replace(position, missions=tuple(own))
    if has_sea(position.ground):
        position = _with_faces_down(position, side)
    if position.ground.options.fog:
        is_secret = _is_secret_step(position, side)
        position = _fogged(position, side)
        if is_secret:
            position = replace(position, step="")
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
        derived=Derived(),
        units=tuple(
            unseen(unit.id, unit.side)
            if unit.carrier in faceless
            else replace(unit, kind=UNKNOWN, name="", facing=0)
            if unit.id in faceless
            else unit
            for unit in position.units
        ),
    )


def is_visible(position: Position, unit: Unit, side: SideId) -> bool:
    """Whether a side can see a unit that is on the table: its own always, the enemy's in sight and, in cover, when
    spotted.

    Rules: PL-1206, PL-1507.
    """
    if unit.side == side or KINDS[unit.kind].is_work:
        return True
    if position.aircraft and air.is_sighted_from_air(position, unit, side):
        return True
    if not sight.is_watched(position, side, unit.hex):
        return False
    return not is_concealing(position, unit.hex) or sight.is_spotted(position, unit, side)


def hidden_units(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemy units a side can't see, those that have not arrived yet included; none without fog of war. Spectators
    see what every side sees.
    """
    if not position.ground.options.fog:
        return NOBODY_HIDDEN
    sources = (position.units, position.sightings, position.aircraft, position.smoke, position.bridges_down)
    kept = position.derived.parts.get(_HIDDEN[side])
    if kept is not None and all(map(is_, kept[0], sources)):
        known: frozenset[UnitId] = kept[1]
        return known
    if side == SPECTATORS:
        return position.derived.part(
            _HIDDEN[side], sources, lambda: hidden_units(position, SIDES[0]) | hidden_units(position, SIDES[1])
        )
    # the watch that belongs to what is known now, before the question brings it up to date
    was = position.derived.parts.get(sight.WATCH[side])
    return position.derived.part(
        _HIDDEN[side],
        sources,
        lambda: _all_hidden(position, side),
        lambda hidden, before: _changed_hidden(position, side, hidden, before, was),
    )


NOBODY_HIDDEN: frozenset[UnitId] = frozenset()
_HIDDEN = {side: f"hidden from {side}" for side in (*SIDES, SPECTATORS)}


def _all_hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    # the watch is kept with it, so that the next time only what changed needs to be judged
    sight.watch(position, side)
    return frozenset([unit.id for unit in position.units if unit.side != side and is_hidden(position, unit, side)])


def _changed_hidden(position: Position, side: SideId, hidden: frozenset[UnitId], before: Any, was: Any) -> Any:
    """The same, with only those units judged anew that may have come into sight or left it; None when it could be
    anybody.
    """
    units, sightings, *others = before
    if was is None or was[0][0] is not units:
        return None
    if not all(map(is_, others, (position.aircraft, position.smoke, position.bridges_down))):
        return None
    changed = [pair for pair in position.derived.changes(units, position.units) if _shows(*pair)]
    if len(changed) > MANY:
        return None
    judged = {new.id for old, new in changed if new.side != side or old.side != side}
    stacks = occupancy(position).by_hex
    for place in _places_in_doubt(position, side, changed, sightings, was[1]):
        judged.update([unit.id for unit in stacks.get(place, ()) if unit.side != side])
    if not judged:
        return hidden
    unseen_now = [
        id for id in judged if position.units[id].side != side and is_hidden(position, position.units[id], side)
    ]
    now = hidden.difference(judged).union(unseen_now)
    return hidden if now == hidden else now


def _shows(old: Unit, new: Unit) -> bool:
    """Whether a change of a unit can matter to who sees it, or whom it sees."""
    return (
        old.hex != new.hex
        or old.fate != new.fate
        or old.side != new.side
        or old.kind != new.kind
        or old.dispersed != new.dispersed
        or old.carrier != new.carrier
        or old.fort != new.fort
        or old.last_fired != new.last_fired
    )


def _places_in_doubt(
    position: Position,
    side: SideId,
    changed: list[tuple[Unit, Unit]],
    sightings: tuple[Sighting, ...],
    was: sight.Watch,
) -> set[HexId]:
    """Where somebody may have come into a side's sight or left it: hexes that are watched now and were not, or the
    other way round, those beside units of its own that have changed, and those of sightings that begin, end or hang
    on a witness who has changed.
    """
    neighbors = position.ground.board.neighbors
    blind = sight.watch(position, side).blind
    doubtful = set() if blind is was.blind else set(was.blind ^ blind)
    own = [pair for pair in changed if pair[0].side == side or pair[1].side == side]
    for place in {unit.hex for pair in own for unit in pair if unit.hex}:
        doubtful.update((place, *neighbors(place)))
    if sightings is not position.sightings:
        doubtful.update([sighting.hex for sighting in (*sightings, *position.sightings)])
    elif own and sightings:
        names = {old.id for old, _ in own}
        doubtful.update([sighting.hex for sighting in sightings if not names.isdisjoint(sighting.witnesses)])
    return doubtful


def is_hidden(position: Position, unit: Unit, side: SideId) -> bool:
    """Whether an enemy unit has not arrived yet, or is on the table where the side can't see it."""
    return unit.fate == RESERVE or (unit.hex != NOWHERE and not is_visible(position, unit, side))


def _fogged(position: Position, side: SideId) -> Position:
    hidden = hidden_units(position, side)
    accounts = _accounts(position, side)
    if not hidden:
        same = all(account is getattr(position, name) for name, account in accounts.items())
        return position if same else replace(position, derived=Derived(), **accounts)
    units = tuple([unseen(unit.id, unit.side) if unit.id in hidden else unit for unit in position.units])
    return replace(position, units=units, derived=Derived(), **accounts)


def _accounts(position: Position, side: SideId) -> dict[str, Any]:
    """What a side knows of a move, of sightings, works and mines, as far as it sees those concerned; the very same
    where nothing is hidden.
    """
    hidden = hidden_units(position, side)
    return {
        "mover": _known_mover(position.mover, position, side, hidden),
        "sightings": _sightings_known_to(position, side, hidden),
        "works": tuple([work for work in position.works if work.unit not in hidden]) if hidden else position.works,
        "block_builders": _seen(position.block_builders, hidden),
        "landed": _seen(position.landed, hidden),
        "mines": unflipped(position.mines, hidden),
    }


def _known_mover(mover: Mover | None, position: Position, side: SideId, hidden: frozenset[UnitId]) -> Mover | None:
    """The moving unit's account as a side can keep it: of its own without the eyes it can't see, of an enemy in sight
    only what shows.
    """
    if mover is None or mover.unit in hidden:
        return None
    unit = position.units[mover.unit]
    exposure = mover.exposure
    if not hidden.isdisjoint(exposure):
        exposure = {id: spent for id, spent in exposure.items() if id not in hidden}
    if unit.side == side:
        return mover if exposure is mover.exposure else replace(mover, exposure=exposure)
    return Mover(mover.unit, unit.hex, exposure=exposure, gait=mover.gait, dropped=mover.dropped)


def _sightings_known_to(position: Position, side: SideId, hidden: frozenset[UnitId]) -> tuple[Sighting, ...]:
    """The sightings of the table as a side knows them."""
    sightings = position.sightings
    if not sightings or not hidden:
        return sightings
    return position.derived.part(_SIGHTINGS[side], (sightings, hidden), lambda: _known_sightings(sightings, hidden))


_SIGHTINGS = {side: f"sightings known to {side}" for side in (*SIDES, SPECTATORS)}


def _known_sightings(sightings: tuple[Sighting, ...], hidden: frozenset[UnitId]) -> tuple[Sighting, ...]:
    """Who has been seen by whom, as far as both are known."""
    kept = (
        s if hidden.isdisjoint(s.witnesses) else replace(s, witnesses=_seen(s.witnesses, hidden))
        for s in sightings
        if s.unit not in hidden
    )
    return tuple([s for s in kept if s.witnesses])


# --- telling --------------------------------------------------------------------------------------------------------

telling: Redactions[Position] = Redactions(hidden_units)


@telling.version(e.StepBegan)
def _step_began(event: e.StepBegan, before: Position, after: Position, side: SideId) -> e.StepBegan | None:
    """What step the enemy is at is his secret under fog, and so is a step that only begins because of hidden units."""
    if not after.ground.options.fog:
        return event
    if not event.open:
        return None
    if not _is_secret_step(after, side):
        return event
    return None if not before.step or _is_secret_step(before, side) else replace(event, step="")


@telling.version(e.UnitPlaced)
def _unit_placed(event: e.UnitPlaced, before: Position, after: Position, side: SideId) -> e.UnitPlaced | None:
    if event.unit in hidden_units(after, side):
        return None
    is_faceless = event.facedown and after.units[event.unit].side != side
    return replace(event, facing=0) if is_faceless else event


@telling.version(e.UnitMoved)
def _unit_moved(event: e.UnitMoved, before: Position, after: Position, side: SideId) -> e.UnitMoved | None:
    """A move as far as the side saw it: of an enemy the stretch of path in its sight, and no account of what he
    spent.
    """
    if not after.ground.options.fog:
        return event
    hidden = hidden_units(after, side)
    mover = _known_mover(event.mover, after, side, hidden)
    if after.units[event.unit].side == side:
        assert mover is not None
        return event if mover is event.mover else replace(event, mover=mover)
    seen = tuple(place for place in event.path if _is_open_to(after, place, side))
    if mover is not None and (not seen or seen[-1] != event.path[-1]):
        seen = (*seen, event.path[-1])
    if not seen:
        return None
    return e.UnitMoved(event.unit, seen, mover or Mover(event.unit, seen[-1]))


def _is_open_to(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a viewer sees whatever stands in a hex, because it is in his sight and gives no cover."""
    watching = SIDES if side == SPECTATORS else (side,)
    in_sight = all(sight.is_watched(position, one, place) for one in watching)
    return in_sight and not is_concealing(position, place)


@telling.version(e.MoverSet)
def _mover_set(event: e.MoverSet, before: Position, after: Position, side: SideId) -> e.MoverSet | None:
    if not after.ground.options.fog:
        return event
    mover = _known_mover(event.mover, after, side, hidden_units(after, side))
    if mover is event.mover:
        return event
    return None if mover is None else e.MoverSet(mover)


@telling.version(e.AttackRolled)
def _attack_rolled(event: e.AttackRolled, before: Position, after: Position, side: SideId) -> e.AttackRolled | None:
    """An attack on units the side can't see is nothing it notices; attackers it can't see stay unnamed, and so do
    their strengths.
    """
    hidden = hidden_units(after, side)
    if any(id in hidden for id in event.targets):
        return None
    if any(id in hidden for id in event.attackers):
        return replace(event, attackers=(), strength="", odds="", lines=())
    return event


@telling.version(e.UnitsFired)
def _units_fired(event: e.UnitsFired, before: Position, after: Position, side: SideId) -> e.UnitsFired | None:
    seen = _seen(event.units, hidden_units(after, side))
    if len(seen) == len(event.units):
        return event
    return replace(event, units=seen) if seen else None


@telling.version(e.Sighted)
def _sighted(event: e.Sighted, before: Position, after: Position, side: SideId) -> e.Sighted | None:
    hidden = hidden_units(after, side)
    if not hidden:
        return event
    sightings = _known_sightings(event.sightings, hidden)
    return replace(event, sightings=sightings) if sightings else None


@telling.version(e.MissionWritten)
def _mission_written(
    event: e.MissionWritten, before: Position, after: Position, side: SideId
) -> e.MissionWritten | None:
    return event if event.mission.side == side else None


@telling.version(e.MissionFired)
def _mission_fired(event: e.MissionFired, before: Position, after: Position, side: SideId) -> e.MissionFired:
    if event.mission.side == side:
        return event
    firers = _seen(event.mission.firers, hidden_units(after, side))
    return replace(event, mission=replace(event.mission, firers=firers, spotters=(), observers=()))


@telling.version(e.MineLaid)
def _mine_laid(event: e.MineLaid, before: Position, after: Position, side: SideId) -> e.MineLaid:
    return replace(event, flipped_by=NOBODY) if event.flipped_by in hidden_units(after, side) else event


@telling.version(e.BlockPlaced)
def _block_placed(event: e.BlockPlaced, before: Position, after: Position, side: SideId) -> e.BlockPlaced:
    return replace(event, by=NOBODY) if event.by in hidden_units(after, side) else event


@telling.version(e.AircraftShotAt)
def _aircraft_shot_at(event: e.AircraftShotAt, before: Position, after: Position, side: SideId) -> e.AircraftShotAt:
    seen = _seen(event.firers, hidden_units(after, side))
    return event if len(seen) == len(event.firers) else replace(event, firers=seen)


telling.complete(e.AnyEvent)


def _seen(units: tuple[UnitId, ...], hidden: frozenset[UnitId]) -> tuple[UnitId, ...]:
    return tuple(id for id in units if id not in hidden) if hidden else units


def discern(known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
    """What came to a side's light or went out of its sight by an event, and the accounts that changed with it.

    Rules: PL-1401, PL-1507.
    """
    if has_sea(after.ground):
        # where units lie face-down, sight is not all there is to it: everything is looked at
        wanted = known_position(after, side)
        accounts = {name: getattr(wanted, name) for name in ACCOUNTS}
        yield from _differences(known, zip(known.units, wanted.units, strict=True), accounts)
    elif after.ground.options.fog:
        hidden = hidden_units(after, side)
        was = hidden_units(before, side)
        doubtful = {new.id for _, new in after.derived.changes(before.units, after.units)}
        if was is not hidden:
            doubtful |= was ^ hidden
        pairs = (
            (known.units[id], unseen(id, after.units[id].side) if id in hidden else after.units[id])
            for id in sorted(doubtful)
        )
        yield from _differences(known, pairs, _accounts(after, side))


def _differences(known: Position, units: Iterable[tuple[Unit, Unit]], accounts: dict[str, Any]) -> Iterator[Event]:
    """The events that make what a side knows of units and accounts what it may know of them."""
    others = [new for old, new in units if old is not new and old != new]
    sighted = tuple([unit for unit in others if unit.fate != UNSEEN])
    if sighted:
        yield e.UnitsSighted(sighted)
    if len(sighted) < len(others):
        yield e.SightLost(tuple([unit.id for unit in others if unit.fate == UNSEEN]))
    changed = {name: account for name, account in accounts.items() if account != getattr(known, name)}
    if changed:
        yield e.AccountsKnown(**changed)


ACCOUNTS = e.AccountsKnown.__struct_fields__


def may_undo(position: Position, *, is_on_paper: bool) -> bool:
    """Whether an order may be taken back: under fog only one that entered no hex, looked at nothing and asked nothing
    of the truth, or taking back would be a free scout.

    Rules: PL-1507.
    """
    return is_on_paper or not position.ground.options.fog
