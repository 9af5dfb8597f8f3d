"""Overruns: armored vehicles drive through an enemy-held hex and attack what is in it.

Rules: PB3-1001 to PB3-1006, PB3-1608.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.geometry.hexes import opposite
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzerblitz_3d.combat import fail, readied, rides_outside, roll_attack
from sandtable.rulesets.panzerblitz_3d.costs import reacher
from sandtable.rulesets.panzerblitz_3d.events import MoveEnded, UnitUnloaded
from sandtable.rulesets.panzerblitz_3d.frames import Journey, OverrunFrame
from sandtable.rulesets.panzerblitz_3d.journeys import begin_move
from sandtable.rulesets.panzerblitz_3d.kinds import ARMORED, HALFTRACKS, INFANTRY, KINDS, OVERRUNNERS
from sandtable.rulesets.panzerblitz_3d.mobility import account, cannot_go, cannot_move, terms
from sandtable.rulesets.panzerblitz_3d.model import OVERRUN, Position, Unit
from sandtable.rulesets.panzerblitz_3d.orders import Overrun, OverrunRun
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of, with_unit
from sandtable.rulesets.panzerblitz_3d.stacks import (
    active,
    counters_at,
    fort_at,
    has_room,
    kind,
    own_unit,
    passenger_of,
    places_of,
)
from sandtable.rulesets.panzerblitz_3d.terrain import ground_of
from sandtable.rulesets.panzerblitz_3d.terrain_table import TERRAIN
from sandtable.rulesets.panzerblitz_3d.workings import Attack, Shift

WHO, HOW, WHERE, ONCE = map(RuleId, ("PB3-1001", "PB3-1002", "PB3-1006", "PB3-1005"))
DROPPING = RuleId("PB3-1608")
ONE_COLUMN = Shift("Overrun: one column", "PB3-1003")

MOST_TOGETHER = 4
"""How many vehicles the options put into one overrun."""

LEAST_COST = min(terrain.cost.vehicle for terrain in TERRAIN.values() if terrain.cost.vehicle > 0)
"""What a vehicle pays at least for a hex without the road rate, in half points."""

APPROACHING, BEFORE, SENT = 0, 1, 2
"""The stages of a run."""


# --- who, and where -------------------------------------------------------------------------------------------------


def target_refusal(position: Position, side: SideId, place: HexId) -> Refusal | None:
    """Why a hex can't be overrun now, whoever would try.

    Rules: PB3-1001, PB3-1005, PB3-1006.
    """
    board = position.ground.board
    if not board.is_on(place):
        return Refusal(WHO, "that is no hex of the map")
    targets = counters_at(position, place, enemy_of(side))
    if not targets:
        return Refusal(WHO, "there is no enemy to overrun in that hex")
    if not ground_of(board, place).overrun_ok:
        return Refusal(WHO, "only clear hexes can be overrun")
    if place in position.wrecks or place in position.blocks or place in position.mines or fort_at(position, place):
        return Refusal(WHERE, "a wreck, a block, mines or a fort stop overruns of their hex")
    if any(OVERRUN in unit.attacked for unit in targets):
        return Refusal(ONCE, "that stack has been overrun already in this player turn")
    return None


def runner_refusal(position: Position, side: SideId, id: UnitId, targets: Sequence[Unit]) -> Refusal | None:
    """Why a unit can't overrun these defenders, or None.

    Rules: PB3-1001, PB3-1002, PB3-1004.
    """
    unit = own_unit(position, side, id)
    if unit is None:
        return Refusal(WHO, "there is no such unit of yours on the table")
    name = kind(unit).name
    if unit.kind not in OVERRUNNERS:
        return Refusal(RuleId("PB3-1004"), f"{name} does not overrun")
    if unit.kind in HALFTRACKS and any(target.kind in ARMORED for target in targets):
        return Refusal(RuleId("PB3-1004"), f"{name} does not overrun armored units")
    now = account(position, unit)
    if now is not None and now.on_road:
        return Refusal(HOW, f"{name} has used the road rate in this move")
    return cannot_move(position, side, id)


# --- one vehicle's run ----------------------------------------------------------------------------------------------


def before_target(unit: Unit, run: OverrunRun) -> HexId:
    """The hex from which a run enters the target hex."""
    return run.path[-3] if len(run.path) > 2 else unit.hex


def check_run(position: Position, run: OverrunRun, place: HexId) -> Refusal | None:
    """Why the vehicle can't drive along its path straight through the target hex, or None.

    Rules: PB3-1002.
    """
    unit, board = position.units[run.unit], position.ground.board
    if len(run.path) < 2 or run.path[-2] != place or place in run.path[:-2]:
        return Refusal(HOW, "a run ends with the target hex and the hex behind it")
    refusal = cannot_go(position, unit, run.path, terms(position, unit, roads=False), place)
    if refusal is not None:
        return refusal
    if board.direction(before_target(unit, run), place) != board.direction(place, run.path[-1]):
        return Refusal(HOW, "an overrun leaves the target hex by the opposite side")
    return None


def drop_refusal(position: Position, order: Overrun) -> Refusal | None:
    """Why the riders named can't drop off before the overrun, or None.

    Rules: PB3-621, PB3-1608.
    """
    if not order.drop:
        return None
    if not position.ground.options.panzerblitz_assault:
        return Refusal(DROPPING, "the Panzerblitz assault is not played in this battle")
    runners = {run.unit for run in order.runs}
    for id in order.drop:
        if not 0 <= id < len(position.units) or position.units[id].carrier not in runners:
            return Refusal(DROPPING, "only riders of the overrunning vehicles can drop off")
        if not rides_outside(position.units[position.units[id].carrier]) or position.units[id].kind not in INFANTRY:
            return Refusal(DROPPING, "only infantry riding on tanks drops off for an assault")
    return None


def _after(position: Position, run: OverrunRun, drop: Sequence[UnitId]) -> Position:
    """The position once the run has been driven and its rider has dropped off, as far as the next run is concerned."""
    unit, rider = position.units[run.unit], passenger_of(position, run.unit)
    if rider is not None and rider.id in drop:
        position = with_unit(position, rider.id, hex=before_target(unit, run), carrier=NOBODY)
    elif rider is not None:
        position = with_unit(position, rider.id, hex=run.path[-1])
    return with_unit(position, unit.id, hex=run.path[-1])


def _is_crowded(position: Position, run: OverrunRun, drop: Sequence[UnitId]) -> bool:
    """Whether the run's rider is to drop off where there is no room for it beside its tank."""
    rider = passenger_of(position, run.unit)
    if rider is None or rider.id not in drop:
        return False
    unit = position.units[run.unit]
    before = before_target(unit, run)
    return not has_room(with_unit(position, run.unit, hex=before), before, unit.side)


