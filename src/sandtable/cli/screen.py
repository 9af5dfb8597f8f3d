"""Text on a terminal: tables that line up, bars, colors where there are any, and JSON for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction

from sandtable.cli.trouble import printable

BAR = 20


def print_json(value: object) -> None:
    """The value stands on stdout as JSON, indented for people who look at it."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(value), indent=2)
    print(text.decode())


def columns(rows: Sequence[Sequence[object]]) -> list[str]:
    """The rows as lines whose columns stand below one another; the last column is as long as it likes."""
    texts = [[printable(str(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)] if texts else []
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in texts]


def bar(share: Fraction, width: int = BAR) -> str:
    """A share of one as a bar; anything that can happen at all shows."""
    full, empty = ("█", "·") if _has_blocks() else ("#", ".")
    filled = max(round(share * width), 1 if share else 0)
    return full * filled + empty * (width - filled)


def percent(share: Fraction) -> str:
    """A share of one in percent with one decimal."""
    return f"{float(share * 100):.1f} %"


def _has_blocks() -> bool:
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "█·".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
