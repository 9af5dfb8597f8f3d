"""The worked examples of the specification."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.rulesets.panzer_battles.assault.odds import side_fate, success
from sandtable.rulesets.panzer_battles.assault.values import (
    AssaultContext,
    Fighter,
    assault_value,
    attackers_disruption,
    demolition_loss,
    shares,
    supporting,
    unaccompanied,
    unit_modifier,
)
from sandtable.rulesets.panzer_battles.fire.chances import (
    band,
    counterbattery_chance,
    opportunity_chance,
    rubble_chance,
)
from sandtable.rulesets.panzer_battles.fire.values import (
    FireContext,
    Firer,
    Target,
    armor_factor,
    disruption_multiplier,
    effective_men,
    fire_value,
    hex_limit,
    range_divisor,
    stack_factor,
)
from sandtable.rulesets.panzer_battles.kinds import KINDS, UnitKind, men_equivalents
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, Parameters, overridden
from sandtable.rulesets.panzer_battles.results.losses import (
    Interval,
    assault_interval,
    check_chance,
    fire_interval,
    interval,
    survival,
)
from sandtable.rulesets.panzer_battles.results.notation import notation
from sandtable.rulesets.panzer_battles.results.odds import (
    ResultOdds,
    mean_loss,
    nominal_losses,
    result_odds,
    strength_losses,
)
from sandtable.rulesets.panzer_battles.results.points import loss_points
from sandtable.rulesets.panzer_battles.results.struck import Size, Struck, fatigue_factor

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["example"]
FATIGUE = {"none": 0, "low": 1, "medium": 50, "high": 100, "maximum": 150}

Facts = Mapping[str, Any]


def cited(example: Facts) -> list[str]:
    """The rules that an example shows."""
    rules: list[str] = example["rules"]
    return rules


def of_kind(kind: str) -> pytest.MarkDecorator:
    """A test over all examples of a kind."""
    cases = [
        pytest.param(one["situation"], one["expected"], id=one["id"], marks=pytest.mark.rule(*cited(one)))
        for one in EXAMPLES
        if one["kind"] == kind
    ]
    return pytest.mark.parametrize(("situation", "expected"), cases)


def near(number: Any, within: float = 1e-4) -> Any:
    """A number of an example, which is printed with six digits."""
    return pytest.approx(number, abs=within)


def by_number(chances: Facts) -> dict[int, float]:
    """A printed distribution."""
    return {int(key): value for key, value in chances.items()}


def test_every_example_is_played() -> None:
    files = Path(__file__).parent.glob("test_*.py")
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    assert {one["kind"] for one in EXAMPLES if f'"{one["kind"]}"' not in source} == set()
    assert len(EXAMPLES) >= 138


# --- casualties ------------------------------------------------------------------------------------------------------


@of_kind("casualties")
def test_a_combat_value_becomes_a_range_of_casualties(situation: Facts, expected: Facts) -> None:
    effective = situation["combat_value"] * (1 + situation["modifier_pct"] / 100)
    between = interval(effective, situation["lcv"], situation["hcv"], DEFAULTS)
    assert effective == expected["effective"]
    assert between == Interval(expected["low"], expected["high"])
    assert mean_loss(between) == expected["mean"]
    assert nominal_losses(between) == near(by_number(expected["distribution"]))


@of_kind("rounding")
def test_a_casualty_value_is_rounded_at_random(situation: Facts, expected: Facts) -> None:
    value = situation["casualty_value"]
    assert nominal_losses(Interval(value, value)) == near(by_number(expected["distribution"]))


@of_kind("vehicles lost")
def test_ten_men_are_a_vehicle_or_gun(situation: Facts, expected: Facts) -> None:
    unit = Struck(is_men=False, strength=10, full=10)
    losses = situation.get("nominal_losses") or [situation["nominal_loss"]]
    distributions = expected.get("distributions") or [expected["distribution"]]
    for loss, distribution in zip(losses, distributions, strict=True):
        assert strength_losses(unit, loss, DEFAULTS) == near(by_number(distribution))


@of_kind("fatigue gained")
def test_fatigue_depends_on_size_and_nominal_loss(situation: Facts, expected: Facts) -> None:
    loss = situation["nominal_loss"]
    if "vehicles_lost" in expected:
        most = fatigue_factor(situation["size"], DEFAULTS) * loss
        assert [0, most] == expected["fatigue_range"]
        unit = Struck(is_men=False, strength=10, full=10)
        assert strength_losses(unit, loss, DEFAULTS) == {expected["vehicles_lost"]: 1}
    else:
        assert [[0, fatigue_factor(size, DEFAULTS) * loss] for size in situation["size"]] == expected["range"]


@of_kind("check chance")
def test_a_loss_may_call_for_a_morale_check(situation: Facts, expected: Facts) -> None:
    unit = Struck(is_men=True, strength=100, full=100, size=situation["size"])
    found = [float(check_chance(unit, loss, Fraction(1), DEFAULTS)) for loss in situation["losses"]]
    assert found == near(expected["p_check"])


@of_kind("finishing off")
def test_a_handful_of_men_may_scatter(situation: Facts, expected: Facts) -> None:
    unit = Struck(is_men=True, strength=situation["men_left"] + 1, full=40)
    assert float(survival(unit, 1, DEFAULTS)) == expected["p_survive"]


@of_kind("notation")
def test_strength_is_shown_by_its_digits(situation: Facts, expected: Facts) -> None:
    assert [notation(strength) for strength in situation["strengths"]] == expected["shown"]


@of_kind("loss points")
def test_losses_are_worth_points(situation: Facts, expected: Facts) -> None:
    lost = {
        "de_rifle_coy": situation["men_lost"],
        "su_bn_hq": situation["hq_men_lost"],
        "de_pak40": situation["guns_lost"],
        "de_truck": situation["soft_vehicles"],
        "de_panther": situation["panthers_lost"],
        "su_t34_76": situation["t34_lost"],
    }
    total = sum((loss_points(KINDS[key], count, DEFAULTS) for key, count in lost.items()), Fraction(0))
    assert floor(total) == expected["points"]


# --- fire ------------------------------------------------------------------------------------------------------------


@of_kind("range")
def test_direct_fire_weakens_with_range(situation: Facts, expected: Facts) -> None:
    assert [range_divisor(distance, DEFAULTS) for distance in situation["ranges"]] == expected["divisors"]


@of_kind("armor")
def test_a_gun_must_fit_the_armor(situation: Facts, expected: Facts) -> None:
    hard, defense = situation["hard_attack"], situation["defense"]
    assert armor_factor(hard, defense) == expected["modifier"]
    firer = Firer(KINDS["de_pz4h"], "axis", 5, 5, soft=1, hard=hard)
    target = Target(KINDS["su_t34_76"], "allied", defense)
    value, _ = fire_value(firer, target, FireContext(range=1, men_in_hex=50), DEFAULTS).tallies
    assert expected["report"] in [line.label for line in value.lines]


@of_kind("effective men")
def test_the_first_losses_weigh_less(situation: Facts, expected: Facts) -> None:
    found = [effective_men(strength, situation["full"], DEFAULTS) for strength in situation["strengths"]]
    assert found == near(expected["effective"])


@of_kind("hex limit")
def test_only_so_many_may_fire_from_a_hex(situation: Facts, expected: Facts) -> None:
    parameters = overridden({"stacking": {"max": situation["stacking_max"]}}, "example")
    done, allowed = sum(situation["fires_so_far"]), []
    for men in situation["next_fires"]:
        allowed.append(done + men <= hex_limit(parameters))
        done += men
    assert allowed == expected["allowed"]


@of_kind("indirect in the enemy's turn")
def test_indirect_fire_in_the_enemys_turn(situation: Facts, expected: Facts) -> None:
    pct = {situation["side"]: situation["indirect_mod_pct"]}
    parameters = overridden({"artillery": {"indirect_mod_pct": pct}}, "example")
    kind = KINDS["su_122how"]
    firer = Firer(kind, situation["side"], 4, 4, kind.soft, kind.hard)
    target = Target(KINDS["de_rifle_coy"], "axis", 24)
    own, other = (FireContext(range=9, men_in_hex=140, indirect=True, enemy_turn=turn) for turn in (False, True))
    factor = fire_value(firer, target, other, parameters).value / fire_value(firer, target, own, parameters).value
    assert factor == expected["factor"]


@of_kind("crowded hex")
def test_a_crowded_hex_suffers_more(situation: Facts, expected: Facts) -> None:
    parameters = overridden({"stacking": {"max": situation["stacking_max"]}}, "example")
    assert [stack_factor(men, parameters) for men in situation["hexmen"]] == expected["factor"]


@of_kind("counter-battery")
def test_guns_may_give_themselves_away(situation: Facts, expected: Facts) -> None:
    chance = counterbattery_chance(10 * situation["guns"], situation["range_to_enemy"], "axis", DEFAULTS)
    assert float(chance) == expected["p"]


@of_kind("rubble")
def test_heavy_fire_leaves_rubble(situation: Facts, expected: Facts) -> None:
    assert rubble_chance(situation["modified_fire_value"], DEFAULTS) == near(expected["p"], 1e-12)


@of_kind("opportunity fire")
def test_opportunity_fire_by_band_and_quality(situation: Facts, expected: Facts) -> None:
    assert band(situation["range"], situation["max_range"]) == expected["band"]
    chance = opportunity_chance(situation["quality"], situation["range"], situation["max_range"], DEFAULTS)
    assert float(chance) == expected["p"]


def firer_of(facts: Facts) -> Firer:
    """The firing unit of an example."""
    kind = KINDS[facts["type"]]
    state = {"disrupted": facts.get("disr", False), "low_ammo": facts.get("lowammo", False)}
    return Firer(
        *(kind, facts["side"], facts["strength"], kind.full, kind.soft, kind.hard, facts["q"], facts["fat"]), **state
    )


def target_of(facts: Facts) -> Target:
    """The target of an example."""
    kind = KINDS[facts["type"]]
    mode, riders, broken = facts.get("mode", "deployed"), facts.get("riders", False), facts.get("broken", False)
    return Target(kind, facts["side"], kind.defense, mode, rides=riders, broken=broken)


def struck_of(facts: Facts) -> Struck:
    """The target of an example as combat results see it."""
    kind = KINDS[facts["type"]]
    return Struck(
        is_men=kind.is_men,
        strength=facts["strength"],
        full=kind.full,
        quality=facts["q"],
        fatigue=facts["fat"],
        size="company" if kind.is_company else "platoon",
        is_hq=kind.has("hq"),
        disrupted=facts.get("disr", False),
        broken=facts.get("broken", False),
    )


def context_of(facts: Facts, men: int) -> FireContext:
    """The circumstances of an example."""
    hexside = facts.get("hexside")
    return FireContext(
        range=facts["range"],
        men_in_hex=men,
        terrain=facts.get("terrain", "clear"),
        hexside_pct=DEFAULTS.hexside.combat_pct[hexside] if hexside else 0,
        fort=facts.get("fort", ""),
        vacated=facts.get("vacated", False),
        uphill=facts.get("uphill", False),
        indirect=facts.get("indirect", False),
        detached_only=facts.get("detached_only", False),
        storm=facts.get("storm", False),
        frozen="frozen_f" in facts,
    )


def parameters_of(facts: Facts) -> Parameters:
    """The numbers of an example: only frost is set anew."""
    if "frozen_f" not in facts:
        return DEFAULTS
    penalty = {facts["firer"]["side"]: facts["frozen_f"], facts["target"]["side"]: facts["frozen_t"]}
    return overridden({"frozen": {"penalty_pct": penalty}}, "example")


def check_odds(odds: ResultOdds, expected: Facts, within: float = 1e-4) -> None:
    """The odds are those of the example."""
    assert odds.losses == near(by_number(expected["loss"]), within)
    assert odds.mean_loss == near(expected["mean_loss"], within)
    assert odds.any_loss == near(1 - expected["loss"].get("0", 0), within)
    assert odds.disrupted == near(expected["p_disrupt"], within)
    assert odds.broken == near(expected["p_break"], within)
    assert odds.eliminated == near(expected["p_eliminated"], within)
    total = 0.0
    for chance in odds.outcomes.values():
        total += chance
    assert total == pytest.approx(1, abs=1e-9)


@of_kind("fire")
def test_fire(situation: Facts, expected: Facts) -> None:
    parameters = parameters_of(situation)
    firer, target = firer_of(situation["firer"]), target_of(situation["target"])
    context = context_of(situation, situation["hexmen"])
    fire = fire_value(firer, target, context, parameters)
    assert fire.value == near(expected["fire_value"])
    assert fire.defense == near(expected["defense"])
    assert fire.cv == near(expected["combat_value"])
    between = fire_interval(fire.cv, parameters)
    assert between == near((expected["low"], expected["high"]))
    multiplier = disruption_multiplier(firer, target, context, parameters)
    assert multiplier == expected.get("disruption_multiplier", 1)
    alternative = situation.get("alternative_calculation", False)
    odds = result_odds(
        struck_of(situation["target"]), between, parameters, multiplier=multiplier, alternative=alternative
    )
    check_odds(odds, expected, 1e-3 if alternative else 1e-4)


@of_kind("indirect fire")
def test_indirect_fire_falls_on_everybody_in_the_hex(situation: Facts, expected: Facts) -> None:
    firer = firer_of(situation["firer"])
    men = [men_equivalents(KINDS[one["type"]], one["strength"], DEFAULTS) for one in situation["targets"]]
    context = context_of(situation, sum(men))
    for facts, here, result in zip(situation["targets"], men, expected["units"], strict=True):
        target = target_of(facts)
        cv = fire_value(firer, target, context, DEFAULTS).cv * (here / sum(men))
        assert here / sum(men) == near(result["weight"])
        assert cv == near(result["combat_value"])
        between = fire_interval(cv, DEFAULTS)
        assert between == near((result["low"], result["high"]))
        multiplier = disruption_multiplier(firer, target, context, DEFAULTS)
        check_odds(result_odds(struck_of(facts), between, DEFAULTS, multiplier=multiplier), result)


# --- assault ---------------------------------------------------------------------------------------------------------

MEN, DEMOLITION, TANKS = KINDS["de_rifle_coy"], KINDS["de_assault_pio"], KINDS["de_pz4h"]


def fighter_of(facts: Facts, kind: UnitKind, side: str) -> Fighter:
    """A unit of an assault."""
    mode, broken = "travel" if facts.get("travel") else "deployed", facts.get("broken", False)
    return Fighter(
        Target(kind, side, facts["defense"], mode, broken=broken),
        facts["strength"],
        facts["assault"],
        facts["q"],
        facts["fat"],
        disrupted=facts.get("disr", False),
        over_hedge_row=facts.get("hedge", False),
    )


def shaken_of(facts: Facts) -> Struck:
    """A unit of an assault as combat results see it."""
    size: Size = facts["sz"]
    return Struck(
        is_men=facts["comp"] == "men",
        strength=facts["strength"],
        full=facts["strength"],
        quality=facts["q"],
        fatigue=facts["fat"],
        size=size,
        disrupted=facts.get("disr", False),
        broken=facts.get("broken", False),
    )


@of_kind("assault")
def test_assault(situation: Facts, expected: Facts) -> None:
    kinds = {"men": DEMOLITION if situation.get("demolition") else MEN, "veh": TANKS}
    attackers = [fighter_of(one, kinds[one["comp"]], "axis") for one in situation["attackers"]]
    attackers = [replace(one, charges=one.unit.kind is DEMOLITION) for one in attackers]
    defenders = [fighter_of(one, {"men": MEN, "veh": TANKS}[one["comp"]], "allied") for one in situation["defenders"]]
    hexside = situation.get("hexside")
    context = AssaultContext(
        terrain=situation.get("terrain", "clear"),
        hexside_pct=DEFAULTS.hexside.combat_pct[hexside] if hexside else 0,
        fort=situation.get("fort", ""),
        mixed_organizations=situation.get("mixed_org", False),
        night=situation.get("night", False),
    )
    value = assault_value(attackers, defenders, context, DEFAULTS)
    assert value.attack == near(expected["attack_value"])
    assert value.defense == near(expected["defense_value"])
    assert value.defenders_guard == near(expected["avg_def_defenders"])
    assert value.attackers_guard == near(expected["avg_def_attackers"])
    assert value.on_defenders == near(expected["cv_on_defenders"])
    assert value.on_attackers == near(expected["cv_on_attackers"])
    on_defenders = assault_interval(value.on_defenders, DEFAULTS)
    on_attackers = assault_interval(value.on_attackers, DEFAULTS)
    assert on_defenders == near(tuple(expected["def_low_high"]))
    assert on_attackers == near(tuple(expected["att_low_high"]))
    multiplier = attackers_disruption(context, DEFAULTS)
    assert float(multiplier) == near(expected["attacker_disruption_multiplier"])
    if "p_success" not in expected:
        return
    attacker, defender = shaken_of(situation["attackers"][0]), shaken_of(situation["defenders"][0])
    check_odds(result_odds(defender, on_defenders, DEFAULTS), expected["defender"])
    check_odds(result_odds(attacker, on_attackers, DEFAULTS, multiplier=multiplier, attacks=True), expected["attacker"])
    theirs = side_fate([defender], shares(defenders, DEFAULTS), on_defenders, DEFAULTS)
    ours = side_fate(
        [attacker], shares(attackers, DEFAULTS), on_attackers, DEFAULTS, multiplier=multiplier, attacks=True
    )
    assert success(ours, theirs) == near(expected["p_success"])


@of_kind("unit modifiers")
def test_quality_and_fatigue_of_a_side(situation: Facts, expected: Facts) -> None:
    units = situation.get("attackers") or situation["defenders"]
    target = Target(MEN, "axis", 24)
    modifiers = [unit_modifier(Fighter(target, 100, 10, one["q"], FATIGUE[one["fatigue"]]), DEFAULTS) for one in units]
    assert modifiers == expected["unit_modifiers"]
    assert (min if "attackers" in situation else max)(modifiers) == expected["side_modifier"]


@of_kind("combined arms")
def test_vehicles_need_infantry_beside_them(situation: Facts, expected: Facts) -> None:
    hexes = [(one["vehicles"], one["infantry"]) for one in situation["attacking_hexes"]]
    alone = unaccompanied(hexes, situation["defending_infantry"])
    assert supporting(hexes) == expected["supporting"]
    assert list(alone) == expected["per_hex"]
    assert sum(alone) == expected["penalised_vehicles"]


@of_kind("attackers' disruption")
def test_attackers_are_shaken_by_night_and_bad_ground(situation: Facts, expected: Facts) -> None:
    context = AssaultContext(terrain="village", night=situation["night"])
    assert DEFAULTS.terrain.combat_pct["village"] == situation["terrain_pct"]
    assert situation["loss"] * attackers_disruption(context, DEFAULTS) == expected["disruption_value"]


@of_kind("demolition")
def test_charges_cost_those_who_carry_them(situation: Facts, expected: Facts) -> None:
    parameters = overridden({"combat": {"demolition_reduction": situation["reduction"]}}, "example")
    fighter = Fighter(Target(DEMOLITION, "axis", 24), 40, situation["demolition_assault"])
    assert demolition_loss(fighter.assault, parameters) == expected["strength_loss"]
