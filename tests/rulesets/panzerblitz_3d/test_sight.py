"""Lines of sight against the algorithm of the rules, gullies, shellfire, and who is spotted."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.geometry import hexes
from sandtable.geometry.board import Board
from sandtable.geometry.hexes import Hex, direction
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzerblitz_3d import looks as looking
from sandtable.rulesets.panzerblitz_3d.ground import Ground, Options
from sandtable.rulesets.panzerblitz_3d.model import GERMAN, RUSSIAN
from sandtable.rulesets.panzerblitz_3d.sight import (
    has_spotter_beside,
    is_spotted_at,
    is_watched,
    sees,
    watchers,
    why_unseen,
)
from sandtable.rulesets.panzerblitz_3d.tables import combat_tables
from tests.geometry.oracles import Side, meets
from tests.rulesets.panzerblitz_3d.table import Table, open_ground, scenario, table, unit

COLORS = ("green", "gray", "brown", "orange")


class Country:
    """A random map in the words of the specification, and its own answer to who sees whom."""

    def __init__(self, seed: int, width: int = 7, height: int = 6) -> None:
        chance = Random(seed)
        blank = Board.build("country", width, height)
        self.levels = {blank.axial(h): chance.choice((0, 0, 0, 1, 2)) for h in blank.hexes}
        self.symbols: dict[Side, str] = {}
        for h in blank.hexes:
            for n in blank.neighbors(h):
                if h < n and chance.random() < 0.15:
                    self.symbols[frozenset({blank.axial(h), blank.axial(n)})] = chance.choice(COLORS)
        low = [h for h, level in self.levels.items() if not level]
        self.gullies = {h for h in low if chance.random() < 0.12}
        self.fords = {h for h in self.gullies if chance.random() < 0.3}
        self.barrage = {chance.choice(list(self.levels)) for _ in range(seed % 3)}
        marks: dict[tuple[int | str, int], set[str]] = {}
        for side, symbol in self.symbols.items():
            a, b = side
            marks[blank.from_axial(a), direction(a, b)] = {symbol}
        self.board = Board.build(
            "country",
            width,
            height,
            elevation={blank.from_axial(h): level for h, level in self.levels.items()},
            terrain={blank.from_axial(h): "slope" for h, level in self.levels.items() if level == 1},
            hexsides=marks,
            features={blank.from_axial(h): {"gully", "ford"} if h in self.fords else {"gully"} for h in self.gullies},
        )

    def los(self, a: Hex, b: Hex) -> bool:
        """The algorithm under PB3-706, line by line."""
        if hexes.distance(a, b) <= 1:
            return True
        deep, level = self.gullies - self.fords, self.levels
        if (a in deep and level[b] == 0) or (b in deep and level[a] == 0):
            return False
        n, met = meets(a, b)
        touched = {h for one in met for side in one.sides for h in side} | {a, b}
        if touched & self.barrage:
            return False
        lower, upper = min(level[a], level[b]), max(level[a], level[b])
        low = a if level[a] <= level[b] else b
        oranges = 0
        for place, _, sides in met:
            colors = {self.symbols.get(side, "") for side in sides}
            oranges += "orange" in colors
            if "brown" in colors:
                if upper < 2:
                    return False
                counted = place if low == a else n + 1 - place
                if lower == 0 and upper == 2 and 2 * counted <= n + 1:
                    return False
            for side in sides:
                if self.symbols.get(side) in ("green", "gray"):
                    if upper == 0:
                        return False
                    if lower == 0 and low in side:
                        return False
        return not (oranges and upper < 2) and not (oranges > 1 and upper == 2 and lower < 2)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.rule("PB3-203", "PB3-701", "PB3-704", "PB3-705", "PB3-706", "PB3-707", "PB3-708")
def test_sight_is_that_of_the_algorithm_of_the_rules_on_random_maps(seed: int) -> None:
    country = Country(seed)
    board = country.board
    t = table("...")
    t.set(ground=Ground(scenario(board), Options()))
    t.set(barrages=tuple(board.from_axial(h) for h in country.barrage))
    for a in board.hexes:
        for b in board.hexes:
            expected = country.los(board.axial(a), board.axial(b))
            assert sees(t.position, HexId(a), HexId(b)) == expected, (board.label(a), board.label(b))
            assert (why_unseen(t.position, HexId(a), HexId(b)) is None) == expected


# --- each cell of the target elevation table on a line of seven hexes: sides 1 to 6 from the firer -------------------

LETTERS = {"ground": ".", "slope": "S", "hilltop": "^"}
LEVELS = {"ground": 0, "slope": 1, "hilltop": 2}


def line(firer: str, target: str, sides: dict[int, str]) -> Table:
    """A column of seven hexes, the firer's on top, with symbols on some of the sides that the line crosses."""
    rows = [LETTERS[firer], *"." * 5, LETTERS[target]]
    marks: dict[str, list[str]] = {}
    for place, color in sides.items():
        marks.setdefault(color, []).append(f"01{place:02d}-01{place + 1:02d}")
    return table("\n".join(f"{letter}." for letter in rows), hexsides=marks)


