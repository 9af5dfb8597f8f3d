"""Sides and elements: the other side, and positions in which some elements have changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.ids import SideId, UnitId
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, Element, Position


def enemy_of(side: SideId) -> SideId:
    """The other side."""
    return GERMAN if side == ALLIED else ALLIED


def is_over(position: Position) -> bool:
    """Whether the battle has ended."""
    return position.level != ""


def with_elements(position: Position, changed: Iterable[Element]) -> Position:
    """The position in which these elements are as given; the very same when there are none."""
    elements = position.derived.exchange(position.elements, changed)
    return position if elements is position.elements else replace(position, elements=elements)


def with_element(position: Position, id: UnitId, **changes: Any) -> Position:
    """The position in which one element has changed so."""
    return with_elements(position, (replace(position.elements[id], **changes),))
