"""What a command says when it can't do what was asked: a plain sentence that names the thing, whatever went wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandtable.cli.__main__ import main

JARGON = re.compile(
    r"Traceback|Error\b|Exception|errno|JSON\b|malformed|truncated|missing required|invalid choice|unrecognized|"
    r"None\b|KeyError|utf-8|`[a-z_]+` *$|argument |byte \d|object at|<class",
    re.IGNORECASE,
)
"""Words of programmers."""

FILES = {
    "empty.json": b"",
    "empty.toml": b"",
    "object.json": b"{}",
    "words.json": b"not a record",
    "half.json": b'{"header": {"format": 1',
    "noise.json": bytes(range(256)),
    "folder/inside.txt": b"x",
}

TRIALS = {
    "": "something is missing: COMMAND",
    "fly": "there is no command 'fly'",
    "systems too": "this is not understood here: too",
    "scenarios XX": "there is no system 'XX'; there is panzer8, panzer_44, panzer_battles, panzer_leader, panzerblitz",
    "rules": "something is missing: SYSTEM",
    "rules XX": "there is no system 'XX'",
    "rules PL PL-9999": "Panzer Leader has no rule 'PL-9999'; did you mean PL-909?",
    "console": "name a scenario, or a battle to go on with by --resume",
    "console nothing": "unknown scenario 'nothing'; expected one of 'p44-farm-lane'",
    "console gone.toml": "gone.toml: there is no such file",
    "console ./empty.toml": "empty.toml: the file is empty",
    "console ./folder": "folder: this is a folder, not a file",
    "console pl-meeting --sides nobody,greedy": "there is no player 'nobody'; there is greedy, human, random",
    "console pl-meeting --sides greedy": "1 player is named, but the battle has 2 sides (allied, german)",
    "console pl-meeting --sides a,b,c": "3 players are named, but the battle has 2 sides (allied, german)",
    "console pl-meeting --option nothing=1": "there is no option 'nothing'; there is field_of_fire",
    "console pl-meeting --option fog": "an option is written name=value, not 'fog'",
    "console pl-meeting --option fog=perhaps": "the option fog can't be 'perhaps'; it is one of false, true",
    "console pl-meeting --option": "something is missing after --option",
    "console pl-meeting --budget many": "--budget: 'many' is not a whole number from 1 up",
    "console pl-meeting --record gone/x.rec": "x.rec: this is in no folder that exists",
    "console --resume gone.json": "gone.json: there is no such file",
    "console --resume empty.json": "empty.json: the file is empty",
    "console --resume object.json": "object.json: this is no record of a battle",
    "console --resume words.json": "words.json: this is no record of a battle",
    "console --resume half.json": "half.json: this is no record of a battle, or only a part of one",
    "console --resume noise.json": "noise.json: this is no record of a battle",
    "console --resume folder": "folder: this is a folder, not a file",
    "odds": "something is missing: FILE",
    "odds gone.toml": "gone.toml: there is no such file",
    "odds empty.toml": "empty.toml: the file is empty",
    "odds folder": "folder: this is a folder, not a file",
    "simulate pl-meeting": "something is missing: --sides",
    "simulate nothing --sides greedy,greedy": "unknown scenario 'nothing'",
    "simulate pl-meeting --sides greedy,human": "there is no player 'human'; there is greedy, random",
    "simulate pl-meeting --sides greedy,greedy --games 0": "--games: '0' is not a whole number from 1 up",
    "simulate pl-meeting --sides greedy,greedy --games 1 --out folder": "folder: this is a folder",
    "record": "something is missing: COMMAND",
    "record look x": "there is no command 'look'; there is show, verify, export",
    "record show": "something is missing: FILE",
    "record show gone.json": "gone.json: there is no such file",
    "record show empty.json": "empty.json: the file is empty",
    "record show object.json": "object.json: this is no record of a battle",
    "record verify words.json": "words.json: this is no record of a battle",
    "record export object.json --format pdf": "--format can't be 'pdf'; it is one of jsonl, text",
    "validate": "something is missing: FILE",
    "validate empty.toml --system nothing": "there is no system 'nothing'",
    "validate empty.toml --boards gone": "gone: there is no such folder",
    "serve --port many": "--port: 'many' is not a port from 0 to 65535",
    "serve --no-browser --data empty.json": "empty.json: battles are kept in a folder, and this is a file",
    "serve --no-browser --host 0.0.0.0": "others can reach 0.0.0.0, so SANDTABLE_SECRET must hold a secret",
    "version too": "this is not understood here: too",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that are none of ours."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SANDTABLE_SECRET", raising=False)
    return tmp_path


@pytest.mark.parametrize("words", TRIALS)
def test_a_command_that_can_t_be_done_says_so_in_a_plain_sentence(
    words: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("sandtable: ")
    assert TRIALS[words] in said.err
    told = said.err.removeprefix("sandtable: ")
    for word in words.split():
        told = told.replace(word.removeprefix("./"), "")
    assert not JARGON.search(told), said.err


@pytest.mark.parametrize(
    ("file", "said"), [("gone.toml", "there is no such file"), ("empty.toml", "the file is empty")]
)
def test_one_problem_is_one_problem(file: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", file]) == 2
    assert capsys.readouterr().out == f"{file}: 1 problem\n  {file}: {said}\n"
