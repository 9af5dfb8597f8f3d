"""Every screen passes the accessibility checker, light and dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table

pytestmark = pytest.mark.thorough

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SEATS = {"allied": "human", "german": "greedy"}

Check = Callable[..., None]


@pytest.fixture
def check(axe: str) -> Check:
    """Asserts that the checker objects to nothing on the page as it is, or within a part of it, in either theme."""

    def run(table: Table, screen: str, within: str = "html") -> None:
        page = table.page
        if not page.evaluate("() => 'axe' in window"):
            # evaluated through the debugger: the page's own policy lets no foreign script in
            page.evaluate(axe)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            found = page.evaluate("part => axe.run(part, { resultTypes: ['violations'] })", within)
            faults = [
                f"{fault['id']}: {fault['help']}: {node['html'][:160]}"
                for fault in found["violations"]
                for node in fault["nodes"]
            ]
            assert faults == [], f"{screen}, {theme}"

    return run


def test_the_lobby_and_its_dialogs_are_open_to_everybody(bench: Table, check: Check) -> None:
    bench.open_lobby()
    check(bench, "lobby")
    bench.part("scenario-pl-first-platoon").get_by_role("button", name="Set up").click()
    expect(bench.part("new-battle")).to_be_visible()
    check(bench, "new battle", "[data-testid=new-battle]")


def test_the_table_is_open_to_everybody(bench: Table, check: Check) -> None:
    bench.begin("pl-contact", "access", **SEATS)
    bench.sit_down()
    bench.click("0507")
    bench.click("0808")
    expect(bench.part("odds")).to_be_visible()
    check(bench, "preview")
    bench.part("confirm").click()
    expect(bench.part("log")).to_contain_text(re.compile("fires? at"))
    bench.part("log").locator("summary").first.click()
    expect(bench.part("refusal")).to_be_visible()
    check(bench, "log and refusal")
    bench.press("Shift+L")
    bench.hover("0605")
    expect(bench.part("sight-text")).to_be_visible()
    check(bench, "line of sight")
    bench.press("Escape")
    bench.page.mouse.click(*bench.point("0908"), button="right")
    expect(bench.part("context").get_by_role("menuitem").first).to_be_focused()
    check(bench, "context menu", "[data-testid=context]")


def test_the_list_before_a_phase_ends_is_open_to_everybody(novice: Table, check: Check) -> None:
    novice.begin("pl-contact", "list", **SEATS)
    novice.sit_down()
    novice.expect_step("direct fire")
    novice.part("verb-end").click()
    expect(novice.part("checklist")).to_be_visible()
    check(novice, "the list before the end")


def test_the_windows_are_open_to_everybody(bench: Table, check: Check) -> None:
    bench.begin("pl-contact", "access", **SEATS)
    bench.sit_down()
    for key, name in (
        ("k", "highlights"),
        ("Control+k", "find"),
        ("g", "reports"),
        ("i", "briefing"),
        ("b", "standing-window"),
        ("?", "keys"),
        (",", "settings"),
        ("r", "rules"),
    ):
        bench.press(key)
        expect(bench.part(name)).to_be_visible()
        check(bench, name, f"[data-testid={name}]")
        bench.press("Escape")
        expect(bench.part(name)).to_have_count(0)


def test_the_panels_are_open_to_everybody_wherever_they_lie(bench: Table, check: Check) -> None:
    bench.begin("pl-contact", "access", **SEATS)
    bench.sit_down()
    bench.click("0507")
    bench.press("Shift+O")
    expect(bench.part("forces").locator("summary").first).to_be_focused()
    bench.part("handle-units").click()
    expect(bench.page.get_by_role("menu")).to_be_visible()
    check(bench, "forces and the menu of a panel")
    bench.page.get_by_role("menuitemradio", name="Floating").click()
    bench.part("handle-hex").click()
    bench.page.get_by_role("menuitemradio", name="Below the map").click()
    expect(bench.part("dock-bottom")).to_be_visible()
    check(bench, "panels below and floating")
    bench.page.set_viewport_size({"width": 390, "height": 844})
    expect(bench.part("sheet")).to_be_visible()
    check(bench, "phone")


def test_the_tray_of_units_to_be_set_up_is_open_to_everybody(bench: Table, check: Check) -> None:
    bench.begin("pl-meeting", "access", allied="greedy", german="human")
    bench.sit_down()
    expect(bench.part("step")).to_have_text("Setup")
    bench.part("waiting").get_by_role("button").first.click()
    expect(bench.part("verb-place")).to_be_visible()
    check(bench, "set-up tray")


def test_the_end_the_replay_and_a_new_beginning_are_open_to_everybody(bench: Table, check: Check) -> None:
    bench.begin("pl-last-turn", "access", **SEATS)
    bench.sit_down()
    bench.play_out(lambda: bench.press("Control+Enter"))
    expect(bench.part("outcome")).to_be_visible()
    check(bench, "outcome", "[data-testid=outcome]")
    bench.part("watch-replay").click()
    bench.part("newer").click()
    expect(bench.part("replay-at")).to_contain_text("1 /")
    check(bench, "replay")
    bench.part("branch").click()
    expect(bench.part("branch-window").get_by_role("combobox").first).to_be_visible()
    check(bench, "branch", "[data-testid=branch-window]")


def test_the_curtain_is_open_to_everybody(bench: Table, check: Check) -> None:
    bench.begin("pl-contact", "access", allied="hot-seat", german="hot-seat")
    expect(bench.part("curtain")).to_be_visible()
    check(bench, "curtain")


def test_what_friends_meet_is_open_to_everybody(bench: Table, visitor: Table, check: Check) -> None:
    keys = bench.found("pl-first-platoon", "", allied="human", german="friend")
    bench.page.goto(f"{bench.url}#/battle/{keys['id']}")
    bench.sit_down()
    bench.end_guide()
    bench.part("invite-friend").click()
    link = bench.part("invitation").input_value()
    check(bench, "invitation", "[data-testid=invite]")
    bench.press("Escape")
    bench.press("z")
    expect(bench.part("talk")).to_be_visible()
    check(bench, "talk")
    bench.page.goto(bench.url)
    bench.part(f"battle-{keys['id']}").get_by_role("button", name="Save").click()
    bench.part("with-passphrase").check()
    check(bench, "save", "[data-testid=save]")
    bench.page.goto(link)
    expect(bench.part("take-seat")).to_be_visible()
    check(bench, "join")
    visitor.forgive("401")
    visitor.open_lobby()
    visitor.part("play-pl-first-platoon").click()
    visitor.part("secret-text").wait_for()
    check(visitor, "secret", "[data-testid=secret]")
