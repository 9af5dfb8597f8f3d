"""What is worked out of a position may be asked for by several threads at once: a server answers questions apart from
its orders.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from threading import Barrier, Thread

import pytest

from sandtable.play.derived import MOST, Derived

THREADS = 4
TIMES = 3_000


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], None]) -> list[BaseException]:
    """The errors of as many threads as do the same work at once, each with its number."""
    start, errors = Barrier(THREADS), list[BaseException]()

    def run(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.mark.usefixtures("restless")
def test_several_threads_note_changes_at_once() -> None:
    derived = Derived()

    def note(number: int) -> None:
        before: list[int] = [0] * 8
        for count in range(TIMES):
            now = [*before]
            now[count % 8] = count
            derived.note(before, now, (count % 8,))
            assert [new for _, new in derived.changes(before, now)] in ([count], [])
            before = now

    assert at_once(note) == []
    assert len(derived._notes) <= 2 * MOST


@pytest.mark.usefixtures("restless")
def test_a_part_is_never_taken_for_that_of_another_position() -> None:
    derived = Derived()

    def ask(number: int) -> None:
        for count in range(TIMES):
            source = (number, count)
            assert derived.part("part", (source,), lambda made_of=source: made_of) is source  # type: ignore[misc]

    assert at_once(ask) == []


def test_the_oldest_notes_go_many_at_once() -> None:
    derived, sequences = Derived(), [[number] for number in range(2 * MOST + 1)]
    for before, now in itertools.pairwise([[-1], *sequences]):
        derived.note(before, now, (0,))
    assert [kept[0] for kept in derived._notes.values()] == sequences[MOST:]
