"""Infantry against armor at arm's length.

Rules: P8-10.01, P8-10.02, P8-10.03, P8-10.04.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, refuse, show
from sandtable.rulesets.panzer8.cover import is_in_cover
from sandtable.rulesets.panzer8.events import AttackRolled
from sandtable.rulesets.panzer8.frames import Journey
from sandtable.rulesets.panzer8.kinds import ARMOR, ENGINEERS, INFANTRY
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.movement import cannot_move, path_tally, steps, stops
from sandtable.rulesets.panzer8.movement_table import HALF_MOVE, LEAST_COST
from sandtable.rulesets.panzer8.orders import TankHunt
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.result_tables import RESULTS
from sandtable.rulesets.panzer8.results import FALL_BACK, NONE, inflict, line, result, roll_off, tally
from sandtable.rulesets.panzer8.sight import facing_toward, is_flanked
from sandtable.rulesets.panzer8.stacks import kind_of, on_table
from sandtable.rulesets.panzer8.workings import Contest

MOST_DEFENSE = 4
"""More than this a vehicle's Def is not worth against tank hunters (P8-10.03)."""

CONTACT = 1
"""How near a hunter or an attacker must be, in hexes: our reading of contact (P8-10.01, P8-11.01)."""


def hunt_contest(position: Position, hunter: Element, place: HexId, target: Element) -> Contest:
    """The totals of a hunt from a hex, before the dice.

    Rules: P8-10.02, P8-10.03.
    """
    kind, what = kind_of(hunter), kind_of(target)
    attack = [
        line("tank-hunting value", kind.tank_hunting, "P8-10.02"),
        line("the target is in cover or smoke", int(is_in_cover(position, target, place)), "P8-10.02"),
        line("engineers", 2 * int(kind.kind == ENGINEERS), "P8-10.02"),
        line("not to its front", int(is_flanked(position.ground.board, target, place)), "P8-7.05"),
        line("open-topped", int(what.has("open")), "P8-10.02"),
        line("no machine gun", int(what.has("nomg")), "P8-10.02"),
        line("quality of the hunters", hunter.quality, "P8-2.04"),
    ]
    defense = [
        line(f"Def, at most {MOST_DEFENSE}", min(what.defense, MOST_DEFENSE), "P8-10.03"),
        line("quality of the target", target.quality, "P8-2.04"),
    ]
    return Contest(tally("Hunters", attack), tally("Target", defense))


def check_hunt(position: Position, side: SideId, order: TankHunt) -> Refusal | None:
    """Why the element can't hunt that vehicle, or None."""
    refusal = cannot_act(position, side, order.unit, "tank hunt")
    if refusal is not None:
        return refusal
    element = position.elements[order.unit]
    if kind_of(element).kind not in (INFANTRY, ENGINEERS):
        return refuse("P8-10.01", "only infantry and engineers hunt tanks")
    if not 0 <= order.target < len(position.elements):
        return refuse("P8-10.01", "there is no such target")
    target = position.elements[order.target]
    if target.side == side or not target.hex or kind_of(target).kind != ARMOR or target.carrier >= 0:
        return refuse("P8-10.01", "tank hunters attack an enemy armored vehicle")
    return no_approach(position, side, element, order.path, HALF_MOVE, "P8-10.01") or out_of_contact(
        position, order.path[-1] if order.path else element.hex, target, "P8-10.01"
    )


def no_approach(
    position: Position, side: SideId, element: Element, path: tuple[HexId, ...], most: int, limit: str
) -> Refusal | None:
    """Why an element can't go there first for so much, or None; `limit` is the rule that allows so much."""
    if not path:
        return None
    refusal = cannot_move(position, side, element.id)
    if refusal is not None:
        return refusal
    costs = steps(position, element, path, most, limit)
    return costs if isinstance(costs, Refusal) else None


def out_of_contact(position: Position, place: HexId, target: Element, rule: str) -> Refusal | None:
    """Why an element in a hex is not in contact with a target, or None (P8-10.01, P8-11.01, P8-11.07)."""
    near = position.ground.board.distance(place, target.hex) <= CONTACT
    return None if near else refuse(rule, "it does not get next to the target")


def resolve_hunt(resolution: Resolution[Position], side: SideId, order: TankHunt) -> None:
    """The hunters are on their way to the vehicle."""
    begin_action(resolution, order.unit, "tank hunt")
    position = resolution.position
    element, board = position.elements[order.unit], position.ground.board
    place = order.path[-1] if order.path else element.hex
    facing = facing_toward(board, place, position.elements[order.target].hex)
    resolution.push(Journey(order.unit, order.path, facing, "hunt", order.target))


def hunt(resolution: Resolution[Position], hunter: UnitId, target: UnitId) -> None:
    """The hunt was fought: the vehicle is harmed, or the hunters fall back.

    Rules: P8-10.04.
    """
    show(resolution, hunter, fires=True)
    position = resolution.position
    element, aimed = position.elements[hunter], position.elements[target]
    odds = hunt_contest(position, element, element.hex, aimed)
    attack, defense = roll_off(resolution, "P8-10.04", hunter, target)
    difference = attack - defense + odds.modifier
    outcome = result("hunt", difference)
    backfire = FALL_BACK if difference < RESULTS["hunt"].no_effect else NONE
    resolution.emit(
        AttackRolled(
            "hunt", target, attack, defense, difference, outcome, RuleId("P8-10.04"), hunter, backfire, odds.lines
        )
    )
    inflict(resolution, target, outcome, element.hex)
    inflict(resolution, hunter, backfire, aimed.hex)


def explain_hunt(position: Position, side: SideId, order: TankHunt) -> tuple[Tally, ...]:
    """The way, and both totals."""
    element, target = position.elements[order.unit], position.elements[order.target]
    place = order.path[-1] if order.path else element.hex
    odds = hunt_contest(position, element, place, target)
    way = (path_tally(position, element, order.path, HALF_MOVE),) if order.path else ()
    return (*way, odds.attack, odds.defense)


def hunt_options(position: Position, side: SideId, element: Element) -> Iterator[TankHunt]:
    """Every hunt in reach, from each hex beside the vehicle."""
    if kind_of(element).kind not in (INFANTRY, ENGINEERS):
        return
    if cannot_act(position, side, element.id, "tank hunt") is not None:
        return
    armor = [one for one in on_table(position, enemy_of(side)) if kind_of(one).kind == ARMOR]
    for target, path in approaches(position, side, element, armor, HALF_MOVE):
        yield TankHunt(element.id, target.id, path)


def approaches(
    position: Position, side: SideId, element: Element, enemies: Sequence[Element], most: int
) -> Iterator[tuple[Element, tuple[HexId, ...]]]:
    """Each of some enemies with every hex beside it that an element can get to for so much, where it stands first."""
    board, distance = position.ground.board, position.ground.board.distance
    near = [one for one in enemies if distance(one.hex, element.hex) <= CONTACT + most // LEAST_COST]
    if not near:
        return
    for one in near:
        if distance(one.hex, element.hex) <= CONTACT:
            yield one, ()
    if cannot_move(position, side, element.id) is not None:
        return
    beside = {place for one in near for place in board.within(one.hex, CONTACT)}
    for place, path in stops(position, element, most, beside):
        for one in near:
            if distance(one.hex, place) <= CONTACT:
                yield one, path
