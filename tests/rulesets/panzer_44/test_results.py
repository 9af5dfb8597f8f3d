"""What attacks do, where it is seldom seen."""

from __future__ import annotations

import pytest

from sandtable.content import find_hex
from sandtable.kernel.ids import RuleId
from sandtable.rulesets.panzer_44 import events as e
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44 import panic, plotting, shelling
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, SIDES, Work
from sandtable.rulesets.panzer_44.results import attack, inflict
from sandtable.rulesets.panzer_44.scenario import Group, area_hexes
from tests.rulesets.panzer_44.table import RULES, U, on_the_move, open_ground, table, unit


@pytest.mark.rule("P44-8.10")
def test_an_attack_below_the_table_is_skipped_without_a_roll_and_promises_nothing() -> None:
    t = table(open_ground(2, 2), unit("g_pzgren", "0101"))
    odds = shelling.shell_odds(t.position, 1, "loose", t.unit(0))
    assert (odds.net, odds.is_allowed) == (-5, False)
    assert odds.chances == {"-": 1}
    assert t.run(attack, "shells", U(0), odds, "P44-11.06") == ()


@pytest.mark.rule("P44-10.04")
def test_engineers_that_are_destroyed_leave_their_work() -> None:
    t = table(open_ground(2, 2), unit("u_eng", "0101"), works=(Work(U(0), "dig", 6, 2),))
    t.run(inflict, U(0), "D4")
    assert t.position.works == ()


@pytest.mark.rule("P44-12.05")
def test_an_overrun_that_ends_in_mines_is_over_all_the_same() -> None:
    t = on_the_move(open_ground(4, 2), unit("u_m4", "0101"), unit("g_81", "0201"), mines={"0201": "hasty"})
    t.play(o.Overrun(U(0), t.hex("0201")), dice=[6, 1])
    assert t.unit(0).pinned
    assert len(t.happened(e.MoveSpent)) == 1
    assert t.check(o.Move(U(0), t.hexes("0301"))) is not None


@pytest.mark.rule("P44-6.03")
def test_no_digits_are_drawn_for_a_group_of_which_nobody_is_left() -> None:
    sections = {"groups": (Group("raw", "Raw", "german", 4),)}
    t = table(open_ground(2, 2), unit("g_gren", "0101"), sections=sections)
    assert t.run(panic.determine) == ()


@pytest.mark.rule("P44-11.01")
def test_a_mortar_is_not_offered_what_is_out_of_its_range() -> None:
    t = table(open_ground(16, 2), unit("b_3in", "0101"), unit("g_gren", "1601"), unit("g_gren", "0801"))
    offered = {order.hex for order in plotting.indirect_options(t.position, ALLIED, t.unit(0))}
    assert offered == {t.hex("0801")}


@pytest.mark.rule("P44-4.07")
def test_what_shells_do_to_a_unit_out_of_sight_is_not_told_to_who_fired_them() -> None:
    t = table(
        "...W..", unit("u_m4", "0101"), unit("g_gren", "0601"), options={"fog": True}, step="second indirect fire"
    )
    event = e.AttackRolled("shells", U(1), 1, 0, 4, "D1", RuleId("P44-11.05"))
    told = {side: RULES.redact(event, t.position, t.position, side) for side in SIDES}
    assert told == {ALLIED: None, GERMAN: event}


def test_an_area_with_a_corner_off_the_board_has_a_hex_that_is_none() -> None:
    board = table(open_ground(2, 2)).board
    assert list(area_hexes(board, ["0101:0909"])) == [0]
    assert list(area_hexes(board, ["0101"])) == [find_hex(board, "0101")]


@pytest.mark.rule("P44-4.06")
def test_a_result_on_a_carrier_adds_to_what_its_passenger_bears_already() -> None:
    t = table(open_ground(2, 2), unit("u_m3", "0101"), unit("u_rifle", carrier=0, disruption=2))
    t.run(inflict, U(0), "D1")
    assert (t.unit(0).disruption, t.unit(1).disruption) == (1, 3)
    t.run(inflict, U(0), "D1")
    assert (t.unit(0).disruption, t.unit(1).fate) == (2, "lost")
    assert t.position.wrecks == ()
