"""A server, a browser and a page that fails its test on any console error.

Package scope: the loop of the synchronous Playwright must be closed before any asyncio test runs. Without a Chromium
the tests are skipped with a note; SANDTABLE_REQUIRE_BROWSER=1 makes that a failure. Screenshots are kept in
build/browser.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.serving import NO_LIST, ROOT, Serving
from tools import webbuild

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.table import Table

PICTURES = ROOT / "build" / "browser"
SECRET = "a secret for those who run it"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need Playwright")


def _miss(why: str) -> None:
    if os.environ.get("SANDTABLE_REQUIRE_BROWSER") == "1":
        pytest.fail(why)
    pytest.skip(why)


def _tool(name: str) -> str:
    """What one of the project's tools prints last, or nothing when it fails."""
    done = subprocess.run([sys.executable, str(ROOT / "tools" / name)], cwd=ROOT, capture_output=True, text=True)
    lines = done.stdout.strip().splitlines()
    return lines[-1] if done.returncode == 0 and lines else ""


@pytest.fixture(scope="package")
def client() -> None:
    """The browser client is built from the present source."""
    built = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "webbuild.py")], cwd=ROOT, capture_output=True, text=True
    )
    if not (ROOT / "src" / "sandtable" / "static" / "index.html").is_file():
        _miss(f"the browser client can't be built here: {built.stderr.strip()[-300:]}")


@pytest.fixture(scope="package")
def server(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that runs."""
    serving = Serving(tmp_path_factory.mktemp("battles"))
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A Chromium, found or fetched by tools/browser.py."""
    path = os.environ.get("SANDTABLE_BROWSER") or _tool("browser.py")
    if not path:
        _miss("no Chromium on this machine: the browser tests are not run")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=path, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def workshop(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with the tests' own content: scenarios in contact, the toy system, a player who only thinks."""
    serving = Serving(tmp_path_factory.mktemp("workshop"), "tests.browser.house")
    serving.start()
    yield serving
    serving.stop()


@contextmanager
def _sitting(browser: Browser, url: str, name: str, *, lists: bool = False, **options: Any) -> Iterator[Table]:
    """A fresh page; the test fails on any console error that it did not forgive beforehand. Whoever `lists` is told
    before each step ends who could still act.
    """
    from tests.browser.table import Table

    chosen = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
    context = browser.new_context(**chosen)
    if not lists:
        context.add_init_script(NO_LIST)
    page = context.new_page()
    faults: list[str] = []
    forgiven: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("request", lambda asked: _note_stranger(asked.url, url, faults))
    yield Table(page, url, forgiven.append)
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{re.sub(r'[^a-z0-9_]+', '-', name)}.png")
    context.close()
    left = [fault for fault in faults if not any(words in fault for words in forgiven)]
    assert not left, left


@pytest.fixture
def table(browser: Browser, server: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A page of the server as players have it."""
    with _sitting(browser, server.url, request.node.name) as page:
        yield page


@pytest.fixture
def bench(browser: Browser, workshop: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A page of the server with the tests' own content."""
    with _sitting(browser, workshop.url, request.node.name) as page:
        yield page


@pytest.fixture
def second_bench(browser: Browser, workshop: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """Another device at the same server."""
    with _sitting(browser, workshop.url, f"{request.node.name}-2") as page:
        yield page


@pytest.fixture
def cinema(browser: Browser, workshop: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """The same for a player who likes to see things move."""
    with _sitting(browser, workshop.url, request.node.name, reduced_motion="no-preference") as page:
        yield page


@pytest.fixture
def second_cinema(browser: Browser, workshop: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """Another device of somebody who likes to see things move."""
    with _sitting(browser, workshop.url, f"{request.node.name}-2", reduced_motion="no-preference") as page:
        yield page


@pytest.fixture(scope="package")
def hall(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with a secret, as one that others can reach."""
    serving = Serving(tmp_path_factory.mktemp("hall"), SANDTABLE_SECRET=SECRET)
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture
def visitor(browser: Browser, hall: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A page of the server with a secret."""
    with _sitting(browser, hall.url, request.node.name, reduced_motion="no-preference") as page:
        yield page


@pytest.fixture
def novice(browser: Browser, workshop: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """The same for a player who has switched nothing off."""
    with _sitting(browser, workshop.url, request.node.name, lists=True, reduced_motion="no-preference") as page:
        yield page


@pytest.fixture
def tablet(browser: Browser, workshop: Serving, request: pytest.FixtureRequest) -> Iterator[Table]:
    """The same on a screen that is touched."""
    with _sitting(browser, workshop.url, request.node.name, has_touch=True) as page:
        yield page


def _note_stranger(url: str, home: str, faults: list[str]) -> None:
    """The page asks nobody but its own server."""
    if not url.startswith((home, "data:", "blob:")):
        faults.append(f"a request to somebody else: {url}")


@pytest.fixture(scope="package")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of the accessibility checker, from the client's packages or fetched with the Node that built them."""
    found = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not found.is_file():
        wanted = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["devDependencies"]["axe-core"]
        folder = tmp_path_factory.mktemp("axe")
        quiet = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"]
        try:
            webbuild.find_node().run_npm(
                ["install", *quiet, "--prefix", str(folder), f"axe-core@{wanted}"], folder, "axe"
            )
        except (OSError, subprocess.SubprocessError, webbuild.Trouble) as trouble:
            _miss(f"axe-core is not here and can't be fetched, so the pages are not checked for access: {trouble}")
        found = folder / "node_modules" / "axe-core" / "axe.min.js"
    return Path(found).read_text(encoding="utf-8")
