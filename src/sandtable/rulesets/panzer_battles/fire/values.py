"""What a fire is worth: fire value against modified defense, factor by factor in the order of the rules."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import NamedTuple

import msgspec

from sandtable.kernel.trace import Tally
from sandtable.rulesets.panzer_battles.kinds import HARD, UnitKind
from sandtable.rulesets.panzer_battles.parameter_sections import URBAN
from sandtable.rulesets.panzer_battles.parameters import Parameters
from sandtable.rulesets.panzer_battles.results.struck import fatigue_level
from sandtable.rulesets.panzer_battles.tallying import HALF, QUARTER, Tallying

DEPLOYED, TRAVEL, RAIL = "deployed", "travel", "rail"
IMPROVED, TRENCH, BUNKER, PILLBOX = "improved", "trench", "bunker", "pillbox"

NO_ADVANTAGE = 1.0
"""The factor of a side that nobody favors (PB-FIRE-71)."""


class Firer(msgspec.Struct, frozen=True):
    """A unit that fires. `road_only` says that it stands where it could come by road alone; `soft` and `hard` are those
    of its type, or the averages of a unit combined of several types (PB-UNIT-26).
    """

    kind: UnitKind
    side: str
    strength: int
    full: int
    soft: float
    hard: float
    quality: str = "C"
    fatigue: int = 0
    mode: str = DEPLOYED
    road_only: bool = False
    disrupted: bool = False
    digging_in: bool = False
    low_ammo: bool = False
    unavailable: bool = False
    stockpiled: bool = False


class Target(msgspec.Struct, frozen=True):
    """A unit that is fired at; `rides` says that it sits on the outside of another unit's vehicles, `on_foot` that it
    has left its own behind.
    """

    kind: UnitKind
    side: str
    defense: float
    mode: str = DEPLOYED
    rides: bool = False
    road_only: bool = False
    low_fuel: bool = False
    vulnerable: bool = False
    broken: bool = False
    on_foot: bool = False


class FireContext(msgspec.Struct, frozen=True):
    """Everything else that a fire depends on. `men_in_hex` are all men-equivalents of the target's hex; `hexside_pct`
    is the modifier of the hexside that the line enters by; `terrain` is that of the target's hex as the ground is now.
    """

    range: int
    men_in_hex: int
    terrain: str = "clear"
    hexside_pct: int = 0
    fort: str = ""
    vacated: bool = False
    uphill: bool = False
    indirect: bool = False
    by_map: bool = False
    detached_only: bool = False
    enemy_turn: bool = False
    storm: bool = False
    frozen: bool = False
    advantage: float = NO_ADVANTAGE


class FireValue(NamedTuple):
    """What a fire is worth: combat value, fire value, the target's defense, and how both came about."""

    cv: float
    value: float
    defense: float
    tallies: tuple[Tally, Tally]


def effective_men(strength: int, full: int, parameters: Parameters) -> float:
    """How many men fire: the first losses of a unit weigh less than the last.

    Rules: PB-FIRE-24.
    """
    share = strength / full
    men, value = parameters.combat.infantry_effect_men_pct / 100, parameters.combat.infantry_effect_value_pct / 100
    effect = share / men * value if share <= men else value + (share - men) * (1 - value) / (1 - men)
    return full * effect


def quality_pct(quality: str, parameters: Parameters) -> float:
    """What quality adds to fire; only what is better than average is multiplied.

    Rules: PB-FIRE-25.
    """
    pct = parameters.quality.fire_pct[quality]
    return pct * parameters.combat.quality_fire_modifier if pct > 0 else pct


def range_divisor(distance: int, parameters: Parameters) -> float:
    """By what direct fire is divided over a distance of one hex or more.

    Rules: PB-FIRE-36, PB-FIRE-37.
    """
    return 1 + (distance - 1) * (parameters.combat.range_effect - 1)


def armor_factor(hard: float, defense: float) -> float:
    """How well a gun fits the armor: too weak it bounces off, too strong it is wasted.

    Rules: PB-FIRE-39.
    """
    return hard / defense if hard < defense else sqrt(defense / hard)


