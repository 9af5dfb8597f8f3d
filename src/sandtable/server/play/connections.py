"""One line to one seat: what a client says is decoded, judged by the matrix and answered; what happens is told it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import thread_time
from typing import Any, get_args

import msgspec

from sandtable.battle.asking import Untold
from sandtable.battle.authority import Battle, Denied
from sandtable.battle.faults import write_down
from sandtable.battle.observation import denial
from sandtable.battle.observed import UNKNOWN, CommandAnswer
from sandtable.battle.seats import Seat
from sandtable.battle.storage.rows import StoreError
from sandtable.kernel import codec
from sandtable.kernel.events import Order
from sandtable.kernel.ids import SideId
from sandtable.server import access, limits
from sandtable.server import messages as m
from sandtable.server.limits import Bucket
from sandtable.server.play import telling
from sandtable.server.play.sessions import TOO_MUCH, BattleSession
from sandtable.server.workers.pool import Overworked

log = logging.getLogger(__name__)

DECODER = msgspec.json.Decoder(m.ClientMessage)
QUESTIONS = tuple(word for word in get_args(m.ClientMessage) if word.__name__.startswith("Ask"))

BAD_HELLO, NOT_YOURS, NO_BATTLE, OTHER_PROTOCOL, DELETED = 4400, 4401, 4404, 4409, 4410
TOO_LARGE, FAULT = 1009, 1011

Send = Callable[[str], Awaitable[None]]


class Unreadable(Exception):
    """A frame that is no message; the reason is one sentence."""


def understood(frame: str | bytes) -> Any:
    """The message in a frame; Unreadable when it is none."""
    data = frame.encode("utf-8", "surrogatepass") if isinstance(frame, str) else frame
    try:
        codec.guard(data, limits.FRAME)
        return DECODER.decode(data)
    except (codec.CodecError, msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
        raise Unreadable(f"that is no message: {str(error)[:200]}") from None


class SocketConnection:
    """A client at a table. Orders are carried out as they come; questions wait in a line of their own."""

    def __init__(self, session: BattleSession, seats: tuple[Seat, ...], seat: Seat, address: str = "") -> None:
        self.session = session
        self.seat = seat
        self._address = address
        self._payers = session.queues.payers(session.battle.id, seat, address)
        self._seats = {one.side: one for one in seats}
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._backlog = 0
        self._questions: asyncio.Queue[Any] = asyncio.Queue(limits.WAITING_QUESTIONS)
        self._messages = Bucket(*limits.MESSAGES)
        self._strikes = 0
        self._told = 0
        self._shown = UNKNOWN
        self._teller: asyncio.Task[None] | None = None
        self.ending: tuple[int, str] | None = None
        self.ended = asyncio.Event()

    # what goes out

    def send(self, data: bytes) -> None:
        """The message is on its way, unless the client has stopped reading."""
        if self.ending is not None:
            return
        self._backlog += len(data)
        if self._backlog > limits.BACKLOG:
            self.dismiss(TOO_MUCH, "you do not read what you are sent")
            return
        self._outbox.put_nowait(data)

    def say(self, message: Any) -> None:
        """The message is on its way."""
        self.send(telling.encode(message))

    def dismiss(self, code: int, reason: str) -> None:
        """The line will be closed after what is already on its way."""
        if self.ending is None:
            self.ending = (code, reason)
            self.ended.set()
            self._outbox.put_nowait(None)

    async def write(self, send: Send) -> None:
        """Everything on its way is sent, until the line is to be closed."""
        while (data := await self._outbox.get()) is not None:
            await send(data.decode())
            self._backlog -= len(data)

    # taking a seat

    def greet(self, hello: m.Hello) -> None:
        """The client has what it missed, and hears from now on what happens."""
        self._tell(lambda: self.session.caught_up(self.seat, hello.since, hello.view_hash))
        self._listen()

    def _tell(self, made: Callable[[], m.Update | m.Snapshot]) -> None:
        """The client has the message, and from now on hears what is other than what it has; making it is paid for."""
        begin = thread_time()
        message = made()
        self._told, self._shown = message.sequence, self.session.situation(self.seat)
        self.say(message)
        for payer in self._payers:
            payer.work.spend(thread_time() - begin)

    def _take_seat(self, side: SideId) -> None:
        seat = self._seats.get(side or None)
        if seat is None:
            self.say(m.Trouble("your token does not open that seat"))
            return
        if any(payer.work.wait() for payer in self._payers):
            self._strike()
            self.say(m.Trouble("that is too much at once; slow down"))
            return
        self.seat = seat
        self._payers = self.session.queues.payers(self.session.battle.id, seat, self._address)
        self._tell(lambda: self.session.snapshot(seat))
        self._listen()

    def _listen(self) -> None:
        if self._teller is not None:
            self._teller.cancel()
        self._teller = asyncio.create_task(self._keep_told(self.seat))

    async def _keep_told(self, seat: Seat) -> None:
        try:
            while True:
                news = await self.session.live.news(seat.name, self._told)
                told = self.session.told(seat, self._told, news, self._shown)
                self._told, self._shown = told.number, told.now
                self.send(told.data)
        except Exception as error:
            write_down(log, f"battle {self.session.battle.id}: a seat could not be told what happened", error)
            self.dismiss(FAULT, "a fault of the server, not yours; it has been written down")

    # what comes in

    async def hear(self, frame: str | bytes) -> None:
        """The frame is dealt with: carried out, put in the line of questions, or answered with a Trouble."""
        if not all([self._messages.take(), *(payer.messages.take() for payer in self._payers)]):
            self._strike()
            return
        try:
            message = understood(frame)
        except Unreadable as error:
            self.say(m.Trouble(str(error)))
            return
        if not access.may_say(self.seat, type(message)):
            self._deny(message)
            return
        if isinstance(message, QUESTIONS):
            self._queue(message)
            return
        match message:
            case m.Submit() | m.Undo():
                await self._order(message)
            case m.Ping(ask):
                self.say(m.Pong(ask, self.session.number(self.seat), self.session.view_hash(self.seat)))
            case m.TakeSeat(side):
                self._take_seat(side)
            case m.Say():
                await self._say(message)
            case m.CancelThinking():
                self.session.hurry()
            case _:
                self.say(m.Trouble("you have said Hello already"))

    async def _say(self, message: m.Say) -> None:
        try:
            await self.session.say(self.seat, message.to, message.text)
        except (Denied, StoreError) as error:
            self.say(m.Trouble(str(error), message.ask))
        else:
            self.say(m.SayAnswer(message.ask))

    def _strike(self) -> None:
        self._strikes += 1
        if self._strikes == 1 or self._strikes % 20 == 0:
            self.say(m.Trouble("that is too much at once; slow down"))
        if self._strikes >= limits.STRIKES:
            self.dismiss(TOO_MUCH, "that is too much at once")

    def _deny(self, message: Any) -> None:
        if isinstance(message, m.Submit | m.Undo):
            self.say(m.Refused(message.command, denial("a spectator gives no orders"), self.session.number(self.seat)))
        else:
            self.say(m.Trouble("that is not for spectators", getattr(message, "ask", 0)))

    def _queue(self, question: Any) -> None:
        try:
            self._questions.put_nowait(question)
        except asyncio.QueueFull:
            self.say(m.Trouble("too many of your questions wait already", question.ask))

    async def _order(self, message: m.Submit | m.Undo) -> None:
        session, seat = self.session, self.seat
        if not all(payer.orders.take() for payer in self._payers):
            self._strike()
            self.say(m.Refused(message.command, denial("that is too much at once; slow down"), session.number(seat)))
            return
        try:
            if isinstance(message, m.Undo):
                answer = await session.undo(seat, message.based_on, message.command)
            else:
                answer = await session.submit(seat, self._read(message.order), message.based_on, message.command)
        except codec.CodecError as error:
            refusal = denial(f"that is no order: {str(error)[:200]}")
            self.say(m.Refused(message.command, refusal, session.number(seat)))
        except Exception as error:
            # the text of such an error may tell of things the side can't know
            write_down(log, f"battle {session.battle.id}: an order failed", error)
            refusal = denial("the order failed by a fault of the server; look at the table before you repeat it")
            self.say(m.Refused(message.command, refusal, session.number(seat)))
        else:
            self.say(_verdict(answer))

    def _read(self, order: msgspec.Raw) -> Order:
        return self.session.battle.order_from(bytes(order))

    # questions

    async def answer_questions(self) -> None:
        """Every question that comes is answered in its turn, and nobody's questions hold up anybody else's."""
        while True:
            question = await self._questions.get()
            try:
                self.send(await self._answer(question))
            except codec.CodecError as error:
                self.say(m.Trouble(f"that is no order: {str(error)[:200]}", question.ask))
            except (Denied, Untold, Overworked) as error:
                self.say(m.Trouble(str(error), question.ask))
            except Exception as error:
                # the text of such an error may tell of things the side can't know
                write_down(log, f"battle {self.session.battle.id}: a question failed", error)
                self.say(m.Trouble("that could not be answered", question.ask))

    async def _answer(self, question: Any) -> bytes:
        """The answer as it is sent. It is worked out apart from the table, in the seat's turn."""
        session, seat, queues = self.session, self.seat, self.session.queues
        if isinstance(question, m.AskReplay | m.AskLog | m.AskChat):
            return await queues.past.apart(self._payers, lambda: telling.encode(_recollection(session, seat, question)))
        if seat.side is None:
            # the matrix lets no spectator come here, but he might have changed seats while his question waited
            return telling.encode(m.Trouble("that is not for spectators", question.ask))
        if isinstance(question, m.AskPreview):
            found = await session.preview(seat, self._read(question.order), self._payers)
            return telling.encode(m.PreviewAnswer(question.ask, found))
        return await queues.questions.apart(
            self._payers, lambda: telling.encode(_looking(session.battle, seat.name, question))
        )

    async def close(self) -> None:
        """Nothing of this connection goes on."""
        if self._teller is not None:
            self._teller.cancel()
            with suppress(asyncio.CancelledError):
                await self._teller


