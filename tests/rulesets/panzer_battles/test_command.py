"""Command, recovery and rest."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import UnitId
from sandtable.rulesets.panzer_battles.command.control import (
    command_chance,
    is_detached,
    modified_range,
    nominal_range,
    posts,
    range_test,
)
from sandtable.rulesets.panzer_battles.command.recovery import can_recover, reached, recovery_chance
from sandtable.rulesets.panzer_battles.command.rest import had_quiet, rest_value
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.events import CommandTested, Recovered, Rested, UnitsSeen
from sandtable.rulesets.panzer_battles.marks import marks
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Unit
from sandtable.rulesets.panzer_battles.orders import EndTurn
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden
from sandtable.rulesets.panzer_battles.results.struck import Struck, morale
from sandtable.rulesets.panzer_battles.supply.sources import global_value
from sandtable.rulesets.panzer_battles.supply.values import value_of
from tests.rulesets.panzer_battles.table import RULES, Table, U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, near, of_kind

STAFF = Unit(UnitId(0), "su_bn_hq", ALLIED)
MEADOW = "\n".join(["." * 20] * 6)


# --- the examples ----------------------------------------------------------------------------------------------------


@of_kind("first chance")
def test_supply_is_the_first_chance(situation: Facts, expected: Facts) -> None:
    parameters = {"supply": {"global": {"allied": situation["supply"]}}}
    t = table(".", unit("su_bn_hq", "0101"), parameters=parameters)
    assert float(value_of(t.position, t.unit(0))) == expected["p_in_command"]


@of_kind("second chance")
def test_the_superior_is_the_second_chance(situation: Facts, expected: Facts) -> None:
    assert float(range_test(Fraction(situation["C"]), situation["R"])) == expected["p_second_chance"]


@of_kind("in command")
def test_how_likely_a_headquarters_is_in_command(situation: Facts, expected: Facts) -> None:
    supply, superior = Fraction(situation["supply"], 100), Fraction(str(situation["p_superior"]))
    chance = command_chance(supply, superior, Fraction(situation["C"]), situation["R"])
    assert float(chance) == near(expected["p_in_command"])


@of_kind("recovery")
def test_recovery_by_distance_and_morale(situation: Facts, expected: Facts) -> None:
    reach = range_test(Fraction(situation["C"]), situation["R"])
    assert float(reach) == expected["range_test"]
    value = DEFAULTS.quality.numeric[situation["current_morale"]]
    assert float(recovery_chance(reach, value)) == near(expected["p_recover"])


@of_kind("recovery of a unit")
def test_recovery_of_a_shaken_unit(situation: Facts, expected: Facts) -> None:
    broken = situation["broken"]
    shaken = Struck(*(True, 100, 100, situation["quality"], situation["fatigue"]), disrupted=not broken, broken=broken)
    value = morale(shaken, DEFAULTS, recovering=True)
    assert value == expected["morale"]
    reach = range_test(Fraction(situation["C"]), situation["R"]) if situation["hq_in_command"] else Fraction(0)
    t = table(".", unit("su_rifle_coy", "0101", fatigue=situation["fatigue"], broken=broken, disrupted=not broken))
    chance = recovery_chance(reach, value) if can_recover(t.position, t.unit(0)) else Fraction(0)
    assert float(chance) == near(expected["p_recover"])


@of_kind("command range")
def test_the_range_of_a_staff_depends_on_its_state(situation: Facts, expected: Facts) -> None:
    staff = replace(STAFF, kind="de_bn_hq", quality=situation["q"], disrupted=True, mode="travel")
    assert staff.of.command_range == situation["oob_range"]
    assert nominal_range(staff, DEFAULTS) == expected["nominal"]
    assert float(modified_range(staff, DEFAULTS)) == expected["modified"]
    assert (situation["unit_distance"] > nominal_range(staff, DEFAULTS)) == expected["detached"]


# --- command ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CMD-3", "PB-CMD-4", "PB-CMD-14")
def test_a_broken_staff_reaches_nobody() -> None:
    assert modified_range(replace(STAFF, broken=True), DEFAULTS) == 0
    assert range_test(Fraction(0), 0) == 0
    assert nominal_range(replace(STAFF, quality="A"), DEFAULTS) == 12
    assert modified_range(STAFF, DEFAULTS) == 10


@pytest.mark.rule("PB-CMD-7", "PB-CMD-8", "PB-CMD-9")
def test_units_out_of_reach_are_detached() -> None:
    t = table(
        MEADOW,
        unit("su_bn_hq", "0101"),
        unit("su_rifle_coy", "1101"),
        unit("su_rifle_coy", "1201"),
        unit("su_partisan", "2001"),
        unit("de_rifle_coy", "2005"),
    )
    assert [is_detached(t.position, one) for one in t.position.units] == [False, False, True, False, True]


def staffs(**changes: Any) -> Table:
    """A brigade staff, two hexes from a battalion staff; it is the enemy's turn, and the Allied one comes next."""
    return table(
        MEADOW,
        unit("su_bde_hq", "0101", formation="brigade"),
        unit("su_bn_hq", "0301", **changes),
        active=AXIS,
    )


