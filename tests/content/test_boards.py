"""Board files: what is read, what is refused, and writing back."""

# ruff: noqa: E501 - in a table of cases each case is one line, so that the messages can be read down the page

from __future__ import annotations

import string
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.content import MapSheet, Problem, Vocabulary, load_board, load_sheet, write_board, write_sheet
from sandtable.geometry import DIRECTIONS, Board
from tests.content.samples import BOARD, METERS, METRIC, PLAIN, TOY, problems_of, spoiled


def board_problems(*changes: tuple[str, str]) -> list[str]:
    text = spoiled(BOARD, *changes)
    return problems_of(lambda: load_board(text.encode(), TOY, "vire.toml"))


def test_a_board_file_becomes_a_board() -> None:
    sheet = load_sheet(BOARD.encode(), TOY)
    board = sheet.board
    at = board.parse
    assert (board.id, board.title, board.width, board.height) == ("vire", "Vire-le-Sec", 6, 5)
    assert [board.terrain[at(label)] for label in ("0101", "0202", "0303", "0204")] == [
        "clear",
        "woods",
        "town",
        "stream",
    ]
    assert [board.elevation[at(label)] for label in ("0101", "0202", "0504")] == [0, 1, 2]
    assert board.has_road(at("0101"), 3)
    assert board.has_road(at("0102"), 0)
    assert not board.has_road(at("0101"), 5)
    assert board.side_features(at("0302"), board.direction(at("0302"), at("0202"))) == {"green"}
    assert board.side_features(at("0501"), 3) == {"green"}
    assert board.side_features(at("0601"), 1) == {"cliff"}
    assert board.has_feature(at("0304"), "bridge")
    assert sheet.names == {at("0303"): "Vire-le-Sec"}
    assert sheet.road_ends == ((at("0101"), 5), (at("0305"), 3))


