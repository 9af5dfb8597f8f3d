"""The board: its layers, its checks and its arithmetic."""

import gc
import pickle
import tracemalloc
import weakref
from array import array
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geometry import OFF_BOARD, Board, Hex, hexes

ROAD = bytes(5) + bytes([1 << hexes.S, 1 << hexes.N]) + bytes(9)
"""The exits of a board of 2 by 2 hexes with a road from 0101 to 0102."""

sizes = st.tuples(st.integers(1, 12), st.integers(1, 12))


def layers(width: int, height: int, **changes: Any) -> dict[str, Any]:
    """The constructor's arguments for an empty board, with changes."""
    blank = Board.build("b", width, height)
    names = ("id", "title", "width", "height", "terrain", "elevation", "roads", "hexsides", "features", "road_kinds")
    return {name: getattr(blank, name) for name in names} | changes


@pytest.fixture
def valley() -> Board:
    return Board.build(
        "valley",
        6,
        5,
        title="The Valley",
        terrain={"0203": "woods", "0404": "town"},
        elevation={"0101": 2, "0602": 1},
        roads=[("0101", "0102", "0202"), ("0202", "0303")],
        hexsides={("0303", 0): ["hedge"], ("0101", 0): ["coast"]},
        features={"0404": ["bridge"], "0505": []},
    )


@given(sizes)
def test_every_hex_has_an_id_inside_the_guard_ring(size: tuple[int, int]) -> None:
    width, height = size
    board = Board.build("b", width, height)
    assert len(board.hexes) == width * height
    assert [board.col_row(h) for h in board.hexes] == [(col, row) for row in range(height) for col in range(width)]
    assert all(h == (col + 1) * (height + 2) + row + 1 for h in board.hexes for col, row in [board.col_row(h)])
    assert {h for h in range(-3, board.size + 3) if board.is_on(h)} == set(board.hexes)
    assert OFF_BOARD not in board.hexes


@given(sizes, st.data())
def test_steps_and_distances_on_the_board_are_those_of_the_axial_hexes(
    size: tuple[int, int], data: st.DataObject
) -> None:
    board = Board.build("b", *size)
    a, b = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
    place = board.axial(a)
    assert board.from_axial(place) == a
    assert board.distance(a, b) == hexes.distance(place, board.axial(b)) == board.distance(b, a)
    assert board.direction(a, b) == hexes.direction(place, board.axial(b))
    for d in hexes.DIRECTIONS:
        n = board.neighbor(a, d)
        assert n == board.from_axial(hexes.neighbor(place, d)) == board.neighbor_table[a][d]
        assert not n or board.neighbor(n, hexes.opposite(d)) == a
    assert board.neighbors(a) == tuple(n for n in board.neighbor_table[a] if n)
    assert board.direction(a, OFF_BOARD) == -1
    assert board.line(a, b) == tuple(board.from_axial(h) for h in hexes.line(place, board.axial(b)))
    assert board.parse(board.label(a)) == a


@given(sizes, st.data())
def test_a_hex_just_beyond_the_edge_has_an_id_with_true_distances(size: tuple[int, int], data: st.DataObject) -> None:
    board = Board.build("b", *size)
    a, b = (data.draw(st.sampled_from(board.hexes)) for _ in range(2))
    for place in (board.axial(a), *hexes.neighbors(board.axial(a))):
        rim = board.rim_at(place)
        assert board.axial(rim) == place
        assert board.distance(rim, b) == hexes.distance(place, board.axial(b))
        assert rim == board.from_axial(place) or not board.is_on(rim)


@given(sizes, st.integers(0, 4), st.data())
def test_within_holds_the_hexes_up_to_a_distance_nearest_first(
    size: tuple[int, int], radius: int, data: st.DataObject
) -> None:
    board = Board.build("b", *size)
    h = data.draw(st.sampled_from(board.hexes))
    found = board.within(h, radius)
    assert sorted(found) == sorted(n for n in board.hexes if board.distance(h, n) <= radius)
    assert [board.distance(h, n) for n in found] == sorted(board.distance(h, n) for n in found)


def test_beyond_the_edge_there_is_only_hex_zero(valley: Board) -> None:
    assert valley.neighbor(valley.parse("0101"), hexes.N) == OFF_BOARD
    assert [valley.hex_at(*place) for place in ((-1, 0), (0, -1), (6, 0), (0, 5))] == [OFF_BOARD] * 4
    assert valley.from_axial(Hex(0, -1)) == OFF_BOARD
    assert valley.neighbor_table[OFF_BOARD] == (OFF_BOARD,) * 6


