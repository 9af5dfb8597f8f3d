"""Results, recovery and tank hunting: sections 9 and 10."""

from __future__ import annotations

import pytest

from sandtable.rulesets.panzer8 import recovery
from sandtable.rulesets.panzer8.events import AttackRolled, Dismounted, FellBack, GroundTaken, Lost, Suppressed
from sandtable.rulesets.panzer8.model import ALLIED, LOST, Effect
from sandtable.rulesets.panzer8.orders import Fire, Move, Rally, Recover, TankHunt
from sandtable.rulesets.panzer8.results import FALL_BACK, NONE, OUT, SUPPRESSED, fall_back_path, inflict
from tests.rulesets.panzer8.table import Table, U, element, open_ground, table


def struck(t: Table, number: int, outcome: str, cause: str, dice: tuple[int, ...] = ()) -> None:
    t.run(inflict, U(number), outcome, t.hex(cause), dice=dice)


@pytest.mark.rule("P8-9.01")
def test_out_of_action_removes_an_element_and_a_vehicle_leaves_a_wreck() -> None:
    t = table(open_ground(1, 6), element("sherman", "0102"), element("inf_rifle", "0103"))
    struck(t, 0, OUT, "0106")
    struck(t, 1, OUT, "0106")
    assert [t.element(n).fate for n in (0, 1)] == [LOST, LOST]
    assert t.position.wrecks == t.hexes("0102")
    again = table(open_ground(1, 6), element("sherman", "0102"), wrecks=["0102"])
    struck(again, 0, OUT, "0106")
    assert again.position.wrecks == again.hexes("0102")
    assert t.refusal(Fire(U(0), U(1), "ap")).rule == "P8-9.01"


@pytest.mark.rule("P8-9.02")
def test_suppressed_and_nothing() -> None:
    t = table(open_ground(1, 6), element("sherman", "0102"))
    struck(t, 0, NONE, "0106")
    assert t.events == ()
    struck(t, 0, SUPPRESSED, "0106")
    assert t.happened(Suppressed)


@pytest.mark.rule("P8-9.03")
def test_suppressed_again_it_falls_back_and_stays_suppressed() -> None:
    t = table(open_ground(1, 8), element("inf_rifle", "0105", suppressed=True))
    struck(t, 0, SUPPRESSED, "0108")
    assert t.at(0) == "0101"
    assert t.element(0).suppressed


@pytest.mark.rule("P8-9.04")
def test_falling_back_goes_four_hexes_or_out_of_sight_and_a_weapon_one() -> None:
    t = table(open_ground(1, 9), element("inf_rifle", "0106"), element("mmg", "0107", "allied"))
    struck(t, 0, FALL_BACK, "0109")
    assert t.at(0) == "0102"
    weapon = table(open_ground(1, 9), element("mmg", "0106", "allied"))
    struck(weapon, 0, FALL_BACK, "0109")
    assert weapon.at(0) == "0105"
    hidden = table("o\no\nW\no\no\no", element("inf_rifle", "0104"))
    struck(hidden, 0, FALL_BACK, "0106")
    # from 0106 the woods are seen, and what lies behind them is not
    assert hidden.at(0) == "0102"


@pytest.mark.rule("P8-9.04")
def test_of_several_ways_the_one_into_better_cover_is_taken() -> None:
    t = table("ooo\nooB\nooo\nooo", element("inf_rifle", "0203"))
    path = fall_back_path(t.position, t.element(0), t.hex("0104"))
    assert path[0] == t.hex("0302") or t.board.distance(path[0], t.hex("0104")) > 1


@pytest.mark.rule("P8-9.05")
def test_what_can_not_fall_back_is_suppressed_and_if_it_was_is_lost() -> None:
    t = table("o\no", element("inf_rifle", "0101"), element("pz4g", "0102"))
    struck(t, 0, FALL_BACK, "0102")
    assert t.element(0).suppressed
    struck(t, 0, FALL_BACK, "0102")
    assert t.element(0).fate == LOST
    gun = table(open_ground(1, 6), element("at_17pdr", "0103", "allied"))
    struck(gun, 0, FALL_BACK, "0106")
    assert gun.at(0) == "0103"
    assert gun.element(0).suppressed


@pytest.mark.rule("P8-6.11")
def test_passengers_of_a_lost_carrier_are_hit_and_those_of_a_suppressed_one_suppressed() -> None:
    t = table(open_ground(1, 9), element("halftrack", "0105"), element("inf_rifle", "", carrier=0))
    struck(t, 0, SUPPRESSED, "0109")
    assert t.element(1).suppressed
    t = table(open_ground(1, 9), element("halftrack", "0105"), element("inf_rifle", "", carrier=0))
    struck(t, 0, OUT, "0109", (5, 5))
    assert t.happened(Dismounted)[0].passenger == 1
    assert t.happened(AttackRolled)[0].manner == "bail"
    assert (t.at(1), t.element(1).carrier) == ("0105", -1)
    t = table(open_ground(1, 9), element("halftrack", "0105"), element("inf_rifle", "", carrier=0))
    struck(t, 0, OUT, "0109", (10, 2))
    assert [event.unit for event in t.happened(Lost)] == [0, 1]
    moved = table(open_ground(1, 9), element("halftrack", "0105"), element("inf_rifle", "", carrier=0))
    struck(moved, 0, FALL_BACK, "0109")
    assert moved.at(1) == moved.at(0) == "0101"
    assert moved.happened(FellBack)


