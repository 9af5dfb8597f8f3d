"""How much one caller may ask for: buckets that fill with time and empty with use."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

FRAME = 64 * 1024
"""Bytes of one message from a client."""

BODY = 64 * 1024
"""Bytes of one request, except a record to be imported."""

RECORD = 4 * 1024 * 1024
"""Bytes of a record to be imported."""

BACKLOG = 1024 * 1024
"""Bytes that may wait for a client who does not read; then its line is cut."""

CONTROL_BACKLOG = 64 * 1024
"""Bytes of answers to pings that may wait for a client who does not read; then its line is cut."""

HELLO_SECONDS = 10.0

HEAD_SECONDS = 10.0
"""How long a client may take for the head of a request."""

READING_SECONDS = 30.0
"""How long a client may take no byte of its answer."""

GOODBYE_SECONDS = 5.0
"""How long a socket that was closed may go on without having taken notice."""


def body_seconds(length: int) -> float:
    """How long a client may take for a body of so many bytes."""
    return 10.0 + min(length, RECORD) / 65_536


WAITING_LINES = 256
"""Connections that are at no table: of more than these the one goes that has waited longest."""

LINES = 48
"""Connections of one address that are at no table, on a public server."""

FRAMES = (200.0, 600.0)
"""Frames a second on one socket, whatever they are, and how many at once; who sends more is cut without a word."""

SLICE = 2048
"""Bytes of a socket that are looked at before it is asked whether it goes on."""

MESSAGES = (30.0, 120.0)
"""Messages a second on one socket, and how many at once."""


class Allowance(NamedTuple):
    """What somebody may ask of the server: rates a second, each with how much at once."""

    messages: tuple[float, float]
    orders: tuple[float, float]
    work: tuple[float, float]
    """Seconds of work on his questions."""


SEAT = Allowance((40.0, 200.0), (5.0, 20.0), (0.2, 1.0))
"""What all sockets of one seat may between them."""

ADDRESS = Allowance((160.0, 600.0), (20.0, 60.0), (0.4, 2.0))
"""What all sockets of one address may between them, on a public server."""

SEAT_SOCKETS = 8
"""Sockets of one commander's seat; of more the oldest is closed."""

CHAT = (0.5, 6.0)
"""Lines a second that one seat may say, and how many at once."""

STRIKES = 100
"""Messages over the limit, after which a line is cut."""

WAITING_QUESTIONS = 64

CALLS = (20.0, 60.0)
"""Requests and handshakes a second of one address on a public server, and how many at once."""

SOCKETS = 20
"""Open sockets of one address on a public server."""

ADDRESSES = 4096
"""Addresses that are remembered; the longest unheard of goes first."""

Clock = Callable[[], float]


class Bucket:
    """Holds up to `burst`, gains `rate` a second."""

    __slots__ = ("_at", "_burst", "_clock", "_level", "_rate")

    def __init__(self, rate: float, burst: float, clock: Clock = monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._level, self._at = burst, clock()

    def _fill(self) -> None:
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now

    def take(self) -> bool:
        """Whether there was one left, which is now taken."""
        self._fill()
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def spend(self, amount: float) -> None:
        """That much is gone, even if more than there was."""
        self._fill()
        self._level -= amount

    def wait(self) -> float:
        """Seconds until nothing is owed."""
        self._fill()
        return max(0.0, -self._level / self._rate)


class Budget:
    """What a seat or an address has left of its allowance; `served` is how much it has had, for who keeps turns."""

    __slots__ = ("messages", "orders", "served", "work")

    def __init__(self, share: Allowance, clock: Clock = monotonic) -> None:
        self.messages = Bucket(*share.messages, clock)
        self.orders = Bucket(*share.orders, clock)
        self.work = Bucket(*share.work, clock)
        self.served = 0.0


Payers = tuple[Budget, ...]
"""Those who pay for the same work: a seat, and on a public server the address as well."""


class Budgets:
    """The budgets of seats and addresses. They outlive sockets, or a new one would be a new share; the longest unheard
    of goes first.
    """

    def __init__(self, clock: Clock = monotonic) -> None:
        self._clock = clock
        self._budgets: dict[str, Budget] = {}

    def of(self, name: str, share: Allowance) -> Budget:
        """The budget of that name."""
        budget = self._budgets.pop(name, None) or Budget(share, self._clock)
        self._budgets[name] = budget
        if len(self._budgets) > ADDRESSES:
            del self._budgets[next(iter(self._budgets))]
        return budget


class Addresses:
    """What each address has asked for lately, and how many lines it holds open."""

    def __init__(self, clock: Clock = monotonic) -> None:
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}
        self._sockets: dict[str, int] = {}

    def may_call(self, address: str) -> bool:
        """Whether one more request of that address is within the limit; it counts."""
        bucket = self._buckets.pop(address, None) or Bucket(*CALLS, self._clock)
        self._buckets[address] = bucket
        if len(self._buckets) > ADDRESSES:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take()

    def may_open(self, address: str) -> bool:
        """Whether one more line of that address is within the limit; it counts until it is closed."""
        if self._sockets.get(address, 0) >= SOCKETS:
            return False
        self._sockets[address] = self._sockets.get(address, 0) + 1
        return True

    def closed(self, address: str) -> None:
        """One line of that address is gone."""
        left = self._sockets[address] - 1
        if left:
            self._sockets[address] = left
        else:
            del self._sockets[address]