# --- the attack -----------------------------------------------------------------------------------------------------


def overrun_attack(position: Position, side: SideId, runners: Sequence[Unit], place: HexId) -> Attack | Refusal:
    """The attack of these vehicles on the whole stack of a hex, ready to be rolled, or why there is none.

    Rules: PB3-1003, PB3-1004, PB3-1005.
    """
    targets = counters_at(position, place, enemy_of(side))
    if any(target.kind in ARMORED for target in targets):
        # halftracks shy from armor, also from armor that came to light only now (PB3-1004)
        runners = [unit for unit in runners if unit.kind not in HALFTRACKS]
    lines = [Line(f"{kind(unit).name} overruns", kind(unit).attack, RuleId("PB3-1003")) for unit in runners]
    return readied(
        position,
        place,
        targets,
        lines,
        strength=sum(kind(unit).attack for unit in runners),
        side=side,
        how=OVERRUN,
        rule="PB3-1003",
        attackers=runners,
        shift=ONE_COLUMN,
    )


# --- the order ------------------------------------------------------------------------------------------------------


def check_overrun(position: Position, side: SideId, order: Overrun) -> Refusal | None:
    """Why the overrun can't be driven, or None; every run is judged on the table that the runs before it leave.

    Rules: PB3-1001, PB3-1002, PB3-1004, PB3-1005, PB3-1608.
    """
    refusal = target_refusal(position, side, order.hex)
    if refusal is not None:
        return refusal
    if not order.runs or len({run.unit for run in order.runs}) != len(order.runs):
        return Refusal(ONCE, "name each overrunning vehicle once")
    targets = counters_at(position, order.hex, enemy_of(side))
    for run in order.runs:
        refusal = runner_refusal(position, side, run.unit, targets)
        if refusal is not None:
            return refusal
    refusal = drop_refusal(position, order)
    if refusal is not None:
        return refusal
    table = position
    for run in order.runs:
        refusal = check_run(table, run, order.hex)
        if refusal is not None:
            return refusal
        if _is_crowded(table, run, order.drop):
            return Refusal(RuleId("PB3-404"), "there is no room for the riders where they would drop off")
        table = _after(table, run, order.drop)
    attack = overrun_attack(position, side, [position.units[run.unit] for run in order.runs], order.hex)
    return attack if isinstance(attack, Refusal) else None


