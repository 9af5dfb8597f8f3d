"""The first battle of a newcomer, from the lobby to its end."""

from __future__ import annotations

import re

from playwright.sync_api import Request, expect

from tests.browser.table import WAIT, Table

SCENARIO = "pl-first-platoon"
POINTED_AT = re.compile(r"\bspotlight\b")


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
    expect(table.part("prompt")).to_have_class(POINTED_AT)
    table.part("tutorial-next").click()
    expect(table.part("prompt")).not_to_have_class(POINTED_AT)

    table.click("0309")
    expect(guide).to_have_attribute("data-step", "3")
    table.click("0507")
    expect(table.part("preview")).to_contain_text("0507")
    expect(table.part("odds")).to_contain_text("No dice")
    table.part("confirm").click()
    expect(guide).to_have_attribute("data-step", "5")
    expect(table.part("verb-end")).to_have_class(POINTED_AT)
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


def test_a_tutorial_of_a_system_the_client_has_never_heard_of(bench: Table) -> None:
    bench.begin("toy-guided", "guide", red="human", blue="greedy")
    bench.sit_down()
    guide = bench.part("tutorial")
    expect(guide).to_contain_text("Whoever bids more goes first.")
    expect(bench.part("verb-bid")).to_have_class(POINTED_AT)
    guide.get_by_role("button", name="TOY-2").click()
    expect(bench.page.get_by_role("dialog")).to_contain_text("TOY-2")
    bench.press("Escape")
    bench.part("verb-bid").click()
    bench.part("preview").get_by_label("bid 3").check()
    bench.part("confirm").click()
    expect(guide).to_have_attribute("data-step", "1")

    pointed = bench.look("0303")
    bench.click("0303")
    expect(guide).to_have_attribute("data-step", "2")
    bench.expect_change("0303", pointed)
    expect(bench.part("orders")).to_have_class(POINTED_AT)
    bench.click("0302")
    expect(guide).to_have_attribute("data-step", "3")
    expect(bench.part("preview")).to_have_class(POINTED_AT)
    bench.part("confirm").click()
    expect(guide).to_have_attribute("data-step", "4")
    expect(bench.part("verb-end")).to_have_class(POINTED_AT)
    expect(bench.part("undo")).to_have_class(POINTED_AT)
    bench.part("tutorial-next").click()
    expect(guide).to_have_count(0)


def test_a_guide_speaks_to_its_own_side_alone(bench: Table) -> None:
    bench.begin("toy-guided", "other", red="greedy", blue="human")
    bench.sit_down()
    expect(bench.part("prompt-side")).to_have_text("Blue posts")
    expect(bench.part("tutorial")).to_have_count(0)


def test_a_board_is_fetched_once_for_the_lobby_and_every_table(table: Table) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/api/boards/" in request.url:
            asked.append(request.url)

    table.page.on("request", note)
    table.open_lobby()
    for _ in range(2):
        with table.page.expect_event("websocket"):
            table.part(f"play-{SCENARIO}").click()
        table.sit_down()
        table.page.go_back()
        table.part(f"play-{SCENARIO}").wait_for()
    assert asked
    assert len(asked) == len(set(asked))
