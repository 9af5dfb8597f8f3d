"""The busiest modules of the rules are compiled, play the same battles as their source, and are never older than it."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from sandtable import compiled
from sandtable.cli.__main__ import main

ROOT = Path(__file__).parent.parent

BATTLES = ("pl-town-assault", "p44-vierville", "pb3-cauldron", "p8-chemery")
"""One of each system whose modules are compiled."""

PLAY = """
import sys
from sandtable import compiled, registry
from sandtable.content import load_shipped
from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import begin, submit
for system, room in registry.SYSTEMS.items():
    for name in sys.argv[1:]:
        if not name.startswith(room.prefix.lower() + "-"):
            continue
        rules = registry.ruleset(system)
        state = begin(rules, load_shipped(name, registry.vocabulary(system)), {}, "battle").state
        dice = PromptDice("players")
        for _ in range(300):
            decisions = rules.decisions(state)
            if not decisions:
                break
            side = decisions[0].side
            state = submit(rules, state, side, rules.options(rules.view(state, side), decisions[0]).pick(dice)).state
        print(name, codec.digest(state))
print(compiled.in_use(), file=sys.stderr)
"""


COMPILE = """
import sys
from pathlib import Path
from sandtable import compiled
from sandtable.cli.__main__ import main
compiled.PACKAGE = Path(sys.argv[1])
compiled.FOLDER = compiled.PACKAGE / "_compiled"
compiled.BUSY, compiled.READ = {"play": ("turns",)}, ("geometry", "play")
sys.exit(main(["compile", *sys.argv[2:]]))
"""


def compile_it(package: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """What `sandtable compile` says of the little package, in a process of its own as it always is."""
    return subprocess.run([sys.executable, "-c", COMPILE, str(package), *options], capture_output=True, text=True)


TURNS = """
from typing import Any

from little.geometry.hexes import SIDES


def turned(side: int) -> int:
    return (side + 1) % SIDES


def place_of(piece: Any) -> object:
    return piece.place


def read(piece: Any, name: str) -> object:
    return getattr(piece, name)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of one busy module beside one that it reads."""
    package = tmp_path / "little"
    for folder in ("geometry", "play"):
        (package / folder).mkdir(parents=True)
        (package / folder / "__init__.py").write_text("", encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "geometry" / "hexes.py").write_text("SIDES = 6\n", encoding="utf-8")
    (package / "play" / "turns.py").write_text(TURNS, encoding="utf-8")
    monkeypatch.setattr(compiled, "PACKAGE", package)
    monkeypatch.setattr(compiled, "FOLDER", package / "_compiled")
    monkeypatch.setattr(compiled, "BUSY", {"play": ("turns",)})
    monkeypatch.setattr(compiled, "READ", ("geometry", "play"))
    monkeypatch.setenv("SANDTABLE_INTERPRETED", "0")
    compiled._present.cache_clear()
    yield package
    compiled._present.cache_clear()


def test_what_is_compiled_exists_and_defines_no_struct() -> None:
    """mypyc drops what a class is declared with, and what its fields may hold."""
    for name, path in compiled.busy_modules().items():
        tree = ast.parse((compiled.PACKAGE.parent / f"{path}.py").read_text(encoding="utf-8"))
        bases = [ast.unparse(base) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]
        assert not [base for base in bases if base.endswith("Struct")], name


def test_a_changed_line_anywhere_below_leaves_the_compiled_modules_aside(package: Path) -> None:
    before = compiled.home()
    before.mkdir(parents=True)
    assert compiled.in_use()
    for changed in ("geometry/hexes.py", "play/turns.py", "play/__init__.py"):
        text = (package / changed).read_text(encoding="utf-8")
        (package / changed).write_text(f"{text}# another line\n", encoding="utf-8")
        compiled._present.cache_clear()
        assert not compiled.in_use(), changed
        (package / changed).write_text(text, encoding="utf-8")
    compiled._present.cache_clear()
    assert compiled.home() == before
    assert compiled.in_use()


def test_only_busy_modules_are_found_and_only_where_they_were_compiled(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = compiled.CompiledModules()
    assert finder.find_spec("little.play.turns") is None
    compiled.home().mkdir(parents=True)
    compiled._present.cache_clear()
    found = finder.find_spec("little.play.turns")
    assert found is not None
    assert found.origin == str(compiled.home() / "little" / "play" / f"turns{compiled.SUFFIX}")
    assert finder.find_spec(compiled.library("play")) is not None
    assert finder.find_spec("little.geometry.hexes") is None
    monkeypatch.setenv("SANDTABLE_INTERPRETED", "1")
    assert finder.find_spec("little.play.turns") is None
    assert not compiled.in_use()


@pytest.mark.thorough
def test_a_module_is_compiled_and_loaded_and_what_was_compiled_before_is_gone(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = compiled.home().name.partition("-")[2]
    old, other = compiled.FOLDER / f"old-{python}", compiled.FOLDER / "old-of-another-python"
    for folder in (old, other):
        folder.mkdir(parents=True)
    (compiled.FOLDER / f"old-{python}.failed").write_text("it failed", encoding="utf-8")
    assert "compiling 1 modules" in compile_it(package).stdout
    assert compile_it(package).stdout == "the rules are compiled already\n"
    assert sorted(path.name for path in compiled.FOLDER.iterdir()) == sorted((compiled.home().name, other.name))
    with loaded(package, monkeypatch) as turns:
        assert [turns.turned(side) for side in (0, 5)] == [1, 0]


@contextmanager
def loaded(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The compiled module of the little package, forgotten afterwards."""
    compiled._present.cache_clear()
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setattr(sys, "meta_path", [compiled.CompiledModules(), *sys.meta_path])
    try:
        turns = importlib.import_module("little.play.turns")
        assert str(turns.__file__).endswith(compiled.SUFFIX)
        yield turns
    finally:
        for name in [name for name in sys.modules if name.startswith("little")]:
            del sys.modules[name]