def _recollection(session: BattleSession, seat: Seat, question: m.AskReplay | m.AskLog | m.AskChat) -> Any:
    """The answer to a question about the past."""
    match question:
        case m.AskReplay():
            return session.replayed(seat, question)
        case m.AskLog(ask, before, most):
            page = session.battle.log(seat.name, before, most)
            return m.LogPage(ask, page.first, page.lines)
        case m.AskChat(ask, to, before, most):
            return m.ChatPage(ask, session.battle.chat(seat.name, to, before, most).lines)


def _looking(battle: Battle, seat: str, question: Any) -> Any:
    """The answer to a question of somebody who looks at the map."""
    match question:
        case m.AskMenu(ask, selection):
            return m.MenuAnswer(ask, battle.menu(seat, selection))
        case m.AskSight(ask, a, b):
            return m.SightAnswer(ask, battle.trace(seat, a, b).line)
        case m.AskSeen(ask, units):
            return m.SeenAnswer(ask, battle.field(seat, units).hexes)
        case m.AskHex(ask, place, unit):
            return m.HexAnswer(ask, battle.ground(seat, place, unit))
    return _reading(battle, seat, question)


def _reading(battle: Battle, seat: str, question: Any) -> Any:
    """The answer to a question of somebody who reads up on the battle."""
    match question:
        case m.AskReady(ask):
            ready = battle.ready(seat)
            return m.ReadyAnswer(ask, ready.units, ready.reminders, ready.idle)
        case m.AskCard(ask, unit):
            return m.CardAnswer(ask, battle.unit(seat, unit).card)
        case m.AskWhyNot(ask, verb, selection, target):
            return m.WhyNotAnswer(ask, battle.why_not(seat, verb, selection, target).refusal)
        case m.AskTree(ask):
            return m.TreeAnswer(ask, battle.forces(seat).formations)
        case m.AskQueries(ask):
            return m.QueriesAnswer(ask, battle.highlights(seat).queries)
        case m.AskQuery(ask, key):
            return m.QueryAnswer(ask, battle.highlight(seat, key).query)
        case m.AskReports(ask):
            return m.ReportsAnswer(ask, battle.reports(seat).reports)
        case m.AskReport(ask, kind):
            return m.ReportAnswer(ask, battle.report(seat, kind).report)


def _verdict(answer: CommandAnswer) -> m.Accepted | m.Refused:
    """What became of a command, in the words of the wire."""
    if answer.verdict == "accepted":
        return m.Accepted(answer.command, answer.number)
    assert answer.refusal is not None
    return m.Refused(answer.command, answer.refusal, answer.number, stale=answer.verdict == "stale")
