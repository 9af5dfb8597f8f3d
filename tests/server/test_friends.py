"""A friend from elsewhere: invitations, names, and a server that wants its secret."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sandtable.server.messages import PROTOCOL
from tests.server.kit import SECRET, Server


def invited(server: Server, keys: dict[str, Any]) -> str:
    """The token of a new invitation to the German side."""
    operator = "" if server.settings.is_local else SECRET
    answer = server.post(f"battles/{keys['id']}/invite", operator, json={"side": "german"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["tokens"]["german"])


def joined(server: Server, keys: dict[str, Any], token: str, called: str = "Anna") -> dict[str, Any]:
    """The keys of somebody who has taken the seat of an invitation."""
    answer = server.post(f"battles/{keys['id']}/join", token, json={"called": called})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def opens(server: Server, keys: dict[str, Any], token: str) -> bool:
    """Whether a token opens the German seat."""
    with server.line(keys["id"]) as line:
        line.say("Hello", protocol=PROTOCOL, token=token, side="german")
        return bool(line.hear()["type"] == "Snapshot")


def test_who_begins_a_battle_gets_no_key_to_a_friend_s_seat(server: Server, public_server: Server) -> None:
    for house in (server, public_server):
        keys = house.battle("human", "friend")
        assert set(keys["tokens"]) == {"allied"}
    # and a server of one's own hands out none either
    keys = server.battle("human", "friend")
    assert set(server.post(f"battles/{keys['id']}/keys").json()["tokens"]) == {"allied"}


def test_nobody_knows_the_dice_of_a_battle_with_a_friend(server: Server) -> None:
    seats = [{"side": "allied", "player": "human"}, {"side": "german", "player": "friend"}]
    answer = server.post("battles", json={"scenario": "pl-first-platoon", "seats": seats, "seed": "mine"})
    assert answer.status_code == 400
    assert answer.json()["reason"].startswith("who chooses the seed knows the dice")


def test_an_invitation_is_given_up_for_a_key_of_one_s_own(public_server: Server) -> None:
    keys = public_server.battle("human", "friend")
    token = invited(public_server, keys)
    own = joined(public_server, keys, token)["tokens"]["german"]
    assert own != token
    assert opens(public_server, keys, own)
    assert not opens(public_server, keys, token)
    again = public_server.post(f"battles/{keys['id']}/join", token, json={"called": "Eve"})
    assert again.status_code == 403
    assert again.json()["reason"].startswith("this invitation was used already")


def test_a_new_invitation_makes_the_old_one_and_the_seat_s_key_worthless(server: Server) -> None:
    keys = server.battle("human", "friend")
    first, second = invited(server, keys), invited(server, keys)
    assert server.post(f"battles/{keys['id']}/join", first, json={"called": "Eve"}).status_code == 403
    own = joined(server, keys, second)["tokens"]["german"]
    third = invited(server, keys)
    assert not opens(server, keys, own)
    assert opens(server, keys, joined(server, keys, third)["tokens"]["german"])


def test_those_at_the_table_hear_who_has_come(server: Server) -> None:
    keys = server.battle("human", "friend")
    with server.seat(keys, "allied") as line:
        before = {seat["side"]: seat["called"] for seat in line.greeting["battle"]["seats"]}
        joined(server, keys, invited(server, keys))
        seats = line.until("Seated")["seats"]
    assert before == {"allied": "", "german": ""}
    assert [(seat["side"], seat["player"], seat["called"]) for seat in seats] == [
        ("allied", "human", ""),
        ("german", "friend", "Anna"),
    ]


def test_the_list_says_who_plays_and_which_side_is_the_caller_s(public_server: Server) -> None:
    seats = [{"side": "allied", "player": "human", "called": "Bert"}, {"side": "german", "player": "friend"}]
    keys = public_server.battle(seats=seats)
    own = joined(public_server, keys, invited(public_server, keys))["tokens"]["german"]
    (card,) = public_server.get("battles", own).json()
    assert {seat["side"]: seat["called"] for seat in card["seats"]} == {"allied": "Bert", "german": "Anna"}
    assert card["yours"] == ["german"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  Anna \t of\nArnhem ", "Anna of Arnhem"),
        ("<b>Anna</b>", "<b>Anna</b>"),
        ("A\u202ennA\u0000\u200b!", "A nnA !"),
        ("x" * 99, "x" * 32),
        ("Jürgen 張", "Jürgen 張"),
    ],
)
def test_a_name_is_one_line_of_plain_text(server: Server, written: str, shown: str) -> None:
    keys = server.battle("human", "friend")
    joined(server, keys, invited(server, keys), written)
    with server.seat(keys, "allied") as line:
        assert line.greeting["battle"]["seats"][1]["called"] == shown


@pytest.mark.parametrize("written", ["", "   ", "\u200b\n"])
def test_a_friend_tells_what_to_call_him(server: Server, written: str) -> None:
    keys = server.battle("human", "friend")
    answer = server.post(f"battles/{keys['id']}/join", invited(server, keys), json={"called": written})
    assert (answer.status_code, answer.json()["reason"]) == (400, "tell the others what to call you")


@pytest.mark.parametrize("side", ["allied", "nobody", ""])
def test_nobody_is_invited_to_a_side_that_has_its_player(server: Server, side: str) -> None:
    keys = server.battle("human", "friend")
    answer = server.post(f"battles/{keys['id']}/invite", json={"side": side})
    assert (answer.status_code, answer.json()["reason"]) == (409, "nobody is invited to that side: it has its player")


@pytest.mark.parametrize(
    ("carried", "status", "reason"),
    [
        ("", 401, "this server wants its secret first"),
        ("guessed", 403, "that is not the secret of this server"),
    ],
)
def test_a_server_with_a_secret_says_that_it_wants_it(
    public_server: Server, carried: str, status: int, reason: str
) -> None:
    wanted = {"scenario": "pl-first-platoon", "seats": []}
    answer = public_server.post("battles", carried, json=wanted)
    assert (answer.status_code, answer.json()) == (status, {"reason": reason, "needs": "secret"})


def test_a_seat_at_the_table_is_no_secret(public_server: Server) -> None:
    keys = public_server.battle()
    answer = public_server.ask("DELETE", f"battles/{keys['id']}", keys["tokens"]["allied"])
    assert (answer.status_code, answer.json()["needs"]) == (403, "secret")
    answer = public_server.get(f"battles/{keys['id']}/record", "guessed")
    assert (answer.status_code, answer.json()["needs"]) == (403, "")


@pytest.mark.parametrize("id", ["nonsense", "0" * 31, "Z" * 32, "0" * 32, "%F0", "..%2F"])
@pytest.mark.parametrize(
    ("method", "rest"),
    [("POST", "/keys"), ("GET", "/record"), ("DELETE", ""), ("POST", "/watch"), ("GET", "/scenario")],
)
def test_an_id_that_is_none_is_no_battle(server: Server, method: str, rest: str, id: str) -> None:
    answer = server.ask(method, f"battles/{id}{rest}")
    assert answer.status_code in ({404} if rest != "/record" else {404, 401})
    assert not re.search(r"regex|Expected|Validation|`", answer.json()["reason"])
