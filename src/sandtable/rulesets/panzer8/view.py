"""What a side may know of the table. Only elements that lie hidden are kept from the enemy.

Rules: P8-13.01, P8-15.01.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Event, Frame
from sandtable.kernel.ids import NOBODY, SPECTATORS, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.fog import Redactions
from sandtable.rulesets.panzer8 import cover, sequence
from sandtable.rulesets.panzer8 import events as e
from sandtable.rulesets.panzer8.frames import Journey
from sandtable.rulesets.panzer8.kinds import COMMANDER, ENGINEERS, INFANTRY, WEAPON
from sandtable.rulesets.panzer8.model import (
    SIDES,
    UNSEEN,
    Element,
    Position,
    enemy_of,
    kind_of,
    on_table,
    unseen,
)
from sandtable.rulesets.panzer8.sight import sees

SMALL = (INFANTRY, ENGINEERS, COMMANDER, WEAPON)
SMALL_SEEN_AT, OTHERS_SEEN_AT = 12, 20
"""From how near an element that lies hidden is seen (P8-15.01)."""

NOBODY_HIDDEN: frozenset[UnitId] = frozenset()


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


def lies_hidden(position: Position, element: Element) -> bool:
    """Whether an element could lie hidden: in cover, and it has neither moved nor fired (P8-15.01)."""
    if element.has_moved or element.has_fired or not element.hex or element.carrier != NOBODY:
        return False
    return cover.in_hiding(position, element)


def is_hidden(position: Position, element: Element, side: SideId) -> bool:
    """Whether an enemy element lies hidden from a side: none of its elements that see the hex is near enough."""
    if not lies_hidden(position, element):
        return False
    near = SMALL_SEEN_AT if kind_of(element).kind in SMALL else OTHERS_SEEN_AT
    distance = position.ground.board.distance
    return not any(
        distance(one.hex, element.hex) <= near and sees(position, one.hex, element.hex)
        for one in on_table(position, side)
    )


def hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    """The enemy elements a side can't see; spectators see what every side sees."""
    if not position.ground.options.hidden_setup:
        return NOBODY_HIDDEN
    if side == SPECTATORS:
        return hidden(position, SIDES[0]) | hidden(position, SIDES[1])
    sources = (position.elements, position.smoke, position.effects)
    return position.derived.part(_HIDDEN[side], sources, lambda: _hidden(position, side))


_HIDDEN = {side: f"hidden from {side}" for side in SIDES}


def _hidden(position: Position, side: SideId) -> frozenset[UnitId]:
    foes = on_table(position, enemy_of(side))
    known = {one.id for one in position.elements if one.fate == UNSEEN and one.side != side}
    return frozenset(one.id for one in foes if is_hidden(position, one, side)) | known


def has_hidden(position: Position, side: SideId) -> bool:
    """Whether any enemy element lies hidden from a side: he knows how many there are, so this is no secret."""
    return bool(hidden(position, side))


def known_position(position: Position, side: SideId) -> Position:
    """The position as a viewer may know it, made from scratch; the very same when nothing is hidden from him."""
    unknown = hidden(position, side)
    if not unknown:
        return position
    elements = tuple(unseen(one.id, one.side) if one.id in unknown else one for one in position.elements)
    return replace(position, elements=elements, derived=Derived(), **_accounts(position, unknown))


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
