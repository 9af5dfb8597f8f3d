"""What each event does to a position: registered once, and nothing left out."""

from __future__ import annotations

import pytest

from sandtable.kernel.events import EVERYBODY, Event
from sandtable.play.changes import Changes


class Grew(Event, frozen=True):
    audience = EVERYBODY
    by: int


class Shrank(Event, frozen=True):
    audience = EVERYBODY
    by: int


def grown() -> Changes[int]:
    changes: Changes[int] = Changes()

    @changes.on(Grew)
    def _grew(position: int, event: Grew) -> int:
        return position + event.by

    return changes


def test_an_event_does_what_was_registered_for_its_kind() -> None:
    assert grown().apply(3, Grew(2)) == 5


def test_an_event_that_was_forgotten_is_found_when_the_room_is_imported() -> None:
    with pytest.raises(TypeError, match="nobody says what the event Shrank does"):
        grown().complete(Grew | Shrank)


def test_no_event_does_two_things() -> None:
    with pytest.raises(TypeError, match="two functions say what the event Grew does"):
        grown().on(Grew)(lambda position, event: position)


def test_a_table_with_every_event_in_it_is_complete() -> None:
    changes = grown()
    changes.on(Shrank)(lambda position, event: position - event.by)
    changes.complete(Grew | Shrank)
    assert changes.apply(3, Shrank(1)) == 2
