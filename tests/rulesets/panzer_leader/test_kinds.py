"""The counters as printed."""

from __future__ import annotations

import csv
import io

import pytest

from sandtable.rulesets.panzer_leader.kinds import KINDS, UNKNOWN, aircraft_kinds
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, SIDES, Unit
from sandtable.rulesets.panzer_leader.pieces import enemy_of
from tests.rulesets.panzer_leader.table import U

# Some rows of the table of PL-307, written down a second time: one of each class, and all that other rules lean on.
PRINTED = """\
key,as,class,range,ds,ma,mobility,armored,flags
g_rifle,3,I,2,8,1,nonvehicle,0,inf star
g_smg,6,I,1,6,1,nonvehicle,0,inf
g_engineer,3,I,2,10,1,nonvehicle,0,inf eng
g_81mm,3,M,12,3,1,nonvehicle,0,lt
g_120mm,15,M,20,2,0,nonvehicle,0,hv
g_75pak,13,A,6,2,0,nonvehicle,0,lt
g_88,20,A,20,1,0,nonvehicle,0,hv
g_20quad,14,H,10,1,0,nonvehicle,0,lt aa
g_37aa,6,H,12,1,0,nonvehicle,0,lt aa
g_150,60,(H),36,2,0,nonvehicle,0,hv
g_nebel,60,(H),16,1,0,nonvehicle,0,lt
g_truck,0,C,0,1,12,truck,0,c
g_wagon,0,C,0,1,3,vehicle,0,c
g_ht,2,I,2,4,10,vehicle,1,c ht
g_puma,6,A,5,3,14,vehicle,1,tur
g_panther,16,A,12,12,10,vehicle,1,tur
g_tiger2,20,A,12,16,6,vehicle,1,tur
g_stuh,14,H,12,12,8,vehicle,1,
g_wirbel,14,H,10,6,8,vehicle,1,tur aa
g_wespe,40,(H),32,5,8,vehicle,1,spa
a_rifle,2,I,2,6,1,nonvehicle,0,inf star
a_armored,4,I,2,10,1,nonvehicle,0,inf star
a_scout,1,I,2,3,1,nonvehicle,0,inf
a_mg,2,I,2,4,1,nonvehicle,0,inf mg star
a_57at,9,A,5,2,0,nonvehicle,0,lt
a_8in,80,(H),40,2,0,nonvehicle,0,hv
a_greyhound,3,A,5,3,15,vehicle,1,tur
a_m4_75,11,A,8,9,8,vehicle,1,tur
a_m4_dd,11,A,8,9,8,vehicle,1,tur dd
a_hellcat,14,A,10,4,12,vehicle,1,tur
a_priest,40,(H),32,7,8,vehicle,1,spa
b_25pdr,35,(H),35,2,0,nonvehicle,0,lt
b_bren,2,I,2,2,10,vehicle,1,c ht star
b_crocodile,40,H,1,11,5,vehicle,1,tur
b_flail,9,A,8,8,8,vehicle,1,tur flail
b_bridge,1,I,2,10,6,vehicle,1,bridge
n_fort20,0,-,0,20,0,none,1,fort
n_fort40,0,-,0,40,0,none,1,fort
n_tbridge,0,-,0,32,0,none,1,tempbridge
"""
ROWS = list(csv.DictReader(io.StringIO(PRINTED)))


@pytest.mark.parametrize("row", ROWS, ids=[row["key"] for row in ROWS])
@pytest.mark.rule("PL-102", "PL-307")
def test_a_counter_shows_strength_class_range_defense_and_movement(row: dict[str, str]) -> None:
    printed = KINDS[row["key"]]
    found = (printed.attack, printed.weapon, printed.range, printed.defense, printed.movement, printed.mobility)
    assert found == (
        int(row["as"]),
        row["class"],
        int(row["range"]),
        int(row["ds"]),
        int(row["ma"]),
        row["mobility"],
    )
    assert printed.armored == (row["armored"] == "1")
    assert printed.flags == frozenset(row["flags"].split())


@pytest.mark.rule("PL-301")
def test_there_are_six_weapon_classes_and_things_without_any() -> None:
    assert {printed.weapon for printed in KINDS.values()} == {"I", "A", "H", "(H)", "M", "C", "-"}
    assert all((printed.attack == 0) == (printed.weapon in ("C", "-")) for printed in KINDS.values())
    assert all((printed.range == 0) == (printed.attack == 0) for printed in KINDS.values())


