"""What is worked out of a position and kept for those that come of it: the one door for such memories.

A position carries one `Derived`, and every position made of it carries the same. A part is kept with the very objects
it was made of, so what was worked out of one position is never taken for another's; when they have changed, the part
is made anew, or of the old one where that is quicker. Nothing here is ever written, and nothing grows: of a part there
are the latest and the one before it, since an event is told by what it changed.

Threads may ask at once: a part is replaced as a whole with what it was made of, so at worst it is made twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import is_
from typing import Any, Protocol, TypeVar

from sandtable.kernel import codec

T = TypeVar("T")
U = TypeVar("U")


class Numbered(Protocol):
    """A piece that stands in the place of its number."""

    @property
    def id(self) -> int: ...


N = TypeVar("N", bound=Numbered)

Sources = tuple[object, ...]
"""What a part is made of; told apart by identity, since nothing on the table is changed in place."""

Update = Callable[[Any, Any], T | None]
"""The part anew, of the old one and what that was made of; None when it must be made from scratch."""

MOST = 64
"""More parts than any room has: beyond it somebody uses as a name what changes."""


class Derived(codec.Unwritten):
    """The parts that were worked out last in the life of a position, each with what it was made of.

    Read `parts` directly only where a question is asked so often that a call would cost more than its answer.
    """

    __slots__ = ("_latest", "_notes", "parts")

    def __init__(self) -> None:
        self._notes: dict[int, tuple[Sequence[Any], Sequence[Any], tuple[int, ...]]] = {}
        self._latest: dict[int, tuple[Sequence[Any], list[Any]]] = {}
        self.parts: dict[object, tuple[Sources, Any, Sources | None, Any]] = {}

    def part(self, name: object, sources: Sources, make: Callable[[], T], update: Update[T] | None = None) -> T:
        """The part of that name, as these sources make it."""
        kept = self.parts.get(name)
        made: T | None = None
        if kept is not None:
            if all(map(is_, kept[0], sources)):
                part: T = kept[1]
                return part
            if kept[2] is not None and all(map(is_, kept[2], sources)):
                before: T = kept[3]
                return before
            if update is not None:
                made = update(kept[1], kept[0])
        if made is None:
            made = make()
        return self.keep(name, sources, made)

    def keep(self, name: object, sources: Sources, made: T) -> T:
        """The part is remembered as what these sources make, and beside it the one before."""
        kept = self.parts.get(name)
        if kept is None:
            if len(self.parts) >= MOST:
                raise OverflowError(f"a position keeps at most {MOST} parts; {name!r} is one too many")
            self.parts[name] = (sources, made, None, None)
        else:
            self.parts[name] = (sources, made, kept[0], kept[1])
        return made

    def of(self, name: object, source: U, make: Callable[[U], T]) -> T:
        """The part of that name, as this one source makes it."""
        kept = self.parts.get(name)
        if kept is not None:
            if kept[0][0] is source:
                part: T = kept[1]
                return part
            if kept[2] is not None and kept[2][0] is source:
                before: T = kept[3]
                return before
        return self.keep(name, (source,), make(source))

    def answers(self, name: object, source: object) -> dict[Any, Any]:
        """What has been asked of this one source so far, with the answers: for questions that are asked of a position
        when an order is made, again when it is judged and again when it is carried out.
        """
        return self.of(name, source, _unasked)

    def follow(
        self,
        name: object,
        now: Sequence[U],
        make: Callable[[Any], T],
        update: Callable[[T, list[tuple[U, U]], Any], T | None],
    ) -> T:
        """The part of that name as this one sequence makes it, or its changes since the part was last asked for."""
        kept = self.parts.get(name)
        if kept is None:
            return self.keep(name, (now,), make(now))
        if kept[0][0] is now:
            part: T = kept[1]
            return part
        if kept[2] is not None and kept[2][0] is now:
            before: T = kept[3]
            return before
        was: Any = kept[0][0]
        made = update(kept[1], self.changes(was, now), now)
        return self.keep(name, (now,), make(now) if made is None else made)

    def note(self, before: Sequence[Any], now: Sequence[Any], places: tuple[int, ...]) -> None:
        """It is remembered for a while that one sequence is the other but for these places."""
        notes = self._notes
        # the sequence is kept with its note, so that its identity can't pass to another
        notes[id(now)] = (now, before, places)
        if len(notes) > 2 * MOST:
            # many at once, which takes less time; another thread may be at it too
            for oldest in list(notes)[:MOST]:
                notes.pop(oldest, None)

    def exchange(self, before: tuple[N, ...], changed: Iterable[N]) -> tuple[N, ...]:
        """The pieces with these in the places of their numbers, and a note of which they are; the very same without
        any.
        """
        places = {piece.id: piece for piece in changed}
        if not places:
            return before
        latest = None
        if len(before) >= LARGE:
            # to copy thousands takes longest, so the list that the latest was made of is used again, by one at a time
            latest = self._latest.pop(0, None)
        pieces: list[N] = list(before) if latest is None or latest[0] is not before else latest[1]
        for place, piece in places.items():
            pieces[place] = piece
        now = tuple(pieces)
        if len(before) >= LARGE:
            self._latest[0] = (now, pieces)
        self.note(before, now, tuple(places))
        return now

    def changes(self, before: Sequence[U], now: Sequence[U]) -> list[tuple[U, U]]:
        """What is no longer as it was, each as it was and as it is: by the notes where they lead from one to the
        other, else by looking at everything.
        """
        latest = self._notes.get(id(now))
        if latest is not None and latest[1] is before:
            return [(before[place], now[place]) for place in latest[2]]
        places: set[int] = set()
        at = now
        while at is not before:
            note = self._notes.get(id(at))
            if note is None:
                return changes(before, now)
            places.update(note[2])
            at = note[1]
        return [(before[place], now[place]) for place in sorted(places) if before[place] is not now[place]]


def _unasked(source: object) -> dict[Any, Any]:
    """Nothing has been asked of a source yet."""
    return {}


LARGE = 256
"""From so many pieces on it pays to keep a list of them beside."""

CHUNK = 64
"""So many are compared at a glance: an interpreter tells whole stretches apart faster than one by one."""


FEW = 8
"""So many are compared one by one."""


def differing(before: Sequence[Any], now: Sequence[Any]) -> list[int]:
    """The places in which two sequences of one length are not alike, in order: looked for in halves of halves."""
    found: list[int] = []
    spans = [(0, len(now))]
    while spans:
        start, end = spans.pop()
        old, new = before[start:end], now[start:end]
        if old == new:
            continue
        if end - start > FEW:
            middle = (start + end) // 2
            spans += ((middle, end), (start, middle))
        else:
            found += [start + at for at, (was, one) in enumerate(zip(old, new, strict=True)) if was != one]
    return found


def changes(before: Sequence[U], now: Sequence[U]) -> list[tuple[U, U]]:
    """What is no longer as it was, each as it was and as it is; both have the same length."""
    found: list[tuple[U, U]] = []
    for start in range(0, len(now), CHUNK):
        old, new = before[start : start + CHUNK], now[start : start + CHUNK]
        if old != new:
            found += [pair for pair in zip(old, new, strict=True) if pair[0] is not pair[1] and pair[0] != pair[1]]
    return found