def stack_factor(men: int, parameters: Parameters) -> float:
    """How much more a fire hits in a crowded hex.

    Rules: PB-FIRE-41.
    """
    crowd = men / parameters.stacking.max
    start, most = parameters.combat.stack_mod_start_fraction, parameters.combat.stack_mod_max
    if crowd <= start:
        return 1.0
    return most if crowd >= 1 else 1 + (most - 1) * (crowd - start) / (1 - start)


def is_on_foot(target: Target) -> bool:
    """Whether men that have transport of their own have left it, be it for good and on the march.

    Rules: PB-UNIT-9, PB-MOVE-67.
    """
    return target.kind.is_carried and (target.mode == DEPLOYED or target.on_foot)


def is_in_own_vehicles(target: Target) -> bool:
    """Whether men ride in transport of their own, and so count as vehicles; on a train they do not.

    Rules: PB-UNIT-9, PB-MOVE-67.
    """
    return target.kind.is_carried and target.mode == TRAVEL and not target.on_foot


def is_exposed(target: Target) -> bool:
    """Whether it defends as if on the march: in Travel or Rail Mode, or a towed gun set up where only the road leads.

    Rules: PB-FIRE-50, PB-FIRE-51, PB-MOVE-33.
    """
    return target.mode != DEPLOYED or (target.kind.has("towed") and target.road_only)


def has_cover(target: Target) -> bool:
    """Whether ground and works protect it: not on the march, and not on the outside of a vehicle.

    Rules: PB-FIRE-45, PB-FIRE-46, PB-FIRE-50, PB-MOVE-52.
    """
    return not is_exposed(target) and not target.rides


def is_armored(target: Target) -> bool:
    """Whether it fights behind armor: hard vehicles, and men riding in hard carriers.

    Rules: PB-FIRE-39, PB-FIRE-40.
    """
    inside = target.kind.is_vehicles or is_in_own_vehicles(target)
    return inside and target.kind.target == HARD and not target.rides


def is_in_hard_work(target: Target, fort: str) -> bool:
    """Whether a bunker or pillbox shelters it, which takes no vehicles.

    Rules: PB-FIRE-47.
    """
    return fort in (BUNKER, PILLBOX) and has_cover(target) and not target.kind.is_vehicles


def is_hard(target: Target, fort: str) -> bool:
    """Whether it is a hard target: by its type, unless its men have got out or ride outside, or by its bunker.

    Rules: PB-FIRE-23, PB-UNIT-9, PB-MOVE-52.
    """
    is_inside = is_in_own_vehicles(target) or not target.kind.is_carried
    by_type = target.kind.target == HARD and is_inside and not target.rides
    return by_type or is_in_hard_work(target, fort)


def fort_share(context: FireContext, parameters: Parameters) -> float:
    """How much of its worth a work has for those inside.

    Rules: PB-FIRE-49.
    """
    return parameters.fortification.vacated_fraction if context.vacated else 1.0


def fire_value(firer: Firer, target: Target, context: FireContext, parameters: Parameters) -> FireValue:
    """What a fire is worth.

    Rules: PB-FIRE-43, PB-FIRE-56.
    """
    value = _attack(firer, target, context, parameters)
    _state(value, firer, parameters, indirect=context.indirect)
    if context.indirect:
        _spotting(value, firer, context, parameters)
    _firing_unit(value, firer, target, context, parameters)
    if not context.indirect:
        _direct(value, firer, target, context, parameters)
    _surroundings(value, firer, context, parameters)
    if has_cover(target):
        cover(value, target, context, parameters)
    if target.broken:
        value.times("the target is Broken and lies low", parameters.misc.broken_fire_factor, "PB-FIRE-55")
    guard = defense(target, context, parameters)
    cv = value.value / guard.value
    return FireValue(cv, value.value, guard.value, (value.tally(), guard.tally()))


def _attack(firer: Firer, target: Target, context: FireContext, parameters: Parameters) -> Tallying:
    """Attack times strength; men are counted by tens, and as effective men.

    Rules: PB-FIRE-23, PB-FIRE-24.
    """
    hard = is_hard(target, context.fort)
    attack = firer.hard if hard else firer.soft
    sort = "hard" if hard else "soft"
    if not firer.kind.is_men:
        return Tallying("Fire value", attack * firer.strength, f"{sort} attack x {firer.strength}", "PB-FIRE-23")
    men = effective_men(firer.strength, firer.full, parameters)
    return Tallying("Fire value", attack * (men / 10), f"{sort} attack x {men:.0f} effective men / 10", "PB-FIRE-24")


