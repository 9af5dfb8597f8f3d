"""What a sensible Panzer Battles commander does: which orders are worth giving, and what each can be expected to gain.

Every order is weighed in closed form (PB-CRT-21), so a turn takes no playing out. Worth is counted in hundredths of a
victory point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.assault import prospects as storming
from sandtable.rulesets.panzer_battles.assault.eligibility import defenders_of
from sandtable.rulesets.panzer_battles.fire import direct, opportunity
from sandtable.rulesets.panzer_battles.fire.prospects import odds_of
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of, men, on_map, with_units
from sandtable.rulesets.panzer_battles.movement import modes, moves, paths
from sandtable.rulesets.panzer_battles.results.odds import ResultOdds
from sandtable.rulesets.panzer_battles.results.points import loss_points
from sandtable.rulesets.panzer_battles.victory import objective_points

HUNDRED = 100
STEP = 12
"""What a hex nearer to an objective is worth."""

DISRUPTING, BREAKING = Fraction(1, 6), Fraction(1, 3)
"""What part of a unit's worth it is to disrupt it or break it."""

CLOSEST = 6
"""How many of the goals that lead nearest to an objective are looked at closely."""

WORTH_A_SHOT = 20
"""What a fire must be expected to gain before it is worth the points."""

DEPLOY_WITHIN = 8
"""So near an enemy in sight units deploy (in hexes)."""

LIKELY = 0.5
"""How likely an assault must succeed before it is worth making (PB-AI-7)."""

DRIVEN_OUT = Fraction(1, 4)
"""What part of the defenders' worth it is to drive them out of their hex."""

STEADY = 1
"""What an order that only gets a unit ready is worth."""


def worth(position: Position, unit: Unit, lost: int | Fraction) -> Fraction:
    """What so much of a unit is worth to who destroys it, in hundredths of a point."""
    one = loss_points(unit.of, 1, position.parameters)
    return one * lost * HUNDRED


def harm(position: Position, target: Unit, odds: ResultOdds) -> Fraction:
    """What a fire can be expected to do to its target."""
    whole = worth(position, target, target.strength)
    lost = worth(position, target, _exact(odds.mean_loss))
    return lost + whole * (_exact(odds.disrupted) * DISRUPTING + _exact(odds.broken) * BREAKING)


def _exact(number: float) -> Fraction:
    return Fraction(round(number * 10_000), 10_000)


def danger(position: Position, unit: Unit, *, by_moving: bool) -> Fraction:
    """What the shots that known enemies may take at a unit can be expected to cost."""
    total = Fraction(0)
    for foe, chance in opportunity.chances(position, unit, by_moving=by_moving):
        total += chance * harm(position, unit, odds_of(position, foe, unit))
    return total


def material(position: Position, side: SideId) -> Fraction:
    """What stands on the map and what is held, as one side sees it."""
    total = Fraction(0)
    for unit in position.units:
        if unit.hex:
            own = worth(position, unit, unit.strength)
            total += own if unit.side == side else -own
    points = objective_points(position.ground)
    for place, owner in position.owners.items():
        total += points[place] * HUNDRED if owner == side else -points[place] * HUNDRED
    return total


