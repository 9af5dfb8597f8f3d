"""Who may move, how far, and along which paths.

A path is judged over the same costs and flags that `reach` searches, and a journey is walked over them, so the three
agree. Movement points are counted in halves.

Rules: PB3-404, PB3-509, PB3-601, PB3-602, PB3-603, PB3-604, PB3-606, PB3-622.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.geometry.reach import ALTERNATE, FORBIDDEN, MAY_NOT_ENTER, MUST_STOP, Reach
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, RuleId, SideId, UnitId
from sandtable.rulesets.panzerblitz_3d.costs import flags, layers, reacher
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS, KINDS, VEHICLES
from sandtable.rulesets.panzerblitz_3d.model import Mover, Position, Unit
from sandtable.rulesets.panzerblitz_3d.stacks import has_enemy, has_room, kind, own_unit, units_at
from sandtable.rulesets.panzerblitz_3d.terrain import GREEN, ground_of, is_closed
from sandtable.rulesets.panzerblitz_3d.workings import Terms

VEHICLE_STEP, FOOT_STEP = "vehicle movement", "foot movement"


def step_of(unit: Unit) -> str:
    """The step in which a unit moves: vehicles before the others (PB3-509)."""
    return VEHICLE_STEP if unit.kind in VEHICLES else FOOT_STEP


def account(position: Position, unit: Unit) -> Mover | None:
    """The account of the unit if it is the one that is moving."""
    mover = position.mover
    return mover if mover is not None and mover.unit == unit.id else None


def moving_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit can't move in this player turn, or None; the step is not asked.

    Rules: PB3-601, PB3-603, PB3-622, PB3-902, PB3-1101, PB3-1606.
    """
    name = kind(unit).name
    if not kind(unit).movement:
        return Refusal(RuleId("PB3-603"), f"{name} does not move by itself")
    if unit.carrier != NOBODY:
        return Refusal(RuleId("PB3-622"), f"{name} rides")
    if unit.fort != NOBODY:
        return Refusal(RuleId("PB3-1606"), f"{name} is inside a fort")
    if unit.fired:
        return Refusal(RuleId("PB3-601"), f"{name} has fired in this game turn")
    if unit.dispersed:
        return Refusal(RuleId("PB3-902"), f"{name} is dispersed")
    if unit.of_assigned:
        return Refusal(RuleId("PB3-1101"), f"{name} is assigned to opportunity fire")
    if unit.unloaded:
        return Refusal(RuleId("PB3-622"), f"{name} was unloaded in this player turn")
    if unit.moved:
        return Refusal(RuleId("PB3-601"), f"{name} has finished its move")
    return None


def cannot_move(position: Position, side: SideId, id: UnitId) -> Refusal | None:
    """Why there is no unit of that number that the side can move in the open step, or None."""
    unit = own_unit(position, side, id)
    if unit is None:
        return Refusal(RuleId("PB3-601"), "there is no such unit of yours on the table")
    if position.step != step_of(unit):
        return Refusal(RuleId("PB3-509"), "vehicles move first, all others after them")
    return moving_refusal(position, unit)


def terms(position: Position, unit: Unit, *, roads: bool = True) -> Terms:
    """The terms on which a unit moves now; an overrun is driven without roads (PB3-1002)."""
    layer, now = layers(position.ground, unit.kind), account(position, unit)
    left = 2 * KINDS[unit.kind].movement - (0 if now is None else now.spent)
    fresh = now is None or not now.hexes
    costs = layer.road if roads else layer.plain
    return Terms(costs, layer.plain, flags(position, unit.side), left, fresh, _home(position, unit))


def _home(position: Position, unit: Unit) -> HexId:
    """The hex of a unit that stands there with nobody but its passenger, and with no wreck (PB3-604)."""
    others = [one for one in units_at(position, unit.hex) if unit.id not in (one.id, one.carrier)]
    is_alone = unit.hex not in position.wrecks and all(one.kind in FORTS for one in others)
    return unit.hex if is_alone else NOWHERE


class Step(NamedTuple):
    """One hex of a path: its cost, and whether that is the road rate."""

    place: HexId
    cost: int
    by_road: bool


