"""Two players at one screen, and battles looked at again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table

OTHER_LOG = "said => document.querySelector('[data-testid=log]')?.innerText !== said"
"""The log says something else, or is no longer there."""


def test_a_hot_seat_turn_passes_through_the_curtain(table: Table) -> None:
    table.set_up("pl-first-platoon", "curtain", german="you")
    expect(table.part("curtain")).to_contain_text("Hand over to US advance guard")
    expect(table.part("map")).to_have_count(0)
    table.part("lift").click()
    table.sit_down()
    table.click("0309")
    table.click("0507")
    table.part("confirm").click()
    expect(table.part("log")).to_contain_text("moves to 0507")
    table.end_phase(table.click_end)
    table.expect_step("foot movement")
    table.click_end()

    expect(table.part("curtain")).to_contain_text("Hand over to German rear guard", timeout=WAIT)
    expect(table.part("map")).to_have_count(0)
    expect(table.page.locator("body")).not_to_contain_text("Sherman")

    table.part("lift").click()
    expect(table.part("replay")).to_contain_text("What your side saw", timeout=WAIT)
    table.part("leave-replay").click()
    expect(table.part("briefing")).to_contain_text("You command: German rear guard")
    table.read_briefing()
    expect(table.part("prompt-side")).to_have_text("German rear guard")
    table.expect_step("direct fire")


def test_a_reaction_in_the_other_side_s_turn_is_asked_for_and_passed(table: Table) -> None:
    table.set_up("pl-first-platoon", "reaction", "you", "Opportunity fire")
    table.part("lift").click()
    table.sit_down()
    table.click("0309")
    table.click("0806")
    table.part("confirm").click()

    expect(table.part("curtain")).to_contain_text("Hand over to German rear guard", timeout=WAIT)
    table.part("lift").click()
    table.part("leave-replay").click()
    expect(table.part("prompt")).to_contain_text("Your choice.")
    table.read_briefing()
    expect(table.part("prompt").get_by_role("button", name="PL-1601")).to_be_visible()
    table.part("verb-opportunity").click()
    expect(table.part("preview").or_(table.part("odds")).first).to_be_visible()
    table.press("Escape")
    table.part("map").focus()
    for _ in range(12):
        table.part("curtain").or_(table.part("verb-pass")).first.wait_for(timeout=WAIT)
        if table.part("curtain").count():
            break
        said = table.part("log").inner_text()
        table.press("Space")
        # a second Space too soon would lift the curtain
        table.page.wait_for_function(OTHER_LOG, arg=said, timeout=WAIT)
    expect(table.part("curtain")).to_contain_text("Hand over to US advance guard")


def test_a_replay_is_stepped_and_a_new_battle_branches_from_it(table: Table) -> None:
    table.set_up("pl-first-platoon", "branch")
    table.sit_down()
    table.end_guide()
    table.click("0309")
    table.click("0507")
    table.part("confirm").click()
    expect(table.part("log")).to_contain_text("moves to 0507")
    table.play_out(table.click_end)
    first = table.page.url

    table.part("watch-replay").click()
    at = table.part("replay-at")
    expect(at).to_have_text(re.compile(r"^0 / \d+$"))
    table.part("newer").click()
    expect(at).to_have_text(re.compile(r"^1 / \d+$"))
    expect(table.part("log")).to_contain_text("moves to 0507")
    table.press("PageUp")
    expect(at).to_have_text(re.compile(r"^0 / "))
    table.page.get_by_label("Jump to turn").select_option("3")
    expect(table.part("turn")).to_have_attribute("aria-label", "Turn 3 of 5", timeout=WAIT)
    table.part("full").uncheck()
    expect(table.part("branch")).to_be_disabled()
    table.part("full").check()
    expect(table.part("turn")).to_have_attribute("aria-label", "Turn 3 of 5", timeout=WAIT)
    table.part("branch").click()
    table.part("begin-branch").click()
    expect(table.page).not_to_have_url(first, timeout=WAIT)
    table.sit_down()
    expect(table.part("turn")).to_have_attribute("aria-label", re.compile("^Turn [345] of 5"))
    assert table.await_decision()


def test_a_battle_is_exported_imported_and_deleted(table: Table) -> None:
    table.set_up("pl-first-platoon", "export")
    table.sit_down()
    table.end_guide()
    table.play_out(table.click_end)
    own = table.page.url.rpartition("/")[2]
    table.part("outcome").get_by_role("button", name="Back to the lobby").click()

    row = table.part(f"battle-{own}")
    expect(row).to_contain_text("Over:")
    with table.page.expect_download() as saved:
        row.get_by_role("button", name="Export").click()
    table.part("import").set_input_files(saved.value.path())
    expect(table.part("outcome").or_(table.part("curtain"))).to_be_visible(timeout=WAIT)
    assert not table.page.url.endswith(own)

    table.page.goto(table.url)
    row.get_by_role("button", name="Delete").click()
    table.part("delete").click()
    expect(row).to_have_count(0)


@pytest.mark.thorough
def test_a_battle_of_two_computers_is_watched(table: Table) -> None:
    table.open_lobby()
    table.part("scenario-pl-first-platoon").get_by_role("button", name="Set up").click()
    table.part("seat-allied").select_option("greedy")
    table.part("seat-german").select_option("random")
    expect(table.part("new-battle")).to_contain_text("you watch")
    table.part("begin").click()
    table.sit_down()
    expect(table.part("prompt-side")).to_have_text(re.compile("You are watching|The battle is over"))


def test_the_dialog_of_a_new_battle_holds_what_every_side_has_unless_there_is_fog(table: Table) -> None:
    table.open_lobby()
    expect(table.part("scenario-pl-crossroads")).not_to_contain_text("Sherman")
    table.part("scenario-pl-crossroads").get_by_role("button", name="Set up").click()
    dialog = table.part("new-battle")
    briefings = dialog.locator("details", has_text="Forces and briefing")
    expect(briefings).to_have_count(2)
    briefings.first.locator("summary").click()
    expect(briefings.first).to_contain_text("4 M4/75 Sherman")
    expect(briefings.first).to_contain_text("Vire-le-Sec is the only place")
    dialog.get_by_label("Fog of war").check()
    expect(briefings).to_have_count(0)
    expect(table.part("untold")).to_have_text("Each side is told at the table what it has and what it is to do.")
    dialog.get_by_label("Fog of war").uncheck()
    expect(briefings).to_have_count(2)
