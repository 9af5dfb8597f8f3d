"""Work that people ask for, in fair turns: whoever has had least goes next, and whoever owes waits.

A menu may take a hundred milliseconds, a look back at an hour's battle longer. Such work is done apart from the table,
one piece at a time, and is charged to the seat and to the address that asked, by what it cost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from heapq import heappop, heappush
from itertools import count
from time import thread_time
from typing import TypeVar

from sandtable.geometry import reach
from sandtable.server.limits import Payers

T = TypeVar("T")

IS_SAFE_APART = str(reach.__file__).endswith((".so", ".pyd"))
"""The map kernels keep scratch between calls. Compiled, a call is never interrupted; interpreted, two threads would
write over each other's.
"""


class _Ticket:
    """Somebody who waits for his turn."""

    __slots__ = ("cost", "payers", "start", "turn")

    def __init__(self, payers: Payers) -> None:
        self.payers = payers
        self.start = self.cost = 0.0
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class Turns:
    """One piece of work after the other. The next is that of whoever has been served least, counted from when he came:
    who asks for a hundred things gets in nobody's way who asks for one.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, _Ticket]] = []
        self._order = count()
        self._is_busy = False
        self._served = 0.0
        self._tasks: set[asyncio.Task[object]] = set()

    async def apart(self, payers: Payers, work: Callable[[], T]) -> T:
        """The result of work that is done apart from the event loop; its processor time is what it costs."""
        ticket = _Ticket(payers)

        def measured() -> T:
            begin = thread_time()
            try:
                return work()
            finally:
                ticket.cost = thread_time() - begin

        return await self._done(ticket, lambda: apart(measured))

    async def elsewhere(self, payers: Payers, work: Callable[[], Awaitable[T]], weight: float) -> T:
        """The result of work that another process does; the time it takes, by that weight, is what it costs."""
        ticket, loop = _Ticket(payers), asyncio.get_running_loop()

        async def measured() -> T:
            begin = loop.time()
            try:
                return await work()
            finally:
                ticket.cost = (loop.time() - begin) * weight

        return await self._done(ticket, measured)

    async def _done(self, ticket: _Ticket, work: Callable[[], Awaitable[T]]) -> T:
        """The result of the work in its turn. Whoever hangs up while it is done pays all the same."""
        self._enter(ticket)
        try:
            await ticket.turn
        except asyncio.CancelledError:
            if not ticket.turn.cancelled():
                self._leave(ticket)
            raise
        task = asyncio.create_task(self._carried_out(ticket, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _carried_out(self, ticket: _Ticket, work: Callable[[], Awaitable[T]]) -> T:
        try:
            return await work()
        finally:
            self._leave(ticket)

    def _enter(self, ticket: _Ticket) -> None:
        ticket.start = max(self._served, *(payer.served for payer in ticket.payers))
        heappush(self._waiting, (ticket.start, next(self._order), ticket))
        self._begin_next()

    def _leave(self, ticket: _Ticket) -> None:
        for payer in ticket.payers:
            payer.work.spend(ticket.cost)
            payer.served = max(payer.served, ticket.start) + ticket.cost
        self._is_busy = False
        self._begin_next()

    def _begin_next(self) -> None:
        while self._waiting and not self._is_busy:
            start, _, ticket = heappop(self._waiting)
            if ticket.turn.done():
                continue
            if start < max(payer.served for payer in ticket.payers):
                # he was served meanwhile, through another socket
                self._enter_again(ticket)
            elif owed := max(payer.work.wait() for payer in ticket.payers):
                asyncio.get_running_loop().call_later(owed, self._return, ticket)
            else:
                self._is_busy, self._served = True, start
                ticket.turn.set_result(None)

    def _enter_again(self, ticket: _Ticket) -> None:
        ticket.start = max(payer.served for payer in ticket.payers)
        heappush(self._waiting, (ticket.start, next(self._order), ticket))

    def _return(self, ticket: _Ticket) -> None:
        if not ticket.turn.done():
            self._enter(ticket)


async def apart(work: Callable[[], T]) -> T:
    """The result of work that takes long, done in a thread of its own if that is safe."""
    if IS_SAFE_APART:
        return await asyncio.to_thread(work)
    # everybody else is heard in between
    await asyncio.sleep(0)
    return work()
