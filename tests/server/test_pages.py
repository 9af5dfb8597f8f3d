"""The browser client as it is served, and the file its types come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.server.http.pages import STATIC, Pages
from tests.server.kit import running
from tools import api_types


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>the client", encoding="utf-8")
    (folder / "assets" / "main-1a2b3c.js").write_text("let it = 1;", encoding="utf-8")
    (folder / ".stamp").write_text("secret", encoding="utf-8")
    return folder


def test_the_client_is_served_and_its_assets_are_kept_for_ever(built: Path, tmp_path: Path) -> None:
    with running(tmp_path, pages=Pages(built)) as server:
        page = server.http.get("/")
        assert page.text == "<!doctype html>the client"
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["cache-control"] == "no-cache"
        assert server.http.get("/", headers={"if-none-match": page.headers["etag"]}).status_code == 304
        assert server.http.get("/battle/1a2b").text == page.text
        script = server.http.get("/assets/main-1a2b3c.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert "immutable" in script.headers["cache-control"]
        assert server.http.head("/").status_code == 200
        assert server.http.get("/assets/gone.js").status_code == 404
        assert server.http.get("/.stamp").status_code == 404
        assert server.http.get("/api/nothing").status_code == 404


@pytest.mark.parametrize("path", ["../secret.txt", "/../secret.txt", "assets/../../secret.txt", "%2e%2e/secret.txt"])
def test_no_path_leads_out_of_the_folder(built: Path, path: str) -> None:
    (built.parent / "secret.txt").write_text("secret", encoding="utf-8")
    found = Pages(built).find(path)
    assert found is None


def test_a_client_that_is_built_anew_is_served_anew(built: Path) -> None:
    import os

    pages = Pages(built)
    first = pages.find("/")
    (built / "index.html").write_text("<!doctype html>another", encoding="utf-8")
    os.utime(built / "index.html", ns=(1, 1))
    second = pages.find("/")
    assert first is not None
    assert second is not None
    assert (first.body, second.body) == (b"<!doctype html>the client", b"<!doctype html>another")


def test_without_a_client_a_page_says_how_to_build_it(tmp_path: Path) -> None:
    page = Pages(tmp_path / "nothing").find("/")
    assert page is not None
    assert b"python3 run.py play" in page.body


# the client's types


def test_the_clients_types_are_those_of_the_messages() -> None:
    assert api_types.main(["--check"]) == 0, "run: python tools/api_types.py"


def test_stale_types_are_noticed_and_rewritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_types, "TARGET", tmp_path / "api-types.ts")
    assert api_types.main(["--check"]) == 1
    assert api_types.main([]) == 0
    assert api_types.main(["--check"]) == 0


def test_what_may_be_absent_is_marked_so() -> None:
    text = api_types.rendered()
    assert "export interface Hello {" in text
    assert "  token?: string;" in text
    assert "  outcome: Outcome | null;" in text
    assert "  corners?: [string, string, string, string];" in text
    assert "  tokens: Record<string, string>;" in text
    assert "  | Snapshot\n" in text


def test_the_client_is_looked_for_where_it_is_built() -> None:
    root = Path(__file__).resolve().parents[2]
    assert root / "src" / "sandtable" / "static" == STATIC
