"""Supply columns of the optional rule: they bring supplies to those around them, and use them up.

Rules: PB-OPT-8, PB-OPT-9, PB-OOB-15.
"""

from __future__ import annotations

from math import ceil

from sandtable.rulesets.panzer_battles import index
from sandtable.rulesets.panzer_battles.model import Position, Unit, men
from sandtable.rulesets.panzer_battles.supply.sources import usable

POINTS_PER_VEHICLE, MEN_PER_POINT = 100, 10
"""What a supply column carries, and how many men-equivalents a point serves; the rules and not the data say it.

Rules: PB-OPT-9.
"""


def is_column(unit: Unit) -> bool:
    """Whether a unit is a supply column."""
    return unit.of.has("supply")


def capacity(unit: Unit) -> int:
    """The most points that a supply column carries.

    Rules: PB-OPT-9.
    """
    return unit.strength * POINTS_PER_VEHICLE


def column_for(position: Position, unit: Unit) -> Unit | None:
    """The supply column that serves a unit: the nearest of its side within reach that has points and is not Broken.

    Rules: PB-OPT-9.
    """
    board, radius = position.ground.board, position.parameters.supply.supply_unit_radius
    near = index.near(position, unit.side, unit.hex, radius)
    able = [one for one in near if is_column(one) and one.stores and not one.broken]
    return min(able, key=lambda one: (board.distance(one.hex, unit.hex), one.id), default=None)


def is_served(position: Position, unit: Unit) -> bool:
    """Whether a unit has its whole supply value: always, unless supply comes by columns and none is near.

    Rules: PB-OPT-9.
    """
    return not position.ground.options.explicit_supply or column_for(position, unit) is not None


def points_for(position: Position, unit: Unit) -> int:
    """The points that a supplied unit takes from its column.

    Rules: PB-OPT-9.
    """
    return ceil(men(unit, position.parameters) / MEN_PER_POINT)


def refilled(position: Position, unit: Unit) -> int:
    """The points that a column has at the start of its turn: all of them on a source, else what is left.

    Rules: PB-OPT-9.
    """
    on_source = unit.hex in usable(position, unit.side)
    return capacity(unit) if on_source else min(unit.stores, capacity(unit))
