"""What one part of the room works out and another goes on with: the terms of a move, a stretch of way, an attack.

Rules: PB3-602, PB3-604, PB3-808, PB3-811.
"""

from __future__ import annotations

import msgspec

from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.trace import Tally


class Terms(msgspec.Struct, frozen=True, gc=False):
    """The terms on which a unit moves now: costs with and without the road rate, flags by hex, points left, whether it
    has not moved yet, so that it may always enter one hex, and the hex where it stands if nobody else is there, so that
    it may come back by road.
    """

    costs: bytes
    alternate: bytes
    flags: bytearray
    left: int
    fresh: bool
    home: HexId


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """How far a unit gets before something can happen, what that costs, and whether the way is barred then."""

    hexes: int
    cost: int
    on_road: bool
    barred: bool = False


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """An attack ready to be rolled: everything but the die, with the tallies that explain each number."""

    side: SideId
    how: str
    attackers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]
    strength: int
    defense: int
    base: str
    odds: str
    drm: int
    rule: str
    tallies: tuple[Tally, ...]


class Shift(msgspec.Struct, frozen=True):
    """A shift of the odds one column to the right and the rule that gives it."""

    label: str
    rule: str
