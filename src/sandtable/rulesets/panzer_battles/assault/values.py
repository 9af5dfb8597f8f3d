"""What both sides are worth in an assault: assault values, combined arms, average defenses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles.fire.values import (
    NO_ADVANTAGE,
    TRAVEL,
    Target,
    base_defense,
    is_exposed,
    is_in_hard_work,
    is_in_own_vehicles,
    weaken,
)
from sandtable.rulesets.panzer_battles.kinds import men_equivalents
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.struck import fatigue_level
from sandtable.rulesets.panzer_battles.tallying import HALF, QUARTER, Tallying


class Fighter(msgspec.Struct, frozen=True):
    """A unit in an assault. `hex` is where it comes from, `urban` whether it stands among houses, `faces_away` that no
    attacker comes through a hexside it faces; `bridging` and `mining` are the work of engineers; `charges` are those it
    carries against bunkers.
    """

    unit: Target
    strength: int
    assault: float
    quality: str = "C"
    fatigue: int = 0
    hex: int = 0
    urban: bool = False
    disrupted: bool = False
    low_ammo: bool = False
    digging_in: bool = False
    bridging: bool = False
    mining: bool = False
    over_hedge_row: bool = False
    faces_away: bool = False
    charges: bool = False

    @property
    def fights_as_vehicle(self) -> bool:
        """Whether it consists of vehicles now; men do while they ride in their own in Travel Mode.

        Rules: PB-ASLT-21, PB-UNIT-9, PB-MOVE-67.
        """
        return self.unit.kind.is_vehicles or is_in_own_vehicles(self.unit)


class AssaultContext(msgspec.Struct, frozen=True):
    """Everything else that an assault depends on. `hexside_pct` is the most protective modifier among the hexsides
    crossed; `terrain` and `fort` are those of the defending hex.
    """

    terrain: str = "clear"
    hexside_pct: int = 0
    fort: str = ""
    vacated: bool = False
    mixed_organizations: bool = False
    storm: bool = False
    frozen: bool = False
    night: bool = False
    attacker_advantage: float = NO_ADVANTAGE
    defender_advantage: float = NO_ADVANTAGE


class AssaultValue(NamedTuple):
    """What an assault is worth: the combat value that each side suffers, and everything that made them."""

    on_defenders: float
    on_attackers: float
    attack: float
    defense: float
    attackers_guard: float
    defenders_guard: float
    tallies: tuple[Tally, ...]


def supporting(hexes: Sequence[tuple[int, int]]) -> int:
    """How many infantrymen go with the vehicles of their own hex; a hex is its vehicles and its infantrymen.

    Rules: PB-ASLT-30.
    """
    return sum(min(infantry, 10 * vehicles) for vehicles, infantry in hexes)


def unaccompanied(hexes: Sequence[tuple[int, int]], defending_infantry: int) -> tuple[int, ...]:
    """How many vehicles of each hex attack without the infantry they need, and so at half strength.

    Rules: PB-ASLT-30, PB-ASLT-31, PB-ASLT-32, PB-ASLT-33.
    """
    lacking = defending_infantry - supporting(hexes)
    alone = [max(0, vehicles - infantry // 10) for vehicles, infantry in hexes]
    everyone = sum(alone)
    if lacking <= 0 or not everyone:
        return (0,) * len(hexes)
    count = min(-(-lacking // 10), everyone)
    shares = [divmod(count * here, everyone) for here in alone]
    result = [whole for whole, _ in shares]
    by_rest = sorted(range(len(hexes)), key=lambda n: (-shares[n][1], n))
    for n in by_rest[: count - sum(result)]:
        result[n] += 1
    return tuple(result)


def combined_arms(
    attackers: Sequence[Fighter], defenders: Sequence[Fighter], context: AssaultContext
) -> tuple[int, ...]:
    """How many vehicles of each attacking unit fight at half strength for want of infantry beside them.

    Rules: PB-ASLT-29, PB-ASLT-30, PB-ASLT-33.
    """
    result = [0] * len(attackers)
    if context.terrain == "clear":
        return tuple(result)
    places = sorted({fighter.hex for fighter in attackers})
    crews = [
        (
            sum(one.strength for one in attackers if one.hex == place and one.unit.kind.is_vehicles),
            sum(one.strength for one in attackers if one.hex == place and one.unit.kind.is_men),
        )
        for place in places
    ]
    infantry = sum(one.strength for one in defenders if one.unit.kind.is_men)
    for place, left in zip(places, unaccompanied(crews, infantry), strict=True):
        vehicles = [n for n, one in enumerate(attackers) if one.hex == place and one.unit.kind.is_vehicles]
        for n in sorted(vehicles, key=lambda n: (-attackers[n].assault, n)):
            result[n] = min(left, attackers[n].strength)
            left -= result[n]
    return tuple(result)


def attack_factor(fighter: Fighter) -> float:
    """What the state of an attacker leaves of its assault value.

    Rules: PB-ASLT-12, PB-ASLT-27.
    """
    factor = QUARTER if fighter.unit.mode == TRAVEL or fighter.low_ammo else 1.0
    return factor * HALF if _struggles(fighter) else factor


def _struggles(fighter: Fighter) -> bool:
    return fighter.over_hedge_row and fighter.fights_as_vehicle


def defend_factor(fighter: Fighter) -> float:
    """What the state of a defender leaves of its assault value.

    Rules: PB-ASLT-13, PB-ASLT-14, PB-ASLT-15, PB-ASLT-16, PB-ASLT-17, PB-ASLT-18, PB-ASLT-19, PB-MOVE-37.
    """
    if fighter.faces_away:
        return 0.0
    factor = QUARTER if fighter.unit.broken else 1.0
    if (fighter.disrupted and not fighter.unit.broken) or fighter.low_ammo or fighter.digging_in:
        factor *= HALF
    if is_exposed(fighter.unit):
        factor *= QUARTER
    if fighter.bridging:
        factor *= HALF
    if fighter.mining:
        factor *= HALF
    return factor


def unit_modifier(fighter: Fighter, parameters: Parameters) -> int:
    """Quality and fatigue of a unit together, in percent.

    Rules: PB-ASLT-22, PB-ASLT-23.
    """
    level = fatigue_level(fighter.fatigue, parameters)
    return parameters.quality.assault_pct[fighter.quality] + parameters.fatigue.assault_pct[level]


def attack_value(
    attackers: Sequence[Fighter], defenders: Sequence[Fighter], context: AssaultContext, parameters: Parameters
) -> Tallying:
    """The assault value of the attackers.

    Rules: PB-ASLT-11, PB-ASLT-20, PB-ASLT-21, PB-ASLT-22, PB-ASLT-24, PB-ASLT-25, PB-ASLT-28.
    """
    alone = combined_arms(attackers, defenders, context)
    strength = 0.0
    for fighter, halved in zip(attackers, alone, strict=True):
        men = _men(fighter, parameters) - halved * parameters.stacking.men_per_vehicle_or_gun * HALF
        strength += fighter.assault * men * attack_factor(fighter)
    value = Tallying("Assault value of the attackers", strength, "assault x men, by state", "PB-ASLT-11")
    value.percent("hexside", context.hexside_pct, "PB-ASLT-20")
    if any(fighter.fights_as_vehicle for fighter in attackers):
        ground = parameters.terrain.combat_pct[context.terrain]
        value.percent(f"vehicles into {context.terrain.replace('_', ' ')}", ground, "PB-ASLT-21")
    _side_modifier(value, min(unit_modifier(one, parameters) for one in attackers), "the least fit unit")
    if context.mixed_organizations:
        value.percent("units of different organizations", parameters.combat.combined_org_pct, "PB-ASLT-25")
    _weather(value, attackers[0].unit.side, context, parameters)
    value.times("advantage", context.attacker_advantage, "PB-FIRE-71")
    return value


def defense_value(defenders: Sequence[Fighter], context: AssaultContext, parameters: Parameters) -> Tallying:
    """The assault value of the defenders.

    Rules: PB-ASLT-11, PB-ASLT-22, PB-ASLT-24.
    """
    strength = 0.0
    for fighter in defenders:
        strength += fighter.assault * _men(fighter, parameters) * defend_factor(fighter)
    value = Tallying("Assault value of the defenders", strength, "assault x men, by state", "PB-ASLT-11")
    _side_modifier(value, max(unit_modifier(one, parameters) for one in defenders), "the fittest unit")
    _weather(value, defenders[0].unit.side, context, parameters)
    value.times("advantage", context.defender_advantage, "PB-FIRE-71")
    return value


def _men(fighter: Fighter, parameters: Parameters) -> int:
    return men_equivalents(fighter.unit.kind, fighter.strength, parameters)


def _side_modifier(value: Tallying, pct: int, label: str) -> None:
    value.percent(label, max(-100, pct), "PB-ASLT-24" if pct <= -100 else "PB-ASLT-22")


def _weather(value: Tallying, side: str, context: AssaultContext, parameters: Parameters) -> None:
    """Rules: PB-ASLT-26, PB-ENV-18, PB-ENV-31."""
    if context.storm:
        value.times("storm", parameters.weather.storm_combat_fraction, "PB-ASLT-26")
    if context.frozen:
        value.times("frost", 1 - parameters.frozen.penalty_pct.of(side) / 200, "PB-ASLT-26")


def guard(fighter: Fighter, context: AssaultContext, parameters: Parameters, *, bonus: float = 0.0) -> float:
    """The defense of one unit in an assault: terrain and the percentage of works do not count.

    Rules: PB-ASLT-27, PB-ASLT-35.
    """
    tallying = Tallying("Defense", base_defense(fighter.unit, parameters), fighter.unit.kind.name, "PB-ASLT-35")
    tallying.plus(context.fort, bonus, "PB-FIRE-47")
    weaken(tallying, fighter.unit, parameters, urban=fighter.urban, frozen=context.frozen)
    if _struggles(fighter):
        tallying.times("over a hedge row", HALF, "PB-ASLT-27")
    return tallying.value


def attackers_guard(attackers: Sequence[Fighter], context: AssaultContext, parameters: Parameters) -> float:
    """The average defense of the attackers, weighted by men-equivalents.

    Rules: PB-ASLT-35.
    """
    return _average([(_men(one, parameters), guard(one, context, parameters)) for one in attackers])


def defenders_guard(
    attackers: Sequence[Fighter], defenders: Sequence[Fighter], context: AssaultContext, parameters: Parameters
) -> float:
    """The average defense of the defenders; charges take half of what a bunker adds.

    Rules: PB-ASLT-35, PB-ASLT-36.
    """
    charges = any(one.charges for one in attackers)
    weighted = []
    for fighter in defenders:
        bonus = 0.0
        if is_in_hard_work(fighter.unit, context.fort):
            bonus = float(parameters.fortification.work(context.fort).defense_add)
            bonus *= parameters.fortification.vacated_fraction if context.vacated else 1.0
            bonus *= HALF if charges else 1.0
        weighted.append((_men(fighter, parameters), guard(fighter, context, parameters, bonus=bonus)))
    return _average(weighted)


def _average(weighted: Iterable[tuple[int, float]]) -> float:
    men, total = 0, 0.0
    for weight, value in weighted:
        men += weight
        total += weight * value
    return total / men


def assault_value(
    attackers: Sequence[Fighter], defenders: Sequence[Fighter], context: AssaultContext, parameters: Parameters
) -> AssaultValue:
    """What an assault is worth to both sides.

    Rules: PB-ASLT-37.
    """
    attack, stand = (
        attack_value(attackers, defenders, context, parameters),
        defense_value(defenders, context, parameters),
    )
    guard_a = attackers_guard(attackers, context, parameters)
    guard_d = defenders_guard(attackers, defenders, context, parameters)
    guards = (
        Tallying("Average defense of the attackers", guard_a, "weighted by men", "PB-ASLT-35"),
        Tallying("Average defense of the defenders", guard_d, "weighted by men", "PB-ASLT-35"),
    )
    tallies = (attack.tally(), stand.tally(), *(one.tally() for one in guards))
    return AssaultValue(
        attack.value / guard_d, stand.value / guard_a, attack.value, stand.value, guard_a, guard_d, tallies
    )


def shares(side: Sequence[Fighter], parameters: Parameters) -> tuple[float, ...]:
    """Which part of its side's casualty value each unit takes.

    Rules: PB-ASLT-38.
    """
    men = [_men(one, parameters) for one in side]
    everyone = sum(men)
    return tuple(here / everyone for here in men)


def attackers_disruption(context: AssaultContext, parameters: Parameters) -> Fraction:
    """How much more a loss shakes the attackers; the defenders' losses count as they are.

    Rules: PB-ASLT-40, PB-ASLT-41.
    """
    combat = parameters.combat
    night = combat.night_assault_disruption_multiplier if context.night else 1
    # ground that leaves nothing of an assault is taken for the next best, which leaves one percent
    ground = max(1, 100 + parameters.terrain.combat_pct[context.terrain])
    return Fraction(combat.assault_disruption_multiplier * night * 100, ground)


def demolition_loss(assault: float, parameters: Parameters) -> float:
    """What an attacking demolition unit uses up of itself, before it is rounded.

    Rules: PB-ASLT-36, PB-ENG-8.
    """
    return parameters.combat.demolition_reduction / assault


def is_mixed(organizations: Iterable[tuple[str, str]]) -> bool:
    """Whether attackers belong to different commands: each is its division ("" at corps level) and its corps.

    Rules: PB-ASLT-25.
    """
    found = set(organizations)
    divisions = {division for division, _ in found if division}
    at_corps_level = any(not division for division, _ in found)
    return len(divisions) > 1 or (at_corps_level and len({corps for _, corps in found}) > 1)
