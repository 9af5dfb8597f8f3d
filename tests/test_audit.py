"""The packages of an environment, compared with the lock files."""

from __future__ import annotations

import base64
import hashlib
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

from tools import audit

LOCK = """# a comment
Some.Package==1.0 \\
    --hash=sha256:0
only-there==2.0; sys_platform == "win32" \\
    --hash=sha256:0
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "requirements.lock").write_text(LOCK, encoding="utf-8")
    (tmp_path / "requirements-bench.lock").write_text("peer==3.0 \\\n    --hash=sha256:0\n", encoding="utf-8")
    return tmp_path


def installed(folder: Path, name: str, version: str, body: bytes = b"pass") -> Distribution:
    """A package with one file, as pip leaves it."""
    place = folder / f"{name}-{version}.dist-info"
    place.mkdir(parents=True)
    (folder / f"{name}.py").write_bytes(body)
    digest = base64.urlsafe_b64encode(hashlib.sha256(body).digest()).decode().rstrip("=")
    (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (place / "RECORD").write_text(f"{name}.py,sha256={digest},{len(body)}\n{place.name}/RECORD,,\n", encoding="utf-8")
    return PathDistribution(place)


def test_an_environment_as_it_was_locked_is_in_order(root: Path, tmp_path: Path) -> None:
    locks = audit.locked(root, "linux")
    assert set(locks) == {"some-package", "peer"}
    assert set(audit.locked(root, "win32")) == {"some-package", "only-there", "peer"}
    there = [installed(tmp_path, "some_package", "1.0"), installed(tmp_path, "pip", "9")]
    # what the benchmarks are compared with need not be there
    assert list(audit.differences(locks, there)) == []


def test_what_is_there_and_not_locked_or_the_other_way_round_is_named(root: Path, tmp_path: Path) -> None:
    locks = audit.locked(root, "linux")
    told = list(audit.differences(locks, [installed(tmp_path, "some_package", "1.1"), installed(tmp_path, "spy", "1")]))
    assert told == ["some-package is 1.1, locked is 1.0", "spy 1 is there and in no lock file"]
    assert list(audit.differences(locks, [])) == ["some-package 1.0 is locked and not there"]


def test_a_file_that_was_changed_after_it_was_installed_is_named(tmp_path: Path) -> None:
    package = installed(tmp_path, "some_package", "1.0")
    assert list(audit.changed_files(package)) == []
    (tmp_path / "some_package.py").write_bytes(b"import spy")
    assert list(audit.changed_files(package)) == ["some_package: some_package.py was changed after it was installed"]
    (tmp_path / "some_package.py").unlink()
    assert list(audit.changed_files(package)) == ["some_package: some_package.py is gone"]


def test_not_to_be_answered_is_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def nobody(address: str, one: audit.Locked) -> list[str]:
        raise TimeoutError

    monkeypatch.setattr(audit, "distributions", list)
    monkeypatch.setattr(audit, "locked", lambda: {"a": audit.Locked("a", "1", False)})
    monkeypatch.setattr(audit, "index_address", lambda: "https://index.example/simple")
    monkeypatch.setattr(audit, "known", nobody)
    assert audit.audit("online") == 0
    assert "known vulnerabilities were not asked for" in capsys.readouterr().out
    monkeypatch.setattr(audit, "known", lambda address, one: ["a 1: CVE-1, mended in 2"])
    assert audit.audit("online") == 1
    assert "a 1: CVE-1, mended in 2" in capsys.readouterr().out
    assert audit.audit("offline") == 0
