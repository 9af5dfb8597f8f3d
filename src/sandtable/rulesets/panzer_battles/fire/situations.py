"""From the table to the formulas: a fire as fire values see it, and its victim as combat results do."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.fire.values import (
    FireContext,
    Firer,
    FireValue,
    Target,
    disruption_multiplier,
    fire_value,
)
from sandtable.rulesets.panzer_battles.model import Position, Unit
from sandtable.rulesets.panzer_battles.movement.costs import is_road_only
from sandtable.rulesets.panzer_battles.movement.stacking import men_in
from sandtable.rulesets.panzer_battles.results.losses import Interval, fire_interval
from sandtable.rulesets.panzer_battles.results.struck import Struck, size_of
from sandtable.rulesets.panzer_battles.spotting.sight import crossed_sides


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
    board, percents = position.ground.board, position.parameters.hexside.combat_pct
    crossed = (board.side_features(*side) for side in crossed_sides(board, start, place))
    # a bridge or ford changes nothing for fire
    return min(
        (percents[one] for features in crossed for one in features if one in percents and one != "ford"), default=0
    )


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
    )


def as_target(position: Position, unit: Unit) -> Target:
    """A unit that is fired at."""
    return Target(
        unit.of,
        unit.side,
        unit.of.defense,
        unit.mode,
        road_only=is_road_only(position, unit, unit.hex),
        vulnerable=unit.vulnerable,
        broken=unit.broken,
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
        size_of(1, is_company=kind.is_company),
        kind.has("hq"),
        unit.disrupted,
        unit.broken,
    )


def shot(position: Position, firer: Unit, target: Unit) -> Shot:
    """The direct fire of one unit at another, as they stand.

    Rules: PB-FIRE-56.
    """
    board, parameters = position.ground.board, position.parameters
    context = FireContext(
        board.distance(firer.hex, target.hex),
        men_in(position, target.hex),
        board.terrain[target.hex],
        hexside_pct(position, firer.hex, target.hex),
        uphill=board.elevation[target.hex] > board.elevation[firer.hex],
    )
    attacker, defender = as_firer(position, firer), as_target(position, target)
    value = fire_value(attacker, defender, context, parameters)
    multiplier = disruption_multiplier(attacker, defender, context, parameters)
    return Shot(value, fire_interval(value.cv, parameters), as_struck(target), multiplier)
