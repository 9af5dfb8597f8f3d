"""A battle in an event loop: orders wait for the disk without holding up anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from sandtable.battle.authority import RETRIES, Battle, Pending
from sandtable.battle.observation import Answer, Observation
from sandtable.battle.storage.store import Conflict, Store, StoreError
from sandtable.kernel.events import Order


class _Waiting(NamedTuple):
    """Somebody who waits for what a seat notices after that number."""

    seat: str
    since: int
    future: asyncio.Future[None]


class LiveBattle:
    """The asynchronous face of a battle: one order at a time is on its way to the disk, and news wake who waits.

    `decided` is called for every order that is carried out, whether its sender still listens or not.
    """

    def __init__(self, battle: Battle, store: Store, decided: Callable[[], None] = lambda: None) -> None:
        self.battle = battle
        self._store = store
        self._decided = decided
        self._turnstile = asyncio.Lock()
        self._waiting: set[_Waiting] = set()
        self._commands: set[asyncio.Task[Answer]] = set()

    async def submit(self, seat: str, order: Order, expected: int, command: str) -> Answer:
        """As `Battle.submit`; awaiting it is awaiting the durable commit."""
        return await self._shielded(lambda: self.battle.prepare(seat, order, expected, command))

    async def undo(self, seat: str, expected: int, command: str) -> Answer:
        """As `Battle.undo`; awaiting it is awaiting the durable commit."""
        return await self._shielded(lambda: self.battle.prepare_undo(seat, expected, command))

    async def news(self, seat: str, since: int) -> tuple[Observation, ...]:
        """What the seat has noticed after that number, as soon as there is something."""
        while not (observations := self.battle.events(seat, since)):
            waiting = _Waiting(seat, since, asyncio.get_running_loop().create_future())
            self._waiting.add(waiting)
            try:
                await waiting.future
            finally:
                self._waiting.discard(waiting)
        return observations

    async def quiet(self) -> None:
        """No order is on its way to the disk."""
        while self._commands:
            await asyncio.wait(set(self._commands))

    async def look(self) -> None:
        """What other processes have written is true here too, and who waits for news has them."""
        async with self._turnstile:
            self.battle.catch_up()
        self._tell()

    async def _shielded(self, prepare: Callable[[], Pending | Answer]) -> Answer:
        """The command's answer. A sender who hangs up does not stop an order that may already be on the disk."""
        task = asyncio.create_task(self._command(prepare))
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        return await asyncio.shield(task)

    async def _command(self, prepare: Callable[[], Pending | Answer]) -> Answer:
        async with self._turnstile:
            answer = await self._carried_out(prepare)
        if answer.verdict == "accepted":
            self._decided()
            self._tell()
        return answer

    async def _carried_out(self, prepare: Callable[[], Pending | Answer]) -> Answer:
        tries = 0
        while True:
            pending, tries = prepare(), tries + 1
            if isinstance(pending, Answer):
                return pending
            try:
                await asyncio.wrap_future(self._store.append(pending.row, pending.previous, pending.status))
            except StoreError as error:
                if not isinstance(error, Conflict) or tries == RETRIES:
                    return self.battle.failed(pending, error)
                self.battle.doubt()
            else:
                return self.battle.settle(pending)

    def _tell(self) -> None:
        """Whoever waits for news that there are is woken; the others sleep on."""
        for waiting in self._waiting:
            if not waiting.future.done() and self.battle.events(waiting.seat, waiting.since):
                waiting.future.set_result(None)
