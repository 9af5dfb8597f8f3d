"""Movement: what each step costs, how far an element gets, and the way hex by hex.

Costs are in thirds of a point (see model.py); rules and screens speak of points.

Rules: P8-6.01, P8-6.02, P8-6.03, P8-6.04, P8-6.05, P8-6.06, P8-6.07, P8-6.08, P8-6.09, P8-6.12.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

import msgspec

from sandtable.geometry import Board, Reach, Reacher
from sandtable.geometry.reach import FORBIDDEN, MAY_NOT_ENTER
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer8.actions import begin_action, cannot_act, has_effect, refuse
from sandtable.rulesets.panzer8.cover import side_features
from sandtable.rulesets.panzer8.events import Turned
from sandtable.rulesets.panzer8.frames import Journey
from sandtable.rulesets.panzer8.kinds import GUN, KINDS, ElementKind
from sandtable.rulesets.panzer8.model import THIRDS, Element, Position
from sandtable.rulesets.panzer8.movement_table import BICYCLE_ROAD, BUA_FACTOR, FULL_MOVE, LINEAR, RATES
from sandtable.rulesets.panzer8.orders import Move, Pivot
from sandtable.rulesets.panzer8.pieces import enemy_of
from sandtable.rulesets.panzer8.sight import facing_toward
from sandtable.rulesets.panzer8.stacks import element_at, kind_of, on_table, passengers, table
from sandtable.rulesets.panzer8.terrain import BUILT_UP, FEATURES, HEXSIDES, OPEN, ROUGH
from sandtable.rulesets.panzer8.workings import Gait

MOST_COST = FORBIDDEN - 1
"""A step that costs as much as this, or more, nobody can afford: it can only be the one hex of P8-6.06."""


def points(thirds: int) -> int:
    """Thirds as whole points, as the player pays them: on bicycles 7, 7 and 6 in turn (P8-6.09)."""
    return -(-thirds // THIRDS)


def gait(position: Position, element: Element) -> Gait:
    """The rows that an element moves by; a towed gun slows its tower, other passengers don't (P8-6.10)."""
    kind = kind_of(element)
    towed = any(KINDS[one.kind].kind == GUN for one in passengers(position, element.id))
    rows = (kind.move, "HD") if towed else (kind.move,)
    return Gait(rows, kind.has("bicycle"), has_effect(position, "E19", element.side))


def ground_at(position: Position, place: HexId) -> str:
    """The ground of a hex: in mud open ground is rough (scenario)."""
    ground = FEATURES[position.ground.board.terrain[place]].ground
    return ROUGH if ground == OPEN and position.ground.scenario.sections.mud else ground


def may_stand(board: Board, kind: ElementKind, place: HexId) -> bool:
    """Whether an element of a type could ever have come to a hex: by road, or over ground that is not impassable to it.

    Rules: P8-6.01, P8-6.10.
    """
    ground = FEATURES[board.terrain[place]].ground
    row = RATES["HD" if kind.kind == GUN else kind.move]
    return bool(board.roads[place]) or ground == BUILT_UP or bool(getattr(row, ground))


def step_cost(position: Position, how: Gait, here: HexId, direction: int) -> int | None:
    """What the step from a hex in a direction costs, or None where the ground is impassable or the map ends.

    Rules: P8-6.01, P8-6.02, P8-6.03, P8-6.04, P8-6.05.
    """
    board = position.ground.board
    there = board.neighbor(here, direction)
    if not there:
        return None
    ground, on_road = ground_at(position, there), board.has_road(here, direction)
    rates = [_rate(row, how, ground, on_road) for row in how.rows]
    if 0 in rates:
        return None
    cost = FULL_MOVE // min(rates)
    if ground == BUILT_UP:
        cost *= BUA_FACTOR
    if not on_road and any(HEXSIDES[key].linear for key in side_features(position, here, direction)):
        cost += LINEAR
    return cost


def _rate(row: str, how: Gait, ground: str, on_road: bool) -> int:
    rates = RATES[row]
    if on_road and not how.is_congested:
        return BICYCLE_ROAD if how.on_bicycles else rates.road
    # a built-up hex goes by its open cost, and a road on which all is jammed too (card E19)
    by_ground: int = getattr(rates, OPEN if ground == BUILT_UP or on_road else ground)
    return by_ground


# --- how far --------------------------------------------------------------------------------------------------------


def _costs(position: Position, how: Gait) -> bytes:
    """The cost layer of a gait, made once for the ground and the breaches in it."""
    cache_, key = position.ground.cache, ("costs", how, position.breaches)
    kept = cache_.get(key)
    if kept is None:
        board, layer = position.ground.board, bytearray([FORBIDDEN]) * (8 * position.ground.board.size)
        for place in board.hexes:
            for direction in range(6):
                cost = step_cost(position, how, place, direction)
                if cost is not None:
                    layer[8 * place + direction] = min(cost, MOST_COST)
        kept = cache_[key] = bytes(layer)
    layer_: bytes = kept
    return layer_


