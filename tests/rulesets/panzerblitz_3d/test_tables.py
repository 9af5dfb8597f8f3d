"""Every cell of every table, against literals written out here."""

from __future__ import annotations

import csv
from fractions import Fraction
from io import StringIO

import pytest

from sandtable.rulesets.panzerblitz_3d import kinds, tables, terrain, terrain_table

TERRAIN = """
clear       . 0  4  2  2  no_climb 0 seen   overrun
town        T 0  1  1  1  no_climb 1 hidden no
woods       W 0  4  2  2  no_climb 1 hidden no
swamp       M 0 -1 -1  2  no_climb 1 seen   no
pond        P 0 -1 -1 -1  no_climb 0 seen   no
slope       S 1  2  2  2  8/6/6    0 seen   no
slope_woods F 1  4  2  2  8/6/6    1 hidden no
"""

RESULTS = """
-1  D  DD  X   X   X   X   X
0   -  D   DD  DD  X   X   X
1   -  D   D   DD  X   X   X
2   -  -   D   D   DD  X   X
3   -  -   -   D   DD  X   X
4   -  -   -   -   D   DD  X
5   -  -   -   -   D   DD  X
6   -  -   -   -   -   -   DD
7   -  -   -   -   -   -   -
"""

WEAPONS = """
I not_allowed not_allowed 1
A 2 1 1/2
H 1 1/2 1
M 1 1/2 1
"""

ELEVATIONS = """
ground  ground  B           B  B
ground  slope   B           B  behind_lower
ground  hilltop near_ground O1 behind_lower
slope   ground  B           B  behind_lower
slope   slope   B           B  .
slope   hilltop .           O1 .
hilltop ground  near_ground O1 behind_lower
hilltop slope   .           O1 .
hilltop hilltop .           .  .
"""

UNITS = """
key,nation,attack,weapon,range,defense,movement,mobility,armored,flags,source
g_rifle,german,3,I,6,8,1,nonvehicle,no,inf,P
g_smg,german,6,I,3,6,1,nonvehicle,no,inf,P
g_engineer,german,3,I,4,10,1,nonvehicle,no,inf eng,P
g_security,german,2,I,4,5,1,nonvehicle,no,inf,P
g_cp,german,0,-,0,1,0,nonvehicle,no,fo,P
g_81mm,german,3,M,12,3,1,nonvehicle,no,,P
g_120mm,german,15,M,20,2,0,nonvehicle,no,,R4
g_50pak,german,8,A,5,3,0,nonvehicle,no,,P
g_75pak,german,12,A,6,2,0,nonvehicle,no,,P
g_88,german,20,A,20,1,0,nonvehicle,no,,P
g_20aa,german,4,H,10,1,0,nonvehicle,no,,P
g_20quad,german,14,H,10,1,0,nonvehicle,no,,P
g_75inf,german,2,H,12,2,0,nonvehicle,no,,P
g_150inf,german,20,H,12,2,0,nonvehicle,no,,P
g_wagon,german,0,C,0,1,3,vehicle,no,c,P
g_truck,german,0,C,0,1,12,truck,no,c,P
g_ht,german,2,I,4,4,10,vehicle,yes,c ht,P
g_puma,german,6,A,5,3,14,vehicle,yes,,P
g_2341,german,2,H,4,3,16,vehicle,yes,,R2
g_2344,german,13,A,8,3,14,vehicle,yes,,R2
g_maultier,german,50,H,12,4,10,vehicle,yes,spa,P
g_wespe,german,40,H,32,5,8,vehicle,yes,spa,R3
g_hummel,german,60,H,24,6,8,vehicle,yes,spa,P
g_gw38,german,10,H,12,5,6,vehicle,yes,,P
g_wirbel,german,14,H,10,6,8,vehicle,yes,,P
g_stuh,german,14,H,12,12,8,vehicle,yes,,P
g_marder3,german,12,A,8,7,8,vehicle,yes,,P
g_stug,german,12,A,8,12,8,vehicle,yes,,P
g_hetzer,german,12,A,8,12,6,vehicle,yes,,P
g_jpz4,german,16,A,12,9,8,vehicle,yes,,P
g_nashorn,german,20,A,20,6,8,vehicle,yes,,P
g_jpanther,german,20,A,12,15,9,vehicle,yes,,P
g_jtiger,german,22,A,12,18,5,vehicle,yes,,P
g_lynx,german,2,A,4,6,10,vehicle,yes,,P
g_pz4,german,14,A,8,8,8,vehicle,yes,,P
g_panther,german,16,A,12,12,10,vehicle,yes,,P
g_tiger1,german,15,A,12,12,8,vehicle,yes,,P
g_tiger2,german,20,A,12,16,6,vehicle,yes,,P
r_rifle,russian,5,I,4,16,1,nonvehicle,no,inf,P
r_guards,russian,6,I,5,18,1,nonvehicle,no,inf,P
r_smg,russian,8,I,1,12,1,nonvehicle,no,inf,P
r_engineer,russian,3,I,2,8,1,nonvehicle,no,inf eng,P
r_recon,russian,3,I,1,4,1,nonvehicle,no,inf,P
r_cavalry,russian,10,I,3,8,3,vehicle,no,inf cav,P
r_cp,russian,0,-,0,1,0,nonvehicle,no,fo,P
r_mg,russian,6,I,6,2,0,nonvehicle,no,,P
r_45at,russian,7,A,3,3,0,nonvehicle,no,,P
r_57at,russian,9,A,4,3,0,nonvehicle,no,,P
r_76at,russian,12,A,5,2,0,nonvehicle,no,,P
r_76how,russian,3,H,10,2,0,nonvehicle,no,,P
r_122how,russian,40,H,20,1,0,nonvehicle,no,,R1
r_82mm,russian,3,M,12,3,1,nonvehicle,no,,P
r_120mm,russian,24,M,20,2,0,nonvehicle,no,,P
r_wagon,russian,0,C,0,1,3,vehicle,no,c,P
r_truck,russian,0,C,0,1,12,truck,no,c,P
r_ht,russian,2,I,1,2,10,vehicle,yes,c ht,P
r_su76,russian,12,A,5,9,9,vehicle,yes,,P
r_su85,russian,14,A,8,12,11,vehicle,yes,,P
r_su100,russian,16,A,8,15,8,vehicle,yes,,P
r_jsu122,russian,17,A,10,15,7,vehicle,yes,,P
r_su152,russian,40,H,10,16,7,vehicle,yes,,P
r_t34c,russian,12,A,6,9,11,vehicle,yes,,P
r_t3485,russian,15,A,8,10,11,vehicle,yes,,P
r_kv85,russian,15,A,8,13,10,vehicle,yes,,P
r_js2,russian,18,A,8,12,8,vehicle,yes,,P
r_js3,russian,18,A,12,14,8,vehicle,yes,,P
n_fort_g,german,0,-,0,40,0,none,yes,fort,P
n_fort_r,russian,0,-,0,50,0,none,yes,fort,P
"""


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


