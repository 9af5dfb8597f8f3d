"""The standing large battle: some 300 units a side on 120 by 90 hexes, a stretch of it under fog by the authority."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.ai.players import BUDGET
from sandtable.battle.authority import Battle
from sandtable.battle.memory import open_battle
from sandtable.battle.seats import computer
from sandtable.kernel import codec
from sandtable.kernel.engine import all_viewers
from sandtable.kernel.ids import SPECTATORS, SideId
from sandtable.lab.seats import computer_order, deciding, give, players_of
from sandtable.lab.tables import open_table
from sandtable.rulesets.panzer_battles.orders import EndTurn

SCENARIO = Path(__file__).parents[2] / "bench" / "pb-large.toml"
SIDES = (SideId("allied"), SideId("axis"))
ORDERS = 90
"""How many orders each side gives in its turn."""


def check_known(battle: Battle) -> None:
    """What every viewer was told is what he may know, made from scratch but for what he remembers."""
    state, rules = battle.ledger.state, battle.rules.ruleset
    for viewer in all_viewers(rules, state):
        told = state.known.positions[viewer]
        assert codec.encode(told) == codec.encode(rules.known(state.position, viewer, told)), viewer


def stretch(seed: str, *, checks: bool) -> str:
    """The digest of all that is after a turn of both sides and a second one of the first, greedy against greedy."""
    table = open_table(str(SCENARIO))
    players = players_of(table.system, dict.fromkeys(SIDES, "greedy"))
    battle = open_battle(table, tuple(computer(side, "greedy") for side in SIDES), {}, seed, viewers=all_viewers)
    for _ in range(3):
        side = deciding(battle)
        assert side is not None
        for number in range(ORDERS):
            if deciding(battle) != side:
                break
            assert computer_order(battle, side, players[side], BUDGET).verdict == "accepted"
            if checks and number % 15 == 0:
                check_known(battle)
        if deciding(battle) == side:
            assert give(battle, side, EndTurn()).verdict == "accepted"
            assert deciding(battle) != side
        if checks:
            check_known(battle)
    known = battle.ledger.state.known.positions
    return codec.digest([battle.ledger.state, *(known[viewer] for viewer in (*SIDES, SPECTATORS))])


def test_the_large_battle_has_three_hundred_units_a_side() -> None:
    scenario: Any = open_table(str(SCENARIO)).scenario
    assert (scenario.board.width, scenario.board.height) == (120, 90)
    for side in SIDES:
        assert sum(unit.side == side for unit in scenario.units) >= 300


@pytest.mark.thorough
def test_a_stretch_of_the_large_battle_is_told_truly_and_goes_alike_again() -> None:
    assert stretch("large", checks=True) == stretch("large", checks=False)
