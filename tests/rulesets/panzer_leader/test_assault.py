"""Close assault."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.ids import NOWHERE, HexId, RuleId
from sandtable.kernel.trace import Line
from sandtable.rulesets.panzer_leader import assault
from sandtable.rulesets.panzer_leader.events import AttackFailed, AttackRolled, UnitDestroyed, UnitDispersed, UnitsFired
from sandtable.rulesets.panzer_leader.model import ALLIED, ASSAULT, FIRE, GERMAN
from sandtable.rulesets.panzer_leader.orders import CloseAssault
from tests.rulesets.panzer_leader.table import Counter, Table, U, ids, open_board, table, unit


def storm(*units: Counter, rows: str = open_board(3, 4), **fields: Any) -> Table:
    return table(rows, *units, step="close assault", **fields)


def order(t: Table, label: str, *units: int) -> CloseAssault:
    return CloseAssault(ids(*units), t.hex(label))


@pytest.mark.rule("PL-507", "PL-1021", "PL-1023", "PL-1024")
def test_infantry_assaults_an_adjacent_hex_with_printed_strength_at_minus_2() -> None:
    t = storm(unit("a_armored", "0202"), unit("g_pz4", "0203"), unit("g_rifle", "0203"))
    played = t.play(order(t, "0203", 0), dice=[3])
    (rolled,) = t.happened(AttackRolled)
    # the whole hex is the target: no weapons chart, no elevation
    assert (rolled.strength, rolled.defense, rolled.targets) == ("4", 16, (1, 2))
    assert (rolled.odds, rolled.drm, rolled.result) == ("1-4", -2, "-")
    assert (rolled.group, rolled.how, rolled.rule) == (ASSAULT, "close_assault", "PL-507")
    assert [type(event) for event in played.events] == [UnitsFired, AttackRolled]


@pytest.mark.rule("PL-823", "PL-1023")
def test_elevation_and_weapon_class_mean_nothing_in_an_assault() -> None:
    t = storm(unit("a_airborne", "0202"), unit("g_lynx", "0203"), elevation={"0203": 2})
    t.play(order(t, "0203", 0), dice=[6])
    assert (t.happened(AttackRolled)[0].strength, t.happened(AttackRolled)[0].odds) == ("4", "1-2")


@pytest.mark.rule("PL-1024")
@pytest.mark.parametrize(
    ("letter", "dispersed", "drm"),
    [(".", 0, -2), ("W", 0, -1), ("T", 0, -1), ("M", 0, -2), ("B", 0, -2), ("W", 1, -2), (".", 1, -3)],
)
def test_terrain_and_dispersal_of_the_target_change_the_die(letter: str, dispersed: int, drm: int) -> None:
    t = storm(unit("a_airborne", "0101"), unit("g_smg", "0102", dispersed=dispersed), rows=f".\n{letter}")
    strength, defense, odds, die = t.explain(order(t, "0102", 0))
    assert die.total == drm
    assert (strength.total, defense.total, odds.total) == (4, 6, "1-2")
    assert die.lines[-1] == Line("Close assault", -2, RuleId("PL-833"))


@pytest.mark.rule("PL-1025")
@pytest.mark.parametrize(
    ("places", "kinds", "odds"),
    [
        (("0202", "0202"), ("a_rifle", "a_engineer"), "1-2"),
        (("0202", "0303"), ("a_rifle", "a_engineer"), "1-3"),
        (("0202", "0202"), ("a_engineer", "a_engineer"), "1-4"),
        (("0202", "0202"), ("a_rifle", "a_rifle"), "1-2"),
    ],
)
def test_an_engineer_stacked_with_other_infantry_shifts_the_odds_one_column(
    places: tuple[str, str], kinds: tuple[str, str], odds: str
) -> None:
    t = storm(unit(kinds[0], places[0]), unit(kinds[1], places[1]), unit("g_rifle", "0203"))
    t.play(order(t, "0203", 0, 1), dice=[6])
    assert t.happened(AttackRolled)[0].odds == odds


@pytest.mark.rule("PL-1025")
def test_the_shift_comes_once_however_many_engineers_and_is_a_line_of_the_odds() -> None:
    t = storm(
        unit("a_rifle", "0202"),
        unit("a_engineer", "0202"),
        unit("a_engineer", "0202"),
        unit("a_mg", "0202"),
        unit("g_smg", "0203"),
    )
    odds = t.explain(order(t, "0203", 0, 1, 2, 3))[2]
    assert odds.total == "2-1"
    assert odds.lines == (
        Line("6 against 6", "1-1", RuleId("PL-831")),
        Line("Engineers with infantry: one column", "2-1", RuleId("PL-1025")),
    )


@pytest.mark.rule("PL-1025", "PL-1027")
def test_machine_guns_are_not_the_infantry_that_engineers_support() -> None:
    t = storm(unit("a_mg", "0202"), unit("a_engineer", "0202"), unit("g_smg", "0203"))
    t.play(order(t, "0203", 0, 1), dice=[6])
    assert t.happened(AttackRolled)[0].odds == "1-2"


@pytest.mark.rule("PL-832", "PL-1025")
def test_odds_are_judged_before_the_shift() -> None:
    t = storm(unit("a_scout", "0202"), unit("a_engineer", "0202"), unit("g_tiger2", "0203"))
    assert t.refusal(order(t, "0203", 0, 1)).rule == "PL-832"


@pytest.mark.rule("PL-306", "PL-1027")
def test_machine_guns_assault_only_together_with_other_infantry_of_their_hex() -> None:
    t = storm(unit("a_mg", "0202"), unit("a_rifle", "0202"), unit("a_rifle", "0303"), unit("g_smg", "0203"))
    assert t.refusal(order(t, "0203", 0)).rule == "PL-1027"
    assert t.refusal(order(t, "0203", 0, 2)).rule == "PL-1027"
    assert t.check(order(t, "0203", 0, 1)) is None


@pytest.mark.rule("PL-306", "PL-1021")
@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"fired": True}, "PL-1021"),
        ({"dispersed": 1}, "PL-1021"),
        ({"transported": True}, "PL-643"),
        ({"carrier": 1}, "PL-643"),
        ({"kind": "a_81mm"}, "PL-1021"),
        ({"kind": "a_m4_75"}, "PL-1021"),
        ({"hex": 0}, "PL-1021"),
        ({"hex": "0101"}, "PL-1021"),
        ({"side": GERMAN}, "PL-1021"),
    ],
)
def test_attackers_are_ready_adjacent_infantry_that_neither_fired_nor_rode(
    changes: dict[str, object], rule: str
) -> None:
    t = storm(unit("a_rifle", "0202"), unit("a_truck", "0202"), unit("g_smg", "0203"))
    assert t.check(order(t, "0203", 0)) is None
    t.change(0, **changes)
    assert t.refusal(order(t, "0203", 0)).rule == rule


@pytest.mark.rule("PL-1606")
def test_a_rider_that_dropped_off_before_an_overrun_may_assault_its_target_and_no_other_hex() -> None:
    t = storm(
        unit("g_rifle", "0202", transported=True), unit("a_rifle", "0203"), unit("a_rifle", "0201"), phasing=GERMAN
    )
    assert t.refusal(order(t, "0203", 0)).rule == "PL-643"
    t.change(0, assaults=t.hex("0203"))
    assert t.check(order(t, "0203", 0)) is None
    assert t.refusal(order(t, "0201", 0)).rule == "PL-1606"
    assert [option.hex for option in assault.assault_options(t.position, GERMAN, t.unit(0))] == [t.hex("0203")]


@pytest.mark.rule("PL-1028")
def test_a_unit_that_came_along_a_road_may_assault() -> None:
    t = storm(unit("a_rifle", "0202", moved=True), unit("g_smg", "0203"), roads=[["0201", "0202"]])
    assert t.check(order(t, "0203", 0)) is None
    assert assault.may_assault(t.position)


@pytest.mark.rule("PL-713", "PL-1022")
def test_no_assault_goes_out_of_a_stream_or_into_the_sea() -> None:
    t = storm(unit("a_rifle", "0101"), unit("g_smg", "0102"), rows="R\n.")
    assert t.refusal(order(t, "0102", 0)).rule == "PL-1022"
    sea = storm(unit("g_rifle", "0102"), unit("a_rifle", "0101"), rows="O\nB", phasing=GERMAN)
    assert sea.refusal(order(sea, "0101", 0)).rule == "PL-1022"
    assert not assault.may_assault(sea.position)
    into = storm(unit("a_rifle", "0101"), unit("g_smg", "0102"), rows=".\nR")
    assert into.check(order(into, "0102", 0)) is None


@pytest.mark.rule("PL-622", "PL-1022")
def test_no_assault_goes_across_a_cliff() -> None:
    t = storm(unit("a_rifle", "0202"), unit("g_smg", "0203"), hexsides={"cliff": ["0202-0203"]})
    assert t.refusal(order(t, "0203", 0)).rule == "PL-622"


@pytest.mark.rule("PL-1022")
def test_no_spotting_is_needed_to_assault_woods() -> None:
    t = storm(unit("a_rifle", "0101"), unit("g_smg", "0102"), rows="W\nW")
    assert t.check(order(t, "0102", 0)) is None


@pytest.mark.rule("PL-1026")
def test_a_hex_is_assaulted_once_in_a_segment_and_a_unit_assaults_once() -> None:
    t = storm(unit("a_armored", "0202"), unit("a_armored", "0202"), unit("g_smg", "0203"), unit("g_smg", "0201"))
    t.play(order(t, "0203", 0), dice=[6])
    assert t.unit(2).attacked == (ASSAULT,)
    assert t.refusal(order(t, "0203", 1)).rule == "PL-1026"
    assert t.refusal(order(t, "0201", 0)).rule == "PL-1021"
    assert t.check(order(t, "0201", 1)) is None
    assert [o.hex for o in assault.assault_options(t.position, ALLIED, t.unit(1))] == [t.hex("0201")]


@pytest.mark.rule("PL-511")
def test_an_assault_may_follow_fire_at_the_same_unit() -> None:
    t = storm(unit("a_rifle", "0202"), unit("g_smg", "0203", attacked=(FIRE,)))
    t.play(order(t, "0203", 0), dice=[2])
    assert t.unit(1).attacked == (FIRE, ASSAULT)


@pytest.mark.rule("PL-723")
def test_an_assault_gives_nobody_away() -> None:
    t = storm(unit("a_rifle", "0101"), unit("g_smg", "0102"), rows="W\n.")
    t.play(order(t, "0102", 0), dice=[6])
    assert t.position.sightings == ()
    assert t.unit(0).fired
    assert t.unit(0).last_fired == 0


@pytest.mark.rule("PL-1322")
def test_insiders_do_not_assault_and_those_on_top_are_adjacent_to_them() -> None:
    t = storm(unit("n_fort20", "0202"), unit("g_smg", fort=0), unit("a_armored", "0202"), unit("a_armored", "0202"))
    t.play(order(t, "0202", 2, 3), dice=[1])
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.targets, rolled.defense, rolled.odds) == ((0,), 20, "1-3")
    assert [event.unit for event in t.happened(UnitDispersed)] == [0, 1]
    inside = storm(unit("n_fort20", "0202"), unit("g_smg", fort=0), unit("a_rifle", "0203"), phasing=GERMAN)
    assert inside.refusal(order(inside, "0203", 1)).rule == "PL-1322"


@pytest.mark.rule("PL-1333")
def test_a_tank_bridge_is_not_assaulted() -> None:
    t = storm(unit("a_rifle", "0101"), unit("n_tbridge", "0102", GERMAN), rows=".\nR")
    assert t.refusal(order(t, "0102", 0)).rule == "PL-1021"


@pytest.mark.rule("PL-1021")
def test_an_order_that_names_nonsense_is_refused_and_never_fails() -> None:
    t = storm(unit("a_rifle", "0202"), unit("g_smg", "0203"))
    for units, place in (
        ((), t.hex("0203")),
        ((0, 0), t.hex("0203")),
        ((-1,), t.hex("0203")),
        ((5,), t.hex("0203")),
        ((0,), HexId(0)),
        ((0,), HexId(-3)),
        ((0,), HexId(10**6)),
        ((0,), t.hex("0201")),
    ):
        assert t.refusal(CloseAssault(ids(*units), place)).rule == "PL-1021"
    assert t.explain(CloseAssault((), t.hex("0203"))) == ()


@pytest.mark.rule("PL-832", "PL-1023")
def test_an_assault_that_unknown_defenders_make_hopeless_is_spent_without_effect() -> None:
    t = storm(unit("a_scout", "0202"), unit("g_tiger2", "0203"))
    t.run(assault.resolve_assault, ALLIED, order(t, "0203", 0))
    failed = AttackFailed(ALLIED, "close_assault", ids(0), t.hex("0203"))
    assert t.events == (UnitsFired(ids(0), closely=True), failed)


@pytest.mark.rule("PL-901", "PL-908")
def test_the_defenders_suffer_the_result_together() -> None:
    t = storm(unit("a_armored", "0202"), unit("a_armored", "0202"), unit("g_lynx", "0203"), unit("g_truck", "0203"))
    t.play(order(t, "0203", 0, 1), dice=[1])
    assert t.happened(AttackRolled)[0].result == "X"
    assert [(event.unit, event.wreck != NOWHERE) for event in t.happened(UnitDestroyed)] == [(2, True), (3, False)]


@pytest.mark.rule("PL-1021")
def test_every_option_is_lawful_alone_with_the_stack_and_with_all() -> None:
    t = storm(
        unit("a_rifle", "0202"),
        unit("a_engineer", "0202"),
        unit("a_mg", "0303"),
        unit("a_rifle", "0303"),
        unit("a_81mm", "0202"),
        unit("g_smg", "0203"),
        unit("g_tiger2", "0201"),
    )
    made = {u.id: list(assault.assault_options(t.position, ALLIED, u)) for u in t.position.units}
    for number, options in made.items():
        for option in options:
            assert isinstance(option, CloseAssault)
            assert option.units[0] == number
            assert t.check(option) is None
    place = t.hex("0203")
    assert made[U(0)] == [
        CloseAssault(ids(0), place),
        CloseAssault(ids(0, 1), place),
        CloseAssault(ids(0, 1, 2, 3), place),
    ]
    assert [option.units for option in made[U(2)]] == [(2, 3), (2, 0, 1, 3)]
    assert made[U(4)] == made[U(5)] == []


@pytest.mark.rule("PL-507")
def test_the_step_is_passed_over_when_no_infantry_stands_beside_an_enemy() -> None:
    t = storm(unit("a_rifle", "0202"), unit("g_smg", "0204"))
    assert not assault.may_assault(t.position)
    t.change(1, hex="0203")
    assert assault.may_assault(t.position)
    t.change(0, fired=True)
    assert not assault.may_assault(t.position)
