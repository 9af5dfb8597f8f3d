"""The one door out: what a side may know of the table and of what happens on it.

Hidden are the enemy's written missions, what his face-down landing units are, and, with fog of war, his units that
are out of sight or unspotted in cover, and the ground they took unseen. Losses are public.

Rules: PL-1102, PL-1401, PL-1507.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOBODY, SPECTATORS, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzer_leader import events as e
from sandtable.rulesets.panzer_leader import landing, memory, sequence, sight
from sandtable.rulesets.panzer_leader.changes import unflipped
from sandtable.rulesets.panzer_leader.combat import MINE_ATTACK, OVERRUN_ATTACK
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, OverrunFrame, StepFrame
from sandtable.rulesets.panzer_leader.ground import has_sea
from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN
from sandtable.rulesets.panzer_leader.looks import Places
from sandtable.rulesets.panzer_leader.model import (
    RESERVE,
    SIDES,
    UNSEEN,
    Contact,
    Mover,
    Position,
    Sighting,
    Unit,
    unseen,
)
from sandtable.rulesets.panzer_leader.terrain import is_concealing
from sandtable.rulesets.panzer_leader.visibility import hidden_units, is_searched, turned_between


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
            return replace(frame, firers=())
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


def known_position(position: Position, side: SideId, before: Position | None = None) -> Position:
    """The position as a viewer may know it, made from scratch but for what he remembers of what he knew before; the
    very same object when nothing is hidden from him. Who is told what happens on a table that he doesn't know whole
    works out of it for himself, or he and the table would take turns at making everything anew.
    """
    truth, missions = position, position.missions
    own = [mission for mission in missions if mission.side == side] if missions else missions
    if len(own) < len(missions):
        position = replace(position, missions=tuple(own))
    if has_sea(position.ground):
        position = _with_faces_down(position, side)
    if position.ground.options.fog:
        is_secret = _is_secret_step(position, side)
        position = _fogged(position, side, before)
        if is_secret:
            position = replace(position, step="", derived=Derived())
    contacts = {} if before is None else _contacts(truth, position, side, before)
    position = replace(position, contacts=contacts) if contacts != position.contacts else position
    return position if before is None or position is truth else replace(position, derived=Derived())


def _contacts(truth: Position, known: Position, side: SideId, before: Position) -> dict[UnitId, Contact]:
    """The enemies that a side remembers, given the table as it is, as he sees it now and as he knew it before."""
    found: dict[UnitId, Contact] = {}
    for unit in known.units:
        if unit.fate == UNSEEN:
            kept = before.contacts.get(unit.id) if not before.units[unit.id].hex else None
            contact = memory.contact_with(before, unit.id) or kept
            if contact is not None and not (kept and _is_forgotten(truth, contact, side)):
                found[unit.id] = contact
    return found


def _is_forgotten(position: Position, contact: Contact, side: SideId) -> bool:
    """Whether a viewer sees in a later turn that nobody is there any more; spectators remember for a turn."""
    if contact.turn >= position.turn:
        return False
    return side == SPECTATORS or is_searched(position, contact.unit.hex, side)


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


def _fogged(position: Position, side: SideId, before: Position | None) -> Position:
    hidden = hidden_units(position, side)
    accounts = _accounts(position, side, before)
    if not hidden:
        same = all(account is getattr(position, name) for name, account in accounts.items())
        return position if same else replace(position, derived=Derived(), **accounts)
    units = tuple([unseen(unit.id, unit.side) if unit.id in hidden else unit for unit in position.units])
    return replace(position, units=units, derived=Derived(), **accounts)


def _accounts(position: Position, side: SideId, before: Position | None) -> dict[str, Any]:
    """What a side knows of a move, of sightings, works, mines and ground, as far as it sees those concerned and
    remembers what it knew before; the very same where nothing is hidden.
    """
    hidden = hidden_units(position, side)
    return {
        "mover": _known_mover(position.mover, position, side, hidden),
        "sightings": _sightings_known_to(position, side, hidden),
        "works": tuple([work for work in position.works if work.unit not in hidden]) if hidden else position.works,
        "block_builders": _seen(position.block_builders, hidden),
        "landed": _seen(position.landed, hidden),
        "mines": unflipped(position.mines, hidden),
        "control": memory.known_control(position, side, hidden, before),
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
    if event.unit in hidden_units(after, side) or event.unit in hidden_units(before, side):
        return None  # one who comes into sight is told as that
    is_faceless = event.facedown and after.units[event.unit].side != side
    return replace(event, facing=0) if is_faceless else event


@telling.version(e.UnitMoved)
def _unit_moved(event: e.UnitMoved, before: Position, after: Position, side: SideId) -> Event | None:
    """A move as far as the side saw it: of an enemy the stretch of path in its sight, and no account of what he
    spent; one who comes into sight by it, or goes out of it, is told as that.
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
    unit = after.units[event.unit]
    if mover is None:
        return e.MovedOutOfSight(unit.id, seen)
    if not unit.facedown and unit.id in hidden_units(before, side):
        return e.ContactMoved(unit, seen, mover)
    return e.UnitMoved(unit.id, seen, mover)


