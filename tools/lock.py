"""Writes the hashes of the lock files: those of every file of a locked version that a supported machine could need.

python tools/lock.py                     write the hashes of all lock files anew
python tools/lock.py requirements.lock   of this one alone

The versions stay as they are written: to move one, change it in the lock file and run this. The files are those of the
package index that pip is set to. Standard library and pip only.
"""

from __future__ import annotations

import html.parser
import json
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from pip._internal.models.index import PyPI
from pip._vendor.packaging.tags import Tag
from pip._vendor.packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from pip._vendor.packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[1]
NEWEST_PYTHON = 14
PYTHONS = frozenset(f"cp3{minor}" for minor in range(11, NEWEST_PYTHON + 1))
# A wheel for the stable interface of an older Python is a wheel for ours.
STABLE = frozenset(f"cp3{minor}" for minor in range(2, NEWEST_PYTHON + 1))
PLATFORM = re.compile(r"any|(many|musl)?linux\w*_(x86_64|aarch64)|macosx_\w+|win_amd64|win_arm64|win32")
ACCEPTED = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"
PATIENCE = 60
HASH = "sha256"


class Trouble(Exception):
    """The hashes can't be written; the message says why in plain words."""


class File(NamedTuple):
    """A file of the package index."""

    name: str
    digest: str


def is_supported(tag: Tag) -> bool:
    """Whether a wheel of this tag runs on a Python and a kind of machine that the game supports."""
    python, interface = tag.interpreter, tag.abi
    fits = (
        (python == "py3" and interface == "none")
        or (python in PYTHONS and interface in (python, "none"))
        or (python in STABLE and interface == "abi3")
    )
    return fits and PLATFORM.fullmatch(tag.platform) is not None


def is_needed(name: str, package: str, version: Version) -> bool:
    """Whether a file is a source archive of that version, or a wheel of it that a supported machine could install."""
    try:
        if name.endswith(".whl"):
            project, found, _, tags = parse_wheel_filename(name)
            wanted = any(map(is_supported, tags))
        else:
            project, found = parse_sdist_filename(name)
            wanted = True
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
        return False
    return wanted and project == canonicalize_name(package) and found == version


# --- the package index -----------------------------------------------------------------------------------------------


class Links(html.parser.HTMLParser):
    """The files that a page of a package index links to, each with the hash in its address."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.files: list[File] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = urllib.parse.urlsplit(dict(attrs).get("href") or "")
        kind, _, digest = address.fragment.partition("=")
        if tag == "a" and kind == HASH:
            self.files.append(File(urllib.parse.unquote(address.path.rpartition("/")[2]), digest))


def files_on(page: str, kind: str) -> list[File]:
    """The files that a page of a package index lists with a hash, in whichever of the two forms it was given."""
    if "json" not in kind:
        return Links(page).files
    listed = json.loads(page)["files"]
    return [File(file["filename"], file["hashes"][HASH]) for file in listed if HASH in file["hashes"]]


def index() -> str:
    """The address of the package index that pip is set to."""
    for name in (":env:.index-url", "install.index-url", "global.index-url"):
        asked = subprocess.run([sys.executable, "-m", "pip", "config", "get", name], capture_output=True, text=True)
        if asked.returncode == 0:
            return asked.stdout.strip()
    return str(PyPI.simple_url)


def fetch(package: str, address: str) -> list[File]:
    """The files of a package in the index at that address."""
    page = f"{address.rstrip('/')}/{canonicalize_name(package)}/"
    asked = urllib.request.Request(page, headers={"Accept": ACCEPTED})
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as got:
            return files_on(got.read().decode(), got.headers.get_content_type())
    except urllib.error.URLError as error:
        raise Trouble(f"the package index has no answer for {package}: {error.reason}") from error


# --- the lock files --------------------------------------------------------------------------------------------------


def hashes(requirement: str, files: Iterable[File]) -> list[str]:
    """The hashes of all files that a locked requirement could be installed from, in order."""
    package, _, version = requirement.partition(";")[0].strip().partition("==")
    found = {file.digest for file in files if is_needed(file.name, package, Version(version))}
    if not found:
        raise Trouble(f"the package index has no file of {package} {version} for a supported machine")
    return sorted(found)


def locked(text: str, find: Callable[[str], Iterable[File]]) -> str:
    """The text of a lock file with its comments and versions as they are and the hashes of what `find` finds."""
    lines = [line.removesuffix("\\").strip() for line in text.splitlines()]
    lines = [line for line in lines if not line.startswith("--hash=")]

    def entry(line: str) -> str:
        if not line or line.startswith("#"):
            return line
        package = line.partition("==")[0]
        return " \\\n    ".join([line, *(f"--hash={HASH}:{digest}" for digest in hashes(line, find(package)))])

    with ThreadPoolExecutor(8) as pool:
        return "\n".join(pool.map(entry, lines)) + "\n"


def main(arguments: list[str]) -> int:
    """The exit code: 0 when the lock files hold the hashes of their versions."""
    address = index()
    try:
        for path in [Path(name) for name in arguments] or sorted(ROOT.glob("requirements*.lock")):
            before = path.read_text(encoding="utf-8")
            after = locked(before, lambda package: fetch(package, address))
            path.write_text(after, encoding="utf-8", newline="\n")
            print(f"{path.name}: {after.count('--hash=')} hashes" + ("" if after == before else ", written anew"))
    except Trouble as trouble:
        print(f"lock: {trouble}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
