"""Lines of sight and spotting."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.geometry.board import Board
from sandtable.geometry.hexes import NE, NW, N, direction
from sandtable.kernel.ids import HexId, SideId
from sandtable.rulesets.panzer_leader import looks, sight
from sandtable.rulesets.panzer_leader.events import Sighted
from sandtable.rulesets.panzer_leader.ground import Ground, Options
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Position, Sighting
from tests.geometry.oracles import Country, los, random_country
from tests.rulesets.panzer_leader.table import Counter, Table, U, ids, open_board, scenario, table, unit

# The target elevation table of PL-707, written down a second time.
COLUMNS = ("green 0", "green 1", "green 2", "brown", "orange", "town 0", "town 2")
TRUTH = {
    (0, 0): "B B B B B B B",
    (0, 1): "behind B B B B behind B",
    (0, 2): "behind . B near one behind B",
    (1, 0): "behind B B B B behind B",
    (1, 1): ". B B B B . B",
    (1, 2): ". behind B . one . B",
    (2, 0): "behind . B near one behind B",
    (2, 1): ". behind B . one . B",
    (2, 2): ". . B . . . B",
}
CELLS = [
    pytest.param(firer, target, column, word, id=f"{firer}-{target} {column}: {word}")
    for (firer, target), row in TRUTH.items()
    for column, word in zip(COLUMNS, row.split(), strict=True)
]

FIRST, LAST = 1, 7
PLACES = range(FIRST, LAST)  # the line crosses side i between rows i and i + 1, so place i of 6


def column_of(firer: int, target: int, sides: dict[int, str], towns: dict[int, int], levels: dict[int, int]) -> Table:
    """Seven hexes from north to south: the firer in the first, the target in the last, obstacles between."""
    heights = {**levels, FIRST: firer, LAST: target, **towns}
    rows = "\n".join("T" if row in towns else "." for row in range(FIRST, LAST + 1))
    marks: dict[str, list[str]] = {}
    for place, symbol in sides.items():
        marks.setdefault(symbol, []).append(f"010{place}-010{place + 1}")
    return table(rows, elevation={f"010{row}": level for row, level in heights.items()}, hexsides=marks)


def is_clear(t: Table, a: str = "0101", b: str = "0107") -> bool:
    """Whether one sees the other; sight is mutual."""
    forth = sight.sees(t.position, t.hex(a), t.hex(b))
    assert forth == sight.sees(t.position, t.hex(b), t.hex(a))
    assert forth == (sight.why_unseen(t.position, t.hex(a), t.hex(b)) is None)
    return forth


def with_obstacle(firer: int, target: int, column: str, place: int) -> Table | None:
    """The line with the obstacle of a column at a place; None where no such obstacle can be."""
    symbol, _, level_text = column.partition(" ")
    if symbol in ("brown", "orange"):
        return column_of(firer, target, {place: symbol}, {}, {})
    level = int(level_text)
    if symbol == "town":
        return column_of(firer, target, {}, {place + 1: level}, {}) if place + 1 < LAST else None
    ends = [firer] * (place == FIRST) + [target] * (place + 1 == LAST)
    if any(end < level for end in ends):
        return None  # a green side lies as low as the lower of its hexes (PL-206)
    return column_of(firer, target, {place: "green"}, {}, dict.fromkeys((place, place + 1), level))


def blocks(word: str, firer: int, target: int, column: str, place: int) -> bool:
    """What a word of the table says about one obstacle at a place."""
    count = len(PLACES)
    from_low = place if firer <= target else count + 1 - place
    if word == "behind":
        # a town is named by the side before it, and is adjacent to the target as the last hex between
        return from_low == 1 if not column.startswith("town") or firer <= target else place == count - 1
    return {"B": True, ".": False, "one": False, "near": 2 * from_low <= count + 1}[word]


@pytest.mark.parametrize(("firer", "target", "column", "word"), CELLS)
@pytest.mark.rule("PL-206", "PL-707", "PL-708", "PL-709", "PL-711")
def test_each_cell_of_the_target_elevation_table_holds_on_a_drawn_line(
    firer: int, target: int, column: str, word: str
) -> None:
    tried = 0
    for place in PLACES:
        t = with_obstacle(firer, target, column, place)
        if t is not None:
            assert is_clear(t) != blocks(word, firer, target, column, place), f"place {place}"
            tried += 1
    assert tried >= 4


@pytest.mark.parametrize(("firer", "target", "word"), [(f, t, row.split()[4]) for (f, t), row in TRUTH.items()])
@pytest.mark.rule("PL-204", "PL-707")
def test_one_crest_is_allowed_where_one_end_is_a_hilltop_and_a_cliff_is_a_crest(
    firer: int, target: int, word: str
) -> None:
    two = column_of(firer, target, {2: "orange", 4: "cliff"}, {}, {})
    assert is_clear(two) == (word == ".")
    cliff = column_of(firer, target, {3: "cliff"}, {}, {})
    assert is_clear(cliff) == (word in (".", "one"))


@pytest.mark.parametrize(
    ("levels", "sides", "towns", "reason", "rule", "where"),
    [
        ((0, 0), {3: "green"}, {}, "woods", "PL-707", "0103"),
        ((0, 1), {1: "green"}, {}, "directly behind woods", "PL-708", "0101"),
        ((0, 0), {3: "brown"}, {}, "slope", "PL-707", "0103"),
        ((0, 2), {2: "brown"}, {}, "brown near ground unit", "PL-709", "0102"),
        ((0, 0), {3: "orange"}, {}, "crest", "PL-707", "0103"),
        ((0, 2), {3: "orange", 5: "orange"}, {}, "second crest", "PL-707", "0105"),
        ((0, 0), {}, {3: 0}, "town", "PL-706", "0103"),
        ((0, 1), {}, {2: 0}, "directly behind town", "PL-708", "0102"),
    ],
)
@pytest.mark.rule("PL-706", "PL-707", "PL-708", "PL-709")
def test_a_blocked_line_says_what_blocks_it_and_where(
    levels: tuple[int, int], sides: dict[int, str], towns: dict[int, int], reason: str, rule: str, where: str
) -> None:
    t = column_of(*levels, sides, towns, {})
    line = sight.why_unseen(t.position, t.hex("0101"), t.hex("0107"))
    assert line is not None
    assert (line.label, line.rule, line.value) == (reason, rule, where)


@pytest.mark.parametrize(
    ("rows", "levels", "place", "words"),
    [
        (".......", (0, 0), 3, "a hedge"),
        ("..W....", (0, 0), 3, "woods"),
        ("...W...", (0, 0), 3, "woods"),
        (".......", (0, 1), 1, "directly behind a hedge"),
    ],
)
@pytest.mark.rule("PL-203", "PL-707")
def test_a_green_side_between_open_hexes_is_told_as_the_hedge_that_the_map_shows(
    rows: str, levels: tuple[int, int], place: int, words: str
) -> None:
    t = table(
        "\n".join(rows),
        elevation={"0101": levels[0], "0107": levels[1]},
        hexsides={"green": [f"010{place}-010{place + 1}"]},
    )
    line = sight.obstacle(t.position, t.hex("0101"), t.hex("0107"))
    assert line is not None
    assert line.label == words


@pytest.mark.rule("PL-203")
def test_a_line_that_is_clear_or_blocked_by_something_else_is_told_as_it_is() -> None:
    t = table(".\nT\n.\n.")
    assert sight.obstacle(t.position, t.hex("0103"), t.hex("0104")) is None
    line = sight.obstacle(t.position, t.hex("0101"), t.hex("0104"))
    assert line is not None
    assert line.label == "town"


@pytest.mark.rule("PL-702")
def test_adjacent_hexes_always_see_each_other() -> None:
    t = table("T\nT", hexsides={"orange": ["0101-0102"]})
    assert is_clear(t, "0101", "0102")


@pytest.mark.rule("PL-703")
def test_units_wrecks_blocks_and_forts_block_nothing() -> None:
    t = table(open_board(1, 5), unit("g_tiger2", "0102"), unit("n_fort40", "0104"), wrecks={"0103": 3}, blocks=["0103"])
    assert is_clear(t, "0101", "0105")


@pytest.mark.rule("PL-704", "PL-705")
def test_a_side_met_at_its_end_counts_and_a_side_met_lengthwise_obstructs() -> None:
    # 0101 to 0202 runs along the side between 0102 and 0201
    along = {"green": ["0102-0201"]}
    assert not is_clear(table(open_board(2, 3), hexsides=along), "0101", "0202")
    # and touches the end of the side between 0101 and 0102
    at_the_end = {"green": ["0101-0102"]}
    assert not is_clear(table(open_board(2, 3), hexsides=at_the_end), "0101", "0202")


@pytest.mark.rule("PL-203")
def test_whatever_else_lies_on_a_side_means_nothing_to_a_line_of_sight() -> None:
    t = table(open_board(1, 4), hexsides={"hedge": ["0102-0103"]})
    assert not any(looks.side_codes(t.board))
    assert is_clear(t, "0101", "0104")


@pytest.mark.rule("PL-705", "PL-709")
@pytest.mark.parametrize("crest", ["orange", "cliff"])
@pytest.mark.parametrize("touching", ["0101-0102", "0101-0201", "0102-0202", "0201-0202"])
def test_a_brown_side_met_lengthwise_does_not_obstruct_when_it_touches_an_orange_or_cliff_side(
    crest: str, touching: str
) -> None:
    # from the ground of 0101 to the hilltop of 0202, half-way along the brown side, over one crest at most
    brown, hill = {"brown": ["0102-0201"]}, {"0202": 2}
    assert not is_clear(table(open_board(3, 3), elevation=hill, hexsides=brown), "0101", "0202")
    apart = {**brown, crest: ["0202-0302"]}
    assert not is_clear(table(open_board(3, 3), elevation=hill, hexsides=apart), "0101", "0202")
    together = {**brown, crest: [touching]}
    assert is_clear(table(open_board(3, 3), elevation=hill, hexsides=together), "0101", "0202")
    # a side that is crossed obstructs all the same
    t = table(open_board(3, 4), elevation={"0103": 2}, hexsides={"brown": ["0101-0102"], crest: ["0101-0201"]})
    line = sight.why_unseen(t.position, t.hex("0101"), t.hex("0103"))
    assert line is not None
    assert line.label == "brown near ground unit"


@pytest.mark.rule("PL-203", "PL-705")
@pytest.mark.parametrize("place", ["0101", "0201", "0301"])
def test_a_brown_side_on_the_edge_of_the_map_touches_a_crest_there_too(place: str) -> None:
    """The line from the ground of 0101 to the hilltop of 0301 runs along the edge of 0201; one crest is allowed."""

    def is_seen(marks: dict[tuple[int | str, int], set[str]]) -> bool:
        made = Board.build("edge", 3, 2, elevation={"0301": 2}, hexsides=marks)
        position = Position(Ground(scenario(made), Options()), 1, 1, ALLIED, ())
        return sight.sees(position, HexId(made.parse("0101")), HexId(made.parse("0301")))

    brown: dict[tuple[int | str, int], set[str]] = {("0201", N): {"brown"}}
    assert is_seen({})
    assert not is_seen(brown)
    crest = {"0101": NE, "0201": NE, "0301": NW}[place]
    assert is_seen({**brown, (place, crest): {"cliff"}})


def ground_of(country: Country) -> tuple[Position, Country]:
    """A Panzer Leader ground with the country's symbols; towns stand on the ground or on hilltops only (PL-201)."""
    board = country.board
    towns = frozenset(h for h in country.towns if country.levels[h] != 1)
    marks: dict[tuple[int | str, int], set[str]] = {}
    for side, symbol in country.symbols.items():
        a, b = side
        marks[board.from_axial(a), direction(a, b)] = {symbol}
    made = type(board).build(
        "country",
        board.width,
        board.height,
        terrain={board.from_axial(h): "town" for h in towns},
        elevation={board.from_axial(h): level for h, level in country.levels.items()},
        hexsides=marks,
    )
    position = Position(Ground(scenario(made), Options()), 1, 1, ALLIED, ())
    return position, country._replace(board=made, towns=towns)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.rule("PL-203", "PL-701", "PL-704", "PL-705", "PL-706", "PL-710", "PL-711", "PL-714")
