"""Direct fire and opportunity fire: who may, what it costs, what it does, and what can be expected of it."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import SPECTATORS
from sandtable.rulesets.panzer_battles.events import Fired, Struck
from sandtable.rulesets.panzer_battles.fire import opportunity
from sandtable.rulesets.panzer_battles.fire.costs import fire_cost
from sandtable.rulesets.panzer_battles.fire.direct import best_target, targets
from sandtable.rulesets.panzer_battles.fire.situations import hexside_pct, shot
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, DEPLOYED, TRAVEL
from sandtable.rulesets.panzer_battles.orders import ChangeMode, Fire, Move
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Table, U, table, unit

ROW = ". . . . . . . . . . ."
FIELD = f"{ROW}\n{ROW}\n{ROW}"


def odds(t: Table, order: Fire | Move) -> Forecast:
    found = forecast(RULES, t.view(t.position.active), order)
    assert isinstance(found, Forecast)
    return found


# --- who may fire at what -------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FIRE-1", "PB-UNIT-5")
def test_direct_fire_needs_a_spotted_target_in_the_units_own_sight_and_range() -> None:
    rows = """
    . . . . . . . . . .
    . F . . . . . . . .
    . F . . . . . . . .
    . . . . . . . . . .
    """
    t = table(
        rows, unit("us_m4", "0101"), unit("de_pz4h", "0701"), unit("de_pz4h", "0801"), unit("us_rifle_coy", "0601"),
        unit("us_m4", "0103"), unit("su_bm13", "0401"),
    )  # fmt: skip
    assert t.check(Fire(U(0), U(1))) is None
    assert t.refusal(Fire(U(0), U(2))).detail == "7 hexes away"
    assert t.refusal(Fire(U(4), U(1))).reason == "it has no line of sight to the target"
    assert [one.id for one in targets(t.position, t.unit(0))] == [1]
    assert t.refusal(Fire(U(5), U(1))).rule == "PB-FIRE-1"


@pytest.mark.rule("PB-MOVE-49", "PB-UNIT-8")
def test_who_rides_inside_another_unit_or_is_gone_is_no_target() -> None:
    t = table(
        FIELD, unit("us_m4", "0101"), unit("de_truck", "0102"), unit("de_rifle_plt", "0102", carrier=U(1)), fog=False
    )
    assert t.check(Fire(U(0), U(1))) is None
    assert t.refusal(Fire(U(0), U(2))).rule == "PB-MOVE-49"
    t.change(1, hex=0, gone="eliminated", strength=0)
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-UNIT-8"


@pytest.mark.rule("PB-FIRE-1", "PB-SPOT-1")
def test_who_is_seen_by_others_alone_may_be_beyond_the_visibility_of_a_gun() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0301"), unit("de_pz4h", "0501"), visibility=[3])
    refusal = t.refusal(Fire(U(0), U(2)))
    assert (refusal.rule, refusal.reason) == ("PB-FIRE-1", "the target is beyond visibility")
    assert refusal.detail == "4 hexes away, 3 seen"


@pytest.mark.rule("PB-UNIT-5")
def test_a_unit_that_can_not_harm_a_hard_target_may_not_fire_at_it() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0102"))
    assert t.check(Fire(U(0), U(1))) is None
    t.change(0, kind="il2_flight")
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-UNIT-5"


@pytest.mark.rule("PB-FIRE-8", "PB-UNIT-13", "PB-FIRE-64", "PB-UNIT-3", "PB-FIRE-9")
def test_staffs_broken_units_trucks_and_guns_on_tow_do_not_fire() -> None:
    t = table(
        FIELD, unit("de_rifle_plt", "0102"), unit("su_bn_hq", "0101"), unit("us_m4", "0101", broken=True),
        unit("de_truck", "0101", side=ALLIED), unit("us_57at", "0101", mode=TRAVEL), unit("us_m4", "0101", mode=TRAVEL),
        unit("us_57at", "0101", mode=DEPLOYED), unit("any_supply", "0101"),
    )  # fmt: skip
    rules = [t.refusal(Fire(U(n), U(0))).rule for n in (1, 2, 3, 4, 7)]
    assert rules == ["PB-FIRE-8", "PB-FIRE-8", "PB-FIRE-8", "PB-FIRE-9", "PB-FIRE-8"]
    assert t.check(Fire(U(5), U(0))) is None
    assert t.check(Fire(U(6), U(0))) is None


@pytest.mark.rule("PB-SPOT-18", "PB-FIRE-13")
def test_nobody_fires_at_what_he_does_not_see_or_at_his_own() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0201", concealed=True), unit("us_m4", "0102"))
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-SPOT-18"
    assert t.refusal(Fire(U(0), U(2))).rule == "PB-FIRE-13"
    assert t.refusal(Fire(U(0), U(7))).rule == "PB-FIRE-1"
    assert t.refusal(Fire(U(1), U(0))).rule == "PB-GEN-3"
    t.change(0, hex=0)
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-UNIT-8"


# --- costs and limits -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FIRE-14", "PB-FIRE-16", "PB-GEN-17")
def test_a_unit_that_does_nothing_else_fires_three_times_although_its_allowance_has_no_exact_third() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0501", strength=10))
    for left in (110 - 37, 110 - 74, 0):
        t.play(Fire(U(0), U(1)), dice=AllHighest())
        t.change(1, strength=10, hex=t.hex("0501"), gone="", broken=False, disrupted=False)
        assert t.unit(0).mp == left
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-14"


@pytest.mark.rule("PB-FIRE-14", "PB-GEN-17")
def test_who_has_moved_pays_whole_thirds() -> None:
    t = table(FIELD, unit("us_m4", "0101", mp=27, thirds=2, moved=True), unit("de_truck", "0501"))
    assert fire_cost(t.position, t.unit(0)) == 37
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-14"
    t.change(0, moved=False, mp=36)
    assert fire_cost(t.position, t.unit(0)) == 36


@pytest.mark.rule("PB-FIRE-17")
def test_siege_guns_fire_once_and_take_no_opportunities() -> None:
    t = table(FIELD, unit("de_moerser210", "0101"), unit("us_rifle_coy", "0401"), active=AXIS)
    assert t.check(Fire(U(0), U(1))) is None
    t.change(0, fired=True)
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-17"
    assert not opportunity.may_answer(t.unit(0))


@pytest.mark.rule("PB-FIRE-18", "PB-FIRE-20")
def test_no_more_than_three_times_the_stacking_limit_fires_from_one_hex() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0401"))
    t.set(shots={t.hex("0101"): 1450})
    assert t.check(Fire(U(0), U(1))) is None
    t.set(shots={t.hex("0101"): 1451})
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-18"


@pytest.mark.rule("PB-FIRE-18", "PB-OPF-3", "PB-FIRE-20")
def test_own_fire_counts_for_the_hex_and_opportunity_fire_costs_and_counts_nothing() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0501"))
    # one man's worth and no vehicle lost, nobody shaken; then the answer, which costs as little
    little = [ONE, ONE, HIGHEST, ONE, HIGHEST]
    t.play(Fire(U(0), U(1)), dice=[*little, ONE, *little])
    assert t.position.shots == {t.hex("0101"): 50}
    answers = [event for event in t.all(Fired) if event.opportunity]
    assert [event.unit for event in answers] == [1]
    assert t.unit(1).mp == 100
    assert t.unit(1).fired


# --- what it does ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-FIRE-57", "PB-FIRE-62", "PB-UNIT-8", "PB-UNIT-15")
def test_a_unit_without_strength_is_gone_and_its_vehicles_leave_wrecks() -> None:
    t = table(FIELD, unit("us_m4_76", "0101"), unit("de_sdkfz222", "0102", strength=1))
    t.play(Fire(U(0), U(1)), dice=[HIGHEST, HIGHEST, ONE])
    struck = t.only(Struck)
    assert (struck.lost, struck.result) == (1, "X")
    assert (t.at(1), t.unit(1).gone, t.unit(1).strength) == ("", "eliminated", 0)
    assert t.position.wrecks == {t.hex("0102"): 1}
    assert t.position.losses == {AXIS: {"de_sdkfz222": 1}}
    known = t.known(ALLIED).units[1]
    assert (known.gone, known.strength) == ("eliminated", 0)
    assert t.known(ALLIED).intel == {}


@pytest.mark.rule("PB-FIRE-44")
def test_the_most_protective_hexside_of_a_corner_counts_and_bridges_and_fords_do_not() -> None:
    rows = "\n".join([". . . . ."] * 4)
    t = table(
        rows,
        hexsides={"hedge": ["0302-0202"], "dike": ["0302-0201"], "ford": ["0302-0301"], "light_bridge": ["0302-0301"]},
    )
    assert hexside_pct(t.position, t.hex("0102"), t.hex("0302")) == -20
    assert hexside_pct(t.position, t.hex("0301"), t.hex("0302")) == 0
    assert hexside_pct(t.position, t.hex("0304"), t.hex("0302")) == 0


@pytest.mark.rule("PB-FIRE-44", "PB-SPOT-7")
@pytest.mark.parametrize(
    ("left", "right", "percent"), [(".", ".", -20), (".", "F", -20), ("F", ".", -10), ("F", "F", -20)]
)
def test_the_hexside_counts_that_the_clear_line_enters_by(left: str, right: str, percent: int) -> None:
    rows = f". {left} .\n. {right} .\n. . ."
    t = table(rows, hexsides={"hedge": ["0302-0202"], "dike": ["0302-0201"]})
    assert hexside_pct(t.position, t.hex("0102"), t.hex("0302")) == percent


@pytest.mark.rule("PB-FIRE-44", "PB-SPOT-7")
def test_no_line_along_the_edge_of_the_map_leads_over_it() -> None:
    t = table(". . .\n. . .", hexsides={"dike": ["0301-0201"]})
    assert hexside_pct(t.position, t.hex("0101"), t.hex("0301")) == -20


@pytest.mark.rule("PB-FIRE-38", "PB-FIRE-41", "PB-FIRE-45", "PB-FIRE-56")
def test_the_table_gives_the_formula_height_crowd_and_cover() -> None:
    rows = ". . .\n. V .\n. . ."
    t = table(
        rows,
        unit("us_m4", "0202"),
        unit("de_rifle_plt", "0201"),
        unit("de_rifle_coy", "0201"),
        elevation="010\n000\n000",
    )
    labels = [line.label for line in shot(t.position, t.unit(0), t.unit(1)).value.tallies[0].lines]
    assert "uphill" in labels
    back = shot(t.position, t.unit(1), t.unit(0)).value.tallies[0].lines
    assert ("village", "PB-FIRE-48") in [(line.label, line.rule) for line in back]


@pytest.mark.rule("PB-FIRE-10")
def test_of_several_targets_in_a_hex_the_best_is_picked() -> None:
    t = table(FIELD, unit("us_rifle_coy", "0101"), unit("de_pz4h", "0102"), unit("de_rifle_plt", "0102"))
    assert best_target(t.position, t.unit(0), t.hex("0102")) == 2
    assert best_target(t.position, t.unit(0), t.hex("0301")) is None
    t.change(0, kind="su_bn_hq")
    assert best_target(t.position, t.unit(0), t.hex("0102")) == 1


@pytest.mark.rule("PB-FIRE-10", "PB-SPOT-19")
def test_the_program_picks_among_those_who_are_spotted_and_in_range() -> None:
    t = table(
        FIELD, unit("us_rifle_coy", "0101"), unit("de_rifle_coy", "0102", concealed=True), unit("de_pz4h", "0102"),
        unit("us_m4_76", "0403"), unit("de_tiger2", "1003"), unit("de_rifle_coy", "1003"), fog=False,
    )  # fmt: skip
    assert best_target(t.position, t.unit(0), t.hex("0102")) == 2, "the one that is worth more nobody sees"
    assert best_target(t.position, t.unit(3), t.hex("1003")) == 4, "men are out of range"
    assert best_target(t.position, t.unit(0), t.hex("1003")) == 5, "the best, though none can be fired at"


# --- opportunity fire -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-OPF-2", "PB-OPF-4", "PB-OPF-10")
def test_every_enemy_who_may_tests_in_the_order_of_ids() -> None:
    t = table(
        FIELD, unit("de_pz4h", "0401"), unit("us_m4", "0101"), unit("de_rifle_plt", "0301"), unit("de_bn_hq", "0201"),
        unit("de_rifle_plt", "0201", broken=True), unit("de_sdkfz251_tr", "0201"),
        unit("de_pak40", "0901", concealed=True),
    )  # fmt: skip
    found = list(opportunity.chances(t.position, t.unit(1), by_moving=True))
    assert [(one.unit.id, one.chance) for one in found] == [(0, Fraction(675, 1000)), (6, Fraction(405, 1000))]
    firing = list(opportunity.chances(t.position, t.unit(1), by_moving=False))
    assert [one.chance for one in firing] == [one.chance * Fraction(33, 100) for one in found]
    t.change(1, concealed=True)
    assert list(opportunity.chances(t.position, t.unit(1), by_moving=True)) == []


@pytest.mark.rule("PB-OPF-1", "PB-OPF-8", "PB-OPF-12")
def test_who_takes_the_opportunity_is_revealed_and_has_fired() -> None:
    t = table("F . . . .\n. . . . .\n. . . . .", unit("us_m4", "0501"), unit("de_pak40", "0101", concealed=True))
    t.play(Move((U(0),), t.hexes("0502")), dice=[ONE, ONE, ONE, *[HIGHEST] * 3])
    assert not t.unit(1).concealed
    assert t.unit(1).fired
    assert t.known(ALLIED).units[1].kind == "de_pak40"
    assert t.only(Fired).opportunity


@pytest.mark.rule("PB-OPF-11", "PB-OPF-1")
def test_who_fires_is_answered_after_his_own_fire_and_a_target_that_is_gone_does_not_answer() -> None:
    t = table(FIELD, unit("us_m4_76", "0101"), unit("de_sdkfz222", "0102", strength=1))
    t.play(Fire(U(0), U(1)), dice=[HIGHEST, HIGHEST, ONE])
    assert len(t.all(Fired)) == 1


@pytest.mark.rule("PB-SPOT-36", "PB-MOVE-99")
def test_fixed_units_are_free_as_soon_as_an_enemy_shows_himself_by_firing() -> None:
    t = table(
        "F . . . .\n. . . . .",
        unit("us_m4_76", "0501"),
        unit("de_pak40", "0101", concealed=True),
        unit("us_m4", "0502", fixed=True),
        unit("de_sdkfz222", "0401", strength=1),
    )
    t.play(Fire(U(0), U(3)), dice=[HIGHEST, HIGHEST, ONE, *[ONE] * 3, *[HIGHEST] * 3])
    assert t.unit(3).gone
    assert not t.unit(1).concealed
    assert not t.unit(2).fixed


@pytest.mark.rule("PB-OPF-10")
def test_nobody_fires_at_a_unit_that_is_gone_already() -> None:
    t = table(FIELD, unit("us_m5", "0101", strength=1), unit("de_panther", "0201"), unit("de_panther", "0202"))
    t.play(Move((U(0),), t.hexes("0102")), dice=[ONE, HIGHEST, HIGHEST, ONE])
    assert t.unit(0).gone
    assert len(t.all(Fired)) == 1
    assert t.known(AXIS).units[0].gone
    assert t.known(SPECTATORS).units[0].gone


# --- odds -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-CRT-21")
def test_the_odds_of_a_fire_are_exact_add_up_to_one_and_name_the_answers() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0501"))
    found = odds(t, Fire(U(0), U(1)))
    assert sum(branch.chance for branch in found.branches) == 1
    assert found.exact
    assert found.branches[0].result == "no loss"
    assert [reaction.actors for reaction in found.reactions] == [(1,)]
    expected, value = found.tally[:2]
    assert expected.title == "Loss to be expected"
    assert str(expected.total).endswith(" vehicles")
    assert [line.label for line in expected.lines] == ["any loss", "Disrupted"]
    assert value.title == "Fire value"


@pytest.mark.rule("PB-CRT-21")
def test_of_many_results_of_a_fire_those_of_one_effect_are_told_as_one() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_rifle_coy", "0201"))
    found = odds(t, Fire(U(0), U(1)))
    told = [branch.result for branch in found.branches]
    assert len(told) == len(set(told)) <= 6
    assert sum(branch.chance for branch in found.branches) == 1
    assert all(re.fullmatch(r"(no loss|loses (1 man|\d+ men|\d+ to \d+ men))(, Disrupted)?", one) for one in told)
    assert any(" to " in one for one in told)


@pytest.mark.rule("PB-OPF-1", "PB-CRT-21")
def test_the_forecast_of_a_move_shows_the_shots_that_known_enemies_may_take() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0501"), unit("de_pak40", "0801", concealed=True))
    found = odds(t, Move((U(0),), t.hexes("0102", "0103")))
    assert [(reaction.actors, t.board.label(reaction.hex)) for reaction in found.reactions] == [
        ((1,), "0102"),
        ((1,), "0103"),
    ]
    assert found.reactions[1].text.startswith("Pz IV H platoon #1 fires from 0501 into 0103, chance ")
    assert found.arrival is not None
    assert 0 < Fraction(found.arrival.at_least) < 1
    quiet = table(FIELD, unit("us_m4", "0101"), unit("de_pak40", "0801", concealed=True))
    assert odds(quiet, Move((U(0),), quiet.hexes("0102"))).reactions == ()
    assert RULES.odds(t.view(), ChangeMode(U(0), TRAVEL)) is None


@pytest.mark.rule("PB-MOVE-11", "PB-SPOT-19")
@pytest.mark.parametrize("fog", [True, False])
@pytest.mark.parametrize(
    ("steps", "end"),
    [(("0201", "0301"), "moves to 0201, where an enemy comes into sight"), (("0201",), "moves to 0201")],
)
def test_a_move_is_foreseen_to_stop_where_a_known_enemy_comes_into_sight(
    steps: tuple[str, ...], end: str, *, fog: bool
) -> None:
    t = table(". . . . . .", unit("us_m4", "0101"), unit("de_truck", "0501"), visibility=[3], fog=fog)
    order = Move((U(0),), t.hexes(*steps))
    found = RULES.odds(t.view(), order)
    assert found is not None
    (branch,) = found.branches
    assert branch.result.startswith(f"moves to {steps[-1]}" if fog else end)
    assert (found.arrival is not None and found.arrival.unhindered == "0") == (not fog and len(steps) > 1)
    t.play(order, AllHighest())
    assert t.at(0) == "0201"
