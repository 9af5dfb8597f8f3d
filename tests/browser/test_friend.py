"""A friend from elsewhere: the link, the page behind it, whose turn it is, and a server that has a secret."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SECRET
from tests.browser.table import WAIT, Table

pytestmark = pytest.mark.thorough

NOTIFICATIONS = """
  window.notified = [];
  window.asked = 0;
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { window.asked += 1; return (this.permission = 'granted'); }
    constructor(title, options) { window.notified.push(`${title} / ${options.body}`); }
    close() {}
  };
"""
"""A browser that writes its notifications down; what a real one shows is outside of the page."""


def invite(host: Table, scenario: str = "pl-first-platoon") -> str:
    """We have begun a battle with a friend on the German side; the link to his seat."""
    host.open_lobby()
    host.part(f"scenario-{scenario}").get_by_role("button", name="Set up").click()
    host.part("seat-german").select_option("friend")
    host.part("called").fill("Bert")
    host.part("begin").click()
    host.sit_down()
    if host.part("tutorial-end").count():
        host.end_guide()
    host.part("invite-friend").click()
    link = host.part("invitation").input_value()
    host.press("Escape")
    return link


def test_a_friend_comes_by_a_link_and_both_play(cinema: Table, second_cinema: Table) -> None:
    host, friend = cinema, second_cinema
    link = invite(host)
    assert "?" not in link
    assert re.search(r"/#/join/[0-9a-f]{32}/[\w-]{43}$", link)
    expect(host.part("absent")).to_contain_text("Nobody has taken German rear guard yet.")
    expect(host.page).to_have_title("Your turn — First platoon — Sandtable")

    friend.page.goto(link)
    expect(friend.part("join")).to_contain_text("Bert plays US advance guard, and you play German rear guard")
    friend.part("called").fill("Anna")
    friend.part("take-seat").click()
    friend.sit_down()
    expect(friend.page).to_have_title("Waiting for Bert (US advance guard) — First platoon — Sandtable")
    assert "join" not in friend.page.url
    expect(host.part("absent")).to_have_count(0)
    host.expect_said("Anna has sat down and plays German rear guard.")

    host.click("0309")
    host.click("0507")
    host.part("confirm").click()
    expect(friend.part("log")).to_contain_text("moves to 0507", timeout=WAIT)
    host.end_phase(host.click_end)
    host.expect_step("foot movement")
    host.click_end()
    expect(host.part("prompt")).to_contain_text("Waiting for Anna (German rear guard)", timeout=WAIT)
    expect(host.page).to_have_title("Waiting for Anna (German rear guard) — First platoon — Sandtable")
    friend.expect_step("direct fire")
    expect(friend.page).to_have_title("Your turn — First platoon — Sandtable")

    # who comes back finds his seat, and nobody the link
    friend.page.reload()
    friend.sit_down()
    expect(friend.part("prompt-side")).to_have_text("German rear guard")
    host.page.goto(link)
    expect(host.part("join")).to_contain_text("This invitation is of no use any more")
    host.page.get_by_role("button", name="To the battle").click()
    host.sit_down()
    expect(host.part("prompt-side")).to_have_text("German rear guard")
    expect(host.part("prompt")).to_contain_text("Waiting for Anna")


def test_a_player_who_looks_elsewhere_is_notified_if_he_asked_for_it(cinema: Table, second_cinema: Table) -> None:
    host, friend = cinema, second_cinema
    friend.page.add_init_script(NOTIFICATIONS)
    friend.page.goto(invite(host))
    friend.part("called").fill("Anna")
    friend.part("take-seat").click()
    friend.sit_down()
    assert friend.page.evaluate("window.asked") == 0
    friend.press(",")
    friend.part("notify").check()
    expect(friend.part("notify")).to_be_checked()
    assert friend.page.evaluate("window.asked") == 1
    friend.press("Escape")
    friend.page.evaluate("document.hasFocus = () => false")
    for _ in range(2):
        host.await_decision()
        host.end_phase(host.click_end)
    friend.page.wait_for_function("window.notified.length > 0", timeout=WAIT)
    (told,) = friend.page.evaluate("window.notified")
    assert told.startswith("Your turn: First platoon / ")


def test_two_players_talk_to_each_other_and_to_themselves(cinema: Table, second_cinema: Table) -> None:
    host, friend = cinema, second_cinema
    friend.page.goto(invite(host))
    friend.part("called").fill("Anna")
    friend.part("take-seat").click()
    friend.sit_down()

    host.press("z")
    expect(host.part("say")).to_be_focused()
    host.part("talk-side").click()
    host.part("say").fill("the gun is in the wood")
    host.press("Enter")
    expect(host.part("said")).to_have_text("Bert the gun is in the wood")
    host.part("talk-all").click()
    expect(host.part("said")).to_have_text("Nothing was said yet.")
    host.part("say").fill("Good luck, <b>Anna</b>!")
    host.press("Enter")
    expect(host.part("say")).to_have_value("")
    # keys that mean something on the map are letters here
    host.part("say").fill("")
    host.page.keyboard.type("mut")
    expect(host.part("say")).to_have_value("mut")

    friend.expect_said("Bert: Good luck, <b>Anna</b>!")
    expect(friend.part("unread")).to_contain_text("1")
    friend.part("tool-talk").click()
    expect(friend.part("said")).to_have_text("Bert Good luck, <b>Anna</b>!")
    expect(friend.part("unread")).to_have_count(0)
    friend.part("talk-side").click()
    expect(friend.part("said")).to_have_text("Nothing was said yet.")
    friend.press("Escape")
    expect(friend.part("map")).to_be_focused()

    friend.page.reload()
    friend.sit_down()
    expect(friend.part("said")).to_have_text("Bert Good luck, <b>Anna</b>!")


def test_there_is_nobody_to_talk_to_in_a_battle_against_the_computer(cinema: Table) -> None:
    cinema.begin("pl-crossroads", "quiet", allied="human", german="greedy")
    cinema.sit_down()
    expect(cinema.part("tool-talk")).to_have_count(0)
    cinema.press("z")
    cinema.expect_said("There is nobody to talk to: the computer does not answer.")
    expect(cinema.part("talk")).to_have_count(0)


def test_the_list_of_battles_says_who_plays_and_invites_again(cinema: Table) -> None:
    first = invite(cinema)
    own = cinema.page.url.rpartition("/")[2]
    cinema.page.goto(cinema.url)
    row = cinema.part(f"battle-{own}")
    expect(row).to_contain_text("US advance guard: Bert (you) — German rear guard: nobody yet")
    row.get_by_role("button", name="Invite").click()
    link = cinema.part("invitation")
    expect(link).to_have_value(first)
    cinema.part("new-invitation").click()
    expect(link).not_to_have_value(first)
    cinema.page.goto(first)
    expect(cinema.part("join")).to_contain_text("This invitation is of no use any more")


def test_a_server_with_a_secret_asks_for_it(visitor: Table) -> None:
    # a browser notes every refused request on its console
    visitor.forgive("401")
    visitor.forgive("403")
    visitor.open_lobby()
    visitor.part("play-pl-first-platoon").click()
    expect(visitor.part("secret")).to_contain_text("This server wants its secret first.")
    visitor.part("secret-text").fill("a guess of mine")
    visitor.part("tell-secret").click()
    expect(visitor.part("secret")).to_contain_text("That is not the secret of this server.")
    visitor.part("secret-text").fill(SECRET)
    visitor.part("tell-secret").click()
    visitor.sit_down()
    expect(visitor.part("secret")).to_have_count(0)
    own = visitor.page.url.rpartition("/")[2]

    # it is not asked for twice, and the list is the host's
    visitor.page.goto(visitor.url)
    visitor.part(f"battle-{own}").get_by_role("button", name="Delete").click()
    visitor.part("delete").click()
    expect(visitor.part(f"battle-{own}")).to_have_count(0)


def test_who_declines_to_tell_the_secret_stays_in_the_lobby(visitor: Table) -> None:
    visitor.forgive("401")
    visitor.open_lobby()
    visitor.part("play-pl-first-platoon").click()
    visitor.part("secret-text").wait_for()
    visitor.press("Escape")
    expect(visitor.page.get_by_role("alert")).to_have_text("This server wants its secret first.")
