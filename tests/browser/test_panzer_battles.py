"""A first battle of Panzer Battles in the browser, from its beginning to its end."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as TookTooLong
from playwright.sync_api import expect

from sandtable.cli.__main__ import main
from tests.browser.table import WAIT, Table
from tests.browser.test_tutorial import go_on

SCENARIO = "pb-kalinovka"


def test_kalinovka_is_played_to_its_end(table: Table) -> None:
    table.begin(SCENARIO, "browser", allied="human", axis="greedy")
    table.sit_down()
    table.end_guide()
    expect(table.part("prompt-side")).to_have_text("Soviet rifle battalion")
    expect(table.part("prompt")).to_contain_text("PB-TURN-1")
    table.click("0507")
    expect(table.part("unit-panel")).to_contain_text("140 of 140 men, 36 of 36 points, fatigue 0, quality C.")
    table.click("0607")
    expect(table.part("preview")).to_contain_text("0607")
    expect(table.part("confirm")).to_be_in_viewport()
    table.part("confirm").click()
    expect(table.part("log").get_by_text("5th Company moves to 0607")).to_have_count(1)
    expect(table.part("log")).to_contain_text("0507 → 0607")
    table.play_out(table.click_end)
    expect(table.part("outcome")).to_contain_text("victory")
    expect(table.part("outcome")).not_to_contain_text("victory victory")


def choose(table: Table, place: str, title: str) -> None:
    """The unit of that title is chosen by a click on its hex, and the menu is its own."""
    table.click(place)
    expect(table.part("unit-panel").get_by_role("button", pressed=True)).to_contain_text(title)


def order(table: Table, place: str, title: str, goal: str) -> None:
    """A unit was sent to another hex by mouse, and whatever that led to was shown."""
    choose(table, place, title)
    table.part("verb-move").click()
    table.click(goal)
    table.part("confirm").click()
    expect(table.part("preview")).to_have_count(0)
    see_all(table)


def see_all(table: Table) -> None:
    """What is being shown was looked at for a moment; then the player has had enough of it."""
    shown = table.page.locator("[data-testid=skip], [data-testid=go-on]")
    ours = table.page.locator("[data-testid=verb-end]:not([disabled]), [data-testid=outcome]")
    for _ in range(40):
        shown.or_(ours).first.wait_for(timeout=WAIT)
        if not shown.count():
            return
        # it may be over before the button is reached
        with suppress(TookTooLong):
            shown.first.click(timeout=500)
    raise AssertionError("the showing does not end")


def end_turn(table: Table, turn: int) -> None:
    """Our turn of that number is over, and the enemy's after it."""
    expect(table.page.get_by_text(f"Turn {turn} of 8")).to_be_visible()
    table.click_end()
    see_all(table)


def test_a_click_on_an_enemy_aims_at_him_whatever_else_could_be_done(table: Table) -> None:
    table.begin("pb-saint-aubert", "aimed", allied="human", axis="greedy")
    table.sit_down()
    choose(table, "1428", "Battery A")
    table.click("1413")
    expect(table.part("preview")).to_contain_text("Battery A fires indirectly into 1413.")
    expect(table.part("hex-panel")).to_contain_text("Terrain")


def test_the_click_that_aims_what_lies_open_with_its_button_does_not_carry_it_out(cinema: Table) -> None:
    cinema.begin("pb-saint-aubert", "aimed", allied="human", axis="greedy")
    cinema.sit_down()
    choose(cinema, "1428", "Battery A")
    cinema.part("verb-bombard").click()
    expect(cinema.part("preview")).to_contain_text("Battery A fires indirectly into 1413.")
    cinema.click("1413")
    expect(cinema.part("hex-panel")).to_contain_text("1413")
    # whatever was sent is answered before the next order is looked into
    cinema.part("verb-policy").click()
    expect(cinema.part("confirm")).to_contain_text("Opportunity fire")
    expect(cinema.part("unit-panel")).to_contain_text("105 of 105 points")
    cinema.part("verb-bombard").click()
    expect(cinema.part("confirm")).to_contain_text("Indirect fire Enter")
    cinema.click("1413")
    cinema.click("1413")
    expect(cinema.part("log")).to_contain_text("Battery A shells 1413")


