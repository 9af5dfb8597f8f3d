"""Orders to move and to leave the map, what they cost, and the choice among them.

Rules: PL-601, PL-603, PL-1028, PL-1504, PL-1605.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sandtable.geometry.reach import MAY_NOT_ENTER
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOWHERE, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_leader import victory, works
from sandtable.rulesets.panzer_leader.costs import QUICK, ROAD_COST, reacher
from sandtable.rulesets.panzer_leader.events import UnitExited
from sandtable.rulesets.panzer_leader.frames import Journey
from sandtable.rulesets.panzer_leader.journeys import CROSSINGS, end_movement, walk
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.mobility import (
    Step,
    allowance,
    cannot_go,
    cannot_move,
    cannot_quicken,
    crossings,
    is_at_sea,
    reach,
    step_cost,
    steps,
    terms,
)
from sandtable.rulesets.panzer_leader.model import Position, Unit
from sandtable.rulesets.panzer_leader.movement_table import NUMBERS
from sandtable.rulesets.panzer_leader.moves import begin_move
from sandtable.rulesets.panzer_leader.orders import LeaveMap, MoveUnit
from sandtable.rulesets.panzer_leader.stacks import kind
from sandtable.rulesets.panzer_leader.terrain import points, terrain_at
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN

FAR = 1 << 20
"""More half points than any way costs."""

__all__ = [
    "allowance",
    "check_leave",
    "check_move",
    "end_movement",
    "explain_move",
    "leave_options",
    "led_moves",
    "left_after",
    "move_options",
    "moving_refusal",
    "pick_move",
    "reach",
    "resolve_leave",
    "resolve_move",
    "step_cost",
    "walk",
    "way_to",
]


def moving_refusal(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """Why a unit can't move at all now, or None."""
    return cannot_move(position, side, unit.id)


def check_move(position: Position, side: SideId, order: MoveUnit) -> Refusal | None:
    """Why the unit can't move along this path, or None.

    Rules: PL-601, PL-603, PL-1605.
    """
    refusal = cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    unit = position.units[order.unit]
    if order.gait:
        refusal = cannot_quicken(position, unit)
        if refusal is not None or order.gait != QUICK:
            return refusal or Refusal(RuleId("PL-1605"), f"there is no gait {order.gait!r}")
    if not order.path:
        return Refusal(RuleId("PL-601"), "a move goes through at least one hex")
    return cannot_go(position, unit, order.path, terms(position, unit, order.gait))


def _steps(position: Position, side: SideId, order: MoveUnit) -> list[Step]:
    """The steps of the move, none when it can't be made."""
    if check_move(position, side, order) is not None:
        return []
    unit = position.units[order.unit]
    return steps(position, unit, order.path, terms(position, unit, order.gait))


def resolve_move(resolution: Resolution[Position], side: SideId, order: MoveUnit) -> None:
    """The unit has gone as far along its path as it gets before somebody must decide."""
    journey = Journey(order.unit, order.path, order.gait)
    resolution.push(journey)
    walk(resolution, journey)


def explain_move(position: Position, side: SideId, order: MoveUnit) -> tuple[Tally, ...]:
    """What each hex of the path costs and which of them take a die."""
    path = _steps(position, side, order)
    if not path:
        return ()
    unit, board = position.units[order.unit], position.ground.board
    now = terms(position, unit, order.gait)
    lines: list[Line] = []
    if now.leaving:
        rule = "PL-1333" if kind(unit).has("bridge") else "PL-1305"
        lines.append(Line(f"Leaves {board.label(unit.hex)}", points(now.leaving), RuleId(rule)))
    for step in path:
        label, terrain = board.label(step.place), terrain_at(position, step.place).title.lower()
        word, rule = ("road", "PL-611") if step.by_road else (terrain, "PL-209")
        lines.append(Line(f"{label} {word}", points(step.cost), RuleId(rule)))
        lines += [Line(f"{label} {CROSSINGS[cited].title}", "die", cited) for cited in crossings(now, step)]
    if order.gait == QUICK:
        lines.append(Line(f"Quick-time: in order on 1 to {NUMBERS.quick.best}", "die", RuleId("PL-1605")))
    spent = now.leaving + sum(step.cost for step in path)
    return (Tally(f"Movement points of {points(now.left + now.leaving)}", points(spent), tuple(lines)),)


def left_after(position: Position, order: MoveUnit) -> tuple[int, bool]:
    """The half points that a unit has left at the end of a path that it can go, and whether dice stand in its way."""
    unit = position.units[order.unit]
    now = terms(position, unit, order.gait)
    path = steps(position, unit, order.path, now)
    return now.left - sum(step.cost for step in path), any(crossings(now, step) for step in path)


