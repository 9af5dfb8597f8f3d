"""Worker processes for what takes long, so that nobody's table waits for somebody else's thinking."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import Any

from sandtable.battle.faults import write_down
from sandtable.server.workers import jobs

log = logging.getLogger(__name__)

SLOTS = 1024
"""Tasks that can wait or run at once."""

GRACE = 0.25
"""Seconds that a stopped worker has to come to an end by itself."""

TRIES = 3
"""How often a task is begun whose worker died."""


class Overworked(Exception):
    """No more tasks are taken; the message is one sentence."""


class WorkerPool:
    """A few processes that take tasks one after the other. A task that fails, dies or takes too long has no result."""

    def __init__(
        self, workers: int, patience: float, begin: Callable[[Any], None] = jobs.begin, tries: int = TRIES
    ) -> None:
        self._workers = workers
        self._patience = patience
        self._begin = begin
        self._tries = tries
        self._context = get_context("spawn")
        self._board = self._context.RawArray("q", SLOTS * jobs.FIELDS)
        self._free = list(range(SLOTS))
        self._executor: ProcessPoolExecutor | None = None
        self._is_closed = False

    async def run(self, job: jobs.Job, data: bytes, stop: asyncio.Event | None = None) -> bytes | None:
        """The job's result; None when it was stopped, died or took too long."""
        for _ in range(self._tries):
            executor = self._ready()
            try:
                return await self._attempt(executor, job, data, stop)
            except BrokenProcessPool:
                # was it this task that killed a worker, or another's? Nobody can tell, so it is tried again
                self._discard(executor)
        return None

    async def _attempt(
        self, executor: ProcessPoolExecutor, job: jobs.Job, data: bytes, stop: asyncio.Event | None
    ) -> bytes | None:
        if not self._free:
            raise Overworked("too many wait for an answer; try again later")
        slot = self._free.pop()
        start = slot * jobs.FIELDS
        self._board[start : start + jobs.FIELDS] = [0, 0, 0]
        try:
            with _deaf_to_ctrl_c():
                future = executor.submit(jobs.perform, job, data, slot)
        except BaseException:
            self._free.append(slot)
            raise
        # the slot is whoever's the worker is: it is free when the worker is done with it, not when we are
        future.add_done_callback(lambda _: self._free.append(slot))
        waiting = [asyncio.ensure_future(asyncio.wrap_future(future))]
        if stop is not None:
            waiting.append(asyncio.ensure_future(_set(stop)))
        try:
            await asyncio.wait(waiting, timeout=self._patience, return_when=asyncio.FIRST_COMPLETED)
            if not waiting[0].done():
                self._board[start + jobs.STOP] = 1
                await asyncio.wait(waiting[:1], timeout=GRACE)
            if not waiting[0].done():
                self._give_up(executor, future, slot)
                return None
            return _result(waiting[0])
        finally:
            # whoever is cancelled while he waits leaves a worker that need not go on
            if not future.done():
                self._board[start + jobs.STOP] = 1
            for one in waiting:
                one.cancel()

    def _ready(self) -> ProcessPoolExecutor:
        if self._is_closed:
            raise Overworked("the server is stopping")
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._workers, mp_context=self._context, initializer=self._begin, initargs=(self._board,)
            )
        return self._executor

    def _discard(self, executor: ProcessPoolExecutor) -> None:
        """The next task gets new workers."""
        if self._executor is executor:
            self._executor = None
        executor.shutdown(wait=False, cancel_futures=False)

    def _give_up(self, executor: ProcessPoolExecutor, future: Future[bytes], slot: int) -> None:
        """A task that still waits is forgotten; a worker that does not listen is killed."""
        if future.cancel():
            return
        pid = self._board[slot * jobs.FIELDS + jobs.PID]
        if pid:
            log.warning("a worker did not come to an end and is killed")
            _kill(pid)
            self._discard(executor)

    def close(self) -> None:
        """No worker is left, and nobody has waited for one."""
        self._is_closed = True
        executor, self._executor = self._executor, None
        if executor is None:
            return
        taken = [slot * jobs.FIELDS for slot in set(range(SLOTS)) - set(self._free)]
        for start in taken:
            # a worker that is still starting finds that nobody waits for it
            self._board[start + jobs.STOP] = 1
        executor.shutdown(wait=False, cancel_futures=True)
        for pid in {self._board[start + jobs.PID] for start in taken} - {0}:
            _kill(pid)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """A worker that is started meanwhile never hears Ctrl-C, not even while it is still importing.

    A terminal sends it to all processes at once; it is the server that stops the workers. What the server itself is
    sent in these milliseconds it hears afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _kill(pid: int) -> None:
    with suppress(OSError):
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))


async def _set(event: asyncio.Event) -> bytes:
    await event.wait()
    return b""


def _result(done: asyncio.Future[bytes]) -> bytes | None:
    if done.cancelled():
        return None
    error = done.exception()
    if error is None:
        return done.result() or None
    if isinstance(error, BrokenProcessPool):
        raise error
    write_down(log, "a worker's task failed", error)
    return None
