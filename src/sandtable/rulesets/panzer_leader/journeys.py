"""Journeys: a unit walks its path over the table as it truly is, one stretch after the other.

A stretch runs until something can happen: a die for a stream or a cliff, a stop, an enemy nobody knew of, a hex that
changes hands, a landing, or, when opportunity fire is played, the next hex. Each stretch is one event.

Rules: PL-601, PL-605, PL-621, PL-631, PL-634, PL-1301, PL-1311, PL-1403, PL-1404, PL-1405, PL-1602, PL-1605.
"""

from __future__ import annotations

from sandtable.geometry.reach import ALTERNATE, FORBIDDEN, MAY_NOT_ENTER, MUST_STOP
from sandtable.kernel.ids import HexId, RuleId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_leader import landing, opportunity, victory, works
from sandtable.rulesets.panzer_leader.costs import QUICK
from sandtable.rulesets.panzer_leader.events import CrossingTried, UnitMoved
from sandtable.rulesets.panzer_leader.frames import Journey
from sandtable.rulesets.panzer_leader.mobility import OVERRUN, account, flags_at, is_at_sea, terms
from sandtable.rulesets.panzer_leader.model import Mover, Position, Unit
from sandtable.rulesets.panzer_leader.movement_table import NUMBERS
from sandtable.rulesets.panzer_leader.moves import begin_move, end_move
from sandtable.rulesets.panzer_leader.stacks import has_enemy
from sandtable.rulesets.panzer_leader.ways import Stretch, Terms

CROSSINGS = NUMBERS.crossings
"""The steps that take a die, by the rule that asks for it (PL-621, PL-631)."""

BARRED, CROSSING = "barred", "crossing"


def end_movement(resolution: Resolution[Position]) -> None:
    """The last mover has finished; whoever had to land in this step and is still at sea is lost.

    Rules: PL-601, PL-1403.
    """
    mover = resolution.position.mover
    if mover is not None:
        end_move(resolution, mover.unit)
    landing.finish_landing(resolution)


def walk(resolution: Resolution[Position], journey: Journey) -> None:
    """The unit has gone on along its path until somebody must decide or the journey is over.

    Rules: PL-605, PL-621, PL-631, PL-634.
    """
    unit = resolution.position.units[journey.unit]
    if not unit.hex or unit.moved:
        resolution.pop()
        return
    # the terms of the moment in which the order was judged: that another unit's move ends changes nothing in them
    now = terms(resolution.position, unit, OVERRUN if journey.overruns else journey.gait)
    begin_move(resolution, journey.unit)
    path, has_crossed = journey.path, False
    while path:
        stretch = _stretch(resolution.position, unit, now, path, journey.overruns, has_crossed)
        if stretch.hexes:
            _go(resolution, journey, path[: stretch.hexes], stretch, now)
            path = path[stretch.hexes :]
            if _is_held_up(resolution, journey, path):
                return
        if stretch.ahead == BARRED:
            # the side could not know it, so the order stands and is broken off here
            return _break_off(resolution, unit.id, "the way is barred (PL-605)")
        has_crossed = stretch.ahead == CROSSING
        if has_crossed and not _crosses(resolution, unit.id, path[0], stretch.dice):
            return _break_off(resolution, unit.id, "the crossing failed (PL-634)")
    _arrive(resolution, journey, now)


def _stretch(
    position: Position, unit: Unit, now: Terms, path: tuple[HexId, ...], overruns: HexId, has_crossed: bool
) -> Stretch:
    """The next stretch of the path; `unit` is as it was when it set out, since the terms are of that moment."""
    ground, control, side = position.ground, position.control, unit.side
    table, contested = ground.board.neighbor_table, victory.contested(position)
    here, cost, on_road = position.units[unit.id].hex, 0, False
    step_by_step = ground.options.opportunity_fire or ground.board.terrain[here] == "sea"
    for n, place in enumerate(path):
        flags = flags_at(position, unit, now, place) if place == unit.hex else now.flags[place]
        at = 8 * here + table[here].index(place)
        denied = flags & ALTERNATE
        price = now.alternate[at] if denied else now.costs[at]
        if price == FORBIDDEN or (flags & MAY_NOT_ENTER and place != overruns):
            return Stretch(n, cost, on_road, BARRED)
        if place == overruns and _is_barred(position, unit, now, path[n + 1]):
            return Stretch(n, cost, on_road, BARRED)  # nobody stops inside the target hex
        tried = now.alternate_crossings if denied else now.crossings
        if tried and at in tried and not (has_crossed and n == 0):
            return Stretch(n, cost, on_road, CROSSING, tried[at])
        cost += price
        on_road = on_road or price < now.plain[at]
        changes_hands = place in contested and control.get(place) != side and place != overruns
        if step_by_step or changes_hands or flags & MUST_STOP:
            return Stretch(n + 1, cost, on_road)
        here = place
    return Stretch(len(path), cost, on_road)


