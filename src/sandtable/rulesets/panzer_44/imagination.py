"""Worlds that a side may take for the truth: unseen enemies stand somewhere out of its sight (P44-4.07)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.rulesets.panzer_44.model import IN_PLAY, RESERVE, SIDES, UNSEEN, Position, Unit
from sandtable.rulesets.panzer_44.pieces import enemy_of, with_units
from sandtable.rulesets.panzer_44.scenario import STACK_LIMIT
from sandtable.rulesets.panzer_44.stacks import units_at
from sandtable.rulesets.panzer_44.visibility import is_set_up_unseen, is_watched

TRIES = 60
"""So many hexes are tried by lot before a unit is put anywhere out of sight."""


def imagined(view: View[Position], key: DiceKey) -> State[Position]:
    """Each unseen enemy is one of those the scenario lists, somewhere the side can't see him; nobody has an order that
    the side does not know of.
    """
    position, lots = view.position, PromptDice(f"imagine/{key.seed}", key.number)
    unknown = [unit for unit in position.units if unit.fate == UNSEEN]
    if not unknown:
        return State(position, view.flow, key)
    seen = {unit.name for unit in position.units if unit.fate != UNSEEN}
    position = replace(position, derived=Derived(), contacts={})
    listed = [entry for entry in position.ground.scenario.units if entry.id not in seen]
    left = {side: [entry for entry in listed if entry.side == side] for side in SIDES}
    for unit in unknown:
        entry = left[unit.side].pop(lots.below(len(left[unit.side])))
        guess = Unit(unit.id, entry.type, unit.side, name=entry.id, accuracy=entry.details.accuracy)
        position = with_units(position, (_placed(position, guess, lots),))
    return State(position, view.flow, key)


def _placed(position: Position, guess: Unit, lots: PromptDice) -> Unit:
    """The unit in a hex by lot where the enemy does not see it, or still to come when none was found."""
    board, viewer = position.ground.board, enemy_of(SideId(guess.side))
    for _ in range(TRIES):
        place = HexId(board.hexes[lots.below(len(board.hexes))])
        others = units_at(position, place)
        crowded = len(others) >= STACK_LIMIT or any(unit.side != guess.side for unit in others)
        watched = not is_set_up_unseen(position) and is_watched(position, place, viewer)
        if not crowded and not watched:
            return replace(guess, hex=place, fate=IN_PLAY, carrier=NOBODY)
    return replace(guess, fate=RESERVE)
