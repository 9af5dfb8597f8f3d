"""The one door out: what a side may know of the table and of what happens on it.

Hidden under fog are enemies that nobody of the side sees, what does not show of those it sees, and whether its own
units are concealed, which would betray who watches them. What changes hands and what is lost is known to all.

Rules: PB-SPOT-13, PB-SPOT-17, PB-SPOT-19, PB-SPOT-20, PB-SPOT-21, PB-UNIT-18.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sandtable.kernel.events import Event, Order
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles import sequence
from sandtable.rulesets.panzer_battles.model import Intel, Position, Unit
from sandtable.rulesets.panzer_battles.orders import ChangeMode, Move
from sandtable.rulesets.panzer_battles.spotting.knowledge import as_known, is_stale, marker
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, UNKNOWN, levels


def view(state: State[Position], known: Position, side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them, given the position it knows."""
    decisions = tuple(one for one in sequence.decisions(state) if one.side == side)
    return View(side, known.turn, known, state.flow, decisions)


def is_fogged(position: Position) -> bool:
    """Whether anything is hidden (PB-SPOT-19)."""
    return position.ground.options.fog


def known_position(position: Position, side: SideId, before: Position | None = None) -> Position:
    """The position as a viewer may know it, made from scratch but for the markers of what he knew before; the very same
    object when nothing is hidden.
    """
    if not is_fogged(position):
        return position
    units = tuple([as_known(position, unit, side) for unit in position.units])
    return replace(
        position,
        units=units,
        unknowns=_unknowns(position, side),
        intel={} if before is None else _intel(position, side, before, units),
        shots=position.shots if position.active == side else {},
        viewer=side,
        derived=Derived(),
    )


def _unknowns(position: Position, side: SideId) -> tuple[HexId, ...]:
    """Where the viewer knows of units and not of what they are, one entry for each.

    Rules: PB-SPOT-15, PB-SPOT-17.
    """
    if side == SPECTATORS:
        return ()
    found = levels(position)
    return tuple(sorted(unit.hex for unit in position.units if unit.side != side and found[unit.id] == UNKNOWN))


def _intel(position: Position, side: SideId, before: Position, units: tuple[Unit, ...]) -> Mapping[UnitId, Intel]:
    """The markers that a viewer has, given what he knew before and the units he knows now."""
    lost = (old for old, new in zip(before.units, units, strict=True) if old.hex and not new.hex and not new.gone)
    marked = {**before.intel, **{unit.id: marker(unit, position.turn) for unit in lost}}
    return {
        id: one
        for id, one in sorted(marked.items())
        if not units[id].hex and not units[id].gone and not is_stale(position, one, side)
    }


# --- telling --------------------------------------------------------------------------------------------------------


# no event of the room is told by who sees its units alone
telling: Redactions[Position] = Redactions(lambda position, side: ())

SideEvent = e.CommandTested | e.Recovered | e.Rested | e.PointsRestored | e.MoveStopped
"""What happens among the units of one side."""


def _shows(position: Position, id: UnitId, side: SideId) -> bool:
    """Whether a viewer sees a unit: it is his own, or its enemy has it spotted."""
    return position.units[id].side == side or levels(position)[id] == SPOTTED


@telling.version(e.Concealed)
def _concealed(event: e.Concealed, before: Position, after: Position, side: SideId) -> e.Concealed | None:
    return None if is_fogged(after) else event


@telling.version(e.CommandTested)
@telling.version(e.Recovered)
@telling.version(e.Rested)
@telling.version(e.PointsRestored)
@telling.version(e.MoveStopped)
def _of_one_side(event: SideEvent, before: Position, after: Position, side: SideId) -> SideEvent | None:
    """What a side does with its own units; what shows of it is seen."""
    return event if not is_fogged(after) or event.side == side else None


@telling.version(e.Stepped)
def _stepped(event: e.Stepped, before: Position, after: Position, side: SideId) -> e.Stepped | None:
    """A step as far as it was seen; who comes into sight by it is told as that."""
    if not is_fogged(after):
        return event
    if after.units[event.unit].side == side:
        return replace(event, concealed=False) if event.concealed else event
    seen = _shows(before, event.unit, side) and _shows(after, event.unit, side)
    return replace(event, mp=0, concealed=False) if seen else None