def test_a_board_needs_no_elevation_roads_hexsides_features_or_names() -> None:
    text = 'format = 1\nkind = "board"\nid = "a"\ntitle = "A"\nwidth = 2\nheight = 1\nterrain = " .. "\nlegend = {"." = "clear"}'
    assert load_board(text.encode(), PLAIN).digest == Board.build("a", 2, 1).digest


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "vire"', 'id = "Vire le Sec"', "'id': expected an id of lower-case letters, digits, '-' and '_', 64 at most, got 'Vire le Sec'"),
        ('title = "Vire-le-Sec"', 'titel = "x"', "'title': missing; expected text of 1 to 200 letters"),
        ("width = 6", "width = 0", "'width': expected a whole number from 1 to 999, got 0"),
        ("width = 6", 'width = "6"', "'width': expected a whole number from 1 to 999, got '6'"),
        ("width = 6", "width = 5", "'terrain' row 1: expected 5 letters, got 6"),
        ("height = 5", "height = 6", "'terrain': expected 6 rows, got 5"),
        (".w..w.", ".w..w", "'terrain' row 2: expected 6 letters, got 5"),
        (".w..w.", ".x..x.", "'terrain': 'x' is not in [legend] (hex 0202 and 1 other hexes)"),
        ("000020", "0000+0", "'elevation': '+' is not a level (0 to 9, then a to z) (hex 0504)"),
        ("000020\n", "", "'elevation': expected 5 rows, got 4"),
        ('w = "woods"', 'w = "woodz"', "[legend] 'w': unknown terrain 'woodz'; did you mean 'woods'?"),
        ('w = "woods"', 'w = "woods"\nww = "woods"', "[legend] 'ww': expected a single letter or sign as the key"),
        ('w = "woods"', "w = 3", "[legend] 'w': expected the key of a terrain, got 3"),
        ('"0101", "0102"', '"0101", "9999"', "'roads' #1.3: '9999' is not a hex of the board (0101 to 0605)"),
        ('"0101", "0102"', '"0101", "0,1"', "'roads' #1.3: '0,1' is not a hex of the board (0101 to 0605)"),
        ('"0101", "0102"', '"0101", "0305"', "'roads' #1.3: 0101 and 0305 are not adjacent"),
        ("edge:NW", "edge:NNW", "'roads' #1.1: unknown direction 'NNW'; did you mean 'NW'?"),
        ("edge:NW", "edge:S", "'roads' #1.2: the map does not end S of 0101"),
        ('"0303", "0304", "0305", "edge:S"', '"0303"', "'roads' #2: expected a road of two hexes or more, got 1"),
        ('"0303", "0304", "0305", "edge:S"', '"edge:N", "edge:S"', "'roads' #2.2: expected a hex beside the map edge"),
        ('"0303", "0304", "0305", "edge:S"', '"0305", "edge:S", "0305"', "'roads' #2.2: expected a hex: a road can leave the map only where it begins or ends"),
        ('"0303", "0304", "0305", "edge:S"', '"0303", 304', "'roads' #2.2: expected text, got 304"),
        ("green =", "grene =", "[hexsides]: unknown kind of hexside 'grene'; did you mean 'green'?"),
        ("0202-0302", "0202", "[hexsides] 'green' #1: expected two hexes such as '0403-0404', got '0202'"),
        ("0202-0302", "0202-0505", "[hexsides] 'green' #1: 0202 and 0505 are not adjacent"),
        ("0202-0302", "0202-0909", "[hexsides] 'green' #1: '0909' is not a hex of the board (0101 to 0605)"),
        ("0601-edge:NE", "0601-edge:S", "[hexsides] 'cliff' #2: the map does not end S of 0601"),
        ("bridge =", "brigde =", "[features]: unknown kind of feature 'brigde'; did you mean 'bridge'?"),
        ('bridge = ["0304"]', 'bridge = ["0309"]', "[features] 'bridge' #1: '0309' is not a hex of the board (0101 to 0605)"),
        ('"0303" = "Vire', '"0003" = "Vire', "[names] '0003': '0003' is not a hex of the board (0101 to 0605)"),
        ("width = 6\nheight = 5", "width = 999\nheight = 999", "'width': expected a map of at most 160,000 hexes, got 998,001"),
        ("[names]", "[name]", "unknown key 'name'; did you mean 'names'?"),
    ],
)  # fmt: skip
def test_a_wrong_board_file_says_where_and_what_was_expected(old: str, new: str, problem: str) -> None:
    assert f"vire.toml: {problem}" in board_problems((old, new))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("1200 1300", "1200", "'elevation_meters' row 2: expected 4 numbers, got 3"),
        ("1200 1300", "1200 7 1300", "'elevation_meters' row 2: expected 4 numbers, got 5"),
        ("1200 1300", "1200 high", "'elevation_meters' row 2: 'high' is not a number of meters from -32768 to 32767 (hex 0202)"),
        ("1200 1300", "+1200 1_300", "'elevation_meters' row 2: '+1200' is not a number of meters from -32768 to 32767 (hex 0102 and 1 other hexes)"),
        ("1200 1300", "1200 ١٢", "'elevation_meters' row 2: '١٢' is not a number of meters from -32768 to 32767 (hex 0202)"),
        ("1200 1300", "1200 32768", "'elevation_meters' row 2: '32768' is not a number of meters from -32768 to 32767 (hex 0202)"),
        ("1200 1300", "-32769 0", "'elevation_meters' row 2: '-32769' is not a number of meters from -32768 to 32767 (hex 0102)"),
        ("1200 1300", "1200 1300 1 1 99999", "'elevation_meters' row 2: expected 4 numbers, got 7"),
        ("1200 1300", "1200 " + "9" * 5000, "'elevation_meters' row 2: '" + "9" * 40 + "…' is not a number of meters from -32768 to 32767 (hex 0202)"),
        ("  -5    0    0 -400\n", "", "'elevation_meters': expected 3 rows, got 2"),
        ('elevation_meters = """', 'elevation_meters = """\n\n0 0 0 0', "'elevation_meters': expected 3 rows, got 4"),
        ("roads =", 'elevation = """\n0000\n0000\n0000\n"""\nroads =', "'elevation': this system measures in meters; expected 'elevation_meters'"),
        ("track =", "trak =", "[road_kinds]: unknown kind of road 'trak'; did you mean 'track'?"),
        ('["0103", "0202"]', '["0103", "0102"]', "[road_kinds] 'paved' #1.2: the road between 0103 and 0102 is of the kind 'track' already"),
        ('["0103", "0202"]', '["0103", "0402"]', "[road_kinds] 'paved' #1.2: 0103 and 0402 are not adjacent"),
        ('["0103", "0202"]', '"0103"', "[road_kinds] 'paved' #1: expected a list, got '0103'"),
        ('["0103", "0202"]', '["0103"]', "[road_kinds] 'paved' #1: expected a road of two hexes or more, got 1"),
        ('["0103", "0202"]', "[]", "[road_kinds] 'paved' #1: expected a road of two hexes or more, got 0"),
        ('["0103", "0202"]', '["edge:W", "0202"]', "[road_kinds] 'paved' #1.1: unknown direction 'W'; did you mean 'SW'?"),
    ],
)  # fmt: skip
def test_wrong_meters_and_kinds_of_road_say_where_and_what_was_expected(old: str, new: str, problem: str) -> None:
    text = spoiled(METERS, (old, new))
    assert f"alps.toml: {problem}" in problems_of(lambda: load_board(text.encode(), METRIC, "alps.toml"))


