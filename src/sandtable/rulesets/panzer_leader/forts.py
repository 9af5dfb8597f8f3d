"""Fortifications: who is inside, who stands on top, and who owns them.

Rules: PL-404, PL-406, PL-1321, PL-1322, PL-1323.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.geometry.board import Board
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_leader.events import FortCaptured, FortEntered, FortLeft, MoveEnded
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import Position, Unit
from sandtable.rulesets.panzer_leader.moves import begin_move
from sandtable.rulesets.panzer_leader.orders import EnterFort, LeaveFort
from sandtable.rulesets.panzer_leader.stacks import (
    STACK_LIMIT,
    fort_at,
    garrison,
    has_room,
    is_outside,
    kind,
    own_unit,
    passenger_of,
    units_at,
)

FORT: RuleId = RuleId("PL-1321")
ON_TOP: RuleId = RuleId("PL-1322")

NO_GROUND_FOR_FORTS = frozenset({"swamp", "sea", "beach", "stream"})
"""Terrain on which no fortification stands (PL-1321)."""


def fort_problems(board: Board, forts: Iterable[HexId]) -> Iterator[tuple[HexId, str]]:
    """What is wrong with these places of fortifications, each hex as often as one stands there.

    Rules: PL-1321.
    """
    seen: set[HexId] = set()
    for place in forts:
        if board.terrain[place] in NO_GROUND_FOR_FORTS:
            yield place, f"a fortification on {board.terrain[place]} (PL-1321)"
        if place in seen:
            yield place, "two fortifications in one hex (PL-1321)"
        seen.add(place)


def enemies_on_top(position: Position, side: SideId, place: HexId) -> bool:
    """Whether enemies of a side stand in a hex outside any fortification; works don't stand, they lie there."""
    return any(
        unit.side != side and is_outside(unit) and not KINDS[unit.kind].is_work for unit in units_at(position, place)
    )


def top_refusal(position: Position, side: SideId, place: HexId) -> Refusal | None:
    """Why a side's units may not enter the hex of a fortification, whosever it is; None where there is none.

    Rules: PL-1322.
    """
    if fort_at(position, place) is not None and enemies_on_top(position, side, place):
        return Refusal(ON_TOP, "enemy units stand on top of the fortification")
    return None


def capture(resolution: Resolution[Position], id: UnitId, place: HexId) -> None:
    """The enemy fortification of the hex is the unit's side's, if nobody holds it.

    Rules: PL-1323.
    """
    position = resolution.position
    side, fort = position.units[id].side, fort_at(position, place)
    if fort is not None and fort.side != side and not garrison(position, fort.id):
        resolution.emit(FortCaptured(fort.id, side))


def _idle_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't go in or out by itself now.

    Rules: PL-506, PL-507, PL-602, PL-604, PL-643.
    """
    if unit.fired or unit.dispersed:
        return Refusal(RuleId("PL-602"), "a unit that fired or is dispersed may not move")
    if not kind(unit).movement:
        return Refusal(RuleId("PL-604"), "this unit does not move by itself")
    if unit.carrier != NOBODY or unit.transported:
        return Refusal(RuleId("PL-643"), "a unit that loads, rides or unloads does not move by itself")
    if kind(unit).is_vehicle and position.step != "vehicle movement":
        return Refusal(RuleId("PL-506"), "vehicles move before the foot units")
    if not kind(unit).is_vehicle and position.step != "foot movement":
        return Refusal(RuleId("PL-507"), "foot units move after the vehicles")
    return None


def check_enter_fort(position: Position, side: SideId, order: EnterFort) -> Refusal | None:
    """Going into the fortification of one's own hex costs nothing, but ends the unit's move; loaded carriers stay out,
    and so does a unit whose move is over, because it had to stop or the next one has begun.

    Rules: PL-404, PL-601, PL-1321, PL-1322, PL-1323.
    """
    unit = own_unit(position, side, order.unit)
    if unit is None:
        return Refusal(FORT, "there is no such unit of yours on the table")
    fort = fort_at(position, unit.hex)
    if fort is None or kind(unit).is_work:
        return Refusal(FORT, "there is no fortification to go into")
    if unit.fort != NOBODY:
        return Refusal(FORT, "the unit is inside already")
    if passenger_of(position, unit.id) is not None:
        return Refusal(FORT, "a loaded carrier can't go into a fortification")
    inside = garrison(position, fort.id)
    if enemies_on_top(position, side, unit.hex) or any(other.side != side for other in inside):
        return Refusal(ON_TOP, "the enemy is in the fortification or on top of it")
    if unit.moved:
        return Refusal(RuleId("PL-601"), "the unit's move is over")
    if len(inside) >= STACK_LIMIT:
        return Refusal(RuleId("PL-404"), "four units are inside already")
    return _idle_refusal(position, unit)


def resolve_enter_fort(resolution: Resolution[Position], side: SideId, order: EnterFort) -> None:
    """The unit is inside the fortification, which is its side's, and its move is over."""
    begin_move(resolution, order.unit)
    place = resolution.position.units[order.unit].hex
    capture(resolution, order.unit, place)
    fort = fort_at(resolution.position, place)
    assert fort is not None
    resolution.emit(FortEntered(order.unit, fort.id))
    resolution.emit(MoveEnded(order.unit))


def check_leave_fort(position: Position, side: SideId, order: LeaveFort) -> Refusal | None:
    """Coming out costs nothing, but nobody comes out below an enemy, into a full hex or in the phase it went in.

    Rules: PL-404, PL-601, PL-1322.
    """
    unit = own_unit(position, side, order.unit)
    if unit is None or unit.fort == NOBODY:
        return Refusal(FORT, "there is no such unit of yours in a fortification")
    if enemies_on_top(position, side, unit.hex):
        return Refusal(ON_TOP, "the enemy is on top of the fortification")
    if unit.moved:
        return Refusal(RuleId("PL-601"), "the unit's move is over")
    if not has_room(position, unit.hex):
        return Refusal(RuleId("PL-404"), "there is no room outside")
    return _idle_refusal(position, unit)


def resolve_leave_fort(resolution: Resolution[Position], side: SideId, order: LeaveFort) -> None:
    """The unit stands outside and can move on."""
    begin_move(resolution, order.unit)
    resolution.emit(FortLeft(order.unit, resolution.position.units[order.unit].fort))


def enter_options(position: Position, side: SideId, unit: Unit) -> Iterator[EnterFort]:
    """Going into the fortification the unit is at."""
    into = EnterFort(unit.id)
    if unit.fort == NOBODY and unit.hex and check_enter_fort(position, side, into) is None:
        yield into


def leave_options(position: Position, side: SideId, unit: Unit) -> Iterator[LeaveFort]:
    """Coming out of the fortification the unit is in."""
    out = LeaveFort(unit.id)
    if unit.fort != NOBODY and check_leave_fort(position, side, out) is None:
        yield out
