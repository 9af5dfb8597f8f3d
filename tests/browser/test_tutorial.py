"""The first battle of a newcomer, from the lobby to its end."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.table import WAIT, Table

SCENARIO = "pl-first-platoon"


def test_two_clicks_lead_from_the_page_into_a_battle(table: Table) -> None:
    table.open_lobby()
    table.part(f"play-{SCENARIO}").click()
    table.sit_down()
    expect(table.part("prompt-side")).to_have_text("US advance guard")
    expect(table.part("prompt")).to_contain_text("PL-506")


def test_a_whole_tutorial_by_mouse(table: Table) -> None:
    table.set_up(SCENARIO, "guide")
    table.sit_down()
    guide = table.part("tutorial")
    expect(guide).to_have_attribute("data-step", "0")
    table.part("tutorial-next").click()
    table.part("tutorial-next").click()

    table.click("0309")
    expect(guide).to_have_attribute("data-step", "3")
    table.click("0507")
    expect(table.part("preview")).to_contain_text("0507")
    expect(table.part("odds")).to_contain_text("No dice")
    table.part("confirm").click()
    expect(guide).to_have_attribute("data-step", "5")
    expect(table.part("log")).to_contain_text("moves to 0507")

    table.end_phase(table.click_end)
    table.expect_step("foot movement")
    table.double_click("0508")
    table.click("0607")
    expect(table.part("confirm")).to_contain_text("all 2")
    table.part("confirm").click()
    expect(table.part("log").get_by_text("moves to 0607")).to_have_count(2)
    table.end_phase(table.click_end)

    assert table.await_decision()
    expect(guide).to_have_attribute("data-step", "8", timeout=WAIT)
    table.click("0210")
    table.page.get_by_role("button", name="Line of sight").click()
    table.hover("0605")
    expect(table.part("sight-text")).to_contain_text("0210 → 0605")
    expect(guide).to_have_attribute("data-step", "9")
    table.press("Escape")

    table.play_out(table.click_end)
    expect(table.part("outcome")).to_contain_text("victory")


def test_a_whole_tutorial_by_keyboard(table: Table) -> None:
    table.open_lobby()
    table.part(f"play-{SCENARIO}").focus()
    table.press("Enter")
    table.sit_down()

    table.part("map").focus()
    table.press("]")
    table.expect_said("Sherman")
    start = table.part("hex-id").inner_text()
    table.press("ArrowUp")
    expect(table.part("hex-id")).not_to_have_text(start)
    table.press("Enter")
    expect(table.part("confirm")).to_be_enabled()
    table.expect_said("Enter confirms")
    table.press("Enter")
    expect(table.part("log")).to_contain_text("moves to")
    expect(table.part("undo")).to_be_enabled()
    table.press("u")
    expect(table.part("log")).to_contain_text("took an order back")
    table.press("?")
    expect(table.part("keys")).to_contain_text("Next unit with something to do")
    table.press("Escape")
    expect(table.part("keys")).to_have_count(0)

    table.play_out(lambda: table.press("Control+Enter"))
    expect(table.part("outcome")).to_contain_text("victory")
