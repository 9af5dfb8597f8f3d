"""The one door out: what a side may know of the table and of what happens on it.

Until both plots are sealed each side knows its own alone, and nothing of whether the other has written anything. With
fog of war it never learns the enemy's orders but by what comes of them, and does not see his units out of sight.

Rules: P44-4.07, P44-5.03, P44-5.08.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzer_44 import events as e
from sandtable.rulesets.panzer_44 import sequence
from sandtable.rulesets.panzer_44.frames import Journey, OpportunityFrame
from sandtable.rulesets.panzer_44.model import UNSEEN, Contact, Position, unseen
from sandtable.rulesets.panzer_44.visibility import hidden, is_watched


def view(state: State[Position], known: Position, side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them, given the position it knows."""
    mine = tuple(decision for decision in sequence.decisions(state) if decision.side == side)
    flow = state.flow
    if len(flow) > 1:
        flow = tuple(_known_frames(flow, known, side))
    return View(side, known.turn, known, flow, mine)


def _known_frames(flow: tuple[Frame, ...], position: Position, side: SideId) -> Iterator[Frame]:
    """The frames without what the other side plans, and under fog without whether it may fire or who moves unseen."""
    fog = position.ground.options.fog
    for frame in flow:
        match frame:
            case OpportunityFrame() if fog and frame.side != side:
                continue
            case Journey() if position.units[frame.unit].side != side:
                if not fog or position.units[frame.unit].fate != UNSEEN:
                    yield Journey(frame.unit, ())
            case _:
                yield frame


# --- the position as a side knows it ----------------------------------------------------------------------------------


def is_secret(position: Position) -> bool:
    """Whether plots are secret now: until both are open, and with fog of war for good."""
    return position.ground.options.fog or (position.step == sequence.PLOT and not position.opened)


def _accounts(position: Position, side: SideId) -> dict[str, Any]:
    """What a side knows of orders, hits, works and movers; the very same where nothing is hidden.

    Rules: P44-5.08.
    """
    own = {
        "plots": _owned(position.plots, side),
        "sealed": _mine(position.sealed, side),
        "nonces": _mine(position.nonces, side),
    }
    if not position.ground.options.fog:
        return own
    unknown = hidden(position, side)
    return {
        **own,
        "asking": _of(position, position.asking, side),
        "shot": _seen(position.shot, unknown),
        "hits": tuple(hit for hit in position.hits if hit.unit not in unknown),
        "moving": NOBODY if position.moving in unknown else position.moving,
        "underway": position.underway and position.active == side,
        "occasion": position.occasion if _may_react(position, side) else None,
        "works": tuple(work for work in position.works if position.units[work.unit].side == side),
        "ranging": _own_ranging(position, side),
    }


def _owned(plots: tuple[Any, ...], side: SideId) -> tuple[Any, ...]:
    return tuple(plot for plot in plots if plot.side == side)


def _mine(mapping: Any, side: SideId) -> Any:
    return {owner: value for owner, value in mapping.items() if owner == side}


def _of(position: Position, unit: UnitId, side: SideId) -> UnitId:
    return unit if unit != NOBODY and position.units[unit].side == side else NOBODY


def _may_react(position: Position, side: SideId) -> bool:
    """Whether an occasion is one for that side."""
    return position.occasion is not None and side not in (position.units[position.occasion.unit].side, SPECTATORS)


def _own_ranging(position: Position, side: SideId) -> Any:
    names = {one.name for one in position.batteries if one.side == side}
    names |= {str(unit.id) for unit in position.units if unit.side == side}
    return {name: one for name, one in position.ranging.items() if name in names}


def _seen(units: tuple[UnitId, ...], unknown: frozenset[UnitId]) -> tuple[UnitId, ...]:
    return tuple(id for id in units if id not in unknown)


def known_position(position: Position, side: SideId, before: Position | None = None) -> Position:
    """The position as a viewer may know it, made from scratch but for what he remembers; the very same when nothing
    is hidden from him.
    """
    if not is_secret(position):
        return position
    accounts = _accounts(position, side)
    unknown = hidden(position, side)
    units = tuple(unseen(unit.id, unit.side) if unit.id in unknown else unit for unit in position.units)
    contacts = {} if before is None else _contacts(position, unknown, side, before)
    if unknown:
        accounts["units"] = units
    return replace(position, derived=Derived(), contacts=contacts, **accounts)


def _contacts(position: Position, unknown: frozenset[UnitId], side: SideId, before: Position) -> dict[UnitId, Contact]:
    """The enemies that a side remembers, given what it knew before."""
    found: dict[UnitId, Contact] = {}
    for id in sorted(unknown):
        was = before.units[id]
        kept = before.contacts.get(id)
        if was.hex:
            found[id] = Contact(was, before.turn)
        elif kept is not None and not _is_forgotten(position, kept, side):
            found[id] = kept
    return found


