"""Prints the digests of the cases that a function makes: `python -m tests.conformance.replica MODULE FUNCTION`."""

from __future__ import annotations

import json
import sys
from importlib import import_module

from tests.conformance.suite import digests


def main() -> None:
    module, function = sys.argv[1:]
    print(json.dumps(digests(getattr(import_module(module), function)())))


if __name__ == "__main__":
    main()