def test_a_system_that_counts_in_levels_refuses_meters() -> None:
    assert "alps.toml: 'elevation_meters': this system counts in levels; expected 'elevation'" in problems_of(
        lambda: load_board(METERS.encode(), TOY, "alps.toml")
    )


def test_elevation_in_meters_and_kinds_of_road_are_read_and_written_back() -> None:
    sheet = load_sheet(METERS.encode(), METRIC)
    board, at = sheet.board, sheet.board.parse
    assert board.in_meters
    assert [board.elevation[at(label)] for label in ("0101", "0201", "0102", "0302", "0403")] == [
        0,
        -12,
        1200,
        4807,
        -400,
    ]
    assert [board.road_kind(at(label), 3) for label in ("0101", "0102", "0301")] == ["", "track", "track"]
    assert board.road_kind(at("0103"), board.direction(at("0103"), at("0202"))) == "paved"
    assert board.has_road(at("0101"), 3)
    assert sheet.road_ends == ((at("0301"), 0),)
    text = write_sheet(sheet)
    assert text.split("[legend]")[0].splitlines()[13:] == [
        'elevation_meters = """',
        "   0  -12  450  451",
        "1200 1300 4807    0",
        "  -5    0    0 -400",
        '"""',
        "",
        "roads = [",
        '  ["0101", "0102"],',
        '  ["0103", "0203"],',
        "]",
        "",
    ]
    assert text.split("[road_kinds]\n")[1].splitlines() == [
        "paved = [",
        '  ["0103", "0202"],',
        "]",
        "track = [",
        '  ["edge:N", "0301", "0302"],',
        '  ["0102", "0103"],',
        "]",
    ]
    again = load_sheet(text.encode(), METRIC)
    assert (again.board.digest, again.road_ends) == (board.digest, sheet.road_ends)
    assert write_sheet(again) == text


def test_a_map_without_heights_is_flat_in_the_measure_of_its_system() -> None:
    text = write_board(Board.build("a", 3, 2)).encode()
    assert not load_board(text, PLAIN).in_meters
    flat = load_board(text, METRIC)
    assert flat.in_meters
    assert not any(flat.elevation)
    assert load_board(write_board(flat).encode(), METRIC).digest == flat.digest


def test_a_road_of_no_kind_may_run_along_one_that_has_a_kind() -> None:
    text = spoiled(METERS, ('roads = [["0101", "0102"]', 'roads = [["0101", "0102", "0103"]')).encode()
    assert load_board(text, METRIC).digest == load_board(METERS.encode(), METRIC).digest