@pytest.mark.rule("P8-6.11")
@pytest.mark.rule("P8-9.04")
def test_passengers_who_fall_back_from_a_lost_carrier_go_away_from_who_fired_at_it() -> None:
    t = table(open_ground(1, 9), element("halftrack", "0105"), element("inf_rifle", "", carrier=0))
    struck(t, 0, OUT, "0101", (6, 5))
    assert t.happened(FellBack)[0].unit == 1
    assert t.at(1) == "0109"


@pytest.mark.rule("P8-14.03")
@pytest.mark.rule("P8-9.04")
def test_who_falls_back_over_an_objective_has_entered_it() -> None:
    t = table(
        open_ground(1, 9),
        element("inf_rifle", "0106"),
        objectives={"Mill": ("0105",), "Ford": ("0102",), "Farm": ("0101",)},
        control={"0105": "german", "0102": "german", "0101": "german"},
    )
    struck(t, 0, FALL_BACK, "0109")
    assert t.at(0) == "0102"
    assert [event.hex for event in t.happened(GroundTaken)] == list(t.hexes("0105", "0102"))


# --- recovery -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P8-9.06")
@pytest.mark.rule("P8-9.08")
def test_a_commander_who_rallies_helps_those_within_four_hexes() -> None:
    t = table(open_ground(1, 9), element("cmd_foot", "0101"), element("inf_rifle", "0105", suppressed=True))
    assert t.refusal(Rally(U(1))).rule == "P8-4.08"
    t.play(Rally(U(0)))
    assert recovery.recovery(t.position, t.element(1)).total == 1
    t.change(1, hex=t.hex("0106"))
    assert recovery.recovery(t.position, t.element(1)).total == -1
    other = table(open_ground(1, 9), element("cmd_foot", "0101", suppressed=True), element("sherman", "0102"))
    assert other.refusal(Rally(U(0))).rule == "P8-4.08"
    assert other.refusal(Rally(U(1))).rule == "P8-9.08"


@pytest.mark.rule("P8-9.06")
def test_every_three_elements_lost_take_one_off() -> None:
    gone = [element("truck", "", fate=LOST) for _ in range(5)]
    t = table(open_ground(1, 9), element("inf_rifle", "0105", suppressed=True), element("sherman", "0106"), *gone)
    assert recovery.recovery(t.position, t.element(0)).total == -1
    t.set(stragglers={ALLIED: 3})
    assert recovery.recovery(t.position, t.element(0)).total == 0
    t.set(effects=(Effect("E10", ALLIED, 1),))
    assert recovery.recovery(t.position, t.element(0)).total == 1


@pytest.mark.rule("P8-9.09")
def test_unsupported_is_who_has_no_fit_combat_element_within_four_hexes() -> None:
    t = table(open_ground(1, 9), element("inf_rifle", "0101", suppressed=True), element("truck", "0102"))
    assert recovery.is_unsupported(t.position, t.element(0))
    t.change(1, kind="sherman")
    assert not recovery.is_unsupported(t.position, t.element(0))
    t.change(1, suppressed=True)
    assert recovery.is_unsupported(t.position, t.element(0))
    ride = table(
        open_ground(1, 9),
        element("inf_rifle", "0101", suppressed=True),
        element("truck", "0102"),
        element("inf_rifle", "", carrier=1),
    )
    assert not recovery.is_unsupported(ride.position, ride.element(0)), "a passenger is in its carrier's hex"


@pytest.mark.rule("P8-9.07")
@pytest.mark.rule("P8-9.10")
def test_recovering_well_allows_another_action_at_once_but_no_second_recovery() -> None:
    t = table(open_ground(1, 9), element("inf_rifle", "0101", suppressed=True), element("sherman", "0102"))
    t.play(Recover(U(0)), dice=[9])
    assert not t.element(0).suppressed
    assert t.position.urgent == 0
    assert t.refusal(Recover(U(0))).rule == "P8-9.06"
    t.play(Move(U(1), t.hexes("0103"), 0))
    assert t.refusal(Move(U(0), t.hexes("0102"), 0)).rule == "P8-4.03"
    t = table(open_ground(1, 9), element("inf_rifle", "0101", suppressed=True), element("sherman", "0102"))
    t.play(Recover(U(0)), dice=[9])
    t.play(Move(U(0), t.hexes("0102", "0103"), 3))
    assert t.at(0) == "0103"


