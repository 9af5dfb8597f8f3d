"""Who is where, and how many may be."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_leader import stacks
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN
from sandtable.rulesets.panzer_leader.pieces import with_unit
from tests.rulesets.panzer_leader.table import Table, U, open_board, table, unit


def crowded() -> Table:
    return table(
        open_board(2, 3),
        unit("g_pz4", "0101"),
        unit("g_rifle", carrier=0),
        unit("n_fort20", "0101"),
        unit("g_rifle", fort=2),
        unit("g_smg", fort=2),
        unit("a_rifle", "0102"),
        unit("n_tbridge", "0103", GERMAN),
        unit("g_rifle"),
    )


@pytest.mark.rule("PL-401")
@pytest.mark.parametrize(("units", "room"), [(0, True), (3, True), (4, False)])
def test_at_most_four_units_stand_in_a_hex(units: int, room: bool) -> None:
    t = table(open_board(1, 1), *(unit("a_rifle", "0101") for _ in range(units)))
    assert stacks.has_room(t.position, t.hex("0101")) == room
    assert stacks.has_room(t.position, t.hex("0101"), 4) == (units == 0)


@pytest.mark.rule("PL-402", "PL-403", "PL-404", "PL-909")
def test_passengers_and_garrisons_do_not_count_and_wrecks_blocks_and_forts_do() -> None:
    t = crowded()
    assert stacks.height(t.position, t.hex("0101")) == 2  # the tank with its rider, the fort with its garrison
    t.set(wrecks={"0101": 1}, blocks=["0101"], mines=["0101"])
    assert stacks.height(t.position, t.hex("0101")) == 4
    assert stacks.height(t.position, t.hex("0103")) == 0  # a tank bridge is what one stands on


@pytest.mark.rule("PL-605", "PL-907", "PL-1323")
def test_enemies_bar_the_way_but_an_empty_fort_and_a_bridge_do_not() -> None:
    t = crowded()
    assert stacks.has_enemy(t.position, t.hex("0101"), ALLIED)
    assert not stacks.has_enemy(t.position, t.hex("0101"), GERMAN)
    assert not stacks.has_enemy(t.position, t.hex("0103"), ALLIED)
    fort = table(open_board(1, 1), unit("n_fort20", "0101"), unit("g_rifle", fort=0, dispersed=1))
    assert stacks.has_enemy(fort.position, fort.hex("0101"), ALLIED)
    fort.change(1, hex=0, fort=-1)
    assert not stacks.has_enemy(fort.position, fort.hex("0101"), ALLIED)


def test_the_units_of_a_hex_are_found_whole_by_side_and_by_counter() -> None:
    t = crowded()
    place = t.hex("0101")
    assert [u.id for u in stacks.units_at(t.position, place)] == [0, 1, 2, 3, 4]
    assert [u.id for u in stacks.side_at(t.position, place, GERMAN)] == [0, 1, 2, 3, 4]
    assert stacks.side_at(t.position, place, ALLIED) == ()
    assert [u.id for u in stacks.counters_at(t.position, place, GERMAN)] == [0, 2]
    assert stacks.units_at(t.position, t.hex("0201")) == ()
    assert [u.id for u in stacks.active(t.position, GERMAN)] == [0, 1, 2, 3, 4, 6]


def test_an_order_may_hold_any_number_but_only_own_units_on_the_table_answer_to_it() -> None:
    t = crowded()
    named = [stacks.own_unit(t.position, GERMAN, U(number)) for number in (0, 5, 7, 8, -1)]
    assert named == [t.unit(0), None, None, None, None]


def test_carriers_forts_and_what_they_hold_are_found() -> None:
    t = crowded()
    rider = stacks.passenger_of(t.position, U(0))
    assert rider is not None
    assert rider.id == 1
    assert stacks.passenger_of(t.position, U(5)) is None
    waiting = with_unit(with_unit(t.position, U(0), hex=0), U(1), hex=0)
    assert stacks.passenger_of(waiting, U(0)) is None
    assert [one.id for one in stacks.passengers_of(waiting, U(0))] == [1]
    afoot = with_unit(waiting, U(1), carrier=NOBODY)
    assert stacks.passengers_of(afoot, U(0)) == []
    assert [u.id for u in stacks.garrison(t.position, U(2))] == [3, 4]
    fort = stacks.fort_at(t.position, t.hex("0101"))
    assert fort is not None
    assert fort.id == 2
    assert stacks.fort_at(t.position, t.hex("0102")) is None


def test_the_map_of_stacks_is_remembered_and_right_after_every_change() -> None:
    t = crowded()
    assert stacks.stacks(t.position) is stacks.stacks(t.position)
    position = t.position
    moves = [(5, "0101"), (5, "0203"), (0, "0203"), (1, "0203"), (7, "0101"), (5, ""), (2, "0102"), (0, "0101")]
    for number, label in moves:
        position = with_unit(position, U(number), hex=t.hex(label) if label else 0)
        expected: dict[int, list[int]] = {}
        for u in position.units:
            if u.hex:
                expected.setdefault(u.hex, []).append(u.id)
        found = {place: [u.id for u in stack] for place, stack in stacks.stacks(position).items()}
        assert found == expected


def test_when_everybody_moves_at_once_the_map_is_made_anew() -> None:
    t = table(open_board(2, 3), *(unit("a_rifle", "0101") for _ in range(stacks.MANY + 1)))
    assert len(stacks.units_at(t.position, t.hex("0101"))) == stacks.MANY + 1
    units = tuple(msgspec.structs.replace(u, hex=t.hex("0103")) for u in t.position.units)
    position = msgspec.structs.replace(t.position, units=units)
    assert len(stacks.units_at(position, t.hex("0103"))) == stacks.MANY + 1


@pytest.mark.rule("PL-1323", "PL-1333")
def test_a_fort_that_changes_hands_and_a_bridge_that_is_laid_are_known_at_once() -> None:
    t = table("..S", unit("a_rifle", "0101"), unit("n_fort20", "0201", GERMAN), unit("n_tbridge", hex=0))
    assert [u.id for u in stacks.active(t.position, GERMAN)] == [1]
    taken = with_unit(t.position, U(1), side=ALLIED)
    assert [u.id for u in stacks.active(taken, ALLIED)] == [0, 1]
    assert stacks.active(taken, GERMAN) == ()
    laid = with_unit(taken, U(2), hex=t.hex("0301"), fate="", side=ALLIED)
    assert stacks.occupancy(taken).bridges == frozenset()
    assert stacks.occupancy(laid).bridges == {t.hex("0301")}
