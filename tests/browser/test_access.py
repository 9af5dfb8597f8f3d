"""Every screen passes the accessibility checker, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.table import Table


def faults_of(table: Table, axe: str) -> list[str]:
    """What the checker objects to on the page as it is."""
    # evaluated through the debugger: the page's own policy lets no foreign script in
    table.page.evaluate(axe)
    found = table.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {fault['help']}: {node['html'][:160]}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lobby_and_its_dialog_are_open_to_everybody(table: Table, axe: str, theme: str) -> None:
    table.page.emulate_media(color_scheme=theme)
    table.open_lobby()
    assert faults_of(table, axe) == []
    table.part("scenario-pl-first-platoon").get_by_role("button", name="Set up").click()
    expect(table.part("new-battle")).to_be_visible()
    assert faults_of(table, axe) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_table_and_its_windows_are_open_to_everybody(table: Table, axe: str, theme: str) -> None:
    table.page.emulate_media(color_scheme=theme)
    table.set_up("pl-first-platoon", "access")
    table.sit_down()
    table.click("0309")
    table.click("0507")
    expect(table.part("odds")).to_be_visible()
    assert faults_of(table, axe) == []
    table.part("cancel").click()
    table.press("Shift+L")
    table.hover("0605")
    expect(table.part("sight-text")).to_be_visible()
    assert faults_of(table, axe) == []
    for key, name in (
        ("Shift+O", "forces"),
        ("b", "standing-window"),
        ("?", "keys"),
        (",", "settings"),
        ("r", "rules"),
    ):
        table.press(key)
        expect(table.part(name)).to_be_visible()
        assert faults_of(table, axe) == [], name
        table.press("Escape")
        expect(table.part(name)).to_have_count(0)


def test_the_curtain_is_open_to_everybody(table: Table, axe: str) -> None:
    table.set_up("pl-first-platoon", "access", german="you")
    expect(table.part("curtain")).to_be_visible()
    assert faults_of(table, axe) == []
