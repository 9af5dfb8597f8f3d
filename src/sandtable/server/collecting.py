"""When Python's collector looks through everything that lives: rarely, and when it is worth it.

By itself it does so whenever a quarter has come to what it knew, and everybody waits meanwhile: a third of a second
with a thousand battles. Nearly all of what a server keeps is never in a cycle and goes by itself; what goes in cycles
are battles that are laid aside and connections that are closed. So these are counted, and everything is looked through
when as many have gone as are there, or after half an hour.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

YOUNG, MIDDLE, NEVER = 5_000, 20, 1_000_000
"""How many new objects are looked through at once, how often those that stayed, and how often by itself the rest."""

FEWEST = 1_000
"""So many must have gone before anything is looked through."""

LONGEST = 1800.0
"""Seconds after which everything is looked through anyway."""

LOOKING = 5.0
"""Seconds between two looks at whether it is time."""


@contextmanager
def waiting() -> Iterator[None]:
    """Python's collector waits to be called; what is there at the start is not looked at until this is over."""
    gc.collect()
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


class Collector:
    """Counts what has gone; `live` says how much of the same kind is there."""

    def __init__(self, live: Callable[[], int], clock: Callable[[], float] = monotonic) -> None:
        self._live = live
        self._clock = clock
        self._gone = 0
        self._at = clock()

    def gone(self) -> None:
        """A battle was laid aside, or a connection closed."""
        self._gone += 1

    async def run(self) -> None:
        """From now on the collector waits to be called."""
        with waiting():
            while True:
                await asyncio.sleep(LOOKING)
                self.look()

    def look(self) -> bool:
        """Whether it was time; then what has gone takes no more memory."""
        is_worth_it = self._gone >= max(FEWEST, self._live())
        if not is_worth_it and (not self._gone or self._clock() - self._at < LONGEST):
            return False
        gc.collect()
        self._gone, self._at = 0, self._clock()
        return True
