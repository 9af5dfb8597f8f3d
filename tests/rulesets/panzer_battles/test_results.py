"""Combat results as they are drawn, and as they are worked out beforehand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.dice import UNIFORM, Dice, KeyedDice
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden
from sandtable.rulesets.panzer_battles.results import losses
from sandtable.rulesets.panzer_battles.results.losses import Interval, Toll, nominal_loss, rounded, toll
from sandtable.rulesets.panzer_battles.results.notation import midpoint, notation
from sandtable.rulesets.panzer_battles.results.odds import exact_shares, nominal_losses, result_odds
from sandtable.rulesets.panzer_battles.results.points import loss_points
from sandtable.rulesets.panzer_battles.results.struck import (
    Struck,
    fatigue_factor,
    fatigue_level,
    morale,
    morale_tally,
    size_of,
)
from tests.kit.scripted import Script

HIT = UnitId(7)
COMPANY = Struck(is_men=True, strength=100, full=140, size="company")
PLATOON = Struck(is_men=True, strength=40, full=40)
TANKS = Struck(is_men=False, strength=5, full=5)


def bench(dice: Dice) -> Resolution[Any]:
    """A workbench on which nothing stands."""
    return Resolution(State(None, (), DiceKey("")), dice, lambda position, _: position)


def share(number: float) -> int:
    """The face of a uniform number."""
    return int(number * UNIFORM) + 1


# --- drawn -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CRT-2", "PB-CRT-3", "PB-CRT-4", "PB-GEN-11", "PB-GEN-14")
@pytest.mark.parametrize(("lot", "rounding", "loss"), [(0.0, 0.4, 3), (0.0, 0.6, 2), (0.5, 0.4, 8), (0.5, 0.6, 7)])
def test_the_casualty_value_is_drawn_and_rounded_at_random(
    lot: float, rounding: float, loss: int, scripted: Script
) -> None:
    resolution = bench(scripted(share(lot), share(rounding)))
    assert nominal_loss(resolution, Interval(2.5, 12.5), HIT) == loss
    assert [(draw.rule, draw.actor) for draw in resolution.dice.draws] == [("PB-CRT-3", HIT), ("PB-CRT-4", HIT)]


@pytest.mark.rule("PB-GEN-11")
def test_a_chance_is_met_below_it_and_not_at_it(scripted: Script) -> None:
    assert rounded(bench(scripted(share(0.5))), 3.5, "PB-CRT-4", HIT) == 3
    assert rounded(bench(scripted(share(0.5) - 1)), 3.5, "PB-CRT-4", HIT) == 4


@pytest.mark.rule("PB-CRT-19")
def test_the_alternative_calculation_takes_the_mean_of_two(scripted: Script) -> None:
    resolution = bench(scripted(share(0.0), share(0.5), share(0.9)))
    assert nominal_loss(resolution, Interval(0.0, 16.0), HIT, alternative=True) == 4
    assert [draw.rule for draw in resolution.dice.draws] == ["PB-CRT-3", "PB-CRT-19", "PB-CRT-4"]


@pytest.mark.rule("PB-CRT-6", "PB-CRT-11", "PB-CRT-12", "PB-CRT-13", "PB-FAT-3", "PB-MOR-10", "PB-MOR-11", "PB-FIRE-57")
def test_a_company_loses_men_tires_and_may_be_disrupted(scripted: Script) -> None:
    # 15 men: fatigue 0 to 30, check with 15/30 = 1/2, morale 4
    resolution = bench(scripted(21, 1, 5))
    assert toll(resolution, COMPANY, 15, DEFAULTS, HIT) == Toll(15, 85, 20, disrupted=True, broken=False, effect="D")
    draws = [(draw.rule, draw.sides) for draw in resolution.dice.draws]
    assert draws == [("PB-FAT-3", 31), ("PB-CRT-13", 2), ("PB-MOR-10", 6)]


@pytest.mark.rule("PB-MOR-10")
def test_a_die_that_is_no_more_than_morale_passes(scripted: Script) -> None:
    resolution = bench(scripted(1, 1, 4))
    assert toll(resolution, COMPANY, 15, DEFAULTS, HIT) == Toll(15, 85, 0, disrupted=False, broken=False)


@pytest.mark.rule("PB-CRT-13")
def test_without_a_loss_nothing_is_drawn(scripted: Script) -> None:
    assert toll(bench(scripted()), COMPANY, 0, DEFAULTS, HIT) == Toll(0, 100, 0, disrupted=False, broken=False)


@pytest.mark.rule("PB-MOR-15", "PB-MOR-5", "PB-MOR-9", "PB-FAT-7")
def test_fatigue_of_the_same_combat_counts_in_the_check(scripted: Script) -> None:
    tired = replace(COMPANY, fatigue=140)
    # at most 150; then morale is 4 - 4 and no die can pass
    resolution = bench(scripted(31, 1, 1))
    assert toll(resolution, tired, 15, DEFAULTS, HIT) == Toll(15, 85, 150, disrupted=True, broken=False, effect="D")


@pytest.mark.rule("PB-FAT-5", "PB-ASLT-39")
def test_attackers_tire_twice_as_fast(scripted: Script) -> None:
    resolution = bench(scripted(21, 2))
    assert toll(resolution, COMPANY, 15, DEFAULTS, HIT, attacks=True).fatigue == 40


@pytest.mark.rule("PB-MOR-12", "PB-MOR-14")
def test_a_disrupted_unit_that_fails_is_broken(scripted: Script) -> None:
    shaken = replace(COMPANY, disrupted=True)
    resolution = bench(scripted(1, 1, 4))
    assert toll(resolution, shaken, 15, DEFAULTS, HIT) == Toll(15, 85, 0, disrupted=False, broken=True, effect="B")


@pytest.mark.rule("PB-MOR-12")
def test_with_the_option_only_exhausted_units_break() -> None:
    strict = overridden({"misc": {"broken_requires_max_fatigue": True}}, "test")
    shaken = replace(COMPANY, disrupted=True)
    assert losses.on_failure(shaken, strict) == ""
    assert losses.on_failure(replace(shaken, fatigue=150), strict) == "B"
    assert losses.on_failure(replace(shaken, fatigue=149), DEFAULTS) == "B"


@pytest.mark.rule("PB-MOR-13")
def test_a_broken_unit_that_fails_stays_broken(scripted: Script) -> None:
    routed = replace(COMPANY, broken=True)
    assert toll(bench(scripted(1, 1, 6)), routed, 15, DEFAULTS, HIT) == Toll(15, 85, 0, disrupted=False, broken=True)


@pytest.mark.rule("PB-CRT-7", "PB-FAT-6")
def test_a_vehicle_is_lost_for_ten_men_and_one_more_by_chance(scripted: Script) -> None:
    assert toll(bench(scripted(3, 1, 18)), TANKS, 13, DEFAULTS, HIT).lost == 2
    assert toll(bench(scripted(4, 50, 18)), TANKS, 13, DEFAULTS, HIT)[:3] == (1, 4, 49)


@pytest.mark.rule("PB-CRT-7")
def test_whole_tens_leave_nothing_to_chance(scripted: Script) -> None:
    assert toll(bench(scripted(1, 5)), TANKS, 20, DEFAULTS, HIT).lost == 2


@pytest.mark.rule("PB-CRT-9", "PB-CRT-10")
def test_nobody_loses_more_than_he_has_and_the_dead_check_nothing(scripted: Script) -> None:
    assert toll(bench(scripted()), TANKS, 80, DEFAULTS, HIT) == Toll(5, 0, 0, False, False, "X")
    assert toll(bench(scripted()), PLATOON, 40, DEFAULTS, HIT) == Toll(40, 0, 0, False, False, "X")


@pytest.mark.rule("PB-CRT-16")
def test_fewer_than_ten_men_may_scatter(scripted: Script) -> None:
    few = replace(PLATOON, strength=10)
    # 6 men left survive with 6/10 = 3/5
    assert toll(bench(scripted(4)), few, 4, DEFAULTS, HIT) == Toll(10, 0, 0, False, False, "X")
    assert toll(bench(scripted(3, 1, 9)), few, 4, DEFAULTS, HIT).strength == 6


@pytest.mark.rule("PB-CRT-17", "PB-CRT-18", "PB-GEN-18")
def test_headquarters_do_not_scatter_and_small_units_are_measured_by_their_full_strength() -> None:
    staff = replace(PLATOON, strength=10, is_hq=True)
    assert losses.survival(staff, 4, DEFAULTS) == 1
    small = replace(PLATOON, strength=8, full=8)
    assert losses.survival(small, 2, DEFAULTS) == Fraction(6, 8)
    assert losses.survival(replace(PLATOON, strength=9), 0, DEFAULTS) == 1
    assert [losses.probability(pct) for pct in (120, -5, 25)] == [1, 0, Fraction(1, 4)]


# --- morale ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FAT-1")
@pytest.mark.parametrize(
    ("points", "level"),
    [(0, "none"), (1, "low"), (49, "low"), (50, "medium"), (99, "medium"), (100, "high"), (149, "high")],
)
def test_levels_of_fatigue(points: int, level: str) -> None:
    assert fatigue_level(points, DEFAULTS) == level
    assert fatigue_level(150, DEFAULTS) == "maximum"


WORN = {
    "PB-MOR-3": (replace(COMPANY, fatigue=50), -1),
    "PB-MOR-4": (replace(COMPANY, fatigue=100), -2),
    "PB-MOR-5": (replace(COMPANY, fatigue=150), -4),
    "PB-MOR-6": (replace(COMPANY, low_supply=True), -1),
    "PB-MOR-7": (replace(COMPANY, disrupted=True), -1),
    "PB-MOR-8": (replace(COMPANY, isolated=True), -1),
}


@pytest.mark.rule("PB-MOR-2", "PB-MOR-3", "PB-MOR-4", "PB-MOR-5", "PB-MOR-6", "PB-MOR-7", "PB-MOR-8")
@pytest.mark.parametrize("rule", WORN)
def test_what_wears_morale_down(rule: str) -> None:
    unit, less = WORN[rule]
    tally = morale_tally(unit, DEFAULTS)
    assert tally.total == 4 + less
    assert [(line.value, line.rule) for line in tally.lines] == [(4, "PB-MOR-2"), (less, rule)]


@pytest.mark.rule("PB-MOR-7")
def test_the_worst_troops_rally_as_if_they_were_in_good_order() -> None:
    mob = replace(COMPANY, quality="F", broken=True)
    assert (morale(mob, DEFAULTS), morale(mob, DEFAULTS, recovering=True)) == (0, 1)
    assert morale(replace(mob, quality="E"), DEFAULTS, recovering=True) == 1
    assert [line.label for line in morale_tally(mob, DEFAULTS).lines] == ["quality F", "Broken"]


@pytest.mark.rule("PB-UNIT-7", "PB-UNIT-32", "PB-CRT-13")
def test_two_parts_are_more_than_a_platoon_and_three_are_a_company() -> None:
    assert [size_of(parts, is_company=False) for parts in (1, 2, 3, 4)] == ["platoon", "combined2"] + ["company"] * 2
    assert size_of(1, is_company=True) == "company"
    pair = replace(PLATOON, size="combined2")
    assert losses.check_chance(pair, 10, Fraction(1), DEFAULTS) == Fraction(1, 2)
    assert fatigue_factor("combined2", DEFAULTS) == 4


# --- beforehand ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CRT-5", "PB-CRT-19")
@pytest.mark.parametrize("alternative", [False, True])
@pytest.mark.parametrize("between", [Interval(0.0, 0.3), Interval(0.4, 2.1), Interval(3.0, 15.0), Interval(2.0, 2.0)])
def test_the_chances_of_all_losses_add_up_and_have_the_right_mean(between: Interval, alternative: bool) -> None:
    chances = nominal_losses(between, alternative=alternative)
    assert sum(chances.values()) == pytest.approx(1)
    assert sum(k * chance for k, chance in chances.items()) == pytest.approx((between.low + between.high) / 2)


CASES = [
    (COMPANY, Interval(2.0, 9.0), Fraction(1), False),
    (replace(COMPANY, disrupted=True, fatigue=95), Interval(3.0, 20.0), Fraction(5, 2), True),
    (replace(PLATOON, strength=14, quality="D", fatigue=30), Interval(1.0, 12.0), Fraction(2), False),
    (replace(TANKS, quality="B"), Interval(4.0, 30.0), Fraction(1), False),
    (replace(PLATOON, broken=True, strength=12), Interval(0.5, 6.0), Fraction(1), False),
]


@pytest.mark.rule("PB-CRT-5", "PB-CRT-7", "PB-CRT-13", "PB-CRT-15", "PB-CRT-16", "PB-CRT-21")
@pytest.mark.parametrize(("unit", "between", "multiplier", "attacks"), CASES)
def test_what_is_worked_out_beforehand_is_what_is_drawn(
    unit: Struck, between: Interval, multiplier: Fraction, attacks: bool
) -> None:
    odds = result_odds(unit, between, DEFAULTS, multiplier=multiplier, attacks=attacks)
    counts: Counter[str] = Counter()
    lost, games = 0, 4000
    for number in range(games):
        resolution = bench(KeyedDice(DiceKey("odds", number)))
        loss = nominal_loss(resolution, between, HIT)
        result = toll(resolution, unit, loss, DEFAULTS, HIT, multiplier=multiplier, attacks=attacks)
        counts[result.effect] += 1
        lost += result.lost
    drawn = (counts["D"] / games, counts["B"] / games, counts["X"] / games)
    assert drawn == pytest.approx((odds.disrupted, odds.broken, odds.eliminated), abs=0.025)
    mean = sum(taken * chance for (taken, _), chance in odds.outcomes.items())
    assert lost / games == pytest.approx(mean, rel=0.05)


def test_shares_are_exact_and_add_up_to_one() -> None:
    shares = exact_shares({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3, "d": 1e-9})
    assert sum(shares.values()) == 1
    assert shares == {"a": Fraction(333_334, 1_000_000), "b": Fraction(333_333, 1_000_000)} | {
        "c": Fraction(333_333, 1_000_000)
    }


# --- what the enemy knows, and points --------------------------------------------------------------------------------


@pytest.mark.rule("PB-UNIT-16", "PB-UNIT-17", "PB-CRT-21")
def test_an_enemys_strength_is_known_by_its_digits() -> None:
    assert [(notation(n), midpoint(n)) for n in (1, 42, 140, 1000)] == [
        ("X", 5),
        ("XX", 55),
        ("XXX", 550),
        ("XXXX", 5500),
    ]


@pytest.mark.rule("PB-VIC-12")
@pytest.mark.parametrize(
    ("key", "points"),
    [
        ("de_rifle_coy", Fraction(1, 10)),
        ("de_bn_hq", Fraction(1, 2)),
        ("de_pak40", Fraction(2)),
        ("de_truck", Fraction(1)),
        ("de_pz4h", Fraction(4)),
        ("de_tiger2", Fraction(10)),
        ("uk_lct", Fraction(10)),
        ("il2_flight", Fraction(4)),
    ],
)
def test_points_for_one_of_each(key: str, points: Fraction) -> None:
    assert loss_points(KINDS[key], 1, DEFAULTS) == points
