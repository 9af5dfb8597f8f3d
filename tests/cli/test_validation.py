"""`sandtable validate`: all problems of all files."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.content import shipped_folder
from tests.cli.kit import Run


def shipped() -> list[str]:
    return sorted(
        str(file) for folder in ("boards", "scenarios") for file in Path(str(shipped_folder(folder))).glob("*.toml")
    )


@pytest.mark.parametrize("file", shipped(), ids=lambda file: Path(file).name)
def test_shipped_files_are_good(run: Run, file: str) -> None:
    said = run("validate", file)
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{file}: good\n"


def test_all_problems_are_listed(run: Run, toy_system: Path) -> None:
    toy_system.write_text(
        toy_system.read_text().replace('at = "0101"', 'at = "0199"').replace('type = "post"', 'type = "pots"', 1)
    )
    board = toy_system.with_name("line.toml")
    said = run("validate", toy_system, board)
    assert said.code == 2
    assert "2 problems" in said.out
    assert "'0199' is not a hex of the board (0101 to 0110)" in said.out
    assert "did you mean 'post'" in said.out
    assert f"{board}: good" in said.out
    told = run("validate", toy_system, board, "--json")
    assert told.code == 2
    assert [(report["valid"], len(report["problems"])) for report in told.json] == [(False, 2), (True, 0)]


def test_a_board_is_held_to_the_words_of_a_system(run: Run, toy_system: Path) -> None:
    board = toy_system.with_name("line.toml")
    assert run("validate", board).code == 0
    said = run("validate", board, "--system", "PL")
    assert said.code == 2
    assert "hedge" in said.out


def test_boards_are_found_in_the_folder_given(run: Run, toy_system: Path) -> None:
    toy_system.write_text(toy_system.read_text().replace('board = "line.toml"', 'board = "line"'))
    assert run("validate", toy_system).code == 2
    assert run("validate", toy_system, "--boards", toy_system.parent).code == 0


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty"),
        (b"kind = [", "not valid TOML"),
        (b'kind = "record"', "expected one of 'board', 'scenario', 'tutorial'"),
        (b"kind = [1]", "expected one of 'board', 'scenario', 'tutorial'"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 1000, "nested more than"),
        (b"# " + b"x" * 10_000_000, "larger than 8,388,608 bytes"),
        (b'kind = "scenario"\n# ' + b"x" * 2_000_000, "larger than 1,048,576 bytes"),
    ],
)
def test_a_file_of_anything_is_told(run: Run, tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(data)
    said = run("validate", path)
    assert said.code == 2
    assert reason in said.out


def test_a_file_with_another_ending_is_still_a_file(
    run: Run, toy_system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy_system.rename(toy_system.with_name("post"))
    monkeypatch.chdir(toy_system.parent)
    assert run("validate", "post").code == 0
    assert "no such file" in run("validate", "pots").out


GUIDE = """format = 1
kind = "tutorial"
scenario = "post"
side = "red"

[[steps]]
title = "Walk"
text = "Walk down the lane."
verbs = ["move"]
"""


def test_a_tutorial_is_held_to_the_scenario_beside_it(run: Run, toy_system: Path) -> None:
    guide = toy_system.with_name("post.tutorial.toml")
    guide.write_text(GUIDE)
    assert run("validate", guide).out == f"{guide}: good\n"
    guide.write_text(GUIDE.replace('"red"', '"read"').replace('"move"', '"moove"'))
    said = run("validate", guide)
    assert (said.code, said.out.count("did you mean")) == (2, 2)


def test_a_tutorial_that_lies_beside_no_scenario_is_told_where_to_lie(run: Run, tmp_path: Path) -> None:
    (tmp_path / "guide.toml").write_text(GUIDE)
    assert "expected a file name such as SCENARIO.tutorial.toml" in run("validate", tmp_path / "guide.toml").out
    (tmp_path / "lost.tutorial.toml").write_text(GUIDE)
    assert "lost.toml: there is no such file" in run("validate", tmp_path / "lost.tutorial.toml").out
