"""What a player is offered when he points at things, what known enemies may do meanwhile, and who rides with whom."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.content import load_shipped, tutorial_path
from sandtable.kernel.events import DiceKey
from sandtable.kernel.forecast import Forecast, forecast
from sandtable.kernel.ids import NOWHERE, SPECTATORS
from sandtable.kernel.ruleset import Selection
from sandtable.play import reactions as ways
from sandtable.rulesets.panzer8 import (
    changes,
    close_combat,
    deck,
    doctrine,
    menu,
    orders,
    outlook,
    reactions,
)
from sandtable.rulesets.panzer8 import events as e
from sandtable.rulesets.panzer8.frames import AdvanceFrame, CardFrame, ReactionFrame, StepFrame
from sandtable.rulesets.panzer8.model import ALLIED, GERMAN, LOST, Combat, Effect, Occasion, Opening, Work
from sandtable.rulesets.panzer8.orders import Charge, Dismount, Fight, LaySmoke, Mount, Move
from sandtable.rulesets.panzer8.scenario import VOCABULARY
from sandtable.rulesets.panzer8.system import SYSTEM
from tests.rulesets.panzer8.table import RULES, Table, U, element, open_ground, table


def pointed(t: Table, verb: str, unit: int, label: str) -> str:
    """The rule that speaks against what a player points at, empty when nothing does."""
    view = RULES.view(t.state, t.decider)
    target = Selection(hex=t.hex(label))
    refusal = RULES.why_not(view, verb, Selection((U(unit),)), target)
    return str(refusal.rule) if refusal else ""


def verb(t: Table, key: str, *units: int, hex: int = NOWHERE, via: tuple[int, ...] = ()) -> Any:
    view = RULES.view(t.state, t.decider)
    found = RULES.menu(view, Selection(tuple(map(U, units)), hex, via))
    return next(one for one in found if one.key == key)


# --- pointing -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P8-6.11", "P8-8.10")
def test_who_points_at_a_passenger_is_told_to_aim_at_the_carrier() -> None:
    t = table(
        open_ground(6, 6),
        element("sherman", "0203"),
        element("truck", "0503", "german"),
        element("inf_rifle", "0503", "german", carrier=1),
    )
    view, here, there = RULES.view(t.state, t.decider), Selection((U(0),)), t.hex("0503")
    for key in ("fire", "advance fire"):
        assert RULES.why_not(view, key, here, Selection((U(1),), there)) is None
        refusal = RULES.why_not(view, key, here, Selection((U(2),), there))
        assert refusal is not None
        assert refusal.rule == "P8-6.11"


def test_pointing_says_what_is_wrong() -> None:
    t = table(
        open_ground(4, 6),
        element("eng", "0203"),
        element("inf_rifle", "0202", "german"),
        element("sherman", "0303"),
        element("truck", "0305"),
        options={"engineering": True},
        mines=["0103"],
        hexsides={"wall": ["0203-0204"]},
    )
    assert pointed(t, "recover", 0, "0203") == "P8-9.10"
    t.change(0, suppressed=True)
    assert pointed(t, "recover", 0, "0203") == ""
    assert pointed(t, "recover", 0, "0205") == "P8-4.06"
    t.change(0, suppressed=False)
    assert pointed(t, "pivot", 0, "0206") == "P8-4.06"
    assert pointed(t, "pivot", 0, "0204") == ""
    assert pointed(t, "mount", 3, "0405") == "P8-6.10"
    assert pointed(t, "clear", 0, "0103") == ""
    assert pointed(t, "clear", 0, "0204") == ""
    assert pointed(t, "clear", 0, "0206") == "P8-15.02"
    assert pointed(t, "charge", 0, "0202") == ""


@pytest.mark.rule("P8-13.02")
def test_a_commander_without_a_radio_is_told_so_when_he_is_pointed_at() -> None:
    t = table(open_ground(1, 9), element("cmd_foot", "0101"))
    assert pointed(t, "rally", 0, "0101") == ""
    t.set(effects=(Effect("E03", ALLIED, 1),))
    assert pointed(t, "rally", 0, "0101") == "P8-13.02"


def test_obstacles_are_pointed_at_and_named() -> None:
    t = table(
        open_ground(4, 6),
        element("eng", "0203"),
        options={"engineering": True},
        mines=["0103"],
        hexsides={"wall": ["0203-0204"]},
    )
    texts = {target.text for target in verb(t, "clear", 0).targets}
    assert any("the mines in 0103" in text for text in texts)
    assert any("the obstacle to the south" in text for text in texts)
    assert {target.hex for target in verb(t, "clear", 0).targets} == set(t.hexes("0103", "0204"))


def test_a_way_is_led_through_hexes() -> None:
    t = table(open_ground(5, 6), element("sherman", "0106"))
    (target,) = verb(t, "move", 0, hex=t.hex("0303"), via=t.hexes("0206")).targets
    assert t.hex("0206") in target.order.path
    assert target.order.path[-1] == t.hex("0303")
    assert verb(t, "move", 0, hex=t.hex("0106"), via=t.hexes("0106")).targets == ()


def test_close_combats_and_advances_in_the_menu() -> None:
    t = table(
        open_ground(3, 6),
        element("inf_rifle", "0203"),
        element("inf_rifle", "0202", "german"),
        step="close combat",
        combats=(Combat(U(0), U(1), "charge"),),
    )
    (target,) = verb(t, "fight", 0).targets
    assert target.order == Fight(U(0))
    assert "fights" in target.text
    assert target.units == (U(1),)
    assert menu.fight_aim(t.position, Fight(U(1))).hex == NOWHERE
    assert "nobody" in menu.fight_words(t.position, Fight(U(1)))
    assert menu.likely(t.position, ALLIED, "close combat") == [t.element(0)]
    assert list(close_combat.fight_options(t.position, ALLIED, t.element(1))) == []
    after = table(
        open_ground(3, 6),
        element("inf_rifle", "0203"),
        step="close combat",
        opening=None,
        flow=(*t.state.flow, AdvanceFrame(ALLIED)),
    )
    after.set(opening=Opening(U(0), after.hex("0202")))
    assert len(verb(after, "advance").targets) == 6
    assert verb(after, "advance").targets[0].hex == after.hex("0202")
    assert [target.order for target in verb(after, "stay").targets] == [orders.Stay()]


def test_the_house_rules_of_questions() -> None:
    t = table(open_ground(3, 6), element("sherman", "0203"), element("pz4g", "", fate=LOST))
    view = RULES.view(t.state, ALLIED)
    assert RULES.card(view, U(9)) is None
    lost = RULES.card(view, U(1))
    assert lost is not None
    assert "Out of action" in {line.label for section in lost.sections for line in section.lines}
    assert RULES.sight(view, t.hex("0203"), t.hex("0201")).clear
    assert t.hex("0201") in RULES.seen(view, (U(0),))
    assert [reminder.units for reminder in RULES.reminders(view)] == [(U(0),)]
    assert RULES.result((e.RecoveryRolled(U(0), 1, 1, "out of action"),), view) == "no effect"
    assert RULES.standing(view)[0].total == "0 of 1, the enemy 1 of 1"
    assert RULES.marks(e.ElementsSighted((t.element(0),))).tone == "contact"


# --- what known enemies may do --------------------------------------------------------------------------------------


@pytest.mark.rule("P8-5.01", "P8-5.02")
def test_a_move_in_sight_of_a_gun_may_not_arrive() -> None:
    t = table(open_ground(3, 9), element("sherman", "0209"), element("at_50", "0201", facing=3))
    view = RULES.view(t.state, ALLIED)
    forecast = RULES.odds(view, Move(U(0), t.hexes("0208", "0207"), 0))
    assert forecast is not None
    assert forecast.arrival is not None
    assert {reaction.actors for reaction in forecast.reactions} == {(U(1),)}
    # AP 7 against defense 6: the shell stops the tank in 15 + 21 of 100 falls (P8-X01 table, M = 1)
    assert Fraction(forecast.arrival.at_least) == Fraction(64, 100)
    assert RULES.odds(view, orders.Pivot(U(0), 3)) is None


def test_a_move_that_nobody_answers_has_no_forecast() -> None:
    t = table("o\nW\no\no", element("sherman", "0104"), element("at_50", "0101", facing=3, suppressed=True))
    assert RULES.odds(RULES.view(t.state, ALLIED), Move(U(0), t.hexes("0103"), 0)) is None


@pytest.mark.rule("P8-4.06", "P8-5.02", "P8-8.05")
def test_moving_and_firing_tells_the_odds_of_its_shot_however_often_the_enemy_is_asked() -> None:
    """He is asked when the tank enters his sight and, whatever its dice, when it has fired."""
    t = table(open_ground(3, 12), element("sherman", "0212"), element("inf_lmg", "0202", facing=3, side=GERMAN))
    order = orders.MoveAndFire(U(0), t.hexes("0211", "0210"), 0, U(1), "hesa")
    told = RULES.odds(RULES.view(t.state, ALLIED), order)
    assert told is not None
    assert told.dice == 2
    results = " ".join(branch.result for branch in told.branches)
    assert all(word in results for word in ("no effect", "falls back", "suppressed", "out of action"))
    assert sum(Fraction(branch.probability) for branch in told.branches) == 1


@pytest.mark.rule("P8-5.01", "P8-5.02", "P8-8.05")
def test_who_may_answer_the_move_and_the_shot_is_weighed_at_both() -> None:
    """The gun can fire when the tank comes up, or when it has fired; the odds of the shot itself stay whole."""
    t = table(open_ground(3, 12), element("sherman", "0212"), element("at_50", "0202", facing=3))
    order = orders.MoveAndFire(U(0), t.hexes("0211"), 0, U(1), "hesa")
    told = RULES.odds(RULES.view(t.state, ALLIED), order)
    assert told is not None
    assert {reaction.actors for reaction in told.reactions} == {(U(1),)}
    assert told.dice == 2
    assert sum(Fraction(branch.probability) for branch in told.branches) == 1


@pytest.mark.rule("P8-13.02")
def test_a_gun_without_shells_does_not_react_by_fire() -> None:
    t = table(open_ground(3, 9), element("sherman", "0209"), element("at_50", "0201", facing=3))
    t.set(effects=(Effect("E04", GERMAN, 9, U(1)),))
    assert list(reactions.fire_reactions(t.position, t.element(1), Occasion(U(0), "enters"))) == []


@pytest.mark.rule("P8-5.03")
def test_an_enemy_who_can_only_turn_makes_no_move_uncertain() -> None:
    t = table(open_ground(3, 9), element("sherman", "0209"), element("inf_lmg", "0203", facing=0, side=GERMAN))
    told = RULES.odds(RULES.view(t.state, ALLIED), Move(U(0), t.hexes("0208"), 0))
    assert told is None


def test_what_comes_of_letting_an_enemy_go_on_is_his_secret() -> None:
    t = table(open_ground(3, 9), element("sherman", "0209"), element("at_50", "0201", facing=3))
    t.play(Move(U(0), t.hexes("0208", "0207"), 0), passing=False)
    let_go = forecast(RULES, RULES.view(t.state, GERMAN), orders.Pass())
    assert isinstance(let_go, Forecast)
    assert not let_go.certain


def test_a_forecast_of_too_many_occasions_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "MOST_WINDOWS", 0)
    t = table(open_ground(3, 9), element("sherman", "0209"), element("at_50", "0201", facing=3))
    assert RULES.odds(RULES.view(t.state, ALLIED), Move(U(0), t.hexes("0208"), 0)) is None


# --- riding ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P8-6.10")
def test_who_may_mount_and_dismount() -> None:
    t = table(
        open_ground(4, 6),
        element("truck", "0203"),
        element("inf_rifle", "0204"),
        element("sherman", "0202"),
        element("pz4g", "0401"),
        element("inf_rifle", "0104", acted=1),
    )
    assert t.refusal(Mount(U(3), U(1))).rule == "P8-4.03"
    assert t.refusal(Mount(U(2), U(1))).rule == "P8-2.03"
    assert t.refusal(Mount(U(0), U(2))).rule == "P8-6.10"
    assert t.refusal(Mount(U(0), U(4))).rule == "P8-4.03"
    assert t.refusal(Dismount(U(3), t.hex("0402"))).rule == "P8-4.03"
    assert t.refusal(Dismount(U(0), t.hex("0303"))).rule == "P8-6.10"
    t.set(combats=(Combat(U(1), U(3), "charge"),))
    assert t.refusal(Mount(U(0), U(1))).rule == "P8-4.04"
    t.set(combats=())
    t.change(0, acted=1)
    assert t.refusal(Dismount(U(0), t.hex("0303"))).rule == "P8-4.03"
    t.change(0, acted=0)
    t.play(Mount(U(0), U(1)))
    assert t.refusal(Dismount(U(0), t.hex("0303"))).rule
    t.change(0, acted=0)
    t.change(1, handled=False)
    assert t.refusal(Dismount(U(0), t.hex("0402"))).rule == "P8-6.10"
    assert t.refusal(Dismount(U(0), t.hex("0202"))).rule == "P8-1.05"


@pytest.mark.rule("P8-6.01")
def test_a_gun_is_not_set_down_in_a_marsh() -> None:
    t = table("oo\nmo", element("truck", "0101"), element("at_75", "", "allied", carrier=0))
    assert t.refusal(Dismount(U(0), t.hex("0102"))).rule == "P8-6.01"


# --- small things ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("P8-8.04")
def test_the_difference_is_that_of_the_modifiers_plus_that_of_the_dice() -> None:
    t = table(open_ground(3, 9), element("sherman", "0209"), element("pz4g", "0203", facing=3))
    attack, defense = t.explain(orders.Fire(U(0), U(1), "ap"))
    assert (attack.total, defense.total) == (7, 6)
    t.play(orders.Fire(U(0), U(1), "ap"), dice=[9, 6])
    (rolled,) = t.happened(e.AttackRolled)
    assert rolled.difference == 7 - 6 + 9 - 6
    assert rolled.result == "suppressed"


def test_who_has_acted_can_do_nothing_more() -> None:
    t = table(open_ground(3, 6), element("inf_rifle", "0203", acted=1), element("pz4g", "0202"))
    for order in (Charge(U(0), U(1)), orders.TankHunt(U(0), U(1)), LaySmoke(U(0), t.hex("0202"))):
        assert t.refusal(order).rule == "P8-4.03"
    assert t.refusal(orders.CallBattery(U(0), "bat_105", t.hex("0202"))).rule == "P8-4.03"
    assert t.options(0, orders.TankHunt) == []


def test_an_element_looks_as_it_does_when_there_is_no_enemy() -> None:
    t = table(open_ground(2, 3), element("sherman", "0101", facing=4))
    assert outlook.Outlook(t.position, ALLIED).nearness(t.element(0), t.hex("0102")) == 0
    assert menu.way(t.position, t.element(0), t.hex("0103"))
    assert {order.facing for order in t.options(0, Move)} == {4}


def test_cards_and_works_about_the_hidden_are_nobodys() -> None:
    t = table(
        "oW\noo",
        *(element("inf_rifle", label, side) for label, side in (("0101", "allied"), ("0201", "german"))),
        options={"hidden_setup": True},
        effects=(Effect("E05", GERMAN, 1, U(1)),),
        works=(Work(U(1), 12, 1, 1),),
    )
    known = RULES.known(t.position, ALLIED)
    assert known.elements[1].fate == t.element(1).fate  # next to the enemy nobody lies hidden
    far = table(
        "\n".join("o" * 20 for _ in range(2)).replace("o" * 20, "o" * 19 + "W", 1),
        element("inf_rifle", "0101"),
        element("inf_rifle", "2001", "german"),
        options={"hidden_setup": True},
        effects=(Effect("E05", GERMAN, 1, U(1)),),
        works=(Work(U(1), 12, 1, 1),),
    )
    known = RULES.known(far.position, ALLIED)
    assert [effect.unit for effect in known.effects] == [-1]
    assert known.works == ()
    wooded = table(
        "\n".join("o" + "W" * 19 for _ in range(2)),
        element("inf_rifle", "0101"),
        element("inf_rifle", "2001", "german"),
        options={"hidden_setup": True},
    )
    dreamt = [RULES.imagine(RULES.view(t.state, ALLIED), DiceKey("dream")).position for t in (far, wooded)]
    # one hex of forty is not found by lot, one of many is
    assert [position.elements[1].kind for position in dreamt] == ["unknown", "inf_rifle"]


def test_a_mover_stops_before_an_enemy_who_lay_hidden() -> None:
    t = table(
        "o\no\nW\nW\nW\no\no",
        element("t34", "0107"),
        element("inf_rifle", "0103", "german"),
        options={"hidden_setup": True},
    )
    assert RULES.known(t.position, ALLIED).elements[1].hex == NOWHERE
    t.play(Move(U(0), t.hexes("0106", "0105", "0104", "0103"), 0))
    assert t.at(0) == "0104"
    assert t.happened(e.Stopped)[0].hex == t.hex("0104")


@pytest.mark.rule("P8-5.03")
def test_a_sensible_player_weighs_evading() -> None:
    t = table(
        open_ground(3, 9),
        element("sherman", "0203"),
        element("inf_rifle", "0202", "german"),
        occasion=Occasion(U(0), "overrun", U(1)),
        flow=(*table(open_ground(1, 1)).state.flow, ReactionFrame(GERMAN)),
    )
    look = outlook.Outlook(t.position, GERMAN)
    assert isinstance(doctrine.gain(look, orders.Evade(U(1))), int)


def test_a_turn_may_have_no_card_yet() -> None:
    t = table(open_ground(2, 2), element("sherman", "0101"))
    view = RULES.view(t.state, ALLIED)
    assert all(RULES.report(view, report.kind) for report in RULES.reports(view))
    assert deck.CARDS


@pytest.mark.rule("P8-13.02")
def test_pointing_at_elements_and_hexes_for_a_card() -> None:
    t = table(open_ground(3, 3), element("foo", "0101"), element("inf_rifle", "0201", "german"))
    there = Selection(hex=t.hex("0201"))
    assert menu.point_card_element(t.position, ALLIED, (), there) == orders.ChooseElement(U(1))
    assert not isinstance(menu.point_card_element(t.position, ALLIED, (), Selection(hex=t.hex("0303"))), orders.Move)
    assert menu.battery_name("bat_105") == "light field battery"
    assert menu.battery_name("") == "a battery"
    call = menu.call_at(t.position, t.element(0), t.hex("0201"))
    assert call == orders.CallBattery(U(0), "", t.hex("0201"))
    assert menu.battery_label(t.position, ALLIED, call).note == "a battery"
    bombs = orders.CallBattery(U(0), "air_bomb", t.hex("0201"), "ap")
    assert menu.battery_label(t.position, ALLIED, bombs).note == "dive bomber, AP"


def test_what_the_computer_thinks_of_assaults() -> None:
    t = table(
        open_ground(3, 9),
        element("inf_faust", "0203", "german"),
        element("sherman", "0202"),
        element("inf_rifle", "0303"),
        element("cmd_foot", "0205", "german"),
        active=GERMAN,
    )
    look = outlook.Outlook(t.position, GERMAN)
    assert doctrine.gain(look, orders.TankHunt(U(0), U(1))) > 10
    assert isinstance(doctrine.gain(look, orders.TankHunt(U(0), U(1), t.hexes("0102"))), int)
    assert isinstance(doctrine.gain(look, Charge(U(0), U(2))), int)
    assert len(t.explain(Charge(U(0), U(2)))) == 2
    t.change(0, suppressed=True)
    shaken = outlook.Outlook(t.position, GERMAN)
    assert doctrine.gain(shaken, orders.Rally(U(3))) > 0
    assert doctrine.gain(shaken, orders.Recover(U(0))) > 0


def test_the_computer_is_asked_about_every_kind_of_decision() -> None:
    doctrines = SYSTEM.doctrine
    combat = table(
        open_ground(3, 6),
        element("inf_rifle", "0203"),
        element("inf_rifle", "0202", "german"),
        step="close combat",
        combats=(Combat(U(0), U(1), "charge"),),
    )
    asked = RULES.decisions(combat.state)[0]
    view = RULES.view(combat.state, ALLIED)
    assert doctrines.ending(view, asked) == Fight(U(0))
    assert [next(iter(group)).order for group in doctrines.candidates(view, asked)] == [Fight(U(0))]
    combat.set(combats=())
    assert RULES.decisions(combat.state) == ()
    advance = table(open_ground(3, 6), element("inf_rifle", "0203"), flow=(*combat.state.flow, AdvanceFrame(ALLIED)))
    advance.set(opening=Opening(U(0), advance.hex("0202")))
    view = RULES.view(advance.state, ALLIED)
    for group in doctrines.candidates(view, RULES.decisions(advance.state)[0]):
        assert all(isinstance(candidate.order, orders.Advance) for candidate in group)


def test_counters_that_fight_or_work_are_told_anew() -> None:
    t = table(open_ground(3, 6), element("eng", "0203"), element("inf_rifle", "0202", "german"))
    before = t.position
    t.set(combats=(Combat(U(0), U(1), "charge"),), works=(Work(U(0), t.hex("0203"), 1, 1),), urgent=U(1))
    assert {piece.id for piece in RULES.piece_changes(before, t.position, ALLIED).changed} == {U(0), U(1)}
    sentences = (
        (e.CommanderRallied(U(0)), "rallies"),
        (e.GroundTaken(t.hex("0201"), ALLIED), "takes 0201"),
        (e.CombatDeclared(U(0), U(1), "charge"), "will charge"),
    )
    for event, part in sentences:
        assert part in RULES.describe(event, RULES.view(t.state, ALLIED))
    assert changes.apply(t.position, e.SightLost((U(1),))).elements[1].hex == NOWHERE
    gone = table(open_ground(2, 2), element("atr", "0101"))
    card = RULES.card(RULES.view(gone.state, ALLIED), U(0))
    assert card is not None
    assert "Small arms" not in {line.label for section in card.sections for line in section.lines}


def test_riders_on_cards_and_in_the_mind_of_the_computer() -> None:
    t = table(
        open_ground(4, 9),
        element("halftrack", "0209"),
        element("inf_rifle", "", carrier=0),
        element("truck", "0409"),
        element("inf_rifle", "0408"),
        element("inf_rifle", "0202", "german"),
    )
    view = RULES.view(t.state, ALLIED)
    card = RULES.card(view, U(1))
    assert card is not None
    assert "Aboard" in {line.label for section in card.sections for line in section.lines}
    assert t.refusal(Mount(U(0), U(3))).rule == "P8-2.03"
    assert t.options(2, Mount) == [Mount(U(2), U(3))]
    groups = [list(group) for group in SYSTEM.doctrine.candidates(view, RULES.decisions(t.state)[0])]
    assert any(isinstance(one.order, Dismount) for group in groups for one in group)
    t.change(1, handled=True)
    assert t.refusal(Dismount(U(0), t.hex("0208"))).rule == "P8-6.10"


@pytest.mark.rule("P8-5.03")
def test_pointing_at_what_stands_beside_one() -> None:
    t = table(open_ground(3, 4), element("eng", "0203"), element("inf_rifle", "0202", "german"))
    assert menu.to_contact(t.position, t.element(0), t.element(1)) == ()
    beside = Selection(hex=t.hex("0202"))
    assert menu.pivot_to(t.position, ALLIED, (t.element(0),), beside) == orders.Pivot(U(0), 0)
    assert menu.clear_at(t.position, t.element(0), t.hex("0202")) == orders.Clear(U(0), t.hex("0203"), 0)
    t.change(0, suppressed=True)
    assert len(t.explain(orders.Recover(U(0)))) == 1
    t.set(batteries=())
    stonk = orders.CallBattery(U(0), "bat_105", t.hex("0201"))
    assert isinstance(doctrine.gain(outlook.Outlook(t.position, ALLIED), stonk), int)


@pytest.mark.rule("P8-15.01")
def test_spectators_imagine_both_sides_and_who_hides_again_is_out_of_sight() -> None:
    t = table(
        open_ground(30, 2, "W"),
        element("inf_rifle", "0101"),
        element("inf_rifle", "3001", "german"),
        options={"hidden_setup": True},
    )
    dreamt = RULES.imagine(RULES.view(t.state, SPECTATORS), DiceKey("dream")).position
    assert {one.side for one in dreamt.elements} == {ALLIED, GERMAN}
    (lost, *_) = RULES.discern(t.position, t.position, t.position, ALLIED)
    assert lost == e.SightLost((U(1),))


@pytest.mark.rule("P8-5.03")
def test_a_man_who_is_overrun_may_evade() -> None:
    t = table(open_ground(3, 9), element("sherman", "0205"), element("inf_rifle", "0202", "german"))
    t.play(orders.Overrun(U(0), U(1), t.hexes("0204", "0203")), passing=False)
    while t.asked == "reaction" and not verb(t, "evade", 1).targets:
        t.play(orders.Pass(), passing=False)
    assert [target.order for target in verb(t, "evade", 1).targets] == [orders.Evade(U(1))]
    assert "evade" in {verb.key for verb in RULES.menu(RULES.view(t.state, GERMAN), Selection((U(1),)))}


def test_the_tutorial_of_the_room_can_be_read() -> None:
    path = tutorial_path("p8-mill-road")
    assert path is not None
    assert SYSTEM.tutorial(load_shipped("p8-mill-road", VOCABULARY), path).steps


def test_the_computer_answers_a_card() -> None:
    flow = (StepFrame("event"), CardFrame("E05", ALLIED))
    t = table(open_ground(3, 4), element("sherman", "0203"), card="E05", flow=flow)
    view = RULES.view(t.state, ALLIED)
    (group,) = SYSTEM.doctrine.candidates(view, RULES.decisions(t.state)[0])
    assert [candidate.order for candidate in group] == [orders.ChooseElement(U(0))]