def _reacher(position: Position) -> Reacher:
    kept = position.ground.cache.get("reacher")
    if kept is None:
        kept = position.ground.cache["reacher"] = Reacher(position.ground.board)
    reacher: Reacher = kept
    return reacher


def _barred(position: Position, side: SideId) -> bytes:
    """Flags of the hexes that a side may not enter because enemies stand there (P8-1.05)."""

    def make() -> bytes:
        flags = bytearray(position.ground.board.size)
        for one in on_table(position, enemy_of(side)):
            flags[one.hex] = MAY_NOT_ENTER
        return bytes(flags)

    return position.derived.part(f"barred to {side}", (position.elements,), make)


def reach(position: Position, element: Element, allowance: int) -> Reach:
    """The hexes an element can enter for so much; it passes through friends, but may not stop there (P8-6.12)."""
    how = gait(position, element)
    flags = _barred(position, element.side)
    return _reacher(position).reach(element.hex, allowance, _costs(position, how), flags)


def distance_field(position: Position, how: Gait, goals: list[HexId]) -> list[int]:
    """The cost from every hex to the nearest of some goals, -1 where there is no way."""
    flags = bytes(position.ground.board.size)
    return list(_reacher(position).flood(goals, _costs(position, how), flags))


def allowance(position: Position, element: Element) -> int:
    """What an element may spend on a move now: all, or what it has left when it has mounted or dismounted somebody
    (P8-6.10).
    """
    return FULL_MOVE - element.spent if is_going_on(position, element) else FULL_MOVE


def is_going_on(position: Position, element: Element) -> bool:
    """Whether an element that has just mounted or dismounted a passenger may still use the rest of its move."""
    return position.latest == element.id and position.doing == "handle" and element.spent < FULL_MOVE


def cannot_move(position: Position, side: SideId, unit: UnitId) -> Refusal | None:
    """Why an element can't move at all now, or None."""
    refusal = cannot_act(position, side, unit, "move")
    if refusal is not None and refusal.rule == "P8-4.03" and 0 <= unit < len(position.elements):
        element = position.elements[unit]
        if element.side == side and is_going_on(position, element) and not element.suppressed:
            refusal = None
    return refusal or rooted(position, position.elements[unit])


def rooted(position: Position, element: Element) -> Refusal | None:
    """Why an element can't move whatever its side would have it do, or None."""
    if kind_of(element).kind == GUN:
        return refuse("P8-6.10", "a heavy gun never moves by itself")
    if has_effect(position, "E09", element.side, element.id):
        return refuse("P8-13.02", "its engine won't start this turn (card E09)")
    return None


def steps(
    position: Position, element: Element, path: tuple[HexId, ...], most: int, limit: str = "P8-6.02"
) -> list[int] | Refusal:
    """The cost of each step of a path, or why the element can't take it for so much; `limit` is the rule that says so.

    Rules: P8-6.06, P8-6.07, P8-6.12.
    """
    board, how, here = position.ground.board, gait(position, element), element.hex
    costs: list[int] = []
    for place in path:
        if not board.is_on(place) or board.distance(here, place) != 1:
            return refuse("P8-6.01", "a path goes from hex to adjacent hex")
        cost = step_cost(position, how, here, board.direction(here, place))
        if cost is None:
            return refuse("P8-6.01", f"{board.label(place)} is impassable to it")
        other = element_at(position, place)
        if other is not None and other.side != element.side:
            return refuse("P8-1.05", f"an enemy stands in {board.label(place)}")
        costs.append(cost)
        here = place
    if path and here != element.hex and element_at(position, here) is not None:
        return refuse("P8-6.12", f"it may pass through the friend in {board.label(here)}, not stop there")
    if sum(costs) > most and not (len(path) == 1 and most == FULL_MOVE):
        return refuse(limit, f"that costs {points(sum(costs))} points; it has {points(most)}")
    return costs


# --- the order ------------------------------------------------------------------------------------------------------


def check_move(position: Position, side: SideId, order: Move) -> Refusal | None:
    """Why the element can't move so, or None."""
    refusal = cannot_move(position, side, order.unit)
    if refusal is not None:
        return refusal
    if not order.path:
        return refuse("P8-6.01", "a move goes through at least one hex")
    if not 0 <= order.facing < 6:
        return refuse("P8-6.08", "a facing is one of six hexsides, 0 to 5")
    element = position.elements[order.unit]
    limit = "P8-6.10" if is_going_on(position, element) else "P8-6.02"
    costs = steps(position, element, order.path, allowance(position, element), limit)
    return costs if isinstance(costs, Refusal) else None


def resolve_move(resolution: Resolution[Position], side: SideId, order: Move) -> None:
    """The element is on its way; each hex it enters is an occasion for the enemy."""
    position = resolution.position
    if not is_going_on(position, position.elements[order.unit]):
        begin_action(resolution, order.unit, "move")
    resolution.push(Journey(order.unit, order.path, order.facing))


def explain_move(position: Position, side: SideId, order: Move) -> tuple[Tally, ...]:
    """What each hex of the path costs."""
    element = position.elements[order.unit]
    return (path_tally(position, element, order.path, allowance(position, element)),)