@pytest.mark.rule("P8-9.07")
@pytest.mark.rule("P8-13.02")
def test_the_action_of_a_good_recovery_comes_on_top_of_the_two_of_a_card() -> None:
    t = table(open_ground(1, 12), element("inf_rifle", "0101", suppressed=True, spare=1), element("sherman", "0112"))
    t.play(Recover(U(0)), dice=[10])
    for label in ("0102", "0103"):
        t.play(Move(U(0), t.hexes(label), 3))
    assert t.refusal(Move(U(0), t.hexes("0104"), 3)).rule == "P8-4.03"


@pytest.mark.rule("P8-9.07")
@pytest.mark.rule("P8-9.10")
def test_a_failed_recovery_and_a_fatal_one() -> None:
    t = table(open_ground(1, 9), element("inf_rifle", "0101", suppressed=True), element("sherman", "0102"))
    t.play(Recover(U(0)), dice=[3])
    assert t.element(0).suppressed
    t.change(0, acted=0)
    assert t.refusal(Recover(U(0))).rule == "P8-9.10"
    t = table(open_ground(1, 9), element("inf_rifle", "0101", suppressed=True), element("sherman", "0102"))
    t.play(Recover(U(0)), dice=[1])
    assert t.element(0).fate == LOST
    carried = table(
        open_ground(1, 9),
        element("halftrack", "0101", suppressed=True),
        element("inf_rifle", "", carrier=0, suppressed=True),
    )
    carried.play(Recover(U(0)), dice=[8])
    assert not carried.element(1).suppressed


@pytest.mark.rule("P8-13.02")
def test_radio_failure_keeps_commanders_from_rallying() -> None:
    t = table(open_ground(1, 9), element("cmd_foot", "0101"))
    t.set(effects=(Effect("E03", ALLIED, 1),))
    assert t.refusal(Rally(U(0))).rule == "P8-13.02"
    assert t.options(0, Rally) == []


# --- tank hunting ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("P8-10.01")
def test_infantry_and_engineers_hunt_armor_next_to_them_after_half_a_move() -> None:
    t = table(open_ground(3, 9), element("inf_rifle", "0204"), element("pz4g", "0201", facing=0))
    order = TankHunt(U(0), U(1), t.hexes("0203", "0202"))
    assert order in t.options(0, TankHunt)
    assert t.refusal(TankHunt(U(0), U(1))).rule == "P8-10.01"
    assert t.refusal(TankHunt(U(0), U(1), t.hexes("0203"))).rule == "P8-10.01"
    assert t.refusal(TankHunt(U(0), U(0))).rule == "P8-10.01"
    assert t.refusal(TankHunt(U(0), U(9))).rule == "P8-10.01"
    assert t.refusal(TankHunt(U(0), U(1), t.hexes("0202"))).rule == "P8-6.01"
    assert t.refusal(TankHunt(U(0), U(1), t.hexes("0203", "0303", "0202"))).rule == "P8-10.01"
    t.play(order, dice=[8, 2])
    assert t.element(1).fate == LOST
    tank = table(open_ground(3, 9), element("sherman", "0202"), element("pz4g", "0201"))
    assert tank.refusal(TankHunt(U(0), U(1))).rule == "P8-10.01"
    assert tank.options(0, TankHunt) == []
    stuck = table(open_ground(3, 9), element("inf_rifle", "0203"), element("pz4g", "0201"))
    stuck.set(effects=(Effect("E09", ALLIED, 1, U(0)),))
    assert stuck.refusal(TankHunt(U(0), U(1), stuck.hexes("0202"))).rule == "P8-13.02"
    assert stuck.options(0, TankHunt) == []


@pytest.mark.rule("P8-10.02")
@pytest.mark.rule("P8-10.03")
def test_what_counts_in_tank_hunting() -> None:
    t = table("oWo\nooo", element("eng", "0202", quality=1), element("marder", "0201", facing=0))
    attack, defense = t.explain(TankHunt(U(0), U(1)))
    assert {line.label: line.value for line in attack.lines} == {
        "tank-hunting value": 5,
        "the target is in cover or smoke": 1,
        "engineers": 2,
        "not to its front": 1,
        "open-topped": 1,
        "no machine gun": 1,
        "quality of the hunters": 1,
    }
    assert defense.total == 3
    tiger = table("ooo\nooo", element("inf_rifle", "0202"), element("tiger", "0201", facing=3, quality=1))
    attack, defense = tiger.explain(TankHunt(U(0), U(1)))
    assert (attack.total, defense.total) == (4, 5)


@pytest.mark.rule("P8-10.04")
@pytest.mark.parametrize(
    ("dice", "target", "hunter"),
    [((5, 5), NONE, FALL_BACK), ((6, 5), NONE, NONE), ((8, 5), SUPPRESSED, NONE), ((10, 5), OUT, NONE)],
)
def test_results_of_tank_hunting(dice: tuple[int, int], target: str, hunter: str) -> None:
    t = table(open_ground(3, 9), element("inf_rifle", "0202"), element("pz4g", "0201", facing=3))
    t.play(TankHunt(U(0), U(1)), dice=dice)
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.result, rolled.backfire) == (target, hunter)
    assert (t.at(0) != "0202") == (hunter == FALL_BACK)
