"""When something fails the page says so in a plain sentence, loses nothing and goes on when it can."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Dialog, Route, expect

from tests.browser.table import WAIT, Table
from tests.browser.wire import Wire

pytestmark = pytest.mark.thorough

SEATS = {"allied": "human", "german": "greedy"}


@pytest.fixture
def wire(bench: Table) -> Wire:
    bench.forgive("WebSocket connection")
    wire = Wire(bench)
    bench.begin("pl-contact", "wire", **SEATS)
    bench.sit_down()
    bench.expect_step("direct fire")
    return wire


def test_a_line_that_breaks_comes_back_and_the_plan_is_still_there(bench: Table, wire: Wire) -> None:
    bench.click("0507")
    bench.click("0808")
    expect(bench.part("odds")).to_be_visible()
    wire.cut()
    expect(bench.part("line")).to_contain_text("nothing you ordered is lost")
    bench.part("preview").get_by_role("radio").nth(1).check()
    expect(bench.part("preview")).to_contain_text("Working out the odds")
    wire.mend()
    expect(bench.part("line")).to_have_count(0)
    expect(bench.part("preview").get_by_role("radio").nth(1)).to_be_checked()
    expect(bench.part("odds")).to_be_visible(timeout=WAIT)
    bench.part("confirm").click()
    expect(bench.part("log").get_by_text(re.compile("fires? at"))).to_have_count(1)
    assert wire.opened == 2


def test_an_order_whose_answer_was_lost_is_carried_out_once(bench: Table, wire: Wire) -> None:
    bench.click("0507")
    bench.click("0808")
    expect(bench.part("confirm")).to_be_enabled()
    wire.keeps_back = "Accepted"
    bench.part("confirm").click()
    expect(bench.part("log").get_by_text(re.compile("fires? at"))).to_have_count(1)
    wire.cut()
    expect(bench.part("line")).to_be_visible()
    wire.mend()
    expect(bench.part("line")).to_have_count(0)
    expect(bench.part("preview")).to_have_count(0)
    expect(bench.part("verb-end")).to_be_enabled(timeout=WAIT)
    expect(bench.part("log").get_by_text(re.compile("fires? at"))).to_have_count(1)
    expect(bench.part("notice")).to_have_count(0)
    assert len(wire.kept) == 1


def test_a_page_with_an_unanswered_order_asks_before_it_is_left(bench: Table, wire: Wire) -> None:
    bench.click("0507")
    bench.click("0808")
    expect(bench.part("confirm")).to_be_enabled()
    wire.cut()
    expect(bench.part("line")).to_be_visible()
    bench.part("confirm").click()
    expect(bench.part("confirm")).to_be_disabled()
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    bench.page.on("dialog", stay)
    with bench.page.expect_event("dialog"):
        bench.page.close(run_before_unload=True)
    wire.mend()
    expect(bench.part("log").get_by_text(re.compile("fires? at"))).to_have_count(1)
    assert asked == ["beforeunload"]


def test_a_battle_deleted_meanwhile_says_so(bench: Table, wire: Wire) -> None:
    id = bench.page.url.rpartition("/")[2]
    keys = bench.page.request.post(f"{bench.url}api/battles/{id}/keys").json()
    token = next(iter(keys["tokens"].values()))
    gone = bench.page.request.delete(f"{bench.url}api/battles/{id}", headers={"Authorization": f"Bearer {token}"})
    assert gone.ok
    expect(bench.page.get_by_role("alert")).to_contain_text("The battle was deleted.")
    bench.page.get_by_role("button", name="Back to the lobby").click()
    expect(bench.part("play-pl-first-platoon")).to_be_visible(timeout=WAIT)


def test_a_battle_that_is_not_there_says_so(bench: Table) -> None:
    bench.forgive("404")
    bench.page.goto(f"{bench.url}#/battle/0123456789abcdef0123456789abcdef")
    expect(bench.page.get_by_role("alert")).to_contain_text("There is no such battle.")
    bench.page.get_by_role("button", name="Back to the lobby").click()
    expect(bench.part("play-pl-first-platoon")).to_be_visible(timeout=WAIT)


def unanswered(route: Route) -> None:
    route.abort()


def test_a_lobby_without_a_server_says_so_and_tries_again(bench: Table) -> None:
    bench.forgive("net::ERR_FAILED")
    bench.page.route("**/api/**", unanswered)
    bench.page.goto(bench.url)
    expect(bench.page.get_by_role("alert")).to_contain_text("The server does not answer. Is Sandtable still running?")
    bench.page.unroute("**/api/**")
    bench.page.get_by_role("button", name="Try again").click()
    expect(bench.part("play-pl-first-platoon")).to_be_visible(timeout=WAIT)

    bench.page.route("**/api/battles", unanswered)
    bench.part("play-pl-contact").click()
    expect(bench.page.get_by_role("alert")).to_contain_text("The server does not answer.")
    bench.page.unroute("**/api/battles")
    bench.part("play-pl-contact").click()
    bench.sit_down()


def test_a_file_that_is_no_record_says_so(bench: Table) -> None:
    bench.forgive("400")
    bench.open_lobby()
    chosen = bench.part("import")
    chosen.set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"dear diary"})
    told = bench.page.get_by_role("alert")
    expect(told).to_contain_text("The file notes.txt is neither a record nor a save of Sandtable.")
    chosen.set_input_files({"name": "other.json", "mimeType": "application/json", "buffer": b'{"a": 1}'})
    expect(bench.page.get_by_role("alert")).to_contain_text("That is no record")
    expect(bench.part("play-pl-first-platoon")).to_be_visible()


def test_rules_that_could_not_be_fetched_are_fetched_again(bench: Table) -> None:
    bench.forgive("net::ERR_FAILED")
    bench.page.route("**/api/rules/**", unanswered)
    bench.begin("pl-contact", "rules", **SEATS)
    bench.sit_down()
    bench.press("r")
    expect(bench.part("rules").get_by_role("alert")).to_contain_text("The server does not answer.")
    bench.press("Escape")
    bench.page.unroute("**/api/rules/**")
    bench.press("r")
    expect(bench.part("rules").locator("[data-rule='PL-808']")).to_have_count(1)
    expect(bench.part("rules").get_by_role("alert")).to_have_count(0)


def test_a_battle_that_cant_be_opened_says_so_and_offers_its_record(table: Table) -> None:
    keys = table.found("pl-first-platoon", "broken", allied="human", german="greedy")

    def broken(route: Route) -> None:
        cards = route.fetch().json()
        for card in cards:
            if card["id"] == keys["id"]:
                card.update(trouble="the log of this battle is damaged", readable=True)
        route.fulfill(json=cards)

    table.page.route("**/api/battles", broken)
    table.page.route("**/salvage", lambda route: route.fulfill(json={"entries": [], "digest": ""}))
    table.open_lobby()
    row = table.part(f"battle-{keys['id']}")
    expect(row).to_contain_text("The log of this battle is damaged.")
    expect(row).to_contain_text("Its record can be downloaded, with all of it that can still be read.")
    expect(row.get_by_role("button", name="Resume")).to_have_count(0)
    with table.page.expect_download() as download:
        row.get_by_role("button", name="Record").click()
    assert download.value.suggested_filename.startswith("pl-first-platoon-")
