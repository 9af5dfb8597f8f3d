"""What meets a unit on its way: mines, opportunity fire, overruns. P44-8.03 to P44-8.05, P44-12.04, P44-13.01."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzer_44.events import AttackRolled, Destroyed, GroundTaken, Moved, OccasionGiven
from sandtable.rulesets.panzer_44.model import ALLIED, LOST, OPPORTUNITY, Plot
from sandtable.rulesets.panzer_44.orders import FireOnOpportunity, LeaveMap, Move, Overrun, Pass
from sandtable.rulesets.panzer_44.overrun import overrun_options
from sandtable.rulesets.panzer_44.scenario import Exit
from tests.rulesets.panzer_44.table import Counter, Table, U, on_the_move, open_ground, unit

WAIT = Plot(ALLIED, OPPORTUNITY, U(1))


def down(t: Table, *rows: int) -> Move:
    return Move(U(0), t.hexes(*(f"01{row:02}" for row in rows)))


def rolled(t: Table) -> list[tuple[str, str]]:
    return [(event.manner, event.result) for event in t.happened(AttackRolled)]


# --- mines ----------------------------------------------------------------------------------------------------------


def field(grade: str = "hasty", **about: Any) -> Table:
    return on_the_move(open_ground(1, 6), unit("g_pz4h", "0101"), mines={"0102": grade}, **about)


@pytest.mark.rule("P44-13.01")
@pytest.mark.rule("P44-13.04")
def test_mines_attack_who_comes_in_and_again_who_goes_out_and_are_never_used_up() -> None:
    t = field()
    # at -1 a 3 and a 4 delay panic, which stops nobody
    t.play(down(t, 2, 3, 4), dice=[3, 4])
    assert (t.at(0), rolled(t)) == ("0104", [("mines", "P"), ("mines", "P")])
    assert len(t.position.mines) == 1


@pytest.mark.rule("P44-13.01")
@pytest.mark.rule("P44-8.04")
@pytest.mark.parametrize(("die", "fields"), [(1, {"pinned": True}), (6, {"disruption": 1})])
def test_who_is_pinned_or_disrupted_by_mines_stops_in_them(die: int, fields: dict[str, Any]) -> None:
    t = field()
    t.play(down(t, 2, 3), dice=[die])
    assert t.at(0) == "0102"
    assert {name: getattr(t.unit(0), name) for name in fields} == fields


@pytest.mark.rule("P44-13.03")
def test_who_leaves_a_minefield_gets_out_before_he_stops() -> None:
    t = on_the_move(open_ground(1, 6), unit("g_pz4h", "0102"), mines={"0102": "hasty"})
    t.play(down(t, 3, 4), dice=[6])
    assert (t.at(0), t.unit(0).disruption) == ("0103", 1)


@pytest.mark.rule("P44-13.03")
@pytest.mark.rule("P44-10.04")
def test_who_is_destroyed_in_a_minefield_leaves_his_wreck_there() -> None:
    t = on_the_move(open_ground(1, 6), unit("g_pz4h", "0102"), mines={"0102": "defensive"})
    t.play(down(t, 3), dice=[4])
    assert (t.unit(0).fate, t.position.wrecks) == (LOST, t.hexes("0102"))


@pytest.mark.rule("P44-13.02")
def test_cover_is_no_help_against_mines() -> None:
    t = on_the_move(".\nT", unit("g_pz4h", "0101"), mines={"0102": "preventative"}, positions=("0102",))
    t.play(down(t, 2), dice=[4])
    assert [(event.reduction, event.column) for event in t.happened(AttackRolled)] == [(0, 1)]


@pytest.mark.rule("P44-13.04")
def test_mines_attack_both_sides_and_a_passenger_with_its_carrier() -> None:
    t = on_the_move(open_ground(1, 3), unit("u_m3", "0101"), unit("u_rifle", carrier=0), mines={"0102": "preventative"})
    t.play(down(t, 2), dice=[6])
    assert (t.unit(0).disruption, t.unit(1).disruption) == (2, 2)


@pytest.mark.rule("P44-12.07")
@pytest.mark.rule("P44-13.01")
def test_mines_attack_who_leaves_the_map_too() -> None:
    sections = {"exits": (Exit("german", ("0101",)),)}
    t = on_the_move(".\n.", unit("g_pz4h", "0101"), mines={"0101": "defensive"}, sections=sections)
    t.play(LeaveMap(U(0)), dice=[6])
    assert t.unit(0).fate == LOST


# --- opportunity fire -----------------------------------------------------------------------------------------------


def ambush(*others: Counter, plots: tuple[Plot, ...] = (WAIT,), **about: Any) -> Table:
    """A Panzer IV on its way down a column, and a Sherman that waits for it at its end."""
    return on_the_move(open_ground(1, 9), unit("g_pz4h", "0101"), unit("u_m4", "0108"), *others, plots=plots, **about)


@pytest.mark.rule("P44-8.03")
@pytest.mark.rule("P44-5.06")
@pytest.mark.rule("P44-12.02")
def test_a_waiting_unit_may_fire_once_at_who_enters_a_hex_in_its_range_and_sight() -> None:
    t = ambush()
    t.play(down(t, 2, 3, 4), passing=False)
    assert (t.asked, t.decider, t.at(0)) == ("opportunity", ALLIED, "0102")
    t.play(FireOnOpportunity(U(1)), dice=[1], passing=False)
    # 8 less 2 for range 6 less 7 is -1, where a 1 pins
    assert rolled(t) == [("opportunity fire", "Pin")]
    assert (t.at(0), t.unit(1).fired) == ("0102", True)


@pytest.mark.rule("P44-8.04")
def test_delayed_panic_does_not_stop_the_mover() -> None:
    t = ambush()
    t.play(down(t, 2, 3, 4), passing=False)
    t.play(FireOnOpportunity(U(1)), dice=[4])
    assert (t.at(0), t.unit(0).delayed) == ("0104", True)


@pytest.mark.rule("P44-8.02")
def test_who_has_fired_does_not_fire_again() -> None:
    t = ambush()
    t.play(down(t, 2, 3), passing=False)
    t.play(FireOnOpportunity(U(1)), dice=[4], passing=False)
    assert t.asked == "movement"


@pytest.mark.rule("P44-8.03")
def test_several_may_fire_at_one_mover() -> None:
    second = Plot(ALLIED, OPPORTUNITY, U(2))
    t = ambush(unit("u_m4", "0109"), plots=(WAIT, second))
    t.play(down(t, 2), passing=False)
    t.play(FireOnOpportunity(U(1)), dice=[4], passing=False)
    assert t.asked == "opportunity"
    assert t.refusal(FireOnOpportunity(U(1))).rule == "P44-8.02"
    t.play(FireOnOpportunity(U(2)), dice=[6], passing=False)
    assert t.unit(0).disruption == 1


@pytest.mark.rule("P44-8.03")
@pytest.mark.rule("P44-8.04")
def test_a_mover_that_was_stopped_may_be_fired_at_by_others_where_it_stopped() -> None:
    second = Plot(ALLIED, OPPORTUNITY, U(2))
    t = ambush(unit("u_m4", "0109"), plots=(WAIT, second))
    t.play(down(t, 2, 3), passing=False)
    t.play(FireOnOpportunity(U(1)), dice=[1], passing=False)
    assert (t.unit(0).pinned, t.asked) == (True, "opportunity")
    t.play(FireOnOpportunity(U(2)), dice=[6], passing=False)
    assert (t.at(0), t.unit(0).disruption) == ("0102", 1)
    held = ambush(unit("u_m4", "0109"), plots=(WAIT, second))
    held.play(down(held, 2, 3), passing=False)
    held.play(FireOnOpportunity(U(1)), dice=[1], passing=False)
    held.play(Pass(rest=True), passing=False)
    assert (held.at(0), held.position.moving) == ("0102", -1)


@pytest.mark.rule("P44-8.03")
def test_nobody_fires_at_a_mover_that_is_destroyed() -> None:
    t = ambush(unit("u_m4", "0109"), plots=(WAIT, Plot(ALLIED, OPPORTUNITY, U(2))))
    t.change(0, kind="g_truck")
    t.change(1, hex=t.hex("0105"))
    t.play(down(t, 2), passing=False)
    t.play(FireOnOpportunity(U(1)), dice=[6], passing=False)
    assert t.unit(0).fate == LOST
    assert t.asked != "opportunity"


@pytest.mark.rule("P44-12.02")
@pytest.mark.rule("P44-8.03")
def test_a_mover_that_mines_have_stopped_may_be_fired_at_and_one_they_destroyed_not() -> None:
    t = ambush(mines={"0102": "hasty"})
    t.play(down(t, 2, 3), dice=[1], passing=False)
    assert (t.unit(0).pinned, t.asked) == (True, "opportunity")
    t.play(FireOnOpportunity(U(1)), dice=[6], passing=False)
    assert (t.at(0), t.unit(0).disruption) == ("0102", 1)
    gone = ambush(mines={"0102": "defensive"})
    gone.play(down(gone, 2, 3), dice=[6], passing=False)
    assert gone.unit(0).fate == LOST
    assert gone.happened(OccasionGiven) == []


@pytest.mark.rule("P44-8.03")
def test_who_was_not_plotted_for_it_does_not_fire_on_opportunity() -> None:
    t = ambush(unit("u_m4", "0109"))
    t.play(down(t, 2), passing=False)
    assert t.refusal(FireOnOpportunity(U(2))).rule == "P44-8.03"
    assert t.refusal(FireOnOpportunity(U(0))).rule == "P44-5.04"


@pytest.mark.rule("P44-8.05")
@pytest.mark.rule("P44-6.04")
def test_a_pin_spoils_no_opportunity_fire_and_disruption_does() -> None:
    pinned = ambush()
    pinned.change(1, pinned=True)
    pinned.play(down(pinned, 2), passing=False)
    assert pinned.asked == "opportunity"
    barred: tuple[tuple[dict[str, Any], str], ...] = (
        ({"disruption": 1}, "P44-8.05"),
        ({"panic": "frozen"}, "P44-6.04"),
    )
    for changes, rule in barred:
        t = ambush(unit("u_m4", "0109"), plots=(WAIT, Plot(ALLIED, OPPORTUNITY, U(2))))
        t.change(1, **changes)
        t.play(down(t, 2), passing=False)
        assert t.refusal(FireOnOpportunity(U(1))).rule == rule


@pytest.mark.rule("P44-8.03")
def test_an_occasion_may_be_let_pass_once_or_for_the_rest_of_the_move() -> None:
    t = ambush()
    t.play(down(t, 2, 3, 4), passing=False)
    t.play(Pass(), passing=False)
    assert (t.asked, t.at(0)) == ("opportunity", "0103")
    t.play(Pass(rest=True), passing=False)
    assert (t.asked, t.at(0)) == ("movement", "0104")


@pytest.mark.rule("P44-8.03")
@pytest.mark.rule("P44-7.01")
def test_nobody_is_asked_where_nobody_can_fire() -> None:
    t = on_the_move(".\n.\nW\n.", unit("g_pz4h", "0101"), unit("u_m4", "0104"), plots=(WAIT,))
    t.play(down(t, 2), passing=False)
    assert t.happened(OccasionGiven) == []


@pytest.mark.rule("P44-8.03")
@pytest.mark.rule("P44-9.10")
@pytest.mark.rule("P44-13.06")
def test_nobody_is_asked_whose_fire_no_roll_would_make_good() -> None:
    # 4 less 7 is -3, where a 3 is needed, and the Improved Position takes 4 off each roll
    t = on_the_move(open_ground(1, 6), unit("g_pz4h", "0101"), unit("u_m8", "0105"), plots=(WAIT,), positions=("0103",))
    t.play(down(t, 2, 3, 4), passing=False)
    assert (t.asked, t.at(0)) == ("opportunity", "0102")
    t.play(Pass(), passing=False)
    assert (t.asked, t.at(0)) == ("opportunity", "0104")


# --- overruns -------------------------------------------------------------------------------------------------------


def onto(target: Counter, rows: str = ".\n.\n.", attacker: str = "g_pz4h", **about: Any) -> Table:
    return on_the_move(rows, unit(attacker, "0101"), target, **about)


@pytest.mark.rule("P44-12.04")
@pytest.mark.rule("P44-12.05")
def test_armor_that_destroys_everybody_in_a_hex_drives_in_and_is_done() -> None:
    t = onto(unit("u_57", "0103"), rows=open_ground(1, 6))
    t.play(Overrun(U(0), t.hex("0103"), t.hexes("0102")), dice=[2])
    assert rolled(t) == [("overrun", "D4")]
    assert (t.at(0), t.unit(1).fate) == ("0103", LOST)
    assert t.refusal(down(t, 4)).rule == "P44-12.02"


@pytest.mark.rule("P44-12.05")
def test_armor_that_leaves_one_alive_stays_where_it_attacked_from() -> None:
    t = onto(unit("u_57", "0103"), rows=open_ground(1, 6))
    t.play(Overrun(U(0), t.hex("0103"), t.hexes("0102")), dice=[1])
    assert (t.at(0), t.unit(1).disruption) == ("0102", 3)


@pytest.mark.rule("P44-12.04")
@pytest.mark.parametrize("letter", list("TWm"))
def test_nobody_is_overrun_in_town_woods_or_swamp(letter: str) -> None:
    t = onto(unit("u_rifle", "0102"), rows=f".\n{letter}\n.")
    assert t.refusal(Overrun(U(0), t.hex("0102"))).rule == "P44-12.04"


@pytest.mark.rule("P44-12.04")
def test_only_armed_armor_overruns_and_only_soft_units() -> None:
    for attacker, target in (("g_truck", "u_rifle"), ("g_gren", "u_rifle"), ("g_pz4h", "u_m3")):
        t = onto(unit(target, "0102"), attacker=attacker)
        assert t.refusal(Overrun(U(0), t.hex("0102"))).rule == "P44-12.04"
    t = onto(unit("u_rifle", "0103"))
    assert t.refusal(Overrun(U(0), t.hex("0102"))).rule == "P44-12.04"
    assert t.refusal(Overrun(U(0), t.hex("0103"))).rule == "P44-12.04"
    assert t.refusal(Overrun(U(0), U(0))).rule == "P44-12.04"


@pytest.mark.rule("P44-12.04")
def test_an_overrun_takes_a_point_more_than_entering() -> None:
    t = onto(unit("u_rifle", "0103"), rows=open_ground(1, 4))
    t.change(0, spent=16 - 4)
    assert t.refusal(Overrun(U(0), t.hex("0103"), t.hexes("0102"))).rule == "P44-12.04"
    assert list(overrun_options(t.position, t.unit(0).side, t.unit(0))) == []
    t.change(0, spent=16 - 6)
    assert list(overrun_options(t.position, t.unit(0).side, t.unit(0))) == [
        Overrun(U(0), t.hex("0103"), t.hexes("0102"))
    ]


@pytest.mark.rule("P44-12.04")
@pytest.mark.rule("P44-8.03")
def test_opportunity_fire_comes_before_the_overrun_and_who_is_stopped_does_not_overrun() -> None:
    t = on_the_move(
        open_ground(1, 5),
        unit("g_pz4h", "0101"),
        unit("u_57", "0105"),
        unit("u_rifle", "0102"),
        plots=(WAIT,),
    )
    t.play(Overrun(U(0), t.hex("0102")), passing=False)
    assert t.asked == "opportunity"
    t.play(FireOnOpportunity(U(1)), dice=[1], passing=False)
    assert (t.at(0), t.unit(0).pinned, t.unit(2).disruption) == ("0101", True, 0)


@pytest.mark.rule("P44-12.04")
def test_a_howitzer_overruns_on_the_tight_line() -> None:
    t = onto(unit("u_rifle", "0102"), attacker="g_stuh")
    t.play(Overrun(U(0), t.hex("0102")), dice=[1])
    # 4 with nothing subtracted and nothing doubled
    assert [event.column for event in t.happened(AttackRolled)] == [4]


@pytest.mark.rule("P44-14.02")
def test_who_drives_in_takes_the_ground() -> None:
    t = onto(unit("u_57", "0102"), objectives={"Hill": ("0102",)})
    t.play(Overrun(U(0), t.hex("0102")), dice=[6])
    assert [(event.hex, event.side) for event in t.happened(GroundTaken)] == [(t.hex("0102"), "german")]
    assert len(t.happened(Destroyed)) == 1
    assert [event.hex for event in t.happened(Moved)] == [t.hex("0102")]
