"""Movement: what each step costs, how far a unit gets, who must move, and the order to do so.

Costs are in half-points (P44-1.06); rules and screens speak of movement points.

Rules: P44-2.08, P44-2.09, P44-2.10, P44-2.11, P44-2.12, P44-2.13, P44-2.14, P44-3.04, P44-4.01, P44-4.02, P44-4.03,
P44-5.09, P44-12.01, P44-12.02, P44-12.03, P44-12.06, P44-12.07.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.geometry import Reach, Reacher
from sandtable.geometry.reach import FORBIDDEN, MAY_NOT_ENTER
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.play.words import mixed
from sandtable.rulesets.panzer_44.events import MoveBegan
from sandtable.rulesets.panzer_44.frames import Journey
from sandtable.rulesets.panzer_44.ground import Ground, exits
from sandtable.rulesets.panzer_44.kinds import MOBILITY_TITLES
from sandtable.rulesets.panzer_44.model import MOVE, Position, Unit
from sandtable.rulesets.panzer_44.orders import EndMovement, LeaveMap, Move
from sandtable.rulesets.panzer_44.plots import has_order
from sandtable.rulesets.panzer_44.refusals import not_yours, refuse
from sandtable.rulesets.panzer_44.scenario import STACK_LIMIT
from sandtable.rulesets.panzer_44.stacks import kind_of, on_table, stacks, units_at
from sandtable.rulesets.panzer_44.terrain import BRIDGE, BRIDGE_COST, HEXSIDES, ROAD_COST, SLOPE, TERRAIN

POINT = 2
"""Half-points of a movement point (P44-1.06)."""

LEAVING = POINT
"""What it costs to leave the map at an exit (P44-12.07)."""


def points(halves: int) -> str:
    """Half-points as players count them: "3½"."""
    return mixed(Fraction(halves, POINT))


# --- what a step costs ----------------------------------------------------------------------------------------------


class Step:
    """One step from a hex in a direction, and the rules that price it."""

    def __init__(self, position: Position, here: HexId, direction: int) -> None:
        board = position.ground.board
        self.here, self.there = here, HexId(board.neighbor(here, direction))
        self.features = board.side_features(here, direction)
        self.is_bridged = BRIDGE in self.features
        wrecked = here in position.wrecks or self.there in position.wrecks
        self.is_on_road = board.has_road(here, direction) and not wrecked
        self.board = board

    def cost(self, mobility: str) -> int | None:
        """What the step costs a mobility, or None where it may not go.

        Rules: P44-2.08, P44-2.09, P44-2.10, P44-2.12, P44-2.13.
        """
        if not self.there:
            return None
        if self.is_bridged:
            return BRIDGE_COST.of(mobility)
        sides = [HEXSIDES[key] for key in self.features]
        if not all(side.passable for side in sides):
            return None
        if self.is_on_road:
            return ROAD_COST.of(mobility)
        added = sum(HEXSIDES[key].of(mobility) for key in self.features if self._counts(key))
        return TERRAIN[self.board.terrain[self.there]].of(mobility) + added

    def _counts(self, key: str) -> bool:
        """Whether a hexside adds to the cost: a slope only to who leaves its low hex (P44-2.11, P44-2.12)."""
        return key != SLOPE or self.board.elevation[self.here] < self.board.elevation[self.there]

    @property
    def words(self) -> str:
        """What the step leads over."""
        if self.is_bridged:
            return "bridge"
        if self.is_on_road:
            return "road"
        sides = [HEXSIDES[key].title.lower() for key in sorted(self.features) if self._counts(key)]
        return ", ".join([TERRAIN[self.board.terrain[self.there]].title.lower(), *sides])

    @property
    def rule(self) -> RuleId:
        return RuleId("P44-2.10" if self.is_bridged else "P44-2.09" if self.is_on_road else "P44-2.03")


def step_cost(position: Position, mobility: str, here: HexId, direction: int) -> int | None:
    """What the step from a hex in a direction costs, or None where the ground is impassable or the map ends."""
    cost = _costs(position, mobility)[8 * here + direction]
    return None if cost == FORBIDDEN else cost


def _costs(position: Position, mobility: str) -> bytes:
    """The cost layer of a mobility, made anew when a wreck has fallen (P44-2.13)."""

    def made_for(wrecks: tuple[HexId, ...]) -> bytes:
        roads = tuple([place for place in wrecks if position.ground.board.roads[place]])
        return position.ground.once(("costs", mobility, roads), lambda: _layer(position, mobility))

    return position.derived.of(_LAYERS[mobility], position.wrecks, made_for)


_LAYERS = {mobility: f"costs {mobility}" for mobility in MOBILITY_TITLES}


def _layer(position: Position, mobility: str) -> bytes:
    board = position.ground.board
    layer = bytearray([FORBIDDEN]) * (8 * board.size)
    for place in board.hexes:
        for direction in range(6):
            cost = Step(position, place, direction).cost(mobility)
            if cost is not None:
                layer[8 * place + direction] = cost
    return bytes(layer)


def _reacher(ground: Ground) -> Reacher:
    return ground.once("reacher", lambda: Reacher(ground.board))


def _barred(position: Position, side: SideId) -> bytes:
    """Flags of the hexes that a side may not enter: enemies or three of its own units are there."""

    def make() -> bytes:
        flags = bytearray(position.ground.board.size)
        for place, units in stacks(position).items():
            if units[0].side != side or len(units) >= STACK_LIMIT:
                flags[place] = MAY_NOT_ENTER
        return bytes(flags)

    return position.derived.part(f"barred to {side}", (position.units,), make)


def left_of(unit: Unit) -> int:
    """What a unit may still spend in this turn."""
    return kind_of(unit).allowance - unit.spent


def is_whole(unit: Unit) -> bool:
    """Whether a unit has its whole allowance unspent (P44-2.14)."""
    return bool(kind_of(unit).ma) and not unit.spent


def reach(position: Position, unit: Unit) -> Reach:
    """The hexes a unit can enter for what it has left."""
    return _reach(position, unit, _barred(position, unit.side))


def safe_reach(position: Position, unit: Unit) -> Reach:
    """The hexes a unit can enter without going over mines."""
    return _reach(position, unit, _mined(position, unit.side)) if position.mines else reach(position, unit)


def _reach(position: Position, unit: Unit, flags: bytes) -> Reach:
    costs = _costs(position, kind_of(unit).mobility)
    return _reacher(position.ground).reach(unit.hex, max(0, left_of(unit)), costs, flags)


def _mined(position: Position, side: SideId) -> bytes:
    """Flags of the hexes that a side may not or should not enter."""

    def make() -> bytes:
        flags = bytearray(_barred(position, side))
        for place in position.mines:
            flags[place] = MAY_NOT_ENTER
        return bytes(flags)

    return position.derived.part(f"unsafe for {side}", (position.units, position.mines), make)


def distance_field(position: Position, mobility: str, goals: list[HexId]) -> list[int]:
    """The cost of the way from the nearest of some goals to every hex, -1 where there is none."""
    flags = bytes(position.ground.board.size)
    return list(_reacher(position.ground).flood(goals, _costs(position, mobility), flags))


# --- who may move and who must --------------------------------------------------------------------------------------


def is_able(position: Position, unit: Unit) -> bool:
    """Whether a unit may still move in this phase: plotted, fit, its own master, and not done."""
    return (
        bool(unit.hex)
        and unit.carrier == NOBODY
        and has_order(position, unit, MOVE)
        and not (unit.pinned or unit.disruption or unit.panic or unit.handled)
        and (not unit.moved or position.moving == unit.id)
    )


def cannot_move(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why a unit can't move at all now, or None."""
    refusal = not_yours(position, side, unit)
    if refusal is not None:
        return refusal
    mover = position.units[unit]
    if mover.carrier != NOBODY:
        return refuse("P44-4.05", "it is aboard; it goes where its carrier goes")
    if mover.panic:
        return refuse("P44-6.04", "it has panicked, which cancels its order")
    if not has_order(position, mover, MOVE):
        return refuse("P44-5.09", "it was not plotted to move")
    if mover.pinned or mover.disruption:
        return refuse("P44-10.01" if mover.pinned else "P44-10.03", "a pinned or disrupted unit does not move")
    if mover.handled:
        return refuse("P44-4.05", "it was loaded or unloaded in this turn")
    if not is_able(position, mover):
        return refuse("P44-12.02", "it has moved; units move one at a time")
    if not kind_of(mover).ma:
        return refuse("P44-3.03", "it moves only in tow")
    return None


