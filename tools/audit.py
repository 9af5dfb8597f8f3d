#!/usr/bin/env python3
"""Whether the packages of this environment are exactly those that the lock files name, file by file as they were
installed, and whether anything is known against them.

    python tools/audit.py            the environment, and known vulnerabilities if somebody can be asked
    python tools/audit.py --offline  the environment alone

pip compared each file with a locked hash when it installed it, and wrote down what was in it; so a file that has been
changed since shows. Vulnerabilities are asked for where pip is set to fetch packages from. Not to be answered is no
failure, and is said.
"""

from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("requirements.lock", "requirements-compile.lock", "requirements-dev.lock")
"""The lock files whose packages must all be there when the checks run."""

OURS = frozenset({"pip", "sandtable"})
"""What is there and not locked: pip came with Python, and installs the rest."""

SECONDS = 5.0


class Locked(NamedTuple):
    """A package as a lock file names it."""

    name: str
    version: str
    is_needed: bool


def plain(name: str) -> str:
    """A name of a package as all its spellings are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(root: Path = ROOT, platform: str = sys.platform) -> dict[str, Locked]:
    """The packages of the lock files that this machine could have, by their plain names."""
    found = {}
    for lock in sorted(root.glob("requirements*.lock")):
        for line in lock.read_text(encoding="utf-8").splitlines():
            named = re.match(r"([\w.-]+)==([^;\s]+)(?:; sys_platform == \"(\w+)\")?", line)
            if named and named[3] in (None, platform):
                found[plain(named[1])] = Locked(named[1], named[2], lock.name in NEEDED)
    return found


def differences(locks: dict[str, Locked], present: Iterable[Distribution]) -> Iterator[str]:
    """What is there and not locked, locked and not there, or there in another version."""
    versions = {plain(one.name): one.version for one in present}
    for name, version in sorted(versions.items()):
        if name in locks and locks[name].version != version:
            yield f"{name} is {version}, locked is {locks[name].version}"
        elif name not in locks and name not in OURS:
            yield f"{name} {version} is there and in no lock file"
    for name, one in sorted(locks.items()):
        if one.is_needed and name not in versions:
            yield f"{name} {one.version} is locked and not there"


def changed_files(distribution: Distribution) -> Iterator[str]:
    """The files of a package that are not what pip wrote down when it installed them."""
    record = distribution.read_text("RECORD") or ""
    for name, recorded, _ in csv.reader(record.splitlines()):
        kind, _, digest = recorded.partition("=")
        path = Path(str(distribution.locate_file(name)))
        if kind != "sha256":
            continue
        try:
            found = hashlib.sha256(path.read_bytes()).digest()
        except OSError:
            yield f"{distribution.name}: {name} is gone"
            continue
        if base64.urlsafe_b64encode(found).decode().rstrip("=") != digest:
            yield f"{distribution.name}: {name} was changed after it was installed"


# what is known


def index_address() -> str:
    """Where pip fetches packages from; no address stands in this project."""
    from pip._internal.configuration import Configuration
    from pip._internal.models.index import PyPI

    settings = Configuration(isolated=False)
    settings.load()
    for place in ("install", "global", ":env:"):
        try:
            return str(settings.get_value(f"{place}.index-url"))
        except Exception:
            continue
    return str(PyPI.simple_url)


def known(address: str, one: Locked) -> list[str]:
    """What is known against a version, by the index."""
    parts = urlsplit(address)
    base = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/simple')}"
    request = Request(f"{base}/pypi/{one.name}/{one.version}/json", headers={"accept": "application/json"})
    with urlopen(request, timeout=SECONDS) as answer:
        told: dict[str, Any] = json.loads(answer.read())
    return [
        f"{one.name} {one.version}: {flaw['id']}"
        + (f", mended in {flaw['fixed_in'][0]}" if flaw.get("fixed_in") else "")
        for flaw in told["vulnerabilities"]
        if not flaw.get("withdrawn")
    ]


def vulnerabilities(locks: Iterable[Locked]) -> tuple[list[str], str]:
    """What is known against the packages, and why that could not be asked."""
    try:
        address = index_address()
        if urlsplit(address).scheme not in ("http", "https"):
            return [], "packages come from a folder here"
        wanted = list(locks)
        # one first: where there is nobody to ask, nobody waits for all the others
        found = known(address, wanted[0])
        with ThreadPoolExecutor(8) as pool:
            return found + [flaw for one in pool.map(lambda one: known(address, one), wanted[1:]) for flaw in one], ""
    except (OSError, URLError, ValueError, KeyError, ImportError) as error:
        return [], f"the package index did not answer that ({type(error).__name__})"


def audit(mode: str) -> int:
    """0 when the environment is what the locks say and nothing is known against it; one sentence for either."""
    locks, present = locked(), list(distributions())
    wrong = list(differences(locks, present))
    files = [name for one in present if plain(one.name) in locks for name in changed_files(one)]
    for line in (*wrong, *files):
        print(f"audit: {line}")
    if wrong or files:
        print("audit: the environment is not what the lock files say; delete .venv and it is made anew")
    else:
        held = sum(plain(one.name) in locks for one in present)
        print(f"audit: {held} packages, all as they were locked and installed")
    if mode == "offline":
        return 1 if wrong or files else 0
    flaws, why = vulnerabilities(locks.values())
    for flaw in flaws:
        print(f"audit: {flaw}")
    if why:
        print(f"audit: known vulnerabilities were not asked for: {why}")
    elif not flaws:
        print(f"audit: nothing is known against the {len(locks)} locked packages")
    return 1 if wrong or files or flaws else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="audit", description=__doc__)
    parser.add_argument("--offline", action="store_true", help="ask nobody")
    return audit("offline" if parser.parse_args().offline else "online")


if __name__ == "__main__":
    sys.exit(main())