@pytest.mark.rule("PB-MOVE-10")
def test_units_that_are_chosen_together_go_as_one_and_as_it_was_shown(cinema: Table) -> None:
    cinema.begin("pb-kamenka", "hand-3", allied="greedy", axis="human")
    cinema.sit_down()
    cinema.part("verb-arrive").click()
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("2nd Panzer IV Platoon arrives")
    see_all(cinema)
    choose(cinema, "0120", "2nd Panzer IV Platoon")
    cinema.press("s")
    expect(cinema.part("unit-panel").get_by_role("button", pressed=True)).to_have_count(4)
    cinema.click("0222")
    expect(cinema.part("odds")).to_be_visible()
    expect(cinema.part("party")).to_have_count(0)
    expect(cinema.part("preview").get_by_role("radio")).to_have_count(0)
    expect(cinema.part("confirm")).to_have_text(re.compile("^Move Enter$"))
    costs = cinema.part("preview").get_by_text("Movement points").locator("..").locator("b").all_inner_texts()
    cinema.part("confirm").click()
    expect(cinema.part("preview")).to_have_count(0)
    see_all(cinema)
    for spent, allowance in zip(costs, (110, 118, 110, 110), strict=True):
        expect(cinema.part("unit-panel")).to_contain_text(f"{allowance - int(spent)} of {allowance} points")


def test_a_line_of_the_log_does_not_say_that_it_happened_where_its_unit_has_gone_since(cinema: Table) -> None:
    cinema.begin("pb-rudnya", "since", allied="greedy", axis="human")
    cinema.sit_down()
    choose(cinema, "1827", "1st Bridging Company")
    cinema.part("verb-travel").click()
    cinema.part("confirm").click()
    told = cinema.part("log").get_by_role("listitem").filter(has_text="1st Bridging Company deploys")
    expect(told.locator(".where")).to_have_text("now 1827")
    order(cinema, "1827", "1st Bridging Company", "1828")
    expect(told.locator(".where")).to_have_text("now 1828")
    moved = cinema.part("log").get_by_role("listitem").filter(has_text="1st Bridging Company moves to 1828")
    expect(moved.locator(".where")).to_have_text("1828")


@pytest.mark.rule("PB-VIC-2", "PB-VIC-15")
def test_the_briefing_names_the_objectives_with_what_they_are_worth(cinema: Table) -> None:
    cinema.begin("pb-rudnya", "worth", allied="greedy", axis="human")
    cinema.await_map()
    expect(cinema.part("briefing")).to_contain_text("1715 (Rudnya), 60 points")
    cinema.read_briefing()


@pytest.mark.rule("PB-ENG-34", "PB-ENG-53")
def test_a_greyed_order_tells_how_much_is_lacking(cinema: Table) -> None:
    cinema.begin("pb-rudnya", "lacking", allied="greedy", axis="human")
    cinema.sit_down()
    choose(cinema, "1827", "1st Bridging Company")
    cinema.part("verb-travel").click()
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("1st Bridging Company deploys")
    cinema.part("verb-buildbridge").click(force=True)
    expect(cinema.part("refusal")).to_contain_text("It has not the movement points left (36 needed, 24 left).")


