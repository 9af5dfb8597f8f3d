"""The parameter file: every cell of its tables, exact fractions, and everything that can be wrong with it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from sandtable.content import ContentError
from sandtable.rulesets.panzer_battles.parameter_sections import PROHIBITED
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, column, exact, overridden, read_parameters
from sandtable.rulesets.panzer_battles.version import TABLES

SHIPPED = (TABLES / "parameters.toml").read_text(encoding="utf-8")

# foot, ski, bicycle, horse, motorcycle, motorized, halftrack, tracked
TERRAIN_COSTS = """
clear          9  9  9  9  9 12  9  9
grass          9  9 10  9 10 12  9  9
field          9  9 12 10 12 14 10 10
building       9  9  9 10 10 12 10 10
rough         12 12 18 14 20 24 18 15
orchard       10 10 14 12 14 18 14 12
forest        12 12 18 15 24 -1 24 18
jungle        18 18 -1 24 -1 -1 -1 30
marsh         18 18 -1 24 -1 -1 -1 -1
swamp         24 24 -1 36 -1 -1 -1 -1
village        9  9  9 10  9 12 10 10
town          10 10 10 12 10 14 12 12
city          12 12 12 14 12 16 14 14
industrial    12 12 14 15 14 18 16 16
shallow_water 24 24 -1 30 -1 36 30 24
water         -1 -1 -1 -1 -1 -1 -1 -1
impassible    -1 -1 -1 -1 -1 -1 -1 -1
"""
ROAD_COSTS = """
primary   6 6  4  6  4  4  4  4
secondary 7 7  5  7  5  6  5  5
trail     8 8  7  8  8  9  8  7
rail_bed  9 9 12 10 12 14 10 10
"""
HEXSIDE_COSTS = """
stream      6  6 12  9 12 15 12 12
gully       6  6 12  9 12 18 12  9
river      -1 -1 -1 -1 -1 -1 -1 -1
canal      -1 -1 -1 -1 -1 -1 -1 -1
at_ditch   -1 -1 -1 -1 -1 -1 -1 -1
cliff      -1 -1 -1 -1 -1 -1 -1 -1
dike        6  6  9  9 12 15 12  9
hedge       3  3  6  6  6  9  6  3
hedge_row   6  6 12 12 18 -1 24 18
embankment  3  3  6  6  9 12  6  6
ford       12 12 12 12 18 24 18 18
"""
CONDITIONS = """
normal 100 100 100 100 100 100 100 100
soft   110 110 130 110 140 150 130 130
mud    150 150 200 150 250 300 200 175
snow   130  70 200 130 200 175 140 130
frozen 120  70 180 120 180 150 125 115
"""
# height, combat modifier
TERRAIN = """
clear 0 0
grass 1 0
field 1 -5
building 1 -10
rough 1 -20
orchard 4 -15
forest 15 -30
jungle 15 -40
marsh 1 -10
swamp 6 -20
village 8 -20
town 10 -30
city 15 -40
industrial 15 -50
shallow_water 0 0
water 0 0
impassible 0 0
"""
HEXSIDE_COMBAT = """
stream -10
gully -10
river -30
canal -20
at_ditch -10
cliff -30
dike -20
hedge -10
hedge_row -20
embankment -15
ford -20
bridge -30
"""


def rows(text: str) -> dict[str, tuple[int, ...]]:
    """A drawn table by the name of its rows."""
    return {line.split()[0]: tuple(map(int, line.split()[1:])) for line in text.strip().splitlines()}


@pytest.mark.rule("PB-MOVE-5", "PB-MOVE-7", "PB-MOVE-38", "PB-MOVE-88", "PB-MAP-3", "PB-MAP-4", "PB-MAP-5")
def test_movement_costs_are_those_of_the_table() -> None:
    assert DEFAULTS.movement.terrain == rows(TERRAIN_COSTS)
    assert DEFAULTS.movement.road == rows(ROAD_COSTS)
    assert DEFAULTS.movement.hexside == rows(HEXSIDE_COSTS)
    assert DEFAULTS.movement.elevation_up.cost == (2, 2, 3, 3, 3, 4, 3, 3)
    assert DEFAULTS.movement.terrain["forest"][column("motorized")] == PROHIBITED


@pytest.mark.rule("PB-ENV-10")
def test_the_state_of_the_ground_changes_costs_by_class() -> None:
    assert DEFAULTS.movement.condition_pct == rows(CONDITIONS)


@pytest.mark.rule("PB-SPOT-3", "PB-FIRE-45")
def test_terrain_has_a_height_and_a_combat_modifier() -> None:
    assert {key: (height, DEFAULTS.terrain.combat_pct[key]) for key, height in DEFAULTS.terrain.height_m.items()} == (
        rows(TERRAIN)
    )


@pytest.mark.rule("PB-SPOT-9", "PB-FIRE-44", "PB-ASLT-20")
def test_hexsides_have_a_height_and_a_combat_modifier() -> None:
    assert {key: (value,) for key, value in DEFAULTS.hexside.combat_pct.items()} == rows(HEXSIDE_COMBAT)
    assert DEFAULTS.hexside.height_m == {"hedge": 1, "hedge_row": 3, "dike": 3, "embankment": 2, "cliff": 0}


@pytest.mark.rule("PB-MOR-1", "PB-FIRE-25", "PB-ASLT-22", "PB-MOVE-15", "PB-MOVE-16", "PB-MOVE-17", "PB-MOVE-18")
@pytest.mark.rule("PB-MOVE-19", "PB-CMD-3")
def test_what_each_quality_does() -> None:
    grades = "ABCDEF"
    quality = DEFAULTS.quality
    assert quality.numeric == dict(zip(grades, (6, 5, 4, 3, 2, 1), strict=True))
    assert quality.fire_pct == dict(zip(grades, (20, 10, 0, -20, -40, -60), strict=True))
    assert quality.assault_pct == quality.fire_pct
    assert quality.move_pct_vehicle == dict(zip(grades, (20, 10, 0, -10, -20, -30), strict=True))
    assert quality.move_pct_other == dict(zip(grades, (10, 10, 0, -10, -10, -20), strict=True))
    assert quality.command_range_add == dict(zip(grades, (2, 1, 0, -1, -2, -3), strict=True))
    assert quality.breakdown_q == dict(zip(grades, (Fraction(n, 10) for n in (12, 11, 10, 8, 6, 4)), strict=True))
    assert quality.bridge_pct == dict(zip(grades, (120, 110, 100, 75, 50, 25), strict=True))
    assert quality.air_recon_pct == dict(zip(grades, (150, 125, 100, 80, 60, 40), strict=True))
    assert quality.opfire_pct == dict(zip(grades, (120, 110, 100, 85, 70, 50), strict=True))


@pytest.mark.rule("PB-FAT-1", "PB-FAT-3", "PB-FIRE-26", "PB-MOR-3", "PB-MOR-4", "PB-MOR-5")
def test_what_each_level_of_fatigue_does() -> None:
    levels = ("none", "low", "medium", "high", "maximum")
    fatigue = DEFAULTS.fatigue
    assert fatigue.fire_pct == dict(zip(levels, (0, 0, -10, -20, -40), strict=True))
    assert fatigue.assault_pct == fatigue.fire_pct
    assert fatigue.morale_sub == dict(zip(levels, (0, 0, 1, 2, 4), strict=True))
    assert (fatigue.medium_at, fatigue.high_at, fatigue.max) == (50, 100, 150)
    assert (fatigue.factor_platoon, fatigue.factor_combined2, fatigue.factor_company) == (6, 4, 2)


@pytest.mark.rule("PB-FIRE-46", "PB-FIRE-47", "PB-FIRE-66")
def test_the_four_works() -> None:
    works = {kind: DEFAULTS.fortification.work(kind) for kind in ("improved", "trench", "bunker", "pillbox")}
    assert {kind: (work.fire_pct, work.defense_add, work.hard) for kind, work in works.items()} == {
        "improved": (-30, 0, False),
        "trench": (-55, 0, False),
        "bunker": (-60, 16, True),
        "pillbox": (-70, 32, True),
    }


@pytest.mark.rule("PB-GEN-15")
def test_decimals_of_an_allowance_are_exact_fractions() -> None:
    assert (exact(0.3333333333), exact(0.6666666667), exact(0.5)) == (Fraction(1, 3), Fraction(2, 3), Fraction(1, 2))
    assert (DEFAULTS.costs.fire, DEFAULTS.costs.assault_min) == (Fraction(1, 3), Fraction(2, 3))
    assert -(-DEFAULTS.costs.assault_min * 108 // 1) == 72


@pytest.mark.rule("PB-GEN-19")
def test_the_file_has_the_headings_and_as_many_keys_under_each_as_the_rules_say() -> None:
    counts = {name: len(getattr(DEFAULTS, name).__struct_fields__) for name in DEFAULTS.__struct_fields__}
    assert counts == {
        **{"meta": 2, "time": 6, "stacking": 5, "misc": 41, "quality": 10, "fatigue": 10, "combat": 34},
        **{"fortification": 5, "artillery": 6, "air": 15, "bridge": 6, "supply": 5, "deception": 7, "frozen": 1},
        **{"airborne": 6, "victory": 8, "carry": 8, "costs": 16, "movement": 13, "terrain": 2, "hexside": 2},
        **{"los": 4, "weather": 7},
    }


@pytest.mark.rule("PB-GEN-22")
def test_a_value_for_each_side_is_that_of_the_side_named() -> None:
    changes = {
        "misc": {"rail_capacity": {"axis": 7}, "fix_at_night": {"axis": True}, "vehicle_breakdown": {"axis": 0.25}}
    }
    changed = overridden(changes, "a.toml")
    assert (changed.misc.rail_capacity.of("allied"), changed.misc.rail_capacity.of("axis")) == (0, 7)
    assert (changed.misc.fix_at_night.of("allied"), changed.misc.fix_at_night.of("axis")) == (False, True)
    assert changed.misc.vehicle_breakdown.of("allied") == 0
    assert changed.misc.vehicle_breakdown.of("axis") == Fraction(1, 4)
    assert (changed.artillery.indirect_mod_pct.of("allied"), changed.artillery.indirect_mod_pct.of("axis")) == (50, 100)
    assert (changed.air.interdiction_unit.of("allied"), changed.air.interdiction_unit.of("axis")) == (
        "il2_flight",
        "ju87_flight",
    )


@pytest.mark.rule("PB-GEN-19", "PB-GEN-23")
def test_a_scenario_sets_single_numbers_anew_and_leaves_the_rest() -> None:
    changed = overridden({"combat": {"range_effect": 2}, "quality": {"numeric": {"A": 7}}}, "a.toml")
    assert changed.combat.range_effect == 2.0
    assert changed.quality.numeric == {**DEFAULTS.quality.numeric, "A": 7}
    assert msgspec.structs.replace(changed.combat, range_effect=1.5) == DEFAULTS.combat
    assert overridden({}, "a.toml") == DEFAULTS


WRONG: list[tuple[str, dict[str, Any], list[str]]] = [
    ("a heading that is not there", {"wether": {}}, ["a.toml: [parameters]: unknown key 'wether'"]),
    ("a heading that is no table", {"los": 3}, ["a.toml: [parameters.los]: expected a table, got 3"]),
    ("a key that is not there", {"los": {"eye": 3}}, ["a.toml: [parameters.los]: unknown key 'eye'"]),
    (
        "text for a number",
        {"combat": {"fire_lcv": "many"}},
        ["a.toml: [parameters.combat] 'fire_lcv': expected a whole number from 0 to 100000, got 'many'"],
    ),
    (
        "a percentage out of bounds",
        {"quality": {"fire_pct": {"A": 1001}}, "terrain": {"combat_pct": {"clear": -101}}},
        [
            "a.toml: [parameters.quality.fire_pct] 'A': expected a whole percentage from -100 to 1000, got 1001",
            "a.toml: [parameters.terrain.combat_pct] 'clear': expected a whole percentage from -100 to 1000, got -101",
        ],
    ),
    (
        "a terrain nobody knows",
        {"terrain": {"height_m": {"moor": 1}}},
        ["a.toml: [parameters.terrain.height_m]: unknown key 'moor'"],
    ),
    (
        "a row too short",
        {"movement": {"terrain": {"clear": [9, 9]}}},
        ["a.toml: [parameters.movement.terrain] 'clear': expected 8 values, got 2"],
    ),
    (
        "a fraction that is none",
        {"costs": {"fire": "some"}, "carry": {"carry_cost_fraction": -0.5}, "movement": {"detour_limit": True}},
        [
            "a.toml: [parameters.costs] 'fire': expected a number from 0 to 1000, got 'some'",
            "a.toml: [parameters.carry] 'carry_cost_fraction': expected a number from 0 to 1000, got -0.5",
            "a.toml: [parameters.movement] 'detour_limit': expected a number from 0 to 1000, got true",
        ],
    ),
    (
        "thresholds out of order",
        {"fatigue": {"high_at": 40}, "combat": {"fire_lcv": 2000}, "misc": {"hq_restore_strength_pct": [80, 20]}},
        [
            "a.toml: [parameters.fatigue] 'high_at': expected no less than medium_at (50), got 40",
            "a.toml: [parameters.combat] 'fire_hcv': expected no less than fire_lcv (2000), got 1750",
            "a.toml: [parameters.misc] 'hq_restore_strength_pct': expected no less than its first value (80), got 20",
        ],
    ),
    (
        "a night that ends before it begins",
        {"time": {"dusk": "04:00"}},
        ["a.toml: [parameters.time] 'dusk': expected no less than dawn (05:00), got 04:00"],
    ),
]


@pytest.mark.rule("PB-GEN-20")
@pytest.mark.parametrize(("changes", "problems"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_wrong_number_is_reported_with_file_and_key(changes: dict[str, Any], problems: list[str]) -> None:
    with pytest.raises(ContentError) as raised:
        overridden(changes, "a.toml")
    found = str(raised.value).splitlines()
    assert len(found) == len(problems)
    for problem in problems:
        assert any(line.startswith(problem) for line in found), found


@pytest.mark.rule("PB-GEN-20")
def test_a_file_that_lacks_numbers_is_reported_with_all_of_them_at_once() -> None:
    wrong = SHIPPED.replace("swamp = 6\n", "").replace("range_effect = 1.5\n", "").replace(", F = 1 }", " }")
    with pytest.raises(ContentError) as raised:
        read_parameters(wrong.encode())
    assert str(raised.value).splitlines() == [
        "<table>: [quality.numeric]: F is missing",
        "<table>: [terrain.height_m]: swamp is missing",
        "<table>: [combat] 'range_effect': missing; expected a number from 1 to 100",
    ]
