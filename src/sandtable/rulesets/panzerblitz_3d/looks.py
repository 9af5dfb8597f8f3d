"""What is seen from the hexes of a ground, whoever stands there: symbols of hexsides, gullies, and barrages.

Rules: PB3-701, PB3-702, PB3-703, PB3-704, PB3-705, PB3-706, PB3-707, PB3-708, PB3-1604.
"""

from __future__ import annotations

from sandtable.geometry.board import Board
from sandtable.geometry.sight import BLOCKS, SymbolSight
from sandtable.kernel.ids import HexId
from sandtable.mechanics.elevation import EFFECTS, ELEVATIONS, past_hex
from sandtable.rulesets.panzerblitz_3d.ground import Ground
from sandtable.rulesets.panzerblitz_3d.model import Position
from sandtable.rulesets.panzerblitz_3d.tables import combat_tables
from sandtable.rulesets.panzerblitz_3d.terrain import (
    BROWN,
    GRAY,
    GREEN,
    HILLTOP_LEVEL,
    ORANGE,
    is_gully,
)

CODES = {GREEN: 1, GRAY: 2, BROWN: 3, ORANGE: 4}
"""What a hexside shows to a line of sight (PB3-203)."""

_MOST_LOOKS = 32
"""For how many sets of barrages a ground remembers the looks, lest the list grow forever."""


def sight_on(ground: Ground) -> SymbolSight:
    """The lines of sight past the symbols of a ground, remembered with it."""
    return ground.once("sight", lambda: _sight(ground))


def _sight(ground: Ground) -> SymbolSight:
    board = ground.board
    effects = elevation_effects(hilltop_cover=ground.options.hilltop_cover)
    return SymbolSight(board, board.elevation, side_codes(board), bytes(board.size), effects)


def side_codes(board: Board) -> bytes:
    """The code of each hexside, eight bytes per hex (PB3-203)."""
    codes = bytearray(8 * board.size)
    for (place, d), symbols in board.hexsides.items():
        codes[8 * place + d] = max(CODES[symbol] for symbol in symbols)
    return bytes(codes)


def elevation_effects(*, hilltop_cover: bool) -> dict[tuple[int, int, int, int], int]:
    """The target elevation table as the geometry reads it: by lower level, upper level, code and obstacle level.

    Rules: PB3-702, PB3-703, PB3-704, PB3-705, PB3-1604.
    """
    effects: dict[tuple[int, int, int, int], int] = {}
    for row in combat_tables().target_elevation.row:
        lower, upper = ELEVATIONS[row.firer], ELEVATIONS[row.target]
        if lower > upper:
            continue  # the table says the same of both directions (PB3-703)
        words = {GREEN: row.green_or_gray, GRAY: row.green_or_gray, BROWN: row.brown, ORANGE: row.orange}
        for symbol, code in CODES.items():
            for level in ELEVATIONS.values():
                effects[lower, upper, code, level] = EFFECTS[words[symbol]]
        if hilltop_cover:
            for symbol in (GREEN, GRAY):
                effects[lower, upper, CODES[symbol], HILLTOP_LEVEL] = BLOCKS
    return effects


class Looks(dict[HexId, bytes]):
    """A byte for every hex, 1 for those seen, by the hex from which one looks; sight is mutual, so it is also what
    that hex is seen from. Each row is made when it is first asked for.
    """

    def __init__(self, ground: Ground, barrages: tuple[HexId, ...]) -> None:
        super().__init__()
        self.ground, self.barrages = ground, barrages

    def __missing__(self, place: HexId) -> bytes:
        self[place] = row = bytes(self._row(place))
        return row

    def _row(self, place: HexId) -> bytearray:
        bare = sight_on(self.ground).visible(place)
        # barrages hide whole rows at once: each is a row of zeros and ones like the one without them
        seen = 0 if place in self.barrages else int.from_bytes(bare, "little")
        for barrage in self.barrages:
            seen &= int.from_bytes(past_barrage(self.ground, barrage).visible(place), "little")
        row = bytearray(seen.to_bytes(len(bare), "little"))
        for hidden in (*self.barrages, *_deep_from(self.ground, place)):
            row[hidden] = 0
        for beside in (place, *self.ground.board.neighbors(place)):
            row[beside] = 1
        return row


def past_barrage(ground: Ground, place: HexId) -> SymbolSight:
    """Lines that nothing but fire falling in one hex can block (PB3-708)."""
    return ground.once(("barrage", place), lambda: past_hex(ground.board, place))


def _deep_from(ground: Ground, place: HexId) -> tuple[HexId, ...]:
    """The hexes between which and this one a gully lies too deep: all of the ground from a gully, the gullies from the
    ground, and none from above.

    Rules: PB3-707.
    """
    board = ground.board
    gullies: tuple[HexId, ...] = ground.once(
        "gullies", lambda: tuple(HexId(h) for h in board.hexes if is_gully(board, HexId(h)))
    )
    if not gullies or board.elevation[place]:
        return ()
    if place not in gullies:
        return gullies
    return ground.once("flat", lambda: tuple(HexId(h) for h in board.hexes if not board.elevation[h]))


def looks(position: Position) -> Looks:
    """What is seen from each hex while the barrages stay as they are."""
    barrages = position.barrages
    kept: dict[tuple[HexId, ...], Looks] = position.ground.once("looks", dict)
    found = kept.get(barrages)
    if found is None:
        if len(kept) >= _MOST_LOOKS:
            kept.clear()
        found = kept[barrages] = Looks(position.ground, barrages)
    return found
