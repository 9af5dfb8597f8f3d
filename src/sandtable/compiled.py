"""The busiest modules of the rules, compiled to C by mypyc from the same source: same results, sooner.

`sandtable compile` makes them, in a folder named after a fingerprint of all source that they depend on. When such a
module is imported and the folder of the source as it is now exists, the compiled one is taken, else its Python source
is: whoever changes a line runs what he wrote. With SANDTABLE_INTERPRETED=1 the source is always taken.

A module that is compiled defines no msgspec struct, has no subclass that is not compiled, and needs its types to be
true at run time, since they are checked there.
"""

import os
import sys
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parent
FIELDS = Path(__file__).with_name("fields.h")
"""How what is compiled reads the fields of structs."""

FOLDER = PACKAGE / "_compiled"
SUFFIX = EXTENSION_SUFFIXES[0]

BUSY = {
    "geometry": ("board", "hexes"),
    "play": ("changes", "choices", "derived", "orderbook", "steps"),
    "kernel": ("dice", "engine", "resolution", "telling"),
    "mechanics": ("odds",),
    "rulesets/panzer8": (
        "actions",
        "changes",
        "cover",
        "fire",
        "journeys",
        "movement",
        "pieces",
        "reactions",
        "results",
        "sequence",
        "sight",
        "stacks",
        "victory",
        "view",
        "visibility",
    ),
    "rulesets/panzer_44": (
        "changes",
        "fire",
        "journeys",
        "movement",
        "pieces",
        "plots",
        "plotting",
        "reactions",
        "refusals",
        "results",
        "sequence",
        "stacks",
        "victory",
        "view",
        "visibility",
    ),
    "rulesets/panzer_leader": (
        "artillery",
        "assault",
        "changes",
        "choices",
        "combat",
        "costs",
        "fire",
        "journeys",
        "landing",
        "looks",
        "memory",
        "missions",
        "mobility",
        "movement",
        "moves",
        "opportunity",
        "overrun",
        "pieces",
        "plans",
        "sequence",
        "setup",
        "sight",
        "stacks",
        "terrain",
        "transport",
        "victory",
        "view",
        "visibility",
        "ways",
        "weapons",
        "works",
    ),
    "rulesets/panzerblitz_3d": (
        "changes",
        "choices",
        "combat",
        "costs",
        "fire",
        "journeys",
        "looks",
        "mobility",
        "movement",
        "opportunity",
        "pieces",
        "sequence",
        "sight",
        "stacks",
        "terrain",
        "victory",
        "view",
        "visibility",
        "weapons",
    ),
}
"""The modules that are compiled, by folder; those of one folder call each other without a detour."""

READ = ("geometry", "kernel", "content", "mechanics", "play")
"""Folders whose every file the compiler may have read, beside those in which it compiles."""


def sources() -> list[Path]:
    """Every file on which a compiled module may depend, in order."""
    folders = sorted({*READ, *BUSY})
    return [path for folder in folders for path in sorted((PACKAGE / folder).rglob("*.py"))]


def busy_modules() -> dict[str, str]:
    """The names of all modules that are compiled, each with its path without an ending, relative to the folder above
    the package.
    """
    paths = [f"{PACKAGE.name}/{folder}/{name}" for folder, names in BUSY.items() for name in names]
    return {path.replace("/", "."): path for path in paths}


def library(folder: str) -> str:
    """The name of the module that holds the code of all that is compiled in a folder."""
    return f"{PACKAGE.name}_{folder.replace('/', '_')}__mypyc"


def fingerprint() -> str:
    """What tells one state of the source from another."""
    total = sha256(repr((BUSY, READ)).encode() + FIELDS.read_bytes())
    for path in sources():
        total.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{total.hexdigest()[:16]}-{SUFFIX.split('.')[1]}"


def home() -> Path:
    """Where the compiled modules of the source as it is now are, or would be."""
    return FOLDER / fingerprint()


class CompiledModules:
    """Finds the compiled modules for Python's import."""

    def __init__(self) -> None:
        paths = {**busy_modules(), **{library(folder): library(folder) for folder in BUSY}}
        self.endings = {name: path + SUFFIX for name, path in paths.items()}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        ending = self.endings.get(name)
        if ending is None or os.environ.get("SANDTABLE_INTERPRETED") == "1":
            return None
        folder = _present()
        if folder is None:
            return None
        file = str(folder / ending)
        return spec_from_file_location(name, file, loader=ExtensionFileLoader(name, file))


@cache
def _present() -> Path | None:
    """The folder of compiled modules to import from, told once in the life of a process: half of the modules from one
    folder and half from another would not fit together.
    """
    folder = home() if FOLDER.is_dir() else None
    return folder if folder is not None and folder.is_dir() else None


def in_use() -> bool:
    """Whether the busy modules come compiled."""
    return os.environ.get("SANDTABLE_INTERPRETED") != "1" and _present() is not None


def use() -> None:
    """From now on compiled modules are found."""
    sys.meta_path.insert(0, CompiledModules())
