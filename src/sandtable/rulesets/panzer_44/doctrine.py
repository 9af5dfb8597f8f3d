"""What a sensible Panzer '44 commander does: which orders are worth writing and giving, and what each should gain.

Every order is weighed in closed form, so a plot takes no playing out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from sandtable.rulesets.panzer_44 import (
    direct,
    fire,
    movement,
    orders,
    overrun,
    plotting,
    reactions,
    setup,
    shelling,
    transport,
)
from sandtable.rulesets.panzer_44.frames import OpportunityFrame
from sandtable.rulesets.panzer_44.ground import exits
from sandtable.rulesets.panzer_44.model import DIRECT, MOVE, Plot, Position, Unit
from sandtable.rulesets.panzer_44.outlook import (
    TASK_PRIZE,
    Outlook,
    expected_harm,
    expected_shelling,
    material,
)
from sandtable.rulesets.panzer_44.plots import has_order, plot_of, plots_of
from sandtable.rulesets.panzer_44.stacks import enemies_at, kind_of, on_table, passengers, units_at
from sandtable.rulesets.panzer_44.tables import DISRUPTIONS

MOST_PLACES = 8
"""How many places in reach are looked at closely."""

LEAST_MOVE = 8
"""What a move must be expected to gain before it is worth plotting."""

LEAST_SHELLS, LEAST_SORTIE, LEAST_SHOT = 8, 45, 10
"""What shells, a sortie and a shot on opportunity must be expected to gain."""

WAITING = 35
"""How much of a shot counts for who lies in wait for movers, in hundredths."""

ALERT = 6
"""What lying in wait is worth in itself, when nothing better is to be done."""

FOCUS = 80
"""What is left of a shot's gain for each that is plotted at the same hex before it, in hundredths."""

MUST = 100_000
"""What speaks for an order that has to be given."""

DISMOUNT = 12
"""So many half-points from the goal or the enemy passengers are set down."""


def outlook_of(position: Position, side: SideId) -> Outlook:
    """The outlook of a side, kept while units and ground are as they are."""
    sources = (position.units, position.control, position.mines)
    return position.derived.part(f"outlook of {side}", sources, lambda: Outlook(position, side))


