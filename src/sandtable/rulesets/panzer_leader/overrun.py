"""Overruns: armor drives through an enemy-held hex and attacks what is in it.

Rules: PL-213, PL-405, PL-1001 to PL-1007, PL-1606.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.geometry.hexes import opposite
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_leader.combat import OVERRUN_ATTACK, fail, readied, reveal, rides_outside, roll_attack
from sandtable.rulesets.panzer_leader.costs import reacher
from sandtable.rulesets.panzer_leader.events import UnitUnloaded
from sandtable.rulesets.panzer_leader.frames import Journey, OverrunFrame
from sandtable.rulesets.panzer_leader.kinds import KINDS, WORKS, UnitKind
from sandtable.rulesets.panzer_leader.mobility import OVERRUN as WITHOUT_ROADS
from sandtable.rulesets.panzer_leader.mobility import account, cannot_go, cannot_move, terms
from sandtable.rulesets.panzer_leader.model import OVERRUN, Position, Unit
from sandtable.rulesets.panzer_leader.movement_table import NUMBERS
from sandtable.rulesets.panzer_leader.moves import end_move
from sandtable.rulesets.panzer_leader.orders import Overrun, OverrunRun
from sandtable.rulesets.panzer_leader.pieces import enemy_of, with_unit
from sandtable.rulesets.panzer_leader.stacks import (
    active,
    counters_at,
    fort_at,
    has_enemy,
    has_room,
    kind,
    own_unit,
    passenger_of,
    places_of,
    units_at,
)
from sandtable.rulesets.panzer_leader.terrain import terrain_at
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN
from sandtable.rulesets.panzer_leader.workings import Attack, Shift

WHO, WHERE, HOW, EXIT, ONCE = map(RuleId, ("PL-1001", "PL-1002", "PL-1003", "PL-1004", "PL-1007"))
ASSAULT = RuleId("PL-1606")

MOST_TOGETHER = 4
"""How many vehicles the options put into one overrun."""

LEAST_COST = min(terrain.vehicle for terrain in TERRAIN.values() if terrain.vehicle > 0)
"""What a vehicle pays at least for a hex without the road rate, in half points."""

APPROACHING, BEFORE, SENT = 0, 1, 2
"""The stages of a run (PL-1005)."""


# --- who, and where -------------------------------------------------------------------------------------------------


def can_overrun(printed: UnitKind) -> bool:
    """Whether a unit type overruns at all: armor with a weapon, but no German self-propelled artillery.

    Rules: PL-1001.
    """
    if not printed.armored or not printed.is_vehicle or not printed.attack:
        return False
    return not (printed.is_german and printed.has("spa"))


OVERRUNNING = frozenset(key for key, printed in KINDS.items() if can_overrun(printed))


def defenders(position: Position, side: SideId, place: HexId) -> tuple[Unit, ...]:
    """The enemy counters of a hex that an overrun attacks."""
    enemies = counters_at(position, place, enemy_of(side))
    return tuple([unit for unit in enemies if unit.kind not in WORKS])


def target_refusal(position: Position, side: SideId, place: HexId) -> Refusal | None:
    """Why a hex can't be overrun now, whoever would try.

    Rules: PL-213, PL-909, PL-1002, PL-1007, PL-1323.
    """
    board = position.ground.board
    if not board.is_on(place):
        return Refusal(WHERE, "that hex is off the map")
    targets = defenders(position, side, place)
    if not targets:
        return Refusal(WHERE, "there is no enemy to overrun in that hex")
    if not terrain_at(position, place).overrun_ok:
        return Refusal(WHERE, "only clear hexes can be overrun")
    if place in position.mines or place in position.blocks or place in position.wrecks:
        return Refusal(WHERE, "a wreck, a block or a minefield stops overruns of its hex")
    if fort_at(position, place) is not None:
        return Refusal(WHERE, "fortifications can't be overrun")
    if any(OVERRUN in unit.attacked for unit in targets):
        return Refusal(ONCE, "that stack has been overrun already this segment")
    return None


def runner_refusal(position: Position, side: SideId, id: UnitId, targets: Sequence[Unit]) -> Refusal | None:
    """Why a unit can't overrun these defenders.

    Rules: PL-1001, PL-1003, PL-1607.
    """
    unit = own_unit(position, side, id)
    if unit is None:
        return Refusal(WHO, "there is no such unit of yours on the table")
    printed = kind(unit)
    name = printed.name
    if unit.kind not in OVERRUNNING:
        return Refusal(WHO, f"{name} does not overrun")
    if unit.fired or unit.dispersed:
        return Refusal(WHO, f"{name} has fired or is dispersed")
    if printed.has("ht") and any(kind(target).armored for target in targets):
        return Refusal(WHO, f"{name} does not overrun armored units")
    now = account(position, unit)
    if now is not None and now.on_road:
        return Refusal(HOW, f"{name} has used the road rate in this move")
    return cannot_move(position, side, id)


# --- one vehicle's run ----------------------------------------------------------------------------------------------


def before_target(unit: Unit, run: OverrunRun) -> HexId:
    """The hex from which a run enters the target hex."""
    return run.path[-3] if len(run.path) > 2 else unit.hex


def check_run(position: Position, run: OverrunRun, place: HexId) -> Refusal | None:
    """Why the vehicle can't drive along its path through the target hex and out on the far side, or None.

    Rules: PL-405, PL-1003, PL-1004.
    """
    unit, board = position.units[run.unit], position.ground.board
    if len(run.path) < 2 or run.path[-2] != place or place in run.path[:-2]:
        return Refusal(HOW, "a run ends with the target hex and the hex behind it")
    refusal = cannot_go(position, unit, run.path, terms(position, unit, WITHOUT_ROADS), place)
    if refusal is not None:
        return refusal
    if has_enemy(position, run.path[-1], unit.side):
        return Refusal(EXIT, f"an enemy holds {board.label(run.path[-1])}, where the overrun would end")
    came_from = before_target(unit, run)
    if board.direction(came_from, place) != board.direction(place, run.path[-1]):
        return Refusal(HOW, "an overrun leaves the target hex by the opposite side")
    return None


def drop_refusal(position: Position, order: Overrun) -> Refusal | None:
    """Why the riders named can't drop off before the overrun: the option, who they are, and what carries them.

    Rules: PL-641, PL-643, PL-1606.
    """
    if not order.drop:
        return None
    if not position.ground.options.panzerblitz_assault:
        return Refusal(ASSAULT, "the Panzerblitz assault is not played in this battle")
    runners = {run.unit for run in order.runs}
    for id in order.drop:
        if not 0 <= id < len(position.units) or position.units[id].carrier not in runners:
            return Refusal(ASSAULT, "only riders of the overrunning vehicles can drop off")
        carrier = position.units[position.units[id].carrier]
        if not rides_outside(carrier) or not kind(position.units[id]).is_infantry:
            return Refusal(ASSAULT, "only infantry riding on tanks drops off for an assault")
        now = account(position, carrier)
        if now is not None and now.handled:
            return Refusal(RuleId("PL-643"), f"{kind(carrier).name} has loaded or unloaded already")
    return None


def _after(position: Position, run: OverrunRun, drop: Sequence[UnitId]) -> Position:
    """The position once the run has been driven and its rider has dropped off, as far as the next run is concerned.

    Rules: PL-1005, PL-1606.
    """
    unit, rider = position.units[run.unit], passenger_of(position, run.unit)
    if rider is not None and rider.id in drop:
        position = with_unit(position, rider.id, hex=before_target(unit, run), carrier=NOBODY)
    elif rider is not None:
        position = with_unit(position, rider.id, hex=run.path[-1])
    return with_unit(position, unit.id, hex=run.path[-1])


def _is_crowded(position: Position, run: OverrunRun, drop: Sequence[UnitId]) -> bool:
    """Whether the run's rider is to drop off where there is no room for it beside its tank (PL-401, PL-1606)."""
    rider = passenger_of(position, run.unit)
    if rider is None or rider.id not in drop:
        return False
    before = before_target(position.units[run.unit], run)
    return not has_room(with_unit(position, run.unit, hex=before), before)


