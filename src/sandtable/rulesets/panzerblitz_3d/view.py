"""The one door out: what a side may know of the table and of what happens on it.

Hidden are the enemy's plots, assignments not yet revealed, designated targets and whether he has sealed his notes; and,
with fog of war, his units that are out of sight or unspotted in cover, and the ground they took unseen. Losses and
batteries are public.

Rules: PB3-502, PB3-503, PB3-1303.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOWHERE, SPECTATORS, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d import memory, sequence
from sandtable.rulesets.panzerblitz_3d.frames import Journey, OpportunityWindow, OverrunFrame
from sandtable.rulesets.panzerblitz_3d.model import (
    OVERRUN,
    SIDES,
    UNSEEN,
    Contact,
    Mover,
    Position,
    Unit,
    unseen,
)
from sandtable.rulesets.panzerblitz_3d.visibility import hidden_units, is_searched


def view(state: State[Position], known: Position, side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them, given the position it knows."""
    flow = state.flow
    if len(flow) > 1:
        flow = tuple(_known_frame(frame, known, side) for frame in flow)
    return View(side, known.turn, known, flow, decisions_of(state, side))


def decisions_of(state: State[Position], side: SideId) -> tuple[Decision, ...]:
    """The decisions open to a side."""
    return tuple(decision for decision in sequence.decisions(state) if decision.side == side)


def _known_frame(frame: Frame, position: Position, side: SideId) -> Frame:
    """A frame without what the other side plans: where its unit goes next, and which unseen guns could fire."""
    match frame:
        case Journey() if position.units[frame.unit].side != side:
            return replace(frame, path=frame.path if frame.overruns else (), behind=())
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
    truth = position
    position = _without_notes(position, side)
    if position.ground.options.fog:
        position = _fogged(position, side, before)
    contacts = {} if before is None else _contacts(truth, position, side, before)
    position = replace(position, contacts=contacts) if contacts != position.contacts else position
    return position if before is None or position is truth else replace(position, derived=Derived())


def _without_notes(position: Position, side: SideId) -> Position:
    """The position without what others have written down."""
    own: dict[str, Any] = {
        "plots": tuple([plot for plot in position.plots if position.batteries[plot.battery].side == side]),
        "assigned": tuple([id for id in position.assigned if position.units[id].side == side]),
        "sealed": tuple([one for one in position.sealed if one == side]),
        "shots": position.shots if position.phasing == side else (),
    }
    others = {name: notes for name, notes in own.items() if notes != getattr(position, name)}
    return replace(position, **others) if others else position


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


def _fogged(position: Position, side: SideId, before: Position | None) -> Position:
    hidden = hidden_units(position, side)
    accounts = _accounts(position, side, before)
    if not hidden:
        same = all(account is getattr(position, name) for name, account in accounts.items())
        return position if same else replace(position, derived=Derived(), **accounts)
    units = tuple([unseen(unit.id, unit.side) if unit.id in hidden else unit for unit in position.units])
    return replace(position, units=units, derived=Derived(), **accounts)


