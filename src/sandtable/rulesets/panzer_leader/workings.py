"""What one part of the room works out and another goes on with: an attack with its tallies, a shift, a barrage.

Rules: PL-802, PL-833.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import msgspec

from sandtable.kernel.ids import HexId, UnitId
from sandtable.kernel.trace import Line, Tally


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
