"""Counters in words: every number that is printed says what it means, by the tables of the rules."""

from __future__ import annotations

import pytest

from sandtable import registry
from sandtable.play.words import so_many
from sandtable.rulesets.panzer_leader.model import ALLIED, GERMAN
from sandtable.rulesets.panzer_leader.ruleset import PanzerLeader
from tests.rulesets.panzer_leader.table import plane, table, unit

PL = PanzerLeader()
CARDS = {card.key: card for card in registry.counters("panzer_leader")}


def told(key: str) -> dict[str, tuple[str, str, str]]:
    return {value.name: (value.amount, value.meaning, value.rule) for value in CARDS[key].values}


@pytest.mark.rule("PL-102", "PL-302", "PL-304")
def test_a_counter_tells_attack_weapon_range_defense_and_movement() -> None:
    sherman = told("a_m4_75")
    assert CARDS["a_m4_75"].brief == "attack 11 armor piercing, range 8, defense 9 armored, movement 8"
    assert sherman["Attack"] == ("11", "strength of its fire, before distance and target", "PL-102")
    assert sherman["Range"] == ("8", "fires up to 8 hexes", "PL-102")
    assert sherman["Defense"] == ("9", "attacks are measured against it, as on an armored target", "PL-302")
    assert sherman["Movement"] == ("8", "points a turn, as a vehicle", "PL-304")
    assert sherman["Ability"] == ("", "turreted", "PL-307")


@pytest.mark.rule("PL-301", "PL-808", "PL-809")
@pytest.mark.parametrize(
    ("key", "meaning"),
    [
        ("a_m4_75", "armor piercing; double against armor up to 4 hexes, full beyond, half against others"),
        ("g_rifle", "light weapons; can't harm armor, full against others"),
        ("a_m4_105", "high explosive; full against armor up to 6 hexes, half beyond, full against others"),
        ("a_81mm", "mortar; half against armor, full against others; can be ordered to fire indirectly"),
        ("a_engineer", "light weapons; can't harm armor, full against others"),
    ],
)  # fmt: skip
def test_a_weapon_tells_what_it_does_to_armor_and_to_others(key: str, meaning: str) -> None:
    assert told(key)["Weapon"][1:] == (meaning, "PL-808")


@pytest.mark.rule("PL-305")
def test_a_starred_range_tells_how_far_it_reaches_at_half_strength() -> None:
    reach = "fires up to 2 hexes, up to 4 at half strength against targets without armor"
    assert told("g_rifle")["Range"] == ("2*", reach, "PL-305")


def test_what_has_no_weapon_or_does_not_move_says_so() -> None:
    assert told("g_truck")["Attack"] == ("0", "it has no weapon", "PL-102")
    assert CARDS["g_truck"].brief == "no weapon, defense 1, movement 12"
    assert told("g_50pak")["Movement"] == ("0", "it has to be carried", "PL-304")
    assert CARDS["n_fort20"].brief == "defense 20 armored"


@pytest.mark.rule("PL-308", "PL-1205")
def test_aircraft_tell_what_they_carry() -> None:
    assert CARDS["p47"].brief == "machine guns 3, bombs 30, rockets 20"
    assert told("p47")["Bombs"] == ("30", "high explosive, if it carries them", "PL-308")
    assert CARDS["l5"].brief == "no weapon"
    assert told("l5")["Weapon"] == ("none", "it observes for indirect fire", "PL-308")


@pytest.mark.rule("PL-1401")
def test_a_face_down_enemy_says_only_that_it_is_not_known() -> None:
    t = table("OB.", unit("a_m4_75", "0101", facedown=True), unit("g_rifle", "0301"))
    (piece,) = [piece for piece in PL.pieces(PL.view(t.state, GERMAN)) if piece.side == ALLIED]
    card = CARDS[piece.counter]
    assert card.brief == "of a type not known"
    assert [value.name for value in card.values] == ["Type"]


def test_every_piece_of_a_unit_names_its_counter() -> None:
    t = table("..", unit("a_m4_75", "0101"), unit("g_rifle", "0201"), aircraft=[plane("p47", "0201")])
    assert [piece.counter for piece in PL.pieces(PL.view(t.state, ALLIED))] == ["a_m4_75", "g_rifle", "p47"]


def test_one_hex_is_a_hex() -> None:
    assert (so_many(1, "hex", "hexes"), so_many(2, "hex", "hexes")) == ("1 hex", "2 hexes")


def test_every_type_of_counter_is_told() -> None:
    assert all(card.brief and card.values for card in CARDS.values())
