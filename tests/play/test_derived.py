"""What was worked out of one position is never taken for another's."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from sandtable.kernel import codec
from sandtable.play import derived
from sandtable.play.derived import LARGE, Derived, changes, differing


def test_a_part_is_made_once_for_the_same_sources_and_anew_for_others() -> None:
    memory, made = Derived(), list[str]()

    def length_of(source: list[str]) -> int:
        made.append("anew")
        return len(source)

    def ask(source: list[str]) -> int:
        return memory.part("length", (source,), lambda: length_of(source))

    short, long, none = ["a"], ["a", "b"], list[str]()
    assert [ask(short), ask(short), ask(long)] == [1, 1, 2]
    assert made == ["anew"] * 2
    # the one before the latest is still known, those before it are not
    assert [ask(short), ask(none), ask(long), ask(short)] == [1, 0, 2, 1]
    assert made == ["anew"] * 4


def test_equal_sources_that_are_not_the_same_are_others() -> None:
    memory = Derived()
    first, second = [1], [1]
    assert memory.part("identity", (first,), lambda: "first") == "first"
    assert memory.part("identity", (second,), lambda: "second") == "second"


def test_a_part_may_be_made_of_the_one_before_and_is_made_from_scratch_where_that_can_not_be() -> None:
    memory = Derived()
    before, after, last = (1, 2), (1, 3), (9,)
    memory.part("sum", (before,), lambda: sum(before))
    updated = memory.part("sum", (after,), lambda: -1, lambda known, sources: known + after[1] - sources[0][1])
    assert updated == 4
    assert memory.part("sum", (last,), lambda: 9, lambda known, sources: None) == 9


def test_a_part_of_one_sequence_follows_its_changes_and_is_made_from_scratch_where_it_can_not() -> None:
    memory, made = Derived(), list[str]()
    before, after, last = (1, 2), (1, 3), (9, 9)

    def total(numbers: tuple[int, ...]) -> int:
        made.append("anew")
        return sum(numbers)

    def moved(known: int, changed: list[tuple[int, int]], now: tuple[int, ...]) -> int | None:
        return None if len(changed) > 1 else known + sum(new - old for old, new in changed)

    def ask(numbers: tuple[int, ...]) -> int:
        return memory.follow("total", numbers, total, moved)

    assert [ask(before), ask(before), ask(after), ask(before)] == [3, 3, 4, 3]
    assert made == ["anew"]
    assert ask(last) == 18
    assert made == ["anew"] * 2


def test_answers_are_kept_with_the_very_source_that_was_asked_and_the_one_before() -> None:
    memory = Derived()
    first, second, third = [1], [1], [1]
    memory.answers("asked", first)["sum"] = 1
    assert memory.answers("asked", second) == {}
    memory.answers("asked", second)["sum"] = 2
    assert [memory.answers("asked", one) for one in (first, second)] == [{"sum": 1}, {"sum": 2}]
    assert memory.answers("asked", third) == memory.answers("asked", first) == {}


def test_names_that_change_are_noticed_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived, "MOST", 2)
    memory, source = Derived(), object()
    for name in ("a", "b", "a"):
        memory.part(name, (source,), lambda: 1)
    with pytest.raises(OverflowError, match="at most 2 parts; 'c' is one too many"):
        memory.part("c", (source,), lambda: 1)


def test_what_was_worked_out_is_never_written_and_makes_nothing_differ() -> None:
    one, other = Derived(), Derived()
    one.part("a", (one,), lambda: 1)
    assert one == other
    assert codec.encode([one]) == codec.encode([other]) == b"[null]"
    assert codec.decode(b"null", Derived) == one
    assert one != "something else"


def test_two_sequences_differ_in_the_places_where_they_are_not_alike() -> None:
    before = bytes(100)
    assert differing(before, bytes(100)) == []
    assert differing(b"", b"") == []
    for places in ([0], [99], [3, 4, 50], list(range(0, 100, 7))):
        now = bytearray(before)
        for place in places:
            now[place] = 1
        assert differing(before, bytes(now)) == differing(list(before), list(now)) == places


def test_changes_are_what_is_not_the_same_any_more() -> None:
    same, old, new = object(), object(), object()
    assert changes((same, old), (same, new)) == [(old, new)]


class Numbered(NamedTuple):
    """A piece with nothing to it but its number and how often it has changed."""

    id: int
    changes: int = 0


@pytest.mark.parametrize("count", [3, LARGE])
def test_exchanged_pieces_stand_in_the_places_of_their_numbers_and_the_others_stay(count: int) -> None:
    derived, first = Derived(), tuple(Numbered(id) for id in range(count))
    assert derived.exchange(first, ()) is first
    second = derived.exchange(first, [Numbered(1, 1)])
    third = derived.exchange(second, [Numbered(2, 1), Numbered(0, 1)])
    # of an older one, although the latest is another
    other = derived.exchange(first, [Numbered(2, 5)])
    assert second == (Numbered(0), Numbered(1, 1), *first[2:])
    assert third == (Numbered(0, 1), Numbered(1, 1), Numbered(2, 1), *first[3:])
    assert other == (*first[:2], Numbered(2, 5), *first[3:])
    assert sorted(derived.changes(second, third)) == [(first[0], third[0]), (first[2], third[2])]