@pytest.mark.rule("PB3-205")
@pytest.mark.rule("PB3-206")
@pytest.mark.rule("PB3-208")
@pytest.mark.parametrize("row", rows(TERRAIN), ids=lambda row: row[0])
def test_what_each_terrain_costs_and_does(row: list[str]) -> None:
    found = terrain_table.TERRAIN[row[0]]
    climb = f"{found.up.truck}/{found.up.vehicle}/{found.up.nonvehicle}" if found.up else "no_climb"
    costs = [str(cost) for cost in (found.cost.truck, found.cost.vehicle, found.cost.nonvehicle)]
    hidden = "hidden" if found.hidden else "seen"
    overrun = "overrun" if found.overrun_ok else "no"
    assert [row[0], found.letter, str(found.level), *costs, climb, str(found.drm), hidden, overrun] == row


@pytest.mark.rule("PB3-201")
def test_there_are_seven_terrains_and_only_towns_count_as_armor() -> None:
    assert set(terrain_table.TERRAIN) == {row[0] for row in rows(TERRAIN)}
    assert {key for key, row in terrain_table.TERRAIN.items() if row.armored} == {"town"}


@pytest.mark.rule("PB3-201")
@pytest.mark.rule("PB3-202")
@pytest.mark.rule("PB3-604")
@pytest.mark.rule("PB3-605")
@pytest.mark.rule("PB3-807")
def test_roads_hilltops_gullies_and_fords() -> None:
    table = terrain_table.terrain_table()
    assert (table.road_cost, table.halved_levels) == (1, (1, 2))
    assert (table.hilltop.level, table.hilltop.base) == (2, ("clear", "town", "woods", "swamp"))
    assert table.gully.leaving == terrain_table.Costs(truck=10, vehicle=6, nonvehicle=6)
    assert table.gully.never == ("slope", "slope_woods", "pond")
    assert table.ford.cost == terrain_table.Costs(truck=2, vehicle=2, nonvehicle=2)
    assert (table.ford.drm, table.ford.hidden, table.ford.overrun_ok) == (0, False, True)


@pytest.mark.rule("PB3-203")
def test_the_four_symbols_of_hexsides() -> None:
    assert sorted(terrain.HEXSIDES) == ["brown", "gray", "green", "orange"]


