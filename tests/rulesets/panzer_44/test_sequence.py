"""The sequence of play: sections 1 and 5, and what follows of the order of the phases."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.engine import submit
from sandtable.kernel.events import DiceKey
from sandtable.kernel.ids import UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.kernel.state import Played
from sandtable.rulesets.panzer_44 import changes, panic, recovery
from sandtable.rulesets.panzer_44.events import AttackRolled, RecoveryRolled, StepBegan
from sandtable.rulesets.panzer_44.kinds import KINDS
from sandtable.rulesets.panzer_44.model import ALLIED, GERMAN, LOOSE, MOVE, Battery, Plot
from sandtable.rulesets.panzer_44.orders import (
    EndMovement,
    Move,
    PlotDirectFire,
    PlotMission,
    PlotMove,
    SealPlot,
)
from sandtable.rulesets.panzer_44.pieces import first_player_of
from tests.rulesets.panzer_44.table import RULES, Counter, Table, U, open_ground, table, unit


def plotting(*units: Counter, **about: Any) -> Table:
    return table(open_ground(3, 9), *units, step="plot", **about)


def sealed(t: Table, dice: tuple[int, ...] = ()) -> None:
    """Both sides have sealed their plots."""
    t.play(SealPlot(), side=ALLIED)
    t.play(SealPlot(), dice, side=GERMAN)


# --- the phases -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-5.01")
def test_a_turn_has_six_phases_in_fixed_order_and_repeats() -> None:
    t = plotting(unit("u_m4", "0101"), unit("g_pz4h", "0109"))
    sealed(t)
    assert [event.step for event in t.happened(StepBegan)] == [
        "panic",
        "direct fire",
        "first movement",
        "second movement",
        "removal",
        "first indirect fire",
        "second indirect fire",
        "end",
        "plot",
    ]
    assert t.position.turn == 2


@pytest.mark.rule("P44-5.11")
@pytest.mark.rule("P44-5.02")
@pytest.mark.parametrize(("first", "second"), [(ALLIED, GERMAN), (GERMAN, ALLIED)])
def test_the_first_player_moves_all_his_units_then_the_other_his(first: Any, second: Any) -> None:
    t = plotting(unit("u_m4", "0101"), unit("g_pz4h", "0309"), first=first)
    t.play(PlotMove((U(0),)), side=ALLIED)
    t.play(PlotMove((U(1),)), side=GERMAN)
    sealed(t)
    steps = {ALLIED: Move(U(0), t.hexes("0102")), GERMAN: Move(U(1), t.hexes("0308"))}
    for side in (first, second):
        assert (t.asked, t.decider) == ("movement", side)
        t.play(steps[side])
        t.play(EndMovement())
    assert t.asked == "plot"


@pytest.mark.rule("P44-5.05")
def test_a_plotted_move_names_no_way() -> None:
    t = plotting(unit("u_m4", "0101"), unit("g_pz4h", "0309"))
    t.play(PlotMove((U(0),)), side=ALLIED)
    assert t.position.plots == (Plot(ALLIED, MOVE, U(0)),)
    sealed(t)
    assert t.check(Move(U(0), t.hexes("0102"))) is None
    assert t.check(Move(U(0), t.hexes("0201", "0202"))) is None


@pytest.mark.rule("P44-15.05")
@pytest.mark.rule("P44-5.02")
def test_with_the_option_the_first_player_changes_every_turn() -> None:
    for alternating, wanted in ((False, [ALLIED] * 3), (True, [ALLIED, GERMAN, ALLIED])):
        ground = plotting(options={"alternating_first": alternating}).position.ground
        assert [first_player_of(ground, turn) for turn in (1, 2, 3)] == wanted


def shelled(die: int) -> Table:
    """A German platoon after a turn whose last phase laid shells on it with a roll; its turn 2 has begun."""
    t = plotting(
        unit("u_rifle", "0101"),
        unit("g_gren", "0109"),
        batteries=(Battery("guns", ALLIED, "oba_105", 1, 1),),
    )
    t.play(PlotMission("guns", t.hex("0109"), LOOSE), side=ALLIED)
    sealed(t, (1, die))
    return t


@pytest.mark.rule("P44-5.13")
@pytest.mark.rule("P44-5.12")
def test_a_disruption_by_indirect_fire_lasts_until_the_removal_of_the_next_turn() -> None:
    t = shelled(5)
    assert (t.position.turn, t.unit(1).disruption) == (2, 1)
    assert t.refusal(PlotMove((U(1),)), GERMAN).rule == "P44-5.07"
    sealed(t, (1,))
    assert [event.unit for event in t.happened(RecoveryRolled)] == [1]
    assert t.unit(1).disruption == 0


@pytest.mark.rule("P44-10.09")
def test_a_pin_by_indirect_fire_holds_through_the_next_move() -> None:
    t = shelled(1)
    assert t.unit(1).pinned
    assert t.refusal(PlotMove((U(1),)), GERMAN).rule == "P44-5.07"
    sealed(t)
    assert not t.unit(1).pinned


# --- units and dice -------------------------------------------------------------------------------------------------


@pytest.mark.rule("P44-3.02")
def test_guns_aim_over_open_sights_infantry_has_small_arms_and_mortars_fire_high_explosive() -> None:
    weapons = {
        "M": ("tank", "tank_destroyer", "armored_car", "gun"),
        "R": ("infantry", "engineers", "machine_gun", "halftrack", "carrier", "jeep", "flak"),
        "H": ("mortar", "artillery"),
        "none": ("truck",),
    }
    for weapon, kinds in weapons.items():
        assert {kind.weapon for kind in KINDS.values() if kind.kind in kinds} == {weapon}


@pytest.mark.rule("P44-1.02")
def test_a_unit_is_a_platoon_a_section_or_a_battery() -> None:
    sizes = {"infantry": "platoon", "engineers": "platoon", "machine_gun": "platoon", "truck": "platoon"}
    sizes |= {"mortar": "section", "artillery": "battery"}
    for kind in KINDS.values():
        if kind.kind in sizes:
            assert kind.name.endswith(sizes[kind.kind])


PANIC = {"panic": {"german": 2}}


class NotedDice:
    """Dice that always show a 1, and tell how many sides each had."""

    def __init__(self) -> None:
        self.sides: list[int] = []

    def face(self, sides: int, actor: UnitId) -> int:
        self.sides.append(sides)
        return 1


@pytest.mark.rule("P44-1.03")
def test_every_roll_is_one_six_sided_die_but_the_draw_of_digits() -> None:
    t = plotting(unit("u_m4", "0101", delayed=True), unit("g_pz4h", "0104", disruption=1), sections=PANIC)
    dice = NotedDice()
    resolution = Resolution(t.state, dice, changes.apply)
    panic.determine(resolution)
    assert dice.sides == [6, 10, 9]
    recovery.remove_markers(resolution)
    assert dice.sides[3:] == [6]


@pytest.mark.rule("P44-9.05")
def test_an_attack_is_one_die() -> None:
    t = plotting(unit("u_m4", "0101"), unit("g_gren", "0104"))
    t.play(PlotDirectFire((U(0),), t.hex("0104")), side=ALLIED)
    sealed(t, (1,))
    assert [event.roll for event in t.happened(AttackRolled)] == [1]


@pytest.mark.rule("P44-1.08")
def test_the_same_orders_and_seed_give_the_same_battle() -> None:
    def rolls(seed: str) -> list[int]:
        t = plotting(unit("u_m4", "0101"), *(unit("g_pz4h", f"010{row}", disruption=3) for row in range(4, 9)))
        state = t.state
        found: list[int] = []
        for side in (ALLIED, GERMAN):
            played = submit(RULES, type(state)(state.position, state.flow, DiceKey(seed)), side, SealPlot())
            assert isinstance(played, Played)
            state = played.state
            found += [event.roll for event in played.events if isinstance(event, RecoveryRolled)]
        return found

    assert len(rolls("a")) == 5
    assert rolls("a") == rolls("a")
    assert any(rolls("a") != rolls(seed) for seed in "bcd")
