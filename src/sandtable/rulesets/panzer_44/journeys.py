"""A unit on its way: hex by hex, with mines first and then the enemy's opportunity fire, and what it does at the end.

Rules: P44-6.06, P44-8.03, P44-8.04, P44-12.02, P44-12.04, P44-12.05, P44-12.07, P44-13.01, P44-13.02, P44-13.03,
P44-13.04.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_44 import movement, reactions
from sandtable.rulesets.panzer_44.events import Barred, BoltRolled, LeftMap, Moved, MoveSpent, OverrunMade, Steadied
from sandtable.rulesets.panzer_44.fire import DIE, Odds
from sandtable.rulesets.panzer_44.frames import Journey
from sandtable.rulesets.panzer_44.model import BOLTING, Position, Unit
from sandtable.rulesets.panzer_44.overrun import overrun_odds
from sandtable.rulesets.panzer_44.results import attack, is_stopped
from sandtable.rulesets.panzer_44.stacks import enemies_at, kind_of, units_at
from sandtable.rulesets.panzer_44.tables import GRADES
from sandtable.rulesets.panzer_44.victory import take_ground

BOLT, LEAVE, OVERRUN, STRIKE, STAY = "bolt", "leave", "overrun", "strike", "stay"
"""What a unit does at the end of its way: an overrun is declared, and struck once the enemy has fired."""


def go_on(resolution: Resolution[Position], journey: Journey) -> None:
    """The unit has gone one hex farther, or done what it came for."""
    if journey.path:
        _step(resolution, journey)
    elif journey.then == BOLT:
        _bolt_on(resolution, journey)
    else:
        _arrive(resolution, journey)


def _step(resolution: Resolution[Position], journey: Journey) -> None:
    position, place = resolution.position, journey.path[0]
    mover = position.units[journey.unit]
    if movement.blocked(position, mover, place) is not None:
        # enemies that were not seen are there: an order is never refused for what its side can't know
        resolution.pop()
        resolution.emit(Barred(mover.id, place))
        return
    direction = position.ground.board.direction(mover.hex, place)
    cost = movement.step_cost(position, kind_of(mover).mobility, mover.hex, direction) or 0
    resolution.goto(replace(journey, path=journey.path[1:], left=journey.left - cost))
    enter(resolution, mover.id, place, cost)


def enter(resolution: Resolution[Position], unit: UnitId, place: HexId, cost: int) -> None:
    """A unit has gone from its hex into the next: mines it leaves, mines it enters, then opportunity fire."""
    mover = resolution.position.units[unit]
    if _mines_destroy(resolution, mover):
        reactions.end_move(resolution, unit)
        return
    resolution.emit(Moved(unit, place, min(mover.spent + cost, kind_of(mover).allowance), mover.hex))
    take_ground(resolution, unit)
    strike_mines(resolution, unit, place)
    top = resolution.top
    is_ignored = isinstance(top, Journey) and top.ignored
    if is_stopped(resolution.position, unit):
        reactions.end_move(resolution, unit)
    if resolution.position.units[unit].hex and not is_ignored:
        # also at one that the mines have stopped: it has entered the hex (P44-12.02)
        reactions.give_occasion(resolution, unit, reactions.ENTERS)


def _mines_destroy(resolution: Resolution[Position], mover: Unit) -> bool:
    """Whether the mines of the hex that a unit leaves destroy it; any lesser harm goes with it (P44-13.03)."""
    strike_mines(resolution, mover.id, mover.hex)
    return not resolution.position.units[mover.id].hex


def strike_mines(resolution: Resolution[Position], unit: UnitId, place: HexId) -> None:
    """The mines of a hex have attacked a unit, if there are any; cover is no help (P44-13.02)."""
    grade = resolution.position.mines.get(place)
    if grade is not None:
        attack(resolution, "mines", unit, mine_odds(grade), "P44-13.01")


def mine_odds(grade: str) -> Odds:
    """The numbers of a minefield's attack, the same for every unit (P44-13.01)."""
    field = GRADES[grade]
    line = Line(field.title.lower(), field.superiority, RuleId("P44-13.01"))
    return Odds(Tally("Net superiority", field.superiority, (line,)), Tally("Off the die", 0), is_allowed=True)


# --- what it does at the end of the way -------------------------------------------------------------------------------


def _arrive(resolution: Resolution[Position], journey: Journey) -> None:
    """The unit is where it wanted to be, and does what it came for; who has nothing left to spend is done."""
    unit = journey.unit
    if journey.then == OVERRUN:
        # before it attacks, the enemy may fire at it where it attacks from (P44-12.04)
        resolution.goto(replace(journey, then=STRIKE))
        resolution.emit(OverrunMade(unit, journey.target))
        if not journey.ignored:
            reactions.give_occasion(resolution, unit, reactions.OVERRUNS)
        return
    resolution.pop()
    if journey.then == STRIKE:
        _overrun(resolution, unit, journey.target)
    elif journey.then == LEAVE:
        mover = resolution.position.units[unit]
        if not _mines_destroy(resolution, mover):
            resolution.emit(LeftMap(unit, mover.hex))


def _overrun(resolution: Resolution[Position], unit: UnitId, place: HexId) -> None:
    """Every defender was attacked once; if all are destroyed the unit enters, and either way its move is over.

    Rules: P44-12.04, P44-12.05.
    """
    position = resolution.position
    mover = position.units[unit]
    for defender in enemies_at(position, place, mover.side):
        odds = overrun_odds(resolution.position, mover, mover.hex, defender)
        attack(resolution, OVERRUN, defender.id, odds, "P44-12.04", unit)
    if not units_at(resolution.position, place):
        # opportunity fire may still meet it there, and finds its move over
        resolution.push(Journey(unit, (), STAY))
        enter(resolution, unit, place, kind_of(mover).allowance)
    if resolution.position.moving == unit:
        resolution.emit(MoveSpent(unit))


# --- bolting ----------------------------------------------------------------------------------------------------------


def bolters(position: Position, side: SideId) -> list[Unit]:
    """The side's units that are still to bolt (P44-6.06)."""
    return [
        unit
        for unit in position.units
        if unit.side == side and unit.hex and unit.panic == BOLTING and not unit.moved and unit.carrier == NOBODY
    ]


def bolt(resolution: Resolution[Position], unit: Unit) -> None:
    """A unit bolts in a direction of the die, clockwise from north, unless it was pinned or disrupted meanwhile.

    Rules: P44-1.05, P44-6.06.
    """
    if unit.pinned or unit.disruption:
        resolution.emit(Steadied(unit.id))
        return
    roll = resolution.roll("P44-6.06", unit.id, DIE)
    resolution.emit(BoltRolled(unit.id, roll))
    # half its allowance, rounded up to a whole point
    half = movement.POINT * -(-kind_of(unit).ma // 2)
    movement.set_out(resolution, Journey(unit.id, (), BOLT, direction=roll - 1, left=half))


def _bolt_on(resolution: Resolution[Position], journey: Journey) -> None:
    """The unit runs one hex farther in its direction, or its run is over."""
    position = resolution.position
    unit = position.units[journey.unit]
    place = HexId(position.ground.board.neighbor(unit.hex, journey.direction))
    cost = movement.step_cost(position, kind_of(unit).mobility, unit.hex, journey.direction)
    if cost is None or cost > journey.left or movement.blocked(position, unit, place) is not None:
        reactions.end_move(resolution, unit.id)
        return
    resolution.goto(replace(journey, left=journey.left - cost))
    enter(resolution, unit.id, place, cost)
