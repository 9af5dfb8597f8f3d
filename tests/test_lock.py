"""tools/lock.py writes the hashes of those files that a supported machine could need, and keeps what is written."""

import json
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path

import pytest
from pip._vendor.packaging.version import Version

from tools import lock
from tools.lock import File

ONE, TWO, SOURCE = "1" * 64, "2" * 64, "3" * 64
FILES = [
    File("Some_Package-1.0-cp311-cp311-manylinux_2_28_x86_64.whl", TWO),
    File("some_package-1.0-cp313-cp313-win_amd64.whl", ONE),
    File("some_package-1.0.tar.gz", SOURCE),
    File("some_package-1.0-cp310-cp310-win_amd64.whl", "4" * 64),
    File("some_package-2.0-cp311-cp311-win_amd64.whl", "5" * 64),
]


@pytest.mark.parametrize(
    "tags",
    [
        "py3-none-any",
        "py2.py3-none-any",
        "cp311-cp311-win_amd64",
        "cp314-cp314-macosx_11_0_arm64",
        "cp312-cp312-musllinux_1_2_aarch64",
        "cp313-cp313-manylinux_2_17_x86_64.manylinux2014_x86_64",
        "cp39-abi3-macosx_10_12_x86_64.macosx_11_0_arm64.macosx_10_12_universal2",
        "py3-none-win_arm64",
    ],
)
def test_a_wheel_that_a_supported_machine_could_install_is_needed(tags: str) -> None:
    assert lock.is_needed(f"thing-1.0-{tags}.whl", "thing", Version("1.0"))


@pytest.mark.parametrize(
    "name",
    [
        "thing-1.0-cp310-cp310-win_amd64.whl",
        "thing-1.0-cp315-cp315-win_amd64.whl",
        "thing-1.0-cp315-abi3-win_amd64.whl",
        "thing-1.0-cp314-cp314t-win_amd64.whl",
        "thing-1.0-pp311-pypy311_pp73-win_amd64.whl",
        "thing-1.0-cp311-cp311-manylinux_2_17_s390x.whl",
        "thing-1.0-py2-none-any.whl",
        "thing-2.0-py3-none-any.whl",
        "other-1.0-py3-none-any.whl",
        "thing-1.1.tar.gz",
        "thing-1.0.exe",
        "thing.whl",
    ],
)
def test_other_files_are_not_needed(name: str) -> None:
    assert not lock.is_needed(name, "thing", Version("1.0"))


def test_a_version_may_be_spelled_in_two_ways() -> None:
    assert lock.is_needed("thing-2026.6.0.tar.gz", "Thing", Version("2026.6"))


def test_both_forms_of_an_index_tell_the_same_files() -> None:
    page = f'<a href="../x/thing-1.0%2Bcpu.tar.gz#sha256={ONE}">t</a><a href="old.zip#md5=1">o</a><a>none</a>'
    listed = [{"filename": "thing-1.0+cpu.tar.gz", "hashes": {"sha256": ONE}}, {"filename": "old.zip", "hashes": {}}]
    files = [File("thing-1.0+cpu.tar.gz", ONE)]
    assert lock.files_on(page, "text/html") == files
    assert lock.files_on(json.dumps({"files": listed}), "application/vnd.pypi.simple.v1+json") == files


def test_hashes_are_replaced_and_the_rest_of_a_lock_file_stays() -> None:
    text = f'# why\nsome-package==1.0; sys_platform == "win32" \\\n    --hash=sha256:{"9" * 64}\n'
    after = lock.locked(text, lambda package: FILES)
    assert after == (
        '# why\nsome-package==1.0; sys_platform == "win32" \\\n'
        f"    --hash=sha256:{ONE} \\\n    --hash=sha256:{TWO} \\\n    --hash=sha256:{SOURCE}\n"
    )
    assert lock.locked(after, lambda package: FILES) == after


def test_a_version_that_the_index_does_not_have_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.lock"
    path.write_text("some-package==9.0\n", encoding="utf-8")
    monkeypatch.setattr(lock, "fetch", lambda package, address: FILES)
    assert lock.main([str(path)]) == 1
    assert "no file of some-package 9.0 for a supported machine" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "some-package==9.0\n"


def test_a_lock_file_is_written_and_its_hashes_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.lock"
    path.write_text("some-package==1.0\n", encoding="utf-8")
    monkeypatch.setattr(lock, "fetch", lambda package, address: FILES)
    assert [lock.main([str(path)]), lock.main([str(path)])] == [0, 0]
    assert capsys.readouterr().out == "some.lock: 3 hashes, written anew\nsome.lock: 3 hashes\n"
    assert path.read_text(encoding="utf-8").count("--hash=sha256:") == 3


def test_the_index_is_the_one_that_pip_is_set_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://index.example/simple")
    assert lock.index() == "https://index.example/simple"


def test_a_package_is_asked_for_by_its_normal_name() -> None:
    asked: list[str] = []

    class Answer:
        headers = Message()

        def __enter__(self) -> "Answer":
            return self

        def __exit__(self, *_: object) -> None: ...

        def read(self) -> bytes:
            return f'<a href="x-1.tar.gz#sha256={ONE}">x</a>'.encode()

    def answer(request: urllib.request.Request, timeout: float) -> Answer:
        asked.append(request.full_url)
        return Answer()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(urllib.request, "urlopen", answer)
        assert lock.fetch("Some_Package", "https://index.example/simple/") == [File("x-1.tar.gz", ONE)]
    assert asked == ["https://index.example/simple/some-package/"]


def test_an_index_that_can_not_be_reached_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(request: urllib.request.Request, timeout: float) -> None:
        raise urllib.error.URLError("no route")

    monkeypatch.setattr(urllib.request, "urlopen", fail)
    with pytest.raises(lock.Trouble, match="the package index has no answer for thing: no route"):
        lock.fetch("thing", "https://index.example/simple")
