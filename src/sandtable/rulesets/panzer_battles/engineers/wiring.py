"""Bridges that a scenario wires beforehand.

Rules: PB-ENG-60, PB-ENG-62.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec

from sandtable.content import Problem
from sandtable.geometry.board import Board
from sandtable.geometry.hexes import opposite
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_battles.features import NONE, WIRED, Features
from sandtable.rulesets.panzer_battles.model import Feature
from sandtable.rulesets.panzer_battles.movement.costs import BRIDGE_BEARS, FULL_BRIDGE

Wire = Annotated[str, msgspec.Meta(pattern=r"^\d{4,}(-\d{4,})?\Z", description="a hex, or two hexes as in '0304-0305'")]
"""A bridge: the hexside between two hexes, or the Water hex of a full-hex bridge."""


def _ends(board: Board, wire: str) -> list[HexId]:
    """The hexes that a wire names; 0 for what is off the map."""
    ends = []
    for label in wire.split("-"):
        try:
            ends.append(HexId(board.parse(label)))
        except ValueError:
            ends.append(HexId(0))
    return ends


def wiring_problems(board: Board, wires: Iterable[str]) -> Iterator[Problem]:
    """Wires where there is no bridge (PB-ENG-60)."""
    for wire in wires:
        if not _is_bridge(board, _ends(board, wire)):
            yield Problem("", "'wired'", f"there is no bridge at {wire} (PB-ENG-60)")


def _is_bridge(board: Board, ends: list[HexId]) -> bool:
    if not all(ends):
        return False
    if len(ends) == 1:
        return board.has_feature(ends[0], FULL_BRIDGE)
    direction = board.direction(*ends)
    return direction >= 0 and bool(board.side_features(ends[0], direction) & set(BRIDGE_BEARS))


def wired_sides(board: Board, wires: Iterable[str]) -> dict[int, frozenset[str]]:
    """The hexsides that a battle begins with otherwise than the board has them."""
    found: dict[int, frozenset[str]] = {}
    for ends in (_ends(board, wire) for wire in wires if "-" in wire):
        direction = board.direction(*ends)
        across = board.side_features(ends[0], direction) | {WIRED}
        found |= {8 * ends[0] + direction: across, 8 * ends[1] + opposite(direction): across}
    return dict(sorted(found.items()))


def with_wires(board: Board, wires: Iterable[str], placed: Mapping[HexId, Features]) -> dict[HexId, Features]:
    """The features of hexes with the full-hex bridges that are wired."""
    found = dict(placed)
    for (place,) in (_ends(board, wire) for wire in wires if "-" not in wire):
        found[place] = tuple(sorted((*found.get(place, NONE), Feature(WIRED))))
    return dict(sorted(found.items()))
