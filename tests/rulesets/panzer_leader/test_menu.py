"""What a client shows for a selection: verbs with their targets, or greyed with the refusal that says why."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import HexId, SideId
from sandtable.kernel.ruleset import Field, Selection, Target, Verb
from sandtable.kernel.state import State
from sandtable.rulesets.panzer_leader import orders as o
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow, StepFrame
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Mover, Work
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Exit, Naval, Setup, Victory
from tests.rulesets.panzer_leader.battles import battle, entry, named, opened
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

RULESET = PanzerLeader()


def verbs(t: Table, *units: int, side: SideId | None = None) -> dict[str, Verb]:
    """The menu of the side that decides; every target is lawful and every greyed verb cites a rule."""
    (decision,) = RULESET.decisions(t.state)
    view = RULESET.view(t.state, side or decision.side)
    made = RULESET.menu(view, Selection(ids(*units)))
    for verb in made:
        assert bool(verb.targets) != (verb.refusal is not None), verb
        assert verb.refusal is None or verb.refusal.rule.startswith("PL-")
        for target in verb.targets:
            assert RULESET.check(view, target.order) is None, target
    assert len({verb.hotkey for verb in made}) == len(made)
    return {verb.key: verb for verb in made}


def why(verb: Verb) -> tuple[str, str]:
    assert verb.refusal is not None, verb
    return verb.refusal.rule, verb.refusal.reason


def at(step: str, *units: Any, rows: str = "", **fields: Any) -> Table:
    return table(rows or open_board(6, 4), *units, step=step, **fields)


TANK, FOE = unit("a_m4_75", "0101"), unit("g_rifle", "0404")


def test_a_side_that_has_nothing_to_decide_has_no_menu() -> None:
    t = at("direct fire", TANK, FOE)
    assert verbs(t, 1, side=GERMAN) == {}


def test_without_a_selection_there_is_the_end_of_the_phase_and_what_needs_no_unit() -> None:
    t = at("vehicle movement", TANK, FOE)
    assert list(verbs(t)) == ["end"]
    assert list(verbs(t, 77)) == ["end"]
    end = verbs(t)["end"]
    assert (end.title, end.hotkey, end.targets) == (
        "End: Move vehicles",
        "Enter",
        (Target(o.EndPhase(), text="end the phase"),),
    )


def test_an_enemy_unit_can_not_be_ordered_about() -> None:
    t = at("direct fire", TANK, FOE)
    assert why(verbs(t, 1)["fire"]) == ("PL-501", "that is not your unit")


@pytest.mark.rule("PL-601")
def test_moves_are_targets_with_their_hex_and_the_movement_left() -> None:
    t = at("vehicle movement", TANK, FOE)
    move = verbs(t, 0)["move"]
    first = next(target for target in move.targets if target.hex == t.hex("0102"))
    assert isinstance(first.order, o.MoveUnit)
    assert first.order.path[-1] == first.hex
    assert first.note


def test_targets_of_fire_carry_the_odds_in_brief_and_the_units_aimed_at() -> None:
    t = at("direct fire", TANK, FOE)
    (target,) = verbs(t, 0)["fire"].targets
    assert (target.order, target.hex, target.units) == (
        o.DirectFire(ids(0), t.hex("0404"), ids(1)),
        t.hex("0404"),
        (1,),
    )
    assert target.note == "1-2 by M4/75 Sherman #0"
    t.change(1, dispersed=1)
    assert verbs(t, 0)["fire"].targets[0].note == "1-2 die -1 by M4/75 Sherman #0"


def test_selected_units_fire_together_first_then_without_each_other_and_each_order_stands_there_once() -> None:
    t = at("direct fire", TANK, unit("a_m4_75", "0102"), unit("a_m4_75", "0103"), FOE)
    firers = [target.order.firers for target in verbs(t, 0, 1)["fire"].targets]  # type: ignore[attr-defined]
    assert firers == [(0, 1), (0,), (1,)]
    # what the selected can't do together, they are not offered together
    t = at("close assault", unit("a_rifle", "0303"), unit("a_rifle", "0101"), unit("g_rifle", "0304"))
    assert [target.order for target in verbs(t, 0, 1)["assault"].targets] == [o.CloseAssault(ids(0), t.hex("0304"))]
    # each of two names itself first in what is the same assault of both
    t = at("close assault", unit("a_rifle", "0303"), unit("a_rifle", "0303"), unit("g_rifle", "0304"))
    units = [target.order.units for target in verbs(t, 0, 1)["assault"].targets]  # type: ignore[attr-defined]
    assert units == [(0, 1), (0,), (1,)]


@pytest.mark.parametrize(
    ("step", "first", "verb", "rule"),
    [
        ("direct fire", unit("a_m4_75", "0101", fired=True), "fire", "PL-801"),
        ("direct fire", unit("a_m4_75", "0101", dispersed=1), "fire", "PL-902"),
        ("direct fire", unit("a_greyhound", "0101"), "fire", "PL-805"),
        ("vehicle movement", unit("a_m4_75", "0101", fired=True), "move", "PL-602"),
        ("vehicle movement", unit("a_m4_75", "0101", moved=True), "move", "PL-601"),
        ("vehicle movement", unit("a_m4_75", "0101", fired=True), "overrun", "PL-602"),
        ("vehicle movement", unit("a_m4_75", "0101"), "overrun", "PL-1001"),
        ("vehicle movement", unit("a_m4_75"), "place", "PL-1506"),
        ("vehicle movement", unit("a_truck", "0101"), "load", "PL-641"),
        ("indirect orders", unit("a_m4_75", "0101"), "mission", "PL-1101"),
        ("close assault", unit("a_rifle", "0101"), "assault", "PL-1021"),
        ("foot movement", unit("a_engineer", "0101"), "work", "PL-1304"),
        ("foot movement", unit("a_engineer", "0101"), "finish", "PL-1331"),
    ],
)
def test_a_verb_without_targets_is_greyed_with_the_rule_that_stands_in_the_way(
    step: str, first: Any, verb: str, rule: str
) -> None:
    t = at(step, first, unit("g_pz4", "1212"), rows=open_board(12, 12))
    assert why(verbs(t, 0)[verb])[0] == rule


def test_the_menu_is_silent_about_what_could_never_mean_anything_to_the_unit() -> None:
    t = at("vehicle movement", TANK, FOE)
    assert set(verbs(t, 0)) == {"move", "overrun", "load", "end"}
    t = at("foot movement", unit("a_rifle", "0101"), FOE)
    assert set(verbs(t, 0)) == {"move", "end"}
    # who waits beside the map can be placed, and nothing else
    t = at("foot movement", unit("a_engineer"), FOE)
    assert set(verbs(t, 0)) == {"place", "end"}
    assert "place" not in verbs(at("direct fire", unit("a_rifle"), unit("a_rifle", "0101"), FOE), 0)


def test_carriers_load_and_unload_and_say_whom() -> None:
    t = at("vehicle movement", unit("a_truck", "0101"), unit("a_rifle", "0101"), FOE)
    (load,) = verbs(t, 0)["load"].targets
    assert (load.order, load.hex, load.units, load.note) == (
        o.LoadUnit(U(0), U(1)), t.hex("0101"), (1,), "Rifle platoon #1",
    )  # fmt: skip
    t.change(1, carrier=0)
    (unload,) = verbs(t, 0)["unload"].targets
    assert (unload.order, unload.hex) == (o.UnloadUnit(U(0)), t.hex("0101"))


def test_forts_works_and_ways_out_are_offered_where_there_are_any() -> None:
    t = at(
        "foot movement",
        unit("n_fort30", "0101", side=ALLIED),
        unit("a_engineer", "0101"),
        unit("a_rifle", fort=0),
        FOE,
        mines=["0102"],
        sections={"victory": Victory(exits=(Exit("allied", ("0101",)),))},
    )
    offered = verbs(t, 1)
    assert [target.order for target in offered["enter"].targets] == [o.EnterFort(U(1))]
    assert [target.order for target in offered["exit"].targets] == [o.LeaveMap(U(1))]
    assert why(offered["leave fort"])[0] == "PL-1321"
    work = next(target for target in offered["work"].targets if target.hex == t.hex("0102"))
    assert (work.order, work.note) == (o.BeginWork(U(1), "clear", t.hex("0102")), "clear the mines or the block there")
    assert [target.order for target in verbs(t, 2)["leave fort"].targets] == [o.LeaveFort(U(2))]


def test_overruns_and_close_assaults_tell_their_odds() -> None:
    t = at("vehicle movement", TANK, unit("g_rifle", "0103"), rows=open_board(1, 6))
    (target, *_) = verbs(t, 0)["overrun"].targets
    assert (target.hex, target.note) == (t.hex("0103"), "2-1 die -2 by M4/75 Sherman #0")
    t = at("close assault", unit("a_rifle", "0303"), unit("g_rifle", "0304"))
    (target,) = verbs(t, 0)["assault"].targets
    assert target.note == "1-4 die -2 by Rifle platoon #0"


@pytest.mark.rule("PL-1608")
def test_a_gun_is_turned_to_a_side_of_its_hex() -> None:
    t = at("foot movement", unit("a_105", "0202", facing=2), FOE, options={"field_of_fire": True})
    turns = verbs(t, 0)["turn"].targets
    assert {target.side for target in turns} <= set(range(6))
    assert all(target.order == o.SetFacing(U(0), target.side or 0) for target in turns)
    assert {target.hex for target in turns} == {t.hex("0202")}
    assert "turn" not in verbs(at("foot movement", unit("a_105", "0202"), FOE), 0)


def test_units_are_placed_in_setup_which_ends_when_all_stand() -> None:
    b = battle(
        "...",
        entry("a_rifle", id="a"),
        entry("g_rifle", "0301"),
        zones={"allied": ["0101", "0201"]},
        sections={"setup": Setup(("allied",), True)},
    )
    t = opened(b)
    offered = verbs(t, named(t, "a"))
    assert [target.hex for target in offered["place"].targets] == list(t.hexes("0101", "0201"))
    assert offered["end"].title == "End: Setup"
    assert why(offered["end"])[0] == "PL-1506"


def test_reactions_are_to_fire_at_the_mover_or_to_let_it_go_by() -> None:
    t = table(
        "....",
        unit("a_m5", "0101"),
        unit("g_pz4", "0301"),
        step="vehicle movement",
        flow=(StepFrame("vehicle movement"), OpportunityWindow(GERMAN, U(0), ids(1))),
        mover=Mover(U(0), 5, 8, 4, exposure={U(1): 8}),
        options={"opportunity_fire": True},
    )
    offered = verbs(t)
    (shot,) = offered["opportunity"].targets
    assert (shot.order, shot.hex, shot.units) == (o.OpportunityFire(ids(1)), t.hex("0101"), (0,))
    assert shot.note == "4-1 by PzKw IVh #1"
    assert offered["pass"].targets == (
        Target(o.Pass(), text="let it go by"),
        Target(o.Pass(rest=True), text="let the whole move go by"),
    )
    assert offered["pass"].closes
    assert not offered["opportunity"].closes


# --- verbs that need no unit ----------------------------------------------------------------------------------------


def test_written_missions_come_down_without_a_selection() -> None:
    due = Mission(ALLIED, ids(0), 9, ids(0), 1, 3)
    t = at("indirect fire", unit("a_81mm", "0101"), FOE, missions=(due,), segment=3, turn=2)
    assert o.FireMissions() in [target.order for target in verbs(t)["missions"].targets]
    t.set(missions=())
    assert why(verbs(t)["missions"]) == ("PL-503", "no mission is due")


@pytest.mark.rule("PL-1121")
def test_naval_guns_are_offered_when_they_are_played() -> None:
    rows = "...\n...\n...\nBBB\nOOO"
    t = at("direct fire", TANK, unit("g_pz4", "0103"), rows=rows, options={"naval_fire": True}, naval={ALLIED: 40})
    salvo = verbs(t)["naval"].targets[0]
    assert isinstance(salvo.order, o.NavalFire)
    assert (salvo.hex, salvo.units) == (t.hex("0103"), (1,))
    t.set(naval={ALLIED: 0})
    assert why(verbs(t)["naval"])[0] == "PL-1121"
    # a side without ships is not reminded of them
    t.set(naval={GERMAN: 40})
    assert "naval" not in verbs(t)
    assert "naval" not in verbs(at("direct fire", TANK, FOE))
    sections, options = {"naval": Naval({"allied": 40})}, {"naval_fire": True}
    t = at("indirect orders", TANK, unit("g_pz4", "0103"), rows=rows, options=options, sections=sections)
    assert isinstance(verbs(t)["naval"].targets[0].order, o.WriteNavalMission)


@pytest.mark.rule("PL-1203")
def test_aircraft_fly_and_attack_without_a_selection() -> None:
    t = at("air movement", TANK, FOE, aircraft=[plane("p47", ordnance="bombs")])
    flight = verbs(t)["fly"].targets[0]
    assert isinstance(flight.order, o.FlyTo)
    assert flight.hex == flight.order.hex
    t = at("air attack", TANK, FOE, aircraft=[plane("p47", "0403", ordnance="bombs", flown=1)])
    strike = verbs(t)["strike"].targets[-1]
    assert strike.order == o.AirAttack((o.AirSortie(U(0), "bombs"),), t.hex("0404"), ids(1))
    assert (strike.hex, strike.units) == (t.hex("0404"), (1,))
    assert strike.note == "3-1 by aircraft"
    t.set(aircraft=())
    assert why(verbs(t)["strike"])[0] == "PL-1203"
    t.state = State(t.position, (StepFrame("air movement"),), t.state.dice)
    assert why(verbs(t)["fly"])[0] == "PL-1201"


# --- forms, check marks and reminders -------------------------------------------------------------------------------


@pytest.mark.rule("PL-1121")
def test_naval_fire_asks_for_the_points_and_stands_at_all_of_them() -> None:
    rows = "...\n...\n...\nBBB\nOOO"
    t = at("direct fire", TANK, unit("g_pz4", "0103"), rows=rows, options={"naval_fire": True}, naval={ALLIED: 40})
    naval = verbs(t)["naval"]
    assert naval.form == (Field("points", "Points", least=20, most=40, default=40),)
    assert [target.order for target in naval.targets] == [o.NavalFire(40, t.hex("0103"), ids(1))]
    t.set(naval={ALLIED: 10})
    assert verbs(t)["naval"].form == ()


@pytest.mark.rule("PL-1608")
def test_a_gun_that_is_placed_is_told_which_way_to_point() -> None:
    b = battle(
        "...",
        entry("a_105", id="gun"),
        entry("a_rifle", id="men"),
        entry("g_rifle", "0301"),
        zones={"allied": ["0101", "0201"]},
        sections={"setup": Setup(("allied",), True)},
        options={"field_of_fire": True},
    )
    t = opened(b)
    assert verbs(t, named(t, "gun"))["place"].form == (Field("facing", "Facing", most=5),)
    assert verbs(t, named(t, "men"))["place"].form == ()


def test_units_that_are_at_it_already_have_a_check_mark() -> None:
    mission = Mission(ALLIED, ids(0), 9, ids(0), 1, 3)
    t = at("indirect orders", unit("a_81mm", "0101"), unit("a_81mm", "0102"), FOE, missions=(mission,))
    assert verbs(t, 0)["mission"].checked
    assert why(verbs(t, 0)["mission"])[0] == "PL-801"
    assert not verbs(t, 1)["mission"].checked
    t = at("foot movement", unit("a_engineer", "0101"), FOE, works=(Work(U(0), "clear", 9, 0, 0, 1),))
    assert verbs(t, 0)["work"].checked


def test_who_ends_a_step_is_reminded_of_units_that_can_still_act() -> None:
    t = at("vehicle movement", TANK, unit("a_m5", "0102"), unit("a_rifle", "0103"), FOE)
    end = verbs(t)["end"]
    assert end.closes
    assert end.confirm == "M4/75 Sherman #0 and M5 Stuart #1 can still act."
    t.change(0, moved=True)
    t.change(1, moved=True)
    assert verbs(t)["end"].confirm == ""


def test_a_target_names_its_way_those_who_act_and_the_order_in_words() -> None:
    t = at("vehicle movement", TANK, FOE)
    target = next(one for one in verbs(t, 0)["move"].targets if one.hex == t.hex("0102"))
    assert (target.path, target.actors, target.text) == (t.hexes("0102"), (0,), "move M4/75 Sherman #0 to 0102")


@pytest.mark.rule("PL-1103")
def test_batteries_are_offered_every_observed_hex_in_range_whether_an_enemy_is_there_or_not() -> None:
    t = at("indirect orders", unit("a_81mm", "0101"), FOE, options={"smoke": True})
    offered = {target.hex for target in verbs(t, 0)["mission"].targets}
    assert offered == set(t.board.hexes) - {t.hex("0101")}
    heavy = at("indirect orders", unit("a_155", "0101"), FOE, rows=open_board(12, 6), options={"smoke": True})
    smoke = {t.order.smoke for t in verbs(heavy, 0)["mission"].targets if isinstance(t.order, o.WriteMission)}
    assert smoke == {True, False}


@pytest.mark.rule("PL-1201")
def test_a_picked_aircraft_can_be_sent_anywhere() -> None:
    t = at("air movement", TANK, FOE, aircraft=[plane("p47"), plane("p47", flown=1)])
    assert [target.hex for target in verbs(t, 2)["fly"].targets] == list(t.board.hexes)
    assert why(verbs(t, 3)["fly"])[0] == "PL-1201"


# --- why not that one -----------------------------------------------------------------------------------------------

MOVER: dict[str, Any] = {
    "flow": (StepFrame("vehicle movement"), OpportunityWindow(GERMAN, U(0), ids(1))),
    "mover": Mover(U(0), 5, 8, 4, exposure={U(1): 8}),
    "options": {"opportunity_fire": True},
}
SHORE = "...\n...\n...\nBBB\nOOO"
NAVAL: dict[str, Any] = {"options": {"naval_fire": True}, "rows": SHORE}
FLAK = unit("g_20aa", "0103")
COAST: dict[str, Any] = {**NAVAL, "sections": {"naval": Naval({"allied": 40})}}
WAY_OUT: dict[str, Any] = {"sections": {"victory": Victory(exits=(Exit("allied", ("0102",)),))}}
PZ4 = unit("g_pz4", "0103")
LOADED = (unit("a_truck", "0101"), unit("a_rifle", carrier=0))
ON_FOOT = (unit("a_truck", "0101"), unit("a_rifle", "0102"))


def moving() -> Table:
    return table("....", unit("a_m5", "0101"), unit("g_pz4", "0301"), step="vehicle movement", **MOVER)


def refused(t: Table, verb: str, label: str, *units: int, aimed: int | None = None) -> str:
    """The rule by which the picked units can't do that there; "" when they can, as the menu says too."""
    (decision,) = RULESET.decisions(t.state)
    view = RULESET.view(t.state, decision.side)
    target = Selection(() if aimed is None else ids(aimed), t.hex(label) if label else HexId(0))
    refusal = RULESET.why_not(view, verb, Selection(ids(*units)), target)
    offered = {one.key: one for one in RULESET.menu(view, Selection(ids(*units)))}.get(verb)
    assert (refusal is None) == any(
        (not one.hex or one.hex == target.hex) and (aimed is None or not one.units or aimed in one.units)
        for one in (offered.targets if offered else ())
    )
    return "" if refusal is None else refusal.rule


