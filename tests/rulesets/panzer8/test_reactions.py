"""Reactions: section 5."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.decisions import Refusal
from sandtable.rulesets.panzer8 import reactions
from sandtable.rulesets.panzer8.events import AttackRolled, CombatEnded, FellBack, Moved, OccasionGiven
from sandtable.rulesets.panzer8.frames import ReactionFrame
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, Effect
from sandtable.rulesets.panzer8.orders import (
    Advance,
    Charge,
    Evade,
    Fire,
    Move,
    MoveAndFire,
    Overrun,
    Pass,
    Pivot,
    ReactByFire,
    ReactByPivot,
    Stay,
    TankHunt,
)
from tests.rulesets.panzer8.table import Table, U, element, open_ground, table


def advance(**changes: Any) -> Table:
    """A Sherman below a Pak and a section, both looking at it."""
    return table(
        open_ground(3, 12),
        element("sherman", "0210"),
        element("at_50", "0201", facing=3, **changes),
        element("inf_rifle", "0101", "german", facing=3),
    )


@pytest.mark.rule("P8-5.02")
@pytest.mark.rule("P8-5.04")
def test_every_hex_entered_is_an_occasion_before_the_next_step() -> None:
    t = advance()
    t.play(Move(U(0), t.hexes("0209", "0208"), 0), passing=False)
    assert t.asked == "reaction"
    assert t.decider == GERMAN
    assert t.at(0) == "0209"
    t.play(Pass(), passing=False)
    assert t.at(0) == "0208"
    assert t.asked == "reaction"
    t.play(Pass(), passing=False)
    assert t.asked == "action"


@pytest.mark.rule("P8-5.02")
def test_who_lets_the_rest_pass_is_not_asked_again_in_that_action() -> None:
    t = advance()
    t.play(Move(U(0), t.hexes("0209", "0208", "0207"), 0), passing=False)
    t.play(Pass(rest=True), passing=False)
    assert t.at(0) == "0207"
    assert t.asked == "action"


@pytest.mark.rule("P8-5.03")
@pytest.mark.rule("P8-5.05")
@pytest.mark.rule("P8-5.06")
def test_reaction_fire_counts_as_not_moved_and_stops_what_it_suppresses() -> None:
    t = advance()
    t.play(Move(U(0), t.hexes("0209", "0208"), 0), passing=False)
    attack, defense = t.explain(ReactByFire(U(1), "ap"))
    assert (attack.total, defense.total) == (7, 6)
    t.play(ReactByFire(U(1), "ap"), dice=[6, 4], passing=False)
    assert t.element(0).suppressed
    assert t.at(0) == "0209"
    assert t.asked == "action"


@pytest.mark.rule("P8-5.01")
@pytest.mark.rule("P8-5.02")
def test_several_may_react_one_after_another_each_once() -> None:
    t = table(
        open_ground(3, 12),
        element("sherman", "0210"),
        element("at_50", "0201", facing=3),
        element("pz4g", "0101", facing=3),
    )
    t.play(Move(U(0), t.hexes("0209"), 0), passing=False)
    t.play(ReactByFire(U(1), "ap"), dice=[1, 10], passing=False)
    assert t.asked == "reaction"
    assert t.refusal(ReactByFire(U(1), "ap")).rule == "P8-5.01"
    t.play(ReactByFire(U(2), "ap"), dice=[1, 10], passing=False)
    assert t.asked == "action"


@pytest.mark.rule("P8-5.01")
def test_suppressed_elements_and_those_who_see_nothing_do_not_react() -> None:
    t = advance(suppressed=True)
    t.change(2, hex=t.hex("0112"), suppressed=True)
    t.play(Move(U(0), t.hexes("0209"), 0), passing=False)
    assert t.asked == "action"
    blind = table("ooo\nWWW\nooo\nooo", element("sherman", "0204"), element("at_50", "0201", facing=3))
    blind.play(Move(U(0), blind.hexes("0203"), 0), passing=False)
    assert blind.asked == "action"


def refused(t: Table, order: ReactByFire | ReactByPivot | Evade) -> Refusal:
    return t.refusal(order)


@pytest.mark.rule("P8-5.01")
@pytest.mark.rule("P8-5.02")
def test_why_an_element_may_not_react() -> None:
    t = advance()
    t.play(Move(U(0), t.hexes("0209"), 0), passing=False)
    assert refused(t, ReactByFire(U(0), "ap")).rule == "P8-4.03"
    assert refused(t, ReactByFire(U(2), "hesa")).rule == "P8-8.09"
    assert refused(t, ReactByFire(U(1), "stones")).rule == "P8-2.01"
    assert refused(t, ReactByPivot(U(1), 3)).rule == "P8-5.03"
    assert refused(t, ReactByPivot(U(0), 3)).rule == "P8-4.03"
    assert refused(t, Evade(U(1))).rule == "P8-5.03"
    assert refused(t, Evade(U(0))).rule == "P8-4.03"
    t.change(1, suppressed=True)
    assert refused(t, ReactByFire(U(1), "ap")).rule == "P8-5.01"
    assert refused(t, Evade(U(1))).rule == "P8-5.01"
    t.change(1, suppressed=False, carrier=2)
    assert refused(t, ReactByFire(U(1), "ap")).rule == "P8-6.10"
    t.change(1, carrier=-1)
    occasion = reactions.occasion_of(t.position)
    own = reactions.cannot_react(t.position, t.element(0), occasion)
    assert own is not None
    assert own.rule == "P8-5.01"


@pytest.mark.rule("P8-5.03")
def test_a_reaction_may_be_to_turn() -> None:
    t = table(open_ground(3, 12), element("sherman", "0210"), element("at_50", "0201", facing=0))
    t.play(Move(U(0), t.hexes("0209"), 0), passing=False)
    assert refused(t, ReactByFire(U(1), "ap")).rule == "P8-7.06"
    t.play(ReactByPivot(U(1), 3), passing=False)
    assert t.element(1).facing == 3
    assert t.element(1).reacted == 1
    assert t.asked == "action"


@pytest.mark.rule("P8-5.04")
def test_a_reaction_to_fire_comes_after_it() -> None:
    t = advance()
    t.play(Fire(U(0), U(1), "hesa"), dice=[1, 10], passing=False)
    assert len(t.happened(AttackRolled)) == 1
    assert t.asked == "reaction"
    assert t.happened(OccasionGiven)[0].manner == "fires"
    t.play(ReactByFire(U(1), "ap"), dice=[1, 10], passing=False)
    assert t.asked == "action"


@pytest.mark.rule("P8-5.07")
def test_an_interrupted_move_and_fire_loses_its_fire() -> None:
    t = advance()
    t.play(MoveAndFire(U(0), t.hexes("0209"), 0, U(1), "hesa"), passing=False)
    t.play(ReactByFire(U(1), "ap"), dice=[6, 4], passing=False)
    assert [event.attacker for event in t.happened(AttackRolled)] == [1]
    assert t.asked == "action"


@pytest.mark.rule("P8-5.04")
@pytest.mark.rule("P8-5.06")
def test_a_charge_may_be_fired_on_before_contact_and_is_void_when_stopped() -> None:
    t = table(
        open_ground(3, 6),
        element("inf_rifle", "0204"),
        element("inf_rifle", "0201", "german", facing=3),
    )
    t.play(Charge(U(0), U(1), t.hexes("0203", "0202")), passing=False)
    assert t.at(0) == "0203"
    t.play(Pass(), passing=False)
    t.play(Pass(), passing=False)
    assert t.happened(OccasionGiven)[0].manner == "charge"
    assert t.position.combats
    t.play(ReactByFire(U(1), "hesa"), dice=[6, 3], passing=False)
    assert t.element(0).suppressed
    assert t.position.combats == ()
    assert len(t.happened(CombatEnded)) == 1


@pytest.mark.rule("P8-5.03")
@pytest.mark.rule("P8-11.11")
def test_the_charged_element_may_evade_and_the_attacker_take_its_place() -> None:
    t = table(
        open_ground(3, 8),
        element("inf_rifle", "0206"),
        element("inf_rifle", "0205", "german", facing=3),
    )
    t.play(Charge(U(0), U(1)), passing=False)
    t.play(Evade(U(1)), passing=False)
    assert t.happened(FellBack)[0].unit == 1
    assert t.at(1) == "0201"
    assert t.position.combats == ()
    assert t.asked == "advance"
    assert t.refusal(Advance(9)).rule == "P8-6.08"
    t.play(Advance(0), passing=False)
    assert t.at(0) == "0205"
    assert t.happened(Moved)[0].hex == t.hex("0205")
    assert t.asked == "action"


@pytest.mark.rule("P8-11.11")
def test_nobody_has_to_advance() -> None:
    t = table(open_ground(3, 8), element("inf_rifle", "0206"), element("inf_rifle", "0205", "german", facing=3))
    t.play(Charge(U(0), U(1)), passing=False)
    t.play(Evade(U(1)), passing=False)
    t.play(Stay(), passing=False)
    assert t.at(0) == "0206"


@pytest.mark.rule("P8-5.03")
def test_a_gun_never_evades() -> None:
    t = table(open_ground(3, 8), element("sherman", "0206"), element("at_75", "0205", facing=3))
    t.play(Overrun(U(0), U(1)), passing=False)
    assert refused(t, Evade(U(1))).rule == "P8-5.03"
    assert list(reactions.evade_options(t.position, GERMAN, ReactionFrame(GERMAN))) == []


@pytest.mark.rule("P8-5.02")
def test_tank_hunting_is_an_occasion_and_turning_is_none() -> None:
    t = table(open_ground(3, 6), element("inf_rifle", "0202"), element("pz4g", "0201", facing=3))
    t.play(TankHunt(U(0), U(1)), dice=[6, 5], passing=False)
    assert t.happened(OccasionGiven)[0].manner == "hunts"
    t.play(Pass(), passing=False)
    t.change(0, acted=0)
    t.play(Pivot(U(0), 3), passing=False)
    assert t.asked == "action"


@pytest.mark.rule("P8-5.02")
def test_hunters_who_fell_back_are_not_there_to_be_reacted_to() -> None:
    t = table(open_ground(3, 6), element("inf_rifle", "0202"), element("pz4g", "0201", facing=3))
    t.play(TankHunt(U(0), U(1)), dice=[5, 5], passing=False)
    assert t.happened(FellBack)[0].unit == 0
    assert t.happened(OccasionGiven) == []
    assert t.asked == "action"


@pytest.mark.rule("P8-5.02")
@pytest.mark.rule("P8-5.06")
def test_a_suppressed_element_is_still_there_for_others_to_react_to() -> None:
    t = table(
        open_ground(3, 12),
        element("sherman", "0210"),
        element("at_50", "0201", facing=3),
        element("pz4g", "0101", facing=3),
    )
    t.play(Move(U(0), t.hexes("0209", "0208"), 0), passing=False)
    t.play(ReactByFire(U(1), "ap"), dice=[6, 4], passing=False)
    assert t.element(0).suppressed
    assert t.asked == "reaction"
    t.play(ReactByFire(U(2), "ap"), dice=[5, 5], passing=False)
    assert t.happened(FellBack)[0].unit == 0
    assert t.asked == "action"


@pytest.mark.rule("P8-5.02")
def test_an_element_that_fell_back_is_not_there_for_others_to_react_to() -> None:
    t = table(
        open_ground(3, 12),
        element("inf_rifle", "0210"),
        element("inf_rifle", "0201", "german", facing=3),
        element("inf_rifle", "0101", "german", facing=3),
    )
    t.play(Move(U(0), t.hexes("0209"), 0), passing=False)
    t.play(ReactByFire(U(1), "hesa"), dice=[6, 5], passing=False)
    assert t.happened(FellBack)[0].unit == 0
    assert t.asked == "action"


def charge_under_two_guns() -> Table:
    """A section about to charge another; a third stands by."""
    t = table(
        open_ground(5, 8),
        element("inf_rifle", "0306"),
        element("inf_rifle", "0305", "german", facing=3),
        element("inf_rifle", "0505", "german", facing=3),
    )
    t.play(Charge(U(0), U(1)), passing=False)
    t.play(Evade(U(1)), passing=False)
    assert t.at(1) == "0301"
    return t


@pytest.mark.rule("P8-5.02")
@pytest.mark.rule("P8-5.03")
def test_others_may_react_to_a_charge_whose_target_has_evaded() -> None:
    t = charge_under_two_guns()
    assert (t.asked, t.decider) == ("reaction", GERMAN)
    assert refused(t, Evade(U(2))).rule == "P8-5.03"
    t.play(ReactByFire(U(2), "hesa"), dice=[1, 10], passing=False)
    assert (t.asked, t.decider) == ("advance", ALLIED)


@pytest.mark.rule("P8-5.06")
@pytest.mark.rule("P8-11.11")
def test_an_attacker_stopped_after_its_target_evaded_does_not_take_its_place() -> None:
    t = charge_under_two_guns()
    t.play(ReactByFire(U(2), "hesa"), dice=[6, 3], passing=False)
    assert t.element(0).suppressed
    assert t.asked == "action"
    assert t.at(0) == "0306"


@pytest.mark.rule("P8-5.03")
def test_nobody_evades_a_charge_that_was_stopped() -> None:
    t = table(
        open_ground(5, 8),
        element("inf_rifle", "0306"),
        element("inf_rifle", "0305", "german", facing=3),
        element("inf_rifle", "0505", "german", facing=3),
    )
    t.play(Charge(U(0), U(1)), passing=False)
    t.play(ReactByFire(U(2), "hesa"), dice=[6, 3], passing=False)
    assert t.position.combats == ()
    assert t.asked == "reaction"
    assert refused(t, Evade(U(1))).rule == "P8-5.03"


@pytest.mark.rule("P8-13.02")
def test_surprise_and_alert() -> None:
    t = advance()
    t.set(effects=(Effect("E16", ALLIED, 1),))
    t.play(Move(U(0), t.hexes("0209"), 0), passing=False)
    assert t.asked == "action"
    t.change(0, acted=0)
    t.play(Move(U(0), t.hexes("0208"), 0), passing=False)
    assert t.asked == "reaction"
    assert t.position.effects == ()
    alert = advance()
    alert.set(effects=(Effect("E15", ALLIED, 1),))
    alert.play(Move(U(0), alert.hexes("0209", "0208"), 0), passing=False)
    alert.play(ReactByFire(U(1), "ap"), dice=[1, 10], passing=False)
    assert alert.asked == "reaction"
    alert.play(ReactByFire(U(1), "ap"), dice=[1, 10], passing=False)
    assert alert.element(1).reacted == 2


@pytest.mark.rule("P8-5.02")
def test_options_of_a_reaction_are_lawful() -> None:
    t = table(
        open_ground(3, 12),
        element("sherman", "0210"),
        element("at_50", "0201", facing=0),
        element("pz4g", "0301", facing=3),
    )
    t.play(Move(U(0), t.hexes("0209"), 0), passing=False)
    frame = ReactionFrame(GERMAN)
    assert t.state.flow[-1] == frame
    found = [
        *reactions.fire_options(t.position, GERMAN, frame),
        *reactions.pivot_options(t.position, GERMAN, frame),
        *reactions.pivot_offers(t.position, GERMAN),
        *reactions.pass_options(t.position, GERMAN, frame),
    ]
    assert {type(order) for order in found} == {ReactByFire, ReactByPivot, Pass}
    assert all(t.check(order) is None for order in found)


@pytest.mark.rule("P8-5.02")
@pytest.mark.rule("P8-8.07")
def test_nobody_is_asked_whose_fire_no_dice_would_make_good() -> None:
    # 2 against 9: a ten against a one makes 2, and 3 suppress; within four hexes it is one more
    t = table(
        open_ground(3, 12),
        element("tiger", "0210", "german", facing=0),
        element("atr", "0202", "allied", facing=3),
        active=GERMAN,
    )
    t.play(Move(U(0), t.hexes("0209", "0208", "0207", "0206"), 0), passing=False)
    assert (t.asked, t.at(0)) == ("reaction", "0206")
