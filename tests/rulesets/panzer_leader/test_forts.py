"""Fortifications: who is inside, who stands on top, and who owns them."""

from fractions import Fraction
from typing import Any

import pytest

from sandtable.kernel.events import Event
from sandtable.kernel.ids import HexId
from sandtable.rulesets.panzer_leader import combat, forts, stacks
from sandtable.rulesets.panzer_leader.events import FortCaptured, FortEntered, FortLeft, MoveEnded, UnitDestroyed
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN, Mover, Unit
from sandtable.rulesets.panzer_leader.orders import EnterFort, LeaveFort, MoveUnit
from sandtable.rulesets.panzer_leader.workings import Attack
from tests.rulesets.panzer_leader.table import Counter, Table, U, drawn, ids, table, unit

OPEN = """
. . .
. . .
"""


def fort_table(*units: Counter, step: str = "foot movement", **fields: Any) -> Table:
    """A fortification in 0201 with the German side to move; the fort is unit 0."""
    return table(OPEN, unit("n_fort30", "0201"), *units, phasing=GERMAN, step=step, **fields)


@pytest.mark.rule("PL-404")
def test_a_fort_with_its_garrison_counts_as_one_and_up_to_three_stand_outside() -> None:
    inside = [unit("g_rifle", fort=0) for _ in range(4)]
    t = fort_table(*inside, *[unit("g_rifle", "0201") for _ in range(3)])
    assert stacks.height(t.position, t.hex("0201")) == 4
    assert not stacks.has_room(t.position, t.hex("0201"))


@pytest.mark.rule("PL-404")
def test_up_to_four_units_may_be_inside() -> None:
    t = fort_table(*[unit("g_rifle", fort=0) for _ in range(3)], unit("g_rifle", "0201"), unit("g_rifle", "0201"))
    t.play(EnterFort(U(4)))
    assert t.unit(4).fort == 0
    assert t.refusal(EnterFort(U(5))).rule == "PL-404"


@pytest.mark.rule("PL-1321")
def test_going_in_costs_nothing_and_ends_the_move() -> None:
    t = fort_table(unit("g_rifle", "0201"))
    t.play(EnterFort(U(1)))
    assert t.events == (FortEntered(U(1), U(0)), MoveEnded(U(1)))
    assert t.refusal(LeaveFort(U(1))).rule == "PL-601"


@pytest.mark.rule("PL-1321")
def test_coming_out_leaves_the_unit_free_to_move() -> None:
    t = fort_table(unit("g_rifle", fort=0))
    t.play(LeaveFort(U(1)))
    assert t.events == (FortLeft(U(1), U(0)),)
    assert not t.unit(1).moved


@pytest.mark.rule("PL-601")
def test_the_move_of_another_unit_is_over_when_one_goes_in_or_out() -> None:
    t = fort_table(unit("g_rifle", "0201"), unit("g_rifle", fort=0), unit("g_rifle", "0101"))
    t.set(mover=Mover(U(3), t.hex("0101")))
    t.play(EnterFort(U(1)))
    assert t.happened(MoveEnded) == [MoveEnded(U(3)), MoveEnded(U(1))]
    t.set(mover=Mover(U(3), t.hex("0101")))
    t.play(LeaveFort(U(2)))
    assert t.happened(MoveEnded) == [MoveEnded(U(3))]


@pytest.mark.rule("PL-601")
def test_a_unit_may_not_go_in_any_more_when_the_next_one_has_started_to_move() -> None:
    t = fort_table(unit("g_rifle", "0201"), unit("g_rifle", "0101"))
    t.set(mover=Mover(U(1), t.hex("0101"), spent=2, hexes=1))
    assert t.check(EnterFort(U(1))) is None
    t.play(MoveUnit(U(2), t.hexes("0102")))
    assert t.happened(MoveEnded) == [MoveEnded(U(1))]
    assert t.refusal(EnterFort(U(1))).rule == "PL-601"


@pytest.mark.rule("PL-601")
def test_a_unit_may_go_in_at_the_end_of_its_own_move() -> None:
    t = fort_table(unit("g_rifle", "0201"))
    t.set(mover=Mover(U(1), t.hex("0101"), spent=2))
    t.play(EnterFort(U(1)))
    assert t.happened(MoveEnded) == [MoveEnded(U(1))]


