"""Smoke, artillery, aircraft and engineers: sections 12 and 15."""

from __future__ import annotations

import pytest

from sandtable.kernel.engine import all_viewers
from sandtable.kernel.telling import introduced
from sandtable.rulesets.panzer8 import engineering, mines, support
from sandtable.rulesets.panzer8.events import (
    AttackRolled,
    BatteryCalled,
    FellBack,
    ObstacleCleared,
    SmokeLaid,
    StruckFromAir,
    WorkEnded,
)
from sandtable.rulesets.panzer8.model import ALLIED, LOST, UNSEEN, Battery, Effect, Work
from sandtable.rulesets.panzer8.movement import step_cost
from sandtable.rulesets.panzer8.orders import CallBattery, Clear, LaySmoke, Move
from sandtable.rulesets.panzer8.results import FALL_BACK, OUT, inflict
from sandtable.rulesets.panzer8.workings import Gait
from tests.rulesets.panzer8.table import RULES, U, element, open_ground, table

GUNS = (Battery(ALLIED, "bat_105", 2),)


@pytest.mark.rule("P8-12.01")
def test_smoke_lies_in_hesa_range_and_lasts_to_the_end_of_the_opponents_next_turn() -> None:
    t = table(open_ground(1, 40), element("mortar_l", "0101", "allied"), element("sherman", "0120"), half=3)
    assert t.refusal(LaySmoke(U(0), t.hex("0117"))).rule == "P8-12.01"
    assert t.refusal(LaySmoke(U(0), 0)).rule == "P8-12.01"
    t.play(LaySmoke(U(0), t.hex("0116")))
    assert t.happened(SmokeLaid)[0].until == 4
    assert t.element(0).has_fired
    assert t.refusal(LaySmoke(U(1), t.hex("0122"))).rule == "P8-12.01"
    t.play(LaySmoke(U(1), t.hex("0121")))
    assert not t.element(1).has_fired
    none = table(open_ground(1, 4), element("inf_rifle", "0101"), element("firefly", "0103"))
    assert none.refusal(LaySmoke(U(0), none.hex("0102"))).rule == "P8-12.01"
    assert none.options(0, LaySmoke) == []
    assert list(support.smoke_offers(none.position, ALLIED, none.element(0))) == []


@pytest.mark.rule("P8-12.01")
def test_smoke_is_offered_where_it_hides_something_and_everywhere_in_the_menu() -> None:
    t = table(open_ground(1, 6), element("sherman", "0102"), element("pz4g", "0103"), element("pz4g", "0106"))
    assert [t.board.label(order.hex) for order in t.options(0, LaySmoke)] == ["0102", "0103"]
    offers = support.smoke_offers(t.position, ALLIED, t.element(0))
    assert sorted(t.board.label(order.hex) for order in offers) == ["0101", "0102", "0103"]


@pytest.mark.rule("P8-12.03")
def test_an_observer_calls_a_battery_on_a_hex_he_sees() -> None:
    t = table(
        open_ground(5, 12),
        element("foo", "0312"),
        element("inf_rifle", "0303", "german"),
        batteries=GUNS,
    )
    order = CallBattery(U(0), "bat_105", t.hex("0303"))
    assert order in t.options(0, CallBattery)
    assert t.explain(order)[1].total == 2
    t.play(order, dice=[6, 5, 5])
    (called,) = t.happened(BatteryCalled)
    assert called.hex == t.hex("0303")
    assert t.position.batteries[0].left == 1
    assert t.happened(AttackRolled)[0].manner == "stonk"
    t.change(0, acted=0)
    assert t.refusal(CallBattery(U(0), "bat_150", t.hex("0303"))).rule == "P8-12.03"
    t.set(batteries=(Battery(ALLIED, "bat_105", 0),))
    assert t.refusal(order).rule == "P8-12.03"
    assert t.options(0, CallBattery) == []
    t.change(0, kind="inf_rifle")
    assert t.refusal(order).rule == "P8-12.03"
    assert t.options(0, CallBattery) == []


@pytest.mark.rule("P8-12.03")
def test_what_misses_drifts_by_a_third_of_a_die_in_a_random_direction() -> None:
    t = table(open_ground(5, 12), element("foo", "0312"), batteries=GUNS)
    t.play(CallBattery(U(0), "bat_105", t.hex("0306")), dice=[5, 7, 1])
    assert t.happened(BatteryCalled)[0].hex == t.hex("0303")
    off = table(open_ground(5, 12), element("foo", "0312"), batteries=GUNS)
    off.play(CallBattery(U(0), "bat_105", off.hex("0301")), dice=[1, 10, 1])
    assert off.happened(BatteryCalled)[0].hex == 0
    better = table(open_ground(5, 12), element("foo", "0312", quality=1), batteries=GUNS)
    better.play(CallBattery(U(0), "bat_105", better.hex("0306")), dice=[5])
    assert better.happened(BatteryCalled)[0].total == 6