@pytest.mark.parametrize(
    ("t", "verb", "label", "aimed", "rule"),
    [
        (at("direct fire", TANK, FOE), "fire", "0404", 1, ""),
        (at("direct fire", TANK, FOE), "fire", "0303", None, "PL-802"),
        (at("direct fire", TANK, unit("a_rifle", "0202"), FOE), "fire", "0202", 1, "PL-802"),
        (at("direct fire", TANK, FOE, rows="....\n....\n....\n...T"), "fire", "0404", 1, "PL-721"),
        (at("direct fire", TANK, unit("g_rifle", "0404", attacked=("fire",))), "fire", "0404", 1, "PL-511"),
        (at("direct fire", TANK, unit("g_rifle", "1201"), rows=open_board(12, 4)), "fire", "1201", None, "PL-805"),
        (at("direct fire", unit("a_m4_75", "0101", fired=True), FOE), "fire", "0404", 1, "PL-801"),
        (at("direct fire", TANK, FOE), "move", "0102", None, "PL-504"),
        (at("direct fire", TANK, FOE), "fire", "", None, "PL-805"),
        (at("indirect orders", unit("a_81mm", "0101"), FOE), "mission", "0101", None, "PL-1101"),
        (at("vehicle movement", TANK, FOE), "move", "0102", None, ""),
        (at("vehicle movement", TANK, FOE), "move", "0404", None, "PL-605"),
        (at("vehicle movement", TANK, FOE, rows=open_board(20, 4)), "move", "2001", None, "PL-603"),
        (at("vehicle movement", TANK, unit("g_rifle", "0103"), rows=open_board(1, 6)), "overrun", "0103", None, ""),
        (at("vehicle movement", TANK, FOE), "overrun", "0202", None, "PL-1002"),
        (at("vehicle movement", TANK, unit("g_rifle", "0104"), rows=open_board(1, 4)), "overrun", "0104", 1, "PL-601"),
        (at("vehicle movement", unit("a_truck", "0101"), unit("a_rifle", "0101"), FOE), "load", "0101", 1, ""),
        (at("vehicle movement", *ON_FOOT, FOE), "load", "0102", None, "PL-641"),
        (at("vehicle movement", *ON_FOOT, FOE), "load", "0103", None, "PL-641"),
        (at("vehicle movement", *LOADED, FOE), "unload", "0101", None, ""),
        (at("vehicle movement", *LOADED, FOE), "unload", "0102", None, "PL-601"),
        (at("vehicle movement", unit("a_truck"), FOE), "move", "0102", None, "PL-1506"),
        (at("vehicle movement", unit("a_m4_75", "0101", dispersed=1), FOE), "move", "0102", None, "PL-902"),
        (at("foot movement", unit("a_engineer", "0101"), FOE, mines=["0102"]), "work", "0102", None, ""),
        (at("foot movement", unit("a_engineer", "0101"), FOE), "work", "0102", None, "PL-1304"),
        (at("foot movement", unit("a_engineer", "0101"), FOE), "work", "0101", None, "PL-1332"),
        (
            at("foot movement", unit("a_engineer", "0101"), FOE),
            "finish", "0101", None, "PL-1331",
        ),
        (
            at("foot movement", unit("a_rifle", "0101"), FOE, **WAY_OUT),
            "exit", "0101", None, "PL-1504",
        ),
        (
            at("foot movement", unit("a_rifle", "0102"), FOE, **WAY_OUT),
            "exit", "0102", None, "",
        ),
        (
            at("foot movement", unit("a_rifle", "0102"), FOE, mover=Mover(U(0), 9, 99), **WAY_OUT),
            "exit", "0102", None, "PL-603",
        ),
        (
            at("vehicle movement", unit("a_m5", "0101"), *[unit("g_panther", "0103")] * 4, rows=open_board(1, 6)),
            "overrun", "0103", None, "PL-832",
        ),
        (at("close assault", unit("a_rifle", "0303"), unit("g_rifle", "0304")), "assault", "0304", None, ""),
        (at("close assault", unit("a_rifle", "0303"), unit("g_rifle", "0304")), "assault", "0101", None, "PL-1021"),
        (at("direct fire", TANK, PZ4, naval={ALLIED: 40}, **NAVAL), "naval", "0103", 1, ""),
        (at("direct fire", TANK, PZ4, naval={ALLIED: 40}, **NAVAL), "naval", "0102", None, "PL-802"),
        (at("direct fire", TANK, PZ4, naval={ALLIED: 40}, **NAVAL), "naval", "0101", 0, "PL-802"),
        (at("indirect orders", TANK, PZ4, **COAST), "naval", "0103", None, ""),
        (
            at("indirect orders", unit("a_m4_75", "0101", dispersed=1), PZ4, **COAST),
            "naval", "0103", None, "PL-1103",
        ),
        (
            at("indirect orders", TANK, PZ4, turn=9, **COAST),
            "naval", "0103", None, "PL-1121",
        ),
        (at("indirect orders", TANK, PZ4, **NAVAL), "naval", "0103", None, "PL-1121"),
        (at("indirect fire", TANK, FOE), "missions", "0103", None, "PL-503"),
        (at("anti-aircraft", TANK, FLAK, aircraft=[plane("p47", "0104")]), "antiair", "0104", 2, ""),
        (at("anti-aircraft", TANK, FLAK, aircraft=[plane("p47", "0104")]), "antiair", "0101", None, "PL-1207"),
        (at("anti-aircraft", TANK, FLAK, aircraft=[plane("p47", "0104")]), "antiair", "0104", 0, "PL-1207"),
        (at("anti-aircraft", TANK, FLAK, aircraft=[plane("p47", "0104", shot_at=1)]), "antiair", "0104", 2, "PL-1207"),
        (at("air movement", TANK, FOE, aircraft=[plane("p47")]), "fly", "0101", None, "PL-1201"),
        (at("air movement", TANK, FOE, aircraft=[plane("p47", flown=1)]), "fly", "0101", None, "PL-1202"),
        (at("air attack", TANK, FOE, aircraft=[plane("p47", "0403", flown=1)]), "strike", "0404", 1, ""),
        (at("air attack", TANK, FOE, aircraft=[plane("p47", "0403", flown=1)]), "strike", "0101", None, "PL-802"),
        (at("air attack", TANK, FOE, aircraft=[plane("p47", "0101", flown=1)]), "strike", "0404", None, "PL-1203"),
        (
            at("air attack", TANK, FOE, aircraft=[plane("p47", "0403", flown=1, strafes=0)]),
            "strike", "0404", None, "PL-1205",
        ),
        (moving(), "opportunity", "0101", 0, ""),
        (
            moving(),
            "opportunity", "0201", None, "PL-1601",
        ),
        (
            moving(),
            "opportunity", "0101", 1, "PL-1601",
        ),
        (at("vehicle movement", TANK, FOE), "end", "0101", None, ""),
    ],
)  # fmt: skip
def test_pointing_at_anything_says_which_rule_stands_in_the_way(
    t: Table, verb: str, label: str, aimed: int | None, rule: str
) -> None:
    actor = 1 if verb == "antiair" else 0
    assert refused(t, verb, label, actor, aimed=aimed) == rule


