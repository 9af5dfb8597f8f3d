"""A first battle of Panzer Battles in the browser, from its beginning to its end."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.table import Table


def test_kalinovka_is_played_to_its_end(table: Table) -> None:
    table.begin("pb-kalinovka", "browser", allied="human", axis="greedy")
    table.sit_down()
    table.end_guide()
    expect(table.part("prompt-side")).to_have_text("Soviet rifle battalion")
    expect(table.part("prompt")).to_contain_text("PB-TURN-1")
    table.click("0507")
    table.click("0607")
    expect(table.part("preview")).to_contain_text("0607")
    table.part("confirm").click()
    expect(table.part("log").get_by_text("5th Company moves to 0607")).to_have_count(1)
    table.play_out(table.click_end)
    expect(table.part("outcome")).to_contain_text("victory")
