"""Computer players: they know what their side knows, think elsewhere, and can be hurried."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sandtable import registry
from sandtable.battle import observation, seats
from sandtable.battle.battles import Battles
from sandtable.battle.computers import Thought, waiting
from sandtable.battle.library import ShippedLibrary
from sandtable.battle.storage.store import Store, open_store
from sandtable.kernel import codec
from sandtable.kernel.ids import SideId
from sandtable.server import limits
from sandtable.server.limits import Budget, Budgets
from sandtable.server.play import sessions
from sandtable.server.play.sessions import BattleSession, new_queues, quickest
from sandtable.server.workers import jobs
from sandtable.server.workers.pool import Overworked, WorkerPool
from tests.server.kit import END, Server

ALLIED, GERMAN = SideId("allied"), SideId("german")
PAYERS = (Budget(limits.SEAT),)


@pytest.fixture
def store(tmp_path: Any) -> Any:
    store = open_store(str(tmp_path / "battles.sqlite"))
    yield store
    store.close()


class Nobody(WorkerPool):
    """A workers that never answers, but keeps what it was asked."""

    def __init__(self, answer: bytes | None = None, error: Exception | None = None) -> None:
        super().__init__(1, 1.0)
        self.answer, self.error = answer, error
        self.asked: list[bytes] = []

    async def run(self, job: Any, data: bytes, stop: Any = None) -> bytes | None:
        self.asked.append(data)
        if self.error is not None:
            raise self.error
        return self.answer


def session_for(
    store: Store, workers: WorkerPool, options: dict[str, Any] | None = None
) -> tuple[BattleSession, Thought]:
    battles = Battles(store, ShippedLibrary())
    players = (seats.computer(ALLIED, "greedy"), seats.human(GERMAN))
    battle = battles.create("panzer_leader", "pl-first-platoon", players, options or {}, "seed")
    thought = waiting(battle, sessions._elsewhere)
    assert thought is not None
    return BattleSession(battle, battles, workers, workers, new_queues(Budgets()), ""), thought


def test_a_computer_answers_a_humans_turn(server: Server) -> None:
    keys = server.battle("human", "random")
    with server.seat(keys, "allied") as line:
        while line.table["decisions"]:
            assert line.order(END)["type"] == "Accepted"
        heard = line.until("Thinking")
        assert heard["side"] == "german"
        percent = heard["percent"]
        # that it is through may be heard before what it has done
        while percent < 100 or not line.table["decisions"]:
            heard = line.until("Thinking", "Update")
            percent = heard.get("percent", percent)
        assert line.table["turn"] == 2


def test_two_computers_play_while_somebody_watches(server: Server) -> None:
    keys = server.battle("random", "random")
    assert keys["tokens"] == {}
    watching = server.post(f"battles/{keys['id']}/watch").json()
    with server.seat(watching) as spectator:
        while spectator.table["outcome"] is None:
            spectator.until("Update", "Snapshot")
    card = next(card for card in server.get("battles").json() if card["id"] == keys["id"])
    assert card["outcome"] is not None


def test_a_human_is_answered_while_a_computer_thinks(server: Server) -> None:
    keys = server.battle("human", "greedy")
    with server.seat(keys, "allied") as line:
        while line.table["decisions"]:
            assert line.order(END)["type"] == "Accepted"
        assert line.ask("AskSeen")["hexes"]
        assert line.ask("Ping")["type"] == "Pong"


def test_the_worker_is_given_the_view_and_nothing_else(store: Store) -> None:
    workers = Nobody()
    session, thought = session_for(store, workers, {"fog": True})
    asyncio.run(session._order(thought))
    task = codec.decode(workers.asked[0], jobs.ThinkingTask)
    view = observation.knowledge(session.ruleset, session.battle.ledger.state, ALLIED)
    assert bytes(task.believed.position) == codec.encode(view.position)
    header = session.battle.rules.header
    assert header.seed is not None
    assert header.seed.encode() not in workers.asked[0]
    hidden = [unit for unit in session.battle.ledger.state.position.units if unit.side == GERMAN]
    believed = codec.decode(bytes(task.believed.position), dict[str, Any])
    for unit in hidden:
        known = believed["units"][unit.id]
        assert known.get("hex", 0) == view.position.units[unit.id].hex


def test_a_worker_makes_the_same_view_of_what_it_is_given(store: Store) -> None:
    session, thought = session_for(store, Nobody(), {"fog": True})
    view, _ = jobs._view(session.battle.belief(thought.seat.name), "")
    assert codec.encode(view) == codec.encode(thought.view)


@pytest.mark.parametrize("player", list(registry.PLAYERS))
def test_a_thought_gives_the_order_that_the_player_would_give(store: Store, player: str) -> None:
    session, thought = session_for(store, Nobody())
    task = jobs.ThinkingTask(session.battle.belief(thought.seat.name), player, thought.lots, thought.number, 8)
    order = session.battle.order_from(jobs.think(codec.encode(task), 0))
    direct = thought._replace(player=registry.player(player, "panzer_leader")).order(8)
    assert order == direct


def test_a_thought_that_is_stopped_gives_no_order(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    session, thought = session_for(store, Nobody())
    board = [0] * jobs.FIELDS
    monkeypatch.setattr(jobs, "_board", board)
    belief = session.battle.belief(thought.seat.name)
    task = codec.encode(jobs.ThinkingTask(belief, "greedy", thought.lots, thought.number, 8))
    assert jobs.think(task, 0)
    assert 0 < board[jobs.PROGRESS] <= 9
    board[jobs.STOP] = 1
    assert jobs.think(task, 0) == b""


@pytest.mark.parametrize(
    "workers",
    [Nobody(), Nobody(b"no order"), Nobody(b'{"order":"Nothing"}'), Nobody(error=Overworked("full"))],
    ids=["silent", "nonsense", "unknown", "overworked"],
)
def test_when_no_order_comes_the_quickest_lawful_one_is_played(store: Store, workers: Nobody) -> None:
    session, thought = session_for(store, workers)
    order = asyncio.run(session._order(thought))
    assert order == quickest(session.ruleset, "panzer_leader", thought.view, thought.decision)
    assert session.ruleset.check(thought.view, order) is None


def test_an_order_that_is_refused_is_replaced_by_the_quickest(store: Store) -> None:
    workers = Nobody(b'{"order":"DirectFire","firers":[0],"hex":1,"targets":[]}')
    session, thought = session_for(store, workers)
    assert asyncio.run(session._play(thought))
    assert session.battle.ledger.number(ALLIED) == 2


def test_long_odds_are_worked_out_in_a_worker_and_are_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    session, thought = session_for(store, Nobody())
    decision = thought.decision
    order = next(iter(session.ruleset.options(thought.view, decision)))
    seat = thought.seat
    quick = asyncio.run(session.preview(seat, order, PAYERS))
    assert quick.forecast is not None
    question = jobs.ForecastTask(session.battle.belief(seat.name), codec.decode(codec.encode(order), codec_raw()))
    workers = Nobody(jobs.foresee(codec.encode(question), 0))
    session._advisors = workers
    monkeypatch.setattr(sessions, "QUICK_LEAVES", 0)
    assert asyncio.run(session.preview(seat, order, PAYERS)) == quick
    assert len(workers.asked) == 1


def test_long_odds_that_a_worker_can_not_tell_are_a_refusal(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    session, thought = session_for(store, Nobody())
    order = next(iter(session.ruleset.options(thought.view, thought.decision)))
    monkeypatch.setattr(sessions, "QUICK_LEAVES", 0)
    for answer, reason in ((None, "can't be told"), (b'{"rule":"PL-1","reason":"no"}', "no")):
        session._advisors = Nobody(answer)
        found = asyncio.run(session.preview(thought.seat, order, PAYERS))
        assert found.forecast is None
        assert found.refusal is not None
        assert reason in found.refusal.reason


def codec_raw() -> Any:
    import msgspec

    return msgspec.Raw


def test_hurrying_makes_the_computer_play_at_once(server: Server) -> None:
    keys = server.battle("human", "greedy")
    with server.seat(keys, "allied") as line:
        while line.table["decisions"]:
            assert line.order(END)["type"] == "Accepted"
        while not line.table["decisions"]:
            line.say("CancelThinking")
            line.until("Update", "Thinking")
        assert line.table["turn"] == 2
