"""Before the first turn: units from the scenario, objectives with their owners.

Rules: PB-VIC-3, PB-OOB-6, PB-SPOT-30.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.content import ScenarioUnit
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import NOBODY, NOWHERE, HexId, SideId, UnitId
from sandtable.kernel.state import State
from sandtable.play.dealing import dealt
from sandtable.rulesets.panzer_battles.clock import minutes_of
from sandtable.rulesets.panzer_battles.engineers.wiring import wired_sides, with_wires
from sandtable.rulesets.panzer_battles.environment.weather import forecast_at, header_of, visibility
from sandtable.rulesets.panzer_battles.facing import FACINGS
from sandtable.rulesets.panzer_battles.features import placed
from sandtable.rulesets.panzer_battles.frames import StepFrame
from sandtable.rulesets.panzer_battles.ground import Ground, Options
from sandtable.rulesets.panzer_battles.kinds import AIRCRAFT, KINDS, SHIPS
from sandtable.rulesets.panzer_battles.model import (
    COMING,
    DEPLOYED,
    NO_FACING,
    RAIL,
    TRAVEL,
    WITHDRAWN,
    Position,
    Unit,
    Weather,
    enemy_of,
    with_units,
)
from sandtable.rulesets.panzer_battles.movement.costs import allowance
from sandtable.rulesets.panzer_battles.scenario import BattleScenario, UnitDetails
from sandtable.rulesets.panzer_battles.spotting.concealment import can_hide
from sandtable.rulesets.panzer_battles.supply.artillery import needs_setup
from sandtable.rulesets.panzer_battles.supply.columns import capacity, is_column


def opening(scenario: BattleScenario, options: dict[str, Any], key: DiceKey) -> State[Position]:
    """The table as the scenario lays it out, before the first side's first turn begins; all chance comes from the key.

    Rules: PB-GEN-10.
    """
    ground = Ground.of(scenario, msgspec.convert({**scenario.options, **options}, Options))
    sections, board = scenario.sections, scenario.board
    environment = sections.environment
    found = placed(board, sections.features, ground.parameters.misc.congestion_side)
    owners = {
        HexId(board.parse(label)): SideId(side) for side, labels in sections.ownership.items() for label in labels
    }
    position = Position(
        ground=ground,
        turn=0,
        minutes=minutes_of(sections.clock),
        visibility=_first_sight(ground, minutes_of(sections.clock)),
        active=enemy_of(SideId(scenario.first)),
        units=_units(scenario, key, ground.options),
        owners=dict(sorted(owners.items())),
        weather=Weather(environment.condition, environment.storm, environment.visibility),
        features=with_wires(board, sections.wired, found),
        sides=wired_sides(board, sections.wired),
    )
    return State(_hidden(_fresh(position)), (StepFrame(),), key)


def _first_sight(ground: Ground, minutes: int) -> int:
    """How far one sees before the first turn: no farther than in it, since what goes out of sight is remembered. What
    weather the program brings is drawn later; until then nobody sees farther than in the worst of it.

    Rules: PB-ENV-2, PB-ENV-3, PB-ENV-4, PB-ENV-17, PB-ENV-26.
    """
    header, forecast = header_of(ground), forecast_at(ground, minutes)
    weather = Weather(header.condition, header.storm, header.visibility)
    if forecast is not None:
        weather = Weather(header.condition, bool(forecast.storm_pct), min(forecast.visibility))
    return visibility(weather, minutes, ground)


def _units(scenario: BattleScenario, key: DiceKey, options: Options) -> tuple[Unit, ...]:
    """All units, dealt ids by the seed so that an id tells nothing of what it is on; supply columns stay away unless
    the option brings them.

    Rules: PB-OOB-15, PB-OPT-8.
    """
    ids = dealt(len(scenario.units), key)
    numbers = {entry.id: id for entry, id in zip(scenario.units, ids, strict=True)}
    units = [_unit(entry, id, numbers) for entry, id in zip(scenario.units, ids, strict=True)]
    present = [unit if options.explicit_supply or not is_column(unit) else left_out(unit) for unit in units]
    return tuple(sorted(present, key=lambda unit: unit.id))


def left_out(unit: Unit) -> Unit:
    """A unit that takes no part in the battle."""
    return replace(unit, hex=NOWHERE, away=WITHDRAWN)


MODES = {mode: mode for mode in (DEPLOYED, TRAVEL, RAIL)}
"""The very constants, since what is written leaves out what is the default by identity."""


def _mode(entry: ScenarioUnit[UnitDetails]) -> str:
    """The mode that a unit begins in: as the file says, or the one that its kind and its place make likely; ships have
    one alone.

    Rules: PB-MOVE-56, PB-MOVE-60, PB-REIN-5, PB-REIN-17.
    """
    if KINDS[entry.type].has("rail_unit"):
        return DEPLOYED if entry.details.mode == DEPLOYED else RAIL
    if KINDS[entry.type].component == SHIPS:
        return DEPLOYED
    by_place = TRAVEL if entry.arrival is not None else DEPLOYED
    return MODES.get(entry.details.mode, by_place)


def _unit(entry: ScenarioUnit[UnitDetails], id: UnitId, numbers: Mapping[str, UnitId]) -> Unit:
    details, kind = entry.details, KINDS[entry.type]
    full = details.full or kind.full
    return Unit(
        id=id,
        kind=entry.type,
        side=SideId(entry.side),
        hex=HexId(entry.hex or 0),
        strength=details.strength or full,
        full=full,
        quality=details.quality,
        fatigue=details.fatigue,
        mode=_mode(entry),
        fixed=details.fixed,
        disrupted=details.disrupted and not details.broken,
        broken=details.broken,
        low_ammo=details.low_ammo,
        low_fuel=details.low_fuel,
        unavailable=details.unavailable,
        stockpiled=details.stockpiled,
        on_foot=details.on_foot,
        flags=tuple(sorted(details.flags)),
        carrier=numbers[entry.aboard] if entry.aboard else NOBODY,
        away="" if entry.hex or kind.component == AIRCRAFT else COMING,
        formation=details.formation,
        name=entry.id,
        title=entry.name,
        facing=FACINGS.index(details.facing) if details.facing else NO_FACING,
    )


def _fresh(position: Position) -> Position:
    """Every unit has the movement points that its state and the weather leave it; guns on the march are not set up,
    and supply columns are full.

    Rules: PB-SUP-45, PB-OPT-9.
    """
    explicit = position.ground.options.explicit_supply
    return with_units(
        position,
        [
            replace(
                unit,
                mp=allowance(position, unit),
                setup_required=(unit.mode != DEPLOYED or unit.away == COMING) and needs_setup(position.ground, unit),
                stores=capacity(unit) if explicit and is_column(unit) else 0,
            )
            for unit in position.units
        ],
    )


def _hidden(position: Position) -> Position:
    """Units that begin in terrain that hides them are concealed, whoever looks.

    Rules: PB-SPOT-30.
    """
    return with_units(
        position,
        [replace(unit, concealed=True) for unit in position.units if unit.hex and can_hide(position, unit, unit.hex)],
    )
