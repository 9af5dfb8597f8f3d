"""The event deck: section 13, and the phases of a turn: section 4."""

from __future__ import annotations

import pytest

from sandtable.rulesets.panzer8 import deck
from sandtable.rulesets.panzer8.events import (
    AttackRolled,
    CardDrawn,
    DeckShuffled,
    DieCast,
    EffectBegan,
    FellBack,
    SmokeLaid,
    StepBegan,
    StruckFromAir,
    TurnBegan,
    TurnEnded,
)
from sandtable.rulesets.panzer8.frames import CardFrame, StepFrame
from sandtable.rulesets.panzer8.model import ALLIED, COMMON_DECK, GERMAN, Effect
from sandtable.rulesets.panzer8.orders import (
    ChooseElement,
    ChooseHex,
    EndPhase,
    LetCardGo,
    Move,
    StrikeFromAir,
)
from tests.rulesets.panzer8.table import Table, U, element, open_ground, table


def number_of(card: str, drawn: tuple[str, ...] = ()) -> int:
    """The face of the die that turns over a card."""
    left = list(deck.DECK)
    for one in drawn:
        left.remove(one)
    return left.index(card) + 1


def draw(t: Table, card: str, dice: tuple[int, ...] = ()) -> Table:
    """The active player draws a card."""
    t.set(step="draw")
    t.state = type(t.state)(t.position, (StepFrame("draw"),), t.state.dice)
    t.run(deck.draw, dice=(number_of(card), *dice))
    assert t.happened(CardDrawn)[0].card == card
    return t


def lay(*more: object) -> Table:
    return table(
        open_ground(5, 12),
        element("sherman", "0312"),
        element("cmd_foot", "0412"),
        element("at_6pdr", "0212"),
        element("pz4g", "0301", facing=3),
        element("cmd_foot", "0401", "german", facing=3),
    )


@pytest.mark.rule("P8-4.02")
@pytest.mark.rule("P8-1.07")
def test_the_active_player_draws_one_card_and_every_card_left_is_as_likely() -> None:
    t = draw(lay(), "E01")
    assert t.position.card == "E01"
    assert t.position.drawn == {COMMON_DECK: ("E01",)}
    assert len(deck.cards_left(t.position, ALLIED)) == 23


@pytest.mark.rule("P8-13.01")
def test_the_deck_is_whole_again_after_e20_or_when_no_card_is_left() -> None:
    t = draw(lay(), "E20")
    t.run(deck.shuffle_if_due)
    assert t.position.drawn == {COMMON_DECK: ()}
    empty = lay()
    empty.set(drawn={COMMON_DECK: deck.DECK})
    empty.run(deck.draw, dice=(1,))
    assert empty.happened(DeckShuffled)
    quiet = draw(lay(), "E01")
    quiet.run(deck.shuffle_if_due)
    assert quiet.events == ()


@pytest.mark.rule("P8-15.03")
def test_with_own_decks_each_side_draws_from_its_own() -> None:
    t = table(open_ground(1, 3), options={"own_decks": True})
    draw(t, "E02")
    assert t.position.drawn == {ALLIED: ("E02",)}
    assert len(deck.cards_left(t.position, GERMAN)) == 24


@pytest.mark.rule("P8-13.02")
@pytest.mark.parametrize("card", ["E03", "E10", "E15", "E16", "E18", "E19"])
def test_cards_that_work_for_the_whole_turn(card: str) -> None:
    t = draw(lay(), card)
    assert t.position.effects == (Effect(card, ALLIED, 1),)


@pytest.mark.rule("P8-13.02")
def test_haze_lasts_to_the_end_of_the_opponents_next_turn() -> None:
    assert draw(lay(), "E08").position.effects == (Effect("E08", ALLIED, 2),)


@pytest.mark.rule("P8-13.02")
def test_initiative_gives_one_element_two_actions() -> None:
    t = draw(lay(), "E02")
    assert t.asked == "event"
    t.change(0, suppressed=True)
    assert t.refusal(ChooseElement(U(0))).rule == "P8-13.02"
    t.change(0, suppressed=False)
    assert t.refusal(ChooseElement(U(3))).rule == "P8-13.02"
    assert t.refusal(ChooseElement(U(9))).rule == "P8-13.02"
    assert t.refusal(ChooseHex(t.hex("0101"))).rule == "P8-13.02"
    assert t.refusal(StrikeFromAir(t.hex("0101"), "ap")).rule == "P8-13.02"
    t.play(ChooseElement(U(0)))
    assert t.asked == "action"
    t.play(Move(U(0), t.hexes("0311"), 0))
    t.play(Move(U(0), t.hexes("0310"), 0))
    assert t.refusal(Move(U(0), t.hexes("0309"), 0)).rule == "P8-4.03"


