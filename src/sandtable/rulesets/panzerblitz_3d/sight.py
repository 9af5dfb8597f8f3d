"""Who sees what, and who has been spotted.

Rules: PB3-701, PB3-711, PB3-712, PB3-713.
"""

from __future__ import annotations

from sandtable.geometry.sight import BLOCKS, BLOCKS_BESIDE_LOWER, BLOCKS_NEAR_LOWER, ONE_ALLOWED
from sandtable.kernel.ids import HexId, RuleId, SideId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzerblitz_3d.kinds import FORTS
from sandtable.rulesets.panzerblitz_3d.looks import CODES, looks, past_barrage, sight_on
from sandtable.rulesets.panzerblitz_3d.model import Position, Unit
from sandtable.rulesets.panzerblitz_3d.stacks import active, units_at
from sandtable.rulesets.panzerblitz_3d.terrain import BROWN, GRAY, GREEN, ORANGE, is_hiding

_REASONS = {
    (CODES[GREEN], BLOCKS): ("woods", "PB3-702"),
    (CODES[GREEN], BLOCKS_BESIDE_LOWER): ("directly behind woods", "PB3-703"),
    (CODES[GRAY], BLOCKS): ("town", "PB3-702"),
    (CODES[GRAY], BLOCKS_BESIDE_LOWER): ("directly behind a town", "PB3-703"),
    (CODES[BROWN], BLOCKS): ("slope", "PB3-702"),
    (CODES[BROWN], BLOCKS_NEAR_LOWER): ("slope near the ground unit", "PB3-704"),
    (CODES[ORANGE], BLOCKS): ("crest", "PB3-705"),
    (CODES[ORANGE], ONE_ALLOWED): ("second crest", "PB3-705"),
}


def sees(position: Position, a: HexId, b: HexId) -> bool:
    """Whether there is a line of sight between two hexes, barrages and gullies included.

    Rules: PB3-701.
    """
    return looks(position)[a][b] != 0


def why_unseen(position: Position, a: HexId, b: HexId) -> Line | None:
    """What stands between two hexes and where, or None when one sees the other."""
    if sees(position, a, b):
        return None
    board = position.ground.board
    blocked = sight_on(position.ground).why(a, b)
    if blocked is not None:
        word, rule = _REASONS[blocked.code, blocked.effect]
        return Line(word, board.label(blocked.hex), RuleId(rule))
    for place in position.barrages:
        if place in (a, b) or not past_barrage(position.ground, place).sees(a, b):
            return Line("barrage", board.label(place), RuleId("PB3-708"))
    return Line("gully", board.label(b), RuleId("PB3-707"))


def can_spot(unit: Unit) -> bool:
    """Whether a unit sees and spots at all: every undispersed one, trucks and wagons too, but forts as such do not.

    Rules: PB3-712, PB3-902.
    """
    return not unit.dispersed and unit.kind not in FORTS


def watchers(position: Position, side: SideId, place: HexId) -> list[Unit]:
    """The side's undispersed units that see a hex, in order of their numbers."""
    row = looks(position)[place]
    return [unit for unit in active(position, side) if row[unit.hex] and can_spot(unit)]


def is_watched(position: Position, side: SideId, place: HexId) -> bool:
    """Whether some undispersed unit of the side sees a hex."""
    row = looks(position)[place]
    return any(row[unit.hex] and can_spot(unit) for unit in active(position, side))


def has_spotter_beside(position: Position, place: HexId, side: SideId) -> bool:
    """Whether an undispersed unit of the side is adjacent to a hex.

    Rules: PB3-712.
    """
    return any(
        unit.side == side and can_spot(unit)
        for near in position.ground.board.neighbors(place)
        for unit in units_at(position, HexId(near))
    )


def is_spotted_at(position: Position, place: HexId, by: SideId) -> bool:
    """Whether a side may fire from afar at what is in a hex: it gives no cover, or the side has spotted there; that
    somebody fired out of it does not matter.

    Rules: PB3-711, PB3-712, PB3-713.
    """
    return not is_hiding(position.ground.board, place) or has_spotter_beside(position, place, by)