def test_sight_is_that_of_the_algorithm_of_the_rules_on_random_maps(seed: int) -> None:
    position, country = ground_of(random_country(seed, 7, 6))
    board = country.board
    for a in board.hexes:
        for b in board.hexes:
            expected = los(country, board.axial(a), board.axial(b))
            assert sight.sees(position, HexId(a), HexId(b)) == expected, (board.label(a), board.label(b))


# --- streams --------------------------------------------------------------------------------------------------------

STREAM = """
.
.
R
.
S
"""


def stream(**fields: Any) -> Table:
    return table(STREAM, unit("g_rifle", "0103"), unit("a_rifle", "0101"), unit("a_m4_75", "0102"), **fields)


@pytest.mark.rule("PL-712")
def test_a_unit_in_a_stream_is_seen_from_the_ground_only_when_adjacent() -> None:
    t = stream()
    assert not sight.can_observe(t.position, t.unit(1), t.hex("0103"))
    assert sight.can_observe(t.position, t.unit(2), t.hex("0103"))


@pytest.mark.rule("PL-712")
def test_a_unit_in_a_stream_is_seen_from_a_slope() -> None:
    t = stream()
    t.change(1, hex="0105")
    assert sight.can_observe(t.position, t.unit(1), t.hex("0103"))


@pytest.mark.rule("PL-713")
def test_a_unit_in_a_stream_sees_only_adjacent_hexes() -> None:
    t = stream()
    seen = sight.look(t.position, t.hex("0103"))
    assert {t.board.label(h) for h in t.board.hexes if seen[h]} == {"0102", "0103", "0104"}


