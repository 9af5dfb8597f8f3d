"""Who may do what, cell by cell: every role, every request and every word, at one's own battle and at another."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from sandtable.battle.seats import computer, human, spectator
from sandtable.kernel.ids import SideId
from sandtable.server import access
from sandtable.server import messages as m
from sandtable.server.access import Role
from sandtable.server.messages import PROTOCOL
from sandtable.server.settings import Settings
from tests.server.kit import END, SECRET, Server

# What each role is let do, written down a second time: nothing here is read from the tables under test.
LISTS = ("scenarios", "boards", "rules", "counters", "list")
PUBLIC: dict[str, set[str]] = {
    "stranger": {"house", "systems", *LISTS},
    "spectator": {"house", "systems", *LISTS, "record", "scenario"},
    "commander": {"house", "systems", *LISTS, "record", "scenario", "branch", "watch", "join", "tutorial"},
    "operator": {
        "house",
        "systems",
        *LISTS,
        "create",
        "briefings",
        "salvage",
        "import",
        "delete",
        "branch",
        "watch",
        "invite",
        "save",
        "scenario",
    },
}
LOCAL = {
    "house",
    "systems",
    *LISTS,
    "create",
    "briefings",
    "salvage",
    "import",
    "delete",
    "branch",
    "watch",
    "keys",
    "invite",
    "save",
    "scenario",
}
"""What anybody may on a local server; a record takes a seat at the table as well."""

SPECTATORS_WORDS = {"Hello", "TakeSeat", "Ping", "AskReplay", "AskLog", "AskChat"}

ROLES = tuple(PUBLIC)
COMMANDS = tuple(access.REQUESTS)
WORDS: tuple[str, ...] = tuple(word.__name__ for word in get_args(m.ClientMessage))

AFTER_THE_MATRIX = {"branch": {409}, "import": {400}, "delete": {204}, "invite": {409}, "join": {409}, "salvage": {409}}
"""A battle that is not over can't be branched, nothing is no record, and these seats have their players."""


