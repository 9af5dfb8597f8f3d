"""Fire: who may fire at whom, what a weapon is worth, odds, die, results and recovery."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzerblitz_3d.combat import odds_column, result_of, take_result
from sandtable.rulesets.panzerblitz_3d.events import AttackFailed, AttackRolled, ShotLost, UnitDestroyed, UnitDispersed
from sandtable.rulesets.panzerblitz_3d.fire import may_fire, pick_fire
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, GERMAN, RUSSIAN
from sandtable.rulesets.panzerblitz_3d.orders import CancelShot, DesignateTarget, EndPhase, MoveUnit
from sandtable.rulesets.panzerblitz_3d.weapons import near_limit
from tests.rulesets.panzerblitz_3d.table import Counter, Table, U, open_ground, table, unit


def shot(t: Table, label: str, firers: tuple[int, ...], targets: tuple[int, ...]) -> DesignateTarget:
    return DesignateTarget(tuple(map(U, firers)), t.hex(label), tuple(map(U, targets)))


def range_of(target: str = ".", *units: Counter, **fields: Any) -> Table:
    """A lane of ten hexes whose first is the target's; the Germans fire."""
    return table(f"{target}.........\n" + open_ground(10, 1), *units, phasing=GERMAN, step="fire", **fields)


# --- designating -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-505", "PB3-508", "PB3-801")
def test_all_targets_are_named_before_the_first_die_and_a_shot_at_the_dead_is_lost() -> None:
    t = range_of(
        ".",
        unit("r_truck", "0101"),
        unit("g_tiger1", "0401"),
        unit("g_panther", "0402"),
        unit("r_truck", "0102"),
    )
    t.play(shot(t, "0101", (1,), (0,)))
    t.play(shot(t, "0102", (2,), (3,)))
    assert not t.unit(1).fired
    t.change(3, fate=DESTROYED, hex=0)
    t.play(EndPhase(), [1])
    assert t.unit(0).fate == DESTROYED
    assert [event.firers for event in t.happened(ShotLost)] == [(2,)]
    assert t.unit(1).fired
    assert t.unit(2).fired


@pytest.mark.rule("PB3-505")
def test_a_target_can_be_struck_out_again_until_the_firing_starts() -> None:
    t = range_of(".", unit("r_truck", "0101"), unit("g_tiger1", "0401"))
    assert t.refusal(CancelShot(U(1))).rule == "PB3-505"
    t.play(shot(t, "0101", (1,), (0,)))
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == "PB3-801"
    t.play(CancelShot(U(1)))
    t.play(shot(t, "0101", (1,), (0,)))
    t.play(EndPhase(), [1])


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"fired": True}, "PB3-801"),
        ({"dispersed": True}, "PB3-902"),
        ({"of_assigned": True}, "PB3-1101"),
    ],
)
@pytest.mark.rule("PB3-801", "PB3-902", "PB3-1101")
def test_who_fired_is_dispersed_or_lies_in_wait_does_not_fire(changes: dict[str, bool], rule: str) -> None:
    t = range_of(".", unit("r_truck", "0101"), unit("g_tiger1", "0401", **changes))
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == rule
    assert t.options(1, DesignateTarget) == []
    assert pick_fire(t.position, GERMAN, t.unit(1), PromptDice("1")) is None
    assert not may_fire(t.position)


@pytest.mark.rule("PB3-622", "PB3-801")
def test_passengers_and_the_unarmed_do_not_fire() -> None:
    t = range_of(
        ".", unit("r_truck", "0101"), unit("g_ht", "0201"), unit("g_rifle", carrier=1), unit("g_truck", "0201")
    )
    assert t.refusal(shot(t, "0101", (2,), (0,))).rule == "PB3-622"
    assert t.refusal(shot(t, "0101", (3,), (0,))).rule == "PB3-801"
    assert t.check(shot(t, "0101", (1,), (0,))) is None


@pytest.mark.rule("PB3-802")
def test_any_units_of_a_hex_may_be_one_target_but_each_only_once() -> None:
    t = range_of(
        ".", unit("r_rifle", "0101"), unit("r_truck", "0101"), unit("g_tiger1", "0401"), unit("g_panther", "0401")
    )
    t.play(shot(t, "0101", (2,), (1,)))
    assert t.refusal(shot(t, "0101", (3,), (0, 1))).rule == "PB3-802"
    found = t.options(3, DesignateTarget)
    assert found == [shot(t, "0101", (3,), (0,))]
    t.play(found[0])
    t.play(EndPhase(), [1, 6])
    assert t.unit(1).fate == DESTROYED


