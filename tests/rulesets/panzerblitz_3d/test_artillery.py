"""Batteries behind the map: secret plots, observers, scatter, and what the shells do."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzerblitz_3d import artillery
from sandtable.rulesets.panzerblitz_3d.events import AttackFailed, AttackRolled, BatteryFired, HexShelled
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, GERMAN, RUSSIAN, BatteryState, Plot
from sandtable.rulesets.panzerblitz_3d.orders import CancelPlot, PlotFire, SealPlot
from sandtable.rulesets.panzerblitz_3d.sight import sees
from tests.rulesets.panzerblitz_3d.table import Counter, Table, open_ground, table, unit

GUNS = (
    BatteryState(0, "ob_105", GERMAN, 4),
    BatteryState(1, "ob_150", GERMAN, 1),
    BatteryState(2, "ob_122", RUSSIAN, 4),
)


def shelled(t: Table, *plots: tuple[int, str], dice: tuple[int, ...] = ()) -> None:
    """The plots are written and the fire has fallen."""
    t.set(plots=tuple(Plot(battery, t.hex(label)) for battery, label in plots))
    t.run(artillery.resolve_artillery, dice=dice)


def front(*units: Counter, rows: str = "", **fields: Any) -> Table:
    """Open ground with batteries on both sides."""
    return table(rows or open_ground(9, 9), *units, **{"batteries": GUNS, "first": GERMAN, **fields})


# --- plotting --------------------------------------------------------------------------------------------------------


def plotting(**fields: Any) -> Table:
    return front(unit("g_cp", "0101"), unit("r_rifle", "0505"), step="artillery plots", **fields)


@pytest.mark.rule("PB3-305", "PB3-502")
def test_both_sides_plot_in_secret_and_then_seal() -> None:
    t = plotting()
    t.play(PlotFire(0, t.hex("0505")), side=GERMAN)
    t.play(PlotFire(0, t.hex("0506")), side=GERMAN)
    assert t.position.plots == (Plot(0, t.hex("0506")),)
    t.play(SealPlot(), side=GERMAN)
    assert t.decider == RUSSIAN
    assert t.asked == "artillery plots"
    t.play(SealPlot(), side=RUSSIAN)
    assert t.asked == "opportunity assignment"


@pytest.mark.rule("PB3-502")
def test_what_was_plotted_can_be_struck_out() -> None:
    t = plotting()
    assert t.refusal(CancelPlot(0), GERMAN).rule == "PB3-502"
    t.play(PlotFire(0, t.hex("0505")), side=GERMAN)
    t.play(CancelPlot(0), side=GERMAN)
    assert t.position.plots == ()


@pytest.mark.rule("PB3-305", "PB3-502")
def test_a_plot_needs_a_battery_of_ones_own_with_missions_and_a_hex_of_the_map() -> None:
    t = plotting(batteries=(*GUNS, BatteryState(3, "ob_81", GERMAN, 0)))
    assert t.refusal(PlotFire(2, t.hex("0505")), GERMAN).rule == "PB3-502"
    assert t.refusal(PlotFire(9, t.hex("0505")), GERMAN).rule == "PB3-502"
    assert t.refusal(PlotFire(3, t.hex("0505")), GERMAN).rule == "PB3-305"
    assert t.refusal(PlotFire(0, HexId(0)), GERMAN).rule == "PB3-502"
    assert t.check(PlotFire(0, t.hex("0909")), GERMAN) is None


@pytest.mark.rule("PB3-305")
def test_every_fire_uses_up_a_mission() -> None:
    t = front(unit("g_cp", "0101"))
    shelled(t, (1, "0505"))
    assert [battery.missions for battery in t.position.batteries] == [4, 0, 4]
    assert [one.id for one in artillery.batteries_of(t.position, GERMAN)] == [0]


def test_the_fire_is_explained_as_it_would_fall() -> None:
    t = plotting()
    strength, defense, odds, drm = artillery.explain_plot(t.position, GERMAN, PlotFire(0, t.hex("0505")))
    assert (strength.total, defense.total, odds.total, drm.total) == (40, 16, "2-1", 0)
    assert artillery.explain_plot(t.position, GERMAN, PlotFire(0, t.hex("0909"))) == ()
    assert artillery.explain_plot(t.position, GERMAN, PlotFire(7, t.hex("0505"))) == ()


# --- observing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("observer", "sees_it"),
    [
        (unit("g_cp", "0101"), True),
        (unit("g_cp", "0101", dispersed=True), False),
        (unit("g_rifle", "0101"), False),
        (unit("g_rifle", "0101", observer=True), True),
    ],
)
@pytest.mark.rule("PB3-902", "PB3-1201")
def test_command_posts_and_named_units_observe_unless_dispersed(observer: Counter, sees_it: bool) -> None:
    t = front(observer)
    assert artillery.is_observed(t.position, GERMAN, t.hex("0505")) is sees_it


@pytest.mark.rule("PB3-1201")
def test_an_observer_aboard_a_carrier_sees_nothing() -> None:
    t = front(unit("g_truck", "0101"), unit("g_cp", carrier=0))
    assert not artillery.is_observed(t.position, GERMAN, t.hex("0505"))


@pytest.mark.rule("PB3-1201")
def test_a_hex_is_observed_though_the_units_in_it_are_hidden() -> None:
    t = front(unit("g_cp", "0101"), unit("r_rifle", "0501"), rows="....W....\n.........")
    assert artillery.is_observed(t.position, GERMAN, t.hex("0501"))


@pytest.mark.rule("PB3-1201", "PB3-1202")
def test_who_sees_what_is_judged_before_any_fire_falls() -> None:
    t = front(unit("g_cp", "0101"), rows=open_ground(9, 1))
    shelled(t, (0, "0301"), (1, "0701"))
    assert [event.seen for event in t.happened(BatteryFired)] == [True, True]
    assert not sees(t.position, t.hex("0101"), t.hex("0701"))


# --- scatter ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-1203", "PB3-1204")
@pytest.mark.parametrize(
    ("dice", "falls"),
    [
        ((1,), "0505"),
        ((2,), "0505"),
        ((3, 1, 1), "0504"),
        ((4, 2, 2), "0604"),
        ((5, 3, 3), "0706"),
        ((6, 4, 4), "0507"),
        ((3, 5, 5), "0206"),
        ((3, 6, 1), "0404"),
        ((3, 6, 6), ""),
    ],
)
def test_unobserved_fire_scatters_clockwise_from_north(dice: tuple[int, ...], falls: str) -> None:
    t = front()
    shelled(t, (0, "0505"), dice=dice)
    assert [t.board.label(event.hex) for event in t.happened(HexShelled)] == ([falls] if falls else [])


@pytest.mark.rule("PB3-1205")
def test_fire_that_leaves_the_map_does_nothing() -> None:
    t = front()
    shelled(t, (0, "0101"), dice=(3, 1, 5))
    assert t.happened(HexShelled) == []
    assert t.position.barrages == ()


@pytest.mark.rule("PB3-1208")
def test_batteries_scatter_each_for_itself_and_add_up_where_they_meet() -> None:
    t = front(unit("r_rifle", "0505"))
    shelled(t, (0, "0505"), (1, "0506"), dice=(1, 3, 1, 1, 6))
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.strength, rolled.odds) == (100, "4-1")
    assert len(t.happened(HexShelled)) == 1


# --- the fire --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-1206")
def test_shells_hit_friend_and_foe_in_the_hex_as_one_target() -> None:
    t = front(unit("g_cp", "0101"), unit("g_rifle", "0505"), unit("g_truck", "0505"), unit("g_smg", carrier=2))
    shelled(t, (0, "0505"), dice=(1,))
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.targets, rolled.defense, rolled.odds) == ((1, 2), 9, "4-1")
    assert [t.unit(number).fate for number in (1, 2, 3)] == [DESTROYED] * 3


@pytest.mark.rule("PB3-805", "PB3-1206")
def test_an_even_mix_counts_as_armor_and_height_does_not_matter() -> None:
    t = front(unit("g_cp", "0102"), unit("r_t34c", "0101"), unit("r_rifle", "0101"), rows="^....\n.....")
    shelled(t, (0, "0101"), dice=(6,))
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.strength, rolled.defense, rolled.odds) == (20, 25, "1-2")


@pytest.mark.rule("PB3-708", "PB3-1207")
def test_fire_too_weak_or_into_an_empty_hex_still_blinds() -> None:
    mortars = (BatteryState(0, "ob_81", GERMAN, 6),)
    t = front(unit("g_cp", "0101"), unit("n_fort_r", "0505"), batteries=mortars, options={"works": True})
    shelled(t, (0, "0505"))
    assert [event.rule for event in t.happened(AttackFailed)] == ["PB3-1207"]
    assert t.position.barrages == t.hexes("0505")
    t = front(unit("g_cp", "0101"), batteries=mortars)
    shelled(t, (0, "0505"))
    assert t.position.barrages == t.hexes("0505")
    assert t.happened(AttackFailed) == []


@pytest.mark.parametrize("first", [GERMAN, RUSSIAN])
@pytest.mark.rule("PB3-504", "PB3-1208")
def test_the_first_players_batteries_fire_before_the_others(first: str) -> None:
    t = front(unit("g_cp", "0101"), unit("r_cp", "0901"), unit("r_rifle", "0505"), first=first)
    shelled(t, (0, "0505"), (2, "0505"), dice=(6, 6))
    order = [event.side for event in t.happened(AttackRolled)]
    assert order == ([GERMAN, RUSSIAN] if first == GERMAN else [RUSSIAN, GERMAN])


@pytest.mark.rule("PB3-1206")
def test_a_unit_dispersed_by_shells_may_be_destroyed_by_the_next_ones() -> None:
    t = front(unit("g_cp", "0101"), unit("r_cp", "0901"), unit("r_rifle", "0505"))
    shelled(t, (0, "0505"), (2, "0505"), dice=(3, 3))
    assert t.unit(2).fate == DESTROYED
    assert [event.drm for event in t.happened(AttackRolled)] == [0, -1]


def test_plots_that_a_player_might_try() -> None:
    t = plotting(objectives={"Town": ("0101", "0909")})
    row = artillery.plot_options(t.position, GERMAN)
    assert {(order.battery, t.board.label(order.hex)) for order in row} == {
        (battery, label) for battery in (0, 1) for label in ("0505", "0101", "0909")
    }
    t.set(plots=(Plot(0, t.hex("0505")),))
    assert {order.battery for order in artillery.plot_options(t.position, GERMAN)} == {1}
    assert len(list(artillery.plot_offers(t.position, GERMAN))) == 2 * 81
    assert list(artillery.cancel_offers(t.position, GERMAN)) == [CancelPlot(0)]
    assert list(artillery.no_options(t.position, GERMAN)) == []
