"""What a sensible Panzer Battles commander does: which orders are worth giving, unit by unit.

Rules: PB-AI-1, PB-AI-2, PB-AI-3, PB-AI-5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles import orders as o
from sandtable.rulesets.panzer_battles.air import calling
from sandtable.rulesets.panzer_battles.air.units import air_units
from sandtable.rulesets.panzer_battles.appraisal import COVER, gain, material
from sandtable.rulesets.panzer_battles.assault import prospects as storming
from sandtable.rulesets.panzer_battles.engineers.states import is_engineer
from sandtable.rulesets.panzer_battles.fire import direct, indirect
from sandtable.rulesets.panzer_battles.formations import headquarters
from sandtable.rulesets.panzer_battles.model import DEPLOYED, TRAVEL, Position, Unit, enemy_of, on_map
from sandtable.rulesets.panzer_battles.movement import boarding, modes, moves, paths
from sandtable.rulesets.panzer_battles.movement.carrying import is_passenger
from sandtable.rulesets.panzer_battles.reinforcements import arriving, leaving
from sandtable.rulesets.panzer_battles.spotting.levels import observers
from sandtable.rulesets.panzer_battles.tasks import clearing, crossings, deceptions, works
from sandtable.rulesets.panzer_battles.victory import objective_points
from sandtable.rulesets.panzer_battles.ways import NO_WAY, STRIDE, ahead, is_leaving, nearest_enemy, wanted

__all__ = ["Doctrine", "gain", "wanted"]

CLOSEST = 6
"""How many of the goals that lead nearest to an objective are looked at closely."""

WORTH_A_SHOT = 20
"""What a fire must be expected to gain before it is worth the points."""

DEPLOY_WITHIN = 8
"""So near an enemy in sight units deploy (in hexes)."""

MARCH_FROM = 12
"""So far from every known enemy units go over to Travel Mode, and artillery and staffs keep it (in hexes)."""

ON_THE_MARCH = 10 * STRIDE
"""So far from an objective it is worth marching (in points)."""

LIKELY, CHEAP = 0.5, 1.5
"""How likely an assault must succeed before it is worth making, or how much more it must hurt than cost (PB-AI-7)."""

REAR = 4 * STRIDE
"""So far behind a crossing those wait who need a bridge (in points)."""

BEHIND, LOOKED_AT = 8, 12
"""So far from known enemies a staff stays (in hexes), and how many places it looks at closely."""

GET_DOWN_WITHIN = 2
"""So near an enemy riders get down (in hexes)."""

ALERT = 10
"""So far around an enemy who moves or is hurt, units think anew (in hexes)."""

Done = tuple[int, set[UnitId]]
"""A turn, and the units for which nothing is left to order in it."""


class Doctrine:
    """What computer players ask about Panzer Battles."""

    def value(self, state: State[Position], view: View[Position]) -> int:
        """Units and ground."""
        return material(state.position, view.side)

    def estimate(self, view: View[Position], order: Order) -> Fraction:
        """What `value` can be expected to be after an order."""
        return material(view.position, view.side) + gain(view.position, view.side, order)

    def ending(self, view: View[Position], decision: Decision) -> Order:
        """The order that does nothing more."""
        return o.EndTurn()

    def candidates(self, view: View[Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        """Orders worth giving, a group for each unit that has any, those nearest to what matters first.

        A unit for which nothing was worth ordering is asked again when something has happened near it.
        """
        position, side = view.position, view.side
        yield [Candidate(order) for order in arriving.arrive_options(position, side)]
        for flight in air_units(position, side):
            strikes = calling.strike_options(position, side, flight)
            yield [Candidate(order) for order in strikes if calling.check_call(position, side, order) is None]
        yield [Candidate(order) for order in deceptions(position, side)]
        done = _done(position, side)
        for unit in _in_order(position, side):
            if unit.id not in done:
                yield [Candidate(order) for order in _worthwhile(position, side, unit)]
                done.add(unit.id)


def _in_order(position: Position, side: SideId) -> list[Unit]:
    """The units of a side that have points left: guns that fire far first, then who is nearest to what matters."""
    units = [unit for unit in on_map(position, side) if unit.mp]
    distance = {unit.id: ahead(position, unit, unit.hex) for unit in units}
    return sorted(units, key=lambda unit: (not is_artillery(unit), distance[unit.id], unit.id))


def _done(position: Position, side: SideId) -> set[UnitId]:
    """The units of a side for which there was nothing to order, as long as nothing has changed near them."""
    enemy, board = enemy_of(side), position.ground.board

    def make(units: Sequence[Unit]) -> Done:
        return position.turn, set()

    def update(old: Done, changed: list[tuple[Unit, Unit]], now: Sequence[Unit]) -> Done:
        if old[0] != position.turn:
            return make(now)
        left = set(old[1])
        for was, unit in changed:
            left.discard(unit.id)
            if unit.side == enemy:
                places = {place for place in (was.hex, unit.hex) if place}
                left -= {id for id in left if any(board.distance(now[id].hex, place) <= ALERT for place in places)}
        return position.turn, left

    return position.derived.follow(("done", side), position.units, make, update)[1]


def is_artillery(unit: Unit) -> bool:
    """Whether a unit belongs behind the others because it fires over their heads."""
    return unit.of.has("indirect") and not unit.of.has("at_gun")


def _worthwhile(position: Position, side: SideId, unit: Unit) -> Iterator[Order]:
    """The assaults and fires of a unit that are worth it, what gets it ready, and the moves that lead it on."""
    if is_passenger(unit):
        return
    yield from leaving.exit_options(position, side, unit)
    yield from _assaults(position, side, unit)
    fires = (*indirect.bombard_options(position, side, unit), *direct.fire_options(position, side, unit))
    gains = [(gain(position, side, order), order) for order in fires]
    yield from (order for _, order in gains)
    if any(one > WORTH_A_SHOT for one, _ in gains):
        return
    nearest = nearest_enemy(position, side, unit.hex, MARCH_FROM)
    if unit.is_shaken:
        yield from _falling_back(position, side, unit, nearest)
        return
    labor = crossings(position, side, unit) or clearing(position, side, unit)
    if labor:
        yield from labor
        return
    mode = _better_mode(position, side, unit, nearest)
    if mode != unit.mode:
        yield from modes.change_options(position, side, unit)
        return
    if nearest <= GET_DOWN_WITHIN:
        yield from boarding.uncarry_options(position, side, unit)
    if not unit.operation and moves.cannot_move(position, side, unit) is None:
        yield from _moves(position, side, unit, nearest)
    yield from works(position, side, unit, nearest, stays=not _wants_to_go(position, side, unit))


def _better_mode(position: Position, side: SideId, unit: Unit, nearest: int) -> str:
    """The mode in which a unit is of most use: on the road while the enemy is far and the way long, else deployed."""
    if unit.is_traveling:
        is_there = is_artillery(unit) and not _wants_to_go(position, side, unit)
        return DEPLOYED if is_there or (nearest <= DEPLOY_WITHIN and not unit.of.has("hq")) else unit.mode
    rides = unit.of.is_carried or unit.of.has("towed")
    is_long = _wants_to_go(position, side, unit) and ahead(position, unit, unit.hex) > ON_THE_MARCH
    return TRAVEL if rides and is_long and nearest > MARCH_FROM and not unit.moved else unit.mode


def _wants_to_go(position: Position, side: SideId, unit: Unit) -> bool:
    """Whether a unit has a reason to leave its hex: something to take, an exit to reach, and nothing to keep; guns go
    on until they can fire at what their side wants, and those who need a bridge wait for it.
    """
    if unit.fixed or _is_guard(position, side, unit):
        return False
    if is_leaving(position, unit):
        return True
    prizes = wanted(position, side)
    if is_artillery(unit):
        board = position.ground.board
        far = min((board.distance(unit.hex, prize) for prize in prizes), default=0)
        return 3 * far > 2 * unit.of.soft_range
    return bool(prizes) and not (_needs_bridge(unit) and NO_WAY <= ahead(position, unit, unit.hex) <= NO_WAY + REAR)


def _needs_bridge(unit: Unit) -> bool:
    """Whether a unit can't help to get over water, nor go over it by boat."""
    return not unit.of.is_men and not is_engineer(unit)