def led(t: Table, unit: int, *labels: str) -> Verb:
    """The move of a unit through hexes to the last of them, as the menu gives it."""
    (decision,) = RULESET.decisions(t.state)
    *via, goal = map(t.hex, labels)
    (verb,) = RULESET.menu(RULESET.view(t.state, decision.side), Selection(ids(unit), goal, tuple(via)))
    return verb


@pytest.mark.rule("PL-603")
def test_a_move_is_led_through_hexes_the_cheapest_way_between_each_two() -> None:
    t = at("vehicle movement", TANK, FOE)
    (target,) = led(t, 0, "0103", "0301").targets
    assert target.path[1] == t.hex("0103")
    assert target.hex == t.hex("0301")
    assert len(target.path) == 2 + 3
    assert why(led(t, 0, "0104", "0601", "0104"))[0] == "PL-603"
    assert why(led(t, 0, "0404", "0301"))[0] == "PL-605"


@pytest.mark.rule("PL-1605")
def test_infantry_is_led_at_both_gaits() -> None:
    t = at("foot movement", unit("a_rifle", "0101"), FOE, options={"quick_time": True})
    gaits = [target.order.gait for target in led(t, 0, "0102", "0103").targets if isinstance(target.order, o.MoveUnit)]
    assert gaits == ["quick"]
    assert why(led(at("foot movement", unit("a_rifle"), FOE), 0, "0102", "0103"))[0] == "PL-1506"
