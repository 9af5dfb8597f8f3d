"""Room for large battles: panels that lie where the player puts them, the order of battle beside the map, everything by
its name, and screens of every size.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import FloatRect, Locator, ViewportSize, expect

from tests.browser.table import Table

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "greedy"}
CHOSEN = "[aria-pressed=true]"
PHONE: ViewportSize = {"width": 390, "height": 844}
DOUBLED: ViewportSize = {"width": 640, "height": 400}
"""A window of 1280 by 800 at a magnification of 200 %."""


OVERHANG = """() => {
  const page = document.documentElement;
  return [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight];
}"""


@pytest.fixture
def desk(cinema: Table) -> Table:
    """We sit at a battle in contact, with the fire phase before us, and things move."""
    cinema.begin("pl-contact", "room", **SEATS)
    cinema.sit_down()
    cinema.expect_step("direct fire")
    return cinema


def box(part: Locator) -> FloatRect:
    found = part.bounding_box()
    assert found is not None
    return found


def put(table: Table, panel: str, place: str) -> None:
    """A panel is put elsewhere by the menu of its handle, by keys."""
    table.part(f"handle-{panel}").focus()
    table.press("Enter")
    table.page.get_by_role("menuitemradio", name=place).focus()
    table.press("Enter")
    expect(table.part(f"handle-{panel}")).to_be_focused()


def assert_nothing_hangs_over(table: Table) -> None:
    """The page needs no scrolling and the tools of the map lie inside it."""
    over: list[float] = table.page.evaluate(OVERHANG)
    assert max(over) <= 0
    map_, tools = box(table.part("map")), table.page.get_by_role("toolbar", name="Map tools").get_by_role("button")
    for tool in tools.all():
        at = box(tool)
        assert map_["x"] <= at["x"]
        assert at["x"] + at["width"] <= map_["x"] + map_["width"]
        assert map_["y"] <= at["y"]
        assert at["y"] + at["height"] <= map_["y"] + map_["height"]


# --- panels


def test_panels_lie_where_they_were_put_until_they_are_put_back(desk: Table) -> None:
    desk.click("0507")
    put(desk, "units", "Left of the map")
    put(desk, "hex", "Below the map")
    put(desk, "log", "Floating")
    desk.part("floating-log").get_by_role("button", name="the arrow keys move").focus()
    before = box(desk.part("floating-log"))
    desk.press("ArrowRight", "Shift+ArrowDown")
    after = box(desk.part("floating-log"))
    assert after["x"] > before["x"]
    assert after["height"] > before["height"]

    desk.page.reload()
    desk.sit_down()
    desk.click("0507")
    map_ = box(desk.part("map"))
    assert box(desk.part("unit-panel"))["x"] < map_["x"]
    assert box(desk.part("hex-panel"))["y"] >= map_["y"] + map_["height"]
    assert box(desk.part("floating-log")) == after
    expect(desk.part("floating-log").get_by_test_id("log")).to_be_visible()

    desk.press(",")
    desk.part("reset-layout").click()
    desk.press("Escape")
    assert box(desk.part("unit-panel"))["x"] > box(desk.part("map"))["x"]
    expect(desk.part("floating-log")).to_have_count(0)


def test_a_panel_is_dragged_by_its_handle_to_an_edge_of_the_window(desk: Table) -> None:
    handle = box(desk.part("handle-log"))
    desk.page.mouse.move(handle["x"] + 8, handle["y"] + 8)
    desk.page.mouse.down()
    desk.page.mouse.move(60, 400, steps=4)
    desk.page.mouse.up()
    expect(desk.part("dock-left").get_by_test_id("log")).to_be_visible()


def test_the_edge_between_map_and_panels_is_moved_by_hand_and_by_keys(desk: Table) -> None:
    edge = desk.page.get_by_role("separator", name="Width of the panels on the right")
    before = box(desk.part("dock-right"))["width"]
    at = box(edge)
    desk.page.mouse.move(at["x"] + 2, at["y"] + 200)
    desk.page.mouse.down()
    desk.page.mouse.move(at["x"] - 120, at["y"] + 200, steps=4)
    desk.page.mouse.up()
    wider = box(desk.part("dock-right"))["width"]
    assert wider > before + 100
    edge.focus()
    desk.press("ArrowRight")
    assert box(desk.part("dock-right"))["width"] == wider - 24
    expect(edge).to_have_attribute("aria-valuenow", str(int(wider - 24)))


def test_a_stack_lies_in_two_columns_where_there_is_room(desk: Table) -> None:
    desk.click("0606")
    cards = desk.part("unit-panel").locator("[data-testid^=unit-]")
    expect(cards).to_have_count(2)
    first, second = (box(card) for card in cards.all())
    assert second["y"] > first["y"]
    desk.page.get_by_role("separator", name="Width of the panels on the right").press("End")
    first, second = (box(card) for card in cards.all())
    assert second["y"] == first["y"]
    assert second["x"] > first["x"]


# --- the order of battle


def test_the_order_of_battle_stays_open_while_one_plays(desk: Table) -> None:
    desk.press("Shift+O")
    forces = desk.part("forces")
    expect(forces.locator("summary").first).to_have_text(re.compile(r"\d+ of \d+"))
    forces.get_by_role("button", name="M4/75 Sherman").first.click()
    expect(desk.part("unit-panel").locator(CHOSEN)).to_contain_text("Sherman")
    expect(desk.part("verb-fire")).to_be_visible()
    desk.click("0808")
    expect(desk.part("confirm")).to_be_enabled()
    desk.part("confirm").click()
    expect(desk.part("log")).to_contain_text(re.compile("fires? at"))
    # what became of the unit is told in words, without asking again
    expect(forces.get_by_role("button", name=re.compile("Sherman.*fired"))).to_have_count(1)


def test_formations_fold_and_stay_folded(desk: Table) -> None:
    desk.press("Shift+O")
    forces = desk.part("forces")
    expect(forces.locator("summary").first).to_be_focused()
    shown = forces.get_by_role("button", name="Card of").count()
    desk.press("Enter")
    expect(forces.get_by_role("button", name="Card of")).not_to_have_count(shown)
    less = forces.get_by_role("button", name="Card of").count()
    desk.page.reload()
    desk.sit_down()
    expect(forces.locator("summary").first).to_be_visible()
    expect(forces.get_by_role("button", name="Card of")).to_have_count(less)
    forces.get_by_role("button", name="Fold all formations").click()
    expect(forces.get_by_role("button", name="Card of")).to_have_count(0)
    forces.get_by_role("button", name="Unfold all formations").click()
    expect(forces.get_by_role("button", name="Card of")).to_have_count(shown)


# --- everything by its name


def find(table: Table, words: str) -> None:
    """What is found first by these words is chosen, by keys alone."""
    table.press("Control+k")
    expect(table.part("find").get_by_role("combobox")).to_be_focused()
    table.page.keyboard.type(words)
    expect(table.part("find").locator("[aria-selected=true]")).to_have_count(1)
    table.press("Enter")
    expect(table.part("find")).to_have_count(0)


def test_units_hexes_verbs_and_rules_are_found_by_a_few_letters(desk: Table) -> None:
    desk.part("map").focus()
    find(desk, "hex 0301")
    expect(desk.part("hex-id")).to_have_text("0301")
    find(desk, "shrmn 0507")
    expect(desk.part("hex-id")).to_have_text("0507")
    expect(desk.part("unit-panel").locator(CHOSEN)).to_contain_text("Sherman")
    expect(desk.part("verb-fire")).to_be_visible()
    find(desk, "end direct")
    desk.expect_step("vehicle movement")
    find(desk, "pl-808")
    expect(desk.part("rules")).to_contain_text("PL-808")
    desk.press("Escape")
    find(desk, "jump map")
    expect(desk.part("jump-map")).to_be_visible()


def test_what_is_found_is_walked_through_by_the_arrow_keys(desk: Table) -> None:
    desk.press("Control+k")
    found = desk.part("find")
    desk.page.keyboard.type("line")
    expect(found.get_by_role("option").nth(1)).to_be_visible()
    desk.press("ArrowDown")
    expect(found.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    expect(found.get_by_role("combobox")).to_have_attribute("aria-activedescendant", "found-1")
    desk.page.keyboard.type(" of no such thing")
    expect(found).to_contain_text("Nothing by that name.")


def test_a_highlight_is_two_keys_away(desk: Table) -> None:
    desk.part("map").focus()
    desk.press("k")
    listed = desk.part("highlights").locator("[data-key]")
    expect(listed.first).to_be_focused()
    title = listed.nth(1).inner_text().split("\n")[-1]
    desk.press("2")
    expect(desk.part("marked")).to_contain_text(title)


# --- screens of every size


def test_on_a_phone_the_map_has_half_of_the_screen(cinema: Table) -> None:
    cinema.page.set_viewport_size(PHONE)
    cinema.begin("pl-contact", "room", **SEATS)
    cinema.sit_down()
    cinema.expect_step("direct fire")
    assert box(cinema.part("map"))["height"] >= PHONE["height"] / 2
    assert_nothing_hangs_over(cinema)
    cinema.click("0507")
    expect(cinema.part("unit-panel")).to_contain_text("Sherman")
    cinema.click("0808")
    expect(cinema.part("confirm")).to_be_enabled()
    cinema.part("confirm").click()
    cinema.page.get_by_role("tab", name="Log").click()
    expect(cinema.part("log")).to_contain_text(re.compile("fires? at"))
    cinema.page.get_by_role("tab", name="Forces").click()
    expect(cinema.part("forces")).to_be_visible()
    before = box(cinema.part("map"))["height"]
    cinema.page.get_by_role("tab", name="Forces").click()
    expect(cinema.page.get_by_role("tabpanel")).to_have_count(0)
    assert box(cinema.part("map"))["height"] > before


def test_magnified_to_twice_its_size_the_table_is_still_playable(cinema: Table) -> None:
    cinema.page.set_viewport_size(DOUBLED)
    cinema.begin("pl-contact", "room", **SEATS)
    cinema.sit_down()
    cinema.expect_step("direct fire")
    assert_nothing_hangs_over(cinema)
    map_ = box(cinema.part("map"))
    assert map_["height"] >= DOUBLED["height"] / 2
    assert map_["width"] >= DOUBLED["width"] / 2
    cinema.click("0507")
    expect(cinema.part("verb-fire")).to_be_visible()
    cinema.click("0808")
    expect(cinema.part("confirm")).to_be_in_viewport()
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text(re.compile("fires? at"))


def test_letters_grow_and_the_map_does_not(desk: Table) -> None:
    prompt, hex_ = box(desk.part("step"))["height"], desk.point("0507")[0] - desk.point("0407")[0]
    desk.press(",")
    desk.part("text-size").select_option("larger")
    desk.press("Escape")
    assert box(desk.part("step"))["height"] > 1.3 * prompt
    desk.page.reload()
    desk.sit_down()
    assert box(desk.part("step"))["height"] > 1.3 * prompt
    desk.press("0")
    assert desk.point("0507")[0] - desk.point("0407")[0] <= hex_
    assert_nothing_hangs_over(desk)


def test_in_a_replay_the_order_of_battle_counts_ones_own_and_only_what_is_seen_of_the_others(bench: Table) -> None:
    keys = bench.found("pl-crossroads", "counting", "fog", allied="human", german="human")
    bench.join(keys, "allied")
    bench.press("o", "y")
    expect(bench.part("replay")).to_be_visible()
    titles = bench.part("forces").locator("h3")
    expect(titles.first).to_have_text(re.compile(r"Task Force Doane\s+\d+ of \d+"))
    expect(titles.last).to_have_text(re.compile(r"Kampfgruppe Weidinger\s+\d+\s*$"))