@pytest.mark.rule("PL-633", "PL-712", "PL-1331")
def test_a_bridge_that_stands_lifts_the_stream_rules() -> None:
    t = stream(features={"bridge": ["0103"]})
    assert sight.can_observe(t.position, t.unit(1), t.hex("0103"))
    assert not sight.is_in_stream(t.position, t.hex("0103"))
    t.set(bridges_down=["0103"])
    assert not sight.can_observe(t.position, t.unit(1), t.hex("0103"))
    assert sight.is_in_stream(t.position, t.hex("0103"))


@pytest.mark.rule("PL-1333")
def test_a_tank_bridge_lifts_the_stream_rules() -> None:
    t = table(STREAM, unit("n_tbridge", "0103", ALLIED), unit("a_rifle", "0101"))
    assert sight.can_observe(t.position, t.unit(1), t.hex("0103"))
    t.change(0, hex=0)
    assert not sight.can_observe(t.position, t.unit(1), t.hex("0103"))


# --- smoke ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1609")
def test_smoke_blocks_every_line_through_its_hex_and_none_into_or_out_of_it() -> None:
    t = table(open_board(3, 6), smoke={"0203": 3})
    assert not is_clear(t, "0201", "0205")
    assert is_clear(t, "0201", "0203")
    assert is_clear(t, "0203", "0206")
    assert is_clear(t, "0101", "0105")
    line = sight.why_unseen(t.position, t.hex("0201"), t.hex("0205"))
    assert line is not None
    assert (line.label, line.value, line.rule) == ("smoke", "0203", "PL-1609")
    seen = sight.look(t.position, t.hex("0201"))
    assert not seen[t.hex("0205")]
    assert seen[t.hex("0203")]


