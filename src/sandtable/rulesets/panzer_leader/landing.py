"""Landings from the sea: placing units off the beach, the swim of DD tanks, coming ashore.

A landing unit waits in reserve with an arrival whose hexes are sea. At the end of its side's segment, from its turn of
arrival on, it is placed at sea; in the next movement of its side it lands or is lost.

Rules: PL-1401, PL-1403, PL-1404, PL-1405, PL-1406.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.content import Reinforcement
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import NOBODY, HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_leader.combat import destroy, disperse, is_at_sea, reveal
from sandtable.rulesets.panzer_leader.events import DieCast, UnitLanded, UnitPlaced
from sandtable.rulesets.panzer_leader.ground import has_sea
from sandtable.rulesets.panzer_leader.model import RESERVE, Position, Unit
from sandtable.rulesets.panzer_leader.orders import PlaceUnit
from sandtable.rulesets.panzer_leader.stacks import active, counters_at, is_outside, kind, side_at, units_at

PLACING, STAYING, ORDER, DISPERSED, SWIMMING = map(RuleId, ("PL-1401", "PL-1403", "PL-1404", "PL-1405", "PL-1406"))


def is_sea(position: Position, place: HexId) -> bool:
    """Whether a hex is sea."""
    return position.ground.board.terrain[place] == "sea"


def is_off_beach(position: Position, place: HexId) -> bool:
    """Whether a hex is sea next to a beach, where landing units are placed (PL-1401)."""
    board = position.ground.board
    return is_sea(position, place) and any(board.terrain[shore] == "beach" for shore in board.neighbors(place))


def sea_arrivals(position: Position) -> dict[str, Reinforcement]:
    """The arrivals of the scenario that are landings, by the scenario's name of the unit."""
    cache = position.ground.cache
    if "sea arrivals" not in cache:
        cache["sea arrivals"] = {
            entry.id: entry.arrival
            for entry in position.ground.scenario.units
            if entry.arrival is not None and all(is_sea(position, HexId(place)) for place in entry.arrival.hexes)
        }
    found: dict[str, Reinforcement] = cache["sea arrivals"]
    return found


def landing_of(position: Position, unit: Unit) -> Reinforcement | None:
    """When and where the unit is to be placed at sea; None for a unit that does not wait to land."""
    if unit.fate != RESERVE or unit.carrier != NOBODY:
        return None
    return sea_arrivals(position).get(unit.name)


def may_place(position: Position) -> bool:
    """Whether the phasing side has a landing unit whose turn has come and a sea hex for it."""
    if not sea_arrivals(position):
        return False
    side = position.phasing
    return any(True for unit in position.units for _ in placement_options(position, side, unit))


def check_landing_place(position: Position, side: SideId, order: PlaceUnit) -> Refusal | None:
    """A landing unit is placed from its turn on, alone in one of its sea hexes next to a beach.

    Rules: PL-1401.
    """
    if not 0 <= order.unit < len(position.units) or position.units[order.unit].side != side:
        return Refusal(PLACING, "there is no such unit of yours")
    arrival = landing_of(position, position.units[order.unit])
    if arrival is None:
        return Refusal(PLACING, "the unit does not wait to land")
    if arrival.turn > position.turn:
        return Refusal(PLACING, f"the unit is placed from turn {arrival.turn} on")
    if order.hex not in arrival.hexes:
        return Refusal(PLACING, "that is not one of its sea hexes")
    if not is_off_beach(position, order.hex):
        return Refusal(PLACING, "that sea hex is not next to a beach")
    if units_at(position, order.hex):
        return Refusal(PLACING, "a sea hex holds one unit")
    return None


def resolve_landing_place(resolution: Resolution[Position], side: SideId, order: PlaceUnit) -> None:
    """The unit lies face-down at sea (PL-1401)."""
    resolution.emit(UnitPlaced(order.unit, order.hex, order.facing, facedown=True))


