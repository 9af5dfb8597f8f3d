"""Moving along a path, hex by hex, with what the truth has in store on the way.

Rules: PB-MOVE-1, PB-MOVE-10, PB-MOVE-11, PB-MOVE-14.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles import index, victory
from sandtable.rulesets.panzer_battles.air import interdiction
from sandtable.rulesets.panzer_battles.deception.effects import mislead
from sandtable.rulesets.panzer_battles.engineers import entering
from sandtable.rulesets.panzer_battles.events import Bumped, MoveStopped, Stepped
from sandtable.rulesets.panzer_battles.fire import opportunity
from sandtable.rulesets.panzer_battles.model import DEPLOYED, RAIL, Position, Unit
from sandtable.rulesets.panzer_battles.movement import paths
from sandtable.rulesets.panzer_battles.movement.barring import no_way
from sandtable.rulesets.panzer_battles.movement.breakdown import break_down
from sandtable.rulesets.panzer_battles.movement.carrying import is_held, is_passenger, riders
from sandtable.rulesets.panzer_battles.movement.minefields import explode
from sandtable.rulesets.panzer_battles.movement.reasons import step_line
from sandtable.rulesets.panzer_battles.movement.stacking import no_room
from sandtable.rulesets.panzer_battles.operations import BRIDGING, holds_bridge, is_at
from sandtable.rulesets.panzer_battles.orders import Move, MoveLeavingBehind
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.reinforcements import releases
from sandtable.rulesets.panzer_battles.spotting import concealment, scouting
from sandtable.rulesets.panzer_battles.spotting.levels import spotted_enemies
from sandtable.rulesets.panzer_battles.terrain import features_on

HEDGE_ROW = "hedge_row"

CONTACT, UNDER_FIRE, MINED, BUMP, ZONE, BARRED, DOWN, SPENT, ASTRAY, LEFT_BEHIND = (
    "an enemy has come into sight",
    "it is under fire",
    "it is among mines",
    "an enemy stands in the way",
    "a zone of control makes the way longer",
    "the way is barred",
    "the bridge is down",
    "the movement points do not suffice",
    "it has been sent astray",
    "the others go on without it",
)
"""Why moves stop (PB-MOVE-10, PB-MOVE-11, PB-MOVE-14, PB-MOVE-41, PB-ZOC-13, PB-ENG-63)."""

NOT_ENTERED = (BUMP, ZONE, BARRED, DOWN, SPENT)
"""What keeps a move out of the next hex, be it the last."""


def cannot_move(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What in the unit itself keeps it where it is.

    Rules: PB-MOVE-12, PB-MOVE-13, PB-MOVE-23, PB-MOVE-98.
    """
    if is_held(position, unit):
        return refuse("PB-MOVE-98", "it is fixed and may not move yet")
    if unit.has("rail_unit") and unit.mode != RAIL:
        return refuse("PB-MOVE-56", "it moves in Rail Mode only")
    if unit.broken and unit.mode == RAIL:
        return refuse("PB-MOVE-12", "a Broken unit in Rail Mode does not move")
    if is_passenger(unit):
        return refuse("PB-MOVE-49", "it moves with its carrier")
    if unit.is_immobile:
        return refuse("PB-UNIT-11", "it never moves")
    if unit.of.has("towed") and unit.mode == DEPLOYED:
        return refuse("PB-MOVE-23", "towed guns move in Travel Mode only")
    if is_at(unit, *BRIDGING) and not (holds_bridge(unit) and unit.is_traveling):
        return refuse("PB-MOVE-12", "it has a bridge in hand")
    if not unit.mp:
        return refuse("PB-MOVE-1", "it has no movement points left")
    return None


