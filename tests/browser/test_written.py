"""What a side has written down: listed beside the map, drawn on it, said in words, and struck out again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.table import Table
from tests.browser.test_closing import end, sit, write_mission

pytestmark = pytest.mark.thorough

TARGET, BETWEEN = "0909", "0508"
"""Where the mortar of 0106 is to fire, and a hex that the arrow passes over."""


def lines(table: Table) -> Locator:
    """What stands in the notes, line by line."""
    return table.part("written").locator("[data-written]")


def write(table: Table, place: str = TARGET) -> None:
    """A mission of the mortar stands in the notes."""
    write_mission(table, place)
    table.part("confirm").click()
    expect(lines(table)).to_have_count(1)


def test_a_written_mission_is_listed_drawn_and_said(cinema: Table) -> None:
    sit(cinema, "written")
    expect(cinema.part("written")).to_have_count(0)
    plain = cinema.look(BETWEEN)
    write(cinema)
    expect(lines(cinema)).to_contain_text(re.compile(f"Indirect fire of 81mm mortar.* on {TARGET}"))
    expect(lines(cinema)).to_contain_text("Comes down in your segment of turn 2.")
    cinema.press("Escape", "Escape")
    cinema.expect_change(BETWEEN, plain)
    cinema.click(TARGET)
    cinema.expect_said("written down for here: indirect fire of 81mm mortar")
    cinema.click("0106")
    cinema.expect_said("written down: indirect fire of 81mm mortar")


def test_a_line_leads_to_where_it_comes_down_and_chooses_who_fires(cinema: Table) -> None:
    sit(cinema, "jump")
    write(cinema)
    cinema.click("0307")
    lines(cinema).click()
    expect(cinema.part("hex-id")).to_have_text(TARGET)
    expect(cinema.part("unit-panel")).to_contain_text("81mm mortar")
    expect(cinema.part("map")).to_be_focused()


def test_what_is_written_is_struck_out_by_its_button(cinema: Table) -> None:
    sit(cinema, "button")
    write(cinema)
    cinema.part("written").get_by_role("button", name=re.compile("^Strike out")).click()
    expect(cinema.part("written")).to_have_count(0)
    expect(cinema.part("log")).to_contain_text("Mission struck out")
    cinema.expect_said("Struck out: Indirect fire of 81mm mortar")
    write(cinema)


def test_the_notes_are_read_and_struck_out_by_keys_alone(cinema: Table) -> None:
    sit(cinema, "keys")
    cinema.part("map").focus()
    cinema.press(";")
    cinema.expect_said("Nothing is written down.")
    write(cinema)
    cinema.part("map").focus()
    cinema.press(";")
    expect(cinema.part("written")).to_have_count(0)
    cinema.press(";")
    expect(lines(cinema)).to_be_focused()
    cinema.press("Delete")
    expect(cinema.part("written")).to_have_count(0)
    expect(cinema.part("map")).to_be_focused()
    write(cinema)
    cinema.part("map").focus()
    cinema.press("Delete")
    expect(cinema.part("written")).to_have_count(0)


def test_the_notes_are_found_by_their_names(cinema: Table) -> None:
    sit(cinema, "find")
    write(cinema)
    cinema.press("Control+k")
    cinema.page.keyboard.type("written mortar")
    cinema.press("Enter")
    expect(cinema.part("hex-id")).to_have_text(TARGET)


def test_what_the_batteries_have_been_told_stays_and_the_rule_says_why(cinema: Table) -> None:
    sit(cinema, "stays", german="greedy")
    write(cinema)
    for step in ("indirect orders", "direct fire", "vehicle movement", "foot movement"):
        end(cinema, step)
    cinema.expect_step("indirect orders")
    expect(lines(cinema)).to_have_count(1)
    expect(cinema.part("written").get_by_role("button", name=re.compile("^Strike out"))).to_have_count(0)
    lines(cinema).focus()
    cinema.press("Delete")
    expect(cinema.part("notice")).to_contain_text("hold when it is due")
    expect(cinema.part("notice").get_by_role("button", name="PL-1104")).to_be_visible()
    expect(lines(cinema)).to_have_count(1)
    end(cinema, "indirect orders")
    end(cinema, "indirect fire")
    expect(cinema.part("written")).to_have_count(0)


def test_the_other_side_reads_nothing_of_it(cinema: Table, second_cinema: Table) -> None:
    keys = cinema.found("pl-column", "secret", allied="human", german="human")
    cinema.join(keys, "allied")
    second_cinema.join(keys, "german")
    cinema.expect_step("indirect orders")
    before = second_cinema.look(BETWEEN)
    write(cinema)
    expect(second_cinema.part("prompt")).to_contain_text("Waiting for")
    expect(second_cinema.page.locator("body")).not_to_contain_text("ritten down")
    expect(second_cinema.part("log")).not_to_contain_text("Mission")
    assert second_cinema.look(BETWEEN) == before