@pytest.mark.rule("PB3-802")
def test_in_a_town_the_whole_stack_is_one_target() -> None:
    t = range_of("T", unit("r_rifle", "0101"), unit("r_45at", "0101"), unit("g_tiger1", "0201"), unit("g_pz4", "0201"))
    assert t.refusal(shot(t, "0101", (2,), (1,))).rule == "PB3-802"
    t.play(shot(t, "0101", (2,), (0, 1)))
    assert t.options(3, DesignateTarget) == []
    t.play(EndPhase(), [1])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.strength, rolled.defense, rolled.odds) == (30, 19, "1-1")


def test_orders_that_name_nonsense_are_refused_and_never_fail() -> None:
    t = range_of(".", unit("r_rifle", "0101"), unit("g_tiger1", "0401"), unit("g_pz4", "0401"))
    for order in (
        shot(t, "0101", (), (0,)),
        shot(t, "0101", (1,), ()),
        shot(t, "0101", (1, 1), (0,)),
        shot(t, "0101", (0,), (0,)),
        shot(t, "0101", (1,), (2,)),
        shot(t, "0201", (1,), (0,)),
        shot(t, "0101", (99,), (0,)),
        shot(t, "0101", (1,), (-4,)),
    ):
        t.refusal(order)
        assert t.explain(order) == ()


# --- seeing and reaching ---------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-102")
def test_a_weapon_reaches_no_farther_than_its_range() -> None:
    t = range_of(".", unit("r_rifle", "0101"), unit("g_50pak", "0701"))
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == "PB3-102"
    assert t.options(1, DesignateTarget) == []


@pytest.mark.rule("PB3-702")
def test_no_fire_without_a_line_of_sight() -> None:
    t = range_of(
        ".",
        unit("r_rifle", "0101"),
        unit("g_pz4", "0401"),
        hexsides={"green": ["0101-0201"]},
    )
    refusal = t.refusal(shot(t, "0101", (1,), (0,)))
    assert refusal.rule == "PB3-702"
    assert "no line of sight: woods" in refusal.reason


@pytest.mark.parametrize("letter", "WT")
@pytest.mark.rule("PB3-711", "PB3-712")
def test_in_cover_a_unit_is_fired_at_by_neighbors_or_when_spotted(letter: str) -> None:
    t = range_of(letter, unit("r_45at", "0101"), unit("g_pz4", "0401"), unit("g_truck", "0801"))
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == "PB3-711"
    t.change(2, hex=t.hex("0201"))
    assert t.check(shot(t, "0101", (1,), (0,))) is None
    t.change(2, hex=t.hex("0801"))
    t.change(1, hex=t.hex("0201"))
    assert t.check(shot(t, "0101", (1,), (0,))) is None


# --- strength --------------------------------------------------------------------------------------------------------


def strength(t: Table, firers: tuple[int, ...], targets: tuple[int, ...]) -> Any:
    return t.explain(shot(t, "0101", firers, targets))[0].total


@pytest.mark.rule("PB3-804")
def test_near_is_up_to_half_the_range_fractions_dropped() -> None:
    assert [near_limit(key) for key in ("r_45at", "g_50pak", "r_t34c", "g_88")] == [1, 2, 3, 10]
    t = range_of(".", unit("r_t34c", "0101"), unit("g_50pak", "0301"), unit("g_50pak", "0401"))
    assert (strength(t, (1,), (0,)), strength(t, (2,), (0,))) == (16, 8)


@pytest.mark.rule("PB3-803", "PB3-804")
def test_infantry_fire_hurts_armor_in_close_assault_only() -> None:
    t = range_of(".", unit("r_t34c", "0101"), unit("g_rifle", "0201"))
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == "PB3-804"


@pytest.mark.rule("PB3-806")
def test_in_a_town_and_in_a_fort_everybody_is_armor() -> None:
    t = range_of("T", unit("r_rifle", "0101"), unit("g_rifle", "0201"), unit("g_pz4", "0201"))
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == "PB3-804"
    assert strength(t, (2,), (0,)) == 28
    t = range_of(".", unit("n_fort_r", "0101"), unit("r_rifle", fort=0), unit("g_pz4", "0201"), unit("g_pz4", "0301"))
    assert t.refusal(shot(t, "0101", (2,), (1,))).rule == "PB3-802"
    assert strength(t, (2, 3), (0,)) == 56