@pytest.mark.rule("PL-1321")
@pytest.mark.parametrize(
    ("counter", "rule"),
    [
        (unit("g_rifle", "0101"), "PL-1321"),
        (unit("g_rifle", fort=0), "PL-1321"),
        (unit("g_rifle"), "PL-1321"),
        (unit("a_rifle", "0201"), "PL-1321"),
        (unit("g_rifle", "0201", fired=True), "PL-602"),
        (unit("g_rifle", "0201", dispersed=1), "PL-602"),
        (unit("g_75pak", "0201"), "PL-604"),
        (unit("g_rifle", "0201", transported=True), "PL-643"),
        (unit("g_pz4", "0201"), "PL-506"),
    ],
)
def test_what_can_not_go_into_a_fort_now(counter: Counter, rule: str) -> None:
    t = fort_table(counter)
    assert t.refusal(EnterFort(U(1))).rule == rule


@pytest.mark.rule("PL-507")
def test_foot_units_go_in_when_foot_units_move_and_vehicles_when_vehicles_do() -> None:
    t = fort_table(unit("g_rifle", "0201"), unit("g_pz4", "0201"), step="vehicle movement")
    assert t.refusal(EnterFort(U(1))).rule == "PL-507"
    t.play(EnterFort(U(2)))
    assert t.unit(2).fort == 0


@pytest.mark.rule("PL-1321")
def test_a_loaded_carrier_and_the_fort_itself_stay_out_and_no_order_names_a_unit_that_is_not() -> None:
    t = fort_table(unit("g_truck", "0201"), unit("g_rifle", carrier=1), step="vehicle movement")
    assert t.refusal(EnterFort(U(1))).rule == "PL-1321"
    assert t.refusal(EnterFort(U(2))).rule == "PL-643"
    assert t.refusal(EnterFort(U(0))).rule == "PL-1321"
    assert t.refusal(EnterFort(U(99))).rule == "PL-1321"
    assert t.refusal(LeaveFort(U(-1))).rule == "PL-1321"
    assert t.refusal(LeaveFort(U(1))).rule == "PL-1321"


@pytest.mark.rule("PL-602")
def test_a_dispersed_garrison_stays_in() -> None:
    t = fort_table(unit("g_rifle", fort=0, dispersed=1))
    assert t.refusal(LeaveFort(U(1))).rule == "PL-602"


@pytest.mark.rule("PL-404")
def test_nobody_comes_out_where_four_counters_lie() -> None:
    t = fort_table(unit("g_rifle", fort=0), wrecks={"0201": 3})
    assert t.refusal(LeaveFort(U(1))).rule == "PL-404"


@pytest.mark.rule("PL-1322", "PL-406")
def test_an_enemy_on_top_keeps_the_garrison_in_and_friends_out() -> None:
    t = fort_table(unit("g_rifle", fort=0), unit("a_rifle", "0201"), unit("g_rifle", "0201"))
    assert t.refusal(LeaveFort(U(1))).rule == "PL-1322"
    assert t.refusal(EnterFort(U(3))).rule == "PL-1322"
    assert forts.top_refusal(t.position, GERMAN, t.hex("0201")) is not None


@pytest.mark.rule("PL-1322")
def test_an_enemy_may_move_on_top_only_if_nobody_defends_from_above() -> None:
    t = fort_table(unit("g_rifle", fort=0))
    assert forts.top_refusal(t.position, ALLIED, t.hex("0201")) is None
    t = fort_table(unit("g_rifle", fort=0), unit("g_rifle", "0201"))
    refusal = forts.top_refusal(t.position, ALLIED, t.hex("0201"))
    assert refusal is not None
    assert refusal.rule == "PL-1322"
    assert forts.top_refusal(t.position, ALLIED, t.hex("0101")) is None


@pytest.mark.rule("PL-1322")
def test_units_on_top_can_not_go_into_a_fort_that_the_enemy_holds() -> None:
    t = table(OPEN, unit("n_fort30", "0201"), unit("g_rifle", fort=0), unit("a_rifle", "0201"), step="foot movement")
    assert t.refusal(EnterFort(U(2))).rule == "PL-1322"


@pytest.mark.rule("PL-1323")
def test_an_empty_fort_is_captured_by_moving_in() -> None:
    t = table(OPEN, unit("n_fort30", "0201"), unit("a_rifle", "0201"), step="foot movement")
    t.play(EnterFort(U(1)))
    assert t.events == (FortCaptured(U(0), ALLIED), FortEntered(U(1), U(0)), MoveEnded(U(1)))
    assert t.unit(0).side == ALLIED


