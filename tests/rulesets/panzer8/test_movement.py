"""Movement: section 6."""

from __future__ import annotations

import pytest

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer8 import movement
from sandtable.rulesets.panzer8.events import FellBack, Moved, Stopped, Turned
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, LOST, Effect
from sandtable.rulesets.panzer8.movement_table import FULL_MOVE, HALF_MOVE
from sandtable.rulesets.panzer8.orders import (
    Dismount,
    EndPhase,
    Fire,
    Mount,
    Move,
    MoveAndFire,
    Overrun,
    Pass,
    Pivot,
    ReactByFire,
)
from tests.rulesets.panzer8.table import RULES, Table, U, element, open_ground, table


def reached(t: Table, number: int, most: int = FULL_MOVE) -> dict[str, int]:
    """The hexes an element can end a move in, with the points spent."""
    one = t.element(number)
    how = movement.gait(t.position, one)
    found: dict[str, int] = {}
    for place, path in movement.stops(t.position, one, most):
        here, spent = one.hex, 0
        for there in path:
            spent += movement.step_cost(t.position, how, here, t.board.direction(here, there)) or 0
            here = there
        found[t.board.label(place)] = movement.points(spent)
    return found


@pytest.mark.rule("P8-6.02")
def test_a_hex_costs_40_points_by_its_rate() -> None:
    t = table(open_ground(1, 12), element("inf_rifle", "0101"), element("sherman", "0112"))
    assert reached(t, 0) == {"0102": 10, "0103": 20, "0104": 30, "0105": 40}
    assert len(reached(t, 1)) == 8


@pytest.mark.rule("P8-6.03")
def test_the_road_rate_holds_from_road_hex_to_road_hex() -> None:
    road = [f"01{row:02d}" for row in range(1, 12)]
    t = table(open_ground(2, 12), element("truck", "0101"), roads=[road])
    assert reached(t, 0)["0111"] == 40
    assert reached(t, 0)["0201"] == 10


@pytest.mark.rule("P8-6.04")
def test_a_built_up_hex_costs_twice_its_open_or_road_cost() -> None:
    t = table("o\nB\no", element("sherman", "0101"))
    assert reached(t, 0) == {"0102": 10, "0103": 15}
    by_road = table("o\nB\no", element("truck", "0101"), roads=[["0101", "0102", "0103"]])
    assert reached(by_road, 0)["0102"] == 8


@pytest.mark.rule("P8-6.05")
def test_a_linear_obstacle_costs_20_points_unless_a_road_goes_through() -> None:
    t = table("o\no\no", element("sherman", "0101"), hexsides={"stream": ["0101-0102"]})
    assert reached(t, 0) == {"0102": 25, "0103": 30}
    bridged = table("o\no", element("sherman", "0101"), hexsides={"stream": ["0101-0102"]}, roads=[["0101", "0102"]])
    assert reached(bridged, 0) == {"0102": 5}


@pytest.mark.rule("P8-6.06")
def test_with_a_whole_move_one_hex_is_always_possible_unless_impassable() -> None:
    t = table("oB\noo", element("mmg", "0101", "allied"), hexsides={"hedge": ["0101-0201"]})
    assert reached(t, 0) == {"0102": 40, "0201": 100}
    order = Move(U(0), t.hexes("0201"), 2)
    assert t.explain(order)[0].lines[-1].rule == "P8-6.06"
    t.play(order)
    assert t.at(0) == "0201"
    marsh = table("om\noo", element("truck", "0101"))
    assert "0201" not in reached(marsh, 0)
    assert marsh.refusal(Move(U(0), marsh.hexes("0201"), 0)).rule == "P8-6.01"


@pytest.mark.rule("P8-6.07")
def test_move_and_fire_allows_half_a_move_and_no_more() -> None:
    t = table(open_ground(1, 12), element("sherman", "0112"), element("pz4g", "0101", facing=3))
    assert t.check(MoveAndFire(U(0), t.hexes("0111", "0110", "0109", "0108"), 0, U(1), "ap")) is None
    too_far = MoveAndFire(U(0), t.hexes("0111", "0110", "0109", "0108", "0107"), 0, U(1), "ap")
    assert t.refusal(too_far).rule == "P8-6.07"
    crew = table("oo\nsB", element("sherman", "0101"), element("pz4g", "0201"), hexsides={"hedge": ["0101-0102"]})
    assert crew.refusal(MoveAndFire(U(0), crew.hexes("0102"), 0, U(1), "ap")).rule == "P8-6.07"


