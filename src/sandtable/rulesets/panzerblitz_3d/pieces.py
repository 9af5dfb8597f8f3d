"""Sides and units: the other side, and positions in which some units have changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import SideId, UnitId
from sandtable.rulesets.panzerblitz_3d.model import GERMAN, RUSSIAN, Position, Unit


def enemy_of(side: SideId) -> SideId:
    """The other side."""
    return RUSSIAN if side == GERMAN else GERMAN


def with_units(position: Position, changed: Iterable[Unit], **others: Any) -> Position:
    """The position in which these units are as given, and others of its fields; the very same when nothing changes."""
    units = position.derived.exchange(position.units, changed)
    if units is not position.units:
        others["units"] = units
    return replace(position, **others) if others else position


def with_unit(position: Position, id: UnitId, **changes: Any) -> Position:
    """The position in which one unit has changed so."""
    return with_units(position, (replace(position.units[id], **changes),))
