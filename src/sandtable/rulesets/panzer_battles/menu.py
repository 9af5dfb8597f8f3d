"""How a player meets the orders of Panzer Battles: who acts, what pointing at the map means, a few words beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.play.rows import Actors, Aim, Label
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.fire.direct import best_target, cannot_afford
from sandtable.rulesets.panzer_battles.fire.eligibility import cannot_fire
from sandtable.rulesets.panzer_battles.fire.prospects import brief_odds
from sandtable.rulesets.panzer_battles.model import Position, Unit, on_map
from sandtable.rulesets.panzer_battles.movement import modes, moves, paths, stacks
from sandtable.rulesets.panzer_battles.movement.costs import LANDING, RAILS, SEA, mobility
from sandtable.rulesets.panzer_battles.movement.minefields import as_far_as_mines
from sandtable.rulesets.panzer_battles.movement.stacking import no_room
from sandtable.rulesets.panzer_battles.names import place_name, unit_name
from sandtable.rulesets.panzer_battles.operations import TITLES, after_change, kind_of
from sandtable.rulesets.panzer_battles.refusals import refuse


def units_of(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units on the map."""
    return on_map(position, side)


def picked(position: Position, ids: tuple[UnitId, ...]) -> list[Unit]:
    """The units among picked pieces."""
    return [position.units[id] for id in ids if 0 <= id < len(position.units) and position.units[id].hex]