class Doctrine:
    """What computer players ask about Panzer Battles."""

    def value(self, state: State[Position], view: View[Position]) -> int:
        """Units and ground."""
        return round(material(state.position, view.side))

    def estimate(self, view: View[Position], order: Order) -> Fraction:
        """What `value` can be expected to be after an order."""
        return round(material(view.position, view.side)) + gain(view.position, view.side, order)

    def ending(self, view: View[Position], decision: Decision) -> Order:
        """The order that does nothing more."""
        return o.EndTurn()

    def candidates(self, view: View[Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        """Orders worth giving, a group for each unit that has any, those nearest to what matters first."""
        position, side = view.position, view.side
        prizes = wanted(position, side)
        units = sorted(on_map(position, side), key=lambda unit: (_away(position, unit.hex, prizes), unit.id))
        for unit in units:
            if unit.mp:
                yield [Candidate(order) for order in _worthwhile(position, side, unit, prizes)]


def wanted(position: Position, side: SideId) -> list[HexId]:
    """The objectives that a side does not own."""
    return [place for place, owner in position.owners.items() if owner != side]


def _away(position: Position, place: HexId, prizes: list[HexId]) -> int:
    """How far a hex is from the nearest prize; 0 when there is none."""
    return min((position.ground.board.distance(place, prize) for prize in prizes), default=0)


def _worthwhile(position: Position, side: SideId, unit: Unit, prizes: list[HexId]) -> Iterator[Order]:
    """The best fire of a unit, what gets it ready, and the moves that lead it nearest to a prize."""
    yield from _assaults(position, side, unit)
    shots = [order for order in direct.fire_options(position, side, unit) if gain(position, side, order) > WORTH_A_SHOT]
    yield from shots
    if shots or unit.of.has("hq") or unit.broken:
        return
    if unit.is_traveling and _is_near_enemy(position, unit):
        yield from modes.change_options(position, side, unit)
    if not prizes or unit.disrupted or moves.cannot_move(position, side, unit) is not None:
        return
    here = _away(position, unit.hex, prizes)
    goals = [goal for goal in paths.goals(position, unit) if _away(position, goal, prizes) < here]
    for goal in sorted(goals, key=lambda place: (_away(position, place, prizes), place))[:CLOSEST]:
        yield o.Move((unit.id,), paths.way(position, unit, goal))


def _assaults(position: Position, side: SideId, unit: Unit) -> Iterator[Order]:
    """The assaults that a unit may make with everybody who can join in, where they are likely to succeed.

    Rules: PB-AI-7.
    """
    for order in storming.assault_options(position, side, unit):
        joint = storming.joined(position, side, order)
        found = storming.prospect(position, side, joint)
        if found is not None and found.success >= LIKELY:
            yield joint


def _is_near_enemy(position: Position, unit: Unit) -> bool:
    board = position.ground.board
    return any(board.distance(unit.hex, foe.hex) <= DEPLOY_WITHIN for foe in on_map(position, enemy_of(unit.side)))


def gain(position: Position, side: SideId, order: Order) -> Fraction:
    """What an order can be expected to gain."""
    match order:
        case o.Fire():
            unit, target = position.units[order.unit], position.units[order.target]
            hurt = harm(position, target, odds_of(position, unit, target))
            return hurt - danger(position, unit, by_moving=False)
        case o.Move():
            return _gain_of_move(position, side, order)
        case o.Assault():
            return _gain_of_assault(position, side, order)
    return Fraction(STEADY)


def _gain_of_move(position: Position, side: SideId, order: o.Move) -> Fraction:
    """Ground won and prizes taken, less what the fire at its end may cost."""
    unit, goal = position.units[order.units[0]], order.path[-1]
    prizes = wanted(position, side)
    nearer = _away(position, unit.hex, prizes) - _away(position, goal, prizes)
    points = objective_points(position.ground)
    taken = sum(points[place] for place in order.path if place in prizes)
    there = with_units(position, (replace(unit, hex=goal),))
    return Fraction(nearer * STEP + taken * HUNDRED) - danger(there, there.units[unit.id], by_moving=True)


def _gain_of_assault(position: Position, side: SideId, order: o.Assault) -> Fraction:
    """What the defenders lose and what driving them out is worth, less what the attackers lose."""
    found = storming.prospect(position, side, order)
    if found is None:
        return Fraction(0)
    foes, ours = defenders_of(position, side, order.hex), [position.units[id] for id in order.units]
    taken = objective_points(position.ground).get(order.hex, 0) if order.hex in wanted(position, side) else 0
    prize = taken * HUNDRED + DRIVEN_OUT * sum((worth(position, foe, foe.strength) for foe in foes), Fraction(0))
    hurt, cost = _worth_of_loss(position, foes, found.hurt), _worth_of_loss(position, ours, found.cost)
    return _exact(found.success) * prize + hurt - cost


def _worth_of_loss(position: Position, units: list[Unit], loss: float) -> Fraction:
    """What a loss in men is worth that falls on units by their number."""
    everyone = sum(men(unit, position.parameters) for unit in units)
    whole = sum((worth(position, unit, unit.strength) for unit in units), Fraction(0))
    return whole * min(Fraction(1), _exact(loss) / everyone)
