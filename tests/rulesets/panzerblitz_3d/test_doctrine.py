"""What the computer thinks: it plots, waits, joins fire, goes for ground in cover and does not throw units away."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable import registry
from sandtable.content import load_shipped
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzerblitz_3d.doctrine import Doctrine
from sandtable.rulesets.panzerblitz_3d.frames import Journey, OpportunityWindow, SetupFrame, StepFrame
from sandtable.rulesets.panzerblitz_3d.kinds import KINDS
from sandtable.rulesets.panzerblitz_3d.model import (
    EXITED,
    GERMAN,
    NO_SIDE,
    RESERVE,
    RUSSIAN,
    BatteryState,
    Contact,
    Mover,
    Plot,
    Unit,
)
from sandtable.rulesets.panzerblitz_3d.orders import (
    Assign,
    ChooseFirst,
    CloseAssault,
    DesignateTarget,
    EndPhase,
    EnterFort,
    LeaveMap,
    LoadUnit,
    MoveUnit,
    OpportunityFire,
    Overrun,
    Pass,
    PlaceUnit,
    PlotFire,
    SealPlot,
    UnloadUnit,
)
from sandtable.rulesets.panzerblitz_3d.outlook import Outlook, goals, harm, material, outlook_for, worth
from sandtable.rulesets.panzerblitz_3d.scenario import Exit, Sections, Setup, Victory
from tests.kit.battles import must
from tests.rulesets.panzerblitz_3d.battles import battle, entry, id_of, opened
from tests.rulesets.panzerblitz_3d.table import RULES, Table, U, open_ground, table, unit


def chosen(t: Table, side: SideId | None = None) -> Any:
    """The order that the greedy player gives."""
    who = side or t.decider
    player = registry.player("greedy", "panzerblitz_3d")
    view = RULES.view(t.state, who)
    decision = next(one for one in view.decisions if one.side == who)
    return player.choose(view, decision, 64, PromptDice("test"))


def test_it_goes_first_but_on_the_last_turn_takes_the_last_word() -> None:
    t = table(open_ground(3, 1), unit("g_pz4", "0101"), unit("r_t34c", "0301"), step="initiative", winner=GERMAN)
    assert chosen(t) == ChooseFirst(GERMAN)
    t.set(turn=10)
    assert chosen(t) == ChooseFirst(RUSSIAN)


def plotting(**fields: Any) -> Table:
    return table(
        "W . . . . . . .\n. . . . . . . .",
        unit("g_cp", "0202"),
        unit("r_rifle", "0701"),
        unit("r_guards", "0701"),
        unit("r_truck", "0802"),
        step="artillery plots",
        phasing=NO_SIDE,
        batteries=(BatteryState(0, "ob_105", GERMAN, 9), BatteryState(1, "ob_105", GERMAN, 1)),
        **fields,
    )


@pytest.mark.rule("PB3-502")
def test_it_plots_where_most_can_be_hurt_and_seals_when_nothing_is_left_to_gain() -> None:
    t = plotting()
    first = chosen(t, GERMAN)
    assert isinstance(first, PlotFire)
    t.play(first, side=GERMAN)
    second = chosen(t, GERMAN)
    assert isinstance(second, PlotFire)
    assert second.battery != first.battery
    t.play(second, side=GERMAN)
    assert chosen(t, GERMAN) == SealPlot()


def test_it_shells_where_it_last_saw_somebody_but_not_blindly_among_its_own() -> None:
    t = plotting()
    t.change(0, dispersed=True)
    near = table(
        open_ground(4, 1),
        unit("g_rifle", "0201"),
        unit("r_rifle", "0301"),
        step="artillery plots",
        phasing=NO_SIDE,
        batteries=(BatteryState(0, "ob_81", GERMAN, 1),),
    )
    assert chosen(near, GERMAN) == SealPlot()
    lost = Unit(U(1), "r_rifle", RUSSIAN, t.hex("0701"))
    t.set(contacts={U(1): Contact(lost, 1)})
    assert isinstance(chosen(t, GERMAN), PlotFire)


def waiting(*units: Any, **fields: Any) -> Table:
    return table(open_ground(9, 2), *units, step="opportunity assignment", phasing=NO_SIDE, **fields)


@pytest.mark.rule("PB3-503")
def test_guns_without_a_target_wait_for_an_opportunity_and_attackers_go_on() -> None:
    t = waiting(unit("g_75pak", "0101"), unit("r_t34c", "0901"), control={}, objectives={"Post": ("0101",)})
    t.set(control={t.hex("0101"): GERMAN})
    assert chosen(t, GERMAN) == Assign((U(0),))
    t.play(Assign((U(0),)), side=GERMAN)
    assert chosen(t, GERMAN) == SealPlot()
    assert chosen(t, RUSSIAN) == SealPlot()
    alone = waiting(unit("g_75pak", "0101"), unit("r_cp", "0901"))
    assert chosen(alone, GERMAN) == SealPlot()
    far = table(
        open_ground(40, 1),
        unit("g_75pak", "0101"),
        unit("r_t34c", "4001"),
        step="opportunity assignment",
        phasing=NO_SIDE,
    )
    assert chosen(far, GERMAN) == SealPlot()


@pytest.mark.rule("PB3-1104")
def test_it_fires_at_what_it_can_hurt_and_lets_the_rest_go_by() -> None:
    t = table(
        open_ground(9, 1),
        unit("g_truck", "0401"),
        unit("g_rifle", carrier=0),
        unit("r_mg", "0101", of_assigned=True),
        unit("r_mg", "0101", of_assigned=True),
        step="vehicle movement",
        mover=Mover(U(0), 1, 8, 3, {U(2): 8, U(3): 8}),
        flow=(StepFrame("vehicle movement"), Journey(U(0), ()), OpportunityWindow(RUSSIAN, U(0), (U(2), U(3)))),
    )
    assert isinstance(chosen(t), OpportunityFire)
    t.change(0, kind="g_tiger2")
    t.change(2, kind="r_45at")
    t.change(3, of_used=True)
    t.state = t.state.__class__(
        t.position, (*t.state.flow[:2], OpportunityWindow(RUSSIAN, U(0), (U(2),))), t.state.dice
    )
    assert chosen(t) == Pass()


@pytest.mark.rule("PB3-802")
def test_it_joins_fire_for_good_odds_and_does_not_waste_firers() -> None:
    t = table(
        open_ground(9, 2),
        unit("g_pz4", "0101"),
        unit("g_pz4", "0102"),
        unit("g_jtiger", "0101"),
        unit("r_t3485", "0401"),
    )
    order = chosen(t)
    assert isinstance(order, DesignateTarget)
    assert order.targets == (U(3),)
    t.play(order)
    assert chosen(t) == EndPhase()


def test_an_attacker_drives_on_to_ground_within_his_reach_instead_of_firing_at_little() -> None:
    t = table(
        open_ground(9, 1),
        unit("g_pz4", "0101"),
        unit("r_truck", "0901"),
        objectives={"Post": ("0401",)},
        control={"0401": RUSSIAN},
    )
    assert chosen(t) == EndPhase()
    t.set(step="vehicle movement")
    t.state = t.state.__class__(t.position, (t.state.flow[0].__class__("vehicle movement"),), t.state.dice)
    order = chosen(t)
    assert isinstance(order, MoveUnit)
    assert order.path[-1] == t.hex("0401")


def test_who_wants_to_leave_leaves() -> None:
    away = Sections(victory=Victory(exits=(Exit("german", ("0101",), 2),)))
    t = table(
        open_ground(9, 1),
        unit("g_truck", "0101"),
        unit("g_truck", "0901"),
        unit("r_t34c", "0901"),
        sections=away,
        step="vehicle movement",
    )
    assert chosen(t) == LeaveMap(U(0))
    t.change(0, hex=0, fate=EXITED)
    order = chosen(t)
    assert isinstance(order, MoveUnit)
    assert order.unit == U(1)
    firing = table(open_ground(9, 1), unit("g_pz4", "0501"), unit("r_cp", "0901"), sections=away)
    assert chosen(firing) == EndPhase()


@pytest.mark.rule("PB3-1001")
def test_it_overruns_with_good_odds_and_not_with_bad_ones() -> None:
    rows = "\n".join("." for _ in range(7))
    t = table(rows, unit("g_panther", "0101"), unit("r_45at", "0104"), step="vehicle movement")
    assert isinstance(chosen(t), Overrun)
    guarded = table(
        "WWW\n" + "\n".join("." * 3 for _ in range(6)),
        unit("g_puma", "0101"),
        unit("r_su152", "0104"),
        unit("r_js3", "0207"),
        unit("r_js3", "0307"),
        unit("r_js3", "0306"),
        step="vehicle movement",
    )
    assert not isinstance(chosen(guarded), Overrun)


@pytest.mark.rule("PB3-622")
def test_carriers_far_from_the_goal_take_riders_aboard_and_near_it_set_them_down() -> None:
    t = table(
        open_ground(20, 1),
        unit("g_truck", "0101"),
        unit("g_rifle", "0101"),
        unit("r_rifle", "2001"),
        objectives={"Post": ("2001",)},
        control={"2001": RUSSIAN},
        step="vehicle movement",
    )
    assert chosen(t) == LoadUnit(U(0), U(1))
    near = table(
        open_ground(20, 1),
        unit("g_ht", "1801"),
        unit("g_rifle", carrier=0),
        unit("r_rifle", "2001"),
        objectives={"Post": ("2001",)},
        control={"2001": RUSSIAN},
        step="vehicle movement",
    )
    orders = []
    while not isinstance(order := chosen(near), EndPhase):
        orders.append(order)
        near.play(order)
    assert any(isinstance(order, UnloadUnit) for order in orders)


@pytest.mark.rule("PB3-1021")
def test_infantry_closes_in_and_assaults() -> None:
    t = table(
        open_ground(5, 2),
        unit("r_smg", "0101"),
        unit("r_smg", "0102"),
        unit("g_truck", "0201"),
        phasing=RUSSIAN,
        step="close assault",
    )
    order = chosen(t)
    assert isinstance(order, CloseAssault)
    assert len(order.units) >= 1
    t.play(order, dice=[1])
    moving = table(
        open_ground(5, 2),
        unit("r_smg", "0101"),
        unit("g_truck", "0301"),
        phasing=RUSSIAN,
        step="foot movement",
    )
    step = chosen(moving)
    assert isinstance(step, MoveUnit)
    assert moving.board.distance(step.path[-1], moving.hex("0301")) == 1


@pytest.mark.rule("PB3-1606")
def test_who_holds_ground_goes_into_his_fort_and_forts_do_not_march() -> None:
    t = table(
        open_ground(9, 1),
        unit("n_fort_g", "0101"),
        unit("g_rifle", "0101"),
        unit("r_su152", "0401"),
        options={"works": True},
        objectives={"Post": ("0101",)},
        control={"0101": GERMAN},
        step="foot movement",
        mines=("0201",),
    )
    assert chosen(t) == EnterFort(U(1))
    outlook = outlook_for(t.position, GERMAN)
    assert outlook.danger(t.unit(1), t.hex("0201")) > outlook.danger(t.unit(1), t.hex("0101"))
    t.change(1, fort=U(0))
    assert outlook.placed(t.position.units, t.unit(1), t.hex("0101")) == 0


@pytest.mark.rule("PB3-1102")
def test_it_fears_the_way_past_guns_that_wait() -> None:
    t = table(
        ". . . . . . W . .",
        unit("g_lynx", "0901"),
        unit("r_76at", "0101", of_assigned=True),
        step="vehicle movement",
    )
    outlook = Outlook(t.position, GERMAN)
    way = [(t.hex(label), 2) for label in ("0801", "0701", "0601", "0501", "0401")]
    assert outlook.passage(t.unit(0), way) > 0
    assert outlook.passage(t.unit(0), way[:1]) == 0
    t.change(1, of_assigned=False)
    assert Outlook(t.position, GERMAN).passage(t.unit(0), way) == 0


def test_it_sets_up_near_the_goal_in_cover_and_brings_reinforcements_in() -> None:
    zones = {"german": ["0101", "0102", "0201", "0202"], "russian": ["0801"]}
    made = battle(
        ". W . . . . . .\n. . . . . . . .",
        entry("g_pz4", id="a"),
        entry("g_rifle", id="b"),
        entry("r_rifle", "0801"),
        zones=zones,
        sections=Sections(setup=Setup(("german",))),
        objectives=[("Post", ["0801"], 1)],
    )
    t = opened(made)
    assert isinstance(t.state.flow[-1], SetupFrame)
    placed = chosen(t)
    assert isinstance(placed, PlaceUnit)
    ending = Doctrine().ending(RULES.view(t.state, GERMAN), RULES.decisions(t.state)[0])
    assert isinstance(ending, PlaceUnit)
    t.play(placed)
    t.play(chosen(t))
    assert chosen(t) == EndPhase()
    late = opened(battle(open_ground(5, 1), entry("g_pz4", id="a", turn=1, at=["0101"]), entry("r_rifle", "0501")))
    late.set(step="vehicle movement", phasing=GERMAN, first=GERMAN)
    late.state = late.state.__class__(
        late.position, (late.state.flow[0].__class__("vehicle movement"),), late.state.dice
    )
    assert chosen(late) == PlaceUnit(id_of(late, "a"), late.hex("0101"))
    assert late.unit(id_of(late, "a")).fate == RESERVE


def test_what_things_are_worth() -> None:
    assert worth("n_fort_g") == 0 < worth("g_truck") < worth("g_rifle") < worth("g_tiger2")
    assert harm(0, 5, 0) == 0 == harm(1, 9, 0)
    assert harm(40, 10, 0) > harm(10, 10, 0) > harm(10, 10, 2)
    assert harm(10, 10, 0, twice=True) > 0
    assert harm(10, 10, 0, shift=1) > harm(10, 10, 0)
    t = table(open_ground(5, 1), unit("g_pz4", "0101"), unit("r_t34c", "0501", dispersed=True))
    assert material(t.position, GERMAN) == -material(t.position, RUSSIAN)
    prize = table(open_ground(5, 1), unit("g_pz4", "0101"), objectives={"Post": ("0301",)}, control={"0301": GERMAN})
    assert material(prize.position, GERMAN) > worth("g_pz4")


def test_goals_are_exits_then_ground_to_take_then_ground_to_keep_then_the_enemy() -> None:
    t = table(open_ground(5, 1), unit("g_pz4", "0101"), unit("r_t34c", "0501"))
    assert goals(t.position, GERMAN) == {t.hex("0501")}
    prize = table(
        open_ground(5, 1),
        unit("g_pz4", "0101"),
        objectives={"Post": ("0301",), "Mill": ("0401",)},
        control={"0301": GERMAN, "0401": RUSSIAN},
    )
    assert goals(prize.position, GERMAN) == {prize.hex("0401")}
    prize.set(control={prize.hex("0301"): GERMAN, prize.hex("0401"): GERMAN})
    assert goals(prize.position, GERMAN) == {prize.hex("0301"), prize.hex("0401")}


@pytest.mark.parametrize("fog", [False, True])
@pytest.mark.parametrize("name", ["pb3-krutoi-log", "pb3-seelow"])
def test_two_commanders_fight_a_whole_battle(name: str, fog: bool) -> None:
    made = load_shipped(name, registry.vocabulary("panzerblitz_3d"))
    state = begin(RULES, made, {"fog": fog}, "doctrine", (GERMAN, RUSSIAN)).state
    player, numbers = registry.player("greedy", "panzerblitz_3d"), 0
    while RULES.outcome(state) is None:
        decision = RULES.decisions(state)[0]
        order = player.choose(RULES.view(state, decision.side), decision, 64, PromptDice("fight", numbers))
        state = must(submit(RULES, state, decision.side, order)).state
        numbers += 1
        assert numbers < 1500
    assert Plot(0, state.position.units[0].hex) not in state.position.plots


def test_without_a_goal_and_an_enemy_it_stays_where_it_is() -> None:
    t = table(
        open_ground(4, 1),
        unit("g_truck", "0101"),
        unit("g_rifle", carrier=0),
        unit("g_81mm", "0201"),
        unit("g_wespe", "0301"),
        step="vehicle movement",
    )
    assert chosen(t) == EndPhase()
    assert Outlook(t.position, GERMAN).nearness(t.unit(2), KINDS["g_81mm"], t.hex("0101")) == 0


def test_mortars_and_self_propelled_artillery_stand_off() -> None:
    t = table(
        open_ground(30, 1),
        unit("g_81mm", "0101"),
        unit("r_rifle", "3001"),
        objectives={"Post": ("3001",), "Mill": ("2901",)},
        control={"3001": RUSSIAN},
    )
    outlook = Outlook(t.position, GERMAN)
    near, far = (outlook.nearness(t.unit(0), KINDS["g_81mm"], t.hex(label)) for label in ("2401", "0101"))
    assert near == 0 > far
    assert material(t.position, GERMAN) < 0