@pytest.mark.rule("P8-6.08")
def test_an_element_ends_its_move_facing_as_it_chooses() -> None:
    t = table(open_ground(3, 6), element("sherman", "0201"))
    t.play(Move(U(0), t.hexes("0202", "0203"), 5))
    assert [event.facing for event in t.happened(Moved)] == [3, 5]
    assert t.element(0).facing == 5
    assert t.refusal(Move(U(0), t.hexes("0202"), 6)).rule == "P8-4.03"
    fresh = table(open_ground(3, 6), element("sherman", "0201"))
    assert fresh.refusal(Move(U(0), fresh.hexes("0202"), 6)).rule == "P8-6.08"


@pytest.mark.rule("P8-6.09")
def test_on_bicycles_road_hexes_cost_7_7_and_6_points_in_turn() -> None:
    road = [f"01{row:02d}" for row in range(1, 9)]
    t = table(open_ground(1, 9), element("bicycle", "0101"), roads=[road])
    found = reached(t, 0)
    assert [found[f"01{row:02d}"] for row in range(2, 8)] == [7, 14, 20, 27, 34, 40]
    assert "0108" not in found
    costs = t.explain(Move(U(0), t.hexes("0102", "0103", "0104"), 3))[0].lines
    assert [line.value for line in costs] == [7, 7, 6]


@pytest.mark.rule("P8-6.12")
def test_friends_may_be_passed_through_but_not_stopped_with() -> None:
    t = table(open_ground(1, 6), element("sherman", "0101"), element("inf_rifle", "0102"))
    assert "0102" not in reached(t, 0)
    assert t.refusal(Move(U(0), t.hexes("0102"), 3)).rule == "P8-6.12"
    t.play(Move(U(0), t.hexes("0102", "0103"), 3))
    assert t.at(0) == "0103"


@pytest.mark.rule("P8-6.12")
@pytest.mark.rule("P8-5.06")
def test_who_is_stopped_in_a_friends_hex_is_set_back_to_the_last_empty_one() -> None:
    t = table(
        open_ground(1, 9),
        element("sherman", "0101"),
        element("inf_rifle", "0103"),
        element("tiger", "0109", facing=0),
    )
    t.play(Move(U(0), t.hexes("0102", "0103", "0104"), 3), passing=False)
    assert t.asked == "reaction"
    t.play(Pass(), passing=False)
    assert t.at(0) == "0103"
    # 10 + 2 modifiers against 6: a difference of 3 suppresses
    t.play(ReactByFire(U(2), "ap"), dice=[2, 3], passing=False)
    assert t.element(0).suppressed
    assert t.at(0) == "0102"
    assert t.happened(Stopped)[0].hex == t.hex("0102")
    assert t.asked == "action"


@pytest.mark.rule("P8-1.05")
@pytest.mark.rule("P8-6.11")
@pytest.mark.rule("P8-6.12")
def test_passengers_of_a_carrier_lost_in_a_friends_hex_leave_it_in_the_last_empty_one() -> None:
    t = table(
        open_ground(1, 9),
        element("halftrack", "0101"),
        element("inf_rifle", "", carrier=0),
        element("inf_rifle", "0103"),
        element("tiger", "0109", facing=0),
    )
    t.play(Move(U(0), t.hexes("0102", "0103", "0104"), 3), passing=False)
    t.play(Pass(), passing=False)
    t.play(ReactByFire(U(3), "ap"), dice=[10, 3, 5, 5], passing=False)
    assert t.element(0).fate == LOST
    assert (t.at(1), t.at(2)) == ("0102", "0103")
    assert t.position.wrecks == t.hexes("0103")
    mined = table(
        open_ground(1, 9),
        element("halftrack", "0101"),
        element("inf_rifle", "", carrier=0),
        element("inf_rifle", "0103"),
        mines=["0103"],
    )
    mined.play(Move(U(0), mined.hexes("0102", "0103", "0104"), 3), dice=[10, 3, 5, 5])
    assert (mined.at(1), mined.at(2)) == ("0102", "0103")


@pytest.mark.rule("P8-1.05")
def test_enemies_never_share_a_hex() -> None:
    t = table(open_ground(1, 6), element("sherman", "0101"), element("pz4g", "0102"))
    assert t.refusal(Move(U(0), t.hexes("0102", "0103"), 3)).rule == "P8-1.05"
    assert reached(t, 0) == {}


