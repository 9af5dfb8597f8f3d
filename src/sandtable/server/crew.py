"""Worker processes for what takes long, so that nobody's table waits for somebody else's thinking."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context

from sandtable.server import thinker

log = logging.getLogger(__name__)

Job = Callable[[bytes, int], bytes]

SLOTS = 1024
"""Tasks that can wait or run at once."""

GRACE = 0.25
"""Seconds that a stopped worker has to come to an end by itself."""


TRIES = 3


class Overworked(Exception):
    """No more tasks are taken; the message is one sentence."""


class Crew:
    """A few processes that take tasks one after the other. A task that fails, dies or takes too long has no result."""

    def __init__(self, workers: int, patience: float) -> None:
        self._workers = workers
        self._patience = patience
        self._context = get_context("spawn")
        self._board = self._context.RawArray("q", SLOTS * thinker.FIELDS)
        self._free = list(range(SLOTS))
        self._executor: ProcessPoolExecutor | None = None
        self._is_closed = False

    async def run(self, job: Job, data: bytes, stop: asyncio.Event | None = None) -> bytes | None:
        """The job's result; None when it was stopped, died or took too long."""
        for _ in range(TRIES):
            executor = self._ready()
            try:
                return await self._attempt(executor, job, data, stop)
            except BrokenProcessPool:
                # was it this task that killed a worker, or another's? Nobody can tell, so it is tried again
                self._discard(executor)
        return None

    async def _attempt(
        self, executor: ProcessPoolExecutor, job: Job, data: bytes, stop: asyncio.Event | None
    ) -> bytes | None:
        if not self._free:
            raise Overworked("too many wait for an answer; try again later")
        slot = self._free.pop()
        start = slot * thinker.FIELDS
        self._board[start : start + thinker.FIELDS] = [0, 0, 0]
        try:
            future = executor.submit(job, data, slot)
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
                self._board[start + thinker.STOP] = 1
                await asyncio.wait(waiting[:1], timeout=GRACE)
            if not waiting[0].done():
                self._give_up(executor, future, slot)
                return None
            return _result(waiting[0])
        finally:
            # whoever is cancelled while he waits leaves a worker that need not go on
            if not future.done():
                self._board[start + thinker.STOP] = 1
            for one in waiting:
                one.cancel()

    def _ready(self) -> ProcessPoolExecutor:
        if self._is_closed:
            raise Overworked("the server is stopping")
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._workers, mp_context=self._context, initializer=thinker.begin, initargs=(self._board,)
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
        pid = self._board[slot * thinker.FIELDS + thinker.PID]
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
        pids = {self._board[slot * thinker.FIELDS + thinker.PID] for slot in range(SLOTS) if slot not in self._free}
        executor.shutdown(wait=False, cancel_futures=True)
        for pid in pids - {0}:
            _kill(pid)


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
    log.error("a worker's task failed", exc_info=error)
    return None
