"""Panic: section 6."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_44 import journeys, panic
from sandtable.rulesets.panzer_44.events import BoltRolled, DigitsDrawn, Panicked, Pinned, Steadied
from sandtable.rulesets.panzer_44.model import BOLTING, FROZEN, GERMAN, MOVE, Plot
from sandtable.rulesets.panzer_44.plots import plot_of
from sandtable.rulesets.panzer_44.scenario import Group
from tests.rulesets.panzer_44.table import Counter, Table, U, on_the_move, open_ground, table, unit


def drawn(*units: Counter, dice: tuple[int, ...], **sections: Any) -> Table:
    """The table after the phase of panic."""
    options = sections.pop("options", None)
    t = table(open_ground(12, 12), *units, step="panic", sections=sections, options=options)
    t.run(panic.determine, dice=dice)
    return t


def panicked(t: Table) -> dict[int, str]:
    return {event.unit: event.panic for event in t.happened(Panicked)}


@pytest.mark.rule("P44-6.03")
@pytest.mark.rule("P44-1.04")
def test_units_in_hexes_whose_number_ends_in_a_drawn_digit_panic_together() -> None:
    units = [unit("g_pak40", label) for label in ("0103", "0203", "0104", "1012", "0110")]
    # of the digits 0 to 9 the fourth is 3, and of the nine that are left the first is 0
    t = drawn(*units, dice=(4, 1), panic={"german": 2})
    assert [event.digits for event in t.happened(DigitsDrawn)] == [(0, 3)]
    assert panicked(t) == {0: FROZEN, 1: FROZEN, 4: FROZEN}


@pytest.mark.rule("P44-6.01")
@pytest.mark.rule("P44-6.08")
def test_a_side_of_level_0_never_panics_and_sides_draw_apart_the_first_player_first() -> None:
    t = drawn(unit("g_pak40", "0103"), unit("u_57", "0203"), dice=(4,), panic={"german": 1})
    assert panicked(t) == {0: FROZEN}
    both = drawn(unit("g_pak40", "0103"), unit("u_57", "0203"), dice=(4, 5), panic={"german": 1, "allied": 1})
    assert [(event.side, event.digits) for event in both.happened(DigitsDrawn)] == [("allied", (3,)), ("german", (4,))]


GREEN = Group("green", "Green crews", "german", 1)


@pytest.mark.rule("P44-6.01")
@pytest.mark.rule("P44-6.03")
@pytest.mark.parametrize(
    ("group", "second"),
    [
        (GREEN, {"group": "green"}),
        (Group("green", "Green crews", "german", 1, types=("g_pak43",)), {}),
        (Group("green", "Green crews", "german", 1, nations=("german",)), {}),
    ],
)
def test_a_group_draws_for_itself(group: Group, second: dict[str, str]) -> None:
    ground = table(".", sections={"groups": (group,)}).position.ground
    named = panic.group_of(ground, "g_pak43", GERMAN, second.get("group", ""))
    assert named == "green"
    t = drawn(unit("g_pak43", "0103", group=named), dice=(4,), groups=(group,))
    assert [(event.group, event.digits) for event in t.happened(DigitsDrawn)] == [("green", (3,))]
    assert panicked(t) == {0: FROZEN}


@pytest.mark.rule("P44-6.01")
def test_who_belongs_to_no_group_has_the_level_of_his_side() -> None:
    groups = (Group("green", "Green crews", "german", 3, types=("g_pak43",)),)
    ground = table(".", sections={"groups": groups, "panic": {"german": 1}}).position.ground
    assert panic.group_of(ground, "g_pz4h", GERMAN, "") == ""
    assert panic.group_of(ground, "u_m4", SideId("allied"), "") == ""
    assert [(nerve.group, nerve.level) for nerve in panic.nerves(ground, GERMAN)] == [("", 1), ("green", 3)]


@pytest.mark.rule("P44-6.02")
@pytest.mark.rule("P44-10.02")
def test_delayed_panic_comes_first_and_is_used_up() -> None:
    t = drawn(unit("g_pz4h", "0103", delayed=True), dice=(2,))
    assert panicked(t) == {0: FROZEN}
    assert not t.unit(0).delayed


@pytest.mark.rule("P44-6.02")
def test_who_has_panicked_already_does_not_panic_again_by_his_digit() -> None:
    t = drawn(unit("g_pz4h", "0103", delayed=True), dice=(5, 4), panic={"german": 1})
    assert panicked(t) == {0: BOLTING}


@pytest.mark.rule("P44-6.05")
@pytest.mark.parametrize(("roll", "wanted"), [(1, FROZEN), (4, FROZEN), (5, BOLTING), (6, BOLTING)])
def test_one_to_four_freeze_five_and_six_bolt(roll: int, wanted: str) -> None:
    assert panicked(drawn(unit("g_pz4h", "0103", delayed=True), dice=(roll,))) == {0: wanted}


@pytest.mark.rule("P44-6.05")
@pytest.mark.parametrize(
    "one", [unit("g_pz4h", "0103", disruption=1), unit("g_pz4h", "0103", pinned=True), unit("g_pak40", "0103")]
)
def test_disrupted_pinned_and_immobile_units_freeze_without_a_roll(one: Counter) -> None:
    assert panicked(drawn(one, dice=(4,), panic={"german": 1})) == {0: FROZEN}


@pytest.mark.rule("P44-6.04")
def test_panic_cancels_the_units_order() -> None:
    t = table("...", unit("g_pz4h", "0101", delayed=True), unit("g_pz4h", "0201"))
    t.set(plots=(Plot(GERMAN, MOVE, U(0)), Plot(GERMAN, MOVE, U(1))))
    t.run(panic.determine, dice=[1])
    assert plot_of(t.position, U(0)) is None
    assert plot_of(t.position, U(1)) is not None


@pytest.mark.rule("P44-4.06")
def test_a_passenger_panics_with_its_carrier_and_rolls_nothing() -> None:
    t = drawn(unit("g_251", "0103"), unit("g_pzgren", carrier=0), dice=(4, 1), panic={"german": 1})
    assert (t.unit(0).panic, t.unit(1).panic) == (FROZEN, FROZEN)


@pytest.mark.rule("P44-15.01")
def test_individual_panic_each_unit_draws_for_itself() -> None:
    t = drawn(
        unit("g_pak40", "0103"),
        unit("g_pak40", "0203"),
        dice=(2, 3),
        panic={"german": 2},
        options={"individual_panic": True},
    )
    assert t.happened(DigitsDrawn) == []
    assert panicked(t) == {0: FROZEN}


# --- bolting --------------------------------------------------------------------------------------------------------


def bolting(rows: str, *units: Counter, roll: int, dice: tuple[int, ...] = (), **about: Any) -> Table:
    """The table after unit 0, panicked, has run in a direction."""
    t = on_the_move(rows, *units, plotted=(), **about)
    t.change(0, panic=BOLTING)
    t.settle(dice=(roll, *dice))
    return t


@pytest.mark.rule("P44-6.06")
@pytest.mark.rule("P44-1.05")
@pytest.mark.parametrize(
    ("roll", "end"), [(1, "0505"), (2, "0907"), (3, "0911"), (4, "0513"), (5, "0111"), (6, "0107")]
)
def test_who_bolts_runs_half_his_movement_straight_in_the_direction_of_the_die(roll: int, end: str) -> None:
    t = bolting(open_ground(14, 14), unit("g_pz4h", "0509"), roll=roll)
    assert [event.roll for event in t.happened(BoltRolled)] == [roll]
    assert t.at(0) == end


@pytest.mark.rule("P44-6.06")
def test_half_the_movement_is_rounded_up_to_a_whole_point() -> None:
    assert bolting(open_ground(1, 9), unit("g_panther", "0101"), roll=4).at(0) == "0106"
    assert bolting(open_ground(1, 9), unit("g_gren", "0101"), roll=4).at(0) == "0102"


@pytest.mark.rule("P44-6.06")
@pytest.mark.parametrize(
    ("rows", "others", "about", "end"),
    [
        (".\n.\nW\n.\n.", (), {}, "0103"),
        (".\n.\n.\n.\n.", (), {"hexsides": {"river": ["0102-0103"]}}, "0102"),
        (".\n.\n.\n.\n.", (unit("u_m5", "0104", "allied"),), {}, "0103"),
        (".\n.\n.\n.\n.", tuple(unit("g_gren", "0103") for _ in range(3)), {}, "0102"),
        (".\n.", (), {}, "0102"),
    ],
)
def test_the_run_ends_where_the_next_hex_is_too_dear_closed_held_full_or_off_the_map(
    rows: str, others: tuple[Counter, ...], about: dict[str, Any], end: str
) -> None:
    assert bolting(rows, unit("g_pz4h", "0101"), *others, roll=4, **about).at(0) == end


@pytest.mark.rule("P44-6.06")
@pytest.mark.parametrize("changes", [{"pinned": True}, {"disruption": 2}])
def test_who_was_pinned_or_disrupted_in_the_meantime_does_not_run(changes: dict[str, Any]) -> None:
    t = on_the_move(open_ground(1, 9), unit("g_pz4h", "0101", panic=BOLTING, **changes), plotted=())
    t.run(journeys.bolt, t.unit(0))
    assert [event.unit for event in t.happened(Steadied)] == [0]
    assert (t.at(0), t.unit(0).panic) == ("0101", FROZEN)


@pytest.mark.rule("P44-6.06")
@pytest.mark.rule("P44-13.01")
def test_mines_stop_who_runs_into_them() -> None:
    t = bolting(open_ground(1, 9), unit("g_pz4h", "0101"), roll=4, dice=(1,), mines={"0102": "hasty"})
    assert t.at(0) == "0102"
    assert [event.unit for event in t.happened(Pinned)] == [0]


@pytest.mark.rule("P44-6.07")
def test_panic_is_over_at_the_end_of_the_turn_and_does_not_bar_recovery() -> None:
    t = bolting(open_ground(1, 9), unit("g_pz4h", "0101"), unit("g_pz4h", "0109", panic=FROZEN, pinned=True), roll=4)
    assert (t.unit(0).panic, t.unit(1).panic, t.unit(1).pinned) == ("", "", False)