@pytest.mark.rule("PB3-814")
@pytest.mark.parametrize("row", rows(RESULTS), ids=lambda row: f"die {row[0]}")
def test_combat_results(row: list[str]) -> None:
    crt = tables.combat_tables().crt
    assert crt.columns == ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1")
    assert list(crt.rows[int(row[0])]) == row[1:]


@pytest.mark.rule("PB3-813")
def test_the_results_end_at_minus_1_and_7() -> None:
    assert sorted(tables.combat_tables().crt.rows) == list(range(-1, 8))


@pytest.mark.rule("PB3-803")
@pytest.mark.parametrize("row", rows(WEAPONS), ids=lambda row: row[0])
def test_weapon_effects(row: list[str]) -> None:
    (found,) = [one for one in tables.combat_tables().wec.row if one.weapon == row[0]]
    assert [found.weapon, found.armored_near, found.armored_far, found.others] == row
    assert all(Fraction(cell) > 0 for cell in row[1:] if cell != tables.NOT_ALLOWED)


@pytest.mark.rule("PB3-301")
def test_four_classes_fire() -> None:
    assert [one.weapon for one in tables.combat_tables().wec.row] == ["I", "A", "H", "M"]


@pytest.mark.rule("PB3-812")
def test_modifiers_that_are_no_terrain() -> None:
    found = {one.key: one.drm for one in tables.combat_tables().drm.row}
    assert found == {"dispersed": -1, "overrun": -2, "close_assault": -2}


@pytest.mark.rule("PB3-702")
@pytest.mark.parametrize("row", rows(ELEVATIONS), ids=lambda row: f"{row[0]} to {row[1]}")
def test_target_elevation(row: list[str]) -> None:
    found = [one for one in tables.combat_tables().target_elevation.row if [one.firer, one.target] == row[:2]]
    assert [[one.firer, one.target, one.brown, one.orange, one.green_or_gray] for one in found] == [row]


@pytest.mark.rule("PB3-703")
def test_target_elevation_is_the_same_from_both_ends() -> None:
    table = {
        (one.firer, one.target): (one.brown, one.orange, one.green_or_gray)
        for one in tables.combat_tables().target_elevation.row
    }
    assert len(table) == 9
    assert all(table[target, firer] == cells for (firer, target), cells in table.items())


@pytest.mark.rule("PB3-305")
def test_batteries_off_the_map() -> None:
    assert {key: (one.name, one.attack, one.missions) for key, one in tables.BATTERIES.items()} == {
        "ob_81": ("Battalion mortars", 12, 6),
        "ob_105": ("Light howitzer battery", 40, 4),
        "ob_122": ("122mm battery", 40, 4),
        "ob_150": ("Heavy howitzer battery", 60, 3),
        "ob_rocket": ("Rocket launcher salvo", 50, 2),
    }
    assert tables.artillery_table().weapon == "H"


@pytest.mark.rule("PB3-1203")
def test_scatter() -> None:
    scatter = tables.artillery_table().scatter
    assert scatter.on_target == 2
    assert scatter.distance == {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 0}


@pytest.mark.rule("PB3-304")
@pytest.mark.parametrize("row", list(csv.DictReader(StringIO(UNITS.strip()))), ids=lambda row: row["key"])
def test_the_values_of_every_unit(row: dict[str, str]) -> None:
    kind = kinds.KINDS[row["key"]]
    found = {
        "key": kind.key,
        "nation": kind.nation,
        "attack": str(kind.attack),
        "weapon": kind.weapon,
        "range": str(kind.range),
        "defense": str(kind.defense),
        "movement": str(kind.movement),
        "mobility": kind.mobility,
        "armored": "yes" if kind.armored else "no",
        "flags": " ".join(flag for flag in row["flags"].split() if flag in kind.flags),
        "source": kind.source,
    }
    assert found == row
    assert kind.flags == frozenset(row["flags"].split())


@pytest.mark.rule("PB3-102")
@pytest.mark.rule("PB3-304")
def test_there_are_68_types_and_every_flag_has_its_words() -> None:
    assert len(kinds.UNIT_TYPES) == 68
    assert {flag for kind in kinds.KINDS.values() for flag in kind.flags} == set(kinds.FLAG_TITLES)


@pytest.mark.rule("PB3-302")
@pytest.mark.rule("PB3-303")
def test_what_is_armored_is_a_vehicle_or_a_fort_and_wagons_and_cavalry_are_vehicles() -> None:
    armored = [kind for kind in kinds.KINDS.values() if kind.armored]
    assert {kind.key for kind in armored if not kind.is_vehicle} == {"n_fort_g", "n_fort_r"}
    soft = {kind.key for kind in kinds.KINDS.values() if kind.is_vehicle and not kind.armored}
    assert soft == {"g_wagon", "g_truck", "r_wagon", "r_truck", "r_cavalry"}
