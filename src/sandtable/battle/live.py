"""A battle in an event loop: orders wait for the disk without holding up anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import NamedTuple

from sandtable.battle.authority import Battle, Command, Pending, advanced
from sandtable.battle.observed import CommandAnswer, Observation
from sandtable.battle.storage.rows import BattleStore, StoreError
from sandtable.kernel.events import Order


class _Waiting(NamedTuple):
    """Somebody who waits for what a seat notices after that number."""

    seat: str
    since: int
    future: asyncio.Future[None]


class LiveBattle:
    """The asynchronous face of a battle: one order at a time is on its way to the disk, and news wake who waits.

    `decided` is called for every order that is carried out, whether its sender still listens or not. `judges` is where
    orders are judged and looked up in the log; without it, that is done where they are given, while everybody waits.
    """

    def __init__(
        self,
        battle: Battle,
        store: BattleStore,
        decided: Callable[[], None] = lambda: None,
        judges: Executor | None = None,
    ) -> None:
        self.battle = battle
        self._store = store
        self._decided = decided
        self._judges = judges
        self._turnstile = asyncio.Lock()
        self._waiting: set[_Waiting] = set()
        self._commands: set[asyncio.Task[CommandAnswer]] = set()

    async def submit(self, seat: str, order: Order, expected: int, command: str) -> CommandAnswer:
        """As `Battle.submit`; awaiting it is awaiting the durable commit."""
        return await self._shielded(self.battle.ordering(seat, order, expected, command))

    async def undo(self, seat: str, expected: int, command: str) -> CommandAnswer:
        """As `Battle.undo`; awaiting it is awaiting the durable commit."""
        return await self._shielded(self.battle.undoing(seat, expected, command))

    async def news(self, seat: str, since: int) -> tuple[Observation, ...] | None:
        """What the seat has noticed after that number, as soon as there is something; None when it is too much to be
        at hand.
        """
        while (observations := self.battle.latest(seat, since)) == ():
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

    async def _shielded(self, command: Command) -> CommandAnswer:
        """The command's answer. A sender who hangs up does not stop an order that may already be on the disk."""
        task = asyncio.create_task(self._command(command))
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        return await asyncio.shield(task)

    async def _command(self, command: Command) -> CommandAnswer:
        async with self._turnstile:
            answer = await self._carried_out(command)
        if answer.verdict == "accepted":
            self._decided()
            self._tell()
        return answer

    async def _carried_out(self, command: Command) -> CommandAnswer:
        wanted = await self._advanced(command)
        while isinstance(wanted, Pending):
            trouble: StoreError | None = None
            try:
                await asyncio.wrap_future(self._store.append(wanted.row, wanted.previous, wanted.status))
            except StoreError as error:
                trouble = error
            wanted = await self._advanced(command, trouble)
        return wanted

    async def _advanced(self, command: Command, error: StoreError | None = None) -> Pending | CommandAnswer:
        if self._judges is None:
            return advanced(command, error)
        return await asyncio.get_running_loop().run_in_executor(self._judges, advanced, command, error)

    def _tell(self) -> None:
        """Whoever waits for news that there are is woken; the others sleep on."""
        for waiting in self._waiting:
            if not waiting.future.done() and self.battle.standpoint(waiting.seat).number > waiting.since:
                waiting.future.set_result(None)
