"""Events say who may know of them, and are told accordingly."""

from __future__ import annotations

import pytest

from sandtable.kernel.events import DISCERNED, EVERYBODY, REVEALED, Audience, Event
from sandtable.kernel.ids import SideId, UnitId
from sandtable.play.fog import OWN_SIDE, PUBLIC_VERSION, WITNESSES, Redactions, witnesses

RED, BLUE = SideId("red"), SideId("blue")


class Rained(Event, frozen=True):
    audience = EVERYBODY


class Opened(Event, frozen=True):
    audience = REVEALED


class Appeared(Event, frozen=True):
    audience = DISCERNED


class Noted(Event, frozen=True):
    audience = OWN_SIDE
    side: SideId


class Sneezed(Event, frozen=True):
    audience = WITNESSES
    unit: UnitId


class Met(Event, frozen=True):
    audience = witnesses("one", "other")
    one: UnitId
    other: UnitId


class Counted(Event, frozen=True):
    audience = PUBLIC_VERSION
    number: int


AnyEvent = Rained | Opened | Appeared | Noted | Sneezed | Met | Counted


def hidden(position: int, side: SideId) -> frozenset[UnitId]:
    """The position is the number of the one unit that red can't see."""
    return frozenset([UnitId(position)]) if side == RED else frozenset()


def redactions() -> Redactions[int]:
    made: Redactions[int] = Redactions(hidden)

    @made.version(Counted)
    def _counted(event: Counted, before: int, after: int, side: SideId) -> Event | None:
        return event if side == BLUE else Counted(0)

    return made


def told(event: Event, side: SideId = RED) -> Event | None:
    made = redactions()
    made.complete(AnyEvent)
    return made.redact(event, 1, 2, side)


@pytest.mark.parametrize("event", [Rained(), Opened(), Appeared()])
def test_what_everybody_may_know_is_told_word_for_word(event: Event) -> None:
    assert told(event) is event


def test_what_is_one_sides_own_is_told_to_it_alone() -> None:
    event = Noted(RED)
    assert told(event) is event
    assert told(event, BLUE) is None


def test_what_a_unit_does_is_told_to_who_sees_it_after_it_was_done() -> None:
    assert told(Sneezed(UnitId(2))) is None
    assert told(Sneezed(UnitId(2)), BLUE) == Sneezed(UnitId(2))
    assert told(Sneezed(UnitId(1))) == Sneezed(UnitId(1))


def test_what_several_units_do_is_told_to_who_sees_them_all() -> None:
    assert told(Met(UnitId(1), UnitId(2))) is None
    assert told(Met(UnitId(1), UnitId(3))) == Met(UnitId(1), UnitId(3))


def test_a_secret_has_a_public_version() -> None:
    assert told(Counted(5)) == Counted(0)
    assert told(Counted(5), BLUE) == Counted(5)


def test_an_event_that_declares_no_audience_can_not_be_defined() -> None:
    with pytest.raises(TypeError, match="Whispered does not declare its audience"):

        class Whispered(Event, frozen=True):
            pass


def test_a_room_that_forgets_how_an_event_is_told_can_not_be_opened() -> None:
    with pytest.raises(TypeError, match="Counted declares 'everybody, in the version that the room makes"):
        Redactions(hidden).complete(Rained | Counted)
    wrong = redactions()
    wrong.version(Rained)(lambda event, before, after, side: None)
    with pytest.raises(TypeError, match="Rained declares 'everybody, word for word', which is not how it is told"):
        wrong.complete(AnyEvent)


def test_an_audience_nobody_knows_of_is_refused() -> None:
    class Strange(Event, frozen=True):
        audience = Audience("whoever listens")

    with pytest.raises(TypeError, match="nobody knows how to tell the event Strange to 'whoever listens'"):
        redactions().complete(Rained | Strange)
