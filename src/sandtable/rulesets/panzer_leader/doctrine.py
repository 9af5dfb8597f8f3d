"""What a sensible Panzer Leader commander does: which orders are worth trying out in each step of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from sandtable.geometry.reach import Reach
from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from sandtable.rulesets.panzer_leader import (
    air,
    artillery,
    assault,
    engineers,
    fire,
    landing,
    movement,
    naval,
    opportunity,
    orders,
    overrun,
    setup,
    sight,
    transport,
    victory,
)
from sandtable.rulesets.panzer_leader.artillery import INDIRECT_WEAPONS
from sandtable.rulesets.panzer_leader.combat import DIRECT, die_modifiers, modifier_sum, target_type, total_defense
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import RESERVE, Position, Unit
from sandtable.rulesets.panzer_leader.outlook import (
    Outlook,
    distances,
    goals,
    harm,
    outlook_for,
    prizes,
    worth,
)
from sandtable.rulesets.panzer_leader.pieces import with_unit
from sandtable.rulesets.panzer_leader.stacks import active, passenger_of, side_at, stacks, units_at
from sandtable.rulesets.panzer_leader.terrain import is_concealing
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN
from sandtable.rulesets.panzer_leader.weapons import EIGHTHS, bears_on, strength_in_eighths
from sandtable.rulesets.panzer_leader.workings import Attack

__all__ = ["Doctrine", "distances", "goals", "prizes", "worth"]

MUST = 2000  # an order that is always better than none
MOST_SHOTS, MOST_MOVES, MOST_RUNS, MOST_OTHERS = 2, 2, 2, 6
NEAREST, COVERED = 20, 8  # how many hexes in reach are looked at

# What an order costs or gains that does not show in the state it leads to, in hundredths of a point.
FIRING = 3
WATCHING = 12  # firing out of turn spends the unit's own next segment
MOVING = 3
CROWDING = 8
CAPTURE = 140
STORMING = 7  # tenths of what a close assault after the move may gain
PASSING = 4  # tenths of the danger along the way, where enemies may fire at what moves
DISMOUNT, MOUNT, MOUNT_UP_FROM, DISMOUNT_WITHIN = 40, 30, 10, 6
WORK, BRIDGING = 45, 300
FLAK = 40
LEAST_BARRAGE = 6
LEAST_SORTIE = 15
# How likely a target is to be still there when written fire comes down, in tenths.
STAYS = {True: 4, False: 8}


class Doctrine:
    """What computer players ask about Panzer Leader."""

    def value(self, state: State[Position], view: View[Position]) -> int:
        """Units, ground and nearness to the goals, for the side of the view; a unit on its way counts as arrived."""
        position = state.position
        for frame in state.flow[1:]:
            if isinstance(frame, Journey) and frame.path and not frame.overruns and position.units[frame.unit].hex:
                position = with_unit(position, frame.unit, hex=frame.path[-1])
        return outlook_for(view.position, view.side).value(position)

    def estimate(self, view: View[Position], order: Order) -> int | None:
        """Every order is played out."""
        return None

    def ending(self, view: View[Position], decision: Decision) -> Order:
        """The order that does nothing more in this decision."""
        position, side = view.position, view.side
        if isinstance(view.flow[-1], OpportunityWindow):
            return orders.Pass()
        if decision.kind == "indirect fire" and artillery.has_due_missions(position):
            # the last of them spares friends who have come to stand under the fire
            return list(artillery.due_options(position, side))[-1]
        if setup.check_end(position, side, orders.EndPhase()) is None:
            return orders.EndPhase()
        waiting = (unit for unit in position.units if unit.side == side and setup.awaits_setup(position, unit))
        return next(order for unit in waiting for order in setup.placement_options(position, side, unit))

    def candidates(self, view: View[Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        """Orders worth trying out, a group for each unit that has any."""
        position, side, top = view.position, view.side, view.flow[-1]
        if isinstance(top, OpportunityWindow):
            some = islice(opportunity.opportunity_options(position, side, top), MOST_OTHERS)
            yield [Candidate(order, -WATCHING * len(order.firers)) for order in some]
            return
        outlook = outlook_for(position, side)
        match decision.kind:
            case "setup":
                yield from _deployments(outlook, position, side)
            case "indirect orders":
                yield from _missions(outlook, position, side)
            case "direct fire":
                yield from _shots(outlook, position, side)
            case "anti-aircraft":
                for unit in active(position, side):
                    yield [Candidate(o, FLAK + len(o.firers)) for o in air.antiair_options(position, side, unit)]
            case "air movement":
                yield from _flights(outlook, position, side)
            case "air attack":
                yield [Candidate(o, -LEAST_SORTIE) for o in _sorties(outlook, position, side)]
            case "vehicle movement" | "foot movement":
                yield from _moves(outlook, position, side)
            case "close assault":
                for unit in active(position, side):
                    storms = islice(assault.assault_options(position, side, unit), MOST_OTHERS)
                    yield [Candidate(order) for order in storms]
            case "landing":
                for unit in position.units:
                    if unit.side == side and landing.landing_of(position, unit) is not None:
                        yield _entries(outlook, position, unit, landing.placement_options(position, side, unit))


# --- coming onto the map --------------------------------------------------------------------------------------------


def _deployments(outlook: Outlook, position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """Each unit of a setup to the hex that suits it: near the goal, in cover, with few others."""
    for unit in position.units:
        if unit.side == side and setup.awaits_setup(position, unit):
            yield _entries(outlook, position, unit, setup.placement_options(position, side, unit))


def _entries(outlook: Outlook, position: Position, unit: Unit, options: Iterable[orders.PlaceUnit]) -> list[Candidate]:
    """The best hex to come in at: near the goal, in cover, with few others in it or, for landings, before it."""
    far = outlook.far(KINDS[unit.kind].mobility) if outlook.aims else None

    def score(order: orders.PlaceUnit) -> int:
        near = -far[order.hex] if far is not None else 0
        ashore = sum(len(units_at(position, HexId(h))) for h in position.ground.board.neighbors(order.hex))
        crowd = len(units_at(position, order.hex)) * CROWDING + 3 * ashore * (position.step == "landing")
        return near + (2 if is_concealing(position, order.hex) else 0) - crowd

    best = max(options, key=score, default=None)
    return [] if best is None else [Candidate(best, MUST)]


# --- written fire ---------------------------------------------------------------------------------------------------


def _missions(outlook: Outlook, position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """Batteries, and ships, are told to fire where it can be expected to hurt most."""
    for unit in active(position, side):
        ranked: list[tuple[int, Order]] = []
        for order in artillery.mission_options(position, side, unit):
            if not order.smoke:
                strength = sum(KINDS[position.units[id].kind].attack for id in order.firers)
                # each battery more must be worth it
                gain = _barrage(outlook, position, side, order.hex, strength) // len(order.firers)
                ranked.append((gain, order))
        yield from _best_mission(ranked)
    if naval.may_write(position):
        lots = naval.write_options(position, side)
        yield from _best_mission([(_barrage(outlook, position, side, o.hex, o.points), o) for o in lots])


def _best_mission(ranked: list[tuple[int, Order]]) -> Iterator[list[Candidate]]:
    gain, order = max(ranked, key=lambda pair: pair[0], default=(0, None))
    if order is not None and gain >= LEAST_BARRAGE:
        yield [Candidate(order, gain)]


def _barrage(outlook: Outlook, position: Position, side: SideId, place: HexId, strength: int) -> int:
    """What fire that comes down later can be expected to cost the enemy: less where he may leave or is shelled."""
    if any(mission.side == side and mission.hex == place for mission in position.missions):
        return 0
    stack = units_at(position, place)
    hit = artillery.bombarded(position, place)
    drm, total = TERRAIN[position.ground.board.terrain[place]].drm_fire, 0
    soft = target_type(position, hit) == "nonarmored"
    share = EIGHTHS * strength // (len(hit) if soft else 2 * len(hit))
    for unit in hit:
        stays = STAYS[KINDS[unit.kind].is_vehicle and not unit.dispersed]
        total += harm(share, total_defense(position, (unit,))[0], drm) * outlook.loss(unit, stack) * stays // 1000
    return total


# --- direct fire ----------------------------------------------------------------------------------------------------


def _shots(outlook: Outlook, position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """The few shots that promise most, each with as many firers as it takes and no more."""
    firers = [unit for unit in active(position, side) if fire.firing_refusal(position, unit) is None]
    costs = FiringCosts(outlook, position)
    ranked: list[tuple[int, Order]] = []
    for place, stack in stacks(position).items():
        if place in position.shelled or all(unit.side == side for unit in stack):
            continue
        able = [u for u in firers if sight.look(position, u.hex)[place] and bears_on(position, u, place)]
        if able:
            for targets in fire.target_sets(position, side, place):
                if fire.are_spotted(position, side, place, targets):
                    ranked += _gathered(outlook, position, able, costs, targets)
    ranked.sort(key=lambda pair: -pair[0])
    ships = naval.fire_options(position, side)
    group = [Candidate(order, -_cost_of(order, costs)) for net, order in ranked[:MOST_SHOTS] if net > 0]
    yield group
    yield [Candidate(order, -order.points // 10) for order in islice(ships, 2 * MOST_OTHERS)]


def _cost_of(order: Order, costs: FiringCosts) -> int:
    return sum(costs[id] for id in order.firers) if isinstance(order, orders.DirectFire) else 0


class FiringCosts(dict[UnitId, int]):
    """What each unit gives up by firing: its march toward the goal, and ground it could take by going there."""

    def __init__(self, outlook: Outlook, position: Position) -> None:
        self._outlook, self._position = outlook, position
        self._open = [
            place
            for place in outlook.aims
            if position.control.get(place) != outlook.side
            and not any(unit.side != outlook.side for unit in units_at(position, place))
        ]

    def __missing__(self, id: UnitId) -> int:
        self[id] = cost = self._cost(self._position.units[id])
        return cost

    def _cost(self, unit: Unit) -> int:
        printed, outlook = KINDS[unit.kind], self._outlook
        if not printed.movement or not outlook.attacks or printed.weapon in INDIRECT_WEAPONS or unit.fort != NOBODY:
            return FIRING
        far, allowance = outlook.far(printed.mobility)[unit.hex], 2 * printed.movement
        cost = FIRING + outlook.urgency * min(far, allowance) // allowance // 2
        if far <= allowance and self._open:
            step = "vehicle movement" if printed.is_vehicle else "foot movement"
            reach = movement.reach(replace(self._position, step=step), unit)
            if any(reach.cost(place) >= 0 for place in self._open):
                cost += CAPTURE
        return cost


def _gathered(
    outlook: Outlook, position: Position, able: Sequence[Unit], costs: FiringCosts, targets: Sequence[Unit]
) -> Iterator[tuple[int, Order]]:
    """The shots at a target with the best firer, the best two and so on, wherever one more gives better odds."""
    place, against = targets[0].hex, target_type(position, targets)
    made = [(strength_in_eighths(position, unit, place, against), unit) for unit in able]
    made = sorted((pair for pair in made if pair[0]), key=lambda pair: (costs[pair[1].id] - pair[0], pair[1].id))
    defense = total_defense(position, targets)[0]
    drm = modifier_sum(die_modifiers(position, DIRECT, place, targets))
    twice = "twice" if any(unit.dispersed == position.segment for unit in targets) else ""
    stack = units_at(position, place)
    loss = sum(outlook.loss(unit, stack) for unit in targets)
    total, cost, before, firers = 0, 0, 0, []
    for eighths, unit in made:
        total, cost = total + eighths, cost + costs[unit.id]
        firers.append(unit.id)
        share = harm(total, defense, drm, twice)
        if share > before:
            before = share
            yield share * loss // 100 - cost, orders.DirectFire(tuple(firers), place, tuple(t.id for t in targets))


# --- aircraft -------------------------------------------------------------------------------------------------------


def _sorties(outlook: Outlook, position: Position, side: SideId) -> list[orders.AirAttack]:
    """The air attacks that promise most."""
    attacks = (order for plane in position.aircraft for order in air.air_attack_options(position, side, plane))
    ranked = sorted(attacks, key=lambda order: -_strike(outlook, position, order.sorties, order.hex))
    return ranked[:MOST_OTHERS]


def _strike(outlook: Outlook, position: Position, sorties: Sequence[orders.AirSortie], place: HexId) -> int:
    """What an air attack on all the units of a hex can be expected to cost the enemy."""
    stack = units_at(position, place)
    best = 0
    for targets in fire.target_sets(position, outlook.side, place, "air"):
        attack = air.air_attack(position, sorties, place, targets)
        if isinstance(attack, Attack):
            loss = sum(outlook.loss(unit, stack) for unit in targets)
            best = max(best, harm(int(attack.strength * EIGHTHS), attack.defense, attack.drm) * loss // 100)
    return best


def _flights(outlook: Outlook, position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """Each aircraft flies where its best weapon promises most."""
    board = position.ground.board
    for plane in position.aircraft:
        weapons = air.weapons_left(plane)
        best, chosen = LEAST_SORTIE, None
        for order in air.fly_options(position, side, plane):
            if not weapons:
                chosen = order
                break
            above = _overhead(position, plane.id, order.hex)
            for place in map(HexId, board.neighbors(order.hex)):
                for weapon in weapons:
                    gain = _strike(outlook, above, (orders.AirSortie(plane.id, weapon.key),), place)
                    if gain > best:
                        best, chosen = gain, order
        if chosen is not None:
            yield [Candidate(chosen, best)]


def _overhead(position: Position, plane: int, place: HexId) -> Position:
    """The table with an aircraft over a hex."""
    fleet = tuple(replace(p, hex=place) if p.id == plane else p for p in position.aircraft)
    return replace(position, aircraft=fleet)


# --- movement -------------------------------------------------------------------------------------------------------


def _moves(outlook: Outlook, position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """For each unit that has not moved: the best few hexes, attacks in passing, getting on and off, its own work."""
    board = position.ground.board
    vehicles = position.step == "vehicle movement"
    waiting = [unit for unit in position.units if unit.side == side and not unit.moved and _may_act(unit)]
    # those ashore move before those at sea land, and those in front make way for those behind
    far = outlook.far("vehicle" if vehicles else "nonvehicle") if outlook.aims else None
    waiting.sort(key=lambda u: (bool(u.hex) and board.terrain[u.hex] == "sea", far[u.hex] if far else 0, u.id))
    for unit in waiting:
        printed = KINDS[unit.kind]
        if unit.fate == RESERVE:
            yield _entries(outlook, position, unit, setup.placement_options(position, side, unit))
            continue
        if printed.is_vehicle != vehicles or not unit.hex:
            continue
        if victory.exit_of(position, side, unit.hex) is not None and printed.movement:
            leave = orders.LeaveMap(unit.id)
            if movement.check_leave(position, side, leave) is None:
                yield [Candidate(leave, MUST)]
        group = list(_own_work(outlook, position, side, unit))
        group += _best_moves(outlook, position, side, unit)
        if vehicles:
            group += [Candidate(o) for o in islice(overrun.overrun_options(position, side, unit), MOST_RUNS)]
            group += _transport(outlook, position, side, unit)
        yield group


def _may_act(unit: Unit) -> bool:
    return unit.carrier == NOBODY and (bool(unit.hex) or unit.fate == RESERVE) and not KINDS[unit.kind].is_work


def _own_work(outlook: Outlook, position: Position, side: SideId, unit: Unit) -> Iterator[Candidate]:
    """What engineers have in hand or can take up: to clear what lies on the way to the goal."""
    if not KINDS[unit.kind].has("eng"):
        return
    far = outlook.far("nonvehicle")
    for order in engineers.begin_options(position, side, unit):
        if order.task == engineers.CLEAR and far[order.hex] <= far[unit.hex]:
            yield Candidate(order, WORK)


def _best_moves(outlook: Outlook, position: Position, side: SideId, unit: Unit) -> Iterator[Candidate]:
    """Moves to the hexes that look best."""
    reach = movement.reach(position, unit)
    if len(reach) < 2 or not outlook.aims:
        return
    work = engineers.work_of(position, unit.id)
    if work is not None and work.task == engineers.CLEAR and position.ground.board.distance(unit.hex, work.hex) < 2:
        yield from _on_with(position, side, unit, work.stage >= engineers.SAFE, work.hex, reach)
        return
    here = outlook.placed(position.units, unit, unit.hex)
    passenger = passenger_of(position, unit.id)
    scored = []
    for place in _worth_a_look(outlook, position, unit, reach):
        bonus = _prospects_of(outlook, position, side, unit, place)
        score = outlook.placed(position.units, unit, place) - here + bonus
        if passenger is not None:
            score += outlook.placed(position.units, passenger, place)
            score -= outlook.placed(position.units, passenger, unit.hex)
        if place in outlook.prizes and position.control.get(place) != side:
            score += outlook.prizes[place]
        scored.append((score, bonus, place))
    scored.sort(key=lambda entry: (-entry[0], entry[2]))
    for score, bonus, place in scored[:MOST_MOVES]:
        path = tuple(HexId(step) for step in reach.path_to(place))
        cost = MOVING + _passage(outlook, position, unit, path)
        if score > cost and movement.check_move(position, side, orders.MoveUnit(unit.id, path)) is None:
            yield Candidate(orders.MoveUnit(unit.id, path), bonus - cost)


def _on_with(
    position: Position, side: SideId, unit: Unit, is_safe: bool, place: HexId, reach: Reach
) -> Iterator[Candidate]:
    """An engineer at work stays, and steps onto what it clears when it is safe."""
    if is_safe and unit.hex != place and reach.cost(place) >= 0:
        yield Candidate(orders.MoveUnit(unit.id, tuple(HexId(step) for step in reach.path_to(place))), BRIDGING)


def _worth_a_look(outlook: Outlook, position: Position, unit: Unit, reach: Reach) -> Iterable[HexId]:
    """The hexes in reach nearest to the goal, and the nearest that give cover."""
    far = outlook.far(KINDS[unit.kind].mobility)
    ranked = sorted((HexId(place) for place in reach if place != unit.hex), key=lambda place: (far[place], place))
    covered = (place for place in ranked[NEAREST:] if is_concealing(position, place))
    return (*ranked[:NEAREST], *islice(covered, COVERED))


def _prospects_of(outlook: Outlook, position: Position, side: SideId, unit: Unit, place: HexId) -> int:
    """What a move promises beyond the hex itself: a close assault or a bridge; less where others stand already."""
    friends = [u for u in units_at(position, place) if u.side == side and u.id != unit.id and u.carrier == NOBODY]
    bonus = -CROWDING * len(friends)
    printed = KINDS[unit.kind]
    if printed.has("bridge") and (place == outlook.planned or position.ground.board.terrain[unit.hex] == "stream"):
        return bonus + BRIDGING
    if printed.is_infantry and not unit.transported:
        bonus += _storm(outlook, position, side, unit, place) * STORMING // 10
    return bonus


def _storm(outlook: Outlook, position: Position, side: SideId, unit: Unit, place: HexId) -> int:
    """What the best close assault from a hex can be expected to cost the enemy, with friends who can join."""
    board, best = position.ground.board, 0
    for near in map(HexId, board.neighbors(place)):
        targets = assault.defenders(position, side, near)
        if not targets or "cliff" in board.side_features(place, board.direction(place, near)):
            continue
        strength = KINDS[unit.kind].attack
        for h in board.neighbors(near):
            strength += sum(
                KINDS[u.kind].attack
                for u in side_at(position, HexId(h), side)
                if u.id != unit.id and assault.assaulting_refusal(position, u) is None
            )
        drm = TERRAIN[board.terrain[near]].drm_cat - 2
        twice = ""
        if any(target.dispersed == position.segment for target in targets):
            drm, twice = drm - 1, "twice"
        stack = units_at(position, near)
        loss = sum(outlook.loss(target, stack) for target in targets)
        best = max(best, harm(EIGHTHS * strength, total_defense(position, targets)[0], drm, twice) * loss // 100)
    return best


def _passage(outlook: Outlook, position: Position, unit: Unit, path: Sequence[HexId]) -> int:
    """What enemies who may fire at what moves make of the way to a hex."""
    if not position.ground.options.opportunity_fire or len(path) < 2:
        return 0
    return max(outlook.danger(unit, place) for place in path[:-1]) * PASSING // 10


def _transport(outlook: Outlook, position: Position, side: SideId, unit: Unit) -> Iterator[Candidate]:
    """Carriers far from the goal pick riders up; carriers near it, or under fire, set them down."""
    if not outlook.aims:
        return
    far = outlook.far("nonvehicle")[unit.hex]
    for load in islice(transport.load_options(position, side, unit), MOST_RUNS):
        passenger = position.units[load.passenger]
        keeps = passenger.hex in outlook.prizes and not outlook.leaves
        if far > MOUNT_UP_FROM and not keeps and (outlook.attacks or not KINDS[passenger.kind].attack):
            yield Candidate(load, MOUNT)
    if not outlook.leaves and far <= DISMOUNT_WITHIN:
        yield from (Candidate(unload, DISMOUNT) for unload in transport.unload_options(position, side, unit))
