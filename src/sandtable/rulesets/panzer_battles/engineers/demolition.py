"""Damaging bridges, ditches, ferries and rail lines; bridges that were wired beforehand.

Rules: PB-ENG-10, PB-ENG-11, PB-ENG-60, PB-MOVE-87, PB-MOVE-94.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId, RuleId, SideId, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.trace import Line, Tally
from sandtable.rulesets.panzer_battles import features, index
from sandtable.rulesets.panzer_battles.deception.effects import disturbance, disturbs
from sandtable.rulesets.panzer_battles.engineers.bridges import drown, let_go
from sandtable.rulesets.panzer_battles.engineers.events import (
    FERRY_BOAT,
    RAIL_LINE,
    DamageTried,
    FeatureChanged,
    SideChanged,
)
from sandtable.rulesets.panzer_battles.engineers.orders import DamageRail, Demolish, DestroyFerry
from sandtable.rulesets.panzer_battles.engineers.states import cannot_work, has_acted, may_demolish
from sandtable.rulesets.panzer_battles.events import Stepped
from sandtable.rulesets.panzer_battles.model import DEPLOYED, RAIL, Feature, Position, Unit, enemy_of, men
from sandtable.rulesets.panzer_battles.movement.costs import (
    DAMAGED_BRIDGE,
    ENGINEER_BRIDGE,
    FERRY,
    FULL_BRIDGE,
    USED_FERRY,
    allowance,
    part_cost,
)
from sandtable.rulesets.panzer_battles.movement.modes import has_rail
from sandtable.rulesets.panzer_battles.operations import is_building
from sandtable.rulesets.panzer_battles.refusals import own, refuse
from sandtable.rulesets.panzer_battles.results.losses import Interval, assault_interval, nominal_loss, probability
from sandtable.rulesets.panzer_battles.tallying import points_left
from sandtable.rulesets.panzer_battles.terrain import features_on, with_side

Bench = Resolution[Position]

DITCH = "at_ditch"
WIRED = "wired"
"""The word for a hexside bridge that was wired beforehand (PB-ENG-62)."""

STRENGTHS = {
    "light_bridge": "light",
    "rail_bridge": "light",
    "medium_bridge": "medium",
    "heavy_bridge": "heavy",
    ENGINEER_BRIDGE: "heavy",
}
"""As what a bridge resists.

Rules: PB-ENG-11, PB-ENG-40, PB-MOVE-90.
"""


class Charge(NamedTuple):
    """What a demolition is aimed at, how well that stands, how likely somebody near foils it, as far as is known, and
    how likely it is damaged after all.
    """

    target: str
    defense: int
    cv: float
    interval: Interval
    foiled: Fraction
    chance: float


def target_toward(position: Position, unit: Unit, place: HexId) -> str:
    """What a unit could damage toward a hex: the wired bridge in it, a bridge, or a ditch; empty for nothing.

    Rules: PB-ENG-10, PB-ENG-19, PB-ENG-58.
    """
    direction = position.ground.board.direction(unit.hex, place)
    if direction < 0:
        return ""
    if features.find(position, place, features.WIRED):
        return FULL_BRIDGE
    across = features_on(position, unit.hex, direction)
    bridge = next((one for one in STRENGTHS if one in across), "")
    return bridge or (DITCH if DITCH in across else "")


def damage_chance(between: Interval, per_vehicle: int) -> float:
    """How likely a casualty value between two ends destroys something as a vehicle is destroyed: the mean of its tenth,
    or of certainty above ten.

    Rules: PB-ENG-12, PB-ENG-13.
    """
    low, high = between
    if high <= per_vehicle or low == high:
        return min(1.0, (low + high) / (2 * per_vehicle))
    if low >= per_vehicle:
        return 1.0
    below = (per_vehicle * per_vehicle - low * low) / (2 * per_vehicle)
    return (below + (high - per_vehicle)) / (high - low)


def charge(position: Position, unit: Unit, target: str) -> Charge:
    """The demolition of a bridge or ditch by a unit, worked out.

    Rules: PB-ENG-11, PB-ENG-18, PB-ENG-19, PB-ENG-58.
    """
    parameters = position.parameters
    guard = parameters.bridge.defense[DITCH if target == DITCH else STRENGTHS.get(target, "heavy")]
    cv = unit.of.assault * men(unit, parameters) / guard
    between = assault_interval(cv, parameters)
    foiled = disturbance(position, unit.side, unit.hex)
    chance = damage_chance(between, parameters.stacking.men_per_vehicle_or_gun) * (1 - float(foiled))
    return Charge(target, guard, cv, between, foiled, chance)


def cannot_demolish(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What in a unit keeps it from any demolition, which takes all that it has in a turn.

    Rules: PB-ENG-6, PB-ENG-10, PB-MOVE-75.
    """
    if not may_demolish(unit):
        return refuse("PB-ENG-10", "only engineers and commandos blow up bridges")
    refusal = cannot_work(position, unit) or has_acted(unit, "PB-ENG-10")
    if refusal is None and unit.mp < allowance(position, unit):
        return refuse("PB-ENG-10", "it takes the whole of an unspent allowance")
    return refusal


