"""Battles that are being played: each session holds one, with the people at its table and its computer players."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import msgspec

from sandtable import registry
from sandtable.battle.authority import Battle
from sandtable.battle.battles import Battles
from sandtable.battle.chatting import SIDE, Denied
from sandtable.battle.computers import Thought, waiting
from sandtable.battle.faults import write_down
from sandtable.battle.live import LiveBattle
from sandtable.battle.observation import difference, with_odds
from sandtable.battle.observed import UNKNOWN, CommandAnswer, Observation, Preview, Progress, Table, TableChange
from sandtable.battle.seats import Kind, Seat
from sandtable.kernel import codec
from sandtable.kernel.decisions import Decision
from sandtable.kernel.dice import PromptDice
from sandtable.kernel.events import Order
from sandtable.kernel.ruleset import AnyRuleset
from sandtable.kernel.state import View
from sandtable.server import limits
from sandtable.server import messages as m
from sandtable.server.collecting import Collector
from sandtable.server.http import cards
from sandtable.server.limits import Bucket, Budgets, Payers
from sandtable.server.play import telling
from sandtable.server.play.turns import IS_SAFE_APART, Turns, apart
from sandtable.server.workers import jobs
from sandtable.server.workers.pool import Overworked, WorkerPool

log = logging.getLogger(__name__)

TOO_MUCH = 4429
"""The code of a line that is closed because its client asks too much."""

THINKING_SECONDS = 15.0
"""How long a computer player may think about one order; then it gives the quickest."""

TICK = 0.25
"""Seconds between two messages about a computer's thinking."""

QUICK_LEAVES = 12
"""Odds of at most so many falls of the dice are worked out on the spot; others are handed to a process of their own."""

ODDS_WEIGHT = 0.1
"""What a second of long odds costs, in seconds of work: another process does them, and nobody's table waits."""

SECOND_TRY = 1.0
"""Seconds before a computer's order is sent again to a store that was away."""


class Connection(Protocol):
    """Somebody at a table, as the session knows him."""

    seat: Seat

    def send(self, data: bytes) -> None:
        """The message is on its way to him."""
        ...

    def dismiss(self, code: int, reason: str) -> None:
        """His line is closed."""
        ...


class SentNews(NamedTuple):
    """What a seat that had the first was told, and what its table shows since."""

    since: int
    before: TableChange
    number: int
    now: TableChange
    data: bytes


class Queues(NamedTuple):
    """Where everybody's questions wait for their turn: quick ones, those about the past, and long odds, so that none of
    these holds up another; and where orders are judged, one after the other.
    """

    questions: Turns
    past: Turns
    odds: Turns
    budgets: Budgets
    judges: Executor | None

    def payers(self, battle: str, seat: Seat, address: str) -> Payers:
        """Who pays for what is done for a seat: the seat itself and, if there is one, the address."""
        own = self.budgets.of(f"{battle} {seat.name}", limits.SEAT)
        return (own, self.budgets.of(address, limits.ADDRESS)) if address else (own,)


def new_queues(budgets: Budgets) -> Queues:
    """Queues in which nobody waits."""
    judges = ThreadPoolExecutor(1, "sandtable orders") if IS_SAFE_APART else None
    return Queues(Turns(), Turns(), Turns(), budgets, judges)