def _is_open_to(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a viewer sees whatever stands in a hex, because it is in his sight and gives no cover."""
    watching = SIDES if side == SPECTATORS else (side,)
    in_sight = all(sight.is_watched(position, one, place) for one in watching)
    return in_sight and not is_concealing(position, place)


@telling.version(e.MoveHalted)
@telling.version(e.MoveResumed)
def _moment(
    event: e.MoveHalted | e.MoveResumed, before: Position, after: Position, side: SideId
) -> e.MoveHalted | e.MoveResumed | None:
    """The mover's side is told, and so are spectators who see the mover; who may react knows by being asked."""
    if side == SPECTATORS:
        return None if event.unit in hidden_units(after, side) else event
    return event if event.side == side else None


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
    """An attack on units a side can't see is nothing it notices, unless it is its own: of that it is told the die and
    what came of it, and no number that hangs on them. Attackers it can't see stay unnamed, and so do their strengths;
    those of an overrun in its sight are who it saw driving through, whatever it took them for.
    """
    hidden = hidden_units(after, side)
    if any(id in hidden for id in event.targets):
        if _attacking_side(event, after) != side:
            return None
        return replace(event, targets=_seen(event.targets, hidden), defense=0, odds="", drm=0, lines=(), unseen=True)
    if any(id in hidden for id in event.attackers):
        were_seen = event.how == OVERRUN_ATTACK and _is_open_to(after, event.hex, side)
        return replace(event, attackers=event.attackers if were_seen else (), strength="", odds="", lines=())
    return event


def _attacking_side(event: e.AttackRolled, after: Position) -> SideId | None:
    """Whose attack it is; nobody's when mines go off."""
    if event.attackers:
        return after.units[event.attackers[0]].side
    return None if event.how == MINE_ATTACK else after.phasing


@telling.version(e.UnitsFired)
def _units_fired(event: e.UnitsFired, before: Position, after: Position, side: SideId) -> e.UnitsFired | None:
    seen = _seen(event.units, hidden_units(after, side))
    if len(seen) == len(event.units):
        return event
    return replace(event, units=seen) if seen else None


@telling.version(e.Sighted)
def _sighted(event: e.Sighted, before: Position, after: Position, side: SideId) -> e.Sighted | None:
    """Who gave himself away, as far as he was in sight before: one who comes into sight by it is told as that."""
    hidden = hidden_units(after, side) | hidden_units(before, side)
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


@telling.version(e.HexShelled)
def _hex_shelled(event: e.HexShelled, before: Position, after: Position, side: SideId) -> e.HexShelled:
    """Whether the other side's shells found anybody tells who else stands there."""
    return event if after.phasing == side else replace(event, in_vain=False)


@telling.version(e.ControlTaken)
def _control_taken(event: e.ControlTaken, before: Position, after: Position, side: SideId) -> e.ControlTaken | None:
    """Ground taken by units that a side can't see changes hands without its knowledge."""
    if not after.ground.options.fog or event.side == side:
        return event
    seen = memory.shows_owner(after, event.hex, event.side, hidden_units(after, side))
    return event if seen else None


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
        wanted = known_position(after, side, known)
        accounts = {name: getattr(wanted, name) for name in ACCOUNTS}
        yield from _differences(known, zip(known.units, wanted.units, strict=True), accounts)
    elif after.ground.options.fog:
        hidden = hidden_units(after, side)
        was = hidden_units(before, side)
        doubtful = {new.id for _, new in after.derived.changes(before.units, after.units)}
        doubtful |= turned_between(after, side, was, hidden)
        pairs = (
            (known.units[id], unseen(id, after.units[id].side) if id in hidden else after.units[id])
            for id in sorted(doubtful)
        )
        yield from _differences(known, pairs, _accounts(after, side, known))
    if known.contacts:
        forgotten = tuple(_forgotten(known, before, after, side))
        if forgotten:
            yield e.ContactsForgotten(forgotten)


def _forgotten(known: Position, before: Position, after: Position, side: SideId) -> Iterator[UnitId]:
    """The contacts that are over by an event: those in whose hexes somebody of the side looks who did not, or all that
    are from an earlier turn when every look is another now. Those of units in sight again are over by that.
    """
    units = after.derived.changes(before.units, after.units)
    everywhere = (
        before.turn != after.turn
        or before.smoke is not after.smoke
        or before.aircraft is not after.aircraft
        or before.bridges_down is not after.bridges_down
        or any(KINDS[unit.kind].is_work for pair in units for unit in pair)
    )
    looks = [] if everywhere else [sight.look(after, new.hex) for _, new in units if new.side == side and new.hex]
    contacts = known.contacts
    where = known.derived.part("where contacts were", (contacts,), lambda: _last_seen_in(contacts))
    seen = set(where.numbers) if everywhere else {place for look in looks for place in look.among(where)}
    if not seen:
        return
    hidden = hidden_units(after, side)
    for contact in [one for id, one in contacts.items() if after.units[id].hex and one.turn < after.turn]:
        is_doubtful = contact.unit.hex in seen and contact.unit.id in hidden
        if is_doubtful and _is_forgotten(after, contact, side):
            yield contact.unit.id


def _last_seen_in(contacts: Mapping[UnitId, Contact]) -> Places:
    """The hexes in which contacts were last seen, with their number."""
    return Places(dict(Counter([contact.unit.hex for contact in contacts.values()])))


def _differences(known: Position, units: Iterable[tuple[Unit, Unit]], accounts: dict[str, Any]) -> Iterator[Event]:
    """The events that make what a side knows of units and accounts what it may know of them."""
    others = [new for old, new in units if old is not new and old != new]
    sighted = tuple([unit for unit in others if unit.fate != UNSEEN])
    if sighted:
        yield e.UnitsSighted(sighted, tuple([unit.id for unit in sighted if _is_contact(known, unit)]))
    if len(sighted) < len(others):
        gone = tuple([unit.id for unit in others if unit.fate == UNSEEN])
        yield e.SightLost(gone, known.units[gone[0]].hex)
    kept = ((name, account, getattr(known, name)) for name, account in accounts.items())
    changed = {name: account for name, account, old in kept if account is not old and account != old}
    if changed:
        yield e.AccountsKnown(**changed)


def _is_contact(known: Position, unit: Unit) -> bool:
    """Whether a unit on the table is one that the side did not see, or whose face it did not know."""
    return bool(unit.hex) and known.units[unit.id].kind == UNKNOWN != unit.kind


ACCOUNTS = e.AccountsKnown.__struct_fields__


def may_undo(position: Position, *, is_on_paper: bool) -> bool:
    """Whether an order may be taken back: under fog only one that entered no hex, looked at nothing and asked nothing
    of the truth, or taking back would be a free scout.

    Rules: PL-1507.
    """
    return is_on_paper or not position.ground.options.fog