@pytest.mark.rule("P8-12.03")
def test_a_telephone_observer_who_has_moved_and_a_blind_one_call_nothing() -> None:
    t = table(open_ground(3, 6), element("foo", "0206", has_telephone=True), batteries=GUNS)
    order = CallBattery(U(0), "bat_105", t.hex("0201"))
    assert t.check(order) is None
    t.change(0, has_moved=True)
    assert t.refusal(order).rule == "P8-12.03"
    assert t.options(0, CallBattery) == []
    blind = table("ooo\nWWW\nooo", element("foo", "0203"), element("pz4g", "0201"), batteries=GUNS)
    assert blind.refusal(CallBattery(U(0), "bat_105", blind.hex("0201"))).rule == "P8-12.03"
    assert blind.options(0, CallBattery) == []
    assert len(list(support.call_offers(blind.position, ALLIED, blind.element(0)))) > 3
    blind.change(0, acted=1)
    assert list(support.call_offers(blind.position, ALLIED, blind.element(0))) == []


@pytest.mark.rule("P8-12.03")
@pytest.mark.rule("P8-15.01")
def test_an_observer_who_was_carried_has_moved_however_he_came_off() -> None:
    t = table(open_ground(3, 9), element("halftrack", "0208"), element("foo", "", carrier=0, has_telephone=True))
    t.play(Move(U(0), t.hexes("0207"), 0))
    assert t.element(1).has_moved
    back = table(open_ground(3, 9), element("truck", "0205"), element("foo", "", carrier=0, has_telephone=True))
    back.run(inflict, U(0), FALL_BACK, back.hex("0201"))
    back.run(inflict, U(0), OUT, back.hex("0201"), dice=(5, 5))
    back.set(batteries=GUNS)
    assert back.element(1).carrier < 0
    assert back.refusal(CallBattery(U(1), "bat_105", back.hex("0201"))).rule == "P8-12.03"


@pytest.mark.rule("P8-12.04")
def test_a_stonk_hits_friend_and_enemy_in_seven_hexes_by_their_own_cover() -> None:
    t = table(
        "ooooo\nooBoo\nooooo\nooooo\nooooo",
        element("foo", "0305"),
        element("inf_rifle", "0302", "german"),
        element("inf_rifle", "0303"),
        element("pz4g", "0301"),
        batteries=GUNS,
        smoke={"0303": 9},
    )
    assert support.shell_contest(t.position, t.element(1), 6).modifier == 0
    assert support.shell_contest(t.position, t.element(2), 6).modifier == 0
    t.play(CallBattery(U(0), "bat_105", t.hex("0302")), dice=[9, 10, 1, 1, 10, 10, 1])
    hit = {event.target: event.result for event in t.happened(AttackRolled)}
    assert hit == {1: "no effect", 2: "out of action", 3: "suppressed"}


@pytest.mark.rule("P8-12.04")
def test_a_stonk_hits_each_once_also_who_falls_back_into_another_of_its_hexes() -> None:
    rows = "ooooo\noooBo\nooooo\nooooo\nooooo"
    t = table(rows, element("foo", "0305"), element("mmg", "0302", "german"), batteries=GUNS)
    t.play(CallBattery(U(0), "bat_105", t.hex("0302")), dice=[9, 4, 5])
    assert t.at(1) == "0402"
    assert len(t.happened(AttackRolled)) == 1


@pytest.mark.rule("P8-12.04")
@pytest.mark.parametrize(("aimed", "die", "away"), [("0301", 1, 2), ("0101", 6, 2), ("0506", 3, 0)])
def test_a_stonk_that_drifts_just_beyond_the_edge_strikes_those_of_its_seven_hexes_that_are_on_the_map(
    aimed: str, die: int, away: int
) -> None:
    t = table(open_ground(5, 12), element("foo", "0312"), element("inf_rifle", aimed, "german"), batteries=GUNS)
    t.play(CallBattery(U(0), "bat_105", t.hex(aimed)), dice=[1, 3, die, 5, 6])
    assert t.happened(BatteryCalled)[0].hex == 0
    assert [event.target for event in t.happened(AttackRolled)] == [1]
    # away from where the shells came down, beyond the edge
    assert t.happened(FellBack)[0].path[0] == t.board.neighbor(t.hex(aimed), away)


