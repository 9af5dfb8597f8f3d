"""The build of the browser client: what it is made from, when it is made, and what it says when it can't be."""

import json
from pathlib import Path

import pytest

from tools import webbuild

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "web" / "package-lock.json"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a client of two files."""
    (tmp_path / "web/src").mkdir(parents=True)
    (tmp_path / "web/index.html").write_text("<p>", encoding="utf-8")
    (tmp_path / "web/src/main.ts").write_text("1", encoding="utf-8")
    return tmp_path


def put_bundle(root: Path, stamp: str) -> None:
    static = root / "src/sandtable/static"
    static.mkdir(parents=True)
    (static / webbuild.PAGE).write_text("old", encoding="utf-8")
    (static / webbuild.STAMP).write_text(stamp, encoding="ascii")


def refuse(root: Path) -> None:
    raise webbuild.trouble("what the client is built with", "npm error code ECONNREFUSED")


def test_lock_serves_every_platform() -> None:
    packages = json.loads(LOCK.read_bytes())["packages"]
    bindings = [name for name in packages if name.startswith("node_modules/@rolldown/binding-")]
    assert len(bindings) == 15


def test_players_install_no_checkers() -> None:
    packages = json.loads(LOCK.read_bytes())["packages"]
    assert packages["node_modules/typescript"]["dev"]
    assert packages["node_modules/svelte-check"]["dev"]


def test_every_source_changes_the_fingerprint(checkout: Path) -> None:
    before = webbuild.fingerprint(checkout / "web")
    (checkout / "web/src/main.ts").write_text("2", encoding="utf-8")
    assert webbuild.fingerprint(checkout / "web") != before


def test_what_is_not_in_the_bundle_leaves_the_fingerprint(checkout: Path) -> None:
    before = webbuild.fingerprint(checkout / "web")
    for name in webbuild.LEFT_OUT:
        (checkout / "web" / name).mkdir()
        (checkout / "web" / name / "file.js").write_text("3", encoding="utf-8")
    assert webbuild.fingerprint(checkout / "web") == before


def test_bundle_of_the_present_sources_is_not_built_again(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbuild, "bundle", refuse)
    put_bundle(checkout, webbuild.fingerprint(checkout / "web"))
    assert webbuild.build(checkout) is False


def test_older_bundle_stays_when_the_registry_cannot_be_reached(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(webbuild, "bundle", refuse)
    put_bundle(checkout, "another")
    assert webbuild.build(checkout) is False
    said = capsys.readouterr().err
    assert "the package registry cannot be reached" in said
    assert "the client built before stays in use" in said


def test_no_bundle_and_no_registry_is_trouble_in_a_sentence(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbuild, "bundle", refuse)
    with pytest.raises(webbuild.Trouble, match="needs a network connection"):
        webbuild.build(checkout)


def test_unknown_failure_shows_the_last_lines() -> None:
    reason = str(webbuild.trouble("building the client", "\n".join(f"line {n}" for n in range(40))))
    assert "line 39" in reason
    assert "line 20" not in reason


@pytest.mark.parametrize(("said", "version"), [("v20.19.1", (20, 19)), ("v22.12.0", (22, 12)), ("nonsense", (0,))])
def test_node_says_its_version(tmp_path: Path, said: str, version: tuple[int, ...]) -> None:
    node = tmp_path / "node"
    node.write_text(f"#!/bin/sh\necho {said}\n", encoding="utf-8")
    node.chmod(0o755)
    assert webbuild.node_version(str(node)) == version


def test_missing_node_has_no_version(tmp_path: Path) -> None:
    assert webbuild.node_version(str(tmp_path / "node")) == (0,)


def test_packages_put_there_by_a_developer_count(tmp_path: Path) -> None:
    lock = {
        "packages": {"": {}, "node_modules/vite": {"version": "1"}, "node_modules/tsc": {"version": "1", "dev": True}}
    }
    (tmp_path / "package-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    assert not webbuild.has_packages(tmp_path)
    (tmp_path / "node_modules").mkdir()
    present = tmp_path / "node_modules/.package-lock.json"
    present.write_text(json.dumps({"packages": {"node_modules/vite": {"version": "1"}}}), encoding="utf-8")
    assert webbuild.has_packages(tmp_path)
    present.write_text(json.dumps({"packages": {"node_modules/vite": {"version": "2"}}}), encoding="utf-8")
    assert not webbuild.has_packages(tmp_path)


def test_who_checks_the_client_gets_the_checkers_first(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    class Npm(webbuild.Node):
        def run_npm(self, arguments: list[str], folder: Path, what: str) -> None:
            asked.append(arguments[:2])
            if arguments[:2] == ["run", "check"] and (folder / "src/main.ts").read_text(encoding="utf-8") == "1":
                raise webbuild.trouble(what, "main.ts:1:1 Error: unused")

    monkeypatch.setattr(webbuild, "find_node", lambda: Npm((), (), {}))
    checker = {"node_modules/tsc": {"version": "1", "dev": True}}
    (checkout / "web/package-lock.json").write_text(json.dumps({"packages": checker}), encoding="utf-8")
    with pytest.raises(webbuild.Trouble, match=r"checking the types of the client failed.*\n.*Error: unused"):
        webbuild.check_types(checkout)
    assert asked == [["ci", "--no-audit"], ["run", "check"]]
    (checkout / "web/node_modules").mkdir()
    (checkout / "web/node_modules/.package-lock.json").write_text(json.dumps({"packages": checker}), encoding="utf-8")
    (checkout / "web/src/main.ts").write_text("2", encoding="utf-8")
    webbuild.check_types(checkout)
    assert asked[2:] == [["run", "check"]]