def test_a_built_board_holds_what_it_was_given(valley: Board) -> None:
    h = valley.parse
    assert valley.terrain[h("0203")] == "woods"
    assert valley.terrain[h("0202")] == "clear"
    assert (valley.elevation[h("0101")], valley.elevation[h("0102")]) == (2, 0)
    assert valley.has_road(h("0101"), hexes.S)
    assert valley.has_road(h("0102"), hexes.N)
    assert not valley.has_road(h("0101"), hexes.NE)
    assert valley.side_features(h("0303"), hexes.N) == valley.side_features(h("0302"), hexes.S) == {"hedge"}
    assert valley.side_features(h("0303"), hexes.S) == frozenset()
    assert valley.side_features(h("0101"), hexes.N) == {"coast"}
    assert valley.has_feature(h("0404"), "bridge")
    assert not valley.has_feature(h("0505"), "bridge")
    assert set(valley.features) == {h("0404")}
    assert valley.title == "The Valley"
    assert Board.build("plain", 1, 1).title == "plain"
    assert repr(valley) == "<Board valley 6x5>"


def test_hexes_can_be_given_by_id_as_well_as_by_label() -> None:
    board = Board.build("b", 3, 3, terrain={6: "woods"})
    assert board.terrain[board.parse("0101")] == "woods"


def test_labels_grow_to_three_digits_when_the_map_does() -> None:
    assert Board.build("b", 99, 1).label(4) == "0101"
    assert Board.build("b", 100, 1).label(4) == "001001"
    assert Board.build("b", 1, 100).parse("001100") == 102 + 100


def test_a_board_cannot_be_changed(valley: Board) -> None:
    with pytest.raises(AttributeError):
        valley.width = 7  # type: ignore[misc]
    with pytest.raises(TypeError):
        valley.hexsides[1, 1] = frozenset()  # type: ignore[index]
    with pytest.raises(TypeError):
        valley.features[1] = frozenset()  # type: ignore[index]


def test_a_board_is_a_key_by_identity() -> None:
    one, two = Board.build("b", 2, 2), Board.build("b", 2, 2)
    assert one != two
    assert {one: 1, two: 2}[one] == 1


def test_the_digest_depends_on_content_alone(valley: Board) -> None:
    assert pickle.loads(pickle.dumps(valley)).digest == valley.digest == valley.digest
    assert len(valley.digest) == 64
    plain = layers(2, 2)
    changed = [
        layers(2, 2, id="other"),
        layers(2, 3),
        layers(2, 2, elevation=bytes(5) + b"\1" + bytes(10)),
        layers(2, 2, features={5: frozenset({"x"})}),
        layers(2, 2, hexsides={(5, 3): frozenset({"x"})}),
        layers(2, 2, roads=ROAD),
        layers(2, 2, terrain=tuple("mud" if key else "" for key in plain["terrain"])),
        layers(2, 2, elevation=array("h", bytes(32))),
        layers(2, 2, elevation=array("h", [0] * 5 + [1] + [0] * 10)),
        layers(2, 2, roads=ROAD, road_kinds={(5, hexes.S): "track"}),
        layers(2, 2, roads=ROAD, road_kinds={(5, hexes.S): "paved"}),
    ]
    digests = {Board(**content).digest for content in [plain, *changed]}
    assert len(digests) == 1 + len(changed)
    assert Board(**layers(2, 2, title="Renamed")).digest == Board(**plain).digest


def test_the_canonical_form_behind_the_digest_is_frozen() -> None:
    assert Board.build("b", 2, 2).digest == "e39548b8c9698d2b4d8135f0833204919913a23e9d5e4798f0f37bd9727adc23"


def test_a_side_given_from_both_hexes_must_carry_the_same() -> None:
    both: dict[tuple[int | str, int], list[str]] = {("0102", hexes.N): ["stream"], ("0101", hexes.S): ["stream"]}
    assert len(Board.build("b", 2, 2, hexsides=both).hexsides) == 2
    with pytest.raises(ValueError, match="carry different features"):
        Board.build("b", 2, 2, hexsides=both | {("0101", hexes.S): ["hedge"]})
    assert not Board.build("b", 2, 2, hexsides={("0102", hexes.N): []}).hexsides


