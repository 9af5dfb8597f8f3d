"""What known enemies could do to a unit on a certain ground: each alone, the worst together, with exact odds."""

from __future__ import annotations

import pytest

from sandtable.kernel.forecast import Forecast, Reaction, forecast
from sandtable.kernel.ids import NOBODY, HexId, UnitId
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN
from sandtable.rulesets.panzer_leader.orders import DirectFire
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.table import Table, U, ids, table, unit

PL = PanzerLeader()
OFF_BOARD = HexId(10**6)


def threats(t: Table, label: str, number: int = 0) -> tuple[Reaction, ...]:
    return PL.threats(PL.view(t.state, ALLIED), t.hex(label), U(number))


def odds(t: Table, label: str, number: int = 0) -> list[tuple[tuple[UnitId, ...], str]]:
    return [(threat.actors, threat.text) for threat in threats(t, label, number)]


@pytest.mark.rule("PL-803", "PL-831")
def test_each_known_enemy_alone_and_the_worst_of_them_together() -> None:
    t = table(
        "......", unit("a_m4_75", "0101"), unit("g_50pak", "0401"), unit("g_50pak", "0301"), unit("g_rifle", "0201")
    )
    # 8 halved-range guns: one is near and doubled, one far; riflemen can't harm armor
    assert odds(t, "0101") == [(ids(1, 2), "2-1"), (ids(2), "1-1"), (ids(1), "1-2")]


@pytest.mark.rule("PL-803")
def test_no_more_fire_together_than_the_odds_take() -> None:
    t = table(
        "....", unit("a_truck", "0101"), unit("g_panther", "0301"), unit("g_rifle", "0201"), unit("g_rifle", "0201")
    )
    # the Panther alone has 4-1 against a truck, and so has each of the others less
    assert odds(t, "0101")[0] == (ids(1), "4-1")
    assert all(len(units) == 1 for units, _ in odds(t, "0101"))


@pytest.mark.rule("PL-504", "PL-836")
def test_the_odds_are_those_of_the_attack_that_the_enemy_would_order() -> None:
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401"), step="direct fire", phasing=GERMAN)
    ordered = forecast(PL, PL.view(t.state, GERMAN), DirectFire(ids(1), t.hex("0101"), ids(0)))
    assert isinstance(ordered, Forecast)
    (threat,) = threats(t, "0101")
    assert threat.branches == ordered.branches
    assert [tally.total for tally in threat.tally] == [tally.total for tally in ordered.tally]
    assert {line.rule for tally in threat.tally for line in tally.lines} >= {"PL-307", "PL-802", "PL-831"}


@pytest.mark.rule("PL-209", "PL-721", "PL-833")
def test_the_ground_is_that_of_the_hex_asked_about() -> None:
    t = table("W..T.", unit("a_rifle", "0201"), unit("g_panther", "0501"))
    assert odds(t, "0301") == []
    t = table("W....T", unit("a_rifle", "0201"), unit("g_panther", "0501"))
    assert odds(t, "0201") == [(ids(1), "1-1")]
    # in woods it is not spotted from afar; in the town next to the enemy it is, and counts as armored there
    assert odds(t, "0101") == []
    assert odds(t, "0601") == [(ids(1), "4-1, die +1")]


@pytest.mark.rule("PL-802", "PL-806")
def test_the_enemy_names_whatever_target_is_worst_for_the_unit() -> None:
    # alone the riflemen meet half of the gun's strength; with two tanks they are part of an armored target
    t = table("..", unit("a_rifle", "0101"), unit("a_truck", "0101"), unit("g_50pak", "0201"))
    (alone,) = threats(t, "0101")
    assert alone.text == "1-2"
    t = table("T.", unit("a_rifle", "0101"), unit("a_rifle", "0101"), unit("g_50pak", "0201"))
    (town,) = threats(t, "0101")
    assert town.tally[1].total == 12


@pytest.mark.rule("PL-801", "PL-902")
def test_who_has_fired_can_fire_again_by_then_and_who_is_dispersed_can_not() -> None:
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401", fired=True))
    assert odds(t, "0101") == [(ids(1), "3-1")]
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401", dispersed=1))
    assert odds(t, "0101") == []
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401", fired=True), phasing=GERMAN)
    assert odds(t, "0101") == []


@pytest.mark.rule("PL-645", "PL-1321")
def test_a_carrier_goes_with_whom_it_carries_and_a_fort_stands_for_its_garrison() -> None:
    t = table(
        ".....",
        unit("a_truck", "0101"),
        unit("a_rifle", carrier=0),
        unit("g_panther", "0501"),
        unit("n_fort20", "0201", side="allied"),
        unit("a_rifle", fort=3),
    )
    assert odds(t, "0301", 1) == odds(t, "0301", 0) == [(ids(2), "4-1")]
    assert threats(t, "0201", 4)[0].tally[1].total == 20
    assert threats(t, "0301", 4)[0].tally[1].total == 6


def test_the_card_of_a_unit_tells_the_odds_against_it_where_it_stands() -> None:
    t = table("......", unit("a_m4_75", "0101"), unit("g_panther", "0401"))
    card = PL.card(PL.view(t.state, ALLIED), U(0))
    assert card is not None
    (lines,) = [section.lines for section in card.sections if section.title == "Known enemies can fire at it"]
    assert [(line.label, line.value, line.rule) for line in lines] == [("Panther G #1", "3-1", "PL-805")]


def test_a_unit_still_to_come_can_be_thought_there() -> None:
    t = table("....", unit("a_m4_75", fate="reserve"), unit("g_panther", "0401"))
    assert odds(t, "0101") == [(ids(1), "3-1")]


def test_there_is_nothing_to_tell_of_enemies_of_the_lost_and_of_no_hex() -> None:
    t = table("....", unit("a_m4_75", "0101"), unit("g_panther", "0401"), unit("a_rifle", fate="destroyed"))
    view = PL.view(t.state, ALLIED)
    assert PL.threats(view, t.hex("0101"), U(1)) == PL.threats(view, t.hex("0101"), U(2)) == ()
    assert PL.threats(view, OFF_BOARD, U(0)) == PL.threats(view, t.hex("0101"), U(99)) == ()
    assert PL.threats(view, t.hex("0101"), NOBODY)[0].branches == ()


@pytest.mark.rule("PL-1507")
def test_an_unseen_enemy_is_no_danger_that_is_told() -> None:
    t = table("..T....", unit("a_rifle", "0101"), unit("g_panther", "0701"), options={"fog": True})
    assert odds(t, "0101") == []
