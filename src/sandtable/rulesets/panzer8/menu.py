"""How a player meets the orders of PANZER8: who acts, what pointing at the map means, and a few words beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import View
from sandtable.kernel.trace import Tally
from sandtable.play.rows import Actors, Aim, Label
from sandtable.rulesets.panzer8 import close_combat, fire, movement, reactions, setup, support, tank_hunting
from sandtable.rulesets.panzer8 import orders as o
from sandtable.rulesets.panzer8.actions import cannot_act, is_able, refuse
from sandtable.rulesets.panzer8.describe import FACINGS, element_name, place_name
from sandtable.rulesets.panzer8.kinds import ENGINEERS
from sandtable.rulesets.panzer8.model import RESERVE, SETUP, Element, Position
from sandtable.rulesets.panzer8.movement_table import FULL_MOVE
from sandtable.rulesets.panzer8.sight import facing_toward
from sandtable.rulesets.panzer8.stacks import element_at, kind_of, on_table, passengers

ACTION, COMBAT = "action", "close combat"
AMMO = {"ap": "AP", "hesa": "HE or small arms"}

# --- who acts -------------------------------------------------------------------------------------------------------


def elements_in(position: Position, side: SideId, step: str) -> list[Element]:
    """The side's elements that could have something to do."""
    if step == SETUP:
        return setup.placed_by(position, side)
    if step == COMBAT:
        return [position.elements[id] for id in dict.fromkeys(combat.attacker for combat in position.combats)]
    return list(on_table(position, side))


def picked_elements(position: Position, ids: tuple[UnitId, ...]) -> list[Element]:
    """The elements among picked pieces."""
    there = (position.elements[id] for id in ids if 0 <= id < len(position.elements))
    return [one for one in there if one.hex or one.fate == RESERVE]


def likely(position: Position, side: SideId, step: str) -> list[Element]:
    """The side's elements that have an action left."""
    if step == SETUP:
        return [one for one in position.elements if one.side == side and setup.awaits_place(one)]
    if step != ACTION:
        return elements_in(position, side, step)
    return [one for one in on_table(position, side) if is_able(position, one)]


def idle(position: Position, side: SideId, step: str) -> list[Element]:
    """The elements of whom a player is reminded before he ends a phase; a set-up ends when all have a place."""
    return [] if step == SETUP else likely(position, side, step)


ELEMENTS: Actors[Position] = Actors(elements_in, picked_elements)


def is_kind(*kinds: str) -> Callable[[Position, Element], bool]:
    """The verb is for elements of these kinds."""
    return lambda position, element: kind_of(element).kind in kinds


def has_flag(flag: str) -> Callable[[Position, Element], bool]:
    """The verb is for elements with this flag."""
    return lambda position, element: kind_of(element).has(flag)


def is_armed(position: Position, element: Element) -> bool:
    return bool(kind_of(element).ap or kind_of(element).hesa)


def is_suppressed(position: Position, element: Element) -> bool:
    return element.suppressed


def carries(position: Position, element: Element) -> bool:
    return bool(passengers(position, element.id))


def has_engineering(position: Position, element: Element) -> bool:
    return position.ground.options.engineering and kind_of(element).kind == ENGINEERS


def barred(action: str) -> Callable[[Position, SideId, Element], Refusal | None]:
    """What in the element itself stands in the way of an action."""
    return lambda position, side, element: cannot_act(position, side, element.id, action)


# --- pointing -------------------------------------------------------------------------------------------------------

Point = Callable[[Position, SideId, Sequence[Any], Selection], Order | Refusal]


def end_title(view: View[Position]) -> str:
    """What is ended by it."""
    return "End the set-up" if view.position.step == SETUP else "End the Action phase"


def unplaced(position: Position, side: SideId, nobody: None) -> Refusal | None:
    """Who keeps a set-up from ending."""
    return setup.check_end(position, side, o.EndPhase())


def at_enemy(make: Callable[[Position, Element, Element], Order]) -> Point:
    """An order aimed at the enemy who stands where one points."""

    def point(position: Position, side: SideId, elements: Sequence[Element], target: Selection) -> Order | Refusal:
        there = element_at(position, target.hex)
        if there is None or there.side == side:
            return refuse("P8-8.10", "no enemy is seen there")
        if target.units and there.id not in target.units:
            return refuse("P8-6.11", "who is carried shares the fate of the carrier, which is the target")
        return make(position, elements[0], there)

    return point


