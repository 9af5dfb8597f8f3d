"""What each event does to a position: one function per kind of event, registered beside its code.

A room whose table leaves out an event fails when it is imported, not when the event happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_args

from sandtable.kernel.events import Event

P = TypeVar("P")
E = TypeVar("E", bound=Event)


class Changes(Generic[P]):
    """The changes of a room by kind of event."""

    def __init__(self) -> None:
        self._changes: dict[type[Event], Callable[[P, Any], P]] = {}

    def on(self, kind: type[E]) -> Callable[[Callable[[P, E], P]], Callable[[P, E], P]]:
        """Register what an event does; TypeError when something else was registered for it."""

        def register(function: Callable[[P, E], P]) -> Callable[[P, E], P]:
            if kind in self._changes:
                raise TypeError(f"two functions say what the event {kind.__name__} does")
            self._changes[kind] = function
            return function

        return register

    def complete(self, events: Any) -> None:
        """Every event of the union does something, if only nothing; TypeError for the first that was forgotten."""
        for kind in get_args(events):
            if kind not in self._changes:
                raise TypeError(f"nobody says what the event {kind.__name__} does")

    def apply(self, position: P, event: Event) -> P:
        """The position after the event."""
        return self._changes[type(event)](position, event)
