"""The server as a command: it says where it is, serves, and stops at Ctrl-C with nothing lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from sandtable.cli.__main__ import main
from sandtable.server.http import serving
from sandtable.server.settings import Settings
from tests.server.kit import END, PATIENCE, Server

COMMAND = [sys.executable, "-m", "sandtable.cli", "serve", "--no-browser", "--port", "0"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that stands for Ctrl-C in another console")
def test_the_command_serves_until_ctrl_c_and_battles_are_kept(tmp_path: Path) -> None:
    listed: list[list[str]] = []
    for _ in range(2):
        with subprocess.Popen([*COMMAND, "--data", str(tmp_path)], stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address is not None
            with httpx.Client(base_url=address[0], timeout=PATIENCE) as client:
                if not listed:
                    seats = [{"side": side, "player": "human"} for side in ("allied", "german")]
                    client.post("/api/battles", json={"scenario": "pl-first-platoon", "seats": seats})
                listed.append([card["id"] for card in client.get("/api/battles").json()])
            server.send_signal(signal.SIGINT)
            assert server.wait(PATIENCE) == 0
            assert "Sandtable has stopped" in server.stdout.read()
    assert listed[0] == listed[1]
    assert len(listed[0]) == 1


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals between processes")
@pytest.mark.parametrize(
    ("sign", "to_all"),
    [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGINT, True)],
    ids=["interrupted", "terminated", "ctrl-c in a terminal"],
)
def test_a_server_whose_computers_think_stops_without_a_word_of_complaint(
    tmp_path: Path, sign: signal.Signals, to_all: bool
) -> None:
    command = [*COMMAND, "--data", str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            address = re.search(r"http://(\S+):(\d+)/", process.stdout.readline())
            assert address is not None
            with Server(Settings(tmp_path), int(address[2])) as server:
                keys = server.battle("human", "greedy")
                with server.seat(keys, "allied") as line:
                    while line.table["decisions"]:
                        assert line.order(END)["type"] == "Accepted"
                    line.until("Thinking")
                    (os.killpg if to_all else os.kill)(process.pid, sign)
                    _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert errors == ""
    assert process.returncode == 0


def test_a_public_address_without_a_secret_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANDTABLE_SECRET", raising=False)
    assert main(["serve", "--host", "0.0.0.0", "--no-browser", "--data", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "SANDTABLE_SECRET must hold a secret" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("mysql://host/battles", "battles are kept in a SQLite file or in a PostgreSQL database"),
        ("sqlite:////no/such/folder/battles.sqlite", "the database can't be opened"),
    ],
)
def test_a_database_that_can_not_be_opened_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, address: str, reason: str
) -> None:
    monkeypatch.setenv("SANDTABLE_DATABASE", address)
    assert main(["serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1


def test_the_store_of_the_command_line_goes_before_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Settings] = []
    monkeypatch.setenv("SANDTABLE_DATABASE", "postgresql://host/battles")

    def run(settings: Settings, *_: object) -> int:
        found.append(settings)
        return 0

    monkeypatch.setattr("sandtable.cli.serving.run", run)
    for store in ("other.sqlite", "postgresql://other/battles"):
        assert main(["serve", "--no-browser", "--data", str(tmp_path), "--store", store]) == 0
    assert main(["serve", "--no-browser", "--data", str(tmp_path)]) == 0
    assert [one.store for one in found] == ["other.sqlite", "postgresql://other/battles", "postgresql://host/battles"]


def test_the_password_of_a_database_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Stopped:
        """A server that starts and is stopped at once."""

        def __init__(self, started: Callable[[], None], settings: Settings) -> None:
            self.started = started

        def run(self, sockets: object) -> None:
            self.started()

    monkeypatch.setattr(serving, "application", lambda settings, on_start: on_start)
    monkeypatch.setattr(serving, "server_of", Stopped)
    address = f"sqlite:///{tmp_path}/password.sqlite"
    assert serving.serve(Settings(tmp_path, port=0, database=address), told.append, None) == 0
    assert "battles are kept in the database of --store or SANDTABLE_DATABASE" in told[0]
    assert "password" not in told[0]
    assert (tmp_path / "password.sqlite").exists()


@pytest.mark.parametrize("port", ["-1", "65536", "x", "1.5", "999999"])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", port]) == 2
    assert "is not a port from 0 to 65535" in capsys.readouterr().err


def test_the_browser_is_opened_once_the_server_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    opened: list[str] = []

    class Stopped:
        """A server that starts and is stopped at once."""

        def __init__(self, started: object, settings: Settings) -> None:
            self.started = started

        def run(self, sockets: object) -> None:
            self.started()  # type: ignore[operator]
            raise KeyboardInterrupt

    class Now:
        """A thread that does not wait."""

        def __init__(self, target: object, args: tuple[str], daemon: bool) -> None:
            self.target, self.args = target, args

        def start(self) -> None:
            self.target(*self.args)  # type: ignore[operator]

    monkeypatch.setattr(serving, "application", lambda settings, on_start: on_start)
    monkeypatch.setattr(serving, "server_of", Stopped)
    monkeypatch.setattr(serving, "Thread", Now)
    assert serving.serve(Settings(tmp_path, port=0), told.append, opened.append) == 0
    assert opened[0] in told[0]
    assert told[-1] == "Sandtable has stopped; every battle is kept."
    assert serving.serve(Settings(tmp_path, port=0), told.append, None) == 0
    assert len(opened) == 1
