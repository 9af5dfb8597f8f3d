"""Boards as they cross the wire: one compact sheet for each, found by the digest of its bytes and never changing."""

from __future__ import annotations

import gzip
import struct
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeVar

import msgspec

from sandtable.content import MapSheet
from sandtable.geometry import Board, HexId
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.server import messages as m

T = TypeVar("T")

FIRST_SIGN = ord("0")
"""The sign of the first terrain of a legend; the others follow it."""

ROAD = "road"
"""What a road of no kind is sent as."""


class PackedBoard(NamedTuple):
    """A sheet encoded once, plain and compressed."""

    digest: str
    plain: bytes
    zipped: bytes


def packed(sheet: MapSheet) -> PackedBoard:
    """A board ready to be sent."""
    body = msgspec.json.encode(board_sheet(sheet))
    # without a time in it the same sheet gives the same bytes
    return PackedBoard(blake2b(body, digest_size=16).hexdigest(), body, gzip.compress(body, mtime=0))


def board_sheet(sheet: MapSheet) -> m.BoardSheet:
    """The board as a client draws it."""
    board = sheet.board
    legend = sorted({board.terrain[place] for place in board.hexes})
    signs = {key: chr(FIRST_SIGN + n) for n, key in enumerate(legend)}
    return m.BoardSheet(
        id=board.id,
        title=board.title,
        width=board.width,
        height=board.height,
        legend=tuple(legend),
        terrain="".join(signs[key] for key in _on_map(board, board.terrain)),
        elevation=_heights(tuple(_on_map(board, board.elevation))),
        roads=_by_kind(_roads(board)),
        hexsides=_by_kind(_sides(board)),
        features=_by_kind((kind, place) for place, kinds in board.features.items() for kind in kinds),
        names=tuple(sorted(sheet.names.items())),
        road_ends=tuple(place * 6 + direction for place, direction in sheet.road_ends),
        season=sheet.season,
    )


def _on_map(board: Board, layer: Sequence[T]) -> Iterator[T]:
    """A layer without its ring of guard hexes, column by column as hexes are numbered."""
    for col in range(board.width):
        first = board.hex_at(col, 0)
        yield from layer[first : first + board.height]


def _heights(heights: tuple[int, ...]) -> str:
    """Elevations as 16-bit numbers in base64; a level map says nothing."""
    if not any(heights):
        return ""
    return b64encode(struct.pack(f"<{len(heights)}h", *heights)).decode("ascii")


def _roads(board: Board) -> Iterator[tuple[str, int]]:
    """Every kind of road with the directions in which it leaves each hex, as six bits."""
    for place, exits in enumerate(board.roads):
        kinds: dict[str, int] = {}
        for direction in DIRECTIONS if exits else ():
            if board.has_road(place, direction):
                kind = board.road_kind(place, direction) or ROAD
                kinds[kind] = kinds.get(kind, 0) | 1 << direction
        yield from ((kind, place * 64 + leaving) for kind, leaving in kinds.items())


def _sides(board: Board) -> Iterator[tuple[str, int]]:
    """Every kind of hexside with the sides that have it; an inner side is told by one of its two hexes alone."""
    for (place, direction), kinds in board.hexsides.items():
        if direction < 3 or not board.neighbor(place, direction):
            yield from ((kind, place * 6 + direction) for kind in kinds)


def _by_kind(found: Iterable[tuple[str, int]]) -> dict[str, tuple[HexId, ...]]:
    kinds: dict[str, list[int]] = {}
    for kind, number in found:
        kinds.setdefault(kind, []).append(number)
    return {kind: tuple(sorted(numbers)) for kind, numbers in sorted(kinds.items())}
