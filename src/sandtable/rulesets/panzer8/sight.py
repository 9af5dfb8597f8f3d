"""Lines of sight, facing and arcs.

Rules: P8-1.03, P8-7.01, P8-7.02, P8-7.03, P8-7.04, P8-7.05, P8-7.06, P8-12.02.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sandtable.geometry import STEPS, Board, PointSight
from sandtable.geometry.point_sight import points
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer8.ground import Ground
from sandtable.rulesets.panzer8.model import Element, Position
from sandtable.rulesets.panzer8.stacks import kind_of
from sandtable.rulesets.panzer8.terrain import FEATURES, WOODS

GREATEST_VISIBILITY = 60
"""As far as anybody ever sees, in hexes (P8-1.03)."""

HAZE = 20
"""As far as anybody sees in haze (card E08)."""

CLOSE_SMOKE = 2
"""So many smoke hexes on a line block it (P8-12.02)."""

THICKETS: Mapping[str, int] = {**dict.fromkeys(WOODS, 1), "bua": 2}
"""Features that are seen through from inside, up to two hexes (P8-7.03)."""


def eyes(ground: Ground) -> PointSight:
    """The judge of lines over this ground; elements never block them (P8-7.04)."""
    kept = ground.cache.get("sight")
    if kept is None:
        board = ground.board
        level, top, thickets = bytearray(board.size), bytearray(board.size), bytearray(board.size)
        for place in board.hexes:
            feature = board.terrain[place]
            level[place] = board.elevation[place]
            top[place] = level[place] + FEATURES[feature].height
            thickets[place] = THICKETS.get(feature, 0)
        kept = ground.cache["sight"] = PointSight(board, level, top, thickets, GREATEST_VISIBILITY)
    sight: PointSight = kept
    return sight


def visibility(position: Position) -> int:
    """As far as anybody sees now: by the scenario, or less in haze (P8-1.03, card E08)."""
    clear: int = position.ground.scenario.sections.visibility
    return min(clear, HAZE) if any(effect.card == "E08" for effect in position.effects) else clear


def sees(position: Position, a: HexId, b: HexId) -> bool:
    """Whether there is a line of sight between two hexes: near enough, past ground and smoke."""
    distance = position.ground.board.distance(a, b)
    if distance > visibility(position) or not eyes(position.ground).sees(a, b):
        return False
    return distance <= 1 or not position.smoke or smoke_on_line(position, a, b) < CLOSE_SMOKE


def smoke_on_line(position: Position, a: HexId, b: HexId) -> int:
    """How often a line meets smoke, its ends included; on a hexside both hexes must have it (P8-12.02)."""
    smoke, board = position.smoke, position.ground.board
    if not smoke:
        return 0
    between = points(board, a, b)
    return (a in smoke) + (b in smoke and b != a) + sum(one in smoke and other in smoke for one, other in between)


def is_in_smoke(position: Position, firer: HexId, target: HexId) -> bool:
    """Whether a target that is seen counts as in smoke (P8-12.02)."""
    return bool(position.smoke) and smoke_on_line(position, firer, target) > 0


# --- facing ---------------------------------------------------------------------------------------------------------


def product(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The number s of two directions in axial coordinates: twice their dot product, exactly.

    Rules: P8-7.05.
    """
    return 2 * a[0] * b[0] + 2 * a[1] * b[1] + a[0] * b[1] + b[0] * a[1]


def offset(board: Board, origin: HexId, place: HexId) -> tuple[int, int]:
    """How far a place lies from an origin, in axial coordinates."""
    q, r = board.coordinates
    return q[place] - q[origin], r[place] - r[origin]


def bearing(board: Board, origin: HexId, facing: int, place: HexId) -> int:
    """The number s of a place seen from an origin that faces so: below 0 it lies behind (P8-1.06, P8-7.05)."""
    return product(offset(board, origin, place), STEPS[facing])


def is_flanked(board: Board, target: Element, firer: HexId) -> bool:
    """Whether no part of a firer is to the target's front; exactly abeam is still front (P8-7.05)."""
    return bearing(board, target.hex, target.facing, firer) < 0


def front(position: Position, element: Element) -> tuple[HexId, ...]:
    """The hexes to an element's front, as far as anybody sees now (P8-7.05, P8-7.06)."""
    ground, far = position.ground, visibility(position)

    def made() -> tuple[HexId, ...]:
        board, here, facing = ground.board, element.hex, element.facing
        near = [HexId(place) for place in board.hexes if 0 < board.distance(here, place) <= far]
        return tuple([place for place in near if bearing(board, here, facing, place) >= 0])

    return ground.once(("front", element.hex, element.facing, far), made)


def is_in_arc(board: Board, firer: Element, facing: int, place: HexId, target: HexId) -> bool:
    """Whether a firer in a place, facing so, may fire at a target: one with a front arc only before it (P8-7.06)."""
    return not kind_of(firer).is_front_only or bearing(board, place, facing, target) >= 0


def entered_across(board: Board, firer: HexId, target: HexId) -> tuple[int, ...]:
    """The hexsides of a target's hex that a shot enters across: one, or two at a corner (P8-3.04)."""
    away = offset(board, target, firer)
    bearings = [product(away, step) for step in STEPS]
    return tuple(d for d, s in enumerate(bearings) if s == max(bearings))


def facing_toward(board: Board, origin: HexId, place: HexId) -> int:
    """The facing that looks at a place most squarely, the lowest of equals."""
    return _squarest(offset(board, origin, place))


@cache
def _squarest(away: tuple[int, int]) -> int:
    return max(range(6), key=lambda d: (product(away, STEPS[d]), -d))
