"""The game in words: menus and their refusals, plans and reminders, cards, counters, the log, what a hex is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.content import load_shipped, shipped_folder
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOWHERE, HexId, SideId
from sandtable.kernel.ruleset import Selection, Verb
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d import insight, labels, marks, menu, sequels
from sandtable.rulesets.panzerblitz_3d.assault import assaulting_refusal
from sandtable.rulesets.panzerblitz_3d.counters import counters
from sandtable.rulesets.panzerblitz_3d.describe import battery_name, place_name, unit_name
from sandtable.rulesets.panzerblitz_3d.fire import firing_refusal
from sandtable.rulesets.panzerblitz_3d.frames import OpportunityWindow, SetupFrame
from sandtable.rulesets.panzerblitz_3d.model import (
    DESTROYED,
    EXITED,
    GERMAN,
    NO_SIDE,
    RESERVE,
    RUSSIAN,
    BatteryState,
    Mover,
    Shot,
    Unit,
)
from sandtable.rulesets.panzerblitz_3d.orderbook import BOOK
from sandtable.rulesets.panzerblitz_3d.orders import (
    Assign,
    CancelPlot,
    CancelShot,
    ChooseFirst,
    CloseAssault,
    DesignateTarget,
    EndPhase,
    LoadUnit,
    MoveUnit,
    OpportunityFire,
    Overrun,
    OverrunRun,
    PlotFire,
    SealPlot,
    Unassign,
)
from sandtable.rulesets.panzerblitz_3d.scenario import Exit, Sections, Victory
from sandtable.rulesets.panzerblitz_3d.system import SYSTEM
from tests.kit.battles import must
from tests.rulesets.panzerblitz_3d.battles import battle, entry, id_of, opened
from tests.rulesets.panzerblitz_3d.table import RULES, Table, U, open_ground, table, unit

BATTERIES = (
    BatteryState(0, "ob_105", GERMAN, 2),
    BatteryState(1, "ob_122", RUSSIAN, 2),
    BatteryState(2, "ob_81", GERMAN, 1, "Mortars of the battalion"),
)


def verbs(t: Table, side: SideId = GERMAN, *ids: int) -> dict[str, Verb]:
    return {verb.key: verb for verb in RULES.menu(RULES.view(t.state, side), Selection(tuple(map(U, ids))))}


def plotting() -> Table:
    return table(
        open_ground(6, 2),
        unit("g_cp", "0101"),
        unit("r_rifle", "0601"),
        unit("g_rifle", "0102"),
        phasing=NO_SIDE,
        first=GERMAN,
        step="artillery plots",
        batteries=BATTERIES,
    )


# --- notes ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-502")
def test_every_battery_can_be_plotted_on_every_hex_with_its_odds_and_whether_it_is_observed() -> None:
    t = plotting()
    shown = verbs(t)
    assert set(shown) == {"plot", "seal"}
    targets = shown["plot"].targets
    assert len(targets) == 2 * 12
    there = [one for one in targets if one.hex == t.hex("0601")]
    assert [one.choice for one in there] == [
        "Light howitzer battery #1, 2-1, observed, missions left: 2",
        "Mortars of the battalion, 1-2, observed, missions left: 1",
    ]
    assert [one.warning for one in there] == ["", ""]
    own = next(one for one in targets if one.hex == t.hex("0102"))
    assert own.warning.startswith("it hits your own there")
    empty = next(one for one in targets if one.hex == t.hex("0401"))
    assert empty.warning == "nobody is known to be in 0401; the barrage still blocks sight"
    assert "0 missions" not in shown["seal"].confirm
    assert "has no target (2 missions left)" in shown["seal"].confirm


@pytest.mark.rule("PB3-502")
def test_what_is_plotted_is_listed_with_the_order_that_strikes_it_out() -> None:
    t = plotting()
    t.play(PlotFire(0, t.hex("0601")), side=GERMAN)
    plan = RULES.plans(RULES.view(t.state, GERMAN))[0]
    assert (plan.order, plan.hex, plan.text) == (
        CancelPlot(0),
        t.hex("0601"),
        "Light howitzer battery #1 fires on 0601",
    )
    assert RULES.plans(RULES.view(t.state, RUSSIAN)) == ()
    assert [one.order for one in verbs(t)["cancel plot"].targets] == [CancelPlot(0)]
    view = RULES.view(t.state, GERMAN)
    assert RULES.why_not(view, "cancel plot", Selection(), Selection((), t.hex("0601"))) is None
    nothing = RULES.why_not(view, "cancel plot", Selection(), Selection((), t.hex("0101")))
    assert nothing is not None
    assert nothing.reason == "nothing is plotted there"
    assert isinstance(menu.plot(t.position, GERMAN, (), Selection((), t.hex("0401"))), PlotFire)
    t.play(plan.order, side=GERMAN)
    assert RULES.plans(RULES.view(t.state, GERMAN)) == ()
    assert t.refusal(CancelPlot(0), GERMAN).reason == "nothing is written for that battery"


@pytest.mark.rule("PB3-502")
@pytest.mark.rule("PB3-305")
def test_a_plot_names_a_battery_of_the_side_with_missions_and_a_hex_of_the_map() -> None:
    t = plotting()
    assert t.refusal(PlotFire(1, t.hex("0101")), GERMAN).reason == "there is no such battery of yours"
    assert t.refusal(PlotFire(7, t.hex("0101")), GERMAN).reason == "there is no such battery of yours"
    assert t.refusal(PlotFire(0, HexId(0)), GERMAN).reason == "that is no hex of the map"
    t.set(batteries=(BatteryState(0, "ob_105", GERMAN, 0), *BATTERIES[1:]))
    assert t.refusal(PlotFire(0, t.hex("0101")), GERMAN).reason == "the battery has no fire mission left"
    assert BOOK.explain(RULES.view(t.state, GERMAN), PlotFire(0, t.hex("0101"))) == ()
    assert BOOK.explain(RULES.view(t.state, GERMAN), PlotFire(2, t.hex("0401"))) == ()


@pytest.mark.rule("PB3-1203")
def test_the_forecast_of_a_plot_says_what_it_does_if_it_falls_there_and_whether_it_may_scatter() -> None:
    t = plotting()
    found = forecast(RULES, RULES.view(t.state, GERMAN), PlotFire(0, t.hex("0601")))
    assert isinstance(found, Forecast)
    assert sum(branch.chance for branch in found.later[0].branches) == 1
    assert found.later[0].text.endswith("it falls there; if it falls there and all stays as it is")
    t.change(0, dispersed=True)
    blind = forecast(RULES, RULES.view(t.state, GERMAN), PlotFire(0, t.hex("0401")))
    assert isinstance(blind, Forecast)
    assert blind.later[0].text.endswith("nobody observes it: it falls there on 1-2 and scatters on 3-6")
    t.play(PlotFire(0, t.hex("0601")), side=GERMAN)
    sealed = forecast(RULES, RULES.view(t.state, GERMAN), SealPlot())
    assert isinstance(sealed, Forecast)
    assert len(sealed.later) == 1
    assert not sealed.certain


@pytest.mark.rule("PB3-502")
def test_the_battery_that_has_no_target_is_offered_first_and_what_another_would_give_up_is_said() -> None:
    t = plotting()
    t.play(PlotFire(0, t.hex("0601")), side=GERMAN)
    targets = verbs(t)["plot"].targets
    assert targets[0].hex == t.hex("0601")
    there = [one.choice for one in targets if one.hex == t.hex("0401")]
    assert [choice.startswith("Mortars") for choice in there] == [True, False]
    assert [choice.endswith(", instead of 0601") for choice in there] == [False, True]
    assert not any("instead of" in one.choice for one in targets if one.hex == t.hex("0601"))


@pytest.mark.rule("PB3-1208")
def test_batteries_that_an_observer_holds_on_one_hex_are_one_attack_in_every_forecast() -> None:
    t = plotting()
    t.play(PlotFire(0, t.hex("0601")), side=GERMAN)
    second = PlotFire(2, t.hex("0601"))
    view = RULES.view(t.state, GERMAN)
    found = forecast(RULES, view, second)
    assert isinstance(found, Forecast)
    assert "Light howitzer battery #1 and Mortars of the battalion" in found.later[0].text
    assert [line.label for line in BOOK.explain(view, second)[0].lines if "attack factor" in line.label] == [
        "Light howitzer battery: attack factor",
        "Battalion mortars: attack factor",
    ]
    t.play(second, side=GERMAN)
    sealed = forecast(RULES, RULES.view(t.state, GERMAN), SealPlot())
    assert isinstance(sealed, Forecast)
    assert len(sealed.later) == 1
    assert "it all falls there" in sealed.later[0].text
    t.change(0, dispersed=True)
    blind = forecast(RULES, RULES.view(t.state, GERMAN), SealPlot())
    assert isinstance(blind, Forecast)
    assert len(blind.later) == 2


@pytest.mark.rule("PB3-503")
def test_assigned_units_are_listed_and_wear_a_badge_that_the_enemy_does_not_see() -> None:
    t = table(
        open_ground(6, 1),
        unit("g_pz4", "0101"),
        unit("g_rifle", "0101"),
        unit("r_t34c", "0601"),
        phasing=NO_SIDE,
        step="opportunity assignment",
    )
    both = verbs(t, GERMAN, 0, 1)["assign"]
    assert next(one.order for one in both.targets) == Assign((U(0), U(1)))
    t.play(Assign((U(0),)), side=GERMAN)
    view = RULES.view(t.state, GERMAN)
    plan = RULES.plans(view)[0]
    assert (plan.order, plan.text, plan.actors) == (Unassign((U(0),)), "PzKpfw IV #0 waits for an opportunity", (U(0),))
    assert "opportunity" in RULES.pieces(view)[0].badges
    assert "opportunity" not in RULES.pieces(RULES.view(t.state, RUSSIAN))[0].badges
    assert verbs(t, GERMAN, 0)["unassign"].targets[0].order == plan.order
    assert verbs(t, GERMAN, 0)["assign"].checked
    assert set(RULES.ready(view)) == {U(0), U(1)}
    card = RULES.card(view, U(0))
    assert card is not None
    assert ("Waits for", "an opportunity to fire") in [
        (line.label, line.value) for s in card.sections for line in s.lines
    ]


@pytest.mark.rule("PB3-505")
def test_designated_targets_are_listed_with_their_odds_and_an_arrow_and_can_be_struck_out() -> None:
    t = table(
        open_ground(6, 2),
        unit("g_pz4", "0101"),
        unit("g_pz4", "0102"),
        unit("r_t34c", "0501"),
        unit("r_rifle", "0501"),
    )
    order = DesignateTarget((U(0),), t.hex("0501"), (U(2),))
    shown = verbs(t, GERMAN, 0, 1)["fire"]
    assert order in [one.order for one in shown.targets]
    notes = {one.choice for one in shown.targets}
    assert "3-1 at T-34c #2 with PzKpfw IV #0" in notes
    assert any("at all 2 units there" in note for note in notes)
    t.play(order)
    view = RULES.view(t.state, GERMAN)
    plan = RULES.plans(view)[0]
    assert plan.text == "PzKpfw IV #0 fire at T-34c #2 in 0501, 3-1"
    assert (plan.path, plan.order) == (t.hexes("0101", "0501"), CancelShot(U(0)))
    ending = verbs(t)["end"]
    assert ending.title == "Resolve fire"
    found = forecast(RULES, view, EndPhase())
    assert isinstance(found, Forecast)
    assert (found.dice, len(found.later)) == (1, 1)
    t.set(shots=(*t.position.shots, Shot((U(1),), t.hex("0401"), (U(3),))))
    assert RULES.plans(RULES.view(t.state, GERMAN))[1].text.endswith("in 0401")
    assert len(sequels.of_ending(RULES.view(t.state, GERMAN), EndPhase())) == 1
    assert t.refusal(DesignateTarget((U(0),), t.hex("0501"), (U(3),))).reason.endswith("has a target already")
    t.play(plan.order)
    assert t.refusal(CancelShot(U(0))).reason == "that unit has no target to strike out"


@pytest.mark.rule("PB3-501")
def test_the_winner_of_the_initiative_is_asked_in_words() -> None:
    t = table(open_ground(3, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"), step="initiative", winner=GERMAN)
    shown = verbs(t)["first"]
    assert [one.choice for one in shown.targets] == ["your side goes first", "your side goes second"]
    assert menu.go_first(t.position, GERMAN, (), Selection()) == ChooseFirst(GERMAN)
    assert RULES.order_text(ChooseFirst(RUSSIAN), RULES.view(t.state, GERMAN)) == "the Russian side is first player"


# --- pointing -------------------------------------------------------------------------------------------------------


def why(t: Table, verb: str, picked: tuple[int, ...], label: str, *aimed: int) -> str:
    target = Selection(tuple(map(U, aimed)), t.hex(label) if label else NOWHERE)
    refusal = RULES.why_not(RULES.view(t.state, t.decider), verb, Selection(tuple(map(U, picked))), target)
    return "" if refusal is None else refusal.reason


def test_pointing_says_what_the_rules_have_against_it() -> None:
    t = table(
        ". . . . .\n. . . . .\n. . T . .",
        unit("g_pz4", "0101"),
        unit("r_rifle", "0303"),
        unit("r_guards", "0303"),
        unit("g_rifle", "0102", dispersed=True),
    )
    assert why(t, "fire", (0,), "0201") == "no enemy can be seen in that hex"
    assert [tally.title for tally in RULES.standing(RULES.view(t.state, GERMAN))] == [
        "If it ended now",
        "German: points",
        "Russian: points",
    ]
    assert "not spotted" in why(t, "fire", (0,), "0303", 1)
    assert why(t, "fire", (3,), "0303") == "a dispersed unit may do nothing until it recovers"
    moving = table(
        ".\n.\n.\n.\n.",
        unit("g_pz4", "0101"),
        unit("r_rifle", "0103"),
        unit("r_t34c", "0104"),
        unit("g_ht", "0101"),
        step="vehicle movement",
    )
    assert why(moving, "overrun", (0,), "0103") == "an enemy holds 0104"
    assert why(moving, "overrun", (0,), "0105") == "there is no enemy to overrun in that hex"
    assert why(moving, "load", (3,), "0105") == "there is nobody in that hex to take aboard"
    assert why(moving, "load", (3,), "0101").startswith("a Halftrack can't carry")
    assert why(moving, "unload", (3,), "0105") == "it carries nobody it could set down"
    assert why(moving, "move", (0,), "0103") == "an enemy holds 0103"
    weak = table(".\n.\n.\n.\n.", unit("g_lynx", "0101"), unit("r_guards", "0103"), step="vehicle movement")
    assert why(weak, "overrun", (0,), "0103") == "2 against 18 is worse than 1-4"
    assert weak.refusal(Overrun(weak.hex("0103"), ())).reason == "name each overrunning vehicle once"
    assert weak.options(0, Overrun) == []
    waiting = opened(battle(open_ground(3, 1), entry("g_rifle", id="a", turn=4, at=["0101"]), entry("r_rifle", "0301")))
    waiting.set(step="foot movement", phasing=GERMAN)
    late = waiting.unit(id_of(waiting, "a"))
    barred = menu.barred_by()(waiting.position, GERMAN, late)
    assert barred is not None
    assert barred.reason == "the unit is not on the table"


@pytest.mark.rule("PB3-801", "PB3-1021", "PB3-1303")
@pytest.mark.parametrize(("step", "rule"), [("fire", "PB3-801"), ("close assault", "PB3-1021")])
def test_a_reinforcement_that_has_not_come_fires_and_assaults_nowhere(step: str, rule: str) -> None:
    waiting = unit("g_rifle", fate=RESERVE), unit("g_88", fate=RESERVE)
    t = table(open_ground(3, 1), unit("r_45at", "0101"), *waiting, unit("g_rifle", "0201"), step=step)
    for number in (1, 2):
        assert all(not verb.targets for verb in verbs(t, GERMAN, number).values() if verb.key in ("fire", "assault"))
    refused = {"fire": firing_refusal, "close assault": assaulting_refusal}[step](t.unit(1))
    assert refused is not None
    assert (refused.rule, refused.reason) == (rule, "Rifle platoon is not on the table")
    assert RULES.ready(RULES.view(t.state, GERMAN)) == (3,)


def test_the_menu_of_a_side_without_a_way_out_does_not_speak_of_leaving() -> None:
    t = table(open_ground(3, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"), step="vehicle movement")
    assert "leave" not in verbs(t, GERMAN, 0)
    refused = menu.leave_map(t.position, GERMAN, [t.unit(0)], Selection((), t.hex("0101")))
    assert getattr(refused, "reason", "") == "it may not leave the map from there"


def test_a_unit_that_is_done_stays_although_it_stands_at_a_way_out() -> None:
    away = Sections(victory=Victory(exits=(Exit("german", ("0101",), 2),)))
    t = table(
        open_ground(3, 1),
        unit("g_pz4", "0101", moved=True),
        unit("r_t34c", "0301"),
        sections=away,
        step="vehicle movement",
    )
    assert why(t, "leave", (0,), "0101") == "PzKpfw IV has finished its move"


@pytest.mark.rule("PB3-1608")
def test_a_rider_can_drop_off_only_where_there_is_room_for_it() -> None:
    rows = ".\n.\n.\n.\n."
    riders = (unit("r_t34c", "0101"), unit("r_smg", carrier=0), unit("g_truck", "0103"))
    t = table(rows, *riders, phasing=RUSSIAN, step="vehicle movement", options={"panzerblitz_assault": True})
    assert [order.drop for order in t.options(0, Overrun)] == [(), (U(1),)]
    full = table(
        rows,
        *riders,
        unit("r_rifle", "0102"),
        phasing=RUSSIAN,
        step="vehicle movement",
        options={"panzerblitz_assault": True},
    )
    assert [order.drop for order in full.options(0, Overrun)] == [()]


def test_labels_tell_who_acts_and_what_is_left() -> None:
    t = table(
        open_ground(4, 2),
        unit("g_rifle", "0101"),
        unit("g_smg", "0101"),
        unit("g_security", "0102"),
        unit("r_rifle", "0201"),
        step="close assault",
    )
    some = labels.of_assault(t.position, GERMAN, CloseAssault((U(0), U(1)), t.hex("0201")))
    assert "with 2 of 3: Rifle platoon #0 and SMG platoon #1" in some.choice
    everybody = labels.of_assault(t.position, GERMAN, CloseAssault((U(0), U(1), U(2)), t.hex("0201")))
    assert everybody.choice.endswith("with all 3")
    load = labels.of_load(t.position, GERMAN, LoadUnit(U(0), U(1)))
    assert load.note == "SMG platoon #1"


# --- forecasts of moves ---------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-1102")
@pytest.mark.rule("PB3-1104")
def test_the_odds_of_a_move_list_the_shots_it_invites_and_the_chance_to_arrive() -> None:
    t = table(
        open_ground(9, 1),
        unit("g_lynx", "0901"),
        unit("r_45at", "0101", of_assigned=True),
        unit("r_rifle", "0201", of_assigned=True),
        step="vehicle movement",
    )
    found = forecast(
        RULES, RULES.view(t.state, GERMAN), MoveUnit(U(0), t.hexes("0801", "0701", "0601", "0501", "0401"))
    )
    assert isinstance(found, Forecast)
    assert [reaction.text for reaction in found.reactions] == ["45mm AT gun #1 may fire at Lynx #0 in 0401"]
    assert found.arrival is not None
    assert (found.arrival.unhindered, found.arrival.exact) == ("1/1", True)
    assert Fraction(found.arrival.at_least) < 1
    alone = forecast(RULES, RULES.view(t.state, GERMAN), MoveUnit(U(0), t.hexes("0801")))
    assert isinstance(alone, Forecast)
    assert alone.reactions == ()


@pytest.mark.rule("PB3-1104")
def test_with_many_who_wait_the_chance_to_arrive_is_bounded_and_weak_parties_are_left_out() -> None:
    guns = [unit("r_mg", label, of_assigned=True) for label in ("0101", "0102", "0103", "0104", "0105", "0106", "0107")]
    t = table(open_ground(6, 7), unit("g_truck", "0604"), *guns, step="vehicle movement")
    order = MoveUnit(U(0), t.hexes("0504", "0404", "0304"))
    found = forecast(RULES, RULES.view(t.state, GERMAN), order)
    assert isinstance(found, Forecast)
    assert found.arrival is not None
    assert not found.arrival.exact
    pair = table(
        open_ground(6, 2),
        unit("g_tiger2", "0601"),
        unit("r_45at", "0101", of_assigned=True),
        unit("r_45at", "0102", of_assigned=True),
        unit("r_82mm", "0101", of_assigned=True),
        step="vehicle movement",
    )
    way = MoveUnit(U(0), pair.hexes("0501", "0401", "0301"))
    odds = forecast(RULES, RULES.view(pair.state, GERMAN), way)
    assert isinstance(odds, Forecast)
    assert odds.arrival is not None
    assert odds.arrival.exact


@pytest.mark.rule("PB3-1005")
def test_the_odds_of_an_overrun_list_the_shots_at_each_vehicle() -> None:
    t = table(
        "\n".join("." * 3 for _ in range(6)),
        unit("g_pz4", "0101"),
        unit("r_truck", "0103"),
        unit("r_45at", "0304", of_assigned=True),
        step="vehicle movement",
    )
    order = Overrun(t.hex("0103"), (OverrunRun(U(0), t.hexes("0102", "0103", "0104")),))
    found = forecast(RULES, RULES.view(t.state, GERMAN), order)
    assert isinstance(found, Forecast)
    assert found.reactions
    assert BOOK.explain(RULES.view(t.state, GERMAN), Overrun(t.hex("0106"), order.runs)) == ()
    assert BOOK.explain(RULES.view(t.state, GERMAN), MoveUnit(U(0), ())) == ()


def test_a_reaction_is_told_with_the_odds_of_each_party() -> None:
    t = table(
        open_ground(9, 1),
        unit("g_lynx", "0401"),
        unit("r_45at", "0101", of_assigned=True),
        step="vehicle movement",
        mover=Mover(U(0), HexId(1), 6, 3, {U(1): 6}),
    )
    label = labels.of_opportunity(t.position, RUSSIAN, OpportunityFire((U(1),)))
    assert label.choice.endswith("with 45mm AT gun #1 alone")
    assert BOOK.of(OpportunityFire((U(1),))).aim(t.position, OpportunityFire((U(1),))).units == (U(0),)
    t.state = t.state.__class__(t.position, (*t.state.flow, OpportunityWindow(RUSSIAN, U(0), (U(1),))), t.state.dice)
    assert RULES.ready(RULES.view(t.state, RUSSIAN)) == (U(1),)
    refused = menu.at_mover(t.position, RUSSIAN, (), Selection())
    assert getattr(refused, "rule", "") == "PB3-1104"


# --- what a player asks ---------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-702")
@pytest.mark.rule("PB3-707")
@pytest.mark.rule("PB3-708")
def test_a_line_of_sight_has_a_profile_and_says_what_obstructs_it() -> None:
    t = table(". . ^ . .\n. . . . .", unit("g_pz4", "0101"), hexsides={"orange": ["0201-0301"]}, gully=["0501"])
    view = RULES.view(t.state, GERMAN)
    line = RULES.sight(view, t.hex("0101"), t.hex("0401"))
    assert not line.clear
    assert line.reason is not None
    assert line.reason.rule == "PB3-705"
    assert line.side is not None
    assert [point.level for point in line.profile] == [0, 0, 2, 0]
    assert insight.sight_line(view, t.hex("0101"), t.hex("0201")).clear
    deep = insight.sight_line(view, t.hex("0102"), t.hex("0501"))
    assert deep.reason is not None
    assert (deep.reason.rule, deep.hex) == ("PB3-707", t.hex("0501"))
    off = insight.sight_line(view, HexId(0), t.hex("0101"))
    assert off.reason is not None
    assert off.reason.label == "off the board"
    t.set(barrages=("0302",))
    smoke = insight.sight_line(RULES.view(t.state, GERMAN), t.hex("0102"), t.hex("0402"))
    assert smoke.reason is not None
    assert smoke.reason.rule == "PB3-708"
    assert "Barrage" in [point.cover for point in smoke.profile]


def test_a_player_asks_who_sees_a_hex_who_threatens_it_and_what_it_is() -> None:
    t = table(
        ". . W S\n. . . .",
        unit("g_rifle", "0101"),
        unit("r_45at", "0201"),
        unit("r_mg", "0202"),
        unit("g_truck", "0101"),
        unit("r_truck", "0402"),
        gully=["0302"],
        ford=["0402"],
        roads=[["0101", "0201"]],
        objectives={"Post": ("0101", "0102")},
        control={"0101": GERMAN},
        mines=("0301",),
        blocks=("0401",),
        barrages=("0401",),
        options={"works": True},
    )
    view = RULES.view(t.state, GERMAN)
    assert RULES.watchers(view, t.hex("0201")) == (U(0), U(3))
    assert RULES.watchers(view, HexId(0)) == ()
    assert t.hex("0202") in RULES.seen(view, ())
    assert t.hex("0101") in RULES.seen(view, (U(0),))
    texts = [threat.text for threat in RULES.threats(view, t.hex("0101"))]
    assert texts == [
        "14 against armor, 3 against others; 1-3 against your 2 units there",
        "0 against armor, 6 against others; 1-2 against your 2 units there",
    ]
    assert next(threat.text for threat in RULES.threats(view, t.hex("0102"))).endswith("others")
    assert RULES.threats(view, HexId(0)) == () == RULES.hex_facts(view, HexId(0))
    facts = {
        label: [line.label for line in RULES.hex_facts(view, t.hex(label))]
        for label in ("0101", "0301", "0401", "0302", "0402")
    }
    assert "Along the road" in facts["0101"]
    assert "Held by" in facts["0101"]
    assert {"Units are hidden", "Minefield", "Die against attacks"} <= set(facts["0301"])
    assert {"Trucks enter from below for", "Fire at it", "Block", "Barrage"} <= set(facts["0401"])
    assert "Trucks leave the gully for" in facts["0302"]
    assert "Ford" in facts["0402"]
    held = {line.label: line.value for line in RULES.hex_facts(view, t.hex("0102"))}
    assert held["Held by"] == "nobody"


def test_too_weak_a_threat_says_so() -> None:
    t = table(open_ground(6, 1), unit("g_jtiger", "0101"), unit("r_45at", "0401"))
    view = RULES.view(t.state, GERMAN)
    assert RULES.threats(view, t.hex("0101"))[0].text.endswith("; 1-3 against Jagdtiger #0")
    t.change(1, kind="r_82mm")
    assert RULES.threats(RULES.view(t.state, GERMAN), t.hex("0101"))[0].text.endswith("; too weak for Jagdtiger #0")


@pytest.mark.rule("PB3-803")
def test_the_dangers_of_a_hex_are_those_of_the_attack_that_would_be_rolled() -> None:
    t = table(
        ". . T .\n. . . .",
        unit("g_rifle", "0101"),
        unit("r_45at", "0401"),
        unit("r_mg", "0402"),
        unit("g_truck", "0101"),
        unit("g_smg", carrier=3),
        unit("n_fort_g", "0102"),
        unit("g_security", fort=5),
        unit("g_rifle", "", fate=RESERVE),
        unit("g_rifle", "0301"),
        options={"works": True},
    )
    view = RULES.view(t.state, GERMAN)
    together, *alone = RULES.threats(view, t.hex("0201"), U(0))
    assert (len(together.actors), len(alone)) == (2, 2)
    assert sum(branch.chance for branch in together.branches) == 1
    assert RULES.threats(view, t.hex("0301"), U(0))[0].tally[1].total == 16
    assert RULES.threats(view, t.hex("0201"), U(4))[0].tally[1].total == 1
    assert RULES.threats(view, t.hex("0102"), U(6)) == ()
    assert RULES.threats(view, t.hex("0201"), U(7))
    assert RULES.threats(view, HexId(0), U(0)) == () == RULES.threats(view, t.hex("0201"), U(99))
    assert RULES.threats(view, t.hex("0201"), U(1)) == ()


def test_the_card_of_a_unit_off_the_table_says_why() -> None:
    t = table(
        open_ground(3, 1),
        unit("g_rifle", "", fate=DESTROYED),
        unit("g_rifle", "", fate=EXITED),
        unit("g_rifle", "", fate=RESERVE),
        unit("g_rifle", "0101", served=True, dispersed=True, attacked=("fire",)),
        unit("r_rifle", "0301"),
    )
    view = RULES.view(t.state, GERMAN)
    firsts = [card.sections[1].lines[0].label for n in range(3) if (card := RULES.card(view, U(n))) is not None]
    assert firsts == ["Destroyed", "Left the map", "In reserve"]
    card = RULES.card(view, U(3))
    assert card is not None
    said = {(line.label, str(line.value)) for section in card.sections for line in section.lines}
    assert {("Recovers", "at the end of this game turn"), ("Was attacked", "by fire")} <= said
    assert RULES.card(view, U(99)) is None


def test_reinforcements_are_announced_with_turn_and_hexes() -> None:
    hexes = ["0101", "0102", "0201", "0202"]
    made = battle(
        open_ground(3, 2),
        entry("g_rifle", id="one", turn=3, at=["0101"]),
        entry("g_rifle", id="many", turn=1, at=hexes),
        entry("r_rifle", "0301"),
    )
    t = opened(made)
    notes = {piece.name: piece.note for piece in RULES.pieces(RULES.view(t.state, GERMAN)) if piece.note}
    assert notes == {"one": "comes on turn 3 or later, in 0101", "many": "may come this turn, in one of 4 hexes"}


@pytest.mark.rule("PB3-102")
@pytest.mark.rule("PB3-301")
def test_every_counter_is_explained() -> None:
    cards = {card.key: card for card in counters()}
    assert cards["unknown"].brief == "of a type not known"
    assert cards["n_fort_g"].brief == "defense 40 armored"
    assert cards["g_rifle"].brief == "attack 3 light weapons, range 6, defense 8, movement 1"
    assert cards["g_truck"].brief == "no weapon, defense 1, movement 12"
    weapon = next(value for value in cards["g_panther"].values if value.name == "Weapon")
    assert weapon.meaning == "armor piercing; double against armor up to 6 hexes, full beyond, half against others"
    light = next(value for value in cards["r_smg"].values if value.name == "Weapon")
    assert light.meaning.startswith("light weapons; harms armor only by close assault")
    assert SYSTEM.unit_title("g_rifle") == "Rifle platoon"
    assert len(SYSTEM.rules()) == 105


def test_the_first_battle_has_a_tutorial_in_the_words_of_the_system() -> None:
    made = load_shipped("pb3-krutoi-log", SYSTEM.vocabulary)
    source = shipped_folder("scenarios") / "pb3-krutoi-log.tutorial.toml"
    assert SYSTEM.tutorial(made, source).steps


# --- the log --------------------------------------------------------------------------------------------------------


def said(t: Table, event: Any) -> str:
    return RULES.describe(event, RULES.view(t.state, GERMAN))


def test_sentences_of_the_log() -> None:
    t = table(open_ground(6, 1), unit("g_pz4", "0101"), unit("r_t34c", "0601"), batteries=BATTERIES)
    assert said(t, e.BatteryFired(0, t.hex("0101"), t.hex("0101"), True)) == "Light howitzer battery #1 fires on 0101."
    assert said(t, e.BatteryFired(0, t.hex("0101"), t.hex("0201"), False, (3, 1, 1))) == (
        "Light howitzer battery #1 fires on 0201, scattered from 0101."
    )
    fell, drifted, gone = (
        marks.marks(e.BatteryFired(0, t.hex("0101"), place, False)) for place in (*t.hexes("0101", "0201"), NOWHERE)
    )
    assert (fell.start, fell.brief) == (NOWHERE, "")
    assert (drifted.start, drifted.hex, drifted.brief) == (*t.hexes("0101", "0201"), "scattered")
    assert (gone.start, gone.hex) == (t.hex("0101"), NOWHERE)
    assert said(t, e.BatteryFired(1, NOWHERE, NOWHERE, False)) == "122mm battery #2 fires and its shells are lost."
    assert said(t, e.InitiativeRolled(3, 3, NO_SIDE)).endswith("a tie, both roll again.")
    assert said(t, e.AssignmentsRevealed(())) == "Nobody waits for an opportunity."
    assert said(t, e.ShotLost(GERMAN, (U(0),), t.hex("0601"))).endswith("the shot lost.")
    assert said(t, e.UnitExited(U(0), False)).endswith("and counts as lost.")
    lost = Unit(U(1), "r_t34c", RUSSIAN, fate=DESTROYED)
    t.set(units=(t.unit(0), lost))
    assert said(t, e.UnitsSighted((lost,))) == "The enemy has lost T-34c #1."
    assert marks.marks(e.UnitsSighted((lost,))).tone == "loss"
    t.change(1, kind="unknown")
    assert said(t, e.UnitDestroyed(U(1))) == said(t, e.UnitExited(U(1), True)) == "", "what it was is told next"
    left = replace(lost, fate=EXITED)
    assert said(t, e.UnitsSighted((left,))) == "T-34c #1 has left the map."
    assert marks.marks(e.UnitsSighted((left,))).tone == ""
    assert said(t, e.UnitsSighted((t.unit(0),))) == ""
    assert said(t, e.UnitsSighted((t.unit(0),), (U(0),))) == "In sight: PzKpfw IV #0 in 0101."
    assert said(t, e.SightLost((U(0),))) == "", "nothing is remembered of it"
    stopped = e.MoveEnded(U(0), "it has overrun (PB3-1002)")
    assert (said(t, stopped), marks.marks(stopped).rule) == ("PzKpfw IV #0 stops: it has overrun.", "PB3-1002")
    assert said(t, e.UnitDestroyed(U(0), rule="PB3-623")) == "PzKpfw IV #0 is lost as a passenger."
    assert (unit_name(t.position, U(77)), battery_name(t.position, 77)) == ("unit 77", "battery 77")
    assert place_name(t.position, NOWHERE) == "off the map"


def test_events_are_marked_where_they_happened() -> None:
    t = table(open_ground(6, 1), unit("g_pz4", "0101"), unit("r_t34c", "0601"))
    shot = Shot((U(0),), t.hex("0601"), (U(1),))
    assert marks.marks(e.ShotDesignated(GERMAN, shot)).hex == t.hex("0601")
    assert marks.marks(e.UnitMoved(U(0), t.hexes("0201"), Mover(U(0), t.hex("0101"), 2, 1))).start == t.hex("0101")
    assert marks.marks(e.UnitMoved(U(0), t.hexes("0301"), Mover(U(0), t.hex("0101"), 4, 2))).start == NOWHERE
    assert marks.marks(e.UnitsSighted((t.unit(1),), (U(1),))).brief == "in sight"
    assert marks.marks(e.UnitsSighted((t.unit(1),))).units == (U(1),)
    assert marks.marks(e.ContactMoved(t.unit(1), t.hexes("0601"), Mover(U(1), t.hex("0601")))).tone == "contact"
    briefs: list[tuple[Any, str]] = [
        (e.UnitDispersed(U(0)), "dispersed"),
        (e.UnitDestroyed(U(0)), "destroyed"),
        (e.SightLost((U(0),)), "out of sight"),
        (e.HexShelled(t.hex("0101")), "barrage"),
        (e.TurnBegan(2), ""),
    ]
    assert [marks.brief(event) for event, _ in briefs] == [brief for _, brief in briefs]
    t.play(DesignateTarget((U(0),), t.hex("0601"), (U(1),)))
    t.play(EndPhase(), dice=[6])
    rolled = t.happened(e.AttackRolled)[0]
    assert (marks.brief(rolled), RULES.marks(rolled).tone) == ("no effect", "act")
    began = e.PlayerTurnBegan(GERMAN, 1)
    assert marks.marks(began).side == GERMAN


def test_the_end_of_setup_has_a_name() -> None:
    t = table(
        open_ground(3, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"), step="setup", flow=(SetupFrame(GERMAN),)
    )
    assert verbs(t)["end"].title == "End: Setup"
    found = forecast(RULES, RULES.view(t.state, GERMAN), EndPhase())
    assert isinstance(found, Forecast)
    assert found.dice == 2
    t.set(step="close assault", phasing=RUSSIAN, first=GERMAN)
    last = sequels.odds(RULES.view(t.state, RUSSIAN), EndPhase())
    assert last is not None
    assert last.dice == 2
    assert sequels.odds(RULES.view(t.state, RUSSIAN), MoveUnit(U(0), ())) is None


def test_an_order_in_the_wrong_step_is_refused_with_the_rule_of_the_step() -> None:
    t = table(open_ground(3, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"))
    orders: tuple[Order, ...] = (SealPlot(), ChooseFirst(GERMAN))
    for order in orders:
        assert t.refusal(order).rule == "PB3-505"
    assert not isinstance(
        submit(RULES, t.state, GERMAN, SealPlot()), type(must(submit(RULES, t.state, GERMAN, EndPhase())))
    )
