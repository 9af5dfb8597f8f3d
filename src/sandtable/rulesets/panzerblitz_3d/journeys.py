"""Journeys: a unit walks its path over the table as it truly is, one stretch after the other.

A stretch runs until something can happen: mines or a block, an enemy nobody knew of, a hex that changes hands, or,
where enemies wait for an opportunity, the next hex. Each stretch is one event.

Rules: PB3-601, PB3-602, PB3-606, PB3-1102 to PB3-1105, PB3-1606.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from sandtable.geometry.reach import FORBIDDEN, MAY_NOT_ENTER, MUST_STOP
from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzerblitz_3d import halts, opportunity, victory, works
from sandtable.rulesets.panzerblitz_3d.events import MoveEnded, UnitMoved
from sandtable.rulesets.panzerblitz_3d.frames import Journey
from sandtable.rulesets.panzerblitz_3d.mobility import account, is_barred, price, terms
from sandtable.rulesets.panzerblitz_3d.model import Mover, Position, Unit
from sandtable.rulesets.panzerblitz_3d.workings import Stretch, Terms


def halves(points: int) -> Fraction:
    """Half points as points."""
    return Fraction(points, 2)


def begin_move(resolution: Resolution[Position], id: UnitId) -> None:
    """No other unit is on the move: the one that was has finished (PB3-601)."""
    mover = resolution.position.mover
    if mover is not None and mover.unit != id:
        resolution.emit(MoveEnded(mover.unit))


def end_movement(resolution: Resolution[Position]) -> None:
    """The last mover has finished."""
    mover = resolution.position.mover
    if mover is not None:
        resolution.emit(MoveEnded(mover.unit))


def walk(resolution: Resolution[Position], journey: Journey) -> None:
    """The unit has gone on along its path by one stretch, or its journey is over: where mines or a block lie so is its
    move, once enemies who watched it have had their chance. An overrun ends the moves of its vehicles itself.

    Rules: PB3-404, PB3-606, PB3-1104, PB3-1105, PB3-1606.
    """
    position = resolution.position
    unit = position.units[journey.unit]
    if not unit.hex or unit.moved or not journey.path:
        resolution.pop()
        if not unit.moved and not journey.overruns:
            works.stopped(resolution, unit.id)
        return
    now = terms(position, unit, roads=not journey.overruns)
    stretch = _stretch(position, unit, now, journey)
    if not stretch.hexes:
        # the side could not know it, so the order stands and is broken off here
        resolution.pop()
        halts.stop(resolution, unit.id, journey.behind, "the way is barred (PB3-606)")
        return
    path, rest = journey.path[: stretch.hexes], journey.path[stretch.hexes :]
    resolution.goto(replace(journey, path=rest, behind=(*journey.behind, unit.hex, *path[:-1])))
    _go(resolution, journey, path, stretch)


def _stretch(position: Position, unit: Unit, now: Terms, journey: Journey) -> Stretch:
    table, contested = position.ground.board.neighbor_table, victory.contested(position)
    here, cost, on_road = unit.hex, 0, False
    step_by_step = position.ground.options.fog or opportunity.is_awaited(position, unit.side)
    for n, place in enumerate(journey.path):
        flags = now.flags[place]
        paid = price(position, now, here, place)
        if paid == FORBIDDEN or (flags & MAY_NOT_ENTER and place != journey.overruns):
            return Stretch(n, cost, on_road, barred=True)
        if place == journey.overruns and is_barred(position, unit, journey.path[n + 1]):
            return Stretch(n, cost, on_road, barred=True)  # nobody stops inside the target hex
        cost += paid
        on_road = on_road or paid < now.alternate[8 * here + table[here].index(place)]
        if step_by_step or flags & MUST_STOP or place in contested:
            return Stretch(n + 1, cost, on_road)
        here = place
    return Stretch(len(journey.path), cost, on_road)


def _go(resolution: Resolution[Position], journey: Journey, path: tuple[HexId, ...], stretch: Stretch) -> None:
    """The unit stands at the end of the stretch, and what is caused by that has happened: the ground is its side's,
    mines go off, and enemies who have watched it may fire.

    Rules: PB3-1102, PB3-1103, PB3-1104, PB3-1106, PB3-1302, PB3-1606.
    """
    position = resolution.position
    unit, place = position.units[journey.unit], path[-1]
    before = account(position, unit) or Mover(unit.id, unit.hex)
    after = Mover(
        unit.id,
        before.start,
        before.spent + stretch.cost,
        before.hexes + len(path),
        opportunity.exposure(position, unit, place, stretch.cost, before.exposure),
        before.on_road or stretch.on_road,
    )
    resolution.emit(UnitMoved(unit.id, path, after))
    if place == journey.overruns:
        return  # it is only passing through
    victory.take_control(resolution, place, unit.side)
    works.entered(resolution, unit.id, place)
    if not resolution.position.units[unit.id].hex:
        return
    if journey.ignored:
        opportunity.go_by(resolution, unit.id)
    else:
        opportunity.halt(resolution, unit.id)