def _state(value: Tallying, firer: Firer, parameters: Parameters, *, indirect: bool) -> None:
    value.percent(f"quality {firer.quality}", quality_pct(firer.quality, parameters), "PB-FIRE-25")
    level = fatigue_level(firer.fatigue, parameters)
    value.percent(f"{level} fatigue", parameters.fatigue.fire_pct[level], "PB-FIRE-26")
    if firer.disrupted:
        value.times("Disrupted", HALF, "PB-FIRE-27")
    if firer.digging_in or firer.low_ammo:
        value.times("digging in" if firer.digging_in else "low ammunition", HALF, "PB-FIRE-28")
    if firer.unavailable and not indirect:
        value.times("unavailable artillery", HALF, "PB-FIRE-70")
    if firer.road_only and (firer.mode == TRAVEL or firer.kind.has("towed")):
        value.times("confined to the road", QUARTER, "PB-FIRE-29")
    elif firer.mode == TRAVEL:
        value.times("Travel Mode", HALF, "PB-FIRE-29")


def _spotting(value: Tallying, firer: Firer, context: FireContext, parameters: Parameters) -> None:
    if context.by_map:
        value.times("by the map, without a spotter", QUARTER, "PB-FIRE-30")
    elif context.detached_only:
        value.times("only detached spotters", HALF, "PB-FIRE-7")
    if context.enemy_turn:
        pct = parameters.artillery.indirect_mod_pct.of(firer.side)
        value.times("indirect fire in the enemy's turn", pct / 100, "PB-FIRE-31")


def _firing_unit(value: Tallying, firer: Firer, target: Target, context: FireContext, parameters: Parameters) -> None:
    kind, combat = firer.kind, parameters.combat
    if firer.stockpiled:
        value.times("stockpiled", parameters.artillery.stockpiled_fire_pct.of(firer.side) / 100, "PB-FIRE-33")
    if kind.has("naval"):
        value.times("ship's guns", parameters.costs.ship_fire_value_multiplier, "PB-FIRE-15")
    is_artillery = kind.type in ("artillery", "heavy_artillery")
    if is_artillery and is_hard(target, context.fort) and context.range <= combat.artillery_hard_target_range:
        value.times("artillery at a hard target nearby", combat.artillery_hard_target_mod, "PB-FIRE-34")
    if kind.has("siege") and context.fort == PILLBOX and is_in_hard_work(target, context.fort):
        value.times("siege gun at a pillbox", combat.siege_vs_pillbox_multiplier, "PB-FIRE-35")


def _direct(value: Tallying, firer: Firer, target: Target, context: FireContext, parameters: Parameters) -> None:
    if context.range == 0:
        value.times("in the same hex", 2, "PB-FIRE-36")
    else:
        value.over(f"range {context.range}", range_divisor(context.range, parameters), "PB-FIRE-36")
    if is_armored(target):
        fit = 100 * firer.hard / target.defense
        value.times(f"arms {fit:.0f}%", armor_factor(firer.hard, target.defense), "PB-FIRE-39")
    if context.uphill:
        value.percent("uphill", parameters.combat.elevation_modifier_pct, "PB-FIRE-38")


def _surroundings(value: Tallying, firer: Firer, context: FireContext, parameters: Parameters) -> None:
    if context.storm:
        value.times("storm", parameters.weather.storm_combat_fraction, "PB-FIRE-42")
    if context.frozen:
        value.times("frost", 1 - parameters.frozen.penalty_pct.of(firer.side) / 200, "PB-FIRE-42")
    value.times("crowded hex", stack_factor(context.men_in_hex, parameters), "PB-FIRE-41")
    value.times("advantage", context.advantage, "PB-FIRE-71")