# --- the attack -----------------------------------------------------------------------------------------------------


def overrun_attack(position: Position, side: SideId, runners: Sequence[Unit], place: HexId) -> Attack | Refusal:
    """The attack of these vehicles on the whole stack of a hex, ready to be rolled, or why there is none.

    Rules: PL-823, PL-832, PL-1005, PL-1006.
    """
    targets = defenders(position, side, place)
    if not targets:
        return Refusal(WHERE, "there is no enemy left in that hex")
    if any(kind(target).armored for target in targets):
        # halftracks shy from armor, also from armor that came to light only now (PL-1001)
        runners = [unit for unit in runners if not kind(unit).has("ht")]
    lines = [Line(f"{kind(unit).name} overruns", kind(unit).attack, RuleId("PL-1005")) for unit in runners]
    return readied(
        position,
        place,
        targets,
        sum(kind(unit).attack for unit in runners),
        lines,
        group=OVERRUN,
        how=OVERRUN_ATTACK,
        rule="PL-1006",
        attackers=runners,
        shift=Shift(NUMBERS.overrun.shift, "Overrun: one column", "PL-1006"),
    )


# --- the order ------------------------------------------------------------------------------------------------------


def check_overrun(position: Position, side: SideId, order: Overrun) -> Refusal | None:
    """Why the overrun can't be driven, or None; every run is judged on the table that the runs before it leave.

    Rules: PL-1001, PL-1002, PL-1003, PL-1004, PL-1005, PL-1007.
    """
    refusal = target_refusal(position, side, order.hex)
    if refusal is not None:
        return refusal
    if not order.runs or len({run.unit for run in order.runs}) != len(order.runs):
        return Refusal(WHO, "name each overrunning vehicle once")
    targets = defenders(position, side, order.hex)
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
            return Refusal(RuleId("PL-401"), "there is no room for the riders where they would drop off")
        table = _after(table, run, order.drop)
    attack = overrun_attack(position, side, [position.units[run.unit] for run in order.runs], order.hex)
    return attack if isinstance(attack, Refusal) else None


