"""Deception units and partisans: sent out, misleading, disturbing, found, recalled."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.kernel.resolution import Resolution
from sandtable.kernel.ruleset import Selection
from sandtable.rulesets.panzer_battles import changes, describe
from sandtable.rulesets.panzer_battles.deception import deploying
from sandtable.rulesets.panzer_battles.deception import events as e
from sandtable.rulesets.panzer_battles.deception.effects import disturbs
from sandtable.rulesets.panzer_battles.deception.orders import DeployDeception
from sandtable.rulesets.panzer_battles.engineers.orders import DigIn
from sandtable.rulesets.panzer_battles.events import MoveStopped, UnitsSeen
from sandtable.rulesets.panzer_battles.model import ALLIED, AXIS
from sandtable.rulesets.panzer_battles.orderbook import BOOK
from sandtable.rulesets.panzer_battles.orders import EndTurn, Move
from tests.rulesets.panzer_battles.table import HIGHEST, RULES, AllHighest, Faces, Table, U, table, unit

ROW = ". . . . . . . . . . . ."
RANGE = {"deception": {"range": {"allied": 2, "axis": 1}, "radius": {"allied": 2, "axis": 2}}}


def ruse(terrain: str = ROW, *others: Any, **drawn: Any) -> Table:
    """A deception unit of the Allies in 0101."""
    return table(
        terrain, unit("any_deception", "0101", ALLIED), *others, **{"parameters": RANGE, "visibility": [1], **drawn}
    )


@pytest.mark.rule("PB-DEC-2", "PB-DEC-4", "PB-DEC-6", "PB-DEC-12")
def test_a_deception_unit_is_deployed_out_of_sight_as_far_as_three_times_its_range() -> None:
    t = ruse(ROW, unit("de_pz4h", "0901"))
    assert t.refusal(DeployDeception(U(0), t.hex("0801"))).rule == "PB-DEC-4"
    t.play(DeployDeception(U(0), t.hex("0701")))
    assert (t.at(0), t.unit(0).posted) == ("", t.hex("0701"))
    assert t.known(AXIS).units[0].posted == 0
    assert not t.heard(AXIS, e.DeceptionDeployed)
    (shown,) = [one for one in RULES.pieces(t.view()) if one.id == 0]
    assert (shown.hex, shown.kind) == (t.hex("0701"), "marker")
    assert "works unseen" in describe.sentence(t.only(e.DeceptionDeployed), t.position)


@pytest.mark.rule("PB-DEC-1", "PB-DEC-3", "PB-DEC-7", "PB-MOVE-49")
def test_who_can_not_be_sent_where() -> None:
    t = ruse(
        "..~..", unit("de_pz4h", "0201"), unit("us_m4", "0101"), unit("any_deception", "0501", ALLIED, mp=3, moved=True)
    )
    assert t.refusal(DeployDeception(U(0), t.hex("0301"))).rule == "PB-DEC-7"
    assert t.refusal(DeployDeception(U(0), t.hex("0201"))).rule == "PB-DEC-7"
    assert t.refusal(DeployDeception(U(2), t.hex("0401"))).rule == "PB-DEC-1"
    assert t.refusal(DeployDeception(U(3), t.hex("0401"))).rule == "PB-DEC-3"
    t.change(3, moved=False, carrier=U(2))
    assert t.refusal(DeployDeception(U(3), t.hex("0401"))).rule == "PB-MOVE-49"
    assert t.refusal(DeployDeception(U(1), t.hex("0401"))).rule == "PB-GEN-3"
    assert t.refusal(DeployDeception(U(9), t.hex("0401"))).rule == "PB-GEN-3"
    t.change(0, hex=0)
    assert t.refusal(DeployDeception(U(0), t.hex("0401"))).rule == "PB-UNIT-8"
    t = ruse("..~..", parameters={})
    assert t.refusal(DeployDeception(U(0), t.hex("0201"))).reason == "its side has no means of deception"


@pytest.mark.rule("PB-DEC-7")
def test_who_finds_the_hex_taken_stays_undeployed() -> None:
    t = ruse("..F..", unit("de_rifle_coy", "0301", concealed=True))
    t.play(DeployDeception(U(0), t.hex("0301")))
    assert t.at(0) == "0101"
    assert t.only(e.DeceptionPrevented).hex == t.hex("0301")
    assert t.refusal(DeployDeception(U(0), t.hex("0201"))).rule == "PB-DEC-3"


@pytest.mark.rule("PB-DEC-2", "PB-DEC-4")
def test_it_is_sent_elsewhere_at_midnight_only_and_less_far() -> None:
    t = ruse(ROW, minutes=12 * 60)
    t.change(0, hex=0, posted=t.hex("0101"))
    assert t.refusal(DeployDeception(U(0), t.hex("0301"))).rule == "PB-DEC-2"
    t.set(minutes=24 * 60 + 10)
    assert t.refusal(DeployDeception(U(0), t.hex("0701"))).detail == "6 hexes away"
    t.play(DeployDeception(U(0), t.hex("0501")))
    assert t.unit(0).posted == t.hex("0501")


@pytest.mark.rule("PB-DEC-5")
def test_the_menu_offers_available_and_deployed_units() -> None:
    t = ruse("...~.........", unit("us_m4", "0301"), minutes=24 * 60)
    (verb,) = [one for one in RULES.menu(t.view(), Selection()) if one.key == "deception"]
    assert {target.hex for target in verb.targets} == set(t.hexes("0101", "0201", "0301", "0501", "0601", "0701"))
    point = BOOK.of(DeployDeception(U(0), t.hex("0201"))).point
    actors = deploying.picked(t.known(ALLIED), (U(0), U(1), U(7)))
    assert point(t.known(ALLIED), ALLIED, actors, Selection(hex=t.hex("0201"))) == DeployDeception(U(0), t.hex("0201"))
    assert "unseen" in RULES.order_text(DeployDeception(U(0), t.hex("0201")), t.view())
    t.change(0, moved=True)
    (verb,) = [one for one in RULES.menu(t.view(), Selection()) if one.key == "deception"]
    assert not verb.targets
    options = RULES.options(t.view(), t.view().decisions[0])
    assert not [order for order in options if isinstance(order, DeployDeception)]


@pytest.mark.rule("PB-DEC-1")
def test_a_deception_unit_is_marked_for_its_own_side() -> None:
    t = ruse("..", unit("de_pz4h", "0201"))
    (own,) = [one for one in RULES.pieces(t.view()) if one.id == 0]
    (seen,) = [one for one in RULES.pieces(t.view(AXIS)) if one.id == 0]
    assert "DECEPTION" in own.states
    assert "DECEPTION" not in seen.states


def haunted(kind: str, **drawn: Any) -> Table:
    """A tank in Travel Mode that comes near a deception unit or partisans of the enemy in 0601."""
    t = table(
        ". . . . F F",
        unit("us_m4", "0101", mode="travel"),
        unit(kind, "0601", AXIS, concealed=True),
        visibility=[1],
        **{"parameters": RANGE, **drawn},
    )
    if kind == "any_deception":
        t.change(1, hex=0, posted=t.hex("0601"))
    return t


@pytest.mark.rule("PB-DEC-8", "PB-DEC-10", "PB-DEC-15", "PB-MOVE-66", "PB-MOVE-11")
@pytest.mark.parametrize("kind", ["any_deception", "su_partisan"])
def test_who_travels_near_it_may_be_sent_astray(kind: str) -> None:
    t = haunted(kind)
    # nothing happens in the first two hexes, which are out of its radius
    t.play(Move((U(0),), t.hexes("0201", "0301", "0401", "0501")), dice=[1])
    assert t.at(0) == "0401"
    assert (t.unit(0).disrupted, t.unit(0).mp) == (True, 0)
    assert t.only(MoveStopped).reason == "it has been sent astray"
    assert not t.heard(AXIS, e.Misled)
    assert "astray" in describe.sentence(t.only(e.Misled), t.position)
    t = haunted(kind)
    t.play(Move((U(0),), t.hexes("0201", "0301", "0401")), dice=[HIGHEST])
    assert not t.unit(0).disrupted


@pytest.mark.rule("PB-DEC-8", "PB-DEC-15")
def test_the_forecast_of_a_march_allows_for_partisans_in_sight() -> None:
    arrivals = []
    for pct in (0, 25):
        numbers = {"deception": {**RANGE["deception"], "effect_pct": {"axis": pct}}}
        t = table(ROW, unit("us_m4", "0101", mode="travel"), unit("su_partisan", "0401", AXIS), parameters=numbers)
        found = RULES.odds(t.view(), Move((U(0),), t.hexes("0201")))
        assert found is not None
        assert found.arrival is not None
        arrivals.append(Fraction(found.arrival.at_least))
        astray = [one.chance for one in found.branches if one.result == "is sent astray on the way"]
        assert astray == ([Fraction(pct, 100)] if pct else [])
        assert Fraction(found.arrival.unhindered) == 1 - Fraction(pct, 100)
    assert arrivals[1] == arrivals[0] * Fraction(3, 4)


@pytest.mark.rule("PB-DEC-8")
def test_who_is_deployed_is_not_sent_astray() -> None:
    t = haunted("any_deception")
    t.change(0, mode="deployed")
    t.play(Move((U(0),), t.hexes("0201", "0301", "0401")))
    assert t.at(0) == "0401"


@pytest.mark.rule("PB-MOVE-66")
def test_partisans_do_nothing_of_the_kind_where_the_parameters_say_so() -> None:
    t = haunted("su_partisan", parameters={**RANGE, "misc": {"partisan_effect_like_deception": False}})
    t.play(Move((U(0),), t.hexes("0201", "0301", "0401")))
    assert t.at(0) == "0401"


@pytest.mark.rule("PB-DEC-9")
def test_engineers_fail_outright_near_it() -> None:
    t = haunted("any_deception")

    def fails(label: str, *dice: int) -> bool:
        resolution = Resolution(t.state, Faces(dice), changes.apply)
        return disturbs(resolution, ALLIED, t.hex(label), U(0))

    assert (fails("0101"), fails("0501", 1), fails("0501", HIGHEST)) == (False, True, False)


@pytest.mark.rule("PB-DEC-11", "PB-DEC-13")
def test_it_may_be_found_at_the_start_of_an_enemy_turn_and_is_a_loss() -> None:
    t = ruse(ROW, unit("de_pz4h", "0901"), unit("us_m4", "0101"))
    t.change(0, hex=0, posted=t.hex("0701"))
    t.play(EndTurn(), AllHighest())
    assert t.unit(0).posted
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), dice=[1])
    assert t.unit(0).gone == "eliminated"
    assert t.position.losses[ALLIED]["any_deception"] > 0
    assert t.heard(AXIS, e.DeceptionFound)
    assert t.heard(AXIS, UnitsSeen)
    assert "found" in describe.sentence(t.only(e.DeceptionFound), t.position)
    assert t.known(AXIS).units[0].gone == "eliminated"


@pytest.mark.rule("PB-DEC-14")
def test_it_is_recalled_where_a_regular_unit_stands_and_may_move_and_deploy_again() -> None:
    t = ruse(ROW, unit("us_m4", "0301"), unit("us_m4", "0101"), unit("de_pz4h", "1201"))
    t.change(0, hex=0, posted=t.hex("0301"), moved=True)
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), AllHighest())
    assert (t.at(0), t.unit(0).posted) == ("0301", 0)
    assert t.unit(0).mp > 0
    assert t.check(DeployDeception(U(0), t.hex("0401"))) is None
    assert "recalled" in describe.sentence(t.only(e.DeceptionRecalled), t.position).lower()


@pytest.mark.rule("PB-DEC-6", "PB-MOVE-103")
def test_who_was_digging_in_does_not_go_on_where_it_is_recalled() -> None:
    t = ruse(ROW, unit("us_m4", "0301"), unit("de_pz4h", "1201"))
    t.play(DigIn(U(0)))
    assert t.unit(0).digging_in
    t.play(DeployDeception(U(0), t.hex("0301")))
    t.play(EndTurn(), AllHighest())
    t.play(EndTurn(), AllHighest())
    assert (t.at(0), t.unit(0).digging_in) == ("0301", False)


@pytest.mark.rule("PB-DEC-12")
def test_without_fog_everybody_sees_it() -> None:
    t = ruse(ROW, unit("de_pz4h", "1201"), fog=False)
    t.play(DeployDeception(U(0), t.hex("0301")))
    assert t.heard(AXIS, e.DeceptionDeployed)
    t = haunted("su_partisan", fog=False)
    t.play(Move((U(0),), t.hexes("0201", "0301", "0401")), dice=[1])
    assert t.heard(AXIS, e.Misled)
