"""A move under the eyes of enemies who may fire at it: the panel tells what they may do and promises nothing."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table

pytestmark = pytest.mark.thorough


def in_vehicle_movement(table: Table) -> None:
    """Opportunity fire is played, and the Shermans are about to drive."""
    table.set_up("pl-first-platoon", "passage", "greedy", "Opportunity fire (PL-1601)")
    table.sit_down()
    table.expect_step("vehicle movement")


def test_a_move_past_a_gun_shows_the_shots_it_invites(table: Table) -> None:
    in_vehicle_movement(table)
    table.click("0309")
    table.click("0906")
    shots = table.part("reactions")
    expect(shots).to_be_visible()
    expect(table.part("odds")).to_contain_text("If nobody reacts, it happens as ordered.")
    expect(table.part("preview")).not_to_contain_text("No dice")
    bars = shots.locator(":scope > .bar")
    expect(bars.nth(0)).to_contain_text(re.compile(r"if nobody reacts\s*100%"))
    expect(bars.nth(1)).to_contain_text(re.compile(r"at least, whatever known enemies do\s*50%"))
    expect(shots.locator(":scope > details")).to_have_count(2)
    first = shots.locator(":scope > details").first
    expect(first).to_contain_text("0806")
    first.locator("summary").first.click()
    expect(first.locator(".bar").first).to_contain_text("50%")
    table.expect_said("At least 50% to get through.")


def test_a_move_that_nobody_watches_happens_as_ordered(table: Table) -> None:
    in_vehicle_movement(table)
    table.click("0309")
    table.click("0408")
    expect(table.part("odds")).to_contain_text("No dice: it happens as ordered.")
    expect(table.part("reactions")).to_have_count(0)