def resolve_overrun(resolution: Resolution[Position], side: SideId, order: Overrun) -> None:
    """The overrun is under way."""
    resolution.push(OverrunFrame(order.hex, order.runs, drop=order.drop))


def drive_on(resolution: Resolution[Position], frame: OverrunFrame) -> None:
    """The overrun has come one stage further: an approach, a drive through the hex, or in the end the attack.

    A vehicle that was stopped on its way takes no part, nor does one that was dispersed behind the hex.

    Rules: PL-902, PL-1003, PL-1005, PL-1602, PL-1606.
    """
    if not frame.runs:
        _strike(resolution, frame)
        return
    run, rest = frame.runs[0], frame.runs[1:]
    unit = resolution.position.units[run.unit]
    if not unit.hex or unit.moved:
        resolution.goto(OverrunFrame(frame.hex, rest, frame.through, frame.drop))
    elif frame.stage == SENT:
        end_move(resolution, unit.id, "it has overrun (PL-1003)")
        resolution.goto(OverrunFrame(frame.hex, rest, (*frame.through, unit.id), frame.drop))
    elif frame.stage == APPROACHING:
        resolution.goto(OverrunFrame(frame.hex, frame.runs, frame.through, frame.drop, BEFORE))
        resolution.push(Journey(run.unit, run.path[:-2], "", frame.hex))
    else:
        _drop_rider(resolution, run.unit, frame)
        resolution.goto(OverrunFrame(frame.hex, frame.runs, frame.through, frame.drop, SENT))
        resolution.push(Journey(run.unit, run.path[-2:], "", frame.hex))


def _drop_rider(resolution: Resolution[Position], carrier: UnitId, frame: OverrunFrame) -> None:
    """The rider is off its tank and may assault the target hex, if it was told to and finds room (PL-401, PL-1606)."""
    position = resolution.position
    rider = passenger_of(position, carrier)
    if rider is not None and rider.id in frame.drop and has_room(position, rider.hex):
        resolution.emit(UnitUnloaded(carrier, rider.id, assaults=frame.hex))


def _strike(resolution: Resolution[Position], frame: OverrunFrame) -> None:
    """All that got through have attacked together.

    Rules: PL-1005, PL-1006, PL-1401.
    """
    resolution.pop()
    position = resolution.position
    side = position.phasing
    reveal(resolution, tuple(unit.id for unit in defenders(position, side, frame.hex)))
    position = resolution.position
    attack = overrun_attack(position, side, [position.units[id] for id in frame.through], frame.hex)
    if isinstance(attack, Attack):
        roll_attack(resolution, attack)
    elif frame.through and defenders(position, side, frame.hex):
        fail(resolution, side, OVERRUN_ATTACK, frame.through, frame.hex)


def explain_overrun(position: Position, side: SideId, order: Overrun) -> tuple[Tally, ...]:
    """The tallies of the attack, if every vehicle gets through."""
    if check_overrun(position, side, order) is not None:
        return ()
    attack = overrun_attack(position, side, [position.units[run.unit] for run in order.runs], order.hex)
    return attack.tallies if isinstance(attack, Attack) else ()


# --- options --------------------------------------------------------------------------------------------------------


