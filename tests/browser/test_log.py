"""The battle log: a move is one line, what was taken back is struck through, and a reader finds what he looks for."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table
from tests.browser.test_steps import send

pytestmark = pytest.mark.thorough


def test_a_move_under_opportunity_fire_is_one_line_with_its_way(cinema: Table) -> None:
    cinema.set_up("pl-first-platoon", "log", "greedy", "Opportunity fire (PL-1601)")
    cinema.sit_down()
    cinema.end_guide()
    cinema.expect_step("vehicle movement")
    send(cinema, "0309", "0506")
    lines = cinema.part("log").locator("li.move")
    expect(lines.filter(has_text="moves to 0506")).to_have_count(1, timeout=WAIT)
    expect(lines).to_have_count(1)
    expect(lines.first).to_contain_text(re.compile(r"0309 → 0506, \d hexes"))
    expect(cinema.part("options").get_by_role("button", name="Opportunity fire")).to_be_visible()
    cinema.part("options").get_by_role("button", name="Opportunity fire").click()
    expect(cinema.part("rules")).to_contain_text("PL-1601")


def test_what_was_taken_back_is_struck_through(cinema: Table) -> None:
    cinema.join(cinema.found("pl-first-platoon", "undo", allied="human", german="human"), "allied")
    cinema.end_guide()
    send(cinema, "0309", "0506")
    line = cinema.part("log").locator("li", has_text="moves to 0506")
    expect(line.locator("s")).to_have_count(0)
    expect(cinema.part("undo")).to_be_enabled()
    cinema.press("u")
    expect(line.locator("s")).to_have_text(re.compile("moves to 0506"))
    send(cinema, "0309", "0506")
    expect(line).to_have_count(2)
    expect(line.nth(1).locator("s")).to_have_count(0)


def test_the_log_is_filtered_by_unit_kind_and_turn_and_walked_by_keys(cinema: Table) -> None:
    cinema.join(cinema.found("pl-first-platoon", "filter", allied="human", german="human"), "allied")
    cinema.end_guide()
    send(cinema, "0309", "0506")
    send(cinema, "0210", "0507")
    lines = cinema.part("log").locator("[data-line]")
    expect(lines.filter(has_text="moves to")).to_have_count(2)
    cinema.part("filter-log").click()
    cinema.part("filter-kind").select_option("move")
    expect(lines).to_have_count(2)
    cinema.part("filter-turn").select_option("1")
    expect(lines).to_have_count(2)
    places = cinema.part("log").locator(".where")
    places.nth(0).focus()
    cinema.press("ArrowDown")
    expect(places.nth(1)).to_be_focused()
    cinema.press("Enter")
    expect(cinema.part("hex-id")).to_have_text("0507")
    cinema.part("filter-unit").select_option("chosen")
    cinema.click("0506")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text("moves to 0506")
    cinema.part("filter-kind").select_option("loss")
    expect(lines).to_have_count(0)


def test_the_newest_line_stays_in_sight_also_when_a_plan_takes_room_from_the_log(cinema: Table) -> None:
    cinema.join(cinema.found("pl-first-platoon", "foot", allied="human", german="human"), "allied")
    cinema.end_guide()
    for start, goal in (("0309", "0408"), ("0408", "0506"), ("0210", "0309"), ("0309", "0507")):
        send(cinema, start, goal)
        last = cinema.part("log").locator("li").last
        expect(last).to_contain_text(f"moves to {goal}")
        expect(last).to_be_in_viewport(ratio=0.9)


def test_a_turn_begins_in_the_log_with_its_heading(cinema: Table) -> None:
    cinema.begin("pl-first-platoon", "turns", allied="human", german="greedy")
    cinema.sit_down()
    cinema.end_guide()
    for _ in range(12):
        if "Turn 2" in cinema.part("log").inner_text():
            break
        cinema.await_decision()
        cinema.end_phase(cinema.click_end)
    expect(cinema.part("log").locator("[data-turn='Turn 2']")).to_have_text(re.compile("^Turn 2, Allied segment"))
    # the line says it itself: no label stands over it
    above = "heading => getComputedStyle(heading, '::before').content"
    assert cinema.part("log").locator("[data-turn='Turn 2']").evaluate(above) == "none"