class BattleSession:
    """One battle with everybody at its table. Computers play while anybody is there to see it."""

    def __init__(
        self,
        battle: Battle,
        battles: Battles,
        workers: WorkerPool,
        advisors: WorkerPool,
        queues: Queues,
        updated: str,
    ) -> None:
        self.battle = battle
        self.queues = queues
        self._decided = asyncio.Event()
        self.live = LiveBattle(battle, battles.store, self._decided.set, queues.judges)
        self.connections: dict[Connection, None] = {}
        self.updated = updated
        self._workers = workers
        self._advisors = advisors
        self._hurry = asyncio.Event()
        self._computers: asyncio.Task[None] | None = None
        self._thinking: dict[str, bytes] = {}
        self._talk: dict[str, Bucket] = {}
        self._latest: dict[str, SentNews] = {}

    # what everybody may ask

    @property
    def ruleset(self) -> AnyRuleset:
        return self.battle.rules.ruleset

    def number(self, seat: Seat) -> int:
        """The number of the last thing that seat noticed."""
        return self.battle.standpoint(seat.name).number

    def view_hash(self, seat: Seat) -> str:
        """What binds all that the seat was told until now."""
        return self.battle.standpoint(seat.name).digest

    def situation(self, seat: Seat) -> TableChange:
        """All that the seat's table shows besides its pieces."""
        return self.battle.situation(seat.name)

    @property
    def turns(self) -> int:
        """How many turns the battle has."""
        turns: int = self.battle.rules.scenario.turns
        return turns

    def card(self, seats: tuple[m.SeatChoice, ...]) -> m.BattleCard:
        """The battle as the lobby lists it: the turn and the outcome are known to every side."""
        rules, progress = self.battle.rules, self.battle.progress()
        header = rules.header
        return m.BattleCard(
            id=self.battle.id,
            scenario=header.scenario,
            system=header.system,
            title=rules.scenario.title,
            turn=progress.turn,
            turns=self.turns,
            seats=seats,
            outcome=progress.outcome,
            updated=self.updated,
            options=header.options,
            stopped=self.battle.stopped,
            kept=not cards.is_shipped(header.system, header.scenario, header.scenario_digest),
        )

    def progress(self, spectator: str = "") -> Progress | Table:
        """How far the battle is, as far as that spectator, or else whoever commands a side, may know it."""
        return self.battle.table(spectator) if spectator else self.battle.progress()

    def seat_choices(self) -> tuple[m.SeatChoice, ...]:
        """Who sits on which side."""
        return tuple(
            m.SeatChoice(side, _player_of(seat), seat.called)
            for side in self.battle.sides
            for seat in self.battle.seats.values()
            if seat.side == side
        )

    def snapshot(self, seat: Seat) -> m.Snapshot:
        """Everything the seat sees, and the latest page of its log."""
        table, log = self.battle.table(seat.name), self.battle.recent_log(seat.name)
        card = self.card(self.seat_choices())
        if seat.side is None:
            # the battle may be further than spectators may know
            shown = self.progress(seat.name)
            card = msgspec.structs.replace(card, turn=shown.turn, outcome=shown.outcome)
        briefing = cards.briefing(self.battle.rules.scenario, seat.side) if seat.side else None
        return m.Snapshot(self.number(seat), self.view_hash(seat), card, table, log.first, log.lines, briefing)

    def update(self, seat: Seat, news: tuple[Observation, ...], before: TableChange) -> m.Update:
        """What the seat noticed since its table looked so."""
        steps = tuple(step for seen in news for step in seen.steps)
        change = difference(before, self.situation(seat))
        return m.Update(self.number(seat), self.view_hash(seat), steps, change)

    def news(self, seat: Seat, since: tuple[Observation, ...] | None, before: TableChange) -> m.Update | m.Snapshot:
        """What the seat is told: event by event, or everything anew when that is too much, when it had nothing to put
        it into, and for spectators of a battle that is over, who see the truth from then on.
        """
        if since is None or _is_too_much(since) or (seat.side is None and self.battle.is_over):
            return self.snapshot(seat)
        if since and since[0].number == 1:
            return self.snapshot(seat)
        return self.update(seat, since, before)

    def told(self, seat: Seat, since: int, news: tuple[Observation, ...] | None, before: TableChange) -> SentNews:
        """The same as a message on its way; made once for all who sit there and had the same before."""
        viewer = seat.side or ""
        kept = self._latest.get(viewer)
        if kept is None or (kept.since, kept.number, kept.before) != (since, self.number(seat), before):
            message = self.news(seat, news, before)
            kept = SentNews(since, before, message.sequence, self.situation(seat), telling.encode(message))
            self._latest[viewer] = kept
        return kept

    def caught_up(self, seat: Seat, since: int, view_hash: str) -> m.Update | m.Snapshot:
        """What a client that comes back has missed, or everything when it can't be told where it left."""
        known = self.battle.latest(seat.name, since - 1) if 0 < since <= self.number(seat) else None
        if not known or known[0].digest != view_hash:
            return self.snapshot(seat)
        return self.news(seat, known[1:], UNKNOWN)

    def replayed(self, seat: Seat, ask: m.AskReplay) -> m.Replayed:
        """The answer to a question about the past; Denied when the seat may not know it."""
        look = self.battle.as_it_was if ask.full else self.battle.as_seen
        return m.Replayed(ask.ask, look(seat.name, ask.sequence))

    async def preview(self, seat: Seat, order: Order, payers: Payers) -> Preview:
        """The odds of an order; those that take long are worked out by a process of their own."""

        def quick() -> tuple[Preview, bytes]:
            found = self.battle.preview(seat.name, order, leaves=QUICK_LEAVES, samples=1)
            if found.forecast is None or found.forecast.exact:
                return found, b""
            believed, content = self.battle.belief(seat.name), self.battle.rules.content
            question = jobs.ForecastTask(believed, msgspec.Raw(codec.encode(order)), content)
            return found, codec.encode(question)

        found, question = await self.queues.questions.apart(payers, quick)
        if not question:
            return found
        data = await self.queues.odds.elsewhere(payers, lambda: self._advisors.run(jobs.foresee, question), ODDS_WEIGHT)
        return with_odds(found, None if data is None else telling.forecast_from(data))

    # what changes the battle

    async def submit(self, seat: Seat, order: Order, based_on: int, command: str) -> CommandAnswer:
        """The order is durable and everybody hears of it, or nothing has changed."""
        return await self.live.submit(seat.name, order, based_on, command)

    async def undo(self, seat: Seat, based_on: int, command: str) -> CommandAnswer:
        """The seat's latest order is taken back, or nothing has changed."""
        return await self.live.undo(seat.name, based_on, command)

    # who is there

    def enter(self, connection: Connection) -> None:
        """Somebody has come to the table; computers play on."""
        self.connections[connection] = None
        own = [one for one in self.connections if one.seat == connection.seat and not one.seat.is_spectator]
        for oldest in own[: -limits.SEAT_SOCKETS]:
            oldest.dismiss(TOO_MUCH, "this seat is open in too many places")
        if self._computers is None and any(seat.kind is Kind.COMPUTER for seat in self.battle.seats.values()):
            self._computers = asyncio.create_task(self._play_computers())
        self._decided.set()

    def leave(self, connection: Connection) -> None:
        """Somebody has left the table."""
        self.connections.pop(connection, None)

    async def close(self, code: int, reason: str) -> None:
        """Nobody is at the table and nothing goes on."""
        for connection in list(self.connections):
            connection.dismiss(code, reason)
        self.connections.clear()
        if self._computers is not None:
            # a thought is lost and thought again another day; an order that is on its way is not
            self._computers.cancel()
            with suppress(asyncio.CancelledError):
                await self._computers
            await self.live.quiet()

    async def say(self, seat: Seat, to: str, text: str) -> None:
        """What a seat says is kept, and everybody who may hear it now does; Denied when it may not say it."""
        if not self._talk.setdefault(seat.name, Bucket(*limits.CHAT)).take():
            raise Denied("you speak too fast; wait a moment")
        said = await asyncio.wrap_future(self.battle.say(seat.name, to, text))
        for connection in tuple(self.connections):
            # another side hears nothing of it, and spectators not before their time
            if to == SIDE and connection.seat.side != seat.side:
                continue
            part = await asyncio.to_thread(self.battle.chat, connection.seat.name, to, said.number + 1, 1)
            for line in part.lines:
                if line.number == said.number:
                    connection.send(telling.encode(m.Chatted(line)))

    def tell_seats(self) -> None:
        """Everybody knows who sits at the table."""
        message = telling.encode(m.Seated(self.seat_choices()))
        for connection in self.connections:
            connection.send(message)

    # computer players

    def hurry(self) -> None:
        """The computer that thinks now gives its quickest order."""
        self._hurry.set()

    async def _play_computers(self) -> None:
        while True:
            await self._decided.wait()
            self._decided.clear()
            ticker: asyncio.Task[None] | None = None
            try:
                while self.connections and (thought := waiting(self.battle, _elsewhere)) is not None:
                    ticker = ticker or asyncio.create_task(self._tick())
                    if not await self._play(thought):
                        break
            except Exception as error:
                write_down(log, f"battle {self.battle.id}: a computer player failed", error)
            finally:
                if ticker is not None:
                    ticker.cancel()
                    for seat in {connection.seat for connection in self.connections}:
                        self._tell_thinking(seat, 100)

    async def _play(self, thought: Thought) -> bool:
        """Whether the computer's order was carried out, or at least is worth thinking about anew."""
        self._hurry.clear()
        order = await self._order(thought)
        answer = await self.submit(thought.seat, order, thought.number, thought.command)
        if answer.verdict == "refused":
            log.error("battle %s: a computer's order was refused: %s", self.battle.id, answer.refusal)
            order = quickest(self.ruleset, self.battle.rules.header.system, thought.view, thought.decision)
            answer = await self.submit(thought.seat, order, thought.number, f"{thought.command} again")
        if answer.verdict == "unavailable":
            await asyncio.sleep(SECOND_TRY)
        return answer.verdict != "refused"

    async def _order(self, thought: Thought) -> Order:
        """What the computer orders; the quickest order when it is hurried, dies or takes too long."""
        task = jobs.ThinkingTask(
            self.battle.belief(thought.seat.name),
            thought.seat.player,
            thought.lots,
            thought.number,
            content=self.battle.rules.content,
        )
        try:
            data = await self._workers.run(jobs.think, codec.encode(task), self._hurry)
            if data is not None:
                return self.battle.order_from(data)
        except (codec.CodecError, Overworked) as error:
            log.warning("battle %s: a computer player gave no order: %s", self.battle.id, error)
        return quickest(self.ruleset, self.battle.rules.header.system, thought.view, thought.decision)

    async def _tick(self) -> None:
        """Who waits for a computer sees that it works, and how much of its time is gone.

        The messages depend on time alone: how many orders it gives, or weighs, may be a secret.
        """
        loop = asyncio.get_running_loop()
        begun: dict[str, tuple[int, float]] = {}
        while True:
            now = loop.time()
            for seat in {connection.seat for connection in self.connections}:
                number = self.number(seat)
                if begun.get(seat.name, (0, 0.0))[0] != number:
                    begun[seat.name] = (number, now)
                self._tell_thinking(seat, min(99, int(100 * (now - begun[seat.name][1]) / THINKING_SECONDS)))
            await asyncio.sleep(TICK)

    def _tell_thinking(self, seat: Seat, percent: int) -> None:
        """Whoever sits there knows how far the computer on the other side is, if he does not know it already."""
        others = (one.side for one in self.battle.seats.values() if one.kind is Kind.COMPUTER and one.side != seat.side)
        side = next(others, None)
        if seat.side is None or side is None:
            return
        message = telling.encode(m.Thinking(side, percent, self.situation(seat).step or ""))
        if self._thinking.get(seat.name) != message:
            self._thinking[seat.name] = message
            for connection in self.connections:
                if connection.seat == seat:
                    connection.send(message)