def in_place(make: Callable[[Element], Order]) -> Point:
    """An order that an element carries out where it stands."""

    def point(position: Position, side: SideId, elements: Sequence[Element], target: Selection) -> Order | Refusal:
        if target.hex != elements[0].hex:
            return refuse("P8-4.06", "an element does that where it stands")
        return make(elements[0])

    return point


def at_hex(make: Callable[[Position, Element, HexId], Order]) -> Point:
    """An order aimed at a hex."""
    return lambda position, side, elements, target: make(position, elements[0], target.hex)


def of_side(make: Callable[[], Order]) -> Point:
    """An order that is aimed at nothing."""
    return lambda position, side, actors, target: make()


def best_ammo(position: Position, element: Element, target: Element) -> str:
    """The ammunition that an element would use: AP against armor where it has any."""
    return fire.AP if kind_of(element).ap and kind_of(target).is_vehicle else fire.HESA


def way(position: Position, element: Element, place: HexId) -> tuple[HexId, ...]:
    """A cheapest way to a hex in reach, else straight at it."""
    found = movement.reach(position, element, FULL_MOVE)
    if found.cost(place) > 0:
        return tuple(map(HexId, found.path_to(place)))
    return position.ground.board.line(element.hex, place)[1:]


def to_contact(position: Position, element: Element, target: Element) -> tuple[HexId, ...]:
    """A way to a hex beside a target, none when it is there."""
    if position.ground.board.distance(element.hex, target.hex) <= tank_hunting.CONTACT:
        return ()
    return way(position, element, target.hex)[:-1]


def toward(position: Position, element: Element, place: HexId) -> int:
    return facing_toward(position.ground.board, element.hex, place)


def pivot_to(position: Position, side: SideId, elements: Sequence[Element], target: Selection) -> Order | Refusal:
    """One points at the hex that is to be faced."""
    element = elements[0]
    if position.ground.board.distance(element.hex, target.hex) != 1:
        return refuse("P8-4.06", "point at the adjacent hex that it is to face")
    return o.Pivot(element.id, toward(position, element, target.hex))


def mount_at(position: Position, side: SideId, elements: Sequence[Element], target: Selection) -> Order | Refusal:
    there = element_at(position, target.hex)
    if there is None:
        return refuse("P8-6.10", "there is nobody to take aboard")
    return o.Mount(elements[0].id, there.id)


def clear_at(position: Position, element: Element, place: HexId) -> Order:
    board = position.ground.board
    if place in position.mines or not board.is_on(place) or board.distance(element.hex, place) != 1:
        return o.Clear(element.id, place)
    return o.Clear(element.id, element.hex, board.direction(element.hex, place))


def call_at(position: Position, element: Element, place: HexId) -> Order:
    ready = [one.kind for one in position.batteries if one.side == element.side and one.left]
    return o.CallBattery(element.id, ready[0] if ready else "", place)


# --- a few words ----------------------------------------------------------------------------------------------------


Explain = Callable[[Position, SideId, Any], tuple[Tally, ...]]


def ahead(position: Position, side: SideId, order: Any, explain: Explain) -> str:
    """The difference of both totals before the dice, the number all odds hang on (P8-8.05)."""
    attack, defense = explain(position, side, order)[-2:]
    return f"{int(attack.total) - int(defense.total):+d}"


def contest_label(explain: Explain) -> Callable[[Position, SideId, Any], Label]:
    """By how much the attacker is ahead, and from where it attacks."""

    def label(position: Position, side: SideId, order: Any) -> Label:
        number, path = ahead(position, side, order, explain), getattr(order, "path", ())
        place = path[-1] if path else position.elements[order.unit].hex
        return Label(f"{number} before the dice", number, f"{number}, from {place_name(position, place)}")

    return label


def ammo_label(explain: Explain) -> Callable[[Position, SideId, Any], Label]:
    """By how much a shot is ahead, with which ammunition, by whom and from where."""

    def label(position: Position, side: SideId, order: Any) -> Label:
        number, path = ahead(position, side, order, explain), getattr(order, "path", ())
        place = path[-1] if path else position.elements[order.unit].hex
        where = f" from {place_name(position, place)}" if path else ""
        choice = f"{AMMO[order.ammo]} by {element_name(position, order.unit)}{where}, {number}"
        return Label(f"{number} {AMMO[order.ammo]}", number, choice)

    return label


def move_label(position: Position, side: SideId, order: o.Move) -> Label:
    """What is left of the move, and the way the element then faces."""
    element = position.elements[order.unit]
    most = movement.allowance(position, element)
    left = movement.points(most) - int(movement.path_tally(position, element, order.path, most).total)
    return Label(f"{left} points left", str(left), f"facing {FACINGS[order.facing]}, {left} points left")


