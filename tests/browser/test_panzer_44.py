"""Panzer '44 at the table: the first battle as its guide tells it and on to the victory, and the secret plots of two
sides.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.browser.table import WAIT, Table
from tests.browser.test_tutorial import go_on

pytestmark = pytest.mark.thorough

SCENARIO = "p44-farm-lane"
FIRE, SHELL, WAIT_FOR, MOVE = "plot fire", "plot indirect", "plot opportunity", "plot move"


def lines(table: Table) -> Locator:
    """What stands in the plot, line by line."""
    return table.part("written").locator("[data-written]")


def plot(table: Table, verb: str, start: str, goal: str = "") -> None:
    """The unit of a hex has that order, if need be at another hex."""
    before = lines(table).count()
    table.click(start)
    expect(table.part("unit-panel")).to_be_visible(timeout=WAIT / 4)
    table.part(f"verb-{verb}").click(timeout=WAIT / 4)
    if goal:
        # where there is but one hex to fire at it is aimed at already
        asked = table.part("orders").get_by_text("hexes to choose from")
        table.part("preview").or_(asked).first.wait_for()
        if asked.count():
            table.click(goal)
    expect(table.part("confirm")).to_be_enabled()
    expect(table.part("preview")).to_contain_text(goal)
    table.part("confirm").click()
    expect(lines(table)).to_have_count(before + 1)


def expect_plotting(table: Table) -> None:
    """We are to write our plot, and whatever was shown has been shown."""
    expect(table.part("step")).to_have_text("Plot", timeout=3 * WAIT)
    expect(table.part("verb-seal")).to_be_enabled(timeout=3 * WAIT)


def expect_moving(table: Table) -> None:
    """Those who were to move can be moved now."""
    expect(table.part("step")).to_have_text("Movement", timeout=3 * WAIT)
    expect(table.part("verb-end movement")).to_be_visible(timeout=3 * WAIT)


def seal(table: Table) -> None:
    """The plot is sealed."""
    before = table.part("log").inner_text()
    table.part("verb-seal").click()
    expect(table.part("written")).to_have_count(0, timeout=2 * WAIT)
    expect(table.part("log")).not_to_have_text(before, timeout=2 * WAIT, use_inner_text=True)


def move(table: Table, start: str, goal: str) -> None:
    """The unit of a hex goes to another, or as far as it gets; who fires at the one before may interrupt us."""
    log = table.part("log")
    for _ in range(3):
        before = log.inner_text()
        table.click(start)
        try:
            expect(table.part("verb-move")).to_have_attribute("aria-pressed", "true")
            table.click(goal)
            table.part("confirm").click(timeout=WAIT / 4)
        except (AssertionError, TookTooLong):
            expect_moving(table)
            continue
        expect(log).not_to_have_text(before, timeout=2 * WAIT, use_inner_text=True)
        # what was ordered while that fire came in between is not done, and a message says so
        if not table.part("notice").count():
            break
    # enemies who waited may have fired at it: that is shown until we go on
    shown = table.page.locator("body:not(:has([data-testid=playback])) [data-testid=prompt]")
    held = table.part("go-on")
    held.or_(shown.filter(has_text="Move every unit")).first.wait_for(timeout=3 * WAIT)
    if held.count():
        held.click()


def is_plotting(table: Table) -> bool:
    """Whether we are to write our plot next; False when the battle is over."""
    asked = table.page.locator(
        "body:not(:has([data-testid=playback])) [data-testid=verb-seal]:not([disabled]), [data-testid=outcome]"
    ).first
    held = table.part("go-on")
    for _ in range(40):
        asked.or_(held).first.wait_for(timeout=3 * WAIT)
        try:
            if not held.count():
                return asked.get_attribute("data-testid", timeout=WAIT / 4) == "verb-seal"
            held.click(timeout=WAIT / 4)
        except TookTooLong:
            # what follows is shown already
            continue
    raise AssertionError("what is shown does not end")


def fire_all(table: Table) -> None:
    """A whole turn, until the next one or the end: whoever can fire from where he stands is plotted to."""
    expect_plotting(table)
    counters = table.page.evaluate("() => window.sandtable.counters()")
    for start in sorted({counter["hex"] for counter in counters}):
        table.press("Escape", "Escape")
        table.click(start)
        expect(table.part("hex-id")).to_have_text(start)
        verb = table.part(f"verb-{FIRE}")
        if "US armor" not in table.part("unit-panel").inner_text() or verb.get_attribute("aria-disabled") == "true":
            continue
        before = lines(table).count()
        verb.click()
        asked = table.part("orders").get_by_text("hexes to choose from")
        table.part("preview").or_(asked).first.wait_for()
        if asked.count():
            table.part("map").focus()
            table.press("Shift+ArrowRight", "Enter")
        table.part("confirm").click()
        expect(lines(table)).to_have_count(before + 1)
    seal(table)


def test_the_first_battle_as_its_guide_tells_it_and_on_to_its_end(cinema: Table) -> None:
    """Every step as it is told, with everything in motion; then the battle for the farm until somebody has won it."""
    cinema.begin(SCENARIO, "guide 40", allied="human", german="greedy")
    cinema.sit_down()
    guide = cinema.part("tutorial")
    expect(guide).to_contain_text("Clear the farm")
    go_on(cinema, 0)
    expect(guide).to_contain_text("Read a counter")
    cinema.click("0406")
    expect(cinema.part("unit-panel")).to_contain_text("M4 Sherman (75)")
    go_on(cinema, 1)
    go_on(cinema, 2)
    expect(guide).to_contain_text("Fire at the gun")
    plot(cinema, FIRE, "0406", "1007")
    go_on(cinema, 3)
    plot(cinema, SHELL, "0409", "1007")
    go_on(cinema, 4)
    plot(cinema, MOVE, "0405")
    plot(cinema, MOVE, "0803")
    expect(cinema.part("lacking")).to_contain_text("2")
    go_on(cinema, 5)
    seal(cinema)
    expect_moving(cinema)
    go_on(cinema, 6)
    go_on(cinema, 7)
    expect(guide).to_contain_text("Now move who was ordered to")
    move(cinema, "0803", "0904")
    move(cinema, "0405", "0906")
    cinema.part("verb-end movement").click()
    go_on(cinema, 8)
    expect_plotting(cinema)
    go_on(cinema, 9)
    assert is_plotting(cinema)
    fire_all(cinema)
    assert is_plotting(cinema)
    fire_all(cinema)
    expect_plotting(cinema)
    go_on(cinema, 10)
    expect(guide).to_contain_text("The rest is yours")
    cinema.part("tutorial-next").click()
    expect(guide).to_have_count(0)
    while is_plotting(cinema):
        seal(cinema)
    expect(cinema.part("outcome")).to_contain_text(re.compile("US armor|German outpost"))


BETWEEN = "0707"
"""A hex that the arrow of the fire on the gun passes over."""


def test_two_plots_are_listed_drawn_and_changed_in_secret_and_open_together(
    cinema: Table, second_cinema: Table
) -> None:
    allied, german = cinema, second_cinema
    keys = allied.found(SCENARIO, "plots 2", allied="human", german="human")
    allied.join(keys, "allied")
    allied.end_guide()
    german.join(keys, "german")
    for table in (allied, german):
        expect_plotting(table)
        expect(table.part("lacking")).to_be_visible()
    plain, dark = allied.look(BETWEEN), german.look(BETWEEN)

    plot(allied, FIRE, "0406", "1007")
    expect(lines(allied)).to_contain_text(re.compile("M4 Sherman .* fires at 1007"))
    allied.press("Escape", "Escape")
    allied.expect_change(BETWEEN, plain)
    allied.click("0406")
    allied.part(f"verb-{WAIT_FOR}").click()
    allied.part("confirm").click()
    expect(lines(allied)).to_contain_text("waits for movers")
    expect(lines(allied)).to_have_count(1)
    allied.part("written").get_by_role("button", name=re.compile("^Strike out")).click()
    expect(allied.part("written")).to_have_count(0)
    plot(allied, FIRE, "0406", "1007")
    plot(allied, MOVE, "0405")
    expect(allied.part("lacking")).to_have_text("Still to do: 4")
    allied.part("lacking").click()
    unplotted = allied.part("checklist").locator("[data-reminder]")
    expect(unplotted).to_have_count(4)
    unplotted.filter(has_text="81mm mortar").click()
    expect(allied.part("hex-id")).to_have_text("0409")

    allied.part("verb-seal").click()
    expect(allied.part("prompt")).to_contain_text("Waiting for")
    expect(lines(allied)).to_have_count(2)
    expect(allied.part("written").get_by_role("button", name=re.compile("^Strike out"))).to_have_count(0)
    lines(allied).first.focus()
    allied.press("Delete")
    expect(allied.part("notice")).to_contain_text("The plot is sealed")
    expect(allied.part("notice").get_by_role("button", name="P44-5.08")).to_be_visible()
    expect(lines(allied)).to_have_count(2)

    expect(german.part("written")).to_have_count(0)
    expect(german.part("prompt")).to_contain_text("Write an order for each of your units")
    for words in ("Plotted", "sealed (", "fires at 1007"):
        expect(german.part("log")).not_to_contain_text(words)
    assert german.look(BETWEEN) == dark
    plot(german, WAIT_FOR, "1007")
    plot(german, MOVE, "1105")
    expect(allied.page.locator("body")).not_to_contain_text(re.compile("Pak 40 #.* waits for movers"))
    german.part("verb-seal").click()

    for table in (allied, german):
        expect(table.part("log")).to_contain_text("The plots are opened", timeout=2 * WAIT)
        for step in ("Panic determination", "Direct fire", "Movement of the First Player: US armor"):
            expect(table.part("log")).to_contain_text(step, timeout=2 * WAIT)
        expect(table.part("log")).to_contain_text(re.compile("M4 Sherman .* fires at 75mm Pak 40"))
    expect_moving(allied)
    expect(german.part("prompt")).to_contain_text("Waiting for")
    allied.click("0405")
    expect(allied.part("verb-move")).to_have_attribute("aria-pressed", "true")
    allied.click("0706")
    expect(allied.part("preview")).to_contain_text("0706")
    allied.part("confirm").click()
    expect(german.part("step")).to_have_text("Opportunity", timeout=2 * WAIT)
    expect(german.part("prompt")).to_contain_text("Your choice.")
    expect(german.part("verb-fire")).to_be_visible()


def test_a_chosen_unit_is_not_pointed_about_with_the_batteries_behind_the_map(cinema: Table) -> None:
    cinema.begin("p44-orne", "own verbs", allied="human", german="greedy")
    cinema.sit_down()
    expect(cinema.part("verb-plot mission")).to_be_enabled()
    cinema.press("]")
    expect(cinema.part("verb-plot move")).to_be_visible()
    expect(cinema.part("verb-plot mission")).to_have_attribute("aria-pressed", "false")
