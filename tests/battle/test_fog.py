"""Fog as a player meets it at the authority: what is marked, what is told, and what no answer may betray."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.seats import human
from sandtable.kernel.ids import SideId
from tests.battle.kit import MemoryStore

SIDES = (SideId("allied"), SideId("german"))


def fought(scenario: str, options: dict[str, Any], seed: str = "fog") -> Battle:
    """A battle of a shipped scenario between two people."""
    house = Battles(MemoryStore(), ShippedLibrary())
    return house.create("panzer_leader", scenario, tuple(map(human, SIDES)), options, seed)


@pytest.mark.rule("PL-1507")
@pytest.mark.parametrize("fog", [True, False])
def test_odds_say_when_they_hold_only_as_far_as_the_side_knows(fog: bool) -> None:
    battle = fought("pl-meeting", {"fog": fog})
    ruleset, state = battle.rules.ruleset, battle.ledger.state
    decision = ruleset.decisions(state)[0]
    order = next(iter(ruleset.options(ruleset.view(state, decision.side), decision)))
    odds = battle.preview(decision.side, order)
    assert odds.forecast is not None
    assert odds.as_known is fog
