"""Armor-piercing, high-explosive and small-arms fire.

Rules: P8-8.01, P8-8.02, P8-8.03, P8-8.04, P8-8.07, P8-8.08, P8-8.09, P8-8.10, P8-4.07, P8-7.06.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, has_effect, refuse, show
from sandtable.rulesets.panzer8.cover import cover
from sandtable.rulesets.panzer8.events import AttackRolled, EffectSpent
from sandtable.rulesets.panzer8.frames import Journey
from sandtable.rulesets.panzer8.kinds import ARMOR, GUN, SOFT, WEAPON
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.movement import cannot_move, path_tally, steps, stops
from sandtable.rulesets.panzer8.movement_table import HALF_MOVE, LEAST_COST
from sandtable.rulesets.panzer8.orders import Fire, MoveAndFire
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.results import DIE, NONE, hesa_result, inflict, line, result, roll_off, tally
from sandtable.rulesets.panzer8.sight import facing_toward, is_flanked, is_in_arc, sees, visibility
from sandtable.rulesets.panzer8.stacks import kind_of, on_table
from sandtable.rulesets.panzer8.workings import Contest

AP, HESA = "ap", "hesa"
AMMO = (AP, HESA)
CLOSE = 4
"""Within so many hexes an unsuppressed firer adds 1 (P8-8.01)."""


class Stand:
    """A firer as it would stand: where, facing which way, and whether it has moved in the same action."""

    def __init__(self, element: Element, place: HexId, facing: int, *, moved: bool) -> None:
        self.element, self.hex, self.facing, self.moved = element, place, facing, moved


def standing(element: Element) -> Stand:
    """A firer where it is."""
    return Stand(element, element.hex, element.facing, moved=False)


# --- who may fire at whom -------------------------------------------------------------------------------------------


def fire_range(element: Element, ammo: str) -> int:
    """How far an element fires with a kind of ammunition, 0 when it has none (P8-2.01)."""
    kind = kind_of(element)
    return kind.ap_range if ammo == AP else kind.hesa_range


def cannot_fire(position: Position, element: Element) -> Refusal | None:
    """Why an element can't fire at all now, or None."""
    kind = kind_of(element)
    if not kind.ap and not kind.hesa:
        return refuse("P8-2.01", "it has nothing to fire with")
    if has_effect(position, "E04", element.side, element.id):
        return refuse("P8-13.02", "it is short of shells this turn (card E04)")
    return None


def no_shot(position: Position, stand: Stand, target: Element, ammo: str) -> Refusal | None:
    """Why a firer that stands so can't fire at a target, or None.

    Rules: P8-2.01, P8-7.06, P8-8.03, P8-8.08, P8-8.09.
    """
    board, element = position.ground.board, stand.element
    reach, distance = fire_range(element, ammo), board.distance(stand.hex, target.hex)
    if not reach:
        return refuse("P8-2.01", f"it has no {'armor-piercing' if ammo == AP else 'high-explosive or small-arms'} fire")
    against = _useless(element, target, ammo)
    if against is not None:
        return against
    if distance > reach:
        return refuse("P8-8.03", f"the target is {distance} hexes away; its range is {reach}")
    seen = visibility(position)
    if distance > seen:
        return refuse("P8-1.03", f"the target is {distance} hexes away; nobody sees farther than {seen}")
    if not is_in_arc(board, element, stand.facing, stand.hex, target.hex):
        return refuse("P8-7.06", "the target is not in its front arc")
    if not sees(position, stand.hex, target.hex):
        return refuse("P8-8.03", "there is no line of sight")
    return None


def _useless(element: Element, target: Element, ammo: str) -> Refusal | None:
    """Why a kind of fire does nothing to a kind of target."""
    what = kind_of(target)
    if ammo == AP:
        return None if what.is_vehicle else refuse("P8-8.08", "armor-piercing fire is for vehicles")
    if what.kind == ARMOR and not what.has("open") and not kind_of(element).has("he"):
        return refuse("P8-8.09", "small arms do nothing to a closed armored vehicle")
    return None


def targets(position: Position, side: SideId) -> tuple[Element, ...]:
    """The enemies a side may fire at: those on the table that it knows of; passengers share their carrier's fate."""
    return on_table(position, enemy_of(side))


