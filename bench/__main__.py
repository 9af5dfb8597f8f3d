"""Runs the suite: a table, or JSON with --json; --only NAME runs the entries whose name begins so."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from importlib.util import find_spec

from bench.harness import Entry, as_data, as_table, progress

ENTRY_MODULES = (
    "bench.geometry",
    "bench.scale_board",
    "bench.engine",
    "bench.client",
    "bench.scale",
    "bench.pb_scale",
    "bench.server",
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the entries as JSON")
    parser.add_argument("--only", metavar="NAME", default="", help="run the entries whose name begins with NAME")
    arguments = parser.parse_args()
    measured: list[Entry] = []
    for module in ENTRY_MODULES:
        if find_spec(module) is None:
            progress(f"{module}: not there, skipped")
            continue
        for name, run in importlib.import_module(module).ENTRIES.items():
            if name.startswith(arguments.only):
                progress(f"{name} ...")
                measured.extend(run())
    print(json.dumps(as_data(measured), indent=1) if arguments.json else as_table(measured))
    return 0 if all(entry.met for entry in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
