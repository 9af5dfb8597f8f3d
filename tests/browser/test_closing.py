"""Before a step ends the player is told what that loses and who could still act; nothing goes without a word."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "human"}


def sit(table: Table, seed: str, *options: str, german: str = "human") -> None:
    """We lead the column; the pictures move."""
    table.join(table.found("pl-column", seed, *options, allied="human", german=german), "allied")
    table.expect_step("indirect orders")


def end(table: Table, step: str) -> None:
    """The step ends, whatever could still be done in it."""
    table.expect_step(step)
    table.press("Control+Enter")
    past = f"[data-testid=step]:not(:text-is('{step.capitalize()}'))"
    table.page.locator(f"[data-testid=checklist], {past}").first.wait_for(timeout=WAIT)
    if table.part("checklist").count():
        table.press("Control+Enter")


def test_ending_a_step_lists_who_could_still_act_and_leads_there(novice: Table) -> None:
    sit(novice, "list")
    end(novice, "indirect orders")
    novice.expect_step("direct fire")
    novice.part("verb-end").click()
    lines = novice.part("checklist").locator("[data-reminder]")
    expect(lines.filter(has_text="Sherman")).to_have_count(2)
    expect(novice.part("checklist").get_by_role("button", name=re.compile("^PL-")).first).to_be_visible()
    novice.expect_said("can still fire")
    lines.filter(has_text="Sherman").first.click()
    expect(novice.part("checklist")).to_have_count(0)
    expect(novice.part("hex-id")).to_have_text("0408")
    expect(novice.part("verb-fire")).to_have_attribute("aria-pressed", "true")
    novice.expect_step("direct fire")


def test_the_list_is_walked_left_and_confirmed_by_keys(novice: Table) -> None:
    sit(novice, "keys")
    end(novice, "indirect orders")
    novice.expect_step("direct fire")
    novice.part("map").focus()
    novice.press("Control+Enter")
    expect(novice.part("checklist").locator("[data-reminder]").first).to_be_focused()
    novice.press("ArrowDown", "Enter")
    expect(novice.part("unit-panel").locator("[aria-pressed=true]")).to_have_count(1)
    novice.press("Control+Enter")
    expect(novice.part("checklist")).to_be_visible()
    novice.press("Escape")
    expect(novice.part("checklist")).to_have_count(0)
    novice.expect_step("direct fire")
    novice.press("Control+Enter")
    expect(novice.part("checklist")).to_be_visible()
    novice.press("Control+Enter")
    novice.expect_step("vehicle movement")


def test_the_list_can_be_switched_off(novice: Table) -> None:
    sit(novice, "off")
    novice.press(",")
    novice.part("settings").get_by_label("Before a phase ends").uncheck()
    novice.press("Escape")
    novice.press("Control+Enter")
    novice.expect_step("direct fire")
    novice.press("Control+Enter")
    novice.expect_step("vehicle movement")


def test_what_would_be_lost_is_asked_even_then(cinema: Table) -> None:
    cinema.join(cinema.found("pl-column", "lost", "naval_fire", **SEATS), "allied")
    cinema.expect_step("indirect orders")
    cinema.press("Control+Enter")
    cinema.expect_step("direct fire")
    cinema.press("Control+Enter")
    expect(cinema.part("checklist")).to_contain_text("This would be lost")
    expect(cinema.part("checklist")).to_contain_text("naval points")
    expect(cinema.part("checklist")).not_to_contain_text("Sherman")
    cinema.part("end-anyway").click()
    cinema.expect_step("vehicle movement")


def write_mission(table: Table, place: str) -> None:
    """The mortar is ordered to shell a hex."""
    table.click("0106")
    expect(table.part("verb-mission")).to_have_attribute("aria-pressed", "true")
    table.click(place)
    expect(table.part("confirm")).to_be_enabled()


def test_a_written_barrage_tells_its_dice_and_is_never_thrown_away(novice: Table) -> None:
    sit(novice, "barrage", german="greedy")
    write_mission(novice, "0909")
    expect(novice.part("preview")).not_to_contain_text("it happens as ordered")
    expect(novice.part("later")).to_contain_text("comes down on 0909")
    novice.part("confirm").click()
    expect(novice.part("log")).to_contain_text("Mission written")
    for step in ("indirect orders", "direct fire", "vehicle movement", "foot movement", "indirect orders"):
        end(novice, step)
    novice.expect_step("indirect fire")
    novice.part("verb-end").click()
    expect(novice.part("checklist")).to_contain_text("on 0909 comes down as the step ends")
    expect(novice.part("checklist")).not_to_contain_text("Still to do")
    novice.expect_whole("checklist")
    novice.part("end-anyway").click()
    expect(novice.part("log")).to_contain_text(re.compile("81mm mortar.* (on|at|fire).*0909"))


def plan_a_drive(table: Table, *options: str) -> None:
    """A halftrack is about to go one hex."""
    sit(table, "drive", *options)
    for step in ("indirect orders", "direct fire"):
        end(table, step)
    table.expect_step("vehicle movement")
    table.click("0307")
    table.click("0407")
    expect(table.part("confirm")).to_be_enabled()


def test_certain_is_said_of_what_is_certain(cinema: Table) -> None:
    plan_a_drive(cinema)
    expect(cinema.part("odds")).to_have_text("No dice: it happens as ordered.")


def test_under_fog_odds_hold_as_far_as_one_knows(cinema: Table) -> None:
    plan_a_drive(cinema, "fog")
    expect(cinema.part("as-known")).to_contain_text("As far as you know")
    cinema.expect_said("As far as you know")


def test_an_overrun_shows_where_it_leads_and_a_click_there_chooses(cinema: Table) -> None:
    sit(cinema, "overrun")
    for step in ("indirect orders", "direct fire"):
        end(cinema, step)
    cinema.expect_step("vehicle movement")
    cinema.click("0408")
    cinema.part("verb-overrun").click()
    expect(cinema.part("preview")).to_contain_text("Overrun 0906")
    chosen = cinema.part("preview").locator("label.on")
    plain = cinema.look("1006")
    cinema.click("1006")
    expect(chosen).to_contain_text("out to 1006")
    cinema.expect_change("1006", plain)
    cinema.click("1006")
    expect(cinema.part("log")).to_contain_text(re.compile("overrun", re.IGNORECASE))


def test_the_map_says_the_same_odds_as_the_panel(cinema: Table) -> None:
    sit(cinema, "odds")
    end(cinema, "indirect orders")
    cinema.expect_step("direct fire")
    cinema.double_click("0408")
    expect(cinema.part("verb-fire")).to_have_attribute("aria-pressed", "true")
    cinema.hover("0906")
    expect(cinema.page.get_by_text("Fire: 2-1", exact=False).first).to_be_visible()
    cinema.click("0906")
    expect(cinema.part("preview").locator("label.on")).to_contain_text("2-1 with both")
    expect(cinema.part("preview").get_by_role("radio")).to_have_count(3)
