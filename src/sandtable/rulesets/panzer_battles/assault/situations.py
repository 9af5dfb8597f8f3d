"""From the table to the formulas: who fights in an assault, and under which circumstances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles import clock
from sandtable.rulesets.panzer_battles.assault.values import (
    AssaultContext,
    AssaultValue,
    Fighter,
    assault_value,
    is_mixed,
)
from sandtable.rulesets.panzer_battles.facing import covers
from sandtable.rulesets.panzer_battles.features import work_at
from sandtable.rulesets.panzer_battles.fire.situations import advantage, as_target
from sandtable.rulesets.panzer_battles.formations import chain
from sandtable.rulesets.panzer_battles.model import Position, Unit, enemy_of, men
from sandtable.rulesets.panzer_battles.movement.costs import BRIDGE_BEARS
from sandtable.rulesets.panzer_battles.operations import BRIDGING, MINING, is_at
from sandtable.rulesets.panzer_battles.parameter_sections import URBAN, WATERS
from sandtable.rulesets.panzer_battles.terrain import FROZEN, features_on, obstacles_on, terrain_at

HEDGE_ROW = "hedge_row"
CROSSED_BY = {**dict.fromkeys(BRIDGE_BEARS, "bridge"), "ford": "ford"}
"""The crossings whose own modifier counts in an assault (PB-ASLT-20)."""


def features_between(position: Position, start: HexId, place: HexId) -> frozenset[str]:
    """What lies on the hexside between two neighbors."""
    return features_on(position, start, position.ground.board.direction(start, place))


def side_pct(position: Position, start: HexId, place: HexId) -> int:
    """The modifier of the hexside that an attacker comes across; a bridge or ford counts instead of its water, and
    neither does where that is frozen.

    Rules: PB-ASLT-20, PB-ENV-13.
    """
    percents, direction = position.parameters.hexside.combat_pct, position.ground.board.direction(start, place)
    features = obstacles_on(position, start, direction)
    is_frozen = features != features_on(position, start, direction) and features.isdisjoint(WATERS)
    crossings = [percents[CROSSED_BY[one]] for one in features if one in CROSSED_BY and not is_frozen]
    spared = (*WATERS, *CROSSED_BY) if crossings or is_frozen else ()
    others = [percents[one] for one in features if one in percents and one not in spared]
    return min([*others, max(crossings)] if crossings else others, default=0)


def organization(position: Position, unit: Unit) -> tuple[str, str]:
    """The division, or else brigade, and the corps that a unit belongs to, empty where there is none.

    Rules: PB-ASLT-25.
    """
    levels = {one.level: one.id for one in chain(position, unit.formation)}
    return levels.get("division", levels.get("brigade", "")), levels.get("corps", "")


def is_turned_away(position: Position, unit: Unit, attackers: Sequence[Unit]) -> bool:
    """Whether all who attack a unit come from where it does not face.

    Rules: PB-ASLT-19.
    """
    return not any(covers(position.ground.board, unit, one.hex) for one in attackers)


def as_fighter(position: Position, unit: Unit, place: HexId, attackers: Sequence[Unit] = ()) -> Fighter:
    """A unit in an assault on a hex; of a defender it counts where the attackers come from."""
    attacks = unit.hex != place
    return Fighter(
        as_target(position, unit),
        unit.strength,
        unit.of.assault,
        unit.quality,
        unit.fatigue,
        unit.hex,
        position.ground.board.terrain[unit.hex] in URBAN,
        unit.disrupted,
        unit.low_ammo,
        unit.digging_in,
        is_at(unit, *BRIDGING),
        is_at(unit, *MINING),
        over_hedge_row=attacks and HEDGE_ROW in features_between(position, unit.hex, place),
        faces_away=not attacks and is_turned_away(position, unit, attackers),
        charges=unit.has("demolition"),
    )


def circumstances(position: Position, attackers: Sequence[Unit], place: HexId) -> AssaultContext:
    """Everything but the units that an assault on a hex depends on."""
    work = work_at(position, place)
    return AssaultContext(
        terrain_at(position, place),
        min(side_pct(position, unit.hex, place) for unit in attackers),
        work.kind if work else "",
        work is not None and (work.vacated or work.side == attackers[0].side),
        storm=position.weather.storm,
        frozen=position.weather.condition == FROZEN,
        mixed_organizations=is_mixed(organization(position, unit) for unit in attackers),
        night=clock.is_night(position.minutes, position.parameters),
        attacker_advantage=advantage(position, attackers[0].side),
        defender_advantage=advantage(position, enemy_of(attackers[0].side)),
    )


def exposed_to_answers(position: Position, attackers: Iterable[Unit]) -> list[Unit]:
    """Who draws the answers to an assault: of each attacking hex the largest unit.

    Rules: PB-OPF-1.
    """
    largest: dict[HexId, Unit] = {}
    for unit in attackers:
        most = largest.get(unit.hex)
        if most is None or men(unit, position.parameters) > men(most, position.parameters):
            largest[unit.hex] = unit
    return list(largest.values())


def value_of(position: Position, attackers: Sequence[Unit], defenders: Sequence[Unit], place: HexId) -> AssaultValue:
    """What an assault is worth as both sides stand."""
    return assault_value(
        [as_fighter(position, unit, place) for unit in attackers],
        [as_fighter(position, unit, place, attackers) for unit in defenders],
        circumstances(position, attackers, place),
        position.parameters,
    )
