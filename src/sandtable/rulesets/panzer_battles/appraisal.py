"""What units, ground and shots are worth to a commander, and what an order can be expected to gain.

Everything is weighed in closed form (PB-CRT-21), so a turn takes no playing out. Worth is counted in hundredths of a
victory point.

Rules: PB-AI-6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.air.orders import CallStrike
from sandtable.rulesets.panzer_battles.assault import prospects as storming
from sandtable.rulesets.panzer_battles.assault.eligibility import defenders_of
from sandtable.rulesets.panzer_battles.engineers.orders import FerryAcross
from sandtable.rulesets.panzer_battles.fire import opportunity
from sandtable.rulesets.panzer_battles.fire.orders import Bombard
from sandtable.rulesets.panzer_battles.fire.prospects import answer_odds, odds_of, shot_odds
from sandtable.rulesets.panzer_battles.fire.shelling import salvo
from sandtable.rulesets.panzer_battles.model import Position, Unit, men, with_units
from sandtable.rulesets.panzer_battles.movement.minefields import blast, is_spared
from sandtable.rulesets.panzer_battles.reinforcements.leaving import with_riders
from sandtable.rulesets.panzer_battles.reinforcements.orders import RemoveFromMap
from sandtable.rulesets.panzer_battles.results.odds import ResultOdds, result_odds
from sandtable.rulesets.panzer_battles.results.points import loss_points
from sandtable.rulesets.panzer_battles.victory import exit_multiplier, objective_points
from sandtable.rulesets.panzer_battles.ways import STRIDE, ahead, is_leaving, nearest_enemy, wanted

HUNDRED = 100

STEP = 30
"""What a hex nearer to where a unit wants to go is worth."""

LANDED = 400
"""What it is worth to be over the water."""

COVER = 4
"""So far from known enemies a shaken unit wants to be (in hexes)."""

DISRUPTING, BREAKING = Fraction(1, 6), Fraction(1, 3)
"""What part of a unit's worth it is to disrupt it or break it."""

DRIVEN_OUT = Fraction(1, 4)
"""What part of the defenders' worth it is to drive them out of their hex, or to capture them there."""

STRUCK = Fraction(1, 12)
"""What part of the worth of all who are in a hex an air strike is worth."""

STEADY = 1
"""What an order that only gets a unit ready is worth."""


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


def danger_at(position: Position, unit: Unit, place: HexId) -> Fraction:
    """What the shots at a unit that comes to a hex can be expected to cost."""
    there = with_units(position, (replace(unit, hex=place),))
    return danger(there, there.units[unit.id], by_moving=True)


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
        case FerryAcross():
            return LANDED - danger_at(position, position.units[order.unit], order.hex)
        case RemoveFromMap():
            return _gain_of_exit(position, order)
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
    risk = danger_at(position, unit, goal) + _danger_of_mines(position, unit, order.path)
    if unit.is_shaken:
        farther = nearest_enemy(position, side, goal, COVER) - nearest_enemy(position, side, unit.hex, COVER)
        return farther * STEP - risk
    points, prizes = objective_points(position.ground), wanted(position, side)
    taken = sum(points[place] for place in order.path if place in prizes)
    nearer = ahead(position, unit, unit.hex) - ahead(position, unit, goal)
    return Fraction(nearer * STEP, STRIDE) + taken * HUNDRED - risk


def _danger_of_mines(position: Position, unit: Unit, path: Iterable[HexId]) -> Fraction:
    """What the known mines on a way can be expected to cost a unit."""
    total = Fraction(0)
    for place in path:
        found = None if is_spared(position, unit, place) else blast(position, unit, place)
        if found is not None:
            total += harm(position, unit, result_odds(found.struck, found.interval, position.parameters))
    return total


def _gain_of_exit(position: Position, order: RemoveFromMap) -> Fraction:
    """What those who leave the map are worth there, when it is time for them (PB-VIC-8)."""
    unit = position.units[order.unit]
    if not is_leaving(position, unit):
        return Fraction(0)
    leaving = (position.units[id] for id in with_riders(position, unit))
    value = sum((worth(position, one, one.strength) for one in leaving), Fraction(0))
    return value * exit_multiplier(position.ground, unit.hex)


def _gain_of_assault(position: Position, side: SideId, order: o.Assault) -> Fraction:
    """What the defenders lose, what it is worth to drive them out or capture them and to have the hex, less what the
    attackers lose.
    """
    found = storming.prospect(position, side, order)
    if found is None:
        return Fraction(0)
    foes, ours = defenders_of(position, side, order.hex), [position.units[id] for id in order.units]
    prize = objective_points(position.ground).get(order.hex, 0) if order.hex in wanted(position, side) else 0
    beaten = DRIVEN_OUT * sum((worth(position, foe, foe.strength) for foe in foes), Fraction(0))
    hurt, cost = _worth_of_loss(position, foes, found.hurt), _worth_of_loss(position, ours, found.cost)
    return exact(found.taken) * prize * HUNDRED + exact(found.success) * beaten + hurt - cost


def _worth_of_loss(position: Position, units: list[Unit], loss: float) -> Fraction:
    """What a loss in men is worth that falls on units by their number."""
    everyone = sum(men(unit, position.parameters) for unit in units)
    whole = sum((worth(position, unit, unit.strength) for unit in units), Fraction(0))
    return whole * min(Fraction(1), exact(loss) / everyone)