def test_a_path_goes_from_hex_to_adjacent_hex() -> None:
    t = table(open_ground(1, 6), element("sherman", "0101"))
    assert t.refusal(Move(U(0), t.hexes("0103"), 3)).rule == "P8-6.01"
    assert t.refusal(Move(U(0), (), 3)).rule == "P8-6.01"
    assert t.refusal(Move(U(0), (U(0),), 3)).rule == "P8-6.01"
    assert t.refusal(Move(U(7), t.hexes("0102"), 3)).rule == "P8-4.03"


@pytest.mark.rule("P8-4.03")
def test_each_element_has_one_action() -> None:
    t = table(open_ground(1, 6), element("sherman", "0101"), element("sherman", "0106"))
    t.play(Move(U(0), t.hexes("0102"), 3))
    assert t.refusal(Move(U(0), t.hexes("0103"), 3)).rule == "P8-4.03"
    t.play(Move(U(1), t.hexes("0105"), 0))


@pytest.mark.rule("P8-4.06")
def test_turning_on_the_spot_is_an_action_that_nobody_reacts_to() -> None:
    t = table(open_ground(1, 6), element("sherman", "0101"), element("pz4g", "0106"))
    t.play(Pivot(U(0), 3), passing=False)
    assert t.happened(Turned)[0].facing == 3
    assert t.asked == "action"
    assert t.refusal(Pivot(U(0), 3)).rule == "P8-4.03"
    fresh = table(open_ground(1, 6), element("sherman", "0101", facing=3))
    assert fresh.refusal(Pivot(U(0), 3)).rule == "P8-4.06"
    assert [order.facing for order in fresh.options(0, Pivot)] == [4, 5, 0, 1, 2]
    assert t.options(0, Pivot) == []


@pytest.mark.rule("P8-6.10")
def test_a_gun_never_moves_by_itself_and_slows_its_tow() -> None:
    t = table(open_ground(2, 12), element("at_75", "0101"), element("truck", "0201", "german"), active=GERMAN)
    assert t.refusal(Move(U(0), t.hexes("0102"), 3)).rule == "P8-6.10"
    t.play(Mount(U(1), U(0)))
    assert t.at(0) == "0201"
    assert movement.gait(t.position, t.element(1)).rows == ("Wh", "HD")


@pytest.mark.rule("P8-6.10")
def test_mounting_takes_half_a_move_before_during_or_after_the_other_half() -> None:
    t = table(open_ground(1, 12), element("halftrack", "0103"), element("inf_rifle", "0102"))
    t.play(Mount(U(0), U(1)))
    assert t.element(0).spent == HALF_MOVE
    assert set(reached(t, 0, movement.allowance(t.position, t.element(0)))) == {
        "0101", "0102", "0104", "0105", "0106", "0107"
    }  # fmt: skip
    assert t.refusal(Fire(U(1), U(0), "hesa")).rule == "P8-6.10"
    t.play(Move(U(0), t.hexes("0104", "0105", "0106", "0107"), 3))
    assert t.at(1) == "0107"
    assert t.refusal(Dismount(U(0), t.hex("0108"))).rule == "P8-6.10"
    after = table(open_ground(1, 12), element("halftrack", "0105"), element("inf_rifle", "0101"))
    after.play(Move(U(0), after.hexes("0104", "0103", "0102"), 0))
    after.play(Mount(U(0), U(1)))
    assert after.element(1).carrier == 0
    assert after.refusal(Move(U(0), after.hexes("0103", "0104"), 0)).rule == "P8-6.10"
    after.play(Move(U(0), after.hexes("0103"), 0))
    assert after.refusal(Move(U(0), after.hexes("0102"), 0)).rule == "P8-4.03"


@pytest.mark.rule("P8-6.10")
def test_who_was_set_down_does_nothing_else_in_that_turn_whatever_card_he_has() -> None:
    t = table(
        open_ground(3, 12),
        element("halftrack", "0206"),
        element("inf_rifle", "", carrier=0, spare=1),
        element("pz4g", "0201"),
        element("truck", "0208"),
    )
    t.play(Dismount(U(0), t.hex("0205")))
    for order in (Move(U(1), t.hexes("0204"), 0), Fire(U(1), U(2), "hesa"), Mount(U(3), U(1))):
        assert t.refusal(order).rule == "P8-6.10"
    assert 1 not in RULES.ready(RULES.view(t.state, ALLIED))
    t.play(EndPhase(), dice=[1])
    t.play(EndPhase(), dice=[1])
    assert t.check(Move(U(1), t.hexes("0204"), 0)) is None