def check_move(position: Position, side: SideId, order: Move | MoveLeavingBehind) -> Refusal | None:
    """Rules: PB-MOVE-1, PB-MOVE-7, PB-MOVE-10, PB-MOVE-14, PB-STK-2."""
    movers: list[Unit] = []
    for id in order.units:
        unit = own(position, side, id)
        refusal = unit if isinstance(unit, Refusal) else cannot_move(position, side, unit)
        if refusal is not None:
            return refusal
        assert isinstance(unit, Unit)
        movers.append(unit)
    if not movers or len(set(order.units)) < len(movers):
        return refuse("PB-MOVE-10", "a move is of one unit, or of several different ones")
    if len({unit.hex for unit in movers}) > 1:
        return refuse("PB-MOVE-10", "units that move together start from one hex")
    if not order.path:
        return refuse("PB-MOVE-2", "a move leads somewhere")
    if any(_leaves_bridge(position, unit, order.path) for unit in movers):
        return refuse("PB-ENG-43", "it holds a bridge: it may cross that and go nowhere else")
    return _check_path(position, movers, order.path, leaves=isinstance(order, MoveLeavingBehind))


def followers(position: Position, order: Move | MoveLeavingBehind) -> tuple[UnitId, ...]:
    """Those of the units that can pay for the whole way, as far as their side knows.

    Rules: PB-MOVE-10.
    """
    units = [position.units[id] for id in order.units]
    return tuple(unit.id for unit in units if _can_pay(position, unit, order.path, units))


def _can_pay(position: Position, unit: Unit, path: tuple[HexId, ...], company: Sequence[Unit]) -> bool:
    spent, here = 0, unit.hex
    for to in path:
        if not _can_step(position, unit, here, to, spent, company):
            return False
        spent, here = spent + paths.step(position, unit, here, to, company=company).cost, to
    return True


def _can_step(position: Position, unit: Unit, here: HexId, to: HexId, spent: int, company: Sequence[Unit]) -> bool:
    cost = paths.step(position, unit, here, to, company=company).cost
    return bool(cost) and paths.is_within(position, unit, spent, cost)


def _leaves_bridge(position: Position, unit: Unit, path: tuple[HexId, ...]) -> bool:
    """Whether a way leads a unit that holds a bridge anywhere but over it.

    Rules: PB-ENG-41, PB-ENG-43.
    """
    return holds_bridge(unit) and path not in paths.over_bridge(position, unit).values()


def _check_path(position: Position, movers: list[Unit], path: tuple[HexId, ...], *, leaves: bool) -> Refusal | None:
    board, here = position.ground.board, movers[0].hex
    spent = dict.fromkeys((unit.id for unit in movers), 0)
    for to in path:
        if not board.is_on(to):
            return refuse("PB-MOVE-2", "the way leads off the map")
        if any(other.side != movers[0].side for other in index.at(position, to)):
            return refuse("PB-MOVE-14", "an enemy stands there", board.label(to))
        if board.direction(here, to) < 0:
            return refuse("PB-MOVE-2", "the hexes of a way are adjacent")
        if leaves:
            able = [unit for unit in movers if _can_step(position, unit, here, to, spent[unit.id], movers)]
            movers = able or movers
        crowded = no_room(position, to, movers)
        if crowded is not None:
            return crowded
        for unit in movers:
            cost = paths.step(position, unit, here, to, company=movers).cost
            if not cost:
                return no_way(position, unit, here, to, movers)
            if not paths.is_within(position, unit, spent[unit.id], cost):
                left = max(0, unit.mp - spent[unit.id])
                return refuse("PB-MOVE-1", "it has not the movement points left", f"{cost} needed, {left} left")
            spent[unit.id] += cost
        here = to
    return None


