"""What one part of the room works out and another goes on with: how an element moves, the totals of an attack.

Rules: P8-6.09, P8-6.10, P8-8.04.
"""

from __future__ import annotations

import msgspec

from sandtable.kernel.trace import Line, Tally


class Gait(msgspec.Struct, frozen=True):
    """How an element moves now: its rows of the table (its own, and its tow's), on bicycles, on crowded roads."""

    rows: tuple[str, ...]
    on_bicycles: bool = False
    is_congested: bool = False


class Contest(msgspec.Struct, frozen=True):
    """The modifiers of the two totals of an attack, each explained."""

    attack: Tally
    defense: Tally

    @property
    def modifier(self) -> int:
        """M: the difference of all modifiers (P8-8.04)."""
        return int(self.attack.total) - int(self.defense.total)

    @property
    def lines(self) -> tuple[Line, ...]:
        """Both sides of the calculation, the defender's numbers taken off."""
        against = (Line(line.label, -int(line.value), line.rule) for line in self.defense.lines)
        return (*self.attack.lines, *against)
