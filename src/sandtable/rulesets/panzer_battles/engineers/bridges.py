"""Bridges that engineers build, hold, take up or give up; pontoons over Water hexes; wiring of long bridges.

Rules: PB-ENG-32, PB-ENG-36, PB-ENG-48, PB-ENG-58.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.geometry.hexes import DIRECTIONS, opposite
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged, SideChanged, WorkChanged, WorkProgressed
from sandtable.rulesets.panzer_battles.engineers.orders import AbandonBridge, BuildBridge, DismantleBridge, WireBridge
from sandtable.rulesets.panzer_battles.engineers.states import (
    cannot_work,
    each_turn,
    has_acted,
    is_engineer,
    may_bridge,
    unfit,
)
from sandtable.rulesets.panzer_battles.kinds import COMPANY
from sandtable.rulesets.panzer_battles.model import TRAVEL, Feature, Position, Unit, men
from sandtable.rulesets.panzer_battles.movement.costs import (
    BRIDGE_BEARS,
    ENGINEER_BRIDGE,
    FULL_BRIDGE,
    WATER,
    part_cost,
)
from sandtable.rulesets.panzer_battles.operations import (
    BRIDGING,
    BUILDING,
    DISMANTLING,
    HOLDING,
    PONTOON_BUILDING,
    PONTOON_DISMANTLING,
    PONTOON_HOLDING,
    STANDING,
    WIRING,
    direction_of,
    holds_bridge,
    is_at,
    is_building,
    kind_of,
    toward,
)
from sandtable.rulesets.panzer_battles.parameter_sections import WATERS
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.results.losses import probability
from sandtable.rulesets.panzer_battles.results.struck import size_of
from sandtable.rulesets.panzer_battles.results.suffering import forfeit
from sandtable.rulesets.panzer_battles.tallying import points_left
from sandtable.rulesets.panzer_battles.terrain import features_on, side_key

Bench = Resolution[Position]
Site = tuple[str, int]
"""What sort of work is done, and where."""

WAYS_OVER = 3
"""So many ways there are to join two banks of a Water hex that lie opposite each other (PB-ENG-49)."""

DISMANTLED = {HOLDING: DISMANTLING, PONTOON_HOLDING: PONTOON_DISMANTLING}
BUILT = {BUILDING: HOLDING, PONTOON_BUILDING: PONTOON_HOLDING}
NOT_GROUND = frozenset({WATER, "shallow_water"})
"""What is no ground hex (PB-MAP-10)."""


# --- chances --------------------------------------------------------------------------------------------------------


def build_chance(unit: Unit, parameters: Parameters) -> Fraction:
    """How likely a unit alone completes its work on a bridge in a turn: by its side, quality, men and size.

    Rules: PB-ENG-36, PB-ENG-37, PB-ENG-39.
    """
    bridge = parameters.bridge
    chance = probability(bridge.build_pct.of(unit.side)) * Fraction(parameters.quality.bridge_pct[unit.quality], 100)
    chance *= min(Fraction(1), Fraction(men(unit, parameters), bridge.engineer_full_men))
    size = size_of(1 + len(unit.parts), is_company=unit.of.is_company)
    if size != COMPANY and not unit.has("bridgelayer"):
        chance *= bridge.platoon_fraction * (2 if size == "combined2" else 1)
    return min(Fraction(1), chance)


def together(chances: Iterable[Fraction]) -> Fraction:
    """How likely at least one of several succeeds.

    Rules: PB-ENG-38.
    """
    none = Fraction(1)
    for chance in chances:
        none *= 1 - chance
    return 1 - none


# --- building -------------------------------------------------------------------------------------------------------


def is_ground(position: Position, place: int) -> bool:
    """Whether a hex is ground: neither Water nor Shallow Water (PB-MAP-10)."""
    return bool(place) and position.ground.board.terrain[place] not in NOT_GROUND


def cannot_bridge(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What in a unit keeps it from beginning a bridge.

    Rules: PB-ENG-6, PB-ENG-33, PB-ENG-34.
    """
    if not may_bridge(unit):
        return refuse("PB-ENG-33", "only bridge engineers build bridges")
    refusal = cannot_work(position, unit)
    if refusal is not None:
        return refusal
    cost = start_cost(position, unit)
    if unit.mp < cost:
        return refuse("PB-ENG-34", "it has not the movement points left", f"{cost} needed, {unit.mp} left")
    return None