@pytest.mark.rule("PL-1609")
def test_looks_under_smoke_are_forgotten_before_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight, "_MOST_LOOKS", 1)
    t = table(open_board(3, 6), smoke={"0203": 3})
    for label in ("0201", "0202", "0201"):
        assert sight.look(t.position, t.hex(label))[t.hex("0203")]
        assert len(t.position.ground.cache["looks"]) == 1
    # the look of the same place is remembered
    assert sight.look(t.position, t.hex("0201")) is sight.look(t.position, t.hex("0201"))


@pytest.mark.rule("PL-1507")
def test_a_side_sees_what_any_of_its_units_observes_and_works_have_no_eyes() -> None:
    t = table(
        open_board(1, 5),
        unit("a_truck", "0101"),
        unit("n_fort20", "0105", ALLIED),
        hexsides={"green": ["0102-0103"]},
    )
    watched = [t.board.label(h) for h in t.board.hexes if sight.is_watched(t.position, ALLIED, h)]
    assert watched == ["0101", "0102"]
    assert sight.field(t.position, [t.hex("0101")]) == {t.hex("0101"), t.hex("0102")}
    assert not any(sight.is_watched(t.position, GERMAN, h) for h in t.board.hexes)


# --- spotting -------------------------------------------------------------------------------------------------------