def price(position: Position, now: Terms, here: HexId, place: HexId) -> int:
    """What the step to the next hex costs on these terms, FORBIDDEN where it may not be taken off or on the road."""
    at = 8 * here + position.ground.board.neighbor_table[here].index(place)
    is_shared = now.flags[place] & ALTERNATE and place != now.home
    return now.alternate[at] if is_shared else now.costs[at]


def steps(position: Position, unit: Unit, path: Sequence[HexId], now: Terms) -> Iterator[Step]:
    """A path that the unit can go on these terms, step by step."""
    here, table = unit.hex, position.ground.board.neighbor_table
    for place in path:
        cost = price(position, now, here, place)
        yield Step(place, cost, cost < now.alternate[8 * here + table[here].index(place)])
        here = place


def cannot_go(
    position: Position, unit: Unit, path: Sequence[HexId], now: Terms, through: HexId = NOWHERE
) -> Refusal | None:
    """Why the unit can't go along a path on these terms, or None; `through` is a hex it is to overrun.

    Rules: PB3-404, PB3-602, PB3-603, PB3-604, PB3-606, PB3-1606.
    """
    board, table = position.ground.board, position.ground.board.neighbor_table
    here, left = unit.hex, now.left
    for n, place in enumerate(path):
        if not place or place not in table[here]:
            return Refusal(RuleId("PB3-602"), "a path goes from each hex to one beside it on the map")
        if n and now.flags[here] & MUST_STOP:
            return Refusal(RuleId("PB3-1606"), f"it must stop in {board.label(here)}")
        if now.flags[place] & MAY_NOT_ENTER and place != through:
            return Refusal(RuleId("PB3-606"), f"an enemy holds {board.label(place)}")
        cost = price(position, now, here, place)
        if cost == FORBIDDEN:
            return why_forbidden(position, unit, here, place)
        left -= cost
        if left < 0 and not (now.fresh and len(path) == 1):
            return Refusal(RuleId("PB3-602"), f"not enough movement points to reach {board.label(place)}")
        here = place
    if here != unit.hex and not has_room(position, here, unit.side):
        return Refusal(RuleId("PB3-404"), f"{board.label(here)} is full")
    return None


def why_forbidden(position: Position, unit: Unit, here: HexId, place: HexId) -> Refusal:
    """The reason why a unit may not take a step that no enemy bars.

    Rules: PB3-205, PB3-210, PB3-604, PB3-607.
    """
    board, name = position.ground.board, kind(unit).name
    d, label = board.direction(here, place), board.label(place)
    closed = is_closed(board, place)
    denied = "; the road rate is not to be had there" if board.has_road(here, d) and not closed else ""
    if GREEN in board.side_features(here, d) and unit.kind in VEHICLES:
        return Refusal(RuleId("PB3-210"), f"{name} crosses the green side into {label} only along a road{denied}")
    rule = "PB3-607" if closed else "PB3-604" if denied else "PB3-205"
    return Refusal(RuleId(rule), f"{ground_of(board, place).title.lower()} in {label} is forbidden to {name}{denied}")


def reach(position: Position, unit: Unit, now: Terms) -> Reach:
    """Every hex that the unit can come through on these terms with its cost, full ones included."""
    return reacher(position.ground).reach(unit.hex, max(0, now.left), now.costs, now.flags, now.alternate)


def ways(position: Position, unit: Unit) -> dict[HexId, tuple[HexId, ...]]:
    """A cheapest way to every hex where the unit may end its move: within its allowance, and when it has not moved yet
    to any hex beside it whatever that costs.

    Rules: PB3-404, PB3-603.
    """
    now = terms(position, unit)
    if now.left <= 0:
        return {}
    found, side = reach(position, unit, now), unit.side
    made = {
        HexId(h): tuple(map(HexId, found.path_to(h))) for h in found.hexes[1:] if has_room(position, HexId(h), side)
    }
    if now.fresh:
        for near in map(HexId, position.ground.board.neighbors(unit.hex)):
            if near not in made and cannot_go(position, unit, (near,), now) is None:
                made[near] = (near,)
    return made


def is_barred(position: Position, unit: Unit, place: HexId) -> bool:
    """Whether an enemy bars the hex to a unit (PB3-606)."""
    return has_enemy(position, place, unit.side)
