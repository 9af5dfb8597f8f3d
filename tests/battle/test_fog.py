"""Fog as a player meets it at the authority: what is marked, what is told, and what no answer may betray."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import history
from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.memory import nobody, open_battle
from sandtable.battle.observed import wire
from sandtable.battle.seats import computer, human
from sandtable.kernel import codec
from sandtable.kernel.engine import all_viewers
from sandtable.kernel.ids import SideId
from tests.battle.kit import MemoryStore, order_by_lot

SIDES = (SideId("allied"), SideId("german"))


def fought(scenario: str, options: dict[str, Any], seed: str = "fog", store: Any = None) -> Battle:
    """A battle of a shipped scenario between two people."""
    house = Battles(store or MemoryStore(), ShippedLibrary())
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


def by_lot(battle: Battle, most: int) -> None:
    """So many orders of a battle, each chosen by lot."""
    for number in range(battle.ledger.lines, battle.ledger.lines + most):
        if order_by_lot(battle, number) is None:
            return


def pass_turns(battle: Battle, phases: int) -> None:
    """Nobody does anything for so many phases."""
    for number in range(phases):
        side = battle.rules.ruleset.decisions(battle.ledger.state)[0].side
        ending = battle.order_from(b'{"order":"EndPhase"}')
        assert battle.submit(side, ending, battle.standpoint(side).number, f"pass {number}").verdict == "accepted"


@pytest.mark.rule("PL-1507")
@pytest.mark.parametrize("fog", [True, False])
def test_a_turn_of_the_enemy_of_which_nothing_was_seen_leaves_a_line_in_the_fog(fog: bool) -> None:
    store = MemoryStore()
    battle = fought("pl-crossroads", {"fog": fog}, store=store)
    pass_turns(battle, 30)
    for side in SIDES:
        log = [line for line in battle.recent_log(side).lines if line.tone == "heading" or line.kind == "unseen"]
        told = [number for number, line in enumerate(log) if line.kind == "unseen"]
        assert bool(told) is fog
        assert all(log[number - 1].side not in ("", side) for number in told)
        again = Battles(store, ShippedLibrary()).open(battle.id)
        assert wire(again.recent_log(side)) == wire(battle.recent_log(side))


@pytest.mark.rule("PL-1502", "PL-1507")
def test_what_a_side_remembers_is_remembered_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LEAD", 10)
    store = MemoryStore()
    battle = fought("pl-meeting", {"fog": True}, store=store)
    by_lot(battle, 260)
    assert sum(len(known.contacts) for known in battle.ledger.state.known.positions.values()) > 3
    again = Battles(store, ShippedLibrary()).open(battle.id)
    assert again.ledger.state.known.positions == battle.ledger.state.known.positions
    for side in SIDES:
        assert wire(again.view(side)) == wire(battle.view(side))
        assert any(piece.last_seen for piece in battle.view(side).pieces)


@pytest.mark.rule("PL-1507")
def test_a_game_that_is_only_counted_is_the_same_game_under_fog() -> None:
    scenario = ShippedLibrary().find("panzer_leader", "pl-crossroads")
    seats = tuple(computer(side, "random") for side in SIDES)
    told, quiet = (open_battle(scenario, seats, {"fog": True}, "seed", viewers) for viewers in (all_viewers, nobody))
    for battle in (told, quiet):
        by_lot(battle, 200)
    assert codec.encode(quiet.ledger.state) == codec.encode(told.ledger.state)
    for side in SIDES:
        assert codec.encode(quiet.knowledge(side)) == codec.encode(told.knowledge(side))
    assert (quiet.events(SIDES[0]), quiet.view(SIDES[0]).can_undo) == ((), False)
