"""Several units picked together, of which some go on where others can't follow.

Rules: PB-MOVE-10.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement import moves, paths
from sandtable.rulesets.panzer_battles.movement.stacking import has_road_room
from sandtable.rulesets.panzer_battles.orders import MoveLeavingBehind


class Stack(NamedTuple):
    """Units of one hex that move together."""

    units: tuple[Unit, ...]

    @property
    def side(self) -> SideId:
        return self.units[0].side

    @property
    def ids(self) -> tuple[UnitId, ...]:
        return tuple(unit.id for unit in self.units)


def stacked(units: Sequence[Unit]) -> list[Stack]:
    """The units as one that acts, where there are several in one hex."""
    return [Stack(tuple(units))] if len(units) > 1 and len({unit.hex for unit in units}) == 1 else []


def who_can(position: Position, units: Sequence[Unit], goal: HexId) -> int:
    """How many of the units could come to a hex, each by its own way."""
    return sum(goal in paths.reach(position, unit) for unit in units)


def bars(position: Position, side: SideId, stack: Stack) -> Refusal | None:
    """What keeps one of the units where it is; who can't move at all need not be picked."""
    barred = (moves.cannot_move(position, side, unit) for unit in stack.units)
    return next((refusal for refusal in barred if refusal is not None), None)


def offers(position: Position, side: SideId, stack: Any) -> Iterator[MoveLeavingBehind]:
    """The moves of the fastest of a stack to where not all of them can come; of one unit alone there are none.

    Rules: PB-MOVE-10.
    """
    if not isinstance(stack, Stack) or bars(position, side, stack) is not None:
        return
    fastest = max(stack.units, key=lambda unit: (len(paths.goals(position, unit)), -unit.id))
    held = index.occupancy(position)
    for goal in paths.goals(position, fastest):
        if who_can(position, stack.units, goal) == len(stack.units):
            continue
        order = MoveLeavingBehind(stack.ids, paths.way(position, fastest, goal))
        # where nobody stands on the way there is room for all who share a hex now, and on the road for so many or not
        is_free = not any(held.at(place) for place in order.path) and has_road_room(
            position, goal, fastest, stack.units
        )
        if is_free or moves.check_move(position, side, order) is None:
            yield order


def nothing_to_try(position: Position, side: SideId, stack: Any) -> Iterator[MoveLeavingBehind]:
    """What no computer player need try: it moves its units one by one."""
    yield from ()
