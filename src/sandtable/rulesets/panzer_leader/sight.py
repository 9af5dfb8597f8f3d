"""Who sees what, and who has been spotted.

Rules: PL-702, PL-721, PL-722, PL-723.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import is_
from typing import NamedTuple

import msgspec

from sandtable.geometry.sight import AREA, BLOCKS, BLOCKS_BESIDE_LOWER, BLOCKS_NEAR_LOWER, ONE_ALLOWED, Obstruction
from sandtable.kernel.ids import NOBODY, NOWHERE, SPECTATORS, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader.combat import rides_outside
from sandtable.rulesets.panzer_leader.events import Sighted
from sandtable.rulesets.panzer_leader.kinds import KINDS, WORKS
from sandtable.rulesets.panzer_leader.looks import (
    BROWN,
    BROWN_AT_CREST,
    CREST,
    GREEN,
    TOWN,
    Looks,
    Places,
    Row,
    past_smoke,
    sight_on,
)
from sandtable.rulesets.panzer_leader.model import SIDES, Position, Sighting, Unit, unseen
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from sandtable.rulesets.panzer_leader.stacks import MANY, active, by_id, occupancy, places_of
from sandtable.rulesets.panzer_leader.terrain import WOODED, has_bridge, is_concealing

_REASONS = {
    (GREEN, BLOCKS): ("woods", "PL-707"),
    (GREEN, BLOCKS_BESIDE_LOWER): ("directly behind woods", "PL-708"),
    (BROWN, BLOCKS): ("slope", "PL-707"),
    (BROWN, BLOCKS_NEAR_LOWER): ("brown near ground unit", "PL-709"),
    (CREST, BLOCKS): ("crest", "PL-707"),
    (CREST, ONE_ALLOWED): ("second crest", "PL-707"),
    (AREA + TOWN, BLOCKS): ("town", "PL-706"),
    (AREA + TOWN, BLOCKS_BESIDE_LOWER): ("directly behind town", "PL-708"),
}

_MOST_LOOKS = 64
"""How many states of smoke and bridges a ground remembers the looks of, lest the list grow forever."""

_BLIND = frozenset(key for key, printed in KINDS.items() if printed.is_soft_carrier) | WORKS

# --- the line --------------------------------------------------------------------------------------------------


def sees(position: Position, a: HexId, b: HexId) -> bool:
    """Whether there is a line of sight between two hexes, smoke included, streams not.

    Rules: PL-702, PL-710, PL-1609.
    """
    ground = position.ground
    if not sight_on(ground).sees(a, b):
        return False
    return not position.smoke or all(past_smoke(ground, h).sees(a, b) for h in position.smoke)


def why_unseen(position: Position, a: HexId, b: HexId) -> Line | None:
    """What stands between two hexes and where, or None when one sees the other."""
    board = position.ground.board
    blocked = sight_on(position.ground).why(a, b)
    if blocked is not None:
        word, rule = _reason(blocked)
        return Line(word, board.label(blocked.hex), RuleId(rule))
    for place in position.smoke:
        if not past_smoke(position.ground, place).sees(a, b):
            return Line("smoke", board.label(place), RuleId("PL-1609"))
    return None


def obstacle(position: Position, a: HexId, b: HexId) -> Line | None:
    """The same as the map shows it: green on a side with no woods beside it is a hedge."""
    line, blocked = why_unseen(position, a, b), sight_on(position.ground).why(a, b)
    if line is None or blocked is None or blocked.code != GREEN:
        return line
    board = position.ground.board
    beside = (blocked.hex, board.neighbor(blocked.hex, blocked.direction))
    if any(board.terrain[place] in WOODED for place in beside if place):
        return line
    return msgspec.structs.replace(line, label=line.label.replace("woods", "a hedge"))


def _reason(blocked: Obstruction) -> tuple[str, str]:
    code = BROWN if blocked.code == BROWN_AT_CREST else blocked.code
    return _REASONS[code, blocked.effect]


# --- what a unit observes -------------------------------------------------------------------------------------------


def is_in_stream(position: Position, place: HexId) -> bool:
    """Whether a hex is a stream without a bridge that stands."""
    return position.ground.board.terrain[place] == "stream" and not has_bridge(position, place)


def _open_streams(position: Position) -> frozenset[HexId]:
    """The stream hexes without a bridge."""
    cache, down = position.ground.cache, position.bridges_down
    streams: frozenset[HexId] | None = cache.get(("streams", down) if down else "streams")
    if streams is None:
        board = position.ground.board
        streams = frozenset(
            h for h in board.hexes if board.terrain[h] == "stream" and (h in down or not board.has_feature(h, "bridge"))
        )
        cache[("streams", down) if down else "streams"] = streams
    laid = occupancy(position).bridges if streams else None
    return streams.difference(laid) if laid else streams


def look(position: Position, place: HexId) -> Row:
    """What a unit standing here observes, asked by hex: 1 for each hex it does.

    A stream lies deep: it is seen from ground level only when adjacent, and from within it only what is adjacent.

    Rules: PL-712, PL-713, PL-1609.
    """
    return looks(position)[place]


def looks(position: Position) -> Looks:
    """What is observed from each hex while smoke and bridges stay as they are."""
    smoke, down, parts = position.smoke, position.bridges_down, position.derived.parts
    # asked for every shot of every order, so the latest is looked at without a call
    who, kept = parts.get("occupancy"), parts.get("looks")
    laid = who[1].bridges if who is not None and who[0][0] is position.units else occupancy(position).bridges
    if kept is not None:
        sources = kept[0]
        if sources[0] is smoke and sources[1] is down and sources[2] is laid:
            known: Looks = kept[1]
            return known
    return position.derived.part("looks", (smoke, down, laid), lambda: _find_looks(position))


def _find_looks(position: Position) -> Looks:
    """The looks past this smoke and these bridges, remembered with the ground."""
    streams, smoke = _open_streams(position), tuple(position.smoke)
    kept: dict[object, Looks] = position.ground.cache.setdefault("looks", {})
    found = kept.get((streams, smoke))
    if found is None:
        if len(kept) >= _MOST_LOOKS:
            kept.clear()
        found = kept[streams, smoke] = Looks(position.ground, streams, smoke)
    return found


def can_observe(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether the unit, where it stands, sees what is in a hex.

    Rules: PL-712, PL-713.
    """
    return look(position, unit.hex)[place] != 0


