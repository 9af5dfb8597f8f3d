"""Where a server listens, what it keeps where, and when it refuses to start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sandtable.server.http.serving import address_of, listening
from sandtable.server.limits import CALLS, SOCKETS, Addresses, Bucket
from sandtable.server.settings import Settings, SettingsError, data_folder, house_key, is_loopback, settings_from
from tests.server.kit import SECRET, Server, running

HOME = {"HOME": "/somewhere/me"}


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        (HOME, "linux", "/somewhere/me/.local/share/sandtable"),
        ({**HOME, "XDG_DATA_HOME": "/elsewhere"}, "linux", "/elsewhere/sandtable"),
        ({**HOME, "XDG_DATA_HOME": "relative"}, "linux", "/somewhere/me/.local/share/sandtable"),
        (HOME, "darwin", "/somewhere/me/Library/Application Support/sandtable"),
        ({"USERPROFILE": "/somewhere/me"}, "win32", "/somewhere/me/AppData/Roaming/sandtable"),
        ({**HOME, "APPDATA": "/roaming"}, "win32", "/roaming/sandtable"),
    ],
)
def test_battles_lie_where_the_system_keeps_its_users_data(
    environment: dict[str, str], platform: str, folder: str
) -> None:
    assert data_folder(environment, platform) == Path(folder)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_addresses_of_this_machine_alone_need_no_secret(host: str) -> None:
    assert is_loopback(host)
    assert settings_from(host, 1, None, HOME, "linux").is_local


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "localhost.example.org", ""])
@pytest.mark.parametrize("secret", ["", "short"])
def test_a_server_that_others_can_reach_does_not_start_without_a_secret(host: str, secret: str) -> None:
    with pytest.raises(SettingsError, match=r"SANDTABLE_SECRET must hold a secret of at least 16 characters"):
        settings_from(host, 1, None, {**HOME, "SANDTABLE_SECRET": secret}, "linux")


def test_with_a_secret_it_starts() -> None:
    environment = {**HOME, "SANDTABLE_SECRET": SECRET, "SANDTABLE_ORIGINS": "https://table.example/, https://b.example"}
    settings = settings_from("0.0.0.0", 1, None, environment, "linux")
    assert not settings.is_local
    assert settings.origins == ("https://table.example", "https://b.example")


def test_battles_are_kept_in_a_file_unless_the_environment_names_a_database(tmp_path: Path) -> None:
    assert settings_from("localhost", 1, tmp_path, HOME, "linux").store == str(tmp_path / "battles.sqlite")
    named = {**HOME, "SANDTABLE_DATABASE": "postgresql://host/battles"}
    assert settings_from("localhost", 1, tmp_path, named, "linux").store == "postgresql://host/battles"


def test_the_key_of_a_house_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    key = house_key(tmp_path)
    assert house_key(tmp_path) == key
    if os.name != "nt":
        assert (tmp_path / "house.key").stat().st_mode & 0o077 == 0
    (tmp_path / "house.key").write_bytes(b"short")
    with pytest.raises(SettingsError, match="is not a key any more"):
        house_key(tmp_path)


def test_a_port_that_is_taken_is_said_or_another_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(Settings(tmp_path, port=0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("sandtable.server.http.serving.PORT", port)
        with listening(Settings(tmp_path, port=port)) as other:
            assert other.getsockname()[1] != port
        monkeypatch.setattr("sandtable.server.http.serving.PORT", 1)
        with pytest.raises(SettingsError, match=f"can't listen on 127.0.0.1 port {port}"):
            listening(Settings(tmp_path, port=port))


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:5/"), ("0.0.0.0", "http://127.0.0.1:5/"), ("::1", "http://[::1]:5/")],
)
def test_the_address_is_one_a_browser_understands(tmp_path: Path, host: str, address: str) -> None:
    assert address_of(Settings(tmp_path, host), 5) == address


# limits


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = Clock()
    bucket = Bucket(2.0, 3.0, clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.now = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now = 100.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_what_is_owed_has_to_be_waited_for() -> None:
    clock = Clock()
    bucket = Bucket(0.2, 1.0, clock)
    assert bucket.wait() == 0
    bucket.spend(1.5)
    assert bucket.wait() == pytest.approx(2.5)
    clock.now = 2.5
    assert bucket.wait() == 0


def test_one_address_can_not_take_it_all() -> None:
    addresses = Addresses(Clock())
    assert [addresses.may_call("a") for _ in range(int(CALLS[1]) + 1)].count(True) == CALLS[1]
    assert addresses.may_call("b")
    assert all(addresses.may_open("a") for _ in range(SOCKETS))
    assert not addresses.may_open("a")
    assert addresses.may_open("b")
    addresses.closed("a")
    assert addresses.may_open("a")
    addresses.closed("b")


def test_only_so_many_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.server.limits.ADDRESSES", 10)
    addresses = Addresses(Clock())
    for number in range(50):
        assert addresses.may_call(str(number))
    assert len(addresses._buckets) == 10


@pytest.mark.thorough
def test_a_public_server_answers_a_flood_with_429(tmp_path: Path) -> None:
    with running(tmp_path, clock=Clock(), host="0.0.0.0", secret=SECRET) as server:
        answers = [server.get("house").status_code for _ in range(int(CALLS[1]) + 5)]
        assert answers == [200] * int(CALLS[1]) + [429] * 5


def test_behind_a_proxy_only_its_name_counts(tmp_path: Path) -> None:
    with running(tmp_path, host="0.0.0.0", secret=SECRET, origins=("https://table.example",)) as server:
        assert _created(server, host="table.example", origin="https://table.example") == 201
        assert _created(server, host="table.example", origin="https://evil.example") == 403
        assert _created(server, host="evil.example", origin="https://evil.example") == 403
        assert _created(server, host="evil.example", origin="https://table.example") == 403


def _created(server: Server, host: str, origin: str) -> int:
    seats = [{"side": side, "player": "human"} for side in ("allied", "german")]
    wanted = {"scenario": "pl-first-platoon", "seats": seats}
    return server.post("battles", SECRET, json=wanted, headers={"host": host, "origin": origin}).status_code