@pytest.mark.rule("PB3-805")
def test_a_mixed_target_is_what_most_of_it_is() -> None:
    t = range_of(".", unit("g_rifle", "0101"), unit("g_ht", "0101"), unit("g_pz4", "0101"), unit("r_t34c", "0401"))
    t.set(phasing=RUSSIAN)
    assert strength(t, (3,), (0, 1, 2)) == 24
    assert strength(t, (3,), (0, 1)) == 6
    assert strength(t, (3,), (0,)) == 6


@pytest.mark.parametrize("letter", "S^F")
@pytest.mark.rule("PB3-209", "PB3-807", "PB3-808")
def test_fire_at_a_slope_or_hilltop_is_halved_and_the_fraction_dropped_last(letter: str) -> None:
    t = range_of(
        letter, unit("r_t34c", "0101"), unit("g_tiger1", "0201"), unit("g_puma", "0201"), unit("g_truck", "0201")
    )
    (tally, *_) = t.explain(shot(t, "0101", (1,), (0,)))
    assert tally.total == 15
    assert [line.rule for line in tally.lines] == ["PB3-304", "PB3-803", "PB3-807", "PB3-808"]
    assert strength(t, (1, 2), (0,)) == 15 + 6


@pytest.mark.rule("PB3-209", "PB3-812")
def test_terrain_counts_where_the_target_stands_and_not_the_firer() -> None:
    t = table("..WS\n....", unit("r_truck", "0101"), unit("g_pz4", "0401"), unit("g_pz4", "0301"))
    tallies = t.explain(shot(t, "0101", (1, 2), (0,)))
    assert (tallies[0].total, tallies[3].total) == (14, 0)


@pytest.mark.parametrize(
    ("letter", "drm"), [(".", 0), ("W", 1), ("T", 1), ("M", 1), ("S", 0), ("F", 1), ("^", 0), ("w", 1)]
)
@pytest.mark.rule("PB3-206", "PB3-208", "PB3-812")
def test_cover_adds_one_to_the_die(letter: str, drm: int) -> None:
    t = range_of(letter, unit("r_rifle", "0101"), unit("g_tiger1", "0201"), unit("g_tiger1", "0201"))
    assert t.explain(shot(t, "0101", (1, 2), (0,)))[3].total == drm


@pytest.mark.rule("PB3-812")
def test_one_dispersed_unit_takes_one_off_the_die_against_the_whole_target() -> None:
    t = range_of(".", unit("r_rifle", "0101"), unit("r_45at", "0101", dispersed=True), unit("g_stuh", "0201"))
    assert t.explain(shot(t, "0101", (2,), (0, 1)))[3].total == -1
    assert t.explain(shot(t, "0101", (2,), (0,)))[3].total == 0


@pytest.mark.rule("PB3-811")
def test_odds_run_from_1_4_to_4_1_in_favor_of_the_defender() -> None:
    pairs = [(1, 5), (1, 4), (2, 7), (3, 9), (2, 3), (9, 9), (17, 9), (18, 9), (35, 9), (36, 9), (900, 9), (0, 9)]
    found = [odds_column(attack, defense) for attack, defense in pairs]
    assert found == [None, "1-4", "1-4", "1-3", "1-2", "1-1", "1-1", "2-1", "3-1", "4-1", "4-1", None]


@pytest.mark.rule("PB3-813")
def test_the_die_is_read_from_minus_one_to_seven() -> None:
    ground = table("...").position.ground
    assert [result_of(ground, "1-3", die) for die in (-5, -2, -1, 7, 9)] == ["DD", "DD", "DD", "-", "-"]


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-1602")
def test_with_the_option_a_die_of_minus_two_counts_one_column_further_at_long_odds() -> None:
    ground = table("...", options={"deep_modifier": True}).position.ground
    assert [result_of(ground, odds, -2) for odds in ("1-4", "1-3", "1-2")] == ["DD", "X", "X"]
    assert result_of(ground, "1-4", -1) == "D"


@pytest.mark.rule("PB3-1603")
def test_with_the_option_a_six_at_4_1_destroys() -> None:
    assert result_of(table("...").position.ground, "4-1", 6) == "DD"
    ground = table("...", options={"published_4_1": True}).position.ground
    assert [result_of(ground, odds, 6) for odds in ("3-1", "4-1")] == ["-", "X"]


