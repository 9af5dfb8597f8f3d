"""Worlds that a side may take for the truth when enemies may lie hidden (P8-15.01)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.state import State, View
from sandtable.play.derived import Derived
from sandtable.play.ground import zone_of
from sandtable.rulesets.panzer8.kinds import KINDS
from sandtable.rulesets.panzer8.model import IN_PLAY, SETUP, UNSEEN, Element, Position
from sandtable.rulesets.panzer8.movement import may_stand
from sandtable.rulesets.panzer8.pieces import enemy_of, with_elements
from sandtable.rulesets.panzer8.stacks import element_at
from sandtable.rulesets.panzer8.visibility import is_hidden

TRIES = 60
"""So many hexes are tried by lot before an element is left out of an imagined world."""


def imagined(view: View[Position], key: DiceKey) -> State[Position]:
    """Each unseen enemy is one of those the scenario lists, somewhere in cover where he could lie hidden."""
    position, lots = view.position, PromptDice(f"imagine/{key.seed}", key.number)
    unknown = [one for one in position.elements if one.fate == UNSEEN]
    if not unknown:
        return State(position, view.flow, key)
    seen = {one.name for one in position.elements if one.fate != UNSEEN}
    position = replace(position, derived=Derived())
    for side in {one.side for one in unknown}:
        entries = [
            entry
            for entry in position.ground.scenario.units
            if entry.side == side and entry.id not in seen and entry.aboard is None
        ]
        for one in unknown:
            if one.side != side or not entries:
                continue
            entry = entries.pop(lots.below(len(entries)))
            guess = Element(one.id, entry.type, side, quality=entry.details.quality, name=entry.id)
            placed = _placed(position, guess, enemy_of(SideId(side)), lots)
            if placed is not None:
                position = with_elements(position, (placed,))
    return State(position, view.flow, key)


def _placed(position: Position, guess: Element, viewer: SideId, lots: PromptDice) -> Element | None:
    """The element in a hex by lot where the viewer could not see it; None when no such hex was found."""
    board, kind = position.ground.board, KINDS[guess.kind]
    zone = tuple(zone_of(position.ground, guess.side)) if position.step == SETUP else ()
    among = zone or board.hexes
    for _ in range(TRIES):
        place = HexId(among[lots.below(len(among))])
        if element_at(position, place) is not None or not may_stand(board, kind, place):
            continue
        placed = replace(guess, hex=place, facing=lots.below(6), fate=IN_PLAY)
        if position.step == SETUP or is_hidden(with_elements(position, (placed,)), placed, viewer):
            return placed
    return None
