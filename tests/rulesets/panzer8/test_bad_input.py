"""Orders that make no sense: each is refused in one clear sentence."""

from __future__ import annotations

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.kernel.engine import submit
from sandtable.kernel.events import Order
from sandtable.kernel.ids import RuleId
from sandtable.rulesets.panzer8 import orders as o
from sandtable.rulesets.panzer8.frames import CardFrame, StepFrame
from sandtable.rulesets.panzer8.model import ALLIED, LOST
from tests.rulesets.panzer8.table import RULES, Table, U, element, open_ground, table

RIFLE, TANK, GUN, DEAD, PANZER, ENEMY = map(U, range(6))


def in_the_open(*flow: CardFrame, card: str = "") -> Table:
    """Infantry, a tank, a gun and a lost section of the Allies; a tank and a section of the enemy."""
    return table(
        open_ground(8, 8),
        element("inf_rifle", "0104"),
        element("sherman", "0304"),
        element("at_6pdr", "0504"),
        element("inf_rifle", fate=LOST),
        element("pz4g", "0301"),
        element("inf_rifle", "0501", "german"),
        flow=(StepFrame("draw" if flow else "action"), *flow),
        card=card,
    )


@pytest.mark.parametrize(
    ("order", "rule", "sentence"),
    [
        (o.Rally(RIFLE), "P8-9.08", "only a commander rallies"),
        (o.LaySmoke(GUN, 1), "P8-12.01", "it has no smoke"),
        (o.CallBattery(RIFLE, "bat_105", 1), "P8-12.03", "only a forward observer calls batteries"),
        (o.TankHunt(TANK, PANZER), "P8-10.01", "only infantry and engineers hunt tanks"),
        (o.TankHunt(RIFLE, ENEMY), "P8-10.01", "tank hunters attack an enemy armored vehicle"),
        (o.Charge(TANK, ENEMY), "P8-11.01", "only infantry, engineers, cavalry and commanders on foot charge"),
        (o.Overrun(RIFLE, ENEMY), "P8-11.07", "only an armored vehicle overruns"),
        (o.Mount(TANK, GUN), "P8-2.03", "it neither tows nor carries"),
        (o.Dismount(TANK, 1), "P8-6.10", "it carries nobody"),
        (o.Fire(RIFLE, PANZER, "ap"), "P8-2.01", "it has no armor-piercing fire"),
        (o.Fire(TANK, PANZER, "peas"), "P8-2.01", "there is no ammunition 'peas'; it is ap or hesa"),
        (o.Fire(TANK, RIFLE, "hesa"), "P8-8.10", "that is no enemy"),
        (o.Fire(TANK, DEAD, "hesa"), "P8-8.10", "that is no enemy"),
        (o.Fire(TANK, U(99), "ap"), "P8-8.10", "that is no enemy"),
        (o.Fire(DEAD, PANZER, "hesa"), "P8-9.01", "it is out of action"),
        (o.Fire(U(-1), PANZER, "hesa"), "P8-4.03", "that is no element of yours"),
        (o.Fire(PANZER, TANK, "ap"), "P8-4.03", "that is no element of yours"),
        (o.Move(TANK, ()), "P8-6.01", "a move goes through at least one hex"),
        (o.Move(TANK, (10**9,)), "P8-6.01", "a path goes from hex to adjacent hex"),
        (o.Pivot(TANK, 6), "P8-4.06", "it turns to another of the six hexsides, 0 to 5"),
        (o.Pivot(TANK, -1), "P8-4.06", "it turns to another of the six hexsides, 0 to 5"),
        (o.MoveAndFire(TANK, (), 9, PANZER, "ap"), "P8-6.08", "a facing is one of six hexsides, 0 to 5"),
        (o.Clear(RIFLE, 1), "P8-15.02", "engineering is not in play"),
        (o.ChooseElement(TANK), "P8-4.03", "that order does not belong to this step: action"),
        (o.ReactByPivot(TANK, 7), "P8-4.03", "that order does not belong to this step: action"),
        (o.Fight(TANK), "P8-4.03", "that order does not belong to this step: action"),
        (o.Advance(9), "P8-4.03", "that order does not belong to this step: action"),
    ],
    ids=str,
)
def test_an_order_that_makes_no_sense_is_refused_in_one_sentence(order: Order, rule: str, sentence: str) -> None:
    t = in_the_open()
    assert submit(RULES, t.state, ALLIED, order) == Refusal(RuleId(rule), sentence)


@pytest.mark.parametrize(
    ("card", "order", "rule", "sentence"),
    [
        ("E07", o.ChooseElement(TANK), "P8-13.02", "this card does not work on an element"),
        ("E07", o.ChooseHex(10**9), "P8-13.02", "that is off the map"),
        ("E13", o.StrikeFromAir(1, "ap"), "P8-13.02", "no aircraft are overhead"),
        ("E13", o.ChooseHex(0), "P8-13.02", "that is off the map"),
        ("E13", o.Move(TANK, (1,)), "P8-13.02", "that order does not belong to this step: event"),
        ("E14", o.StrikeFromAir(1, "bombs"), "P8-12.05", "aircraft attack with ap or hesa"),
        ("E14", o.ChooseHex(1), "P8-13.02", "this card does not work on a hex"),
    ],
    ids=str,
)
def test_an_order_that_the_card_does_not_ask_for_is_refused_in_one_sentence(
    card: str, order: Order, rule: str, sentence: str
) -> None:
    t = in_the_open(CardFrame(card, ALLIED), card=card)
    assert submit(RULES, t.state, ALLIED, order) == Refusal(RuleId(rule), sentence)