@pytest.mark.rule("P8-13.02")
@pytest.mark.rule("P8-6.10")
def test_a_carrier_with_two_actions_uses_the_second_for_mounting_after_a_whole_move() -> None:
    t = table(open_ground(1, 20), element("halftrack", "0110", spare=1), element("inf_rifle", "0101"))
    t.play(Move(U(0), t.hexes("0109", "0108", "0107", "0106", "0105", "0104", "0103", "0102"), 0))
    assert t.element(0).spent == FULL_MOVE
    t.play(Mount(U(0), U(1)))
    assert (t.element(0).acted, t.element(0).spent) == (2, HALF_MOVE)
    t.play(Move(U(0), t.hexes("0103", "0104", "0105", "0106"), 3))
    assert t.refusal(Move(U(0), t.hexes("0107"), 3)).rule == "P8-4.03"


@pytest.mark.rule("P8-4.03")
@pytest.mark.rule("P8-6.10")
def test_who_has_moved_and_fired_or_overrun_sets_nobody_down_in_the_same_turn() -> None:
    def riding() -> Table:
        return table(
            open_ground(3, 12),
            element("halftrack", "0206"),
            element("inf_rifle", "", carrier=0),
            element("inf_rifle", "0203", "german", facing=3),
        )

    fired = riding()
    fired.play(MoveAndFire(U(0), fired.hexes("0205"), 0, U(2), "hesa"), dice=[1, 10])
    overran = riding()
    overran.play(Overrun(U(0), U(2), overran.hexes("0205", "0204")))
    for t in (fired, overran):
        assert t.element(0).spent <= HALF_MOVE
        assert t.options(0, Dismount) == []
    assert fired.refusal(Dismount(U(0), fired.hex("0206"))).rule == "P8-4.03"
    assert overran.refusal(Dismount(U(0), overran.hex("0205"))).rule == "P8-4.03"


@pytest.mark.rule("P8-5.06")
@pytest.mark.rule("P8-6.10")
def test_a_carrier_that_fell_back_on_its_way_sets_nobody_down_with_the_rest_of_its_move() -> None:
    t = table(
        open_ground(3, 12),
        element("truck", "0206"),
        element("inf_rifle", "", carrier=0),
        element("inf_rifle", "0201", "german", facing=3),
    )
    t.play(Move(U(0), t.hexes("0205"), 0), passing=False)
    t.play(ReactByFire(U(2), "hesa"), dice=[5, 6], passing=False)
    assert t.happened(FellBack)
    assert t.element(0).spent <= HALF_MOVE
    assert t.options(0, Dismount) == []
    assert t.refusal(Dismount(U(0), HexId(t.board.neighbor(t.element(0).hex, 3)))).rule == "P8-4.03"


@pytest.mark.rule("P8-13.02")
def test_engine_trouble_and_congestion() -> None:
    road = [f"01{row:02d}" for row in range(1, 12)]
    t = table(open_ground(1, 12), element("truck", "0101"), roads=[road])
    t.set(effects=(Effect("E19", t.element(0).side, 1),))
    assert len(reached(t, 0)) == 4
    t.set(effects=(Effect("E09", t.element(0).side, 1, U(0)),))
    assert t.refusal(Move(U(0), t.hexes("0102"), 3)).rule == "P8-13.02"


def test_mud_makes_open_ground_rough() -> None:
    t = table(open_ground(1, 12), element("sherman", "0101"), sections={"mud": True})
    assert len(reached(t, 0)) == 4


def test_a_random_move_goes_to_a_hex_in_reach() -> None:
    t = table(open_ground(1, 3), element("inf_rifle", "0101"), element("at_75", "0103"))
    order = movement.pick_move(t.position, t.element(0).side, t.element(0), PromptDice("any"))
    assert order is not None
    assert t.check(order) is None
    assert movement.pick_move(t.position, GERMAN, t.element(1), PromptDice("any")) is None
    boxed = table("o", element("inf_rifle", "0101"))
    assert movement.pick_move(boxed.position, boxed.element(0).side, boxed.element(0), PromptDice("any")) is None
    assert list(movement.move_options(t.position, GERMAN, t.element(1))) == []