@pytest.mark.rule("PB-CMD-10", "PB-CMD-11", "PB-CMD-12", "PB-CMD-13", "PB-CMD-15", "PB-CMD-17")
def test_a_staff_that_supply_fails_may_be_helped_by_its_superior() -> None:
    t = staffs()
    # supply 4/5 for each from the top; the brigade reaches 24 of 26
    t.play(EndTurn(), [4, 5, 12])
    assert t.only(CommandTested).out == ()
    t = staffs()
    t.play(EndTurn(), [4, 5, 13])
    assert t.only(CommandTested).out == (U(1),)
    assert t.unit(1).out_of_command
    assert "Out of command: " in sentence(t.only(CommandTested), t.position)
    assert marks(t.only(CommandTested)).units == (U(1),)


@pytest.mark.rule("PB-CMD-12", "PB-CMD-13")
def test_without_a_superior_in_command_there_is_no_second_chance() -> None:
    t = staffs(out_of_command=True)
    t.play(EndTurn(), [5, 5])
    assert t.only(CommandTested).out == (U(0), U(1))
    t.play(EndTurn(), [])
    t.play(EndTurn(), [1, 1])
    assert not t.unit(0).out_of_command


@pytest.mark.rule("PB-CMD-10")
def test_staffs_of_a_level_not_known_come_last() -> None:
    t = staffs()
    t.change(0, formation="")
    assert [post.id for post in posts(t.position, ALLIED)] == [U(1), U(0)]


def test_ending_the_turn_says_no_more_than_that() -> None:
    found = RULES.odds(staffs().view(AXIS), EndTurn())
    assert found is not None
    assert [branch.result for branch in found.branches] == ["the other side's turn begins"]


@pytest.mark.rule("PB-CMD-10")
def test_what_the_enemy_does_not_know_of_staffs_he_is_not_told() -> None:
    t = staffs()
    t.play(EndTurn(), [5, 5])
    assert t.heard(ALLIED, CommandTested)
    assert t.heard(AXIS, CommandTested) == []


# --- recovery --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CMD-19", "PB-CMD-20", "PB-CMD-21", "PB-CMD-24")
def test_a_disrupted_unit_near_its_staff_recovers() -> None:
    t = table(MEADOW, unit("su_bn_hq", "0101"), unit("su_rifle_coy", "0601", disrupted=True), active=AXIS)
    # in command; reached with 10/15 = 2/3; morale 4 - 1
    t.play(EndTurn(), [1, 2, 3])
    assert t.only(Recovered).units == (U(1),)
    assert not t.unit(1).is_shaken
    assert sentence(t.only(Recovered), t.position).endswith("recovers")


