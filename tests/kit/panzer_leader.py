"""Other truths for Panzer Leader: tables that differ only in what a side can't know.

What is hidden is worked out here from the rules of sight alone, not by the code that makes views.

Rules: PL-1102, PL-1401, PL-1507.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_leader import air, sight
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, OverrunFrame
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, Position, Unit
from sandtable.rulesets.panzer_leader.pieces import with_unit, with_units

Generator = Callable[[State[Position], SideId, PromptDice], Position]


def is_hidden(position: Position, unit: Unit, side: SideId) -> bool:
    """Whether the fog of war hides an enemy unit on the table from a side (PL-1507); at set-up all are (PL-1506)."""
    if position.step == "setup" and not _is_work(unit) and any(position.ground.scenario.zones):
        return True
    own = [friend for friend in position.units if friend.side == side and friend.hex and not _is_work(friend)]
    if _is_work(unit) or any(air.sights(position, plane, unit) for plane in position.aircraft if plane.side == side):
        return False
    if not any(sight.can_observe(position, friend, unit.hex) for friend in own):
        return True
    return not sight.is_spotted(position, unit, side)


def _is_work(unit: Unit) -> bool:
    return KINDS[unit.kind].is_work


def hidden_enemies(position: Position, side: SideId) -> list[Unit]:
    """The enemy units on the table that the side can't see."""
    if not position.ground.options.fog:
        return []
    return [unit for unit in position.units if unit.side != side and unit.hex and is_hidden(position, unit, side)]


def _named(state: State[Position]) -> set[UnitId]:
    """The units that a frame or another unit speaks of: to change them alone would make no lawful table."""
    names = {id for unit in state.position.units for id in (unit.carrier, unit.fort) if id != NOBODY}
    names |= {unit.id for unit in state.position.units if unit.carrier != NOBODY or unit.fort != NOBODY}
    names |= {work.unit for work in state.position.works}
    names |= {id for mission in state.position.missions for id in (*mission.firers, *mission.spotters)}
    for frame in state.flow:
        match frame:
            case Journey() | OpportunityWindow():
                names.add(frame.unit)
                names |= set(getattr(frame, "firers", ()))
            case OverrunFrame():
                names |= {run.unit for run in frame.runs} | set(frame.through)
    return names


def elsewhere(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """Every hidden enemy that stands alone is somewhere else out of sight, and has been seen by nobody there."""
    position, named = state.position, _named(state)
    free = [HexId(h) for h in position.ground.board.hexes if not any(unit.hex == h for unit in position.units)]
    free = [
        h for h in free if position.ground.board.terrain[h] in ("clear", "woods", "town") and h not in position.mines
    ]
    if position.step == "setup":
        # who sets up does so in his own zone
        free = [
            h for h in free if any(zone.side != side and h in zone.hexes for zone in position.ground.scenario.zones)
        ]
    for unit in hidden_enemies(position, side):
        if unit.id in named or not free:
            continue
        start = dice.below(len(free))
        for place in free[start:] + free[:start]:
            sightings = tuple(s for s in position.sightings if s.unit != unit.id)
            moved = replace(with_unit(position, unit.id, hex=place), sightings=sightings)
            if is_hidden(moved, moved.units[unit.id], side):
                position = moved
                free.remove(place)
                break
    return position


def otherwise(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """Hidden enemies have fired, been dispersed, moved and turned, or not; none of it shows."""
    position, named = state.position, _named(state)
    for unit in hidden_enemies(position, side):
        if unit.id in named:
            continue
        changed = replace(
            unit,
            fired=bool(dice.below(2)),
            dispersed=dice.below(2) and position.segment,
            moved=bool(dice.below(2)),
            facing=dice.below(6),
        )
        # a unit that is dispersed watches no longer, which could show as well
        position = with_units(position, [changed])
        if not is_hidden(position, changed, side):
            position = with_units(position, [unit])
    return position


def face_down(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """Face-down landing units, and those that wait to be placed so, have changed what they are among themselves."""
    position = state.position
    board = position.ground.board
    landing = {
        entry.id
        for entry in position.ground.scenario.units
        if entry.arrival is not None and all(board.terrain[h] == "sea" for h in entry.arrival.hexes)
    }
    for waits in (False, True):
        some = [
            unit
            for unit in position.units
            if unit.side != side
            and (unit.fate == RESERVE and unit.name in landing if waits else unit.facedown)
            and unit.id not in _named(state)
        ]
        if len(some) > 1:
            turn = 1 + dice.below(len(some) - 1)
            swapped = zip(some, some[turn:] + some[:turn], strict=True)
            position = with_units(position, [replace(unit, kind=o.kind, name=o.name) for unit, o in swapped])
    return position


def other_notes(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """The enemy's written missions are for other hexes, except those that come down in the very step now open."""
    position = state.position
    places = [h for h in position.ground.board.hexes if h != NOWHERE]
    missions = tuple(
        mission
        if mission.side == side or (mission.due == position.segment and position.step == "indirect fire")
        else replace(mission, hex=HexId(places[dice.below(len(places))]), spotters=())
        for mission in position.missions
    )
    return replace(position, missions=missions)


def unwritten(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """The enemy has written nothing for segments to come, so that his batteries are free to do something else."""
    position = state.position
    kept = tuple(one for one in position.missions if one.side == side or one.due <= position.segment)
    return replace(position, missions=kept) if len(kept) < len(position.missions) else position


GENERATORS: tuple[Generator, ...] = (elsewhere, otherwise, face_down, other_notes, unwritten)


def twins(state: State[Position], side: SideId, dice: PromptDice) -> Iterator[State[Any]]:
    """Every other truth that looks the same to that side: one of each kind, and all of them at once."""
    everything = state
    for generator in GENERATORS:
        position = generator(state, side, dice)
        if position != state.position:
            yield replace(state, position=position)
            everything = replace(everything, position=generator(everything, side, dice))
    yield everything


def twin(state: State[Position], side: SideId, dice: PromptDice) -> State[Position] | None:
    """Another truth that looks the same to that side, of a kind chosen by the dice; None when nothing is hidden."""
    found = list(twins(state, side, dice))[:-1]
    return found[dice.below(len(found))] if found else None
