"""What a sensible PANZER8 commander does: which orders are worth giving, and what each can be expected to gain.

Every order is weighed in closed form (P8-8.05), so a turn takes no playing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice

from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.state import State, View
from sandtable.play.system import Candidate
from sandtable.rulesets.panzer8 import (
    close_combat,
    deck,
    fire,
    movement,
    orders,
    reactions,
    recovery,
    setup,
    support,
    tank_hunting,
    transport,
)
from sandtable.rulesets.panzer8.actions import has_action
from sandtable.rulesets.panzer8.cover import hex_cover
from sandtable.rulesets.panzer8.frames import AdvanceFrame, CardFrame, ReactionFrame
from sandtable.rulesets.panzer8.kinds import COMMANDER, GUN, OBSERVER, SOFT, WEAPON
from sandtable.rulesets.panzer8.model import CHARGE, OVERRUN, Element, Position
from sandtable.rulesets.panzer8.movement_table import HALF_MOVE
from sandtable.rulesets.panzer8.outlook import (
    HARM,
    PRIZE,
    Outlook,
    chances,
    expected_harm,
    material,
    worth,
)
from sandtable.rulesets.panzer8.result_tables import RECOVERY
from sandtable.rulesets.panzer8.results import DIE, FALL_BACK, OUT, SUPPRESSED
from sandtable.rulesets.panzer8.sight import facing_toward, is_flanked
from sandtable.rulesets.panzer8.stacks import element_at, kind_of, on_table, passengers
from sandtable.rulesets.panzer8.terrain import COVER_VALUES

LEAST_GAIN = 2
"""What an order must be expected to gain before it is worth an action."""

LEAST_REACTION = 4
MOST_PLACES = 10
"""How many places in reach are looked at closely."""

ON_TARGET = 13
"""In so many of twenty calls the aimed hex lies under the shells (P8-12.03)."""

DISMOUNT_WITHIN = 9
TURNING = 6


class Doctrine:
    """What computer players ask about PANZER8."""

    def value(self, state: State[Position], view: View[Position]) -> int:
        """Elements and ground."""
        return material(state.position, view.side)

    def estimate(self, view: View[Position], order: Order) -> int | Fraction | None:
        """What `value` can be expected to be after an order."""
        outlook = Outlook(view.position, view.side)
        return material(view.position, view.side) + gain(outlook, order)

    def ending(self, view: View[Position], decision: Decision) -> Order:
        """The order that does nothing more in this decision."""
        match decision.kind:
            case "reaction":
                return orders.Pass()
            case "event":
                return orders.LetCardGo()
            case "advance":
                return orders.Stay()
            case "close combat":
                return orders.Fight(view.position.combats[0].attacker)
            case "setup":
                return next(_placements(view), orders.EndPhase())
        return orders.EndPhase()

    def candidates(self, view: View[Position], decision: Decision) -> Iterable[Iterable[Candidate]]:
        """Orders worth giving, a group for each element that has any, the best of it first."""
        outlook, top = Outlook(view.position, view.side), view.flow[-1]
        if isinstance(top, ReactionFrame):
            yield _best(outlook, _reactions(view, top), LEAST_REACTION)
        elif isinstance(top, CardFrame):
            yield _best(outlook, deck.choices(view.position, view.side, top), 0)
        elif isinstance(top, AdvanceFrame):
            yield _best(outlook, close_combat.advance_options(view.position, view.side, top), 0)
        elif decision.kind == "setup":
            yield [Candidate(order, 1) for order in islice(_placements(view), 1)]
        elif decision.kind == "close combat":
            yield [Candidate(orders.Fight(view.position.combats[0].attacker), 1)]
        else:
            yield from _actions(outlook)


def _best(outlook: Outlook, options: Iterable[Order], least: int) -> list[Candidate]:
    """The best of some orders, if it gains enough; `estimate` weighs it again, so nothing is added."""
    ranked = [(gain(outlook, order), -place, order) for place, order in enumerate(options)]
    best = max(ranked, default=None, key=lambda row: row[:2])
    return [Candidate(best[2])] if best is not None and best[0] > least else []


def _placements(view: View[Position]) -> Iterator[Order]:
    """Each element that has no place yet where it looks best: near what is fought for, in cover."""
    position, outlook = view.position, Outlook(view.position, view.side)
    for element in position.elements:
        if element.side == view.side and setup.awaits_place(element):
            places = setup.place_options(position, view.side, element)
            yield max(places, key=lambda order: (_glance(outlook, element, order.hex), -order.hex))


def _reactions(view: View[Position], frame: ReactionFrame) -> Iterator[Order]:
    position, side = view.position, view.side
    yield from reactions.fire_options(position, side, frame)
    yield from reactions.evade_options(position, side, frame)
    yield from reactions.pivot_options(position, side, frame)


def _actions(outlook: Outlook) -> Iterator[list[Candidate]]:
    """What the side's elements can do: commanders and the shaken first, then fire, then assaults and moves."""
    position, side = outlook.position, outlook.side
    own = [one for one in on_table(position, side) if has_action(position, one)]
    carriers = [one for one in on_table(position, side) if kind_of(one).has("tow")]
    for element in own:
        yield _best(outlook, recovery.rally_options(position, side, element), LEAST_GAIN)
        yield _best(outlook, support.call_options(position, side, element), LEAST_GAIN)
    for element in own:
        if element.suppressed:
            shots: Iterator[Order] = fire.fire_options(position, side, element)
            yield _best(outlook, (*recovery.recover_options(position, side, element), *shots), 0)
    for element in own:
        yield _best(outlook, _attacks(position, side, element), LEAST_GAIN)
    for element in carriers:
        yield _best(outlook, transport.dismount_options(position, side, element), LEAST_GAIN)
    for element in own:
        yield _best(outlook, _moves(outlook, element), LEAST_GAIN)