def resolve_overrun(resolution: Resolution[Position], side: SideId, order: Overrun) -> None:
    """The overrun is under way."""
    resolution.push(OverrunFrame(order.hex, order.runs, drop=order.drop))


def drive_on(resolution: Resolution[Position], frame: OverrunFrame) -> None:
    """The overrun has come one stage further: an approach, a drive through the hex, or in the end the attack.

    A vehicle that was stopped on its way takes no part, nor does one that was dispersed behind the hex or ran onto
    mines there.

    Rules: PB3-902, PB3-1002, PB3-1005, PB3-1606, PB3-1608.
    """
    if not frame.runs:
        _strike(resolution, frame)
        return
    run, rest = frame.runs[0], frame.runs[1:]
    unit = resolution.position.units[run.unit]
    if not unit.hex or unit.moved:
        resolution.goto(OverrunFrame(frame.hex, rest, frame.through, frame.drop))
    elif frame.stage == SENT:
        resolution.emit(MoveEnded(unit.id, "it has overrun (PB3-1002)"))
        through = frame.through if unit.mined else (*frame.through, unit.id)
        resolution.goto(OverrunFrame(frame.hex, rest, through, frame.drop))
    elif frame.stage == APPROACHING:
        begin_move(resolution, run.unit)
        resolution.goto(OverrunFrame(frame.hex, frame.runs, frame.through, frame.drop, BEFORE))
        resolution.push(Journey(run.unit, run.path[:-2], frame.hex))
    else:
        _drop_rider(resolution, run.unit, frame)
        resolution.goto(OverrunFrame(frame.hex, frame.runs, frame.through, frame.drop, SENT))
        resolution.push(Journey(run.unit, run.path[-2:], frame.hex, behind=_approach(resolution.position, run)))


def _approach(position: Position, run: OverrunRun) -> tuple[HexId, ...]:
    """The hexes that a run has left by the time it stands before the target hex (PB3-404)."""
    start = () if position.mover is None else (position.mover.start,)
    return (*start, *run.path[:-3])


def _drop_rider(resolution: Resolution[Position], carrier: UnitId, frame: OverrunFrame) -> None:
    """The rider is off its tank and may assault the target hex, if it was told to (PB3-1608)."""
    rider = passenger_of(resolution.position, carrier)
    if rider is not None and rider.id in frame.drop:
        resolution.emit(UnitUnloaded(carrier, rider.id, assaults=frame.hex))


def _strike(resolution: Resolution[Position], frame: OverrunFrame) -> None:
    """All that got through have attacked together (PB3-1005)."""
    resolution.pop()
    position = resolution.position
    side = position.phasing
    attack = overrun_attack(position, side, [position.units[id] for id in frame.through], frame.hex)
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)
    elif frame.through:
        fail(resolution, side, OVERRUN, frame.through, frame.hex, counters_at(position, frame.hex, enemy_of(side)))