def _is_guard(position: Position, side: SideId, unit: Unit) -> bool:
    """Whether a unit is the last that keeps an objective which a known enemy could take."""
    if position.owners.get(unit.hex) != side or not objective_points(position.ground)[unit.hex]:
        return False
    others = [one for one in index.at(position, unit.hex) if one.id != unit.id and not one.of.has("hq")]
    return not others and nearest_enemy(position, side, unit.hex, MARCH_FROM) <= MARCH_FROM


def _moves(position: Position, side: SideId, unit: Unit, nearest: int) -> Iterator[o.Move]:
    """The moves of a unit that lead it nearest to a prize; staffs follow their troops and keep away from the enemy."""
    if unit.of.has("hq"):
        yield from _following(position, side, unit)
        return
    if not _wants_to_go(position, side, unit):
        return
    here = ahead(position, unit, unit.hex)
    least = NO_WAY + REAR if here >= NO_WAY and _needs_bridge(unit) else 0
    goals = [(ahead(position, unit, goal), goal) for goal in paths.goals(position, unit)]
    for _, goal in sorted(one for one in goals if least <= one[0] < here)[:CLOSEST]:
        if not is_artillery(unit) or nearest_enemy(position, side, goal, DEPLOY_WITHIN) > DEPLOY_WITHIN:
            yield o.Move((unit.id,), paths.way(position, unit, goal))