def overrun_options(position: Position, side: SideId, unit: Unit) -> Iterator[Overrun]:
    """Overruns by the unit alone along each way through, and together with others that can reach the same stack."""
    for place in _places_to_overrun(position, side, unit):
        runs = list(runs_through(position, unit, place))
        for run in runs:
            order = Overrun(place, (run,))
            if check_overrun(position, side, order) is None:
                yield order
                yield from _dropping(position, side, order)
        if runs:
            yield from _together(position, side, runs[0], place)


def _dropping(position: Position, side: SideId, order: Overrun) -> Iterator[Overrun]:
    """The same with the rider dropping off before it, where that is played (PL-1606)."""
    rider = passenger_of(position, order.runs[0].unit)
    if rider is not None and position.ground.options.panzerblitz_assault:
        dropping = Overrun(order.hex, order.runs, (rider.id,))
        if check_overrun(position, side, dropping) is None:
            yield dropping


def pick_overrun(position: Position, side: SideId, unit: Unit, dice: PromptDice) -> Overrun | None:
    """An overrun of a random stack, by the unit alone in a random direction or with whoever can come along."""
    places = list(_places_to_overrun(position, side, unit))
    if not places:
        return None
    place = places[dice.below(len(places))]
    runs = list(runs_through(position, unit, place))
    if not runs:
        return None
    run = runs[dice.below(len(runs))]
    together = None if dice.below(2) else next(_together(position, side, run, place), None)
    order = together or Overrun(place, (run,))
    return order if check_overrun(position, side, order) is None else None


def _places_to_overrun(position: Position, side: SideId, unit: Unit) -> Iterator[HexId]:
    """The enemy stacks near enough that a vehicle may overrun, if it finds a way."""
    if unit.kind not in OVERRUNNING:
        return
    # through the hex and out on its far side, at the least cost there is: first for a unit that has spent nothing yet
    board, farthest = position.ground.board, KINDS[unit.kind].movement * 2 // LEAST_COST - 1
    near = [place for place in places_of(position, enemy_of(side)) if board.distance(unit.hex, place) <= farthest]
    if not near or runner_refusal(position, side, unit.id, ()) is not None:
        return
    reach = terms(position, unit, WITHOUT_ROADS).left // LEAST_COST - 1
    for place in sorted(near):
        if units_at(position, place)[0].side == side or board.distance(unit.hex, place) > reach:
            continue
        if target_refusal(position, side, place) is not None:
            continue
        if runner_refusal(position, side, unit.id, defenders(position, side, place)) is None:
            yield place


def runs_through(position: Position, unit: Unit, place: HexId) -> Iterator[OverrunRun]:
    """A cheapest run of the vehicle through the hex in each direction, costs and obstacles permitting."""
    board, now = position.ground.board, terms(position, unit, WITHOUT_ROADS)
    left = max(0, now.left - 2 * LEAST_COST)
    found = reacher(position.ground).reach(unit.hex, left, now.costs, now.flags, now.alternate)
    for d, before in enumerate(board.neighbor_table[place]):
        out = board.neighbor(place, opposite(d))
        if before and out and found.cost(before) >= 0:
            run = OverrunRun(unit.id, (*map(HexId, found.path_to(before)), place, HexId(out)))
            if check_run(position, run, place) is None:
                yield run


def runners(position: Position, side: SideId, place: HexId) -> tuple[UnitId, ...]:
    """The vehicles of a side that could overrun a hex with one order, the strongest first, no more than options put
    into one; each on the table that those before it leave.

    Rules: PL-1001, PL-1002, PL-1003, PL-1005.
    """
    if target_refusal(position, side, place) is not None:
        return ()
    found, table, targets = list[UnitId](), position, defenders(position, side, place)
    board = position.ground.board
    armor = (unit for unit in active(position, side) if unit.kind in OVERRUNNING)
    for unit in sorted(armor, key=lambda unit: -kind(unit).attack):
        farthest = KINDS[unit.kind].movement * 2 // LEAST_COST - 1
        if board.distance(unit.hex, place) > farthest or runner_refusal(position, side, unit.id, targets) is not None:
            continue
        run = next(runs_through(table, table.units[unit.id], place), None)
        if run is not None:
            found.append(unit.id)
            table = _after(table, run, ())
        if len(found) == MOST_TOGETHER:
            break
    return tuple(found)


def _together(position: Position, side: SideId, first: OverrunRun, place: HexId) -> Iterator[Overrun]:
    """One overrun with as many others as find a way, each on the table that those before it leave."""
    runs, table = [first], _after(position, first, ())
    targets = defenders(position, side, place)
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
