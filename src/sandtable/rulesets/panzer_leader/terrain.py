"""What the terrain effects table says of each hex.

Every hex of a board is a whole one, also on its edge (PL-207). A road changes nothing for a defender (PL-212).

Rules: PL-201, PL-202, PL-209, PL-213.
"""

from __future__ import annotations

from sandtable.geometry.board import Board, SideKey
from sandtable.geometry.hexes import DIRECTIONS
from sandtable.kernel.ids import HexId
from sandtable.kernel.trace import Amount
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import Position
from sandtable.rulesets.panzer_leader.stacks import units_at
from sandtable.rulesets.panzer_leader.terrain_table import TERRAIN, Terrain

GROUND_LEVEL, SLOPE_LEVEL, HILLTOP_LEVEL = 0, 1, 2

WOODED = ("woods", "slope_woods")


def has_bridge(position: Position, place: HexId) -> bool:
    """Whether a bridge that stands, printed or laid by tanks, makes the hex clear terrain (PL-633, PL-1333)."""
    board = position.ground.board
    if board.terrain[place] != "stream":
        return False
    if board.has_feature(place, "bridge") and place not in position.bridges_down:
        return True
    return any(KINDS[unit.kind].is_temporary_bridge for unit in units_at(position, place))


def terrain_key(position: Position, place: HexId) -> str:
    """The base terrain of a hex as play sees it: a bridge hex is clear for all purposes (PL-633)."""
    printed = position.ground.board.terrain[place]
    return "clear" if printed == "stream" and has_bridge(position, place) else printed


def terrain_at(position: Position, place: HexId) -> Terrain:
    """The row of the terrain effects table that holds for a hex now."""
    return TERRAIN[terrain_key(position, place)]


def level_at(position: Position, place: HexId) -> int:
    """The elevation level of a hex: hilltop 2, slope 1, anything else 0 (PL-202)."""
    return position.ground.board.elevation[place]


def is_concealing(position: Position, place: HexId) -> bool:
    """Whether units in the hex must be spotted to be fired at from afar: in woods, towns and under smoke.

    Rules: PL-721, PL-1609.
    """
    return TERRAIN[terrain_key(position, place)].needs_spotting or place in position.smoke


def proposed_symbols(board: Board) -> dict[SideKey, str]:
    """Hexside symbols that the lie of the land suggests to a map's author, each side named from its lower hex.

    Rules: PL-203, PL-205.
    """
    proposed: dict[SideKey, str] = {}
    for h in board.hexes:
        for d in DIRECTIONS:
            beyond = board.neighbor(h, d)
            symbol = _proposed_symbol(board, h, d) if beyond > h else ""
            if symbol:
                proposed[h, d] = symbol
    return proposed


def _proposed_symbol(board: Board, h: int, d: int) -> str:
    beyond = board.neighbor(h, d)
    here, there = board.elevation[h], board.elevation[beyond]
    if (here == HILLTOP_LEVEL) != (there == HILLTOP_LEVEL):
        return "orange"
    if board.terrain[h] in WOODED and board.terrain[beyond] in WOODED:
        return "green"
    if here == there == SLOPE_LEVEL:
        flanks = [board.elevation[board.neighbor(h, side)] == HILLTOP_LEVEL for side in ((d + 5) % 6, (d + 1) % 6)]
        return "brown" if flanks[0] == flanks[1] else ""
    return ""


def points(halves: int) -> Amount:
    """Half movement points as players write them: 3, "½", "2½" (PL-603)."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else whole