@pytest.mark.thorough
def test_kalinovka_is_played_by_mouse_as_its_guide_tells_and_its_record_is_true(
    cinema: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cinema.begin(SCENARIO, "by mouse", allied="human", axis="greedy")
    cinema.sit_down()
    guide = cinema.part("tutorial")
    for step in (0, 1, 2):
        go_on(cinema, step)
    order(cinema, "0507", "5th Company", "0707")
    go_on(cinema, 3)
    choose(cinema, "0307", "Lieutenant Zaitsev's platoon")
    cinema.part("verb-travel").click()
    expect(cinema.part("preview")).to_contain_text("deploys")
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("Lieutenant Zaitsev's platoon deploys")
    go_on(cinema, 4)
    order(cinema, "0309", "Lieutenant Orlov's platoon", "0910")
    order(cinema, "0307", "Lieutenant Zaitsev's platoon", "0806")
    order(cinema, "0406", "4th Company", "0706")
    end_turn(cinema, 1)
    go_on(cinema, 5)
    order(cinema, "0810", "Lieutenant Orlov's platoon", "0910")
    choose(cinema, "0910", "Lieutenant Orlov's platoon")
    cinema.click("1408")
    expect(cinema.part("preview")).to_contain_text("fires at 7.5 cm PaK 40 platoon")
    cinema.part("confirm").click()
    see_all(cinema)
    expect(cinema.part("log")).to_contain_text("Lieutenant Orlov's platoon fires at 7.5 cm PaK 40 platoon")
    go_on(cinema, 6)
    for turn in range(2, 6):
        end_turn(cinema, turn)
    go_on(cinema, 7)
    expect(guide).to_contain_text("The rest is yours")
    cinema.part("tutorial-next").click()
    expect(guide).to_have_count(0)
    for turn in range(6, 9):
        end_turn(cinema, turn)
    expect(cinema.part("outcome")).to_contain_text(re.compile("(major|minor) victory|draw"))
    name = cinema.page.url.rpartition("/")[2]
    cinema.part("outcome").get_by_role("button", name="Back to the lobby").click()
    with cinema.page.expect_download() as saved:
        cinema.part(f"battle-{name}").get_by_role("button", name="Export").click()
    record = tmp_path / "kalinovka.json"
    saved.value.save_as(record)
    assert main(["record", "verify", str(record)]) == 0, capsys.readouterr().err


@pytest.mark.rule("PB-GEN-9")
def test_the_lobby_shows_the_campaign_and_marks_its_battles_in_their_order(table: Table) -> None:
    table.open_lobby()
    campaign = table.part("campaign-between-two-rivers")
    expect(campaign).to_contain_text("Campaign: Between two rivers.")
    listed = ["Berezhok Ford", "Race for the Kamenka Heights", "Kalinovka before noon"]
    expect(campaign.get_by_role("button")).to_have_text([*listed, "Night at Sosnovka Junction", "Crossing at Rudnya"])
    tiles = table.page.get_by_role("article").filter(has_text="Campaign: Between two rivers")
    expect(tiles.locator(".stage")).to_have_text(
        [f"Campaign: Between two rivers, {number} of 5" for number in (3, 1, 2, 4, 5)]
    )
    expect(table.part("scenario-pb-saint-aubert")).not_to_contain_text("Campaign")
    campaign.get_by_role("button", name="Crossing at Rudnya").click()
    expect(table.part("play-pb-rudnya")).to_be_focused()
    expect(table.part("play-pb-rudnya")).to_be_in_viewport()


@pytest.mark.rule("PB-FAT-12")
def test_fatigue_has_its_color_on_the_card(table: Table) -> None:
    table.begin("pb-saint-aubert", "tired", allied="random", axis="human")
    table.sit_down()
    see_all(table)
    choose(table, "1411", "5th Company")
    expect(table.part("unit-panel")).to_contain_text("medium fatigue")
    table.part("open-card").click()
    worn = table.part("card").get_by_role("listitem").filter(has_text="medium fatigue")
    expect(worn.locator("i")).to_have_css("background-color", "rgb(242, 204, 29)")


@pytest.mark.rule("PB-CMD-15")
def test_the_command_report_leads_to_the_units_that_it_names_and_names_each_once(cinema: Table) -> None:
    cinema.begin("pb-saint-aubert", "hand-4", allied="human", axis="greedy")
    cinema.sit_down()
    report = cinema.part("reports")
    for _ in range(6):
        cinema.click_end()
        see_all(cinema)
        cinema.page.get_by_role("button", name="Reports").click()
        expect(report).to_contain_text("Shaken units")
        if report.locator(".where").count():
            break
        cinema.press("Escape")
    told = re.fullmatch(
        "Show (.+) in ([0-9]+) on the map", report.locator(".where").first.get_attribute("aria-label") or ""
    )
    assert told is not None
    name, place = told.groups()
    expect(report.get_by_text(name).first).to_have_text(f"{name} {place}")
    report.locator(".where").first.click()
    expect(report).to_have_count(0)
    expect(cinema.part("hex-panel")).to_contain_text(place)


@pytest.mark.rule("PB-UNIT-19", "PB-UNIT-31")
def test_a_key_that_two_orders_share_goes_on_from_one_to_the_next(table: Table) -> None:
    table.begin(SCENARIO, "together", allied="human", axis="greedy")
    table.sit_down()
    table.end_guide()
    choose(table, "0307", "Lieutenant Zaitsev's platoon")
    table.part("verb-travel").click()
    table.part("confirm").click()
    order(table, "0309", "Lieutenant Orlov's platoon", "0307")
    choose(table, "0307", "Lieutenant")
    table.press("c")
    expect(table.part("confirm")).to_have_text(re.compile("^Combine Enter$"))
    table.press("c")
    expect(table.part("confirm")).to_have_text(re.compile("^Combine all here Enter$"))
    # the whole of a long title is on its button
    assert table.part("confirm").evaluate("button => button.scrollWidth <= button.clientWidth")
    table.press("c")
    expect(table.part("confirm")).to_have_text(re.compile("^Combine Enter$"))
    table.part("confirm").click()
    expect(table.part("unit-panel")).to_contain_text("[2]")
    table.part("verb-break_down").click()
    table.part("confirm").click()
    expect(table.part("unit-panel")).to_contain_text("[1]")


def test_the_button_that_carries_an_order_out_shows_all_of_its_title(table: Table) -> None:
    table.begin(SCENARIO, "whole", allied="human", axis="greedy")
    table.sit_down()
    table.end_guide()
    choose(table, "0507", "5th Company")
    table.press("o")
    expect(table.part("confirm")).to_have_text(re.compile("^Opportunity fire Enter$"))
    assert table.part("confirm").evaluate("button => button.scrollWidth <= button.clientWidth")


SHOWS = """([label, wanted, unwanted]) => {
  const map = document.querySelector('[data-testid=map]');
  const scale = map.width / map.clientWidth;
  const { x, y } = window.sandtable.project(label);
  const { data } = map.getContext('2d').getImageData((x - 28) * scale, (y - 28) * scale, 56 * scale, 56 * scale);
  const points = (color) => {
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
    let found = 0;
    for (let at = 0; at < data.length; at += 4) found += data[at] === r && data[at + 1] === g && data[at + 2] === b;
    return found;
  };
  return wanted.every((color) => points(color) > 20) && !unwanted.some((color) => points(color) > 20);
}"""
"""Whether a hex shows these colors and not those."""

RAIL, PRIMARY, SECONDARY = "#38332d", "#e6cb8e", "#e3ddd2"


@pytest.mark.rule("PB-MAP-5")
def test_rail_lines_primary_and_secondary_roads_look_different_and_say_what_they_are(table: Table) -> None:
    table.begin("pb-sosnovka", "roads", allied="human", axis="greedy")
    table.sit_down()
    table.press("2")
    for place, color in (("2318", RAIL), ("2413", PRIMARY), ("2012", SECONDARY)):
        others = [other for other in (RAIL, PRIMARY, SECONDARY) if other != color]
        table.page.wait_for_function(SHOWS, arg=[place, [color], others], timeout=WAIT)
    table.click("2318")
    expect(table.part("hex-panel")).to_contain_text("Rail line")
    expect(table.part("hex-panel")).to_contain_text("to the north and south")


DRAWN = """(() => {
  const { fillText } = CanvasRenderingContext2D.prototype;
  window.drawn = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    window.drawn.push(text);
    return fillText.call(this, text, ...rest);
  };
})()"""
"""Every word that is written on a canvas is kept."""


@pytest.mark.rule("PB-UNIT-23", "PB-UNIT-30")
def test_nobody_is_shown_as_hit_who_shares_the_state_of_those_he_is_combined_with(bench: Table) -> None:
    bench.page.add_init_script(DRAWN)
    bench.begin("pb-company", "combined", allied="human", axis="greedy")
    bench.sit_down()
    choose(bench, "0507", "1st Platoon")
    for verb, told in (("combine", "combine"), ("break_down", "is taken out of")):
        bench.page.evaluate("window.drawn.length = 0")
        bench.part(f"verb-{verb}").click()
        bench.part("confirm").click()
        expect(bench.part("log")).to_contain_text(told)
        expect(bench.part("unit-panel")).to_contain_text("Disrupted")
        # what flashes up does so when the step is shown, which the log and the panel tell of
        bench.hover("0707")
        assert "Disrupted" not in bench.page.evaluate("window.drawn")