def move_options(position: Position, side: SideId, unit: Unit) -> Iterator[MoveUnit]:
    """A cheapest way to every hex in reach, and the same in quick-time."""
    if unit.side != side or cannot_move(position, side, unit.id) is not None:
        return
    for gait in ("", QUICK) if cannot_quicken(position, unit) is None else ("",):
        found = reach(position, unit, gait)
        for place in found.hexes[1:]:
            yield MoveUnit(unit.id, tuple(map(HexId, found.path_to(place))), gait)


def way_to(position: Position, unit: Unit, place: HexId) -> tuple[HexId, ...]:
    """A cheapest way to a hex, however far; to one that it may not enter, a cheapest way beside it and on into it;
    where there is none at all, straight at it.
    """
    return _leg(position, unit, unit.hex, place)


def _leg(position: Position, unit: Unit, start: HexId, place: HexId) -> tuple[HexId, ...]:
    now = terms(position, unit)
    found = reacher(position.ground).reach(start, FAR, now.costs, now.flags, now.alternate)
    if found.cost(place) >= 0:
        return tuple(map(HexId, found.path_to(place)))
    beside = [near for near in position.ground.board.neighbors(place) if found.cost(near) >= 0]
    if beside and now.flags[place] & MAY_NOT_ENTER:
        return (*map(HexId, found.path_to(min(beside, key=found.cost))), place)
    return position.ground.board.line(start, place)[1:]


def led_moves(position: Position, side: SideId, unit: Unit, places: tuple[HexId, ...]) -> Iterator[MoveUnit]:
    """The unit's move through hexes to the last of them, cheapest between each two, and the same in quick-time."""
    if not unit.hex:
        return
    legs = (_leg(position, unit, a, b) for a, b in pairwise((unit.hex, *places)))
    path = tuple(place for leg in legs for place in leg)
    for gait in ("", QUICK) if cannot_quicken(position, unit) is None else ("",):
        yield MoveUnit(unit.id, path, gait)


def pick_move(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> MoveUnit | None:
    """A move to a random hex in reach, or None when the unit has nowhere to go."""
    if cannot_move(position, side, unit.id) is not None:
        return None
    gait = ""
    if position.ground.options.quick_time and cannot_quicken(position, unit) is None and not dice.below(4):
        gait = QUICK
    now = terms(position, unit, gait)
    if now.left <= 0:
        return None
    found = reacher(position.ground).reach(unit.hex, now.left, now.costs, now.flags, now.alternate)
    others = len(found) - 1
    if not others:
        return None
    path = found.path_to(found.hexes[1 + dice.below(others)])
    return MoveUnit(unit.id, tuple(path), gait)


# --- off the map ----------------------------------------------------------------------------------------------------


def leaving_map_cost(position: Position, unit: Unit) -> int:
    """What the unit pays to leave the map from its hex: the road rate where a road runs off it, else as for clear.

    Rules: PL-611, PL-1504.
    """
    if any(place == unit.hex for place, _ in position.ground.scenario.sheet.road_ends):
        return ROAD_COST
    cost: int = getattr(TERRAIN["clear"], KINDS[unit.kind].mobility)
    return cost


def check_leave(position: Position, side: SideId, order: LeaveMap) -> Refusal | None:
    """Why the unit can't leave the map, or None.

    Rules: PL-601, PL-603, PL-1504.
    """
    refusal = cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    unit = position.units[order.unit]
    if NOWHERE not in position.ground.board.neighbor_table[unit.hex]:
        return Refusal(RuleId("PL-1504"), "a unit leaves the map from its edge")
    if is_at_sea(position, unit):
        return Refusal(RuleId("PL-1401"), "a unit at sea must land")
    if terms(position, unit).left < leaving_map_cost(position, unit):
        return Refusal(RuleId("PL-603"), "not enough movement points to leave the map")
    return None


def leave_options(position: Position, side: SideId, unit: Unit) -> Iterator[LeaveMap]:
    """Off the map where the scenario lets the unit go."""
    leave = LeaveMap(unit.id)
    if victory.exit_of(position, side, unit.hex) is not None and check_leave(position, side, leave) is None:
        yield leave


def resolve_leave(resolution: Resolution[Position], side: SideId, order: LeaveMap) -> None:
    """The unit is off the map; where the scenario does not let it go it counts as destroyed.

    Rules: PL-1504.
    """
    begin_move(resolution, order.unit)
    place = resolution.position.units[order.unit].hex
    worth = victory.exit_of(resolution.position, side, place)
    resolution.emit(UnitExited(order.unit, worth is not None, worth or 0))
    works.left(resolution, order.unit, place)
