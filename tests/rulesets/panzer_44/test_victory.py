"""How a battle is judged: section 14."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_44.model import ALLIED, EXITED, GERMAN, LOST, Position
from sandtable.rulesets.panzer_44.orders import LeaveMap
from sandtable.rulesets.panzer_44.scenario import Condition, Exit, Presence, Victory
from sandtable.rulesets.panzer_44.victory import conclude, outcome, score, take_ground
from tests.rulesets.panzer_44.table import Counter, Table, U, on_the_move, open_ground, table, unit


def ended(*units: Counter, turn: int = 10, **about: Any) -> Table:
    """The table after a turn has been judged."""
    t = table(open_ground(4, 4), *units, turn=turn, **about)
    t.run(conclude)
    return t


def verdict(t: Table) -> tuple[str, str]:
    found = outcome(t.position)
    assert found is not None
    return found.winner or "", found.level


def points(position: Position, side: SideId) -> dict[str, int]:
    return {line.label: int(line.value) for line in score(position, side).lines}


def lost(*kinds: str) -> list[Counter]:
    return [unit(kind, fate=LOST) for kind in kinds]


@pytest.mark.rule("P44-14.02")
def test_a_destroyed_hard_unit_is_worth_3_any_other_2_a_truck_or_jeep_1() -> None:
    t = table("..", *lost("g_pz4h", "g_251", "g_gren", "g_pak40", "g_truck", "u_jeep"))
    assert points(t.position, ALLIED) == {"enemy units destroyed": 3 + 3 + 2 + 2 + 1}
    assert points(t.position, GERMAN) == {"enemy units destroyed": 1}


@pytest.mark.rule("P44-14.02")
def test_an_objective_counts_for_the_side_that_holds_all_of_it() -> None:
    t = table("...", objectives={"Mill": ("0101", "0201"), "Hill": ("0301",)})
    t.set(control={"0101": ALLIED, "0201": GERMAN, "0301": GERMAN})
    assert points(t.position, ALLIED)["Mill held"] == 0
    assert points(t.position, GERMAN) == {"Mill held": 0, "Hill held": 3, "enemy units destroyed": 0}


@pytest.mark.rule("P44-14.02")
def test_who_enters_a_hex_that_counts_holds_it() -> None:
    t = table("..", unit("u_m4", "0101"), objectives={"Mill": ("0101",)}, control={"0101": GERMAN})
    t.run(take_ground, U(0))
    assert t.position.control == {t.hex("0101"): ALLIED}
    t.run(take_ground, U(0))
    assert t.events == ()


@pytest.mark.rule("P44-14.02")
@pytest.mark.rule("P44-12.07")
def test_units_brought_out_are_worth_points() -> None:
    sections = {"exits": (Exit("german", ("0101",)), Exit("german", ("0201",), 5))}
    t = on_the_move(
        "..",
        unit("g_pz4h", "0101"),
        unit("g_251", "0201"),
        unit("g_gren", carrier=1),
        plotted=(0, 1),
        sections=sections,
    )
    t.play(LeaveMap(U(0)))
    assert points(t.position, GERMAN)["units exited"] == 3
    t.play(LeaveMap(U(1)))
    # by what the scenario gives for each exit, passengers too
    assert points(t.position, GERMAN)["units exited"] == 3 + 5 + 5


@pytest.mark.rule("P44-14.01")
def test_units_in_an_area_may_be_worth_points_and_losses_none() -> None:
    victory = Victory(presence=(Presence("german", "Across", ("0101:0102",), 2),), losses=False)
    t = table("..\n..", unit("g_pz4h", "0101"), unit("g_gren", "0102"), unit("g_gren", "0201"), *lost("u_m4"),
              sections={"victory": victory})  # fmt: skip
    assert points(t.position, GERMAN) == {"Across": 4}
    assert points(t.position, ALLIED) == {}


@pytest.mark.rule("P44-14.02")
@pytest.mark.parametrize(
    ("losses", "wanted"),
    [
        ([], ("", "draw")),
        (["g_gren", "g_gren"], ("", "draw")),
        (["g_pz4h", "g_gren"], (ALLIED, "marginal")),
        (["g_pz4h"] * 4 + ["g_gren"], (ALLIED, "marginal")),
        (["g_pz4h"] * 5, (ALLIED, "decisive")),
        (["u_m4"] * 5, (GERMAN, "decisive")),
    ],
)
def test_a_lead_below_5_is_a_draw_below_15_marginal_from_15_decisive(
    losses: list[str], wanted: tuple[str, str]
) -> None:
    assert verdict(ended(*lost(*losses))) == wanted


@pytest.mark.rule("P44-14.01")
def test_a_battle_lasts_as_many_turns_as_the_scenario_says() -> None:
    assert outcome(ended(turn=9).position) is None
    assert outcome(ended(turn=10).position) is not None


def task(**condition: Any) -> dict[str, Any]:
    return {"victory": Victory((Condition("allied", "Take it", **condition),), "german")}


@pytest.mark.rule("P44-14.01")
def test_with_tasks_the_side_wins_that_has_met_its_own_at_the_end_and_else_the_other() -> None:
    for held, winner in ((("0101", "0201"), ALLIED), (("0101",), GERMAN)):
        sections = task(hold=("0101", "0201"))
        t = ended(sections=sections, control=dict.fromkeys(held, ALLIED))
        assert verdict(t) == (winner, "decisive")
    some = ended(sections=task(hold=("0101", "0201", "0301"), count=2), control={"0101": ALLIED, "0301": ALLIED})
    assert verdict(some) == (ALLIED, "decisive")


@pytest.mark.rule("P44-14.01")
def test_ground_is_judged_at_the_end_only_and_units_brought_out_win_at_once() -> None:
    early = ended(turn=3, sections=task(hold=("0101",)), control={"0101": ALLIED})
    assert outcome(early.position) is None
    gone = [unit("u_m4", fate=EXITED), unit("u_m4", fate=EXITED)]
    assert verdict(ended(*gone, turn=3, sections=task(exit=2))) == (ALLIED, "decisive")
    assert outcome(ended(*gone, turn=3, sections=task(exit=3)).position) is None
