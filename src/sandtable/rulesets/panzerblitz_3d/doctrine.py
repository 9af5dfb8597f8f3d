"""What a sensible commander does: which orders are worth giving in each step of a turn, and what each can be expected
to gain, weighed in closed form, so that nothing is played out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.ids import NOBODY, HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from sandtable.rulesets.panzerblitz_3d import (
    artillery,
    assault,
    fire,
    mobility,
    movement,
    opportunity,
    orders,
    overrun,
    sequence,
    setup,
    transport,
    works,
)
from sandtable.rulesets.panzerblitz_3d.combat import die_modifiers, summed, target_type, total_defense
from sandtable.rulesets.panzerblitz_3d.frames import OpportunityWindow
from sandtable.rulesets.panzerblitz_3d.kinds import INFANTRY, KINDS, MORTAR, VEHICLES
from sandtable.rulesets.panzerblitz_3d.model import FIRE, RESERVE, Position, Unit
from sandtable.rulesets.panzerblitz_3d.outlook import LEAVE, Outlook, harm, harm_of, material, outlook_for, strength_at
from sandtable.rulesets.panzerblitz_3d.pieces import enemy_of
from sandtable.rulesets.panzerblitz_3d.stacks import active, counters_at, passenger_of, stacks, units_at
from sandtable.rulesets.panzerblitz_3d.terrain import ground_of, is_hiding
from sandtable.rulesets.panzerblitz_3d.workings import Attack

MUST = 2000  # an order that is always better than none
NEAREST, COVERED = 24, 10  # how many hexes in reach are looked at

# What an order costs or must gain, in hundredths of a point.
FIRING = 3
WATCHING = 8  # a unit that waits for an opportunity gives up its own turn
LEAST_CHANCE = 12  # what opportunity fire must promise
MOVING = 3
CROWDING = 8
CAPTURE = 120  # what an attacker gives up who fires instead of taking ground within his reach
STORMING = 7  # tenths of what a close assault after the move may gain
PASSING = 6  # tenths of the danger from enemies who wait along the way
DISMOUNT, MOUNT, MOUNT_UP_FROM, DISMOUNT_WITHIN = 40, 25, 12, 6
LEAST_BARRAGE = 6
ON_TARGET = 33  # in so many of a hundred cases unobserved fire falls where it is plotted (PB3-1203)
NEAR_FRIENDS = 15  # what a friend within reach of the scatter costs
LEAST_OVERRUN = 10
GARRISON = 70  # what leaving ground costs that the enemy could come to


class Doctrine:
    """What computer players ask about 3D PanzerBlitz."""

    def value(self, state: State[Position], view: View[Position]) -> int:
        """Units and ground."""
        return material(state.position, view.side)

    def estimate(self, view: View[Position], order: Order) -> int:
        """As before the order: what it can be expected to gain is said with the candidate."""
        return material(view.position, view.side)

    def ending(self, view: View[Position], decision: Decision) -> Order:
        """The order that does nothing more in this decision."""
        position, side = view.position, view.side
        match decision.kind:
            case "opportunity fire":
                return orders.Pass()
            case sequence.INITIATIVE:
                return orders.ChooseFirst(_first(position, side))
            case sequence.PLOTS | sequence.ASSIGNMENT:
                return orders.SealPlot()
        if setup.check_end(position, side, orders.EndPhase()) is None:
            return orders.EndPhase()
        waiting = (unit for unit in position.units if unit.side == side and setup.awaits_setup(position, unit))
        return next(order for unit in waiting for order in setup.placement_options(position, side, unit))

    def candidates(self, view: View[Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        """Orders worth giving, the best of each group first."""
        position, side, top = view.position, view.side, view.flow[-1]
        outlook = outlook_for(position, side)
        if isinstance(top, OpportunityWindow):
            yield _chances(outlook, position, side, top)
            return
        match decision.kind:
            case "setup":
                yield from _deployments(outlook, position, side)
            case sequence.PLOTS:
                yield _barrages(outlook, position, side)
            case sequence.ASSIGNMENT:
                yield _ambushes(outlook, position, side)
            case sequence.FIRE:
                yield _shots(outlook, position, side)
            case sequence.VEHICLES | sequence.FOOT:
                yield from _moves(outlook, position, side)
            case sequence.ASSAULT:
                yield _storms(outlook, position, side)


def _first(position: Position, side: SideId) -> SideId:
    """To go first is to fire first; on the last turn the last word is worth more."""
    return enemy_of(side) if position.turn == position.ground.scenario.turns else side


def _best(ranked: Iterable[tuple[int, Order]], least: int = 0) -> list[Candidate]:
    """The best of some orders, if it gains enough."""
    best: tuple[int, Order] | None = None
    for gain, order in ranked:
        if gain > least and (best is None or gain > best[0]):
            best = (gain, order)
    return [] if best is None else [Candidate(best[1], best[0])]


# --- coming onto the map --------------------------------------------------------------------------------------------


def _deployments(outlook: Outlook, position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """Each unit of a setup to the hex that suits it."""
    for unit in position.units:
        if unit.side == side and setup.awaits_setup(position, unit):
            yield _entry(outlook, position, unit)


def _entry(outlook: Outlook, position: Position, unit: Unit) -> list[Candidate]:
    """The best hex to come in at: near the goal, in cover, with few others in it."""
    board, mover = position.ground.board, KINDS[unit.kind]
    far = outlook.far(unit.kind) if outlook.aims else [0] * board.size

    def score(order: orders.PlaceUnit) -> int:
        crowd = CROWDING * len(units_at(position, order.hex))
        level = 2 * board.elevation[order.hex] if mover.range > 4 else 0
        hidden = 4 if is_hiding(board, order.hex) else 0
        return MUST - far[order.hex] + hidden + level - crowd

    options = setup.placement_options(position, unit.side, unit)
    return _best((score(order), order) for order in options)


# --- secret notes ---------------------------------------------------------------------------------------------------


def _barrages(outlook: Outlook, position: Position, side: SideId) -> list[Candidate]:
    """The plot of one battery that promises most, where enemies are known or were last seen."""
    known = [unit.hex for unit in active(position, enemy_of(side))]
    places = dict.fromkeys(known + [contact.unit.hex for contact in position.contacts.values()])
    free = [
        battery for battery in artillery.batteries_of(position, side) if not artillery.plot_of(position, battery.id)
    ]
    turns = position.ground.scenario.turns - position.turn + 1
    # with more missions than turns left nothing is gained by saving
    ranked = (
        (_barrage(outlook, position, side, battery.id, place) - (0 if battery.missions >= turns else LEAST_BARRAGE), o)
        for battery in free
        for place in places
        for o in (orders.PlotFire(battery.id, place),)
    )
    return _best(ranked)


def _barrage(outlook: Outlook, position: Position, side: SideId, battery: int, place: HexId) -> int:
    """What a battery more on a hex can be expected to cost the enemy."""
    together = tuple(plot.battery for plot in position.plots if plot.hex == place)
    gain = _shelling(outlook, position, side, (*together, battery), place)
    gain -= _shelling(outlook, position, side, together, place)
    if artillery.is_observed(position, side, place):
        return gain
    distance = position.ground.board.distance
    near = sum(1 for unit in active(position, side) if distance(unit.hex, place) <= 3)
    return gain * ON_TARGET // 100 - NEAR_FRIENDS * near // 4


def _shelling(outlook: Outlook, position: Position, side: SideId, batteries: tuple[int, ...], place: HexId) -> int:
    """What these batteries together can be expected to cost whoever is known to be in a hex."""
    attack = artillery.artillery_attack(position, side, batteries, place) if batteries else None
    if not isinstance(attack, Attack):
        return 0
    return _expected(outlook, position, attack)


def _expected(outlook: Outlook, position: Position, attack: Attack) -> int:
    """What an attack can be expected to cost its targets; less what own units in it lose."""
    stack, total = units_at(position, attack.hex), 0
    for id in attack.targets:
        unit = position.units[id]
        loss = harm_of(attack.odds, attack.drm, twice=unit.dispersed) * outlook.loss(unit, stack) // 100
        total += loss if unit.side != outlook.side else -2 * loss
    return total


def _ambushes(outlook: Outlook, position: Position, side: SideId) -> list[Candidate]:
    """The unit that gains most by waiting: it has nothing to fire at now, it need not move, and enemies may come."""
    comers = [unit for unit in active(position, enemy_of(side)) if unit.kind in VEHICLES or unit.kind in INFANTRY]
    if not comers:
        return []
    ranked: list[tuple[int, Order]] = []
    for unit in active(position, side):
        if opportunity.assigning_refusal(unit) is None and unit.id not in position.assigned:
            gain = _ambush(outlook, position, unit, comers)
            ranked.append((gain, orders.Assign((unit.id,))))
    return _best(ranked, WATCHING)


def _ambush(outlook: Outlook, position: Position, unit: Unit, comers: Sequence[Unit]) -> int:
    """What a unit that waits may do to enemies who come into its field of fire, less what it gives up."""
    printed, board = KINDS[unit.kind], position.ground.board
    if outlook.attacks and printed.movement and printed.weapon != MORTAR and not outlook.hunts:
        return 0  # an attacker goes on
    shot = _best_shot_now(outlook, position, unit)
    near = [
        foe
        for foe in comers
        if board.distance(unit.hex, foe.hex) <= printed.range + KINDS[foe.kind].movement // 2
        and KINDS[foe.kind].movement
    ]
    hurt = 0
    for foe in near:
        against = target_type(position, (foe,))
        # whoever comes on is nearer when he is fired at
        reach = max(1, min(printed.range, board.distance(unit.hex, foe.hex) - KINDS[foe.kind].movement // 2))
        share = harm(strength_at(unit.kind, against, reach, ""), KINDS[foe.kind].defense, 0)
        hurt = max(hurt, share * outlook.loss(foe, units_at(position, foe.hex)) // 100)
    # not everybody who could come does
    return hurt // 2 - shot


def _best_shot_now(outlook: Outlook, position: Position, unit: Unit) -> int:
    """What the unit's own fire could do in its own turn from where it stands."""
    best, side = 0, unit.side
    for place in fire.places_in_view(position, side, unit):
        for targets in fire.target_sets(position, side, place):
            strength = fire.strength_in(position, unit, place, target_type(position, targets))
            drm = summed(die_modifiers(position, FIRE, place, targets))
            share = harm(strength, total_defense(targets), drm)
            best = max(best, share * sum(outlook.loss(t, units_at(position, place)) for t in targets) // 100)
    return best


def _chances(outlook: Outlook, position: Position, side: SideId, window: OpportunityWindow) -> list[Candidate]:
    """Fire at the mover with those who make the odds good, or wait for a better moment."""
    ranked: list[tuple[int, Order]] = []
    for order in opportunity.opportunity_options(position, side, window):
        attack = opportunity.opportunity_attack(position, side, tuple(map(position.unit, order.firers)))
        assert isinstance(attack, Attack)  # what is offered is lawful
        ranked.append((_expected(outlook, position, attack) - FIRING * len(order.firers), order))
    return _best(ranked, LEAST_CHANCE)


# --- fire -----------------------------------------------------------------------------------------------------------


def _shots(outlook: Outlook, position: Position, side: SideId) -> list[Candidate]:
    """The shot that promises most, with as many firers as it takes and no more."""
    costs = {unit.id: _firing_cost(outlook, position, unit) for unit in fire.able(position, side)}
    ranked: list[tuple[int, Order]] = []
    for place, stack in stacks(position).items():
        if all(unit.side == side for unit in stack):
            continue
        able = [position.units[id] for id in costs if fire.aim_refusal(position, position.units[id], place) is None]
        if able:
            for targets in fire.target_sets(position, side, place):
                ranked += _gathered(outlook, position, able, costs, targets)
    return _best(ranked)


def _firing_cost(outlook: Outlook, position: Position, unit: Unit) -> int:
    """What a unit gives up by firing: its march toward the goal, and ground it could take by going there."""
    printed = KINDS[unit.kind]
    if not printed.movement or not outlook.attacks or printed.weapon == MORTAR or unit.fort != NOBODY:
        return FIRING
    far, allowance = outlook.far(unit.kind)[unit.hex], 2 * printed.movement
    cost = FIRING + outlook.urgency * min(far, allowance) // allowance // 2
    if outlook.leaves:
        cost += LEAVE // 2
    elif 0 < far <= allowance and any(not units_at(position, place) for place in outlook.aims):
        cost += CAPTURE
    return cost


def _gathered(
    outlook: Outlook, position: Position, able: Sequence[Unit], costs: dict[UnitId, int], targets: Sequence[Unit]
) -> Iterator[tuple[int, Order]]:
    """The shots at a target with the best firer, the best two and so on, wherever one more gives better odds."""
    place, against = targets[0].hex, target_type(position, targets)
    made = [(fire.strength_in(position, unit, place, against), unit) for unit in able]
    made = sorted((pair for pair in made if pair[0]), key=lambda pair: (costs[pair[1].id] - pair[0], pair[1].id))
    defense, drm = total_defense(targets), summed(die_modifiers(position, FIRE, place, targets))
    stack = units_at(position, place)
    total, cost, before, firers = 0, 0, 0, []
    for strength, unit in made:
        total, cost = total + strength, cost + costs[unit.id]
        firers.append(unit.id)
        gain = sum(harm(total, defense, drm, twice=t.dispersed) * outlook.loss(t, stack) for t in targets) // 100
        if gain > before:
            before = gain
            yield gain - cost, orders.DesignateTarget(tuple(firers), place, tuple(t.id for t in targets))


# --- movement -------------------------------------------------------------------------------------------------------


def _moves(outlook: Outlook, position: Position, side: SideId) -> Iterator[list[Candidate]]:
    """For each unit that has not moved: the best hex, an overrun, getting on and off; those in front make way first."""
    waiting = [unit for unit in position.units if unit.side == side and not unit.moved and unit.carrier == NOBODY]
    here = [unit for unit in waiting if mobility.step_of(unit) == position.step and not KINDS[unit.kind].is_work]
    far = {unit.id: outlook.far(unit.kind)[unit.hex] if outlook.aims and unit.hex else 0 for unit in here}
    for unit in sorted(here, key=lambda unit: (far[unit.id], unit.id)):
        if unit.fate == RESERVE:
            yield _entry(outlook, position, unit)
        elif unit.hex:
            yield _best(_ways_for(outlook, position, side, unit))


def _ways_for(outlook: Outlook, position: Position, side: SideId, unit: Unit) -> Iterator[tuple[int, Order]]:
    """What a unit could do in its movement step, with what that gains."""
    yield from ((MUST, leave) for leave in movement.leave_options(position, side, unit))
    if unit.kind in VEHICLES:
        yield from _transport(outlook, position, side, unit)
        yield from _overruns(outlook, position, side, unit)
    yield from ((_garrison(outlook, unit), enter) for enter in works.enter_options(position, side, unit))
    yield from _best_moves(outlook, position, side, unit)


def _garrison(outlook: Outlook, unit: Unit) -> int:
    """What it is worth to take cover in a fort: as much as the hex is dangerous, for those who hold ground."""
    return 0 if outlook.leaves else outlook.danger(unit, unit.hex)


def _best_moves(outlook: Outlook, position: Position, side: SideId, unit: Unit) -> Iterator[tuple[int, Order]]:
    """Moves to the hexes that look best."""
    if mobility.cannot_move(position, side, unit.id) is not None:
        return
    ways = mobility.ways(position, unit)
    here, passenger = _worth_of(outlook, position, side, unit, unit.hex), passenger_of(position, unit.id)
    now = mobility.terms(position, unit)
    for place in _worth_a_look(outlook, position, unit, ways):
        gain = _worth_of(outlook, position, side, unit, place) - here - MOVING
        if passenger is not None:
            gain += outlook.placed(position.units, passenger, place)
            gain -= outlook.placed(position.units, passenger, unit.hex)
        if gain > 0:
            steps = [(step.place, step.cost) for step in mobility.steps(position, unit, ways[place], now)]
            gain -= outlook.passage(unit, steps) * PASSING // 10
        yield gain, orders.MoveUnit(unit.id, ways[place])


def _worth_of(outlook: Outlook, position: Position, side: SideId, unit: Unit, place: HexId) -> int:
    """What it is worth to a unit to end its move in a hex: the place itself, ground it takes or keeps, an assault that
    may follow; less where others stand already.
    """
    friends = [u for u in units_at(position, place) if u.side == side and u.id != unit.id and u.carrier == NOBODY]
    total = outlook.placed(position.units, unit, place) - CROWDING * len(friends)
    if place in outlook.prizes:
        if position.control.get(place) != side:
            total += outlook.prizes[place]
        elif not friends and place in outlook.threatened and not outlook.leaves:
            total += GARRISON
    if unit.kind in INFANTRY and not unit.unloaded:
        total += _storm(outlook, position, side, unit, place) * STORMING // 10
    return total


def _worth_a_look(
    outlook: Outlook, position: Position, unit: Unit, ways: dict[HexId, tuple[HexId, ...]]
) -> Iterator[HexId]:
    """The hexes in reach nearest to the goal, the nearest that give cover, and those with the best shots."""
    board = position.ground.board
    far = outlook.far(unit.kind) if outlook.aims else [0] * board.size
    ranked = sorted(ways, key=lambda place: (far[place], place))
    covered = [place for place in ranked[NEAREST:] if is_hiding(board, place)][:COVERED]
    shots = sorted(ranked[NEAREST:], key=lambda place: (-outlook.prospect(unit.kind, place), place))[:COVERED]
    yield from dict.fromkeys((*ranked[:NEAREST], *covered, *shots))


def _storm(outlook: Outlook, position: Position, side: SideId, unit: Unit, place: HexId) -> int:
    """What the best close assault from a hex can be expected to cost the enemy, with friends who can join."""
    board, best = position.ground.board, 0
    for near in map(HexId, board.neighbors(place)):
        targets = counters_at(position, near, enemy_of(side))
        if not targets:
            continue
        joining = [other for other in assault.joining(position, side, near) if other.id != unit.id]
        strength = sum(assault.assault_strength(position, other, near)[0] for other in joining)
        strength += KINDS[unit.kind].attack // (2 if board.elevation[near] else 1)
        drm = ground_of(board, near).drm - 2 - any(target.dispersed for target in targets)
        stack, defense = units_at(position, near), total_defense(targets)
        gain = sum(harm(strength, defense, drm, twice=t.dispersed) * outlook.loss(t, stack) for t in targets) // 100
        best = max(best, gain)
    return best


def _overruns(outlook: Outlook, position: Position, side: SideId, unit: Unit) -> Iterator[tuple[int, Order]]:
    """Overruns that promise more than they risk behind the enemy and on the way."""
    for order in overrun.overrun_options(position, side, unit):
        runners = [position.units[run.unit] for run in order.runs]
        attack = overrun.overrun_attack(position, side, runners, order.hex)
        assert isinstance(attack, Attack)  # what is offered is lawful
        gain = _expected(outlook, position, attack) - LEAST_OVERRUN
        for run in order.runs:
            runner = position.units[run.unit]
            gain += outlook.placed(position.units, runner, run.path[-1])
            gain -= outlook.placed(position.units, runner, runner.hex)
            now = mobility.terms(position, runner, roads=False)
            steps = [(step.place, step.cost) for step in mobility.steps(position, runner, run.path, now)]
            gain -= outlook.passage(runner, steps) * PASSING // 10
        yield gain, order


def _transport(outlook: Outlook, position: Position, side: SideId, unit: Unit) -> Iterator[tuple[int, Order]]:
    """Carriers far from the goal pick riders up; carriers near it, or under fire, set them down."""
    if not outlook.aims:
        return
    far = outlook.far("g_rifle")[unit.hex]
    for load in transport.load_options(position, side, unit):
        passenger = position.units[load.passenger]
        keeps = passenger.hex in outlook.prizes and not outlook.leaves
        if far > MOUNT_UP_FROM and not keeps and outlook.attacks:
            yield MOUNT, load
    if not outlook.leaves and far <= DISMOUNT_WITHIN:
        yield from ((DISMOUNT, unload) for unload in transport.unload_options(position, side, unit))


# --- close assault --------------------------------------------------------------------------------------------------


def _storms(outlook: Outlook, position: Position, side: SideId) -> list[Candidate]:
    """The close assault that promises most, with everybody who can join; it costs the attacker nothing."""
    ranked: list[tuple[int, Order]] = []
    for unit in active(position, side):
        if unit.kind in INFANTRY and assault.assaulting_refusal(unit) is None:
            for order in assault.assault_options(position, side, unit):
                attack = assault.ordered_assault(position, side, order)
                assert isinstance(attack, Attack)  # what is offered is lawful
                ranked.append((_expected(outlook, position, attack) - len(order.units), order))
    return _best(ranked)