def _enemy(position: Position, side: SideId, id: UnitId) -> Element | Refusal:
    if not 0 <= id < len(position.elements) or position.elements[id].side == side:
        return refuse("P8-8.10", "that is no enemy")
    found = position.elements[id]
    if not found.hex or found.carrier >= 0:
        return refuse("P8-8.10", "there is no such target on the map")
    return found


# --- the numbers ----------------------------------------------------------------------------------------------------


def contest(position: Position, stand: Stand, target: Element, ammo: str) -> Contest:
    """The totals of a shot before the dice.

    Rules: P8-8.01, P8-8.02, P8-8.03.
    """
    board, firer = position.ground.board, stand.element
    kind, distance = kind_of(firer), board.distance(stand.hex, target.hex)
    value, what = (kind.ap, "AP") if ammo == AP else (kind.hesa, "HE" if kind.has("he") else "small arms")
    attack = [
        line(f"{what} value", value, "P8-8.01"),
        line(f"within {CLOSE} hexes", int(distance <= CLOSE and not firer.suppressed), "P8-8.01"),
        line("from behind its front", int(is_flanked(board, target, stand.hex)), "P8-7.05"),
        line("quality of the firer", firer.quality, "P8-2.04"),
        line("fresh belts (card E05)", int(has_effect(position, "E05", firer.side, firer.id)), "P8-13.02"),
    ]
    defense = [
        line("Def of the target", kind_of(target).defense, "P8-8.02"),
        cover(position, target, stand.hex),
        line("the firer moved", int(stand.moved), "P8-8.02"),
        line("over half range", int(ammo == AP and 2 * distance > kind.ap_range), "P8-8.03"),
        line("quality of the target", target.quality, "P8-2.04"),
    ]
    return Contest(tally("Firer", attack), tally("Target", defense))


def can_harm(position: Position, stand: Stand, target: Element, ammo: str) -> bool:
    """Whether any dice make a shot good: the best are a ten against a one.

    Rules: P8-8.04, P8-8.06, P8-8.07, P8-8.09.
    """
    return _outcome(target, ammo, DIE - 1 + contest(position, stand, target, ammo).modifier) != NONE


def _outcome(target: Element, ammo: str, difference: int) -> str:
    return result(AP, difference) if ammo == AP else hesa_result(target, difference)


def shoot(resolution: Resolution[Position], firer: UnitId, target: UnitId, ammo: str, *, moved: bool) -> None:
    """The shot was fired and its result has befallen the target.

    Rules: P8-8.04, P8-8.06, P8-8.07, P8-8.09.
    """
    show(resolution, firer, fires=True)
    position = resolution.position
    element, aimed = position.elements[firer], position.elements[target]
    stand = Stand(element, element.hex, element.facing, moved=moved)
    odds = contest(position, stand, aimed, ammo)
    rule = "P8-8.07" if ammo == AP else "P8-8.06"
    attack, defense = roll_off(resolution, rule, firer, target)
    difference = attack - defense + odds.modifier
    outcome = _outcome(aimed, ammo, difference)
    resolution.emit(
        AttackRolled(ammo, target, attack, defense, difference, outcome, RuleId(rule), firer, lines=odds.lines)
    )
    if has_effect(position, "E05", element.side, firer):
        resolution.emit(EffectSpent("E05", element.side))
    inflict(resolution, target, outcome, element.hex)


# --- orders ---------------------------------------------------------------------------------------------------------


def check_fire(position: Position, side: SideId, order: Fire) -> Refusal | None:
    """Why the element can't fire so, or None."""
    refusal = cannot_act(position, side, order.unit, "fire")
    if refusal is not None:
        return refusal
    target = _enemy(position, side, order.target)
    if isinstance(target, Refusal):
        return target
    element = position.elements[order.unit]
    return (
        cannot_fire(position, element)
        or _no_ammo(order.ammo)
        or no_shot(position, standing(element), target, order.ammo)
    )


def _no_ammo(ammo: str) -> Refusal | None:
    return None if ammo in AMMO else refuse("P8-2.01", f"there is no ammunition {ammo!r}; it is ap or hesa")


def resolve_fire(resolution: Resolution[Position], side: SideId, order: Fire) -> None:
    """The element fired where it stands; the shot is an occasion for the enemy."""
    begin_action(resolution, order.unit, "fire")
    facing = resolution.position.elements[order.unit].facing
    resolution.push(Journey(order.unit, (), facing, "fire", order.target, order.ammo))


def explain_fire(position: Position, side: SideId, order: Fire) -> tuple[Tally, ...]:
    """Both totals of the shot."""
    odds = contest(position, standing(position.elements[order.unit]), position.elements[order.target], order.ammo)
    return odds.attack, odds.defense


