"""What a weapon is worth: class, distance, elevation, field of fire."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import RuleId
from sandtable.rulesets.panzer_leader import weapons
from sandtable.rulesets.panzer_leader.combat import ARMORED, EVEN, NONARMORED
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import ALLIED
from tests.rulesets.panzer_leader.table import open_board, table, unit

F = Fraction

# unit, distance, against armored, against non-armored; None where it can't fire
CHART = [
    ("a_rifle", 1, None, F(1)),
    ("a_rifle", 2, None, F(1)),
    ("a_rifle", 3, None, F(1, 2)),
    ("a_rifle", 4, None, F(1, 2)),
    ("a_rifle", 5, None, None),
    ("a_airborne", 3, None, None),  # no star
    ("g_panther", 1, F(2), F(1, 2)),
    ("g_panther", 6, F(2), F(1, 2)),
    ("g_panther", 7, F(1), F(1, 2)),
    ("g_panther", 12, F(1), F(1, 2)),
    ("g_panther", 13, None, None),
    ("a_57at", 2, F(2), F(1, 2)),  # range 5: half is 2, rounded down
    ("a_57at", 3, F(1), F(1, 2)),
    ("g_stuh", 6, F(1), F(1)),
    ("g_stuh", 7, F(1, 2), F(1)),
    ("a_m8hmc", 6, F(1), F(1)),  # six hexes though its range is 8
    ("a_m8hmc", 8, F(1, 2), F(1)),
    ("a_priest", 6, F(1), F(1)),
    ("a_priest", 7, F(1, 2), F(1)),
    ("a_priest", 32, F(1, 2), F(1)),
    ("a_priest", 33, None, None),
    ("a_81mm", 1, F(1, 2), F(1)),
    ("a_81mm", 12, F(1, 2), F(1)),
    ("a_81mm", 13, None, None),
    ("a_truck", 1, None, None),
    ("n_fort40", 0, None, None),
]


@pytest.mark.parametrize(("key", "distance", "armored", "nonarmored"), CHART)
@pytest.mark.rule("PL-208", "PL-301", "PL-305", "PL-805", "PL-808", "PL-809")
def test_direct_fire_is_multiplied_as_the_weapons_chart_says(
    key: str, distance: int, armored: Fraction | None, nonarmored: Fraction | None
) -> None:
    assert F(weapons.multiplier(key, "direct", ARMORED, distance)[0], 8) == (armored or 0)
    assert F(weapons.multiplier(key, "direct", NONARMORED, distance)[0], 8) == (nonarmored or 0)


@pytest.mark.parametrize(
    ("key", "mode", "armored", "nonarmored"),
    [
        ("a_priest", "indirect", F(1, 2), F(1)),
        ("a_81mm", "indirect", F(1, 2), F(1)),
        ("a_priest", "naval", F(1, 2), F(1)),
        ("g_panther", "indirect", F(0), F(0)),
        ("g_stuh", "indirect", F(0), F(0)),
    ],
)
@pytest.mark.rule("PL-808")
def test_indirect_and_naval_fire_are_halved_against_armor_at_any_distance(
    key: str, mode: str, armored: Fraction, nonarmored: Fraction
) -> None:
    assert F(weapons.multiplier(key, mode, ARMORED, 5)[0], 8) == armored
    assert F(weapons.multiplier(key, mode, NONARMORED, 5)[0], 8) == nonarmored


@pytest.mark.parametrize(
    ("key", "distance", "even"),
    [
        ("g_panther", 3, F(1, 2)),
        ("g_stuh", 3, F(1)),
        ("g_stuh", 8, F(1, 2)),
        ("a_81mm", 3, F(1, 2)),
        ("a_rifle", 1, F(0)),
    ],
)
@pytest.mark.rule("PL-807")
def test_against_an_evenly_divided_target_a_firer_has_the_worse_figure(key: str, distance: int, even: Fraction) -> None:
    eighths, reason, rule = weapons.multiplier(key, "direct", EVEN, distance)
    assert F(eighths, 8) == even
    assert rule == "PL-807"
    assert "evenly divided" in reason


@pytest.mark.rule("PL-821")
@pytest.mark.parametrize(
    ("firer", "target", "halved"),
    [(0, 2, "PL-821"), (1, 2, "PL-821"), (2, 2, ""), (0, 0, ""), (2, 0, ""), (1, 0, "")],
)
def test_fire_at_a_hilltop_is_halved_unless_it_comes_from_one(firer: int, target: int, halved: str) -> None:
    t = table(open_board(1, 4), elevation={"0101": firer, "0104": target})
    assert weapons.is_halved_by_height(t.position, t.hex("0101"), t.hex("0104")) == halved


@pytest.mark.rule("PL-822")
@pytest.mark.parametrize(
    ("firer", "halved"), [("0101", "PL-822"), ("0102", "PL-822"), ("0104", ""), ("0105", "PL-822"), ("0103", "")]
)
def test_fire_at_a_slope_is_halved_unless_adjacent_over_a_side_that_is_not_brown(firer: str, halved: str) -> None:
    t = table(".\n.\nS\n.\n.", hexsides={"brown": ["0102-0103"]})
    assert weapons.is_halved_by_height(t.position, t.hex(firer), t.hex("0103")) == halved


@pytest.mark.rule("PL-810", "PL-823")
def test_multipliers_multiply_exactly_and_height_halves_direct_fire_alone() -> None:
    t = table(open_board(1, 5), unit("a_rifle", "0101"), unit("a_priest", "0101"), elevation={"0104": 2})
    made = weapons.strength_against(t.position, t.unit(0), t.hex("0104"), NONARMORED)
    assert not isinstance(made, Refusal)
    eighths, lines = made
    assert weapons.in_whole_points(eighths) == F(1, 2)  # 2, beyond its range, at a hilltop
    assert [(line.value, line.rule) for line in lines] == [(2, "PL-307"), ("x1/2", "PL-305"), ("x1/2", "PL-821")]
    assert weapons.strength_in_eighths(t.position, t.unit(0), t.hex("0104"), NONARMORED) == 4
    indirect = weapons.strength_against(t.position, t.unit(1), t.hex("0104"), ARMORED, "indirect")
    assert not isinstance(indirect, Refusal)
    assert weapons.in_whole_points(indirect[0]) == 20
    assert [line.rule for line in indirect[1]] == ["PL-307", "PL-808"]


@pytest.mark.rule("PL-822")
def test_the_line_names_the_slope() -> None:
    t = table(".\n.\nS", unit("a_m4_76", "0101"))
    made = weapons.strength_against(t.position, t.unit(0), t.hex("0103"), ARMORED)
    assert not isinstance(made, Refusal)
    assert weapons.in_whole_points(made[0]) == 14
    assert made[1][-1].label == "M4/76 Sherman: target on a slope"


@pytest.mark.rule("PL-808")
def test_a_weapon_that_cannot_harm_the_target_says_so() -> None:
    t = table(open_board(1, 3), unit("a_rifle", "0101"))
    made = weapons.strength_against(t.position, t.unit(0), t.hex("0102"), ARMORED)
    assert made == Refusal(RuleId("PL-808"), "Rifle platoon: weapon class I can't harm armor")
    assert weapons.strength_in_eighths(t.position, t.unit(0), t.hex("0102"), ARMORED) == 0


@pytest.mark.rule("PL-1608")
@pytest.mark.parametrize(
    ("key", "fixed"),
    [("g_88", True), ("a_105", True), ("g_20aa", True), ("a_107mm", False), ("g_tiger2", False), ("n_fort40", False)],
)
def test_guns_that_cannot_move_have_a_field_of_fire_and_mortars_have_none(key: str, fixed: bool) -> None:
    assert weapons.is_fixed_gun(KINDS[key]) == fixed


@pytest.mark.rule("PL-1608")
@pytest.mark.parametrize(
    ("facing", "covered"),
    [
        (0, {"0302", "0202", "0402", "0301", "0201", "0401"}),
        (3, {"0304", "0203", "0403", "0305", "0204", "0404"}),
    ],
)
def test_a_gun_fires_only_through_its_front_three_sides(facing: int, covered: set[str]) -> None:
    t = table(open_board(5, 5), unit("g_88", "0303", facing=facing), options={"field_of_fire": True})
    near = {"0302", "0202", "0402", "0304", "0203", "0403", "0301", "0201", "0401", "0305", "0204", "0404"}
    assert {label for label in near if weapons.bears_on(t.position, t.unit(0), t.hex(label))} == covered
    assert weapons.bears_on(t.position, t.unit(0), t.hex("0303"))


@pytest.mark.rule("PL-1608")
def test_a_corner_of_a_front_side_belongs_to_the_field_of_fire() -> None:
    # 0303 facing north: due east lies on the corner between its NE and SE sides
    t = table(open_board(5, 5), unit("g_88", "0303"), unit("a_m4_75", "0303"), options={"field_of_fire": True})
    assert weapons.bears_on(t.position, t.unit(0), t.hex("0503"))
    assert not weapons.bears_on(t.position, t.unit(0), t.hex("0504"))
    assert weapons.bears_on(t.position, t.unit(1), t.hex("0504"))


@pytest.mark.rule("PL-1608")
def test_without_the_option_every_gun_fires_all_around() -> None:
    t = table(open_board(5, 5), unit("g_88", "0303"), phasing=ALLIED)
    assert weapons.bears_on(t.position, t.unit(0), t.hex("0305"))