def placement_options(position: Position, side: SideId, unit: Unit) -> Iterator[PlaceUnit]:
    """The sea hexes where a landing unit can be placed now."""
    arrival = landing_of(position, unit)
    if arrival is None:
        return
    for place in arrival.hexes:
        order = PlaceUnit(unit.id, HexId(place))
        if check_landing_place(position, side, order) is None:
            yield order


def swimmers(position: Position) -> tuple[Unit, ...]:
    """The phasing side's DD tanks at sea."""
    if not has_sea(position.ground):
        return ()
    return tuple(
        unit for unit in active(position, position.phasing) if kind(unit).has("dd") and is_at_sea(position, unit)
    )


def has_swimmers_at_sea(position: Position) -> bool:
    """Whether DD tanks have to roll for survival."""
    return bool(swimmers(position))


def roll_survival(resolution: Resolution[Position]) -> None:
    """Every DD tank that was placed before this segment has rolled for its survival, which shows what it is.

    Rules: PL-1406.
    """
    for unit in swimmers(resolution.position):
        reveal(resolution, (unit.id,))
        swim(resolution, unit)


def swim(resolution: Resolution[Position], unit: Unit) -> None:
    """A DD tank at sea has rolled for its survival (PL-1406)."""
    loss = resolution.position.ground.scenario.sections.landing.dd_loss
    die = resolution.roll(SWIMMING, unit.id)
    resolution.emit(DieCast("survival at sea", die, die < loss, SWIMMING, unit.id, unit.hex))
    if die >= loss:
        destroy(resolution, unit.id, SWIMMING)


def move_refusal(position: Position, unit: Unit) -> Refusal | None:
    """Why a unit ashore may not move any more: in the same step a unit has landed, and those ashore go first.

    Rules: PL-1404.
    """
    if position.landed and unit.id not in position.landed and not is_at_sea(position, unit):
        return Refusal(ORDER, "units ashore move before units land")
    return None


def shore_refusal(position: Position, came_from: HexId, place: HexId) -> Refusal | None:
    """Why a unit may not go from one hex to the next, if the first is sea: it lands on a beach and nowhere else.

    Rules: PL-1401.
    """
    terrain = position.ground.board.terrain
    if terrain[came_from] == "sea" and terrain[place] != "beach":
        return Refusal(PLACING, "a unit at sea lands on an adjacent beach hex")
    return None


def must_stop(position: Position, unit: Unit, place: HexId) -> RuleId | None:
    """The rule by which a unit that lands in the hex goes no farther, if there is one.

    A landing unit stops on any beach hex beside its sea hex that holds friends, for it disperses them and itself there.

    Rules: PL-1404, PL-1405.
    """
    if not is_at_sea(position, unit):
        return None
    if unit.dispersed:
        return DISPERSED
    if position.ground.board.distance(unit.hex, place) == 1 and side_at(position, place, unit.side):
        return ORDER
    return None


def landed(resolution: Resolution[Position], id: UnitId, place: HexId) -> None:
    """A unit has come ashore face-up; if friends were in the hex, all in it are dispersed.

    Rules: PL-1401, PL-1404.
    """
    reveal(resolution, (id,))
    resolution.emit(UnitLanded(id, place))
    if crowds(resolution.position, id, place):
        for unit in counters_at(resolution.position, place, resolution.position.units[id].side):
            disperse(resolution, unit.id)


def crowds(position: Position, id: UnitId, place: HexId) -> bool:
    """Whether a unit that has landed in the hex is not alone of its side there (PL-1404)."""
    return len(counters_at(position, place, position.units[id].side)) > 1


def finish_landing(resolution: Resolution[Position]) -> None:
    """At the end of a movement step no unit that had to land in it is at sea: what could not or would not is lost.

    Rules: PL-1401, PL-1403.
    """
    position = resolution.position
    if not has_sea(position.ground):
        return
    vehicles = position.step == "vehicle movement"
    for unit in tuple(active(position, position.phasing)):
        if is_at_sea(position, unit) and is_outside(unit) and kind(unit).is_vehicle == vehicles:
            reveal(resolution, (unit.id,))
            destroy(resolution, unit.id, STAYING)
