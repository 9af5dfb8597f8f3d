"""Counters in words."""

from __future__ import annotations

import pytest

from sandtable.rulesets.panzer_battles.counters import counters
from sandtable.rulesets.panzer_battles.kinds import KINDS

CARDS = {card.key: card for card in counters()}


@pytest.mark.rule("PB-UNIT-4", "PB-UNIT-5")
def test_every_unit_type_is_explained() -> None:
    assert set(CARDS) == set(KINDS)
    howitzer = CARDS["su_122how"]
    assert howitzer.brief == "Artillery, full 4 guns, soft 18 (range 47), hard 2 (range 4)"
    assert [(value.name, value.amount) for value in howitzer.values][:6] == [
        ("Strength", "4"),
        ("Soft", "18"),
        ("Hard", "2"),
        ("Indirect", "47"),
        ("Defense", "18"),
        ("Assault", "1"),
    ]
    assert [value.meaning for value in howitzer.values][1] == "attack per gun at men, guns and trucks, up to 47 hexes"


@pytest.mark.rule("PB-UNIT-2")
def test_headquarters_and_trucks_have_no_weapon() -> None:
    assert CARDS["de_bn_hq"].brief == "Headquarters, full 30 men, no weapon"
    values = {value.name: value for value in CARDS["de_bn_hq"].values}
    assert (values["Command"].amount, values["AA"].amount) == ("12", "1")
    assert values["Defense"].meaning == "what fire and assault are divided by while carried"


@pytest.mark.rule("PB-SPOT-17")
def test_of_an_unknown_unit_nothing_is_said() -> None:
    assert CARDS["unknown"].brief == "of a type not known"
    assert [value.amount for value in CARDS["unknown"].values] == ["not known"]
