"""What steps cost, how far units get, and who must move: sections 2 and 12."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_44 import stacks
from sandtable.rulesets.panzer_44.events import Barred, LeftMap, Moved
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import EXITED
from sandtable.rulesets.panzer_44.movement import explain_move, move_options, pick_move, points, step_cost, steps, stops
from sandtable.rulesets.panzer_44.orders import EndMovement, LeaveMap, Move
from sandtable.rulesets.panzer_44.scenario import Exit
from tests.rulesets.panzer_44.table import Table, U, on_the_move, open_ground, unit


def price(t: Table, mobility: str, a: str, b: str) -> int | None:
    """What a step costs in half points, None where there is no way."""
    here, there = t.hexes(a, b)
    return step_cost(t.position, mobility, here, t.board.direction(here, there))


def go(t: Table, *labels: str, unit: int = 0) -> Move:
    return Move(U(unit), t.hexes(*labels))


def in_reach(t: Table, number: int = 0) -> list[str]:
    return sorted(t.board.label(place) for place, _ in stops(t.position, t.unit(number)))


# --- costs ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-2.03")
@pytest.mark.rule("P44-2.12")
@pytest.mark.parametrize("kind", ["stream", "crest"])
@pytest.mark.parametrize(("mobility", "cost"), [("hard", 4), ("soft", 8), ("foot", 2)])
def test_streams_and_crests_cost_both_ways(kind: str, mobility: str, cost: int) -> None:
    t = on_the_move(".\n.", hexsides={kind: ["0101-0102"]}, elevation="0\n1")
    assert (price(t, mobility, "0101", "0102"), price(t, mobility, "0102", "0101")) == (cost, cost)


@pytest.mark.rule("P44-2.11")
@pytest.mark.parametrize(("mobility", "up", "down"), [("hard", 4, 2), ("soft", 4, 2), ("foot", 2, 2)])
def test_a_slope_costs_only_who_goes_up(mobility: str, up: int, down: int) -> None:
    t = on_the_move(".\n.", hexsides={"slope": ["0101-0102"]}, elevation="0\n1")
    assert (price(t, mobility, "0101", "0102"), price(t, mobility, "0102", "0101")) == (up, down)


@pytest.mark.rule("P44-2.09")
def test_along_a_road_a_step_costs_half_a_point_whatever_the_ground_and_the_hexside() -> None:
    t = on_the_move(
        ".W\nW.\n..",
        roads=[["0101", "0102"]],
        hexsides={"stream": ["0101-0102"]},
    )
    assert price(t, "hard", "0101", "0102") == 1
    assert price(t, "hard", "0101", "0201") == 6
    assert price(t, "hard", "0103", "0102") == 6


@pytest.mark.rule("P44-2.08")
def test_a_town_costs_half_a_point_by_road_and_else_one_point_and_its_hexside() -> None:
    t = on_the_move(".\nT\n.", roads=[["0101", "0102"]], hexsides={"stream": ["0102-0103"]})
    assert price(t, "soft", "0101", "0102") == 1
    assert price(t, "soft", "0103", "0102") == 8


@pytest.mark.rule("P44-2.10")
def test_a_river_is_crossed_only_by_its_bridge() -> None:
    t = on_the_move(
        "..\n.W",
        roads=[["0101", "0201"]],
        hexsides={"river": ["0101-0201", "0102-0201", "0102-0202"], "bridge": ["0101-0201"]},
    )
    assert price(t, "hard", "0101", "0201") == 1
    assert price(t, "foot", "0102", "0201") is None
    assert price(t, "foot", "0102", "0202") is None


@pytest.mark.rule("P44-2.13")
@pytest.mark.rule("P44-13.08")
def test_a_wreck_takes_the_road_away_into_its_hex_and_out_of_it_but_not_a_bridge() -> None:
    t = on_the_move(
        ".\n.\n.\n.",
        roads=[["0101", "0102", "0103", "0104"]],
        hexsides={"stream": ["0102-0103"], "bridge": ["0102-0103"]},
        wrecks=("0102",),
    )
    found = [price(t, "hard", a, b) for a, b in (("0101", "0102"), ("0102", "0101"), ("0102", "0103"))]
    assert found == [2, 2, 1]
    assert price(t, "hard", "0103", "0104") == 1


@pytest.mark.rule("P44-12.07")
def test_there_is_no_step_off_the_map() -> None:
    t = on_the_move("..")
    assert step_cost(t.position, "hard", t.hex("0101"), 0) is None


@pytest.mark.rule("P44-1.06")
def test_players_read_points_though_halves_are_counted() -> None:
    assert [points(halves) for halves in (1, 2, 7)] == ["½", "1", "3½"]
    t = on_the_move(".W", unit("u_m4", "0101"))
    (tally,) = explain_move(t.position, t.unit(0).side, go(t, "0201"))
    assert (tally.title, tally.total) == ("Movement points of 9", "3")
    assert [(line.label, line.value, line.rule) for line in tally.lines] == [("0201 woods", "3", "P44-2.03")]


# --- how far --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-12.01")
def test_a_unit_spends_its_points_hex_by_hex() -> None:
    t = on_the_move(open_ground(1, 12), unit("g_pz4h", "0101"))
    assert in_reach(t)[-1] == "0109"
    assert t.refusal(go(t, *(f"01{row:02}" for row in range(2, 11)))).rule == "P44-12.01"


@pytest.mark.rule("P44-3.04")
@pytest.mark.rule("P44-2.04")
def test_men_on_foot_go_one_hex_or_two_by_road() -> None:
    walk = on_the_move("W\nW\nW", unit("g_gren", "0101"))
    assert in_reach(walk) == ["0102"]
    march = on_the_move("W\nW\nW\nW", unit("g_gren", "0101"), roads=[["0101", "0102", "0103", "0104"]])
    assert in_reach(march) == ["0102", "0103"]


@pytest.mark.rule("P44-2.14")
def test_with_its_whole_allowance_a_unit_may_always_go_one_hex_whatever_the_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stacks, "KINDS", {**KINDS, "g_truck": replace(KINDS["g_truck"], ma=3)})
    t = on_the_move(".\nW\n.", unit("g_truck", "0101"))
    assert in_reach(t) == ["0102"]
    (tally,) = explain_move(t.position, t.unit(0).side, go(t, "0102"))
    assert [line.rule for line in tally.lines] == ["P44-2.03", "P44-2.14"]
    assert t.refusal(go(t, "0102", "0103")).rule == "P44-12.01"
    t.play(go(t, "0102"))
    assert t.unit(0).spent == KINDS["g_truck"].allowance - 14
    t.change(0, hex=t.hex("0101"), spent=1)
    assert t.refusal(go(t, "0102")).rule == "P44-12.01"


@pytest.mark.rule("P44-2.14")
@pytest.mark.rule("P44-12.01")
def test_a_hex_that_is_too_dear_in_one_step_is_entered_by_a_cheaper_way_around(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "KINDS", {**KINDS, "g_truck": replace(KINDS["g_truck"], ma=3)})
    t = on_the_move("..\nW.", unit("g_truck", "0101"), roads=[["0101", "0201", "0102"]])
    ways = {t.board.label(place): len(path) for place, path in stops(t.position, t.unit(0))}
    assert ways == {"0201": 1, "0102": 2, "0202": 2}


@pytest.mark.rule("P44-4.01")
@pytest.mark.rule("P44-12.03")
def test_friends_are_passed_through_while_no_hex_holds_more_than_three() -> None:
    two = [unit("g_gren", "0102"), unit("g_gren", "0102")]
    t = on_the_move(".\n.\n.", unit("g_pz4h", "0101"), *two)
    assert in_reach(t) == ["0102", "0103"]
    full = on_the_move(".\n.\n.", unit("g_pz4h", "0101"), *two, unit("g_gren", "0102"))
    assert in_reach(full) == []
    assert full.refusal(go(full, "0102")).rule == "P44-4.01"


@pytest.mark.rule("P44-4.02")
@pytest.mark.rule("P44-4.03")
def test_an_enemys_hex_is_closed_and_the_hexes_around_him_are_not() -> None:
    t = on_the_move(open_ground(3, 3), unit("g_pz4h", "0101"), unit("u_rifle", "0202"))
    assert "0202" not in in_reach(t)
    assert {"0102", "0103", "0303"} <= set(in_reach(t))
    assert t.refusal(go(t, "0102", "0202")).rule == "P44-4.02"


@pytest.mark.rule("P44-12.01")
def test_a_path_goes_from_hex_to_adjacent_hex() -> None:
    t = on_the_move(open_ground(1, 4), unit("g_pz4h", "0101"))
    assert t.refusal(go(t, "0103")).rule == "P44-12.01"
    assert t.refusal(Move(U(0), ())).rule == "P44-12.01"
    assert isinstance(steps(t.position, t.unit(0), (HexId(0),)), Refusal)


@pytest.mark.rule("P44-2.10")
def test_there_is_no_way_over_water_without_a_bridge() -> None:
    t = on_the_move(".\n.", unit("g_pz4h", "0101"), hexsides={"river": ["0101-0102"]})
    assert t.refusal(go(t, "0102")).rule == "P44-2.10"


# --- the order to move ----------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-5.09")
def test_only_plotted_units_move() -> None:
    t = on_the_move(open_ground(1, 3), unit("g_pz4h", "0101"), unit("g_pz4h", "0103"), plotted=(1,))
    assert t.refusal(go(t, "0102")).rule == "P44-5.09"
    assert list(move_options(t.position, t.unit(0).side, t.unit(0))) == []


@pytest.mark.rule("P44-6.04")
def test_who_has_panicked_is_told_that_panic_keeps_it_from_moving() -> None:
    t = on_the_move(open_ground(1, 3), unit("g_pz4h", "0101", panic="frozen"), unit("g_pz4h", "0103"), plotted=(1,))
    assert t.refusal(go(t, "0102")).rule == "P44-6.04"


@pytest.mark.rule("P44-5.09")
def test_who_is_plotted_to_move_must_go_at_least_one_hex_if_he_can() -> None:
    t = on_the_move(open_ground(1, 3), unit("g_pz4h", "0101"))
    assert t.refusal(EndMovement()).rule == "P44-5.09"
    t.play(go(t, "0102"))
    assert t.check(EndMovement()) is None
    stuck = on_the_move(".\n.", unit("g_pz4h", "0101"), hexsides={"river": ["0101-0102"]})
    assert stuck.check(EndMovement()) is None


@pytest.mark.rule("P44-10.01")
@pytest.mark.rule("P44-10.03")
@pytest.mark.parametrize(
    ("changes", "rule"), [({"pinned": True}, "P44-10.01"), ({"disruption": 1}, "P44-10.03"), ({"pinned": False}, "")]
)
def test_pinned_and_disrupted_units_do_not_move(changes: dict[str, Any], rule: str) -> None:
    t = on_the_move(open_ground(1, 3), unit("g_pz4h", "0101", **changes), unit("g_pz4h", "0103"))
    found = t.check(go(t, "0102"))
    assert (found.rule if found else "") == rule


@pytest.mark.rule("P44-3.03")
def test_a_gun_does_not_move_by_itself() -> None:
    t = on_the_move(open_ground(1, 3), unit("g_pak40", "0101"), unit("g_truck", "0103"))
    assert t.refusal(go(t, "0102")).rule == "P44-3.03"


@pytest.mark.rule("P44-5.04")
def test_nobody_moves_an_enemy_or_what_is_gone() -> None:
    t = on_the_move(open_ground(1, 3), unit("g_pz4h", "0101"), unit("u_m4", "0103"), unit("g_gren", fate="lost"))
    assert t.refusal(go(t, "0102", unit=1)).rule == "P44-5.04"
    assert t.refusal(go(t, "0102", unit=9)).rule == "P44-5.04"
    assert t.refusal(go(t, "0102", unit=2)).rule == "P44-10.04"


@pytest.mark.rule("P44-12.02")
def test_units_move_one_at_a_time() -> None:
    t = on_the_move(open_ground(2, 4), unit("g_pz4h", "0101"), unit("g_pz4h", "0201"))
    t.play(go(t, "0102"))
    t.play(go(t, "0103"))
    assert t.unit(0).spent == 4
    t.play(go(t, "0202", unit=1))
    assert t.refusal(go(t, "0104")).rule == "P44-12.02"


@pytest.mark.rule("P44-12.01")
def test_a_move_is_told_hex_by_hex_with_what_it_has_cost() -> None:
    t = on_the_move(".\n.\nW", unit("g_pz4h", "0101"))
    t.play(go(t, "0102", "0103"))
    assert [(event.hex, event.spent) for event in t.happened(Moved)] == [(t.hex("0102"), 2), (t.hex("0103"), 8)]
    assert t.at(0) == "0103"


@pytest.mark.rule("P44-4.02")
@pytest.mark.rule("P44-4.07")
def test_who_drives_at_an_enemy_he_did_not_see_stops_before_him() -> None:
    t = on_the_move(
        "...\n.W.\n...\n...",
        unit("g_pz4h", "0204"),
        unit("u_rifle", "0201", disruption=1),
        options={"fog": True},
    )
    t.play(go(t, "0203", "0202", "0201"))
    assert [event.hex for event in t.happened(Barred)] == [t.hex("0201")]
    assert t.at(0) == "0202"


# --- leaving the map ------------------------------------------------------------------------------------------------

WEST = {"exits": (Exit("german", ("0101",)),)}


@pytest.mark.rule("P44-12.07")
def test_units_leave_the_map_only_where_the_scenario_says_so() -> None:
    t = on_the_move(open_ground(4, 2), unit("g_pz4h", "0301"), sections=WEST)
    assert t.refusal(LeaveMap(U(0), t.hexes("0302"))).rule == "P44-12.07"
    assert t.refusal(LeaveMap(U(0), t.hexes("0101"))).rule == "P44-12.01"
    t.play(LeaveMap(U(0), t.hexes("0201", "0101")))
    assert (t.unit(0).fate, t.at(0)) == (EXITED, "")
    assert [event.hex for event in t.happened(LeftMap)] == [t.hex("0101")]


@pytest.mark.rule("P44-12.07")
@pytest.mark.rule("P44-12.01")
def test_leaving_the_map_takes_a_point() -> None:
    t = on_the_move(open_ground(4, 1), unit("g_gren", "0201"), unit("g_gren", "0101"), sections=WEST)
    assert t.refusal(LeaveMap(U(0), t.hexes("0101"))).rule == "P44-12.01"
    t.play(LeaveMap(U(1)))
    assert t.unit(1).fate == EXITED


def test_a_random_move_is_one_of_those_in_reach_and_none_where_there_is_none() -> None:
    t = on_the_move(open_ground(1, 3), unit("u_rifle", "0101"), unit("g_gren", "0103"))
    order = pick_move(t.position, t.unit(0).side, t.unit(0), PromptDice("any"))
    assert order is not None
    assert t.check(order) is None
    assert pick_move(t.position, t.unit(0).side, t.unit(1), PromptDice("any")) is None
    boxed = on_the_move(".", unit("u_rifle", "0101"))
    assert pick_move(boxed.position, boxed.unit(0).side, boxed.unit(0), PromptDice("any")) is None