@pytest.mark.rule("PB3-1601")
def test_with_the_option_fire_is_not_halved_between_hilltops_nor_at_an_open_slope_from_beside_it() -> None:
    options: dict[str, Any] = {"options": {"hill_exceptions": True}}

    def halved(rows: str, where: str = "0201", **fields: Any) -> bool:
        t = table(rows, unit("r_t34c", "0101"), unit("g_tiger1", where), **fields)
        return bool(strength(t, (1,), (0,)) == 15)

    assert halved("^^.")
    assert not halved("^^.", **options)
    assert halved("^..", **options)
    assert not halved("S..", **options)
    assert halved("S..", hexsides={"brown": ["0101-0201"]}, **options)
    assert halved("S...", "0301", **options)
    assert not halved("...", **options)


@pytest.mark.rule("PB3-1605")
def test_with_the_option_mortars_fire_at_what_a_command_post_sees_and_are_not_halved() -> None:
    wall: dict[str, Any] = {"hexsides": {"orange": ["0101-0201", "0101-0102"]}}
    units = (unit("r_truck", "0101"), unit("g_81mm", "0401"), unit("g_cp", "0102"))
    t = table("S...\n....", *units, **wall)
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == "PB3-705"
    t = table("S...\n....", *units, options={"indirect_fire": True}, **wall)
    assert strength(t, (1,), (0,)) == 3
    t.change(2, dispersed=True)
    assert t.refusal(shot(t, "0101", (1,), (0,))).rule == "PB3-705"


@pytest.mark.rule("PB3-1605")
def test_german_self_propelled_artillery_lobs_beyond_half_its_range_and_others_do_not() -> None:
    wall: dict[str, Any] = {"hexsides": {"orange": ["0101-0201", "0101-0102"]}}
    for key, place, can in (("g_maultier", "0801", True), ("g_maultier", "0401", False), ("g_stuh", "0801", False)):
        t = table(
            open_ground(8, 2),
            unit("r_truck", "0101"),
            unit(key, place),
            unit("g_cp", "0102"),
            options={"indirect_fire": True},
            **wall,
        )
        assert (t.check(shot(t, "0101", (1,), (0,))) is None) is can


# --- results ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-403", "PB3-901")
def test_armored_vehicles_leave_wrecks_and_others_nothing() -> None:
    t = table("...", unit("r_t34c", "0101"), unit("r_rifle", "0201"))
    t.run(take_result, U(0), "X")
    t.run(take_result, U(1), "X")
    assert t.position.wrecks == {t.hex("0101"): 1}
    assert [t.unit(number).fate for number in (0, 1)] == [DESTROYED, DESTROYED]


@pytest.mark.rule("PB3-1607")
def test_with_the_option_every_loss_leaves_a_marker_but_forts() -> None:
    t = table("...", unit("r_rifle", "0101"), unit("n_fort_r", "0201"), options={"all_wrecks": True, "works": True})
    t.run(take_result, U(0), "X")
    t.run(take_result, U(1), "X")
    assert t.position.wrecks == {t.hex("0101"): 1}


@pytest.mark.rule("PB3-902", "PB3-903", "PB3-904")
def test_results_by_what_the_unit_was_before() -> None:
    def after(result: str, *, dispersed: bool) -> tuple[bool, str]:
        t = table("...", unit("r_rifle", "0101", dispersed=dispersed))
        t.run(take_result, U(0), result)
        return t.unit(0).dispersed, t.unit(0).fate

    assert after("-", dispersed=False) == (False, "")
    assert after("D", dispersed=False) == (True, "")
    assert after("DD", dispersed=False) == (True, "")
    assert after("D", dispersed=True) == (True, "")
    assert after("DD", dispersed=True)[1] == DESTROYED
    assert after("X", dispersed=False)[1] == DESTROYED


@pytest.mark.rule("PB3-903")
def test_a_dd_is_judged_unit_by_unit() -> None:
    t = range_of(
        ".",
        unit("r_rifle", "0101"),
        unit("r_45at", "0101", dispersed=True),
        unit("g_stuh", "0201"),
        unit("g_stuh", "0201"),
    )
    t.play(shot(t, "0101", (2, 3), (0, 1)))
    t.play(EndPhase(), [1])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.odds, rolled.drm, rolled.result) == ("1-1", -1, "DD")
    assert t.unit(0).dispersed
    assert t.unit(1).fate == DESTROYED