@pytest.mark.rule("P8-13.02")
def test_cards_that_hit_one_element_by_lot() -> None:
    t = draw(lay(), "E04")
    assert t.position.effects == (Effect("E04", ALLIED, 1, U(2)),)
    hesitates = draw(lay(), "E11", (2,))
    assert hesitates.position.effects == (Effect("E11", ALLIED, 1, U(2)),)
    starts = draw(lay(), "E09", (4,))
    assert starts.happened(DieCast)[0].passed
    assert starts.position.effects == ()
    stalls = draw(lay(), "E09", (3,))
    assert stalls.position.effects == (Effect("E09", ALLIED, 1, U(0)),)


@pytest.mark.rule("P8-13.02")
def test_a_card_by_lot_may_hit_who_is_aboard_and_only_the_sniper_passes_over_him() -> None:
    def towing() -> Table:
        return table(
            open_ground(5, 12),
            element("truck", "0312"),
            element("at_17pdr", "", "allied", carrier=0),
            element("at_6pdr", "0212"),
            element("cmd_foot", "0512"),
        )

    assert draw(towing(), "E04", (1,)).position.effects == (Effect("E04", ALLIED, 1, U(1)),)
    assert draw(towing(), "E04", (2,)).position.effects == (Effect("E04", ALLIED, 1, U(2)),)
    assert draw(towing(), "E11", (2,)).position.effects == (Effect("E11", ALLIED, 1, U(1)),)
    riding = table(
        open_ground(5, 12),
        element("halftrack", "0301"),
        element("mmg", "", "german", carrier=0),
        element("halftrack", "0401"),
        element("cmd_foot", "", "german", carrier=2),
    )
    riding.change(0, side=GERMAN)
    assert draw(riding, "E06").happened(AttackRolled) == []


@pytest.mark.rule("P8-13.02")
@pytest.mark.parametrize("card", ["E02", "E04", "E05", "E06", "E07", "E09", "E11", "E12", "E13", "E14"])
def test_an_effect_with_no_legal_object_is_ignored(card: str) -> None:
    t = draw(table(open_ground(1, 3)), card)
    assert t.asked == ""
    assert t.position.effects == ()


@pytest.mark.rule("P8-13.02")
def test_fresh_belts_are_for_an_element_of_ones_choice_or_nobody() -> None:
    t = draw(lay(), "E05")
    t.play(ChooseElement(U(2)))
    assert t.position.effects == (Effect("E05", ALLIED, 1, U(2)),)
    other = draw(lay(), "E05")
    other.play(LetCardGo())
    assert other.position.effects == ()


@pytest.mark.rule("P8-13.02")
def test_a_sniper_shoots_at_a_random_commander_or_weapon() -> None:
    t = draw(lay(), "E06", (6, 5))
    (rolled,) = t.happened(AttackRolled)
    assert (rolled.manner, rolled.target, rolled.difference) == ("sniper", 4, 1)
    assert t.happened(FellBack) or t.element(4).suppressed
    alone = table(open_ground(1, 3), element("cmd_foot", "0102", "german"))
    assert deck.sniper_hex(alone.position, alone.element(0)) == alone.hex("0102")


@pytest.mark.rule("P8-13.02")
def test_smoke_drifts_within_six_hexes_of_ones_own() -> None:
    t = draw(lay(), "E07")
    assert t.refusal(ChooseHex(t.hex("0301"))).rule == "P8-13.02"
    assert t.refusal(ChooseHex(0)).rule == "P8-13.02"
    assert t.refusal(ChooseElement(U(0))).rule == "P8-13.02"
    assert len(list(deck.hex_offers(t.position, ALLIED))) > 20
    t.play(ChooseHex(t.hex("0308")))
    assert t.happened(SmokeLaid)[0].until == 2


@pytest.mark.rule("P8-13.02")
def test_lost_orders_are_named_by_the_opponent_far_from_commanders() -> None:
    t = lay()
    t.change(1, hex=t.hex("0101"))
    draw(t, "E12")
    assert t.decider == GERMAN
    assert t.refusal(ChooseElement(U(1))).rule == "P8-13.02"
    t.play(ChooseElement(U(0)))
    assert t.position.effects == (Effect("E12", ALLIED, 1, U(0)),)
    t.change(1, hex=t.element(0).hex, carrier=0)
    assert not deck.is_out_of_touch(t.position, t.element(0)), "a commander aboard is a commander on the map"


@pytest.mark.rule("P8-13.02")
@pytest.mark.rule("P8-12.03")
def test_a_friendly_battery_fires_where_somebody_sees() -> None:
    t = draw(lay(), "E13")
    assert [t.board.label(order.hex) for order in deck.hex_options(t.position, ALLIED, CardFrame("E13", ALLIED))] == [
        "0301",
        "0401",
    ]
    t.play(ChooseHex(t.hex("0301")), dice=[6, 1, 10, 1, 10])
    assert {event.target for event in t.happened(AttackRolled)} == {3, 4}
    blind = table("ooo\nWWW\nooo", element("sherman", "0203"), element("pz4g", "0101"), card="E13")
    assert deck.no_place(blind.position, ALLIED, blind.hex("0201"), "E13").rule == "P8-12.03"  # type: ignore[union-attr]


