"""The better of a system's computer players wins."""

from __future__ import annotations

import pytest

from sandtable import registry
from sandtable.ai.players import BUDGET, Player
from sandtable.content import load_shipped
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.engine import begin, submit
from sandtable.kernel.ids import SideId
from sandtable.kernel.state import Played

PANZER_LEADER = registry.ruleset("panzer_leader")


def fought(id: str, players: dict[str, Player], seed: str) -> SideId | None:
    """The winner of a battle between these players."""
    state = begin(PANZER_LEADER, load_shipped(id, registry.vocabulary("panzer_leader")), {}, seed).state
    number = 0
    while decisions := PANZER_LEADER.decisions(state):
        decision = decisions[0]
        view = PANZER_LEADER.view(state, decision.side)
        dice = PromptDice(f"{seed} {decision.side}", number)
        order = players[decision.side].choose(view, decision, BUDGET, dice)
        played = submit(PANZER_LEADER, state, decision.side, order)
        assert isinstance(played, Played), f"{order}: {played}"
        state, number = played.state, number + 1
    outcome = PANZER_LEADER.outcome(state)
    assert outcome is not None
    return outcome.winner


@pytest.mark.parametrize(("id", "seeds"), [("pl-first-platoon", "12345678"), ("pl-meeting", "1")])
@pytest.mark.parametrize("side", ["allied", "german"])
def test_the_greedy_player_beats_the_random_one_on_either_side(id: str, seeds: str, side: str) -> None:
    players: dict[str, Player] = dict.fromkeys(("allied", "german"), registry.player("random", "panzer_leader"))
    players[side] = registry.player("greedy", "panzer_leader")
    won = sum(fought(id, players, seed) == side for seed in seeds)
    assert won > len(seeds) / 2