def cover(value: Tallying, target: Target, context: FireContext, parameters: Parameters) -> None:
    """Multiply a fire by what hexside, ground and works leave of it.

    Rules: PB-FIRE-44, PB-FIRE-45, PB-FIRE-46, PB-FIRE-47, PB-FIRE-48, PB-FIRE-67.
    """
    if not context.indirect:
        value.percent("hexside", context.hexside_pct, "PB-FIRE-44")
    is_vehicle = target.kind.is_vehicles
    part = parameters.combat.vehicle_terrain_fraction if is_vehicle else 1.0
    ground = "PB-FIRE-48" if is_vehicle else "PB-FIRE-45"
    value.percent(context.terrain.replace("_", " "), part * parameters.terrain.combat_pct[context.terrain], ground)
    if not context.fort:
        return
    pct = fort_share(context, parameters) * parameters.fortification.work(context.fort).fire_pct
    if context.fort in (IMPROVED, TRENCH):
        work = "improved position" if context.fort == IMPROVED else "trench"
        value.percent(work, part * pct, "PB-FIRE-48" if is_vehicle else "PB-FIRE-46")
    elif not is_vehicle:
        value.percent(context.fort, pct, "PB-FIRE-47")


def base_defense(target: Target, parameters: Parameters) -> float:
    """The defense before all factors: that of its type, of men on foot, or of men on the outside of a vehicle.

    Rules: PB-UNIT-9, PB-MOVE-52.
    """
    if target.rides:
        return parameters.misc.exterior_defense
    return parameters.misc.infantry_defense if is_on_foot(target) else target.defense


def defense(target: Target, context: FireContext, parameters: Parameters) -> Tallying:
    """The defense that a combat is divided by; in an assault only the bonus of a bunker is another.

    Rules: PB-FIRE-50, PB-FIRE-51, PB-FIRE-52, PB-FIRE-53, PB-FIRE-54.
    """
    guard = Tallying("Defense", base_defense(target, parameters), target.kind.name, "PB-FIRE-56")
    if is_in_hard_work(target, context.fort):
        add = parameters.fortification.work(context.fort).defense_add
        guard.plus(context.fort, fort_share(context, parameters) * add, "PB-FIRE-47")
    weaken(guard, target, parameters, urban=context.terrain in URBAN, frozen=context.frozen)
    return guard


def weaken(guard: Tallying, target: Target, parameters: Parameters, *, urban: bool, frozen: bool) -> None:
    """Multiply a defense by what the state of the unit and frost leave of it.

    Rules: PB-SUP-33, PB-ENV-29, PB-ENV-30.
    """
    if is_exposed(target) and not target.rides:
        towed = target.kind.has("towed")
        mode = f"{target.mode.title()} Mode" if target.mode != DEPLOYED else "confined to the road"
        guard.times(mode, QUARTER if towed else HALF, "PB-FIRE-50")
    if target.low_fuel and not is_on_foot(target):
        guard.times("low fuel", HALF, "PB-FIRE-52")
    if target.vulnerable:
        guard.times("Vulnerable behind a hedge row", HALF, "PB-FIRE-53")
    if frozen:
        penalty = parameters.frozen.penalty_pct.of(target.side)
        guard.times("frost", 1 - penalty / (200 if urban else 100), "PB-FIRE-54")


def disruption_multiplier(firer: Firer, target: Target, context: FireContext, parameters: Parameters) -> Fraction:
    """How much more a loss shakes the target: shells on armor and staffs, and guns made to kill tanks, shake twice.

    Rules: PB-FIRE-58.
    """
    shells = context.indirect and (is_hard(target, context.fort) or target.kind.has("hq"))
    tank_killer = firer.kind.has("towed") and (firer.kind.has("at_gun") or firer.kind.has("heavy_aa"))
    special = shells or (tank_killer and is_armored(target) and target.kind.is_vehicles)
    return Fraction(parameters.combat.special_disruption_multiplier if special else 1)


def hex_limit(parameters: Parameters) -> Fraction:
    """The most men-equivalents that may fire from one hex in a turn.

    Rules: PB-FIRE-18.
    """
    return parameters.combat.hex_fire_limit_multiplier * parameters.stacking.max


def indirect_limit(parameters: Parameters) -> Fraction:
    """The most men-equivalents of indirect fire on one hex in a turn.

    Rules: PB-FIRE-19.
    """
    return parameters.combat.indirect_hex_limit_multiplier * parameters.stacking.max
