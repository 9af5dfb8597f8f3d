"""Worker processes: what they give back, and what becomes of those that fail, die, hang or are not needed any more."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from sandtable.server.workers import jobs
from sandtable.server.workers.pool import SLOTS, Overworked, WorkerPool
from tests.server import stand_ins
from tests.server.kit import PATIENCE


@pytest.fixture
def workers() -> Iterator[WorkerPool]:
    workers = WorkerPool(1, patience=20.0)
    yield workers
    workers.close()


def test_a_job_is_done_in_another_process_and_the_same_one_again(workers: WorkerPool) -> None:
    async def both() -> tuple[bytes | None, bytes | None]:
        return await workers.run(stand_ins.echo, b"one"), await workers.run(stand_ins.echo, b"two")

    first, second = asyncio.run(both())
    assert first is not None
    assert second is not None
    assert first.split()[0] == second.split()[0]
    assert (first.split()[1], second.split()[1]) == (b"one", b"two")


def test_a_job_that_fails_has_no_result_and_the_next_one_has(workers: WorkerPool) -> None:
    async def both() -> tuple[bytes | None, bytes | None]:
        return await workers.run(stand_ins.fail, b"no"), await workers.run(stand_ins.echo, b"yes")

    failed, done = asyncio.run(both())
    assert failed is None
    assert done is not None


def test_a_worker_that_dies_is_replaced(workers: WorkerPool) -> None:
    async def both() -> tuple[bytes | None, bytes | None]:
        return await workers.run(stand_ins.die, b""), await workers.run(stand_ins.echo, b"alive")

    dead, alive = asyncio.run(both())
    assert dead is None
    assert alive is not None
    assert alive.endswith(b"alive")


@pytest.mark.thorough
def test_a_worker_that_hangs_is_killed_and_replaced() -> None:
    workers = WorkerPool(1, patience=3.0)

    async def both() -> tuple[bytes | None, bytes | None]:
        return await workers.run(stand_ins.hang, b""), await workers.run(stand_ins.echo, b"alive")

    try:
        hung, alive = asyncio.run(both())
    finally:
        workers.close()
    assert hung is None
    assert alive is not None


def test_a_worker_that_is_told_to_stop_stops_and_works_on(workers: WorkerPool) -> None:
    async def stopped() -> tuple[bytes | None, bytes | None, bytes | None]:
        before = await workers.run(stand_ins.echo, b"before")
        stop = asyncio.Event()
        task = asyncio.create_task(workers.run(stand_ins.listen, b"", stop))
        await asyncio.sleep(0)
        stop.set()
        return before, await task, await workers.run(stand_ins.echo, b"after")

    before, none, after = asyncio.run(stopped())
    assert none is None
    assert before is not None
    assert after is not None
    assert before.split()[0] == after.split()[0]


def test_a_full_workers_takes_no_more(workers: WorkerPool) -> None:
    workers._free.clear()
    with pytest.raises(Overworked, match="too many wait"):
        asyncio.run(workers.run(stand_ins.echo, b""))
    workers._free.extend(range(SLOTS))


def test_a_closed_workers_takes_nothing() -> None:
    workers = WorkerPool(1, patience=1.0)
    workers.close()
    with pytest.raises(Overworked, match="stopping"):
        asyncio.run(workers.run(stand_ins.echo, b""))


def test_closing_ends_workers_and_whoever_waits_for_them() -> None:
    workers = WorkerPool(1, patience=60.0)

    async def closed() -> tuple[bytes | BaseException | None, ...]:
        assert await workers.run(stand_ins.echo, b"") is not None
        task = asyncio.create_task(workers.run(stand_ins.hang, b""))
        waiting = asyncio.create_task(workers.run(stand_ins.echo, b"later"))
        # the first has the slot that the echo gave back; the second waits behind it
        await asyncio.sleep(0)
        while not workers._board[(SLOTS - 1) * jobs.FIELDS + jobs.PID]:
            await asyncio.sleep(0)
        workers.close()
        return await asyncio.gather(task, waiting, return_exceptions=True)

    for end in asyncio.run(closed()):
        assert end is None or isinstance(end, Overworked)
    for child in active_children():
        child.join(PATIENCE)
        # not `is_alive`: while the pool's own thread takes note of the end, it still says yes
        assert child.pid is not None
        with pytest.raises(ProcessLookupError):
            os.kill(child.pid, 0)
