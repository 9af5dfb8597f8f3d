"""PANZER8 at the table: the guide of the first battle, event cards, fronts, and facing chosen with a move."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import TimeoutError as TookTooLong
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table
from tests.browser.test_tutorial import go_on

pytestmark = pytest.mark.thorough

SCENARIO = "p8-mill-road"


def sit(table: Table, seed: str, german: str = "greedy") -> None:
    """We lead the British patrol; the pictures move."""
    table.join(table.found(SCENARIO, seed, allied="human", german=german), "allied")
    table.expect_step("action")


def test_the_card_of_the_turn_lies_open_with_what_it_does(cinema: Table) -> None:
    sit(cinema, "cards")
    card = cinema.part("open-card").first
    title = card.locator("b").inner_text()
    expect(cinema.part("log")).to_contain_text(f"Event: {title}")
    expect(card).to_contain_text("British patrol")
    assert len(card.locator("p").first.inner_text()) > 10
    card.locator("summary").click()
    expect(card.locator("p").first).to_be_hidden()
    expect(cinema.page.locator("[data-testid=unit-panel]")).not_to_contain_text(title)


def test_what_an_element_faces_is_marked_and_goes_over_to_the_next(cinema: Table) -> None:
    sit(cinema, "front")
    cinema.end_guide()
    plain = cinema.look("0809")
    cinema.click("0209")
    cinema.press("Shift+F")
    expect(cinema.part("marked")).to_contain_text(re.compile("What M4 Sherman 75 #\\d+ faces"))
    first = cinema.part("marked").inner_text()
    cinema.click("0308")
    expect(cinema.part("marked")).not_to_have_text(first)
    expect(cinema.part("marked").get_by_role("button", name="P8-7.05")).to_be_visible()
    cinema.press("Shift+F")
    expect(cinema.part("marked")).to_have_count(0)
    assert plain


def test_facing_is_chosen_with_the_move_by_mouse(cinema: Table) -> None:
    sit(cinema, "facing 4", german="human")
    cinema.end_guide()
    cinema.click("0308")
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")
    cinema.click("0508")
    chosen = cinema.part("preview").locator("label.on")
    expect(chosen).to_contain_text("Facing")
    cinema.click("0507")
    expect(chosen).to_contain_text("Facing north,")
    cinema.click("0507")
    expect(cinema.part("log")).to_contain_text("moves to 0508")
    cinema.click("0508")
    cinema.press("d")
    expect(cinema.page.get_by_role("dialog")).to_contain_text(re.compile("Faces\\s*north"))


def test_facing_is_chosen_with_the_move_by_keys(cinema: Table) -> None:
    sit(cinema, "facing keys", german="human")
    cinema.end_guide()
    cinema.click("0308")
    cinema.part("map").focus()
    cinema.press("ArrowRight", "ArrowRight", "Enter")
    chosen = cinema.part("preview").locator("label.on")
    expect(chosen).to_contain_text("Facing")
    cinema.press("ArrowDown", "Enter")
    expect(chosen).to_contain_text("Facing south,")
    cinema.press("Enter")
    expect(cinema.part("log")).to_contain_text("moves to 0508")


def let_pass(table: Table, turn: int) -> None:
    """Whatever the enemy does is let pass, until that turn is ours."""
    ours = table.page.locator(f"[data-testid=turn][aria-label^='Turn {turn} ']")
    asked = table.page.locator("body:not(:has([data-testid=playback])) [data-testid=verb-pass]:not([disabled])")
    held = table.part("go-on")
    for _ in range(80):
        asked.or_(held).or_(ours).first.wait_for(timeout=2 * WAIT)
        if held.count():
            table.press("Escape")
            expect(held).to_have_count(0)
            continue
        if not asked.count():
            table.expect_step("action")
            return
        before = table.part("log").inner_text()
        table.part("map").focus()
        # the rest of a move is let go by with it; a shot has no rest
        table.press("Shift+Space" if table.part("let-go").count() else "Space")
        expect(table.part("log")).not_to_have_text(before, timeout=2 * WAIT, use_inner_text=True)
    raise AssertionError("the enemy's turn does not end")


STORM = (
    (
        ("fire", "0909", "1608"),
        ("fire", "0607", "1609"),
        ("move", "0408", "0806"),
        ("move", "0407", "0805"),
    ),
    (
        ("fire", "0909", "1608"),
        ("move", "0806", "1206"),
        ("move", "0805", "1207"),
    ),
    (
        ("fire", "0909", "1608"),
        ("fire", "0607", "1608"),
        ("move", "1006", "1408"),
        ("charge", "1207", "1708"),
    ),
)
"""What is done from the second turn on with the seed "mill 32": the tanks suppress, the sections go up and in."""


def act(table: Table, verb: str, start: str, goal: str) -> None:
    """The element of a hex does something at another."""
    before = table.part("log").inner_text()
    for _ in range(3):
        # what the enemies answered to the order before may still be shown: that is put away first
        table.press("Escape", "Escape")
        table.click(start)
        try:
            table.part(f"verb-{verb}").click(timeout=WAIT / 4)
            table.click(goal)
            table.part("confirm").click(timeout=WAIT / 4)
            break
        except TookTooLong:
            table.expect_step("action")
    expect(table.part("log")).not_to_have_text(before, timeout=2 * WAIT, use_inner_text=True)
    table.expect_step("action")


def test_the_whole_guide_of_the_first_battle(cinema: Table) -> None:
    """Every step as it is told, with everything in motion; none goes away unread."""
    cinema.begin(SCENARIO, "mill 32", allied="human", german="greedy")
    cinema.sit_down()
    guide = cinema.part("tutorial")
    expect(guide).to_contain_text("Clear the mill")
    go_on(cinema, 0)
    expect(guide).to_contain_text("Read a counter")
    cinema.click("0209")
    expect(cinema.part("unit-panel")).to_contain_text("AP 7 to 34 hexes, HESA 6 to 30 hexes, defense 6")
    go_on(cinema, 1)
    expect(guide).to_contain_text("A card, then actions")
    expect(cinema.part("open-card").first).to_be_visible()
    go_on(cinema, 2)

    expect(cinema.part("tutorial-next")).to_contain_text("Skip this step")
    cinema.click("0308")
    expect(cinema.part("verb-move")).to_have_attribute("aria-pressed", "true")
    cinema.click("0909")
    expect(cinema.part("preview")).to_contain_text("0909")
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("moves to 0909")
    go_on(cinema, 3)

    expect(guide).to_contain_text("What the numbers say")
    cinema.click("0209")
    expect(cinema.part("verb-advance fire")).to_be_enabled()
    cinema.press("v")
    cinema.expect_said("Move and fire")
    cinema.press("Shift+ArrowRight", "Enter")
    expect(cinema.part("odds")).to_contain_text("%")
    go_on(cinema, 4)
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text(re.compile("Sherman 75 #\\d+ fires (AP )?at"))
    cinema.page.get_by_role("button", name=re.compile("^Go on")).click()
    cinema.expect_step("action")

    expect(guide).to_contain_text("Infantry and the rest")
    cinema.click("0509")
    expect(cinema.part("unit-panel")).to_contain_text("Rifle section")
    act(cinema, "move", "0509", "0809")
    cinema.click_end()
    go_on(cinema, 5)
    let_pass(cinema, 2)
    go_on(cinema, 6)

    expect(guide).to_contain_text("Suppress, then storm")
    for turn, orders in enumerate(STORM, 2):
        let_pass(cinema, turn)
        for verb, start, goal in orders:
            act(cinema, verb, start, goal)
        expect(guide).to_have_attribute("data-step", "7")
        cinema.click_end()
    expect(cinema.part("step")).to_have_text("Close combat", timeout=2 * WAIT)
    cinema.click("1708")
    expect(cinema.part("preview")).to_contain_text("fights Rifle section")
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text(re.compile(r"Rifle section with LMG #\d+ fights Rifle section #\d+: "))
    go_on(cinema, 7)
    expect(guide).to_contain_text("The rest is yours")
    cinema.part("tutorial-back").click()
    expect(guide).to_contain_text("Suppress, then storm")
    cinema.press("Shift+X", "Shift+X")
    expect(guide).to_have_count(0)


def test_who_is_asked_to_choose_an_element_clicks_it(cinema: Table) -> None:
    """The card of the first turn lets one element act twice."""
    cinema.join(cinema.found("p8-chemery", "look1", allied="greedy", german="human"), "german")
    expect(cinema.part("open-card").first).to_contain_text("Initiative")
    expect(cinema.part("prompt")).to_contain_text("Your choice.")
    cinema.click("0713")
    expect(cinema.part("preview")).to_be_visible()
    cinema.part("confirm").click()
    cinema.expect_step("action")
    expect(cinema.part("log")).to_contain_text(re.compile(r"PzKw 38\(t\) #\d+ has the initiative: it may act twice"))
