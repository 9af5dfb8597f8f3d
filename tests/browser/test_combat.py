"""Fire and close assault: seen, weighed, ordered and told, by mouse and by keys alone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.table import Table

SEATS = {"allied": "human", "german": "greedy"}


def in_contact(table: Table, seed: str) -> None:
    """Both sides stand eye to eye and it is our direct fire."""
    table.begin("pl-contact", seed, **SEATS)
    table.sit_down()
    table.expect_step("direct fire")


def to_the_assault(table: Table) -> None:
    """The phases before the close assault have passed."""
    for step in ("direct fire", "vehicle movement", "foot movement"):
        table.expect_step(step)
        table.press("Control+Enter")
    table.expect_step("close assault")


def expect_reasons(table: Table, words: str, *rules: str) -> None:
    """The log tells of it, and unfolds into lines that cite those rules."""
    entry = table.part("log").locator("li.reasoned", has_text=words)
    expect(entry).to_have_count(1)
    entry.locator("summary").click()
    for rule in rules:
        expect(entry.locator("tr").get_by_role("button", name=rule, exact=True).first).to_be_visible()


def test_a_target_is_marked_weighed_and_shot_at_by_mouse(bench: Table) -> None:
    in_contact(bench, "fire")
    plain = bench.look("0808")
    bench.click("0507")
    expect(bench.part("verb-fire")).to_have_attribute("aria-pressed", "true")
    expect(bench.part("orders")).to_contain_text("3 hexes to choose from")
    bench.expect_change("0808", plain)
    bench.hover("0808")
    expect(bench.page.get_by_text("Fire: 4-1", exact=False).first).to_be_visible()

    bench.click("0808")
    bars = bench.part("odds").locator(".bar")
    expect(bars).to_have_count(2)
    expect(bars.first).to_contain_text(re.compile(r"destroyed\s*83%"))
    for rule in ("PL-307", "PL-808", "PL-802", "PL-831"):
        line = bench.part("preview").locator("tr", has=bench.page.get_by_role("button", name=rule, exact=True))
        expect(line.first).to_be_visible()
    bench.part("preview").get_by_role("button", name="PL-808", exact=True).click()
    expect(bench.part("rules").locator("[data-rule='PL-808']")).to_be_focused()
    bench.press("Escape")
    expect(bench.part("rules")).to_have_count(0)

    ranged = bench.look("0808")
    bench.part("confirm").click()
    expect(bench.part("log")).to_contain_text("destroyed")
    bench.expect_change("0808", ranged)
    expect(bench.part("unit-panel")).to_contain_text("Wreck")
    expect_reasons(bench, "fires at", "PL-307", "PL-808", "PL-802")
    bench.click("0507")
    expect(bench.part("unit-panel")).to_contain_text("fired")
    expect(bench.part("refusal").get_by_role("button", name="PL-801")).to_be_visible()


def test_two_tanks_fire_together_when_that_way_is_chosen(bench: Table) -> None:
    in_contact(bench, "together")
    bench.click("0507")
    bench.click("0808")
    expect(bench.part("odds")).to_be_visible()
    bench.part("preview").get_by_role("radio").nth(1).check()
    expect(bench.part("preview")).to_contain_text("44")
    bench.press("Enter")
    expect(bench.part("log")).to_contain_text(re.compile(r"Sherman.* and .*Sherman.*fire at"))
    for place in ("0507", "0407"):
        bench.click(place)
        expect(bench.part("unit-panel")).to_contain_text("fired")


def test_a_house_is_stormed_by_mouse(bench: Table) -> None:
    in_contact(bench, "storm")
    to_the_assault(bench)
    bench.double_click("0606")
    expect(bench.part("verb-assault")).to_have_attribute("aria-pressed", "true")
    bench.click("0605")
    expect(bench.part("odds")).to_contain_text("50%")
    for rule in ("PL-1023", "PL-1025", "PL-833"):
        expect(bench.part("preview").get_by_role("button", name=rule, exact=True).first).to_be_visible()
    bench.click("0605")
    expect_reasons(bench, "close assault", "PL-1023", "PL-1025", "PL-833")
    bench.click("0606")
    expect(bench.part("unit-panel").get_by_text("fired")).to_have_count(2)


def test_a_house_is_shot_at_and_stormed_by_keys_alone(bench: Table) -> None:
    in_contact(bench, "keys")
    bench.part("map").focus()
    bench.press("]")
    bench.expect_said("Sherman")
    bench.press("f")
    bench.expect_said("Fire: 3 hexes to choose from")
    bench.press("Shift+ArrowRight")
    bench.expect_said("Fire: 2-1")
    bench.press("Enter")
    bench.expect_said("Enter confirms")
    bench.press("Enter")
    expect(bench.part("log")).to_contain_text("fires at Rifle platoon")
    bench.expect_said("fires at Rifle platoon")

    to_the_assault(bench)
    bench.press("]")
    bench.expect_said("Rifle platoon")
    bench.press("s")
    bench.expect_said("2 units selected in 0606")
    bench.press("a")
    bench.expect_said("Enter confirms")
    expect(bench.part("hex-id")).to_have_text("0605")
    bench.press("Enter")
    expect(bench.part("log")).to_contain_text("close assault")
    bench.expect_said("close assault")


def test_enter_confirms_what_a_verb_s_button_proposed(bench: Table) -> None:
    in_contact(bench, "button")
    to_the_assault(bench)
    bench.click("0606")
    bench.part("verb-assault").click()
    expect(bench.part("confirm")).to_be_enabled()
    bench.press("Enter")
    expect(bench.part("log")).to_contain_text("close assault")