def no_demolition(position: Position, unit: Unit, place: HexId) -> Refusal | None:
    """Why there is nothing for a unit to blow up toward a hex; ditches nobody wires beforehand.

    Rules: PB-ENG-10, PB-ENG-17, PB-ENG-19, PB-ENG-61.
    """
    target = target_toward(position, unit, place)
    if not target:
        return refuse("PB-ENG-10", "there is no bridge or ditch that it could blow up")
    if target != DITCH and position.parameters.bridge.wired_pct.of(enemy_of(unit.side)):
        return refuse("PB-ENG-17", "the bridges of this battle were wired beforehand")
    return None


def check_demolish(position: Position, side: SideId, order: Demolish) -> Refusal | None:
    """Rules: PB-ENG-10, PB-ENG-14, PB-ENG-19."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    return cannot_demolish(position, side, unit) or no_demolition(position, unit, order.hex)


def resolve_demolish(resolution: Bench, side: SideId, order: Demolish) -> None:
    """The charge has gone off, and the bridge or ditch is damaged or not; the unit has nothing left to spend.

    Rules: PB-ENG-10, PB-ENG-11, PB-ENG-13, PB-ENG-14, PB-ENG-18, PB-ENG-20, PB-ENG-59.
    """
    position = resolution.position
    unit = position.units[order.unit]
    found = charge(position, unit, target_toward(position, unit, order.hex))
    loss = nominal_loss(resolution, found.interval, unit.id)
    whole = position.parameters.stacking.men_per_vehicle_or_gun
    done = loss >= whole or (bool(loss) and resolution.chance(Fraction(loss, whole), "PB-ENG-13", unit.id))
    done = done and not disturbs(resolution, side, unit.hex, unit.id)
    resolution.emit(DamageTried(unit.id, order.hex, 0, unit.thirds + 1, done))
    if not done:
        return
    if found.target == FULL_BRIDGE:
        blow_long_bridge(resolution, order.hex)
    else:
        direction = position.ground.board.direction(unit.hex, order.hex)
        damage_side(resolution, unit.hex, direction, found.target)
        if found.target == ENGINEER_BRIDGE:
            let_go(resolution, unit.hex, direction)


def damage_side(resolution: Bench, place: HexId, direction: int, target: str) -> None:
    """A bridge is damaged for good, or a ditch is no obstacle any more.

    Rules: PB-ENG-14, PB-ENG-16, PB-ENG-20.
    """
    across = features_on(resolution.position, place, direction) - {target, WIRED}
    if target not in (DITCH, ENGINEER_BRIDGE):
        across |= {DAMAGED_BRIDGE}
    what = "The ditch is filled in" if target == DITCH else "The bridge is down"
    resolution.emit(SideChanged(place, direction, tuple(sorted(across)), what))


def blow_long_bridge(resolution: Bench, place: HexId) -> None:
    """A full-hex bridge is down for good, with whoever stood on it.

    Rules: PB-ENG-59.
    """
    wired = features.find(resolution.position, place, features.WIRED)
    resolution.emit(FeatureChanged(place, wired, Feature(features.BROKEN_BRIDGE)))
    drown(resolution, place)


def explain_demolish(position: Position, side: SideId, order: Demolish) -> tuple[Tally, ...]:
    """How likely the bridge or ditch is damaged."""
    unit = position.units[order.unit]
    found = charge(position, unit, target_toward(position, unit, order.hex))
    lines = [
        Line("assault x men", unit.of.assault * men(unit, position.parameters), RuleId("PB-ENG-11")),
        Line(f"{found.target.replace('_', ' ')}, defense", found.defense, RuleId("PB-ENG-11")),
        Line("casualty value", f"{found.interval.low:.2f} to {found.interval.high:.2f}", RuleId("PB-ENG-12")),
    ]
    if found.foiled:
        lines.append(_foiling(found.foiled))
    chance = Tally("Chance of damage", f"{found.chance:.1%}", tuple(lines))
    return (chance, points_left(unit.mp, unit.mp, "PB-ENG-10"))


def _foiling(chance: Fraction) -> Line:
    return Line("foiled by partisans or a ruse nearby", f"{float(chance):.0%}", RuleId("PB-DEC-9"))


def targets(position: Position, unit: Unit) -> list[HexId]:
    """The neighboring hexes toward which a unit could demolish something."""
    beside = (HexId(place) for place in position.ground.board.neighbors(unit.hex))
    return [place for place in beside if no_demolition(position, unit, place) is None]


# --- bridges wired beforehand ---------------------------------------------------------------------------------------


ITSELF = -1
"""Where a wired bridge lies that is the hex itself and no side of it."""


def wires_met(position: Position, unit: Unit) -> tuple[int, ...]:
    """To which sides of its hex there are wired bridges that a unit sets off by having come there; ITSELF for a long
    one on which it stands.

    Rules: PB-ENG-60.
    """
    if not position.parameters.bridge.wired_pct.of(unit.side) or not unit.hex:
        return ()
    sides = [direction for direction in DIRECTIONS if WIRED in features_on(position, unit.hex, direction)]
    return (*sides, ITSELF) if features.find(position, unit.hex, features.WIRED) else tuple(sides)


def without_wires(position: Position, unit: Unit) -> Position:
    """The position in which the wires that a unit has met were tested, and the bridges held (PB-ENG-60)."""
    for direction in wires_met(position, unit):
        if direction == ITSELF:
            wired = features.find(position, unit.hex, features.WIRED)
            position = replace(position, features=features.exchanged(position, unit.hex, wired, None))
        else:
            left = features_on(position, unit.hex, direction) - {WIRED}
            position = replace(position, sides=with_side(position, unit.hex, direction, left))
    return position


def try_wiring(resolution: Bench, id: UnitId, came_from: HexId) -> None:
    """The wired bridges that a unit has come up to, or onto, have been tested once for all.

    Rules: PB-ENG-60, PB-ENG-63.
    """
    position = resolution.position
    unit = position.units[id]
    pct, met = position.parameters.bridge.wired_pct.of(unit.side), wires_met(position, unit)
    for direction in met:
        if direction == ITSELF:
            continue
        across = features_on(resolution.position, unit.hex, direction)
        bridge = next(one for one in STRENGTHS if one in across)
        if resolution.chance(probability(pct), "PB-ENG-60", id):
            damage_side(resolution, unit.hex, direction, bridge)
        else:
            left = tuple(sorted(across - {WIRED}))
            resolution.emit(SideChanged(unit.hex, direction, left, "The charges fail on the bridge"))
    if ITSELF in met:
        wired = features.find(resolution.position, unit.hex, features.WIRED)
        if resolution.chance(probability(pct), "PB-ENG-60", id):
            resolution.emit(Stepped(id, came_from, 0, vulnerable=unit.vulnerable, start=unit.hex))
            blow_long_bridge(resolution, unit.hex)
        else:
            resolution.emit(FeatureChanged(unit.hex, wired))


# --- rail lines and ferries -----------------------------------------------------------------------------------------


def cannot_wreck(position: Position, unit: Unit, part: Fraction, rule: str) -> Refusal | None:
    """What in a unit keeps it from damaging rail lines and ferries, for a part of its allowance.

    Rules: PB-MOVE-87, PB-MOVE-94.
    """
    if unit.mode != DEPLOYED or unit.broken or unit.digging_in or is_building(unit):
        return refuse(rule, "only a deployed unit does that that is not Broken, digging in or building a bridge")
    cost = part_cost(position, unit, part)
    if unit.mp < cost:
        return refuse(rule, "it has not the movement points left", f"{cost} needed, {unit.mp} left")
    return None


def cannot_damage_rail(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What keeps a unit from damaging the rail line in its hex.

    Rules: PB-MOVE-65, PB-MOVE-87.
    """
    if unit.has("partisan"):
        return refuse("PB-MOVE-65", "partisans do not damage rail lines")
    if not has_rail(position.ground.board, unit.hex) or features.find(position, unit.hex, features.RAIL_DAMAGE):
        return refuse("PB-MOVE-87", "there is no rail line here to be damaged")
    if any(other.mode == RAIL for other in index.at(position, unit.hex)):
        return refuse("PB-MOVE-87", "somebody here is in Rail Mode")
    return cannot_wreck(position, unit, position.parameters.costs.rail_damage, "PB-MOVE-87")