def is_clear(t: Table) -> bool:
    return sees(t.position, t.hex("0101"), t.hex("0107"))


@pytest.mark.parametrize("row", combat_tables().target_elevation.row, ids=lambda row: f"{row.firer} to {row.target}")
@pytest.mark.parametrize("color", COLORS)
@pytest.mark.rule("PB3-702", "PB3-703", "PB3-704", "PB3-705")
def test_each_cell_of_the_target_elevation_table_holds_on_a_drawn_line(row: object, color: str) -> None:
    firer, target = getattr(row, "firer"), getattr(row, "target")  # noqa: B009
    word = getattr(row, "green_or_gray" if color in ("green", "gray") else color)
    for place in range(1, 7):
        from_low = place if LEVELS[firer] <= LEVELS[target] else 7 - place
        blocked = {
            "B": True,
            "behind_lower": from_low == 1,
            "near_ground": 2 * from_low <= 7,
            "O1": False,
            ".": False,
        }[word]
        assert is_clear(line(firer, target, {place: color})) is not blocked, place
    assert is_clear(line(firer, target, {2: color, 5: color})) is (word == "." or word == "behind_lower")


@pytest.mark.rule("PB3-704")
def test_a_brown_side_exactly_midway_obstructs_too() -> None:
    t = table("^.\n..\n..\n..", hexsides={"brown": ["0102-0103"]})
    assert not sees(t.position, t.hex("0101"), t.hex("0104"))


@pytest.mark.rule("PB3-706")
def test_a_side_touched_at_its_end_counts_as_met() -> None:
    t = table(open_ground(3, 3))
    assert sees(t.position, t.hex("0102"), t.hex("0302"))
    t = table(open_ground(3, 3), hexsides={"green": ["0201-0202"]})
    assert not sees(t.position, t.hex("0102"), t.hex("0302"))


@pytest.mark.parametrize(
    ("firer", "target", "sides", "label", "rule"),
    [
        ("ground", "ground", {3: "green"}, "woods", "PB3-702"),
        ("ground", "slope", {1: "green"}, "directly behind woods", "PB3-703"),
        ("ground", "ground", {3: "gray"}, "town", "PB3-702"),
        ("ground", "slope", {1: "gray"}, "directly behind a town", "PB3-703"),
        ("slope", "slope", {3: "brown"}, "slope", "PB3-702"),
        ("ground", "hilltop", {2: "brown"}, "slope near the ground unit", "PB3-704"),
        ("ground", "ground", {3: "orange"}, "crest", "PB3-705"),
        ("ground", "hilltop", {3: "orange", 6: "orange"}, "second crest", "PB3-705"),
    ],
)
@pytest.mark.rule("PB3-702", "PB3-703", "PB3-704", "PB3-705")
def test_a_blocked_line_says_what_blocks_it(
    firer: str, target: str, sides: dict[int, str], label: str, rule: str
) -> None:
    t = line(firer, target, sides)
    found = why_unseen(t.position, t.hex("0101"), t.hex("0107"))
    assert found is not None
    assert (found.label, found.rule) == (label, rule)


# --- hilltop cover, gullies, shellfire -------------------------------------------------------------------------------


