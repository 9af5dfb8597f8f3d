"""The documents say what is true: their links lead somewhere, their example runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sandtable.server.settings import DATABASE, ORIGINS, PORT, PROXIES, SECRET, settings_from

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
ROOM = ROOT / "tests" / "kit" / "patrol"
QUOTED = [
    ROOM / "room.py",
    ROOM / "rules.toml",
    ROOM / "scenario.toml",
    ROOT / "tests/kit/cases.py",
    ROOT / "tests/perft/night_patrol.toml",
]
"""The files that the page on adding a system quotes."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_within_the_project_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_page_on_playing_with_a_friend_starts_servers_that_start(tmp_path: Path) -> None:
    text = (ROOT / "docs/howto/play-with-a-friend.md").read_text(encoding="utf-8")
    assert set(re.findall(r"SANDTABLE_[A-Z]+", text)) == {SECRET, ORIGINS, PROXIES, DATABASE}
    started = []
    for block in re.findall(r"```\n(export .*?)```", text, re.DOTALL):
        environment = dict(re.findall(r'export (\w+)="([^"]*)"', block))
        host = re.search(r"--host (\S+)", block)
        settings = settings_from(host[1] if host else "127.0.0.1", PORT, tmp_path, environment, "linux")
        started.append((settings.is_local, settings.origins, settings.proxies))
    assert started == [(False, (), ()), (False, ("https://table.example",), ("127.0.0.1",))]
    # what it tells of the proxy is where the server listens
    assert text.count(f"127.0.0.1:{PORT}") == 2


def test_the_library_example_plays_a_battle_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs/howto/library.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert example is not None
    names: dict[str, Any] = {}
    exec(example[1], names)
    assert names["ruleset"].outcome(names["state"]) is not None
    assert "Outcome(" in capsys.readouterr().out


def test_the_page_on_adding_a_system_quotes_a_room_that_passes_the_conformance_suite() -> None:
    text = (ROOT / "docs/howto/add-a-system.md").read_text(encoding="utf-8")
    files = [path.read_text(encoding="utf-8") for path in QUOTED]
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", text, re.DOTALL)
    assert [block for block in blocks if not any(block in file for file in files)] == []
    assert all(any(block in file for block in blocks) for file in files)
