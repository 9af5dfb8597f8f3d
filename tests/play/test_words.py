"""Words that no game owns."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.play.words import (
    LAST_SEEN,
    all_of,
    by_place,
    counted,
    does,
    listed,
    mixed,
    numbered,
    reason_and_rule,
    so_far,
)


@pytest.mark.parametrize(
    ("parts", "phrase"), [([], "nobody"), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_several_things_are_one_phrase(parts: list[str], phrase: str) -> None:
    assert listed(parts, "nobody") == phrase


def test_alike_things_are_counted_in_the_order_in_which_they_first_come() -> None:
    assert counted(["tank", "truck", "tank"]) == "2 tank and truck"
    assert counted([], "nobody") == "nobody"
    assert counted([]) == ""


@pytest.mark.parametrize(
    ("number", "written"),
    [("27/2", "13½"), ("1/4", "¼"), ("3/4", "¾"), ("7", "7"), (0, "0"), (Fraction(4, 3), "1 1/3"), ("1/8", "1/8")],
)
def test_a_fraction_is_written_as_players_write_it(number: str | int | Fraction, written: str) -> None:
    assert mixed(number) == written


def test_of_several_with_one_name_each_has_a_number() -> None:
    assert numbered("Sherman", 3) == "Sherman #3"


def test_two_are_both_and_more_are_all() -> None:
    assert [all_of(2), all_of(3)] == ["both", "all 3"]


def test_what_is_needed_is_told_beside_what_is_done() -> None:
    assert [so_far(2, 4, "held"), so_far(5, 4, "held")] == ["2 of 4 held", "5 held, 4 are enough"]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["1st Company"], "1st Company goes over to its boats"),
        (["1st Company", "Tiger #2"], "1st Company and Tiger #2 go over to their boats"),
        (["Assault pioneers"], "Assault pioneers go over to their boats"),
        (["Colonel Danilov's"], "Colonel Danilov's goes over to its boats"),
        (["52nd Rifle Corps"], "52nd Rifle Corps goes over to its boats"),
    ],
)
def test_a_deed_is_told_of_one_or_of_several(names: list[str], told: str) -> None:
    assert does(names, "goes over to its boats") == told
    assert does(["Riders"], "has no loss") == "Riders have no loss"
    assert does(["Armored Cars"], "tries a demolition") == "Armored Cars try a demolition"


@pytest.mark.parametrize(
    ("deed", "of_several"),
    [
        ("stops in 0101: it is under fire", "stop in 0101: they are under fire"),
        ("stops in 0101: it has been sent astray", "stop in 0101: they have been sent astray"),
        ("stops in 0101: the others go on without it", "stop in 0101: the others go on without them"),
    ],
)
def test_a_reason_speaks_of_several_where_several_do_it(deed: str, of_several: str) -> None:
    assert does(["A"], deed) == f"A {deed}"
    assert does(["A", "B"], deed) == f"A and B {of_several}"


def test_who_is_in_one_place_is_named_together() -> None:
    assert by_place([("a tank", "0101"), ("a gun", "0202"), ("a truck", "0101")], " in ") == (
        "a tank and a truck in 0101; a gun in 0202"
    )
    assert by_place([("tank", "0101"), ("tank", "0101")], LAST_SEEN) == "2 tank, last seen in 0101"
    assert by_place([], " in ") == ""


@pytest.mark.parametrize(
    ("why", "found"),
    [
        ("mines lie here (PL-1301)", ("mines lie here", "PL-1301")),
        ("it is hit (PB-OPF-1)", ("it is hit", "PB-OPF-1")),
        ("dispersed (P44-9.02)", ("dispersed", "P44-9.02")),
        ("the bridge (of Rudnya) is down", ("the bridge (of Rudnya) is down", "")),
        ("", ("", "")),
    ],
)
def test_the_rule_behind_a_reason_is_told_apart_from_it(why: str, found: tuple[str, str]) -> None:
    assert reason_and_rule(why) == found
