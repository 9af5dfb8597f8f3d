"""3D PanzerBlitz in the browser: its first battle as the guide tells it, and secret notes of both sides."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

SCENARIO = "pb3-krutoi-log"


def go_on(table: Table, step: int) -> None:
    """The step stays until we go on from it, and then the next one is there."""
    guide = table.part("tutorial")
    expect(guide).to_have_attribute("data-step", str(step))
    expect(table.part("tutorial-next")).to_contain_text("Next")
    table.part("tutorial-next").click()
    expect(guide).to_have_attribute("data-step", str(step + 1))


def expect_asked(table: Table, step: str) -> None:
    """A step is open in which both sides write in secret."""
    expect(table.part("step")).to_have_text(step, timeout=2 * WAIT)
    expect(table.part("verb-seal")).to_be_enabled()


def plot(table: Table, goal: str) -> None:
    """The battery is to fire at a hex."""
    table.part("verb-plot").click()
    expect(table.part("orders")).to_contain_text("hexes to choose from")
    table.click(goal)
    expect(table.part("preview")).to_contain_text(f"on {goal}")
    table.part("confirm").click()
    expect(table.part("log").get_by_text(f"is plotted on {goal}").last).to_be_visible()


def send(table: Table, start: str, goal: str) -> None:
    """The unit of a hex goes to another."""
    table.click(start)
    table.part("verb-move").click()
    table.click(goal)
    expect(table.part("preview")).to_contain_text(goal)
    table.part("confirm").click()
    expect(table.part("log").get_by_text(f"moves to {goal}").last).to_be_visible()


def play_to(table: Table, turn: int, step: str) -> None:
    """Nothing is done until that step of that turn is ours; nobody of ours lies in wait, so nothing is asked twice."""
    verbs = ", ".join(f"[data-testid=verb-{key}]:not([disabled])" for key in ("first", "seal", "end"))
    reached = f"[data-testid=turn][aria-label^='Turn {turn} ']"
    for _ in range(20):
        table.page.locator(verbs).first.wait_for(timeout=3 * WAIT)
        now = table.part("step").inner_text()
        if now.lower() == step and table.page.locator(reached).count():
            return
        table.page.locator(verbs).first.click()
        if now == "Initiative":
            table.part("confirm").click()
        # what came in between makes a click ask to look again
        with suppress(AssertionError):
            expect(table.part("step")).not_to_have_text(now, timeout=WAIT)
    raise AssertionError(f"the {step} of turn {turn} does not come")


def test_the_first_battle_as_its_guide_tells_it(cinema: Table) -> None:
    cinema.begin(SCENARIO, "guide", german="human", russian="greedy")
    cinema.sit_down()
    guide = cinema.part("tutorial")
    expect(guide).to_contain_text("Read a counter")
    cinema.click("0407")
    expect(cinema.part("unit-panel")).to_contain_text(
        "attack 14 armor piercing, range 8, defense 8 armored, movement 8"
    )
    go_on(cinema, 0)
    go_on(cinema, 1)

    cinema.part("verb-first").click()
    expect(cinema.part("preview")).to_contain_text("Your side goes first.")
    cinema.part("confirm").click()
    expect_asked(cinema, "Artillery plots")
    go_on(cinema, 2)
    plot(cinema, "1006")
    expect(cinema.part("written")).to_contain_text("fires on 1006")
    go_on(cinema, 3)
    cinema.part("verb-seal").click()
    expect_asked(cinema, "Opportunity assignment")
    cinema.part("verb-seal").click()
    cinema.expect_step("vehicle movement")
    expect(cinema.part("log")).to_contain_text("1006 is under a barrage.")
    go_on(cinema, 4)

    cinema.click("0407")
    expect(cinema.part("verb-move")).to_be_enabled()
    cinema.click("0706")
    expect(cinema.part("preview")).to_contain_text("PB3-604")
    go_on(cinema, 5)
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("moves to 0706 (Upper Ford)")
    go_on(cinema, 6)
    send(cinema, "0305", "0606")
    send(cinema, "0306", "0506")
    send(cinema, "0206", "0406")
    cinema.end_phase(cinema.click_end)
    cinema.expect_step("foot movement")
    cinema.end_phase(cinema.click_end)
    expect(cinema.part("log")).to_contain_text("Turn 2.", timeout=2 * WAIT)
    go_on(cinema, 7)
    go_on(cinema, 8)
    expect(guide).to_contain_text("Up to the houses")

    play_to(cinema, 2, "vehicle movement")
    send(cinema, "0706", "0906")
    send(cinema, "0606", "0906")
    play_to(cinema, 3, "fire")
    go_on(cinema, 9)
    expect(guide).to_contain_text("Open fire")
    cinema.click("0906")
    expect(cinema.part("verb-fire")).to_be_enabled()
    cinema.press("Shift+ArrowRight", "Enter")
    expect(cinema.part("odds")).to_contain_text("decided later")
    cinema.part("confirm").click()
    go_on(cinema, 10)
    expect(guide).to_contain_text("Set the grenadiers down")
    cinema.end_phase(cinema.click_end)
    cinema.expect_step("vehicle movement")
    send(cinema, "0406", "0606")
    cinema.click("0606")
    cinema.part("verb-unload").click()
    cinema.part("confirm").click()
    go_on(cinema, 11)
    expect(guide).to_contain_text("Storm the houses")
    cinema.part("tutorial-next").click()
    expect(guide).to_have_count(0)


def written(table: Table) -> Locator:
    return table.part("written").locator("[data-written]")


def test_plots_and_assignments_are_listed_can_be_changed_until_sealed_and_open_together(
    bench: Table, second_bench: Table
) -> None:
    keys = bench.found("pb3-hill-209", "notes", german="human", russian="human")
    german, russian = bench, second_bench
    german.join(keys, "german")
    russian.join(keys, "russian")
    # with this seed the Germans win the initiative, and what they may choose lies open, until they put it away
    expect(german.part("preview")).to_contain_text("Your side goes first.")
    german.press("Escape")
    expect(german.part("preview")).to_have_count(0)
    german.part("verb-first").click()
    german.part("confirm").click()

    for table in (german, russian):
        expect_asked(table, "Artillery plots")
    plot(german, "1610")
    expect(written(german)).to_have_count(1)
    expect(written(german)).to_contain_text("1610")
    expect(written(russian)).to_have_count(0)
    plot(german, "1511")
    expect(written(german)).to_have_count(1)
    aimed = german.look("1511")
    german.part("written").get_by_role("button", name=re.compile("^Strike out")).click()
    expect(written(german)).to_have_count(0)
    german.expect_change("1511", aimed)
    plot(german, "1511")
    german.part("verb-seal").click()
    expect(german.part("prompt")).to_contain_text("Waiting for")
    plot(russian, "1007")
    expect(russian.page.locator("body")).not_to_contain_text("Light howitzer battery")
    russian.part("verb-seal").click()

    for table in (german, russian):
        expect_asked(table, "Opportunity assignment")
    german.click("1008")
    german.part("verb-assign").click()
    german.part("confirm").click()
    expect(german.part("written")).to_contain_text("Engineer platoon")
    expect(russian.page.locator("body")).not_to_contain_text("Assigned to opportunity fire: Engineer platoon")
    german.part("verb-seal").click()
    russian.part("verb-seal").click()
    for table in (german, russian):
        expect(table.part("log")).to_contain_text("Assigned to opportunity fire: Engineer platoon")
        expect(table.part("log")).to_contain_text("is under a barrage.")