@pytest.mark.parametrize("color", ["green", "gray"])
@pytest.mark.rule("PB3-1604")
def test_with_the_option_woods_and_houses_between_hilltops_obstruct_every_line(color: str) -> None:
    rows, marks = "^.\n^.\n^.\n^.\n^.", {color: ["0102-0103"]}
    t = table(rows, hexsides=marks)
    assert sees(t.position, t.hex("0101"), t.hex("0105"))
    t = table(rows, hexsides=marks, options={"hilltop_cover": True})
    assert not sees(t.position, t.hex("0101"), t.hex("0105"))


@pytest.mark.rule("PB3-707")
def test_a_gully_is_seen_from_beside_it_and_from_above_and_a_ford_by_everybody() -> None:
    t = table("....S\n.....", gully=["0101", "0301"], ford=["0401"])
    assert not sees(t.position, t.hex("0101"), t.hex("0301"))
    assert not sees(t.position, t.hex("0302"), t.hex("0101"))
    assert sees(t.position, t.hex("0201"), t.hex("0101"))
    assert sees(t.position, t.hex("0501"), t.hex("0101"))
    assert sees(t.position, t.hex("0102"), t.hex("0401"))
    found = why_unseen(t.position, t.hex("0302"), t.hex("0101"))
    assert found is not None
    assert (found.label, found.rule) == ("gully", "PB3-707")


@pytest.mark.rule("PB3-708")
def test_shellfire_blinds_its_hex_in_every_way_but_to_the_neighbors() -> None:
    t = table(open_ground(5, 1), barrages=["0301"])
    assert not sees(t.position, t.hex("0101"), t.hex("0301"))
    assert not sees(t.position, t.hex("0301"), t.hex("0501"))
    assert not sees(t.position, t.hex("0101"), t.hex("0501"))
    assert sees(t.position, t.hex("0201"), t.hex("0301"))
    for a, b in (("0101", "0301"), ("0101", "0501")):
        found = why_unseen(t.position, t.hex(a), t.hex(b))
        assert found is not None
        assert (found.label, found.value, found.rule) == ("barrage", "0301", "PB3-708")


def test_looks_under_shellfire_are_forgotten_before_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "_MOST_LOOKS", 1)
    t = table(open_ground(5, 1))
    before = looking.looks(t.position)
    t.set(barrages=["0301"])
    assert looking.looks(t.position) is not before
    t.set(barrages=())
    assert looking.looks(t.position) is not before


# --- spotting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "hides"), [(".", False), ("W", True), ("T", True), ("F", True), ("M", False), ("S", False)]
)
@pytest.mark.rule("PB3-711")
def test_woods_towns_and_wooded_slopes_hide(letter: str, hides: bool) -> None:
    t = table(f"{letter}....", unit("r_rifle", "0101"), unit("g_rifle", "0501"))
    assert is_spotted_at(t.position, t.hex("0101"), GERMAN) is not hides


@pytest.mark.parametrize("key", ["g_rifle", "g_truck", "g_wagon", "g_cp"])
@pytest.mark.rule("PB3-712")
def test_any_undispersed_enemy_beside_a_unit_spots_it(key: str) -> None:
    t = table("W..", unit("r_rifle", "0101"), unit(key, "0201"))
    assert is_spotted_at(t.position, t.hex("0101"), GERMAN)
    t.change(1, dispersed=True)
    assert not is_spotted_at(t.position, t.hex("0101"), GERMAN)


@pytest.mark.rule("PB3-712")
def test_a_fort_as_such_spots_nobody() -> None:
    t = table("W..", unit("r_rifle", "0101"), unit("n_fort_g", "0201"))
    assert not has_spotter_beside(t.position, t.hex("0101"), GERMAN)


@pytest.mark.rule("PB3-713")
def test_who_fired_from_cover_is_no_better_seen() -> None:
    t = table("W....", unit("r_76at", "0101", fired=True), unit("g_rifle", "0501"))
    assert not is_spotted_at(t.position, t.hex("0101"), GERMAN)


@pytest.mark.rule("PB3-902")
def test_a_dispersed_unit_watches_nothing() -> None:
    t = table(open_ground(5, 1), unit("g_rifle", "0101"), unit("g_smg", "0201", dispersed=True))
    assert [one.id for one in watchers(t.position, GERMAN, t.hex("0501"))] == [0]
    assert is_watched(t.position, GERMAN, t.hex("0501"))
    assert not is_watched(t.position, RUSSIAN, t.hex("0501"))
