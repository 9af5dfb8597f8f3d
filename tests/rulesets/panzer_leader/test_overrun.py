"""Overruns and the Panzerblitz assault."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import RuleId
from sandtable.kernel.state import State
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import assault, labels, overrun
from sandtable.rulesets.panzer_leader.events import (
    AttackFailed,
    AttackRolled,
    ControlTaken,
    MoveEnded,
    UnitDestroyed,
    UnitMoved,
    UnitRevealed,
    UnitUnloaded,
)
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow, OverrunFrame, StepFrame
from sandtable.rulesets.panzer_leader.kinds import KINDS
from sandtable.rulesets.panzer_leader.model import ALLIED, FIRE, GERMAN, OVERRUN, Mover
from sandtable.rulesets.panzer_leader.orderbook import BOOK
from sandtable.rulesets.panzer_leader.orders import CloseAssault, MoveUnit, OpportunityFire, Overrun, OverrunRun, Pass
from sandtable.rulesets.panzer_leader.workings import Attack
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, table, unit

VEHICLES = "vehicle movement"
STRIP = ".\n.\n.\n.\n.\n.\n."


def field(*units: Any, rows: str = STRIP, **fields: Any) -> Table:
    """A strip of clear ground: attackers come down it from 0101, the defenders are in 0103."""
    return table(rows, *units, step=VEHICLES, **fields)


def run(t: Table, number: int, *labels: str) -> OverrunRun:
    return OverrunRun(U(number), t.hexes(*labels))


def order(t: Table, *runs: OverrunRun, hex: str = "0103", drop: tuple[int, ...] = ()) -> Overrun:
    return Overrun(t.hex(hex), runs, ids(*drop))


def straight(t: Table, number: int = 0) -> Overrun:
    return order(t, run(t, number, "0102", "0103", "0104"))


@pytest.mark.rule("PL-1003", "PL-1005", "PL-1006")
def test_the_attacker_drives_through_and_out_on_the_far_side_and_stops() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"))
    t.play(straight(t), dice=[4])
    assert t.unit(0).hex == t.hex("0104")
    assert t.happened(MoveEnded) == [MoveEnded(U(0), "it has overrun (PL-1003)")]
    (rolled,) = t.happened(AttackRolled)
    # 11 against 8 is 1-1, shifted to 2-1; 4 less 2 is 2: DD
    assert (rolled.strength, rolled.defense, rolled.odds, rolled.drm, rolled.result) == ("11", 8, "2-1", -2, "DD")
    assert (rolled.group, rolled.rule) == (OVERRUN, "PL-1006")
    assert t.unit(1).dispersed
    assert t.state.flow == (StepFrame(VEHICLES),)
    assert t.refusal(MoveUnit(U(0), t.hexes("0105"))).rule == "PL-601"


@pytest.mark.rule("PL-1001")
@pytest.mark.parametrize(
    ("kind", "able"),
    [
        ("a_m4_75", True),
        ("a_priest", True),  # only German self-propelled artillery is barred
        ("g_wespe", False),
        ("g_panther", True),
        ("a_truck", False),
        ("a_rifle", False),
        ("a_ht", True),
        ("n_fort20", False),
    ],
)
def test_armored_units_but_german_self_propelled_artillery_overrun(kind: str, able: bool) -> None:
    assert overrun.can_overrun(KINDS[kind]) == able


@pytest.mark.rule("PL-1001")
@pytest.mark.parametrize("state", [{"fired": True}, {"dispersed": 1}])
def test_a_unit_that_fired_or_is_dispersed_does_not_overrun(state: dict[str, Any]) -> None:
    t = field(unit("a_m4_75", "0101", **state), unit("g_rifle", "0103"))
    assert t.refusal(straight(t)).rule == "PL-1001"


@pytest.mark.rule("PL-1001")
def test_a_truck_does_not_overrun() -> None:
    t = field(unit("a_truck", "0101"), unit("g_rifle", "0103"))
    assert t.refusal(straight(t)).reason == "Truck does not overrun"


@pytest.mark.rule("PL-1607")
def test_a_turreted_unit_that_fired_moves_but_does_not_overrun() -> None:
    options = {"turret_fire": True}
    t = field(unit("a_m4_75", "0101", fired=True, last_fired=1), unit("g_rifle", "0103"), options=options)
    assert t.check(MoveUnit(U(0), t.hexes("0102"))) is None
    assert t.refusal(straight(t)).rule == "PL-1001"


@pytest.mark.rule("PL-1001", "PL-1507")
@pytest.mark.parametrize(("armor", "fails"), [("0103", True), ("0101", False)])
def test_a_halftrack_that_comes_upon_armor_nobody_saw_overruns_in_vain_and_is_told_so(armor: str, fails: bool) -> None:
    t = field(unit("a_ht", "0104"), unit("g_pz4", armor))
    frame = OverrunFrame(t.hex("0103"), (), ids(0))
    t.state = State(t.position, (*t.state.flow, frame), t.state.dice)
    t.run(overrun.drive_on, frame)
    assert t.events == ((AttackFailed(ALLIED, "overrun", ids(0), t.hex("0103")),) if fails else ())


@pytest.mark.rule("PL-1001")
def test_halftracks_overrun_only_where_nothing_is_armored() -> None:
    soft = field(unit("a_ht", "0101"), unit("g_truck", "0103"))
    assert soft.check(straight(soft)) is None
    hard = field(unit("a_ht", "0101"), unit("g_truck", "0103"), unit("g_ht", "0103"))
    assert hard.refusal(straight(hard)).rule == "PL-1001"


@pytest.mark.rule("PL-1001", "PL-1005")
def test_halftracks_do_not_count_against_armor_that_comes_to_light_too_late() -> None:
    t = field(unit("a_ht", "0101"), unit("a_m4_75", "0101"), unit("g_pz4", "0103"))
    attack = overrun.overrun_attack(t.position, ALLIED, (t.unit(0), t.unit(1)), t.hex("0103"))
    assert isinstance(attack, Attack)
    assert attack.attackers == (1,)


@pytest.mark.rule("PL-1002", "PL-213", "PL-909")
@pytest.mark.parametrize(
    ("rows", "fields"),
    [
        (".\n.\nW\n.", {}),
        (".\n.\nS\n.", {}),
        (".\n.\n.\n.", {"wrecks": {"0103": 1}}),
        (".\n.\n.\n.", {"blocks": ["0103"]}),
        (".\n.\n.\n.", {"mines": ["0103"]}),
    ],
)
def test_only_clear_hexes_without_wreck_block_or_mine_are_overrun(rows: str, fields: dict[str, Any]) -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), rows=rows, **fields)
    assert t.refusal(straight(t)).rule == "PL-1002"


@pytest.mark.rule("PL-1002", "PL-1323")
def test_forts_are_not_overrun() -> None:
    t = field(unit("a_m4_75", "0101"), unit("n_fort20", "0103"), unit("g_rifle", "0103"))
    assert t.refusal(straight(t)).rule == "PL-1002"
    inside = field(unit("a_m4_75", "0101"), unit("n_fort20", "0103"), unit("g_rifle", fort=1))
    assert inside.refusal(straight(inside)).rule == "PL-1002"


@pytest.mark.rule("PL-213", "PL-633")
def test_a_bridge_hex_counts_as_clear() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), rows=".\n.\nR\n.", features={"bridge": ["0103"]})
    assert t.check(straight(t)) is None


def test_there_must_be_an_enemy_on_the_map_to_overrun() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"))
    assert t.refusal(order(t, run(t, 0, "0102", "0103"), hex="0102")).rule == "PL-1002"
    assert t.refusal(Overrun(-5, ())).rule == "PL-1002"
    assert t.refusal(order(t)).rule == "PL-1001"
    for number in (-1, 1, 99):
        assert t.refusal(straight(t, number)).rule == "PL-1001"
    assert t.refusal(order(t, *straight(t).runs, *straight(t).runs)).rule == "PL-1001"


@pytest.mark.rule("PL-1003")
def test_the_run_goes_straight_through_the_target_hex() -> None:
    rows = "..\n..\n..\n..\n.."
    t = table(rows, unit("a_m4_75", "0101"), unit("g_rifle", "0103"), step=VEHICLES)
    assert t.refusal(order(t, run(t, 0, "0102", "0103", "0203"))).rule == "PL-1003"
    assert t.refusal(order(t, run(t, 0, "0102", "0103"))).rule == "PL-1003"
    assert t.refusal(order(t, run(t, 0, "0102"))).rule == "PL-1003"
    assert t.refusal(order(t, run(t, 0, "0102", "0103", "0102", "0103", "0104"))).rule == "PL-1003"


@pytest.mark.rule("PL-1003", "PL-603")
def test_normal_costs_are_paid_for_target_and_exit_hex() -> None:
    t = field(unit("b_churchill7", "0101"), unit("g_rifle", "0103"), rows=".\nB\n.\nS\n.")
    assert t.refusal(straight(t)).rule == "PL-603"  # 2 and 1 and 3 are more than 5
    t.change(0, hex="0102")
    t.play(order(t, run(t, 0, "0103", "0104")), dice=[6])
    assert t.happened(UnitMoved)[-1].mover.spent == 8


@pytest.mark.rule("PL-1003", "PL-611")
def test_the_road_rate_is_forbidden_for_the_whole_move() -> None:
    labels = [f"01{row:02}" for row in range(1, 9)]
    t = table("\n".join("." * 8), unit("b_churchill7", "0101"), unit("g_rifle", "0106"), roads=[labels], step=VEHICLES)
    far = order(t, run(t, 0, *labels[1:7]), hex="0106")
    assert t.refusal(far).rule == "PL-603"  # six hexes at one point each
    t.play(MoveUnit(U(0), t.hexes("0102")))
    near = order(t, run(t, 0, *labels[2:7]), hex="0106")
    assert t.refusal(near).rule == "PL-1003"  # it has used the road


@pytest.mark.rule("PL-1003")
def test_a_unit_that_has_moved_without_the_road_rate_may_still_overrun() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"))
    t.play(MoveUnit(U(0), t.hexes("0102")))
    t.play(order(t, run(t, 0, "0103", "0104")), dice=[6])
    assert t.unit(0).hex == t.hex("0104")


@pytest.mark.rule("PL-1003", "PL-606", "PL-612")
def test_a_road_still_carries_it_over_a_green_side_or_through_a_swamp() -> None:
    road = [["0101", "0102", "0103"]]
    t = field(
        unit("a_m4_75", "0101"),
        unit("g_rifle", "0103"),
        rows=".\nM\n.\n.",
        roads=road,
        hexsides={"green": ["0102-0103"]},
    )
    t.play(straight(t), dice=[6])
    assert t.happened(UnitMoved)[-1].mover.spent == 6  # a point for the swamp and one for each clear hex
    denied = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), rows=".\nM\n.\n.", roads=road, wrecks={"0102": 3})
    assert denied.refusal(straight(denied)).rule == "PL-613"
    off = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), hexsides={"green": ["0102-0103"]})
    assert off.refusal(straight(off)).rule == "PL-606"


@pytest.mark.rule("PL-1004")
@pytest.mark.parametrize(
    ("beyond", "rule"), [([unit("g_rifle", "0104")], "PL-605"), ([unit("a_rifle", "0104")] * 4, "PL-401")]
)
def test_the_exit_hex_must_be_free_of_enemies_and_have_room(beyond: list[Any], rule: str) -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), *beyond)
    assert t.refusal(straight(t)).rule == rule


@pytest.mark.rule("PL-1004")
def test_the_exit_hex_may_hold_no_fort_with_enemies_inside_but_an_empty_one() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), unit("n_fort30", "0104"), unit("g_rifle", fort=2))
    refusal = t.refusal(straight(t))
    assert (refusal.rule, refusal.reason) == ("PL-1004", "an enemy holds 0104, where the overrun would end")
    t.run(overrun.resolve_overrun, ALLIED, straight(t))
    assert t.unit(0).hex == t.hex("0102")
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), unit("n_fort30", "0104"))
    assert t.check(straight(t)) is None


@pytest.mark.rule("PL-1004", "PL-605")
def test_an_enemy_behind_the_target_nobody_knew_of_stops_the_run_before_it() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), unit("g_rifle", "0104"))
    t.run(overrun.resolve_overrun, ALLIED, straight(t))
    assert t.unit(0).hex == t.hex("0102")
    assert t.happened(MoveEnded)[-1].why == "the way is barred (PL-605)"
    assert t.happened(AttackRolled) == []


@pytest.mark.rule("PL-405")
def test_the_stack_in_the_target_hex_may_be_full() -> None:
    t = field(unit("a_m4_75", "0101"), *(unit("g_truck", "0103") for _ in range(4)))
    t.play(straight(t), dice=[1])
    assert t.unit(0).hex == t.hex("0104")
    assert len(t.happened(UnitDestroyed)) == 4


@pytest.mark.rule("PL-1005")
def test_all_overrunners_move_first_and_then_make_one_attack() -> None:
    rows = "...\n...\n...\n...\n..."
    t = table(rows, unit("a_m4_75", "0202"), unit("a_m4_75", "0303"), unit("g_rifle", "0203"), step=VEHICLES)
    both = order(t, run(t, 0, "0203", "0204"), run(t, 1, "0302", "0202", "0203", "0204"), hex="0203")
    t.play(both, dice=[6])
    kinds = [type(event) for event in t.events if isinstance(event, UnitMoved | AttackRolled)]
    assert kinds[-1] is AttackRolled
    assert t.happened(AttackRolled)[0].attackers == (0, 1)
    assert [event.unit for event in t.happened(MoveEnded)] == [0, 1]


@pytest.mark.rule("PL-1005", "PL-401")
def test_each_run_is_judged_on_the_table_that_those_before_it_leave() -> None:
    tanks = [unit("a_m4_75", "0102") for _ in range(3)]
    t = field(*tanks, unit("g_rifle", "0103"), unit("a_rifle", "0104"), unit("a_rifle", "0104"))
    runs = [run(t, number, "0103", "0104") for number in range(3)]
    assert t.check(order(t, *runs[:2])) is None
    assert t.refusal(order(t, *runs)).rule == "PL-401"


@pytest.mark.rule("PL-1006", "PL-832")
def test_odds_worse_than_one_to_four_are_no_overrun() -> None:
    t = field(unit("a_m5", "0101"), *(unit("g_engineer", "0103") for _ in range(3)))
    assert t.refusal(straight(t)).rule == "PL-832"
    assert t.explain(straight(t)) == ()


@pytest.mark.rule("PL-1006")
def test_the_tallies_show_the_shift_and_the_die() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"))
    strength, defense, odds, die = t.explain(straight(t))
    assert (strength.total, defense.total, odds.total, die.total) == (11, 8, "2-1", -2)
    assert Line("Overrun: one column", "2-1", RuleId("PL-1006")) in odds.lines


@pytest.mark.rule("PL-1007", "PL-511")
def test_a_stack_is_overrun_once_in_a_segment() -> None:
    t = field(unit("a_m4_75", "0101"), unit("a_m4_75", "0101"), unit("g_rifle", "0103", attacked=(FIRE,)))
    t.play(straight(t), dice=[6])
    assert t.unit(2).attacked == (FIRE, OVERRUN)
    assert t.refusal(straight(t, 1)).rule == "PL-1007"


@pytest.mark.rule("PL-1401")
def test_defenders_lying_face_down_are_shown() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103", facedown=True))
    t.play(straight(t), dice=[6])
    assert [event.unit for event in t.happened(UnitRevealed)] == [1]


@pytest.mark.rule("PL-1502")
def test_passing_through_does_not_take_the_hex_but_the_exit_hex_is_taken() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), rows=".\n.\nR\nT", features={"bridge": ["0103"]})
    t.play(straight(t), dice=[6])
    # the banks of the bridge are remembered too (PL-1502)
    assert t.happened(ControlTaken) == [ControlTaken(h, ALLIED) for h in t.hexes("0102", "0104")]


# --- with opportunity fire ------------------------------------------------------------------------------------------

REACTIVE = {"opportunity_fire": True}


@pytest.mark.rule("PL-1602", "PL-1005")
def test_a_vehicle_stopped_by_opportunity_fire_takes_no_part_in_the_attack() -> None:
    rows = "...\n...\n...\n...\n...\n..."
    t = table(
        rows,
        unit("a_m4_75", "0102"),
        unit("a_m4_75", "0201"),
        unit("g_rifle", "0104"),
        unit("g_panther", "0305"),
        step=VEHICLES,
        options=REACTIVE,
    )
    both = order(t, run(t, 1, "0102", "0103", "0104", "0105"), run(t, 0, "0103", "0104", "0105"), hex="0104")
    t.play(both)
    assert isinstance(t.state.flow[-1], OpportunityWindow)
    t.play(OpportunityFire(ids(3)), dice=[4, 6])
    assert t.unit(1).dispersed
    assert t.happened(AttackRolled)[-1].attackers == (0,)


@pytest.mark.rule("PL-1602")
def test_nobody_fires_at_a_vehicle_inside_the_target_hex() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), unit("g_panther", "0107"), options=REACTIVE)
    t.play(straight(t))
    assert t.unit(0).hex == t.hex("0104")  # two hexes were enough, but that was in the target hex
    t.play(Pass(), dice=[6])
    assert t.happened(AttackRolled)[0].how == "overrun"


@pytest.mark.rule("PL-1602", "PL-902")
def test_a_vehicle_dispersed_behind_the_target_hex_does_not_attack() -> None:
    t = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), unit("g_panther", "0107"), options=REACTIVE)
    t.play(straight(t))
    t.play(OpportunityFire(ids(2)), dice=[4])
    assert t.unit(0).dispersed
    assert len(t.happened(AttackRolled)) == 1
    assert t.state.flow == (StepFrame(VEHICLES),)


@pytest.mark.rule("PL-1602")
def test_a_vehicle_lost_on_the_way_leaves_the_others_to_go_on() -> None:
    t = field(unit("a_greyhound", "0101"), unit("g_rifle", "0104"), unit("g_panther", "0107"), options=REACTIVE)
    t.play(order(t, run(t, 0, "0102", "0103", "0104", "0105"), hex="0104"))
    t.play(OpportunityFire(ids(2)), dice=[1])
    assert t.happened(AttackRolled)[-1].how == "direct"
    assert t.state.flow == (StepFrame(VEHICLES),)


# --- Panzerblitz assault --------------------------------------------------------------------------------------------

BLITZ = {"panzerblitz_assault": True}


def riders(*others: Any, options: dict[str, bool] = BLITZ, **fields: Any) -> Table:
    return field(
        unit("g_panther", "0101"),
        unit("g_rifle", carrier=0),
        unit("a_rifle", "0103"),
        *others,
        phasing=GERMAN,
        options=options,
        **fields,
    )


def with_drop(t: Table, *drop: int) -> Overrun:
    return order(t, run(t, 0, "0102", "0103", "0104"), drop=drop)


def offered(t: Table) -> list[Overrun]:
    return list(overrun.overrun_options(t.position, GERMAN, t.unit(0)))


@pytest.mark.rule("PL-1606")
def test_riders_drop_off_before_the_overrun_hex_and_may_assault_it() -> None:
    t = riders(unit("a_rifle", "0101", "allied"))
    t.change(3, hex=0)
    t.play(with_drop(t, 1), dice=[6])
    assert t.happened(UnitUnloaded) == [UnitUnloaded(U(0), U(1), assaults=t.hex("0103"))]
    assert t.unit(1).hex == t.hex("0102")
    assert t.unit(0).hex == t.hex("0104")
    t.set(step="close assault")
    assert assault.check_assault(t.position, GERMAN, CloseAssault(ids(1), t.hex("0103"))) is None
    t.change(3, hex="0101")
    elsewhere = assault.check_assault(t.position, GERMAN, CloseAssault(ids(1), t.hex("0101")))
    assert elsewhere is not None
    assert elsewhere.rule == "PL-1606"


@pytest.mark.rule("PL-1606", "PL-643")
def test_a_rider_who_stays_on_is_carried_through() -> None:
    t = riders()
    t.play(with_drop(t), dice=[6])
    assert t.unit(1).hex == t.hex("0104")
    assert t.unit(1).carrier == 0
    assert not t.unit(1).assaults


@pytest.mark.rule("PL-1606")
def test_dropping_off_is_an_option_for_infantry_on_the_overrunning_tanks() -> None:
    plain = riders(options={})
    assert plain.refusal(with_drop(plain, 1)).rule == "PL-1606"
    t = riders(unit("g_ht", "0101"), unit("g_rifle", carrier=3), unit("g_rifle", "0101"))
    for number in (4, 5, 99, -1):
        assert t.refusal(with_drop(t, number)).rule == "PL-1606"
    halftrack = order(t, run(t, 3, "0102", "0103", "0104"), drop=(4,))
    assert t.refusal(halftrack).rule == "PL-1606"
    t.set(mover=Mover(U(0), t.hex("0101"), spent=10, handled="first"))
    assert t.refusal(with_drop(t, 1)).rule == "PL-643"


@pytest.mark.rule("PL-1606")
def test_where_it_is_played_a_rider_is_offered_to_drop_off_and_told_of() -> None:
    t = riders()
    assert with_drop(t, 1) in offered(t)
    assert BOOK.text(with_drop(t, 1), t.position).endswith("dropping off")
    assert "dropping off" in labels.of_overrun(t.position, GERMAN, with_drop(t, 1)).choice
    assert "dropping off" not in labels.of_overrun(t.position, GERMAN, with_drop(t)).choice
    assert not any(one.drop for one in offered(riders(options={})))
    full = riders(*(unit("g_smg", "0102") for _ in range(3)))
    assert with_drop(full, 1) not in offered(full)


@pytest.mark.rule("PL-1606", "PL-401")
def test_there_must_be_room_where_the_riders_drop_off() -> None:
    t = riders(*(unit("g_smg", "0102") for _ in range(3)))
    assert t.refusal(with_drop(t, 1)).rule == "PL-401"
    assert t.check(with_drop(t)) is None


@pytest.mark.rule("PL-1606")
def test_a_rider_in_a_run_after_a_drop_finds_one_place_less() -> None:
    crew = [unit("g_smg", "0102"), unit("g_smg", "0102"), unit("g_panther", "0101"), unit("g_rifle", carrier=5)]
    t = riders(*crew)
    runs = (run(t, 0, "0102", "0103", "0104"), run(t, 5, "0102", "0103", "0104"))
    assert t.check(order(t, *runs, drop=(1,))) is None
    assert t.refusal(order(t, *runs, drop=(1, 6))).rule == "PL-401"


# --- options --------------------------------------------------------------------------------------------------------


def test_options_are_lawful_overruns_alone_and_together() -> None:
    t = table(
        open_board(7, 7),
        unit("a_m4_75", "0402"),
        unit("a_m4_75", "0302"),
        unit("a_m4_75", "0501"),
        unit("a_m4_75", "0601"),
        unit("a_m4_75", "0201"),
        unit("g_rifle", "0404"),
        unit("g_rifle", "0101"),
        unit("a_truck", "0402"),
        unit("g_pz4", "0707"),
        step=VEHICLES,
    )
    options = list(overrun.overrun_options(t.position, ALLIED, t.unit(0)))
    assert all(t.check(found) is None for found in options)
    assert {len(found.runs) for found in options} == {1, overrun.MOST_TOGETHER}
    assert {t.board.label(found.hex) for found in options} >= {"0404"}
    assert len({found.runs[0].path[-1] for found in options if found.hex == t.hex("0404")}) == 6
    assert list(overrun.overrun_options(t.position, ALLIED, t.unit(7))) == []
    assert list(overrun.overrun_options(t.position, GERMAN, t.unit(0))) == []
    assert all(t.check(found, GERMAN) is not None for found in options)


def test_no_options_where_nothing_can_be_overrun() -> None:
    woods = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), rows=".\n.\nW\n.")
    assert list(overrun.overrun_options(woods.position, ALLIED, woods.unit(0))) == []
    hard = field(unit("a_ht", "0101"), unit("g_pz4", "0103"))
    assert list(overrun.overrun_options(hard.position, ALLIED, hard.unit(0))) == []
    weak = field(unit("a_m5", "0101"), *(unit("g_engineer", "0103") for _ in range(3)))
    assert list(overrun.overrun_options(weak.position, ALLIED, weak.unit(0))) == []
    strong_together = field(unit("a_m5", "0101"), unit("a_m5", "0101"), *(unit("g_engineer", "0103") for _ in range(3)))
    options = list(overrun.overrun_options(strong_together.position, ALLIED, strong_together.unit(0)))
    assert [len(found.runs) for found in options] == [2]
    cut_off = field(
        unit("a_m4_75", "0102"), unit("a_m4_75", "0107"), unit("g_rifle", "0103"), rows=".\n.\n.\n.\nO\n.\n."
    )
    assert [len(found.runs) for found in overrun.overrun_options(cut_off.position, ALLIED, cut_off.unit(0))] == [1]
    shut = field(unit("a_m4_75", "0101"), unit("g_rifle", "0103"), unit("g_rifle", "0104"))
    assert list(overrun.overrun_options(shut.position, ALLIED, shut.unit(0))) == []


def test_an_attack_on_an_empty_hex_is_none() -> None:
    t = field(unit("a_m4_75", "0101"))
    assert not isinstance(overrun.overrun_attack(t.position, ALLIED, (t.unit(0),), t.hex("0103")), Attack)
