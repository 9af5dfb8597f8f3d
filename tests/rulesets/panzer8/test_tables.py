"""Every cell of every table, against literals written out here."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from sandtable.rulesets.panzer8 import deck, kinds, movement_table, results, support, terrain
from sandtable.rulesets.panzer8.outlook import chances
from sandtable.rulesets.panzer8.recovery import recovery_result

RATES = """
Cmd 8 8 8 8 8
Mech 8 8 8 4 4
Inf 4 4 4 4 4
Fast 10 10 10 4 4
Slow 4 4 4 4 4
WhX 10 8 8 4 4
Wh 10 8 4 2 0
HD 4 4 4 2 0
CSW 1 1 1 1 1
"""

FEATURES = """
flat flat none 0
open_field open none 0
high_crops open soft 0
scrub rough soft 0
woods rough soft 1
dense_woods difficult soft 1
marsh difficult none 0
bua bua hard 1
rubble rough hard 0
"""

HEXSIDES = """
hedge yes soft no
wall yes hard yes
stream yes none no
ditch yes none no
railway_bank yes soft no
crest no none yes
"""

ODDS = """
-9 100 0 0 0
-8 99 1 0 0
-7 97 3 0 0
-6 94 5 1 0
-5 90 7 3 0
-4 85 9 5 1
-3 79 11 7 3
-2 72 13 9 6
-1 64 15 11 10
0 55 17 13 15
1 45 19 15 21
2 36 19 17 28
3 28 17 19 36
4 21 15 19 45
5 15 13 17 55
6 10 11 15 64
7 6 9 13 72
8 3 7 11 79
9 1 5 9 85
10 0 3 7 90
11 0 1 5 94
12 0 0 3 97
13 0 0 1 99
14 0 0 0 100
"""


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


@pytest.mark.rule("P8-6.01")
@pytest.mark.rule("P8-6.02")
@pytest.mark.parametrize("row", rows(RATES), ids=lambda row: row[0])
def test_hexes_of_a_full_move_by_class_and_ground(row: list[str]) -> None:
    found = movement_table.RATES[row[0]]
    assert [found.road, found.flat, found.open, found.rough, found.difficult] == [int(cell) for cell in row[1:]]
    assert all(movement_table.FULL_MOVE % int(cell) == 0 for cell in row[1:] if int(cell))


def test_there_are_no_other_classes_or_features() -> None:
    assert set(movement_table.RATES) == {row[0] for row in rows(RATES)}
    assert set(terrain.FEATURES) == {row[0] for row in rows(FEATURES)}
    assert set(terrain.HEXSIDES) == {row[0] for row in rows(HEXSIDES)}


@pytest.mark.rule("P8-6.04")
@pytest.mark.rule("P8-6.05")
@pytest.mark.rule("P8-6.10")
def test_halves_of_a_move() -> None:
    found = movement_table
    assert (found.FULL_MOVE, found.LINEAR, found.HANDLING, found.BUA_FACTOR) == (120, 60, 60, 2)


@pytest.mark.rule("P8-3.03")
@pytest.mark.rule("P8-3.07")
@pytest.mark.parametrize("row", rows(FEATURES), ids=lambda row: row[0])
def test_ground_cover_and_height_of_features(row: list[str]) -> None:
    found = terrain.FEATURES[row[0]]
    assert [found.ground, found.cover, str(found.height)] == row[1:]


@pytest.mark.rule("P8-3.02")
@pytest.mark.parametrize("row", rows(HEXSIDES), ids=lambda row: row[0])
def test_hexsides(row: list[str]) -> None:
    found = terrain.HEXSIDES[row[0]]
    flags = {True: "yes", False: "no"}
    assert [flags[found.linear], found.cover, flags[found.hull_down]] == row[1:]


@pytest.mark.rule("P8-8.05")
@pytest.mark.rule("P8-8.06")
@pytest.mark.parametrize("row", rows(ODDS), ids=lambda row: f"M {row[0]}")
def test_the_exact_odds_of_every_modifier_total(row: list[str]) -> None:
    modifier, *wanted = map(int, row)
    found = chances(modifier, "hesa", is_armor=False)
    order = (results.NONE, results.FALL_BACK, results.SUPPRESSED, results.OUT)
    assert [found[one] for one in order] == wanted
    merged = chances(modifier, "ap", is_armor=True)
    assert [merged[results.NONE], merged[results.SUPPRESSED], merged[results.OUT]] == [
        wanted[0] + wanted[1],
        *wanted[2:],
    ]


@pytest.mark.rule("P8-8.06")
@pytest.mark.rule("P8-8.07")
@pytest.mark.rule("P8-10.04")
@pytest.mark.rule("P8-11.09")
@pytest.mark.parametrize(
    ("table", "wanted"),
    [
        ("hesa", "nnnnffssoo"),
        ("ap", "nnnnnnssoo"),
        ("hunt", "nnnnnnssoo"),
        ("combat", "nnnnffssoo"),
    ],
)
def test_results_by_difference(table: str, wanted: str) -> None:
    letters = {results.NONE: "n", results.FALL_BACK: "f", results.SUPPRESSED: "s", results.OUT: "o"}
    assert "".join(letters[results.result(table, difference)] for difference in range(-3, 7)) == wanted


@pytest.mark.rule("P8-9.07")
@pytest.mark.parametrize(
    ("total", "wanted"),
    [
        (-3, "out of action"),
        (1, "out of action"),
        (2, "no effect"),
        (5, "no effect"),
        (6, "recovers"),
        (8, "recovers"),
        (9, "recovers and acts"),
        (12, "recovers and acts"),
    ],
)
def test_results_of_recovery(total: int, wanted: str) -> None:
    assert recovery_result(total) == wanted


@pytest.mark.rule("P8-12.03")
def test_batteries_and_aircraft() -> None:
    assert {key: (row.name, row.hesa) for key, row in support.SUPPORT.items()} == {
        "bat_81": ("Battalion mortars", 5),
        "bat_105": ("Light field battery", 6),
        "bat_150": ("Medium battery", 7),
        "air_bomb": ("Dive bomber", 8),
    }
    assert support.STONKS == 4


@pytest.mark.rule("P8-13.01")
def test_the_deck_has_24_cards_of_20_kinds() -> None:
    assert len(deck.DECK) == 24
    assert list(deck.CARDS) == [f"E{n:02d}" for n in range(1, 21)]
    assert {key: card.copies for key, card in deck.CARDS.items() if card.copies > 1} == {"E01": 5}
    assert set(deck.CARDS) - set(deck.EFFECTS) == {"E01", "E20"}


ELEMENTS = """
id,kind,def,hesa,ap,hesa_range,ap_range,move,arc,th
cmd_foot,cmd,4,2,0,6,0,Cmd,all,4
cmd_car,cmd,3,2,0,6,0,Cmd,all,4
foo,foo,4,0,0,0,0,Inf,all,4
inf_rifle,inf,4,4,0,12,0,Inf,all,4
inf_smg,inf,4,5,0,4,0,Inf,all,4
inf_lmg,inf,4,5,0,12,0,Inf,all,4
inf_faust,inf,4,5,0,12,0,Inf,all,7
inf_bazooka,inf,4,5,0,12,0,Inf,all,6
eng,eng,4,4,0,8,0,Inf,all,5
cav,cav,3,4,0,8,0,Mech,all,4
mcycle,inf,3,4,0,8,0,Wh,all,4
bicycle,inf,4,4,0,12,0,Inf,all,4
mmg,csw,4,6,0,24,0,CSW,front,4
mortar_l,csw,4,4,0,15,0,CSW,all,4
mortar_m,csw,4,6,0,60,0,CSW,all,4
atr,csw,4,0,2,0,10,CSW,front,4
at_37,csw,4,3,4,15,24,CSW,front,4
at_2pdr,csw,4,2,5,12,28,CSW,front,4
at_50,csw,4,3,7,18,34,CSW,front,4
at_6pdr,csw,4,3,8,18,36,CSW,front,4
at_75,gun,4,5,9,30,45,HD,front,4
at_17pdr,gun,4,4,11,30,54,HD,front,4
flak88,gun,4,6,10,40,60,HD,front,4
zis3,gun,4,5,8,36,42,HD,front,4
ig75,csw,4,5,3,36,12,CSW,front,4
truck,soft,2,0,0,0,0,Wh,all,4
truck_x,soft,2,0,0,0,0,WhX,all,4
wagon,soft,2,0,0,0,0,HD,all,4
car,soft,2,0,0,0,0,WhX,all,4
halftrack,afv,2,4,0,12,0,Mech,all,4
carrier,afv,2,4,0,12,0,Fast,all,4
ac_222,afv,2,4,2,12,14,WhX,all,4
ac_humber,afv,2,4,2,12,14,WhX,all,4
ba10,afv,2,3,5,12,26,WhX,all,4
pz2,afv,3,4,2,12,14,Mech,all,4
pz35,afv,3,4,4,12,22,Mech,all,4
pz38,afv,4,4,4,12,24,Mech,all,4
pz3e,afv,4,4,4,12,24,Mech,all,4
pz3h,afv,5,4,6,14,28,Mech,all,4
pz3l,afv,5,4,7,14,34,Mech,all,4
pz4d,afv,4,6,4,30,20,Mech,all,4
pz4g,afv,6,6,9,30,42,Mech,all,4
stug3b,afv,5,6,4,30,20,Mech,front,4
stug3g,afv,7,6,9,30,44,Mech,front,4
marder,afv,3,5,9,30,44,Mech,front,4
tiger,afv,9,7,10,36,60,Mech,all,4
panther,afv,9,6,11,30,60,Mech,all,4
bt7,afv,2,4,5,14,26,Fast,all,4
t26,afv,2,4,5,14,26,Slow,all,4
t34,afv,6,6,7,30,36,Fast,all,4
kv1,afv,8,6,7,30,36,Slow,all,4
t3485,afv,7,6,9,36,45,Fast,all,4
su76,afv,3,6,8,36,40,Mech,front,4
a13,afv,3,4,5,12,26,Fast,all,4
crusader,afv,4,4,5,12,26,Fast,all,4
matilda,afv,7,4,5,12,26,Slow,all,4
valentine,afv,6,4,5,12,26,Slow,all,4
grant,afv,6,6,7,30,32,Mech,all,4
sherman,afv,6,6,7,30,34,Mech,all,4
churchill,afv,8,6,7,30,34,Slow,all,4
firefly,afv,6,5,11,30,54,Mech,all,4
m10,afv,4,5,9,30,42,Mech,all,4
r35,afv,5,4,3,12,12,Slow,all,4
s35,afv,5,4,5,14,26,Mech,all,4
charb,afv,7,6,5,24,26,Slow,all,4
"""


@pytest.mark.rule("P8-2.01")
@pytest.mark.rule("P8-2.06")
@pytest.mark.parametrize("row", list(csv.DictReader(StringIO(ELEMENTS.strip()))), ids=lambda row: row["id"])
def test_the_values_of_every_element(row: dict[str, str]) -> None:
    kind = kinds.KINDS[row["id"]]
    found = {
        "id": kind.key,
        "kind": kind.kind,
        "def": str(kind.defense),
        "hesa": str(kind.hesa),
        "ap": str(kind.ap),
        "hesa_range": str(kind.hesa_range),
        "ap_range": str(kind.ap_range),
        "move": kind.move,
        "arc": kind.arc,
        "th": str(kind.tank_hunting),
    }
    assert found == row


@pytest.mark.rule("P8-2.02")
@pytest.mark.rule("P8-2.03")
@pytest.mark.rule("P8-2.05")
def test_kinds_and_flags() -> None:
    assert len(kinds.KINDS) == 66
    assert {kind.kind for kind in kinds.KINDS.values()} == set(kinds.KIND_TITLES)
    assert {flag for kind in kinds.KINDS.values() for flag in kind.flags} == set(kinds.flag_titles())
    fighting = {key for key, kind in kinds.KINDS.items() if kind.is_combat_element}
    assert set(kinds.KINDS) - fighting == {"foo", "truck", "truck_x", "wagon", "car", "unknown"}
    assert {key for key, kind in kinds.KINDS.items() if kind.has("open")} == {
        "halftrack",
        "carrier",
        "ac_222",
        "marder",
        "su76",
        "m10",
    }
    assert {key for key, kind in kinds.KINDS.items() if kind.has("nomg")} == {"stug3b", "marder", "su76"}
