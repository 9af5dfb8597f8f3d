"""Other truths for PANZER8: tables that differ only in what a side can't know.

What lies hidden is worked out here from the rule alone, not by the code that makes views.

Rules: P8-15.01.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer8 import sight
from sandtable.rulesets.panzer8.kinds import KINDS
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.pieces import with_elements

COVERS = ("high_crops", "scrub", "woods", "dense_woods", "bua", "rubble")
COVER_SIDES = {"hedge", "wall", "railway_bank"}


def is_hidden(position: Position, element: Element, side: SideId) -> bool:
    """Whether an enemy in cover that has neither moved nor fired is too far from every enemy that sees his hex; while
    sides set up, every enemy is out of sight.
    """
    if position.step == "setup":
        return True
    board, place = position.ground.board, element.hex
    labels = {board.parse(label) for label in position.ground.scenario.sections.dug_in}
    sides = set().union(*(board.side_features(place, d) for d in range(6)))
    if element.has_moved or element.has_fired or element.carrier != NOBODY:
        return False
    if board.terrain[place] not in COVERS and place not in labels and not sides & COVER_SIDES:
        return False
    near = 12 if KINDS[element.kind].kind in ("inf", "eng", "cmd", "csw") else 20
    eyes = [one for one in position.elements if one.side == side and one.hex and one.carrier == NOBODY]
    return not any(board.distance(one.hex, place) <= near and sight.sees(position, one.hex, place) for one in eyes)


def twin(state: State[Position], side: SideId, dice: PromptDice) -> State[Position] | None:
    """Every enemy that lies hidden is somewhere else where he could, faces another way, or has another quality."""
    position = state.position
    if not position.ground.options.hidden_setup:
        return None
    foes = [one for one in position.elements if one.side != side and one.hex and is_hidden(position, one, side)]
    busy = {work.unit for work in position.works} | {one.carrier for one in position.elements}
    changed = position
    for foe in foes:
        if foe.id in busy:
            continue
        other = replace(foe, facing=dice.below(6), quality=dice.below(3) - 1)
        taken = {one.hex for one in changed.elements}
        ground = position.ground
        among = ground.scenario.zone(foe.side) if position.step == "setup" else ground.board.hexes
        free = [HexId(h) for h in among if h not in taken and h not in position.control]
        for _ in range(20):
            moved = replace(other, hex=free[dice.below(len(free))])
            if is_hidden(with_elements(changed, (moved,)), moved, side):
                other = moved
                break
        changed = with_elements(changed, (other,))
    return replace(state, position=changed) if changed != position else None