def explain_overrun(position: Position, side: SideId, order: Overrun) -> tuple[Tally, ...]:
    """The tallies of the attack, if every vehicle gets through."""
    if check_overrun(position, side, order) is not None:
        return ()
    attack = overrun_attack(position, side, [position.units[run.unit] for run in order.runs], order.hex)
    assert isinstance(attack, Attack)
    return attack.tallies


# --- options --------------------------------------------------------------------------------------------------------


def overrun_options(position: Position, side: SideId, unit: Unit) -> Iterator[Overrun]:
    """Overruns by the unit alone along each way through, and together with others that can reach the same stack."""
    for place in places_to_overrun(position, side, unit):
        runs = list(runs_through(position, unit, place))
        for run in runs:
            order = Overrun(place, (run,))
            if check_overrun(position, side, order) is None:
                yield order
                yield from _dropping(position, side, order)
        if runs:
            yield from together(position, side, runs[0], place)


def _dropping(position: Position, side: SideId, order: Overrun) -> Iterator[Overrun]:
    """The same with the rider dropping off before it, where that is played (PB3-1608)."""
    rider = passenger_of(position, order.runs[0].unit)
    if rider is not None and position.ground.options.panzerblitz_assault:
        dropping = Overrun(order.hex, order.runs, (rider.id,))
        if check_overrun(position, side, dropping) is None:
            yield dropping


def pick_overrun(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> Overrun | None:
    """An overrun of a random stack in a random direction, by the unit alone or with whoever can come along."""
    places = list(places_to_overrun(position, side, unit))
    if not places:
        return None
    place = places[dice.below(len(places))]
    runs = list(runs_through(position, unit, place))
    if not runs:
        return None
    run = runs[dice.below(len(runs))]
    company = None if dice.below(2) else next(together(position, side, run, place), None)
    order = company or Overrun(place, (run,))
    return order if check_overrun(position, side, order) is None else None


def places_to_overrun(position: Position, side: SideId, unit: Unit) -> Iterator[HexId]:
    """The enemy stacks near enough that a vehicle may overrun, if it finds a way."""
    if unit.kind not in OVERRUNNERS or unit.side != side:
        return
    distance, farthest = position.ground.board.distance, KINDS[unit.kind].movement * 2 // LEAST_COST - 1
    near = [place for place in places_of(position, enemy_of(side)) if distance(unit.hex, place) <= farthest]
    if not near or cannot_move(position, side, unit.id) is not None:
        return
    for place in sorted(near):
        if target_refusal(position, side, place) is not None:
            continue
        if runner_refusal(position, side, unit.id, counters_at(position, place, enemy_of(side))) is None:
            yield place


def runs_through(position: Position, unit: Unit, place: HexId) -> Iterator[OverrunRun]:
    """A cheapest run of the vehicle through the hex in each direction, costs and obstacles permitting."""
    board, now = position.ground.board, terms(position, unit, roads=False)
    left = max(0, now.left - 2 * LEAST_COST)
    found = reacher(position.ground).reach(unit.hex, left, now.costs, now.flags, now.alternate)
    for d, before in enumerate(board.neighbor_table[place]):
        out = board.neighbor(place, opposite(d))
        if before and out and found.cost(before) >= 0:
            run = OverrunRun(unit.id, (*map(HexId, found.path_to(before)), place, HexId(out)))
            if check_run(position, run, place) is None:
                yield run


def together(position: Position, side: SideId, first: OverrunRun, place: HexId) -> Iterator[Overrun]:
    """One overrun with as many others as find a way, each on the table that those before it leave."""
    runs, table = [first], _after(position, first, ())
    targets = counters_at(position, place, enemy_of(side))
    for other in active(position, side):
        if len(runs) == MOST_TOGETHER:
            break
        if other.id != first.unit and runner_refusal(position, side, other.id, targets) is None:
            run = next(runs_through(table, table.units[other.id], place), None)
            if run is not None:
                runs.append(run)
                table = _after(table, run, ())
    order = Overrun(place, tuple(runs))
    if len(runs) > 1 and check_overrun(position, side, order) is None:
        yield order
