"""`sandtable version`."""

from __future__ import annotations

import argparse
import ast
import platform
from importlib.resources import files

import sandtable
from sandtable import registry
from sandtable.cli.screen import print_json


def version(asked: argparse.Namespace) -> int:
    """The versions of the package, of Python and of each system's rules stand on stdout, with the kernels in use."""
    from sandtable.geometry import compiled

    kernels = "compiled" if compiled() else "interpreted"
    rules = {key: rules_version(key) for key in registry.SYSTEMS}
    if asked.json:
        facts = {"version": sandtable.__version__, "python": platform.python_version(), "kernels": kernels}
        print_json({**facts, "rules": rules})
        return 0
    print(f"sandtable {sandtable.__version__}")
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}")
    print(f"map kernels: {kernels}")
    for key, number in rules.items():
        print(f"{registry.SYSTEMS[key].title}: rules version {number}")
    return 0


def rules_version(key: str) -> str:
    """The version of a system's rules, read from its name card without opening the room: that would take far longer."""
    source = files(registry.SYSTEMS[key].room).joinpath("ruleset.py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Info":
            words = [word.value for word in node.args[:3] if isinstance(word, ast.Constant)]
            if len(words) == 3 and words[0] == key:
                return str(words[2])
    version: str = registry.ruleset(key).info.rules_version
    return version
