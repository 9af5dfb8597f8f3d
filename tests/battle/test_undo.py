"""What can be taken back at the authority: nothing that told its side something, and under fog nothing that looked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sandtable.battle import ledger
from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.seats import human
from sandtable.battle.storage.store import Store
from sandtable.kernel import codec
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.ids import HexId, SideId, UnitId
from tests.battle.kit import SEATS, MemoryStore, Shelf, battles, reopened
from tests.battle.toys import Lookout, Melee
from tests.kit.toy import BLUE, RED, Bid, EndMoves, Move, Post, Scenario, Watch

AMBUSH = Scenario(12, 6, (Post(RED, HexId(1)), Post(RED, HexId(4)), Post(BLUE, HexId(6), hidden=True)))


def give(battle: Battle, side: str, order: Any) -> None:
    answer = battle.submit(side, order, battle.view(side).number, f"c{battle.ledger.entries}")
    assert answer.verdict == "accepted", answer


def taken_back(battle: Battle, side: str) -> bool:
    """Whether the side's latest order could be taken back; what the table offers is what is done."""
    offered = battle.view(side).can_undo
    answer = battle.undo(side, battle.view(side).number, f"u{battle.ledger.entries}")
    assert (answer.verdict == "accepted") == offered
    return bool(offered)


def lookout(store: Any) -> Battle:
    battle = battles(store, Shelf(Lookout(), ambush=AMBUSH)).create("toy", "ambush", SEATS)
    give(battle, RED, Bid(2))
    give(battle, BLUE, Bid(1))
    return battle


def test_a_move_that_discovers_an_enemy_can_not_be_taken_back(store: Store) -> None:
    battle = lookout(store)
    give(battle, RED, Move(UnitId(1), HexId(2)))
    assert taken_back(battle, RED), "a move that tells nothing is taken back"
    give(battle, RED, Move(UnitId(2), HexId(5)))
    assert [unit.id for unit in battle.knowledge(RED).position.units] == [1, 2, 3]
    assert not taken_back(battle, RED)
    give(battle, RED, Watch(UnitId(1)))
    assert taken_back(battle, RED), "an order after it is"
    assert not taken_back(battle, RED), "but not the one that discovered him"


def test_a_restart_forgets_no_discovery(store: Store, sqlite_url: str) -> None:
    battle = lookout(store)
    give(battle, RED, Move(UnitId(2), HexId(5)))
    shelf = Shelf(Lookout(), ambush=AMBUSH)
    again_store, again = reopened(battle, sqlite_url, shelf)
    assert not taken_back(again, RED)
    again_store.close()


def test_who_was_discovered_does_not_hinder_an_undo_he_alone_knows_of(store: Store) -> None:
    """Blue sees red come next to him and red does not see blue: a refusal would betray blue."""
    battle = battles(store, Shelf(ambush=AMBUSH)).create("toy", "ambush", SEATS)
    give(battle, RED, Bid(2))
    give(battle, BLUE, Bid(1))
    give(battle, RED, Move(UnitId(2), HexId(5)))
    assert taken_back(battle, RED)


@pytest.mark.parametrize("scenario", ["pl-meeting", "pl-crossroads"])
def test_under_fog_only_orders_on_paper_are_taken_back(scenario: str) -> None:
    offered = played(scenario, {"fog": True})
    assert set(offered) <= {"WriteMission", "WriteNavalMission", "SetFacing"}
    assert offered["WriteMission"] > 0


def test_without_fog_a_move_is_taken_back() -> None:
    assert played("pl-meeting", {"fog": False})["MoveUnit"] > 5


def played(scenario: str, options: dict[str, Any]) -> Counter[str]:
    """Orders of a shipped scenario, chosen by lot; how many of each kind could be taken back."""
    house = Battles(MemoryStore(), ShippedLibrary())
    sides = (SideId("allied"), SideId("german"))
    battle = house.create("panzer_leader", scenario, tuple(map(human, sides)), options, "undo")
    ruleset, offered = battle.rules.ruleset, Counter[str]()
    for number in range(240):
        state = battle.ledger.state
        decision = ruleset.decisions(state)[0]
        order = ruleset.options(ruleset.view(state, decision.side), decision).pick(PromptDice("lots", number))
        give(battle, decision.side, order)
        if battle.view(decision.side).can_undo:
            before = codec.encode(ruleset.view(state, decision.side))
            offered[type(order).__name__] += 1
            if number % 10 == 0:
                assert taken_back(battle, decision.side)
                assert codec.encode(battle.knowledge(decision.side)) == before
    return offered


def test_taking_back_reaches_so_far_and_no_farther(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "FARTHEST_UNDO", 2)
    battle = battles(store, Shelf(Melee())).create("toy", "line", SEATS)
    give(battle, RED, Bid(1))
    give(battle, BLUE, Bid(1))
    give(battle, RED, Watch(UnitId(1)))
    for unit in (4, 5, 6):
        assert battle.view(RED).can_undo == (unit < 6)
        give(battle, BLUE, Watch(UnitId(unit)))
    assert not taken_back(battle, RED)
    assert taken_back(battle, BLUE)
    assert taken_back(battle, BLUE)
    assert len(battle.ledger.recent) <= 2


def test_an_end_of_moves_that_passes_the_decision_stays(store: Store) -> None:
    battle = lookout(store)
    give(battle, RED, EndMoves())
    assert not taken_back(battle, RED)
