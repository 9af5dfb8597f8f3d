"""Battles saved to a file and taken up again, and addresses that lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

PASSPHRASE = "Ardennes in December"


def save(table: Table, own: str, passphrase: str = "") -> Path:
    """The battle is saved from the lobby; the file."""
    table.page.goto(table.url)
    table.part(f"battle-{own}").get_by_role("button", name="Save").click()
    if passphrase:
        table.part("with-passphrase").check()
        table.part("passphrase").fill(passphrase)
    with table.page.expect_download() as saved:
        table.part("save-file").click()
    assert saved.value.suggested_filename.endswith(".save.json")
    return Path(saved.value.path())


def moved(cinema: Table) -> str:
    """A battle in which a unit has moved; its id."""
    cinema.set_up("pl-first-platoon", "saved")
    cinema.sit_down()
    cinema.end_guide()
    cinema.click("0309")
    cinema.click("0507")
    cinema.part("confirm").click()
    expect(cinema.part("log")).to_contain_text("moves to 0507", timeout=WAIT)
    return cinema.page.url.rpartition("/")[2]


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE])
def test_a_running_battle_is_saved_and_taken_up_again(cinema: Table, passphrase: str) -> None:
    cinema.forgive("400")
    own = moved(cinema)
    file = save(cinema, own, passphrase)
    cinema.part("import").set_input_files(file)
    if passphrase:
        expect(cinema.part("unseal")).to_contain_text("This save is sealed with a passphrase.")
        cinema.part("passphrase").fill("a wrong guess")
        cinema.part("open-save").click()
        expect(cinema.part("unseal")).to_contain_text("That passphrase does not open this save")
        cinema.part("passphrase").fill(passphrase)
        cinema.part("open-save").click()
    expect(cinema.page).to_have_url(re.compile("#/battle/"), timeout=WAIT)
    assert not cinema.page.url.endswith(own)
    cinema.sit_down()
    expect(cinema.part("log")).to_contain_text("moves to 0507")
    assert cinema.await_decision()


def test_a_file_that_is_none_of_ours_is_told(cinema: Table, tmp_path: Path) -> None:
    cinema.forgive("400")
    cinema.open_lobby()
    for name, text, said in (
        ("letter.json", "Dear Anna", "The file letter.json is neither a record nor a save of Sandtable."),
        ("empty.json", "", "The file empty.json is neither a record nor a save of Sandtable."),
        ("list.json", "[]", "That is no record of a whole battle, and no save."),
        ("other.json", "{}", "That is no record of a whole battle, and no save."),
    ):
        (tmp_path / name).write_text(text)
        cinema.part("import").set_input_files(tmp_path / name)
        expect(cinema.page.get_by_role("alert")).to_have_text(said)


NOWHERE = {
    "#/battle/nonsense": "There is no such battle.",
    "#/battle/%": "There is no such battle.",
    "#/battle/%F0%9F": "There is no such battle.",
    f"#/battle/{'0' * 32}": "There is no such battle.",
    f"#/battle/{'0' * 32}/german": "There is no such battle.",
    f"#/battle/{'0' * 32}/watch": "There is no such battle.",
    f"#/join/{'0' * 32}/nothing": "This invitation is of no use any more",
    "#/join/nonsense/nothing": "This invitation is of no use any more",
    "#/join/nonsense": "This invitation is of no use any more",
    "#/join/%/%": "This invitation is of no use any more",
}


@pytest.mark.parametrize("address", NOWHERE)
def test_an_address_that_leads_nowhere_says_so_and_shows_the_way_back(bench: Table, address: str) -> None:
    bench.forgive("404")
    bench.page.goto(bench.url + address)
    expect(bench.page.locator("main")).to_contain_text(NOWHERE[address])
    expect(bench.page.locator("body")).not_to_contain_text(
        re.compile("Error|undefined|null|NaN|40\\d|Validation|pattern")
    )
    bench.page.get_by_role("button", name="lobby").click()
    bench.part("play-pl-first-platoon").wait_for()


@pytest.mark.parametrize("address", ["#/nothing", "#nonsense", "#/battle", "#/battle/", "#//"])
def test_any_other_address_leads_to_the_lobby(bench: Table, address: str) -> None:
    bench.page.goto(bench.url + address)
    bench.part("play-pl-first-platoon").wait_for()


def test_one_s_own_running_battle_is_branched_from_the_replay(cinema: Table) -> None:
    own = moved(cinema)
    cinema.press("y")
    cinema.part("older").click()
    cinema.part("branch").click()
    cinema.part("begin-branch").click()
    expect(cinema.page).not_to_have_url(re.compile(own), timeout=WAIT)
    cinema.sit_down()
    expect(cinema.part("log")).not_to_contain_text("moves to 0507")
    assert cinema.await_decision()
