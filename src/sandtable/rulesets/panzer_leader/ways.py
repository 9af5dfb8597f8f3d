"""The terms on which a unit moves, and the stretches of its way: compiled classes, since every step reads them.

Rules: PL-601, PL-603.
"""

from __future__ import annotations

from sandtable.kernel.ids import RuleId

Crossings = dict[int, tuple[RuleId, ...]]
"""The steps that need a die, by their place in a layer, with the rules that ask for it."""


class Terms:
    """The terms on which a unit moves now: costs with and without the road rate, flags by hex, and points left.

    `leaving` is what it pays to get out of its hex at all, already taken from what is left (PL-1305, PL-1333).
    """

    __slots__ = ("alternate", "alternate_crossings", "costs", "crossings", "flags", "leaving", "left", "plain")

    def __init__(
        self,
        costs: bytes,
        alternate: bytes,
        flags: bytearray,
        left: int,
        leaving: int,
        plain: bytes,
        crossings: Crossings,
        alternate_crossings: Crossings,
    ) -> None:
        self.costs, self.alternate, self.flags, self.plain = costs, alternate, flags, plain
        self.left, self.leaving = left, leaving
        self.crossings, self.alternate_crossings = crossings, alternate_crossings


class Stretch:
    """How far a unit gets before something can happen, what that costs, and what is in front of it then."""

    __slots__ = ("ahead", "cost", "dice", "hexes", "on_road")

    def __init__(self, hexes: int, cost: int, on_road: bool, ahead: str = "", dice: tuple[RuleId, ...] = ()) -> None:
        self.hexes, self.cost, self.on_road = hexes, cost, on_road
        self.ahead, self.dice = ahead, dice
