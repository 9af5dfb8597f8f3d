"""The one door out: what a side may know of the table and of what happens on it.

Hidden under fog are enemies that nobody of the side sees, what does not show of those it sees, and whether its own
units are concealed, which would betray who watches them. What changes hands and what is lost is known to all.

Rules: PB-SPOT-13, PB-SPOT-17, PB-SPOT-19, PB-SPOT-20, PB-SPOT-21, PB-UNIT-18.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sandtable.kernel.events import Event, Order
from sandtable.kernel.ids import SPECTATORS, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived, differing
from sandtable.rulesets.panzer_battles import events as e
from sandtable.rulesets.panzer_battles import sequence
from sandtable.rulesets.panzer_battles.formations import own_attachments
from sandtable.rulesets.panzer_battles.model import Intel, Position, Unit
from sandtable.rulesets.panzer_battles.movement.orders import ChangeRail, MoveColumn
from sandtable.rulesets.panzer_battles.orders import ChangeMode, Move, MoveLeavingBehind
from sandtable.rulesets.panzer_battles.organization.combining import is_part
from sandtable.rulesets.panzer_battles.spotting.features import known_features, news
from sandtable.rulesets.panzer_battles.spotting.fog import is_fogged
from sandtable.rulesets.panzer_battles.spotting.knowledge import as_known, is_stale, marker, stale
from sandtable.rulesets.panzer_battles.spotting.levels import levels, unknown_enemies


def view(state: State[Position], known: Position, side: SideId) -> View[Position]:
    """The table and the open decisions as that side knows them, given the position it knows."""
    decisions = tuple(one for one in sequence.decisions(state) if one.side == side)
    return View(side, known.turn, known, state.flow, decisions)


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
        features=known_features(position, side, {} if before is None else before.features),
        losses=_losses(position, side),
        hidden_losses={},
        exits={place: left for place, left in position.exits.items() if position.owners[place] == side},
        news={one: found for one, found in position.news.items() if one == side},
        attachments=own_attachments(position, side),
        supply={one: value for one, value in position.supply.items() if one == side},
        shots=position.shots if position.active == side else {},
        shells=position.shells if position.active == side else {},
        sightings={},
        opfire={one: settings for one, settings in position.opfire.items() if one == side},
        missions=tuple(one for one in position.missions if one.side == side),
        viewer=side,
        derived=Derived(),
    )


def _losses(position: Position, side: SideId) -> Mapping[SideId, Mapping[str, int]]:
    """The losses that a viewer knows: those that both sides saw, and all of his own (PB-FIRE-63)."""
    hidden = position.hidden_losses.get(side)
    if not hidden:
        return position.losses
    seen = position.losses.get(side, {})
    return {**position.losses, side: {kind: seen.get(kind, 0) + hidden.get(kind, 0) for kind in {**seen, **hidden}}}


def _unknowns(position: Position, side: SideId) -> tuple[HexId, ...]:
    """Where the viewer knows of units and not of what they are, one entry for each.

    Rules: PB-SPOT-15, PB-SPOT-17.
    """
    if side == SPECTATORS:
        return ()
    return tuple(sorted(position.units[id].hex for id in unknown_enemies(position, side)))


def _intel(position: Position, side: SideId, before: Position, units: tuple[Unit, ...]) -> Mapping[UnitId, Intel]:
    """The markers that a viewer has, given what he knew before and the units he knows now; whoever was combined with
    others before his eyes leaves none.
    """
    pairs = (pair for pair in zip(before.units, units, strict=True) if not is_part(position, pair[0].id))
    lost = (old for old, new in pairs if old.hex and not new.hex and not new.gone)
    marked = {**before.intel, **{unit.id: marker(position, unit, side) for unit in lost}}
    return {
        id: one
        for id, one in sorted(marked.items())
        if not units[id].hex and not units[id].gone and not is_stale(position, one, side)
    }


def discern(known: Position, before: Position, after: Position, side: SideId) -> Iterator[Event]:
    """What came to a viewer's light or went out of his sight by an event, and the markers that are over.

    Rules: PB-SPOT-13, PB-SPOT-20, PB-SPOT-21.
    """
    if not is_fogged(after):
        return
    were, are = levels(before), levels(after)
    doubtful = {new.id for _, new in after.derived.changes(before.units, after.units)}
    if were is not are:
        doubtful.update(map(UnitId, differing(were, are)))
    wanted = [as_known(after, after.units[id], side) for id in sorted(doubtful)]
    others = [unit for unit in wanted if unit != known.units[unit.id]]
    # one who was combined with others went out of nobody's sight
    seen = tuple(unit for unit in others if unit.hex or unit.gone or is_part(after, unit.id))
    if seen:
        yield e.UnitsSeen(seen, tuple(unit.id for unit in seen if unit.hex and not known.units[unit.id].hex))
    if len(seen) < len(others):
        yield e.SightLost(tuple(unit.id for unit in others if unit not in seen))
    features = tuple(news(known, before, after, side))
    if features:
        yield e.FeaturesSeen(tuple(place for place, _ in features), tuple(found for _, found in features))
    unknowns = _unknowns(after, side)
    if unknowns != known.unknowns:
        yield e.UnknownsSeen(unknowns)
    seen_now = {unit.id for unit in seen}
    dropped = tuple(id for id in stale(known, before, after, side) if id not in seen_now)
    if dropped:
        yield e.IntelDropped(dropped)


MOVEMENT = (Move, MoveLeavingBehind, MoveColumn, ChangeMode, ChangeRail)
"""The orders that Undo Movement takes back: they change position, points and mode (PB-MOVE-4)."""


def may_undo(position: Position, order: Order) -> bool:
    """Whether an order may be taken back: movement, be it by rail, and only without fog.

    Rules: PB-MOVE-3, PB-MOVE-4.
    """
    return not is_fogged(position) and isinstance(order, MOVEMENT)
