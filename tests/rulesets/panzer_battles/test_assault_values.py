"""Assault values: every factor alone, combined arms, and how an assault may end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.rulesets.panzer_battles.assault.odds import SideFate, entered, side_fate, success
from sandtable.rulesets.panzer_battles.assault.values import (
    AssaultContext,
    Fighter,
    assault_value,
    attack_value,
    attackers_disruption,
    attackers_guard,
    combined_arms,
    defenders_guard,
    defense_value,
    is_mixed,
    shares,
    unaccompanied,
)
from sandtable.rulesets.panzer_battles.fire.values import Target
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden
from sandtable.rulesets.panzer_battles.results.losses import Interval
from sandtable.rulesets.panzer_battles.results.struck import Struck

OPEN = AssaultContext()


def fighter(key: str = "de_rifle_coy", side: str = "axis", **facts: Any) -> Fighter:
    """A unit at full strength in good order, or as said; what is no fact of a fighter is one of its unit."""
    kind = KINDS[key]
    own = {name: value for name, value in facts.items() if name in Fighter.__struct_fields__}
    unit = {name: value for name, value in facts.items() if name not in own}
    return replace(Fighter(replace(Target(kind, side, kind.defense), **unit), kind.full, kind.assault), **own)


ENEMY = fighter("su_rifle_coy", "allied")

ATTACKS: list[tuple[Fighter, AssaultContext, float]] = [
    (fighter(), OPEN, 1),
    (fighter(mode="travel"), OPEN, 0.25),
    (fighter(low_ammo=True), OPEN, 0.25),
    (fighter(mode="travel", low_ammo=True), OPEN, 0.25),
    (fighter(over_hedge_row=True), OPEN, 1),
    (fighter(quality="A"), OPEN, 1.2),
    (fighter(quality="D", fatigue=100), OPEN, 0.6),
    (fighter(quality="F", fatigue=150), OPEN, 0),
    (fighter(), replace(OPEN, hexside_pct=-30), 0.7),
    (fighter(), replace(OPEN, terrain="town"), 1),
    (fighter(), replace(OPEN, mixed_organizations=True), 0.8),
    (fighter(), replace(OPEN, storm=True), 0.5),
    (fighter(), replace(OPEN, frozen=True), 0.8),
    (fighter(), replace(OPEN, attacker_advantage=1.5), 1.5),
]
FROST = overridden({"frozen": {"penalty_pct": {"allied": 20, "axis": 40}}}, "test")


@pytest.mark.rule("PB-ASLT-11", "PB-ASLT-12", "PB-ASLT-20", "PB-ASLT-21", "PB-ASLT-22", "PB-ASLT-24", "PB-ASLT-25")
@pytest.mark.rule("PB-ASLT-26", "PB-ASLT-28", "PB-FIRE-71")
@pytest.mark.parametrize(("attacker", "context", "factor"), ATTACKS)
def test_what_changes_the_value_of_an_attack(attacker: Fighter, context: AssaultContext, factor: float) -> None:
    assert attack_value([attacker], [ENEMY], context, FROST).value == pytest.approx(1400 * factor)


DEFENSES: list[tuple[Fighter, float]] = [
    (fighter(), 1),
    (fighter(disrupted=True, low_ammo=True, digging_in=True), 0.5),
    (fighter(mode="travel"), 0.25),
    (fighter(mode="rail"), 0.25),
    (fighter(bridging=True), 0.5),
    (fighter(mining=True), 0.5),
    (fighter(broken=True), 0.25),
    (fighter(broken=True, disrupted=True), 0.25),
    (fighter(broken=True, low_ammo=True), 0.125),
    (fighter(disrupted=True, mode="travel"), 0.125),
    (fighter(faces_away=True), 0),
]


@pytest.mark.rule("PB-ASLT-13", "PB-ASLT-14", "PB-ASLT-15", "PB-ASLT-16", "PB-ASLT-17", "PB-ASLT-18", "PB-ASLT-19")
@pytest.mark.parametrize(("defender", "factor"), DEFENSES)
def test_what_changes_the_value_of_a_defense(defender: Fighter, factor: float) -> None:
    assert defense_value([defender], OPEN, DEFAULTS).value == 1400 * factor


@pytest.mark.rule("PB-ASLT-22")
def test_attackers_count_by_their_least_fit_and_defenders_by_their_fittest() -> None:
    side = [fighter(quality="A"), fighter(quality="D")]
    assert attack_value(side, [ENEMY], OPEN, DEFAULTS).value == pytest.approx(2800 * 0.8)
    assert defense_value(side, replace(OPEN, defender_advantage=2.0), DEFAULTS).value == pytest.approx(2800 * 1.2 * 2)


@pytest.mark.rule("PB-ASLT-21", "PB-UNIT-9")
def test_ground_hinders_vehicles_and_men_who_ride_in_them() -> None:
    town = replace(OPEN, terrain="town")
    lines = attack_value([fighter("de_pz4h")], [], town, DEFAULTS).lines
    assert [(line.label, line.value, line.rule) for line in lines[1:]] == [("vehicles into town", "-30%", "PB-ASLT-21")]
    riding = attack_value([fighter("de_motinf_coy", mode="travel")], [ENEMY], town, DEFAULTS)
    assert riding.value == pytest.approx(1400 * 0.25 * 0.7)
    assert attack_value([fighter("de_motinf_coy")], [ENEMY], town, DEFAULTS).value == 1400


@pytest.mark.rule("PB-ASLT-27")
def test_vehicles_over_a_hedge_row_fight_and_stand_at_half() -> None:
    tanks = fighter("de_pz4h", over_hedge_row=True)
    assert attack_value([tanks], [ENEMY], OPEN, DEFAULTS).value == 350
    assert attackers_guard([tanks], OPEN, DEFAULTS) == 6
    assert attackers_guard([fighter(over_hedge_row=True)], OPEN, DEFAULTS) == 24


@pytest.mark.rule("PB-ASLT-29", "PB-ASLT-30", "PB-ASLT-33")
def test_tanks_without_infantry_fight_at_half_in_close_country() -> None:
    side = [fighter("de_pz3l", hex=1), fighter("de_pz4h", hex=1), fighter("de_rifle_plt", hex=1), fighter("de_pz4h")]
    forest = replace(OPEN, terrain="forest")
    # 100 men short: hex 0 has 5 tanks alone, hex 1 has 10 - 4; the better tanks of a hex suffer first
    assert combined_arms(side, [ENEMY], forest) == (0, 5, 0, 5)
    assert combined_arms(side, [ENEMY], OPEN) == (0, 0, 0, 0)
    assert combined_arms(side, [fighter("su_zis3")], forest) == (0, 0, 0, 0)
    halved = attack_value([fighter("de_pz4h")], [ENEMY], forest, DEFAULTS)
    assert halved.value == pytest.approx(700 / 2 * 0.7)


@pytest.mark.rule("PB-ASLT-33")
def test_halved_vehicles_are_taken_from_the_hexes_in_proportion() -> None:
    assert unaccompanied([(2, 0), (1, 0), (1, 0)], 30) == (1, 1, 1)
    assert unaccompanied([(2, 0), (2, 0)], 10) == (1, 0)


@pytest.mark.rule("PB-ASLT-35", "PB-ASLT-36")
def test_the_average_defense_is_weighted_by_men() -> None:
    side = [fighter(), fighter("de_pz4h")]
    assert attackers_guard(side, OPEN, DEFAULTS) == pytest.approx((140 * 24 + 50 * 12) / 190)
    bunker = replace(OPEN, fort="bunker", terrain="forest")
    assert defenders_guard([ENEMY], [fighter()], bunker, DEFAULTS) == 40
    assert defenders_guard([fighter("de_assault_pio", charges=True)], [fighter()], bunker, DEFAULTS) == 32
    assert defenders_guard([ENEMY], [fighter()], replace(bunker, vacated=True), DEFAULTS) == 32
    assert defenders_guard([ENEMY], [fighter("de_pz4h")], bunker, DEFAULTS) == 12
    assert defenders_guard([ENEMY], [fighter()], replace(bunker, fort="trench"), DEFAULTS) == 24
    assert defenders_guard([ENEMY], [fighter(mode="travel")], bunker, DEFAULTS) == 12
    frozen = replace(OPEN, frozen=True)
    assert attackers_guard([fighter(urban=True)], frozen, FROST) == pytest.approx(24 * 0.8)
    assert attackers_guard([fighter()], frozen, FROST) == pytest.approx(24 * 0.6)


@pytest.mark.rule("PB-ASLT-37")
def test_an_assault_is_explained_by_four_tallies() -> None:
    value = assault_value([fighter(quality="B")], [ENEMY], OPEN, DEFAULTS)
    assert (value.on_defenders, value.on_attackers) == pytest.approx((1540 / 24, 1260 / 24))
    assert [(tally.title, tally.total) for tally in value.tallies] == [
        ("Assault value of the attackers", "1540"),
        ("Assault value of the defenders", "1260"),
        ("Average defense of the attackers", "24"),
        ("Average defense of the defenders", "24"),
    ]


@pytest.mark.rule("PB-ASLT-38")
def test_a_sides_losses_fall_on_its_units_by_their_men() -> None:
    assert shares([fighter(strength=60), fighter("de_pz4h", strength=4)], DEFAULTS) == (0.6, 0.4)


@pytest.mark.rule("PB-ASLT-40", "PB-ASLT-41")
def test_attackers_are_shaken_twice_and_at_night_again() -> None:
    assert attackers_disruption(OPEN, DEFAULTS) == 2
    assert attackers_disruption(replace(OPEN, night=True), DEFAULTS) == 4
    hopeless = overridden({"terrain": {"combat_pct": {"forest": -100}}}, "test")
    assert attackers_disruption(replace(OPEN, terrain="forest"), hopeless) == 200


@pytest.mark.rule("PB-ASLT-25")
@pytest.mark.parametrize(
    ("organizations", "mixed"),
    [
        ([("1st", "II"), ("1st", "II")], False),
        ([("1st", "II"), ("2nd", "II")], True),
        ([("", "II"), ("1st", "II")], False),
        ([("", "II"), ("", "III")], True),
        ([("", "III"), ("1st", "II")], True),
        ([("", ""), ("", "")], False),
    ],
)
def test_units_of_different_commands_attack_worse(organizations: list[tuple[str, str]], mixed: bool) -> None:
    assert is_mixed(organizations) == mixed


# --- how it ends -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ASLT-42", "PB-ASLT-43")
def test_attackers_win_when_no_defender_stands_and_one_of_them_does() -> None:
    assert success(SideFate(0.25, 0.125, 0.0), SideFate(0.5, 0.0, 0.0)) == 0.375
    assert success(SideFate(1.0, 0.25, 0.0), SideFate(1.0, 1.0, 1.0)) == 0.75
    assert success(SideFate(1.0, 0.0, 0.0), SideFate(1.0, 0.5, 0.5)) == 0.5


@pytest.mark.rule("PB-ASLT-46", "PB-ASLT-52")
def test_attackers_move_in_when_nobody_stays_and_one_of_them_is_in_order() -> None:
    assert entered(SideFate(0.25, 0.125, 0.0), SideFate(0.75, 0.0, 0.5)) == 0.375
    assert entered(SideFate(1.0, 0.25, 0.0), SideFate(1.0, 1.0, 1.0)) == 0.0


@pytest.mark.rule("PB-ASLT-38", "PB-ASLT-42")
def test_the_fate_of_a_side_is_exact_for_several_units() -> None:
    units = [
        Struck(is_men=True, strength=60, full=60, size="company"),
        Struck(is_men=True, strength=30, full=40, quality="D"),
        Struck(is_men=False, strength=2, full=5),
    ]
    split, between, steps = (60 / 110, 30 / 110, 20 / 110), Interval(4.0, 27.0), 1_000
    found = side_fate(units, split, between, DEFAULTS)
    none_good = none_left = 0.0
    for n in range(steps):
        x = 4.0 + 23.0 * (n + 0.5) / steps
        at = side_fate(units, split, Interval(x, x), DEFAULTS)
        none_good += at.none_good / steps
        none_left += at.none_left / steps
    assert found == pytest.approx((none_good, none_left, none_good), abs=1e-5), "all may go"
    trapped = side_fate(units, split, between, DEFAULTS, captures=[lambda rest, is_broken: 0.0] * 3)
    assert trapped == (found.none_good, found.none_left, found.none_left)
    taken = side_fate(units, split, between, DEFAULTS, captures=[lambda rest, is_broken: 1.0] * 3)
    assert taken == pytest.approx(found)


@pytest.mark.rule("PB-ASLT-42")
def test_a_unit_that_is_already_shaken_is_never_in_good_order() -> None:
    units = [Struck(is_men=True, strength=60, full=60, disrupted=True)]
    assert side_fate(units, (1.0,), Interval(0.0, 3.0), DEFAULTS, multiplier=Fraction(2)).none_good == pytest.approx(1)
