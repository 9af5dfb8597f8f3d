"""Other truths for 3D PanzerBlitz: tables that differ only in what a side can't know.

What is hidden is worked out here from the rules of sight alone, not by the code that makes views.

Rules: PB3-502, PB3-503, PB3-1303.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.state import State
from sandtable.rulesets.panzerblitz_3d.frames import Journey, OpportunityWindow, OverrunFrame
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS, KINDS
from sandtable.rulesets.panzerblitz_3d.model import Plot, Position, Unit
from sandtable.rulesets.panzerblitz_3d.pieces import with_unit, with_units
from sandtable.rulesets.panzerblitz_3d.sight import sees
from sandtable.rulesets.panzerblitz_3d.terrain_table import TERRAIN

Generator = Callable[[State[Position], SideId, PromptDice], Position]


def is_hidden(position: Position, unit: Unit, side: SideId) -> bool:
    """Whether the fog of war hides an enemy unit on the table from a side (PB3-1303); at set-up all are."""
    if unit.kind in FORTS:
        return False
    if position.step == "setup" and position.ground.scenario.sections.setup.order:
        return True
    board = position.ground.board
    eyes = [
        friend
        for friend in position.units
        if friend.side == side and friend.hex and not friend.dispersed and friend.kind not in FORTS
    ]
    if not any(sees(position, friend.hex, unit.hex) for friend in eyes):
        return True
    hides = TERRAIN[board.terrain[unit.hex]].hidden and not board.has_feature(unit.hex, "ford")
    return hides and not any(board.distance(friend.hex, unit.hex) == 1 for friend in eyes)


def hidden_enemies(position: Position, side: SideId) -> list[Unit]:
    """The enemy units on the table that the side can't see."""
    if not position.ground.options.fog:
        return []
    return [unit for unit in position.units if unit.side != side and unit.hex and is_hidden(position, unit, side)]


def _named(state: State[Position]) -> set[UnitId]:
    """The units that a frame, a note or another unit speaks of: to change them alone would make no lawful table."""
    position = state.position
    names = {id for unit in position.units for id in (unit.carrier, unit.fort) if id != NOBODY}
    names |= {unit.id for unit in position.units if unit.carrier != NOBODY or unit.fort != NOBODY}
    names |= {id for shot in position.shots for id in (*shot.firers, *shot.targets)}
    names |= {*position.assigned, *(position.mover.exposure if position.mover else ())}
    if position.mover is not None:
        names.add(position.mover.unit)
    for frame in state.flow:
        match frame:
            case Journey() | OpportunityWindow():
                names.add(frame.unit)
                names |= set(getattr(frame, "firers", ()))
            case OverrunFrame():
                names |= {run.unit for run in frame.runs} | set(frame.through)
    return names


def elsewhere(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """Every hidden enemy that stands alone is somewhere else out of sight."""
    position, named = state.position, _named(state)
    board = position.ground.board
    free = [HexId(h) for h in board.hexes if not any(unit.hex == h for unit in position.units)]
    free = [h for h in free if board.terrain[h] in ("clear", "woods", "town") and h not in position.mines]
    if position.step == "setup":
        zones = position.ground.scenario.zones
        # who sets up does so in his own zone
        free = [h for h in free if any(zone.side != side and h in zone.hexes for zone in zones)]
    for unit in hidden_enemies(position, side):
        if unit.id in named or not free:
            continue
        start = dice.below(len(free))
        for place in free[start:] + free[:start]:
            moved = with_unit(position, unit.id, hex=place)
            if is_hidden(moved, moved.units[unit.id], side):
                position = moved
                free.remove(place)
                break
    return position


def otherwise(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """Hidden enemies have fired, been dispersed and moved, or wait for an opportunity, or not; none of it shows."""
    position, named = state.position, _named(state)
    for unit in hidden_enemies(position, side):
        if unit.id in named:
            continue
        changed = replace(
            unit,
            fired=bool(dice.below(2)),
            dispersed=bool(dice.below(2)),
            moved=bool(dice.below(2)),
            of_assigned=bool(dice.below(2)) and KINDS[unit.kind].attack > 0 and position.step not in ("setup", ""),
        )
        position = with_units(position, [changed])
    return position


def other_plots(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """The enemy's batteries are plotted on other hexes, or not at all."""
    position = state.position
    if position.step != "artillery plots":
        return position
    places = position.ground.board.hexes
    plots = [plot for plot in position.plots if position.batteries[plot.battery].side == side]
    for battery in position.batteries:
        if battery.side != side and battery.missions and dice.below(2):
            plots.append(Plot(battery.id, HexId(places[dice.below(len(places))])))
    return replace(position, plots=tuple(plots))


def other_assignments(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """Other enemies are assigned to opportunity fire, while that is still secret."""
    position = state.position
    if position.step != "opportunity assignment":
        return position
    own = {id for id in position.assigned if position.units[id].side == side}
    able = (
        unit.id
        for unit in position.units
        if unit.side != side and unit.hex and KINDS[unit.kind].attack and not unit.dispersed and unit.carrier == NOBODY
    )
    return replace(position, assigned=tuple(sorted(own | {id for id in able if dice.below(2)})))


def no_shots(state: State[Position], side: SideId, dice: PromptDice) -> Position:
    """The enemy has designated no target yet."""
    position = state.position
    return replace(position, shots=()) if position.phasing != side else position


GENERATORS: tuple[Generator, ...] = (elsewhere, otherwise, other_plots, other_assignments, no_shots)


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