def resolve_move(resolution: Resolution[Position], side: SideId, order: Move | MoveLeavingBehind) -> None:
    """The units go along the path as far as the truth lets them; what it was planned to cost is what the side knew.
    Whoever tried a step that a zone he did not know of makes too long has lost the points he tried it with.

    Rules: PB-MOVE-10, PB-ZOC-13.
    """
    position, here = resolution.position, resolution.position.units[order.units[0]].hex
    known = spotted_enemies(position, side) if position.ground.options.fog else None
    company = [position.units[id] for id in order.units]
    planned = [
        {unit.id: paths.step(position, unit, before, to, known, company).normal for unit in company}
        for before, to in zip((here, *order.path), order.path, strict=False)
    ]
    going = order.units
    for number, to in enumerate(order.path):
        if isinstance(order, MoveLeavingBehind):
            going = _without_the_tired(resolution, side, going, to)
        reason = _step(resolution, side, going, to, planned[number], is_first=not number)
        if reason:
            left = (id for id in going if resolution.position.units[id].hex)
            movers = tuple(id for id in left if reason != DOWN or resolution.position.units[id].hex != to)
            if movers and (number + 1 < len(order.path) or reason in NOT_ENTERED):
                here = resolution.position.units[movers[0]].hex
                resolution.emit(MoveStopped(side, movers, here, reason, spent=reason == SPENT))
            break
    scouting.after_move(resolution, order.units)


def _without_the_tired(
    resolution: Resolution[Position], side: SideId, ids: tuple[UnitId, ...], to: HexId
) -> tuple[UnitId, ...]:
    """Those who can pay for the next step; the others stay behind, unless nobody can.

    Rules: PB-MOVE-10.
    """
    position = resolution.position
    units = [position.units[id] for id in ids]
    steps = {unit.id: paths.step(position, unit, unit.hex, to, company=units).normal for unit in units}
    # mines that nobody knew of leave nobody behind (PB-MOVE-82)
    able = tuple(id for id in ids if steps[id] and paths.is_within(position, position.units[id], 0, steps[id]))
    left = tuple(id for id in ids if id not in able)
    if able and left:
        resolution.emit(MoveStopped(side, left, position.units[left[0]].hex, LEFT_BEHIND))
    return able or ids


def _step(
    resolution: Resolution[Position],
    side: SideId,
    ids: tuple[UnitId, ...],
    to: HexId,
    planned: dict[UnitId, int],
    *,
    is_first: bool,
) -> str:
    """The units have entered the next hex, or not; why they go no further, if they don't.

    Rules: PB-MOVE-14, PB-MOVE-41, PB-ZOC-13.
    """
    position = resolution.position
    movers = [position.units[id] for id in ids]
    steps = {unit.id: paths.step(position, unit, unit.hex, to, company=movers) for unit in movers}
    if not is_first and any(steps[id].normal > planned[id] for id in ids):
        return ZONE
    # mines that nobody knew of keep nobody out: what the side knew was judged before (PB-MOVE-82)
    if any(not paths.is_within(position, unit, 0, steps[unit.id].normal) for unit in movers):
        return SPENT
    in_the_way = [other for other in index.at(position, to) if other.side != side]
    if in_the_way:
        revealed = tuple(other.id for other in in_the_way)
        for unit in movers:
            cost = steps[unit.id].normal or planned[unit.id]
            resolution.emit(Bumped(unit.id, to, max(0, unit.mp - cost), revealed))
        return BUMP
    if any(not found.normal for found in steps.values()):
        return BARRED
    known = spotted_enemies(position, side)
    met = [
        DOWN if paths.is_cut(position, resolution.position, id, to) else enter(resolution, id, to, steps[id].cost)
        for id in ids
    ]
    if any(met):
        return next(filter(None, met))
    return CONTACT if spotted_enemies(resolution.position, side) - known else ""


