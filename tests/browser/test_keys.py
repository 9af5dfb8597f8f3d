"""Every key that the sheet lists does what it says, and every window gives the focus back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "greedy"}


class Keyed(NamedTuple):
    """A line of the sheet: its title, its keys as Playwright spells them, and what is to be seen after each."""

    title: str
    keys: tuple[str, ...]
    works: Callable[[Table, str], None]


def look_at(table: Table, label: str) -> None:
    """A hex was clicked, and what is there has been shown and said."""
    table.click(label)
    expect(table.part("hex-id")).to_have_text(label)
    table.expect_said(label)


def at_hex(start: str, end: str) -> Callable[[Table, str], None]:
    """The cursor goes from one hex to the other."""

    def works(table: Table, key: str) -> None:
        table.press("Escape", "Escape")
        table.click(start)
        expect(table.part("hex-id")).to_have_text(start)
        table.press(key)
        expect(table.part("hex-id")).to_have_text(end)

    return works


def width(table: Table) -> float:
    return table.point("0507")[0] - table.point("0407")[0]


def zoom(before: str, is_so: Callable[[float, float], bool]) -> Callable[[Table, str], None]:
    """The size of a hex, after `before` and then the key, compares so."""

    def works(table: Table, key: str) -> None:
        table.press(before)
        was = width(table)
        table.press(key)
        assert is_so(width(table), was), key
        table.press("0")

    return works


def opens(part: str) -> Callable[[Table, str], None]:
    """The key opens that part; Escape shuts it and gives the focus back to the map."""

    def works(table: Table, key: str) -> None:
        table.part("map").focus()
        table.press(key)
        expect(table.part(part)).to_be_visible(timeout=WAIT)
        table.press("Escape")
        expect(table.part(part)).to_have_count(0)
        expect(table.part("map")).to_be_focused()

    return works


ON_MAP = """label => {
  const { x, y } = window.sandtable.project(label);
  const map = document.querySelector('[data-testid=map]');
  return 0 < x && x < map.clientWidth && 0 < y && y < map.clientHeight;
}"""
"""Whether a hex lies in the part of the map that is seen."""


STILL = """async label => {
  const twoFrames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  let before;
  for (let x = window.sandtable.project(label).x; x !== before; x = window.sandtable.project(label).x) {
    before = x;
    await twoFrames();
  }
  return before;
}"""
"""How far to the right a hex lies once the map has come to rest."""

IS_BACK = "([label, x]) => Math.abs(window.sandtable.project(label).x - x) < 1"


def centers(table: Table, key: str) -> None:
    table.click("0202")
    table.press("3")
    box = table.part("map").bounding_box()
    assert box is not None
    table.page.mouse.move(box["x"] + 60, box["y"] + 60)
    table.page.mouse.down(button="middle")
    table.page.mouse.move(box["x"] - 900, box["y"] - 600)
    table.page.mouse.up(button="middle")
    assert table.point("0202")[0] < 0
    table.press(key)
    # the key waits its turn behind the click
    table.page.wait_for_function(ON_MAP, arg="0202", timeout=WAIT)
    table.press("0")


def goes_back(table: Table, key: str) -> None:
    """The map follows the cursor, and goes back to where it was placed."""
    table.click("0404")
    expect(table.part("hex-id")).to_have_text("0404")
    table.press("3")
    before = table.page.evaluate(STILL, "0404")
    table.press(*["ArrowLeft"] * 3)
    expect(table.part("hex-id")).to_have_text("0104")
    assert table.page.evaluate(STILL, "0404") != before
    table.press(key)
    table.page.wait_for_function(IS_BACK, arg=["0404", before], timeout=WAIT)
    table.press("0")


def toggles_numbers(table: Table, key: str) -> None:
    shown = table.look("1004")
    table.press(key)
    table.expect_change("1004", shown)
    table.press(key)


def toggles_jump_map(table: Table, key: str) -> None:
    table.press(key)
    expect(table.part("jump-map")).to_be_visible()
    table.press(key)
    expect(table.part("jump-map")).to_have_count(0)


def selects(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    look_at(table, "0506")
    table.press("ArrowDown", key)
    expect(table.part("unit-panel").locator("[aria-pressed=true]")).to_contain_text("Sherman")


def selects_one_more(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    table.click("0507")
    expect(table.part("hex-id")).to_have_text("0507")
    expect(table.part("verb-fire")).to_be_visible()
    table.press("ArrowRight", "ArrowUp", key)
    expect(table.part("unit-panel").locator("[aria-pressed=true]")).to_have_count(2)


def selects_all(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    look_at(table, "0606")
    table.press(key)
    expect(table.part("unit-panel").locator("[aria-pressed=true]")).to_have_count(2)


def goes_round(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    chosen = table.part("unit-panel").locator("[aria-pressed=true]")
    table.press(key)
    expect(chosen).to_have_count(1)
    first = chosen.inner_text()
    table.press(key)
    expect(chosen).not_to_have_text(first)


def goes_to_target(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    table.click("0507")
    expect(table.part("verb-fire")).to_be_visible()
    table.press(key)
    expect(table.part("hex-id")).to_have_text("0605" if key.endswith("Right") else "0908")


def opens_menu(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    table.click("0808")
    opens("context")(table, key)


def takes_back_a_step(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    table.click("0507")
    table.click("0808")
    expect(table.part("preview")).to_be_visible()
    table.press(key)
    expect(table.part("preview")).to_have_count(0)
    expect(table.part("unit-panel")).to_contain_text("Sherman")


def shows_sight(table: Table, key: str) -> None:
    look_at(table, "0507")
    table.press(key, "ArrowRight")
    expect(table.part("sight-text")).to_be_visible()
    table.press(key)
    expect(table.part("sight-text")).to_have_count(0)


def shows_seen(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    plain = table.look("0301")
    look_at(table, "0606")
    table.press(key)
    table.expect_said("hexes in sight")
    table.expect_change("0301", plain)
    table.press(key)


def shows_threats(table: Table, key: str) -> None:
    look_at(table, "0507")
    expect(table.part("threats")).not_to_have_attribute("open", "")
    table.press(key)
    expect(table.part("threats")).to_have_attribute("open", "")
    table.press(key)


def marks(table: Table, key: str) -> None:
    opens("highlights")(table, key)
    table.press(key)
    table.part("highlights").locator("[data-key]").first.click()
    expect(table.part("marked")).to_be_visible()
    table.part("marked").get_by_role("button", name="Put the marks away").click()
    expect(table.part("marked")).to_have_count(0)


def says_why_not(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    table.click("0507")
    expect(table.part("verb-fire")).to_be_visible()
    table.press("ArrowUp", "ArrowUp", "ArrowUp", key)
    table.expect_said("Rule PL-")
    table.press("Escape")


def finds_nothing_impossible(table: Table, key: str) -> None:
    table.press(key)
    table.expect_said("There is no order that is not possible now.")


def toggles_forces(table: Table, key: str) -> None:
    table.part("map").focus()
    table.press(key)
    expect(table.part("forces").locator("summary").first).to_be_focused()
    table.press(key)
    expect(table.part("forces")).to_have_count(0)
    expect(table.part("map")).to_be_focused()


def tells_that_nothing_is_written(table: Table, key: str) -> None:
    table.part("map").focus()
    table.press(key)
    table.expect_said("Nothing is written down.")


def tells_of_no_guide(table: Table, key: str) -> None:
    table.press(key)
    table.expect_said("There is no guide here.")


def finds_nobody_to_talk_to(table: Table, key: str) -> None:
    table.press(key)
    table.expect_said("There is nobody to talk to")


def opens_card(table: Table, key: str) -> None:
    table.press("Escape", "Escape")
    look_at(table, "0507")
    opens("card")(table, key)


def ends_phase(table: Table, key: str) -> None:
    table.press(key)
    table.expect_step("vehicle movement")


def does_nothing_now(table: Table, key: str) -> None:
    """There is nothing to react to: the step is as it was."""
    table.press(key)
    table.expect_step("vehicle movement")


def strikes_out_nothing(table: Table, key: str) -> None:
    """Nothing is written down: the step is as it was."""
    table.press(key)
    table.expect_step("vehicle movement")


def tells_of_no_front(table: Table, key: str) -> None:
    """In a system without facings there is nothing to mark; the map is as it was."""
    table.press("Escape", "Escape")
    plain = table.look("0301")
    look_at(table, "0606")
    table.press(key)
    table.expect_said("There is nothing to mark about that unit.")
    assert table.look("0301") == plain


def undoes(table: Table, key: str) -> None:
    told = table.part("log").get_by_text("You took an order back.")
    before = told.count()
    table.press("Escape", "Escape")
    table.click("0407")
    table.click("0409")
    expect(table.part("confirm")).to_be_enabled()
    table.press("Enter")
    expect(table.part("undo")).to_be_enabled(timeout=WAIT)
    table.press(key)
    expect(told).to_have_count(before + 1)


def toggles_replay(table: Table, key: str) -> None:
    table.press(key)
    expect(table.part("replay")).to_be_visible()
    table.press(key)
    expect(table.part("replay")).to_have_count(0)


def at_the_end(table: Table) -> int:
    """The replay stands at its last step; the number of that."""
    table.press("y")
    expect(table.part("replay-at")).to_have_text(re.compile(r"^(\d+) / \1$"))
    return int(table.part("replay-at").inner_text().partition(" ")[0])


def steps_back(table: Table, key: str) -> None:
    last = at_the_end(table)
    table.press(key)
    expect(table.part("replay-at")).to_contain_text(f"{last - 1} /")
    table.press("Escape")
    expect(table.part("replay")).to_have_count(0)


def steps_on(table: Table, key: str) -> None:
    last = at_the_end(table)
    table.press("PageUp")
    expect(table.part("replay-at")).to_contain_text(f"{last - 1} /")
    table.press(key)
    expect(table.part("replay-at")).to_contain_text(f"{last} /")
    table.press("y")
    expect(table.part("replay")).to_have_count(0)


def recalls_nothing(table: Table, key: str) -> None:
    table.press(key)
    table.expect_said("Nothing was seen of another side's turn yet.")


SHEET = (
    Keyed("Cursor one hex north", ("ArrowUp", "Numpad8"), at_hex("0404", "0403")),
    Keyed("Cursor one hex south", ("ArrowDown", "Numpad2"), at_hex("0404", "0405")),
    Keyed("Cursor one column left", ("ArrowLeft", "Numpad4"), at_hex("0404", "0304")),
    Keyed("Cursor one column right", ("ArrowRight", "Numpad6"), at_hex("0404", "0504")),
    Keyed("Cursor northwest", ("Numpad7", "Home"), at_hex("0404", "0304")),
    Keyed("Cursor northeast", ("Numpad9",), at_hex("0404", "0504")),
    Keyed("Cursor southwest", ("Numpad1", "End"), at_hex("0404", "0305")),
    Keyed("Cursor southeast", ("Numpad3",), at_hex("0404", "0505")),
    Keyed("Zoom: whole map", ("1",), zoom("3", lambda now, was: now < was)),
    Keyed("Zoom: middle", ("2",), zoom("3", lambda now, was: now < was)),
    Keyed("Zoom: close", ("3",), zoom("1", lambda now, was: now > was)),
    Keyed("Zoom in", ("+", "="), zoom("0", lambda now, was: now > was)),
    Keyed("Zoom out", ("-",), zoom("3", lambda now, was: now < was)),
    Keyed("Fit the map to the window", ("0",), zoom("3", lambda now, was: now < was)),
    Keyed("The map as you had it before it was moved to show something", ("4",), goes_back),
    Keyed("Center on the cursor", ("c",), centers),
    Keyed("Hex numbers on or off", ("h",), toggles_numbers),
    Keyed("Jump map", ("j",), toggles_jump_map),
    Keyed("Select, aim, or confirm the order shown", ("Enter",), selects),
    Keyed("Add a waypoint or a unit to the selection, or move in beside it", ("Shift+Enter",), selects_one_more),
    Keyed("Select all units in the hex", ("s",), selects_all),
    Keyed("Next unit with something to do", ("]", "n"), goes_round),
    Keyed("Previous unit with something to do", ("[", "p"), goes_round),
    Keyed("Cursor to the next target of the verb in use", ("Shift+ArrowRight",), goes_to_target),
    Keyed("Cursor to the previous target", ("Shift+ArrowLeft",), goes_to_target),
    Keyed("What can be done at the cursor", ("ContextMenu", "Shift+F10", "."), opens_menu),
    Keyed("One step back in the plan", ("Backspace",), takes_back_a_step),
    Keyed("Drop the plan, the tool or the selection", ("Escape",), takes_back_a_step),
    Keyed("Line of sight from the cursor", ("l",), shows_sight),
    Keyed("What the selected units see", ("v", "w"), shows_seen),
    Keyed("Who threatens the hex", ("t",), shows_threats),
    Keyed("Why the verb in use can't be pointed there", ("e",), says_why_not),
    Keyed("Orders that are not possible, and why", ("m",), finds_nothing_impossible),
    Keyed("Mark hexes and units on the map", ("k",), marks),
    Keyed("Briefing", ("i",), opens("briefing")),
    Keyed("Next step of the guide", ("x",), tells_of_no_guide),
    Keyed("Talk with the other players", ("z",), finds_nobody_to_talk_to),
    Keyed("Card of the unit", ("d",), opens_card),
    Keyed("Reports", ("g",), opens("reports")),
    Keyed("Find an order, unit, hex, action or rule", ("Control+k", "/"), opens("find")),
    Keyed("Order of battle", ("o", "q"), toggles_forces),
    Keyed("Victory standing and briefing", ("b",), opens("standing-window")),
    Keyed("Rules", ("r",), opens("rules")),
    Keyed("Settings", (",",), opens("settings")),
    Keyed("This sheet", ("?", "F1"), opens("keys")),
    Keyed("End the phase", ("Control+Enter",), ends_phase),
    Keyed("Let all of it go by that you may react to", ("Shift+Space",), does_nothing_now),
    Keyed("Strike out what is written down for the selected unit", ("Delete",), strikes_out_nothing),
    Keyed("What the unit faces: its front on the map, on or off", ("f",), tells_of_no_front),
    Keyed("What you have written down", (";",), tells_that_nothing_is_written),
    Keyed("Undo the last order where lawful", ("u", "Control+z"), undoes),
    Keyed("Replay on or off", ("y",), toggles_replay),
    Keyed("The other side's last turn once more", ("a",), recalls_nothing),
    Keyed("One step on", ("PageDown",), steps_on),
    Keyed("One step back", ("PageUp",), steps_back),
    Keyed("Play or pause", ("Space", "Control+Space"), steps_on),
)


def test_every_key_of_the_sheet_works(bench: Table) -> None:
    bench.begin("pl-contact", "keys", **SEATS)
    bench.sit_down()
    bench.expect_step("direct fire")
    bench.part("map").focus()
    bench.press("?")
    groups = bench.part("keys").locator("section:not(:has-text('Now')):not(:has-text('Mouse')):not(:has-text('Touch'))")
    listed = dict(
        zip(groups.locator("dd").all_inner_texts(), groups.locator("dt").evaluate_all(COUNT_KEYS), strict=True)
    )
    assert listed == {row.title: len(row.keys) for row in SHEET}
    bench.press("Escape")
    expect(bench.part("keys")).to_have_count(0)
    for row in SHEET:
        for key in row.keys:
            bench.page.evaluate(TWO_FRAMES)
            row.works(bench, key)


TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
"""What the key before has changed is drawn."""

COUNT_KEYS = "rows => rows.map(row => row.querySelectorAll('kbd').length)"


def test_windows_opened_by_a_button_give_the_focus_back_to_it(bench: Table) -> None:
    bench.begin("pl-contact", "focus", **SEATS)
    bench.sit_down()
    bench.click("0507")
    bench.click("0808")
    expect(bench.part("odds")).to_be_visible()
    for opener, part in (
        (bench.page.get_by_role("button", name="Mark"), "highlights"),
        (bench.page.get_by_role("button", name="Find"), "find"),
        (bench.page.get_by_role("button", name="Reports"), "reports"),
        (bench.page.get_by_role("button", name="Keys"), "keys"),
        (bench.page.get_by_role("button", name="Settings"), "settings"),
        (bench.part("standing"), "standing-window"),
        (bench.part("preview").get_by_role("button", name="PL-808"), "rules"),
    ):
        opener.focus()
        bench.press("Enter")
        expect(bench.part(part)).to_be_visible()
        bench.press("Escape")
        expect(bench.part(part)).to_have_count(0)
        expect(opener).to_be_focused()
    # the plan was before us all the time
    expect(bench.part("confirm")).to_be_enabled()


@pytest.mark.parametrize("part", ["new-battle", "dialog"])
def test_the_windows_of_the_lobby_shut_with_escape(bench: Table, part: str) -> None:
    bench.found("pl-contact", "lobby", **SEATS)
    bench.open_lobby()
    opener = {
        "new-battle": bench.part("scenario-pl-contact").get_by_role("button", name="Set up"),
        "dialog": bench.part("battles").get_by_role("button", name="Delete").first,
    }[part]
    opener.focus()
    bench.press("Enter")
    expect(bench.part(part)).to_be_visible()
    bench.press("Escape")
    expect(bench.part(part)).to_have_count(0)
    expect(opener).to_be_focused()
