"""Columns on the road."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.ids import HexId
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles.model import ALLIED
from sandtable.rulesets.panzer_battles.movement import columns
from sandtable.rulesets.panzer_battles.movement.orders import MoveColumn
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from tests.rulesets.panzer_battles.table import RULES, AllHighest, Table, U, table, unit

ROAD = "\n".join(["." * 12] * 2)
WAY = {"primary": [[f"{column:02}01" for column in range(1, 13)]]}


def road(*units: Any, **drawn: Any) -> Table:
    return table(ROAD, *units, **{"roads": WAY, "visibility": [1], **drawn})


def march(t: Table, start: str, goal: str) -> MoveColumn:
    return columns.plan(t.known(ALLIED), ALLIED, t.hex(start), t.hex(goal))


@pytest.mark.rule("PB-MOVE-120", "PB-MOVE-121")
def test_the_units_of_a_division_follow_each_other_and_nobody_passes_who_is_ahead() -> None:
    t = road(
        unit("us_m4", "0101", strength=15),
        unit("us_m4", "0201", strength=15),
        unit("us_m4", "0301", mp=8, mode="travel", strength=15),
    )
    order = march(t, "0101", "1201")
    assert order.units == (2, 1, 0)
    t.play(order, AllHighest())
    assert [t.unit(number).mode for number in (0, 1, 2)] == ["travel"] * 3
    # the head has points for two hexes of road, and 300 men-equivalents do not fit on it: everybody closes up
    assert [t.at(number) for number in (2, 1, 0)] == ["0501", "0401", "0301"]
    assert "march in column" in RULES.order_text(order, t.view())


@pytest.mark.rule("PB-MOVE-121")
def test_who_has_no_points_stays_and_leaves_a_gap() -> None:
    t = road(
        unit("us_m4", "0101", strength=5), unit("us_m4", "0201", mp=0, strength=5), unit("us_m4", "0301", strength=5)
    )
    order = march(t, "0101", "1201")
    assert order.units == (2, 0)
    t.play(order, AllHighest())
    assert (t.at(2), t.at(1)) == ("1201", "0201")


@pytest.mark.rule("PB-MOVE-122")
def test_hexes_with_several_divisions_end_the_column() -> None:
    t = road(unit("us_m4", "0101"), unit("us_m4", "0201"), unit("us_m4", "0201"), unit("us_m4", "0301"))
    t.change(2, formation="company", side=ALLIED)
    assert [one.id for one in columns.members(t.known(ALLIED), ALLIED, t.hex("0101"), t.hex("1201"))] == [3, 1, 2, 0]
    t.change(2, formation="regiment")
    assert [one.id for one in columns.members(t.known(ALLIED), ALLIED, t.hex("0101"), t.hex("1201"))] == [0]
    assert columns.members(t.known(ALLIED), ALLIED, t.hex("0201"), t.hex("1201")) == []


@pytest.mark.rule("PB-MOVE-123")
def test_a_column_may_be_led_hex_by_hex() -> None:
    t = road(unit("us_m4", "0101", strength=5), unit("us_m4", "0201", strength=5))
    t.play(march(t, "0101", "0301"), AllHighest())
    assert (t.at(1), t.at(0)) == ("0301", "0301")
    t.play(march(t, "0301", "0402"), AllHighest())
    assert (t.at(1), t.at(0)) == ("0402", "0402")


def test_columns_that_can_not_be() -> None:
    t = road(unit("us_m4", "0101"), unit("us_m4", "0201"), unit("de_rifle_coy", "1202"))
    nobody = MoveColumn((), ())
    assert t.refusal(nobody).rule == "PB-MOVE-120"
    assert t.refusal(MoveColumn((U(2),), (t.hexes("1201"),))).rule == "PB-GEN-3"
    assert t.refusal(MoveColumn((U(0),), (t.hexes("0701"),))).rule == "PB-MOVE-2"
    assert t.refusal(MoveColumn((U(0),), (t.hexes("0201"), (HexId(1),)))).rule == "PB-MOVE-120"


def test_the_menu_offers_marches_to_road_hexes() -> None:
    t = road(unit("us_m4", "0101"), unit("us_m4", "0201"), unit("us_m4", "0602"))
    verbs = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(1),)))}
    assert t.hex("1201") in {target.hex for target in verbs["column"].targets}
    alone = {verb.key: verb for verb in RULES.menu(t.view(), Selection(units=(U(2),)))}
    assert not alone["column"].targets
    order = BOOK.of(MoveColumn((), ())).point(t.known(ALLIED), ALLIED, [t.unit(1)], Selection(hex=t.hex("1201")))
    assert order == march(t, "0201", "1201")
    nowhere = BOOK.of(MoveColumn((), ())).point(t.known(ALLIED), ALLIED, [t.unit(1)], Selection(hex=t.hex("1202")))
    assert isinstance(nowhere, Refusal)


@pytest.mark.rule("PB-MOVE-121")
def test_who_finds_the_way_full_or_is_lost_on_it_goes_no_further() -> None:
    t = road(unit("us_m4", "0101", strength=30), unit("us_m4", "0201", strength=30))
    order = MoveColumn((U(1), U(0)), (t.hexes("0301"), t.hexes("0201", "0301")))
    assert t.refusal(order).rule == "PB-STK-2"
    t.change(1, fixed=True)
    assert columns._open_way(t.position, ALLIED, U(0), t.hexes("0201", "0301")) == ()
    t.change(1, hex=0)
    assert columns._open_way(t.position, ALLIED, U(0), t.hexes("0201", "0301")) == t.hexes("0201", "0301")


@pytest.mark.rule("PB-MOVE-121", "PB-MOVE-14")
def test_a_column_whose_head_runs_into_an_enemy_stops_behind_it() -> None:
    t = table(
        ". . F . .",
        unit("us_m4", "0101", strength=30),
        unit("us_m4", "0201", strength=30),
        unit("de_rifle_coy", "0301", concealed=True),
        roads={"primary": [["0101", "0201", "0301", "0401", "0501"]]},
        visibility=[1],
        parameters={"stacking": {"road": 400}},
    )
    order = march(t, "0101", "0501")
    assert order.units == (1, 0)
    t.play(order, AllHighest())
    assert (t.at(1), t.at(0)) == ("0201", "0101")


def test_who_is_lost_marches_no_more() -> None:
    t = road(unit("us_m4", "0101"))
    t.change(0, hex=0)
    assert columns._open_way(t.position, ALLIED, U(0), t.hexes("0201")) == ()


@pytest.mark.rule("PB-MOVE-121")
def test_a_column_marches_by_the_way_and_not_by_the_crow() -> None:
    t = table(
        ". ~ .\n. ~ .\n. . .",
        unit("us_m4", "0101", strength=5),
        unit("us_m4", "0102", strength=5),
        unit("us_m4", "0103", strength=5),
        visibility=[1],
    )
    assert t.board.distance(t.hex("0101"), t.hex("0301")) < t.board.distance(t.hex("0103"), t.hex("0301"))
    assert [one.id for one in columns.members(t.known(ALLIED), ALLIED, t.hex("0101"), t.hex("0301"))] == [2, 1, 0]


@pytest.mark.rule("PB-MOVE-120", "PB-OPF-1")
def test_the_forecast_of_a_march_is_that_of_its_moves() -> None:
    t = road(unit("us_m4", "0101"), unit("us_m4", "0201"))
    found = RULES.odds(t.view(), march(t, "0101", "0501"))
    assert found is not None
    assert [one.result for one in found.branches] == ["moves to 0501"]
    assert (found.dice, found.exact, found.reactions) == (0, True, ())
    watched = road(unit("us_m4", "0101"), unit("us_m4", "0201"), unit("de_pak40", "0602"), visibility=[8])
    risky = RULES.odds(watched.view(), march(watched, "0101", "0501"))
    assert risky is not None
    assert {one.actors for one in risky.reactions} == {(U(2),)}
    assert risky.arrival is not None
    assert risky.arrival.at_least != "1"
