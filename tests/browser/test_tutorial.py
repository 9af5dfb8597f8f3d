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


def go_on(table: Table, step: int) -> None:
    """The step stays until we go on from it, and then the next one is there."""
    guide = table.part("tutorial")
    expect(guide).to_have_attribute("data-step", str(step))
    expect(table.part("tutorial-next")).to_contain_text("Next")
    table.part("tutorial-next").click()
    expect(guide).to_have_attribute("data-step", str(step + 1))


def send(table: Table, goal: str, moves: int = 1) -> None:
    """The chosen units go to a hex on which nobody stood before."""
    counters = table.page.evaluate("() => window.sandtable.counters()")
    assert goal not in {counter["hex"] for counter in counters}
    table.click(goal)
    expect(table.part("preview")).to_contain_text(goal)
    table.part("confirm").click()
    expect(table.part("log").get_by_text(f"moves to {goal}")).to_have_count(moves)


def test_a_whole_tutorial_by_mouse(cinema: Table) -> None:
    """Every step as it is told, with everything in motion: none goes away unread, none leads into an occupied hex."""
    cinema.set_up(SCENARIO, "guide")
    cinema.sit_down()
    guide = cinema.part("tutorial")
    expect(guide).to_contain_text("Read a counter")
    cinema.click("0309")
    expect(cinema.part("unit-panel")).to_contain_text(
        "attack 11 armor piercing, range 8, defense 9 armored, movement 8"
    )
    expect(guide).to_have_attribute("data-done", "true")
    expect(guide).to_have_attribute("data-step", "0")
    go_on(cinema, 0)
    go_on(cinema, 1)
    expect(cinema.part("prompt")).to_have_class(POINTED_AT)
    go_on(cinema, 2)
    expect(cinema.part("prompt")).not_to_have_class(POINTED_AT)

    expect(cinema.part("tutorial-next")).to_contain_text("Skip this step")
    cinema.click("0506")
    expect(cinema.part("odds")).to_contain_text("No dice")
    go_on(cinema, 3)
    cinema.part("cancel").click()
    send(cinema, "0506")
    # a step that was done stays, however much happens
    expect(guide).to_have_attribute("data-step", "4")
    go_on(cinema, 4)
    expect(cinema.part("verb-end")).to_have_class(POINTED_AT)
    cinema.click("0210")
    expect(cinema.part("verb-move")).to_be_visible()
    send(cinema, "0507")
    cinema.end_phase(cinema.click_end)
    cinema.expect_step("foot movement")
    go_on(cinema, 5)

    cinema.double_click("0508")
    expect(cinema.part("unit-panel").locator("[aria-pressed=true]")).to_have_count(2)
    send(cinema, "0607", moves=2)
    cinema.click("0407")
    expect(cinema.part("unit-panel")).to_contain_text("Rifle platoon")
    send(cinema, "0406")
    cinema.end_phase(cinema.click_end)
    expect(cinema.part("log")).to_contain_text("Turn 2, Allied segment", timeout=2 * WAIT)
    expect(guide).to_have_attribute("data-step", "6")
    go_on(cinema, 6)
    go_on(cinema, 7)

    cinema.click("0507")
    cinema.page.get_by_role("button", name="Line of sight").click()
    cinema.hover("0605")
    expect(cinema.part("sight-text")).to_contain_text("0507 → 0605")
    go_on(cinema, 8)
    cinema.press("Escape")

    cinema.expect_step("direct fire")
    cinema.click("0506")
    expect(cinema.part("hex-id")).to_have_text("0506")
    expect(cinema.part("verb-fire")).to_be_enabled()
    cinema.press("Shift+ArrowRight", "Enter")
    expect(cinema.part("confirm")).to_be_enabled()
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text(re.compile("fires? at"))
    go_on(cinema, 9)
    expect(guide).to_contain_text("Storm the houses")
    cinema.part("tutorial-back").click()
    expect(guide).to_contain_text("Open fire")
    cinema.press("x")
    expect(guide).to_contain_text("Storm the houses")
    cinema.press("x")
    expect(guide).to_have_count(0)


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
    go_on(bench, 0)

    pointed = bench.look("0303")
    bench.click("0303")
    go_on(bench, 1)
    bench.expect_change("0303", pointed)
    expect(bench.part("orders")).to_have_class(POINTED_AT)
    bench.click("0302")
    go_on(bench, 2)
    expect(bench.part("preview")).to_have_class(POINTED_AT)
    bench.part("confirm").click()
    go_on(bench, 3)
    expect(bench.part("verb-end")).to_have_class(POINTED_AT)
    expect(bench.part("undo")).to_have_class(POINTED_AT)
    bench.part("tutorial-next").click()
    expect(guide).to_have_count(0)


def test_a_battle_opens_with_its_briefing_which_can_be_read_again(cinema: Table) -> None:
    cinema.begin(SCENARIO, "briefing", allied="human", german="greedy")
    cinema.await_map()
    briefing = cinema.part("briefing")
    expect(briefing).to_contain_text("You command: US advance guard")
    expect(briefing).to_contain_text("Take all three houses")
    expect(briefing).to_contain_text("2 M4/75 Sherman")
    expect(briefing).not_to_contain_text("Your gun is deadly")
    expect(cinema.part("briefing-shut")).to_be_focused()
    cinema.press("Enter")
    expect(briefing).to_have_count(0)
    cinema.page.reload()
    cinema.await_map()
    expect(cinema.part("prompt")).to_be_visible()
    expect(briefing).to_have_count(0)
    cinema.press("i")
    expect(briefing).to_be_visible()
    cinema.page.get_by_label("Open every battle with its briefing").uncheck()
    cinema.press("Escape")
    cinema.begin(SCENARIO, "briefing", allied="human", german="greedy")
    cinema.await_map()
    expect(cinema.part("prompt")).to_be_visible()
    expect(briefing).to_have_count(0)


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
