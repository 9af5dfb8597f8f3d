"""Phase 5: markers come off, and engineers work. P44-10.07 to P44-10.09, P44-13.05, P44-13.07."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_44.events import MinesLowered, PinRemoved, PositionBuilt, RecoveryRolled, WorkEnded
from sandtable.rulesets.panzer_44.model import ALLIED, CLEARING, DIGGING, GERMAN, Plot
from sandtable.rulesets.panzer_44.recovery import remove_markers
from tests.rulesets.panzer_44.table import Table, U, open_ground, table, unit


def removal(t: Table, *dice: int) -> Table:
    t.run(remove_markers, dice=dice)
    return t


@pytest.mark.rule("P44-10.07")
def test_all_pins_come_off_without_a_roll() -> None:
    t = removal(table("..", unit("g_pz4h", "0101", pinned=True), unit("u_m4", "0201", pinned=True)))
    assert [event.unit for event in t.happened(PinRemoved)] == [1, 0]
    assert not t.unit(0).pinned
    assert not t.unit(1).pinned


@pytest.mark.rule("P44-10.08")
@pytest.mark.parametrize(("level", "die", "left"), [(1, 3, 0), (1, 4, 1), (2, 2, 0), (2, 3, 2), (3, 1, 0), (3, 2, 3)])
def test_disruption_goes_altogether_or_stays(level: int, die: int, left: int) -> None:
    t = removal(table("..", unit("g_pz4h", "0101", disruption=level)), die)
    assert [(event.roll, event.recovered) for event in t.happened(RecoveryRolled)] == [(die, not left)]
    assert t.unit(0).disruption == left


@pytest.mark.rule("P44-6.07")
def test_a_panicked_unit_recovers_too() -> None:
    t = removal(table("..", unit("g_pz4h", "0101", panic="frozen", pinned=True, disruption=1)), 1)
    assert (t.unit(0).pinned, t.unit(0).disruption) == (False, 0)


# --- engineers ------------------------------------------------------------------------------------------------------


def engineers(kind: str = CLEARING, grade: str = "preventative", **changes: Any) -> Table:
    """Pioneers beside a minefield with an order to work."""
    t = table(open_ground(2, 3), unit("g_pio", "0101", **changes), mines={"0102": grade})
    place = t.hex("0102") if kind == CLEARING else t.hex("0101")
    t.set(plots=(Plot(GERMAN, kind, U(0), place if kind == CLEARING else 0),))
    return t


@pytest.mark.rule("P44-13.05")
@pytest.mark.parametrize(("grade", "after"), [("defensive", "preventative"), ("preventative", "hasty"), ("hasty", "")])
def test_engineers_lower_a_field_by_one_grade_in_two_turns_running(grade: str, after: str) -> None:
    t = removal(engineers(grade=grade))
    assert [(work.kind, work.turns) for work in t.position.works] == [(CLEARING, 1)]
    assert t.happened(MinesLowered) == []
    removal(t)
    assert [event.grade for event in t.happened(MinesLowered)] == [after]
    assert t.position.mines.get(t.hex("0102"), "") == after
    assert t.position.works == ()


@pytest.mark.rule("P44-13.05")
@pytest.mark.parametrize("changes", [{"disruption": 1}, {"panic": "frozen"}])
def test_engineers_who_were_disrupted_or_panicked_begin_again(changes: dict[str, Any]) -> None:
    t = removal(engineers())
    t.change(0, **changes)
    removal(t, *([1] if "disruption" in changes else []))
    assert len(t.happened(WorkEnded)) == 1
    assert not t.position.works
    t.change(0, panic="")
    removal(t)
    assert [work.turns for work in t.position.works] == [1]


@pytest.mark.rule("P44-13.05")
def test_work_that_is_not_gone_on_with_is_lost() -> None:
    t = removal(engineers())
    t.set(plots=())
    removal(t)
    assert t.position.works == ()


@pytest.mark.rule("P44-13.05")
def test_another_hex_is_another_work() -> None:
    t = removal(engineers())
    t.set(mines={"0102": "hasty", "0201": "hasty"}, plots=(Plot(GERMAN, CLEARING, U(0), t.hex("0201")),))
    removal(t)
    assert [(t.board.label(work.hex), work.turns) for work in t.position.works] == [("0201", 1)]


@pytest.mark.rule("P44-13.05")
def test_two_platoons_that_finish_together_find_no_mines_left() -> None:
    t = table(open_ground(2, 3), unit("g_pio", "0101"), unit("g_pio", "0103"), mines={"0102": "hasty"})
    t.set(plots=tuple(Plot(GERMAN, CLEARING, U(n), t.hex("0102")) for n in (0, 1)))
    removal(removal(t))
    assert [event.grade for event in t.happened(MinesLowered)] == [""]


@pytest.mark.rule("P44-13.07")
def test_engineers_dig_a_position_in_four_turns_running() -> None:
    t = engineers(DIGGING)
    for turn in (1, 2, 3):
        assert [work.turns for work in removal(t).position.works] == [turn]
    removal(t)
    assert [event.hex for event in t.happened(PositionBuilt)] == [t.hex("0101")]
    assert t.position.positions == t.hexes("0101")


@pytest.mark.rule("P44-13.07")
def test_two_platoons_dig_one_position() -> None:
    t = table("..", unit("u_eng", "0101"), unit("u_eng", "0101"))
    t.set(plots=tuple(Plot(ALLIED, DIGGING, U(n)) for n in (0, 1)))
    for _ in range(4):
        removal(t)
    assert len(t.happened(PositionBuilt)) == 1
