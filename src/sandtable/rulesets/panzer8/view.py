"""What a side may know of the table. Only elements that lie hidden are kept from the enemy.

Rules: P8-13.01, P8-15.01.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOBODY, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzer8 import events as e
from sandtable.rulesets.panzer8 import sequence
from sandtable.rulesets.panzer8.frames import Journey
from sandtable.rulesets.panzer8.model import UNSEEN, Position, unseen
from sandtable.rulesets.panzer8.visibility import hidden


def view(state: State[Position], known: Position, side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them, given the position it knows."""
    mine = tuple(decision for decision in sequence.decisions(state) if decision.side == side)
    flow = state.flow
    if len(flow) > 1:
        flow = tuple(_known_frame(frame, known, side) for frame in flow)
    return View(side, known.turn, known, flow, mine)


def _known_frame(frame: Frame, position: Position, side: SideId) -> Frame:
    """A frame without what the other side plans: where its element goes next and what it means to do there."""
    if isinstance(frame, Journey) and position.elements[frame.unit].side != side:
        return Journey(frame.unit, (), 0)
    return frame


def known_position(position: Position, side: SideId) -> Position:
    """The position as a viewer may know it, made from scratch; the very same when nothing is hidden from him."""
    unknown = hidden(position, side)
    if not unknown:
        return position
    elements = tuple(unseen(one.id, one.side) if one.id in unknown else one for one in position.elements)
    # what was worked out of the position that he knew before helps to work it out of this one
    derived = position.derived.part(f"known to {side}", (position.ground,), Derived)
    return replace(position, elements=elements, derived=derived, **_accounts(position, unknown))


def _accounts(position: Position, unknown: frozenset[UnitId]) -> dict[str, Any]:
    """Effects and works as far as those they are about are known; the element that acted last likewise."""
    effects, works = position.effects, position.works
    if any(effect.unit in unknown for effect in effects):
        effects = tuple(replace(x, unit=NOBODY) if x.unit in unknown else x for x in effects)
    if any(work.unit in unknown for work in works):
        works = tuple(work for work in works if work.unit not in unknown)
    latest, urgent = position.latest, position.urgent
    return {
        "effects": effects,
        "works": works,
        "latest": NOBODY if latest in unknown else latest,
        "doing": "" if latest in unknown else position.doing,
        "urgent": NOBODY if urgent in unknown else urgent,
    }


telling: Redactions[Position] = Redactions(hidden)


@telling.version(e.EffectBegan)
def _effect_began(event: e.EffectBegan, before: Position, after: Position, side: SideId) -> e.EffectBegan:
    return replace(event, unit=NOBODY) if event.unit in hidden(after, side) else event


@telling.version(e.BatteryCalled)
def _battery_called(event: e.BatteryCalled, before: Position, after: Position, side: SideId) -> e.BatteryCalled:
    """Where shells were meant to fall, and whose eyes directed them, the enemy can't tell."""
    if event.side == side:
        return event
    return replace(event, unit=NOBODY, aimed=event.hex, roll=0, total=0)


telling.complete(e.AnyEvent)


def discern(known: Position, after: Position, side: SideId) -> Iterator[Event]:
    """What came to a side's light or went out of its sight by an event (P8-15.01)."""
    if not after.ground.options.hidden_setup:
        return
    unknown = hidden(after, side)
    wanted = [unseen(one.id, one.side) if one.id in unknown else one for one in after.elements]
    others = [new for old, new in zip(known.elements, wanted, strict=True) if old is not new and old != new]
    sighted = tuple(one for one in others if one.fate != UNSEEN)
    if sighted:
        yield e.ElementsSighted(sighted)
    if len(sighted) < len(others):
        yield e.SightLost(tuple(one.id for one in others if one.fate == UNSEEN))
    accounts = _accounts(after, unknown)
    changed = {name: value for name, value in accounts.items() if value != getattr(known, name)}
    if changed:
        yield e.AccountsKnown(**changed)


def may_undo(view_: View[Position], order: object) -> bool:
    """Nothing can be taken back while enemies may lie hidden: every look would be free."""
    return not view_.position.ground.options.hidden_setup
