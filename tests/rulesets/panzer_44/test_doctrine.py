"""What a sensible commander makes of Panzer '44: what he writes, where he goes, when he fires."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.ai.players import GreedyPlayer
from sandtable.content import Zone
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_44 import doctrine, outlook, shelling
from sandtable.rulesets.panzer_44 import orders as o
from sandtable.rulesets.panzer_44.frames import SetupFrame
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, Battery, Hit, Plot, Sortie
from sandtable.rulesets.panzer_44.scenario import Condition, Exit, Presence, Victory, VisibilityEntry
from sandtable.rulesets.panzer_44.system import SYSTEM
from tests.rulesets.panzer_44.table import RULES, Table, U, on_the_move, open_ground, scenario, table, unit

PLAYER = GreedyPlayer(RULES, SYSTEM.doctrine)


def chosen(t: Table, side: SideId = ALLIED) -> Order:
    """What a greedy player orders now."""
    decision = next(one for one in RULES.decisions(t.state) if one.side == side)
    return PLAYER.choose(RULES.view(t.state, side), decision, 64, PromptDice("x"))


def written(t: Table, side: SideId = ALLIED) -> dict[int, Plot]:
    """The plot that a greedy player writes, by unit."""
    while not isinstance(order := chosen(t, side), o.SealPlot):
        t.play(order, side=side)
    return {plot.unit: plot for plot in t.position.plots if plot.side == side}


def gained(t: Table, order: Order, side: SideId = ALLIED) -> int:
    return doctrine.gain(t.position, side, order)


def test_he_fires_where_the_odds_are_good_and_moves_on_the_goal_where_there_is_nobody_to_fire_at() -> None:
    t = table(
        open_ground(20, 3),
        unit("u_m4", "0102"),
        unit("g_marder", "0402"),
        unit("u_m4", "2001"),
        objectives={"The farm": ("1503",)},
        control={"1503": GERMAN},
    )
    plot = written(t)
    assert (plot[0].kind, plot[0].hex) == ("direct", t.hex("0402"))
    assert plot[2].kind == "move"


def test_in_defense_he_lies_in_wait_for_movers() -> None:
    misty = table(
        open_ground(12, 3),
        unit("g_pak40", "1202"),
        unit("u_m4", "0102"),
        sections={"visibility": (VisibilityEntry(1, 5),)},
    )
    assert written(misty, GERMAN)[0].kind == "opportunity"


def test_several_guns_do_not_all_fire_at_one_and_the_same_hex() -> None:
    t = table(open_ground(6, 3), unit("u_m4", "0101"), unit("u_m4", "0102"), unit("g_gren", "0402"))
    first = gained(t, o.PlotDirectFire((U(0),), t.hex("0402")))
    t.play(o.PlotDirectFire((U(0),), t.hex("0402")), side=ALLIED)
    assert gained(t, o.PlotDirectFire((U(1),), t.hex("0402"))) == first * 80 // 100
    assert gained(t, o.PlotDirectFire((U(0),), t.hex("0402"))) == first


def test_artillery_and_aircraft_are_plotted_on_known_enemies() -> None:
    t = table(
        open_ground(8, 3),
        unit("u_81", "0101"),
        unit("u_m4", "0102", disruption=1),
        unit("u_rifle", "0302"),
        unit("g_gren", "0602"),
        unit("g_gren", "0602"),
        unit("g_gren", "0602"),
        batteries=(Battery("105mm", ALLIED, "oba_105", 1, 3),),
        sorties=(Sortie("P-47 #1", ALLIED, "cas_p47"),),
    )
    written(t)
    support = {plot.support: plot.hex for plot in t.position.plots if plot.support}
    assert support == {"105mm": t.hex("0602"), "P-47 #1": t.hex("0602")}
    assert gained(t, o.PlotIndirectFire(U(0), t.hex("0302"), "tight")) < 0, "on his own platoon"
    assert gained(t, o.PlotSortie("P-47 #1", t.hex("0102"))) == 0
    far = table(open_ground(12, 2), unit("u_m4", "0101"), unit("g_gren", "1201"),
                sorties=(Sortie("P-47 #1", ALLIED, "cas_p47"),))  # fmt: skip
    assert gained(far, o.PlotSortie("P-47 #1", far.hex("1201"))) == 0, "nobody marks it"


def test_unobserved_shells_are_expected_two_hexes_away() -> None:
    rows = "....W...\n....W...\n....W..."
    t = table(rows, unit("u_81", "0101"), unit("g_gren", "0802"))
    assert gained(t, o.PlotIndirectFire(U(0), t.hex("0802"), "tight")) == 0


def test_he_names_the_victim_who_is_hurt_most_and_minds_the_hits_already_made() -> None:
    t = table(open_ground(6, 2), unit("u_m4", "0101"), unit("g_gren", "0401"), unit("g_truck", "0401"),
              step="direct fire", asking=U(0))  # fmt: skip
    t.set(plots=(Plot(ALLIED, "direct", U(0), t.hex("0401")),))
    assert chosen(t) == o.NameTarget(U(1))
    fresh = gained(t, o.NameTarget(U(1)))
    t.set(hits=(Hit(U(1), "D3"), Hit(U(1), "D2")))
    assert gained(t, o.NameTarget(U(1))) < fresh
    decision = RULES.decisions(t.state)[0]
    assert SYSTEM.doctrine.ending(RULES.view(t.state, ALLIED), decision) == o.NameTarget(U(1))


def test_he_overruns_weak_infantry_in_the_open() -> None:
    t = on_the_move(open_ground(6, 3), unit("u_m4", "0102"), unit("g_81", "0302"), unit("u_truck", "0103"), plotted=[0])
    assert isinstance(chosen(t), o.Overrun)
    assert doctrine.overrun_prospect(t.position, ALLIED, t.unit(0)) > 0
    assert doctrine.overrun_prospect(t.position, ALLIED, t.unit(2)) == 0
    t.change(1, hex=t.hex("0602"))
    t.change(0, spent=17)
    assert doctrine.overrun_prospect(t.position, ALLIED, t.unit(0)) == 0


def test_a_unit_that_was_plotted_moves_even_where_it_had_better_stay() -> None:
    t = on_the_move("W.\n..", unit("u_rifle", "0101"), unit("g_pz4h", "0202"))
    order = chosen(t)
    assert isinstance(order, o.Move)
    t.play(order)
    assert chosen(t) == o.EndMovement()


def test_he_does_not_drive_over_mines_if_there_is_another_way() -> None:
    t = on_the_move(
        open_ground(6, 3), unit("u_m4", "0102"), mines={"0202": "defensive"},
        objectives={"The farm": ("0402",)}, control={"0402": GERMAN},
    )  # fmt: skip
    order = chosen(t)
    assert isinstance(order, o.Move)
    assert t.hex("0202") not in order.path
    assert outlook.Outlook(t.position, ALLIED).glance(t.unit(0), t.hex("0202")) == -outlook.TASK_PRIZE


def test_he_fires_on_opportunity_when_it_is_worth_it_and_holds_fire_when_not() -> None:
    plots = (Plot(GERMAN, "opportunity", U(1)),)
    t = on_the_move(open_ground(10, 2), unit("u_m4", "0101"), unit("g_pak40", "0601"), plots=plots)
    t.play(o.Move(U(0), t.hexes("0201")), passing=False)
    assert chosen(t, GERMAN) == o.FireOnOpportunity(U(1))
    poor = on_the_move(open_ground(10, 2), unit("u_jumbo", "0101"), unit("g_222", "0501"),
                       plots=(Plot(GERMAN, "opportunity", U(1)),))  # fmt: skip
    poor.play(o.Move(U(0), poor.hexes("0201", "0301", "0401")), passing=False)
    assert poor.asked in ("opportunity", "movement")
    weak = on_the_move(open_ground(10, 2), unit("u_truck", "0101"), unit("g_222", "0501"), plots=plots)
    weak.play(o.Move(U(0), weak.hexes("0201")), passing=False)
    assert weak.asked == "opportunity"
    assert isinstance(chosen(weak, GERMAN), o.FireOnOpportunity | o.Pass)


def test_passengers_are_set_down_near_the_goal_and_not_far_from_it() -> None:
    about: dict[str, Any] = {"objectives": {"The farm": ("0902",)}, "control": {"0902": GERMAN}}
    near = table(open_ground(10, 3), unit("u_m3", "0302"), unit("u_arminf", carrier=0), **about)
    plot = written(near)
    assert {plot[0].kind, plot[1].kind} == {"move"}
    far = table(open_ground(40, 3), unit("u_m3", "0102"), unit("u_arminf", carrier=0),
                objectives={"The farm": ("4002",)}, control={"4002": GERMAN})  # fmt: skip
    assert 1 not in written(far)
    assert gained(far, o.Unload(U(0))) == -1
    moving = on_the_move(open_ground(10, 3), unit("u_m3", "0302"), unit("u_arminf", carrier=0), plotted=[0, 1], **about)
    order = chosen(moving)
    assert isinstance(order, o.Move)
    moving.play(order)
    assert chosen(moving) == o.Unload(U(0))


def test_he_leaves_the_map_where_his_task_asks_for_it() -> None:
    sections = {
        "exits": (Exit("allied", ("0101",)),),
        "victory": Victory(conditions=(Condition("allied", "Get out", exit=1),)),
    }
    t = on_the_move(open_ground(5, 3), unit("u_m4", "0302"), unit("g_gren", "0503", disruption=1), sections=sections)
    assert isinstance(chosen(t), o.LeaveMap)
    assert t.hex("0101") in outlook.Outlook(t.position, ALLIED).prizes


def test_ground_that_counts_is_worth_going_to_and_worth_staying_in() -> None:
    victory = Victory(
        conditions=(Condition("allied", "Hold the farm", ("0303",)),),
        presence=(Presence("german", "across", ("0401:0502",), 2),),
    )
    t = table(open_ground(6, 3), unit("u_m4", "0102"), unit("g_gren", "0303"), sections={"victory": victory},
              control={"0303": GERMAN})  # fmt: skip
    ours, theirs = outlook.Outlook(t.position, ALLIED), outlook.Outlook(t.position, GERMAN)
    assert set(ours.prizes) == {t.hex("0303")}
    assert ours.attacks
    assert theirs.guarded == ours.prizes
    assert set(theirs.prizes) == set(t.hexes("0401", "0402", "0501", "0502"))
    stay, go = (theirs.glance(t.unit(1), t.hex(label)) for label in ("0303", "0203"))
    assert stay > go
    pair = table(open_ground(6, 3), unit("g_gren", "0303"), unit("g_gren", "0303"), sections={"victory": victory},
                 control={"0303": GERMAN})  # fmt: skip
    assert outlook.Outlook(pair.position, GERMAN)._hold(pair.unit(0), pair.hex("0303")) == 0


@pytest.mark.parametrize("kind", ["u_rifle", "u_81"])
def test_he_sets_up_in_cover_near_what_he_guards(kind: str) -> None:
    t = table(".W..\n....", unit(kind, "", fate="reserve"), step="setup", flow=(SetupFrame(ALLIED),),
              zones=(Zone("allied", ()),))  # fmt: skip
    board = t.board
    about = scenario(board, zones=(Zone("allied", tuple(board.hexes)),))
    ground = type(t.position.ground)(about, t.position.ground.options)
    t.set(ground=ground)
    order = chosen(t)
    assert order == o.PlaceUnit(U(0), t.hex("0201"))
    t.play(order)
    assert chosen(t) == o.EndSetup()


def test_what_units_ground_and_exits_are_worth() -> None:
    t = table(
        open_ground(3, 3),
        unit("u_m4", "0101"),
        unit("g_pz4h", "0303", disruption=3),
        unit("u_m4", "", fate="exited"),
        unit("g_pz4h", "", fate="lost"),
        control={"0202": ALLIED},
    )
    worth = outlook.worth("u_m4") - outlook.worth("g_pz4h") * 35 // 100 + outlook.TASK_PRIZE + outlook.PRIZE
    assert outlook.material(t.position, ALLIED) == worth
    assert outlook.material(t.position, GERMAN) == -worth
    assert gained(t, o.SealPlot()) == 0
    assert SYSTEM.doctrine.value(t.state, RULES.view(t.state, ALLIED)) == worth


def test_a_second_pin_or_delayed_panic_costs_nothing_more() -> None:
    t = table(open_ground(3, 3), unit("u_m4", "0101", pinned=True, delayed=True), unit("u_m4", "0102"))
    assert [outlook.harm(t.unit(0), result) for result in ("Pin", "P", "-", "D4")] == [0, 0, 0, 100]
    assert [outlook.harm(t.unit(1), result) for result in ("Pin", "P", "D1")] == [12, 28, 35]
    assert outlook.harm(t.unit(1), "D2", pending=3) == 35


def test_he_ends_every_decision_in_which_nothing_is_worth_doing() -> None:
    boxed_in = table(
        "..", unit("u_m4", "0101"), unit("u_truck", "0201"), unit("u_truck", "0201"), unit("u_truck", "0201")
    )
    assert gained(boxed_in, o.PlotMove((U(0),))) == -1, "there is nowhere to go"
    plots = (Plot(GERMAN, "opportunity", U(1)),)
    t = on_the_move(open_ground(10, 2), unit("u_truck", "0101", disruption=0), unit("g_222", "0501"), plots=plots)
    t.play(o.Move(U(0), t.hexes("0201")), passing=False)
    decision = RULES.decisions(t.state)[0]
    assert SYSTEM.doctrine.ending(RULES.view(t.state, GERMAN), decision) == o.Pass()


def test_ground_that_a_task_asks_for_and_is_held_is_no_goal() -> None:
    held = Victory(conditions=(Condition("allied", "Hold the farm", ("0303",)),))
    t = table(open_ground(3, 3), unit("u_m4", "0102"), sections={"victory": held}, control={"0303": ALLIED})
    assert outlook.Outlook(t.position, ALLIED).prizes == {}


@pytest.mark.rule("P44-8.10")
def test_nothing_is_expected_of_an_attack_that_is_not_allowed() -> None:
    t = table(open_ground(2, 2), unit("g_pzgren", "0101"))
    odds = shelling.shell_odds(t.position, 1, "loose", t.unit(0))
    assert outlook.expected_harm(odds, t.unit(0)) == 0
