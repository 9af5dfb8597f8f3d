"""What stands between the network and the application: nobody keeps a connection that he does not use.

A stranger may open connections and say nothing, say half a request, send a million frames, or ask and never read. Each
of these costs the server something until it is cut, so each has a limit here, before any of our code is run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from sandtable.server import limits
from sandtable.server.limits import Bucket

SEATED = "sandtable.seated"
"""Under this name the application finds in its scope what to call when a socket has taken a seat."""


class Cuttable(Protocol):
    """A connection, as those know it who count them."""

    def cut(self) -> None:
        """The connection is gone, with whatever waits to be sent."""
        ...


class Lines:
    """The connections of one server. Those who have taken a seat are never cut to make room; of the others the one goes
    that has waited longest.
    """

    def __init__(self, most_waiting: int, per_address: Callable[[str], int | None]) -> None:
        self._most = most_waiting
        self._per_address = per_address
        self._waiting: dict[Cuttable, str] = {}
        self._counts: dict[str, int] = {}

    @property
    def waiting(self) -> int:
        """How many connections nobody at a table uses."""
        return len(self._waiting)

    def opened(self, line: Cuttable, address: str) -> bool:
        """Whether there is room for one more connection of that address; then it counts, and the oldest may go."""
        most = self._per_address(address)
        if most is not None and self._counts.get(address, 0) >= most:
            return False
        self._counts[address] = self._counts.get(address, 0) + 1
        self._waiting[line] = address
        if len(self._waiting) > self._most:
            next(iter(self._waiting)).cut()
        return True

    def replaced(self, line: Cuttable, other: Cuttable) -> None:
        """The connection goes on as another one."""
        address = self._waiting.pop(line, None)
        if address is not None:
            self._waiting[other] = address

    def seated(self, line: Cuttable) -> None:
        """Whoever is at the other end has taken a seat."""
        self._released(self._waiting.pop(line, None))

    def closed(self, line: Cuttable) -> None:
        """The connection is gone."""
        self._released(self._waiting.pop(line, None))

    def _released(self, address: str | None) -> None:
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]


class RequestProtocol(H11Protocol):
    """HTTP with an end to everybody's patience: for the head of a request, its body, and the reading of the answer."""

    def __init__(self, lines: Lines, **given: Any) -> None:
        super().__init__(**given)
        self._lines = lines
        self._deadline: asyncio.TimerHandle | None = None
        self._stage: tuple[str, int] = ("", 0)
        self._requests = 0
        self._unsent = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._lines.opened(self, self.client[0] if self.client else ""):
            self._watch()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        self._lines.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        self._requests += 1
        super().on_response_complete()
        self._watch()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._forget_deadline()
        self._stage = ("upgraded", 0)
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, SocketProtocol):
            self._lines.replaced(self, protocol)
        else:
            self._lines.closed(self)

    def cut(self) -> None:
        self.transport.abort()

    def _watch(self) -> None:
        """The clock runs for what the client owes now; it is not set back by bytes that do not finish it."""
        if self._stage[0] == "upgraded":
            return
        owed, seconds = self._owed()
        if (owed, self._requests) == self._stage:
            return
        self._stage = (owed, self._requests)
        self._forget_deadline()
        self._unsent = 0
        self._deadline = self.loop.call_later(seconds, self._give_up, seconds)

    def _owed(self) -> tuple[str, float]:
        """What the client has to do next, and how long that may take."""
        if self.cycle is None or self.cycle.response_complete:
            return "head", limits.HEAD_SECONDS
        if self.cycle.more_body:
            return "body", limits.body_seconds(self._length())
        return "reading", limits.READING_SECONDS

    def _length(self) -> int:
        """The bytes a body is said to have; the most there may be when nothing is said."""
        said = dict(self.headers).get(b"content-length", b"")
        return int(said) if said.isdigit() and len(said) < 12 else limits.RECORD

    def _give_up(self, seconds: float) -> None:
        """Who has not done what he owes is cut, but not while he still reads an answer."""
        unsent = self.transport.get_write_buffer_size()
        is_reading = unsent > 0 and (not self._unsent or unsent < self._unsent)
        is_ours = self._stage[0] == "reading" and not unsent
        if is_reading or is_ours:
            self._unsent = unsent
            self._deadline = self.loop.call_later(seconds, self._give_up, seconds)
        else:
            self.cut()

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class SocketProtocol(WebSocketsSansIOProtocol):
    """A socket whose frames are counted as they come, and that ends when it is told to, read or unread."""

    def __init__(self, lines: Lines, **given: Any) -> None:
        super().__init__(**given)
        self._lines = lines
        self._frames = Bucket(*limits.FRAMES)
        self._after_close = 0

    def connection_lost(self, exc: Exception | None) -> None:
        self._lines.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # a little at a time: a quarter of a megabyte may hold forty thousand frames
        for start in range(0, len(data), limits.SLICE):
            if self.transport.is_closing():
                return
            if self.close_sent:
                self._after_close += limits.SLICE
                if self._after_close > limits.FRAME:
                    self.cut()
                    return
            super().data_received(data[start : start + limits.SLICE])

    def handle_text(self, event: Frame) -> None:
        if self._counts():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._counts():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if self._counts():
            super().handle_cont(event)

    def handle_pong(self, event: Frame) -> None:
        if self._counts():
            super().handle_pong(event)

    def handle_ping(self) -> None:
        if not self._counts():
            return
        super().handle_ping()
        # answers to pings go past whatever holds back other messages from somebody who does not read
        if self.transport.get_write_buffer_size() > limits.CONTROL_BACKLOG:
            self.cut()

    def _counts(self) -> bool:
        """Whether one more frame is within the limit; who sends more than any person could is cut without a word."""
        if self.transport.is_closing():
            return False
        if not self._frames.take():
            self.cut()
            return False
        return True

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.cut()

    async def run_asgi(self) -> None:
        self.scope["state"][SEATED] = self._seated
        await super().run_asgi()
        # whoever does not take the good-bye is not waited for
        self.loop.call_later(limits.GOODBYE_SECONDS, self.cut)

    def _seated(self) -> None:
        self._lines.seated(self)

    def cut(self) -> None:
        self.transport.abort()
