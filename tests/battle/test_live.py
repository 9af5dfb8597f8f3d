"""A battle in an event loop: the commit is awaited, orders of many battles share it, and news wake who waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from sandtable.battle.live import LiveBattle
from sandtable.battle.observed import wire
from sandtable.battle.storage.rows import Conflict, Unavailable
from sandtable.battle.storage.store import Store
from tests.battle.kit import WATCHER, lot, new_battle, reopened
from tests.kit.toy import BLUE, RED, Bid


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


async def give_by_lot(live: LiveBattle, number: int) -> bool:
    """One order of the lots; False when the battle is over."""
    chosen = lot(live.battle, number)
    if chosen is None:
        return False
    side, order = chosen
    answer = await live.submit(side, order, live.battle.view(side).number, f"c{number}")
    assert answer.verdict == "accepted"
    return True


def test_an_answer_is_given_after_the_commit(store: Store) -> None:
    async def scene() -> None:
        live = LiveBattle(new_battle(store), store)
        answer = await live.submit(RED, Bid(2), 1, "c")
        assert answer.verdict == "accepted"
        assert store.rows(live.battle.id)[-1].command == "red:c"
        assert (await live.submit(RED, Bid(2), 1, "c")) == answer

    run(scene)


def test_nobody_sees_an_order_that_is_on_its_way_to_the_disk(store: Store) -> None:
    async def scene() -> None:
        live = LiveBattle(new_battle(store), store)
        before = wire(live.battle.view(BLUE))
        loop = asyncio.get_running_loop()
        reached, go_on = asyncio.Event(), threading.Event()

        def slow(connection: Any) -> None:
            loop.call_soon_threadsafe(reached.set)
            go_on.wait()

        store.writer.put(slow)
        await reached.wait()
        task = asyncio.create_task(live.submit(RED, Bid(2), 1, "c"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not task.done()
        assert wire(live.battle.view(BLUE)) == before
        go_on.set()
        assert (await task).verdict == "accepted"
        assert live.battle.events(BLUE, 1)

    run(scene)


def test_orders_of_many_battles_share_transactions(store: Store) -> None:
    async def scene() -> None:
        lives = [LiveBattle(new_battle(store, f"seed {n}", turns=20), store) for n in range(16)]
        before, orders = store.writer.transactions, 0
        for number in range(20):
            given = await asyncio.gather(*(give_by_lot(live, number) for live in lives))
            orders += sum(given)
        assert orders > 200
        assert store.writer.transactions - before < orders // 2

    run(scene)


def test_orders_for_one_battle_are_taken_one_after_the_other(store: Store) -> None:
    async def scene() -> None:
        live = LiveBattle(new_battle(store), store)
        answers = await asyncio.gather(*(live.submit(RED, Bid(2), 1, f"c{n}") for n in range(8)))
        assert sorted(answer.verdict for answer in answers) == ["accepted"] + ["stale"] * 7

    run(scene)


def test_news_wake_who_waits_for_them(store: Store) -> None:
    async def scene() -> None:
        live = LiveBattle(new_battle(store), store)
        waiting = asyncio.create_task(live.news(BLUE, 1))
        await asyncio.sleep(0)
        assert not waiting.done()
        await live.submit(RED, Bid(2), 1, "c")
        assert [one.number for one in await waiting or ()] == [2]
        assert await live.news(BLUE, 0) == live.battle.events(BLUE)

    run(scene)


def test_a_sender_who_hangs_up_does_not_stop_his_order(store: Store) -> None:
    async def scene() -> None:
        live = LiveBattle(new_battle(store), store)
        task = asyncio.create_task(live.submit(RED, Bid(2), 1, "c"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [one.number for one in await live.news(BLUE, 1) or ()] == [2]
        assert (await live.submit(RED, Bid(2), 1, "c")).verdict == "accepted"

    run(scene)


def test_an_undo_is_awaited_too(store: Store) -> None:
    async def scene() -> None:
        live = LiveBattle(new_battle(store), store)
        answer = await live.undo(RED, 1, "back")
        assert answer.verdict == "refused"
        assert (await live.undo(WATCHER, 0, "back")).verdict == "refused"

    run(scene)


def test_what_another_process_wrote_is_news_here(sqlite_url: str, store: Store) -> None:
    here = new_battle(store)
    other_store, there = reopened(here, sqlite_url)

    async def scene() -> None:
        live = LiveBattle(here, store)
        waiting = asyncio.create_task(live.news(BLUE, 1))
        assert there.submit(RED, Bid(2), 1, "elsewhere").verdict == "accepted"
        await live.look()
        assert [one.number for one in await waiting or ()] == [2]
        # an order that meets one of the other process is judged anew
        assert there.submit(BLUE, Bid(2), 2, "elsewhere").verdict == "accepted"
        assert (await live.submit(BLUE, Bid(1), 2, "here")).verdict == "stale"

    run(scene)
    other_store.close()


@pytest.mark.parametrize("error", [Conflict("too late"), Unavailable("away")])
def test_an_order_the_store_will_not_take_is_given_back(
    error: Exception, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(connection: Any) -> None:
        raise error

    async def scene() -> None:
        live = LiveBattle(new_battle(store), store)
        monkeypatch.setattr(store, "append", lambda *_: store.writer.put(refuse))
        answer = await live.submit(RED, Bid(2), 1, "c")
        assert answer.verdict == "unavailable"
        monkeypatch.undo()
        assert (await live.submit(RED, Bid(2), 1, "c")).verdict == "accepted"

    run(scene)
