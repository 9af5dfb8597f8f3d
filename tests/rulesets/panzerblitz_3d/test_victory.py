"""Who holds what, points, conditions and grades, and leaving the map (section 13)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.rulesets.panzerblitz_3d import events as e
from sandtable.rulesets.panzerblitz_3d import insight, movement, victory
from sandtable.rulesets.panzerblitz_3d.ground import Ground
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, EXITED, GERMAN, RUSSIAN
from sandtable.rulesets.panzerblitz_3d.orders import LeaveMap, MoveUnit, UnloadUnit
from sandtable.rulesets.panzerblitz_3d.scenario import Condition, Exit, Otherwise, Sections, Victory
from tests.rulesets.panzerblitz_3d.table import RULES, Table, U, open_ground, table, unit


def judged(*units: Any, victory_: Victory | None = None, **fields: Any) -> Table:
    sections = Sections(victory=victory_ or Victory())
    return table(open_ground(6, 2), *units, sections=sections, step="vehicle movement", **fields)


BOTH = (unit("g_pz4", "0101"), unit("r_t34c", "0601"))


@pytest.mark.rule("PB3-1302")
def test_a_hex_is_held_by_the_side_that_last_had_a_unit_in_it() -> None:
    t = judged(*BOTH, objectives={"Mill": ("0201",)}, control={"0201": RUSSIAN})
    t.play(MoveUnit(U(0), t.hexes("0201", "0301")))
    assert [(event.hex, event.side) for event in t.happened(e.ControlTaken)] == [(t.hex("0201"), GERMAN)]
    assert t.position.control == {t.hex("0201"): GERMAN}
    assert victory.score(t.position, GERMAN).total == 5


@pytest.mark.rule("PB3-1301")
def test_trucks_hold_ground_too_and_so_does_who_is_set_down() -> None:
    t = judged(unit("g_truck", "0101"), unit("r_t34c", "0601"), objectives={"Mill": ("0201",)})
    t.play(MoveUnit(U(0), t.hexes("0201")))
    assert t.position.control == {t.hex("0201"): GERMAN}
    rider = judged(
        unit("g_ht", "0201"), unit("g_rifle", carrier=0), unit("r_t34c", "0601"), objectives={"Mill": ("0201",)}
    )
    rider.play(UnloadUnit(U(0)))
    assert rider.position.control == {rider.hex("0201"): GERMAN}


@pytest.mark.rule("PB3-1302")
@pytest.mark.parametrize(
    ("lost", "level", "winner"),
    [
        (0, "draw", None),
        (1, "marginal", GERMAN),
        (4, "marginal", GERMAN),
        (5, "tactical", GERMAN),
        (10, "decisive", GERMAN),
    ],
)
def test_silent_scenarios_are_judged_by_a_point_for_each_destroyed_unit_and_the_margin(
    lost: int, level: str, winner: str | None
) -> None:
    gone = [unit("r_truck", "", fate=DESTROYED) for _ in range(lost)]
    t = judged(*BOTH, *gone, unit("n_fort_r", "", fate=DESTROYED))
    outcome = victory.judged(t.position)
    assert (outcome.level, outcome.winner) == (level, winner)
    assert outcome.reasons == (f"German {lost} to Russian 0 points",)


@pytest.mark.rule("PB3-1301")
def test_a_side_with_nothing_left_has_lost_unless_it_got_away() -> None:
    t = judged(unit("g_pz4", "0101"), unit("r_t34c", "", fate=DESTROYED))
    assert victory.judged(t.position).level == "decisive"
    assert victory.is_decided(t.position)
    away = judged(unit("g_pz4", "0101"), unit("r_t34c", "", fate=DESTROYED), unit("r_t34c", "", fate=EXITED))
    assert victory.judged(away.position).reasons == ("German 1 to Russian 0 points",)


def graded(*conditions: Condition, otherwise: Otherwise | None = None, **fields: Any) -> Table:
    return judged(*BOTH, victory_=Victory(conditions=conditions, otherwise=otherwise), **fields)


@pytest.mark.rule("PB3-1301")
def test_conditions_ask_for_hexes_held_units_destroyed_and_units_exited_and_the_best_one_met_counts() -> None:
    hold = Condition("german", "marginal", "The mill", hold=("0201", "0301"), count=1)
    all_of_it = Condition("german", "decisive", "Everything", hold=("0201", "0301"), destroy=1, exit=1)
    t = graded(hold, all_of_it, control={"0201": GERMAN})
    assert [(part.done, part.needed, part.word) for part in victory.parts(t.position, all_of_it)] == [
        (1, 2, "held"),
        (0, 1, "destroyed"),
        (0, 1, "off the map"),
    ]
    assert victory.judged(t.position).reasons == ("The mill",)
    lines = insight.standing(RULES.view(t.state, GERMAN))[1].lines
    assert lines[0].value == "met: 1 of 1 held"
    assert lines[1].value == "not met: 1 of 2 held, 0 of 1 destroyed, 0 of 1 off the map"


@pytest.mark.rule("PB3-1301")
def test_both_sides_at_the_same_grade_draw_and_without_any_the_scenario_says_who_wins() -> None:
    rivals = (Condition("german", "tactical", hold=("0201",)), Condition("russian", "tactical", hold=("0301",)))
    t = graded(*rivals, control={"0201": GERMAN, "0301": RUSSIAN})
    assert victory.judged(t.position).level == "draw"
    alone = graded(rivals[0], control={"0201": GERMAN})
    assert victory.judged(alone.position).reasons == ("condition met",)
    none = graded(*rivals, otherwise=Otherwise("russian"))
    assert (victory.judged(none.position).winner, victory.judged(none.position).level) == (RUSSIAN, "marginal")
    assert "If it ended now" in insight.standing(RULES.view(none.state, RUSSIAN))[0].title


@pytest.mark.rule("PB3-1301")
def test_units_leave_the_map_where_they_may_and_score_and_elsewhere_they_are_lost() -> None:
    way = Victory(exits=(Exit("german", ("0101",), 2),), handicap={"russian": 1})
    t = judged(unit("g_truck", "0101"), unit("g_rifle", carrier=0), unit("g_pz4", "0201"), BOTH[1], victory_=way)
    t.play(LeaveMap(U(0)))
    assert [one.fate for one in t.units(0, 1)] == [EXITED, EXITED]
    assert [line.value for line in victory.score(t.position, GERMAN).lines] == [4]
    assert [line.label for line in victory.score(t.position, RUSSIAN).lines] == ["Set by the scenario"]
    t.play(LeaveMap(U(2)))
    assert t.unit(2).fate == DESTROYED
    assert victory.losses(t.position, GERMAN) == 1


@pytest.mark.rule("PB3-1301")
def test_each_unit_that_exits_scores_what_its_way_out_is_worth() -> None:
    ways = Victory(exits=(Exit("german", ("0101",), 3), Exit("german", ("0201",))))
    t = judged(unit("g_truck", "0101"), unit("g_rifle", carrier=0), unit("g_pz4", "0201"), BOTH[1], victory_=ways)
    t.play(LeaveMap(U(0)))
    t.play(LeaveMap(U(2)))
    assert [line.value for line in victory.score(t.position, GERMAN).lines] == [7]


@pytest.mark.rule("PB3-1301")
def test_a_unit_leaves_the_map_from_its_edge_with_points_for_it() -> None:
    t = judged(unit("g_pz4", "0101"), unit("r_t34c", "0601"), unit("g_wagon", "0302"))
    inner = table(open_ground(3, 3), unit("g_pz4", "0202"), unit("r_t34c", "0301"), step="vehicle movement")
    assert inner.refusal(LeaveMap(U(0))).reason == "a unit leaves the map from its edge"
    assert t.refusal(LeaveMap(U(1))).rule == "PB3-601"
    t.play(MoveUnit(U(2), t.hexes("0202", "0102", "0101")))
    assert t.refusal(LeaveMap(U(2))).reason == "not enough movement points to leave the map"


@pytest.mark.rule("PB3-604")
def test_a_road_that_runs_off_the_map_is_left_by_at_the_road_rate() -> None:
    t = judged(*BOTH)
    scenario = t.position.ground.scenario
    sheet = replace(scenario.sheet, road_ends=((t.hex("0101"), 0),))
    ground = Ground(replace(scenario, sheet=sheet), t.position.ground.options)
    assert movement.leaving_cost(replace(t.position, ground=ground), t.unit(0)) == 1
    assert movement.leaving_cost(t.position, t.unit(0)) == 2


def test_ground_that_nobody_of_the_side_stands_on_is_not_taken() -> None:
    t = judged(*BOTH, objectives={"Mill": ("0201",)})
    t.run(victory.take_control, t.hex("0201"), GERMAN)
    t.run(victory.take_control, t.hex("0301"), GERMAN)
    assert t.position.control == {}
