"""What an order leads to later, what speaks against it, and what is lost when a step is ended."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.events import Order
from sandtable.kernel.forecast import Branch, Forecast, Reaction, forecast
from sandtable.kernel.ids import RuleId
from sandtable.kernel.ruleset import Reminder, Selection, Verb
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission
from sandtable.rulesets.panzer_leader.orders import (
    BeginWork,
    DirectFire,
    FireMissions,
    FlyTo,
    MoveUnit,
    Overrun,
    OverrunRun,
    PlaceUnit,
    UnloadUnit,
    WriteMission,
    WriteNavalMission,
)
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Naval
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit
from tests.rulesets.panzer_leader.test_landing import coast, off

RULESET = PanzerLeader()


def odds(t: Table, order: Order) -> Forecast:
    (decision,) = RULESET.decisions(t.state)
    found = forecast(RULESET, RULESET.view(t.state, decision.side), order)
    assert isinstance(found, Forecast), found
    return found


def later(t: Table, order: Order) -> Reaction:
    """The one thing that the order leads to; it is then not certain what comes of it."""
    found = odds(t, order)
    (one,) = found.later
    assert not found.certain
    return one


def reminders(t: Table) -> tuple[Reminder, ...]:
    return RULESET.reminders(RULESET.view(t.state, t.position.phasing))


def ending(t: Table) -> Verb:
    (end,) = (verb for verb in RULESET.menu(RULESET.view(t.state, t.position.phasing), Selection()) if verb.closes)
    return end


# --- certainty ------------------------------------------------------------------------------------------------------


def test_a_move_that_no_die_and_no_enemy_can_spoil_is_certain() -> None:
    t = table(open_board(3, 3), unit("a_m4_75", "0101"), unit("g_rifle", "0303"), step="vehicle movement")
    assert odds(t, MoveUnit(U(0), t.hexes("0102"))).certain


@pytest.mark.rule("PL-1605")
def test_quick_time_is_never_certain() -> None:
    t = table(open_board(1, 4), unit("a_rifle", "0101"), step="foot movement", options={"quick_time": True})
    quick = odds(t, MoveUnit(U(0), t.hexes("0102", "0103"), "quick"))
    assert (quick.certain, quick.dice) == (False, 1)
    assert {branch.probability for branch in quick.branches} == {"1/2"}
    assert odds(t, MoveUnit(U(0), t.hexes("0102"))).certain


@pytest.mark.rule("PL-1601")
def test_a_move_that_known_enemies_may_fire_at_is_not_certain() -> None:
    counters = unit("a_m4_75", "0101"), unit("g_88", "0108")
    t = table(open_board(1, 8), *counters, step="vehicle movement", options={"opportunity_fire": True})
    found = odds(t, MoveUnit(U(0), t.hexes("0102", "0103", "0104")))
    assert (found.certain, found.dice, len(found.reactions)) == (False, 0, 2)


def test_fire_is_not_certain() -> None:
    t = table(open_board(3, 3), unit("a_m4_75", "0101"), unit("g_rifle", "0103"))
    assert not odds(t, DirectFire(ids(0), t.hex("0103"), ids(1))).certain


# --- fire that comes down later -------------------------------------------------------------------------------------


def batteries(*targets: Any, **fields: Any) -> Table:
    """A 105 and an 81mm mortar, a rifle that spots, and targets."""
    own = unit("a_105", "0101"), unit("a_81mm", "0201"), unit("a_rifle", "1001")
    return table(open_board(14, 1), *own, *targets, **{"step": "indirect orders", **fields})


@pytest.mark.rule("PL-503", "PL-1107")
def test_a_written_mission_tells_what_it_does_in_the_next_segment() -> None:
    t = batteries(unit("g_rifle", "1201"))
    shells = later(t, WriteMission(ids(0), t.hex("1201")))
    assert (shells.side, shells.actors, shells.hex) == (ALLIED, ids(0), t.hex("1201"))
    assert shells.branches[0] == Branch("Rifle platoon #3 destroyed", "5/6")
    assert "In your next segment it comes down on 1201, if all stays as it is" in shells.text
    assert odds(t, WriteMission(ids(0), t.hex("1201"))).warning == ""
    assert {tally.title for tally in shells.tally} >= {"Odds", "Attack strength"}


@pytest.mark.rule("PL-1108")
def test_a_mission_that_can_harm_nobody_says_so_before_it_binds_its_batteries() -> None:
    t = batteries(unit("g_tiger2", "1201"))
    weak = odds(t, WriteMission(ids(1), t.hex("1201")))
    assert weak.warning == (
        "As things stand it is too weak for anything in 1201: worse than 1-4 against each. "
        "Nobody may fire directly at that hex in that segment (PL-804), and the batteries nowhere (PL-1104)."
    )
    empty = odds(t, WriteMission(ids(1), t.hex("1301")))
    assert empty.warning.startswith("As things stand nobody is known to be in 1301.")
    assert [branch.result for branch in empty.later[0].branches] == ["no effect"]
    own = odds(t, WriteMission(ids(0), t.hex("1001")))
    assert "it hits your own there too: Rifle platoon #2" in own.warning


@pytest.mark.rule("PL-1108")
def test_a_mission_that_no_die_can_make_good_is_in_vain() -> None:
    """1-4 in the open: not even a 1 does anything."""
    own = unit("a_81mm", "0101"), unit("a_81mm", "0101"), unit("a_rifle", "0401")
    t = table(".....", *own, unit("g_panther", "0501"), step="indirect orders")
    assert "no die would harm anything in 0501" in odds(t, WriteMission(ids(0, 1), t.hex("0501"))).warning


@pytest.mark.rule("PL-1609")
def test_written_smoke_leads_to_something_later_and_needs_no_enemy() -> None:
    t = batteries(options={"smoke": True})
    smoke = odds(t, WriteMission(ids(0), t.hex("1201"), smoke=True))
    assert (smoke.warning, smoke.certain) == ("", False)
    assert smoke.later[0].text.startswith("In your next segment smoke comes down on 1201")


@pytest.mark.rule("PL-1121")
def test_written_naval_fire_tells_what_it_does_in_two_turns() -> None:
    options, sections = {"naval_fire": True}, {"naval": Naval({"allied": 40})}
    t = batteries(unit("g_rifle", "1201"), options=options, sections=sections)
    salvo = later(t, WriteNavalMission(40, t.hex("1201")))
    assert salvo.text.startswith("In two turns it comes down on 1201")
    assert salvo.branches[0].probability == "5/6"
    vain = odds(t, WriteNavalMission(40, t.hex("1301"))).warning
    assert vain == "As things stand nobody is known to be in 1301. The points are spent all the same (PL-1121)."


def due(*targets: Any) -> Table:
    place = table(open_board(14, 1)).hex("1201")
    mission = Mission(ALLIED, ids(0), place, ids(2), written=1, due=3)
    return batteries(*targets, step="indirect fire", segment=3, turn=2, missions=(mission,))


@pytest.mark.rule("PL-804")
def test_missions_that_come_down_in_vain_or_on_friends_say_so() -> None:
    shells_nobody = odds(due(), FireMissions()).warning
    assert shells_nobody == (
        "As things stand nobody is known to be in 1201. No direct fire may follow into a shelled hex (PL-804)."
    )
    assert odds(due(unit("g_rifle", "1201")), FireMissions()).warning == ""
    assert "your own" in odds(due(unit("a_rifle", "1201")), FireMissions()).warning


@pytest.mark.rule("PL-1105")
def test_missions_that_nobody_spots_for_any_more_tell_how_they_scatter() -> None:
    t = due(unit("g_rifle", "1201"))
    assert not any("scatters" in tally.title for tally in odds(t, FireMissions()).tally)
    t.change(2, dispersed=1)
    scatter = odds(t, FireMissions()).tally[0]
    assert scatter.title == "Nobody spots for 1201: it scatters"
    assert [(line.label, line.value) for line in scatter.lines] == [
        ("On target", "1 to 2"),
        ("On one of the six hexes beside it", "3 to 5"),
        ("Nowhere", "6"),
    ]


# --- mines, charges and the sea -------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1303")
def test_a_move_that_ends_on_mines_tells_what_they_do() -> None:
    t = table(open_board(3, 3), unit("a_m4_75", "0101"), step="vehicle movement", mines=["0102"])
    attack = later(t, MoveUnit(U(0), t.hexes("0102")))
    assert attack.text == "The minefield in 0102 attacks M4/75 Sherman #0 when the enemy's segment begins"
    assert [(branch.result, branch.probability) for branch in attack.branches] == [
        ("M4/75 Sherman #0 dispersed", "2/3"),
        ("M4/75 Sherman #0 destroyed", "1/6"),
        ("no effect", "1/6"),
    ]
    flail = table(open_board(3, 3), unit("b_flail", "0101"), step="vehicle movement", mines=["0102"])
    assert odds(flail, MoveUnit(U(0), flail.hexes("0102"))).certain


@pytest.mark.rule("PL-1303")
def test_an_overrun_and_an_unloading_onto_mines_tell_what_they_do() -> None:
    t = table(
        open_board(1, 5), unit("a_m4_75", "0101"), unit("g_rifle", "0102"), step="vehicle movement", mines=["0103"]
    )
    drive = Overrun(t.hex("0102"), (OverrunRun(U(0), t.hexes("0102", "0103")),))
    assert later(t, drive).hex == t.hex("0103")
    counters = unit("a_truck", "0101"), unit("a_rifle", carrier=0)
    mined = table(open_board(1, 3), *counters, step="vehicle movement", mines=["0101"])
    assert "attacks Rifle platoon #1" in later(mined, UnloadUnit(U(0))).text


@pytest.mark.rule("PL-1303", "PL-1506")
def test_a_unit_that_is_placed_on_mines_is_told_what_they_do() -> None:
    t = coast(
        unit("a_rifle", name="late"), arrivals={"late": off(coast(), "0401")}, step="foot movement", mines=["0401"]
    )
    assert "The minefield in 0401 attacks" in later(t, PlaceUnit(U(0), t.hex("0401"))).text


@pytest.mark.rule("PL-1331", "PL-1332")
def test_an_engineer_that_sets_to_work_is_told_the_die_it_ends_with() -> None:
    t = table(". .", unit("a_engineer", "0101"), step="foot movement", roads=[["0101", "0201"]])
    block = later(t, BeginWork(U(0), "block", t.hex("0101")))
    assert block.text == "After 4 full movement phases there it steps off and rolls: up to 5 succeeds"
    assert {branch.probability for branch in block.branches} == {"5/6", "1/6"}
    mined = table(open_board(1, 2), unit("a_engineer", "0101"), step="foot movement", mines=["0102"])
    assert odds(mined, BeginWork(U(0), "clear", mined.hex("0102"))).certain


@pytest.mark.rule("PL-1207")
def test_a_flight_tells_the_guns_that_may_fire() -> None:
    fields: dict[str, Any] = {"step": "air movement", "aircraft": [plane("p47")]}
    t = table(open_board(1, 6), unit("g_20quad", "0106"), unit("a_rifle", "0101"), **fields)
    flak = later(t, FlyTo(U(0), t.hex("0105")))
    assert (flak.side, flak.actors) == (GERMAN, ids(0))
    assert flak.text == "20(4)mm AA gun #0 may fire at it over 0105"
    assert sum(branch.chance for branch in flak.branches) == 1
    t.change(0, fired=True)
    assert odds(t, FlyTo(U(0), t.hex("0105"))).certain


# --- what is lost with a step ---------------------------------------------------------------------------------------


@pytest.mark.rule("PL-503")
def test_the_end_of_the_step_of_indirect_fire_says_what_comes_down_by_it() -> None:
    t = due(unit("g_rifle", "1201"))
    assert reminders(t)[0] == Reminder(
        "The written fire of 105mm howitzer #0 on 1201 comes down as the step ends",
        RuleId("PL-503"),
        t.hex("1201"),
        ids(0),
        sets_off=True,
    )
    assert ending(t).confirm.startswith("The written fire of 105mm howitzer #0 on 1201 comes down")


@pytest.mark.rule("PL-503", "PL-1104")
def test_ships_fire_that_nobody_can_hold_is_worth_a_word_only_where_it_falls_on_friends() -> None:
    t = due(unit("a_rifle", "1101"))
    lots = [Mission(ALLIED, (), t.hex(label), ids(2), written=1, due=3, naval=20) for label in ("1201", "1101")]
    t.set(missions=(lots[0],))
    assert reminders(t) == ()
    t.set(missions=(lots[1],))
    assert [one.text for one in reminders(t)] == ["The written fire of naval guns on 1101 comes down as the step ends"]


@pytest.mark.rule("PL-1121")
def test_naval_points_that_go_unused_are_lost() -> None:
    options = {"naval_fire": True}
    t = table(open_board(3, 1), unit("a_rifle", "0101"), unit("g_rifle", "0301"), options=options, naval={ALLIED: 40})
    assert reminders(t)[0] == Reminder("40 naval points of this turn go unused", RuleId("PL-1121"), lost=True)
    t.set(naval={ALLIED: 10})
    assert all(not one.lost for one in reminders(t))


@pytest.mark.rule("PL-1403")
def test_a_unit_that_has_not_landed_is_about_to_be_lost() -> None:
    counters = unit("a_m4_dd", "0101"), unit("a_m4_75", "0201")
    t = table("O B .", *counters, step="vehicle movement")
    lost, *others = reminders(t)
    assert lost == Reminder(
        "M4/75 DD #0 is lost at sea if it does not land now", RuleId("PL-1403"), t.hex("0101"), ids(0), lost=True
    )
    assert [one.text for one in others] == ["M4/75 Sherman #1 can still move"], "who is lost is named once"


def test_units_that_wait_are_among_what_is_left() -> None:
    counters = unit("a_105", "0101"), unit("a_rifle", "1001"), unit("g_rifle", "1201")
    t = table(open_board(14, 1), *counters, step="indirect orders")
    assert [one.text for one in reminders(t)] == ["105mm howitzer #0 can still be ordered to fire indirectly"]


@pytest.mark.rule("PL-1406")
def test_a_swimming_tank_that_is_placed_is_told_its_swim() -> None:
    plain = coast()
    t = coast(unit("a_m4_dd", name="dd"), arrivals={"dd": off(plain, "0201")})
    swim = later(t, PlaceUnit(U(0), t.hex("0201")))
    assert swim.text == "M4/75 DD #0 swims when your next segment begins: lost on 6 or more"
    assert {branch.probability for branch in swim.branches} == {"5/6", "1/6"}