def check_rail(position: Position, side: SideId, order: DamageRail) -> Refusal | None:
    """Rules: PB-MOVE-87."""
    unit = own(position, side, order.unit)
    return unit if isinstance(unit, Refusal) else cannot_damage_rail(position, side, unit)


def resolve_rail(resolution: Bench, side: SideId, order: DamageRail) -> None:
    """The rail line is damaged, which its enemy has to see to know; it always succeeds unless his tricks disturb it.

    Rules: PB-MOVE-85, PB-MOVE-87, PB-DEC-9.
    """
    position = resolution.position
    unit = position.units[order.unit]
    is_done = not disturbs(resolution, side, unit.hex, unit.id)
    cost = part_cost(position, unit, position.parameters.costs.rail_damage)
    resolution.emit(DamageTried(unit.id, unit.hex, unit.mp - cost, unit.thirds + 1, is_done, RAIL_LINE))
    if is_done:
        resolution.emit(FeatureChanged(unit.hex, None, Feature(features.RAIL_DAMAGE, side)))


def explain_rail(position: Position, side: SideId, order: DamageRail) -> tuple[Tally, ...]:
    """What damaging the line leaves of the unit's points, and how likely it is foiled, as far as is known.

    Rules: PB-MOVE-87, PB-DEC-9.
    """
    unit = position.units[order.unit]
    points = points_left(unit.mp, part_cost(position, unit, position.parameters.costs.rail_damage), "PB-MOVE-87")
    foiled = disturbance(position, side, unit.hex)
    if not foiled:
        return (points,)
    return (Tally("Chance of damage", f"{float(1 - foiled):.1%}", (_foiling(foiled),)), points)


