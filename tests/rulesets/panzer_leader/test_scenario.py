"""What Panzer Leader objects to in boards and scenarios."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import N, S
from sandtable.rulesets.panzer_leader.scenario import (
    VOCABULARY,
    Setup,
    board_problems,
    can_carry,
    scenario_problems,
)
from tests.rulesets.panzer_leader.battles import battle, entry
from tests.rulesets.panzer_leader.table import drawn


def on_board(rows: str, **about: Any) -> list[str]:
    return [str(problem) for problem in board_problems(drawn(rows, **about))]


def in_scenario(rows: str, *entries: Any, **fields: Any) -> list[str]:
    return [str(problem) for problem in scenario_problems(battle(rows, *entries, **fields))]


# boards


@pytest.mark.rule("PL-201", "PL-202")
def test_a_hilltop_is_clear_town_woods_or_swamp_and_every_other_hex_lies_at_the_level_of_its_terrain() -> None:
    assert on_board(". T W M S F R", elevation="2 2 2 2 1 1 0") == []
    assert on_board(". S", elevation="1 2") == [
        "hex 0101: clear at elevation 1; expected 0 or 2 (PL-202)",
        "hex 0201: slope at elevation 2; expected 1 (PL-202)",
    ]


@pytest.mark.rule("PL-201")
def test_a_bridge_lies_on_a_stream() -> None:
    assert on_board("R .", features={"bridge": ["0101", "0201"]}) == [
        "hex 0201: a bridge on clear; expected stream (PL-201)"
    ]


@pytest.mark.rule("PL-203")
def test_a_hexside_carries_one_symbol() -> None:
    assert on_board("..", hexsides={"green": ["0101-0201"]}) == []
    assert on_board("..", hexsides={"green": ["0101-0201"], "cliff": ["0101-0201"]}) == [
        "hex 0101 side 2: cliff, green; a side carries one symbol (PL-203)"
    ]
    edge = Board.build("edge", 2, 1, hexsides={("0201", N): {"cliff", "green"}, ("0101", S): {"brown"}})
    assert [problem.message for problem in board_problems(edge)] == ["cliff, green; a side carries one symbol (PL-203)"]


@pytest.mark.rule("PL-207")
def test_half_hexes_on_the_edge_are_whole_hexes_for_play() -> None:
    board: Board = drawn("...\n...")
    # the odd column reaches half a hex beyond the bottom edge, the even ones beyond the top
    assert len(board.hexes) == 6
    assert not on_board("...\n...")
    assert not in_scenario("...\n...", entry("a_rifle", "0202"), entry("g_rifle", "0101"))


# scenarios


@pytest.mark.rule("PL-401", "PL-402", "PL-403", "PL-404")
def test_a_hex_begins_with_at_most_four_units_blocks_and_forts_included_passengers_and_garrisons_not() -> None:
    four = [entry("a_rifle", "0101") for _ in range(4)]
    assert in_scenario("..", *four) == []
    assert in_scenario("..", *four, entry("a_rifle", turn=2, at=["0101"])) == []
    assert in_scenario("..", *four, sections={"blocks": ("0101",)}) == [
        "[[units]] #4: hex 0101 holds more than 4 units (PL-401)"
    ]
    aboard = [entry("a_truck", "0101", id="truck"), entry("a_rifle", aboard="truck")]
    assert in_scenario("..", *four[:3], *aboard) == []
    fort = [entry("n_fort30", "0101", id="fort"), *(entry("g_rifle", inside="fort") for _ in range(4))]
    for crowd in (5, 9):
        inside = [entry("g_rifle", inside="fort") for _ in range(crowd)]
        assert in_scenario(".", fort[0], *inside) == ["[[units]] #6: 'inside': fort holds more than 4 units (PL-404)"]
    assert in_scenario("..", *fort, *(entry("g_rifle", "0101") for _ in range(3))) == []
    assert in_scenario("..", *four, entry("a_truck", "0101")) == [
        "[[units]] #5: hex 0101 holds more than 4 units (PL-401)"
    ]


@pytest.mark.rule("PL-406")
def test_units_of_both_sides_never_share_a_hex() -> None:
    assert in_scenario(".", entry("a_rifle", "0101"), entry("g_rifle", "0101")) == [
        "[[units]] #2: both sides stand in hex 0101 (PL-406)"
    ]


@pytest.mark.rule("PL-406", "PL-1506")
def test_nobody_sets_up_where_an_enemy_stands_or_may_set_up() -> None:
    zones = {"allied": ["0101", "0201"], "german": ["0201"]}
    assert in_scenario("...", entry("g_rifle", "0101"), zones=zones) == [
        "[[units]] #1: stands in the enemy's zone in hex 0101 (PL-406)",
        "[[zones]]: hex 0201 is in zones of both sides (PL-406)",
    ]


@pytest.mark.rule("PL-1506")
def test_a_unit_without_a_place_needs_its_side_in_the_setup_order() -> None:
    zones = {"allied": ["0101"]}
    assert in_scenario("..", entry("a_rifle"), zones=zones, sections={"setup": Setup(("allied",))}) == []
    assert in_scenario("..", entry("a_rifle"), zones=zones) == [
        "[[units]] #1: has no place, but 'setup.order' leaves allied out (PL-1506)"
    ]


@pytest.mark.rule("PL-209", "PL-401", "PL-1506")
def test_a_zone_has_room_and_ground_for_all_who_are_set_up_in_it() -> None:
    sections, blocks = {"setup": Setup(("allied",))}, {"setup": Setup(("allied",)), "blocks": ("0101",)}
    waiting = [entry("a_rifle") for _ in range(6)]
    there = [entry("a_truck", "0101", id="t"), entry("a_rifle", aboard="t")]
    zones = {"allied": ["0101", "0201"], "german": ["0301"]}
    assert in_scenario("...", *waiting, *there, zones=zones, sections=blocks) == []
    assert in_scenario("...", *waiting, entry("a_rifle"), *there, zones=zones, sections=blocks) == [
        "[[zones]]: allied has 7 units to set up and room for 6 (PL-401)"
    ]
    swamp = {"allied": ["0101", "0201"]}
    units = [entry("a_rifle"), entry("a_truck")]
    assert in_scenario("MO.", *units, zones=swamp, sections=sections) == [
        "[[units]] #2: no hex of the zone bears a Truck (PL-209)"
    ]
    assert in_scenario("MO.", *units, zones=swamp, sections=sections, roads=[["0101", "0201"]]) == []


@pytest.mark.rule("PL-641")
def test_a_carrier_begins_with_at_most_one_passenger_and_only_one_that_it_can_carry() -> None:
    truck = entry("a_truck", "0101", id="truck")
    assert in_scenario(".", truck, entry("a_rifle", aboard="truck"), entry("a_mg", aboard="truck")) == [
        "[[units]] #3: 'aboard': truck carries another unit already (PL-641)"
    ]
    assert in_scenario(".", entry("a_m4_75", "0101", id="tank"), entry("a_rifle", aboard="tank")) == [
        "[[units]] #2: 'aboard': a M4/75 Sherman can't carry a Rifle platoon (PL-641)"
    ]


@pytest.mark.rule("PL-641")
@pytest.mark.parametrize(
    ("carrier", "passenger", "can"),
    [
        ("a_truck", "a_105", True),
        ("g_wagon", "g_rifle", True),
        ("b_bren", "b_6pdr", True),
        ("g_panther", "g_smg", True),
        ("g_panther", "g_75pak", False),
        ("g_panther", "g_81mm", False),
        ("g_wespe", "g_rifle", False),
        ("a_m4_75", "a_rifle", False),
        ("a_truck", "a_truck", False),
        ("g_truck", "n_fort20", False),
        ("g_rifle", "g_rifle", False),
    ],
)
def test_carriers_take_any_nonvehicular_unit_german_armor_but_spa_infantry_allied_armor_nobody(
    carrier: str, passenger: str, can: bool
) -> None:
    assert can_carry(carrier, passenger) is can


@pytest.mark.rule("PL-1321")
def test_a_garrison_is_inside_a_fortification_and_one_stands_in_a_hex_and_on_firm_ground() -> None:
    assert in_scenario(".", entry("g_pz4", "0101", id="tank"), entry("g_rifle", inside="tank")) == [
        "[[units]] #2: 'inside': tank is no fortification (PL-1321)"
    ]
    assert in_scenario("M.", entry("n_fort20", "0101"), entry("n_fort20", "0201"), entry("n_fort30", "0201")) == [
        "hex 0101: a fortification on swamp (PL-1321)",
        "hex 0201: two fortifications in one hex (PL-1321)",
    ]


@pytest.mark.rule("PL-104", "PL-307")
def test_a_unit_fights_for_the_side_of_its_nation() -> None:
    units = [entry("a_rifle", "0101", "german"), entry("g_rifle", "0201", "allied"), entry("b_rifle", "0301")]
    forts = [entry("n_fort20", "0401", "allied"), entry("n_fort20", "0501", "german")]
    assert in_scenario(".....", *units, *forts) == [
        "[[units]] #1: a Rifle platoon is not german (PL-307)",
        "[[units]] #2: a Rifle platoon is not allied (PL-307)",
    ]


@pytest.mark.rule("PL-209")
def test_a_vehicle_begins_in_swamp_or_stream_only_on_a_road_or_bridge() -> None:
    roads, features = [["0201", "0301"]], {"bridge": ["0401"]}
    fine = [entry("a_truck", label) for label in ("0201", "0401")]
    assert in_scenario("MM.R", *fine, roads=roads, features=features) == []
    assert in_scenario("M.R", entry("a_truck", "0101"), entry("a_rifle", "0101"), entry("a_m5", "0301")) == [
        "[[units]] #1: a vehicle on swamp in hex 0101 (PL-209)",
        "[[units]] #3: a vehicle on stream in hex 0301 (PL-209)",
    ]
    # a road alone leads over no stream
    assert in_scenario("RR", entry("a_m5", "0101"), roads=[["0101", "0201"]]) == [
        "[[units]] #1: a vehicle on stream in hex 0101 (PL-209)"
    ]


@pytest.mark.rule("PL-209")
def test_a_vehicle_comes_in_where_one_of_its_hexes_bears_it() -> None:
    assert in_scenario("M.", entry("a_truck", turn=2, at=["0101", "0201"])) == []
    assert in_scenario("M.", entry("a_rifle", turn=2, at=["0101"])) == []
    assert in_scenario("M.", entry("a_truck", turn=2, at=["0101"])) == [
        "[[units]] #1: a vehicle on swamp in hex 0101 (PL-209)"
    ]


@pytest.mark.rule("PL-1302")
def test_mines_lie_alone_and_on_open_ground() -> None:
    sections = {"mines": ("0101", "0201", "0201", "0301"), "blocks": ("0301",)}
    assert in_scenario("T...", sections=sections) == [
        "hex 0101: a minefield on town (PL-1302)",
        "hex 0201: two minefields in one hex (PL-1302)",
        "hex 0301: a minefield together with a block or fortification (PL-1302)",
    ]


SHORE = """
    O O O
    B B .
    . . .