WOODS = """
. . . . . .
. . . W . .
. . . . . .
"""


def woods(*more: Counter, **fields: Any) -> Table:
    """A German rifle platoon in the woods of 0402, an American tank two hexes away."""
    return table(WOODS, unit("g_rifle", "0402"), unit("a_m4_75", "0202"), *more, **fields)


@pytest.mark.rule("PL-721")
@pytest.mark.parametrize(("letter", "hides"), [("W", True), ("F", True), ("T", True), (".", False), ("M", False)])
def test_units_in_woods_wooded_slopes_and_towns_must_be_spotted_and_others_not(letter: str, hides: bool) -> None:
    t = table(WOODS.replace("W", letter), unit("g_rifle", "0402"), unit("a_m4_75", "0202"))
    assert sight.is_spotted(t.position, t.unit(0), ALLIED) != hides


@pytest.mark.rule("PL-1609")
def test_units_under_smoke_must_be_spotted() -> None:
    t = table(open_board(6, 3), unit("g_rifle", "0402"), unit("a_m4_75", "0202"), smoke={"0402": 3})
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)


@pytest.mark.rule("PL-722")
def test_an_adjacent_undispersed_enemy_spots() -> None:
    t = woods(unit("a_scout", "0302"))
    assert sight.is_spotted(t.position, t.unit(0), ALLIED)
    t.change(2, dispersed=1)
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)


@pytest.mark.rule("PL-725")
def test_spotting_is_judged_where_units_stand_at_this_moment() -> None:
    t = woods(unit("a_scout", "0302"))
    assert sight.is_spotted(t.position, t.unit(0), ALLIED)
    t.change(2, hex="0102")
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)


@pytest.mark.rule("PL-724")
@pytest.mark.parametrize(
    ("kind", "spots"),
    [("a_truck", False), ("b_truck", False), ("n_fort20", False), ("a_ht", True), ("a_105", True), ("a_rifle", True)],
)
def test_trucks_wagons_and_forts_never_spot(kind: str, spots: bool) -> None:
    t = woods(unit(kind, "0302", ALLIED))
    assert sight.can_spot(t.position, t.unit(2)) == spots
    assert sight.is_spotted(t.position, t.unit(0), ALLIED) == spots
    wagon = table(WOODS, unit("g_wagon", "0101"))
    assert not sight.can_spot(wagon.position, wagon.unit(0))


@pytest.mark.rule("PL-722")
@pytest.mark.parametrize(
    ("carrier", "rider", "side", "spots"),
    [
        ("a_truck", "a_rifle", ALLIED, False),
        ("a_ht", "a_rifle", ALLIED, False),
        ("g_wagon", "g_rifle", GERMAN, False),
        ("g_panther", "g_rifle", GERMAN, True),
    ],
)
def test_a_passenger_is_no_observer_but_a_rider_on_a_tank_is(
    carrier: str, rider: str, side: SideId, spots: bool
) -> None:
    t = table(". .", unit(carrier, "0101"), unit(rider, carrier=0))
    assert sight.can_spot(t.position, t.unit(1)) == spots
    assert (U(1) in sight.witnesses(t.position, t.hex("0201"), side)) == spots


