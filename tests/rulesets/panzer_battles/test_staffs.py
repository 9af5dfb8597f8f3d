"""Headquarters: what they do and never do, how far they reach, and where they are formed anew."""

from __future__ import annotations

import pytest

from sandtable.kernel.ids import NOBODY
from sandtable.rulesets.panzer_battles.air.flying import gunners
from sandtable.rulesets.panzer_battles.assault.eligibility import cannot_assault, defenders_of
from sandtable.rulesets.panzer_battles.command.control import modified_range, nominal_range
from sandtable.rulesets.panzer_battles.command.restoration import place_for, restore
from sandtable.rulesets.panzer_battles.fire.eligibility import cannot_fire
from sandtable.rulesets.panzer_battles.fire.orders import Bombard
from sandtable.rulesets.panzer_battles.kinds import KINDS
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS, RAIL
from sandtable.rulesets.panzer_battles.orders import Assault, Fire, Move
from sandtable.rulesets.panzer_battles.parameters import DEFAULTS
from sandtable.rulesets.panzer_battles.spotting.levels import SPOTTED, level
from tests.rulesets.panzer_battles.table import HIGHEST, ONE, AllHighest, U, table, unit


@pytest.mark.rule("PB-CMD-2", "PB-UNIT-13")
def test_headquarters_defend_and_fire_at_aircraft_and_never_attack_on_the_ground() -> None:
    armed = next(kind.key for kind in KINDS.values() if kind.has("hq") and kind.aa)
    staff = unit(armed, "0101", "allied")
    t = table(". .", staff, unit("de_rifle_coy", "0201"), unit("ju87_flight", "", "axis"))
    assert t.refusal(Fire(U(0), U(1))).rule == "PB-FIRE-8"
    assert t.refusal(Assault((U(0),), t.hex("0201"))).rule == "PB-UNIT-13"
    assert cannot_fire(t.position, t.unit(0)) is not None
    assert cannot_assault(t.position, ALLIED, t.unit(0)) is not None
    assert gunners(t.position, t.unit(2), t.hex("0101")) == [t.unit(0)]
    assert defenders_of(t.position, AXIS, t.hex("0101")) == [t.unit(0)]


@pytest.mark.rule("PB-CMD-5")
def test_a_headquarters_that_has_moved_reaches_as_far_as_before() -> None:
    t = table(". . .", unit("us_bn_hq", "0101"))
    before = modified_range(t.unit(0), DEFAULTS)
    t.play(Move((U(0),), t.hexes("0201")))
    assert t.unit(0).moved
    assert modified_range(t.unit(0), DEFAULTS) == before == nominal_range(t.unit(0), DEFAULTS)


@pytest.mark.rule("PB-CMD-6")
def test_higher_staffs_reach_farther() -> None:
    bounds = {"bn": (10, 12), "bde": (24, 24), "div": (40, 40), "corps": (60, 80)}
    ranges = {kind.key: kind.command_range for kind in KINDS.values() if kind.has("hq")}
    seen = set()
    for key, reach in ranges.items():
        level = next(word for word in key.split("_") if word in bounds)
        low, high = bounds[level]
        assert low <= reach <= high, key
        seen.add(level)
    assert len(seen) >= 3


@pytest.mark.rule("PB-CMD-27")
def test_a_lost_headquarters_is_formed_anew_with_the_nearest_unit_of_its_organization() -> None:
    t = table(
        ". . . . . . . .",
        unit("us_rifle_coy", "0101"),
        unit("us_bn_hq", "0701", strength=1),
        unit("us_rifle_coy", "0601"),
        unit("de_150sfh", "0801", "axis"),
        active=AXIS,
    )
    t.change(3, hex=0)
    t.set(active=ALLIED)
    t.change(1, hex=0, gone="eliminated", strength=0, lost_at=t.hex("0701"))
    assert place_for(t.position, t.unit(1)) == t.hex("0601")
    t.change(1, lost_at=t.hex("0201"))
    assert place_for(t.position, t.unit(1)) == t.hex("0101")


@pytest.mark.rule("PB-CMD-27", "PB-CMD-18")
def test_a_headquarters_formed_anew_rides_on_nobody_is_in_no_train_and_lies_hidden_no_more() -> None:
    t = table(". . .", unit("us_bn_hq", "0101"), unit("us_rifle_coy", "0201"))
    t.change(0, hex=0, gone="eliminated", strength=0, carrier=U(1), mode=RAIL, lost_at=t.hex("0101"), concealed=True)
    t.work(lambda bench, side: restore(bench), ALLIED, (ONE, HIGHEST))
    staff = t.unit(0)
    assert (t.at(0), staff.carrier, staff.mode, staff.concealed) == ("0201", NOBODY, "deployed", False)
    assert (staff.strength, staff.disrupted, staff.out_of_command) == (staff.full * 75 // 100, True, True)


@pytest.mark.rule("PB-CMD-27", "PB-SPOT-30")
def test_a_headquarters_that_was_lost_concealed_is_seen_where_it_is_formed_anew_in_the_open() -> None:
    t = table("F . . .", unit("us_bn_hq", "0101"), unit("us_rifle_coy", "0201"), unit("de_pz4h", "0401"))
    t.change(0, hex=0, gone="lost", strength=0, concealed=True, lost_at=t.hex("0101"))
    t.work(lambda bench, side: restore(bench), ALLIED, (ONE, HIGHEST))
    assert level(t.position, t.unit(0)) == SPOTTED


@pytest.mark.rule("PB-CMD-27")
def test_where_a_unit_was_destroyed_is_known_to_its_own_side_alone() -> None:
    t = table(". . .", unit("us_m4", "0101"), unit("de_bn_hq", "0201", strength=1, full=1), unit("de_pz4h", "0301"))
    t.play(Fire(U(0), U(1)), AllHighest())
    assert t.unit(1).gone
    assert t.unit(1).lost_at == t.hex("0201")
    assert t.known(ALLIED).units[1].lost_at == 0
    assert t.known(AXIS).units[1].lost_at == t.hex("0201")
    far = table(". . .", unit("us_m7", "0101"), unit("us_m4", "0201"), unit("de_bn_hq", "0301", strength=1, full=1))
    far.play(Bombard(U(0), far.hex("0301")), AllHighest())
    assert far.unit(2).lost_at == far.hex("0301")
