"""Mines, blocks and forts."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzerblitz_3d.assault import assaulting_refusal
from sandtable.rulesets.panzerblitz_3d.events import AttackRolled, MoveEnded
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, GERMAN, RUSSIAN
from sandtable.rulesets.panzerblitz_3d.orders import EndPhase, EnterFort, LeaveFort, MoveUnit, OpportunityFire
from tests.rulesets.panzerblitz_3d.table import Counter, Table, U, open_ground, table, unit


def works(*units: Counter, rows: str = "", **fields: Any) -> Table:
    """Germans move on ground with works."""
    return table(
        rows or open_ground(6, 2),
        *units,
        **{"phasing": GERMAN, "step": "vehicle movement", "options": {"works": True}, **fields},
    )


@pytest.mark.rule("PB3-1606")
def test_mines_stop_who_enters_and_attack_once_at_2_1_whatever_the_ground() -> None:
    t = works(unit("g_pz4", "0101"), mines=["0301"], rows="..W...\n......")
    assert t.refusal(MoveUnit(U(0), t.hexes("0201", "0301", "0401"))).rule == "PB3-1606"
    t.play(MoveUnit(U(0), t.hexes("0201", "0301")), [6])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.odds, rolled.drm, rolled.rule, rolled.result) == ("2-1", 0, "PB3-1606", "-")
    assert (t.at(0), t.unit(0).moved) == ("0301", True)


@pytest.mark.rule("PB3-1606")
def test_who_ran_onto_mines_does_not_attack_in_that_player_turn() -> None:
    t = works(unit("g_rifle", "0101"), unit("r_truck", "0301"), mines=["0201"], step="foot movement")
    t.play(MoveUnit(U(0), t.hexes("0201")), [6])
    refusal = assaulting_refusal(t.unit(0))
    assert refusal is not None
    assert refusal.rule == "PB3-1606"


@pytest.mark.rule("PB3-1606")
def test_mines_may_destroy() -> None:
    t = works(unit("g_truck", "0101"), mines=["0201"])
    t.play(MoveUnit(U(0), t.hexes("0201")), [1])
    assert t.unit(0).fate == DESTROYED


@pytest.mark.rule("PB3-1606")
def test_a_block_ends_a_move() -> None:
    t = works(unit("g_pz4", "0101"), blocks=["0201"])
    assert t.refusal(MoveUnit(U(0), t.hexes("0201", "0301"))).rule == "PB3-1606"
    t.play(MoveUnit(U(0), t.hexes("0201")))
    assert t.refusal(MoveUnit(U(0), t.hexes("0301"))).rule == "PB3-601"


@pytest.mark.rule("PB3-1104", "PB3-1606")
@pytest.mark.parametrize(("work", "die"), [("mines", [6]), ("blocks", [])])
def test_who_is_stopped_by_mines_or_a_block_is_fired_at_there(work: str, die: list[int]) -> None:
    gun = unit("r_su85", "0601", of_assigned=True)
    fields: dict[str, Any] = {work: ["0301"]}
    t = works(unit("g_pz4", "0101"), gun, **fields)
    t.play(MoveUnit(U(0), t.hexes("0201", "0301")), die, passing=False)
    assert (t.asked, t.at(0), t.unit(0).moved) == ("opportunity fire", "0301", False)
    t.play(OpportunityFire((U(1),)), [6], passing=False)
    assert (t.at(0), t.unit(0).moved, t.unit(1).of_used) == ("0301", True, True)


@pytest.mark.rule("PB3-1104", "PB3-1606")
def test_who_is_dispersed_by_mines_is_stopped_by_them_and_by_no_shot() -> None:
    t = works(unit("g_pz4", "0101"), unit("r_su85", "0601", of_assigned=True), mines=["0301"])
    t.play(MoveUnit(U(0), t.hexes("0201", "0301")), [3])
    assert (t.unit(0).dispersed, t.unit(0).moved) == (True, True)
    assert [event.why for event in t.happened(MoveEnded)] == ["mines lie here (PB3-1606)"]


@pytest.mark.rule("PB3-405", "PB3-1606")
def test_units_go_into_a_fort_of_their_hex_as_their_whole_move() -> None:
    t = works(
        unit("n_fort_g", "0101"),
        unit("g_rifle", "0101"),
        unit("g_smg", fort=0),
        unit("g_smg", fort=0),
        step="foot movement",
    )
    assert t.options(1, EnterFort) == [EnterFort(U(1))]
    t.play(EnterFort(U(1)))
    assert t.unit(1).fort == 0
    assert t.refusal(MoveUnit(U(1), t.hexes("0201"))).rule == "PB3-1606"
    t.change(1, moved=False)
    assert t.options(1, LeaveFort) == [LeaveFort(U(1))]
    t.play(LeaveFort(U(1)))
    assert t.unit(1).fort == NOBODY


@pytest.mark.rule("PB3-405")
def test_a_fort_holds_as_many_as_a_hex() -> None:
    t = works(unit("n_fort_g", "0101"), unit("g_rifle", "0101"), *[unit("g_smg", fort=0) for _ in range(3)])
    t.set(step="foot movement")
    assert t.refusal(EnterFort(U(1)), GERMAN).rule == "PB3-405"


@pytest.mark.rule("PB3-1606")
def test_where_and_when_nobody_enters_or_leaves_a_fort() -> None:
    t = works(unit("n_fort_r", "0101"), unit("g_rifle", "0101"), unit("g_smg", "0201"), step="foot movement")
    assert t.refusal(EnterFort(U(1))).rule == "PB3-1606"
    assert t.refusal(EnterFort(U(2))).rule == "PB3-1606"
    assert t.refusal(LeaveFort(U(2))).rule == "PB3-1606"
    assert t.refusal(EnterFort(U(9))).rule == "PB3-1606"
    assert t.refusal(LeaveFort(U(9))).rule == "PB3-1606"
    t = works(unit("n_fort_g", "0101"), unit("g_rifle", "0101", fired=True), unit("g_smg", fort=0, dispersed=True))
    assert t.refusal(EnterFort(U(1))).rule == "PB3-509"
    t.play(EndPhase())
    assert t.refusal(EnterFort(U(1))).rule == "PB3-601"
    assert t.refusal(LeaveFort(U(2))).rule == "PB3-902"


@pytest.mark.rule("PB3-601", "PB3-603", "PB3-1101", "PB3-1606")
def test_who_may_not_move_does_not_come_out_of_a_fort_and_guns_never_do() -> None:
    t = works(unit("n_fort_g", "0101"), unit("g_88", fort=0), unit("g_smg", fort=0, fired=True), step="foot movement")
    assert t.refusal(LeaveFort(U(1))).rule == "PB3-603"
    assert t.refusal(LeaveFort(U(2))).rule == "PB3-601"
    t.change(2, fired=False, of_assigned=True)
    assert t.refusal(LeaveFort(U(2))).rule == "PB3-1101"
    assert t.options(2, LeaveFort) == []


@pytest.mark.rule("PB3-404", "PB3-1606")
def test_nobody_leaves_a_fort_into_a_full_hex_nor_after_setting_out() -> None:
    t = works(unit("n_fort_g", "0101"), unit("g_rifle", fort=0), *[unit("g_smg", "0101") for _ in range(3)])
    t.set(step="foot movement")
    assert t.refusal(LeaveFort(U(1)), GERMAN).rule == "PB3-404"
    t = works(unit("n_fort_g", "0201"), unit("g_pz4", "0101"))
    t.play(MoveUnit(U(1), t.hexes("0201")))
    assert t.refusal(EnterFort(U(1))).rule == "PB3-1606"


@pytest.mark.rule("PB3-302", "PB3-1606")
def test_an_empty_fort_bars_nobody_and_a_held_one_does() -> None:
    t = works(unit("g_pz4", "0101"), unit("n_fort_r", "0201"))
    assert t.check(MoveUnit(U(0), t.hexes("0201"))) is None
    t = works(unit("g_pz4", "0101"), unit("n_fort_r", "0201"), unit("r_rifle", fort=1))
    assert t.refusal(MoveUnit(U(0), t.hexes("0201"))).rule == "PB3-606"
    assert t.unit(1).side == RUSSIAN
