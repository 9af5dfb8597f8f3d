"""Engineers who clear mines and breach obstacles (optional rule).

Rules: P8-15.02.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, refuse
from sandtable.rulesets.panzer8.cover import side_features
from sandtable.rulesets.panzer8.events import ObstacleCleared, WorkBegan, WorkEnded
from sandtable.rulesets.panzer8.kinds import ENGINEERS
from sandtable.rulesets.panzer8.model import Element, Position, Work
from sandtable.rulesets.panzer8.orders import Clear
from sandtable.rulesets.panzer8.stacks import kind_of
from sandtable.rulesets.panzer8.terrain import HEXSIDES

WHOLE_TURNS = 2
"""How many whole turns engineers must stay at their work: each is a turn of both players."""

MINED = -1
"""The direction of a work that clears a whole hex of mines."""


def check_clear(position: Position, side: SideId, order: Clear) -> Refusal | None:
    """Why the engineers can't begin to clear that, or None."""
    refusal = cannot_act(position, side, order.unit, "clear")
    if refusal is not None:
        return refusal
    element, board = position.elements[order.unit], position.ground.board
    if not position.ground.options.engineering:
        return refuse("P8-15.02", "engineering is not in play")
    if kind_of(element).kind != ENGINEERS:
        return refuse("P8-15.02", "only engineers clear obstacles")
    if not board.is_on(order.hex):
        return refuse("P8-15.02", "that is off the map")
    if order.direction == MINED:
        if order.hex not in position.mines or board.distance(element.hex, order.hex) > 1:
            return refuse("P8-15.02", "there are no mines next to it")
    elif order.hex != element.hex or not _is_obstacle(position, element.hex, order.direction):
        return refuse("P8-15.02", "there is no obstacle on that side of its hex")
    if any(work.unit == element.id and _is_same(work, order) for work in position.works):
        return refuse("P8-15.02", "it is at that work already")
    return None


def _is_same(work: Work, order: Clear) -> bool:
    return (work.hex, work.direction) == (order.hex, order.direction)


def _is_obstacle(position: Position, place: HexId, direction: int) -> bool:
    if not 0 <= direction < 6:
        return False
    return any(HEXSIDES[key].linear for key in side_features(position, place, direction))


def resolve_clear(resolution: Resolution[Position], side: SideId, order: Clear) -> None:
    """The engineers are at work from now on."""
    begin_action(resolution, order.unit, "clear")
    resolution.emit(WorkBegan(order.unit, order.hex, order.direction, resolution.position.half))


def clear_options(position: Position, side: SideId, element: Element) -> Iterator[Clear]:
    if not position.ground.options.engineering or kind_of(element).kind != ENGINEERS:
        return
    board = position.ground.board
    mined = [Clear(element.id, HexId(h)) for h in (element.hex, *board.neighbors(element.hex)) if h in position.mines]
    sides = [Clear(element.id, element.hex, d) for d in range(6)]
    for order in (*mined, *sides):
        if check_clear(position, side, order) is None:
            yield order


def advance_works(resolution: Resolution[Position]) -> None:
    """Works that have lasted two whole turns are done; those whose engineers are gone or pinned down are not."""
    for work in resolution.position.works:
        position = resolution.position
        element = position.elements[work.unit]
        if not element.hex or element.suppressed or position.ground.board.distance(element.hex, work.hex) > 1:
            resolution.emit(WorkEnded(work.unit))
        elif element.side == position.active and position.half - work.since >= 2 * WHOLE_TURNS:
            resolution.emit(ObstacleCleared(work.hex, work.direction))
            resolution.emit(WorkEnded(work.unit))
