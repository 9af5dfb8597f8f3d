"""Carriers and their passengers."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_leader import combat, fire, movement, transport
from sandtable.rulesets.panzer_leader.events import (
    ControlTaken,
    MoveEnded,
    UnitDestroyed,
    UnitDispersed,
    UnitLoaded,
    UnitMoved,
    UnitUnloaded,
    WorkEnded,
)
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mover, Work
from sandtable.rulesets.panzer_leader.orders import LoadUnit, MoveUnit, UnloadUnit
from tests.rulesets.panzer_leader.table import Table, U, open_board, table, unit

VEHICLES = "vehicle movement"


def yard(*units: Any, rows: str = ".\n.\n.\n.\n.\n.\n.\n.", **fields: Any) -> Table:
    """Units in 0101 at the top of a strip of clear ground."""
    return table(rows, *units, step=VEHICLES, **fields)


def load(carrier: int = 0, passenger: int = 1) -> LoadUnit:
    return LoadUnit(U(carrier), U(passenger))


def unload(carrier: int = 0) -> UnloadUnit:
    return UnloadUnit(U(carrier))


def options(t: Table, number: int) -> list[LoadUnit | UnloadUnit]:
    return [
        *transport.load_options(t.position, ALLIED, t.unit(number)),
        *transport.unload_options(t.position, ALLIED, t.unit(number)),
    ]


def drive(t: Table, *labels: str, number: int = 0) -> MoveUnit:
    return MoveUnit(U(number), t.hexes(*labels))


@pytest.mark.rule("PL-641")
@pytest.mark.parametrize(
    ("carrier", "passenger", "rule"),
    [
        ("a_truck", "a_105", ""),
        ("a_ht", "a_rifle", ""),
        ("g_wagon", "g_88", ""),
        ("g_panther", "g_rifle", ""),
        ("g_panther", "g_81mm", "PL-641"),  # German armor takes infantry alone
        ("g_wespe", "g_rifle", "PL-641"),  # and self-propelled artillery nobody
        ("a_m4_75", "a_rifle", "PL-641"),  # nor does Allied armor
        ("a_truck", "a_truck", "PL-641"),  # vehicles are not carried
        ("a_rifle", "a_rifle", "PL-641"),
    ],
)
def test_carriers_take_one_unit_without_vehicles_and_german_armor_one_of_infantry(
    carrier: str, passenger: str, rule: str
) -> None:
    phasing = GERMAN if carrier.startswith("g") else ALLIED
    t = yard(unit(carrier, "0101"), unit(passenger, "0101"), phasing=phasing)
    refusal = t.check(load())
    assert (refusal.rule if refusal else "") == rule


@pytest.mark.rule("PL-641", "PL-643")
def test_one_passenger_is_all_and_it_must_be_on_foot_in_the_same_hex() -> None:
    t = yard(
        unit("a_truck", "0101"),
        unit("a_rifle", carrier=0),
        unit("a_rifle", "0101"),
        unit("a_truck", "0101"),
        unit("a_rifle", "0102"),
        unit("g_rifle", "0108"),
        unit("a_rifle", "0101", transported=True),
        unit("n_fort20", "0101", ALLIED),
        unit("a_rifle", fort=7),
    )
    assert t.refusal(load(0, 2)).rule == "PL-641"
    assert t.refusal(load(3, 4)).rule == "PL-641"
    assert t.refusal(load(3, 5)).rule == "PL-641"
    assert t.refusal(load(3, 99)).rule == "PL-641"
    assert t.refusal(load(-1, 2)).rule == "PL-641"
    assert t.refusal(load(3, 1)).rule == "PL-643"
    assert t.refusal(load(3, 6)).rule == "PL-643"
    assert t.refusal(load(3, 8)).rule == "PL-1321"
    assert t.check(load(3, 2)) is None


@pytest.mark.rule("PL-642")
@pytest.mark.parametrize(
    ("carrier", "passenger", "points"),
    [("a_truck", "a_155", 14), ("a_truck", "a_57at", 7), ("g_wagon", "g_rifle", 2), ("g_truck", "g_88", 12)],
)
def test_a_heavy_gun_costs_the_whole_allowance_and_anything_else_half_rounded_up(
    carrier: str, passenger: str, points: int
) -> None:
    t = yard(unit(carrier, "0101"), unit(passenger, "0101"), phasing=GERMAN if carrier[0] == "g" else ALLIED)
    assert transport.handling_cost(t.unit(0), t.unit(1)) == 2 * points
    t.play(load())
    assert t.happened(UnitLoaded) == [
        UnitLoaded(U(0), U(1), Mover(U(0), t.hex("0101"), spent=2 * points, handled="first"))
    ]
    assert t.unit(1).carrier == 0


@pytest.mark.rule("PL-642")
def test_what_is_left_is_used_after_loading() -> None:
    t = yard(unit("a_truck", "0101"), unit("a_rifle", "0101"))
    t.play(load())
    t.play(drive(t, "0102", "0103", "0104"))
    assert t.unit(1).hex == t.hex("0104")
    assert t.refusal(drive(t, "0105")).rule == "PL-603"  # 7 of 14 points, three hexes at 2
    assert t.refusal(unload()).rule == "PL-643"


@pytest.mark.rule("PL-642")
def test_what_is_left_is_used_before_unloading_and_never_around_it() -> None:
    t = yard(unit("a_truck", "0101"), unit("a_rifle", carrier=0))
    t.play(drive(t, "0102"))
    t.play(unload())
    assert t.happened(UnitUnloaded)[0].mover == Mover(
        U(0),
        t.hex("0101"),
        spent=18,
        hexes=1,
        handled="last",
        dropped=U(1),
    )
    assert t.refusal(drive(t, "0103")).rule == "PL-642"


@pytest.mark.rule("PL-642")
def test_a_carrier_that_has_gone_too_far_can_not_unload() -> None:
    t = yard(unit("a_truck", "0101"), unit("a_rifle", carrier=0), unit("a_truck", "0101"), unit("a_155", carrier=2))
    t.play(drive(t, "0102", "0103", "0104", "0105"))
    assert t.refusal(unload()).rule == "PL-642"
    t.play(drive(t, "0102", number=2))
    assert t.refusal(unload(2)).rule == "PL-642"


@pytest.mark.rule("PL-643")
def test_a_carrier_loads_or_unloads_once_in_a_segment() -> None:
    t = yard(unit("a_truck", "0101"), unit("a_rifle", carrier=0), unit("a_rifle", "0101"))
    t.play(unload())
    assert t.refusal(load(0, 2)).rule == "PL-643"
    assert t.refusal(load(0, 1)).rule == "PL-643"


@pytest.mark.rule("PL-643")
@pytest.mark.parametrize("how", ["loads", "rides", "unloads"])
def test_a_unit_that_loads_rides_or_unloads_neither_moves_fires_nor_assaults(how: str) -> None:
    t = yard(unit("a_ht", "0101"), unit("a_rifle", "0101", carrier=-1 if how == "loads" else 0))
    if how == "rides":
        t.play(drive(t, "0102"))
    else:
        t.play(load() if how == "loads" else unload())
    assert t.unit(1).transported
    t.set(step="foot movement")
    assert t.refusal(drive(t, "0103", number=1)).rule == "PL-643"
    refusal = fire.firing_refusal(t.position, t.unit(1))
    assert refusal is not None
    assert refusal.rule == "PL-643"


@pytest.mark.rule("PL-644", "PL-504", "PL-902")
@pytest.mark.parametrize("state", [{"fired": True}, {"dispersed": 1}])
@pytest.mark.parametrize("number", [0, 1])
def test_who_fired_or_is_dispersed_neither_loads_nor_is_loaded(state: dict[str, Any], number: int) -> None:
    t = yard(unit("a_ht", "0101"), unit("a_rifle", "0101"))
    t.change(number, **state)
    assert t.refusal(load()).rule == "PL-644"


@pytest.mark.rule("PL-644")
def test_nor_does_such_a_carrier_unload() -> None:
    t = yard(unit("a_ht", "0101", fired=True), unit("a_rifle", carrier=0))
    assert t.refusal(unload()).rule == "PL-644"


@pytest.mark.rule("PL-644")
def test_german_armor_that_fired_may_load_and_unload_its_riders_all_the_same() -> None:
    t = yard(
        unit("g_panther", "0101", fired=True),
        unit("g_rifle", "0101"),
        unit("g_panther", "0102", fired=True),
        unit("g_rifle", carrier=2),
        unit("g_ht", "0103", fired=True),
        unit("g_rifle", "0103"),
        phasing=GERMAN,
    )
    t.play(load())
    assert t.refusal(drive(t, "0102")).rule == "PL-602"
    t.play(unload(2))
    assert t.happened(MoveEnded) == [MoveEnded(U(0))]
    assert t.refusal(load(4, 5)).rule == "PL-644"


@pytest.mark.rule("PL-642", "PL-644", "PL-1607")
def test_a_turreted_tank_that_fired_pays_for_loading_out_of_the_half_allowance_it_may_move() -> None:
    def fired(*others: Any) -> Table:
        tank = unit("g_pz4", "0101", fired=True, last_fired=1)
        return yard(tank, unit("g_rifle", "0102"), *others, phasing=GERMAN, options={"turret_fire": True})

    t = fired()
    t.play(drive(t, "0102"))
    assert t.refusal(load()).rule == "PL-642"
    t = fired(unit("g_rifle", "0101"))
    t.play(load(0, 2))
    assert t.refusal(drive(t, "0102")).rule == "PL-603"


def test_a_carrier_in_another_step_or_after_its_move_does_nothing() -> None:
    t = yard(unit("a_truck", "0101", moved=True), unit("a_rifle", "0101"), unit("a_truck", "0101"))
    assert t.refusal(load()).rule == "PL-601"
    t.set(step="foot movement")
    assert t.refusal(load(2, 1)).rule == "PL-506"
    sea = table("O\nB", unit("a_ht", "0101"), unit("a_rifle", carrier=0), step=VEHICLES)
    assert sea.refusal(unload()).rule == "PL-641"


@pytest.mark.rule("PL-401")
def test_a_passenger_is_not_set_down_in_a_full_hex() -> None:
    others = [unit("a_rifle", "0101") for _ in range(3)]
    t = yard(unit("a_truck", "0101"), unit("a_rifle", carrier=0), *others)
    assert t.refusal(unload()).rule == "PL-401"


def test_there_must_be_a_carrier_with_a_passenger_to_unload() -> None:
    t = yard(unit("a_truck", "0101"), unit("g_truck", "0108"), unit("g_rifle", carrier=1))
    for number in (0, 1, 7, -1):
        assert t.refusal(unload(number)).rule == "PL-641"


@pytest.mark.rule("PL-1502")
def test_a_passenger_set_down_takes_the_town_that_a_truck_can_not() -> None:
    t = yard(unit("a_truck", "0101"), unit("a_rifle", "0101"), rows="T\n.")
    t.play(load())
    assert t.happened(ControlTaken) == []
    t.set(mover=None)
    t.play(unload())
    assert t.happened(ControlTaken) == [ControlTaken(t.hex("0101"), ALLIED)]


@pytest.mark.rule("PL-1304")
def test_an_engineer_taken_aboard_gives_its_work_up() -> None:
    t = yard(unit("a_truck", "0101"), unit("a_engineer", "0101"))
    t.set(works=(Work(U(1), "clear", t.hex("0101"), 2),), mines=["0101"])
    t.play(load())
    assert [event.unit for event in t.happened(WorkEnded)] == [1]


# --- what becomes of them -------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-645")
def test_passengers_share_the_defense_the_dispersal_and_the_loss_of_their_carrier() -> None:
    t = yard(unit("a_truck", "0101"), unit("a_rifle", carrier=0), unit("a_ht", "0102"), unit("a_rifle", carrier=2))
    assert [combat.defense_of(t.position, t.unit(number)) for number in (0, 2)] == [1, 3]
    t.run(combat.take_result, 0, "D")
    assert [event.unit for event in t.happened(UnitDispersed)] == [0, 1]
    assert t.unit(1).carrier == 0
    t.run(combat.take_result, 2, "X")
    assert [event.unit for event in t.happened(UnitDestroyed)] == [3, 2]


@pytest.mark.rule("PL-646")
def test_a_rider_on_a_tank_defends_alone_with_one_and_falls_off_when_dispersed() -> None:
    t = yard(unit("g_panther", "0101"), unit("g_rifle", carrier=0))
    assert combat.defense_of(t.position, t.unit(1)) == 1
    assert not combat.defends_as_armored(t.position, t.unit(1))
    t.run(combat.take_result, 1, "D")
    assert (t.unit(0).dispersed, t.unit(1).dispersed, t.unit(1).carrier) == (0, 1, -1)


@pytest.mark.rule("PL-646")
def test_where_that_would_overstack_both_are_dispersed() -> None:
    t = yard(unit("g_panther", "0101"), unit("g_rifle", carrier=0), *(unit("g_smg", "0101") for _ in range(3)))
    t.run(combat.take_result, 1, "D")
    assert (t.unit(0).dispersed, t.unit(1).dispersed, t.unit(1).carrier) == (1, 1, 0)


@pytest.mark.rule("PL-647")
@pytest.mark.parametrize(("others", "carrier"), [(2, -1), (3, 0)])
def test_a_dispersed_tank_disperses_its_rider_who_unloads_unless_that_would_overstack(
    others: int, carrier: int
) -> None:
    t = yard(unit("g_panther", "0101"), unit("g_rifle", carrier=0), *(unit("g_smg", "0101") for _ in range(others)))
    t.run(combat.take_result, 0, "D")
    assert (t.unit(0).dispersed, t.unit(1).dispersed, t.unit(1).carrier) == (1, 1, carrier)


@pytest.mark.rule("PL-648")
def test_a_loaded_halftrack_may_fire_and_trucks_have_no_attack() -> None:
    t = yard(unit("a_ht", "0101"), unit("a_rifle", carrier=0), unit("a_truck", "0101"))
    assert fire.firing_refusal(t.position, t.unit(0)) is None
    refusal = fire.firing_refusal(t.position, t.unit(2))
    assert refusal is not None
    assert refusal.rule == "PL-648"


# --- options --------------------------------------------------------------------------------------------------------


def test_options_offer_who_can_be_taken_aboard_or_set_down() -> None:
    t = table(
        open_board(2, 2),
        unit("a_truck", "0101"),
        unit("a_rifle", "0101"),
        unit("a_57at", "0101"),
        unit("a_ht", "0201"),
        unit("a_rifle", carrier=3),
        unit("a_rifle", "0201"),
        unit("a_truck"),
        step=VEHICLES,
    )
    offered = [options(t, number) for number in (0, 1, 3, 6)]
    assert offered == [[load(0, 1), load(0, 2)], [], [unload(3)], []]
    t.change(3, moved=True)
    assert options(t, 3) == []
    assert movement.reach(t.position, t.unit(0)).cost(t.hex("0102")) == 4
    t.play(load(0, 1))
    t.play(drive(t, "0102"))
    assert t.happened(UnitMoved)[0].mover.handled == "first"
