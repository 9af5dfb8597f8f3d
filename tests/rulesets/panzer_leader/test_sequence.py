"""The sequence of play, next to section 5 of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from sandtable.kernel.engine import submit
from sandtable.kernel.ids import NOWHERE, SideId
from sandtable.kernel.state import Played
from sandtable.rulesets.panzer_leader import orders as o
from sandtable.rulesets.panzer_leader import sequence
from sandtable.rulesets.panzer_leader.events import (
    AttackRolled,
    BattleEnded,
    MissionFired,
    MissionsEnded,
    SegmentBegan,
    SegmentEnded,
    StepBegan,
    UnitRecovered,
    UnitsFired,
)
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, SetupFrame, StepFrame
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Mover
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import AircraftEntry, Naval, NavalMissionEntry
from tests.rulesets.panzer_leader.battles import battle, entry, opened
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit


def end(t: Table, side: SideId, dice: Sequence[int] = ()) -> list[str]:
    """The side ends its step; the steps that have begun by that."""
    t.submit(o.EndPhase(), dice, side)
    return [event.step for event in t.happened(StepBegan)]


def steps_of_a_segment(t: Table) -> list[str]:
    """The steps in which somebody decides, from here to the end of the segment, each ended at once."""
    passed = [t.position.step]
    while True:
        (decision,) = PanzerLeader().decisions(t.state)
        begun = end(t, decision.side)
        if t.happened(SegmentEnded):
            return passed
        passed += begun


@pytest.mark.rule("PL-501", "PL-502", "PL-503", "PL-504", "PL-505", "PL-506", "PL-507")
def test_the_steps_of_a_segment_come_in_the_order_of_the_rules() -> None:
    assert [(step.key, step.rule) for step in sequence.STEPS] == [
        ("landing rolls", "PL-1406"),
        ("indirect orders", "PL-501"),
        ("mines", "PL-502"),
        ("indirect fire", "PL-503"),
        ("direct fire", "PL-504"),
        ("air movement", "PL-1202"),
        ("anti-aircraft", "PL-1207"),
        ("air attack", "PL-505"),
        ("vehicle movement", "PL-506"),
        ("foot movement", "PL-507"),
        ("close assault", "PL-507"),
        ("landing", "PL-1401"),
    ]
    assert {step.key for step in sequence.STEPS if not step.is_open} == {"landing rolls", "mines"}


def test_a_step_that_nobody_needs_is_passed_over() -> None:
    t = opened(battle(open_board(12, 1), entry("a_rifle", "0101"), entry("g_rifle", "1201")))
    assert steps_of_a_segment(t) == ["vehicle movement", "foot movement"]


@pytest.mark.rule("PL-501", "PL-503")
def test_indirect_fire_is_ordered_in_step_1_and_comes_down_in_the_next_own_segment() -> None:
    # the mortar is out of everybody's sight; the rifle platoon spots for it
    rows = "..WWW......\n..WWW......"
    sides = {"green": ["0301-0401", "0401-0501", "0302-0401", "0302-0402", "0402-0502", "0401-0502"]}
    t = table(
        rows,
        unit("a_81mm", "0101"),
        unit("a_rifle", "0701"),
        unit("g_rifle", "1101"),
        hexsides=sides,
        step="indirect orders",
    )
    t.submit(o.WriteMission(ids(0), t.hex("1101")))
    (mission,) = t.position.missions
    assert (mission.written, mission.due) == (1, 3)
    while t.position.segment < 3:
        end(t, t.position.phasing)
    assert t.position.step == "indirect orders"
    assert end(t, ALLIED) == ["indirect fire"]
    t.submit(o.FireMissions(), dice=[6])
    assert [event.hex for event in t.happened(MissionFired)] == [t.hex("1101")]
    assert t.happened(UnitsFired) == [UnitsFired(ids(0))]
    assert t.unit(0).fired
    assert t.position.missions == ()


@pytest.mark.rule("PL-503", "PL-1104")
def test_fire_that_was_written_comes_down_when_its_step_ends_unless_its_batteries_were_told_to_hold() -> None:
    mission = Mission(ALLIED, ids(0), 9, ids(1), written=1, due=3)
    t = table(
        open_board(8, 1),
        unit("a_81mm", "0101"),
        unit("a_rifle", "0601"),
        unit("g_rifle", "0801"),
        segment=3,
        turn=2,
        step="indirect fire",
        missions=(mission,),
    )
    held = Table(t.state)
    held.submit(o.FireMissions(ids(0)))
    assert held.events == (MissionsEnded(ALLIED),)
    end(held, ALLIED)
    assert held.happened(MissionFired) == []
    end(t, ALLIED, [6])
    assert t.happened(MissionFired) == [MissionFired(mission, NOWHERE, scattered=True, die=6)]
    assert (t.position.missions, [kept.held for kept in held.position.missions]) == ((), [True])


@pytest.mark.rule("PL-502")
def test_in_step_2_mines_attack_the_enemy_units_that_stand_on_them() -> None:
    t = table(
        open_board(12, 1),
        unit("a_105", "0101"),
        unit("a_rifle", "0201"),
        unit("g_pz4", "1201"),
        step="indirect orders",
        mines=["1201", "0201"],
    )
    # the Panzer is rolled for, the rifle platoon of the side on turn is not
    assert end(t, ALLIED, dice=[6]) == ["mines", "direct fire"]
    assert [event.targets for event in t.happened(AttackRolled)] == [(2,)]


@pytest.mark.rule("PL-504")
def test_a_unit_that_has_fired_may_not_move_in_the_same_segment() -> None:
    t = opened(battle(open_board(4, 1), entry("a_m4_75", "0101"), entry("g_pz4", "0401")))
    ours, theirs = (next(u.id for u in t.position.units if u.side == side) for side in (ALLIED, GERMAN))
    assert t.position.step == "direct fire"
    t.submit(o.DirectFire((ours,), t.hex("0401"), (theirs,)), dice=[6])
    assert t.unit(ours).fired
    assert end(t, ALLIED) == ["vehicle movement"]
    assert t.refusal(o.MoveUnit(ours, t.hexes("0201"))).rule == "PL-602"


@pytest.mark.rule("PL-505", "PL-1202")
def test_the_air_phase_comes_after_direct_fire_and_before_movement_if_the_side_has_aircraft() -> None:
    sections = {"aircraft": (AircraftEntry("p47", "allied", "bombs", 1),)}
    t = opened(battle(open_board(12, 1), entry("a_rifle", "0101"), entry("g_20quad", "1201"), sections=sections))
    assert t.position.step == "air movement"
    t.submit(o.FlyTo(U(0), t.hex("1101")))
    # the enemy answers before the aircraft attack
    assert end(t, ALLIED) == ["anti-aircraft"]
    (decision,) = PanzerLeader().decisions(t.state)
    assert (decision.side, decision.optional) == (GERMAN, True)
    assert end(t, GERMAN) == ["air attack"]
    assert end(t, ALLIED) == ["vehicle movement"]
    assert steps_of_a_segment(t) == ["vehicle movement", "foot movement"]
    assert t.position.phasing == GERMAN
    assert t.position.step == "vehicle movement"


@pytest.mark.rule("PL-506", "PL-507")
def test_vehicles_move_first_then_the_others_and_close_assaults_follow_when_all_have_moved() -> None:
    t = opened(battle(open_board(5, 1), entry("a_m5", "0101"), entry("a_rifle", "0201"), entry("g_truck", "0401")))
    foot, tank = (next(u.id for u in t.position.units if u.kind == kind) for kind in ("a_rifle", "a_m5"))
    assert end(t, ALLIED) == ["vehicle movement"]
    assert t.refusal(o.MoveUnit(foot, t.hexes("0301"))).rule == "PL-507"
    t.submit(o.MoveUnit(tank, t.hexes("0201")))
    assert end(t, ALLIED) == ["foot movement"]
    assert t.refusal(o.MoveUnit(tank, t.hexes("0101"))).rule == "PL-506"
    t.submit(o.MoveUnit(foot, t.hexes("0301")))
    assert end(t, ALLIED) == ["close assault"]
    (truck,) = (u.id for u in t.position.units if u.side == GERMAN)
    t.submit(o.CloseAssault((foot,), t.hex("0401")), dice=[1])
    assert [event.targets for event in t.happened(AttackRolled)] == [(truck,)]


@pytest.mark.rule("PL-508", "PL-905")
def test_in_step_7_all_units_of_the_segments_owner_turn_face_up_and_nobody_elses() -> None:
    t = table(
        open_board(12, 1),
        unit("a_m5", "0101", fired=True),
        unit("a_rifle", "0201", dispersed=1),
        unit("g_rifle", "1201", fired=True, dispersed=1),
        step="foot movement",
    )
    end(t, ALLIED)
    assert t.happened(SegmentEnded) == [SegmentEnded(ALLIED)]
    assert [t.unit(n).is_inverted for n in range(3)] == [False, False, True]
    assert (t.unit(2).fired, t.unit(2).dispersed) == (True, 1)
    end(t, GERMAN)
    end(t, GERMAN)
    assert not t.unit(2).is_inverted


@pytest.mark.rule("PL-905")
def test_who_recovers_at_the_end_of_its_segment_is_told_of_and_nobody_else() -> None:
    t = table(
        open_board(12, 1),
        unit("a_rifle", "0101", dispersed=1),
        unit("a_m5", "0201", fired=True),
        unit("g_rifle", "1201", dispersed=1),
        step="foot movement",
    )
    end(t, ALLIED)
    (recovered,) = t.happened(UnitRecovered)
    assert (recovered.unit, recovered.rule) == (0, "PL-905")


@pytest.mark.rule("PL-104", "PL-509")
@pytest.mark.parametrize(("first", "second"), [(ALLIED, GERMAN), (GERMAN, ALLIED)])
def test_after_the_second_segment_the_turn_marker_advances(first: SideId, second: SideId) -> None:
    t = opened(battle(open_board(12, 1), entry("a_rifle", "0101"), entry("g_rifle", "1201"), first=first))
    began = []
    for side in (first, second, first):
        end(t, side)
        end(t, side)
        began += t.happened(SegmentBegan)
    assert began == [SegmentBegan(second, 1, 2), SegmentBegan(first, 2, 3), SegmentBegan(second, 2, 4)]


@pytest.mark.rule("PL-509")
def test_after_the_last_turn_the_battle_is_over() -> None:
    t = opened(battle(open_board(12, 1), entry("a_rifle", "0101"), entry("g_rifle", "1201"), turns=1))
    for side in (ALLIED, GERMAN):
        end(t, side)
        end(t, side)
    assert t.happened(BattleEnded) == [BattleEnded({ALLIED: 0, GERMAN: 0})]
    assert t.position.over
    assert PanzerLeader().decisions(t.state) == ()


def test_the_battle_is_over_at_the_end_of_the_segment_in_which_a_side_has_lost_everything() -> None:
    t = table("...", unit("a_rifle", "0101"), unit("g_truck", "0301"), step="close assault")
    end(t, ALLIED)
    assert t.happened(BattleEnded)


@pytest.mark.rule("PL-510")
def test_in_turn_1_there_is_no_indirect_fire_to_resolve_except_pre_written_naval_fire() -> None:
    missions = (NavalMissionEntry("allied", "1201", 40),)
    b = battle(
        open_board(12, 2),
        entry("a_priest", "0101"),
        entry("g_rifle", "1201"),
        sections={"naval": Naval(missions=missions)},
    )
    t = opened(b)
    assert end(t, ALLIED) == ["direct fire"]
    t = opened(b, {"naval_fire": True})
    assert end(t, ALLIED) == ["indirect fire"]


@pytest.mark.rule("PL-511")
def test_a_defender_may_be_attacked_once_in_each_group_per_segment_and_anew_in_the_next() -> None:
    t = table(
        open_board(6, 1),
        unit("a_rifle", "0101"),
        unit("a_rifle", "0101"),
        unit("g_truck", "0301"),
        unit("g_rifle", "0601"),
        step="direct fire",
    )
    t.submit(o.DirectFire(ids(0), t.hex("0301"), ids(2)), dice=[5])
    assert t.unit(2).attacked == ("fire",)
    assert t.refusal(o.DirectFire(ids(1), t.hex("0301"), ids(2))).rule in ("PL-511", "PL-803")
    while t.position.segment == 1:
        end(t, ALLIED)
    assert t.unit(2).attacked == ()


# --- the frames -----------------------------------------------------------------------------------------------------


def test_in_an_opportunity_window_the_other_side_decides() -> None:
    window = OpportunityWindow(GERMAN, U(0), ids(1))
    t = table("...", unit("a_m5", "0101"), unit("g_rifle", "0301"), flow=(StepFrame("vehicle movement"), window))
    (decision,) = sequence.decisions(t.state)
    assert (decision.side, decision.kind, decision.optional) == (GERMAN, "opportunity fire", True)


def test_a_unit_on_its_way_is_walked_on_before_anybody_decides() -> None:
    t = table(
        "...",
        unit("a_m5", "0101"),
        unit("g_rifle", "0301"),
        step="vehicle movement",
        mover=Mover(U(0), 0, 0, 0, exposure={U(1): 9}),
        options={"opportunity_fire": True},
    )
    window = OpportunityWindow(GERMAN, U(0), ids(1))
    t.state = type(t.state)(
        t.position, (StepFrame("vehicle movement"), Journey(U(0), t.hexes("0201")), window), t.state.dice
    )
    assert sequence.decisions(type(t.state)(t.position, t.state.flow[:-1], t.state.dice)) == ()
    played: Any = submit(PanzerLeader(), t.state, GERMAN, o.Pass())
    assert isinstance(played, Played)
    assert played.state.position.units[0].hex == t.hex("0201")


def test_an_overrun_is_driven_to_its_end() -> None:
    t = table(open_board(1, 6), unit("a_m4_75", "0101"), unit("g_rifle", "0104"), step="vehicle movement")
    run = o.OverrunRun(U(0), t.hexes("0102", "0103", "0104", "0105"))
    t.submit(o.Overrun(t.hex("0104"), (run,)), dice=[6])
    assert t.happened(AttackRolled)
    assert t.unit(0).hex == t.hex("0105")


def test_frames_have_titles() -> None:
    assert sequence.title_of(StepFrame("mines")) == "Minefield attacks"
    assert sequence.title_of(SetupFrame(ALLIED)) == "Setup"


def test_aircraft_that_are_all_gone_bring_no_air_phase() -> None:
    gone = plane("p47", fate="exited")
    units = unit("a_rifle", "0101"), unit("g_rifle", "1201")
    t = table(open_board(12, 1), *units, aircraft=[gone], step="indirect orders")
    assert end(t, ALLIED) == ["vehicle movement"]
