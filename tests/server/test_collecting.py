"""Everything that lives is looked through rarely, and what has gone is let go in the end."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

import pytest

from sandtable.server import collecting
from sandtable.server.collecting import FEWEST, LONGEST, Collector
from tests.server.kit import Server


class Looked:
    """Counts how often everything was looked through."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        self.times += phase == "start" and info["generation"] == 2


@pytest.fixture
def looked() -> object:
    counting = Looked()
    gc.callbacks.append(counting)
    yield counting
    gc.callbacks.remove(counting)


def many_objects() -> list[list[int]]:
    """More than a thousand orders leave behind."""
    return [[number] for number in range(400_000)]


def during(collector: Collector, work: Callable[[], object]) -> object:
    """What work makes while the collector waits to be called."""

    async def run() -> object:
        task = asyncio.create_task(collector.run())
        await asyncio.sleep(0)
        made = work()
        task.cancel()
        await asyncio.wait([task])
        return made

    return asyncio.run(run())


def test_nobody_waits_while_everything_is_looked_through(looked: Looked) -> None:
    gc.collect()
    looked.times = 0
    alone = many_objects()
    assert looked.times > 0
    times = looked.times
    during(Collector(lambda: 1), many_objects)
    # once at the start, before anybody is there
    assert looked.times == times + 1
    assert len(alone) == 400_000
    assert gc.get_freeze_count() == 0


def test_everything_is_looked_through_when_as_much_has_gone_as_is_there() -> None:
    live, now = 3 * FEWEST, [0.0]
    collector = Collector(lambda: live, lambda: now[0])
    for _ in range(live - 1):
        collector.gone()
    assert not collector.look()
    collector.gone()
    assert collector.look()
    assert not collector.look()
    now[0] = 2 * LONGEST
    # nothing has gone, so nothing is to be had
    assert not collector.look()
    collector.gone()
    assert collector.look()


def test_lines_that_close_and_battles_laid_aside_are_counted(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    monkeypatch.setattr(collecting.Collector, "gone", lambda self: counted.append(1))
    with server.seat(server.battle(), "allied") as line:
        line.ask("Ping")
    # the next request is answered after the line was left
    while len(counted) < 2:
        server.get("house")