def test_a_board_of_160000_hexes_is_read_and_written() -> None:
    side = 400
    board = Board.build(
        "large",
        side,
        side,
        terrain=dict.fromkeys(Board.build("large", side, side).hexes[::7], "woods"),
        elevation={"400400": 3000, "001001": -3000},
        meters=True,
        road_kinds={"paved": [["001001", "001002"], ["399400", "399399"]]},
    )
    text = write_board(board)
    assert load_board(text.encode(), METRIC).digest == board.digest


def test_all_problems_of_a_board_file_are_reported_together() -> None:
    assert board_problems(
        ('title = "Vire-le-Sec"', "title = 3"),
        (".w..w.", ".w..w"),
        ('"0101", "0102"', '"0101", "0305"'),
        ('bridge = ["0304"]', 'bridge = ["0309"]'),
        ('s = "stream"', 's = "steam"'),
    ) == [
        "vire.toml: 'title': expected text of 1 to 200 letters, got 3",
        "vire.toml: [legend] 's': unknown terrain 'steam'; did you mean 'stream'?",
        "vire.toml: [features] 'bridge' #1: '0309' is not a hex of the board (0101 to 0605)",
        "vire.toml: 'terrain' row 2: expected 6 letters, got 5",
        "vire.toml: 'roads' #1.3: 0101 and 0305 are not adjacent",
        "vire.toml: 'roads' #1.4: 0305 and 0202 are not adjacent",
    ]


def test_a_system_may_object_to_a_board() -> None:
    def dry_bridges(board: Board) -> list[Problem]:
        dry = [h for h in board.features if board.has_feature(h, "bridge") and board.terrain[h] != "stream"]
        return [Problem("", "[features] 'bridge'", f"no stream in {board.label(h)}") for h in dry]

    strict: Vocabulary[Any, Any] = msgspec.structs.replace(TOY, board_problems=dry_bridges)
    assert load_board(spoiled(BOARD, ('bridge = ["0304"]', 'bridge = ["0204"]')).encode(), strict).id == "vire"
    text = spoiled(BOARD, ('bridge = ["0304"]', 'bridge = ["0101"]')).encode()
    assert problems_of(lambda: load_board(text, strict, "v.toml")) == ["v.toml: [features] 'bridge': no stream in 0101"]


def test_a_written_board_is_the_same_board() -> None:
    sheet = load_sheet(BOARD.encode(), TOY)
    text = write_sheet(sheet)
    again = load_sheet(text.encode(), TOY)
    assert (again.board.digest, again.board.title) == (sheet.board.digest, sheet.board.title)
    assert (again.names, again.road_ends) == (sheet.names, sheet.road_ends)
    assert write_sheet(again) == text


def test_a_board_has_the_colors_of_a_season_and_they_change_nothing_else() -> None:
    text = spoiled(BOARD, ("height = 5", 'height = 5\nseason = "winter"'))
    summer, winter = load_sheet(BOARD.encode(), TOY), load_sheet(text.encode(), TOY)
    assert (summer.season, winter.season) == ("summer", "winter")
    assert winter.board.digest == summer.board.digest
    assert load_sheet(write_sheet(winter).encode(), TOY).season == "winter"
    wet = spoiled(BOARD, ("height = 5", 'height = 5\nseason = "monsoon"')).encode()
    assert "monsoon" in problems_of(lambda: load_board(wet, TOY, "v.toml"))[0]


def test_a_written_board_is_laid_out_for_people() -> None:
    assert write_sheet(load_sheet(BOARD.encode(), TOY)).splitlines()[:30] == [
        "format = 1",
        'kind = "board"',
        'id = "vire"',
        'title = "Vire-le-Sec"',
        "width = 6",
        "height = 5",
        "",
        'terrain = """',
        "......",
        ".w..w.",
        "..tt..",
        ".ss...",
        "......",
        '"""',
        "",
        'elevation = """',
        "000000",
        "010000",
        "000000",
        "000020",
        "000000",
        '"""',
        "",
        "roads = [",
        '  ["edge:NW", "0101", "0102", "0202", "0303", "0403", "0504"],',
        '  ["edge:S", "0305", "0304", "0303"],',
        "]",
        "",
        "[legend]",
        '"." = "clear"',
    ]