def blocked(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't be in a hex because of others, or None (P44-4.01, P44-4.02, P44-12.03)."""
    there = units_at(position, place)
    if not there:
        return None
    label = position.ground.board.label(place)
    if any(one.side != unit.side for one in there):
        return refuse("P44-4.02", f"an enemy is in {label}")
    if sum(one.id != unit.id for one in there) >= STACK_LIMIT:
        return refuse("P44-4.01", f"{label} holds {STACK_LIMIT} units already")
    return None


def single_steps(position: Position, unit: Unit, beyond: int = -1) -> Iterator[HexId]:
    """The adjacent hexes that a unit can enter and that cost more than so much: for what it has left, or with its whole
    allowance whatever the cost.
    """
    costs, most = _costs(position, kind_of(unit).mobility), FORBIDDEN - 1 if is_whole(unit) else left_of(unit)
    for direction, place in enumerate(position.ground.board.neighbor_table[unit.hex]):
        cost = costs[8 * unit.hex + direction]
        if beyond < cost <= most and blocked(position, unit, HexId(place)) is None:
            yield HexId(place)


def must_move(position: Position, unit: Unit) -> bool:
    """Whether a plotted unit has not moved and could (P44-5.09)."""
    if unit.moved or not kind_of(unit).ma or not is_able(position, unit):
        return False
    return next(single_steps(position, unit), None) is not None


def movers(position: Position, side: SideId) -> list[Unit]:
    """The side's units that may still move."""
    return [unit for unit in on_table(position, side) if is_able(position, unit)]


def check_end(position: Position, side: SideId, order: EndMovement) -> Refusal | None:
    """Why the side's movement can't end yet, or None: every plotted unit that can move must (P44-5.09)."""
    for unit in movers(position, side):
        if must_move(position, unit):
            where = position.ground.board.label(unit.hex)
            return refuse("P44-5.09", f"the {kind_of(unit).name} in {where} was plotted to move and must")
    return None


def end_options(position: Position, side: SideId) -> Iterator[EndMovement]:
    if check_end(position, side, EndMovement()) is None:
        yield EndMovement()


# --- paths ----------------------------------------------------------------------------------------------------------


def steps(position: Position, unit: Unit, path: tuple[HexId, ...]) -> list[int] | Refusal:
    """The cost of each step of a path, or why the unit can't take it.

    Rules: P44-2.14, P44-12.01, P44-12.03.
    """
    board, here = position.ground.board, unit.hex
    mobility, costs, left = kind_of(unit).mobility, list[int](), left_of(unit)
    for place in path:
        direction = board.direction(here, place) if board.is_on(place) else -1
        if direction < 0:
            return refuse("P44-12.01", "a path goes from hex to adjacent hex")
        cost = step_cost(position, mobility, here, direction)
        if cost is None:
            return refuse("P44-2.10", f"there is no way into {board.label(place)} from {board.label(here)}")
        refusal = blocked(position, unit, place)
        if refusal is not None:
            return refusal
        costs.append(cost)
        here = place
    if sum(costs) > left and not (len(path) == 1 and is_whole(unit)):
        return refuse("P44-12.01", f"that costs {points(sum(costs))} points; it has {points(left)}")
    return costs


def check_move(position: Position, side: SideId, order: Move) -> Refusal | None:
    """Why the unit can't move so, or None."""
    refusal = cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    if not order.path:
        return refuse("P44-12.01", "a move goes through at least one hex")
    costs = steps(position, position.units[order.unit], order.path)
    return costs if isinstance(costs, Refusal) else None


def set_out(resolution: Resolution[Position], journey: Journey) -> None:
    """A unit is on its way, and whoever moved before it is done."""
    if resolution.position.moving != journey.unit:
        resolution.emit(MoveBegan(journey.unit))
    resolution.push(journey)


def resolve_move(resolution: Resolution[Position], side: SideId, order: Move) -> None:
    set_out(resolution, Journey(order.unit, order.path))


def explain_move(position: Position, side: SideId, order: Move | LeaveMap) -> tuple[Tally, ...]:
    """What each hex of the path costs."""
    return (path_tally(position, position.units[order.unit], order.path, leaves=isinstance(order, LeaveMap)),)


def path_tally(position: Position, unit: Unit, path: tuple[HexId, ...], *, leaves: bool = False) -> Tally:
    """The points that a path costs, hex by hex."""
    board, here, lines, spent = position.ground.board, unit.hex, list[Line](), 0
    for place in path:
        step = Step(position, here, board.direction(here, place))
        cost = step.cost(kind_of(unit).mobility) or 0
        lines.append(Line(f"{board.label(place)} {step.words}", points(cost), step.rule))
        spent, here = spent + cost, place
    if leaves:
        lines.append(Line("off the map", points(LEAVING), RuleId("P44-12.07")))
        spent += LEAVING
    if spent > left_of(unit):
        lines.append(Line("one hex is always possible with the whole allowance", "", RuleId("P44-2.14")))
    return Tally(f"Movement points of {points(left_of(unit))}", points(spent), tuple(lines))


def stops(position: Position, unit: Unit) -> Iterator[tuple[HexId, tuple[HexId, ...]]]:
    """The hexes a unit can get to, each with a cheapest way, around mines where there is one; with its whole allowance
    always the adjacent ones.
    """
    for place, found in _goals(position, unit):
        yield place, _way(found, place)


def _goals(position: Position, unit: Unit) -> Iterator[tuple[HexId, Reach | None]]:
    """The hexes a unit can get to, each with the reach that leads there; none leads to those out of reach that it can
    enter with its whole allowance (P44-2.14).
    """
    found = safe_reach(position, unit)
    for place in found.hexes[1:]:
        yield HexId(place), found
    if position.mines:
        safe, found = found, reach(position, unit)
        for place in found.hexes[1:]:
            if place not in safe:
                yield HexId(place), found
    for place in single_steps(position, unit, left_of(unit)):
        if place not in found.hexes:
            yield place, None


def _way(found: Reach | None, place: HexId) -> tuple[HexId, ...]:
    """A cheapest way to a place, or the one step to it."""
    return (place,) if found is None else tuple(map(HexId, found.path_to(place)))


def mines_on_way(position: Position, side: SideId, order: Move | LeaveMap) -> str:
    """A warning where a path leads over mines, or out of them (P44-13.01)."""
    mined = [place for place in (position.units[order.unit].hex, *order.path) if place in position.mines]
    return f"mines in {position.ground.board.label(mined[0])} lie on the way" if mined else ""


def move_options(position: Position, side: SideId, unit: Unit) -> Iterator[Move]:
    """A cheapest way to every hex in reach."""
    if cannot_move(position, side, unit.id) is None:
        for _, path in stops(position, unit):
            yield Move(unit.id, path)


def pick_move(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> Move | None:
    """A move to a random hex in reach, or None when there is none."""
    if cannot_move(position, side, unit.id) is not None:
        return None
    goals = list(_goals(position, unit))
    if not goals:
        return None
    place, found = goals[dice.below(len(goals))]
    return Move(unit.id, _way(found, place))


# --- leaving the map ------------------------------------------------------------------------------------------------


def check_leave(position: Position, side: SideId, order: LeaveMap) -> Refusal | None:
    """Why the unit can't leave the map so, or None (P44-12.07)."""
    refusal = cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    unit = position.units[order.unit]
    costs = steps(position, unit, order.path)
    if isinstance(costs, Refusal):
        return costs
    if (order.path[-1] if order.path else unit.hex) not in exits(position.ground, side):
        return refuse("P44-12.07", "your units may not leave the map there")
    if sum(costs) + LEAVING > left_of(unit) and (order.path or not is_whole(unit)):
        return refuse("P44-12.01", f"leaving the map takes {points(LEAVING)} point")
    return None


def resolve_leave(resolution: Resolution[Position], side: SideId, order: LeaveMap) -> None:
    set_out(resolution, Journey(order.unit, order.path, "leave"))


def leave_options(position: Position, side: SideId, unit: Unit) -> Iterator[LeaveMap]:
    """The way out at every exit in reach."""
    ways_out = exits(position.ground, side)
    if not ways_out or cannot_move(position, side, unit.id) is not None:
        return
    for path in ((), *(path for place, path in stops(position, unit) if place in ways_out)):
        order = LeaveMap(unit.id, path)
        if check_leave(position, side, order) is None:
            yield order
