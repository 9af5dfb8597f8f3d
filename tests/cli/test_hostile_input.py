"""Whatever a file or a player says: done, or one sentence and exit code 2; never a fault, never a half-written file."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandtable.cli.__main__ import main
from sandtable.content import scenario_path, shipped_folder
from tests.cli.test_odds import EXAMPLES

EXAMPLES_EACH = 25 if os.environ.get("SANDTABLE_THOROUGH") == "1" else 8
FEW = settings(
    max_examples=EXAMPLES_EACH, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
PLATOON = Path(str(scenario_path("pl-first-platoon"))).read_bytes()
BOARD = Path(str(shipped_folder("boards").joinpath("le-mesnil.toml"))).read_bytes()


def call(*arguments: object, said: str = "") -> tuple[int, str]:
    """The exit code and what stands on stderr, which is one sentence when anything went wrong."""
    out, err, stdin = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(said)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(argument) for argument in arguments])
    finally:
        sys.stdin = stdin
    assert code in (0, 2), err.getvalue()
    assert err.getvalue().count("\n") <= 1
    assert "Traceback" not in err.getvalue()
    return code, err.getvalue()


@st.composite
def spoiled(draw: Callable[[Any], Any], data: bytes) -> bytes:
    """The bytes with a few places overwritten, cut out, doubled or filled with something else."""
    out = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(out)))
        length = draw(st.integers(0, 40))
        kind = draw(st.sampled_from(("put", "put", "digit", "cut", "copy", "end")))
        if kind == "put":
            out[at : at + length // 8] = draw(st.binary(max_size=6))
        elif kind == "digit":
            out[at : at + 1] = draw(st.sampled_from([b"0", b"9", b"-1", b'"', b"]", b"}", b",", b"1e9", b"null"]))
        elif kind == "cut":
            del out[at : at + length]
        elif kind == "copy":
            start = draw(st.integers(0, len(out)))
            out[at:at] = out[start : start + length]
        elif draw(st.booleans()):
            del out[at:]
    return bytes(out)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("records") / "game.rec"
    assert call("console", "pl-first-platoon", "--seed", "4", "--sides", "greedy,random", "--record", path) == (0, "")
    return path.read_bytes()


COMMANDS_ON_FILES = (
    ("validate",),
    ("validate", "--json"),
    ("odds",),
    ("record", "show"),
    ("record", "verify"),
    ("record", "export"),
    ("console", "--resume"),
    ("console",),
    ("simulate", "--sides", "random,random", "--games", "1"),
)


@FEW
@given(st.binary(max_size=300))
@pytest.mark.parametrize("command", COMMANDS_ON_FILES, ids=" ".join)
def test_a_file_of_random_bytes(tmp_path: Path, command: tuple[str, ...], data: bytes) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(data)
    assert call(*command, path)[0] == 2
    assert path.read_bytes() == data
    assert [file.name for file in tmp_path.iterdir()] == ["file.toml"]


@FEW
@given(spoiled(PLATOON))
def test_a_spoiled_scenario(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "scenario.toml"
    path.write_bytes(data)
    valid = call("validate", path)[0]
    played = call("console", path, "--hot-seat", said="end\nu\nmap\nend\n")[0]
    assert valid == played


@FEW
@given(spoiled(BOARD))
def test_a_spoiled_board(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(data)
    call("validate", path, "--json")


@FEW
@given(spoiled(EXAMPLES[0].encode()))
def test_a_spoiled_situation(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "situation.toml"
    path.write_bytes(data)
    call("odds", path)


@FEW
@given(st.data())
def test_a_spoiled_record(tmp_path: Path, record: bytes, data: Any) -> None:
    path = tmp_path / "game.rec"
    path.write_bytes(data.draw(spoiled(record)))
    kept = path.read_bytes()
    for command in (("show",), ("verify",), ("export",), ("export", "--side", "german", "--format", "text")):
        call("record", *command, path)
    code, _ = call("console", "--resume", path)
    assert code == 0 or path.read_bytes() == kept


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for key, inner in enumerate(value) for leaf in leaves(inner, (*path, key))]
    return [path]


@FEW
@given(st.data(), st.sampled_from([0, -1, 1, 2**70, "", "x", None, True, [], {}, 1.5]))
def test_a_record_with_one_value_changed_by_hand(tmp_path: Path, record: bytes, data: Any, value: Any) -> None:
    content = json.loads(record)
    place = data.draw(st.sampled_from(leaves(content)))
    inner = content
    for key in place[:-1]:
        inner = inner[key]
    if json.dumps(inner[place[-1]]) == json.dumps(value):
        return
    inner[place[-1]] = value
    path = tmp_path / "game.rec"
    path.write_text(json.dumps(content, separators=(",", ":"), sort_keys=True))
    call("record", "show", path)
    call("record", "export", path)
    assert call("record", "verify", path)[0] == 2


WORDS = "help u r o map m hex log undo end e e e 1 2 3 t odds y n s save order resume pass place fire move assault"
LINES = """
s 0
s 3
s 6
s A0
move 0607
2 1
1 1
t 2 5
odds 2 1
odds move
hex 0605
rules 808
log 3
order {}
order {"order": "EndPhase"}
order {"order": "MoveUnit", "unit": -3, "path": [99999]}
order {"order": "DirectFire", "firers": [0, 0], "hex": "0605", "targets": [1, 400]}
order {"order": "PlaceUnit", "unit": 9223372036854775808, "hex": 0}
s 99999999999999999999
٣ ٣
"""
SAYINGS = st.sampled_from(WORDS.split()) | st.sampled_from(LINES.strip().split("\n"))


@FEW
@given(st.lists(SAYINGS | st.text(max_size=20), max_size=30), st.sampled_from(["--plain", "--hot-seat", "--seed=9"]))
def test_a_player_who_says_anything(tmp_path: Path, said: list[str], more: str) -> None:
    record = tmp_path / "game.rec"
    lines = "\n".join(line for line in said if not line.startswith(("save", "resume")))
    assert call("console", "pl-first-platoon", "--record", record, more, said=lines) == (0, "")
    assert call("record", "verify", record) == (0, "")


@FEW
@given(
    st.lists(
        st.text(max_size=12) | st.sampled_from(["rules", "PL", "--json", "scenarios", "--seed", "odds"]), max_size=4
    )
)
def test_a_command_line_of_anything(arguments: list[str]) -> None:
    call(*arguments)