@pytest.mark.parametrize(("width", "height"), [(0, 1), (1, 0), (-2, 5)])
def test_a_map_has_at_least_one_hex(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="is no map"):
        Board("b", "b", width, height, (), b"", b"", {}, {})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"elevation": bytes(3)}, "elevation has 3 entries, the map has 16"),
        ({"roads": bytes(17)}, "roads has 17 entries"),
        ({"terrain": ("clear",) * 4}, "terrain has 4 entries"),
        ({"terrain": ("clear",) * 16}, "nowhere else"),
        ({"terrain": ("",) * 16}, "every hex of the map"),
        ({"roads": bytes(5) + b"\1" + bytes(10)}, "leaves the map"),
        ({"roads": b"\1" + bytes(15)}, "leaves the map"),
        ({"roads": bytes(5) + b"\x08" + bytes(10)}, "does not go on in 0102"),
        ({"roads": bytes(5) + b"\x40" + bytes(10)}, "no set of road exits"),
        ({"hexsides": {(0, 1): frozenset({"x"})}}, "no hexside"),
        ({"hexsides": {(5, 6): frozenset({"x"})}}, "no hexside"),
        ({"features": {99: frozenset({"x"})}}, "off the map"),
        ({"elevation": array("i", [0] * 16)}, "16-bit numbers, not of the format 'i'"),
        ({"elevation": array("h", [0] * 15)}, "elevation has 15 entries"),
        ({"road_kinds": {(5, hexes.S): "track"}}, "no road for the kind 'track'"),
        ({"road_kinds": {(0, hexes.S): "track"}}, "no road for the kind 'track'"),
        ({"roads": ROAD, "road_kinds": {(5, 6): "track"}}, "no road for the kind"),
        ({"roads": ROAD, "road_kinds": {(5, hexes.S): ""}}, "no road for the kind ''"),
        ({"roads": ROAD, "road_kinds": {(5, hexes.S): "track", (6, hexes.N): "paved"}}, "both track and paved"),
    ],
)
def test_layers_that_do_not_fit_the_map_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board(**layers(2, 2, **changes))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"terrain": {"0909": "woods"}}, "0909 is off the map"),
        ({"terrain": {1: "woods"}}, "1 is off the map"),
        ({"roads": [("0101", "0303")]}, "no road joins 0101 and 0303"),
    ],
)
def test_the_builder_refuses_what_is_not_on_the_map(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board.build("b", 3, 3, **arguments)


def test_only_hexes_of_the_map_have_labels(valley: Board) -> None:
    for h in (0, -1, 3, valley.size, valley.size - 1):
        with pytest.raises(ValueError, match="off the map"):
            valley.label(h)
    with pytest.raises(ValueError, match="0701 is off the map"):
        valley.parse("0701")


def test_distance_agrees_on_every_pair_of_a_small_board() -> None:
    board = Board.build("b", 7, 6)
    for a, b in product(board.hexes, board.hexes):
        assert board.distance(a, b) == hexes.distance(board.axial(a), board.axial(b))


def test_elevation_in_meters_holds_16_bits_and_is_nobody_elses() -> None:
    given_heights = array("h", [0] * 16)
    given_heights[5], given_heights[6] = 1850, -32768
    board = Board(**layers(2, 2, elevation=given_heights))
    given_heights[5] = 7
    assert board.in_meters
    assert (board.elevation[5], board.elevation[6], board.elevation[9]) == (1850, -32768, 0)
    with pytest.raises(TypeError):
        board.elevation[5] = 1  # type: ignore[index]
    again = pickle.loads(pickle.dumps(board))
    assert (list(again.elevation), again.digest) == (list(board.elevation), board.digest)
    # what is fixed already is not copied
    shared = Board(**layers(2, 2, elevation=board.elevation)).elevation
    assert shared is not board.elevation
    assert isinstance(shared, memoryview)
    assert isinstance(board.elevation, memoryview)
    assert shared.obj is board.elevation.obj
    built = Board.build("b", 2, 2, elevation={"0101": 1850, "0102": -32768}, meters=True)
    assert built.digest == board.digest
    assert not Board.build("b", 2, 2).in_meters
    with pytest.raises(OverflowError):
        Board.build("b", 2, 2, elevation={"0101": 32768}, meters=True)


def test_a_stretch_of_road_has_one_kind_or_none_from_either_hex() -> None:
    kinds = {"track": [("0102", "0202")], "paved": [("0102", "0103")]}
    board = Board.build("b", 3, 3, roads=[("0101", "0102", "0103")], road_kinds=kinds)
    a, b, c, e = (board.parse(label) for label in ("0101", "0102", "0103", "0202"))
    assert board.road_kind(a, hexes.S) == board.road_kind(b, hexes.N) == ""
    assert board.has_road(a, hexes.S)
    assert board.road_kind(b, hexes.S) == board.road_kind(c, hexes.N) == "paved"
    d = board.direction(b, e)
    assert board.road_kind(b, d) == board.road_kind(e, hexes.opposite(d)) == "track"
    assert board.has_road(e, hexes.opposite(d))
    assert board.road_kind(e, d) == ""
    with pytest.raises(TypeError):
        board.road_kinds[b, d] = "paved"  # type: ignore[index]
    assert pickle.loads(pickle.dumps(board)).road_kinds == board.road_kinds


def test_boards_of_one_size_share_their_places_for_as_long_as_one_of_them_lives() -> None:
    one, two = Board.build("one", 17, 13), Board.build("two", 17, 13)
    assert one.neighbor_table is two.neighbor_table
    grid = weakref.ref(one._grid)
    del one, two
    gc.collect()
    assert grid() is None


def test_sets_that_are_alike_are_one_object() -> None:
    sides: dict[tuple[int | str, int], list[str]] = {("0303", d): ["hedge", "ditch"] for d in hexes.DIRECTIONS}
    board = Board.build("b", 5, 5, hexsides=sides, features={"0101": ["hedge", "ditch"], "0202": ["ditch", "hedge"]})
    assert len({id(marks) for marks in (*board.hexsides.values(), *board.features.values())}) == 1


def test_a_board_of_160000_hexes_takes_less_than_40_megabytes() -> None:
    tracemalloc.start()
    try:
        board = Board.build("b", 400, 400)
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(board.hexes) == 160_000
    assert kept < 32_000_000
    assert most < 40_000_000