@pytest.mark.rule("PB3-906")
def test_a_dispersed_unit_loses_its_opportunity_fire() -> None:
    t = table("...", unit("r_rifle", "0101", of_assigned=True))
    t.run(take_result, U(0), "D")
    assert not t.unit(0).of_assigned


@pytest.mark.rule("PB3-623")
def test_passengers_share_the_fate_of_their_carrier() -> None:
    t = table("...", unit("g_ht", "0101"), unit("g_rifle", carrier=0))
    t.run(take_result, U(0), "D")
    assert t.unit(1).dispersed
    assert t.unit(1).carrier == 0
    t.run(take_result, U(0), "X")
    assert [event.unit for event in t.happened(UnitDestroyed)] == [1, 0]


@pytest.mark.rule("PB3-623")
def test_riders_get_off_a_dispersed_tank_and_are_lost_where_there_is_no_room() -> None:
    t = table("...", unit("r_t34c", "0101"), unit("r_smg", carrier=0))
    t.run(take_result, U(0), "D")
    assert (t.unit(1).carrier, t.unit(1).dispersed) == (NOBODY, True)
    t = table("...", unit("r_t34c", "0101"), unit("r_smg", carrier=0), unit("r_rifle", "0101"))
    t.run(take_result, U(0), "D")
    assert t.unit(1).fate == DESTROYED
    assert not t.unit(0).fate


@pytest.mark.rule("PB3-1606")
def test_a_fort_falls_with_its_garrison_and_shakes_it() -> None:
    t = table("...", unit("n_fort_g", "0101"), unit("g_rifle", fort=0), options={"works": True})
    t.run(take_result, U(0), "D")
    assert {event.unit for event in t.happened(UnitDispersed)} == {0, 1}
    t.run(take_result, U(0), "DD")
    assert {event.unit for event in t.happened(UnitDestroyed)} == {0, 1}


@pytest.mark.rule("PB3-623", "PB3-1606")
def test_who_rides_in_a_vehicle_inside_a_fort_shares_its_fate() -> None:
    inside = unit("g_truck", fort=0), unit("g_rifle", carrier=1)
    t = table("...", unit("n_fort_g", "0101"), *inside, options={"works": True})
    t.run(take_result, U(0), "D")
    assert t.unit(2).dispersed
    t.run(take_result, U(0), "X")
    assert [event.rule for event in t.happened(UnitDestroyed)] == ["PB3-623", "PB3-1606", "PB3-901"]


@pytest.mark.rule("PB3-601", "PB3-801")
def test_who_fired_neither_fires_nor_moves_again_in_the_turn() -> None:
    t = range_of(".", unit("r_truck", "0101"), unit("g_pz4", "0401"))
    t.play(shot(t, "0101", (1,), (0,)))
    t.play(EndPhase(), [6])
    assert t.asked == "vehicle movement"
    assert t.refusal(MoveUnit(U(1), t.hexes("0501"))).rule == "PB3-601"


@pytest.mark.rule("PB3-811")
def test_a_shot_that_has_become_hopeless_comes_to_nothing() -> None:
    t = range_of("T", unit("r_45at", "0101"), unit("g_20aa", "0301"), unit("g_truck", "0201"), unit("r_guards", "1001"))
    t.play(shot(t, "0101", (1,), (0,)))
    t.change(3, hex=t.hex("0101"))
    t.play(EndPhase())
    assert [event.rule for event in t.happened(AttackFailed)] == ["PB3-811"]


# --- options and picks -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-802")
def test_shots_alone_and_together_are_offered() -> None:
    t = range_of(".", unit("r_truck", "0101"), unit("g_pz4", "0401"), unit("g_tiger1", "0402"), unit("g_truck", "0402"))
    assert t.options(1, DesignateTarget) == [shot(t, "0101", (1,), (0,)), shot(t, "0101", (1, 2), (0,))]
    assert t.options(0, DesignateTarget) == []
    assert may_fire(t.position)
    for seed in range(8):
        order = pick_fire(t.position, GERMAN, t.unit(1), PromptDice(str(seed)))
        assert order is not None
        assert t.check(order) is None


def test_no_shot_is_picked_where_none_can_be_fired() -> None:
    t = range_of(".", unit("r_t34c", "0101"), unit("g_rifle", "0201"), unit("g_pz4", "1001"))
    assert pick_fire(t.position, GERMAN, t.unit(1), PromptDice("1")) is None
    assert pick_fire(t.position, GERMAN, t.unit(2), PromptDice("1")) is None
    assert t.options(1, DesignateTarget) == []
