"""What the others do is played before one's eyes, event by event, and no more of it than one's side sees."""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table
from tests.browser.wire import Wire

pytestmark = pytest.mark.thorough

FILM = """own => {
  window.film = [];
  const look = () => {
    window.film.push(window.sandtable.counters().filter(({ id }) => !own.includes(id)));
    requestAnimationFrame(look);
  };
  look();
}"""
"""Takes down in each frame where the counters of the others are and how much of them shows."""

MEMORY = 0.45
"""How much shows of a counter whose unit is out of sight."""

SETTLED = f"({{ opacity }}) => opacity === 1 || opacity === {MEMORY}"

PASSED = f"() => window.film.at(-1).length && window.film.at(-1).every(({{ opacity }}) => opacity === {MEMORY})"
"""Somebody was there and is only remembered there."""

IDS = "() => window.sandtable.counters().map(({ id }) => id)"


class Scene(NamedTuple):
    """A counter in one hex, from when it got there until it left: how much of it showed in each frame."""

    hex: str
    opacity: list[float]


def start_film(table: Table) -> None:
    """From now on every frame is taken down."""
    table.page.evaluate(FILM, table.page.evaluate(IDS))


def scenes(table: Table) -> dict[int, list[Scene]]:
    """What the film shows of each counter, hex by hex."""
    frames: list[list[dict[str, Any]]] = table.page.evaluate("() => window.film")
    shots: dict[int, list[tuple[str, float]]] = {}
    for frame in frames:
        for counter in frame:
            shots.setdefault(counter["id"], []).append((counter["hex"], counter["opacity"]))
    return {
        id: [Scene(hex, [shot[1] for shot in group]) for hex, group in groupby(found, key=lambda shot: shot[0])]
        for id, found in shots.items()
    }


def send(table: Table, start: str, goal: str) -> None:
    """A unit was ordered there."""
    table.click(start)
    expect(table.part("verb-move")).to_be_visible()
    table.click(goal)
    expect(table.part("confirm")).to_be_enabled()
    table.part("confirm").click()
    expect(table.part("preview")).to_have_count(0)


class Gap(NamedTuple):
    """The lookout with his moving pictures, and the column on another device."""

    lookout: Table
    column: Table
    keys: dict[str, Any]


@pytest.fixture
def gap(cinema: Table, second_bench: Table) -> Gap:
    keys = cinema.found("pl-gap", "gap", allied="human", german="human")
    cinema.join(keys, "allied")
    second_bench.join(keys, "german")
    second_bench.expect_step("vehicle movement")
    return Gap(cinema, second_bench, keys)


def rest(table: Table) -> None:
    """What happened has been shown to its end."""
    expect(table.part("skip")).to_have_count(0)
    still = f"() => window.film.some((one) => one.length) && window.film.at(-1).every({SETTLED})"
    table.page.wait_for_function(still, timeout=WAIT)


def labels(passage: list[Scene]) -> list[str]:
    return [scene.hex for scene in passage]


def test_an_enemy_is_seen_from_where_he_comes_into_sight_to_where_he_goes_out_of_it(gap: Gap) -> None:
    start_film(gap.lookout)
    send(gap.column, "0402", "1002")
    expect(gap.lookout.part("log")).to_contain_text("is glimpsed in 0802", timeout=WAIT)
    rest(gap.lookout)
    (passage,) = scenes(gap.lookout).values()
    # behind the woods he is nowhere; the gap shows three hexes of his way
    assert labels(passage) == ["0602", "0703", "0802"]
    assert passage[0].opacity[0] < 0.5, "he comes into sight where the gap begins"
    assert passage[1].opacity == [1] * len(passage[1].opacity)
    assert passage[2].opacity[0] == 1
    assert passage[2].opacity[-1] == MEMORY, "he goes out of sight where the gap ends, and is remembered there"
    gap.lookout.click("0802")
    expect(gap.lookout.part("unit-panel")).to_contain_text("last seen on turn 1")
    gap.lookout.expect_said("last seen on turn 1")


SLOW = """() => {
  const busy = () => {
    const end = performance.now() + 180;
    while (performance.now() < end);
    requestAnimationFrame(busy);
  };
  busy();
}"""
"""Each frame takes as long as a counter takes from one hex to the next."""


def test_a_slow_machine_shows_no_less_of_a_passage(gap: Gap) -> None:
    start_film(gap.lookout)
    gap.lookout.page.evaluate(SLOW)
    send(gap.column, "0402", "1002")
    expect(gap.lookout.part("log")).to_contain_text("is glimpsed in 0802", timeout=WAIT)
    rest(gap.lookout)
    (passage,) = scenes(gap.lookout).values()
    assert labels(passage) == ["0602", "0703", "0802"]
    assert passage[0].opacity[0] < 0.5
    assert passage[2].opacity[-1] < 0.5


def test_an_enemy_who_stops_in_sight_stays_there(gap: Gap) -> None:
    start_film(gap.lookout)
    send(gap.column, "0402", "0703")
    expect(gap.lookout.part("log")).to_contain_text("comes into sight in 0703", timeout=WAIT)
    rest(gap.lookout)
    (passage,) = scenes(gap.lookout).values()
    assert labels(passage) == ["0602", "0703"]
    assert passage[1].opacity[-1] == 1
    gap.lookout.click("0703")
    expect(gap.lookout.part("unit-panel")).to_contain_text("PzKw IVh")


