"""Opportunity fire: secret assignment, how long a mover must be seen, the shot and what comes after it."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.rulesets.panzerblitz_3d.events import AssignmentsRevealed, AttackRolled, UnitMoved
from sandtable.rulesets.panzerblitz_3d.model import DESTROYED, GERMAN, RUSSIAN, Mover
from sandtable.rulesets.panzerblitz_3d.opportunity import candidates, opportunity_offers, opportunity_options, threshold
from sandtable.rulesets.panzerblitz_3d.orders import (
    Assign,
    DesignateTarget,
    MoveUnit,
    OpportunityFire,
    Pass,
    SealPlot,
    Unassign,
)
from tests.rulesets.panzerblitz_3d.table import Counter, Table, U, open_ground, table, unit

# --- assigning -------------------------------------------------------------------------------------------------------


def assigning(*units: Counter) -> Table:
    return table(open_ground(9, 2), *units, step="opportunity assignment")


@pytest.mark.rule("PB3-503")
def test_both_sides_assign_in_secret_and_show_it_together() -> None:
    t = assigning(unit("g_88", "0101"), unit("g_pz4", "0101"), unit("r_76at", "0901"))
    t.play(Assign((U(0), U(1))), side=GERMAN)
    t.play(Unassign((U(1),)), side=GERMAN)
    t.play(SealPlot(), side=GERMAN)
    assert not t.unit(0).of_assigned
    t.play(Assign((U(2),)), side=RUSSIAN)
    t.play(SealPlot(), side=RUSSIAN)
    assert len(t.happened(AssignmentsRevealed)) == 1
    assert [t.unit(number).of_assigned for number in range(3)] == [True, False, True]


@pytest.mark.rule("PB3-503", "PB3-622", "PB3-902")
def test_the_dispersed_the_unarmed_and_passengers_are_not_assigned() -> None:
    t = assigning(
        unit("g_88", "0101", dispersed=True), unit("g_truck", "0101"), unit("g_rifle", carrier=1), unit("g_pz4", "0201")
    )
    for number, rule in ((0, "PB3-503"), (1, "PB3-503"), (2, "PB3-622")):
        assert t.refusal(Assign((U(number),)), GERMAN).rule == rule
        assert t.options(number, Assign) == []
    t.play(Assign((U(3),)), side=GERMAN)
    assert t.refusal(Assign((U(3),)), GERMAN).rule == "PB3-503"
    assert t.refusal(Assign((U(7),)), GERMAN).rule == "PB3-503"
    assert t.refusal(Unassign((U(0),)), GERMAN).rule == "PB3-503"


@pytest.mark.rule("PB3-1101")
def test_who_lies_in_wait_neither_fires_nor_moves_in_his_own_turn() -> None:
    t = table(open_ground(9, 1), unit("g_pz4", "0101", of_assigned=True), unit("r_truck", "0401"), step="fire")
    assert t.refusal(DesignateTarget((U(0),), t.hex("0401"), (U(1),))).rule == "PB3-1101"
    t = table(open_ground(9, 1), unit("g_pz4", "0101", of_assigned=True, of_used=True), step="vehicle movement")
    assert t.refusal(MoveUnit(U(0), t.hexes("0201"))).rule == "PB3-1101"


# --- being seen long enough ------------------------------------------------------------------------------------------

LANE = open_ground(9, 2)


def drive(mover: str, *units: Counter, rows: str = LANE, start: str = "0101", **fields: Any) -> Table:
    """The Germans move while Russian guns lie in wait."""
    step = "foot movement" if mover == "g_rifle" else "vehicle movement"
    return table(rows, unit(mover, start), *units, **{"phasing": GERMAN, "step": step, **fields})


def gun(label: str = "0901", key: str = "r_su85") -> Counter:
    return unit(key, label, of_assigned=True)


def stops(t: Table, *labels: str) -> list[str]:
    """The hexes in which the first unit may be fired at on its way, if nobody does."""
    found = []
    t.play(MoveUnit(U(0), t.hexes(*labels)), passing=False)
    while t.asked == "opportunity fire":
        found.append(t.at(0))
        t.play(Pass(), passing=False)
    return found


@pytest.mark.rule("PB3-1102", "PB3-1104")
def test_a_mover_is_fired_at_from_a_quarter_of_its_allowance_on() -> None:
    assert stops(drive("g_pz4", gun("0801")), "0201", "0301", "0401") == ["0301", "0401"]
    assert stops(drive("g_puma", gun("0801")), "0201", "0301", "0401") == ["0401"]
    assert threshold("g_truck") == 6


@pytest.mark.rule("PB3-1102")
def test_who_has_three_points_or_fewer_is_fired_at_on_the_first_hex() -> None:
    assert stops(drive("g_rifle", gun("0501", "r_76how")), "0201") == ["0201"]


@pytest.mark.rule("PB3-1103")
def test_a_hex_out_of_sight_sets_the_count_back() -> None:
    t = drive("g_pz4", gun("0801"), gully=["0301"])
    assert stops(t, "0201", "0301", "0302") == ["0302"]
    t = drive("g_panther", gun("0801"), gully=["0301"], roads=[["0301", "0401"]])
    assert stops(t, "0201", "0301", "0401", "0501") == []


@pytest.mark.rule("PB3-1103")
def test_woods_in_sight_neither_add_nor_reset_unless_the_mover_is_spotted_there() -> None:
    rows = "..W......\n........."
    assert stops(drive("g_pz4", gun("0801"), rows=rows), "0201", "0301", "0401") == ["0401"]
    watched = drive("g_pz4", gun("0801"), unit("r_truck", "0302"), rows=rows)
    assert stops(watched, "0201", "0301", "0401") == ["0301", "0401"]


@pytest.mark.rule("PB3-1101", "PB3-906")
@pytest.mark.parametrize("changes", [{"of_assigned": False}, {"of_used": True}, {"dispersed": True}, {"fired": True}])
def test_only_those_who_wait_in_good_order_and_have_not_fired(changes: dict[str, bool]) -> None:
    t = drive("g_pz4", gun("0801"))
    t.change(1, **changes)
    assert stops(t, "0201", "0301", "0401") == []


@pytest.mark.rule("PB3-1104")
def test_a_hopeless_shot_is_not_offered() -> None:
    assert stops(drive("g_tiger2", unit("g_truck", "0102"), gun("0501", "r_ht")), "0201", "0301", "0401") == []
    assert stops(drive("g_pz4", gun("0701", "r_45at")), "0201", "0301") == []


@pytest.mark.rule("PB3-814", "PB3-1104")
def test_nobody_is_asked_whose_fire_no_die_would_make_good() -> None:
    def asked(rows: str) -> list[str]:
        # 3 against 8 is 1-3, where only a 1 does anything
        return stops(drive("g_rifle", gun("0301", "r_recon"), rows=rows), "0201")

    assert asked("...\n...") == ["0201"]
    assert asked(".W.\n...") == []


# --- the shot --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("PB3-801", "PB3-1104", "PB3-1105")
def test_a_survivor_drives_on_and_each_gun_fires_once() -> None:
    t = drive("g_pz4", gun("0801"))
    t.play(MoveUnit(U(0), t.hexes("0201", "0301", "0401")), passing=False)
    assert t.at(0) == "0301"
    t.play(OpportunityFire((U(1),)), [6])
    assert t.at(0) == "0401"
    assert (t.unit(1).of_used, t.unit(1).fired) == (True, True)


@pytest.mark.rule("PB3-1105")
def test_who_is_dispersed_or_destroyed_drives_no_further() -> None:
    t = drive("g_pz4", gun("0801"))
    t.play(MoveUnit(U(0), t.hexes("0201", "0301", "0401")), passing=False)
    t.play(OpportunityFire((U(1),)), [3])
    assert (t.at(0), t.unit(0).dispersed) == ("0301", True)
    t = drive("g_truck", gun("0801"))
    t.play(MoveUnit(U(0), t.hexes("0201", "0301", "0401")), passing=False)
    assert [order.firers for order in opportunity_offers(t.position, RUSSIAN)] == [(1,)]
    t.play(OpportunityFire((U(1),)), [1])
    assert t.unit(0).fate == DESTROYED


@pytest.mark.rule("PB3-404", "PB3-1105")
@pytest.mark.parametrize(("full", "place"), [(("0301",), "0201"), (("0201", "0301"), "0101"), ((), "0301")])
def test_who_is_dispersed_while_it_passes_through_a_full_hex_ends_in_the_last_one_with_room(
    full: tuple[str, ...], place: str
) -> None:
    t = drive("g_pz4", gun("0801"), unit("g_rifle", carrier=0), *(unit("g_truck", h) for h in full for _ in range(3)))
    t.play(MoveUnit(U(0), t.hexes("0201", "0301", "0401")), passing=False)
    t.play(OpportunityFire((U(1),)), [3])
    assert (t.at(0), t.unit(0).dispersed, t.unit(0).moved) == (place, True, True)
    # there is no room for the rider either where the fire hit it
    assert t.at(2) == ("" if full else "0301")


@pytest.mark.rule("PB3-1104")
def test_guns_that_fire_at_the_same_moment_fire_together_at_the_mover_alone() -> None:
    t = drive("g_pz4", gun("0801"), gun("0802"), unit("g_truck", "0301"))
    t.play(MoveUnit(U(0), t.hexes("0201", "0301", "0401")), passing=False)
    window = t.state.flow[-1]
    assert [order.firers for order in opportunity_options(t.position, RUSSIAN, window)] == [(1,), (2,), (1, 2)]  # type: ignore[arg-type]
    offers = [order.firers for order in opportunity_offers(t.position, RUSSIAN)]
    assert (offers[0], sorted(offers[1:])) == ((1, 2), [(1,), (2,)]), "the strongest is offered first"
    assert t.explain(OpportunityFire((U(1), U(2))))[0].total == 28
    t.play(OpportunityFire((U(1), U(2))), [6])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.strength, rolled.targets, rolled.rule) == (28, (0,), "PB3-1104")


@pytest.mark.rule("PB3-1101", "PB3-1102")
def test_only_a_gun_that_has_seen_enough_may_fire() -> None:
    t = drive("g_pz4", gun("0801"), gun("0802"), unit("r_t34c", "0402"))
    t.play(MoveUnit(U(0), t.hexes("0201", "0301", "0401")), passing=False)
    assert t.refusal(OpportunityFire((U(3),))).rule == "PB3-1101"
    assert t.refusal(OpportunityFire((U(9),))).rule == "PB3-1104"
    assert t.explain(OpportunityFire((U(3),))) == ()
    mover = t.position.mover
    assert mover is not None
    t.set(mover=Mover(mover.unit, mover.start, mover.spent, mover.hexes, {U(2): 4}))
    assert t.refusal(OpportunityFire((U(1),))).rule == "PB3-1102"


@pytest.mark.rule("PB3-1104")
def test_nobody_is_fired_at_who_does_not_move() -> None:
    t = drive("g_pz4", gun("0801"))
    assert candidates(t.position, t.unit(0)) == ()
    t.play(MoveUnit(U(0), t.hexes("0201", "0301")))
    assert len(t.happened(UnitMoved)) == 2