@pytest.mark.rule("PL-302")
def test_tanks_guns_on_tracks_halftracks_and_forts_are_armored_and_trucks_guns_and_foot_are_not() -> None:
    armored = ("g_pz4", "g_stug", "a_wolverine", "a_priest", "g_puma", "g_ht", "b_bren", "n_fort20")
    assert all(KINDS[key].armored for key in armored)
    soft = ("g_truck", "g_wagon", "g_88", "g_rifle", "a_81mm", "a_155")
    assert not any(KINDS[key].armored for key in soft)
    assert not any(printed.armored for printed in KINDS.values() if printed.mobility in ("truck", "nonvehicle"))


@pytest.mark.rule("PL-303", "PL-304")
def test_whatever_has_an_engine_or_horses_is_a_vehicle() -> None:
    assert KINDS["g_wagon"].is_vehicle
    assert KINDS["g_wagon"].mobility == "vehicle"
    assert KINDS["a_truck"].is_vehicle
    assert KINDS["a_truck"].mobility == "truck"
    for key in ("a_rifle", "g_88", "g_81mm", "n_fort20"):
        assert not KINDS[key].is_vehicle
    assert {printed.mobility for printed in KINDS.values()} == {"truck", "vehicle", "nonvehicle", "none"}


@pytest.mark.rule("PL-306")
def test_infantry_types_are_foot_troops_and_neither_mortars_nor_guns() -> None:
    for key in ("g_rifle", "g_smg", "g_security", "a_airborne", "b_commando", "a_ranger", "a_armored", "a_scout"):
        assert KINDS[key].is_infantry
    for key in ("a_engineer", "b_mg"):
        assert KINDS[key].is_infantry
    for printed in KINDS.values():
        if printed.is_infantry:
            assert printed.weapon == "I"
            assert printed.mobility == "nonvehicle"
    assert not KINDS["g_81mm"].is_infantry
    assert not KINDS["g_75inf"].is_infantry


@pytest.mark.rule("PL-305")
def test_only_light_weapons_have_the_star_of_double_range() -> None:
    starred = {printed.weapon for printed in KINDS.values() if printed.has("star")}
    assert starred == {"I"}


@pytest.mark.rule("PL-308", "PL-1205")
def test_fighter_bombers_have_guns_four_times_and_one_load_once_and_the_observer_has_nothing() -> None:
    loads = {
        key: [(load.key, load.strength, load.weapon, load.uses) for load in plane.ordnance]
        for key, plane in aircraft_kinds().items()
    }
    both = [("bombs", 30, "H", 1), ("rockets", 20, "A", 1)]
    assert loads == {"typhoon": both, "p47": both, "l5": []}
    guns = {key: plane.guns for key, plane in aircraft_kinds().items()}
    assert guns["l5"] is None
    assert guns["typhoon"] is not None
    assert guns["p47"] is not None
    assert (guns["typhoon"].strength, guns["typhoon"].weapon, guns["typhoon"].uses) == (2, "I", 4)
    assert (guns["p47"].strength, guns["p47"].weapon, guns["p47"].uses) == (3, "I", 4)


@pytest.mark.rule("PL-1401", "PL-1402")
def test_an_unidentified_unit_is_taken_for_an_armored_one_with_defense_8() -> None:
    assert (KINDS[UNKNOWN].defense, KINDS[UNKNOWN].armored, KINDS[UNKNOWN].attack) == (8, True, 0)


@pytest.mark.rule("PL-104")
def test_the_sides_are_allied_and_german() -> None:
    assert SIDES == (ALLIED, GERMAN)
    assert enemy_of(ALLIED) == GERMAN
    assert enemy_of(GERMAN) == ALLIED
    assert {printed.nation for printed in KINDS.values()} == {"german", "us", "british", "any"}
    assert KINDS["g_rifle"].is_german
    assert not KINDS["a_rifle"].is_german


@pytest.mark.rule("PL-105")
def test_a_counter_is_inverted_when_it_fired_or_is_dispersed_and_the_reasons_are_kept_apart() -> None:
    ready = Unit(U(0), "g_rifle", GERMAN)
    assert not ready.is_inverted
    assert Unit(U(0), "g_rifle", GERMAN, fired=True).is_inverted
    assert Unit(U(0), "g_rifle", GERMAN, dispersed=2).is_inverted


def test_works_are_forts_and_tank_bridges() -> None:
    works = {key for key, printed in KINDS.items() if printed.is_work}
    assert works == {"n_fort20", "n_fort30", "n_fort40", "n_tbridge"}
    assert KINDS["n_fort20"].is_fort
    assert KINDS["n_tbridge"].is_temporary_bridge
    assert {key for key, printed in KINDS.items() if printed.is_soft_carrier} >= {"g_truck", "g_wagon", "a_truck"}
