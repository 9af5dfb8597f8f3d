"""What all attacks share: type and strength of the defender, die modifiers, the results table and what results do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.rulesets.panzer_leader import combat
from sandtable.rulesets.panzer_leader.combat import (
    AIR_ATTACK,
    ARMORED,
    CLOSE_ASSAULT,
    CRT,
    DIRECT,
    EVEN,
    INDIRECT,
    MINE_ATTACK,
    NONARMORED,
    OVERRUN_ATTACK,
    tallied,
)
from sandtable.rulesets.panzer_leader.events import AttackRolled, UnitDestroyed, UnitDispersed, UnitUnloaded
from sandtable.rulesets.panzer_leader.model import ALLIED, FIRE, GERMAN, Mission
from sandtable.rulesets.panzer_leader.workings import Attack
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, table, unit

# The combat results table of PL-836, written down a second time.
PRINTED = """
die 1-4 1-3 1-2 1-1 2-1 3-1 4-1
-2  DD  DD  X   X   X   X   X
-1  D   DD  DD  X   X   X   X
0   D   D   DD  DD  X   X   X
1   -   D   D   DD  X   X   X
2   -   -   D   DD  DD  X   X
3   -   -   -   D   DD  DD  X
4   -   -   -   -   D   DD  X
5   -   -   -   -   D   D   X
6   -   -   -   -   -   D   DD
7   -   -   -   -   -   -   D
8   -   -   -   -   -   -   -
"""
HEADING, *ROWS = (line.split() for line in PRINTED.strip().splitlines())
CELLS = [(column, int(row[0]), cell) for row in ROWS for column, cell in zip(HEADING[1:], row[1:], strict=True)]


@pytest.mark.parametrize(("column", "die", "result"), CELLS)
@pytest.mark.rule("PL-836")
def test_each_cell_of_the_combat_results_table(column: str, die: int, result: str) -> None:
    assert CRT.result(column, die) == result


@pytest.mark.rule("PL-836")
def test_the_table_has_no_other_cell_and_is_monotone() -> None:
    assert CRT.columns == tuple(HEADING[1:])
    assert sorted(CRT.rows) == list(range(-2, 9))
    rank = {"-": 0, "D": 1, "DD": 2, "X": 3}
    for die in range(-2, 9):
        row = [rank[CRT.result(column, die)] for column in CRT.columns]
        assert row == sorted(row)
        if die > -2:
            assert all(rank[CRT.result(c, die)] <= rank[CRT.result(c, die - 1)] for c in CRT.columns)


@pytest.mark.parametrize(("die", "clamped"), [(-3, -2), (-9, -2), (9, 8), (12, 8)])
@pytest.mark.rule("PL-834")
def test_the_modified_die_is_clamped_to_minus_2_and_8(die: int, clamped: int) -> None:
    assert [CRT.result(column, die) for column in CRT.columns] == [CRT.result(c, clamped) for c in CRT.columns]


@pytest.mark.parametrize(
    ("strength", "defense", "odds"),
    [
        (9, 9, "1-1"),
        (Fraction(27, 2), 13, "1-1"),
        (36, 9, "4-1"),
        (99, 9, "4-1"),
        (35, 9, "3-1"),
        (8, 9, "1-2"),
        (Fraction(9, 2), 9, "1-2"),
        (3, 9, "1-3"),
        (Fraction(9, 4), 9, "1-4"),
        (2, 9, None),
        (Fraction(1, 2), 9, None),
        (0, 9, None),
    ],
)
@pytest.mark.rule("PL-831", "PL-832")
def test_odds_run_from_1_4_to_4_1_and_nothing_worse_is_allowed(
    strength: int | Fraction, defense: int, odds: str | None
) -> None:
    assert combat.odds_column(strength, defense) == odds


# --- the defender ---------------------------------------------------------------------------------------------------


def stack(letter: str, *kinds: str, **fields: Any) -> Table:
    return table(f".\n{letter}", *(unit(kind, "0102", GERMAN) for kind in kinds), **fields)


@pytest.mark.parametrize(
    ("letter", "kinds", "found"),
    [
        (".", ("g_pz4",), ARMORED),
        (".", ("g_rifle",), NONARMORED),
        (".", ("g_truck",), NONARMORED),
        (".", ("g_pz4", "g_rifle"), EVEN),
        (".", ("g_pz4", "g_ht", "g_rifle"), ARMORED),
        (".", ("g_pz4", "g_truck", "g_rifle"), NONARMORED),
        (".", ("n_fort20", "g_rifle", "g_pz4"), ARMORED),
        ("T", ("g_rifle", "g_truck"), ARMORED),
        ("W", ("g_rifle", "g_truck"), NONARMORED),
        ("O", ("a_rifle",), ARMORED),
        ("O", ("a_m4_dd",), ARMORED),
    ],
)
@pytest.mark.rule("PL-302", "PL-806", "PL-807", "PL-1402")
def test_the_majority_of_the_targeted_counters_gives_the_type(letter: str, kinds: tuple[str, ...], found: str) -> None:
    t = stack(letter, *kinds)
    assert combat.target_type(t.position, t.position.units) == found


@pytest.mark.rule("PL-645", "PL-646", "PL-1321", "PL-1402")
def test_the_defense_of_a_counter_where_it_stands() -> None:
    t = table(
        "O\n.\n.",
        unit("a_rifle", "0101"),
        unit("a_m4_dd", "0101"),
        unit("g_truck", "0102"),
        unit("g_88", carrier=2),
        unit("g_pz4", "0103"),
        unit("g_rifle", carrier=4),
        unit("n_fort30", "0103"),
    )
    assert [combat.defense_of(t.position, u) for u in t.position.units] == [8, 9, 1, 1, 8, 1, 30]
    assert not combat.defends_as_armored(t.position, t.unit(5))
    total, lines = combat.total_defense(t.position, [t.unit(4), t.unit(6)])
    assert total == 38
    assert [(line.label, line.value, line.rule) for line in lines] == [
        ("PzKw IVh defends", 8, "PL-802"),
        ("Fortification 30 defends", 30, "PL-802"),
    ]


# --- die modifiers --------------------------------------------------------------------------------------------------

HOWS = (DIRECT, INDIRECT, AIR_ATTACK, OVERRUN_ATTACK, CLOSE_ASSAULT, MINE_ATTACK)


@pytest.mark.parametrize(
    ("letter", "drms"),
    [
        (".", (0, 0, 0, -2, -2, 0)),
        ("T", (1, 1, 1, -1, -1, 1)),
        ("W", (1, 1, 1, -1, -1, 0)),
        ("M", (1, 1, 1, -2, -2, 0)),
        ("S", (0, 0, 0, -2, -2, 0)),
        ("F", (1, 1, 1, -1, -1, 0)),
        ("R", (0, 0, 0, -2, -2, 0)),
        ("B", (1, 1, 1, -2, -2, 0)),
        ("O", (0, 0, 0, -2, -2, 0)),
    ],
)
@pytest.mark.rule("PL-209", "PL-210", "PL-211", "PL-833")
def test_terrain_and_kind_of_attack_modify_the_die(letter: str, drms: tuple[int, ...]) -> None:
    t = stack(letter, "g_rifle")
    place = t.hex("0102")
    found = tuple(combat.modifier_sum(combat.die_modifiers(t.position, how, place, t.position.units)) for how in HOWS)
    assert found == drms


@pytest.mark.rule("PL-833", "PL-1402")
def test_a_swimming_tank_at_sea_adds_2_to_every_die() -> None:
    t = stack("O", "a_m4_dd")
    for how in HOWS:
        lines = combat.die_modifiers(t.position, how, t.hex("0102"), t.position.units)
        assert ("DD tank in sea hex", 2) in [(line.label, line.value) for line in lines]
    ashore = stack("B", "a_m4_dd")
    assert (
        combat.modifier_sum(combat.die_modifiers(ashore.position, DIRECT, ashore.hex("0102"), ashore.position.units))
        == 1
    )


@pytest.mark.rule("PL-833", "PL-835", "PL-906", "PL-1303")
def test_dispersal_of_this_segment_takes_1_from_the_die_except_for_mines() -> None:
    t = stack(".", "g_rifle", "g_smg", segment=3)
    place = t.hex("0102")
    t.change(0, dispersed=2)  # in the segment before: no effect any more
    assert combat.die_modifiers(t.position, DIRECT, place, t.position.units) == []
    t.change(0, dispersed=3)
    sums = [combat.modifier_sum(combat.die_modifiers(t.position, how, place, t.position.units)) for how in HOWS]
    assert sums == [-1, -1, -1, -3, -3, 0]


# --- results --------------------------------------------------------------------------------------------------------


def attack_on(t: Table, *targets: int, odds: str = "1-1", drm: int = 0) -> Attack:
    return Attack(
        group=FIRE,
        how=DIRECT,
        attackers=(),
        hex=t.unit(targets[0]).hex,
        targets=ids(*targets),
        strength=Fraction(27, 2),
        defense=9,
        base=odds,
        odds=odds,
        drm=drm,
        rule="PL-504",
        tallies=tallied(Fraction(27, 2), 9, odds, drm),
    )


@pytest.mark.rule("PL-103", "PL-834", "PL-836")
def test_an_attack_rolls_one_six_sided_die_and_every_unit_of_the_target_takes_the_result() -> None:
    t = stack(".", "g_rifle", "g_smg")
    played = t.run(combat.roll_attack, attack_on(t, 0, 1, drm=-1), dice=[4])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.die, rolled.drm, rolled.result, rolled.strength) == (4, -1, "D", "27/2")
    assert [draw.sides for draw in played.draws] == [6]
    assert [event.unit for event in t.happened(UnitDispersed)] == [0, 1]
    assert combat.distribution(attack_on(t, 0)) == ["DD", "DD", "D", "-", "-", "-"]


@pytest.mark.parametrize(
    ("result", "dispersed", "fate"),
    [
        ("X", 0, "destroyed"),
        ("X", 2, "destroyed"),
        ("D", 0, "dispersed"),
        ("D", 3, "dispersed"),
        ("DD", 0, "dispersed"),
        ("DD", 3, "destroyed"),
        ("DD", 2, "dispersed"),
        ("-", 0, ""),
    ],
)
@pytest.mark.rule("PL-901", "PL-902", "PL-903", "PL-904", "PL-906")
def test_x_removes_d_disperses_and_dd_removes_who_was_dispersed_in_this_segment(
    result: str, dispersed: int, fate: str
) -> None:
    t = stack(".", "g_rifle", segment=3)
    t.change(0, dispersed=dispersed)
    t.run(combat.take_result, 0, result)
    if fate == "destroyed":
        assert t.unit(0).fate == "destroyed"
        assert t.unit(0).hex == 0
    elif fate == "dispersed":
        assert t.unit(0).dispersed == (dispersed or 3)
    else:
        assert t.events == ()


@pytest.mark.rule("PL-901")
def test_a_unit_that_is_gone_suffers_nothing_more() -> None:
    t = stack(".", "g_rifle")
    t.change(0, hex=0)
    t.run(combat.take_result, 0, "X")
    assert t.events == ()


@pytest.mark.rule("PL-1333")
def test_only_x_harms_a_tank_bridge_and_the_vehicles_on_it_are_lost_without_wrecks() -> None:
    t = table(
        "R\n.",
        unit("n_tbridge", "0101", GERMAN),
        unit("g_pz4", "0101"),
        unit("g_rifle", "0101"),
        unit("g_truck", "0101"),
    )
    t.run(combat.take_result, 0, "DD")
    assert t.events == ()
    t.run(combat.take_result, 0, "X")
    assert [event.unit for event in t.happened(UnitDestroyed)] == [1, 3, 0]
    assert not any(event.wreck for event in t.happened(UnitDestroyed))
    assert t.unit(2).hex


@pytest.mark.parametrize(
    ("letter", "kind", "wrecks", "leaves"),
    [
        (".", "g_pz4", 0, True),
        (".", "g_pz4", 2, True),
        (".", "g_pz4", 3, False),
        (".", "g_ht", 0, True),
        (".", "n_fort20", 0, True),
        (".", "g_rifle", 0, False),
        (".", "g_truck", 0, False),
        ("T", "g_rifle", 0, False),
        ("O", "a_m4_dd", 0, False),
    ],
)
@pytest.mark.rule("PL-302", "PL-908")
def test_armor_and_forts_leave_up_to_three_wrecks_in_a_hex_and_none_at_sea(
    letter: str, kind: str, wrecks: int, leaves: bool
) -> None:
    t = stack(letter, kind, wrecks={"0102": wrecks})
    place = t.hex("0102")
    t.run(combat.take_result, 0, "X")
    assert t.position.wrecks.get(place, 0) == wrecks + leaves


@pytest.mark.rule("PL-645", "PL-1321")
def test_passengers_and_garrisons_are_lost_with_what_holds_them() -> None:
    t = table(
        open_board(1, 2),
        unit("g_truck", "0101"),
        unit("g_88", carrier=0),
        unit("n_fort20", "0102"),
        unit("g_rifle", fort=2),
        unit("g_rifle", fort=2),
    )
    t.run(combat.take_result, 0, "X")
    assert [event.unit for event in t.happened(UnitDestroyed)] == [1, 0]
    t.run(combat.take_result, 2, "X")
    assert [event.unit for event in t.happened(UnitDestroyed) if not event.wreck] == [3, 4]
    assert [event.unit for event in t.happened(UnitDestroyed) if event.wreck] == [2]


@pytest.mark.rule("PL-645", "PL-1321")
def test_passengers_and_garrisons_share_the_dispersal_of_what_holds_them() -> None:
    t = table(
        open_board(1, 2),
        unit("g_ht", "0101"),
        unit("g_rifle", carrier=0),
        unit("n_fort20", "0102"),
        unit("g_rifle", fort=2),
    )
    t.run(combat.take_result, 0, "D")
    assert [event.unit for event in t.happened(UnitDispersed)] == [0, 1]
    assert t.unit(1).carrier == 0
    t.run(combat.take_result, 2, "D")
    assert [event.unit for event in t.happened(UnitDispersed)] == [2, 3]


@pytest.mark.rule("PL-647")
def test_riders_fall_off_a_dispersed_tank_unless_the_hex_is_full() -> None:
    t = table(open_board(1, 2), unit("g_pz4", "0101"), unit("g_rifle", carrier=0), wrecks={"0101": 2})
    t.run(combat.take_result, 0, "D")
    assert t.happened(UnitUnloaded) == [UnitUnloaded(U(0), U(1), forced=True)]
    full = table(open_board(1, 2), unit("g_pz4", "0101"), unit("g_rifle", carrier=0), wrecks={"0101": 3})
    full.run(combat.take_result, 0, "D")
    assert full.happened(UnitUnloaded) == []
    assert full.unit(1).dispersed
    assert full.unit(1).carrier == 0


@pytest.mark.rule("PL-646")
def test_a_rider_dispersed_alone_falls_off_or_takes_its_tank_with_it_when_there_is_no_room() -> None:
    t = table(open_board(1, 2), unit("g_pz4", "0101"), unit("g_rifle", carrier=0))
    t.run(combat.take_result, 1, "D")
    assert t.unit(1).carrier == -1
    assert not t.unit(0).dispersed
    full = table(open_board(1, 2), unit("g_pz4", "0101"), unit("g_rifle", carrier=0), wrecks={"0101": 3})
    full.run(combat.take_result, 1, "D")
    assert full.unit(1).carrier == 0
    assert full.unit(0).dispersed


@pytest.mark.rule("PL-910")
def test_a_dispersed_unit_loses_its_written_mission() -> None:
    t = table(open_board(1, 3), unit("a_priest", "0101"), unit("a_priest", "0101"), unit("g_rifle", "0103"))
    t.set(missions=(Mission(ALLIED, ids(0, 1), t.hex("0103"), ids(0), 1, 3),))
    t.run(combat.take_result, 0, "D")
    assert [mission.firers for mission in t.position.missions] == [(1,)]
    t.run(combat.take_result, 1, "D")
    assert t.position.missions == ()


@pytest.mark.rule("PL-641", "PL-646")
@pytest.mark.parametrize(("kind", "outside"), [("g_pz4", True), ("g_wespe", True), ("g_ht", False), ("g_truck", False)])
def test_riders_sit_on_armor_and_in_carriers(kind: str, outside: bool) -> None:
    t = table(open_board(1, 2), unit(kind, "0101"))
    assert combat.rides_outside(t.unit(0)) == outside


@pytest.mark.rule("PL-1401")
def test_only_face_down_units_are_revealed() -> None:
    t = table("O\nB", unit("a_rifle", "0101", facedown=True, name="1st"), unit("a_rifle", "0102"))
    t.run(combat.reveal, (0, 1))
    assert [event.unit for event in t.events] == [0]  # type: ignore[attr-defined]
    assert not t.unit(0).facedown
    assert t.unit(0).name == "1st"