def start_cost(position: Position, unit: Unit) -> int:
    """What it costs a unit to begin a bridge: everything, or a third for a bridgelayer.

    Rules: PB-ENG-34.
    """
    costs = position.parameters.costs
    part = costs.bridgelayer_start if unit.has("bridgelayer") else costs.engineer_bridge_start
    return part_cost(position, unit, part)


def no_site(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why a unit can't bridge toward a hex.

    Rules: PB-ENG-21, PB-ENG-32, PB-ENG-48, PB-ENG-49.
    """
    board = position.ground.board
    direction = board.direction(unit.hex, place)
    if direction < 0:
        return refuse("PB-ENG-35", "a bridge leads to a neighboring hex")
    if board.terrain[place] == WATER:
        return _no_pontoon(position, unit, place, direction)
    across = features_on(position, unit.hex, direction)
    if not across & set(WATERS):
        return refuse("PB-ENG-32", "there is nothing to be bridged")
    if across & set(BRIDGE_BEARS):
        return refuse("PB-ENG-32", "there is a bridge already")
    return None


def _no_pontoon(position: Position, unit: Unit, place: HexId, direction: int) -> Refusal | None:
    board = position.ground.board
    if not position.parameters.bridge.pontoon_turns.of(unit.side):
        return refuse("PB-ENG-48", "its side has no pontoons")
    if board.has_feature(place, FULL_BRIDGE) or features.find(position, place, features.PONTOON):
        return refuse("PB-ENG-48", "there is a bridge, or what is left of one")
    if not is_ground(position, unit.hex) or not is_ground(position, board.neighbor(place, direction)):
        return refuse("PB-ENG-49", "a pontoon bridge joins two banks that lie opposite each other")
    return None


def check_build(position: Position, side: SideId, order: BuildBridge) -> Refusal | None:
    """Rules: PB-ENG-32, PB-ENG-33, PB-ENG-48."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    return cannot_bridge(position, side, unit) or no_site(position, unit, order.hex)


def resolve_build(resolution: Bench, side: SideId, order: BuildBridge) -> None:
    """The unit has begun a bridge.

    Rules: PB-ENG-34, PB-ENG-35, PB-ENG-50.
    """
    position = resolution.position
    unit = position.units[order.unit]
    left = unit.mp - start_cost(position, unit)
    work = _work_toward(position, unit, order.hex)
    resolution.emit(WorkChanged(unit.id, work, mp=left, thirds=unit.thirds + 1))


def _work_toward(position: Position, unit: Unit, place: HexId) -> str:
    """The name of the work that building a bridge toward a hex is: over a Water hex, or over the hexside."""
    board = position.ground.board
    kind = PONTOON_BUILDING if board.terrain[place] == WATER else BUILDING
    return toward(kind, board.direction(unit.hex, place))


def sites(position: Position, unit: Unit) -> list[HexId]:
    """The neighboring hexes toward which a unit could build."""
    beside = (HexId(place) for place in position.ground.board.neighbors(unit.hex))
    return [place for place in beside if no_site(position, unit, place) is None]


def explain_build(position: Position, side: SideId, order: BuildBridge) -> tuple[Tally, ...]:
    """How likely the bridge is done at the start of each of the side's turns, with the help of who is at it already,
    how many turns a pontoon takes before, and what beginning it leaves of the unit's points.

    Rules: PB-ENG-34, PB-ENG-36, PB-ENG-38, PB-ENG-50.
    """
    unit, parameters = position.units[order.unit], position.parameters
    begun = replace(unit, operation=_work_toward(position, unit, order.hex))
    gang = [unit, *(one for one in gang_of(position, begun) if one.id != unit.id)]
    chance = each_turn("bridge", together(build_chance(one, parameters) for one in gang), "PB-ENG-38")
    return (*chance, *_turns_before(position, begun), points_left(unit.mp, start_cost(position, unit), "PB-ENG-34"))


def _turns_before(position: Position, unit: Unit) -> Iterator[Tally]:
    """How many turns a pontoon takes before its builders, or who takes it up, may be done (PB-ENG-50)."""
    if is_at(unit, PONTOON_BUILDING, PONTOON_DISMANTLING):
        turns = position.parameters.bridge.pontoon_turns.of(unit.side)
        yield Tally("Turns before", str(turns), (Line("pontoon bridge", turns, RuleId("PB-ENG-50")),))


# --- giving up ------------------------------------------------------------------------------------------------------


def cannot_dismantle(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from taking up its bridge.

    Rules: PB-ENG-6, PB-ENG-44.
    """
    if not holds_bridge(unit):
        return refuse("PB-ENG-44", "it holds no bridge")
    return unfit(unit)


def check_dismantle(position: Position, side: SideId, order: DismantleBridge) -> Refusal | None:
    """Rules: PB-ENG-44."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else cannot_dismantle(position, side, unit)


def resolve_dismantle(resolution: Bench, side: SideId, order: DismantleBridge) -> None:
    """The unit has begun to take up its bridge, which can be used until that is done (PB-ENG-44, PB-ENG-47)."""
    unit = resolution.position.units[order.unit]
    work = _taking_up(unit)
    resolution.emit(WorkChanged(unit.id, work, mp=unit.mp, thirds=unit.thirds))


def _taking_up(unit: Unit) -> str:
    """The name of the work that taking up its bridge is."""
    return toward(DISMANTLED[kind_of(unit)], direction_of(unit))


def explain_dismantle(position: Position, side: SideId, order: DismantleBridge) -> tuple[Tally, ...]:
    """How likely the bridge is taken up at the start of each of the side's turns; until then it can be used.

    Rules: PB-ENG-44, PB-ENG-47, PB-ENG-50.
    """
    unit = position.units[order.unit]
    begun = replace(unit, operation=_taking_up(unit))
    chance = each_turn("bridge taken up", build_chance(unit, position.parameters), "PB-ENG-44")
    return (*chance, *_turns_before(position, begun))


def cannot_abandon(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from giving up its bridge (PB-ENG-45)."""
    return None if is_at(unit, *BRIDGING) else refuse("PB-ENG-45", "it has no bridge in hand")


def check_abandon(position: Position, side: SideId, order: AbandonBridge) -> Refusal | None:
    """Rules: PB-ENG-45."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else cannot_abandon(position, side, unit)


def abandon_warning(position: Position, side: SideId, order: AbandonBridge) -> str:
    """That a bridge that stands is gone at once (PB-ENG-45)."""
    return "the bridge is gone at once" if is_at(position.units[order.unit], *STANDING) else ""


def resolve_abandon(resolution: Bench, side: SideId, order: AbandonBridge) -> None:
    """The unit has no bridge in hand any more, and what it held is gone (PB-ENG-45)."""
    unit = resolution.position.units[order.unit]
    resolution.emit(WorkChanged(unit.id, mp=unit.mp, thirds=unit.thirds))
    settle(resolution)


# --- wiring ---------------------------------------------------------------------------------------------------------


def cannot_wire(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from wiring the long bridge it stands on.

    Rules: PB-ENG-58, PB-ENG-61.
    """
    if not is_engineer(unit):
        return refuse("PB-ENG-58", "only engineers wire bridges")
    if not position.ground.board.has_feature(unit.hex, FULL_BRIDGE) or _is_down(position, unit.hex):
        return refuse("PB-ENG-58", "it stands on no full-hex bridge")
    if features.find(position, unit.hex, features.WIRED):
        return refuse("PB-ENG-58", "the bridge is wired already")
    if any(position.parameters.bridge.wired_pct.of(one) for one in ("allied", "axis")):
        return refuse("PB-ENG-61", "bridges are wired beforehand in this battle")
    if unit.is_shaken or unit.mode != TRAVEL or unit.operation:
        return refuse("PB-ENG-58", "it wires in Travel Mode, in good order and with no other work in hand")
    return has_acted(unit, "PB-ENG-58")


def _is_down(position: Position, place: HexId) -> bool:
    return features.find(position, place, features.BROKEN_BRIDGE) is not None


def check_wire(position: Position, side: SideId, order: WireBridge) -> Refusal | None:
    """Rules: PB-ENG-58."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else cannot_wire(position, side, unit)


def resolve_wire(resolution: Bench, side: SideId, order: WireBridge) -> None:
    """The unit has begun to wire the bridge (PB-ENG-58)."""
    unit = resolution.position.units[order.unit]
    resolution.emit(WorkChanged(unit.id, WIRING, mp=unit.mp, thirds=unit.thirds))


def explain_wire(position: Position, side: SideId, order: WireBridge) -> tuple[Tally, ...]:
    """How likely the bridge is wired at the start of each of the side's turns (PB-ENG-58)."""
    return each_turn("wiring", build_chance(position.units[order.unit], position.parameters), "PB-ENG-58")


# --- at the start of a turn -----------------------------------------------------------------------------------------


def work(resolution: Bench, side: SideId) -> None:
    """The engineers of a side have gone on with their bridges, those at the same hexside together.

    Rules: PB-ENG-36, PB-ENG-38, PB-ENG-44, PB-ENG-50, PB-ENG-51, PB-ENG-58.
    """
    units = resolution.position.units
    gangs: dict[Site, list[Unit]] = {}
    for unit in units:
        if unit.hex and unit.side == side and not unit.is_shaken and is_building(unit):
            gangs.setdefault(_site(resolution.position, unit), []).append(unit)
    if gangs:
        resolution.emit(WorkProgressed(side, tuple(unit.id for gang in gangs.values() for unit in gang)))
    for gang in gangs.values():
        # others may have bridged the Water hex another way
        if is_building(resolution.position.units[gang[0].id]):
            _go_on(resolution, gang)


def _site(position: Position, unit: Unit) -> Site:
    """What a unit works on: a hexside, the same from both banks, a Water hex in one of its three ways, or its own hex.

    Rules: PB-ENG-38, PB-ENG-49.
    """
    if is_at(unit, WIRING):
        return WIRING, unit.hex
    direction = direction_of(unit)
    here = side_key(unit.hex, direction)
    other = HexId(position.ground.board.neighbor(unit.hex, direction))
    if is_at(unit, PONTOON_BUILDING, PONTOON_DISMANTLING):
        return kind_of(unit), WAYS_OVER * other + direction % WAYS_OVER
    return kind_of(unit), min(here, side_key(other, opposite(direction)))


def gang_of(position: Position, unit: Unit) -> list[Unit]:
    """Those of its side who are fit and work where a unit does, or would (PB-ENG-38)."""
    builders = (one for one in position.units if one.hex and one.side == unit.side and is_building(one))
    return [one for one in builders if not one.is_shaken and _site(position, one) == _site(position, unit)]


def done_chance(gang: Sequence[Unit], parameters: Parameters, *, ahead: int = 0) -> Fraction:
    """How likely at least one of those who work together is done, or will be so many turns ahead; pontoons take their
    turns first.

    Rules: PB-ENG-38, PB-ENG-50.
    """
    ready = [
        unit
        for unit in gang
        if not is_at(unit, PONTOON_BUILDING, PONTOON_DISMANTLING)
        or unit.progress + ahead >= parameters.bridge.pontoon_turns.of(unit.side)
    ]
    return together(build_chance(unit, parameters) for unit in ready)


def _go_on(resolution: Bench, gang: Sequence[Unit]) -> None:
    parameters, first = resolution.position.parameters, gang[0]
    chance = done_chance(gang, parameters)
    if chance and resolution.chance(chance, "PB-ENG-36", first.id):
        _complete(resolution, gang)


def _complete(resolution: Bench, gang: Sequence[Unit]) -> None:
    """The bridge stands and the first of its builders holds it, or it is taken up, or wired, which the enemy has to see
    to know; those are done as well who were too shaken to help.

    Rules: PB-ENG-38, PB-ENG-40, PB-ENG-44, PB-ENG-52, PB-ENG-58, PB-MOVE-85.
    """
    position, first = resolution.position, gang[0]
    board, site = position.ground.board, _site(position, first)
    if is_at(first, WIRING):
        resolution.emit(FeatureChanged(first.hex, None, Feature(features.WIRED, first.side)))
    own = [unit for unit in position.units if unit.hex and unit.side == first.side and is_building(unit)]
    for unit in [one for one in own if _is_done_by(_site(position, one), site)]:
        kept = BUILT.get(kind_of(unit), "") if unit.id == first.id else ""
        now = toward(kept, direction_of(unit)) if kept else ""
        resolution.emit(WorkChanged(unit.id, now, mp=unit.mp, thirds=unit.thirds, by_itself=True))
    if is_at(first, BUILDING):
        direction = direction_of(first)
        across = features_on(position, first.hex, direction) | {ENGINEER_BRIDGE}
        resolution.emit(SideChanged(first.hex, direction, tuple(sorted(across)), "A bridge is built"))
    elif is_at(first, PONTOON_BUILDING):
        water = HexId(board.neighbor(first.hex, direction_of(first)))
        resolution.emit(FeatureChanged(water, None, Feature(features.PONTOON, count=direction_of(first))))
    settle(resolution)


def _is_done_by(work: Site, done: Site) -> bool:
    """Whether a work is over with another: with the same, and over a Water hex with any that bridges it."""
    (kind, place), (other, there) = work, done
    is_pontoon = kind == other == PONTOON_BUILDING
    return place // WAYS_OVER == there // WAYS_OVER if is_pontoon else work == done


# --- bridges that nobody holds --------------------------------------------------------------------------------------


def settle(resolution: Bench) -> None:
    """Bridges and pontoons whose engineers are gone, have left or given them up are gone too.

    Rules: PB-ENG-45, PB-ENG-46.
    """
    position = resolution.position
    stale = [key for key, found in position.sides.items() if ENGINEER_BRIDGE in found]
    for key in stale:
        place, direction = HexId(key // 8), key % 8
        if direction in DIRECTIONS[:3] and not _is_held(position, place, direction):
            across = features_on(position, place, direction) - {ENGINEER_BRIDGE}
            resolution.emit(SideChanged(place, direction, tuple(sorted(across)), "A bridge is taken up"))
    for place, found in position.features.items():
        pontoon = next((one for one in found if one.kind == features.PONTOON), None)
        if pontoon is not None and not _is_moored(position, place):
            drown(resolution, place)
            resolution.emit(FeatureChanged(place, pontoon))


def _is_held(position: Position, place: HexId, direction: int) -> bool:
    other = HexId(position.ground.board.neighbor(place, direction))
    return _holds(position, place, direction, STANDING) or _holds(position, other, opposite(direction), STANDING)


def _holds(position: Position, place: HexId, direction: int, kinds: Sequence[str]) -> bool:
    return any(is_at(unit, *kinds) and direction_of(unit) == direction for unit in index.at(position, place))


def _is_moored(position: Position, water: HexId) -> bool:
    """Whether somebody holds the pontoon in a hex, from one of its banks or on his way over it."""
    board = position.ground.board
    if any(is_at(unit, PONTOON_HOLDING) for unit in index.at(position, water)):
        return True
    return any(
        _holds(position, HexId(board.neighbor(water, direction)), opposite(direction), STANDING)
        for direction in DIRECTIONS
        if board.neighbor(water, direction)
    )


def let_go(resolution: Bench, place: HexId, direction: int) -> None:
    """Who held a bridge that is down, or was taking it up, has nothing in hand any more.

    Rules: PB-ENG-7, PB-ENG-43.
    """
    position = resolution.position
    other = HexId(position.ground.board.neighbor(place, direction))
    for here, toward_it in ((place, direction), (other, opposite(direction))):
        for unit in index.at(position, here):
            if is_at(unit, *STANDING) and direction_of(unit) == toward_it:
                resolution.emit(WorkChanged(unit.id, mp=unit.mp, thirds=unit.thirds))


def drown(resolution: Bench, place: HexId) -> None:
    """Who stood on a bridge that is gone is lost, riders before those who carry them.

    Rules: PB-ENG-59.
    """
    while there := index.at(resolution.position, place):
        # who rides on one of them may go with him
        forfeit(resolution, there[0], there[0].strength)
