"""Hexes, lines, rings and labels."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geometry import hexes
from sandtable.geometry.hexes import DIRECTION_NAMES, DIRECTIONS, STEPS, Hex, HexSide

coordinates = st.integers(-30, 30)
places = st.builds(Hex, coordinates, coordinates)
directions = st.sampled_from(DIRECTIONS)


def test_directions_run_clockwise_from_north() -> None:
    assert DIRECTION_NAMES == ("N", "NE", "SE", "S", "SW", "NW")
    assert tuple(DIRECTIONS) == (hexes.N, hexes.NE, hexes.SE, hexes.S, hexes.SW, hexes.NW)
    assert STEPS == ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
    assert [hexes.opposite(d) for d in DIRECTIONS] == [3, 4, 5, 0, 1, 2]


@given(places, directions)
def test_a_neighbor_is_one_step_away_and_the_opposite_step_leads_back(h: Hex, d: int) -> None:
    n = hexes.neighbor(h, d)
    assert hexes.distance(h, n) == 1
    assert hexes.neighbor(n, hexes.opposite(d)) == h
    assert hexes.direction(h, n) == d
    assert hexes.neighbors(h)[d] == n


@given(places, places, places)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert hexes.distance(a, b) == hexes.distance(b, a)
    assert (hexes.distance(a, b) == 0) == (a == b)
    assert hexes.distance(a, c) <= hexes.distance(a, b) + hexes.distance(b, c)


@given(places, places)
def test_only_adjacent_hexes_have_a_direction(a: Hex, b: Hex) -> None:
    assert (hexes.direction(a, b) >= 0) == (hexes.distance(a, b) == 1)


@given(places, st.integers(0, 8))
def test_a_ring_holds_the_hexes_at_its_radius_each_next_to_the_last(center: Hex, radius: int) -> None:
    ring = hexes.ring(center, radius)
    assert len(set(ring)) == len(ring) == max(1, 6 * radius)
    assert all(hexes.distance(center, h) == radius for h in ring)
    assert all(hexes.distance(a, b) == 1 for a, b in zip(ring, ring[1:] + ring[:1], strict=True) if radius)
    assert ring[0] == Hex(center.q, center.r - radius)
    assert radius != 1 or ring == hexes.neighbors(center)


def test_a_ring_has_no_negative_radius() -> None:
    with pytest.raises(ValueError, match="no radius -1"):
        hexes.ring(Hex(0, 0), -1)


def off_line(a: Hex, b: Hex, h: Hex, i: int) -> Fraction:
    """How far the i-th hex of a line is from the i-th point of it, in hexes."""
    n = max(1, hexes.distance(a, b))
    dq, dr = h.q - a.q - Fraction(i * (b.q - a.q), n), h.r - a.r - Fraction(i * (b.r - a.r), n)
    return max(abs(dq), abs(dr), abs(dq + dr))


@given(places, places)
def test_a_line_visits_at_each_distance_the_hex_nearest_to_it(a: Hex, b: Hex) -> None:
    line = hexes.line(a, b)
    assert line[0] == a
    assert line[-1] == b
    assert len(line) == hexes.distance(a, b) + 1
    assert all(hexes.distance(a, h) == i for i, h in enumerate(line))
    assert all(off_line(a, b, h, i) <= Fraction(1, 2) for i, h in enumerate(line))
    assert all(hexes.distance(h, n) == 1 for h, n in pairwise(line))


@given(places, places)
def test_a_line_and_its_reverse_differ_only_where_there_are_ties(a: Hex, b: Hex) -> None:
    there, back = hexes.line(a, b), hexes.line(b, a)[::-1]
    for i, (h, n) in enumerate(zip(there, back, strict=True)):
        assert h == n or off_line(a, b, h, i) == off_line(a, b, n, i) == Fraction(1, 2)


@given(coordinates, coordinates)
def test_the_two_words_of_a_line_resolve_every_tie_either_way(dq: int, dr: int) -> None:
    a, b = Hex(0, 0), Hex(dq, dr)
    low, *rest = hexes.line_words(dq, dr)
    ties = [i for i, h in enumerate(hexes.line(a, b)) if off_line(a, b, h, i) == Fraction(1, 2)]
    assert len(rest) == (1 if ties else 0)
    for high in rest:
        for i in ties:
            assert low[i - 1] < high[i - 1]
            assert {low[i - 1], high[i - 1]} == {low[i], high[i]}


def test_ties_go_to_the_lower_direction_number() -> None:
    assert hexes.line_words(1, 1) == ((2, 3), (3, 2))
    assert hexes.line_words(-1, -1) == ((0, 5), (5, 0))
    assert hexes.line_words(3, 1) == ((2, 2, 3, 2), (2, 3, 2, 2))
    assert hexes.line_words(0, 0) == ((),)
    assert hexes.line(Hex(0, 0), Hex(1, 1)) == (Hex(0, 0), Hex(1, 0), Hex(1, 1))


@given(places, directions)
def test_both_hexes_name_a_side_alike(h: Hex, d: int) -> None:
    side = HexSide.of(h, d)
    n = hexes.neighbor(h, d)
    assert side == HexSide.of(n, hexes.opposite(d)) == HexSide.between(n, h)
    assert side.first < side.second
    assert hexes.neighbor(side.first, side.direction) == side.second


def test_hexes_apart_share_no_side() -> None:
    with pytest.raises(ValueError, match="share no hexside"):
        HexSide.between(Hex(0, 0), Hex(2, 0))


@given(places)
def test_offset_coordinates_name_the_same_hex(h: Hex) -> None:
    assert hexes.from_offset(*hexes.to_offset(h)) == h


def test_odd_columns_are_pushed_down() -> None:
    assert [hexes.to_offset(hexes.neighbor(hexes.from_offset(2, 5), d)) for d in DIRECTIONS] == [
        (2, 4),
        (3, 4),
        (3, 5),
        (2, 6),
        (1, 5),
        (1, 4),
    ]


@given(st.integers(0, 998), st.integers(0, 998))
def test_a_label_reads_back_as_its_column_and_row(col: int, row: int) -> None:
    assert hexes.parse_label(hexes.format_label(col, row, digits=3)) == (col, row)
    assert hexes.parse_label(f"{col},{row}") == (col, row)
    if max(col, row) < 99:
        assert hexes.parse_label(hexes.format_label(col, row)) == (col, row)


@pytest.mark.parametrize(
    ("label", "place"),
    [("0101", (0, 0)), ("0312", (2, 11)), (" 012345 ", (11, 344)), ("0,0", (0, 0)), ("12, 7", (12, 7))],
)
def test_labels_count_from_one_and_pairs_from_zero(label: str, place: tuple[int, int]) -> None:
    assert hexes.parse_label(label) == place


@pytest.mark.parametrize("label", ["", "0", "0001", "0100", "01010", "a1b2", "1,", "1,2,3", "001000", "٠١٠١"])
def test_what_is_no_label_is_refused(label: str) -> None:
    with pytest.raises(ValueError, match="not a hex label"):
        hexes.parse_label(label)


@pytest.mark.parametrize(("col", "row", "digits"), [(-1, 0, 2), (0, -1, 2), (99, 0, 2), (0, 99, 2), (999, 0, 3)])
def test_a_place_beyond_the_digits_has_no_label(col: int, row: int, digits: int) -> None:
    with pytest.raises(ValueError, match="has no label"):
        hexes.format_label(col, row, digits)
