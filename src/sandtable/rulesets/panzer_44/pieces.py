"""Sides and units: the other side, the First Player, and positions in which some units have changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import SideId, UnitId
from sandtable.rulesets.panzer_44.ground import Ground
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, Position, Unit


def enemy_of(side: SideId) -> SideId:
    """The other side."""
    return GERMAN if side == ALLIED else ALLIED


def first_player(position: Position) -> SideId:
    """The First Player of the turn."""
    return first_player_of(position.ground, position.turn)


def first_player_of(ground: Ground, turn: int) -> SideId:
    """The First Player of some turn: the scenario's, or every turn the other one (P44-5.02, P44-15.05)."""
    first = SideId(ground.scenario.first)
    return enemy_of(first) if ground.options.alternating_first and turn % 2 == 0 else first


def is_over(position: Position) -> bool:
    """Whether the battle has ended."""
    return position.level != ""


def with_units(position: Position, changed: Iterable[Unit]) -> Position:
    """The position in which these units are as given; the very same when there are none."""
    units = position.derived.exchange(position.units, changed)
    return position if units is position.units else replace(position, units=units)


def with_unit(position: Position, id: UnitId, **changes: Any) -> Position:
    """The position in which one unit has changed so."""
    return with_units(position, (replace(position.units[id], **changes),))