# --- what a side observes -------------------------------------------------------------------------------------------


def is_watched(position: Position, side: SideId, place: HexId) -> bool:
    """Whether some unit of the side observes a hex."""
    found = looks(position)
    if found.is_small:
        seen_from = found.onto(place)
        return any(seen_from[u.hex] and u.kind not in WORKS for u in active(position, side))
    known = watch(position, side)
    count = known.seen_by.numbers.get(place)
    if count is not None:
        return count > 0
    return place in known.eyes.numbers or bool(known.looks.eyes_on(place, known.eyes))


def field(position: Position, places: Iterable[HexId]) -> set[HexId]:
    """Every hex that is observed from one of these: for showing it on the map, which asks for the whole of it."""
    found, seen = looks(position), set[HexId]()
    for place in places:
        bare, row = found.bare.visible(place), found[place]
        # a hex with a clear line may still be hidden by smoke or by its depth; the others need not be judged again
        seen.update(HexId(h) for h, clear in enumerate(bare) if clear and h not in seen and row[h])
    return seen


def watchers(position: Position, side: SideId, place: HexId) -> list[Unit]:
    """The side's units that observe a hex, in order of their numbers."""
    found = looks(position)
    if found.is_small:
        eyes, places = occupancy(position).troops(side).eyes()
        row: bytes = found.onto(place)
        return [eyes[n] for n, eye in enumerate(places) if row[eye]]
    stacks, known = occupancy(position).by_hex, watch(position, side)
    eyed = known.looks.eyes_on(place, known.eyes)
    return sorted([unit for eye in eyed for unit in stacks[eye] if _looks_for(unit, side)], key=by_id)


