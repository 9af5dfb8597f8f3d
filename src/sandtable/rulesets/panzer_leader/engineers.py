"""What engineers do: clearing mines and blocks, blowing bridges, blocking roads.

A task is a Work in the position. Clearing goes through the stages BESIDE, FLIPPED and SAFE, one at the start of each
own movement phase. The other two count in their stage the full own movement phases spent on the spot; IDLE means that
the engineer is off the spot after a failure and has to begin again.

Rules: PL-1304, PL-1311, PL-1331, PL-1332.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from sandtable.content import read_table
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_leader.events import (
    BlockPlaced,
    BlockRemoved,
    BridgeDestroyed,
    DieCast,
    MineLaid,
    MineLifted,
    WorkAdvanced,
    WorkBegan,
    WorkEnded,
)
from sandtable.rulesets.panzer_leader.kinds import TABLES
from sandtable.rulesets.panzer_leader.model import Position, Unit, Work
from sandtable.rulesets.panzer_leader.orders import BeginWork, FinishWork
from sandtable.rulesets.panzer_leader.stacks import fort_at, has_room, is_outside, kind, own_unit, units_at

CLEAR, DEMOLISH, BLOCK = "clear", "demolish", "block"

BESIDE, FLIPPED, SAFE = 0, 1, 2
IDLE = -1

CLEARING, DEMOLITION, BLOCKING = RuleId("PL-1304"), RuleId("PL-1331"), RuleId("PL-1332")

WOODS = frozenset({"woods", "slope_woods"})


class MineTable(msgspec.Struct, frozen=True):
    """How strongly a minefield attacks: a multiple of whatever defense it meets."""

    rule: str
    multiple: int


class StayTable(msgspec.Struct, frozen=True):
    """How long an engineer stays before it tries, and the highest die that succeeds after 1, 2, 3 ... phases."""

    rule: str
    first: int
    again: int
    success: tuple[int, ...]
    first_in_woods: int = 0


class BridgelayerTable(msgspec.Struct, frozen=True):
    """What leaving the stream costs a bridgelayer, in half points."""

    rule: str
    leaving_cost: int


class WorksTable(msgspec.Struct, frozen=True):
    """All of tables/works.toml."""

    system: str
    mine: MineTable
    demolition: StayTable
    road_block: StayTable
    bridgelayer: BridgelayerTable


@cache
def works_table() -> WorksTable:
    """The numbers of mines, engineers and their vehicles as read from their file."""
    return read_table(TABLES / "works.toml", WorksTable)


def work_of(position: Position, id: UnitId) -> Work | None:
    """The task a unit has in hand, if any; it has one at a time."""
    for work in position.works:
        if work.unit == id:
            return work
    return None


def is_clearing(position: Position, unit: Unit) -> bool:
    """Whether the unit stands on the mines or the block that it is removing, which then do not harm it (PL-1304)."""
    work = work_of(position, unit.id)
    return work is not None and work.task == CLEAR and work.hex == unit.hex


def has_obstacle(position: Position, place: HexId) -> bool:
    """Whether a hex holds what engineers can clear: a minefield or a block (PL-1304, PL-1311)."""
    return place in position.mines or place in position.blocks


def has_permanent_bridge(position: Position, place: HexId) -> bool:
    """Whether a printed bridge stands in the hex; a tank bridge falls to fire only (PL-1331, PL-1333)."""
    return position.ground.board.has_feature(place, "bridge") and place not in position.bridges_down


def _stay(task: str) -> StayTable:
    return works_table().demolition if task == DEMOLISH else works_table().road_block


def phases_needed(position: Position, work: Work) -> int:
    """The full own movement phases on the spot before the next try.

    Rules: PL-1331, PL-1332.
    """
    table = _stay(work.task)
    if work.tries:
        return table.again
    in_woods = position.ground.board.terrain[work.hex] in WOODS
    return table.first_in_woods if in_woods and table.first_in_woods else table.first


def is_ripe(position: Position, work: Work) -> bool:
    """Whether the engineer has stayed long enough to step off and try."""
    return work.stage >= phases_needed(position, work)


def success_die(work: Work) -> int:
    """The highest die that succeeds after the phases spent (PL-1331, PL-1332)."""
    success = _stay(work.task).success
    return success[min(work.stage, len(success)) - 1]


def _engineer_refusal(position: Position, unit: Unit | None) -> Refusal | None:
    """Why this is no engineer that can be given a task or try its charge now."""
    if unit is None or not kind(unit).has("eng"):
        return Refusal(CLEARING, "there is no such engineer unit of yours on the table")
    if not is_outside(unit):
        return Refusal(CLEARING, "engineers work on foot and in the open")
    if unit.dispersed:
        return Refusal(CLEARING, "a dispersed unit can't work")
    if position.step != "foot movement":
        return Refusal(RuleId("PL-507"), "engineers act when foot units move")
    return None


def check_begin(position: Position, side: SideId, order: BeginWork) -> Refusal | None:
    """An engineer takes up one task a segment: to clear an adjacent hex, or to blow or block the hex it stands in.

    Rules: PL-1304, PL-1311, PL-1331, PL-1332.
    """
    unit = own_unit(position, side, order.unit)
    refusal = _engineer_refusal(position, unit)
    if unit is None or refusal is not None:
        return refusal
    if not position.ground.board.is_on(order.hex):
        return Refusal(CLEARING, "that hex is off the board")
    work = work_of(position, unit.id)
    if work is not None and work.stage != IDLE:
        if (work.task, work.hex) == (order.task, order.hex):
            return Refusal(CLEARING, "the unit is at it already")
        if work.since >= position.segment and work.stage == 0:
            return Refusal(CLEARING, "the unit has taken up a task in this segment")
    match order.task:
        case "clear":
            return _clearing_refusal(position, unit, order.hex)
        case "demolish":
            return _demolition_refusal(position, unit, order.hex)
        case "block":
            return _blocking_refusal(position, unit, order.hex)
    return Refusal(CLEARING, "engineers clear, demolish or block")


def _clearing_refusal(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    rule = RuleId("PL-1311") if place in position.blocks else CLEARING
    if not has_obstacle(position, place):
        return Refusal(rule, "there are no mines and no block in that hex")
    if position.ground.board.distance(unit.hex, place) != 1:
        return Refusal(rule, "clearing begins from an adjacent hex")
    if any(
        work.task == CLEAR and work.hex == place and position.units[work.unit].side == unit.side
        for work in position.works
    ):
        return Refusal(rule, "another unit of yours is clearing that hex")
    return None


def _demolition_refusal(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    if not has_permanent_bridge(position, place):
        return Refusal(DEMOLITION, "no bridge stands there that engineers can blow")
    if unit.hex != place:
        return Refusal(DEMOLITION, "the engineer must be on the bridge")
    return None


def _blocking_refusal(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    if unit.id in position.block_builders:
        return Refusal(BLOCKING, "this unit has built its road block in this battle")
    if not position.ground.board.roads[place]:
        return Refusal(BLOCKING, "only a road can be blocked")
    if unit.hex != place:
        return Refusal(BLOCKING, "the engineer must be in the hex to be blocked")
    return _no_ground_for_block(position, place)


def _no_ground_for_block(position: Position, place: HexId) -> Refusal | None:
    if has_obstacle(position, place) or fort_at(position, place) is not None:
        return Refusal(RuleId("PL-1302"), "the hex holds mines, a block or a fortification")
    return None


def resolve_begin(resolution: Resolution[Position], side: SideId, order: BeginWork) -> None:
    """The unit has the task in hand, and has given up any other."""
    position = resolution.position
    unit, old = position.units[order.unit], work_of(position, order.unit)
    tries = 0
    if old is not None:
        if (old.task, old.hex) == (order.task, order.hex):
            tries = old.tries
        _turn_mine_back(resolution, old)
    # a phase in which the unit came here is no full one (PL-1331)
    is_mover = position.mover is not None and position.mover.unit == unit.id
    since = position.segment + (unit.moved or unit.transported or is_mover)
    resolution.emit(WorkBegan(unit.id, order.task, order.hex, tries, since))


def check_finish(position: Position, side: SideId, order: FinishWork) -> Refusal | None:
    """An engineer that has stayed long enough and has just stepped off to an adjacent hex may try its charge.

    Rules: PL-1331, PL-1332.
    """
    unit = own_unit(position, side, order.unit)
    refusal = _engineer_refusal(position, unit)
    if unit is None or refusal is not None:
        return refusal
    work = work_of(position, unit.id)
    if work is None or work.task == CLEAR:
        return Refusal(DEMOLITION, "the unit has no charge to try")
    rule = RuleId(_stay(work.task).rule)
    if not is_ripe(position, work):
        return Refusal(rule, f"the unit must stay {phases_needed(position, work)} full movement phases")
    if position.ground.board.distance(unit.hex, work.hex) != 1:
        return Refusal(rule, "the unit must step off to an adjacent hex first")
    if work.task == DEMOLISH:
        if not has_permanent_bridge(position, work.hex):
            return Refusal(rule, "the bridge is down")
        if units_at(position, work.hex):
            return Refusal(rule, "units stand on the bridge")
        return None
    if not has_room(position, work.hex):
        return Refusal(RuleId("PL-402"), "the hex is full")
    return _no_ground_for_block(position, work.hex)


def resolve_finish(resolution: Resolution[Position], side: SideId, order: FinishWork) -> None:
    """The charge has been tried: the bridge is down and a block there, the road is blocked, or all is to do again.

    Rules: PL-1331, PL-1332.
    """
    work = work_of(resolution.position, order.unit)
    assert work is not None
    rule = _stay(work.task).rule
    die = resolution.roll(rule, work.unit)
    succeeds = die <= success_die(work)
    resolution.emit(DieCast(work.task, die, succeeds, rule, work.unit, work.hex))
    if not succeeds:
        resolution.emit(WorkAdvanced(work.unit, IDLE, work.tries + 1))
        return
    if work.task == DEMOLISH:
        resolution.emit(BridgeDestroyed(work.hex))
    # only a road block uses up the one block an engineer may build
    resolution.emit(BlockPlaced(work.hex, work.unit if work.task == BLOCK else NOBODY))
    resolution.emit(WorkEnded(work.unit, work.task, True, die))


def finish_options(position: Position, side: SideId, unit: Unit) -> Iterator[FinishWork]:
    """The charge that a unit can try here and now."""
    finish = FinishWork(unit.id)
    if unit.hex and kind(unit).has("eng") and check_finish(position, side, finish) is None:
        yield finish


def begin_options(position: Position, side: SideId, unit: Unit) -> Iterator[BeginWork]:
    """The tasks that a unit can take up here and now."""
    if not unit.hex or not kind(unit).has("eng"):
        return
    tasks = [
        (CLEAR, place) for place in position.ground.board.neighbors(unit.hex) if has_obstacle(position, HexId(place))
    ]
    tasks += [(DEMOLISH, unit.hex), (BLOCK, unit.hex)]
    for task, place in tasks:
        begin = BeginWork(unit.id, task, HexId(place))
        if check_begin(position, side, begin) is None:
            yield begin


def advance_works(resolution: Resolution[Position]) -> None:
    """At the start of the phasing side's movement each task of its engineers has come as far as it can.

    That is before the vehicles move, so that they can use what was cleared. Doing it again in the same segment changes
    nothing.

    Rules: PL-1304, PL-1331, PL-1332.
    """
    for work in resolution.position.works:
        if resolution.position.units[work.unit].side != resolution.position.phasing:
            continue
        if work.task == CLEAR:
            _advance_clearing(resolution, work)
        elif work.task in (DEMOLISH, BLOCK) and work.stage != IDLE:
            _advance_stay(resolution, work)


def _advance_clearing(resolution: Resolution[Position], work: Work) -> None:
    """Turn 2 flips the mines, turn 3 lets the engineer step on them, turn 4 removes them; a dispersed engineer waits.

    Rules: PL-1304, PL-1311.
    """
    position = resolution.position
    unit = position.units[work.unit]
    away = position.ground.board.distance(unit.hex, work.hex)
    if away > 1 or not is_outside(unit) or not has_obstacle(position, work.hex):
        give_up(resolution, work)
        return
    if unit.dispersed or work.since >= position.segment:
        return
    if work.stage < SAFE:
        if work.stage == BESIDE and work.hex in position.mines:
            resolution.emit(MineLaid(work.hex, unit.id))
        resolution.emit(WorkAdvanced(unit.id, work.stage + 1, since=position.segment))
    elif away == 0:
        resolution.emit(MineLifted(work.hex) if work.hex in position.mines else BlockRemoved(work.hex))
        resolution.emit(WorkEnded(unit.id, CLEAR, True))


def _advance_stay(resolution: Resolution[Position], work: Work) -> None:
    """The movement phase before has been counted if it was a full one; the coming one won't count for a dispersed unit.

    Rules: PL-1331, PL-1332.
    """
    position = resolution.position
    unit = position.units[work.unit]
    if unit.hex != work.hex or not is_outside(unit):
        lapse(resolution, work)
        return
    if work.since >= position.segment:
        return
    enough = max(phases_needed(position, work), len(_stay(work.task).success))
    # the side's segments are every second one
    counted = work.since <= position.segment - 2 and work.stage < enough
    if counted or unit.dispersed:
        since = position.segment + bool(unit.dispersed)
        resolution.emit(WorkAdvanced(unit.id, work.stage + counted, work.tries, since))


def give_up(resolution: Resolution[Position], work: Work) -> None:
    """The task is over without success, and mines that were flipped lie as before."""
    _turn_mine_back(resolution, work)
    resolution.emit(WorkEnded(work.unit, work.task, False))


def lapse(resolution: Resolution[Position], work: Work) -> None:
    """The engineer is off the spot: the phases it spent there are lost, but not the memory of an earlier failure."""
    if work.tries:
        resolution.emit(WorkAdvanced(work.unit, IDLE, work.tries))
    else:
        give_up(resolution, work)


def _turn_mine_back(resolution: Resolution[Position], work: Work) -> None:
    mine = resolution.position.mines.get(work.hex)
    if work.task == CLEAR and mine is not None and mine.flipped_by == work.unit:
        resolution.emit(MineLaid(work.hex))


def came_onto(resolution: Resolution[Position], work: Work, place: HexId) -> None:
    """An engineer that steps on its mines or block too early has given the task up (PL-1304)."""
    if work.task == CLEAR and work.hex == place and work.stage < SAFE:
        give_up(resolution, work)


def went_off(resolution: Resolution[Position], work: Work, place: HexId) -> None:
    """An engineer that leaves the spot has lost its work, unless its charge is ready to be tried (PL-1304, PL-1331)."""
    if work.hex != place:
        return
    if work.task == CLEAR:
        give_up(resolution, work)
    elif work.stage != IDLE and not is_ripe(resolution.position, work):
        lapse(resolution, work)
