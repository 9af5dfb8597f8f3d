"""Carriers and their passengers: P44-4.04 to P44-4.06, P44-12.06."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_44.model import ALLIED, LOADED, LOST, OPPORTUNITY, UNLOADED, Plot
from sandtable.rulesets.panzer_44.movement import left_of
from sandtable.rulesets.panzer_44.orders import EndMovement, Load, Move, Unload
from sandtable.rulesets.panzer_44.results import inflict
from sandtable.rulesets.panzer_44.transport import load_options, unload_options
from tests.rulesets.panzer_44.table import Table, U, on_the_move, open_ground, unit


def beside(passenger: str = "g_pzgren", carrier: str = "g_251", **about: Any) -> Table:
    """A carrier and a unit in one hex, both plotted to move."""
    return on_the_move(open_ground(1, 12), unit(carrier, "0101"), unit(passenger, "0101"), **about)


def aboard(**about: Any) -> Table:
    """A carrier with its passenger, both plotted to move."""
    return on_the_move(open_ground(1, 12), unit("g_251", "0101"), unit("g_pzgren", carrier=0), **about)


def down(t: Table, row: int) -> Move:
    return Move(U(0), t.hexes(*(f"01{n:02}" for n in range(2, row + 1))))


@pytest.mark.rule("P44-4.04")
@pytest.mark.rule("P44-4.05")
@pytest.mark.rule("P44-12.06")
def test_loading_takes_two_points_and_the_unit_is_carried_on_at_once() -> None:
    t = beside()
    t.play(Load(U(0), U(1)))
    assert (t.unit(1).carrier, t.unit(1).handled, left_of(t.unit(0))) == (0, LOADED, 16)
    t.play(down(t, 9))
    assert (t.at(0), t.at(1)) == ("0109", "0109")


@pytest.mark.rule("P44-4.04")
@pytest.mark.rule("P44-4.05")
def test_unloading_takes_two_points_and_who_was_set_down_goes_no_farther() -> None:
    t = aboard()
    t.play(down(t, 8))
    t.play(Unload(U(0)))
    assert (t.unit(1).carrier, t.unit(1).handled, left_of(t.unit(0))) == (NOBODY, UNLOADED, 2)
    assert t.at(1) == "0108"
    assert t.refusal(Move(U(1), t.hexes("0109"))).rule == "P44-4.05"


@pytest.mark.rule("P44-4.05")
def test_nobody_is_loaded_and_unloaded_in_one_turn() -> None:
    t = beside()
    t.play(Load(U(0), U(1)))
    assert t.refusal(Unload(U(0))).rule == "P44-4.05"
    t = aboard()
    t.play(Unload(U(0)))
    assert t.refusal(Load(U(0), U(1))).rule == "P44-4.05"


@pytest.mark.rule("P44-4.04")
def test_there_must_be_points_left_for_it() -> None:
    t = aboard()
    t.play(down(t, 10))
    assert t.refusal(Unload(U(0))).rule == "P44-4.04"
    assert list(unload_options(t.position, t.unit(0).side, t.unit(0))) == []


@pytest.mark.rule("P44-4.04")
def test_carriers_take_one_unit_on_foot_or_one_gun() -> None:
    assert beside("g_pak40").check(Load(U(0), U(1))) is None
    assert beside("g_pz4h").refusal(Load(U(0), U(1))).rule == "P44-4.04"
    assert beside("g_gren", "g_pz4h").refusal(Load(U(0), U(1))).rule == "P44-4.04"
    full = on_the_move("..", unit("g_251", "0101"), unit("g_mg", carrier=0), unit("g_gren", "0101"))
    assert full.refusal(Load(U(0), U(2))).rule == "P44-4.04"
    assert list(load_options(full.position, full.unit(0).side, full.unit(0))) == []


@pytest.mark.rule("P44-4.04")
def test_both_need_an_order_to_move_and_stand_in_one_hex() -> None:
    assert beside(plotted=(0,)).refusal(Load(U(0), U(1))).rule == "P44-4.04"
    assert beside(plotted=(1,)).refusal(Load(U(0), U(1))).rule == "P44-5.09"
    apart = on_the_move("..", unit("g_251", "0101"), unit("g_gren", "0201"))
    assert apart.refusal(Load(U(0), U(1))).rule == "P44-4.04"
    assert apart.refusal(Load(U(0), U(7))).rule == "P44-5.04"


@pytest.mark.rule("P44-4.04")
@pytest.mark.parametrize("changes", [{"pinned": True}, {"disruption": 1}, {"panic": "frozen"}])
def test_a_passenger_is_neither_pinned_nor_panicked_nor_disrupted(changes: dict[str, Any]) -> None:
    t = beside()
    t.change(1, **changes)
    assert t.refusal(Load(U(0), U(1))).rule == "P44-4.04"


@pytest.mark.rule("P44-4.05")
def test_who_has_moved_on_his_own_is_not_loaded() -> None:
    t = on_the_move("..", unit("g_251", "0101"), unit("g_gren", "0201"))
    t.play(Move(U(1), t.hexes("0101")))
    assert t.refusal(Load(U(0), U(1))).rule == "P44-4.05"


@pytest.mark.rule("P44-4.01")
def test_nobody_is_set_down_where_three_units_are() -> None:
    t = on_the_move("..", unit("g_251", "0101"), unit("g_gren", carrier=0), unit("g_mg", "0101"), unit("g_mg", "0101"))
    assert t.refusal(Unload(U(0))).rule == "P44-4.01"
    empty = on_the_move("..", unit("g_251", "0101"))
    assert empty.refusal(Unload(U(0))).rule == "P44-4.05"


@pytest.mark.rule("P44-5.09")
def test_loading_and_unloading_count_as_moving() -> None:
    for t, order in ((beside(), Load(U(0), U(1))), (aboard(), Unload(U(0)))):
        assert t.refusal(EndMovement()).rule == "P44-5.09"
        t.play(order)
        assert t.check(EndMovement()) is None


@pytest.mark.rule("P44-4.05")
def test_a_passenger_goes_where_its_carrier_goes_and_needs_no_order() -> None:
    t = aboard(plotted=(0,))
    t.play(down(t, 3))
    assert t.at(1) == "0103"
    assert aboard().refusal(Move(U(1), ())).rule == "P44-4.05"


@pytest.mark.rule("P44-4.06")
@pytest.mark.parametrize(
    ("result", "field", "value"), [("Pin", "pinned", True), ("P", "delayed", True), ("D2", "disruption", 2)]
)
def test_what_befalls_the_carrier_befalls_its_passenger(result: str, field: str, value: object) -> None:
    t = aboard()
    t.run(inflict, U(0), result)
    assert (getattr(t.unit(0), field), getattr(t.unit(1), field)) == (value, value)


@pytest.mark.rule("P44-4.06")
def test_a_destroyed_carrier_destroys_its_passenger() -> None:
    t = aboard()
    t.run(inflict, U(0), "D4")
    assert (t.unit(0).fate, t.unit(1).fate) == (LOST, LOST)


@pytest.mark.rule("P44-8.03")
@pytest.mark.parametrize(("make", "order"), [(beside, Load(U(0), U(1))), (aboard, Unload(U(0)))])
def test_who_loads_or_unloads_in_sight_may_be_fired_at(make: Any, order: Any) -> None:
    t = on_the_move(
        open_ground(1, 4),
        unit("g_251", "0101"),
        unit("g_pzgren", "0101") if make is beside else unit("g_pzgren", carrier=0),
        unit("u_m4", "0104"),
        plots=(Plot(ALLIED, OPPORTUNITY, U(2)),),
    )
    t.play(order, passing=False)
    assert (t.asked, t.decider) == ("opportunity", ALLIED)
