"""The one thread that writes: jobs that wait together are committed together, and nobody hears before the commit."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from sandtable.battle.storage.rows import Conflict, ReadOnly, StoreError, Unavailable

T = TypeVar("T")
Work = Callable[[Connection], Any]

GROUP = 16
"""At most so many jobs share a transaction: larger groups were slower, and their last member waits for all."""

TAKEN = "that is already there, or the battle is gone"

# What a transaction may fail with although the disk is sound: another process was faster, or the server went away.
_PASSING_STATES = ("08", "40", "57P")

log = logging.getLogger(__name__)


class _Job(NamedTuple):
    work: Work
    future: Future[Any]


def is_passing(error: BaseException) -> bool:
    """Whether an error says nothing about the disk, so that writing may be tried again."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if isinstance(cause, sqlite3.Error):
        return str(getattr(cause, "sqlite_errorname", "")).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
    return str(getattr(cause, "sqlstate", None) or "").startswith(_PASSING_STATES)


def kind_of(error: BaseException) -> str:
    """What kind of error a database had. Its text may hold what was to be written, so it is not in there."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    code = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    return f"{type(cause).__name__} ({code})" if code else type(cause).__name__


class Writer:
    """A queue of jobs and the thread that carries them out, up to sixteen in one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = Lock()
        self._closed = False
        self.trouble = ""
        self.transactions = 0
        self._thread = Thread(target=self._run, name="sandtable writer", daemon=True)
        self._thread.start()

    def put(self, work: Callable[[Connection], T]) -> Future[T]:
        """The job will be carried out; its future has a result only after the commit is durable."""
        future: Future[T] = Future()
        with self._lock:
            if self.trouble or self._closed:
                future.set_exception(ReadOnly(self.trouble or "the store is closed"))
            else:
                self._queue.put(_Job(work, future))
        return future

    def close(self) -> None:
        """All that was put is written, and the thread has ended."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        job = self._queue.get()
        while job is not None:
            group = [job]
            job = None
            while len(group) < GROUP and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    self._commit(group)
                    return
                group.append(following)
            self._commit(group)
            job = self._queue.get()

    def _commit(self, group: list[_Job]) -> None:
        """Every job of the group has its answer: after the commit, or because there was none."""
        if self.trouble:
            self._fail(group, ReadOnly(self.trouble))
            return
        try:
            with self._engine.begin() as connection:
                # alone, a job needs no savepoint: the whole transaction is its own
                attempt = _attempt if len(group) > 1 else _attempt_alone
                answers = [attempt(connection, job.work) for job in group]
            self.transactions += 1
        except StoreError as error:
            self._fail(group, error)
            return
        except Exception as error:
            self._fail(group, self._judge(error))
            return
        for job, answer in zip(group, answers, strict=True):
            if isinstance(answer, StoreError):
                job.future.set_exception(answer)
            else:
                job.future.set_result(answer)

    def _judge(self, error: Exception) -> StoreError:
        """What the callers are told; a disk that failed once is not trusted again before a restart."""
        if is_passing(error):
            log.warning("a transaction failed and may be tried again: %s", kind_of(error))
            log.debug("in full", exc_info=error)
            return Unavailable("the database is busy or away; nothing was changed by this answer, so try again")
        log.error("writing failed; the store takes no more orders: %s", kind_of(error))
        log.debug("in full", exc_info=error)
        with self._lock:
            self.trouble = "the store could not be written to and takes no more orders until the program is restarted"
        return ReadOnly(self.trouble)

    @staticmethod
    def _fail(group: list[_Job], error: StoreError) -> None:
        for job in group:
            job.future.set_exception(error)


def _attempt_alone(connection: Connection, work: Work) -> Any:
    """The job's result; its StoreError takes the transaction back."""
    try:
        return work(connection)
    except IntegrityError:
        raise Conflict(TAKEN) from None


def _attempt(connection: Connection, work: Work) -> Any:
    """The job's result, or its StoreError with everything it wrote taken back; its neighbors are not touched."""
    savepoint = connection.begin_nested()
    try:
        result = work(connection)
    except StoreError as error:
        savepoint.rollback()
        return error
    except IntegrityError:
        savepoint.rollback()
        return Conflict(TAKEN)
    savepoint.commit()
    return result