def _attacks(position: Position, side: SideId, element: Element) -> Iterator[Order]:
    yield from fire.fire_options(position, side, element)
    yield from tank_hunting.hunt_options(position, side, element)
    if kind_of(element).kind in (COMMANDER, OBSERVER):
        # what he is there for is worth more than what he could take
        return
    yield from close_combat.charge_options(position, side, element)
    yield from close_combat.overrun_options(position, side, element)
    if kind_of(element).is_front_only:
        # turning on the spot to fire
        yield from (o for o in islice(fire.move_and_fire_options(position, side, element), 12) if not o.path)


def _moves(outlook: Outlook, element: Element) -> Iterator[Order]:
    """Moves to the places that look best from afar, with a shot at the end where there is one."""
    position, side = outlook.position, outlook.side
    if movement.cannot_move(position, side, element.id) is not None or kind_of(element).kind == WEAPON:
        return
    ways = list(movement.stops(position, element, movement.allowance(position, element)))
    near = sorted(ways, key=lambda way: -_glance(outlook, element, way[0]))[:MOST_PLACES]
    for place, path in near:
        yield orders.Move(element.id, path, movement.usual_facing(position, element, place))
    halves = {path: place for place, path in movement.stops(position, element, HALF_MOVE)}
    best = sorted(halves, key=lambda path: -_glance(outlook, element, halves[path]))[: MOST_PLACES // 2]
    for path in best:
        yield from _shots_from(position, element, halves[path], path, outlook.enemies)


def _shots_from(
    position: Position, element: Element, place: HexId, path: tuple[HexId, ...], enemies: Sequence[Element]
) -> Iterator[Order]:
    if fire.cannot_fire(position, element) is not None or kind_of(element).kind in (WEAPON, GUN, SOFT):
        return
    for foe in enemies:
        facing = facing_toward(position.ground.board, place, foe.hex)
        stand = fire.Stand(element, place, facing, moved=True)
        for ammo in fire.AMMO:
            if fire.no_shot(position, stand, foe, ammo) is None:
                yield orders.MoveAndFire(element.id, path, facing, foe.id, ammo)


def _glance(outlook: Outlook, element: Element, place: HexId) -> int:
    """How good a place looks without a closer look at who can fire at it."""
    covered = COVER_VALUES[hex_cover(outlook.position, place)]
    prize = PRIZE * outlook.worth_of_ground.get(place, 0) if place in outlook.goals else 0
    return outlook.nearness(element, place) + 8 * covered + prize


# --- what an order can be expected to gain --------------------------------------------------------------------------


def gain(outlook: Outlook, order: Order) -> int:
    """What an order can be expected to gain, in hundredths of a point."""
    position = outlook.position
    match order:
        case orders.Fire():
            stand = fire.standing(position.elements[order.unit])
            target = position.elements[order.target]
            return expected_harm(fire.contest(position, stand, target, order.ammo), target, order.ammo)
        case orders.MoveAndFire():
            return _gain_of_move_and_fire(outlook, order)
        case orders.Move():
            return _gain_of_move(outlook, order.unit, order.path, order.facing)
        case orders.TankHunt():
            return _gain_of_hunt(outlook, order)
        case orders.Charge() | orders.Overrun():
            return _gain_of_assault(outlook, order)
        case orders.Recover():
            return _gain_of_recovery(position, position.elements[order.unit])
        case orders.Rally():
            return _gain_of_rally(position, position.elements[order.unit])
        case orders.CallBattery():
            hesa = support.SUPPORT[order.battery].hesa
            return _gain_of_stonk(outlook, order.hex, hesa)
        case orders.Dismount():
            return _gain_of_dismounting(outlook, position.elements[order.unit])
    return _gain_of_answer(outlook, order)


def _gain_of_answer(outlook: Outlook, order: Order) -> int:
    """What a reaction, a choice for a card or an advance gains."""
    position = outlook.position
    match order:
        case orders.ReactByFire():
            stand = fire.standing(position.elements[order.unit])
            cause = position.elements[reactions.occasion_of(position).unit]
            return expected_harm(fire.contest(position, stand, cause, order.ammo), cause, order.ammo)
        case orders.ReactByPivot():
            element = position.elements[order.unit]
            cause = position.elements[reactions.occasion_of(position).unit]
            return TURNING if is_flanked(position.ground.board, element, cause.hex) else 0
        case orders.Evade():
            return _gain_of_evading(position, position.elements[order.unit])
        case orders.Advance():
            way = close_combat.opening_of(position)
            return _gain_of_move(outlook, way.unit, (way.hex,), order.facing) + LEAST_GAIN
        case orders.ChooseElement():
            chosen = position.elements[order.unit]
            return worth(chosen.kind)
        case orders.ChooseHex():
            if position.card == "E07":
                return 1 if element_at(position, order.hex) in on_table(position, outlook.side) else 0
            return _gain_of_stonk(outlook, order.hex, deck.FRIENDLY_BATTERY_HESA)
        case orders.StrikeFromAir():
            return _gain_of_strike(position, outlook.side, order)
    return 0


def _gain_of_move(outlook: Outlook, unit: UnitId, path: tuple[HexId, ...], facing: int) -> int:
    element = outlook.position.elements[unit]
    before = outlook.place_value(element, element.hex, element.facing)
    return outlook.place_value(element, path[-1], facing) - before


def _gain_of_move_and_fire(outlook: Outlook, order: orders.MoveAndFire) -> int:
    position = outlook.position
    element, target = position.elements[order.unit], position.elements[order.target]
    place = order.path[-1] if order.path else element.hex
    stand = fire.Stand(element, place, order.facing, moved=True)
    shot = expected_harm(fire.contest(position, stand, target, order.ammo), target, order.ammo)
    moved = _gain_of_move(outlook, order.unit, order.path, order.facing) if order.path else 0
    return shot + moved


def _gain_of_hunt(outlook: Outlook, order: orders.TankHunt) -> int:
    position = outlook.position
    hunter, target = position.elements[order.unit], position.elements[order.target]
    place = order.path[-1] if order.path else hunter.hex
    odds = tank_hunting.hunt_contest(position, hunter, place, target)
    found = chances(odds.modifier, "hunt", is_armor=True)
    harm = worth(target.kind) * (found[SUPPRESSED] * HARM[SUPPRESSED] + found[OUT] * HARM[OUT]) // 10_000
    thrown_back = sum(DIE - abs(x) for x in range(1 - DIE, DIE) if x + odds.modifier < 1)
    risk = worth(hunter.kind) * thrown_back * HARM[FALL_BACK] // 10_000
    way = outlook.danger(hunter, place, hunter.facing) // 4 if order.path else 0
    return harm - risk - way


def _gain_of_assault(outlook: Outlook, order: orders.Charge | orders.Overrun) -> int:
    position = outlook.position
    attacker, defender = position.elements[order.unit], position.elements[order.target]
    place = order.path[-1] if order.path else attacker.hex
    manner = CHARGE if isinstance(order, orders.Charge) else OVERRUN
    odds = close_combat.combat_contest(position, attacker, place, defender, manner)
    won = expected_harm(odds.modifier, defender, "combat")
    lost = expected_harm(-odds.modifier, attacker, "combat")
    prize = PRIZE * outlook.worth_of_ground.get(defender.hex, 0) // 3 if defender.hex in outlook.goals else 0
    way = outlook.danger(attacker, place, attacker.facing) // 3 if order.path else 0
    return won - lost + prize - way


def _gain_of_evading(position: Position, element: Element) -> int:
    occasion = reactions.occasion_of(position)
    cause = position.elements[occasion.unit]
    odds = close_combat.combat_contest(position, cause, cause.hex, element, occasion.manner)
    return expected_harm(odds.modifier, element, "combat") - expected_harm(-odds.modifier, cause, "combat") - 10


def _gain_of_recovery(position: Position, element: Element) -> int:
    modifier = int(recovery.recovery(position, element).total)
    rises = sum(roll + modifier >= RECOVERY.recovers for roll in range(1, DIE + 1))
    lost = sum(roll + modifier < RECOVERY.no_effect for roll in range(1, DIE + 1))
    return worth(element.kind) * (rises * HARM[SUPPRESSED] - lost * HARM[OUT]) // (100 * DIE) + 1


def _gain_of_rally(position: Position, element: Element) -> int:
    distance = position.ground.board.distance
    shaken = [
        one
        for one in on_table(position, element.side)
        if one.suppressed and not one.recovered and distance(one.hex, element.hex) <= recovery.COMMAND_RADIUS
    ]
    return sum(worth(one.kind) * HARM[SUPPRESSED] // (100 * DIE) for one in shaken) * 3


def _gain_of_stonk(outlook: Outlook, place: HexId, hesa: int) -> int:
    position, total = outlook.position, 0
    for near in (place, *position.ground.board.neighbors(place)):
        target = element_at(position, HexId(near))
        if target is not None:
            harm = expected_harm(support.shell_contest(position, target, hesa), target, fire.HESA)
            total += harm if target.side != outlook.side else -2 * harm
    return total * ON_TARGET // 20


def _gain_of_strike(position: Position, side: SideId, order: orders.StrikeFromAir) -> int:
    target = element_at(position, order.hex)
    if target is None or target.side == side:
        return 0
    if order.ammo == fire.AP:
        return expected_harm(support.air_contest(position, target), target, fire.AP)
    return expected_harm(support.shell_contest(position, target, deck.FIGHTER_BOMBER_HESA), target, fire.HESA)


def _gain_of_dismounting(outlook: Outlook, carrier: Element) -> int:
    """Passengers get off when the enemy or the goal is near."""
    distance = outlook.position.ground.board.distance
    near = [*(foe.hex for foe in outlook.enemies), *outlook.goals]
    if not passengers(outlook.position, carrier.id) or not near:
        return 0
    return 20 if min(distance(carrier.hex, place) for place in near) <= DISMOUNT_WITHIN else 0
