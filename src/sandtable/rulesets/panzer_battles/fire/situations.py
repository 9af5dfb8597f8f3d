"""From the table to the formulas: a fire as fire values see it, and its victim as combat results do."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_battles.features import work_at
from sandtable.rulesets.panzer_battles.fire.values import (
    FireContext,
    Firer,
    FireValue,
    Target,
    disruption_multiplier,
    fire_value,
)
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement.carrying import is_external
from sandtable.rulesets.panzer_battles.movement.costs import is_road_only
from sandtable.rulesets.panzer_battles.movement.stacking import men_in
from sandtable.rulesets.panzer_battles.results.losses import Interval, fire_interval
from sandtable.rulesets.panzer_battles.results.struck import Struck, size_of
from sandtable.rulesets.panzer_battles.spotting.obstacles import crossed_sides
from sandtable.rulesets.panzer_battles.terrain import obstacles_on, terrain_at

FROZEN = "frozen"
"""The ground condition in which frost wears units down (PB-FIRE-42)."""


class Shot(NamedTuple):
    """A fire worked out: its value, between which casualty values it lies, its victim, and how it shakes."""

    value: FireValue
    interval: Interval
    struck: Struck
    multiplier: Fraction


def hexside_pct(position: Position, start: HexId, place: HexId) -> int:
    """The modifier of the hexside by which fire enters a hex, the most protective where there are several.

    Rules: PB-FIRE-44.
    """
    percents = position.parameters.hexside.combat_pct
    crossed = (obstacles_on(position, *side) for side in crossed_sides(position, start, place))
    # a bridge or ford changes nothing for fire
    return min(
        (percents[one] for features in crossed for one in features if one in percents and one != "ford"), default=0
    )


ADVANTAGE_SCALE = 400
"""What is added to the values of a side is its advantage divided by this (PB-FIRE-71)."""


def advantage(position: Position, side: SideId) -> float:
    """What the values of a side are multiplied by, as the players agreed; the other side has as much less.

    Rules: PB-FIRE-71.
    """
    favor = position.ground.options.advantage if side == position.first else -position.ground.options.advantage
    return 1 + favor / ADVANTAGE_SCALE


def as_firer(position: Position, unit: Unit) -> Firer:
    """A unit that fires."""
    kind = unit.of
    return Firer(
        kind,
        unit.side,
        unit.strength,
        unit.full,
        kind.soft,
        kind.hard,
        unit.quality,
        unit.fatigue,
        unit.mode,
        is_road_only(position, unit, unit.hex),
        unit.disrupted,
        unit.digging_in,
        unit.low_ammo,
        unit.unavailable,
        unit.stockpiled,
    )


def in_the_open(position: Position, unit: Unit) -> Target:
    """A unit that is fired at, as far as that tells whether it is a hard target where no work shelters it."""
    rides = is_external(position, unit)
    return Target(unit.of, unit.side, unit.of.defense, unit.mode, rides=rides, on_foot=unit.on_foot)


def as_target(position: Position, unit: Unit) -> Target:
    """A unit that is fired at."""
    return Target(
        unit.of,
        unit.side,
        unit.of.defense,
        unit.mode,
        rides=is_external(position, unit),
        road_only=is_road_only(position, unit, unit.hex),
        low_fuel=unit.low_fuel,
        vulnerable=unit.vulnerable,
        broken=unit.broken,
        on_foot=unit.on_foot,
    )


def as_struck(unit: Unit) -> Struck:
    """A unit that suffers."""
    kind = unit.of
    return Struck(
        kind.is_men,
        unit.strength,
        unit.full,
        unit.quality,
        unit.fatigue,
        size_of(1 + len(unit.parts), is_company=kind.is_company),
        kind.has("hq"),
        unit.disrupted,
        unit.broken,
        unit.low_ammo or unit.low_fuel,
        unit.isolated,
    )


def shelter(position: Position, target: Unit) -> tuple[str, bool]:
    """The work that a unit stands in, and whether it is worth half: left by its side, or built by the enemy.

    Rules: PB-FIRE-46, PB-FIRE-47, PB-FIRE-49.
    """
    work = work_at(position, target.hex)
    return (work.kind, work.vacated or work.side != target.side) if work else ("", False)


def surroundings(position: Position, target: Unit, distance: int) -> FireContext:
    """What a fire over a distance meets where its target stands: crowd, ground, works and weather.

    Rules: PB-FIRE-42, PB-FIRE-46, PB-FIRE-47, PB-FIRE-49, PB-FIRE-54.
    """
    fort, vacated = shelter(position, target)
    return FireContext(
        distance,
        men_in(position, target.hex),
        terrain_at(position, target.hex),
        fort=fort,
        vacated=vacated,
        storm=position.weather.storm,
        frozen=position.weather.condition == FROZEN,
    )


def worked_out(position: Position, firer: Unit, target: Unit, context: FireContext, share: float = 1.0) -> Shot:
    """A fire under these circumstances, of which the target gets a share."""
    parameters = position.parameters
    attacker, defender = as_firer(position, firer), as_target(position, target)
    context = replace(context, advantage=advantage(position, firer.side))
    value = fire_value(attacker, defender, context, parameters)
    multiplier = disruption_multiplier(attacker, defender, context, parameters)
    return Shot(value, fire_interval(value.cv * share, parameters), as_struck(target), multiplier)


def shot(position: Position, firer: Unit, target: Unit) -> Shot:
    """The direct fire of one unit at another, as they stand.

    Rules: PB-FIRE-56.
    """
    board = position.ground.board
    context = replace(
        surroundings(position, target, board.distance(firer.hex, target.hex)),
        hexside_pct=hexside_pct(position, firer.hex, target.hex),
        uphill=board.elevation[target.hex] > board.elevation[firer.hex],
    )
    return worked_out(position, firer, target, context)