def enter(resolution: Resolution[Position], id: UnitId, to: HexId, cost: int) -> str:
    """One unit has entered the hex and met its mines and the fire that this drew; why it stops there, if it does, or
    before, if the bridge was blown under it.

    Rules: PB-ENG-63, PB-MOVE-51, PB-MOVE-81, PB-MOVE-89, PB-OPF-1, PB-VIC-4, PB-SPOT-20, PB-ZOC-12.
    """
    before = resolution.position
    unit = before.units[id]
    hidden = concealment.is_hidden_on_entering(before, unit, to)
    is_vulnerable = unit.vulnerable or (unit.of.is_vehicles and _crosses_hedge_row(before, unit.hex, to))
    resolution.emit(Stepped(id, to, max(0, unit.mp - cost), hidden, is_vulnerable, unit.hex))
    concealment.settle(resolution, before)
    break_down(resolution, resolution.position.units[id], cost)
    releases.alarm(resolution)
    victory.capture(resolution, id)
    is_mined = explode(resolution, id)
    if is_mined:
        # who is spared brings his riders through as well
        for rider in riders(resolution.position, resolution.position.units[id]):
            explode(resolution, rider.id, rides=True)
    entering.begin(resolution, id, unit.hex)
    is_put_back = resolution.position.units[id].hex == unit.hex
    is_hit = opportunity.draw_fire(resolution, id, by_moving=True)
    is_hit = interdiction.strike(resolution, id) or is_hit
    is_astray = mislead(resolution, id)
    if is_put_back:
        return DOWN
    return UNDER_FIRE if is_hit else MINED if is_mined else ASTRAY if is_astray else ""


def _crosses_hedge_row(position: Position, here: HexId, to: HexId) -> bool:
    return HEDGE_ROW in features_on(position, here, position.ground.board.direction(here, to))


# --- what can be ordered --------------------------------------------------------------------------------------------


def move_options(position: Position, side: SideId, unit: Unit) -> Iterator[Move]:
    """A move to every hex that a unit can come to, by a cheapest way."""
    if cannot_move(position, side, unit) is None:
        for goal in paths.goals(position, unit):
            yield Move((unit.id,), paths.way(position, unit, goal))


FARTHEST_FIRST = 12
"""So many of the farthest goals a random player chooses among."""


def pick_move(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> Move | None:
    """A random move of a unit, one of its farthest more often than not."""
    if cannot_move(position, side, unit) is not None:
        return None
    goals = paths.goals(position, unit)
    if not goals:
        return None
    some = goals if dice.below(2) else goals[-FARTHEST_FIRST:]
    goal = some[dice.below(len(some))]
    return Move((unit.id,), paths.way(position, unit, goal))


def led_options(position: Position, side: SideId, unit: Unit, way: tuple[HexId, ...]) -> Iterator[Move]:
    """The move of a unit through hexes in turn, each by a cheapest way from the last."""
    path: list[HexId] = []
    at = unit
    for goal in way:
        path += paths.way(position, at, goal)
        at = replace(at, hex=goal)
    yield Move((unit.id,), tuple(path))


def move_cost(position: Position, order: Move | MoveLeavingBehind, id: UnitId) -> list[tuple[HexId, int]]:
    """What each hex of the way costs one of the units, as far as its side knows."""
    unit = position.units[id]
    if len(order.units) == 1:
        return list(zip(order.path, paths.step_costs(position, unit, order.path), strict=True))
    company = [position.units[other] for other in order.units]
    starts = (unit.hex, *order.path)
    return [
        (to, paths.step(position, unit, here, to, company=company).cost)
        for here, to in zip(starts, order.path, strict=False)
    ]


def explain_move(position: Position, side: SideId, order: Move | MoveLeavingBehind) -> tuple[Tally, ...]:
    """What the way costs each unit that can go all of it, hex by hex, and why."""
    tallies = []
    company = [position.units[id] for id in order.units]
    for id in followers(position, order) or order.units:
        unit = position.units[id]
        costs = move_cost(position, order, id)
        starts = (unit.hex, *order.path)
        lines = tuple(
            step_line(position, unit, here, to, cost, company) for here, (to, cost) in zip(starts, costs, strict=False)
        )
        tallies.append(Tally("Movement points", min(unit.mp, sum(cost for _, cost in costs)), lines))
    return tuple(tallies)
