"""Which enemies a side sees: those in its sight and, in cover, spotted.

Rules: PL-1206, PL-1506, PL-1507.
"""

from __future__ import annotations

from operator import is_
from typing import Any

from sandtable.kernel.ids import NOWHERE, SPECTATORS, HexId, SideId, UnitId
from sandtable.rulesets.panzer_leader import air, sight
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, SIDES, Position, Sighting, Unit
from sandtable.rulesets.panzer_leader.stacks import MANY, occupancy
from sandtable.rulesets.panzer_leader.terrain import is_concealing


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
    """The enemy units a side can't see, those that have not arrived yet included; none without fog of war, and all
    while the sides set up. Spectators see what every side sees.

    Rules: PL-1506, PL-1507.
    """
    if not position.ground.options.fog:
        return NOBODY_HIDDEN
    if position.step == "setup" and is_set_up_unseen(position):
        return position.derived.part(_AT_SETUP[side], (position.units,), lambda: _others(position, side))
    sources = (position.units, position.sightings, *_others_in_sight(position))
    kept = position.derived.parts.get(_HIDDEN[side])
    if kept is not None and all(map(is_, kept[0], sources)):
        known: frozenset[UnitId] = kept[1]
        return known
    if side == SPECTATORS:
        return position.derived.part(_HIDDEN[side], sources, lambda: _hidden_from_either(position))
    # the watch that belongs to what is known now, before the question brings it up to date
    was = position.derived.parts.get(sight.WATCH[side])
    return position.derived.part(
        _HIDDEN[side],
        sources,
        lambda: _all_hidden(position, side),
        lambda hidden, before: _changed_hidden(position, side, hidden, before, was),
    )


def _others_in_sight(position: Position) -> tuple[object, ...]:
    """What matters for who is seen besides units and sightings; aircraft sight only who has fired of late, so that with
    them a new segment can hide units.

    Rules: PL-1206, PL-1507.
    """
    return (position.aircraft, position.aircraft and position.segment, position.smoke, position.bridges_down)


def is_set_up_unseen(position: Position) -> bool:
    """Whether units are set up in zones and the scenario does not say that the sides see each other at it: who could
    look while he places units, and place them anew, would scout for nothing.

    Rules: PL-1506, PL-1507.
    """
    scenario, rules = position.ground.scenario, position.ground.scenario.sections.setup
    return not rules.open and any(zone.side in rules.order for zone in scenario.zones)


def _others(position: Position, side: SideId) -> frozenset[UnitId]:
    units = position.units
    return frozenset([unit.id for unit in units if unit.side != side and not (unit.hex and KINDS[unit.kind].is_work)])


NOBODY_HIDDEN: frozenset[UnitId] = frozenset()
_AT_SETUP = {side: f"hidden from {side} at set-up" for side in (*SIDES, SPECTATORS)}
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
    if not all(map(is_, others, _others_in_sight(position))):
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
    turned = frozenset([id for id in judged if _is_hidden_enemy(position, id, side) != (id in hidden)])
    if not turned:
        return hidden
    now = hidden.symmetric_difference(turned)
    position.derived.keep(_TURNED[side], (hidden, now), turned)
    return now


def _is_hidden_enemy(position: Position, id: UnitId, side: SideId) -> bool:
    unit = position.units[id]
    return unit.side != side and is_hidden(position, unit, side)


def _hidden_from_either(position: Position) -> frozenset[UnitId]:
    """The units that one of the sides can't see; none is hidden from both, since its own sees it."""
    one, other = hidden_units(position, SIDES[0]), hidden_units(position, SIDES[1])

    def changed(known: frozenset[UnitId], before: Any) -> frozenset[UnitId]:
        turned = turned_between(position, SIDES[0], before[0], one) | turned_between(
            position, SIDES[1], before[1], other
        )
        hidden = known.symmetric_difference(turned)
        position.derived.keep(_TURNED[SPECTATORS], (known, hidden), turned)
        return hidden

    return position.derived.part("hidden from either", (one, other), lambda: one | other, changed)


_TURNED = {side: f"who came into sight of {side} or went out of it" for side in (*SIDES, SPECTATORS)}


def turned_between(
    position: Position, side: SideId, was: frozenset[UnitId], hidden: frozenset[UnitId]
) -> frozenset[UnitId]:
    """Who is in one of two sets of hidden units and not in the other: known without comparing them where the one was
    just made of the other.
    """
    if was is hidden:
        return NOBODY_HIDDEN
    return position.derived.part(_TURNED[side], (was, hidden), lambda: was ^ hidden)


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
    board = position.ground.board
    blind = sight.watch(position, side).blind
    doubtful = set() if blind is was.blind else set(was.blind ^ blind)
    own = [pair for pair in changed if pair[0].side == side or pair[1].side == side]
    for place in {unit.hex for pair in own for unit in pair if unit.hex}:
        doubtful.update((place, *board.neighbors(place)))
    if sightings is not position.sightings:
        doubtful.update([sighting.hex for sighting in (*sightings, *position.sightings)])
    elif own and sightings:
        names = {old.id for old, _ in own}
        doubtful.update([sighting.hex for sighting in sightings if not names.isdisjoint(sighting.witnesses)])
    return doubtful


def is_hidden(position: Position, unit: Unit, side: SideId) -> bool:
    """Whether an enemy unit has not arrived yet, or is on the table where the side can't see it."""
    return unit.fate == RESERVE or (unit.hex != NOWHERE and not is_visible(position, unit, side))


def is_searched(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a side would see whoever stood in a hex.

    Rules: PL-722, PL-1206, PL-1507.
    """
    if not is_concealing(position, place):
        planes = (plane for plane in position.aircraft if plane.side == side and plane.hex)
        if any(position.ground.board.distance(plane.hex, place) <= air.SIGHT for plane in planes):
            return True
        return sight.is_watched(position, side, place)
    return sight.has_spotter_beside(position, place, side) and sight.is_watched(position, side, place)
