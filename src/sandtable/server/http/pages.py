"""The browser client as it is served: the built files, or a plain page that says how to build them."""

from __future__ import annotations

import mimetypes
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import sandtable

STATIC = Path(sandtable.__file__).resolve().parent / "static"

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".txt": "text/plain",
}

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

NOT_BUILT = b"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandtable</title>
<h1>The browser client is not built yet</h1>
<p>Stop the server, run <code>python3 run.py play</code> in the project's folder, which builds it, and load this page
again. To build it alone, run <code>python3 tools/webbuild.py</code>.</p>
</html>
"""


class Page(NamedTuple):
    """A file as it is sent."""

    body: bytes
    type: str
    caching: str
    tag: str


def page(body: bytes, name: str) -> Page:
    """The file with its type; a name that holds a hash of its content never means anything else."""
    kind = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    caching = FOREVER if name.startswith("assets/") else ASK_AGAIN
    return Page(body, kind, caching, f'"{blake2b(body, digest_size=12).hexdigest()}"')


class Pages:
    """The files of the built client, read anew when it was built anew; no path from outside ever reaches the disk."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._built = -1
        self._pages: dict[str, Page] = {}

    def find(self, path: str) -> Page | None:
        """The page for a path: a file of that name, else the client itself; None for a file that is not there."""
        self._refresh()
        name = path.strip("/")
        if name in self._pages:
            return self._pages[name]
        # an address inside the client has no ending; what looks like a file and is not there is not there
        if "." in name.rpartition("/")[2]:
            return None
        return self._pages.get("index.html") or page(NOT_BUILT, "index.html")

    def _refresh(self) -> None:
        index = self._folder / "index.html"
        try:
            built = index.stat().st_mtime_ns
        except OSError:
            built, self._pages = -1, {}
        if built != self._built:
            self._built = built
            self._pages = {
                path.relative_to(self._folder).as_posix(): page(
                    path.read_bytes(), path.relative_to(self._folder).as_posix()
                )
                for path in sorted(self._folder.rglob("*"))
                if path.is_file() and not path.name.startswith(".")
            }
