"""Decisions that are made at the same time and in secret, and reactions within reactions: the toy at one screen."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table
from tests.kit import toy

SEATS = {"red": "hot-seat", "blue": "hot-seat"}


def lift(table: Table, side: str) -> None:
    """The player of that side has sat down, and the replay of what his side saw is over."""
    expect(table.part("curtain")).to_contain_text(f"Hand over to {side}")
    expect(table.part("map")).to_have_count(0)
    table.part("lift").click()
    table.await_map()
    table.part("prompt").or_(table.part("leave-replay")).first.wait_for()
    if table.part("replay").count():
        table.press("Escape")
    expect(table.part("prompt-side")).to_have_text(side)
    table.read_briefing()


def bid(table: Table, amount: int) -> None:
    """The side that sits there has bid."""
    table.part("verb-bid").click()
    table.part("preview").get_by_label(f"bid {amount}").check()
    expect(table.part("preview").get_by_role("heading")).to_have_text(f"Bid {amount}.")
    table.part("confirm").click()


def expect_asked(table: Table, step: str, prompt: str, rule: str) -> None:
    """The bar says what is expected now and which rule asks for it."""
    expect(table.part("step")).to_have_text(step)
    expect(table.part("prompt")).to_contain_text(prompt)
    expect(table.part("prompt").get_by_role("button", name=rule)).to_be_visible()


@pytest.fixture
def lane(bench: Table) -> Table:
    bench.begin("toy-lane", "lane", **SEATS)
    return bench


def test_sealed_decisions_are_made_apart_and_opened_together(lane: Table) -> None:
    lift(lane, "Red posts")
    expect_asked(lane, "Bid", "Sealed: the other side sees it when both have decided.", "TOY-2")
    expect(lane.part("lacking")).to_have_text("Your bid is still to be made.")
    bid(lane, 1)

    lift(lane, "Blue posts")
    expect_asked(lane, "Bid", "Sealed: the other side sees it when both have decided.", "TOY-2")
    expect(lane.part("log")).to_contain_text("red has bid.")
    expect(lane.page.locator("body")).not_to_contain_text("red bids")
    expect(lane.page.locator("body")).not_to_contain_text("opened")
    bid(lane, 3)
    expect(lane.part("log")).to_contain_text("The bids are opened: red 1, blue 3; blue moves first.")
    expect_asked(lane, "Move", "Move, watch or shoot.", "TOY-4")
    lane.click_end()

    lift(lane, "Red posts")
    expect(lane.part("log")).to_contain_text("red bids 1.")
    expect(lane.part("log")).to_contain_text("blue has bid.")
    expect(lane.part("log")).to_contain_text("The bids are opened: red 1, blue 3; blue moves first.")
    expect(lane.page.locator("body")).not_to_contain_text("blue bids")


@pytest.mark.thorough
def test_a_sealed_decision_can_be_weighed_and_left_and_is_not_lost_on_reload(lane: Table) -> None:
    lift(lane, "Red posts")
    lane.part("verb-bid").click()
    expect(lane.part("confirm")).to_be_enabled()
    lane.press("Escape")
    expect(lane.part("preview")).to_have_count(0)
    bid(lane, 2)
    expect(lane.part("curtain")).to_contain_text("Blue posts")
    lane.page.reload()
    lift(lane, "Blue posts")
    expect(lane.part("log")).to_contain_text("red has bid.")
    expect(lane.part("verb-bid")).to_be_visible()


@pytest.mark.thorough
def test_two_players_on_two_devices_decide_at_the_same_time(bench: Table, second_bench: Table) -> None:
    keys = bench.found("toy-lane", "apart", red="human", blue="human")
    red, blue = bench, second_bench
    red.join(keys, "red")
    blue.join(keys, "blue")
    blue.part("verb-bid").click()
    blue.part("preview").get_by_label("bid 2").check()
    bid(red, 3)
    expect(red.part("prompt")).to_contain_text("Waiting for Blue posts.")
    expect(blue.part("log")).to_contain_text("red has bid.")
    # what blue was weighing is still before him, and red's bid is nowhere
    expect(blue.part("preview").get_by_label("bid 2")).to_be_checked()
    expect(blue.page.locator("body")).not_to_contain_text("red bids")
    blue.part("confirm").click()
    for page in (red, blue):
        expect(page.part("log")).to_contain_text("The bids are opened: red 3, blue 2; red moves first.")
    expect_asked(red, "Move", "Move, watch or shoot.", "TOY-4")
    expect(blue.part("prompt")).to_contain_text("Waiting for Red posts.")


def test_a_reaction_is_answered_within_a_reaction(lane: Table) -> None:
    lift(lane, "Red posts")
    bid(lane, 1)
    lift(lane, "Blue posts")
    bid(lane, 3)
    expect(lane.part("log")).to_contain_text("blue moves first")
    lane.click("0306")
    expect(lane.part("verb-shoot")).to_be_visible()
    lane.part("verb-shoot").click()
    lane.click("0304")
    expect(lane.part("preview").get_by_role("button", name="TOY-8")).to_be_visible()
    lane.part("confirm").click()

    lift(lane, "Red posts")
    expect_asked(lane, "Dodge", "Your choice. Blue post 3 fires at red post 2. Dodge?", "TOY-7")
    lane.part("verb-dodge").click()
    expect(lane.part("confirm")).to_be_enabled()
    lane.part("confirm").click()

    lift(lane, "Blue posts")
    expect_asked(lane, "Press", "Your choice. Blue post 3 fires at red post 2, who dodges. Press?", "TOY-7")
    lane.part("verb-press").click()
    expect(lane.part("odds")).to_contain_text("50%")
    expect(lane.part("preview")).to_contain_text("the target dodges")
    expect(lane.part("preview")).to_contain_text("the shooter presses")
    lane.part("confirm").click()
    expect(lane.part("log")).to_contain_text(re.compile(r"blue post 3 fires at (red )?post 2: \d against 4"))
    expect_asked(lane, "Move", "Move, watch or shoot.", "TOY-4")


def test_an_automatic_reaction_comes_unasked_and_unforeseen(lane: Table) -> None:
    lift(lane, "Red posts")
    bid(lane, 1)
    lift(lane, "Blue posts")
    bid(lane, 3)
    expect(lane.part("log")).to_contain_text("blue moves first")
    lane.click("0306")
    lane.part("verb-watch").click()
    expect(lane.part("confirm")).to_be_enabled()
    lane.part("confirm").click()
    expect(lane.part("preview")).to_have_count(0)
    expect(lane.part("unit-panel")).to_contain_text("acted")
    lane.click_end()

    lift(lane, "Red posts")
    lane.click("0304")
    expect(lane.part("verb-move")).to_be_visible()
    lane.click("0305")
    # that somebody watches is blue's secret: neither the odds nor the log know of it
    expect(lane.part("odds")).to_contain_text("No dice")
    expect(lane.page.locator("body")).not_to_contain_text("atched")
    lane.part("confirm").click()
    expect(lane.part("log")).to_contain_text(re.compile(r"blue post 3 fires at (red )?post 2: \d against 6"))
    expect_asked(lane, "Move", "Move, watch or shoot.", "TOY-4")


def test_the_rules_on_the_table_are_the_toy_s_own() -> None:
    book = tomllib.loads((Path(__file__).parent / "outpost" / "rules.toml").read_text(encoding="utf-8"))
    assert {rule["id"]: rule["text"] for rule in book["rule"]} == toy.RULES


@pytest.mark.thorough
def test_a_reaction_can_be_let_be_by_a_key(lane: Table) -> None:
    lift(lane, "Red posts")
    bid(lane, 3)
    lift(lane, "Blue posts")
    bid(lane, 1)
    lift(lane, "Red posts")
    lane.part("map").focus()
    lane.press("[")
    expect(lane.part("verb-shoot")).to_be_visible()
    lane.part("verb-shoot").click()
    expect(lane.part("confirm")).to_be_enabled()
    lane.part("confirm").click()

    lift(lane, "Blue posts")
    expect_asked(lane, "Dodge", "Dodge?", "TOY-7")
    lane.press("p")
    lift(lane, "Red posts")
    expect(lane.part("log")).to_contain_text("against 4")
    expect_asked(lane, "Move", "Move, watch or shoot.", "TOY-4")