def _accounts(position: Position, side: SideId, before: Position | None) -> dict[str, Any]:
    """What a side knows of a move and of ground, as far as it sees those concerned and remembers what it knew before;
    the very same where nothing is hidden.
    """
    hidden = hidden_units(position, side)
    return {
        "mover": _known_mover(position.mover, position, side, hidden),
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
    return Mover(mover.unit, unit.hex, exposure=exposure)


# --- telling --------------------------------------------------------------------------------------------------------

telling: Redactions[Position] = Redactions(hidden_units)


def _seen(units: tuple[UnitId, ...], hidden: frozenset[UnitId]) -> tuple[UnitId, ...]:
    return tuple(id for id in units if id not in hidden) if hidden else units


@telling.version(e.UnitPlaced)
def _unit_placed(event: e.UnitPlaced, before: Position, after: Position, side: SideId) -> e.UnitPlaced | None:
    """One who comes into sight by it is told as that."""
    hidden = event.unit in hidden_units(after, side) or event.unit in hidden_units(before, side)
    return None if hidden else event


@telling.version(e.AssignmentsRevealed)
def _assignments_revealed(
    event: e.AssignmentsRevealed, before: Position, after: Position, side: SideId
) -> e.AssignmentsRevealed:
    """Of the enemy's units those in sight: what the others are at shows when they come into it."""
    seen = _seen(event.units, hidden_units(after, side))
    return event if len(seen) == len(event.units) else e.AssignmentsRevealed(seen)


@telling.version(e.BatteryFired)
def _battery_fired(event: e.BatteryFired, before: Position, after: Position, side: SideId) -> e.BatteryFired:
    """Where it was aimed, and who saw that, is its own side's secret (PB3-502)."""
    if after.batteries[event.battery].side == side:
        return event
    return replace(event, plotted=NOWHERE, seen=False, dice=(), rule="PB3-504")


@telling.version(e.UnitMoved)
def _unit_moved(event: e.UnitMoved, before: Position, after: Position, side: SideId) -> Event | None:
    """A move as far as the side saw it: of an enemy the stretch of path in its sight, and no account of what he
    spent; one who comes into sight by it is told as that.
    """
    if not after.ground.options.fog:
        return event
    hidden = hidden_units(after, side)
    mover = _known_mover(event.mover, after, side, hidden)
    if after.units[event.unit].side == side:
        assert mover is not None
        return event if mover is event.mover else replace(event, mover=mover)
    if mover is None:
        return None
    unit = after.units[event.unit]
    # in the fog every hex is a stretch of its own
    if unit.id in hidden_units(before, side):
        return e.ContactMoved(unit, event.path, mover)
    return e.UnitMoved(event.unit, event.path, mover)


@telling.version(e.MoveHalted)
@telling.version(e.MoveResumed)
def _moment(
    event: e.MoveHalted | e.MoveResumed, before: Position, after: Position, side: SideId
) -> e.MoveHalted | e.MoveResumed | None:
    """The mover's side is told, and so are spectators who see the mover; who may react knows by being asked."""
    if side == SPECTATORS:
        return None if event.unit in hidden_units(after, side) else event
    return event if event.side == side else None


@telling.version(e.AttackRolled)
def _attack_rolled(event: e.AttackRolled, before: Position, after: Position, side: SideId) -> e.AttackRolled | None:
    """An attack on units a side can't see is nothing it notices: only shells and mines strike whom their side does not
    see. Attackers it can't see stay unnamed, and so do their strengths; those of an overrun in its sight are who it
    saw driving through.
    """
    hidden = hidden_units(after, side)
    if any(id in hidden for id in event.targets):
        return None
    if any(id in hidden for id in event.attackers):
        were_seen = event.how == OVERRUN and _is_open_to(after, event.hex, side)
        return replace(event, attackers=event.attackers if were_seen else (), strength=0, odds="", lines=())
    return event


def _is_open_to(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a viewer sees whoever stands in a hex; spectators see what every side sees."""
    return all(is_searched(position, place, one) for one in (SIDES if side == SPECTATORS else (side,)))


@telling.version(e.AttackFailed)
def _attack_failed(event: e.AttackFailed, before: Position, after: Position, side: SideId) -> e.AttackFailed | None:
    """Its own side is told, but for shells that fell on nobody it sees."""
    unseen = any(id in hidden_units(after, side) for id in event.targets)
    return None if event.side != side or unseen else event


@telling.version(e.UnitsFired)
def _units_fired(event: e.UnitsFired, before: Position, after: Position, side: SideId) -> e.UnitsFired | None:
    seen = _seen(event.units, hidden_units(after, side))
    if len(seen) == len(event.units):
        return event
    return replace(event, units=seen) if seen else None


@telling.version(e.ControlTaken)
def _control_taken(event: e.ControlTaken, before: Position, after: Position, side: SideId) -> e.ControlTaken | None:
    """Ground taken by units that a side can't see changes hands without its knowledge."""
    if not after.ground.options.fog or event.side == side:
        return event
    seen = memory.shows_owner(after, event.hex, event.side, hidden_units(after, side))
    return event if seen else None


telling.complete(e.AnyEvent)


def discern(known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
    """What came to a side's light or went out of its sight by an event, and the accounts that changed with it.

    Rules: PB3-1303.
    """
    if not after.ground.options.fog:
        return
    hidden, was = hidden_units(after, side), hidden_units(before, side)
    doubtful = {new.id for _, new in after.derived.changes(before.units, after.units)}
    if was is not hidden:
        doubtful |= was ^ hidden
    wanted = [unseen(id, after.units[id].side) if id in hidden else after.units[id] for id in sorted(doubtful)]
    yield from _differences(known, wanted, _accounts(after, side, known))
    if known.contacts:
        forgotten = tuple(_forgotten(known, after, side, hidden))
        if forgotten:
            yield e.ContactsForgotten(forgotten)


def _forgotten(known: Position, after: Position, side: SideId, hidden: frozenset[UnitId]) -> Iterator[UnitId]:
    """The contacts that are over by an event; those of units in sight again are over by that."""
    for id, contact in known.contacts.items():
        if id in hidden and _is_forgotten(after, contact, side):
            yield id


def _differences(known: Position, wanted: list[Unit], accounts: dict[str, Any]) -> Iterator[Event]:
    """The events that make what a side knows of units and accounts what it may know of them."""
    others = [unit for unit in wanted if known.units[unit.id] is not unit and known.units[unit.id] != unit]
    sighted = tuple([unit for unit in others if unit.fate != UNSEEN])
    if sighted:
        yield e.UnitsSighted(sighted, tuple([unit.id for unit in sighted if _is_contact(known, unit)]))
    if len(sighted) < len(others):
        yield e.SightLost(tuple([unit.id for unit in others if unit.fate == UNSEEN]))
    kept = ((name, account, getattr(known, name)) for name, account in accounts.items())
    changed = {name: account for name, account, old in kept if account is not old and account != old}
    if changed:
        yield e.AccountsKnown(**changed)


def _is_contact(known: Position, unit: Unit) -> bool:
    """Whether a unit on the table is one that the side did not see."""
    return bool(unit.hex) and known.units[unit.id].fate == UNSEEN


def may_undo(position: Position, *, is_on_paper: bool) -> bool:
    """Whether an order may be taken back: under fog only one that entered no hex, looked at nothing and asked nothing
    of the truth, or taking back would be a free scout.

    Rules: PB3-1303.
    """
    return is_on_paper or not position.ground.options.fog
