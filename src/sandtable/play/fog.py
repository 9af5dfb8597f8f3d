"""Who may know of an event: audiences that events declare, and the redaction that follows from them.

An event whose class declares `EVERYBODY` is told as it is. The others are told to a side, to who can see the units
they name, or in a public version that the room makes of a secret one. Nothing is told because nobody thought of it:
a room whose table leaves out an event fails when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Generic, TypeVar, get_args

from sandtable.kernel.events import DISCERNED, EVERYBODY, REVEALED, Audience, Event
from sandtable.kernel.ids import SideId, UnitId

P = TypeVar("P")
E = TypeVar("E", bound=Event)

Redaction = Callable[[Any, P, P, SideId], Event | None]
"""The event as a side may know it, given the positions before and after it, or None."""

Hidden = Callable[[P, SideId], Collection[UnitId]]
"""The units that a side can't see."""


class OneSide(Audience, frozen=True):
    """The side that a field of the event names, and nobody else."""

    field: str = "side"


class Witnesses(Audience, frozen=True):
    """Whoever sees all the units that these fields of the event name."""

    fields: tuple[str, ...] = ("unit",)


OWN_SIDE = OneSide("the side it names")
WITNESSES = Witnesses("who sees its unit")
PUBLIC_VERSION = Audience("everybody, in the version that the room makes for each viewer")


def public_version(*, reveals: bool = False, pauses: bool = False) -> Audience:
    """Everybody, in the version that the room makes for each viewer."""
    return Audience(PUBLIC_VERSION.words, reveals, pauses)


def witnesses(*fields: str, reveals: bool = False) -> Witnesses:
    """Whoever sees all the units that these fields name."""
    return Witnesses("who sees its units", reveals, fields=fields)


class Redactions(Generic[P]):
    """How each event of a room is told; `hidden` says which units a side can't see."""

    def __init__(self, hidden: Hidden[P]) -> None:
        self._hidden = hidden
        self._versions: dict[type[Event], Redaction[P]] = {}
        self._ways: dict[type[Event], Redaction[P]] = {}

    def version(self, kind: type[E]) -> Callable[[Redaction[P]], Redaction[P]]:
        """Register the public version of an event."""

        def register(function: Redaction[P]) -> Redaction[P]:
            self._versions[kind] = function
            return function

        return register

    def complete(self, events: Any) -> None:
        """Every event of the union has a way to be told; TypeError for the first that has none."""
        for kind in get_args(events):
            self._ways[kind] = self._way(kind)

    def _way(self, kind: type[Event]) -> Redaction[P]:
        audience = kind.audience
        if (audience.words == PUBLIC_VERSION.words) != (kind in self._versions):
            raise TypeError(f"the event {kind.__name__} declares {audience.words!r}, which is not how it is told")
        if kind in self._versions:
            return self._versions[kind]
        if isinstance(audience, OneSide):
            return _to_one_side(audience.field)
        if isinstance(audience, Witnesses):
            return self._to_witnesses(audience.fields)
        if audience in (EVERYBODY, REVEALED, DISCERNED):
            return _to_everybody
        raise TypeError(f"nobody knows how to tell the event {kind.__name__} to {audience.words!r}")

    def _to_witnesses(self, fields: tuple[str, ...]) -> Redaction[P]:
        hidden = self._hidden

        def told(event: Event, before: P, after: P, side: SideId) -> Event | None:
            unseen = hidden(after, side)
            return None if unseen and any(getattr(event, field) in unseen for field in fields) else event

        return told

    def redact(self, event: Event, before: P, after: P, side: SideId) -> Event | None:
        """The event as a side may know it, or None."""
        return self._ways[type(event)](event, before, after, side)


def _to_everybody(event: Event, before: Any, after: Any, side: SideId) -> Event:
    return event


def _to_one_side(field: str) -> Redaction[Any]:
    def told(event: Event, before: Any, after: Any, side: SideId) -> Event | None:
        return event if getattr(event, field) == side else None

    return told