def has_enemy_in_sight(position: Position, side: SideId) -> bool:
    """Whether a side observes any enemy at all."""
    found = looks(position)
    if not found.is_small:
        return any(watch(position, side).seen_by.numbers.values())
    places = places_of(position, enemy_of(side))
    for unit in active(position, side):
        if unit.kind not in WORKS:
            row = found[unit.hex]
            for place in places:
                if row[place]:
                    return True
    return False


class Watch(NamedTuple):
    """What a side observes of its enemy: its eyes by hex with the number of units there, and for each hex with enemies
    how many eyes see it; `blind` are those of them that none sees.
    """

    eyes: Places
    seen_by: Places
    blind: frozenset[HexId]
    looks: Looks


def watch(position: Position, side: SideId) -> Watch:
    """What a side observes of its enemy, worked out of what it observed before and who has moved since."""
    sources = (position.units, position.smoke, position.bridges_down)
    kept = position.derived.parts.get(WATCH[side])
    if kept is not None and all(map(is_, kept[0], sources)):
        known: Watch = kept[1]
        return known
    return position.derived.part(
        WATCH[side],
        sources,
        lambda: _watch_of(position, side),
        lambda known, before: _changed_watch(position, side, known, before[0]),
    )


WATCH = {side: f"watch of {side}" for side in (*SIDES, SPECTATORS)}


def eyes_of(position: Position, side: SideId) -> Places:
    """From where a side looks, with the number of units there."""
    return position.derived.follow(
        _EYES[side],
        position.units,
        lambda units: _changed_eyes(Places({}), ((unseen(unit.id, unit.side), unit) for unit in units), side),
        lambda known, changed, units: _changed_eyes(known, changed, side),
    )


_EYES = {side: f"eyes of {side}" for side in (*SIDES, SPECTATORS)}


def _changed_eyes(known: Places, changed: Iterable[tuple[Unit, Unit]], side: SideId) -> Places:
    """The eyes counted anew where units have come, gone or moved."""
    steps = [
        (unit.hex, step)
        for old, new in changed
        if old.hex != new.hex or old.side != new.side
        for unit, step in ((old, -1), (new, 1))
        if _looks_for(unit, side)
    ]
    if not steps:
        return known
    eyes = known.numbers.copy()
    for place, step in steps:
        eyes[place] = eyes.get(place, 0) + step
    for place in {place for place, _ in steps if not eyes[place]}:
        del eyes[place]
    return Places(eyes)


def _watch_of(position: Position, side: SideId) -> Watch:
    found, eyes = looks(position), eyes_of(position, side)
    places = dict.fromkeys(unit.hex for unit in active(position, enemy_of(side)))
    seen_by = {place: len(found.eyes_on(place, eyes)) for place in places}
    return Watch(eyes, Places(seen_by), frozenset([place for place, count in seen_by.items() if not count]), found)


def _changed_watch(position: Position, side: SideId, known: Watch, before: tuple[Unit, ...]) -> Watch | None:
    """The same after units have come, gone or moved; None when smoke or bridges let one see otherwise."""
    found = looks(position)
    if found is not known.looks:
        return None
    changed = position.derived.changes(before, position.units)
    moved = [(old, new) for old, new in changed if old.hex != new.hex or old.side != new.side]
    if len(moved) > MANY:
        return None
    if not moved:
        return known
    eyes, seen_by = eyes_of(position, side), known.seen_by.numbers.copy()
    between = {unit.hex for pair in moved for unit in pair if unit.hex}
    touched = set(between)
    for eye in between:
        # where a side looks from now and did not before, and where it did and does no more
        step = (eye in eyes.numbers) - (eye in known.eyes.numbers)
        for place in found[eye].among(known.seen_by) if step else ():
            seen_by[place] += step
            touched.add(place)
    stacks, is_same = occupancy(position).by_hex, True
    for place in between:
        if not any(unit.side != side for unit in stacks.get(place, ())):
            is_same &= seen_by.pop(place, None) is None
        elif place not in seen_by:
            seen_by[place] = len(found.eyes_on(place, eyes))
            is_same = False
    enemies = eyes_of(position, enemy_of(side))
    watched = Places(seen_by)
    if len(enemies.numbers) == len(seen_by):
        # whoever looks stands somewhere, so the places from where as many look are these, and are judged together
        watched.token = enemies.token
    elif is_same:
        watched.token = known.seen_by.token
    blind = {place for place in touched if seen_by.get(place) == 0}
    if blind or not known.blind.isdisjoint(touched):
        return Watch(eyes, watched, known.blind - touched | blind, found)
    return Watch(eyes, watched, known.blind, found)


