"""The worked examples of the specification about mines, bridges and digging in."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.kernel.ids import SideId
from sandtable.rulesets.panzer_battles.engineers import bridges, demolition, digging
from sandtable.rulesets.panzer_battles.engineers.orders import BuildBridge
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, Feature
from sandtable.rulesets.panzer_battles.movement import entry
from sandtable.rulesets.panzer_battles.movement.minefields import blast
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.results.losses import assault_interval
from sandtable.rulesets.panzer_battles.results.odds import result_odds
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, Counter, U, table, unit
from tests.rulesets.panzer_battles.test_examples import Facts, of_kind


def near(number: float) -> object:
    return pytest.approx(number, abs=1e-6)


@of_kind("mines")
def test_what_mines_do_to_who_enters(situation: Facts, expected: Facts) -> None:
    mover = unit(situation["unit"], "0101", side=ALLIED, strength=situation["strength"])
    mines = Feature("minefield", ALLIED, situation["mine_strength"])
    t = table(". .", mover, features={"0201": [mines]})
    found = blast(t.position, t.unit(0), t.hex("0201"), rides=situation["external_riders"])
    assert found is not None
    assert tuple(found.interval) == near_pair(expected["low"], expected["high"])
    assert entry.least(t.position, t.unit(0), t.hex("0201")) == expected["mp_cost_floor"]
    odds = result_odds(found.struck, found.interval, DEFAULTS)
    assert odds.mean_loss == near(expected["mean_loss"])


def near_pair(low: float, high: float) -> object:
    return pytest.approx((low, high), abs=1e-6)


@of_kind("bridge damage")
def test_how_likely_a_bridge_is_damaged(situation: Facts, expected: Facts) -> None:
    cv = situation["assault"] * situation["men"] / DEFAULTS.bridge.defense[situation["bridge"]]
    assert cv == near(expected["cv"])
    between = assault_interval(cv, DEFAULTS)
    assert tuple(between) == near_pair(expected["low"], expected["high"])
    assert demolition.damage_chance(between, 10) == near(expected["p_damage"])


def builders(situation: Facts, side: SideId) -> list[Counter]:
    kinds = {"company": "su_bridge_eng", "platoon": "su_rifle_plt"}
    return [
        unit(kinds[one["size"]], "0101", side=side, strength=one["men"], quality=one["q"])
        for one in situation["engineers"]
    ]


@of_kind("bridge building")
def test_how_likely_a_bridge_is_built(situation: Facts, expected: Facts) -> None:
    t = table(". .", *builders(situation, SideId(situation["side"])))
    each = [bridges.build_chance(one, DEFAULTS) for one in t.position.units]
    assert [float(one) for one in each] == pytest.approx(expected["each"])
    assert float(bridges.together(each)) == near(expected["p_complete"])


@of_kind("pontoon")
def test_a_pontoon_is_possible_only_after_its_turns(situation: Facts, expected: Facts) -> None:
    turns, chances = situation["pontoon_turns"], expected["p_complete_turn"]
    t = table(
        ". ~ .\n. . .",
        unit("de_bridge_eng", "0101", side=AXIS, strength=situation["men"], quality=situation["q"]),
        parameters={"bridge": {"pontoon_turns": {"axis": turns}}},
        active=AXIS,
    )
    t.play(BuildBridge(U(0), t.hex("0201")))
    for chance in chances[:-1]:
        assert chance == 0
        t.work(bridges.work, AXIS, ())
    t.work(bridges.work, AXIS, (HIGHEST,))
    assert not t.position.features
    t.work(bridges.work, AXIS, (ONE,))
    assert [one.kind for one in t.position.features[t.hex("0201")]] == ["pontoon"]
    chance = float(bridges.build_chance(t.unit(0), DEFAULTS))
    assert chance == near(chances[-1])
    assert turns + 1 / chance == near(expected["mean_turns"])


@of_kind("digging")
def test_how_likely_digging_succeeds(situation: Facts, expected: Facts) -> None:
    kinds = {
        ("platoon", False): "su_rifle_plt",
        ("company", False): "su_rifle_coy",
        ("company", True): "su_sapper_coy",
    }
    digger = table(". .", unit(kinds[situation["size"], situation["engineer"]], "0101")).unit(0)
    chance = digging.dig_chance(digger, situation["step"], DEFAULTS)
    assert chance == Fraction(str(expected["p"]))
