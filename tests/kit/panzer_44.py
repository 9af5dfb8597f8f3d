"""Other truths for Panzer '44: tables that differ only in what a side can't know.

What is out of sight is worked out here from the rule alone, not by the code that makes views.

Rules: P44-4.07, P44-5.03, P44-5.08.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_44 import plotting, sight
from sandtable.rulesets.panzer_44.frames import Journey
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import Plot, Position, Unit
from sandtable.rulesets.panzer_44.pieces import enemy_of, with_units
from sandtable.rulesets.panzer_44.plots import arranged

TRIES = 20


def is_seen(position: Position, place: HexId, side: SideId) -> bool:
    """Whether a unit of the side that is neither disrupted nor panicked nor aboard sees the hex."""
    far = 20
    for entry in sorted(position.ground.scenario.sections.visibility, key=lambda entry: entry.turn):
        if entry.turn <= position.turn:
            far = entry.hexes
    eyes = [
        unit.hex
        for unit in position.units
        if unit.side == side and unit.hex and not (unit.disruption or unit.panic) and unit.carrier == NOBODY
    ]
    distance = position.ground.board.distance
    return any(distance(eye, place) <= far and sight.sees(position.ground, eye, place) for eye in eyes)


def is_hidden(position: Position, unit: Unit, side: SideId) -> bool:
    """Whether fog keeps an enemy on the table from a side: all of them while they set up, then those out of sight."""
    return position.step == "setup" or not is_seen(position, unit.hex, side)


def twin(state: State[Position], side: SideId, dice: PromptDice) -> State[Position] | None:
    """The enemy has written other orders, may have sealed them or not, and those out of sight are somewhere else."""
    position = state.position
    if position.step == "plot":
        position = _plotted_otherwise(position, enemy_of(side), dice)
    if position.ground.options.fog:
        position = _placed_otherwise(state, position, side, dice)
    return replace(state, position=position) if position != state.position else None


def _plotted_otherwise(position: Position, enemy: SideId, dice: PromptDice) -> Position:
    units = [unit for unit in position.units if unit.side == enemy and unit.hex and not unit.disruption]
    plots = [plot for plot in position.plots if plot.side != enemy]
    for unit in units:
        able = {"move": KINDS[unit.kind].ma, "opportunity": KINDS[unit.kind].attack}
        kinds = [kind for kind, fits in able.items() if fits]
        choice = dice.below(3)
        if choice < len(kinds) and unit.carrier == NOBODY and not unit.pinned:
            plots.append(Plot(enemy, kinds[choice], unit.id))
    sealed, nonces = dict(position.sealed), dict(position.nonces)
    position = replace(position, plots=arranged(plots))
    if enemy_of(enemy) not in sealed:
        # whether he has sealed is his secret too, as long as the side itself is at its plot
        sealed.pop(enemy, None)
        nonces.pop(enemy, None)
        if dice.below(2):
            sealed[enemy], nonces[enemy] = plotting.commitment(position, enemy, ""), ""
    return replace(position, sealed=dict(sorted(sealed.items())), nonces=dict(sorted(nonces.items())))


def _placed_otherwise(state: State[Position], position: Position, side: SideId, dice: PromptDice) -> Position:
    busy = {frame.unit for frame in state.flow if isinstance(frame, Journey)}
    busy |= {position.moving, position.asking} | {unit.carrier for unit in position.units}
    busy |= {plot.unit for plot in position.plots} | {work.unit for work in position.works}
    busy |= {hit.unit for hit in position.hits} | ({position.occasion.unit} if position.occasion else set())
    for unit in position.units:
        if unit.side == side or not unit.hex or unit.carrier != NOBODY or unit.id in busy:
            continue
        if is_hidden(position, unit, side):
            taken = {one.hex for one in position.units}
            free = [HexId(h) for h in position.ground.board.hexes if h not in taken]
            for _ in range(TRIES):
                moved = replace(unit, hex=free[dice.below(len(free))])
                if is_hidden(position, moved, side):
                    position = with_units(position, (moved,))
                    break
    return position