@pytest.mark.rule("P8-12.04")
def test_a_stonk_two_hexes_beyond_the_edge_strikes_nobody() -> None:
    t = table(open_ground(5, 12), element("foo", "0312"), element("inf_rifle", "0301", "german"), batteries=GUNS)
    t.play(CallBattery(U(0), "bat_105", t.hex("0301")), dice=[1, 4, 1])
    assert t.happened(AttackRolled) == []


@pytest.mark.rule("P8-12.03")
def test_each_of_two_batteries_alike_fires_as_often_as_the_scenario_lists() -> None:
    t = table(
        open_ground(5, 12),
        element("foo", "0312"),
        element("inf_rifle", "0303", "german"),
        batteries=(Battery(ALLIED, "bat_105", 1), Battery(ALLIED, "bat_105", 1)),
    )
    order = CallBattery(U(0), "bat_105", t.hex("0301"))
    assert len(t.options(0, CallBattery)) == 1
    for left in ([0, 1], [0, 0]):
        t.change(0, acted=0)
        t.play(order, dice=[6])
        assert [one.left for one in t.position.batteries] == left
    t.change(0, acted=0)
    assert t.refusal(order).rule == "P8-12.03"


@pytest.mark.rule("P8-12.05")
def test_aircraft_arrive_on_five_and_bomb_or_fire_at_armor() -> None:
    t = table(open_ground(1, 6), element("pz4g", "0103"))
    t.run(support.strike_from_air, ALLIED, t.hex("0103"), "ap", 7, dice=[4])
    assert not t.happened(StruckFromAir)[0].arrived
    t.run(support.strike_from_air, ALLIED, t.hex("0103"), "ap", 7, dice=[5, 10, 5])
    assert t.element(0).fate == LOST
    t = table(open_ground(1, 6), element("inf_rifle", "0103", "german"))
    t.run(support.strike_from_air, ALLIED, t.hex("0103"), "hesa", 7, dice=[5, 10, 5])
    assert t.element(0).fate == LOST
    t.run(support.strike_from_air, ALLIED, t.hex("0104"), "hesa", 7, dice=[9])
    assert t.happened(AttackRolled) == []


@pytest.mark.rule("P8-12.03")
@pytest.mark.rule("P8-12.05")
def test_an_observer_calls_dive_bombers_as_he_calls_batteries() -> None:
    t = table(
        open_ground(3, 6),
        element("foo", "0206"),
        element("inf_rifle", "0203", "german"),
        element("pz4g", "0202"),
        batteries=(Battery(ALLIED, "air_bomb", 2), Battery(ALLIED, "bat_105", 1)),
    )
    bombs, cannon = CallBattery(U(0), "air_bomb", t.hex("0202")), CallBattery(U(0), "air_bomb", t.hex("0202"), "ap")
    assert {bombs, cannon} <= set(t.options(0, CallBattery))
    assert CallBattery(U(0), "air_bomb", t.hex("0203"), "ap") not in t.options(0, CallBattery)
    assert t.refusal(CallBattery(U(0), "air_bomb", t.hex("0203"), "ap")).rule == "P8-12.05"
    assert t.refusal(CallBattery(U(0), "bat_105", t.hex("0202"), "ap")).rule == "P8-12.05"
    assert t.refusal(CallBattery(U(0), "air_bomb", t.hex("0202"), "gas")).rule == "P8-12.05"
    assert [tally.total for tally in t.explain(bombs)] == [0, 2], "8 against 6, and nobody else in the hex"
    assert [tally.total for tally in t.explain(cannon)] == [0, 0]
    words = t.book.of(cannon).words
    assert [words(t.position, order) for order in (bombs, cannon)] == [
        "call dive bomber on 0202",
        "call dive bomber with AP on 0202",
    ]
    t.play(bombs, dice=[5, 10, 1])
    assert t.happened(AttackRolled)[0].manner == "air"
    assert t.element(2).suppressed
    t.change(0, acted=0)
    t.play(cannon, dice=[4])
    assert not t.happened(StruckFromAir)[0].arrived
    assert [one.left for one in t.position.batteries] == [0, 1]
    t.change(0, acted=0)
    assert t.refusal(bombs).rule == "P8-12.03"


@pytest.mark.rule("P8-9.01")
@pytest.mark.rule("P8-15.01")
def test_the_wreck_of_a_vehicle_that_lay_hidden_is_known_to_who_destroyed_it() -> None:
    t = table(
        "WWW\n" + open_ground(3, 29, "o"),
        element("foo", "0230"),
        element("truck", "0201", "german"),
        batteries=GUNS,
        options={"hidden_setup": True},
    )
    t.state = introduced(RULES, t.state, all_viewers(RULES, t.state), {})
    assert RULES.view(t.state, ALLIED).position.elements[1].fate == UNSEEN
    t.play(CallBattery(U(0), "bat_105", t.hex("0201")), dice=[6, 10, 1])
    for side in all_viewers(RULES, t.state):
        known = RULES.view(t.state, side).position
        assert (known.elements[1].fate, known.wrecks) == (LOST, t.hexes("0201"))