@pytest.mark.rule("PL-1323")
def test_an_empty_fort_is_the_side_s_that_comes_to_its_hex_and_a_held_one_is_not() -> None:
    t = table(OPEN, unit("n_fort30", "0201"), unit("a_rifle", "0201"), unit("g_rifle", "0301"))
    t.run(forts.capture, 1, t.hex("0201"))
    assert t.happened(Event) == [FortCaptured(U(0), ALLIED)]
    t.run(forts.capture, 1, t.hex("0201"))
    assert t.happened(Event) == []
    t = table(OPEN, unit("n_fort30", "0201"), unit("g_rifle", fort=0), unit("a_rifle", "0201"))
    t.run(forts.capture, 2, t.hex("0201"))
    t.run(forts.capture, 2, t.hex("0101"))
    assert t.happened(Event) == []


@pytest.mark.rule("PL-1321")
def test_units_inside_defend_only_with_the_fort_s_strength() -> None:
    t = fort_table(unit("g_rifle", fort=0), unit("g_rifle", fort=0))
    target = stacks.counters_at(t.position, t.hex("0201"), GERMAN)
    assert [counter.id for counter in target] == [0]
    assert combat.total_defense(t.position, target)[0] == 30
    assert combat.target_type(t.position, target) == combat.ARMORED


def _attack(t: Table, odds: str) -> Attack:
    return Attack(
        group="fire",
        how=combat.DIRECT,
        attackers=(),
        hex=t.hex("0201"),
        targets=ids(0),
        strength=Fraction(30),
        defense=30,
        base=odds,
        odds=odds,
        drm=0,
        rule="PL-836",
        tallies=combat.tallied(Fraction(30), 30, odds, 0),
    )


@pytest.mark.rule("PL-1321")
def test_a_destroyed_fort_kills_its_contents_and_leaves_one_wreck() -> None:
    t = fort_table(unit("g_pz4", fort=0), unit("g_rifle", fort=0))
    t.run(combat.roll_attack, _attack(t, "4-1"), dice=[1])
    assert t.happened(UnitDestroyed) == [
        UnitDestroyed(U(1), rule="PL-1321"),
        UnitDestroyed(U(2), rule="PL-1321"),
        UnitDestroyed(U(0), t.hex("0201"), "PL-901"),
    ]
    assert t.position.wrecks == {t.hex("0201"): 1}


@pytest.mark.rule("PL-1321")
def test_a_dispersed_fort_disperses_its_contents() -> None:
    t = fort_table(unit("g_rifle", fort=0), unit("g_rifle", "0201"))
    t.run(combat.roll_attack, _attack(t, "1-1"), dice=[3])
    assert [bool(t.unit(n).dispersed) for n in range(3)] == [True, True, False]


@pytest.mark.rule("PL-1321")
def test_forts_stand_one_to_a_hex_and_not_on_swamp_sea_beach_or_stream() -> None:
    board = drawn("M O B R\n. T W S")
    places = [HexId(board.parse(label)) for label in ("0101", "0201", "0301", "0401", "0102", "0202", "0302", "0402")]
    assert [place for place, _ in forts.fort_problems(board, places)] == places[:4]
    assert list(forts.fort_problems(board, [places[4], places[4]])) == [
        (places[4], "two fortifications in one hex (PL-1321)")
    ]


def ways(t: Table, counter: Unit) -> list[EnterFort | LeaveFort]:
    position = t.position
    return [*forts.enter_options(position, GERMAN, counter), *forts.leave_options(position, GERMAN, counter)]


def test_the_options_are_the_lawful_orders() -> None:
    t = fort_table(unit("g_rifle", fort=0), unit("g_rifle", "0201"), unit("g_rifle", "0101"), unit("g_rifle"))
    listed = [
        [*forts.enter_options(t.position, GERMAN, counter), *forts.leave_options(t.position, GERMAN, counter)]
        for counter in t.position.units
    ]
    assert listed == [[], [LeaveFort(U(1))], [EnterFort(U(2))], [], []]
    t = fort_table(unit("g_rifle", fort=0, fired=True), unit("g_rifle", "0201", fired=True))
    listed = [
        [*forts.enter_options(t.position, GERMAN, counter), *forts.leave_options(t.position, GERMAN, counter)]
        for counter in t.position.units
    ]
    assert listed == [[], [], []]
