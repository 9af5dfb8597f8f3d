"""Phase 1: orders written in secret, sealed and opened together. P44-5.03 to P44-5.08."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.events import Order
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_44.events import OrderVoid, PlotsOpened
from sandtable.rulesets.panzer_44.model import (
    ALLIED,
    CLEARING,
    DIGGING,
    DIRECT,
    GERMAN,
    INDIRECT,
    LOOSE,
    MISSION,
    MOVE,
    OPPORTUNITY,
    SORTIE,
    TIGHT,
    Battery,
    Plot,
    Sortie,
)
from sandtable.rulesets.panzer_44.orders import (
    PlotClear,
    PlotDig,
    PlotDirectFire,
    PlotIndirectFire,
    PlotMission,
    PlotMove,
    PlotOpportunityFire,
    PlotSortie,
    SealPlot,
    Unplot,
    UnplotSupport,
)
from sandtable.rulesets.panzer_44.plots import plot_of
from sandtable.rulesets.panzer_44.plotting import commitment, direct_options, in_vain, open_plots, unplotted
from tests.rulesets.panzer_44.table import RULES, Counter, Table, U, open_ground, table, unit


def plotting(*units: Counter, rows: str = "", **about: Any) -> Table:
    """The table at the start of a turn, with the enemy at the far end of a column."""
    return table(rows or open_ground(2, 9), *units, step="plot", **about)


def facing(kind: str = "u_m4", **changes: Any) -> Table:
    """An Allied unit that sees a Panzer IV three hexes away; the Germans have sealed nothing yet."""
    return plotting(unit(kind, "0101", "allied", **changes), unit("g_pz4h", "0104"))


def rule(t: Table, order: Order, side: str = "allied") -> str:
    """The rule that an order breaks, empty when it is lawful."""
    refusal = t.check(order, side)
    return refusal.rule if refusal else ""


# --- who may be given which order -----------------------------------------------------------------------------------


@pytest.mark.rule("P44-5.03")
@pytest.mark.rule("P44-5.04")
def test_a_unit_has_one_order_and_a_new_one_takes_the_place_of_the_old() -> None:
    t = facing()
    t.play(PlotDirectFire((U(0),), t.hex("0104")), side=ALLIED)
    assert plot_of(t.position, U(0)) == Plot(ALLIED, DIRECT, U(0), t.hex("0104"))
    t.play(PlotMove((U(0),)), side=ALLIED)
    assert t.position.plots == (Plot(ALLIED, MOVE, U(0)),)
    t.play(PlotOpportunityFire((U(0),)), side=ALLIED)
    assert t.position.plots == (Plot(ALLIED, OPPORTUNITY, U(0)),)
    t.play(Unplot(U(0)), side=ALLIED)
    assert not t.position.plots
    assert rule(t, Unplot(U(0))) == "P44-5.04"


@pytest.mark.rule("P44-5.03")
def test_several_units_are_given_one_order_together() -> None:
    t = plotting(unit("u_m4", "0101"), unit("u_m4", "0201"), unit("g_pz4h", "0104"))
    t.play(PlotMove((U(0), U(1))), side=ALLIED)
    assert [plot.unit for plot in t.position.plots] == [0, 1]
    assert rule(t, PlotMove(())) == rule(t, PlotMove((U(0), U(0)))) == "P44-5.04"
    assert rule(t, PlotMove((U(2),))) == "P44-5.04"


@pytest.mark.rule("P44-5.07")
@pytest.mark.rule("P44-10.03")
def test_disrupted_units_receive_no_order() -> None:
    t = facing(disruption=1)
    for order in (PlotMove((U(0),)), PlotDirectFire((U(0),), t.hex("0104")), PlotOpportunityFire((U(0),))):
        assert rule(t, order) == "P44-5.07"


@pytest.mark.rule("P44-5.07")
def test_a_pinned_unit_may_be_plotted_to_fire_but_not_to_move() -> None:
    t = facing(pinned=True)
    assert rule(t, PlotMove((U(0),))) == "P44-5.07"
    assert rule(t, PlotDirectFire((U(0),), t.hex("0104"))) == ""


@pytest.mark.rule("P44-8.01")
@pytest.mark.rule("P44-3.05")
@pytest.mark.rule("P44-7.01")
def test_direct_fire_is_plotted_at_a_hex_in_range_and_sight_whoever_is_there() -> None:
    t = plotting(unit("u_m5", "0101"), unit("g_pz4h", "0104"), rows=".\n.\n.\n.\n.\n.\n.\n.")
    assert rule(t, PlotDirectFire((U(0),), t.hex("0103"))) == ""
    assert rule(t, PlotDirectFire((U(0),), t.hex("0108"))) == "P44-3.05"
    assert rule(t, PlotDirectFire((U(0),), HexId(0))) == "P44-1.04"
    woods = plotting(unit("u_m5", "0101"), rows=".\nW\n.")
    assert rule(woods, PlotDirectFire((U(0),), woods.hex("0103"))) == "P44-7.01"


@pytest.mark.rule("P44-8.01")
@pytest.mark.rule("P44-8.10")
def test_what_would_be_wasted_is_told_and_not_offered() -> None:
    t = plotting(unit("u_m4", "0101"), unit("g_gren", "0103"), unit("g_tiger2", "0109"))
    empty, dear = in_vain(t.position, t.unit(0), t.hex("0102")), in_vain(t.position, t.unit(0), t.hex("0109"))
    assert empty is not None
    assert dear is not None
    assert (empty.rule, dear.rule) == ("P44-8.01", "P44-8.10")
    assert [t.board.label(order.hex) for order in direct_options(t.position, ALLIED, t.unit(0))] == ["0103"]


@pytest.mark.rule("P44-3.01")
def test_who_has_no_weapon_is_not_plotted_to_fire() -> None:
    assert rule(facing("u_truck"), PlotOpportunityFire((U(0),))) == "P44-3.01"


@pytest.mark.rule("P44-3.03")
@pytest.mark.rule("P44-4.04")
def test_a_gun_is_plotted_to_move_only_where_somebody_could_tow_it() -> None:
    alone = plotting(unit("u_57", "0101"))
    assert rule(alone, PlotMove((U(0),))) == "P44-3.03"
    towed = plotting(unit("u_57", "0101"), unit("u_truck", "0101"))
    assert rule(towed, PlotMove((U(0),))) == ""


@pytest.mark.rule("P44-4.05")
def test_a_passenger_is_plotted_to_move_and_not_to_fire() -> None:
    t = plotting(unit("u_m3", "0101"), unit("u_arminf", carrier=0), unit("u_81", "0201"))
    assert rule(t, PlotMove((U(1),))) == ""
    assert rule(t, PlotOpportunityFire((U(1),))) == "P44-4.05"


@pytest.mark.rule("P44-15.04")
@pytest.mark.rule("P44-5.04")
def test_with_the_option_infantry_fires_from_a_halftrack_that_does_not_move() -> None:
    mounted = {"mounted_fire": True}
    t = plotting(unit("u_m3", "0101"), unit("u_arminf", carrier=0), options=mounted)
    t.play(PlotMove((U(0),)), side=ALLIED)
    assert rule(t, PlotOpportunityFire((U(1),))) == "P44-5.04"
    t.play(Unplot(U(0)), side=ALLIED)
    t.play(PlotOpportunityFire((U(1),)), side=ALLIED)
    assert rule(t, PlotMove((U(0),))) == "P44-5.04"
    truck = plotting(unit("u_truck", "0101"), unit("u_rifle", carrier=0), options=mounted)
    assert rule(truck, PlotOpportunityFire((U(1),))) == "P44-4.05"
    gun = plotting(unit("u_m3", "0101"), unit("u_57", carrier=0), options=mounted)
    assert rule(gun, PlotOpportunityFire((U(1),))) == "P44-15.04"


@pytest.mark.rule("P44-8.06")
@pytest.mark.rule("P44-11.01")
def test_indirect_fire_is_for_howitzers_and_mortars_in_range_with_a_pattern() -> None:
    t = plotting(unit("u_81", "0101"), unit("u_m4", "0201"), unit("u_m3", "0102"), unit("u_81", carrier=2),
                 rows=open_ground(2, 15))  # fmt: skip
    assert rule(t, PlotIndirectFire(U(0), t.hex("0113"), LOOSE)) == ""
    assert rule(t, PlotIndirectFire(U(0), t.hex("0114"))) == "P44-3.05"
    assert rule(t, PlotIndirectFire(U(0), t.hex("0105"), "wide")) == "P44-11.01"
    assert rule(t, PlotIndirectFire(U(1), t.hex("0105"))) == "P44-8.06"
    assert rule(t, PlotIndirectFire(U(3), t.hex("0105"))) == "P44-4.05"
    t.play(PlotIndirectFire(U(0), t.hex("0105"), LOOSE), side=ALLIED)
    assert t.position.plots == (Plot(ALLIED, INDIRECT, U(0), t.hex("0105"), LOOSE),)


@pytest.mark.rule("P44-13.05")
@pytest.mark.rule("P44-13.07")
def test_only_engineers_clear_mines_and_dig() -> None:
    t = plotting(
        unit("u_eng", "0101"), unit("u_rifle", "0201"), mines={"0102": "hasty", "0105": "hasty"}, positions=("0201",)
    )
    t.play(PlotClear(U(0), t.hex("0102")), side=ALLIED)
    assert t.position.plots == (Plot(ALLIED, CLEARING, U(0), t.hex("0102")),)
    t.play(PlotDig(U(0)), side=ALLIED)
    assert t.position.plots == (Plot(ALLIED, DIGGING, U(0)),)
    assert rule(t, PlotClear(U(0), t.hex("0105"))) == rule(t, PlotClear(U(0), t.hex("0103"))) == "P44-13.05"
    assert rule(t, PlotClear(U(1), t.hex("0102"))) == rule(t, PlotDig(U(1))) == "P44-13.05"
    t.change(0, hex=t.hex("0201"))
    assert rule(t, PlotDig(U(0))) == "P44-13.07"


@pytest.mark.rule("P44-11.09")
@pytest.mark.rule("P44-11.10")
def test_batteries_and_sorties_are_plotted_on_any_hex_while_they_last() -> None:
    t = plotting(
        unit("u_rifle", "0101"),
        batteries=(Battery("guns", ALLIED, "oba_105", 1, 1), Battery("spent", ALLIED, "oba_105", 1, 0)),
        sorties=(Sortie("flight", ALLIED, "cas_p47"), Sortie("home", ALLIED, "cas_p47", flown=True)),
    )
    t.play(PlotMission("guns", t.hex("0109")), side=ALLIED)
    t.play(PlotSortie("flight", t.hex("0109")), side=ALLIED)
    assert [(plot.kind, plot.support) for plot in t.position.plots] == [(SORTIE, "flight"), (MISSION, "guns")]
    assert rule(t, PlotMission("spent", t.hex("0109"))) == rule(t, PlotMission("none", t.hex("0109"))) == "P44-11.09"
    assert rule(t, PlotMission("guns", t.hex("0109"), "wide")) == "P44-11.01"
    assert rule(t, PlotSortie("home", t.hex("0109"))) == "P44-11.10"
    assert rule(t, PlotMission("guns", t.hex("0109")), "german") == "P44-11.09"
    t.play(UnplotSupport("guns"), side=ALLIED)
    assert [plot.support for plot in t.position.plots] == ["flight"]
    assert rule(t, UnplotSupport("guns")) == "P44-5.04"


# --- sealing and opening --------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-5.08")
@pytest.mark.rule("P44-5.03")
def test_neither_side_sees_anything_of_the_others_plot_before_both_are_sealed() -> None:
    t = facing()
    t.play(PlotMove((U(0),)), side=ALLIED)
    blind = RULES.view(t.state, GERMAN).position
    assert blind.plots == ()
    t.play(SealPlot("secret"), side=ALLIED)
    blind = RULES.view(t.state, GERMAN).position
    assert (blind.plots, dict(blind.sealed), dict(blind.nonces)) == ((), {}, {})
    assert t.decider == GERMAN


@pytest.mark.rule("P44-5.08")
@pytest.mark.rule("P44-5.01")
def test_when_both_are_sealed_the_plots_are_opened_and_held_against_their_commitments() -> None:
    t = facing()
    t.play(PlotMove((U(0),)), side=ALLIED)
    t.play(PlotOpportunityFire((U(1),)), side=GERMAN)
    mine = commitment(t.position, ALLIED, "secret")
    t.play(SealPlot("secret"), side=ALLIED)
    t.play(SealPlot(), side=GERMAN)
    (opened,) = t.happened(PlotsOpened)
    assert opened.commitments[ALLIED] == mine
    assert {plot.kind for plot in opened.plots} == {MOVE, OPPORTUNITY}
    assert t.asked == "movement"


@pytest.mark.rule("P44-5.08")
def test_a_plot_is_bound_by_its_commitment() -> None:
    t = facing()
    plots = (Plot(ALLIED, MOVE, U(0)), Plot(GERMAN, MOVE, U(1)))
    t.set(plots=plots)
    bound = {side: commitment(t.position, side, "") for side in (ALLIED, GERMAN)}
    t.set(sealed={**bound, ALLIED: "something else"}, nonces={ALLIED: "", GERMAN: ""})
    t.run(open_plots)
    assert [(event.side, event.rule) for event in t.happened(OrderVoid)] == [(ALLIED, "P44-5.08")]
    assert t.position.plots == (Plot(GERMAN, MOVE, U(1)),)


@pytest.mark.rule("P44-5.08")
@pytest.mark.parametrize(
    ("plot", "void"),
    [
        (Plot(GERMAN, DIRECT, U(0)), "P44-1.04"),
        (Plot(GERMAN, OPPORTUNITY, U(2)), "P44-3.01"),
        (Plot(GERMAN, INDIRECT, U(0), HexId(5), TIGHT), "P44-8.06"),
        (Plot(GERMAN, MOVE, U(1)), "P44-5.07"),
        (Plot(GERMAN, CLEARING, U(0), HexId(5)), "P44-13.05"),
        (Plot(GERMAN, DIGGING, U(0)), "P44-13.05"),
        (Plot(GERMAN, MISSION, hex=HexId(5), pattern=TIGHT, support="guns"), "P44-11.09"),
        (Plot(GERMAN, SORTIE, hex=HexId(5), support="flight"), "P44-11.10"),
        (Plot(GERMAN, MOVE, U(0)), ""),
    ],
)
def test_an_order_that_is_not_lawful_becomes_no_order(plot: Plot, void: str) -> None:
    t = plotting(unit("g_pz4h", "0101"), unit("g_pz4h", "0102", pinned=True), unit("g_truck", "0103"))
    t.set(plots=(plot,))
    t.set(sealed={GERMAN: commitment(t.position, GERMAN, "")}, nonces={GERMAN: ""})
    t.run(open_plots)
    assert [event.rule for event in t.happened(OrderVoid)] == ([void] if void else [])
    assert t.position.plots == (() if void else (plot,))


@pytest.mark.rule("P44-5.08")
def test_a_nonce_has_its_bounds() -> None:
    assert rule(facing(), SealPlot("x" * 201)) == "P44-5.08"


@pytest.mark.rule("P44-5.04")
def test_units_without_an_order_are_known() -> None:
    t = plotting(
        unit("u_m4", "0101"), unit("u_m3", "0102"), unit("u_rifle", carrier=1), unit("u_truck", "0103", pinned=True)
    )
    assert [one.id for one in unplotted(t.position, ALLIED)] == [0, 1]
    t.play(PlotMove((U(0),)), side=ALLIED)
    assert [one.id for one in unplotted(t.position, ALLIED)] == [1]
