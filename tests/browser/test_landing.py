"""A landing from the sea: what a player is told before men come ashore, and what he writes down for the ships."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "greedy"}
OPTIONS = ("fog", "opportunity_fire", "quick_time", "smoke", "turret_fire", "naval_fire")
"""More optional rules than the bar above a small screen has room for."""


def await_the_foot(table: Table) -> None:
    """It is the turn of the men on foot; the swimming tanks that do not land are given up."""
    come_to(table, "vehicle movement")
    table.click_end()
    table.part("end-anyway").click()
    table.expect_step("foot movement")


def arrive(table: Table, seed: str, *options: str) -> None:
    """The first wave lies off the beaches, on a screen of the commonest size."""
    table.page.set_viewport_size({"width": 1366, "height": 768})
    table.join(table.found("pl-bluff", seed, *options, **SEATS), "allied")
    table.expect_step("indirect orders")


def come_to(table: Table, step: str) -> None:
    """The steps before that one have been ended."""
    for _ in range(6):
        if re.match(f"^{step}$", table.part("step").inner_text(), re.IGNORECASE):
            return
        table.end_phase(table.click_end)
        expect(table.part("verb-end")).to_be_enabled(timeout=WAIT)
    raise AssertionError(f"the step does not come: {step}")


def test_a_landing_on_friends_says_beforehand_whom_it_disperses(cinema: Table) -> None:
    arrive(cinema, "crowded")
    await_the_foot(cinema)
    cinema.click("1105")
    cinema.click("1106")
    expect(cinema.part("odds")).to_contain_text("it happens as ordered")
    expect(cinema.part("surely")).to_have_count(0)
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("comes ashore in 1106.")
    cinema.click("1205")
    cinema.press("m")
    cinema.click("1106")
    expect(cinema.part("surely")).to_contain_text(re.compile(r"Commando platoon.*dispersed\.$"))
    expect(cinema.part("odds")).not_to_contain_text("it happens as ordered")
    expect(cinema.part("warning")).to_contain_text(
        re.compile("It lands on top of Engineer platoon.*all there are dispersed")
    )
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("on top of friends, which disperses all of them")


def test_who_waits_to_land_is_told_when_he_can_be_placed(cinema: Table) -> None:
    arrive(cinema, "waiting")
    come_to(cinema, "vehicle movement")
    waiting = cinema.part("waiting")
    expect(waiting).to_contain_text("Is placed at sea as your segment ends")
    waiting.get_by_role("button", name="Sherman Crab flail").first.click()
    expect(cinema.part("refusal")).to_contain_text("Place: Landing units are placed at sea as the segment ends.")
    expect(cinema.part("verb-move")).to_have_count(0)


def test_a_figure_out_of_bounds_is_corrected_and_shown_before_it_is_ordered(cinema: Table) -> None:
    arrive(cinema, "figures")
    cinema.click("1609")
    points = cinema.page.get_by_label("Points")
    points.fill("15")
    points.press("Enter")
    expect(cinema.part("notice")).to_contain_text("Points: 20 to 40, so it is 20 now.")
    expect(points).to_have_value("20")
    expect(cinema.part("preview")).to_contain_text("Naval fire of 20 on 1609")
    expect(cinema.part("log")).not_to_contain_text("Mission written")
    points.fill("7")
    cinema.part("confirm").click()
    expect(points).to_have_value("20")
    expect(cinema.part("log")).not_to_contain_text("Mission written")
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("Mission written: naval guns (20) on 1609, for turn 3.")


def test_many_optional_rules_leave_room_for_how_things_stand(cinema: Table) -> None:
    arrive(cinema, "options", *OPTIONS)
    words = cinema.part("standing").locator(".now")
    expect(words).to_be_visible()
    assert words.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")
    more = cinema.part("more-options")
    expect(more).to_have_text(re.compile(r"^\s*(\+\d|\d options)"))
    more.click()
    told = cinema.part("options-in-play")
    for title in ("Fog of war", "Opportunity fire", "Infantry quick-time", "Smoke", "Naval fire"):
        expect(told).to_contain_text(title)
    cinema.press("Escape")
    cinema.page.set_viewport_size({"width": 2200, "height": 900})
    expect(more).to_have_count(0)
    # on a telephone they are a number, and what can be pressed is on the screen
    cinema.page.set_viewport_size({"width": 390, "height": 844})
    expect(more).to_have_text(re.compile(r"^\s*6 options"))
    settings = cinema.part("tool-settings").bounding_box()
    assert settings is not None
    assert settings["x"] + settings["width"] <= 390


def test_what_the_pointer_rests_on_is_told_above_the_buttons_of_the_map(cinema: Table) -> None:
    arrive(cinema, "above")
    cinema.hover("2305")
    hint = cinema.part("hint")
    expect(hint).to_contain_text("attack")
    layers = "one => Number(getComputedStyle(one).zIndex)"
    buttons = cinema.page.get_by_role("toolbar", name="Map tools")
    assert hint.evaluate(layers) > buttons.evaluate(layers)


def test_fire_that_no_die_makes_good_is_no_danger(cinema: Table) -> None:
    arrive(cinema, "harmless", "fog", "opportunity_fire")
    await_the_foot(cinema)
    cinema.click("1205")
    cinema.hover("1106")
    expect(cinema.part("hint")).to_contain_text("Known enemies there: opportunity fire: 1-1")
    cinema.hover("1306")
    expect(cinema.part("hint")).to_contain_text("No known enemy can harm it there.")
    cinema.click("1306")
    expect(cinema.part("threats")).to_contain_text(
        re.compile(r"1 known enemy can attack Commando platoon #\d+ here, but no die")
    )
    expect(cinema.part("threats").locator("summary.danger")).to_have_count(0)