@telling.version(e.Bumped)
def _bumped(event: e.Bumped, before: Position, after: Position, side: SideId) -> e.Bumped | None:
    if not is_fogged(after):
        return event
    return replace(event, revealed=()) if after.units[event.unit].side == side else None


@telling.version(e.ModeChanged)
def _mode_changed(event: e.ModeChanged, before: Position, after: Position, side: SideId) -> e.ModeChanged | None:
    if not is_fogged(after) or after.units[event.unit].side == side:
        return event
    seen = _shows(before, event.unit, side) and _shows(after, event.unit, side)
    return replace(event, mp=0, thirds=0) if seen else None


@telling.version(e.Fired)
def _fired(event: e.Fired, before: Position, after: Position, side: SideId) -> e.Fired | None:
    """A fire: its own side knows who fired, the others know it if they see him; what it was worth hangs on what nobody
    may know of the other.
    """
    if not is_fogged(after):
        return event
    firer, target = after.units[event.unit], after.units[event.target]
    if firer.side == side:
        return replace(event, lines=())
    if target.side != side and not (_shows(after, firer.id, side) and _shows(after, target.id, side)):
        return None
    told = replace(event, lines=(), mp=0, thirds=0)
    return told if _shows(after, firer.id, side) else replace(told, unit=NOBODY, start=NOWHERE)


@telling.version(e.Struck)
def _struck(event: e.Struck, before: Position, after: Position, side: SideId) -> e.Struck:
    """What came of a fire or an assault. Whoever was fired at had been spotted; of an attacker whom nobody sees it is
    known that he lost.

    Rules: PB-FIRE-62, PB-SPOT-18.
    """
    if not is_fogged(after) or after.units[event.unit].side == side:
        return event
    told = replace(event, strength=0, fatigue=0)
    if _shows(before, event.unit, side):
        return told
    return replace(told, unit=NOBODY, disrupted=False, broken=False, result="")


@telling.version(e.AssaultBegun)
def _assault_begun(event: e.AssaultBegun, before: Position, after: Position, side: SideId) -> e.AssaultBegun:
    """An assault: who of the attackers is seen; the defenders come into sight by themselves."""
    if not is_fogged(after):
        return event
    if event.side == side:
        return replace(event, revealed=())
    shown = tuple(id for id in event.units if _shows(before, id, side) and _shows(after, id, side))
    return replace(event, units=shown, mp=(0,) * len(shown), revealed=_own(after, event.revealed, side))


def _own(position: Position, ids: tuple[UnitId, ...], side: SideId) -> tuple[UnitId, ...]:
    """Those of the units that are the viewer's."""
    return tuple(id for id in ids if position.units[id].side == side)


telling.complete(e.AnyEvent)


def discern(known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
    """What came to a viewer's light or went out of his sight by an event, and the markers that are over.

    Rules: PB-SPOT-13, PB-SPOT-20, PB-SPOT-21.
    """
    if not is_fogged(after):
        return
    were, are = levels(before), levels(after)
    doubtful = {new.id for _, new in after.derived.changes(before.units, after.units)}
    if were is not are:
        doubtful.update(UnitId(id) for id, (old, new) in enumerate(zip(were, are, strict=True)) if old != new)
    wanted = [as_known(after, after.units[id], side) for id in sorted(doubtful)]
    others = [unit for unit in wanted if unit != known.units[unit.id]]
    seen = tuple(unit for unit in others if unit.hex or unit.gone)
    if seen:
        yield e.UnitsSeen(seen, tuple(unit.id for unit in seen if unit.hex and not known.units[unit.id].hex))
    if len(seen) < len(others):
        yield e.SightLost(tuple(unit.id for unit in others if not unit.hex and not unit.gone))
    unknowns = _unknowns(after, side)
    if unknowns != known.unknowns:
        yield e.UnknownsSeen(unknowns)
    stale = tuple(id for id, one in known.intel.items() if is_stale(after, one, side))
    if stale:
        seen_now = {unit.id for unit in seen}
        stale = tuple(id for id in stale if id not in seen_now)
        if stale:
            yield e.IntelDropped(stale)


def may_undo(position: Position, order: Order) -> bool:
    """Whether an order may be taken back: movement, and only without fog.

    Rules: PB-MOVE-3, PB-MOVE-4.
    """
    return not is_fogged(position) and isinstance(order, Move | ChangeMode)
