"""How much one caller may ask for: buckets that fill with time and empty with use."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

FRAME = 64 * 1024
"""Bytes of one message from a client."""

BODY = 64 * 1024
"""Bytes of one request, except a record to be imported."""

RECORD = 4 * 1024 * 1024
"""Bytes of a record to be imported."""

BACKLOG = 1024 * 1024
"""Bytes that may wait for a client who does not read; then its line is cut."""

HELLO_SECONDS = 10.0

MESSAGES = (20.0, 40.0)
"""Messages a second on one socket, and how many at once."""

ORDERS = (5.0, 20.0)
"""Orders a second of one socket, and how many at once."""

ANSWERING = (0.2, 1.0)
"""Seconds of work on the questions of one socket in each second, and how many at once."""

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
