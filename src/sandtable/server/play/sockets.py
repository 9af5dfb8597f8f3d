"""The socket of a seat, from handshake to good-bye."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from sandtable.battle.faults import write_down
from sandtable.battle.seats import Seat
from sandtable.battle.storage.rows import StoreError
from sandtable.server import access, limits
from sandtable.server import messages as m
from sandtable.server.http.lobby import Lobby, LobbyError
from sandtable.server.http.protocols import SEATED
from sandtable.server.http.routes import known
from sandtable.server.play import telling
from sandtable.server.play.connections import (
    BAD_HELLO,
    FAULT,
    NO_BATTLE,
    NOT_YOURS,
    OTHER_PROTOCOL,
    TOO_LARGE,
    SocketConnection,
    Unreadable,
    understood,
)

log = logging.getLogger(__name__)

AnySocket = WebSocket[Any, Any, Any]


class Turned(Exception):
    """The line can't go on: the code it is closed with, and why."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class HungUp(Exception):
    """The client is gone."""


@websocket("/battles/{id:str}/play")
async def play(socket: AnySocket, id: FromPath[str], state: State) -> None:
    """One client at one table."""
    lobby: Lobby = state.lobby
    await socket.accept()
    try:
        try:
            connection, hello = await _welcome(socket, lobby, id)
        except Turned as turned:
            await _part(socket, turned.code, str(turned))
            return
        await _attend(socket, lobby, connection, hello)
    except (HungUp, TimeoutError, WebSocketDisconnect):
        pass
    except Exception as error:
        write_down(log, "a line failed", error)
        with suppress(Exception):
            await _part(socket, FAULT, "a fault of the server, not yours; it has been written down")


async def _welcome(socket: AnySocket, lobby: Lobby, id: str) -> tuple[SocketConnection, m.Hello]:
    """The connection that the first message makes of a client; Turned when it makes none."""
    try:
        frame = await asyncio.wait_for(_frame(socket), limits.HELLO_SECONDS)
        hello = understood(frame)
    except TimeoutError:
        raise Turned(BAD_HELLO, "you did not say Hello") from None
    except Unreadable as error:
        raise Turned(BAD_HELLO, str(error)) from None
    if not isinstance(hello, m.Hello):
        raise Turned(BAD_HELLO, "the first message is Hello")
    if hello.protocol != m.PROTOCOL:
        raise Turned(OTHER_PROTOCOL, f"this server speaks protocol {m.PROTOCOL}; load the page again")
    try:
        who = await lobby.caller(hello.token, known(id))
        session = await lobby.sessions.session(id) if who.seats else None
    except LobbyError as error:
        raise Turned(NO_BATTLE, str(error)) from None
    except StoreError as error:
        raise Turned(FAULT, str(error)) from None
    seat = _chosen(who.seats, hello.side)
    if session is None or seat is None or not access.may_say(seat, m.Hello):
        raise Turned(NOT_YOURS, "your token opens no such seat at this battle")
    seated = socket.scope["state"].get(SEATED)
    if seated is not None:
        seated()
    address = "" if lobby.settings.is_local else str((socket.scope.get("client") or ("",))[0])
    return SocketConnection(session, who.seats, seat, address), hello


def _chosen(seats: tuple[Seat, ...], side: str) -> Seat | None:
    """The seat of that side; when none is named, the only one or the first."""
    if not side:
        return seats[0] if seats else None
    return next((seat for seat in seats if seat.side == side), None)


async def _attend(socket: AnySocket, lobby: Lobby, connection: SocketConnection, hello: m.Hello) -> None:
    """The connection is heard and told until either side hangs up."""
    session = connection.session
    session.enter(connection)
    writer = asyncio.create_task(connection.write(lambda text: socket.send_data(text)))
    listener = asyncio.create_task(_listen(socket, connection))
    ended = asyncio.create_task(connection.ended.wait())
    tasks: list[asyncio.Task[Any]] = [writer, listener, ended, asyncio.create_task(connection.answer_questions())]
    try:
        connection.greet(hello)
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        if connection.ending is not None:
            # what is already on its way goes first, but nobody waits for a client who does not read
            await asyncio.wait([writer], timeout=limits.GOODBYE_SECONDS)
            await asyncio.wait_for(_part(socket, *connection.ending), limits.GOODBYE_SECONDS)
    finally:
        session.leave(connection)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await connection.close()
        lobby.sessions.collector.gone()
        await lobby.sessions.tidy(session.battle.id)


async def _listen(socket: AnySocket, connection: SocketConnection) -> None:
    while True:
        frame = await _frame(socket)
        if len(frame) > limits.FRAME:
            connection.dismiss(TOO_LARGE, "a message has at most 64 KiB")
            return
        await connection.hear(frame)


async def _frame(socket: AnySocket) -> str | bytes:
    """The next frame; HungUp when there is none any more."""
    event: Any = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise HungUp
    text = event.get("text")
    return text if text is not None else event.get("bytes") or b""


async def _part(socket: AnySocket, code: int, reason: str) -> None:
    """The client is told why and the line is closed."""
    with suppress(Exception):
        await socket.send_data(telling.encode(m.Trouble(reason)).decode())
        await socket.close(code, reason[:100])
