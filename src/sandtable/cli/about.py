"""`sandtable version`."""

from __future__ import annotations

import argparse
import platform

import sandtable
from sandtable import compiled, geometry, registry
from sandtable.cli.screen import print_json


def version(asked: argparse.Namespace) -> int:
    """The versions of the package, of Python and of each system's rules stand on stdout, with the kernels in use."""
    kernels = "compiled" if geometry.compiled() else "interpreted"
    busy = "compiled" if compiled.in_use() else "interpreted"
    rules = {key: room.rules_version for key, room in registry.SYSTEMS.items()}
    if asked.json:
        facts = {
            "version": sandtable.__version__,
            "python": platform.python_version(),
            "kernels": kernels,
            "modules": busy,
        }
        print_json({**facts, "rules": rules})
        return 0
    print(f"sandtable {sandtable.__version__}")
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}")
    print(f"map kernels: {kernels}")
    print(f"busiest modules of the rules: {busy}")
    for key, number in rules.items():
        print(f"{registry.SYSTEMS[key].title}: rules version {number}")
    return 0
