"""Straight lines over hexsides: every place of a line and the sides it meets there, exactly."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sandtable.geometry.hexes import STEPS, Hex, opposite

if TYPE_CHECKING:
    from sandtable.geometry.board import Board, SideKey
    from sandtable.geometry.grid import HexId


CORNERS = ((-1, -1), (1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1), (-1, -1))
"""Corner k of a hex, times 3, is the counterclockwise end of its side k; its hand is that of the center and its own."""


class Meet(NamedTuple):
    """One place of a line: what it meets at a point, or the side it runs along from there to the next place."""

    place_times_2: int
    kind: str
    sides: tuple[SideKey, ...]


class Trace(NamedTuple):
    """All that a line meets between two hexes: its places are numbered from 1 and counted from the first hex."""

    places: int
    meets: tuple[Meet, ...]
    hexes: tuple[HexId, ...]


def line_meets(dq: int, dr: int) -> tuple[int, list[int]]:
    """How many places the line to an offset has, and the sides it meets as q, r, direction and twice the place, in
    order.

    The line is followed from hex to hex. It leaves each through the side whose corners lie on either hand, or through
    a corner, which is one place and meets the three sides there; from a corner it may run along the side between the
    next two hexes, whose place is half-way between its corners. All of it is exact: a corner's hand is the sign of a
    cross product.
    """
    hand = [dq * r - dr * q for q, r in CORNERS]
    sides: list[int] = []
    place = q = r = 0
    while q != dq or r != dr:
        center = 3 * (dq * r - dr * q)
        d = 0
        while center + hand[d] >= 0 or center + hand[d + 1] < 0:
            d += 1
        e = d + 1 if d < 5 else 0
        f = e + 1 if e < 5 else 0
        place += 1
        left_q, left_r = q + STEPS[d][0], r + STEPS[d][1]
        sides += (q, r, d, 2 * place)
        if center + hand[d + 1] > 0:
            q, r = left_q, left_r
            continue
        right_q, right_r = q + STEPS[e][0], r + STEPS[e][1]
        sides += (q, r, e, 2 * place)
        # beyond the corner lies the side between the left and the right hex: which hand has its far end?
        far = 3 * (dq * left_r - dr * left_q) + hand[f]
        if far == 0:
            sides += (left_q, left_r, f, 2 * place + 1)
            place += 1
            sides += (left_q, left_r, e, 2 * place)
            sides += (right_q, right_r, d, 2 * place)
            q, r = left_q + STEPS[e][0], left_r + STEPS[e][1]
        else:
            sides += (left_q, left_r, f, 2 * place)
            q, r = (left_q, left_r) if far > 0 else (right_q, right_r)
    return place, sides


def trace(board: Board, a: HexId, b: HexId) -> Trace:
    """The places of the straight line from center to center, the sides met at each, and the hexes whose sides they are.

    A side is named from its hex with the lower id, or from the one that is on the board; both ends are among the hexes.
    """
    start, end = board.axial(a), board.axial(b)
    places, flat = line_meets(end.q - start.q, end.r - start.r)
    records = [
        (flat[i + 3], _side_key(board, Hex(start.q + flat[i], start.r + flat[i + 1]), flat[i + 2]))
        for i in range(0, len(flat), 4)
    ]
    meets: list[Meet] = []
    hexes: dict[HexId, None] = {a: None}
    for place, group in groupby(records, key=lambda record: record[0]):
        sides = tuple(side for _, side in group)
        meets.append(Meet(place, "run" if place & 1 else "point", sides))
        for h, d in sides:
            hexes.update({h: None, board.neighbor(h, d): None})
    hexes.pop(0, None)
    return Trace(places, tuple(meets), tuple(hexes))


def _side_key(board: Board, place: Hex, d: int) -> SideKey:
    here = board.from_axial(place)
    there = board.from_axial(Hex(place.q + STEPS[d][0], place.r + STEPS[d][1]))
    return (here, d) if here and (here < there or not there) else (there, opposite(d))
