"""Before the first turn: units from the scenario, objectives with their owners.

Rules: PB-VIC-3, PB-OOB-6, PB-SPOT-30.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.content import ScenarioUnit
from sandtable.kernel.dice import DiceKey
from sandtable.kernel.ids import HexId, SideId, UnitId
from sandtable.kernel.state import State
from sandtable.play.dealing import dealt
from sandtable.rulesets.panzer_battles.clock import minutes_of
from sandtable.rulesets.panzer_battles.frames import StepFrame
from sandtable.rulesets.panzer_battles.ground import Ground, Options
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import DEPLOYED, TRAVEL, Position, Unit, enemy_of, with_units
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.scenario import BattleScenario, UnitDetails
from sandtable.rulesets.panzer_battles.spotting.concealment import can_hide


def opening(scenario: BattleScenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
    """The table as the scenario lays it out, before the first side's first turn begins."""
    ground = Ground.of(scenario, msgspec.convert({**scenario.options, **options}, Options))
    sections, board = scenario.sections, scenario.board
    owners = {
        HexId(board.parse(label)): SideId(side) for side, labels in sections.ownership.items() for label in labels
    }
    position = Position(
        ground=ground,
        turn=0,
        minutes=minutes_of(sections.clock),
        visibility=sections.visibility[0],
        active=enemy_of(SideId(scenario.first)),
        units=_units(scenario, ground, key),
        owners=dict(sorted(owners.items())),
    )
    return State(_hidden(position), (StepFrame(),), key)


def _units(scenario: BattleScenario, ground: Ground, key: DiceKey) -> tuple[Unit, ...]:
    """All units, dealt ids by the seed so that an id tells nothing of what it is on."""
    ids = dealt(len(scenario.units), key)
    units = [_unit(entry, id, ground) for entry, id in zip(scenario.units, ids, strict=True)]
    return tuple(sorted(units, key=lambda unit: unit.id))


def _unit(entry: ScenarioUnit[UnitDetails], id: UnitId, ground: Ground) -> Unit:
    details, kind = entry.details, KINDS[entry.type]
    full = details.full or kind.full
    unit = Unit(
        id=id,
        kind=entry.type,
        side=SideId(entry.side),
        hex=HexId(entry.hex or 0),
        strength=details.strength or full,
        full=full,
        quality=details.quality,
        fatigue=details.fatigue,
        mode=TRAVEL if details.mode == TRAVEL else DEPLOYED,
        fixed=details.fixed,
        formation=details.formation,
        name=entry.id,
        title=entry.name,
    )
    return replace(unit, mp=allowance(unit, ground.parameters))


def _hidden(position: Position) -> Position:
    """Units that begin in terrain that hides them are concealed, whoever looks.

    Rules: PB-SPOT-30.
    """
    return with_units(
        position, [replace(unit, concealed=True) for unit in position.units if can_hide(position, unit, unit.hex)]
    )