def _is_barred(position: Position, unit: Unit, now: Terms, place: HexId) -> bool:
    """Whether an overrun can't end in a hex: nobody may enter it, or an enemy holds the fort there (PL-1004)."""
    return bool(flags_at(position, unit, now, place) & MAY_NOT_ENTER) or has_enemy(position, place, unit.side)


def _go(
    resolution: Resolution[Position], journey: Journey, path: tuple[HexId, ...], stretch: Stretch, now: Terms
) -> None:
    """The unit stands at the end of the stretch, and what is caused by that has happened.

    Rules: PL-1301, PL-1305, PL-1323, PL-1333, PL-1404, PL-1405, PL-1502, PL-1601.
    """
    position = resolution.position
    unit = position.units[journey.unit]
    before = account(position, unit) or Mover(unit.id, unit.hex)
    sets_out, lands = not before.hexes, is_at_sea(position, unit)
    # the price of leaving is part of what the first hex costs (PL-1305, PL-1333)
    cost = stretch.cost + (now.leaving if sets_out else 0)
    exposure = before.exposure
    if position.ground.options.opportunity_fire:
        exposure = opportunity.exposure(position, unit, path[-1], cost, before.exposure)
    after = Mover(
        unit.id,
        before.start,
        before.spent + cost,
        before.hexes + len(path),
        before.handled,
        exposure,
        journey.gait,
        before.on_road or stretch.on_road,
    )
    resolution.emit(UnitMoved(unit.id, path, after))
    if sets_out and (position.works or now.leaving):
        works.left(resolution, unit.id, unit.hex)
    if lands:
        landing.landed(resolution, unit.id, path[-1])
    if path[-1] == journey.overruns:
        return  # it is only passing through
    # forts, mines and streams to be bridged are flagged: elsewhere nobody has work to do
    if position.works or now.flags[path[-1]] & (ALTERNATE | MUST_STOP):
        works.entered(resolution, unit.id, path[-1])
    victory.take_control(resolution, path[-1], unit.side)


def _is_held_up(resolution: Resolution[Position], journey: Journey, path: tuple[HexId, ...]) -> bool:
    """Whether the unit goes no further for now: dispersed in landing, or under the eyes of enemies who may fire.

    Rules: PL-1404, PL-1405, PL-1602.
    """
    position = resolution.position
    unit = position.units[journey.unit]
    if unit.dispersed:
        _break_off(resolution, unit.id, "dispersed (PL-902)")
        return True
    if not position.ground.options.opportunity_fire or unit.hex == journey.overruns:
        return False
    if journey.ignored:
        opportunity.go_by(resolution, unit.id)
        return False
    window = opportunity.halt(resolution, unit.id)
    if window is None:
        return False
    resolution.goto(Journey(journey.unit, path, journey.gait, journey.overruns))
    resolution.push(window)
    return True


def _crosses(resolution: Resolution[Position], id: UnitId, place: HexId, dice: tuple[RuleId, ...]) -> bool:
    """Whether the unit gets over the cliff or into the stream in front of it.

    Rules: PL-621, PL-631.
    """
    for rule in dice:
        die = resolution.roll(rule, id)
        crossed = die <= CROSSINGS[rule].best
        resolution.emit(CrossingTried(id, place, die, crossed, rule))
        if not crossed:
            return False
    return True


def _break_off(resolution: Resolution[Position], id: UnitId, why: str) -> None:
    resolution.pop()
    end_move(resolution, id, why)


def _arrive(resolution: Resolution[Position], journey: Journey, now: Terms) -> None:
    """The journey is over; where the unit must stop, or went in quick-time, so is its move."""
    resolution.pop()
    unit = resolution.position.units[journey.unit]
    if journey.overruns:
        return
    if now.flags[unit.hex] & MUST_STOP:
        # a fort that has just been captured no longer says so itself
        rule = works.must_stop(resolution.position, unit, unit.hex) or RuleId("PL-1322")
        end_move(resolution, unit.id, works.stopped_by(rule))
    elif journey.gait == QUICK:
        end_move(resolution, unit.id)