"""


@pytest.mark.rule("PL-1401")
def test_landing_units_begin_one_to_a_sea_hex_next_to_a_beach_and_face_down_nowhere_else() -> None:
    assert in_scenario(SHORE, entry("b_rifle", "0101", facedown=True)) == []
    assert in_scenario(SHORE, entry("b_rifle", "0101"), entry("b_rifle", "0101")) == [
        "[[units]] #2: two units in sea hex 0101 (PL-1401)"
    ]
    assert in_scenario("O O O\nO . B", entry("b_rifle", turn=1, at=["0101", "0301"])) == [
        "[[units]] #1: sea hex 0101 is not next to a beach (PL-1401)"
    ]
    assert in_scenario(SHORE, entry("b_rifle", "0103", facedown=True)) == [
        "[[units]] #1: 'facedown' is for units at sea (PL-1401)"
    ]
    # where it will land is not known before, so several may have the same hexes
    waves = [entry("b_rifle", turn=turn, at=["0101", "0201"], facedown=True) for turn in (1, 2)]
    assert in_scenario(SHORE, *waves) == []


@pytest.mark.rule("PL-1401")
def test_a_gun_that_does_not_move_by_itself_lands_aboard_a_carrier() -> None:
    why = "a unit that does not move by itself lands aboard a carrier (PL-1401)"
    assert in_scenario(SHORE, entry("b_6pdr", turn=1, at=["0101"])) == [f"[[units]] #1: {why}"]
    assert in_scenario(SHORE, entry("b_6pdr", "0101")) == [f"[[units]] #1: {why}"]
    carried = [entry("b_bren", turn=1, at=["0101"], id="bren"), entry("b_6pdr", turn=1, at=["0101"], aboard="bren")]
    assert in_scenario(SHORE, *carried) == []


@pytest.mark.rule("PL-104")
def test_the_sides_are_allied_and_german_and_their_nations_us_british_and_german() -> None:
    assert VOCABULARY.sides == {"allied", "german"}
    assert VOCABULARY.nations == {"us", "british", "german"}


def test_nobody_can_order_an_unknown_unit_and_every_option_is_off_unless_turned_on() -> None:
    assert "n_unknown" not in VOCABULARY.unit_types
    assert {option.default for option in VOCABULARY.options} == {False}
    assert all("PL-" in option.title for option in VOCABULARY.options)