def able(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units that have points left."""
    return [unit for unit in on_map(position, side) if unit.mp]


def idle(position: Position, side: SideId, step: str) -> list[Unit]:
    """The side's units that have done nothing in this turn and have nothing in hand."""
    return [unit for unit in able(position, side, step) if not (unit.has_acted or unit.digging_in or unit.operation)]


Pointing = Callable[[Position, SideId, Sequence[Unit], Selection], Order | Refusal]
"""What pointing somewhere means for those picked."""

UNITS: Actors[Position] = Actors(units_of, picked)


def is_armed(position: Position, unit: Unit) -> bool:
    return bool(unit.of.soft or unit.of.hard)


def bars_fire(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from firing, whatever it is aimed at."""
    return cannot_fire(position, unit) or cannot_afford(position, unit)


def bars_change(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from changing its mode."""
    return modes.check_change(position, side, o.ChangeMode(unit.id, modes.other_mode(unit)))


# --- moving ---------------------------------------------------------------------------------------------------------


def move_aim(position: Position, order: o.Move | o.MoveLeavingBehind) -> Aim:
    return Aim(order.path[-1], path=order.path, actors=order.units)


NO_WAY_BY = {
    RAILS: ("PB-MOVE-41", "no rail line leads there that is sound and free of the enemy"),
    SEA: ("PB-MOVE-60", "no way over the water leads there"),
    LANDING: ("PB-MOVE-61", "no way over the water leads there"),
}
"""What is told of hexes to which there is no way but that on land, by the way in which a unit moves."""


def point_move(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> o.Move | Refusal:
    """The move of those picked to the hex pointed at, by a cheapest way of the first: however devious where it is in
    reach, since that is always shown; else no way that is a large detour.

    Rules: PB-MOVE-116, PB-MOVE-118, PB-MOVE-119.
    """
    first, ids = units[0], tuple(unit.id for unit in units)
    if target.hex == first.hex:
        return refuse("PB-MOVE-2", "it is there already")
    path = paths.way(position, first, target.hex)
    if target.hex in paths.reach(position, first) or position.ground.board.direction(first.hex, target.hex) >= 0:
        return o.Move(ids, path)
    path = paths.far_way(position, first, target.hex)
    if any(unit.side != first.side for unit in index.at(position, target.hex)):
        return refuse("PB-MOVE-14", "an enemy stands there")
    crowded = no_room(position, target.hex, units)
    if crowded is not None:
        return crowded
    if not path:
        return refuse(*NO_WAY_BY.get(mobility(first).way, ("PB-MOVE-7", "no way leads there")))
    if paths.is_detour(position, first.hex, path):
        return refuse("PB-MOVE-116", "there is no direct path", f"{len(path)} hexes")
    return o.Move(ids, path)


def point_leaving(
    position: Position, side: SideId, actors: Sequence[stacks.Stack], target: Selection
) -> o.MoveLeavingBehind | Refusal:
    """The move of a stack, from which those are left behind who can't follow (PB-MOVE-10)."""
    found = point_move(position, side, actors[0].units, target)
    if isinstance(found, Refusal):
        return found
    units = actors[0].units
    if stacks.who_can(position, units, target.hex) == len(units):
        return refuse("PB-MOVE-10", "all of them can get there")
    fastest = max(units, key=lambda unit: (len(paths.goals(position, unit)), -unit.id))
    return o.MoveLeavingBehind(found.units, paths.way(position, fastest, target.hex))


STACK: Actors[Position] = Actors(units_of, lambda position, ids: stacks.stacked(picked(position, ids)))
"""Several units that move together."""


def move_label(position: Position, side: SideId, order: o.Move | o.MoveLeavingBehind) -> Label:
    """What the move leaves the first of its units."""
    unit = position.units[order.units[0]]
    left = max(0, unit.mp - sum(cost for _, cost in moves.move_cost(position, order, unit.id)))
    return Label(f"{left} MP left", str(left))


def leaving_label(position: Position, side: SideId, order: o.MoveLeavingBehind) -> Label:
    """How many of the units could come there."""
    there = stacks.who_can(position, [position.units[id] for id in order.units], order.path[-1])
    return Label(f"{there} of {len(order.units)} can get there", f"{there}/{len(order.units)}")


def move_warning(position: Position, side: SideId, order: o.Move | o.MoveLeavingBehind) -> str:
    """That somebody of unknown kind is in the way, or known mines are, or that the way is a large detour.

    Rules: PB-MOVE-11, PB-MOVE-14, PB-MOVE-116.
    """
    for place in order.path:
        if place in position.unknowns:
            return f"somebody is in {place_name(position, place)}"
    reached = as_far_as_mines(position, [position.units[id] for id in order.units], order.path)
    if len(reached) < len(order.path):
        return f"mines in {place_name(position, reached[-1])} stop it"
    if order.path and paths.is_detour(position, position.units[order.units[0]].hex, order.path):
        return f"no direct path: {len(order.path)} hexes"
    return ""


# --- firing ---------------------------------------------------------------------------------------------------------


def fire_aim(position: Position, order: o.Fire) -> Aim:
    return Aim(position.units[order.target].hex, (order.target,), actors=(order.unit,))


def point_fire(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> o.Fire | Refusal:
    """The fire of the first picked at the enemy pointed at, or at the best target in the hex (PB-FIRE-10)."""
    there = [unit for unit in picked(position, target.units) if unit.side != side and unit.hex == target.hex]
    if target.units and not there:
        return refuse("PB-FIRE-10", "that is no enemy")
    aimed = there[0].id if there else best_target(position, units[0], target.hex)
    return refuse("PB-SPOT-18", "no enemy is seen there") if aimed is None else o.Fire(units[0].id, aimed)


def fire_label(position: Position, side: SideId, order: o.Fire) -> Label:
    """What the fire can be expected to do."""
    note, brief = brief_odds(position, order)
    return Label(note, brief, unit_name(position, order.target))


# --- modes ----------------------------------------------------------------------------------------------------------


def mode_warning(position: Position, side: SideId, order: o.ChangeMode) -> str:
    """Which work a change of mode puts an end to; a bridge that stands is held in any mode.

    Rules: PB-ENG-6, PB-ENG-41, PB-MOVE-103.
    """
    unit = position.units[order.unit]
    if unit.digging_in:
        return "it stops digging in"
    return f"it gives up its work: {TITLES[kind_of(unit)]}" if unit.operation and not after_change(unit) else ""


def mode_aim(position: Position, order: o.ChangeMode) -> Aim:
    return Aim(position.units[order.unit].hex, actors=(order.unit,))


def point_mode(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> o.ChangeMode | Refusal:
    """The change of mode of the first picked, where it stands."""
    if target.hex != units[0].hex:
        return refuse("PB-MOVE-21", "a unit changes its mode where it stands")
    return o.ChangeMode(units[0].id, modes.other_mode(units[0]))


def mode_label(position: Position, side: SideId, order: o.ChangeMode) -> Label:
    """What the change leaves the unit."""
    left = modes.points_after(position, position.units[order.unit], order.mode)
    return Label(f"{left} MP left", str(left))


def travels(position: Position, unit: Unit) -> bool:
    return unit.is_traveling


def last_place(order: o.Move | o.MoveLeavingBehind) -> HexId:
    """Where a move ends."""
    return order.path[-1] if order.path else HexId(0)


def where_it_stands(make: Callable[[UnitId], Order], rule: str) -> Pointing:
    """An order that the first picked carries out where it stands: pointing elsewhere means nothing."""

    def point(position: Position, side: SideId, units: Sequence[Unit], target: Selection) -> Order | Refusal:
        here = units[0].hex
        return make(units[0].id) if target.hex == here else refuse(rule, "it does that where it stands")

    return point
