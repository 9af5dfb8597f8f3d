"""An element on its way: step by step, with the enemy's reactions between the steps, and what it does at the end.

Rules: P8-5.04, P8-6.08, P8-6.12, P8-11.01, P8-13.02.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import HexId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer8 import reactions
from sandtable.rulesets.panzer8.actions import show
from sandtable.rulesets.panzer8.events import (
    CombatDeclared,
    Moved,
    Stopped,
    Turned,
)
from sandtable.rulesets.panzer8.fire import shoot
from sandtable.rulesets.panzer8.frames import Journey
from sandtable.rulesets.panzer8.mines import strike_mines
from sandtable.rulesets.panzer8.model import CHARGE, OVERRUN, Element, Occasion, Position
from sandtable.rulesets.panzer8.movement import gait, step_cost
from sandtable.rulesets.panzer8.movement_table import FULL_MOVE
from sandtable.rulesets.panzer8.stacks import element_at, table
from sandtable.rulesets.panzer8.tank_hunting import hunt
from sandtable.rulesets.panzer8.victory import take_ground


def go_on(resolution: Resolution[Position], journey: Journey) -> None:
    """The element has gone one hex farther, or done what it came for."""
    if journey.path:
        _step(resolution, journey)
    else:
        _arrive(resolution, journey)


def _step(resolution: Resolution[Position], journey: Journey) -> None:
    position = resolution.position
    mover, board, place = position.elements[journey.unit], position.ground.board, journey.path[0]
    other = element_at(position, place)
    if other is not None and other.side != mover.side:
        # an enemy that lay hidden there: an order is never refused for what its side can't know
        _bar(resolution, journey, place)
        return
    show(resolution, mover.id, moves=True)
    empty = journey.empty if _is_shared(resolution.position, mover) else mover.hex
    direction = board.direction(mover.hex, place)
    cost = step_cost(position, gait(position, mover), mover.hex, direction) or 0
    facing = journey.facing if len(journey.path) == 1 else direction
    resolution.emit(Moved(mover.id, place, facing, min(mover.spent + cost, FULL_MOVE), mover.hex))
    take_ground(resolution, mover.id)
    journey = replace(journey, path=journey.path[1:], empty=empty)
    resolution.goto(journey)
    if strike_mines(resolution, mover.id):
        reactions.end_action(resolution, mover.id)
    elif not journey.ignored:
        reactions.give_occasion(resolution, Occasion(mover.id, reactions.ENTERS))


def _is_shared(position: Position, mover: Element) -> bool:
    """Whether a friend stands in the mover's hex."""
    return any(one.id != mover.id and one.side == mover.side for one in table(position).by_hex.get(mover.hex, ()))


def _bar(resolution: Resolution[Position], journey: Journey, place: HexId) -> None:
    """The way is barred by somebody who was not seen."""
    mover = resolution.position.elements[journey.unit]
    back = journey.empty if _is_shared(resolution.position, mover) else mover.hex
    resolution.emit(Stopped(mover.id, back, place))
    resolution.pop()


def _arrive(resolution: Resolution[Position], journey: Journey) -> None:
    """The element is where it wanted to be, and does what it came for."""
    resolution.pop()
    unit, target = journey.unit, journey.target
    if resolution.position.elements[unit].facing != journey.facing:
        resolution.emit(Turned(unit, journey.facing))
    match journey.then:
        case "fire" | "move and fire":
            shoot(resolution, unit, target, journey.ammo, moved=journey.then == "move and fire")
            _offer(resolution, journey, reactions.FIRES)
        case "hunt":
            place = resolution.position.elements[unit].hex
            hunt(resolution, unit, target)
            if resolution.position.elements[unit].hex == place:
                # hunters who fell back are gone before anybody could react (P8-5.02)
                _offer(resolution, journey, reactions.HUNTS)
        case "charge" | "overrun":
            resolution.emit(CombatDeclared(unit, target, journey.then))
            _offer(resolution, journey, CHARGE if journey.then == "charge" else OVERRUN)


def _offer(resolution: Resolution[Position], journey: Journey, manner: str) -> None:
    if not journey.ignored:
        reactions.give_occasion(resolution, Occasion(journey.unit, manner, journey.target))
