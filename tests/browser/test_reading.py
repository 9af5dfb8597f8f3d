"""Reading up on the battle: cards, the order of battle, marks on the map, reports, and the badges on counters."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "greedy"}


@pytest.fixture
def desk(cinema: Table) -> Table:
    """We sit at a battle in contact, with the fire phase before us, and things move."""
    cinema.begin("pl-contact", "reading", **SEATS)
    cinema.sit_down()
    cinema.expect_step("direct fire")
    return cinema


def test_the_card_of_a_chosen_unit_tells_its_values_with_their_rules(desk: Table) -> None:
    desk.click("0507")
    expect(desk.part("verb-fire")).to_be_visible()
    desk.press("d")
    card = desk.part("card")
    expect(card.get_by_role("heading", level=2)).to_contain_text("Sherman")
    desk.expect_said("Card of")
    rule = card.locator("table.tally .rule").first
    number = rule.inner_text()
    rule.click()
    expect(desk.part("rules")).to_contain_text(number)


SHERMAN = "attack 11 armor piercing, range 8, defense 9 armored, movement 8"
HALFTRACK = "attack 2 light weapons, range 2, defense 4 armored, movement 10"


def test_a_counter_says_in_words_what_is_printed_on_it(desk: Table) -> None:
    desk.click("0507")
    expect(desk.part("unit-panel")).to_contain_text(SHERMAN)
    desk.expect_said(SHERMAN)
    desk.press("d")
    card = desk.part("card")
    expect(card).to_contain_text(SHERMAN)
    meaning = card.get_by_role("row", name="Weapon: armor piercing; double against armor up to 4 hexes, full beyond")
    expect(meaning).to_contain_text("PL-808")
    desk.press("Escape", "Shift+O")
    expect(desk.part("forces").get_by_role("button", name="Sherman").first).to_contain_text(SHERMAN)
    expect(desk.part("forces").get_by_role("button", name="halftrack").first).to_contain_text(HALFTRACK)


def test_the_counters_under_the_pointer_speak(desk: Table) -> None:
    desk.hover("0606")
    expect(desk.part("hint")).to_contain_text("Rifle platoon")
    expect(desk.part("hint")).to_contain_text("Engineer platoon")
    desk.hover("0808")
    expect(desk.part("hint")).to_contain_text(HALFTRACK)
    desk.hover("0301")
    expect(desk.part("hint")).to_have_count(0)


def test_the_danger_of_a_hex_is_told_as_odds_against_the_chosen_unit(desk: Table) -> None:
    desk.click("0606")
    expect(desk.part("unit-panel").locator("[aria-pressed=true]")).to_contain_text("platoon")
    threats = desk.part("threats")
    expect(threats).to_contain_text(re.compile(r"3 known enemies can attack \w+ platoon #\d here: .*\d-\d.*\d+% "))
    desk.press("Shift+T")
    desk.expect_said("3 known enemies can attack")
    threats.locator("details summary").first.click()
    expect(threats.get_by_role("button", name="PL-831")).to_be_visible()
    desk.press("d")
    expect(desk.part("card")).to_contain_text("Known enemies can attack it")


def test_the_danger_of_a_planned_destination_is_told_under_the_pointer(desk: Table) -> None:
    desk.press("Control+Enter")
    desk.expect_step("vehicle movement")
    desk.press("Control+Enter")
    desk.expect_step("foot movement")
    desk.click("0606")
    expect(desk.part("verb-move")).to_be_visible()
    desk.hover("0706")
    expect(desk.part("hint")).to_contain_text(re.compile(r"Known enemies there: .*\d-\d"))
    desk.hover("0707")
    expect(desk.part("hint")).to_contain_text(re.compile(r"Known enemies there: .*\d-\d|No known enemy can"))


def test_the_card_of_an_enemy_is_opened_from_the_unit_panel(desk: Table) -> None:
    desk.click("0908")
    desk.press("Escape", "Escape")
    desk.part("open-card").click()
    expect(desk.part("card")).to_contain_text("German")
    desk.press("Escape")
    expect(desk.part("card")).to_have_count(0)


def test_a_card_without_a_unit_is_answered_in_words(desk: Table) -> None:
    desk.click("0301")
    desk.press("d")
    desk.expect_said("Choose a unit first")
    expect(desk.part("card")).to_have_count(0)


def test_a_chosen_highlight_is_drawn_told_and_put_away(desk: Table) -> None:
    desk.part("map").focus()
    plain = desk.look("0507")
    desk.press("k")
    listed = desk.part("highlights").locator("[data-key]")
    expect(listed.first).to_be_focused()
    desk.press("ArrowDown", "ArrowUp", "Enter")
    expect(desk.part("highlights")).to_have_count(0)
    expect(desk.part("marked")).to_contain_text("units")
    desk.expect_said("Who can act now: ")
    desk.expect_change("0507", plain)
    desk.press("Escape")
    expect(desk.part("marked")).to_have_count(0)
    desk.expect_said("no longer marked")


def test_marks_follow_the_table(desk: Table) -> None:
    desk.press("k")
    desk.part("highlights").locator("[data-key='can fire']").click()
    expect(desk.part("marked")).to_contain_text("units")
    before = desk.part("marked").inner_text()
    desk.press("Control+Enter")
    desk.expect_step("vehicle movement")
    expect(desk.part("marked")).not_to_have_text(before, use_inner_text=True)


def test_reports_are_read_one_after_the_other(desk: Table) -> None:
    desk.press("g")
    reports = desk.part("reports")
    kinds = reports.locator("[data-kind]")
    expect(kinds.first).to_have_attribute("aria-pressed", "true")
    desk.expect_said("Report: ")
    last = kinds.last
    last.click()
    expect(last).to_have_attribute("aria-pressed", "true")
    expect(reports.locator("h3").first).to_be_visible()


def test_a_badge_that_the_system_does_not_list_is_not_drawn(desk: Table) -> None:
    """The control of the signs on counters: without the system's table a unit that has fired looks as before."""
    pictures = []
    for badges in (True, False):
        if not badges:
            desk.page.route("**/api/systems", lambda route: route.fulfill(json=[]))
            desk.page.reload()
            desk.sit_down()
        desk.part("map").focus()
        if badges:
            desk.click("0507")
            desk.click("0605")
            expect(desk.part("confirm")).to_be_enabled()
            desk.press("Enter")
            desk.expect_said("Sherman")
            desk.press("Escape", "Escape")
            desk.page.reload()
            desk.sit_down()
        desk.page.mouse.move(2, 2)
        desk.click("0101")
        expect(desk.part("hex-id")).to_have_text("0101")
        pictures.append(desk.look("0507"))
    assert pictures[0] != pictures[1]


def test_pointing_a_verb_at_what_it_does_not_offer_shows_the_rule_in_the_way(desk: Table) -> None:
    desk.click("0507")
    desk.part("verb-fire").click()
    desk.hover("0301")
    why = desk.part("why-not")
    expect(why.locator(".rule")).to_have_text(re.compile("^PL-"))
    desk.hover("0605")
    expect(why).to_have_count(0)
    desk.click("0301")
    expect(desk.part("notice").locator(".rule")).to_have_text(re.compile("^PL-"))
    desk.expect_said("Rule PL-")
    # the verb and the units are still chosen
    expect(desk.part("unit-panel").locator("[aria-pressed=true]")).to_contain_text("Sherman")
