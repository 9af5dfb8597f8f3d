"""The canonical form of a board, behind its digest: the same on every machine and in every version."""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.geometry.board import Board, Heights


def digest(board: Board) -> str:
    """The SHA-256 of everything on the map that play can depend on; the title is not part of it."""
    total = hashlib.sha256()
    for piece in _pieces(board):
        total.update(piece.encode("ascii"))
    return total.hexdigest()


def _pieces(board: Board) -> Iterator[str]:
    """The JSON of a list of everything, in pieces: as one text it would be larger than the board."""
    yield _json([board.id, board.width, board.height])[:-1]
    yield ","
    yield from _json_list(board.terrain)
    yield "," + _json([_as_bytes(board.elevation).hex(), board.roads.hex()])[1:-1] + ","
    yield from _json_list([h, d, sorted(keys)] for (h, d), keys in sorted(board.hexsides.items()))
    yield ","
    yield from _json_list([h, sorted(keys)] for h, keys in sorted(board.features.items()))
    # what came to boards later is named only where there is some of it, so that older boards keep their digests
    later: dict[str, object] = {}
    if board.road_kinds:
        later["road kinds"] = [[h, d, kind] for (h, d), kind in sorted(board.road_kinds.items())]
    if board.in_meters:
        later["meters"] = True
    yield f",{_json(later)}]" if later else "]"


def _as_bytes(heights: Heights) -> bytes:
    """Heights as the same bytes on every machine: 16-bit numbers with the lower half first."""
    if isinstance(heights, bytes):
        return heights
    numbers = array("h", heights)
    if sys.byteorder == "big":  # pragma: no cover - a matter of the machine
        numbers.byteswap()
    return numbers.tobytes()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _json_list(items: Iterable[object]) -> Iterator[str]:
    """The JSON of a list, a thousand items at a time."""
    rest, between = iter(items), "["
    while some := list(islice(rest, 1000)):
        yield between + _json(some)[1:-1]
        between = ","
    yield "]" if between == "," else "[]"