@pytest.mark.rule("PB-CMD-20", "PB-CMD-21")
def test_a_unit_that_is_not_reached_may_still_try() -> None:
    t = table(MEADOW, unit("su_bn_hq", "0101"), unit("su_rifle_coy", "0601", disrupted=True), active=AXIS)
    t.play(EndTurn(), [1, 3, 1, 4])
    assert t.all(Recovered) == []
    assert t.unit(1).disrupted


@pytest.mark.rule("PB-CMD-23", "PB-CMD-24", "PB-OOB-5")
def test_without_a_staff_every_second_unit_tries() -> None:
    t = table(MEADOW, unit("su_rifle_coy", "0601", broken=True), unit("su_rifle_coy", "0701", broken=True), active=AXIS)
    t.play(EndTurn(), [1, 3, 2])
    assert (t.unit(0).disrupted, t.unit(0).broken) == (True, False)
    assert t.unit(1).broken
    assert sentence(t.only(Recovered), t.position) == "Rifle company #0 is Disrupted and no more Broken"


@pytest.mark.rule("PB-CMD-19")
def test_broken_and_exhausted_units_do_not_recover() -> None:
    t = table(MEADOW, unit("su_rifle_coy", "0601", broken=True, fatigue=150, attacked=True), active=AXIS)
    t.play(EndTurn(), [])
    assert t.unit(0).broken


@pytest.mark.rule("PB-CMD-25", "PB-CMD-23")
def test_the_highest_staff_needs_nobody() -> None:
    t = staffs()
    assert reached(t.position, t.unit(0)) == 1
    assert reached(t.position, t.unit(1)) == Fraction(24, 26)
    t.change(0, out_of_command=True)
    assert reached(t.position, t.unit(1)) == 0


@pytest.mark.rule("PB-CMD-24")
def test_the_enemy_sees_that_a_unit_has_recovered() -> None:
    t = table(MEADOW, unit("su_rifle_coy", "0601", disrupted=True), unit("de_rifle_coy", "0901"), active=AXIS)
    t.play(EndTurn(), [1, 1])
    assert t.heard(AXIS, Recovered) == []
    (seen,) = t.heard(AXIS, UnitsSeen)
    assert [(one.id, one.disrupted) for one in seen.units] == [(U(0), False)]


# --- rest ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FAT-8", "PB-FAT-9")
def test_a_quiet_turn_lowers_fatigue_by_lot() -> None:
    t = table(
        MEADOW,
        unit("su_rifle_coy", "0601", fatigue=40),
        unit("su_rifle_coy", "0701", fatigue=3),
        unit("su_rifle_coy", "0801", fatigue=40, moved=True),
        unit("su_rifle_coy", "0901", fatigue=40),
        active=AXIS,
    )
    # 0 to 8 each
    t.play(EndTurn(), [9, 6, 1])
    assert [one.fatigue for one in t.position.units] == [32, 0, 40, 40]
    assert t.only(Rested).units == (U(0), U(1))
    assert sentence(t.only(Rested), t.position).endswith("rest")
    assert t.heard(AXIS, Rested) == []


@pytest.mark.rule("PB-FAT-2", "PB-FAT-8", "PB-FAT-10", "PB-FAT-14")
@pytest.mark.parametrize("busy", ["moved", "fired", "attacked"])
def test_who_acted_or_was_attacked_does_not_rest(busy: str) -> None:
    quiet = Unit(U(0), "su_rifle_coy", ALLIED)
    assert had_quiet(table(".").position, quiet)
    assert not had_quiet(table(".").position, replace(quiet, **{busy: True}))


@pytest.mark.rule("PB-FAT-9", "PB-ENV-33")
def test_by_night_rest_counts_double() -> None:
    t = table(".")
    assert rest_value(t.position) == 4
    t.set(minutes=23 * 60)
    assert rest_value(t.position) == 8


@pytest.mark.rule("PB-SUP-1", "PB-GEN-18")
def test_supply_is_a_percentage_of_the_side() -> None:
    assert overridden({"supply": {"global": {"axis": 55}}}, "test").supply.everywhere.of("axis") == 55
    assert global_value(table(".").position, AXIS) == 80
