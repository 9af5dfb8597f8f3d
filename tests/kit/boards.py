"""Boards drawn in a test as they are in a board file: rows of letters, odd columns pushed half a hex down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sandtable.geometry.board import Board
from sandtable.geometry.grid import HexId

LEGEND: Mapping[str, str] = {".": "clear", "W": "woods", "T": "town", "M": "swamp", "~": "water"}


def board(
    terrain: str,
    legend: Mapping[str, str] | None = None,
    *,
    id: str = "drawn",
    elevation: str = "",
    roads: Iterable[Iterable[str]] = (),
    hexsides: Mapping[str, Iterable[str]] | None = None,
    features: Mapping[str, Iterable[str]] | None = None,
) -> Board:
    """The board as drawn; the legend given is added to LEGEND, blanks between letters and empty lines don't count.

    Elevation is drawn in rows of digits; roads, hexsides and features are written as in a board file:
    `roads=[["0101", "0102"]]`, `hexsides={"stream": ["0101-0102"]}`, `features={"hill": ["0203"]}`.
    """
    names = {**LEGEND, **(legend or {})}
    rows = _rows(terrain)
    blank = Board.build(id, len(rows[0]), len(rows))
    levels = _rows(elevation) if elevation else []
    return Board.build(
        id,
        blank.width,
        blank.height,
        terrain={place: names[letter] for place, letter in _drawn(blank, rows)},
        elevation={place: int(digit) for place, digit in _drawn(blank, levels)},
        roads=[list(road) for road in roads],
        hexsides=_gathered(hexsides, lambda text: _side(blank, text)),
        features=_gathered(features, blank.parse),
    )


def _rows(text: str) -> list[str]:
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"the rows of a drawing have one length; these have {[len(row) for row in rows]}")
    return rows


def _drawn(blank: Board, rows: list[str]) -> Iterator[tuple[HexId, str]]:
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            place = blank.hex_at(c, r)
            if not place:
                raise ValueError("the rows of elevation cover more than the board")
            yield place, letter


def _side(blank: Board, text: str) -> tuple[HexId, int]:
    """The hexside between the two hexes of "0101-0102"."""
    here, there = map(blank.parse, text.split("-"))
    d = blank.direction(here, there)
    if d < 0:
        raise ValueError(f"{text}: these hexes share no side")
    # from the lower of the two, so that one side named from both ends is one entry
    return min((here, d), (there, (d + 3) % 6))


def _gathered(by_kind: Mapping[str, Iterable[str]] | None, place: Callable[[str], Any]) -> dict[Any, set[str]]:
    """What lies at each place, from what each kind lists."""
    found: dict[Any, set[str]] = {}
    for kind, texts in (by_kind or {}).items():
        for text in texts:
            found.setdefault(place(text), set()).add(kind)
    return found
