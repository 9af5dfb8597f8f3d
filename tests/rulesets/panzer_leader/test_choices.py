"""The lawful orders of a decision: each step offers what belongs to it, and a pick is one of what is lawful."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.state import State, View
from sandtable.play.choices import Choices
from sandtable.rulesets.panzer_leader import choices
from sandtable.rulesets.panzer_leader import orders as o
from sandtable.rulesets.panzer_leader.frames import OpportunityWindow, SetupFrame, StepFrame
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mission, Mover, Position
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from sandtable.rulesets.panzer_leader.scenario import Exit, Setup, Victory
from tests.rulesets.panzer_leader.battles import battle, entry, named, opened
from tests.rulesets.panzer_leader.table import Table, U, ids, open_board, plane, table, unit

RULESET = PanzerLeader()


def choices_of(t: Table) -> tuple[View[Position], Choices[Position]]:
    (decision,) = RULESET.decisions(t.state)
    view = RULESET.view(t.state, decision.side)
    found = RULESET.options(view, decision)
    assert isinstance(found, Choices)
    return view, found


def kinds(orders: Iterable[Order]) -> set[type[Order]]:
    return {type(order) for order in orders}


def assert_lawful(t: Table) -> set[type[Order]]:
    """Every option and many picks pass the check; the kinds of order there are."""
    view, found = choices_of(t)
    every = list(found)
    picks = [found.pick(PromptDice(f"pick {n}")) for n in range(40)]
    for order in (*every, *picks):
        assert RULESET.check(view, order) is None, order
    assert kinds(picks) <= kinds(every)
    return kinds(every)


def at(step: str, *units: Any, rows: str = "", **fields: Any) -> Table:
    return table(rows or open_board(6, 4), *units, step=step, **fields)


RIFLE, TANK, FOE = unit("a_rifle", "0101"), unit("a_m4_75", "0101"), unit("g_pz4", "0404")
SHORE = "...\n...\n...\nBBB\nOOO"
SHIPS: dict[str, Any] = {"options": {"naval_fire": True}, "naval": {ALLIED: 40}}
DUE: dict[str, Any] = {"missions": (Mission(ALLIED, ids(0), 13, ids(0), 1, 3),), "segment": 3, "turn": 2}
EXIT = Victory(exits=(Exit("allied", ("0101",)),))


@pytest.mark.parametrize(
    ("table", "offered"),
    [
        (
            at("vehicle movement", TANK, unit("a_truck", "0101"), RIFLE, unit("g_rifle", "0303")),
            {o.MoveUnit, o.Overrun, o.LoadUnit, o.EndPhase},
        ),
        (
            at("vehicle movement", unit("a_truck", "0101"), unit("a_rifle", carrier=0), FOE),
            {o.MoveUnit, o.UnloadUnit, o.EndPhase},
        ),
        (at("foot movement", RIFLE, FOE, sections={"victory": EXIT}), {o.MoveUnit, o.LeaveMap, o.EndPhase}),
        (
            at("foot movement", unit("n_fort20", "0101", side="allied"), RIFLE, unit("a_rifle", fort=0), FOE),
            {o.MoveUnit, o.EnterFort, o.LeaveFort, o.EndPhase},
        ),
        (at("foot movement", unit("a_105", "0202"), FOE, options={"field_of_fire": True}), {o.SetFacing, o.EndPhase}),
        (
            at("foot movement", unit("a_engineer", "0202"), FOE, mines=["0203"]),
            {o.MoveUnit, o.BeginWork, o.EndPhase},
        ),
        (at("direct fire", TANK, FOE), {o.DirectFire, o.EndPhase}),
        (at("direct fire", TANK, unit("g_pz4", "0103"), rows=SHORE, **SHIPS), {o.DirectFire, o.NavalFire, o.EndPhase}),
        (at("indirect orders", unit("a_81mm", "0101"), FOE), {o.WriteMission, o.EndPhase}),
        (at("indirect fire", unit("a_81mm", "0101"), FOE, **DUE), {o.FireMissions, o.EndPhase}),
        (at("air movement", RIFLE, FOE, aircraft=[plane("p47", ordnance="bombs")]), {o.FlyTo, o.EndPhase}),
        (
            at("air attack", RIFLE, FOE, aircraft=[plane("p47", "0403", ordnance="bombs", flown=1)]),
            {o.AirAttack, o.EndPhase},
        ),
        (
            at("anti-aircraft", RIFLE, unit("g_20quad", "0404"), aircraft=[plane("p47", "0403", flown=1)]),
            {o.FireAtAircraft, o.EndPhase},
        ),
        (at("close assault", unit("a_rifle", "0303"), unit("g_rifle", "0304")), {o.CloseAssault, o.EndPhase}),
    ],
    ids=lambda value: value.position.step if isinstance(value, Table) else "",
)
def test_each_step_offers_its_orders_and_every_option_and_pick_is_lawful(
    table: Table, offered: set[type[Order]]
) -> None:
    assert assert_lawful(table) == offered


def test_in_setup_units_are_placed_and_guns_turned_and_the_phase_can_end_only_when_all_stand() -> None:
    b = battle(
        "...",
        entry("a_rifle", id="a"),
        entry("a_105", "0201"),
        entry("g_rifle", "0301"),
        zones={"allied": ["0101", "0201"]},
        sections={"setup": Setup(("allied",), True)},
    )
    t = opened(b, {"field_of_fire": True})
    assert isinstance(t.state.flow[-1], SetupFrame)
    assert assert_lawful(t) == {o.PlaceUnit, o.SetFacing}
    t.submit(o.PlaceUnit(named(t, "a"), t.hex("0101")))
    assert o.EndPhase in assert_lawful(t)


def test_when_the_phase_can_not_end_a_pick_that_finds_no_unit_falls_back_on_what_there_is() -> None:
    b = battle(
        ".." + "." * 7,
        *(entry("a_rifle", f"0{n}01") for n in range(3, 9)),
        entry("a_rifle", id="a"),
        entry("g_rifle", "0901"),
        zones={"allied": ["0101"]},
        sections={"setup": Setup(("allied",), True)},
    )
    t = opened(b)
    _, found = choices_of(t)
    assert {type(found.pick(PromptDice(f"{n}"))) for n in range(30)} == {o.PlaceUnit}


def test_reinforcements_and_landings_are_among_the_choices() -> None:
    b = battle(
        "O..\nB..\n...",
        entry("a_m5", turn=1, at=["0201"]),
        entry("a_rifle", turn=1, at=["0101"]),
        entry("a_rifle", "0303"),
        entry("g_rifle", "0103"),
    )
    t = opened(b)
    for step, offered in (("vehicle movement", o.PlaceUnit), ("landing", o.PlaceUnit)):
        t.state = State(t.position, (StepFrame(step),), t.state.dice)
        t.set(step=step)
        assert offered in assert_lawful(t)


@pytest.mark.rule("PL-1601")
def test_in_an_opportunity_window_the_enemy_fires_or_lets_it_pass() -> None:
    t = table(
        "....",
        unit("a_m5", "0101"),
        unit("g_pz4", "0301"),
        unit("g_pz4", "0401"),
        step="vehicle movement",
        flow=(StepFrame("vehicle movement"), OpportunityWindow(GERMAN, U(0), ids(1, 2))),
        mover=Mover(U(0), 5, 8, 4, exposure={U(1): 8, U(2): 8}),
        options={"opportunity_fire": True},
    )
    assert assert_lawful(t) == {o.OpportunityFire, o.Pass}
    _, found = choices_of(t)
    assert list(found)[-2:] == [o.Pass(), o.Pass(rest=True)]
    assert len([order for order in found if isinstance(order, o.OpportunityFire)]) == 3


def test_each_unit_has_its_share_of_the_picks() -> None:
    t = at("vehicle movement", *(unit("a_m5", f"0{n}01") for n in range(1, 6)), unit("g_rifle", "0604"))
    _, found = choices_of(t)
    picked = {order.unit for n in range(200) if isinstance(order := found.pick(PromptDice(f"{n}")), o.MoveUnit)}
    assert picked == set(range(5))


@pytest.mark.rule("PL-601")
def test_nobody_is_reminded_of_a_unit_that_has_set_out_already() -> None:
    t = table(open_board(4, 1), unit("a_m4_75", "0101"), unit("a_m4_75", "0101"), step="vehicle movement")
    assert [one.id for one in choices.idle(t.position, ALLIED, t.position.step)] == [0, 1]
    t.play(o.MoveUnit(U(0), (t.hex("0201"),)))
    assert [one.id for one in choices.idle(t.position, ALLIED, t.position.step)] == [1]
