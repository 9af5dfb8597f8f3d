"""Bytes to a TOML table: bounded in size and depth, of the expected kind, in today's format."""

from __future__ import annotations

import hashlib
import re
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import msgspec

from sandtable.content.migrations import Table, migrate
from sandtable.content.problems import ContentError, Problem, shown

MAX_BYTES: Final = 1 << 20
MAX_BOARD_BYTES: Final = 8 << 20
"""A map of 160,000 hexes with a height of six signs for each, and room for its roads and hexsides."""

MAX_DEPTH: Final = 16

Source = bytes | Path | Traversable
"""A data file: its bytes, its path, or its place in an installed package."""

_PIECE = re.compile(
    # possessive, and never failing once begun: an unclosed string must not be looked for twice
    r'"""(?:[^"\\]|\\[\s\S]?|"(?!""))*+(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:\\.|[^"\\\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*"
    r"|[\[\]{}=,.\n]"
)
_SPOT = re.compile(r" \(at (line \d+, column \d+|end of document)\)$")


class Document(msgspec.Struct, frozen=True):
    """A file that was read: its name, the digest of its bytes and its table without `format` and `kind`."""

    file: str
    digest: str
    table: Table


def open_document(source: Source, kind: str, name: str = "") -> Document:
    """The document of a kind that a source holds; ContentError when it holds none."""
    file = name or (f"<{kind}>" if isinstance(source, bytes) else source.name)
    limit = MAX_BOARD_BYTES if kind == "board" else MAX_BYTES
    data = source if isinstance(source, bytes) else read_bytes(source, file, limit)
    table = parse(data, file, limit)
    if table.get("kind") != kind:
        got = f"got {shown(table['kind'])}" if "kind" in table else "missing"
        raise ContentError([Problem(file, "'kind'", f"{got}; expected {kind!r}")])
    table = migrate(file, kind, table)
    rest = {key: value for key, value in table.items() if key not in ("format", "kind")}
    return Document(file, hashlib.sha256(data).hexdigest(), rest)


def read_bytes(path: Path | Traversable, file: str, limit: int = MAX_BYTES) -> bytes:
    """What is in a file, and one byte more than the limit when it is longer; ContentError when it can't be read."""
    # only a plain file is opened: a pipe would make the reader wait for ever
    if not path.is_file():
        wrong = "this is a folder, not a file" if path.is_dir() else "there is no such file"
        raise ContentError([Problem(file, "", wrong)])
    try:
        with path.open("rb") as stream:
            return stream.read(limit + 1)
    except OSError as error:
        raise ContentError([Problem(file, "", f"the file can't be read: {error.strerror}")]) from None


def decoded(data: bytes, file: str, limit: int = MAX_BYTES) -> str:
    """The text that bytes hold; ContentError when they are too many, or none."""
    if len(data) > limit:
        raise ContentError([Problem(file, "", f"the file is larger than {limit:,} bytes")])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ContentError([Problem(file, "", f"the file is not UTF-8 text (byte {error.start})")]) from None


def parse(data: bytes, file: str, limit: int = MAX_BYTES) -> Table:
    """The table that TOML bytes hold; ContentError with one plain message whatever the bytes are."""
    text = decoded(data, file, limit)
    if not text.strip():
        raise ContentError([Problem(file, "", "the file is empty")])
    if (line := too_deep(text)) is not None:
        raise ContentError([Problem(file, f"line {line}", f"nested more than {MAX_DEPTH} deep")])
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        message = str(error)
        spot = _SPOT.search(message)
        if spot is None:
            # what the parser itself did not foresee: a number longer than Python will read
            raise ContentError([Problem(file, "", "not valid TOML: a number has too many digits")]) from None
        fault = message.removesuffix(spot[0])
        raise ContentError([Problem(file, spot[1], f"not valid TOML: {fault}")]) from None


def too_deep(text: str) -> int | None:
    """The line where brackets or dotted keys nest deeper than a data file ever needs, or None.

    Looked for before parsing, because the parser recurses into brackets and takes quadratic time over dots.
    """
    depth = dots = 0
    for piece in _PIECE.finditer(text):
        match piece[0]:
            case "[" | "{":
                depth, dots = depth + 1, 0
            case "]" | "}":
                depth, dots = max(0, depth - 1), 0
            case ".":
                dots += 1
            case "=" | "," | "\n":
                dots = 0
        if depth > MAX_DEPTH or dots >= MAX_DEPTH:
            return text.count("\n", 0, piece.start()) + 1
    return None
