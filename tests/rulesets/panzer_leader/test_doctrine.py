"""What a sensible commander looks at: what he tries out is lawful, and he values what the rules reward."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from sandtable import registry
from sandtable.content import load_shipped, shipped_scenarios
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import State
from sandtable.play.system import Candidate
from sandtable.rulesets.panzer_leader import orders as o
from sandtable.rulesets.panzer_leader.doctrine import Doctrine, distances, goals, prizes, worth
from sandtable.rulesets.panzer_leader.frames import Journey, OpportunityWindow, StepFrame
from sandtable.rulesets.panzer_leader.model import ALLIED, DESTROYED, EXITED, GERMAN, Mission, Mover, Position, Work
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Condition, Exit, Naval, Setup, Victory
from tests.kit.battles import random_battle
from tests.rulesets.panzer_leader.battles import battle, entry, named, opened
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

RULESET, DOCTRINE = PanzerLeader(), Doctrine()
SCENARIOS = [header.id for header in shipped_scenarios("panzer_leader")]


def tried(t: Table) -> list[Candidate]:
    """All candidates of the open decision, each of them lawful."""
    (decision,) = RULESET.decisions(t.state)
    view = RULESET.view(t.state, decision.side)
    found = [candidate for group in DOCTRINE.candidates(view, decision) for candidate in group]
    for candidate in found:
        refusal = RULESET.check(view, candidate.order)
        assert refusal is None, f"{candidate.order}: {refusal}"
    return found


def orders_tried(t: Table) -> list[Order]:
    return [candidate.order for candidate in tried(t)]


def ending(t: Table) -> Order:
    """The order that does nothing more, which is lawful too."""
    (decision,) = RULESET.decisions(t.state)
    view = RULESET.view(t.state, decision.side)
    order = DOCTRINE.ending(view, decision)
    assert RULESET.check(view, order) is None
    return order


def value(t: Table, side: SideId = ALLIED) -> int:
    return DOCTRINE.value(t.state, RULESET.view(t.state, side))


def at(step: str, *units: Any, rows: str = "", **fields: Any) -> Table:
    return table(rows or open_board(8, 6), *units, step=step, **fields)


def held(*labels: str, side: str = "allied") -> Victory:
    return Victory(conditions=(Condition(side, "marginal", hold=labels),))


# --- on every battlefield -------------------------------------------------------------------------------------------


@cache
def sampled(id: str, *options: str) -> tuple[State[Position], ...]:
    scenario = load_shipped(id, registry.vocabulary("panzer_leader"))
    states = random_battle(RULESET, scenario, dict.fromkeys(options, True), "doctrine", 3000).states
    return tuple(states[:: len(states) // 20])


@pytest.mark.parametrize(
    "options",
    [pytest.param((), id="open", marks=pytest.mark.thorough), pytest.param(("fog", "opportunity_fire"), id="fog")],
)
@pytest.mark.parametrize("id", SCENARIOS)
def test_whatever_a_commander_tries_out_is_lawful_and_so_is_doing_nothing(id: str, options: tuple[str, ...]) -> None:
    found = 0
    for state in sampled(id, *options):
        if RULESET.decisions(state):
            t = Table(state)
            found += len(tried(t))
            ending(t)
    assert found > 0


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1503")
def test_a_unit_is_worth_more_with_its_weapons_a_truck_little_and_a_work_nothing() -> None:
    assert worth("g_tiger2") > worth("g_pz4") > worth("g_rifle") > worth("g_truck") > worth("n_fort30") == 0


def destroyed(t: Table, number: int) -> Table:
    t.change(number, hex=0, fate=DESTROYED)
    return t


def fresh(**fields: Any) -> Table:
    return at("direct fire", unit("a_m4_75", "0101"), unit("g_pz4", "0805"), **fields)


def test_enemy_losses_are_good_and_own_ones_bad_and_being_dispersed_is_half_a_loss() -> None:
    whole = value(fresh())
    assert value(destroyed(fresh(), 1)) > whole > value(destroyed(fresh(), 0))
    shaken = fresh()
    shaken.change(1, dispersed=1)
    assert value(destroyed(fresh(), 1)) > value(shaken) > whole
    assert value(fresh(), GERMAN) < value(destroyed(fresh(), 0), GERMAN)


@pytest.mark.rule("PL-1501")
def test_ground_that_decides_the_battle_is_good_to_own_and_to_be_near() -> None:
    terms: dict[str, Any] = {"sections": {"victory": held("0404")}}
    assert (
        value(fresh(**terms, control={"0404": ALLIED}))
        > value(fresh(**terms))
        > value(fresh(**terms, control={"0404": GERMAN}))
    )
    # nobody who could harm it is about
    near, far = (
        at("direct fire", unit("a_m4_75", label), unit("g_truck", "0806"), **terms) for label in ("0304", "0101")
    )
    assert value(near) > value(far)


@pytest.mark.rule("PL-1501")
def test_units_that_have_left_by_their_way_out_count() -> None:
    terms: dict[str, Any] = {"sections": {"victory": Victory(exits=(Exit("allied", ("0101",), 2),))}}
    out = fresh(**terms)
    out.change(0, hex=0, fate=EXITED)
    assert value(out) > value(destroyed(fresh(**terms), 0))


def test_a_unit_on_its_way_counts_as_arrived() -> None:
    terms: dict[str, Any] = {"sections": {"victory": held("0404")}}
    t = fresh(**terms)
    stays = value(t)
    way = Journey(U(0), t.hexes("0202", "0303"))
    t.state = State(t.position, (StepFrame("vehicle movement"), way), t.state.dice)
    goes = value(t)
    t.change(0, hex="0303")
    t.state = State(t.position, (StepFrame("vehicle movement"),), t.state.dice)
    assert goes == value(t) != stays


# --- goals ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PL-1501")
def test_a_side_goes_for_its_way_out_else_ground_to_take_else_ground_to_keep_else_the_enemy() -> None:
    t = fresh()
    assert goals(t.position, ALLIED) == {t.hex("0805")}
    terms = Victory(conditions=(Condition("allied", "marginal", hold=("0404",), occupy=("0505",)),))
    t = fresh(sections={"victory": terms}, control={"0404": ALLIED})
    assert prizes(t.position) == {t.hex("0404"), t.hex("0505")}
    assert goals(t.position, ALLIED) == {t.hex("0505")}
    t.set(control={"0404": ALLIED, "0505": ALLIED})
    assert goals(t.position, ALLIED) == prizes(t.position)
    t = fresh(sections={"victory": Victory(exits=(Exit("allied", ("0801",)),))})
    assert goals(t.position, ALLIED) == {t.hex("0801")}


@pytest.mark.rule("PL-1502")
def test_a_bridge_to_be_held_is_wanted_with_its_banks() -> None:
    t = at("direct fire", rows=".R.\n.R.\n.R.", features={"bridge": ["0202"]}, roads=[["0102", "0202", "0303"]],
           sections={"victory": held("0202")})  # fmt: skip
    assert {t.board.label(place) for place in prizes(t.position)} == {"0202", "0102", "0303"}


def test_distance_is_what_the_way_costs_and_no_way_is_farther_than_any() -> None:
    t = at("vehicle movement", rows="..R.\n..R.", roads=[["0101", "0201"]])
    goal = frozenset(t.hexes("0101"))
    by_road = distances(t.position, "vehicle", goal)
    assert (by_road[t.hex("0101")], by_road[t.hex("0201")], by_road[t.hex("0102")]) == (0, 1, 2)
    assert by_road[t.hex("0401")] > max(by_road[h] for h in t.hexes("0101", "0102", "0201", "0202"))
    assert distances(t.position, "nonvehicle", goal)[t.hex("0401")] < by_road[t.hex("0401")] + 99


# --- steps ----------------------------------------------------------------------------------------------------------


def test_a_good_shot_is_tried_and_a_hopeless_one_is_not() -> None:
    t = at(
        "direct fire", unit("g_panther", "0101"), unit("g_truck", "0102"), unit("a_greyhound", "0303"), phasing=GERMAN
    )
    assert o.DirectFire(ids(0), t.hex("0303"), ids(2)) in orders_tried(t)
    t = at("direct fire", unit("a_rifle", "0101"), unit("g_tiger2", "0303"))
    assert orders_tried(t) == []
    assert ending(t) == o.EndPhase()


def test_ships_fire_when_they_are_played() -> None:
    rows = "...\n...\n...\nBBB\nOOO"
    t = at("direct fire", unit("a_rifle", "0101"), unit("g_pz4", "0103"), rows=rows, options={"naval_fire": True},
           naval={ALLIED: 40})  # fmt: skip
    assert any(isinstance(order, o.NavalFire) for order in orders_tried(t))
    sections = {"naval": Naval({"allied": 40})}
    t = at("indirect orders", unit("a_rifle", "0101"), unit("g_105", "0103"), rows=rows, options={"naval_fire": True},
           sections=sections)  # fmt: skip
    assert any(isinstance(order, o.WriteNavalMission) for order in orders_tried(t))


def test_batteries_are_told_to_fire_where_it_hurts_and_fire_when_it_is_due_unless_friends_stand_there() -> None:
    t = at(
        "indirect orders",
        unit("a_priest", "0101"),
        unit("a_rifle", "1001"),
        unit("g_105", "1201"),
        rows=open_board(12, 2),
    )
    (order,) = orders_tried(t)
    assert order == o.WriteMission(ids(0), t.hex("1201"))
    due = Mission(ALLIED, ids(0), t.hex("1201"), ids(1), 1, 3)
    t = at("indirect fire", unit("a_priest", "0101"), unit("a_rifle", "1001"), unit("g_105", "1201"),
           rows=open_board(12, 2), missions=(due,), segment=3, turn=2)  # fmt: skip
    assert ending(t) == o.FireMissions()
    # one target is not shelled twice over
    t = at("indirect orders", unit("a_priest", "0101"), unit("a_priest", "0101"), unit("a_rifle", "1001"),
           unit("g_105", "1201"), rows=open_board(12, 2), missions=(due,))  # fmt: skip
    assert orders_tried(t) == []


def test_aircraft_fly_to_what_is_worth_it_and_attack_it() -> None:
    t = at(
        "air movement",
        unit("a_rifle", "0101"),
        unit("g_truck", "0505"),
        unit("g_pz4", "0703"),
        aircraft=[plane("p47", ordnance="bombs")],
    )
    (flight,) = orders_tried(t)
    assert isinstance(flight, o.FlyTo)
    assert t.board.distance(flight.hex, t.hex("0703")) == 1
    t = at(
        "air attack",
        unit("a_rifle", "0101"),
        unit("g_pz4", "0703"),
        aircraft=[plane("p47", "0702", ordnance="bombs", flown=1)],
    )
    assert all(isinstance(order, o.AirAttack) for order in orders_tried(t))
    t = at("anti-aircraft", unit("a_rifle", "0101"), unit("g_20quad", "0703"), aircraft=[plane("p47", "0702", flown=1)])
    assert orders_tried(t) == [o.FireAtAircraft(ids(1), U(0))]
    t = at("air movement", unit("a_rifle", "0101"), unit("g_pz4", "0703"), aircraft=[plane("l5")])
    assert any(isinstance(order, o.FlyTo) for order in orders_tried(t))


def test_vehicles_go_for_the_goal_and_leave_by_their_way_out() -> None:
    t = at("vehicle movement", unit("a_m5", "0101"), unit("g_rifle", "0806"), sections={"victory": held("0405")})
    moves = [order for order in orders_tried(t) if isinstance(order, o.MoveUnit)]
    assert moves[0].path[-1] == t.hex("0405")
    t = at("vehicle movement", unit("a_m5", "0101"), unit("g_rifle", "0806"),
           sections={"victory": Victory(exits=(Exit("allied", ("0101",)),))})  # fmt: skip
    assert orders_tried(t)[0] == o.LeaveMap(U(0))
    t.change(0, fired=True)
    assert orders_tried(t) == []


def test_tanks_overrun_infantry_in_the_open_and_infantry_storms() -> None:
    t = at("vehicle movement", unit("a_m4_75", "0101"), unit("g_rifle", "0104"), rows=open_board(3, 8))
    assert any(isinstance(order, o.Overrun) for order in orders_tried(t))
    t = at("close assault", unit("a_rifle", "0303"), unit("a_rifle", "0303"), unit("g_truck", "0304"))
    assert o.CloseAssault(ids(0, 1), t.hex("0304")) in orders_tried(t)


@pytest.mark.rule("PL-835")
def test_infantry_closes_in_all_the_more_on_an_enemy_who_was_dispersed_in_this_segment() -> None:
    def best(dispersed: int) -> int:
        t = at("foot movement", unit("a_rifle", "0301"), unit("g_rifle", "0303", dispersed=dispersed), segment=5)
        return max(candidate.bonus for candidate in tried(t) if isinstance(candidate.order, o.MoveUnit))

    assert best(5) > best(0)


def test_riders_mount_far_from_the_goal_and_dismount_near_it() -> None:
    units = unit("a_truck", "0101"), unit("a_rifle", "0101"), unit("g_rifle", "1801")
    t = at("vehicle movement", *units, rows=open_board(18, 2), sections={"victory": held("1601")})
    assert o.LoadUnit(U(0), U(1)) in orders_tried(t)
    near = unit("a_truck", "1401"), unit("a_rifle", carrier=0), unit("g_rifle", "1801")
    t = at("vehicle movement", *near, rows=open_board(18, 2), sections={"victory": held("1601")})
    assert o.UnloadUnit(U(0)) in orders_tried(t)


def test_engineers_clear_what_lies_on_the_way() -> None:
    t = at("foot movement", unit("a_engineer", "0101"), unit("g_rifle", "0801"), rows=open_board(8, 1), mines=["0201"],
           sections={"victory": held("0501")})  # fmt: skip
    assert o.BeginWork(U(0), "clear", t.hex("0201")) in orders_tried(t)


def test_a_mover_is_fired_at_when_it_pays() -> None:
    window = OpportunityWindow(GERMAN, U(0), ids(1))
    t = table(
        "....",
        unit("a_greyhound", "0101"),
        unit("g_pz4", "0301"),
        step="vehicle movement",
        flow=(StepFrame("vehicle movement"), window),
        mover=Mover(U(0), 5, 12, 4, exposure={U(1): 12}),
        options={"opportunity_fire": True},
    )
    (candidate,) = tried(t)
    assert candidate.order == o.OpportunityFire(ids(1))
    assert candidate.bonus < 0
    assert ending(t) == o.Pass()


def in_order(t: Table) -> Iterator[Order]:
    """The orders by which a setup is brought to its end, one after the other."""
    while t.position.step == "setup":
        order = ending(t)
        yield order
        (decision,) = RULESET.decisions(t.state)
        t.submit(order, side=decision.side)


def test_a_setup_is_brought_to_its_end_and_each_unit_placed_near_the_goal() -> None:
    b = battle(
        open_board(8, 2),
        entry("a_m5", id="a"),
        entry("a_rifle", id="b"),
        entry("g_rifle", "0801"),
        zones={"allied": ["0101", "0201", "0301"]},
        sections={"setup": Setup(("allied",), True), "victory": held("0602")},
    )
    t = opened(b)
    (first, *_) = tried(t)
    assert isinstance(first.order, o.PlaceUnit)
    assert first.order.hex == t.hex("0301")
    assert [type(order) for order in in_order(t)] == [o.PlaceUnit, o.PlaceUnit, o.EndPhase]


def test_reinforcements_and_landing_units_come_in() -> None:
    b = battle(
        "O..\nB..\n...",
        entry("a_m5", id="tank", turn=1, at=["0201"]),
        entry("a_rifle", id="wave", turn=1, at=["0101"]),
        entry("a_rifle", "0303"),
        entry("g_rifle", "0103"),
    )
    t = opened(b)
    for step, name, label in (("vehicle movement", "tank", "0201"), ("landing", "wave", "0101")):
        t.set(step=step)
        t.state = State(t.position, (StepFrame(step),), t.state.dice)
        assert o.PlaceUnit(named(t, name), t.hex(label)) in orders_tried(t)


@pytest.mark.rule("PL-1333", "PL-1401")
def test_the_bridge_that_a_bridgelayer_carries_does_not_wait_to_land() -> None:
    wave, layer = entry("a_rifle", id="wave", turn=1, at=["0101"]), entry("b_bridge", "0303")
    t = opened(battle("O..\nB..\n...", wave, layer, entry("g_rifle", "0103"), objectives=[("Ground", ["0202"], None)]))
    t.set(step="landing")
    t.state = State(t.position, (StepFrame("landing"),), t.state.dice)
    assert orders_tried(t) == [o.PlaceUnit(named(t, "wave"), t.hex("0101"))]


def test_a_challenged_mover_still_counts_as_arrived_where_it_was_going() -> None:
    t = fresh(sections={"victory": held("0404")})
    way, window = Journey(U(0), t.hexes("0202", "0303")), OpportunityWindow(GERMAN, U(0), ids(1))
    t.state = State(t.position, (StepFrame("vehicle movement"), way), t.state.dice)
    goes = value(t)
    t.state = State(t.position, (StepFrame("vehicle movement"), way, window), t.state.dice)
    assert value(t) == goes


def test_smoke_is_nothing_this_commander_asks_for() -> None:
    t = at("indirect orders", unit("a_priest", "0101"), unit("a_rifle", "1001"), unit("g_105", "1201"),
           rows=open_board(12, 2), options={"smoke": True})  # fmt: skip
    assert orders_tried(t) == [o.WriteMission(ids(0), t.hex("1201"))]


def test_an_aircraft_with_nothing_worth_its_bombs_stays_away() -> None:
    t = at("air movement", unit("a_rifle", "0101"), unit("n_fort40", "0505"), aircraft=[plane("p47", strafes=0)])
    assert orders_tried(t) == []


@pytest.mark.rule("PL-1304")
def test_an_engineer_at_work_stays_and_steps_onto_what_it_has_made_safe() -> None:
    fields: dict[str, Any] = {"rows": open_board(8, 1), "sections": {"victory": held("0501")}}
    t = at("foot movement", unit("a_engineer", "0101"), unit("g_rifle", "0801"), mines={"0201": 0}, **fields)
    for stage, moves in ((0, []), (1, []), (2, [o.MoveUnit(U(0), t.hexes("0201"))])):
        t.set(works=(Work(U(0), "clear", t.hex("0201"), stage),))
        assert [order for order in orders_tried(t) if isinstance(order, o.MoveUnit)] == moves


def test_with_no_goal_left_nobody_goes_anywhere() -> None:
    t = at("vehicle movement", unit("a_truck", "0101"), unit("a_rifle", "0101"))
    assert goals(t.position, ALLIED) == frozenset()
    assert orders_tried(t) == []


@pytest.mark.rule("PL-1502")
def test_ground_is_worth_more_with_somebody_in_it_above_all_where_the_enemy_could_come() -> None:
    def with_garrison(garrison: str, foe: str) -> int:
        units = unit("a_rifle", garrison), unit("g_rifle", foe)
        t = at(
            "direct fire", *units, rows=open_board(14, 1), sections={"victory": held("0101")}, control={"0101": ALLIED}
        )
        return value(t)

    assert with_garrison("0101", "1401") > with_garrison("0201", "1401")
    assert with_garrison("0101", "0301") - with_garrison("0401", "0301") > with_garrison(
        "0101", "1401"
    ) - with_garrison("0201", "1401")


@pytest.mark.rule("PL-1321")
def test_who_is_inside_a_fort_is_where_he_should_be() -> None:
    places: tuple[dict[str, Any], ...] = ({"fort": 0}, {})
    inside, outside = (
        at("direct fire", unit("n_fort40", "0505", side=ALLIED), unit("a_57at", "0505", **where), unit("g_pz4", "0501"))
        for where in places
    )
    assert value(inside) > value(outside)


@pytest.mark.rule("PL-1403")
def test_a_unit_at_sea_is_in_a_bad_place() -> None:
    ashore, at_sea = (
        at("vehicle movement", unit("a_m4_dd", label), unit("g_truck", "0303"), rows="OOO\nBBB\n...")
        for label in ("0102", "0101")
    )
    assert value(ashore) > value(at_sea)


def test_what_is_known_of_the_enemy_is_looked_at_anew_when_the_ground_changes() -> None:
    t = at("vehicle movement", unit("a_m5", "0101"), unit("g_rifle", "0801"), sections={"victory": held("0405")})
    before = value(t)
    t.set(mines=["0101"])
    assert value(t) < before


@pytest.mark.rule("PL-1333")
def test_a_bridgelayer_goes_where_its_bridge_saves_the_longest_way() -> None:
    rows = "\n".join(["..R" + "." * 20] * 3)
    units = unit("b_bridge", "0102"), unit("n_tbridge", side=ALLIED), unit("g_rifle", "2301")
    t = at("vehicle movement", *units, rows=rows, sections={"victory": held("0402")})
    (first, *_) = tried(t)
    assert isinstance(first.order, o.MoveUnit)
    assert t.board.terrain[first.order.path[-1]] == "stream"
    assert first.bonus > 0
