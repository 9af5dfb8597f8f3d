"""What goes wrong beside the table: two servers, a damaged file, a disk that fails. Each is told in a sentence, and
what is not touched by it goes on.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sandtable.battle.battles import UNREADABLE, Battles, BattlesError
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.memory import open_battle
from sandtable.battle.seats import human
from sandtable.battle.storage.folders import FolderTaken, held
from sandtable.battle.storage.writer import Writer
from sandtable.cli.__main__ import main
from sandtable.kernel import replay
from sandtable.kernel.ids import SideId
from sandtable.server.http import serving
from sandtable.server.settings import PORT, Settings
from tests.server.kit import END, PATIENCE, PLATOON, Server, running

ROOT = Path(__file__).parents[2]


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one sentence of a server that does not start."""
    assert main(["serve", "--no-browser", "--port", "0", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


# two servers


def test_a_second_server_of_one_folder_says_so_and_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with held(tmp_path):
        assert "another server already keeps its battles in" in complaint(capsys, "--data", str(tmp_path))
    with held(tmp_path):
        pass


def test_the_lock_of_a_folder_ends_with_its_process(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from sandtable.battle.storage.folders import held\n"
        "with held(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(FolderTaken), held(tmp_path):
            pass
        other.kill()
    with held(tmp_path):
        pass


def test_a_port_that_moves_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Stopped:
        """A server that is stopped at once."""

        def __init__(self, started: object, settings: Settings) -> None:
            pass

        def run(self, sockets: object) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(serving, "server_of", Stopped)
    with serving.listening(Settings(tmp_path, port=0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serving, "PORT", port)
        assert serving.serve(Settings(tmp_path, port=port), told.append, None) == 0
    assert f"Port {port} is taken by another program" in told[0]
    assert PORT == 8470


# files


def test_a_database_that_can_not_be_opened_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, garbage, file = tmp_path / "folder", tmp_path / "garbage", tmp_path / "file"
    (folder / "battles.sqlite").mkdir(parents=True)
    garbage.mkdir()
    (garbage / "battles.sqlite").write_bytes(b"this is no database, " * 500)
    file.touch()
    assert "the database can't be opened" in complaint(capsys, "--data", str(folder))
    assert "the database can't be opened" in complaint(capsys, "--data", str(garbage))
    assert "battles are kept in a folder, and this is a file" in complaint(capsys, "--data", str(file))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entry SET body = 'x' WHERE battle = ?",
        "UPDATE entry SET chain = '0' WHERE battle = ?",
        "DELETE FROM entry WHERE battle = ?",
        "UPDATE battle SET header = '{' WHERE id = ?",
        "UPDATE battle SET header = '[1,2]' WHERE id = ?",
        "UPDATE seat SET kind = 'ghost' WHERE battle = ?",
    ],
)
def test_of_the_battles_in_a_list_only_the_damaged_one_is_marked(tmp_path: Path, damage: str) -> None:
    with running(tmp_path) as server:
        broken, whole = (server.battle()["id"] for _ in range(2))
    base = sqlite3.connect(tmp_path / "battles.sqlite")
    base.execute(damage, (broken,))
    base.commit()
    base.close()
    with running(tmp_path) as server:
        listed = {card["id"]: card["trouble"] for card in server.get("battles").json()}
        assert listed.keys() == {broken, whole}
        assert "can't be trusted" in listed[broken]
        assert listed[whole] == ""
        assert server.post(f"battles/{whole}/keys").status_code == 201
        assert server.ask("DELETE", f"battles/{broken}").status_code == 204
        assert [card["id"] for card in server.get("battles").json()] == [whole]


@pytest.mark.parametrize(
    ("damage", "orders"),
    [
        ("UPDATE battle SET header = replace(header, 'panzer_leader', 'panzer_follower')", 0),
        ("UPDATE entry SET body = 'x' WHERE number = 2", 2),
        ("UPDATE seat SET kind = 'ghost'", 3),
        ("UPDATE entry SET chain = '0' WHERE number = 0", 0),
        ("DELETE FROM entry", 0),
        ("UPDATE battle SET header = '{'", 0),
    ],
)
def test_a_battle_that_cant_be_opened_gives_its_record_as_far_as_it_can_be_read(
    tmp_path: Path, damage: str, orders: int
) -> None:
    with running(tmp_path) as server:
        keys = server.battle("hot-seat", "hot-seat")
        assert server.get(f"battles/{keys['id']}/salvage").status_code == 409, "it can be opened"
        with server.seat(keys, "allied") as line:
            for _ in range(2):
                assert line.order(END)["type"] == "Accepted"
    base = sqlite3.connect(tmp_path / "battles.sqlite")
    base.execute(damage)
    base.commit()
    base.close()
    with running(tmp_path) as server:
        (card,) = server.get("battles").json()
        assert card["trouble"]
        assert card["readable"] == bool(orders)
        answer = server.get(f"battles/{keys['id']}/salvage")
        assert answer.status_code == (200 if orders else 404)
        if orders:
            entries = answer.json()["entries"]
            assert len(entries) == orders, "the set-up, and the orders that can be trusted"
            assert [entry["order"] for entry in entries[1:]] == [{"order": "EndPhase"}] * (orders - 1)
        assert server.get(f"battles/{'0' * 32}/salvage").status_code == 404


# what is sent


@pytest.mark.parametrize("path", ["battles", f"battles/{'0' * 32}/branch", "battles/import"])
@pytest.mark.parametrize("body", ["[" * 60_000, '{"a":' * 10_000, '{"scenario":' + "[" * 30_000])
def test_deeply_nested_json_is_refused_at_every_address(server: Server, path: str, body: str) -> None:
    answer = server.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert "fault" not in answer.text


def a_record(options: dict[str, Any] | None = None) -> str:
    """A record that holds, as it would be sent."""
    table = ShippedLibrary().find("panzer_leader", PLATOON)
    battle = open_battle(table, (human(SideId("allied")), human(SideId("german"))), options, "a record")
    return replay.write(battle.record()).decode()


@pytest.mark.parametrize("said", ['"header":{},', '"entries":[],', '"outcome":1,', '"digest":"","digest":"",'])
def test_a_record_that_says_two_things_at_once_is_refused(server: Server, said: str) -> None:
    record = a_record()
    assert server.post("battles/import", content=record).status_code == 201
    answer = server.post("battles/import", content="{" + said + record[1:])
    assert answer.status_code == 400
    assert "twice" in answer.json()["reason"]


@pytest.mark.parametrize(
    "options", [{"fog": [1]}, {"fog": "maybe"}, {"fog": {"a": 1}}, {"fog": None}, {"none such": 1}]
)
def test_a_record_with_options_of_unknown_kind_is_refused(server: Server, options: dict[str, Any]) -> None:
    record = json.loads(a_record())
    record["header"]["options"] = options
    answer = server.post("battles/import", content=json.dumps(record))
    assert answer.status_code == 400
    assert "fault" not in answer.text


# the disk


def test_after_a_disk_failure_all_that_only_reads_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path) as server:
        keys = server.battle()
        with server.seat(keys, "allied") as line:
            assert line.order(END)["type"] == "Accepted"

            def fail(self: Writer, group: Any) -> None:
                self._fail(group, self._judge(sqlite3.OperationalError("disk I/O error")))

            monkeypatch.setattr(Writer, "_commit", fail)
            refused = line.order(END)
            assert "no more orders" in refused["refusal"]["reason"]
            assert line.ask("AskLog", before=0)["type"] == "LogPage"
        assert [card["id"] for card in server.get("battles").json()] == [keys["id"]]
        again = server.post(f"battles/{keys['id']}/keys").json()
        assert again["tokens"] == keys["tokens"]
        assert server.get(f"battles/{keys['id']}/record", keys["tokens"]["allied"]).status_code == 200
        with server.seat(again, "allied") as line:
            assert line.greeting["type"] == "Snapshot"
            assert line.ask("AskMenu", selection={})["type"] == "MenuAnswer"
            assert line.ask("AskReplay", sequence=1)["type"] == "Replayed"
            assert line.order(END)["type"] == "Refused"
        assert server.post("battles", json={"scenario": PLATOON, "seats": []}).status_code in (400, 503)


# the end


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals between processes")
def test_who_ends_run_py_ends_its_server(tmp_path: Path) -> None:
    command = [sys.executable, "run.py", "cli", "serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert re.search(r"http://\S+", process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
        assert "Sandtable has stopped" in process.stdout.read()
    with held(tmp_path):
        pass


def test_a_battle_of_rules_that_are_not_here_any_more_gives_its_whole_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as server:
        keys = server.battle("hot-seat", "hot-seat")

    def gone(*_: object) -> None:
        raise BattlesError(UNREADABLE)

    monkeypatch.setattr(Battles, "_rules", gone)
    with running(tmp_path) as server:
        (card,) = server.get("battles").json()
        assert (card["trouble"], card["readable"]) == (UNREADABLE, True)
        record = server.get(f"battles/{keys['id']}/salvage").json()
        assert record["header"]["scenario"] == card["scenario"]
        assert (len(record["entries"]), record["digest"]) == (1, "")
