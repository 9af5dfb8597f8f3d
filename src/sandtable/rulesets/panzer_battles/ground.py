"""What a battle is fought on and never changes in it: the board, the scenario, the options and the parameter data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from sandtable.kernel import codec
from sandtable.play.ground import Battleground
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, TABLES, Parameters, overridden

if TYPE_CHECKING:
    from sandtable.content import Scenario

TABLE_FILES: Final = ("parameters.toml", "units.toml")
"""The files whose digest a battle is pinned to."""


class Options(msgspec.Struct, frozen=True):
    """The named switches of a battle.

    Rules: PB-SPOT-19.
    """

    fog: bool = True


class Ground(Battleground[Options]):
    """The fixed part of a battle, with its parameter data.

    Rules: PB-GEN-19.
    """

    __slots__ = ("parameters",)

    def __init__(self, scenario: Scenario[Any, Any], options: Options) -> None:
        super().__init__(scenario, options)
        changes = scenario.sections.parameters
        self.parameters: Parameters = overridden(changes, scenario.file) if changes else DEFAULTS
        self.digest = codec.digest([self.digest, *(TABLES.joinpath(name).read_text("utf-8") for name in TABLE_FILES)])
