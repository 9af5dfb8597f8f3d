"""A running battle saved to a sealed file and taken up again; battles whose scenario or rules have changed since."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable import registry
from sandtable.battle import authority, battles, library, saves
from sandtable.server.http import cards
from tests.server.kit import END, PLATOON, SECRET, Server, running

PASSPHRASE = "Ardennes, im Dezember ❄"


def begun(server: Server, german: str = "human", **more: Any) -> dict[str, Any]:
    """A battle in which something was ordered."""
    keys = server.battle("human", german, **more)
    with server.seat(keys, "allied") as line:
        assert line.order(END)["type"] == "Accepted"
    return keys


def saved(server: Server, keys: dict[str, Any], passphrase: str = "") -> bytes:
    operator = "" if server.settings.is_local else SECRET
    answer = server.post(f"battles/{keys['id']}/save", operator, json={"passphrase": passphrase})
    assert answer.status_code == 201, answer.text
    return answer.content


def brought(server: Server, data: bytes, passphrase: str = "") -> Any:
    headers = {"x-passphrase": b64encode(passphrase.encode()).decode()} if passphrase else {}
    operator = "" if server.settings.is_local else SECRET
    return server.post("battles/import", operator, content=data, headers=headers)


def seen(server: Server, keys: dict[str, Any], side: str) -> tuple[Any, ...]:
    """What a side has before its eyes."""
    with server.seat(keys, side) as line:
        seats = line.greeting["battle"]["seats"]
        return line.table, [one["text"] for one in line.greeting["log"]], seats


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE])
def test_a_battle_is_taken_up_where_it_was_saved_with_its_seats(server: Server, passphrase: str) -> None:
    seats = [
        {"side": "allied", "player": "hot-seat", "called": "Bert"},
        {"side": "german", "player": "hot-seat", "called": "Anna"},
    ]
    keys = begun(server, seats=seats, options={"fog": True})
    answer = brought(server, saved(server, keys, passphrase), passphrase)
    assert answer.status_code == 201, answer.text
    again = answer.json()
    assert again["id"] != keys["id"]
    for side in ("allied", "german"):
        assert seen(server, again, side) == seen(server, keys, side)
    with server.seat(again, "allied") as line:
        assert line.order(END)["type"] == "Accepted"


def test_computer_players_and_friends_keep_their_seats(server: Server) -> None:
    for german in ("greedy", "friend"):
        keys = server.battle("human", german)
        again = brought(server, saved(server, keys)).json()
        with server.seat(again, "allied") as line:
            assert [seat["player"] for seat in line.greeting["battle"]["seats"]] == ["human", german]


def test_nothing_hidden_can_be_read_in_a_save(server: Server) -> None:
    keys = begun(server, options={"fog": True}, seed="the seed of the dice")
    for passphrase in ("", PASSPHRASE):
        data = saved(server, keys, passphrase)
        file = json.loads(data)
        assert set(file) == {*saves.SaveFile.__struct_fields__}
        plain = {name: value for name, value in file.items() if name not in ("salt", "nonce", "sealed")}
        assert plain == {
            "kind": "sandtable save",
            "format": 1,
            "title": "First platoon",
            "system": "panzer_leader",
            "scenario": PLATOON,
            "rules_version": registry.ruleset("panzer_leader").info.rules_version,
            "turn": 1,
            "sealed_with": "passphrase" if passphrase else "server",
        }
        assert b"the seed" not in b64decode(file["sealed"])
        # neither how much was ordered, nor how much of it unseen
        assert len(b64decode(file["sealed"])) % saves.BLOCK == 16
    assert json.loads(saved(server, keys))["sealed"] != json.loads(saved(server, keys))["sealed"]


def changed(data: bytes, **fields: Any) -> bytes:
    return json.dumps({**json.loads(data), **fields}).encode()


@pytest.mark.parametrize(
    ("spoil", "passphrase", "reason", "needs"),
    [
        (lambda data: data, "", "this save is sealed with a passphrase", "passphrase"),
        (lambda data: data, "another passphrase", "that passphrase does not open this save", "passphrase"),
        (lambda data: changed(data, turn=3), PASSPHRASE, "that passphrase does not open this save", "passphrase"),
        (lambda data: changed(data, sealed="AAAA"), PASSPHRASE, "that passphrase does not open", "passphrase"),
        (lambda data: changed(data, salt="?"), PASSPHRASE, "that passphrase does not open this save", "passphrase"),
        (lambda data: changed(data, format=2), PASSPHRASE, "the save was made by a newer version", "passphrase"),
        (lambda data: changed(data, sealed_with="wax"), PASSPHRASE, "that is no save", "passphrase"),
        (lambda data: changed(data, more=1), "", "that is no save, or it was damaged on its way", ""),
    ],
)
def test_a_save_that_can_t_be_opened_says_why(
    server: Server, spoil: Any, passphrase: str, reason: str, needs: str
) -> None:
    answer = brought(server, spoil(saved(server, server.battle(), PASSPHRASE)), passphrase)
    assert answer.status_code == 400
    assert answer.json()["reason"].startswith(reason)
    assert answer.json()["needs"] == needs


def test_only_the_server_that_sealed_a_save_opens_it(server: Server, public_server: Server) -> None:
    answer = brought(public_server, saved(server, server.battle()))
    assert answer.status_code == 400
    assert answer.json()["reason"].startswith("this save can be opened only by the server that made it")
    # with a passphrase it goes from one server to the other
    assert brought(public_server, saved(server, server.battle(), PASSPHRASE), PASSPHRASE).status_code == 201


def test_a_short_passphrase_and_a_battle_that_is_over_are_refused(server: Server) -> None:
    keys = server.battle()
    answer = server.post(f"battles/{keys['id']}/save", json={"passphrase": "short"})
    assert (answer.status_code, answer.json()["reason"]) == (400, "a passphrase has at least 8 characters")
    with server.seat(keys, "allied") as allied, server.seat(keys, "german") as german:
        while allied.table["outcome"] is None:
            assert (allied if allied.table["decisions"] else german).order(END)["type"] == "Accepted"
            for line in (allied, german):
                line.ask("Ping")
    answer = server.post(f"battles/{keys['id']}/save", json={})
    assert (answer.status_code, answer.json()["reason"]) == (409, "the battle is over: export its record")


def test_a_save_with_a_computer_player_who_is_gone_says_so(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(server, server.battle("human", "greedy"))
    monkeypatch.delitem(registry.PLAYERS, "greedy")
    answer = brought(server, data)
    assert answer.json()["reason"] == "the computer player 'greedy' of this save is not known here"


# a scenario that is edited


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the shipped scenarios and boards that a test may change."""
    for name in ("scenarios", "boards"):
        (tmp_path / name).mkdir()
        for file in files("sandtable").joinpath(name).iterdir():
            (tmp_path / name / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr("sandtable.content.library.shipped_folder", lambda name: tmp_path / name)
    monkeypatch.setattr(library, "shipped_folder", lambda name: tmp_path / name)
    _forget()
    yield tmp_path
    _forget()


def _forget() -> None:
    for cached in (cards.playable, cards.scenarios, cards.boards, cards.tutorials):
        cached.cache_clear()


def edited(folders: Path) -> None:
    path = folders / "scenarios" / f"{PLATOON}.toml"
    text = path.read_text(encoding="utf-8")
    assert "turns = 5" in text
    path.write_text(
        text.replace("turns = 5", "turns = 9").replace("US advance guard", "Someone else"), encoding="utf-8"
    )


def removed(folders: Path) -> None:
    (folders / "scenarios" / f"{PLATOON}.toml").unlink()
    (folders / "scenarios" / f"{PLATOON}.tutorial.toml").unlink()


@pytest.mark.parametrize("change", [edited, removed])
def test_a_battle_plays_on_with_the_scenario_it_began_with(change: Any, folders: Path, tmp_path: Path) -> None:
    data = tmp_path / "battles"
    data.mkdir()
    with running(data) as server:
        keys = begun(server, "greedy")
        before = seen(server, keys, "allied")
    change(folders)
    _forget()
    with running(data) as server:
        card = next(one for one in server.get("battles").json() if one["id"] == keys["id"])
        assert (card["turns"], card["stopped"]) == (5, "")
        assert seen(server, keys, "allied")[0]["pieces"] == before[0]["pieces"]
        with server.seat(keys, "allied") as line:
            assert line.greeting["battle"]["kept"] is True
            own = server.get(f"battles/{keys['id']}/scenario", keys["tokens"]["allied"]).json()
            assert (own["turns"], own["sides"][0]["title"]) == (5, "US advance guard")
            assert server.get(f"boards/{own['board']['digest']}").status_code == 200
            # the computer plays on as well, in a process of its own
            while "Turn 2, Allied segment." not in str(line.table) + str(line.greeting) and line.table["turn"] < 2:
                if line.table["decisions"]:
                    assert line.order(END)["type"] == "Accepted"
                else:
                    line.until("Update", "Snapshot")
        # and a save takes its scenario along
        assert brought(server, saved(server, keys)).status_code == 201


def test_a_battle_without_a_copy_of_its_scenario_stays_in_the_list_and_says_why(folders: Path, tmp_path: Path) -> None:
    data = tmp_path / "battles"
    data.mkdir()
    with running(data) as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "packed_files", lambda *_: "")
        keys = server.battle()
    edited(folders)
    _forget()
    with running(data) as server:
        (card,) = server.get("battles").json()
        assert (card["id"], card["trouble"]) == (keys["id"], battles.CHANGED)
        answer = server.post(f"battles/{keys['id']}/keys")
        assert (answer.status_code, answer.json()["reason"]) == (404, battles.CHANGED)
        assert server.ask("DELETE", f"battles/{keys['id']}").status_code == 204


def test_a_battle_under_older_rules_says_so_and_gives_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as server:
        keys = begun(server)
    ruleset = registry.ruleset("panzer_leader")
    newer = msgspec.structs.replace(ruleset.info, rules_version="next")
    monkeypatch.setattr(type(ruleset), "info", newer)
    told = authority.STOPPED.format(pinned="1", here="next")
    with running(tmp_path) as server:
        (card,) = server.get("battles").json()
        assert card["stopped"] == told
        with server.seat(keys, "allied") as line:
            assert line.greeting["battle"]["stopped"] == told
            assert line.order(END, command="another")["refusal"]["reason"] == told
        record = server.get(f"battles/{keys['id']}/record?side=allied", keys["tokens"]["allied"])
        assert record.status_code == 200