LONGEST_GAP = 500
MOST_PIECES = 2_000
"""A client that missed more observations than this, or more changes of pieces, gets the whole table anew."""


def _is_too_much(missed: tuple[Observation, ...]) -> bool:
    """Whether telling it step by step would take longer than showing the table."""
    return len(missed) > LONGEST_GAP or sum(len(one.changed) for seen in missed for one in seen.steps) > MOST_PIECES


def _player_of(seat: Seat) -> str:
    return seat.player if seat.kind is Kind.COMPUTER else seat.kind.value


class _Absent:
    """Stands for a player that thinks in another process."""

    def choose(self, view: View[Any], decision: Decision, budget: int, dice: PromptDice) -> Order:
        raise NotImplementedError("this player thinks elsewhere")


def _elsewhere(name: str, system: str) -> _Absent:
    return _Absent()


def quickest(ruleset: AnyRuleset, system: str, view: View[Any], decision: Decision) -> Order:
    """A lawful order that costs no thought: to do nothing more, or else any."""
    order: Order = registry.doctrine(system).ending(view, decision)
    if ruleset.check(view, order) is None:
        return order
    return ruleset.options(view, decision).pick(PromptDice("quickest"))


# all sessions


class Sessions:
    """The sessions that are open; a battle is opened for its first connection and laid aside after its last."""

    def __init__(
        self, battles: Battles, workers: WorkerPool, advisors: WorkerPool, budgets: Budgets | None = None
    ) -> None:
        self.queues = new_queues(budgets or Budgets())
        self._battles = battles
        self._workers = workers
        self._advisors = advisors
        self._open: dict[str, BattleSession] = {}
        self.collector = Collector(self._present)
        self._doors: dict[str, asyncio.Lock] = {}

    def _present(self) -> int:
        """How many battles are open and how many are at their tables."""
        return sum(1 + len(session.connections) for session in self._open.values())

    async def session(self, id: str) -> BattleSession:
        """The session of a battle; BattlesError when there is no such battle."""
        if id in self._open:
            return self._open[id]
        door = self._doors.setdefault(id, asyncio.Lock())
        try:
            async with door:
                if id not in self._open:
                    battle = await apart(lambda: self._battles.open(id))
                    self._open[id] = BattleSession(
                        battle, self._battles, self._workers, self._advisors, self.queues, ""
                    )
                return self._open[id]
        finally:
            if not door.locked():
                self._doors.pop(id, None)

    async def forget(self, id: str, code: int, reason: str) -> None:
        """The session is closed, whoever is in it."""
        session = self._open.pop(id, None)
        if session is not None:
            await session.close(code, reason)

    async def tidy(self, id: str) -> None:
        """A session that nobody is in takes no memory."""
        session = self._open.get(id)
        if session is None or session.connections:
            return
        await session.live.quiet()
        if not session.connections and self._open.get(id) is session:
            await self.forget(id, 1000, "")
            self._battles.release(id)
            self.collector.gone()

    async def close(self) -> None:
        """Everybody has gone home."""
        for id in list(self._open):
            await self.forget(id, 1012, "the server stops")
        if self.queues.judges is not None:
            self.queues.judges.shutdown(wait=False)
