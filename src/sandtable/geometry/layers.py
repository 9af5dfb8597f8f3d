"""The layers of a board as it is made: checked, and what lies on a side told from both of its hexes.

Apart from the board, which is compiled: compiled code makes numbers anew where these functions share those of the grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.geometry.hexes import DIRECTIONS, opposite

if TYPE_CHECKING:
    from sandtable.geometry.board import Board, SideKey
    from sandtable.geometry.grid import HexId

Shared = dict[frozenset[str], frozenset[str]]
"""One set for all that are alike, which would otherwise be most of their size."""


def check(board: Board, mask: bytes) -> None:
    """Every layer is as long as the map, terrain lies on it and nowhere else, and roads go on; else a ValueError."""
    for name in ("terrain", "elevation", "roads"):
        length = len(getattr(board, name))
        if length != board.size:
            raise ValueError(f"board {board.id}: {name} has {length} entries, the map has {board.size}")
    if bytes(map(bool, board.terrain)) != mask:
        h = next(h for h, on in enumerate(mask) if on != bool(board.terrain[h]))
        raise ValueError(f"board {board.id}: terrain belongs on every hex of the map and nowhere else ({h})")
    for h, exits in enumerate(board.roads):
        if exits:
            _check_road(board, h, exits)


def _check_road(board: Board, h: HexId, exits: int) -> None:
    for d in DIRECTIONS:
        if not exits >> d & 1:
            continue
        n = board.neighbor_table[h][d]
        if not n:
            raise ValueError(f"board {board.id}: the road in hex {h} leaves the map")
        if not board.roads[n] >> opposite(d) & 1:
            raise ValueError(f"board {board.id}: the road from {board.label(h)} does not go on in {board.label(n)}")
    if exits >> 6:
        raise ValueError(f"board {board.id}: {exits} is no set of road exits (hex {h})")


def mirrored_sides(board: Board, shared: Shared) -> dict[SideKey, frozenset[str]]:
    """Every side with what lies on it, from both of its hexes."""
    sides: dict[SideKey, frozenset[str]] = {}
    for side, keys in sorted(board.hexsides.items()):
        h, d = side
        if not board.is_on(h) or d not in DIRECTIONS:
            raise ValueError(f"board {board.id}: no hexside {side}")
        features = frozenset(keys)
        if not features:
            continue
        features = shared.setdefault(features, features)
        mirror = (board.neighbor_table[h][d], opposite(d))
        if sides.setdefault(side, features) != features:
            raise ValueError(f"board {board.id}: hexside {side} and its mirror {mirror} carry different features")
        if mirror[0]:
            sides[mirror] = features
    return sides


def checked_features(board: Board, shared: Shared) -> dict[HexId, frozenset[str]]:
    """The features of every hex that has some."""
    checked: dict[HexId, frozenset[str]] = {}
    for h, keys in sorted(board.features.items()):
        if not board.is_on(h):
            raise ValueError(f"board {board.id}: features on {h}, which is off the map")
        if features := frozenset(keys):
            checked[h] = shared.setdefault(features, features)
    return checked


def mirrored_kinds(board: Board) -> dict[SideKey, str]:
    """The kind of every stretch of road that has one, from both of its hexes."""
    kinds: dict[SideKey, str] = {}
    for side, kind in sorted(board.road_kinds.items()):
        h, d = side
        if not board.is_on(h) or d not in DIRECTIONS or not board.has_road(h, d) or not kind:
            raise ValueError(f"board {board.id}: no road for the kind {kind!r} at {side}")
        if kinds.setdefault(side, kind) != kind:
            raise ValueError(f"board {board.id}: the road at {side} is both {kinds[side]} and {kind}")
        kinds[board.neighbor_table[h][d], opposite(d)] = kind
    return kinds