def ferries(position: Position, unit: Unit) -> list[HexId]:
    """The neighboring hexes to which a ferry goes from the unit's hex."""
    board = position.ground.board
    return [
        HexId(board.neighbor(unit.hex, direction))
        for direction in DIRECTIONS
        if features_on(position, unit.hex, direction) & {FERRY, USED_FERRY}
    ]


def cannot_sink(position: Position, side: SideId, unit: Unit) -> Refusal | None:
    """What in a unit keeps it from destroying a ferry (PB-MOVE-94)."""
    return cannot_wreck(position, unit, position.parameters.costs.ferry_destroy, "PB-MOVE-94")


def check_sink(position: Position, side: SideId, order: DestroyFerry) -> Refusal | None:
    """Rules: PB-MOVE-94."""
    unit = own(position, side, order.unit)
    if isinstance(unit, Refusal):
        return unit
    if order.hex not in ferries(position, unit):
        return refuse("PB-MOVE-94", "no ferry goes there")
    return cannot_sink(position, side, unit)


def explain_sink(position: Position, side: SideId, order: DestroyFerry) -> tuple[Tally, ...]:
    """What destroying the ferry leaves of the unit's points (PB-MOVE-94)."""
    unit = position.units[order.unit]
    return (points_left(unit.mp, part_cost(position, unit, position.parameters.costs.ferry_destroy), "PB-MOVE-94"),)


def resolve_sink(resolution: Bench, side: SideId, order: DestroyFerry) -> None:
    """The ferry is destroyed, without a roll (PB-MOVE-94)."""
    position = resolution.position
    unit = position.units[order.unit]
    cost = part_cost(position, unit, position.parameters.costs.ferry_destroy)
    resolution.emit(DamageTried(unit.id, order.hex, unit.mp - cost, unit.thirds + 1, done=True, what=FERRY_BOAT))
    direction = position.ground.board.direction(unit.hex, order.hex)
    across = features_on(position, unit.hex, direction) - {FERRY, USED_FERRY}
    resolution.emit(SideChanged(unit.hex, direction, tuple(sorted(across)), "The ferry is destroyed"))