class Callers:
    """Somebody of each role at a battle, and the same roles at another."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.own, self.other = server.battle("human", "human"), server.battle("human", "human")
        self.tokens = {
            (role, where): self._token(role, keys)
            for role in ROLES
            for where, keys in (("own", self.own), ("other", self.other))
        }

    def _token(self, role: str, keys: dict[str, Any]) -> str:
        operator = "" if self.server.settings.is_local else SECRET
        match role:
            case "commander":
                return str(keys["tokens"]["allied"])
            case "spectator":
                return str(self.server.post(f"battles/{keys['id']}/watch", operator).json()["spectator"])
            case "operator":
                return operator
        return "" if self.server.settings.is_local else "no token at all"

    def status(self, command: str, token: str) -> int:
        """The status of the answer to a command about a battle of ours."""
        id, ask = self.own["id"], self.server.ask
        seats = [{"side": side, "player": "human"} for side in ("allied", "german")]
        match command:
            case "house" | "systems" | "scenarios":
                return ask("GET", command, token).status_code
            case "boards":
                digest = ask("GET", "scenarios", token).json()[0]["board"]["digest"]
                return ask("GET", f"boards/{digest}", token).status_code
            case "briefings":
                return ask("GET", "scenarios/pl-first-platoon/briefings", token).status_code
            case "tutorial":
                return ask("GET", f"battles/{id}/tutorial", token).status_code
            case "rules" | "counters":
                return ask("GET", f"{command}/panzer_leader", token).status_code
            case "list":
                return ask("GET", "battles", token).status_code
            case "create":
                return ask("POST", "battles", token, json={"scenario": "pl-first-platoon", "seats": seats}).status_code
            case "import":
                return ask("POST", "battles/import", token, content=b"{}").status_code
            case "delete":
                doomed = self.server.battle() if token == SECRET or self.server.settings.is_local else self.own
                return ask("DELETE", f"battles/{doomed['id']}", token).status_code
            case "record":
                return ask("GET", f"battles/{id}/record", token).status_code
            case "salvage":
                return ask("GET", f"battles/{id}/salvage", token).status_code
            case "branch":
                return ask("POST", f"battles/{id}/branch", token, json={"number": 1, "seats": seats}).status_code
            case "scenario":
                return ask("GET", f"battles/{id}/scenario", token).status_code
            case "save":
                return ask("POST", f"battles/{id}/save", token, json={}).status_code
            case "invite":
                return ask("POST", f"battles/{id}/invite", token, json={"side": "german"}).status_code
            case "join":
                return ask("POST", f"battles/{id}/join", token, json={"called": "Anna"}).status_code
        return ask("POST", f"battles/{id}/{command}", token).status_code


@pytest.fixture(scope="module")
def public(public_server: Server) -> Callers:
    return Callers(public_server)


@pytest.fixture(scope="module")
def local(server: Server) -> Callers:
    return Callers(server)


@pytest.mark.parametrize("where", ["own", "other"])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_public_server_does_for_each_role_what_the_matrix_says(
    public: Callers, role: str, command: str, where: str
) -> None:
    # whoever sits at another battle is a stranger at this one, and an operator is one everywhere
    effective = role if where == "own" or role == "operator" else "stranger"
    status = public.status(command, public.tokens[role, where])
    if command in PUBLIC[effective]:
        assert status in AFTER_THE_MATRIX.get(command, {200, 201})
    else:
        assert status in (401, 403)


@pytest.mark.thorough
@pytest.mark.parametrize("where", ["own", "other"])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_local_server_is_its_users(local: Callers, role: str, command: str, where: str) -> None:
    status = local.status(command, local.tokens[role, where])
    seated = {"record": {"spectator", "commander"}, "join": {"commander"}, "tutorial": {"commander"}}
    at_the_table = seated.get(command, set())
    if command in LOCAL or (where == "own" and role in at_the_table):
        assert status in AFTER_THE_MATRIX.get(command, {200, 201})
    else:
        assert command in seated
        assert status in (401, 403)


def said(word: str) -> dict[str, Any]:
    """A message of each kind that would be in order."""
    fields: dict[str, dict[str, Any]] = {
        "Hello": {"protocol": PROTOCOL},
        "TakeSeat": {"side": "allied"},
        "Ping": {"ask": 7},
        "Submit": {"command": "one", "based_on": 1, "order": END},
        "Undo": {"command": "two", "based_on": 1},
        "AskMenu": {"ask": 7, "selection": {}},
        "AskPreview": {"ask": 7, "order": END},
        "AskSight": {"ask": 7, "a": 50, "b": 60},
        "AskSeen": {"ask": 7},
        "AskLog": {"ask": 7, "before": 0},
        "AskHex": {"ask": 7, "hex": 50},
        "AskReady": {"ask": 7},
        "AskCard": {"ask": 7, "unit": 1},
        "AskWhyNot": {"ask": 7, "verb": "fire", "selection": {"units": [1]}, "target": {"hex": 50}},
        "AskTree": {"ask": 7},
        "AskQueries": {"ask": 7},
        "AskQuery": {"ask": 7, "key": "ready"},
        "AskReports": {"ask": 7},
        "AskReport": {"ask": 7, "kind": "strength"},
        "AskReplay": {"ask": 7, "sequence": 1},
        "AskChat": {"ask": 7, "to": "all"},
        "Say": {"ask": 7, "to": "all", "text": "good luck"},
        "CancelThinking": {},
    }
    return fields[word]


@pytest.mark.parametrize("word", WORDS)
def test_a_spectator_is_answered_only_what_is_for_spectators(public: Callers, word: str) -> None:
    watching = {"id": public.own["id"], "tokens": {}, "spectator": public.tokens["spectator", "own"]}
    with public.server.seat(watching) as line:
        line.say(word, **said(word))
        answer = line.hear()
        if word in ("Submit", "Undo"):
            assert answer["type"] == "Refused"
            assert answer["refusal"]["reason"] == "a spectator gives no orders"
        elif word in SPECTATORS_WORDS:
            # there is nothing to replay before the end, the only seat is taken, and Hello was said: none is a denial
            assert answer.get("reason") != "that is not for spectators"
        else:
            assert answer["type"] == "Trouble"
            assert answer["reason"] == "that is not for spectators"


@pytest.mark.parametrize("side", ["allied", "german"])
@pytest.mark.parametrize("word", [word for word in WORDS if word not in ("Hello", "TakeSeat")])
def test_a_commander_is_answered_for_his_own_side_alone(public: Callers, word: str, side: str) -> None:
    keys = public.server.battle("human", "human")
    with public.server.seat(keys, side) as line:
        line.say(word, **said(word))
        if word == "CancelThinking":
            assert line.ask("Ping")["type"] == "Pong"
            return
        answer = line.until("Accepted", "Refused") if word in ("Submit", "Undo") else line.hear()
        assert answer["type"] != "Trouble"
        if word == "Submit":
            assert answer["type"] == ("Accepted" if side == "allied" else "Refused")
        assert line.table["side"] == side


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("side", ["", "allied", "german", "nobody"])
def test_a_token_of_another_battle_opens_no_line(public: Callers, role: str, side: str) -> None:
    with public.server.line(public.own["id"]) as line:
        line.say("Hello", protocol=PROTOCOL, token=public.tokens[role, "other"], side=side)
        assert line.closed() == 4401


@pytest.mark.parametrize("side", ["german", "nobody"])
def test_a_token_opens_no_other_sides_seat(public: Callers, side: str) -> None:
    with public.server.line(public.own["id"]) as line:
        line.say("Hello", protocol=PROTOCOL, token=public.own["tokens"]["allied"], side=side)
        assert line.closed() == 4401


def test_a_public_list_shows_only_what_the_token_opens(public: Callers) -> None:
    def listed(token: str) -> set[str]:
        return {card["id"] for card in public.server.get("battles", token).json()}

    assert listed("") == set()
    assert listed("guessed") == set()
    assert listed(public.own["tokens"]["german"]) == {public.own["id"]}
    both = f"{public.own['tokens']['allied']},{public.other['tokens']['allied']}"
    assert listed(both) == {public.own["id"], public.other["id"]}
    assert {public.own["id"], public.other["id"]} <= listed(SECRET)


def test_a_local_server_hands_out_its_tokens_again_and_they_stay_the_same(local: Callers) -> None:
    again = local.server.post(f"battles/{local.own['id']}/keys").json()
    assert again["tokens"] == local.own["tokens"]
    with local.server.seat(again, "german") as line:
        assert line.table["side"] == "german"


def test_every_word_and_every_request_has_a_row_in_the_matrix() -> None:
    assert set(access.WORDS) == set(get_args(m.ClientMessage))
    seats = [human(SideId("red")), computer(SideId("red"), "greedy"), spectator("x")]
    assert all(access.may_say(seat, m.Hello) for seat in seats)
    assert not any(access.may_say(seat, str) for seat in seats)
    caller = access.Caller(frozenset(Role))
    assert not access.may_request(Settings(data=None), caller, "conquer")  # type: ignore[arg-type]


def test_the_list_tells_a_spectator_no_later_turn_than_his_table(public_server: Server) -> None:
    keys = public_server.battle()
    watching = public_server.post(f"battles/{keys['id']}/watch", SECRET).json()["spectator"]

    def listed(token: str) -> int:
        return int(public_server.get("battles", token).json()[0]["turn"])

    with public_server.seat({"id": keys["id"], "tokens": {}, "spectator": watching}) as spectator:
        for _ in range(40):
            for side in ("allied", "german"):
                with public_server.seat(keys, side) as line:
                    while line.table["decisions"] and line.table["turn"] < 3:
                        line.order(END)
                    turn = line.table["turn"]
            if turn == 3:
                break
        assert listed(keys["tokens"]["allied"]) == 3
        assert listed(f"{watching},{keys['tokens']['german']}") == 3
        spectator.catch_up(spectator.ask("Ping")["sequence"])
        assert listed(watching) == spectator.table["turn"] < 3
