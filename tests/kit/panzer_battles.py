"""Other truths for Panzer Battles: tables that differ only in what a side can't know.

What is in sight is worked out here from the rules alone, not by the code that makes views.

Rules: PB-SPOT-14, PB-SPOT-15, PB-SPOT-27, PB-SPOT-28, PB-UNIT-16, PB-UNIT-18.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_battles.model import Position, Unit, with_units
from sandtable.rulesets.panzer_battles.parameters import column
from sandtable.rulesets.panzer_battles.spotting import sight

GRADES = "ABCDEF"
LOW = ("grass", "field", "building", "rough", "marsh")
"""Terrain that hides men on foot and guns alone."""

TALL = ("orchard", "forest", "jungle", "swamp", "village", "town", "city", "industrial")
"""Terrain that hides everybody."""


def is_in_sight(position: Position, foe: Unit, side: SideId) -> bool:
    """Whether anybody of the side, Broken or not, knows of an enemy where he stands, or it has been reported."""
    if foe.id in position.sightings.get(side, {}):
        return True
    eyes = [one for one in position.units if one.side == side and one.hex]
    return not foe.concealed and any(sight.sees(position, eye.hex, foe.hex) for eye in eyes)


def hides(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether terrain could conceal a unit."""
    terrain = position.ground.board.terrain[place]
    on_foot = unit.mode == "deployed" and unit.of.component in ("men", "guns")
    return terrain in TALL or (terrain in LOW and on_foot)


def same_notation(strength: int, full: int, dice: PromptDice) -> int:
    """Another strength that looks the same: as many digits, and no more than there can be."""
    low = 10 ** (len(str(strength)) - 1)
    high = min(10 * low - 1, full)
    return low + dice.below(high - low + 1) if high >= low else strength


def elsewhere(position: Position, foe: Unit, side: SideId, dice: PromptDice) -> Unit:
    """An unseen enemy somewhere else where he would be unseen, or where he is if no such place is found."""
    board, costs = position.ground.board, position.parameters.movement.terrain
    for _ in range(20):
        place = HexId(board.hexes[dice.below(len(board.hexes))])
        if (
            any(one.hex == place for one in position.units)
            or costs[board.terrain[place]][column(foe.of.move_class)] < 0
        ):
            continue
        moved = replace(foe, hex=place, concealed=hides(position, foe, place))
        if not is_in_sight(position, moved, side):
            return moved
    return foe


def twin(state: State[Position], side: SideId, dice: PromptDice) -> State[Position] | None:
    """Every enemy is otherwise in what does not show of him, and elsewhere if nobody knows of him; whether the side's
    own units are concealed is otherwise too.
    """
    position = state.position
    if not position.ground.options.fog:
        return None
    changed = position
    for unit in position.units:
        if not unit.hex:
            continue
        if unit.side == side:
            other = replace(unit, concealed=not unit.concealed)
        else:
            other = replace(
                unit,
                quality=GRADES[dice.below(6)],
                fatigue=dice.below(50),
                strength=same_notation(unit.strength, unit.full, dice),
                mp=dice.below(30),
                title="",
            )
            if not is_in_sight(changed, unit, side):
                other = elsewhere(changed, other, side, dice)
        changed = with_units(changed, (other,))
    return replace(state, position=changed)
