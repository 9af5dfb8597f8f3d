"""The command line itself: its words, its page, and how it fails."""

from __future__ import annotations

import argparse
import io
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.cli import listing
from sandtable.cli.__main__ import main
from sandtable.cli.files import read_bytes, write_bytes
from sandtable.cli.parser import parser
from sandtable.cli.screen import bar, columns
from sandtable.cli.trouble import CommandError, printable
from tests.cli.kit import Run, refused

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"


def commands(
    root: argparse.ArgumentParser, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    for action in root._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield (*words, name), command
                yield from commands(command, (*words, name))


@pytest.mark.parametrize(("words", "command"), list(commands(parser())), ids=lambda value: str(value)[:40])
def test_every_command_and_option_is_on_the_page(words: tuple[str, ...], command: argparse.ArgumentParser) -> None:
    sections = re.split(r"^##+ ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    section = next(part for part in sections if part.splitlines()[0] == " ".join(words))
    for action in command._actions:
        for option in action.option_strings:
            if option not in ("-h", "--help"):
                assert f"`{option}" in section, f"{words}: {option}"


@pytest.mark.parametrize(("words", "command"), list(commands(parser())), ids=lambda value: str(value)[:40])
def test_every_command_helps(run: Run, words: tuple[str, ...], command: argparse.ArgumentParser) -> None:
    said = run(*words, "--help")
    assert said.code == 0
    assert "usage: sandtable" in said.out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "something is missing: COMMAND"),
        (["fly"], "there is no command 'fly'; there is systems, scenarios"),
        (["record"], "something is missing: COMMAND"),
        (["odds"], "something is missing: FILE"),
        (["simulate", "x", "--sides", "a,b", "--games", "0"], "'0' is not a whole number from 1 up"),
        (["simulate", "x", "--sides", "a,b", "--games", "1e9"], "is not a whole number"),
        (["simulate", "x", "--sides", "a,b", "--seed", "\udcff"], "not UTF-8"),
        (["version", "--jason"], "this is not understood here: --jason"),
        (["console"], "name a scenario"),
        (["console", "pl-frist-platoon"], "did you mean 'pl-first-platoon'"),
        (["console", "pl-first-platoon", "--option", "fogg=on"], "did you mean 'fog'"),
        (["console", "pl-first-platoon", "--sides", "human"], "1 player is named"),
        (["console", "pl-first-platoon", "--sides", "human,nobody"], "no player 'nobody'"),
        (["console", "pl-first-platoon", "--record", "no/such/folder/x"], "in no folder that exists"),
        (["console", "--resume", "no.rec"], "there is no such file"),
        (["console", "--resume", "no.rec", "--seed", "1"], "--seed can't be changed"),
        (["simulate", "pl-first-platoon", "--sides", "human,greedy"], "no player 'human'"),
        (["simulate", "pl-first-platoon", "--sides", "greedy,greedy", "--out", "no/folder/x.csv"], "in no folder"),
        (["record", "show", "."], "this is a folder, not a file"),
        (["odds", "no.toml"], "no such file"),
        (["validate", "--boards", "no/such", "x"], "there is no such folder"),
        (["validate", "--system", "chess", "x"], "no system 'chess'"),
        (["record", "show", "x" * 5000], "too long"),
    ],
)
def test_what_can_not_be_done_is_told_in_one_sentence(run: Run, arguments: list[str], reason: str) -> None:
    assert reason in refused(run(*arguments))


def test_a_fault_of_the_program_is_called_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(platform, "python_version", broken)
    said = run("version")
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert "a fault of the program, not yours: ZeroDivisionError: oops" in said.err
    monkeypatch.setenv("SANDTABLE_TRACE", "1")
    with pytest.raises(ZeroDivisionError):
        main(["version"])


def test_ctrl_c_stops_a_command(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(listing, "systems", stopped)
    assert run("systems") == (130, "", "sandtable: stopped\n")


def test_a_reader_that_has_enough_is_no_trouble() -> None:
    command = [sys.executable, "-m", "sandtable.cli", "rules", "PL", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept"
    write_bytes(path, b"old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "no space left")))
    with pytest.raises(OSError, match="no space left"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_a_file_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="a folder"):
        write_bytes(tmp_path, b"")
    with pytest.raises(CommandError, match="null character"):
        write_bytes(tmp_path / "a\0b", b"")
    with pytest.raises(CommandError, match="no folder that exists"):
        write_bytes(tmp_path / "a" / "b", b"")


def test_a_file_is_read_no_further_than_it_may_be(tmp_path: Path) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"x" * 100)
    assert len(read_bytes(path, 10)) == 11


def test_text_can_not_steer_a_terminal() -> None:
    assert printable("a\x1b[31mb\nc\u202ed\x00") == "a [31mb c d"
    assert printable("x" * 1000).endswith("x …")


def test_columns_line_up() -> None:
    assert columns([("a", "bb"), ("ccc", "d")]) == ["a    bb", "ccc  d"]
    assert columns([]) == []


def test_anything_that_can_happen_shows_in_its_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    from fractions import Fraction

    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert bar(Fraction(1, 1000), 10) == "#........."
    assert bar(Fraction(1), 10) == "#" * 10
    assert bar(Fraction(0), 10) == "." * 10
