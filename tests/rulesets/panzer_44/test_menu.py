"""How a player meets Panzer '44: verbs, what pointing means, odds beforehand, what is written down and what is left."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.content import Zone
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOBODY, HexId, SideId
from sandtable.kernel.ruleset import Selection, Verb
from sandtable.kernel.state import View
from sandtable.play import reactions as ways
from sandtable.rulesets.panzer_44 import foresight
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44.frames import SetupFrame
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, Battery, Plot, Position, Sortie
from sandtable.rulesets.panzer_44.orderbook import BOOK
from sandtable.rulesets.panzer_44.scenario import Exit
from tests.rulesets.panzer_44.table import RULES, Table, U, on_the_move, open_ground, table, unit


def seen(t: Table, side: SideId = ALLIED) -> View[Position]:
    return RULES.view(t.state, side)


def verbs(t: Table, *units: int, side: SideId = ALLIED) -> dict[str, Verb]:
    found = RULES.menu(seen(t, side), Selection(tuple(map(U, units))))
    return {verb.key: verb for verb in found}


def why_not(t: Table, verb: str, unit_: int, label: str, side: SideId = ALLIED) -> Refusal | None:
    return RULES.why_not(seen(t, side), verb, Selection((U(unit_),)), Selection(hex=t.hex(label)))


def odds(t: Table, order: Order, side: SideId = ALLIED) -> Forecast:
    found = forecast(RULES, seen(t, side), order)
    assert isinstance(found, Forecast), found
    return found


# --- the plot ---------------------------------------------------------------------------------------------------------


def plot_table(**fields: Any) -> Table:
    return table(
        open_ground(8, 4),
        unit("u_m4", "0102"),
        unit("u_m4", "0102"),
        unit("u_81", "0103"),
        unit("u_truck", "0104"),
        unit("g_pz4h", "0402"),
        **fields,
    )


@pytest.mark.rule("P44-5.04")
def test_the_menu_of_the_plot_offers_each_unit_the_orders_of_its_kind() -> None:
    t = plot_table()
    assert {key for key in verbs(t, 0) if key.startswith("plot")} == {"plot move", "plot fire", "plot opportunity"}
    assert "plot indirect" in verbs(t, 2)
    assert {key for key in verbs(t, 3) if key.startswith("plot")} == {"plot move"}
    assert [target.hex for target in verbs(t, 0)["plot fire"].targets] == [t.hex("0402")]
    assert verbs(t, 0)["plot fire"].targets[0].brief == "+1"


@pytest.mark.rule("P44-5.04")
def test_several_units_can_be_given_one_order_together() -> None:
    t = plot_table()
    both = verbs(t, 0, 1)["plot move"].targets[0].order
    assert both == o.PlotMove((U(0), U(1)))
    t.play(both)
    assert [plot.kind for plot in t.position.plots] == ["move", "move"]
    assert verbs(t, 0)["plot move"].checked


@pytest.mark.rule("P44-11.01")
def test_indirect_fire_is_offered_on_every_hex_in_range_with_a_form_for_the_pattern() -> None:
    verb = verbs(plot_table(), 2)["plot indirect"]
    assert len(verb.targets) == 32
    assert [field.choices for field in verb.form] == [("tight", "loose")]


@pytest.mark.rule("P44-11.09")
def test_batteries_and_sorties_are_chosen_in_a_form() -> None:
    guns = (Battery("105mm", ALLIED, "oba_105", 1, 3), Battery("155mm", ALLIED, "oba_155", 1, 1))
    t = plot_table(batteries=guns, sorties=(Sortie("P-47 #1", ALLIED, "cas_p47"),))
    mission, sortie = verbs(t)["plot mission"], verbs(t)["plot sortie"]
    assert [field.name for field in mission.form] == ["battery", "pattern"]
    assert mission.form[0].choices == ("105mm", "155mm")
    assert sortie.form[0].default == "P-47 #1"
    t.play(o.PlotMission("105mm", t.hex("0402")), side=ALLIED)
    t.play(o.PlotMission("155mm", t.hex("0402"), "loose"), side=ALLIED)
    t.play(o.PlotSortie("P-47 #1", t.hex("0402")), side=ALLIED)
    assert verbs(t)["plot mission"].refusal is not None
    assert verbs(t)["plot sortie"].form == ()
    assert len(verbs(t)["unplot support"].targets) == 3
    t.play(o.UnplotSupport("155mm"), side=ALLIED)
    assert [plot.support for plot in t.position.plots] == ["105mm", "P-47 #1"]
    assert "plot mission" not in verbs(plot_table())


@pytest.mark.rule("P44-8.01")
def test_pointing_at_a_hex_without_a_target_is_refused_with_the_rule_though_the_plot_would_be_lawful() -> None:
    t = plot_table()
    empty = why_not(t, "plot fire", 0, "0502")
    assert empty is not None
    assert (empty.rule, t.check(o.PlotDirectFire((U(0),), t.hex("0502")), ALLIED)) == ("P44-8.01", None)
    here = why_not(t, "plot move", 0, "0202")
    assert here is not None
    assert here.rule == "P44-5.04"
    assert why_not(t, "plot move", 0, "0102") is None
    mission = RULES.why_not(seen(t), "plot mission", Selection(), Selection(hex=t.hex("0102")))
    assert mission is not None, "there is no battery"
    assert BOOK.of(o.PlotMission("", HexId(1))).point(t.position, ALLIED, [], Selection(hex=5)) == o.PlotMission("", 5)
    assert BOOK.of(o.PlotSortie("", HexId(1))).point(t.position, ALLIED, [], Selection(hex=5)) == o.PlotSortie("", 5)
    support = BOOK.of(o.UnplotSupport("")).point(t.position, ALLIED, [], Selection(hex=5))
    assert isinstance(support, Refusal)


@pytest.mark.rule("P44-5.03")
def test_what_is_written_down_is_listed_with_the_order_that_strikes_it_out() -> None:
    t = plot_table(batteries=(Battery("105mm", ALLIED, "oba_105", 1, 3),))
    t.play(o.PlotDirectFire((U(0),), t.hex("0402")), side=ALLIED)
    t.play(o.PlotMove((U(3),)), side=ALLIED)
    t.play(o.PlotMission("105mm", t.hex("0402")), side=ALLIED)
    move, mission, shot = sorted(RULES.plans(seen(t)), key=lambda plan: (plan.order != o.Unplot(U(3)), plan.text))
    assert (shot.order, shot.path) == (o.Unplot(U(0)), t.hexes("0102", "0402"))
    assert (shot.text, shot.actors) == ("M4 Sherman (75) #0 fires at 0402", (0,))
    assert (move.order, move.hex, move.path) == (o.Unplot(U(3)), t.hex("0104"), ())
    assert mission.order == o.UnplotSupport("105mm")
    assert RULES.plans(seen(t, GERMAN)) == ()
    t.set(step="panic")
    assert RULES.plans(seen(t)) == ()


@pytest.mark.rule("P44-5.03")
def test_a_player_is_reminded_of_units_without_an_order() -> None:
    t = plot_table()
    t.play(o.PlotMove((U(0), U(1))), side=ALLIED)
    reminders = RULES.reminders(seen(t))
    assert [reminder.units for reminder in reminders] == [(2,), (3,)]
    assert reminders[0].text == "81mm mortar section #2 has no order"
    assert "can still act" in verbs(t)["seal"].confirm
    assert RULES.query(seen(t), "unplotted").units == (2, 3)  # type: ignore[union-attr]
    t.set(step="panic")
    assert RULES.query(seen(t), "unplotted").units == ()  # type: ignore[union-attr]


# --- movement ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-5.09")
def test_movement_can_not_end_while_a_unit_that_was_plotted_must_still_move() -> None:
    t = on_the_move(open_ground(6, 2), unit("u_m4", "0101"), unit("g_pz4h", "0602"))
    end = verbs(t)["end movement"]
    assert end.refusal is not None
    assert end.refusal.rule == "P44-5.09"
    assert [reminder.text for reminder in RULES.reminders(seen(t))] == ["M4 Sherman (75) #0 must still move"]
    t.play(o.Move(U(0), t.hexes("0201")))
    assert verbs(t)["end movement"].targets
    assert RULES.reminders(seen(t)) == ()


@pytest.mark.rule("P44-12.01")
def test_a_move_can_be_led_by_way_of_hexes_and_goes_around_mines() -> None:
    t = on_the_move(open_ground(5, 3), unit("u_m4", "0102"), unit("g_gren", "0503"), mines={"0202": "hasty"})
    led = RULES.menu(seen(t), Selection((U(0),), t.hex("0301"), (t.hex("0101"),)))
    move = next(verb for verb in led if verb.key == "move")
    order = move.targets[0].order
    assert isinstance(order, o.Move)
    assert order.path[0] == t.hex("0101")
    assert order.path[-1] == t.hex("0301")
    ways = {target.hex: target for target in verbs(t, 0)["move"].targets}
    assert t.hex("0202") not in ways[t.hex("0302")].path
    assert ways[t.hex("0202")].warning == "mines in 0202 lie on the way"
    assert ways[t.hex("0302")].note == "7 points left"
    assert why_not(t, "move", 0, "0503") is not None
    nowhere = RULES.menu(seen(t), Selection((U(0),), t.hex("0102"), (t.hex("0102"),)))
    assert all(not verb.targets for verb in nowhere)


@pytest.mark.rule("P44-12.04")
def test_an_overrun_can_be_pointed_at_and_chosen_by_the_hex_it_comes_from() -> None:
    t = on_the_move(open_ground(5, 3), unit("u_m4", "0101"), unit("g_gren", "0302"), unit("g_pz4h", "0503"))
    targets = verbs(t, 0)["overrun"].targets
    assert len({target.choice for target in targets}) == len(targets) > 1
    assert targets[0].brief == "+8"
    assert why_not(t, "overrun", 0, "0302") is None
    hard = why_not(t, "overrun", 0, "0503")
    assert hard is not None
    assert hard.rule == "P44-12.04"
    point = BOOK.of(o.Overrun(U(0), HexId(1))).point(t.position, ALLIED, [t.unit(0)], Selection(hex=t.hex("0302")))
    assert isinstance(point, o.Overrun)
    assert "overruns 0302 from" in RULES.order_text(point, seen(t))


@pytest.mark.rule("P44-4.04")
def test_carriers_are_offered_to_load_and_unload() -> None:
    t = on_the_move(open_ground(5, 3), unit("u_m3", "0101"), unit("u_rifle", "0101"), unit("u_rifle", "0102"))
    load = verbs(t, 0)["load"]
    assert [target.units for target in load.targets] == [(1,)]
    assert why_not(t, "load", 0, "0101") is None
    assert why_not(t, "load", 0, "0202") is not None
    elsewhere = why_not(t, "load", 0, "0102")
    assert elsewhere is not None
    assert elsewhere.rule == "P44-4.04"
    t.play(load.targets[0].order)
    assert verbs(t, 0)["unload"].refusal is not None


@pytest.mark.rule("P44-12.07")
def test_leaving_the_map_is_offered_where_the_scenario_has_an_exit() -> None:
    sections = {"exits": (Exit("allied", ("0101",)),)}
    t = on_the_move(open_ground(5, 3), unit("u_m4", "0102"), unit("g_gren", "0503"), sections=sections)
    assert [target.hex for target in verbs(t, 0)["leave"].targets] == [t.hex("0101")]
    assert why_not(t, "leave", 0, "0101") is None
    other = why_not(t, "leave", 0, "0102")
    assert other is not None
    assert other.rule == "P44-12.07"
    explained = RULES.explain(seen(t), o.LeaveMap(U(0), t.hexes("0101")))[0]
    assert explained.lines[-1].label == "off the map"


# --- answers ----------------------------------------------------------------------------------------------------------


def two_targets() -> Table:
    plots = (Plot(ALLIED, "direct", U(0)),)
    t = table(open_ground(6, 2), unit("u_m4", "0101"), unit("g_pz4h", "0401"), unit("g_gren", "0401"),
              step="direct fire", plots=plots, asking=U(0))  # fmt: skip
    t.set(plots=(Plot(ALLIED, "direct", U(0), t.hex("0401")),))
    return t


@pytest.mark.rule("P44-8.01")
def test_the_firing_player_names_a_victim_by_pointing_at_it_and_is_told_the_odds() -> None:
    t = two_targets()
    verb = verbs(t)["name"]
    assert [target.units for target in verb.targets] == [(1,), (2,)]
    assert verb.targets[1].choice == "Grenadier platoon #2, +3"
    named = RULES.why_not(seen(t), "name", Selection(), Selection((U(2),), t.hex("0401")))
    assert named is None
    away = RULES.why_not(seen(t), "name", Selection(), Selection(hex=t.hex("0101")))
    assert away is not None
    point = BOOK.of(o.NameTarget(U(1))).point(t.position, ALLIED, [], Selection(hex=t.hex("0401")))
    assert point == o.NameTarget(U(1))
    found = odds(t, o.NameTarget(U(2)))
    assert found.dice == 1
    assert {branch.result: branch.probability for branch in found.branches}["disrupted 1"] == "1/3"


@pytest.mark.rule("P44-8.03")
def test_opportunity_fire_is_offered_with_its_superiority_and_is_at_the_mover_alone() -> None:
    plots = (Plot(GERMAN, "opportunity", U(1)),)
    t = on_the_move(open_ground(8, 2), unit("u_m4", "0101"), unit("g_pak40", "0801"), plots=plots)
    t.play(o.Move(U(0), t.hexes("0201", "0301")), passing=False)
    verb = verbs(t, side=GERMAN)["fire"]
    assert verb.targets[0].brief == "+1"
    assert RULES.ready(seen(t, GERMAN)) == (1,)
    assert [target.text for target in verbs(t, side=GERMAN)["pass"].targets] == [
        "hold fire",
        "hold fire for the rest of its move",
    ]
    away = RULES.why_not(seen(t, GERMAN), "fire", Selection(), Selection(hex=t.hex("0801")))
    assert away is not None
    assert away.rule == "P44-8.03"
    found = odds(t, o.FireOnOpportunity(U(1)), GERMAN)
    assert sum(branch.chance for branch in found.branches) == 1
    assert RULES.explain(seen(t, GERMAN), o.FireOnOpportunity(U(1)))[0].total == 1


# --- odds beforehand --------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-9.10")
def test_plotted_direct_fire_tells_its_numbers_and_odds_before_it_is_sealed() -> None:
    t = plot_table()
    order = o.PlotDirectFire((U(0), U(1)), t.hex("0402"))
    found = odds(t, order)
    assert [later.actors for later in found.later] == [(0,), (1,)]
    assert all(sum(branch.chance for branch in later.branches) == 1 for later in found.later)
    assert not found.certain
    assert found.tally[0].lines[0].label == "attack strength"
    assert odds(t, o.PlotDirectFire((U(0),), t.hex("0502"))).warning.startswith("no enemy is seen there")
    assert odds(t, o.PlotMove((U(0),))).certain


@pytest.mark.rule("P44-11.05")
def test_plotted_shells_tell_how_likely_they_hit_whom() -> None:
    guns = (Battery("105mm", ALLIED, "oba_105", 1, 3),)
    t = table("......\n...W..\n......", unit("u_m4", "0102"), unit("g_gren", "0402"), batteries=guns)
    found = odds(t, o.PlotMission("105mm", t.hex("0402")))
    chances = {branch.result: branch.chance for branch in found.later[0].branches}
    assert chances == {
        "not under the shells": Fraction(5, 6),
        "delayed panic": Fraction(1, 36),
        "disrupted 1": Fraction(1, 18),
        "disrupted 2": Fraction(1, 18),
        "disrupted 3": Fraction(1, 36),
    }
    assert found.tally[0].total == 1
    loose = odds(t, o.PlotMission("105mm", t.hex("0402"), "loose"))
    assert sum(branch.chance for branch in loose.later[0].branches) == 1
    assert "not under the shells" not in {branch.result for branch in loose.later[0].branches}
    blind = odds(t, o.PlotMission("105mm", t.hex("0602")))
    assert blind.warning.startswith("nobody observes that hex")
    assert blind.tally[0].total == 0


@pytest.mark.rule("P44-11.10")
def test_a_plotted_sortie_tells_how_likely_it_attacks_and_what_it_does() -> None:
    t = table(open_ground(9, 2), unit("u_m4", "0101"), unit("g_panther", "0401"),
              sorties=(Sortie("Typhoon #1", ALLIED, "cas_typhoon"),))  # fmt: skip
    found = odds(t, o.PlotSortie("Typhoon #1", t.hex("0401")))
    chances = {branch.result: branch.chance for branch in found.later[0].branches}
    assert chances == {
        "driven off": Fraction(1, 3),
        "disrupted 1": Fraction(2, 9),
        "disrupted 2": Fraction(2, 9),
        "disrupted 3": Fraction(2, 9),
    }
    assert found.warning == ""
    assert odds(t, o.PlotSortie("Typhoon #1", t.hex("0901"))).warning.startswith("no spotter within 5 hexes")
    assert foresight.later_sortie(seen(t), o.PlotSortie("Typhoon #1", t.hex("0901"))) == ()


@pytest.mark.rule("P44-8.04")
def test_a_move_under_enemy_guns_tells_how_likely_it_gets_through() -> None:
    plots = (Plot(GERMAN, "opportunity", U(1)),)
    t = on_the_move(open_ground(10, 2), unit("u_m4", "0101"), unit("g_pak40", "1001"), plots=plots)
    found = odds(t, o.Move(U(0), t.hexes("0201", "0301")))
    assert [reaction.actors for reaction in found.reactions] == [(1,), (1,)]
    assert found.arrival is not None
    assert Fraction(found.arrival.unhindered) == 1
    # 10 less 2 at range 8, less 7: +1, so only a delayed panic lets it go on
    assert Fraction(found.arrival.at_least) == Fraction(1, 2)


@pytest.mark.rule("P44-13.03")
def test_a_move_over_mines_tells_its_odds_exactly() -> None:
    t = on_the_move(open_ground(4, 2), unit("u_m4", "0101"), unit("g_gren", "0402"), mines={"0201": "preventative"})
    found = odds(t, o.Move(U(0), t.hexes("0201")))
    assert found.arrival is not None
    assert Fraction(found.arrival.unhindered) == Fraction(1, 2)
    assert found.dice == 1
    deep = {"0201": "hasty", "0301": "hasty", "0401": "hasty", "0501": "hasty", "0601": "hasty", "0701": "hasty"}
    t = on_the_move(open_ground(8, 2), unit("u_m4", "0101"), unit("g_gren", "0802"), mines=deep)
    far = odds(t, o.Move(U(0), t.hexes("0201", "0301", "0401", "0501", "0601", "0701")))
    assert sum(branch.chance for branch in far.branches) == 1


def test_a_way_with_more_occasions_than_can_be_looked_into_is_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    plots = (Plot(GERMAN, "opportunity", U(1)),)
    t = on_the_move(open_ground(10, 2), unit("u_m4", "0101"), unit("g_pak40", "1001"), plots=plots)
    monkeypatch.setattr(ways, "MOST_WINDOWS", 0)
    found = odds(t, o.Move(U(0), t.hexes("0201")))
    assert not found.exact


def test_orders_after_which_play_goes_on_by_itself_say_so() -> None:
    t = plot_table()
    assert odds(t, o.SealPlot()).branches[0].result == "the plots are opened once both are sealed"
    assert not odds(t, o.SealPlot()).exact


def test_an_order_of_nobody_is_aimed_at_nothing() -> None:
    t = two_targets()
    t.set(asking=NOBODY)
    assert BOOK.of(o.NameTarget(U(1))).aim(t.position, o.NameTarget(U(1))).actors == ()


@pytest.mark.rule("P44-14.01")
def test_units_without_a_place_are_set_up_in_the_zone_and_set_up_ends_when_all_have_one() -> None:
    zone = (Zone("allied", (HexId(5), HexId(9))),)
    t = table(open_ground(3, 2), unit("u_m4", "", fate="reserve"), unit("g_pz4h", "0302"), zones=zone, step="setup",
              flow=(SetupFrame(ALLIED, (GERMAN,)),))  # fmt: skip
    places = [target.hex for target in verbs(t, 0)["place"].targets]
    assert places == [HexId(5), HexId(9)]
    assert verbs(t)["end setup"].refusal is not None
    assert [reminder.units for reminder in RULES.reminders(seen(t))] == [(0,)]
    assert RULES.pieces(seen(t))[0].badges == ("waiting",)
    assert RULES.ready(seen(t)) == (0,)
    t.play(o.PlaceUnit(U(0), places[0]))
    assert verbs(t)["end setup"].targets
    t.play(o.EndSetup())
    assert t.decider == GERMAN