def path_tally(position: Position, element: Element, path: tuple[HexId, ...], most: int) -> Tally:
    """The points that a path costs, hex by hex."""
    board, here, lines, spent = position.ground.board, element.hex, [], 0
    how = gait(position, element)
    for place in path:
        direction = board.direction(here, place)
        cost = step_cost(position, how, here, direction) or 0
        word = "road" if board.has_road(here, direction) else FEATURES[board.terrain[place]].title.lower()
        rule = "P8-6.03" if board.has_road(here, direction) else "P8-6.02"
        # whole points are charged so that the sum is always right (P8-6.09)
        lines.append(Line(f"{board.label(place)} {word}", points(spent + cost) - points(spent), RuleId(rule)))
        spent += cost
        here = place
    if spent > most:
        lines.append(Line("one hex is always possible with a whole move", points(most), RuleId("P8-6.06")))
        spent = most
    return Tally(f"Movement points of {points(most)}", points(spent), tuple(lines))


def stops(
    position: Position, element: Element, most: int, among: Container[HexId] | None = None
) -> Iterator[tuple[HexId, tuple[HexId, ...]]]:
    """The empty hexes, of some or of all, that an element can end a move of so much in, each with a cheapest way; with
    a whole move always the adjacent ones that are not impassable.
    """
    found = reach(position, element, most)
    for place in _places_to_stop(position, element, most, found):
        if among is None or place in among:
            yield place, _way(found, place)


def _places_to_stop(position: Position, element: Element, most: int, found: Reach) -> list[HexId]:
    taken = table(position).by_hex
    places = [place for place in found.hexes[1:] if place not in taken]
    if most < FULL_MOVE:
        return places
    costs = _costs(position, gait(position, element))
    for direction, place in enumerate(position.ground.board.neighbor_table[element.hex]):
        # whatever costs no more is in reach already, unless somebody is there
        is_dear = FULL_MOVE < costs[8 * element.hex + direction] <= MOST_COST
        if is_dear and place not in taken and place not in found.hexes:
            places.append(HexId(place))
    return places


def _way(found: Reach, place: HexId) -> tuple[HexId, ...]:
    """A cheapest way to a place; to an adjacent one out of reach it is the one step (P8-6.06)."""
    try:
        return tuple(map(HexId, found.path_to(place)))
    except KeyError:
        return (place,)


def move_options(position: Position, side: SideId, element: Element) -> Iterator[Move]:
    """A cheapest way to every hex in reach, facing the nearest enemy there."""
    if cannot_move(position, side, element.id) is not None:
        return
    for place, path in stops(position, element, allowance(position, element)):
        yield Move(element.id, path, usual_facing(position, element, place))


def move_offers(position: Position, side: SideId, element: Element) -> Iterator[Move]:
    """The same, with every facing it may end in (P8-6.08)."""
    for order in move_options(position, side, element):
        for turn in range(6):
            yield msgspec.structs.replace(order, facing=(order.facing + turn) % 6)


def pick_move(position: Position, side: SideId, element: Element, dice: PromptDice) -> Move | None:
    """A move to a random hex in reach, or None when there is none."""
    if cannot_move(position, side, element.id) is not None:
        return None
    most = allowance(position, element)
    found = reach(position, element, most)
    places = _places_to_stop(position, element, most, found)
    if not places:
        return None
    path = _way(found, places[dice.below(len(places))])
    return Move(element.id, path, dice.below(6))


def usual_facing(position: Position, element: Element, place: HexId) -> int:
    """The way an element would face in a hex: toward the nearest enemy it knows of, or as it does now."""
    board, enemies = position.ground.board, on_table(position, enemy_of(element.side))
    if not enemies:
        return element.facing
    nearest = min(enemies, key=lambda one: (board.distance(place, one.hex), one.id))
    return facing_toward(board, place, nearest.hex) if nearest.hex != place else element.facing


# --- turning on the spot ----------------------------------------------------------------------------------------------


def check_pivot(position: Position, side: SideId, order: Pivot) -> Refusal | None:
    """Why the element can't turn so, or None (P8-4.06)."""
    refusal = cannot_act(position, side, order.unit, "pivot")
    if refusal is not None:
        return refusal
    if not 0 <= order.facing < 6 or order.facing == position.elements[order.unit].facing:
        return refuse("P8-4.06", "it turns to another of the six hexsides, 0 to 5")
    return None


def resolve_pivot(resolution: Resolution[Position], side: SideId, order: Pivot) -> None:
    """The element faces another way; nobody reacts to that."""
    begin_action(resolution, order.unit, "pivot")
    resolution.emit(Turned(order.unit, order.facing))


def pivot_options(position: Position, side: SideId, element: Element) -> Iterator[Pivot]:
    """Every other facing."""
    if check_pivot(position, side, Pivot(element.id, (element.facing + 1) % 6)) is None:
        for turn in range(1, 6):
            yield Pivot(element.id, (element.facing + turn) % 6)