def _falling_back(position: Position, side: SideId, unit: Unit, nearest: int) -> Iterator[o.Move]:
    """The moves of a shaken unit away from an enemy close by, unless it keeps an objective."""
    if nearest >= COVER or unit.operation or _is_guard(position, side, unit):
        return
    if moves.cannot_move(position, side, unit) is None:
        goals = [(-nearest_enemy(position, side, goal, COVER), goal) for goal in paths.goals(position, unit)]
        for _, goal in sorted(one for one in goals if -one[0] > nearest)[:CLOSEST]:
            yield o.Move((unit.id,), paths.way(position, unit, goal))


def _following(position: Position, side: SideId, unit: Unit) -> Iterator[o.Move]:
    """The move of a staff that has fallen behind half its range, or that an enemy has come near to: to where it is
    nearest to the troops under it, far from the enemy and best out of his sight.
    """
    board = position.ground.board
    troops = [one.hex for one in on_map(position, side) if headquarters(position, one) is unit]
    if not troops:
        return

    def far(place: HexId) -> int:
        return sum(board.distance(place, other) for other in troops)

    is_exposed = nearest_enemy(position, side, unit.hex, BEHIND) <= BEHIND
    if not is_exposed and 2 * far(unit.hex) <= unit.of.command_range * len(troops):
        return
    goals = [goal for goal in paths.goals(position, unit) if nearest_enemy(position, side, goal, BEHIND) > BEHIND]
    nearest = sorted(goals, key=lambda place: (far(place), place))[:LOOKED_AT]
    unseen = (goal for goal in nearest if not any(True for _ in observers(position, enemy_of(side), goal)))
    goal = next(unseen, nearest[0] if nearest else unit.hex)
    if is_exposed or far(goal) < far(unit.hex):
        yield from (o.Move((unit.id,), paths.way(position, unit, one)) for one in (goal,) if one != unit.hex)


def _assaults(position: Position, side: SideId, unit: Unit) -> Iterator[Order]:
    """The assaults that a unit may make with everybody who can join in, where they are likely to succeed.

    Rules: PB-AI-7.
    """
    for order in storming.assault_options(position, side, unit):
        joint = storming.joined(position, side, order)
        found = storming.prospect(position, side, joint)
        if found is not None and (found.success >= LIKELY or found.hurt >= CHEAP * found.cost):
            yield joint
