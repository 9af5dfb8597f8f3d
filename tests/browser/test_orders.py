"""Orders that are refused, orders that are looked at first, and a line that breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.serving import Serving
from tests.browser.table import WAIT, Table

SEATS = {"allied": "human", "german": "greedy"}


def test_a_greyed_verb_says_why_and_leads_to_the_rule(table: Table) -> None:
    table.begin("pl-first-platoon", "refusal", **SEATS)
    table.sit_down()
    table.click("0407")
    expect(table.part("refusal")).to_contain_text("Vehicles move first")
    table.part("refusal").get_by_role("button", name="PL-507").click()
    rule = table.part("rules").locator("[data-rule='PL-507']")
    expect(rule).to_be_in_viewport()
    expect(rule).to_be_focused()


@pytest.mark.thorough
def test_every_line_of_a_preview_cites_a_rule_one_click_away(table: Table) -> None:
    table.begin("pl-first-platoon", "preview", **SEATS)
    table.sit_down()
    table.click("0309")
    table.click("0507")
    lines = table.part("preview").locator("tbody tr")
    expect(lines.first).to_be_visible()
    for line in lines.all():
        expect(line.get_by_role("button")).to_have_text("PL-209")
    lines.first.get_by_role("button").click()
    expect(table.part("rules")).to_contain_text("PL-209")


def test_a_move_that_told_nothing_new_is_taken_back(table: Table) -> None:
    table.begin("pl-first-platoon", "undo", **SEATS)
    table.sit_down()
    expect(table.part("undo")).to_be_disabled()
    table.click("0309")
    table.click("0408")
    table.part("confirm").click()
    table.part("undo").click()
    expect(table.part("log")).to_contain_text("took an order back")
    table.click("0309")
    expect(table.part("unit-panel")).to_contain_text("Sherman")


@pytest.mark.thorough
def test_right_click_names_what_can_be_done_there(table: Table) -> None:
    table.begin("pl-first-platoon", "context", **SEATS)
    table.sit_down()
    table.click("0309")
    expect(table.part("verb-move")).to_be_visible()
    table.page.mouse.click(*table.point("0507"), button="right")
    table.part("context").get_by_role("menuitem", name="Move").first.click()
    expect(table.part("preview")).to_contain_text("0507")


@pytest.mark.thorough
def test_waypoints_lead_the_way_and_the_rules_judge_it(table: Table) -> None:
    table.begin("pl-first-platoon", "waypoints", **SEATS)
    table.sit_down()
    table.click("0309")
    expect(table.part("verb-move")).to_be_visible()
    table.page.keyboard.down("Shift")
    table.click("0409")
    table.page.keyboard.up("Shift")
    table.click("0608")
    expect(table.part("preview")).to_contain_text("0409")
    table.part("confirm").click()
    expect(table.part("log")).to_contain_text("moves to 0608")


def test_a_dragged_unit_is_planned_along_the_cheapest_way(table: Table) -> None:
    table.begin("pl-first-platoon", "drag", **SEATS)
    table.sit_down()
    table.click("0309")
    expect(table.part("verb-move")).to_be_visible()
    table.hover("0309")
    table.page.mouse.down()
    for label in ("0409", "0508", "0507"):
        table.hover(label)
    table.page.mouse.up()
    expect(table.part("preview")).to_contain_text("to 0507")


@pytest.mark.thorough
def test_the_table_remembers_light_and_dark(table: Table) -> None:
    table.open_lobby()
    table.page.get_by_role("button", name="Dark theme").click()
    table.page.reload()
    expect(table.page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.fixture
def own_server(client: None, tmp_path: Path) -> Serving:
    return Serving(tmp_path)


def test_an_order_given_while_the_server_is_down_is_not_lost(table: Table, own_server: Serving) -> None:
    table.forgive("WebSocket connection")
    table.forgive(own_server.url)
    own_server.start()
    try:
        table.url = own_server.url
        table.begin("pl-first-platoon", "reconnect", **SEATS)
        table.sit_down()
        table.click("0309")
        table.click("0507")
        expect(table.part("confirm")).to_be_enabled()
        own_server.stop()
        expect(table.part("line")).to_contain_text("nothing you ordered is lost")
        table.part("confirm").click()
        own_server.start()
        expect(table.part("line")).to_have_count(0, timeout=WAIT)
        expect(table.part("log").get_by_text("moves to 0507")).to_have_count(1, timeout=WAIT)
    finally:
        own_server.stop()


def test_a_way_that_is_too_long_is_refused_with_its_rule(table: Table) -> None:
    table.begin("pl-first-platoon", "too far", **SEATS)
    table.sit_down()
    table.click("0309")
    expect(table.part("verb-move")).to_be_visible()
    table.page.keyboard.down("Shift")
    table.click("0810")
    table.page.keyboard.up("Shift")
    table.click("0106")
    expect(table.part("preview")).to_contain_text("Not lawful")
    expect(table.part("preview").get_by_role("button", name="PL-")).to_be_visible()
    expect(table.part("confirm")).to_be_disabled()


@pytest.mark.thorough
def test_what_is_not_possible_is_folded_so_that_the_chosen_unit_is_seen(table: Table) -> None:
    table.page.set_viewport_size({"width": 1366, "height": 800})
    table.begin("pb-saint-aubert", "fold", allied="human", axis="greedy")
    table.sit_down()
    table.click("1525")
    chosen = table.part("unit-panel").locator("[aria-pressed=true]")
    expect(chosen).to_contain_text("Engineer company")
    expect(chosen.get_by_text("hard 4")).to_be_in_viewport(ratio=1)
    dig_in = table.part("orders").get_by_role("button", name="Dig In")
    expect(dig_in).to_have_count(0)
    table.part("greyed").click()
    dig_in.press("Enter")
    expect(table.part("refusal")).to_contain_text("Dig In:")
    expect(table.part("refusal").get_by_role("button", name="PB-")).to_be_visible()
    table.part("greyed").click()
    expect(table.part("refusal")).to_have_count(0)
    table.press("Shift+M")
    expect(table.part("orders").locator("[aria-disabled=true]").first).to_be_focused()
    table.press("Shift+M")
    expect(dig_in).to_have_count(0)