# --- engineers ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P8-15.02")
def test_engineers_clear_a_mined_hex_or_an_obstacle_in_two_whole_turns() -> None:
    t = table(
        open_ground(3, 6),
        element("eng", "0203"),
        options={"engineering": True},
        mines=["0202"],
        hexsides={"wall": ["0203-0204"]},
    )
    assert t.options(0, Clear) == [Clear(U(0), t.hex("0202")), Clear(U(0), t.hex("0203"), 3)]
    t.play(Clear(U(0), t.hex("0203"), 3))
    assert t.position.works == (Work(U(0), t.hex("0203"), 3, 1),)
    t.set(half=4)
    t.run(engineering.advance_works)
    assert t.happened(ObstacleCleared) == []
    t.set(half=5)
    t.run(engineering.advance_works)
    assert t.happened(ObstacleCleared)[0].direction == 3
    assert step_cost(t.position, Gait(("Inf",)), t.hex("0203"), 3) == 30
    assert step_cost(t.position, Gait(("Inf",)), t.hex("0204"), 0) == 30
    t.set(works=(Work(U(0), t.hex("0202"), -1, 1),))
    t.run(engineering.advance_works)
    assert t.position.mines == ()


@pytest.mark.rule("P8-15.02")
def test_what_engineers_can_not_clear() -> None:
    t = table(open_ground(3, 6), element("eng", "0203"), options={"engineering": True}, mines=["0201"])
    for order in (Clear(U(0), t.hex("0201")), Clear(U(0), t.hex("0203"), 3), Clear(U(0), t.hex("0203"), 9)):
        assert t.refusal(order).rule == "P8-15.02"
    assert t.refusal(Clear(U(0), 0)).rule == "P8-15.02"
    t.set(mines=["0202"], works=(Work(U(0), t.hex("0202"), -1, 1),))
    assert t.refusal(Clear(U(0), t.hex("0202"))).rule == "P8-15.02"
    t.change(0, kind="inf_rifle")
    assert t.refusal(Clear(U(0), t.hex("0202"))).rule == "P8-15.02"
    assert t.options(0, Clear) == []
    off = table(open_ground(3, 6), element("eng", "0203"), mines=["0202"])
    assert off.refusal(Clear(U(0), off.hex("0202"))).rule == "P8-15.02"


@pytest.mark.rule("P8-15.02")
def test_engineers_who_leave_or_are_suppressed_lose_their_work() -> None:
    t = table(open_ground(3, 6), element("eng", "0203"), options={"engineering": True}, mines=["0202"])
    t.play(Clear(U(0), t.hex("0202")))
    t.change(0, acted=0)
    t.play(Move(U(0), t.hexes("0204"), 3))
    assert t.happened(WorkEnded)
    t.set(works=(Work(U(0), t.hex("0202"), -1, 1),))
    t.change(0, suppressed=True)
    t.run(engineering.advance_works)
    assert t.position.works == ()


@pytest.mark.rule("P8-15.02")
@pytest.mark.rule("P8-13.02")
def test_mines_hit_vehicles_like_weak_tank_hunters() -> None:
    t = table(open_ground(1, 6), element("sherman", "0101"), element("inf_rifle", "0104"), mines=["0102"])
    t.play(Move(U(0), t.hexes("0102", "0103"), 3), dice=[8, 5])
    assert t.element(0).suppressed
    assert t.at(0) == "0102"
    t.play(Move(U(1), t.hexes("0103"), 3))
    passed = table(open_ground(1, 6), element("sherman", "0101"), mines=["0102"])
    passed.play(Move(U(0), passed.hexes("0102", "0103"), 3), dice=[5, 5])
    assert passed.at(0) == "0103"
    card = table(open_ground(1, 6), element("sherman", "0101"), effects=(Effect("E18", ALLIED, 1),))
    card.play(Move(U(0), card.hexes("0102", "0103"), 3), dice=[10, 5])
    assert card.element(0).fate == LOST
    assert card.position.effects == ()
    road = table(
        open_ground(1, 6),
        element("sherman", "0101"),
        effects=(Effect("E18", ALLIED, 1),),
        roads=[["0101", "0102"]],
    )
    road.play(Move(U(0), road.hexes("0102"), 3))
    assert road.position.effects
    assert mines.MINE_STRENGTH == 4
