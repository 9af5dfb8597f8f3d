"""An enemy's turn can be followed: one thing at a time, with words, at the player's pace, and once more at any time."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

FILM = """() => {
  window.film = [];
  const part = (name) => document.querySelector(`[data-testid=${name}]`);
  const isInView = (place) => {
    const map = part('map').getBoundingClientRect();
    const { x, y } = window.sandtable.project(place);
    return x > 0 && y > 0 && x < map.width && y < part('playback').getBoundingClientRect().top - map.top;
  };
  const look = () => {
    const caption = part('caption')?.innerText ?? '';
    const place = part('caption')?.querySelector('.where')?.innerText ?? '';
    let last = window.film.at(-1);
    if (last?.caption !== caption) {
      last = { caption, place, begun: performance.now(), inView: false };
      window.film.push(last);
    }
    last.ended = performance.now();
    last.inView ||= !!place && isInView(place);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Takes down what the bar under the map says from frame to frame, how long, and whether its place is to be seen."""


def start_film(table: Table) -> None:
    """From now on what the bar says is taken down."""
    table.page.evaluate(FILM)


def end_our_turn(table: Table) -> None:
    """We have done nothing in our turn, and what the enemy does in his is being shown."""
    shown = table.page.locator("[data-testid=skip], [data-testid=outcome]")
    for _ in range(8):
        before = table.part("step").inner_text()
        table.click_end()
        expect(table.part("step")).not_to_have_text(before, use_inner_text=True)
        table.page.locator("[data-testid=skip], [data-testid=verb-end]:not([disabled])").first.wait_for()
        if shown.count():
            return
    raise AssertionError("the enemy does nothing that is seen")


class Shown(NamedTuple):
    """Something that the bar told of: in what words, for how many milliseconds, and whether its place was in sight."""

    words: str
    time: float
    in_view: bool


def shown(table: Table) -> list[Shown]:
    """What was told until now."""
    film: list[dict[str, Any]] = table.page.evaluate("() => window.film")
    return [Shown(one["caption"], one["ended"] - one["begun"], one["inView"]) for one in film if one["place"]]


def pass_time(table: Table, milliseconds: int) -> None:
    """So much time has gone by on the page's own clock."""
    end = table.page.evaluate("() => performance.now()") + milliseconds
    table.page.wait_for_function("end => performance.now() > end", arg=end, timeout=WAIT)


TURN = (
    "SdKfz 251 halftrack #5 moves to 0604.",
    "SdKfz 251 halftrack #1 moves to 0705.",
    "Rifle platoon #3 close assaults Engineer platoon #4 and Rifle platoon #6 in 0606",
)
"""What the enemy does with these dice while we do nothing."""


def told(table: Table) -> list[str]:
    """What was told until now, by how each began."""
    return [next((start for start in TURN if one.words.startswith(start)), one.words) for one in shown(table)]


@pytest.fixture
def film(cinema: Table) -> Table:
    """We sit at a battle, and what the bar will say is taken down."""
    cinema.begin("pl-contact", "follow", allied="human", german="greedy")
    cinema.sit_down()
    cinema.expect_step("direct fire")
    start_film(cinema)
    return cinema


def test_what_the_enemy_does_is_told_one_thing_after_the_other_where_it_happens(film: Table) -> None:
    film.press("3")
    film.page.evaluate("() => window.sandtable.center('1612')")
    end_our_turn(film)
    film.part("go-on").wait_for(timeout=3 * WAIT)
    assert told(film) == [*TURN]
    for one in shown(film):
        assert one.time > 1000, f"too short to be read: {one}"
        assert one.in_view, f"nobody saw where it happened: {one}"
    # the die, the result and what came of it are one thing
    expect(film.part("caption")).to_contain_text("die 1 -2, result D. Engineer platoon #4 is dispersed.")
    expect(film.part("caption")).to_contain_text("PL-507")
    # and what all of it came to stands below
    expect(film.part("summary")).to_have_text(
        "You lost nobody; hit: Engineer platoon #4 (dispersed) and Rifle platoon #6 (dispersed).They lost nobody."
    )


def test_the_last_result_stays_to_be_read_until_the_player_goes_on(film: Table) -> None:
    end_our_turn(film)
    film.part("go-on").wait_for(timeout=3 * WAIT)
    film.expect_step("vehicle movement")
    pass_time(film, 1500)
    still = film.look("0606")
    pass_time(film, 1500)
    assert film.look("0606") == still, "the result is on the map as long as it is in the bar"
    expect(film.part("caption")).to_contain_text(TURN[-1])
    film.click("0407")
    expect(film.part("playback")).to_have_count(0)
    film.expect_change("0606", still)
    # the click that went on is no lost click
    expect(film.part("unit-panel")).to_contain_text("M4")


def test_the_showing_is_stopped_and_stepped_and_our_decision_waits_for_it(film: Table) -> None:
    end_our_turn(film)
    expect(film.part("caption")).to_contain_text(TURN[0])
    film.press(" ")
    expect(film.part("pause")).to_have_attribute("aria-pressed", "true")
    pass_time(film, 4000)
    assert told(film) == [TURN[0]]
    film.press("PageDown")
    expect(film.part("caption")).to_contain_text(TURN[1])
    pass_time(film, 4000)
    assert told(film) == [*TURN[:2]], "one step is one thing"
    expect(film.part("verb-end")).to_have_count(0)
    film.press(" ")
    film.part("go-on").wait_for(timeout=WAIT)
    film.expect_step("vehicle movement")
    assert told(film) == [*TURN]


def test_more_of_the_same_is_seen_at_a_glance(cinema: Table) -> None:
    """The second wave is placed off the beaches, one unit after the other."""
    cinema.page.add_init_script("localStorage.setItem('sandtable.settings', JSON.stringify({ pace: 'fast' }))")
    cinema.begin("pl-bluff", "waves", allied="greedy", german="human")
    start_film(cinema)
    cinema.sit_down()
    cinema.part("go-on").wait_for(timeout=3 * WAIT)
    first, *more = [one.time for one in shown(cinema) if "is placed in" in one.words]
    assert len(more) == 2
    assert max(more) < first / 2


def test_whoever_has_seen_enough_decides_at_once(film: Table) -> None:
    end_our_turn(film)
    expect(film.part("caption")).to_contain_text(TURN[0])
    film.press("Escape")
    film.expect_step("vehicle movement")
    expect(film.part("playback")).to_have_count(0)
    assert told(film) == [TURN[0]]
    # what he has not seen is summed up
    expect(film.part("notice")).to_contain_text("hit: Engineer platoon #4 (dispersed)")


def test_the_player_sets_the_pace(film: Table) -> None:
    end_our_turn(film)
    expect(film.part("caption")).to_contain_text(TURN[0])
    film.part("pace").select_option("fast")
    film.part("go-on").wait_for(timeout=3 * WAIT)
    assert told(film) == [*TURN]
    assert 100 < shown(film)[1].time < 1800
    film.part("pace").select_option("instant")
    film.click_end()
    film.expect_step("foot movement")
    film.click_end()
    expect(film.part("turn-list")).to_be_visible()
    assert told(film) == [*TURN], "at once is not acted out"


def test_the_enemys_turn_is_shown_once_more_at_any_time(film: Table) -> None:
    end_our_turn(film)
    film.press("Escape")
    film.expect_step("vehicle movement")
    film.end_phase(film.click_end)
    film.expect_step("foot movement")
    before = film.part("log").inner_text()
    start_film(film)
    film.press("a")
    expect(film.part("replay")).to_be_visible()
    expect(film.part("caption")).to_contain_text(TURN[-1], timeout=3 * WAIT)
    assert told(film) == [*TURN]
    pass_time(film, 5000)
    expect(film.part("caption")).to_contain_text(TURN[-1])
    film.press("Escape")
    expect(film.part("replay")).to_have_count(0)
    expect(film.part("playback")).to_have_count(0)
    assert film.part("log").inner_text() == before
    film.expect_step("foot movement")


def test_the_result_of_our_own_fire_stays_to_be_read(film: Table) -> None:
    film.click("0507")
    film.click("0808")
    film.part("confirm").click()
    film.part("go-on").wait_for(timeout=WAIT)
    expect(film.part("caption")).to_contain_text("fires at SdKfz 251 halftrack")
    pass_time(film, 1500)
    still = film.look("0808")
    pass_time(film, 1500)
    assert film.look("0808") == still
    film.press("Escape")
    expect(film.part("playback")).to_have_count(0)
    film.expect_change("0808", still)


def height(part: Locator) -> float:
    """How high something is on the screen."""
    box = part.bounding_box()
    assert box is not None
    return float(box["height"])


def test_where_nothing_moves_the_enemys_turn_is_a_list_and_each_line_shows_its_place(bench: Table) -> None:
    bench.begin("pl-contact", "follow", allied="human", german="greedy")
    bench.sit_down()
    bench.expect_step("direct fire")
    for step in ("vehicle movement", "foot movement", "close assault"):
        bench.click_end()
        bench.expect_step(step)
    bench.click_end()
    bench.expect_step("vehicle movement")
    lines = bench.part("turn-list").locator("li")
    expect(lines).to_have_count(len(TURN))
    for line, start in zip(lines.all(), TURN, strict=True):
        expect(line).to_contain_text(start)
    lines.nth(1).get_by_role("button").first.click()
    expect(bench.part("hex-panel")).to_contain_text("0705")
    assert height(bench.part("panel-log")) > 0.45 * height(bench.part("dock-right"))
    bench.press("a")
    expect(bench.part("turn-list")).to_have_count(0)
    assert height(bench.part("panel-log")) < 0.4 * height(bench.part("dock-right"))
    bench.press("a")
    expect(lines).to_have_count(len(TURN))
    expect(bench.part("playback")).to_have_count(0)


def test_the_last_result_is_read_before_who_has_won_lies_over_it(cinema: Table) -> None:
    """The German post has the last word of the battle."""
    cinema.begin("pl-last-turn", "last word", allied="human", german="greedy")
    cinema.sit_down()
    held = cinema.part("go-on")
    while not held.count():
        held.or_(cinema.page.locator("[data-testid=verb-end]:not([disabled])")).first.wait_for(timeout=3 * WAIT)
        if not held.count():
            cinema.end_phase(cinema.click_end)
    expect(cinema.part("prompt-side")).to_have_text("The battle is over")
    expect(cinema.part("outcome")).to_have_count(0)
    held.click()
    expect(cinema.part("outcome")).to_contain_text("German post")