def test_a_plain_board_is_written_without_empty_tables() -> None:
    text = write_board(Board.build("a", 2, 1, title='The "A"\x7f\n'))
    assert text.endswith('terrain = """\n..\n"""\n\n[legend]\n"." = "clear"\n')
    assert r'title = "The \"A\"\u007f\n"' in text


def test_a_kind_that_is_no_bare_word_is_written_in_quotes() -> None:
    board = Board.build("a", 2, 1, features={"0101": ["with space", "ü"]})
    vocabulary = msgspec.structs.replace(PLAIN, features=frozenset({"with space", "ü"}))
    assert load_board(write_board(board).encode(), vocabulary).digest == board.digest


def test_what_the_format_can_not_hold_is_not_written() -> None:
    with pytest.raises(ValueError, match="higher than 35 levels"):
        write_board(Board.build("a", 2, 1, elevation={"0101": 36}))
    many: dict[int | str, str] = {f"{c + 1:02}{r + 1:02}": f"t{c}x{r}" for c in range(9) for r in range(9)}
    with pytest.raises(ValueError, match="more terrains than there are letters"):
        write_board(Board.build("a", 9, 9, terrain=many))


@st.composite
def sheets(draw: st.DrawFn, metric: bool = False) -> MapSheet:
    """Small boards with everything on them, roads that cross, branch, circle and leave the map among it."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    blank = Board.build("b", width, height)
    places: st.SearchStrategy[Any] = st.sampled_from(blank.hexes)
    sides = st.tuples(places, st.sampled_from(DIRECTIONS))
    inner = [(h, d) for h in blank.hexes for d in DIRECTIONS if blank.neighbor(h, d)]
    outer = [(h, d) for h in blank.hexes for d in DIRECTIONS if not blank.neighbor(h, d)]
    stretches = draw(st.sets(st.sampled_from(inner))) if inner else set()
    hexsides: dict[tuple[int | str, int], set[str]] = {}
    for (h, d), kinds in draw(st.dictionaries(sides, st.sets(st.sampled_from(["green", "cliff"]), min_size=1))).items():
        if (blank.neighbor(h, d), (d + 3) % 6) not in hexsides:
            hexsides[h, d] = kinds
    board = Board.build(
        "b",
        width,
        height,
        title=draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)),
        terrain=draw(st.dictionaries(places, st.sampled_from(["clear", "woods", "town", "stream"]))),
        elevation=draw(st.dictionaries(places, st.integers(0, 35))),
        roads=[(h, blank.neighbor(h, d)) for h, d in sorted(stretches)],
        hexsides=hexsides,
        features=draw(st.dictionaries(places, st.sets(st.sampled_from(["bridge", "hilltop"])))),
    )
    if metric:
        board = Board.build(
            "b",
            width,
            height,
            title=board.title,
            elevation=draw(st.dictionaries(places, st.integers(-(2**15), 2**15 - 1))),
            meters=True,
            roads=[(h, blank.neighbor(h, d)) for h, d in sorted(stretches)],
            road_kinds={
                kind: [(h, blank.neighbor(h, d)) for h, d in sorted(stretches) if h < blank.neighbor(h, d) and d in way]
                for kind, way in (("track", (0, 1)), ("paved", (2,)))
            },
        )
    names = draw(st.dictionaries(places, st.text(string.printable, min_size=1, max_size=20)))
    return MapSheet(board, names, tuple(sorted(draw(st.sets(st.sampled_from(outer))))))


@given(sheets() | sheets(metric=True))
def test_any_board_reads_back_as_it_was_written(sheet: MapSheet) -> None:
    text = write_sheet(sheet)
    again = load_sheet(text.encode(), METRIC if sheet.board.in_meters else TOY)
    assert (again.board.digest, again.board.title) == (sheet.board.digest, sheet.board.title)
    assert (again.names, again.road_ends) == (sheet.names, sheet.road_ends)
    assert write_sheet(again) == text