def _is_forgotten(position: Position, contact: Contact, side: SideId) -> bool:
    """Whether a viewer sees in a later turn that nobody is there any more; spectators remember for a turn."""
    if contact.turn >= position.turn:
        return False
    return side == SPECTATORS or is_watched(position, contact.unit.hex, side)


# --- telling ----------------------------------------------------------------------------------------------------------

telling: Redactions[Position] = Redactions(hidden)


@telling.version(e.PlotsOpened)
def _plots_opened(event: e.PlotsOpened, before: Position, after: Position, side: SideId) -> e.PlotsOpened:
    """Everybody sees both plots; with fog of war each his own alone."""
    if not after.ground.options.fog:
        return event
    return e.PlotsOpened(_owned(event.plots, side), _mine(event.commitments, side), _mine(event.nonces, side))


@telling.version(e.VictimAsked)
@telling.version(e.FireWasted)
@telling.version(e.OccasionGiven)
@telling.version(e.WorkAdvanced)
@telling.version(e.WorkEnded)
@telling.version(e.RangedIn)
@telling.version(e.SortieHeld)
def _own_business(event: Any, before: Position, after: Position, side: SideId) -> Event | None:
    """With fog of war what hangs on a side's orders is its own business."""
    return event if event.side == side or not after.ground.options.fog else None


@telling.version(e.MoveHalted)
def _move_halted(event: e.MoveHalted, before: Position, after: Position, side: SideId) -> e.MoveHalted | None:
    """The mover's side is told, and so are spectators who see the mover; who may fire knows by being asked."""
    if side == SPECTATORS:
        return None if event.unit in hidden(after, side) else event
    return event if event.side == side else None


@telling.version(e.Moved)
def _moved(event: e.Moved, before: Position, after: Position, side: SideId) -> e.Moved | None:
    """Whoever sees the unit come in is told, and where from if he saw it there."""
    if event.unit in hidden(after, side):
        return None
    return replace(event, start=NOWHERE) if event.unit in hidden(before, side) else event


@telling.version(e.AttackRolled)
def _attack_rolled(event: e.AttackRolled, before: Position, after: Position, side: SideId) -> e.AttackRolled | None:
    """An attack on a unit a side can't see is nothing it notices; an attacker it can't see stays unnamed."""
    unknown = hidden(after, side)
    if event.target in unknown:
        return None
    return replace(event, attacker=NOBODY, lines=()) if event.attacker in unknown else event


@telling.version(e.ShellsFell)
def _shells_fell(event: e.ShellsFell, before: Position, after: Position, side: SideId) -> e.ShellsFell:
    """Where shells were meant to fall and whose eyes directed them the enemy can't tell under fog."""
    if event.side == side or not after.ground.options.fog:
        return event
    unit = NOBODY if event.unit in hidden(after, side) else event.unit
    return e.ShellsFell(event.side, event.pattern, event.hex, unit, event.support, event.origin)


telling.complete(e.AnyEvent)


def discern(known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
    """What came to a side's light or went out of its sight by an event, and the accounts that changed with it."""
    if not is_secret(after):
        return
    if after.ground.options.fog:
        unknown = hidden(after, side)
        doubtful = {new.id for _, new in after.derived.changes(before.units, after.units)}
        doubtful |= unknown ^ hidden(before, side)
        wanted = ((id, unseen(id, after.units[id].side) if id in unknown else after.units[id]) for id in doubtful)
        others = [unit for id, unit in sorted(wanted) if known.units[id] != unit]
        sighted = tuple(unit for unit in others if unit.fate != UNSEEN)
        if sighted:
            new = tuple(unit.id for unit in sighted if unit.hex and known.units[unit.id].fate == UNSEEN)
            yield e.UnitsSighted(sighted, new)
        lost = tuple(unit.id for unit in others if unit.fate == UNSEEN)
        if lost:
            yield e.SightLost(lost)
        if known.contacts:
            kept = {id: one for id, one in known.contacts.items() if id in unknown and id not in lost}
            over = tuple(id for id, one in kept.items() if _is_forgotten(after, one, side))
            if over:
                yield e.ContactsForgotten(over)
    accounts = _accounts(after, side)
    changed = {name: value for name, value in accounts.items() if value != getattr(known, name)}
    if changed:
        yield e.AccountsKnown(**changed)


def may_undo(position: Position, *, is_on_paper: bool) -> bool:
    """Whether an order may be taken back: under fog only one that looked at nothing and asked nothing of the truth."""
    return is_on_paper or not position.ground.options.fog
