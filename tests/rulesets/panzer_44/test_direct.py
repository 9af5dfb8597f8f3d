"""Direct fire and what attacks do: P44-5.10, P44-8.01, P44-8.02, section 10."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import NOBODY, UnitId
from sandtable.kernel.resolution import Resolution
from sandtable.rulesets.panzer_44 import direct
from sandtable.rulesets.panzer_44.events import AttackRolled, Destroyed, FireWasted, HitsApplied, Pinned
from sandtable.rulesets.panzer_44.model import ALLIED, DIRECT, GERMAN, LOST, Plot, Position
from sandtable.rulesets.panzer_44.orders import NameTarget
from sandtable.rulesets.panzer_44.results import inflict
from tests.rulesets.panzer_44.table import Counter, Table, U, open_ground, table, unit


def battle(*units: Counter, aims: dict[int, str], rows: str = "", **about: Any) -> Table:
    """The table at the start of direct fire; each firer has the hex it was plotted to fire at."""
    t = table(rows or open_ground(1, 9), *units, step="direct fire", **about)
    plots = tuple(Plot(t.unit(n).side, DIRECT, U(n), t.hex(label)) for n, label in aims.items())
    t.set(plots=plots)
    return t


def shoot(t: Table, dice: list[int]) -> None:
    """Fire is resolved until somebody is asked or all is done."""

    def go_on(resolution: Resolution[Position]) -> None:
        while resolution.position.asking == NOBODY and direct.go_on(resolution):
            pass

    t.run(go_on, dice=dice)


def shots(t: Table) -> list[tuple[UnitId, UnitId, str]]:
    return [(event.attacker, event.target, event.result) for event in t.happened(AttackRolled)]


@pytest.mark.rule("P44-5.10")
def test_both_fire_and_both_burn_for_losses_are_applied_together_at_the_end() -> None:
    t = battle(unit("u_m4", "0102"), unit("g_pz4h", "0101"), aims={0: "0101", 1: "0102"})
    shoot(t, [6, 6])
    assert shots(t) == [(0, 1, "D4"), (1, 0, "D4")]
    assert (t.unit(0).fate, t.unit(1).fate) == (LOST, LOST)
    kinds = [type(event) for event in t.events]
    assert kinds.index(HitsApplied) < kinds.index(Destroyed)


@pytest.mark.rule("P44-5.10")
@pytest.mark.rule("P44-5.02")
@pytest.mark.parametrize(("first", "order"), [(ALLIED, [0, 1]), (GERMAN, [1, 0])])
def test_the_first_player_executes_first(first: str, order: list[int]) -> None:
    t = battle(unit("u_m4", "0103"), unit("g_pz4h", "0101"), aims={0: "0101", 1: "0103"}, first=first)
    shoot(t, [1, 1])
    assert [attacker for attacker, _, _ in shots(t)] == order


@pytest.mark.rule("P44-8.01")
def test_fire_at_a_hex_without_an_enemy_is_wasted() -> None:
    t = battle(unit("u_m4", "0101"), unit("g_pz4h", "0109"), aims={0: "0104"})
    shoot(t, [])
    assert [(event.unit, event.hex) for event in t.happened(FireWasted)] == [(0, t.hex("0104"))]


@pytest.mark.rule("P44-8.10")
def test_fire_that_would_be_below_minus_3_is_skipped_and_the_order_spent() -> None:
    t = battle(unit("u_m4", "0101"), unit("g_tiger2", "0109"), aims={0: "0109"})
    shoot(t, [])
    assert len(t.happened(FireWasted)) == 1
    assert t.position.shot == (0,)


@pytest.mark.rule("P44-8.01")
def test_the_firing_player_names_his_victim_just_before_the_roll() -> None:
    two = [unit("g_gren", "0103"), unit("g_mg", "0103")]
    t = battle(unit("u_m4", "0101"), unit("u_m4", "0102"), *two, aims={0: "0103", 1: "0103"})
    shoot(t, [])
    assert (t.asked, t.decider) == ("target", ALLIED)
    assert t.refusal(NameTarget(U(1))).rule == "P44-8.01"
    tallies = [tally.title for tally in t.explain(NameTarget(U(3)))]
    assert tallies == ["Net superiority", "Off the die"]
    t.play(NameTarget(U(3)), dice=[1])
    assert shots(t)[0] == (0, 3, "P")
    assert t.asked == "target"
    assert list(direct.name_options(t.position, ALLIED)) == [NameTarget(U(2)), NameTarget(U(3))]


@pytest.mark.rule("P44-8.02")
def test_every_shot_is_resolved_alone() -> None:
    t = battle(unit("u_m4", "0101"), unit("u_m4", "0102"), unit("g_pz4h", "0104"), aims={0: "0104", 1: "0104"})
    shoot(t, [5, 5])
    # 8 - 7 at range 3 and 2: each D2, together four levels
    assert shots(t) == [(0, 2, "D2"), (1, 2, "D2")]
    assert t.unit(2).fate == LOST


# --- results --------------------------------------------------------------------------------------------------------


def struck(*results: str, **changes: Any) -> Table:
    t = table("..", unit("g_pz4h", "0101", **changes))
    for result in results:
        t.run(inflict, U(0), result)
    return t


@pytest.mark.rule("P44-10.01")
@pytest.mark.rule("P44-10.02")
@pytest.mark.rule("P44-10.06")
def test_pin_delayed_panic_and_disruption_may_all_be_on_one_unit() -> None:
    one = struck("-", "Pin", "P", "D1").unit(0)
    assert (one.pinned, one.delayed, one.disruption) == (True, True, 1)


@pytest.mark.rule("P44-10.06")
@pytest.mark.parametrize("result", ["Pin", "P"])
def test_a_second_pin_or_delayed_panic_changes_nothing(result: str) -> None:
    t = struck(result)
    assert len(t.events) == 1
    t.run(inflict, U(0), result)
    assert not t.events


@pytest.mark.rule("P44-10.05")
@pytest.mark.parametrize(("results", "level"), [(["D1"], 1), (["D1", "D1"], 2), (["D1", "D2"], 3), (["D3"], 3)])
def test_disruption_adds_up(results: list[str], level: int) -> None:
    assert struck(*results).unit(0).disruption == level


@pytest.mark.rule("P44-10.05")
@pytest.mark.rule("P44-10.04")
@pytest.mark.parametrize("results", [["D4"], ["D2", "D2"], ["D3", "D3"]])
def test_four_levels_destroy(results: list[str]) -> None:
    t = struck(*results)
    assert (t.unit(0).fate, t.at(0)) == (LOST, "")


@pytest.mark.rule("P44-10.04")
@pytest.mark.parametrize(("kind", "wrecks"), [("g_pz4h", 1), ("g_truck", 1), ("g_gren", 0), ("g_pak40", 0)])
def test_only_vehicles_leave_wrecks(kind: str, wrecks: int) -> None:
    t = table("..", unit(kind, "0101"))
    t.run(inflict, U(0), "D4")
    assert len(t.position.wrecks) == wrecks


@pytest.mark.rule("P44-10.04")
def test_nothing_befalls_what_is_gone() -> None:
    t = table("..", unit("g_pz4h", fate=LOST))
    t.run(inflict, U(0), "Pin")
    assert t.happened(Pinned) == []
