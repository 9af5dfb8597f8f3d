"""What a battle is fought on and never changes in it: the board, the scenario and the options chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import msgspec

from sandtable.geometry.board import Board
from sandtable.kernel import codec
from sandtable.kernel.ids import HexId, SideId

if TYPE_CHECKING:
    from sandtable.content import Scenario

Options = TypeVar("Options", bound=msgspec.Struct)
T = TypeVar("T")

KEPT = 32
"""So many grounds of a room are remembered; who plays on an older one keeps it himself."""


class Battleground(codec.Fixed, Generic[Options]):
    """The fixed part of a battle; each room has a class of its own. `cache` holds what is derived from it alone, such
    as lines of sight and movement costs.
    """

    __slots__ = ("board", "cache", "digest", "options", "scenario")

    kept: ClassVar[dict[str, Any]]

    def __init_subclass__(cls) -> None:
        cls.kept = {}

    def __init__(self, scenario: Scenario[Any, Any], options: Options) -> None:
        self.scenario = scenario
        self.board: Board = scenario.board
        self.options = options
        self.digest = codec.digest([scenario.digest, self.board.digest, options])
        self.cache: dict[Any, Any] = {}

    @classmethod
    def of(cls, scenario: Scenario[Any, Any], options: Options) -> Self:
        """The ground of a battle; battles of one scenario with the same options share it and all that is derived from
        it.
        """
        fresh = cls(scenario, options)
        shared: Self = cls.kept.setdefault(fresh.digest, fresh)
        if len(cls.kept) > KEPT:
            del cls.kept[next(iter(cls.kept))]
        return shared

    def once(self, name: object, make: Callable[[], T]) -> T:
        """What is derived from the ground under that name, worked out when it is first asked for."""
        kept = self.cache.get(name)
        if kept is None:
            kept = self.cache[name] = make()
        made: T = kept
        return made


def zone_of(ground: Battleground[Any], side: SideId) -> dict[HexId, None]:
    """The hexes of a side's setup zone, in order and quick to look up."""
    return ground.once(("zone", side), lambda: dict.fromkeys(ground.scenario.zone(side)))


def arrivals(ground: Battleground[Any]) -> dict[str, tuple[int, tuple[HexId, ...]]]:
    """The turn from which each reinforcement may come and where, by its name in the scenario."""
    return ground.once(
        "arrivals",
        lambda: {
            entry.id: (entry.arrival.turn, entry.arrival.hexes)
            for entry in ground.scenario.units
            if entry.arrival is not None
        },
    )
