"""What one part of the room works out and another goes on with: the terms of a move, a stretch of way, an attack.

Rules: PL-601, PL-603, PL-802, PL-833.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import msgspec

from sandtable.kernel.ids import HexId, RuleId, UnitId
from sandtable.kernel.trace import Line, Tally

Crossings = dict[int, tuple[RuleId, ...]]
"""The steps that need a die, by their place in a layer, with the rules that ask for it."""


class Terms(msgspec.Struct, frozen=True, gc=False):
    """The terms on which a unit moves now: costs with and without the road rate, flags by hex, and points left.

    `leaving` is what it pays to get out of its hex at all, already taken from what is left (PL-1305, PL-1333).
    """

    costs: bytes
    alternate: bytes
    flags: bytearray
    left: int
    leaving: int
    plain: bytes
    crossings: Crossings
    alternate_crossings: Crossings


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """How far a unit gets before something can happen, what that costs, and what is in front of it then."""

    hexes: int
    cost: int
    on_road: bool
    ahead: str = ""
    dice: tuple[RuleId, ...] = ()


class Tallies(NamedTuple):
    """The four numbers of an attack, each with the lines that made it."""

    strength: Tally
    defense: Tally
    odds: Tally
    die: Tally

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, in the order in which an attack is worked out."""
        return tuple([line for tally in self for line in tally.lines])


class Attack(msgspec.Struct, frozen=True, kw_only=True):
    """An attack ready to be rolled: everything but the die, with the tallies that explain each number."""

    group: str
    how: str
    attackers: tuple[UnitId, ...]
    hex: HexId
    targets: tuple[UnitId, ...]
    strength: Fraction
    defense: int
    base: str
    odds: str
    drm: int
    rule: str
    tallies: Tallies


class Shift(msgspec.Struct, frozen=True):
    """A shift of the odds to the right, by so many columns and the rule that gives it."""

    columns: int
    label: str
    rule: str


class Barrage(msgspec.Struct, frozen=True):
    """All fire that comes down on one hex: the batteries, and the points of naval guns (PL-1110)."""

    hex: HexId
    batteries: tuple[UnitId, ...] = ()
    naval: int = 0
