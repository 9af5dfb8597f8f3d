"""Digging in, works that are vacated, and congestion that eases."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.rulesets.panzer_battles import features
from sandtable.rulesets.panzer_battles.describe import sentence
from sandtable.rulesets.panzer_battles.engineers import digging, keeping
from sandtable.rulesets.panzer_battles.engineers.events import FeatureChanged, WorkChanged
from sandtable.rulesets.panzer_battles.engineers.orders import DigIn
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, TRAVEL, Feature
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import Assault, EndTurn, Fire, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, AllHighest, Table, U, table, unit

IMPROVED, TRENCH, BUNKER = (Feature(kind, ALLIED) for kind in ("improved", "trench", "bunker"))


def works(t: Table, label: str = "0101") -> list[Feature]:
    return list(features.at(t.position, t.hex(label)))


def dug(t: Table, *dice: int) -> None:
    """The Allied units that dig have tested at the start of their turn, by these dice alone."""
    t.work(digging.dig, ALLIED, dice)


@pytest.mark.rule("PB-MOVE-102")
def test_who_digs_in_is_deployed_in_good_order_and_has_neither_moved_nor_fired() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101"))
    assert BOOK.text(DigIn(U(0)), t.position) == "Rifle company #0 digs in"
    t.play(DigIn(U(0)))
    assert t.unit(0).digging_in
    assert BOOK.text(DigIn(U(0)), t.position) == "Rifle company #0 stops digging in"
    assert sentence(t.only(WorkChanged), t.position).endswith("digs in")
    t.play(DigIn(U(0)))
    assert not t.unit(0).digging_in
    assert sentence(t.only(WorkChanged), t.position).endswith("ends its work")
    change: dict[str, Any]
    for change, rule in (
        ({"mode": TRAVEL}, "PB-MOVE-102"),
        ({"disrupted": True}, "PB-MOVE-102"),
        ({"moved": True}, "PB-MOVE-102"),
        ({"fired": True}, "PB-MOVE-102"),
        ({"operation": "laying"}, "PB-ENG-7"),
    ):
        t = table(". . .", unit("su_rifle_coy", "0101", **change))
        assert t.refusal(DigIn(U(0))).rule == rule


@pytest.mark.rule("PB-MOVE-102")
@pytest.mark.rule("PB-MOVE-105")
@pytest.mark.rule("PB-OPT-8")
def test_nobody_digs_in_frozen_ground_or_beside_a_pillbox_and_no_staff_ever() -> None:
    t = table(". .", unit("su_rifle_coy", "0101"), condition="frozen")
    assert t.refusal(DigIn(U(0))).reason == "the ground is frozen"
    vacated = Feature("bunker", ALLIED, vacated=True)
    for found, rule in ((Feature("pillbox", ALLIED), "PB-MOVE-102"), (vacated, "PB-MOVE-108"), (BUNKER, "PB-MOVE-108")):
        t = table(". .", unit("su_rifle_coy", "0101"), features={"0101": [found]})
        assert t.refusal(DigIn(U(0))).rule == rule
    t = table(". .", unit("su_bn_hq", "0101"))
    assert t.refusal(DigIn(U(0))).rule == "PB-MOVE-102"
    assert t.refusal(DigIn(U(9))).rule == "PB-GEN-3"


@pytest.mark.rule("PB-MOVE-103")
def test_who_digs_in_does_not_storm_and_stops_digging_when_it_moves() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101", digging_in=True), unit("de_rifle_coy", "0201"), fog=False)
    assert t.refusal(Assault((U(0),), t.hex("0201"))).rule == "PB-ASLT-4"
    t = table(". .", unit("su_rifle_coy", "0101", digging_in=True))
    t.play(Move((U(0),), t.hexes("0201")))
    assert not t.unit(0).digging_in


@pytest.mark.rule("PB-MOVE-103")
def test_who_digs_in_fires_at_half_value() -> None:
    def value(**changes: Any) -> float:
        t = table(". .", unit("su_rifle_coy", "0101", **changes), unit("de_rifle_coy", "0201"), fog=False)
        from sandtable.rulesets.panzer_battles.fire.situations import shot

        return shot(t.position, t.unit(0), t.unit(1)).value.value

    assert value(digging_in=True) == value() / 2
    t = table(". .", unit("su_sapper_coy", "0101", operation="clearing"), unit("de_rifle_coy", "0201"), fog=False)
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-8"


@pytest.mark.rule("PB-MOVE-104")
@pytest.mark.rule("PB-MOVE-106")
@pytest.mark.rule("PB-FIRE-66")
@pytest.mark.rule("PB-MOVE-108")
def test_digging_makes_an_improved_position_a_trench_and_for_engineers_a_bunker() -> None:
    t = table(". .", unit("su_sapper_coy", "0101", digging_in=True))
    for made in (IMPROVED, TRENCH, BUNKER):
        dug(t, ONE)
        assert works(t) == [made]
    assert not t.unit(0).digging_in
    t = table(". .", unit("su_rifle_coy", "0101", digging_in=True), features={"0101": [IMPROVED]})
    dug(t, HIGHEST)
    assert works(t) == [IMPROVED]
    dug(t, ONE)
    assert works(t) == [TRENCH]
    assert not t.unit(0).digging_in, "riflemen build no bunkers"


@pytest.mark.rule("PB-MOVE-104")
@pytest.mark.rule("PB-FIRE-69")
def test_digging_restores_a_vacated_trench_first_and_makes_the_enemys_one_s_own() -> None:
    for found in (Feature("trench", ALLIED, vacated=True), Feature("trench", AXIS, vacated=True)):
        t = table(". .", unit("su_rifle_coy", "0101", digging_in=True), features={"0101": [found]})
        dug(t, ONE)
        assert works(t) == [TRENCH]


@pytest.mark.rule("PB-MOVE-106")
def test_companies_engineers_and_improved_positions_go_faster() -> None:
    platoon, company, sappers = (
        table(". .", unit(kind, "0101")).unit(0) for kind in ("su_rifle_plt", "su_rifle_coy", "su_sapper_coy")
    )
    assert digging.dig_chance(platoon, "improved", DEFAULTS) == Fraction(16, 100)
    assert digging.dig_chance(company, "trench", DEFAULTS) == Fraction(12, 100)
    assert digging.dig_chance(sappers, "trench", DEFAULTS) == Fraction(36, 100)
    assert digging.dig_chance(sappers, "bunker", DEFAULTS) == Fraction(2, 100)
    two = table(". .", unit("su_rifle_plt", "0101", parts=(U(7),))).unit(0)
    assert digging.size_multiplier(two, DEFAULTS) == 2
    t = table(". .", unit("su_rifle_plt", "0101"))
    (tally,) = digging.explain_dig(t.position, ALLIED, DigIn(U(0)))
    assert tally.total == "16.0%"
    t.change(0, digging_in=True)
    assert digging.explain_dig(t.position, ALLIED, DigIn(U(0))) == ()


@pytest.mark.rule("PB-MOVE-107")
def test_of_several_that_dig_in_a_hex_one_success_is_enough() -> None:
    t = table(
        ". .",
        unit("su_rifle_plt", "0101", digging_in=True),
        unit("su_rifle_plt", "0101", digging_in=True, disrupted=True),
        unit("su_rifle_plt", "0101", digging_in=True),
        unit("su_rifle_plt", "0101", digging_in=True),
    )
    dug(t, HIGHEST, ONE)
    assert works(t) == [IMPROVED]


@pytest.mark.rule("PB-TURN-2")
def test_digging_is_tested_at_the_start_of_the_side_s_turn() -> None:
    t = table(". . .", unit("su_rifle_coy", "0101", digging_in=True), unit("de_rifle_coy", "0301"), fog=False)
    t.play(EndTurn(), AllHighest())
    assert works(t) == []
    t.play(EndTurn(), AllHighest())
    assert works(t) == []
    assert t.unit(0).digging_in


@pytest.mark.rule("PB-FIRE-68")
def test_a_work_that_nobody_of_its_side_holds_is_vacated_when_a_turn_ends() -> None:
    t = table(
        ". . .",
        unit("su_rifle_coy", "0101"),
        unit("de_rifle_coy", "0301"),
        features={"0101": [TRENCH], "0201": [IMPROVED, Feature("rubble")], "0301": [Feature("trench", AXIS)]},
    )
    t.work(lambda bench, side: keeping.end_turn(bench), ALLIED, ())
    assert [one.vacated for one in works(t) + works(t, "0301")] == [False, False]
    assert Feature("improved", ALLIED, vacated=True) in works(t, "0201")


@pytest.mark.rule("PB-MOVE-78")
@pytest.mark.rule("PB-MOVE-79")
def test_congestion_goes_when_its_side_has_stood_in_it_for_long_and_never_when_it_is_for_both() -> None:
    t = table(
        ". . .",
        unit("su_rifle_coy", "0101"),
        unit("su_rifle_coy", "0201"),
        features={"0101": [Feature("congestion", ALLIED)], "0201": [Feature("congestion")]},
        parameters={"misc": {"congestion_expiration": 2}},
    )
    t.work(lambda bench, side: keeping.end_turn(bench), ALLIED, ())
    assert works(t) == [Feature("congestion", ALLIED, count=1)]
    t.work(lambda bench, side: keeping.end_turn(bench), ALLIED, ())
    assert works(t) == []
    assert works(t, "0201") == [Feature("congestion")]
    assert sentence(FeatureChanged(t.hex("0101"), Feature("congestion", ALLIED)), t.position).endswith("is no more")
    assert sentence(FeatureChanged(t.hex("0101")), t.position) == ""