def _looks_for(unit: Unit, side: SideId) -> bool:
    """Whether a unit is on the table and has eyes for a side."""
    return unit.hex != NOWHERE and unit.side == side and unit.kind not in WORKS


# --- spotting -------------------------------------------------------------------------------------------------------


def can_spot(position: Position, unit: Unit) -> bool:
    """Whether a unit can spot at all: trucks, wagons, forts as such and dispersed units can't, nor can those who ride
    inside another.

    Rules: PL-722, PL-724.
    """
    if unit.dispersed or unit.kind in _BLIND:
        return False
    return unit.carrier == NOBODY or rides_outside(position.units[unit.carrier])


def witnesses(position: Position, place: HexId, side: SideId) -> tuple[UnitId, ...]:
    """The side's units that can spot and see into a hex."""
    return tuple([unit.id for unit in watchers(position, side, place) if can_spot(position, unit)])


def has_spotter_beside(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a unit of the side that can spot is in the hex or adjacent to it.

    Rules: PL-722, PL-1322.
    """
    occupied = occupancy(position).by_hex
    for near in (place, *position.ground.board.neighbors(place)):
        for unit in occupied.get(HexId(near), ()):
            if unit.side == side and can_spot(position, unit):
                return True
    return False


def is_spotted(position: Position, target: Unit, by: SideId) -> bool:
    """Whether a side may fire at a unit from afar, judged at this very moment.

    Rules: PL-721, PL-722, PL-723, PL-725.
    """
    return is_spotted_at(position, target, target.hex, by)


def is_spotted_at(position: Position, target: Unit, place: HexId, by: SideId) -> bool:
    """The same for a unit that is about to stand in a hex."""
    if not is_concealing(position, place):
        return True
    if has_spotter_beside(position, place, by):
        return True
    return any(
        sighting.hex == place
        and _betrays(position, sighting, target)
        and any(_still_watches(position, witness, place, by) for witness in sighting.witnesses)
        for sighting in position.sightings
    )


def _betrays(position: Position, sighting: Sighting, target: Unit) -> bool:
    """Whether the unit that fired is the target, carries it, or holds the fort that it is."""
    return sighting.unit in (target.id, target.carrier) or position.units[sighting.unit].fort == target.id


def _still_watches(position: Position, witness: UnitId, place: HexId, side: SideId) -> bool:
    unit = position.units[witness]
    return unit.side == side and unit.hex != 0 and can_spot(position, unit) and can_observe(position, unit, place)


def give_away(resolution: Resolution[Position], firers: Iterable[UnitId]) -> None:
    """Units that fired out of hiding are known to the enemies who could see it; where smoke is played also those that
    fired in the open, for it may hide them yet.

    Rules: PL-722, PL-1609.
    """
    position = resolution.position
    may_be_hidden = position.ground.options.smoke
    seen: list[Sighting] = []
    for id in firers:
        unit = position.units[id]
        if not unit.hex or not (may_be_hidden or is_concealing(position, unit.hex)):
            continue
        by = witnesses(position, unit.hex, enemy_of(unit.side))
        if by:
            seen.append(Sighting(id, unit.hex, position.segment, by))
    if seen:
        resolution.emit(Sighted(tuple(seen)))
