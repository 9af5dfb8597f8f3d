"""Reactions to the other side's moves, asked for as a player sees them: one hex after the other, in motion."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table
from tests.browser.wire import Wire

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "human"}


def face_to_face(watcher: Table, mover: Table, seed: str) -> None:
    """The column is about to drive past a tank whose crew may fire at it."""
    keys = mover.found("pl-column", seed, "opportunity_fire", **SEATS)
    mover.join(keys, "allied")
    watcher.join(keys, "german")
    for step in ("indirect orders", "direct fire"):
        mover.expect_step(step)
        mover.part("verb-end").click()
    mover.expect_step("vehicle movement")


def drive(table: Table, start: str, goal: str) -> None:
    """A vehicle is sent there."""
    table.click(start)
    expect(table.part("verb-move")).to_be_visible()
    table.click(goal)
    expect(table.part("confirm")).to_be_enabled()
    table.part("confirm").click()


def reactions(wire: Wire) -> int:
    """How often the page was told that it may react."""
    count = 0
    open_now: list[dict[str, Any]] = []
    for message in wire.heard:
        if message["type"] == "Update":
            # what is absent is as it was
            open_now = message["table"].get("decisions", open_now)
            count += any(one["optional"] for one in open_now)
    return count


def test_every_hex_asks_again_until_the_whole_move_is_let_go_by(cinema: Table, second_bench: Table) -> None:
    wire = Wire(cinema)
    face_to_face(cinema, second_bench, "let go")
    drive(second_bench, "0408", "0911")
    expect(cinema.part("prompt")).to_contain_text("Your choice")
    cinema.part("verb-pass").click()
    expect(cinema.part("let-go")).to_be_enabled()
    expect(cinema.part("let-go")).to_contain_text("Let the whole move go by")
    asked = reactions(wire)
    cinema.part("let-go").click()
    expect(second_bench.part("log")).to_contain_text("moves to 0911", timeout=WAIT)
    assert reactions(wire) == asked, "nobody was asked again"
    # the next order asks anew
    expect(cinema.part("let-go")).to_have_count(0)
    drive(second_bench, "0408", "0809")
    expect(cinema.part("prompt")).to_contain_text("Your choice")
    expect(cinema.part("let-go")).to_be_enabled()


def test_the_whole_move_goes_by_with_one_key(cinema: Table, second_bench: Table) -> None:
    face_to_face(cinema, second_bench, "key")
    drive(second_bench, "0408", "0911")
    expect(cinema.part("let-go")).to_be_enabled()
    cinema.press("Shift+Space")
    expect(second_bench.part("log")).to_contain_text("moves to 0911", timeout=WAIT)


def test_space_lets_a_move_go_by_also_while_what_was_seen_last_is_still_there_to_be_read(
    cinema: Table, second_bench: Table
) -> None:
    wire = Wire(cinema)
    face_to_face(cinema, second_bench, "space")
    drive(second_bench, "0408", "0911")
    expect(cinema.part("go-on")).to_be_visible()
    expect(cinema.part("verb-pass")).to_contain_text("Space")
    before = reactions(wire)
    cinema.press("Space")
    # the next hex is shown like the one before: it is the other side's move still
    expect(cinema.part("caption")).to_contain_text("moves to 0710")
    expect(cinema.part("go-on")).to_be_visible()
    assert reactions(wire) == before + 1, "one press, one answer"


def test_the_map_does_not_jump_when_a_reaction_is_asked_for(cinema: Table, second_bench: Table) -> None:
    face_to_face(cinema, second_bench, "height")
    before = cinema.part("map").bounding_box()
    drive(second_bench, "0408", "0911")
    expect(cinema.part("prompt")).to_contain_text("Your choice")
    expect(cinema.part("let-go")).to_be_enabled()
    assert cinema.part("map").bounding_box() == before


def test_where_space_answers_it_does_not_stop_the_showing_as_well(cinema: Table, second_bench: Table) -> None:
    face_to_face(cinema, second_bench, "twice")
    drive(second_bench, "0408", "0911")
    expect(cinema.part("verb-pass")).to_be_enabled()
    cinema.press("Space", "Space")
    expect(cinema.part("caption")).to_contain_text("moves to 0710")
    expect(cinema.part("verb-pass")).to_be_enabled()
    expect(cinema.part("pause")).to_have_count(0)


HEAR = """() => {
  const announcer = document.querySelector('[data-testid=announcer]');
  const parts = { childList: true, characterData: true, subtree: true };
  window.heard = [];
  new MutationObserver(() => window.heard.push(announcer.textContent)).observe(announcer, parts);
}"""


def test_what_comes_of_ones_own_shot_is_heard_and_read_before_the_move_goes_on(
    cinema: Table, second_bench: Table
) -> None:
    face_to_face(cinema, second_bench, "d")
    cinema.page.evaluate(HEAR)
    drive(second_bench, "0408", "0911")
    expect(cinema.part("prompt")).to_contain_text("Your choice")
    cinema.part("verb-opportunity").click()
    expect(cinema.part("confirm")).to_be_enabled()
    cinema.part("confirm").click()
    expect(cinema.part("caption")).to_contain_text("fires", timeout=WAIT)
    expect(second_bench.part("log")).to_contain_text("moves to 0911", timeout=WAIT)
    cinema.expect_said("moves to 0911")
    fires, goes_on = (
        cinema.page.evaluate("words => window.heard.findIndex((one) => one.includes(words))", words)
        for words in ("die 6, no effect", "moves to 0911")
    )
    assert 0 <= fires < goes_on