@pytest.mark.rule("PL-722")
def test_a_unit_that_fires_from_cover_is_spotted_by_those_who_see_it() -> None:
    t = woods(unit("a_truck", "0201"), unit("a_rifle", "0601", dispersed=1))
    t.run(sight.give_away, (0,))
    assert t.events == (Sighted((Sighting(U(0), t.hex("0402"), 1, ids(1)),)),)  # neither truck nor dispersed platoon
    assert sight.is_spotted(t.position, t.unit(0), ALLIED)


@pytest.mark.rule("PL-722", "PL-1609")
def test_a_unit_that_fired_in_the_open_is_spotted_in_the_smoke_that_comes_down_on_it() -> None:
    for has_fired in (True, False):
        t = woods(unit("g_pz4", "0403"), options={"smoke": True})
        if has_fired:
            t.run(sight.give_away, (2,))
        t.set(smoke={"0403": 3}, segment=2)
        assert sight.is_spotted(t.position, t.unit(2), ALLIED) is has_fired


@pytest.mark.rule("PL-722")
def test_fire_from_the_open_or_out_of_every_enemys_sight_leaves_no_marker() -> None:
    t = woods()
    t.run(sight.give_away, (1,))
    assert t.events == ()
    t.change(1, hex=0)
    t.run(sight.give_away, (0, 1))
    assert t.events == ()


@pytest.mark.rule("PL-722", "PL-723")
def test_a_spotted_marker_lasts_while_a_witness_is_undispersed_and_still_sees_the_hex() -> None:
    t = woods()
    t.run(sight.give_away, (0,))
    position = t.position
    t.change(1, dispersed=1)
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)
    t._put(position)
    t.change(1, hex=0)
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)
    t._put(position)
    t.set(smoke={"0302": 2})
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)
    t.set(smoke={})
    assert sight.is_spotted(t.position, t.unit(0), ALLIED)


@pytest.mark.rule("PL-723")
def test_a_spotted_marker_belongs_to_the_hex_where_the_unit_fired() -> None:
    t = table(WOODS.replace("W . .", "W W ."), unit("g_rifle", "0402"), unit("a_m4_75", "0202"))
    t.run(sight.give_away, (0,))
    t.change(0, hex="0502")
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)


@pytest.mark.rule("PL-722")
def test_only_the_witnesses_own_side_profits() -> None:
    t = woods()
    t.set(sightings=(Sighting(U(0), t.hex("0402"), 1, ids(0)),))
    assert not sight.is_spotted(t.position, t.unit(0), ALLIED)


@pytest.mark.rule("PL-646", "PL-722", "PL-1321")
def test_a_rider_is_spotted_with_its_tank_and_a_fort_with_those_who_fire_from_it() -> None:
    riding = table(WOODS, unit("g_pz4", "0402"), unit("g_rifle", carrier=0), unit("a_m4_75", "0202"))
    riding.run(sight.give_away, (0,))
    assert sight.is_spotted(riding.position, riding.unit(1), ALLIED)
    fort = table(
        WOODS, unit("n_fort30", "0402"), unit("g_rifle", fort=0), unit("g_rifle", "0402"), unit("a_m4_75", "0202")
    )
    fort.run(sight.give_away, (1,))
    assert sight.is_spotted(fort.position, fort.unit(0), ALLIED)
    assert not sight.is_spotted(fort.position, fort.unit(2), ALLIED)


@pytest.mark.rule("PL-1103")
def test_the_witnesses_of_a_hex_are_those_who_can_spot_and_see_it() -> None:
    t = woods(unit("a_truck", "0301"), unit("a_rifle", "0601"), unit("a_rifle", "0101", dispersed=1))
    assert sight.witnesses(t.position, t.hex("0402"), ALLIED) == (1, 3)
    assert Mission(ALLIED, ids(1), t.hex("0402"), ids(1, 3), 1, 3).spotters == (1, 3)


@pytest.mark.rule("PL-1322")
def test_an_enemy_on_top_of_a_fort_spots_it() -> None:
    t = table(WOODS, unit("n_fort30", "0402"), unit("a_rifle", "0402"))
    assert sight.is_spotted(t.position, t.unit(0), ALLIED)
