"""The sequence of play, the clock, objectives and victory."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.kernel.ids import SPECTATORS
from sandtable.rulesets.panzer_battles import clock, victory
from sandtable.rulesets.panzer_battles.events import BattleEnded, PointsRestored, TurnBegan
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Result
from sandtable.rulesets.panzer_battles.orders import EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS, overridden
from sandtable.rulesets.panzer_battles.sequence import BY_KEY, STEPS
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, RULES, U, table, unit

FIELD = ". . . . .\n. . . . ."


@pytest.mark.rule("PB-GEN-4", "PB-TURN-5", "PB-TURN-6", "PB-GEN-2")
def test_the_first_side_moves_first_in_every_turn_and_the_clock_advances_after_the_second() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0501"))
    t.play(EndTurn())
    assert t.only(TurnBegan) == TurnBegan(AXIS, 1, 360, 20)
    assert t.refusal(EndTurn(), ALLIED).rule == "PB-GEN-4"
    t.play(EndTurn())
    assert t.only(TurnBegan) == TurnBegan(ALLIED, 2, 390, 20)
    assert t.position.active == ALLIED


@pytest.mark.rule("PB-TURN-1", "PB-TURN-2", "PB-TURN-3")
def test_points_and_flags_are_fresh_at_the_start_of_ones_own_turn_and_not_before() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0501"))
    t.play(Move((U(0),), t.hexes("0102")))
    t.change(0, fired=True, attacked=True, thirds=1)
    t.play(EndTurn())
    assert (t.unit(0).moved, t.unit(0).mp) == (True, 101)
    t.play(EndTurn(), dice=[ONE])
    assert (t.unit(0).moved, t.unit(0).fired, t.unit(0).attacked, t.unit(0).thirds) == (False, False, False, 0)
    assert t.unit(0).mp == 110
    assert t.heard(ALLIED, PointsRestored) == [PointsRestored(ALLIED)]
    assert t.heard(AXIS, PointsRestored) == []
    steps = [step.key for step in STEPS]
    assert steps.index("clock") < steps.index("points") < steps.index("spotting") < steps.index("orders")
    assert BY_KEY["orders"].is_open


@pytest.mark.rule("PB-GEN-5")
def test_there_are_no_phases_a_unit_moves_fires_and_moves_again() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0501"))
    t.play(Move((U(0),), t.hexes("0102")))
    t.play(Fire(U(0), U(1)), dice=[ONE, ONE, HIGHEST, ONE, HIGHEST])
    t.play(Move((U(0),), t.hexes("0202")))
    assert t.unit(0).mp == 110 - 9 - 37 - 9


@pytest.mark.rule("PB-SPOT-1")
def test_one_sees_as_far_as_visibility_goes() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0501"), visibility=[3, 5])
    assert t.known(ALLIED).units[1].kind == "unknown"
    t.set(weather=replace(t.position.weather, nominal=3, trend=1))
    t.play(EndTurn())
    t.play(EndTurn(), dice=[ONE])
    assert t.known(ALLIED).units[1].kind == "de_truck"
    assert (t.position.visibility, t.position.weather.trend) == (4, 1)


@pytest.mark.rule("PB-TURN-6", "PB-TURN-7")
def test_night_runs_from_the_end_of_the_dusk_turn_to_dawn() -> None:
    night = [clock.is_night(clock.minutes_of(time), DEFAULTS) for time in ("04:59", "05:00", "20:00", "20:30")]
    assert night == [True, False, False, True]
    plain = overridden({"time": {"has_dawn_dusk_turns": False}}, "x")
    assert clock.is_night(clock.minutes_of("20:00"), plain)
    assert clock.shown(clock.next_turn(clock.minutes_of("23:30"), DEFAULTS)) == "00:30"
    assert clock.shown(clock.next_turn(clock.minutes_of("12:00"), DEFAULTS)) == "12:30"


@pytest.mark.rule("PB-TURN-10", "PB-VIC-1")
def test_the_battle_ends_after_the_last_turn() -> None:
    t = table(FIELD, unit("us_m4", "0101"), unit("de_truck", "0501"), turns=1, owners={"0101": ALLIED})
    t.play(EndTurn())
    assert RULES.outcome(t.state) is None
    t.play(EndTurn())
    assert t.only(BattleEnded) == BattleEnded(5, victory.DRAW)
    outcome = RULES.outcome(t.state)
    assert outcome is not None
    assert (outcome.winner, outcome.level) == (None, "draw")
    assert RULES.decisions(t.state) == ()
    assert t.view(SPECTATORS).decisions == ()


@pytest.mark.rule("PB-VIC-11")
@pytest.mark.parametrize(
    ("score", "level", "winner"),
    [
        (40, "major victory", ALLIED), (39, "minor victory", ALLIED), (10, "minor victory", ALLIED), (9, "draw", None),
        (-9, "draw", None), (-10, "minor victory", AXIS), (-39, "minor victory", AXIS), (-40, "major victory", AXIS),
    ],
)  # fmt: skip
def test_thresholds_are_met_at_their_very_score(score: int, level: str, winner: str | None) -> None:
    t = table(FIELD, unit("us_m4", "0101"))
    own = victory.level_of(t.position.ground, score)
    t.set(result=Result(score, own))
    outcome = RULES.outcome(t.state)
    assert outcome is not None
    assert (outcome.level, outcome.winner) == (level, winner)


@pytest.mark.rule("PB-VIC-10", "PB-VIC-12", "PB-VIC-2")
def test_the_score_is_the_first_sides_objectives_and_the_losses_of_both() -> None:
    t = table(FIELD, unit("us_m4", "0101"), owners={"0101": ALLIED, "0201": AXIS}, objectives={"0101": 30, "0201": 70})
    t.set(losses={AXIS: {"de_rifle_coy": 49, "de_pz4h": 2}, ALLIED: {"us_rifle_coy": 25}})
    score = victory.score(t.position)
    # 4.9 + 8 points are 12 and 2.5 are 2, each rounded down once
    assert [line.value for line in score.lines] == [30, 12, -2]
    assert score.total == 40


@pytest.mark.rule("PB-VIC-14")
def test_a_major_level_ends_a_battle_early_where_the_scenario_says_so() -> None:
    early = {"victory": {"early_termination": True}}
    for parameters, ends in ((early, True), ({}, False)):
        t = table(
            FIELD, unit("us_m4", "0101"), unit("de_truck", "0501"), owners={"0101": ALLIED}, objectives={"0101": 50},
            parameters=parameters,
        )  # fmt: skip
        t.play(EndTurn())
        t.play(EndTurn())
        assert (RULES.outcome(t.state) is not None) is ends