@pytest.mark.rule("P8-13.02")
@pytest.mark.rule("P8-12.03")
def test_a_friendly_battery_may_fire_on_any_hex_that_is_seen_also_where_no_enemy_is() -> None:
    t = draw(table("ooo\nWWW\nooo\nooo", element("sherman", "0204"), element("pz4g", "0201")), "E13")
    assert t.asked == "event"
    # the woods are seen, who stands behind them is not, and he is under the shells all the same
    assert t.refusal(ChooseHex(t.hex("0201"))).rule == "P8-12.03"
    t.play(ChooseHex(t.hex("0202")), dice=[6, 5, 5])
    assert [event.target for event in t.happened(AttackRolled)] == [1]


@pytest.mark.rule("P8-13.02")
@pytest.mark.rule("P8-15.01")
def test_lost_orders_are_not_asked_for_where_only_who_lies_hidden_is_out_of_touch() -> None:
    for options, asked in (({"hidden_setup": True}, ""), ({}, "event")):
        t = table(
            "W" + open_ground(1, 29, "o").replace("\n", "") + "\n" + "o" * 30,
            element("inf_rifle", "0101"),
            element("pz4g", "3001"),
            element("cmd_foot", "3002"),
            options=options,
        )
        draw(t, "E12")
        assert t.asked == asked


@pytest.mark.rule("P8-12.05")
@pytest.mark.rule("P8-13.02")
def test_fighter_bombers_strike_any_hex_with_bombs_or_the_armor_in_it() -> None:
    t = draw(lay(), "E14")
    assert t.refusal(StrikeFromAir(t.hex("0301"), "gas")).rule == "P8-12.05"
    assert t.refusal(StrikeFromAir(t.hex("0401"), "ap")).rule == "P8-12.05"
    assert t.refusal(StrikeFromAir(t.hex("0101"), "ap")).rule == "P8-12.05"
    blind = table("ooo\nWWW\nooo", element("sherman", "0203"), element("pz4g", "0201"), card="E14")
    assert deck.check_strike(blind.position, ALLIED, StrikeFromAir(blind.hex("0201"), "ap")) is None
    frame = CardFrame("E14", ALLIED)
    assert [order.ammo for order in deck.strike_options(t.position, ALLIED, frame)] == ["hesa", "ap", "hesa"]
    offers = list(deck.strike_offers(t.position, ALLIED))
    assert StrikeFromAir(t.hex("0301"), "ap") in offers
    assert all(t.check(order) is None for order in offers)
    t.play(StrikeFromAir(t.hex("0301"), "ap"), dice=[5, 1, 10])
    assert t.happened(StruckFromAir)[0].arrived
    assert list(deck.hex_offers(t.position, ALLIED)) == []
    assert list(deck.strike_offers(lay().position, ALLIED)) == []
    for options in (deck.element_options, deck.hex_options):
        assert list(options(t.position, ALLIED, frame)) == []
    assert list(deck.strike_options(t.position, ALLIED, CardFrame("E02", ALLIED))) == []


@pytest.mark.rule("P8-13.02")
def test_stragglers_come_back_from_the_count_of_losses() -> None:
    assert draw(lay(), "E17").position.stragglers == {ALLIED: 1}


@pytest.mark.rule("P8-4.01")
@pytest.mark.rule("P8-4.05")
def test_players_take_alternate_turns_of_four_phases() -> None:
    t = lay()
    t.set(smoke={t.hex("0101"): 1, t.hex("0102"): 2}, effects=(Effect("E10", ALLIED, 1), Effect("E08", ALLIED, 2)))
    t.play(EndPhase(), dice=[1])
    assert [event.step for event in t.happened(StepBegan)] == ["end", "draw", "action"]
    assert t.happened(TurnEnded)[0].half == 1
    (began,) = t.happened(TurnBegan)
    assert (began.side, began.turn, began.half) == (GERMAN, 1, 2)
    assert list(t.position.smoke) == [t.hex("0102")]
    assert t.position.effects == (Effect("E08", ALLIED, 2),)
    assert t.decider == GERMAN
    t.play(EndPhase(), dice=[1])
    assert t.position.turn == 2
    assert t.decider == ALLIED


@pytest.mark.rule("P8-4.03")
@pytest.mark.rule("P8-5.01")
def test_a_new_turn_gives_back_actions_and_reactions() -> None:
    t = lay()
    for number in range(5):
        t.change(number, acted=1, reacted=1, recovered=True, rallied=True, spent=30)
    t.play(EndPhase(), dice=[1])
    assert [(one.acted, one.reacted) for one in t.position.elements] == [(1, 0), (1, 0), (1, 0), (0, 1), (0, 1)]
    assert t.happened(EffectBegan) == []