class Gun(msgspec.Struct, frozen=True):
    place: int
    name: str = "gun"


class Tank(msgspec.Struct, frozen=True, gc=False):
    name: str
    crew: int
    place: int


class Slotted:
    __slots__ = ("name", "place")


class Plain:
    def __init__(self, place: int) -> None:
        self.place = place


class Wagon(NamedTuple):
    name: str
    place: int


class Driven:
    @property
    def place(self) -> int:
        return 7


class Lost:
    def __getattr__(self, name: str) -> str:
        return f"no {name}"


class Changed:
    __slots__ = ("name", "place")
    place: int


@pytest.mark.thorough
def test_compiled_code_reads_every_attribute_as_its_source_does(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compile_it(package).returncode == 0
    pieces = (Gun(3), Tank("tank", 5, 4), Wagon("wagon", 6), Driven(), Lost(), Plain(8), Gun, Tank)
    with loaded(package, monkeypatch) as turns:
        for piece in (*pieces, *pieces, *(piece for piece in pieces for _ in range(3))):
            for read in (turns.place_of, partial(turns.read, name="place")):
                assert read(piece) == piece.place
        # one place in the code asked for other fields, by names that are made anew each time
        for n in range(100):
            assert turns.read(Gun(n), "".join(("pl", "ace"))) == n
            assert turns.read(Gun(n), "".join(("na", "me"))) == "gun"
        # a field that holds no object
        assert [turns.read(2j, "imag") for _ in range(3)] == [2.0, 2.0, 2.0]
        with pytest.raises(AttributeError, match="place"):
            turns.place_of(3)
        changed = Changed()
        for _ in range(3):
            with pytest.raises(AttributeError, match="place"):
                turns.place_of(changed)
        changed.place = 5
        assert [turns.place_of(changed) for _ in range(3)] == [5, 5, 5]
        with monkeypatch.context() as patch:
            patch.setattr(Changed, "place", property(lambda self: 6))
            assert [turns.place_of(changed) for _ in range(3)] == [6, 6, 6]
        assert [turns.place_of(changed) for _ in range(3)] == [5, 5, 5]


@pytest.mark.thorough
def test_what_can_not_be_compiled_is_told_with_the_reason_and_not_tried_again(package: Path) -> None:
    (package / "play" / "turns.py").write_text("def turned(side: int) -> int:\n    return 'left'\n", encoding="utf-8")
    failed = compile_it(package)
    assert failed.returncode == 2
    assert "could not be compiled and run as they are: " in failed.stderr
    assert "turns.py:2: error: " in failed.stderr
    assert [path.suffix for path in compiled.FOLDER.iterdir()] == [".failed"]
    again = compile_it(package, "--unless-failed")
    assert again.returncode == 0
    assert "turns.py:2: error" in again.stdout


def test_a_folder_that_can_not_be_written_is_named(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiled.FOLDER.write_text("a file is in the way", encoding="utf-8")
    assert main(["compile"]) == 2
    assert f"{compiled.FOLDER} can't be written" in capsys.readouterr().err


def played(interpreted: str) -> tuple[str, bool]:
    """What came of a few hundred orders in some battles, and whether compiled modules gave them."""
    environment = {**os.environ, "SANDTABLE_INTERPRETED": interpreted}
    done = subprocess.run(
        [sys.executable, "-c", PLAY, *BATTLES], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout, done.stderr.strip() == "True"


def test_compiled_modules_play_the_same_battles_as_their_source() -> None:
    if not compiled.home().is_dir():
        pytest.skip("the rules are not compiled; python3 run.py compile does it")
    (source, _), (quick, are_compiled) = played("1"), played("0")
    assert are_compiled
    assert quick == source
    assert quick.count("\n") == len(BATTLES)
