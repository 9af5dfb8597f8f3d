"""Steps in which a side can do nothing pass by themselves, and what was answered is not asked again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.serving import NO_LIST
from tests.browser.table import Table
from tests.browser.test_reactions import drive, face_to_face

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "human"}


def test_a_phase_in_which_nothing_can_be_done_passes_by_itself_and_is_told(novice: Table) -> None:
    novice.join(novice.found("pl-picket", "pass", **SEATS), "allied")
    novice.expect_step("foot movement")
    expect(novice.part("notice")).to_contain_text("Passed over, as there was nothing to do:")
    expect(novice.part("notice")).to_contain_text("Vehicle movement")
    expect(novice.part("log")).to_contain_text("Allied: vehicle movement.")


def test_whoever_takes_the_passing_back_may_stay(novice: Table) -> None:
    novice.join(novice.found("pl-picket", "stay", **SEATS), "allied")
    novice.expect_step("foot movement")
    expect(novice.part("undo")).to_be_enabled()
    novice.part("undo").click()
    novice.expect_step("vehicle movement")
    expect(novice.part("undo")).to_be_visible()
    # nothing passes behind the back of who has just taken it back
    novice.page.wait_for_timeout(600)
    novice.expect_step("vehicle movement")


def test_who_wants_to_end_every_phase_himself_can(novice: Table) -> None:
    novice.page.add_init_script(NO_LIST)
    novice.join(novice.found("pl-picket", "hand", **SEATS), "allied")
    novice.expect_step("vehicle movement")
    novice.part("tool-settings").click()
    expect(novice.part("passing")).not_to_be_checked()


def test_nothing_passes_while_somebody_could_act(novice: Table) -> None:
    novice.join(novice.found("pl-column", "act", **SEATS), "allied")
    novice.expect_step("indirect orders")
    expect(novice.part("notice")).to_have_count(0)


def test_what_was_answered_is_not_asked_while_what_comes_of_it_is_shown(cinema: Table, second_bench: Table) -> None:
    face_to_face(cinema, second_bench, "answered")
    drive(second_bench, "0408", "0911")
    expect(cinema.part("prompt")).to_contain_text("Your choice")
    cinema.part("verb-pass").click()
    expect(cinema.part("verb-pass")).to_have_count(0)
    expect(cinema.part("prompt")).to_contain_text("Waiting for US column")
    # the next hex asks anew
    expect(cinema.part("verb-pass")).to_be_enabled()
    expect(cinema.part("caption")).to_contain_text("moves to 0710")


def test_a_reaction_is_planned_with_a_button_that_is_whole(cinema: Table, second_bench: Table) -> None:
    cinema.page.set_viewport_size({"width": 1366, "height": 768})
    face_to_face(cinema, second_bench, "whole")
    drive(second_bench, "0408", "0911")
    expect(cinema.part("verb-opportunity")).to_be_visible()
    cinema.part("verb-opportunity").click()
    expect(cinema.part("confirm")).to_be_enabled()
    cinema.expect_whole("confirm")


@pytest.mark.parametrize("scenario", ["pl-town-assault", "pl-crossroads", "p44-orne"])
def test_how_things_stand_is_read_whole_on_a_small_screen(cinema: Table, scenario: str) -> None:
    cinema.page.set_viewport_size({"width": 1366, "height": 768})
    cinema.join(cinema.found(scenario, "standing", **SEATS), "allied")
    words = cinema.part("standing").locator(".now")
    expect(words).to_be_visible()
    assert words.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")
