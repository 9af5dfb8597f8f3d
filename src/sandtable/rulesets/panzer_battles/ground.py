"""What a battle is fought on and never changes in it: the board, the scenario, the options and the parameter data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.play.ground import Battleground
from sandtable.rulesets.panzer_battles.parameters import Parameters, parameters_of
from sandtable.rulesets.panzer_battles.version import RULES_VERSION

if TYPE_CHECKING:
    from sandtable.content import Scenario


class Options(msgspec.Struct, frozen=True):
    """The named switches of a battle.

    Rules: PB-SPOT-19, PB-OPT-1, PB-OPT-5, PB-OPT-6, PB-OPT-7, PB-OPT-10, PB-OPT-11, PB-OPT-16, PB-FIRE-71.
    """

    fog: bool = True
    programmed_weather: bool = False
    artillery_setup: bool = False
    counterbattery: bool = False
    fire_by_map: bool = False
    low_visibility_air: bool = False
    explicit_supply: bool = False
    alternative_fire: bool = False
    alternative_assault: bool = False
    quality_fatigue: bool = False
    broken_at_maximum: bool = False
    automatic_arrival: bool = False
    advantage: int = 0


class Ground(Battleground[Options]):
    """The fixed part of a battle, with its parameter data, of which an option may change a value.

    Rules: PB-GEN-19, PB-OPT-15.
    """

    __slots__ = ("parameters",)

    def __init__(self, scenario: Scenario[Any, Any], options: Options) -> None:
        super().__init__(scenario, options)
        parameters = parameters_of(scenario)
        if options.broken_at_maximum:
            parameters = replace(parameters, misc=replace(parameters.misc, broken_requires_max_fatigue=True))
        self.parameters: Parameters = parameters
        self.digest = codec.digest([self.digest, RULES_VERSION])
