"""Several units at one order, as a player sees it: nobody is left behind without a word."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "human"}


def to_the_drive(table: Table, seed: str, *options: str) -> dict[str, str]:
    """The allied vehicles are about to move; the pictures move too."""
    keys = table.found("pl-column", seed, *options, **SEATS)
    table.join(keys, "allied")
    for step in ("indirect orders", "direct fire"):
        table.expect_step(step)
        table.part("verb-end").click()
    table.expect_step("vehicle movement")
    return keys


def places(table: Table) -> list[str]:
    """The hexes of all counters."""
    return sorted(one["hex"] for one in table.page.evaluate("() => window.sandtable.counters()"))


def send_both(table: Table, goal: str) -> None:
    """The two tanks of a stack are told to go there."""
    table.double_click("0408")
    table.click(goal)
    expect(table.part("confirm")).to_contain_text("Move all 2")
    table.part("confirm").click()


def test_a_stack_moves_with_one_order_and_says_how_many_arrived(cinema: Table) -> None:
    to_the_drive(cinema, "group")
    send_both(cinema, "0607")
    cinema.expect_said("2 of 2 arrived in 0607")
    expect(cinema.part("notice")).to_have_count(0)
    expect(cinema.part("log").get_by_text(re.compile("Sherman.* moves to 0607"))).to_have_count(2)
    assert places(cinema).count("0607") == 2


def test_a_stack_is_one_line_of_the_menu_and_all_who_go_are_named(cinema: Table) -> None:
    to_the_drive(cinema, "menu")
    cinema.double_click("0408")
    expect(cinema.part("verb-move")).to_be_visible()
    cinema.page.mouse.click(*cinema.point("0607"), button="right")
    moves = cinema.part("context").get_by_role("menuitem", name="Move")
    expect(moves).to_have_count(1)
    expect(moves).to_contain_text("Move all 2")
    moves.click()
    expect(cinema.part("party")).to_contain_text(re.compile(r"Sherman #\d+, M4/75 Sherman #\d+"))
    expect(cinema.part("preview").locator("h3")).to_contain_text(re.compile(r"Move \d units to"))
    # the key of a verb that can't be used says why, and is no tool's
    expect(cinema.part("verb-load")).to_have_attribute("aria-disabled", "true")
    cinema.press("l")
    expect(cinema.part("notice")).to_contain_text("PL-6")
    expect(cinema.part("sight")).to_have_count(0)


def test_who_finds_no_room_stays_selected_and_the_rule_is_named(cinema: Table) -> None:
    to_the_drive(cinema, "room")
    # three halftracks leave room for one of the two
    for number, start in enumerate(("0306", "0307", "0207"), 1):
        cinema.click(start)
        expect(cinema.part("verb-move")).to_be_visible()
        cinema.page.mouse.click(*cinema.point("0607"), button="right")
        cinema.part("context").get_by_role("menuitem", name="Move").first.click()
        cinema.part("confirm").click()
        expect(cinema.part("log").get_by_text("moves to 0607")).to_have_count(number)
    cinema.double_click("0408")
    cinema.press("m")
    cinema.click("0607")
    expect(cinema.part("confirm")).to_contain_text("Move all 2")
    cinema.part("confirm").click()
    expect(cinema.part("notice")).to_contain_text(re.compile(r"1 of 2 arrived in 0607. Not there: M4/75 Sherman #\d"))
    expect(cinema.part("notice").get_by_role("button", name="PL-401")).to_be_visible()
    expect(cinema.part("unit-panel").locator("[aria-pressed=true]")).to_have_count(1)
    assert places(cinema).count("0408") == 1


def test_a_column_waits_for_the_reactions_of_the_other_side(cinema: Table, second_bench: Table) -> None:
    keys = to_the_drive(cinema, "passed", "opportunity_fire")
    second_bench.join(keys, "german")
    send_both(cinema, "0707")
    for _ in range(2):
        expect(cinema.part("column")).to_contain_text("The other side may react first")
        second_bench.part("verb-pass").click()
    cinema.expect_said("2 of 2 arrived in 0707")


def test_a_column_that_is_shot_at_stops_and_says_who_did_not_go(cinema: Table, second_bench: Table) -> None:
    keys = to_the_drive(cinema, "shot", "opportunity_fire")
    second_bench.join(keys, "german")
    send_both(cinema, "0807")
    second_bench.part("verb-opportunity").click()
    expect(second_bench.part("confirm")).to_be_enabled()
    second_bench.part("confirm").click()
    expect(cinema.part("notice")).to_contain_text(re.compile(r"0 of 2 arrived in 0807. Not there: .*Sherman #\d.*"))
    expect(cinema.part("column")).to_have_count(0)


def test_escape_stops_a_column(cinema: Table, second_bench: Table) -> None:
    keys = to_the_drive(cinema, "stop", "opportunity_fire")
    second_bench.join(keys, "german")
    send_both(cinema, "0707")
    expect(cinema.part("column")).to_contain_text("The other side may react first")
    cinema.press("Escape")
    expect(cinema.part("notice")).to_contain_text("You stopped the others")
    expect(cinema.part("notice")).to_contain_text("1 of 2 arrived in 0707")
