"""Orders to move and to leave the map, what they cost, and the choice among them.

Rules: PB3-601, PB3-602, PB3-603, PB3-1301.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOWHERE, HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally, amount
from sandtable.rulesets.panzerblitz_3d import victory
from sandtable.rulesets.panzerblitz_3d.costs import ROAD_COST, reacher
from sandtable.rulesets.panzerblitz_3d.events import UnitExited
from sandtable.rulesets.panzerblitz_3d.frames import Journey
from sandtable.rulesets.panzerblitz_3d.journeys import begin_move, halves
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.mobility import cannot_go, cannot_move, reach, steps, terms, ways
from sandtable.rulesets.panzerblitz_3d.model import Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import LeaveMap, MoveUnit
from sandtable.rulesets.panzerblitz_3d.stacks import has_room
from sandtable.rulesets.panzerblitz_3d.terrain import ground_of
from sandtable.rulesets.panzerblitz_3d.terrain_table import TERRAIN

FAR = 1 << 20
"""More half points than any way costs."""


def check_move(position: Position, side: SideId, order: MoveUnit) -> Refusal | None:
    """Why the unit can't move along this path, or None."""
    refusal = cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    if not order.path:
        return Refusal(RuleId("PB3-602"), "a move goes through at least one hex")
    unit = position.units[order.unit]
    now = terms(position, unit)
    if now.left <= 0:
        return Refusal(RuleId("PB3-602"), "it has no movement points left")
    return cannot_go(position, unit, order.path, now)


def resolve_move(resolution: Resolution[Position], side: SideId, order: MoveUnit) -> None:
    """The unit has set out along its path."""
    begin_move(resolution, order.unit)
    resolution.push(Journey(order.unit, order.path))


def explain_move(position: Position, side: SideId, order: MoveUnit) -> tuple[Tally, ...]:
    """What each hex of the path costs."""
    if check_move(position, side, order) is not None:
        return ()
    unit, board = position.units[order.unit], position.ground.board
    lines: list[Line] = []
    total = 0
    for step in steps(position, unit, order.path, terms(position, unit)):
        terrain = ground_of(board, step.place).title.lower()
        word, rule = ("road", "PB3-604") if step.by_road else (terrain, "PB3-205")
        lines.append(Line(f"{board.label(step.place)} {word}", amount(halves(step.cost)), RuleId(rule)))
        total += step.cost
    return (Tally("Movement points", amount(halves(total)), tuple(lines)),)


def left_after(position: Position, side: SideId, order: MoveUnit) -> int:
    """What is left of the allowance after a lawful move, in half points."""
    unit = position.units[order.unit]
    now = terms(position, unit)
    return max(0, now.left - sum(step.cost for step in steps(position, unit, order.path, now)))


def move_options(position: Position, side: SideId, unit: Unit) -> Iterator[MoveUnit]:
    """A cheapest way to every hex where the unit may end its move."""
    if unit.side == side and cannot_move(position, side, unit.id) is None:
        for path in ways(position, unit).values():
            yield MoveUnit(unit.id, path)


def pick_move(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> MoveUnit | None:
    """A move to a random hex in reach, or None when the unit has nowhere to go."""
    if cannot_move(position, side, unit.id) is not None:
        return None
    now = terms(position, unit)
    if now.left > 0:
        found = reach(position, unit, now)
        others = len(found) - 1
        if others:
            place = HexId(found.hexes[1 + dice.below(others)])
            if has_room(position, place, side):
                return MoveUnit(unit.id, tuple(map(HexId, found.path_to(place))))
    some = list(ways(position, unit).values())
    return MoveUnit(unit.id, some[dice.below(len(some))]) if some else None


def way_to(position: Position, unit: Unit, place: HexId) -> tuple[HexId, ...]:
    """A cheapest way to a hex, however far; where there is none at all, straight at it."""
    return _leg(position, unit, unit.hex, place)


def _leg(position: Position, unit: Unit, start: HexId, place: HexId) -> tuple[HexId, ...]:
    now = terms(position, unit)
    found = reacher(position.ground).reach(start, FAR, now.costs, now.flags, now.alternate)
    if found.cost(place) >= 0:
        return tuple(map(HexId, found.path_to(place)))
    return position.ground.board.line(start, place)[1:]


def led_moves(position: Position, side: SideId, unit: Unit, places: tuple[HexId, ...]) -> Iterator[MoveUnit]:
    """The unit's move through hexes to the last of them, cheapest between each two."""
    if unit.hex:
        legs = (_leg(position, unit, a, b) for a, b in pairwise((unit.hex, *places)))
        yield MoveUnit(unit.id, tuple(place for leg in legs for place in leg))


# --- off the map ----------------------------------------------------------------------------------------------------


def leaving_cost(position: Position, unit: Unit) -> int:
    """What the unit pays to leave the map from its hex: the road rate where a road runs off it, else as for clear."""
    if any(place == unit.hex for place, _ in position.ground.scenario.sheet.road_ends):
        return ROAD_COST
    cost: int = getattr(TERRAIN["clear"].cost, KINDS[unit.kind].mobility)
    return cost


def check_leave(position: Position, side: SideId, order: LeaveMap) -> Refusal | None:
    """Why the unit can't leave the map, or None.

    Rules: PB3-602, PB3-603, PB3-1301.
    """
    refusal = cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    unit = position.units[order.unit]
    if NOWHERE not in position.ground.board.neighbor_table[unit.hex]:
        return Refusal(RuleId("PB3-1301"), "a unit leaves the map from its edge")
    now = terms(position, unit)
    if now.left < leaving_cost(position, unit) and not now.fresh:
        return Refusal(RuleId("PB3-602"), "not enough movement points to leave the map")
    return None


def leave_options(position: Position, side: SideId, unit: Unit) -> Iterator[LeaveMap]:
    """Off the map where the scenario lets the unit go."""
    leave = LeaveMap(unit.id)
    if victory.exit_of(position, side, unit.hex) is not None and check_leave(position, side, leave) is None:
        yield leave


def resolve_leave(resolution: Resolution[Position], side: SideId, order: LeaveMap) -> None:
    """The unit is off the map; where the scenario does not let it go it counts as destroyed (PB3-1301)."""
    begin_move(resolution, order.unit)
    place = resolution.position.units[order.unit].hex
    worth = victory.exit_of(resolution.position, side, place)
    resolution.emit(UnitExited(order.unit, worth is not None, worth or 0))
