"""Readings of rules whose text was open: each is settled in one sentence of the catalogue, and held here."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_leader import artillery, victory
from sandtable.rulesets.panzer_leader.events import AircraftShotAt, UnitMoved, UnitUnloaded
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow
from sandtable.rulesets.panzer_leader.model import ALLIED, DESTROYED, GERMAN
from sandtable.rulesets.panzer_leader.orders import (
    FireAtAircraft,
    MoveUnit,
    Overrun,
    OverrunRun,
    UnloadUnit,
)
from sandtable.rulesets.panzer_leader.workings import Barrage
from tests.rulesets.panzer_leader.table import U, ids, open_board, plane, table, unit


@pytest.mark.rule("PL-1107")
def test_a_tank_bridge_and_a_fort_are_counters_among_those_that_shells_hit_and_a_bridge_of_the_map_is_not() -> None:
    guns = unit("g_105", "0101"), unit("g_105", "0101")
    t = table("." * 9 + "R", *guns, unit("n_tbridge", "1001", side=ALLIED), unit("a_m4_75", "1001"))
    attacks = artillery.bombardment(t.position, Barrage(t.hex("1001"), ids(0, 1)))
    assert [(attack.targets, int(attack.strength)) for attack in attacks] == [(ids(2), 10), (ids(3), 20)]
    on_map = table("." * 9 + "R", *guns, unit("a_m4_75", "1001"), features={"bridge": ["1001"]})
    (alone,) = artillery.bombardment(on_map.position, Barrage(on_map.hex("1001"), ids(0, 1)))
    assert (alone.targets, int(alone.strength)) == (ids(2), 40)
    fort = table(
        "." * 10, *guns, unit("n_fort20", "1001", side=ALLIED), unit("a_rifle", fort=2), unit("a_rifle", "1001")
    )
    hit = artillery.bombardment(fort.position, Barrage(fort.hex("1001"), ids(0, 1)))
    assert [attack.targets for attack in hit] == [ids(2), ids(4)]


@pytest.mark.rule("PL-1305", "PL-1333")
def test_the_price_of_leaving_is_added_to_the_cost_of_the_hex_entered() -> None:
    t = table(". .", unit("b_flail", "0101"), step="vehicle movement", mines=["0101"])
    t.play(MoveUnit(U(0), t.hexes("0201")))
    (moved,) = t.happened(UnitMoved)
    assert moved.mover.spent == 8 + 2  # half of 8 points and one for the clear hex, in halves
    layer = unit("b_bridge", "0101"), unit("n_tbridge", side=ALLIED)
    t = table("R .", *layer, step="vehicle movement")
    t.play(MoveUnit(U(0), t.hexes("0201")))
    (moved,) = t.happened(UnitMoved)
    assert moved.mover.spent == 6 + 2


@pytest.mark.rule("PL-1503")
def test_a_fort_with_units_inside_counts_through_them() -> None:
    t = table("T.", unit("n_fort30", "0101"), unit("g_rifle", fort=0))
    t.run(victory.take_control, t.hex("0101"), GERMAN)
    assert t.position.control == {t.hex("0101"): GERMAN}
    lost = table("..", unit("n_fort30", fate=DESTROYED), unit("g_rifle", fate=DESTROYED))
    assert victory.losses(lost.position, GERMAN) == 1


@pytest.mark.rule("PL-1601")
def test_points_spent_on_unloading_do_not_count_for_opportunity_fire() -> None:
    """A truck that spends half of its 14 points on unloading in full view gives nobody a chance."""
    counters = unit("a_truck", "0101"), unit("a_rifle", carrier=0), unit("g_88", "0105")
    t = table(open_board(1, 5), *counters, step="vehicle movement", options={"opportunity_fire": True})
    t.play(UnloadUnit(U(0)))
    assert not isinstance(t.state.flow[-1], OpportunityWindow)
    assert t.position.mover is not None
    assert (t.position.mover.spent, t.position.mover.exposure) == (14, {})


@pytest.mark.rule("PL-1606")
def test_dropping_off_before_an_overrun_costs_nothing_more() -> None:
    counters = unit("g_panther", "0101"), unit("g_rifle", carrier=0), unit("a_rifle", "0103")
    options = {"panzerblitz_assault": True}
    spent = []
    for drop in ((), ids(1)):
        t = table(open_board(1, 5), *counters, step="vehicle movement", phasing=GERMAN, options=options)
        t.play(Overrun(t.hex("0103"), (OverrunRun(U(0), t.hexes("0102", "0103", "0104")),), drop), dice=[6])
        assert len(t.happened(UnitUnloaded)) == len(drop)
        spent.append(t.happened(UnitMoved)[-1].mover.spent)
    assert spent == [6, 6]


@pytest.mark.rule("PL-1608")
def test_a_gun_fires_at_aircraft_all_around() -> None:
    fields: dict[str, Any] = {
        "step": "anti-aircraft",
        "options": {"field_of_fire": True},
        "aircraft": [plane("p47", "0101")],
    }
    t = table(open_board(1, 5), unit("g_20quad", "0104", facing=3), **fields)
    t.play(FireAtAircraft(ids(0), U(0)), dice=[6])
    assert len(t.happened(AircraftShotAt)) == 1