def fire_options(position: Position, side: SideId, element: Element) -> Iterator[Fire]:
    """Every shot that an element can take from where it stands."""
    if cannot_act(position, side, element.id, "fire") is not None or cannot_fire(position, element) is not None:
        return
    stand = standing(element)
    for target in targets(position, side):
        for ammo in AMMO:
            if no_shot(position, stand, target, ammo) is None:
                yield Fire(element.id, target.id, ammo)


def check_move_and_fire(position: Position, side: SideId, order: MoveAndFire) -> Refusal | None:
    """Why the element can't go there and fire so, or None.

    Rules: P8-4.06, P8-4.07, P8-6.07.
    """
    refusal = cannot_act(position, side, order.unit, "move and fire")
    if refusal is not None:
        return refusal
    element, target = position.elements[order.unit], _enemy(position, side, order.target)
    if isinstance(target, Refusal):
        return target
    if not 0 <= order.facing < 6:
        return refuse("P8-6.08", "a facing is one of six hexsides, 0 to 5")
    refusal = cannot_fire(position, element) or _no_ammo(order.ammo) or _no_way(position, side, element, order)
    if refusal is not None:
        return refusal
    place = order.path[-1] if order.path else element.hex
    return no_shot(position, Stand(element, place, order.facing, moved=True), target, order.ammo)


def _no_way(position: Position, side: SideId, element: Element, order: MoveAndFire) -> Refusal | None:
    if not order.path:
        same = order.facing == element.facing
        return refuse("P8-4.06", "without moving or turning it simply fires") if same else None
    if kind_of(element).kind in (WEAPON, GUN):
        return refuse("P8-4.07", "a crew-served weapon or gun may turn and fire, not move and fire")
    refusal = cannot_move(position, side, element.id)
    if refusal is not None:
        return refusal
    costs = steps(position, element, order.path, HALF_MOVE, "P8-6.07")
    return costs if isinstance(costs, Refusal) else None


def resolve_move_and_fire(resolution: Resolution[Position], side: SideId, order: MoveAndFire) -> None:
    """The element is on its way and will fire when it arrives."""
    begin_action(resolution, order.unit, "move and fire")
    resolution.push(Journey(order.unit, order.path, order.facing, "move and fire", order.target, order.ammo))


def explain_move_and_fire(position: Position, side: SideId, order: MoveAndFire) -> tuple[Tally, ...]:
    """The way, and both totals of the shot at its end."""
    element = position.elements[order.unit]
    place = order.path[-1] if order.path else element.hex
    odds = contest(
        position, Stand(element, place, order.facing, moved=True), position.elements[order.target], order.ammo
    )
    way = (path_tally(position, element, order.path, HALF_MOVE),) if order.path else ()
    return (*way, odds.attack, odds.defense)


def move_and_fire_options(position: Position, side: SideId, element: Element) -> Iterator[MoveAndFire]:
    """Every shot after at most half a move, or after turning on the spot, facing the target."""
    if cannot_act(position, side, element.id, "move and fire") is not None:
        return
    if cannot_fire(position, element) is not None:
        return
    board = position.ground.board
    far = min(max(fire_range(element, ammo) for ammo in AMMO), visibility(position))
    # whoever is still out of range from wherever the element may get to is not looked at from each of these places
    farthest = far + HALF_MOVE // LEAST_COST
    enemies = [one for one in targets(position, side) if board.distance(element.hex, one.hex) <= farthest]
    if not enemies:
        return
    for place, path in _firing_places(position, side, element):
        for target in enemies:
            if board.distance(place, target.hex) > far:
                continue
            facing = facing_toward(board, place, target.hex)
            if not path and facing == element.facing:
                continue
            stand = Stand(element, place, facing, moved=True)
            for ammo in AMMO:
                if no_shot(position, stand, target, ammo) is None:
                    yield MoveAndFire(element.id, path, facing, target.id, ammo)


def _firing_places(position: Position, side: SideId, element: Element) -> Iterator[tuple[HexId, tuple[HexId, ...]]]:
    """Where an element can stand after half a move, its own hex first."""
    yield element.hex, ()
    kind = kind_of(element).kind
    if kind not in (WEAPON, GUN, SOFT) and cannot_move(position, side, element.id) is None:
        yield from stops(position, element, HALF_MOVE)