def facing_label(position: Position, side: SideId, order: Any) -> Label:
    """The way one turns."""
    return Label(FACINGS[order.facing], "", f"face {FACINGS[order.facing]}")


def battery_label(position: Position, side: SideId, order: o.CallBattery) -> Label:
    name = battery_name(order.battery) + (f", {AMMO[order.ammo]}" if order.ammo == support.AP else "")
    return Label(name, "", name)


def move_aim(position: Position, order: o.Move) -> Aim:
    """A move is aimed at its last hex, and then at the hex that is faced from there."""
    place = order.path[-1] if order.path else position.elements[order.unit].hex
    ahead_of = HexId(position.ground.board.neighbor(place, order.facing % 6))
    return Aim(place, side=order.facing, path=order.path, actors=(order.unit,), then=ahead_of)


def place_aim(position: Position, order: o.PlaceElement) -> Aim:
    """An element is set up in a hex, and then looks at one beside it."""
    ahead_of = HexId(position.ground.board.neighbor(order.hex, order.facing % 6)) if order.hex else order.hex
    return Aim(order.hex, side=order.facing, actors=(order.unit,), then=ahead_of)


def led(position: Position, side: SideId, element: Element, places: tuple[HexId, ...]) -> Iterator[o.Move]:
    """The move that goes by way of some hexes to the last of them."""
    path, here = list[HexId](), element
    for place in places:
        leg = way(position, here, place)
        path += leg
        here = msgspec.structs.replace(element, hex=place)
    if path:
        yield o.Move(element.id, tuple(path), movement.usual_facing(position, element, path[-1]))


def target_aim(position: Position, order: Any) -> Aim:
    """The order is aimed at an enemy, perhaps after a move."""
    target = position.elements[order.target]
    return Aim(target.hex, (target.id,), path=getattr(order, "path", ()), actors=(order.unit,))


def facing_aim(position: Position, order: Any) -> Aim:
    """Turning is aimed at the hex one faces."""
    element = position.elements[order.unit]
    # at the edge of the map there may be no hex to face
    place = position.ground.board.neighbor(element.hex, order.facing) or element.hex
    return Aim(HexId(place), side=order.facing, actors=(order.unit,))


def clear_aim(position: Position, order: o.Clear) -> Aim:
    if order.direction < 0:
        return Aim(order.hex, actors=(order.unit,))
    place = position.ground.board.neighbor(order.hex, order.direction)
    return Aim(HexId(place), side=order.direction, actors=(order.unit,))


def after_moving(position: Position, path: tuple[HexId, ...]) -> str:
    return f" from {place_name(position, path[-1])}" if path else ""


def reaction_aim(position: Position, order: Any) -> Aim:
    """A reaction is aimed at what gave the occasion."""
    cause = position.elements[reactions.occasion_of(position).unit]
    return Aim(cause.hex, (cause.id,), actors=(order.unit,))


def opening_aim(position: Position, order: Any) -> Aim:
    opening = close_combat.opening_of(position)
    return Aim(opening.hex, side=getattr(order, "facing", None), actors=(opening.unit,))


def fight_aim(position: Position, order: o.Fight) -> Aim:
    combat = close_combat.combat_of(position, order.unit, order.target)
    if combat is None:
        return Aim()
    defender = position.elements[combat.defender]
    return Aim(defender.hex, (defender.id,), actors=(order.unit,))


def fight_words(position: Position, order: o.Fight) -> str:
    combat = close_combat.combat_of(position, order.unit, order.target)
    against = element_name(position, combat.defender) if combat else "nobody"
    return f"{element_name(position, order.unit)} fights {against}"


def only_occasion(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    return refuse("P8-5.03", "one reacts to the element that gave the occasion")


def point_card_element(position: Position, side: SideId, nobody: Sequence[Any], target: Selection) -> Order | Refusal:
    there = element_at(position, target.hex)
    return refuse("P8-13.02", "there is no element there") if there is None else o.ChooseElement(there.id)


def battery_name(key: str) -> str:
    """A battery in words."""
    found = support.SUPPORT.get(key)
    return found.name.lower() if found else "a battery"


def clear_words(position: Position, order: o.Clear) -> str:
    if order.direction < 0:
        what = f"the mines in {place_name(position, order.hex)}"
    else:
        what = f"the obstacle to the {FACINGS[order.direction % 6]}"
    return f"{element_name(position, order.unit)} clears {what}"
