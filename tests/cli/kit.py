"""Running a command inside the test, and the toy as a registered system."""

from __future__ import annotations

import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sandtable import registry
from sandtable.cli.__main__ import main
from tests.kit import toy as toy_rules

ROOM = Path(__file__).parent / "outpost"


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with words on its standard input."""

    def call(*arguments: object, said: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.StringIO(said))
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call


@pytest.fixture
def toy_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The toy is registered, and the path of a scenario for it is returned; its board lies beside it."""
    toy = registry.Room("toy", "Outpost Line", "TOY", toy_rules.TOY.info.rules_version, "tests.cli.outpost")
    monkeypatch.setattr(registry, "SYSTEMS", {**registry.SYSTEMS, "toy": toy})
    for name in ("post.toml", "line.toml"):
        shutil.copy(ROOM / name, tmp_path)
    return tmp_path / "post.toml"


def refused(said: Said) -> str:
    """The one sentence of a command that could not be done."""
    assert said.code == 2, said
    lines = said.err.splitlines()
    assert len(lines) == 1, said
    assert lines[0].startswith("sandtable: ")
    assert "Traceback" not in said.err
    return lines[0]
