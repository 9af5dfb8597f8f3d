"""Overruns: armor that drives over soft targets in the open.

Rules: P44-12.04, P44-12.05.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_44 import fire, movement
from sandtable.rulesets.panzer_44.frames import Journey
from sandtable.rulesets.panzer_44.model import Position, Unit
from sandtable.rulesets.panzer_44.orders import Overrun
from sandtable.rulesets.panzer_44.pieces import enemy_of
from sandtable.rulesets.panzer_44.refusals import refuse
from sandtable.rulesets.panzer_44.stacks import enemies_at, kind_of, on_table
from sandtable.rulesets.panzer_44.terrain import SWAMP, TOWN, WOODS

SHELTERS = (TOWN, WOODS, SWAMP)
"""Where nobody can be overrun."""

EXTRA = movement.POINT
"""What an overrun costs beyond entering the hex."""


def overrun_odds(position: Position, unit: Unit, place: HexId, defender: Unit) -> fire.Odds:
    """The numbers of an overrun from a hex against one defender, at range 1 on the unit's own line."""
    return fire.odds(position, fire.chart_line(kind_of(unit)), fire.strength(unit), place, defender, distance=1)


def cannot_overrun(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't overrun whoever is in a hex, wherever it comes from; or None."""
    kind, board = kind_of(unit), position.ground.board
    if not (kind.is_hard and kind.attack):
        return refuse("P44-12.04", "only armed hard targets overrun")
    enemies = enemies_at(position, place, unit.side)
    if not enemies:
        return refuse("P44-12.04", "there is no enemy to overrun")
    if any(kind_of(enemy).is_hard for enemy in enemies):
        return refuse("P44-12.04", "an overrun is for soft targets only")
    if board.terrain[place] in SHELTERS:
        return refuse("P44-12.04", "nobody is overrun in town, woods or swamp")
    return None


def check_overrun(position: Position, side: SideId, order: Overrun) -> Refusal | None:
    """Why the unit can't go there and overrun so, or None."""
    refusal = movement.cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    board, unit = position.ground.board, position.units[order.unit]
    if not board.is_on(order.hex):
        return refuse("P44-12.04", "that is no hex of the map")
    costs = movement.steps(position, unit, order.path)
    if isinstance(costs, Refusal):
        return costs
    refusal = cannot_overrun(position, unit, order.hex)
    if refusal is not None:
        return refusal
    here = order.path[-1] if order.path else unit.hex
    cost = entry_cost(position, unit, here, order.hex)
    if cost is None:
        return refuse("P44-12.04", "it can't enter that hex from there")
    if sum(costs) + cost > movement.left_of(unit):
        return refuse("P44-12.04", f"entering takes {movement.points(cost)} points, an overrun's one included")
    return None


def entry_cost(position: Position, unit: Unit, here: HexId, there: HexId) -> int | None:
    """What an overrun from a hex into an adjacent one costs, or None where there is no way in."""
    direction = position.ground.board.direction(here, there)
    cost = movement.step_cost(position, kind_of(unit).mobility, here, direction) if direction >= 0 else None
    return None if cost is None else cost + EXTRA


def resolve_overrun(resolution: Resolution[Position], side: SideId, order: Overrun) -> None:
    movement.set_out(resolution, Journey(order.unit, order.path, "overrun", order.hex))


def explain_overrun(position: Position, side: SideId, order: Overrun) -> tuple[Tally, ...]:
    """The numbers against each defender."""
    unit = position.units[order.unit]
    here = order.path[-1] if order.path else unit.hex
    found = [overrun_odds(position, unit, here, enemy) for enemy in enemies_at(position, order.hex, side)]
    return tuple(tally for odds in found for tally in (odds.superiority, odds.reduction))


def overrun_options(position: Position, side: SideId, unit: Unit) -> Iterator[Overrun]:
    """Overruns of each hex of soft targets in reach, from every hex next to it that can be got to around mines."""
    if not kind_of(unit).is_hard or movement.cannot_move(position, side, unit.id) is not None:
        return
    board = position.ground.board
    hexes = dict.fromkeys(enemy.hex for enemy in on_table(position, enemy_of(side)))
    wanted = [place for place in hexes if cannot_overrun(position, unit, place) is None]
    if not wanted:
        return
    found = movement.safe_reach(position, unit)
    for place in wanted:
        for near in map(HexId, board.neighbors(place)):
            cost = entry_cost(position, unit, near, place) if found.cost(near) >= 0 else None
            if cost is not None and found.cost(near) + cost <= movement.left_of(unit):
                path = () if near == unit.hex else tuple(map(HexId, found.path_to(near)))
                yield Overrun(unit.id, place, path)