def test_a_replay_shows_an_enemy_who_only_passed(gap: Gap) -> None:
    send(gap.column, "0402", "1002")
    expect(gap.lookout.part("log")).to_contain_text("is glimpsed in 0802", timeout=WAIT)
    expect(gap.lookout.part("skip")).to_have_count(0)
    gap.lookout.press("y")
    at = gap.lookout.part("replay-at")
    expect(at).to_have_text("2 / 2")
    gap.lookout.part("older").click()
    expect(at).to_have_text("1 / 2")
    gap.lookout.page.wait_for_function("() => window.sandtable.counters().length === 1")
    start_film(gap.lookout)
    gap.lookout.part("newer").click()
    expect(at).to_have_text("2 / 2")
    gap.lookout.page.wait_for_function(PASSED, timeout=WAIT)
    (passage,) = scenes(gap.lookout).values()
    assert labels(passage) == ["0602", "0703", "0802"]


def test_who_has_seen_enough_skips_to_the_table_as_it_stands(cinema: Table, second_bench: Table) -> None:
    cinema.page.clock.install()
    keys = cinema.found("pl-gap", "skip", allied="human", german="human")
    cinema.join(keys, "allied")
    second_bench.join(keys, "german")
    second_bench.expect_step("vehicle movement")
    # no frame is drawn any more: what is on its way stays there
    cinema.page.clock.pause_at(cinema.page.evaluate("() => Date.now() + 1000"))
    send(second_bench, "0402", "0703")
    expect(cinema.part("skip")).to_be_visible()
    expect(cinema.part("log")).to_contain_text("comes into sight in 0703")
    assert [one["hex"] for one in cinema.page.evaluate("() => window.sandtable.counters()")] == ["0706", "0602"]
    cinema.press("Escape")
    expect(cinema.part("skip")).to_have_count(0)
    assert [one["hex"] for one in cinema.page.evaluate("() => window.sandtable.counters()")] == ["0706", "0703"]


def test_what_was_missed_while_the_line_was_down_is_caught_up_with_at_once(cinema: Table, second_bench: Table) -> None:
    cinema.forgive("WebSocket connection")
    wire = Wire(cinema)
    keys = cinema.found("pl-gap", "missed", allied="human", german="human")
    cinema.join(keys, "allied")
    second_bench.join(keys, "german")
    second_bench.expect_step("vehicle movement")
    start_film(cinema)
    wire.cut()
    expect(cinema.part("line")).to_be_visible()
    send(second_bench, "0402", "1002")
    send(second_bench, "0401", "0703")
    wire.mend()
    expect(cinema.part("log")).to_contain_text("comes into sight in 0703", timeout=WAIT)
    expect(cinema.part("log").get_by_text("is glimpsed in 0802")).to_have_count(1)
    assert wire.tables() == ["Snapshot", "Update"], "the server knew where we had left"
    rest(cinema)
    # he who passed meanwhile is remembered, he who stopped is there, and nobody was acted out
    passages = sorted(labels(passage) for passage in scenes(cinema).values())
    assert passages == [["0703"], ["0802"]]


def test_an_order_taken_back_changes_no_more_than_it_had_changed(cinema: Table) -> None:
    wire = Wire(cinema)
    cinema.join(cinema.found("pl-first-platoon", "undo", allied="human", german="human"), "allied")
    cinema.end_guide()
    before = cinema.page.evaluate("() => JSON.stringify(window.sandtable.counters())")
    send(cinema, "0309", "0506")
    expect(cinema.part("log")).to_contain_text("moves to 0506")
    expect(cinema.part("undo")).to_be_enabled()
    cinema.press("u")
    expect(cinema.part("log")).to_contain_text("You took an order back.")
    cinema.page.wait_for_function("before => JSON.stringify(window.sandtable.counters()) === before", arg=before)
    assert wire.tables() == ["Snapshot", "Update", "Update"]
    (step,) = [message for message in wire.heard if "steps" in message][-1]["steps"]
    assert len(step["changed"]) == 1, "the one unit that had moved"
    # and the same order can be given again
    send(cinema, "0309", "0506")


@pytest.mark.thorough
def test_older_lines_of_the_log_come_when_one_looks_for_them(bench: Table) -> None:
    bench.begin("pl-contact", "log", allied="human", german="random")
    bench.sit_down()
    bench.play_out(bench.click_end)
    bench.press("Escape")
    lines = bench.part("log").locator("[data-line]")
    told = lines.all_inner_texts()
    assert len(told) > 12

    wire = Wire(bench)
    wire.page_of_log = 3
    bench.page.reload()
    bench.sit_down()
    bench.press("Escape")
    expect(lines).to_have_count(3)
    bench.part("log").focus()
    bench.press("ArrowUp")
    expect(lines).to_have_count(len(told))
    assert lines.all_inner_texts() == told
    expect(bench.part("older-log")).to_have_count(0)
    expect(lines.nth(0)).to_have_attribute("data-line", "1")
    assert [message["type"] for message in wire.heard].count("LogPage") == 1
