"""Worlds that a side may take for the truth: the enemies it can't see, somewhere by lot where it could not see them."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.kinds import AIRCRAFT, KINDS, UNKNOWN
from sandtable.rulesets.panzer_battles.model import TRUTH, Position, Sightings, Unit, enemy_of, with_units
from sandtable.rulesets.panzer_battles.movement.stacking import has_room
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import column
from sandtable.rulesets.panzer_battles.spotting.concealment import can_hide
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level, observers
from sandtable.rulesets.panzer_battles.spotting.levels import UNKNOWN as UNKNOWN_LEVEL

TRIES = 60
"""So many hexes are tried by lot before a unit is left out of an imagined world."""


def imagined(view: View[Position], key: DiceKey) -> State[Position]:
    """Each unseen enemy is one that the scenario lists: where somebody is known to be, or where he could be unseen."""
    position, lots = view.position, PromptDice(f"imagine/{key.seed}", key.number)
    hexes, told = list(position.unknowns), list[UnitId]()
    position = replace(position, viewer=TRUTH, unknowns=(), intel={}, derived=Derived())
    for side in sorted({unit.side for unit in position.units if unit.kind == UNKNOWN}):
        types = _unaccounted(position, side)
        for unit in [one for one in position.units if one.kind == UNKNOWN and one.side == side]:
            guess = _guessed(unit, types.pop(lots.below(len(types))))
            if guess.of.component == AIRCRAFT:
                position = with_units(position, (guess,))
                continue
            placed = _in_known_hex(position, guess, hexes)
            if placed is not None:
                told.append(guess.id)
            else:
                placed = _somewhere(position, guess, lots)
            if placed is not None:
                position = with_units(position, (placed,))
    if position.ground.options.fog:
        position = replace(position, sightings=_reports(position, view, told))
    return State(position, view.flow, key)


def _reports(position: Position, view: View[Position], unknown: list[UnitId]) -> Sightings:
    """What must have been reported so that the side knows what it knows although nobody of it sees it (PB-SPOT-25)."""
    known = [unit for unit in view.position.units if unit.hex and unit.side != view.side]
    found = {unit.id: SPOTTED for unit in known if level(position, position.units[unit.id]) != SPOTTED}
    found |= dict.fromkeys(unknown, UNKNOWN_LEVEL)
    return {view.side: found} if found else {}


def _unaccounted(position: Position, side: SideId) -> list[str]:
    """The unit types of a side in the scenario less those that are known."""
    left = Counter(entry.type for entry in position.ground.scenario.units if entry.side == side)
    left.subtract(unit.kind for unit in position.units if unit.side == side and unit.kind != UNKNOWN)
    return sorted(left.elements())


def _guessed(unit: Unit, kind: str) -> Unit:
    full = KINDS[kind].full
    return Unit(unit.id, kind, unit.side, strength=full, full=full)


def _in_known_hex(position: Position, guess: Unit, hexes: list[HexId]) -> Unit | None:
    """The unit in the next hex in which somebody is known to be; None when all are taken."""
    return replace(guess, hex=hexes.pop(), concealed=True) if hexes else None


def _somewhere(position: Position, guess: Unit, lots: PromptDice) -> Unit | None:
    """The unit in a hex by lot where its enemy could not see it; None when no such hex was found."""
    board, costs = position.ground.board, position.parameters.movement.terrain
    enemy, col = enemy_of(guess.side), column(guess.of.move_class)
    for _ in range(TRIES):
        place = HexId(board.hexes[lots.below(len(board.hexes))])
        if costs[board.terrain[place]][col] == PROHIBITED or not has_room(position, place, (guess,)):
            continue
        if any(other.side == enemy for other in index.at(position, place)):
            continue
        hides = can_hide(position, guess, place)
        if hides or not any(True for _ in observers(position, enemy, place)):
            return replace(guess, hex=place, concealed=hides)
    return None
