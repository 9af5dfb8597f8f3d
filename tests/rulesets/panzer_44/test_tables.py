"""Every cell of every table, against literals written out here."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from sandtable.rulesets.panzer_44 import kinds, tables, terrain

HEXES = """
clear 2 2 2 0 open
town 2 2 2 3 blocks
woods 6 10 2 2 blocks
hilltop 6 10 2 3 blocks
swamp 8 10 2 0 open
"""

HEXSIDES = """
stream 2 6 0 0 open passable
crest 2 6 0 2 blocks passable
slope 2 2 0 2 blocks passable
river 0 0 0 0 open closed
"""

PROCEDURE = """
M hard yes printed terrain allowed
M soft yes printed terrain allowed
R hard no printed no allowed
R soft yes printed terrain allowed
HT hard no 4 no allowed
HL hard no 0 no prohibited
HT soft no 0 terrain allowed
HL soft no printed terrain allowed
"""

RESULTS = """
-3 - - - - - - Pin Pin Pin Pin P D1
-2 - - - - - Pin Pin P P P D1 D2
-1 - - - - Pin Pin P P P D1 D1 D2
0 - - - Pin Pin P P P D1 D1 D2 D2
1 - - Pin Pin P P P D1 D1 D2 D2 D3
2 - Pin Pin P P P D1 D1 D2 D2 D3 D4
3 Pin Pin P P P D1 D1 D2 D2 D3 D3 D4
4 Pin P P P D1 D1 D2 D2 D3 D3 D4 D4
5 P D1 D1 D1 D2 D2 D2 D3 D3 D4 D4 D4
6 D1 D1 D1 D2 D2 D3 D3 D3 D4 D4 D4 D4
"""

UNITS = """
id,name,nation,attack,class,range,defense,target,ma,mobility,carries
g_pz4h,PzKw IVH,GE,10,M,10,7,hard,8,hard,0
g_panther,PzKw V Panther,GE,12,M,12,9,hard,9,hard,0
g_tiger1,PzKw VI Tiger I,GE,12,M,12,10,hard,7,hard,0
g_tiger2,PzKw VI Tiger II,GE,14,M,14,12,hard,6,hard,0
g_stug3,StuG IIIG,GE,10,M,10,8,hard,8,hard,0
g_stuh,StuH 42,GE,4,H,15,8,hard,8,hard,0
g_jpz4,Jagdpanzer IV,GE,10,M,10,8,hard,8,hard,0
g_jpz4l70,Panzer IV/70,GE,12,M,12,8,hard,7,hard,0
g_jpanther,Jagdpanther,GE,14,M,14,10,hard,9,hard,0
g_hetzer,Jagdpanzer 38(t),GE,10,M,10,8,hard,7,hard,0
g_marder,Marder III,GE,10,M,10,3,hard,8,hard,0
g_nashorn,Nashorn,GE,14,M,14,3,hard,8,hard,0
g_puma,SdKfz 234/2,GE,7,M,6,3,hard,12,hard,0
g_222,SdKfz 222,GE,3,M,4,2,hard,12,hard,0
g_251,SdKfz 251,GE,3,R,3,2,hard,10,hard,1
g_2519,SdKfz 251/9,GE,3,H,8,2,hard,10,hard,0
g_wespe,Wespe battery,GE,5,H,40,3,hard,8,hard,0
g_hummel,Hummel battery,GE,7,H,50,3,hard,8,hard,0
g_wirbel,Wirbelwind,GE,8,R,5,4,hard,8,hard,0
g_pak40,75mm Pak 40,GE,10,M,10,4,soft,0,none,0
g_pak43,88mm Pak 43,GE,14,M,14,4,soft,0,none,0
g_flak88,88mm Flak 36,GE,12,M,12,3,soft,0,none,0
g_pzgren,Panzergrenadier platoon,GE,8,R,3,6,soft,1,foot,0
g_gren,Grenadier platoon,GE,7,R,3,5,soft,1,foot,0
g_pio,Pioneer platoon,GE,9,R,2,6,soft,1,foot,0
g_mg,Machine-gun platoon,GE,7,R,4,5,soft,1,foot,0
g_81,81mm mortar section,GE,3,H,12,4,soft,1,foot,0
g_120,120mm mortar section,GE,4,H,25,4,soft,0,none,0
g_truck,Truck platoon,GE,0,none,0,2,soft,10,soft,1
u_m4,M4 Sherman (75),US,8,M,9,7,hard,9,hard,0
u_m4a3,M4A3 Sherman (76),US,10,M,10,7,hard,9,hard,0
u_jumbo,M4A3E2,US,8,M,9,10,hard,8,hard,0
u_m4105,M4 (105),US,4,H,20,7,hard,9,hard,0
u_m5,M5 Stuart,US,4,M,6,4,hard,11,hard,0
u_m24,M24 Chaffee,US,8,M,8,4,hard,11,hard,0
u_m26,M26 Pershing,US,12,M,12,9,hard,8,hard,0
u_m10,M10,US,10,M,10,5,hard,10,hard,0
u_m18,M18,US,10,M,10,3,hard,13,hard,0
u_m36,M36,US,12,M,12,5,hard,10,hard,0
u_m8,M8 armored car,US,4,M,6,2,hard,12,hard,0
u_m3,M3 halftrack,US,3,R,3,2,hard,10,hard,1
u_m16,M16 quad .50,US,9,R,5,2,hard,10,hard,0
u_m7,M7 Priest battery,US,5,H,40,3,hard,9,hard,0
u_57,57mm AT,US,7,M,8,4,soft,0,none,0
u_3in,3-inch AT,US,10,M,10,4,soft,0,none,0
u_arminf,Armored infantry platoon,US,8,R,3,6,soft,1,foot,0
u_rifle,Rifle platoon,US,7,R,3,5,soft,1,foot,0
u_eng,Engineer platoon,US,9,R,2,6,soft,1,foot,0
u_mg,Machine-gun platoon,US,7,R,4,5,soft,1,foot,0
u_81,81mm mortar section,US,3,H,12,4,soft,1,foot,0
u_42,4.2-inch mortar section,US,4,H,18,4,soft,0,none,0
u_truck,Truck platoon,US,0,none,0,2,soft,10,soft,1
u_jeep,Recon jeeps,US,3,R,3,2,soft,12,soft,0
b_crom,Cromwell,UK,8,M,8,7,hard,11,hard,0
b_fly,Sherman Firefly,UK,12,M,12,7,hard,9,hard,0
b_church,Churchill VII,UK,8,M,8,10,hard,6,hard,0
b_comet,Comet,UK,11,M,11,8,hard,10,hard,0
b_sexton,Sexton battery,UK,5,H,40,3,hard,9,hard,0
b_carrier,Universal carriers,UK,3,R,3,1,hard,10,hard,0
b_17,17-pdr AT,UK,12,M,12,4,soft,0,none,0
b_rifle,Infantry platoon,UK,7,R,3,5,soft,1,foot,0
b_3in,3-inch mortar section,UK,3,H,10,4,soft,1,foot,0
b_truck,Truck platoon,UK,0,none,0,2,soft,10,soft,1
"""

NATIONS = {"GE": "german", "US": "us", "UK": "british"}
SEVERITY = ("-", "Pin", "P", "D1", "D2", "D3", "D4")


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


@pytest.mark.rule("P44-2.01")
@pytest.mark.rule("P44-2.03")
@pytest.mark.rule("P44-2.04")
@pytest.mark.rule("P44-2.05")
@pytest.mark.rule("P44-2.07")
@pytest.mark.parametrize("row", rows(HEXES), ids=lambda row: row[0])
def test_what_a_hex_costs_in_half_points_takes_off_the_die_and_hides(row: list[str]) -> None:
    found = terrain.TERRAIN[row[0]]
    assert [found.hard, found.soft, found.foot, found.die_reduction] == [int(cell) for cell in row[1:5]]
    assert found.blocks == (row[5] == "blocks")


@pytest.mark.rule("P44-2.02")
@pytest.mark.rule("P44-2.06")
@pytest.mark.rule("P44-2.07")
@pytest.mark.parametrize("row", rows(HEXSIDES), ids=lambda row: row[0])
def test_what_a_hexside_adds_takes_off_the_die_and_hides(row: list[str]) -> None:
    found = terrain.HEXSIDES[row[0]]
    assert [found.hard, found.soft, found.foot, found.die_reduction] == [int(cell) for cell in row[1:5]]
    assert (found.blocks, found.passable) == (row[5] == "blocks", row[6] == "passable")


@pytest.mark.rule("P44-2.09")
@pytest.mark.rule("P44-2.10")
@pytest.mark.parametrize("mobility", ["hard", "soft", "foot"])
def test_roads_and_bridges_cost_everybody_half_a_point(mobility: str) -> None:
    assert (terrain.ROAD_COST.of(mobility), terrain.BRIDGE_COST.of(mobility)) == (1, 1)


@pytest.mark.rule("P44-13.06")
def test_a_position_takes_4_off_the_die() -> None:
    assert terrain.POSITION_REDUCTION == 4


def test_there_are_no_other_terrains_or_hexsides() -> None:
    assert set(terrain.TERRAIN) == {row[0] for row in rows(HEXES)}
    assert set(terrain.HEXSIDES) == {row[0] for row in rows(HEXSIDES)}


@pytest.mark.rule("P44-3.01")
@pytest.mark.rule("P44-3.06")
@pytest.mark.parametrize("row", list(csv.DictReader(StringIO(UNITS.strip()))), ids=lambda row: row["id"])
def test_the_values_of_every_unit(row: dict[str, str]) -> None:
    found = kinds.KINDS[row["id"]]
    assert (found.name, found.nation) == (row["name"], NATIONS[row["nation"]])
    assert [found.weapon, found.target, found.mobility] == [row["class"], row["target"], row["mobility"]]
    numbers = [found.attack, found.range, found.defense, found.ma, found.carries]
    assert numbers == [int(row[name]) for name in ("attack", "range", "defense", "ma", "carries")]


def test_there_are_no_other_units_but_the_unknown_one() -> None:
    listed = {row["id"] for row in csv.DictReader(StringIO(UNITS.strip()))}
    assert set(kinds.KINDS) == {*listed, kinds.UNKNOWN}


@pytest.mark.rule("P44-3.04")
def test_units_on_foot_have_a_movement_of_1() -> None:
    assert {kind.ma for kind in kinds.KINDS.values() if kind.mobility == "foot"} == {1}


@pytest.mark.rule("P44-3.03")
def test_armor_is_hard_and_everything_else_soft() -> None:
    for kind in kinds.KINDS.values():
        assert (kind.target == "hard") == (kind.mobility == "hard")
        assert (kind.ma == 0) == (kind.mobility == "none")


@pytest.mark.rule("P44-13.05")
@pytest.mark.rule("P44-15.04")
def test_engineers_and_halftracks() -> None:
    assert {key for key, kind in kinds.KINDS.items() if "engineers" in kind.flags} == {"g_pio", "u_eng"}
    assert {key for key, kind in kinds.KINDS.items() if "halftrack" in kind.flags} == {"g_251", "u_m3"}


@pytest.mark.rule("P44-9.01")
@pytest.mark.rule("P44-9.03")
@pytest.mark.rule("P44-8.09")
@pytest.mark.parametrize("row", rows(PROCEDURE), ids=lambda row: f"{row[0]} at {row[1]}")
def test_the_steps_of_an_attack_by_weapon_and_target(row: list[str]) -> None:
    found = tables.LINES[row[0], row[1]]
    subtracted = "printed" if found.defense else str(found.subtract)
    assert [found.range, subtracted, found.terrain] == [row[2] == "yes", row[3], row[4] == "terrain"]
    assert found.allowed == (row[5] == "allowed")


@pytest.mark.rule("P44-9.02")
@pytest.mark.parametrize(
    ("distance", "strength"),
    [(1, 20), (2, 10), (3, 10), (4, 9), (5, 9), (6, 8), (7, 8), (8, 8), (9, 7), (10, 7), (11, 4), (14, 4), (50, 4)],
)
def test_what_range_leaves_of_a_strength_of_10(distance: int, strength: int) -> None:
    band = tables.range_band(distance)
    assert 10 * band.factor + band.change == strength


@pytest.mark.rule("P44-9.10")
@pytest.mark.parametrize("row", rows(RESULTS), ids=lambda row: f"roll {row[0]}")
def test_every_result(row: list[str]) -> None:
    roll, *wanted = row
    assert [tables.RESULTS[int(roll), column] for column in range(-3, 9)] == wanted


@pytest.mark.rule("P44-9.10")
def test_more_superiority_and_a_higher_roll_are_never_worse() -> None:
    assert len(tables.RESULTS) == 120
    for (roll, column), result in tables.RESULTS.items():
        for better in ((roll + 1, column), (roll, column + 1)):
            if better in tables.RESULTS:
                assert SEVERITY.index(tables.RESULTS[better]) >= SEVERITY.index(result)


@pytest.mark.rule("P44-9.04")
@pytest.mark.rule("P44-9.07")
def test_what_lies_beyond_the_table_is_read_at_its_edge() -> None:
    assert tables.result_of(1, 0, 21) == "D3"
    assert tables.result_of(1, 7, 5) == "Pin"


@pytest.mark.rule("P44-10.08")
def test_the_rolls_that_remove_disruption() -> None:
    assert {level: list(rolls) for level, rolls in tables.REMOVAL.items()} == {1: [1, 2, 3], 2: [1, 2], 3: [1]}


@pytest.mark.rule("P44-6.01")
@pytest.mark.rule("P44-6.03")
@pytest.mark.rule("P44-6.05")
def test_ten_digits_four_levels_and_two_rolls_in_six_that_bolt() -> None:
    assert (tables.PANIC.digits, tables.PANIC.level_max) == (10, 4)
    assert (list(tables.PANIC.freeze), list(tables.PANIC.bolt)) == ([1, 2, 3, 4], [5, 6])


@pytest.mark.rule("P44-13.01")
def test_the_grades_of_mines_weakest_first() -> None:
    found = [(key, grade.superiority) for key, grade in tables.GRADES.items()]
    assert found == [("hasty", -1), ("preventative", 1), ("defensive", 7)]


@pytest.mark.rule("P44-11.09")
def test_batteries_off_the_map() -> None:
    assert {key: (one.strength, one.accuracy) for key, one in tables.BATTERIES.items()} == {
        "oba_105": (5, 1),
        "oba_155": (7, 1),
        "oba_25pdr": (4, 2),
        "oba_nebel": (6, 1),
    }


@pytest.mark.rule("P44-11.10")
@pytest.mark.rule("P44-11.11")
def test_aircraft_and_when_they_attack() -> None:
    strengths = {key: one.strength for key, one in tables.SORTIES.items()}
    assert strengths == {"cas_p47": 7, "cas_typhoon": 8, "cas_fw190": 6}
    assert (list(tables.STRIKE.attacks), list(tables.STRIKE.under_flak)) == ([1, 2, 3, 4], [1, 2, 3])
