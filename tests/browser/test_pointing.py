"""What a click means: who is picked, what is planned, what is confirmed, and why it can't be done there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table
from tests.browser.wire import Wire

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "human"}


def to_step(table: Table, step: str, seed: str = "pointing") -> None:
    """The column stands at that step; the pictures move."""
    table.join(table.found("pl-column", seed, **SEATS), "allied")
    for past in ("indirect orders", "direct fire", "vehicle movement"):
        if past == step:
            break
        table.expect_step(past)
        table.part("verb-end").click()
    table.expect_step(step)


def picked(table: Table) -> str:
    """The name of the one unit that is picked."""
    chosen = table.part("unit-panel").locator("[aria-pressed=true]")
    expect(chosen).to_have_count(1)
    return chosen.locator("b").first.inner_text()


def drive(table: Table, start: str, goal: str) -> None:
    """A unit goes there, confirmed by a second click at the goal."""
    table.click(start)
    expect(table.part("verb-move")).to_be_visible()
    table.click(goal)
    expect(table.part("preview")).to_be_visible()
    table.click(goal)
    expect(table.part("log")).to_contain_text(f"moves to {goal}")


def test_a_click_picks_the_carrier_and_not_its_rider(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    cinema.click("0306")
    assert "M3 halftrack" in picked(cinema)
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")


def test_a_click_picks_whoever_of_the_stack_can_still_act(cinema: Table) -> None:
    to_step(cinema, "direct fire")
    cinema.click("0408")
    first = picked(cinema)
    cinema.click("0906")
    expect(cinema.part("confirm")).to_be_enabled()
    cinema.press("Enter")
    expect(cinema.part("log")).to_contain_text(re.compile("fires? at"))
    cinema.click("0306")
    expect(cinema.part("unit-panel").locator("[aria-pressed=true] b").first).to_contain_text("halftrack")
    cinema.click("0408")
    expect(cinema.part("unit-panel").locator("[aria-pressed=true] b").first).to_contain_text("Sherman")
    assert picked(cinema) != first
    expect(cinema.part("verb-fire")).to_have_attribute("aria-pressed", "true")


def test_a_click_out_of_reach_keeps_the_selection_and_says_why(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    cinema.click("0306")
    who = picked(cinema)
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")
    cinema.click("1301")
    expect(cinema.part("notice")).to_be_visible()
    expect(cinema.part("notice").get_by_role("button", name=re.compile("PL-"))).to_be_visible()
    assert picked(cinema) == who
    # and the next click there and then aims
    cinema.click("0507")
    expect(cinema.part("preview")).to_contain_text("0507")
    expect(cinema.part("notice")).to_have_count(0)


def test_resting_on_a_hex_out_of_reach_says_why_aloud(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    cinema.click("0306")
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")
    cinema.hover("1301")
    expect(cinema.part("why-not")).to_contain_text("Move 1301?")
    cinema.expect_said("Move 1301?")
    # an enemy has a reason of his own
    cinema.hover("0906")
    expect(cinema.part("why-not")).to_contain_text("Move 0906?")
    expect(cinema.part("why-not")).to_contain_text("enem")


def test_a_right_click_names_the_reason_for_that_very_hex(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    cinema.click("0306")
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")
    cinema.page.mouse.click(*cinema.point("0906"), button="right")
    expect(cinema.part("why-move")).to_contain_text("enem")
    expect(cinema.part("why-move")).to_contain_text("PL-")


def test_shift_and_click_moves_in_beside_a_friend(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    cinema.click("0306")
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")
    cinema.page.keyboard.down("Shift")
    cinema.click("0307")
    cinema.page.keyboard.up("Shift")
    expect(cinema.part("context").get_by_role("menuitem", name="Select as well")).to_be_visible()
    cinema.part("context").get_by_role("menuitem", name="Move").first.click()
    expect(cinema.part("preview")).to_contain_text("to 0307")
    # the planned hex confirms, friend or no friend
    cinema.click("0307")
    expect(cinema.part("log")).to_contain_text("moves to 0307")


def test_shift_and_click_takes_a_friend_in_reach_into_the_selection_when_the_menu_is_told_so(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    cinema.click("0306")
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")
    chosen = cinema.part("unit-panel").locator("[aria-pressed=true]")
    expect(chosen).to_have_count(1)
    cinema.page.keyboard.down("Shift")
    cinema.click("0307")
    cinema.page.keyboard.up("Shift")
    cinema.part("context").get_by_role("menuitem", name="Select as well").click()
    expect(cinema.part("context")).to_have_count(0)
    expect(chosen).to_have_count(2)


def test_a_second_click_confirms_even_when_it_comes_before_the_odds(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    drive(cinema, "0306", "0407")


def test_keys_and_clicks_count_in_the_order_in_which_they_come(bench: Table) -> None:
    """The menu of the tank is still on its way when the hand that chose it goes on."""
    wire = Wire(bench)
    bench.begin("pl-contact", "in order", allied="human", german="greedy")
    bench.sit_down()
    bench.expect_step("direct fire")
    wire.keeps_back = "MenuAnswer"
    bench.click("0507")
    expect(bench.part("hex-id")).to_have_text("0507")
    bench.press("f")
    bench.click("0808")
    bench.press("ArrowDown")
    wire.give_back()
    expect(bench.part("hex-id")).to_have_text("0809")
    expect(bench.part("verb-fire")).to_have_attribute("aria-pressed", "true")
    expect(bench.part("preview")).to_contain_text("Fire at SdKfz 251")


def test_a_verb_and_a_tool_never_share_a_key(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    drive(cinema, "0307", "0407")
    cinema.click("0306")
    expect(cinema.part("undo")).to_contain_text("Ctrl+Z")
    key = cinema.part("verb-unload").locator("kbd").inner_text()
    shown = cinema.page.locator("button:not([data-testid=verb-unload]) kbd").all_inner_texts()
    assert key not in shown
    assert f"Shift+{key}" in shown, "the tool that has the letter elsewhere"
    cinema.press(key.lower())
    expect(cinema.part("preview")).to_contain_text(re.compile("unload", re.IGNORECASE))
    cinema.press("Enter")
    expect(cinema.part("log")).to_contain_text(re.compile("unload|sets down|dismount", re.IGNORECASE))


def test_enter_is_promised_only_where_it_confirms(cinema: Table) -> None:
    to_step(cinema, "vehicle movement")
    cinema.click("0306")
    cinema.click("0407")
    expect(cinema.part("confirm")).to_contain_text("Enter")
    cinema.part("map").focus()
    cinema.press("ArrowUp")
    expect(cinema.part("confirm")).not_to_contain_text("Enter")
    cinema.press("Enter")
    expect(cinema.part("preview")).to_contain_text("to 0406")
    expect(cinema.part("log")).not_to_contain_text("moves to")


@pytest.mark.thorough
def test_set_up_begins_with_the_opponent_of_play_and_remembers_another(cinema: Table) -> None:
    cinema.open_lobby()
    cinema.part("scenario-pl-contact").get_by_role("button", name="Set up").click()
    expect(cinema.part("seat-german")).to_have_value("greedy")
    cinema.part("seat-german").select_option("random")
    cinema.part("begin").click()
    cinema.sit_down()
    cinema.open_lobby()
    cinema.part("scenario-pl-contact").get_by_role("button", name="Set up").click()
    expect(cinema.part("seat-german")).to_have_value("random")


def test_who_can_do_nothing_is_told_why_at_the_hex_he_points_at(cinema: Table) -> None:
    to_step(cinema, "direct fire", "nothing")
    cinema.click("0306")
    expect(cinema.part("verb-fire")).to_have_attribute("aria-disabled", "true")
    cinema.click("0906")
    expect(cinema.part("notice")).to_contain_text("PL-")
    expect(cinema.part("notice")).not_to_contain_text("nobody it could harm")


def test_after_a_verb_is_clicked_the_keys_go_to_the_map(cinema: Table) -> None:
    to_step(cinema, "vehicle movement", "focus")
    cinema.click("0408")
    cinema.part("verb-move").click()
    expect(cinema.part("map")).to_be_focused()
    cinema.press("Shift+ArrowRight")
    cinema.expect_said("Move")
