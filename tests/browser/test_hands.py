"""Other ways to play: the mouse of older games, no questions asked, a touched screen, and a computer that thinks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "greedy"}


def choose_setting(table: Table, label: str, value: str | bool) -> None:
    """The setting is chosen in its window, and the window is shut."""
    table.press(",")
    field = table.part("settings").get_by_label(label)
    if isinstance(value, str):
        field.select_option(value)
    else:
        field.set_checked(value)
    table.press("Escape")
    expect(table.part("settings")).to_have_count(0)


def ctrl_click(table: Table, label: str) -> None:
    table.page.keyboard.down("Control")
    table.click(label)
    table.page.keyboard.up("Control")


def right_click(table: Table, label: str) -> None:
    table.page.mouse.click(*table.point(label), button="right")


# the mouse of older games


def test_in_the_older_manner_ctrl_and_click_fires(bench: Table) -> None:
    bench.begin("pl-contact", "older", **SEATS)
    bench.sit_down()
    bench.expect_step("direct fire")
    choose_setting(bench, "Mouse", "wds")
    bench.click("0507")
    ctrl_click(bench, "0808")
    expect(bench.part("preview")).to_contain_text("Fire at SdKfz 251")
    expect(bench.part("confirm")).to_be_enabled()
    ctrl_click(bench, "0808")
    expect(bench.part("log")).to_contain_text("fires at SdKfz 251")


def test_in_the_older_manner_right_click_moves(bench: Table) -> None:
    bench.begin("pl-contact", "older", **SEATS)
    bench.sit_down()
    choose_setting(bench, "Mouse", "wds")
    bench.end_phase(bench.click_end)
    bench.expect_step("vehicle movement")
    right_click(bench, "0409")
    expect(bench.part("notice")).to_contain_text("Select a unit first")
    bench.click("0407")
    right_click(bench, "0409")
    expect(bench.part("preview")).to_contain_text("to 0409")
    expect(bench.part("context")).to_have_count(0)
    expect(bench.part("confirm")).to_be_enabled()
    right_click(bench, "0409")
    expect(bench.part("log")).to_contain_text("moves to 0409")
    bench.click("0409")
    right_click(bench, "1301")
    expect(bench.part("notice")).to_contain_text("nothing to do at 1301")
    bench.press("?")
    expect(bench.part("keys")).to_contain_text("Fire at it; again: confirm")


# no questions asked


def test_without_questions_a_certain_move_goes_at_once_and_fire_does_not(bench: Table) -> None:
    bench.begin("pl-contact", "at once", **SEATS)
    bench.sit_down()
    choose_setting(bench, "Ask before every order", False)
    bench.click("0507")
    bench.click("0808")
    expect(bench.part("confirm")).to_be_enabled()
    expect(bench.part("log")).not_to_contain_text("fires at")
    bench.press("Escape")
    bench.end_phase(bench.click_end)
    bench.expect_step("vehicle movement")
    bench.click("0407")
    bench.click("0409")
    expect(bench.part("log")).to_contain_text("moves to 0409")
    expect(bench.part("preview")).to_have_count(0)
    bench.part("undo").click()
    expect(bench.part("log")).to_contain_text("took an order back")


# a computer that thinks


def test_a_thinking_computer_is_seen_and_can_be_hurried(bench: Table) -> None:
    bench.begin("pl-contact", "ponder", allied="human", german="ponderer")
    bench.sit_down()
    for step in ("direct fire", "vehicle movement", "foot movement", "close assault"):
        bench.expect_step(step)
        bench.press("Control+Enter")
    bar = bench.part("prompt").get_by_role("progressbar", name="The computer is thinking")
    expect(bar).to_be_visible(timeout=WAIT)
    expect(bar).to_have_attribute("value", re.compile(r"^[1-9]"))
    expect(bench.part("prompt-side")).to_have_text("German post")
    bench.click("0605")
    expect(bench.part("unit-panel")).to_contain_text("Rifle platoon")
    for _ in range(8):
        bench.part("hurry").or_(bench.part("verb-end")).first.wait_for(timeout=WAIT)
        if bench.part("verb-end").count():
            break
        told = bench.part("log").inner_text()
        bench.part("hurry").click()
        expect(bench.part("log")).not_to_have_text(told)
    bench.expect_step("direct fire")
    expect(bar).to_have_count(0)
    expect(bench.part("turn")).to_have_attribute("aria-label", "Turn 2 of 3")


# a touched screen


class Fingers:
    """Fingers on the glass, each at a point of the screen."""

    def __init__(self, table: Table) -> None:
        self._wire: Any = table.page.context.new_cdp_session(table.page)

    def _put(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        self._wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(self, *ways: tuple[tuple[float, float], tuple[float, float]]) -> None:
        """Each finger has gone its way and left the glass."""
        self._put("touchStart", *(start for start, _ in ways))
        for part in (0.25, 0.5, 0.75, 1.0):
            self._put("touchMove", *((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for a, b in ways))
        self._put("touchEnd")

    def hold(self, at: tuple[float, float]) -> None:
        self._put("touchStart", at)

    def lift(self) -> None:
        self._put("touchEnd")


@pytest.fixture
def touched(tablet: Table) -> Table:
    tablet.begin("pl-contact", "touch", **SEATS)
    tablet.sit_down()
    tablet.expect_step("direct fire")
    return tablet


def width_of_a_hex(table: Table) -> float:
    return table.point("0507")[0] - table.point("0407")[0]


def test_taps_select_aim_and_confirm(touched: Table) -> None:
    touched.page.touchscreen.tap(*touched.point("0507"))
    expect(touched.part("unit-panel")).to_contain_text("Sherman")
    expect(touched.part("verb-fire")).to_be_visible()
    touched.page.touchscreen.tap(*touched.point("0808"))
    expect(touched.part("confirm")).to_be_enabled()
    touched.page.touchscreen.tap(*touched.point("0808"))
    expect(touched.part("log")).to_contain_text("fires at SdKfz 251")


def test_a_finger_drags_the_map_and_two_pinch_it(touched: Table) -> None:
    fingers = Fingers(touched)
    x, y = touched.point("0409")
    width = width_of_a_hex(touched)
    fingers.drag(((x - 40, y), (x - 120, y)), ((x + 40, y), (x + 120, y)))
    expect(touched.part("map")).to_have_attribute("data-ready", "true")
    assert width_of_a_hex(touched) > 1.8 * width

    before = touched.point("0409")
    fingers.drag(((before[0], before[1] + 60), (before[0] + 90, before[1] + 100)))
    after = touched.point("0409")
    assert (round(after[0] - before[0]), round(after[1] - before[1])) == (90, 40)
    expect(touched.part("unit-panel")).to_contain_text("Click a hex")


def test_a_long_tap_names_what_can_be_done_there(touched: Table) -> None:
    touched.page.touchscreen.tap(*touched.point("0507"))
    expect(touched.part("verb-fire")).to_be_visible()
    fingers = Fingers(touched)
    fingers.hold(touched.point("0808"))
    expect(touched.part("context")).to_be_visible()
    fingers.lift()
    touched.part("context").get_by_role("menuitem", name="Fire").first.tap()
    expect(touched.part("preview")).to_contain_text("Fire at SdKfz 251")
