"""`sandtable compile`."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sandtable import compiled
from sandtable.cli.trouble import CommandError

OPTIMIZE = "2"
"""More makes the game no quicker; less makes it slower by a thirtieth, and the compiler quicker by a third."""


def compile_rules(asked: argparse.Namespace) -> int:
    """The busy modules of the rules stand compiled beside the package, unless they did already."""
    home = compiled.home()
    if home.is_dir():
        print("the rules are compiled already")
        return 0
    failed = home.with_suffix(".failed")
    if asked.unless_failed and failed.is_file():
        print(failed.read_text(encoding="utf-8"))
        return 0
    # to be ended is no failure, and leaves nothing half made
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"compiling {len(compiled.busy_modules())} modules of the rules, which takes a minute or two", flush=True)
    began = time.monotonic()
    try:
        make(home)
    except CommandError as trouble:
        with contextlib.suppress(OSError):
            failed.write_text(str(trouble), encoding="utf-8")
        raise
    print(f"done in {time.monotonic() - began:.0f} s; games that are started from now on use them")
    return 0


def make(home: Path) -> None:
    """The folder holds the compiled modules, and no other folder does; CommandError when they can't be made."""
    try:
        compiled.FOLDER.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=compiled.FOLDER, prefix="making-", ignore_cleanup_errors=True) as name:
            made = _build(Path(name))
            if not home.is_dir():  # nobody else was quicker
                made.rename(home)
    except OSError as error:
        raise CommandError(f"{compiled.FOLDER} can't be written: {error.strerror or error}") from error
    _clear(home)


def _clear(home: Path) -> None:
    """What this Python compiled of other states of the source is gone, and what was left half made an hour ago."""
    python = home.name.partition("-")[2]
    for other in compiled.FOLDER.iterdir():
        is_left = other.name.startswith("making-") and other.stat().st_mtime < time.time() - 3600
        if is_left or (other.stem.endswith(python) and other != home):
            # a game that is running may hold on to its own on Windows; it goes next time
            shutil.rmtree(other, ignore_errors=True) if other.is_dir() else other.unlink()


def _build(folder: Path) -> Path:
    """The folder below this one in which all compiled modules stand as in the package."""
    try:
        # first, since mypyc takes the old distutils where setuptools is not there already
        import_module("setuptools")
        from mypyc.build import mypycify
        from setuptools import Distribution  # type: ignore[import-untyped]
        from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]
    except ImportError as error:
        raise CommandError("compiling needs mypy and setuptools: pip install 'sandtable[compile]'") from error
    groups: list[tuple[list[str], str | None]] = [
        ([f"{compiled.PACKAGE.name}/{where}/{name}.py" for name in names], compiled.library(where)[: -len("__mypyc")])
        for where, names in compiled.BUSY.items()
    ]
    options = ["--config-file=", f"--cache-dir={folder / 'cache'}", "--no-error-summary"]
    _copy_source(folder / "source")
    log = folder / "log"
    try:
        with _told(log), contextlib.chdir(folder / "source"):
            extensions = mypycify(
                [*options, *(path for paths, _ in groups for path in paths)],
                opt_level=OPTIMIZE,
                debug_level="0",
                separate=groups,
                target_dir=str(folder / "c"),
            )
            for extension in extensions if os.name != "nt" else ():
                extension.extra_compile_args = [*extension.extra_compile_args, "-include", str(compiled.FIELDS)]
            command: Any = build_ext(Distribution({"name": "sandtable-rules", "ext_modules": extensions}))
            command.build_lib, command.build_temp = str(folder / "made"), str(folder / "objects")
            command.parallel = os.cpu_count() or 1
            command.ensure_finalized()
            command.run()
    except (Exception, SystemExit) as error:
        raise CommandError(f"the rules could not be compiled and run as they are: {_reason(log, error)}") from error
    return folder / "made"


def _copy_source(folder: Path) -> None:
    """The folder holds the package's source alone: what lies beside an installed package, mypy takes for our own."""
    for path in compiled.PACKAGE.rglob("*.py"):
        if compiled.FOLDER not in path.parents:
            copy = folder / path.relative_to(compiled.PACKAGE.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """What is said goes into a file: mypy speaks to Python's output, the C compiler to that of the process."""
    kept = os.dup(1), os.dup(2)
    with path.open("w", encoding="utf-8", errors="replace", buffering=1) as file:
        for number in (1, 2):
            os.dup2(file.fileno(), number)
        try:
            with contextlib.redirect_stdout(file), contextlib.redirect_stderr(file):
                yield
        finally:
            for number, place in enumerate(kept, 1):
                os.dup2(place, number)
                os.close(place)


def _reason(log: Path, error: BaseException) -> str:
    """The first complaint of a compiler, or what went wrong otherwise."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return next((line.strip() for line in lines if "error:" in line), str(error) or type(error).__name__)