class Doctrine:
    """What computer players ask about Panzer '44."""

    def value(self, state: State[Position], view: View[Position]) -> int:
        """Units and ground."""
        return material(state.position, view.side)

    def estimate(self, view: View[Position], order: Order) -> int | Fraction | None:
        """What `value` can be expected to be after an order."""
        return material(view.position, view.side) + gain(view.position, view.side, order)

    def ending(self, view: View[Position], decision: Decision) -> Order:
        """The order that does nothing more in this decision."""
        match decision.kind:
            case "setup":
                return orders.EndSetup()
            case "plot":
                return orders.SealPlot()
            case "target":
                return next(direct.name_options(view.position, view.side))
            case "opportunity":
                return orders.Pass()
        return orders.EndMovement()

    def candidates(self, view: View[Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        """Orders worth giving, a group for each unit that has any, the best of it alone."""
        position, side, top = view.position, view.side, view.flow[-1]
        match decision.kind:
            case "setup":
                yield from _placements(position, side)
            case "plot":
                yield from _plots(position, side)
            case "target":
                yield _best(position, side, direct.name_options(position, side), -1)
            case "opportunity":
                assert isinstance(top, OpportunityFrame)
                yield _best(position, side, reactions.fire_options(position, side, top), LEAST_SHOT)
            case _:
                yield from _moves(position, side)


def _best(position: Position, side: SideId, options: Iterable[Order], least: int, bonus: int = 0) -> list[Candidate]:
    """The best of some orders, if it gains enough; `estimate` weighs it again, so only the bonus is added."""
    ranked = [(gain(position, side, order), -place, order) for place, order in enumerate(options)]
    best = max(ranked, default=None, key=lambda row: row[:2])
    return [Candidate(best[2], bonus)] if best is not None and best[0] > least else []


# --- set-up -----------------------------------------------------------------------------------------------------------


def _placements(position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """Units without a place, each in the best hex of the zone."""
    for unit in setup.placeable(position, side):
        if setup.awaits_setup(unit):
            yield _best(position, side, setup.place_options(position, side, unit), -MUST, MUST)


def _gain_of_placing(position: Position, side: SideId, order: orders.PlaceUnit) -> int:
    outlook, unit = outlook_of(position, side), position.units[order.unit]
    guards = min((position.ground.board.distance(order.hex, place) for place in outlook.guarded), default=0)
    return outlook.glance(unit, order.hex) - 10 * guards - 15 * len(units_at(position, order.hex))


# --- the plot ---------------------------------------------------------------------------------------------------------


def _plots(position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """An order for each unit that has none, then for the guns off the map and the aircraft."""
    for unit in plotting.unplotted(position, side):
        yield _best(position, side, _orders_for(position, side, unit), 0)
    for unit in on_table(position, side):
        if has_order(position, unit, MOVE):
            for rider in passengers(position, unit.id):
                if plot_of(position, rider.id) is None and is_to_dismount(position, side, unit):
                    yield _best(position, side, plotting.move_options(position, side, rider), -1, 1)
    for name in plotting.idle_batteries(position, side):
        options = [order for order in plotting.mission_options(position, side) if order.battery == name]
        yield _best(position, side, options, LEAST_SHELLS)
    for name in plotting.idle_sorties(position, side)[:1]:
        sorties = [order for order in plotting.sortie_options(position, side) if order.sortie == name]
        yield _best(position, side, sorties, LEAST_SORTIE)


def _orders_for(position: Position, side: SideId, unit: Unit) -> Iterator[Order]:
    yield from plotting.direct_options(position, side, unit)
    yield from plotting.indirect_options(position, side, unit)
    yield from plotting.opportunity_options(position, side, unit)
    if kind_of(unit).ma:
        yield from plotting.move_options(position, side, unit)


def is_to_dismount(position: Position, side: SideId, carrier: Unit) -> bool:
    """Whether a carrier is near enough to what its passenger is wanted for."""
    outlook, reach = outlook_of(position, side), kind_of(carrier).allowance
    near = min((position.ground.board.distance(carrier.hex, foe.hex) for foe in outlook.enemies), default=99)
    return outlook.way_to_goal(carrier, carrier.hex) <= reach + DISMOUNT or 2 * near <= reach


def _gain_of_direct(position: Position, side: SideId, order: orders.PlotDirectFire) -> int:
    """The best attack of each unit on somebody in the hex; the more are at it already, the less is left to gain."""
    others = [plot for plot in plots_of(position, side, DIRECT) if plot.hex == order.hex]
    left = Fraction(FOCUS, 100) ** len([plot for plot in others if plot.unit not in order.units])
    total = 0
    for unit in order.units:
        firer = position.units[unit]
        found = direct.victims(position, firer, Plot(side, DIRECT, unit, order.hex))
        total += max((expected_harm(fire.aimed(position, firer, foe), foe) for foe in found), default=0)
    return int(total * left)


def _gain_of_waiting(position: Position, side: SideId, unit: Unit) -> int:
    """What lying in wait should bring: a share of a shot at the enemies that may come into sight in this turn."""
    outlook, board = outlook_of(position, side), position.ground.board
    best = 0
    for foe in outlook.enemies:
        kind = kind_of(foe)
        nearest = max(1, board.distance(unit.hex, foe.hex) - kind.ma)
        if kind.ma > 1 and not foe.disruption and nearest <= fire.aimed_range(kind_of(unit)):
            best = max(best, _open_shot(position, unit, foe))
    return ALERT + WAITING * best // 100


def _open_shot(position: Position, unit: Unit, foe: Unit) -> int:
    """What a shot at an enemy in the open would bring, at two thirds of the unit's range."""
    line = fire.chart_line(kind_of(unit))
    if line == "R" and kind_of(foe).is_hard:
        return 0
    reach = max(1, 2 * fire.aimed_range(kind_of(unit)) // 3)
    odds = fire.odds(position, line, fire.strength(unit), HexId(0), foe, distance=reach)
    return expected_harm(odds, foe) if odds.is_allowed else 0


def _gain_of_moving(position: Position, side: SideId, unit: Unit) -> int:
    """What the best move of a unit would bring, less what is given up where it stands."""
    best = max((value for value, _ in ways(position, side, unit)), default=None)
    if best is None:
        return -1
    outlook = outlook_of(position, side)
    overruns = overrun_prospect(position, side, unit)
    return max(best - outlook.place_value(unit, unit.hex), overruns) - LEAST_MOVE


def overrun_prospect(position: Position, side: SideId, unit: Unit) -> int:
    """What the best overrun in reach would bring, as units stand now."""
    if not kind_of(unit).is_hard or not kind_of(unit).attack:
        return 0
    found = movement.safe_reach(position, unit)
    best = 0
    for place in dict.fromkeys(foe.hex for foe in outlook_of(position, side).enemies):
        if overrun.cannot_overrun(position, unit, place) is None:
            near = [HexId(h) for h in position.ground.board.neighbors(place) if found.cost(HexId(h)) >= 0]
            if near:
                harm_done = _overrun_harm(position, side, unit, near[0], place) * 2 // 3
                best = max(best, harm_done + _exposed(outlook_of(position, side), unit, place))
    return best


def _overrun_harm(position: Position, side: SideId, unit: Unit, here: HexId, there: HexId) -> int:
    enemies = enemies_at(position, there, side)
    return sum(expected_harm(overrun.overrun_odds(position, unit, here, foe), foe) for foe in enemies)


def ways(position: Position, side: SideId, unit: Unit) -> list[tuple[int, tuple[HexId, ...]]]:
    """The most promising places in a unit's reach, each with its value and the way there."""
    outlook = outlook_of(position, side)
    keep = transport.HANDLING if _sets_down(position, side, unit) else 0
    found = [
        (outlook.glance(unit, place), place, path)
        for place, path in movement.stops(position, unit)
        if len(path) == 1 or not keep or _cost(position, unit, path) + keep <= movement.left_of(unit)
        if position.mines.keys().isdisjoint(path) or len(path) == 1
    ]
    found.sort(key=lambda row: (-row[0], row[1]))
    return [(outlook.place_value(unit, place), path) for _, place, path in found[:MOST_PLACES]]


def _cost(position: Position, unit: Unit, path: tuple[HexId, ...]) -> int:
    costs = movement.steps(position, unit, path)
    assert isinstance(costs, list)
    return sum(costs)


def _sets_down(position: Position, side: SideId, unit: Unit) -> bool:
    """Whether a carrier is to set its passenger down in this turn."""
    return any(has_order(position, rider, MOVE) for rider in passengers(position, unit.id))


# --- movement ---------------------------------------------------------------------------------------------------------


def _moves(position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """Overruns and ways out first, then the best move of each unit; carriers set their passengers down."""
    movers = movement.movers(position, side)
    for unit in movers:
        yield _best(position, side, movement.leave_options(position, side, unit), 0)
        yield _best(position, side, overrun.overrun_options(position, side, unit), LEAST_MOVE)
    for unit in movers:
        if unit.moved:
            yield _best(position, side, transport.unload_options(position, side, unit), 0)
    for unit in movers:
        if not unit.moved:
            moves = [orders.Move(unit.id, path) for _, path in ways(position, side, unit)]
            yield _best(position, side, moves, -MUST, MUST)


def _gain_of_move(position: Position, side: SideId, order: orders.Move) -> int:
    outlook, unit = outlook_of(position, side), position.units[order.unit]
    return outlook.place_value(unit, order.path[-1]) - outlook.place_value(unit, unit.hex)


def _gain_of_overrun(position: Position, side: SideId, order: orders.Overrun) -> int:
    outlook, unit = outlook_of(position, side), position.units[order.unit]
    here = order.path[-1] if order.path else unit.hex
    harm_done = _overrun_harm(position, side, unit, here, order.hex)
    return harm_done + _exposed(outlook, unit, order.hex) - outlook.danger(unit, here) // 3


def _exposed(outlook: Outlook, unit: Unit, place: HexId) -> int:
    """What a unit gives up by being in a hex after an overrun instead of where it is."""
    return min(0, outlook.place_value(unit, place) - outlook.place_value(unit, unit.hex))


def _gain_of_unloading(position: Position, side: SideId, order: orders.Unload) -> int:
    carrier = position.units[order.unit]
    return 20 if is_to_dismount(position, side, carrier) else -1


# --- what an order can be expected to gain --------------------------------------------------------------------------


def _gain_of_mission(position: Position, side: SideId, order: orders.PlotMission) -> int:
    guns = shelling.guns_of(position, Plot(side, "mission", support=order.battery))
    return expected_shelling(position, side, guns, order.hex, order.pattern)


def _gain_of_indirect(position: Position, side: SideId, order: orders.PlotIndirectFire) -> int:
    guns = shelling.guns_of(position, Plot(side, "indirect", order.unit))
    return expected_shelling(position, side, guns, order.hex, order.pattern)


def _gain_of_sortie(position: Position, side: SideId, order: orders.PlotSortie) -> int:
    if not shelling.is_marked(position, side, order.hex):
        return 0
    kind = next(one.kind for one in position.sorties if one.name == order.sortie)
    enemies = enemies_at(position, order.hex, side)
    total = sum(expected_harm(shelling.bomb_odds(position, kind, foe), foe) for foe in enemies)
    return total * len(shelling.attack_rolls(position, side, order.hex)) // fire.DIE


def _gain_of_naming(position: Position, side: SideId, order: orders.NameTarget) -> int:
    target = position.units[order.target]
    pending = sum(DISRUPTIONS.get(hit.result, 0) for hit in position.hits if hit.unit == target.id)
    return expected_harm(direct.named_odds(position, order), target, pending)


def _gain_of_opportunity(position: Position, side: SideId, order: orders.FireOnOpportunity) -> int:
    mover = position.units[reactions.occasion_of(position).unit]
    return expected_harm(reactions.opportunity_odds(position, order), mover)


Gain = Callable[[Position, SideId, Any], int]

GAINS: dict[type[Order], Gain] = {
    orders.PlaceUnit: _gain_of_placing,
    orders.PlotDirectFire: _gain_of_direct,
    orders.PlotOpportunityFire: lambda p, side, x: sum(_gain_of_waiting(p, side, p.units[unit]) for unit in x.units),
    orders.PlotMove: lambda p, side, x: sum(_gain_of_moving(p, side, p.units[unit]) for unit in x.units),
    orders.PlotIndirectFire: _gain_of_indirect,
    orders.PlotMission: _gain_of_mission,
    orders.PlotSortie: _gain_of_sortie,
    orders.NameTarget: _gain_of_naming,
    orders.Move: _gain_of_move,
    orders.Overrun: _gain_of_overrun,
    orders.LeaveMap: lambda p, side, x: TASK_PRIZE if exits(p.ground, side) else 0,
    orders.Unload: _gain_of_unloading,
    orders.FireOnOpportunity: _gain_of_opportunity,
}
"""How each kind of order is weighed; one that is not listed changes nothing worth counting."""


def gain(position: Position, side: SideId, order: Order) -> int:
    """What an order can be expected to gain, in hundredths of a point."""
    weigh = GAINS.get(type(order))
    return 0 if weigh is None else weigh(position, side, order)
