"""Behind a proxy on the same machine every request comes from this machine, and still nobody is taken for its user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.server import access
from sandtable.server.limits import CALLS
from sandtable.server.settings import Settings, SettingsError, settings_from
from tests.server.kit import PLATOON, SECRET, Server, running

HOME = {"HOME": "/somewhere/me"}
TABLE = "https://table.example"


def opened(server: Server, token: str = "", **headers: str) -> int:
    seats = [{"side": side, "player": "human"} for side in ("allied", "german")]
    return server.post("battles", token, json={"scenario": PLATOON, "seats": seats}, headers=headers).status_code


@pytest.mark.parametrize("more", [{}, {"origins": (TABLE,)}], ids=["a secret", "a secret and a name"])
def test_a_secret_is_asked_for_on_an_address_of_this_machine_too(tmp_path: Path, more: dict[str, Any]) -> None:
    with running(tmp_path, secret=SECRET, **more) as server:
        keys = server.battle()
        assert not server.get("house").json()["local"]
        assert opened(server) == 401
        assert opened(server, "guessed") == 403
        assert opened(server, SECRET) == 201
        assert server.post(f"battles/{keys['id']}/keys").status_code == 403
        assert server.ask("DELETE", f"battles/{keys['id']}").status_code == 401
        assert server.get("battles").json() == []


@pytest.mark.parametrize(
    "environment", [{"SANDTABLE_ORIGINS": TABLE}, {"SANDTABLE_PROXIES": "127.0.0.1"}, {"SANDTABLE_SECRET": "short"}]
)
def test_a_server_behind_a_proxy_does_not_start_without_a_secret(environment: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=r"SANDTABLE_SECRET must hold a secret of at least 16 characters"):
        settings_from("127.0.0.1", 1, None, {**HOME, **environment}, "linux")


def test_a_page_of_this_machine_under_another_port_makes_no_proxy() -> None:
    environment = {**HOME, "SANDTABLE_ORIGINS": "http://localhost:5173"}
    assert settings_from("127.0.0.1", 1, None, environment, "linux").is_local


@pytest.mark.parametrize("proxy", ["table.example", "1.2.3.4/99", "x"])
def test_a_proxy_is_named_by_its_address(proxy: str) -> None:
    environment = {**HOME, "SANDTABLE_SECRET": SECRET, "SANDTABLE_PROXIES": f"127.0.0.1, {proxy}"}
    with pytest.raises(SettingsError, match="no address and no network"):
        settings_from("127.0.0.1", 1, None, environment, "linux")


@pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"])
def test_a_server_of_ones_own_answers_no_proxy(server: Server, header: str) -> None:
    answer = server.get("battles", headers={header: "203.0.113.9"})
    assert answer.status_code == 403
    assert "behind a proxy, set SANDTABLE_SECRET" in answer.text


@pytest.mark.parametrize(
    ("peer", "forwarded", "counts"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "198.51.100.7", "203.0.113.9"),  # a stranger's word
        ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "1.1.1.1, 198.51.100.7", "198.51.100.7"),  # the proxy's word is the last
        ("127.0.0.1", "1.1.1.1, 198.51.100.7, 10.1.2.3", "198.51.100.7"),  # through two proxies
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
        ("", "198.51.100.7", ""),
    ],
)
def test_a_forwarded_address_counts_only_from_a_proxy_of_the_settings(peer: str, forwarded: str, counts: str) -> None:
    settings = Settings(Path(), secret=SECRET, proxies=("127.0.0.1", "10.0.0.0/8"))
    assert access.caller_address(settings, peer, forwarded) == counts


def test_one_stranger_behind_the_proxy_uses_up_nobody_elses_share(tmp_path: Path) -> None:
    def still() -> float:
        return 0.0

    most = int(CALLS[1])
    with running(tmp_path, clock=still, secret=SECRET, proxies=("127.0.0.1",)) as server:
        flood = [server.get("house", headers={"x-forwarded-for": "198.51.100.7"}).status_code for _ in range(most + 3)]
        assert flood == [200] * most + [429] * 3
        assert server.get("house", headers={"x-forwarded-for": "198.51.100.8"}).status_code == 200
    with running(tmp_path, clock=still, secret=SECRET) as server:
        made_up = [
            server.get("house", headers={"x-forwarded-for": f"198.51.100.{number}"}).status_code
            for number in range(most + 3)
        ]
        assert made_up == [200] * most + [429] * 3
