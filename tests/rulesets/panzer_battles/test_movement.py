"""Movement: costs, modes, stacking, zones of control, and what stops a move."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles.air.flying import as_gunner
from sandtable.rulesets.panzer_battles.assault.situations import as_fighter
from sandtable.rulesets.panzer_battles.assault.values import defend_factor
from sandtable.rulesets.panzer_battles.events import (
    Bumped,
    ModeChanged,
    MoveStopped,
    ObjectiveTaken,
    Stepped,
    UnitsSeen,
)
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, DEPLOYED, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.movement import modes, moves, paths, zones
from sandtable.rulesets.panzer_battles.movement.costs import allowance, mobility
from sandtable.rulesets.panzer_battles.movement.orders import ChangeRail, MoveColumn
from sandtable.rulesets.panzer_battles.orders import ChangeMode, EndTurn, Fire, Move
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, AllHighest, Table, U, table, unit

FIELD = """
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
"""


def cost(t: Table, number: int, here: str, to: str) -> int:
    return paths.step(t.position, t.unit(number), t.hex(here), t.hex(to)).cost


# --- costs ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-1", "PB-MOVE-2")
def test_every_step_costs_points_and_a_unit_need_not_spend_them_all() -> None:
    t = table(FIELD, unit("us_m4", "0101"))
    assert cost(t, 0, "0101", "0103") == 0, "that is two steps"
    t.play(Move((U(0),), t.hexes("0102", "0103")))
    assert t.at(0) == "0103"
    assert t.unit(0).mp == 110 - 2 * 9
    t.play(Move((U(0),), t.hexes("0203")))
    assert t.unit(0).mp == 110 - 3 * 9


@pytest.mark.rule("PB-MOVE-5", "PB-MOVE-9", "PB-GEN-15")
def test_terrain_hexside_and_climb_are_scaled_by_the_ground_and_rounded_down_each_then_added() -> None:
    rows = """
    . F
    . .
    """
    flat = table(rows, unit("us_m4", "0101"), hexsides={"stream": ["0101-0102"]}, elevation="02\n00")
    assert cost(flat, 0, "0101", "0201") == 18 + 2 * 3
    assert cost(flat, 0, "0101", "0102") == 9 + 12
    assert cost(flat, 0, "0201", "0101") == 9
    soft = table(rows, unit("us_m4", "0101"), hexsides={"stream": ["0101-0102"]}, elevation="02\n00", condition="soft")
    # 130 %: 23.4, 7.8 and 11.7, 15.6, each without its fraction
    assert cost(soft, 0, "0101", "0201") == 23 + 7
    assert cost(soft, 0, "0101", "0102") == 11 + 15


@pytest.mark.rule("PB-MOVE-5", "PB-MOVE-6", "PB-GEN-20")
def test_no_step_is_free_whatever_the_tables_say() -> None:
    for pct in (0, -100):
        tables = {"condition_pct": {"normal": [pct] * 8}, "road": {"primary": [0] * 8}}
        t = table(". .\n. .", unit("us_m4", "0101", mode=TRAVEL), parameters={"movement": tables}, roads=PAVED)
        assert (cost(t, 0, "0101", "0201"), cost(t, 0, "0101", "0102")) == (1, 1)
    storm = table(". .", unit("us_m4", "0101"), parameters={"movement": {"storm_multiplier": 0}}, storm=True)
    assert cost(storm, 0, "0101", "0201") == 1


@pytest.mark.rule("PB-MOVE-6", "PB-ZOC-3", "PB-ENV-16")
def test_storm_and_zones_multiply_together_and_are_rounded_up_once() -> None:
    rows, foes = ". . .\n. . .", (unit("de_rifle_coy", "0101"), unit("de_rifle_coy", "0302"))
    stormy: dict[str, Any] = {"storm": True, "visibility": [9]}
    for storm, zone, points in ((1.5, 2, 27), (2, 1.5, 27), (1.5, 1.5, 21), (2, 2, 36)):
        tables = {"movement": {"storm_multiplier": storm, "zoc_to_zoc_multiplier": zone}}
        t = table(rows, unit("us_m4", "0201"), *foes, parameters=tables, **stormy)
        assert cost(t, 0, "0201", "0202") == points
        assert paths.reach(t.position, t.unit(0)).cost(t.hex("0202")) == points


@pytest.mark.rule("PB-MOVE-96", "PB-ENV-13")
def test_a_ford_is_for_rivers_that_nobody_could_cross_otherwise() -> None:
    def over(word: str, mode: str, condition: str = "normal") -> int:
        sides = {word: ["0101-0201"], "ford": ["0101-0201"]}
        t = table(". .", unit("us_rifle_coy", "0101", mode=mode), hexsides=sides, condition=condition)
        return cost(t, 0, "0101", "0201")

    assert (over("river", TRAVEL), over("river", DEPLOYED)) == (9 + 12, 0)
    assert (over("stream", TRAVEL), over("stream", DEPLOYED)) == (9 + 6, 9 + 6)
    assert (over("river", TRAVEL, "frozen"), over("river", DEPLOYED, "frozen")) == (10, 10)


PAVED = {"primary": [["0101", "0102"]]}


@pytest.mark.rule("PB-MOVE-5", "PB-MOVE-8", "PB-ENV-16")
def test_a_step_that_costs_more_than_anybody_has_is_no_step_for_the_whole_allowance() -> None:
    drawn: dict[str, Any] = {"elevation": "09", "condition": "mud", "storm": True}
    drawn["features"] = {"0201": [Feature("cleared_rubble")]}
    t = table(". F", unit("us_m4", "0101"), parameters={"movement": {"min_one_hex": False}}, **drawn)
    # 31 and 47 points, for rubble three times, in the storm twice
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-MOVE-1"
    t = table(". F", unit("us_m4", "0101"), **drawn)
    assert t.check(Move((U(0),), t.hexes("0201"))) is None


@pytest.mark.rule("PB-MOVE-7")
def test_prohibited_ground_is_not_entered() -> None:
    t = table(". m\n. .", unit("us_m4", "0101"))
    assert t.refusal(Move((U(0),), t.hexes("0201"))).rule == "PB-MOVE-7"


@pytest.mark.rule("PB-MOVE-8")
def test_a_fresh_unit_may_always_enter_one_hex() -> None:
    t = table(". F\n. .", unit("us_rifle_coy", "0101", mp=36), elevation="09\n00")
    assert cost(t, 0, "0101", "0201") == 12 + 9 * 2
    steep = table(". F\n. .", unit("us_rifle_coy", "0101"), elevation="09\n00", condition="mud")
    assert cost(steep, 0, "0101", "0201") == 18 + 27
    steep.play(Move((U(0),), steep.hexes("0201")))
    assert (steep.at(0), steep.unit(0).mp) == ("0201", 0)
    tired = table(". F\n. .", unit("us_rifle_coy", "0101", mp=30), elevation="09\n00", condition="mud")
    assert tired.refusal(Move((U(0),), tired.hexes("0201"))).rule == "PB-MOVE-1"


@pytest.mark.rule("PB-MOVE-15", "PB-MOVE-16", "PB-MOVE-17", "PB-MOVE-18", "PB-MOVE-19", "PB-GEN-16")
@pytest.mark.parametrize(
    ("kind", "quality", "points"),
    [
        ("us_m4", "A", 132), ("us_m4", "B", 121), ("us_m4", "C", 110), ("us_m4", "D", 99), ("us_m4", "E", 88),
        ("us_m4", "F", 77),
        ("us_rifle_coy", "A", 39), ("us_rifle_coy", "B", 39), ("us_rifle_coy", "D", 32), ("us_rifle_coy", "E", 32),
        ("us_rifle_coy", "F", 28),
    ],
)  # fmt: skip
def test_quality_changes_the_allowance_of_vehicles_more_than_that_of_others(
    kind: str, quality: str, points: int
) -> None:
    t = table(FIELD, unit(kind, "0101", quality=quality))
    assert t.unit(0).mp == points


@pytest.mark.rule("PB-MOVE-20", "PB-UNIT-10")
def test_guns_on_tow_and_men_in_their_carriers_count_as_vehicles_and_dismounted_men_walk() -> None:
    t = table(FIELD, unit("de_pak40", "0101", quality="A"), unit("us_aib_coy", "0102", quality="A"))
    gun, men = t.unit(0), t.unit(1)
    assert (allowance(t.position, gun), allowance(t.position, gun, TRAVEL)) == (118, 129)
    assert (allowance(t.position, men), allowance(t.position, men, TRAVEL)) == (39, 129)


# --- roads and crossings --------------------------------------------------------------------------------------------

ROAD = {"primary": [["0101", "0102", "0103"]], "trail": [["0103", "0104"]]}


@pytest.mark.rule("PB-MOVE-22", "PB-MOVE-38", "PB-MOVE-39")
def test_roads_help_units_in_travel_mode_alone_and_a_primary_road_whatever_the_ground() -> None:
    rows = ". .\nF .\n. .\n. ."
    t = table(rows, unit("us_m4", "0101", mode=TRAVEL), unit("us_m4", "0201"), roads=ROAD, condition="mud")
    assert cost(t, 0, "0101", "0102") == 4
    assert cost(t, 0, "0103", "0104") == 7 * 175 // 100
    assert cost(t, 1, "0101", "0102") == 18 * 175 // 100
    (tally,) = RULES.explain(t.view(), Move((U(0),), t.hexes("0102")))
    assert [line.label for line in tally.lines] == ["0102, by road"]
    t.change(0, mode=DEPLOYED)
    (tally,) = RULES.explain(t.view(), Move((U(0),), t.hexes("0102")))
    assert [line.label for line in tally.lines] == ["0102, forest"]


@pytest.mark.rule("PB-STK-4")
def test_a_crowded_road_is_no_road() -> None:
    rows = ". .\n. .\n. .\n. ."
    full = unit("us_rifle_coy", "0102", strength=201, full=201)
    t = table(rows, unit("us_m4", "0101", mode=TRAVEL), full, roads=ROAD)
    assert cost(t, 0, "0101", "0102") == 9
    t.change(1, strength=200)
    assert cost(t, 0, "0101", "0102") == 4
    t.change(1, strength=201)
    # the search knows it as well
    assert paths.reach(t.position, t.unit(0)).cost(t.hex("0102")) == 9


@pytest.mark.rule("PB-MOVE-35")
def test_who_came_by_road_into_ground_he_may_not_enter_leaves_by_the_road() -> None:
    rows = ". .\nF .\n. .\n. ."
    t = table(rows, unit("de_truck", "0102", mode=TRAVEL), roads=ROAD, active=AXIS)
    assert cost(t, 0, "0102", "0103") == 4
    assert cost(t, 0, "0102", "0202") == 0
    assert t.check(Move((U(0),), t.hexes("0103"))) is None


@pytest.mark.rule("PB-MOVE-34", "PB-MOVE-90", "PB-MOVE-91", "PB-MOVE-92", "PB-MOVE-88")
@pytest.mark.parametrize(
    ("bridge", "kind", "crosses"),
    [
        ("light_bridge", "us_rifle_coy", True), ("light_bridge", "de_truck", False), ("light_bridge", "us_m4", False),
        ("medium_bridge", "us_rifle_coy", True), ("medium_bridge", "de_truck", True), ("medium_bridge", "us_m4", False),
        ("heavy_bridge", "us_m4", True), ("heavy_bridge", "de_truck", True), ("light_bridge", "us_aib_coy", False),
    ],
)  # fmt: skip
def test_bridges_bear_infantry_then_guns_and_trucks_then_everything(bridge: str, kind: str, crosses: bool) -> None:
    sides = {"river": ["0101-0102"], bridge: ["0101-0102"], "canal": ["0201-0202"]}
    t = table(". .\n. .", unit(kind, "0101", side=ALLIED, mode=TRAVEL), hexsides=sides)
    assert (cost(t, 0, "0101", "0102") > 0) is crosses
    assert cost(t, 0, "0201", "0202") == 0
    t.change(0, mode=DEPLOYED)
    assert cost(t, 0, "0101", "0102") == 0, "bridges are for Travel Mode"


@pytest.mark.rule("PB-MOVE-96")
def test_a_ford_is_crossed_in_travel_mode_at_its_own_cost() -> None:
    t = table(". .\n. .", unit("us_m4", "0101", mode=TRAVEL), hexsides={"river": ["0101-0102"], "ford": ["0101-0102"]})
    assert cost(t, 0, "0101", "0102") == 9 + 18
    t.change(0, mode=DEPLOYED)
    assert cost(t, 0, "0101", "0102") == 0


@pytest.mark.rule("PB-MOVE-34")
def test_a_road_over_a_bridge_that_is_too_weak_leads_nowhere() -> None:
    sides = {"river": ["0101-0102"], "light_bridge": ["0101-0102"]}
    t = table(". .\n. .", unit("us_m4", "0101", mode=TRAVEL), hexsides=sides, roads={"primary": [["0101", "0102"]]})
    assert cost(t, 0, "0101", "0102") == 0


@pytest.mark.rule("PB-MOVE-34", "PB-MOVE-38", "PB-MOVE-91", "PB-ENG-14")
@pytest.mark.parametrize(
    ("bridge", "kind", "by_road"),
    [
        ("medium_bridge", "de_truck", True), ("medium_bridge", "us_m4", False), ("heavy_bridge", "us_m4", True),
        ("damaged_bridge", "de_truck", False), ("damaged_bridge", "us_rifle_coy", False), ("ford", "us_m4", True),
    ],
)  # fmt: skip
def test_who_the_bridge_of_a_road_over_a_stream_does_not_bear_goes_through_the_stream(
    bridge: str, kind: str, by_road: bool
) -> None:
    sides, road = {"stream": ["0101-0102"], bridge: ["0101-0102"]}, {"trail": [["0101", "0102"]]}
    rows = ". .\n. ."
    t = table(rows, unit(kind, "0101", side=ALLIED, mode=TRAVEL), hexsides=sides, roads=road)
    without = table(rows, unit(kind, "0101", side=ALLIED, mode=TRAVEL), hexsides={"stream": ["0101-0102"]})
    open_road = table(rows, unit(kind, "0101", side=ALLIED, mode=TRAVEL), roads=road)
    same = open_road if by_road else without
    assert cost(t, 0, "0101", "0102") == cost(same, 0, "0101", "0102") > 0


@pytest.mark.rule("PB-MOVE-38")
def test_a_road_leads_through_a_hedge_row_that_vehicles_off_it_do_not_pass() -> None:
    sides = {"hedge_row": ["0101-0102", "0201-0202"]}
    t = table(". .\n. .", unit("de_truck", "0101", ALLIED, mode=TRAVEL), hexsides=sides, roads=LANE)
    assert (cost(t, 0, "0101", "0102"), cost(t, 0, "0201", "0202")) == (9, 0)


LANE = {"trail": [["0101", "0102"]]}


# --- modes ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-21", "PB-MOVE-26", "PB-MOVE-29")
def test_travel_mode_is_entered_free_and_left_for_a_third_and_guns_pay_a_third_both_ways() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_57at", "0201"))
    t.play(ChangeMode(U(0), TRAVEL))
    assert (t.unit(0).mode, t.unit(0).mp, t.unit(0).thirds) == (TRAVEL, 110, 0)
    t.play(ChangeMode(U(0), DEPLOYED))
    assert (t.unit(0).mode, t.unit(0).mp, t.unit(0).thirds) == (DEPLOYED, 110 - 37, 1)
    t.play(ChangeMode(U(1), TRAVEL))
    assert (t.unit(1).mode, t.unit(1).mp) == (TRAVEL, 108 - 36)
    assert t.only(ModeChanged).thirds == 1


@pytest.mark.rule("PB-MOVE-28")
def test_heavy_guns_on_tow_pay_their_whole_allowance() -> None:
    t = table(FIELD, unit("su_152how", "0101", mp=80), unit("su_152how", "0201"))
    assert t.refusal(ChangeMode(U(0), TRAVEL)).rule == "PB-MOVE-28"
    t.play(ChangeMode(U(1), TRAVEL))
    assert t.unit(1).mp == 0


@pytest.mark.rule("PB-MOVE-126")
def test_dismounting_pays_first_and_keeps_the_share_of_the_points() -> None:
    t = table(FIELD, unit("de_motinf_coy", "0101", mode=TRAVEL, mp=54), active=AXIS)
    t.play(ChangeMode(U(0), DEPLOYED))
    assert t.unit(0).mp == 6
    (tally,) = modes.explain_change(t.position, AXIS, ChangeMode(U(0), TRAVEL))
    assert tally.total == 18


@pytest.mark.rule("PB-MOVE-36", "PB-MOVE-37")
def test_nobody_deploys_where_only_the_road_lets_him_in_but_towed_guns_and_men_who_get_out() -> None:
    rows = "F .\nF ."
    t = table(
        rows,
        unit("de_truck", "0101", mode=TRAVEL),
        unit("de_pak40", "0101", mode=TRAVEL),
        unit("de_motinf_coy", "0101", mode=TRAVEL),
        unit("de_motinf_coy", "0102"),
        unit("de_motinf_coy", "0101"),
        roads={"trail": [["0101", "0201"]]},
        active=AXIS,
    )
    assert t.refusal(ChangeMode(U(0), DEPLOYED)).rule == "PB-MOVE-36"
    assert t.check(ChangeMode(U(1), DEPLOYED)) is None
    assert t.check(ChangeMode(U(2), DEPLOYED)) is None
    assert t.refusal(ChangeMode(U(3), TRAVEL)).rule == "PB-MOVE-36"
    assert t.check(ChangeMode(U(4), TRAVEL)) is None
    assert list(modes.change_options(t.position, AXIS, t.unit(3))) == []


@pytest.mark.rule("PB-MOVE-37", "PB-ASLT-14", "PB-AIR-12")
def test_guns_that_are_set_up_where_only_the_road_leads_fight_as_if_they_were_on_the_march() -> None:
    guns = unit("de_20flak", "0101"), unit("de_20flak", "0201")
    t = table("F . .", *guns, unit("us_m4", "0301"), roads={"trail": [["0101", "0201"]]})
    confined, free = (as_fighter(t.position, t.unit(n), t.unit(n).hex, [t.unit(2)]) for n in (0, 1))
    assert (defend_factor(confined), defend_factor(free)) == (0.25, 1)
    assert [as_gunner(t.position, t.unit(number)).mode for number in (0, 1)] == [TRAVEL, DEPLOYED]


@pytest.mark.rule("PB-MOVE-21")
def test_modes_there_are_not_and_units_that_are_not_ones_own_are_refused() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0801", concealed=True))
    assert t.refusal(ChangeMode(U(0), "flight")).rule == "PB-MOVE-21"
    assert t.refusal(ChangeMode(U(0), DEPLOYED)).rule == "PB-MOVE-21"
    assert t.refusal(ChangeMode(U(1), TRAVEL)).rule == "PB-GEN-3"
    assert t.refusal(ChangeMode(U(9), TRAVEL)).rule == "PB-GEN-3"


@pytest.mark.rule("PB-MOVE-23", "PB-MOVE-12", "PB-MOVE-98", "PB-MOVE-13")
def test_guns_that_are_set_up_and_fixed_units_stay_and_broken_ones_may_move() -> None:
    t = table(
        FIELD, unit("us_57at", "0101"), unit("us_m4", "0201", fixed=True), unit("us_m4", "0301", broken=True),
        unit("us_m4", "0401", mp=0),
    )  # fmt: skip
    assert t.refusal(Move((U(0),), t.hexes("0102"))).rule == "PB-MOVE-23"
    assert t.refusal(Move((U(1),), t.hexes("0202"))).rule == "PB-MOVE-98"
    assert t.check(Move((U(2),), t.hexes("0302"))) is None
    assert t.refusal(Move((U(3),), t.hexes("0402"))).rule == "PB-MOVE-1"
    assert list(moves.move_options(t.position, ALLIED, t.unit(0))) == []
    assert moves.pick_move(t.position, ALLIED, t.unit(0), PromptDice("x")) is None


# --- stacks ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-STK-1", "PB-STK-2", "PB-STK-7", "PB-STK-11")
def test_five_hundred_men_fit_into_a_hex_and_a_vehicle_counts_as_ten() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0102", strength=451, full=451))
    refusal = t.refusal(Move((U(0),), t.hexes("0102", "0103")))
    assert refusal.rule == "PB-STK-2"
    t.change(1, strength=450)
    assert t.check(Move((U(0),), t.hexes("0102", "0103"))) is None
    t.change(1, strength=700)
    # a hex over its limit keeps its units, and nothing may enter
    assert t.refusal(Move((U(0),), t.hexes("0102"))).rule == "PB-STK-2"
    assert t.hex("0102") not in paths.goals(t.position, t.unit(0))


@pytest.mark.rule("PB-MOVE-10")
def test_a_stack_moves_hex_by_hex_and_each_unit_pays_its_own_cost() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0101"))
    t.play(Move((U(0), U(1)), t.hexes("0102", "0103")))
    assert [t.at(0), t.at(1)] == ["0103", "0103"]
    assert [t.unit(0).mp, t.unit(1).mp] == [110 - 18, 36 - 18]
    assert [(event.unit, event.to) for event in t.all(Stepped)] == [
        (0, t.hex("0102")), (1, t.hex("0102")), (0, t.hex("0103")), (1, t.hex("0103")),
    ]  # fmt: skip
    assert t.refusal(Move((U(0), U(1)), t.hexes("0104", "0204", "0304"))).rule == "PB-MOVE-1"


@pytest.mark.rule("PB-MOVE-10")
def test_a_stack_starts_from_one_hex_and_is_of_different_units() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0201"))
    assert t.refusal(Move((), t.hexes("0102"))).rule == "PB-MOVE-10"
    assert t.refusal(Move((U(0), U(0)), t.hexes("0102"))).rule == "PB-MOVE-10"
    assert t.refusal(Move((U(0), U(1)), t.hexes("0102"))).rule == "PB-MOVE-10"


@pytest.mark.rule("PB-MOVE-2")
def test_a_way_leads_somewhere_by_adjacent_hexes_of_the_map() -> None:
    t = table(FIELD, unit("us_m4", "0101"))
    assert t.refusal(Move((U(0),), ())).rule == "PB-MOVE-2"
    assert t.refusal(Move((U(0),), t.hexes("0103"))).reason == "the hexes of a way are adjacent"
    assert t.refusal(Move((U(0),), t.hexes("0102", "0104"))).reason == "the hexes of a way are adjacent"
    assert t.refusal(Move((U(0),), (HexId(0),))).rule == "PB-MOVE-2"


# --- zones of control -----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-ZOC-1", "PB-ZOC-2", "PB-ZOC-3", "PB-MOVE-6")
def test_a_step_from_zone_to_zone_costs_twice() -> None:
    t = table(FIELD, unit("us_m4", "0402"), unit("de_pz4h", "0403"))
    assert cost(t, 0, "0402", "0302") == 9, "out of the zone"
    assert cost(t, 0, "0402", "0503") == 18, "along it"
    assert cost(t, 0, "0401", "0402") == 9, "into it"
    assert paths.reach(t.position, t.unit(0)).cost(t.hex("0503")) == 18


@pytest.mark.rule("PB-MOVE-6", "PB-ZOC-3", "PB-ENV-16")
def test_what_is_no_whole_number_after_zones_and_storm_is_rounded_up() -> None:
    half_more = {"movement": {"zoc_to_zoc_multiplier": 1.5, "storm_multiplier": 1.5}}
    t = table(FIELD, unit("us_m4", "0402"), unit("de_pz4h", "0403"), parameters=half_more)
    assert (cost(t, 0, "0402", "0302"), cost(t, 0, "0402", "0503")) == (9, 14)
    assert paths.reach(t.position, t.unit(0)).cost(t.hex("0503")) == 14
    storm = table(FIELD, unit("us_m4", "0101"), parameters=half_more, storm=True)
    assert cost(storm, 0, "0101", "0102") == 14


@pytest.mark.rule("PB-ZOC-4", "PB-ZOC-5", "PB-ZOC-6", "PB-ZOC-8", "PB-ZOC-9", "PB-ZOC-10")
def test_staffs_supply_broken_concealed_partisan_and_transport_units_control_nothing() -> None:
    t = table(
        FIELD, unit("us_m4", "0101"), unit("su_bn_hq", "0101"), unit("any_supply", "0101"),
        unit("us_m4", "0101", broken=True), unit("us_m4", "0101", concealed=True), unit("su_partisan", "0101"),
        unit("de_truck", "0301"), unit("de_sdkfz251_tr", "0301"),
    )  # fmt: skip
    assert [zones.has_zone(t.unit(n)) for n in range(8)] == [True, *[False] * 6, True]


@pytest.mark.rule("PB-ZOC-11")
def test_control_does_not_reach_over_a_barrier_or_into_water_unless_there_is_a_way_across() -> None:
    rows = """
    . . .
    . . .
    ~ . .
    """
    sides = {"river": ["0202-0201", "0202-0303"], "heavy_bridge": ["0202-0303"], "cliff": ["0202-0302"]}
    t = table(rows, unit("de_pz4h", "0202"), hexsides=sides)
    zone = {t.board.label(place) for place in zones.zone_around(t.position, t.hex("0202"))}
    assert zone == {"0303", "0203", "0102"}


@pytest.mark.rule("PB-ZOC-11", "PB-MOVE-57", "PB-MOVE-59")
def test_control_reaches_over_what_commandos_climb_and_swimmers_cross() -> None:
    sides = {"river": ["0101-0201"], "cliff": ["0101-0102"]}
    for kind, mode, reached in (
        ("us_ranger_coy", DEPLOYED, {"0201", "0102"}),
        ("uk_dd_sherman", TRAVEL, {"0201"}),
        ("uk_dd_sherman", DEPLOYED, set()),
    ):
        t = table(". .\n. .", unit(kind, "0101", mode=mode), hexsides=sides)
        assert {t.board.label(place) for place in zones.zone_of(t.position, t.unit(0))} == reached
        flags = zones.zone_flags(t.position, ALLIED)
        assert {t.board.label(place) for place in t.board.hexes if flags[place]} == reached


@pytest.mark.rule("PB-ZOC-13")
def test_a_zone_that_comes_to_light_on_the_way_stops_a_move_that_would_cost_more_than_planned() -> None:
    # a Broken unit sees that somebody is there and not who, so it does not know the zone before it is in it
    t = table(FIELD, unit("us_rifle_coy", "0202", broken=True), unit("de_rifle_plt", "0502", mode=TRAVEL))
    way = t.hexes("0303", "0402", "0503")
    assert t.check(Move((U(0),), way)) is None
    assert t.known(ALLIED).unknowns == (t.hex("0502"),)
    t.play(Move((U(0),), way), dice=AllHighest())
    assert t.at(0) == "0402"
    assert t.only(MoveStopped).reason == moves.ZONE
    assert t.unit(0).mp == 36 - 18


# --- what stops a move ----------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-11", "PB-SPOT-20")
def test_a_move_stops_when_a_new_enemy_comes_into_sight() -> None:
    rows = """
    . . F . . .
    . . F . . .
    . . F . . .
    . . . . . .
    """
    t = table(rows, unit("us_m4", "0201"), unit("de_truck", "0601"))
    t.play(Move((U(0),), t.hexes("0202", "0203", "0304", "0403")))
    stopped = t.only(MoveStopped)
    assert stopped.reason == moves.CONTACT
    assert t.at(0) == t.board.label(stopped.hex) != "0403"
    assert t.heard(ALLIED, UnitsSeen)[0].contacts == (1,)


@pytest.mark.rule("PB-MOVE-14", "PB-SPOT-16")
def test_bumping_into_an_enemy_stops_in_the_hex_before_costs_the_step_and_reveals_him() -> None:
    t = table(". . .\n. F .\n. . .", unit("us_rifle_coy", "0101"), unit("de_rifle_plt", "0202", concealed=True))
    t.play(Move((U(0),), t.hexes("0201")), dice=AllHighest())
    assert t.unit(1).concealed, "standing beside him does not reveal him"
    assert t.check(Move((U(0),), t.hexes("0202"))) is None
    t.play(Move((U(0),), t.hexes("0202")))
    assert t.at(0) == "0201"
    assert t.unit(0).mp == 36 - 9 - 12
    assert not t.unit(1).concealed
    assert t.only(MoveStopped).reason == moves.BUMP
    assert t.heard(ALLIED, Bumped)[0].revealed == ()
    assert t.known(ALLIED).units[1].kind == "de_rifle_plt"
    assert t.refusal(Move((U(0),), t.hexes("0202"))).rule == "PB-MOVE-14"


@pytest.mark.rule("PB-MOVE-10")
def test_a_stack_stops_where_the_truth_is_dearer_than_one_of_it_can_pay() -> None:
    t = table(
        FIELD, unit("us_rifle_coy", "0302", broken=True, mp=17), unit("de_rifle_plt", "0303", mode=TRAVEL),
    )  # fmt: skip
    # from zone to zone for 18 instead of the 9 that it knows of
    t.play(Move((U(0),), t.hexes("0402")))
    assert t.at(0) == "0302"
    assert t.only(MoveStopped).reason == moves.SPENT
    assert t.unit(0).mp == 0, "who tried it has lost the points he tried it with"


@pytest.mark.rule("PB-MOVE-89")
def test_vehicles_that_cross_a_hedge_row_are_vulnerable_until_their_next_turn() -> None:
    t = table(
        FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0201"), hexsides={"hedge_row": ["0101-0102", "0201-0202"]}
    )
    t.play(Move((U(0),), t.hexes("0102")))
    t.play(Move((U(1),), t.hexes("0202")))
    assert (t.unit(0).vulnerable, t.unit(1).vulnerable) == (True, False)
    t.play(EndTurn())
    assert t.unit(0).vulnerable
    t.play(EndTurn())
    assert not t.unit(0).vulnerable


@pytest.mark.rule("PB-VIC-4", "PB-VIC-5")
def test_moving_onto_an_objective_takes_it_at_once_unless_the_unit_is_broken() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_m4", "0201", broken=True), owners={"0102": AXIS, "0202": AXIS})
    t.play(Move((U(0),), t.hexes("0102", "0103")))
    assert t.only(ObjectiveTaken) == ObjectiveTaken(t.hex("0102"), ALLIED)
    assert t.position.owners[t.hex("0102")] == ALLIED, "it stays with the last owner when left"
    t.play(Move((U(1),), t.hexes("0202")))
    assert t.position.owners[t.hex("0202")] == AXIS


# --- undo and menus -------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB-MOVE-3", "PB-MOVE-4")
def test_movement_is_taken_back_only_without_fog() -> None:
    for fog in (True, False):
        t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0801"), fog=fog)
        assert RULES.may_undo(t.view(), Move((U(0),), t.hexes("0102"))) is not fog
        assert RULES.may_undo(t.view(), MoveColumn((U(0),), (t.hexes("0102"),))) is not fog
        assert RULES.may_undo(t.view(), ChangeRail(U(0))) is not fog, "its mode is restored as any other"
        assert not RULES.may_undo(t.view(), Fire(U(0), U(1)))


@pytest.mark.rule("PB-MOVE-118", "PB-MOVE-116")
def test_a_move_is_offered_to_every_hex_in_reach_and_to_no_other() -> None:
    t = table(FIELD, unit("us_rifle_coy", "0401", mp=18), unit("de_pz4h", "0402", concealed=True))
    offered = {order.path[-1] for order in moves.move_options(t.known(ALLIED), ALLIED, t.unit(0))}
    assert offered == {h for h in t.board.hexes if 0 < t.board.distance(h, t.hex("0401")) <= 2}, (
        "nobody knows of the tank in the way"
    )


def test_a_way_can_be_led_through_hexes() -> None:
    t = table(FIELD, unit("us_m4", "0101"))
    (verb,) = RULES.menu(t.view(), Selection((U(0),), t.hex("0103"), t.hexes("0201")))
    assert verb.targets[0].order == Move((U(0),), t.hexes("0201", "0102", "0103"))


def test_a_random_move_goes_somewhere_lawful() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_rifle_coy", "0801", strength=500, full=500))
    for number in range(6):
        order = moves.pick_move(t.position, ALLIED, t.unit(0), PromptDice("pick", number))
        assert order is not None
        assert t.check(order) is None
    hemmed = table(".", unit("us_m4", "0101"))
    assert moves.pick_move(hemmed.position, ALLIED, hemmed.unit(0), PromptDice("pick")) is None


@pytest.mark.rule("PB-OPF-1", "PB-OPF-10", "PB-MOVE-11", "PB-ZOC-12")
def test_fire_that_hits_a_mover_stops_it() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_pz4h", "0501"))
    # the opportunity is taken, the loss is high, no fatigue, and morale holds
    t.play(Move((U(0),), t.hexes("0102", "0103", "0104")), dice=[ONE, HIGHEST, HIGHEST, ONE, ONE, HIGHEST])
    assert t.at(0) == "0102"
    assert t.only(MoveStopped).reason == moves.UNDER_FIRE


def test_mobility_of_each_weight() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("us_aib_coy", "0101"), unit("us_57at", "0101"))
    assert [mobility(t.unit(n)).weight for n in range(3)] == ["heavy", "light", "medium"]
