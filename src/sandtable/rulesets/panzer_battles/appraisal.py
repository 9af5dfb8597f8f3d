"""What units, ground and shots are worth to a commander, and what an order can be expected to gain.

Everything is weighed in closed form (PB-CRT-21), so a turn takes no playing out. Worth is counted in hundredths of a
victory point.

Rules: PB-AI-6.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.geometry.reach import Reacher
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.air.orders import CallStrike
from sandtable.rulesets.panzer_battles.assault import prospects as storming
from sandtable.rulesets.panzer_battles.assault.eligibility import defenders_of
from sandtable.rulesets.panzer_battles.fire import opportunity
from sandtable.rulesets.panzer_battles.fire.orders import Bombard
from sandtable.rulesets.panzer_battles.fire.prospects import answer_odds, odds_of, shot_odds
from sandtable.rulesets.panzer_battles.fire.shelling import salvo
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of, men, with_units
from sandtable.rulesets.panzer_battles.movement.costs import Mobility, layers, mobility
from sandtable.rulesets.panzer_battles.results.odds import ResultOdds
from sandtable.rulesets.panzer_battles.results.points import loss_points
from sandtable.rulesets.panzer_battles.victory import objective_points

HUNDRED = 100

STRIDE, STEP = 9, 12
"""So many points make a hex of open ground, and what a hex nearer to an objective is worth."""

DISRUPTING, BREAKING = Fraction(1, 6), Fraction(1, 3)
"""What part of a unit's worth it is to disrupt it or break it."""

DRIVEN_OUT = Fraction(1, 4)
"""What part of the defenders' worth it is to drive them out of their hex."""

STRUCK = Fraction(1, 12)
"""What part of the worth of all who are in a hex an air strike is worth."""

STEADY = 1
"""What an order that only gets a unit ready is worth."""

NO_WAY = 1_000_000
"""Farther than anything."""


def worth(position: Position, unit: Unit, lost: int | Fraction) -> Fraction:
    """What so much of a unit is worth to who destroys it, in hundredths of a point."""
    one = loss_points(unit.of, 1, position.parameters)
    return one * lost * HUNDRED


def harm(position: Position, target: Unit, odds: ResultOdds) -> Fraction:
    """What a fire can be expected to do to its target.

    Rules: PB-AI-6.
    """
    whole = worth(position, target, target.strength)
    lost = worth(position, target, exact(odds.mean_loss))
    return lost + whole * (exact(odds.disrupted) * DISRUPTING + exact(odds.broken) * BREAKING)


def exact(number: float) -> Fraction:
    """A number to four places."""
    return Fraction(round(number * 10_000), 10_000)


def danger(position: Position, unit: Unit, *, by_moving: bool) -> Fraction:
    """What the shots that known enemies may take at a unit can be expected to cost."""
    total = Fraction(0)
    for answer in opportunity.chances(position, unit, by_moving=by_moving):
        total += answer.chance * harm(position, unit, answer_odds(position, answer, unit))
    return total


def material(position: Position, side: SideId) -> int:
    """What stands on the map and what is held, as one side sees it."""
    points, total = objective_points(position.ground), _on_map(position, side)
    for place, owner in position.owners.items():
        total += points[place] * HUNDRED if owner == side else -points[place] * HUNDRED
    return round(total)


def _on_map(position: Position, side: SideId) -> Fraction:
    """What the units of a side on the map are worth, less those of its enemy."""

    def counted(unit: Unit) -> Fraction:
        own = worth(position, unit, unit.strength) if unit.hex else Fraction(0)
        return own if unit.side == side else -own

    def update(old: Fraction, changed: list[tuple[Unit, Unit]], now: Sequence[Unit]) -> Fraction:
        return old + sum((counted(unit) - counted(was) for was, unit in changed), Fraction(0))

    return position.derived.follow(
        ("material", side), position.units, lambda units: sum(map(counted, units), Fraction(0)), update
    )


# --- ground -------------------------------------------------------------------------------------------------------


def wanted(position: Position, side: SideId) -> list[HexId]:
    """The objectives that a side does not own and that are worth something."""
    points = objective_points(position.ground)
    return position.derived.part(
        ("wanted", side),
        (position.owners,),
        lambda: [place for place, owner in position.owners.items() if owner != side and points[place]],
    )


def _fields(position: Position, side: SideId) -> dict[Mobility, array[int]]:
    return position.derived.part(("ways", side), (position.owners, position.sides), dict)


