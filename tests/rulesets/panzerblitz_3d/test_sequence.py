"""The sequence of play: initiative, secret notes of both sides, player turns, recovery (section 5)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from sandtable.kernel import codec
from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.ids import NOWHERE, SPECTATORS, RuleId, SideId
from sandtable.kernel.ruleset import Selection
from sandtable.kernel.state import State
from sandtable.kernel.telling import introduced
from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d import sequence
from sandtable.rulesets.panzerblitz_3d.frames import StepFrame
from sandtable.rulesets.panzerblitz_3d.model import GERMAN, NO_SIDE, RUSSIAN, BatteryState, Plot, Position
from sandtable.rulesets.panzerblitz_3d.orders import (
    Assign,
    CancelPlot,
    ChooseFirst,
    CloseAssault,
    DesignateTarget,
    EndPhase,
    MoveUnit,
    PlotFire,
    SealPlot,
    Unassign,
)
from tests.kit.battles import must
from tests.rulesets.panzerblitz_3d.table import RULES, Table, U, open_ground, table, unit

BATTERIES = (BatteryState(0, "ob_105", GERMAN, 2), BatteryState(1, "ob_122", RUSSIAN, 2))


def before_the_turn(*units: Any, **fields: Any) -> Table:
    """A table on which the first turn is about to begin."""
    t = table(open_ground(9, 6), *units, phasing=NO_SIDE, step="", **fields)
    t.run(sequence.begin_turn, 1, dice=fields.get("dice", [5, 2]))
    return t


def advanced(t: Table, dice: list[int]) -> None:
    """Play has gone on until somebody decides."""
    while not sequence.decisions(t.state):
        t.run(sequence.advance, dice=dice)
        dice = []


@pytest.mark.rule("PB3-101")
def test_one_six_sided_die_decides_everything() -> None:
    t = table(open_ground(3, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"))
    t.play(DesignateTarget((U(0),), t.hex("0301"), (U(1),)))
    assert [(draw.sides, draw.rule) for draw in must(submit(RULES, t.state, GERMAN, EndPhase())).draws] == [
        (6, "PB3-505")
    ]


@pytest.mark.rule("PB3-103")
def test_a_unit_carries_flags_for_what_it_has_done_and_they_are_forgotten_when_a_turn_begins() -> None:
    flags = dict.fromkeys(("fired", "moved", "of_assigned", "of_used", "dispersed", "served"), True)
    t = before_the_turn(unit("g_pz4", "0101", **flags), unit("r_t34c", "0901"))
    one = t.unit(0)
    assert (one.fired, one.moved, one.of_assigned, one.of_used) == (False, False, False, False)
    assert (one.dispersed, one.served) == (True, True)


@pytest.mark.rule("PB3-501")
def test_both_roll_ties_are_rolled_again_and_the_higher_roll_chooses_who_is_first() -> None:
    t = table(open_ground(9, 1), unit("g_pz4", "0101"), unit("r_t34c", "0901"), phasing=NO_SIDE, step="")
    t.run(sequence.begin_turn, 1, dice=[3, 3, 2, 6])
    assert [event.winner for event in t.happened(e.InitiativeRolled)] == [NO_SIDE, RUSSIAN]
    advanced(t, [])
    assert (t.asked, t.decider) == ("initiative", RUSSIAN)
    assert t.refusal(ChooseFirst(SideId("french"))).rule == "PB3-501"
    t.play(ChooseFirst(GERMAN))
    assert t.position.first == GERMAN
    # nobody has batteries, so that there is nothing to plot
    assert [(d.side, d.kind, d.sealed) for d in sequence.decisions(t.state)] == [
        (GERMAN, "opportunity assignment", True),
        (RUSSIAN, "opportunity assignment", True),
    ]


@pytest.mark.rule("PB3-502")
@pytest.mark.rule("PB3-503")
@pytest.mark.rule("PB3-504")
@pytest.mark.rule("PB3-505")
def test_a_game_turn_goes_from_plots_to_assignment_to_artillery_to_the_first_player_turn() -> None:
    t = before_the_turn(unit("g_pz4", "0101"), unit("r_t34c", "0901"), unit("g_cp", "0106"), batteries=BATTERIES)
    advanced(t, [])
    t.play(ChooseFirst(GERMAN))
    assert [d.side for d in sequence.decisions(t.state)] == [GERMAN, RUSSIAN]
    t.play(PlotFire(0, t.hex("0901")), side=GERMAN)
    t.play(PlotFire(0, t.hex("0805")), side=GERMAN)
    assert t.position.plots == (Plot(0, t.hex("0805")),)
    t.play(SealPlot(), side=RUSSIAN)
    t.play(SealPlot(), side=GERMAN)
    assert t.asked == "opportunity assignment"
    t.play(Assign((U(1),)), side=RUSSIAN)
    t.play(SealPlot(), side=GERMAN)
    t.play(SealPlot(), side=RUSSIAN)
    assert t.unit(1).of_assigned
    assert [event.hex for event in t.happened(e.HexShelled)] == [t.hex("0805")]
    assert (t.position.phasing, t.position.batteries[0].missions) == (GERMAN, 1)


@pytest.mark.rule("PB3-502")
def test_a_side_without_missions_is_not_asked_to_plot() -> None:
    spent = (BatteryState(0, "ob_105", GERMAN, 0), BatteryState(1, "ob_122", RUSSIAN, 2))
    t = before_the_turn(unit("g_pz4", "0101"), unit("r_t34c", "0901"), batteries=spent)
    advanced(t, [])
    t.play(ChooseFirst(RUSSIAN))
    assert [(d.side, d.kind) for d in sequence.decisions(t.state)] == [(RUSSIAN, "artillery plots")]
    t.play(SealPlot(), side=RUSSIAN)
    assert t.asked == "opportunity assignment"


@pytest.mark.rule("PB3-506")
@pytest.mark.rule("PB3-507")
@pytest.mark.rule("PB3-905")
def test_the_second_player_turn_follows_and_then_who_has_served_recovers() -> None:
    t = table(
        open_ground(9, 1),
        unit("g_pz4", "0101", dispersed=True),
        unit("r_t34c", "0901"),
        unit("r_rifle", "0901", dispersed=True),
        step="foot movement",
    )
    t.play(EndPhase())
    assert (t.position.phasing, t.asked) == (RUSSIAN, "vehicle movement")
    assert (t.unit(0).served, t.unit(2).served) == (True, False)
    t.play(EndPhase())
    t.play(EndPhase(), dice=[6, 1])
    assert [type(event) for event in t.events][:2] == [e.PlayerTurnEnded, e.TurnEnded]
    assert not any(one.dispersed or one.served for one in t.units(0, 2))
    assert (t.position.turn, t.asked) == (2, "initiative")


@pytest.mark.rule("PB3-905")
def test_a_unit_hit_after_its_own_player_turn_stays_dispersed_to_the_end_of_the_next_game_turn() -> None:
    t = table(open_ground(9, 1), unit("g_pz4", "0101"), unit("r_t34c", "0901"), phasing=RUSSIAN, first=GERMAN)
    t.change(0, dispersed=True)
    t.run(sequence.end_player_turn, dice=[6, 1])
    assert (t.unit(0).dispersed, t.unit(0).served) == (True, False)
    t.set(phasing=GERMAN, first=GERMAN)
    t.run(sequence.end_player_turn)
    assert t.unit(0).served


@pytest.mark.rule("PB3-505")
@pytest.mark.rule("PB3-508")
def test_targets_are_fixed_before_any_fire_is_resolved_and_a_shot_whose_target_is_gone_is_lost() -> None:
    t = table(open_ground(4, 2), unit("g_tiger1", "0101"), unit("g_tiger1", "0102"), unit("r_truck", "0401"))
    order = DesignateTarget((U(0),), t.hex("0401"), (U(2),))
    t.play(order)
    second = t.position.shots[0].__class__((U(1),), t.hex("0401"), (U(2),))
    t.set(shots=(*t.position.shots, second))
    t.play(EndPhase(), dice=[1])
    assert [event.firers for event in t.happened(e.ShotLost)] == [(U(1),)]
    assert t.unit(1).fired


@pytest.mark.rule("PB3-505")
def test_without_fog_a_step_in_which_nothing_can_be_done_is_passed_over_and_in_the_fog_it_is_not() -> None:
    far = (unit("g_rifle", "0101"), unit("r_rifle", "0901"))
    t = table(open_ground(9, 1), *far, phasing=NO_SIDE, step="")
    t.run(sequence.begin_player_turn, GERMAN)
    assert t.position.step == "vehicle movement"
    fogged = table(open_ground(9, 1), *far, phasing=NO_SIDE, step="", options={"fog": True})
    fogged.run(sequence.begin_player_turn, GERMAN)
    assert fogged.position.step == "fire"


@pytest.mark.rule("PB3-505")
def test_close_assault_comes_after_movement() -> None:
    t = table(open_ground(4, 1), unit("g_rifle", "0101"), unit("r_truck", "0301"), step="foot movement")
    t.play(MoveUnit(U(0), t.hexes("0201")))
    t.play(EndPhase())
    assert t.asked == "close assault"
    t.play(CloseAssault((U(0),), t.hex("0301")), dice=[1])
    assert t.unit(1).fate == "destroyed"


def test_the_battle_ends_after_its_last_turn_and_when_a_side_has_nothing_left() -> None:
    t = table(open_ground(9, 1), unit("g_pz4", "0101"), unit("r_t34c", "0901"), turns=1, phasing=RUSSIAN, first=GERMAN)
    t.run(sequence.end_player_turn)
    assert t.position.over
    assert sequence.decisions(t.state) == ()
    alone = table(open_ground(9, 1), unit("g_pz4", "0101"))
    alone.run(sequence.end_player_turn)
    assert alone.position.over


def test_the_step_of_a_view_is_the_open_decision_or_where_play_stands() -> None:
    t = table(open_ground(9, 1), unit("g_pz4", "0101"), unit("r_t34c", "0901"), step="vehicle movement")
    assert RULES.step(RULES.view(t.state, GERMAN)) == "vehicle movement"
    assert RULES.step(RULES.view(t.state, RUSSIAN)) == "vehicle movement"


# --- sealed notes ---------------------------------------------------------------------------------------------------


def told(state: State[Position]) -> State[Position]:
    return introduced(RULES, state, (GERMAN, RUSSIAN, SPECTATORS), {})


def in_plots() -> Table:
    t = table(
        open_ground(9, 6),
        unit("g_pz4", "0101"),
        unit("r_t34c", "0901"),
        unit("g_cp", "0106"),
        phasing=NO_SIDE,
        first=GERMAN,
        step="artillery plots",
        batteries=BATTERIES,
    )
    t.state = told(t.state)
    return t


@pytest.mark.rule("PB3-502")
def test_whatever_a_side_writes_and_whether_it_has_sealed_the_other_knows_nothing_of_it() -> None:
    t = in_plots()
    before = codec.encode(RULES.view(t.state, RUSSIAN))
    for order in (PlotFire(0, t.hex("0901")), CancelPlot(0), PlotFire(0, t.hex("0505")), SealPlot()):
        played = must(submit(RULES, t.state, GERMAN, order))
        assert played.told[RUSSIAN] == () == played.told[SPECTATORS]
        assert not played.draws
        t.state = played.state
    assert codec.encode(RULES.view(t.state, RUSSIAN)) == before
    assert RULES.view(t.state, GERMAN).decisions == ()


@pytest.mark.rule("PB3-502")
@pytest.mark.rule("PB3-503")
def test_notes_that_are_sealed_stand_until_both_sides_have_sealed() -> None:
    t = in_plots()
    battery = Selection(hex=t.hex("0901"))
    for rule, note, verb in (("PB3-502", PlotFire(0, t.hex("0901")), "plot"), ("PB3-503", Assign((U(0),)), "assign")):
        t.state = must(submit(RULES, t.state, GERMAN, SealPlot())).state
        stands = Refusal(RuleId(rule), "your notes are sealed")
        written = codec.encode(t.state)
        for order in (note, SealPlot(), PlotFire(99, NOWHERE), Assign((U(-1),))):
            assert submit(RULES, t.state, GERMAN, order) == stands
        assert codec.encode(t.state) == written, "nothing is lost by trying"
        assert RULES.why_not(RULES.view(t.state, GERMAN), verb, Selection(), battery) == stands
        t.state = must(submit(RULES, t.state, RUSSIAN, SealPlot())).state


def sealed_steps(t: Table) -> dict[SideId, list[Any]]:
    return {
        GERMAN: [PlotFire(0, t.hex("0901")), SealPlot()],
        RUSSIAN: [PlotFire(1, t.hex("0101")), CancelPlot(1), PlotFire(1, t.hex("0102")), SealPlot()],
    }


@pytest.mark.rule("PB3-502")
@pytest.mark.rule("PB3-503")
def test_the_order_in_which_the_sides_write_and_seal_does_not_matter() -> None:
    """Every way to interleave the notes of both sides leads to the same bytes."""
    ends: set[bytes] = set()
    for turns in set(permutations((GERMAN,) * 2 + (RUSSIAN,) * 4)):
        t = in_plots()
        notes = sealed_steps(t)
        for side in turns:
            t.state = must(submit(RULES, t.state, side, notes[side].pop(0))).state
        for side in (RUSSIAN, GERMAN) if turns[0] == GERMAN else (GERMAN, RUSSIAN):
            if side == GERMAN:
                t.state = must(submit(RULES, t.state, side, Assign((U(0),)))).state
            t.state = must(submit(RULES, t.state, side, SealPlot())).state
        views = [RULES.view(t.state, side) for side in (GERMAN, RUSSIAN, SPECTATORS)]
        ends.add(codec.encode([t.state, *views]))
    assert len(ends) == 1


@pytest.mark.rule("PB3-503")
def test_assignments_are_struck_out_and_revealed_together() -> None:
    t = table(
        open_ground(9, 1),
        unit("g_pz4", "0101"),
        unit("r_t34c", "0901"),
        unit("g_truck", "0101"),
        unit("g_rifle", "0101", dispersed=True),
        phasing=NO_SIDE,
        first=GERMAN,
        step="opportunity assignment",
    )
    t.state = told(t.state)
    t.play(Assign((U(0),)), side=GERMAN)
    assert not RULES.view(t.state, RUSSIAN).position.assigned
    assert t.refusal(Assign((U(0),)), GERMAN).rule == "PB3-503"
    assert t.refusal(Assign((U(2),)), GERMAN).reason.endswith("has no weapon")
    assert t.refusal(Assign((U(3),)), GERMAN).reason.endswith("is dispersed")
    assert t.refusal(Assign((U(1),)), GERMAN).rule == "PB3-503"
    assert t.refusal(Unassign((U(2),)), GERMAN).rule == "PB3-503"
    t.play(Unassign((U(0),)), side=GERMAN)
    assert t.position.assigned == ()
    t.play(Assign((U(0),)), side=GERMAN)
    t.play(SealPlot(), side=GERMAN)
    t.play(SealPlot(), side=RUSSIAN)
    assert [event.units for event in t.happened(e.AssignmentsRevealed)] == [(U(0),)]
    assert RULES.view(t.state, RUSSIAN).position.units[0].of_assigned


def test_play_begins_with_the_first_turn_when_nobody_sets_up() -> None:
    t = table(open_ground(9, 1), unit("g_pz4", "0101"), unit("r_t34c", "0901"), step="", flow=(StepFrame(""),))
    advanced(t, [6, 1])
    assert (t.position.turn, t.asked) == (1, "initiative")
