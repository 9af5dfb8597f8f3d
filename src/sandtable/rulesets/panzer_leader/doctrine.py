"""What a sensible Panzer Leader commander looks at: what units are worth, where to go, and which orders to try out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.ruleset import Candidate
from sandtable.kernel.state import State, View
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    fire,
    landing,
    movement,
    opportunity,
    orders,
    overrun,
    setup,
    sight,
    transport,
    victory,
)
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, Position, Unit, enemy_of
from sandtable.rulesets.panzer_leader.stacks import active
from sandtable.rulesets.panzer_leader.terrain import TERRAIN

Options = Callable[[Position, SideId, Unit], Iterator[Order]]

# All in hundredths of a victory point for a unit lost.
UNIT_WORTH = 60
SOFT_WORTH = 12
PER_ATTACK = 3
PER_DEFENSE = 2
GROUND_WORTH = 120
POINT_WORTH = 40
DISPERSED_LOSS = 3  # tenths of a unit's worth
PER_HEX = 6
COVER = 10
DANGER = 9
READY = 2
MOST_MOVES = 3
MOST_ATTACKS = 6


@cache
def worth(kind: str) -> int:
    """What a unit type is worth: more with its weapons, little for trucks, nothing for works."""
    printed = KINDS[kind]
    if printed.is_work:
        return 0
    if printed.is_soft_carrier:
        return SOFT_WORTH
    return UNIT_WORTH + PER_ATTACK * min(printed.attack, 20) + PER_DEFENSE * printed.defense


def goals(position: Position, side: SideId) -> frozenset[HexId]:
    """Where the side wants to be: its way out, else the ground it must take, else the ground it must keep, else
    the enemy.
    """
    board, terms = position.ground.board, victory.terms(position)
    exits = {board.parse(label) for way in terms.exits if way.side == side for label in way.hexes}
    if exits:
        return frozenset(exits)
    ground = prizes(position)
    wanted = frozenset(place for place in ground if not victory.holds(position, side, place))
    if wanted or ground:
        return wanted or ground
    return frozenset(unit.hex for unit in active(position, enemy_of(side)))


def prizes(position: Position) -> frozenset[HexId]:
    """The hexes that decide the battle: objectives and all that a victory condition asks to hold."""
    cache = position.ground.cache
    if "prizes" not in cache:
        board, scenario = position.ground.board, position.ground.scenario
        places = {place for objective in scenario.objectives for place in objective.hexes}
        for condition in victory.terms(position).conditions:
            places.update(board.parse(label) for label in (*condition.hold, *condition.occupy))
        cache["prizes"] = frozenset(places)
    result: frozenset[HexId] = cache["prizes"]
    return result


def distances(position: Position, mobility: str, places: frozenset[HexId]) -> list[int]:
    """How far every hex is from the nearest of these places, for units of that mobility, in half points."""
    cache = position.ground.cache
    key = ("doctrine distances", mobility, places)
    if key not in cache:
        cache[key] = movement.distance_field(position, mobility, places)
    result: list[int] = cache[key]
    return result


class Doctrine:
    """What computer players ask about Panzer Leader."""

    def value(self, state: State[Position], view: View[Position]) -> int:
        """Units, ground and nearness to the goals, for the side of the view."""
        position, side = state.position, view.side
        total = 0
        aims = goals(position, side)
        for unit in position.units:
            if unit.hex or unit.fate == RESERVE:
                own = worth(unit.kind)
                if unit.dispersed:
                    own -= own * DISPERSED_LOSS // 10
                total += own if unit.side == side else -own
                if unit.side == side and unit.hex:
                    total += self._placed(position, unit, aims)
        for place in prizes(position):
            owner = position.control.get(place)
            if owner is not None:
                total += GROUND_WORTH if owner == side else -GROUND_WORTH
        total += POINT_WORTH * (victory.exited(position, side) - victory.exited(position, enemy_of(side))) * 3
        return total

    def _placed(self, position: Position, unit: Unit, aims: frozenset[HexId]) -> int:
        """What a unit's hex is worth to it: near its goal, in cover, and not yet inverted."""
        kind = KINDS[unit.kind]
        if kind.is_work or (kind.movement == 0 and unit.carrier < 0):
            return 0
        far = distances(position, kind.mobility, aims)[unit.hex] if aims else 0
        near = -PER_HEX * far // 4
        cover = COVER if TERRAIN[position.ground.board.terrain[unit.hex]].drm_fire else 0
        return near + cover + (0 if unit.fired else READY)

    def ending(self, view: View[Position], decision: Decision) -> Order:
        """The order that does nothing more in this decision."""
        if isinstance(view.flow[-1], OpportunityWindow):
            return orders.Pass()
        if decision.kind == "indirect fire" and artillery.has_due_missions(view.position):
            return orders.FireMissions()
        for unit in view.position.units:
            if setup.check_end(view.position, view.side, orders.EndPhase()) is None:
                break
            if unit.side == view.side and setup.awaits_setup(view.position, unit):
                for order in setup.placement_options(view.position, view.side, unit):
                    return order
        return orders.EndPhase()

    def candidates(self, view: View[Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        """Orders worth trying out, a group for each unit that has any."""
        position, side, top = view.position, view.side, view.flow[-1]
        if isinstance(top, OpportunityWindow):
            yield [Candidate(o) for o in islice(opportunity.opportunity_options(position, side, top), MOST_ATTACKS)]
            return
        match decision.kind:
            case "indirect orders":
                yield from self._missions(position, side)
            case "direct fire":
                yield from self._attacks(position, side, fire.fire_options)
            case "anti-aircraft":
                yield from self._attacks(position, side, air.antiair_options, bonus=200)
            case "air movement":
                for plane in position.aircraft:
                    yield [Candidate(o, 50) for o in islice(air.fly_options(position, side, plane), MOST_ATTACKS)]
            case "air attack":
                yield [Candidate(o) for o in islice(air.air_attack_options(position, side), 2 * MOST_ATTACKS)]
            case "vehicle movement" | "foot movement":
                yield from self._moves(position, side, decision.kind)
            case "close assault":
                yield from self._attacks(position, side, assault.assault_options)
            case "landing":
                for unit in position.units:
                    if unit.side == side and unit.fate == RESERVE:
                        some = islice(landing.placement_options(position, side, unit), MOST_MOVES)
                        yield [Candidate(o, 2000) for o in some]

    def _attacks(self, position: Position, side: SideId, options: Options, bonus: int = 0) -> Iterator[list[Candidate]]:
        for unit in active(position, side):
            some = [Candidate(order, bonus) for order in islice(options(position, side, unit), MOST_ATTACKS)]
            if some:
                yield some

    def _missions(self, position: Position, side: SideId) -> Iterator[list[Candidate]]:
        """A battery is told to fire at the dearest stack it can be told to fire at."""
        for unit in active(position, side):
            best = max(
                islice(artillery.mission_options(position, side, unit), 12),
                key=lambda order: self._stack_worth(position, order.hex, side),
                default=None,
            )
            if best is not None and self._stack_worth(position, best.hex, side) > 0:
                yield [Candidate(best, 100)]

    def _stack_worth(self, position: Position, place: HexId, side: SideId) -> int:
        return sum(
            worth(unit.kind) if unit.side != side else -2 * worth(unit.kind)
            for unit in position.units
            if unit.hex == place
        )

    def _moves(self, position: Position, side: SideId, step: str) -> Iterator[list[Candidate]]:
        """For each unit that has not moved: attacks in passing, the best few hexes, getting on and off."""
        aims = goals(position, side)
        watchers = self._watchers(position, side)
        for unit in position.units:
            if unit.side != side or unit.moved:
                continue
            if unit.fate == RESERVE:
                yield [Candidate(o, 2000) for o in islice(setup.placement_options(position, side, unit), MOST_MOVES)]
                continue
            if not unit.hex or not KINDS[unit.kind].movement:
                continue
            group = [Candidate(o) for o in self._best_moves(position, side, unit, aims, watchers)]
            if step == "vehicle movement" and KINDS[unit.kind].is_vehicle:
                group += [Candidate(o) for o in islice(overrun.overrun_options(position, side, unit), MOST_MOVES)]
                group += self._transport(position, side, unit, aims)
            if victory.exit_of(position, side, unit.hex) is not None:
                group.append(Candidate(orders.LeaveMap(unit.id), 500))
            if group:
                yield group

    def _watchers(self, position: Position, side: SideId) -> list[Unit]:
        """The enemies that could fire at what comes into their sight."""
        return [unit for unit in active(position, enemy_of(side)) if KINDS[unit.kind].attack and not unit.dispersed]

    def _best_moves(
        self, position: Position, side: SideId, unit: Unit, aims: frozenset[HexId], watchers: list[Unit]
    ) -> Iterator[Order]:
        """Moves to the hexes that look best: near the goal, in cover, out of the guns of most enemies."""
        reach = movement.reach(position, unit)
        if len(reach) < 2 or not aims:
            return
        far = distances(position, KINDS[unit.kind].mobility, aims)
        here = self._hex_score(position, unit, unit.hex, far, watchers)
        near = sorted(reach, key=lambda place: far[place])[:12]
        scored = [(self._hex_score(position, unit, place, far, watchers), place) for place in near if place != unit.hex]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        for score, place in scored[:MOST_MOVES]:
            if score > here:
                order = orders.MoveUnit(unit.id, tuple(HexId(step) for step in reach.path_to(place)))
                if movement.check_move(position, side, order) is None:
                    yield order

    def _hex_score(self, position: Position, unit: Unit, place: HexId, far: list[int], watchers: list[Unit]) -> int:
        board = position.ground.board
        terrain = TERRAIN[board.terrain[place]]
        seen = 0
        if not terrain.needs_spotting:
            for enemy in watchers:
                if board.distance(enemy.hex, place) <= KINDS[enemy.kind].range and sight.sees(
                    position, enemy.hex, place
                ):
                    seen += 1
        cover = COVER if terrain.drm_fire else 0
        return -PER_HEX * far[place] // 4 + cover - DANGER * min(seen, 4)

    def _transport(self, position: Position, side: SideId, unit: Unit, aims: frozenset[HexId]) -> Iterator[Candidate]:
        """Carriers far from the goal pick riders up; carriers near it set them down."""
        if not aims:
            return
        far = distances(position, "nonvehicle", aims)[unit.hex]
        for order in islice(transport.load_options(position, side, unit), MOST_MOVES):
            if (isinstance(order, orders.LoadUnit) and far > 16) or (
                isinstance(order, orders.UnloadUnit) and far <= 12
            ):
                yield Candidate(order, 30)