def away(position: Position, side: SideId, way: Mobility, place: HexId) -> int:
    """How far a hex is from the nearest objective that a side wants, in movement points by the way that it moves; in a
    straight line where no way leads there, and 0 when nothing is wanted.
    """
    prizes = wanted(position, side)
    if not prizes:
        return 0
    kept = _fields(position, side)
    field = kept.get(way)
    if field is None:
        costs, board = layers(position, way), position.ground.board
        reacher: Reacher = position.ground.once("reacher", lambda: Reacher(board))
        field = kept[way] = reacher.flood(tuple(prizes), costs.with_roads, bytes(board.size))
    cost = field[place]
    if cost >= 0:
        return cost
    board = position.ground.board
    return NO_WAY + STRIDE * min(board.distance(place, prize) for prize in prizes)


def nearest_enemy(position: Position, side: SideId, place: HexId, within: int) -> int:
    """How far the nearest known enemy of a side is from a hex, if he is not farther than that; else one hex more."""
    board = position.ground.board
    near = index.near(position, enemy_of(side), place, within)
    return min((board.distance(place, foe.hex) for foe in near), default=within + 1)


# --- orders -------------------------------------------------------------------------------------------------------


SEEN = (
    *("units", "features", "sides", "owners", "wrecks", "shots", "shells", "sightings", "opfire", "weather"),
    "unknowns",
)
"""What an order's worth depends on in a position, beside its turn."""


def gain(position: Position, side: SideId, order: Order) -> Fraction:
    """What an order can be expected to gain; remembered as long as everything is as it is, since a commander asks of
    each order whether it is worth thinking of and again whether it is the best.
    """
    sources = (position.turn, position.visibility, *(getattr(position, name) for name in SEEN))
    kept: dict[tuple[SideId, Order], Fraction] = position.derived.part("gains", sources, dict)
    found = kept.get((side, order))
    if found is None:
        found = kept[side, order] = _gain(position, side, order)
    return found


def _gain(position: Position, side: SideId, order: Order) -> Fraction:
    match order:
        case o.Fire():
            unit, target = position.units[order.unit], position.units[order.target]
            hurt = harm(position, target, odds_of(position, unit, target))
            return hurt - danger(position, unit, by_moving=False)
        case Bombard():
            return _gain_of_bombardment(position, order) - danger(position, position.units[order.unit], by_moving=False)
        case CallStrike():
            foes = defenders_of(position, side, order.hex)
            return STRUCK * sum((worth(position, foe, foe.strength) for foe in foes), Fraction(0)) + STEADY
        case o.Move():
            return _gain_of_move(position, side, order)
        case o.Assault():
            return _gain_of_assault(position, side, order)
    return Fraction(STEADY)


def _gain_of_bombardment(position: Position, order: Bombard) -> Fraction:
    """What a fire into a hex can be expected to do to those who are known to be there."""
    found = salvo(position, position.units[order.unit], order.hex)
    hurt = zip(found.targets, found.shots, strict=True)
    return sum((harm(position, target, shot_odds(position, shot)) for target, shot in hurt), Fraction(0))


def _gain_of_move(position: Position, side: SideId, order: o.Move) -> Fraction:
    """Ground won and prizes taken, less what the fire at its end may cost; a staff only comes after its troops."""
    unit, goal = position.units[order.units[0]], order.path[-1]
    if unit.of.has("hq"):
        return Fraction(STEADY)
    way, points = mobility(unit), objective_points(position.ground)
    nearer = away(position, side, way, unit.hex) - away(position, side, way, goal)
    prizes = wanted(position, side)
    taken = sum(points[place] for place in order.path if place in prizes)
    there = with_units(position, (replace(unit, hex=goal),))
    return Fraction(nearer * STEP, STRIDE) + taken * HUNDRED - danger(there, there.units[unit.id], by_moving=True)


def _gain_of_assault(position: Position, side: SideId, order: o.Assault) -> Fraction:
    """What the defenders lose and what driving them out is worth, less what the attackers lose."""
    found = storming.prospect(position, side, order)
    if found is None:
        return Fraction(0)
    foes, ours = defenders_of(position, side, order.hex), [position.units[id] for id in order.units]
    taken = objective_points(position.ground).get(order.hex, 0) if order.hex in wanted(position, side) else 0
    prize = taken * HUNDRED + DRIVEN_OUT * sum((worth(position, foe, foe.strength) for foe in foes), Fraction(0))
    hurt, cost = _worth_of_loss(position, foes, found.hurt), _worth_of_loss(position, ours, found.cost)
    return exact(found.success) * prize + hurt - cost


def _worth_of_loss(position: Position, units: list[Unit], loss: float) -> Fraction:
    """What a loss in men is worth that falls on units by their number."""
    everyone = sum(men(unit, position.parameters) for unit in units)
    whole = sum((worth(position, unit, unit.strength) for unit in units), Fraction(0))
    return whole * min(Fraction(1), exact(loss) / everyone)
