"""What is told beside a target: odds and costs in brief, and a phrase that tells the ways to do a thing apart."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import SideId, UnitId
from sandtable.kernel.ruleset import Selection, Target, Verb
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow, StepFrame
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Mover
from sandtable.rulesets.panzer_leader.orders import DirectFire, WriteMission
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Naval
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

RULESET = PanzerLeader()


def verb(t: Table, key: str, *units: int, side: SideId = ALLIED) -> Verb:
    menu = RULESET.menu(RULESET.view(t.state, side), Selection(tuple(map(UnitId, units))))
    return next(one for one in menu if one.key == key)


def choices(t: Table, key: str, *units: int, side: SideId = ALLIED) -> list[str]:
    """How the ways to do a thing are told apart."""
    return [target.choice for target in verb(t, key, *units, side=side).targets]


def firers(targets: tuple[Target, ...]) -> list[tuple[int, ...]]:
    return [target.order.firers for target in targets if isinstance(target.order, DirectFire)]


# --- joint fire -----------------------------------------------------------------------------------------------------


def gun_line(*foes: Any) -> Table:
    """Five tanks of three kinds: 22 points each of two, 30 of one, 5 each of two against armor in 0105."""
    own = [unit(kind, "0101") for kind in ("a_m4_75", "a_m4_75", "a_m5", "a_pershing")] + [unit("a_m5", "0102")]
    return table(open_board(1, 8), *own, *foes)


@pytest.mark.rule("PL-831")
def test_between_one_alone_and_all_together_the_fewest_who_are_enough_for_each_odds_are_offered() -> None:
    t = gun_line(unit("g_panther", "0105"))
    fire = verb(t, "fire", 2)
    assert [target.choice for target in fire.targets] == [
        "1-3 with M5 Stuart #2 alone",
        "1-2 with 2 of 5: M5 Stuart #2 and M5 Stuart #4",
        "2-1 with 2 of 5: M5 Stuart #2 and M4/75 Sherman #0",
        "3-1 with 3 of 5: M5 Stuart #2, M26 Pershing #3 and M5 Stuart #4",
        "4-1 with 3 of 5: M5 Stuart #2, M26 Pershing #3 and M4/75 Sherman #0",
        "4-1 with all 5",
    ]
    assert [target.brief for target in fire.targets] == ["1-3", "1-2", "2-1", "3-1", "4-1", "4-1"]
    for target in fire.targets:
        assert target.note.startswith(target.brief)
        assert target.choice.startswith(target.brief)
        assert set(target.actors) == set(target.order.firers)  # type: ignore[attr-defined]


@pytest.mark.rule("PL-831")
def test_of_several_who_are_picked_the_fewest_who_are_enough_are_offered_and_each_alone() -> None:
    t = gun_line(unit("g_panther", "0105"))
    found = firers(verb(t, "fire", 0, 1, 2).targets)
    assert found[0] == (0, 1, 2)
    assert {len(some) for some in found} == {1, 2, 3}
    assert all(set(some) <= {0, 1, 2} for some in found)
    assert len(found) == len(set(map(frozenset, found)))


@pytest.mark.rule("PL-802")
def test_what_of_a_hex_is_fired_at_tells_shots_apart() -> None:
    t = table(open_board(1, 4), unit("a_m4_75", "0101"), unit("g_rifle", "0103"), unit("g_security", "0103"))
    assert choices(t, "fire", 0) == [
        "1-3 at both units there with M4/75 Sherman #0 alone",
        "1-2 at Rifle platoon #1 with M4/75 Sherman #0 alone",
        "1-1 at Security platoon #2 with M4/75 Sherman #0 alone",
    ]
    three = [unit("g_truck", "0103") for _ in range(3)]
    t = table(open_board(1, 4), unit("a_m4_75", "0101"), *three)
    assert choices(t, "fire", 0)[0] == "1-1 at all 3 units there with M4/75 Sherman #0 alone"


# --- the other ways -------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1003")
def test_an_overrun_is_aimed_at_its_hex_and_then_at_the_hex_behind_it() -> None:
    t = table(open_board(5, 5), unit("a_m4_75", "0103"), unit("g_rifle", "0303"), step="vehicle movement")
    targets = verb(t, "overrun", 0).targets
    assert {target.hex for target in targets} == {t.hex("0303")}
    assert len({target.then for target in targets}) == len(targets) > 3
    for target in targets:
        assert target.path[-2:] == (target.hex, target.then)
        assert target.choice.endswith(f"with M4/75 Sherman #0, out to {t.board.label(target.then)}")
    pair = unit("a_m4_75", "0103"), unit("a_m4_75", "0103")
    both = table(open_board(5, 5), *pair, unit("g_rifle", "0303"), step="vehicle movement")
    assert any("#0 and M4/75 Sherman #1, the first of them out to" in choice for choice in choices(both, "overrun", 0))


@pytest.mark.rule("PL-1605")
def test_a_move_says_at_which_pace_and_what_is_left() -> None:
    t = table(".\n.\nR", unit("a_rifle", "0101"), step="foot movement", options={"quick_time": True})
    assert choices(t, "move", 0)[:2] == [
        "at its normal pace, movement points left: 0",
        "at quick-time, then a die against dispersal, movement points left: 1",
    ]
    t.change(0, hex="0102")
    stream = next(target for target in verb(t, "move", 0).targets if target.hex == t.hex("0103"))
    assert (stream.note, stream.brief) == ("0 left if the dice allow it to cross", "0")
    assert stream.choice == "at its normal pace, movement points left: 0 if the dice allow it to cross"


@pytest.mark.rule("PL-1023")
def test_an_assault_says_how_many_of_those_who_could_take_part_do() -> None:
    own = unit("a_rifle", "0101"), unit("a_rifle", "0101"), unit("a_rifle", "0103")
    t = table(open_board(1, 3), *own, unit("g_rifle", "0102"), step="close assault")
    assert choices(t, "assault", 0) == [
        "1-4 die -2 with Rifle platoon #0 alone",
        "1-2 die -2 with 2 of 3: Rifle platoon #0 and Rifle platoon #1",
        "1-2 die -2 with all 3",
    ]


@pytest.mark.rule("PL-1604")
def test_opportunity_fire_says_who_fires() -> None:
    t = table(
        open_board(1, 6),
        unit("a_m4_75", "0101"),
        unit("g_panther", "0105"),
        unit("g_pz4", "0105"),
        step="vehicle movement",
        options={"opportunity_fire": True},
        mover=Mover(U(0), 1, 8, 2, exposure={U(1): 8, U(2): 8}),
        flow=(StepFrame("vehicle movement"), OpportunityWindow(GERMAN, U(0), ids(1, 2))),
    )
    assert choices(t, "opportunity", side=GERMAN) == [
        "4-1 with both",
        "3-1 with Panther G #1 alone",
        "3-1 with PzKw IVh #2 alone",
    ]


def test_transport_works_guns_and_forts_are_told_with_their_names() -> None:
    t = table(". .", unit("a_truck", "0101"), unit("a_rifle", "0101"), unit("a_mg", "0101"), step="vehicle movement")
    assert choices(t, "load", 0) == [
        "take Rifle platoon #1 aboard Truck #0",
        "take MG platoon #2 aboard Truck #0",
    ]
    t = table(". .", unit("a_truck", "0101"), unit("a_rifle", carrier=0), step="vehicle movement")
    assert choices(t, "unload", 0) == ["Truck #0 sets its passenger down"]
    t = table(
        ". .", unit("n_fort30", "0101", side=ALLIED), unit("a_engineer", "0101"), step="foot movement", mines=["0201"]
    )
    assert choices(t, "enter", 1) == ["Engineer platoon #1 goes into the fortification"]
    assert choices(t, "work", 1) == ["Engineer platoon #1 is to clear the mines or the block there"]
    t = table(
        ". .", unit("a_76at", "0101"), unit("a_rifle", "0201"), step="foot movement", options={"field_of_fire": True}
    )
    assert choices(t, "turn", 0)[:2] == ["76mm AT gun #0 to face northeast", "76mm AT gun #0 to face southeast"]


@pytest.mark.rule("PL-1104")
def test_fire_missions_offer_to_let_all_come_down_or_that_some_hold() -> None:
    places = table(open_board(14, 1)).hexes("1201", "1301")
    missions = tuple(Mission(ALLIED, ids(n), place, ids(2), written=1, due=3) for n, place in enumerate(places))
    own = unit("a_105", "0101"), unit("a_107mm", "0201"), unit("a_rifle", "1001")
    foes = unit("g_rifle", "1201"), unit("g_rifle", "1301")
    t = table(open_board(14, 1), *own, *foes, step="indirect fire", segment=3, turn=2, missions=missions)
    assert choices(t, "missions") == [
        "all written fire comes down on 1201 and 1301",
        "105mm howitzer #0 holds its fire; the rest comes down",
        "107mm mortar #1 holds its fire; the rest comes down",
        "105mm howitzer #0 and 107mm mortar #1 hold their fire",
    ]


@pytest.mark.rule("PL-1102", "PL-1609")
def test_batteries_are_offered_every_observed_hex_occupied_or_not_and_smoke_together_where_it_takes_several() -> None:
    mortars = unit("a_107mm", "0101"), unit("a_107mm", "0101"), unit("a_107mm", "0201")
    spotter = unit("a_rifle", "1001")
    t = table(open_board(14, 1), *mortars, spotter, step="indirect orders", options={"smoke": True})
    offered = verb(t, "mission", 0).targets
    shells = {t.board.label(target.hex) for target in offered if not target.order.smoke}  # type: ignore[attr-defined]
    assert shells == {f"{column:02d}01" for column in range(2, 15)}
    smoke = {t.board.label(x.hex): x.actors for x in offered if x.order.smoke}  # type: ignore[attr-defined]
    assert smoke["1201"] == (0, 1, 2)
    assert "1001" not in smoke, "friends are there"
    assert WriteMission(ids(0, 1, 2), t.hex("1201"), smoke=True) in [
        target.order for target in verb(t, "mission", 0, 1, 2).targets
    ]
    assert {x.choice for x in offered if x.hex == t.hex("1201")} == {
        "shells of 107mm mortar #0 in the next segment",
        "smoke of 107mm mortar #0, 107mm mortar #1 and 107mm mortar #2 in the next segment",
    }


@pytest.mark.rule("PL-1121", "PL-1203", "PL-1207")
def test_ships_aircraft_and_flak_are_told_apart() -> None:
    sea = {"options": {"naval_fire": True}, "naval": {ALLIED: 40}}
    rows = "O" + "." * 4
    t = table(rows, unit("a_rifle", "0201"), unit("g_rifle", "0401"), **sea)  # type: ignore[arg-type]
    assert all("with 40 naval points" in choice for choice in choices(t, "naval"))
    fields: dict[str, Any] = {"sections": {"naval": Naval({"allied": 40})}, "options": {"naval_fire": True}}
    t = table(rows, unit("a_rifle", "0201"), unit("g_rifle", "0401"), step="indirect orders", **fields)
    assert set(choices(t, "naval")) == {"40 naval points in two turns"}
    air: dict[str, Any] = {"aircraft": [plane("p47", "0101")], "step": "air attack"}
    t = table(open_board(1, 3), unit("g_rifle", "0102"), unit("a_rifle", "0103"), **air)
    assert {choice.split(" with ")[1] for choice in choices(t, "strike")} >= {"mg of P-47 #0"}
    t = table(open_board(1, 3), unit("g_20quad", "0103"), **{**air, "step": "anti-aircraft"})
    assert choices(t, "antiair", 0, side=GERMAN) == ["20(4)mm AA gun #0 at P-47 #0, strength 28"]
    t = table(open_board(1, 3), unit("g_20quad", "0103"), aircraft=[plane("p47")], step="air movement")
    assert set(choices(t, "fly")) == {"P-47 #0, flak 28"}
